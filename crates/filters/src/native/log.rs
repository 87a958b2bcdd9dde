//! Logs: lines that differ only in times, numbers, identities and names are one kind of message, shown in one line
//! with how often it came and what its values were. Rare kinds are shown line by line, and so are lines whose values
//! differ from those of their kind, whatever their words; warnings and errors up to a number, with the lines below
//! them.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

use text::Pattern;
use text::failures::{is_message, kind_key, message_key, same_key};

use crate::counted::counted;
use crate::data::template;
use crate::guard::must_stay;
use crate::normal;
use crate::repeat::Repeat;

use super::below;
use super::rare::{Entry, LONG, MORE, of_kinds, rarest, rulers};

mod records;
mod samples;
mod times;

use records::with_blanks;
use samples::samples;
use times::{from_to, runs_in_one_direction, span, stamp};

static STAMP: LazyLock<Option<Pattern>> = LazyLock::new(|| {
    Pattern::new(
        r#"(?i)^\s*(?:\S+\s+\| |\[pod/\S+\] )?(?:time=|[\[(<"]?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|[\[(<"]?\d\d:\d\d:\d\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\s+\d+ \d\d:\d\d:\d\d|[\[(<"]?(?:trace|debug|info|notice|warn|warning|error|fatal)\b|\S+ \S+ \S+ \[\d\d/[A-Z][a-z]{2}/\d{4}|[IWEF]\d{4} \d\d:\d\d:\d\d|\[\s*\d+\.\d+\]|\{"(?:@?timestamp|time|ts|date|level|severity|lvl)" ?: ?)|^[a-z0-9][\w.-]*-\d+ +\| \S"#,
    )
    .ok()
});
static LOUD: LazyLock<Option<Pattern>> = LazyLock::new(|| {
    Pattern::new(r#"(?i)\b(?:warn|warning|error|err|fatal|critical|alert|emerg|panic)\b|" [45]\d\d |\bstatus(?:_?code)?["']?[=: ]+["']?[45]\d\d\b|"level" ?: ?[456]0\b"#).ok()
});

/// Kinds with no more lines than this are shown line by line; if there is room, also somewhat larger ones whose lines
/// all differ.
const FEW: usize = 3;
const FEW_WITH_ROOM: usize = 6;
/// Lines of a loud kind that are shown one by one; of more, the first ones, those that differ and the last one.
const LOUD_FEW: usize = 12;
/// The same where the agent would show the whole text: each warning tells of another place.
const LOUD_MANY: usize = 40;
/// Lines that differ from the others of their kind and are shown, of one kind and of all.
const ODD: usize = 5;
const ODD_ALL: usize = 60;
/// Kinds beyond which a text isn't a log of messages.
const MAX_KINDS: usize = 20_000;
/// The minimum room for rare lines, in bytes.
const LEAST: usize = 400;

/// First and last lines of a text of another form that are shown, and their share of the room, each.
const ENDS: usize = 3;
const END_SHARE: usize = 4;
/// With fewer bytes there is no room for them beside the rest, and from the second size on there always is.
const TIGHT: usize = 600;
const ROOMY: usize = 4_000;
/// The line above the last ones.
const LAST: &str = "at the end:\n";
/// Share of its lines, in percent, that must be of frequent kinds.
const ALIKE: usize = 60;

/// A text most of whose lines begin with a time or a level.
pub(crate) fn log(text: &str, room: usize) -> Option<String> {
    is_log(text).then(|| summary(&entries(text), room, true)).flatten()
}

/// Any other text, if most of its lines differ only in their values.
fn alike(text: &str, room: usize) -> Option<String> {
    let rulers = rulers(text);
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !rulers.contains(line.trim()));
    let entry = |line| Entry { line, below: Vec::new(), lines_below: 0, loud: is_loud(line) };
    summary(&lines.map(entry).collect::<Vec<_>>(), room, false)
}

/// A line's text without its times and durations.
fn hash_without_times(line: &str) -> u64 {
    message_key(line).unwrap_or_else(|| same_key(line))
}

/// Whether most lines of a text begin with a time, a level or the name of a container. Lines indented below them, as in
/// a trace, and the line that ends it don't count, unless most of them are errors and warnings: then it's a report. So
/// is a text with much more below its lines than lines, unless each of these begins with a time: a log of statements.
pub(crate) fn is_log(text: &str) -> bool {
    let (mut stamped, mut calm, mut others, mut below) = (0_usize, 0_usize, 0_usize, 0_usize);
    let mut timed = 0_usize;
    let mut in_trace = false;
    for line in text.lines().filter(|line| !line.trim().is_empty()).take(2_000) {
        let head = &line[..line.floor_char_boundary(200)];
        let indented = line.starts_with([' ', '\t']) || line.starts_with("Traceback (");
        if begins_entry(line, head) {
            stamped += 1;
            calm += usize::from(!begins_loud(head));
            timed += usize::from(stamp(head).is_some());
            in_trace = false;
        } else if indented || in_trace {
            below += 1;
            in_trace = indented;
        } else {
            others += 1;
        }
    }
    let is_of_times = timed == stamped && others == 0;
    if calm * 2 < stamped || stamped * 10 < below && !is_of_times {
        others += below;
    }
    stamped + others >= 5 && stamped * 10 >= (stamped + others) * 6
}

/// Whether a line, of which `head` is the beginning, is a message of its own.
fn begins_entry(line: &str, head: &str) -> bool {
    STAMP.as_ref().is_some_and(|pattern| pattern.is_match(head)) || records::is_message(line)
}

/// Whether a line begins with the level of an error or a warning, and no time.
fn begins_loud(line: &str) -> bool {
    let word = line.trim_start_matches([' ', '[', '(', '<', '"']);
    ["error", "warn", "fatal"]
        .iter()
        .any(|level| word.get(..level.len()).is_some_and(|w| w.eq_ignore_ascii_case(level)))
}

fn is_loud(line: &str) -> bool {
    LOUD.as_ref().is_some_and(|pattern| pattern.is_match(&line[..line.floor_char_boundary(400)]))
        || must_stay(line)
}

fn entries(text: &str) -> Vec<Entry<'_>> {
    let mut entries: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let head = &line[..line.floor_char_boundary(200)];
        let stamped = begins_entry(line, head);
        match entries.last_mut() {
            // A trace below a message belongs to it.
            Some((_, below)) if !stamped => below.push(line),
            _ => entries.push((line, Vec::new())),
        }
    }
    let entry = |(line, below): (_, Vec<_>)| Entry {
        line,
        lines_below: below.len(),
        below: below::shortened(below),
        loud: is_loud(line),
    };
    entries.into_iter().map(entry).collect()
}

/// The kinds with how often each came, and the lines of rare ones. A text that isn't a log also shows its ends and
/// the context of a loud line.
fn summary(entries: &[Entry<'_>], room: usize, stamped: bool) -> Option<String> {
    let spaced: Vec<Cow<'_, str>> = entries.iter().map(|entry| with_blanks(entry.line)).collect();
    let lines: Vec<(usize, &str, bool)> = entries
        .iter()
        .zip(&spaced)
        .enumerate()
        .map(|(at, (entry, line))| (at, &**line, entry.loud))
        .collect();
    let kinds = template::kinds(&lines);
    if kinds.len() > MAX_KINDS {
        return None;
    }
    let mut shown = vec![false; entries.len()];
    // In a log that is sorted otherwise, or has one container after the other, the first and the last line don't give
    // the span of time.
    let in_order = stamped && runs_in_one_direction(entries);
    let ends_of_log = entries.first().zip(entries.last()).filter(|_| in_order);
    let times = ends_of_log.and_then(|(first, last)| Some((stamp(first.line)?, stamp(last.line)?)));
    // The heading tells it, so a kind that comes from the beginning to the end doesn't.
    let whole = times.map(|_| span(entries, &[0, entries.len() - 1])).unwrap_or_default();
    if !stamped {
        let is_frequent = |kind: &template::Kind<'_>| {
            kind.lines.len() > FEW && kind.lines.first().is_some_and(|at| is_message(entries[*at].line))
        };
        let of_frequent: usize =
            kinds.iter().filter(|(_, kind)| is_frequent(kind)).map(|(_, kind)| kind.lines.len()).sum();
        if of_frequent * 100 < entries.len() * ALIKE {
            return None;
        }
    }
    // Where there is room for many lines, these are among them.
    let (first, last) = match stamped {
        false if (TIGHT..ROOMY).contains(&room) => ends(entries, room / END_SHARE),
        _ => (0, entries.len()),
    };
    if !stamped {
        let count = entries.len();
        (0..ENDS.min(count)).chain(count.saturating_sub(ENDS)..count).for_each(|at| shown[at] = true);
    }
    let fits = entries.iter().map(|entry| entry.bytes(room)).sum::<usize>() <= room;
    let loud_few = if fits { LOUD_MANY } else { LOUD_FEW };
    let few = if stamped && room >= ROOMY { FEW_WITH_ROOM } else { FEW };
    let mut frequent = Vec::new();
    let mut odd_left = ODD_ALL;
    for (loud, kind) in &kinds {
        // If there are hardly any words beside the values, the values are the requested data.
        let message = kind.lines.first().is_some_and(|at| is_message(entries[*at].line));
        let different: HashSet<u64> =
            kind.lines.iter().map(|at| hash_without_times(entries[*at].line)).collect();
        let says_more = kind.lines.len() <= few && different.len() == kind.lines.len();
        // Nothing but the time in front differs: the kind's own line has all that its lines say.
        let same = stamped && different.len() == 1 && kind.lines.len() > FEW && kind.is_constant();
        if kind.lines.len() <= FEW || says_more || !message && !same {
            kind.lines.iter().for_each(|at| shown[*at] = true);
            continue;
        }
        if *loud && different.len() <= loud_few {
            let mut seen = HashSet::new();
            for at in kind.lines.iter().filter(|at| seen.insert(hash_without_times(entries[**at].line))) {
                shown[*at] = true;
            }
        }
        let judged = kind.judged();
        let mut odd: Vec<(usize, f32)> = kind
            .lines
            .iter()
            .copied()
            .zip(judged.odd.iter().copied())
            .filter(|(_, odd)| *odd > 0.0)
            .collect();
        odd.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let most = if *loud { ODD * 2 } else { ODD };
        for (at, _) in odd.into_iter().take(most.min(odd_left)) {
            odd_left -= 1;
            shown[at] = true;
        }
        if *loud {
            let last = kind.lines.last().filter(|_| !same);
            kind.lines.iter().take(if same { 1 } else { FEW }).chain(last).for_each(|at| shown[*at] = true);
        }
        // The lines below a message are shown once for each different message.
        let mut seen = HashSet::new();
        for at in &kind.lines {
            let below = &entries[*at].below;
            if !below.is_empty() && (*loud || below.iter().any(|line| must_stay(line))) {
                let key: Vec<u64> = below.iter().map(|line| kind_key(line)).collect();
                shown[*at] |= seen.insert(key) && seen.len() <= loud_few;
            }
        }
        if kind.lines.iter().any(|at| !shown[*at]) {
            // A time within other text is a value: its first and last don't give a span of time.
            let span = if in_order { span(entries, &kind.lines) } else { String::new() };
            let span = if span == whole { String::new() } else { span };
            frequent.push((*loud, kind.lines.len(), span, kind.written(&judged)));
        }
    }
    if frequent.is_empty() {
        return None;
    }
    if !stamped {
        let loud: Vec<usize> = (0..entries.len()).filter(|at| shown[*at] && entries[*at].loud).collect();
        loud.iter().for_each(|at| {
            shown[at.saturating_sub(1)] = true;
            shown[(at + 1).min(entries.len() - 1)] = true;
        });
    }
    let what = if stamped { "messages" } else { "lines" };
    let kind = if kinds.len() == 1 { "kind" } else { "kinds" };
    let mut out = format!("{} {what}, {} {kind}", entries.len(), kinds.len());
    if let Some((first, last)) = times {
        out.push_str(", ");
        out.push_str(&from_to(first, last));
    }
    out.push('\n');
    frequent.sort_by_key(|(loud, count, ..)| (!loud, std::cmp::Reverse(*count)));
    let written: Vec<String> =
        frequent.iter().map(|(_, count, span, written)| format!("×{count} {written}{span}\n")).collect();
    // The first and last lines identify the text: they're shown at any budget.
    let shown_whole = |lines: std::ops::Range<usize>| -> String {
        entries[lines].iter().map(|entry| format!("{}\n", entry.line)).collect()
    };
    let (above, below) = (shown_whole(0..first), shown_whole(last..entries.len()));
    shown[..first].fill(true);
    shown[last..].fill(true);
    out.push_str(&above);
    let room = room.saturating_sub(if below.is_empty() { 0 } else { below.len() + LAST.len() });
    let heading = match stamped {
        true => "rare ones, and those that differ from their kind:\n",
        false if first > 0 => {
            "rare ones, those that differ from their kind, and samples of names, in their order:\n"
        }
        false => {
            "first and last ones, rare ones, those that differ from their kind, and samples of names, in their order:\n"
        }
    };
    if !stamped {
        let printed: usize = written.iter().map(String::len).sum();
        samples(entries, &kinds, room.saturating_sub(out.len() + heading.len() + printed + MORE), &mut shown);
    }
    let one_by_one: Vec<usize> = (first..last).filter(|at| shown[*at]).collect();
    let rare: usize = one_by_one.iter().map(|at| entries[*at].bytes(LONG)).sum();
    let left = room.saturating_sub(out.len() + heading.len());
    // If there isn't room for both, neither takes more than half; if there is little, the rare ones matter more.
    let kinds_room = left.saturating_sub(rare).max(left / if room < ROOMY { 3 } else { 2 });
    let mut used = 0;
    for (at, line) in written.iter().enumerate() {
        used += line.len();
        if used + MORE > kinds_room && at + 1 < written.len() {
            let lines: usize = frequent[at..].iter().map(|(_, count, ..)| count).sum();
            let (kinds, lines) = (counted(written.len() - at, "more kinds"), counted(lines, "lines"));
            out.push_str(&format!("… {kinds} of {lines}\n"));
            break;
        }
        out.push_str(line);
    }
    if !one_by_one.is_empty() {
        out.push_str(heading);
        let of_kinds = of_kinds(&kinds, entries.len());
        let least = if first > 0 { 0 } else { LEAST };
        rarest(entries, &one_by_one, &of_kinds, room.saturating_sub(out.len()).max(least), &mut out);
    }
    if !below.is_empty() {
        out.push_str(LAST);
        out.push_str(&below);
    }
    Some(out)
}

/// How many of the first lines take at most so many bytes, and where as many of the last begin.
fn ends(entries: &[Entry<'_>], most: usize) -> (usize, usize) {
    let fitting = |lines: &mut dyn Iterator<Item = &Entry<'_>>| {
        let mut used = 0;
        lines
            .take(ENDS)
            .take_while(|entry| {
                used += entry.line.len() + 1;
                used <= most
            })
            .count()
    };
    let first = fitting(&mut entries.iter());
    let last = fitting(&mut entries[first..].iter().rev());
    (first, entries.len() - last)
}

/// For any text: lines that repeat directly, apart from times, are counted.
pub(crate) fn repeats(text: &str, room: usize) -> String {
    if let Some(log) = log(text, room) {
        return log;
    }
    let out = without_repeats(text);
    if out.len() > room
        && let Some(short) = alike(text, room)
        && short.len() < out.len()
    {
        return short;
    }
    out
}

/// The text with lines that repeat directly, apart from times, counted.
pub(crate) fn without_repeats(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut repeat = Repeat::default();
    let mut blank = false;
    for line in normal::lines(text) {
        if line.trim().is_empty() {
            blank = true;
            continue;
        }
        if repeat.takes(line) {
            continue;
        }
        repeat.end(&mut out);
        if std::mem::take(&mut blank) && !out.is_empty() {
            out.push('\n');
        }
        out.push_str(line);
        out.push('\n');
        repeat.start(line);
    }
    repeat.end(&mut out);
    out
}

#[cfg(test)]
mod tests;
