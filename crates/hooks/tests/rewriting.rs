//! Which command lines run under `plimsoll run`, and in which form: the fixture `rewriting.txt`, in a session that
//! asks nobody and in one whose rules allow each part; and nothing missing is named.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use home::{Clock, Env, Home};
use plimsoll_hooks::{Context, handle};
use serde_json::{Value, json};
use tempfile::TempDir;

struct World {
    _dir: TempDir,
    home: Home,
    env: Env,
    project: PathBuf,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let user = std::fs::canonicalize(dir.path()).unwrap();
        let project = user.join("shop");
        std::fs::create_dir_all(project.join(".claude")).unwrap();
        std::fs::create_dir_all(project.join("api")).unwrap();
        let bin = user.join("bin");
        std::fs::create_dir_all(&bin).unwrap();
        for program in [
            "cargo", "npm", "make", "tee", "cat", "head", "tail", "just", "bash", "diff", "black", "ty",
            "npx", "bats",
        ] {
            std::fs::write(bin.join(program), "").unwrap();
        }
        let env = Env::for_test(&user).with("CLAUDECODE", "1").with("PATH", &bin).with_cwd(&project);
        let world = Self { home: Home::at(user.join(".plimsoll")), env, project, _dir: dir };
        world.launcher(0o755);
        world
    }

    fn launcher(&self, mode: u32) {
        let launcher = self.home.launcher();
        std::fs::create_dir_all(launcher.parent().unwrap()).unwrap();
        std::fs::write(&launcher, "").unwrap();
        std::fs::set_permissions(&launcher, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    fn rules(&self, rules: &Value) {
        let text = json!({ "permissions": rules }).to_string();
        std::fs::write(self.project.join(".claude/settings.json"), text).unwrap();
    }

    fn codex_rules(&self, rules: &str) {
        let folder = self.env.home_dir().join(".codex/rules");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("default.rules"), rules).unwrap();
    }

    /// The command that runs, and the permission decision.
    fn asked(&self, agent: &str, mode: &str, command: &str) -> (Option<String>, Option<String>) {
        self.asked_about(agent, mode, &json!({"command": command}))
    }

    /// The same for a whole input.
    fn asked_about(&self, agent: &str, mode: &str, input: &Value) -> (Option<String>, Option<String>) {
        let mut payload = json!({"hook_event_name": "PreToolUse", "session_id": "s-1", "cwd": self.project,
            "permission_mode": mode, "tool_name": "Bash", "tool_input": input, "tool_use_id": "t"});
        if agent == "codex" {
            payload["turn_id"] = json!("t-1");
            payload["model"] = json!("gpt-5.4");
        }
        let context = Context {
            home: &self.home,
            env: &self.env,
            clock: Clock::fixed(1_800_000_000_000),
            agent: agents::by_id(agent).unwrap(),
            systems: &[],
        };
        let result = handle(payload.to_string().as_bytes(), None, &context);
        let reply: Value = serde_json::from_str(&result.output.stdout).unwrap_or_default();
        let reply = &reply["hookSpecificOutput"];
        let text = |value: &Value| value.as_str().map(str::to_owned);
        (text(&reply["updatedInput"]["command"]), text(&reply["permissionDecision"]))
    }

    /// What Gemini CLI runs instead.
    fn asked_gemini(&self, command: &str) -> Option<String> {
        let payload = json!({"hook_event_name": "BeforeTool", "session_id": "s-1", "cwd": self.project,
            "tool_name": "run_shell_command", "tool_input": {"command": command}});
        let context = Context {
            home: &self.home,
            env: &self.env,
            clock: Clock::fixed(1_800_000_000_000),
            agent: agents::by_id("gemini-cli").unwrap(),
            systems: &[],
        };
        let result = handle(payload.to_string().as_bytes(), None, &context);
        let reply: Value = serde_json::from_str(&result.output.stdout).unwrap_or_default();
        reply["hookSpecificOutput"]["tool_input"]["command"].as_str().map(str::to_owned)
    }

    /// A line of the fixture with the inserted prefix.
    fn spelled(&self, agent: &str, line: &str) -> String {
        let runner = format!("{} run --agent {agent} --session s-1", self.home.launcher().display());
        let mut out = String::new();
        let mut rest = line;
        while let Some((before, after)) = rest.split_once('§') {
            out.push_str(before);
            out.push_str(&runner);
            rest = after;
            if !after.starts_with(' ') {
                let (of, end) = after.split_once('§').unwrap();
                out.push_str(&format!(" --output-of '{}'", of.replace('\'', r"'\''")));
                rest = end;
            }
            out.push_str(" --");
        }
        out + rest
    }
}

struct Line {
    number: usize,
    command: String,
    rewritten: Option<String>,
    allowed: bool,
}

fn lines() -> Vec<Line> {
    let text = include_str!("rewriting.txt");
    let rows = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let rows: Vec<(usize, &str)> = rows.collect();
    let (pairs, rest) = rows.as_chunks::<2>();
    assert!(rest.is_empty() && pairs.len() > 25);
    let pair = |[(number, command), (_, wanted)]: &[(usize, &str); 2]| {
        let (mark, rewritten) = wanted.split_once('=').unwrap();
        let rewritten = Some(rewritten.trim_start().to_owned()).filter(|line| !line.is_empty());
        Line { number: number + 1, command: (*command).to_owned(), rewritten, allowed: mark == "allow" }
    };
    pairs.iter().map(pair).collect()
}

#[test]
fn lines_are_rewritten_where_nobody_is_asked() {
    let world = World::new();
    for line in lines() {
        let wanted = line.rewritten.map(|line| world.spelled("claude-code", &line));
        let (rewritten, decision) = world.asked("claude-code", "bypassPermissions", &line.command);
        assert_eq!((rewritten, decision), (wanted, None), "rewriting.txt:{}", line.number);
    }
}

/// Of two hooks that replace a command, each agent takes one answer.
#[test]
fn a_command_that_the_users_own_hook_replaces_is_left_to_it() {
    let mut world = World::new();
    let words = ["gemini", "--yolo", "-p", "hi"].map(str::to_owned).to_vec();
    let caller = home::Caller { pid: 1, words, cwd: None, terminal: Some(false) };
    world.env = world.env.clone().with_callers(vec![caller]);
    let user = world.env.home_dir().to_owned();
    let json = |event: &str, matcher: &str| {
        let group = json!({"matcher": matcher, "hooks": [{"type": "command", "command": "./own.sh"}]});
        json!({"hooks": {event: [group]}}).to_string()
    };
    let toml = "[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = './own.sh'\n";
    let answer = "echo '{\"hookSpecificOutput\": {\"updatedInput\": {}, \"tool_input\": {}}}'";
    for (agent, file, text) in [
        ("claude-code", world.project.join(".claude/settings.json"), json("PreToolUse", "Bash")),
        ("codex", user.join(".codex/hooks.json"), json("PreToolUse", "^Bash$")),
        ("codex", user.join(".codex/config.toml"), toml.to_owned()),
        ("codex", world.project.join(".codex/hooks.json"), json("PreToolUse", "")),
        ("gemini-cli", user.join(".gemini/settings.json"), json("BeforeTool", "run_shell_command")),
        ("gemini-cli", world.project.join(".gemini/settings.json"), json("BeforeTool", "*")),
        ("gemini-cli", user.join(".gemini/extensions/dry/hooks/hooks.json"), json("BeforeTool", "shell")),
    ] {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        for (script, is_rewritten) in [("exit 2", true), (answer, false)] {
            for folder in [&world.project, &user.join(".gemini/extensions/dry")] {
                std::fs::create_dir_all(folder).unwrap();
                std::fs::write(folder.join("own.sh"), script).unwrap();
            }
            let rewritten = match agent {
                "gemini-cli" => world.asked_gemini("cargo test"),
                _ => world.asked(agent, "bypassPermissions", "cargo test").0,
            };
            assert_eq!(rewritten.is_some(), is_rewritten, "{}: {script}", file.display());
        }
        std::fs::remove_file(&file).unwrap();
    }
}

/// The agent reads its output piece by piece, and a run's output would come only at its end.
#[test]
fn what_runs_in_the_background_runs_as_it_is() {
    let world = World::new();
    for (key, value, is_background) in [
        ("run_in_background", json!(true), true),
        ("is_background", json!(true), true),
        ("isBackground", json!(true), true),
        ("mode", json!("async"), true),
        ("run_in_background", json!(false), false),
        ("mode", json!("sync"), false),
    ] {
        let input = json!({"command": "cargo test", key: value});
        let (rewritten, _) = world.asked_about("claude-code", "bypassPermissions", &input);
        assert_eq!(rewritten.is_none(), is_background, "{input}");
    }
}

#[test]
fn lines_are_rewritten_where_the_rules_allow_each_part() {
    let world = World::new();
    let parts = ["cargo", "npm", "make", "cd", "tee"];
    world.rules(&json!({ "allow": parts.map(|part| format!("Bash({part}:*)")) }));
    for line in lines() {
        let wanted = line.rewritten.filter(|_| line.allowed).map(|line| world.spelled("claude-code", &line));
        let decision = wanted.as_ref().map(|_| "allow".to_owned());
        let got = world.asked("claude-code", "default", &line.command);
        assert_eq!(got, (wanted, decision), "rewriting.txt:{}", line.number);
    }
    // One part without a rule, and there is no decision.
    for without in parts {
        let rest = parts.iter().filter(|part| **part != without);
        world.rules(&json!({ "allow": rest.map(|part| format!("Bash({part}:*)")).collect::<Vec<_>>() }));
        for line in lines().iter().filter(|line| line.command.contains(without)) {
            let got = world.asked("claude-code", "default", &line.command);
            // Claude Code doesn't ask about a `cd` into the project.
            let moves = line.rewritten.as_ref().filter(|_| without == "cd" && line.allowed);
            let wanted = moves.map(|line| world.spelled("claude-code", line));
            assert_eq!(got.0, wanted, "rewriting.txt:{} without {without}", line.number);
        }
    }
}

/// A folder that is missing or elsewhere is asked about, and so is anything after two of them.
#[test]
fn only_a_move_into_the_project_needs_no_rule() {
    let world = World::new();
    world.rules(&json!({ "allow": ["Bash(cargo:*)"] }));
    std::os::unix::fs::symlink("/tmp", world.project.join("link")).unwrap();
    let asked = |command: &str| world.asked("claude-code", "default", command).0.is_some();
    for command in ["cd api && cargo test", "cd 'api' && cargo test", "cd ./api && CI=1 cargo test"] {
        assert!(asked(command), "{command}");
    }
    for command in [
        "cd nowhere && cargo test",
        "cd link && cargo test",
        "cd api && cd . && cargo test",
        "cd api && npm test",
        "cd api && cargo test && npm test",
        "cd .. && cargo test",
        "cd api",
        "pushd api && cargo test",
        "cargo test && cd api",
    ] {
        assert!(!asked(command), "{command}");
    }
    world.rules(&json!({ "allow": ["Bash(cargo:*)"], "ask": ["Bash(cd:*)"] }));
    assert!(!asked("cd api && cargo test"));
}

/// Claude Code 2.1.330 asks about each of these, whatever a rule says about `tee`.
#[test]
fn a_file_written_through_a_pipe_is_in_the_folder() {
    let world = World::new();
    world.rules(&json!({ "allow": ["Bash(make:*)", "Bash(tee:*)", "Bash(cd:*)"] }));
    std::os::unix::fs::symlink("/tmp/elsewhere", world.project.join("link")).unwrap();
    let asked = |command: &str| world.asked("claude-code", "default", command).0.is_some();
    assert!(asked("make test | tee -a log"));
    for target in ["link", ".envrc", ".git/hooks/x", "../log", "/tmp/log", "api"] {
        assert!(!asked(&format!("make test | tee {target}")), "{target}");
    }
    assert!(!asked("cd api && make test | tee log"));
}

/// Codex says "allow" with every rewrite, so only plain lines are rewritten: as many of these as on Claude Code.
#[test]
fn codex_runs_plain_lines_in_a_session_that_asks_nobody() {
    let world = World::new();
    let mut rewritten = 0;
    for line in lines() {
        let got = world.asked("codex", "bypassPermissions", &line.command).0;
        let plain = rules::plain::parse(&line.command).is_some();
        if plain && let Some(wanted) = &line.rewritten {
            assert_eq!(got, Some(world.spelled("codex", wanted)), "rewriting.txt:{}", line.number);
            rewritten += 1;
        } else if !plain {
            assert_eq!(got, None, "rewriting.txt:{}", line.number);
        }
    }
    assert!(rewritten > 10, "{rewritten}");
    // The end of an output is requested where it can't be replaced as well.
    let wanted = world.spelled("codex", "cargo test 2>&1 | §cargo test§ tail -n 50");
    assert_eq!(world.asked("codex", "bypassPermissions", "cargo test 2>&1 | tail -n 50").0, Some(wanted));
    // Where somebody is asked, what the rules allow leaves Codex's sandbox; the rewritten line wouldn't.
    world.codex_rules("prefix_rule(pattern=[\"cargo\", \"test\"], decision=\"allow\")\n");
    assert_eq!(world.asked("codex", "default", "cargo test"), (None, None));
    // A rule about a part applies to the complete line.
    world.codex_rules("prefix_rule(pattern=[\"tee\"], decision=\"forbidden\")\n");
    assert_eq!(world.asked("codex", "bypassPermissions", "make test 2>&1 | tee log").0, None);
}

/// Gemini CLI takes a rewrite without an approval, so in a session that asks nobody the grammar of a line doesn't matter, as on
/// Claude Code; where a rule could apply, it does.
#[test]
fn gemini_runs_any_line_in_a_session_that_asks_nobody() {
    let mut world = World::new();
    let words = ["gemini", "--approval-mode", "yolo", "-p", "hi"].map(str::to_owned).to_vec();
    let caller = home::Caller { pid: 1, words, cwd: None, terminal: Some(false) };
    world.env = world.env.clone().with_callers(vec![caller]);
    for line in lines() {
        let Some(wanted) = line.rewritten else { continue };
        let got = world.asked_gemini(&line.command);
        assert_eq!(got, Some(world.spelled("gemini-cli", &wanted)), "rewriting.txt:{}", line.number);
    }
    let open = [
        ("cat src/*.ts", "§ cat src/*.ts"),
        ("npx eslint src/**/*.ts", "§ npx eslint src/**/*.ts"),
        ("cd api && npx eslint \"src/$x\"", "cd api && § npx eslint \"src/$x\""),
        ("cargo test --package {a,b} || cargo build", "§ cargo test --package {a,b} || § cargo build"),
    ];
    for (command, wanted) in open {
        assert_eq!(world.asked_gemini(command), Some(world.spelled("gemini-cli", wanted)), "{command}");
        assert_eq!(world.asked("codex", "bypassPermissions", command).0, None, "{command}");
    }
    let settings = world.env.home_dir().join(".gemini/settings.json");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    let set = |tools: &Value| std::fs::write(&settings, json!({ "tools": tools }).to_string()).unwrap();
    // A line is not left alone because of what is allowed besides.
    set(&json!({ "allowed": ["run_shell_command(npx)", "run_shell_command(cat)"] }));
    for (command, wanted) in open {
        assert_eq!(world.asked_gemini(command), Some(world.spelled("gemini-cli", wanted)), "{command}");
    }
    assert!(world.asked_gemini("npx eslint src").is_some());
    set(&json!({ "exclude": ["run_shell_command(boom)"] }));
    for (command, _) in open {
        assert_eq!(world.asked_gemini(command), None, "{command}");
    }
    assert!(world.asked_gemini("cargo test && npx eslint src").is_some());
}

#[test]
fn a_launcher_that_is_not_there_is_not_named() {
    let world = World::new();
    let rewritten = |world: &World| world.asked("claude-code", "bypassPermissions", "cargo test").0;
    assert!(rewritten(&world).is_some());
    world.launcher(0o644);
    assert_eq!(rewritten(&world), None);
    std::fs::remove_file(world.home.launcher()).unwrap();
    assert_eq!(rewritten(&world), None);
    std::fs::create_dir(world.home.launcher()).unwrap();
    assert_eq!(rewritten(&world), None);
}

/// If a rule denies `plimsoll` or asks about it, the command is left to its own rules.
#[test]
fn a_rule_about_plimsoll_forbids_no_other_command() {
    let world = World::new();
    for effect in ["deny", "ask"] {
        world.rules(&json!({ effect: [format!("Bash({}:*)", world.home.launcher().display())] }));
        assert_eq!(world.asked("claude-code", "bypassPermissions", "cargo test"), (None, None), "{effect}");
    }
    world.rules(&json!({ "deny": ["Bash(boom:*)"] }));
    assert!(world.asked("claude-code", "bypassPermissions", "cargo test").0.is_some());
}
