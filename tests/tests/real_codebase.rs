//! The codebase on the real agents: the answers to their questions reach the model, help arrives unasked if the agent allows it, and
//! nothing arrives if nothing should.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use plimsoll_tests::{Cli, CliRun, Model, Run, Scratch, Step, agents_dir};
use serde_json::json;

fn agents() -> Option<PathBuf> {
    let agents = agents_dir();
    if agents.is_none() {
        skipped::without("agents", "no agents are installed; `cargo xtask test` installs them on Linux x64");
    }
    agents
}

const CART: &str = "export function cartTotal(items: number[]): number {\n  let sum = 0;\n  for (const item of items) {\n    sum += item;\n  }\n  return sum;\n}\n\nfunction onlyHere() {\n  return 1;\n}\n\nexport const here = onlyHere();\n";
const TIDY: &str = "export function normalisePath(path: string): string {\n  const parts: string[] = [];\n  for (const part of path.split('/')) {\n    if (part === '..') {\n      parts.pop();\n    } else if (part !== '.' && part !== '') {\n      parts.push(part);\n    }\n  }\n  return '/' + parts.join('/');\n}\n";

fn write(scratch: &Scratch, path: &str, text: &str) {
    let path = scratch.project.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A project with an index, and this agent connected.
fn shop(cli: Cli, agents: &Path) -> Scratch {
    let scratch = Scratch::new().unwrap();
    write(&scratch, "src/cart.ts", CART);
    write(
        &scratch,
        "src/checkout.ts",
        "import { cartTotal } from './cart';\n\nexport function checkout(items: number[]) {\n  return cartTotal(items) * 2;\n}\n",
    );
    write(&scratch, "src/path.ts", TIDY);
    write(
        &scratch,
        "test/cart.test.ts",
        "import { cartTotal } from '../src/cart';\n\ntest('sum', () => cartTotal([1]));\n",
    );
    for n in 0..10 {
        let text =
            format!("export function helper{n}(value: number): number {{\n  return value + {n};\n}}\n");
        write(&scratch, &format!("src/part{n}.ts"), &text);
    }
    let long: String = (0..900)
        .map(|n| format!("export function step{n}(value: number) {{\n  return value * {n} + 12345678;\n}}\n"))
        .collect();
    write(&scratch, "src/long.ts", &long);
    cli.install(agents, &scratch).unwrap();
    scratch.plimsoll(&["connect", cli.id(), "--yes"]).unwrap();
    scratch.plimsoll(&["settings", "set", "codebase.enabled", "true"]).unwrap();
    scratch.plimsoll(&["settings", "set", "mcp.tools", "all"]).unwrap();
    scratch.plimsoll(&["code", "reindex"]).unwrap();
    scratch
}

/// The question of each session.
const PROMPT: &str = "Do what the script says.";

/// Takes these steps, all of them, and returns the conversation as the model has it at the end.
fn ask(cli: Cli, agents: &Path, scratch: &Scratch, steps: Vec<Step>) -> Model {
    let model = Model::start(steps).unwrap();
    let ended: CliRun = cli.run(agents, scratch, &model, PROMPT, &Run::default()).unwrap();
    assert_eq!((ended.code, model.remaining_steps()), (Some(0), 0), "{cli:?}: {ended:?}");
    model
}

fn last(model: &Model) -> String {
    model.requests_with_tools().last().unwrap().text()
}

#[test]
fn a_search_references_and_a_card_reach_the_model() {
    let Some(agents) = agents() else { return };
    for cli in Cli::ALL {
        let scratch = shop(cli, &agents);
        let ours = |arguments| Step::Ours("codebase", arguments);
        let model = ask(
            cli,
            &agents,
            &scratch,
            vec![
                ours(json!({"action": "search", "query": "total of the cart"})),
                ours(json!({"action": "references", "symbol": "cartTotal"})),
                ours(json!({"action": "card", "query": "cartTotal"})),
            ],
        );
        let results = model.requests_with_tools().last().unwrap().results();
        assert!(results.len() == 3 && results.iter().all(|result| !result.failed), "{cli:?}: {results:?}");
        for (result, words) in results.iter().zip([
            &["src/cart.ts:1-13", "searchQuality"][..],
            &["src/checkout.ts", "usageCount", "resolved"],
            &["preflight", "ready", "callers in results"],
        ]) {
            for word in words {
                assert!(result.text.contains(word), "{cli:?}: {word}: {}", result.text);
            }
        }
    }
}

/// Reads a file whole with the agent's own tool.
fn read(cli: Cli, scratch: &Scratch, path: &str) -> Step {
    let path = scratch.project.join(path);
    match cli {
        Cli::Claude => Step::Own(&["Read"], json!({"file_path": path})),
        Cli::Codex => Step::Shell(format!("cat {}", path.display())),
        Cli::Gemini => Step::Own(&["read_file"], json!({"file_path": path})),
        Cli::OpenCode => Step::Own(&["read"], json!({"filePath": path})),
        Cli::Copilot => Step::Own(&["view"], json!({"path": path})),
    }
}

/// Edits a file with the agent's own tool; some want it read before.
fn edit(cli: Cli, scratch: &Scratch, path: &str, old: &str, new: &str) -> Vec<Step> {
    let whole = scratch.project.join(path);
    let step = match cli {
        Cli::Claude => {
            Step::Own(&["Edit"], json!({"file_path": whole, "old_string": old, "new_string": new}))
        }
        Cli::Codex => {
            let patch =
                format!("*** Begin Patch\n*** Update File: {path}\n@@\n-{old}\n+{new}\n*** End Patch\n");
            Step::Shell(format!("apply_patch <<'EOF'\n{patch}EOF\n"))
        }
        Cli::Gemini => Step::Own(
            &["replace"],
            json!({"file_path": whole, "instruction": "Change it.", "old_string": old, "new_string": new}),
        ),
        Cli::OpenCode => Step::Own(&["edit"], json!({"filePath": whole, "oldString": old, "newString": new})),
        Cli::Copilot => Step::Own(&["edit"], json!({"path": whole, "old_str": old, "new_str": new})),
    };
    match cli {
        Cli::Codex | Cli::Copilot => vec![step],
        _ => vec![read(cli, scratch, path), step],
    }
}

const HEAD: &str = "export function cartTotal(items: number[]): number {";
const OTHER: &str = "export function cartTotal(items: number[], tax = 0): number {";

/// On a busy computer a hook leaves out what it has no time for; another session gets it.
const SESSIONS: usize = 15;

#[test]
fn help_arrives_without_asking() {
    let Some(agents) = agents() else { return };
    for cli in Cli::ALL {
        let scratch = shop(cli, &agents);
        let mut wanted = vec![
            "Plimsoll has an index of this project's code: 16 files",
            "No hits for `total_of_cart`. Plimsoll's index of this project ranks",
            // Codex takes no text after a patch, so it gets it before.
            if cli == Cli::Codex {
                "`cartTotal`, which this edits in src/cart.ts, is used in other files:\nsrc/checkout.ts:4"
            } else {
                "`cartTotal`, just edited in src/cart.ts, is used in other files:\nsrc/checkout.ts:4"
            },
        ];
        // Codex has no tool that reads a file.
        if cli != Cli::Codex {
            wanted.push("Definitions in src/long.ts, by line:\n1 function step0");
        }
        for _ in 0..SESSIONS {
            write(&scratch, "src/cart.ts", CART);
            scratch.plimsoll(&["code", "reindex"]).unwrap();
            let mut steps =
                vec![Step::Shell("grep -rn total_of_cart src".into()), read(cli, &scratch, "src/long.ts")];
            steps.extend(edit(cli, &scratch, "src/cart.ts", HEAD, OTHER));
            let text = last(&ask(cli, &agents, &scratch, steps));
            let changed = std::fs::read_to_string(scratch.project.join("src/cart.ts")).unwrap();
            assert!(changed.contains(OTHER), "{cli:?} did not edit: {changed}");
            // Some hand words on as JSON within a text.
            let text = text.replace("\\n", "\n");
            wanted.retain(|words| !text.contains(words));
            if wanted.is_empty() {
                break;
            }
        }
        assert_eq!(wanted, [""; 0], "{cli:?}");
    }
}

/// The start of each kind of help.
const HELP: &[&str] = &[
    "Plimsoll's index of this project ranks",
    "is used in other files",
    "Definitions in src/",
    "repeats function",
    "Plimsoll has an index",
];

/// Occasions with nothing to say: a search with some hits, one without, one for a keyword, a small file, an edit of code that no one
/// uses, one of a test, which defines nothing; and what would be told when help, or the system, is off.
#[test]
fn no_unasked_help_arrives_where_none_applies() {
    let Some(agents) = agents() else { return };
    for cli in Cli::ALL {
        let scratch = shop(cli, &agents);
        let heard = |steps: Vec<Step>| -> Vec<&str> {
            let text = last(&ask(cli, &agents, &scratch, steps));
            HELP.iter().copied().filter(|words| text.contains(words)).collect()
        };
        let mut quiet = vec![
            Step::Shell("grep -rn cartTotal src".into()),
            Step::Shell("grep -rn zebra_xylophone src".into()),
            Step::Shell("grep -rn export src".into()),
            read(cli, &scratch, "src/part1.ts"),
        ];
        quiet.extend(edit(cli, &scratch, "src/cart.ts", "  return 1;", "  return 2;"));
        let (old, new) = ("test('sum', () => cartTotal([1]));", "test('sum', () => cartTotal([2]));");
        quiet.extend(edit(cli, &scratch, "test/cart.test.ts", old, new));
        let printed = heard(quiet);
        assert!(printed.iter().all(|words| *words == "Plimsoll has an index"), "{cli:?}: {printed:?}");

        let loud = || {
            let mut steps =
                vec![Step::Shell("grep -rn total_of_cart src".into()), read(cli, &scratch, "src/long.ts")];
            write(&scratch, "src/cart.ts", CART);
            steps.extend(edit(cli, &scratch, "src/cart.ts", HEAD, OTHER));
            steps
        };
        for setting in ["codebase.automatic", "codebase.enabled"] {
            scratch.plimsoll(&["settings", "set", setting, "false"]).unwrap();
            assert_eq!(heard(loud()), [""; 0], "{cli:?}: {setting}");
        }
    }
}

/// A subagent's session is its own, and begins without the map.
#[test]
fn a_subagent_gets_nothing_where_nothing_is_due() {
    let Some(agents) = agents() else { return };
    let scratch = shop(Cli::Copilot, &agents);
    let task = json!({"description": "look", "prompt": "Look around.", "agent_type": "general-purpose",
        "name": "looker", "mode": "sync"});
    let steps = vec![
        Step::Own(&["task"], task),
        Step::Shell("grep -rn cartTotal src".into()),
        Step::Shell("grep -rn zebra_xylophone src".into()),
        read(Cli::Copilot, &scratch, "src/part1.ts"),
        Step::Say("The subagent has looked.".into()),
        Step::Shell("echo outside".into()),
    ];
    let model = ask(Cli::Copilot, &agents, &scratch, steps);
    // The prompt is in the session's own requests only. That the subagent's are here is told by what it read.
    let mut text = String::new();
    for request in model.requests_with_tools() {
        let words = request.text();
        if !words.contains(PROMPT) {
            text.push_str(&words);
        }
    }
    assert!(text.contains("return cartTotal(items)") && text.contains("helper1"), "{text}");
    let told: Vec<&str> = HELP.iter().copied().filter(|words| text.contains(words)).collect();
    assert_eq!(told, [""; 0]);
}
