//! Shortens the messages of gcc and clang: errors and warnings with their places, the places in the user's own code
//! that led there, and the number of candidates and headers. Owns distinguishing what a compiler repeats for every
//! candidate from what it prints once.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::place::place;
use crate::Left;
use crate::clip::clipped;
use crate::counted::counted;
use crate::guard::is_foreign;
use crate::normal;

/// A shorter report is easier to read with its source, in bytes.
const SMALL: usize = 2_500;
/// Notes about the user's own code that are shown with one error.
const NOTES: usize = 6;
/// And of these, reasons why a candidate does not fit.
const REASONS: usize = 2;
/// Longest line of source, in bytes.
const CODE: usize = 120;
/// Longest note and longest message, in bytes: names of templates grow beyond reading.
const LONG_NOTE: usize = 240;
const LONG: usize = 600;

/// The compilers' words for an error, a warning and a note, in English, German and French.
const ERRORS: &[&str] =
    &["error", "fatal error", "Fehler", "schwerwiegender Fehler", "erreur", "erreur fatale"];
const WARNINGS: &[&str] = &["warning", "Warnung", "attention", "avertissement"];
const NOTE_LEVELS: &[&str] = &["note", "Anmerkung"];

/// Whether `printed` begins with one of these levels. French has a blank before the colon.
fn is_level(printed: &str, levels: &[&str]) -> bool {
    levels
        .iter()
        .filter_map(|level| printed.strip_prefix(level))
        .any(|rest| rest.trim_start_matches([' ', '\u{a0}', '\u{202f}']).starts_with(": "))
}

/// Whether a compiler's report may begin with `line`.
pub(crate) fn may_begin(line: &str) -> bool {
    !matches!(kind(line, None), Kind::Other)
}

/// `text` with its errors and warnings in a few lines each; `None` where it is short or has none.
pub(crate) fn c_frames(text: &str) -> Option<Left> {
    if text.len() <= SMALL {
        return None;
    }
    let lines: Vec<&str> = normal::lines(text).collect();
    let mut report = Report::default();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1 + report.take(line, &lines[at + 1..]);
    }
    report.end();
    let mut out = String::with_capacity(text.len() / 4);
    report.pieces.iter().for_each(|piece| piece.write(&mut out));
    if report.source > 0 {
        let _ =
            writeln!(out, "… {} of source, chains and candidates not shown", counted(report.source, "lines"));
    }
    (report.found > 0).then(|| (out, Vec::new()))
}

/// What a line is.
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    /// An error or a warning.
    Head,
    Note,
    /// `In file included from`, `In function`.
    Chain,
    /// `required from here`, with the place of an instantiation.
    Required,
    /// `12 | code` and the marks below.
    Source,
    Other,
}

fn kind(line: &str, next: Option<&str>) -> Kind {
    if line.starts_with("In file included from ")
        || line.starts_with("In Datei, eingebunden von ")
        || line.starts_with("                 from ")
        || line.starts_with("In module imported at ")
    {
        return Kind::Chain;
    }
    if is_gutter(line) {
        return Kind::Source;
    }
    if let Some(found) = place(line) {
        let printed = found.rest;
        if is_level(printed, ERRORS) || is_level(printed, WARNINGS) {
            return Kind::Head;
        }
        if is_level(printed, NOTE_LEVELS) {
            return Kind::Note;
        }
        if printed.starts_with("required ") || printed.starts_with("recursively required ") {
            return Kind::Required;
        }
        // `recipe for target` and others need no source.
        return Kind::Other;
    }
    let context = [": In ", ": Dans ", ": At global scope:", ": At top level:", ": Auf höchster Ebene:"];
    if line.ends_with(':') && !line.starts_with(' ') && context.iter().any(|printed| line.contains(printed)) {
        return Kind::Chain;
    }
    if is_marks(line) || next.is_some_and(is_marks) {
        return Kind::Source;
    }
    Kind::Other
}

/// Why a constraint isn't met, wherever the concept is defined: `… evaluated to ‘false’`, clang's `evaluated to false`.
fn is_reason(note: &str) -> bool {
    note.split_once(" evaluated to ").is_some_and(|(_, what)| what.contains("false"))
}

/// `   12 | code`, `      | ^~~`, `  +++ |+code`.
fn is_gutter(line: &str) -> bool {
    let rest = line.trim_start_matches([' ', '+']);
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    line.starts_with([' ', '+']) && rest.starts_with('|')
}

/// `    ^~~~ ~~~`: clang's marks, without a gutter.
fn is_marks(line: &str) -> bool {
    line.contains('^') && line.starts_with([' ', '^', '~']) && line.bytes().all(|byte| b" ^~".contains(&byte))
}

/// A part of what is shown.
enum Piece<'t> {
    Line(&'t str),
    Error { before: String, head: &'t str, times: usize, differ: bool, after: String },
}

impl Piece<'_> {
    fn write(&self, out: &mut String) {
        match self {
            Piece::Line(line) => {
                let _ = writeln!(out, "{line}");
            }
            Piece::Error { before, head, times, differ, after } => {
                let mark = match (times, differ) {
                    (1, _) => String::new(),
                    (times, false) => format!("  [×{times}]"),
                    (times, true) => format!("  [×{times}, places in headers differ]"),
                };
                let _ = write!(out, "{before}{}{mark}\n{after}", clipped(head.trim_end(), LONG));
            }
        }
    }
}

#[derive(Default)]
struct Report<'t> {
    pieces: Vec<Piece<'t>>,
    /// Chains and instantiations that come before their error.
    waiting: Vec<&'t str>,
    /// The error that is open.
    open: Option<Open<'t>>,
    found: usize,
    /// Lines that are not shown.
    source: usize,
    /// An error's piece, to recognise similar ones.
    seen: HashMap<String, usize>,
}

#[derive(Default)]
struct Open<'t> {
    head: &'t str,
    /// Lines before the error that are about the user's own code.
    before: Vec<&'t str>,
    /// The first line of source below the error, where both are in the user's code.
    code: &'t str,
    notes: Vec<&'t str>,
    /// Notes about headers.
    foreign: usize,
}

impl Open<'_> {
    /// Whether `line` is the source of an error in the user's own code. A warning is clear without source.
    fn wants_code(&self, line: &str) -> bool {
        self.code.is_empty()
            && self.notes.is_empty()
            && self.foreign == 0
            && place(self.head).is_some_and(|found| is_level(found.rest, ERRORS))
            && !is_foreign(self.head)
            && !is_marks(line)
    }
}

/// A line of source without the gutter.
fn code(line: &str) -> &str {
    let rest = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    rest.trim_start().strip_prefix("| ").filter(|_| is_gutter(line)).unwrap_or(line).trim()
}

impl<'t> Report<'t> {
    /// Takes a line; returns how many of the following lines belong to it.
    fn take(&mut self, line: &'t str, behind: &[&'t str]) -> usize {
        match kind(line, behind.first().copied()) {
            Kind::Head => {
                self.close();
                let before = std::mem::take(&mut self.waiting);
                let (own, chains): (Vec<&str>, Vec<&str>) = before
                    .into_iter()
                    .partition(|line| kind(line, None) == Kind::Required && !is_foreign(line));
                self.source += chains.len();
                self.open = Some(Open { head: line, before: own, ..Open::default() });
                self.found += 1;
            }
            Kind::Note => match &mut self.open {
                Some(open) => {
                    // What is above a note led to the note, not to the next error.
                    self.source += self.waiting.len();
                    self.waiting.clear();
                    let foreign = is_foreign(line.split(": ").next().unwrap_or(line));
                    if foreign && !is_reason(line) {
                        open.foreign += 1;
                    } else {
                        open.notes.push(line);
                    }
                }
                None => self.other(line),
            },
            Kind::Chain | Kind::Required => self.waiting.push(line),
            Kind::Source if self.open.is_some() || !self.waiting.is_empty() => {
                if let Some(open) = self.open.as_mut().filter(|open| open.wants_code(line)) {
                    open.code = code(line);
                    return 0;
                }
                self.source += 1;
                // Clang's suggested insertion is below its marks.
                let fix = is_marks(line)
                    && behind.first().is_some_and(|fix| {
                        fix.starts_with("  ")
                            && fix.trim().len() < 60
                            && kind(fix, behind.get(1).copied()) == Kind::Other
                    });
                if let (true, Some(open), Some(fix)) = (fix, &mut self.open, behind.first()) {
                    open.notes.push(fix);
                    return 1;
                }
            }
            Kind::Source | Kind::Other => self.other(line),
        }
        0
    }

    fn other(&mut self, line: &'t str) {
        self.end();
        self.pieces.push(Piece::Line(line));
    }

    fn end(&mut self) {
        self.close();
        self.pieces.extend(self.waiting.drain(..).map(Piece::Line));
    }

    /// Ends the open error.
    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        let (mut before, mut after) = (String::new(), String::new());
        for line in &open.before {
            let line = format!("{}\n", clipped(line.trim_end(), LONG_NOTE));
            if before.contains(&line) { self.source += 1 } else { before.push_str(&line) }
        }
        if !open.code.is_empty() {
            let _ = writeln!(after, "    {}", clipped(open.code.trim_end(), CODE));
        }
        let mut notes: Vec<&str> = Vec::new();
        // A note at the error's own place says why a candidate doesn't fit.
        let at = open.head.find(": ").map_or(open.head, |end| &open.head[..end]);
        let line_at = at.rsplit_once(':').map_or(at, |(line, _)| line);
        let mut reasons = 0;
        for note in &open.notes {
            reasons += usize::from(note.starts_with(line_at));
            let more = notes.len() < NOTES && (!note.starts_with(line_at) || reasons <= REASONS);
            if more && !notes.contains(note) && !note.ends_with(ONCE) {
                notes.push(note);
                let _ = writeln!(after, "{}", clipped(note.trim_end(), LONG_NOTE));
            }
        }
        let repeated = open.notes.iter().filter(|note| note.ends_with(ONCE)).count();
        let left = open.foreign + open.notes.len() - notes.len() - repeated;
        // A mark replaces three lines or more; fewer are counted with the rest.
        match left {
            0..=2 => self.source += left,
            _ => {
                let _ = writeln!(after, "  … {left} notes not shown");
            }
        }
        // In a header the message and the include path identify the error, not the place in the header.
        let message = place(open.head).map_or(open.head, |found| found.rest);
        let known = if is_foreign(open.head) { format!("{before}{message}") } else { open.head.to_owned() };
        if let Some(Piece::Error { head, times, differ, .. }) =
            self.seen.get(&known).and_then(|at| self.pieces.get_mut(*at))
        {
            *times += 1;
            *differ |= *head != open.head;
            self.source += open.before.len() + open.notes.len() + open.foreign;
            return;
        }
        self.seen.insert(known, self.pieces.len());
        self.pieces.push(Piece::Error { before, head: open.head, times: 1, differ: false, after });
    }
}

/// A sentence that gcc repeats.
const ONCE: &str = "is reported only once for each function it appears in";

#[cfg(test)]
mod tests;
