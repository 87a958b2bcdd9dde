//! Every verb of the command line on a real terminal, over a store full of texts that try to control it: window
//! titles, cursor moves, clipboard writes, reversed text. The verbs come from `--help`, so a new one is included
//! automatically.

use std::path::Path;

use crate::desk::{Desk, finish};

/// Foreign text: sequences in both encodings, a lone carriage return, a bell, reversed text.
const POISON: &str = "ok\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}]52;c;ZXZpbA==\u{1b}\\\u{9b}31m\u{9d}0;x\u{9c}\rover\u{8}\u{202e}txt\u{0}end";

/// The arguments to run a verb with, several sets if it prints several things; `--help` if it prints nothing stored.
fn tried(verb: &str) -> Vec<Vec<&str>> {
    match verb {
        "search" => vec![vec!["owned"], vec!["anchor", "--json"]],
        "read" => vec![vec!["notes"], vec![POISON_SOURCE]],
        "sources" | "projects" | "status" | "doctor" | "agents" | "stats" | "discover" | "settings" => {
            vec![vec![], vec!["--json"]]
        }
        "sessions" => vec![vec![], vec!["7c1e-41"], vec!["--json"]],
        "activity" => vec![vec![], vec!["--json"]],
        "filters" => vec![vec!["list"]],
        "changes" => vec![vec!["claude-code"]],
        "connect" | "disconnect" | "verify" => vec![vec!["claude-code", "--dry-run"], vec![POISON]],
        "setup" | "purge" | "uninstall" | "upgrade" => vec![vec!["--dry-run"]],
        "restore" => vec![vec![], vec![POISON]],
        "index" => vec![vec![POISON], vec!["."]],
        // They pass foreign output on byte by byte, or wait for an agent.
        "run" | "hook" | "mcp" => vec![vec!["--help"]],
        _ => vec![vec![], vec![POISON]],
    }
}

/// A possible source name: without what no argument of a program may contain.
const POISON_SOURCE: &str = "page\u{1b}]0;owned\u{7}\u{9b}2J";

/// The verbs that `--help` lists.
fn verbs(desk: &Desk) -> Vec<String> {
    let help = desk.run(&["--help"]).ended(0).out;
    let listed = help.lines().skip_while(|line| !line.ends_with(':') || line.starts_with("Usage"));
    let verbs: Vec<String> = listed
        .filter_map(|line| line.strip_prefix("  "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|word| word.chars().all(|c| c.is_ascii_lowercase()))
        .map(str::to_owned)
        .collect();
    assert!(verbs.len() > 15, "{help}");
    verbs
}

/// A computer with only malicious stored data.
fn poisoned() -> (Desk, std::path::PathBuf) {
    let desk = Desk::new();
    let project = desk.beside("shop\u{1b}]0;owned\u{7}");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    std::fs::write(project.join("a\u{1b}[2Jb.md"), POISON).unwrap();
    std::fs::create_dir_all(project.join(".claude")).unwrap();
    std::fs::write(
        project.join(".claude/settings.json"),
        serde_json::json!({"permissions": {"deny": [format!("Bash({POISON})")]}}).to_string(),
    )
    .unwrap();
    desk.installs("claude-code");
    for source in ["notes", POISON_SOURCE] {
        let text = format!("# {POISON}\n\nThe anchor is owned. {POISON}\n");
        desk.run_with_input(&project, &["index", "-", "--source", source], &text).ended(0);
    }
    let hook = |fields: serde_json::Value| {
        let mut payload = serde_json::json!({"session_id": "7c1e-41", "cwd": project,
            "transcript_path": desk.home().join(".claude/projects/x/7c1e-41.jsonl")});
        payload.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        desk.run_with_input(&project, &["hook", "claude-code"], &payload.to_string());
    };
    hook(serde_json::json!({"hook_event_name": "SessionStart", "source": "startup", "model": POISON}));
    hook(serde_json::json!({"hook_event_name": "UserPromptSubmit", "prompt": POISON}));
    hook(serde_json::json!({"hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
        "tool_input": {"command": format!("echo '{POISON}'")}, "error": format!("Exit code 1\nerror: {POISON}")}));
    hook(serde_json::json!({"hook_event_name": "PostToolUse", "tool_name": POISON,
        "tool_input": {"file_path": POISON}, "tool_response": POISON}));
    (desk, project)
}

/// What a terminal receives from `plimsoll <words>`.
fn on_a_terminal(desk: &Desk, project: &Path, words: &[&str]) -> String {
    let quoted = |word: &str| format!("'{}'", word.replace('\'', r"'\''"));
    let line = words.iter().map(|word| format!(" {}", quoted(word))).collect::<String>();
    let command = desk.command(&[]);
    let mut script = std::process::Command::new("script");
    script.args(["-qec", &format!("{}{line}", env!("CARGO_BIN_EXE_plimsoll")), "/dev/null"]).env_clear();
    script.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?)))).env("TERM", "xterm");
    script.current_dir(project).stdin(std::process::Stdio::null());
    finish(&mut script).out
}

/// The control sequences left in `text` that aren't a colour, an erased line of progress or a line end.
fn obeyed(text: &str) -> Vec<String> {
    let ours = without_ours(text);
    ours.chars()
        .filter(|c| {
            c.is_control() && *c != '\n' && *c != '\t'
                || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        })
        .map(|c| format!("{:04X}", u32::from(c)))
        .collect()
}

/// `text` without the program's own sequences.
fn without_ours(text: &str) -> String {
    let mut rest = text.replace("\r\n", "\n").replace("\r\u{1b}[2K", "");
    for code in ["0", "1", "2", "4", "31", "32", "33"] {
        rest = rest.replace(&format!("\u{1b}[{code}m"), "");
    }
    rest
}

#[test]
fn no_verb_lets_a_stored_text_steer_the_terminal() {
    if std::process::Command::new("script").arg("--version").output().is_err() {
        skipped::without("script", "no terminal can be made");
        return;
    }
    let (desk, project) = poisoned();
    let mut shown = String::new();
    for verb in verbs(&desk) {
        for arguments in tried(&verb) {
            // No argument of a program contains a NUL.
            let arguments: Vec<String> = arguments.iter().map(|word| word.replace('\0', "")).collect();
            let mut words = vec![verb.as_str()];
            words.extend(arguments.iter().map(String::as_str));
            let printed = on_a_terminal(&desk, &project, &words);
            assert_eq!(obeyed(&printed), Vec::<String>::new(), "{words:?}: {printed:?}");
            shown.push_str(&printed);
        }
    }
    // The texts were there to be printed.
    assert!(shown.matches("owned").count() + shown.matches("over").count() > 10, "{shown}");
}
