//! The window as a caller: reaches projects that were worked in or have an index, reads as the user, and waits seconds, not hours.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use contract::{Error, ErrorCode};
use home::Project;
use system::{Call, Host, Readable};

use crate::index::{self, Index, IndexLocation};
use crate::messages;

/// How long the window waits for an index.
const WAITS: Duration = Duration::from_millis(2_500);

/// The process, who asks, and what may be read.
pub(super) struct Window {
    pub(super) host: Arc<dyn Host>,
    pub(super) call: Call,
    pub(super) readable: Readable,
}

impl Window {
    /// The index of a project that is known here.
    pub(super) fn place(&self, root: &Path) -> Result<IndexLocation, Error> {
        let gone = || Error::new(ErrorCode::NotFound, messages::no_project(root.display()));
        let project = Project::at(root).map_err(|_| gone())?;
        let place = self.of(&project);
        // The window shows projects that were worked in, and no other folders of the computer.
        let known =
            place.db.is_file() || system::folders(&*self.host).iter().any(|one| one.root == project.root);
        if known { Ok(place) } else { Err(gone()) }
    }

    /// The place of a project.
    pub(super) fn of(&self, project: &Project) -> IndexLocation {
        IndexLocation {
            program: self.host.sidecar(),
            waits: Some(WAITS),
            ..IndexLocation::new(self.host.home(), project)
        }
    }

    /// Answers from a project's index.
    pub(super) fn on<T>(
        &self,
        place: &IndexLocation,
        answer: impl Fn(&Index<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        index::ask(place, &self.readable, &self.call, answer)
    }
}
