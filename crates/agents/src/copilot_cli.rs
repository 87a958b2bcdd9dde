//! GitHub Copilot CLI, and the hooks it shares with VS Code.
//!
//! `~/.copilot/hooks/*.json` is read by Copilot CLI, by VS Code's agent host (the same program) and by VS
//! Code's local chat. One file serves all of them, so that nothing runs twice; its command names
//! `copilot-cli` and the event, because the CLI's payload has none. What arrives is told apart by its shape:
//! the CLI sends `toolName`/`toolArgs`, local chat `hookEventName`, `tool_name`, `tool_input`, and each reads
//! its own kind of answer. Copilot CLI also runs a project's Claude hooks with Claude's payload: not ours.

mod permissions;
mod unsafe_text;

use std::path::{Path, PathBuf};

use edits::{Comment, Dialect, Edit, Format};
use home::Env;
use rules::RuleSet;
use serde_json::{Value, json};

use crate::command_line::HookLine;
use crate::config::{self, Syntax};
use crate::host::Host;
use crate::offer::Counted;
use crate::payload::{capped, content_text, has, path, string, text, text_of, unwrapped};
use crate::{
    Agent, Beyond, ConfigFile, Event, EventKind, Finding, Found, Gains, HookInput, HookOutput, Level,
    Machine, Offer, Output, Parts, Printed, Role, Scope, Size, ToolCall, ToolKind, Verdict, View, Wiring,
    claude_code, framed, instructions, rivals, said, vscode, wire,
};

/// Copilot CLI.
pub(crate) struct CopilotCli;

pub(crate) const ID: &str = "copilot-cli";
/// Events of the shared file; local chat knows those it has by the same names.
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

    fn called(&self) -> &'static [&'static str] {
        &["copilot", "github-copilot-cli", "gh-copilot", "github-copilot"]
    }

    fn client_names(&self) -> &'static [&'static str] {
        &["copilot-cli", "github-copilot"]
    }

    fn detect(&self, machine: &Machine<'_>) -> Option<Found> {
        let dir = config_dir(machine.env);
        // VS Code makes the folder too; what only the CLI writes into it counts.
        let used =
            ["config.json", "session-state", "mcp-config.json"].iter().any(|name| dir.join(name).exists());
        let mut found = machine.find(ID, &["copilot"], dir, &[])?;
        if found.program.is_none() && !used {
            return None;
        }
        if !used {
            found.evidence.retain(|evidence| evidence.how != "config folder");
        }
        Some(found)
    }

    fn gains(&self, _found: &Found) -> Gains {
        Gains { tools: true, filtering: true, notes: true }
    }

    fn assumed(&self, env: &Env) -> Found {
        Found::assumed(ID, config_dir(env))
    }

    fn files(&self, wiring: &Wiring<'_>) -> Vec<ConfigFile> {
        let mut files = Vec::new();
        if wiring.parts.mcp {
            files.push(mcp_file(wiring));
        }
        if wiring.parts.hooks {
            files.push(hooks_file(wiring, &wiring.found.config_dir));
        }
        if wiring.parts.instructions {
            let path = match wiring.scope {
                Scope::User => wiring.found.config_dir.join("copilot-instructions.md"),
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

    fn sent(&self, input: &HookInput<'_>) -> bool {
        if claude_shaped(input) {
            return false;
        }
        matches!(Host::of(input), Host::CopilotCli | Host::VsCode)
    }

    fn read(&self, input: &HookInput<'_>) -> Option<Event> {
        if is_local(input.payload) { vscode::read_local(input) } else { read_cli(input) }
    }

    fn session_variables(&self) -> &'static [&'static str] {
        &["COPILOT_AGENT_SESSION_ID"]
    }

    fn write(&self, event: &Event, verdict: &Verdict) -> HookOutput {
        if event.agent == vscode::ID {
            vscode::write_local(event, verdict)
        } else {
            write_cli(event, verdict)
        }
    }

    fn restarts_after_compaction(&self) -> bool {
        false
    }

    // Counted on 1.0.102. Words: all but the path of the folder in which the file lies.
    fn view(&self, _printed: Printed) -> View {
        let beyond = Beyond::Start { chars: 500, at_line: false };
        View { whole: Size::Bytes(20_480), lines: usize::MAX, beyond, words: 330 }
    }

    fn replaces(&self, event: &Event) -> bool {
        event.kind == EventKind::PostTool && event.agent == "copilot-cli"
    }

    // Counted on 1.0.102: resources and prompts cost nothing there.
    fn offer(&self) -> Offer {
        Offer {
            counted: Some(Counted { version: "1.0.102", bytes: 3_952, without: None }),
            ..Offer::UNCOUNTED
        }
    }

    fn tool_name(&self, tool: &str) -> String {
        format!("plimsoll-{tool}")
    }

    fn plugin(&self, found: &Found, _project: Option<&Path>) -> Option<PathBuf> {
        let file = found.config_dir.join("settings.json");
        // The list of plugins decides; one that was installed without a marketplace is on none.
        if let Some(on) = crate::plugin::listed(&config::read_or_nothing(&file, Syntax::Jsonc)) {
            return on.then_some(file);
        }
        let installed = found.config_dir.join("installed-plugins");
        let below =
            |dir: &Path| std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
        let ours = |folder: &PathBuf| {
            let manifest = config::read_or_nothing(&folder.join("plugin.json"), Syntax::Strict);
            text(&manifest, "name") == Some(crate::plugin::NAME)
        };
        below(&installed).flat_map(|marketplace| below(&marketplace).collect::<Vec<_>>()).find(ours)
    }

    fn without_plugin(&self) -> &'static str {
        "copilot plugin uninstall plimsoll"
    }

    fn rules(&self, env: &Env, project: &Path) -> RuleSet {
        permissions::rules(env, &config_dir(env), project)
    }

    fn never_runs(&self, command: &str) -> Option<&'static str> {
        unsafe_text::found(command)
    }

    fn rules_unseen(&self, env: &Env) -> bool {
        permissions::started(env).unseen
    }

    fn findings(&self, machine: &Machine<'_>, found: &Found, _project: Option<&Path>) -> Vec<Finding> {
        let dir = &found.config_dir;
        let mut findings = hooks_findings(dir);
        let started = permissions::started(machine.env);
        if started.values(&["--disable-mcp-server"]).any(|server| server == crate::SERVER_KEY) {
            let switch = format!("--disable-mcp-server {}", crate::SERVER_KEY);
            findings.push(Finding {
                level: Level::Broken,
                what: said::switched_off_by(self.name(), &switch),
                remedy: said::start_without(&switch),
            });
        }
        for file in ["config.json", "settings.json"].map(|name| dir.join(name)) {
            let value = config::read_or_nothing(&file, Syntax::Jsonc);
            let off = ["disabled_mcp_servers", "disabledMcpServers"]
                .iter()
                .any(|key| config::strings(&value, &[key]).contains(&crate::SERVER_KEY));
            if off {
                findings.push(Finding {
                    level: Level::NeedsYou,
                    what: said::server_listed_off(&file, crate::SERVER_KEY),
                    remedy: said::switch_on_copilot(),
                });
            }
        }
        let mcp = dir.join("mcp-config.json");
        match config::read(&mcp, Syntax::Jsonc) {
            Err(reason) => {
                findings.push(config::unreadable(&mcp, reason, said::no_server_of_it(self.name())));
            }
            Ok(value) => findings.extend(rivals::findings([(mcp.display().to_string(), value.as_ref())])),
        }
        findings
    }
}

/// `~/.copilot`, or where `COPILOT_HOME` moves it.
pub(crate) fn config_dir(env: &Env) -> PathBuf {
    env.path("COPILOT_HOME").unwrap_or_else(|| env.home_dir().join(".copilot"))
}

/// The user's own file, or in a project the `.mcp.json` that Copilot CLI reads beside Claude Code: one entry
/// serves both, so it is Claude Code's.
fn mcp_file(wiring: &Wiring<'_>) -> ConfigFile {
    if let Scope::Project(_) = wiring.scope {
        let found = claude_code::ClaudeCode.assumed(wiring.env);
        let parts = Parts { mcp: true, hooks: false, instructions: false, credentials: None };
        let shared = claude_code::ClaudeCode.files(&Wiring { found: &found, parts, ..wiring.clone() });
        if let Some(file) = shared.into_iter().next() {
            return file;
        }
    }
    let after = [("tools", json!(["*"])), ("timeout", json!(wire::TOOL_TIMEOUT_S * 1000))];
    let entry = wire::server(wiring.launcher, ID, &[("type", json!("local"))], &after);
    ConfigFile {
        path: wiring.found.config_dir.join("mcp-config.json"),
        format: Format::new(Dialect::Jsonc),
        role: Role::Mcp,
        edits: vec![wire::set_server(&["mcpServers"], entry, true)],
    }
}

/// The hook registration that Copilot CLI and VS Code share, equal whichever of the two is connected.
pub(crate) fn hooks_file(wiring: &Wiring<'_>, dir: &Path) -> ConfigFile {
    let dir = match wiring.scope {
        Scope::User => dir.to_path_buf(),
        Scope::Project(root) => root.join(".github"),
    };
    let mut edits = vec![Edit::SetIfAbsent { path: vec!["version".to_owned()], value: json!(1) }];
    edits.extend(EVENTS.iter().map(|event| {
        let line = HookLine::silent(wiring.launcher, ID, Some(event));
        let handler = json!({
            "type": "command",
            "bash": line.posix(),
            "powershell": line.powershell(),
            "timeoutSec": wire::HOOK_TIMEOUT_S,
        });
        wire::put_hook(ID, &["hooks"], event, handler)
    }));
    // A comment or a byte order mark makes Copilot CLI ignore the file without a word.
    ConfigFile {
        path: dir.join("hooks").join("plimsoll.json"),
        format: Format::without_bom(Dialect::Json),
        role: Role::Hooks,
        edits,
    }
}

/// What keeps the shared hooks from running.
pub(crate) fn hooks_findings(dir: &Path) -> Vec<Finding> {
    let mut findings = Vec::new();
    let file = dir.join("hooks").join("plimsoll.json");
    if let Err(reason) = config::read(&file, Syntax::Strict) {
        findings.push(config::unreadable(&file, reason, said::hooks_ignored("Copilot")));
    }
    for file in ["config.json", "settings.json"].map(|name| dir.join(name)) {
        let value = config::read_or_nothing(&file, Syntax::Jsonc);
        if ["disableAllHooks", "disable_all_hooks"].iter().any(|key| value.get(key) == Some(&json!(true))) {
            findings.push(Finding {
                level: Level::Broken,
                what: said::setting_stops_hooks("disableAllHooks", &file),
                remedy: said::remove_setting(),
            });
        }
    }
    let others = std::fs::read_dir(dir.join("hooks")).into_iter().flatten().flatten();
    let mut others: Vec<PathBuf> = others.map(|entry| entry.path()).filter(|path| *path != file).collect();
    others.sort();
    for other in others.iter().filter(|path| path.extension().is_some_and(|ending| ending == "json")) {
        let value = config::read_or_nothing(other, Syntax::Strict);
        findings.extend(rivals::findings([(other.display().to_string(), Some(&value))]));
        let twice =
            value.get("hooks").and_then(Value::as_object).into_iter().flatten().any(|(_, handlers)| {
                handlers.as_array().into_iter().flatten().any(|handler| wire::is_our_hook(handler, ID))
            });
        if twice {
            findings.push(Finding {
                level: Level::NeedsYou,
                what: said::file_runs_too(other),
                remedy: said::remove_our_entries(),
            });
        }
    }
    findings
}

/// Copilot CLI running a project's `.claude` hooks: Claude's field names under Copilot's own environment.
fn claude_shaped(input: &HookInput<'_>) -> bool {
    input.env.var("COPILOT_CLI").is_some()
        && has(input.payload, "hook_event_name")
        && !has(input.payload, "hookEventName")
}

/// Local chat's payload.
fn is_local(payload: &Value) -> bool {
    has(payload, "hookEventName") || has(payload, "hook_event_name") || has(payload, "tool_name")
}

fn read_cli(input: &HookInput<'_>) -> Option<Event> {
    let payload = input.payload;
    let raw_name = input.event?;
    let kind = match raw_name {
        "sessionStart" => EventKind::SessionStart { source: string(payload, "source") },
        "sessionEnd" => EventKind::SessionEnd,
        "userPromptSubmitted" => EventKind::Prompt,
        "preToolUse" => EventKind::PreTool,
        "postToolUse" => EventKind::PostTool,
        "postToolUseFailure" => EventKind::PostToolFailure,
        "permissionRequest" => EventKind::PermissionRequest,
        "preCompact" => EventKind::PreCompact,
        "agentStop" => EventKind::Stop,
        "subagentStart" => EventKind::SubagentStart,
        "subagentStop" => EventKind::SubagentStop { report: report(payload) },
        _ => return None,
    };
    Some(Event {
        agent: ID,
        raw_name: raw_name.to_owned(),
        kind,
        session: text_of(payload, &["sessionId", "session_id"]).map(str::to_owned),
        cwd: path(payload, "cwd"),
        project: input.env.path("COPILOT_PROJECT_DIR"),
        tool: tool_call(payload),
        prompt: text_of(payload, &["prompt", "initialPrompt"]).map(str::to_owned),
        // The main conversation has none of these, whichever agent was chosen for it (measured on 1.0.102).
        subagent: ["agentId", "parentAgentId", "parentSessionId"].iter().any(|key| has(payload, key)),
        transcript: text_of(payload, &["transcriptPath", "transcript_path"]).map(PathBuf::from),
        model: string(payload, "model"),
        permission_mode: None,
    })
}

/// What a subagent wrote last.
fn report(payload: &Value) -> Option<String> {
    text_of(payload, &["lastAssistantMessage", "last_assistant_message", "result"]).map(str::to_owned)
}

fn tool_call(payload: &Value) -> Option<ToolCall> {
    let name = string(payload, "toolName")?;
    let input = payload.get("toolArgs").map(unwrapped).unwrap_or_default();
    let file = || text_of(&input, &["path", "file_path", "filePath"]).map(PathBuf::from);
    let kind = match name.as_str() {
        "bash" | "powershell" | "shell" => {
            ToolKind::Shell { command: string(&input, "command").unwrap_or_default() }
        }
        "view" | "read" | "show_file" => match file() {
            Some(path) => ToolKind::Read { path, partial: has(&input, "view_range") },
            None => ToolKind::Other,
        },
        "create" | "edit" | "write" | "str_replace_editor" | "apply_patch" => {
            file().map_or(ToolKind::Other, |path| ToolKind::Edit { path })
        }
        "grep" | "rg" | "glob" => ToolKind::Grep,
        "web_fetch" | "fetch" => string(&input, "url").map_or(ToolKind::Other, |url| ToolKind::Fetch { url }),
        "task" => ToolKind::Subagent,
        // `<server>-<tool>`: where the server's name ends is not told, and no built-in tool has a dash.
        other => match other.strip_prefix("plimsoll-").or_else(|| other.strip_prefix("plimsoll/")) {
            Some(tool) => ToolKind::Ours(tool.to_owned()),
            None if other.contains('-') => ToolKind::Mcp { server: String::new(), tool: other.to_owned() },
            None => ToolKind::Other,
        },
    };
    Some(ToolCall { kind, output: output(payload), id: string(payload, "toolCallId"), name, input })
}

fn output(payload: &Value) -> Option<Output> {
    if let Some(raw) = payload.get("toolResult").filter(|raw| !raw.is_null()) {
        let shown = text_of(raw, &["textResultForLlm", "sessionLog"]).map(str::to_owned);
        let shown = shown.or_else(|| content_text(raw)).unwrap_or_default();
        let failed = text(raw, "resultType").is_some_and(|kind| kind != "success");
        let framed = framed::copilot(&shown);
        let exit = framed.as_ref().and_then(|framed| framed.exit);
        return Some(Output {
            text: framed.as_ref().map_or_else(|| shown.clone(), |framed| framed.text.to_owned()),
            raw: raw.clone(),
            failed: failed || exit.is_some_and(|code| code != 0),
            exit,
            full_in: framed.and_then(|framed| framed.full_in),
        });
    }
    let error = payload.get("error").filter(|error| !error.is_null())?;
    let shown = string(error, "message").or_else(|| content_text(error)).unwrap_or_default();
    Some(Output { text: shown, raw: error.clone(), failed: true, exit: None, full_in: None })
}

fn write_cli(event: &Event, verdict: &Verdict) -> HookOutput {
    let reply = match (&event.kind, verdict) {
        (EventKind::PreTool, Verdict::Deny { reason }) => {
            json!({"permissionDecision": "deny", "permissionDecisionReason": reason})
        }
        (EventKind::PreTool, Verdict::Ask { reason }) => {
            json!({"permissionDecision": "ask", "permissionDecisionReason": reason})
        }
        (EventKind::PreTool, Verdict::Rewrite { input }) => json!({ "modifiedArgs": input }),
        (EventKind::PostTool, Verdict::Replace { text }) => {
            json!({ "modifiedResult": replaced(event, text) })
        }
        (
            EventKind::SessionStart { .. }
            | EventKind::Prompt
            | EventKind::PreTool
            | EventKind::PostTool
            | EventKind::PostToolFailure,
            Verdict::Context { text },
        ) => json!({ "additionalContext": capped(text, wire::MAX_CONTEXT_CHARS) }),
        _ => return HookOutput::silent(),
    };
    HookOutput::json(&reply)
}

/// The result as it came, with another text.
fn replaced(event: &Event, text: &str) -> Value {
    let raw = event.tool.as_ref().and_then(|tool| tool.output.as_ref()).map(|output| &output.raw);
    let mut result =
        raw.filter(|raw| raw.is_object()).cloned().unwrap_or_else(|| json!({"resultType": "success"}));
    // The last line, which says how the command ended, stays the last.
    let old = result.get("textResultForLlm").and_then(Value::as_str).unwrap_or_default();
    result["textResultForLlm"] =
        json!(framed::copilot(old).map_or_else(|| text.to_owned(), |framed| framed.around(text)));
    result
}
