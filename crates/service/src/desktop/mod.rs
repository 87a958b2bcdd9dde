//! What the window and the tray ask for, in the contract's types: one file per screen.
//!
//! Everything here may wait for the disk and is called on a thread of its own. Owns what the window keeps
//! between two questions (the open knowledge base, the plan that was shown last); does not know who shows it.

mod attention;
mod changes;
mod faults;
mod filters;
mod history;
mod knowledge;
mod listing;
mod markdown;
mod marks;
mod overview;
mod projects;
mod record;
mod settings;
mod setup;
mod sums;
mod trash;
mod uninstall;

pub use faults::fault_line;
pub(crate) use projects::remember_root;
pub use trash::named as named_in_trash;

use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use ::knowledge::Store;
use contract::Error;

use crate::Service;
use crate::wiring::Plan;

/// The operations of the window over one service.
pub struct Desktop {
    service: Arc<Service>,
    /// The knowledge bases that were read last; search as you type would open them at every key otherwise.
    library: Mutex<Vec<(PathBuf, Store)>>,
    /// The plan that was shown last, so that exactly it is carried out.
    plan: Mutex<Option<(u32, Arc<Plan>)>>,
    /// Counts the looks through past sessions: one that is not the latest any more ends early.
    discovering: AtomicU64,
}

impl Desktop {
    /// Over this service. Opens nothing.
    pub fn new(service: Arc<Service>) -> Self {
        Self { service, library: Mutex::default(), plan: Mutex::new(None), discovering: AtomicU64::new(0) }
    }

    /// The service.
    pub fn service(&self) -> &Arc<Service> {
        &self.service
    }

    /// A service that has read nothing yet: the window lives for days, settings change meanwhile.
    fn fresh(&self) -> Result<Service, Error> {
        Service::new(self.service.env().clone(), self.service.clock())
            .map(|service| service.with_systems(self.service.systems()))
    }
}
