//! Measures search on the development set: `bench --set FILE --repos FOLDER [--rivals FILE] [--train]`. Prints one JSON object.
//! What other programs answered is in the file of `--rivals`: by program, by repository, the paths for each question.
#![expect(clippy::print_stdout, reason = "its output is its purpose")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a measurement that cannot run has nothing to report"
)]

mod bytes;
mod learn;
mod score;
mod speed;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use learn::{Question, Set};
use plimsoll_code::search::{Reader, Request};
use plimsoll_code::{Options, Store};
use serde_json::{Value, json};

fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

/// What each rival answered to a question of a repository.
fn answers_of<'v>(
    rivals: &'v Value,
    repo: &'v str,
    question: usize,
) -> impl Iterator<Item = (String, Vec<&'v str>)> {
    rivals.as_object().into_iter().flatten().filter_map(move |(rival, repos)| {
        let paths = repos[repo][question].as_array()?;
        Some((rival.clone(), paths.iter().filter_map(Value::as_str).collect()))
    })
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| args.iter().position(|a| a == name).and_then(|i| args.get(i + 1)).cloned();
    let set: Value =
        serde_json::from_slice(&std::fs::read(option("--set").expect("--set FILE")).unwrap()).unwrap();
    let repos = PathBuf::from(option("--repos").expect("--repos FOLDER"));
    let rivals: Value = option("--rivals")
        .map_or(Value::Null, |file| serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap());
    let scratch = tempfile::tempdir().unwrap();
    let mut sets: Vec<Set> = Vec::new();
    let mut folders = Vec::new();
    let mut bytes = bytes::Bytes::default();
    let mut index = BTreeMap::new();
    for (name, repo) in set.as_object().unwrap() {
        let folder = [name.clone(), repo["repo"].as_str().unwrap_or(name).replace('/', "+")]
            .iter()
            .map(|n| repos.join(n))
            .find(|p| p.is_dir());
        let Some(folder) = folder else {
            eprintln!("{name} is not in {}", repos.display());
            continue;
        };
        folders.push(folder.clone());
        let prefix = repo["benchmark_root"].as_str().unwrap().trim_matches('.').to_owned();
        let root = folder.join(&prefix);
        let mut store = Store::open(&scratch.path().join(format!("{name}.db"))).unwrap();
        let began = Instant::now();
        let report =
            plimsoll_code::update(&mut store, &root, &Options { now_ns: now(), ..Options::default() })
                .unwrap();
        let stats = store.stats().unwrap();
        index.insert(
            name.clone(),
            json!({"files": stats.files, "chunks": stats.chunks, "symbols": stats.symbols,
            "edges": stats.edges, "bytes": stats.database_bytes, "ms": began.elapsed().as_millis() as u64,
            "left_out": report.left_out.values().map(|l| l.count).sum::<u64>()}),
        );
        let reader = Reader::open(&store).unwrap();
        let mut questions = Vec::new();
        for (at, task) in repo["tasks"].as_array().unwrap().iter().enumerate() {
            let query = task["query"].as_str().unwrap().to_owned();
            let paths = |key: &str| {
                task[key]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .map(|t| t["path"].as_str().unwrap().to_owned())
                    .collect::<Vec<_>>()
            };
            let relevant: Vec<String> = paths("relevant").into_iter().chain(paths("secondary")).collect();
            let request = Request { query: query.clone(), limit: 10, ..Request::default() };
            let full =
                |path: &str| if prefix.is_empty() { path.to_owned() } else { format!("{prefix}/{path}") };
            let seen =
                plimsoll_code::search::candidate_features(&store, &reader, &request).unwrap_or_default();
            let mut seen: Vec<_> = seen.into_iter().map(|s| (full(&s.path), s.features)).collect();
            seen.sort_by(|a, b| a.0.cmp(&b.0));
            let answered = plimsoll_code::search::search(&store, &reader, &request).unwrap_or_default();
            let below =
                |path: &String| path.strip_prefix(&prefix).map(|p| p.trim_start_matches('/').to_owned());
            let inner: Vec<String> = relevant.iter().filter_map(below).collect();
            bytes.count(&reader, &root, &query, &answered, &inner);
            questions.push(Question {
                query,
                category: task["category"].as_str().unwrap().to_owned(),
                relevant,
                seen,
                shipped: answered.iter().map(|a| full(&a.path)).collect(),
                rivals: answers_of(&rivals, name, at)
                    .map(|(rival, paths)| (rival, paths.iter().map(|path| full(path)).collect()))
                    .collect(),
            });
        }
        sets.push(Set {
            name: name.clone(),
            language: repo["language"].as_str().unwrap().to_owned(),
            from: repo["set"].as_str().map(str::to_owned),
            questions,
        });
    }
    let has = |name: &str| args.iter().any(|a| a == name);
    // How closely learned weights stay to the earlier ones; the default was chosen once, by cross-validation.
    let decay = option("--decay").and_then(|d| d.parse().ok()).unwrap_or(0.01);
    let report = learn::report(&sets, has("--train").then_some(decay), has("--misses"));
    let scaled = has("--scale") && !folders.is_empty();
    let speed = scaled.then(|| speed::measure(&folders, scratch.path(), &sets));
    println!(
        "{}",
        serde_json::to_string_pretty(
            &json!({"index": index, "ndcg": report, "bytes": bytes.report(), "speed": speed})
        )
        .unwrap()
    );
}
