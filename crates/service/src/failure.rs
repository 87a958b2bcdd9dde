//! Maps the errors of lower crates to the few codes that a front end branches on. Their messages already name the
//! thing and the remedy, so they are kept unchanged.

use contract::{Error, ErrorCode, LowerError};
use knowledge::KnowledgeError;
use sandbox::SandboxError;

use crate::messages;

/// The longest message of an error, in bytes.
const LONGEST_MESSAGE: usize = 4_000;

/// The error with both ends of its message if that is long: it repeats what was asked for, and that can be a document where a path
/// belongs. Its secrets are hidden before, because nobody recognises half of one afterwards.
pub fn brief(mut error: Error) -> Error {
    if error.message.text().len() > LONGEST_MESSAGE {
        let shown = text::cut_middle(&text::redact(error.message.text()), LONGEST_MESSAGE, 50).into_owned();
        error.message = shown.into();
    }
    error
}

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
        KnowledgeError::Io { error, .. } if error.kind() == std::io::ErrorKind::PermissionDenied => {
            ErrorCode::Failed
        }
        KnowledgeError::Io { error, .. } if !home::is_missing(error) => ErrorCode::Storage,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_file_that_isnt_there_wasnt_found() {
        use std::io::ErrorKind as Kind;
        for (kind, code) in [
            (Kind::NotFound, ErrorCode::NotFound),
            (Kind::NotADirectory, ErrorCode::NotFound),
            (Kind::PermissionDenied, ErrorCode::Failed),
            (Kind::StorageFull, ErrorCode::Storage),
            (Kind::FileTooLarge, ErrorCode::InvalidArgument),
        ] {
            let error = KnowledgeError::Io { path: "a.md".into(), error: kind.into() };
            assert_eq!(from_knowledge(&error).code, code, "{kind:?}");
        }
    }

    #[test]
    fn a_message_has_both_ends_and_no_more() {
        let asked = "é".repeat(100_000);
        let long = Error::new(ErrorCode::NotFound, format!("there is no file {asked}; name another"));
        let shown = brief(long).message.to_string();
        assert!(shown.len() <= LONGEST_MESSAGE, "{}", shown.len());
        assert!(shown.starts_with("there is no file é") && shown.ends_with("; name another"), "{shown}");
        let tokens = "ghp_k3J9x2Qw7Lm4Vb8Zt1Rs6Yp5Nc0Hd3Fg9Aa2 ".repeat(1_000);
        let shown = brief(Error::new(ErrorCode::NotFound, format!("there is no file {tokens}"))).message;
        assert!(!shown.text().contains("ghp_") && shown.text().len() <= LONGEST_MESSAGE, "{shown}");
        let short = Error::new(ErrorCode::Internal, messages::defect_in_call());
        assert_eq!(brief(short.clone()), short);
    }
}
