//! Whether a word's letters, digits and signs look random, as in keys, or written by someone. Knows no format.

/// Whether a word can begin at `at`: no letter or digit precedes it, except an escape's.
pub(super) fn begins_word(bytes: &[u8], at: usize) -> bool {
    let back = |n: usize| at.checked_sub(n).map(|i| bytes[i]);
    let Some(before) = back(1) else { return true };
    if !before.is_ascii_alphanumeric() && before != b'_' {
        return true;
    }
    let escape = matches!(before, b'n' | b'r' | b't') && back(2) == Some(b'\\');
    let percent =
        before.is_ascii_hexdigit() && back(2).is_some_and(|b| b.is_ascii_hexdigit()) && back(3) == Some(b'%');
    escape || percent || before == b'_'
}

/// Letters of both cases and digits, as in a key that happens to contain dashes close together.
pub(super) fn looks_random_in_parts(text: &str) -> bool {
    text.bytes().filter(u8::is_ascii_digit).count() >= 3
        && text.bytes().filter(u8::is_ascii_uppercase).count() >= 3
        && text.bytes().any(|b| b.is_ascii_lowercase())
}

/// Many letters of both cases or digits, unlike words joined by dashes.
pub(super) fn looks_random(text: &str) -> bool {
    let body = text.rsplit(['-', '_']).max_by_key(|part| part.len()).unwrap_or(text);
    let digits = body.bytes().filter(u8::is_ascii_digit).count();
    let upper = body.bytes().any(|b| b.is_ascii_uppercase());
    let lower = body.bytes().any(|b| b.is_ascii_lowercase());
    body.len() >= 12 && (digits >= 2 && (upper || lower) || upper && lower && digits >= 1)
}

/// Letters with a digit or a sign among them.
pub(super) fn is_mixed(value: &str) -> bool {
    let letter = value.chars().any(char::is_alphabetic);
    let digit = value.bytes().any(|b| b.is_ascii_digit());
    let sign = value.bytes().any(|b| {
        matches!(b, b'!' | b'@' | b'#' | b'%' | b'^' | b'*' | b'+' | b'=' | b'$' | b'&' | b'?' | b'~')
    });
    letter && (digit || sign) && value.len() >= 5
}

/// Words of names in code. Sixteen letters that a program chose have one of them once in 500 times.
const NAMING: [&str; 8] = ["key", "token", "secret", "passw", "auth", "cred", "value", "from"];

/// Only letters, of both cases, which change too often for words that are joined into a name: `getUserById` has fewer capitals,
/// `XMLHTTPRequest` fewer changes, and `MyAPIKeyFromEnvVar` has a name's words.
pub(super) fn changes_case_at_random(value: &str) -> bool {
    let bytes = value.as_bytes();
    let upper = bytes.iter().filter(|b| b.is_ascii_uppercase()).count();
    let changes = bytes.windows(2).filter(|w| w[0].is_ascii_uppercase() != w[1].is_ascii_uppercase()).count();
    let is_share = |count: usize| count * 10 >= bytes.len() * 3;
    bytes.len() >= 12
        && bytes.iter().all(u8::is_ascii_alphabetic)
        && is_share(upper)
        && is_share(bytes.len() - upper)
        && is_share(changes)
        && !NAMING.iter().any(|word| value.to_ascii_lowercase().contains(word))
}

/// Only letters, with capitals in no order that names have.
pub(super) fn has_random_letters(value: &str) -> bool {
    let bytes = value.as_bytes();
    let alone = bytes.windows(3).filter(|w| {
        w[0].is_ascii_uppercase() != w[1].is_ascii_uppercase()
            && w[1].is_ascii_uppercase() != w[2].is_ascii_uppercase()
    });
    bytes.iter().all(u8::is_ascii_alphabetic) && alone.count() * 4 >= bytes.len()
}

/// The fewest letters of a word whose order tells that a program chose them.
const MIN_LETTERS: usize = 8;
/// So many consonants in a row are in no word, once those that are one sound count as one.
const MANY_CONSONANTS: usize = 5;

/// Only small letters, in an order that no English, German or Dutch word has: `xkqjzvtwpl`, and neither `xxxxxxxx` nor a part of
/// the alphabet. Two words in one have one such pair where they meet: `werkzeugbox`.
pub(super) fn has_random_order(value: &str) -> bool {
    const ALPHABET: &str = "abcdefghijklmnopqrstuvwxyz";
    let is_made_up = value.len() >= MIN_LETTERS && value.bytes().all(|b| b.is_ascii_lowercase());
    let letters = ALPHABET.chars().filter(|letter| value.contains(*letter)).count();
    if !is_made_up || letters * 2 <= value.len().min(ALPHABET.len()) || ALPHABET.contains(value) {
        return false;
    }
    // The Dutch `ij` is one letter.
    let word = value.replace("ij", "y");
    let pairs = word.as_bytes().windows(2).filter(|pair| is_rare_pair(pair[0], pair[1])).count();
    let sounds = word.replace("sch", "s").replace("ch", "c").replace("ck", "k");
    let longest = sounds.split(['a', 'e', 'i', 'o', 'u', 'y']).map(str::len).max().unwrap_or_default();
    pairs + usize::from(longest >= MANY_CONSONANTS) > 1
}

/// Whether two letters hardly ever follow each other within a word.
fn is_rare_pair(first: u8, second: u8) -> bool {
    let behind: &[u8] = match first {
        b'q' => return second != b'u',
        b'j' => return !b"aeiouy".contains(&second),
        b'x' => b"bdfgjknrsvwxz",
        b'v' => b"bcdfghjkmpqtvwxz",
        b'z' => b"cfgjmnpqrvx",
        b'w' => b"cgjmpqvwxz",
        b'c' => b"bdfgjpvwx",
        _ => b"",
    };
    let before: &[u8] = match second {
        b'q' => b"bfghjklmpqtvwxzy",
        b'j' => b"cfghjmpqvwxz",
        b'x' => b"bcdfghjkmpqstvwxz",
        b'v' => b"bcfhjmpqvwxz",
        b'z' => b"bcfghjkmpqvwx",
        b'w' => b"cjqvwx",
        _ => b"",
    };
    behind.contains(&second) || before.contains(&first)
}

#[cfg(test)]
mod tests {
    use super::{changes_case_at_random, has_random_order};

    #[test]
    fn small_letters_in_an_order_of_no_word_are_told_from_words() {
        for made_up in ["xkqjzvtwpl", "qwxzkjtv", "bvzqhxkmrt"] {
            assert!(has_random_order(made_up), "{made_up}");
        }
        for word in [
            "rechtschreibung",
            "angstschweiss",
            "werkzeugbox",
            "netzwerkzugriff",
            "postgresql",
            "websockets",
            "vncpassword",
            "sommerregen",
            "headquarter",
            "tijdelijk",
            "xxxxxxxx",
            "abcdefghijklmnop",
            "qwxzkj",
            "QwXzKjTv",
            "",
        ] {
            assert!(!has_random_order(word), "{word}");
        }
    }

    #[test]
    fn letters_that_a_program_chose_are_told_from_joined_words() {
        for made_up in ["QwZrTxUkLpAs", "kKxvBNnmQwjPzz", "aBcXYzQrStUvWw"] {
            assert!(changes_case_at_random(made_up), "{made_up}");
        }
        for name in [
            "getUserByIdOrName",
            "XMLHTTPRequest",
            "OAuthJWTToken",
            "MyAPIKeyFromEnvVar",
            "REQUIRED_IN_FORM",
            "ALLCAPITALSHERE",
            "harbourlemonade",
            "QwZrTx1kLpAs",
            "QwZrTx",
        ] {
            assert!(!changes_case_at_random(name), "{name}");
        }
    }
}
