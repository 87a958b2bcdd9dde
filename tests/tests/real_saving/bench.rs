//! An agent on a scratch computer with scripted programs, and how to read its results.

use std::path::PathBuf;
use std::process::Command;

use plimsoll_tests::{
    Case, Cli, CliRun, Model, Request, Run, Scratch, Step, ToolResult, agents_dir, case, programs,
};
use serde_json::Value;

/// An agent in an empty home, with the programs on its PATH.
pub(crate) struct Bench {
    pub(crate) cli: Cli,
    pub(crate) agents: PathBuf,
    pub(crate) scratch: Scratch,
    pub(crate) cases: Vec<Case>,
    pub(crate) how: Run,
}

/// Which lines these programs print to standard error.
fn on_stderr(program: &str, line: &str) -> bool {
    let rest = line.trim_start();
    match program {
        "cargo" => ["Compiling ", "Finished ", "Running ", "Doc-tests ", "error: "]
            .iter()
            .any(|word| rest.starts_with(word)),
        "npm" => !line.starts_with("> "),
        _ => false,
    }
}

impl Bench {
    pub(crate) fn new(cli: Cli) -> Option<Self> {
        let Some(agents) = agents_dir() else {
            skipped::without(
                "agents",
                "no agents are installed; `cargo xtask test` installs them on Linux x64",
            );
            return None;
        };
        let scratch = Scratch::new().unwrap();
        cli.install(&agents, &scratch).unwrap();
        let mut cases = vec![
            case("cargo/cargo-test.toml", "four failures").unwrap(),
            case("js-test/jest-default.toml", "failures").unwrap(),
            case("python/pytest.toml", "verbose with failures").unwrap(),
        ];
        let bin = programs(&scratch.home.join("tools"), &cases, on_stderr).unwrap();
        // Login shells read it.
        std::fs::write(scratch.home.join(".profile"), format!("PATH=\"{}:$PATH\"\n", bin.display())).unwrap();
        cases.push(history(&scratch));
        let how = Run { path: vec![bin], ..Run::default() };
        Some(Self { cli, agents, scratch, cases, how })
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.scratch.home.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn connect(&self) {
        self.scratch.plimsoll(&["connect", self.cli.id(), "--yes"]).unwrap();
    }

    pub(crate) fn ask(&self, how: &Run, steps: Vec<Step>) -> (Model, CliRun) {
        let model = Model::start(steps).unwrap();
        let ended =
            self.cli.run(&self.agents, &self.scratch, &model, "Do what the script says.", how).unwrap();
        assert_eq!(ended.code, Some(0), "{ended:?}\n{:?}", model.unknown_paths());
        assert_eq!(model.remaining_steps(), 0, "not all steps were taken: {ended:?}");
        (model, ended)
    }

    /// What the model receives for these commands.
    pub(crate) fn results(&self, how: &Run, commands: &[&str]) -> Vec<ToolResult> {
        let steps = commands.iter().map(|command| Step::Shell((*command).to_owned())).collect();
        let results =
            self.ask(how, steps).0.requests_with_tools().last().map(Request::results).unwrap_or_default();
        assert_eq!(results.len(), commands.len(), "{results:?}");
        results
    }

    /// The ledger's rows of shortened outputs, oldest first.
    pub(crate) fn ledger(&self) -> Vec<Value> {
        let printed = self.scratch.plimsoll(&["stats", "--calls", "--json"]).unwrap();
        let page: Value = serde_json::from_str(&printed).unwrap();
        let mut rows = page["rows"].as_array().unwrap().clone();
        rows.retain(|row| row["filter"].as_str().is_some_and(|filter| !filter.is_empty()));
        rows.sort_by_key(|row| row["id"].as_i64());
        rows
    }
}

/// A history of 25 commits, and git's own output.
fn history(scratch: &Scratch) -> Case {
    let git = |args: &[&str], day: usize| {
        let date = format!("2026-01-{day:02}T10:00:00Z");
        let done = Command::new("git")
            .args(args)
            .current_dir(&scratch.project)
            .envs(["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"].map(|key| (key, "Ana Lima")))
            .envs(["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"].map(|key| (key, "ana@example.org")))
            .envs(["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"].map(|key| (key, date.as_str())))
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
        String::from_utf8(done.stdout).unwrap()
    };
    let subject = |day: usize| format!("Round price {day} to two places");
    for day in 1..=25 {
        std::fs::write(scratch.project.join("price.txt"), format!("{day}\n")).unwrap();
        git(&["add", "."], day);
        git(
            &["commit", "-q", "-m", &format!("{}\n\nThe till of shop {day} showed three.", subject(day))],
            day,
        );
    }
    let hashes = git(&["log", "--format=%h"], 25);
    let mut keep: Vec<String> = hashes.lines().map(str::to_owned).collect();
    keep.extend((1..=25).map(subject));
    keep.extend((1..=25).map(|day| format!("The till of shop {day} showed three.")));
    Case { command: "git log".into(), exit: 0, text: git(&["log"], 25), keep }
}

/// A command's output as the model sees it, without the agent's frame, and the exit code that the agent reports, if it
/// reports any.
pub(crate) fn without_frame(cli: Cli, result: &ToolResult) -> (String, Option<i32>) {
    let text = result.text.as_str();
    let number = |text: &str| {
        text.trim().chars().take_while(char::is_ascii_digit).collect::<String>().parse::<i32>().ok()
    };
    match cli {
        // The first line of a failing command's result. The final line end is cut off.
        Cli::Claude if result.failed => {
            match text.strip_prefix("Exit code ").and_then(|t| t.split_once('\n')) {
                Some((code, rest)) => (rest.to_owned(), number(code)),
                None => (text.to_owned(), None),
            }
        }
        Cli::Claude => (text.to_owned(), Some(0)),
        Cli::Codex => match text.split_once("\nOutput:\n") {
            Some((head, rest)) => {
                let code = head.split_once("Process exited with code ").and_then(|(_, code)| number(code));
                (rest.to_owned(), code)
            }
            None => (text.to_owned(), None),
        },
        Cli::Gemini => {
            let text = text.trim_start_matches("<untrusted_context>\n").trim_start_matches("Output: ");
            let code = text.rsplit_once("\nExit Code: ").and_then(|(_, code)| number(code)).or(Some(0));
            // Exit code, signal and process group; and the agent's remark about a rewritten input.
            let ends = ["\nExit Code: ", "\nProcess Group PGID: ", "\n</untrusted_context>"];
            let end = ends.iter().filter_map(|mark| text.rfind(mark)).min().unwrap_or(text.len());
            (text[..end].to_owned(), code)
        }
        Cli::Copilot => match text.trim_end().rsplit_once("\n<shellId: ") {
            Some((rest, last)) => {
                (rest.to_owned(), last.split_once("exit code ").and_then(|(_, code)| number(code)))
            }
            None => (text.to_owned(), None),
        },
        // It reports no exit code.
        Cli::OpenCode => (text.to_owned(), None),
    }
}

/// The resume note among the texts of a request.
pub(crate) fn resume_note(request: &Request) -> Option<String> {
    let text = request.text();
    let start = text.find("Plimsoll's record of this session")?;
    let end = text[start..].find("in: [\"sessions\"].")?;
    Some(text[start..start + end + "in: [\"sessions\"].".len()].to_owned())
}
