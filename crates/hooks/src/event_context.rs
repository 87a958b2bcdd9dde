//! The event to answer, with what the links of the chain need to know about it.

use std::cell::OnceCell;

use agents::{Agent, Event, EventKind, ToolCall, ToolKind};
use home::Home;
use rules::Decision;

use crate::better_tool;
use crate::outcome::Route;
use crate::routing::host_of;
use crate::situation::Situation;

/// An event with the data for its answer. What several links need is computed once, and only on demand.
pub(crate) struct EventContext<'a> {
    pub(crate) event: &'a Event,
    pub(crate) situation: &'a Situation,
    /// The agent that the event comes from.
    pub(crate) agent: &'a dyn Agent,
    pub(crate) home: &'a Home,
    decision: OnceCell<Decision>,
    better_tool: OnceCell<Option<(String, Route)>>,
}

impl<'a> EventContext<'a> {
    pub(crate) fn new(
        event: &'a Event,
        situation: &'a Situation,
        agent: &'a dyn Agent,
        home: &'a Home,
    ) -> Self {
        Self { event, situation, agent, home, decision: OnceCell::new(), better_tool: OnceCell::new() }
    }

    /// The tool that is about to run.
    pub(crate) fn before_tool(&self) -> Option<&'a ToolCall> {
        self.event.tool.as_ref().filter(|_| self.event.kind == EventKind::PreTool)
    }

    /// The decision of the user's rules about the call.
    pub(crate) fn decision(&self, call: &ToolCall) -> &Decision {
        let situation = self.situation;
        let (cwd, home) = (situation.cwd.as_path(), situation.home_dir.as_path());
        self.decision.get_or_init(|| match &call.kind {
            ToolKind::Shell { command } => situation.decision(call, command),
            ToolKind::Read { path, .. } => situation.rules.read(path, cwd, home),
            ToolKind::Fetch { url } => situation.rules.fetch(host_of(url)),
            _ => Decision::NoRule,
        })
    }

    /// The better tool for the call, as advice.
    pub(crate) fn better_tool(&self, call: &ToolCall) -> Option<&(String, Route)> {
        self.better_tool.get_or_init(|| better_tool::find(call, self.situation)).as_ref()
    }
}
