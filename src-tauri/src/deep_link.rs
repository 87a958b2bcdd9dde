//! Links that begin with `plimsoll://`. Any page and any mail can hold one, so a link can only name a screen:
//! it changes nothing, and the window shows it in full and asks before it is followed.
//!
//! ```text
//! plimsoll://knowledge?q=words            search
//! plimsoll://source?source=12&project=key one source
//! plimsoll://session?agent=codex&id=…     one session
//! plimsoll://settings/doctor              a page of the settings
//! plimsoll://task/tQdr                    an output that was kept whole
//! ```

use url::Url;

/// Nobody reads a longer one.
const MAX_CHARS: usize = 2000;

/// Pages of the settings that a link may open.
const PAGES: &[&str] = &["", "doctor", "updates", "privacy"];

/// Why a link is not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refused {
    /// It is no link of ours.
    #[error("it isn't a plimsoll:// link")]
    NotOurs,
    /// It is too long to be read by a person.
    #[error("it is longer than {MAX_CHARS} characters")]
    TooLong,
    /// It has parts that no link of ours has.
    #[error("it names a user, a port or a fragment")]
    Extras,
    /// The screen does not exist.
    #[error("it names no screen")]
    NoScreen,
    /// A value is missing, there twice, unknown, or holds control characters.
    #[error("its values are not those of the screen")]
    Values,
}

/// The screen that a link names, as the window knows it: `knowledge?q=words`.
///
/// # Errors
/// [`Refused`] for everything that is not exactly one of the five forms.
pub(crate) fn screen(link: &str) -> Result<String, Refused> {
    if link.chars().count() > MAX_CHARS {
        return Err(Refused::TooLong);
    }
    let url = Url::parse(link).map_err(|_| Refused::NotOurs)?;
    if url.scheme() != "plimsoll" || url.cannot_be_a_base() {
        return Err(Refused::NotOurs);
    }
    let userinfo = !url.username().is_empty() || url.password().is_some();
    if userinfo || url.port().is_some() || url.fragment().is_some() {
        return Err(Refused::Extras);
    }
    let path = url.path().trim_matches('/');
    match (url.host_str().unwrap_or_default(), path) {
        ("knowledge", "") => Ok(format!("knowledge?{}", query(&values(&url, &["q"], &["project"])?))),
        ("source", "") => Ok(format!("knowledge?{}", query(&values(&url, &["source", "project"], &[])?))),
        ("session", "") => {
            let values = values(&url, &["agent", "id"], &[])?;
            // They become parts of a path, so nothing that means anything there may be in them.
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
            let parts: Vec<&str> = values.iter().map(|(_, value)| value.as_str()).collect();
            if !parts.iter().all(|part| part.chars().all(plain)) {
                return Err(Refused::Values);
            }
            Ok(format!("sessions/{}", parts.join("/")))
        }
        // The address that stands below every shortened output.
        ("task", id) if url.query().is_none() => {
            let plain =
                id.len() <= 32 && id.starts_with('t') && id.chars().all(|c| c.is_ascii_alphanumeric());
            if plain { Ok(format!("activity/output/{id}")) } else { Err(Refused::Values) }
        }
        ("settings", page) if PAGES.contains(&page) && url.query().is_none() => {
            Ok(if page.is_empty() { "settings".to_owned() } else { format!("settings/{page}") })
        }
        _ => Err(Refused::NoScreen),
    }
}

/// The values of a link: all that are needed, in that order, and then those that may be there. Others, empty
/// ones, two of a name and control characters are refused.
fn values(url: &Url, needed: &[&str], also: &[&str]) -> Result<Vec<(String, String)>, Refused> {
    let given: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    let fits = |(name, value): &(String, String)| {
        let known = needed.contains(&name.as_str()) || also.contains(&name.as_str());
        known && !value.is_empty() && !value.chars().any(char::is_control)
    };
    if !given.iter().all(fits) {
        return Err(Refused::Values);
    }
    let mut values = Vec::new();
    for wanted in needed.iter().chain(also) {
        let mut found = given.iter().filter(|(name, _)| name == wanted);
        match (found.next(), found.next()) {
            (Some(one), None) => values.push(one.clone()),
            (None, None) if also.contains(wanted) => {}
            _ => return Err(Refused::Values),
        }
    }
    Ok(values)
}

/// Written anew, so that nothing of a link passes on but its values.
fn query(values: &[(String, String)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(values).finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(link: &str, expected: Result<&str, Refused>) {
        assert_eq!(screen(link), expected.map(str::to_owned), "{link}");
    }

    #[test]
    fn the_five_forms_name_their_screens() {
        check("plimsoll://knowledge?q=load+line", Ok("knowledge?q=load+line"));
        check("plimsoll://knowledge/?q=a%26b%3Dc&project=shop-1", Ok("knowledge?q=a%26b%3Dc&project=shop-1"));
        check("plimsoll://source?project=shop-1&source=12", Ok("knowledge?source=12&project=shop-1"));
        check("plimsoll://session?id=0198-a_1&agent=codex", Ok("sessions/codex/0198-a_1"));
        check("plimsoll://settings", Ok("settings"));
        check("plimsoll://settings/doctor", Ok("settings/doctor"));
        check("plimsoll://task/tQdr8xYz", Ok("activity/output/tQdr8xYz"));
    }

    #[test]
    fn everything_else_is_refused() {
        for link in
            ["", "plimsoll:", "plimsoll:knowledge?q=x", "https://knowledge?q=x", "javascript:alert(1)"]
        {
            check(link, Err(Refused::NotOurs));
        }
        check("plimsoll://user:word@knowledge?q=x", Err(Refused::Extras));
        check("plimsoll://knowledge:80?q=x", Err(Refused::Extras));
        check("plimsoll://knowledge?q=x#y", Err(Refused::Extras));
        for link in
            ["plimsoll://purge?project=x", "plimsoll://settings/../purge", "plimsoll://knowledge/x?q=y"]
        {
            check(link, Err(Refused::NoScreen));
        }
        check("plimsoll://settings/doctor?fix=1", Err(Refused::NoScreen));
        for values in ["", "?q=", "?q=a&q=b", "?q=a&then=purge", "?project=x", "?q=a%00b", "?q=a%0Ab"] {
            check(&format!("plimsoll://knowledge{values}"), Err(Refused::Values));
        }
        for link in [
            "plimsoll://session?id=s1",
            "plimsoll://session?agent=a&id=..%2F..",
            "plimsoll://source?source=1",
            "plimsoll://task/",
            "plimsoll://task/x",
            "plimsoll://task/t1/../../settings",
            "plimsoll://task/t%2e%2e%2fsettings",
        ] {
            check(link, Err(Refused::Values));
        }
        check(&format!("plimsoll://knowledge?q={}", "x".repeat(MAX_CHARS)), Err(Refused::TooLong));
    }
}
