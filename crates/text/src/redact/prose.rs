//! Tells text about a password from a password itself. Owns the words for it.

use super::random::is_mixed;

/// Words about a password.
const SAYS: &str = "\
    password passwords passphrase passwort passe contraseña wachtwoord must enter please required \
    invalid characters character field forgot incorrect wrong login confirm reset change missing empty \
    expired token tokens short long weak strong match matches at least should cannot can't is are was \
    not option flag argument parameter value with from that when instead for requires or if which to and \
    the in new old show hide visible authentication failed string secret key a an of via this will has \
    been on by as it your type using used use only \
    erforderlich benötigt vergessen falsch ungültig fehlt eingeben bestätigen ändern anzeigen \
    verplicht vereist ongeldig vergeten onjuist nodig invoeren \
    hasło wymagane zapomniane nieprawidłowe błędne zmień \
    requerida obligatoria olvidada incorrecta obrigatória obrigatoria esquecida incorreta requis obligatoire oublié";

/// Words of eight letters and more about a password in the middle of a sentence.
const PASSWORD_WORDS: &str = "\
    accepted anything automatically automatic changed checking checked choosing complete compromised \
    configured database disabled encrypted environment everything expected generate generated generator \
    hashing identical incomplete management manager matching maximum minimum nothing plaintext policies \
    possible protected protection provided recovery rejected remember security sensitive settings \
    somebody someone something standard strength supplied supported temporary therefore unchanged \
    unsupported username validate validation verification whatever whenever wherever whether without \
    ausschliesslich automatisch eingegeben festgelegt festlegen generieren generiert gespeichert hinterlegen \
    hinterlegt identisch jederzeit mindestens notwendig unbekannt verpflichtend verwenden verwendet weiterhin \
    wiederholen facultatif identique invalide suffisamment temporaire uniquement maximaal minimaal onbekend \
    optioneel opgeslagen tijdelijk versleuteld wijzigen";

/// Several words that aren't addressed to a page's reader.
pub(super) fn is_phrase(value: &str) -> bool {
    let words: Vec<&str> = value.split_whitespace().collect();
    let code = value.contains(['(', '{', '<', '|', '=']);
    !code
        && !is_prose(value)
        && words.len() >= 2
        && (words.len() >= 3 || is_mixed(value))
        && words.len() <= 12
}

/// Whether `value` is about a password: "Enter your password", `wrong/missing`.
pub(super) fn is_prose(value: &str) -> bool {
    (value.contains(char::is_whitespace) || is_made_of_letters(value))
        && value
            .split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '-')
            .any(|word| !word.is_empty() && among(SAYS, &word.to_lowercase()))
}

/// Whether `value`, a word without blanks, consists only of what words and names are made of. A password may contain the letters
/// of `is` between signs.
fn is_made_of_letters(value: &str) -> bool {
    value
        .trim_start_matches(['(', '[', '¿', '¡'])
        .trim_end_matches(|c: char| c.is_ascii_punctuation() || matches!(c, '…' | '。'))
        .split(['-', '_', '.', '/', ':', ',', '\'', '’'])
        .all(|part| part.chars().all(char::is_alphabetic) || part.chars().all(char::is_numeric))
}

/// Whether one of the words in `value` is about passwords.
pub(super) fn mentions_password(value: &str) -> bool {
    value.split('-').any(|word| among(PASSWORD_WORDS, word))
}

fn among(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|known| known == word)
}

/// Dotted or plain identifiers, as in code.
pub(super) fn names_something(value: &str) -> bool {
    value.split(['.', ':']).all(|part| {
        let mut bytes = part.bytes();
        bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
            && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
            && part.bytes().filter(u8::is_ascii_digit).count() <= 2
    })
}

#[cfg(test)]
mod tests {
    use super::is_prose;

    #[test]
    fn a_word_between_signs_is_not_a_sentence() {
        for printed in [
            "Enter your password",
            "Password must be at least 8 characters long!",
            "wrong/missing",
            "required?",
            "¿contraseña?",
            "can't",
        ] {
            assert!(is_prose(printed), "{printed}");
        }
        for secret in ["SZXY^is+X8i", "a+to=Q9", "x8i-is", "4to%at#2", "on@the_7b", "hunter2"] {
            assert!(!is_prose(secret), "{secret}");
        }
    }
}
