//! One run from code to outcome: finds the runtime, writes the script into a folder of its own, starts it, captures the output,
//! and cleans up.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use tokio::time::Instant;

use crate::capture::Capture;
use crate::child::{Launch, StopReason};
use crate::run_folder::RunFolder;
use crate::script::{Plan, Request};
use crate::spill::Spill;
use crate::stream_redactor::Redact;
use crate::{Cancel, Captured, Confine, Language, Runtimes, SandboxError, child_env};

/// The longest time limit.
pub const MAX_TIMEOUT: Duration = Duration::from_secs(3600);
/// The default output limit, in bytes: enough for any log that anyone reads, little enough for the disk.
pub const DEFAULT_MAX_OUTPUT: u64 = 100 * 1024 * 1024;

/// What to run, and its limits.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// The language of `code`.
    pub language: Language,
    /// The code.
    pub code: &'a str,
    /// The working folder; must exist.
    pub cwd: &'a Path,
    /// A file whose text the code sees as `FILE_CONTENT`, and its path as `FILE_CONTENT_PATH`. Relative paths start at
    /// `cwd`.
    pub file: Option<&'a Path>,
    /// The time limit, including compilation; at most [`MAX_TIMEOUT`].
    pub timeout: Duration,
    /// This process's environment; [`child_env`] derives the child's.
    pub env: &'a [(OsString, OsString)],
    /// The folder for the file with the full output, if it exceeds memory's limit.
    pub spill: &'a Path,
    /// Removes the secrets from that file.
    pub redact: Redact,
    /// The folder in which the run's own temporary folder is created and removed.
    pub temp_root: &'a Path,
    /// The output limit, in bytes of both streams.
    pub max_output: u64,
    /// The rules it runs under.
    pub confine: Option<&'a Confine>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// On its own, with this code.
    Exit(i32),
    /// By a signal that Plimsoll didn't send.
    Signal(i32),
    /// Stopped at the time limit.
    TimedOut,
    /// Stopped by the caller.
    Cancelled,
    /// Stopped at the output limit.
    TooMuchOutput,
}

/// A run's result. However it ended, its output is here.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The language that was run.
    pub language: Language,
    /// How it ended.
    pub status: Status,
    /// The exit code; 128 + the signal's number after a signal, as in shells.
    pub exit_code: i32,
    /// Its stdout.
    pub stdout: Captured,
    /// Its stderr.
    pub stderr: Captured,
    /// Both in arrival order.
    pub combined: Captured,
    /// The duration, including compilation.
    pub elapsed: Duration,
    /// The program that ran it.
    pub runtime: String,
    /// Whether processes that it started kept its output open after its end and were ended. Worth telling the caller: only
    /// background tasks may continue.
    pub leftovers_ended: bool,
    /// Whether one of them kept it open even so, because it had started its own session (`setsid`), which nothing here
    /// ends.
    pub leftovers_escaped: bool,
    /// What its rules denied, as sentences.
    pub stopped: Vec<String>,
}

impl Outcome {
    /// Whether it ended on its own with code 0.
    pub fn is_success(&self) -> bool {
        self.status == Status::Exit(0)
    }

    /// Whether a shell command exited with 1 but printed something, like a `diff` that found differences or a `grep -c` without
    /// hits: an answer, not an error.
    pub fn is_soft_failure(&self) -> bool {
        self.language == Language::Shell && self.status == Status::Exit(1) && self.stdout.bytes > 0
    }
}

/// Runs code and waits for its end. Call it on a current-thread runtime, or on a thread that lives as long as the child: on
/// Linux a child is tied to the thread that starts it.
///
/// # Errors
/// Only what keeps it from running: an unknown folder or file, no runtime, no temporary folder. Dropping the future ends
/// the child and everything it started.
pub async fn run(run: &Run<'_>, runtimes: &Runtimes, mut cancel: Cancel) -> Result<Outcome, SandboxError> {
    let started = Instant::now();
    let deadline = started + run.timeout.min(MAX_TIMEOUT);
    let prepared = PreparedRun::new(&Request {
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
    let (mut leftovers, mut escaped) = (false, false);
    for launch in &prepared.steps {
        let mut child = launch
            .spawn()
            .map_err(|source| SandboxError::Spawn { program: launch.program.clone(), source })?;
        let ended = child
            .drive(Some(deadline), &mut cancel, &mut capture)
            .await
            .map_err(SandboxError::io("waiting for", &launch.program))?;
        leftovers |= ended.leftovers;
        escaped |= ended.escaped;
        let go_on = ended.stopped.is_none() && ended.status.success();
        last = Some(ended);
        if !go_on {
            break;
        }
    }
    let (stdout, stderr, combined) = capture.finish();
    let (status, exit_code) = match last {
        Some(ended) => classify(ended.status, ended.stopped),
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
        leftovers_ended: leftovers && !escaped,
        leftovers_escaped: escaped,
        stopped: run.confine.map(Confine::stopped).unwrap_or_default(),
    })
}

/// The temporary folder with the script, and the programs to start. Dropping it removes the folder.
#[derive(Debug)]
pub(crate) struct PreparedRun {
    pub(crate) steps: Vec<Launch>,
    pub(crate) runtime: String,
    _temp: RunFolder,
}

impl PreparedRun {
    pub(crate) fn new(request: &Request<'_>) -> Result<PreparedRun, SandboxError> {
        working_folder(request.cwd)?;
        let file = request.file.map(|file| readable_file(&request.cwd.join(file))).transpose()?;
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
                confine: request
                    .confine
                    .cloned()
                    .map(|confine| confine.trust_first_program().with_own_folder(dir)),
            })
            .collect();
        Ok(PreparedRun { steps, runtime: runtime.program.display().to_string(), _temp: temp })
    }
}

/// Checks whether a program can be started in a folder, before anything else is done for it.
///
/// # Errors
/// [`SandboxError::NoFolder`] if it doesn't exist, [`SandboxError::ClosedFolder`] if it can't be entered.
pub fn working_folder(path: &Path) -> Result<(), SandboxError> {
    if !path.is_dir() {
        return Err(SandboxError::NoFolder { path: path.to_path_buf() });
    }
    #[cfg(unix)]
    rustix::fs::access(path, rustix::fs::Access::EXEC_OK)
        .map_err(|error| SandboxError::ClosedFolder { path: path.to_path_buf(), source: error.into() })?;
    Ok(())
}

/// The absolute path of a regular file that can be opened: a pipe would never be read to its end, a device may have none, and
/// then the script would fill the memory until its time is up.
fn readable_file(path: &Path) -> Result<PathBuf, SandboxError> {
    let fail = |source| SandboxError::NoFile { path: path.to_path_buf(), source };
    let meta = std::fs::metadata(path).map_err(fail)?;
    if meta.is_dir() {
        return Err(fail(std::io::ErrorKind::IsADirectory.into()));
    }
    if !meta.is_file() {
        return Err(fail(std::io::Error::other("it isn't a regular file")));
    }
    std::fs::File::open(path).map_err(fail)?;
    std::path::absolute(path).map_err(fail)
}

/// The status and exit code of an ended child.
pub(crate) fn classify(status: ExitStatus, stopped: Option<StopReason>) -> (Status, i32) {
    let signal = signal_of(status);
    let exit_code = status.code().or(signal.map(|s| 128 + s)).unwrap_or(-1);
    let status = match (stopped, signal) {
        (Some(StopReason::TimedOut), _) => Status::TimedOut,
        (Some(StopReason::Cancelled), _) => Status::Cancelled,
        (Some(StopReason::TooMuchOutput), _) => Status::TooMuchOutput,
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
