//! Which rules `execute`, `batch` and `index` ask: those of the folder that the agent was started in and of its
//! command line, and none that a hanging file could hide.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use contract::{Batch, Command, ErrorCode, Execute, Index, Input};
use home::{Clock, Env};
use plimsoll_service::{Call, Service};

struct Bench {
    dir: tempfile::TempDir,
    env: Env,
    start: PathBuf,
    agent: &'static str,
}

impl Bench {
    fn new(agent: &'static str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = std::fs::canonicalize(dir.path()).unwrap();
        let start = home.join("work/shop");
        std::fs::create_dir_all(start.join(".git")).unwrap();
        let env = Env::for_test(&home).with("PATH", std::env::var_os("PATH").unwrap()).with_cwd(&start);
        Self { dir, env, start, agent }
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.dir.path().join("work/shop").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn started(mut self, words: &[&str]) -> Self {
        let line: Vec<String> = words.iter().map(ToString::to_string).collect();
        self.env = self.env.with_callers(vec![line]);
        self
    }

    fn service(&self) -> Arc<Service> {
        let service = Service::new(self.env.clone(), Clock::fixed(1_772_304_300_000)).unwrap();
        service.set_project(std::slice::from_ref(&self.start));
        Arc::new(service)
    }

    fn call(&self) -> Call {
        Call { agent: agents::by_id(self.agent), session: "s".into(), ..Call::from_user() }
    }

    fn execute(&self, code: &str, cwd: Option<&str>) -> Result<String, ErrorCode> {
        let request = Execute {
            language: "shell".into(),
            code: code.into(),
            cwd: cwd.map(PathBuf::from),
            ..Execute::default()
        };
        block_on(self.service().execute(&self.call(), request)).map(|reply| reply.text).map_err(|e| e.code)
    }

    fn batch(&self, command: &str) -> Result<(), ErrorCode> {
        let commands = vec![Command { label: "a".into(), command: command.into() }];
        let request = Batch { commands, concurrency: 1, ..Batch::default() };
        block_on(self.service().batch(&self.call(), request)).map(drop).map_err(|e| e.code)
    }

    fn index(&self, path: &Path) -> Result<(), ErrorCode> {
        let request = Index::of(Input::Path(path.to_owned()));
        block_on(self.service().index(&self.call(), request)).map(drop).map_err(|e| e.code)
    }
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

const DENY: &str = r#"{"permissions":{"deny":["Bash(boom:*)","Read(./secrets/**)"]}}"#;

#[test]
fn an_agent_started_in_a_folder_keeps_the_rules_of_that_folder() {
    let mut bench = Bench::new("claude-code");
    bench.write("sub/.claude/settings.json", DENY);
    bench.write("sub/secrets/a", "hush\n");
    assert_eq!(bench.execute("boom || true", None).map(drop), Ok(()), "started at the root, it has no rule");
    bench.start = bench.start.join("sub");
    bench.env = bench.env.with_cwd(&bench.start);
    for code in ["boom", "true && boom x", "cat sub/secrets/a"] {
        assert_eq!(bench.execute(code, None).map(drop), Err(ErrorCode::Denied), "{code}");
    }
    assert_eq!(bench.batch("boom"), Err(ErrorCode::Denied));
}

#[test]
fn what_the_root_of_the_repository_forbids_is_forbidden_below_it() {
    for (agent, file, text) in [
        ("claude-code", ".claude/settings.json", DENY),
        ("cursor", ".cursor/cli.json", r#"{"permissions":{"deny":["Shell(boom)"]}}"#),
        ("codex", ".codex/rules/a.rules", "prefix_rule(pattern=[\"boom\"], decision=\"forbidden\")"),
        ("opencode", "opencode.json", r#"{"permission":{"bash":{"boom*":"deny"}}}"#),
    ] {
        let mut bench = Bench::new(agent);
        bench.write(file, text);
        bench.write("sub/b", "");
        bench.start = bench.start.join("sub");
        assert_eq!(bench.execute("boom", None).map(drop), Err(ErrorCode::Denied), "{agent}");
    }
}

#[test]
fn a_calls_working_folder_changes_no_rule() {
    let bench = Bench::new("claude-code");
    bench.write(".claude/settings.json", DENY);
    bench.write("secrets/a", "hush\n");
    bench.write("sub/secrets/a", "hush\n");
    for (code, cwd) in [
        ("cat a", Some("secrets")),
        ("cat secrets/a", None),
        ("cat ../secrets/a", Some("sub")),
        ("cat a", Some("sub/secrets")),
    ] {
        assert_eq!(bench.execute(code, cwd).map(drop), Err(ErrorCode::Denied), "{code} in {cwd:?}");
    }
    assert_eq!(bench.index(&bench.start.join("sub/secrets/a")), Err(ErrorCode::Denied));
}

#[test]
fn rules_of_the_command_line_hold_in_every_tool() {
    for (agent, words) in [
        ("claude-code", vec!["claude", "--disallowedTools", "Bash(boom:*)"]),
        ("copilot-cli", vec!["copilot", "-p", "hi", "--allow-all", "--deny-tool", "shell(boom)"]),
        ("copilot-cli", vec!["copilot", "--deny-tool=shell(boom:*)", "--allow-all-tools"]),
        ("copilot-cli", vec!["copilot", "--excluded-tools", "bash"]),
    ] {
        let bench = Bench::new(agent).started(&words);
        assert_eq!(bench.execute("true; boom", None).map(drop), Err(ErrorCode::Denied), "{words:?}");
        assert_eq!(bench.batch("boom"), Err(ErrorCode::Denied), "{words:?}");
    }
    let bench = Bench::new("codex").started(&["codex", "-s", "read-only"]);
    assert_eq!(bench.execute("echo a > b", None).map(drop), Err(ErrorCode::Denied));
    assert!(bench.execute("echo a", None).is_ok());
    let mut bench = Bench::new("opencode");
    bench.env = bench.env.with("OPENCODE_PERMISSION", r#"{"bash":{"boom*":"deny"}}"#);
    assert_eq!(bench.execute("boom", None).map(drop), Err(ErrorCode::Denied));
}

#[test]
fn where_the_rules_cannot_be_read_the_agents_own_tool_is_suggested() {
    for (agent, words) in [
        ("claude-code", vec!["claude", "", "", ""]),
        ("copilot-cli", vec!["copilot", "", "", ""]),
        ("gemini-cli", vec![]),
    ] {
        let bench = Bench::new(agent).started(&words);
        assert_eq!(bench.execute("echo hi", None).map(drop), Err(ErrorCode::Ask), "{agent}");
        assert_eq!(bench.batch("echo hi"), Err(ErrorCode::Ask), "{agent}");
    }
}

#[test]
fn a_repository_cannot_hang_the_reading_of_rules() {
    for target in ["pipe", "/dev/zero", "/dev/tty"] {
        let bench = Bench::new("claude-code");
        let folder = bench.start.join(".claude");
        std::fs::create_dir_all(&folder).unwrap();
        let settings = folder.join("settings.json");
        if target == "pipe" {
            assert!(std::process::Command::new("mkfifo").arg(&settings).status().unwrap().success());
        } else {
            std::os::unix::fs::symlink(target, &settings).unwrap();
        }
        // Its prohibitions are unknown, so nothing is run.
        assert_eq!(bench.execute("echo hi", None).map(drop), Err(ErrorCode::Denied), "{target}");
    }
    // An endless file is read no further than such files are long.
    let bench = Bench::new("claude-code");
    bench.write(".claude/settings.json", "");
    let file = std::fs::File::options().write(true).open(bench.start.join(".claude/settings.json")).unwrap();
    file.set_len(1 << 40).unwrap();
    assert_eq!(bench.execute("echo hi", None).map(drop), Err(ErrorCode::Denied));
}

#[test]
fn a_repository_cannot_hang_the_reading_of_a_folder() {
    let bench = Bench::new("claude-code");
    bench.write("docs/a.md", "# Tides\n\nThe harbour gauge.\n");
    for name in ["docs/pipe.md", "docs/.gitignore", "docs/.ignore"] {
        assert!(std::process::Command::new("mkfifo").arg(bench.start.join(name)).status().unwrap().success());
    }
    std::os::unix::fs::symlink("/dev/zero", bench.start.join("docs/zero.md")).unwrap();
    assert_eq!(bench.index(&bench.start.join("docs")), Ok(()));
    assert!(bench.index(&bench.start.join("docs/pipe.md")).is_err());
    assert!(bench.index(&bench.start.join("docs/zero.md")).is_err());
}

#[test]
fn characters_that_nobody_sees_are_run_only_where_the_agent_runs_them() {
    for (code, seen) in [
        ("echo one\r\necho two", false),
        ("echo \u{1b}[2K; echo two", false),
        ("echo \u{9b}2J", false),
        ("echo \u{7f}", false),
        ("echo\tone\necho two é 日 🦀", true),
        (r"printf 'one\r\n\033[1m'", true),
    ] {
        let ran = Bench::new("claude-code").execute(code, None);
        assert_eq!(ran.is_ok(), seen, "{code:?}: {ran:?}");
        assert!(seen || ran == Err(ErrorCode::InvalidArgument), "{code:?}");
        let ran = Bench::new("codex").execute(code, None);
        assert!(ran.is_ok(), "{code:?}: {ran:?}");
    }
}

#[test]
fn the_sandbox_mode_of_a_turn_applies_to_its_calls() {
    let bench = Bench::new("codex");
    bench.write("kept.txt", "kept\n");
    let with = |mode: &str| {
        let meta = serde_json::json!({"x-codex-turn-metadata": {"sandbox_mode": mode}});
        let call = Call { meta: Arc::new(meta.as_object().unwrap().clone()), ..bench.call() };
        let request = Execute { language: "shell".into(), code: "rm kept.txt".into(), ..Execute::default() };
        block_on(bench.service().execute(&call, request)).map(drop).map_err(|error| error.code)
    };
    assert_eq!(with("read-only"), Err(ErrorCode::Denied));
    assert!(bench.start.join("kept.txt").exists());
    assert_eq!(with("workspace-write"), Ok(()));
    assert!(!bench.start.join("kept.txt").exists());
}
