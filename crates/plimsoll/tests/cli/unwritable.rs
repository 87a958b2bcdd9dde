//! Where nothing can be written, as on a full disk, what is stored can be read.

use crate::desk::{Desk, same};

#[test]
fn what_is_stored_is_read_where_nothing_can_be_written() {
    let desk = Desk::new();
    let project = desk.beside("shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    desk.run_with_input(&project, &["index", "-", "--source", "notes"], "The anchor is heavy.\n").ended(0);
    desk.run_in(&project, &["memory", "add", "Use tabs", "--namespace", "decisions"]).ended(0);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let event = serde_json::json!({"session": "s-1", "agent": "codex", "project": "/w/shop", "kind": "pre_tool",
        "summary": "ls", "decision": "pass", "elapsed_us": 5, "at_ms": u64::try_from(now.as_millis()).unwrap()});
    let line = format!("\n1-1 {}\n", serde_json::json!({ "event": event }));
    std::fs::write(desk.plimsoll().join("events.pending"), line).unwrap();
    desk.run_in(&project, &["stats"]).ended(0);
    let folders = std::fs::read_dir(desk.plimsoll().join("projects")).unwrap().flatten();
    let knowledge = folders.map(|folder| folder.path().join("knowledge.db")).find(|path| path.exists());
    // SQLite can't make its log where a link to nowhere has its name, which stops root as well.
    let ours = |name: &str| desk.plimsoll().join(name);
    for database in [knowledge.unwrap(), ours("memory.db"), ours("plimsoll.db")] {
        let mut log = database.into_os_string();
        log.push("-wal");
        std::os::unix::fs::symlink("no-such-folder/log", log).unwrap();
    }
    // Neither can a file be checked and salvaged that a statement found damaged.
    std::fs::write(ours("memory.db.suspect"), "").unwrap();
    for (args, told) in [
        (&["sources"][..], "notes"),
        (&["search", "anchor"], "The anchor is heavy"),
        (&["stats"], "1 session active"),
        (&["stats"], "1 source"),
        (&["sessions"], "s-1"),
        (&["activity"], "ls"),
        (&["memory", "list"], "Use tabs"),
        (&["memory", "search", "tabs"], "Use tabs"),
        (&["memory", "export"], "Use tabs"),
    ] {
        let ran = desk.run_in(&project, args);
        assert!(ran.code == 0 && ran.out.contains(told), "{args:?} ({}): {}{}", ran.code, ran.out, ran.err);
    }
    // Commands that write are refused, and nothing is lost.
    for args in [
        &["purge", "--source", "notes", "--yes"][..],
        &["index", "notes.md"],
        &["memory", "add", "Use spaces", "--namespace", "decisions"],
    ] {
        std::fs::write(project.join("notes.md"), "# Notes\n\nThe keel.\n").unwrap();
        let ran = desk.run_in(&project, args).ended(1);
        assert!(ran.err.contains(".db"), "{args:?}: {}", ran.err);
    }
    let found = desk.run_in(&project, &["search", "anchor"]).ended(0).out;
    assert!(found.contains("The anchor is heavy"), "{found}");
}

/// The entry is Plimsoll's own, so nobody has to remove it by hand.
#[test]
fn an_entry_that_couldnt_be_removed_isnt_called_somebody_elses() {
    let desk = Desk::new().installed();
    desk.installs("claude-code");
    desk.run(&["connect", "claude-code", "--yes"]).ended(0);
    let connected = desk.read(".claude.json");
    // No copy can be kept where a file has the folder's name, which stops root as well.
    let folders = std::fs::read_dir(desk.plimsoll().join("backups")).unwrap();
    for folder in folders.map(|entry| entry.unwrap().path()).collect::<Vec<_>>() {
        std::fs::remove_dir_all(&folder).unwrap();
        std::fs::write(&folder, "").unwrap();
    }
    let told = desk.run(&["disconnect", "claude-code", "--yes"]).ended(1).out;
    assert!(told.contains("no backup of ~/.claude.json could be kept"), "{told}");
    assert!(!told.contains("it didn't write itself"), "{told}");
    assert_eq!(desk.read(".claude.json"), connected);
}

/// A folder that can't be opened isn't an empty one: no command says that nothing is stored, and doctor names the cause.
#[test]
fn a_folder_that_cant_be_opened_is_never_reported_as_empty() {
    for (kind, reason) in
        [("file", "isn't a folder"), ("dangling", "a link to a folder"), ("loop", "symbolic links")]
    {
        let desk = Desk::new();
        match kind {
            "file" => std::fs::write(desk.plimsoll(), "").unwrap(),
            "dangling" => std::os::unix::fs::symlink("nowhere/else", desk.plimsoll()).unwrap(),
            _ => std::os::unix::fs::symlink(".plimsoll", desk.plimsoll()).unwrap(),
        }
        for args in [
            &["status"][..],
            &["stats"],
            &["stats", "--export", "csv"],
            &["sessions"],
            &["activity"],
            &["projects"],
            &["sources"],
            &["search", "anchor"],
            &["read", "notes"],
            &["restore"],
            &["resume"],
            &["pause"],
            &["purge", "--source", "notes", "--yes"],
            &["changes", "claude-code"],
            &["memory", "list"],
            &["memory", "add", "Use tabs", "--namespace", "decisions"],
            &["graph", "stats"],
            &["prompt", "list"],
            &["settings", "set", "desktop.zoom", "120"],
        ] {
            let ran = desk.run(args).ended(1);
            let told = "plimsoll: ~/.plimsoll can't be used: ";
            assert!(ran.err.contains(told) && ran.err.contains(reason), "{kind} {args:?}: {}", ran.err);
            assert_eq!(ran.out, "", "{kind} {args:?}");
        }
        let doctor = desk.run(&["doctor"]).ended(1).out;
        assert!(doctor.contains("[FAIL] storage: ~/.plimsoll can't be used: "), "{kind}: {doctor}");
        assert!(doctor.contains(" 1 broken"), "one cause is one line: {kind}: {doctor}");
        desk.run(&["connect", "--print", "codex"]).ended(0);
        desk.run(&["filters", "list"]).ended(0);
    }
}

/// Only edits of agents' files need them, and the copies may be on a disk that isn't there now.
#[test]
fn memories_are_kept_and_read_without_the_folders_for_locks_and_copies() {
    for folder in ["locks", "backups"] {
        let desk = Desk::new();
        let project = desk.beside("shop");
        std::fs::create_dir_all(project.join(".git")).unwrap();
        desk.run_in(&project, &["memory", "add", "Use tabs", "--namespace", "decisions"]).ended(0);
        let path = desk.plimsoll().join(folder);
        let _ = std::fs::remove_dir_all(&path);
        std::os::unix::fs::symlink("nowhere/else", &path).unwrap();
        desk.run_in(&project, &["memory", "add", "The keel is oak", "--namespace", "decisions"]).ended(0);
        let listed = desk.run_in(&project, &["memory", "list"]).ended(0).out;
        assert!(listed.contains("Use tabs") && listed.contains("The keel is oak"), "{folder}: {listed}");
        let doctor = desk.run_in(&project, &["doctor"]).ended(1).out;
        assert!(doctor.contains(&format!("/.plimsoll/{folder} can't be used: ")), "{doctor}");
    }
}

/// The locks, the receipts and the record of connected projects are in that folder, so whoever leaves is told why they can't.
#[test]
fn nothing_is_taken_out_while_the_folder_cant_be_opened() {
    let desk = Desk::new().installed();
    desk.installs("codex");
    let project = desk.beside("shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    desk.run_in(&project, &["connect", "codex", "--scope", "project", "--yes"]).ended(0);
    std::fs::rename(desk.plimsoll(), desk.home().join("moved")).unwrap();
    std::os::unix::fs::symlink("nowhere/else", desk.plimsoll()).unwrap();
    let before = desk.tree(&["moved", ".plimsoll"]);
    for args in
        [&["disconnect", "codex", "--scope", "project", "--yes"][..], &["uninstall", "--all", "--yes"]]
    {
        let ran = desk.run_in(&project, args).ended(1);
        let told = "plimsoll: ~/.plimsoll can't be used: it's a link to a folder that doesn't exist; ";
        assert!(ran.err.contains(told), "{args:?}: {}", ran.err);
        assert!(!ran.out.contains("removed"), "{args:?}: {}", ran.out);
        same(&before, &desk.tree(&["moved", ".plimsoll"]), "a refused removal");
        assert!(std::fs::read_to_string(project.join(".codex/config.toml")).unwrap().contains("plimsoll"));
    }
}

/// Only the reason ("no space left") reads as if the command had failed, which it hasn't.
#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cant_be_written_is_named() {
    let desk = Desk::new();
    for args in [
        &["settings", "set", "desktop.zoom", "120"][..],
        &["filters", "list"],
        &["status", "--json"],
        &["--help"],
        &["help", "memory"],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = desk.command(args);
        let output = command.stdout(full).stderr(std::process::Stdio::piped()).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{args:?}: {told}");
        assert!(
            told.starts_with("plimsoll: the output can't be written: ") && told.contains("stays done"),
            "{told}"
        );
    }
    assert!(desk.run(&["settings", "get", "desktop.zoom"]).ended(0).out.contains("120"));
}

/// Nothing is wrong with a folder that isn't there yet, unless it can't be made.
#[cfg(target_os = "linux")]
#[test]
fn the_doctor_says_where_plimsolls_folder_cannot_be_made() {
    let desk = Desk::new();
    let ran = crate::desk::finish(desk.command(&["doctor"]).env("PLIMSOLL_HOME", "/proc/plimsoll"));
    assert!(ran.ended(1).out.contains("[FAIL] storage: /proc can't be written"));
}
