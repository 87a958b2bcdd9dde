//! Several agents' entries in one file. Whatever Plimsoll created is removed with the last of them, in any order of
//! connecting and disconnecting. Text from anybody else keeps the file, and no removal takes an entry that is still
//! wanted.

use crate::common::{Scratch, format, path};
use plimsoll_edits::{
    Change, Comment, Dialect, Edit, EntryMatcher, EntryState, RollbackOutcome, apply, entry_state, plan,
    plan_removal, rollback,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const AGENTS: [&str; 3] = ["alpha", "beta", "gamma"];
const DIALECTS: [Dialect; 3] = [Dialect::Markdown, Dialect::Jsonc, Dialect::Toml];

/// One agent's entries, as this version of Plimsoll writes them.
fn entries(dialect: Dialect, agent: &'static str, version: usize) -> Vec<Edit> {
    let ours = EntryMatcher::new(move |value| value.get("command").and_then(Value::as_str) == Some(agent));
    let value = json!({ "command": agent, "args": [version.to_string()] });
    let server = |table: &str| Edit::Set {
        path: path(&[table, agent]),
        value: value.clone(),
        ours: ours.clone(),
        keep_extra_keys: false,
    };
    match dialect {
        Dialect::Toml => vec![
            server("mcp_servers"),
            Edit::SetIfAbsent { path: path(&["features", "hooks"]), value: json!(true) },
        ],
        Dialect::Markdown => vec![Edit::Block {
            id: agent.to_owned(),
            text: format!("Ask {agent} first.\n\nThis is version {version}."),
            comment: Comment::Html,
        }],
        _ => vec![
            server("mcpServers"),
            Edit::Put { path: path(&["hooks", "PreToolUse"]), value: value.clone(), ours: ours.clone() },
            Edit::SetIfAbsent { path: path(&["version"]), value: json!(1) },
        ],
    }
}

fn users_text(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Markdown => "# My own\n\nwords without a final line end",
        Dialect::Toml => "# note to myself\nmodel = \"o9\"\n",
        _ => "{\n  // note to myself\n  \"theme\": \"dark\"\n}\n",
    }
}

/// Somebody else's change to the text, and the expected end result.
fn written_by_others(text: &str, dialect: Dialect, kind: usize) -> (String, &'static str) {
    match (dialect, kind % 3) {
        (Dialect::Markdown, 0) => (format!("{text}\n"), ""),
        (Dialect::Markdown, 1) => (format!("{text}\nmine\n"), "mine"),
        (Dialect::Markdown, _) => (format!("\n{text}"), ""),
        (Dialect::Toml, 0) => (format!("\n{text}"), ""),
        (Dialect::Toml, _) => (format!("# mine\n{text}"), "# mine"),
        (_, 0) => (text.replacen('{', "{\n\n", 1), ""),
        (_, _) => (format!("// mine\n{text}"), "// mine"),
    }
}

fn connect(scratch: &Scratch, file: &Path, dialect: Dialect, agent: &'static str, version: usize) {
    let mut planned = plan(file, format(dialect), &entries(dialect, agent, version));
    assert_eq!(planned.refusal, None, "{agent} in {dialect:?}");
    planned.allow_folders = true;
    scratch.apply(&planned);
}

fn disconnect(scratch: &Scratch, file: &Path, dialect: Dialect, agent: &'static str, version: usize) {
    let receipt = scratch.store.receipt_for_removal(file);
    let planned = plan_removal(file, format(dialect), &entries(dialect, agent, version), receipt.as_ref());
    assert_eq!(planned.refusal, None, "{agent} in {dialect:?}");
    scratch.apply(&planned);
}

/// Disconnects an agent if it's connected. A block that isn't there can be asked for, too.
fn leave(scratch: &Scratch, file: &Path, dialect: Dialect, agent: usize, versions: &mut [Option<usize>; 3]) {
    let version = versions[agent].take();
    if version.is_some() || dialect == Dialect::Markdown {
        disconnect(scratch, file, dialect, AGENTS[agent], version.unwrap_or_default());
    }
}

/// Every connected agent has its entries and the containers they need; no other agent has one.
fn check(file: &Path, dialect: Dialect, versions: &[Option<usize>; 3], what: &str) {
    let somebody = versions.iter().any(Option::is_some);
    for (agent, version) in AGENTS.into_iter().zip(versions) {
        for edit in entries(dialect, agent, version.unwrap_or_default()) {
            let found = entry_state(file, format(dialect), &edit);
            match (&edit, version) {
                (Edit::SetIfAbsent { .. }, _) => {
                    assert!(!somebody || found == EntryState::Ours, "{what}: a default is missing");
                }
                (_, Some(_)) => assert_eq!(found, EntryState::Ours, "{what}: {agent}"),
                (_, None) => assert_eq!(found, EntryState::Absent, "{what}: {agent}"),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_plimsoll_created_goes_with_the_last_and_what_others_wrote_stays(
        steps in prop::collection::vec((0..3_usize, 0..4_usize), 1..12),
        last in Just(vec![0_usize, 1, 2]).prop_shuffle(),
        others in prop::option::of((0..12_usize, 0..3_usize)),
        existed in any::<bool>(),
    ) {
        for dialect in DIALECTS {
            let scratch = Scratch::new();
            let file = scratch.path("agent/deep/settings");
            if existed {
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(&file, users_text(dialect)).unwrap();
            }
            let mut versions = [None; 3];
            let mut mark = None;
            let what = format!("{dialect:?} {steps:?} {last:?} {others:?} {existed}");
            for (turn, (agent, action)) in steps.iter().copied().enumerate() {
                if let Some((_, kind)) = others.filter(|(at, _)| *at == turn)
                    && let Ok(text) = fs::read_to_string(&file)
                {
                    let (text, kept) = written_by_others(&text, dialect, kind);
                    fs::write(&file, text).unwrap();
                    mark = Some(kept);
                }
                if action == 0 {
                    leave(&scratch, &file, dialect, agent, &mut versions);
                } else {
                    connect(&scratch, &file, dialect, AGENTS[agent], action);
                    versions[agent] = Some(action);
                }
                check(&file, dialect, &versions, &what);
            }
            for agent in last.iter().copied() {
                leave(&scratch, &file, dialect, agent, &mut versions);
                check(&file, dialect, &versions, &what);
            }
            match (mark, existed) {
                (Some(kept), _) => {
                    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{what}: {error}"));
                    prop_assert!(text.contains(kept), "{}: {:?}", what, text);
                }
                (None, true) => {
                    prop_assert_eq!(fs::read_to_string(&file).unwrap(), users_text(dialect), "{}", what);
                }
                (None, false) => prop_assert!(!scratch.path("agent").exists(), "{}", what),
            }
        }
    }
}

/// Earlier versions forgot with the second agent's write who created the file. Such a record doesn't tell, so the file is left
/// empty.
#[test]
fn an_older_record_means_what_it_did() {
    for last in [[0, 1], [1, 0]] {
        let scratch = Scratch::new();
        let file = scratch.path("AGENTS.md");
        for agent in AGENTS.into_iter().take(2) {
            connect(&scratch, &file, Dialect::Markdown, agent, 1);
        }
        let folder = fs::read_dir(&scratch.store.backups).unwrap().next().unwrap().unwrap().path();
        let manifest = folder.join("manifest.json");
        let mut stored: Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
        for receipt in stored["receipts"].as_array_mut().unwrap() {
            receipt.as_object_mut().unwrap().remove("shared");
            if receipt["hash_before"].is_string() {
                receipt["created_file"] = json!(false);
                receipt["original"] = json!({ "hash": receipt["hash_before"], "backup": receipt["backup"] });
            }
        }
        fs::write(&manifest, stored.to_string()).unwrap();
        for agent in last {
            let other = AGENTS[1 - agent];
            disconnect(&scratch, &file, Dialect::Markdown, AGENTS[agent], 1);
            let text = fs::read_to_string(&file).unwrap();
            assert!(!text.contains(&format!("Ask {}", AGENTS[agent])), "{text}");
            assert_eq!(text.contains(&format!("Ask {other}")), agent == last[0], "{text}");
        }
        assert_eq!(fs::read(&file).unwrap(), b"", "{last:?}");
    }
}

/// A write that is taken back, because a later file of the same agent failed, changes nothing for the other agent.
#[test]
fn taking_back_one_agents_write_leaves_the_others() {
    let scratch = Scratch::new();
    let file = scratch.path("AGENTS.md");
    let text = Dialect::Markdown;
    let take_back = |receipt| {
        let outcomes = rollback(&[receipt], &scratch.store);
        assert_eq!(outcomes[0].outcome, RollbackOutcome::Restored);
    };
    connect(&scratch, &file, text, AGENTS[0], 1);
    take_back(scratch.apply(&plan(&file, format(text), &entries(text, AGENTS[1], 1))));
    check(&file, text, &[Some(1), None, None], "the second write was taken back");
    connect(&scratch, &file, text, AGENTS[1], 1);
    let receipt = scratch.store.receipt_for_removal(&file);
    let removal = plan_removal(&file, format(text), &entries(text, AGENTS[0], 1), receipt.as_ref());
    take_back(scratch.apply(&removal));
    check(&file, text, &[Some(1), Some(1), None], "the removal was taken back");
    disconnect(&scratch, &file, text, AGENTS[0], 1);
    disconnect(&scratch, &file, text, AGENTS[1], 1);
    assert!(!file.exists());
}

#[test]
fn a_protected_file_is_removed_once_it_can_be() {
    let scratch = Scratch::new();
    let file = scratch.path("AGENTS.md");
    for agent in AGENTS.into_iter().take(2) {
        connect(&scratch, &file, Dialect::Markdown, agent, 1);
    }
    disconnect(&scratch, &file, Dialect::Markdown, AGENTS[0], 1);
    let writable = fs::metadata(&file).unwrap().permissions();
    let mut locked = writable.clone();
    locked.set_readonly(true);
    fs::set_permissions(&file, locked).unwrap();
    let before = fs::read(&file).unwrap();
    let receipt = scratch.store.receipt_for_removal(&file);
    let edits = entries(Dialect::Markdown, AGENTS[1], 1);
    let refused = plan_removal(&file, format(Dialect::Markdown), &edits, receipt.as_ref());
    assert_eq!(refused.refusal.as_ref().map(plimsoll_edits::Refusal::code), Some("read_only"));
    assert!(apply(&refused, &scratch.store, 1).is_err());
    assert_eq!(fs::read(&file).unwrap(), before);
    fs::set_permissions(&file, writable).unwrap();
    disconnect(&scratch, &file, Dialect::Markdown, AGENTS[1], 1);
    assert!(!file.exists());
}

/// Each file is the reason for the folders that Plimsoll created, whichever needed them first.
#[test]
fn folders_go_with_the_last_of_their_files() {
    let names = ["agent/a.md", "agent/deep/b.md", "agent/c.md"];
    for last in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        for users in [None, Some("agent/mine"), Some("agent/deep/mine")] {
            let scratch = Scratch::new();
            for name in names {
                connect(&scratch, &scratch.path(name), Dialect::Markdown, AGENTS[0], 1);
            }
            if let Some(users) = users {
                fs::write(scratch.path(users), "x").unwrap();
            }
            for index in last {
                disconnect(&scratch, &scratch.path(names[index]), Dialect::Markdown, AGENTS[0], 1);
            }
            assert_eq!(scratch.path("agent").exists(), users.is_some(), "{last:?} {users:?}");
            assert!(users.is_none_or(|users| scratch.path(users).exists()), "{last:?} {users:?}");
        }
    }
}

#[test]
fn someone_elses_folder_stays() {
    let scratch = Scratch::new();
    let [a, b] = ["agent/a.md", "agent/b.md"].map(|name| scratch.path(name));
    connect(&scratch, &a, Dialect::Markdown, AGENTS[0], 1);
    // Deleted with everything in it, then created again by somebody else.
    fs::remove_dir_all(scratch.path("agent")).unwrap();
    fs::create_dir(scratch.path("agent")).unwrap();
    connect(&scratch, &b, Dialect::Markdown, AGENTS[0], 1);
    disconnect(&scratch, &b, Dialect::Markdown, AGENTS[0], 1);
    assert!(!b.exists() && scratch.path("agent").exists());
}

/// Reading a pipe waits for somebody to write.
#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_another_file_is_not_waited_for() {
    let scratch = Scratch::new();
    let [a, b] = ["agent/a.md", "agent/b.md"].map(|name| scratch.path(name));
    connect(&scratch, &a, Dialect::Markdown, AGENTS[0], 1);
    fs::remove_file(&a).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&a).status().unwrap().success());
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        connect(&scratch, &b, Dialect::Markdown, AGENTS[0], 1);
        sender.send(b.exists())
    });
    assert_eq!(receiver.recv_timeout(std::time::Duration::from_secs(30)), Ok(true));
}

/// A receipt tells of the file that Plimsoll wrote, not of one that somebody else made in its place.
#[test]
fn a_file_without_an_entry_belongs_to_someone_else() {
    for (dialect, text) in [
        (Dialect::Json, "{\n  \"mcpServers\": {}\n}\n"),
        (Dialect::Jsonc, "{ \"version\": 1, \"hooks\": {} }"),
        (Dialect::Toml, "[features]\nhooks = true\n"),
    ] {
        let scratch = Scratch::new();
        let file = scratch.path("settings");
        connect(&scratch, &file, dialect, AGENTS[0], 1);
        fs::remove_file(&file).unwrap();
        fs::write(&file, text).unwrap();
        disconnect(&scratch, &file, dialect, AGENTS[0], 1);
        assert_eq!(fs::read_to_string(&file).unwrap(), text, "{dialect:?}");
    }
}

/// An agent that writes its JSON again in its own layout has added nothing.
#[test]
fn a_file_rewritten_in_another_layout_is_still_removed() {
    let scratch = Scratch::new();
    let file = scratch.path("settings.json");
    connect(&scratch, &file, Dialect::Json, AGENTS[0], 1);
    let value: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    fs::write(&file, value.to_string()).unwrap();
    let receipt = scratch.store.receipt_for_removal(&file);
    let edits = entries(Dialect::Json, AGENTS[0], 1);
    let removal = plan_removal(&file, format(Dialect::Json), &edits, receipt.as_ref());
    assert_eq!(removal.change, Change::Delete);
}
