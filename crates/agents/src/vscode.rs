//! VS Code with Copilot, in every variant: Stable, Insiders, VSCodium, portable, Flatpak, remote server.
//!
//! Servers are listed in `<User>/mcp.json` and, because a named profile inherits nothing from the default
//! one, in the `mcp.json` of every profile. Hooks come from the file that Copilot CLI shares
//! (`copilot_cli`); this file owns local chat's dialect, which is Claude's with other names.

use std::path::{Path, PathBuf};

use contract::Sentence;
use edits::{Dialect, Edit, Format};
use home::{Env, Os};
use rules::{BrokenLayer, Effect, Rule, RuleSet, Syntax as Pattern, Target};
use serde_json::{Value, json};

use crate::config::{self, Syntax};
use crate::host::Host;
use crate::payload::{capped, content_text, has, path, string, text_of, unwrapped};
use crate::{
    Agent, ConfigFile, Event, EventKind, Evidence, Finding, Found, Gains, HookInput, HookOutput, Level,
    Machine, Output, Role, Scope, ToolCall, ToolKind, Verdict, Wiring, copilot_cli, instructions, rivals,
    said, wire,
};

/// VS Code.
pub(crate) struct VsCode;

pub(crate) const ID: &str = "vscode-copilot";
/// Folder names of the variants, with the names people know.
const VARIANTS: [(&str, &str); 4] = [
    ("Code", "VS Code"),
    ("Code - Insiders", "Insiders"),
    ("VSCodium", "VSCodium"),
    ("VSCodium - Insiders", "VSCodium Insiders"),
];

impl Agent for VsCode {
    fn id(&self) -> &'static str {
        ID
    }

    fn name(&self) -> &'static str {
        "VS Code (Copilot)"
    }

    fn called(&self) -> &'static [&'static str] {
        &[
            "vscode",
            "code",
            "visual-studio-code",
            "code-insiders",
            "vscode-insiders",
            "vscodium",
            "codium",
            "github-copilot",
        ]
    }

    fn client_names(&self) -> &'static [&'static str] {
        &["visual studio code", "visual-studio-code", "vscodium"]
    }

    fn detect(&self, machine: &Machine<'_>) -> Option<Found> {
        let env = machine.env;
        let dirs: Vec<(PathBuf, &str)> = user_dirs(env).into_iter().filter(|(dir, _)| dir.is_dir()).collect();
        let program = machine.program(&["code", "code-insiders", "codium"]);
        let application = applications(machine).into_iter().find(|path| path.exists());
        let mut found = self.assumed(env);
        if let Some(program) = program {
            found.version = machine.version_of(&program);
            found.evidence.push(Evidence { how: "program".to_owned(), path: program.clone() });
            found.program = Some(program);
        }
        found.evidence.extend(application.map(|path| Evidence { how: "application".to_owned(), path }));
        for (dir, product) in &dirs {
            found.evidence.push(Evidence { how: "config folder".to_owned(), path: dir.clone() });
            if !found.products.iter().any(|known| known == product) {
                found.products.push((*product).to_owned());
            }
        }
        let mut all: Vec<PathBuf> =
            dirs.iter().flat_map(|(dir, _)| std::iter::once(dir.clone()).chain(profiles(dir))).collect();
        if !all.is_empty() {
            found.config_dir = all.remove(0);
            found.more_dirs = all;
        }
        (!found.evidence.is_empty()).then_some(found)
    }

    fn gains(&self, _found: &Found) -> Gains {
        Gains { tools: true, filtering: true, notes: true }
    }

    fn assumed(&self, env: &Env) -> Found {
        let portable = env.path("VSCODE_PORTABLE").map(|dir| dir.join("user-data").join("User"));
        let dir = portable.unwrap_or_else(|| app_data(env).join("Code").join("User"));
        Found::assumed(ID, dir)
    }

    fn files(&self, wiring: &Wiring<'_>) -> Vec<ConfigFile> {
        let found = wiring.found;
        let mut files = Vec::new();
        if wiring.parts.mcp {
            let entry = wire::server(wiring.launcher, ID, &[("type", json!("stdio"))], &[]);
            let dirs = match wiring.scope {
                Scope::User => std::iter::once(&found.config_dir).chain(&found.more_dirs).cloned().collect(),
                Scope::Project(root) => vec![root.join(".vscode")],
            };
            files.extend(dirs.into_iter().map(|dir| ConfigFile {
                path: dir.join("mcp.json"),
                format: Format::new(Dialect::Jsonc),
                role: Role::Mcp,
                edits: vec![wire::set_server(&["servers"], entry.clone(), true)],
            }));
        }
        let copilot = copilot_cli::config_dir(wiring.env);
        if wiring.parts.hooks {
            files.push(copilot_cli::hooks_file(wiring, &copilot));
        }
        if wiring.parts.instructions {
            let dir = match wiring.scope {
                Scope::User => copilot,
                Scope::Project(root) => root.join(".github"),
            };
            let mark = edits::OWNED_MARK;
            let text = format!("---\napplyTo: \"**\"\n---\n<!-- {mark} -->\n\n{}", instructions::text(self));
            files.push(ConfigFile {
                path: dir.join("instructions").join("plimsoll.instructions.md"),
                format: Format::without_bom(Dialect::Markdown),
                role: Role::Instructions,
                edits: vec![Edit::Whole { text }],
            });
        }
        files
    }

    fn sent(&self, input: &HookInput<'_>) -> bool {
        input.env.var("COPILOT_CLI").is_none() && Host::of(input) == Host::VsCode
    }

    fn read(&self, input: &HookInput<'_>) -> Option<Event> {
        read_local(input)
    }

    fn write(&self, event: &Event, verdict: &Verdict) -> HookOutput {
        write_local(event, verdict)
    }

    fn restarts_after_compaction(&self) -> bool {
        false
    }

    fn tool_name(&self, tool: &str) -> String {
        format!("mcp_plimsoll_{tool}")
    }

    fn rules(&self, env: &Env, project: &Path) -> RuleSet {
        let mut set = RuleSet { case_insensitive: env.os() != Os::Linux, ..RuleSet::default() };
        let mut dirs: Vec<PathBuf> = user_dirs(env)
            .into_iter()
            .flat_map(|(dir, _)| std::iter::once(dir.clone()).chain(profiles(&dir)))
            .collect();
        dirs.push(project.join(".vscode"));
        for file in dirs.into_iter().map(|dir| dir.join("settings.json")) {
            match config::read(&file, Syntax::Jsonc) {
                Ok(None) => {}
                Err(reason) => set.broken.push(BrokenLayer { path: file, reason: reason.to_string() }),
                Ok(Some(value)) => {
                    approvals_of_a_wrong_type(&value, &file, &mut set);
                    set.rules.extend(settings_rules(&value, &file, project));
                }
            }
        }
        set
    }

    fn findings(&self, machine: &Machine<'_>, found: &Found, project: Option<&Path>) -> Vec<Finding> {
        let mut findings = copilot_cli::hooks_findings(&copilot_cli::config_dir(machine.env));
        let dirs = std::iter::once(found.config_dir.clone()).chain(found.more_dirs.clone());
        for dir in dirs.chain(project.map(|root| root.join(".vscode"))) {
            let (settings, mcp) = (dir.join("settings.json"), dir.join("mcp.json"));
            findings.extend(switches(&settings, &config::read_or_nothing(&settings, Syntax::Jsonc)));
            match config::read(&mcp, Syntax::Jsonc) {
                Err(reason) => {
                    findings.push(config::unreadable(&mcp, reason, said::no_server_of_it("VS Code")));
                }
                Ok(value) => {
                    let servers = value.as_ref().and_then(|value| value.get("servers"));
                    findings.extend(rivals::findings([(mcp.display().to_string(), servers)]));
                }
            }
        }
        findings
    }

    fn next_steps(&self, _found: &Found) -> Vec<Sentence> {
        vec![said::next_vscode()]
    }
}

/// Folder below which programs keep their settings.
fn app_data(env: &Env) -> PathBuf {
    match env.os() {
        Os::Mac => env.home_dir().join("Library").join("Application Support"),
        Os::Windows => env.path("APPDATA").unwrap_or_else(|| env.home_dir().join("AppData").join("Roaming")),
        Os::Linux => env.path("XDG_CONFIG_HOME").unwrap_or_else(|| env.home_dir().join(".config")),
    }
}

/// Every `User` folder a variant could have, with its product; most do not exist.
fn user_dirs(env: &Env) -> Vec<(PathBuf, &'static str)> {
    let home = env.home_dir();
    let mut dirs = Vec::new();
    if let Some(portable) = env.path("VSCODE_PORTABLE") {
        dirs.push((portable.join("user-data").join("User"), "portable"));
    }
    dirs.extend(VARIANTS.map(|(folder, product)| (app_data(env).join(folder).join("User"), product)));
    if env.os() == Os::Linux {
        for (app, folder) in [("com.visualstudio.code", "Code"), ("com.vscodium.codium", "VSCodium")] {
            dirs.push((home.join(".var/app").join(app).join("config").join(folder).join("User"), "Flatpak"));
        }
    }
    for server in [".vscode-server", ".vscode-server-insiders", ".vscodium-server"] {
        dirs.push((home.join(server).join("data").join("User"), "remote"));
    }
    dirs
}

/// Folders of the named profiles below a `User` folder, sorted; not those that use the default profile's
/// servers by the person's own choice.
fn profiles(user: &Path) -> Vec<PathBuf> {
    let storage = config::read_or_nothing(&user.join("globalStorage").join("storage.json"), Syntax::Jsonc);
    let shares = |id: &str| {
        storage.get("userDataProfiles").and_then(Value::as_array).into_iter().flatten().any(|profile| {
            profile.get("location").and_then(Value::as_str) == Some(id)
                && config::at(profile, &["useDefaultFlags", "mcp"]) == Some(&json!(true))
        })
    };
    let entries = std::fs::read_dir(user.join("profiles")).into_iter().flatten().flatten();
    let mut dirs: Vec<PathBuf> = entries
        .filter(|entry| !shares(&entry.file_name().to_string_lossy()))
        .map(|entry| entry.path())
        .filter(|dir| dir.is_dir())
        .collect();
    dirs.sort();
    dirs
}

fn applications(machine: &Machine<'_>) -> Vec<PathBuf> {
    match machine.env.os() {
        Os::Mac => ["Visual Studio Code", "Visual Studio Code - Insiders", "VSCodium"]
            .iter()
            .flat_map(|name| {
                let app = format!("Applications/{name}.app");
                [machine.at_root(&app), machine.in_home(&app)]
            })
            .collect(),
        Os::Windows => [
            ("LOCALAPPDATA", "Programs/Microsoft VS Code/Code.exe"),
            ("ProgramFiles", "Microsoft VS Code/Code.exe"),
            ("LOCALAPPDATA", "Programs/Microsoft VS Code Insiders/Code - Insiders.exe"),
            ("LOCALAPPDATA", "Programs/VSCodium/VSCodium.exe"),
        ]
        .iter()
        .filter_map(|(var, below)| Some(machine.env.path(var)?.join(below)))
        .collect(),
        Os::Linux => ["/usr/share/code", "/usr/share/code-insiders", "/snap/code", "/usr/share/codium"]
            .map(|path| machine.at_root(path))
            .to_vec(),
    }
}

/// Settings that keep the server or the hooks from working.
fn switches(file: &Path, value: &Value) -> Vec<Finding> {
    let is = |key: &str, off: &Value| value.get(key) == Some(off);
    type Said<'f> = fn(&'static str, String, &'f Path) -> Sentence;
    let table: [(&'static str, Value, Level, Said<'_>); 6] = [
        ("chat.useHooks", json!(false), Level::Broken, said::setting_no_hook),
        ("chat.mcp.access", json!("none"), Level::Broken, said::setting_no_server),
        ("chat.mcp.enabled", json!(false), Level::Broken, said::setting_no_server),
        ("chat.agent.enabled", json!(false), Level::Broken, said::setting_no_agent),
        ("chat.disableAIFeatures", json!(true), Level::Broken, said::setting_no_chat),
        ("chat.useClaudeHooks", json!(true), Level::Note, said::setting_claude_hooks),
    ];
    let mut findings = Vec::new();
    for (key, off, level, what) in table {
        if is(key, &off) {
            let (what, remedy) = (what(key, off.to_string(), file), said::change_setting(key));
            findings.push(Finding { level, what, remedy });
        }
    }
    findings
}

/// `chat.tools.terminal.autoApprove` and `chat.tools.urls.autoApprove`: what is `false` always asks.
fn settings_rules(value: &Value, file: &Path, project: &Path) -> Vec<Rule> {
    let rule = |effect, target, pattern: Option<&str>, syntax, text: String| Rule {
        effect,
        target,
        pattern: pattern.map(str::to_owned),
        syntax,
        text,
        source: file.display().to_string(),
        base: project.to_path_buf(),
    };
    let entries = |key: &str| value.get(key).and_then(Value::as_object).cloned().unwrap_or_default();
    let mut rules = Vec::new();
    for (pattern, setting) in entries("chat.tools.terminal.autoApprove") {
        let approved = setting.as_bool().or_else(|| setting.get("approve")?.as_bool());
        let Some(effect) = approved.map(|yes| if yes { Effect::Allow } else { Effect::Ask }) else {
            continue;
        };
        let is_regex = pattern.len() > 1 && pattern.starts_with('/') && pattern[1..].contains('/');
        let syntax = if is_regex { Pattern::Regex } else { Pattern::Prefix };
        rules.push(rule(effect, Target::Shell, Some(&pattern), syntax, format!("\"{pattern}\": {setting}")));
    }
    for (pattern, setting) in entries("chat.tools.urls.autoApprove") {
        let approved = setting.as_bool().or_else(|| setting.get("approveRequest")?.as_bool());
        let rest = pattern.split_once("://").map_or(pattern.as_str(), |(_, rest)| rest);
        let (host, below) = rest.split_once('/').unwrap_or((rest, ""));
        let host = (!matches!(host, "" | "*")).then(|| host.trim_start_matches("*."));
        let text = format!("\"{pattern}\": {setting}");
        match approved {
            Some(false) => rules.push(rule(Effect::Ask, Target::Fetch, host, Pattern::Prefix, text)),
            // Only a whole host can be allowed: a decision about a host knows no path.
            Some(true) if matches!(below, "" | "*" | "**") && host.is_some() => {
                rules.push(rule(Effect::Allow, Target::Fetch, host, Pattern::Prefix, text));
            }
            _ => {}
        }
    }
    rules
}

/// An approval is yes, no, nothing, or an object that says one of them. Anything else may have been meant as a no.
fn approvals_of_a_wrong_type(value: &Value, file: &Path, set: &mut RuleSet) {
    for (key, field) in
        [("chat.tools.terminal.autoApprove", "approve"), ("chat.tools.urls.autoApprove", "approveRequest")]
    {
        let entries = match value.get(key) {
            None | Some(Value::Null) => continue,
            Some(Value::Object(entries)) => entries,
            Some(other) => {
                config::broken(set, file, key, "an object", other);
                continue;
            }
        };
        for (pattern, setting) in entries {
            let said = if setting.is_object() { setting.get(field) } else { Some(setting) };
            if let Some(odd) = said.filter(|said| !said.is_boolean() && !said.is_null()) {
                config::broken(set, file, &format!("{key}[\"{pattern}\"]"), "true or false", odd);
            }
        }
    }
}

/// Reads local chat's payload; `input.event` names the event where the payload does not.
pub(crate) fn read_local(input: &HookInput<'_>) -> Option<Event> {
    let payload = input.payload;
    let raw_name = text_of(payload, &["hookEventName", "hook_event_name"]).or(input.event)?;
    let (raw_name, kind) = match raw_name {
        "SessionStart" | "sessionStart" => {
            ("SessionStart", EventKind::SessionStart { source: string(payload, "source") })
        }
        "UserPromptSubmit" | "userPromptSubmitted" => ("UserPromptSubmit", EventKind::Prompt),
        "PreToolUse" | "preToolUse" => ("PreToolUse", EventKind::PreTool),
        "PostToolUse" | "postToolUse" => ("PostToolUse", EventKind::PostTool),
        "PreCompact" | "preCompact" => ("PreCompact", EventKind::PreCompact),
        "SubagentStart" | "subagentStart" => ("SubagentStart", EventKind::SubagentStart),
        "SubagentStop" | "subagentStop" => {
            ("SubagentStop", EventKind::SubagentStop { report: string(payload, "last_assistant_message") })
        }
        "Stop" | "agentStop" => ("Stop", EventKind::Stop),
        _ => return None,
    };
    Some(Event {
        agent: ID,
        raw_name: raw_name.to_owned(),
        kind,
        session: text_of(payload, &["sessionId", "session_id"]).map(str::to_owned),
        cwd: path(payload, "cwd"),
        project: None,
        tool: tool_call(payload),
        prompt: string(payload, "prompt"),
        subagent: has(payload, "agent_id"),
        transcript: path(payload, "transcript_path"),
        model: string(payload, "model"),
        permission_mode: None,
    })
}

/// Local chat takes Claude's wrapper only, and cannot replace what a tool returned.
pub(crate) fn write_local(event: &Event, verdict: &Verdict) -> HookOutput {
    let name = event.raw_name.as_str();
    let inner = match (&event.kind, verdict) {
        (EventKind::PreTool, Verdict::Deny { reason }) => {
            json!({"hookEventName": name, "permissionDecision": "deny", "permissionDecisionReason": reason})
        }
        (EventKind::PreTool, Verdict::Ask { reason }) => {
            json!({"hookEventName": name, "permissionDecision": "ask", "permissionDecisionReason": reason})
        }
        // Without a decision, so that the person's own confirmation stays.
        (EventKind::PreTool, Verdict::Rewrite { input }) => {
            json!({"hookEventName": name, "updatedInput": input})
        }
        (
            EventKind::SessionStart { .. }
            | EventKind::PreTool
            | EventKind::PostTool
            | EventKind::SubagentStart,
            Verdict::Context { text },
        ) => json!({"hookEventName": name, "additionalContext": capped(text, wire::MAX_CONTEXT_CHARS)}),
        _ => return HookOutput::silent(),
    };
    HookOutput::json(&json!({ "hookSpecificOutput": inner }))
}

fn tool_call(payload: &Value) -> Option<ToolCall> {
    let name = string(payload, "tool_name")?;
    let input = payload.get("tool_input").map(unwrapped).unwrap_or_default();
    let file = || text_of(&input, &["filePath", "file_path", "path"]).map(PathBuf::from);
    let kind = match name.as_str() {
        "run_in_terminal" | "runInTerminal" => {
            ToolKind::Shell { command: string(&input, "command").unwrap_or_default() }
        }
        "read_file" | "readFile" => match file() {
            Some(path) => ToolKind::Read {
                path,
                partial: ["startLine", "offset", "endLine", "limit"].iter().any(|key| has(&input, key)),
            },
            None => ToolKind::Other,
        },
        "create_file"
        | "replace_string_in_file"
        | "multi_replace_string_in_file"
        | "insert_edit_into_file"
        | "apply_patch"
        | "edit_notebook_file" => file().map_or(ToolKind::Other, |path| ToolKind::Edit { path }),
        "grep_search" | "file_search" | "semantic_search" | "list_dir" => ToolKind::Grep,
        "fetch_webpage" => {
            let first = input.get("urls").and_then(|urls| urls.get(0)).and_then(Value::as_str);
            let url = first.map(str::to_owned).or_else(|| string(&input, "url"));
            url.map_or(ToolKind::Other, |url| ToolKind::Fetch { url })
        }
        "runSubagent" | "run_subagent" => ToolKind::Subagent,
        other => match other.strip_prefix("mcp_") {
            Some(rest) => match rest.strip_prefix("plimsoll_") {
                Some(tool) => ToolKind::Ours(tool.to_owned()),
                None => {
                    let (server, tool) = rest.split_once('_').unwrap_or((rest, ""));
                    ToolKind::Mcp { server: server.to_owned(), tool: tool.to_owned() }
                }
            },
            None => ToolKind::Other,
        },
    };
    let raw =
        ["tool_response", "tool_result"].iter().find_map(|key| payload.get(key)).filter(|raw| !raw.is_null());
    let output = raw.map(|raw| Output {
        text: content_text(raw).unwrap_or_else(|| raw.to_string()),
        raw: raw.clone(),
        failed: raw.get("isError").and_then(Value::as_bool) == Some(true),
        exit: None,
        full_in: None,
    });
    Some(ToolCall { kind, output, id: string(payload, "tool_use_id"), name, input })
}
