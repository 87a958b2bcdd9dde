//! Rules on a command line, on the real agents: what their own shell refuses is refused to `execute` too.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use plimsoll_tests::{Cli, Model, Run, Scratch, Step, agents_dir, newer_agents_dir};
use serde_json::{Value, json};

/// An agent whose command line forbids a command, run through its own shell and through Plimsoll's; what the model receives.
fn answer_to(cli: Cli, arguments: &[&str], asks: bool) -> Option<(Scratch, Vec<String>)> {
    let Some(agents) = agents_dir() else {
        eprintln!("skipped: no agents are installed; `cargo xtask test` installs them on Linux x64");
        return None;
    };
    let scratch = Scratch::new().unwrap();
    cli.install(&agents, &scratch).unwrap();
    std::fs::write(scratch.project.join("kept.txt"), "kept\n").unwrap();
    scratch.plimsoll(&["connect", cli.id(), "--yes"]).unwrap();
    let model = Model::start(vec![
        Step::Shell("rm kept.txt".into()),
        Step::Ours("execute", json!({"language": "shell", "code": "true && rm kept.txt"})),
        Step::Ours(
            "execute",
            json!({"language": "python", "code": "import subprocess\nsubprocess.run(['rm', 'kept.txt'])"}),
        ),
        Step::Ours("execute", json!({"language": "shell", "code": "printf fine-%d 42"})),
    ])
    .unwrap();
    let arguments = arguments.iter().map(ToString::to_string).collect();
    let how = Run { asks, arguments, ..Run::default() };
    let ended = cli.run(&agents, &scratch, &model, "Do what the script says.", &how).unwrap();
    assert_eq!(model.remaining_steps(), 0, "{ended:?}");
    let results = model.requests_with_tools().last().unwrap().results();
    Some((scratch, results.into_iter().map(|result| format!("{result:?}")).collect()))
}

fn refused(cli: Cli, arguments: &[&str]) {
    let Some((scratch, results)) = answer_to(cli, arguments, false) else { return };
    assert!(scratch.project.join("kept.txt").exists(), "the file was removed: {results:#?}");
    assert!(results[1].contains("denied") && results[2].contains("denied"), "{results:#?}");
    assert!(results[3].contains("fine-42"), "what no rule speaks of runs: {results:#?}");
}

#[test]
fn copilot_deny_tool() {
    refused(Cli::Copilot, &["--deny-tool", "shell(rm)"]);
}

#[test]
fn claude_disallowed_tools() {
    refused(Cli::Claude, &["--disallowedTools=Bash(rm:*)"]);
}

#[test]
fn claude_settings_on_the_command_line() {
    refused(Cli::Claude, &["--settings", r#"{"permissions":{"deny":["Bash(rm:*)"]}}"#]);
}

/// Restricted mode removes the shell and confines files to the project; a server that the user names beside it must not bring
/// either back.
#[test]
fn claude_restricted() {
    let Some(agents) = newer_agents_dir() else {
        skipped::without("agents", "no newer Claude Code is installed (PLIMSOLL_TEST_AGENTS_NEWER)");
        return;
    };
    let scratch = Scratch::new().unwrap();
    Cli::Claude.install(&agents, &scratch).unwrap();
    std::fs::write(scratch.project.join("kept.txt"), "kept\n").unwrap();
    std::fs::write(scratch.project.join("tides.md"), "# Tides\n\nThe gauge reads two metres.\n").unwrap();
    let outside = scratch.home.join("private.md");
    std::fs::write(&outside, "# Private\n\nNobody reads this one.\n").unwrap();
    scratch.plimsoll(&["connect", "claude-code", "--yes"]).unwrap();
    let config = std::fs::read_to_string(scratch.home.join(".claude.json")).unwrap();
    let config: Value = serde_json::from_str(&config).unwrap();
    let servers = json!({"mcpServers": config["mcpServers"]}).to_string();
    let model = Model::start(vec![
        Step::Ours("execute", json!({"language": "shell", "code": "rm kept.txt"})),
        Step::Ours(
            "execute",
            json!({"language": "python", "code": "import os\nos.remove('kept.txt')\nprint('gone')"}),
        ),
        Step::Ours("index", json!({"path": outside, "source": "private"})),
        Step::Ours("index", json!({"path": "tides.md", "source": "tides"})),
        Step::Ours("search", json!({"queries": ["gauge", "nobody reads"]})),
    ])
    .unwrap();
    let allowed = ["execute", "index", "search"].map(|tool| format!("mcp__plimsoll__{tool}")).join(",");
    let arguments = ["--restricted", "--allowedTools", &allowed, "--mcp-config", &servers];
    let how =
        Run { asks: true, arguments: arguments.iter().map(ToString::to_string).collect(), ..Run::default() };
    let ended = Cli::Claude.run(&agents, &scratch, &model, "Do what the script says.", &how).unwrap();
    assert_eq!(model.remaining_steps(), 0, "{ended:?}");
    let results = model.requests_with_tools().last().unwrap().results();
    let results: Vec<String> = results.into_iter().map(|result| format!("{result:?}")).collect();
    assert!(scratch.project.join("kept.txt").exists(), "{results:#?}");
    assert!(results[..3].iter().all(|result| result.contains("denied")), "{results:#?}");
    assert!(results[4].contains("two metres") && !results[4].contains("reads this one"), "{results:#?}");
}
