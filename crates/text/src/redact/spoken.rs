//! Secrets in a sentence: `the password of the test user is hunter2!Xy`, `das Passwort lautet …`. Owns the grammar of
//! such a sentence. Remarks about a password are left alone: a value is one word of mixed characters, or of letters in an order
//! that no word has, and ends its clause.

use super::Secret;
use super::prose::{is_prose, names_something};
use super::random::{begins_word, has_random_order, is_mixed};

/// The Polish noun, whose verb may be `to`.
const POLISH: &str = "hasło";

/// The nouns for such a value.
pub(super) const WORDS: &[&str] = &[
    "password",
    "passphrase",
    "passcode",
    "passwd",
    "passwort",
    "kennwort",
    "mot de passe",
    "contraseña",
    "wachtwoord",
    "senha",
    POLISH,
    "hasŁo",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "비밀번호",
];

/// What connects a noun of another script with the value, right behind it: `密码是…`.
const JOINED: &[&str] = &["是", "为", "為", "は", "는", "은"];

/// The fewest bytes of a value behind such a noun: `密码是base64编码的`.
const LEAST_JOINED: usize = 8;

/// What connects the noun with the value.
const TELLING: &[&str] = &["is", "ist", "lautet", "est", "c'est", "c’est", "es", "é", "jest", "war", "was"];
/// The number of words that may be between the name and the verb.
const MAX_BETWEEN: usize = 6;
/// The number of bytes of a sentence that is read.
const MAX_SENTENCE: usize = 200;

/// The value that the sentence gives for the name at `start..end`.
pub(super) fn find(text: &str, start: usize, end: usize, out: &mut Vec<Secret>) -> usize {
    if !text.as_bytes()[start].is_ascii() {
        joined(text, end, out);
        return end;
    }
    let after = text.as_bytes().get(end);
    if !begins_word(text.as_bytes(), start) || !after.is_some_and(u8::is_ascii_whitespace) {
        return end;
    }
    let limit = text.floor_char_boundary(text.len().min(end + MAX_SENTENCE));
    let line = text[end..limit].split(['\n', '\r']).next().unwrap_or_default();
    let mut words = line.split(' ').scan(end, |at, word| {
        let from = *at;
        *at += word.len() + 1;
        Some((from, word))
    });
    // Until the verb; another clause is about something else.
    let tells = words.by_ref().filter(|(_, word)| !word.is_empty()).take(MAX_BETWEEN + 1);
    let mut told = false;
    for (_, word) in tells {
        let is_polish = word == "to" && text[start..end].to_lowercase() == POLISH;
        told = is_polish || TELLING.iter().any(|verb| verb.eq_ignore_ascii_case(word));
        if told || word.ends_with([',', '.', ';', ':', '!', '?']) {
            break;
        }
    }
    if !told {
        return end;
    }
    let Some((mut from, mut value)) = words.find(|(_, word)| !word.is_empty()) else { return end };
    let open = value.len() - value.trim_start_matches(['"', '\'', '`', '“', '„', '(']).len();
    from += open;
    value = &value[open..];
    let ends_clause = words.next().is_none_or(|(_, next)| CONNECTING.contains(&next.to_lowercase().as_str()));
    let bare = value.trim_end_matches(['"', '\'', '`', '”', '“', ')', ',', '.', ';', ':']);
    let is_last = ends_clause || bare.len() < value.len();
    // An exclamation mark may belong to the value, but alone it doesn't make a word a value.
    let is_made_up = is_mixed(bare.trim_end_matches(['!', '?'])) || has_random_order(bare);
    if is_last && is_made_up && !is_prose(bare) && !is_written(bare) {
        out.push(Secret { range: from..from + bare.len(), kind: "password" });
    }
    end
}

/// The value of a sentence whose words have no blanks between them.
fn joined(text: &str, end: usize, out: &mut Vec<Secret>) {
    let rest = &text[end..text.floor_char_boundary(end.saturating_add(MAX_SENTENCE))];
    let Some(told) = JOINED.iter().find_map(|verb| rest.strip_prefix(*verb)) else { return };
    let value = told.trim_start_matches([' ', '"', '\'', '`', '“', '「', '『', ':', '：']);
    let from = end + rest.len() - value.len();
    let length = value.bytes().take_while(u8::is_ascii_graphic).count();
    let bare = value[..length].trim_end_matches(['"', '\'', '`', ')', ',', '.', ';', ':']);
    let is_value = bare.len() >= LEAST_JOINED && is_mixed(bare.trim_end_matches(['!', '?']));
    // `パスワードはusers.password_digest2に…`: where it is.
    let names_it = names_something(bare) && bare.contains(['.', '_']) && bare.contains("password");
    if is_value && !names_it && !is_prose(bare) && !is_written(bare) {
        out.push(Secret { range: from..from + bare.len(), kind: "password" });
    }
}

/// What may follow a value in its sentence.
const CONNECTING: &[&str] = &[
    "and", "but", "for", "on", "in", "at", "so", "und", "aber", "für", "auf", "im", "in", "et", "y", "-",
    "–", "—", "please", "bitte",
];

/// Whether a word is one that people write: a path, an address, a call, a compound such as `sha256-hashed`.
fn is_written(word: &str) -> bool {
    let last = word.rsplit('-').next().unwrap_or(word);
    let described = word.contains('-') && last.len() > 3 && (last.ends_with("ed") || last.ends_with("able"));
    described || word.contains(['/', '(', '<', '{', '$', '[']) || word.contains("::") || word.ends_with("...")
}

#[cfg(test)]
mod tests {
    use crate::redact;

    #[test]
    fn a_password_inside_a_sentence_is_hidden_and_the_sentence_stays() {
        for (told, expected) in [
            ("the admin password is Som4merwind!", "the admin password is [redacted:password]"),
            (
                "the password of the test user is hunt3r-Xy9, use it to log in",
                "the password of the test user is [redacted:password], use it to log in",
            ),
            ("Das Passwort lautet \"Mond7schein+\".", "Das Passwort lautet \"[redacted:password]\"."),
            (
                "My passphrase is correct4horse and the user is bob",
                "My passphrase is [redacted:password] and the user is bob",
            ),
            ("the password for staging is xkqjzvtwpl", "the password for staging is [redacted:password]"),
            ("le mot de passe est Som4merwind", "le mot de passe est [redacted:password]"),
            ("het wachtwoord is Som4merwind.", "het wachtwoord is [redacted:password]."),
            (
                "le mot de passe du serveur c'est tulipe-bleue-8, merci",
                "le mot de passe du serveur c'est [redacted:password], merci",
            ),
            ("a senha do banco é girassol99", "a senha do banco é [redacted:password]"),
            ("Hasło do bazy to Tulipan-33.", "Hasło do bazy to [redacted:password]."),
            ("HASŁO DO BAZY to Tulipan-33.", "HASŁO DO BAZY to [redacted:password]."),
            ("请记住密码是hunter2xy", "请记住密码是[redacted:password]"),
            ("本番のパスワードは「hunter2xy」です", "本番のパスワードは「[redacted:password]」です"),
            ("테스트 비밀번호는 hunter2xy, 기억해 줘", "테스트 비밀번호는 [redacted:password], 기억해 줘"),
        ] {
            assert_eq!(redact(told), expected);
        }
    }

    #[test]
    fn a_sentence_about_a_password_stays() {
        for sentence in [
            "the password is required",
            "das Passwort ist selbstverständlich",
            "the password is in websockets",
            "a senha é obrigatória",
            "hasło to co najmniej 8 znaków",
            "the password to db2prod is in the vault",
            "密码是base64编码的",
            "密码是必填项",
            "パスワードは8文字以上です",
            "the password is correct!",
            "the password is sha256-hashed before it's stored",
            "the password is base64 encoded",
            "the password is in config/db2.toml",
            "the password field is 8px too low",
            "the password is at least 12 characters",
            "the password is {{PASSWORD_2}}",
            "if the password is wrong, error E1234 is shown",
            "the password check is done, the port is 8080tcp",
            "password is None2Some() here",
        ] {
            assert_eq!(redact(sentence), sentence);
        }
    }
}
