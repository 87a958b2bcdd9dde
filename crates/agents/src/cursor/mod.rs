//! Cursor: the IDE and the `agent` command. Both read `~/.cursor/mcp.json` and `~/.cursor/hooks.json`.
//!
//! The hooks file is all or nothing: without an integer `version`, or with an event that the installed build doesn't
//! know, Cursor ignores every hook in it, including the user's own. So only four old events are registered unless every
//! product that reads the file is recent.

mod dialect;
mod permissions;

use std::path::{Path, PathBuf};

use contract::Sentence;
use edits::{Dialect, Edit, Format};
use home::{Env, Os};
use rules::RuleSet;
use serde_json::{Value, json};

use crate::command_line::HookLine;
use crate::config::{self, Syntax};
use crate::host::Host;
use crate::{
    Agent, Capabilities, ConfigFile, EntryContext, Event, Evidence, Finding, HookInput, HookOutput,
    Installation, Level, Machine, MemorySources, Role, Sample, Scope, Verdict, entries, instructions,
    messages, package_version, rivals, version,
};

/// Cursor.
pub(crate) struct Cursor;

const ID: &str = "cursor";
/// Events of every build still in use.
const EVENTS: [&str; 4] = ["sessionStart", "preToolUse", "postToolUse", "preCompact"];
/// More events, found in the CLI of 2026-09-18 and the IDE 3.12.
const RECENT_EVENTS: [&str; 7] = [
    "beforeSubmitPrompt",
    "postToolUseFailure",
    "subagentStart",
    "subagentStop",
    "afterAgentResponse",
    "stop",
    "sessionEnd",
];
/// First versions that have them.
const RECENT_AGENT: &str = "2026.9.18";
const RECENT_IDE: &str = "3.12.0";
/// Every event that some build knows; any other makes Cursor ignore the file.
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
/// Tools that a pre-call verdict covers; an unanchored expression.
const BEFORE: &str = "Shell|Read|Grep|Fetch|Web|Task|MCP:";
const FORMAT: Format = Format { dialect: Dialect::Json, bom_ok: false };

impl Agent for Cursor {
    fn id(&self) -> &'static str {
        ID
    }

    fn name(&self) -> &'static str {
        "Cursor"
    }

    fn mark(&self) -> &'static str {
        "Cu"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["cursor-agent", "cursor-cli", "cursor-ide"]
    }

    fn client_names(&self) -> &'static [&'static str] {
        &["cursor"]
    }

    fn detect(&self, machine: &Machine<'_>) -> Option<Installation> {
        let mut installation = Installation::assumed(ID, config_dir(machine.env));
        for name in ["cursor-agent", "agent"] {
            let Some(program) = machine.program(&[name]) else { continue };
            let build = build_of(machine, &program);
            // `agent` is a common name: only Cursor's prints a dated build.
            if build.is_none() && name == "agent" {
                continue;
            }
            installation.evidence.push(Evidence { how: "program".to_owned(), path: program.clone() });
            installation
                .products
                .push(build.as_deref().map_or_else(|| "agent".to_owned(), |build| format!("agent {build}")));
            installation.version = build;
            installation.program = Some(program);
            break;
        }
        let ide = machine.program(&["cursor"]);
        let application = applications(machine).into_iter().find(|path| path.exists());
        if ide.is_some() || application.is_some() {
            let ide_version = ide.as_deref().and_then(|program| machine.version_of(program));
            installation
                .products
                .push(ide_version.as_deref().map_or_else(|| "IDE".to_owned(), |v| format!("IDE {v}")));
            installation.version = installation.version.or(ide_version);
        }
        installation.evidence.extend(ide.map(|path| Evidence { how: "program".to_owned(), path }));
        installation
            .evidence
            .extend(application.map(|path| Evidence { how: "application".to_owned(), path }));
        if installation.config_dir.is_dir() {
            installation
                .evidence
                .push(Evidence { how: "config folder".to_owned(), path: installation.config_dir.clone() });
        }
        (!installation.evidence.is_empty()).then_some(installation)
    }

    fn capabilities(&self, _installation: &Installation) -> Capabilities {
        // Cursor replaces MCP results only; commands are rewritten before they run.
        Capabilities { tools: true, filtering: true, notes: true }
    }

    fn assumed_installation(&self, env: &Env) -> Installation {
        Installation::assumed(ID, config_dir(env))
    }

    fn with_possible_versions(&self, installation: &Installation) -> Vec<Installation> {
        if all_recent(installation) || installation.products.iter().all(|product| product.contains(' ')) {
            return Vec::new();
        }
        let recent = |product: &String| match product.as_str() {
            "agent" => format!("agent {RECENT_AGENT}"),
            "IDE" => format!("IDE {RECENT_IDE}"),
            known => known.to_owned(),
        };
        vec![Installation {
            products: installation.products.iter().map(recent).collect(),
            ..installation.clone()
        }]
    }

    fn files(&self, context: &EntryContext<'_>) -> Vec<ConfigFile> {
        let dir = scope_dir(context);
        let mut files = Vec::new();
        if context.parts.mcp {
            let entry = entries::server(context.launcher, ID, &[("type", json!("stdio"))], &[]);
            files.push(ConfigFile {
                path: dir.join("mcp.json"),
                format: FORMAT,
                role: Role::Mcp,
                edits: vec![entries::set_server(&["mcpServers"], entry, true)],
            });
        }
        if context.parts.hooks {
            let command = HookLine::silent(context.launcher, ID, None).native(context.env);
            let mut edits = vec![Edit::SetIfAbsent { path: vec!["version".to_owned()], value: json!(1) }];
            let recent: &[&str] = if all_recent(context.installation) { &RECENT_EVENTS } else { &[] };
            edits.extend(EVENTS.iter().chain(recent).map(|event| {
                let mut handler = json!({ "command": command });
                if *event == "preToolUse" {
                    handler["matcher"] = json!(BEFORE);
                }
                handler["timeout"] = json!(entries::HOOK_TIMEOUT_S);
                entries::put_hook(ID, &["hooks"], event, handler)
            }));
            files.push(ConfigFile { path: dir.join("hooks.json"), format: FORMAT, role: Role::Hooks, edits });
        }
        if let (true, Scope::Project(_)) = (context.parts.instructions, context.scope) {
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

    fn former_files(&self, context: &EntryContext<'_>) -> Vec<ConfigFile> {
        // Hooks that the user moved to another event.
        let edits = vec![entries::remove_hooks(ID, &["hooks"])];
        let path = scope_dir(context).join("hooks.json");
        vec![ConfigFile { path, format: FORMAT, role: Role::Hooks, edits }]
    }

    fn memory_sources(&self, env: &Env, project: Option<&Path>) -> MemorySources {
        match project {
            None => {
                MemorySources { settings: vec![config_dir(env).join("mcp.json")], ..MemorySources::default() }
            }
            Some(folder) => MemorySources {
                instructions: [".cursorrules", ".cursor/rules"].map(|name| folder.join(name)).into(),
                ..MemorySources::default()
            },
        }
    }

    fn owns_payload(&self, input: &HookInput<'_>) -> bool {
        Host::of(input) == Host::Cursor
    }

    fn parse_event(&self, input: &HookInput<'_>) -> Option<Event> {
        dialect::parse_event(input)
    }

    fn session_variables(&self) -> &'static [&'static str] {
        &["CURSOR_TRACE_ID"]
    }

    fn session_start(&self, session: &str, home: &Path) -> Sample {
        Sample {
            event: None,
            payload: json!({"hook_event_name": "sessionStart", "conversation_id": session, "session_id": session,
                "generation_id": session, "cursor_version": "0.0.0", "workspace_roots": [home]}),
        }
    }

    fn project_variables(&self) -> &'static [&'static str] {
        &["CURSOR_PROJECT_DIR"]
    }

    fn render_verdict(&self, event: &Event, verdict: &Verdict) -> HookOutput {
        dialect::render_verdict(event, verdict)
    }

    fn restarts_after_compaction(&self) -> bool {
        false
    }

    fn tool_name(&self, tool: &str) -> String {
        format!("MCP:{tool}")
    }

    fn rules(&self, env: &Env, project: &Path) -> RuleSet {
        permissions::rules(env, project)
    }

    fn findings(
        &self,
        _machine: &Machine<'_>,
        installation: &Installation,
        project: Option<&Path>,
    ) -> Vec<Finding> {
        let mut findings = Vec::new();
        let dirs =
            std::iter::once(installation.config_dir.clone()).chain(project.map(|root| root.join(".cursor")));
        let mut rivals = Vec::new();
        for dir in dirs {
            let (hooks_file, mcp_file) = (dir.join("hooks.json"), dir.join("mcp.json"));
            match config::read(&hooks_file, Syntax::Comments) {
                Err(reason) => {
                    findings.push(config::unreadable_finding(
                        &hooks_file,
                        reason,
                        messages::runs_no_hook(self.name()),
                    ));
                }
                Ok(Some(value)) => {
                    findings.extend(ignored(&hooks_file, &value));
                    rivals.push((hooks_file.display().to_string(), value));
                }
                Ok(None) => {}
            }
            match config::read(&mcp_file, Syntax::Comments) {
                Err(reason) => {
                    findings.push(config::unreadable_finding(
                        &mcp_file,
                        reason,
                        messages::starts_no_server(self.name()),
                    ));
                }
                Ok(Some(value)) => rivals.push((mcp_file.display().to_string(), value)),
                Ok(None) => {}
            }
        }
        findings.extend(rivals::findings(rivals.iter().map(|(place, value)| (place.clone(), Some(value)))));
        findings
    }

    fn next_steps(&self, installation: &Installation, _hooks: bool) -> Vec<Sentence> {
        if installation.products.iter().all(|product| product.starts_with("agent"))
            && !installation.products.is_empty()
        {
            return Vec::new();
        }
        vec![messages::next_cursor()]
    }
}

/// The folder of the scope's files.
fn scope_dir(context: &EntryContext<'_>) -> PathBuf {
    match context.scope {
        Scope::User => context.installation.config_dir.clone(),
        Scope::Project(root) => root.join(".cursor"),
    }
}

fn config_dir(env: &Env) -> PathBuf {
    env.home_dir().join(".cursor")
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

/// The dated build (`2026.09.18-1a2b3c4`) from the install folder or from the output of Cursor's command.
fn build_of(machine: &Machine<'_>, program: &Path) -> Option<String> {
    let folder = package_version::version_folder(program).filter(|word| is_build(word));
    let printed = || {
        let printed = machine.may_run.then(|| version::version_output(program, machine.env))??;
        printed.split_whitespace().find(|word| is_build(word)).map(str::to_owned)
    };
    let told = || machine.version_cache.get(program).filter(|word| is_build(word)).cloned();
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

/// Whether every product that reads the hooks file has [`RECENT_EVENTS`].
fn all_recent(installation: &Installation) -> bool {
    let recent = |product: &String| match product.split_once(' ') {
        Some(("agent", build)) => version::at_least(Some(build), RECENT_AGENT) == Some(true),
        Some(("IDE", ide)) => version::at_least(Some(ide), RECENT_IDE) == Some(true),
        _ => false,
    };
    !installation.products.is_empty() && installation.products.iter().all(recent)
}

/// Why Cursor ignores a hooks file, if it does.
fn ignored(file: &Path, value: &Value) -> Option<Finding> {
    let known =
        |event: &str| EVENTS.iter().chain(&RECENT_EVENTS).chain(&OTHER_EVENTS).any(|known| *known == event);
    let unknown = value.get("hooks").and_then(Value::as_object)?.keys().find(|event| !known(event));
    let (what, remedy) = if !value.get("version").is_some_and(Value::is_i64) {
        (messages::no_version(file), messages::add_version("\"version\": 1"))
    } else {
        let event = unknown?;
        (messages::unknown_event(file, event), messages::remove_event(event))
    };
    Some(Finding { level: Level::Broken, what, remedy })
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
