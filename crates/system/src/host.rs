//! Where a system works: what the process around it hands down, so that a system reads neither environment nor clock.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;

use contract::{Error, ErrorCode, Reply};
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
    /// The sidecar `plimsoll`, where this process is another program.
    fn sidecar(&self) -> Option<PathBuf> {
        None
    }
    /// Whether the asker's permission rules allow this command line in this folder; `false` where they say nothing of it, an error
    /// where they forbid it or want to be asked. A host that knows no rules allows a person everything, and an agent nothing.
    fn may_run(self: Arc<Self>, call: Call, _command: String, _folder: PathBuf) -> Work<bool> {
        let may = call.is_of_person();
        let refused = || Error::new(ErrorCode::Denied, "the permission rules can't be seen from here");
        Box::pin(async move { may.then_some(true).ok_or_else(refused) })
    }
    /// Which files the asker's permission rules let it read; an error where they cannot be seen.
    /// A host that knows no rules lets a person read everything, and an agent nothing.
    fn readable(self: Arc<Self>, call: Call) -> Work<Readable> {
        let may = call.agent.is_none();
        Box::pin(async move { Ok(Readable::new(move |_| may)) })
    }
}

/// Which files an asker may read.
#[derive(Clone)]
pub struct Readable(Arc<dyn Fn(&Path) -> bool + Send + Sync>);

impl Readable {
    /// What `may` lets through.
    pub fn new(may: impl Fn(&Path) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(may))
    }

    /// Everything: nobody has a rule.
    #[must_use]
    pub fn everything() -> Self {
        Self::new(|_| true)
    }

    /// Whether this file, by its whole path, may be read.
    #[must_use]
    pub fn has(&self, path: &Path) -> bool {
        (self.0)(path)
    }
}

impl std::fmt::Debug for Readable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Readable")
    }
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
