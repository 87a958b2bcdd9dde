//! The process around a system: its folders, environment, clock and permissions, so that a system reads none of them
//! itself.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;

use contract::{Error, ErrorCode, Reply};
use home::{Env, Home, Project, Settings};
use serde_json::{Map, Value};
use sessions::Guest;

use crate::{Call, Remembered, Subject};

/// The process that a system runs in.
pub trait Host: Any + Send + Sync {
    /// Plimsoll's folder.
    fn home(&self) -> &Home;
    /// The environment.
    fn env(&self) -> &Env;
    /// The time, in milliseconds since 1970.
    fn now_ms(&self) -> i64;
    /// The user's UTC offset at a time in milliseconds since 1970, in minutes. A host that doesn't know it takes UTC.
    fn utc_offset_min(&self, _at_ms: i64) -> i32 {
        0
    }
    /// The settings.
    fn settings(&self) -> &Settings;
    /// The project, or its substitute if there is none.
    fn project(&self) -> Project;
    /// Whether there is a project.
    fn has_project(&self) -> bool;
    /// Every system's tables in the sessions' record, for opening it.
    fn guests(&self) -> Vec<&'static Guest>;
    /// The sidecar `plimsoll`, if this process is another program.
    fn sidecar(&self) -> Option<PathBuf> {
        None
    }
    /// Whether the caller's permission rules allow this command line in this folder: `false` if they don't mention
    /// it, an error if they forbid it or want to be asked. A host without rules allows everything to a user and
    /// nothing to an agent.
    fn may_run(self: Arc<Self>, call: Call, _command: String, _folder: PathBuf) -> ReplyFuture<bool> {
        let may = call.is_from_user();
        let refused = || Error::new(ErrorCode::Denied, "the permission rules can't be seen from here");
        Box::pin(async move { may.then_some(true).ok_or_else(refused) })
    }
    /// Which files the caller's permission rules let it read; an error if the rules can't be seen. A host without
    /// rules lets a user read everything and an agent nothing.
    fn readable(self: Arc<Self>, call: Call) -> ReplyFuture<Readable> {
        let may = call.agent.is_none();
        Box::pin(async move { Ok(Readable::new(move |_| may)) })
    }
    /// Has the systems learn from the project's history; gives how much waits for a review now. May wait for the disk.
    /// A host without systems learns nothing.
    fn learn(self: Arc<Self>) -> u64 {
        0
    }
    /// Calls another system's tool, by any of its names, and returns its answer. A host without systems has no tools.
    fn call_tool(
        self: Arc<Self>,
        _call: Call,
        name: &'static str,
        _arguments: Map<String, Value>,
    ) -> ReplyFuture {
        let missing = Error::new(ErrorCode::UnknownTool, format!("there is no tool {name:?} here"));
        Box::pin(async move { Err(missing) })
    }
    /// The systems' memories about a subject, at most `limit` of each; may wait for the disk. A host without systems
    /// remembers nothing.
    fn remembered(self: Arc<Self>, _call: &Call, _subject: &Subject, _limit: usize) -> Vec<Remembered> {
        Vec::new()
    }
}

/// Decides which files a caller may read.
#[derive(Clone)]
pub struct Readable(Arc<dyn Fn(&Path) -> bool + Send + Sync>);

impl Readable {
    /// Allows what `may` returns true for.
    pub fn new(may: impl Fn(&Path) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(may))
    }

    /// Allows everything: there are no rules.
    #[must_use]
    pub fn everything() -> Self {
        Self::new(|_| true)
    }

    /// Whether the file at this absolute path may be read.
    #[must_use]
    pub fn allows(&self, path: &Path) -> bool {
        (self.0)(path)
    }
}

impl std::fmt::Debug for Readable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Readable")
    }
}

/// The process and the caller of one request.
#[derive(Clone)]
pub struct CallContext {
    /// The process.
    pub host: Arc<dyn Host>,
    /// The caller.
    pub call: Call,
}

/// A request in progress.
pub type ReplyFuture<T = Reply> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send>>;

impl CallContext {
    /// The process as its concrete type; for the one system whose operations are the host's own.
    #[must_use]
    pub fn host_as<T: Host>(&self) -> Option<Arc<T>> {
        let host: Arc<dyn Any + Send + Sync> = Arc::clone(&self.host) as _;
        host.downcast().ok()
    }
}

impl std::fmt::Debug for CallContext {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "At({})", self.call.session)
    }
}
