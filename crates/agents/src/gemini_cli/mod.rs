//! Gemini CLI. Servers, hooks and switches share one file, `settings.json`.
//!
//! Owns its detection and its entries. `dialect` parses payloads and renders replies, `policy` reads its exclusions and
//! policy files, `subagents` detects a subagent's call. Doesn't know Antigravity, which shares the parent folder.

mod dialect;
mod findings;
mod flags;
mod plugin;
mod policy;
mod subagents;
mod transcript;

use std::path::{Path, PathBuf};

use contract::Sentence;
use edits::{Dialect, Edit, Format};
use home::{Env, Os};
use rules::RuleSet;
use serde_json::{Map, Value, json};
use transcripts::{Format as Lines, Source};

use crate::command_line::HookLine;
use crate::config::{self, Syntax};
use crate::host::Host;
use crate::offer::{LEAN, MeasuredCost};
use crate::{
    Agent, CREDENTIALS, Capabilities, ConfigFile, EntryContext, Event, EventKind, Evidence, Finding,
    HookInput, HookOutput, Installation, Machine, MemorySources, Offer, OutputKind, OutputLimits, OutputSize,
    Rewriting, Role, Sample, Scope, ToolCall, Verdict, entries, instructions, messages,
};

/// The agent.
#[derive(Debug)]
pub(crate) struct GeminiCli;

pub(crate) const ID: &str = "gemini-cli";

/// From this version, hooks run without a switch.
const HOOKS_SINCE: &str = "0.26.0";

/// The registered hooks: event, matcher (a regular expression), name. `PreCompress` is left out: it fires before every
/// request to the model, whether or not anything is compressed.
pub(crate) const HOOKS: [(&str, Option<&str>, &str); 6] = [
    ("SessionStart", None, "plimsoll-session-start"),
    ("BeforeAgent", None, "plimsoll-before-agent"),
    (
        "BeforeTool",
        Some(
            "^(run_shell_command|read_file|read_many_files|web_fetch|grep_search|search_file_content|glob)$",
        ),
        "plimsoll-before-tool",
    ),
    ("AfterTool", None, "plimsoll-after-tool"),
    ("AfterAgent", None, "plimsoll-after-agent"),
    ("SessionEnd", None, "plimsoll-session-end"),
];

/// The mode that asks about nothing.
const YOLO: &str = "yolo";
/// Comments are fine; trailing commas or a byte order mark keep Gemini CLI from starting.
const FORMAT: Format = Format { dialect: Dialect::JsonComments, bom_ok: false };

impl Agent for GeminiCli {
    fn id(&self) -> &'static str {
        ID
    }

    fn name(&self) -> &'static str {
        "Gemini CLI"
    }

    fn mark(&self) -> &'static str {
        "Ge"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["gemini", "google-gemini", "google"]
    }

    fn client_names(&self) -> &'static [&'static str] {
        &["gemini-cli"]
    }

    fn detect(&self, machine: &Machine<'_>) -> Option<Installation> {
        let dir = config_dir(machine.env);
        let settings = dir.join("settings.json");
        let mut installation = machine.find(ID, &["gemini"], dir, &[])?;
        // The folder alone proves nothing: Antigravity creates it too.
        if installation.program.is_none() {
            if !settings.is_file() {
                return None;
            }
            installation.evidence.insert(0, Evidence { how: "settings file".to_owned(), path: settings });
        }
        Some(installation)
    }

    fn capabilities(&self, installation: &Installation) -> Capabilities {
        let hooks = installation.at_least(HOOKS_SINCE) != Some(false);
        Capabilities { tools: true, filtering: hooks, notes: hooks }
    }

    fn withholds_credentials(&self) -> bool {
        true
    }

    fn passes_credentials(&self, context: &EntryContext<'_>) -> Option<bool> {
        let entry = current_server(context);
        let env = entry.get("env").and_then(Value::as_object);
        Some(env.into_iter().flatten().any(|(name, value)| is_passed_on(name, value)))
    }

    fn tested_versions(&self) -> &'static [&'static str] {
        &["0.61.0"]
    }

    fn assumed_installation(&self, env: &Env) -> Installation {
        Installation::assumed(ID, config_dir(env))
    }

    fn entry_versions(&self) -> Vec<&'static str> {
        vec![HOOKS_SINCE]
    }

    fn files(&self, context: &EntryContext<'_>) -> Vec<ConfigFile> {
        let dir = scope_dir(context);
        let settings =
            |role, edits| ConfigFile { path: dir.join("settings.json"), format: FORMAT, role, edits };
        let mut files = Vec::new();
        if context.parts.mcp {
            // No `trust`: it would let every call through without a question. If the user adds it, it stays.
            files.push(settings(Role::Mcp, vec![server(self, context)]));
        }
        if context.parts.hooks && context.installation.at_least(HOOKS_SINCE) != Some(false) {
            let edits = HOOKS
                .iter()
                .map(|(event, matcher, name)| {
                    entries::put_hook(ID, &["hooks"], event, hook_group(context, *matcher, name))
                })
                .collect();
            files.push(settings(Role::Hooks, edits));
        }
        if context.parts.instructions {
            let path = match context.scope {
                Scope::User => dir.join("GEMINI.md"),
                Scope::Project(root) => root.join("GEMINI.md"),
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
        let edits = vec![entries::remove_hooks(ID, &["hooks"])];
        let path = scope_dir(context).join("settings.json");
        vec![ConfigFile { path, format: FORMAT, role: Role::Hooks, edits }]
    }

    fn owns_payload(&self, input: &HookInput<'_>) -> bool {
        Host::of(input).may_be(Host::Gemini)
    }

    fn parse_event(&self, input: &HookInput<'_>) -> Option<Event> {
        let mut event = dialect::parse_event(ID, input.payload, input.event)?;
        // No payload has the mode; the command line does, if no one can have changed it since.
        if event.kind == EventKind::PreTool && flags::asks_nobody(input.env) {
            event.permission_mode = Some(YOLO.to_owned());
        }
        Some(event)
    }

    fn session_variables(&self) -> &'static [&'static str] {
        &["GEMINI_SESSION_ID"]
    }

    fn session_start(&self, session: &str, home: &Path) -> Sample {
        Sample {
            event: None,
            payload: json!({"hook_event_name": "SessionStart", "session_id": session, "cwd": home,
                "transcript_path": home.join(".gemini/tmp").join("none.jsonl").display().to_string(),
                "timestamp": "2026-01-01T00:00:00Z", "source": "startup"}),
        }
    }

    fn project_variables(&self) -> &'static [&'static str] {
        &["GEMINI_PROJECT_DIR", "GEMINI_CWD"]
    }

    fn memory_sources(&self, env: &Env, project: Option<&Path>) -> MemorySources {
        let dir = config_dir(env);
        let instructions = vec![project.unwrap_or(&dir).join("GEMINI.md")];
        let settings = if project.is_none() { vec![dir.join("settings.json")] } else { Vec::new() };
        MemorySources { instructions, settings, ..MemorySources::default() }
    }

    fn transcripts(&self, env: &Env) -> Vec<Source> {
        transcript::sources(env)
    }

    fn formats(&self) -> &'static [&'static Lines] {
        &[transcript::FORMAT, transcript::DOCUMENT]
    }

    fn plugin_files(&self, version: &str) -> Vec<crate::plugin::PluginFile> {
        plugin::files(version)
    }

    fn render_verdict(&self, event: &Event, verdict: &Verdict) -> HookOutput {
        dialect::render_verdict(event, verdict)
    }

    fn may_be_subagent(&self, event: &Event) -> bool {
        subagents::may_be_subagent(event)
    }

    fn parses_json_results(&self) -> bool {
        true
    }

    // Measured on 0.61.0: the first 8,000 and the last 32,000 characters, about 100 of them its frame.
    fn output_limits(&self, _kind: OutputKind) -> OutputLimits {
        OutputLimits::both_ends(OutputSize::Chars(39_900))
    }

    fn has_ended(&self, call: &ToolCall) -> bool {
        dialect::has_ended(call)
    }

    fn replaces_output(&self, event: &Event) -> bool {
        // A replacement arrives as `{"error": …}`: right for a failed command, wrong for a successful one.
        let output = event.tool.as_ref().and_then(|call| call.output.as_ref());
        event.kind == EventKind::PostTool && output.is_some_and(|output| output.failed)
    }

    fn rewriting(&self, event: &Event) -> Rewriting {
        match event.permission_mode.as_deref() {
            Some(YOLO) => Rewriting::Free,
            // The policy checks the rewritten command (measured on 0.61.0).
            _ => Rewriting::WhenBothAllowed,
        }
    }

    fn prefers_rewriting(&self) -> bool {
        true
    }

    fn tells_of_rewriting(&self) -> bool {
        true // Measured on 0.61.0: 74 bytes behind the output.
    }

    // Measured on 0.61.0: it adds a parameter to each tool, 266 bytes, so two rarely used ones cost 1,300.
    fn offer(&self) -> Offer {
        Offer {
            tools: LEAN,
            measured: Some(MeasuredCost {
                version: "0.61.0",
                bytes: 4_362,
                left_out: Some("task and manage (1,300 bytes)"),
            }),
            ..Offer::ALL
        }
    }

    fn tool_name(&self, tool: &str) -> String {
        format!("mcp_{}_{tool}", crate::SERVER_KEY)
    }

    fn plugin(&self, installation: &Installation, _project: Option<&Path>) -> Option<PathBuf> {
        let folder = installation.config_dir.join("extensions").join(crate::plugin::NAME);
        folder.join("gemini-extension.json").is_file().then_some(folder)
    }

    fn plugin_removal(&self) -> &'static str {
        "gemini extensions uninstall plimsoll"
    }

    fn rules(&self, env: &Env, project: &Path) -> RuleSet {
        policy::rules(env, &config_dir(env), Path::new("/"), project)
    }

    fn project(&self, env: &Env) -> Option<PathBuf> {
        env.path("GEMINI_PROJECT_DIR")
    }

    fn has_hidden_rules(&self, env: &Env) -> bool {
        flags::process(env).hidden
    }

    fn can_ask(&self, env: &Env) -> bool {
        // Measured on 0.61.0: with no one there, a hook's "ask" hangs until the process is killed.
        !flags::headless(env)
    }

    fn findings(
        &self,
        machine: &Machine<'_>,
        installation: &Installation,
        project: Option<&Path>,
    ) -> Vec<Finding> {
        findings::findings(machine, installation, project)
    }

    fn next_steps(&self, _installation: &Installation, _hooks: bool) -> Vec<Sentence> {
        vec![messages::next_gemini_cli()]
    }
}

/// `GEMINI_CLI_HOME` stands for the home folder, not for `.gemini` in it.
fn config_dir(env: &Env) -> PathBuf {
    env.path("GEMINI_CLI_HOME").unwrap_or_else(|| env.home_dir().to_path_buf()).join(".gemini")
}

fn scope_dir(context: &EntryContext<'_>) -> PathBuf {
    match context.scope {
        Scope::User => context.installation.config_dir.clone(),
        Scope::Project(root) => root.join(".gemini"),
    }
}

/// The edit for Plimsoll's server. Gemini CLI withholds every variable whose name looks like a secret's; with the user's
/// consent they are forwarded by name.
fn server(agent: &GeminiCli, context: &EntryContext<'_>) -> Edit {
    let passes = agent.passes_credentials(context) == Some(true);
    let consented = context.parts.credentials.unwrap_or(passes);
    let timeout = ("timeout", json!(entries::TOOL_TIMEOUT_S * 1000));
    let plain = |after: &[(&str, Value)]| entries::server(context.launcher, ID, &[], after);
    if consented {
        let env: Map<String, Value> =
            CREDENTIALS.iter().map(|name| ((*name).to_owned(), json!(format!("${name}")))).collect();
        return entries::set_server(&["mcpServers"], plain(&[timeout, ("env", Value::Object(env))]), true);
    }
    if !passes {
        return entries::set_server(&["mcpServers"], plain(&[timeout]), true);
    }
    // Consent withdrawn: the entry as it is, without the forwarded variables.
    let mut entry = current_server(context);
    if let (Some(entry), Value::Object(ours)) = (entry.as_object_mut(), plain(&[timeout])) {
        if let Some(env) = entry.get_mut("env").and_then(Value::as_object_mut) {
            env.retain(|name, value| !is_passed_on(name, value));
            if env.is_empty() {
                entry.remove("env");
            }
        }
        entry.extend(ours);
    }
    entries::set_server(&["mcpServers"], entry, false)
}

/// Plimsoll's entry as it is in the file; `Null` without one, or if the file can't be read.
fn current_server(context: &EntryContext<'_>) -> Value {
    let settings = config::read_or_nothing(&scope_dir(context).join("settings.json"), Syntax::Comments);
    config::at(&settings, &["mcpServers", crate::SERVER_KEY]).cloned().unwrap_or_default()
}

fn is_passed_on(name: &str, value: &Value) -> bool {
    CREDENTIALS.contains(&name) && value.as_str().and_then(|value| value.strip_prefix('$')) == Some(name)
}

/// The folder of an administrator's files.
fn system_dir(env: &Env, root: &Path) -> PathBuf {
    match env.os() {
        Os::Linux => root.join("etc/gemini-cli"),
        Os::Mac => root.join("Library/Application Support/GeminiCli"),
        Os::Windows => PathBuf::from(r"C:\ProgramData\gemini-cli"),
    }
}

/// Every settings file, weakest first.
fn settings_files(env: &Env, config_dir: &Path, root: &Path, project: Option<&Path>) -> Vec<PathBuf> {
    let system = system_dir(env, root);
    let path = |variable: &str, name: &str| env.path(variable).unwrap_or_else(|| system.join(name));
    let mut files = vec![
        path("GEMINI_CLI_SYSTEM_DEFAULTS_PATH", "system-defaults.json"),
        config_dir.join("settings.json"),
    ];
    files.extend(project.map(|project| project.join(".gemini").join("settings.json")));
    files.push(path("GEMINI_CLI_SYSTEM_SETTINGS_PATH", "settings.json"));
    files.dedup();
    files
}

fn hook_group(context: &EntryContext<'_>, matcher: Option<&str>, name: &str) -> Value {
    let command = HookLine::silent(context.launcher, ID, None).native(context.env);
    let handler = json!({
        "name": name,
        "type": "command",
        "command": command,
        "timeout": entries::HOOK_TIMEOUT_S * 1000,
    });
    match matcher {
        Some(matcher) => json!({ "matcher": matcher, "hooks": [handler] }),
        None => json!({ "hooks": [handler] }),
    }
}
