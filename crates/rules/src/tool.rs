//! Matches tool names, above all `mcp__server__tool`.

use crate::pattern::{Wild, regex};
use crate::rule::{Effect, Rule, Syntax};

/// Whether `rule` covers the tool `name`. A pattern that can't be compiled matches unless it allows.
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
                // An allow may have its star only after a server's name.
                let anchored = pattern
                    .strip_prefix("mcp__")
                    .and_then(|rest| rest.split_once("__"))
                    .is_some_and(|(server, _)| !server.is_empty() && !server.contains('*'));
                return (anchored || !strict) && Wild::new(pattern, false).matches(name);
            }
            // `mcp__server` covers all its tools.
            pattern.starts_with("mcp__")
                && name.strip_prefix(pattern).is_some_and(|rest| rest.starts_with("__"))
        }
    }
}
