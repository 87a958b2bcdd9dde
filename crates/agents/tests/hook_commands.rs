//! Every registered hook command, run in the agents' shells with a launcher in every possible state. The law: if the launcher
//! runs and exits successfully, its answer; otherwise the agent's "go on", exit 0 and nothing on stderr. OpenCode's plugin
//! follows the same law and has its own file (`opencode_plugin.rs`).
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use edits::Edit;
use home::{Env, Os};
use plimsoll_agents::{self as agents, Agent, EntryContext, Parts, Role, Scope};
use serde_json::Value;

/// Agents that go on by themselves and get bare commands: Codex ties approvals to the command's text, Claude Code starts the
/// command without a shell. `tests/tests/never_in_the_way.rs` checks the real agents.
const GO_ON_BY_THEMSELVES: [&str; 2] = ["claude-code", "codex"];

/// The shells that agents run commands in, with `-c` after these words.
const SHELLS: [&[&str]; 6] = [&["/bin/sh"], &["bash"], &["zsh"], &["fish"], &["busybox", "sh"], &["mksh"]];

/// A path that needs every kind of quoting.
const FOLDER: &str = "it's a \"bin\" $HOME `id` & (y); %s \\n ü";

/// A registered command, with the event that it names, if any.
struct Registered {
    agent: &'static dyn Agent,
    event: Option<String>,
    command: String,
}

/// The distinct commands of every agent that needs them to fail open.
fn registered(launcher: &Path) -> Vec<Registered> {
    let env = Env::for_test("/home/ana").with_os(Os::Linux);
    let mut all = Vec::new();
    for agent in agents::all() {
        if GO_ON_BY_THEMSELVES.contains(&agent.id()) {
            continue;
        }
        let found = agent.assumed_installation(&env);
        let parts = Parts { mcp: false, hooks: true, instructions: false, credentials: None };
        let context = EntryContext { launcher, scope: &Scope::User, installation: &found, parts, env: &env };
        let mut commands = Vec::new();
        for file in agent.files(&context).iter().filter(|file| file.role == Role::Hooks) {
            for edit in &file.edits {
                if let Edit::Set { value, .. } | Edit::Put { value, .. } = edit {
                    collect(value, &mut commands);
                }
            }
        }
        commands.dedup();
        assert!(!commands.is_empty() || agent.id() == "opencode", "{} registers no command", agent.id());
        all.extend(commands.into_iter().map(|command| {
            let call = command.split_once("\"$0\" ").unwrap().1.split([')', '>']).next().unwrap();
            let event = call.split_whitespace().skip(2).find(|word| word.chars().all(char::is_alphabetic));
            Registered { agent: *agent, event: event.map(str::to_owned), command: command.clone() }
        }));
    }
    all
}

fn collect(value: &Value, commands: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                match member {
                    Value::String(text) if key == "command" || key == "bash" => commands.push(text.clone()),
                    other => collect(other, commands),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, commands)),
        _ => {}
    }
}

/// Runs a command as an agent does: in its shell, the payload on stdin, both outputs read to their end.
fn run(shell: &[&str], command: &str, payload: &str) -> Output {
    let mut child = Command::new(shell[0])
        .args(&shell[1..])
        .args(["-c", command])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A launcher that is not there reads nothing.
    let _ = child.stdin.take().unwrap().write_all(payload.as_bytes());
    child.wait_with_output().unwrap()
}

fn shells() -> Vec<&'static [&'static str]> {
    let there = |shell: &&[&str]| {
        let mut probe = Command::new(shell[0]);
        let there = probe.args(&shell[1..]).args(["-c", "true"]).output().is_ok();
        if !there {
            skipped::without(&format!("shell:{}", shell[0]), &format!("no {} here", shell[0]));
        }
        there
    };
    SHELLS.into_iter().filter(there).collect()
}

fn script(path: &Path, text: &str) {
    let _ = std::fs::remove_file(path);
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder with a launcher of the right name.
fn bin() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let bin = dir.path().join(FOLDER);
    std::fs::create_dir(&bin).unwrap();
    let launcher = bin.join("plimsoll");
    (dir, launcher)
}

#[test]
fn the_answer_of_a_launcher_that_ends_well_arrives_unchanged() {
    let (dir, launcher) = bin();
    let asked = dir.path().join("asked");
    let answer = r#"{"a":"line\n%s $HOME `id` \\ 'x' ü","n":[1,  2]}"#;
    let quoted = answer.replace('\'', r"'\''");
    script(
        &launcher,
        &format!(
            "#!/bin/sh\nprintf '%s|' \"$*\" >'{0}'\ncat >>'{0}'\nprintf '%s\\n' '{quoted}'\n",
            asked.display()
        ),
    );
    for shell in shells() {
        for Registered { agent, event, command } in registered(&launcher) {
            let output = run(shell, &command, "{\"payload\":\"ü\"}");
            assert_eq!(text(&output.stdout), answer, "{} in {shell:?}: {command}", agent.id());
            assert_eq!((text(&output.stderr).as_str(), output.status.code()), ("", Some(0)), "{command}");
            // VS Code reads Copilot CLI's file.
            let named = if agent.id() == "vscode-copilot" { "copilot-cli" } else { agent.id() };
            let words = ["hook", named].into_iter().chain(event.as_deref()).collect::<Vec<_>>().join(" ");
            assert_eq!(std::fs::read_to_string(&asked).unwrap(), format!("{words}|{{\"payload\":\"ü\"}}"));
        }
    }
}

#[test]
fn a_denial_by_exit_code_passes_with_its_reason_and_never_without() {
    let (_dir, launcher) = bin();
    let kiro: Vec<Registered> =
        registered(&launcher).into_iter().filter(|one| one.agent.id() == "kiro").collect();
    for shell in shells() {
        for Registered { command, .. } in &kiro {
            script(&launcher, "#!/bin/sh\nprintf 'Use X.\\nüber %%s'\necho other >&2\nexit 2\n");
            let output = run(shell, command, "{}");
            assert_eq!((text(&output.stdout).as_str(), output.status.code()), ("", Some(2)), "{shell:?}");
            assert_eq!(text(&output.stderr), "Use X.\nüber %s");
            script(&launcher, "#!/bin/sh\necho 'syntax error' >&2\nexit 2\n");
            let output = run(shell, command, "{}");
            assert_eq!((text(&output.stderr).as_str(), output.status.code()), ("", Some(0)), "{shell:?}");
        }
    }
}

/// Replaces the launcher.
type Lay = Box<dyn Fn(&Path)>;

/// What can replace the launcher: a name, and how to install it.
fn faults() -> Vec<(&'static str, Lay)> {
    fn scripted(text: &'static str) -> Lay {
        Box::new(move |path| script(path, text))
    }
    vec![
        ("missing", Box::new(|_| {})),
        ("not executable", Box::new(|path| std::fs::write(path, "#!/bin/sh\necho hi\n").unwrap())),
        ("a folder", Box::new(|path| std::fs::create_dir(path).unwrap())),
        ("a dangling link", Box::new(|path| std::os::unix::fs::symlink("/no/such", path).unwrap())),
        ("a link to itself", Box::new(|path| std::os::unix::fs::symlink(path, path).unwrap())),
        ("an interpreter that is gone", scripted("#!/no/such/sh\n")),
        ("half a program", scripted("\u{7f}ELF\u{2}\u{1}\u{1}\0\0((((\0")),
        ("another text", scripted("garbage ((( ' \n")),
        ("an empty file", scripted("")),
        ("exit 1", scripted("#!/bin/sh\necho noise >&2\nexit 1\n")),
        ("exit 2", scripted("#!/bin/sh\necho noise >&2\nexit 2\n")),
        ("exit 101", scripted("#!/bin/sh\necho noise >&2\nexit 101\n")),
        ("half an answer", scripted("#!/bin/sh\nprintf '{\"decision\":\"de'\nexit 101\n")),
        ("killed", scripted("#!/bin/sh\nprintf '{\"half'\nkill -9 $$\n")),
        ("crashed", scripted("#!/bin/sh\nkill -SEGV $$\n")),
    ]
}

#[test]
fn a_launcher_in_any_state_ends_in_go_on() {
    let (_dir, launcher) = bin();
    for (fault, lay) in faults() {
        lay(&launcher);
        for shell in shells() {
            for Registered { agent, event, command } in registered(&launcher) {
                let what = format!("{fault}, {} {event:?} in {shell:?}: {command}", agent.id());
                let output = run(shell, &command, "{\"tool\":1}");
                assert_eq!(text(&output.stdout), agent.fail_open(event.as_deref()).stdout, "{what}");
                assert_eq!((text(&output.stderr).as_str(), output.status.code()), ("", Some(0)), "{what}");
            }
        }
        if launcher.is_dir() {
            std::fs::remove_dir(&launcher).unwrap();
        } else if launcher.symlink_metadata().is_ok() {
            std::fs::remove_file(&launcher).unwrap();
        }
    }
}

/// An agent kills the shell of a slow hook and then waits for its pipes to close. The launcher lives on and must not keep them
/// open.
#[test]
fn a_host_that_ends_a_hanging_hook_waits_no_longer() {
    let (dir, launcher) = bin();
    let hung = dir.path().join("hung");
    script(
        &launcher,
        &format!("#!/bin/sh\necho $$ >'{0}.tmp'\nmv '{0}.tmp' '{0}'\nexec sleep 600\n", hung.display()),
    );
    for Registered { command, .. } in registered(&launcher) {
        let mut child = Command::new("/bin/sh")
            .args(["-c", &format!("exec {command}")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let launched = loop {
            if let Ok(pid) = std::fs::read_to_string(&hung) {
                break pid.trim().to_owned();
            }
            assert!(child.try_wait().unwrap().is_none(), "it ended by itself: {command}");
            std::thread::yield_now();
        };
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        let alive = Command::new("kill").args(["-0", &launched]).status().unwrap().success();
        let _ = Command::new("kill").args(["-9", &launched]).status();
        std::fs::remove_file(&hung).unwrap();
        assert!(alive, "the pipes were open as long as the launcher lived: {command}");
        assert_eq!(text(&output.stdout), "");
    }
}

/// The forms that earlier versions registered are still recognised: connecting replaces them in place, and disconnecting
/// removes them.
#[test]
fn entries_of_earlier_forms_are_replaced_and_taken_out() {
    let launcher = Path::new("/home/ana/a b/plimsoll");
    for (os, old) in [
        (Os::Linux, "'/home/ana/a b/plimsoll' hook @"),
        (Os::Linux, "/home/ana/plimsoll hook @"),
        (Os::Windows, r"& 'C:\Users\ana b\plimsoll.exe' hook @"),
        (Os::Windows, "\"C:/Users/ana b/plimsoll.exe\" hook @"),
    ] {
        let env = Env::for_test("/home/ana").with_os(os);
        for agent in agents::all().iter().filter(|agent| agent.id() != "opencode") {
            let found = agent.assumed_installation(&env);
            let parts = Parts { mcp: false, hooks: true, instructions: false, credentials: None };
            let context =
                EntryContext { launcher, scope: &Scope::User, installation: &found, parts, env: &env };
            for file in agent.files(&context).into_iter().filter(|file| file.role == Role::Hooks) {
                let dir = tempfile::tempdir().unwrap();
                let path = dir.path().join("hooks.json");
                let now = edits::snippet(file.format, &file.edits);
                let mut then: Value = serde_json::from_str(&now).unwrap();
                let owner = if agent.id() == "vscode-copilot" { "copilot-cli" } else { agent.id() };
                let changed = older(&mut then, &old.replace('@', owner));
                assert!(changed > 0, "{}", agent.id());
                std::fs::write(&path, serde_json::to_vec_pretty(&then).unwrap()).unwrap();
                let entry_states = || {
                    file.edits
                        .iter()
                        .map(|edit| edits::entry_state(&path, file.format, edit))
                        .collect::<Vec<_>>()
                };
                // Doctor calls them outdated, and repairing offers today's form; where that is the same, nothing.
                let outdated = entry_states().contains(&edits::EntryState::Differs);
                assert!(
                    outdated || GO_ON_BY_THEMSELVES.contains(&agent.id()),
                    "{}: {:?}",
                    agent.id(),
                    entry_states()
                );
                let store =
                    edits::Store { backups: dir.path().join("backups"), locks: dir.path().join("locks") };
                edits::apply(&edits::plan(&path, file.format, &file.edits), &store, 1).unwrap();
                let connected: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
                assert_eq!(connected, serde_json::from_str::<Value>(&now).unwrap(), "{}", agent.id());
                // And an old file is emptied of them without a connection in between.
                std::fs::write(&path, serde_json::to_vec_pretty(&then).unwrap()).unwrap();
                edits::apply(&edits::plan_removal(&path, file.format, &file.edits, None), &store, 2).unwrap();
                let left = std::fs::read_to_string(&path).unwrap_or_default();
                assert!(!left.contains("plimsoll"), "{}: {left}", agent.id());
            }
        }
    }
}

/// Rewrites each of Plimsoll's commands in the older form, with its event; returns how many there were.
fn older(value: &mut Value, old: &str) -> usize {
    match value {
        Value::Object(members) => members
            .iter_mut()
            .map(|(key, member)| match member {
                Value::String(text) if matches!(key.as_str(), "command" | "bash" | "powershell") => {
                    let named = text
                        .split([' ', ')', '}'])
                        .find(|word| ["PreToolUse", "PostToolUse", "PreInvocation", "Stop"].contains(word));
                    *text = named.map_or_else(|| old.to_owned(), |event| format!("{old} {event}"));
                    1
                }
                other => older(other, old),
            })
            .sum(),
        Value::Array(items) => items.iter_mut().map(|item| older(item, old)).sum(),
        _ => 0,
    }
}
