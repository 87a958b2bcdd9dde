//! Normalises an output to what a terminal would have shown: without control sequences, with self-overwriting
//! progress in its last state, with plain line ends. Text that must stay is shown even if it was overwritten.

use std::borrow::Cow;
use std::collections::HashSet;

use text::failures::{Mention, kind_key, mention};

use crate::guard::must_stay;

/// Goes to the line above and erases it.
const ERASES: &str = "\u{1b}[1A\u{1b}[2K";
/// Lines that are searched for one that is still on the screen.
const SCREEN: usize = 200;

/// Longest state of a progress display, in bytes.
const LONG_STATE: usize = 400;

/// `text` as lines that end in `\n`, without terminal control sequences, overwritten progress and trailing blanks, but
/// those that may be a diff's change. Borrows when there is nothing to change.
#[must_use]
pub fn normalise(text: &str) -> Cow<'_, str> {
    let plain = match without_erased(text) {
        Cow::Borrowed(text) => text::strip_ansi(text),
        Cow::Owned(shown) => Cow::Owned(text::strip_ansi(&shown).into_owned()),
    };
    let needs = memchr::memchr2(b'\r', 0x0c, plain.as_bytes()).is_some() || trailing_blank(&plain);
    if !needs {
        return plain;
    }
    let mut out = String::with_capacity(plain.len());
    let mut terminal = Terminal::default();
    for line in plain.split_inclusive('\n') {
        let (body, end) = line.strip_suffix('\n').map_or((line, ""), |body| (body, "\n"));
        terminal.overwritten(body, |state| {
            out.push_str(state);
            out.push('\n');
        });
        out.push_str(terminal.visible(body));
        out.push_str(end);
    }
    Cow::Owned(out)
}

/// `text` without the lines that progress over whole lines went back to and erased. Those that must stay are shown
/// once, unless they're still visible.
fn without_erased(text: &str) -> Cow<'_, str> {
    if !text.contains(ERASES) {
        return Cow::Borrowed(text);
    }
    // Each line, and whether it left the screen; cursor movement no longer reaches it.
    let mut shown: Vec<(&str, bool)> = Vec::new();
    let mut kept: HashSet<&str> = HashSet::new();
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        let mut erased = Vec::new();
        while let Some(after) = rest.strip_prefix(ERASES) {
            rest = after;
            let mut screen = shown.len().saturating_sub(SCREEN)..shown.len();
            let last = screen.rfind(|at| shown.get(*at).is_some_and(|(_, has_gone)| !has_gone));
            erased.extend(last.map(|at| shown.remove(at).0));
        }
        // The uppermost one was printed first. Text that nothing overwrote was the last visible.
        let next = text::strip_ansi(rest);
        let next = next.trim();
        for state in erased.into_iter().rev() {
            if next.is_empty() {
                shown.push((state, false));
            } else if stays_shown(&text::strip_ansi(state), Some(next)) && kept.insert(state) {
                shown.push((state, true));
            }
        }
        shown.push((rest, false));
    }
    let visible: HashSet<&str> =
        shown.iter().filter(|(_, has_gone)| !has_gone).map(|(line, _)| *line).collect();
    let still = shown.iter().filter(|(line, has_gone)| !has_gone || !visible.contains(line));
    Cow::Owned(still.map(|(line, _)| *line).collect())
}

/// The lines of a normalised text. `str::lines` would take a diff's carriage return for a part of the line's end.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (line, after) = match memchr::memchr(b'\n', rest.as_bytes()) {
            Some(end) => (&rest[..end], &rest[end + 1..]),
            None => (rest, ""),
        };
        rest = after;
        Some(line)
    })
}

/// What a terminal has seen so far of the lines of a text, which are given to it in order and without `\n`.
#[derive(Debug, Default)]
pub(crate) struct Terminal {
    /// Whether the text's lines end in `\r\n`, as its first one does.
    crlf: Option<bool>,
    /// Whether a hunk of a diff has begun, whose lines end as the lines of the files do.
    hunk: bool,
}

impl Terminal {
    /// The states of `line` that are shown although it was overwritten, oldest first. Called before [`Self::visible`].
    pub(crate) fn overwritten<'t>(&mut self, line: &'t str, mut shown: impl FnMut(&'t str)) {
        self.hunk |= line.starts_with("@@");
        let crlf = *self.crlf.get_or_insert_with(|| line.ends_with('\r'));
        if self.content(line, crlf).is_some() || !line.contains('\r') {
            return;
        }
        let last = last_state(line).trim_end();
        let mut wording = HashSet::new();
        let mut words = None;
        let mut states = line.split('\r').map(str::trim_end).filter(|state| !state.is_empty()).peekable();
        while let Some(state) = states.next() {
            if state == last || !stays_shown(state, states.peek().copied()) || !wording.insert(state) {
                continue;
            }
            // Text that was only appended to is still there.
            let words = words.get_or_insert_with(|| words_of(last).collect::<HashSet<_>>());
            if !words_of(state).all(|word| words.contains(word)) {
                shown(state);
            }
        }
    }

    /// The visible text of a line after carriage returns: its last state that shows anything.
    pub(crate) fn visible<'t>(&self, line: &'t str) -> &'t str {
        if let Some(content) = self.content(line, self.crlf == Some(true)) {
            return content;
        }
        // Diffs have other forms than hunks (`cargo fmt --check`); these signs come before a changed line there, too.
        let changed = line.starts_with(['+', '-']) && !line.starts_with("-- ");
        let last = last_state(line);
        if changed { last } else { last.trim_end() }
    }

    /// The line of a hunk, of which only the text's own line end goes.
    fn content<'t>(&self, line: &'t str, crlf: bool) -> Option<&'t str> {
        let belongs = self.hunk && line.starts_with(['+', '-', ' ']);
        belongs.then(|| if crlf { line.strip_suffix('\r').unwrap_or(line) } else { line })
    }
}

/// Whether `state` is shown although `next` was printed over it.
fn stays_shown(state: &str, next: Option<&str>) -> bool {
    // A state of this length wasn't progress: something else was printed into its line.
    if state.len() > LONG_STATE {
        return true;
    }
    // A running count of failures is shown by its last state.
    let counts_on = || next.is_some_and(|next| counts(state) && kind_key(state) == kind_key(next));
    must_stay(state) && !counts_on()
}

/// The words and figures of a text.
pub(crate) fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn counts(state: &str) -> bool {
    matches!(mention(state), Mention::Total { .. })
}

fn last_state(line: &str) -> &str {
    line.rsplit('\r').find(|state| !state.trim().is_empty()).unwrap_or("")
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
    fn a_line_of_many_states_takes_no_longer_than_as_many_lines() {
        let bar: String = (0..20_000).map(|n| format!("{n} of 20000 [####    ]\r")).collect();
        assert_eq!(normalise(&bar), "19999 of 20000 [####    ]");
        let errors: String = (0..5_000).map(|n| format!("ERROR part {n} is lost\r")).collect();
        assert_eq!(normalise(&errors).lines().count(), 5_000);
    }

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
            // A failure on the way isn't progress; a running count is.
            ("ERROR part 3 failed\r 40%\r 100% done\n", "ERROR part 3 failed\n 100% done\n"),
            ("ERROR a\r1%\rERROR b\r2%\rERROR a\r3%\n", "ERROR a\nERROR b\n3%\n"),
            ("ERROR a\rERROR a (3 ms)\n", "ERROR a (3 ms)\n"),
            ("1 failed, 2 passed\r1 failed, 3 passed\r2 failed, 3 passed\n", "2 failed, 3 passed\n"),
            // Progress over whole lines, as Karma prints it, also in more than one at once.
            (
                "a: 1 of 3\n\u{1b}[1A\u{1b}[2Kcart FAILED\n\tError: x\na: 2 of 3 (1 FAILED)\n\u{1b}[1A\u{1b}[2K\u{1b}[31ma: 3 of 3 (1 FAILED)\u{1b}[0m\n",
                "cart FAILED\n\tError: x\na: 3 of 3 (1 FAILED)\n",
            ),
            ("web 1%\napi 1%\n\u{1b}[1A\u{1b}[2K\u{1b}[1A\u{1b}[2Kweb 9%\napi 9%\n", "web 9%\napi 9%\n"),
            ("ERROR a\n1%\n\u{1b}[1A\u{1b}[2K\u{1b}[1A\u{1b}[2K2%\n", "ERROR a\n2%\n"),
            // A failure that stays on the screen was printed once, even if more is erased than was printed since.
            (
                "ERROR a\n1%\n\u{1b}[1A\u{1b}[2K\u{1b}[1A\u{1b}[2KERROR a\n2%\n\u{1b}[1A\u{1b}[2K\u{1b}[1A\u{1b}[2KERROR a\n3%\n",
                "ERROR a\n3%\n",
            ),
            (
                "ERROR a\n1%\n\u{1b}[1A\u{1b}[2K\u{1b}[1A\u{1b}[2K2%\n\u{1b}[1A\u{1b}[2K\u{1b}[1A\u{1b}[2K3%\n",
                "ERROR a\n3%\n",
            ),
            ("50%\n\u{1b}[1A\u{1b}[2K", "50%\n"),
            ("\u{1b}[1A\u{1b}[2Kfirst\n", "first\n"),
            // A hunk's lines are the files', whose ends may be the change.
            ("@@ -1 +1 @@\n-a  \n+a\n", "@@ -1 +1 @@\n-a  \n+a\n"),
            ("@@ -1,2 +1,2 @@ \n b\r\n-a\r\n+a\n", "@@ -1,2 +1,2 @@\n b\r\n-a\r\n+a\n"),
            ("@@ -1 +1 @@\r\n-a\r\r\n+a\r\n", "@@ -1 +1 @@\n-a\r\n+a\n"),
            ("Diff in a.rs:1: \n-a \n+a\n", "Diff in a.rs:1:\n-a \n+a\n"),
        ] {
            assert_eq!(normalise(dirty), clean, "{dirty:?}");
        }
    }
}
