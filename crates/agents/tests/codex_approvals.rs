//! Codex's approvals of Plimsoll's hooks are removed with the hooks, and those of the user's own hooks stay valid: their keys
//! count groups and follow them when Plimsoll's group is removed. Formats and numbering as measured on Codex 0.169.0.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use edits::{Edit, Format, Store};
use home::Env;
use plimsoll_agents::{EntryContext, Parts, Scope, by_id};
use serde_json::{Value, json};

struct Codex {
    dir: tempfile::TempDir,
}

impl Codex {
    /// A Codex with these hooks; `ours` is replaced by Plimsoll's group.
    fn new(hooks: &Value) -> Self {
        let codex = Self { dir: tempfile::tempdir().unwrap() };
        let ours =
            json!({"hooks": [{"type": "command", "command": "\"$HOME/.plimsoll/bin/plimsoll\" hook codex"}]});
        let text = hooks.to_string().replace("\"ours\"", &ours.to_string());
        std::fs::write(codex.dir.path().join("hooks.json"), text).unwrap();
        codex
    }

    /// The config with `@` replaced by the hooks file's path.
    fn disconnected(&self, config: &str) -> String {
        let path = self.dir.path().join("config.toml");
        let hooks = self.dir.path().join("hooks.json").display().to_string().replace('\\', "\\\\");
        std::fs::write(&path, config.replace('@', &hooks)).unwrap();
        let env = Env::for_test("/home/ana");
        let agent = by_id("codex").unwrap();
        let mut found = agent.assumed_installation(&env);
        found.config_dir = self.dir.path().to_owned();
        let launcher = Path::new("/home/ana/.plimsoll/bin/plimsoll");
        let parts = Parts { mcp: true, hooks: true, instructions: false, credentials: None };
        let context = EntryContext { launcher, scope: &Scope::User, installation: &found, parts, env: &env };
        let mut files: Vec<(std::path::PathBuf, Format, Vec<Edit>)> = Vec::new();
        for file in agent.files(&context).into_iter().chain(agent.former_files(&context)) {
            match files.iter_mut().find(|(path, ..)| *path == file.path) {
                Some((.., edits)) => edits.extend(file.edits),
                None => files.push((file.path, file.format, file.edits)),
            }
        }
        let store = Store { backups: self.dir.path().join("backups"), locks: self.dir.path().join("locks") };
        for (path, format, edits) in &files {
            let plan = edits::plan_removal(path, *format, edits, None);
            assert!(plan.refusal.is_none(), "{:?}", plan.refusal);
            edits::apply(&plan, &store, 1).unwrap();
        }
        let left = std::fs::read_to_string(self.dir.path().join("hooks.json")).unwrap_or_default();
        assert!(!left.contains("plimsoll"), "{left}");
        std::fs::read_to_string(&path).unwrap().replace(&hooks, "@")
    }
}

fn mine(name: &str) -> Value {
    json!({"hooks": [{"type": "command", "command": name}]})
}

#[test]
fn plimsolls_approvals_go_and_the_users_follow_their_hooks() {
    let hooks = json!({"hooks": {
        "PreToolUse": [mine("one"), "ours", mine("two"), mine("three")],
        "Stop": ["ours"],
        "SessionStart": [mine("four")],
    }});
    let before = "model = \"x\" # mine\n\n[hooks.state]\n\n[hooks.state.\"@:pre_tool_use:0:0\"]\ntrusted_hash = \"sha256:one\"\n\n\
        [hooks.state.\"@:pre_tool_use:1:0\"]\ntrusted_hash = \"sha256:ours\"\n\n\
        [hooks.state.\"@:pre_tool_use:2:0\"]\ntrusted_hash = \"sha256:two\"\n# a note to myself\n\n\
        [hooks.state.\"@:pre_tool_use:3:0\"]\nenabled = false\n\n\
        [hooks.state.\"@:session_start:0:0\"]\ntrusted_hash = \"sha256:four\"\n\n\
        [hooks.state.\"@:stop:0:0\"]\ntrusted_hash = \"sha256:ours\"\n\n\
        [hooks.state.\"/elsewhere/hooks.json:pre_tool_use:1:0\"]\ntrusted_hash = \"sha256:other\"\n";
    let after = "model = \"x\" # mine\n\n[hooks.state]\n\n[hooks.state.\"@:pre_tool_use:0:0\"]\ntrusted_hash = \"sha256:one\"\n\n\
        [hooks.state.\"@:pre_tool_use:1:0\"]\ntrusted_hash = \"sha256:two\"\n# a note to myself\n\n\
        [hooks.state.\"@:pre_tool_use:2:0\"]\nenabled = false\n\n\
        [hooks.state.\"@:session_start:0:0\"]\ntrusted_hash = \"sha256:four\"\n\n\
        [hooks.state.\"/elsewhere/hooks.json:pre_tool_use:1:0\"]\ntrusted_hash = \"sha256:other\"\n";
    assert_eq!(Codex::new(&hooks).disconnected(before), after);
    let windows = |text: &str| text.replace('\n', "\r\n");
    assert_eq!(Codex::new(&hooks).disconnected(&windows(before)), windows(after));
}

#[test]
fn with_only_plimsolls_approvals_the_file_is_restored() {
    let hooks = json!({"hooks": {"PreToolUse": ["ours"], "Stop": [mine("one"), "ours"]}});
    for original in ["", "model = \"x\" # mine\n", "# only a note\n\n[features]\nhooks = true\n"] {
        let gap = if original.is_empty() { "" } else { "\n" };
        let approved = format!(
            "{original}{gap}[hooks.state]\n\n[hooks.state.\"@:pre_tool_use:0:0\"]\ntrusted_hash = \"sha256:a\"\n\n\
             [hooks.state.\"@:stop:1:0\"]\ntrusted_hash = \"sha256:b\"\n"
        );
        assert_eq!(Codex::new(&hooks).disconnected(&approved), original);
    }
}

#[test]
fn in_a_shared_group_the_users_hooks_move_up() {
    let handlers = |groups: [&Value; 2]| -> Vec<Value> {
        groups.iter().flat_map(|group| group["hooks"].as_array().unwrap().clone()).collect()
    };
    let ours = json!({"hooks": [{"command": "\"$HOME/.plimsoll/bin/plimsoll\" hook codex"}]});
    let hooks = json!({"hooks": {"Stop": [
        "ours",
        {"hooks": handlers([&ours, &mine("one")])},
        {"hooks": handlers([&mine("two"), &ours])},
    ]}});
    let state = |places: &[(&str, &str)]| -> String {
        let row =
            |(place, hash): &(&str, &str)| format!("\"@:stop:{place}\" = {{ trusted_hash = \"{hash}\" }}\n");
        format!("[hooks.state]\n{}", places.iter().map(row).collect::<String>())
    };
    let before = state(&[("0:0", "o"), ("1:0", "o"), ("1:1", "one"), ("2:0", "two"), ("2:1", "o")]);
    assert_eq!(Codex::new(&hooks).disconnected(&before), state(&[("0:0", "one"), ("1:0", "two")]));
}

#[test]
fn approvals_in_other_spellings_are_moved_too() {
    let hooks = json!({"hooks": {"PreToolUse": ["ours", mine("one")]}});
    for (before, after) in [
        (
            "[hooks.state]\n\"@:pre_tool_use:0:0\" = { trusted_hash = \"o\" }\n\"@:pre_tool_use:1:0\" = { trusted_hash = \"m\" } # mine\n",
            "[hooks.state]\n\"@:pre_tool_use:0:0\" = { trusted_hash = \"m\" } # mine\n",
        ),
        (
            "[hooks]\nstate = { \"@:pre_tool_use:0:0\" = { trusted_hash = \"o\" }, \"@:pre_tool_use:1:0\" = { trusted_hash = \"m\" } }\n",
            "[hooks]\nstate = { \"@:pre_tool_use:0:0\" = { trusted_hash = \"m\" } }\n",
        ),
    ] {
        assert_eq!(Codex::new(&hooks).disconnected(before), after);
    }
}

#[test]
fn approvals_that_cannot_be_attributed_are_left_alone() {
    let text = "[hooks.state.\"@:pre_tool_use:1:0\"]\ntrusted_hash = \"sha256:m\"\n\n[hooks.state.odd]\nx = 1\n\n\
        [hooks.state.\"@:pre_tool_use:many:0\"]\nx = 1\n";
    for hooks in [
        json!({"hooks": {"PreToolUse": [mine("one"), mine("two")]}}),
        json!({"hooks": {"PreToolUse": [mine("one"), mine("two"), "ours"]}}),
        json!({"hooks": {"PreToolUse": 3}}),
        json!([]),
    ] {
        assert_eq!(Codex::new(&hooks).disconnected(text), text, "{hooks}");
    }
}
