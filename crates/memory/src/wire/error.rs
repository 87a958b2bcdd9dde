//! The errors of calling an endpoint. No message contains a key.

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// The address is unusable.
    #[error("the address {url} can't be used: {reason}")]
    Address {
        /// The address as displayed.
        url: String,
        /// Why.
        reason: &'static str,
    },
    /// A key is required, and there is none.
    #[error(
        "{provider} wants a key, and there is none; `plimsoll memory key set {provider}` reads it from standard input"
    )]
    NoKey {
        /// The provider.
        provider: &'static str,
    },
    /// The key can't be read.
    #[error("{0}")]
    Key(String),
    /// The endpoint can't be reached.
    #[error("{place} can't be reached: {reason}")]
    Unreachable {
        /// The endpoint.
        place: String,
        /// Why.
        reason: String,
    },
    /// It didn't answer in time.
    #[error("{place} didn't answer within {seconds} s")]
    Slow {
        /// The endpoint.
        place: String,
        /// The time limit.
        seconds: u64,
    },
    /// It refused the request.
    #[error("{place} answered {status}{hint}")]
    Status {
        /// The endpoint.
        place: String,
        /// The HTTP status.
        status: u16,
        /// The remedy, or its reason.
        hint: String,
    },
    /// The request is too large.
    #[error("{bytes} bytes would be sent to {place}, but the limit is {limit}; nothing was sent")]
    TooMuch {
        /// The endpoint.
        place: String,
        /// The size.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// The answer is too long.
    #[error("{place} answered more than {limit} bytes")]
    TooLong {
        /// The endpoint.
        place: String,
        /// The limit.
        limit: usize,
    },
    /// The answer isn't JSON.
    #[error("{place} answered something that isn't JSON")]
    NotJson {
        /// The endpoint.
        place: String,
    },
    /// The breaker is open after too many failures.
    #[error("{place} failed five times in a row and is left alone for another {seconds} s")]
    LeftAlone {
        /// The endpoint.
        place: String,
        /// The remaining pause.
        seconds: u64,
    },
}

impl WireError {
    /// Whether it counts against the endpoint rather than the request.
    pub(super) fn is_failure(&self) -> bool {
        match self {
            Self::Unreachable { .. } | Self::Slow { .. } | Self::TooLong { .. } | Self::NotJson { .. } => {
                true
            }
            Self::Status { status, .. } => *status == 429 || *status >= 500,
            _ => false,
        }
    }
}
