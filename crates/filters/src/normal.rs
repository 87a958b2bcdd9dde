//! What a terminal would have shown: without control sequences, with progress that overwrote itself in its last
//! state, with plain line ends. Owns nothing else; no line is judged here.

use std::borrow::Cow;

/// Longest state of a progress display, in bytes.
const LONG_STATE: usize = 400;

/// `text` as lines that end in `\n`, without terminal control sequences, overwritten progress and trailing blanks.
/// Borrows when there is nothing to change.
#[must_use]
pub fn normalise(text: &str) -> Cow<'_, str> {
    let plain = text::strip_ansi(text);
    let needs = memchr::memchr2(b'\r', 0x0c, plain.as_bytes()).is_some() || trailing_blank(&plain);
    if !needs {
        return plain;
    }
    let mut out = String::with_capacity(plain.len());
    for line in plain.split_inclusive('\n') {
        let (body, end) = line.strip_suffix('\n').map_or((line, ""), |body| (body, "\n"));
        // A state of this length was no progress: something else was printed into its line.
        for state in body.split('\r').filter(|state| state.len() > LONG_STATE && *state != visible(body)) {
            out.push_str(state.trim_end());
            out.push('\n');
        }
        out.push_str(visible(body));
        out.push_str(end);
    }
    Cow::Owned(out)
}

/// What is left to see of a line after carriage returns: its last state that shows anything.
pub(crate) fn visible(line: &str) -> &str {
    let line = line.trim_end_matches(['\r', ' ', '\t', '\u{c}']);
    line.rsplit('\r').find(|state| !state.trim().is_empty()).unwrap_or("").trim_end()
}

fn trailing_blank(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'\n', bytes).any(|at| at > 0 && matches!(bytes[at - 1], b' ' | b'\t'))
        || bytes.last().is_some_and(|byte| matches!(byte, b' ' | b'\t'))
}

#[cfg(test)]
mod tests {
    use super::normalise;

    #[test]
    fn shows_what_a_terminal_shows() {
        for (dirty, clean) in [
            ("plain\n", "plain\n"),
            ("a\r\nb\r\n", "a\nb\n"),
            ("10%\r50%\r100% done\nnext", "100% done\nnext"),
            ("10%\r50%\r\n", "50%\n"),
            ("\u{1b}[32mok\u{1b}[0m  \n", "ok\n"),
            ("x\r   \r\n", "x\n"),
            ("\u{1b}[3", ""),
        ] {
            assert_eq!(normalise(dirty), clean, "{dirty:?}");
        }
    }
}
