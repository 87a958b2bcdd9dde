//! Findings whose place isn't in front of the message: after it (`a.pm: message at line 3, column 9.`), alone on the
//! line above it, in a table below its file's name (`L:  34 | P:  45 | CP02 | message`), or in the name of the
//! documented item (`a.py:docstring of shop.cart:3: …`).

use std::borrow::Cow;

use super::finding::Finding;
use super::messages::{Worded, leading_code, says, trailing_rule};
use super::place::{is_path, place};
use crate::guard::heads_rows;

/// `a.pm: Message at line 3, column 9.  What to do.  (Severity: 4)`.
pub(super) fn behind(line: &str) -> Option<Finding<'_>> {
    let (worded, tail) = line.split_once(" at line ")?;
    let (file, message) = worded.split_once(": ").filter(|(file, _)| is_path(file))?;
    let (number, tail) = figure(tail)?;
    let (column, tail) = figure(tail.strip_prefix(", column ")?)?;
    let rest = tail.strip_prefix('.')?.trim();
    let level = rest.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
    let (rest, severity) = level.filter(|(_, level)| level.starts_with("Severity: ")).unwrap_or((rest, ""));
    let more = Some(rest.trim_end()).filter(|rest| !rest.is_empty()).into_iter().collect();
    let at = Cow::Owned(format!("{number}:{column}"));
    Some(Finding { file, at, severity, rule: "", message, times: 1, more, beside: Vec::new() })
}

/// `  error • message • lib/cart.dart:3:9 • rule` as Flutter prints it, `  error - lib/cart.dart:3:9 - message - rule` as Dart does.
pub(super) fn parted(line: &str) -> Option<Finding<'_>> {
    let line = line.trim();
    let (severity, rest) =
        line.split_once(' ').filter(|(level, _)| matches!(*level, "error" | "warning" | "info"))?;
    let (spot, message, rule) = if let Some(rest) = rest.strip_prefix("• ") {
        let (rest, rule) = rest.rsplit_once(" • ")?;
        let (message, spot) = rest.rsplit_once(" • ")?;
        (spot, message, rule)
    } else {
        let (spot, rest) = rest.strip_prefix("- ")?.split_once(" - ")?;
        let (message, rule) = rest.rsplit_once(" - ")?;
        (spot, message, rule)
    };
    let found = place(spot).filter(|found| found.sign == '\n' && found.at.contains(':'))?;
    let (file, at) = (found.file, found.at);
    let known = !rule.contains(' ') && !message.trim().is_empty();
    known.then(|| Finding {
        file,
        at,
        severity,
        rule,
        message,
        times: 1,
        more: Vec::new(),
        beside: Vec::new(),
    })
}

/// A place with its message on the line below, and how many of the lines behind were used.
pub(super) fn above<'t>(line: &'t str, rest: &[&'t str]) -> Option<(Finding<'t>, usize)> {
    alone(line, rest).or_else(|| owned(line, rest))
}

/// ``src/cart.py:7 in public class `Cart`:`` with `        D400: message` below it, as pydocstyle writes it.
fn owned<'t>(line: &'t str, rest: &[&'t str]) -> Option<(Finding<'t>, usize)> {
    let found = place(line).filter(|found| found.sign == ' ' && !line.starts_with([' ', '\t']))?;
    let owner = found.rest.trim_end().strip_suffix(':')?;
    let below = rest.first().filter(|below| below.starts_with([' ', '\t']))?;
    let (rule, message) = leading_code(below.trim())?;
    let known = ["in ", "at "].iter().any(|word| owner.starts_with(word)) && !message.is_empty();
    let (file, at, severity) = (found.file, found.at, "");
    let more = vec![owner];
    known.then(|| (Finding { file, at, severity, rule, message, times: 1, more, beside: Vec::new() }, 1))
}

/// `src/Cart.svelte:10:1` with `Error: message (ts)` below it: its explanation continues up to a blank line.
fn alone<'t>(line: &'t str, rest: &[&'t str]) -> Option<(Finding<'t>, usize)> {
    let found = place(line).filter(|found| found.sign == '\n' && found.at.contains(':'))?;
    let (message, behind) = rest.split_first()?;
    let worded = says(message);
    if line.starts_with([' ', '\t']) || worded.severity.is_empty() || worded.message.is_empty() {
        return None;
    }
    let more: Vec<&str> =
        behind.iter().copied().take(EXPLAINED).take_while(|line| !line.trim().is_empty()).collect();
    let used = 1 + more.len();
    let Worded { severity, rule, message } = worded;
    let (file, at) = (found.file, found.at);
    Some((Finding { file, at, severity, rule, message, times: 1, more, beside: Vec::new() }, used))
}

/// The maximum number of lines below a message.
const EXPLAINED: usize = 40;

/// The file of `== [views.sql] FAIL`, and of `FILE: src/Cart.php`.
pub(super) fn table_of(line: &str) -> Option<&str> {
    if let Some(file) = line.strip_prefix("FILE: ") {
        return Some(file.trim_end()).filter(|file| is_path(file));
    }
    let inside = line.strip_prefix("== [")?;
    inside.split_once("] ").map(|(file, _)| file).filter(|file| is_path(file))
}

/// Whether a line only draws a table of findings, or counts the rows that follow.
pub(super) fn frames_table(line: &str) -> bool {
    let rule = line.len() >= 10 && line.bytes().all(|byte| byte == b'-');
    rule || heads_rows(line)
}

/// `  12 | ERROR | [x] message` in the table of `file`, with the rule in brackets at its end, and how many of the
/// following lines continue it.
fn levelled_row<'t>(line: &'t str, rest: &[&'t str], file: &'t str) -> Option<(Finding<'t>, usize)> {
    let mut cells = line.splitn(3, " | ").map(str::trim);
    let number =
        cells.next().filter(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))?;
    let severity = cells.next().filter(|level| matches!(*level, "ERROR" | "WARNING"))?;
    let message = cells.next()?;
    let goes_on = |line: &&'t str| -> Option<&'t str> {
        let (number, level_and_text) = line.split_once('|')?;
        let (level, text) = level_and_text.split_once('|')?;
        (number.trim().is_empty() && level.trim().is_empty()).then(|| text.trim())
    };
    let mut more: Vec<&str> = rest.iter().map_while(goes_on).collect();
    let used = more.len();
    let bracketed = |text: &'t str| {
        let (before, rule) = text.strip_suffix(')')?.rsplit_once('(')?;
        (rule.contains('.') && !rule.contains(' ')).then_some((before.trim_end(), rule))
    };
    let mut rule = "";
    let mut worded = message;
    match more.last().copied().or(Some(message)).and_then(bracketed) {
        Some((before, found)) if more.pop().is_some() => {
            rule = found;
            more.extend(Some(before).filter(|before| !before.is_empty()));
        }
        Some((before, found)) => (worded, rule) = (before, found),
        None => {}
    }
    let at = Cow::Borrowed(number);
    Some((Finding { file, at, severity, rule, message: worded, times: 1, more, beside: Vec::new() }, used))
}

/// `L:  34 | P:  45 | CP02 | message [rule]` in the table of `file`, and how many of the following lines continue it.
pub(super) fn table_row<'t>(line: &'t str, rest: &[&'t str], file: &'t str) -> Option<(Finding<'t>, usize)> {
    if let Some(found) = levelled_row(line, rest, file) {
        return Some(found);
    }
    let mut cells = line.splitn(4, " | ").map(str::trim);
    let number = cells.next()?.strip_prefix("L:")?.trim_start();
    let column = cells.next()?.strip_prefix("P:")?.trim_start();
    let (rule, mut message) = (cells.next()?, cells.next()?);
    if ![number, column].iter().all(|figure| figure.bytes().all(|byte| byte.is_ascii_digit())) {
        return None;
    }
    let goes_on = |line: &&&'t str| line.starts_with("    ") && line.trim_start().starts_with("| ");
    let more: Vec<&str> = rest.iter().take_while(goes_on).map(|line| line.trim_start()[2..].trim()).collect();
    let used = more.len();
    // The rule's name at the end means the same as its code.
    message = trailing_rule(message).0;
    let more = more.into_iter().map(|line| trailing_rule(line).0).filter(|line| !line.starts_with('['));
    let at = Cow::Owned(format!("{number}:{column}"));
    let more = more.collect();
    Some((Finding { file, at, severity: "", rule, message, times: 1, more, beside: Vec::new() }, used))
}

/// `a.py:docstring of shop.cart.Cart:3: WARNING: message [rule]`.
pub(super) fn documented(line: &str) -> Option<Finding<'_>> {
    let (file, tail) = line.split_once(":docstring of ").filter(|(file, _)| is_path(file))?;
    let (name, _) = tail.split_once(':')?;
    let (number, rest) = figure(&tail[name.len() + 1..]).unwrap_or(("", &tail[name.len() + 1..]));
    let worded = says(rest.strip_prefix(':')?);
    let at = if number.is_empty() { Cow::Borrowed(name) } else { Cow::Owned(format!("{name}:{number}")) };
    let finding = Finding {
        file,
        at,
        severity: worded.severity,
        rule: worded.rule,
        message: worded.message,
        times: 1,
        more: Vec::new(),
        beside: Vec::new(),
    };
    (!worded.message.is_empty()).then_some(finding)
}

/// The figure that `text` begins with, and the text after it.
fn figure(text: &str) -> Option<(&str, &str)> {
    let end = text.bytes().take_while(u8::is_ascii_digit).count();
    (end > 0).then(|| text.split_at(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::by_file_and_rule;

    #[test]
    fn a_table_row_with_levels_continues_below() {
        let rest = [
            "    |       |     the line",
            "    |       | (Generic.Commenting.DocComment.ContentAfterOpen)",
            " 28 | ERROR | no",
        ];
        let (found, used) =
            table_row(" 25 | ERROR | [x] The open tag must be alone on", &rest, "a.php").expect("a row");
        assert_eq!(
            (&*found.at, found.severity, found.message),
            ("25", "ERROR", "[x] The open tag must be alone on")
        );
        assert_eq!(
            (found.rule, &found.more[..], used),
            ("Generic.Commenting.DocComment.ContentAfterOpen", &["the line"][..], 2)
        );
        let (found, used) =
            table_row(" 3 | WARNING | Line too long (Generic.Files.LineLength)", &[], "a.php")
                .expect("a row");
        assert_eq!((found.rule, found.message, used), ("Generic.Files.LineLength", "Line too long", 0));
        for line in [" a | ERROR | x", " 3 | NOTE | x", "3 | 4 | 5", " 3 | ERROR"] {
            assert_eq!(table_row(line, &[], "a.php"), None, "{line}");
        }
    }

    #[test]
    fn a_place_after_the_message() {
        let line =
            "LWP/Simple.pm: Prototypes used at line 32, column 1.  See page 194 of PBP.  (Severity: 5)";
        let found = behind(line).expect("a finding");
        assert_eq!((found.file, &*found.at, found.message), ("LWP/Simple.pm", "32:1", "Prototypes used"));
        assert_eq!((found.severity, &found.more[..]), ("Severity: 5", &["See page 194 of PBP."][..]));
        for line in ["it fails at line 3, column 1.", "a.pm: stops at line 3.", "a.pm: at line x, column 1."]
        {
            assert_eq!(behind(line), None, "{line}");
        }
    }

    #[test]
    fn a_place_between_level_message_and_rule() {
        for (line, file, at, severity, message) in [
            (
                "   info • Use 'const' for a • b • lib/cart.dart:3:9 • prefer_const",
                "lib/cart.dart",
                "3:9",
                "info",
                "Use 'const' for a • b",
            ),
            (
                "  error - bin/shop.dart:12:7 - Undefined name 'a - b'. - prefer_const",
                "bin/shop.dart",
                "12:7",
                "error",
                "Undefined name 'a - b'.",
            ),
        ] {
            let found = parted(line).expect("a finding");
            assert_eq!((found.file, &*found.at, found.severity), (file, at, severity));
            assert_eq!((found.message, found.rule), (message, "prefer_const"));
        }
        for line in [
            "  error • no place • rule",
            "  error - it broke - badly",
            "info - a.dart:3:9 - told",
            "note • x • a.dart:3:9 • y",
        ] {
            assert_eq!(parted(line), None, "{line}");
        }
    }

    #[test]
    fn a_place_above_the_message() {
        let rest = [
            "Warn: Unused CSS selector \".price\"",
            "https://svelte.dev/e/css (svelte)",
            "",
            "src/b.svelte:1:1",
        ];
        let (found, used) = above("src/Cart.svelte:17:3", &rest).expect("a finding");
        assert_eq!((found.file, &*found.at, found.severity, used), ("src/Cart.svelte", "17:3", "Warn", 2));
        assert_eq!(found.more, ["https://svelte.dev/e/css (svelte)"]);
        assert!(above("src/Cart.svelte:17:3", &["const price = 3"]).is_none());
        assert!(above("src/Cart.svelte", &rest).is_none());
    }

    /// As pydocstyle prints it.
    #[test]
    fn a_message_below_its_subject() {
        let rest =
            ["        D400: First line should end with a period (not 'd')", "src/b.py:1 at module level:"];
        let line = "src/meta.py:7 in public class `Meta`:";
        let (found, used) = above(line, &rest).expect("a finding");
        assert_eq!((found.file, &*found.at, found.rule, used), ("src/meta.py", "7", "D400", 1));
        assert_eq!(found.message, "First line should end with a period (not 'd')");
        assert_eq!(found.more, ["in public class `Meta`"]);
        assert!(above("src/meta.py:7 in public class", &rest).is_none());
        assert!(above(line, &["    total = 1"]).is_none() && above(line, &[]).is_none());
        let text: String = (1..90)
            .flat_map(|n| ["cart", "order"].map(|file| {
                format!("src/{file}.py:{n} in public method `f{n}`:\n        D102: Missing docstring in public method\n")
            }))
            .collect();
        let short = by_file_and_rule(&text, 6_000).expect("a list");
        assert!(short.len() * 2 < text.len() && short.contains("D102"), "{short}");
        for fact in ["src/cart.py", "src/order.py", " 1 `f1`", "89 `f89`"] {
            assert!(short.contains(fact), "{fact}: {short}");
        }
    }

    #[test]
    fn a_table_below_its_file() {
        assert_eq!(table_of("== [views.sql] FAIL"), Some("views.sql"));
        let rest = ["         | 'SELECT'. [layout.indent]", "L:  59 | P:   1 | LT02 | x"];
        let (found, used) =
            table_row("L:  58 | P:   4 | LT02 | Expected indent before", &rest, "views.sql").expect("a row");
        assert_eq!((&*found.at, found.rule, used), ("58:4", "LT02", 1));
        assert_eq!(found.more, ["'SELECT'."]);
    }

    #[test]
    fn a_documented_item_is_a_place() {
        let found =
            documented("src/a.py:docstring of shop.cart.Cart:3: WARNING: target not found: Hook [ref.class]")
                .expect("a finding");
        assert_eq!((found.file, &*found.at, found.rule), ("src/a.py", "shop.cart.Cart:3", "[ref.class]"));
        let found =
            documented("src/a.py:docstring of shop.cart:: WARNING: more than one target").expect("one");
        assert_eq!((&*found.at, found.severity), ("shop.cart", "WARNING"));
    }
}
