//! The hook as a process whose input is not handed over as it should be: the person's rules are asked all the same.

use std::io::Write as _;
use std::process::Stdio;

use crate::desk::Desk;

/// What the hook answers to these pieces of a payload while its input stays open.
fn answered(desk: &Desk, pieces: &[&[u8]]) -> String {
    let mut command = desk.command(&["hook", "claude-code", "PreToolUse"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    for piece in pieces {
        input.write_all(piece).unwrap();
        input.flush().unwrap();
    }
    let output = child.wait_with_output().unwrap();
    // Until here somebody could still have written.
    drop(input);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_whole_payload_is_judged_although_its_end_is_not_told() {
    let desk = Desk::new();
    desk.write(".claude/settings.json", r#"{"permissions":{"deny":["Bash(shred:*)"]}}"#);
    let payload = serde_json::json!({"session_id": "s-1", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "t1",
        "transcript_path": desk.home().join(".claude/projects/x/s-1.jsonl"), "permission_mode": "default", "cwd": desk.home(),
        "tool_input": {"command": "shred x", "description": "}{\"]["}})
    .to_string();
    let spoilt = payload.replace("shred x", "shred x \\ud800");
    let (first, second) = payload.as_bytes().split_at(payload.len() / 2);
    let cases: [(&str, Vec<&[u8]>); 4] = [
        ("at once", vec![payload.as_bytes()]),
        ("in pieces", vec![first, second, b"\n"]),
        ("with more behind it", vec![payload.as_bytes(), b"\n{\"another\":1}\n"]),
        ("with half a surrogate", vec![spoilt.as_bytes()]),
    ];
    for (what, pieces) in cases {
        // On a busy machine the deadline for deciding may come first; then the hook is silent by design.
        let refused = (0..20).any(|_| answered(&desk, &pieces).contains("\"deny\""));
        assert!(refused, "{what}: nothing was refused");
    }
}
