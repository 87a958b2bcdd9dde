//! Secrets in plain words: passwords and the like that no pattern for secrets knows.

use crate::session::extract;

use super::clauses::has;

/// Minimum length of a word with letters and digits that may be a secret where it comes first: not `v2` and `node22`.
const MIN_MIXED: usize = 8;
/// Minimum length of a run of Latin letters and digits that may be a secret beside words of other scripts.
const MIN_RUN: usize = 4;

/// Minimum length of a word behind the name of a password that may be it.
const MIN_PASSWORD: usize = 4;
/// What is typed to get in.
const PASSWORDS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pw",
    "pwd",
    "passwort",
    "kennwort",
    "mot de passe",
    "contraseña",
    "senha",
    "seed phrase",
    "recovery phrase",
    "master key",
];
/// Those of them that are several words.
const PHRASES: &[&str] = &["passphrase", "seed phrase", "recovery phrase", "master key"];
/// What else is kept secret.
const OTHER_NAMES: &[&str] = &[
    "pin",
    "secret",
    "api key",
    "apikey",
    "license key",
    "licence key",
    "product key",
    "recovery code",
    "token",
    "credentials",
    "wachtwoord",
    "hasło",
    "lizenzschlüssel",
];
/// What may be secret, and in a table or an index is none.
const KEYS: &[&str] = &["key", "keys", "schlüssel", "clé", "clave"];
/// Keys that are nothing but secrets.
const SECRET_KEYS: &[&str] = &[
    "wifi key",
    "wi-fi key",
    "wlan key",
    "vault key",
    "encryption key",
    "signing key",
    "secret key",
    "access key",
    "wlan-schlüssel",
    "wifi-schlüssel",
    "wlan-key",
];
/// The endings of files that a key may be in.
const FILE_ENDINGS: &str = "yaml yml json toml env ini conf cfg xml properties txt md pem key crt cer p12 pfx jks asc gpg kdbx rs \
                            ts js py go java rb php cs sh";
/// What may be between a telling word and the secret.
const STILL: &[&str] = &["now", "still", "again", "currently", "jetzt", "nun", "wieder", "noch", "aktuell"];
/// Words of getting in, by a name and a password.
const LOGINS: &[&str] = &[
    "get in",
    "get into",
    "login",
    "log in",
    "logs in",
    "sign in",
    "signs in",
    "credentials",
    "ssh",
    "basic auth",
    "zugangsdaten",
    "anmelden",
    "einloggen",
];
/// What is secret and has only digits.
const CODES: &[&str] = &[
    "pin",
    "puk",
    "tan",
    "unlock code",
    "one-time code",
    "access code",
    "door code",
    "zugangscode",
    "türcode",
];
/// The number of digits that such a code has at least.
const MIN_DIGITS: usize = 4;
/// What money is paid with, and how many digits its number has.
const CARDS: &[&str] =
    &["card", "credit card", "kreditkarte", "karte", "carte", "tarjeta", "cartão", "karty"];
const CARD_DIGITS: std::ops::RangeInclusive<usize> = 13..=19;
/// What comes between a name and its secret.
const TELLING: [&str; 16] = [
    "is", "ist", "lautet", "called", "heißt", "are", "sind", "est", "c'est", "es", "was", "é", "è", "jest",
    "=", ":",
];
/// Words behind such a name or behind `is` that say how it's handled. Any other may be the password.
const HANDLED: &[&str] = &[
    "manager",
    "managers",
    "reset",
    "resets",
    "field",
    "fields",
    "input",
    "inputs",
    "hash",
    "hashes",
    "hashing",
    "policy",
    "policies",
    "prompt",
    "store",
    "file",
    "files",
    "rule",
    "rules",
    "length",
    "check",
    "checks",
    "validation",
    "form",
    "page",
    "mail",
    "generator",
    "vault",
    "rotation",
    "protection",
    "authentication",
    "login",
    "before",
    "after",
    "into",
    "until",
    "unless",
    "because",
    "while",
    "have",
    "has",
    "does",
    "doesn't",
    "can't",
    "instead",
    "beim",
    "nach",
    "soll",
    "kann",
    "valid",
    "required",
    "optional",
    "stored",
    "kept",
    "sent",
    "never",
    "always",
    "must",
    "should",
    "needs",
    "will",
    "that",
    "which",
    "from",
    "with",
    "when",
    "only",
    "here",
    "long",
    "empty",
    "known",
    "secret",
    "isn't",
    "expires",
    "changes",
    "comes",
    "lives",
    "wird",
    "muss",
    "darf",
    "kommt",
    "liegt",
    "steht",
    "eines",
    "einer",
    "immer",
    "niemals",
    "nicht",
    "gültig",
    "nötig",
    "leer",
    "falsch",
    "lang",
    "dans",
    "pour",
];

/// Whether a sentence tells a password or the like in words that no pattern for secrets knows: `the password is …`.
pub(super) fn tells_secret(plain: &str) -> bool {
    is_told(plain)
        || is_code_told(plain)
        || is_card_told(plain)
        || is_told_in_polish(plain)
        || PASSWORDS.iter().any(|name| may_be_beside(plain, name))
}

/// Whether a password may be beside its name: `use the password sommerregen, …`, `the password is sommerregen and …`, `dass das
/// Passwort für den Tresor sommerregen ist`. What is only handled is told by [`HANDLED`].
fn may_be_beside(plain: &str, name: &str) -> bool {
    let Some(at) = extract::find_words(plain, name) else { return false };
    let rest = plain.get(at + name.len()..).unwrap_or_default();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let may_be = |word: &str| {
        let word = bare(word);
        word.chars().count() >= MIN_PASSWORD
            && !HANDLED.contains(&word.as_str())
            && !word.ends_with("ed")
            && !word.starts_with("ge")
    };
    let mut words = rest.split_whitespace();
    let next = words.next().unwrap_or_default();
    let verbs = ["is", "ist", "called", "heißt", "lautet", "est", "es"];
    let behind_verb = || {
        let value = rest
            .split_whitespace()
            .skip_while(|word| !verbs.contains(word))
            .find(|word| !verbs.contains(word));
        let value = value.unwrap_or_default();
        let joined = rest.split_once(value).is_some_and(|(_, after)| {
            ["and", "und", "et", "y", "but", "aber"].iter().any(|word| after.trim_start().starts_with(word))
        });
        may_be(value) && (joined || value.ends_with(',') || PHRASES.contains(&name))
    };
    // `log in with sommerregen as the password`
    let is_used_as = || {
        let before = plain.get(..at).unwrap_or_default().trim_end();
        let value = [" as the", " as a", " as", " als"].iter().find_map(|word| before.strip_suffix(word));
        let ends = !rest.starts_with(|c: char| c.is_alphanumeric() || c == ' ');
        ends && value.and_then(|before| before.rsplit(' ').next()).is_some_and(may_be)
    };
    let at_end = || {
        let text = plain.trim_end_matches(['.', '!']);
        text.strip_suffix(" ist").and_then(|before| before.rsplit(' ').next()).is_some_and(may_be)
    };
    rest.starts_with(' ') && may_be(next) || behind_verb() || at_end() || is_used_as()
}

/// `hasło do bazy to Tulipan-33`: in Polish `to` is between a name and its value.
fn is_told_in_polish(plain: &str) -> bool {
    let rest = extract::find_words(plain, "hasło").and_then(|at| plain.get(at..)).unwrap_or_default();
    let value = rest.split_once(" to ").map_or("", |(_, value)| value);
    value.split_whitespace().next().is_some_and(is_mixed)
}

/// `the test card is 4417 8832 0099 1123`.
fn is_card_told(plain: &str) -> bool {
    let longest = plain
        .split(|c: char| !c.is_ascii_digit() && c != ' ' && c != '-')
        .map(|run| run.bytes().filter(u8::is_ascii_digit).count())
        .max();
    has(plain, CARDS) && longest.is_some_and(|digits| CARD_DIGITS.contains(&digits))
}

/// `the PIN for the safe is always 8842`.
fn is_code_told(plain: &str) -> bool {
    let is_code = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.len() >= MIN_DIGITS && word.bytes().all(|byte| byte.is_ascii_digit())
    };
    has(plain, CODES) && plain.split_whitespace().any(is_code)
}

/// `the credentials are tester/sommerregen`, `… are tester / sommerregen` or with a colon, `the login is admin and Sommer2024`,
/// `log in with user shop and pass sommerregen`.
fn is_login_told(words: &[&str]) -> bool {
    const JOINING: [&str; 5] = ["and", "und", "with", "mit", "/"];
    words.iter().enumerate().any(|(at, word)| {
        let value = words.get(at + 1).map_or("", |value| value.trim_end_matches(['.', ',', '!']));
        let is_pair = value.split_once('/').is_some_and(|(who, secret)| who.len() > 2 && secret.len() > 2);
        let is_told = is_pair && !value.contains('.') || matches!(words.get(at + 2), Some(&("/" | ":")));
        TELLING.contains(word) && is_told
            // `log in with oauth2` names no secret.
            || JOINING.contains(word) && value.len() >= MIN_MIXED && is_mixed(value)
            || *word == "pass" && value.chars().count() >= MIN_PASSWORD
    })
}

/// `the key of the cabinet is sommerregen42`, `the key: "9f8e-7d6c"`. A name in code or of a file has other marks (`customer_id2`), and
/// where no name can be meant every mark may be the secret's: `the wifi key is Sommer.42 in the office`.
fn is_key_told(plain: &str, words: &[&str]) -> bool {
    let is_secret = has(plain, SECRET_KEYS);
    let is_ending = |word: &str| FILE_ENDINGS.split_whitespace().any(|ending| ending == word);
    let tells = |word: &str| TELLING.contains(&word) || word.ends_with([':', '=']);
    words.iter().enumerate().filter(|(_, word)| tells(word)).any(|(at, _)| {
        let mut behind = words[at + 1..].iter().copied().skip_while(|word| STILL.contains(word));
        let next = behind.next().unwrap_or_default();
        let told = next.trim_end_matches(['.', ',', '!', ';']);
        let is_last = told.len() < next.len() || behind.next().is_none();
        let value = told.trim_matches(['"', '\'', '`', '“', '”', '„']);
        let is_plain = value.chars().all(|c| c.is_alphanumeric() || c == '-');
        let is_file = value.rsplit_once('.').is_some_and(|(_, ending)| is_ending(ending));
        let may_be = is_last && is_plain || is_secret && !is_file;
        may_be && value.len() >= MIN_MIXED && is_mixed(value)
    })
}

/// `use the API key 12345-abcde`. What is pinned is a version.
fn is_behind_name(plain: &str) -> bool {
    OTHER_NAMES.iter().filter(|name| **name != "pin").any(|name| {
        let rest = extract::find_words(plain, name).and_then(|at| plain.get(at + name.len()..));
        let next = rest.and_then(|rest| rest.strip_prefix(' ')?.split(' ').next()).unwrap_or_default();
        next.len() >= MIN_MIXED && is_mixed(next)
    })
}

/// Whether a password, a login or a key is told by a verb or a mark before it.
fn is_told(plain: &str) -> bool {
    let words: Vec<&str> = plain.split_whitespace().collect();
    // `the login is admin/hunter2xy`, `admin:hunter2xy`, and not `the login is in src/login2.ts`, `on http://staging2/`
    let is_pair = |word: &&str| {
        let word = word.trim_end_matches(['.', ',', '!']);
        let of_slash = word.split_once('/').filter(|_| is_mixed(word));
        let of_colon = word.split_once(':').filter(|(_, secret)| is_mixed(secret));
        of_slash.or(of_colon).is_some_and(|(who, secret)| who.len() > 2 && secret.len() > 4)
            && !word.contains('.')
            && !word.contains("://")
    };
    let of_login = has(plain, LOGINS);
    if (of_login || has(plain, &["account"])) && words.iter().any(is_pair)
        || of_login && is_login_told(&words)
        || has(plain, KEYS) && is_key_told(plain, &words)
        || is_behind_name(plain)
    {
        return true;
    }
    (has(plain, PASSWORDS) || has(plain, OTHER_NAMES))
        && words.iter().enumerate().any(|(at, word)| {
            let tells = TELLING.contains(word) || word.ends_with([':', '=']);
            let value = words.get(at + 1).map_or("", |value| value.trim_end_matches([',', '.', '!', ';']));
            // What a secret is like is several words, the secret itself is one: `the token is valid for an hour`.
            let is_last = words.get(at + 1).is_some_and(|value| value.ends_with([',', '.', '!', ';']))
                || at + 2 == words.len();
            // It may also come first: `hunter2xy is the password`.
            let before = at.checked_sub(1).and_then(|at| words.get(at)).copied().unwrap_or_default();
            tells
                && (is_mixed(value)
                    || is_last && !value.is_empty() && !value.contains("[redacted")
                    || before.len() >= MIN_MIXED && is_mixed(before))
        })
}

/// Whether a word has letters and digits, as few but secrets have.
fn is_mixed(word: &str) -> bool {
    word.chars().any(|c| c.is_ascii_digit())
        && word.chars().any(char::is_alphabetic)
        && !word.contains("[redacted")
}

/// The same in other scripts, whose grammar isn't known here: a word in Latin letters or digits after the name may be the
/// secret, and one with digits before it.
pub(super) fn may_tell_secret(plain: &str) -> bool {
    const NAMES: [&str; 12] = [
        "密码",
        "密碼",
        "口令",
        "密钥",
        "密鑰",
        "パスワード",
        "暗証番号",
        "トークン",
        "비밀번호",
        "암호",
        "토큰",
        "пароль",
    ];
    let runs = |text: &str, may_be: fn(&str) -> bool| {
        text.split(|c: char| !c.is_ascii_graphic()).any(|run| run.len() >= MIN_RUN && may_be(run))
    };
    // Before the name there are names of products as well.
    let has_digit = |run: &str| run.contains(|c: char| c.is_ascii_digit());
    NAMES
        .iter()
        .filter_map(|name| plain.split_once(name))
        .any(|(before, rest)| runs(rest, |_| true) || runs(before, has_digit))
}
