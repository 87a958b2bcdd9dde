//! Claude Code: terminal, desktop app and editor extensions, which share files and fire the same hooks.
//!
//! Owns its detection, its entries and what its versions support. `dialect` parses payloads and renders replies,
//! `layers` reads settings, `flags` the command line, and `permissions` makes rules from both. Doesn't know what a
//! verdict should be.

mod dialect;
mod findings;
mod flags;
mod layers;
mod memory;
mod options;
mod permissions;
mod plugin;
mod policies;
mod transcript;

use std::path::{Path, PathBuf};

use contract::Sentence;
use edits::{Dialect, Edit, Format};
use home::{Env, Os};
use rules::RuleSet;
use serde_json::{Value, json};
use transcripts::{Format as Lines, Source};

use crate::config::{self, Syntax};
use crate::host::Host;
use crate::offer::MeasuredCost;
use crate::{
    Agent, Capabilities, ConfigFile, EntryContext, Event, EventKind, Finding, HookInput, HookOutput,
    Installation, Machine, MemorySources, Offer, Output, OutputKind, OutputLimits, OutputSize, Rewriting,
    Role, Sample, Scope, ToolCall, Truncation, Verdict, command_line, entries, instructions, messages,
};

/// The agent.
#[derive(Debug)]
pub(crate) struct ClaudeCode;

pub(crate) const ID: &str = "claude-code";

/// From this version, hook handlers may carry `args` and start without a shell; earlier versions would run the
/// bare command.
const EXEC_FORM: &str = "2.1.139";
/// `alwaysLoad` and `updatedToolOutput` work from this version.
const ALWAYS_LOAD: &str = "2.1.121";

/// The registered hooks: event, matcher, first version that has the event. A matcher of plain names matches exactly.
pub(crate) const HOOKS: [(&str, Option<&str>, &str); 10] = [
    ("SessionStart", None, "1.0.62"),
    ("UserPromptSubmit", None, "1.0.54"),
    ("PreToolUse", Some("Bash|PowerShell|Monitor|Read|Grep|Glob|WebFetch|Task|Agent"), "1.0.38"),
    ("PostToolUse", None, "1.0.38"),
    ("PostToolUseFailure", None, "2.1.0"),
    ("SubagentStart", None, "2.0.43"),
    ("SubagentStop", None, "1.0.41"),
    ("PreCompact", None, "1.0.48"),
    ("Stop", None, "1.0.38"),
    ("SessionEnd", None, "1.0.85"),
];

/// The prefix of Plimsoll's tools in the plugin: plugin and server are both called `plimsoll`.
pub(crate) const IN_PLUGIN: &str = "mcp__plugin_plimsoll_plimsoll__";

/// Strict JSON, but these two files may start with a byte order mark.
const FORMAT: Format = Format { dialect: Dialect::Json, bom_ok: true };

impl Agent for ClaudeCode {
    fn id(&self) -> &'static str {
        ID
    }

    fn name(&self) -> &'static str {
        "Claude Code"
    }

    fn mark(&self) -> &'static str {
        "Cl"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["claude"]
    }

    fn client_names(&self) -> &'static [&'static str] {
        &["claude-code"]
    }

    fn detect(&self, machine: &Machine<'_>) -> Option<Installation> {
        machine.find(ID, &["claude"], config_dir(machine.env), &[])
    }

    fn capabilities(&self, installation: &Installation) -> Capabilities {
        Capabilities {
            tools: true,
            filtering: installation.at_least(ALWAYS_LOAD) != Some(false),
            notes: true,
        }
    }

    fn tested_versions(&self) -> &'static [&'static str] {
        &["2.1.197", "2.1.332"]
    }

    fn assumed_installation(&self, env: &Env) -> Installation {
        Installation::assumed(ID, config_dir(env))
    }

    fn entry_versions(&self) -> Vec<&'static str> {
        [EXEC_FORM, ALWAYS_LOAD].into_iter().chain(HOOKS.iter().map(|(_, _, since)| *since)).collect()
    }

    fn files(&self, context: &EntryContext<'_>) -> Vec<ConfigFile> {
        let mut files = Vec::new();
        if context.parts.mcp {
            files.push(ConfigFile {
                path: mcp_file(context.scope, context.env),
                format: FORMAT,
                role: Role::Mcp,
                edits: vec![entries::set_server(&["mcpServers"], server(context), true)],
            });
        }
        if context.parts.hooks {
            let edits: Vec<Edit> = HOOKS
                .iter()
                .filter(|(_, _, since)| context.installation.at_least(since) != Some(false))
                .map(|(event, matcher, _)| {
                    entries::put_hook(ID, &["hooks"], event, hook_group(context, *matcher))
                })
                .collect();
            files.push(ConfigFile { path: hooks_file(context), format: FORMAT, role: Role::Hooks, edits });
        }
        if context.parts.instructions {
            let path = match context.scope {
                Scope::User => context.installation.config_dir.join("CLAUDE.md"),
                Scope::Project(root) => root.join("CLAUDE.md"),
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
        // Events that a newer version had when it was connected, and servers that other tools wrote to the settings
        // file, where Claude Code doesn't look for servers.
        let edits = vec![entries::remove_hooks(ID, &["hooks"]), entries::remove_server(&["mcpServers"])];
        vec![ConfigFile { path: hooks_file(context), format: FORMAT, role: Role::Hooks, edits }]
    }

    fn owns_payload(&self, input: &HookInput<'_>) -> bool {
        Host::of(input).may_be(Host::Claude)
    }

    fn parse_event(&self, input: &HookInput<'_>) -> Option<Event> {
        dialect::parse_event(ID, input.payload, input.event)
    }

    fn session_variables(&self) -> &'static [&'static str] {
        &["CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID"]
    }

    fn session_start(&self, session: &str, home: &Path) -> Sample {
        Sample {
            event: None,
            payload: json!({"hook_event_name": "SessionStart", "session_id": session, "cwd": home,
                "transcript_path": home.join(".claude/projects/none").join("none.jsonl").display().to_string(),
                "source": "startup"}),
        }
    }

    fn project_variables(&self) -> &'static [&'static str] {
        &["CLAUDE_PROJECT_DIR"]
    }

    fn memory_sources(&self, env: &Env, project: Option<&Path>) -> MemorySources {
        memory::sources(env, project)
    }

    fn transcripts(&self, env: &Env) -> Vec<Source> {
        transcript::sources(env)
    }

    fn formats(&self) -> &'static [&'static Lines] {
        &[transcript::FORMAT]
    }

    fn plugin_files(&self, version: &str) -> Vec<crate::plugin::PluginFile> {
        plugin::files(version)
    }

    fn render_verdict(&self, event: &Event, verdict: &Verdict) -> HookOutput {
        dialect::render_verdict(event, verdict)
    }

    fn rewriting(&self, event: &Event) -> Rewriting {
        match event.permission_mode.as_deref() {
            Some("bypassPermissions") => Rewriting::Free,
            // Nothing runs during planning, and an "allow" from Plimsoll must not change that.
            Some("plan") => Rewriting::Never,
            _ => Rewriting::WhenAllowed,
        }
    }

    // Measured on 2.1.197 and 2.1.330. The notice: 115 bytes around a preview and the file's path, which has at least 89.
    fn output_limits(&self, kind: OutputKind) -> OutputLimits {
        let preview = Truncation::Start { chars: 2_000, at_line: true };
        let kept =
            |limit| OutputLimits { limit, max_lines: usize::MAX, truncation: preview, notice_bytes: 204 };
        match kind {
            OutputKind::Shell { failed: false } => kept(OutputSize::Bytes(30_000)),
            // The middle is left out, and no file contains it.
            OutputKind::Shell { failed: true } => OutputLimits::both_ends(OutputSize::Chars(10_000)),
            // The preview shows only the JSON around the text.
            OutputKind::Tool => OutputLimits {
                truncation: Truncation::BothEnds(OutputSize::Chars(1_990)),
                ..kept(OutputSize::Chars(50_000))
            },
        }
    }

    fn visible_bytes(&self, call: &ToolCall, output: &Output, whole: &str) -> usize {
        let usual = self.output_limits(OutputKind::of(call, output));
        // Newer versions have a setting for the limit; whatever it is, an output in a file has passed it.
        let passed = OutputLimits { limit: OutputSize::Bytes(0), ..usual };
        let limits = if output.full_in.is_some() { passed } else { usual };
        output.text.len().min(limits.visible_bytes(whole))
    }

    fn streams_output(&self, call: &ToolCall) -> bool {
        call.name == dialect::MONITOR
    }

    fn has_ended(&self, call: &ToolCall) -> bool {
        dialect::has_ended(call)
    }

    fn replaces_output(&self, event: &Event) -> bool {
        event.kind == EventKind::PostTool
    }

    fn others_replace_output(&self, tool: &str, env: &Env, project: &Path) -> bool {
        permissions::replaces_output(env, &config_dir(env), Path::new("/"), project, tool)
    }

    // On Windows its Bash is Git's.
    fn posix_shell(&self, call: &ToolCall, _os: Os) -> bool {
        !call.is_powershell()
    }

    fn project(&self, env: &Env) -> Option<PathBuf> {
        // The payload's folder is wherever the last `cd` went.
        layers::env_project(env).or_else(|| flags::of_process(env, env.cwd()).cwd)
    }

    /// Its permission prompt wouldn't show them (measured on 2.1.197 and 2.1.330): control characters but tab and line end.
    fn refusal_reason(&self, command: &str) -> Option<&'static str> {
        let hidden = command.chars().any(|c| c.is_control() && !matches!(c, '\t' | '\n'));
        hidden.then_some(
            "it contains control characters, which nobody sees; end lines with a plain newline and write other characters as \
             escapes, such as `printf '\\r'`",
        )
    }

    fn has_hidden_rules(&self, env: &Env) -> bool {
        permissions::has_hidden_rules(env, &config_dir(env), Path::new("/"), env.cwd())
    }

    // Measured on 2.1.197.
    fn offer(&self) -> Offer {
        Offer {
            resources: false,
            measured: Some(MeasuredCost {
                version: "2.1.197",
                bytes: 4_300,
                left_out: Some("resources, for which it would add three tools of its own (2,080 bytes)"),
            }),
            ..Offer::UNCOUNTED
        }
    }

    fn tool_name(&self, tool: &str) -> String {
        format!("mcp__{}__{tool}", crate::SERVER_KEY)
    }

    fn tool_name_in_plugin(&self, tool: &str) -> String {
        format!("{IN_PLUGIN}{tool}")
    }

    fn plugin(&self, installation: &Installation, project: Option<&Path>) -> Option<PathBuf> {
        let user = installation.config_dir.join("settings.json");
        let of_project = project.into_iter().flat_map(|project| {
            ["settings.json", "settings.local.json"].map(|name| project.join(".claude").join(name))
        });
        let on = |file: &PathBuf| {
            crate::plugin::is_enabled_in(&config::read_or_nothing(file, Syntax::Strict)) == Some(true)
        };
        std::iter::once(user).chain(of_project).find(on)
    }

    fn plugin_removal(&self) -> &'static str {
        "claude plugin uninstall plimsoll"
    }

    fn rules(&self, env: &Env, project: &Path) -> RuleSet {
        permissions::rules(env, &config_dir(env), &mcp_file(&Scope::User, env), Path::new("/"), project)
    }

    fn findings(
        &self,
        machine: &Machine<'_>,
        installation: &Installation,
        project: Option<&Path>,
    ) -> Vec<Finding> {
        findings::findings(machine, &installation.config_dir, &mcp_file(&Scope::User, machine.env), project)
    }

    fn next_steps(&self, _installation: &Installation, _hooks: bool) -> Vec<Sentence> {
        vec![messages::next_claude_code()]
    }
}

/// `CLAUDE_CONFIG_DIR` or `~/.claude`.
fn config_dir(env: &Env) -> PathBuf {
    env.path("CLAUDE_CONFIG_DIR").unwrap_or_else(|| env.home_dir().join(".claude"))
}

/// The file that lists servers; the override moves it *into* the folder.
fn mcp_file(scope: &Scope, env: &Env) -> PathBuf {
    match (scope, env.path("CLAUDE_CONFIG_DIR")) {
        (Scope::Project(root), _) => root.join(".mcp.json"),
        (Scope::User, Some(dir)) => dir.join(".claude.json"),
        (Scope::User, None) => env.home_dir().join(".claude.json"),
    }
}

fn hooks_file(context: &EntryContext<'_>) -> PathBuf {
    match context.scope {
        Scope::User => context.installation.config_dir.join("settings.json"),
        Scope::Project(root) => root.join(".claude").join("settings.json"),
    }
}

fn server(context: &EntryContext<'_>) -> Value {
    let mut after = vec![("timeout", json!(entries::TOOL_TIMEOUT_S * 1000))];
    if context.installation.at_least(ALWAYS_LOAD) != Some(false) {
        // Without it, the model sees only the tools' names once tool search is on.
        after.push(("alwaysLoad", json!(true)));
    }
    entries::server(context.launcher, ID, &[("type", json!("stdio"))], &after)
}

fn hook_group(context: &EntryContext<'_>, matcher: Option<&str>) -> Value {
    let args = entries::hook_args(ID, None);
    let handler = if context.installation.at_least(EXEC_FORM) == Some(true) {
        json!({
            "type": "command",
            "command": command_line::path_text(context.launcher),
            "args": args,
            "timeout": entries::HOOK_TIMEOUT_S,
        })
    } else {
        json!({
            "type": "command",
            "command": command_line::bare(context.env, context.launcher, &args),
            "timeout": entries::HOOK_TIMEOUT_S,
        })
    };
    match matcher {
        Some(matcher) => json!({ "matcher": matcher, "hooks": [handler] }),
        None => json!({ "hooks": [handler] }),
    }
}

/// An administrator's settings folders, most general first.
fn managed_dirs(os: Os, root: &Path) -> Vec<PathBuf> {
    match os {
        Os::Linux => vec![root.join("etc/claude-code")],
        Os::Mac => vec![root.join("Library/Application Support/ClaudeCode")],
        // Versions before 2.1.75 looked in the second.
        Os::Windows => {
            [r"C:\Program Files\ClaudeCode", r"C:\ProgramData\ClaudeCode"].map(PathBuf::from).to_vec()
        }
    }
}
