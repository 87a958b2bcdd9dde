//! What Plimsoll's server offers an agent: which tools it lists and which MCP features it declares, because every request of
//! a session carries them. Owns the form of the tables; each agent's file has its own row, from what was measured on the
//! wire (`cargo xtask bench session --all`) on the version named there.

/// Every tool, in the order in which they are listed.
pub const TOOLS: &[&str] =
    &["execute", "batch", "index", "search", "task", "manage", "memory", "graph", "prompt"];

/// The default, unless a measurement tells otherwise. Memories are mostly viewed in the window and on the command line,
/// and saved prompts are the agent's own prompts: `graph` and `prompt` would cost more than they bring.
pub const USUAL: &[&str] = &["execute", "batch", "index", "search", "task", "manage", "memory"];

/// For agents whose own additions leave little room.
pub const LEAN: &[&str] = &["execute", "batch", "index", "search", "memory"];

/// The minimum: running, storing, finding.
pub const CORE: &[&str] = &["execute", "batch", "index", "search"];

/// What Plimsoll's server offers an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// The listed tools.
    pub tools: &'static [&'static str],
    /// Whether the server declares resources. `search` reads their addresses either way.
    pub resources: bool,
    /// Whether it declares prompts: the user's saved ones. Some agents take an undeclared one for a dead server.
    pub prompts: bool,
    /// The measured cost.
    pub measured: Option<MeasuredCost>,
}

/// What Plimsoll adds to each of an agent's requests, as measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeasuredCost {
    /// The agent's version.
    pub version: &'static str,
    /// Bytes in each request: tools, instructions, and the note at the session's start.
    pub bytes: u64,
    /// What isn't offered, and its cost: "resources (it would add …)".
    pub left_out: Option<&'static str>,
}

impl Offer {
    /// Everything.
    pub const ALL: Offer = Offer { tools: TOOLS, resources: true, prompts: true, measured: None };

    /// For an agent without a measurement.
    pub const UNCOUNTED: Offer = Offer { tools: USUAL, ..Self::ALL };

    /// Whether this tool is listed. One missing from [`TOOLS`], from a later system, is listed wherever all the usual ones
    /// are.
    #[must_use]
    pub fn lists(&self, tool: &str) -> bool {
        let is_later = !TOOLS.contains(&tool);
        self.tools.contains(&tool) || is_later && USUAL.iter().all(|usual| self.tools.contains(usual))
    }

    /// The offer under the user's setting `mcp.tools`: `auto` (the agent's own row), `all`, or `core`.
    #[must_use]
    pub fn with_setting(self, setting: &str) -> Self {
        match setting {
            "all" => Self { measured: None, ..Self::ALL },
            "core" => Self { tools: CORE, measured: None, ..self },
            _ => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The most that Plimsoll may add to a request.
    const MOST: u64 = 5_000;

    #[test]
    fn every_row_lists_existing_tools_in_order_and_within_the_budget() {
        for agent in crate::all() {
            let offer = agent.offer();
            let listed: Vec<&str> = TOOLS.iter().copied().filter(|tool| offer.tools.contains(tool)).collect();
            assert_eq!(listed, offer.tools, "{}", agent.id());
            assert!(CORE.iter().all(|tool| offer.tools.contains(tool)), "{}", agent.id());
            if let Some(counted) = offer.measured {
                assert!(counted.bytes <= MOST, "{}: {}", agent.id(), counted.bytes);
            }
        }
    }

    /// A tool that no row names belongs to a later system: it is listed with the usual ones, but not where room is scarce.
    #[test]
    fn a_new_tool_is_listed_where_the_usual_ones_are() {
        assert!(Offer::ALL.lists("later") && Offer::UNCOUNTED.lists("later"));
        assert!(!Offer { tools: LEAN, ..Offer::ALL }.lists("later"));
        assert!(!Offer::UNCOUNTED.lists("graph") && !Offer::ALL.with_setting("core").lists("memory"));
    }

    #[test]
    fn the_setting_has_the_last_word() {
        let row = Offer { resources: false, ..Offer::UNCOUNTED };
        assert_eq!(row.with_setting("auto"), row);
        assert_eq!(row.with_setting("all"), Offer::ALL);
        assert_eq!((row.with_setting("core").tools, row.with_setting("core").resources), (CORE, false));
    }
}
