//! Enforces rules on what runs: a denied program doesn't start and a denied file doesn't open, however the command names it.
//!
//! The decision is made elsewhere ([`Judge`]); this module brings the question to it. On Linux the kernel asks about each
//! program start and each file opening (seccomp notification), and the path's real target decides. That needs no
//! privileges, no walk through folders, and no list of existing files. On macOS the rules become a seatbelt profile.
//! Windows has nothing like it for a single run; there only the command's analysis applies.
//!
//! The promise: no ordinary program gets past it by any route (variables, interpreters, links, copies, renamed folders,
//! `/proc`). The limits: a program written to race the check, by swapping a path between question and use, can win; and what
//! other services do on request (a container daemon, a shell on another computer) isn't seen.

#[cfg(target_os = "linux")]
mod answer;
#[cfg(target_os = "linux")]
mod decide;
#[cfg(target_os = "linux")]
mod file_access;
#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod network_access;
#[cfg(target_os = "linux")]
mod notify;
#[cfg(target_os = "linux")]
mod program_start;
#[cfg(target_os = "linux")]
mod resolved_path;
#[cfg(target_os = "linux")]
mod rules;
pub mod seatbelt;
#[cfg(target_os = "linux")]
mod supervise;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// How many of a run's denials are remembered.
const MOST_STOPPED: usize = 20;

/// What is about to be done to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Its content is read.
    Read,
    /// It is created, changed, replaced or removed.
    Write,
}

/// Knows the rules. Called often, from a thread of its own; the answer is the reason to refuse.
pub trait Judge: Send + Sync {
    /// A program is about to start. `words` are its words, beginning with the path that starts it; `real` is the file behind
    /// it.
    fn match_program(&self, real: &Path, words: &[String]) -> Option<String>;
    /// A file is about to be opened, by its real path.
    fn match_file(&self, real: &Path, access: Access) -> Option<String>;
    /// Whether [`Judge::match_file`] ever refuses.
    fn has_file_rules(&self) -> bool;
    /// Names of programs that are denied with any arguments.
    fn programs(&self) -> Vec<String>;
    /// The rules as a seatbelt profile needs them.
    fn denied(&self) -> seatbelt::Denied {
        seatbelt::Denied::default()
    }
}

/// Whether this computer supports confinement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Support {
    /// Yes, by this mechanism.
    Yes(&'static str),
    /// No, for this reason.
    No(String),
}

/// What programs may reach over the network.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum NetworkAccess {
    /// Everything.
    #[default]
    All,
    /// No addresses of private networks, except this computer's own servers.
    Public,
    /// Only this computer's local sockets.
    Off,
}

/// The rules for one run.
#[derive(Clone)]
pub struct Confine {
    judge: Arc<dyn Judge>,
    reach: NetworkAccess,
    /// The first program is Plimsoll's choice (a runtime) and isn't checked.
    trusts_first: bool,
    /// A run that can't be confined doesn't start.
    insists: bool,
    #[cfg(target_os = "linux")]
    programs: Arc<[rules::ProgramFile]>,
    /// The run's own folder with its script, which no rule is about.
    own: Option<PathBuf>,
    stopped: Arc<Mutex<Vec<String>>>,
    #[cfg(target_os = "linux")]
    line: Arc<supervise::Listener>,
}

impl fmt::Debug for Confine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Confine")
            .field("reach", &self.reach)
            .field("insists", &self.insists)
            .finish_non_exhaustive()
    }
}

impl Confine {
    /// Rules for a run. `path` is the value of PATH, where programs are found.
    pub fn new(judge: Arc<dyn Judge>, reach: NetworkAccess, path: Option<&std::ffi::OsStr>) -> Confine {
        #[cfg(target_os = "linux")]
        let programs = rules::ProgramFile::find(&judge.programs(), path).into();
        #[cfg(not(target_os = "linux"))]
        let _ = path;
        Confine {
            judge,
            reach,
            trusts_first: false,
            insists: false,
            #[cfg(target_os = "linux")]
            programs,
            own: None,
            stopped: Arc::default(),
            #[cfg(target_os = "linux")]
            line: Arc::default(),
        }
    }

    /// The first program is a runtime that Plimsoll chose.
    #[must_use]
    pub fn trust_first_program(mut self) -> Confine {
        self.trusts_first = true;
        self
    }

    /// Files in this folder may be read whatever the rules say: it contains the run's script.
    #[must_use]
    pub(crate) fn with_own_folder(mut self, folder: &Path) -> Confine {
        self.own = Some(std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf()));
        self
    }

    /// Refuse to run rather than run unconfined.
    #[must_use]
    pub fn required(mut self, insists: bool) -> Confine {
        self.insists = insists;
        self
    }

    /// What was denied so far, as sentences without duplicates.
    pub fn stopped(&self) -> Vec<String> {
        self.stopped.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only the supervisor notes denials"))]
    fn note(&self, what: String) {
        let mut stopped = self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
        if stopped.len() < MOST_STOPPED && !stopped.contains(&what) {
            stopped.push(what);
        }
    }

    /// For a process that ends before its children: they continue under the same rules, answered by `successor`, which
    /// gets the listener as its standard input. Without running children, nothing is started.
    ///
    /// # Errors
    /// If the successor doesn't start; the children can then open nothing and start nothing.
    pub fn leave(&self, successor: impl FnOnce() -> std::process::Command) -> std::io::Result<()> {
        #[cfg(target_os = "linux")]
        if let Some(listener) = self.line.release() {
            let mut command = successor();
            command.stdin(listener).stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
            command.spawn()?;
        }
        #[cfg(not(target_os = "linux"))]
        drop(successor);
        Ok(())
    }

    /// Takes over the listener from a process that ended, and answers until no one can ask.
    #[cfg(target_os = "linux")]
    pub fn go_on(&self, listener: std::os::fd::OwnedFd) {
        supervise::go_on(self, listener);
    }

    /// Prepares `command` to start confined. Keep the returned value until it has been started.
    #[cfg(target_os = "linux")]
    pub(crate) fn arm(&self, command: &mut tokio::process::Command) -> std::io::Result<Armed> {
        supervise::arm(self, command)
    }

    /// The program and arguments that run `program` confined.
    pub(crate) fn wrapped(
        &self,
        program: PathBuf,
        args: Vec<std::ffi::OsString>,
    ) -> (PathBuf, Vec<std::ffi::OsString>) {
        if !cfg!(target_os = "macos") {
            return (program, args);
        }
        let profile = seatbelt::profile(&self.judge.denied(), self.reach);
        let mut all = vec!["-p".into(), profile.into(), program.into_os_string()];
        all.extend(args);
        (PathBuf::from(seatbelt::PROGRAM), all)
    }
}

/// Keeps the supervisor's end of a confined start open until the program runs.
#[cfg(target_os = "linux")]
#[derive(Debug)]
pub(crate) struct Armed {
    _child_end: std::os::unix::net::UnixStream,
}

/// Whether programs can be confined here. Tested once, on a short-lived thread.
pub fn support() -> Support {
    static FOUND: std::sync::OnceLock<Support> = std::sync::OnceLock::new();
    FOUND.get_or_init(look).clone()
}

#[cfg(target_os = "linux")]
fn look() -> Support {
    supervise::probe()
}

#[cfg(target_os = "macos")]
fn look() -> Support {
    if Path::new(seatbelt::PROGRAM).exists() {
        Support::Yes("seatbelt")
    } else {
        Support::No(format!("{} is missing", seatbelt::PROGRAM))
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn look() -> Support {
    Support::No("this system can't confine a single program by rules".into())
}
