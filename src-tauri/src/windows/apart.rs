//! The window as a process of its own. The tray starts this program once more for it, passes on what to show, and
//! notices its end, which gives back all of its memory and can't take the tray with it. They talk over a socket: each
//! request is a line of JSON, and each request to open is answered by a line. Doesn't know how a window is created.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use commands::RequestedScreen;
use serde::{Deserialize, Serialize};

/// The argument that starts the window's process. Only the tray uses it.
pub(crate) const WINDOW: &str = "--window";

/// The exit code of a window in which the user quit the whole program.
pub(crate) const QUIT: i32 = 10;

/// The exit code of a window that couldn't be opened or whose page kept crashing. The tray's process tells the user: a
/// notification may go with the process that sent it.
pub(crate) const FAILED: i32 = 1;

/// What the window's process answers when it has handled a request to open.
const OPENED: &str = "opened";

/// The program that runs, also where its file has been replaced.
const RUNNING: &str = "/proc/self/exe";

/// What the tray tells the window's process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Request {
    /// Show the window, at this screen if there is one.
    Open(Option<RequestedScreen>),
    /// A number may have changed.
    Changed,
    /// Whether the tray shows the icon.
    Tray(bool),
}

/// How the window's process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The window was closed, or the login session ends.
    Closed,
    /// The user quit the whole program.
    Quit,
    /// It crashed or couldn't start.
    Failed,
}

/// The window's process, as the tray sees it.
pub(crate) struct Apart {
    events: Sender<Event>,
    running: Arc<AtomicBool>,
}

enum Event {
    Told(Request),
    /// The process has handled a request to open.
    Opened,
    Ended(Option<ExitStatus>),
}

impl Apart {
    /// The window's process, started now if `open`, and where the end of each is told. Must be called before the toolkit
    /// starts if `open`: a process is started with this one's environment, which the toolkit changes.
    ///
    /// # Errors
    /// If there is no thread left to look after it.
    pub(crate) fn new(open: bool) -> std::io::Result<(Self, Receiver<End>)> {
        let (events, received) = channel();
        let (ends, ended) = channel();
        let back = events.clone();
        let running = Arc::new(AtomicBool::new(false));
        let mut keeper = Keeper::new(Arc::clone(&running));
        if open && let Some(end) = keeper.on(Event::Told(Request::Open(None)), &back) {
            let _ = ends.send(end);
        }
        std::thread::Builder::new().name("window".into()).spawn(move || {
            for event in received {
                if let Some(end) = keeper.on(event, &back) {
                    // Nobody listens if the program is ending.
                    let _ = ends.send(end);
                }
            }
        })?;
        Ok((Self { events, running }, ended))
    }

    /// Whether there is a process now.
    pub(crate) fn running(&self) -> bool {
        self.running.load(Ordering::SeqCst)
    }

    /// Shows the window, at the requested screen if there is one.
    pub(crate) fn open(&self, wanted: Option<RequestedScreen>) {
        self.tell(Request::Open(wanted));
    }

    /// Tells an open window that a number may have changed.
    pub(crate) fn changed(&self) {
        self.tell(Request::Changed);
    }

    /// Tells an open window, and each later one, whether the tray shows the icon.
    pub(crate) fn tray_shows(&self, shown: bool) {
        self.tell(Request::Tray(shown));
    }

    fn tell(&self, request: Request) {
        // Its thread ends with the program.
        let _ = self.events.send(Event::Told(request));
    }
}

/// Looks after the process, one event after the other.
struct Keeper {
    /// The running process reads requests at its other end.
    socket: Option<UnixStream>,
    /// Whether there is one, for [`Apart`].
    running: Arc<AtomicBool>,
    /// The requests to open that it hasn't handled.
    unopened: VecDeque<Option<RequestedScreen>>,
    /// Whether it has handled any.
    opened: bool,
    in_tray: bool,
}

impl Keeper {
    fn new(running: Arc<AtomicBool>) -> Self {
        Self { socket: None, running, unopened: VecDeque::new(), opened: false, in_tray: false }
    }

    /// Handles an event; returns how the process ended, if it did and isn't started again.
    fn on(&mut self, event: Event, back: &Sender<Event>) -> Option<End> {
        match event {
            Event::Told(Request::Open(wanted)) => {
                self.unopened.push_back(wanted.clone());
                if self.socket.is_none() {
                    return self.start(back);
                }
                self.pass(&Request::Open(wanted));
                None
            }
            Event::Told(request) => {
                if let Request::Tray(shown) = request {
                    self.in_tray = shown;
                }
                self.pass(&request);
                None
            }
            Event::Opened => {
                self.unopened.pop_front();
                self.opened = true;
                None
            }
            Event::Ended(status) => self.on_end(status, back),
        }
    }

    fn on_end(&mut self, status: Option<ExitStatus>, back: &Sender<Event>) -> Option<End> {
        self.keep(None);
        let end = end(status);
        if end == End::Failed {
            let how = status.map_or_else(|| "how is unknown".to_owned(), |status| status.to_string());
            log::error!("the window's process failed: {how}");
        }
        match self.unanswered() {
            Some(wanted) if end != End::Quit => {
                self.unopened.push_back(wanted);
                self.start(back)
            }
            _ => Some(end),
        }
    }

    /// What the user asked for while the process was ending: a window, at the newest screen if any was named. A process
    /// that never opened one would end in the same way again.
    fn unanswered(&mut self) -> Option<Option<RequestedScreen>> {
        let asked = std::mem::take(&mut self.opened) && !self.unopened.is_empty();
        let newest = self.unopened.drain(..).flatten().next_back();
        asked.then_some(newest)
    }

    /// Starts the process and passes on what it has to show; returns its end if it can't be started.
    fn start(&mut self, back: &Sender<Event>) -> Option<End> {
        self.opened = false;
        match launch(back) {
            Ok(socket) => self.keep(Some(socket)),
            Err(error) => {
                log::error!("the window's process could not be started: {error}");
                self.unopened.clear();
                return Some(End::Failed);
            }
        }
        self.pass(&Request::Tray(self.in_tray));
        for wanted in self.unopened.clone() {
            self.pass(&Request::Open(wanted));
        }
        None
    }

    fn keep(&mut self, socket: Option<UnixStream>) {
        self.running.store(socket.is_some(), Ordering::SeqCst);
        self.socket = socket;
    }

    /// Passes a request on, if there is a process. One that is ending no longer takes any; its end is an event.
    fn pass(&mut self, request: &Request) {
        let Some(socket) = &mut self.socket else { return };
        let mut line = serde_json::to_string(request).unwrap_or_default();
        line.push('\n');
        if let Err(error) = socket.write_all(line.as_bytes()) {
            log::info!("the window's process takes no request: {error}");
        }
    }
}

/// Starts the process, whose answers and end become events. Returns where it reads requests.
fn launch(back: &Sender<Event>) -> std::io::Result<UnixStream> {
    let (ours, theirs) = UnixStream::pair()?;
    let answers = ours.try_clone()?;
    let mut command = Command::new(program());
    if let Some(name) = std::env::args_os().next() {
        command.arg0(name);
    }
    let child = command.arg(WINDOW).stdin(OwnedFd::from(theirs)).spawn()?;
    let back = back.clone();
    std::thread::Builder::new().name("window's end".into()).spawn(move || attend(child, answers, &back))?;
    Ok(ours)
}

/// This program's file. Where a newer version has replaced it, the one that runs: the newer one may understand other
/// requests.
fn program() -> PathBuf {
    std::env::current_exe().ok().filter(|path| is_running(path)).unwrap_or_else(|| RUNNING.into())
}

/// Whether an update has replaced or removed this program's file since the program was started.
pub(crate) fn replaced() -> bool {
    !std::env::current_exe().is_ok_and(|path| is_running(&path))
}

/// Whether this is the file of the program that runs.
fn is_running(path: &Path) -> bool {
    match (path.metadata(), Path::new(RUNNING).metadata()) {
        (Ok(one), Ok(running)) => (one.dev(), one.ino()) == (running.dev(), running.ino()),
        _ => false,
    }
}

/// Reports what the process has handled, and its end: the socket is closed when it has ended.
fn attend(mut child: Child, answers: UnixStream, back: &Sender<Event>) {
    for line in BufReader::new(answers).lines().map_while(Result::ok) {
        if line == OPENED {
            let _ = back.send(Event::Opened);
        }
    }
    let _ = back.send(Event::Ended(child.wait().ok()));
}

/// What an exit status means; `None` is one that couldn't be read.
fn end(status: Option<ExitStatus>) -> End {
    /// Signals that end a program without a fault of its own: hang-up, interrupt, terminate.
    const ORDERLY: [i32; 3] = [1, 2, 15];
    match status {
        Some(status) if status.success() => End::Closed,
        Some(status) if status.code() == Some(QUIT) => End::Quit,
        Some(status) if status.signal().is_some_and(|signal| ORDERLY.contains(&signal)) => End::Closed,
        _ => End::Failed,
    }
}

/// In the window's process: the connection to the tray. Must be called before anything else is started: what is started
/// would inherit it and, if it outlives this process, hide its end from the tray.
///
/// # Errors
/// If this process wasn't started by the tray.
pub(crate) fn connection() -> std::io::Result<UnixStream> {
    let stream = UnixStream::from(std::io::stdin().as_fd().try_clone_to_owned()?);
    // Anything but a socket has no other end.
    stream.peer_addr()?;
    rustix::stdio::dup2_stdin(std::fs::File::open("/dev/null")?)?;
    Ok(stream)
}

/// In the window's process: handles the tray's requests until the tray ends. `handle` returns when it is done.
pub(crate) fn serve(tray: &UnixStream, mut handle: impl FnMut(Request)) {
    let mut answers = tray;
    for line in BufReader::new(tray).lines().map_while(Result::ok) {
        let Ok(request) = serde_json::from_str::<Request>(&line) else {
            log::warn!("a request of the tray was not understood");
            continue;
        };
        let opens = matches!(request, Request::Open(_));
        handle(request);
        if opens {
            // A tray that has ended needs no answer.
            let _ = writeln!(answers, "{OPENED}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_told_from_a_fault() {
        let exit = |code: i32| Some(ExitStatus::from_raw(code << 8));
        let signal = |signal: i32| Some(ExitStatus::from_raw(signal));
        assert_eq!(end(exit(0)), End::Closed);
        assert_eq!(end(exit(QUIT)), End::Quit);
        assert_eq!(end(signal(15)), End::Closed, "the session ends");
        for fault in [exit(1), signal(11), signal(6), signal(9), None] {
            assert_eq!(end(fault), End::Failed, "{fault:?}");
        }
    }

    #[test]
    fn what_was_asked_for_while_a_window_ended_is_opened_once_more_at_the_newest_screen() {
        let screen = |path: &str| Some(RequestedScreen { path: path.into(), from_link: false });
        let mut keeper = Keeper::new(Arc::default());
        let mut unanswered = |opened: bool, asked: &[Option<RequestedScreen>]| {
            keeper.opened = opened;
            keeper.unopened.extend(asked.iter().cloned());
            let found = keeper.unanswered();
            assert!(keeper.unopened.is_empty() && !keeper.opened, "nothing is left for the next one");
            found
        };
        assert_eq!(unanswered(true, &[]), None);
        assert_eq!(unanswered(false, &[screen("home")]), None, "it would only end again");
        assert_eq!(unanswered(true, &[None]), Some(None));
        assert_eq!(unanswered(true, &[screen("home"), screen("memory"), None]), Some(screen("memory")));
    }

    #[test]
    fn requests_are_answered_over_the_socket_until_the_tray_ends() {
        let (mut tray, window) = UnixStream::pair().unwrap();
        let answers = BufReader::new(tray.try_clone().unwrap());
        tray.write_all(b"\"Changed\"\nnot a request\n{\"Open\":null}\n").unwrap();
        tray.shutdown(std::net::Shutdown::Write).unwrap();
        let mut handled = Vec::new();
        serve(&window, |request| handled.push(request));
        drop(window);
        assert_eq!(handled, [Request::Changed, Request::Open(None)]);
        let answers: Vec<String> = answers.lines().map(Result::unwrap).collect();
        assert_eq!(answers, [OPENED], "only a request to open is answered");
    }

    #[test]
    fn the_window_is_started_by_its_name_unless_its_file_was_replaced() {
        assert_eq!(program(), std::env::current_exe().unwrap());
        assert!(!replaced() && !is_running(Path::new("/")) && !is_running(Path::new("/no such file")));
    }

    #[test]
    fn requests_are_a_line_each_whatever_they_contain() {
        let screen = RequestedScreen { path: "knowledge?q=a\nb\"c".into(), from_link: true };
        for request in
            [Request::Open(Some(screen)), Request::Open(None), Request::Changed, Request::Tray(true)]
        {
            let line = serde_json::to_string(&request).unwrap();
            assert!(!line.contains('\n'), "{line}");
            assert_eq!(serde_json::from_str::<Request>(&line).unwrap(), request);
        }
    }
}
