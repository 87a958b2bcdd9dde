//! The project's own checker: it runs only if a rule or the setting allows it, and after edits in the background.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::client::{Client, Place, until};
use crate::codebase::{asked, place};

/// A project with its own checker, which prints `says` and records that it ran.
fn checked_by(place: &Place, says: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    place.write("work/ship/tsconfig.json", "{}");
    let script = format!("#!/bin/sh\necho ran >> \"$HOME/ran\"\n{says}\n");
    let program = place.write("work/ship/node_modules/.bin/tsc", &script);
    std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755)).expect("a program");
}

/// The answer of a checker, which may take longer than an agent waits.
fn diagnosed(client: &mut Client, path: &str) -> Value {
    loop {
        let answer = asked(client, "codebase", &json!({"action": "diagnostics", "path": path}));
        if answer["status"] != "running" {
            return answer;
        }
    }
}

#[test]
fn the_projects_own_checker_answers_where_a_rule_or_the_setting_lets_it_and_never_by_being_there() {
    let place = place();
    checked_by(
        &place,
        "echo \"src/config.ts(5,3): error TS2322: wrong\"\necho \"src/app.ts(1,1): error TS1: else\"\nexit 2",
    );
    let asking = json!({"action": "diagnostics", "path": "src/config.ts"});
    let ran = || place.home().join("ran").exists();
    // Nobody runs a program that a repository brings along.
    let refused = place.session().bad("codebase", asking.clone());
    assert!(refused.contains("runs code of this repository and no rule allows it"), "{refused}");
    assert!(refused.contains("node_modules/.bin/tsc --noEmit"), "{refused}");
    // A forbidden command stays forbidden, even with the setting.
    place.write("home/.plimsoll/settings.toml", "[codebase]\nenabled = true\ndiagnostics = true\n");
    let rules =
        |rules: &str| place.write("home/.claude/settings.json", &format!(r#"{{"permissions": {rules}}}"#));
    for (kind, says) in [("deny", "is denied"), ("ask", "needs the user's consent")] {
        rules(&format!(r#"{{"{kind}": ["Bash(node_modules/.bin/tsc:*)"]}}"#));
        let refused = place.session().bad("codebase", asking.clone());
        assert!(refused.contains(says), "{kind}: {refused}");
    }
    assert!(!ran(), "it ran without leave");
    rules("{}");
    let answer = diagnosed(&mut place.session(), "src/config.ts");
    assert_eq!(answer["diagnostics"][0]["file"], "src/config.ts:5:3", "{answer}");
    assert_eq!((&answer["count"], &answer["elsewhere"]), (&json!(1), &json!(1)), "{answer}");
    assert!(ran());
    // A rule alone is enough.
    place.write("home/.plimsoll/settings.toml", "[codebase]\nenabled = true\n");
    rules(r#"{"allow": ["Bash(node_modules/.bin/tsc:*)"], "deny": ["Read(./src/app.ts)"]}"#);
    let answer = diagnosed(&mut place.session(), "");
    assert_eq!(answer["count"], 1, "{answer}");
    assert!(!answer.to_string().contains("src/app.ts"), "what may not be read is not named: {answer}");
}

#[test]
fn an_edit_is_checked_in_the_background_and_what_is_new_reaches_the_next_hook() {
    let place = place();
    place.write("home/.plimsoll/settings.toml", "[codebase]\nenabled = true\ndiagnostics = true\n");
    // It reports the contents of a file, so that the first run has one error and the next two.
    checked_by(
        &place,
        "echo \"src/app.ts(1,1): error TS1: old\"\ngrep -q broken src/config.ts && echo \"src/config.ts(2,1): error TS2: new\"\nexit 2",
    );
    let mut client = place.session();
    asked(&mut client, "codebase", &json!({"action": "map"}));
    let hook = |payload: &Value| {
        let command = place.command(&[]);
        let mut hook = std::process::Command::new(command.get_program());
        hook.args(["hook", "claude-code"]).env_clear().current_dir(place.project());
        hook.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let mut child = hook
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("a hook");
        let mut payload = payload.clone();
        payload["session_id"] = "s".into();
        payload["cwd"] = place.project().to_string_lossy().into();
        std::io::Write::write_all(&mut child.stdin.take().expect("stdin"), payload.to_string().as_bytes())
            .expect("written");
        let output = child.wait_with_output().expect("an answer");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let runs = || std::fs::read_to_string(place.home().join("ran")).map_or(0, |text| text.lines().count());
    hook(&json!({"hook_event_name": "SessionStart", "source": "startup"}));
    until("the first run", || (runs() >= 1 && checked(&place, "old")).then_some(()));
    let (path, old) = (place.project().join("src/config.ts"), "/** Reads");
    let text = std::fs::read_to_string(&path).expect("a file");
    std::fs::write(&path, text.replace(old, "/** broken; Reads")).expect("an edit");
    let edit = json!({"hook_event_name": "PostToolUse", "tool_name": "Edit",
        "tool_input": {"file_path": path, "old_string": old, "new_string": "/** broken; Reads"}, "tool_response": "ok"});
    assert!(!hook(&edit).contains("TS2"), "no hook waits for a checker");
    until("the second run", || checked(&place, "new").then_some(()));
    let next = json!({"hook_event_name": "PostToolUse", "tool_name": "Bash",
        "tool_input": {"command": "true"}, "tool_response": {"stdout": "", "stderr": ""}});
    // A hook on a busy computer may not answer in time; the next one does.
    let told = until("the news", || Some(hook(&next)).filter(|told| told.contains("New since")));
    assert!(
        told.contains("New since your edits, by `tsc --noEmit`")
            && told.contains("src/config.ts:2 error TS2: new"),
        "{told}"
    );
    assert!(!told.contains("old"), "what was there before isn't news: {told}");
    assert!(!hook(&next).contains("TS2"), "once");
}

/// Whether a run with this finding is stored.
fn checked(place: &Place, message: &str) -> bool {
    let projects = std::fs::read_dir(place.data().join("projects")).expect("projects");
    let text = |folder: PathBuf| std::fs::read_to_string(folder.join("code.checked")).unwrap_or_default();
    projects.flatten().any(|folder| text(folder.path()).contains(&format!("\"message\":\"{message}\"")))
}
