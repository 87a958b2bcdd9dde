//! A child that stands in our place: the same input, folder and environment, its output through our hands, signals
//! passed on, its exit code ours. Owns the pipes and the signals; what happens to the output is the caller's.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::Stdio;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;

use crate::runtimes::Runtimes;

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

/// What a relayed child tells.
#[derive(Debug)]
pub enum Told {
    /// It printed this.
    Piece(From, Vec<u8>),
    /// It ended with this code (128 + signal).
    Ended(i32),
}

/// A running child.
#[derive(Debug)]
pub struct Relay {
    told: mpsc::Receiver<Told>,
}

impl Relay {
    /// Starts `argv` in our folder and environment, under these rules. Must be called inside a tokio runtime.
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
        #[cfg(target_os = "linux")]
        let _armed = confine.map(|confine| confine.arm(&mut command)).transpose()?;
        // Before there is a child: one that came between its start and our listening would end us and leave it behind.
        let signals = Signals::listen();
        let (tell, told) = mpsc::channel(WAITING);
        let mut readers = Vec::new();
        #[cfg(unix)]
        if one_place() {
            let (reader, writer) = std::io::pipe()?;
            command.stdout(writer.try_clone()?).stderr(writer);
            let child = command.spawn()?;
            // Our copies of the writing end go with the command, or the output would never end.
            drop(command);
            let reader = tokio::net::unix::pipe::Receiver::from_owned_fd(reader.into())?;
            readers.push(tokio::spawn(read(reader, From::Out, tell.clone())));
            tokio::spawn(watch(child, signals, readers, tell));
            return Ok(Relay { told });
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        if let Some(out) = child.stdout.take() {
            readers.push(tokio::spawn(read(out, From::Out, tell.clone())));
        }
        if let Some(err) = child.stderr.take() {
            readers.push(tokio::spawn(read(err, From::Err, tell.clone())));
        }
        tokio::spawn(watch(child, signals, readers, tell));
        Ok(Relay { told })
    }

    /// The next thing it tells; `None` after its end.
    pub async fn next(&mut self) -> Option<Told> {
        self.told.recv().await
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
    let code = until_end(&mut child, signals).await;
    let rest = async {
        for reader in readers {
            let _ = reader.await;
        }
    };
    // A grandchild that went on in the background must not keep the agent waiting.
    let _ = tokio::time::timeout(LINGER, rest).await;
    let _ = tell.send(Told::Ended(code)).await;
}

/// The signals that would end us and are the child's business.
#[cfg(unix)]
struct Signals {
    term: Option<tokio::signal::unix::Signal>,
    hup: Option<tokio::signal::unix::Signal>,
    int: Option<tokio::signal::unix::Signal>,
    quit: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        let ignored = ignored();
        // One that is ignored (`nohup`, a shell's `&`) stays so, for us and for the child.
        let to = |kind: SignalKind| {
            let ours = ignored >> (kind.as_raw_value() - 1) & 1 == 0;
            ours.then(|| signal(kind).ok()).flatten()
        };
        Self {
            term: to(SignalKind::terminate()),
            hup: to(SignalKind::hangup()),
            int: to(SignalKind::interrupt()),
            quit: to(SignalKind::quit()),
        }
    }
}

/// The signals this process ignores, a bit each as the kernel lists them; none where there is no such list.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(unix)]
async fn until_end(child: &mut Child, mut signals: Signals) -> i32 {
    use rustix::process::{Pid, Signal, kill_process};

    let pid = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
    loop {
        let pass_on = tokio::select! {
            ended = child.wait() => return ended.map_or(1, code_of),
            () = came(&mut signals.term) => Signal::TERM,
            () = came(&mut signals.hup) => Signal::HUP,
            // The terminal sends these to the whole group: the child has them already, and two would be more
            // than one to it. We only must not die of them before it does.
            () = came(&mut signals.int) => continue,
            () = came(&mut signals.quit) => continue,
        };
        if let Some(pid) = pid {
            let _ = kill_process(pid, pass_on);
        }
    }
}

#[cfg(unix)]
async fn came(signal: &mut Option<tokio::signal::unix::Signal>) {
    match signal {
        Some(signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
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
async fn until_end(child: &mut Child, _signals: Signals) -> i32 {
    child.wait().await.map_or(1, code_of)
}

fn code_of(status: std::process::ExitStatus) -> i32 {
    crate::run::judge(status, None).1
}
