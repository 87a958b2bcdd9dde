//! What only the real agents can tell: that every value from Plimsoll's tools arrives, that a subagent is never blocked, that advice
//! reads as advice, and that detecting agents writes nothing.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use plimsoll_tests::{Cli, CliRun, Model, Run, Scratch, Step, Tree, agents_dir, newer_agents_dir};
use serde_json::{Value, json};

fn agents() -> Option<PathBuf> {
    let agents = agents_dir();
    if agents.is_none() {
        skipped::without("agents", "no agents are installed; `cargo xtask test` installs them on Linux x64");
    }
    agents
}

/// An agent in a home of its own, connected.
struct Connected {
    cli: Cli,
    agents: PathBuf,
    scratch: Scratch,
}

impl Connected {
    fn new(cli: Cli, agents: &Path) -> Self {
        let scratch = Scratch::new().unwrap();
        cli.install(agents, &scratch).unwrap();
        scratch.plimsoll(&["connect", cli.id(), "--yes"]).unwrap();
        Self { cli, agents: agents.to_owned(), scratch }
    }

    /// Takes these steps, all of them.
    fn ask(&self, steps: Vec<Step>) -> (Model, CliRun) {
        let model = Model::start(steps).unwrap();
        let ended = self.cli.ask(&self.agents, &self.scratch, &model, "Do what the script says.").unwrap();
        assert_eq!(ended.code, Some(0), "{ended:?}");
        assert_eq!(model.remaining_steps(), 0, "not all steps were taken: {ended:?}");
        (model, ended)
    }
}

/// Everything that reached the model.
fn heard(model: &Model) -> String {
    model.requests_with_tools().iter().map(plimsoll_tests::Request::text).collect()
}

#[test]
fn every_value_arrives() {
    let Some(agents) = agents() else { return };
    let values = ["45", "[1,2]", "{\"a\":7}", "null", "\"a b\"", "-0.5"];
    for cli in Cli::ALL {
        let connected = Connected::new(cli, &agents);
        let execute = |value: &str| {
            Step::Ours("execute", json!({"language": "shell", "code": format!("printf '%s' '{value}'")}))
        };
        let mut steps: Vec<Step> = values.iter().map(|value| execute(value)).collect();
        // A value in a file of the project, and one that a search brings back.
        steps.push(Step::Ours("execute", json!({"language": "shell", "code": "git rev-list --count --all"})));
        steps.push(Step::Ours("index", json!({"content": "[3, 4]", "source": "numbers"})));
        steps.push(Step::Ours("search", json!({"queries": ["3"], "source": "numbers"})));
        let (model, _) = connected.ask(steps);
        let results = model.requests_with_tools().last().unwrap().results();
        assert_eq!(results.len(), values.len() + 3, "{cli:?}: {results:?}");
        for (value, result) in values.iter().chain(&["0"]).zip(&results) {
            assert!(result.text.contains(value) && !result.failed, "{cli:?}: {value}: {result:?}");
            assert!(!result.text.contains("Invalid input"), "{cli:?}: {value}: {result:?}");
        }
        assert!(results.last().unwrap().text.contains("[3, 4]"), "{cli:?}: {results:?}");
    }
}

/// Both withhold the variables that tools sign in with from their servers. The user's consent, given and withdrawn, decides.
#[test]
fn a_tools_credentials_reach_it_if_the_user_agreed() {
    let Some(agents) = agents() else { return };
    let code = "printf 'signed in as %s\n' \"${GH_TOKEN:-nobody}\" \"${NPM_TOKEN:-nobody}\" \"${AWS_REGION:-nobody}\"";
    for cli in [Cli::Codex, Cli::Gemini] {
        let connected = Connected::new(cli, &agents);
        for (consent, told) in [
            (None, ["nobody", "nobody", "nobody"]),
            // One of them isn't set: a variable passed on by name must not arrive as its own name.
            (Some("--credentials"), ["harbour", "quay", "nobody"]),
            (Some("--no-credentials"), ["nobody", "nobody", "nobody"]),
        ] {
            if let Some(consent) = consent {
                connected.scratch.plimsoll(&["connect", cli.id(), consent, "--yes"]).unwrap();
            }
            let how = Run {
                variables: vec![("GH_TOKEN", "harbour".into()), ("NPM_TOKEN", "quay".into())],
                ..Run::default()
            };
            let step = Step::Ours("execute", json!({"language": "shell", "code": code}));
            let model = Model::start(vec![step]).unwrap();
            let ended = cli.run(&connected.agents, &connected.scratch, &model, "Do it.", &how).unwrap();
            assert_eq!((ended.code, model.remaining_steps()), (Some(0), 0), "{cli:?}: {ended:?}");
            let heard = heard(&model);
            let expected = told.map(|name| format!("signed in as {name}")).join("\n");
            assert!(heard.contains(&expected), "{cli:?}, {consent:?}: {heard}");
        }
    }
}

#[test]
fn a_subagent_is_never_turned_away() {
    let Some(agents) = agents() else { return };
    let page = |name: &str| Step::Shell(format!("curl -sS https://example.org/{name}; echo ran-{name}"));

    let copilot = Connected::new(Cli::Copilot, &agents);
    let task = json!({"description": "look", "prompt": "Look around.", "agent_type": "general-purpose",
        "name": "looker", "mode": "sync"});
    let (model, _) = copilot.ask(vec![
        Step::Own(&["task"], task),
        page("inside"),
        Step::Say("The subagent has looked.".into()),
        page("outside"),
    ]);
    let heard_all = heard(&model);
    assert!(heard_all.contains("ran-inside\n") && heard_all.contains("ran-outside\n"), "{heard_all}");
    assert!(!heard_all.contains("Denied by preToolUse"), "{heard_all}");
    assert!(heard_all.contains("Advice from Plimsoll"), "{heard_all}");

    // On Gemini CLI the main conversation learns about it through a refusal, since nothing else reaches its model.
    let gemini = Connected::new(Cli::Gemini, &agents);
    let (model, _) = gemini.ask(vec![
        page("before"),
        Step::Own(&["invoke_agent"], json!({"agent_name": "generalist", "prompt": "Look around."})),
        page("inside"),
        Step::Own(&["complete_task"], json!({"result": {"response": "The subagent has looked."}})),
        page("outside"),
    ]);
    let heard_all = heard(&model);
    assert!(heard_all.contains("ran-inside"), "{heard_all}");
    for main in ["before", "outside"] {
        assert!(!heard_all.contains(&format!("Output: ran-{main}")), "{heard_all}");
    }
    assert!(heard_all.contains("Advice, not an error"), "{heard_all}");
}

#[test]
fn advice_reads_as_advice() {
    let Some(agents) = agents() else { return };
    let newer = newer_agents_dir();
    if newer.is_none() {
        skipped::without("agents", "no newer Claude Code is installed (PLIMSOLL_TEST_AGENTS_NEWER)");
    }
    let hosts = [
        (Cli::Codex, Some(agents.clone())),
        (Cli::Copilot, Some(agents.clone())),
        (Cli::Claude, Some(agents)),
        (Cli::Claude, newer),
    ];
    for (cli, dir) in hosts {
        let Some(dir) = dir else { continue };
        let connected = Connected::new(cli, &dir);
        let (model, _) = connected.ask(vec![
            Step::Shell("curl -sS https://example.org/never; echo went-$((40 + 2))".into()),
            Step::Shell("curl -sS -X POST -d a=b https://example.org/never; echo posted-$((40 + 2))".into()),
            Step::Shell("curl -sS http://localhost:1/health; echo checked-$((40 + 2))".into()),
        ]);
        let heard_all = heard(&model);
        for word in
            ["went-42", "posted-42", "checked-42", "Advice from Plimsoll; the call goes on.", "stores it and"]
        {
            assert!(heard_all.contains(word), "{cli:?}: {word}: {heard_all}");
        }
        assert!(!heard_all.contains("hook error"), "{cli:?}: {heard_all}");
    }
}

/// The versions that npm reports.
fn installed(agents: &Path, cli: Cli) -> String {
    let package = match cli {
        Cli::Claude => "@anthropic-ai/claude-code",
        Cli::Codex => "@openai/codex",
        Cli::Gemini => "@google/gemini-cli",
        Cli::OpenCode => "opencode-ai",
        Cli::Copilot => "@github/copilot",
    };
    let text = std::fs::read(agents.join("node_modules").join(package).join("package.json")).unwrap();
    let package: Value = serde_json::from_slice(&text).unwrap();
    package["version"].as_str().unwrap().to_owned()
}

#[test]
fn detecting_agents_writes_nothing() {
    let Some(agents) = agents() else { return };
    let scratch = Scratch::new().unwrap();
    for cli in Cli::ALL {
        cli.install(&agents, &scratch).unwrap();
    }
    let look = || {
        let bin = scratch.home.join(".local/bin");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let dirs = std::iter::once(bin).chain(std::env::split_paths(&path));
        let mut command = scratch.command(plimsoll_tests::sidecar());
        let output = command
            .env("PATH", std::env::join_paths(dirs).unwrap())
            .args(["agents", "--json"])
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice::<Vec<Value>>(&output.stdout).unwrap()
    };
    let unchanged = |when: &str, before: &Tree| {
        // Plimsoll's own cache of the look doesn't count.
        let changed: Vec<PathBuf> = before
            .changed_files(&Tree::of(&scratch.home, &["."]))
            .into_iter()
            .filter(|path| !path.starts_with(".plimsoll"))
            .collect();
        assert!(changed.is_empty(), "{when}: {changed:?}");
        assert_eq!(
            std::fs::read_dir(&scratch.tmp).unwrap().count(),
            0,
            "{when}: something is left in TMPDIR"
        );
    };
    let before = Tree::of(&scratch.home, &["."]);
    for report in look() {
        let Some(cli) = Cli::ALL.into_iter().find(|cli| report["id"] == cli.id()) else { continue };
        assert_eq!(report["version"], installed(&agents, cli), "{report}");
    }
    unchanged("nothing is connected", &before);

    for cli in Cli::ALL {
        scratch.plimsoll(&["connect", cli.id(), "--yes"]).unwrap();
    }
    let before = Tree::of(&scratch.home, &["."]);
    look();
    unchanged("everything is connected", &before);
}

/// What Plimsoll adds to each request: at most this, and about what the agent's table says, which `plimsoll stats` quotes.
#[test]
fn each_request_carries_what_the_table_says() {
    const MOST: usize = 5_000;
    let Some(folder) = agents() else { return };
    let mut wrong = Vec::new();
    for cli in Cli::ALL {
        let first = |connected: bool| {
            let scratch = Scratch::new().unwrap();
            cli.install(&folder, &scratch).unwrap();
            if connected {
                scratch.plimsoll(&["connect", cli.id(), "--yes"]).unwrap();
            }
            let model = Model::start(Vec::new()).unwrap();
            let ended = cli.ask(&folder, &scratch, &model, "Say hello.").unwrap();
            assert_eq!(ended.code, Some(0), "{ended:?}");
            model.requests_with_tools().first().unwrap().bytes
        };
        let more = first(true).saturating_sub(first(false));
        let counted = agents::by_id(cli.id()).unwrap().offer().measured.unwrap();
        let printed = usize::try_from(counted.bytes).unwrap();
        println!("{cli:?}: {more} bytes in each request");
        if more == 0 || more > MOST || more.abs_diff(printed) * 10 > printed {
            wrong.push(format!("{cli:?}: {more} bytes in each request, and {printed} in its table"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("; "));
}
