//! Several writers at once: threads, processes, and a program that ignores Plimsoll's locks.

use crate::common::{NOW, Scratch, format, path, server_is_ours};
use plimsoll_edits::{ApplyError, Dialect, Edit, Store, apply, plan};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

const FOLDER: &str = "PLIMSOLL_EDITS_TEST_FOLDER";
const NAME: &str = "PLIMSOLL_EDITS_TEST_NAME";

fn store(folder: &Path) -> Store {
    Store { backups: folder.join("own/backups"), locks: folder.join("own/locks") }
}

fn entry(name: &str) -> Edit {
    Edit::Set {
        path: path(&["mcpServers", name]),
        value: json!({ "command": "/h/plimsoll" }),
        ours: server_is_ours(),
        keep_extra_keys: true,
    }
}

/// Plans and applies until it succeeds, as a caller would.
fn add(folder: &Path, name: &str) {
    let file = folder.join("host/settings.json");
    for _ in 0..10_000 {
        let planned = plan(&file, format(Dialect::Json), &[entry(name)]);
        assert_eq!(planned.refusal, None, "a torn file was seen");
        match apply(&planned, &store(folder), NOW) {
            Ok(_) => return,
            Err(ApplyError::Changed { .. }) => {}
            Err(other) => panic!("{other}"),
        }
    }
    panic!("{name} never got through");
}

fn names(folder: &Path) -> Vec<String> {
    let text = std::fs::read(folder.join("host/settings.json")).unwrap();
    let now: Value = serde_json::from_slice(&text).unwrap();
    let mut names: Vec<String> = now["mcpServers"].as_object().unwrap().keys().cloned().collect();
    names.sort();
    names
}

#[test]
fn threads_lose_nothing() {
    let scratch = Scratch::new();
    scratch.file("settings.json", b"{}");
    let folder = scratch.folder.path();
    std::thread::scope(|scope| {
        for thread in 0..6 {
            scope.spawn(move || (0..5).for_each(|i| add(folder, &format!("t{thread}-{i}"))));
        }
    });
    assert_eq!(names(folder).len(), 30);
}

#[test]
#[ignore = "the child of processes_lose_nothing"]
fn child() {
    if let (Ok(folder), Ok(name)) = (std::env::var(FOLDER), std::env::var(NAME)) {
        (0..5).for_each(|i| add(Path::new(&folder), &format!("{name}-{i}")));
    }
}

#[test]
fn processes_lose_nothing() {
    let scratch = Scratch::new();
    scratch.file("settings.json", b"{}");
    let children: Vec<_> = (0..4)
        .map(|child| {
            Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "concurrent::child", "--ignored"])
                .env(FOLDER, scratch.folder.path())
                .env(NAME, format!("p{child}"))
                .stdout(std::process::Stdio::piped())
                .spawn()
        })
        .collect();
    for child in children {
        let output = child.unwrap().wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    assert_eq!(names(scratch.folder.path()).len(), 20);
}

/// A program that replaces its file as a whole without a lock must never lose its newest state.
#[test]
#[cfg(target_os = "linux")]
fn a_host_that_takes_no_lock_loses_nothing() {
    let scratch = Scratch::new();
    let file = scratch.file("settings.json", b"{\"count\":0}");
    let folder = scratch.folder.path();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let fresh = scratch.path("fresh.json");
            for count in 1..=300 {
                std::fs::write(&fresh, format!("{{\"count\":{count}}}")).unwrap();
                std::fs::rename(&fresh, &file).unwrap();
            }
        });
        scope.spawn(move || (0..40).for_each(|i| add(folder, &format!("n{i}"))));
    });
    let now: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(now["count"], json!(300));
}
