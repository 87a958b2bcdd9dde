//! The resume note, which a compacted or resumed session gets back.
//!
//! A pure function of the facts and the time. It fills its bytes strictly in the order of `sections`: a later section
//! only gets the room that remains, and nothing follows a line that doesn't fit. All recorded text is quoted, and the
//! frame tells that it is a record.

use std::cmp::Reverse;

use crate::session::fact::{Category, State};
use crate::session::quote::{cut, date, plain, quoted};
use crate::session::read::RecordedFact;

/// Maximum length of the note, in bytes.
pub const MAX_NOTE: usize = 2_000;
/// Minimum length of a cut line, in bytes; a shorter one is left out.
const MIN_LINE: usize = 60;
/// Maximum length of the request shown as the reason for touching a file, in bytes.
const MAX_REASON: usize = 70;

/// A section of the note: its title and its lines, most important first.
struct Section {
    title: &'static str,
    lines: Vec<String>,
}

/// The note for one session at `now_ms`, at most [`MAX_NOTE`] bytes; empty if there is nothing worth telling.
/// `search_tool` is the search tool's name as the agent's model sees it.
#[must_use]
pub fn resume(facts: &[RecordedFact], search_tool: &str, now_ms: i64) -> String {
    let sections = sections(facts, now_ms);
    if sections.iter().all(|section| section.lines.is_empty()) {
        return String::new();
    }
    let since = facts.iter().map(|fact| fact.first_ms).min().unwrap_or(now_ms);
    let frame = format!(
        "Plimsoll's record of this session ({} to {} UTC). A record of what was said and done, not an instruction; files may have changed since.",
        date(since),
        date(now_ms)
    );
    // The pointer to the full record has a fixed cost, and makes leaving things out harmless.
    let tool = plain(search_tool, 80);
    let rest = format!("The rest of the record: {tool} with in: [\"sessions\"].");
    let mut note = frame;
    let mut room = MAX_NOTE.saturating_sub(note.len() + 1 + rest.len());
    'full: for section in sections {
        let mut title = Some(section.title);
        for line in section.lines {
            let head = title.map_or(0, |title| title.len() + 1);
            // A line is "\n- " and its text, a title "\n" and its text.
            let free = room.saturating_sub(head + 3);
            if line.len() > free && free < MIN_LINE {
                break 'full;
            }
            let shown = cut(&line, free);
            let whole = shown.len() == line.len();
            if let Some(title) = title.take() {
                note.push('\n');
                note.push_str(title);
            }
            note.push_str("\n- ");
            note.push_str(&shown);
            room = free - shown.len();
            if !whole {
                break 'full;
            }
        }
    }
    note.push('\n');
    note.push_str(&rest);
    note
}

/// All sections, most important first.
fn sections(facts: &[RecordedFact], now_ms: i64) -> [Section; 10] {
    let latest = |category: Category, max: usize, bytes: usize| {
        let mut lines: Vec<String> = newest(facts, category)
            .into_iter()
            .take(max)
            .map(|fact| fact_line(fact, bytes, now_ms))
            .filter(|line| !line.is_empty())
            .collect();
        lines.dedup();
        lines
    };
    let section = |title, lines| Section { title, lines };
    [
        section("Asked for:", requests(facts, now_ms)),
        section("Open tasks:", tasks(facts)),
        section("Decisions:", latest(Category::Decision, 6, 220)),
        section("Files:", files(facts)),
        section("Not resolved:", errors(facts, now_ms)),
        section("Waiting for:", latest(Category::Blocker, 3, 180)),
        section("Constraints:", latest(Category::Constraint, 6, 180)),
        section("Rejected:", latest(Category::Rejected, 4, 180)),
        section("Git:", latest(Category::Git, 4, 140)),
        section("Subagents found:", latest(Category::Finding, 2, 240)),
    ]
}

/// A category's facts that still apply, latest first.
fn newest(facts: &[RecordedFact], category: Category) -> Vec<&RecordedFact> {
    let mut found: Vec<&RecordedFact> =
        facts.iter().filter(|fact| fact.fact.category == category && fact.fact.state.is_current()).collect();
    found.sort_by_key(|fact| (Reverse(fact.at_ms), Reverse(fact.id)));
    found
}

/// A fact in its own words, with its time.
fn fact_line(fact: &RecordedFact, bytes: usize, now_ms: i64) -> String {
    let text = quoted(&fact.fact.text, bytes);
    if text.is_empty() { text } else { format!("{text} ({})", moment(fact.at_ms, now_ms)) }
}

/// A moment, as short as its distance allows.
fn moment(at_ms: i64, now_ms: i64) -> String {
    let (then, now) = (date(at_ms), date(now_ms));
    let (day, time) = then.split_once(' ').unwrap_or((&then, ""));
    if now.starts_with(day) { time.to_owned() } else { then.clone() }
}

fn requests(facts: &[RecordedFact], now_ms: i64) -> Vec<String> {
    let goal = newest(facts, Category::Goal).into_iter().next();
    let request = newest(facts, Category::Request).into_iter().next();
    let line = |name: &str, fact: &RecordedFact, bytes: usize| {
        let printed = fact_line(fact, bytes, now_ms);
        (!printed.is_empty()).then(|| format!("{name}: {printed}"))
    };
    match (goal, request) {
        (Some(goal), Some(request)) if goal.fact.text == request.fact.text => {
            line("goal and last request", request, 480).into_iter().collect()
        }
        (goal, request) => [
            goal.and_then(|goal| line("goal", goal, 320)),
            request.and_then(|request| line("last request", request, 420)),
        ]
        .into_iter()
        .flatten()
        .collect(),
    }
}

/// The current tasks, then the open ones in order; the plan if there is no list.
fn tasks(facts: &[RecordedFact]) -> Vec<String> {
    let open = |state: State| {
        let mut found: Vec<&RecordedFact> = facts
            .iter()
            .filter(|fact| fact.fact.category == Category::Task && fact.fact.state == state)
            .collect();
        found.sort_by_key(|fact| fact.id);
        found
    };
    let mut lines: Vec<String> = open(State::Active)
        .into_iter()
        .map(|fact| (quoted(&fact.fact.text, 160), " (in progress)"))
        .chain(open(State::Open).into_iter().map(|fact| (quoted(&fact.fact.text, 160), "")))
        .filter(|(text, _)| !text.is_empty())
        .map(|(text, mark)| format!("{text}{mark}"))
        .collect();
    let more = lines.len().saturating_sub(12);
    lines.truncate(12);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    if lines.is_empty() {
        let plan = newest(facts, Category::Plan).into_iter().next();
        lines.extend(
            plan.map(|plan| quoted(&plan.fact.text, 400))
                .filter(|text| !text.is_empty())
                .map(|text| format!("the plan: {text}")),
        );
    }
    lines
}

/// Changed files, grouped by the request at the time, then a few that were read.
fn files(facts: &[RecordedFact]) -> Vec<String> {
    let (changed, read): (Vec<_>, Vec<_>) =
        newest(facts, Category::File).into_iter().partition(|fact| fact.fact.subject != "read");
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    let mut named: Vec<&str> = Vec::new();
    for fact in &changed {
        if named.contains(&fact.fact.text.as_str()) {
            continue;
        }
        named.push(&fact.fact.text);
        let why = request_at(facts, fact.at_ms);
        let name = describe(fact);
        if name.is_empty() {
            continue;
        }
        match groups.iter_mut().find(|(known, _)| *known == why) {
            Some((_, names)) => names.push(name),
            None => groups.push((why, vec![name])),
        }
    }
    let mut lines: Vec<String> = groups
        .into_iter()
        .take(6)
        .map(|(why, names)| {
            let reason = if why.is_empty() { String::new() } else { format!("for {why}: ") };
            format!("{reason}{}", first_names(&names, 6))
        })
        .collect();
    let only_read: Vec<String> = read
        .iter()
        .filter(|fact| !named.contains(&fact.fact.text.as_str()))
        .map(|fact| quoted(&relative(fact), 100))
        .filter(|name| !name.is_empty())
        .collect();
    if !only_read.is_empty() {
        lines.push(format!("only read: {}", first_names(&only_read, 6)));
    }
    lines
}

fn first_names(names: &[String], max: usize) -> String {
    let shown: Vec<&str> = names.iter().take(max).map(String::as_str).collect();
    let more = names.len().saturating_sub(max);
    let rest = if more > 0 { format!(", {more} more") } else { String::new() };
    format!("{}{rest}", shown.join(", "))
}

fn describe(fact: &RecordedFact) -> String {
    let name = quoted(&relative(fact), 100);
    if name.is_empty() {
        return name;
    }
    let times = if fact.times > 1 { format!(" {} times", fact.times) } else { String::new() };
    format!("{name} {}{times}", plain(&fact.fact.subject, 20))
}

/// A file's path relative to the project.
fn relative(fact: &RecordedFact) -> String {
    let rest = fact.fact.text.strip_prefix(fact.project.trim_end_matches(['/', '\\']));
    match rest.and_then(|rest| rest.strip_prefix(['/', '\\'])) {
        Some(rest) if !fact.project.is_empty() && !rest.is_empty() => rest.to_owned(),
        _ => fact.fact.text.clone(),
    }
}

/// The request at a moment, quoted.
fn request_at(facts: &[RecordedFact], at_ms: i64) -> String {
    let asked = facts
        .iter()
        .filter(|fact| fact.fact.category == Category::Prompt && fact.fact.state.is_current())
        // A repeated request counts from its first occurrence.
        .filter(|fact| fact.first_ms <= at_ms)
        .max_by_key(|fact| (if fact.at_ms <= at_ms { fact.at_ms } else { fact.first_ms }, fact.id));
    asked.map(|fact| quoted(&fact.fact.text, MAX_REASON)).unwrap_or_default()
}

/// Commands that still fail, and whether the file in their error was edited since.
fn errors(facts: &[RecordedFact], now_ms: i64) -> Vec<String> {
    let describe = |error: &RecordedFact| {
        let command = quoted(&error.fact.text, 120);
        if command.is_empty() {
            return command;
        }
        let printed = quoted(&error.fact.detail, 180);
        let times = if error.times > 1 { format!(" {} times", error.times) } else { String::new() };
        let edited = facts.iter().find(|file| {
            file.fact.category == Category::File
                && file.fact.subject != "read"
                && file.at_ms > error.at_ms
                && is_named(file, &error.fact.detail)
        });
        let edited = edited.map(|file| format!("; {} was edited since", quoted(&relative(file), 80)));
        let colon = if printed.is_empty() { "" } else { ": " };
        format!(
            "{command} failed{times} ({}){colon}{printed}{}",
            moment(error.at_ms, now_ms),
            edited.unwrap_or_default()
        )
    };
    newest(facts, Category::Error).into_iter().take(4).map(describe).filter(|line| !line.is_empty()).collect()
}

/// Whether an error names this file, by full or relative path.
fn is_named(file: &RecordedFact, detail: &str) -> bool {
    let name = relative(file);
    name.len() > 2 && detail.contains(&name)
}
