//! The plugins in the real agents: accepted, installed, explaining themselves without Plimsoll, working with it, and served once
//! beside a connection.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::Stdio;

use plimsoll_tests::{Cli, Model, Request, Scratch, agents_dir, newer_agents_dir, sidecar};

/// The agents with plugins, and where each is installed.
fn hosts() -> Vec<(Cli, PathBuf)> {
    let Some(agents) = agents_dir() else {
        skipped::without("agents", "no agents are installed; `cargo xtask test` installs them on Linux x64");
        return Vec::new();
    };
    let mut hosts = [Cli::Claude, Cli::Gemini, Cli::Copilot].map(|cli| (cli, agents.clone())).to_vec();
    hosts.extend(newer_agents_dir().map(|newer| (Cli::Claude, newer)));
    hosts
}

fn plugins() -> PathBuf {
    Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../plugin").canonicalize().unwrap()
}

/// An agent in a home of its own.
struct Host {
    cli: Cli,
    agents: PathBuf,
    scratch: Scratch,
}

impl Host {
    fn new(cli: Cli, agents: &Path) -> Self {
        Self { cli, agents: agents.to_owned(), scratch: Scratch::new().unwrap() }
    }

    /// Runs the agent's own command line; it must succeed, and soon.
    fn run(&self, args: &[&str]) -> String {
        let bin = self.cli.install(&self.agents, &self.scratch).unwrap();
        let mut command = self.scratch.command("/usr/bin/env");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let dirs = std::iter::once(bin).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(dirs).unwrap());
        // Without it Gemini CLI asks whether it may trust the folder.
        command.env("GEMINI_CLI_TRUST_WORKSPACE", "true").stdin(Stdio::null());
        let output = command.args(["timeout", "-k", "5", "400"]).args(args).output().unwrap();
        let printed =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        assert!(output.status.success(), "{args:?}: {printed}");
        printed
    }

    fn install_plugin(&self) {
        let folder = plugins();
        let (all, gemini) = (folder.to_str().unwrap(), folder.join("gemini-cli"));
        match self.cli {
            Cli::Claude => {
                self.run(&["claude", "plugin", "marketplace", "add", all]);
                self.run(&["claude", "plugin", "install", "plimsoll@plimsoll"]);
            }
            Cli::Copilot => {
                self.run(&["copilot", "plugin", "marketplace", "add", all]);
                self.run(&["copilot", "plugin", "install", "plimsoll@plimsoll"]);
            }
            _ => {
                let from = gemini.to_str().unwrap();
                self.run(&["gemini", "extensions", "install", "--consent", "--skip-settings", from]);
            }
        }
    }

    /// Puts the launcher where Plimsoll keeps it, and nothing else.
    fn install_plimsoll(&self) {
        let bin = self.scratch.home.join(".plimsoll/bin");
        std::fs::create_dir_all(&bin).unwrap();
        std::os::unix::fs::symlink(sidecar(), bin.join("plimsoll")).unwrap();
    }

    /// What reaches the model in a session of one prompt.
    fn heard(&self) -> String {
        let model = Model::start(Vec::new()).unwrap();
        let ended = self.cli.ask(&self.agents, &self.scratch, &model, "Say hello.").unwrap();
        assert_eq!(ended.code, Some(0), "{ended:?}");
        model.requests_with_tools().iter().map(Request::text).collect()
    }

    fn tool(&self, plugged: bool) -> &'static str {
        match (self.cli, plugged) {
            (Cli::Claude, true) => "mcp__plugin_plimsoll_plimsoll__execute",
            (Cli::Claude, false) => "mcp__plimsoll__execute",
            (Cli::Gemini, _) => "mcp_plimsoll_execute",
            _ => "plimsoll-execute",
        }
    }
}

/// The start of the text that a session gets at its start.
const AT_START: &str = "Plimsoll keeps large outputs out of this conversation";

#[test]
fn the_agents_own_validators_accept_the_plugins() {
    for (cli, agents) in hosts() {
        let host = Host::new(cli, &agents);
        let folder = plugins();
        match cli {
            Cli::Claude => {
                for path in [folder.clone(), folder.join("claude-code")] {
                    let printed =
                        host.run(&["claude", "plugin", "validate", "--strict", path.to_str().unwrap()]);
                    assert!(printed.contains("Validation passed"), "{printed}");
                }
            }
            Cli::Gemini => {
                let path = folder.join("gemini-cli");
                let printed = host.run(&["gemini", "extensions", "validate", path.to_str().unwrap()]);
                assert!(printed.contains("successfully validated"), "{printed}");
            }
            _ => {
                host.install_plugin();
                let printed = host.run(&["copilot", "plugin", "list"]);
                assert!(printed.contains("plimsoll@plimsoll") && printed.contains("enabled"), "{printed}");
            }
        }
    }
}

#[test]
fn without_plimsoll_a_plugin_explains_itself_and_harms_nothing() {
    for (cli, agents) in hosts() {
        let host = Host::new(cli, &agents);
        host.install_plugin();
        let heard = host.heard();
        assert!(heard.contains("Plimsoll itself is not installed"), "{cli:?}: {heard}");
        assert!(!heard.contains(AT_START), "{cli:?}");
    }
}

#[test]
fn a_plugin_brings_tools_and_hooks_and_connecting_leaves_the_agent_out() {
    for (cli, agents) in hosts() {
        let host = Host::new(cli, &agents);
        host.install_plugin();
        host.install_plimsoll();
        let heard = host.heard();
        assert_eq!(heard.matches(AT_START).count(), 1, "{cli:?}: {heard}");
        assert!(
            heard.contains(&format!("conversation: {} runs", host.tool(true))),
            "{cli:?} is told other names: {heard}"
        );
        let printed = host.scratch.plimsoll(&["connect", cli.id(), "--yes"]).unwrap();
        assert!(printed.contains("plugin"), "{cli:?}: {printed}");
        let agents = host.scratch.plimsoll(&["agents", "--json"]).unwrap();
        let agents: serde_json::Value = serde_json::from_str(&agents).unwrap();
        let one = agents.as_array().unwrap().iter().find(|one| one["id"] == cli.id()).unwrap();
        assert_eq!(one["state"], "not_connected", "{cli:?} was wired twice: {one:#}");
    }
}

#[test]
fn beside_a_connection_a_plugin_stays_silent() {
    for (cli, agents) in hosts() {
        let host = Host::new(cli, &agents);
        cli.install(&agents, &host.scratch).unwrap();
        host.scratch.plimsoll(&["connect", cli.id(), "--yes"]).unwrap();
        host.install_plugin();
        let heard = host.heard();
        assert_eq!(heard.matches(AT_START).count(), 1, "{cli:?}: {heard}");
        assert!(heard.contains(&format!("conversation: {} runs", host.tool(false))), "{cli:?}: {heard}");
        if cli == Cli::Claude {
            assert!(!heard.contains(host.tool(true)), "the tools are listed twice: {heard}");
        }
    }
}
