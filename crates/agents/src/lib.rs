//! Everything about each agent product.
//!
//! One folder per agent owns everything particular to it: its detection, its entries and their files, its hook payloads and
//! replies, its permission rules, its kill switches, its plugin, its transcripts, its name. This crate knows what an agent
//! *says and understands*; it doesn't know what the verdict on an event should be (`hooks`), how a file's bytes are changed
//! (`edits`), nor how transcripts are summed up (`transcripts`).
//!
//! To add an agent: write one folder with a type that implements [`Agent`], add it to [`AGENTS`], add its fixtures.

mod agent;
mod agent_process;
mod antigravity;
mod claude_code;
mod codex;
mod command_line;
mod config;
mod connection;
mod copilot_cli;
mod credentials;
mod cursor;
mod entries;
mod event;
mod finding;
mod full_output;
mod gemini_cli;
mod host;
mod instructions;
mod kiro;
mod local_path;
pub mod login_path;
mod machine;
mod memory_sources;
pub mod messages;
mod names;
pub mod offer;
mod opencode;
mod other_hooks;
mod output_frame;
mod output_limits;
mod package_version;
mod payload;
pub mod plugin;
mod probe;
mod registry;
mod rivals;
mod session_id;
mod session_records;
mod verdict;
mod version;
mod vscode;
mod withholding;

pub use agent::{Agent, Capabilities, HookInput, Sample};
pub use connection::{ConfigFile, EntryContext, Parts, Role, SERVER_KEY, Scope};
pub use credentials::{CREDENTIALS, is_placeholder};
pub use entries::HOOK_TIMEOUT_S;
pub use event::{Event, EventKind, Output, ToolCall, ToolKind};
pub use finding::{Finding, Level, Trust};
pub use full_output::FullOutput;
pub use local_path::path_of_file_url;
pub use login_path::LoginShell;
pub use machine::{Evidence, Installation, Machine, install_places};
pub use memory_sources::MemorySources;
pub use names::{NameMatch, by_name};
pub use offer::Offer;
pub use output_limits::{OutputKind, OutputLimits, OutputSize, Truncation};
pub use registry::{AGENTS, all, by_client_name, by_id, override_for_test, plugin_files, rules_from};
pub use session_id::session_id;
pub use session_records::{model_usage, transcript_formats, transcript_sources, typed_prompts};
pub use verdict::{HookOutput, Rewriting, Verdict};
pub use version::last_tested_before;
pub use withholding::withholding_agents;
