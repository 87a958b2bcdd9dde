//! Facts about files that were read, edited or written.

use std::path::{Path, PathBuf};

use agents::{Event, ToolCall, ToolKind};

use crate::session::fact::{Category, Fact};

/// Maximum number of recorded files per patch.
const MAX_FILES: usize = 20;

/// How a patch names a file, with the operation.
const PATCH: [(&str, &str); 4] = [
    ("*** Update File: ", "edited"),
    ("*** Add File: ", "written"),
    ("*** Delete File: ", "deleted"),
    ("*** Move to: ", "written"),
];

/// The files in a call.
pub(super) fn facts(event: &Event, call: &ToolCall) -> Vec<Fact> {
    let patched = patch_files(call);
    if !patched.is_empty() {
        return patched.iter().map(|(path, how)| fact(event, path, how)).collect();
    }
    match &call.kind {
        ToolKind::Read { path, .. } => vec![fact(event, path, "read")],
        ToolKind::Edit { path } => {
            let name = call.name.to_ascii_lowercase();
            let written = name.contains("write") || name.contains("create");
            vec![fact(event, path, if written { "written" } else { "edited" })]
        }
        _ => Vec::new(),
    }
}

fn fact(event: &Event, path: &Path, how: &str) -> Fact {
    let path = absolute(event, path);
    let text = path.to_string_lossy();
    let priority = if how == "read" { 3 } else { 2 };
    Fact::new(Category::File, priority, text.as_ref()).subject(how).key(format!("{how} {text}"))
}

/// The absolute path, relative to the agent's folder, without `.` and `..`.
fn absolute(event: &Event, path: &Path) -> PathBuf {
    let base = event.cwd.as_deref().or(event.project.as_deref()).unwrap_or(Path::new(""));
    home::without_dots(&base.join(path))
}

/// The files of a patch, which some agents send as one text for several files.
fn patch_files(call: &ToolCall) -> Vec<(PathBuf, &'static str)> {
    let texts =
        ["command", "input", "patch", "patchText", "cmd"].iter().filter_map(|key| call.input.get(key));
    let texts = texts.flat_map(|value| match value {
        serde_json::Value::String(text) => vec![text.as_str()],
        serde_json::Value::Array(words) => words.iter().filter_map(serde_json::Value::as_str).collect(),
        _ => Vec::new(),
    });
    texts
        .filter(|text| text.contains("*** Begin Patch"))
        .flat_map(str::lines)
        .filter_map(|line| {
            PATCH.iter().find_map(|(mark, how)| Some((PathBuf::from(line.strip_prefix(mark)?.trim()), *how)))
        })
        .take(MAX_FILES)
        .collect()
}
