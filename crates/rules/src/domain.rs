//! Matches hosts: exact, `*.example.com`, and wildcards that never cross a dot. A host is text here: nothing is resolved.

use crate::pattern::{Unreadable, regex};
use crate::rule::{Effect, Rule, Syntax};

fn plain(host: &str) -> String {
    let host = host.trim().to_lowercase();
    let host = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).map_or(host.as_str(), |h| h);
    host.trim_end_matches('.').to_owned()
}

/// Whether `rule`, a rule about fetching, applies to `host`.
///
/// A rule that forbids or asks about this computer by one of its names applies to all of them: `localhost`, `127.0.0.1`
/// and `[::1]` are the same host. An allow covers only the name it gives.
pub(crate) fn matches(rule: &Rule, host: &str) -> Result<bool, Unreadable> {
    let host = plain(host);
    if rule.effect != Effect::Allow && is_here(&host) {
        for name in ["localhost", "127.0.0.1", "::1", "0.0.0.0"] {
            if names(rule, name)? {
                return Ok(true);
            }
        }
    }
    names(rule, &host)
}

/// Whether `host` is this computer, in any spelling.
fn is_here(host: &str) -> bool {
    let host = host.split_once('%').map_or(host, |(address, _)| address);
    if matches!(host, "localhost" | "localhost.localdomain" | "localhost6" | "ip6-localhost" | "ip6-loopback")
        || host.ends_with(".localhost")
    {
        return true;
    }
    if let Ok(address) = host.parse::<std::net::Ipv6Addr>() {
        let mapped = address.to_ipv4().is_some_and(|v4| v4.is_loopback() || v4.is_unspecified());
        return address.is_loopback() || address.is_unspecified() || mapped;
    }
    number(host).is_some_and(|address| address >> 24 == 127 || address == 0)
}

/// The number of an IPv4 address in any spelling that programs accept: missing parts, octal, hexadecimal.
fn number(host: &str) -> Option<u32> {
    let parts: Vec<&str> = host.split('.').collect();
    let (last, others) = parts.split_last().filter(|_| parts.len() <= 4)?;
    let part = |text: &str| -> Option<u32> {
        if let Some(hex) = text.strip_prefix("0x") {
            return if hex.is_empty() { Some(0) } else { u32::from_str_radix(hex, 16).ok() };
        }
        let plain = text.bytes().all(|b| b.is_ascii_digit()) && !text.is_empty();
        match text.strip_prefix('0').filter(|rest| !rest.is_empty()) {
            _ if !plain => None,
            Some(octal) => u32::from_str_radix(octal, 8).ok(),
            None => text.parse().ok(),
        }
    };
    let mut address = 0_u32;
    for (at, text) in others.iter().enumerate() {
        address |= part(text).filter(|n| *n < 256)? << (24 - 8 * at);
    }
    let last = part(last)?;
    (u64::from(last) < 1 << (8 * (4 - others.len()))).then_some(address | last)
}

fn names(rule: &Rule, host: &str) -> Result<bool, Unreadable> {
    let Some(pattern) = rule.pattern.as_deref() else { return Ok(true) };
    match rule.syntax {
        Syntax::Regex => Ok(regex(pattern, true)?.is_match(host)),
        Syntax::Prefix => {
            let pattern = plain(strip_domain(pattern).unwrap_or(pattern));
            Ok(host == pattern || host.strip_suffix(&pattern).is_some_and(|rest| rest.ends_with('.')))
        }
        Syntax::Glob => Ok(wildcard(&plain(strip_domain(pattern).unwrap_or(pattern)), host)),
        Syntax::ClaudeCode => match strip_domain(pattern) {
            Some(domain) => Ok(wildcard(&plain(domain), host)),
            // Claude Code reads only `domain:`. A URL or bare host in a deny is still unambiguous.
            None if rule.effect != Effect::Allow => {
                Ok(host_of(pattern).is_some_and(|wanted| wildcard(&plain(&wanted), host)))
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
    // Label by label: a star stays between two dots, so that no one can register a name that widens it.
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

/// The host of a URL, or of a word that `curl` would take for one (`example.com/x`).
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::matches;
    use crate::rule::{Effect, Rule};

    fn says(effect: Effect, rule: &str, host: &str) -> bool {
        matches(&Rule::parse_claude(effect, rule, "settings.json", Path::new("/")), host).unwrap_or(false)
    }

    #[test]
    fn what_forbids_this_computer_forbids_all_of_its_names() {
        for named in ["localhost", "127.0.0.1", "[::1]"] {
            let rule = format!("WebFetch(domain:{named})");
            for here in [
                "localhost",
                "LOCALHOST",
                "localhost.",
                "a.localhost",
                "127.0.0.1",
                "127.1",
                "127.9.9.9",
                "2130706433",
                "0x7f000001",
                "0x7f.1",
                "0177.0.0.1",
                "0.0.0.0",
                "0",
                "[::1]",
                "::1",
                "[0:0:0:0:0:0:0:1]",
                "[::ffff:127.0.0.1]",
                "[::]",
            ] {
                assert!(says(Effect::Deny, &rule, here), "{rule} {here}");
                assert!(says(Effect::Ask, &rule, here), "{rule} {here}");
            }
            for elsewhere in [
                "example.com",
                "localhost.example.com",
                "10.0.0.1",
                "128.0.0.1",
                "[::2]",
                "127.0.0.1.example.com",
            ] {
                assert!(!says(Effect::Deny, &rule, elsewhere), "{rule} {elsewhere}");
            }
        }
        // An allow covers only what was written.
        assert!(says(Effect::Allow, "WebFetch(domain:localhost)", "localhost"));
        assert!(!says(Effect::Allow, "WebFetch(domain:localhost)", "127.0.0.1"));
        assert!(!says(Effect::Allow, "WebFetch(domain:localhost)", "[::1]"));
    }
}
