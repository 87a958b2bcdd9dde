//! The calls of the session: from `day.toml` or another day, with each call's output and the facts in it. Owns the form of
//! that file; does not know how an agent makes a call.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::facts::{self, half};
use crate::scenario;

/// `day.toml`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    files: Vec<Files>,
    step: Vec<Step>,
}

/// A folder of the clone that is copied into the project.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Files {
    pub(super) from: PathBuf,
    pub(super) to: PathBuf,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    fact: Option<String>,
    run: Option<String>,
    read: Option<String>,
}

/// The calls, and the files that they work on.
#[derive(Debug)]
pub(super) struct Script {
    pub(super) files: Vec<Files>,
    pub(super) calls: Vec<Call>,
}

/// One call.
#[derive(Debug)]
pub(super) struct Call {
    /// Its name in lists.
    pub(super) name: String,
    pub(super) what: StepKind,
    /// Facts of its output, and the files that they name.
    pub(super) facts: Vec<facts::kept::Fact>,
    pub(super) files: Vec<String>,
    /// The size of a short text with all those facts, as it is written in a request; none where there are no facts.
    pub(super) least: Option<usize>,
}

impl Call {
    /// Whether it stays unseen: filters aren't tuned on the held-out half of the corpus.
    pub(super) fn is_held_out(&self) -> bool {
        !self.facts.is_empty() && half::held_out(&self.name)
    }
}

#[derive(Debug)]
pub(super) enum StepKind {
    /// A command; its stand-in's output and exit code.
    Shell { command: String, prints: Option<(Vec<u8>, i32)> },
    /// A file of the project.
    Read(String),
}

impl Script {
    /// The first `calls` calls of the day of this name.
    pub(super) fn load(clone: &Path, day: &str, calls: usize) -> Result<Self> {
        let file = clone.join("tests/saving/session").join(format!("{day}.toml"));
        let written: Written =
            toml_edit::de::from_str(&scenario::read(&file)?).with_context(|| file.display().to_string())?;
        let mut corpus = facts::corpus::all(clone, Path::new("no-packages"))?.scenarios;
        let mut found = Vec::new();
        for step in written.step.into_iter().take(calls) {
            found.push(match step {
                Step { fact: Some(name), run: None, read: None } => {
                    let at = corpus.iter().position(|scenario| scenario.name == name);
                    let scenario = corpus.swap_remove(at.with_context(|| format!("no scenario {name:?}"))?);
                    let least = Some(written_size(&facts::least::least_text(&scenario)));
                    let prints = Some((scenario.raw, scenario.exit));
                    let what = StepKind::Shell { command: scenario.command, prints };
                    Call { name, what, facts: scenario.facts, files: scenario.files, least }
                }
                Step { fact: None, run: Some(command), read: None } => Call {
                    name: command.clone(),
                    what: StepKind::Shell { command, prints: None },
                    facts: Vec::new(),
                    files: Vec::new(),
                    least: None,
                },
                Step { fact: None, run: None, read: Some(path) } => Call {
                    name: format!("read {path}"),
                    what: StepKind::Read(path),
                    facts: Vec::new(),
                    files: Vec::new(),
                    least: None,
                },
                step => bail!("exactly one of fact, run, read: {step:?}"),
            });
        }
        Ok(Self { files: written.files, calls: found })
    }

    pub(super) fn calls(&self) -> usize {
        self.calls.len()
    }
}

/// The size of a text in a request, without its quotes.
pub(super) fn written_size(text: &str) -> usize {
    serde_json::Value::from(text).to_string().len() - 2
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{Script, StepKind};

    fn clone() -> PathBuf {
        let here = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
        here.join("../..")
    }

    /// Its files exist.
    fn loaded(day: &str) -> Script {
        let clone = clone();
        let script = Script::load(&clone, day, usize::MAX).expect("a script without mistakes");
        for files in &script.files {
            assert!(clone.join(&files.from).is_dir(), "{files:?}");
        }
        for call in &script.calls {
            if let StepKind::Read(path) = &call.what {
                let there = script.files.iter().any(|files| {
                    let rest = std::path::Path::new(path).strip_prefix(&files.to);
                    rest.is_ok_and(|rest| clone.join(&files.from).join(rest).is_file())
                });
                assert!(there, "{path}");
            }
        }
        script
    }

    /// Most of what an agent's commands print is short.
    #[test]
    fn the_small_day_is_small() {
        let script = loaded("small");
        assert_eq!(script.calls(), 40);
        let printed = script.calls.iter().filter_map(|call| match &call.what {
            StepKind::Shell { prints: Some((bytes, _)), .. } => Some(bytes.len()),
            _ => None,
        });
        let (small, others): (Vec<usize>, Vec<usize>) = printed.partition(|bytes| *bytes < 3_000);
        assert!(small.len() >= 3 * others.len(), "{small:?}, {others:?}");
        assert!(others.iter().any(|bytes| *bytes > 30_000), "{others:?}");
    }

    /// The mix must keep containing small outputs, outputs that every host cuts, failures, searches and reads.
    #[test]
    fn the_day_is_mixed() {
        let script = loaded("day");
        assert_eq!(script.calls(), 40);
        for half in [&script.calls[..20], &script.calls[20..]] {
            let printed: Vec<(usize, i32)> = half
                .iter()
                .filter_map(|call| match &call.what {
                    StepKind::Shell { prints: Some((bytes, exit)), .. } => Some((bytes.len(), *exit)),
                    _ => None,
                })
                .collect();
            let count = |wanted: &dyn Fn(usize, i32) -> bool| {
                printed.iter().filter(|(bytes, exit)| wanted(*bytes, *exit)).count()
            };
            assert!(count(&|bytes, _| bytes < 3_000) >= 2, "small outputs: {printed:?}");
            assert!(count(&|bytes, _| bytes > 30_000) >= 2, "outputs that hosts cut: {printed:?}");
            assert!(count(&|_, exit| exit != 0) >= 3, "failures: {printed:?}");
            assert!(half.iter().any(|call| matches!(call.what, StepKind::Read(_))));
        }
        let facts: usize = script.calls.iter().map(|call| call.facts.len()).sum();
        assert!(facts > 300, "{facts} facts");
    }
}
