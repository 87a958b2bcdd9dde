//! Codex's rollout file: a command's full output and exit code, neither of which its hooks receive.
//!
//! Measured on 0.169.0 with models of all three kinds (`gpt-5.4`, `gpt-5.5`, `gpt-6.1-sol`): before a PostToolUse hook runs,
//! the file that the payload names has a line `item_completed` with a `CommandExecution` of the call's id. It contains the
//! output up to 65,536 bytes (both ends of a longer one, with a mark between) and the exit code. The payload has what the
//! model sees: cut in the middle, after a token count that is a quarter of the bytes. When a background command ends, the
//! payload has only the rest of its output, under the first call's id. A command that ends at once in Codex's sandbox isn't
//! always recorded; its output is left alone.

use std::borrow::Cow;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use crate::event::{Event, Output, ToolCall, ToolKind};
use crate::full_output::FullOutput;

/// Bytes read from the file's end: a maximal output with each byte escaped as `\u0000`, and the call's other fields.
const TAIL_BYTES: u64 = 1024 * 1024;
/// Above this size, in bytes, the file has both ends of an output.
const MAX_RECORDED: usize = 65_536;
/// Both ends are cut at character boundaries, so a recorded longer output may be this much shorter.
const CUT_SLACK: usize = 64;
/// Delays before each look at the file, in milliseconds: Codex writes it while the hook starts, later on a busy computer.
/// Without the line, the output stays as it is.
const POLL_DELAYS_MS: [u64; 6] = [0, 5, 10, 15, 20, 30];
/// Bytes compared at both ends where the file has no more.
const COMPARED_BYTES: usize = 4_096;

#[derive(Deserialize)]
struct Line {
    payload: Payload,
}

#[derive(Deserialize)]
struct Payload {
    #[serde(rename = "type")]
    kind: String,
    item: Execution,
}

/// A finished command.
#[derive(Deserialize, Debug, PartialEq, Eq)]
struct Execution {
    #[serde(rename = "type")]
    kind: String,
    id: String,
    aggregated_output: String,
    exit_code: i32,
}

/// A call's full output; `None` if only a part is available.
pub(super) fn full_output<'o>(event: &Event, call: &ToolCall, output: &'o Output) -> Option<FullOutput<'o>> {
    let cut = truncated_tokens(&output.text);
    if !matches!(call.kind, ToolKind::Shell { .. }) {
        return cut.is_none().then(|| FullOutput::from_payload(output));
    }
    let (file, id) = (event.transcript.as_deref()?, call.id.as_deref()?);
    let recorded = POLL_DELAYS_MS.into_iter().find_map(|after| {
        std::thread::sleep(Duration::from_millis(after));
        find_execution(file, id)
    })?;
    let exit = Some(recorded.exit_code);
    match cut {
        Some(tokens) if recorded.aggregated_output.len().div_ceil(4) == tokens => {
            Some(FullOutput { text: Cow::Owned(recorded.aggregated_output), exit })
        }
        None if matches_output(&recorded.aggregated_output, &output.text) => {
            Some(FullOutput { text: Cow::Borrowed(&output.text), exit })
        }
        _ => None,
    }
}

/// The token count of an output that Codex has cut.
fn truncated_tokens(text: &str) -> Option<usize> {
    let (count, _) =
        text.strip_prefix("Warning: truncated output (original token count: ")?.split_once(')')?;
    count.parse().ok()
}

/// Whether the recorded output is this text, and not a longer one that ends with it.
fn matches_output(recorded: &str, text: &str) -> bool {
    if recorded == text || recorded.len() + CUT_SLACK < MAX_RECORDED {
        return recorded == text;
    }
    let (recorded, text) = (recorded.as_bytes(), text.as_bytes());
    text.len() > recorded.len()
        && recorded[..COMPARED_BYTES] == text[..COMPARED_BYTES]
        && recorded[recorded.len() - COMPARED_BYTES..] == text[text.len() - COMPARED_BYTES..]
}

/// The line of this call's end.
fn find_execution(file: &Path, id: &str) -> Option<Execution> {
    let end = read_tail(file)?;
    let lines = end.rsplit(|byte| *byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok());
    lines.filter(|line| line.contains("\"CommandExecution\"")).find_map(|line| {
        let Payload { kind, item } = serde_json::from_str::<Line>(line).ok()?.payload;
        (kind == "item_completed" && item.kind == "CommandExecution" && item.id == id).then_some(item)
    })
}

fn read_tail(file: &Path) -> Option<Vec<u8>> {
    let mut file = home::open_regular(file).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL_BYTES))).ok()?;
    let mut end = Vec::new();
    file.take(TAIL_BYTES).read_to_end(&mut end).ok()?;
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn line(id: &str, output: &str, exit: i32) -> String {
        json!({"timestamp": "2026-11-23T07:23:41.868Z", "type": "event_msg", "payload": {"type": "item_completed",
            "thread_id": "t", "turn_id": "u", "item": {"type": "CommandExecution", "id": id, "process_id": "7",
            "command": ["/bin/bash", "-lc", "x"], "cwd": "file:///w", "status": "failed",
            "aggregated_output": output, "exit_code": exit, "duration": {"secs": 0, "nanos": 1}}}})
        .to_string()
            + "\n"
    }

    fn read_back(dir: &Path, record: &str, tool: &str, text: &str) -> Option<(String, Option<i32>)> {
        let file = dir.join("rollout.jsonl");
        std::fs::write(&file, record).unwrap();
        let payload = json!({"hook_event_name": "PostToolUse", "session_id": "s", "transcript_path": file,
            "tool_name": tool, "tool_input": {"command": "x"}, "tool_response": text, "tool_use_id": "call_2"});
        let event = super::super::dialect::parse_event("codex", &payload, None).unwrap();
        let call = event.tool.clone().unwrap();
        let output = call.output.clone().unwrap();
        full_output(&event, &call, &output).map(|whole| (whole.text.into_owned(), whole.exit))
    }

    fn cut(text: &str) -> String {
        let tokens = text.len().div_ceil(4);
        let lines = text.lines().count();
        format!(
            "Warning: truncated output (original token count: {tokens})\nTotal output lines: {lines}\n\n{}…{}",
            &text[..4_000],
            &text[text.len() - 4_000..]
        )
    }

    #[test]
    fn the_record_has_the_whole_output_and_the_exit_code() {
        let dir = tempfile::tempdir().unwrap();
        let long: String = (0..9_000).map(|n| format!("{n}\n")).collect();
        let record = line("call_1", "other", 0) + &line("call_2", &long, 101) + &line("call_3", "x", 0);
        assert_eq!(read_back(dir.path(), &record, "Bash", &cut(&long)), Some((long, Some(101))));
        let record = line("call_2", "a\nb\n", 1);
        assert_eq!(read_back(dir.path(), &record, "Bash", "a\nb\n"), Some(("a\nb\n".into(), Some(1))));
    }

    #[test]
    fn a_cut_record_is_not_used() {
        let dir = tempfile::tempdir().unwrap();
        let long: String = (0..20_000).map(|n| format!("{n}\n")).collect();
        let part = format!(
            "{}\n... command output truncated for persistence ...\n{}",
            &long[..32_000],
            &long[long.len() - 33_484..]
        );
        for (why, record, text) in [
            ("the record has both ends", line("call_2", &part, 3), cut(&long)),
            (
                "the rest of one that went on in the background",
                line("call_2", "first\nrest\n", 3),
                "rest\n".into(),
            ),
            ("the same, with both ends recorded", line("call_2", &part, 3), long[50_000..].into()),
            ("another call", line("call_9", "a\n", 0), "a\n".into()),
            ("no record", String::new(), "a\n".into()),
            ("a line that is cut", line("call_2", "a\n", 0)[..80].to_owned(), "a\n".into()),
        ] {
            assert_eq!(read_back(dir.path(), &record, "Bash", &text), None, "{why}");
        }
        assert_eq!(
            read_back(dir.path(), "", "mcp__docs__read", "a page").map(|(text, _)| text),
            Some("a page".into())
        );
        assert_eq!(read_back(dir.path(), "", "mcp__docs__read", &cut(&long)), None);
    }

    #[test]
    fn the_record_gives_the_exit_code_where_only_the_payload_has_the_output() {
        let dir = tempfile::tempdir().unwrap();
        let long: String = (0..20_000).map(|n| format!("{n}\n")).collect();
        let part = format!(
            "{}\n... command output truncated for persistence ...\n{}",
            &long[..32_000],
            &long[long.len() - 33_484..]
        );
        let had = read_back(dir.path(), &line("call_2", &part, 3), "Bash", &long);
        assert_eq!(had, Some((long, Some(3))));
    }

    #[test]
    fn only_the_end_of_a_long_record_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let other: Value = json!({"payload": {"type": "message", "text": "x".repeat(3_000_000)}});
        let record = format!("{other}\n{}", line("call_2", "a\n", 0));
        assert_eq!(read_back(dir.path(), &record, "Bash", "a\n"), Some(("a\n".into(), Some(0))));
    }
}
