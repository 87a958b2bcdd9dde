//! The preview: a unified diff of two texts, with very long lines cut to the changed part. For display only.

use std::fmt::Write;
use std::time::Duration;

use crate::line_diff::{LineFate, Run, hunks};

/// Lines of context around a change.
const CONTEXT: usize = 3;
/// Longer lines are cut in the preview (minified files have one line of megabytes).
const MAX_LINE: usize = 400;
/// After this time, the comparison stops looking for the smallest diff; the result stays correct.
const PATIENCE: Duration = Duration::from_millis(500);

/// A readable comparison of two states of a file: a unified diff and the numbers of added and removed lines. Empty if they
/// are equal.
pub fn compare(name: &str, before: &[u8], after: &[u8]) -> (String, usize, usize) {
    unified(name, before, after)
}

/// A unified diff and the numbers of added and removed lines. Empty if the texts are equal.
pub(crate) fn unified(name: &str, before: &[u8], after: &[u8]) -> (String, usize, usize) {
    if before == after {
        return (String::new(), 0, 0);
    }
    let (old, new) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
    let mut out = format!("--- {name}\n+++ {name}\n");
    let (mut added, mut removed) = (0, 0);
    for hunk in hunks(&old, &new, CONTEXT, PATIENCE) {
        let side = |start: usize, end: usize| {
            format!("{},{}", if end > start { start + 1 } else { start }, end - start)
        };
        let _ = writeln!(
            out,
            "@@ -{} +{} @@",
            side(hunk.old.start, hunk.old.end),
            side(hunk.new.start, hunk.new.end)
        );
        for run in &hunk.runs {
            let shared = shared_heads(run);
            let (mut minus, mut plus) = (0, 0);
            for &(fate, line) in &run.lines {
                let (sign, around) = match fate {
                    LineFate::Stayed => (' ', 0),
                    LineFate::Went => {
                        removed += 1;
                        minus += 1;
                        ('-', shared.get(minus - 1).copied().unwrap_or_default())
                    }
                    LineFate::Came => {
                        added += 1;
                        plus += 1;
                        ('+', shared.get(plus - 1).copied().unwrap_or_default())
                    }
                };
                let body = line.trim_end_matches(['\n', '\r']);
                let _ = writeln!(out, "{sign}{}", clip(body, around));
                if !line.ends_with('\n') {
                    out.push_str("\\ No newline at end of file\n");
                }
            }
        }
    }
    (out, added, removed)
}

/// For lines that replace each other: how many leading bytes they share.
fn shared_heads(run: &Run) -> Vec<usize> {
    if !run.replaced {
        return Vec::new();
    }
    let of =
        |wanted: LineFate| run.lines.iter().filter(move |(fate, _)| *fate == wanted).map(|(_, line)| *line);
    of(LineFate::Went).zip(of(LineFate::Came)).map(|(a, b)| shared_head(a.as_bytes(), b.as_bytes())).collect()
}

/// How many leading bytes two lines share, compared by blocks because a line may have megabytes.
fn shared_head(a: &[u8], b: &[u8]) -> usize {
    const BLOCK: usize = 4096;
    let same = a.chunks(BLOCK).zip(b.chunks(BLOCK)).take_while(|(a, b)| a == b).count() * BLOCK;
    let same = same.min(a.len()).min(b.len());
    same + a[same..].iter().zip(&b[same..]).take_while(|(a, b)| a == b).count()
}

/// At most [`MAX_LINE`] bytes of the line, beginning a little before `around`.
fn clip(line: &str, around: usize) -> String {
    if line.len() <= MAX_LINE {
        return line.to_owned();
    }
    let start = line.floor_char_boundary(around.saturating_sub(80));
    let end = line.floor_char_boundary(start + MAX_LINE);
    let head = if start > 0 { "…" } else { "" };
    let tail = if end < line.len() { "…" } else { "" };
    format!("{head}{}{tail}", &line[start..end])
}
