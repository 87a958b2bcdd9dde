//! The user's own hooks that replace a command before it runs. Of two hooks that do, Claude Code takes the answer that comes last
//! (measured on 2.1.197), and what the other one changed is lost. Owns how such a hook is recognised: by the key of its answer,
//! in its command or in a script that the command names.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// The key of an answer that replaces a call's input.
const REPLACES: &str = "updatedInput";

/// How much is read of all scripts together, in bytes: an agent waits for that at each call.
const MAX_READ: u64 = 128 * 1024;

/// How many files are looked into.
const MAX_FILES: usize = 32;

/// Claude Code's tool for commands.
const BASH: &str = "Bash";

/// Whether a hook in these settings may replace a shell command.
pub(super) fn replace_commands(settings: &Value, home: &Path, start: &Path) -> bool {
    let groups = settings.pointer("/hooks/PreToolUse").and_then(Value::as_array);
    let before_bash = groups.into_iter().flatten().filter(|group| is_before_bash(group));
    let hooks: Vec<&Value> =
        before_bash.filter_map(|group| group.get("hooks")?.as_array()).flatten().collect();
    if hooks.iter().any(|hook| command_of(hook).contains(REPLACES)) {
        return true;
    }
    let mut files: Vec<PathBuf> = Vec::new();
    for file in hooks.iter().flat_map(|hook| files_of(hook, home, start)) {
        if files.len() < MAX_FILES && !files.contains(&file) {
            files.push(file);
        }
    }
    let mut room = MAX_READ;
    files.iter().any(|file| {
        let Ok(script) = home::read_regular_text(file, room) else { return false };
        room = room.saturating_sub(script.len() as u64);
        script.contains(REPLACES)
    })
}

/// Without a matcher, a group is for every tool. What a pattern begins with tells enough: `mcp__.*` isn't for commands.
fn is_before_bash(group: &Value) -> bool {
    let matcher = group.get("matcher").and_then(Value::as_str).unwrap_or_default();
    matcher.split('|').any(|name| {
        let name = name.trim().trim_start_matches('^');
        let begins = name.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
        if begins == name { name.is_empty() || name == BASH } else { BASH.starts_with(begins) }
    })
}

fn command_of(hook: &Value) -> &str {
    hook.get("command").and_then(Value::as_str).unwrap_or_default()
}

/// The first files that a hook's command may name.
fn files_of(hook: &Value, home: &Path, start: &Path) -> Vec<PathBuf> {
    let command = command_of(hook);
    let plain = command.replace(['"', '\''], "");
    let given = hook.get("args").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let words = plain.split(|c: char| c.is_whitespace() || matches!(c, ';' | '|' | '&' | '(' | ')'));
    // A path with blanks is in quotes.
    let quoted = ['"', '\''].into_iter().flat_map(|quote| command.split(quote).skip(1).step_by(2));
    let quoted = quoted.filter(|text| text.contains(char::is_whitespace));
    let named = given.chain(quoted).chain(words).filter(|word| word.contains(['/', '.']));
    named.take(MAX_FILES).map(|word| path_of(word, home, start)).collect()
}

/// The file that a word of a command names.
fn path_of(word: &str, home: &Path, start: &Path) -> PathBuf {
    let under = |names: [&str; 2], folder: &Path| {
        let rest = names.into_iter().find_map(|name| word.strip_prefix(name))?;
        Some(folder.join(rest.trim_start_matches('/')))
    };
    under(["$CLAUDE_PROJECT_DIR", "${CLAUDE_PROJECT_DIR}"], start)
        .or_else(|| under(["$HOME", "${HOME}"], home))
        .or_else(|| Some(home.join(word.strip_prefix("~/")?)))
        .unwrap_or_else(|| start.join(word))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_hook_that_replaces_commands_is_known_by_its_answer() {
        let dir = tempfile::tempdir().unwrap();
        let (home, start) = (dir.path().join("home"), dir.path().join("my shop"));
        let spaced = start.join("own hooks");
        let many: String = (0..MAX_FILES).map(|nth| format!("./gone{nth}.sh ")).collect();
        let many = format!("echo {many} ./dry.sh");
        let large = format!("updatedInput{}", " ".repeat(usize::try_from(MAX_READ).unwrap()));
        for (folder, name, text) in [
            (&start, "large.sh", large.as_str()),
            (&spaced, "dry.sh", "echo '{\"updatedInput\": {}}'"),
            (&start, "dry.sh", "jq '{hookSpecificOutput: {updatedInput: .tool_input}}'"),
            (&start, "guard.sh", "grep -q secret && exit 2"),
            (&home, "wrap.py", "print({'updatedInput': {}})"),
        ] {
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(folder.join(name), text).unwrap();
        }
        for (matcher, command, expected) in [
            ("Bash", "\"$CLAUDE_PROJECT_DIR\"/dry.sh", true),
            ("", "bash ${CLAUDE_PROJECT_DIR}/dry.sh --all", true),
            ("Edit|Bash", "./dry.sh", true),
            (".*", "python3 ~/wrap.py", true),
            ("*", "python3 $HOME/wrap.py", true),
            ("Bash", "echo '{\"updatedInput\": {}}'", true),
            ("Bash", "bash \"$CLAUDE_PROJECT_DIR/own hooks/dry.sh\" --all", true),
            ("^Bash$", "./dry.sh", true),
            ("Edit|Ba.*", "./dry.sh", true),
            ("Edit|Write", "./dry.sh", false),
            ("mcp__.*", "./dry.sh", false),
            ("BashOutput", "./dry.sh", false),
            ("Bash", many.as_str(), false),
            ("Bash", "./large.sh", false),
            ("Bash", "./guard.sh", false),
            ("Bash", "/bin/sh -c true", false),
            ("Bash", "./gone.sh", false),
        ] {
            let hook = json!({"type": "command", "command": command});
            let settings = json!({"hooks": {"PreToolUse": [{"matcher": matcher, "hooks": [hook]}]}});
            assert_eq!(replace_commands(&settings, &home, &start), expected, "{matcher}: {command}");
        }
        let hook = json!({"type": "command", "command": "bash", "args": ["dry.sh"]});
        let settings = json!({"hooks": {"PreToolUse": [{"hooks": [hook]}]}});
        assert!(replace_commands(&settings, &home, &start));
        let settings = json!({"hooks": {"PostToolUse": [{"hooks": [{"command": "./dry.sh"}]}]}});
        assert!(!replace_commands(&settings, &home, &start));
    }
}
