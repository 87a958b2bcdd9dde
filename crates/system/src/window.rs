//! Helpers for systems' window commands: declaring their types, declaring the commands, and listing the folders that
//! agents work in. Doesn't know any system or command.

use std::path::PathBuf;

use contract::{Error, ErrorCode};
use home::Project;
use sessions::{Page, SessionFilter, Sessions, heartbeats};

use crate::{Host, ReplyFuture};

/// Declares types at the border to the window, each with its TypeScript type.
#[macro_export]
macro_rules! shapes {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
        #[serde(default)]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
        pub(crate) struct $name { $($(#[$field_doc])* pub(crate) $field: $type,)* }
    )*};
}

/// Declares a system's commands: `how` runs each, given the context, the argument and the function that does the
/// work.
#[macro_export]
macro_rules! commands {
    ($how:path; $($asked:ident $name:literal ($args:ty) -> $reply:ty, $work:path, $in_terminal:expr;)*) => {
        $(
            struct $asked;
            impl $crate::CommandHandler for $asked {
                type Args = $args;
                type Reply = $reply;
                fn handle(at: $crate::CallContext, args: $args) -> $crate::ReplyFuture<$reply> {
                    $how(at, args, $work)
                }
            }
        )*
        /// The system's commands for the window.
        pub(crate) static COMMANDS: &[$crate::Command] = &[$($crate::Command::new::<$asked>($name, $in_terminal)),*];
    };
}

/// Runs work on a thread that may block.
pub fn blocking<R: Send + 'static>(
    work: impl FnOnce() -> Result<R, Error> + Send + 'static,
) -> ReplyFuture<R> {
    Box::pin(async move {
        let done = tokio::task::spawn_blocking(work).await;
        done.map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))?
    })
}

/// How many sessions are searched for folders.
const SESSIONS: u64 = 1_000;

/// The existing folders that agents worked in, latest first.
pub fn folders(host: &dyn Host) -> Vec<Project> {
    let mut roots: Vec<PathBuf> = Vec::new();
    let mut beats = heartbeats::all(host.home(), host.now_ms());
    beats.sort_by_key(|beat| std::cmp::Reverse(beat.started_ms));
    roots.extend(beats.into_iter().map(|beat| beat.project));
    let recorded = || -> Result<Vec<PathBuf>, sessions::SessionsError> {
        let Some(sessions) = Sessions::open_read_only(host.home(), &host.guests())? else {
            return Ok(Vec::new());
        };
        let page = Page { offset: 0, limit: SESSIONS };
        let found = sessions.sessions(&SessionFilter::default(), page)?;
        Ok(found.items.into_iter().map(|session| PathBuf::from(session.project)).collect())
    };
    // Without the record, only fewer folders are known.
    roots.extend(recorded().unwrap_or_default());
    if host.has_project() {
        roots.push(host.project().root);
    }
    let mut seen: Vec<PathBuf> = Vec::new();
    roots.retain(|root| {
        let new = !root.as_os_str().is_empty() && root != host.home().root() && !seen.contains(root);
        if new {
            seen.push(root.clone());
        }
        new
    });
    roots.iter().filter_map(|root| Project::at(root).ok()).collect()
}
