//! The wizard's last step: what on this computer can be imported for review.

use std::path::PathBuf;

use contract::Error;
use contract::desktop::Nothing;

use super::team_types::{MemorySource, MemorySourceRef, MemorySources, MemoryTaken};
use super::window_context::WindowContext;
use crate::entry_points::import_sources::DATA_IMPORT;
use crate::store::messages;

/// The import sources; none while memory is switched off.
pub(super) fn list(window: &WindowContext, _: Nothing) -> Result<MemorySources, Error> {
    if !crate::SYSTEM.is_on(&window.settings()) {
        return Ok(MemorySources::default());
    }
    let rows = (DATA_IMPORT.sources)(window.host())
        .into_iter()
        .map(|one| {
            // The window exchanges text, which can't express every path.
            let named =
                one.path.to_str().is_some() && one.folder.as_ref().is_none_or(|it| it.to_str().is_some());
            MemorySource {
                kind: one.kind,
                path: printable(one.path),
                folder: one.folder.map(printable),
                new: one.new,
                samples: one.samples,
                problem: if named { one.problem } else { Some(messages::nameless_path()) },
            }
        })
        .collect();
    Ok(MemorySources { rows })
}

fn printable(path: PathBuf) -> PathBuf {
    match path.to_str() {
        Some(_) => path,
        None => path.to_string_lossy().into_owned().into(),
    }
}

/// Imports one of them.
pub(super) fn take(window: &WindowContext, asked: MemorySourceRef) -> Result<MemoryTaken, Error> {
    let source =
        system::ImportSource { path: asked.path, folder: asked.folder, ..system::ImportSource::default() };
    let system::ImportReport { waiting, known, redacted, refused, problems } =
        (DATA_IMPORT.run)(window.host(), &source)?;
    Ok(MemoryTaken { waiting, known, redacted, refused, problems })
}
