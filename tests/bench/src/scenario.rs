//! A scenario: a command with its output, the facts that must survive, and a question about it. Owns the form of the
//! files in `tests/saving/` and where their fixtures come from; measures nothing.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use filters::{Case, FilterSet};
use serde::Deserialize;

use crate::make;

/// One file of `tests/saving/`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scenario {
    pub(crate) name: String,
    /// The kind of output: `test run`, `document`, …
    pub(crate) kind: String,
    /// Whether the rivals' own benchmarks have this kind.
    #[serde(default)]
    pub(crate) rivals: bool,
    /// A captured case of a built-in filter, whose command, exit code, output and facts are taken.
    #[serde(default)]
    case: Option<Captured>,
    /// The command line; absent for an answer of another tool (a page, an MCP server).
    #[serde(default)]
    pub(crate) command: Option<String>,
    #[serde(default)]
    pub(crate) exit: Option<i32>,
    /// A fixture, from the root of the clone.
    #[serde(default)]
    file: Option<String>,
    /// A fixture that is made, by its name in `make`.
    #[serde(default)]
    make: Option<String>,
    /// The facts that must stay without a question.
    #[serde(default)]
    pub(crate) facts: Vec<String>,
    /// Whether nothing can be saved and it must stay as it is.
    #[serde(default)]
    pub(crate) unchanged: bool,
    #[serde(default)]
    pub(crate) ask: Option<Ask>,
    /// The fixture, once read.
    #[serde(skip)]
    pub(crate) raw: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Captured {
    /// The filter's file, from the root of the clone.
    pub(crate) filter: String,
    pub(crate) name: String,
}

/// The part of a filter's file that is of use here.
#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

/// A question about the output, asked of a tool instead of reading it all.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ask {
    /// In words, as an agent gives it as the intent.
    pub(crate) question: String,
    /// For documents: the query after indexing. Absent: it is an output, run with the question as intent.
    #[serde(default)]
    pub(crate) queries: Vec<String>,
    /// What answers it.
    pub(crate) facts: Vec<String>,
    /// JavaScript over `FILE_CONTENT` that answers it, as an author who knows the shape would write it.
    #[serde(default)]
    pub(crate) script: Option<String>,
    /// The facts that the script's output must contain.
    #[serde(default)]
    pub(crate) answers: Vec<String>,
}

/// Every scenario, by file name.
pub(crate) fn all(clone: &Path) -> Result<Vec<Scenario>> {
    let folder = clone.join("tests/saving");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .with_context(|| folder.display().to_string())?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    files.iter().map(|file| load_scenario(clone, file).with_context(|| file.display().to_string())).collect()
}

fn load_scenario(clone: &Path, file: &Path) -> Result<Scenario> {
    let mut scenario: Scenario = toml_edit::de::from_str(&std::fs::read_to_string(file)?)?;
    scenario.raw = match (&scenario.case, &scenario.file, &scenario.make) {
        (Some(captured), None, None) => {
            let (case, raw) = captured_case(clone, captured)?;
            scenario.command = Some(case.command);
            scenario.exit = case.exit;
            scenario.facts.extend(case.keep);
            scenario.unchanged |= case.unchanged;
            raw
        }
        (None, Some(file), None) => read(&clone.join(file))?,
        (None, None, Some(name)) => make::fixture(name)?,
        _ => bail!("exactly one of case, file, make"),
    };
    let asked = scenario.ask.iter().flat_map(|ask| &ask.facts);
    // A filter's case may name words of its filter; questions are about the original output.
    for fact in asked {
        ensure!(scenario.raw.contains(fact.as_str()), "the fact {fact:?} is not in the fixture");
    }
    if scenario.case.is_none() {
        for fact in &scenario.facts {
            ensure!(scenario.raw.contains(fact.as_str()), "the fact {fact:?} is not in the fixture");
        }
    }
    Ok(scenario)
}

pub(crate) fn captured_case(clone: &Path, captured: &Captured) -> Result<(Case, String)> {
    let file = clone.join(&captured.filter);
    let cases: Cases = toml_edit::de::from_str(&read(&file)?).with_context(|| file.display().to_string())?;
    let case = cases
        .case
        .into_iter()
        .find(|case| case.name == captured.name)
        .with_context(|| format!("{} has no case {:?}", captured.filter, captured.name))?;
    let raw = match (&case.input, &case.input_file) {
        (Some(input), _) => input.clone(),
        (None, Some(name)) => read(&file.with_file_name("").join(name))?,
        (None, None) => bail!("the case has no input"),
    };
    Ok((case, raw))
}

/// A file as text; captures of terminals need not be Unicode.
pub(crate) fn read(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// How many of `facts` are in `text`, and the first that is not.
pub(crate) fn count_kept<'f>(text: &str, facts: &'f [String]) -> (usize, Option<&'f str>) {
    let lost = facts.iter().find(|fact| !text.contains(fact.as_str()));
    (facts.iter().filter(|fact| text.contains(fact.as_str())).count(), lost.map(String::as_str))
}

/// The built-in filters.
pub(crate) fn filter_set() -> FilterSet {
    FilterSet::builtin()
}

/// The names of a filter's cases.
pub(crate) fn case_names(file: &Path) -> Result<Vec<String>> {
    let cases: Cases = toml_edit::de::from_str(&read(file)?).with_context(|| file.display().to_string())?;
    Ok(cases.case.into_iter().map(|case| case.name).collect())
}
