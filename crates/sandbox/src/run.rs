//! One run from code to outcome: find the runtime, write the script into a folder of its own, start it, listen,
//! and clear up.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use tokio::time::Instant;

use crate::capture::Capture;
use crate::child::{Launch, Stopped};
use crate::clean::Redact;
use crate::folder::RunFolder;
use crate::script::{Plan, Request};
use crate::spill::Spill;
use crate::{Cancel, Captured, Confine, Language, Runtimes, SandboxError, child_env};

/// The time limit when none is asked for.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(120);
/// The longest time limit that may be asked for.
pub const MAX_TIMEOUT: Duration = Duration::from_secs(3600);
/// The output limit when none is asked for, in bytes: enough for any log that anyone reads, little enough
/// for the disk.
pub const DEFAULT_MAX_OUTPUT: u64 = 100 * 1024 * 1024;

/// What to run, and within which bounds.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// The language of `code`.
    pub language: Language,
    /// The code.
    pub code: &'a str,
    /// The working folder; must exist.
    pub cwd: &'a Path,
    /// A file whose text the code sees as `FILE_CONTENT`, and its path as `FILE_CONTENT_PATH`. Relative
    /// paths start at `cwd`.
    pub file: Option<&'a Path>,
    /// When to end it, compiling included. Held to [`MAX_TIMEOUT`].
    pub timeout: Duration,
    /// The environment of our own process; [`child_env`] makes the child's of it.
    pub env: &'a [(OsString, OsString)],
    /// The folder for the file with the whole output, if there is more than memory keeps.
    pub spill: &'a Path,
    /// Takes the secrets out of what is written there.
    pub redact: Redact,
    /// The folder in which the run's own temp folder is made and removed.
    pub temp_root: &'a Path,
    /// When to end it because it prints too much, in bytes of both streams.
    pub max_output: u64,
    /// The rules that it runs under.
    pub confine: Option<&'a Confine>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// By itself, with this code.
    Exit(i32),
    /// By a signal that was not ours.
    Signal(i32),
    /// By us: the time was up.
    TimedOut,
    /// By us: the caller asked for it.
    Cancelled,
    /// By us: it printed more than allowed.
    TooMuchOutput,
}

/// What became of a run. However it ended, what it printed is here.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The language that was run.
    pub language: Language,
    /// How it ended.
    pub status: Status,
    /// The exit code; 128 + the signal's number when a signal ended it, as shells say it.
    pub exit_code: i32,
    /// What it printed on stdout.
    pub stdout: Captured,
    /// What it printed on stderr.
    pub stderr: Captured,
    /// Both, in the order in which they arrived.
    pub combined: Captured,
    /// From start to end, compiling included.
    pub elapsed: Duration,
    /// The program that ran it.
    pub runtime: String,
    /// Processes that it started held its output open after its end and were ended. Worth a word to the
    /// caller: only background tasks may go on.
    pub leftovers_ended: bool,
    /// What its rules kept it from, in words.
    pub stopped: Vec<String>,
}

impl Outcome {
    /// It ended by itself with code 0.
    pub fn is_success(&self) -> bool {
        self.status == Status::Exit(0)
    }

    /// A shell command that ended with 1 but printed something, like a `diff` that found differences or a `grep -c` without hits: an answer, not
    /// an error.
    pub fn is_soft_failure(&self) -> bool {
        self.language == Language::Shell && self.status == Status::Exit(1) && self.stdout.bytes > 0
    }
}

/// Runs code and waits for its end. To be called on a current-thread runtime, or on a thread that lives as
/// long as the child: on Linux a child is tied to the thread that starts it.
///
/// # Errors
/// Only what keeps it from running: an unknown folder or file, no runtime, no temp folder. Dropping the future
/// ends the child and all that it started.
pub async fn run(run: &Run<'_>, runtimes: &Runtimes, mut cancel: Cancel) -> Result<Outcome, SandboxError> {
    let started = Instant::now();
    let deadline = started + run.timeout.min(MAX_TIMEOUT);
    let prepared = Prepared::new(&Request {
        language: run.language,
        code: run.code,
        cwd: run.cwd,
        file: run.file,
        env: run.env,
        temp_root: run.temp_root,
        runtimes,
        confine: run.confine,
    })?;
    let mut capture = Capture::new(Spill::in_dir(run.spill, run.redact), run.max_output);
    let mut last = None;
    let mut leftovers_ended = false;
    for launch in &prepared.steps {
        let mut child = launch
            .spawn()
            .map_err(|source| SandboxError::Spawn { program: launch.program.clone(), source })?;
        let ended = child
            .drive(Some(deadline), &mut cancel, &mut capture)
            .await
            .map_err(SandboxError::io("waiting for", &launch.program))?;
        leftovers_ended |= ended.leftovers;
        let go_on = ended.stopped.is_none() && ended.status.success();
        last = Some(ended);
        if !go_on {
            break;
        }
    }
    let (stdout, stderr, combined) = capture.finish();
    let (status, exit_code) = match last {
        Some(ended) => judge(ended.status, ended.stopped),
        None => (Status::Exit(0), 0),
    };
    Ok(Outcome {
        language: run.language,
        status,
        exit_code,
        stdout,
        stderr,
        combined,
        elapsed: started.elapsed(),
        runtime: prepared.runtime,
        leftovers_ended,
        stopped: run.confine.map(Confine::stopped).unwrap_or_default(),
    })
}

/// The temp folder with the script in it, and the programs to start. The folder goes when this goes.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) steps: Vec<Launch>,
    pub(crate) runtime: String,
    _temp: RunFolder,
}

impl Prepared {
    pub(crate) fn new(request: &Request<'_>) -> Result<Prepared, SandboxError> {
        working_folder(request.cwd)?;
        let file = request.file.map(|file| readable(&request.cwd.join(file))).transpose()?;
        let runtime = request.runtimes.find(request.language)?;
        let temp = RunFolder::new(request.temp_root)
            .map_err(SandboxError::io("making a temp folder in", request.temp_root))?;
        let dir = temp.path();
        let plan = Plan::write(request, &runtime, file.as_deref(), dir)
            .map_err(SandboxError::io("writing the script in", dir))?;
        let runtime_dir = runtime.program.parent();
        let mut env = child_env(request.env, Some(dir), runtime_dir);
        env.extend(plan.env);
        let steps = plan
            .steps
            .into_iter()
            .map(|step| Launch {
                program: step.program,
                args: step.args,
                cwd: if step.in_temp { dir.to_path_buf() } else { request.cwd.to_path_buf() },
                env: env.clone(),
                confine: request.confine.cloned().map(|confine| confine.trusting_first().owning(dir)),
            })
            .collect();
        Ok(Prepared { steps, runtime: runtime.program.display().to_string(), _temp: temp })
    }
}

/// Whether a program can be started in a folder; to be asked before anything else is done for it.
///
/// # Errors
/// [`SandboxError::NoFolder`] when it is not there, [`SandboxError::ClosedFolder`] when it must not be entered.
pub fn working_folder(path: &Path) -> Result<(), SandboxError> {
    if !path.is_dir() {
        return Err(SandboxError::NoFolder { path: path.to_path_buf() });
    }
    #[cfg(unix)]
    rustix::fs::access(path, rustix::fs::Access::EXEC_OK)
        .map_err(|error| SandboxError::ClosedFolder { path: path.to_path_buf(), source: error.into() })?;
    Ok(())
}

/// The absolute path of a file that can be opened.
fn readable(path: &Path) -> Result<PathBuf, SandboxError> {
    let fail = |source| SandboxError::NoFile { path: path.to_path_buf(), source };
    let meta = std::fs::metadata(path).map_err(fail)?;
    if meta.is_dir() {
        return Err(fail(std::io::ErrorKind::IsADirectory.into()));
    }
    if meta.is_file() {
        // Opening anything else, such as a pipe, could wait for ever.
        std::fs::File::open(path).map_err(fail)?;
    }
    std::path::absolute(path).map_err(fail)
}

/// The status and the exit code of a child that has ended.
pub(crate) fn judge(status: ExitStatus, stopped: Option<Stopped>) -> (Status, i32) {
    let signal = signal_of(status);
    let exit_code = status.code().or(signal.map(|s| 128 + s)).unwrap_or(-1);
    let status = match (stopped, signal) {
        (Some(Stopped::TimedOut), _) => Status::TimedOut,
        (Some(Stopped::Cancelled), _) => Status::Cancelled,
        (Some(Stopped::TooMuchOutput), _) => Status::TooMuchOutput,
        (None, Some(signal)) => Status::Signal(signal),
        (None, None) => Status::Exit(exit_code),
    };
    (status, exit_code)
}

#[cfg(unix)]
fn signal_of(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal_of(_status: ExitStatus) -> Option<i32> {
    None
}
