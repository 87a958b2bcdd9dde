//! Who the agents are.
//!
//! One folder per agent holds everything that is particular to it: how it is found, which entries connect it
//! and where, how its hook payloads are read and its replies written, its permission rules, its kill
//! switches, its plugin, what it records of its sessions, what it's called. This crate knows what an agent *says and
//! understands*; it does not know what the verdict on an event should be (that is `hooks`), how bytes of a file are changed
//! (that is `edits`), nor how records of sessions are summed up (that is `transcripts`).
//!
//! To add an agent: write one folder with a type that implements [`Agent`], add it to [`all`], add its fixtures.

mod antigravity;
mod claude_code;
mod codex;
mod command_line;
mod config;
mod copilot_cli;
mod credentials;
mod cursor;
mod event;
mod framed;
mod gemini_cli;
mod host;
mod instructions;
mod kiro;
pub mod login_path;
mod machine;
pub mod messages;
mod names;
pub mod offer;
mod opencode;
mod package;
mod payload;
pub mod plugin;
mod probe;
mod recorded;
mod rivals;
mod session;
mod started;
mod verdict;
mod version;
mod view;
mod vscode;
mod whole;
mod wire;

pub use credentials::{CREDENTIALS, is_hollow};
pub use event::{Event, EventKind, Output, ToolCall, ToolKind};
pub use login_path::LoginShell;
pub use machine::{Evidence, Found, Machine, install_places};
pub use names::{Named, by_name};
pub use offer::Offer;
pub use recorded::{formats, prompts, sources, used};
pub use session::session;
pub use verdict::{HookOutput, Rewriting, Verdict};
pub use view::{Beyond, Printed, Size, View};
pub use whole::Whole;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use contract::Sentence;
use home::{Env, Os};
use rules::{Effect, Precedence, RuleSet};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use transcripts::{Format, Source};

use plugin::PluginFile;

/// The key under which every agent's config names our MCP server. Lower-case letters only and at most 13
/// of them, because Gemini splits on `_` and VS Code shortens longer names.
pub const SERVER_KEY: &str = "plimsoll";

/// Where entries are written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The user's own configuration: every project.
    User,
    /// The configuration inside one project folder.
    Project(PathBuf),
}

/// What the person asked to have connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parts {
    /// The MCP server entry.
    pub mcp: bool,
    /// The hook registration (or the plugin file).
    pub hooks: bool,
    /// A short marked block in the agent's instruction file.
    pub instructions: bool,
    /// Whether an agent that keeps credentials from its servers passes them on to ours; `None` leaves that as the entry
    /// has it.
    pub credentials: Option<bool>,
}

impl Default for Parts {
    fn default() -> Self {
        Self { mcp: true, hooks: true, instructions: false, credentials: None }
    }
}

/// Everything an agent needs to know to say which entries it wants.
#[derive(Debug, Clone)]
pub struct Wiring<'a> {
    /// Absolute path of the stable launcher that the entries name.
    pub launcher: &'a Path,
    /// User or project scope.
    pub scope: &'a Scope,
    /// What was found of the agent; events and keys follow its version.
    pub found: &'a Found,
    /// What to connect.
    pub parts: Parts,
    /// The environment the agent runs in (overrides of config folders).
    pub env: &'a Env,
}

/// What a file is for, in the wizard's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Names the MCP server.
    Mcp,
    /// Registers hook commands.
    Hooks,
    /// Instruction text for the model.
    Instructions,
    /// A plugin file that is wholly ours.
    Plugin,
}

/// One file of an agent and the edits that connect it. Several roles may share one path; the caller joins
/// the edits of equal paths into one plan.
#[derive(Debug, Clone)]
pub struct ConfigFile {
    /// The file as the agent names it; a symlink is resolved by `edits`.
    pub path: PathBuf,
    /// Its dialect.
    pub format: edits::Format,
    /// What the file is for.
    pub role: Role,
    /// The edits.
    pub edits: Vec<edits::Edit>,
}

/// How much of Plimsoll an agent of this version can have; shown as three marks, honest per agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gains {
    /// The tools over MCP.
    pub tools: bool,
    /// Output filtered without the agent asking.
    pub filtering: bool,
    /// Notes at session start and after compaction.
    pub notes: bool,
}

/// Something outside our entries that keeps hooks or the server from running, or that a person must do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// How bad it is.
    pub level: Level,
    /// What was found, naming the file and key; without a full stop.
    pub what: Sentence,
    /// What to do about it.
    pub remedy: Sentence,
}

/// Severity of a [`Finding`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Good to know.
    Note,
    /// Works less well until a person acts.
    NeedsYou,
    /// Does not work.
    Broken,
}

/// Whether the agent will really run our hooks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// The agent asks for no consent per hook.
    NotNeeded,
    /// Every hook of ours is trusted.
    Trusted,
    /// At least one waits for the person; the text says where to approve it.
    Untrusted(Sentence),
    /// Could not be read; the text says why.
    Unknown(Sentence),
}

/// What arrives at `plimsoll hook <agent> [event]`.
#[derive(Debug, Clone, Copy)]
pub struct HookInput<'a> {
    /// The parsed payload from stdin.
    pub payload: &'a Value,
    /// The event on the command line, for hosts whose payload does not name it.
    pub event: Option<&'a str>,
    /// The hook's environment.
    pub env: &'a Env,
}

/// A payload that the agent would send.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The event's name on the command line, for agents whose payload does not name it.
    pub event: Option<&'static str>,
    /// The payload.
    pub payload: Value,
}

/// One agent product. Implementations are stateless.
pub trait Agent: Sync {
    /// Stable id, as in `plimsoll connect <id>`.
    fn id(&self) -> &'static str;
    /// The product's name as people know it.
    fn name(&self) -> &'static str;
    /// Two letters of our own that stand for it in the window; no product's logo is used.
    fn mark(&self) -> &'static str;
    /// What people call it besides its id and its name: its program, its package, a shorter word.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }
    /// `initialize.clientInfo.name` prefixes of this agent, lower case.
    fn client_names(&self) -> &'static [&'static str];
    /// Looks for the agent; `None` when nothing convincing is there.
    fn detect(&self, machine: &Machine<'_>) -> Option<Found>;
    /// What this version can have.
    fn gains(&self, found: &Found) -> Gains;
    /// Versions from which on other entries are written. An agent of which the version is not known may have those of any.
    fn turning_points(&self) -> Vec<&'static str> {
        Vec::new()
    }
    /// The same agent as if it were of these versions, for one whose version is not known: which of them fits the entries
    /// that it has is tried out. Empty where the version is known.
    fn as_if(&self, found: &Found) -> Vec<Found> {
        if found.version.is_some() {
            return Vec::new();
        }
        let versions = self.turning_points().into_iter().chain(["0.0.1"]);
        versions.map(|version| Found { version: Some(version.to_owned()), ..found.clone() }).collect()
    }
    /// The files and edits that connect it. For an agent that is not installed the caller passes a `Found`
    /// from [`Agent::assumed`] and prints them for work by hand.
    fn files(&self, wiring: &Wiring<'_>) -> Vec<ConfigFile>;
    /// Whether the entry that is there passes credentials on; `None` for an agent that keeps none from its servers.
    fn passes_credentials(&self, _wiring: &Wiring<'_>) -> Option<bool> {
        None
    }
    /// What would be assumed were the agent installed at its usual places (`connect --print`).
    fn assumed(&self, env: &Env) -> Found;
    /// Where the agent's own plugin of Plimsoll is switched on, which brings the same as connecting would; `None` where it is
    /// not, or the agent has no plugins.
    fn plugin(&self, _found: &Found, _project: Option<&Path>) -> Option<PathBuf> {
        None
    }
    /// The files of that plugin, as they are in version `version`.
    fn plugin_files(&self, _version: &str) -> Vec<PluginFile> {
        Vec::new()
    }
    /// How a person takes that plugin out again.
    fn without_plugin(&self) -> &'static str {
        ""
    }
    /// Files that earlier versions of the agent or of Plimsoll used; only ever removed from, never written.
    fn former_files(&self, _wiring: &Wiring<'_>) -> Vec<ConfigFile> {
        Vec::new()
    }
    /// Whether the payload comes from this agent and not from another that read its config.
    fn owns_payload(&self, input: &HookInput<'_>) -> bool;
    /// Reads a payload; `None` for events that Plimsoll has no use for.
    fn parse_event(&self, input: &HookInput<'_>) -> Option<Event>;
    /// The start of a session in the folder `home` as the agent reports it, with just the fields by which it is recognised:
    /// what the hook command is tried with.
    fn session_start(&self, session: &str, home: &Path) -> Sample;
    /// The variables in which the agent names its session, for a payload without one, and for servers.
    fn session_variables(&self) -> &'static [&'static str] {
        &[]
    }
    /// The variables in which the agent names the project to its servers, the best first.
    fn project_variables(&self) -> &'static [&'static str] {
        &[]
    }
    /// Its own records of past sessions on this computer.
    fn transcripts(&self, _env: &Env) -> Vec<Source> {
        Vec::new()
    }
    /// The formats of those that are files of lines.
    fn formats(&self) -> &'static [&'static Format] {
        &[]
    }
    /// Writes the verdict in the agent's own dialect, with only the fields it knows for that event.
    fn render_verdict(&self, event: &Event, verdict: &Verdict) -> HookOutput;
    /// What to print when a payload cannot be read or anything fails inside: the agent goes on.
    fn fail_open(&self, _event: Option<&str>) -> HookOutput {
        HookOutput::silent()
    }
    /// Whether a compacted session starts anew with `compact` as its source. Where it does not, only `PreCompact`
    /// tells, and what is to be said afterwards has to wait for the next event.
    fn restarts_after_compaction(&self) -> bool {
        true
    }
    /// When a command may be rewritten before it runs without changing whether the person is asked.
    fn rewriting(&self, _event: &Event) -> Rewriting {
        Rewriting::Never
    }
    /// Whether the call's command is read by a POSIX shell, so that words can be put before it.
    fn posix_shell(&self, call: &ToolCall, os: Os) -> bool {
        os != Os::Windows && !call.is_powershell()
    }
    /// Why the agent's own shell tool runs no `command` written like this one, whatever its rules are: "it contains …".
    fn never_runs(&self, _command: &str) -> Option<&'static str> {
        None
    }
    /// Whether the agent was started with rules that cannot be seen from here.
    fn rules_unseen(&self, _env: &Env) -> bool {
        false
    }
    /// The project of the session whose hooks we are, where the agent tells it beside the payload.
    fn project(&self, _env: &Env) -> Option<PathBuf> {
        None
    }
    /// Whether somebody is there to answer when a hook says "ask". Where nobody is and the agent would wait, no is the
    /// answer.
    fn can_ask(&self, _env: &Env) -> bool {
        true
    }
    /// What the model is shown of an output without us, as measured on the real agent. What is beyond was never in the
    /// conversation: keeping it out saves nothing, and whatever is given instead must not be longer.
    fn view(&self, _printed: Printed) -> View {
        View::UNMEASURED
    }
    /// How many bytes of this output the model would see without us. `whole` is all of it, which some agents keep in a
    /// file and hand to hooks only in part.
    fn visible_bytes(&self, call: &ToolCall, output: &Output, whole: &str) -> usize {
        // What a hook is handed is at least what is shown.
        output.text.len().min(self.view(Printed::of(call, output)).shown(whole))
    }
    /// The whole of an output and how its command ended; nothing where only a part can be had, which is then left alone.
    /// It may look at files.
    fn whole<'o>(&self, _event: &Event, _call: &ToolCall, output: &'o Output) -> Option<Whole<'o>> {
        Whole::kept(output)
    }
    /// What stands before a text that is given instead of an output, so that the model knows how the command ended: nothing
    /// where the agent says that beside it.
    fn ending(&self, _exit: Option<i32>) -> String {
        String::new()
    }
    /// Whether a command is rather rewritten than its output replaced: because what is given instead no longer says how
    /// the command ended, or looks like an error.
    fn rewrites_rather(&self) -> bool {
        false
    }
    /// Whether the output of a tool that ran can be replaced for this event.
    fn replaces(&self, _event: &Event) -> bool {
        false
    }
    /// Whether a call may be a subagent's although the payload does not say so: asked only where much depends on it, since
    /// it may look at files.
    fn may_be_subagent(&self, _event: &Event) -> bool {
        false
    }
    /// Whether the agent reads a tool's text as JSON and refuses the whole result when that is no object: such a text
    /// must not be sent there as it is.
    fn takes_json_apart(&self) -> bool {
        false
    }
    /// What our server offers this agent.
    fn offer(&self) -> Offer {
        Offer::UNCOUNTED
    }
    /// A tool of ours as this agent's model sees it.
    fn tool_name(&self, tool: &str) -> String;
    /// The same where the agent's plugin brings the tool.
    fn tool_name_in_plugin(&self, tool: &str) -> String {
        self.tool_name(tool)
    }
    /// The user's permission rules in every layer this agent reads for `project`.
    fn rules(&self, _env: &Env, _project: &Path) -> RuleSet {
        RuleSet::default()
    }
    /// Kill switches, managed-only hooks, safe modes, rivals of the same kind, double registration.
    fn findings(&self, _machine: &Machine<'_>, _found: &Found, _project: Option<&Path>) -> Vec<Finding> {
        Vec::new()
    }
    /// Whether the agent trusts our hooks; may start the agent's own read-only query with a time limit.
    fn trust(&self, _machine: &Machine<'_>, _found: &Found, _launcher: &Path) -> Trust {
        Trust::NotNeeded
    }
    /// What a person does after connecting, only where needed: restart, approve in `/hooks`.
    fn next_steps(&self, _found: &Found) -> Vec<Sentence> {
        Vec::new()
    }
}

/// Every agent, in the order in which people are shown them.
pub static AGENTS: &[&dyn Agent] = &[
    &claude_code::ClaudeCode,
    &codex::Codex,
    &cursor::Cursor,
    &vscode::VsCode,
    &copilot_cli::CopilotCli,
    &antigravity::Antigravity,
    &kiro::Kiro,
    &opencode::OpenCode,
    &gemini_cli::GeminiCli,
];

/// The list of a test that adds one of its own.
static INSTEAD: OnceLock<&[&dyn Agent]> = OnceLock::new();

/// Every agent of this process.
pub fn all() -> &'static [&'static dyn Agent] {
    INSTEAD.get().copied().unwrap_or(AGENTS)
}

/// Another list in the place of [`AGENTS`], for a test that adds an agent. It holds for the whole process, and only the first
/// time counts.
pub fn instead(agents: &'static [&'static dyn Agent]) {
    let _ = INSTEAD.set(agents);
}

/// The agent with this id.
pub fn by_id(id: &str) -> Option<&'static dyn Agent> {
    all().iter().copied().find(|agent| agent.id() == id)
}

/// The agent whose MCP client introduces itself with `name` (prefix, any case).
pub fn by_client_name(name: &str) -> Option<&'static dyn Agent> {
    let name = name.to_lowercase();
    all().iter().copied().find(|agent| agent.client_names().iter().any(|known| name.starts_with(known)))
}

/// The user's rules for an agent that was started in `start`: of that folder, and what the root of its repository forbids
/// besides. An agent reads one or the other; what is forbidden by either is left to the agent's own tools.
pub fn rules_from(agent: &dyn Agent, env: &Env, start: &Path) -> RuleSet {
    let mut set = agent.rules(env, start);
    let root = home::git_root(start).filter(|root| root != start);
    let Some(root) = root.filter(|_| set.precedence == Precedence::Strictest) else { return set };
    let RuleSet { rules, broken, .. } = agent.rules(env, &root);
    for rule in rules.into_iter().filter(|rule| rule.effect != Effect::Allow) {
        if !set.rules.contains(&rule) {
            set.rules.push(rule);
        }
    }
    for layer in broken {
        if !set.broken.contains(&layer) {
            set.broken.push(layer);
        }
    }
    set
}
