//! Processes that are killed while they write: what was said to be captured is there. The test starts itself as the others.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use plimsoll_memory::domain::{Domain, Namespace};
use plimsoll_memory::query::{Filter, Scope, Selection};
use plimsoll_memory::recall::{Recall, recall};
use plimsoll_memory::store::{Draft, Page, Secrets, SqliteStore, Store, Who};

const ROLE: &str = "PLIMSOLL_TEST_ROLE";
const FOLDER: &str = "PLIMSOLL_TEST_FOLDER";
const NOW: i64 = 1_800_000_000_000;
/// So many are killed unless `PLIMSOLL_CRASH_KILLS` says more.
const KILLS: u32 = 12;

fn database(folder: &Path) -> PathBuf {
    folder.join("memory.db")
}

fn child(role: &str, folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "role", "--nocapture"])
        .env(ROLE, role)
        .env(FOLDER, folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Does nothing unless a test of this file started it.
#[test]
fn role() {
    let (Ok(role), Some(folder)) = (std::env::var(ROLE), std::env::var_os(FOLDER)) else { return };
    let mut store = SqliteStore::open(&database(Path::new(&folder))).unwrap();
    for n in 0_u64.. {
        let draft = Draft {
            session: Some(role.clone()),
            tags: vec![format!("of-{role}")],
            ..Draft::new(
                format!("{role} decided number{n} with pg {}", "and more words ".repeat(60)),
                Namespace::Decisions,
                Domain::User,
            )
        };
        println!("begin {n}");
        if let Ok(captured) = store.capture(&draft.check(Secrets::Redact).unwrap(), &Who::person(NOW)) {
            println!("captured {n} {}", captured.memory.id);
        }
    }
}

/// Row 24 of the promises, and the sixteenth writer's beside: kill -9 in the middle of a capture loses nothing that was said to
/// be stored, and recall finds it.
#[test]
fn whoever_is_killed_nothing_that_was_captured_is_lost() {
    let kills = std::env::var("PLIMSOLL_CRASH_KILLS").ok().and_then(|text| text.parse::<u32>().ok());
    // The suite's number is shared with other kinds of work.
    let kills = kills.map_or(KILLS, |kills| kills / 5);
    let dir = tempfile::tempdir().unwrap();
    drop(SqliteStore::open(&database(dir.path())).unwrap());
    let (mut said, mut hit) = (Vec::new(), 0);
    for kill in 0..kills {
        let role = format!("writer{kill}");
        let mut writer = child(&role, dir.path());
        let lines = BufReader::new(writer.stdout.take().unwrap()).lines();
        let (mut begun, mut stored, mut last) = (0, 0, String::new());
        let mut killed = false;
        for line in lines.map_while(Result::ok) {
            if let Some((_, rest)) = line.split_once("captured ") {
                let (n, id) = rest.split_once(' ').unwrap();
                said.push((format!("{role} decided number{n}"), id.to_owned()));
                stored += 1;
            } else if line.contains("begin ") {
                begun += 1;
            }
            last = line;
            if !killed && stored >= 3 + kill % 4 && last.contains("begin ") {
                // Somewhere within the capture that has just begun.
                std::thread::sleep(Duration::from_micros(u64::from(kill * 137 % 2_500)));
                writer.kill().unwrap();
                killed = true;
            }
        }
        writer.wait().unwrap();
        hit += u32::from(begun > stored && last.contains("begin "));
    }
    assert!(hit * 3 >= kills, "only {hit} of {kills} hit a capture in its middle");
    let store = SqliteStore::open(&database(dir.path())).unwrap();
    assert!(store.salvaged().is_none());
    let selection = |filter: &str| Selection {
        scope: Scope::Outside,
        filter: Filter::parse(filter, NOW).unwrap(),
        now_ms: NOW,
    };
    for (text, id) in &said {
        let memory = store.get(id).unwrap().unwrap_or_else(|| panic!("{text} is lost"));
        assert!(memory.content.starts_with(text));
    }
    let all = store.list(&selection(""), Page { offset: 0, limit: 100_000 }).unwrap();
    // At most the one in whose middle each was killed is there besides.
    assert!(all.total >= said.len() as u64 && all.total <= said.len() as u64 + u64::from(kills));
    for (text, id) in said.iter().step_by(7) {
        let (role, number) = (text.split(' ').next().unwrap(), text.split(' ').next_back().unwrap());
        let asked = Recall {
            query: Some(number.to_owned()),
            selection: selection(&format!("tag:of-{role}")),
            limit: 5,
            ..Recall::default()
        };
        let found = recall(&store, &asked).unwrap();
        assert!(found.hits.iter().any(|hit| hit.memory.id == *id), "{text}");
    }
}
