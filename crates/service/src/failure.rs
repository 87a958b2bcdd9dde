//! Maps the errors of lower crates to the few codes that a front end branches on. Their messages already name the
//! thing and the remedy, so they are kept unchanged.

use contract::{Error, ErrorCode, LowerError};
use knowledge::KnowledgeError;
use sandbox::SandboxError;

use crate::messages;

pub(crate) fn from_sandbox(error: &SandboxError) -> Error {
    let code = match error {
        SandboxError::UnknownLanguage { .. }
        | SandboxError::NoFolder { .. }
        | SandboxError::ClosedFolder { .. } => ErrorCode::InvalidArgument,
        SandboxError::NoRuntime { .. } => ErrorCode::RuntimeMissing,
        SandboxError::NoFile { .. } | SandboxError::NoTask { .. } => ErrorCode::NotFound,
        SandboxError::Io { .. } => ErrorCode::Storage,
        _ => ErrorCode::Failed,
    };
    Error::new(code, error.to_string())
}

pub(crate) fn from_knowledge(error: &KnowledgeError) -> Error {
    let code = match error {
        // It exists, but isn't something to index.
        KnowledgeError::Io { error, .. } if is_unusable(error.kind()) => ErrorCode::InvalidArgument,
        KnowledgeError::NoSource(_) | KnowledgeError::NothingToPurge(_) | KnowledgeError::Io { .. } => {
            ErrorCode::NotFound
        }
        KnowledgeError::BadGlob { .. } => ErrorCode::InvalidArgument,
        _ => ErrorCode::Storage,
    };
    Error::from_lower(code, error)
}

/// Whether there is a file, but none with text of a usable size.
fn is_unusable(kind: std::io::ErrorKind) -> bool {
    use std::io::ErrorKind::{FileTooLarge, InvalidData, InvalidInput, Other};
    matches!(kind, FileTooLarge | InvalidData | InvalidInput | Other)
}

pub(crate) fn from_storage(error: &impl LowerError) -> Error {
    Error::from_lower(ErrorCode::Storage, error)
}

/// A file that can't be read or written.
pub(crate) fn from_file(path: &std::path::Path, error: &std::io::Error) -> Error {
    Error::new(ErrorCode::Storage, home::file_problem(path, error))
}

/// A background thread that panicked.
pub(crate) fn from_thread(error: &tokio::task::JoinError) -> Error {
    log::error!("a worker thread ended badly: {error}");
    Error::new(ErrorCode::Internal, messages::defect_in_call())
}
