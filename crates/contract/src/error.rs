//! The error codes that a front end branches on, and the error that carries one.

use serde::{Deserialize, Serialize};

use crate::Sentence;

/// A stable code. The first line of a failed tool result is `error <code>: <message>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum ErrorCode {
    /// An argument is missing, unknown, of the wrong type or out of range.
    InvalidArgument,
    /// There is no tool of this name, or its toolset is switched off.
    UnknownTool,
    /// One of the user's rules forbids it.
    Denied,
    /// One of the user's rules requires asking first.
    Ask,
    /// The named thing doesn't exist.
    NotFound,
    /// A destructive action needs `confirm`.
    ConfirmationNeeded,
    /// The program failed (non-zero exit, signal, over its output limit).
    Failed,
    /// The time limit passed.
    Timeout,
    /// The caller cancelled the request.
    Cancelled,
    /// The interpreter or compiler is not installed.
    RuntimeMissing,
    /// A page couldn't be fetched.
    Network,
    /// A database or disk error.
    Storage,
    /// The installed version doesn't have this system.
    NotAvailable,
    /// A bug in Plimsoll.
    Internal,
}

impl ErrorCode {
    /// The code as written in replies.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidArgument => "invalid_argument",
            Self::UnknownTool => "unknown_tool",
            Self::Denied => "denied",
            Self::Ask => "ask",
            Self::NotFound => "not_found",
            Self::ConfirmationNeeded => "confirmation_needed",
            Self::Failed => "failed",
            Self::Timeout => "timeout",
            Self::Cancelled => "cancelled",
            Self::RuntimeMissing => "runtime_missing",
            Self::Network => "network",
            Self::Storage => "storage",
            Self::NotAvailable => "not_available",
            Self::Internal => "internal",
        }
    }
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A request that failed. The message names the thing and the remedy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("error {code}: {message}")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Error {
    /// The code for front ends.
    pub code: ErrorCode,
    /// The message for people and models.
    pub message: Sentence,
    /// The kind of database fault, if it is one: each has its own advice.
    pub fault: Option<Fault>,
}

/// Database faults that the user can do something about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Fault {
    /// A newer Plimsoll wrote it.
    Newer,
    /// It is damaged.
    Damaged,
    /// The disk is full.
    Full,
    /// Another process kept it busy.
    Busy,
}

/// An error of a lower crate with a message in every language.
pub trait LowerError {
    /// The message; its English text names the thing and the remedy.
    fn message(&self) -> Sentence;

    /// The kind of database fault, if it is one.
    fn fault(&self) -> Option<Fault> {
        None
    }
}

/// The operating system's message.
impl LowerError for std::io::Error {
    fn message(&self) -> Sentence {
        self.to_string().into()
    }
}

impl Error {
    /// An error with this code.
    pub fn new(code: ErrorCode, message: impl Into<Sentence>) -> Self {
        Self { code, message: message.into(), fault: None }
    }

    /// Wraps a lower crate's error.
    pub fn from_lower(code: ErrorCode, error: &impl LowerError) -> Self {
        Self { code, message: error.message(), fault: error.fault() }
    }

    /// An invalid argument.
    pub fn invalid(message: impl Into<Sentence>) -> Self {
        Self::new(ErrorCode::InvalidArgument, message)
    }
}
