//! Passwords in what somebody types to an agent, also such as are plain words: `my password for the box is hunter`, `log in with
//! pw swordfish`. In a program's output or on a page the same sentence is mostly about passwords in general, so [`redact`]
//! leaves it alone. Owns the grammar of such a sentence; its words are in `typed_words`.

use std::borrow::Cow;
use std::ops::Range;

use super::prose::{is_prose, mentions_password};
use super::redact;
use super::typed_words::{
    ACCOUNTS, CODES, CONDITIONS, CONNECTING, ENDINGS, FILES, FRENCH, GETTING_IN, KEEPERS, KINDS_OF_ACCOUNT,
    LOGINS, NOUNS, OWNERS, PARTICIPLES, PHRASES, SHORT, STATES, TELLING, USING, WHERE,
};

/// What replaces such a password.
pub const TYPED_PASSWORD: &str = "[redacted:typed-password]";

/// The fewest letters of a value.
const MIN_LETTERS: usize = 4;
/// The number of words between a noun and its verb.
const MAX_BETWEEN: usize = 6;
/// The number of digits of a code.
const CODE_DIGITS: Range<usize> = 4..9;

/// [`redact`] for what somebody typed, with passwords that are plain words.
#[must_use]
pub fn redact_typed(text: &str) -> Cow<'_, str> {
    let clean = redact(text);
    let found = find(&clean);
    if found.is_empty() {
        return clean;
    }
    let mut out = String::with_capacity(clean.len());
    let mut copied = 0;
    for range in found {
        out.push_str(&clean[copied..range.start]);
        out.push_str(TYPED_PASSWORD);
        copied = range.end;
    }
    out.push_str(&clean[copied..]);
    Cow::Owned(out)
}

/// A word in a line.
struct Word<'t> {
    /// Its place without the marks around it.
    range: Range<usize>,
    /// The word as typed.
    text: &'t str,
    /// The same in small letters.
    lower: String,
    /// Whether a mark ends its clause.
    ends: bool,
}

impl Word<'_> {
    fn is_among(&self, all: &[&str]) -> bool {
        all.contains(&self.lower.as_str())
    }
}

/// The places of the passwords, in order and apart.
fn find(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        let lower = line.to_lowercase();
        let has = |all: &[&str]| all.iter().any(|word| lower.contains(word));
        if has(NOUNS) || has(CODES) || has(LOGINS) || lower.contains("mot de passe") {
            let in_line = find_in_line(line).into_iter();
            found.extend(in_line.map(|range| from + range.start..from + range.end));
        }
        from += line.len();
    }
    found
}

fn find_in_line(line: &str) -> Vec<Range<usize>> {
    let words = words(line);
    let gets_in = words.iter().any(|word| word.is_among(GETTING_IN));
    let mut found: Vec<Range<usize>> = Vec::new();
    for at in 0..words.len() {
        let value = value_of_password(&words, at, gets_in)
            .or_else(|| value_of_code(&words, at))
            .or_else(|| value_of_login(&words, at));
        if let Some(value) = value
            && found.last().is_none_or(|last| last.end <= value.start)
        {
            found.push(value);
        }
    }
    found
}

/// The words with marks taken off.
fn words(text: &str) -> Vec<Word<'_>> {
    let mut all: Vec<Word<'_>> = Vec::new();
    let mut at = 0;
    for piece in text.split_inclusive(char::is_whitespace) {
        let token = piece.trim_end();
        let open = token.len() - token.trim_start_matches(['"', '\'', '`', '“', '„', '(', '«']).len();
        let inner = &token[open..];
        let bare = inner.trim_end_matches(['"', '\'', '`', '”', '“', ')', '»', ',', '.', ';', ':', '!', '?']);
        let ends = inner[bare.len()..].contains([',', '.', ';', ':', '!', '?']);
        if !bare.is_empty() {
            let range = at + open..at + open + bare.len();
            all.push(Word { range, text: bare, lower: bare.to_lowercase(), ends });
        } else if let Some(last) = all.last_mut().filter(|_| ends) {
            last.ends = true;
        }
        at += piece.len();
    }
    all
}

/// The value that is told of the password whose noun is at a place.
fn value_of_password(words: &[Word<'_>], at: usize, gets_in: bool) -> Option<Range<usize>> {
    let is_french =
        words.get(at..at + 3).is_some_and(|all| all.iter().zip(FRENCH).all(|(word, of)| word.lower == of));
    let noun = &words[at + if is_french { 2 } else { 0 }];
    if noun.ends || !is_french && !noun.is_among(NOUNS) {
        return None;
    }
    let behind = &words[at + if is_french { 3 } else { 1 }..];
    let before = &words[at.saturating_sub(2)..at];
    let ends = |value: usize| {
        let next = behind.get(value + 1);
        behind[value].ends || next.is_none_or(|next| next.is_among(CONNECTING) || next.text.starts_with('('))
    };
    // `use pw swordfish`, and where it's about getting in `with the password swordfish`.
    let is_used = words[at.saturating_sub(3)..at].iter().any(|word| word.is_among(USING));
    if is_used
        && (gets_in || noun.is_among(SHORT))
        && behind.first().is_some_and(|value| may_be_value(value.text) && !value.is_among(TELLING))
        && ends(0)
    {
        return Some(behind[0].range.clone());
    }
    // `when you log in the password is swordfish` tells it, `when the password is longer` doesn't.
    if before.iter().any(|word| !word.ends && word.is_among(CONDITIONS)) {
        return None;
    }
    let verb = behind.iter().take(MAX_BETWEEN + 1).position(|word| word.is_among(TELLING))?;
    let is_one_clause = !behind[..=verb].iter().any(|word| word.ends);
    let is_somebodys = before.iter().any(|word| word.is_among(OWNERS));
    // Between the two there is only whose or where it is: `my password policy is strict`.
    let is_told_alone = is_somebodys || gets_in || noun.is_among(PHRASES);
    let may_open = if verb == 0 { is_told_alone } else { behind[0].is_among(WHERE) };
    let value = behind.get(verb + 1)?;
    let is_told = is_one_clause && may_open && may_be_value(value.text) && ends(verb + 1);
    is_told.then(|| value.range.clone())
}

/// `the PIN is 4711`.
fn value_of_code(words: &[Word<'_>], at: usize) -> Option<Range<usize>> {
    let (code, verb, value) = (&words[at], words.get(at + 1)?, words.get(at + 2)?);
    let is_told = code.is_among(CODES) && !code.ends && verb.is_among(TELLING);
    let is_code =
        CODE_DIGITS.contains(&value.text.len()) && value.text.bytes().all(|byte| byte.is_ascii_digit());
    (is_told && is_code).then(|| value.range.clone())
}

/// `login: admin / correcthorse`, `the credentials are admin/correcthorse`.
fn value_of_login(words: &[Word<'_>], at: usize) -> Option<Range<usize>> {
    let login = &words[at];
    let next = words.get(at + 1)?;
    let is_told = login.is_among(LOGINS)
        && (login.ends || next.is_among(TELLING) || next.is_among(&["are", "sind", "sont"]));
    if !is_told {
        return None;
    }
    let who = if login.ends { at + 1 } else { at + 2 };
    let account = words.get(who)?;
    let is_account = |name: &str| ACCOUNTS.contains(&name) || name.contains('@');
    if let Some((name, value)) = account.text.split_once(['/', ':']) {
        let is_pair = is_account(&name.to_lowercase()) && may_be_of_account(name, value);
        return is_pair.then(|| account.range.end - value.len()..account.range.end);
    }
    let (mark, value) = (words.get(who + 1)?, words.get(who + 2)?);
    let is_list = words.get(who + 3).is_some_and(|next| next.text == "/");
    let is_pair = is_account(&account.lower)
        && mark.text == "/"
        && may_be_of_account(account.text, value.text)
        && !is_list;
    is_pair.then(|| value.range.clone())
}

/// Whether `value` behind an account's name may be its password, not another account (`admin/user`, `staging/production`) or a
/// file. The same word again is the usual first password.
fn may_be_of_account(name: &str, value: &str) -> bool {
    let (name, lower) = (name.to_lowercase(), value.to_lowercase());
    let is_alternative =
        lower != name && (ACCOUNTS.contains(&lower.as_str()) || KINDS_OF_ACCOUNT.contains(&lower.as_str()));
    let is_file = lower.rsplit_once('.').is_some_and(|(_, end)| FILES.contains(&end));
    may_be_value(value) && !is_alternative && !is_file
}

/// Whether a word may be a password, and doesn't say how one is or what is done with it.
fn may_be_value(word: &str) -> bool {
    let lower = word.to_lowercase();
    let is_participle = (lower.ends_with("en") || lower.ends_with('t'))
        && PARTICIPLES.iter().any(|begin| lower.starts_with(begin));
    let says_how = is_participle
        || ENDINGS.iter().any(|end| lower.ends_with(end))
        || lower.split('-').any(|part| STATES.split_ascii_whitespace().any(|state| state == part))
        || GETTING_IN.contains(&lower.as_str())
        || is_prose(word)
        || mentions_password(&lower)
        || names_keeper(&lower);
    word.chars().count() >= MIN_LETTERS
        && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '!' | '#' | '+' | '*'))
        // `****` hides one.
        && word.chars().any(char::is_alphanumeric)
        && !says_how
}

/// Whether a lower-cased word is a name in code for the place where a password is.
fn names_keeper(word: &str) -> bool {
    word.contains(['.', '_']) && word.split(['.', '_']).any(|part| KEEPERS.contains(&part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_of_plain_words_is_hidden_where_somebody_types_it() {
        for (typed, password) in [
            ("my password for the test box is hunter, log in and restart nginx", "hunter"),
            ("das Passwort für den Testserver ist blaubeerkuchen, bitte dort neu starten", "blaubeerkuchen"),
            ("login: admin / correcthorse - please check why the dashboard is empty", "correcthorse"),
            ("the credentials are tester/sommerregen", "sommerregen"),
            ("use pw swordfish for the staging db and run the migration", "swordfish"),
            ("log in with the password swordfish and look", "swordfish"),
            ("le mot de passe du serveur est chouette, redémarre le service", "chouette"),
            ("Mon mot de passe est tulipe.", "tulipe"),
            ("the PIN is 4711", "4711"),
            ("the file is encrypted and the passphrase is opensesame", "opensesame"),
            ("my passphrase is \"opensesame\"\nnow sign the tag", "opensesame"),
            ("the password to db2prod is sesame-street", "sesame-street"),
            ("when you log in the password is swordfish", "swordfish"),
            ("if it asks, my password is swordfish", "swordfish"),
            ("the credentials are admin/summer.rain", "summer.rain"),
        ] {
            let clean = redact_typed(typed);
            assert!(!clean.contains(password), "{clean}");
            assert_eq!(clean, typed.replace(password, TYPED_PASSWORD), "{typed}");
            assert_eq!(redact_typed(&clean), clean, "{typed}");
        }
        assert!(!redact_typed("my password is hunt3r-Xy9, log in").contains("hunt3r"));
    }

    #[test]
    fn what_is_about_passwords_stays() {
        for typed in [
            "my password is wrong, log in again",
            "the password for the admin is missing",
            "the password of the user is checked twice",
            "add a password strength meter to the sign up form",
            "log in with password authentication",
            "log in with the password manager and look",
            "use password hashing at login",
            "the password field on the login page is too small",
            "das Passwort für den Server ist abgelaufen",
            "mein Passwort ist verloren, melde dich neu an",
            "le mot de passe du serveur est oublié",
            "the login is broken",
            "login: google / github",
            "user: admin / editor / viewer are the roles",
            "login: admin / editor / viewer, one for each role",
            "the account is admin/users",
            "GPIO pin is 17",
            "my password is case-sensitive",
            "the password for staging is in the vault",
            "is the password of the mailbox visible?",
            "my password policy is strict, log it",
            "the pw of the lamp is 300 W",
            // How one is, and what would be.
            "my password is longer, so the form fails",
            "the passphrase is hidden",
            "the password for tests is random",
            "the password of the user is bcrypt, not md5",
            "mein Passwort ist egal",
            "sign in when the password is walrus",
            "if my password is walrus",
            "melde den Nutzer ab, wenn das Passwort ist walross",
            "mit Passwort anmelden",
            // Where it is kept, and what hides it.
            "the password for redis is DB_PASS",
            "the password for redis is process.env.DB_PW",
            "my password is config.redis.pass",
            "the password for the user is ****",
            // Accounts, kinds of them and files.
            "credentials: staging/production",
            "login: admin / user",
            "login: user:pass",
            "the credentials are test/prod",
            "creds: dev/credentials.json",
            "login: admin/index.html",
            "",
        ] {
            assert_eq!(redact_typed(typed), typed);
        }
    }
}
