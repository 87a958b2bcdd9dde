//! PHPStan's tables, one for each file: `  Line   src/Cart.php` between two rulers, and below it the number of a line
//! with its message, which continues under it, the identifier after 🪪 and a tip after 💡. Owns the lines of such a
//! table.

use std::borrow::Cow;

use super::finding::Finding;
use super::place::is_path;

/// The maximum number of continuation lines of a message.
const MORE: usize = 40;
/// The indentation of a message.
const COLUMN: &str = "         ";
const IDENTIFIER: &str = "🪪";

/// The file of `  Line   src/Cart.php (in context of class Shop\Cart)`.
pub(super) fn file_of(line: &str) -> Option<&str> {
    let name = line.strip_prefix("  Line   ")?.trim();
    let name = name.split(" (in context of ").next().unwrap_or(name);
    Some(name).filter(|name| is_path(name))
}

/// ` ------ ----------------`.
pub(super) fn is_ruler(line: &str) -> bool {
    let dashes = line.strip_prefix(" ------ ").map(str::trim_end);
    dashes.is_some_and(|dashes| dashes.len() >= 10 && dashes.bytes().all(|byte| byte == b'-'))
}

/// `  12     message` in the table of `file`, and how many of the following lines continue it.
pub(super) fn table_line<'t>(line: &'t str, rest: &[&'t str], file: &'t str) -> Option<(Finding<'t>, usize)> {
    let cell = line.strip_prefix("  ")?;
    let cell = cell.strip_prefix(':').unwrap_or(cell);
    let digits = cell.bytes().take_while(u8::is_ascii_digit).count();
    let (number, message) = cell.split_at(digits);
    if number.is_empty() || !message.starts_with(' ') || message.trim().is_empty() {
        return None;
    }
    let goes_on = |line: &&&'t str| line.starts_with(COLUMN) && !line.trim().is_empty();
    let below: Vec<&'t str> = rest.iter().take(MORE).take_while(goes_on).map(|line| line.trim()).collect();
    let used = below.len();
    let rule = below.iter().find_map(|line| line.strip_prefix(IDENTIFIER)).unwrap_or_default().trim();
    let more = below.into_iter().filter(|line| !line.starts_with(IDENTIFIER)).collect();
    let (at, message) = (Cow::Borrowed(number), message.trim());
    let beside = Vec::new();
    Some((Finding { file, at, severity: "", rule, message, times: 1, more, beside }, used))
}

#[cfg(test)]
mod tests {
    use super::{file_of, is_ruler, table_line};

    #[test]
    fn a_message_continues_up_to_its_identifier_and_tips() {
        let rest = [
            "         given.",
            "         🪪  argument.type",
            "         💡 Learn more: https://phpstan.org/blog",
            "  91     Call to an undefined method.",
        ];
        let (found, used) =
            table_line("  90     Parameter #1 $jar expects int, string", &rest, "src/Cart.php")
                .expect("a row");
        assert_eq!((found.file, &*found.at, found.rule, used), ("src/Cart.php", "90", "argument.type", 3));
        assert_eq!(found.message, "Parameter #1 $jar expects int, string");
        assert_eq!(found.more, ["given.", "💡 Learn more: https://phpstan.org/blog"]);
        let (found, used) = table_line("  :7     Syntax error", &[], "src/Cart.php").expect("a row");
        assert_eq!((&*found.at, found.rule, used), ("7", "", 0));
        for line in ["         given.", "  12:3   error", "  12", "12     message"] {
            assert!(table_line(line, &[], "src/Cart.php").is_none(), "{line}");
        }
    }

    #[test]
    fn a_table_is_recognised_by_its_header() {
        assert_eq!(file_of("  Line   src/Cart.php"), Some("src/Cart.php"));
        assert_eq!(file_of("  Line   src/Adds.php (in context of class Shop\\Cart)"), Some("src/Adds.php"));
        assert_eq!(file_of("  Line   of words"), None);
        assert!(is_ruler(" ------ ----------------------") && !is_ruler("------------------"));
    }
}
