//! The harness itself: each real agent talks to the scripted model and runs the command that it gets. Without this, a silent harness
//! could make every other test of the agents pass.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use plimsoll_tests::{Cli, Model, Scratch, Step, agents_dir};

fn shell(cli: Cli) {
    let Some(agents) = agents_dir() else {
        skipped::without("agents", "no agents are installed; `cargo xtask test` installs them on Linux x64");
        return;
    };
    let scratch = Scratch::new().unwrap();
    let model = Model::start([Step::Shell("printf scripted-%d 42".into())]).unwrap();
    let ended = cli.ask(&agents, &scratch, &model, "Do what the script says.").unwrap();
    assert_eq!(ended.code, Some(0), "{ended:?}\n{:?}", model.unknown_paths());
    assert_eq!(model.remaining_steps(), 0, "{ended:?}");
    let last = model.requests_with_tools().pop().unwrap();
    assert!(last.text().contains("scripted-42"), "the model saw the output: {}\n{ended:?}", last.body);
}

#[test]
fn claude() {
    shell(Cli::Claude);
}

#[test]
fn codex() {
    shell(Cli::Codex);
}

#[test]
fn gemini() {
    shell(Cli::Gemini);
}

#[test]
fn opencode() {
    shell(Cli::OpenCode);
}

#[test]
fn copilot() {
    shell(Cli::Copilot);
}
