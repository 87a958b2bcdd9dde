//! From a command and what it printed to a shorter text, or none. Owns the choice among filters, the generic filter
//! for unknown commands, and the last check: what is not worth it is left alone.

use std::sync::Arc;

use shell::line::{self, Line, Simple};

use crate::by_package::{by_package, finds_in_several};
use crate::by_rules::by_rules;
use crate::cap::{cap, spread};
use crate::command::{runs_other_tools, unwrapped};
use crate::compact::{compact, compact_within};
use crate::data::binary;
use crate::definition::Filter;
use crate::diagnostics;
use crate::duplicates;
use crate::go_events::go_events;
use crate::inner::inner;
use crate::native;
use crate::normal::normalise;
use crate::recognised::{by_signature, with_counts_of};
use crate::set::FilterSet;
use crate::shortened::{GENERIC, Shortened};
use crate::subjects::subjects;
use crate::traces::{catch2, test_list};
use crate::worth::{ADDRESS, WORTH_BYTES};

/// Outputs of unknown commands are left alone up to this size, in bytes.
const GENERIC_FROM: usize = 6_000;
/// Above this size, in bytes, an output of any kind is cut down to both ends and what must stay. Hosts cut at 30,000
/// characters themselves, and not by what matters.
pub(crate) const CEILING: usize = 24_000;
/// Texts longer than so many times the room don't fit just because repeats are written once.
const AGAIN: usize = 4;
/// Lists of findings that no filter of their own groups are grouped above this size, in bytes.
const LIST_FROM: usize = 4_000;

/// Shortens what the command line `command` printed, or leaves it alone (`None`). `exit` is its exit code where known.
#[must_use]
pub fn shorten(set: &FilterSet, command: &str, exit: Option<i32>, output: &str) -> Option<Shortened> {
    shorten_within(set, command, exit, output, CEILING)
}

/// The same where the text may have about `room` bytes; the closing line with the address comes on top. An
/// [`crate::Answer`] keeps to a size.
#[must_use]
pub fn shorten_within(
    set: &FilterSet,
    command: &str,
    exit: Option<i32>,
    output: &str,
    room: usize,
) -> Option<Shortened> {
    shortened_within(set, command, exit, output, room).map(|(shortened, _)| shortened)
}

/// The same, with whether its lines are data.
pub(crate) fn shortened_within(
    set: &FilterSet,
    command: &str,
    _exit: Option<i32>,
    output: &str,
    room: usize,
) -> Option<(Shortened, bool)> {
    shortened_as(set, command, output, room, true)
}

/// The same for the lines of one package among several, which are those of one program.
fn shortened_alone(set: &FilterSet, command: &str, output: &str, room: usize) -> Option<(Shortened, bool)> {
    shortened_as(set, command, output, room, false)
}

/// The output of a runner by package, where `command` may have started one; nothing where it is something else.
pub(crate) fn of_packages(set: &FilterSet, command: &str, output: &str, room: usize) -> Option<Shortened> {
    let command = &*inner(command);
    let line = line::parse(command);
    let starts_any = |simple: &Simple| {
        let argv = simple.argv();
        let argv = unwrapped(&argv);
        set.candidates(argv).is_empty() || runs_other_tools(argv)
    };
    if line.odd || !line.commands.iter().any(starts_any) || set.prints_data(command) {
        return None;
    }
    if text::is_own_output(output) {
        return None;
    }
    let text = normalise(output);
    let by_own = |simple: &Simple| {
        let candidates = set.candidates(unwrapped(&simple.argv()));
        candidates.iter().any(|filter| set.is_own(&filter.name) && filter.knows(&text))
    };
    if line.commands.iter().any(by_own) {
        return None;
    }
    by_package(set, output, &text, room, shortened_alone)
}

fn shortened_as(
    set: &FilterSet,
    command: &str,
    output: &str,
    room: usize,
    of_packages: bool,
) -> Option<(Shortened, bool)> {
    // Text that was already shortened is left alone: its numbers are those of the whole output.
    if text::is_own_output(output) {
        return None;
    }
    // A requested text is shown whole if the agent would show it whole.
    let whole = room;
    // If the agent would show everything, nothing is left out for lack of room.
    let room = if output.len() <= whole { room } else { room.min(CEILING.max(room / 4 * 3)) };
    let command = &*inner(command);
    let line = line::parse(command);
    // Bytes are shown before anything is made of them as a text.
    if let Some(description) = binary::description(output) {
        return of_bytes(set, &line, description, output).map(|shortened| (shortened, true));
    }
    let text = normalise(output);
    let mut found = None;
    let mut data = false;
    let mut lists = true;
    let mut grouped = false;
    // Whether any tool may have printed part of the text, which only the text tells.
    let mut any_tool = false;
    if !line.odd {
        let subjects = subjects(&line);
        let alone = subjects.len() == 1;
        for simple in subjects {
            let argv = simple.argv();
            let candidates = set.candidates(unwrapped(&argv));
            any_tool |= candidates.is_empty() || runs_other_tools(unwrapped(&argv));
            // A place in search results or listings isn't a finding.
            lists &= candidates.iter().all(|filter| filter.may_list());
            let done = by_filter(&candidates, unwrapped(&argv), &text, alone, (whole, room));
            data = data || done.is_none() && candidates.iter().any(|filter| filter.prints_data());
            if let Some((done, prints_data)) = done {
                grouped = candidates.iter().any(|filter| filter.findings && filter.name == done.filter);
                (found, data) = (Some(done), prints_data);
                break;
            }
        }
    }
    let other_tools = any_tool && !data && !set.prints_data(command);
    // A user's own filter shortens its own commands.
    let by_own = found.as_ref().is_some_and(|done| set.is_own(&done.filter));
    if other_tools && of_packages && !by_own {
        if let Some(done) = by_package(set, output, &text, room, shortened_alone) {
            return Some((done, false));
        }
        if output.len() <= whole && finds_in_several(&text) {
            return None;
        }
    }
    let kind = Kind { data, lists: lists && !data, grouped, whole, room };
    let calls: Vec<Vec<String>> =
        line.commands.iter().map(|simple| unwrapped(&simple.argv()).to_vec()).collect();
    let recognised = other_tools.then(|| by_signature(set, &calls, found.as_ref(), &text, room)).flatten();
    let shortened = match recognised {
        // Where most of what is left is noise of something else, that is treated as what any unknown command prints.
        Some(part) if found.is_none() => finish(set, output, &part.text, None, kind)
            .filter(|rest| rest.text.len() * 2 <= part.text.len() || of_any_program(set, &text))
            .map(|rest| with_counts_of(rest, &part))
            .or_else(|| finish(set, output, &text, Some(part), kind)),
        Some(part) => finish(set, output, &text, Some(part), kind),
        None => finish(set, output, &text, found, kind),
    };
    shortened.map(|shortened| (shortened, data))
}

/// Whether `text` is recognised only by how any program may end, such as a trace: what was printed before may be anything.
fn of_any_program(set: &FilterSet, text: &str) -> bool {
    set.recognised(text).iter().all(|filter| filter.prints_anything())
}

/// The description of bytes that aren't text: by the filter for what is shown, or by the one for any command.
fn of_bytes(set: &FilterSet, line: &Line, description: String, output: &str) -> Option<Shortened> {
    let shows = |filter: &Arc<Filter>| filter.native == Some(native::Native::Text);
    let named = line
        .commands
        .iter()
        .find_map(|simple| set.candidates(unwrapped(&simple.argv())).into_iter().find(shows))
        .map(|filter| filter.name.clone());
    let filter = named.or_else(|| (!set.is_off(GENERIC)).then(|| GENERIC.to_owned()))?;
    (description.len() + ADDRESS + WORTH_BYTES <= output.len()).then(|| Shortened {
        text: description,
        filter,
        left_out: Vec::new(),
    })
}

/// The facts about an output.
#[derive(Clone, Copy)]
struct Kind {
    /// It was requested unchanged.
    data: bool,
    /// It may be a list of findings.
    lists: bool,
    /// Its filter has grouped its findings: each row stands for the file above it.
    grouped: bool,
    /// Up to this size, in bytes, requested text is shown whole.
    whole: usize,
    /// How long the result may be, in bytes.
    room: usize,
}

/// Shortens a text that no known command printed: an answer of another tool, a page, a file.
#[must_use]
pub fn shorten_text(set: &FilterSet, output: &str) -> Option<Shortened> {
    shorten_text_within(set, output, CEILING)
}

/// The same in about `room` bytes.
pub(crate) fn shorten_text_within(set: &FilterSet, output: &str, room: usize) -> Option<Shortened> {
    if text::is_own_output(output) {
        return None;
    }
    if let Some(description) = binary::description(output) {
        return of_bytes(set, &Line::default(), description, output);
    }
    let text = normalise(output);
    let json =
        native::json(&text, room).map(|text| Shortened { text, filter: "json".into(), left_out: Vec::new() });
    finish(set, output, &text, json, Kind { data: false, lists: true, grouped: false, whole: room, room })
}

/// The result of the first filter that knows the output, and whether its commands print data.
fn by_filter(
    candidates: &[Arc<Filter>],
    argv: &[String],
    text: &str,
    alone: bool,
    (whole, room): (usize, usize),
) -> Option<(Shortened, bool)> {
    for filter in candidates {
        if !filter.knows(text) {
            continue;
        }
        if let Some(native) = filter.native {
            // A parser for one shape doesn't apply to the combined output of two commands.
            if !alone {
                continue;
            }
            let Some(text) = native::run(native, text, argv, whole, room) else { continue };
            let done = Shortened { text, filter: filter.name.clone(), left_out: Vec::new() };
            return Some((done, filter.prints_data()));
        }
        return Some((by_rules(filter, text, room), filter.prints_data()));
    }
    None
}

fn finish(
    set: &FilterSet,
    output: &str,
    text: &str,
    found: Option<Shortened>,
    kind: Kind,
) -> Option<Shortened> {
    let Kind { mut data, lists, mut grouped, whole, room } = kind;
    let generic = !set.is_off(GENERIC);
    // For an unknown output no less is shown than the agent would show.
    let room = if found.is_some() { room } else { whole };
    let mut compacted = false;
    let mut shortened = match found {
        Some(found) => found,
        None if generic && output.len() > if data { whole } else { GENERIC_FROM.min(room) } => {
            // A list of findings has the look of a search's matches.
            if lists && diagnostics::is_list(text) {
                Shortened { text: text.to_owned(), filter: GENERIC.to_owned(), left_out: Vec::new() }
            } else {
                let (shortened, is_data, is_compact) = generic_text(text, data, room);
                (data, compacted) = (is_data, is_compact);
                shortened
            }
        }
        // A smaller output loses only repeats and lines that say nothing.
        None if generic && !data => {
            let once = duplicates::shortened(text);
            let narrow = compact(once.as_deref().unwrap_or(text));
            compacted = true;
            Shortened { text: narrow.or(once)?, filter: GENERIC.to_owned(), left_out: Vec::new() }
        }
        None => return None,
    };
    if generic && lists && !data && shortened.text.len() > LIST_FROM.min(room) {
        grouped |= listed(&mut shortened, room);
    }
    // Where more has to go, the lines above that a mark points to may be gone as well.
    if generic
        && !data
        && !grouped
        && shortened.text.len() <= AGAIN * room
        && let Some(once) = duplicates::shortened(&shortened.text).filter(|once| once.len() <= room)
    {
        shortened.text = once;
    }
    if generic
        && !data
        && !grouped
        && !compacted
        && shortened.filter == GENERIC
        && let Some(narrow) = compact(&shortened.text).filter(|narrow| narrow.len() <= room)
    {
        shortened.text = narrow;
    }
    // What fits as it is isn't cut because its new text is longer.
    if shortened.text.len() > room && output.len() <= room {
        return None;
    }
    if shortened.text.len() > room && generic {
        let cut = if data { spread } else { cap };
        shortened.text = cut(&shortened.text, usize::MAX, room);
    }
    // Output that says something never becomes empty.
    if shortened.text.trim().is_empty() && shortened.left_out.is_empty() {
        return None;
    }
    let whole = shortened.with_address(None).len() + ADDRESS;
    (whole + WORTH_BYTES.max(output.len() / 10) <= output.len()).then_some(shortened)
}

/// Groups the findings that any command may print, where that is worth a changed layout; whether it did.
fn listed(shortened: &mut Shortened, room: usize) -> bool {
    if !diagnostics::is_styled(&shortened.text) {
        return false;
    }
    if let Some(grouped) = diagnostics::by_file_and_rule(&shortened.text, room)
        && (grouped.len() * 4 <= shortened.text.len() * 3 || shortened.text.len() > room)
    {
        shortened.text = grouped;
        return true;
    }
    false
}

/// For commands without a filter of their own: data by its shape, and otherwise progress and repeats go. With whether it
/// is data, and whether its tables are as narrow as they can be.
fn generic_text(text: &str, data: bool, room: usize) -> (Shortened, bool, bool) {
    // Test events are a report in pieces; as rows of JSON they would be sampled regardless of failures.
    if let Some(report) = (!data).then(|| go_events(text, room)).flatten() {
        return (report, false, true);
    }
    // If a narrower layout fits, nothing is dropped.
    let narrow = (!data && text.len() > room).then(|| compact(text)).flatten();
    let fits = |text: String| (text.len() <= room).then_some(text);
    let whole = narrow.as_ref().and_then(|narrow| {
        fits(narrow.clone())
            .or_else(|| fits(native::without_repeats(narrow)))
            .or_else(|| compact_within(text, room))
    });
    if let Some(text) = whole {
        return (Shortened { text, filter: GENERIC.to_owned(), left_out: Vec::new() }, false, true);
    }
    // A report whose failures can be told as a list, or a list of tests.
    let list = || catch2(text, room).or_else(|| test_list(text, room));
    if let Some((text, left_out)) = (!data && text.len() > room).then(list).flatten() {
        let left_out = left_out.into_iter().map(|(what, count)| (what.to_owned(), count)).collect();
        return (Shortened { text, filter: GENERIC.to_owned(), left_out }, false, true);
    }
    // From here on, lines of the output are counted, so joined lines are split again.
    let narrow = narrow.filter(|narrow| narrow.lines().count() == text.lines().count());
    let (text, data) = match native::shape(text, room) {
        Some(short) => (short, true),
        None if data => (text.to_owned(), true),
        None => (native::repeats(narrow.as_deref().unwrap_or(text), room), false),
    };
    (Shortened { text, filter: GENERIC.to_owned(), left_out: Vec::new() }, data, narrow.is_some())
}
