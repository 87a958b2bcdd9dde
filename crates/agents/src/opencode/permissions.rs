//! OpenCode's `permission` setting as rules, from every layer in OpenCode's merge order. Matching is `rules`' job.

use std::path::{Path, PathBuf};

use home::{Env, Os};
use rules::{BrokenLayer, Effect, Rule, RuleSet, Syntax as Pattern, Target};
use serde_json::Value;

use crate::agent_process::{self, AgentProcess, ProcessPattern};
use crate::config::{self, Syntax, mark_broken};
use crate::payload::text;

/// How to recognise OpenCode, and its options that take values (`--help` of 1.18.33).
const PATTERN: ProcessPattern = ProcessPattern {
    programs: &["opencode"],
    scripts: &["/opencode-ai/", "/opencode/bin/"],
    value_options: &[
        "-m",
        "-p",
        "-s",
        "-u",
        "--agent",
        "--attach",
        "--command",
        "--dir",
        "--format",
        "--log-level",
        "--model",
        "--password",
        "--port",
        "--prompt",
        "--session",
        "--title",
        "--username",
        "--variant",
    ],
    list_options: &["-f", "--file"],
};

/// The command line of the OpenCode above this process.
pub(super) fn process(env: &Env) -> AgentProcess {
    agent_process::find(env, &PATTERN)
}

/// Adds the rules of the layers: user, named file, project, inline, administrator; weakest first.
pub(super) fn add(env: &Env, dir: &Path, project: &Path, set: &mut RuleSet) {
    let managed = match env.os() {
        Os::Linux => PathBuf::from("/etc/opencode"),
        Os::Mac => PathBuf::from("/Library/Application Support/opencode"),
        Os::Windows => {
            env.path("ProgramData").unwrap_or_else(|| PathBuf::from(r"C:\ProgramData")).join("opencode")
        }
    };
    let mut files: Vec<PathBuf> = Vec::new();
    let names = ["config.json", "opencode.json", "opencode.jsonc"];
    let global =
        env.path("XDG_CONFIG_HOME").unwrap_or_else(|| env.home_dir().join(".config")).join("opencode");
    files.extend(names.map(|name| global.join(name)));
    files.extend(env.path("OPENCODE_CONFIG"));
    let mut folders: Vec<&Path> =
        project.ancestors().take_while(|folder| *folder != env.home_dir()).collect();
    folders.reverse();
    if env.var("OPENCODE_DISABLE_PROJECT_CONFIG").is_some_and(|value| matches!(value, "1" | "true")) {
        folders.clear();
    }
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
        layers.extend(layer(file, set));
    }
    if let Some(inline) = env.var("OPENCODE_CONFIG_CONTENT") {
        let place = "OPENCODE_CONFIG_CONTENT";
        match config::parse(inline.as_bytes(), Syntax::Jsonc) {
            Ok(value) => layers.extend(value.map(|value| (place.to_owned(), value))),
            Err(reason) => set.broken.push(BrokenLayer { path: place.into(), reason: reason.to_string() }),
        }
    }
    for name in ["opencode.json", "opencode.jsonc"] {
        layers.extend(layer(managed.join(name), set));
    }
    for (source, value) in &layers {
        tools(value, source, project, set);
        permission(value, &["permission"], source, project, set);
    }
    if let Some(inline) = env.var("OPENCODE_PERMISSION")
        && let Ok(value) = serde_json::from_str::<Value>(inline)
    {
        // OpenCode itself skips one that doesn't parse.
        let value = serde_json::json!({ "permission": value });
        permission(&value, &["permission"], "OPENCODE_PERMISSION", project, set);
    }
    // An agent's own permissions come last: those of the agent named at the start, or of the default one.
    let named = process(env);
    let named = named.last(&["--agent"]);
    let default = layers.iter().rev().find_map(|(_, value)| text(value, "default_agent"));
    let agent = named.or(default).unwrap_or("build");
    for (source, value) in &layers {
        permission(value, &["agent", agent, "permission"], source, project, set);
    }
}

/// One file, if it exists.
fn layer(file: PathBuf, set: &mut RuleSet) -> Option<(String, Value)> {
    match config::read(&file, Syntax::Jsonc) {
        Ok(value) => value.map(|value| (file.display().to_string(), value)),
        Err(reason) => {
            set.broken.push(BrokenLayer { path: file, reason: reason.to_string() });
            None
        }
    }
}

/// The older `tools: {"bash": false}`.
fn tools(value: &Value, source: &str, project: &Path, set: &mut RuleSet) {
    let tools = match value.get("tools") {
        None | Some(Value::Null) => return,
        Some(Value::Object(tools)) => tools,
        Some(other) => return mark_broken(set, Path::new(source), "tools", "an object", other),
    };
    for (tool, on) in tools {
        match on {
            Value::Bool(false) => {
                push(Effect::Deny, tool, None, format!("tools.{tool}: false"), source, project, set);
            }
            Value::Bool(true) | Value::Null => {}
            other => mark_broken(set, Path::new(source), &format!("tools.{tool}"), "true or false", other),
        }
    }
}

/// The `permission` at `place`: one word for all, or per tool a word or patterns. Anything else breaks the layer, because
/// it may have been meant to forbid.
fn permission(value: &Value, keys: &[&str], source: &str, project: &Path, set: &mut RuleSet) {
    let file = Path::new(source);
    let wrong = |set: &mut RuleSet, key: &str, found: &Value| {
        mark_broken(set, file, key, "`allow`, `ask`, `deny` or an object with them", found);
    };
    let place = keys.join(".");
    match config::at(value, keys) {
        None | Some(Value::Null) => {}
        Some(word @ Value::String(all)) => match effect(all) {
            Some(effect) => push(effect, "*", None, format!("permission: {all}"), source, project, set),
            None => wrong(set, &place, word),
        },
        Some(Value::Object(tools)) => {
            for (tool, rule) in tools {
                let key = format!("{place}.{tool}");
                match (rule, rule.as_str().and_then(effect)) {
                    (Value::Null, _) => {}
                    (_, Some(effect)) => {
                        let text = format!("permission.{tool}: {}", rule.as_str().unwrap_or_default());
                        push(effect, tool, None, text, source, project, set);
                    }
                    (Value::Object(patterns), None) => {
                        for (pattern, word) in patterns {
                            let Some(effect) = word.as_str().and_then(effect) else {
                                wrong(set, &format!("{key}[\"{pattern}\"]"), word);
                                continue;
                            };
                            let text = format!(
                                "permission.{tool}[\"{pattern}\"]: {}",
                                word.as_str().unwrap_or_default()
                            );
                            push(effect, tool, Some(pattern), text, source, project, set);
                        }
                    }
                    (other, None) => wrong(set, &key, other),
                }
            }
        }
        Some(other) => wrong(set, &place, other),
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
        // Written for addresses; a decision is about a host.
        "webfetch" => (Target::Fetch, pattern.map(|address| host_of(&address))),
        // Permissions of other built-in tools don't affect Plimsoll.
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
