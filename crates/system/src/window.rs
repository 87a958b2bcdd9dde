//! What the systems' own commands of the window have in common: how their types are declared, how a command becomes a row, and
//! which folders people work in. Knows no system and no command.

use std::path::PathBuf;

use contract::{Error, ErrorCode};
use home::Project;
use sessions::{Page, SessionFilter, Sessions, live};

use crate::{Host, Work};

/// Types at the border to the window, each with its TypeScript side.
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

/// A system's commands: `how` carries each out, given where it's asked, the argument and what does the work.
#[macro_export]
macro_rules! commands {
    ($how:path; $($asked:ident $name:literal ($args:ty) -> $reply:ty, $work:path, $twin:expr;)*) => {
        $(
            struct $asked;
            impl $crate::Answer for $asked {
                type Args = $args;
                type Reply = $reply;
                fn answer(at: $crate::At, args: $args) -> $crate::Work<$reply> {
                    $how(at, args, $work)
                }
            }
        )*
        /// What the window can ask for.
        pub(crate) static COMMANDS: &[$crate::Command] = &[$($crate::Command::new::<$asked>($name, $twin)),*];
    };
}

/// Carries work out on a thread that may wait for the disk.
pub fn blocking<R: Send + 'static>(work: impl FnOnce() -> Result<R, Error> + Send + 'static) -> Work<R> {
    Box::pin(async move {
        let done = tokio::task::spawn_blocking(work).await;
        done.map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))?
    })
}

/// So many sessions are asked for the folders that they worked in.
const SESSIONS: u64 = 1_000;

/// The folders that agents worked in, as far as they are still there, the last first.
pub fn folders(host: &dyn Host) -> Vec<Project> {
    let mut roots: Vec<PathBuf> = Vec::new();
    let mut beats = live::all(host.home(), host.now_ms());
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
    // Without the record fewer folders are known, and nothing else is missing.
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
