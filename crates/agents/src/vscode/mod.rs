//! VS Code with Copilot, in every variant: Stable, Insiders, VSCodium, portable, Flatpak, remote server.
//!
//! Servers are listed in `<User>/mcp.json` and, because a named profile inherits nothing from the default one, in every
//! profile's `mcp.json`. Hooks come from the file shared with Copilot CLI (`copilot_cli`); `local_chat` owns local chat's
//! dialect.

pub(crate) mod local_chat;
mod permissions;

use std::path::{Path, PathBuf};

use contract::Sentence;
use edits::{Dialect, Edit, Format};
use home::{Env, Os};
use rules::RuleSet;
use serde_json::{Value, json};

use crate::config::{self, Syntax};
use crate::host::Host;
use crate::{
    Agent, Capabilities, ConfigFile, EntryContext, Event, Evidence, Finding, HookInput, HookOutput,
    Installation, Level, Machine, Role, Sample, Scope, Verdict, copilot_cli, entries, instructions, messages,
    rivals,
};

use local_chat::ID;

/// VS Code.
pub(crate) struct VsCode;

/// The variants' folder names and display names.
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

    fn mark(&self) -> &'static str {
        "VS"
    }

    fn aliases(&self) -> &'static [&'static str] {
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

    fn detect(&self, machine: &Machine<'_>) -> Option<Installation> {
        let env = machine.env;
        let dirs: Vec<(PathBuf, &str)> = user_dirs(env).into_iter().filter(|(dir, _)| dir.is_dir()).collect();
        let program = machine.program(&["code", "code-insiders", "codium"]);
        let application = applications(machine).into_iter().find(|path| path.exists());
        let mut installation = self.assumed_installation(env);
        if let Some(program) = program {
            installation.version = machine.version_of(&program);
            installation.evidence.push(Evidence { how: "program".to_owned(), path: program.clone() });
            installation.program = Some(program);
        }
        installation
            .evidence
            .extend(application.map(|path| Evidence { how: "application".to_owned(), path }));
        for (dir, product) in &dirs {
            installation.evidence.push(Evidence { how: "config folder".to_owned(), path: dir.clone() });
            if !installation.products.iter().any(|known| known == product) {
                installation.products.push((*product).to_owned());
            }
        }
        let mut all: Vec<PathBuf> =
            dirs.iter().flat_map(|(dir, _)| std::iter::once(dir.clone()).chain(profiles(dir))).collect();
        if !all.is_empty() {
            installation.config_dir = all.remove(0);
            installation.more_dirs = all;
        }
        (!installation.evidence.is_empty()).then_some(installation)
    }

    fn capabilities(&self, _installation: &Installation) -> Capabilities {
        Capabilities { tools: true, filtering: true, notes: true }
    }

    fn assumed_installation(&self, env: &Env) -> Installation {
        let portable = env.path("VSCODE_PORTABLE").map(|dir| dir.join("user-data").join("User"));
        let dir = portable.unwrap_or_else(|| app_data(env).join("Code").join("User"));
        Installation::assumed(ID, dir)
    }

    fn files(&self, context: &EntryContext<'_>) -> Vec<ConfigFile> {
        let installation = context.installation;
        let mut files = Vec::new();
        if context.parts.mcp {
            let entry = entries::server(context.launcher, ID, &[("type", json!("stdio"))], &[]);
            let dirs = match context.scope {
                Scope::User => std::iter::once(&installation.config_dir)
                    .chain(&installation.more_dirs)
                    .cloned()
                    .collect(),
                Scope::Project(root) => vec![root.join(".vscode")],
            };
            files.extend(dirs.into_iter().map(|dir| ConfigFile {
                path: dir.join("mcp.json"),
                format: Format::new(Dialect::Jsonc),
                role: Role::Mcp,
                edits: vec![entries::set_server(&["servers"], entry.clone(), true)],
            }));
        }
        let copilot = copilot_cli::config_dir(context.env);
        if context.parts.hooks {
            files.push(copilot_cli::hooks_file(context, &copilot));
        }
        if context.parts.instructions {
            let dir = match context.scope {
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

    fn former_files(&self, context: &EntryContext<'_>) -> Vec<ConfigFile> {
        vec![copilot_cli::former_hooks_file(context, &copilot_cli::config_dir(context.env))]
    }

    fn owns_payload(&self, input: &HookInput<'_>) -> bool {
        input.env.var("COPILOT_CLI").is_none() && Host::of(input) == Host::VsCode
    }

    fn parse_event(&self, input: &HookInput<'_>) -> Option<Event> {
        local_chat::parse_event(input)
    }

    fn session_start(&self, session: &str, home: &Path) -> Sample {
        Sample {
            event: Some("SessionStart"),
            payload: json!({"hookEventName": "SessionStart", "sessionId": session,
                "timestamp": "2026-01-01T00:00:00.000Z", "cwd": home, "source": "new"}),
        }
    }

    fn render_verdict(&self, event: &Event, verdict: &Verdict) -> HookOutput {
        local_chat::render_verdict(event, verdict)
    }

    fn restarts_after_compaction(&self) -> bool {
        false
    }

    fn tool_name(&self, tool: &str) -> String {
        format!("mcp_plimsoll_{tool}")
    }

    fn rules(&self, env: &Env, project: &Path) -> RuleSet {
        permissions::rules(env, project)
    }

    fn findings(
        &self,
        machine: &Machine<'_>,
        installation: &Installation,
        project: Option<&Path>,
    ) -> Vec<Finding> {
        let mut findings = copilot_cli::findings::hooks_findings(&copilot_cli::config_dir(machine.env));
        let dirs = std::iter::once(installation.config_dir.clone()).chain(installation.more_dirs.clone());
        for dir in dirs.chain(project.map(|root| root.join(".vscode"))) {
            let (settings, mcp) = (dir.join("settings.json"), dir.join("mcp.json"));
            findings.extend(switches(&settings, &config::read_or_nothing(&settings, Syntax::Jsonc)));
            match config::read(&mcp, Syntax::Jsonc) {
                Err(reason) => {
                    findings.push(config::unreadable_finding(
                        &mcp,
                        reason,
                        messages::starts_no_server("VS Code"),
                    ));
                }
                Ok(value) => {
                    let servers = value.as_ref().and_then(|value| value.get("servers"));
                    findings.extend(rivals::findings([(mcp.display().to_string(), servers)]));
                }
            }
        }
        findings
    }

    fn next_steps(&self, _installation: &Installation, _hooks: bool) -> Vec<Sentence> {
        vec![messages::next_vscode()]
    }
}

/// The folder below which programs keep their settings.
fn app_data(env: &Env) -> PathBuf {
    match env.os() {
        Os::Mac => env.home_dir().join("Library").join("Application Support"),
        Os::Windows => env.path("APPDATA").unwrap_or_else(|| env.home_dir().join("AppData").join("Roaming")),
        Os::Linux => env.path("XDG_CONFIG_HOME").unwrap_or_else(|| env.home_dir().join(".config")),
    }
}

/// Every possible `User` folder with its product; most don't exist.
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

/// The named profiles' folders below a `User` folder, sorted; without those that the user set to share the default
/// profile's servers.
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
    type Stated<'f> = fn(&'static str, String, &'f Path) -> Sentence;
    let table: [(&'static str, Value, Level, Stated<'_>); 6] = [
        ("chat.useHooks", json!(false), Level::Broken, messages::setting_no_hook),
        ("chat.mcp.access", json!("none"), Level::Broken, messages::setting_no_server),
        ("chat.mcp.enabled", json!(false), Level::Broken, messages::setting_no_server),
        ("chat.agent.enabled", json!(false), Level::Broken, messages::setting_no_agent),
        ("chat.disableAIFeatures", json!(true), Level::Broken, messages::setting_no_chat),
        ("chat.useClaudeHooks", json!(true), Level::Note, messages::setting_claude_hooks),
    ];
    let mut findings = Vec::new();
    for (key, off, level, what) in table {
        if is(key, &off) {
            let (what, remedy) = (what(key, off.to_string(), file), messages::change_setting(key));
            findings.push(Finding { level, what, remedy });
        }
    }
    findings
}
