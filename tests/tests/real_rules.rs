//! Rules on a command line, on the real agents: what their own shell refuses is refused to `execute` too.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use plimsoll_tests::{Cli, Model, Run, Scratch, Step, agents_dir};
use serde_json::json;

/// An agent whose command line forbids a command, run through its own shell and through Plimsoll's; what the model receives.
fn told(cli: Cli, arguments: &[&str], asks: bool) -> Option<(Scratch, Vec<String>)> {
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
    assert_eq!(model.left(), 0, "{ended:?}");
    let results = model.turns().last().unwrap().results();
    Some((scratch, results.into_iter().map(|result| format!("{result:?}")).collect()))
}

fn refused(cli: Cli, arguments: &[&str]) {
    let Some((scratch, results)) = told(cli, arguments, false) else { return };
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
