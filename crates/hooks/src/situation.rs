//! The situation in which an event is decided, gathered from files first. Nothing here waits: what isn't available is left
//! out, and its absence never blocks the agent.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agents::{Agent, Event, EventKind, ToolCall, ToolKind, Verdict};
use home::{Clock, Env, Home, Moment, Os, Settings};
use rules::{Decision, RuleSet};

use crate::shortening::Shortening;

/// A live server in the session that sent the event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Server;

/// The tools' names as the agent's model sees them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tools {
    /// `execute`
    pub execute: String,
    /// `batch`
    pub batch: String,
    /// `index`
    pub index: String,
    /// `search`
    pub search: String,
}

impl Tools {
    /// The names in this agent's form.
    pub fn of(agent: &dyn Agent) -> Self {
        Self::with_names(|tool| agent.tool_name(tool))
    }

    /// The names in this session: a plugin may register the tools under longer ones.
    fn in_session(agent: &dyn Agent, env: &Env) -> Self {
        if agents::plugin::is_from_plugin(env) {
            return Self::with_names(|tool| agent.tool_name_in_plugin(tool));
        }
        Self::of(agent)
    }

    fn with_names(name: impl Fn(&str) -> String) -> Self {
        Self { execute: name("execute"), batch: name("batch"), index: name("index"), search: name("search") }
    }
}

/// Everything that a verdict depends on besides the event.
#[derive(Debug, Clone)]
pub struct Situation {
    /// The user's settings.
    pub settings: Settings,
    /// The time, in milliseconds since 1970.
    pub now_ms: i64,
    /// The time by both clocks, for an event in whose settings a pause is noted.
    pub now: Moment,
    /// The event's working folder.
    pub cwd: PathBuf,
    /// The event's project folder.
    pub project: PathBuf,
    /// Home folder, for `~` in rules.
    pub home_dir: PathBuf,
    /// The user's rules from every layer that the agent reads.
    pub rules: RuleSet,
    /// A live server that this session can reach.
    pub server: Option<Server>,
    /// Whether the call may be a subagent's although the payload doesn't say so.
    pub may_be_subagent: bool,
    /// Whether advice beside a continuing call reaches this agent's model.
    pub advises: bool,
    /// Tool names.
    pub tools: Tools,
    /// How to shorten outputs, if that is on and the event allows it.
    pub shortening: Option<Arc<Shortening>>,
    /// Whether some rules in force can't be seen: on a hidden command line, or in a file that doesn't parse.
    pub rules_unseen: bool,
    /// Whether another hook of the user's may replace the output.
    pub others_replace: bool,
    /// Whether there is a user to answer an "ask".
    pub can_ask: bool,
    /// The operating system.
    pub os: Os,
    /// The size in bytes of a file that is about to be read or dumped.
    pub file_size: fn(&Path) -> Option<u64>,
}

impl Situation {
    /// Gathers what this event needs and nothing else.
    pub fn gather(event: &Event, agent: &dyn Agent, home: &Home, env: &Env, clock: Clock) -> Self {
        // One command may serve two agents (Copilot's serves VS Code too); the event names the right one.
        let agent = agents::by_id(event.agent).unwrap_or(agent);
        let settings = Settings::load(home).unwrap_or_else(|error| {
            log::warn!("{error}");
            Settings::default()
        });
        let cwd = event.cwd.clone().unwrap_or_else(|| env.cwd().to_owned());
        let project = event.project.clone().or_else(|| agent.project(env)).unwrap_or_else(|| cwd.clone());
        let before_tool = event.kind == EventKind::PreTool;
        let ruled = before_tool
            && event.tool.as_ref().is_some_and(|call| {
                matches!(
                    call.kind,
                    ToolKind::Shell { .. }
                        | ToolKind::Read { .. }
                        | ToolKind::Fetch { .. }
                        | ToolKind::Edit { .. }
                )
            });
        // A layer that doesn't parse is the agent's problem for its own tools; for Plimsoll's, the server fails
        // closed. Denying every shell command here would block the agent.
        let mut rules = if ruled { agents::rules_from(agent, env, &project) } else { RuleSet::default() };
        rules.anchors.extend([project.clone(), env.cwd().to_owned()]);
        // But nothing is rewritten to a form that asks less, because the layer's prohibitions are unknown.
        let broken = !std::mem::take(&mut rules.broken).is_empty();
        let server = (before_tool && settings.hooks.routing)
            .then(|| {
                sessions::heartbeats::find(
                    home,
                    agent.id(),
                    event.session.as_deref(),
                    &project,
                    clock.now_ms(),
                )
            })
            .flatten()
            .map(|_| Server);
        // Most settings have no pause, and the second clock is a file.
        let now = if settings.hooks.has_pause() { clock.moment() } else { Moment::default() };
        let outputs = before_tool || event.kind == EventKind::PostTool;
        let shortening = (outputs && event.tool.is_some())
            .then(|| Shortening::of(&settings, home, env, &project).map(Arc::new))
            .flatten();
        let is_long = |call: &&ToolCall| {
            call.output.as_ref().is_some_and(|output| output.text.len() > filters::WORTH_BYTES)
        };
        let others_replace = shortening.is_some()
            && agent.replaces_output(event)
            && event
                .tool
                .as_ref()
                .filter(is_long)
                .is_some_and(|call| agent.others_replace_output(&call.name, env, &project));
        Self {
            shortening,
            settings,
            others_replace,
            now_ms: clock.now_ms(),
            now,
            cwd,
            project,
            home_dir: env.home_dir().to_owned(),
            rules,
            may_be_subagent: server.is_some() && agent.may_be_subagent(event),
            advises: agent.render_verdict(event, &Verdict::Context { text: "advice".into() })
                != agent.render_verdict(event, &Verdict::Pass),
            server,
            tools: Tools::in_session(agent, env),
            rules_unseen: ruled && (broken || agent.has_hidden_rules(env)),
            can_ask: !ruled || agent.can_ask(env),
            os: env.os(),
            file_size: |path| {
                std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file).map(|meta| meta.len())
            },
        }
    }

    /// The decision of the user's rules about a command that `call` would run.
    pub fn decision(&self, call: &ToolCall, command: &str) -> Decision {
        if call.is_powershell() {
            self.rules.code("powershell", command, &self.cwd, &self.home_dir)
        } else {
            self.rules.command(command, &self.cwd, &self.home_dir)
        }
    }

    /// Whether events in this project are recorded.
    pub fn is_recorded(&self) -> bool {
        let sessions = &self.settings.sessions;
        let folders = [home::as_text(&self.project), home::as_text(&self.cwd)];
        let off = |project: &PathBuf| folders.iter().any(|folder| folder.starts_with(project));
        sessions.record && !sessions.unrecorded_projects.iter().any(off)
    }

    /// Whether hooks are off for this event's project.
    pub fn is_paused(&self) -> bool {
        let hooks = &self.settings.hooks;
        !hooks.enabled || [&self.project, &self.cwd].iter().any(|folder| hooks.paused_in(folder, self.now))
    }
}
