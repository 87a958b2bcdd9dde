//! Antigravity: the desktop application, the IDE and the `agy` command, which share `~/.gemini/config`.
//!
//! Three habits to respect: a server entry with a `type` is silently refused; a hook that answers nothing
//! before a tool call makes the person be asked, so there is always a decision, whatever fails; and the
//! payload does not name the event, so the command does. `~/.gemini` itself belongs to Gemini CLI too and
//! proves nothing.

use std::path::{Path, PathBuf};

use edits::{Dialect, Edit, Format, Ours};
use home::{Env, Os};
use rules::{BrokenLayer, Effect, Rule, RuleSet, Syntax as Pattern, Target};
use serde_json::{Value, json};

use crate::command_line::HookLine;
use crate::config::{self, Syntax};
use crate::host::Host;
use crate::payload::{capped, content_text, has, path, string, text, text_of};
use crate::{
    Agent, ConfigFile, Event, EventKind, Evidence, Finding, Found, Gains, HookInput, HookOutput, Level,
    Machine, Output, Role, SERVER_KEY, Scope, ToolCall, ToolKind, Verdict, Wiring, gemini_cli, instructions,
    rivals, said, wire,
};

/// Antigravity.
pub(crate) struct Antigravity;

const ID: &str = "antigravity";
/// Tools that a verdict before the call can be about.
const BEFORE: &str = "run_command|view_file|grep_search|read_url_content|mcp";
/// Strict, and a byte order mark drops the whole file.
const FORMAT: Format = Format { dialect: Dialect::Json, bom_ok: false };

impl Agent for Antigravity {
    fn id(&self) -> &'static str {
        ID
    }

    fn name(&self) -> &'static str {
        "Antigravity"
    }

    fn called(&self) -> &'static [&'static str] {
        &["agy", "google-antigravity", "google"]
    }

    fn client_names(&self) -> &'static [&'static str] {
        &["antigravity"]
    }

    fn detect(&self, machine: &Machine<'_>) -> Option<Found> {
        let mut found = self.assumed(machine.env);
        if let Some(program) = machine.program(&["agy"]) {
            found.version = machine.version_of(&program);
            found.evidence.push(Evidence { how: "program".to_owned(), path: program.clone() });
            found.program = Some(program);
            found.products.push("agy".to_owned());
        }
        for (product, names, data) in [
            ("Desktop", "antigravity", "antigravity"),
            ("IDE", "antigravity-ide", "antigravity-ide"),
            ("agy", "", "antigravity-cli"),
        ] {
            let program = machine.program(&[names]).filter(|_| !names.is_empty());
            let application = applications(machine, product).into_iter().find(|path| path.exists());
            let data = Some(gemini_dir(machine.env).join(data)).filter(|dir| dir.is_dir());
            let evidence = [("program", program), ("application", application), ("data folder", data)];
            let before = found.evidence.len();
            found.evidence.extend(
                evidence
                    .into_iter()
                    .filter_map(|(how, path)| Some(Evidence { how: how.to_owned(), path: path? })),
            );
            if found.evidence.len() > before && !found.products.iter().any(|known| known == product) {
                found.products.push(product.to_owned());
            }
        }
        let shared = ["mcp_config.json", "hooks.json"].map(|name| found.config_dir.join(name));
        if let Some(path) = shared.into_iter().find(|path| path.exists()) {
            found.evidence.push(Evidence { how: "config folder".to_owned(), path });
        }
        (!found.evidence.is_empty()).then_some(found)
    }

    fn gains(&self, _found: &Found) -> Gains {
        Gains { tools: true, filtering: true, notes: true }
    }

    fn assumed(&self, env: &Env) -> Found {
        Found::assumed(ID, gemini_dir(env).join("config"))
    }

    fn files(&self, wiring: &Wiring<'_>) -> Vec<ConfigFile> {
        let dir = match wiring.scope {
            Scope::User => wiring.found.config_dir.clone(),
            Scope::Project(root) => root.join(".agents"),
        };
        let mut files = Vec::new();
        if wiring.parts.mcp {
            let path = match wiring.scope {
                Scope::User => mcp_file(wiring.env, &dir),
                Scope::Project(_) => dir.join("mcp_config.json"),
            };
            // No `type`, and no keys of the person's (`disabled`, `disabledTools`): they stay.
            let entry = wire::server(wiring.launcher, ID, &[], &[]);
            let edits = vec![wire::set_server(&["mcpServers"], entry, true)];
            files.push(ConfigFile { path, format: FORMAT, role: Role::Mcp, edits });
        }
        if wiring.parts.hooks {
            let path = dir.join("hooks.json");
            files.push(ConfigFile {
                path,
                format: FORMAT,
                role: Role::Hooks,
                edits: vec![set_hooks(hooks(wiring))],
            });
        }
        if wiring.parts.instructions {
            // Gemini CLI reads the same file: one block serves both, so it is Gemini CLI's.
            let path = match wiring.scope {
                Scope::User => gemini_dir(wiring.env).join("GEMINI.md"),
                Scope::Project(root) => root.join("GEMINI.md"),
            };
            let edits = vec![instructions::block(&gemini_cli::GeminiCli)];
            let format = Format::new(Dialect::Markdown);
            files.push(ConfigFile { path, format, role: Role::Instructions, edits });
        }
        files
    }

    fn former_files(&self, wiring: &Wiring<'_>) -> Vec<ConfigFile> {
        let legacy = legacy_mcp_file(wiring.env);
        if !legacy.exists() || mcp_file(wiring.env, &wiring.found.config_dir) == legacy {
            return Vec::new();
        }
        let edits = vec![wire::set_server(&["mcpServers"], Value::Null, true)];
        vec![ConfigFile { path: legacy, format: FORMAT, role: Role::Mcp, edits }]
    }

    fn sent(&self, input: &HookInput<'_>) -> bool {
        Host::of(input).may_be(Host::Antigravity)
    }

    fn read(&self, input: &HookInput<'_>) -> Option<Event> {
        let payload = input.payload;
        let raw_name = input.event.or_else(|| text(payload, "hookEventName"))?;
        let kind = match raw_name {
            "PreToolUse" => EventKind::PreTool,
            "PostToolUse" if has(payload, "error") => EventKind::PostToolFailure,
            "PostToolUse" => EventKind::PostTool,
            // Fires before every call of the model; the first one is where a session starts.
            "PreInvocation" if payload.get("invocationNum").and_then(Value::as_u64) == Some(0) => {
                EventKind::SessionStart { source: None }
            }
            "SessionStart" => EventKind::SessionStart { source: string(payload, "source") },
            "Stop" => EventKind::Stop,
            _ => return None,
        };
        let root = payload.get("workspacePaths").and_then(|paths| paths.get(0)).and_then(Value::as_str);
        let project = root.filter(|root| !root.is_empty()).map(PathBuf::from);
        let tool = tool_call(payload);
        let cwd = tool.as_ref().and_then(|tool| path(&tool.input, "Cwd")).or_else(|| project.clone());
        Some(Event {
            agent: ID,
            raw_name: raw_name.to_owned(),
            kind,
            session: string(payload, "conversationId"),
            cwd,
            project,
            tool,
            prompt: None,
            subagent: has(payload, "parentConversationId"),
            transcript: path(payload, "transcriptPath"),
            model: string(payload, "modelName"),
            permission_mode: None,
        })
    }

    fn write(&self, event: &Event, verdict: &Verdict) -> HookOutput {
        match (&event.kind, verdict) {
            (EventKind::PreTool, Verdict::Deny { reason }) => {
                HookOutput::json(&json!({"decision": "deny", "reason": reason}))
            }
            // `ask` would be satisfied by an earlier "Always allow"; a rule that says ask means it.
            (EventKind::PreTool, Verdict::Ask { reason }) => {
                HookOutput::json(&json!({"decision": "force_ask", "reason": reason}))
            }
            (EventKind::SessionStart { .. }, Verdict::Context { text })
                if event.raw_name == "PreInvocation" =>
            {
                let message = capped(text, wire::MAX_CONTEXT_CHARS);
                HookOutput::json(&json!({ "injectSteps": [{ "ephemeralMessage": message }] }))
            }
            _ => self.pass(Some(&event.raw_name)),
        }
    }

    fn pass(&self, event: Option<&str>) -> HookOutput {
        // It does not spare the person's own prompt; saying nothing would add one.
        match event {
            Some("PreToolUse") | None => HookOutput::json(&json!({"decision": "allow"})),
            Some(_) => HookOutput::silent(),
        }
    }

    fn tool_name(&self, tool: &str) -> String {
        format!("mcp__plimsoll__{tool}")
    }

    fn rules(&self, env: &Env, project: &Path) -> RuleSet {
        let mut set = RuleSet { case_insensitive: env.os() != Os::Linux, ..RuleSet::default() };
        let file = gemini_dir(env).join("antigravity-cli").join("settings.json");
        match config::read(&file, Syntax::Jsonc) {
            Ok(None) => {}
            Ok(Some(value)) => {
                let source = file.display().to_string();
                for (key, effect) in [("deny", Effect::Deny), ("ask", Effect::Ask), ("allow", Effect::Allow)]
                {
                    let entries = config::listed(&mut set, &file, &value, &["permissions", key], effect);
                    set.rules.extend(
                        entries.into_iter().filter_map(|entry| rule(effect, entry, &source, project)),
                    );
                }
            }
            Err(reason) => set.broken.push(BrokenLayer { path: file, reason: reason.to_string() }),
        }
        set
    }

    fn findings(&self, machine: &Machine<'_>, found: &Found, _project: Option<&Path>) -> Vec<Finding> {
        let (mcp, hooks) = (mcp_file(machine.env, &found.config_dir), found.config_dir.join("hooks.json"));
        let mut findings = Vec::new();
        match config::read(&mcp, Syntax::Strict) {
            Err(reason) => findings.push(config::unreadable(&mcp, reason, said::does_not_start("`agy`"))),
            Ok(value) => {
                let servers = value.as_ref().and_then(|value| value.get("mcpServers"));
                findings.extend(rivals::findings([(mcp.display().to_string(), servers)]));
                if servers.and_then(|servers| servers.get(SERVER_KEY)?.get("disabled")) == Some(&json!(true))
                {
                    findings.push(Finding {
                        level: Level::NeedsYou,
                        what: said::server_disabled(SERVER_KEY, &mcp),
                        remedy: said::switch_on_antigravity(),
                    });
                }
            }
        }
        match config::read(&hooks, Syntax::Strict) {
            Err(reason) => {
                findings.push(config::unreadable(&hooks, reason, said::no_hook_of_it(self.name())));
            }
            Ok(value) => {
                findings.extend(rivals::findings([(hooks.display().to_string(), value.as_ref())]));
                if value.as_ref().and_then(|value| value.get(SERVER_KEY)?.get("enabled"))
                    == Some(&json!(false))
                {
                    findings.push(Finding {
                        level: Level::NeedsYou,
                        what: said::plimsoll_hooks_off(&hooks),
                        remedy: said::enable_or_connect(),
                    });
                }
            }
        }
        let plugin = found.config_dir.join("plugins").join(SERVER_KEY);
        if plugin.join("hooks.json").exists() {
            findings.push(Finding {
                level: Level::NeedsYou,
                what: said::folder_registers_too(&plugin),
                remedy: said::remove_folder(),
            });
        }
        findings
    }
}

fn gemini_dir(env: &Env) -> PathBuf {
    env.home_dir().join(".gemini")
}

fn legacy_mcp_file(env: &Env) -> PathBuf {
    gemini_dir(env).join("antigravity").join("mcp_config.json")
}

/// The shared file; the old one only where no product has ever made the shared folder.
fn mcp_file(env: &Env, config_dir: &Path) -> PathBuf {
    let legacy = legacy_mcp_file(env);
    if !config_dir.exists() && legacy.exists() { legacy } else { config_dir.join("mcp_config.json") }
}

fn applications(machine: &Machine<'_>, product: &str) -> Vec<PathBuf> {
    let local = |below: &str| machine.env.path("LOCALAPPDATA").map(|dir| dir.join(below));
    match (machine.env.os(), product) {
        (Os::Mac, "Desktop") => vec![machine.at_root("/Applications/Antigravity.app")],
        (Os::Mac, "IDE") => vec![machine.at_root("/Applications/Antigravity IDE.app")],
        (Os::Windows, "Desktop") => local("Programs/Antigravity/Antigravity.exe").into_iter().collect(),
        (Os::Windows, "IDE") => local("Programs/Antigravity IDE/Antigravity IDE.exe").into_iter().collect(),
        (Os::Windows, _) => local("agy/bin/agy.exe").into_iter().collect(),
        (Os::Linux, "Desktop") => {
            ["/usr/share/antigravity", "/opt/antigravity"].map(|p| machine.at_root(p)).to_vec()
        }
        (Os::Linux, "IDE") => vec![machine.at_root("/opt/antigravity-ide")],
        _ => Vec::new(),
    }
}

/// The named hook. `timeout` must be a whole number of seconds: anything else drops the file.
fn hooks(wiring: &Wiring<'_>) -> Value {
    let handler = |event: &str| {
        let go_on = Antigravity.pass(Some(event)).stdout;
        let line = HookLine { go_on: &go_on, ..HookLine::silent(wiring.launcher, ID, Some(event)) };
        json!({
            "type": "command",
            "command": line.posix_or_bare(wiring.env),
            "timeout": wire::HOOK_TIMEOUT_S,
        })
    };
    json!({
        "enabled": true,
        "PreToolUse": [{ "matcher": BEFORE, "hooks": [handler("PreToolUse")] }],
        "PostToolUse": [{ "matcher": "*", "hooks": [handler("PostToolUse")] }],
        "PreInvocation": [handler("PreInvocation")],
        "Stop": [handler("Stop")],
    })
}

fn set_hooks(value: Value) -> Edit {
    Edit::Set { path: vec![SERVER_KEY.to_owned()], value, ours: Ours::new(is_ours), keep_extra_keys: true }
}

/// A named hook in which every handler of every event is ours.
fn is_ours(value: &Value) -> bool {
    let mut elements =
        value.as_object().into_iter().flatten().filter_map(|(_, list)| list.as_array()).flatten();
    let mut any = false;
    elements.all(|element| {
        any = true;
        wire::is_our_hook(element, ID)
    }) && any
}

fn tool_call(payload: &Value) -> Option<ToolCall> {
    let call = payload.get("toolCall")?;
    let name = string(call, "name")?;
    let input = call.get("args").cloned().unwrap_or_default();
    let file = || text_of(&input, &["AbsolutePath", "TargetFile", "Path"]).map(PathBuf::from);
    let kind = match name.as_str() {
        "run_command" => ToolKind::Shell { command: string(&input, "CommandLine").unwrap_or_default() },
        "view_file" => match file() {
            Some(path) => {
                ToolKind::Read { path, partial: has(&input, "StartLine") || has(&input, "EndLine") }
            }
            None => ToolKind::Other,
        },
        "write_to_file" | "replace_file_content" | "multi_replace_file_content" => {
            file().map_or(ToolKind::Other, |path| ToolKind::Edit { path })
        }
        "grep_search" | "find_by_name" | "list_dir" | "codebase_search" => ToolKind::Grep,
        "read_url_content" => string(&input, "Url").map_or(ToolKind::Other, |url| ToolKind::Fetch { url }),
        "browser_subagent" | "invoke_subagent" => ToolKind::Subagent,
        "call_mcp_tool" => match (string(&input, "ServerName"), string(&input, "ToolName")) {
            (Some(server), Some(tool)) => mcp(&server, &tool),
            _ => ToolKind::Other,
        },
        other => match wire::mcp_double(other) {
            Some((server, tool)) => mcp(server, tool),
            None => match other.strip_prefix("mcp_").and_then(|rest| rest.split_once('_')) {
                Some((server, tool)) => mcp(server, tool),
                None => ToolKind::Other,
            },
        },
    };
    let error = payload.get("error").filter(|error| !error.is_null());
    let raw = error.or_else(|| ["toolResult", "toolOutput"].iter().find_map(|key| payload.get(key)));
    let output = raw.map(|raw| Output {
        text: content_text(raw).unwrap_or_else(|| raw.to_string()),
        raw: raw.clone(),
        failed: error.is_some(),
        exit: None,
        full_in: None,
    });
    Some(ToolCall { kind, output, id: string(call, "id"), name, input })
}

fn mcp(server: &str, tool: &str) -> ToolKind {
    if wire::is_our_key(server) {
        ToolKind::Ours(tool.to_owned())
    } else {
        ToolKind::Mcp { server: server.to_owned(), tool: tool.to_owned() }
    }
}

/// `command(git push)`, `read_file(/path)`, `write_file(/path)`, `read_url(example.com)`, `mcp(server/tool)`.
fn rule(effect: Effect, entry: &str, source: &str, base: &Path) -> Option<Rule> {
    let (action, pattern) = rules::split_call(entry);
    let pattern = pattern.filter(|pattern| pattern != "*");
    let (target, pattern, syntax) = match action {
        "command" | "unsandboxed" => match pattern {
            Some(pattern) if pattern.contains('*') => (Target::Shell, Some(pattern), Pattern::Glob),
            other => (Target::Shell, other, Pattern::Prefix),
        },
        "read_file" => (Target::Read, pattern, Pattern::Prefix),
        "write_file" => (Target::Edit, pattern, Pattern::Prefix),
        "read_url" | "execute_url" => (Target::Fetch, pattern, Pattern::Prefix),
        "mcp" => {
            let name = pattern.unwrap_or_else(|| "*/*".to_owned());
            let (server, tool) = name.split_once('/').unwrap_or((name.as_str(), "*"));
            (Target::Mcp, Some(format!("mcp__{server}__{tool}")), Pattern::Glob)
        }
        _ => return None,
    };
    let text = entry.to_owned();
    Some(Rule { effect, target, pattern, syntax, text, source: source.to_owned(), base: base.to_path_buf() })
}
