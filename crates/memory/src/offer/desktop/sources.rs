//! What is on this computer already and can be taken in, for the wizard's last step: looked at, and taken in to be reviewed.

use contract::Error;
use contract::desktop::Nothing;

use super::place::Place;
use super::team_shapes::{MemorySource, MemorySourceRef, MemorySources, MemoryTaken};
use crate::offer::sources::TAKE_IN;

/// What can be taken in; nothing while memory is switched off.
pub(super) fn list(place: &Place, _: Nothing) -> Result<MemorySources, Error> {
    if !crate::SYSTEM.is_on(&place.settings()) {
        return Ok(MemorySources::default());
    }
    let rows = (TAKE_IN.look)(place.host())
        .into_iter()
        .map(|one| MemorySource {
            kind: one.kind,
            path: one.path,
            folder: one.folder,
            new: one.new,
            samples: one.samples,
            problem: one.problem,
        })
        .collect();
    Ok(MemorySources { rows })
}

/// Takes one of them in.
pub(super) fn take(place: &Place, asked: MemorySourceRef) -> Result<MemoryTaken, Error> {
    let source = system::Source { path: asked.path, folder: asked.folder, ..system::Source::default() };
    let system::Taken { waiting, known, redacted, refused, problems } =
        (TAKE_IN.take)(place.host(), &source)?;
    Ok(MemoryTaken { waiting, known, redacted, refused, problems })
}
