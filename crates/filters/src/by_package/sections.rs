//! Takes apart what Nx prints by default: the lines of each task below `> nx run web:test`, and its totals below all. Owns where a
//! task's lines end. Nx prints a task's lines when it has ended, so that they aren't mixed; but the whole is as long as all of them.

use std::collections::HashSet;

use crate::normal;

use super::runner::{Apart, MOST, Part, is_end_of_nx, is_service, listed_task};
use super::tells_of_failure;

/// What a task's lines are below.
const TASK: &str = "> nx run ";
/// The shortest ruler above the totals, in characters.
const RULER: usize = 20;

/// The lines of `text` by task; nothing where Nx didn't print it, or hasn't ended.
pub(super) fn sections(text: &str) -> Option<Apart<'_>> {
    if !text.contains(TASK) {
        return None;
    }
    let mut apart = Apart { above: Vec::new(), parts: Vec::new(), below: Vec::new() };
    let mut names: HashSet<&str> = HashSet::new();
    let mut ended = false;
    for line in normal::lines(text) {
        if ended || is_ruler(line) || is_end_of_nx(line) {
            // A ruler of some task's own.
            if task(line).is_some() {
                return None;
            }
            ended = true;
            apart.below.push(line);
        } else if let Some(task) = task(line) {
            if is_service(task.rsplit(':').next().unwrap_or(task)) || !names.insert(task) {
                return None;
            }
            let front = line.trim_end().to_owned();
            apart.parts.push(Part { front, above: true, lines: Vec::new(), commands: Vec::new(), rank: 2 });
        } else if let Some(part) = apart.parts.last_mut() {
            part.lines.push(line);
        } else {
            apart.above.push(line);
        }
    }
    let has_ended = apart.below.iter().any(|line| is_end_of_nx(line));
    if !has_ended || !(2..=MOST).contains(&apart.parts.len()) {
        return None;
    }
    let failed: HashSet<&str> = apart.below.iter().filter_map(|line| listed_task(line)).collect();
    for part in &mut apart.parts {
        let has_failed = task(&part.front).is_some_and(|task| failed.contains(task));
        part.rank = if has_failed { 0 } else { 2 - u8::from(tells_of_failure(&part.lines)) };
    }
    apart.parts.sort_by_key(|part| part.rank);
    Some(apart)
}

/// `web:test` of `> nx run web:test  [local cache]`.
fn task(line: &str) -> Option<&str> {
    let task = line.strip_prefix(TASK)?.split(' ').next()?;
    task.contains(':').then_some(task)
}

/// The line above the totals.
fn is_ruler(line: &str) -> bool {
    line.chars().count() >= RULER && line.chars().all(|c| c == '—')
}
