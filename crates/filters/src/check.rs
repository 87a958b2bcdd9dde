//! Running a filter's cases, and the laws, which hold for every output whatever a filter says. Used by
//! `plimsoll filters test`, by this crate's tests and by the tool with which cases are accepted.

use std::collections::HashSet;
use std::path::Path;

use text::failures::{Mention, mention};

use crate::apply::{GENERIC, Shortened, shorten};
use crate::builtin;
use crate::definition::{Case, Filter, FilterError};
use crate::guard::{carries, must_stay};
use crate::native::Native;
use crate::normal::{normalise, words_of};
use crate::set::FilterSet;

/// What came of one case.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The filter.
    pub filter: String,
    /// The case.
    pub case: String,
    /// Bytes of the output as it was.
    pub before: usize,
    /// Bytes of what is left; the same when it is left alone.
    pub after: usize,
    /// Everything that is wrong; empty when it passes.
    pub wrong: Vec<String>,
    /// What is left, as it would be shown.
    pub shown: Option<String>,
}

/// The address that cases are shown with: as long as a real one.
pub const ADDRESS: &str = "plimsoll://task/t0123456789ab";

/// Checks all cases of a filter. `file_of` gives the content of a file that a case names.
///
/// # Errors
/// [`FilterError::Missing`] when such a file is missing.
pub fn cases(
    set: &FilterSet,
    filter: &Filter,
    file: &str,
    file_of: &dyn Fn(&str) -> Result<String, String>,
) -> Result<Vec<Outcome>, FilterError> {
    let read = |name: &str| {
        file_of(name).map_err(|reason| FilterError::Missing {
            file: file.to_owned(),
            missing: name.to_owned(),
            reason,
        })
    };
    let mut outcomes = Vec::with_capacity(filter.cases.len());
    for case in &filter.cases {
        let input = match (&case.input, &case.input_file) {
            (Some(input), _) => input.clone(),
            (None, Some(name)) => read(name)?,
            (None, None) => String::new(),
        };
        let output = match (&case.output, &case.output_file) {
            (Some(output), _) => Some(output.clone()),
            (None, Some(name)) => Some(read(name)?),
            (None, None) => None,
        };
        outcomes.push(one(set, filter, case, &input, output.as_deref()));
    }
    Ok(outcomes)
}

fn one(set: &FilterSet, filter: &Filter, case: &Case, input: &str, output: Option<&str>) -> Outcome {
    let done = shorten(set, &case.command, case.exit, input);
    let shown = done.as_ref().map(|done| done.with_address(Some(ADDRESS)));
    let after = shown.as_ref().map_or(input.len(), String::len);
    let mut wrong = laws(filter.native.map(Form::of), input, done.as_ref());
    let left = shown.as_deref().unwrap_or(input);
    for fact in &case.keep {
        if !left.contains(fact.as_str()) {
            wrong.push(format!("the fact {fact:?} is lost"));
        }
        if !normalise(input).contains(fact.as_str())
            && !input.contains(fact.as_str())
            && !left.contains(fact.as_str())
        {
            wrong.push(format!("the fact {fact:?} is not in the input either"));
        }
    }
    match &done {
        Some(done) if case.unchanged => {
            wrong.push(format!("should be left alone, but {} shortens it", done.filter));
        }
        Some(done) if done.filter != filter.name && done.filter != GENERIC => {
            wrong.push(format!("shortened by {} instead", done.filter));
        }
        None if !case.unchanged && output.is_some_and(|output| output.trim_end() != input.trim_end()) => {
            wrong.push("is left alone; set `unchanged = true` if that is wanted".into());
        }
        _ => {}
    }
    if let (Some(output), Some(shown)) = (output, &shown)
        && output.trim_end() != shown.trim_end()
    {
        wrong.push(format!("differs from what was accepted:\n{}", difference(output, shown)));
    }
    Outcome { filter: filter.name.clone(), case: case.name.clone(), before: input.len(), after, wrong, shown }
}

fn difference(old: &str, new: &str) -> String {
    similar::TextDiff::from_lines(old, new)
        .unified_diff()
        .context_radius(1)
        .header("accepted", "now")
        .to_string()
}

/// The laws that `done` breaks as a result for `input`; empty when it holds them all.
#[must_use]
pub fn laws(form: Option<Form>, input: &str, done: Option<&Shortened>) -> Vec<String> {
    let Some(done) = done else { return Vec::new() };
    let mut wrong = Vec::new();
    let shown = done.with_address(Some(ADDRESS));
    if shown.len() > input.len() {
        wrong.push(format!("longer than the original: {} instead of {} bytes", shown.len(), input.len()));
    }
    // Above the ceiling lines are counted instead; that is tested where the ceiling is.
    let capped =
        shown.contains("left out …") || shown.contains("not shown") || shown.contains(" failure line");
    let mut lost = Vec::new();
    match form {
        Some(Form::Diff) => lost_changes(input, &shown, &mut lost),
        Some(Form::Parts) => {}
        None => {
            let plain = text::strip_ansi(input);
            let missing =
                |line: &&str| must_stay(line) && !carries(&shown, line) && !(capped && line.len() > 300);
            lost.extend(plain.lines().flat_map(told).filter(missing).map(str::to_owned));
        }
    }
    if !capped {
        wrong.extend(lost.iter().take(5).map(|line| format!("a line that must stay is lost: {line:?}")));
    }
    wrong
}

/// What a line says for good: all its states but those that only count on, or that its last state still says.
fn told(line: &str) -> impl Iterator<Item = &str> {
    let states = line.split('\r').map(str::trim_end).filter(|state| !state.is_empty());
    let last = states.clone().next_back().unwrap_or("");
    let words: HashSet<&str> = words_of(last).collect();
    states.filter(move |state| {
        let still_said = words_of(state).all(|word| words.contains(word));
        *state == last || !still_said && !matches!(mention(state), Mention::Total { .. })
    })
}

/// The changed lines of the diff `input` that `shown` has not as they were printed. Nothing but the line's end is taken
/// off here: blanks and carriage returns may be the change.
fn lost_changes(input: &str, shown: &str, lost: &mut Vec<String>) {
    let plain = text::strip_ansi(input);
    let crlf = plain.split('\n').next().is_some_and(|first| first.ends_with('\r'));
    let shown: HashSet<&str> = shown.split('\n').collect();
    let mut hunk = false;
    for line in plain.split('\n') {
        hunk |= line.starts_with("@@");
        if !hunk || !line.starts_with(['+', '-']) || line.starts_with("---") || line.starts_with("+++") {
            continue;
        }
        let line = if crlf { line.strip_suffix('\r').unwrap_or(line) } else { line };
        if !shown.contains(line) {
            lost.push(line.to_owned());
        }
    }
}

/// How a filter's result is compared with its original.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Changed lines stay as they are.
    Diff,
    /// Lines are taken apart and put together anew: their parts are checked by the cases' facts.
    Parts,
}

impl Form {
    pub(crate) fn of(native: Native) -> Self {
        match native {
            Native::Diff => Form::Diff,
            _ => Form::Parts,
        }
    }
}

/// How results of the filter `name` are compared, for [`laws`]: `None` where every line is a line of the original.
#[must_use]
pub fn form(name: &str) -> Option<Form> {
    let Some(builtin) = builtin::all().iter().find(|builtin| builtin.name == name) else {
        // The generic filter and the one of bare JSON put lines together anew.
        return Some(Form::Parts);
    };
    Filter::parse(builtin.rules, builtin.file).ok()?.native.map(Form::of)
}

/// Checks every built-in filter.
#[must_use]
pub fn builtin(set: &FilterSet) -> Vec<Result<Vec<Outcome>, FilterError>> {
    builtin::all()
        .iter()
        .map(|builtin| {
            let filter = Filter::parse_whole(builtin.whole, builtin.file)?;
            let file_of = |name: &str| {
                let found = builtin.captures.iter().find(|(known, _)| *known == name);
                found
                    .map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned())
                    .ok_or_else(|| "not packed".to_owned())
            };
            cases(set, &filter, builtin.file, &file_of)
        })
        .collect()
}

/// Checks the filters of the person and the project in `set`.
#[must_use]
pub fn own(set: &FilterSet) -> Vec<Result<Vec<Outcome>, FilterError>> {
    set.own()
        .map(|(file, filter)| {
            let folder = file.parent().unwrap_or(Path::new("."));
            let file_of = |name: &str| {
                std::fs::read(folder.join(name))
                    .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
                    .map_err(|error| error.to_string())
            };
            cases(set, filter, &file.display().to_string(), &file_of)
        })
        .collect()
}
