//! Pausing, upgrading and uninstalling, for the window.

use std::path::Path;

use contract::desktop::{Leave, PauseProject};
use contract::{Error, ErrorCode, UninstallReport, UpgradeReport};

use super::Desktop;
use crate::setup::Computer;
use crate::status::PROJECT_PAUSE_MS;
use crate::{messages, uninstall, upgrade};

/// The word to type before uninstalling.
const UNINSTALL: &str = "uninstall";

impl Desktop {
    /// Pauses all hooks until this time; 0 ends a pause.
    ///
    /// # Errors
    /// If the settings file doesn't parse or can't be written.
    pub fn pause(&self, until_ms: i64) -> Result<(), Error> {
        self.service.pause_until(until_ms)
    }

    /// Pauses one project's hooks, or ends that pause.
    ///
    /// # Errors
    /// If the settings file doesn't parse or can't be written.
    pub fn pause_project(&self, request: &PauseProject) -> Result<(), Error> {
        let until_ms =
            if request.paused { self.service.now_ms().saturating_add(PROJECT_PAUSE_MS) } else { 0 };
        self.service.pause_project(&request.folder, until_ms)
    }

    /// Asks the configured release server; installs only when told to.
    ///
    /// # Errors
    /// See [`upgrade::upgrade`].
    pub async fn upgrade(&self, install: bool) -> Result<UpgradeReport, Error> {
        upgrade::upgrade(&self.with_current_settings()?, !install, false).await
    }

    /// What uninstalling would undo and remove.
    ///
    /// # Errors
    /// If the agents can't be surveyed.
    pub fn plan_uninstall(&self) -> Result<UninstallReport, Error> {
        let service = self.with_current_settings()?;
        let computer = Computer::new(&service, true);
        Ok(uninstall::plan(&service, &computer, false)?.report(&service))
    }

    /// Uninstalls: removes every entry from every file, then Plimsoll's folder.
    ///
    /// # Errors
    /// If the word wasn't typed. What can't be undone is in the report.
    pub fn uninstall(&self, request: &Leave, running: &Path) -> Result<UninstallReport, Error> {
        if request.typed.trim() != UNINSTALL {
            return Err(Error::new(ErrorCode::ConfirmationNeeded, messages::type_to_uninstall(UNINSTALL)));
        }
        self.close_idle();
        let service = self.with_current_settings()?;
        let computer = Computer::new(&service, true);
        let plan = uninstall::plan(&service, &computer, request.keep_data)?;
        uninstall::uninstall(&service, plan, running)
    }
}
