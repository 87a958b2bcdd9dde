//! The window as a process of its own. The tray starts this program once more for it, passes on what to show, and
//! notices its end, which gives back all of its memory and can't take the tray with it. Each tells the other one JSON
//! value per line. Doesn't know how a window is created.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};

use commands::RequestedScreen;
use serde::{Deserialize, Serialize};

/// The argument that starts the window's process. Only the tray uses it.
pub(crate) const WINDOW: &str = "--window";

/// The exit code of a window in which the user quit the whole program.
pub(crate) const QUIT: i32 = 10;

/// What the window's process prints after it has handled a request to open.
const OPENED: &str = "opened";

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
pub(crate) struct Apart(Sender<Event>);

enum Event {
    Told(Request),
    /// The process has handled a request to open.
    Opened,
    Ended(Option<ExitStatus>),
}

impl Apart {
    /// No window yet, and where the end of each is told.
    ///
    /// # Errors
    /// If there is no thread left to look after it.
    pub(crate) fn new() -> std::io::Result<(Self, Receiver<End>)> {
        let (events, received) = channel();
        let (ends, ended) = channel();
        let back = events.clone();
        let mut keeper = Keeper { input: None, unopened: VecDeque::new(), opened: false, in_tray: false };
        std::thread::Builder::new().name("window".into()).spawn(move || {
            for event in received {
                if let Some(end) = keeper.on(event, &back) {
                    // Nobody listens if the program is ending.
                    let _ = ends.send(end);
                }
            }
        })?;
        Ok((Self(events), ended))
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
        let _ = self.0.send(Event::Told(request));
    }
}

/// Looks after the process, one event after the other.
struct Keeper {
    /// Where the running process reads requests.
    input: Option<ChildStdin>,
    /// The requests to open that it hasn't handled.
    unopened: VecDeque<Option<RequestedScreen>>,
    /// Whether it has handled any.
    opened: bool,
    in_tray: bool,
}

impl Keeper {
    /// Handles an event; returns how the process ended, if it did and isn't started again.
    fn on(&mut self, event: Event, back: &Sender<Event>) -> Option<End> {
        match event {
            Event::Told(Request::Open(wanted)) => {
                self.unopened.push_back(wanted.clone());
                if self.input.is_some() {
                    self.pass(&Request::Open(wanted));
                } else {
                    self.start(back);
                }
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
        self.input = None;
        let end = end(status);
        // The user asked for the window while it was closing.
        if end == End::Closed && std::mem::take(&mut self.opened) && !self.unopened.is_empty() {
            let newest = self.unopened.pop_back();
            self.unopened.clear();
            self.unopened.extend(newest);
            self.start(back);
            return None;
        }
        self.unopened.clear();
        if end == End::Failed {
            let how =
                status.map_or_else(|| "it could not be started".to_owned(), |status| status.to_string());
            log::error!("the window's process failed: {how}");
        }
        Some(end)
    }

    /// Starts the process and passes on what it has to show.
    fn start(&mut self, back: &Sender<Event>) {
        self.opened = false;
        // The program's file may have been replaced by a newer version, which may understand other requests.
        let mut command = Command::new("/proc/self/exe");
        if let Some(name) = std::env::args_os().next() {
            command.arg0(name);
        }
        command.arg(WINDOW).stdin(Stdio::piped()).stdout(Stdio::piped());
        let started = command.spawn().and_then(|mut child| {
            self.input = child.stdin.take();
            let back = back.clone();
            std::thread::Builder::new().name("window's end".into()).spawn(move || attend(child, &back))
        });
        if let Err(error) = started {
            log::error!("the window's process could not be started: {error}");
            let _ = back.send(Event::Ended(None));
            return;
        }
        self.pass(&Request::Tray(self.in_tray));
        for wanted in self.unopened.clone() {
            self.pass(&Request::Open(wanted));
        }
    }

    /// Passes a request on, if there is a process. One that is ending no longer takes any; its end is an event.
    fn pass(&mut self, request: &Request) {
        let Some(input) = &mut self.input else { return };
        let mut line = serde_json::to_string(request).unwrap_or_default();
        line.push('\n');
        if let Err(error) = input.write_all(line.as_bytes()) {
            log::info!("the window's process takes no request: {error}");
        }
    }
}

/// Reports what the process has handled, and its end.
fn attend(mut child: Child, back: &Sender<Event>) {
    if let Some(printed) = child.stdout.take() {
        for line in BufReader::new(printed).lines().map_while(Result::ok) {
            if line == OPENED {
                let _ = back.send(Event::Opened);
            }
        }
    }
    let _ = back.send(Event::Ended(child.wait().ok()));
}

/// What an exit status means; `None` is a process that couldn't be started.
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

/// In the window's process: handles the tray's requests until the tray ends. `handle` returns when it is done.
pub(crate) fn serve(mut handle: impl FnMut(Request)) {
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let Ok(request) = serde_json::from_str::<Request>(&line) else {
            log::warn!("a request of the tray was not understood");
            continue;
        };
        let opens = matches!(request, Request::Open(_));
        handle(request);
        if opens {
            let mut out = std::io::stdout().lock();
            let _ = writeln!(out, "{OPENED}").and_then(|()| out.flush());
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
