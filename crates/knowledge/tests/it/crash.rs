//! Killed processes, many writers, a full disk, a damaged file: what was committed stays, and stays searchable.
//!
//! The other processes are this test program run again with `PLIMSOLL_KNOWLEDGE_CHILD` set.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use plimsoll_knowledge::{KnowledgeError, PurgeScope, Store};

use crate::common::{Dice, add, find, markdown, source, temp};

const ROLE: &str = "PLIMSOLL_KNOWLEDGE_CHILD";
const DB: &str = "PLIMSOLL_KNOWLEDGE_CHILD_DB";
const NUMBER: &str = "PLIMSOLL_KNOWLEDGE_CHILD_NUMBER";

fn child(role: &str, db: &Path, number: usize) -> Child {
    Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "crash::child_process", "--nocapture"])
        .env(ROLE, role)
        .env(DB, db)
        .env(NUMBER, number.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("start")
}

/// Does a child process's work; as a test of its own it does nothing.
#[test]
fn child_process() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let db = std::env::var(DB).expect("database");
    let number: usize = std::env::var(NUMBER).expect("number").parse().expect("a number");
    let mut store = Store::open(Path::new(&db)).expect("open");
    let mut out = std::io::stdout();
    let mut say = |what: &str| {
        writeln!(out, "\n#{what}").expect("write");
        out.flush().expect("flush");
    };
    match role.as_str() {
        // Writes sources for ever, announcing each one once it is committed; now and then it purges one.
        "writer" => {
            for n in 0.. {
                let word = format!("killed{number}x{n}");
                let text = format!("# Part {n}\n\nThe word {word} stands here.\n\n{}", markdown(1_500, n));
                add(&mut store, &word, &text);
                say(&format!("+{word}"));
                if n % 3 == 2 {
                    let old = format!("killed{number}x{}", n - 1);
                    say(&format!("?{old}"));
                    let trash = Path::new(&db).with_extension("trash");
                    store.purge(&PurgeScope::Source(old.clone()), Some(&trash), n as i64).expect("purge");
                    say(&format!("-{old}"));
                }
            }
        }
        "sixteen" => {
            for n in 0..5 {
                let word = format!("writer{number}x{n}");
                add(
                    &mut store,
                    &word,
                    &format!("# Part\n\nThe word {word}, and shared words.\n\n{}", markdown(1_500, n)),
                );
                add(&mut store, "everybody", &format!("# Shared\n\ncontested by {word}\n"));
            }
        }
        other => panic!("no role {other}"),
    }
}

/// A killed child's report: the words that must be stored, and those that may or may not be.
fn committed(child: &mut Child, lines: usize, micros: usize) -> (Vec<String>, Vec<String>) {
    let mut reader = BufReader::new(child.stdout.take().expect("stdout"));
    let (mut there, mut unsure) = (Vec::new(), Vec::new());
    let mut heard = 0;
    let mut line = String::new();
    loop {
        line.clear();
        if reader.read_line(&mut line).expect("read") == 0 {
            return (there, unsure);
        }
        let Some(what) = line.trim().strip_prefix('#') else { continue };
        let (sign, word) = what.split_at(1);
        match sign {
            "+" => there.push(word.to_owned()),
            "?" => {
                there.retain(|w| w != word);
                unsure.push(word.to_owned());
            }
            _ => {}
        }
        heard += 1;
        if heard == lines {
            // It is busy with the next one now; how far it has come is left to chance.
            std::thread::sleep(std::time::Duration::from_micros(micros as u64));
            child.kill().expect("kill");
        }
    }
}

#[test]
fn killed_at_any_moment_nothing_committed_is_lost() {
    let rounds: usize =
        std::env::var("PLIMSOLL_CRASH_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(50);
    let dir = tempfile::tempdir().expect("temp");
    let db = dir.path().join("knowledge.db");
    let mut dice = Dice(11);
    let mut there = Vec::new();
    let mut gone = Vec::new();
    for round in 0..rounds {
        let mut process = child("writer", &db, round);
        let lines = 1 + dice.below(5);
        let (kept, unsure) = committed(&mut process, lines, dice.below(9_000));
        process.wait().expect("wait");
        there.extend(kept);
        gone.extend(unsure);
        if round % 10 == 9 || round + 1 == rounds {
            let store = Store::open(&db).expect("open after kill");
            for word in &there {
                assert_eq!(find(&store, word).total, 1, "{word} is lost after round {round}");
            }
            for word in &gone {
                // Purged or not purged yet, but never in part.
                let indexed = find(&store, &format!("\"{word}\"")).total;
                assert_eq!(indexed, u64::from(store.source_text(word).is_ok()), "{word}");
            }
            assert!(store.index_is_sound().expect("check"));
            quick_check(&db);
        }
    }
    assert!(there.len() >= rounds);
}

fn quick_check(db: &Path) {
    let connection = rusqlite::Connection::open(db).expect("open");
    let answer: String = connection.query_row("PRAGMA quick_check", [], |r| r.get(0)).expect("check");
    assert_eq!(answer, "ok");
}

#[test]
fn sixteen_processes_writing_at_once_lose_nothing() {
    let dir = tempfile::tempdir().expect("temp");
    let db = dir.path().join("knowledge.db");
    let children: Vec<Child> = (0..16).map(|n| child("sixteen", &db, n)).collect();
    for process in children {
        let output = process.wait_with_output().expect("wait");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    let store = Store::open(&db).expect("open");
    for number in 0..16 {
        for n in 0..5 {
            let word = format!("writer{number}x{n}");
            assert_eq!(find(&store, &format!("\"word {word}\"")).total, 1, "{word}");
        }
    }
    assert_eq!(find(&store, "contested").total, 1);
    assert_eq!(store.stats().expect("stats").sources, 16 * 5 + 1);
    assert!(store.index_is_sound().expect("check"));
    quick_check(&db);
}

#[test]
fn a_full_disk_is_reported_and_costs_nothing() {
    let mut t = temp();
    t.add("before", "# Before\n\nthe elephant\n");
    // SQLite's own page limit replaces the disk's: it fails in the same place with the same code.
    t.store.limit_pages_for_test(60);
    let big = markdown(2_000_000, 5);
    let error = t.store.index_text(source("big", &big)).expect_err("full");
    assert!(matches!(&error, KnowledgeError::Db(home::DbError::Full { .. })), "{error}");
    assert!(error.to_string().contains("disk is full"), "{error}");
    assert_eq!(find(&t.store, "elephant").total, 1);
    assert!(t.store.index_is_sound().expect("check"));
    t.store.limit_pages_for_test(1_000_000);
    t.add("after", "# After\n\nthe giraffe\n");
    assert_eq!(find(&t.store, "giraffe").total, 1);
}

/// A small file system of its own, if the system allows one.
#[cfg(target_os = "linux")]
struct SmallDisk(tempfile::TempDir);

#[cfg(target_os = "linux")]
impl SmallDisk {
    fn mount(size: &str) -> Option<SmallDisk> {
        let dir = tempfile::tempdir().expect("temp");
        let options = format!("size={size}");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "tmpfs"])
            .arg(dir.path())
            .stderr(Stdio::null())
            .status();
        let mounted = mounted.is_ok_and(|s| s.success());
        if !mounted {
            skipped::without("mount", "only root may mount a small disk");
        }
        mounted.then_some(SmallDisk(dir))
    }
}

#[cfg(target_os = "linux")]
impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_disk_that_is_really_full_is_reported_and_costs_nothing() {
    // Only root may mount; elsewhere the page limit above replaces it.
    let Some(disk) = SmallDisk::mount("1500k") else { return };
    let mut store = Store::open(&disk.0.path().join("knowledge.db")).expect("open");
    add(&mut store, "before", "# Before\n\nthe elephant\n");
    let error = store.index_text(source("big", &markdown(3_000_000, 5))).expect_err("full");
    assert!(error.to_string().contains("disk is full"), "{error}");
    assert_eq!(find(&store, "elephant").total, 1);
    drop(store);
    let store = Store::open(&disk.0.path().join("knowledge.db")).expect("open again");
    assert_eq!(find(&store, "elephant").total, 1);

    // A trash that cannot be written keeps everything where it is.
    let mut t = temp();
    t.add("big", &markdown(3_000_000, 5));
    let trash = disk.0.path().join("trash");
    let error = t.store.purge(&PurgeScope::All, Some(&trash), 1).expect_err("full");
    assert!(error.to_string().contains("disk is full"), "{error}");
    assert_eq!(t.store.stats().expect("stats").sources, 1);
    assert_eq!(std::fs::read_dir(&trash).expect("trash").count(), 0, "half a copy is left");
}

#[test]
fn a_damaged_file_is_salvaged_and_searchable() {
    let dir = tempfile::tempdir().expect("temp");
    let db = dir.path().join("knowledge.db");
    let words: Vec<String> = (0..40).map(|n| format!("salvage{n}")).collect();
    {
        let mut store = Store::open(&db).expect("open");
        for (n, word) in words.iter().enumerate() {
            add(&mut store, word, &format!("# {word}\n\n{}", markdown(20_000, n as u64)));
        }
    }
    // A few pages in the second half are overwritten, and the file looks as after a crash.
    let mut bytes = std::fs::read(&db).expect("read");
    let pages = bytes.len() / 4096;
    for page in [pages * 6 / 10, pages * 7 / 10, pages * 8 / 10] {
        bytes[page * 4096..(page + 1) * 4096].fill(0xA5);
    }
    std::fs::write(&db, &bytes).expect("write");
    std::fs::write(db.with_extension("db-wal"), [0u8; 64]).expect("log");

    let store = Store::open(&db).expect("salvage");
    let found = words.iter().filter(|w| find(&store, w).total > 0).count();
    assert!(found >= 30, "only {found} of 40 were brought back");
    assert!(store.index_is_sound().expect("check"));
    quick_check(&db);
    let kept = std::fs::read_dir(dir.path()).expect("dir").flatten();
    assert!(
        kept.into_iter().any(|e| std::fs::read(e.path()).is_ok_and(|b| b == bytes)),
        "the damaged file is kept"
    );
}
