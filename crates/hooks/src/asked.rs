//! The event that is to be answered, for the links of the chain.

use std::cell::OnceCell;

use agents::{Agent, Event, EventKind, ToolCall, ToolKind};
use home::Home;
use rules::Decision;

use crate::decided::Route;
use crate::facts::Facts;
use crate::routing::host_of;
use crate::way;

/// An event with what an answer to it rests on. What several links ask is found out once, and only if one does.
pub(crate) struct Asked<'a> {
    pub(crate) event: &'a Event,
    pub(crate) facts: &'a Facts,
    /// Whose event it is.
    pub(crate) agent: &'a dyn Agent,
    pub(crate) home: &'a Home,
    ruled: OnceCell<Decision>,
    way: OnceCell<Option<(String, Route)>>,
}

impl<'a> Asked<'a> {
    pub(crate) fn new(event: &'a Event, facts: &'a Facts, agent: &'a dyn Agent, home: &'a Home) -> Self {
        Self { event, facts, agent, home, ruled: OnceCell::new(), way: OnceCell::new() }
    }

    /// The tool that is about to run.
    pub(crate) fn before_tool(&self) -> Option<&'a ToolCall> {
        self.event.tool.as_ref().filter(|_| self.event.kind == EventKind::PreTool)
    }

    /// What the user's rules say of the call.
    pub(crate) fn ruled(&self, call: &ToolCall) -> &Decision {
        let facts = self.facts;
        let (cwd, home) = (facts.cwd.as_path(), facts.home_dir.as_path());
        self.ruled.get_or_init(|| match &call.kind {
            ToolKind::Shell { command } => facts.ruled(call, command),
            ToolKind::Read { path, .. } => facts.rules.read(path, cwd, home),
            ToolKind::Fetch { url } => facts.rules.fetch(host_of(url)),
            _ => Decision::NoRule,
        })
    }

    /// The better way there is for the call, in words.
    pub(crate) fn way(&self, call: &ToolCall) -> Option<&(String, Route)> {
        self.way.get_or_init(|| way::to(call, self.facts)).as_ref()
    }
}
