//! Removes terminal control sequences. Owns the grammar of escape sequences (ECMA-48: CSI, OSC, DCS and the short ones); doesn't
//! interpret them, and leaves carriage returns and printable characters alone.

use std::borrow::Cow;

/// The longest control string (window title, hyperlink). Otherwise a program killed in the middle of one would swallow the
/// rest of its own output.
const MAX_CONTROL_STRING: usize = 8192;

/// `text` without terminal escape sequences and without backspaces, bells and other C0 controls except tab, line feed,
/// carriage return and form feed. Borrowed if there is nothing to remove.
#[must_use]
pub fn strip_ansi(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let Some(first) = next_control(bytes, 0) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    let mut at = first;
    loop {
        out.push_str(&text[copied..at]);
        let end = sequence_end(bytes, at);
        // A backspace removes what was printed before it on the same line, as in man pages' overstrikes.
        if bytes[at] == 0x08 && out.chars().next_back().is_some_and(|c| c != '\n') {
            out.pop();
        }
        copied = end;
        match next_control(bytes, end) {
            Some(next) => at = next,
            None => break,
        }
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// Maps byte positions back to the original text: unchanged stretches, by their two starts.
pub(crate) struct PositionMap(Vec<(usize, usize)>);

impl PositionMap {
    /// The original position of the byte at `plain` in the stripped text.
    pub(crate) fn of(&self, plain: usize) -> usize {
        let after = self.0.partition_point(|(at, _)| *at <= plain);
        after.checked_sub(1).and_then(|i| self.0.get(i)).map_or(plain, |(at, before)| before + (plain - at))
    }
}

/// The same with the mapping; `None` if there is nothing to remove.
pub(crate) fn strip_with_positions(text: &str) -> Option<(String, PositionMap)> {
    let bytes = text.as_bytes();
    let mut at = next_control(bytes, 0)?;
    let mut out = String::with_capacity(text.len());
    let mut places = vec![(0, 0)];
    let mut copied = 0;
    loop {
        out.push_str(&text[copied..at]);
        copied = sequence_end(bytes, at);
        if bytes[at] == 0x08 && out.chars().next_back().is_some_and(|c| c != '\n') {
            out.pop();
        }
        while places.last().is_some_and(|(plain, _)| *plain >= out.len() && *plain > 0) {
            places.pop();
        }
        places.push((out.len(), copied));
        match next_control(bytes, copied) {
            Some(next) => at = next,
            None => break,
        }
    }
    out.push_str(&text[copied..]);
    Some((out, PositionMap(places)))
}

/// Bytes scanned at once.
const PIECE: usize = 64;

/// Offset of the next byte that starts something to remove: C0 controls, DEL, or a C1 control (`C2 80`–`C2 9F`).
fn next_control(bytes: &[u8], from: usize) -> Option<usize> {
    let suspect = |b: u8| (b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r' | 0x0c)) || b == 0x7f || b == 0xc2;
    let mut i = from;
    while i < bytes.len() {
        // Nearly everything is clean; whole pieces are scanned without a branch per byte.
        let piece = &bytes[i..bytes.len().min(i + PIECE)];
        if !piece.iter().fold(false, |found, &b| found | suspect(b)) {
            i += piece.len();
            continue;
        }
        for (at, &b) in piece.iter().enumerate() {
            let next = bytes.get(i + at + 1);
            let c1 = b == 0xc2 && next.is_some_and(|&n| (0x80..0xa0).contains(&n) && n != 0x85);
            if suspect(b) && (b != 0xc2 || c1) {
                return Some(i + at);
            }
        }
        i += piece.len();
    }
    None
}

/// End of the sequence that starts at `at`; always beyond `at` and on a character boundary.
fn sequence_end(bytes: &[u8], at: usize) -> usize {
    let (introducer, body) = match (bytes[at], bytes.get(at + 1)) {
        (0x1b, Some(&next)) if next.is_ascii() => (next, at + 2),
        // C1 controls are the seven-bit ones minus 0x40.
        (0xc2, Some(&next)) => (next - 0x40, at + 2),
        _ => return at + 1,
    };
    match introducer {
        b'[' => csi_end(bytes, body),
        b']' | b'P' | b'X' | b'^' | b'_' => control_string_end(bytes, body),
        // Charset selection and the like: intermediates, then one final byte.
        0x20..=0x2f => {
            let mut i = body;
            while i < bytes.len() && (0x20..=0x2f).contains(&bytes[i]) {
                i += 1;
            }
            if i < bytes.len() && (0x30..0x7f).contains(&bytes[i]) { i + 1 } else { i }
        }
        0x30..=0x7e => body,
        _ if bytes[at] == 0xc2 => body,
        // An escape before a control such as a line feed: only the escape goes.
        _ => at + 1,
    }
}

fn csi_end(bytes: &[u8], body: usize) -> usize {
    let mut i = body;
    while i < bytes.len() && (0x20..=0x3f).contains(&bytes[i]) {
        i += 1;
    }
    if i < bytes.len() && (0x40..=0x7e).contains(&bytes[i]) { i + 1 } else { i }
}

fn control_string_end(bytes: &[u8], body: usize) -> usize {
    let limit = bytes.len().min(body + MAX_CONTROL_STRING);
    let mut i = body;
    while i < limit {
        match bytes[i] {
            0x07 => return i + 1,
            0x1b if bytes.get(i + 1) == Some(&b'\\') => return i + 2,
            0xc2 if bytes.get(i + 1) == Some(&0x9c) => return i + 2,
            0x1b | b'\n' => return body,
            _ => i += 1,
        }
    }
    body
}

#[cfg(test)]
mod tests {
    use super::strip_ansi;
    use proptest::prelude::*;

    #[test]
    fn removes_each_kind() {
        for (dirty, clean) in [
            ("plain\r\n\ttext", "plain\r\n\ttext"),
            ("\u{1b}[1;31merror\u{1b}[0m: x", "error: x"),
            ("\u{1b}[38:2::255:0:0mred\u{1b}[m", "red"),
            ("\u{1b}]0;title\u{7}after", "after"),
            ("\u{1b}]8;;https://x.test\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{9b}31mred\u{9b}m", "red"),
            ("\u{1b}(Btext\u{1b}=\u{1b}>", "text"),
            ("a\u{8}ab\u{8}b", "ab"),
            ("cut \u{1b}", "cut "),
            ("cut \u{1b}[3", "cut "),
            ("never ended \u{1b}]0;rest\nnext line", "never ended 0;rest\nnext line"),
            ("\u{1b}é", "é"),
            ("\u{1b}[é", "é"),
            ("nul\0s", "nuls"),
        ] {
            assert_eq!(strip_ansi(dirty), clean, "{dirty:?}");
        }
    }

    proptest! {
        #[test]
        fn leaves_no_escape_and_is_stable(s in "(\\PC|\u{1b}|\u{9b}|\u{7}|\\[|\\]|;|m|\n|[0-9]){0,60}") {
            let once = strip_ansi(&s).into_owned();
            let left = once.contains(['\u{1b}', '\u{9b}', '\u{7}']);
            prop_assert!(!left);
            prop_assert_eq!(strip_ansi(&once).into_owned(), once.clone());
        }
    }
}
