//! Removes secrets from an output stream on its way to the disk, in bounded memory. Owns where the stream may be cut so that
//! no secret is split (after a line, not inside a private key or what later lines may show to be a secret, and in an endless
//! line where no secret spans the cut), and
//! how much earlier text is context for what follows. The caller's function recognises the secrets.

use std::borrow::Cow;
use std::ops::Range;

/// How secrets are recognised.
#[derive(Debug, Clone, Copy)]
pub struct Redact {
    /// Removes the secrets from a text whose first bytes, up to the given count, were already returned, and returns the
    /// rest; borrowed without secrets.
    pub after: for<'a> fn(&'a str, usize) -> Cow<'a, str>,
    /// Where the undecided end of a text begins, which later lines may turn into a secret; the text's length if there is none.
    pub undecided: fn(&[u8]) -> usize,
    /// The header of the table that a text ends in, which makes values far below secrets.
    pub open_table: fn(&str) -> Option<Range<usize>>,
}

/// The longest line that is written as a whole, in bytes.
const MAX_LINE: usize = 256 * 1024;
/// How much of an endless line is kept back, in bytes: more than any secret's format needs.
const HELD_BACK: usize = 16 * 1024;
/// The size of the pieces of an output that isn't read meanwhile, in bytes: small pieces are slow to scan.
const BATCH: usize = 64 * 1024;
/// How long to wait for the end of a private key, in bytes; one of 16,384 bits takes 13,000, indented and numbered less than
/// twice that.
const MAX_KEY: usize = 64 * 1024;
/// How much written text is scanned again as context, in bytes: a name may be some lines before its value.
const LOOKBACK: usize = 8 * 1024;
const KEY_BEGIN: &[u8] = b"-----BEGIN ";
const KEY_END: &[u8] = b"-----END ";

/// A stream whose secrets are removed.
#[derive(Debug)]
pub struct StreamRedactor {
    redact: Redact,
    waiting: Vec<u8>,
    /// The unwritten end of the input, as received.
    before: Vec<u8>,
    /// The header of the unfinished table, wherever it was.
    names: Vec<u8>,
    /// Whether what was written last ends within a row.
    in_row: bool,
    /// Whether a line has ended since the last scan.
    line_ended: bool,
    /// The least that is scanned, in bytes.
    batch: usize,
}

impl StreamRedactor {
    /// An empty stream.
    pub fn new(redact: Redact) -> StreamRedactor {
        StreamRedactor {
            redact,
            waiting: Vec::new(),
            before: Vec::new(),
            names: Vec::new(),
            in_row: false,
            line_ended: false,
            batch: 0,
        }
    }

    /// For an output that is only read once it is complete.
    #[must_use]
    pub fn in_batches(self) -> StreamRedactor {
        StreamRedactor { batch: BATCH, ..self }
    }

    /// Takes a piece and returns what can be written so far. Invalid bytes stay as they are unless a secret is next to
    /// them.
    pub fn push(&mut self, piece: &[u8]) -> Vec<u8> {
        self.waiting.extend_from_slice(piece);
        self.line_ended |= piece.iter().any(|byte| ends_line(*byte));
        if self.waiting.len() < self.batch {
            return Vec::new();
        }
        // Without a line end there is nothing new to find.
        let ended = std::mem::take(&mut self.line_ended);
        let end = if ended { self.decided(complete_lines(&self.waiting)) } else { 0 };
        if end > 0 {
            return self.take(end);
        }
        if self.waiting.len() < MAX_LINE {
            return Vec::new();
        }
        let cut = self.cut();
        self.take(cut)
    }

    /// Returns the rest.
    pub fn finish(&mut self) -> Vec<u8> {
        self.take(self.waiting.len())
    }

    /// How much of the complete lines up to `end` no later line can turn into a secret. The wait for undecided lines has a
    /// limit.
    fn decided(&self, end: usize) -> usize {
        let text = [&self.before[..], &self.waiting[..end]].concat();
        let tail = text.len().saturating_sub(MAX_KEY);
        match (self.redact.undecided)(&text[tail..]) {
            0 if tail > 0 => end,
            from => (tail + from).saturating_sub(self.before.len()).min(end),
        }
    }

    fn take(&mut self, end: usize) -> Vec<u8> {
        let rest = self.waiting.split_off(end);
        let whole = std::mem::replace(&mut self.waiting, rest);
        let clean = self.clean(&whole);
        // An unfinished row says nothing about the table.
        if whole.last().is_some_and(|byte| ends_line(*byte)) {
            self.names = self.names_below(&whole);
        }
        if let Some(last) = whole.last() {
            // The `\n` of `\r\n` may still come.
            self.in_row = *last != b'\n';
        }
        self.before.extend_from_slice(&whole[whole.len().saturating_sub(LOOKBACK)..]);
        let surplus = self.before.len().saturating_sub(LOOKBACK);
        self.before.drain(..surplus);
        clean.unwrap_or(whole)
    }

    /// The names of the table that continues after `bytes`; none if it ends in them.
    fn names_below(&self, bytes: &[u8]) -> Vec<u8> {
        let rows = &bytes[self.first_row(bytes)..];
        let text = String::from_utf8_lossy(&[&self.names[..], rows].concat()).into_owned();
        let names = (self.redact.open_table)(&text).and_then(|names| text.get(names));
        let mut names = names.unwrap_or_default().as_bytes().to_vec();
        // Its line end may have arrived only in part.
        if names.last().is_some_and(|last| *last != b'\n') {
            names.push(b'\n');
        }
        names
    }

    /// Where the first row in `bytes` begins: after the rest of a row that began earlier, which would end any table.
    fn first_row(&self, bytes: &[u8]) -> usize {
        if self.in_row { memchr::memchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1) } else { 0 }
    }

    /// `bytes` without secrets, given the text before; `None` without any.
    fn clean(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        // The names of a table may be further above than the text before reaches.
        let (goes_on, rows) = bytes.split_at(self.first_row(bytes));
        let named = if self.names.is_empty() { None } else { self.clean_after(&self.names, rows) };
        let named = named.map(|rows| [goes_on, &rows[..]].concat());
        match named {
            Some(named) => Some(self.clean_after(&self.before, &named).unwrap_or(named)),
            None => self.clean_after(&self.before, bytes),
        }
    }

    fn clean_after(&self, before: &[u8], bytes: &[u8]) -> Option<Vec<u8>> {
        if bytes.is_empty() {
            return None;
        }
        let mut text = String::from_utf8_lossy(before).into_owned();
        let from = text.len();
        text.push_str(&String::from_utf8_lossy(bytes));
        match (self.redact.after)(&text, from) {
            Cow::Borrowed(_) => None,
            Cow::Owned(clean) => Some(clean.into_bytes()),
        }
    }

    /// The latest cut in an endless line that no secret spans.
    fn cut(&self) -> usize {
        let last = self.waiting.len() - HELD_BACK;
        let Some(whole) = self.clean(&self.waiting) else { return char_start(&self.waiting, last) };
        let (mut at, mut step) = (last, 64);
        while at > 0 {
            let cut = char_start(&self.waiting, at);
            let (before, after) = self.waiting.split_at(cut);
            let mut in_two = self.clean(before).unwrap_or_else(|| before.to_vec());
            in_two.extend(self.clean_after(&[], after).unwrap_or_else(|| after.to_vec()));
            if in_two == whole {
                return cut;
            }
            (at, step) = (at.saturating_sub(step), step * 2);
        }
        // One secret from start to end.
        self.waiting.len()
    }
}

fn ends_line(byte: u8) -> bool {
    // Progress bars overwrite themselves and end no line otherwise.
    byte == b'\n' || byte == b'\r'
}

/// The end of the last complete line, or of the line before an unfinished key.
fn complete_lines(bytes: &[u8]) -> usize {
    let line_end = |bytes: &[u8]| bytes.iter().rposition(|byte| ends_line(*byte)).map_or(0, |at| at + 1);
    let end = line_end(bytes);
    let tail = end.saturating_sub(MAX_KEY);
    let last = memchr::memmem::rfind(&bytes[tail..end], KEY_BEGIN).map(|at| tail + at);
    match last {
        Some(at) if memchr::memmem::find(&bytes[at..end], KEY_END).is_none() => line_end(&bytes[..at]),
        _ => end,
    }
}

/// The start of the character at `at`.
fn char_start(bytes: &[u8], at: usize) -> usize {
    let back = (0..4).find(|back| at.checked_sub(*back).is_none_or(|at| bytes[at] & 0xc0 != 0x80));
    at.saturating_sub(back.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const REDACT: Redact = Redact { after: hide_after, undecided: <[u8]>::len, open_table: |_| None };

    /// A secret is `S` and the digits after it, or the line after one that says `next:`.
    fn hide_after(text: &str, from: usize) -> Cow<'_, str> {
        if text[..from].ends_with("next:\n") {
            return Cow::Owned(format!("*{}", &text[from..][text[from..].find('\n').unwrap_or(0)..]));
        }
        hide(&text[from..])
    }

    fn hide(text: &str) -> Cow<'_, str> {
        if !text.contains('S') {
            return Cow::Borrowed(text);
        }
        let mut parts = text.split('S');
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            out.push('*');
            out.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
        }
        Cow::Owned(out)
    }

    fn redacted(text: &[u8], piece: usize) -> Vec<u8> {
        let mut cleaner = StreamRedactor::new(REDACT);
        let mut out = Vec::new();
        for piece in text.chunks(piece) {
            out.extend(cleaner.push(piece));
            assert!(cleaner.waiting.len() <= MAX_LINE + piece.len(), "{}", cleaner.waiting.len());
        }
        out.extend(cleaner.finish());
        out
    }

    #[test]
    fn no_secret_is_missed_wherever_the_pieces_end() {
        let lines = "one S123456 two\nü€😀 S99\rS1\n\nend S77";
        for piece in 1..lines.len() {
            assert_eq!(redacted(lines.as_bytes(), piece), hide(lines).as_bytes(), "{piece}");
        }
    }

    #[test]
    fn a_very_long_line_takes_little_memory_and_is_redacted() {
        let line = format!("{}S{} ü", "plain words and € ".repeat(97), "7".repeat(300)).repeat(700);
        assert!(line.len() > 4 * MAX_LINE);
        for piece in [4_001, 65_536, line.len()] {
            assert_eq!(redacted(line.as_bytes(), piece), hide(&line).as_bytes(), "{piece}");
        }
        let secret = format!("S{}", "1".repeat(3 * MAX_LINE));
        assert!(redacted(secret.as_bytes(), 65_536).len() < secret.len());
    }

    #[test]
    fn whole_lines_are_there_at_once_and_a_key_only_as_a_whole() {
        let mut cleaner = StreamRedactor::new(REDACT);
        assert_eq!(cleaner.push(b"one\ntw"), b"one\n");
        assert_eq!(cleaner.push(b"o"), b"");
        assert_eq!(cleaner.push(b"\n-----BEGIN X-----\nabc\n"), b"two\n");
        assert_eq!(cleaner.push(b"def\n"), b"");
        assert_eq!(cleaner.push(b"-----END X-----\nnext"), b"-----BEGIN X-----\nabc\ndef\n-----END X-----\n");
        // An unfinished key isn't waited for forever.
        let mut never = StreamRedactor::new(REDACT);
        never.push(b"-----BEGIN X-----\n");
        let given: usize = (0..1_400).map(|_| never.push(&[&[b'a'; 99][..], b"\n"].concat()).len()).sum();
        assert!(given > 20_000, "{given}");
    }

    #[test]
    fn undecided_text_waits_from_its_first_byte_for_a_limited_time() {
        // Lines are undecided until one that says so.
        fn waits(text: &[u8]) -> usize {
            text.windows(5).rposition(|word| word == b"said\n").map_or(0, |at| at + 5)
        }
        let mut cleaner = StreamRedactor::new(Redact { undecided: waits, ..REDACT });
        assert_eq!(cleaner.push(b"one\n"), b"");
        assert_eq!(cleaner.push(b"S1\nsaid\ntwo\n"), b"one\n*\nsaid\n");
        assert_eq!(cleaner.push(b"three\n"), b"");
        assert_eq!(cleaner.finish(), b"two\nthree\n");
        let mut never = StreamRedactor::new(Redact { undecided: waits, ..REDACT });
        let given: usize = (0..1_400).map(|_| never.push(&[&[b'a'; 99][..], b"\n"].concat()).len()).sum();
        assert!(given > 20_000, "{given}");
    }

    #[test]
    fn a_line_is_judged_with_the_one_before() {
        let mut cleaner = StreamRedactor::new(REDACT);
        assert_eq!(cleaner.push(b"next:\n"), b"next:\n");
        assert_eq!(cleaner.push(b"hush\nand on\n"), b"*\nand on\n");
        for _ in 0..4 {
            cleaner.push(&b"a line of text\n".repeat(999));
            assert!(cleaner.before.len() <= LOOKBACK);
        }
    }

    const TABLE: Redact = Redact { after: hide_below, undecided: <[u8]>::len, open_table: names_of };

    /// Digits are secrets below a line that says so, up to an empty line.
    fn hide_below(text: &str, from: usize) -> Cow<'_, str> {
        let end = text.find("\n\n").unwrap_or(text.len()).max(from);
        if !text.starts_with("names") {
            return Cow::Borrowed(&text[from..]);
        }
        let hidden = text[from..end].replace(|c: char| c.is_ascii_digit(), "*");
        Cow::Owned(hidden + &text[end..])
    }

    fn names_of(text: &str) -> Option<Range<usize>> {
        let at = text.rfind("names")?;
        let end = text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
        (!text[at..].contains("\n\n")).then_some(at..end)
    }

    #[test]
    fn a_tables_header_counts_however_far_above() {
        let row = format!("7{}\n", "x".repeat(3 * LOOKBACK));
        let text = format!("a\nnames\n{}\n7 b\n", row.repeat(4));
        let hidden = format!("a\nnames\n{}\n7 b\n", row.replace('7', "*").repeat(4));
        for piece in [1_000, 2 * LOOKBACK, 5 * LOOKBACK] {
            let mut cleaner = StreamRedactor::new(TABLE);
            let mut out = cleaner.push(b"a\nnames\n");
            for piece in text.as_bytes()["a\nnames\n".len()..].chunks(piece) {
                out.extend(cleaner.push(piece));
            }
            out.extend(cleaner.finish());
            assert_eq!(String::from_utf8(out).unwrap(), hidden, "{piece}");
        }
    }

    /// Of `\r\n` the second may come later; alone it would be an empty line, which ends a table.
    #[test]
    fn the_rest_of_a_row_ends_no_table() {
        let row = "x".repeat(3 * LOOKBACK);
        let rows = [format!("\n7{row}\r"), "\n7 b\r".to_owned(), format!("\n7{row}\r\n"), "7 c\n".to_owned()];
        let mut cleaner = StreamRedactor::new(TABLE);
        let mut out = cleaner.push(b"names\r");
        for piece in &rows {
            out.extend(cleaner.push(piece.as_bytes()));
        }
        out.extend(cleaner.finish());
        assert_eq!(String::from_utf8(out).unwrap(), format!("names\r{}", rows.concat().replace('7', "*")));
    }

    #[test]
    fn batches_give_the_same_result() {
        let lines = "one S123456 two\nü€😀 S99\rS1\n\n".repeat(9_000);
        let mut cleaner = StreamRedactor::new(REDACT).in_batches();
        assert_eq!(cleaner.push(b"S1\n"), b"");
        let mut out = Vec::new();
        for piece in lines.as_bytes().chunks(1_001) {
            out.extend(cleaner.push(piece));
            assert!(cleaner.waiting.len() < BATCH);
        }
        out.extend(cleaner.finish());
        assert_eq!(String::from_utf8(out).unwrap(), format!("*\n{}", hide(&lines)));
    }

    #[test]
    fn invalid_utf8_stays_unchanged() {
        assert_eq!(redacted(b"a\xff\xfeb\n\xc3\n", 3), b"a\xff\xfeb\n\xc3\n");
    }
}
