//! `cargo xtask bench code [--set FILE]… [--repos FOLDER] [--rivals] [--train] [--misses] [--scale]`: finding in other people's
//! repositories, by the crate's example program, with the questions of `tests/code-search` and of a set beside the clone; with
//! `--rivals` other programs answer the same questions (`rivals`). With `--history FOLDER` instead, from what commits were called
//! to the files that they changed. The repositories are checked out at their pins in the cache and never committed; one that
//! can't be had is named and left out.

mod rivals;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

use crate::place::Place;
use crate::steps::{go, say};

pub(crate) fn measure(place: &Place, options: &[String], json: bool) -> Result<()> {
    let option = |name: &str| options.iter().position(|o| o == name).and_then(|at| options.get(at + 1));
    if let Some(at) = options.iter().position(|o| o == "--history") {
        return history(place, options.get(at + 1).map(Path::new), json);
    }
    let cache = place.cache.join("code-bench");
    let questions = questions(place, options)?;
    let set = cache.join("questions.json");
    std::fs::create_dir_all(&cache)?;
    std::fs::write(&set, serde_json::to_vec(&questions)?)?;
    let given = option("--repos").map(PathBuf::from);
    let mut there = Map::new();
    for (name, repo) in &questions {
        match check_out(&cache, name, repo, given.as_deref()) {
            Ok(()) => _ = there.insert(name.clone(), repo.clone()),
            Err(error) => {
                // The leftovers of a failed attempt aren't a repository.
                let _ = std::fs::remove_dir_all(cache.join(name));
                say(&format!("{name} can't be downloaded and is left out: {error:#}"));
            }
        }
    }
    if there.is_empty() {
        say(
            "None of the repositories can be downloaded, so nothing is measured: `--repos FOLDER` names a folder with them.",
        );
        return Ok(());
    }
    let mut command = place.cargo(&[
        "run",
        "--quiet",
        "--release",
        "--locked",
        "--package",
        "plimsoll-code",
        "--example",
        "finding",
        "--",
    ]);
    command.arg("--set").arg(&set).arg("--repos").arg(&cache);
    if options.iter().any(|o| o == "--rivals") {
        let answers = cache.join("rivals.json");
        std::fs::write(&answers, serde_json::to_vec(&rivals::answers(place, &there, &cache))?)?;
        command.arg("--rivals").arg(answers);
    }
    command.args(options.iter().filter(|o| matches!(o.as_str(), "--train" | "--misses" | "--scale")));
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("the codebase's bench ended with {}", output.status);
    }
    let report: Value = serde_json::from_slice(&output.stdout).context("the bench prints one JSON object")?;
    if json {
        say(&serde_json::to_string_pretty(&report)?);
    } else {
        tables(&report);
    }
    Ok(())
}

/// The questions by repository, each marked with the set that it is from. Without `--set` these are the project's own and those
/// beside the clone, where developers keep shared data; a file that isn't there is named and left out.
fn questions(place: &Place, options: &[String]) -> Result<Map<String, Value>> {
    let named = options.iter().enumerate().filter(|(_, option)| *option == "--set");
    let mut files: Vec<PathBuf> =
        named.filter_map(|(at, _)| options.get(at + 1)).map(PathBuf::from).collect();
    if files.is_empty() {
        files = vec![
            place.repo.join("../shared/data/code-search-dev.json"),
            place.repo.join("tests/code-search/questions.json"),
            place.repo.join("tests/code-search/blind.json"),
        ];
    }
    let mut all = Map::new();
    for file in files {
        if !file.is_file() {
            say(&format!("There isn't a set of questions at {}: `--set FILE` names one.", file.display()));
            continue;
        }
        let one: Map<String, Value> = serde_json::from_slice(&std::fs::read(&file)?)
            .with_context(|| format!("{} isn't a set of questions", file.display()))?;
        let set = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (name, mut repo) in one {
            if let Some(repo) = repo.as_object_mut() {
                repo.insert("set".to_owned(), Value::String(set.clone()));
            }
            all.insert(name, repo);
        }
    }
    Ok(all)
}

/// Maps commit subjects to the changed files, for each git directory of a folder.
fn history(place: &Place, repos: Option<&Path>, json: bool) -> Result<()> {
    let Some(repos) = repos.filter(|repos| repos.is_dir()) else {
        say("`--history FOLDER` names a folder with git directories; there is none, so nothing is measured.");
        return Ok(());
    };
    let mut command = place.cargo(&["run", "--quiet", "--release", "--locked", "--package", "plimsoll-code"]);
    command.args(["--example", "history", "--", "--repos"]).arg(repos);
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("the bench of commits ended with {}", output.status);
    }
    let report: Value = serde_json::from_slice(&output.stdout).context("the bench prints one JSON object")?;
    if json {
        say(&serde_json::to_string_pretty(&report)?);
        return Ok(());
    }
    say(
        "\n| commit → changed files | commits | recall@5 | recall@10 | by words alone: @5 | @10 |\n|---|---|---|---|---|---|",
    );
    let row = |name: &str, one: &Value| {
        let number = |key: &str| one.pointer(key).and_then(Value::as_f64).unwrap_or(0.0);
        let count = one.get("commits").and_then(Value::as_u64).unwrap_or(0);
        let shares =
            ["/ranked/recall_at_5", "/ranked/recall_at_10", "/words/recall_at_5", "/words/recall_at_10"];
        let shares = shares.map(|key| format!("{:.3}", number(key))).join(" | ");
        say(&format!("| {name} | {count} | {shares} |"));
    };
    let repositories = report.get("repositories").and_then(Value::as_object);
    repositories.into_iter().flatten().for_each(|(name, one)| row(name, one));
    if let Some(all) = report.get("all") {
        row("all", all);
    }
    Ok(())
}

/// The repository at its pin, in `cache/name`: from a folder that was given (a work tree, or a git directory as
/// `owner+name/repo`), else from where it is published.
fn check_out(cache: &Path, name: &str, repo: &Value, given: Option<&Path>) -> Result<()> {
    let text =
        |key: &str| repo.get(key).and_then(Value::as_str).with_context(|| format!("the set gives no {key}"));
    let (pin, published) = (text("revision")?, text("repo")?);
    let folder = cache.join(name);
    let stamp = cache.join(format!("{name}.pin"));
    if std::fs::read_to_string(&stamp).is_ok_and(|at| at == pin) && folder.is_dir() {
        return Ok(());
    }
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    let local = given.and_then(|given| {
        let mirror = given.join(published.replace('/', "+"));
        [given.join(name).join(".git"), mirror.join("repo"), mirror]
            .into_iter()
            .find(|dir| dir.join("objects").is_dir())
    });
    let fetched = cache.join(format!("{name}.git"));
    let objects = match local {
        Some(objects) => objects,
        None => {
            let _ = std::fs::remove_dir_all(&fetched);
            go(Command::new("git").args(["init", "--quiet", "--bare"]).arg(&fetched))?;
            let from = format!("https://github.com/{published}");
            go(Command::new("git")
                .arg("--git-dir")
                .arg(&fetched)
                .args(["fetch", "--quiet", "--depth", "1", &from, pin]))?;
            fetched
        }
    };
    // An index of its own: the git directory may belong to another user.
    let index = cache.join(format!("{name}.index"));
    let mut command = Command::new("git");
    command.arg("--git-dir").arg(&objects).arg("--work-tree").arg(&folder).env("GIT_INDEX_FILE", &index);
    go(command.args(["checkout", "--force", pin, "--", "."]).stderr(Stdio::null()))?;
    std::fs::write(stamp, pin)?;
    Ok(())
}

fn tables(report: &Value) {
    let columns = columns(report);
    let titles: Vec<&str> = columns.iter().map(|(title, _)| *title).collect();
    say(&format!("\n| NDCG@10 | {} |\n|---|{}", titles.join(" | "), "---|".repeat(titles.len())));
    let keys = report.pointer("/ndcg/shipped").and_then(Value::as_object);
    for (key, _) in keys.into_iter().flatten() {
        let cell = |way: &Value| {
            way.get(key).and_then(Value::as_f64).map_or("–".to_owned(), |n| format!("{n:.3}"))
        };
        let cells: Vec<String> = columns.iter().map(|(_, way)| cell(way)).collect();
        say(&format!("| {key} | {} |", cells.join(" | ")));
    }
    say("\n| repository | files | chunks | index |\n|---|---|---|---|");
    for (name, row) in report.get("index").and_then(Value::as_object).into_iter().flatten() {
        let number = |key: &str| row.get(key).and_then(Value::as_u64).unwrap_or(0);
        say(&format!("| {name} | {} | {} | {} ms |", number("files"), number("chunks"), number("ms")));
    }
    if let Some(bytes) = report.get("bytes").and_then(Value::as_object) {
        say("\n| find the place, in bytes | figure |\n|---|---|");
        for (what, value) in bytes {
            say(&format!("| {what} | {value} |"));
        }
    }
    if let Some(speed) = report.get("speed").and_then(Value::as_object) {
        say("\n| speed | figure |\n|---|---|");
        for (what, value) in speed {
            say(&format!("| {what} | {value} |"));
        }
    }
    if let Some(weights) = report.pointer("/ndcg/weights") {
        say(&format!("\nWeights: {weights}"));
    }
}

/// Plimsoll's ways, each with the title of its column, if it has one.
const OWN: &[(&str, Option<&str>)] = &[
    ("bm25", Some("words alone")),
    ("cross_validated", Some("cross-validated")),
    ("shipped", Some("as shipped")),
    ("by_hand", None),
    ("weights", None),
];

/// The columns of the table, each with its title and its values: Plimsoll's ways, then each rival.
fn columns(report: &Value) -> Vec<(&str, &Value)> {
    static NOTHING: Value = Value::Null;
    let ways = report.get("ndcg").and_then(Value::as_object);
    let values = |way: &str| ways.and_then(|ways| ways.get(way)).unwrap_or(&NOTHING);
    let own = OWN.iter().filter_map(|(way, title)| Some(((*title)?, values(way))));
    let is_own = |way: &str| OWN.iter().any(|(own, _)| *own == way);
    let rivals = ways.into_iter().flatten().filter(|(way, _)| !is_own(way));
    own.chain(rivals.map(|(way, reached)| (way.as_str(), reached))).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_rival_has_its_column_after_those_of_plimsoll() {
        let report = json!({"ndcg": {
            "bm25": {"all": 0.5}, "by_hand": {"all": 0.6}, "shipped": {"all": 0.7}, "weights": {"best": 1},
            "semble": {"all": 0.4},
        }});
        let columns = columns(&report);
        let titles: Vec<&str> = columns.iter().map(|(title, _)| *title).collect();
        assert_eq!(titles, ["words alone", "cross-validated", "as shipped", "semble"]);
        assert_eq!(columns[3].1["all"], 0.4);
        assert!(columns[1].1.is_null(), "without learning that column is empty");
    }
}
