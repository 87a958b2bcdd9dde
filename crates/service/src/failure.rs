//! The errors of the rooms below as the few codes that a front end branches on. The rooms' own messages name
//! the thing and the way out already, so they are passed on as they are.

use contract::{Error, ErrorCode, Told, joined};
use knowledge::KnowledgeError;
use sandbox::SandboxError;

use crate::messages;

pub(crate) fn of_sandbox(error: &SandboxError) -> Error {
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

pub(crate) fn of_knowledge(error: &KnowledgeError) -> Error {
    let code = match error {
        KnowledgeError::NoSource(_) | KnowledgeError::NothingToPurge(_) | KnowledgeError::Io { .. } => {
            ErrorCode::NotFound
        }
        KnowledgeError::BadGlob { .. } => ErrorCode::InvalidArgument,
        _ => ErrorCode::Storage,
    };
    Error::told(code, error)
}

pub(crate) fn of_storage(error: &impl Told) -> Error {
    Error::told(ErrorCode::Storage, error)
}

/// A file that cannot be read or written.
pub(crate) fn of_file(path: &std::path::Path, error: &std::io::Error) -> Error {
    Error::new(ErrorCode::Storage, joined::about(path, error.message()))
}

/// A background thread that ended in a defect.
pub(crate) fn of_thread(error: &tokio::task::JoinError) -> Error {
    log::error!("a worker thread ended badly: {error}");
    Error::new(ErrorCode::Internal, messages::defect_in_call())
}
