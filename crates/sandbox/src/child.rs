//! A child process in a group (Unix) or job (Windows) of its own, from its start until it is reaped and nothing of its group
//! is left.
//!
//! The leader is reaped last: until then its id, and so its group's, can't be reused.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::{ChildStderr, ChildStdout};
use tokio::time::{Instant, sleep_until};

use crate::Cancel;
use crate::capture::{Sink, Stream};
use crate::kill::Force;

/// How long a child has between TERM and KILL.
const KILL_GRACE: Duration = Duration::from_secs(1);
/// How long to read on after the leader's end while another process keeps its pipes open and silent.
const DRAIN_GRACE: Duration = Duration::from_millis(500);
/// How long to read on at most.
const DRAIN_MOST: Duration = Duration::from_secs(5);
/// How long the pipes have to close once the whole group was killed.
const AFTER_KILL: Duration = Duration::from_millis(200);
/// Bytes read from a pipe at once; a pipe's capacity on Linux.
const READ_BYTES: usize = 64 * 1024;

/// A program to start.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<OsString>,
    pub(crate) cwd: PathBuf,
    pub(crate) env: Vec<(OsString, OsString)>,
    /// The rules it runs under.
    pub(crate) confine: Option<crate::Confine>,
}

/// Why a child was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StopReason {
    TimedOut,
    Cancelled,
    TooMuchOutput,
}

/// How a child ended.
#[derive(Debug)]
pub(crate) struct ChildExit {
    pub(crate) status: ExitStatus,
    pub(crate) stopped: Option<StopReason>,
    /// Whether a process that it started kept its output open, so the rest of its group was ended.
    pub(crate) leftovers: bool,
    /// Whether one kept the output open even then: it had left the group.
    pub(crate) escaped: bool,
}

/// A started child. Dropping it ends its group.
pub(crate) struct Child {
    #[cfg(unix)]
    inner: tokio::process::Child,
    #[cfg(windows)]
    inner: Box<dyn process_wrap::tokio::ChildWrapper>,
    pid: u32,
    reaped: bool,
}

impl Launch {
    pub(crate) fn spawn(&self) -> io::Result<Child> {
        let (program, args) = match &self.confine {
            Some(confine) => confine.wrapped(self.program.clone(), self.args.clone()),
            None => (self.program.clone(), self.args.clone()),
        };
        let mut command = tokio::process::Command::new(program);
        command
            .args(args)
            .current_dir(&self.cwd)
            .env_clear()
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        start(command, self.confine.as_ref())
    }
}

#[cfg(unix)]
fn start(mut command: tokio::process::Command, confine: Option<&crate::Confine>) -> io::Result<Child> {
    command.process_group(0).kill_on_drop(true);
    let inner = crate::guardian::starting(|list| {
        crate::lifetime::kill_with_server(&mut command, list);
        // Last, because from then on the child asks before each step.
        #[cfg(target_os = "linux")]
        let _armed = confine.map(|confine| confine.arm(&mut command)).transpose()?;
        #[cfg(not(target_os = "linux"))]
        let _ = confine;
        command.spawn()
    })?;
    let pid = inner.id().unwrap_or_default();
    crate::guardian::watch(pid);
    Ok(Child { inner, pid, reaped: false })
}

#[cfg(windows)]
fn start(command: tokio::process::Command, _confine: Option<&crate::Confine>) -> io::Result<Child> {
    use process_wrap::tokio::{CommandWrap, JobObject, KillOnDrop};
    let mut wrap = CommandWrap::from(command);
    // NoWindow comes after the job, whose flags it repeats: the last to set them wins.
    wrap.wrap(KillOnDrop).wrap(JobObject).wrap(no_window::NoWindow);
    let inner = wrap.spawn()?;
    let pid = inner.id().unwrap_or_default();
    Ok(Child { inner, pid, reaped: false })
}

#[cfg(windows)]
mod no_window {
    use process_wrap::tokio::{CommandWrap, CommandWrapper};
    use windows_sys::Win32::System::Threading::{CREATE_NO_WINDOW, CREATE_SUSPENDED};

    /// Prevents a console from flashing up. The job object needs the child suspended until it is assigned.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct NoWindow;

    impl CommandWrapper for NoWindow {
        fn pre_spawn(
            &mut self,
            command: &mut tokio::process::Command,
            _core: &CommandWrap,
        ) -> std::io::Result<()> {
            command.creation_flags(CREATE_NO_WINDOW | CREATE_SUSPENDED);
            Ok(())
        }
    }
}

impl Child {
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    #[cfg(unix)]
    fn pipes(&mut self) -> (Option<ChildStdout>, Option<ChildStderr>) {
        (self.inner.stdout.take(), self.inner.stderr.take())
    }

    #[cfg(windows)]
    fn pipes(&mut self) -> (Option<ChildStdout>, Option<ChildStderr>) {
        (self.inner.stdout().take(), self.inner.stderr().take())
    }

    /// Signals the whole group. Its id is reserved until [`Child::reap`].
    #[cfg(unix)]
    fn end_group(&mut self, force: Force) {
        if !self.reaped {
            crate::kill::signal_group(self.pid, force);
        }
    }

    /// Windows has no request to end; the job ends everything in it.
    #[cfg(windows)]
    fn end_group(&mut self, _force: Force) {
        if !self.reaped {
            let _ = self.inner.start_kill();
        }
    }

    /// Ends the rest of the group and returns the leader's status.
    #[cfg(unix)]
    async fn reap(&mut self) -> io::Result<ExitStatus> {
        self.end_group(Force::Kill);
        crate::guardian::forget(self.pid);
        let status = self.inner.wait().await;
        self.reaped = true;
        status
    }

    #[cfg(windows)]
    async fn reap(&mut self) -> io::Result<ExitStatus> {
        self.end_group(Force::Kill);
        let status = self.inner.wait().await;
        self.reaped = true;
        status
    }

    /// Reads the child's output into `sink` until the child and its pipes end, or until it must be stopped: at the deadline,
    /// by `cancel`, or because `sink` is full.
    pub(crate) async fn drive(
        &mut self,
        deadline: Option<Instant>,
        cancel: &mut Cancel,
        sink: &mut impl Sink,
    ) -> io::Result<ChildExit> {
        let (mut out, mut err) = self.pipes();
        let mut out_buffer = vec![0; READ_BYTES];
        let mut err_buffer = vec![0; READ_BYTES];
        let mut exit = ExitWatch::of(self);
        let mut exited = false;
        let mut stopped = None;
        let mut leftovers = false;
        // The next step if nothing happens: ask, insist, or stop listening.
        let mut kill_at: Option<Instant> = None;
        let mut drain_until: Option<Instant> = None;
        let mut drain_last: Option<Instant> = None;
        let mut given_up = false;

        while !(given_up || exited && out.is_none() && err.is_none()) {
            let asked = stopped.is_some();
            let (stream, read) = tokio::select! {
                read = read_from(&mut out, &mut out_buffer) => (Stream::Out, read),
                read = read_from(&mut err, &mut err_buffer) => (Stream::Err, read),
                () = exit.exited(self), if !exited => {
                    exited = true;
                    let now = Instant::now();
                    drain_until = Some(now + DRAIN_GRACE);
                    drain_last = Some(now + DRAIN_MOST);
                    continue;
                }
                () = at(deadline), if !asked && !exited => {
                    stopped = Some(StopReason::TimedOut);
                    self.end_group(Force::Ask);
                    kill_at = Some(Instant::now() + KILL_GRACE);
                    continue;
                }
                () = cancel.requested(), if !asked => {
                    stopped = Some(StopReason::Cancelled);
                    self.end_group(Force::Ask);
                    kill_at = Some(Instant::now() + KILL_GRACE);
                    continue;
                }
                () = at(kill_at), if kill_at.is_some() => {
                    self.end_group(Force::Kill);
                    kill_at = None;
                    continue;
                }
                () = at(drain_until), if drain_until.is_some() => {
                    given_up = leftovers;
                    leftovers = true;
                    self.end_group(Force::Kill);
                    drain_until = Some(Instant::now() + AFTER_KILL);
                    drain_last = drain_until;
                    continue;
                }
            };
            let piece = match (stream, read) {
                (Stream::Out, Ok(n @ 1..)) => &out_buffer[..n],
                (Stream::Err, Ok(n @ 1..)) => &err_buffer[..n],
                // The end, or a broken pipe, which counts as the end.
                (Stream::Out, _) => {
                    out = None;
                    continue;
                }
                (Stream::Err, _) => {
                    err = None;
                    continue;
                }
            };
            if !sink.take(stream, piece) && stopped != Some(StopReason::TooMuchOutput) {
                stopped = stopped.or(Some(StopReason::TooMuchOutput));
                // A request would let it flood for another second.
                self.end_group(Force::Kill);
                kill_at = None;
            }
            if drain_until.is_some() && !leftovers {
                drain_until = drain_last.map(|last| last.min(Instant::now() + DRAIN_GRACE));
            }
        }
        drop((out, err));
        let status = self.reap().await?;
        Ok(ChildExit { status, stopped, leftovers, escaped: given_up })
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if !self.reaped {
            self.end_group(Force::Kill);
            #[cfg(unix)]
            crate::guardian::forget(self.pid);
        }
    }
}

/// Reads from a pipe that may be closed already; then it never resolves.
async fn read_from<R: tokio::io::AsyncRead + Unpin>(
    pipe: &mut Option<R>,
    buffer: &mut [u8],
) -> io::Result<usize> {
    match pipe {
        Some(pipe) => pipe.read(buffer).await,
        None => std::future::pending().await,
    }
}

async fn at(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

/// Reports when the leader has ended, without reaping it.
struct ExitWatch {
    #[cfg(target_os = "linux")]
    pidfd: Option<tokio::io::unix::AsyncFd<std::os::fd::OwnedFd>>,
}

impl ExitWatch {
    #[cfg(target_os = "linux")]
    fn of(child: &Child) -> ExitWatch {
        let pidfd = crate::lifetime::exit_signal(child.pid);
        ExitWatch { pidfd }
    }

    #[cfg(not(target_os = "linux"))]
    fn of(_child: &Child) -> ExitWatch {
        ExitWatch {}
    }

    #[cfg(unix)]
    async fn exited(&mut self, child: &Child) {
        #[cfg(target_os = "linux")]
        if let Some(pidfd) = &self.pidfd
            && pidfd.readable().await.is_ok()
        {
            return;
        }
        while still_runs(child.pid) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// The job's own wait would also wait for the leader's descendants; this watches only the leader.
    #[cfg(windows)]
    async fn exited(&mut self, child: &Child) {
        while crate::ProcessMark::of(child.pid).is_some() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

/// Whether the child is still running. Doesn't reap it.
#[cfg(unix)]
fn still_runs(pid: u32) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    i32::try_from(pid)
        .ok()
        .and_then(Pid::from_raw)
        .is_some_and(|pid| matches!(waitid(WaitId::Pid(pid), options), Ok(None)))
}
