//! Why an action failed, with the specification's error number for its kind.

use contract::{Error, ErrorCode, Fault, LowerError, Sentence};

use crate::domain::{AddressError, InvalidPeriod, UnknownName};
use crate::query::FilterError;
use crate::store::StoreError;

/// The specification's number for an unusable argument.
pub const INVALID_PARAMETERS: i32 = -32602;

/// Why an action failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} ({number})")]
pub struct Failure {
    /// The specification's error number.
    pub number: i32,
    /// What happened, and what to do.
    pub message: String,
    /// The same as a sentence that a front end can translate, if there is one.
    pub sentence: Option<Sentence>,
    /// The code that a front end can branch on.
    pub code: ErrorCode,
    /// The database fault, if there is one.
    pub fault: Option<Fault>,
}

impl Failure {
    /// An unusable argument.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self {
            number: INVALID_PARAMETERS,
            message: message.into(),
            code: ErrorCode::InvalidArgument,
            fault: None,
            sentence: None,
        }
    }

    /// The same with a translatable message.
    pub(crate) fn translated(number: i32, sentence: Sentence) -> Self {
        Self { number, sentence: Some(sentence.clone()), ..Self::invalid(sentence.to_string()) }
    }

    /// The sentence that a front end can translate, or the English text.
    pub(crate) fn into_sentence(self) -> Sentence {
        self.sentence.unwrap_or_else(|| self.message.into())
    }

    /// The error for a front end: a sentence it can translate, without the number that only programs need.
    pub(crate) fn into_worded(self) -> Error {
        Error { message: self.clone().into_sentence(), ..Error::from(self) }
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
        let sentence = error.message();
        Self {
            number: error.number(),
            message: sentence.to_string(),
            sentence: Some(sentence),
            code,
            fault: error.fault(),
        }
    }
}

macro_rules! invalid {
    ($($kind:ty)*) => {$(impl From<$kind> for Failure {
        fn from(error: $kind) -> Self {
            Self::translated(INVALID_PARAMETERS, error.message())
        }
    })*};
}
invalid!(FilterError InvalidPeriod UnknownName);

impl From<AddressError> for Failure {
    fn from(error: AddressError) -> Self {
        Self::invalid(error.to_string())
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let mut error = Self::new(failure.code, failure.to_string());
        error.fault = failure.fault;
        error
    }
}
