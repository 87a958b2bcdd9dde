//! The whole promise on the real agents: connected by the sidecar itself, driven without a network, they list Plimsoll's tools, call
//! them, get small answers, honour a redirect and the session-start text; after disconnecting, their files are what they
//! were.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::PathBuf;

use plimsoll_tests::{Cli, CliRun, Model, Scratch, Step, Tree, agents_dir};
use serde_json::json;

/// A user's content in the agent's files before Plimsoll comes: comments, odd spacing, servers and hooks of their
/// own.
struct Before {
    cli: Cli,
    files: &'static [(&'static str, &'static str)],
    /// Files that this agent rewrites itself when it runs.
    rewrites: &'static [&'static str],
    /// Folders to compare.
    folders: &'static [&'static str],
}

const CLAUDE: Before = Before {
    cli: Cli::Claude,
    files: &[
        (
            ".claude/settings.json",
            "{\n    \"permissions\": { \"deny\": [\"Bash(shred:*)\"] },\n    \"hooks\": {\n        \"PreToolUse\": [ { \"matcher\": \"Bash\", \"hooks\": [ { \"type\": \"command\", \"command\": \"true # mine\" } ] } ]\n    }\n}",
        ),
        (".claude.json", "{\n  \"numStartups\": 3,\n  \"mcpServers\": {}\n}\n"),
    ],
    rewrites: &[".claude.json"],
    folders: &[".claude/settings.json", ".claude.json", ".claude/CLAUDE.md"],
};

const CODEX: Before = Before {
    cli: Cli::Codex,
    files: &[
        (".codex/config.toml", "# my own choices\r\nhide_agent_reasoning = true   # quiet\r\n"),
        (
            ".codex/hooks.json",
            "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"true\"}]}]}}",
        ),
    ],
    rewrites: &[],
    folders: &[".codex/config.toml", ".codex/hooks.json", ".codex/AGENTS.md"],
};

const GEMINI: Before = Before {
    cli: Cli::Gemini,
    files: &[(".gemini/settings.json", "{\n\t// mine\n\t\"ui\": { \"hideBanner\": true }\n}\n")],
    rewrites: &[],
    folders: &[".gemini/settings.json", ".gemini/GEMINI.md"],
};

const OPENCODE: Before = Before {
    cli: Cli::OpenCode,
    files: &[(
        ".config/opencode/opencode.jsonc",
        "{\n  // mine\n  \"$schema\": \"https://opencode.ai/config.json\",\n  \"permission\": { \"bash\": { \"shred *\": \"deny\" } },\n}\n",
    )],
    rewrites: &[],
    folders: &[
        ".config/opencode/opencode.jsonc",
        ".config/opencode/opencode.json",
        ".config/opencode/plugins",
    ],
};

const COPILOT: Before = Before {
    cli: Cli::Copilot,
    files: &[(".copilot/mcp-config.json", "{ \"mcpServers\": {} }\n")],
    rewrites: &[],
    folders: &[".copilot/mcp-config.json", ".copilot/hooks"],
};

/// Words of agents' complaints about a configuration.
const COMPLAINTS: &[&str] = &[
    "failed to parse",
    "Invalid",
    "invalid configuration",
    "Configuration is invalid",
    "is ignored",
    "Unknown hook",
    "Failed to load",
    "ignored unknown",
];

impl Before {
    fn lay_out(&self, scratch: &Scratch) {
        for (path, text) in self.files {
            let path = scratch.home.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
    }

    fn ask(&self, scratch: &Scratch, steps: Vec<Step>) -> (Model, CliRun) {
        let wanted = steps.len();
        let model = Model::start(steps).unwrap();
        let ended =
            self.cli.ask(&agents_dir().unwrap(), scratch, &model, "Do what the script says.").unwrap();
        assert_eq!(ended.code, Some(0), "{ended:?}\n{:?}", model.unknown_paths());
        assert_eq!(model.remaining_steps(), 0, "not all of {wanted} steps were taken: {ended:?}");
        (model, ended)
    }
}

fn no_complaint(ended: &CliRun) {
    for word in COMPLAINTS {
        assert!(!ended.stderr.contains(word), "the agent complains ({word}): {}", ended.stderr);
    }
}

fn whole_promise(before: &Before) {
    let Some(agents) = agents_dir() else {
        skipped::without("agents", "no agents are installed; `cargo xtask test` installs them on Linux x64");
        return;
    };
    let scratch = Scratch::new().unwrap();
    before.cli.install(&agents, &scratch).unwrap();
    before.lay_out(&scratch);
    let untouched = Tree::of(&scratch.home, before.folders);
    let id = before.cli.id();
    let printed = scratch.plimsoll(&["connect", id, "--yes"]).unwrap();
    assert_ne!(Tree::of(&scratch.home, before.folders), untouched, "connecting wrote something: {printed}");

    // The tools are there, and what they return is small and reaches the model.
    let code = "for i in $(seq 1 4000); do echo \"line $i is fine\"; done; echo 'ERROR: the 4001st is not'; printf kept-%d 42";
    let (model, ended) = before.ask(
        &scratch,
        vec![
            Step::Ours("execute", json!({"language": "shell", "code": code})),
            Step::Ours(
                "index",
                json!({"content": "# Tides\n\nThe harbour gauge is called blue-heron.\n", "source": "tides"}),
            ),
            Step::Ours("search", json!({"queries": ["harbour gauge"], "source": "tides"})),
        ],
    );
    no_complaint(&ended);
    let turns = model.requests_with_tools();
    let offered = turns[0].tools();
    let row = agents::by_id(id).unwrap().offer();
    for tool in agents::offer::TOOLS {
        let is_offered = offered.iter().any(|name| name.contains("plimsoll") && name.ends_with(tool));
        assert_eq!(is_offered, row.tools.contains(tool), "{tool}: {offered:?}");
    }
    let last = turns.last().unwrap().text();
    assert!(last.contains("ERROR: the 4001st is not"), "the failure reached the model");
    assert!(!last.contains("line 2000 is fine"), "the noise did not");
    assert!(last.contains("blue-heron"), "what was indexed was found");
    assert!(last.contains("Plimsoll keeps large outputs out"), "the session-start text reached the model");

    // A download in the shell is redirected while the server lives, and names the replacement.
    let (model, _) = before.ask(&scratch, vec![Step::Shell("curl https://example.org/never".into())]);
    let last = model.requests_with_tools().last().unwrap().text();
    assert!(last.contains("stores it and"), "the redirect reached the model: {}", tail(&last));

    // The user's own rule applies inside other commands, if the agent has such rules.
    if matches!(before.cli, Cli::Claude | Cli::OpenCode) {
        let (model, _) = before.ask(&scratch, vec![Step::Shell("true && bash -c 'shred --version'".into())]);
        let last = model.requests_with_tools().last().unwrap().text();
        assert!(last.contains("shred") && last.contains("user's rule"), "the rule held: {}", tail(&last));
    }

    scratch.plimsoll(&["disconnect", id, "--yes"]).unwrap();
    let after = Tree::of(&scratch.home, before.folders);
    let changed: Vec<PathBuf> = untouched
        .changed_files(&after)
        .into_iter()
        .filter(|path| !before.rewrites.iter().any(|rewritten| path == std::path::Path::new(rewritten)))
        .collect();
    assert!(
        changed.is_empty(),
        "not what it was: {changed:?}\n{:?}",
        after.0.get(&changed[0]).map(|bytes| String::from_utf8_lossy(bytes))
    );
    for rewritten in before.rewrites {
        let text = std::fs::read_to_string(scratch.home.join(rewritten)).unwrap_or_default();
        assert!(!text.contains("plimsoll"), "{rewritten} still names us:\n{text}");
    }
    let (model, ended) = before.ask(&scratch, vec![Step::Shell("printf clean-%d 42".into())]);
    no_complaint(&ended);
    assert!(!model.requests_with_tools()[0].tools().iter().any(|name| name.contains("plimsoll")));
    assert!(model.requests_with_tools().last().unwrap().text().contains("clean-42"));
    assert!(!model.requests_with_tools()[0].text().contains("Plimsoll keeps large outputs out"));
}

fn tail(text: &str) -> String {
    text.chars().rev().take(1500).collect::<Vec<_>>().into_iter().rev().collect()
}

#[test]
fn claude_code() {
    whole_promise(&CLAUDE);
}

#[test]
fn codex() {
    whole_promise(&CODEX);
}

#[test]
fn gemini_cli() {
    whole_promise(&GEMINI);
}

#[test]
fn opencode() {
    whole_promise(&OPENCODE);
}

#[test]
fn copilot_cli() {
    whole_promise(&COPILOT);
}
