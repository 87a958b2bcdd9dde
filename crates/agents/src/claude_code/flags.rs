//! Rules that stand on Claude Code's command line and in no file: `--disallowedTools`, `--allowedTools`, `--settings`.
//! Reads the command lines of the processes that started us; it writes nothing.

use std::path::{Path, PathBuf};

use home::Env;
use rules::Effect;
use serde_json::Value;

use crate::config::{Syntax, read};

/// What the command line adds to the settings files.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Flags {
    /// Rules as they were given, each with what it does.
    pub(super) rules: Vec<(Effect, String)>,
    /// The settings of `--settings`, or the file that they could not be read from and why.
    pub(super) settings: Option<Result<Value, (PathBuf, String)>>,
    /// There is a command line, but its words were overwritten.
    pub(super) unseen: bool,
}

/// The flags of the Claude Code that started us; none when none did.
pub(super) fn of(env: &Env, project: &Path) -> Flags {
    let Some(line) = env.callers().iter().find(|line| is_claude(line)) else { return Flags::default() };
    let mut flags = Flags { unseen: is_overwritten(line), ..Flags::default() };
    let mut words = line.iter().skip(1).map(String::as_str).peekable();
    while let Some(word) = words.next() {
        let (name, glued) = match word.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value)),
            _ => (word, None),
        };
        let effect = match name {
            "--disallowedTools" | "--disallowed-tools" => Effect::Deny,
            "--allowedTools" | "--allowed-tools" => Effect::Allow,
            "--settings" => {
                let value = glued.or_else(|| words.next());
                flags.settings = value.map(|value| settings(value, project));
                continue;
            }
            _ => continue,
        };
        let mut values: Vec<&str> = glued.into_iter().collect();
        while let Some(value) = words.next_if(|word| glued.is_none() && !word.starts_with('-')) {
            values.push(value);
        }
        flags.rules.extend(values.into_iter().flat_map(listed).map(|rule| (effect, rule)));
    }
    flags
}

/// Whether this is Claude Code itself: its program, or its script in the hands of a JavaScript runtime.
fn is_claude(line: &[String]) -> bool {
    let Some(program) = line.first().map(|word| name(word)) else { return false };
    if program == "claude" {
        return true;
    }
    let script = line.iter().skip(1).find(|word| !word.starts_with('-'));
    matches!(program.as_str(), "node" | "bun")
        && script.is_some_and(|script| {
            let script = script.replace('\\', "/");
            script.contains("/@anthropic-ai/claude-code/") || script.ends_with("/claude")
        })
}

/// The name of a program's file, without the ending that Windows needs.
fn name(word: &str) -> String {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word).to_ascii_lowercase();
    name.strip_suffix(".exe").map_or(name.clone(), str::to_owned)
}

/// A process that gives itself a title writes it over its words; what is left of them is empty.
fn is_overwritten(line: &[String]) -> bool {
    line.len() > 2 && line.iter().skip(1).all(String::is_empty)
}

/// The rules in one word: parted by commas or blanks, but not inside brackets.
fn listed(value: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let parted = value.split(|c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (c == ',' || c.is_whitespace())
    });
    parted.filter(|rule| !rule.is_empty()).map(str::to_owned).collect()
}

/// `--settings` takes a file or the settings themselves.
fn settings(value: &str, project: &Path) -> Result<Value, (PathBuf, String)> {
    if value.trim_start().starts_with('{') {
        return serde_json::from_str(value).map_err(|error| (PathBuf::from("--settings"), error.to_string()));
    }
    let path = project.join(value);
    match read(&path, Syntax::Strict) {
        Ok(Some(settings)) => Ok(settings),
        Ok(None) => Err((path, "there is no such file".to_owned())),
        Err(reason) => Err((path, reason.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(line: &[&str]) -> Flags {
        let hook = ["sh", "-c", "/home/ana/.plimsoll/bin/plimsoll hook claude-code PreToolUse"];
        let lines = [&hook, line].map(|words| words.iter().map(ToString::to_string).collect());
        of(&Env::for_test("/home/ana").with_callers(lines.to_vec()), Path::new("/home/ana/shop"))
    }

    #[test]
    fn rules_of_the_command_line_are_read() {
        for (line, rules) in [
            (vec!["claude"], vec![]),
            (
                vec!["claude", "--disallowedTools", "Bash(git push:*)", "-p", "hi"],
                vec![(Effect::Deny, "Bash(git push:*)")],
            ),
            (
                vec!["/opt/claude", "--disallowed-tools", "Bash(rm:*),Write Edit", "Read"],
                vec![
                    (Effect::Deny, "Bash(rm:*)"),
                    (Effect::Deny, "Write"),
                    (Effect::Deny, "Edit"),
                    (Effect::Deny, "Read"),
                ],
            ),
            (
                vec![
                    "node",
                    "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js",
                    "--allowedTools=Bash(a, b)",
                ],
                vec![(Effect::Allow, "Bash(a, b)")],
            ),
            (vec!["C:\\bin\\claude.exe", "--disallowedTools", "Bash"], vec![(Effect::Deny, "Bash")]),
            (vec!["bash", "claude", "--disallowedTools", "Bash"], vec![]),
        ] {
            let rules: Vec<(Effect, String)> =
                rules.into_iter().map(|(e, rule)| (e, rule.to_owned())).collect();
            let found = flags(&line);
            assert_eq!((found.rules, found.unseen), (rules, false), "{line:?}");
        }
    }

    #[test]
    fn settings_are_a_text_or_a_file() {
        let found = flags(&["claude", "--settings", r#"{"permissions":{"deny":["Bash"]}}"#]).settings;
        assert_eq!(found, Some(Ok(serde_json::json!({"permissions": {"deny": ["Bash"]}}))));
        let missing = flags(&["claude", "--settings=no/such.json", "-p"]).settings;
        assert!(matches!(missing, Some(Err((path, _))) if path.ends_with("shop/no/such.json")));
    }

    #[test]
    fn overwritten_words_are_known_as_such() {
        assert!(flags(&["claude", "", "", "", ""]).unseen);
        assert!(!flags(&["claude", ""]).unseen);
    }
}
