//! Values that follow a secret's name without a sign between: as the next argument of a call, in a sentence, in a
//! table's next column. Owns how much such a value must look like a secret.

use super::prose::{is_prose, names_something};
use super::random::{has_random_letters, is_mixed, looks_random};

/// `define('DB_PASSWORD', '…')`, `map.put("token", "…")`; a list of names has words in such places.
pub(super) fn as_argument(value: &str, is_password: bool) -> bool {
    let is_place = value.rsplit_once(':').is_some_and(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()));
    let letters: String = value.chars().filter(char::is_ascii_alphabetic).collect();
    let is_name = names_something(value) && !(value.len() >= 20 && has_random_letters(&letters));
    if value.contains(char::is_whitespace) || is_name || is_place {
        return false;
    }
    if is_password {
        value.len() >= 6 && is_mixed(value) && !is_prose(value)
    } else {
        value.len() >= 16 && looks_random(value)
    }
}

/// A value of a sentence, which must look like one: words follow `is`, too.
pub(super) fn in_a_sentence(value: &str, is_password: bool) -> bool {
    let any = |of: fn(&u8) -> bool| value.bytes().any(|b| of(&b));
    let kinds = usize::from(any(u8::is_ascii_lowercase))
        + usize::from(any(u8::is_ascii_uppercase))
        + usize::from(any(u8::is_ascii_digit))
        + usize::from(value.contains(['!', '@', '#', '%', '^', '*', '+', '$', '&', '?', '~']));
    if value.contains(char::is_whitespace) || names_something(value) || !any(u8::is_ascii_digit) {
        return false;
    }
    if is_password {
        value.len() >= 8 && kinds >= 3 && !value.contains(['/', '(', '='])
    } else {
        value.len() >= 20 && kinds >= 3 && looks_random(value) && !value.contains(['/', '(', '.'])
    }
}
