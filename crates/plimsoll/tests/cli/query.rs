//! `read`, `projects`, `restore`, `sessions`, `activity`, `settings`, `changes`: reading what was stored, recorded
//! and changed.

use crate::desk::Desk;

#[test]
fn what_was_purged_is_read_again_after_it_is_restored() {
    let desk = Desk::new();
    let project = desk.beside("shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    desk.run_in(&project, &["projects"]).ended(3);
    desk.run_in(&project, &["read", "notes"]).ended(3);
    desk.run_with_input(&project, &["index", "-", "--source", "notes"], "The anchor weighs two tonnes.\n")
        .ended(0);
    assert!(desk.run_in(&project, &["read", "notes"]).ended(0).out.contains("two tonnes"));
    let projects = desk.run_in(&project, &["projects", "--json"]).ended(0).json();
    assert_eq!((&projects[0]["name"], &projects[0]["sources"]), (&"shop".into(), &1.into()));

    let trash = desk.run_in(&project, &["purge", "--source", "notes", "--yes", "--json"]).ended(0).json();
    let file = trash["trash"].as_str().unwrap().to_owned();
    desk.run_in(&project, &["read", "notes"]).ended(3);
    assert!(desk.run_in(&project, &["restore"]).ended(0).out.contains("knowledge-"));
    desk.run_in(&project, &["restore", &file, "--dry-run"]).ended(0);
    desk.run_in(&project, &["read", "notes"]).ended(3);
    desk.run_in(&project, &["restore", &file]).ended(0);
    assert!(desk.run_in(&project, &["read", "notes"]).ended(0).out.contains("two tonnes"));
    desk.run_in(&project, &["restore", &file]).ended(3);
    // An earlier version didn't note whose it is.
    let folder = desk.plimsoll().join("projects").join(projects[0]["key"].as_str().unwrap());
    std::fs::remove_file(folder.join("project")).unwrap();
    let told = desk.run_in(&project, &["projects"]).ended(0).out;
    assert!(told.contains("its folder is unknown") && !told.contains("outside every project"), "{told}");
}

#[test]
fn nothing_recorded_is_reported_and_makes_no_folder() {
    let desk = Desk::new();
    for words in
        [&["sessions"][..], &["activity"], &["stats", "--calls"], &["projects"], &["changes", "codex"]]
    {
        desk.run(words).ended(3);
    }
    desk.run(&["sessions", "no-such"]).ended(3);
    desk.run(&["sessions", "--delete"]).ended(2);
    desk.run(&["changes", "no-such-agent"]).ended(2);
    assert!(!desk.plimsoll().exists());
    // The exit code tells a script what the text tells a reader.
    for words in [&["changes", "codex"][..], &["discover"]] {
        let told = desk.run(words).ended(3).out;
        assert!(told.contains("; "), "{words:?} names no next step: {told}");
        desk.run(&[words, &["--json"]].concat()).ended(3);
    }
}

/// Notes an event of each of so many sessions as hooks do, the oldest session first.
fn sessions_noted(desk: &Desk, number: u64) {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let begins_ms = u64::try_from(now.as_millis()).unwrap() - 60_000;
    let line = |number: u64| {
        let event = serde_json::json!({"session": format!("s-{number}"), "agent": "codex", "project": "/w/shop",
            "kind": "pre_tool", "summary": "ls", "decision": "pass", "elapsed_us": 5, "at_ms": begins_ms + number});
        format!("\n{number}-1 {}\n", serde_json::json!({ "event": event }))
    };
    std::fs::create_dir_all(desk.plimsoll()).unwrap();
    let text: String = (0..number).map(line).collect();
    std::fs::write(desk.plimsoll().join("events.pending"), text).unwrap();
}

/// With any number of sessions, none is reported unknown, and each page says that more follow.
#[test]
fn every_recorded_session_is_found_and_each_page_names_the_next() {
    let desk = Desk::new();
    sessions_noted(&desk, 1_003);
    let list = desk.run(&["sessions"]).ended(0).out;
    assert!(list.starts_with("s-1002 ") && list.ends_with("(983 more: --offset 20)\n"), "{list}");
    assert!(!desk.run(&["sessions", "--offset", "983"]).ended(0).out.contains("more: "));
    let oldest = desk.run(&["sessions", "s-0"]).ended(0).out;
    assert!(oldest.contains("s-0  codex  1 event"), "{oldest}");
    desk.run(&["sessions", "s-0", "--delete", "--yes"]).ended(0);
    desk.run(&["sessions", "s-0"]).ended(3);
    let activity = desk.run(&["activity", "-n", "5"]).ended(0).out;
    assert!(activity.ends_with("(997 more: --offset 5)\n"), "{activity}");
    // A page past the end doesn't claim that nothing was recorded.
    for verb in ["sessions", "activity"] {
        let told = desk.run(&[verb, "--offset", "5000"]).ended(3).out;
        assert!(told.contains("--offset is past the last one: 1002 "), "{told}");
    }
    let told = desk.run(&["sessions", "--agent", "kiro"]).ended(3).out;
    assert!(told.contains("No session of kiro"), "{told}");
}

#[test]
fn what_hooks_saw_is_found_and_a_session_shows_its_note() {
    let desk = Desk::new();
    let project = desk.home().join("shop");
    std::fs::create_dir(&project).unwrap();
    let hook = |fields: serde_json::Value| {
        let mut payload = serde_json::json!({"session_id": "7c1e-41", "cwd": project,
            "transcript_path": desk.home().join(".claude/projects/x/7c1e-41.jsonl")});
        payload.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        desk.run_with_input(&project, &["hook", "claude-code"], &payload.to_string()).ended(0).out
    };
    let prompt = "Fix the rounding. Never touch `Cart`. <private>Ask Ana.</private>";
    hook(serde_json::json!({"hook_event_name": "UserPromptSubmit", "prompt": prompt}));
    // A hook gives up after 150 ms, and on a busy computer it then recorded nothing: the event is sent until it is
    // recorded.
    for _ in 0..10 {
        hook(serde_json::json!({"hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
            "tool_input": {"command": "cargo test"}, "error": "Exit code 101\nerror[E0308]: mismatched types\n --> src/cart.rs:3:1"}));
        let shown = desk.run(&["sessions", "7c1e-41", "--json"]).ended(0).out;
        if shown.contains("mismatched types") {
            break;
        }
    }
    let told = hook(serde_json::json!({"hook_event_name": "SessionStart", "source": "compact"}));
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    let told = told["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    let shown = desk.run(&["sessions", "7c1e-41", "--json"]).ended(0).json();
    let note = shown["resume_note"].as_str().unwrap();
    // Apart from its time, the agent got the same.
    let printed = |text: &str| -> Vec<String> {
        let lines = text.lines().skip_while(|line| !line.starts_with("Plimsoll's record"));
        lines.skip(1).map(str::to_owned).collect()
    };
    assert_eq!(printed(told), printed(note));
    assert!(note.contains("\"Never touch 'Cart'.\"") && note.contains("mismatched types"), "{note}");
    assert!(
        note.contains("mcp__plimsoll__search with in: [\"sessions\"]") && !note.contains("Ana"),
        "{note}"
    );
    let shown = desk.run(&["sessions", "7c1e-41"]).ended(0).out;
    assert!(shown.contains("  | - \"Never touch 'Cart'.\""), "{shown}");
    let found = desk.run_in(&project, &["search", "never cart", "--sessions"]).ended(0).out;
    assert!(found.contains("claude-code, constraint] Never touch `Cart`."), "{found}");
    assert_eq!(found.matches("Fix the rounding").count(), 1, "{found}");
    let found = desk.run_in(&project, &["search", "mismatched", "--sessions"]).ended(0).out;
    assert!(found.contains("claude-code, error] cargo test (error[E0308]"), "{found}");
    desk.run_in(&project, &["search", "nowhere-at-all", "--sessions"]).ended(3);
    // Recording is switched off in this project, and then on again.
    let secret =
        serde_json::json!({"hook_event_name": "UserPromptSubmit", "prompt": "Something unrecorded."});
    desk.run_in(&project, &["sessions", "--unrecord"]).ended(0);
    hook(secret.clone());
    desk.run_in(&project, &["search", "unrecorded", "--sessions"]).ended(3);
    desk.run(&["sessions", "--record", project.to_str().unwrap()]).ended(0);
    hook(secret);
    desk.run_in(&project, &["search", "unrecorded", "--sessions"]).ended(0);
}

#[test]
fn settings_are_changed_one_by_one_and_carried_over() {
    let desk = Desk::new();
    let shown = desk.run(&["settings"]).ended(0).out;
    assert!(shown.contains("sandbox.timeout_ms = 120000"), "{shown}");
    desk.run(&["settings", "set", "sandbox.timeout_ms", "60000", "--dry-run"]).ended(0);
    assert!(!desk.plimsoll().exists());
    let set = desk.run(&["settings", "set", "sandbox.timeout_ms", "60000"]).ended(0).out;
    assert_eq!(set.trim(), "sandbox.timeout_ms = 60000   # changed", "one setting, one line");
    assert_eq!(desk.run(&["settings", "get", "sandbox.timeout_ms"]).ended(0).out, set);
    let table = desk.run(&["settings", "get", "sandbox"]).ended(0).out;
    assert!(table.contains(set.trim()) && table.contains("sandbox.enforce = "), "{table}");
    assert!(table.lines().all(|line| line.starts_with("sandbox.")), "{table}");
    let rows = desk.run(&["settings", "get", "sandbox", "--json"]).ended(0).json();
    assert_eq!(rows.as_array().map(Vec::len), Some(table.lines().count()));
    desk.run(&["settings", "set", "sandbox.timeout_ms", "soon", "--dry-run"]).ended(2);
    let shown = desk.run(&["settings"]).ended(0).out;
    assert!(shown.contains("sandbox.timeout_ms = 60000   # changed"), "{shown}");
    let wrong = desk.run(&["settings", "set", "sandbox.timeout_ms", "soon"]).ended(2).err;
    assert!(wrong.contains("sandbox.timeout_ms") && wrong.contains("ms from"), "{wrong}");
    let file = desk.beside("files").join("mine.toml");
    desk.run(&["settings", "export", file.to_str().unwrap()]).ended(0);
    let written = std::fs::read(&file).unwrap();
    for arguments in [&["settings", "export"][..], &["settings", "export", "--dry-run"]] {
        let stays = desk.run(&[arguments, &[file.to_str().unwrap()]].concat()).ended(1).err;
        assert!(stays.contains("mine.toml") && stays.contains("--force"), "{stays}");
        assert_eq!(std::fs::read(&file).unwrap(), written);
    }
    desk.run(&["settings", "export", "--force", file.to_str().unwrap()]).ended(0);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    desk.run(&["settings", "set", "sandbox.timeout_ms", "90000"]).ended(0);
    desk.run(&["settings", "import", file.to_str().unwrap()]).ended(0);
    let shown = desk.run(&["settings", "--json"]).ended(0).json();
    let set =
        shown["settings"].as_array().unwrap().iter().find(|one| one["key"] == "sandbox.timeout_ms").unwrap();
    assert_eq!(set["value"], 60_000);
    // What can't be set can't be imported, and trying says so.
    let before = desk.read(".plimsoll/settings.toml");
    for (text, named) in
        [("[retention]\nsession_days = 0\n", "retention.session_days"), ("no settings at all", "mine.toml")]
    {
        std::fs::write(&file, text).unwrap();
        for arguments in [&["settings", "import"][..], &["settings", "import", "--dry-run"]] {
            let wrong = desk.run(&[arguments, &[file.to_str().unwrap()]].concat()).ended(2).err;
            assert!(wrong.contains(named), "{wrong}");
        }
    }
    desk.run(&["settings", "import", "/nonexistent", "--dry-run"]).ended(3);
    assert_eq!(desk.read(".plimsoll/settings.toml"), before);
}

#[test]
fn changes_show_what_connecting_wrote() {
    let desk = Desk::new();
    std::fs::create_dir_all(desk.home().join(".claude")).unwrap();
    std::fs::write(desk.home().join(".claude.json"), "{\n  \"numStartups\": 3\n}\n").unwrap();
    desk.run(&["connect", "claude-code", "--yes"]).ended(0);
    let shown = desk.run(&["changes", "claude-code"]).ended(0).out;
    assert!(shown.contains("\"plimsoll\"") && shown.contains("since before Plimsoll"), "{shown}");
    let changes = desk.run(&["changes", "claude-code", "--json"]).ended(0).json();
    assert_eq!(changes[0]["changed_since"], false, "{changes:#}");
}

/// A session's end and the end of a turn are about no command.
#[test]
fn an_event_about_nothing_leaves_no_gap() {
    let desk = Desk::new();
    let event = serde_json::json!({"session": "s-1", "agent": "codex", "project": "/w/shop", "kind": "stop",
        "summary": "", "decision": "pass", "elapsed_us": 5, "at_ms": 1_767_225_600_000_u64});
    desk.write(".plimsoll/events.pending", &format!("\n1-1 {}\n", serde_json::json!({ "event": event })));
    assert_eq!(desk.run(&["activity"]).ended(0).out, "pass  codex · stop  0 ms\n");
    let session = desk.run(&["sessions", "s-1"]).ended(0).out;
    assert!(session.ends_with("\n  pass · stop\n"), "{session}");
}
