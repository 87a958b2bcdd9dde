//! GitHub Copilot CLI, and the hooks that it shares with VS Code.
//!
//! Copilot CLI, VS Code's agent host (the same program) and VS Code's local chat all read `~/.copilot/hooks/*.json`. One
//! file serves all of them, so that nothing runs twice; its command names `copilot-cli` and the event, because the CLI's
//! payload doesn't. The payload's shape tells them apart: the CLI sends `toolName`/`toolArgs`, local chat
//! `hookEventName`, `tool_name`, `tool_input`, and each reads its own kind of answer. Copilot CLI also runs a project's
//! Claude hooks with Claude's payload; those aren't answered here.

mod dialect;
pub(crate) mod findings;
mod permissions;
mod plugin;
mod refused_commands;
mod telemetry;
mod transcript;

use std::path::{Path, PathBuf};

use edits::{Comment, Dialect, Edit, Format};
use home::Env;
use rules::RuleSet;
use serde_json::{Value, json};
use transcripts::{Format as Lines, Source};

use crate::command_line::HookLine;
use crate::config::{self, Syntax};
use crate::host::Host;
use crate::offer::MeasuredCost;
use crate::output_frame::is_chosen_by_copilot;
use crate::payload::{has, text};
use crate::{
    Agent, Capabilities, ConfigFile, EntryContext, Event, EventKind, Finding, FullOutput, HookInput,
    HookOutput, Installation, Machine, MemorySources, Offer, Output, OutputKind, OutputLimits, OutputSize,
    Parts, Role, Sample, Scope, ToolCall, Truncation, Verdict, claude_code, entries, instructions,
};

use crate::vscode::local_chat;

/// Copilot CLI.
pub(crate) struct CopilotCli;

pub(crate) const ID: &str = "copilot-cli";
/// The shared file's events; local chat uses the same names for those that it has.
pub(crate) const EVENTS: [&str; 10] = [
    "sessionStart",
    "userPromptSubmitted",
    "preToolUse",
    "postToolUse",
    "postToolUseFailure",
    "preCompact",
    "subagentStart",
    "subagentStop",
    "agentStop",
    "sessionEnd",
];

impl Agent for CopilotCli {
    fn id(&self) -> &'static str {
        ID
    }

    fn name(&self) -> &'static str {
        "Copilot CLI"
    }

    fn mark(&self) -> &'static str {
        "Co"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["copilot", "github-copilot-cli", "gh-copilot", "github-copilot"]
    }

    fn client_names(&self) -> &'static [&'static str] {
        &["copilot-cli", "github-copilot"]
    }

    fn detect(&self, machine: &Machine<'_>) -> Option<Installation> {
        let dir = config_dir(machine.env);
        // VS Code creates the folder too; only files that the CLI writes count.
        let used =
            ["config.json", "session-state", "mcp-config.json"].iter().any(|name| dir.join(name).exists());
        let mut installation = machine.find(ID, &["copilot"], dir, &[])?;
        if installation.program.is_none() && !used {
            return None;
        }
        if !used {
            installation.evidence.retain(|evidence| evidence.how != "config folder");
        }
        Some(installation)
    }

    fn capabilities(&self, _installation: &Installation) -> Capabilities {
        Capabilities { tools: true, filtering: true, notes: true }
    }

    fn tested_versions(&self) -> &'static [&'static str] {
        &["1.0.102"]
    }

    fn assumed_installation(&self, env: &Env) -> Installation {
        Installation::assumed(ID, config_dir(env))
    }

    fn files(&self, context: &EntryContext<'_>) -> Vec<ConfigFile> {
        let mut files = Vec::new();
        if context.parts.mcp {
            files.push(mcp_file(context));
        }
        if context.parts.hooks {
            files.push(hooks_file(context, &context.installation.config_dir));
        }
        if context.parts.instructions {
            let path = match context.scope {
                Scope::User => context.installation.config_dir.join("copilot-instructions.md"),
                Scope::Project(root) => root.join(".github").join("copilot-instructions.md"),
            };
            let block = Edit::Block {
                id: crate::SERVER_KEY.to_owned(),
                text: instructions::text(self),
                comment: Comment::Html,
            };
            let format = Format::new(Dialect::Markdown);
            files.push(ConfigFile { path, format, role: Role::Instructions, edits: vec![block] });
        }
        files
    }

    fn former_files(&self, context: &EntryContext<'_>) -> Vec<ConfigFile> {
        vec![former_hooks_file(context, &context.installation.config_dir)]
    }

    fn owns_payload(&self, input: &HookInput<'_>) -> bool {
        if claude_shaped(input) {
            return false;
        }
        matches!(Host::of(input), Host::CopilotCli | Host::VsCode)
    }

    fn parse_event(&self, input: &HookInput<'_>) -> Option<Event> {
        if is_local(input.payload) { local_chat::parse_event(input) } else { dialect::parse_event(input) }
    }

    fn session_variables(&self) -> &'static [&'static str] {
        &["COPILOT_AGENT_SESSION_ID"]
    }

    fn session_start(&self, session: &str, home: &Path) -> Sample {
        Sample {
            event: Some("sessionStart"),
            payload: json!({"sessionId": session, "timestamp": 1_767_225_600_000_i64, "cwd": home, "source": "new"}),
        }
    }

    fn project_variables(&self) -> &'static [&'static str] {
        &["COPILOT_PROJECT_DIR"]
    }

    fn memory_sources(&self, _env: &Env, project: Option<&Path>) -> MemorySources {
        let github = project.map(|folder| folder.join(".github"));
        let instructions =
            github.map(|dir| ["copilot-instructions.md", "instructions"].map(|name| dir.join(name)));
        MemorySources {
            instructions: instructions.into_iter().flatten().collect(),
            ..MemorySources::default()
        }
    }

    fn transcripts(&self, env: &Env) -> Vec<Source> {
        transcript::sources(env)
    }

    fn transcript_of(&self, env: &Env, session: &str) -> Option<PathBuf> {
        transcript::of_session(env, session)
    }

    fn formats(&self) -> &'static [&'static Lines] {
        &[transcript::FORMAT, telemetry::FORMAT]
    }

    fn plugin_files(&self, version: &str) -> Vec<crate::plugin::PluginFile> {
        plugin::files(version)
    }

    fn render_verdict(&self, event: &Event, verdict: &Verdict) -> HookOutput {
        if event.agent == local_chat::ID {
            local_chat::render_verdict(event, verdict)
        } else {
            dialect::render_verdict(event, verdict)
        }
    }

    fn restarts_after_compaction(&self) -> bool {
        false
    }

    // Measured on 1.0.102. The notice: everything but the folder's path.
    fn output_limits(&self, _kind: OutputKind) -> OutputLimits {
        let truncation = Truncation::Start { chars: 500, at_line: false };
        OutputLimits {
            limit: OutputSize::Bytes(20_480),
            max_lines: usize::MAX,
            truncation,
            notice_bytes: 330,
        }
    }

    fn visible_bytes(&self, call: &ToolCall, output: &Output, whole: &str) -> usize {
        if self.has_chosen_lines(output) {
            return output.text.len();
        }
        output.text.len().min(self.output_limits(OutputKind::of(call, output)).visible_bytes(whole))
    }

    fn has_chosen_lines(&self, output: &Output) -> bool {
        is_chosen_by_copilot(&output.text)
    }

    fn full_output<'o>(
        &self,
        _event: &Event,
        _call: &ToolCall,
        output: &'o Output,
    ) -> Option<FullOutput<'o>> {
        // Another version may name the file in other words, and what was chosen isn't the whole.
        if self.has_chosen_lines(output) && output.full_in.is_none() {
            return None;
        }
        FullOutput::from_file(output)
    }

    fn has_ended(&self, call: &ToolCall) -> bool {
        dialect::has_ended(call)
    }

    fn replaces_output(&self, event: &Event) -> bool {
        event.kind == EventKind::PostTool && event.agent == "copilot-cli"
    }

    // Measured on 1.0.102: resources and prompts cost nothing there.
    fn offer(&self) -> Offer {
        Offer {
            measured: Some(MeasuredCost { version: "1.0.102", bytes: 3_952, left_out: None }),
            ..Offer::UNCOUNTED
        }
    }

    fn tool_name(&self, tool: &str) -> String {
        format!("plimsoll-{tool}")
    }

    fn plugin(&self, installation: &Installation, _project: Option<&Path>) -> Option<PathBuf> {
        let file = installation.config_dir.join("settings.json");
        // The list of plugins decides; a plugin installed without a marketplace isn't on it.
        if let Some(on) = crate::plugin::is_enabled_in(&config::read_or_nothing(&file, Syntax::Jsonc)) {
            return on.then_some(file);
        }
        let installed = installation.config_dir.join("installed-plugins");
        let below =
            |dir: &Path| std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
        let ours = |folder: &PathBuf| {
            let manifest = config::read_or_nothing(&folder.join("plugin.json"), Syntax::Strict);
            text(&manifest, "name") == Some(crate::plugin::NAME)
        };
        below(&installed).flat_map(|marketplace| below(&marketplace).collect::<Vec<_>>()).find(ours)
    }

    fn plugin_removal(&self) -> &'static str {
        "copilot plugin uninstall plimsoll"
    }

    fn rules(&self, env: &Env, project: &Path) -> RuleSet {
        permissions::rules(env, &config_dir(env), project)
    }

    fn refusal_reason(&self, command: &str) -> Option<&'static str> {
        refused_commands::reason(command)
    }

    fn has_hidden_rules(&self, env: &Env) -> bool {
        permissions::process(env).hidden
    }

    fn findings(
        &self,
        machine: &Machine<'_>,
        installation: &Installation,
        _project: Option<&Path>,
    ) -> Vec<Finding> {
        findings::findings(machine, installation)
    }
}

/// `~/.copilot`, or where `COPILOT_HOME` moves it.
pub(crate) fn config_dir(env: &Env) -> PathBuf {
    env.path("COPILOT_HOME").unwrap_or_else(|| env.home_dir().join(".copilot"))
}

/// The user's file, or in a project the `.mcp.json` that Copilot CLI shares with Claude Code: one entry serves both,
/// under Claude Code's name.
fn mcp_file(context: &EntryContext<'_>) -> ConfigFile {
    if let Scope::Project(_) = context.scope {
        let installation = claude_code::ClaudeCode.assumed_installation(context.env);
        let parts = Parts { mcp: true, hooks: false, instructions: false, credentials: None };
        let shared = claude_code::ClaudeCode.files(&EntryContext {
            installation: &installation,
            parts,
            ..context.clone()
        });
        if let Some(file) = shared.into_iter().next() {
            return file;
        }
    }
    let after = [("tools", json!(["*"])), ("timeout", json!(entries::TOOL_TIMEOUT_S * 1000))];
    let entry = entries::server(context.launcher, ID, &[("type", json!("local"))], &after);
    ConfigFile {
        path: context.installation.config_dir.join("mcp-config.json"),
        format: Format::new(Dialect::Jsonc),
        role: Role::Mcp,
        edits: vec![entries::set_server(&["mcpServers"], entry, true)],
    }
}

/// The hook registration that Copilot CLI and VS Code share, the same whichever is connected.
pub(crate) fn hooks_file(context: &EntryContext<'_>, dir: &Path) -> ConfigFile {
    let dir = match context.scope {
        Scope::User => dir.to_path_buf(),
        Scope::Project(root) => root.join(".github"),
    };
    let mut edits = vec![Edit::SetIfAbsent { path: vec!["version".to_owned()], value: json!(1) }];
    edits.extend(EVENTS.iter().map(|event| {
        let line = HookLine::silent(context.launcher, ID, Some(event));
        let handler = json!({
            "type": "command",
            "bash": line.posix(),
            "powershell": line.powershell(),
            "timeoutSec": entries::HOOK_TIMEOUT_S,
        });
        entries::put_hook(ID, &["hooks"], event, handler)
    }));
    // A comment or a byte order mark makes Copilot CLI silently ignore the file.
    ConfigFile {
        path: dir.join("hooks").join("plimsoll.json"),
        format: Format::without_bom(Dialect::Json),
        role: Role::Hooks,
        edits,
    }
}

/// The same file with nothing to write: finds hooks that the user moved to another event.
pub(crate) fn former_hooks_file(context: &EntryContext<'_>, dir: &Path) -> ConfigFile {
    ConfigFile { edits: vec![entries::remove_hooks(ID, &["hooks"])], ..hooks_file(context, dir) }
}

/// Whether Copilot CLI runs a project's `.claude` hooks: Claude's field names in Copilot's environment.
fn claude_shaped(input: &HookInput<'_>) -> bool {
    input.env.var("COPILOT_CLI").is_some()
        && has(input.payload, "hook_event_name")
        && !has(input.payload, "hookEventName")
}

/// Whether the payload is local chat's.
fn is_local(payload: &Value) -> bool {
    has(payload, "hookEventName") || has(payload, "hook_event_name") || has(payload, "tool_name")
}
