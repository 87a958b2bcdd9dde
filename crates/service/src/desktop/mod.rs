//! The operations of the window and the tray in the contract's types, one file per screen.
//!
//! Everything here may block on the disk and is called on its own thread. Owns what the window keeps between two
//! requests (open knowledge bases, the last plan shown); doesn't know what displays it.

mod attention;
mod faults;
mod file_changes;
mod filters;
mod highlights;
mod history;
mod knowledge;
mod markdown;
mod overview;
mod projects;
mod record_reset;
mod settings;
mod setup;
mod sources;
mod sums;
mod trash;
mod uninstall;

pub use faults::fault_line;
pub use trash::trash_file;
pub(crate) use trash::{empty_trash, purges_in};

use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use ::knowledge::Store;
use contract::Error;

use crate::Service;
use crate::setup::Plan;

/// The window's operations over one service.
pub struct Desktop {
    service: Arc<Service>,
    /// The knowledge bases that were read last; search as you type would reopen them at every key press otherwise.
    stores: Mutex<Vec<(PathBuf, Store)>>,
    /// The last plan shown, so that exactly this plan is applied.
    plan: Mutex<Option<(u32, Arc<Plan>)>>,
    /// Numbers the scans of past sessions: all but the latest are cancelled.
    discovering: AtomicU64,
}

impl Desktop {
    /// Creates it over this service. Opens nothing.
    pub fn new(service: Arc<Service>) -> Self {
        Self { service, stores: Mutex::default(), plan: Mutex::new(None), discovering: AtomicU64::new(0) }
    }

    /// The service.
    pub fn service(&self) -> &Arc<Service> {
        &self.service
    }

    /// A service with unread settings: the window runs for days while settings change.
    fn with_current_settings(&self) -> Result<Service, Error> {
        Service::new(self.service.env().clone(), self.service.clock())
            .map(|service| service.with_systems(self.service.systems()))
    }
}
