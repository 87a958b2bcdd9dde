//! The few things that a front end must be able to branch on, and the error that carries one.

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
    /// A deny rule of the person's forbids it.
    Denied,
    /// A rule of the person's says that they must be asked first.
    Ask,
    /// What was named does not exist.
    NotFound,
    /// A destructive action needs `confirm`.
    ConfirmationNeeded,
    /// The program failed (non-zero exit, signal, over its output limit).
    Failed,
    /// The time limit passed.
    Timeout,
    /// The caller took the request back.
    Cancelled,
    /// The interpreter or compiler is not installed.
    RuntimeMissing,
    /// A page could not be fetched.
    Network,
    /// The database or disk refused.
    Storage,
    /// This system is not part of the installed version.
    NotAvailable,
    /// A defect of Plimsoll's own.
    Internal,
}

impl ErrorCode {
    /// The code as it is written in replies.
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

/// A request that was not carried out. The message names the thing and the way out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("error {code}: {message}")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Error {
    /// What a front end may branch on.
    pub code: ErrorCode,
    /// For people and models.
    pub message: Sentence,
    /// What befell a database, where that is what the error is about: each has its own advice.
    pub fault: Option<Fault>,
}

/// What can befall a database that a person can do something about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Fault {
    /// A newer Plimsoll wrote it.
    Newer,
    /// It is damaged.
    Damaged,
    /// The disk has no room for it.
    Full,
    /// Others kept it busy.
    Busy,
}

/// An error of a room below, which can say itself to a person in any language.
pub trait Told {
    /// The sentence; its English names the thing and the way out.
    fn message(&self) -> Sentence;

    /// Which misfortune of a database it is, if any.
    fn fault(&self) -> Option<Fault> {
        None
    }
}

/// The system's own words.
impl Told for std::io::Error {
    fn message(&self) -> Sentence {
        self.to_string().into()
    }
}

impl Error {
    /// An error with this code.
    pub fn new(code: ErrorCode, message: impl Into<Sentence>) -> Self {
        Self { code, message: message.into(), fault: None }
    }

    /// An error of a room below.
    pub fn told(code: ErrorCode, error: &impl Told) -> Self {
        Self { code, message: error.message(), fault: error.fault() }
    }

    /// An argument that cannot be used.
    pub fn invalid(message: impl Into<Sentence>) -> Self {
        Self::new(ErrorCode::InvalidArgument, message)
    }
}
