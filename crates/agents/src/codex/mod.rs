//! Codex: CLI, desktop app and editor extension, which share one folder.
//!
//! Owns its detection and its entries: the server in `config.toml` (`server_entry`), the hooks in `hooks.json` (a fault in
//! `[hooks]` of `config.toml` would keep Codex from starting). `dialect` parses payloads and renders replies, `exec_rules` reads its
//! command rules, `sandbox_settings` the files that its sandbox protects, `trust` asks Codex which hooks the user has
//! approved, `approvals` removes those of Plimsoll's hooks. Nothing here approves a hook: that is the user's consent.

mod approvals;
mod dialect;
mod exec_rules;
mod findings;
mod hook_command;
mod memory;
mod rollout;
mod sandbox_settings;
mod server_entry;
mod transcript;
mod trust;
mod turn;

use std::path::{Path, PathBuf};

use contract::{Sentence, joined};
use edits::{Dialect, Format};
use home::{Env, Os};
use rules::RuleSet;
use serde_json::{Map, Value, json};
use transcripts::{Format as Lines, Source};

use crate::config::{self, Syntax};
use crate::host::Host;
use crate::offer::{LEAN, MeasuredCost};
use crate::other_hooks::{self, UserHooks};
use crate::{
    Agent, Capabilities, ConfigFile, EntryContext, Event, Evidence, Finding, FullOutput, HookInput,
    HookOutput, Installation, Machine, MemorySources, Offer, Output, OutputKind, OutputLimits, OutputSize,
    Rewriting, Role, Sample, Scope, ToolCall, Trust, Verdict, entries, instructions, messages,
};

/// The agent.
#[derive(Debug)]
pub(crate) struct Codex;

const ID: &str = "codex";

/// Earlier versions lack hook events, trust or `commandWindows`.
const HOOKS_SINCE: &str = "0.145.0";

/// The hooks before a command. They are started in the project, without a variable that names it.
const COMMAND_HOOKS: UserHooks<'static> =
    UserHooks { event: "PreToolUse", tool: "Bash", answer: &["updatedInput"], folder_variables: &[] };

/// The registered hooks: event, matcher (a regular expression), time limit in seconds. Codex allows at most three
/// seconds at the end of a session.
const HOOKS: [(&str, Option<&str>, u64); 9] = [
    ("SessionStart", None, entries::HOOK_TIMEOUT_S),
    ("UserPromptSubmit", None, entries::HOOK_TIMEOUT_S),
    ("PreToolUse", Some("Bash"), entries::HOOK_TIMEOUT_S),
    ("PostToolUse", None, entries::HOOK_TIMEOUT_S),
    ("SubagentStart", None, entries::HOOK_TIMEOUT_S),
    ("SubagentStop", None, entries::HOOK_TIMEOUT_S),
    ("PreCompact", None, entries::HOOK_TIMEOUT_S),
    ("Stop", None, entries::HOOK_TIMEOUT_S),
    ("SessionEnd", None, 3),
];

/// Codex shows a hook's replacement text in full up to this many bytes (measured on 0.169.0).
const MAX_REPLACEMENT: usize = 10_000;
/// Room for the exit notice before that text.
const EXIT_NOTICE_ROOM: usize = 64;

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

    fn detect(&self, machine: &Machine<'_>) -> Option<Installation> {
        let mut installation = machine.find(ID, &["codex"], config_dir(machine.env), &[]);
        for (path, product) in applications(machine) {
            let installation = installation.get_or_insert_with(|| self.assumed_installation(machine.env));
            installation.evidence.push(Evidence { how: "application".to_owned(), path });
            installation.products.push(product.to_owned());
        }
        installation
    }

    fn capabilities(&self, installation: &Installation) -> Capabilities {
        let hooks = installation.at_least(HOOKS_SINCE) != Some(false);
        Capabilities { tools: true, filtering: hooks, notes: hooks }
    }

    fn withholds_credentials(&self) -> bool {
        true
    }

    fn passes_credentials(&self, context: &EntryContext<'_>) -> Option<bool> {
        Some(server_entry::passes_credentials(&scope_dir(context).join("config.toml")))
    }

    fn tested_versions(&self) -> &'static [&'static str] {
        &["0.171.0"]
    }

    fn assumed_installation(&self, env: &Env) -> Installation {
        Installation::assumed(ID, config_dir(env))
    }

    fn entry_versions(&self) -> Vec<&'static str> {
        vec![HOOKS_SINCE]
    }

    fn files(&self, context: &EntryContext<'_>) -> Vec<ConfigFile> {
        let dir = scope_dir(context);
        let mut files = Vec::new();
        if context.parts.mcp {
            let consented = context.parts.credentials.or_else(|| self.passes_credentials(context));
            let path = dir.join("config.toml");
            let edits = vec![server_entry::edit(context.launcher, &path, consented == Some(true))];
            files.push(ConfigFile { path, format: TOML, role: Role::Mcp, edits });
        }
        if context.parts.hooks && context.installation.at_least(HOOKS_SINCE) != Some(false) {
            let edits = HOOKS
                .iter()
                .map(|(event, matcher, limit)| {
                    entries::put_hook(
                        ID,
                        &["hooks"],
                        event,
                        hook_command::hook_group(context, *matcher, *limit),
                    )
                })
                .collect();
            files.push(ConfigFile { path: dir.join("hooks.json"), format: STRICT, role: Role::Hooks, edits });
        }
        if context.parts.instructions {
            let path = match context.scope {
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

    fn former_files(&self, context: &EntryContext<'_>) -> Vec<ConfigFile> {
        // Events that a newer version had when it was connected.
        let edits = vec![entries::remove_hooks(ID, &["hooks"])];
        let hooks = scope_dir(context).join("hooks.json");
        // Approvals are in the user's own file, even those of a project's hooks.
        let config = context.installation.config_dir.join("config.toml");
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
        dialect::parse_event(ID, input.payload, input.event)
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

    fn memory_sources(&self, env: &Env, project: Option<&Path>) -> MemorySources {
        memory::sources(env, project)
    }

    // Its models call `apply_patch` in the shell, and Codex passes nothing on that a hook says after it.
    fn patches_from_shell(&self) -> bool {
        true
    }

    fn transcripts(&self, env: &Env) -> Vec<Source> {
        transcript::sources(env)
    }

    fn formats(&self) -> &'static [&'static Lines] {
        &[transcript::FORMAT]
    }

    fn render_verdict(&self, event: &Event, verdict: &Verdict) -> HookOutput {
        dialect::render_verdict(event, verdict)
    }

    fn rewriting(&self, event: &Event) -> Rewriting {
        dialect::rewriting(event)
    }

    // Measured on 0.169.0 with a model that Codex doesn't know; with gpt-5.5 it is 40,000 and 48,000.
    fn output_limits(&self, kind: OutputKind) -> OutputLimits {
        match kind {
            OutputKind::Shell { .. } => OutputLimits::both_ends(OutputSize::Bytes(10_000)),
            OutputKind::Tool => OutputLimits::both_ends(OutputSize::Bytes(12_000)),
        }
    }

    fn visible_bytes(&self, call: &ToolCall, output: &Output, whole: &str) -> usize {
        let shown = self.output_limits(OutputKind::of(call, output)).visible_bytes(whole);
        // Codex cuts a replacement in the middle above 10,000 bytes, however much of an output it shows the model.
        output.text.len().min(shown).min(MAX_REPLACEMENT - EXIT_NOTICE_ROOM)
    }

    fn full_output<'o>(&self, event: &Event, call: &ToolCall, output: &'o Output) -> Option<FullOutput<'o>> {
        rollout::full_output(event, call, output)
    }

    // In Codex's own words; a replaced output loses them.
    fn exit_notice(&self, exit: Option<i32>) -> String {
        exit.map(|code| format!("Process exited with code {code}\nOutput:\n")).unwrap_or_default()
    }

    fn prefers_rewriting(&self) -> bool {
        // A long output is replaced only if the rollout has it in full.
        true
    }

    fn rewriting_approves(&self) -> bool {
        true
    }

    fn replaces_output(&self, event: &Event) -> bool {
        dialect::replaces(event)
    }

    // Measured on 0.169.0 with a model that gets tools directly. Beside any server Codex offers three tools of its own
    // for resources, 1,871 bytes, whether or not the server declares some; two rarely used Plimsoll tools cost 830.
    fn offer(&self) -> Offer {
        Offer {
            tools: LEAN,
            measured: Some(MeasuredCost {
                version: "0.169.0",
                bytes: 4_938,
                left_out: Some(
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
        let config_dir = config_dir(env);
        let mut set = exec_rules::rules(env, &config_dir, Path::new("/"), project);
        let folders = exec_rules::project_folders(project).into_iter().map(|folder| folder.join(".codex"));
        set.commands_replaced = std::iter::once(config_dir).chain(folders).any(|folder| {
            let places = [("hooks.json", Syntax::Strict), ("config.toml", Syntax::Toml)];
            places.into_iter().any(|(name, syntax)| {
                let hooks = config::read_or_nothing(&folder.join(name), syntax);
                other_hooks::any_replaces(&COMMAND_HOOKS, &hooks, env.home_dir(), project)
            })
        });
        set
    }

    fn experimental_capabilities(&self) -> &'static [&'static str] {
        &[turn::PROFILE_CAPABILITY]
    }

    fn apply_call(&self, meta: &Map<String, Value>, env: &Env, project: &Path, rules: &mut RuleSet) {
        turn::apply(meta, env, project, rules);
    }

    fn has_hidden_rules(&self, env: &Env) -> bool {
        sandbox_settings::process(env).hidden
    }

    fn findings(
        &self,
        machine: &Machine<'_>,
        installation: &Installation,
        project: Option<&Path>,
    ) -> Vec<Finding> {
        findings::findings(machine, installation, project)
    }

    fn trust(&self, machine: &Machine<'_>, installation: &Installation, _launcher: &Path) -> Trust {
        trust::trust(machine, installation)
    }

    fn next_steps(&self, installation: &Installation, hooks: bool) -> Vec<Sentence> {
        let file = installation.config_dir.join("config.toml");
        let off = findings::switched_off_server(&config::read_or_nothing(&file, Syntax::Toml), &file);
        let mut steps: Vec<Sentence> =
            off.into_iter().map(|off| joined::finding(off.what, off.remedy)).collect();
        if hooks && installation.at_least(HOOKS_SINCE) != Some(false) {
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
fn scope_dir(context: &EntryContext<'_>) -> PathBuf {
    match context.scope {
        Scope::User => context.installation.config_dir.clone(),
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
