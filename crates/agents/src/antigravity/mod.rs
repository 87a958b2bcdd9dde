//! Antigravity: the desktop application, the IDE and the `agy` command, which share `~/.gemini/config`.
//!
//! Three habits to respect: a server entry with a `type` is silently refused; a hook that answers nothing
//! before a tool call makes Antigravity ask the user, so every path returns a decision, even a failing one; and
//! the payload doesn't name the event, so the command does. `~/.gemini` alone proves nothing: Gemini CLI uses it too.

mod dialect;
mod permissions;

use std::path::{Path, PathBuf};

use edits::{Dialect, Edit, EntryMatcher, Format};
use home::{Env, Os};
use rules::RuleSet;
use serde_json::{Value, json};

use crate::command_line::HookLine;
use crate::config::{self, Syntax};
use crate::host::Host;
use crate::{
    Agent, Capabilities, ConfigFile, EntryContext, Event, Evidence, Finding, HookInput, HookOutput,
    Installation, Level, Machine, Role, SERVER_KEY, Sample, Scope, Verdict, entries, gemini_cli,
    instructions, messages, rivals,
};

/// Antigravity.
pub(crate) struct Antigravity;

const ID: &str = "antigravity";
/// Tools that a pre-call verdict covers.
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

    fn mark(&self) -> &'static str {
        "An"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["agy", "google-antigravity", "google"]
    }

    fn client_names(&self) -> &'static [&'static str] {
        &["antigravity"]
    }

    fn detect(&self, machine: &Machine<'_>) -> Option<Installation> {
        let mut installation = self.assumed_installation(machine.env);
        if let Some(program) = machine.program(&["agy"]) {
            installation.version = machine.version_of(&program);
            installation.evidence.push(Evidence { how: "program".to_owned(), path: program.clone() });
            installation.program = Some(program);
            installation.products.push("agy".to_owned());
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
            let before = installation.evidence.len();
            installation.evidence.extend(
                evidence
                    .into_iter()
                    .filter_map(|(how, path)| Some(Evidence { how: how.to_owned(), path: path? })),
            );
            if installation.evidence.len() > before
                && !installation.products.iter().any(|known| known == product)
            {
                installation.products.push(product.to_owned());
            }
        }
        let shared = ["mcp_config.json", "hooks.json"].map(|name| installation.config_dir.join(name));
        if let Some(path) = shared.into_iter().find(|path| path.exists()) {
            installation.evidence.push(Evidence { how: "config folder".to_owned(), path });
        }
        (!installation.evidence.is_empty()).then_some(installation)
    }

    fn capabilities(&self, _installation: &Installation) -> Capabilities {
        Capabilities { tools: true, filtering: true, notes: true }
    }

    fn assumed_installation(&self, env: &Env) -> Installation {
        Installation::assumed(ID, gemini_dir(env).join("config"))
    }

    fn files(&self, context: &EntryContext<'_>) -> Vec<ConfigFile> {
        let dir = dir(context);
        let mut files = Vec::new();
        if context.parts.mcp {
            let path = match context.scope {
                Scope::User => mcp_file(context.env, &dir),
                Scope::Project(_) => dir.join("mcp_config.json"),
            };
            // No `type`. The user's own keys (`disabled`, `disabledTools`) stay untouched.
            let entry = entries::server(context.launcher, ID, &[], &[]);
            let edits = vec![entries::set_server(&["mcpServers"], entry, true)];
            files.push(ConfigFile { path, format: FORMAT, role: Role::Mcp, edits });
        }
        if context.parts.hooks {
            let path = dir.join("hooks.json");
            files.push(ConfigFile {
                path,
                format: FORMAT,
                role: Role::Hooks,
                edits: vec![set_hooks(hooks(context))],
            });
        }
        if context.parts.instructions {
            // Gemini CLI reads the same file: one block serves both, and Gemini CLI writes it.
            let path = match context.scope {
                Scope::User => gemini_dir(context.env).join("GEMINI.md"),
                Scope::Project(root) => root.join("GEMINI.md"),
            };
            let edits = vec![instructions::block(&gemini_cli::GeminiCli)];
            let format = Format::new(Dialect::Markdown);
            files.push(ConfigFile { path, format, role: Role::Instructions, edits });
        }
        files
    }

    fn former_files(&self, context: &EntryContext<'_>) -> Vec<ConfigFile> {
        // Hooks that the user moved under a name of their own.
        let mut files = vec![ConfigFile {
            path: dir(context).join("hooks.json"),
            format: FORMAT,
            role: Role::Hooks,
            edits: vec![entries::remove_hooks(ID, &[])],
        }];
        let legacy = legacy_mcp_file(context.env);
        if legacy.exists() && mcp_file(context.env, &context.installation.config_dir) != legacy {
            let edits = vec![entries::remove_server(&["mcpServers"])];
            files.push(ConfigFile { path: legacy, format: FORMAT, role: Role::Mcp, edits });
        }
        files
    }

    fn owns_payload(&self, input: &HookInput<'_>) -> bool {
        Host::of(input).may_be(Host::Antigravity)
    }

    fn parse_event(&self, input: &HookInput<'_>) -> Option<Event> {
        dialect::parse_event(input)
    }

    fn session_start(&self, session: &str, home: &Path) -> Sample {
        Sample {
            event: Some("PreInvocation"),
            payload: json!({"conversationId": session, "workspacePaths": [home], "artifactDirectoryPath": home,
                "stepIdx": 0, "invocationNum": 0}),
        }
    }

    fn render_verdict(&self, event: &Event, verdict: &Verdict) -> HookOutput {
        dialect::render_verdict(event, verdict)
    }

    fn fail_open(&self, event: Option<&str>) -> HookOutput {
        dialect::fail_open(event)
    }

    fn tool_name(&self, tool: &str) -> String {
        format!("mcp__plimsoll__{tool}")
    }

    fn rules(&self, env: &Env, project: &Path) -> RuleSet {
        permissions::rules(env, project)
    }

    fn findings(
        &self,
        machine: &Machine<'_>,
        installation: &Installation,
        _project: Option<&Path>,
    ) -> Vec<Finding> {
        let (mcp, hooks) =
            (mcp_file(machine.env, &installation.config_dir), installation.config_dir.join("hooks.json"));
        let mut findings = Vec::new();
        match config::read(&mcp, Syntax::Strict) {
            Err(reason) => {
                findings.push(config::unreadable_finding(&mcp, reason, messages::does_not_start("`agy`")));
            }
            Ok(value) => {
                let servers = value.as_ref().and_then(|value| value.get("mcpServers"));
                findings.extend(rivals::findings([(mcp.display().to_string(), servers)]));
                if servers.and_then(|servers| servers.get(SERVER_KEY)?.get("disabled")) == Some(&json!(true))
                {
                    findings.push(Finding {
                        level: Level::NeedsYou,
                        what: messages::server_disabled(SERVER_KEY, &mcp),
                        remedy: messages::switch_on_antigravity(),
                    });
                }
            }
        }
        match config::read(&hooks, Syntax::Strict) {
            Err(reason) => {
                findings.push(config::unreadable_finding(
                    &hooks,
                    reason,
                    messages::runs_no_hook(self.name()),
                ));
            }
            Ok(value) => {
                findings.extend(rivals::findings([(hooks.display().to_string(), value.as_ref())]));
                if value.as_ref().and_then(|value| value.get(SERVER_KEY)?.get("enabled"))
                    == Some(&json!(false))
                {
                    findings.push(Finding {
                        level: Level::NeedsYou,
                        what: messages::plimsoll_hooks_off(&hooks),
                        remedy: messages::enable_or_connect(),
                    });
                }
            }
        }
        let plugin = installation.config_dir.join("plugins").join(SERVER_KEY);
        if plugin.join("hooks.json").exists() {
            findings.push(Finding {
                level: Level::NeedsYou,
                what: messages::folder_registers_too(&plugin),
                remedy: messages::remove_folder(),
            });
        }
        findings
    }
}

/// The folder of the scope's files.
fn dir(context: &EntryContext<'_>) -> PathBuf {
    match context.scope {
        Scope::User => context.installation.config_dir.clone(),
        Scope::Project(root) => root.join(".agents"),
    }
}

fn gemini_dir(env: &Env) -> PathBuf {
    env.home_dir().join(".gemini")
}

fn legacy_mcp_file(env: &Env) -> PathBuf {
    gemini_dir(env).join("antigravity").join("mcp_config.json")
}

/// The shared file, or the legacy one where no product has created the shared folder.
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

/// The hook by its name. `timeout` must be a whole number of seconds: anything else drops the file.
fn hooks(context: &EntryContext<'_>) -> Value {
    let handler = |event: &str| {
        let go_on = dialect::fail_open(Some(event)).stdout;
        let line = HookLine { go_on: &go_on, ..HookLine::silent(context.launcher, ID, Some(event)) };
        json!({
            "type": "command",
            "command": line.posix_or_bare(context.env),
            "timeout": entries::HOOK_TIMEOUT_S,
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
    Edit::Set {
        path: vec![SERVER_KEY.to_owned()],
        value,
        ours: EntryMatcher::new(is_ours),
        keep_extra_keys: true,
    }
}

/// Whether a value is Plimsoll's: a hook or group of hooks, or a named hook in which every handler of every event is.
fn is_ours(value: &Value) -> bool {
    if entries::is_our_hook(value, ID) {
        return true;
    }
    let mut elements =
        value.as_object().into_iter().flatten().filter_map(|(_, list)| list.as_array()).flatten();
    let mut any = false;
    elements.all(|element| {
        any = true;
        entries::is_our_hook(element, ID)
    }) && any
}
