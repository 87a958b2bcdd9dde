//! The system *context*: running, storing and searching outside the conversation. Owns its table of tools, settings
//! and checks; the operations are methods of `Service` (`execute`, `batch`, `index`, `search`, `task`, `manage`),
//! which is therefore the only [`Host`] that this system works in.
//!
//! [`Host`]: system::Host

mod arguments;
mod checks;
pub(crate) mod outputs;

use contract::{Error, ErrorCode};
use system::{Arguments, LegacyTool, ParsedCall, Purge, Screen, Setting, System, Tool, ValueKind};

use crate::Service;
use arguments::Request;

/// The system's table.
pub(crate) static SYSTEM: System = System {
    purpose: "runs commands and code (execute, batch), stores long output, files and pages for search (index, search)",
    tools: TOOLS,
    legacy_tools: OLDER,
    legacy_prefix: "ctx_",
    settings: SETTINGS,
    databases: checks::databases,
    check: checks::check,
    purge: Some(Purge { preview: outputs::preview, delete: outputs::forget }),
    retain: outputs::retain,
    screens: &[Screen::reference("knowledge"), Screen::record("sessions"), Screen::record("activity")],
    ..System::with_id("context")
};

static TOOLS: &[Tool] = &[
    // Without `task`, a background task could be neither read nor stopped.
    Tool {
        needs: &[("background", "task"), ("cwd", "manage")],
        ..tool("execute", include_str!("tools/execute.json"), true)
    },
    Tool { needs: RARE_BATCH_ARGUMENTS, ..tool("batch", include_str!("tools/batch.json"), false) },
    Tool { needs: RARE_INDEX_ARGUMENTS, ..tool("index", include_str!("tools/index.json"), true) },
    Tool { needs: &[("sort", "manage")], ..tool("search", include_str!("tools/search.json"), true) },
    tool("task", include_str!("tools/task.json"), false),
    tool("manage", include_str!("tools/manage.json"), false),
];

/// Rarely used arguments appear only in the full tool list (the one with `manage`); they are always accepted.
const RARE_BATCH_ARGUMENTS: &[(&str, &str)] =
    &[("concurrency", "manage"), ("timeout_ms", "manage"), ("cwd", "manage")];
const RARE_INDEX_ARGUMENTS: &[(&str, &str)] =
    &[("urls", "manage"), ("include", "manage"), ("exclude", "manage")];

const fn tool(name: &'static str, definition: &'static str, prefixed: bool) -> Tool {
    Tool { name, definition, needs: &[], read, has_legacy_name: prefixed, writes_ledger: true }
}

fn read(arguments: &mut Arguments) -> Result<ParsedCall, Error> {
    let request = Request::read(arguments)?;
    Ok(Box::new(move |at| {
        Box::pin(async move {
            let Some(service) = at.host_as::<Service>() else {
                return Err(Error::new(ErrorCode::Internal, "this process has no service to work in"));
            };
            let call = &at.call;
            match request {
                Request::Execute(request) => service.execute(call, request).await,
                Request::Batch(request) => service.batch(call, request).await,
                Request::Index(request) => service.index(call, request).await,
                Request::Search(request) => service.unified_search(call, request).await,
                Request::Task(request) => service.task(call, request).await,
                Request::Manage(request) => service.manage(call, request).await,
            }
        })
    }))
}

static OLDER: &[LegacyTool] = &[
    LegacyTool {
        name: "execute_file",
        tool: "execute",
        description: "Run code over a file without reading it into the conversation; its text is FILE_CONTENT.",
        arguments: &["path", "language", "code", "intent", "timeout_ms"],
        unlisted: "",
        required: &["path", "language", "code"],
        actions: &[],
        reads: false,
    },
    LegacyTool {
        name: "batch_execute",
        tool: "batch",
        description: "Run several shell commands, store their outputs, and answer queries from them.",
        arguments: &[],
        unlisted: "",
        required: &["commands"],
        actions: &[],
        reads: false,
    },
    LegacyTool {
        name: "fetch_and_index",
        tool: "index",
        description: "Fetch web pages, convert them to Markdown and make them searchable.",
        arguments: &["url", "urls", "source", "force"],
        unlisted: "",
        required: &[],
        actions: &[],
        reads: false,
    },
    LegacyTool {
        name: "stats",
        tool: "manage",
        description: "Bytes kept out.",
        arguments: &["scope"],
        unlisted: "",
        required: &[],
        actions: &[],
        reads: true,
    },
    LegacyTool {
        name: "doctor",
        tool: "manage",
        description: "What works.",
        arguments: &["scope"],
        unlisted: "",
        required: &[],
        actions: &[],
        reads: true,
    },
    LegacyTool {
        name: "upgrade",
        tool: "manage",
        description: "Install the newest version.",
        arguments: &["confirm"],
        unlisted: "",
        required: &[],
        actions: &[],
        reads: false,
    },
    LegacyTool {
        name: "purge",
        tool: "manage",
        description: "Remove stored text (to trash).",
        arguments: &["scope", "confirm"],
        unlisted: "",
        required: &["confirm"],
        actions: &[],
        reads: false,
    },
];

static SETTINGS: &[Setting] = &[
    Setting::new("sandbox.timeout_ms", ValueKind::Number(1_000, 3_600_000, "ms")),
    Setting::new("sandbox.max_output_bytes", ValueKind::Number(1_000_000, 20_000_000_000, "bytes")),
    Setting::new("sandbox.max_tasks", ValueKind::Number(1, 64, "tasks")),
    Setting::new("sandbox.enforce", ValueKind::Choice(&["auto", "on", "off"])),
    Setting::new("sandbox.network", ValueKind::Choice(&["all", "public", "off"])),
    Setting::new("network.enabled", ValueKind::Switch),
    Setting::new("network.private_addresses", ValueKind::Switch),
    Setting::new("network.loopback", ValueKind::Switch),
    Setting::new("network.cross_host_redirects", ValueKind::Switch),
    Setting::new("network.cache_hours", ValueKind::Number(0, 8_760, "hours")),
    Setting::new("filters.enabled", ValueKind::Switch),
    Setting::new("filters.rewrite", ValueKind::Choice(&["allowed", "always", "never"])),
    Setting::new("filters.other_tools_from", ValueKind::Number(0, 10_000_000, "bytes")),
];
