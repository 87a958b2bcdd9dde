//! What commits added: patterns that become more or less common, as shown by `code patterns`, the search and the
//! card.

use std::path::Path;

use serde_json::Value;

use super::code_git::{code, git_at, write};
use super::desk::Desk;

/// Days before the newest commit of a test's history; nothing depends on today.
const NEWEST: i64 = 1_790_000_000;

fn git(root: &Path, days_ago: i64, args: &[&str]) {
    git_at(root, Some(&format!("{} +0000", NEWEST - days_ago * 86_400)), args);
}

/// Commits `count` files that log in this way.
fn commit(root: &Path, days_ago: i64, folder: &str, logger: &str, count: usize) {
    for n in 0..count {
        let text =
            format!("import l from '{logger}';\nexport function {folder}{n}() {{\n  l('{folder}');\n}}\n");
        write(root, &format!("src/{folder}/f{n}.ts"), &text);
    }
    git(root, days_ago, &["add", "-A"]);
    git(root, days_ago, &["commit", "-q", "-m", folder]);
}

fn loggers(patterns: &Value) -> Vec<(String, String)> {
    let ways = &patterns["patterns"]["logging"];
    let all = std::iter::once(&ways["primary"]).chain(ways["alsoDetected"].as_array().unwrap());
    let text = |one: &Value, key: &str| one[key].as_str().unwrap_or("-").to_owned();
    all.map(|one| (text(one, "name"), text(one, "trend"))).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(name, trend)| ((*name).to_owned(), (*trend).to_owned())).collect()
}

#[test]
fn what_commits_add_names_the_target_of_each_path() {
    let desk = Desk::new();
    let root = desk.beside("shop");
    write(&root, "package.json", "{\"name\": \"shop\"}\n");
    git(&root, 700, &["init", "-q"]);
    commit(&root, 600, "old", "winston", 10);
    commit(&root, 300, "middle", "winston", 4);
    // A moved folder and merely touched files add nothing.
    git(&root, 60, &["mv", "src/old", "src/older"]);
    git(&root, 60, &["commit", "-qam", "moved"]);
    commit(&root, 30, "new", "pino", 9);
    let known = code(&desk, &root, &["patterns", "logging"]);
    assert_eq!(loggers(&known), pairs(&[("Winston", "Declining"), ("Pino", "Rising")]), "{known}");
    let pino = &known["patterns"]["logging"]["alsoDetected"][0];
    assert_eq!(pino["newUses"], serde_json::json!({"lastSixMonths": 9, "before": 0}));
    let printed = desk.run_in(&root, &["code", "patterns", "logging"]).ended(0).out;
    assert!(printed.contains("Winston in 14 files, declining  also Pino 9, rising"), "{printed}");

    let found = code(&desk, &root, &["search", "older3"]);
    assert_eq!(found["results"][0]["trend"], "Declining", "{found}");
    assert_eq!(found["results"][0]["patternWarning"], "logging: Winston is declining here; Pino is rising");
    assert_eq!(code(&desk, &root, &["search", "new3"])["results"][0]["trend"], "Rising");
    let card = &code(&desk, &root, &["card", "new3"])["preflight"];
    assert_eq!(card["patterns"]["do"], serde_json::json!(["logging: Pino (39 %, rising)"]), "{card}");
    assert_eq!(card["patterns"]["avoid"], serde_json::json!(["logging: Winston (61 %, declining)"]));

    // Later commits are read incrementally; a rewritten history is read again.
    commit(&root, 5, "back", "winston", 40);
    let known = code(&desk, &root, &["patterns", "logging"]);
    assert_eq!(known["patterns"]["logging"]["primary"]["newUses"]["lastSixMonths"], 40, "{known}");
    git(&root, 5, &["reset", "-q", "--hard", "HEAD~1"]);
    commit(&root, 4, "other", "pino", 3);
    let known = code(&desk, &root, &["patterns", "logging"]);
    assert_eq!(loggers(&known), pairs(&[("Winston", "Declining"), ("Pino", "Rising")]), "{known}");
    let uses = &known["patterns"]["logging"]["alsoDetected"][0]["newUses"];
    assert_eq!(uses, &serde_json::json!({"lastSixMonths": 12, "before": 0}));
}

#[test]
fn without_enough_history_nothing_is_reported() {
    let desk = Desk::new();
    let root = desk.beside("shop");
    write(&root, "package.json", "{\"name\": \"shop\"}\n");
    write(&root, "src/a.ts", "import l from 'pino';\nexport const a = l;\n");
    let plain = code(&desk, &root, &["patterns", "logging"]);
    assert_eq!(loggers(&plain), pairs(&[("Pino", "-")]), "no repository: {plain}");
    git(&root, 3, &["init", "-q"]);
    assert_eq!(loggers(&code(&desk, &root, &["patterns", "logging"])), pairs(&[("Pino", "-")]), "no commit");
    commit(&root, 2, "few", "winston", 3);
    let few = code(&desk, &root, &["patterns", "logging"]);
    assert_eq!(loggers(&few), pairs(&[("Winston", "-"), ("Pino", "-")]), "{few}");
    assert_eq!(few["patterns"]["logging"]["primary"]["newUses"]["lastSixMonths"], 3);
    let found = code(&desk, &root, &["search", "few1"]);
    assert!(found["results"][0].get("trend").is_none(), "{found}");
}

#[test]
fn the_first_commit_of_a_shallow_clone_adds_nothing() {
    let desk = Desk::new();
    let root = desk.beside("shop");
    write(&root, "package.json", "{\"name\": \"shop\"}\n");
    git(&root, 900, &["init", "-q"]);
    commit(&root, 900, "old", "winston", 10);
    commit(&root, 300, "middle", "pino", 12);
    commit(&root, 100, "later", "pino", 9);
    commit(&root, 30, "new", "winston", 3);
    let whole = code(&desk, &root, &["patterns", "logging"]);
    assert_eq!(loggers(&whole), pairs(&[("Pino", "Declining"), ("Winston", "Rising")]), "{whole}");
    let clone = desk.beside("clone");
    let _ = std::fs::remove_dir_all(&clone);
    let from = format!("file://{}", root.display());
    git(&root, 0, &["clone", "-q", "--depth=3", &from, clone.to_str().unwrap()]);
    let known = code(&desk, &clone, &["patterns", "logging"]);
    // The commit of 300 days ago is the clone's first: it seems to add both loggers.
    assert_eq!(loggers(&known), pairs(&[("Pino", "-"), ("Winston", "-")]), "{known}");
    let uses = &known["patterns"]["logging"]["primary"]["newUses"];
    assert_eq!(uses, &serde_json::json!({"lastSixMonths": 9, "before": 0}));
    // With the same newest commit the others come in.
    git(&clone, 0, &["fetch", "-q", "--unshallow"]);
    let deepened = code(&desk, &clone, &["patterns", "logging"]);
    assert_eq!(loggers(&deepened), loggers(&whole), "{deepened}");
}

#[test]
fn languages_do_not_compete() {
    let desk = Desk::new();
    let root = desk.beside("both");
    write(&root, "package.json", "{}\n");
    write(&root, "main.go", "package main\n\nimport \"log\"\n\nfunc main() { log.Println() }\n");
    git(&root, 700, &["init", "-q"]);
    commit(&root, 300, "web", "pino", 2);
    let known = code(&desk, &root, &["patterns", "logging"]);
    // One Go file and two TypeScript files aren't a conflict.
    assert_eq!(known["conflicts"], serde_json::json!([]), "{known}");
    assert_eq!(known["patterns"]["logging"]["alsoDetected"][0]["frequency"], "100 %", "{known}");
}
