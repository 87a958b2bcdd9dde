//! A child that stands in our place: the same input, folder and environment, its output through our hands, signals
//! passed on, its end ours. Owns the pipes and the life of the child; what happens to the output is the caller's.
//!
//! What happens to us happens to the child: a signal reaches it, our end is its end, whoever stops reading us is no
//! longer written to by it; and when it stops, we stop.

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
pub use signals::end_by;

/// How long the output of a child that has ended is waited for, when others hold it open.
const LINGER: std::time::Duration = std::time::Duration::from_millis(500);
/// Pieces that may wait to be looked at; then the child waits.
const WAITING: usize = 16;
const PIECE: usize = 64 * 1024;

/// Where a piece was printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// Standard output, or both when they were one to begin with.
    Out,
    /// Standard error.
    Err,
}

/// How the child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exit {
    /// The code; 128 + the signal's number when a signal ended it, as shells say it.
    pub code: i32,
    /// The signal that ended it.
    pub signal: Option<i32>,
}

/// What a relayed child tells.
#[derive(Debug)]
pub enum Told {
    /// It printed this.
    Piece(From, Vec<u8>),
    /// It ended.
    Ended(Exit),
}

/// A running child.
#[derive(Debug)]
pub struct Relay {
    told: mpsc::Receiver<Told>,
    pipes: Vec<Pipe>,
}

/// One of its outputs: who reads it, and our hold on it for what comes after the child's end.
#[derive(Debug)]
struct Pipe {
    place: From,
    reader: tokio::task::AbortHandle,
    #[cfg(unix)]
    end: Option<OwnedFd>,
}

impl Relay {
    /// Starts `argv` in our folder and environment, under these rules. Must be called on the thread that lives as long as
    /// we do, inside a tokio runtime.
    ///
    /// # Errors
    /// What the system says, for the caller to put into a shell's words and codes (126, 127).
    pub fn start(argv: &[OsString], confine: Option<&crate::Confine>) -> std::io::Result<Relay> {
        let (program, arguments) = argv.split_first().ok_or(std::io::ErrorKind::InvalidInput)?;
        let program = PathBuf::from(found(program));
        let (program, arguments) = match confine {
            Some(confine) => confine.wrapped(program, arguments.to_vec()),
            None => (program, arguments.to_vec()),
        };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::inherit());
        #[cfg(unix)]
        crate::lifetime::tie_to_us(&mut command, None);
        #[cfg(target_os = "linux")]
        let _armed = confine.map(|confine| confine.arm(&mut command)).transpose()?;
        // Before there is a child: one that came between its start and our listening would end us and leave it behind.
        let signals = Signals::listen();
        let (tell, told) = mpsc::channel(WAITING);
        let mut readers = Vec::new();
        let mut pipes = Vec::new();
        #[cfg(unix)]
        if one_place() {
            let (reader, writer) = std::io::pipe()?;
            command.stdout(writer.try_clone()?).stderr(writer);
            let child = command.spawn()?;
            // Our copies of the writing end go with the command, or the output would never end.
            drop(command);
            let end = reader.as_fd().try_clone_to_owned().ok();
            let reader = tokio::net::unix::pipe::Receiver::from_owned_fd(reader.into())?;
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

    /// The next thing it tells; `None` after its end.
    pub async fn next(&mut self) -> Option<Told> {
        self.told.recv().await
    }

    /// Nobody reads us at `place` any more: neither do we, and the child learns it as it would from the reader itself.
    pub fn close(&mut self, place: From) {
        self.pipes.retain(|pipe| {
            if pipe.place == place {
                pipe.reader.abort();
            }
            pipe.place != place
        });
    }

    /// After the child's end: what others of its making still print goes on to where it would have gone without us.
    /// Nobody waits for it.
    pub fn leave(self) {
        #[cfg(unix)]
        for pipe in self.pipes {
            let going_on = !pipe.reader.is_finished();
            pipe.reader.abort();
            if let (true, Some(end)) = (going_on, pipe.end) {
                pass_on(end, pipe.place);
            }
        }
    }
}

/// Lets a small program copy the rest of an output.
#[cfg(unix)]
fn pass_on(end: OwnedFd, place: From) {
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

/// The program's file. Windows itself finds programs by their bare name only if they end in `.exe`, and many tools are
/// started by a script.
fn found(program: &OsStr) -> OsString {
    let bare = program.to_str().filter(|name| cfg!(windows) && !name.contains(['/', '\\', '.', ':']));
    let path = bare
        .and_then(|name| Runtimes::new(std::env::var_os("PATH").as_deref(), None).program(name, |_| true));
    path.map_or_else(|| program.to_owned(), PathBuf::into_os_string)
}

/// Whether our standard output and error go to the same place, so that their order can be kept.
#[cfg(unix)]
fn one_place() -> bool {
    let (Ok(out), Ok(err)) = (rustix::fs::fstat(std::io::stdout()), rustix::fs::fstat(std::io::stderr()))
    else {
        return false;
    };
    (out.st_dev, out.st_ino) == (err.st_dev, err.st_ino)
}

async fn read(mut from: impl AsyncRead + Unpin, place: From, tell: mpsc::Sender<Told>) {
    let mut piece = vec![0; PIECE];
    while let Ok(length @ 1..) = from.read(&mut piece).await {
        let Some(printed) = piece.get(..length) else { return };
        if tell.send(Told::Piece(place, printed.to_vec())).await.is_err() {
            return;
        }
    }
}

/// Waits for the child and then for the rest of its output.
async fn watch(
    mut child: Child,
    signals: Signals,
    readers: Vec<tokio::task::JoinHandle<()>>,
    tell: mpsc::Sender<Told>,
) {
    let exit = until_end(&mut child, signals).await;
    let rest = async {
        for reader in readers {
            let _ = reader.await;
        }
    };
    // A grandchild that went on in the background must not keep the agent waiting.
    let _ = tokio::time::timeout(LINGER, rest).await;
    let _ = tell.send(Told::Ended(exit)).await;
}

#[cfg(unix)]
use signals::Signals;

#[cfg(unix)]
async fn until_end(child: &mut Child, mut signals: Signals) -> Exit {
    use tokio::signal::unix::{SignalKind, signal};

    let pid = child.id().unwrap_or_default();
    #[cfg(not(target_os = "linux"))]
    let _guard = outlived_by_nobody(pid);
    // It may have stopped before somebody listened.
    let mut changes = signal(SignalKind::child()).ok();
    loop {
        if is_stopped(pid) {
            // As without us: whoever looks at our job sees it stopped. What lets us go on is passed on like any signal.
            signals::stop_ourselves();
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

/// Whether the child has stopped since we last asked.
#[cfg(unix)]
fn is_stopped(pid: u32) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG;
    i32::try_from(pid)
        .ok()
        .and_then(Pid::from_raw)
        .is_some_and(|pid| matches!(waitid(WaitId::Pid(pid), options), Ok(Some(_))))
}

/// Where the system does not end a child with its parent, a small shell does: it ends the child when our end of the
/// pipe closes before it is told that all is well.
#[cfg(all(unix, not(target_os = "linux")))]
fn outlived_by_nobody(pid: u32) -> Option<Guard> {
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
    let (ended, code) = crate::run::judge(status, None);
    let signal = match ended {
        crate::Status::Signal(signal) => Some(signal),
        _ => None,
    };
    Exit { code, signal }
}
