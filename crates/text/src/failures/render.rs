//! Lays out an extract. Owns the order (figures, failures, totals, ends) and what gives way in a small budget: context first, then
//! repeats of a kind, then the rest, always counted.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write;

use contract::{Amount, count};

use super::{Extract, Failure, Failures};

/// The first and last lines' share of the budget, in percent.
const ENDS_SHARE: usize = 15;
/// Room for the closing line that counts what isn't shown.
const MORE_ROOM: usize = 64;

pub(super) fn render(scan: Failures, max_bytes: usize) -> Extract {
    let totals: Vec<String> = scan.totals.iter().map(|(_, t)| t.clone()).collect();
    let summary = summary(&scan);
    let mut seen = BTreeSet::new();
    let totals_text = totals_text(&scan, max_bytes / 5, &mut seen);
    let ends_room = max_bytes * ENDS_SHARE / 100;
    let fixed = summary.len() + totals_text.len() + ends_room + MORE_ROOM;
    let (body, shown) = body(&scan, max_bytes.saturating_sub(fixed), &mut seen);
    let ends = ends_text(&scan, ends_room, &seen);
    let mut text = summary;
    text.push_str(&totals_text);
    text.push_str(&body);
    if shown < scan.failures {
        let more = scan.failures - shown;
        let _ = writeln!(text, "… {} not shown", count(more as u64, "more failure line"));
    }
    text.push_str(&ends);
    let text = match crate::cut_middle(&text, max_bytes, 85) {
        std::borrow::Cow::Borrowed(whole) => whole.trim_end().to_owned(),
        std::borrow::Cow::Owned(cut) => cut,
    };
    Extract { text, failures: scan.failures, shown, totals, lines: scan.lines, bytes: scan.bytes }
}

/// A tool's own totals are quoted below; a line count beside them would be taken for one of its findings.
fn summary(scan: &Failures) -> String {
    let found = match scan.failures {
        0 => "no line was recognised as a failure; ".to_owned(),
        _ if !scan.totals.is_empty() => String::new(),
        n => format!("{}; ", count(n as u64, "failure line")),
    };
    let (lines, size) = (count(scan.lines as u64, "line"), Amount::bytes(scan.bytes as u64));
    format!("{found}output: {lines}, {size}\n")
}

/// The last totals that fit; adds their line numbers to `seen`, so that no line is shown twice.
fn totals_text(scan: &Failures, room: usize, seen: &mut BTreeSet<usize>) -> String {
    if scan.totals.is_empty() {
        return String::new();
    }
    let mut lines: Vec<String> = Vec::new();
    let mut used = "totals:\n".len();
    // The last ones matter most.
    for (at, total) in scan.totals.iter().rev() {
        let line = format!("  {at}| {total}\n");
        if used + line.len() > room {
            break;
        }
        used += line.len();
        seen.insert(*at);
        lines.push(line);
    }
    if lines.is_empty() {
        return String::new();
    }
    lines.reverse();
    let earlier = scan.totals.len() - lines.len() + scan.totals_dropped;
    let note = if earlier > 0 {
        format!(" (last {} of {})", lines.len(), lines.len() + earlier)
    } else {
        String::new()
    };
    format!("totals{note}:\n{}", lines.concat())
}

fn ends_text(scan: &Failures, room: usize, seen: &BTreeSet<usize>) -> String {
    let mut out = String::new();
    let last: Vec<_> = scan.tail.iter().collect();
    let half = room / 2;
    let mut part = |name: &str, lines: &mut dyn Iterator<Item = &(usize, String)>, from_end: bool| {
        let mut picked = Vec::new();
        let mut used = name.len() + 2;
        for (at, line) in lines.filter(|(at, _)| !seen.contains(at)) {
            let line = format!("  {at}| {line}\n");
            if used + line.len() > half {
                break;
            }
            used += line.len();
            picked.push(line);
        }
        if from_end {
            picked.reverse();
        }
        if !picked.is_empty() {
            let _ = writeln!(out, "{name}:");
            out.push_str(&picked.concat());
        }
    };
    part("first lines", &mut scan.first.iter(), false);
    part("last lines", &mut last.into_iter().rev(), true);
    out
}

/// The failures in line order with as much context as fits, and how many failure lines that represents. Lines in `seen` are
/// shown elsewhere already; those shown here are added.
fn body(scan: &Failures, room: usize, seen: &mut BTreeSet<usize>) -> (String, usize) {
    let elsewhere: usize = scan.kept.iter().filter(|f| seen.contains(&f.at)).map(|f| f.again + 1).sum();
    let kept: Vec<&Failure> = scan.kept.iter().filter(|f| !seen.contains(&f.at)).collect();
    if kept.is_empty() {
        return (String::new(), elsewhere);
    }
    let all: Vec<(&Failure, usize)> = kept.iter().map(|f| (*f, f.again)).collect();
    for context in [usize::MAX, scan.context / 2, usize::from(scan.context > 0), 0] {
        if scan.unkept > 0 {
            break;
        }
        if let Some(text) = lay_out(&all, context, room, seen) {
            return (text, scan.failures);
        }
    }
    let (mut chosen, context) = one_of_each_kind(scan, &kept, room);
    chosen.sort_by_key(|(f, _)| f.at);
    let shown = elsewhere + chosen.iter().map(|(_, again)| again + 1).sum::<usize>();
    (lay_out(&chosen, context, usize::MAX, seen).unwrap_or_default(), shown.min(scan.failures))
}

/// If not all fit: one of each kind, certain before doubtful, earlier before later, and more of them in the remaining room. Each
/// with the number of others that it represents; and how many context lines fit.
pub(super) fn one_of_each_kind<'a>(
    scan: &Failures,
    kept: &[&'a Failure],
    room: usize,
) -> (Vec<(&'a Failure, usize)>, usize) {
    let mut kinds: HashMap<u64, usize> = HashMap::new();
    let mut groups: Vec<(&Failure, usize)> = Vec::new();
    for found in kept {
        match kinds.get(&found.kind) {
            Some(&i) => groups[i].1 += found.again + 1,
            None => {
                kinds.insert(found.kind, groups.len());
                let unkept = scan.kinds.get(&found.kind).copied().unwrap_or(0);
                groups.push((*found, found.again + unkept));
            }
        }
    }
    groups.sort_by_key(|(f, _)| (f.doubtful, f.at));
    let context = usize::from(scan.context > 0 && groups.len() * 400 < room);
    let mut chosen = fitting(&groups, context, room);
    let mut used: usize = chosen.iter().map(|(f, n)| cost(f, *n, context)).sum();
    // Room left: more of the kinds with only one line shown.
    if chosen.len() == groups.len() {
        let shown_by: HashMap<u64, usize> =
            chosen.iter().enumerate().map(|(i, (f, _))| (f.kind, i)).collect();
        let representatives: HashSet<usize> = chosen.iter().map(|(f, _)| f.at).collect();
        for found in kept.iter().filter(|f| !representatives.contains(&f.at)) {
            let cost = cost(found, found.again, 0);
            if used + cost > room {
                break;
            }
            used += cost;
            if let Some(&i) = shown_by.get(&found.kind) {
                chosen[i].1 -= found.again + 1;
            }
            chosen.push((found, found.again));
        }
    }
    (chosen, context)
}

fn fitting<'a>(groups: &[(&'a Failure, usize)], context: usize, room: usize) -> Vec<(&'a Failure, usize)> {
    let mut used = 0;
    let mut chosen = Vec::new();
    for &(found, again) in groups {
        let cost = cost(found, again, context);
        if used + cost <= room {
            used += cost;
            chosen.push((found, again));
        }
    }
    chosen
}

fn cost(found: &Failure, again: usize, context: usize) -> usize {
    let line = |(_, text): &(usize, String)| text.len() + 12;
    let before = found.before.iter().rev().take(context).map(line).sum::<usize>();
    let after = found.after.iter().take(context).map(line).sum::<usize>();
    let header = found.header.as_ref().map_or(0, line);
    found.text.len() + 12 + if again > 0 { 48 } else { 0 } + before + after + header + 8
}

/// How often a failure repeated, and where last (0 if several different lines are counted together).
type Repeats = (usize, usize);

/// The lines of all `found`, with overlapping context only once, or `None` if they exceed `room`. Adds them to `seen`.
fn lay_out(
    found: &[(&Failure, usize)],
    context: usize,
    room: usize,
    seen: &mut BTreeSet<usize>,
) -> Option<String> {
    let mut lines: BTreeMap<usize, (&str, Option<Repeats>)> = BTreeMap::new();
    for (f, _) in found {
        let near = f.before.iter().rev().take(context).chain(f.after.iter().take(context));
        for (at, text) in near.chain(f.header.iter()).filter(|(at, _)| !seen.contains(at)) {
            lines.entry(*at).or_insert((text, None));
        }
    }
    for (f, again) in found {
        // If several lines of a kind are counted together, the last position of this one means nothing.
        let last = if *again == f.again { f.last_at } else { 0 };
        lines.insert(f.at, (&f.text, Some((*again, last))));
    }
    lines.retain(|_, (text, _)| !text.trim().is_empty());
    let mut out = String::from("failures:\n");
    let mut previous = 0;
    for (at, (text, failure)) in &lines {
        if previous > 0 && *at > previous + 1 && context > 0 {
            out.push_str("  …\n");
        }
        previous = *at;
        let _ = match failure {
            Some((0, _)) => writeln!(out, "> {at}| {text}"),
            Some((again, 0)) => writeln!(out, "> {at}| {text}  [×{} of this kind]", again + 1),
            Some((again, last)) => writeln!(out, "> {at}| {text}  [×{}, last at line {last}]", again + 1),
            None => writeln!(out, "  {at}| {text}"),
        };
        if out.len() > room {
            return None;
        }
    }
    seen.extend(lines.keys());
    Some(out)
}
