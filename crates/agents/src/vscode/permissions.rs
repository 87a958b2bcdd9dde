//! VS Code's approvals of commands and addresses, in the user's, every profile's and the project's settings.

use std::path::{Path, PathBuf};

use home::{Env, Os};
use rules::{BrokenLayer, Effect, Rule, RuleSet, Syntax as Pattern, Target};
use serde_json::Value;

use crate::config::{self, Syntax};

use super::{profiles, user_dirs};

pub(super) fn rules(env: &Env, project: &Path) -> RuleSet {
    let mut set = RuleSet { case_insensitive: env.os() != Os::Linux, ..RuleSet::default() };
    let mut dirs: Vec<PathBuf> = user_dirs(env)
        .into_iter()
        .flat_map(|(dir, _)| std::iter::once(dir.clone()).chain(profiles(&dir)))
        .collect();
    dirs.push(project.join(".vscode"));
    for file in dirs.into_iter().map(|dir| dir.join("settings.json")) {
        match config::read(&file, Syntax::Jsonc) {
            Ok(None) => {}
            Err(reason) => set.broken.push(BrokenLayer { path: file, reason: reason.to_string() }),
            Ok(Some(value)) => {
                approvals_of_a_wrong_type(&value, &file, &mut set);
                set.rules.extend(settings_rules(&value, &file, project));
            }
        }
    }
    set
}

/// `chat.tools.terminal.autoApprove` and `chat.tools.urls.autoApprove`: `false` always asks.
fn settings_rules(value: &Value, file: &Path, project: &Path) -> Vec<Rule> {
    let rule = |effect, target, pattern: Option<&str>, syntax, text: String| Rule {
        effect,
        target,
        pattern: pattern.map(str::to_owned),
        syntax,
        text,
        source: file.display().to_string(),
        base: project.to_path_buf(),
    };
    let entries = |key: &str| value.get(key).and_then(Value::as_object).cloned().unwrap_or_default();
    let mut rules = Vec::new();
    for (pattern, setting) in entries("chat.tools.terminal.autoApprove") {
        let approved = setting.as_bool().or_else(|| setting.get("approve")?.as_bool());
        let Some(effect) = approved.map(|yes| if yes { Effect::Allow } else { Effect::Ask }) else {
            continue;
        };
        let is_regex = pattern.len() > 1 && pattern.starts_with('/') && pattern[1..].contains('/');
        let syntax = if is_regex { Pattern::Regex } else { Pattern::Prefix };
        rules.push(rule(effect, Target::Shell, Some(&pattern), syntax, format!("\"{pattern}\": {setting}")));
    }
    for (pattern, setting) in entries("chat.tools.urls.autoApprove") {
        let approved = setting.as_bool().or_else(|| setting.get("approveRequest")?.as_bool());
        let rest = pattern.split_once("://").map_or(pattern.as_str(), |(_, rest)| rest);
        let (host, below) = rest.split_once('/').unwrap_or((rest, ""));
        let host = (!matches!(host, "" | "*")).then(|| host.trim_start_matches("*."));
        let text = format!("\"{pattern}\": {setting}");
        match approved {
            Some(false) => rules.push(rule(Effect::Ask, Target::Fetch, host, Pattern::Prefix, text)),
            // Only a whole host can be allowed: a decision about a host ignores the path.
            Some(true) if matches!(below, "" | "*" | "**") && host.is_some() => {
                rules.push(rule(Effect::Allow, Target::Fetch, host, Pattern::Prefix, text));
            }
            _ => {}
        }
    }
    rules
}

/// An approval is true, false, null, or an object with one of them. Anything else may have been meant as false.
fn approvals_of_a_wrong_type(value: &Value, file: &Path, set: &mut RuleSet) {
    for (key, field) in
        [("chat.tools.terminal.autoApprove", "approve"), ("chat.tools.urls.autoApprove", "approveRequest")]
    {
        let entries = match value.get(key) {
            None | Some(Value::Null) => continue,
            Some(Value::Object(entries)) => entries,
            Some(other) => {
                config::mark_broken(set, file, key, "an object", other);
                continue;
            }
        };
        for (pattern, setting) in entries {
            let printed = if setting.is_object() { setting.get(field) } else { Some(setting) };
            if let Some(odd) = printed.filter(|printed| !printed.is_boolean() && !printed.is_null()) {
                config::mark_broken(set, file, &format!("{key}[\"{pattern}\"]"), "true or false", odd);
            }
        }
    }
}
