//! What can go wrong between here and an endpoint. No sentence has a key in it.

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// The address can't be used.
    #[error("the address {url} can't be used: {reason}")]
    Address {
        /// As it's shown.
        url: String,
        /// Why.
        reason: &'static str,
    },
    /// A key is needed, and there is none.
    #[error(
        "{provider} wants a key, and there is none; `plimsoll memory key set {provider}` reads it from standard input"
    )]
    NoKey {
        /// Whose.
        provider: &'static str,
    },
    /// The key can't be read.
    #[error("{0}")]
    Key(String),
    /// Nobody answers there.
    #[error("{place} can't be reached: {reason}")]
    Unreachable {
        /// The endpoint.
        place: String,
        /// Why.
        reason: String,
    },
    /// It took too long.
    #[error("{place} didn't answer within {seconds} s")]
    Slow {
        /// The endpoint.
        place: String,
        /// How long.
        seconds: u64,
    },
    /// It refused.
    #[error("{place} answered {status}{hint}")]
    Status {
        /// The endpoint.
        place: String,
        /// The number.
        status: u16,
        /// What to do, or what it said.
        hint: String,
    },
    /// Too much to send.
    #[error("{bytes} bytes would be sent to {place}, and {limit} are the most; nothing was sent")]
    TooMuch {
        /// The endpoint.
        place: String,
        /// How much.
        bytes: usize,
        /// The most.
        limit: usize,
    },
    /// The answer is too long.
    #[error("{place} answered more than {limit} bytes")]
    TooLong {
        /// The endpoint.
        place: String,
        /// The most.
        limit: usize,
    },
    /// The answer isn't JSON.
    #[error("{place} answered something that isn't JSON")]
    NotJson {
        /// The endpoint.
        place: String,
    },
    /// It failed too often just now.
    #[error("{place} failed five times in a row and is left alone for another {seconds} s")]
    LeftAlone {
        /// The endpoint.
        place: String,
        /// How long.
        seconds: u64,
    },
}

impl WireError {
    /// Whether it speaks against the endpoint, and not against what was asked.
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
