//! pytest's failures in a few lines each: the test, the assertion, the user's own frames with the locals that matter,
//! and the first and last frame inside a library. Owns what isn't repeated: the summary's line heads its failure, and
//! a frame that another failure already showed is named by it.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::pytest_error::{error, most_telling};
use super::pytest_list::listed;
use super::pytest_native;
use super::pytest_nested::without_captured_sessions;
use super::pytest_report::{Failure, Frame, Part, failures, is_progress, is_rule, is_section, push};
use super::pytest_sessions::sessions;
use super::pytest_summary::{SUMMARY, Summary};
use super::pytest_text;
use super::runs::by_run;
use crate::Left;
use crate::cap::cap;
use crate::clip::clipped;
use crate::counted::counted;
use crate::normal;

/// A shorter report is easier to read with its source, in bytes.
const SMALL: usize = 3_500;
/// Longest statement, longest value of a local, and all of a frame's locals, in bytes.
const STATEMENT: usize = 200;
const VALUE: usize = 160;
const LOCALS: usize = 600;
/// How much of an error's first line is shown where not all frames fit, in bytes.
const FIRST_LINE: usize = 600;
/// How much of one test's captured output is shown, in lines and bytes.
const CAPTURED_LINES: usize = 20;
const CAPTURED: usize = 1_500;

/// How much of a failure is shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Much {
    /// The heading and the test's own frame.
    Heading,
    /// And the last of the user's own frames.
    Places,
    /// And the error after its first words.
    Errors,
    /// And more of the lines in which two values differ.
    Differences,
    /// Frames without locals and what was captured.
    Frames,
    All,
}

/// The report `text` with its failures shown in at most about `room` bytes.
pub(crate) fn pytest(text: &str, room: usize) -> Option<Left> {
    if text.len() <= SMALL.min(room) {
        return None;
    }
    by_run(text, room, sessions, of_one_session)
}

fn of_one_session(text: &str, room: usize) -> Option<Left> {
    let lines: Vec<&str> = normal::lines(text).collect();
    let lines = without_captured_sessions(&lines).unwrap_or(lines);
    let mut out = String::new();
    for much in [Much::All, Much::Frames, Much::Differences, Much::Errors, Much::Places, Much::Heading] {
        out = report(&lines, much)?;
        if out.len() <= room {
            return Some((out, Vec::new()));
        }
    }
    Some((listed(&lines, room).unwrap_or(out), Vec::new()))
}

fn report(lines: &[&str], much: Much) -> Option<String> {
    let mut summary = Summary::new(lines);
    let mut seen = Seen::default();
    let mut out = String::new();
    let mut found = false;
    let mut at = 0;
    let listed = lines.iter().any(|line| is_section(line));
    while let Some(line) = lines.get(at) {
        at += 1;
        if !is_section(line) {
            // The failed ones are shown below.
            if listed && !found && is_progress(line) {
                continue;
            }
            if !(summary.is_shown(at - 1) || line.contains(SUMMARY) && summary.all_shown(at, lines)) {
                push(&mut out, line);
            }
            continue;
        }
        push(&mut out, line);
        let end = lines[at..].iter().position(|line| is_rule(line)).map_or(lines.len(), |end| at + end);
        let section = failures(&lines[at..end]);
        if section.is_empty() {
            lines[at..end].iter().for_each(|line| push(&mut out, line));
        } else {
            found = true;
            section
                .iter()
                .for_each(|failure| write_failure(failure, much, &mut summary, &mut seen, &mut out));
            let last = !lines[end..].iter().any(|line| is_section(line));
            if seen.left > 0 && last {
                let _ = writeln!(
                    out,
                    "… {} of source, locals and library frames not shown",
                    counted(seen.left, "lines")
                );
            }
            if seen.text > 0 && last {
                let _ =
                    writeln!(out, "… {} without a frame not shown", counted(seen.text, "lines of errors"));
            }
        }
        at = end;
    }
    found.then_some(out)
}

/// What was shown before.
#[derive(Default)]
struct Seen {
    /// Frames after a test's own, with the test that had them.
    frames: HashMap<String, String>,
    captured: HashMap<String, String>,
    /// Lines of frames that are not shown.
    left: usize,
    /// Lines that are not shown of failures without a frame, as plugins report them.
    text: usize,
}

fn write_failure(
    failure: &Failure<'_>,
    much: Much,
    summary: &mut Summary<'_>,
    seen: &mut Seen,
    out: &mut String,
) {
    let frames = || {
        failure.parts.iter().filter_map(|part| match part {
            Part::Frame(frame) => Some(frame),
            Part::Line(_) => None,
        })
    };
    let errors = frames().map(|frame| frame.errors.len()).sum::<usize>();
    let first = failure.first_error();
    let heading = summary.heading(failure.name, first);
    let is_shown = heading.is_some() && !first.is_empty();
    let heading = heading.unwrap_or_else(|| format!("__ {} __", failure.name));
    let is_brief = much <= Much::Differences;
    // With `-vv` two long values take thousands of bytes before the line that tells where they differ.
    push(out, &if is_brief { clipped(&heading, FIRST_LINE).into_owned() } else { heading });
    if is_brief
        && let Some(left) = pytest_native::write(failure, much > Much::Heading, much >= Much::Errors, out)
    {
        seen.left += left;
        return;
    }
    if is_brief {
        let mut own = frames().filter(|frame| !frame.foreign);
        let entered = own.next();
        // Where it went wrong may be further in than the line that names the test: in a helper, or below a decorator.
        let ended = own.next_back().filter(|_| much > Much::Heading);
        for frame in
            entered.into_iter().chain(ended.filter(|frame| Some(frame.place) != entered.map(|own| own.place)))
        {
            push(out, &format!("  {}", frame.line()));
        }
        if !is_shown && !first.is_empty() {
            push(out, &format!("E {}", clipped(first, FIRST_LINE)));
        }
        if frames().next().is_none() {
            seen.text += pytest_text::write(failure, much >= Much::Errors, out);
            return;
        }
        seen.left += failure.parts.len() + errors;
        if much >= Much::Errors {
            let last = frames().rfind(|frame| !frame.errors.is_empty());
            let more = last.map_or(&[][..], |frame| frame.errors.get(1..).unwrap_or_default());
            let told = most_telling(more, much == Much::Differences);
            seen.left -= told.len();
            told.iter().for_each(|line| push(out, &format!("E {line}")));
        }
        return;
    }
    // After the test's own frame many tests have the same frames.
    let own = failure.parts.iter().position(|part| matches!(part, Part::Frame(frame) if !frame.foreign));
    let split = own.map_or(0, |own| own + 1);
    let mut names = Names::default();
    write_parts(&failure.parts[..split], much, is_shown.then_some(first), &mut names, seen, out);
    let way: String = failure.parts[split..].iter().map(Part::way).collect();
    match seen.frames.get(&way) {
        Some(other) if !way.is_empty() => {
            let _ = writeln!(out, "  then as in {other}");
            seen.left += failure.parts[split..].iter().map(Part::lines).sum::<usize>();
            let rest = failure.parts[split..].iter().filter_map(|part| match part {
                Part::Frame(frame) => Some(frame.errors.as_slice()),
                Part::Line(_) => None,
            });
            for line in rest.flatten().filter(|line| !(is_shown && error(line).trim() == first)) {
                push(out, &format!("E {}", error(line)));
            }
        }
        _ => {
            write_parts(&failure.parts[split..], much, is_shown.then_some(first), &mut names, seen, out);
            seen.frames.insert(way, failure.name.to_owned());
        }
    }
    write_captured(failure, much, seen, out);
}

impl<'t> Failure<'t> {
    /// The text of the exception that ended the test.
    pub(super) fn first_error(&self) -> &'t str {
        let last = self.parts.iter().rev().find_map(|part| match part {
            Part::Frame(frame) => frame.errors.first().copied(),
            Part::Line(_) => None,
        });
        last.map_or("", |line| error(line).trim())
    }
}

fn write_captured(failure: &Failure<'_>, much: Much, seen: &mut Seen, out: &mut String) {
    for (heading, lines) in &failure.captured {
        let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        let text = text.trim_end_matches('\n');
        if text.is_empty() {
            continue;
        }
        match seen.captured.get(text) {
            Some(other) => {
                let _ = writeln!(out, "{heading} as in {other}");
            }
            None => {
                push(out, heading);
                let room = if much == Much::All { CAPTURED } else { CAPTURED / 3 };
                push(out, cap(text, CAPTURED_LINES, room).trim_end());
                if text.len() > heading.len() {
                    seen.captured.insert(text.to_owned(), failure.name.to_owned());
                }
            }
        }
    }
}

/// Locals of a failure that were shown.
#[derive(Default)]
struct Names {
    shown: Vec<String>,
}

fn write_parts(
    parts: &[Part<'_>],
    much: Much,
    heading: Option<&str>,
    names: &mut Names,
    seen: &mut Seen,
    out: &mut String,
) {
    let mut at = 0;
    while let Some(part) = parts.get(at) {
        at += 1;
        let frame = match part {
            Part::Line(line) => {
                push(out, line);
                continue;
            }
            Part::Frame(frame) => frame,
        };
        // Of frames in libraries, the first shows the called function and the last the raised error.
        let foreign =
            |part: &Part<'_>| matches!(part, Part::Frame(frame) if frame.foreign && frame.errors.is_empty());
        let run =
            if foreign(part) { parts[at - 1..].iter().take_while(|part| foreign(part)).count() } else { 0 };
        frame.write(much, heading, names, seen, out);
        if run > 2 {
            let last = matches!(parts.get(at - 1 + run), Some(Part::Frame(frame)) if frame.foreign);
            let skipped = run - if last { 1 } else { 2 };
            let _ = writeln!(out, "  … {} not shown", counted(skipped, "more library frames"));
            seen.left += parts[at..at + skipped].iter().map(Part::lines).sum::<usize>();
            at += skipped;
        }
    }
}

impl Part<'_> {
    /// What distinguishes one sequence of frames from another: places and statements, not values.
    fn way(&self) -> String {
        match self {
            Part::Line(line) => format!("{line}\n"),
            Part::Frame(frame) => format!("{}\n", frame.line()),
        }
    }

    fn lines(&self) -> usize {
        match self {
            Part::Line(_) => 1,
            Part::Frame(frame) => 1 + frame.inner_lines(),
        }
    }
}

impl Frame<'_> {
    /// Lines besides its place and errors.
    fn inner_lines(&self) -> usize {
        self.rest + self.source.len() + self.locals.iter().map(Vec::len).sum::<usize>()
    }

    /// `src/cart.py:12: in total: return sum(lines)`.
    pub(super) fn line(&self) -> String {
        let mut line = format!("{}:", self.place);
        for part in [self.what.to_owned(), clipped(&self.source.join(" "), STATEMENT).into_owned()] {
            if !part.is_empty() {
                line.push_str(if line.ends_with(':') { " " } else { ": " });
                line.push_str(&part);
            }
        }
        line
    }

    fn write(&self, much: Much, heading: Option<&str>, names: &mut Names, seen: &mut Seen, out: &mut String) {
        if self.foreign {
            // A library's own variables don't matter.
            let what = if self.what.is_empty() { String::new() } else { format!(" {}", self.what) };
            let _ = writeln!(out, "  {}:{what}", self.place);
            seen.left += self.inner_lines();
        } else {
            let _ = writeln!(out, "  {}", self.line());
            seen.left += self.rest;
            if much == Much::All {
                self.write_locals(names, seen, out);
            } else {
                seen.left += self.locals.len();
            }
        }
        for line in
            self.errors.iter().filter(|line| heading.is_none_or(|heading| error(line).trim() != heading))
        {
            push(out, format!("E {}", error(line)).trim_end());
        }
    }

    fn write_locals(&self, names: &mut Names, seen: &mut Seen, out: &mut String) {
        let mut shown = String::new();
        for local in &self.locals {
            let Some((name, value)) = local.first().and_then(|line| line.split_once('=')) else { continue };
            let mut value = value.trim().to_owned();
            for line in &local[1..] {
                value.push(' ');
                value.push_str(line);
            }
            let text = format!("{} = {}", name.trim(), clipped(&value, VALUE));
            if is_opaque(&value) || names.shown.contains(&text) || shown.len() + text.len() > LOCALS {
                seen.left += local.len();
                continue;
            }
            shown.push_str(if shown.is_empty() { "    " } else { "; " });
            shown.push_str(&text);
            names.shown.push(text);
        }
        if !shown.is_empty() {
            push(out, &shown);
        }
    }
}

/// A value that only shows its class.
fn is_opaque(value: &str) -> bool {
    value.starts_with('<')
        && value.ends_with('>')
        && (value.contains(" object at 0x")
            || value.contains(" at 0x")
            || value.starts_with("<module ")
            || value.starts_with("<class "))
}
