//! What is refused: empty names, unknown names, files that can't be used, a home folder that depends on the working
//! folder. Each error names what it refuses, and nothing is written.

use crate::desk::{Desk, finish, same, with_input};

#[test]
fn an_empty_name_names_nothing() {
    let desk = Desk::new().installed();
    desk.write("a.md", "# Ship\n\nHull and keel.\n");
    let before = desk.tree(&[]);
    for args in [
        &["index", ""][..],
        &["index", " "],
        &["index", "a.md", "--source", ""],
        &["index", "a.md", "--source", "  "],
        &["search", "hull", "--source", ""],
        &["read", ""],
        &["purge", "--source", ""],
        &["purge", "--session", ""],
        &["sessions", ""],
        &["sessions", "--agent", ""],
        &["activity", "--agent", ""],
        &["connect", ""],
        &["disconnect", ""],
        &["filters", "test", ""],
        &["filters", "off", ""],
    ] {
        let ran = desk.run(args).ended(2);
        assert!(ran.err.contains("it's empty; name what you mean"), "{args:?}: {}", ran.err);
        same(&before, &desk.tree(&[]), &args.join(" "));
    }
}

#[test]
fn an_unknown_name_is_reported_with_the_known_ones() {
    let desk = Desk::new().installed();
    for (args, code, told) in [
        (&["filters", "test", "nope"][..], 3, "nope"),
        (&["filters", "test", "cargo-test", "nope"], 3, "nope"),
        (&["activity", "--decision", "bogus"], 2, "pass, deny, ask, rewrite, replace, context"),
        (&["activity", "--agent", "bogus"], 2, "the agents are claude-code, codex"),
        (&["sessions", "--agent", "bogus"], 2, "the agents are claude-code, codex"),
        (&["sessions", "x", "--agent", "bogus"], 2, "the agents are claude-code, codex"),
    ] {
        let ran = desk.run(args).ended(code);
        assert!(ran.err.contains(told), "{args:?}: {}", ran.err);
    }
    let ran = desk.run(&["filters", "test", "cargo-test"]).ended(0);
    assert!(!ran.out.starts_with("0 cases"), "{}", ran.out);
}

#[test]
fn a_filter_file_that_cannot_be_used_is_named() {
    let desk = Desk::new().installed();
    desk.write(".plimsoll/filters/mine.toml", "name = ");
    let doctor = desk.run(&["doctor"]).ended(1);
    assert!(doctor.out.contains("mine.toml") && !doctor.out.contains(" 0 broken"), "{}", doctor.out);
    // Whoever asks for the filter in it isn't told only that there is none.
    for args in [&["filters", "test", "mine"], &["filters", "off", "mine"]] {
        let ran = desk.run(args).ended(3);
        assert!(ran.err.contains("`mine`") && ran.err.contains("mine.toml"), "{args:?}: {}", ran.err);
    }
    let ran = desk.run(&["filters", "explain", "mine check"]).ended(0);
    assert!(ran.out.contains("no filter knows this command") && ran.out.contains("mine.toml"), "{}", ran.out);
    let project = desk.beside("ship");
    std::fs::create_dir_all(project.join(".plimsoll/filters")).unwrap();
    let file = project.join(".plimsoll/filters/theirs.toml");
    std::fs::write(&file, [0xff, 0xfe]).unwrap();
    let folder = project.display().to_string();
    let ran = desk.run(&["filters", "trust", &folder, "--yes"]).ended(1);
    assert!(ran.err.contains("theirs.toml") && ran.err.contains("Nothing was changed"), "{}", ran.err);
    assert!(
        !ran.out.contains("from now on") && !desk.plimsoll().join("settings.toml").exists(),
        "{}",
        ran.out
    );
}

#[test]
fn a_home_folder_that_depends_on_the_working_folder_is_refused() {
    let desk = Desk::new();
    let cwd = desk.beside("ship");
    let before = desk.tree(&[]);
    for args in [&["status"][..], &["agents"], &["index", "x"], &["mcp"], &["run", "--", "true"]] {
        let ran = finish(desk.command(args).current_dir(&cwd).env("HOME", "relative"));
        if args[0] != "run" {
            assert_ne!(ran.code, 0, "{args:?}: {}", ran.out);
            assert!(ran.err.contains("relative isn't an absolute path"), "{args:?}: {}", ran.err);
        }
    }
    let payload = r#"{"hook_event_name":"SessionStart","session_id":"s","cwd":"/","source":"startup"}"#;
    let mut hook = desk.command(&["hook", "claude-code"]);
    let ran = with_input(hook.current_dir(&cwd).env("HOME", "relative"), payload).ended(0);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", ""));
    assert_eq!(std::fs::read_dir(&cwd).unwrap().count(), 0);
    same(&before, &desk.tree(&[]), "home");
}

/// One file that a hook leaves there would make the folder look like Plimsoll's to whatever runs next.
#[test]
fn nothing_is_written_into_a_home_that_is_somebody_elses() {
    let desk = Desk::new();
    let (project, theirs) = (desk.beside("ship"), desk.home().join("work"));
    desk.write("work/src/main.rs", "fn main() {}\n");
    std::fs::write(project.join("hull.py"), "def keel():\n    return 1\n").unwrap();
    let before = desk.tree(&[]);
    let there = |args: &[&str]| {
        let mut command = desk.command(args);
        command.current_dir(&project).env("PLIMSOLL_HOME", &theirs);
        command
    };
    let folder = project.display();
    for payload in [
        format!(
            r#"{{"hook_event_name":"SessionStart","session_id":"s","cwd":"{folder}","source":"startup"}}"#
        ),
        format!(
            r#"{{"hook_event_name":"PreToolUse","session_id":"s","cwd":"{folder}","tool_name":"Bash","tool_input":{{"command":"cargo test"}}}}"#
        ),
        format!(
            r#"{{"hook_event_name":"PostToolUse","session_id":"s","cwd":"{folder}","tool_name":"Read","tool_input":{{"file_path":"{folder}/hull.py"}},"tool_response":{{"content":"def keel():"}}}}"#
        ),
    ] {
        let ran = with_input(&mut there(&["hook", "claude-code"]), &payload).ended(0);
        assert_eq!(ran.err, "", "{payload}");
        same(&before, &desk.tree(&[]), &payload);
    }
    for args in [
        &["run", "--", "true"][..],
        &["status"],
        &["doctor"],
        &["search", "keel"],
        &["code", "search", "keel"],
        &["settings", "set", "hooks.enabled", "false"],
        &["pause"],
        &["memory", "add", "Use tabs", "--namespace", "decisions"],
        &["graph", "add_entity", "Rust", "--type", "Technology"],
        &["prompt", "save", "greet", "Hello"],
        &["index", "hull.py"],
    ] {
        let ran = finish(&mut there(args));
        assert!(args[0] != "run" || ran.code == 0, "{}", ran.err);
        let writes = ["memory", "graph", "prompt", "index"].contains(&args[0]);
        assert!(
            !writes || (ran.code == 1 && ran.err.contains("name a new or empty one")),
            "{args:?}: {}",
            ran.err
        );
        same(&before, &desk.tree(&[]), &args.join(" "));
    }
}

/// A named pipe waits for its other end, and a device may have no end.
#[cfg(unix)]
#[test]
fn what_is_not_a_file_is_neither_read_nor_written() {
    let desk = Desk::new().installed();
    let pipe = desk.home().join("line");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let pipe = pipe.to_str().unwrap();
    let before = desk.plimsoll().join("settings.toml").exists();
    for file in [pipe, "/dev/zero"] {
        for args in [
            &["settings", "import", file][..],
            &["settings", "import", "--dry-run", file],
            &["settings", "export", file],
            &["settings", "export", "--force", file],
            &["memory", "import", file],
            &["index", file],
            &["filters", "explain", "cargo test", "--input", file],
        ] {
            let ran = desk.run(args);
            assert_ne!(ran.code, 0, "{args:?}: {}", ran.out);
            let name = file.rsplit('/').next().unwrap();
            assert!(ran.err.contains(name) && ran.err.lines().count() == 1, "{args:?}: {}", ran.err);
        }
    }
    assert_eq!(desk.plimsoll().join("settings.toml").exists(), before);
    for folder in ["/proc", "/sys", "/dev"].iter().filter(|_| cfg!(target_os = "linux")) {
        for verb in [&["index"][..], &["memory", "import"]] {
            let ran = desk.run(&[verb, &[*folder]].concat());
            assert_ne!(ran.code, 0, "{folder}: {}", ran.out);
            assert!(ran.err.contains(*folder) && ran.err.contains("generates its files"), "{}", ran.err);
        }
    }
}

/// Linux allows any byte in a name, and JSON doesn't.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_whose_name_isnt_utf8_is_worked_in() {
    use std::os::unix::ffi::OsStrExt as _;
    let desk = Desk::new();
    let project = desk.beside("ship").join(std::ffi::OsStr::from_bytes(b"ke\xffel"));
    std::fs::create_dir_all(project.join(".git")).unwrap();
    std::fs::write(project.join("hull.py"), "def keel():\n    return 1\n\n\nkeel()\n").unwrap();
    for (args, found) in [(["code", "search", "keel"], "hull.py:1"), (["code", "refs", "keel"], "hull.py")] {
        let ran = desk.run_in(&project, &args);
        assert!(ran.code == 0 && ran.out.contains(found), "{args:?} ({}): {}{}", ran.code, ran.out, ran.err);
    }
    for args in [
        &["code", "status"][..],
        &["memory", "add", "Use tabs", "--namespace", "decisions"],
        &["memory", "status"],
        &["sources"],
        &["status"],
    ] {
        let ran = desk.run_in(&project, args);
        assert!(!ran.err.contains("panicked") && ran.code != 1, "{args:?} ({}): {}", ran.code, ran.err);
    }
    std::fs::write(project.join("notes.md"), "The keel is oak.\n").unwrap();
    desk.run_in(&project, &["index", "notes.md"]).ended(0);
    let listed = desk.run(&["projects"]).ended(0).out;
    assert!(listed.contains("ke\u{fffd}el") && !listed.contains("no longer there"), "{listed}");
    // Such a path can't be in JSON, but the plan or the failure must be reported all the same.
    desk.installs("codex");
    for (how, ends) in [("--dry-run", 0), ("--yes", 1)] {
        let typed = ["connect", "codex", "--scope", "project", "--json", how];
        let told = desk.run_in(&project, &typed).ended(ends).json();
        let path = told["plan"]["agents"][0]["files"][0]["path"].as_str().unwrap();
        assert!(path.contains("/ship/ke\u{fffd}el/"), "{path}");
        assert_eq!(told["applied"][0]["error"]["text"].is_string(), ends == 1, "{told}");
        assert!(!project.join(".codex").exists(), "{how}");
    }
    assert!(desk.run_in(&project, &["code", "status", "--json"]).ended(0).json()["rootPath"].is_string());
    assert!(
        desk.run_in(&project, &["memory", "status", "--json"]).ended(0).json()["repository"]["path"]
            .is_string()
    );
}

/// A setting of a folder applies there and can be undone, whatever the folder's name is.
#[cfg(target_os = "linux")]
#[test]
fn settings_of_a_folder_whose_name_isnt_utf8_apply_there() {
    use std::os::unix::ffi::OsStrExt as _;
    let desk = Desk::new();
    let project = desk.beside("ship").join(std::ffi::OsStr::from_bytes(b"ke\xffel"));
    std::fs::create_dir_all(project.join(".git")).unwrap();
    std::fs::create_dir_all(project.join(".plimsoll/filters")).unwrap();
    std::fs::write(project.join(".plimsoll/filters/theirs.toml"), crate::as_json::FILTER).unwrap();
    desk.run_in(&project, &["filters", "trust", "--yes"]).ended(0);
    let list = desk.run_in(&project, &["filters", "list"]).ended(0).out;
    assert!(list.contains("theirs") && list.contains("(this project's)"), "{list}");
    desk.run_in(&project, &["filters", "untrust"]).ended(0);
    assert!(!desk.run_in(&project, &["filters", "list"]).ended(0).out.contains("theirs"));
    let paused = || desk.run(&["status", "--json"]).json()["paused_projects"].clone();
    desk.run_in(&project, &["pause", "--project"]).ended(0);
    assert!(
        paused()[0].as_str().is_some_and(|folder| folder.ends_with("/ship/ke\u{fffd}el")),
        "{}",
        paused()
    );
    desk.run_in(&project, &["resume", "--project"]).ended(0);
    assert_eq!(paused(), serde_json::json!([]));
}

/// No agent's file can be edited in such a home folder. Every command says so, also as JSON, and Plimsoll can be
/// uninstalled.
#[cfg(target_os = "linux")]
#[test]
fn a_home_whose_name_isnt_utf8_is_reported_and_can_be_uninstalled() {
    use std::os::unix::ffi::OsStrExt as _;
    let desk = Desk::new();
    let home = desk.beside("ship").join(std::ffi::OsStr::from_bytes(b"ke\xffel"));
    std::fs::create_dir_all(home.join(".codex")).unwrap();
    std::fs::write(home.join(".codex/config.toml"), "model = \"o9\"\n").unwrap();
    let run = |args: &[&str]| finish(desk.command(args).env("HOME", &home).current_dir(&home));
    run(&["settings", "set", "desktop.theme", "dark"]).ended(0);
    for args in [
        &["agents"][..],
        &["status"],
        &["settings"],
        &["connect", "codex", "--dry-run"],
        &["changes", "codex"],
        &["uninstall", "--all", "--dry-run"],
    ] {
        let ran = run(&[args, &["--json"]].concat());
        ran.json();
        assert!(ran.out.contains("/ship/ke\u{fffd}el/"), "{args:?}: {}{}", ran.out, ran.err);
    }
    // A purged item is restored by the name that the JSON gave it.
    let shop = home.join("shop");
    std::fs::create_dir_all(shop.join(".git")).unwrap();
    std::fs::write(shop.join("mast.md"), "# Mast\n\nThe mast carries the sails.\n").unwrap();
    let there = |args: &[&str]| finish(desk.command(args).env("HOME", &home).current_dir(&shop));
    there(&["index", "mast.md"]).ended(0);
    let purge = ["purge", "--project", "--keep-records", "--yes", "--json"];
    let gone = there(&purge).ended(0).json();
    there(&["restore", gone["trash"][0]["trash"].as_str().unwrap()]).ended(0);
    there(&["search", "sails"]).ended(0);
    let refused = run(&["connect", "codex", "--yes"]);
    assert!(refused.code == 1 && (refused.out + &refused.err).contains("isn't UTF-8"));
    let left = run(&["uninstall", "--all", "--yes", "--json"]).ended(0).json();
    assert_eq!(left["problems"], serde_json::json!([]), "{left}");
    assert!(!home.join(".plimsoll").exists(), "{left}");
    assert_eq!(std::fs::read_to_string(home.join(".codex/config.toml")).unwrap(), "model = \"o9\"\n");
}

/// The text of such a path is the path of another file, which would run instead.
#[cfg(target_os = "linux")]
#[test]
fn a_launcher_whose_path_isnt_utf8_is_written_for_no_agent() {
    use std::os::unix::ffi::OsStrExt as _;
    let desk = Desk::new();
    desk.installs("codex");
    let before = desk.tree(&[]);
    let folder = desk.beside("ship").join(std::ffi::OsStr::from_bytes(b"ke\xffel"));
    std::fs::create_dir_all(&folder).unwrap();
    let ran = finish(desk.command(&["connect", "codex", "--yes"]).env("PLIMSOLL_HOME", &folder)).ended(1);
    let told = ran.out + &ran.err;
    assert!(told.contains("set PLIMSOLL_HOME to another folder"), "{told}");
    same(&before, &desk.tree(&[]), "a refused connection");
}

/// A file that grew too large with an entry in it keeps the launcher that it names. Others don't, nor do places where no file
/// can be.
#[cfg(unix)]
#[test]
fn what_cannot_be_edited_keeps_plimsoll_only_if_it_may_name_it() {
    use std::os::unix::fs::FileExt as _;
    let desk = Desk::new().installed();
    desk.installs("codex");
    desk.run(&["connect", "codex", "--yes"]).ended(0);
    let circle = desk.home().join(".cursor");
    std::os::unix::fs::symlink(&circle, &circle).unwrap();
    let path = desk.write(".claude.json", "{}");
    let large = std::fs::File::options().write(true).open(&path).unwrap();
    large.set_len(65 * 1024 * 1024).unwrap();
    // Across the end of what is looked through at once.
    let place = 2 * 1024 * 1024 - 4;
    large.write_all_at(b"plimsoll", place).unwrap();
    let ran = desk.run(&["uninstall", "--all", "--yes"]).ended(1);
    assert!(ran.out.contains("~/.claude.json") && !ran.out.contains("~/.cursor"), "{}", ran.out);
    assert!(desk.plimsoll().join("bin/plimsoll").exists());
    large.write_all_at(&[0; 8], place).unwrap();
    desk.run(&["uninstall", "--all", "--yes"]).ended(0);
    assert!(!desk.plimsoll().exists() && path.exists());
}
