//! Estimates what Plimsoll would have kept out of past sessions by running the outputs in the agents' own transcripts
//! through a filter. Owns the sums per agent and command family and what they leave out; the caller passes the
//! filter.
//!
//! The result is marked as an estimate. A transcript contains what the model got, so outputs that the agent had
//! already cut count at that length, and follow-up requests of the model are unknown.

use std::collections::BTreeMap;

use contract::Measure;
use filters::command::unwrapped;
use home::{Env, Home};
use serde::Serialize;
use shell::base;
use shell::line::{Simple, parse};
use transcripts::{Scan, ToolOutput};

/// How many families are listed; the totals include the rest.
const FAMILIES: usize = 20;

/// The name of the line for all other commands.
const OTHER: &str = "other";

/// Totals over outputs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Outputs {
    /// How many outputs.
    pub calls: u64,
    /// How many would have been shorter.
    pub shortened: u64,
    /// Bytes that the model got.
    pub raw_bytes: u64,
    /// Bytes that it would have got; never more than `raw_bytes`.
    pub bytes_after: u64,
}

impl Outputs {
    /// Bytes that would have been kept out.
    pub fn kept_out(&self) -> u64 {
        self.raw_bytes.saturating_sub(self.bytes_after)
    }

    fn add(&mut self, raw: u64, after: u64) {
        self.calls += 1;
        self.shortened += u64::from(after < raw);
        self.raw_bytes = self.raw_bytes.saturating_add(raw);
        self.bytes_after = self.bytes_after.saturating_add(after);
    }
}

/// One agent's outputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AgentOutputs {
    /// The agent's id.
    pub agent: &'static str,
    /// Outputs of commands.
    #[serde(flatten)]
    pub outputs: Outputs,
    /// Transcripts and transcript databases that were read.
    pub sources: u64,
    /// How many couldn't be read to their end, or at all.
    pub failed: u64,
    /// Lines skipped because they were damaged or too long.
    pub passed_over: u64,
}

/// One command family's outputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FamilyOutputs {
    /// Program and subcommand, never an argument: `cargo test`, `ls`; `other` if there is no such name.
    pub family: String,
    /// Its outputs.
    #[serde(flatten)]
    pub outputs: Outputs,
}

/// The result of a scan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Discovered {
    /// The scan's start, in milliseconds since 1970.
    pub since_ms: i64,
    /// Always estimated.
    pub measure: Measure,
    /// All commands of all agents.
    #[serde(flatten)]
    pub outputs: Outputs,
    /// Outputs of tools that run no command; not in the sums.
    pub without_command: u64,
    /// Commands that already went through Plimsoll; not in the sums.
    pub already: u64,
    /// One row per agent that has transcripts.
    pub agents: Vec<AgentOutputs>,
    /// At most 20 families, those with the largest savings.
    pub families: Vec<FamilyOutputs>,
    /// The first read errors, with their causes.
    pub problems: Vec<String>,
}

/// Runs `filter` over every command output that the agents recorded at or after `since_ms` (milliseconds since 1970).
/// The filter gets the command, its exit code if the agent records it, and the text that the model got; it returns
/// the size in bytes of what the model would have got instead. Each output is counted once, even if several
/// transcripts contain it, and only one is in memory at a time.
pub fn discover(
    env: &Env,
    home: &Home,
    since_ms: i64,
    filter: &dyn Fn(&str, Option<i32>, &str) -> usize,
) -> Discovered {
    let mut scan = Scan::of(agents::transcript_sources(env, since_ms), since_ms);
    let mut all = Outputs::default();
    let mut by_agent: BTreeMap<&str, Outputs> = BTreeMap::new();
    let mut families: BTreeMap<String, Outputs> = BTreeMap::new();
    let (mut without_command, mut already) = (0, 0);
    for ToolOutput { agent, command, exit, text, .. } in scan.outputs() {
        let Some(command) = command else {
            without_command += 1;
            continue;
        };
        let family = match family(&command, home) {
            Family::Ours => {
                already += 1;
                continue;
            }
            Family::Named(name) => name,
        };
        let after = filter(&command, exit, &text).min(text.len()) as u64;
        let raw = text.len() as u64;
        all.add(raw, after);
        by_agent.entry(agent).or_default().add(raw, after);
        families.entry(family).or_default().add(raw, after);
    }
    let surveys = scan.surveys().iter().map(|(agent, survey)| AgentOutputs {
        agent,
        outputs: by_agent.get(agent).copied().unwrap_or_default(),
        sources: survey.sources,
        failed: survey.failed,
        passed_over: survey.counts.too_long + survey.counts.unreadable,
    });
    let agents = surveys.collect();
    Discovered {
        since_ms,
        measure: Measure::Estimated,
        outputs: all,
        without_command,
        already,
        agents,
        families: largest(families),
        problems: scan.errors().iter().map(ToString::to_string).collect(),
    }
}

fn largest(families: BTreeMap<String, Outputs>) -> Vec<FamilyOutputs> {
    let mut families: Vec<FamilyOutputs> =
        families.into_iter().map(|(family, outputs)| FamilyOutputs { family, outputs }).collect();
    // A stable sort: ties stay in alphabetical order.
    families.sort_by_key(|family| std::cmp::Reverse((family.outputs.kept_out(), family.outputs.raw_bytes)));
    families.truncate(FAMILIES);
    families
}

enum Family {
    /// The command already went through Plimsoll.
    Ours,
    Named(String),
}

/// Programs whose first argument says what they do.
const WITH_SUBCOMMANDS: &[&str] = &[
    "ansible",
    "apt",
    "apt-get",
    "aws",
    "az",
    "brew",
    "bun",
    "bundle",
    "cargo",
    "composer",
    "deno",
    "docker",
    "dotnet",
    "flutter",
    "gcloud",
    "gh",
    "git",
    "glab",
    "go",
    "gradle",
    "gradlew",
    "helm",
    "jj",
    "just",
    "kubectl",
    "make",
    "mix",
    "mvn",
    "mvnw",
    "npm",
    "nx",
    "pip",
    "pip3",
    "pnpm",
    "podman",
    "poetry",
    "rails",
    "rustup",
    "sbt",
    "swift",
    "systemctl",
    "terraform",
    "tofu",
    "turbo",
    "uv",
    "yarn",
];

/// Their options with a value that can come before the subcommand.
const WITH_VALUE: &[&str] = &[
    "-C",
    "-c",
    "-f",
    "-n",
    "-p",
    "--context",
    "--cwd",
    "--dir",
    "--file",
    "--filter",
    "--git-dir",
    "--manifest-path",
    "--namespace",
    "--prefix",
    "--profile",
    "--project",
    "--region",
    "--work-tree",
];

/// Programs that only wrap or accompany the main one.
const WRAPPERS: &[&str] = &[
    "cd", "export", "set", "source", ".", "true", "false", "echo", "printf", "mkdir", "sleep", "pushd",
    "popd", "unset", "wait", "exit", ":",
];

fn family(command: &str, home: &Home) -> Family {
    let line = parse(command);
    let ours = home.bin_dir();
    let argvs: Vec<Vec<String>> = line.commands.iter().map(Simple::argv).collect();
    let first = |argv: &[String]| argv.first().cloned().unwrap_or_default();
    if argvs.iter().any(|argv| {
        let program = first(unwrapped(argv));
        base(&program) == "plimsoll" || std::path::Path::new(&program).starts_with(&ours)
    }) {
        return Family::Ours;
    }
    let is_wrapper = |argv: &[String]| argv.is_empty() || WRAPPERS.contains(&base(&first(argv)));
    let main = argvs.iter().find(|argv| !is_wrapper(argv)).or(argvs.first());
    Family::Named(main.and_then(|argv| name(unwrapped(argv))).unwrap_or_else(|| OTHER.to_owned()))
}

/// The program with its subcommand, if it has one: `cargo test`.
fn name(argv: &[String]) -> Option<String> {
    let (program, arguments) = argv.split_first()?;
    let program = base(program);
    if !plain(program) {
        return None;
    }
    if !WITH_SUBCOMMANDS.contains(&program) {
        return Some(program.to_owned());
    }
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if WITH_VALUE.contains(&argument.as_str()) {
            arguments.next();
        } else if !argument.starts_with(['-', '+']) {
            return Some(if plain(argument) { format!("{program} {argument}") } else { program.to_owned() });
        }
    }
    Some(program.to_owned())
}

/// Whether a word is a plain name: not a path, an address or a secret.
fn plain(word: &str) -> bool {
    let first = word.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic());
    let named = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:+".contains(&byte));
    first && named && word.len() <= 24
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn home() -> (Env, Home) {
        let fixtures = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default())
            .join("../agents/tests/transcripts/fixtures/home");
        (Env::for_test(fixtures), Home::at("/home/ana/.plimsoll"))
    }

    #[test]
    fn the_captured_sessions() {
        let (env, home) = home();
        // Forty numbers become one line; an output that would grow counts unchanged.
        let filter = |command: &str, exit: Option<i32>, text: &str| match command {
            "seq 1 40" => {
                assert_eq!(exit, Some(0));
                assert!(text.starts_with("1\n2\n3\n"));
                10
            }
            _ => text.len() + 5,
        };
        let found = discover(&env, &home, 0, &filter);
        // Claude Code and Copilot CLI ran it twice, Codex three times, Gemini CLI once.
        let seq = found.families.iter().find(|family| family.family == "seq").unwrap();
        assert_eq!((seq.outputs.calls, seq.outputs.shortened, seq.outputs.bytes_after), (8, 8, 80));
        assert_eq!(found.families[0].family, "seq", "most kept out comes first");
        assert_eq!(found.outputs.kept_out(), seq.outputs.kept_out());
        assert_eq!((found.outputs.shortened, found.measure), (8, Measure::Estimated));
        let calls: Vec<(&str, u64)> =
            found.agents.iter().map(|agent| (agent.agent, agent.outputs.calls)).collect();
        assert_eq!(calls, [("claude-code", 6), ("codex", 12), ("copilot-cli", 6), ("gemini-cli", 3)]);
        assert_eq!(calls.iter().map(|(_, calls)| calls).sum::<u64>(), found.outputs.calls);
        assert_eq!((found.without_command, found.already, found.problems.len()), (5, 0, 0));
        let json = serde_json::to_value(&found).unwrap();
        assert_eq!(
            (&json["measure"], &json["agents"][0]["agent"]),
            (&"estimated".into(), &"claude-code".into())
        );
        assert!(json["raw_bytes"].as_u64() > json["bytes_after"].as_u64());
    }

    #[test]
    fn nothing_recorded_is_nothing_found() {
        let (env, home) = home();
        let filter = |_: &str, _: Option<i32>, _: &str| -> usize { unreachable!("there is no output") };
        let none = discover(&env, &home, i64::MAX, &filter);
        assert_eq!((none.outputs, none.agents.len(), none.families.len()), (Outputs::default(), 0, 0));
    }

    #[test]
    fn each_command_has_its_family() {
        let (_, home) = home();
        for (command, wanted) in [
            ("cargo test -p x -- --nocapture", "cargo test"),
            ("cd /w/shop && RUST_BACKTRACE=1 cargo +nightly build 2>&1 | tail -5", "cargo build"),
            ("git -C /secret/place --no-pager log -3", "git log"),
            ("sudo env A=1 /usr/bin/git status", "git status"),
            ("npm run build:web", "npm run"),
            ("ls -la /w", "ls"),
            ("./scripts/deploy.sh --token abc", "deploy.sh"),
            ("git https://user:password@host/x", "git"),
            ("cd x", "cd"),
            ("", OTHER),
            ("for i in 1 2; do cargo test -p $i; done", "cargo test"),
            ("\"$TOOL\" --x", OTHER),
        ] {
            let Family::Named(name) = family(command, &home) else { panic!("{command} is not ours") };
            assert_eq!(name, wanted, "{command}");
        }
        for command in ["plimsoll run -- ls", "cd x; /home/ana/.plimsoll/bin/plimsoll run -- npm test"] {
            assert!(matches!(family(command, &home), Family::Ours), "{command}");
        }
    }
}
