//! A home folder with one captured session of each agent, resumed and forked if the agent can: where the records are, what they
//! contain, and that continuing later gives the same. The captured model answered four times per run, with 195 fresh, 2,890
//! cached and 110 answered tokens in total.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use home::Env;
use jiff::tz::TimeZone;
use plimsoll_agents::transcript_sources;
use rusqlite::Connection;
use transcripts::{Cursor, Reader, Record, Scan, Source, Tokens, ToolOutput, Totals, TranscriptError};

use super::fixtures;

/// The agents that record their sessions.
const ALL: [&str; 5] = [CLAUDE_CODE, CODEX, GEMINI_CLI, OPENCODE, COPILOT_CLI];
const CLAUDE_CODE: &str = "claude-code";
const CODEX: &str = "codex";
const GEMINI_CLI: &str = "gemini-cli";
const OPENCODE: &str = "opencode";
const COPILOT_CLI: &str = "copilot-cli";

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// Creates a database as OpenCode does, and closes it.
fn database(path: &Path, sql: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let conn = Connection::open(path).unwrap();
    conn.pragma_update(None, "journal_mode", "WAL").unwrap();
    conn.execute_batch(&fs::read_to_string(fixtures().join(sql)).unwrap()).unwrap();
}

fn home() -> (tempfile::TempDir, Env) {
    let dir = tempfile::tempdir().unwrap();
    copy(&fixtures().join("home"), dir.path());
    database(&dir.path().join(".local/share/opencode/opencode.db"), "opencode.sql");
    let env = Env::for_test(dir.path());
    (dir, env)
}

fn listing(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap().flatten() {
        if entry.path().is_dir() {
            files.extend(listing(&entry.path()));
        } else {
            files.insert(entry.path(), fs::read(entry.path()).unwrap());
        }
    }
    files
}

fn spent(env: &Env) -> BTreeMap<&'static str, (u64, Tokens)> {
    let mut totals = Totals::new(TimeZone::UTC);
    let mut scan = Scan::of(transcript_sources(env, 0), 0);
    scan.sum_up(&mut totals);
    assert!(scan.errors().is_empty(), "{:?}", scan.errors());
    totals
        .by(|row| row.agent)
        .into_iter()
        .map(|(agent, spent)| (agent, (spent.responses, spent.tokens)))
        .collect()
}

fn tokens(input: u64, output: u64, cache_read: u64, cache_write: u64) -> Tokens {
    Tokens { input, output, cache_read, cache_write }
}

#[test]
fn what_the_captured_sessions_cost() {
    let (_dir, env) = home();
    let spent = spent(&env);
    // Four responses; a fork that copied them and went on with four.
    assert_eq!(spent[&CLAUDE_CODE], (8, tokens(390, 220, 5780, 2060)));
    // A session, its resume, and a fork of both of which the running total went on.
    assert_eq!(spent[&CODEX], (12, tokens(585, 330, 8670, 0)));
    // Thoughts are answered tokens, five per response.
    assert_eq!(spent[&GEMINI_CLI], (4, tokens(195, 130, 2890, 0)));
    assert_eq!(spent[&OPENCODE], (4, tokens(195, 110, 2890, 0)));
    // A session and its resume; the first half is also in the telemetry.
    assert_eq!(spent[&COPILOT_CLI], (8, tokens(390, 220, 5780, 0)));
}

#[test]
fn by_tool_model_and_day() {
    let (_dir, env) = home();
    let mut totals = Totals::new(TimeZone::UTC);
    Scan::of(transcript_sources(&env, 0), 0).sum_up(&mut totals);
    for (agent, shell) in [
        (CLAUDE_CODE, "Bash"),
        (CODEX, "exec_command"),
        (GEMINI_CLI, "run_shell_command"),
        (OPENCODE, "bash"),
        (COPILOT_CLI, "bash"),
    ] {
        let rows: Vec<_> = totals.rows().into_iter().filter(|(row, _)| row.agent == agent).collect();
        assert!(rows.iter().all(|(row, _)| row.day == "2026-11-22" && !row.model.is_empty()), "{rows:?}");
        let with = |tool: Option<&str>| rows.iter().any(|(row, _)| row.tool.as_deref() == tool);
        assert!(with(Some(shell)) && with(None), "{rows:?}");
    }
}

#[test]
fn what_the_captured_tools_showed() {
    let (_dir, env) = home();
    let shown: Vec<ToolOutput> = Scan::of(transcript_sources(&env, 0), 0).outputs().collect();
    for (agent, runs) in [(CLAUDE_CODE, 2), (CODEX, 3), (GEMINI_CLI, 1), (OPENCODE, 1), (COPILOT_CLI, 2)] {
        let of = |command: &str| {
            let found: Vec<_> =
                shown.iter().filter(|s| s.agent == agent && s.command.as_deref() == Some(command)).collect();
            assert_eq!(found.len(), runs, "{agent:?} {command}: {found:?}");
            (found[0].text.trim_end().to_owned(), found[0].exit)
        };
        assert_eq!(
            of("printf 'building\\nerror: boom\\n'; exit 3"),
            ("building\nerror: boom".into(), Some(3))
        );
        let numbers: Vec<String> = (1..=40).map(|number| number.to_string()).collect();
        assert_eq!(of("seq 1 40"), (numbers.join("\n"), Some(0)));
        let (red, _) = of("printf '\\033[31mred\\033[0m %d\\n' 1 2 3");
        assert!(red == "red 1\nred 2\nred 3" || red.starts_with("\u{1b}[31mred\u{1b}[0m 1\n"), "{red:?}");
        let read = shown.iter().filter(|s| s.agent == agent && s.text.contains("A small shop."));
        assert_eq!(read.count(), runs, "{agent:?}");
        assert!(
            shown.iter().all(|s| s.at_ms > 1_795_327_900_000 && !s.tool.is_empty() && !s.session.is_empty())
        );
    }
}

#[test]
fn reading_leaves_everything_as_it_was() {
    let (dir, env) = home();
    let before = listing(dir.path());
    assert!(Scan::of(transcript_sources(&env, 0), 0).count() > 50);
    assert_eq!(listing(dir.path()), before);
}

#[test]
fn variables_move_the_folders() {
    let dir = tempfile::tempdir().unwrap();
    let at = |below: &str| dir.path().join(below);
    copy(&fixtures().join("home/.claude"), &at("c"));
    copy(&fixtures().join("home/.claude"), &at("xdg/claude"));
    copy(&fixtures().join("home/.codex"), &at("x"));
    fs::rename(at("x/sessions"), at("x/archived_sessions")).unwrap();
    copy(&fixtures().join("home/.gemini"), &at("g/.gemini"));
    copy(&fixtures().join("home/.copilot"), &at("p"));
    fs::rename(at("p/otel/copilot.jsonl"), at("spans.jsonl")).unwrap();
    database(&at("data/opencode/opencode.db"), "opencode.sql");
    database(&at("data/opencode/named.db"), "opencode-2.sql");
    let env = Env::for_test(at("nobody"))
        .with("CLAUDE_CONFIG_DIR", at("c"))
        .with("XDG_CONFIG_HOME", at("xdg"))
        .with("CODEX_HOME", at("x"))
        .with("GEMINI_CLI_HOME", at("g"))
        .with("XDG_DATA_HOME", at("data"))
        .with("OPENCODE_DB", "named.db")
        .with("COPILOT_HOME", at("p"))
        .with("COPILOT_OTEL_FILE_EXPORTER_PATH", at("spans.jsonl"));
    let mut count: BTreeMap<&'static str, usize> = BTreeMap::new();
    transcript_sources(&env, 0).iter().for_each(|source| *count.entry(source.agent).or_default() += 1);
    let wanted = [4, 2, 1, 2, 2];
    assert_eq!(count, ALL.into_iter().zip(wanted).collect::<BTreeMap<_, _>>());
    // The two copies of Claude Code's sessions are the same sessions.
    assert_eq!(spent(&env)[&CLAUDE_CODE], (8, tokens(390, 220, 5780, 2060)));
    assert!(transcript_sources(&env, i64::MAX).is_empty());
    assert!(transcript_sources(&Env::for_test(at("nobody")), 0).is_empty());
}

#[test]
fn older_records_are_left_out() {
    let (_dir, env) = home();
    let since = 1_795_328_100_000;
    assert!(Scan::of(transcript_sources(&env, since), since).all(|record| record.at_ms() >= since));
    assert!(Scan::of(transcript_sources(&env, since), since).count() > 10);
}

/// Reads a source as it grows by `step` bytes at a time, each time from the stored cursor.
fn growing(path: &Path, source: &Source, step: usize) -> Vec<Record> {
    let bytes = fs::read(path).unwrap();
    fs::write(path, b"").unwrap();
    let (mut cursor, mut records) = (None, Vec::new());
    let mut written = 0;
    while written < bytes.len() {
        let next = (written + step).min(bytes.len());
        let mut file = fs::OpenOptions::new().append(true).open(path).unwrap();
        std::io::Write::write_all(&mut file, &bytes[written..next]).unwrap();
        written = next;
        let mut reader = Reader::open(source, cursor.as_ref()).unwrap();
        records.extend(reader.by_ref());
        let ended = reader.finish();
        assert!(ended.error.is_none());
        // What is kept is text.
        let kept = serde_json::to_string(&ended.cursor).unwrap();
        cursor = Some(serde_json::from_str::<Cursor>(&kept).unwrap());
    }
    records
}

#[test]
fn resuming_later_gives_the_same() {
    let (_dir, env) = home();
    for source in transcript_sources(&env, 0).into_iter().filter(|source| source.agent != OPENCODE) {
        let whole: Vec<Record> = Reader::open(&source, None).unwrap().collect();
        for step in [97, 1000, 5000] {
            assert_eq!(growing(&source.path, &source, step), whole, "{} by {step}", source.path.display());
        }
    }
}

#[test]
fn another_file_in_its_place_is_read_again() {
    let (_dir, env) = home();
    let source = transcript_sources(&env, 0).into_iter().find(|source| source.agent == CLAUDE_CODE).unwrap();
    let mut reader = Reader::open(&source, None).unwrap();
    let whole = reader.by_ref().count();
    let cursor = reader.finish().cursor;
    let mut again = Reader::open(&source, Some(&cursor)).unwrap();
    assert!(again.resumed());
    assert_eq!(again.by_ref().count(), 0);
    let bytes = fs::read(&source.path).unwrap();
    // Shorter, and with another beginning.
    fs::write(&source.path, &bytes[..bytes.len() / 2]).unwrap();
    let again = Reader::open(&source, Some(&cursor)).unwrap();
    assert!(!again.resumed());
    assert!((1..whole).contains(&again.count()));
    fs::write(&source.path, [b"{\"type\":\"new\"}\n", bytes.as_slice()].concat()).unwrap();
    let again = Reader::open(&source, Some(&cursor)).unwrap();
    assert!(!again.resumed());
    assert_eq!(again.count(), whole);
}

#[test]
fn a_document_is_read_again_when_it_changed() {
    let dir = tempfile::tempdir().unwrap();
    let chats = dir.path().join(".gemini/tmp/shop/chats");
    copy(&fixtures().join("lines/gemini-document"), &chats);
    fs::remove_file(chats.join("cut.json")).unwrap();
    let source = transcript_sources(&Env::for_test(dir.path()), 0).remove(0);
    let mut reader = Reader::open(&source, None).unwrap();
    assert_eq!(reader.by_ref().count(), 4);
    let cursor = reader.finish().cursor;
    assert_eq!(Reader::open(&source, Some(&cursor)).unwrap().count(), 0);
    let text = fs::read_to_string(&source.path).unwrap();
    fs::write(&source.path, format!("{text}\n")).unwrap();
    assert_eq!(Reader::open(&source, Some(&cursor)).unwrap().count(), 4);
}

fn opencode(path: PathBuf) -> (Vec<Record>, Result<transcripts::ReadOutcome, TranscriptError>) {
    let dir = path.parent().unwrap().parent().unwrap();
    let env = Env::for_test(dir).with("XDG_DATA_HOME", dir);
    let source = transcript_sources(&env, 0).into_iter().find(|source| source.path == path).unwrap();
    match Reader::open(&source, None) {
        Ok(mut reader) => (reader.by_ref().collect(), Ok(reader.finish())),
        Err(error) => (Vec::new(), Err(error)),
    }
}

#[test]
fn opencode_running_and_killed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("opencode/opencode.db");
    database(&path, "opencode.sql");
    let (all, _) = opencode(path.clone());
    // Another process, here another connection, has it open and has written what is only in the log.
    let writer = Connection::open(&path).unwrap();
    writer.execute("UPDATE message SET time_updated = time_updated + 1", []).unwrap();
    writer
        .execute("INSERT INTO message SELECT 'msg_new', session_id, time_created, time_updated, data FROM message WHERE data LIKE '%tool-calls%' LIMIT 1", [])
        .unwrap();
    let log = listing(dir.path());
    let (running, ended) = opencode(path.clone());
    assert_eq!(running.len(), all.len() + 1);
    assert!(ended.unwrap().error.is_none());
    assert_eq!(listing(dir.path()).keys().collect::<Vec<_>>(), log.keys().collect::<Vec<_>>());
    // Killed: database, log and index stay as they are.
    let killed = dir.path().join("killed/opencode.db");
    fs::create_dir_all(killed.parent().unwrap()).unwrap();
    for ending in ["", "-wal", "-shm"] {
        let name = format!("opencode.db{ending}");
        fs::copy(path.with_file_name(&name), killed.with_file_name(&name)).unwrap();
    }
    drop(writer);
    fs::rename(dir.path().join("killed"), dir.path().join("opencode2")).unwrap();
    fs::remove_dir_all(dir.path().join("opencode")).unwrap();
    fs::rename(dir.path().join("opencode2"), dir.path().join("opencode")).unwrap();
    let before = listing(dir.path());
    let (found, ended) = opencode(path.clone());
    assert_eq!(found.len(), running.len(), "{ended:?}");
    assert_eq!(listing(dir.path()), before);
    // The index lost: reading would write one.
    fs::remove_file(path.with_file_name("opencode.db-shm")).unwrap();
    let before = listing(dir.path());
    assert!(matches!(opencode(path.clone()).1, Err(TranscriptError::LogWithoutIndex { .. })));
    assert_eq!(listing(dir.path()), before);
}

#[test]
fn reading_opencodes_database_leaves_it_unchanged() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("opencode/a?b#c%d.db");
    let path = path.with_file_name("opencode-a?b#c%d.db");
    if cfg!(windows) {
        return;
    }
    database(&path, "opencode.sql");
    let before = listing(dir.path());
    let (found, ended) = opencode(path);
    assert_eq!((found.len(), ended.unwrap().error.is_none()), (8, true));
    assert_eq!(listing(dir.path()), before);
}

#[test]
fn opencode_of_other_versions() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("opencode/opencode.db");
    database(&path, "opencode-2.sql");
    let (found, ended) = opencode(path.clone());
    let counts = ended.unwrap().counts;
    assert_eq!((counts.lines, counts.unreadable), (7, 2));
    insta::assert_debug_snapshot!("opencode_2", found);
    // Tables of a future version aren't an error. A file that isn't a database is named and nothing more.
    fs::remove_dir_all(path.parent().unwrap()).unwrap();
    database(&path, "opencode-future.sql");
    let (found, ended) = opencode(path.clone());
    assert_eq!((found.len(), ended.unwrap().error.is_none()), (0, true));
    fs::remove_dir_all(path.parent().unwrap()).unwrap();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, b"not a database, but long enough to look at it twice").unwrap();
    assert!(matches!(opencode(path.clone()).1, Err(TranscriptError::Database { .. })));
    fs::write(&path, b"").unwrap();
    assert!(opencode(path).1.unwrap().error.is_none());
}

#[test]
fn opencode_continues_from_the_newest_row() {
    let (_dir, env) = home();
    let source = transcript_sources(&env, 0).into_iter().find(|source| source.agent == OPENCODE).unwrap();
    let mut reader = Reader::open(&source, None).unwrap();
    assert_eq!(reader.by_ref().count(), 8);
    let cursor = reader.finish().cursor;
    let writer = Connection::open(&source.path).unwrap();
    // A message that was there already gets its tokens later; the newest one is told again.
    let sql = "UPDATE message SET time_updated = time_updated + 60000 WHERE data LIKE '%\"output\":17%'";
    assert_eq!(writer.execute(sql, []).unwrap(), 1);
    let mut reader = Reader::open(&source, Some(&cursor)).unwrap();
    let told: Vec<Record> = reader.by_ref().collect();
    assert_eq!(told.iter().filter(|record| matches!(record, Record::Usage(_))).count(), 2);
    assert_eq!(told.len(), 4);
    drop(writer);
}

#[test]
fn opencode_before_it_had_a_database() {
    let dir = tempfile::tempdir().unwrap();
    let storage = dir.path().join(".local/share/opencode/storage");
    copy(&fixtures().join("storage"), &storage);
    let env = Env::for_test(dir.path());
    assert_eq!(spent(&env)[&OPENCODE], (1, tokens(3, 40, 900, 100)));
    let mut scan = Scan::of(transcript_sources(&env, 0), 0);
    let shown: Vec<ToolOutput> = scan.outputs().collect();
    assert_eq!((shown.len(), shown[0].command.as_deref(), shown[0].exit), (1, Some("ls"), Some(0)));
    let (_, survey) = scan.surveys().iter().find(|(agent, _)| *agent == OPENCODE).unwrap();
    assert_eq!(survey.counts.unreadable, 1);
}
