//! Secrets in plain words: passwords and the like that no pattern for secrets knows.

use crate::session::extract;

/// Minimum length of a word with letters and digits that may be a secret where it comes first: not `v2` and `node22`.
const MIN_MIXED: usize = 8;
/// Minimum length of a run of Latin letters and digits that may be a secret beside words of other scripts.
const MIN_RUN: usize = 4;

/// Whether a sentence tells a password or the like in words that no pattern for secrets knows: `the password is …`.
pub(super) fn tells_secret(plain: &str) -> bool {
    const NAMES: [&str; 17] = [
        "password",
        "passwd",
        "passphrase",
        "passcode",
        "pin",
        "secret",
        "api key",
        "apikey",
        "token",
        "credentials",
        "passwort",
        "kennwort",
        "mot de passe",
        "contraseña",
        "senha",
        "wachtwoord",
        "hasło",
    ];
    const TELLING: [&str; 12] =
        ["is", "ist", "lautet", "are", "est", "es", "was", "é", "è", "jest", "=", ":"];
    let words: Vec<&str> = plain.split_whitespace().collect();
    NAMES.iter().any(|name| extract::contains_words(plain, name))
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
