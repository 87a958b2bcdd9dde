//! What a disconnect and an uninstall leave of Plimsoll in files that others wrote into since: nothing, or a word about it.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::desk::{ALL, Desk, same};

const OURS: [&str; 1] = [".plimsoll"];

/// Appends a hook of the user's to each list that has one of Plimsoll's hooks; how many were added.
fn join_groups(value: &mut Value) -> usize {
    match value {
        Value::Array(items) => {
            let inner: usize = items.iter_mut().map(join_groups).sum();
            let ours = |item: &Value| item.get("hooks").is_none() && item.to_string().contains("plimsoll");
            if inner == 0 && items.iter().any(|item| item.is_object() && ours(item)) {
                items.push(json!({"type": "command", "command": "my own hook"}));
                return 1;
            }
            inner
        }
        Value::Object(members) => {
            let members = members.iter_mut().filter(|(key, _)| *key != "mcpServers");
            members.map(|(_, member)| join_groups(member)).sum()
        }
        _ => 0,
    }
}

/// The files with hooks in JSON, and how many hooks of the user's joined Plimsoll's in each.
fn join_all(desk: &Desk, agent: &str) -> Vec<(PathBuf, usize)> {
    let mut joined = Vec::new();
    for path in desk.files_of(agent) {
        let Some(mut value) =
            std::fs::read(&path).ok().and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok())
        else {
            continue;
        };
        let count = join_groups(&mut value);
        if count > 0 {
            std::fs::write(&path, serde_json::to_string_pretty(&value).unwrap()).unwrap();
            joined.push((path, count));
        }
    }
    joined
}

#[test]
fn a_hook_of_the_users_in_plimsolls_group_stays_and_plimsolls_goes() {
    for (agent, way) in ALL.into_iter().flat_map(|agent| [(agent, "disconnect"), (agent, "uninstall")]) {
        let desk = Desk::new().installed();
        desk.installs(agent);
        desk.run(&["connect", agent, "--yes"]).ended(0);
        let joined = join_all(&desk, agent);
        assert_eq!(joined.is_empty(), agent == "opencode", "{agent}: its hooks weren't found");
        if way == "disconnect" {
            desk.run(&["disconnect", agent, "--yes"]).ended(0);
        } else {
            desk.run(&["uninstall", "--all", "--yes"]).ended(0);
            assert!(!desk.plimsoll().exists(), "{agent}");
        }
        for (path, count) in joined {
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(!text.contains("plimsoll\\\" hook") && !text.contains("bin/plimsoll"), "{agent}: {text}");
            assert_eq!(text.matches("\"my own hook\"").count(), count, "{agent} {way}: {text}");
            assert!(!text.contains("[]"), "{agent} {way}: an empty list is left: {text}");
        }
    }
}

/// A key in a file that nobody reads is the worst thing to leave behind.
#[test]
fn an_uninstall_leaves_no_memory_and_no_key_unless_the_data_stays() {
    let desk = Desk::new().installed();
    let project = desk.beside("shop");
    std::fs::create_dir(project.join(".git")).unwrap();
    desk.run_with_input(&project, &["memory", "key", "set", "openai"], "key-of-the-test-1234567890\n")
        .ended(0);
    let capture = ["memory", "capture", "The depot opens at nine", "--namespace", "decisions"];
    desk.run_in(&project, &capture).ended(0);
    let files = ["memory.db", "model-keys.json"].map(|name| desk.plimsoll().join(name));
    let kept = desk.run(&["uninstall", "--all", "--keep-data", "--yes"]).ended(0);
    assert!(files.iter().all(|file| file.exists()), "kept with --keep-data");
    assert!(kept.out.contains("databases, settings, filters and keys stay"), "{}", kept.out);
    let gone = desk.run(&["uninstall", "--all", "--yes"]).ended(0);
    assert!(!gone.out.contains("isn't Plimsoll's"), "{}", gone.out);
    assert!(!desk.plimsoll().exists(), "{}", gone.out);
}

/// Where Plimsoll's own folder can't be written, that folder is named and not the agent's file, and no file is called clean.
#[test]
fn what_could_not_be_cleaned_is_not_called_clean() {
    let desk = Desk::new().installed();
    desk.installs("codex");
    desk.run(&["connect", "codex", "--yes"]).ended(0);
    let config = desk.read(".codex/config.toml");
    // A file where the folder should be: fails for every user, root included.
    let locks = desk.plimsoll().join("locks");
    std::fs::remove_dir_all(&locks).unwrap();
    std::fs::write(&locks, "").unwrap();
    for args in
        [["uninstall", "--all", "--yes"], ["disconnect", "codex", "--yes"], ["connect", "codex", "--yes"]]
    {
        let ran = desk.run(&args).ended(1);
        assert!(!ran.out.contains("No agent's file has any"), "{}", ran.out);
        assert!(ran.err.contains("/.plimsoll/locks can't be used: it isn't a folder"), "{}", ran.err);
        assert!(
            !ran.out.contains("config.toml") && !ran.err.contains("config.toml"),
            "{}{}",
            ran.out,
            ran.err
        );
    }
    let checked = desk.run(&["doctor"]).ended(1).out;
    assert!(checked.contains("/.plimsoll/locks can't be used"), "{checked}");
    assert_eq!(desk.read(".codex/config.toml"), config);
    std::fs::remove_file(&locks).unwrap();
    desk.run(&["uninstall", "--all", "--yes"]).ended(0);
    assert!(!desk.read(".codex/config.toml").contains("plimsoll"));
}

/// If the user deletes Plimsoll's folder by hand and then uninstalls, the uninstall leaves no folder that it created
/// itself.
#[test]
fn an_uninstall_leaves_nothing_that_it_made_itself() {
    for lost in ["", "locks", "backups", "plimsoll.db"] {
        let desk = Desk::new().installed();
        desk.installs("codex");
        desk.run(&["connect", "codex", "--yes"]).ended(0);
        let lost = desk.plimsoll().join(lost);
        if lost.is_dir() {
            std::fs::remove_dir_all(&lost).unwrap();
        } else {
            std::fs::remove_file(&lost).unwrap();
        }
        let told = desk.run(&["uninstall", "--all", "--yes"]).ended(0).out;
        assert!(
            !desk.plimsoll().exists() && !told.contains("isn't Plimsoll's"),
            "{}: {told}",
            lost.display()
        );
        assert!(!desk.read(".codex/config.toml").contains("plimsoll"));
    }
}

/// A file in which two agents have an entry each is one file.
#[test]
fn a_file_shared_by_two_agents_is_listed_once() {
    let desk = Desk::new().installed();
    let project = desk.beside("shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    for agent in ["codex", "opencode"] {
        desk.installs(agent);
        desk.run_in(&project, &["connect", agent, "--scope", "project", "--instructions", "--yes"]).ended(0);
    }
    for how in ["--dry-run", "--yes"] {
        let told = desk.run_in(&project, &["uninstall", "--all", how]).ended(0).out;
        assert_eq!(told.matches("shop/AGENTS.md: ").count(), 1, "{how}: {told}");
    }
    assert!(!project.join("AGENTS.md").exists());
}

/// A record that can't be read is asked about each agent that is found, and told once.
#[test]
fn a_damaged_record_is_reported_once() {
    let desk = Desk::new().installed();
    ["codex", "opencode", "cursor"].iter().for_each(|agent| desk.installs(agent));
    desk.write(".plimsoll/plimsoll.db", &"no database, but long enough to look like one ".repeat(200));
    let told = desk.run(&["agents"]).err;
    assert_eq!(told.matches("plimsoll.db is damaged").count(), 1, "{told}");
}

/// The user's own files in Plimsoll's folder are kept or deleted along with the settings, and are named beforehand.
#[test]
fn your_own_filters_go_with_your_settings() {
    let desk = Desk::new().installed();
    let filter = desk.plimsoll().join("filters/mine.toml");
    std::fs::create_dir_all(filter.parent().unwrap()).unwrap();
    std::fs::write(&filter, "").unwrap();
    let named = |words: &[&str]| {
        let report = desk.run(words).ended(0).json();
        let removed = report["removed"].as_array().unwrap().clone();
        removed.iter().any(|path| path.as_str().is_some_and(|path| path.ends_with("filters")))
    };
    assert!(named(&["uninstall", "--all", "--dry-run", "--json"]));
    assert!(!named(&["uninstall", "--all", "--keep-data", "--dry-run", "--json"]));
    desk.run(&["uninstall", "--all", "--keep-data", "--yes"]).ended(0);
    assert!(filter.exists(), "kept with --keep-data");
    let gone = desk.run(&["uninstall", "--all", "--yes"]).ended(0);
    assert!(!gone.out.contains("isn't Plimsoll's") && !desk.plimsoll().exists(), "{}", gone.out);
}

#[test]
fn a_hook_that_was_moved_to_another_event_goes_too() {
    let desk = Desk::new().installed();
    desk.installs("claude-code");
    desk.run(&["connect", "claude-code", "--yes"]).ended(0);
    let path = ".claude/settings.json";
    let mut value: Value = serde_json::from_str(&desk.read(path)).unwrap();
    let moved = value["hooks"]["PreToolUse"][0].clone();
    value["hooks"]["Notification"] =
        json!([{"hooks": [{"type": "command", "command": "my own hook"}]}, moved]);
    desk.write(path, &value.to_string());
    desk.run(&["disconnect", "claude-code", "--yes"]).ended(0);
    let rest: Value = serde_json::from_str(&desk.read(path)).unwrap();
    assert_eq!(
        rest["hooks"],
        json!({"Notification": [{"hooks": [{"type": "command", "command": "my own hook"}]}]})
    );
}

#[test]
fn connecting_again_leaves_a_joined_group_as_it_is() {
    let desk = Desk::new().installed();
    desk.installs("claude-code");
    desk.run(&["connect", "claude-code", "--yes"]).ended(0);
    join_all(&desk, "claude-code");
    let before = desk.tree(&OURS);
    let ran = desk.run(&["connect", "claude-code", "--yes"]).ended(0);
    assert!(ran.out.contains("already connected"), "{}", ran.out);
    same(&before, &desk.tree(&OURS), "connected again");
}

#[test]
fn what_is_left_elsewhere_is_named_and_nothing_is_called_done() {
    let desk = Desk::new().installed();
    desk.installs("claude-code");
    desk.run(&["connect", "claude-code", "--yes"]).ended(0);
    let mut value: Value = serde_json::from_str(&desk.read(".claude.json")).unwrap();
    value["projects"]["/x"]["mcpServers"]["again"] = value["mcpServers"]["plimsoll"].clone();
    desk.write(".claude.json", &value.to_string());
    let ran = desk.run(&["disconnect", "claude-code", "--yes"]).ended(1);
    assert!(
        ran.out.contains(".claude.json: Plimsoll is still named at projects./x.mcpServers.again"),
        "{}",
        ran.out
    );
    let ran = desk.run(&["uninstall", "--all", "--yes"]).ended(1);
    assert!(ran.out.contains("projects./x.mcpServers.again"), "{}", ran.out);
    assert!(!ran.out.contains("Plimsoll is removed") && desk.plimsoll().join("bin/plimsoll").exists());
}

#[test]
fn a_plugin_file_that_the_user_wrote_into_stays_and_is_named() {
    let path = ".config/opencode/plugins/plimsoll.js";
    for edit in [
        |text: String| format!("{text}// mine\n"),
        |text: String| format!("{}{text}", "// mine\n".repeat(12)),
    ] {
        let desk = Desk::new().installed();
        desk.installs("opencode");
        desk.run(&["connect", "opencode", "--yes"]).ended(0);
        let edited = edit(desk.read(path));
        desk.write(path, &edited);
        // Before the disconnect and after it.
        for _ in 0..2 {
            let agents = desk.run(&["agents", "--json"]).json();
            let opencode =
                agents.as_array().unwrap().iter().find(|agent| agent["id"] == "opencode").unwrap().clone();
            assert_eq!(opencode["state"], "partly", "{opencode:#}");
            assert!(
                opencode["needs"].to_string().contains("was changed after Plimsoll wrote it"),
                "{opencode:#}"
            );
            let doctor = desk.run(&["doctor"]);
            assert!(doctor.out.contains("was changed after Plimsoll wrote it"), "{}", doctor.out);
            let ran = desk.run(&["disconnect", "opencode", "--yes"]).ended(1);
            assert!(ran.out.contains("plimsoll.js: someone changed this file"), "{}", ran.out);
            assert_eq!(desk.read(path), edited);
        }
        let ran = desk.run(&["uninstall", "--all", "--yes"]).ended(1);
        assert!(ran.out.contains("someone changed this file") && desk.plimsoll().exists(), "{}", ran.out);
        std::fs::remove_file(desk.home().join(path)).unwrap();
        desk.run(&["uninstall", "--all", "--yes"]).ended(0);
    }
}

#[test]
fn a_users_null_is_restored() {
    let nulls: [(&str, &str, &str); 5] = [
        ("claude-code", ".claude/settings.json", r#"{"hooks":{"PreToolUse":[1,null,"x"]}}"#),
        ("claude-code", ".claude/settings.json", r#"{"mcpServers":{"plimsoll":null}}"#),
        ("gemini-cli", ".gemini/settings.json", r#"{"hooks":{"BeforeTool":[1,null]}}"#),
        ("codex", ".codex/hooks.json", r#"{"hooks":{"Stop":[null],"Other":[null,{"hooks":[null]}]}}"#),
        ("antigravity", ".gemini/config/hooks.json", r#"{"mine":null,"other":{"PreToolUse":[null]}}"#),
    ];
    for (agent, path, text) in nulls {
        let desk = Desk::new().installed();
        desk.installs(agent);
        desk.write(path, text);
        desk.run(&["connect", agent, "--yes"]).ended(0);
        desk.run(&["disconnect", agent, "--yes"]).ended(0);
        assert_eq!(desk.read(path), text, "{agent}");
    }
}

/// A command that only begins with Plimsoll's does something of the user's, too.
#[test]
fn a_command_of_the_users_that_begins_with_plimsolls_stays() {
    for (agent, file, event) in [
        ("cursor", ".cursor/hooks.json", "sessionStart"),
        ("codex", ".codex/hooks.json", "Stop"),
        ("gemini-cli", ".gemini/settings.json", "AfterTool"),
        ("claude-code", ".claude/settings.json", "Stop"),
    ] {
        for command in [
            format!("/opt/p/plimsoll hook {agent} && /opt/mine/audit.sh"),
            format!("\"$HOME/.plimsoll/bin/plimsoll\" hook {agent} | tee -a ~/hook.log"),
        ] {
            let desk = Desk::new().installed();
            desk.installs(agent);
            let handler = json!({"type": "command", "command": command});
            let theirs = if agent == "cursor" {
                json!({"version": 1, "hooks": {event: [handler]}})
            } else {
                json!({"hooks": {event: [{"hooks": [handler]}]}})
            };
            let theirs = serde_json::to_string_pretty(&theirs).unwrap();
            desk.write(file, &theirs);
            let chained = serde_json::to_string(&command).unwrap();
            desk.run(&["connect", agent, "--yes"]).ended(0);
            let text = desk.read(file);
            assert_eq!(text.matches(&chained).count(), 1, "{agent}: {text}");
            let connected: Value = serde_json::from_str(&text).unwrap();
            let groups = connected["hooks"][event].as_array().unwrap();
            assert_eq!(groups.len(), 2, "{agent}: Plimsoll's own hook stands beside it: {text}");
            desk.run(&["disconnect", agent, "--yes"]).ended(0);
            assert_eq!(desk.read(file), theirs, "{agent}");
        }
    }
}

#[test]
fn a_server_of_another_vendor_with_plimsolls_name_stays() {
    let theirs = r#"{"mcpServers":{"plimsoll":{"command":"/opt/other-vendor/plimsoll","args":["mcp","serve","--ship","x"],"env":{"TOKEN":"t"}}}}"#;
    for (agent, file) in [("claude-code", ".claude.json"), ("cursor", ".cursor/mcp.json")] {
        let desk = Desk::new().installed();
        desk.installs(agent);
        desk.write(file, theirs);
        let ran = desk.run(&["connect", agent, "--yes"]).ended(1);
        assert!(
            ran.out.contains("mcpServers.plimsoll contains an entry that isn't Plimsoll's"),
            "{}",
            ran.out
        );
        assert_eq!(desk.read(file), theirs, "{agent}");
        desk.run(&["disconnect", agent, "--yes"]);
        assert_eq!(desk.read(file), theirs, "{agent}");
    }
}

/// After a downgrade the record may name an agent that this version doesn't know: the others go, and the launcher stays for as
/// long as a file still names it.
#[test]
fn an_agent_of_a_newer_version_is_named_and_stops_nobody_else() {
    let desk = Desk::new().installed();
    desk.installs("claude-code");
    let project = desk.beside("shop");
    std::fs::create_dir(project.join(".git")).unwrap();
    let before = desk.tree(&OURS);
    desk.run(&["connect", "claude-code", "--yes"]).ended(0);
    desk.run_in(&project, &["connect", "claude-code", "--scope", "project", "--yes"]).ended(0);
    let home = home::Home::resolve(&home::Env::for_test(desk.home())).unwrap();
    let mut record = sessions::Sessions::open(&home, &[]).unwrap();
    for stored in record.connections(None).unwrap() {
        if stored.connection.to_string().contains("shop") {
            record.remove_connection(stored.id).unwrap();
            record.save_connection("heron", &stored.connection, 1).unwrap();
        }
    }
    drop(record);
    let told = desk.run(&["uninstall", "--all", "--dry-run"]).ended(0).out;
    assert!(told.contains("heron was connected by another version"), "{told}");
    let told = desk.run(&["uninstall", "--all", "--yes"]).ended(1).out;
    assert!(told.contains("heron") && told.contains(".mcp.json still names Plimsoll's launcher"), "{told}");
    same(&before, &desk.tree(&OURS), "the files of the agent that is known");
    assert!(desk.plimsoll().join("bin/plimsoll").exists());
    // With the entries taken out by hand nothing is in the way.
    for entry in std::fs::read_dir(&project).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().is_none_or(|name| name == ".git") {
            continue;
        }
        if path.is_dir() {
            std::fs::remove_dir_all(path).unwrap();
        } else {
            std::fs::remove_file(path).unwrap();
        }
    }
    let told = desk.run(&["uninstall", "--all", "--yes"]).ended(0).out;
    assert!(told.contains("heron") && !desk.plimsoll().exists(), "{told}");
}
