//! Addresses of memories: `plimsoll://memory/{domain}/{namespace}/{id}`, the forms of `subcog://`, and bare ids. `_`
//! matches any domain or namespace; an address without an id is a filter.

use super::memory::{Domain, SCHEME};
use super::namespace::Namespace;

/// The prefix of subcog's addresses.
pub const OLDER_SCHEME: &str = "subcog://";
/// Minimum length of an id prefix; shorter ones match too much.
const MIN_ID: usize = 8;
/// Maximum length of an id.
const MAX_ID: usize = 64;

/// The parts of an address.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Address {
    /// `None` for any.
    pub domain: Option<Domain>,
    /// `None` for any.
    pub namespace: Option<Namespace>,
    /// The id or its prefix; `None` for every memory that matches the rest.
    pub id: Option<String>,
}

/// A text that isn't an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{given}\" isn't the address of a memory: {reason}; give an id, or {SCHEME}<domain>/<namespace>/<id>"
)]
pub struct AddressError {
    /// The text, shortened.
    pub given: String,
    /// The problem with it.
    pub reason: String,
}

impl Address {
    /// Parses an address or a bare id.
    ///
    /// # Errors
    /// [`AddressError`].
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        let text = text.trim();
        let wrong = |reason: String| AddressError { given: text.chars().take(80).collect(), reason };
        let rest = match (text.strip_prefix(SCHEME), text.strip_prefix(OLDER_SCHEME)) {
            (Some(rest), _) => rest,
            (None, Some(rest)) => rest.strip_prefix("memory/").unwrap_or(rest),
            (None, None) if text.contains("://") => return Err(wrong("its scheme is another one".into())),
            (None, None) => return Ok(Self { id: Some(id(text).map_err(wrong)?), ..Self::default() }),
        };
        let parts: Vec<&str> = rest.trim_end_matches('/').split('/').collect();
        let any = |part: &str| part == "_";
        let domain_of = |part: &str| Domain::parse(part).map_err(|unknown| wrong(unknown.to_string()));
        let namespace_of = |part: &str| Namespace::parse(part).map_err(|unknown| wrong(unknown.to_string()));
        let mut address = Self::default();
        match parts.as_slice() {
            [""] => {}
            // `…memory/<id>`: subcog's form in lists.
            [one] if Domain::from_name(one).is_none() && !any(one) => {
                address.id = Some(id(one).map_err(wrong)?);
            }
            [domain, rest @ ..] if rest.len() <= 2 => {
                if !any(domain) {
                    address.domain = Some(domain_of(domain)?);
                }
                if let Some(namespace) = rest.first().filter(|part| !any(part)) {
                    address.namespace = Some(namespace_of(namespace)?);
                }
                if let Some(last) = rest.get(1).filter(|part| !any(part)) {
                    address.id = Some(id(last).map_err(wrong)?);
                }
            }
            _ => return Err(wrong("it has too many parts".into())),
        }
        Ok(address)
    }
}

fn id(text: &str) -> Result<String, String> {
    // Subcog's lists shorten ids and mark the cut.
    let text = text.trim_end_matches('…').trim_end_matches("...");
    if !text.chars().all(|c| c.is_ascii_hexdigit()) {
        return Err("an id has only the digits 0-9 and a-f".into());
    }
    if text.len() < MIN_ID {
        return Err(format!("an id has at least {MIN_ID} digits"));
    }
    if text.len() > MAX_ID {
        return Err(format!("an id has at most {MAX_ID} digits"));
    }
    Ok(text.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_schemes_bare_ids_wildcards_and_filters() {
        let full = |d, n, i: &str| Address { domain: d, namespace: n, id: Some(i.to_owned()) };
        for (text, expected) in [
            ("dc58d23a35876f5a", full(None, None, "dc58d23a35876f5a")),
            ("DC58D23A", full(None, None, "dc58d23a")),
            (
                "plimsoll://memory/user/tech-debt/0123456789abcdef",
                full(Some(Domain::User), Some(Namespace::TechDebt), "0123456789abcdef"),
            ),
            (
                "subcog://project/decisions/dc58d23a35876f5a59426e81aaa81d796efa7fc1",
                full(
                    Some(Domain::Project),
                    Some(Namespace::Decisions),
                    "dc58d23a35876f5a59426e81aaa81d796efa7fc1",
                ),
            ),
            ("subcog://memory/dc58d23a...", full(None, None, "dc58d23a")),
            ("subcog://global/_/dc58d23a", full(Some(Domain::User), None, "dc58d23a")),
            ("subcog://_/decisions", Address { namespace: Some(Namespace::Decisions), ..Address::default() }),
            ("plimsoll://memory/org/", Address { domain: Some(Domain::Org), ..Address::default() }),
            ("plimsoll://memory/_/_/_", Address::default()),
        ] {
            assert_eq!(Address::parse(text), Ok(expected), "{text}");
        }
        for (text, word) in [
            ("xyz", "only the digits"),
            ("abc", "at least 8"),
            ("", "at least 8"),
            ("https://example.org/x", "scheme"),
            ("plimsoll://memory/galaxy/decisions/dc58d23a", "domain \"galaxy\""),
            ("subcog://user/decison/dc58d23a", "namespace \"decison\""),
            ("subcog://user/decisions/dc58d23a/more", "too many"),
        ] {
            let error = Address::parse(text).unwrap_err().to_string();
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}
