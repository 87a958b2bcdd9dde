//! Where a system works: what the process around it hands down, so that a system reads neither environment nor clock.

use std::any::Any;
use std::pin::Pin;
use std::sync::Arc;

use contract::{Error, Reply};
use home::{Env, Home, Project, Settings};
use sessions::Guest;

use crate::Call;

/// The process that a system works in.
pub trait Host: Any + Send + Sync {
    /// The Plimsoll folder.
    fn home(&self) -> &Home;
    /// The environment.
    fn env(&self) -> &Env;
    /// The time, in milliseconds since 1970.
    fn now_ms(&self) -> i64;
    /// The settings.
    fn settings(&self) -> &Settings;
    /// The project, or what stands for it where there is none.
    fn project(&self) -> Project;
    /// Whether a project is known.
    fn has_project(&self) -> bool;
    /// Everybody with a table beside the record of sessions, for whoever opens it.
    fn guests(&self) -> Vec<&'static Guest>;
}

/// Where one request is carried out, and who asks.
#[derive(Clone)]
pub struct At {
    /// The process.
    pub host: Arc<dyn Host>,
    /// The asker.
    pub call: Call,
}

/// The carrying out of a request.
pub type Work<T = Reply> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send>>;

impl At {
    /// Where this is carried out, as the type that it is; for the one system whose work is the host's own.
    #[must_use]
    pub fn host_as<T: Host>(&self) -> Option<Arc<T>> {
        let host: Arc<dyn Any + Send + Sync> = Arc::clone(&self.host) as _;
        host.downcast().ok()
    }
}

impl std::fmt::Debug for At {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "At({})", self.call.session)
    }
}
