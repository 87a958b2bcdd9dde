//! Extracts the text that an edit removed and added in each file, from any editing tool's call: replacements, a whole file, or a
//! patch. Pure.

use std::path::PathBuf;

use agents::{ToolCall, ToolKind};
use serde_json::Value;

use super::plain_lines;

/// The most replacements that are looked at in a file: a name that was replaced everywhere has one for each place.
pub(super) const MOST_PIECES: usize = 32;

/// Whether the file's text is from before or after the edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    Before,
    After,
}

/// One file's edit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct FileEdit {
    pub(super) path: PathBuf,
    /// The new contents, if the whole file was written.
    pub(super) whole: Option<String>,
    /// The replaced text and its replacement.
    pub(super) pieces: Vec<(String, String)>,
    /// The same as the agent reports it: the changed lines with some around them.
    pub(super) hunks: Vec<(String, String)>,
    /// The file is no longer there: a patch removed it, or gave it another name.
    pub(super) gone: bool,
    /// Its new name, if it has one.
    pub(super) moved_to: Option<PathBuf>,
}

impl FileEdit {
    /// The edit as the agent reports it, if the file's text agrees: that says which of several places, and what an overwritten
    /// file was before.
    pub(super) fn as_reported(&self, text: &str) -> Self {
        let is_there = |(_, new): &(String, String)| text.contains(new.as_str());
        let is_readable = !self.hunks.is_empty() && self.hunks.len() <= MOST_PIECES;
        if !is_readable || !self.hunks.iter().all(is_there) {
            return self.clone();
        }
        Self { path: self.path.clone(), pieces: self.hunks.clone(), ..Self::default() }
    }
}

const OLD: &[&str] =
    &["old_string", "oldString", "old_str", "oldStr", "oldText", "old_text", "TargetContent"];
const NEW: &[&str] =
    &["new_string", "newString", "new_str", "newStr", "newText", "new_text", "ReplacementContent"];
const WHOLE: &[&str] = &["content", "file_text", "contents", "text", "CodeContent"];
/// Several replacements in one file.
const SEVERAL: &[&str] = &["edits", "ReplacementChunks"];
/// Tools that remove a file.
const REMOVING: &[&str] = &["Delete", "delete_file"];
const PATCH: &[&str] = &["command", "cmd", "patch", "patchText", "input", "patch_text"];

/// The files that a call changed, with the line ends of Unix.
pub(super) fn edits(tool: &ToolCall) -> Vec<FileEdit> {
    let mut out = read(tool);
    for one in &mut out {
        one.whole = one.whole.as_deref().map(plain_lines);
        for (old, new) in one.pieces.iter_mut().chain(&mut one.hunks) {
            (*old, *new) = (plain_lines(old), plain_lines(new));
        }
    }
    out
}

fn read(tool: &ToolCall) -> Vec<FileEdit> {
    let input = &tool.input;
    if let Some(patch) = PATCH.iter().find_map(|key| patch_in(input.get(*key)?)) {
        return parse_patch(&patch);
    }
    if let Some(all) = input.get("replacements").and_then(Value::as_array) {
        return in_several_files(all);
    }
    let ToolKind::Edit { path } = &tool.kind else { return Vec::new() };
    if REMOVING.contains(&tool.name.as_str()) {
        return vec![FileEdit { path: path.clone(), gone: true, ..FileEdit::default() }];
    }
    let mut out = FileEdit { path: path.clone(), ..FileEdit::default() };
    let hunks = tool.output.as_ref().and_then(|output| output.raw.get("structuredPatch")?.as_array());
    for hunk in hunks.into_iter().flatten() {
        let lines = hunk.get("lines").and_then(Value::as_array).into_iter().flatten();
        out.hunks.extend(changes(&lines.filter_map(Value::as_str).collect::<Vec<_>>()));
    }
    out.pieces.extend(piece(input));
    let several = SEVERAL.iter().filter_map(|key| input.get(*key)?.as_array());
    out.pieces.extend(several.flatten().filter_map(piece));
    if out.pieces.is_empty() {
        out.whole = text(input, WHOLE);
    }
    if out.pieces.is_empty() && out.whole.is_none() { Vec::new() } else { vec![out] }
}

/// Replacements that each name their file.
fn in_several_files(all: &[Value]) -> Vec<FileEdit> {
    let mut out: Vec<FileEdit> = Vec::new();
    for one in all {
        let Some(path) = text(one, &["filePath", "file_path", "path"]).map(PathBuf::from) else { continue };
        let Some(piece) = piece(one) else { continue };
        match out.iter_mut().find(|edited| edited.path == path) {
            Some(edited) => edited.pieces.push(piece),
            None => out.push(FileEdit { path, pieces: vec![piece], ..FileEdit::default() }),
        }
    }
    out
}

fn text(input: &Value, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| input.get(*key)?.as_str()).map(str::to_owned)
}

fn piece(input: &Value) -> Option<(String, String)> {
    Some((text(input, OLD)?, text(input, NEW)?))
}

/// The changes in a hunk, each with the lines around it that stay.
fn changes(hunk: &[&str]) -> Vec<(String, String)> {
    let is_change = |line: &&str| line.starts_with(['-', '+']);
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(begin) = hunk[at..].iter().position(is_change).map(|begin| at + begin) {
        let end =
            hunk[begin..].iter().position(|line| !is_change(line)).map_or(hunk.len(), |end| begin + end);
        let next = hunk[end..].iter().position(is_change).map_or(hunk.len(), |next| end + next);
        let side = |left_out: char| {
            let lines = hunk[at..next].iter().filter(|line| !line.starts_with([left_out, '\\']));
            lines.map(|line| line.get(1..).unwrap_or_default()).collect::<Vec<_>>().join("\n")
        };
        out.push((side('+'), side('-')));
        at = end;
    }
    out
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
            out.push(FileEdit { path, whole: Some(String::new()), ..FileEdit::default() });
        } else if let Some(path) = file("*** Update File: ") {
            adds = false;
            out.push(FileEdit { path, ..FileEdit::default() });
        } else if let Some(path) = file("*** Delete File: ") {
            adds = false;
            out.push(FileEdit { path, gone: true, ..FileEdit::default() });
        } else if let Some(to) = file("*** Move to: ") {
            if let Some(one) = out.last_mut() {
                (one.gone, one.moved_to) = (true, Some(to));
            }
        } else if line.starts_with("*** ") {
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
    out.retain(|one| one.whole.is_some() || !one.pieces.is_empty() || one.gone);
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
    fn replacements_that_each_name_their_file_are_edits_of_all() {
        let replacement =
            |path: &str, old: &str, new: &str| json!({"filePath": path, "oldString": old, "newString": new});
        let input = json!({"replacements": [
            replacement("a.rs", "1", "2"), replacement("b.rs", "3", "4"), replacement("a.rs", "5", "6"), {"filePath": "c.rs"}, 7,
        ]});
        let name = "multi_replace_string_in_file".to_owned();
        let told = edits(&ToolCall { name, kind: ToolKind::Other, input, output: None, id: None });
        let seen: Vec<_> = told.iter().map(|one| (one.path.to_str().unwrap(), one.pieces.len())).collect();
        assert_eq!(seen, [("a.rs", 2), ("b.rs", 1)]);
    }

    #[test]
    fn an_agents_reported_changes_count_more_than_its_request() {
        let hunk = json!({"lines": [" a", "-b", "+c", " d", "-e", " f", "\\ No newline at end of file"]});
        let output = |patch: Value| agents::Output {
            text: String::new(),
            raw: json!({"structuredPatch": patch}),
            failed: false,
            exit: None,
            full_in: None,
        };
        let of = |input: Value, patch: Value| {
            let kind = ToolKind::Edit { path: "src/a.rs".into() };
            let call = ToolCall { name: "Write".into(), kind, input, output: Some(output(patch)), id: None };
            edits(&call).remove(0)
        };
        let written = of(json!({"content": "a\nc\nd\nf"}), json!([hunk]));
        let piece = |old: &str, new: &str| (old.to_owned(), new.to_owned());
        let told = written.as_reported("a\nc\nd\nf\n");
        assert_eq!(told.pieces, [piece("a\nb\nd", "a\nc\nd"), piece("d\ne\nf", "d\nf")]);
        assert_eq!(told.whole, None);
        // A report whose white space differs from the file's doesn't say where.
        assert_eq!(written.as_reported("\ta\n\tc\n\td\n\tf\n"), written);
        // For a name that was replaced everywhere, the request says the same.
        let lines: Vec<String> =
            (0..=MOST_PIECES).flat_map(|n| [format!("-a{n}"), format!("+b{n}"), format!(" c{n}")]).collect();
        let everywhere = of(json!({"old_string": "a", "new_string": "b"}), json!([{"lines": lines}]));
        let text: String = (0..=MOST_PIECES).map(|n| format!("b{n}\nc{n}\n")).collect();
        assert_eq!(
            (everywhere.hunks.len(), everywhere.as_reported(&text)),
            (MOST_PIECES + 1, everywhere.clone())
        );
        // A new file has no hunks.
        let told = of(json!({"content": "\u{feff}a\r\nb"}), json!([]));
        assert_eq!((told.whole.as_deref(), told.pieces.len()), (Some("a\nb"), 0));
        let told = of(json!({"old_string": "a\r\n", "new_string": "b\r\n"}), json!("nonsense"));
        assert_eq!(told.pieces, [piece("a\n", "b\n")]);
    }

    #[test]
    fn every_way_of_editing_is_read() {
        let one = |old: &str, new: &str| {
            vec![FileEdit {
                path: "src/a.rs".into(),
                pieces: vec![(old.to_owned(), new.to_owned())],
                ..FileEdit::default()
            }]
        };
        let whole = |text: &str| {
            vec![FileEdit { path: "src/a.rs".into(), whole: Some(text.to_owned()), ..FileEdit::default() }]
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
        assert_eq!(of("strReplace", json!({"oldStr": "a", "newStr": "b"})), one("a", "b"));
        let chunk = json!({"TargetContent": "a", "ReplacementContent": "b"});
        assert_eq!(of("replace_file_content", chunk.clone()), one("a", "b"));
        assert_eq!(of("multi_replace_file_content", json!({"ReplacementChunks": [chunk]})), one("a", "b"));
        assert_eq!(of("write_to_file", json!({"CodeContent": "x"})), whole("x"));
        let removed = FileEdit { path: "src/a.rs".into(), gone: true, ..FileEdit::default() };
        assert_eq!(of("Delete", json!({"path": "src/a.rs"})), [removed]);
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
        let gone = |path: &str| FileEdit { path: path.into(), gone: true, ..FileEdit::default() };
        let expected: Vec<FileEdit> = whole("x\ny\n").into_iter().chain([gone("src/b.rs")]).collect();
        assert_eq!(of("apply_patch", json!({"input": patch})), expected);
        let patch = "*** Begin Patch\n*** Update File: src/b.rs\n*** Move to: src/c.rs\n*** End Patch";
        let moved = FileEdit { moved_to: Some("src/c.rs".into()), ..gone("src/b.rs") };
        assert_eq!(of("apply_patch", json!({"input": patch})), [moved]);
    }
}
