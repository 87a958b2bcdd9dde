//! Holding what runs to rules while it runs: a program that is denied does not start, a file that is denied does not
//! open, whatever words the command chose for it.
//!
//! What is denied is decided elsewhere ([`Judge`]); this crate brings the question to it. On Linux each start of a program
//! and each opening of a file is asked about by the kernel (seccomp notification), and decided by where the path really
//! leads. That needs no rights, no walk through folders, and no list of what is there. On macOS the rules become a
//! seatbelt profile. Windows has nothing of the kind for a single run; there reading the command is all there is.
//!
//! What is promised: no ordinary program gets past it, by whatever route (variables, interpreters, links, copies,
//! renamed folders, `/proc`). What is not: a program written to race the check, by swapping a path between question and
//! use, can win; and what other services do on request (a container daemon, a shell on another computer) is not seen.

#[cfg(target_os = "linux")]
mod ask;
#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod notify;
#[cfg(target_os = "linux")]
mod place;
#[cfg(target_os = "linux")]
mod rules;
pub mod seatbelt;
#[cfg(target_os = "linux")]
mod supervise;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Denials that are remembered of one run.
const MOST_STOPPED: usize = 20;

/// What is about to be done to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Its content is read.
    Read,
    /// It is made, changed, replaced or removed.
    Write,
}

/// Who knows the rules. Asked from a thread of its own, many times; the answer is the reason to refuse.
pub trait Judge: Send + Sync {
    /// A program is about to start. `words` are its words, the first the path that it is started by; `real` is the
    /// file behind it.
    fn match_program(&self, real: &Path, words: &[String]) -> Option<String>;
    /// A file is about to be opened, by its real path.
    fn opened(&self, real: &Path, access: Access) -> Option<String>;
    /// Whether [`Judge::opened`] ever refuses.
    fn has_file_rules(&self) -> bool;
    /// Names of programs that are denied whatever their arguments are.
    fn programs(&self) -> Vec<String>;
    /// The rules as a seatbelt profile needs them.
    fn denied(&self) -> seatbelt::Denied {
        seatbelt::Denied::default()
    }
}

/// Whether this computer can do it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Support {
    /// It can, by this means.
    Yes(&'static str),
    /// It cannot, for this reason.
    No(String),
}

/// What programs may reach over the network.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Reach {
    /// Everything.
    #[default]
    All,
    /// No addresses of private networks; this computer's own servers stay within reach.
    Public,
    /// Nothing but this computer's local sockets.
    Off,
}

/// The rules for what one run starts.
#[derive(Clone)]
pub struct Confine {
    judge: Arc<dyn Judge>,
    reach: Reach,
    /// The first program is ours (a runtime) and is not asked about.
    trusts_first: bool,
    /// A run that cannot be confined does not start.
    insists: bool,
    #[cfg(target_os = "linux")]
    programs: Arc<[rules::ProgramFile]>,
    /// The run's own folder with its script, which is nobody's file but ours.
    own: Option<PathBuf>,
    stopped: Arc<Mutex<Vec<String>>>,
    #[cfg(target_os = "linux")]
    line: Arc<supervise::Line>,
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
    /// Rules for a run. `path` is where programs are found (the value of PATH).
    pub fn new(judge: Arc<dyn Judge>, reach: Reach, path: Option<&std::ffi::OsStr>) -> Confine {
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

    /// The first program that is started is a runtime that we chose.
    #[must_use]
    pub fn trusting_first(mut self) -> Confine {
        self.trusts_first = true;
        self
    }

    /// Files in this folder may be read whatever the rules say: it holds the script of the run.
    #[must_use]
    pub(crate) fn owning(mut self, folder: &Path) -> Confine {
        self.own = Some(std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf()));
        self
    }

    /// Rather no run than one that is not confined.
    #[must_use]
    pub fn insisting(mut self, insists: bool) -> Confine {
        self.insists = insists;
        self
    }

    /// What was stopped until now, in words: each once.
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

    /// For a process that ends before what it started does: whoever still runs goes on under the same rules, answered
    /// for by `successor`, which is given the line to the kernel as its standard input. Nothing is started when nobody
    /// is left.
    ///
    /// # Errors
    /// When the successor does not start; what is left can then open nothing and start nothing.
    pub fn leave(&self, successor: impl FnOnce() -> std::process::Command) -> std::io::Result<()> {
        #[cfg(target_os = "linux")]
        if let Some(listener) = self.line.hand_on() {
            let mut command = successor();
            command.stdin(listener).stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
            command.spawn()?;
        }
        #[cfg(not(target_os = "linux"))]
        drop(successor);
        Ok(())
    }

    /// Takes the line over from a process that left, and answers until nobody is left who could ask.
    #[cfg(target_os = "linux")]
    pub fn go_on(&self, listener: std::os::fd::OwnedFd) {
        supervise::go_on(self, listener);
    }

    /// Prepares `command` to start confined. What is returned must be kept until it has been started.
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

/// Keeps our end of a confined start until the program runs.
#[cfg(target_os = "linux")]
#[derive(Debug)]
pub(crate) struct Armed {
    _child_end: std::os::unix::net::UnixStream,
}

/// Whether programs can be confined here. Tried once, on a thread of its own that ends at once.
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
    Support::No("this system has no means to confine a single program by rules".into())
}
