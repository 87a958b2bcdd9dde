//! Pausing, upgrading and leaving, for the window.

use std::path::Path;

use contract::desktop::{Leave, PauseProject};
use contract::{Error, ErrorCode, UninstallReport, UpgradeReport};

use super::Desktop;
use crate::status::PROJECT_PAUSE_MS;
use crate::wiring::Computer;
use crate::{messages, uninstall, upgrade};

/// The word that a person types to leave.
const UNINSTALL: &str = "uninstall";

impl Desktop {
    /// Pauses all hooks until then; 0 ends a pause.
    ///
    /// # Errors
    /// When the settings file does not parse or cannot be written.
    pub fn pause(&self, until_ms: i64) -> Result<(), Error> {
        self.service.pause_until(until_ms)
    }

    /// Pauses the hooks of one project, or ends that.
    ///
    /// # Errors
    /// When the settings file does not parse or cannot be written.
    pub fn pause_project(&self, wanted: &PauseProject) -> Result<(), Error> {
        let until_ms = if wanted.paused { self.service.now_ms().saturating_add(PROJECT_PAUSE_MS) } else { 0 };
        self.service.pause_project(&wanted.folder, until_ms)
    }

    /// Asks the configured release server; installs only when told to.
    ///
    /// # Errors
    /// See [`upgrade::upgrade`].
    pub async fn upgrade(&self, install: bool) -> Result<UpgradeReport, Error> {
        upgrade::upgrade(&self.fresh()?, !install, false).await
    }

    /// What leaving would undo and remove.
    ///
    /// # Errors
    /// When the agents cannot be looked at.
    pub fn plan_uninstall(&self) -> Result<UninstallReport, Error> {
        let service = self.fresh()?;
        let computer = Computer::new(&service, true);
        Ok(uninstall::plan(&service, &computer, false)?.report(&service))
    }

    /// Leaves: every entry out of every file, then our folder.
    ///
    /// # Errors
    /// When the word was not typed; what cannot be undone is in the report.
    pub fn uninstall(&self, wanted: &Leave, running: &Path) -> Result<UninstallReport, Error> {
        if wanted.typed.trim() != UNINSTALL {
            return Err(Error::new(ErrorCode::ConfirmationNeeded, messages::type_to_uninstall(UNINSTALL)));
        }
        self.rest();
        let service = self.fresh()?;
        let computer = Computer::new(&service, true);
        let leaving = uninstall::plan(&service, &computer, wanted.keep_data)?;
        uninstall::carry_out(&service, leaving, running)
    }
}
