//! Source that a linter draws below a finding's place: `--> path:3:9`, then lines behind a gutter, and a suggested change
//! behind one. A filter's rules leave them out except those with a word of failure, which the guard keeps. In a frame such a
//! line is code (`except ValueError:`): what was found is above it.

use super::forms::arrow;
use crate::Left;
use crate::normal;

/// The text without the source in frames.
pub(crate) fn source_frames(text: &str) -> Option<Left> {
    let mut out = String::with_capacity(text.len());
    let (mut in_frame, mut left_out, mut above) = (false, 0, "");
    for line in normal::lines(text) {
        in_frame = in_frame && !line.trim().is_empty() || arrow(above, line).is_some();
        above = line;
        if in_frame && is_behind_gutter(line) {
            left_out += 1;
        } else {
            out.push_str(line);
            out.push('\n');
        }
    }
    (left_out > 0).then(|| (out, vec![("lines of source", left_out)]))
}

/// Whether a frame may begin below `line`.
pub(crate) fn may_begin_source_frame(line: &str) -> bool {
    line.trim_start().starts_with("--> ")
}

/// `12 | code`, `   | ^^^`, `12 - old`, `   + new`.
pub(super) fn is_behind_gutter(line: &str) -> bool {
    let code = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    let after_blank = line[..line.len() - code.len()].ends_with([' ', '\t']);
    let begins =
        |sign: char| code.strip_prefix(sign).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    begins('|') || after_blank && (begins('-') || begins('+'))
}

#[cfg(test)]
mod tests {
    use super::source_frames;

    #[test]
    fn code_about_errors_goes_with_the_source_around_a_finding() {
        let text = "RUF015 Prefer `next(...)` over single element slice\n  --> shop/filters.py:140:32\n\
                    143 |                   except IndexError:\n144 |                       raise ShopError(\n\
                    help: Replace with `next(...)`\n    -                     ][0] # an error\n\
                    142 +                     ) # an error\n  | ^ error\nnote: This may change an error\n\nFound 1 error.\n";
        let (short, counts) = source_frames(text).unwrap();
        assert_eq!(
            short,
            "RUF015 Prefer `next(...)` over single element slice\n  --> shop/filters.py:140:32\n\
             help: Replace with `next(...)`\nnote: This may change an error\n\nFound 1 error.\n"
        );
        assert_eq!(counts, [("lines of source", 5)]);
    }

    #[test]
    fn other_lines_behind_a_bar_stay() {
        for text in [
            "error: invalid rule\n1 | error\n",
            "F401 `os` imported but unused\n --> a.py:1:8\nhelp: Remove the error\n\n3 | an error\n",
            "\n --> a.py:1:8\n3 | an error\n",
        ] {
            assert_eq!(source_frames(text), None, "{text}");
        }
    }
}
