//! A frozen project with its questions, so that search can be evaluated without a network: `fixtures/controlled`. Nothing is
//! learned from them, and it's scored as in the bench.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::common::{Project, found};
use score::ndcg;

#[path = "../../examples/finding/score.rs"]
mod score;

/// The mean that every category reaches.
const FLOOR: f64 = 0.9;

#[test]
fn the_frozen_projects_questions_are_answered() {
    let fixtures = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("tests/fixtures/controlled");
    let project = Project::new(&[]);
    let files = copy(&fixtures.join("code"), "", &project);
    assert_eq!(files, 14, "all files are there");
    let (store, reader) = project.indexed();
    let questions: Vec<Value> =
        serde_json::from_slice(&std::fs::read(fixtures.join("questions.json")).unwrap()).unwrap();
    let mut scores: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut misses = Vec::new();
    for question in &questions {
        let query = question["query"].as_str().unwrap();
        let relevant: Vec<String> = serde_json::from_value(question["relevant"].clone()).unwrap();
        assert!(relevant.iter().all(|path| fixtures.join("code").join(path).is_file()), "{query}");
        let ranked = found(&store, &reader, query);
        let score = ndcg(ranked.iter(), &relevant);
        if score < 1.0 {
            misses.push(format!("{score:.2} {query}: {ranked:?}"));
        }
        scores.entry(question["category"].as_str().unwrap()).or_default().push(score);
    }
    assert_eq!(scores.keys().copied().collect::<Vec<_>>(), ["architecture", "semantic", "symbol", "tests"]);
    for (category, scores) in &scores {
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        assert!(mean >= FLOOR, "{category}: {mean:.3}\n{}", misses.join("\n"));
    }
}

/// Copies a folder of fixtures into the project; returns how many files it has.
fn copy(folder: &Path, inside: &str, project: &Project) -> usize {
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{inside}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            files += copy(&entry.path(), &format!("{path}/"), project);
        } else {
            project.write(&path, &std::fs::read(entry.path()).unwrap());
            files += 1;
        }
    }
    files
}

#[test]
fn a_lower_rank_scores_less() {
    let relevant = ["a".to_owned(), "b".to_owned()];
    let score = |ranked: &[&str]| {
        let ranked: Vec<String> = ranked.iter().map(|path| (*path).to_owned()).collect();
        ndcg(ranked.iter(), &relevant)
    };
    assert!((score(&["a", "b", "c"]) - 1.0).abs() < 1e-9);
    assert!(score(&["a", "c", "b"]) < score(&["a", "b", "c"]));
    assert!(score(&["c", "a"]) < score(&["a", "c"]));
    assert!(score(&["c"]).abs() < 1e-9 && score(&[]).abs() < 1e-9);
}
