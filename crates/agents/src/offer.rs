//! What our server offers an agent: which tools it lists there and what else it declares, because each request of a session
//! carries it. Owns the form of the tables; which row an agent has is decided in its own file, from what was counted on the
//! wire (`cargo xtask bench session --all`) on the version that is named there.

/// Everything that can be listed, in the order in which it is.
pub const TOOLS: &[&str] =
    &["execute", "batch", "index", "search", "task", "manage", "memory", "graph", "prompt"];

/// What is listed unless something was counted that speaks against it. Memories are looked at from all sides in the window and
/// at the command line, and saved prompts are the agent's own prompts: `graph` and `prompt` would cost more than they bring.
pub const USUAL: &[&str] = &["execute", "batch", "index", "search", "task", "manage", "memory"];

/// The same where an agent adds so much of its own that little room is left.
pub const LEAN: &[&str] = &["execute", "batch", "index", "search", "memory"];

/// What is listed where somebody wants the least: running, storing, finding.
pub const CORE: &[&str] = &["execute", "batch", "index", "search"];

/// What an agent is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// The tools that are listed.
    pub tools: &'static [&'static str],
    /// Whether the server says that it has resources. Addresses can be read through `search` all the same.
    pub resources: bool,
    /// Whether it says that it has prompts: those that a person saved. Some agents take a missing word for a dead server.
    pub prompts: bool,
    /// What was counted.
    pub counted: Option<Counted>,
}

/// What each request of an agent carries because of us, as counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// Which version of the agent.
    pub version: &'static str,
    /// Bytes in each request: tools, instructions, and the words at the start of a session.
    pub bytes: u64,
    /// What is not offered there, and what it would cost: "resources (it would add …)".
    pub without: Option<&'static str>,
}

impl Offer {
    /// All there is.
    pub const ALL: Offer = Offer { tools: TOOLS, resources: true, prompts: true, counted: None };

    /// What an agent is offered of which nothing was counted.
    pub const UNCOUNTED: Offer = Offer { tools: USUAL, ..Self::ALL };

    /// Whether this tool is listed. One that is not in [`TOOLS`], of a system that came later, is listed where the usual ones
    /// all are.
    #[must_use]
    pub fn lists(&self, tool: &str) -> bool {
        let is_later = !TOOLS.contains(&tool);
        self.tools.contains(&tool) || is_later && USUAL.iter().all(|usual| self.tools.contains(usual))
    }

    /// As the person's setting `mcp.tools` has it: `auto` (the agent's own row), `all`, or `core`.
    #[must_use]
    pub fn chosen(self, setting: &str) -> Self {
        match setting {
            "all" => Self { counted: None, ..Self::ALL },
            "core" => Self { tools: CORE, counted: None, ..self },
            _ => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each agent may be made to carry in every request.
    const MOST: u64 = 5_000;

    #[test]
    fn every_row_lists_what_there_is_in_its_order_and_keeps_within_the_goal() {
        for agent in crate::all() {
            let offer = agent.offer();
            let listed: Vec<&str> = TOOLS.iter().copied().filter(|tool| offer.tools.contains(tool)).collect();
            assert_eq!(listed, offer.tools, "{}", agent.id());
            assert!(CORE.iter().all(|tool| offer.tools.contains(tool)), "{}", agent.id());
            if let Some(counted) = offer.counted {
                assert!(counted.bytes <= MOST, "{}: {}", agent.id(), counted.bytes);
            }
        }
    }

    /// What no row names yet is of a system that came later: it is where the usual ones are, and not where little room is left.
    #[test]
    fn a_later_tool_is_listed_where_the_usual_ones_are() {
        assert!(Offer::ALL.lists("later") && Offer::UNCOUNTED.lists("later"));
        assert!(!Offer { tools: LEAN, ..Offer::ALL }.lists("later"));
        assert!(!Offer::UNCOUNTED.lists("graph") && !Offer::ALL.chosen("core").lists("memory"));
    }

    #[test]
    fn the_setting_has_the_last_word() {
        let row = Offer { resources: false, ..Offer::UNCOUNTED };
        assert_eq!(row.chosen("auto"), row);
        assert_eq!(row.chosen("all"), Offer::ALL);
        assert_eq!((row.chosen("core").tools, row.chosen("core").resources), (CORE, false));
    }
}
