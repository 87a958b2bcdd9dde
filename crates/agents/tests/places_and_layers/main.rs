//! Where Cursor, VS Code, Copilot CLI, Antigravity, Kiro and OpenCode are found, which files they get there,
//! which permission rules are read from their settings, and what is said about what stands in the way.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod computer;
mod findings;
mod layers;
mod places;
mod previews;
