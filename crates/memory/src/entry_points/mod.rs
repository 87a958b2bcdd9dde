//! What the system offers to the entry points: tools with their older names, verbs, window commands, maintenance.
//! Parses arguments, calls `actions` and bounds the replies; contains no memory logic.

mod conventions;
mod daily_figures;
mod damaged_copies;
mod desktop;
mod graph_tool;
mod identity_command;
mod import_sources;
mod key_command;
mod leave;
mod maintenance;
mod memory_actions;
mod memory_tool;
mod next_step;
mod older_names;
mod org_command;
mod prompt_tool;
mod purge;
mod remembered;
mod reply_text;
mod retention_periods;
mod run_action;
mod search_and_prompts;
mod shared_namespaces;
mod standard_input;
mod terminal_text;
mod verbs;

use system::{Arguments, DefaultValue, ParsedCall, Setting, Tool, ValueKind};

use crate::actions;

pub use daily_figures::daily_figures;
pub(crate) use desktop::COMMANDS;
pub(crate) use import_sources::{DATA_IMPORT, learn};
pub(crate) use leave::{elsewhere, leave};
pub(crate) use maintenance::{check, databases, retain};
pub(crate) use older_names::OLDER;
pub(crate) use org_command::run_in_background;
pub(crate) use purge::FORGET;
pub(crate) use remembered::remembered;
pub(crate) use search_and_prompts::{FIND, OPEN, PROMPTS};
pub(crate) use verbs::VERBS;

/// The tools for agents.
pub(crate) static TOOLS: &[Tool] = &[
    Tool { needs: RARE_ARGUMENTS, ..tool("memory", include_str!("tools/memory.json"), read_memory) },
    tool("graph", include_str!("tools/graph.json"), read_graph),
    tool("prompt", include_str!("tools/prompt.json"), read_prompt),
];

/// Rare arguments of `memory`. Every request of a session carries the tool definitions, so these are listed only
/// where all tools are, which is where `graph` is. They work everywhere.
const RARE_ARGUMENTS: &[(&str, &str)] = &[
    ("filter", "graph"),
    ("conflicts", "graph"),
    ("refines", "graph"),
    ("tags", "graph"),
    ("source", "graph"),
    ("domain", "graph"),
    ("detail", "graph"),
    ("limit", "graph"),
    ("offset", "graph"),
    ("dry_run", "graph"),
];

type Read = fn(&mut Arguments) -> Result<ParsedCall, contract::Error>;

fn read_memory(args: &mut Arguments) -> Result<ParsedCall, contract::Error> {
    with_number(args, memory_tool::read)
}

fn read_graph(args: &mut Arguments) -> Result<ParsedCall, contract::Error> {
    with_number(args, graph_tool::read)
}

fn read_prompt(args: &mut Arguments) -> Result<ParsedCall, contract::Error> {
    with_number(args, prompt_tool::read)
}

/// Reads a call whose errors have the specification's number, as those of a call that runs have. The command line reads
/// without: numbers are for programs.
fn with_number(args: &mut Arguments, read: Read) -> Result<ParsedCall, contract::Error> {
    let call = read(args).and_then(|call| args.check_rest().map(|()| call));
    call.map_err(|error| contract::Error {
        message: format!("{} ({})", error.message.text(), actions::INVALID_PARAMETERS).into(),
        ..error
    })
}

const fn tool(name: &'static str, definition: &'static str, read: Read) -> Tool {
    Tool { name, definition, needs: &[], read, has_legacy_name: true, writes_ledger: false }
}

/// The user's settings.
pub(crate) static SETTINGS: &[Setting] = &[
    Setting::new("sessions.resume_note", ValueKind::Switch),
    Setting::own("memory.enabled", ValueKind::Switch, DefaultValue::Switch(true)),
    Setting::own("memory.automatic", ValueKind::Switch, DefaultValue::Switch(true)),
    Setting::own("memory.propose", ValueKind::Switch, DefaultValue::Switch(true)),
    Setting::own("memory.confirm", ValueKind::Switch, DefaultValue::Switch(true)),
    Setting::own("memory.keep", ValueKind::Text, DefaultValue::Text("")),
    Setting::own("memory.share", ValueKind::Text, DefaultValue::Text("")),
    Setting::own("memory.secrets", ValueKind::Choice(&["redact", "refuse"]), DefaultValue::Text("redact")),
    Setting::own(
        "memory.vectors.provider",
        ValueKind::Choice(&["off", "folder", "openai", "ollama"]),
        DefaultValue::Text("off"),
    ),
    Setting::own("memory.vectors.folder", ValueKind::Text, DefaultValue::Text("")),
    Setting::own("memory.vectors.url", ValueKind::Text, DefaultValue::Text("")),
    Setting::own("memory.vectors.model", ValueKind::Text, DefaultValue::Text("")),
    Setting::own(
        "memory.model.provider",
        ValueKind::Choice(&["off", "agent", "anthropic", "openai", "ollama", "lmstudio"]),
        DefaultValue::Text("off"),
    ),
    Setting::own("memory.model.url", ValueKind::Text, DefaultValue::Text("")),
    Setting::own("memory.model.name", ValueKind::Text, DefaultValue::Text("")),
];

/// The command that sets what isn't a setting: an address that is checked first, or a key, which isn't typed where others
/// can read it.
pub(crate) fn command_for(key: &str) -> Option<&'static str> {
    let own = key.strip_prefix("memory.")?;
    let last = own.rsplit('.').next().unwrap_or_default();
    if own == "org" || own.starts_with("org.") {
        return Some("plimsoll memory org set ADDRESS");
    }
    ["key", "api_key", "token", "password", "secret"]
        .contains(&last)
        .then_some("plimsoll memory key set PROVIDER")
}

/// Whether a text may be the value of a setting.
pub(crate) fn accepts(key: &str, value: &str) -> Result<(), contract::Sentence> {
    match key {
        "memory.keep" => retention_periods::accepts(value),
        "memory.share" => shared_namespaces::accepts(value),
        _ => Ok(()),
    }
}
