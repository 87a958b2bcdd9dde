//! Applies one filter to a text: first its rules line by line, then its steps on the whole text. Owns their order and
//! the counts of what was left out.

use std::sync::Arc;

use crate::cap::{cap, spread};
use crate::definition::Filter;
use crate::diagnostics;
use crate::lines::Lines;
use crate::normal;
use crate::shortened::Shortened;

/// The result of the rules and steps of `filter` for `text`, in about `room` bytes.
pub(crate) fn by_rules(filter: &Arc<Filter>, text: &str, room: usize) -> Shortened {
    let mut lines = Lines::new(Arc::clone(filter));
    normal::lines(text).for_each(|line| lines.push(line));
    let (text, mut left_out) = lines.finish();
    let mut text = finished(filter, text, &mut left_out, room);
    if let Some(max) = filter.max_lines {
        // Requested rows are only left out for lack of room.
        text = match filter.prints_data() {
            true if text.len() <= room => text,
            true => spread(&text, max, room),
            false => cap(&text, max, room),
        };
    }
    Shortened { text, filter: filter.name.clone(), left_out }
}

/// The same by rules about lines only, where others may have printed some of them.
pub(crate) fn by_rules_among_others(filter: &Arc<Filter>, text: &str) -> Shortened {
    let mut lines = Lines::among_others(Arc::clone(filter));
    normal::lines(text).for_each(|line| lines.push(line));
    let (text, left_out) = lines.finish();
    Shortened { text, filter: filter.name.clone(), left_out }
}

/// The filter's steps about the whole text, without its rules.
pub(crate) fn by_steps_alone(filter: &Filter, text: &str, room: usize) -> Shortened {
    let mut left_out = Vec::new();
    let text = after_steps(filter, text.to_owned(), &mut left_out, room);
    Shortened { text, filter: filter.name.clone(), left_out }
}

/// Applies a filter's steps to what its rules left: shortens traces and frames, groups findings.
pub(crate) fn finished(
    filter: &Filter,
    text: String,
    left_out: &mut Vec<(String, usize)>,
    room: usize,
) -> String {
    let text = after_steps(filter, text, left_out, room);
    let grouped = filter.findings.then(|| diagnostics::by_file_and_rule(&text, room)).flatten();
    grouped.unwrap_or(text)
}

/// The result of the filter's steps about a whole text.
pub(crate) fn after_steps(
    filter: &Filter,
    mut text: String,
    left_out: &mut Vec<(String, usize)>,
    room: usize,
) -> String {
    for after in &filter.after {
        if let Some((shorter, counts)) = after.run(&text, room)
            && shorter.len() < text.len()
        {
            text = shorter;
            let counts: Vec<_> = counts.into_iter().map(|(what, count)| (what.to_owned(), count)).collect();
            *left_out = added(std::mem::take(left_out), &counts);
        }
    }
    text
}

/// Counts of what was left out, with more of them.
pub(crate) fn added(mut counts: Vec<(String, usize)>, more: &[(String, usize)]) -> Vec<(String, usize)> {
    for (what, count) in more {
        match counts.iter_mut().find(|(known, _)| known == what) {
            Some((_, sum)) => *sum += count,
            None => counts.push((what.clone(), *count)),
        }
    }
    counts
}
