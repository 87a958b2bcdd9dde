//! Cheap classes: `\d`, `\s`, `\w` and `\b` mean what they mean in tools' output, not in all of Unicode (the blank that `tree`
//! draws with is a blank), and letters have the two cases of ASCII. Tables of all scripts' letters and digits take tens of
//! milliseconds.

/// The pattern with its Perl classes written out, without a leading `(?i)`, and whether it had one: then letters in its classes
/// have both cases, and the compiler handles the others.
#[must_use]
pub(super) fn expand_classes(pattern: &str) -> (String, bool) {
    let (fold, rest) = match pattern.strip_prefix("(?i)") {
        Some(rest) => (true, rest),
        None => (false, pattern),
    };
    let mut plain = Plain { out: String::with_capacity(pattern.len() * 2), fold, depth: 0 };
    let mut chars = rest.chars().peekable();
    while let Some(c) = chars.next() {
        plain.take(c, &mut chars);
    }
    (plain.out, fold)
}

type Chars<'p> = std::iter::Peekable<std::str::Chars<'p>>;

struct Plain {
    out: String,
    fold: bool,
    /// The bracket depth.
    depth: usize,
}

impl Plain {
    fn take(&mut self, c: char, chars: &mut Chars) {
        match c {
            '\\' => self.escape(chars),
            '[' if self.depth > 0 && chars.peek() == Some(&':') => self.copy('[', ']', chars),
            '[' => {
                self.out.push('[');
                self.depth += 1;
                if chars.next_if_eq(&'^').is_some() {
                    self.out.push('^');
                }
                // In first position it is literal.
                if chars.next_if_eq(&']').is_some() {
                    self.out.push(']');
                }
            }
            ']' if self.depth > 0 => {
                self.out.push(']');
                self.depth -= 1;
            }
            '(' if self.depth == 0 && chars.peek() == Some(&'?') => self.group(chars),
            c if self.fold && self.depth > 0 && c.is_ascii_alphabetic() => self.letter(c, chars),
            c => self.out.push(c),
        }
    }

    fn escape(&mut self, chars: &mut Chars) {
        let Some(class) = chars.next() else {
            self.out.push('\\');
            return;
        };
        let written = match (class, self.depth > 0) {
            ('d', true) => "0-9",
            ('d', false) => "[0-9]",
            ('s', true) => r"\t\n\v\f\r\x20\x{A0}",
            ('s', false) => r"[\t\n\v\f\r\x20\x{A0}]",
            ('w', true) => r"0-9A-Za-z_\x{80}-\x{10FFFF}",
            ('w', false) => r"[0-9A-Za-z_\x{80}-\x{10FFFF}]",
            ('D', false) => "[^0-9]",
            ('S', false) => r"[^\t\n\v\f\r\x20\x{A0}]",
            ('W', false) => r"[^0-9A-Za-z_\x{80}-\x{10FFFF}]",
            ('b', false) if chars.peek() != Some(&'{') => r"(?-u:\b)",
            _ => {
                self.out.push('\\');
                self.out.push(class);
                // A number or a name follows, not letters of the pattern.
                if chars.peek() == Some(&'{') {
                    self.copy_to('}', chars);
                } else {
                    let figures = match class {
                        'x' => 2,
                        'u' => 4,
                        'U' => 8,
                        'p' | 'P' => 1,
                        _ => 0,
                    };
                    self.out.extend(chars.by_ref().take(figures));
                }
                return;
            }
        };
        self.out.push_str(written);
    }

    /// `(?:`, `(?<name>`, `(?P<name>` and flags, unchanged.
    fn group(&mut self, chars: &mut Chars) {
        self.out.push('(');
        for c in chars.by_ref() {
            self.out.push(c);
            if matches!(c, ':' | '>' | ')') {
                return;
            }
        }
    }

    /// Both cases of a letter in a class, or of a range that begins with it.
    fn letter(&mut self, c: char, chars: &mut Chars) {
        let (lower, upper) = (c.to_ascii_lowercase(), c.to_ascii_uppercase());
        let mut ahead = chars.clone();
        match (ahead.next(), ahead.next()) {
            (Some('-'), Some(end)) if end.is_ascii_alphabetic() => {
                *chars = ahead;
                self.out.extend([lower, '-', end.to_ascii_lowercase()]);
                self.out.extend([upper, '-', end.to_ascii_uppercase()]);
            }
            _ => self.out.extend([lower, upper]),
        }
    }

    fn copy(&mut self, first: char, last: char, chars: &mut Chars) {
        self.out.push(first);
        self.copy_to(last, chars);
    }

    fn copy_to(&mut self, last: char, chars: &mut Chars) {
        for c in chars.by_ref() {
            self.out.push(c);
            if c == last {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::expand_classes;
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
            (r"(?i)a\.b+", r"a\.b+"),
            (r"(?i)[^a-f_x]{2,}", r"[^a-fA-F_xX]{2,}"),
            (r"(?i)(?:é|\x41|\p{Lu}|[[:digit:]])", r"(?:é|\x41|\p{Lu}|[[:digit:]])"),
            (r"(?i)(?<year>\d)", r"(?<year>[0-9])"),
        ] {
            assert_eq!(expand_classes(pattern), (wanted.to_owned(), pattern.starts_with("(?i)")));
            Regex::new(wanted).unwrap();
        }
    }
}
