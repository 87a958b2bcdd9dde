//! The router: the state that outlives a command, which is the service with the window's caches, and the desktop
//! around it. `call` finds a command, [`crate::COMMANDS`] lists them, and one file per screen runs them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use contract::{Error, ErrorCode};
use service::Service;
use service::desktop::Desktop;

use crate::{Host, messages};

/// Serves every command.
pub struct Router {
    pub(crate) desktop: Desktop,
    pub(crate) host: Arc<dyn Host>,
    /// The file that the user chose in the last save dialog.
    save_target: Mutex<Option<PathBuf>>,
}

impl Router {
    /// A router over this service and desktop.
    pub fn new(service: Arc<Service>, host: Arc<dyn Host>) -> Arc<Self> {
        if let Some(sidecar) = host.sidecar() {
            service.set_sidecar(sidecar);
        }
        Arc::new(Self { desktop: Desktop::new(service), host, save_target: Mutex::new(None) })
    }

    /// The operations behind the commands, for a host's own needs: the tray reads the same figures.
    pub fn desktop(&self) -> &Desktop {
        &self.desktop
    }

    /// Runs work that may block on its own thread.
    pub(crate) async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Router) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let router = Arc::clone(self);
        tokio::task::spawn_blocking(move || work(&router)).await.unwrap_or_else(|error| {
            log::error!("a command ended badly: {error}");
            Err(Error::new(ErrorCode::Internal, messages::defect()))
        })
    }

    /// Records the file that the user chose in a save dialog; it may be written once.
    pub(crate) fn allow_save(&self, path: Option<PathBuf>) {
        *self.save_target.lock().unwrap_or_else(PoisonError::into_inner) = path;
    }

    /// Checks that the page may write this file: only the one that the user just chose. A compromised page could
    /// otherwise overwrite any file.
    pub(crate) fn check_save_target(&self, path: &Path) -> Result<(), Error> {
        let save_target = self.save_target.lock().unwrap_or_else(PoisonError::into_inner).take();
        if save_target.as_deref() == Some(path) {
            return Ok(());
        }
        Err(Error::new(ErrorCode::Denied, messages::not_chosen(path)))
    }

    /// The sidecar to install behind the launcher.
    pub(crate) fn sidecar(&self) -> Result<PathBuf, Error> {
        self.host.sidecar().ok_or_else(|| Error::new(ErrorCode::NotFound, messages::no_sidecar()))
    }
}
