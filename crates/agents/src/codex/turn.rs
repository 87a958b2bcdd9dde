//! What Codex says with a call about the turn that it belongs to: the sandbox mode and the permission profile. Owns applying it
//! to the rules, for which it is newer than any file and command line.
//!
//! Measured on 0.171.0: interactive sessions share a daemon (`codex app-server --managed-daemon`), so that the command line
//! above a server isn't the session's; and the user may choose another mode in the middle of a session.

use std::path::Path;

use home::Env;
use rules::{RuleSet, Target};
use serde_json::{Map, Value};

use super::sandbox_settings::{READ_ONLY, pattern, read_only, read_only_text, rule};
use crate::config::at;

/// The capability that makes Codex attach the session's whole permission profile to each call.
pub(super) const PROFILE_CAPABILITY: &str = "codex/sandbox-state-meta";
/// The modes in which commands write. An unknown one takes nothing back.
const WRITING: [&str; 2] = ["workspace-write", "danger-full-access"];
/// Where the rules are from.
const SESSION: &str = "the session";

/// Applies the sandbox that a call names for its turn.
pub(super) fn apply(meta: &Map<String, Value>, env: &Env, project: &Path, set: &mut RuleSet) {
    let turn = meta.get("x-codex-turn-metadata");
    let mode = turn.and_then(|turn| turn.get("sandbox_mode")).and_then(Value::as_str);
    let state = [PROFILE_CAPABILITY, "codex/sandbox-state"].iter().find_map(|key| meta.get(*key));
    let files = state.and_then(|state| at(state, &["permissionProfile", "file_system"]));
    let entries = files.and_then(|files| files.get("entries")).and_then(Value::as_array);
    let with_access = |words: &'static [&'static str]| {
        entries.into_iter().flatten().filter(move |entry| {
            entry.get("access").and_then(Value::as_str).is_some_and(|access| words.contains(&access))
        })
    };
    if mode.is_some_and(|mode| WRITING.contains(&mode)) {
        set.rules.retain(|rule| rule.text != read_only_text());
    }
    if mode == Some(READ_ONLY) || entries.is_some() && with_access(&["write"]).next().is_none() {
        // The project may be a folder in a repository, whose root must not be written either.
        let root = home::git_root(project).filter(|root| root != project);
        for folder in [Some(project), root.as_deref()].into_iter().flatten() {
            set.rules.extend(read_only(SESSION, env, folder));
        }
    }
    for path in with_access(&["deny", "none"]).filter_map(|entry| entry.get("path")) {
        let Some(denied) = denied(path) else { continue };
        for target in [Target::Read, Target::Edit] {
            let text = format!("{denied} = \"deny\"");
            set.rules.push(rule(target, pattern(denied, env, project), text, SESSION, project));
        }
    }
}

/// The path or pattern of a profile's entry. Of the special places only the root counts; commands leave files behind in
/// the others.
fn denied(path: &Value) -> Option<&str> {
    if path.get("type").and_then(Value::as_str) == Some("special") {
        return (at(path, &["value", "kind"]).and_then(Value::as_str) == Some("root")).then_some(":root");
    }
    ["path", "pattern"].iter().find_map(|key| path.get(*key)).and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use home::Os;
    use serde_json::json;

    use super::super::sandbox_settings;
    use super::*;

    /// The rules of a Codex with this command line, after a call with this metadata.
    fn set(line: &[&str], project: &Path, meta: &Value) -> RuleSet {
        let dir = tempfile::tempdir().unwrap();
        let line: Vec<String> = line.iter().map(ToString::to_string).collect();
        let env = Env::for_test("/h").with_os(Os::Linux).with_callers(vec![line]);
        let mut set = RuleSet::default();
        sandbox_settings::add(&env, &dir.path().join(".codex"), dir.path(), project, &mut set);
        apply(meta.as_object().unwrap(), &env, project, &mut set);
        set
    }

    fn profile(entries: &Value) -> Value {
        json!({"permissionProfile": {"type": "managed", "file_system": {"type": "restricted", "entries": entries}}})
    }

    #[test]
    fn the_mode_of_a_turn_is_newer_than_the_command_line() {
        let daemon = ["codex", "app-server", "--listen", "unix://", "--managed-daemon"];
        let read_only = ["codex", "-s", "read-only"];
        let turn = |mode: &str| json!({"x-codex-turn-metadata": {"sandbox_mode": mode}});
        let root_is_read =
            json!([{"path": {"type": "special", "value": {"kind": "root"}}, "access": "read"}]);
        for (line, meta, denied) in [
            (&daemon[..], turn("read-only"), true),
            (&daemon, turn("workspace-write"), false),
            (&daemon, json!({"x-codex-turn-metadata": "read-only"}), false),
            (&daemon, json!({}), false),
            (&read_only, turn("workspace-write"), false),
            (&read_only, turn("a mode of tomorrow"), true),
            (&read_only, json!({"threadId": "1"}), true),
            (&daemon, json!({PROFILE_CAPABILITY: profile(&root_is_read)}), true),
            (&daemon, json!({PROFILE_CAPABILITY: {"permissionProfile": {"type": "disabled"}}}), false),
        ] {
            let verdict =
                set(line, Path::new("/w"), &meta).command("echo a > b", Path::new("/w"), Path::new("/h"));
            assert_eq!(verdict.is_deny(), denied, "{line:?} {meta}");
        }
    }

    #[test]
    fn the_repository_around_a_project_is_read_only_too() {
        let dir = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(dir.path()).unwrap();
        std::fs::create_dir_all(root.join(".git")).unwrap();
        std::fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        let project = root.join("api");
        std::fs::create_dir_all(&project).unwrap();
        let meta = json!({"x-codex-turn-metadata": {"sandbox_mode": "read-only"}});
        let set = set(&["codex"], &project, &meta);
        assert!(set.command("echo a > ../b", &project, Path::new("/h")).is_deny());
    }

    #[test]
    fn what_the_profile_of_a_turn_denies_is_not_read() {
        let entries = json!([
            {"path": {"type": "path", "path": "/srv/secret"}, "access": "deny"},
            {"path": {"type": "glob_pattern", "pattern": "/w/**/*.env"}, "access": "deny"},
            {"path": {"type": "special", "value": {"kind": "tmpdir"}}, "access": "write"},
            {"path": {"type": "path", "path": "/w"}, "access": "write"},
            {"path": 7, "access": "deny"},
            {"access": "deny"},
            "deny",
        ]);
        let meta = json!({PROFILE_CAPABILITY: profile(&entries)});
        let set = set(&["codex", "app-server"], Path::new("/w"), &meta);
        let read = |path: &str| set.read(Path::new(path), Path::new("/w"), Path::new("/h")).is_deny();
        for (path, denied) in
            [("/srv/secret/a", true), ("/w/api/.env", true), ("/w/api/b.env", true), ("/w/src/a.rs", false)]
        {
            assert_eq!(read(path), denied, "{path}");
        }
        assert!(!set.command("echo a > b", Path::new("/w"), Path::new("/h")).is_deny());
    }
}
