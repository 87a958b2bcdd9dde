//! Matching of tool names, `mcp__server__tool` above all.

use crate::pattern::{Wild, regex};
use crate::rule::{Effect, Rule, Syntax};

/// Whether `rule` speaks about the tool `name`. A pattern that cannot be read matches unless it allows.
pub(crate) fn matches(rule: &Rule, name: &str) -> bool {
    let Some(pattern) = rule.pattern.as_deref() else { return true };
    let strict = rule.effect == Effect::Allow;
    match rule.syntax {
        Syntax::Regex => regex(pattern, false).map_or(!strict, |r| r.is_match(name)),
        Syntax::Prefix => name.starts_with(pattern),
        Syntax::Glob => Wild::new(pattern, true).matches(name),
        Syntax::ClaudeCode => {
            if name == pattern {
                return true;
            }
            if pattern.contains('*') {
                // An allow may only have its star behind a server that it names.
                let anchored = pattern
                    .strip_prefix("mcp__")
                    .and_then(|rest| rest.split_once("__"))
                    .is_some_and(|(server, _)| !server.is_empty() && !server.contains('*'));
                return (anchored || !strict) && Wild::new(pattern, false).matches(name);
            }
            // `mcp__server` names all its tools.
            pattern.starts_with("mcp__")
                && name.strip_prefix(pattern).is_some_and(|rest| rest.starts_with("__"))
        }
    }
}
