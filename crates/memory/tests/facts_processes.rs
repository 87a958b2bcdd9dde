//! Hooks and readers as processes of their own, some of them killed at any moment: what a hook was told is written is
//! found, and found once. The test starts itself as the others.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use home::Home;
use plimsoll_memory::{Category, Fact, FactFilter, FactQueries as _, Facts, GUEST};
use sessions::{Page, Sessions, append_notes};

const ROLE: &str = "PLIMSOLL_TEST_ROLE";
const FOLDER: &str = "PLIMSOLL_TEST_FOLDER";
const NOW: i64 = 1_800_000_000_000;

fn child(role: &str, folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "role", "--nocapture"])
        .env(ROLE, role)
        .env(FOLDER, folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Does nothing unless a test of this file started it.
#[test]
fn role() {
    let (Ok(role), Some(folder)) = (std::env::var(ROLE), std::env::var_os(FOLDER)) else { return };
    let home = Home::at(PathBuf::from(folder));
    if role.starts_with("reader") {
        println!("ready");
        loop {
            // Taking over, from several processes at once.
            let taken =
                Sessions::open_for_hook(&home, &[&GUEST]).and_then(|sessions| sessions.import_pending());
            if let Ok(number) = taken {
                println!("took {number}");
            }
        }
    }
    for number in 0..if role.starts_with("short") { 60 } else { u64::MAX } {
        let text = format!("{role} {number}");
        let facts = Facts {
            session: role.clone(),
            agent: "codex".into(),
            project: "/w".into(),
            at_ms: NOW,
            facts: vec![Fact::new(Category::Decision, 2, text), Fact::new(Category::Tool, 4, "shell")],
        };
        // Waiting for its turn has a limit, which a loaded machine may reach.
        while append_notes(&home, &[facts.note().unwrap()]).is_err() {}
        println!("noted {number}");
    }
}

/// The last number that a process printed, once it has ended.
fn noted(mut child: Child, kill: bool) -> u64 {
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut last = None;
    let mut line = String::new();
    while lines.read_line(&mut line).unwrap_or(0) > 0 {
        last = line.split_once("noted ").and_then(|(_, n)| n.trim().parse::<u64>().ok()).or(last);
        line.clear();
        if kill && last == Some(40) {
            child.kill().unwrap();
            let mut rest = String::new();
            let _ = lines.read_to_string(&mut rest);
            let more =
                rest.lines().filter_map(|line| line.split_once("noted ")?.1.trim().parse().ok()).next_back();
            last = more.or(last);
            break;
        }
    }
    child.wait().unwrap();
    last.map_or(0, |last| last + 1)
}

#[test]
fn nothing_that_was_noted_is_lost_or_doubled_whoever_is_killed() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path().join("plimsoll"));
    std::fs::create_dir_all(home.root()).unwrap();
    drop(Sessions::open(&home, &[&GUEST]).unwrap());
    let mut readers: Vec<Child> =
        ["reader 1", "reader 2"].iter().map(|role| child(role, home.root())).collect();
    let names = ["short 1", "killed", "short 2"];
    let writers: Vec<Child> = names.iter().map(|role| child(role, home.root())).collect();
    let mut acknowledged = HashMap::new();
    for (writer, name) in writers.into_iter().zip(names) {
        if name == "killed" {
            // One of those who take over, at whatever it is doing, while there is much to take over.
            let mut first = readers.remove(0);
            let mut lines = BufReader::new(first.stdout.take().unwrap()).lines();
            assert!(lines.any(|line| line.unwrap().contains("took ")));
            first.kill().unwrap();
            first.wait().unwrap();
        }
        acknowledged.insert(name, noted(writer, name == "killed"));
    }
    for mut reader in readers {
        reader.kill().unwrap();
        reader.wait().unwrap();
    }
    let sessions = Sessions::open(&home, &[&GUEST]).unwrap();
    for (name, number) in acknowledged {
        assert!(number > 40, "{name}: {number}");
        let facts = sessions.facts_of("codex", name).unwrap();
        let once = facts.iter().filter(|fact| fact.fact.category == Category::Decision);
        let texts: Vec<(&str, u64)> = once.map(|fact| (fact.fact.text.as_str(), fact.times)).collect();
        for wanted in (0..number).map(|n| format!("{name} {n}")) {
            // The killed one wrote so much that its oldest may have had to go.
            let found = texts.iter().find(|(text, _)| *text == wanted);
            assert!(found.is_some_and(|(_, times)| *times == 1) || number > 900, "{wanted}: {found:?}");
        }
        // At most one more is there: the one that was written but not reported.
        assert!(texts.iter().all(|(_, times)| *times == 1));
        assert!(texts.len() as u64 <= number + 1, "{name}: {} of {number}", texts.len());
        let tool = facts.iter().find(|fact| fact.fact.category == Category::Tool).unwrap();
        assert!(tool.times == number || tool.times == number + 1, "{name}: {} of {number}", tool.times);
    }
    assert_eq!(
        sessions
            .facts(&FactFilter { session: Some("x".into()), ..FactFilter::default() }, Page::default())
            .unwrap()
            .total,
        0
    );
}
