//! Links that begin with `plimsoll://`. Any page and any mail can contain one, so a link can only name a screen: it
//! changes nothing, and the window shows it in full and asks before it follows it.
//!
//! ```text
//! plimsoll://knowledge?q=words            search
//! plimsoll://source?source=12&project=key one source
//! plimsoll://session?agent=codex&id=…     one session
//! plimsoll://settings/doctor              a page of the settings
//! plimsoll://task/tQdr                    an output that was kept whole
//! ```

use commands::texts::Texts;
use url::Url;

/// Nobody reads a longer one.
const MAX_CHARS: usize = 2000;

/// The settings pages that a link may open.
const PAGES: &[&str] = &["", "doctor", "updates", "privacy"];

/// Why a link isn't followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Rejection {
    /// It isn't one of Plimsoll's links.
    #[error("it isn't a plimsoll:// link")]
    NotOurs,
    /// It is too long for a user to read.
    #[error("it is longer than {MAX_CHARS} characters")]
    TooLong,
    /// It has parts that none of these links has.
    #[error("it names a user, a port or a fragment")]
    Extras,
    /// The screen does not exist.
    #[error("it names no screen")]
    NoScreen,
    /// A value is missing, duplicated, unknown, or contains control characters.
    #[error("its values don't fit the screen")]
    Values,
}

impl Rejection {
    /// The same in the user's language; what is printed here is for the log.
    pub(crate) fn text(self, texts: &Texts) -> String {
        let key = match self {
            Self::NotOurs => "tray.link.foreign",
            Self::TooLong => "tray.link.long",
            Self::Extras => "tray.link.extras",
            Self::NoScreen => "tray.link.screen",
            Self::Values => "tray.link.values",
        };
        texts.fill(key, &[("most", &MAX_CHARS.to_string())])
    }
}

/// Whether the toolkit follows this argument if a start has no other.
pub(crate) fn is_link(argument: &str) -> bool {
    Url::parse(argument).is_ok_and(|url| url.scheme() == "plimsoll")
}

/// The screen that a link names, in the window's form: `knowledge?q=words`.
///
/// # Errors
/// [`Rejection`] for anything but one of the five forms.
pub(crate) fn screen(link: &str) -> Result<String, Rejection> {
    if link.chars().count() > MAX_CHARS {
        return Err(Rejection::TooLong);
    }
    let url = Url::parse(link).map_err(|_| Rejection::NotOurs)?;
    if url.scheme() != "plimsoll" || url.cannot_be_a_base() {
        return Err(Rejection::NotOurs);
    }
    let userinfo = !url.username().is_empty() || url.password().is_some();
    if userinfo || url.port().is_some() || url.fragment().is_some() {
        return Err(Rejection::Extras);
    }
    let path = url.path().trim_matches('/');
    match (url.host_str().unwrap_or_default(), path) {
        ("knowledge", "") => Ok(format!("knowledge?{}", query(&values(&url, &["q"], &["project"])?))),
        ("source", "") => Ok(format!("knowledge?{}", query(&values(&url, &["source", "project"], &[])?))),
        ("session", "") => {
            let values = values(&url, &["agent", "id"], &[])?;
            // They become parts of a path, so they must not contain anything that has a meaning there.
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
            let parts: Vec<&str> = values.iter().map(|(_, value)| value.as_str()).collect();
            if !parts.iter().all(|part| part.chars().all(plain)) {
                return Err(Rejection::Values);
            }
            Ok(format!("sessions/{}", parts.join("/")))
        }
        // The address below every shortened output.
        ("task", id) if url.query().is_none() => {
            let plain =
                id.len() <= 32 && id.starts_with('t') && id.chars().all(|c| c.is_ascii_alphanumeric());
            if plain { Ok(format!("activity/output/{id}")) } else { Err(Rejection::Values) }
        }
        ("settings", page) if PAGES.contains(&page) && url.query().is_none() => {
            Ok(if page.is_empty() { "settings".to_owned() } else { format!("settings/{page}") })
        }
        _ => Err(Rejection::NoScreen),
    }
}

/// The values of a link: the required ones in this order, then the optional ones. Others, empty ones, duplicates and
/// control characters are refused.
fn values(url: &Url, required: &[&str], optional: &[&str]) -> Result<Vec<(String, String)>, Rejection> {
    let given: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    let fits = |(name, value): &(String, String)| {
        let known = required.contains(&name.as_str()) || optional.contains(&name.as_str());
        known && !value.is_empty() && !value.chars().any(char::is_control)
    };
    if !given.iter().all(fits) {
        return Err(Rejection::Values);
    }
    let mut values = Vec::new();
    for wanted in required.iter().chain(optional) {
        let mut found = given.iter().filter(|(name, _)| name == wanted);
        match (found.next(), found.next()) {
            (Some(one), None) => values.push(one.clone()),
            (None, None) if optional.contains(wanted) => {}
            _ => return Err(Rejection::Values),
        }
    }
    Ok(values)
}

/// Builds a new query, so that only a link's values are passed on.
fn query(values: &[(String, String)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(values).finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(link: &str, expected: Result<&str, Rejection>) {
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
    fn a_refusal_is_in_the_users_language() {
        let all = [
            Rejection::NotOurs,
            Rejection::TooLong,
            Rejection::Extras,
            Rejection::NoScreen,
            Rejection::Values,
        ];
        for refused in all {
            let [english, german] =
                ["en", "de"].map(|language| refused.text(&Texts::for_locale(language, "")));
            assert_eq!(english.replace('’', "'"), refused.to_string());
            assert_ne!(english, german);
            assert!(!german.contains('{') && !german.contains("tray."), "{german}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        for link in
            ["", "plimsoll:", "plimsoll:knowledge?q=x", "https://knowledge?q=x", "javascript:alert(1)"]
        {
            check(link, Err(Rejection::NotOurs));
        }
        check("plimsoll://user:word@knowledge?q=x", Err(Rejection::Extras));
        check("plimsoll://knowledge:80?q=x", Err(Rejection::Extras));
        check("plimsoll://knowledge?q=x#y", Err(Rejection::Extras));
        for link in
            ["plimsoll://purge?project=x", "plimsoll://settings/../purge", "plimsoll://knowledge/x?q=y"]
        {
            check(link, Err(Rejection::NoScreen));
        }
        check("plimsoll://settings/doctor?fix=1", Err(Rejection::NoScreen));
        for values in ["", "?q=", "?q=a&q=b", "?q=a&then=purge", "?project=x", "?q=a%00b", "?q=a%0Ab"] {
            check(&format!("plimsoll://knowledge{values}"), Err(Rejection::Values));
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
            check(link, Err(Rejection::Values));
        }
        check(&format!("plimsoll://knowledge?q={}", "x".repeat(MAX_CHARS)), Err(Rejection::TooLong));
    }
}
