//! What lives longer than one command: the service with what it keeps for the window, the desktop around it. How a command is
//! found is in `call`, the list is [`crate::COMMANDS`], the work is in one file per screen.

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
    /// The file that the person named in the last dialog for saving.
    named: Mutex<Option<PathBuf>>,
}

impl Router {
    /// A router over this service and desktop.
    pub fn new(service: Arc<Service>, host: Arc<dyn Host>) -> Arc<Self> {
        if let Some(sidecar) = host.sidecar() {
            service.beside(sidecar);
        }
        Arc::new(Self { desktop: Desktop::new(service), host, named: Mutex::new(None) })
    }

    /// The operations behind the commands, for a host's own needs: the tray reads the same figures.
    pub fn desktop(&self) -> &Desktop {
        &self.desktop
    }

    /// Does something that may wait for the disk or a program on a thread of its own.
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

    /// The person named this file in a dialog for saving, and may have it written once.
    pub(crate) fn name(&self, path: Option<PathBuf>) {
        *self.named.lock().unwrap_or_else(PoisonError::into_inner) = path;
    }

    /// Whether the page may have this file written: only the one that the person just named. A page that was
    /// taken over could otherwise write over any file of theirs.
    pub(crate) fn writable(&self, path: &Path) -> Result<(), Error> {
        let named = self.named.lock().unwrap_or_else(PoisonError::into_inner).take();
        if named.as_deref() == Some(path) {
            return Ok(());
        }
        Err(Error::new(ErrorCode::Denied, messages::not_chosen(path)))
    }

    /// The sidecar that connecting puts behind the launcher.
    pub(crate) fn sidecar(&self) -> Result<PathBuf, Error> {
        self.host.sidecar().ok_or_else(|| Error::new(ErrorCode::NotFound, messages::no_sidecar()))
    }
}
