//! Unified diffs: context is cut to one line on either side and the hunks' headers are recomputed, so that the result
//! is a valid diff under a line of totals; a long one becomes its changed lines under a line for each file. Owns
//! parsing a diff; `data::patch` lays out a long one.

use std::fmt::Write as _;

use super::stat;
use crate::data::patch::{FileDiff, Hunk, Patch, Piece};
use crate::data::within;
use crate::normal;

/// Lines of context that stay around a change.
const CONTEXT: usize = 1;
/// Longer diffs are shown without context, in bytes: it is carried by every later request, and the file is there to be read.
const LONG: usize = 8_000;
/// In less room than this, in bytes, the counts of all files say more than the changes of a few.
const LITTLE: usize = 4_000;

/// A diff in at most about `room` bytes.
pub(crate) fn diff(text: &str, room: usize) -> Option<String> {
    // The output of `--stat` above the patch has another form.
    if let Some((above, patch)) = text.find("\ndiff --git ").map(|at| text.split_at(at + 1))
        && let Some(stat) = stat::stat(above.trim_end(), if room < LITTLE { room / 4 * 3 } else { room / 3 })
    {
        let patch = diff(patch, room.saturating_sub(stat.len()))?;
        return Some(stat + &patch);
    }
    let (whole, patch) = read(text)?;
    let stat = patch.stat().map(|stat| stat + "\n").unwrap_or_default();
    let bytes = stat.len() + whole.len();
    if bytes > LONG {
        let changes = patch.changes();
        if changes.len() < bytes && changes.len() <= room {
            return Some(changes);
        }
    }
    if bytes <= room {
        return Some(stat + &whole);
    }
    Some(within(room, |room| patch.part(room)))
}

/// The diff with less context, and its parts.
fn read(text: &str) -> Option<(String, Patch<'_>)> {
    let mut out = String::with_capacity(text.len());
    let mut patch = Patch::default();
    let mut lines = normal::lines(text).peekable();
    let mut hunks = 0;
    let mut named = String::new();
    while let Some(line) = lines.next() {
        if let Some(header) = Header::parse(line) {
            hunks += 1;
            let mut body = Vec::new();
            let (mut old, mut new) = (header.old_len, header.new_len);
            while let Some(next) = lines.peek() {
                let belongs = match next.as_bytes().first() {
                    Some(b' ') | None if old > 0 && new > 0 => {
                        (old, new) = (old - 1, new - 1);
                        true
                    }
                    Some(b'-') if old > 0 => {
                        old -= 1;
                        true
                    }
                    Some(b'+') if new > 0 => {
                        new -= 1;
                        true
                    }
                    Some(b'\\') => true,
                    _ => false,
                };
                if !belongs {
                    break;
                }
                body.extend(lines.next());
            }
            let mut bare = String::new();
            // A hunk that lacks lines its header counts was cut off or isn't one: it stays as it is.
            if old > 0 || new > 0 {
                let _ = writeln!(bare, "{line}");
                body.iter().for_each(|line| bare.extend([line, "\n"]));
                out.push_str(&bare);
            } else {
                header.shorten(&body, CONTEXT, &mut out);
                header.shorten(&body, 0, &mut bare);
            }
            patch.hunk(line, &body, bare);
            continue;
        }
        // A merge's hunk: one column of signs per parent.
        if line.starts_with("@@@") {
            hunks += 1;
            let mut body = Vec::new();
            while let Some(next) = lines.next_if(|next| next.starts_with(['+', '-', ' ', '\\'])) {
                body.push(next);
            }
            let mut bare = String::new();
            for line in std::iter::once(line).chain(body.iter().copied()) {
                let _ = writeln!(bare, "{line}");
            }
            out.push_str(&bare);
            patch.hunk(line, &body, bare);
            continue;
        }
        if let Some(rest) = line.strip_prefix("diff --git ") {
            rest.clone_into(&mut named);
            patch.file(git_name(rest));
            let _ = writeln!(out, "{line}");
            continue;
        }
        if let Some(name) = line.strip_prefix("diff --cc ").or_else(|| line.strip_prefix("diff --combined "))
        {
            patch.file(name.to_owned());
            let _ = writeln!(out, "{line}");
            continue;
        }
        // Without git, the two names begin a file.
        if let Some(old) = line.strip_prefix("--- ")
            && let Some(new) = lines.peek().and_then(|next| next.strip_prefix("+++ "))
        {
            patch.names(old, new);
        } else if !line.starts_with("+++ ") {
            patch.other(line);
        }
        // A name with a blank in it has a tab behind it.
        let bare = line.trim_end();
        // Already named, and a reader doesn't need the hashes of the contents.
        let redundant = line.starts_with("index ")
            || bare.strip_prefix("--- a/").is_some_and(|path| named.starts_with(&format!("a/{path} ")))
            || bare.strip_prefix("+++ b/").is_some_and(|path| named.ends_with(&format!(" b/{path}")));
        if !redundant || named.is_empty() {
            let _ = writeln!(out, "{line}");
        }
    }
    patch.gather_remarks();
    (hunks > 0).then_some((out, patch))
}

/// `a/x b/x` as `x`, `a/x b/y` as `x → y`.
fn git_name(both: &str) -> String {
    let half = both.len() / 2;
    if let (Some(old), Some(new)) = (both.get(..half), both.get(half + 1..))
        && both.as_bytes().get(half) == Some(&b' ')
        && old.split_once('/').map(|(_, path)| path) == new.split_once('/').map(|(_, path)| path)
    {
        return new.split_once('/').map_or(new, |(_, path)| path).to_owned();
    }
    match both.split_once(" b/") {
        Some((old, new)) => format!("{} → {new}", old.strip_prefix("a/").unwrap_or(old)),
        None => both.to_owned(),
    }
}

impl<'t> Patch<'t> {
    fn file(&mut self, name: String) {
        self.pieces.push(Piece::File(FileDiff { name, ..FileDiff::default() }));
    }

    /// The file whose lines come now; one without a name where a diff begins with a hunk.
    fn current(&mut self) -> Option<&mut FileDiff<'t>> {
        if !matches!(self.pieces.last(), Some(Piece::File(_))) {
            self.file("(no name)".to_owned());
        }
        match self.pieces.last_mut() {
            Some(Piece::File(file)) => Some(file),
            _ => None,
        }
    }

    /// `--- old` with `+++ new`.
    fn names(&mut self, old: &str, new: &str) {
        let named = matches!(self.pieces.last(), Some(Piece::File(file)) if file.hunks.is_empty() && file.name != "(no name)");
        if named {
            return;
        }
        let bare = |name: &str| name.split('\t').next().unwrap_or(name).trim_end().to_owned();
        let (old, new) = (bare(old), bare(new));
        let above = match self.pieces.last() {
            Some(Piece::Text(lines)) => lines.last().copied().map(str::trim_end),
            _ => None,
        };
        self.file(match (old.as_str(), new.as_str()) {
            (_, "/dev/null") => old,
            ("/dev/null", _) => new,
            // terraform's, which prints the path above them; folders may have such names, too.
            _ if [old.strip_prefix("old/"), new.strip_prefix("new/")] == [above; 2] && above.is_some() => {
                above.unwrap_or_default().to_owned()
            }
            _ if old.split_once('/').map(|(_, path)| path) == new.split_once('/').map(|(_, path)| path) => {
                new
            }
            // isort's.
            _ if old.strip_suffix(":before").is_some_and(|path| new.strip_suffix(":after") == Some(path)) => {
                old.strip_suffix(":before").unwrap_or(&old).to_owned()
            }
            _ => format!("{old} → {new}"),
        });
    }

    fn hunk(&mut self, head: &'t str, body: &[&'t str], bare: String) {
        let merge = head.starts_with("@@@");
        // In a merge's hunk the sign may be in the second column.
        let sign = |line: &str| -> Option<u8> {
            let width = if merge { 2 } else { 1 };
            line.bytes().take(width).find(|byte| matches!(byte, b'+' | b'-'))
        };
        let added = body.iter().filter(|line| sign(line) == Some(b'+')).count();
        let removed = body.iter().filter(|line| sign(line) == Some(b'-')).count();
        let lines = body.iter().copied().filter(|line| sign(line).is_some()).collect();
        if let Some(file) = self.current() {
            file.hunks.push(Hunk { head, lines, bare, added, removed });
        }
    }

    /// A line that belongs to no hunk: a state of the file's, or a text between files.
    fn other(&mut self, line: &'t str) {
        const STATES: [&str; 7] =
            ["new file", "deleted file", "old mode", "new mode", "Binary files", "GIT binary", "Only in "];
        const NAMED: [&str; 8] = [
            // `diff -ru a b`, as one that compares folders says above each file.
            "diff -",
            "index ",
            "similarity index",
            "dissimilarity index",
            "rename ",
            "copy ",
            "\\ No newline",
            "=== ",
        ];
        if NAMED.iter().any(|named| line.starts_with(named)) {
            return;
        }
        match self.pieces.last_mut() {
            Some(Piece::File(file))
                if file.hunks.is_empty() && STATES.iter().any(|state| line.starts_with(state)) =>
            {
                let state = match line.split_once(" file mode") {
                    Some((state, _)) => state,
                    None if line.starts_with("Binary files") => "binary",
                    None => line,
                };
                file.states.push(state);
            }
            Some(Piece::File(file))
                if file.hunks.is_empty() && !file.states.is_empty() && !line.starts_with("commit ") => {}
            Some(Piece::Text(lines)) => {
                if !line.trim().is_empty() {
                    lines.push(line);
                }
            }
            _ if line.trim().is_empty() => {}
            _ => self.pieces.push(Piece::Text(vec![line])),
        }
    }
}

struct Header<'t> {
    old_at: usize,
    old_len: usize,
    new_at: usize,
    new_len: usize,
    what: &'t str,
}

impl<'t> Header<'t> {
    fn parse(line: &'t str) -> Option<Self> {
        let (ranges, what) = line.strip_prefix("@@ -")?.split_once(" @@")?;
        let (old, new) = ranges.split_once(" +")?;
        let range = |text: &str| -> Option<(usize, usize)> {
            match text.split_once(',') {
                Some((at, len)) => Some((at.parse().ok()?, len.parse().ok()?)),
                None => Some((text.parse().ok()?, 1)),
            }
        };
        let ((old_at, old_len), (new_at, new_len)) = (range(old)?, range(new)?);
        Some(Self { old_at, old_len, new_at, new_len, what })
    }

    /// The hunk with so many lines around each change, under headers that are counted again.
    fn shorten(&self, body: &[&str], context: usize, out: &mut String) {
        let changed: Vec<bool> = body.iter().map(|line| line.starts_with(['-', '+'])).collect();
        let stays: Vec<bool> = (0..body.len())
            .map(|at| {
                let from = at.saturating_sub(context);
                let to = (at + context + 1).min(body.len());
                changed[from..to].contains(&true) || body[at].starts_with('\\') && at > 0 && changed[at - 1]
            })
            .collect();
        let (mut old, mut new) = (self.old_at, self.new_at);
        let mut at = 0;
        let mut what = self.what;
        while at < body.len() {
            if !stays[at] {
                advance(body[at], &mut old, &mut new);
                at += 1;
                continue;
            }
            let (from, old_from, new_from) = (at, old, new);
            while at < body.len() && stays[at] {
                advance(body[at], &mut old, &mut new);
                at += 1;
            }
            let _ = writeln!(
                out,
                "@@ -{},{} +{},{} @@{what}",
                start(old_from, old - old_from, self.old_len),
                old - old_from,
                start(new_from, new - new_from, self.new_len),
                new - new_from
            );
            what = "";
            for line in &body[from..at] {
                let _ = writeln!(out, "{line}");
            }
        }
    }
}

/// A range of no lines is named by the line before it, as the whole hunk's was.
fn start(at: usize, len: usize, whole: usize) -> usize {
    if len == 0 && whole > 0 { at.saturating_sub(1) } else { at }
}

fn advance(line: &str, old: &mut usize, new: &mut usize) {
    match line.as_bytes().first() {
        Some(b'-') => *old += 1,
        Some(b'+') => *new += 1,
        Some(b'\\') => {}
        _ => (*old, *new) = (*old + 1, *new + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::diff;

    #[test]
    fn context_is_dropped_and_headers_are_corrected() {
        let text = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@ fn a\n 1\n 2\n-3\n+three\n 4\n 5\n 6\n 7\n-8\n+eight\n 9\n";
        let short = diff(text, 9_000).unwrap();
        assert_eq!(
            short,
            "diff --git a/x b/x\n@@ -2,3 +2,3 @@ fn a\n 2\n-3\n+three\n 4\n@@ -7,3 +7,3 @@\n 7\n-8\n+eight\n 9\n"
        );
    }

    #[test]
    fn a_long_diff_is_its_changed_lines_by_file() {
        let hunk = |n: usize| {
            format!("@@ -{n},3 +{n},3 @@ fn f{n}()\n before {n}\n-old {n}\n+new {n}\n behind {n}\n")
        };
        let file = |name: &str| {
            let hunks: String = (1..60).map(|n| hunk(n * 10)).collect();
            format!("diff --git a/{name} b/{name}\nindex 1..2 100644\n--- a/{name}\n+++ b/{name}\n{hunks}")
        };
        let text = file("src/a.rs") + &file("src/b.rs");
        let short = diff(&text, 24_000).unwrap();
        assert!(short.starts_with("2 files, +118 -118, without context\nsrc/a.rs +59 -59\n@@ -11,1 +11,1 @@ fn f10()\n-old 10\n+new 10\n"), "{short}");
        for line in text.lines().filter(|line| line.starts_with(['-', '+']) && !line.contains("src/")) {
            assert!(short.lines().any(|shown| shown == line), "{line}");
        }
        assert!(!short.contains("before") && short.len() < text.len() * 2 / 3, "{}", short.len());
        // Where the changes alone are too many, some are counted.
        assert!(diff(&text, 4_000).unwrap().contains("are counted, not shown"));
    }

    #[test]
    fn a_file_that_several_commits_change_is_counted_once() {
        let commit = |n: usize| {
            let lines: String = (0..100).map(|at| format!("-old {n} {at}\n+new {n} {at}\n")).collect();
            format!(
                "commit {n:040}\nAuthor: Ana <ana@example.org>\n\n    Change {n}\n\ndiff --git a/docs/a.md b/docs/a.md\nindex 1..2 100644\n--- a/docs/a.md\n+++ b/docs/a.md\n@@ -{n},101 +{n},101 @@\n same\n{lines}"
            )
        };
        let text: String = (1..=8).map(commit).collect();
        for (room, rest) in [(24_000, ", without context\n"), (4_000, "; changes that do not fit")] {
            let short = diff(&text, room).unwrap();
            assert!(short.starts_with(&format!("1 file in 8 commits, +800 -800{rest}")), "{short}");
        }
    }

    #[test]
    fn blanks_and_line_ends_are_changes() {
        let text =
            "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n-foo  \n+foo\n-bar\r\n+bar\n-\t\n+\n";
        let short = diff(&crate::normalise(text), 9_000).unwrap();
        assert_eq!(short, text.replace("--- a/x\n+++ b/x\n", ""));
    }

    #[test]
    fn a_hunk_that_was_cut_off_stays() {
        let text = "--- a\n+++ b\n@@ -1,5 +1,5 @@\n 1\n-2\n";
        assert_eq!(diff(text, 9_000).unwrap(), text);
    }
}
