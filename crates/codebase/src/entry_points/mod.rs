//! What the system offers to the entry points: its tool with the older names, verbs, window commands, settings and maintenance.

mod caller_rules;
mod code_memories;
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
    needs: RARE_ARGUMENTS,
    read: codebase_tool::read,
    has_legacy_name: false,
    writes_ledger: false,
}];

/// What `remember` takes besides. Every request of a session carries the tool's definition, so these are listed only where all
/// tools are, which is where `graph` is. They work everywhere.
const RARE_ARGUMENTS: &[(&str, &str)] = &[("type", "graph"), ("memory", "graph"), ("reason", "graph")];

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
    unlisted: &'static str,
) -> LegacyTool {
    LegacyTool {
        name,
        tool: "codebase",
        description,
        arguments,
        unlisted,
        required,
        actions: &[],
        reads: true,
    }
}

/// What a search can be narrowed to, in the specification's words.
const FILTERS: &str = r#"{
    "intent": {"type": "string", "enum": ["explore", "edit", "refactor", "migrate"]},
    "includeSnippets": {"type": "boolean"},
    "filters": {"type": "object", "properties": {
        "language": {"type": "string"},
        "framework": {"type": "string"},
        "layer": {"type": "string"},
        "componentType": {"type": "string"},
        "tags": {"type": "array", "items": {"type": "string"}}
    }}
}"#;
/// A kind of what the project does.
const CATEGORY: &str = r#"{"category": {"type": "string"}}"#;
/// All that a question without arguments takes: a schema has to name something.
const CAP: &str = r#"{"max_tokens": {"type": "integer"}}"#;
/// None of the tool's own arguments.
const NO_ARGUMENTS: &[&str] = &["max_tokens"];

/// Names of an older product.
pub(crate) static OLDER: &[LegacyTool] = &[
    older("search_codebase", "Search the code.", &["query", "intent", "mode", "limit"], &["query"], FILTERS),
    older("get_symbol_references", "Who uses a name.", &["symbol", "limit"], &["symbol"], ""),
    older("get_team_patterns", "How this project does things.", NO_ARGUMENTS, &[], CATEGORY),
    older(
        "detect_circular_dependencies",
        "Import cycles.",
        &["limit", "offset"],
        &[],
        r#"{"scope": {"type": "string"}}"#,
    ),
    older(
        "get_style_guide",
        "What the project's documents say about writing code.",
        &["query"],
        &[],
        CATEGORY,
    ),
    older("get_codebase_metadata", "What the project is made of.", NO_ARGUMENTS, &[], CAP),
    older(
        "refresh_index",
        "Read what changed.",
        NO_ARGUMENTS,
        &[],
        r#"{"reason": {"type": "string"}, "incrementalOnly": {"type": "boolean"}}"#,
    ),
    older("get_indexing_status", "How the index is.", NO_ARGUMENTS, &[], CAP),
];
