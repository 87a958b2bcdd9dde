//! Regular expressions with cheap classes: `\d`, `\s`, `\w` and `\b` mean what they mean in tools' output, not in all of
//! Unicode (the blank that `tree` draws with is a blank). A hook compiles its patterns anew each time, and tables of all
//! scripts' letters and digits take tens of milliseconds.

/// The pattern with its Perl classes written out.
#[must_use]
pub fn plain_pattern(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len() * 2);
    let mut chars = pattern.chars().peekable();
    // How deep in brackets, and whether the class has just begun, where `]` stands for itself.
    let mut depth = 0_usize;
    let mut begun = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                let Some(class) = chars.next() else {
                    out.push('\\');
                    break;
                };
                match (class, depth > 0) {
                    ('d', true) => out.push_str("0-9"),
                    ('d', false) => out.push_str("[0-9]"),
                    ('s', true) => out.push_str(r"\t\n\v\f\r\x20\x{A0}"),
                    ('s', false) => out.push_str(r"[\t\n\v\f\r\x20\x{A0}]"),
                    ('w', true) => out.push_str(r"0-9A-Za-z_\x{80}-\x{10FFFF}"),
                    ('w', false) => out.push_str(r"[0-9A-Za-z_\x{80}-\x{10FFFF}]"),
                    ('D', false) => out.push_str("[^0-9]"),
                    ('S', false) => out.push_str(r"[^\t\n\v\f\r\x20\x{A0}]"),
                    ('W', false) => out.push_str(r"[^0-9A-Za-z_\x{80}-\x{10FFFF}]"),
                    ('b', false) if chars.peek() != Some(&'{') => out.push_str(r"(?-u:\b)"),
                    _ => {
                        out.push('\\');
                        out.push(class);
                    }
                }
                begun = false;
            }
            '[' => {
                out.push('[');
                depth += 1;
                begun = true;
                if chars.next_if_eq(&'^').is_some() {
                    out.push('^');
                }
            }
            ']' if depth > 0 && !begun => {
                out.push(']');
                depth -= 1;
            }
            c => {
                out.push(c);
                begun = false;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::plain_pattern as plain;
    use regex::Regex;

    #[test]
    fn classes_are_written_out() {
        for (pattern, wanted) in [
            (r"^\d+ tests?$", r"^[0-9]+ tests?$"),
            (r"[\d.]+", r"[0-9.]+"),
            (r"[^\s\]]", r"[^\t\n\v\f\r\x20\x{A0}\]]"),
            (r"\\d", r"\\d"),
            (r"[]\d]", r"[]0-9]"),
            (r"\p{L}\.", r"\p{L}\."),
            (r"[[:alpha:]\d]", r"[[:alpha:]0-9]"),
        ] {
            assert_eq!(plain(pattern), wanted);
            Regex::new(&plain(pattern)).unwrap();
        }
    }

    #[test]
    fn they_match_what_tools_print() {
        for (pattern, text, wanted) in [
            (r"^\s*✓ \S+ \(\d+ ms\)$", "  ✓ grüßt (12 ms)", true),
            (r"^[\w./-]+:\d+$", "src/grüße.rs:12", true),
            (r"\bok\b", "not ok.", true),
            (r"\bok\b", "tokens", false),
            (r"^\D+$", "12", false),
            (r"[\S]", " ", false),
        ] {
            assert_eq!(Regex::new(&plain(pattern)).unwrap().is_match(text), wanted, "{pattern} {text}");
        }
    }
}
