//! Kiro's permission rules: `settings/permissions.yaml` (IDE 1.x and CLI 3), and the tool settings of the named or default
//! agent (CLI 2). Per-workspace rules are in a folder named by an undocumented hash and aren't read. Matching is `rules`'
//! job.

use std::path::Path;

use home::Env;
use rules::{BrokenLayer, Effect, Rule, RuleSet, Syntax as Pattern, Target};
use saphyr::{LoadableYamlNode as _, Yaml};

use crate::agent_process::{self, AgentProcess, ProcessPattern};
use crate::config::{self, Syntax};
use crate::payload::text;

/// A larger permissions file wasn't written by hand.
const MAX_BYTES: usize = 64 * 1024;

/// How to recognise Kiro's CLI, and its options that take values.
const PATTERN: ProcessPattern = ProcessPattern {
    programs: &["kiro-cli", "kiro-cli-chat", "kiro", "q"],
    scripts: &[],
    value_options: &["--agent", "--model", "--resume-id", "--trust-tools"],
    list_options: &[],
};

/// The command line of the Kiro above this process.
pub(super) fn process(env: &Env) -> AgentProcess {
    agent_process::find(env, &PATTERN)
}

/// Adds the rules of one Kiro home to `set`.
pub(super) fn user(env: &Env, home: &Path, project: &Path, set: &mut RuleSet) {
    let file = home.join("settings").join("permissions.yaml");
    match home::read_regular(&file, MAX_BYTES as u64) {
        Ok(bytes) => match yaml_rules(&bytes, &file, project) {
            Ok(rules) => set.rules.extend(rules),
            Err(reason) => set.broken.push(BrokenLayer { path: file, reason }),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {}
        Err(error) => set.broken.push(BrokenLayer { path: file, reason: error.to_string() }),
    }
    let cli = config::read_or_nothing(&home.join("settings").join("cli.json"), Syntax::Strict);
    let process = process(env);
    let named = process.last(&["--agent"]).or_else(|| text(&cli, "chat.defaultAgent"));
    if let Some(agent) = named.filter(|name| !name.contains(['/', '\\'])) {
        for dir in [home.to_path_buf(), project.join(".kiro")] {
            agent_rules(&dir.join("agents").join(format!("{agent}.json")), project, set);
        }
    }
}

fn yaml_rules(bytes: &[u8], file: &Path, project: &Path) -> Result<Vec<Rule>, String> {
    if bytes.len() > MAX_BYTES {
        return Err(format!("it has {} bytes", bytes.len()));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "it isn't UTF-8".to_owned())?;
    let documents = Yaml::load_from_str(text).map_err(|error| error.to_string())?;
    let Some(root) = documents.first().filter(|root| !root.is_null()) else { return Ok(Vec::new()) };
    let Some(list) = root.as_mapping_get("rules") else {
        return if root.is_mapping() { Ok(Vec::new()) } else { Err("it isn't a mapping".to_owned()) };
    };
    if list.is_null() {
        return Ok(Vec::new());
    }
    let list = list.as_sequence().ok_or("`rules` isn't a list")?;
    let mut rules = Vec::new();
    for (number, item) in list.iter().enumerate() {
        let wrong = |key: &str| format!("rule {} has no usable `{key}`", number + 1);
        let field = |key: &str| item.as_mapping_get(key).and_then(Yaml::as_str);
        let effect = match field("effect") {
            Some("deny") => Effect::Deny,
            Some("ask") => Effect::Ask,
            Some("allow") => Effect::Allow,
            _ => return Err(wrong("effect")),
        };
        let capability = field("capability").ok_or_else(|| wrong("capability"))?;
        let patterns = texts(item.as_mapping_get("match")).ok_or_else(|| wrong("match"))?;
        let excluded = texts(item.as_mapping_get("exclude")).ok_or_else(|| wrong("exclude"))?;
        // Exceptions can't be translated: a denial then applies more widely than written, an allow is dropped. Both err on
        // the side of asking Kiro itself.
        if effect == Effect::Allow && !excluded.is_empty() {
            continue;
        }
        let source = file.display().to_string();
        let patterns =
            if patterns.is_empty() { vec![None] } else { patterns.into_iter().map(Some).collect() };
        rules.extend(patterns.into_iter().filter_map(|pattern| {
            let shown =
                pattern.map_or_else(|| capability.to_owned(), |pattern| format!("{capability}: {pattern}"));
            let (target, pattern, syntax) = meaning(capability, pattern)?;
            Some(Rule {
                effect,
                target,
                pattern,
                syntax,
                text: shown,
                source: source.clone(),
                base: project.into(),
            })
        }));
    }
    Ok(rules)
}

/// The strings of a list, or one string; empty if missing, `None` for anything else.
fn texts<'y>(node: Option<&'y Yaml<'_>>) -> Option<Vec<&'y str>> {
    match node {
        None => Some(Vec::new()),
        Some(node) => match (node.as_str(), node.as_sequence()) {
            (Some(one), _) => Some(vec![one]),
            (None, Some(list)) => list.iter().map(Yaml::as_str).collect(),
            (None, None) => node.is_null().then(Vec::new),
        },
    }
}

fn meaning(capability: &str, pattern: Option<&str>) -> Option<(Target, Option<String>, Pattern)> {
    let pattern = pattern.filter(|pattern| !matches!(*pattern, "*" | "**"));
    Some(match capability {
        "shell" => (Target::Shell, pattern.map(str::to_owned), Pattern::Glob),
        "fs_read" => (Target::Read, pattern.map(file_pattern), Pattern::ClaudeCode),
        "fs_write" => (Target::Edit, pattern.map(file_pattern), Pattern::ClaudeCode),
        "web" | "web_fetch" | "network" => {
            let host = pattern.map(|pattern| {
                let rest = pattern.split_once("://").map_or(pattern, |(_, rest)| rest);
                rest.split('/').next().unwrap_or(rest).trim_start_matches("*.").to_owned()
            });
            (Target::Fetch, host.filter(|host| host != "*"), Pattern::Prefix)
        }
        "mcp" => (Target::Mcp, Some(format!("@{}", pattern.unwrap_or("*"))), Pattern::Glob),
        "all" | "*" => (Target::Any, None, Pattern::Glob),
        _ => return None,
    })
}

/// `./src/**` is relative to the workspace, a bare name matches anywhere, as in a gitignore file.
fn file_pattern(pattern: &str) -> String {
    match pattern.strip_prefix("./") {
        Some(rest) => format!("/{rest}"),
        None if pattern.starts_with('/') => format!("/{pattern}"),
        None => pattern.to_owned(),
    }
}

/// An agent file's `toolsSettings`: denied commands are whole-text expressions, denied paths globs.
fn agent_rules(file: &Path, project: &Path, set: &mut RuleSet) {
    let value = match config::read(file, Syntax::Strict) {
        Ok(Some(value)) => value,
        Ok(None) => return,
        Err(reason) => {
            return set.broken.push(BrokenLayer { path: file.to_path_buf(), reason: reason.to_string() });
        }
    };
    let source = file.display().to_string();
    for (tools, key, target, syntax) in [
        (["shell", "execute_bash"], "deniedCommands", Target::Shell, Pattern::Regex),
        (["read", "fs_read"], "deniedPaths", Target::Read, Pattern::ClaudeCode),
    ] {
        for tool in tools {
            for denied in config::rule_list(set, file, &value, &["toolsSettings", tool, key], Effect::Deny) {
                let pattern = match target {
                    Target::Shell => format!("^(?:{denied})$"),
                    _ => file_pattern(denied),
                };
                set.rules.push(Rule {
                    effect: Effect::Deny,
                    target,
                    pattern: Some(pattern),
                    syntax,
                    text: format!("{key}: {denied}"),
                    source: source.clone(),
                    base: project.to_path_buf(),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules_of(text: &str) -> Result<Vec<Rule>, String> {
        yaml_rules(text.as_bytes(), Path::new("/h/.kiro/settings/permissions.yaml"), Path::new("/w"))
    }

    #[test]
    fn reads_rules_in_both_list_styles() {
        let rules = rules_of(
            "rules:\n  - capability: shell\n    effect: deny\n    match: [\"rm *\", 'curl *']\n  - capability: fs_read\n    \
             effect: deny\n    match:\n      - .env\n      - ./secrets/**\n  - capability: all\n    effect: allow\n",
        )
        .unwrap();
        let seen: Vec<_> =
            rules.iter().map(|rule| (rule.effect, rule.target, rule.pattern.as_deref())).collect();
        assert_eq!(
            seen,
            [
                (Effect::Deny, Target::Shell, Some("rm *")),
                (Effect::Deny, Target::Shell, Some("curl *")),
                (Effect::Deny, Target::Read, Some(".env")),
                (Effect::Deny, Target::Read, Some("/secrets/**")),
                (Effect::Allow, Target::Any, None),
            ]
        );
    }

    #[test]
    fn unreadable_is_an_error_and_absent_is_empty() {
        for text in ["", "# only a comment\n", "rules:\n", "other: 1\n", "rules: []\n"] {
            assert_eq!(rules_of(text), Ok(Vec::new()), "{text:?}");
        }
        for text in [
            "rules: 7",
            "rules: [{capability: shell}]",
            "rules:\n - a\n  b: [",
            "- a",
            "rules: [{effect: deny}]",
        ] {
            assert!(rules_of(text).is_err(), "{text:?}");
        }
    }
}
