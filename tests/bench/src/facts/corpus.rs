//! The corpus: scenarios in `tests/facts/*.toml`, each command's output, and the facts in it. Owns the form of those
//! files and the check that each fact is in its output; measures nothing.

use std::collections::HashSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use regex::Regex;
use serde::Deserialize;

use super::half;
use super::kept::{Fact, Text};

/// A file of the corpus: scenarios of one family.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    scenario: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    /// The kind of output: `test run`, `linter`, …
    kind: String,
    /// The tool and the project, with their versions, and what was changed in it.
    from: String,
    command: String,
    #[serde(default)]
    exit: i32,
    /// `npm NAME` or `crate NAME VERSION`: the command is run in this package's folder instead of taken from a capture.
    #[serde(default)]
    package: Option<String>,
    #[serde(default)]
    facts: Vec<String>,
    #[serde(default)]
    patterns: Vec<String>,
    #[serde(default)]
    places: Vec<String>,
    #[serde(default)]
    sample: Vec<Sample>,
}

/// Rows that are chosen at random, by the scenario's name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    rows: usize,
    /// Which lines are rows. The groups `file` and `line` make a place; else the group `fact`, else the whole row, must arrive.
    of: String,
}

/// A command with its output and its facts.
#[derive(Debug)]
pub(crate) struct Scenario {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) command: String,
    pub(crate) exit: i32,
    pub(crate) raw: Vec<u8>,
    /// The folder of its package, for a command that really runs.
    pub(crate) folder: Option<PathBuf>,
    pub(crate) facts: Vec<Fact>,
    /// The files that its facts name.
    pub(crate) files: Vec<String>,
}

/// The readable scenarios, and the errors of the others.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    pub(crate) scenarios: Vec<Scenario>,
    pub(crate) messages: Vec<String>,
}

/// Every scenario, by name. `packages` is the folder of pinned packages.
pub(crate) fn all(clone: &Path, packages: &Path) -> Result<Loaded> {
    let folder = clone.join("tests/facts");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .with_context(|| folder.display().to_string())?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    let mut loaded = Loaded::default();
    let mut missing = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let family: File = toml_edit::de::from_str(&text).with_context(|| file.display().to_string())?;
        for entry in family.scenario {
            let name = entry.name.clone();
            match load_scenario(&folder, packages, entry)
                .with_context(|| format!("{}: {name}", file.display()))?
            {
                Some(scenario) => loaded.scenarios.push(scenario),
                None => missing += 1,
            }
        }
    }
    if missing > 0 {
        loaded.messages.push(format!(
            "{missing} scenarios were left out: their packages or programs are not installed here."
        ));
    }
    loaded.scenarios.sort_by(|one, other| one.name.cmp(&other.name));
    for pair in loaded.scenarios.windows(2) {
        if let [one, other] = pair {
            ensure!(one.name != other.name, "two scenarios are called {}", one.name);
        }
    }
    Ok(loaded)
}

fn load_scenario(folder: &Path, packages: &Path, entry: Entry) -> Result<Option<Scenario>> {
    ensure!(!entry.from.is_empty(), "`from` says which tool and project");
    let (raw, at) = match &entry.package {
        None => (read_capture(&folder.join("captures").join(format!("{}.gz", entry.name)))?, None),
        Some(package) => {
            let at = packages.join(package);
            let Some(raw) = run_command(&at, &entry.command, entry.exit)? else { return Ok(None) };
            (raw, Some(at))
        }
    };
    let printed = String::from_utf8_lossy(&raw).into_owned();
    let mut facts: Vec<Fact> = entry.facts.iter().map(|fact| Fact::words(fact)).collect();
    for pattern in &entry.patterns {
        facts.push(Fact::pattern(pattern)?);
    }
    for place in &entry.places {
        facts.push(Fact::place(place)?);
    }
    for sample in &entry.sample {
        facts.extend(sample_facts(&entry.name, sample, &filters::normalise(&printed))?);
    }
    ensure!(!facts.is_empty(), "a scenario has facts");
    let mut seen = HashSet::new();
    facts.retain(|fact| seen.insert(fact.describe()));
    let files = files(&facts);
    let text = Text::new(&printed);
    for fact in &facts {
        ensure!(text.has(fact, &files), "the fact {} is not in the output", fact.describe());
    }
    let Entry { name, kind, command, exit, .. } = entry;
    Ok(Some(Scenario { name, kind, command, exit, raw, folder: at, facts, files }))
}

fn read_capture(path: &Path) -> Result<Vec<u8>> {
    let file = std::fs::File::open(path).with_context(|| path.display().to_string())?;
    let mut raw = Vec::new();
    flate2::read::GzDecoder::new(file).read_to_end(&mut raw).with_context(|| path.display().to_string())?;
    Ok(raw)
}

/// The command's output in the folder; none if the folder or the program is missing.
fn run_command(folder: &Path, command: &str, exit: i32) -> Result<Option<Vec<u8>>> {
    if !folder.is_dir() {
        return Ok(None);
    }
    let output = std::process::Command::new("sh")
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(folder)
        .env("LC_ALL", "C.UTF-8")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .context("running a shell")?;
    match output.status.code() {
        Some(127) => Ok(None),
        code if code == Some(exit) => Ok(Some(output.stdout)),
        code => bail!("`{command}` ended with {code:?} instead of {exit}"),
    }
}

fn sample_facts(name: &str, sample: &Sample, printed: &str) -> Result<Vec<Fact>> {
    let of = Regex::new(&sample.of).with_context(|| format!("the pattern {:?}", sample.of))?;
    let rows: Vec<regex::Captures<'_>> = printed.lines().filter_map(|line| of.captures(line)).collect();
    ensure!(!rows.is_empty(), "no line is a row of {:?}", sample.of);
    let mut facts = Vec::new();
    for at in half::sample(name, rows.len(), sample.rows) {
        let Some(row) = rows.get(at) else { continue };
        let group = |name: &str| row.name(name).map(|found| found.as_str());
        facts.push(match (group("file"), group("line")) {
            (Some(file), Some(line)) => Fact::Place { file: file.to_owned(), line: line.to_owned() },
            _ => Fact::words(group("fact").unwrap_or(&row[0])),
        });
    }
    Ok(facts)
}

/// The files that places are in.
fn files(facts: &[Fact]) -> Vec<String> {
    let mut files: Vec<String> = facts
        .iter()
        .filter_map(|fact| match fact {
            Fact::Place { file, .. } => Some(file.clone()),
            Fact::Words(_) | Fact::Pattern(_) => None,
        })
        .collect();
    files.sort();
    files.dedup();
    files
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::all;

    /// Loading checks every fact against its output; scenarios that need a missing package are left out with a message.
    #[test]
    fn every_fact_is_in_what_its_command_printed() {
        // Build output outlives clones: the folder is the one of this run, not of the last build.
        let here = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
        let loaded = all(&here.join("../.."), Path::new("no-packages")).expect("a corpus without mistakes");
        assert!(loaded.scenarios.len() >= 120, "{} scenarios", loaded.scenarios.len());
        assert!(loaded.messages.iter().any(|message| message.contains("left out")), "{:?}", loaded.messages);
        let bytes: usize = loaded.scenarios.iter().map(|scenario| scenario.raw.len()).sum();
        assert!(bytes > 2_000_000, "{bytes}");
    }
}
