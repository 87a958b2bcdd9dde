//! What the system offers to the entry points: its tool with the older names, verbs, window commands, settings and maintenance.

mod codebase_actions;
mod codebase_tool;
mod context_address;
mod desktop;
mod maintenance;
mod verbs;

use system::{DefaultValue, LegacyTool, Setting, Tool, ValueKind};

use crate::index::worker_process::{LEAST_MEMORY_MB, MEMORY_MB};

pub(crate) use context_address::CONTEXT;
pub(crate) use desktop::COMMANDS;
pub(crate) use maintenance::{FORGET, check, databases, retain};
pub(crate) use verbs::VERBS;

/// The tools for agents.
pub(crate) static TOOLS: &[Tool] = &[Tool {
    name: "codebase",
    definition: include_str!("tools/codebase.json"),
    needs: &[],
    read: codebase_tool::read,
    has_legacy_name: false,
    writes_ledger: false,
}];

/// The settings.
pub(crate) static SETTINGS: &[Setting] = &[
    Setting::own("codebase.enabled", ValueKind::Switch, DefaultValue::Switch(false)),
    Setting::own("codebase.automatic", ValueKind::Switch, DefaultValue::Switch(true)),
    Setting::own(crate::diagnose::SETTING, ValueKind::Switch, DefaultValue::Switch(false)),
    Setting::own(crate::servers::SETTING, ValueKind::Switch, DefaultValue::Switch(false)),
    Setting::own(
        "codebase.worker_memory_mb",
        ValueKind::Number(LEAST_MEMORY_MB, 65_536, "MB"),
        DefaultValue::Number(MEMORY_MB),
    ),
];

const fn older(
    name: &'static str,
    description: &'static str,
    arguments: &'static [&'static str],
    required: &'static [&'static str],
) -> LegacyTool {
    LegacyTool { name, tool: "codebase", description, arguments, required, actions: &[], reads: true }
}

/// Names of an older product.
pub(crate) static OLDER: &[LegacyTool] = &[
    older("search_codebase", "Search the code.", &["query", "intent", "mode", "limit"], &["query"]),
    older("get_symbol_references", "Who uses a name.", &["symbol", "limit"], &["symbol"]),
    older("get_team_patterns", "How this project does things.", &["category"], &[]),
    older("detect_circular_dependencies", "Circles of imports.", &["scope"], &[]),
    older("get_style_guide", "What the project's documents say about writing code.", &["query"], &[]),
    older("get_codebase_metadata", "What the project is made of.", &["action"], &[]),
    older("refresh_index", "Read what changed.", &["action"], &[]),
    older("get_indexing_status", "How the index is.", &["action"], &[]),
];
