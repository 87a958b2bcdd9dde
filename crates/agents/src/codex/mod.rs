//! Codex: CLI, desktop app and editor extension, which share one folder.
//!
//! Owns its detection and its entries: the server in `config.toml`, the hooks in `hooks.json` (a fault in `[hooks]` of
//! `config.toml` would keep Codex from starting). `dialect` parses payloads and renders replies, `exec_rules` reads its
//! command rules, `sandbox_settings` the files that its sandbox protects, `trust` asks Codex which hooks the user has
//! approved, `approvals` removes those of Plimsoll's hooks. Nothing here approves a hook: that is the user's consent.

mod approvals;
mod dialect;
mod exec_rules;
mod findings;
mod record;
mod settings;
mod transcript;
mod trust;

use std::path::{Path, PathBuf};

use contract::Sentence;
use edits::{Dialect, Edit, Format};
use home::{Env, Os};
use rules::RuleSet;
use serde_json::{Value, json};
use transcripts::{Format as Lines, Source};

use crate::config::{self, Syntax};
use crate::host::Host;
use crate::offer::{Counted, LEAN};
use crate::{
    Agent, CREDENTIALS, ConfigFile, Event, Evidence, Finding, Found, Gains, HookInput, HookOutput, Machine,
    Offer, Output, Printed, Rewriting, Role, Sample, Scope, Size, ToolCall, Trust, Verdict, View, Whole,
    Wiring, command_line, instructions, messages, wire,
};

/// The agent.
#[derive(Debug)]
pub(crate) struct Codex;

const ID: &str = "codex";

/// Earlier versions lack hook events, trust or `commandWindows`.
const HOOKS_SINCE: &str = "0.145.0";

/// The registered hooks: event, matcher (a regular expression), time limit in seconds. Codex allows at most three
/// seconds at the end of a session.
const HOOKS: [(&str, Option<&str>, u64); 9] = [
    ("SessionStart", None, wire::HOOK_TIMEOUT_S),
    ("UserPromptSubmit", None, wire::HOOK_TIMEOUT_S),
    ("PreToolUse", Some("Bash"), wire::HOOK_TIMEOUT_S),
    ("PostToolUse", None, wire::HOOK_TIMEOUT_S),
    ("SubagentStart", None, wire::HOOK_TIMEOUT_S),
    ("SubagentStop", None, wire::HOOK_TIMEOUT_S),
    ("PreCompact", None, wire::HOOK_TIMEOUT_S),
    ("Stop", None, wire::HOOK_TIMEOUT_S),
    ("SessionEnd", None, 3),
];

/// Variables that the server needs and Codex would withhold: folders, proxies, agents. Secrets are in [`CREDENTIALS`] and
/// forwarded only with the user's consent.
const PASSED_ON: [&str; 17] = [
    "PLIMSOLL_HOME",
    "CODEX_HOME",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSH_AUTH_SOCK",
    "KUBECONFIG",
    "DOCKER_HOST",
    "AWS_PROFILE",
];

/// Codex shows a hook's replacement text in full up to this many bytes (measured on 0.169.0).
const REPLACED: usize = 10_000;
/// Room for the exit notice in front of it.
const ENDING: usize = 64;

const TOML: Format = Format { dialect: Dialect::Toml, bom_ok: true };
/// A byte order mark or a comment in `hooks.json` makes Codex skip the whole file.
const STRICT: Format = Format { dialect: Dialect::Json, bom_ok: false };

impl Agent for Codex {
    fn id(&self) -> &'static str {
        ID
    }

    fn name(&self) -> &'static str {
        "Codex"
    }

    fn mark(&self) -> &'static str {
        "Cx"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["codex-cli", "openai-codex", "openai"]
    }

    fn client_names(&self) -> &'static [&'static str] {
        &["codex"]
    }

    fn detect(&self, machine: &Machine<'_>) -> Option<Found> {
        let mut found = machine.find(ID, &["codex"], config_dir(machine.env), &[]);
        for (path, product) in applications(machine) {
            let found = found.get_or_insert_with(|| self.assumed(machine.env));
            found.evidence.push(Evidence { how: "application".to_owned(), path });
            found.products.push(product.to_owned());
        }
        found
    }

    fn gains(&self, found: &Found) -> Gains {
        let hooks = found.at_least(HOOKS_SINCE) != Some(false);
        Gains { tools: true, filtering: hooks, notes: hooks }
    }

    fn passes_credentials(&self, wiring: &Wiring<'_>) -> Option<bool> {
        let config = config::read_or_nothing(&scope_dir(wiring).join("config.toml"), Syntax::Toml);
        let passed = config::strings(&config, &["mcp_servers", crate::SERVER_KEY, "env_vars"]);
        Some(passed.iter().any(|name| CREDENTIALS.contains(name)))
    }

    fn assumed(&self, env: &Env) -> Found {
        Found::assumed(ID, config_dir(env))
    }

    fn turning_points(&self) -> Vec<&'static str> {
        vec![HOOKS_SINCE]
    }

    fn files(&self, wiring: &Wiring<'_>) -> Vec<ConfigFile> {
        let dir = scope_dir(wiring);
        let mut files = Vec::new();
        if wiring.parts.mcp {
            let mut passed = PASSED_ON.to_vec();
            let consented = wiring.parts.credentials.or_else(|| self.passes_credentials(wiring));
            if consented == Some(true) {
                passed.extend(CREDENTIALS);
            }
            let after = [
                ("env_vars", json!(passed)),
                ("startup_timeout_sec", json!(20)),
                ("tool_timeout_sec", json!(wire::TOOL_TIMEOUT_S)),
            ];
            let value = wire::server(wiring.launcher, ID, &[], &after);
            // Replaced as a whole: leftover fields of another transport would stop every session.
            let edits = vec![wire::set_server(&["mcp_servers"], value, false)];
            files.push(ConfigFile { path: dir.join("config.toml"), format: TOML, role: Role::Mcp, edits });
        }
        if wiring.parts.hooks && wiring.found.at_least(HOOKS_SINCE) != Some(false) {
            let edits = HOOKS
                .iter()
                .map(|(event, matcher, limit)| {
                    wire::put_hook(ID, &["hooks"], event, hook_group(wiring, *matcher, *limit))
                })
                .collect();
            files.push(ConfigFile { path: dir.join("hooks.json"), format: STRICT, role: Role::Hooks, edits });
        }
        if wiring.parts.instructions {
            let path = match wiring.scope {
                Scope::User => dir.join("AGENTS.md"),
                Scope::Project(root) => root.join("AGENTS.md"),
            };
            files.push(ConfigFile {
                path,
                format: Format::new(Dialect::Markdown),
                role: Role::Instructions,
                edits: vec![instructions::block(self)],
            });
        }
        files
    }

    fn former_files(&self, wiring: &Wiring<'_>) -> Vec<ConfigFile> {
        // Events that a newer version had when it was connected.
        let edits: Vec<Edit> =
            HOOKS.iter().map(|(event, ..)| wire::put_hook(ID, &["hooks"], event, Value::Null)).collect();
        let hooks = scope_dir(wiring).join("hooks.json");
        // Approvals are in the user's own file, even those of a project's hooks.
        let config = wiring.found.config_dir.join("config.toml");
        let approvals = approvals::edits(&config, &hooks);
        let mut files = vec![ConfigFile { path: hooks, format: STRICT, role: Role::Hooks, edits }];
        if !approvals.is_empty() {
            files.push(ConfigFile { path: config, format: TOML, role: Role::Hooks, edits: approvals });
        }
        files
    }

    fn owns_payload(&self, input: &HookInput<'_>) -> bool {
        Host::of(input).may_be(Host::Codex)
    }

    fn parse_event(&self, input: &HookInput<'_>) -> Option<Event> {
        dialect::read(ID, input.payload, input.event)
    }

    fn session_variables(&self) -> &'static [&'static str] {
        &["CODEX_SESSION_ID"]
    }

    fn session_start(&self, session: &str, home: &Path) -> Sample {
        Sample {
            event: None,
            payload: json!({"hook_event_name": "SessionStart", "session_id": session, "transcript_path": null,
                "cwd": home, "model": "none", "permission_mode": "default", "source": "startup"}),
        }
    }

    fn transcripts(&self, env: &Env) -> Vec<Source> {
        transcript::sources(env)
    }

    fn formats(&self) -> &'static [&'static Lines] {
        &[transcript::FORMAT]
    }

    fn render_verdict(&self, event: &Event, verdict: &Verdict) -> HookOutput {
        dialect::write(event, verdict)
    }

    fn rewriting(&self, event: &Event) -> Rewriting {
        dialect::rewriting(event)
    }

    // Measured on 0.169.0 with a model that Codex doesn't know; with gpt-5.5 it is 40,000 and 48,000.
    fn view(&self, printed: Printed) -> View {
        match printed {
            Printed::Shell { .. } => View::ends(Size::Bytes(10_000)),
            Printed::Tool => View::ends(Size::Bytes(12_000)),
        }
    }

    fn visible_bytes(&self, call: &ToolCall, output: &Output, whole: &str) -> usize {
        let shown = self.view(Printed::of(call, output)).shown(whole);
        // Codex cuts a replacement in the middle above 10,000 bytes, however much of an output it shows the model.
        output.text.len().min(shown).min(REPLACED - ENDING)
    }

    fn whole<'o>(&self, event: &Event, call: &ToolCall, output: &'o Output) -> Option<Whole<'o>> {
        record::whole(event, call, output)
    }

    // In Codex's own words; a replaced output loses them.
    fn ending(&self, exit: Option<i32>) -> String {
        exit.map(|code| format!("Process exited with code {code}\nOutput:\n")).unwrap_or_default()
    }

    fn rewrites_rather(&self) -> bool {
        // A long output is replaced only if the rollout has it in full.
        true
    }

    fn replaces(&self, event: &Event) -> bool {
        dialect::replaces(event)
    }

    // Measured on 0.169.0 with a model that gets tools directly. Beside any server Codex offers three tools of its own
    // for resources, 1,871 bytes, whether or not the server declares some; two rarely used Plimsoll tools cost 830.
    fn offer(&self) -> Offer {
        Offer {
            tools: LEAN,
            counted: Some(Counted {
                version: "0.169.0",
                bytes: 4_938,
                without: Some(
                    "task and manage (830 bytes), beside the three tools that Codex adds for any server (1,871)",
                ),
            }),
            ..Offer::ALL
        }
    }

    fn tool_name(&self, tool: &str) -> String {
        format!("mcp__{}__{tool}", crate::SERVER_KEY)
    }

    fn rules(&self, env: &Env, project: &Path) -> RuleSet {
        exec_rules::rules(env, &config_dir(env), Path::new("/"), project)
    }

    fn rules_unseen(&self, env: &Env) -> bool {
        settings::started(env).unseen
    }

    fn findings(&self, machine: &Machine<'_>, found: &Found, project: Option<&Path>) -> Vec<Finding> {
        findings::findings(machine, found, project)
    }

    fn trust(&self, machine: &Machine<'_>, found: &Found, _launcher: &Path) -> Trust {
        trust::trust(machine, found)
    }

    fn next_steps(&self, found: &Found) -> Vec<Sentence> {
        let mut steps = Vec::new();
        if found.at_least(HOOKS_SINCE) != Some(false) {
            steps.push(messages::next_codex_hooks());
        }
        steps.push(messages::next_codex());
        steps
    }
}

/// `CODEX_HOME` or `~/.codex`.
fn config_dir(env: &Env) -> PathBuf {
    env.path("CODEX_HOME").unwrap_or_else(|| env.home_dir().join(".codex"))
}

/// Codex reads a project's folder only once the user trusts the project.
fn scope_dir(wiring: &Wiring<'_>) -> PathBuf {
    match wiring.scope {
        Scope::User => wiring.found.config_dir.clone(),
        Scope::Project(root) => root.join(".codex"),
    }
}

/// The desktop app under both of its names. The older chat app shares the second name but has another identifier.
fn applications(machine: &Machine<'_>) -> Vec<(PathBuf, &'static str)> {
    let candidates: Vec<PathBuf> = match machine.env.os() {
        Os::Mac => ["Codex.app", "ChatGPT.app"]
            .into_iter()
            .flat_map(|app| {
                [machine.at_root("/Applications").join(app), machine.in_home("Applications").join(app)]
            })
            .filter(|app| {
                let info = app.join("Contents").join("Info.plist");
                let info = config::bytes(&info).ok().flatten().unwrap_or_default();
                let id = b"com.openai.codex";
                info.windows(id.len()).any(|window| window == id)
            })
            .collect(),
        Os::Windows => {
            let local = machine.env.path("LOCALAPPDATA").unwrap_or_else(|| machine.in_home("AppData/Local"));
            let package = local.join("Packages").join("OpenAI.Codex_2p2nqsd0c76g0");
            package.is_dir().then_some(package).into_iter().collect()
        }
        Os::Linux => Vec::new(),
    };
    candidates.into_iter().map(|path| (path, "Desktop")).collect()
}

fn hook_group(wiring: &Wiring<'_>, matcher: Option<&str>, limit: u64) -> Value {
    let mut handler = json!({ "type": "command", "command": command(wiring) });
    if let Some(command) = command_windows(wiring) {
        handler["commandWindows"] = json!(command);
    }
    handler["timeout"] = json!(limit);
    match matcher {
        Some(matcher) => json!({ "matcher": matcher, "hooks": [handler] }),
        None => json!({ "hooks": [handler] }),
    }
}

/// Whether the launcher is at its default path. Then the command is the same text on every computer and in every
/// version, and an approval stays valid.
fn at_usual_place(wiring: &Wiring<'_>) -> bool {
    let name = if wiring.env.os() == Os::Windows { "plimsoll.exe" } else { "plimsoll" };
    wiring.launcher == wiring.env.home_dir().join(".plimsoll").join("bin").join(name)
}

fn command(wiring: &Wiring<'_>) -> String {
    if at_usual_place(wiring) {
        return format!("\"$HOME/.plimsoll/bin/plimsoll\" hook {ID}");
    }
    command_line::bare(wiring.env, wiring.launcher, &wire::hook_args(ID, None))
}

fn command_windows(wiring: &Wiring<'_>) -> Option<String> {
    if at_usual_place(wiring) {
        return Some(format!("cmd /c \"%USERPROFILE%\\.plimsoll\\bin\\plimsoll.exe\" hook {ID}"));
    }
    (wiring.env.os() == Os::Windows)
        .then(|| format!("cmd /c \"{}\" hook {ID}", command_line::path_text(wiring.launcher)))
}
