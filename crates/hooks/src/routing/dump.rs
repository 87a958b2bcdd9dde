//! Commands and reads that print a complete log or data file.

use std::path::Path;

use shell::{Stage, pipelines};

use super::bounded::is_bounded;

/// A log or data file larger than this, in bytes, is routed to the tools.
pub const DUMP_BYTES: u64 = 100_000;

/// The first file that `command` would print in full.
pub fn dump(command: &str) -> Option<String> {
    pipelines(command).iter().filter(|pipeline| !is_bounded(pipeline)).find_map(|pipeline| {
        // Only a stage that prints directly; `cat x | sort` is a computation.
        let [stage] = pipeline.as_slice() else { return None };
        printed_file(stage)
    })
}

fn printed_file(stage: &Stage) -> Option<String> {
    let whole = match stage.program() {
        "cat" | "bat" | "less" | "more" | "zcat" | "nl" | "tac" | "Get-Content" | "type" | "gc" => true,
        // `tail -n 20` is small; `tail -n +1` and five-digit counts are not.
        "tail" | "head" => stage.arguments().iter().any(|argument| {
            let count = argument.trim_start_matches(['-', 'n', 'c', '=']);
            argument.starts_with("+")
                || count.starts_with('+')
                || (count.len() >= 5 && count.bytes().all(|b| b.is_ascii_digit()))
        }),
        _ => false,
    };
    if !whole {
        return None;
    }
    stage
        .arguments()
        .iter()
        .find(|argument| !argument.starts_with('-') && is_log_like(Path::new(argument)))
        .cloned()
}

/// Whether a file is of a kind that is searched rather than edited.
pub fn is_log_like(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    matches!(
        extension,
        "log"
            | "out"
            | "err"
            | "jsonl"
            | "ndjson"
            | "csv"
            | "tsv"
            | "har"
            | "trace"
            | "dump"
            | "lcov"
            | "prof"
    ) || name.contains(".log.")
        || (extension.bytes().all(|b| b.is_ascii_digit()) && name.contains(".log"))
        || matches!(name.as_str(), "syslog" | "messages" | "nohup.out")
}
