//! The Cursor CLI's permission rules, in the user's folder and in every folder of a project.

use std::path::{Path, PathBuf};

use home::{Env, Os};
use rules::{BrokenLayer, Effect, Rule, RuleSet, Syntax as Pattern, Target};

use crate::config::{self, Syntax};

use super::config_dir;

pub(super) fn rules(env: &Env, project: &Path) -> RuleSet {
    let mut set = RuleSet::default();
    let mut layers = vec![(cli_config_dir(env).join("cli-config.json"), config_dir(env))];
    // The CLI merges `.cursor/cli.json` from every folder between the git root and the working folder.
    layers.extend(project.ancestors().map(|dir| (dir.join(".cursor").join("cli.json"), dir.to_path_buf())));
    for (file, base) in layers {
        let source = file.display().to_string();
        match config::read(&file, Syntax::Strict) {
            Ok(None) => {}
            Err(reason) => set.broken.push(BrokenLayer { path: file, reason: reason.to_string() }),
            Ok(Some(value)) => {
                for (key, effect) in [("deny", Effect::Deny), ("allow", Effect::Allow)] {
                    let texts = config::rule_list(&mut set, &file, &value, &["permissions", key], effect);
                    set.rules.extend(texts.into_iter().map(|text| rule(effect, text, &source, &base)));
                }
            }
        }
    }
    set
}

/// The folder of `cli-config.json`, the one file that the overrides move.
fn cli_config_dir(env: &Env) -> PathBuf {
    let xdg = || env.path("XDG_CONFIG_HOME").filter(|_| env.os() == Os::Linux).map(|dir| dir.join("cursor"));
    env.path("CURSOR_CONFIG_DIR").or_else(xdg).unwrap_or_else(|| config_dir(env))
}

/// One entry of `permissions`: `Shell(git)`, `Shell(npm:run*)`, `Read(.env*)`, `WebFetch(*.example.com)`,
/// `Mcp(server:tool)`; `Write` also covers edits.
fn rule(effect: Effect, entry: &str, source: &str, base: &Path) -> Rule {
    let (name, pattern) = rules::split_call(entry);
    let pattern = pattern.filter(|pattern| !matches!(pattern.as_str(), "*" | "**"));
    let (target, pattern, syntax) = match name {
        "Shell" => match pattern {
            None => (Target::Shell, None, Pattern::Prefix),
            // Before the colon is the command, after it a pattern for its arguments.
            Some(pattern) => match pattern.split_once(':') {
                Some((command, "*" | "**")) => (Target::Shell, Some(command.to_owned()), Pattern::Prefix),
                Some((command, args)) => (Target::Shell, Some(format!("{command} {args}")), Pattern::Glob),
                None if pattern.contains('*') => (Target::Shell, Some(pattern), Pattern::Glob),
                None => (Target::Shell, Some(pattern), Pattern::Prefix),
            },
        },
        "Read" => (Target::Read, pattern, Pattern::ClaudeCode),
        "Write" => (Target::Edit, pattern, Pattern::ClaudeCode),
        "WebFetch" => (Target::Fetch, pattern.map(|host| format!("domain:{host}")), Pattern::ClaudeCode),
        "Mcp" => {
            let tool = pattern.unwrap_or_else(|| "*:*".to_owned());
            let (server, tool) = tool.split_once([':', ',']).unwrap_or((tool.as_str(), "*"));
            (Target::Mcp, Some(format!("mcp__{}__{}", server.trim(), tool.trim())), Pattern::Glob)
        }
        _ => (Target::Mcp, Some(entry.to_owned()), Pattern::Glob),
    };
    Rule {
        effect,
        target,
        pattern,
        syntax,
        text: entry.to_owned(),
        source: source.to_owned(),
        base: base.to_path_buf(),
    }
}
