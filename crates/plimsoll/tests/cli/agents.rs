//! `agents`, `status`, `verify`, `connect`: output and exit codes.

use crate::desk::{ALL, Desk};

#[test]
fn a_computer_without_agents_is_reported_as_such() {
    let desk = Desk::new();
    let agents = desk.run(&["agents", "--json"]).json();
    assert_eq!(agents.as_array().unwrap().len(), ALL.len());
    desk.run(&["status"]).ended(0);
    let verified = desk.run(&["verify"]).ended(3);
    assert!(verified.err.contains("plimsoll setup"), "{}", verified.err);
    assert!(!desk.plimsoll().exists());
}

#[test]
fn agents_are_found_by_their_folders_and_come_with_their_state() {
    let desk = Desk::new().installed();
    desk.installs("codex");
    let state = || {
        let agents = desk.run(&["agents", "--json"]).ended(0).json();
        agents.as_array().unwrap().iter().find(|agent| agent["id"] == "codex").unwrap()["state"].clone()
    };
    assert_eq!(state(), "not_connected");
    let told = desk.run(&["connect", "codex", "--yes", "--no-hooks"]).ended(0).out;
    assert!(!told.contains("/hooks"), "nothing is there to approve: {told}");
    assert_eq!(state(), "connected", "without hooks, because that was wanted");
    let told = desk.run(&["connect", "codex", "--yes"]).ended(0).out;
    assert!(told.contains("type /hooks and approve"), "{told}");
    assert!(["connected", "needs_you"].contains(&state().as_str().unwrap()));
    std::fs::write(desk.home().join(".codex/config.toml"), "[[[").unwrap();
    assert_eq!(state(), "unreadable");
    let printed = desk.run(&["status"]).ended(4);
    assert!(printed.out.contains("Codex: unreadable"), "{}", printed.out);
}

#[test]
fn an_agent_that_is_connected_in_a_project_only_says_where() {
    let desk = Desk::new().installed();
    desk.installs("claude-code");
    let project = desk.home().join("work/shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    let report = || {
        let agents = desk.run(&["agents", "--json"]).ended(0).json();
        agents.as_array().unwrap().iter().find(|agent| agent["id"] == "claude-code").unwrap().clone()
    };
    assert!(report()["project"].is_null());
    desk.run_in(&project, &["connect", "claude-code", "--scope", "project", "--yes"]).ended(0);
    let here = report();
    assert!(["connected", "needs_you"].contains(&here["state"].as_str().unwrap()), "{here:#}");
    assert_eq!(here["project"], std::fs::canonicalize(&project).unwrap().to_str().unwrap());
    assert!(
        here["files"].as_array().unwrap().iter().any(|file| file["path"].as_str().unwrap().contains("shop"))
    );
    desk.run(&["verify", "claude-code"]).ended(0);
    // What works in this project alone isn't denied by whoever looks at every project.
    for named in ["--all", "claude-code"] {
        let told = desk.run_in(&project, &["disconnect", named, "--yes"]).ended(0).out;
        let way = format!(
            "Entries in this project stay; `plimsoll disconnect {named} --scope project` removes them.\n"
        );
        assert!(told.ends_with(&way), "{told}");
    }
    desk.run_in(&project, &["disconnect", "claude-code", "--scope", "project", "--yes"]).ended(0);
    let told = desk.run_in(&project, &["disconnect", "--all", "--yes"]).ended(0).out;
    assert!(!told.contains("--scope project"), "{told}");
    assert_eq!(
        (&report()["state"], &report()["project"]),
        (&"not_connected".into(), &serde_json::Value::Null)
    );
}

#[test]
fn every_agents_server_and_hook_answer_when_started_as_it_would() {
    let desk = Desk::new().installed();
    for agent in ALL {
        desk.installs(agent);
    }
    desk.run(&["connect", "--all", "--yes"]).ended(0);
    let verified = desk.run(&["verify", "--json"]).ended(0).json();
    for report in verified.as_array().unwrap() {
        assert!(report["error"].is_null(), "{report:#}");
        let id = report["id"].as_str().expect("an id");
        let row = agents::by_id(id).expect("an agent").offer();
        assert_eq!(report["tools"], row.tools.len(), "{report:#}");
        assert!(report["initialize_ms"].is_number() && report["call_ms"].is_number(), "{report:#}");
        assert!(report["hook_ms"].is_number(), "{report:#}");
    }
    assert_eq!(verified.as_array().unwrap().len(), ALL.len());
    // A verification isn't work: it isn't recorded.
    let status = desk.run(&["status", "--json"]).json();
    assert!(status["week_net_bytes"].is_null(), "{status:#}");
    // And a missing launcher is noticed.
    std::fs::remove_file(desk.plimsoll().join("bin/plimsoll")).unwrap();
    let failed = desk.run(&["verify", "codex"]).ended(1);
    assert!(
        failed.out.contains("[FAIL] Codex") && failed.out.contains("couldn't be started"),
        "{}",
        failed.out
    );
    desk.run(&["doctor"]).ended(1);
}

/// A hook that runs out of time on a busy computer prints nothing, by design; one that never prints anything doesn't work.
#[cfg(unix)]
#[test]
fn a_hook_that_stepped_aside_is_run_again_and_one_that_is_always_silent_is_named() {
    use std::os::unix::fs::PermissionsExt as _;

    let desk = Desk::new().installed();
    desk.installs("claude-code");
    desk.run(&["connect", "claude-code", "--yes"]).ended(0);
    let (launcher, runs) = (desk.plimsoll().join("bin/plimsoll"), desk.home().join("runs"));
    for (silent, error) in [(0, None), (2, None), (9, Some("printed nothing"))] {
        std::fs::write(&runs, "").unwrap();
        std::fs::remove_file(&launcher).unwrap();
        let script = format!(
            "#!/bin/sh\nif [ \"$1\" = hook ]; then\n  echo x >> '{runs}'\n  \
             if [ \"$(wc -l < '{runs}')\" -le {silent} ]; then cat > /dev/null; exit 0; fi\nfi\nexec '{program}' \"$@\"\n",
            runs = runs.display(),
            program = env!("CARGO_BIN_EXE_plimsoll"),
        );
        std::fs::write(&launcher, script).unwrap();
        std::fs::set_permissions(&launcher, std::fs::Permissions::from_mode(0o755)).unwrap();
        let verified = desk.run(&["verify", "claude-code", "--json"]);
        let report = &verified.json()[0];
        match error {
            None => {
                assert!(report["error"].is_null() && report["hook_ms"].is_number(), "{silent}: {report:#}");
            }
            Some(words) => {
                assert!(
                    report["error"]["text"].as_str().is_some_and(|text| text.contains(words)),
                    "{report:#}"
                );
            }
        }
    }
}

#[test]
fn what_cannot_be_done_is_reported_with_advice() {
    let desk = Desk::new();
    for (args, code, words) in [
        (&["connect"][..], 2, "name the agents"),
        (&["connect", "foo"], 2, "there is no agent `foo`"),
        (&["connect", "kiro", "--yes"], 3, "--print kiro"),
        (&["verify", "codex"], 1, ""),
        (&["frobnicate"], 2, "there is no command `frobnicate`"),
        (&["pause", "--for", "soon"], 2, "30m"),
        (&["uninstall"], 2, "--all"),
        (&["purge"], 2, "--everything"),
        (&["setup", "--agents", "kiro"], 3, "--print kiro"),
    ] {
        let ran = desk.run(args).ended(code);
        assert!(ran.err.contains(words), "{args:?}: {}", ran.err);
    }
    // An agent that isn't connected has nothing to undo; the line says how to connect it.
    let verified = desk.run(&["verify", "codex"]).ended(1);
    let told = &verified.out;
    assert!(told.contains("plimsoll connect codex") && !told.contains("Undo this one"), "{told}");
}

/// A file that can't be read doesn't tell whether its agent is connected. The record does, and the way out is the file.
#[test]
fn an_unreadable_file_is_reported_only_for_a_connected_agent() {
    let desk = Desk::new().installed();
    desk.installs("codex");
    let config = desk.home().join(".codex/config.toml");
    let before = std::fs::read(&config).unwrap();
    let is_told = |told: &str| {
        assert!(told.contains("~/.codex/config.toml: unreadable: "), "{told}");
        assert!(!told.contains("plimsoll connect codex"), "{told}");
    };
    std::fs::write(&config, "[[[").unwrap();
    desk.run(&["verify"]).ended(3);
    is_told(&desk.run(&["verify", "codex"]).ended(1).out);
    std::fs::write(&config, before).unwrap();
    desk.run(&["connect", "codex", "--yes"]).ended(0);
    std::fs::write(&config, "[[[").unwrap();
    is_told(&desk.run(&["verify"]).ended(1).out);
}

/// The home folder is `~` also in what is found wrong with an agent's own files.
#[cfg(target_os = "linux")]
#[test]
fn an_agents_file_is_named_by_its_short_path() {
    let desk = Desk::new().installed();
    desk.installs("claude-code");
    desk.write(".claude/settings.json", "{ \"broken\": ");
    let home = desk.home().display().to_string();
    for typed in ["agents", "doctor", "status"] {
        let told = desk.run(&[typed]).out;
        assert!(!told.contains(&home), "{typed}: {told}");
        assert_eq!(
            told.contains("~/.claude/settings.json can't be read ("),
            typed != "status",
            "{typed}: {told}"
        );
    }
    let told = desk.run(&["connect", "claude-code", "--yes"]).ended(1).out;
    assert!(told.contains("\n  ~/.claude/settings.json: "), "{told}");
}

#[test]
fn a_folder_that_cannot_be_written_is_named_and_nothing_is_touched() {
    let desk = Desk::new();
    desk.installs("codex");
    let before = desk.tree(&[]);
    // A file where the folder should be: fails for every user, root included.
    let home = desk.write("plain-file", "x");
    let mut command = desk.command(&["connect", "codex", "--yes"]);
    let ran = crate::desk::finish(command.env("PLIMSOLL_HOME", home.join("inside"))).ended(1);
    assert!(ran.err.contains("plain-file/inside can't be used: "), "{}", ran.err);
    std::fs::remove_file(home).unwrap();
    crate::desk::same(&before, &desk.tree(&[]), "a home that cannot be made");
}

#[cfg(unix)]
#[test]
fn a_read_only_home_ends_in_a_clear_error() {
    use std::os::unix::fs::PermissionsExt as _;
    let desk = Desk::new();
    desk.installs("codex");
    std::fs::create_dir(desk.plimsoll()).unwrap();
    std::fs::set_permissions(desk.plimsoll(), std::fs::Permissions::from_mode(0o500)).unwrap();
    if std::fs::write(desk.plimsoll().join("probe"), "").is_ok() {
        // Root can write anywhere; the test above does the same with a file.
        return;
    }
    let before = desk.tree(&[".plimsoll"]);
    let ran = desk.run(&["connect", "codex", "--yes"]).ended(1);
    assert!(ran.err.contains(".plimsoll"), "{}", ran.err);
    crate::desk::same(&before, &desk.tree(&[".plimsoll"]), "read-only");
    std::fs::set_permissions(desk.plimsoll(), std::fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn help_and_completions() {
    let desk = Desk::new();
    insta::assert_snapshot!("help", desk.neutral(&desk.run(&["--help"]).ended(0).out));
    insta::assert_snapshot!("help_connect", desk.run(&["connect", "--help"]).ended(0).out);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = desk.run(&["completions", shell]).ended(0).out;
        assert!(text.contains("disconnect"), "{shell}");
    }
    assert!(desk.run(&["--version"]).ended(0).out.starts_with("plimsoll "));
}

#[test]
fn help_is_a_word_as_well_as_an_option() {
    let desk = Desk::new();
    for (word, option) in [
        (vec!["help"], vec!["--help"]),
        (vec!["help", "connect"], vec!["connect", "--help"]),
        (vec!["help", "settings", "set"], vec!["settings", "set", "--help"]),
    ] {
        assert_eq!(desk.run(&word).ended(0).out, desk.run(&option).ended(0).out, "{word:?}");
    }
}

#[test]
fn a_reader_that_goes_away_is_not_a_failure() {
    let desk = Desk::new();
    let mut child =
        desk.command(&["completions", "bash"]).stdout(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}

#[test]
fn nothing_is_coloured_for_a_file() {
    let desk = Desk::new();
    desk.installs("codex");
    for args in [&["agents"][..], &["connect", "codex", "--dry-run"], &["doctor"]] {
        assert!(!desk.run(args).out.contains('\u{1b}'), "{args:?}");
    }
}

/// Connecting again keeps a server switched off, and says so.
#[test]
fn a_server_of_codex_that_is_switched_off_is_named_after_connecting() {
    let desk = Desk::new().installed();
    desk.installs("codex");
    desk.run(&["connect", "codex", "--yes"]).ended(0);
    let off = desk.read(".codex/config.toml").replace("startup_timeout_sec = 20", "enabled = false");
    desk.write(".codex/config.toml", &off);
    let told = desk.run(&["connect", "codex", "--yes"]).ended(0).out;
    assert!(told.contains("mcp_servers.plimsoll.enabled is false in "), "{told}");
    let now = desk.read(".codex/config.toml");
    assert!(now.contains("enabled = false") && now.contains("startup_timeout_sec"), "{now}");
}
