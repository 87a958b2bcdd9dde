//! Other programs on the same questions, each installed from its package into the cache: semble (PyPI) with its BM25 and its
//! ranker, because its model would be a download, and codegraph (npm) with its search for symbols. Returns what they answer; the
//! crate's example scores everybody alike.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value, json};

use crate::place::{Place, on_path};
use crate::steps::say;
use crate::tools;

/// Files, the best first.
type Paths = Vec<String>;
/// Answers the questions about the repository in a folder.
type Ask = Box<dyn Fn(&Path, &[&str]) -> Result<Vec<Paths>>>;
/// Installs a rival.
type Install = fn(&Place) -> Result<Ask>;

const RIVALS: &[(&str, Install)] = &[("semble", semble), ("codegraph", codegraph)];
/// So many files are scored.
const FILES: usize = 10;
/// Where codegraph keeps its index, in the repository itself.
const CODEGRAPH_INDEX: &str = ".codegraph";

/// By rival and repository: the paths that it answers to each question. A rival that can't be installed, or that fails on any
/// repository, is named and left out: a mean over fewer questions couldn't be compared.
pub(super) fn answers(place: &Place, repos: &Map<String, Value>, cache: &Path) -> Value {
    let mut out = Map::new();
    for (name, install) in RIVALS {
        match install(place).and_then(|ask| ask_about_all(name, &ask, repos, cache)) {
            Ok(answers) => _ = out.insert((*name).to_owned(), answers),
            Err(error) => say(&format!("{name} is not measured: {error:#}")),
        }
    }
    Value::Object(out)
}

fn ask_about_all(rival: &str, ask: &Ask, repos: &Map<String, Value>, cache: &Path) -> Result<Value> {
    let mut out = Map::new();
    for (name, repo) in repos {
        let prefix = repo["benchmark_root"].as_str().unwrap_or_default().trim_matches('.');
        let tasks = repo["tasks"].as_array().into_iter().flatten();
        let questions: Vec<&str> = tasks.map(|task| task["query"].as_str().unwrap_or_default()).collect();
        let answers = ask(&cache.join(name).join(prefix), &questions).with_context(|| name.clone())?;
        ensure!(answers.len() == questions.len(), "{name}: {} answers", answers.len());
        if let Some(told) = silence(rival, name, &answers) {
            say(&told);
        }
        out.insert(name.clone(), json!(answers));
    }
    Ok(Value::Object(out))
}

/// The report about a rival that answers no question about a repository: that counts, but it may have read nothing.
fn silence(rival: &str, repo: &str, answers: &[Paths]) -> Option<String> {
    let is_silent = !answers.is_empty() && answers.iter().all(Vec::is_empty);
    is_silent.then(|| {
        format!("{rival} answers no question about {repo}, which counts as 0; check that it read the files")
    })
}

fn semble(place: &Place) -> Result<Ask> {
    let python = tools::semble(place)?;
    let script = place.repo.join("xtask/src/bench/code/ask_semble.py");
    let home = place.cache.join("semble/home");
    std::fs::create_dir_all(&home)?;
    Ok(Box::new(move |root, questions| {
        let asked = json!({"root": root.to_str().context("a path that is text")?, "questions": questions, "files": FILES});
        let mut command = Command::new(&python);
        command.arg(&script).env("HOME", &home).env("USERPROFILE", &home);
        // It must not fetch a tool that it doesn't find here.
        command.env("HF_HUB_OFFLINE", "1").env("PYTHONDONTWRITEBYTECODE", "1");
        let printed = output(&mut command, &asked.to_string())?;
        serde_json::from_str(&printed).context("its answer isn't a list of paths for each question")
    }))
}

fn codegraph(place: &Place) -> Result<Ask> {
    let folder = tools::npm(place, "codegraph", &["@colbymchenry/codegraph@1.6.1"])?;
    let node = on_path("node").context("node was not found; install Node.js")?;
    let script = folder.join("node_modules/@colbymchenry/codegraph/npm-shim.js");
    ensure!(script.is_file(), "{} is not there", script.display());
    let home = folder.join("home");
    std::fs::create_dir_all(&home)?;
    Ok(Box::new(move |root, questions| {
        let run = |arguments: &[&str]| {
            let mut command = Command::new(&node);
            command.arg(&script).args(arguments).current_dir(root);
            // It counts its calls and sends the counts, unless it's told not to.
            command.env("HOME", &home).env("USERPROFILE", &home);
            command.env("DO_NOT_TRACK", "1").env("CODEGRAPH_TELEMETRY", "0");
            // It starts nothing in the background, and its index is where it's removed.
            command.env("CODEGRAPH_NO_DAEMON", "1").env_remove("CODEGRAPH_DIR");
            // It leaves out what git ignores: a repository around the cache that ignores it would leave it nothing.
            command.env("GIT_CEILING_DIRECTORIES", root.parent().unwrap_or(root));
            // Its program for this system is on npm, or there is none.
            command.env("CODEGRAPH_NO_DOWNLOAD", "1");
            output(&mut command, "")
        };
        let index = root.join(CODEGRAPH_INDEX);
        let _ = std::fs::remove_dir_all(&index);
        let search = |question: &str| symbol_files(&run(&["query", "--json", "-l", "50", "--", question])?);
        let answers = run(&["init", "-y"]).and_then(|_| questions.iter().copied().map(search).collect());
        // Its leftovers aren't part of the repository that all programs search.
        let _ = std::fs::remove_dir_all(&index);
        answers
    }))
}

/// The files of the symbols that codegraph prints, each once. A text of another shape is an error, not an empty answer.
fn symbol_files(printed: &str) -> Result<Paths> {
    let found: Vec<Value> = serde_json::from_str(printed).context("its answer isn't a list of symbols")?;
    let mut out = Paths::new();
    for one in &found {
        let path = one["node"]["filePath"].as_str().context("a symbol without a file")?;
        if out.len() < FILES && !out.iter().any(|before| before == path) {
            out.push(path.to_owned());
        }
    }
    Ok(out)
}

/// A program's output for an input; an error ends with the last line of its messages.
fn output(command: &mut Command, input: &str) -> Result<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| program.clone())?;
    if let Some(mut pipe) = child.stdin.take() {
        // A program that doesn't read its input may have closed it.
        let _ = pipe.write_all(input.as_bytes());
    }
    let output = child.wait_with_output()?;
    let told = String::from_utf8_lossy(&output.stderr);
    let last = told.lines().last().unwrap_or_default();
    ensure!(output.status.success(), "{program} ended with {}: {last}", output.status);
    String::from_utf8(output.stdout).context("its output isn't text")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rival_that_answers_nothing_about_a_repository_is_reported() {
        let some = [Paths::new(), vec!["a.js".to_owned()]];
        assert_eq!(silence("codegraph", "shop", &some), None);
        assert_eq!(silence("codegraph", "shop", &[]), None);
        let told = silence("codegraph", "shop", &[Paths::new(), Paths::new()]).unwrap();
        assert!(told.starts_with("codegraph answers no question about shop, which counts as 0;"), "{told}");
    }

    #[test]
    fn symbols_give_each_file_once_and_another_shape_is_an_error() {
        let one = |path: &str| json!({"node": {"filePath": path}, "score": 1.0});
        let printed = json!([one("a.js"), one("b.js"), one("a.js")]).to_string();
        assert_eq!(symbol_files(&printed).unwrap(), ["a.js", "b.js"]);
        assert_eq!(symbol_files("[]").unwrap(), [""; 0]);
        let many: Vec<Value> = (0..30).map(|n| one(&format!("{n}.js"))).collect();
        assert_eq!(symbol_files(&json!(many).to_string()).unwrap().len(), FILES);
        for wrong in ["", "No results found", "{}", r#"[{"node": {}}]"#] {
            assert!(symbol_files(wrong).is_err(), "{wrong:?}");
        }
    }
}
