//! The real agents go on whatever happens to the launcher: the scripted model's shell calls run, and their output reaches the model.
//! The launcher is missing, not executable, fails, is killed or hangs, from the start or in the middle of a session, and Plimsoll is
//! uninstalled while the agent works.
//!
//! `crates/agents/tests/hook_commands.rs` tests the registered commands in each shell exhaustively.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use plimsoll_tests::{Cli, Model, Run, Scratch, Step, agents_dir, newer_agents_dir, sidecar};
use serde_json::Value;

/// Puts the launcher into the state in its argument. The model's shell call runs it, so that the state changes within a
/// session.
const BREAK: &str = r#"#!/bin/sh
launcher=$HOME/.plimsoll/bin/plimsoll
rm -f "$launcher"
case $1 in
missing) ;;
not-executable) printf '#!/bin/sh\n' >"$launcher" ;;
exit-1 | exit-101) printf '#!/bin/sh\nprintf %%s "{\\"half"\necho noise >&2\nexit %s\n' "${1#exit-}" >"$launcher" ;;
killed) printf '#!/bin/sh\nprintf %%s "{\\"half"\nkill -9 $$\n' >"$launcher" ;;
hanging) printf '#!/bin/sh\ncase $(cat) in *hang-here*) echo $$ >>"$HOME/hanging"; exec sleep 600 ;; esac\n' >"$launcher" ;;
turns) printf '#!/bin/sh\necho >>"$HOME/turns"\ncase $(($(wc -l <"$HOME/turns") %% 3)) in 0) exit 1 ;; 1) printf %%s "{\\"half"; exit 101 ;; *) kill -9 $$ ;; esac\n' >"$launcher" ;;
esac
case $1 in missing | not-executable) ;; *) chmod 755 "$launcher" ;; esac
"#;

/// The launcher's states, one after the other in one session.
const FAULTS: [&str; 6] = ["missing", "not-executable", "exit-1", "exit-101", "killed", "hanging"];

struct Host {
    cli: Cli,
    agents: PathBuf,
    scratch: Scratch,
}

impl Host {
    fn new(cli: Cli, agents: Option<PathBuf>) -> Option<Self> {
        let Some(agents) = agents else {
            skipped::without(
                "agents",
                &format!("{} is not installed here; `cargo xtask test` installs it on Linux x64", cli.id()),
            );
            return None;
        };
        let scratch = Scratch::new().unwrap();
        cli.install(&agents, &scratch).unwrap();
        let breaker = scratch.home.join("break");
        std::fs::write(&breaker, BREAK).unwrap();
        std::fs::set_permissions(&breaker, std::fs::Permissions::from_mode(0o755)).unwrap();
        Some(Self { cli, agents, scratch })
    }

    fn connect(&self) {
        self.scratch.plimsoll(&["connect", self.cli.id(), "--yes"]).unwrap();
    }

    fn make(&self, state: &str) {
        let mut breaking = self.scratch.command(self.scratch.home.join("break"));
        assert!(breaking.arg(state).status().unwrap().success(), "{state}");
    }

    /// Runs a session of these shell calls, each of which must run and reach the model.
    fn session(&self, what: &str, calls: &[String]) {
        let marked = calls.iter().enumerate().map(|(number, call)| {
            // The printed text isn't in the call's own words.
            Step::Shell(format!("{call} && printf ran-%d-42 {number}"))
        });
        let model = Model::start(marked).unwrap();
        // A hang costs a host's whole timeout, once before and once after the call.
        let how = Run { limit: Some(Duration::from_secs(300)), ..Run::default() };
        let ended = self.cli.run(&self.agents, &self.scratch, &model, "Do what the script says.", &how);
        let ended = ended.unwrap_or_else(|error| panic!("{what}: {error:#}"));
        let _stopped = Hanging(&self.scratch.home);
        assert_eq!(ended.code, Some(0), "{what}: {ended:?}");
        let turns = model.requests_with_tools();
        let seen = turns.last().map(plimsoll_tests::Request::results).unwrap_or_default();
        for (number, call) in calls.iter().enumerate() {
            let arrived = seen.iter().any(|result| result.text.contains(&format!("ran-{number}-42")));
            assert!(arrived, "{what}: `{call}` did not run, or nobody was told: {seen:#?}\n{ended:?}");
        }
        assert_eq!(model.remaining_steps(), 0, "{what}: {ended:?}");
    }
}

/// The hooks file of an agent that denies every call if a hook's command is missing.
fn older_commands(cli: Cli) -> Option<&'static str> {
    match cli {
        Cli::Gemini => Some(".gemini/settings.json"),
        Cli::Copilot => Some(".copilot/hooks/plimsoll.json"),
        Cli::Claude | Cli::Codex | Cli::OpenCode => None,
    }
}

/// Rewrites every hook command as earlier versions wrote it; returns how many there were.
fn older(value: &mut Value, launcher: &Path) -> usize {
    match value {
        Value::Object(members) => members.values_mut().map(|member| older(member, launcher)).sum(),
        Value::Array(items) => items.iter_mut().map(|item| older(item, launcher)).sum(),
        Value::String(text) => match text.split_once("\"$0\" ").and_then(|(_, rest)| rest.split_once(')')) {
            Some((arguments, _)) => {
                *text = format!("{} {arguments}", launcher.display());
                1
            }
            None => 0,
        },
        _ => 0,
    }
}

/// Ends the launchers that hang, by their ids.
struct Hanging<'a>(&'a Path);

impl Drop for Hanging<'_> {
    fn drop(&mut self) {
        let pids = std::fs::read_to_string(self.0.join("hanging")).unwrap_or_default();
        for pid in pids.split_whitespace() {
            let _ = Command::new("kill").args(["-9", pid]).output();
        }
    }
}

fn goes_on(cli: Cli, agents: Option<PathBuf>) {
    let Some(host) = Host::new(cli, agents) else { return };
    // In the middle of a session: each call is judged in the state that the one before it left.
    host.connect();
    let mut calls: Vec<String> = FAULTS.iter().map(|fault| format!("\"$HOME/break\" {fault}")).collect();
    calls.push("true hang-here".to_owned());
    host.session("one state after the other", &calls);
    assert!(host.scratch.home.join("hanging").exists(), "the launcher was never called while it hung");
    // A call uninstalls Plimsoll, and the session continues.
    host.connect();
    let uninstall = format!("'{}' uninstall --all --yes", sidecar().display());
    host.session("uninstalled", &["true".into(), uninstall.clone(), "true".into(), "true".into()]);
    assert!(!host.scratch.home.join(".plimsoll/bin/versions").exists(), "it is uninstalled");
    // The same in a session that began with the commands of an earlier version, which are the launcher itself.
    if let Some(file) = older_commands(cli) {
        host.connect();
        let file = host.scratch.home.join(file);
        let mut entries: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        assert!(older(&mut entries, &host.scratch.home.join(".plimsoll/bin/plimsoll")) > 0);
        std::fs::write(&file, entries.to_string()).unwrap();
        host.session(
            "uninstalled, with older entries",
            &["true".into(), uninstall, "true".into(), "true".into()],
        );
    }
    // From the start.
    for state in ["missing", "turns"] {
        host.connect();
        host.make(state);
        host.session(state, &["true".into()]);
    }
    assert!(host.scratch.home.join("turns").exists(), "the launcher was never called");
}

#[test]
fn claude_code() {
    goes_on(Cli::Claude, agents_dir());
}

#[test]
fn claude_code_newer() {
    goes_on(Cli::Claude, newer_agents_dir());
}

#[test]
fn codex() {
    goes_on(Cli::Codex, agents_dir());
}

#[test]
fn gemini_cli() {
    goes_on(Cli::Gemini, agents_dir());
}

#[test]
fn opencode() {
    goes_on(Cli::OpenCode, agents_dir());
}

#[test]
fn copilot_cli() {
    goes_on(Cli::Copilot, agents_dir());
}
