//! Antigravity's permission rules, which the `agy` command keeps in its settings.

use std::path::Path;

use home::{Env, Os};
use rules::{BrokenLayer, Effect, Rule, RuleSet, Syntax as Pattern, Target};

use crate::config::{self, Syntax};

use super::gemini_dir;

pub(super) fn rules(env: &Env, project: &Path) -> RuleSet {
    let mut set = RuleSet { case_insensitive: env.os() != Os::Linux, ..RuleSet::default() };
    let file = gemini_dir(env).join("antigravity-cli").join("settings.json");
    match config::read(&file, Syntax::Jsonc) {
        Ok(None) => {}
        Ok(Some(value)) => {
            let source = file.display().to_string();
            for (key, effect) in [("deny", Effect::Deny), ("ask", Effect::Ask), ("allow", Effect::Allow)] {
                let entries = config::rule_list(&mut set, &file, &value, &["permissions", key], effect);
                set.rules
                    .extend(entries.into_iter().filter_map(|entry| rule(effect, entry, &source, project)));
            }
        }
        Err(reason) => set.broken.push(BrokenLayer { path: file, reason: reason.to_string() }),
    }
    set
}

/// `command(git push)`, `read_file(/path)`, `write_file(/path)`, `read_url(example.com)`, `mcp(server/tool)`.
fn rule(effect: Effect, entry: &str, source: &str, base: &Path) -> Option<Rule> {
    let (action, pattern) = rules::split_call(entry);
    let pattern = pattern.filter(|pattern| pattern != "*");
    let (target, pattern, syntax) = match action {
        "command" | "unsandboxed" => match pattern {
            Some(pattern) if pattern.contains('*') => (Target::Shell, Some(pattern), Pattern::Glob),
            other => (Target::Shell, other, Pattern::Prefix),
        },
        "read_file" => (Target::Read, pattern, Pattern::Prefix),
        "write_file" => (Target::Edit, pattern, Pattern::Prefix),
        "read_url" | "execute_url" => (Target::Fetch, pattern, Pattern::Prefix),
        "mcp" => {
            let name = pattern.unwrap_or_else(|| "*/*".to_owned());
            let (server, tool) = name.split_once('/').unwrap_or((name.as_str(), "*"));
            (Target::Mcp, Some(format!("mcp__{server}__{tool}")), Pattern::Glob)
        }
        _ => return None,
    };
    let text = entry.to_owned();
    Some(Rule { effect, target, pattern, syntax, text, source: source.to_owned(), base: base.to_path_buf() })
}
