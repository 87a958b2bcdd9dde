//! The specification's names on the command line (`code memory`, and the variable that names the project), and how
//! counts and a damaged index are told of.

use std::path::Path;

use serde_json::Value;

use super::code::{code, index, project};
use super::code_git::{git, repository};
use super::desk::Desk;

#[test]
fn the_project_may_be_named_by_the_environment() {
    let desk = Desk::new();
    let root = project(&desk, 3);
    let status = |folder: &Path| {
        let mut command = desk.command(&["code", "status", "--json"]);
        command.env("CODEBASE_ROOT", folder).output().unwrap()
    };
    let printed = status(&root);
    let answer: Value = serde_json::from_slice(&printed.stdout).expect("JSON");
    let real = root.canonicalize().unwrap();
    assert_eq!(answer["rootPath"], real.to_str().unwrap(), "{answer}");
    let refused = status(&root.join("no-such-folder"));
    let message = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && message.contains("CODEBASE_ROOT: "), "{message}");
}

#[test]
fn memories_of_the_code_are_in_the_one_store() {
    let desk = Desk::new();
    let root = project(&desk, 3);
    let text = "part4 must never be called twice";
    let added = code(
        &desk,
        &root,
        &[
            "memory",
            "add",
            "--type",
            "gotcha",
            "--category",
            "parts",
            "--memory",
            text,
            "--reason",
            "it counts",
        ],
    );
    let listed = code(&desk, &root, &["memory", "list", "--type", "gotcha"]);
    assert!(listed.to_string().contains(text), "{listed}");
    // Typed elsewhere, the commands apply to the project that the environment names.
    let mut command = desk.command(&["code", "memory", "list", "--type", "gotcha", "--json"]);
    let typed = command.current_dir(root.parent().unwrap()).env("CODEBASE_ROOT", &root).output().unwrap();
    let named: Value = serde_json::from_slice(&typed.stdout).expect("JSON");
    assert_eq!(named["results"][0]["id"], listed["results"][0]["id"], "{named}");
    let plain = desk.run_in(&root, &["memory", "list", "--type", "gotcha", "--json"]).ended(0).json();
    assert_eq!(listed["results"][0]["id"], plain["results"][0]["id"], "{plain}");
    let id = added["id"].as_str().expect("an id");
    code(&desk, &root, &["memory", "remove", id]);
    let listed = code(&desk, &root, &["memory", "list", "--type", "gotcha"]);
    assert!(!listed.to_string().contains(text), "{listed}");
    // What an agent's tool calls an action is another verb here.
    for action in ["remember", "recall"] {
        let told = desk.run_in(&root, &["code", action, text]).ended(2).err;
        assert!(told.contains("`plimsoll memory list`, `add` and `remove`"), "{action}: {told}");
    }
}

#[test]
fn a_memory_of_a_file_follows_a_rename_that_was_just_committed() {
    let desk = Desk::new();
    let root = repository(&desk, &[("src/app.ts", "export class App {\n  run() {\n    return 1;\n  }\n}\n")]);
    for (source, text) in [("src/app.ts#App.run", "Call it once"), ("src/app.ts", "Kept small on purpose")] {
        let text = ["--memory", text, "--reason", "it counts", "--source", source];
        code(&desk, &root, &[&["memory", "add", "--type", "gotcha"][..], &text[..]].concat());
    }
    git(&root, &["mv", "src/app.ts", "src/application.ts"]);
    git(&root, &["commit", "-q", "-m", "Two"]);
    let answer = code(&desk, &root, &["search", "App.run"]);
    let related = answer["relatedMemories"].as_array().cloned().unwrap_or_default();
    let files: Vec<&Value> = related.iter().map(|one| &one["file"]).collect();
    assert_eq!(files, ["src/application.ts", "src/application.ts"], "{answer}");
    assert!(related.iter().all(|one| one["stale"].is_null()), "{answer}");
    let recalled = || code(&desk, &root, &["memory", "list", "--type", "gotcha"]);
    assert_eq!(recalled()["results"][0]["stale"], false, "{}", recalled());
    git(&root, &["rm", "-q", "src/application.ts"]);
    let gone = recalled();
    assert_eq!(gone["staleCount"], 2, "{gone}");
    assert_eq!(
        gone["results"][0]["staleReason"], "the file that it's about isn't in this working tree",
        "{gone}"
    );
}

#[test]
fn nobody_has_to_do_anything_about_a_damaged_index() {
    let desk = Desk::new();
    let root = project(&desk, 3);
    code(&desk, &root, &["search", "part1"]);
    std::fs::write(index(&desk), [0x5a; 20_000]).unwrap();
    let told = desk.run_in(&root, &["code", "search", "part1"]).ended(0).err;
    assert!(told.contains("the index is built again from the project's files"), "{told}");
    assert!(!told.contains("close the agents"), "{told}");
}

#[test]
fn one_file_is_never_printed_as_one_files() {
    let desk = Desk::new();
    let root = repository(
        &desk,
        &[
            ("src/app.ts", "export const app = 1;\n"),
            (
                "test/app.test.ts",
                "import { test } from 'vitest';\nimport { app } from '../src/app';\n\ntest('it is', () => app);\n",
            ),
            ("package.json", "{\"name\": \"shop\", \"dependencies\": {\"svelte\": \"5\"}}\n"),
        ],
    );
    code(&desk, &root, &["reindex"]);
    for (words, expected) in [
        (&["map"][..], "1 file  "),
        (&["metadata"], "needs 1 package: svelte"),
        (&["patterns", "testing"], "Vitest in 1 file"),
        (&["status"], ""),
        (&["health"], ""),
        (&["reindex", "--dry-run"], "would read 0 new and 0 changed files (0 B)"),
    ] {
        let typed: Vec<&str> = ["code"].iter().chain(words).copied().collect();
        let printed = desk.run_in(&root, &typed).ended(0).out;
        assert!(printed.contains(expected), "{words:?}: {printed}");
        let all: Vec<&str> =
            printed.split_whitespace().map(|word| word.trim_matches([',', ':', ';', '('])).collect();
        for pair in all.windows(2).filter(|pair| pair[0] == "1") {
            assert_eq!(contract::singular(pair[1]), None, "{words:?}: {printed}");
        }
    }
}
