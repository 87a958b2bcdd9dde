//! Matching of hosts: exact, `*.example.com`, and wildcards that never cross a dot.
//!
//! Knows nothing of addresses and resolution; a host is text here.

use crate::pattern::{Unreadable, regex};
use crate::rule::{Effect, Rule, Syntax};

fn plain(host: &str) -> String {
    let host = host.trim().to_lowercase();
    let host = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).map_or(host.as_str(), |h| h);
    host.trim_end_matches('.').to_owned()
}

/// Whether `rule` (already known to be about fetching) speaks about `host`.
pub(crate) fn matches(rule: &Rule, host: &str) -> Result<bool, Unreadable> {
    let host = plain(host);
    let Some(pattern) = rule.pattern.as_deref() else { return Ok(true) };
    match rule.syntax {
        Syntax::Regex => Ok(regex(pattern, true)?.is_match(&host)),
        Syntax::Prefix => {
            let pattern = plain(strip_domain(pattern).unwrap_or(pattern));
            Ok(host == pattern || host.strip_suffix(&pattern).is_some_and(|rest| rest.ends_with('.')))
        }
        Syntax::Glob => Ok(wildcard(&plain(strip_domain(pattern).unwrap_or(pattern)), &host)),
        Syntax::ClaudeCode => match strip_domain(pattern) {
            Some(domain) => Ok(wildcard(&plain(domain), &host)),
            // Claude Code reads nothing but `domain:`. A URL or bare host in a deny is still plain enough.
            None if rule.effect != Effect::Allow => {
                Ok(host_of(pattern).is_some_and(|wanted| wildcard(&plain(&wanted), &host)))
            }
            None => Ok(false),
        },
    }
}

fn strip_domain(pattern: &str) -> Option<&str> {
    pattern.trim().strip_prefix("domain").map(str::trim_start)?.strip_prefix(':').map(str::trim)
}

fn wildcard(pattern: &str, host: &str) -> bool {
    if pattern == "*" || pattern == host {
        return true;
    }
    if let Some(apex) = pattern.strip_prefix("*.")
        && !apex.contains('*')
    {
        return host.strip_suffix(apex).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'));
    }
    // Label by label: a star stays between two dots, so nobody can register a name that widens it.
    let (mut wanted, mut given) = (pattern.split('.'), host.split('.'));
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return true,
            (Some(w), Some(g)) if label(w, g) => {}
            _ => return false,
        }
    }
}

fn label(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or("");
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let pieces: Vec<&str> = pieces.collect();
    let Some((last, middle)) = pieces.split_last() else { return rest.is_empty() };
    for piece in middle {
        let Some(at) = rest.find(piece) else { return false };
        rest = rest.get(at + piece.len()..).unwrap_or("");
    }
    rest.ends_with(last)
}

/// The host of a URL, or of something that `curl` would take for one (`example.com/x`).
pub(crate) fn host_of(text: &str) -> Option<String> {
    let text = text.trim();
    let (rest, bare) = match text.split_once("://") {
        Some((scheme, rest)) if scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c)) => {
            (rest, false)
        }
        Some(_) => return None,
        None => (text, true),
    };
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or("");
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = if host.starts_with('[') {
        host.split_inclusive(']').next().unwrap_or(host)
    } else {
        host.split(':').next().unwrap_or(host)
    };
    let host = plain(host);
    let fine = !host.is_empty() && host.chars().all(|c| c.is_alphanumeric() || "-_.:*".contains(c));
    (fine && (!bare || host.contains('.') || host == "localhost")).then_some(host)
}
