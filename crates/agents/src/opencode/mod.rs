//! OpenCode: servers in `opencode.json(c)`, hooks in Plimsoll's own plugin file.
//!
//! OpenCode has no hook commands; `opencode/plugin.js` passes each event to Plimsoll's hook command and applies the answer.
//! The format between the two is private and is parsed and rendered here. Of several matching permission rules,
//! OpenCode applies the last.

mod database;
mod file_storage;
mod findings;
mod locations;
mod permissions;
mod transcript;

use std::path::{Path, PathBuf};

use contract::Sentence;
use edits::{Comment, Dialect, Edit, Format};
use home::{Env, Os};
use rules::{Precedence, RuleSet};
use serde_json::{Value, json};
use transcripts::Source;

use crate::config::{self, Syntax};
use crate::host::Host;
use crate::offer::MeasuredCost;
use crate::payload::{capped, command, has, path, path_of, string, text};
use crate::{
    Agent, Capabilities, ConfigFile, EntryContext, Event, EventKind, Finding, HookInput, HookOutput,
    Installation, Machine, Offer, Output, OutputKind, OutputLimits, OutputSize, Role, Sample, Scope,
    ToolCall, ToolKind, Truncation, Verdict, command_line, entries, instructions, messages,
};

/// OpenCode.
pub(crate) struct OpenCode;

const ID: &str = "opencode";
/// From this version, plugins in object form load.
const OBJECT_PLUGIN: &str = "1.18.29";
/// The plugin file; `@LAUNCHER@` and `@OWNED@` are filled in.
const PLUGIN: &str = include_str!("plugin.js");

impl Agent for OpenCode {
    fn id(&self) -> &'static str {
        ID
    }

    fn name(&self) -> &'static str {
        "OpenCode"
    }

    fn mark(&self) -> &'static str {
        "Op"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["opencode-ai"]
    }

    fn client_names(&self) -> &'static [&'static str] {
        &["opencode"]
    }

    fn detect(&self, machine: &Machine<'_>) -> Option<Installation> {
        let mut applications = vec![machine.in_home(".opencode/bin/opencode")];
        applications.extend(match machine.env.os() {
            Os::Mac => vec![machine.at_root("/Applications/OpenCode.app")],
            Os::Linux => {
                ["/opt/OpenCode", "/usr/bin/opencode-desktop"].map(|path| machine.at_root(path)).to_vec()
            }
            Os::Windows => vec![machine.in_home(".opencode/bin/opencode.exe")],
        });
        let mut installation = machine.find(ID, &["opencode"], config_dir(machine.env), &applications)?;
        if installation.program.is_none()
            && let Some(program) = applications.iter().find(|path| path.is_file())
        {
            installation.version = machine.version_of(program);
            installation.program = Some(program.clone());
        }
        Some(installation)
    }

    fn capabilities(&self, installation: &Installation) -> Capabilities {
        let plugin = has_plugins(installation);
        Capabilities { tools: true, filtering: plugin, notes: plugin }
    }

    fn tested_versions(&self) -> &'static [&'static str] {
        &["1.18.33"]
    }

    fn assumed_installation(&self, env: &Env) -> Installation {
        Installation::assumed(ID, config_dir(env))
    }

    fn entry_versions(&self) -> Vec<&'static str> {
        vec![OBJECT_PLUGIN]
    }

    fn files(&self, context: &EntryContext<'_>) -> Vec<ConfigFile> {
        let mut files = Vec::new();
        if context.parts.mcp {
            let path = match context.scope {
                Scope::User => config_file(context.env, &context.installation.config_dir),
                Scope::Project(root) => project_file(root),
            };
            files.push(ConfigFile {
                path,
                format: Format::new(Dialect::Jsonc),
                role: Role::Mcp,
                edits: vec![entries::set_server(&["mcp"], server(context), true)],
            });
        }
        if context.parts.hooks && has_plugins(context.installation) {
            let (dir, configs) = match context.scope {
                Scope::User => (
                    context.installation.config_dir.clone(),
                    candidates(context.env, &context.installation.config_dir),
                ),
                Scope::Project(root) => (root.join(".opencode"), vec![project_file(root)]),
            };
            let path = dir.join("plugins").join("plimsoll.js");
            // With Plimsoll's plugin in the `plugin` list too, every event would be handled twice. A file that already exists
            // is still listed, so that it can be removed.
            let listed = configs
                .iter()
                .any(|file| findings::plugin_entry(&config::read_or_nothing(file, Syntax::Jsonc)).is_some());
            if !listed || path.exists() {
                files.push(ConfigFile {
                    path,
                    format: Format::without_bom(Dialect::Markdown),
                    role: Role::Plugin,
                    edits: vec![Edit::Whole { text: plugin(context.launcher) }],
                });
            }
        }
        if context.parts.instructions {
            // Codex reads a project's AGENTS.md too, and its block has other tool names.
            let (path, id) = match context.scope {
                Scope::User => (context.installation.config_dir.join("AGENTS.md"), crate::SERVER_KEY),
                Scope::Project(root) => (root.join("AGENTS.md"), "plimsoll-opencode"),
            };
            let text = instructions::text(self);
            files.push(ConfigFile {
                path,
                format: Format::new(Dialect::Markdown),
                role: Role::Instructions,
                edits: vec![Edit::Block { id: id.to_owned(), text, comment: Comment::Html }],
            });
        }
        files
    }

    fn former_files(&self, context: &EntryContext<'_>) -> Vec<ConfigFile> {
        let Scope::User = context.scope else { return Vec::new() };
        let dir = &context.installation.config_dir;
        let current = config_file(context.env, dir);
        let others =
            candidates(context.env, dir).into_iter().filter(|path| *path != current && path.exists());
        let mut files: Vec<ConfigFile> = others
            .map(|path| ConfigFile {
                path,
                format: Format::new(Dialect::Jsonc),
                role: Role::Mcp,
                edits: vec![entries::remove_server(&["mcp"])],
            })
            .collect();
        let singular = dir.join("plugin").join("plimsoll.js");
        if singular.exists() {
            files.push(ConfigFile {
                path: singular,
                format: Format::without_bom(Dialect::Markdown),
                role: Role::Plugin,
                edits: vec![Edit::Whole { text: plugin(context.launcher) }],
            });
        }
        files
    }

    fn owns_payload(&self, input: &HookInput<'_>) -> bool {
        Host::of(input) == Host::OpenCode
    }

    fn parse_event(&self, input: &HookInput<'_>) -> Option<Event> {
        let payload = input.payload;
        let raw_name = text(payload, "event").or(input.event)?;
        let output = payload.get("output").map(|raw| Output {
            text: string(raw, "text").unwrap_or_default(),
            raw: raw.clone(),
            failed: raw.get("failed").and_then(Value::as_bool) == Some(true),
            exit: raw.get("exit").and_then(Value::as_i64).and_then(|code| i32::try_from(code).ok()),
            full_in: path(raw, "full"),
        });
        let kind = match raw_name {
            "session.start" => EventKind::SessionStart { source: string(payload, "source") },
            "session.deleted" => EventKind::SessionEnd,
            "chat.message" => EventKind::Prompt,
            "tool.execute.before" => EventKind::PreTool,
            // One event for both; a failed command still has its output answered.
            "tool.execute.after" => EventKind::PostTool,
            "session.compacting" => EventKind::PreCompact,
            "session.idle" => EventKind::Stop,
            _ => return None,
        };
        let directory = path(payload, "directory");
        Some(Event {
            agent: ID,
            raw_name: raw_name.to_owned(),
            kind,
            session: string(payload, "session"),
            cwd: directory.clone(),
            project: directory,
            tool: tool_call(payload, output),
            prompt: string(payload, "prompt"),
            subagent: has(payload, "parent"),
            transcript: None,
            model: string(payload, "model"),
            permission_mode: None,
        })
    }

    fn session_start(&self, session: &str, home: &Path) -> Sample {
        Sample {
            event: None,
            payload: json!({"host": "opencode", "event": "session.start", "session": session, "directory": home,
                "source": "startup"}),
        }
    }

    fn transcripts(&self, env: &Env) -> Vec<Source> {
        locations::sources(env)
    }

    fn render_verdict(&self, event: &Event, verdict: &Verdict) -> HookOutput {
        let reply = match (&event.kind, verdict) {
            (EventKind::PreTool, Verdict::Deny { reason }) => json!({ "deny": reason }),
            (EventKind::PreTool, Verdict::Rewrite { input }) => json!({ "args": input }),
            (EventKind::PostTool, Verdict::Replace { text }) => json!({ "output": text }),
            (
                EventKind::SessionStart { .. }
                | EventKind::Prompt
                | EventKind::PreCompact
                | EventKind::PostTool,
                Verdict::Context { text },
            ) => json!({ "context": capped(text, entries::MAX_CONTEXT_CHARS) }),
            _ => return HookOutput::silent(),
        };
        HookOutput::json(&reply)
    }

    // Measured on 1.18.33.
    fn output_limits(&self, kind: OutputKind) -> OutputLimits {
        let (bytes, lines) = (51_200, 2_000);
        let truncation = match kind {
            OutputKind::Shell { .. } => Truncation::End { bytes, lines },
            // A line that doesn't fit is dropped entirely.
            OutputKind::Tool => Truncation::Lines { bytes, lines },
        };
        OutputLimits { limit: OutputSize::Bytes(bytes), max_lines: lines, truncation, notice_bytes: 100 }
    }

    fn replaces_output(&self, event: &Event) -> bool {
        event.kind == EventKind::PostTool
    }

    // Measured on 1.18.33.
    fn offer(&self) -> Offer {
        Offer {
            resources: false,
            measured: Some(MeasuredCost {
                version: "1.18.33",
                bytes: 4_453,
                left_out: Some("resources, for which it would add three tools of its own (1,432 bytes)"),
            }),
            ..Offer::UNCOUNTED
        }
    }

    fn tool_name(&self, tool: &str) -> String {
        format!("plimsoll_{tool}")
    }

    fn rules(&self, env: &Env, project: &Path) -> RuleSet {
        let mut set = RuleSet {
            precedence: Precedence::LastMatch,
            case_insensitive: env.os() != Os::Linux,
            ..RuleSet::default()
        };
        permissions::add(env, &config_dir(env), project, &mut set);
        set
    }

    fn has_hidden_rules(&self, env: &Env) -> bool {
        permissions::process(env).hidden
    }

    fn findings(
        &self,
        machine: &Machine<'_>,
        installation: &Installation,
        project: Option<&Path>,
    ) -> Vec<Finding> {
        findings::findings(machine.env, installation, project)
    }

    fn next_steps(&self, installation: &Installation, hooks: bool) -> Vec<Sentence> {
        let mut steps = vec![messages::next_opencode()];
        // OpenCode 1.18.33 loads no plugin, and answers nothing, before it has installed `@opencode-ai/plugin` beside it.
        if hooks && !installation.config_dir.join("node_modules").exists() {
            steps.push(messages::next_opencode_plugin());
        }
        steps
    }
}

/// `OPENCODE_CONFIG_DIR`, or `opencode` in the XDG folder, which OpenCode uses on every system.
fn config_dir(env: &Env) -> PathBuf {
    let xdg = || env.path("XDG_CONFIG_HOME").unwrap_or_else(|| env.home_dir().join(".config"));
    env.path("OPENCODE_CONFIG_DIR").unwrap_or_else(|| xdg().join("opencode"))
}

/// Files that may list servers for every project, in order of preference.
fn candidates(env: &Env, dir: &Path) -> Vec<PathBuf> {
    let named = env.path("OPENCODE_CONFIG").into_iter();
    named.chain(["opencode.jsonc", "opencode.json"].map(|name| dir.join(name))).collect()
}

/// The file to edit: the one with Plimsoll's entry, else the one in `OPENCODE_CONFIG`, else the one that lists servers,
/// else the first that exists, else a new `opencode.json`.
fn config_file(env: &Env, dir: &Path) -> PathBuf {
    let candidates = candidates(env, dir);
    let holds = |path: &PathBuf, keys: &[&str]| {
        config::at(&config::read_or_nothing(path, Syntax::Jsonc), keys).is_some()
    };
    let ours = candidates.iter().find(|path| holds(path, &["mcp", crate::SERVER_KEY]));
    let chosen = ours
        .cloned()
        .or_else(|| env.path("OPENCODE_CONFIG"))
        .or_else(|| candidates.iter().find(|path| holds(path, &["mcp"])).cloned())
        .or_else(|| candidates.iter().find(|path| path.exists()).cloned());
    chosen.unwrap_or_else(|| dir.join("opencode.json"))
}

fn project_file(root: &Path) -> PathBuf {
    let places = ["opencode.jsonc", "opencode.json", ".opencode/opencode.jsonc", ".opencode/opencode.json"];
    let existing = places.iter().map(|place| root.join(place)).find(|path| path.exists());
    existing.unwrap_or_else(|| root.join("opencode.json"))
}

/// Whether the version loads Plimsoll's plugin; an unknown version counts as current.
fn has_plugins(installation: &Installation) -> bool {
    installation.at_least(OBJECT_PLUGIN) != Some(false)
}

/// A Claude-shaped entry would keep OpenCode from starting: `command` is a list here. The timeout applies to each tool
/// call too (measured on 1.18.33), so it must exceed Plimsoll's.
fn server(context: &EntryContext<'_>) -> Value {
    let mut command = vec![command_line::path_text(context.launcher)];
    command.extend(entries::mcp_args(ID));
    json!({ "type": "local", "command": command, "timeout": entries::TOOL_TIMEOUT_S * 1000 })
}

/// The plugin file for this launcher.
pub(crate) fn plugin(launcher: &Path) -> String {
    let path = command_line::path_text(launcher);
    // A JSON string is a JavaScript string, except for two line ends that older engines reject.
    let quoted = Value::from(path).to_string().replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
    PLUGIN.replace("@OWNED@", edits::OWNED_MARK).replace("\"@LAUNCHER@\"", &quoted)
}

fn tool_call(payload: &Value, output: Option<Output>) -> Option<ToolCall> {
    let name = string(payload, "tool")?;
    let input = payload.get("args").cloned().unwrap_or_default();
    let file = || path_of(&input, &["filePath", "path", "file"]);
    let kind = match name.as_str() {
        "bash" | "shell" => ToolKind::Shell { command: command(&input, &["command"]).unwrap_or_default() },
        "read" => match file() {
            Some(path) => ToolKind::Read { path, partial: has(&input, "offset") || has(&input, "limit") },
            None => ToolKind::Other,
        },
        "write" | "edit" | "multiedit" | "patch" | "apply_patch" => {
            file().map_or(ToolKind::Other, |path| ToolKind::Edit { path })
        }
        "grep" | "glob" | "list" | "codesearch" => ToolKind::Grep,
        "webfetch" => string(&input, "url").map_or(ToolKind::Other, |url| ToolKind::Fetch { url }),
        "task" => ToolKind::Subagent,
        other => match other.strip_prefix("plimsoll_") {
            Some(tool) => ToolKind::Ours(tool.to_owned()),
            None if output.as_ref().is_some_and(|output| output.raw.get("mcp") == Some(&json!(true))) => {
                let (server, tool) = other.split_once('_').unwrap_or(("", other));
                ToolKind::Mcp { server: server.to_owned(), tool: tool.to_owned() }
            }
            None => ToolKind::Other,
        },
    };
    Some(ToolCall { kind, output, id: string(payload, "callID"), name, input })
}
