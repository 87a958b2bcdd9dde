//! Values that aren't secrets, whatever their name says: paths, patterns, words of other scripts, keys of caches and tables.
//! Knows no placeholders: `placeholder` does.

/// Signs that passwords have and paths don't.
const NOT_IN_PATHS: [char; 9] = ['!', '#', '^', '&', '|', ';', '?', '"', '`'];

/// How long a hash key is that signs cookies; a table's is a column's name.
const SIGNING_KEY: usize = 32;

/// A file's path: where a secret is, not what it is. `word` is the last one of the value's name.
pub(super) fn is_path(value: &str, word: &str, is_password: bool) -> bool {
    if is_password && value.contains(NOT_IN_PATHS) {
        return false;
    }
    let drive = value.as_bytes().get(1..3);
    let is_absolute = value.starts_with(['/', '~', '\\']) || matches!(drive, Some(b":\\" | b":/"));
    if word.ends_with("pwd") && is_absolute {
        return true;
    }
    let rooted = value.starts_with('/') && value[1..].contains('/')
        || value.starts_with("./")
        || value.starts_with("~/")
        || value.starts_with("../");
    rooted
        && !value.contains(['+', '='])
        && !value.split('/').any(|part| super::random::looks_random(part) && part.len() >= 16)
}

/// A regular expression: what a token looks like, and none itself. It has a group, or a class of signs that is a range or
/// repeated. `[^` alone is in one of 400 passwords that a program made.
pub(super) fn is_pattern(value: &str) -> bool {
    let is_class = |open: usize| {
        let Some((class, next)) = value[open + 1..].split_once(']') else { return false };
        ["a-z", "A-Z", "0-9"].iter().any(|range| class.contains(range))
            || class.starts_with('^') && next.starts_with(['+', '*', '{'])
    };
    value.contains("(?:") || value.match_indices('[').any(|(open, _)| is_class(open))
}

/// A text in Chinese, Japanese or Korean, such as a form's: nobody types those as a password. A number, a name or a short word of
/// code may be in it: `MD5加密`. A password may be before it or in it.
pub(super) fn is_in_other_script(value: &str) -> bool {
    let is_other =
        |c: char| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}');
    if !value.contains(is_other) {
        return false;
    }
    let is_plain = !value.bytes().any(|b| b.is_ascii_alphabetic())
        && value.bytes().filter(u8::is_ascii_digit).count() <= 3;
    // Behind a sign, such as a parenthesis, what follows is a remark.
    let is_joined = value.trim_start_matches(|c: char| c.is_ascii_graphic()).starts_with(is_other);
    is_plain || is_joined && !value.split(|c: char| !c.is_ascii_graphic()).any(is_made_up)
}

/// Whether letters, digits and signs between words of another script are a password's: `hunter22请保密`. Algorithms and variables
/// there have capitals only or are short: `RSA2048`, `base64`. A year or a clause's number has fewer digits.
fn is_made_up(run: &str) -> bool {
    const LONG: usize = 10;
    const SHORT: usize = 7;
    const DIGITS: usize = 6;
    let digits = run.bytes().filter(u8::is_ascii_digit).count();
    run.len() >= LONG && super::random::is_mixed(run)
        || run.len() >= SHORT && digits > 0 && run.bytes().any(|b| b.is_ascii_lowercase())
        || digits >= DIGITS
}

/// A length or a size, such as a style's or a picture's: `12.5rem`, `1920x1080`.
pub(super) fn is_measure(value: &str) -> bool {
    const UNITS: [&str; 13] = ["px", "rem", "em", "vw", "vh", "pt", "ch", "fr", "mm", "cm", "ms", "deg", "%"];
    let is_number =
        |text: &str| (1..=8).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let unit = value.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let is_size = value.split_once('x').is_some_and(|(width, height)| is_number(width) && is_number(height));
    is_size || UNITS.contains(&unit) && is_number(&value[..value.len() - unit.len()])
}

/// Names of keys that aren't secrets. A long value of a hash key is one.
pub(super) fn names_no_secret(name: &str, value: &str) -> bool {
    let signs = name.strip_suffix("HASH_KEY").filter(|_| signs_cookies(value));
    let name = signs.unwrap_or(name);
    [
        "CACHE",
        "PUBLIC",
        "PRIMARY",
        "FOREIGN",
        "SORT",
        "PARTITION",
        "REGISTRY",
        "HOT",
        "IDEMPOTENCY",
        "HASH",
        "INDEX",
        "OBJECT",
        "LOOKUP",
        "HKEY",
    ]
    .iter()
    .any(|word| name.contains(word))
}

/// Whether a hash key's value is long enough to sign with.
pub(super) fn signs_cookies(value: &str) -> bool {
    value.len() >= SIGNING_KEY && super::random::looks_random(value)
}

#[cfg(test)]
mod tests {
    use super::is_in_other_script;

    #[test]
    fn a_password_beside_another_script_is_told_from_names_and_numbers_in_it() {
        for text in [
            "请输入8位密码",
            "MD5加密",
            "base64编码",
            "环境变量DB_PASS2",
            "必须包含A-Z和0-9",
            "2024年更新",
            "8자이상",
        ] {
            assert!(is_in_other_script(text), "{text}");
        }
        for password in [
            "hunter22请保密",
            "Som4merw默认",
            "geheim12は本番用",
            "中文Pass1234",
            "密码123456",
            "hunter2",
            "Xy7（默认）",
        ] {
            assert!(!is_in_other_script(password), "{password}");
        }
    }
}
