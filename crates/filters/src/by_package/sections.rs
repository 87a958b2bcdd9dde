//! Takes apart the default output of Nx, and of lerna with it: the lines of each task below `> nx run web:test`; and
//! Bazel's test output, each test between a line that names it and a ruler. Owns where a task's lines end. They
//! aren't mixed, as both print them when a task has ended; but the whole is as long as all of them.

use std::collections::HashSet;

use crate::normal;

use super::packages::{Apart, MOST, Part};
use super::runner::{is_end_of_nx, is_service, listed_task};

/// The title above a task's lines, lerna's variant, and the text that identifies lerna.
const TASK: &str = "> nx run ";
const TASK_OF_LERNA: &str = "> ";
const LERNA: &str = "Lerna (powered by Nx)";
/// The shortest ruler above the totals, in characters.
const RULER: usize = 20;

/// The line that Bazel prints above a test's lines, and the width of the ruler below them, in bytes.
const TEST: &str = "==================== Test output for ";
const BELOW_TEST: usize = 80;

/// The lines of `text` by task; `None` if neither printed it, or if the run hasn't ended.
pub(super) fn sections(text: &str) -> Option<Apart<'_>> {
    of_nx(text).or_else(|| of_bazel(text))
}

fn of_nx(text: &str) -> Option<Apart<'_>> {
    let start = if text.contains(LERNA) { TASK_OF_LERNA } else { TASK };
    if !text.contains(start) {
        return None;
    }
    let mut apart = Apart { above: Vec::new(), parts: Vec::new(), below: Vec::new() };
    let mut names: HashSet<&str> = HashSet::new();
    let mut ended = false;
    let lines: Vec<&str> = normal::lines(text).collect();
    for (at, line) in lines.iter().copied().enumerate() {
        let below = &lines[at + 1..];
        // Nx has an empty line below.
        let task = task(line, start).filter(|_| below.first().is_none_or(|line| line.trim().is_empty()));
        if ended || is_end_of_nx(line) || is_ruler(line) && is_above_end(below) {
            // An end of some task's own.
            if task.is_some() {
                return None;
            }
            ended = true;
            apart.below.push(line);
        } else if let Some(task) = task {
            if task.split(':').skip(1).any(is_service) || !names.insert(task) {
                return None;
            }
            let front = line.trim_end().to_owned();
            apart.parts.push(Part::new(front, true));
        } else {
            apart.push(line);
        }
    }
    let has_ended = apart.below.iter().any(|line| is_end_of_nx(line));
    if !has_ended || !(2..=MOST).contains(&apart.parts.len()) {
        return None;
    }
    let failed: HashSet<&str> = apart.below.iter().filter_map(|line| listed_task(line)).collect();
    let has_failed = |part: &Part<'_>| task(&part.front, start).is_some_and(|task| failed.contains(task));
    let failed: Vec<bool> = apart.parts.iter().map(has_failed).collect();
    apart.rank(&failed);
    Some(apart)
}

fn of_bazel(text: &str) -> Option<Apart<'_>> {
    if !text.contains(TEST) {
        return None;
    }
    let mut apart = Apart { above: Vec::new(), parts: Vec::new(), below: Vec::new() };
    let mut names: HashSet<&str> = HashSet::new();
    let mut open = false;
    for line in normal::lines(text) {
        let ends = open && is_ruler_of_bazel(line);
        if !open && test(line).is_some() {
            if !names.insert(line) {
                return None;
            }
            let front = line.to_owned();
            apart.parts.push(Part::new(front, true));
            open = true;
        } else if ends {
            open = false;
        } else if !open && is_ruler_of_bazel(line) {
            // One of the rulers since the last heading was a test's own.
            return None;
        } else {
            match apart.parts.last_mut() {
                Some(part) if open => part.lines.push(line),
                Some(_) => apart.below.push(line),
                None => apart.above.push(line),
            }
        }
    }
    let has_ended = apart.below.iter().any(|line| is_end_of_bazel(line));
    if open || !has_ended || !(2..=MOST).contains(&apart.parts.len()) {
        return None;
    }
    let failed: HashSet<&str> =
        apart.above.iter().chain(&apart.below).filter_map(|line| failed_test(line)).collect();
    let has_failed = |part: &Part<'_>| test(&part.front).is_some_and(|test| failed.contains(test));
    let failed: Vec<bool> = apart.parts.iter().map(has_failed).collect();
    apart.rank(&failed);
    Some(apart)
}

/// `//cart:total_test` of the line above its output.
fn test(line: &str) -> Option<&str> {
    let label = line.strip_prefix(TEST)?.strip_suffix(':')?;
    label.split(' ').next().filter(|label| label.contains("//"))
}

/// The line below a test's output.
fn is_ruler_of_bazel(line: &str) -> bool {
    line.len() == BELOW_TEST && line.bytes().all(|byte| byte == b'=')
}

/// `//cart:total_test` of `FAIL: //cart:total_test (see …)` and of `//cart:total_test   FAILED in 0.2s`; one that took too long has
/// `TIMEOUT` in both.
fn failed_test(line: &str) -> Option<&str> {
    let named = ["FAIL: ", "TIMEOUT: "].iter().find_map(|verdict| line.strip_prefix(*verdict));
    let (label, rest) = named.unwrap_or(line).split_once(' ')?;
    let rest = rest.trim_start();
    let is_verdict = named.is_some() || rest.starts_with("FAILED") || rest.starts_with("TIMEOUT");
    (is_verdict && label.contains("//")).then_some(label)
}

/// `Executed 2 out of 3 tests: …`, `INFO: Build completed, 1 test FAILED, 9 total actions`.
fn is_end_of_bazel(line: &str) -> bool {
    line.starts_with("Executed ") && line.contains(" out of ") || line.starts_with("INFO: Build completed")
}

/// `web:test` of `> nx run web:test  [local cache]`. lerna's line ends there; npm's own lines continue.
fn task<'t>(line: &'t str, start: &str) -> Option<&'t str> {
    let task = line.strip_prefix(start)?;
    let (task, rest) = task.split_at(task.find(' ').unwrap_or(task.len()));
    let is_whole = start == TASK || rest.is_empty() || rest.starts_with("  [");
    // `> note:` and `> http://localhost:3000` are a task's own.
    let is_task = task.split_once(':').is_some_and(|(project, target)| {
        !project.is_empty() && !target.is_empty() && !target.starts_with('/')
    });
    (is_task && is_whole).then_some(task)
}

/// Whether the first of the `lines` that says anything is the one above Nx's totals.
fn is_above_end(lines: &[&str]) -> bool {
    lines.iter().find(|line| !line.trim().is_empty()).is_some_and(|line| is_end_of_nx(line))
}

/// The line above the totals, or a task's own.
fn is_ruler(line: &str) -> bool {
    let line = line.trim();
    line.chars().count() >= RULER && line.chars().all(|c| c == '—')
}
