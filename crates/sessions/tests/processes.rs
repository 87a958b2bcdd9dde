//! Many processes at once: the test starts itself as its own writers.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use home::Home;
use plimsoll_sessions::{
    Class, EventFilter, Keep, LedgerRow, NewEvent, Page, RecordedCall, Sessions, Totals,
    heartbeats::{self, Heartbeat},
};

const ROLE: &str = "PLIMSOLL_TEST_ROLE";
const FOLDER: &str = "PLIMSOLL_TEST_FOLDER";
const NOW: i64 = 1_700_000_000_000;
const ROWS: i64 = 20;
const CALLS: i64 = 60;

fn child(role: &str, folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "role", "--nocapture"])
        .env(ROLE, role)
        .env(FOLDER, folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until the child reports that it is ready.
fn ready(child: &mut Child) {
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("ready")));
}

fn beat(pid: u32, session: Option<&str>, project: &Path, touched_ms: i64) -> Heartbeat {
    Heartbeat {
        pid,
        agent: "codex".into(),
        session: session.map(str::to_owned),
        project: project.to_owned(),
        started_ms: NOW,
        touched_ms,
    }
}

/// Call number `i` of a writer: many combinations, several days, every class.
fn call(writer: &str, i: i64) -> LedgerRow {
    LedgerRow {
        session: writer.into(),
        agent: ["codex", "kiro"][usize::from(i % 3 == 0)].into(),
        project: format!("/w/{}", i % 5),
        tool: "Bash".into(),
        filter: ["", "git-log", "cargo-test"][usize::try_from(i % 3).unwrap()].into(),
        raw_bytes: 10_000 + i.unsigned_abs(),
        returned_bytes: 300,
        class: [Class::Measured, Class::Estimated, Class::None][usize::try_from(i % 4).unwrap().min(2)],
        ok: i % 7 > 0,
        overhead_bytes: 11,
        elapsed_us: 5,
        at_ms: NOW + i * 3_600_000,
        ..LedgerRow::default()
    }
}

/// Every call in the ledger, in the order of recording.
fn every_call(sessions: &Sessions) -> Vec<RecordedCall> {
    let mut all: Vec<RecordedCall> = Vec::new();
    loop {
        let next = sessions.calls_after(all.last().map_or(0, |call| call.id), i64::MIN, 100).unwrap();
        if next.is_empty() {
            return all;
        }
        all.extend(next);
    }
}

/// Does nothing unless a test of this file started it.
#[test]
fn role() {
    let (Ok(role), Some(folder)) = (std::env::var(ROLE), std::env::var_os(FOLDER)) else { return };
    let home = Home::at(PathBuf::from(folder));
    match role.as_str() {
        "server" => {
            heartbeats::write(&home, &beat(std::process::id(), Some("s"), Path::new("/w"), NOW)).unwrap();
            println!("ready");
            std::io::stdout().flush().unwrap();
            // Runs until it is killed or released.
            let mut line = String::new();
            std::io::stdin().read_line(&mut line).unwrap();
        }
        ledger if ledger.starts_with("ledger") => {
            let mut sessions = Sessions::open(&home, &[]).unwrap();
            for i in 0..CALLS {
                let id = sessions.ledger(&call(ledger, i)).unwrap();
                // Printed only after it is written: every printed row must exist afterwards.
                println!("wrote {id}");
            }
            println!("done");
            std::io::stdout().flush().unwrap();
        }
        writer => {
            let mut sessions = Sessions::open(&home, &[]).unwrap();
            let mut nudges = 0;
            for i in 0..ROWS {
                let event = NewEvent {
                    session: writer.into(),
                    agent: "codex".into(),
                    kind: "post_tool".into(),
                    summary: format!("{writer} {i}"),
                    at_ms: NOW + i,
                    ..NewEvent::default()
                };
                sessions.record(&event).unwrap();
                let row = LedgerRow {
                    session: writer.into(),
                    agent: "codex".into(),
                    tool: "execute".into(),
                    raw_bytes: 100,
                    class: Class::Measured,
                    ok: true,
                    at_ms: NOW - i * 86_400_000,
                    ..LedgerRow::default()
                };
                sessions.ledger(&row).unwrap();
                nudges += i64::from(sessions.nudge_once("shared", &i.to_string()).unwrap());
                if i % 7 == 0 {
                    sessions
                        .forget(Keep {
                            since_ms: NOW - 5 * 86_400_000,
                            events_per_session: 1_000,
                            ..Keep::default()
                        })
                        .unwrap();
                }
            }
            println!("nudges={nudges}");
        }
    }
}

#[test]
fn sixteen_writers_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path());
    let children: Vec<Child> = (0..16).map(|i| child(&format!("w{i}"), dir.path())).collect();
    let mut nudges = 0;
    for child in children {
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{text}");
        let told: i64 = text.split("nudges=").nth(1).unwrap().lines().next().unwrap().trim().parse().unwrap();
        nudges += told;
    }
    let sessions = Sessions::open_read_only(&home, &[]).unwrap().unwrap();
    let events = sessions.events(&EventFilter::default(), Page::default()).unwrap();
    assert_eq!(i64::try_from(events.total).unwrap(), 16 * ROWS);
    let totals = sessions.stats(0).unwrap().totals;
    assert_eq!(i64::try_from(totals.calls).unwrap(), 16 * ROWS);
    assert_eq!(totals.measured_bytes, 16 * ROWS * 100);
    // Exactly one of them gave each nudge, unless a deletion ran in between.
    assert!(nudges >= ROWS, "{nudges}");
}

/// One of six writers is killed in the middle of its work: what it reported as written is there, and the totals match
/// the rows, overall and per dimension.
#[test]
fn a_writer_that_is_killed_leaves_rows_and_sums_that_agree() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path());
    for round in 0..3 {
        let mut victim = child(&format!("ledger-victim-{round}"), dir.path());
        let others: Vec<Child> = (0..5).map(|i| child(&format!("ledger-{round}-{i}"), dir.path())).collect();
        let mut printed = BufReader::new(victim.stdout.take().unwrap()).lines().map_while(Result::ok);
        let mut written: Vec<i64> = Vec::new();
        let number = |line: &String| -> Option<i64> {
            line.split_once("wrote ").and_then(|(_, id)| id.trim().parse().ok())
        };
        while written.len() < 10 {
            written.extend(printed.next().iter().filter_map(number));
        }
        victim.kill().unwrap();
        victim.wait().unwrap();
        written.extend(printed.filter_map(|line| number(&line)));
        for other in others {
            let output = other.wait_with_output().unwrap();
            assert!(String::from_utf8_lossy(&output.stdout).contains("done"), "{output:?}");
        }
        let sessions = Sessions::open(&home, &[]).unwrap();
        let rows = every_call(&sessions);
        assert!(written.iter().all(|id| rows.iter().any(|call| call.id == *id)), "{written:?}");
        let stats = sessions.stats(0).unwrap();
        assert_eq!(stats.totals, Totals::of(rows.iter().map(|call| &call.row)));
        for group in &stats.by_filter {
            let of = rows.iter().map(|call| &call.row).filter(|row| row.filter == group.name);
            assert_eq!(group.totals, Totals::of(of), "{}", group.name);
        }
        assert_eq!(stats.by_filter.len(), 2);
        let days = sessions.days(0, 0).unwrap();
        assert_eq!(days.iter().map(|day| day.totals.calls).sum::<u64>(), stats.totals.calls);
    }
}

#[test]
fn a_server_is_alive_until_it_is_killed() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path());
    let mut server = child("server", dir.path());
    ready(&mut server);
    let found = heartbeats::find(&home, "codex", Some("s"), Path::new("/w"), NOW + 1).unwrap();
    assert_eq!(found.pid, server.id());
    server.kill().unwrap();
    server.wait().unwrap();
    // Its files still exist; a new process with its number would change nothing.
    assert!(home.run_dir().join(format!("{}.json", found.pid)).exists());
    assert_eq!(heartbeats::find(&home, "codex", Some("s"), Path::new("/w"), NOW + 1), None);
    assert_eq!(heartbeats::sweep(&home), 1);
    assert_eq!(std::fs::read_dir(home.run_dir()).unwrap().count(), 0);
}

#[test]
fn a_sign_of_life_must_match_agent_session_project_and_time() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path());
    let me = std::process::id();
    heartbeats::write(&home, &beat(me, Some("s"), Path::new("/w"), NOW)).unwrap();
    let find = |agent: &str, session: Option<&str>, project: &str, now: i64| {
        heartbeats::find(&home, agent, session, Path::new(project), now).is_some()
    };
    assert!(find("codex", Some("s"), "/elsewhere", NOW));
    assert!(find("codex", None, "/w", NOW));
    assert!(find("codex", None, "/w/sub", NOW));
    assert!(!find("codex", None, "/wide", NOW));
    // The agent starts another session after /clear, and the server isn't told.
    assert!(find("codex", Some("other"), "/w", NOW));
    assert!(!find("codex", Some("other"), "/x", NOW));
    assert!(!find("kiro", Some("s"), "/w", NOW));
    // With a second server there, nobody knows whose the other session is.
    heartbeats::write(&home, &beat(me + 1, Some("t"), Path::new("/w"), NOW)).unwrap();
    assert!(find("codex", Some("t"), "/w", NOW));
    assert!(!find("codex", Some("other"), "/w", NOW));
    heartbeats::remove(&home, me + 1);
    assert!(find("codex", Some("s"), "/w", NOW + heartbeats::VALID_MS));
    assert!(!find("codex", Some("s"), "/w", NOW + heartbeats::VALID_MS + 1));
    assert!(!find("codex", Some("s"), "/w", NOW - heartbeats::VALID_MS - 1));
    // A server without a session ID serves every session of its project.
    heartbeats::write(&home, &beat(me, None, Path::new("/w"), NOW)).unwrap();
    assert!(find("codex", Some("other"), "/w", NOW));
    assert!(!find("codex", Some("other"), "/x", NOW));
    // A server that has no project either serves nobody.
    heartbeats::write(&home, &beat(me, None, Path::new(""), NOW)).unwrap();
    assert!(!find("codex", None, "/w", NOW));
    // A dead process doesn't hold the lock: its number alone says nothing.
    let mut gone =
        Command::new(std::env::current_exe().unwrap()).arg("--list").stdout(Stdio::null()).spawn().unwrap();
    gone.wait().unwrap();
    let bytes = serde_json::to_vec(&beat(gone.id(), Some("g"), Path::new("/g"), NOW)).unwrap();
    std::fs::write(home.run_dir().join(format!("{}.json", gone.id())), bytes).unwrap();
    assert!(!find("codex", Some("g"), "/g", NOW));
    heartbeats::remove(&home, me);
    heartbeats::remove(&home, me);
    assert!(!find("codex", None, "/w", NOW));
}

#[test]
fn strange_files_in_the_run_folder_are_ignored() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path());
    assert!(heartbeats::all(&home, NOW).is_empty());
    home::private_dir(&home.run_dir()).unwrap();
    let me = std::process::id();
    let copy = serde_json::to_vec(&beat(me, None, Path::new("/w"), NOW)).unwrap();
    for (name, bytes) in [
        ("1.json", b"{".as_slice()),
        ("2.json", b"\xff\xfe"),
        ("x.json", b"{}"),
        ("3.json", &copy),
        ("4.json", &vec![b' '; 100_000]),
        ("note.txt", b"keep"),
    ] {
        std::fs::write(home.run_dir().join(name), bytes).unwrap();
    }
    std::fs::create_dir(home.run_dir().join("5.json")).unwrap();
    assert!(heartbeats::all(&home, NOW).is_empty());
    heartbeats::sweep(&home);
    assert!(home.run_dir().join("note.txt").exists());
}
