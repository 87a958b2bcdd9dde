//! Files that are read or printed again: one line if they are unchanged, a diff if they have changed.

use std::path::PathBuf;

use home::set_value;
use serde_json::{Value, json};

use super::World;

/// What the agent is shown for a file with this text; `None` if it's the text itself.
fn read(world: &World, text: &str) -> Option<String> {
    read_by(world, None, text)
}

/// The same by the call of this name.
fn read_by(world: &World, call: Option<&str>, text: &str) -> Option<String> {
    let reply = world.send(
        "claude-code",
        &json!({
            "hook_event_name": "PostToolUse", "session_id": "s-1", "cwd": world.project, "tool_name": "Read",
            "tool_input": { "file_path": world.project.join("notes.md") }, "tool_use_id": call,
            "tool_response": { "type": "text", "file": { "filePath": "notes.md", "content": text, "numLines": 200 } }
        }),
    );
    Some(reply["hookSpecificOutput"]["updatedToolOutput"]["file"]["content"].as_str()?.to_owned())
}

fn numbered(lines: usize) -> String {
    (1..=lines).map(|n| format!("line {n} of the text\n")).collect()
}

fn reads_folder(world: &World) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(world.home.cache_dir().join("reads")).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

#[test]
fn a_file_read_again_unchanged_is_one_line_until_the_conversation_is_compacted() {
    let world = World::new();
    let text = numbered(200);
    assert_eq!(read(&world, &text), None);
    let shown = read(&world, &text).unwrap();
    assert!(shown.contains("unchanged") && shown.len() < 250, "{shown}");
    // An agent that asks again needs the text: the conversation may have lost it without any hook.
    assert_eq!(read(&world, &text), None);
    assert!(read(&world, &text).unwrap().contains("unchanged"));
    let compact = json!({ "hook_event_name": "PreCompact", "session_id": "s-1", "cwd": world.project, "trigger": "auto" });
    world.send("claude-code", &compact);
    assert!(reads_folder(&world).is_empty(), "{:?}", reads_folder(&world));
    assert_eq!(read(&world, &text), None);
}

#[test]
fn a_call_whose_hook_runs_twice_has_read_once() {
    let world = World::new();
    let text = numbered(200);
    let new = text.replace("line 7 of", "line seven of");
    // The hook is in the user's file and in the project's. What the second one hears of isn't another reading.
    for (call, text, word) in [
        ("t-1", &text, None),
        ("t-2", &text, Some("unchanged")),
        ("t-3", &text, None),
        ("t-4", &new, Some("has changed")),
    ] {
        let shown = read_by(&world, Some(call), text);
        assert_eq!(shown.is_some(), word.is_some(), "{call}: {shown:?}");
        assert!(shown.unwrap_or_default().contains(word.unwrap_or_default()), "{call}");
        assert_eq!(read_by(&world, Some(call), text), None, "{call} a second time");
    }
    assert_eq!(world.after_call("t-5", "cat src/notes.md", &text), Value::Null);
    assert_eq!(world.after_call("t-5", "cat src/notes.md", &text), Value::Null);
    assert!(world.after_call("t-6", "cat src/notes.md", &text).is_object());
}

#[test]
fn a_file_read_again_changed_is_a_diff() {
    let world = World::new();
    let old = numbered(200);
    let new = old.replace("line 7 of", "line seven of").replace("line 90 of the text\n", "") + "the end\n";
    assert_eq!(read(&world, &old), None);
    let shown = read(&world, &new).unwrap();
    let wanted = [
        "-line 7 of the text",
        "+line seven of the text",
        "-line 90 of the text",
        "+the end",
        "@@ -4,7 +4,7 @@",
    ];
    for line in wanted {
        assert!(shown.lines().any(|shown| shown == line), "{line}: {shown}");
    }
    assert!(shown.contains("notes.md has changed") && shown.len() * 2 < new.len(), "{shown}");
    // The text shown is the text known now.
    assert!(read(&world, &new).unwrap().contains("unchanged"));
    assert!(read(&world, &old).unwrap().contains("+line 7 of the text"));
    set_value(&world.home, &["filters", "off"], toml_edit::Array::from_iter(["changed-file"])).unwrap();
    assert_eq!(read(&world, &new), None);
}

#[test]
fn what_a_diff_would_not_shorten_or_must_not_be_kept_is_shown_whole() {
    let world = World::new();
    let old = numbered(200);
    for new in
        [old.replace("of the", "in the"), old.replace('\n', "\r\n"), numbered(150).replace("line", "word")]
    {
        assert_eq!(read(&world, &old), None);
        assert_eq!(read(&world, &new), None, "{}", &new[..40]);
        let clear = json!({ "hook_event_name": "PreCompact", "session_id": "s-1", "cwd": world.project, "trigger": "auto" });
        world.send("claude-code", &clear);
    }
    let secret = format!("{old}token = ghp_0123456789abcdefghijABCDEFGHIJ012345\n");
    assert_eq!(read(&world, &secret), None);
    assert_eq!(read(&world, &secret.replace("line 7 of", "line seven of")), None);
    for file in reads_folder(&world) {
        assert!(!std::fs::read_to_string(&file).unwrap().contains("ghp_"), "{}", file.display());
    }
}

#[test]
fn a_file_printed_again_unchanged_is_one_line() {
    let world = World::new();
    let text = numbered(200);
    let shown = |command: &str, text: &str| {
        let reply = world.after(command, text);
        reply["hookSpecificOutput"]["updatedToolOutput"]["stdout"].as_str().map(str::to_owned)
    };
    assert_eq!(shown("cat src/notes.md", &text), None);
    let again = shown("cat src/notes.md", &text).unwrap();
    assert!(again.contains("src/notes.md is unchanged") && again.len() < 250, "{again}");
    assert_eq!(shown("cat src/notes.md", &text), None);
    // Another text, another file, a part, or more than the file.
    let new = text.replace("line 7 of", "line seven of");
    assert_eq!(shown("cat src/notes.md", &new), None);
    for command in [
        "cat notes.md",
        "cat -n src/notes.md",
        "cat src/notes.md src/b.md",
        "cat src/*.md",
        "cat src/notes.md; ls",
    ] {
        assert_eq!(shown(command, &new), None, "{command}");
    }
    // The tool's text isn't the command's output.
    assert_eq!(read(&world, &new), None);
}

#[test]
fn a_line_that_is_hardly_shorter_does_not_replace_a_text() {
    let world = World::new();
    let text = numbered(60);
    let folders = "deep/".repeat(text.len() / 5);
    for (file, is_replaced) in [(format!("{folders}notes.md"), false), ("notes.md".to_owned(), true)] {
        let command = format!("cat {file}");
        assert_eq!(world.after(&command, &text), Value::Null, "{file}");
        assert_eq!(world.after(&command, &text).is_object(), is_replaced, "{file}");
    }
}
