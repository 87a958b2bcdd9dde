//! Why a page could not be had. Each message names the page and, where there is one, the way out.

use std::net::IpAddr;

/// An error of fetching or reading one page.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The text is no http or https URL.
    #[error("\"{url}\" is not a web address: {reason}; give one that begins with https://")]
    BadUrl {
        /// As given, cut.
        url: String,
        /// What is wrong.
        reason: String,
    },
    /// The URL carries a user name or password.
    #[error("the address of {host} carries a user name or password; give it without")]
    Credentials {
        /// The host.
        host: String,
    },
    /// The host or its address is one that is not asked, ever or by setting.
    #[error("{host} ({address}) is {what} and is not fetched{way_out}")]
    Forbidden {
        /// The host as named.
        host: String,
        /// What it resolved to, or the name again.
        address: String,
        /// What kind of address it is.
        what: &'static str,
        /// The setting that allows it, or nothing.
        way_out: &'static str,
    },
    /// The user's rules do not allow this host.
    #[error("{host} is refused by your rule {rule}")]
    Denied {
        /// The host.
        host: String,
        /// The rule as the user wrote it.
        rule: String,
    },
    /// The name has no address.
    #[error("{host} could not be found: {reason}; check the name and the network")]
    NotFound {
        /// The host.
        host: String,
        /// What the resolver said.
        reason: String,
    },
    /// The page sends somewhere else.
    #[error("{from} redirects to another {what}, {to}; fetch that address if you want it")]
    OtherPlace {
        /// What of the place is another: the scheme, the host or the port.
        what: &'static str,
        /// The page.
        from: String,
        /// Where it sends.
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
    /// The server answered with an error.
    #[error("{url} answered with status {status}{hint}")]
    Status {
        /// The page.
        url: String,
        /// The HTTP status.
        status: u16,
        /// What the status usually means.
        hint: &'static str,
    },
    /// Too much.
    #[error("{url} is larger than {limit} bytes")]
    TooLarge {
        /// The page.
        url: String,
        /// The limit, in bytes after decompression.
        limit: u64,
    },
    /// Too slow.
    #[error("{url} took longer than {seconds} s")]
    TimedOut {
        /// The page.
        url: String,
        /// The limit.
        seconds: u64,
    },
    /// The connection failed.
    #[error("{url} could not be reached: {reason}")]
    Connection {
        /// The page.
        url: String,
        /// What failed, from the outside in.
        reason: String,
    },
    /// What came cannot be read as text.
    #[error("{url} could not be read: {reason}")]
    Unreadable {
        /// The page.
        url: String,
        /// Why.
        reason: String,
    },
    /// The text could not be stored.
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

    /// An error of the HTTP client with everything that caused it; the outermost alone says little.
    pub(crate) fn connection(url: &str, error: &dyn std::error::Error) -> Self {
        let mut reason = error.to_string();
        let mut cause = error.source();
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

/// What a status usually means to the person who asked.
pub(crate) fn hint(status: u16) -> &'static str {
    match status {
        401 | 407 => " (it wants a login)",
        403 => " (it does not let programs in)",
        404 | 410 => " (there is no such page)",
        429 => " (too many requests; wait)",
        500..=599 => " (its own fault; try later)",
        _ => "",
    }
}
