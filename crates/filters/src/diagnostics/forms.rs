//! The forms of lines in which tools print a finding: with its place in front, in a row below its file, with its
//! place on the next line. Owns distinguishing them from other lines; `messages` reads a finding's words.

use std::borrow::Cow;

use super::finding::Finding;
use super::messages::{Worded, is_rule, leading_code, says, severity, trailing_rule};
use super::place::{is_path, place};
use super::project::unnumbered;

/// A line that begins with its place; whether its frame of source is set apart by blank lines.
pub(super) fn at_place(line: &str) -> Option<(Finding<'_>, bool)> {
    let (line, times) = repeated(line);
    let trimmed = unnumbered(line).trim_start();
    let (prefix, rest) = level_before(trimmed);
    let found = place(rest)?;
    if found.sign == '\n' {
        return None;
    }
    let mut printed = says(found.rest);
    if printed.severity.is_empty() {
        printed.severity = prefix;
    }
    let plain = printed.severity.is_empty() && printed.rule.is_empty();
    // With a blank after its place, a line is a finding only if a level or a rule follows; a frame of a trace never is.
    if plain && found.sign != ':' || printed.message.is_empty() || trimmed.starts_with("at ") {
        return None;
    }
    // An indented line without a level or rule belongs to something else.
    if plain && trimmed.len() < line.len() {
        return None;
    }
    let finding = Finding {
        file: found.file,
        at: found.at,
        severity: printed.severity,
        rule: printed.rule,
        message: printed.message,
        times,
        more: Vec::new(),
        beside: Vec::new(),
    };
    Some((finding, found.sign == '-'))
}

/// The line without its repeat mark, and that number.
fn repeated(line: &str) -> (&str, usize) {
    let marked = line.strip_suffix(']').and_then(|line| line.rsplit_once("  [×"));
    let counted = marked.and_then(|(line, times)| Some((line, times.parse().ok()?)));
    counted.unwrap_or((line, 1))
}

/// `[ERROR] `, `ERROR: `, `e: ` before a path.
fn level_before(line: &str) -> (&str, &str) {
    for (before, level) in [
        ("[ERROR] ", "ERROR"),
        ("[WARNING] ", "WARNING"),
        ("[WARN] ", "WARN"),
        ("[INFO] ", "INFO"),
        ("ERROR: ", "ERROR"),
        ("WARNING: ", "WARNING"),
        ("error: ", "error"),
        ("warning: ", "warning"),
        ("e: ", "e"),
        ("w: ", "w"),
    ] {
        if let Some(rest) = line.strip_prefix(before) {
            return (level, rest);
        }
    }
    ("", line)
}

/// `  3:9  error  message  rule`, or `  3:9 E501 message`, under the name of `file`; Next.js prints `3:9  Error: message  rule`.
pub(super) fn row<'t>(line: &'t str, file: &'t str) -> Option<Finding<'t>> {
    let (line, times) = repeated(line);
    let trimmed = line.trim_start();
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(trimmed);
    if end == 0 {
        return None;
    }
    if trimmed.as_bytes().get(end) == Some(&b':') {
        end += 1 + digits(&trimmed[end + 1..]);
    }
    let (at, rest) = trimmed.split_at(end);
    let levelled = || at.contains(':') && (rest.starts_with("  Error: ") || rest.starts_with("  Warning: "));
    let begins_row = trimmed.len() < line.len() || levelled();
    if !begins_row || !rest.starts_with([' ', '\t']) || at.ends_with(':') {
        return None;
    }
    let rest = rest.trim();
    let alone = || level_alone(rest).filter(|_| at.contains(':'));
    let Some((severity, rest)) = severity(rest).or_else(alone) else {
        // Without a level, a code identifies a finding.
        let (rule, message) = leading_code(rest).filter(|_| at.contains(':'))?;
        let (at, more, beside) = (Cow::Borrowed(at), Vec::new(), Vec::new());
        let found = Finding { file, at, severity: "", rule, message, times, more, beside };
        return (!message.is_empty()).then_some(found);
    };
    let rest = rest.trim();
    let rest = rest.strip_prefix(": ").map_or(rest, str::trim_start);
    let (message, rule) = rule_first(rest).unwrap_or_else(|| match rest.rsplit_once("  ") {
        Some((message, rule)) if !rule.contains(' ') => (message.trim_end(), rule),
        _ => trailing_rule(rest),
    });
    let at = Cow::Borrowed(at);
    (!message.is_empty()).then(|| Finding {
        file,
        at,
        severity,
        rule,
        message,
        times,
        more: Vec::new(),
        beside: Vec::new(),
    })
}

/// `warning` and one blank, whatever the message begins with: below a file's name and after a place nothing else has
/// this form, and a missed finding would become part of the one above.
fn level_alone(text: &str) -> Option<(&str, &str)> {
    let end = text.find(' ')?;
    matches!(&text[..end], "error" | "warning" | "warn" | "info" | "hint").then(|| text.split_at(end))
}

/// `operation-tags  message  paths./orders.get` behind a level, as linters of API descriptions write it: message and rule.
fn rule_first(text: &str) -> Option<(&str, &str)> {
    let (rule, message) = text.split_once("  ")?;
    let sign = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-$/_".contains(&byte);
    let message = message.trim_start();
    // A rule behind a message of one word has no blank in it.
    (rule.contains('-') && rule.bytes().all(sign) && message.contains(' ')).then_some((message, rule))
}

/// `error[E0308]: message` or `F821 message`, with `--> path:3:9` on the line behind.
pub(super) fn arrow<'t>(line: &'t str, next: &'t str) -> Option<Finding<'t>> {
    let path = next.trim_start();
    let path = path.strip_prefix("--> ").or_else(|| path.strip_prefix("┌─ "))?;
    let found = place(path.trim_end()).filter(|found| found.sign == '\n')?;
    let printed = says(line);
    let printed = match by_rule_name(line) {
        Some(named) if printed.severity.is_empty() => named,
        _ => printed,
    };
    if line.starts_with([' ', '\t', '=', '|']) || printed.severity.is_empty() && printed.rule.is_empty() {
        return None;
    }
    let (Worded { severity, rule, message }, times) = (printed, 1);
    let (file, at) = (found.file, found.at);
    (!message.is_empty()).then(|| Finding {
        file,
        at,
        severity,
        rule,
        message,
        times,
        more: Vec::new(),
        beside: Vec::new(),
    })
}

/// `undocumented-public-method: message`, as linters write it that know their rules by names.
fn by_rule_name(line: &str) -> Option<Worded<'_>> {
    let (rule, message) = line.split_once(": ")?;
    let is_name = rule.starts_with(|c: char| c.is_ascii_lowercase())
        && rule.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    is_name.then(|| Worded { severity: "", rule, message: message.trim_start() })
}

/// `  ⚠ plugin(rule): message` with `╭─[path:3:9]` below it, and how many of the following lines were used: such a
/// message may continue after a bar.
pub(super) fn boxed<'t>(line: &'t str, rest: &[&'t str]) -> Option<(Finding<'t>, usize)> {
    let bar = |line: &&str| line.trim_start().starts_with(['│', '|']);
    let goes_on = rest.iter().take(WRAPPED).take_while(|line| bar(line)).count();
    let place_line = rest.get(goes_on)?.trim();
    let inside = [",-[", "╭─[", "┌─["].iter().find_map(|open| place_line.strip_prefix(open))?;
    let found = place(inside.strip_suffix(']')?).filter(|found| found.sign == '\n')?;
    let (severity, words) = marked_words(line)?;
    let (rule, message) = match words.split_once("): ") {
        // `plugin(rule): message`.
        Some((before, message)) if is_rule_of(before) => (words.get(..=before.len())?, message),
        _ => {
            let printed = says(words);
            (printed.rule, printed.message)
        }
    };
    let more = rest.get(..goes_on)?.iter().map(|line| line.trim()).collect();
    let (file, at) = (found.file, found.at);
    (!message.is_empty()).then(|| {
        (Finding { file, at, severity, rule, message, times: 1, more, beside: Vec::new() }, goes_on + 1)
    })
}

/// `path:3:9 lint/group/rule  FIXABLE` with its message on a line below, and how many of the lines behind were used.
pub(super) fn ruled<'t>(line: &'t str, rest: &[&'t str]) -> Option<(Finding<'t>, usize)> {
    let found = place(line).filter(|found| found.sign == ' ' && !line.starts_with([' ', '\t']))?;
    let rule = found.rest.split_whitespace().next().filter(|word| word.contains('/') && is_rule(word))?;
    let state = found.rest.get(rule.len()..)?.trim_matches([' ', '━']);
    let blank = rest.iter().take_while(|line| line.trim().is_empty()).count();
    let (severity, message) = marked_words(rest.get(blank)?)?;
    let known = state.bytes().all(|byte| byte.is_ascii_uppercase()) && !message.is_empty() && blank < 3;
    let more = Some(state).filter(|state| !state.is_empty()).into_iter().collect();
    let (file, at) = (found.file, found.at);
    known.then(|| {
        (Finding { file, at, severity, rule, message, times: 1, more, beside: Vec::new() }, blank + 1)
    })
}

/// The severity that a sign at the beginning of a line means, and the words after it.
fn marked_words(line: &str) -> Option<(&'static str, &str)> {
    let words = line.trim_start();
    [
        ("⚠", "warning"),
        ("!", "warning"),
        ("×", "error"),
        ("✖", "error"),
        ("x", "error"),
        ("☞", "advice"),
        (">", "advice"),
        ("ℹ", "info"),
        ("i", "info"),
    ]
    .into_iter()
    .find_map(|(mark, severity)| Some((severity, words.strip_prefix(mark)?.strip_prefix(' ')?.trim())))
}

/// `plugin(rule`.
fn is_rule_of(text: &str) -> bool {
    let known = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"@/_-".contains(&byte))
    };
    text.split_once('(').is_some_and(|(plugin, rule)| known(plugin) && known(rule))
}

/// Lines on which a message may continue, and the longest of them, in bytes.
const WRAPPED: usize = 6;
const WIDTH: usize = 160;

/// The rule at the end of a message that continues over the next lines (`message`, `[rule]`), and how many lines that
/// are.
pub(super) fn wrapped<'t>(rest: &[&'t str]) -> Option<(&'t str, usize)> {
    for (at, line) in rest.iter().copied().take(WRAPPED).enumerate() {
        // A rule that doesn't fit behind its message has the blank before it in its own line.
        let line = line.strip_prefix(' ').filter(|line| line.starts_with('[')).unwrap_or(line).trim_end();
        if line.is_empty() || line.starts_with([' ', '\t']) || line.len() > WIDTH || at_place(line).is_some()
        {
            return None;
        }
        let alone = line.starts_with('[') && line.ends_with(']');
        let rule = if alone { line } else { trailing_rule(line).1 };
        // Other tools end other lines with options and numbers in brackets.
        let word = |rule: &&str| {
            let inside = rule.strip_prefix('[').and_then(|rule| rule.strip_suffix(']'));
            inside.is_some_and(|rule| {
                is_rule(rule) && rule.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
            })
        };
        if let Some(rule) = Some(rule).filter(word) {
            return Some((rule, at + 1));
        }
    }
    None
}

/// `src/cart.py: note: In member "total" of class "Cart":` above findings, as type checkers for Python write it. The
/// findings' own lines contain the same.
pub(super) fn is_scope(line: &str) -> bool {
    let Some((file, scope)) = line.trim_end().split_once(": note: ") else { return false };
    let named =
        ["In function \"", "In member \"", "In class \""].iter().any(|scoped| scope.starts_with(scoped));
    scope.ends_with(':') && (named || scope == "At top level:") && is_path(file)
}

/// `        ^~~~`.
pub(super) fn is_caret(line: &str) -> bool {
    let marks = line.trim();
    marks.contains('^') && marks.chars().all(|c| "^~-.| ".contains(c))
}

/// The file that `src/cart.js` names when it's alone on a line, or `src/cart.py:` above rows.
pub(super) fn heading_of(line: &str) -> Option<&str> {
    let name = line.trim_end();
    let file = name.strip_suffix(':').unwrap_or(name);
    let alone = !line.starts_with([' ', '\t']) && line.len() < 300 && !file.ends_with(['.', ':', ',']);
    (alone && is_path(file)).then_some(file)
}

#[cfg(test)]
mod tests {
    use super::{arrow, at_place, row};
    use crate::diagnostics::by_file_and_rule;

    /// As Maven prints what the compiler found in several modules.
    #[test]
    fn errors_of_several_modules_keep_every_place_of_each() {
        let (found, _) = at_place("[WARNING] /srv/shop/Cart.java:[4,7] [deprecation] x is old").unwrap();
        assert_eq!((found.file, &*found.at, found.severity), ("/srv/shop/Cart.java", "4:7", "WARNING"));
        let mut text = String::new();
        for module in ["api", "core", "web"] {
            text.push_str(&format!("[INFO] Building {module} 0.1.0\n[ERROR] COMPILATION ERROR :\n"));
            for n in 0..30 {
                text.push_str(&format!(
                    "[ERROR] /srv/shop/{module}/src/main/java/Cart.java:[{},{}] cannot find symbol\n  symbol:   variable rate{n}\n  location: class Cart\n",
                    n * 3 + 100,
                    n + 7
                ));
            }
            text.push_str("[INFO] 30 errors\n");
        }
        let short = by_file_and_rule(&text, 24_000).unwrap();
        assert!(short.len() * 4 <= text.len() * 3, "{} of {}", short.len(), text.len());
        let mut at = 0;
        for module in ["api", "core", "web"] {
            let heading = format!("/srv/shop/{module}/src/main/java/Cart.java\n");
            at += short[at..].find(&heading).unwrap_or_else(|| panic!("{heading}: {short}"));
            for place in ["100:7", "187:36", "variable rate29"] {
                assert!(short[at..].contains(place), "{module} {place}: {short}");
            }
        }
    }

    #[test]
    fn a_rule_above_its_place_is_a_code_or_a_name() {
        let place = "  --> shop/cart.py:15:7";
        for (line, severity, rule, message) in [
            ("F821 Undefined name `totl`: no", "", "F821", "Undefined name `totl`: no"),
            ("f-string: [*] Use f-string (UP-032)", "", "f-string", "[*] Use f-string (UP-032)"),
            ("assert: Use of `assert` detected", "", "assert", "Use of `assert` detected"),
            ("error[E0308]: mismatched types", "error", "E0308", "mismatched types"),
            ("warning: unused: x", "warning", "", "unused: x"),
        ] {
            let found = arrow(line, place).unwrap_or_else(|| panic!("{line}"));
            assert_eq!((found.file, &*found.at), ("shop/cart.py", "15:7"), "{line}");
            assert_eq!((found.severity, found.rule, found.message), (severity, rule, message), "{line}");
        }
        for line in ["The cart: it is empty", "cart_total: none", "shop/cart.py: x", "cart:"] {
            assert!(arrow(line, place).is_none(), "{line}");
        }
    }

    #[test]
    fn a_row_below_its_file_is_indented_or_has_a_level_and_a_colon() {
        for (line, at, severity, message, rule) in [
            ("  3:9  error  'x' is not defined  no-undef", "3:9", "error", "'x' is not defined", "no-undef"),
            (
                "398:2  Error: 'y' is never reassigned.  prefer-const",
                "398:2",
                "Error",
                "'y' is never reassigned.",
                "prefer-const",
            ),
            (
                "12:7  Warning: Missing dependency: 'x'.  react-hooks/deps",
                "12:7",
                "Warning",
                "Missing dependency: 'x'.",
                "react-hooks/deps",
            ),
        ] {
            let found = row(line, "src/a.tsx").unwrap();
            assert_eq!((found.file, &*found.at, found.severity), ("src/a.tsx", at, severity), "{line}");
            assert_eq!((found.message, found.rule), (message, rule), "{line}");
        }
        for line in
            ["12:7  error  x  y", "12:30 Error: late", "12  Error: no column", "12:7", "a:7  Error: x"]
        {
            assert!(row(line, "src/a.tsx").is_none(), "{line}");
        }
    }
}
