//! Runs a child in this process's place: same input, folder and environment, its output passed through, signals forwarded, and
//! its exit becomes this process's. Owns the pipes and the child's life; the caller handles the output.
//!
//! What happens to this process happens to the child: a signal reaches it, this process's end ends it, and if no one reads
//! this process's output, the child's writes fail too; when the child stops, this process stops.

#[cfg(unix)]
mod signals;

use std::ffi::{OsStr, OsString};
#[cfg(unix)]
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::process::Stdio;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;

use crate::runtimes::Runtimes;
#[cfg(unix)]
pub use signals::terminate_by_signal;

/// How long to wait for an ended child's output while other processes keep it open.
const DRAIN_TIMEOUT: std::time::Duration = std::time::Duration::from_millis(500);
/// Pieces that may wait for the caller; then the child waits.
const WAITING: usize = 16;
const PIECE: usize = 64 * 1024;

/// Which stream a piece is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// Standard output, or both if they were the same.
    Out,
    /// Standard error.
    Err,
}

/// How the child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exit {
    /// The exit code; 128 + the signal's number after a signal, as in shells.
    pub code: i32,
    /// The signal that ended it.
    pub signal: Option<i32>,
}

/// A relayed child's event.
#[derive(Debug)]
pub enum RelayEvent {
    /// It printed this.
    Piece(From, Vec<u8>),
    /// It ended.
    Ended(Exit),
}

/// A running child.
#[derive(Debug)]
pub struct Relay {
    told: mpsc::Receiver<RelayEvent>,
    pipes: Vec<Pipe>,
}

/// One of its outputs: the reading task, and a handle for what comes after the child's end.
#[derive(Debug)]
struct Pipe {
    place: From,
    reader: tokio::task::AbortHandle,
    #[cfg(unix)]
    end: Option<OwnedFd>,
}

impl Relay {
    /// Starts `argv` in this process's folder and environment, under these rules. Call it inside a tokio runtime, on the
    /// thread that lives as long as the process.
    ///
    /// # Errors
    /// The system's error, for the caller to turn into a shell's words and codes (126, 127).
    pub fn start(argv: &[OsString], confine: Option<&crate::Confine>) -> std::io::Result<Relay> {
        let (program, arguments) = argv.split_first().ok_or(std::io::ErrorKind::InvalidInput)?;
        let program = PathBuf::from(resolve_program(program));
        let (program, arguments) = match confine {
            Some(confine) => confine.wrapped(program, arguments.to_vec()),
            None => (program, arguments.to_vec()),
        };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::inherit());
        #[cfg(unix)]
        crate::lifetime::kill_with_server(&mut command, None);
        #[cfg(target_os = "linux")]
        let _armed = confine.map(|confine| confine.arm(&mut command)).transpose()?;
        // Before there is a child: a signal between its start and the listening would end this process and leave it behind.
        let signals = Signals::listen();
        let (tell, told) = mpsc::channel(WAITING);
        let mut readers = Vec::new();
        let mut pipes = Vec::new();
        #[cfg(unix)]
        if outputs_are_one() {
            let (reader, writer) = std::io::pipe()?;
            let end = reader.as_fd().try_clone_to_owned().ok();
            // Before there is a child: nothing that fails may leave one behind that nobody reads.
            let reader = tokio::net::unix::pipe::Receiver::from_owned_fd(reader.into())?;
            command.stdout(writer.try_clone()?).stderr(writer);
            let child = command.spawn()?;
            // This process's copies of the writing ends go with the command, or the output would never end.
            drop(command);
            let reader = tokio::spawn(read(reader, From::Out, tell.clone()));
            pipes.push(Pipe { place: From::Out, reader: reader.abort_handle(), end });
            readers.push(reader);
            tokio::spawn(watch(child, signals, readers, tell));
            return Ok(Relay { told, pipes });
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        if let Some(out) = child.stdout.take() {
            #[cfg(unix)]
            let end = out.as_fd().try_clone_to_owned().ok();
            let reader = tokio::spawn(read(out, From::Out, tell.clone()));
            pipes.push(Pipe {
                place: From::Out,
                reader: reader.abort_handle(),
                #[cfg(unix)]
                end,
            });
            readers.push(reader);
        }
        if let Some(err) = child.stderr.take() {
            #[cfg(unix)]
            let end = err.as_fd().try_clone_to_owned().ok();
            let reader = tokio::spawn(read(err, From::Err, tell.clone()));
            pipes.push(Pipe {
                place: From::Err,
                reader: reader.abort_handle(),
                #[cfg(unix)]
                end,
            });
            readers.push(reader);
        }
        tokio::spawn(watch(child, signals, readers, tell));
        Ok(Relay { told, pipes })
    }

    /// The next event; `None` after its end.
    pub async fn next(&mut self) -> Option<RelayEvent> {
        self.told.recv().await
    }

    /// No one reads this process's `place` any longer: stops reading the child's, so that the child learns it as from the
    /// reader itself.
    pub fn close(&mut self, place: From) {
        self.pipes.retain(|pipe| {
            if pipe.place == place {
                pipe.reader.abort();
            }
            pipe.place != place
        });
    }

    /// After the child's end: passes on what its remaining descendants print, without anyone waiting for it.
    pub fn leave(self) {
        #[cfg(unix)]
        for pipe in self.pipes {
            let going_on = !pipe.reader.is_finished();
            pipe.reader.abort();
            if let (true, Some(end)) = (going_on, pipe.end) {
                copy_rest(end, pipe.place);
            }
        }
    }
}

/// Whether [`Relay::start`] failed because there may be no more processes or open files. Nothing was started then.
#[cfg(unix)]
pub fn is_without_room(error: &std::io::Error) -> bool {
    use rustix::io::Errno;
    let limits = [Errno::MFILE, Errno::NFILE, Errno::AGAIN];
    limits.iter().any(|limit| error.raw_os_error() == Some(limit.raw_os_error()))
}

/// Whether [`Relay::start`] failed because there may be no more processes or open files; never where the process can't become
/// another program.
#[cfg(not(unix))]
pub fn is_without_room(_error: &std::io::Error) -> bool {
    false
}

/// Lets a small program copy the rest of an output.
#[cfg(unix)]
fn copy_rest(end: OwnedFd, place: From) {
    let _ = rustix::io::ioctl_fionbio(&end, false);
    let to = match place {
        From::Out => std::io::stdout().as_fd().try_clone_to_owned(),
        From::Err => std::io::stderr().as_fd().try_clone_to_owned(),
    };
    let Ok(to) = to else { return };
    let mut copy = std::process::Command::new("cat");
    let copying = copy.stdin(end).stdout(to).stderr(Stdio::null()).spawn();
    if let Err(error) = copying {
        log::info!("what is printed after the command's end is lost: {error}");
    }
}

/// The program's file. Windows finds programs by their bare name only if they end in `.exe`, and many tools are started by
/// a script.
fn resolve_program(program: &OsStr) -> OsString {
    let bare = program.to_str().filter(|name| cfg!(windows) && !name.contains(['/', '\\', '.', ':']));
    let path = bare
        .and_then(|name| Runtimes::new(std::env::var_os("PATH").as_deref(), None).program(name, |_| true));
    path.map_or_else(|| program.to_owned(), PathBuf::into_os_string)
}

/// Whether this process's standard output and error are the same, so that their order can be kept.
#[cfg(unix)]
fn outputs_are_one() -> bool {
    let (Ok(out), Ok(err)) = (rustix::fs::fstat(std::io::stdout()), rustix::fs::fstat(std::io::stderr()))
    else {
        return false;
    };
    (out.st_dev, out.st_ino) == (err.st_dev, err.st_ino)
}

async fn read(mut from: impl AsyncRead + Unpin, place: From, tell: mpsc::Sender<RelayEvent>) {
    let mut piece = vec![0; PIECE];
    while let Ok(length @ 1..) = from.read(&mut piece).await {
        let Some(printed) = piece.get(..length) else { return };
        if tell.send(RelayEvent::Piece(place, printed.to_vec())).await.is_err() {
            return;
        }
    }
}

/// Waits for the child and then for the rest of its output.
async fn watch(
    mut child: Child,
    signals: Signals,
    readers: Vec<tokio::task::JoinHandle<()>>,
    tell: mpsc::Sender<RelayEvent>,
) {
    let exit = until_end(&mut child, signals).await;
    let rest = async {
        for reader in readers {
            let _ = reader.await;
        }
    };
    // A grandchild in the background must not keep the agent waiting.
    let _ = tokio::time::timeout(DRAIN_TIMEOUT, rest).await;
    let _ = tell.send(RelayEvent::Ended(exit)).await;
}

#[cfg(unix)]
use signals::Signals;

#[cfg(unix)]
async fn until_end(child: &mut Child, mut signals: Signals) -> Exit {
    use tokio::signal::unix::{SignalKind, signal};

    let pid = child.id().unwrap_or_default();
    #[cfg(not(target_os = "linux"))]
    let _guard = kill_with_parent(pid);
    // It may have stopped before anyone listened.
    let mut changes = signal(SignalKind::child()).ok();
    loop {
        if is_stopped(pid) {
            // As without a relay: the job shows as stopped. The signal that continues it is forwarded like any other.
            signals::stop_self();
        }
        let changed = async {
            match &mut changes {
                Some(changes) => changes.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            ended = child.wait() => return ended.map_or(Exit { code: 1, signal: None }, exit_of),
            _ = changed => {}
            came = signals.next() => {
                if !(came.by_system && signals::in_our_group(pid)) {
                    signals::send(pid, came.signal);
                }
            }
        }
    }
}

/// Whether the child has stopped since the last check.
#[cfg(unix)]
fn is_stopped(pid: u32) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG;
    i32::try_from(pid)
        .ok()
        .and_then(Pid::from_raw)
        .is_some_and(|pid| matches!(waitid(WaitId::Pid(pid), options), Ok(Some(_))))
}

/// Where the system doesn't end a child with its parent, a small shell does: it kills the child if this process's end of the
/// pipe closes before it gets the all-clear.
#[cfg(all(unix, not(target_os = "linux")))]
fn kill_with_parent(pid: u32) -> Option<Guard> {
    use std::os::unix::process::CommandExt as _;
    const SCRIPT: &str = "trap '' HUP INT QUIT TERM TSTP PIPE; read -r done || kill -s KILL \"$1\"";
    let mut shell = std::process::Command::new("/bin/sh");
    shell.args(["-c", SCRIPT, "plimsoll-guardian", &pid.to_string()]).current_dir("/").process_group(0);
    let mut shell = shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?;
    shell.stdin.take().map(Guard)
}

#[cfg(all(unix, not(target_os = "linux")))]
struct Guard(std::process::ChildStdin);

#[cfg(all(unix, not(target_os = "linux")))]
impl Drop for Guard {
    fn drop(&mut self) {
        use std::io::Write as _;
        let _ = self.0.write_all(b"done\n");
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> Self {
        Self
    }
}

#[cfg(not(unix))]
async fn until_end(child: &mut Child, _signals: Signals) -> Exit {
    child.wait().await.map_or(Exit { code: 1, signal: None }, exit_of)
}

fn exit_of(status: std::process::ExitStatus) -> Exit {
    let (ended, code) = crate::run::classify(status, None);
    let signal = match ended {
        crate::Status::Signal(signal) => Some(signal),
        _ => None,
    };
    Exit { code, signal }
}
