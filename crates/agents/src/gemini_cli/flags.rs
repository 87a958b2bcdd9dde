//! Gemini CLI's command line: allowed tools, policy files, and whether anyone is there to answer. Read-only.

use std::path::{Path, PathBuf};

use home::Env;

use crate::SERVER_KEY;
use crate::agent_process::{self, AgentProcess, ProcessPattern, split_list};

/// How to recognise Gemini CLI, and its options that take values (`--help` of 0.61.0).
const PATTERN: ProcessPattern = ProcessPattern {
    programs: &["gemini"],
    scripts: &["/@google/gemini-cli/"],
    value_options: &[
        "-e",
        "-i",
        "-m",
        "-o",
        "-p",
        "-r",
        "--admin-policy",
        "--allowed-mcp-server-names",
        "--allowed-tools",
        "--approval-mode",
        "--delete-session",
        "--extensions",
        "--include-directories",
        "--model",
        "--output-format",
        "--policy",
        "--prompt",
        "--prompt-interactive",
        "--resume",
        "--session-file",
        "--session-id",
    ],
    list_options: &[],
};

/// The command line of the Gemini CLI above this process.
pub(super) fn process(env: &Env) -> AgentProcess {
    agent_process::find(env, &PATTERN)
}

/// The tools in `--allowed-tools`, if given: then Gemini CLI ignores the list in its settings.
pub(super) fn allowed(process: &AgentProcess) -> Option<Vec<String>> {
    let given = process.has(&["--allowed-tools"]);
    given.then(|| process.values(&["--allowed-tools"]).flat_map(|value| split_list(value, false)).collect())
}

/// The policy files and folders that an option names.
pub(super) fn policies(process: &AgentProcess, option: &str, env: &Env, project: &Path) -> Vec<PathBuf> {
    let names = [option];
    let paths = process.values(&names).flat_map(|value| split_list(value, false));
    paths.map(|path| process.path(&path, env, project)).collect()
}

/// Whether no one is there to answer, so that Gemini CLI would wait for ever; by its own criteria.
pub(super) fn headless(env: &Env) -> bool {
    let process = process(env);
    if process.has(&["-i", "--prompt-interactive", "--acp", "--experimental-acp"]) {
        return false;
    }
    let ci = ["CI", "GITHUB_ACTIONS"].iter().any(|name| env.var(name) == Some("true"));
    process.hidden
        || process.found
            && (ci
                || process.has(&["-p", "--prompt"])
                || !process.words.is_empty()
                || process.terminal == Some(false))
}

/// Whether this session never asks about a command: no one is there to change the mode that it was started in.
pub(super) fn asks_nobody(env: &Env) -> bool {
    let process = process(env);
    let mode = process.last(&["--approval-mode"]);
    let yolo = process.has(&["-y", "--yolo"]) && mode.is_none() || mode == Some("yolo");
    process.found && !process.hidden && yolo && headless(env)
}

/// The switch that leaves out Plimsoll's server, as given.
pub(super) fn switches(env: &Env) -> Vec<String> {
    let process = process(env);
    let names: Vec<String> =
        process.values(&["--allowed-mcp-server-names"]).flat_map(|value| split_list(value, false)).collect();
    let out = process.has(&["--allowed-mcp-server-names"]) && !names.iter().any(|name| name == SERVER_KEY);
    out.then(|| format!("--allowed-mcp-server-names {}", names.join(","))).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use home::Caller;

    fn env(words: &[&str], terminal: Option<bool>) -> Env {
        let words = words.iter().map(ToString::to_string).collect();
        Env::for_test("/h").with_callers(vec![Caller { pid: 1, words, terminal, cwd: None }])
    }

    #[test]
    fn a_run_without_a_terminal_asks_nobody() {
        for (words, terminal, alone) in [
            (vec!["node", "/x/@google/gemini-cli/bundle/gemini.js"], Some(true), false),
            (vec!["gemini", "-m", "pro"], Some(true), false),
            (vec!["gemini", "-m", "pro"], Some(false), true),
            (vec!["gemini", "-m", "pro"], None, false),
            (vec!["gemini", "-p", "hi"], Some(true), true),
            (vec!["gemini", "--prompt=hi"], None, true),
            (vec!["gemini", "what is this"], Some(true), true),
            (vec!["gemini", "-i", "hi"], Some(true), false),
            (vec!["gemini", "--acp"], Some(false), false),
            (vec!["gemini", "", "", ""], Some(true), true),
            (vec![], None, true),
        ] {
            assert_eq!(headless(&env(&words, terminal)), alone, "{words:?} {terminal:?}");
        }
        assert!(headless(&env(&["gemini"], Some(true)).with("CI", "true")));
        assert!(!headless(&Env::for_test("/h")), "nothing is known of it");
    }

    #[test]
    fn the_approval_mode_counts_only_where_nobody_can_change_it() {
        for (words, nobody) in [
            (vec!["gemini", "--approval-mode", "yolo", "-p", "hi"], true),
            (vec!["gemini", "--approval-mode=yolo", "-p", "hi"], true),
            (vec!["gemini", "-y", "-p", "hi"], true),
            (vec!["gemini", "--yolo", "what is this"], true),
            (vec!["gemini", "--yolo"], false),
            (vec!["gemini", "--yolo", "-i", "hi"], false),
            (vec!["gemini", "--approval-mode", "auto_edit", "-p", "hi"], false),
            (vec!["gemini", "--yolo", "--approval-mode", "default", "-p", "hi"], false),
            (vec!["gemini", "-p", "--yolo is what I say"], false),
            (vec!["gemini", "-p", "hi"], false),
            (vec![], false),
        ] {
            assert_eq!(asks_nobody(&env(&words, Some(true))), nobody, "{words:?}");
        }
    }

    #[test]
    fn an_allow_list_without_plimsoll_leaves_its_server_out() {
        assert_eq!(switches(&env(&["gemini", "--allowed-mcp-server-names", "a,b"], None)).len(), 1);
        assert!(switches(&env(&["gemini", "--allowedMcpServerNames", "plimsoll"], None)).is_empty());
    }
}
