//! Cursor: the IDE and the `agent` command. Both read `~/.cursor/mcp.json` and `~/.cursor/hooks.json`.
//!
//! The hooks file is all or nothing: without an integer `version`, or with one event that the installed
//! build does not know, Cursor ignores every hook in it, the person's own too. So only four old events are
//! registered unless every product that reads the file is known to be recent.

use std::path::{Path, PathBuf};

use contract::Sentence;
use edits::{Dialect, Edit, Format};
use home::{Env, Os};
use rules::{BrokenLayer, Effect, Rule, RuleSet, Syntax as Pattern, Target};
use serde_json::{Value, json};

use crate::command_line::HookLine;
use crate::config::{self, Syntax};
use crate::host::Host;
use crate::payload::{capped, content_text, has, path, string, text, text_of, unwrapped};
use crate::{
    Agent, ConfigFile, Event, EventKind, Evidence, Finding, Found, Gains, HookInput, HookOutput, Level,
    Machine, Output, Role, Scope, ToolCall, ToolKind, Verdict, Wiring, instructions, package, rivals, said,
    version, wire,
};

/// Cursor.
pub(crate) struct Cursor;

const ID: &str = "cursor";
/// Events of every build that is still in use.
const EVENTS: [&str; 4] = ["sessionStart", "preToolUse", "postToolUse", "preCompact"];
/// Further events, read out of the CLI of 2026-09-18 and the IDE 3.12.
const RECENT_EVENTS: [&str; 7] = [
    "beforeSubmitPrompt",
    "postToolUseFailure",
    "subagentStart",
    "subagentStop",
    "afterAgentResponse",
    "stop",
    "sessionEnd",
];
/// Since when they are known.
const RECENT_AGENT: &str = "2026.9.18";
const RECENT_IDE: &str = "3.12.0";
/// Every event that some build knows; one that is not here makes Cursor ignore the file.
const OTHER_EVENTS: [&str; 10] = [
    "beforeShellExecution",
    "afterShellExecution",
    "beforeMCPExecution",
    "afterMCPExecution",
    "beforeReadFile",
    "afterFileEdit",
    "beforeTabFileRead",
    "afterTabFileEdit",
    "afterAgentThought",
    "workspaceOpen",
];
/// Tools that a verdict before the call can be about; an unanchored expression.
const BEFORE: &str = "Shell|Read|Grep|Fetch|Web|Task|MCP:";
const FORMAT: Format = Format { dialect: Dialect::Json, bom_ok: false };

impl Agent for Cursor {
    fn id(&self) -> &'static str {
        ID
    }

    fn name(&self) -> &'static str {
        "Cursor"
    }

    fn called(&self) -> &'static [&'static str] {
        &["cursor-agent", "cursor-cli", "cursor-ide"]
    }

    fn client_names(&self) -> &'static [&'static str] {
        &["cursor"]
    }

    fn detect(&self, machine: &Machine<'_>) -> Option<Found> {
        let mut found = Found::assumed(ID, config_dir(machine.env));
        for name in ["cursor-agent", "agent"] {
            let Some(program) = machine.program(&[name]) else { continue };
            let build = build_of(machine, &program);
            // `agent` is anybody's name: only Cursor's prints a dated build.
            if build.is_none() && name == "agent" {
                continue;
            }
            found.evidence.push(Evidence { how: "program".to_owned(), path: program.clone() });
            found
                .products
                .push(build.as_deref().map_or_else(|| "agent".to_owned(), |build| format!("agent {build}")));
            found.version = build;
            found.program = Some(program);
            break;
        }
        let ide = machine.program(&["cursor"]);
        let application = applications(machine).into_iter().find(|path| path.exists());
        if ide.is_some() || application.is_some() {
            let ide_version = ide.as_deref().and_then(|program| machine.version_of(program));
            found
                .products
                .push(ide_version.as_deref().map_or_else(|| "IDE".to_owned(), |v| format!("IDE {v}")));
            found.version = found.version.or(ide_version);
        }
        found.evidence.extend(ide.map(|path| Evidence { how: "program".to_owned(), path }));
        found.evidence.extend(application.map(|path| Evidence { how: "application".to_owned(), path }));
        if found.config_dir.is_dir() {
            found.evidence.push(Evidence { how: "config folder".to_owned(), path: found.config_dir.clone() });
        }
        (!found.evidence.is_empty()).then_some(found)
    }

    fn gains(&self, _found: &Found) -> Gains {
        // Only results of MCP servers can be replaced; commands are redirected before they run.
        Gains { tools: true, filtering: true, notes: true }
    }

    fn assumed(&self, env: &Env) -> Found {
        Found::assumed(ID, config_dir(env))
    }

    fn as_if(&self, found: &Found) -> Vec<Found> {
        if all_recent(found) || found.products.iter().all(|product| product.contains(' ')) {
            return Vec::new();
        }
        let recent = |product: &String| match product.as_str() {
            "agent" => format!("agent {RECENT_AGENT}"),
            "IDE" => format!("IDE {RECENT_IDE}"),
            known => known.to_owned(),
        };
        vec![Found { products: found.products.iter().map(recent).collect(), ..found.clone() }]
    }

    fn files(&self, wiring: &Wiring<'_>) -> Vec<ConfigFile> {
        let dir = match wiring.scope {
            Scope::User => wiring.found.config_dir.clone(),
            Scope::Project(root) => root.join(".cursor"),
        };
        let mut files = Vec::new();
        if wiring.parts.mcp {
            let entry = wire::server(wiring.launcher, ID, &[("type", json!("stdio"))], &[]);
            files.push(ConfigFile {
                path: dir.join("mcp.json"),
                format: FORMAT,
                role: Role::Mcp,
                edits: vec![wire::set_server(&["mcpServers"], entry, true)],
            });
        }
        if wiring.parts.hooks {
            let command = HookLine::silent(wiring.launcher, ID, None).native(wiring.env);
            let mut edits = vec![Edit::SetIfAbsent { path: vec!["version".to_owned()], value: json!(1) }];
            let recent: &[&str] = if all_recent(wiring.found) { &RECENT_EVENTS } else { &[] };
            edits.extend(EVENTS.iter().chain(recent).map(|event| {
                let mut handler = json!({ "command": command });
                if *event == "preToolUse" {
                    handler["matcher"] = json!(BEFORE);
                }
                handler["timeout"] = json!(wire::HOOK_TIMEOUT_S);
                wire::put_hook(ID, &["hooks"], event, handler)
            }));
            files.push(ConfigFile { path: dir.join("hooks.json"), format: FORMAT, role: Role::Hooks, edits });
        }
        if let (true, Scope::Project(_)) = (wiring.parts.instructions, wiring.scope) {
            let mark = edits::OWNED_MARK;
            let text = format!(
                "---\ndescription: Where large outputs go\nalwaysApply: true\n---\n<!-- {mark} -->\n\n{}",
                instructions::text(self)
            );
            files.push(ConfigFile {
                path: dir.join("rules").join("plimsoll.mdc"),
                format: Format::without_bom(Dialect::Markdown),
                role: Role::Instructions,
                edits: vec![Edit::Whole { text }],
            });
        }
        files
    }

    fn sent(&self, input: &HookInput<'_>) -> bool {
        Host::of(input) == Host::Cursor
    }

    fn read(&self, input: &HookInput<'_>) -> Option<Event> {
        let payload = input.payload;
        let raw_name = text(payload, "hook_event_name").or(input.event)?;
        let kind = match raw_name {
            "sessionStart" => EventKind::SessionStart { source: string(payload, "source") },
            "sessionEnd" => EventKind::SessionEnd,
            "beforeSubmitPrompt" => EventKind::Prompt,
            "preToolUse" => EventKind::PreTool,
            "postToolUse" => EventKind::PostTool,
            "postToolUseFailure" => EventKind::PostToolFailure,
            "preCompact" => EventKind::PreCompact,
            "stop" => EventKind::Stop,
            "subagentStart" => EventKind::SubagentStart,
            "subagentStop" => {
                let report = text_of(payload, &["summary", "last_assistant_message"]);
                EventKind::SubagentStop { report: report.map(str::to_owned) }
            }
            "afterAgentResponse" => EventKind::Answer { text: string(payload, "text") },
            _ => return None,
        };
        let root = payload.get("workspace_roots").and_then(|roots| roots.get(0)).and_then(Value::as_str);
        let project = root.filter(|root| !root.is_empty()).map(PathBuf::from);
        Some(Event {
            agent: ID,
            raw_name: raw_name.to_owned(),
            kind,
            session: text_of(payload, &["conversation_id", "session_id"]).map(str::to_owned),
            cwd: path(payload, "cwd").or_else(|| project.clone()),
            project,
            tool: tool_call(payload),
            prompt: string(payload, "prompt"),
            subagent: has(payload, "parent_conversation_id") || has(payload, "subagent_id"),
            transcript: path(payload, "transcript_path"),
            model: string(payload, "model"),
            permission_mode: None,
        })
    }

    fn session_variables(&self) -> &'static [&'static str] {
        &["CURSOR_TRACE_ID"]
    }

    fn write(&self, event: &Event, verdict: &Verdict) -> HookOutput {
        let reply = match (&event.kind, verdict) {
            (EventKind::PreTool, Verdict::Deny { reason }) => {
                json!({"permission": "deny", "user_message": reason, "agent_message": reason})
            }
            (EventKind::PreTool, Verdict::Ask { reason }) => {
                json!({"permission": "ask", "user_message": reason, "agent_message": reason})
            }
            // Without `permission`: an "allow" beside it could spare a command the person's own approval.
            (EventKind::PreTool, Verdict::Rewrite { input }) => json!({ "updated_input": input }),
            (EventKind::PostTool, Verdict::Replace { text }) if is_mcp(event) => {
                json!({"updated_mcp_tool_output": {"content": [{"type": "text", "text": text}]}})
            }
            (
                EventKind::PostTool | EventKind::SessionStart { .. } | EventKind::Prompt,
                Verdict::Context { text },
            ) => json!({ "additional_context": capped(text, wire::MAX_CONTEXT_CHARS) }),
            (EventKind::Prompt, Verdict::Deny { reason }) => {
                json!({"continue": false, "user_message": reason})
            }
            _ => return HookOutput::silent(),
        };
        HookOutput::json(&reply)
    }

    fn restarts_after_compaction(&self) -> bool {
        false
    }

    fn tool_name(&self, tool: &str) -> String {
        format!("MCP:{tool}")
    }

    fn rules(&self, env: &Env, project: &Path) -> RuleSet {
        let mut set = RuleSet::default();
        let mut layers = vec![(cli_config_dir(env).join("cli-config.json"), config_dir(env))];
        // The CLI merges `.cursor/cli.json` of every folder from the git root down to the working folder.
        layers
            .extend(project.ancestors().map(|dir| (dir.join(".cursor").join("cli.json"), dir.to_path_buf())));
        for (file, base) in layers {
            let source = file.display().to_string();
            match config::read(&file, Syntax::Strict) {
                Ok(None) => {}
                Err(reason) => set.broken.push(BrokenLayer { path: file, reason: reason.to_string() }),
                Ok(Some(value)) => {
                    for (key, effect) in [("deny", Effect::Deny), ("allow", Effect::Allow)] {
                        let texts = config::listed(&mut set, &file, &value, &["permissions", key], effect);
                        set.rules.extend(texts.into_iter().map(|text| rule(effect, text, &source, &base)));
                    }
                }
            }
        }
        set
    }

    fn findings(&self, _machine: &Machine<'_>, found: &Found, project: Option<&Path>) -> Vec<Finding> {
        let mut findings = Vec::new();
        let dirs = std::iter::once(found.config_dir.clone()).chain(project.map(|root| root.join(".cursor")));
        let mut rivals = Vec::new();
        for dir in dirs {
            let (hooks_file, mcp_file) = (dir.join("hooks.json"), dir.join("mcp.json"));
            match config::read(&hooks_file, Syntax::Comments) {
                Err(reason) => {
                    findings.push(config::unreadable(&hooks_file, reason, said::no_hook_of_it(self.name())));
                }
                Ok(Some(value)) => {
                    findings.extend(ignored(&hooks_file, &value));
                    rivals.push((hooks_file.display().to_string(), value));
                }
                Ok(None) => {}
            }
            match config::read(&mcp_file, Syntax::Comments) {
                Err(reason) => {
                    findings.push(config::unreadable(&mcp_file, reason, said::no_server_of_it(self.name())));
                }
                Ok(Some(value)) => rivals.push((mcp_file.display().to_string(), value)),
                Ok(None) => {}
            }
        }
        findings.extend(rivals::findings(rivals.iter().map(|(place, value)| (place.clone(), Some(value)))));
        findings
    }

    fn next_steps(&self, found: &Found) -> Vec<Sentence> {
        if found.products.iter().all(|product| product.starts_with("agent")) && !found.products.is_empty() {
            return Vec::new();
        }
        vec![said::next_cursor()]
    }
}

fn config_dir(env: &Env) -> PathBuf {
    env.home_dir().join(".cursor")
}

/// Where the CLI keeps `cli-config.json`: the one file that the overrides move.
fn cli_config_dir(env: &Env) -> PathBuf {
    let xdg = || env.path("XDG_CONFIG_HOME").filter(|_| env.os() == Os::Linux).map(|dir| dir.join("cursor"));
    env.path("CURSOR_CONFIG_DIR").or_else(xdg).unwrap_or_else(|| config_dir(env))
}

fn applications(machine: &Machine<'_>) -> Vec<PathBuf> {
    match machine.env.os() {
        Os::Mac => {
            vec![machine.at_root("/Applications/Cursor.app"), machine.in_home("Applications/Cursor.app")]
        }
        Os::Windows => {
            [("LOCALAPPDATA", "Programs/cursor/Cursor.exe"), ("ProgramFiles", "Cursor/Cursor.exe")]
                .iter()
                .filter_map(|(var, below)| Some(machine.env.path(var)?.join(below)))
                .collect()
        }
        Os::Linux => {
            ["/usr/share/cursor", "/opt/cursor", "/opt/Cursor"].map(|path| machine.at_root(path)).to_vec()
        }
    }
}

/// The dated build (`2026.09.18-1a2b3c4`): the folder that it is installed in, or what Cursor's command prints.
fn build_of(machine: &Machine<'_>, program: &Path) -> Option<String> {
    let folder = package::version_folder(program).filter(|word| is_build(word));
    let printed = || {
        let printed = machine.may_run.then(|| version::printed(program, machine.env))??;
        printed.split_whitespace().find(|word| is_build(word)).map(str::to_owned)
    };
    let told = || machine.told.get(program).filter(|word| is_build(word)).cloned();
    folder.or_else(printed).or_else(told)
}

fn is_build(word: &str) -> bool {
    let Some((date, hash)) = word.split_once('-') else { return false };
    let lengths: Vec<usize> = date.split('.').map(str::len).collect();
    lengths == [4, 2, 2]
        && date.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        && !hash.is_empty()
        && hash.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Whether every product that reads the hooks file is known to be recent enough for [`RECENT_EVENTS`].
fn all_recent(found: &Found) -> bool {
    let recent = |product: &String| match product.split_once(' ') {
        Some(("agent", build)) => version::at_least(Some(build), RECENT_AGENT) == Some(true),
        Some(("IDE", ide)) => version::at_least(Some(ide), RECENT_IDE) == Some(true),
        _ => false,
    };
    !found.products.is_empty() && found.products.iter().all(recent)
}

/// Why Cursor ignores a whole hooks file, if it does.
fn ignored(file: &Path, value: &Value) -> Option<Finding> {
    let known =
        |event: &str| EVENTS.iter().chain(&RECENT_EVENTS).chain(&OTHER_EVENTS).any(|known| *known == event);
    let unknown = value.get("hooks").and_then(Value::as_object)?.keys().find(|event| !known(event));
    let (what, remedy) = if !value.get("version").is_some_and(Value::is_i64) {
        (said::no_version(file), said::add_version("\"version\": 1"))
    } else {
        let event = unknown?;
        (said::unknown_event(file, event), said::remove_event(event))
    };
    Some(Finding { level: Level::Broken, what, remedy })
}

fn is_mcp(event: &Event) -> bool {
    event.tool.as_ref().is_some_and(|tool| tool.name.starts_with("MCP:"))
}

fn tool_call(payload: &Value) -> Option<ToolCall> {
    let name = string(payload, "tool_name")?;
    let input = payload.get("tool_input").map(unwrapped).unwrap_or_default();
    let file = || text_of(&input, &["file_path", "path", "target_file", "absolute_path"]).map(PathBuf::from);
    let kind = match name.as_str() {
        "Shell" => ToolKind::Shell { command: string(&input, "command").unwrap_or_default() },
        "Read" => match file() {
            Some(path) => ToolKind::Read { path, partial: has(&input, "offset") || has(&input, "limit") },
            None => ToolKind::Other,
        },
        "Write" | "Edit" | "StrReplace" | "Delete" | "MultiEdit" => {
            file().map_or(ToolKind::Other, |path| ToolKind::Edit { path })
        }
        "Grep" | "Glob" => ToolKind::Grep,
        "WebFetch" | "Fetch" => string(&input, "url").map_or(ToolKind::Other, |url| ToolKind::Fetch { url }),
        "Task" => ToolKind::Subagent,
        // Cursor does not say which server a tool is of.
        other => match other.strip_prefix("MCP:") {
            Some(tool) if crate::offer::TOOLS.contains(&tool) => ToolKind::Ours(tool.to_owned()),
            Some(tool) => ToolKind::Mcp { server: String::new(), tool: tool.to_owned() },
            None => ToolKind::Other,
        },
    };
    Some(ToolCall { kind, output: output(payload), id: string(payload, "tool_use_id"), name, input })
}

/// `tool_output` is JSON inside a string; a failure has its text in `error_message`.
fn output(payload: &Value) -> Option<Output> {
    if let Some(error) = text_of(payload, &["error_message", "error"]) {
        return Some(Output {
            text: error.to_owned(),
            raw: json!(error),
            failed: true,
            exit: None,
            full_in: None,
        });
    }
    let raw = payload.get("tool_output")?.clone();
    let value = unwrapped(&raw);
    let streams = ["output", "stdout", "stderr"].map(|key| text(&value, key).unwrap_or_default());
    let joined = streams.iter().filter(|text| !text.is_empty()).copied().collect::<Vec<_>>().join("\n");
    let text = if joined.is_empty() { content_text(&value).unwrap_or_else(|| plain(&value)) } else { joined };
    let code = ["exitCode", "exit_code"].iter().find_map(|key| value.get(key)?.as_i64());
    let failed =
        code.is_some_and(|code| code != 0) || value.get("isError").and_then(Value::as_bool) == Some(true);
    Some(Output { text, raw, failed, exit: None, full_in: None })
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// One entry of `permissions`: `Shell(git)`, `Shell(npm:run*)`, `Read(.env*)`, `WebFetch(*.example.com)`,
/// `Mcp(server:tool)`; `Write` also covers edits.
fn rule(effect: Effect, entry: &str, source: &str, base: &Path) -> Rule {
    let (name, pattern) = rules::split_call(entry);
    let pattern = pattern.filter(|pattern| !matches!(pattern.as_str(), "*" | "**"));
    let (target, pattern, syntax) = match name {
        "Shell" => match pattern {
            None => (Target::Shell, None, Pattern::Prefix),
            // The part before the colon is the command, the part behind it a pattern for its arguments.
            Some(pattern) => match pattern.split_once(':') {
                Some((command, "*" | "**")) => (Target::Shell, Some(command.to_owned()), Pattern::Prefix),
                Some((command, args)) => (Target::Shell, Some(format!("{command} {args}")), Pattern::Glob),
                None if pattern.contains('*') => (Target::Shell, Some(pattern), Pattern::Glob),
                None => (Target::Shell, Some(pattern), Pattern::Prefix),
            },
        },
        "Read" => (Target::Read, pattern, Pattern::ClaudeCode),
        "Write" => (Target::Edit, pattern, Pattern::ClaudeCode),
        "WebFetch" => (Target::Fetch, pattern.map(|host| format!("domain:{host}")), Pattern::ClaudeCode),
        "Mcp" => {
            let tool = pattern.unwrap_or_else(|| "*:*".to_owned());
            let (server, tool) = tool.split_once([':', ',']).unwrap_or((tool.as_str(), "*"));
            (Target::Mcp, Some(format!("mcp__{}__{}", server.trim(), tool.trim())), Pattern::Glob)
        }
        _ => (Target::Mcp, Some(entry.to_owned()), Pattern::Glob),
    };
    Rule {
        effect,
        target,
        pattern,
        syntax,
        text: entry.to_owned(),
        source: source.to_owned(),
        base: base.to_path_buf(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_dated_build_is_cursors_agent() {
        for (word, wanted) in [
            ("2026.09.18-1a2b3c4", true),
            ("2026.9.18-abc", false),
            ("1.2.3", false),
            ("2026.09.18", false),
            ("2026.09.18-grok", false),
            ("é.09.18-a", false),
        ] {
            assert_eq!(is_build(word), wanted, "{word}");
        }
    }
}
