//! Why a page couldn't be fetched. Each message names the page and, if there is one, the way out.

use std::net::IpAddr;

/// An error of fetching or reading one page.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The text isn't an http or https URL.
    #[error("\"{url}\" isn't a web address: {reason}; give one that begins with https://")]
    BadUrl {
        /// As given, cut.
        url: String,
        /// The fault.
        reason: String,
    },
    /// The URL contains a user name or password.
    #[error("the address of {host} carries a user name or password; give it without")]
    Credentials {
        /// The host.
        host: String,
    },
    /// The host or its address is off limits, always or by setting.
    #[error("{host} ({address}) is {what} and isn't fetched{way_out}")]
    Forbidden {
        /// The host as written.
        host: String,
        /// What it resolved to, or the name again.
        address: String,
        /// The kind of address.
        what: &'static str,
        /// The setting that allows it, or empty.
        way_out: &'static str,
    },
    /// The user's rules don't allow this host.
    #[error("{host} is refused by your rule {rule}")]
    Denied {
        /// The host.
        host: String,
        /// The rule as the user wrote it.
        rule: String,
    },
    /// The name has no address.
    #[error("{host} couldn't be found: {reason}; check the name and the network")]
    NotFound {
        /// The host.
        host: String,
        /// The resolver's error.
        reason: String,
    },
    /// The page redirects to another site.
    #[error("{from} redirects to another {what}, {to}; fetch that address if you want it")]
    OtherPlace {
        /// What differs: the scheme, the host or the port.
        what: &'static str,
        /// The page.
        from: String,
        /// The redirect's target.
        to: String,
    },
    /// Too many redirects.
    #[error("{url} redirects more than {limit} times")]
    TooManyRedirects {
        /// The first page.
        url: String,
        /// How many are followed.
        limit: usize,
    },
    /// The server returned an error.
    #[error("{url} answered with status {status}{hint}")]
    Status {
        /// The page.
        url: String,
        /// The HTTP status.
        status: u16,
        /// The status's usual meaning.
        hint: &'static str,
    },
    /// The body is too large.
    #[error("{url} is larger than {limit} bytes")]
    TooLarge {
        /// The page.
        url: String,
        /// The limit, in bytes after decompression.
        limit: u64,
    },
    /// The server is too slow.
    #[error("{url} took longer than {seconds} s")]
    TimedOut {
        /// The page.
        url: String,
        /// The limit.
        seconds: u64,
    },
    /// The connection failed.
    #[error("{url} couldn't be reached: {reason}")]
    Connection {
        /// The page.
        url: String,
        /// The error with its causes, outermost first.
        reason: String,
    },
    /// The body can't be read as text.
    #[error("{url} couldn't be read: {reason}")]
    Unreadable {
        /// The page.
        url: String,
        /// Why.
        reason: String,
    },
    /// The text couldn't be stored.
    #[error("{url} was fetched but not stored: {reason}")]
    NotStored {
        /// The page.
        url: String,
        /// Why.
        reason: String,
    },
}

impl FetchError {
    pub(crate) fn forbidden(
        host: &str,
        address: Option<IpAddr>,
        what: &'static str,
        way_out: &'static str,
    ) -> Self {
        let address = address.map_or_else(|| host.to_owned(), |a| a.to_string());
        FetchError::Forbidden { host: host.to_owned(), address, what, way_out }
    }

    /// An HTTP client error with its causes; the outermost alone says little, and nothing where it names the page again.
    pub(crate) fn connection(url: &str, error: &dyn std::error::Error) -> Self {
        let outermost = error.to_string();
        let (mut reason, mut cause) = match error.source() {
            Some(inner) if outermost.contains(url) => (inner.to_string(), inner.source()),
            source => (outermost, source),
        };
        while let Some(inner) = cause {
            let words = inner.to_string();
            if !reason.contains(&words) {
                reason.push_str(": ");
                reason.push_str(&words);
            }
            cause = inner.source();
        }
        FetchError::Connection { url: url.to_owned(), reason }
    }
}

/// What a status usually means to the user.
pub(crate) fn hint(status: u16) -> &'static str {
    match status {
        401 | 407 => " (it wants a login)",
        403 => " (it doesn't let programs in)",
        404 | 410 => " (there is no such page)",
        429 => " (too many requests; wait)",
        500..=599 => " (its own fault; try later)",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("{0}")]
    struct Outermost(&'static str, #[source] std::io::Error);

    #[test]
    fn a_failed_connection_names_the_page_once() {
        for (outermost, reason) in [
            ("error sending request for url (http://h/a)", "connection refused"),
            ("the answer ended", "the answer ended: connection refused"),
        ] {
            let error = Outermost(outermost, std::io::Error::other("connection refused"));
            let told = FetchError::connection("http://h/a", &error).to_string();
            assert_eq!(told, format!("http://h/a couldn't be reached: {reason}"));
        }
    }
}
