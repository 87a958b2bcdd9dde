//! From a command and what it printed to a shorter text, or none. Owns the choice among filters, the generic filter
//! for unknown commands, and the last check: what is not worth it is left alone.

use std::borrow::Cow;
use std::sync::Arc;

use crate::again;
use crate::cap::{cap, spread};
use shell::base;
use shell::line::{self, Line, Simple};

use crate::command::{runs_other_tools, unwrapped};
use crate::data::binary;
use crate::definition::Filter;
use crate::diagnostics;
use crate::lines::Lines;
use crate::native;
use crate::normal::{self, normalise};
use crate::set::FilterSet;
use crate::shortened::{GENERIC, Shortened};
use crate::tight;

/// What a result must save at least, in bytes, to be worth a changed output.
pub const WORTH_BYTES: usize = 120;

/// Room for the address of the full output, in bytes.
const ADDRESS: usize = 64;
/// Outputs of unknown commands are left alone up to this size, in bytes.
const GENERIC_FROM: usize = 6_000;
/// Above this size, in bytes, an output of any kind is cut down to both ends and what must stay. Hosts cut at 30,000
/// characters themselves, and not by what matters.
pub(crate) const CEILING: usize = 24_000;
const CEILING_LINES: usize = 600;
/// Longer texts than so many times the room are not said in it by saying what comes again once.
const AGAIN: usize = 4;
/// Lists of findings that no filter of their own groups are grouped above this size, in bytes.
const LIST_FROM: usize = 4_000;

/// Programs that print nothing worth a thought; they may stand beside the one command that is filtered.
const SILENT: &[&str] = &[
    "cd", "export", "set", "source", ".", "true", "false", "mkdir", "touch", "rm", "cp", "mv", "sleep",
    "pushd", "popd", "umask", "ulimit", "unset", "alias", "chmod", "chown", "ln", "kill", "test", "[", ":",
    "wait", "exit", "return",
];
/// Stages after a pipe that only take a part of the lines or copy them.
const PARTS: &[&str] = &["head", "tail", "cat", "tee"];
/// The commands of a line whose output a filter may be for, each with whether its exit code is the line's.
fn subjects(line: &Line) -> Vec<&Simple> {
    let mut found = Vec::new();
    for (at, simple) in line.commands.iter().enumerate() {
        let argv = simple.argv();
        let Some(program) = argv.first() else { continue };
        if simple.to_file || simple.piped_in || SILENT.contains(&base(program)) {
            continue;
        }
        if simple.piped_out {
            let stages = line.commands.iter().skip(at + 1).take_while(|later| later.piped_in);
            let only_parts = stages
                .into_iter()
                .all(|stage| stage.argv().first().is_some_and(|p| PARTS.contains(&base(p))));
            if !only_parts {
                continue;
            }
        }
        found.push(simple);
    }
    found
}

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
    // What was shortened before is left alone: the numbers in it are those of the whole output.
    if text::is_own_output(output) {
        return None;
    }
    // A text that was asked for is shown whole where the agent would show it whole.
    let whole = room;
    // Where the agent would show everything, nothing is left out for want of room.
    let room = if output.len() <= whole { room } else { room.min(CEILING.max(room / 4 * 3)) };
    let line = line::parse(command);
    // Bytes are told before anything is made of them as a text.
    if let Some(told) = binary::told(output) {
        return of_bytes(set, &line, told, output).map(|shortened| (shortened, true));
    }
    let text = normalise(output);
    let mut found = None;
    let mut data = false;
    let mut lists = true;
    let mut grouped = false;
    // Whether any tool may have printed a part of it, which only the text tells.
    let mut any_tool = false;
    if !line.odd {
        let subjects = subjects(&line);
        let alone = subjects.len() == 1;
        for simple in subjects {
            let argv = simple.argv();
            let candidates = set.candidates(unwrapped(&argv));
            any_tool |= candidates.is_empty() || runs_other_tools(unwrapped(&argv));
            // A place in what was searched or listed is no finding.
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
    let kind = Kind { data, lists: lists && !data, grouped, whole, room };
    let other_tools = any_tool && !data && !set.prints_data(command);
    let recognised = other_tools.then(|| by_signature(set, found.as_ref(), &text, room)).flatten();
    let shortened = match recognised {
        // Where most of what is left is noise of something else, that is treated as what any unknown command prints.
        Some(part) if found.is_none() => finish(set, output, &part.text, None, kind)
            .filter(|rest| rest.text.len() * 2 <= part.text.len())
            .map(|rest| with_counts_of(rest, &part))
            .or_else(|| finish(set, output, &text, Some(part), kind)),
        Some(part) => finish(set, output, &text, Some(part), kind),
        None => finish(set, output, &text, found, kind),
    };
    shortened.map(|shortened| (shortened, data))
}

/// What the filters of all tools make of a text that they are recognised in, on top of what the command's own filter has
/// made of it; nothing where no other is.
fn by_signature(set: &FilterSet, own: Option<&Shortened>, text: &str, room: usize) -> Option<Shortened> {
    by_filters(&set.recognised(text), own.cloned(), text, room)
}

/// The same by the filters of the tools that were recognised.
fn by_filters(
    recognised: &[Arc<Filter>],
    own: Option<Shortened>,
    text: &str,
    room: usize,
) -> Option<Shortened> {
    let own_name = own.as_ref().map(|own| own.filter.clone());
    let mut done = own;
    let mut changed = false;
    // What steps make of a whole text comes after all rules, whose blocks end at lines that a step may leave out.
    for by_steps in [false, true] {
        for filter in recognised.iter().filter(|filter| own_name.as_ref() != Some(&filter.name)) {
            let before = done.as_ref().map_or(text, |done| done.text.as_str());
            let next = match by_steps {
                false => by_rules_among_others(filter, before),
                true => by_steps_alone(filter, before, room),
            };
            if next.text.len() >= before.len() {
                continue;
            }
            changed = true;
            done = Some(match done {
                Some(done) => {
                    Shortened { text: next.text, left_out: added(done.left_out, &next.left_out), ..done }
                }
                None => next,
            });
        }
    }
    done.filter(|_| changed)
}

/// The rest of an output that a recognised tool's filter has shortened before, with both counts, in that filter's name.
fn with_counts_of(rest: Shortened, part: &Shortened) -> Shortened {
    let left_out = added(part.left_out.clone(), &rest.left_out);
    Shortened { text: rest.text, filter: part.filter.clone(), left_out }
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

/// What is said of bytes that are no text: by the filter for what is shown, or by the one for any command.
fn of_bytes(set: &FilterSet, line: &Line, told: String, output: &str) -> Option<Shortened> {
    let shows = |filter: &Arc<Filter>| filter.native == Some(native::Native::Text);
    let named = line
        .commands
        .iter()
        .find_map(|simple| set.candidates(unwrapped(&simple.argv())).into_iter().find(shows))
        .map(|filter| filter.name.clone());
    let filter = named.or_else(|| (!set.is_off(GENERIC)).then(|| GENERIC.to_owned()))?;
    (told.len() + ADDRESS + WORTH_BYTES <= output.len()).then(|| Shortened {
        text: told,
        filter,
        left_out: Vec::new(),
    })
}

/// What is known of an output.
#[derive(Clone, Copy)]
struct Kind {
    /// It was asked for as it is.
    data: bool,
    /// It may be a list of findings.
    lists: bool,
    /// Its filter has grouped its findings: each row stands for the file above it.
    grouped: bool,
    /// Up to this size, in bytes, what was asked for is shown whole.
    whole: usize,
    /// How long the result may be, in bytes.
    room: usize,
}

/// The same for an output whose two parts were printed to different places: the shape is looked for in both together, and
/// each is shortened by itself by the same rules. Only filters by rules do that.
#[must_use]
pub fn shorten_parts(
    set: &FilterSet,
    command: &str,
    _exit: Option<i32>,
    out: &str,
    err: &str,
) -> Option<(Shortened, Shortened)> {
    if text::is_own_output(out) || text::is_own_output(err) {
        return None;
    }
    let line = line::parse(command);
    let simple = line.commands.first().filter(|_| !line.odd && line.commands.len() == 1)?;
    let argv = simple.argv();
    let (out_text, err_text) = (normalise(out), normalise(err));
    let candidates = set.candidates(unwrapped(&argv));
    let own = candidates
        .iter()
        .filter(|filter| filter.native.is_none())
        .find(|filter| filter.knows(&out_text) || filter.knows(&err_text));
    let shorten_one = |text: &str, recognised: &[Arc<Filter>]| {
        let own = own.map(|filter| by_rules(filter, text, CEILING));
        by_filters(recognised, own.clone(), text, CEILING).or(own)
    };
    let any_tool = candidates.is_empty() || runs_other_tools(unwrapped(&argv));
    let recognised = match any_tool && !set.prints_data(command) {
        // A tool may be told by what it prints to the other place.
        true => set.recognised(&format!("{out_text}\n{err_text}")),
        false => Vec::new(),
    };
    let as_it_is = |text: Cow<str>| Shortened { text: text.into_owned(), ..Shortened::default() };
    let (out_short, err_short) =
        match (shorten_one(&out_text, &recognised), shorten_one(&err_text, &recognised)) {
            (None, None) => return None,
            (Some(out), Some(err)) => (out, err),
            (Some(out), None) => (out, as_it_is(err_text)),
            (None, Some(err)) => (Shortened { filter: err.filter.clone(), ..as_it_is(out_text) }, err),
        };
    let mut left_out = out_short.left_out.clone();
    left_out.extend(err_short.left_out.iter().cloned());
    let out_short = Shortened { left_out, ..out_short };
    let whole = out_short.with_address(None).len() + err_short.text.len() + ADDRESS;
    let before = out.len() + err.len();
    (whole + WORTH_BYTES.max(before / 10) <= before).then_some((out_short, err_short))
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
    if let Some(told) = binary::told(output) {
        return of_bytes(set, &Line::default(), told, output);
    }
    let text = normalise(output);
    let json =
        native::json(&text, room).map(|text| Shortened { text, filter: "json".into(), left_out: Vec::new() });
    finish(set, output, &text, json, Kind { data: false, lists: true, grouped: false, whole: room, room })
}

/// What the first filter that knows the output makes of it, and whether its commands print data.
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
            // A parser of one shape has nothing to say about two commands' outputs in one.
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

pub(crate) fn by_rules(filter: &Arc<Filter>, text: &str, room: usize) -> Shortened {
    let mut lines = Lines::new(Arc::clone(filter));
    normal::lines(text).for_each(|line| lines.push(line));
    let (text, mut left_out) = lines.finish();
    let mut text = finished(filter, text, &mut left_out, room);
    if let Some(max) = filter.max_lines {
        // Rows that were asked for are left out for want of room only.
        text = match filter.prints_data() {
            true if text.len() <= room => text,
            true => spread(&text, max, room),
            false => cap(&text, max, room),
        };
    }
    Shortened { text, filter: filter.name.clone(), left_out }
}

/// The same by rules about lines only, where others may have printed some of them.
fn by_rules_among_others(filter: &Arc<Filter>, text: &str) -> Shortened {
    let mut lines = Lines::among_others(Arc::clone(filter));
    normal::lines(text).for_each(|line| lines.push(line));
    let (text, left_out) = lines.finish();
    Shortened { text, filter: filter.name.clone(), left_out }
}

fn by_steps_alone(filter: &Filter, text: &str, room: usize) -> Shortened {
    let mut left_out = Vec::new();
    let text = after_steps(filter, text.to_owned(), &mut left_out, room);
    Shortened { text, filter: filter.name.clone(), left_out }
}

/// What a filter makes of all that its rules left: traces and frames shorter, findings grouped.
pub(crate) fn finished(
    filter: &Filter,
    text: String,
    left_out: &mut Vec<(String, usize)>,
    room: usize,
) -> String {
    let text = after_steps(filter, text, left_out, room);
    let grouped = filter.findings.then(|| diagnostics::grouped(&text, room)).flatten();
    grouped.unwrap_or(text)
}

/// What the filter's steps about a whole text make of it.
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
            left_out.extend(counts.into_iter().map(|(what, count)| (what.to_owned(), count)));
        }
    }
    text
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
    // Of what nobody knows no less is shown than the agent would show.
    let room = if found.is_some() { room } else { whole };
    let mut tightened = false;
    let mut shortened = match found {
        Some(found) => found,
        None if generic && output.len() > if data { whole } else { GENERIC_FROM.min(room) } => {
            // A list of findings has the look of a search's matches.
            if lists && diagnostics::is_list(text) {
                Shortened { text: text.to_owned(), filter: GENERIC.to_owned(), left_out: Vec::new() }
            } else {
                let (shortened, is_data, is_tight) = generic_text(text, data, room);
                (data, tightened) = (is_data, is_tight);
                shortened
            }
        }
        // Of less only what it says again goes, and what says nothing.
        None if generic && !data => {
            let once = again::once(text);
            let tight = tight::tight(once.as_deref().unwrap_or(text));
            tightened = true;
            Shortened { text: tight.or(once)?, filter: GENERIC.to_owned(), left_out: Vec::new() }
        }
        None => return None,
    };
    if generic && lists && !data && shortened.text.len() > LIST_FROM.min(room) {
        grouped |= listed(&mut shortened, room);
    }
    // Where more has to go, what stands above may be gone as well.
    if generic
        && !data
        && !grouped
        && shortened.text.len() <= AGAIN * room
        && let Some(once) = again::once(&shortened.text).filter(|once| once.len() <= room)
    {
        shortened.text = once;
    }
    if generic
        && !data
        && !grouped
        && !tightened
        && shortened.filter == GENERIC
        && let Some(tight) = tight::tight(&shortened.text)
    {
        shortened.text = tight;
    }
    if shortened.text.len() > room && generic {
        let cut = if data { spread } else { cap };
        shortened.text = cut(&shortened.text, CEILING_LINES, room);
    }
    // Nothing is ever left of an output that said something.
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
    if let Some(grouped) = diagnostics::grouped(&shortened.text, room)
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
    // Where the same said in less room has room, nothing goes.
    let tight = (!data && text.len() > room).then(|| tight::tight(text)).flatten();
    if let Some(tight) = tight.as_ref().filter(|tight| tight.len() <= room) {
        let text = tight.clone();
        return (Shortened { text, filter: GENERIC.to_owned(), left_out: Vec::new() }, false, true);
    }
    let (text, data) = match native::shape(text, room) {
        Some(told) => (told, true),
        None if data => (text.to_owned(), true),
        None => (native::repeats(tight.as_deref().unwrap_or(text), room), false),
    };
    (Shortened { text, filter: GENERIC.to_owned(), left_out: Vec::new() }, data, tight.is_some())
}
