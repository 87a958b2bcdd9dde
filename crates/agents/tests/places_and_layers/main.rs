//! Where the agents are found, which files they get there, which permission rules are read from their settings, and the findings
//! about obstacles.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod computer;
mod findings;
mod layers;
mod places;
mod previews;
mod terminal_agents;
