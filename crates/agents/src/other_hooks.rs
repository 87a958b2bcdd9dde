//! The user's own hooks that replace a command before it runs, or an output after it. Of two hooks that do, agents take one answer,
//! and what the other one changed is lost: Claude Code (measured on 2.1.197) and Codex take the one that comes last, Gemini CLI the
//! one that is configured last. Owns how such a hook is recognised: by the keys of its answer, in its command or in a script that
//! the command names. Knows no agent's files.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// The hooks for one tool at one event of an agent.
#[derive(Debug)]
pub(crate) struct UserHooks<'a> {
    /// The event.
    pub(crate) event: &'static str,
    /// The tool.
    pub(crate) tool: &'a str,
    /// The keys of an answer that replaces what the tool gets or returns.
    pub(crate) answer: &'a [&'a str],
    /// The variables that name the folder in which the agent was started.
    pub(crate) folder_variables: &'static [&'static str],
}

impl UserHooks<'_> {
    /// Whether a text has all keys of such an answer.
    fn replaces(&self, text: &str) -> bool {
        self.answer.iter().all(|key| text.contains(key))
    }
}

/// How much is read of all scripts together, in bytes: an agent waits for that at each call.
const MAX_READ: u64 = 128 * 1024;

/// How many files are looked into.
const MAX_FILES: usize = 32;

/// Whether one of these hooks in the agent's settings may replace something. `start` is the folder in which the agent was started.
pub(crate) fn any_replaces(kind: &UserHooks<'_>, settings: &Value, home: &Path, start: &Path) -> bool {
    let groups = settings.get("hooks").and_then(|hooks| hooks.get(kind.event)).and_then(Value::as_array);
    let for_tool = groups.into_iter().flatten().filter(|group| is_for_tool(group, kind.tool));
    let hooks: Vec<&Value> = for_tool.filter_map(|group| group.get("hooks")?.as_array()).flatten().collect();
    if hooks.iter().any(|hook| kind.replaces(command_of(hook))) {
        return true;
    }
    let mut files: Vec<PathBuf> = Vec::new();
    for file in hooks.iter().flat_map(|hook| files_of(kind, hook, home, start)) {
        if files.len() < MAX_FILES && !files.contains(&file) {
            files.push(file);
        }
    }
    let mut room = MAX_READ;
    files.iter().any(|file| {
        let Ok(script) = home::read_regular_text(file, room) else { return false };
        room = room.saturating_sub(script.len() as u64);
        kind.replaces(&script)
    })
}

/// Without a matcher, a group is for every tool. What a pattern begins with tells enough: `mcp__.*` isn't for a shell. It may be
/// for a name in whose middle it matches.
fn is_for_tool(group: &Value, tool: &str) -> bool {
    let matcher = group.get("matcher").and_then(Value::as_str).unwrap_or_default();
    matcher.split('|').any(|name| {
        let name = name.trim().trim_start_matches('^');
        let begins = name.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
        tool.contains(begins)
    })
}

fn command_of(hook: &Value) -> &str {
    hook.get("command").and_then(Value::as_str).unwrap_or_default()
}

/// The first files that a hook's command may name.
fn files_of(kind: &UserHooks<'_>, hook: &Value, home: &Path, start: &Path) -> Vec<PathBuf> {
    // Gemini CLI's extensions write a separator as a variable.
    let command = &command_of(hook).replace("${/}", "/");
    let plain = command.replace(['"', '\''], "");
    let given = hook.get("args").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let words = plain.split(|c: char| c.is_whitespace() || matches!(c, ';' | '|' | '&' | '(' | ')'));
    // A path with blanks is in quotes.
    let quoted = ['"', '\''].into_iter().flat_map(|quote| command.split(quote).skip(1).step_by(2));
    let quoted = quoted.filter(|text| text.contains(char::is_whitespace));
    let named = given.chain(quoted).chain(words).filter(|word| word.contains(['/', '.']));
    named.take(MAX_FILES).map(|word| path_of(kind, word, home, start)).collect()
}

/// The file that a word of a command names.
fn path_of(kind: &UserHooks<'_>, word: &str, home: &Path, start: &Path) -> PathBuf {
    let under = |name: &str, folder: &Path| {
        let spelled = [format!("${name}"), format!("${{{name}}}")];
        let rest = spelled.iter().find_map(|name| word.strip_prefix(name.as_str()))?;
        Some(folder.join(rest.trim_start_matches('/')))
    };
    let below_start = kind.folder_variables.iter().find_map(|name| under(name, start));
    below_start
        .or_else(|| under("HOME", home))
        .or_else(|| Some(home.join(word.strip_prefix("~/")?)))
        .unwrap_or_else(|| start.join(word))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const CLAUDE: UserHooks<'static> = UserHooks {
        event: "PreToolUse",
        tool: "Bash",
        answer: &["updatedInput"],
        folder_variables: &["CLAUDE_PROJECT_DIR"],
    };

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
            assert_eq!(any_replaces(&CLAUDE, &settings, &home, &start), expected, "{matcher}: {command}");
        }
        let hook = json!({"type": "command", "command": "bash", "args": ["dry.sh"]});
        let settings = json!({"hooks": {"PreToolUse": [{"hooks": [hook]}]}});
        assert!(any_replaces(&CLAUDE, &settings, &home, &start));
        let settings = json!({"hooks": {"PostToolUse": [{"hooks": [{"command": "./dry.sh"}]}]}});
        assert!(!any_replaces(&CLAUDE, &settings, &home, &start));
    }

    /// What a hook only reads isn't its answer, and a pattern matches anywhere in a name.
    #[test]
    fn an_answer_has_all_of_its_keys() {
        let dir = tempfile::tempdir().unwrap();
        let gemini = UserHooks {
            event: "BeforeTool",
            tool: "run_shell_command",
            answer: &["hookSpecificOutput", "tool_input"],
            folder_variables: &["GEMINI_PROJECT_DIR", "extensionPath"],
        };
        for (name, text) in [
            ("guard.js", "if (input.tool_input.command.includes('rm')) deny()"),
            ("dry.js", "print({ hookSpecificOutput: { tool_input } })"),
        ] {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        for (matcher, command, expected) in [
            ("", "node $GEMINI_PROJECT_DIR/dry.js", true),
            ("run_shell_command", "node ${extensionPath}${/}dry.js", true),
            ("^(write_file|run_shell_command)$", "node ./dry.js", true),
            ("shell", "node dry.js", true),
            ("write_file|replace", "node dry.js", false),
            ("run_shell_command", "node guard.js", false),
        ] {
            let settings =
                json!({"hooks": {"BeforeTool": [{"matcher": matcher, "hooks": [{"command": command}]}]}});
            let found = any_replaces(&gemini, &settings, Path::new("/h"), dir.path());
            assert_eq!(found, expected, "{matcher}: {command}");
        }
    }
}
