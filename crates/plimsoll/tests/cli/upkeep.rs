//! `doctor`, `upgrade`, `uninstall`.

use std::io::{BufRead as _, Write as _};
use std::path::Path;

use crate::desk::{Desk, same};

/// Programs that are asked for their version may write to the home folder themselves.
const FOREIGN: [&str; 4] = [".rustup", ".cache", ".dotnet", ".config"];

#[test]
fn the_doctor_looks_at_an_empty_home_and_leaves_it_empty() {
    let desk = Desk::new();
    let printed = desk.run(&["doctor"]).ended(0).out;
    assert!(!printed.contains("[OK]") && printed.contains("`plimsoll doctor --all`"), "{printed}");
    let printed = desk.run(&["doctor", "--all"]).ended(0).out;
    for words in ["[OK] plimsoll", "[OK] full-text search", "[OK] launcher", "[OK] settings", "disk", "PATH"]
    {
        assert!(printed.contains(words), "{words} in\n{printed}");
    }
    assert!(!desk.plimsoll().exists(), "{:?}", desk.tree(&FOREIGN));
    // A folder that isn't a project, such as the one that a desktop starts programs in, says nothing about Plimsoll.
    let elsewhere = desk.run_in(Path::new("/"), &["doctor", "--all"]).ended(0).out;
    assert!(!elsewhere.contains("project") && elsewhere.contains("storage: ~/.plimsoll"), "{elsewhere}");
    let checks = desk.run(&["doctor", "--json"]).ended(0).json();
    assert!(checks.as_array().unwrap().iter().all(|check| check["health"].is_string()));
}

#[test]
fn the_doctor_finds_what_is_broken_and_says_what_to_do() {
    let desk = Desk::new().installed();
    desk.installs("claude-code");
    desk.run(&["connect", "claude-code", "--yes"]).ended(0);
    desk.run(&["doctor"]).ended(0);
    // What needs you ends it as it ends `status`.
    let hooks = desk.read(".claude/settings.json");
    desk.write(".claude/settings.json", &hooks.replace("\"PreToolUse\"", "\"Sometimes\""));
    desk.run(&["doctor"]).ended(4);
    desk.run(&["status"]).ended(4);
    desk.write(".claude/settings.json", &hooks);
    // A disabled hook, a broken settings file, a damaged database.
    let settings = desk.read(".claude/settings.json").replacen('{', "{\"disableAllHooks\": true,", 1);
    desk.write(".claude/settings.json", &settings);
    desk.write(".plimsoll/settings.toml", "[hooks\n");
    let project = desk.plimsoll().join("projects/x-0123456789abcdef/knowledge.db");
    desk.write(&project, "this is no database at all, but long enough to look like one to the eye");
    let printed = desk.run(&["doctor"]).ended(1).out;
    for words in
        ["disableAllHooks", "[FAIL] settings", "settings.toml", "[FAIL] knowledge of x-0123456789abcdef"]
    {
        assert!(printed.contains(words), "{words} in\n{printed}");
    }
}

#[test]
fn a_long_pause_is_told_in_hours() {
    let desk = Desk::new();
    let paused = desk.run(&["pause", "--for", "3d"]).ended(0).out;
    assert_eq!(paused, "Hooks are paused everywhere for 72 h; `plimsoll resume` ends that.\n");
    let status = desk.run(&["status"]).ended(0).out;
    assert!(status.contains("Hooks are paused for another 72 h; "), "{status}");
    let short = desk.run(&["pause", "--for", "30m", "--dry-run"]).ended(0).out;
    assert_eq!(short, "Hooks would be paused everywhere for 30 min; `plimsoll resume` ends that.\n");
}

/// A package puts the program into a folder of the system's, from which it can be typed.
#[test]
fn the_doctor_tells_which_program_is_typed() {
    let desk = Desk::new();
    let bin = desk.beside("usr-bin");
    let typed = |path: String| {
        let mut command = desk.command(&["doctor", "--all"]);
        let out = crate::desk::finish(command.env("PATH", path)).ended(0).out;
        out.lines().find(|line| line.contains(" PATH: ")).unwrap_or_default().to_owned()
    };
    let path = format!("{}:/usr/bin:/bin", bin.display());
    assert!(typed(path.clone()).contains("~/.plimsoll/bin isn't on it; "));
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_plimsoll"), bin.join("plimsoll")).unwrap();
    assert_eq!(typed(path.clone()), format!("[OK] PATH: `plimsoll` starts {}/plimsoll", bin.display()));
    let ours = desk.plimsoll().join("bin");
    assert_eq!(typed(format!("{}:{path}", ours.display())), "[OK] PATH: ~/.plimsoll/bin is on it");
}

/// What doctor promises of a damaged file comes true, even where the damage is in a part that no command reads.
#[test]
fn a_database_that_the_doctor_finds_damaged_is_salvaged_by_whoever_opens_it_next() {
    let desk = Desk::new();
    let event = serde_json::json!({"session": "s-1", "agent": "codex", "project": "/w/shop", "kind": "pre_tool",
        "summary": "ls", "decision": "pass", "elapsed_us": 5, "at_ms": 1_767_225_600_000_u64});
    desk.write(".plimsoll/events.pending", &format!("\n1-1 {}\n", serde_json::json!({ "event": event })));
    desk.run(&["stats"]).ended(0);
    desk.run(&["doctor"]).ended(0);
    let path = desk.plimsoll().join("plimsoll.db");
    let mut bytes = std::fs::read(&path).unwrap();
    // Its third page is the root of a table or an index.
    let page = usize::from(u16::from_be_bytes([bytes[16], bytes[17]]));
    bytes[2 * page..3 * page].fill(0xaa);
    std::fs::write(&path, bytes).unwrap();
    let told = desk.run(&["doctor"]).ended(1).out;
    let line = told.lines().find(|line| line.starts_with("[FAIL] plimsoll.db: ")).unwrap_or_default();
    assert!(line.contains("is damaged (") && line.contains("the damaged file is kept"), "{told}");
    desk.run(&["stats"]).ended(0);
    let told = desk.run(&["doctor"]).ended(0).out;
    assert!(!told.contains("plimsoll.db"), "{told}");
    let kept = std::fs::read_dir(desk.plimsoll()).unwrap().flatten();
    let kept = kept.filter(|entry| entry.file_name().to_string_lossy().starts_with("plimsoll.db.damaged-"));
    assert_eq!(kept.count(), 1);
}

/// A sound, empty database whose schema has this version.
fn empty_database(schema: u32) -> Vec<u8> {
    let mut page = vec![0; 4096];
    let mut set = |at: usize, bytes: &[u8]| page[at..at + bytes.len()].copy_from_slice(bytes);
    set(0, b"SQLite format 3\0\x10\0\x01\x01\0\x40\x20\x20");
    // One page, written once by this version of SQLite, in UTF-8; then the header of an empty list.
    for (at, number) in [(24, 1), (28, 1), (44, 4), (56, 1), (60, schema), (92, 1), (96, 3_045_000)] {
        set(at, &u32::to_be_bytes(number));
    }
    set(100, b"\x0d\0\0\0\0\x10\0\0");
    page
}

#[test]
fn a_database_of_a_newer_version_is_named_and_nothing_is_claimed_about_it() {
    let desk = Desk::new();
    let knowledge = desk.plimsoll().join("projects/x-0123456789abcdef/knowledge.db");
    let main = desk.plimsoll().join("plimsoll.db");
    for (path, named) in [(main, "[FAIL] plimsoll.db"), (knowledge, "[FAIL] knowledge of x")] {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, empty_database(1)).unwrap();
        desk.run(&["doctor"]).ended(0);
        std::fs::write(&path, empty_database(99)).unwrap();
        let printed = desk.run(&["doctor"]).ended(1).out;
        assert!(printed.contains(named) && printed.contains("newer Plimsoll (schema 99"), "{printed}");
        let printed = desk.run(&["status"]).ended(4).out;
        assert!(printed.contains("newer Plimsoll (schema 99") && !printed.contains("kept out"), "{printed}");
        std::fs::remove_file(&path).unwrap();
    }
}

#[test]
fn uninstalling_restores_every_file_and_removes_only_plimsolls() {
    let desk = Desk::new().installed();
    for agent in ["claude-code", "codex", "opencode"] {
        desk.installs(agent);
    }
    let before = desk.tree(&[".plimsoll"]);
    desk.run(&["connect", "claude-code", "codex", "opencode", "--yes"]).ended(0);
    let printed = desk.run(&["uninstall", "--all", "--yes"]).ended(0).out;
    assert!(printed.contains("byte for byte as it was before"), "{printed}");
    assert!(printed.contains("it wasn't there before"), "{printed}");
    same(&before, &desk.tree(&[]), "uninstalled");
    // A second time there is nothing to do, and that is fine.
    desk.run(&["uninstall", "--all", "--yes"]).ended(0);
}

/// A session that began with an earlier version calls the launcher directly.
#[test]
fn uninstalling_keeps_open_sessions_running() {
    let desk = Desk::new().installed();
    desk.installs("copilot-cli");
    desk.run(&["connect", "copilot", "--yes"]).ended(0);
    let launcher = desk.plimsoll().join("bin/plimsoll");
    let mut server = desk.command(&["mcp", "--agent", "copilot-cli"]);
    let mut server =
        server.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"copilot-cli","version":"1"}}}"#;
    writeln!(server.stdin.as_ref().unwrap(), "{hello}").unwrap();
    let mut line = String::new();
    let mut answers = std::io::BufReader::new(server.stdout.take().unwrap());
    answers.read_line(&mut line).unwrap();
    writeln!(server.stdin.as_ref().unwrap(), r#"{{"jsonrpc":"2.0","method":"notifications/initialized"}}"#)
        .unwrap();
    let signs = || std::fs::read_dir(desk.plimsoll().join("run")).into_iter().flatten().flatten().count();
    while signs() < 2 {
        assert!(server.try_wait().unwrap().is_none(), "the server ended before it gave a sign of life");
        std::thread::yield_now();
    }
    let printed = desk.run(&["uninstall", "--all", "--yes"]).ended(0).out;
    assert!(printed.contains("keeps open agents working"), "{printed}");
    for agent in agents::all() {
        for event in ["PreToolUse", "PostToolUse", "preToolUse"] {
            let mut hook = std::process::Command::new(&launcher);
            let hook = crate::desk::with_input(hook.args(["hook", agent.id(), event]), &"{}".repeat(100_000))
                .ended(0);
            assert_eq!(hook.out.trim(), agent.fail_open(Some(event)).stdout, "{} {event}", agent.id());
            assert_eq!(hook.err, "");
        }
    }
    drop(server.stdin.take());
    server.wait().unwrap();
    // It deletes itself, but only when it is old.
    assert!(launcher.exists());
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3 * 86_400);
    std::fs::File::options().write(true).open(&launcher).unwrap().set_modified(old).unwrap();
    let mut hook = std::process::Command::new(&launcher);
    crate::desk::with_input(hook.args(["hook", "gemini-cli"]), "{}").ended(0);
    assert!(!launcher.exists(), "it is still there");
    // A new connection replaces it.
    desk.run(&["connect", "copilot", "--yes"]).ended(0);
    assert!(std::fs::read(&launcher).unwrap().len() > 10_000);
    desk.run(&["uninstall", "--all", "--yes"]).ended(0);
    assert!(!desk.plimsoll().exists(), "nobody was open, so nothing stays");
}

#[test]
fn uninstalling_keeps_what_was_chosen_and_what_is_foreign() {
    let desk = Desk::new().installed();
    desk.installs("codex");
    desk.run(&["connect", "codex", "--yes"]).ended(0);
    desk.write(".plimsoll/settings.toml", "# mine\n");
    desk.write(".plimsoll/letter.txt", "not ours");
    desk.run(&["uninstall", "--all", "--yes", "--keep-data"]).ended(0);
    assert_eq!(desk.read(".plimsoll/settings.toml"), "# mine\n");
    assert!(desk.plimsoll().join("plimsoll.db").exists());
    assert!(!desk.plimsoll().join("bin").exists());
    let printed = desk.run(&["uninstall", "--all", "--yes"]).ended(0).out;
    assert!(printed.contains("letter.txt"), "{printed}");
    assert_eq!(desk.read(".plimsoll/letter.txt"), "not ours");
    assert!(!desk.plimsoll().join("settings.toml").exists());
}

#[test]
fn uninstalling_removes_desktop_entries_outside_the_home_and_nothing_foreign() {
    let desk = Desk::new().installed();
    desk.write(
        ".config/autostart/Plimsoll.desktop",
        "[Desktop Entry]\nExec=/usr/bin/plimsoll-desktop --tray\n",
    );
    desk.write(".config/autostart/other.desktop", "[Desktop Entry]\nExec=other\n");
    desk.write(".local/share/dev.plimsoll.desktop/storage/x", "of the web view");
    desk.write(".plimsoll/events.pending", "");
    desk.run(&["uninstall", "--all", "--yes", "--keep-data"]).ended(0);
    assert!(desk.plimsoll().join("events.pending").exists());
    assert!(!desk.home().join(".config/autostart/Plimsoll.desktop").exists());
    assert!(!desk.home().join(".local/share/dev.plimsoll.desktop").exists());
    assert!(desk.home().join(".config/autostart/other.desktop").exists());
    desk.write(".config/autostart/Plimsoll.desktop", "[Desktop Entry]\nExec=somebody-elses\n");
    desk.run(&["uninstall", "--all", "--yes"]).ended(0);
    assert!(desk.home().join(".config/autostart/Plimsoll.desktop").exists());
    assert!(!desk.plimsoll().exists(), "what is on its way into the database stayed");
    if cfg!(target_os = "linux") {
        desk.write("all/dev.plimsoll.desktop/storage/x", "of the web view");
        let all = desk.home().join("all");
        let mut asked = desk.command(&["uninstall", "--all", "--dry-run", "--json"]);
        let told =
            crate::desk::finish(asked.env("XDG_DATA_HOME", &all).env("XDG_CACHE_HOME", &all)).ended(0).out;
        assert_eq!(told.matches("dev.plimsoll.desktop").count(), 1, "{told}");
    }
}

#[test]
fn while_a_file_still_names_it_the_program_stays() {
    let desk = Desk::new().installed();
    desk.installs("codex");
    desk.run(&["connect", "codex", "--yes"]).ended(0);
    let broken = format!("{}\n[[[", desk.read(".codex/config.toml"));
    desk.write(".codex/config.toml", &broken);
    let printed = desk.run(&["uninstall", "--all", "--yes"]).ended(1).out;
    assert!(printed.contains("stays as it is"), "{printed}");
    assert!(desk.plimsoll().join("bin/plimsoll").exists());
    assert_eq!(desk.read(".codex/config.toml"), broken);
}

#[test]
fn a_file_that_cannot_be_edited_keeps_nothing_unless_it_names_plimsoll() {
    let utf_16 = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let ours = r#"{"mcpServers": {"plimsoll": {"command": "/x/plimsoll", "args": ["mcp"]}}}"#;
    for (content, code) in [
        (b"{\n  // mine\n  \"mcpServers\": {}\n}\n".to_vec(), 0),
        (b"{\"mcpServers\": \xff".to_vec(), 0),
        (utf_16("{\"mcpServers\": {}}"), 0),
        (format!("// mine\n{ours}").into_bytes(), 1),
        (utf_16(ours), 1),
    ] {
        let desk = Desk::new().installed();
        desk.installs("codex");
        let file = desk.write(".cursor/mcp.json", "");
        // A folder where another agent's file would be.
        std::fs::create_dir_all(desk.home().join(".kiro/settings/mcp.json")).unwrap();
        std::fs::write(&file, &content).unwrap();
        let what = String::from_utf8_lossy(&content).into_owned();
        desk.run(&["connect", "codex", "--yes"]).ended(0);
        let printed = desk.run(&["disconnect", "--all", "--yes"]);
        assert_eq!(printed.code, code, "{what}: {}", printed.out);
        assert_eq!(printed.out.contains("Cursor"), code == 1, "{what}: {}", printed.out);
        desk.run(&["uninstall", "--all", "--yes"]).ended(code);
        assert_eq!(desk.plimsoll().exists(), code == 1, "{what}");
        assert_eq!(std::fs::read(&file).unwrap(), content);
    }
}

#[test]
fn no_release_server_is_asked_unless_one_is_set() {
    let desk = Desk::new();
    let printed = desk.run(&["upgrade"]).ended(4).out;
    assert!(printed.contains("No release server is set"), "{printed}");
    assert!(!desk.plimsoll().exists());
    desk.write(
        ".plimsoll/settings.toml",
        "[upgrade]\nmanifest_url = \"http://example.org/m.json\"\npublic_key = \"x\"\n",
    );
    let printed = desk.run(&["upgrade"]).ended(1);
    assert!(printed.err.contains("public_key"), "{}", printed.err);
}

#[test]
fn a_folder_with_other_files_loses_none_of_them() {
    let desk = Desk::new();
    desk.installs("codex");
    let theirs = [desk.write("bin/mine", "x"), desk.write("cache/mine", "x"), desk.write("logs/mine", "x")];
    let run = |args: &[&str]| crate::desk::finish(desk.command(args).env("PLIMSOLL_HOME", desk.home()));
    // One in which Plimsoll was installed before it refused such folders.
    desk.write("settings.toml", "");
    run(&["connect", "codex", "--yes"]).ended(0);
    run(&["uninstall", "--all", "--yes"]).ended(0);
    assert!(theirs.iter().all(|path| path.exists()));
    assert!(!desk.home().join("bin/plimsoll").exists());
    assert!(!desk.home().join("plimsoll.db").exists());
}

#[test]
fn a_folder_that_is_in_use_is_refused_and_kept_and_a_new_one_goes_completely() {
    let desk = Desk::new();
    desk.installs("cursor");
    for theirs in ["projects/mycode/a", "downloads/a", "logs/a", "backups/a", "trash/a"] {
        desk.write(Path::new("work").join(theirs), "mine");
    }
    let before = desk.tree(&FOREIGN);
    let run = |home: &str, args: &[&str]| {
        crate::desk::finish(desk.command(args).env("PLIMSOLL_HOME", desk.home().join(home)))
    };
    let refused = run("work", &["connect", "cursor", "--yes"]).ended(1).err;
    assert!(
        refused.contains("PLIMSOLL_HOME is ") && refused.contains("name a new or empty one"),
        "{refused}"
    );
    same(&before, &desk.tree(&FOREIGN), "refused");
    run("work", &["uninstall", "--all", "--yes"]).ended(0);
    same(&before, &desk.tree(&FOREIGN), "uninstalled from a folder that was refused");
    run("mine", &["connect", "cursor", "--yes"]).ended(0);
    assert!(desk.home().join("mine/.plimsoll-home").exists());
    run("mine", &["uninstall", "--all", "--yes"]).ended(0);
    same(&before, &desk.tree(&FOREIGN), "uninstalled from a new folder");
}

/// The record of connected projects is in a database, and that of what was written in files of its own.
#[test]
fn a_project_that_a_damaged_record_forgot_keeps_the_launcher() {
    let desk = Desk::new().installed();
    desk.installs("claude-code");
    let project = desk.beside("shop");
    std::fs::create_dir(project.join(".git")).unwrap();
    let scope = ["claude-code", "--scope", "project", "--yes"];
    desk.run_in(&project, &[&["connect"][..], &scope].concat()).ended(0);
    desk.run(&["connect", "claude-code", "--yes"]).ended(0);
    for log in ["plimsoll.db-wal", "plimsoll.db-shm"] {
        let _ = std::fs::remove_file(desk.plimsoll().join(log));
    }
    desk.write(".plimsoll/plimsoll.db", &"no database, but long enough to look like one ".repeat(200));
    // The first one replaces the record by an empty one that can be read, because it disconnects Claude Code.
    for (typed, ends) in [("--dry-run", 0), ("--yes", 1), ("--dry-run", 0), ("--yes", 1)] {
        let told = desk.run(&["uninstall", "--all", typed, "--json"]).ended(ends).json();
        let problems = told["problems"].to_string();
        assert!(problems.contains(".mcp.json") && problems.contains("--scope project"), "{typed}: {told}");
    }
    assert!(desk.plimsoll().join("bin/plimsoll").exists(), "the project's file still names it");
    desk.run_in(&project, &[&["disconnect"][..], &scope].concat()).ended(0);
    desk.run(&["uninstall", "--all", "--yes"]).ended(0);
    assert!(!desk.plimsoll().exists());
}
