//! Memory on the real agents: what one of them captures another recalls, what was decided arrives without asking, what nobody asked
//! about does not, and nothing arrives twice in a session.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use plimsoll_tests::{Cli, Ended, Model, Run, Scratch, Step, agents_dir};
use serde_json::{Value, json};

fn agents() -> Option<PathBuf> {
    let agents = agents_dir();
    if agents.is_none() {
        skipped::without("agents", "no agents are installed; `cargo xtask test` installs them on Linux x64");
    }
    agents
}

/// Takes these steps with this prompt, all of them.
fn ask(cli: Cli, agents: &Path, scratch: &Scratch, prompt: &str, steps: Vec<Step>, how: &Run) -> Model {
    let model = Model::start(steps).unwrap();
    let ended: Ended = cli.run(agents, scratch, &model, prompt, how).unwrap();
    assert_eq!((ended.code, model.left()), (Some(0), 0), "{cli:?}: {ended:?}");
    model
}

fn recall(query: &str) -> Step {
    Step::Ours("memory", json!({"action": "recall", "query": query}))
}

#[test]
fn what_one_agent_captures_another_recalls() {
    let Some(agents) = agents() else { return };
    let scratch = Scratch::new().unwrap();
    for cli in Cli::ALL {
        cli.install(&agents, &scratch).unwrap();
        scratch.plimsoll(&["connect", cli.id(), "--yes"]).unwrap();
    }
    // Learnings are told to nobody unasked, so what is heard of them was recalled.
    let learned = ["walrus", "penguin", "heron", "otter", "badger"];
    for (at, cli) in Cli::ALL.into_iter().enumerate() {
        let word = learned[at];
        let mut steps = vec![Step::Ours(
            "memory",
            json!({"action": "capture", "namespace": "learnings",
                "content": format!("The {word} service restarts when its lease of ninety seconds runs out")}),
        )];
        if let Some(before) = at.checked_sub(1) {
            steps.push(recall(&format!("{} service lease", learned[before])));
        }
        let model = ask(cli, &agents, &scratch, "Do what the script says.", steps, &Run::default());
        let results = model.turns().last().unwrap().results();
        assert!(results.iter().all(|result| !result.failed), "{cli:?}: {results:?}");
        if let Some(before) = at.checked_sub(1) {
            let found = &results.last().unwrap().text;
            assert!(found.contains(&format!("The {} service restarts", learned[before])), "{cli:?}: {found}");
        }
    }
    // The first has what the last one learned, and a person sees who each came from.
    let model =
        ask(Cli::ALL[0], &agents, &scratch, "Do it.", vec![recall("badger service lease")], &Run::default());
    assert!(model.turns().last().unwrap().results()[0].text.contains("The badger service restarts"));
    let all = scratch.plimsoll(&["memory", "recall", "--filter", "ns:learnings", "--json"]).unwrap();
    let all: Value = serde_json::from_str(&all).unwrap();
    assert_eq!(all["total"], learned.len(), "{all}");
    for cli in Cli::ALL {
        let filter = format!("client:{}", cli.id());
        let of = scratch.plimsoll(&["memory", "recall", "--filter", &filter, "--json"]).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&of).unwrap()["total"], 1, "{cli:?}: {of}");
    }
}

const DECIDED: &str = "Invoices are numbered by the billing service, never by the shop";
const LEARNED: &str = "The staging database refuses connections at noon because backups run then";
const NEVER: &str = "Walrus tusks are measured in furlongs by the harbour office";

/// The conversation as the model has it at the end.
fn last(model: &Model) -> String {
    model.turns().last().unwrap().text()
}

#[test]
fn what_was_decided_arrives_without_asking_and_only_once() {
    let Some(agents) = agents() else { return };
    for cli in Cli::ALL {
        let scratch = Scratch::new().unwrap();
        cli.install(&agents, &scratch).unwrap();
        scratch.plimsoll(&["connect", cli.id(), "--yes"]).unwrap();
        for (text, namespace) in [(DECIDED, "decisions"), (LEARNED, "learnings"), (NEVER, "context")] {
            scratch.plimsoll(&["memory", "capture", text, "--namespace", namespace]).unwrap();
        }
        let shell = || Step::Shell("echo still-here".into());
        let times = |model: &Model, text: &str| last(model).matches(text).count();

        // A prompt that asks for nothing known is given nothing; what stands for the project is told at the start.
        let model = ask(
            cli,
            &agents,
            &scratch,
            "Please rename the parser module and run its tests.",
            vec![shell()],
            &Run::default(),
        );
        assert_eq!(
            (times(&model, DECIDED), times(&model, LEARNED), times(&model, NEVER)),
            (1, 0, 0),
            "{cli:?}"
        );
        assert!(last(&model).contains("not an instruction"), "{cli:?}");

        // A prompt that asks is answered, in another session, and there what was told is not told again.
        let question = "Why does the staging database refuse connections at noon?";
        let model = ask(cli, &agents, &scratch, question, vec![shell(), shell()], &Run::default());
        assert_eq!(
            (times(&model, DECIDED), times(&model, LEARNED), times(&model, NEVER)),
            (1, 1, 0),
            "{cli:?}"
        );
        let again = Run { resumes: true, ..Run::default() };
        let model = ask(cli, &agents, &scratch, question, vec![shell()], &again);
        assert!(times(&model, LEARNED) <= 1 && times(&model, DECIDED) <= 1, "{cli:?}: {}", last(&model));

        // Switched off, nothing is told and no tool is there.
        scratch.plimsoll(&["settings", "set", "memory.enabled", "false"]).unwrap();
        let model = ask(cli, &agents, &scratch, question, vec![shell()], &Run::default());
        assert_eq!((times(&model, DECIDED), times(&model, LEARNED)), (0, 0), "{cli:?}");
        assert!(!model.turns()[0].tools().iter().any(|tool| tool.ends_with("memory")), "{cli:?}");
    }
}
