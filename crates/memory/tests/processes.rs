//! Processes that are killed while they write, and many that write at once: whatever was reported as captured is there.
//! The test starts itself as the others.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

use std::collections::HashSet;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use plimsoll_memory::domain::{Domain, Namespace};
use plimsoll_memory::query::{Filter, Scope, Selection};
use plimsoll_memory::recall::{RecallRequest, recall};
use plimsoll_memory::store::{Actor, Draft, Page, Secrets, SqliteStore, Store};

const ROLE: &str = "PLIMSOLL_TEST_ROLE";
const FOLDER: &str = "PLIMSOLL_TEST_FOLDER";
/// How many memories a writer captures; without it, it captures until it is killed.
const MOST: &str = "PLIMSOLL_TEST_MOST";
const NOW: i64 = 1_800_000_000_000;
/// The number of kills unless `PLIMSOLL_CRASH_KILLS` sets another.
const KILLS: u32 = 12;

fn database(folder: &Path) -> PathBuf {
    folder.join("memory.db")
}

fn child(role: &str, folder: &Path, most: Option<u64>) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "role", "--nocapture"])
        .env(ROLE, role)
        .env(FOLDER, folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    if let Some(most) = most {
        command.env(MOST, most.to_string());
    }
    command.spawn().unwrap()
}

/// Does nothing unless a test of this file started it.
#[test]
fn role() {
    let (Ok(role), Some(folder)) = (std::env::var(ROLE), std::env::var_os(FOLDER)) else { return };
    let most = std::env::var(MOST).ok().map_or(u64::MAX, |most| most.parse().unwrap());
    let mut store = SqliteStore::open(&database(Path::new(&folder))).unwrap();
    for n in 0..most {
        // All of them write every fourth.
        let content = match n % 4 {
            3 => format!("everybody decided number{n}"),
            _ => format!("{role} decided number{n} with pg {}", "and more words ".repeat(60)),
        };
        let draft = Draft {
            session: Some(role.clone()),
            tags: vec![format!("of-{role}")],
            ..Draft::new(content, Namespace::Decisions, Domain::User)
        };
        println!("begin {n}");
        let checked = draft.check(Secrets::Redact).unwrap();
        // A process that waited too long behind the others gets an error, and asks again.
        let stored = (0..5).find_map(|_| store.capture(&checked, &Actor::local_user(NOW)).ok());
        if let Some(captured) = stored {
            println!("captured {n} {}", captured.memory.id);
        }
    }
}

/// The id in a line that says what was captured.
fn captured(line: &str) -> Option<(u64, String)> {
    let (n, id) = line.split_once("captured ")?.1.split_once(' ')?;
    Some((n.parse().unwrap(), id.to_owned()))
}

fn selection(filter: &str) -> Selection {
    Selection { scope: Scope::Outside, filter: Filter::parse(filter, NOW).unwrap(), now_ms: NOW }
}

/// Row 24 of the promises: kill -9 in the middle of a capture loses nothing that was reported as stored, and recall
/// finds it.
#[test]
fn no_kill_loses_a_captured_memory() {
    let kills = std::env::var("PLIMSOLL_CRASH_KILLS").ok().map_or(KILLS, |text| text.parse().unwrap());
    let dir = tempfile::tempdir().unwrap();
    drop(SqliteStore::open(&database(dir.path())).unwrap());
    let (mut noted, mut hit, mut tried) = (Vec::new(), 0, 0);
    // A kill that comes between two captures is made again.
    while hit < kills {
        assert!(tried < 6 * kills, "only {hit} of {tried} kills hit a capture in its middle");
        let role = format!("writer{tried}");
        let mut writer = child(&role, dir.path(), None);
        let lines = BufReader::new(writer.stdout.take().unwrap()).lines();
        let (mut begun, mut stored) = (0, 0);
        let mut killed = false;
        for line in lines.map_while(Result::ok) {
            if let Some((n, id)) = captured(&line) {
                let by = if n % 4 == 3 { "everybody" } else { &role };
                noted.push((format!("{by} decided number{n}"), id));
                stored += 1;
            } else if line.contains("begin ") {
                begun += 1;
                if !killed && stored > u64::from(tried % 3) {
                    // Somewhere within the capture that has just begun.
                    std::thread::sleep(Duration::from_micros(u64::from(tried * 137 % 1_500)));
                    writer.kill().unwrap();
                    killed = true;
                }
            }
        }
        writer.wait().unwrap();
        tried += 1;
        hit += u32::from(begun > stored);
    }
    eprintln!("{hit} of {tried} kills hit a capture in its middle");
    let store = SqliteStore::open(&database(dir.path())).unwrap();
    assert!(store.salvaged().is_none());
    for (text, id) in &noted {
        let memory = store.get(id).unwrap().unwrap_or_else(|| panic!("{text} is lost"));
        assert!(memory.content.starts_with(text));
    }
    let all = store.list(&selection(""), Page { offset: 0, limit: 100_000 }).unwrap();
    let ids: HashSet<&String> = noted.iter().map(|(_, id)| id).collect();
    // At most one more is there for each kill: the one that was being written.
    assert!(all.total >= ids.len() as u64 && all.total <= (ids.len() + hit as usize) as u64);
    for (text, id) in noted.iter().filter(|(text, _)| text.starts_with("writer")).step_by(7) {
        let (role, number) = (text.split(' ').next().unwrap(), text.split(' ').next_back().unwrap());
        let asked = RecallRequest {
            query: Some(number.to_owned()),
            selection: selection(&format!("tag:of-{role}")),
            limit: 5,
            ..RecallRequest::default()
        };
        let found = recall(&store, &asked).unwrap();
        assert!(found.hits.iter().any(|hit| hit.memory.id == *id), "{text}");
    }
}

/// Sixteen processes that write at once: each is answered for everything, and what several say is there once.
#[test]
fn sixteen_processes_lose_nothing_and_store_nothing_twice() {
    const EACH: u64 = 12;
    let dir = tempfile::tempdir().unwrap();
    let mut writers: Vec<Child> =
        (0..16).map(|n| child(&format!("writer{n}"), dir.path(), Some(EACH))).collect();
    let mut noted: Vec<(u64, String)> = Vec::new();
    for writer in &mut writers {
        let lines = BufReader::new(writer.stdout.take().unwrap()).lines();
        let of_this: Vec<(u64, String)> = lines.filter_map(|line| captured(&line.unwrap())).collect();
        assert_eq!(of_this.len() as u64, EACH);
        noted.extend(of_this);
        assert!(writer.wait().unwrap().success());
    }
    let store = SqliteStore::open(&database(dir.path())).unwrap();
    let all = store.list(&selection(""), Page { offset: 0, limit: 1_000 }).unwrap();
    let together = EACH / 4;
    assert_eq!(all.total, 16 * (EACH - together) + together);
    for number in (0..EACH).filter(|number| number % 4 == 3) {
        let ids: HashSet<&String> = noted.iter().filter(|(n, _)| *n == number).map(|(_, id)| id).collect();
        assert_eq!(ids.len(), 1, "number {number} was stored several times");
    }
    assert!(noted.iter().all(|(_, id)| store.get(id).unwrap().is_some()));
}
