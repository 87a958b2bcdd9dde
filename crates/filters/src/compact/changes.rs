//! The files that git lists as changed (`--name-status`), by folder. Owns the form of such a list, and that its number is
//! that of the whole list.

use std::fmt::Write as _;

use super::{MOST_LOOKED_AT, ROWS, push};

/// A line of the list.
struct Change<'t> {
    state: &'t str,
    /// Where the file is now.
    path: &'t str,
    /// Whether it has only a letter and a name without blanks. Any other keeps its line: a moved file has two paths.
    plain: bool,
}

/// Whether a list may begin behind these lines.
pub(super) fn begins(before: &[&str]) -> bool {
    before.last().is_none_or(|line| change(line).is_none())
}

/// Whether lines that begin with a letter and a tab look like files: each has a folder or an ending, and most a folder.
pub(super) fn are_files(lines: &[&str]) -> bool {
    let list = || lines.iter().take(MOST_LOOKED_AT).map_while(|line| change(line));
    let folders = list().filter(|change| change.plain && change.path.contains('/')).count();
    folders * 2 > list().count() && list().all(|change| change.path.contains(['/', '.']))
}

/// The changed files that are listed from here on (`M<tab>src/a.rs`), by folder in their order, and how many lines they are.
pub(super) fn changed(lines: &[&str]) -> Option<(String, usize)> {
    let length = lines.iter().map_while(|line| change(line)).count();
    if length < ROWS {
        return None;
    }
    let mut out = format!("{length} changed files by folder:\n");
    let mut open: Option<&str> = None;
    let mut last = "";
    for line in &lines[..length] {
        let Change { state, path, plain } = change(line)?;
        let (folder, name) = path.split_at(path.rfind('/').map_or(0, |at| at + 1));
        if open.is_some_and(|open| !plain || open != folder) {
            out.push('\n');
            open = None;
        }
        if !plain {
            push(&mut out, line);
            continue;
        }
        if open.replace(folder).is_none() {
            out.push_str(if folder.is_empty() { "./" } else { folder });
            out.push(':');
            last = "";
        }
        if state != last {
            let _ = write!(out, " {state}");
            last = state;
        }
        let _ = write!(out, " {name}");
    }
    if open.is_some() {
        out.push('\n');
    }
    let bytes: usize = lines[..length].iter().map(|line| line.len() + 1).sum();
    (out.len() * 10 <= bytes * 9).then_some((out, length))
}

/// `M<tab>src/a.rs`; `R097<tab>src/a.rs<tab>src/b.rs`; `MM<tab>src/a.rs` of a merge.
fn change(line: &str) -> Option<Change<'_>> {
    let (state, rest) = line.split_once('\t')?;
    let letters = state.trim_end_matches(|c: char| c.is_ascii_digit());
    let known = matches!(letters.len(), 1 | 2) && letters.bytes().all(|byte| b"ACDMRTUX".contains(&byte));
    // How alike both files of a move or a copy are.
    let scored = letters.len() < state.len();
    let path = if scored { rest.split_once('\t').filter(|(old, _)| !old.is_empty())?.1 } else { rest };
    let plain = !scored && letters.len() == 1 && letters != "R" && !path.contains([' ', '"']);
    (known && !path.is_empty() && !path.contains('\t')).then_some(Change { state, path, plain })
}
