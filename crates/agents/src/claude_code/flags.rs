//! Claude Code's command line: rules, removed tools, settings, which settings files count, and switches that turn
//! Plimsoll off. Read-only.

use std::path::{Path, PathBuf};

use home::Env;
use rules::Effect;
use serde_json::Value;

use super::options::PATTERN;
use crate::agent_process::{self, AgentProcess, split_list};
use crate::config::{Syntax, read};

/// Built-in tools whose work Plimsoll's tools also do: a tool list without one of them forbids that work.
const EQUIVALENT_TOOLS: [&str; 4] = ["Bash", "Read", "Edit", "WebFetch"];
/// Those that `--restricted` removes unless `--tools` names them.
const RESTRICTED_TOOLS: [&str; 2] = ["Bash", "WebFetch"];

/// Settings passed on the command line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CommandSettings {
    /// The file, or the option if the settings are inline.
    pub(super) source: PathBuf,
    /// The folder that patterns with a leading slash start from.
    pub(super) base: PathBuf,
    /// The settings, or why they can't be read.
    pub(super) settings: Result<Value, String>,
}

/// What the command line adds to the settings files.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Flags {
    /// Rules as given, each with its effect.
    pub(super) rules: Vec<(Effect, String)>,
    /// The settings of `--settings`.
    pub(super) settings: Option<CommandSettings>,
    /// The settings of `--managed-settings`, which programs that start Claude Code use.
    pub(super) managed: Option<CommandSettings>,
    /// The names in `--setting-sources`, if it was given.
    pub(super) sources: Option<Vec<String>>,
    /// The folders that `--restricted` confines files to, besides the working folder; `None` where nothing is confined.
    pub(super) confined_to: Option<Vec<PathBuf>>,
    /// The folder that project settings are read from instead of the working folder.
    pub(super) config_root: Option<PathBuf>,
    /// Claude Code's working folder.
    pub(super) cwd: Option<PathBuf>,
    /// Some of what it was started with can't be seen: its command line's words, or settings sent to it later.
    pub(super) hidden: bool,
}

impl Flags {
    /// Whether the settings files of this name (`user`, `project`, `local`) are read.
    pub(super) fn reads(&self, source: &str) -> bool {
        self.sources.as_ref().is_none_or(|names| names.iter().any(|name| name == source))
    }
}

/// The flags of the Claude Code above this process; empty without one.
pub(super) fn of_process(env: &Env, project: &Path) -> Flags {
    let process = agent_process::find(env, &PATTERN);
    let hidden = process.hidden || process.has(&["--managed-settings-in-initialize"]);
    let mut flags = Flags { hidden, cwd: process.cwd.clone(), ..Flags::default() };
    for (name, values) in &process.options {
        let effect = match name.as_str() {
            "--disallowed-tools" => Effect::Deny,
            "--allowed-tools" => Effect::Allow,
            _ => continue,
        };
        flags
            .rules
            .extend(values.iter().flat_map(|value| split_list(value, true)).map(|rule| (effect, rule)));
    }
    let restricted = is_restricted(&process, env);
    let removed = removed_tools(&process, restricted);
    flags.rules.extend(removed.iter().map(|tool| (Effect::Deny, (*tool).to_owned())));
    flags.settings = process.last(&["--settings"]).map(|value| settings(value, &process, env, project));
    flags.managed = process.last(&["--managed-settings"]).map(|text| CommandSettings {
        source: "--managed-settings".into(),
        base: project.into(),
        settings: object(text),
    });
    flags.sources = process
        .options
        .iter()
        .rfind(|(name, _)| name == "--setting-sources")
        .map(|(_, values)| values.iter().flat_map(|value| split_list(value, false)).collect());
    flags.config_root =
        process.last(&["--project-config-root"]).map(|folder| process.path(folder, env, project));
    if restricted {
        // It reads no settings file but an organisation's and the one of `--settings`.
        flags.sources = Some(Vec::new());
        // Whoever may run commands may read every file with one.
        if removed.contains(&"Bash") {
            let added = process.values(&["--add-dir"]).map(|folder| process.path(folder, env, project));
            flags.confined_to = Some(added.collect());
        }
    }
    flags
}

/// Whether Claude Code was started in restricted mode, which runs no commands and reads no files elsewhere.
fn is_restricted(process: &AgentProcess, env: &Env) -> bool {
    process.has(&["--restricted"]) || is_switched_on(env, "CLAUDE_CODE_RESTRICTED")
}

/// The built-in tools that `--tools` or `--restricted` leaves out.
fn removed_tools(process: &AgentProcess, restricted: bool) -> Vec<&'static str> {
    let tools = process.options.iter().rfind(|(name, _)| name == "--tools");
    let named: Vec<String> =
        tools.iter().flat_map(|(_, values)| values).flat_map(|value| split_list(value, true)).collect();
    let is_named = |tool: &str| named.iter().any(|name| name.split('(').next() == Some(tool));
    let all_others = tools.is_none() || named.iter().any(|tool| tool == "default");
    let left = |tool: &str| is_named(tool) || all_others && !(restricted && RESTRICTED_TOOLS.contains(&tool));
    EQUIVALENT_TOOLS.into_iter().filter(|tool| !left(tool)).collect()
}

/// Whether a variable is set to a word that Claude Code takes for yes.
fn is_switched_on(env: &Env, name: &str) -> bool {
    env.var(name)
        .is_some_and(|value| ["1", "true", "yes", "on"].contains(&value.trim().to_lowercase().as_str()))
}

/// The switch that leaves out the user's hooks or servers, as given.
pub(super) fn switches(env: &Env) -> Vec<String> {
    let process = agent_process::find(env, &PATTERN);
    let mut given: Vec<String> = Vec::new();
    // Claude Code sets the variable itself for its children; the flag is named once.
    for (flag, variable) in [
        ("--bare", "CLAUDE_CODE_SIMPLE"),
        ("--safe-mode", "CLAUDE_CODE_SAFE_MODE"),
        ("--restricted", "CLAUDE_CODE_RESTRICTED"),
    ] {
        if process.has(&[flag]) {
            given.push(flag.to_owned());
        } else if is_switched_on(env, variable) {
            given.push(variable.to_owned());
        }
    }
    if process.has(&["--strict-mcp-config"]) {
        given.push("--strict-mcp-config".to_owned());
    }
    let sources: Vec<String> =
        process.values(&["--setting-sources"]).flat_map(|value| split_list(value, false)).collect();
    if process.has(&["--setting-sources"]) && !sources.iter().any(|source| source == "user") {
        given.push(format!("--setting-sources {}", sources.join(",")).trim().to_owned());
    }
    given
}

/// `--settings` takes a file or inline settings.
fn settings(value: &str, process: &AgentProcess, env: &Env, project: &Path) -> CommandSettings {
    if value.trim_start().starts_with('{') {
        return CommandSettings {
            source: "--settings".into(),
            base: project.into(),
            settings: object(value),
        };
    }
    let path = process.path(value, env, project);
    let settings = match read(&path, Syntax::Strict) {
        Ok(Some(settings)) => Ok(settings),
        Ok(None) => Err("there is no such file".to_owned()),
        Err(reason) => Err(reason.to_string()),
    };
    CommandSettings { base: path.parent().unwrap_or(project).to_owned(), source: path, settings }
}

fn object(text: &str) -> Result<Value, String> {
    match serde_json::from_str::<Value>(text) {
        Ok(value) if value.is_object() => Ok(value),
        Ok(_) => Err("it isn't an object".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(line: &[&str]) -> Flags {
        let hook = ["sh", "-c", "/home/ana/.plimsoll/bin/plimsoll hook claude-code PreToolUse"];
        let lines: Vec<Vec<String>> =
            [&hook, line].map(|words| words.iter().map(ToString::to_string).collect()).to_vec();
        of_process(&Env::for_test("/home/ana").with_callers(lines), Path::new("/home/ana/shop"))
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
            // A tool missing from the list is forbidden, and a prompt's words aren't options.
            (vec!["claude", "--tools", "Bash,Read,Edit"], vec![(Effect::Deny, "WebFetch")]),
            (vec!["claude", "--tools", "default", "-p", "--", "--allowedTools", "Bash"], vec![]),
            (vec!["claude", "--append-system-prompt", "--allowedTools", "Bash"], vec![]),
            (
                vec!["claude", "--tools", ""],
                vec![
                    (Effect::Deny, "Bash"),
                    (Effect::Deny, "Read"),
                    (Effect::Deny, "Edit"),
                    (Effect::Deny, "WebFetch"),
                ],
            ),
        ] {
            let rules: Vec<(Effect, String)> =
                rules.into_iter().map(|(e, rule)| (e, rule.to_owned())).collect();
            let found = flags(&line);
            assert_eq!((found.rules, found.hidden), (rules, false), "{line:?}");
        }
    }

    #[test]
    fn restricted_mode_runs_nothing_and_stays_in_its_folders() {
        let denied = |line: &[&str]| -> Vec<String> {
            flags(line).rules.into_iter().map(|(effect, rule)| format!("{effect:?} {rule}")).collect()
        };
        assert_eq!(denied(&["claude", "--restricted"]), ["Deny Bash", "Deny WebFetch"]);
        assert_eq!(denied(&["claude", "--restricted", "--tools", "default"]), ["Deny Bash", "Deny WebFetch"]);
        assert_eq!(
            denied(&["claude", "--restricted", "--tools", "Bash,Read"]),
            ["Deny Edit", "Deny WebFetch"]
        );
        let found = flags(&["claude", "--add-dir", "../docs", "/srv/data", "--restricted", "-p", "hi"]);
        assert_eq!(
            found.confined_to.as_deref(),
            Some(&[PathBuf::from("/home/ana/shop/../docs"), PathBuf::from("/srv/data")][..])
        );
        assert!(!found.reads("user") && !found.reads("project") && !found.reads("local"));
        assert_eq!(flags(&["claude", "--restricted", "--tools", "Bash"]).confined_to, None);
        assert_eq!(flags(&["claude", "-p", "--", "--restricted"]).confined_to, None);
        let env = Env::for_test("/home/ana").with("CLAUDE_CODE_RESTRICTED", "1");
        assert!(of_process(&env, Path::new("/home/ana/shop")).confined_to.is_some());
    }

    #[test]
    fn a_value_is_not_taken_for_an_option() {
        for option in [
            "--permission-prompts",
            "--system-prompt-snapshot",
            "--append-subagent-system-prompt",
            "--project-config-root",
            "--advisor",
        ] {
            assert_eq!(flags(&["claude", option, "--restricted", "hi"]).confined_to, None, "{option}");
        }
        assert_eq!(
            flags(&["claude", "--project-config-root", "/srv/shop"]).config_root,
            Some("/srv/shop".into())
        );
        assert!(flags(&["claude", "--managed-settings-in-initialize"]).hidden);
    }

    #[test]
    fn settings_are_a_text_or_a_file() {
        let found =
            flags(&["claude", "--settings", r#"{"permissions":{"deny":["Bash"]}}"#]).settings.unwrap();
        assert_eq!(found.settings, Ok(serde_json::json!({"permissions": {"deny": ["Bash"]}})));
        let missing = flags(&["claude", "--settings=no/such.json", "-p"]).settings.unwrap();
        assert!(missing.settings.is_err() && missing.source.ends_with("shop/no/such.json"), "{missing:?}");
        // The last one counts, as in Claude Code.
        let last = flags(&["claude", "--settings", "{}", "--settings", r#"{"a":1}"#]).settings.unwrap();
        assert_eq!(last.settings, Ok(serde_json::json!({"a": 1})));
        let managed = flags(&["claude", "--managed-settings", "[]"]).managed.unwrap();
        assert!(managed.settings.is_err());
    }

    #[test]
    fn only_the_named_sources_are_read() {
        let all = flags(&["claude"]);
        assert!(["user", "project", "local"].iter().all(|source| all.reads(source)));
        let two = flags(&["claude", "--setting-sources", "user, local"]);
        assert_eq!(["user", "project", "local"].map(|source| two.reads(source)), [true, false, true]);
        let none = flags(&["claude", "--setting-sources", ""]);
        assert!(!none.reads("user"));
    }

    #[test]
    fn an_overwritten_command_line_is_marked_hidden() {
        assert!(flags(&["claude", "", "", "", ""]).hidden);
        assert!(!flags(&["claude", ""]).hidden);
    }

    #[test]
    fn flags_that_turn_plimsoll_off_are_reported() {
        let env = |words: &[&str]| {
            let line: Vec<String> = words.iter().map(ToString::to_string).collect();
            Env::for_test("/home/ana").with_callers(vec![line])
        };
        assert_eq!(switches(&env(&["claude", "--bare"]).with("CLAUDE_CODE_SIMPLE", "1")), ["--bare"]);
        assert_eq!(switches(&env(&["sh"]).with("CLAUDE_CODE_SAFE_MODE", "true")), ["CLAUDE_CODE_SAFE_MODE"]);
        assert_eq!(switches(&env(&["sh"]).with("CLAUDE_CODE_SIMPLE", "0")), [""; 0]);
        assert_eq!(switches(&env(&["claude", "--restricted"])), ["--restricted"]);
        assert_eq!(
            switches(&env(&["claude", "--strict-mcp-config", "--setting-sources", "project"])),
            ["--strict-mcp-config", "--setting-sources project"]
        );
    }
}
