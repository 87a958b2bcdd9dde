//! The text of a finding after its place: severity, rule and message, in the orders in which tools write them. Owns
//! distinguishing a rule's name from a word in brackets.

/// What is after a place.
pub(super) struct Worded<'t> {
    pub(super) severity: &'t str,
    pub(super) rule: &'t str,
    pub(super) message: &'t str,
}

pub(super) fn says(text: &str) -> Worded<'_> {
    let text = text.trim();
    if let Some((rule, message)) = coded(text).or_else(|| bracketed_code(text)) {
        return Worded { severity: "", rule, message };
    }
    let mut rest = text;
    let (mut level, mut rule) = ("", "");
    // Level and code come in either order.
    for _ in 0..2 {
        if level.is_empty()
            && let Some((found, after)) = severity(rest)
        {
            level = found;
            rest = after.trim_start();
            if let Some(inside) = rest.strip_prefix('[')
                && let Some((code, after)) = inside.split_once(']')
                && is_rule(code)
            {
                (rule, rest) = (code, after);
            }
            rest =
                [":", "- "].iter().find_map(|joint| rest.strip_prefix(*joint)).unwrap_or(rest).trim_start();
            // RuboCop's note about a correction: a part of the level, in front of the rule.
            if let Some(after) = MENDED.iter().find_map(|mark| rest.strip_prefix(mark)) {
                level = text[..text.len() - after.len()].trim_end();
                rest = after;
            }
            if rule.is_empty()
                && after.starts_with(' ')
                && let Some((code, message)) = spaced_code(rest)
            {
                (rule, rest) = (code, message);
            }
        }
        // `warning: [deprecation] message`.
        if rule.is_empty()
            && !level.is_empty()
            && let Some((code, after)) = rest.strip_prefix('[').and_then(|inside| inside.split_once("] "))
            && is_rule(code)
        {
            (rule, rest) = (code, after.trim_start());
        }
        if rule.is_empty()
            && let Some((code, after)) = leading_code(rest)
        {
            (rule, rest) = (code, after);
        }
    }
    if rule.is_empty() {
        // `message. (rule) (warning)`.
        let warns =
            rest.strip_suffix(" (warning)").filter(|before| level.is_empty() && before.ends_with(')'));
        if let Some((message, rule)) = warns.map(trailing_rule).filter(|(_, rule)| !rule.is_empty()) {
            return Worded { severity: "warning", rule, message };
        }
        (rest, rule) = trailing_rule(rest);
        // `message (rule) [error]`.
        if level.is_empty()
            && let Some(last) = bracketed_level(rule)
        {
            level = last;
            (rest, rule) = trailing_rule(rest);
        }
    }
    Worded { severity: level, rule, message: rest }
}

/// `[W0612(unused-variable), Cart.total] message`, as pylint writes it for other programs: the rule, and the message. The place
/// tells which function it is in.
pub(super) fn coded(text: &str) -> Option<(&str, &str)> {
    let (inside, message) = text.strip_prefix('[')?.split_once("] ")?;
    let (rule, owner) = inside.split_at(inside.find(')')? + 1);
    let (code, name) = rule.strip_suffix(')')?.split_once('(')?;
    let figures = code.strip_prefix(|c: char| c.is_ascii_uppercase())?;
    let is_code = figures.len() > 3 && figures.bytes().all(|byte| byte.is_ascii_digit());
    let is_owner = !owner.strip_prefix(", ").unwrap_or(owner).contains(' ');
    let message = message.trim_start();
    (is_code && is_owner && is_rule(name) && !message.is_empty()).then_some((rule, message))
}

/// `[E402] message`, as linters of Python write it where they are asked for pylint's form: the rule, and the message.
fn bracketed_code(text: &str) -> Option<(&str, &str)> {
    let (code, message) = text.strip_prefix('[')?.split_once("] ")?;
    let figures = code.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let letters = code.len() - figures.len();
    let is_code = (1..=8).contains(&letters)
        && (3..=6).contains(&figures.len())
        && figures.bytes().all(|byte| byte.is_ascii_digit());
    let message = message.trim_start();
    (is_code && !message.is_empty()).then_some((code, message))
}

const MENDED: &[&str] = &["[Correctable] ", "[Corrected] ", "[Todo] "];

pub(super) const LEVELS: &[&str] = &[
    "fatal error",
    "error",
    "warning",
    "warn",
    "note",
    "information",
    "info",
    "hint",
    "help",
    "remark",
    "style",
    "refactor",
    "convention",
    "suggestion",
    "performance",
    "portability",
    "fatal",
];

/// The level that `text` begins with, and the text after it.
pub(super) fn severity(text: &str) -> Option<(&str, &str)> {
    for mark in ["✖", "×", "✘", "⚠", "ℹ", "✗", "‼"] {
        if let Some(rest) = text.strip_prefix(mark) {
            return rest.starts_with(' ').then(|| text.split_at(mark.len()));
        }
    }
    for level in LEVELS {
        let Some(head) = text.get(..level.len()) else { continue };
        if head.eq_ignore_ascii_case(level) {
            let rest = &text[level.len()..];
            let ends = rest.starts_with([':', '[', '('])
                || rest.starts_with(" - ")
                || rest.starts_with(' ') && is_level_then(rest);
            if ends {
                return Some((head, rest));
            }
        }
    }
    // A letter, as RuboCop and older checkers write it.
    let mut bytes = text.bytes();
    let letter = bytes.next().is_some_and(|byte| b"CEFIRSWN".contains(&byte));
    (letter && text[1..].starts_with(": ")).then(|| text.split_at(1))
}

/// Behind a level and a blank: columns, a code, or a rule; not a sentence that begins with such a word.
fn is_level_then(rest: &str) -> bool {
    let word = rest.trim_start();
    rest.starts_with("  ")
        || leading_code(word).is_some()
        || spaced_code(word).is_some()
        || word.split(' ').next().is_some_and(|first| {
            first.contains('/') && is_rule(first)
                || first.starts_with(|c: char| c.is_ascii_uppercase() || c == '\'')
        })
}

/// `TS2322: `, `E501 `, `MD013/line-length `, `B101[bandit]: `, `Style/StringLiterals: `.
pub(super) fn leading_code(text: &str) -> Option<(&str, &str)> {
    let end = text.find([' ', ':']).unwrap_or(text.len());
    let (word, after) = text.split_at(end);
    let code = {
        let letters = word.bytes().take_while(u8::is_ascii_uppercase).count();
        let rest = &word[letters..];
        let rest = rest.strip_prefix('-').unwrap_or(rest);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let tail = &rest[digits..];
        let tool = tail.strip_prefix('[').and_then(|tail| tail.strip_suffix(']'));
        let is_tool =
            tool.is_some_and(|tool| tool.len() > 1 && tool.bytes().all(|byte| byte.is_ascii_lowercase()));
        (1..=8).contains(&letters)
            && (1..=6).contains(&digits)
            && (tail.is_empty() || tail.starts_with('/') || is_tool && after.starts_with(':'))
    };
    let cop = word.contains('/')
        && after.starts_with(':')
        && is_rule(word)
        && word.starts_with(|c: char| c.is_ascii_uppercase());
    if !code && !cop {
        return None;
    }
    let after = after.strip_prefix(':').unwrap_or(after);
    (after.starts_with(' ')).then(|| (word, after.trim_start()))
}

/// `no-undef : message`, as tools write it behind a level for Visual Studio.
fn spaced_code(text: &str) -> Option<(&str, &str)> {
    let (code, message) = text.split_once(" : ")?;
    is_rule(code).then(|| (code, message.trim_start()))
}

/// The level in `[error]`.
fn bracketed_level(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('[')?.strip_suffix(']')?;
    LEVELS.iter().any(|level| inside.eq_ignore_ascii_case(level)).then_some(inside)
}

/// `message [rule]`, `message (rule-name)`.
pub(super) fn trailing_rule(text: &str) -> (&str, &str) {
    let text = text.trim_end();
    let inside = |open: &str, close: char| {
        let (message, rule) = text.strip_suffix(close)?.rsplit_once(open)?;
        let bracketed = &text[message.len() + 1..];
        let known = is_rule(rule) || close == ']' && is_scoped_rule(rule);
        (!message.trim().is_empty() && known).then(|| (message.trim_end(), bracketed))
    };
    if let Some(found) = inside(" [", ']') {
        return found;
    }
    // A word in brackets is a rule only where it looks like one, or where it is alone behind a sentence.
    inside(" (", ')')
        .filter(|(message, bracketed)| {
            let word = bracketed.trim_matches(['(', ')']);
            looks_like_rule(word) || message.ends_with('.') && is_name(word)
        })
        .unwrap_or((text, ""))
}

/// `semi`, `curly`: a rule of one word. A shorter one names a tool or a language, as in `(ts)`.
fn is_name(word: &str) -> bool {
    word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_lowercase()) && !LEVELS.contains(&word)
}

fn looks_like_rule(word: &str) -> bool {
    let has = |what: fn(&u8) -> bool| word.bytes().any(|byte| what(&byte));
    word.contains(['-', '/'])
        || word.starts_with("report")
        || has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase)
        || word.len() > 3 && !has(|byte| !byte.is_ascii_lowercase()) && word.ends_with("check")
}

pub(super) fn is_rule(word: &str) -> bool {
    (2..=90).contains(&word.len())
        && word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '-' || c == '@')
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"@/._-+=,:".contains(&byte))
}

/// `eslint(no-undef)`: a rule with its plugin.
pub(super) fn is_scoped_rule(word: &str) -> bool {
    let parts = word.strip_suffix(')').and_then(|word| word.split_once('('));
    parts.is_some_and(|(scope, rule)| is_rule(scope) && is_rule(rule))
}

#[cfg(test)]
mod tests {
    use super::says;
    use crate::diagnostics::by_file_and_rule;

    /// As JavaScript Standard Style prints it: indented, and most rules are one word.
    #[test]
    fn an_indented_line_that_ends_with_a_rule_is_a_finding() {
        let text: String = (1..60)
            .map(|n| {
                format!(
                    "  /srv/shop/cart.js:{n}:13: Extra semicolon. (semi)\n  /srv/shop/cart.js:{n}:1: Unexpected var. (no-var) (warning)\n"
                )
            })
            .collect();
        let short = by_file_and_rule(&text, 24_000).expect("a list");
        assert!(short.len() * 3 < text.len(), "{short}");
        for fact in ["(semi)", "(no-var)", "warning", "/srv/shop/cart.js", "1:13, 2:13", "58:1, 59:1"] {
            assert!(short.contains(fact), "{fact}: {short}");
        }
    }

    /// The same finding as linters write it for other programs.
    #[test]
    fn level_and_rule_are_found_in_each_order() {
        for (text, severity, rule, message) in [
            ("'a' is not defined. [Error/no-undef]", "", "[Error/no-undef]", "'a' is not defined."),
            (
                "'a' is unused. [Warning/eslint(no-unused-vars)]",
                "",
                "[Warning/eslint(no-unused-vars)]",
                "'a' is unused.",
            ),
            ("Expected \"#a\" (color-hex-case) [error]", "error", "(color-hex-case)", "Expected \"#a\""),
            ("Unknown word [Warning]", "Warning", "", "Unknown word"),
            ("error no-undef : 'a' is not defined.", "error", "no-undef", "'a' is not defined."),
            (
                "error eqeqeq : Expected '===' and not '=='.",
                "error",
                "eqeqeq",
                "Expected '===' and not '=='.",
            ),
            ("warning C4996 : 'strcpy' is deprecated", "warning", "C4996", "'strcpy' is deprecated"),
            ("Error - 'a' is not defined. (no-undef)", "Error", "(no-undef)", "'a' is not defined."),
            ("error - Expected \"#a\" (color-hex-case)", "error", "(color-hex-case)", "Expected \"#a\""),
            (
                "[C0114(missing-module-docstring), ] Missing module docstring",
                "",
                "C0114(missing-module-docstring)",
                "Missing module docstring",
            ),
            (
                "[W0612(unused-variable), Cart.total] Unused variable 'tax'",
                "",
                "W0612(unused-variable)",
                "Unused variable 'tax'",
            ),
            (
                "[W0612(unused-variable)Cart.total] Unused variable 'tax'",
                "",
                "W0612(unused-variable)",
                "Unused variable 'tax'",
            ),
            ("[E402] Import not at the top", "", "E402", "Import not at the top"),
            ("[UP006] Use `tuple`", "", "UP006", "Use `tuple`"),
            ("Extra semicolon. (semi)", "", "(semi)", "Extra semicolon."),
            ("Unexpected var. (no-var) (warning)", "warning", "(no-var)", "Unexpected var."),
            ("Expected '==='. (eqeqeq) (warning)", "warning", "(eqeqeq)", "Expected '==='."),
            (
                "B101[bandit]: LOW: Use of assert detected.",
                "",
                "B101[bandit]",
                "LOW: Use of assert detected.",
            ),
            // Words that only look like these.
            ("[see f(x), y] and more", "", "", "[see f(x), y] and more"),
            ("A1[0] is not set", "", "", "A1[0] is not set"),
            ("BUF1[at] = tax;", "", "", "BUF1[at] = tax;"),
            ("[T12] worker started", "", "", "[T12] worker started"),
            ("[E402]", "", "", "[E402]"),
            ("no type for it. (ts)", "", "", "no type for it. (ts)"),
            ("it was set twice (again)", "", "", "it was set twice (again)"),
            ("it was set twice. (warning)", "", "", "it was set twice. (warning)"),
            ("it was set twice (again) (warning)", "", "", "it was set twice (again) (warning)"),
            ("error: expected one of : or ;", "error", "", "expected one of : or ;"),
            ("error in the second line : x", "", "", "error in the second line : x"),
            ("call f(x) [see g(y z)]", "", "", "call f(x) [see g(y z)]"),
            ("wrong index [a(b)]", "", "", "wrong index [a(b)]"),
        ] {
            let found = says(text);
            assert_eq!((found.severity, found.rule, found.message), (severity, rule, message), "{text}");
        }
    }
}
