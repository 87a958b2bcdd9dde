//! A hook's notes reach the database once, complete and without secrets, whatever happens meanwhile.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::PathBuf;

use home::Home;
use plimsoll_sessions::{
    Class, EventFilter, LedgerRow, NewEvent, Note, Page, Sessions, SessionsError, append_notes, has_records,
};

fn scratch() -> (tempfile::TempDir, Home, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path().join("plimsoll"));
    let file = home.root().join("events.pending");
    (dir, home, file)
}

fn event(summary: &str) -> Note {
    let (session, agent, summary) = ("s".into(), "codex".into(), summary.into());
    Note::Event(NewEvent { session, agent, summary, at_ms: 5, ..NewEvent::default() })
}

fn summaries(sessions: &Sessions) -> Vec<String> {
    let page = Page { offset: 0, limit: 1_000 };
    let mut all: Vec<_> = sessions.events(&EventFilter::default(), page).unwrap().items;
    all.sort_by_key(|event| event.id);
    all.into_iter().map(|event| event.event.summary).collect()
}

/// Else the next command would take the folder for Plimsoll's, because of what a hook left there.
#[test]
fn nothing_is_recorded_in_someone_elses_folder() {
    let (_dir, home, file) = scratch();
    fs::create_dir_all(home.root().join("src")).unwrap();
    fs::write(home.root().join("src/main.rs"), "fn main() {}\n").unwrap();
    let refused = append_notes(&home, &[event("one")]).unwrap_err();
    assert!(matches!(refused, SessionsError::Home(_)), "{refused}");
    assert!(refused.to_string().contains("PLIMSOLL_HOME"), "{refused}");
    assert!(!file.exists() && !has_records(&home));
}

#[test]
fn a_reader_sees_what_was_noted_a_moment_ago() {
    let (_dir, home, file) = scratch();
    assert!(!has_records(&home));
    let overhead = LedgerRow {
        agent: "codex".into(),
        tool: "hook".into(),
        overhead_bytes: 9,
        ok: true,
        ..LedgerRow::default()
    };
    assert!(!append_notes(&home, &[event("one"), Note::Call(overhead)]).unwrap());
    assert!(has_records(&home) && !home.main_db().exists(), "a hook makes no database");
    let reader = Sessions::open_read_only(&home, &[]).unwrap().unwrap();
    assert_eq!(summaries(&reader), ["one"]);
    assert_eq!(reader.stats(0).unwrap().totals.overhead_bytes, 9);
    // The same for an open database, and equal events are two events.
    append_notes(&home, &[event("two")]).unwrap();
    append_notes(&home, &[event("two")]).unwrap();
    assert_eq!(summaries(&reader), ["one", "two", "two"]);
    let mut writer = Sessions::open(&home, &[]).unwrap();
    append_notes(&home, &[event("three")]).unwrap();
    assert_eq!(
        writer.forget_session("codex", "s").unwrap().events,
        4,
        "what is forgotten does not come back"
    );
    assert_eq!(fs::metadata(&file).unwrap().len(), 0);
    assert!(summaries(&reader).is_empty());
}

#[test]
fn a_prompt_that_two_hooks_noted_is_one() {
    let (_dir, home, _) = scratch();
    let prompt = |session: &str, agent: &str, summary: &str, at_ms: i64| {
        Note::Event(NewEvent {
            session: session.into(),
            agent: agent.into(),
            kind: "prompt".into(),
            summary: summary.into(),
            decision: "pass".into(),
            at_ms,
            ..NewEvent::default()
        })
    };
    append_notes(&home, &[prompt("s", "codex", "go on", 5), prompt("s", "codex", "go on", 40)]).unwrap();
    let sessions = Sessions::open(&home, &[]).unwrap();
    assert_eq!(summaries(&sessions), ["go on"]);
    // The second hook is slower than the one who imports.
    append_notes(&home, &[prompt("s", "codex", "go on", 300)]).unwrap();
    assert_eq!(summaries(&sessions), ["go on"]);
    // The same words later, other words, other sessions and agents, and sessions without an ID.
    for other in [
        prompt("s", "codex", "go on", 9_000),
        prompt("s", "codex", "stop", 9_010),
        prompt("z", "codex", "go on", 9_010),
        prompt("s", "gemini-cli", "go on", 9_010),
        prompt("", "codex", "go on", 9_010),
        prompt("", "codex", "go on", 9_010),
    ] {
        append_notes(&home, &[other]).unwrap();
    }
    assert_eq!(summaries(&sessions).len(), 7);
}

/// An agent with Plimsoll's hooks in the user's file and in the project's runs both at each event.
#[test]
fn an_event_that_two_hooks_noted_counts_once() {
    let (_dir, home, _) = scratch();
    let of = |kind: &str, call: &str, decision: &str, at_ms: i64| NewEvent {
        session: "s".into(),
        agent: "codex".into(),
        kind: kind.into(),
        summary: if call.is_empty() { String::new() } else { "ls".into() },
        tool: (!call.is_empty()).then(|| "shell".into()),
        decision: decision.into(),
        call: call.into(),
        at_ms,
        ..NewEvent::default()
    };
    let noted = [
        of("session_start", "", "context", 10),
        of("pre_tool", "c-1", "pass", 20),
        of("post_tool", "c-1", "pass", 30),
        // The same command at the same time is another call.
        of("pre_tool", "c-2", "deny", 20),
        of("stop", "", "pass", 40),
    ];
    let twice = || noted.iter().map(|event| Note::Event(event.clone()));
    // In one import and in two.
    append_notes(&home, &twice().chain(twice()).collect::<Vec<_>>()).unwrap();
    let sessions = Sessions::open(&home, &[]).unwrap();
    append_notes(&home, &twice().collect::<Vec<_>>()).unwrap();
    let timeline = || {
        let items = sessions.events(&EventFilter::default(), Page { offset: 0, limit: 100 }).unwrap().items;
        let mut all: Vec<String> =
            items.into_iter().map(|one| format!("{} {}", one.event.kind, one.event.decision)).collect();
        all.sort();
        all
    };
    let once = ["post_tool pass", "pre_tool deny", "pre_tool pass", "session_start context", "stop pass"];
    assert_eq!(timeline(), once);
    let count = |decision: &str| {
        let decisions = sessions.stats(0).unwrap().decisions;
        decisions.into_iter().find(|(name, _)| name == decision).map_or(0, |(_, times)| times)
    };
    assert_eq!((count("pass"), count("deny"), count("context")), (3, 1, 1));
    // Only one of the two carries the session's one-time text: that one counts, whichever comes first.
    let prompted =
        |decision: &str| Note::Event(NewEvent { summary: "go on".into(), ..of("prompt", "", decision, 50) });
    append_notes(&home, &[prompted("pass"), prompted("context")]).unwrap();
    append_notes(&home, &[Note::Event(of("pre_tool", "c-3", "pass", 60))]).unwrap();
    append_notes(&home, &[Note::Event(of("pre_tool", "c-3", "rewrite", 70))]).unwrap();
    append_notes(&home, &[Note::Event(of("pre_tool", "c-3", "pass", 80))]).unwrap();
    assert_eq!(timeline().len(), once.len() + 2);
    assert!(
        timeline().contains(&"prompt context".to_owned())
            && timeline().contains(&"pre_tool rewrite".to_owned())
    );
    assert_eq!((count("pass"), count("context"), count("rewrite")), (3, 2, 1));
    // Later, in another session, from another agent, or where sessions can't be told apart, it's another event.
    for (session, agent, at_ms) in
        [("s", "codex", 9_000), ("z", "codex", 10), ("s", "gemini-cli", 10), ("", "codex", 10)]
    {
        let (session, agent) = (session.into(), agent.into());
        append_notes(&home, &[Note::Event(NewEvent { session, agent, ..of("stop", "", "pass", at_ms) })])
            .unwrap();
    }
    assert_eq!(timeline().len(), once.len() + 6);
    // An agent may use a call's id again.
    append_notes(&home, &[Note::Event(of("pre_tool", "c-1", "pass", 9_000))]).unwrap();
    let other = NewEvent { summary: "pwd".into(), ..of("pre_tool", "c-1", "pass", 9_000) };
    append_notes(&home, &[Note::Event(other)]).unwrap();
    assert_eq!(timeline().len(), once.len() + 8);
}

/// Some models number the calls of each of their answers from the start.
#[test]
fn a_call_that_begins_after_one_with_its_id_has_ended_is_another() {
    let (_dir, home, _) = scratch();
    let noted = |kind: &str, decision: &str, at_ms: i64| {
        let event = NewEvent {
            session: "s".into(),
            agent: "opencode".into(),
            kind: kind.into(),
            tool: Some("bash".into()),
            summary: "cargo check".into(),
            decision: decision.into(),
            call: "call_0".into(),
            at_ms,
            ..NewEvent::default()
        };
        append_notes(&home, &[Note::Event(event)]).unwrap();
    };
    let sessions = Sessions::open(&home, &[]).unwrap();
    for start in [100, 600, 1_100] {
        for (kind, after_ms) in [("pre_tool", 0), ("pre_tool", 5), ("post_tool", 200), ("post_tool", 210)] {
            noted(kind, "pass", start + after_ms);
        }
    }
    assert_eq!(summaries(&sessions).len(), 6);
    // Whichever of the two hooks answers, it does so for each of them.
    for start in [4_000, 4_500] {
        for (kind, decision, after_ms) in
            [("pre_tool", "pass", 0), ("pre_tool", "rewrite", 5), ("post_tool", "pass", 200)]
        {
            noted(kind, decision, start + after_ms);
        }
    }
    assert_eq!(summaries(&sessions).len(), 10);
    let decisions = sessions.stats(0).unwrap().decisions;
    assert_eq!(decisions, [("pass".to_owned(), 8), ("rewrite".to_owned(), 2)]);
}

#[test]
fn a_call_that_two_hooks_answered_saves_once() {
    let (_dir, home, _) = scratch();
    let saved = |session: &str, agent: &str, call: &str| {
        Note::Call(LedgerRow {
            session: session.into(),
            agent: agent.into(),
            tool: "Bash".into(),
            raw_bytes: 1_100,
            returned_bytes: 100,
            class: Class::Measured,
            ok: true,
            at_ms: 5,
            call: call.into(),
            ..LedgerRow::default()
        })
    };
    let sums = |sessions: &Sessions| {
        let totals = sessions.stats(0).unwrap().totals;
        (totals.calls, totals.measured_bytes)
    };
    append_notes(&home, &[saved("s", "claude-code", "t-1"), saved("s", "claude-code", "t-1")]).unwrap();
    let sessions = Sessions::open(&home, &[]).unwrap();
    assert_eq!(sums(&sessions), (1, 1_000));
    // The second hook is slower than the one who imports.
    append_notes(&home, &[saved("s", "claude-code", "t-1")]).unwrap();
    assert_eq!(sums(&sessions), (1, 1_000));
    // Other calls, sessions and agents, and calls that can't be told apart.
    let others = [("s", "claude-code", "t-2"), ("z", "claude-code", "t-1"), ("s", "codex", "t-1")];
    let unnamed = [("s", "claude-code", ""), ("s", "claude-code", ""), ("", "claude-code", "t-1")];
    for (session, agent, call) in others.into_iter().chain(unnamed) {
        append_notes(&home, &[saved(session, agent, call)]).unwrap();
    }
    assert_eq!(sums(&sessions), (7, 7_000));
}

/// The saving of the second call with an ID is booked, once for its two hooks.
#[test]
fn a_call_that_uses_an_id_again_saves_as_well() {
    let (_dir, home, _) = scratch();
    let noted = |kind: &str, at_ms: i64| {
        Note::Event(NewEvent {
            session: "s".into(),
            agent: "opencode".into(),
            kind: kind.into(),
            tool: Some("bash".into()),
            summary: "cargo check".into(),
            decision: "pass".into(),
            call: "call_0".into(),
            at_ms,
            ..NewEvent::default()
        })
    };
    let saved = |at_ms: i64| {
        Note::Call(LedgerRow {
            session: "s".into(),
            agent: "opencode".into(),
            tool: "bash".into(),
            raw_bytes: 1_100,
            returned_bytes: 100,
            class: Class::Measured,
            ok: true,
            at_ms,
            call: "call_0".into(),
            ..LedgerRow::default()
        })
    };
    let sessions = Sessions::open(&home, &[]).unwrap();
    for (start, bytes) in [(100, 1_000), (600, 2_000), (60_000, 3_000)] {
        append_notes(&home, &[noted("pre_tool", start), noted("pre_tool", start + 5)]).unwrap();
        append_notes(&home, &[noted("post_tool", start + 200), saved(start + 200)]).unwrap();
        append_notes(&home, &[noted("post_tool", start + 210), saved(start + 210)]).unwrap();
        assert_eq!(sessions.stats(0).unwrap().totals.measured_bytes, bytes);
    }
}

#[test]
fn being_killed_between_importing_and_clearing_duplicates_nothing() {
    let (_dir, home, file) = scratch();
    append_notes(&home, &[event("one"), event("two")]).unwrap();
    let before = fs::read(&file).unwrap();
    let sessions = Sessions::open(&home, &[]).unwrap();
    assert_eq!(fs::metadata(&file).unwrap().len(), 0);
    // As if it had been killed before the file was cleared, and another hook had run.
    fs::write(&file, &before).unwrap();
    append_notes(&home, &[event("three")]).unwrap();
    assert_eq!(summaries(&sessions), ["one", "two", "three"]);
}

#[test]
fn a_line_that_was_cut_off_costs_only_itself() {
    let (_dir, home, file) = scratch();
    append_notes(&home, &[event("one"), event("lost")]).unwrap();
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() - 10]).unwrap();
    append_notes(&home, &[event("three")]).unwrap();
    assert_eq!(summaries(&Sessions::open(&home, &[]).unwrap()), ["one", "three"]);
}

#[test]
fn no_secret_reaches_the_file_and_only_the_owner_reads_it() {
    let (_dir, home, file) = scratch();
    let secret = ["ghp", "_16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    append_notes(&home, &[event(&format!("curl -H 'Authorization: Bearer {secret}' x"))]).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("redacted") && !text.contains(&secret[4..]), "{text}");
    #[cfg(unix)]
    assert_eq!(
        std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&file).unwrap().permissions()) & 0o777,
        0o600
    );
}

#[test]
fn sixteen_at_once_and_a_reader_lose_nothing() {
    let (_dir, home, _) = scratch();
    let reader = Sessions::open(&home, &[]).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..16 {
            let home = &home;
            scope.spawn(move || {
                for i in 0..50 {
                    // Waiting has a limit, which a loaded computer may reach.
                    while append_notes(home, &[event(&format!("{thread}-{i}"))]).is_err() {}
                }
            });
        }
        for _ in 0..50 {
            summaries(&reader);
        }
    });
    let mut all = summaries(&reader);
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 800);
}

#[test]
fn a_file_that_is_not_a_database_is_retried_every_five_minutes_and_loses_nothing() {
    let (_dir, home, _) = scratch();
    append_notes(&home, &[event("one")]).unwrap();
    fs::write(home.main_db(), "garbage ".repeat(4000)).unwrap();
    assert!(matches!(Sessions::open_for_hook(&home, &[]), Err(SessionsError::Db(_))));
    assert!(matches!(Sessions::open_for_hook(&home, &[]), Err(SessionsError::LeftAlone { .. })));
    append_notes(&home, &[event("two")]).unwrap();
    // Somebody moved it away and looked.
    fs::remove_file(home.main_db()).unwrap();
    assert_eq!(summaries(&Sessions::open(&home, &[]).unwrap()), ["one", "two"]);
    assert!(Sessions::open_for_hook(&home, &[]).is_ok(), "what opens again is used again");
}

#[test]
fn hooks_alone_keep_the_log_small() {
    let (_dir, home, file) = scratch();
    let log = home.main_db().with_extension("db-wal");
    let text = "word ".repeat(400);
    let mut imports = 0;
    let mut longest = 0;
    while imports < 30 {
        let notes: Vec<_> = (0..80).map(|i| event(&format!("{i} {text}"))).collect();
        if append_notes(&home, &notes).unwrap() {
            Sessions::open_for_hook(&home, &[]).unwrap().import_pending().unwrap();
            imports += usize::from(fs::metadata(&file).unwrap().len() == 0);
            longest = longest.max(fs::metadata(&log).map_or(0, |meta| meta.len()));
        }
    }
    let database = fs::metadata(home.main_db()).unwrap().len();
    assert!(database > 3_000_000, "the log was moved into the database: {database} bytes");
    assert!(longest < 5_000_000, "{longest} bytes of log");
}
