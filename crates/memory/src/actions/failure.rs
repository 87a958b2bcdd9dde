//! Why an action failed, with the specification's error number for its kind.

use contract::{Error, ErrorCode, Fault, Told};

use crate::domain::{AddressError, InvalidPeriod, UnknownName};
use crate::query::FilterError;
use crate::store::StoreError;

/// Why an action failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} ({number})")]
pub struct Failure {
    /// The specification's error number.
    pub number: i32,
    /// What happened, and what to do.
    pub message: String,
    /// The code that a front end can branch on.
    pub code: ErrorCode,
    /// The database fault, if there is one.
    pub fault: Option<Fault>,
}

impl Failure {
    /// An unusable argument.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self { number: -32602, message: message.into(), code: ErrorCode::InvalidArgument, fault: None }
    }

    /// A named thing that doesn't exist.
    pub fn not_found(number: i32, message: impl Into<String>) -> Self {
        Self { number, code: ErrorCode::NotFound, ..Self::invalid(message) }
    }

    /// The action needs a language model and none is configured.
    pub fn needs_model(message: impl Into<String>) -> Self {
        Self { number: -32606, code: ErrorCode::NotAvailable, ..Self::invalid(message) }
    }

    /// Unusable content.
    pub fn unusable(message: impl Into<String>) -> Self {
        Self { number: -32608, ..Self::invalid(message) }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let code = match &error {
            StoreError::NotFound(_) | StoreError::Elsewhere { .. } => ErrorCode::NotFound,
            StoreError::Secret { .. } => ErrorCode::Denied,
            StoreError::Db(_) | StoreError::Sqlite { .. } | StoreError::Org(_) => ErrorCode::Storage,
            _ => ErrorCode::InvalidArgument,
        };
        Self { number: error.number(), message: error.to_string(), code, fault: error.fault() }
    }
}

macro_rules! invalid {
    ($($kind:ty)*) => {$(impl From<$kind> for Failure {
        fn from(error: $kind) -> Self {
            Self::invalid(error.to_string())
        }
    })*};
}
invalid!(FilterError AddressError InvalidPeriod UnknownName);

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let mut error = Self::new(failure.code, failure.to_string());
        error.fault = failure.fault;
        error
    }
}
