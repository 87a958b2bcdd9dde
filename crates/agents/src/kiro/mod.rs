//! Kiro: the IDE and `kiro-cli`. Both read `~/.kiro`. The CLI's older engines follow `KIRO_HOME` and the newest ignores
//! it, so where the two differ both folders get the entries.
//!
//! Plimsoll's hooks are in a file of their own. A denial is exit code 2 with the reason on stderr; context is plain
//! text on stdout. `UserPromptSubmit` isn't registered: the newest engine adds a placeholder to the conversation for it
//! even when nothing is printed. There is no event for compaction.

mod permissions;

use std::path::{Path, PathBuf};

use contract::Sentence;
use edits::{Dialect, Edit, EntryMatcher, Format};
use home::{Env, Os};
use rules::RuleSet;
use serde_json::{Value, json};

use crate::command_line::HookLine;
use crate::config::{self, Syntax};
use crate::host::Host;
use crate::payload::{
    capped, command, content_text, has, path, path_of, snake_case_event, string, text, unwrapped,
};
use crate::{
    Agent, Capabilities, ConfigFile, EntryContext, Event, EventKind, Evidence, Finding, HookInput,
    HookOutput, Installation, Level, Machine, Output, Role, Sample, Scope, ToolCall, ToolKind, Verdict,
    entries, instructions, messages, rivals,
};

/// Kiro.
pub(crate) struct Kiro;

const ID: &str = "kiro";
/// Trigger, name of the hook in the file, matcher on tool names and categories.
const HOOKS: [(&str, &str, Option<&str>); 4] = [
    ("SessionStart", "plimsoll-start", None),
    ("PreToolUse", "plimsoll-before", Some("shell|read|web|execute_bash|fs_read|mcp")),
    ("PostToolUse", "plimsoll-after", Some("*")),
    ("Stop", "plimsoll-stop", None),
];
/// The exit code of a denial.
const DENIES_BY: u8 = 2;
const FORMAT: Format = Format { dialect: Dialect::Json, bom_ok: false };

impl Agent for Kiro {
    fn id(&self) -> &'static str {
        ID
    }

    fn name(&self) -> &'static str {
        "Kiro"
    }

    fn mark(&self) -> &'static str {
        "Ki"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["kiro-cli", "kiro-ide"]
    }

    fn client_names(&self) -> &'static [&'static str] {
        &["kiro", "q-dev-cli"]
    }

    fn detect(&self, machine: &Machine<'_>) -> Option<Installation> {
        let mut installation = self.assumed_installation(machine.env);
        if let Some(program) = machine.program(&["kiro-cli", "kiro-cli-chat"]) {
            installation.version = machine.version_of(&program);
            installation.evidence.push(Evidence { how: "program".to_owned(), path: program.clone() });
            installation.products.push("CLI".to_owned());
            installation.program = Some(program);
        }
        let ide =
            machine.program(&["kiro"]).into_iter().chain(applications(machine)).find(|path| path.exists());
        if let Some(path) = ide {
            installation.evidence.push(Evidence { how: "application".to_owned(), path });
            installation.products.push("IDE".to_owned());
        }
        let folders: Vec<PathBuf> = homes(&installation).filter(|dir| dir.is_dir()).cloned().collect();
        installation
            .evidence
            .extend(folders.into_iter().map(|path| Evidence { how: "config folder".to_owned(), path }));
        (!installation.evidence.is_empty()).then_some(installation)
    }

    fn capabilities(&self, installation: &Installation) -> Capabilities {
        let hooks = !only_agent_files(installation);
        Capabilities { tools: true, filtering: hooks, notes: hooks }
    }

    fn assumed_installation(&self, env: &Env) -> Installation {
        let usual = env.home_dir().join(".kiro");
        let mut installation = Installation::assumed(ID, usual.clone());
        if let Some(moved) = env.path("KIRO_HOME").filter(|moved| *moved != usual) {
            installation.config_dir = moved;
            installation.more_dirs.push(usual);
        }
        installation
    }

    fn files(&self, context: &EntryContext<'_>) -> Vec<ConfigFile> {
        dirs(context).iter().flat_map(|dir| self.files_in(dir, context)).collect()
    }

    fn former_files(&self, context: &EntryContext<'_>) -> Vec<ConfigFile> {
        // Plimsoll's hooks that the user renamed.
        let file = |dir: &PathBuf| ConfigFile {
            path: hooks_file(dir),
            format: FORMAT,
            role: Role::Hooks,
            edits: vec![entries::remove_hooks(ID, &["hooks"])],
        };
        dirs(context).iter().map(file).collect()
    }

    fn owns_payload(&self, input: &HookInput<'_>) -> bool {
        Host::of(input).may_be(Host::Kiro)
    }

    fn parse_event(&self, input: &HookInput<'_>) -> Option<Event> {
        let payload = input.payload;
        let raw_name = text(payload, "hook_event_name").or(input.event)?;
        // The spellings of the newest engine, and of hooks in an older engine's agent files.
        let kind = match raw_name {
            "SessionStart" | "agentSpawn" => EventKind::SessionStart { source: string(payload, "source") },
            "UserPromptSubmit" | "userPromptSubmit" => EventKind::Prompt,
            "PreToolUse" | "preToolUse" => EventKind::PreTool,
            "PostToolUse" | "postToolUse" => EventKind::PostTool,
            "PermissionRequest" => EventKind::PermissionRequest,
            "Stop" | "stop" => EventKind::Stop,
            _ => return None,
        };
        let mut event = snake_case_event(ID, raw_name, kind, payload);
        event.tool = tool_call(payload);
        event.prompt = string(payload, "prompt");
        event.subagent = has(payload, "parent_session_id");
        Some(event)
    }

    fn session_start(&self, session: &str, home: &Path) -> Sample {
        Sample {
            event: None,
            payload: json!({"hook_event_name": "SessionStart", "session_id": format!("sess_{session}"), "cwd": home}),
        }
    }

    fn render_verdict(&self, event: &Event, verdict: &Verdict) -> HookOutput {
        match (&event.kind, verdict) {
            (EventKind::PreTool, Verdict::Deny { reason }) => {
                // The reason is on stdout too: the registered command uses it to tell a denial from a crash with the same code.
                // Kiro reads stderr.
                HookOutput { stdout: reason.clone(), stderr: reason.clone(), exit: DENIES_BY }
            }
            (EventKind::SessionStart { .. } | EventKind::Prompt, Verdict::Context { text }) => {
                HookOutput { stdout: capped(text, entries::MAX_CONTEXT_CHARS), ..HookOutput::default() }
            }
            _ => HookOutput::silent(),
        }
    }

    fn tool_name(&self, tool: &str) -> String {
        format!("@plimsoll/{tool}")
    }

    fn rules(&self, env: &Env, project: &Path) -> RuleSet {
        let mut set = RuleSet { case_insensitive: env.os() != Os::Linux, ..RuleSet::default() };
        for dir in homes(&self.assumed_installation(env)) {
            permissions::user(env, dir, project, &mut set);
        }
        set
    }

    fn has_hidden_rules(&self, env: &Env) -> bool {
        permissions::process(env).hidden
    }

    fn findings(
        &self,
        _machine: &Machine<'_>,
        installation: &Installation,
        project: Option<&Path>,
    ) -> Vec<Finding> {
        let mut findings = Vec::new();
        let dirs = homes(installation).cloned().chain(project.map(|root| root.join(".kiro")));
        for dir in dirs {
            let (mcp, hooks) =
                (dir.join("settings").join("mcp.json"), dir.join("hooks").join("plimsoll.json"));
            match config::read(&mcp, Syntax::Strict) {
                Err(reason) => {
                    findings.push(config::unreadable_finding(
                        &mcp,
                        reason,
                        messages::starts_no_server(self.name()),
                    ));
                }
                Ok(value) => {
                    let servers = value.as_ref().and_then(|value| value.get("mcpServers"));
                    findings.extend(rivals::findings([(mcp.display().to_string(), servers)]));
                    if servers.and_then(|servers| servers.get("plimsoll")?.get("disabled"))
                        == Some(&json!(true))
                    {
                        findings.push(Finding {
                            level: Level::NeedsYou,
                            what: messages::server_disabled(crate::SERVER_KEY, &mcp),
                            remedy: messages::switch_on_kiro(),
                        });
                    }
                }
            }
            if let Err(reason) = config::read(&hooks, Syntax::Strict) {
                findings.push(config::unreadable_finding(
                    &hooks,
                    reason,
                    messages::runs_no_hook(self.name()),
                ));
            }
        }
        if only_agent_files(installation) {
            findings.push(Finding {
                level: Level::Note,
                what: messages::kiro_agent_files(),
                remedy: messages::kiro_v3(),
            });
        }
        findings
    }

    fn next_steps(&self, _installation: &Installation, _hooks: bool) -> Vec<Sentence> {
        vec![messages::next_kiro()]
    }
}

impl Kiro {
    fn files_in(&self, dir: &Path, context: &EntryContext<'_>) -> Vec<ConfigFile> {
        let mut files = Vec::new();
        if context.parts.mcp {
            // `disabled` and `autoApprove` are the user's: they aren't written, so they stay.
            let entry = entries::server(
                context.launcher,
                ID,
                &[],
                &[("timeout", json!(entries::TOOL_TIMEOUT_S * 1000))],
            );
            files.push(ConfigFile {
                path: dir.join("settings").join("mcp.json"),
                format: FORMAT,
                role: Role::Mcp,
                edits: vec![entries::set_server(&["mcpServers"], entry, true)],
            });
        }
        if context.parts.hooks {
            let line =
                HookLine { denies_by: Some(DENIES_BY), ..HookLine::silent(context.launcher, ID, None) };
            let command = line.posix_or_bare(context.env);
            let mut edits = vec![Edit::SetIfAbsent { path: vec!["version".to_owned()], value: json!("v1") }];
            edits.extend(HOOKS.map(|(trigger, name, matcher)| {
                let mut hook = json!({ "name": name, "trigger": trigger });
                if let Some(matcher) = matcher {
                    hook["matcher"] = json!(matcher);
                }
                hook["action"] = json!({ "type": "command", "command": command });
                hook["timeout"] = json!(entries::HOOK_TIMEOUT_S);
                let ours = EntryMatcher::new(move |value| {
                    text(value, "name") == Some(name) && entries::is_our_hook(value, ID)
                });
                Edit::Put { path: vec!["hooks".to_owned()], value: hook, ours }
            }));
            files.push(ConfigFile { path: hooks_file(dir), format: FORMAT, role: Role::Hooks, edits });
        }
        if context.parts.instructions {
            let mark = edits::OWNED_MARK;
            let text =
                format!("---\ninclusion: always\n---\n<!-- {mark} -->\n\n{}", instructions::text(self));
            files.push(ConfigFile {
                path: dir.join("steering").join("plimsoll.md"),
                format: Format::without_bom(Dialect::Markdown),
                role: Role::Instructions,
                edits: vec![Edit::Whole { text }],
            });
        }
        files
    }
}

/// The folders of the scope's files.
fn dirs(context: &EntryContext<'_>) -> Vec<PathBuf> {
    match context.scope {
        Scope::User => homes(context.installation).cloned().collect(),
        Scope::Project(root) => vec![root.join(".kiro")],
    }
}

fn hooks_file(dir: &Path) -> PathBuf {
    dir.join("hooks").join("plimsoll.json")
}

/// A CLI that runs hooks only from agent files: nothing that Plimsoll writes is run, unless its V3 engine is chosen.
fn only_agent_files(installation: &Installation) -> bool {
    installation.products == ["CLI"] && installation.at_least("3.0.0") == Some(false)
}

fn homes(installation: &Installation) -> impl Iterator<Item = &PathBuf> {
    std::iter::once(&installation.config_dir).chain(&installation.more_dirs)
}

fn applications(machine: &Machine<'_>) -> Vec<PathBuf> {
    match machine.env.os() {
        Os::Mac => vec![machine.at_root("/Applications/Kiro.app"), machine.in_home("Applications/Kiro.app")],
        Os::Windows => [("LOCALAPPDATA", "Programs/Kiro/Kiro.exe"), ("ProgramFiles", "Kiro/Kiro.exe")]
            .iter()
            .filter_map(|(var, below)| Some(machine.env.path(var)?.join(below)))
            .collect(),
        Os::Linux => ["/usr/share/kiro", "/opt/kiro"].map(|path| machine.at_root(path)).to_vec(),
    }
}

fn tool_call(payload: &Value) -> Option<ToolCall> {
    let name = string(payload, "tool_name")?;
    let input = payload.get("tool_input").map(unwrapped).unwrap_or_default();
    let kind = match name.as_str() {
        "execute_bash" | "shell" | "execute_cmd" => {
            ToolKind::Shell { command: command(&input, &["command"]).unwrap_or_default() }
        }
        "fs_read" | "read" | "readFile" => read_kind(&input),
        "fs_write" | "write" | "strReplace" | "fsAppend" => {
            path(&input, "path").map_or(ToolKind::Other, |path| ToolKind::Edit { path })
        }
        "grep" | "glob" | "code" => ToolKind::Grep,
        "web_fetch" | "webFetch" => {
            string(&input, "url").map_or(ToolKind::Other, |url| ToolKind::Fetch { url })
        }
        "use_subagent" | "subagent" | "delegate" => ToolKind::Subagent,
        other => match mcp_parts(other) {
            Some((server, tool)) if entries::is_our_key(server) => ToolKind::Ours(tool.to_owned()),
            Some((server, tool)) => ToolKind::Mcp { server: server.to_owned(), tool: tool.to_owned() },
            None => ToolKind::Other,
        },
    };
    let output = payload.get("tool_response").filter(|raw| !raw.is_null()).map(|raw| {
        let value = unwrapped(raw);
        let shown = content_text(&value)
            .or_else(|| value.get("result").and_then(content_text))
            .or_else(|| string(&value, "stdout"))
            .unwrap_or_else(|| value.to_string());
        let failed = value.get("success").and_then(Value::as_bool) == Some(false)
            || value.get("isError").and_then(Value::as_bool) == Some(true)
            || value.get("exit_status").and_then(Value::as_i64).is_some_and(|code| code != 0);
        Output { text: shown, raw: raw.clone(), failed, exit: None, full_in: None }
    });
    Some(ToolCall { kind, output, id: string(payload, "tool_use_id"), name, input })
}

/// `{path, start_line}` or, in the older engine, `{operations: [{mode, path, start_line}]}`.
fn read_kind(input: &Value) -> ToolKind {
    let one = input.get("operations").and_then(|list| list.get(0)).unwrap_or(input);
    if text(one, "mode").is_some_and(|mode| mode != "Line") {
        return ToolKind::Grep;
    }
    match path_of(one, &["path", "file_path"]) {
        Some(path) => ToolKind::Read {
            path,
            partial: ["start_line", "end_line", "offset", "limit"].iter().any(|key| has(one, key)),
        },
        None => ToolKind::Other,
    }
}

/// `@server/tool` or `mcp__server__tool`.
fn mcp_parts(name: &str) -> Option<(&str, &str)> {
    match name.strip_prefix('@') {
        Some(rest) => rest.split_once('/').or(Some((rest, ""))),
        None => entries::mcp_double(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capabilities_are_those_of_the_found_version() {
        let gains = |products: &[&str], version: &str| {
            let mut found = Installation::assumed(ID, PathBuf::from("/h/.kiro"));
            found.products = products.iter().map(|product| (*product).to_owned()).collect();
            found.version = Some(version.to_owned());
            let Capabilities { tools, filtering, notes } = Kiro.capabilities(&found);
            (tools, filtering, notes)
        };
        assert_eq!(gains(&["CLI"], "1.20.0"), (true, false, false));
        assert_eq!(gains(&["CLI"], "3.1.0"), (true, true, true));
        assert_eq!(gains(&["CLI", "IDE"], "1.20.0"), (true, true, true));
        assert_eq!(gains(&["IDE"], "0.9.0"), (true, true, true));
    }
}
