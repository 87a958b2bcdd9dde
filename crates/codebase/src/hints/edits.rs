//! Extracts the text that an edit removed and added in each file, from any editing tool's call: replacements, a whole file, or a
//! patch. Pure.

use std::path::PathBuf;

use agents::{ToolCall, ToolKind};
use serde_json::Value;

/// One file's edit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct FileEdit {
    pub(super) path: PathBuf,
    /// The new contents, if the whole file was written.
    pub(super) whole: Option<String>,
    /// The replaced text and its replacement.
    pub(super) pieces: Vec<(String, String)>,
}

const OLD: &[&str] = &["old_string", "oldString", "old_str", "oldText", "old_text"];
const NEW: &[&str] = &["new_string", "newString", "new_str", "newText", "new_text"];
const WHOLE: &[&str] = &["content", "file_text", "contents", "text"];
const PATCH: &[&str] = &["command", "cmd", "patch", "patchText", "input", "patch_text"];

/// The files that a call changed.
pub(super) fn edits(tool: &ToolCall) -> Vec<FileEdit> {
    let input = &tool.input;
    if let Some(patch) = PATCH.iter().find_map(|key| patch_in(input.get(*key)?)) {
        return parse_patch(&patch);
    }
    let ToolKind::Edit { path } = &tool.kind else { return Vec::new() };
    let mut out = FileEdit { path: path.clone(), ..FileEdit::default() };
    out.pieces.extend(piece(input));
    for one in input.get("edits").and_then(Value::as_array).into_iter().flatten() {
        out.pieces.extend(piece(one));
    }
    if out.pieces.is_empty() {
        out.whole = text(input, WHOLE);
    }
    if out.pieces.is_empty() && out.whole.is_none() { Vec::new() } else { vec![out] }
}

fn text(input: &Value, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| input.get(*key)?.as_str()).map(str::to_owned)
}

fn piece(input: &Value) -> Option<(String, String)> {
    Some((text(input, OLD)?, text(input, NEW)?))
}

/// A patch as one text, or as a command with the patch as its argument.
fn patch_in(value: &Value) -> Option<String> {
    let whole = match value {
        Value::String(text) => text.clone(),
        Value::Array(words) => words.iter().rev().find_map(Value::as_str)?.to_owned(),
        _ => return None,
    };
    let at = whole.find("*** Begin Patch")?;
    Some(whole[at..].to_owned())
}

fn parse_patch(patch: &str) -> Vec<FileEdit> {
    let mut out: Vec<FileEdit> = Vec::new();
    let mut adds = false;
    for line in patch.lines() {
        let file = |mark: &str| line.strip_prefix(mark).map(|path| PathBuf::from(path.trim()));
        if let Some(path) = file("*** Add File: ") {
            adds = true;
            out.push(FileEdit { path, whole: Some(String::new()), pieces: Vec::new() });
        } else if let Some(path) = file("*** Update File: ") {
            adds = false;
            out.push(FileEdit { path, ..FileEdit::default() });
        } else if line.starts_with("*** ") {
            // Files that are removed or renamed, and the end.
            if line.starts_with("*** End Patch") {
                break;
            }
        } else if let Some(one) = out.last_mut() {
            if line.starts_with("@@") {
                one.pieces.push(<(String, String)>::default());
                continue;
            }
            let (mark, rest) = line.split_at_checked(1).unwrap_or((" ", ""));
            if let (true, "+", Some(whole)) = (adds, mark, &mut one.whole) {
                whole.push_str(rest);
                whole.push('\n');
                continue;
            }
            if one.pieces.is_empty() {
                one.pieces.push(<(String, String)>::default());
            }
            let Some((old, new)) = one.pieces.last_mut() else { continue };
            let mut put = |text: &mut String| {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(rest);
            };
            match mark {
                "-" => put(old),
                "+" => put(new),
                _ => [old, new].into_iter().for_each(&mut put),
            }
        }
    }
    for one in &mut out {
        one.pieces.retain(|(old, new)| old != new);
    }
    out.retain(|one| one.whole.is_some() || !one.pieces.is_empty());
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(name: &str, input: Value) -> Vec<FileEdit> {
        let kind = ToolKind::Edit { path: "src/a.rs".into() };
        edits(&ToolCall { name: name.into(), kind, input, output: None, id: None })
    }

    #[test]
    fn every_way_of_editing_is_read() {
        let one = |old: &str, new: &str| {
            vec![FileEdit {
                path: "src/a.rs".into(),
                whole: None,
                pieces: vec![(old.to_owned(), new.to_owned())],
            }]
        };
        let whole = |text: &str| {
            vec![FileEdit { path: "src/a.rs".into(), whole: Some(text.to_owned()), pieces: Vec::new() }]
        };
        assert_eq!(of("Edit", json!({"old_string": "a", "new_string": "b"})), one("a", "b"));
        assert_eq!(of("edit", json!({"oldString": "a", "newString": "b"})), one("a", "b"));
        assert_eq!(of("edit", json!({"old_str": "a", "new_str": "b"})), one("a", "b"));
        assert_eq!(
            of("MultiEdit", json!({"edits": [{"old_string": "a", "new_string": "b"}]})),
            one("a", "b")
        );
        assert_eq!(of("Write", json!({"content": "x"})), whole("x"));
        assert_eq!(of("create", json!({"file_text": "x"})), whole("x"));
        assert_eq!(of("Edit", json!({"other": 1})), []);
        let patch = "*** Begin Patch\n*** Update File: src/a.rs\n@@\n keep\n-a\n+b\n*** End Patch\n";
        for input in [
            json!({"command": ["apply_patch", patch]}),
            json!({"command": patch}),
            json!({"patchText": patch}),
        ] {
            assert_eq!(of("apply_patch", input), one("keep\na", "keep\nb"));
        }
        let patch =
            "*** Begin Patch\n*** Add File: src/a.rs\n+x\n+y\n*** Delete File: src/b.rs\n*** End Patch";
        assert_eq!(of("apply_patch", json!({"input": patch})), whole("x\ny\n"));
    }
}
