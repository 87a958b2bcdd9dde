//! Runs a filter's cases and checks the laws, which apply to every output regardless of the filter. Used by
//! `plimsoll filters test`, by this crate's tests and by the tool with which cases are accepted.

use std::path::Path;

use crate::builtin;
use crate::definition::{Case, Filter};
use crate::filter_error::FilterError;
pub use crate::laws::ADDRESS;
pub use crate::laws::{Form, laws};
use crate::native::Native;
use crate::normal::normalise;
use crate::set::FilterSet;
use crate::shorten::shorten;
use crate::shortened::GENERIC;

/// What came of one case.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The filter.
    pub filter: String,
    /// The case.
    pub case: String,
    /// Bytes of the output as it was.
    pub before: usize,
    /// Bytes of the result; the same as before if the output is left alone.
    pub after: usize,
    /// Everything that is wrong; empty when it passes.
    pub wrong: Vec<String>,
    /// The result, as it would be shown.
    pub shown: Option<String>,
}

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
    let own = if filter.generic { GENERIC } else { &filter.name };
    let by_other = done.as_ref().is_some_and(|done| done.filter != own);
    let form = match &done {
        Some(done) if by_other => form(&done.filter, &case.command),
        _ => form_of(filter),
    };
    let mut wrong = laws(form, input, done.as_ref());
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
        Some(done) if by_other => {
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

/// The accepted result beside the current one.
fn difference(old: &str, new: &str) -> String {
    edits::compare("output", old.as_bytes(), new.as_bytes()).0
}

/// How a result of the filter `name` for the command line `command` is compared with its original.
#[must_use]
pub fn form(name: &str, command: &str) -> Form {
    let found = builtin::all().iter().find(|builtin| builtin.name == name);
    match found.and_then(|builtin| Filter::parse(builtin.rules, builtin.file).ok()) {
        Some(filter) => form_of(&filter),
        // The generic filter only cuts the middle of data.
        None if FilterSet::builtin().prints_data(command) => Form::Data,
        None if name == GENERIC => Form::Report,
        None => Form::Data,
    }
}

fn form_of(filter: &Filter) -> Form {
    match filter.native {
        Some(Native::Diff) => Form::Diff,
        Some(Native::GitStatus) => Form::Data,
        _ if filter.prints_data() => Form::Data,
        _ => Form::Report,
    }
}

/// Checks every built-in filter.
#[must_use]
pub fn builtin(set: &FilterSet) -> Vec<Result<Vec<Outcome>, FilterError>> {
    let packed = match builtin::cases() {
        Ok(packed) => packed,
        Err(error) => {
            return vec![Err(FilterError::Missing {
                file: "the built-in filters".to_owned(),
                missing: "their cases".to_owned(),
                reason: error.to_string(),
            })];
        }
    };
    packed
        .iter()
        .map(|packed| {
            let filter = Filter::parse_whole(&packed.whole, &packed.file)?;
            let file_of = |name: &str| {
                let found = packed.captures.iter().find(|(known, _)| *known == name);
                found.map(|(_, text)| text.clone()).ok_or_else(|| "not packed".to_owned())
            };
            cases(set, &filter, &packed.file, &file_of)
        })
        .collect()
}

/// Checks the user's and the project's filters in `set`.
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
