//! OpenCode's `permission` setting as rules, from every layer in the order in which OpenCode merges them.
//! It does not know how a rule is matched, only what each layer says.

use std::path::{Path, PathBuf};

use home::Env;
use rules::{BrokenLayer, Effect, Rule, RuleSet, Syntax as Pattern, Target};
use serde_json::Value;

use crate::config::{self, Syntax};
use crate::payload::text;

/// Adds the rules of the user's, the named, the project's and the inline layer, weakest first.
pub(super) fn add(env: &Env, dir: &Path, project: &Path, set: &mut RuleSet) {
    let mut files: Vec<PathBuf> = Vec::new();
    let names = ["config.json", "opencode.json", "opencode.jsonc"];
    let global =
        env.path("XDG_CONFIG_HOME").unwrap_or_else(|| env.home_dir().join(".config")).join("opencode");
    files.extend(names.map(|name| global.join(name)));
    files.extend(env.path("OPENCODE_CONFIG"));
    let mut folders: Vec<&Path> =
        project.ancestors().take_while(|folder| *folder != env.home_dir()).collect();
    folders.reverse();
    for folder in &folders {
        files.extend(["opencode.json", "opencode.jsonc"].map(|name| folder.join(name)));
    }
    for folder in &folders {
        files.extend(["opencode.json", "opencode.jsonc"].map(|name| folder.join(".opencode").join(name)));
    }
    if dir != global {
        files.extend(["opencode.json", "opencode.jsonc"].map(|name| dir.join(name)));
    }
    let mut layers = Vec::new();
    for file in files {
        match config::read(&file, Syntax::Jsonc) {
            Ok(Some(value)) => layers.push((file.display().to_string(), value)),
            Ok(None) => {}
            Err(reason) => set.broken.push(BrokenLayer { path: file, reason: reason.to_string() }),
        }
    }
    if let Some(inline) = env.var("OPENCODE_CONFIG_CONTENT") {
        let place = "OPENCODE_CONFIG_CONTENT";
        match config::parse(inline.as_bytes(), Syntax::Jsonc) {
            Ok(value) => layers.extend(value.map(|value| (place.to_owned(), value))),
            Err(reason) => set.broken.push(BrokenLayer { path: place.into(), reason: reason.to_string() }),
        }
    }
    for (source, value) in &layers {
        tools(value, source, project, set);
        permission(value.get("permission"), source, project, set);
    }
    // An agent's own permissions come after everybody's; which agent runs is not told, the default is likely.
    let agent = layers.iter().rev().find_map(|(_, value)| text(value, "default_agent")).unwrap_or("build");
    for (source, value) in &layers {
        permission(config::at(value, &["agent", agent, "permission"]), source, project, set);
    }
}

/// The older `tools: {"bash": false}`.
fn tools(value: &Value, source: &str, project: &Path, set: &mut RuleSet) {
    for (tool, on) in value.get("tools").and_then(Value::as_object).into_iter().flatten() {
        if on == &Value::Bool(false) {
            push(Effect::Deny, tool, None, format!("tools.{tool}: false"), source, project, set);
        }
    }
}

fn permission(value: Option<&Value>, source: &str, project: &Path, set: &mut RuleSet) {
    match value {
        Some(Value::String(all)) => {
            if let Some(effect) = effect(all) {
                push(effect, "*", None, format!("permission: {all}"), source, project, set);
            }
        }
        Some(Value::Object(tools)) => {
            for (tool, rule) in tools {
                match rule {
                    Value::String(word) => {
                        if let Some(effect) = effect(word) {
                            push(
                                effect,
                                tool,
                                None,
                                format!("permission.{tool}: {word}"),
                                source,
                                project,
                                set,
                            );
                        }
                    }
                    Value::Object(patterns) => {
                        for (pattern, word) in patterns {
                            let Some(effect) = word.as_str().and_then(effect) else { continue };
                            let text = format!(
                                "permission.{tool}[\"{pattern}\"]: {}",
                                word.as_str().unwrap_or_default()
                            );
                            push(effect, tool, Some(pattern), text, source, project, set);
                        }
                    }
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

fn effect(word: &str) -> Option<Effect> {
    match word {
        "deny" => Some(Effect::Deny),
        "ask" => Some(Effect::Ask),
        "allow" => Some(Effect::Allow),
        _ => None,
    }
}

fn push(
    effect: Effect,
    tool: &str,
    pattern: Option<&str>,
    text: String,
    source: &str,
    project: &Path,
    set: &mut RuleSet,
) {
    let pattern = pattern.filter(|pattern| *pattern != "*").map(str::to_owned);
    let (target, pattern) = match tool {
        "*" => (Target::Any, pattern),
        "bash" | "shell" => (Target::Shell, pattern),
        "read" => (Target::Read, pattern),
        "edit" | "write" | "patch" => (Target::Edit, pattern),
        // Written for addresses; a decision is made about a host.
        "webfetch" => (Target::Fetch, pattern.map(|address| host_of(&address))),
        // Permissions of other built-in tools say nothing about what Plimsoll does.
        "glob" | "grep" | "list" | "lsp" | "task" | "skill" | "todowrite" | "todoread" | "question"
        | "websearch" | "codesearch" | "external_directory" | "doom_loop" => return,
        other => (Target::Mcp, Some(other.to_owned())),
    };
    set.rules.push(Rule {
        effect,
        target,
        pattern,
        syntax: Pattern::Glob,
        text,
        source: source.to_owned(),
        base: project.to_path_buf(),
    });
}

fn host_of(address: &str) -> String {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest).to_owned()
}
