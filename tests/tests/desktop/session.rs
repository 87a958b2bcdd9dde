//! A test's own login session: a bus, a screen and a home folder, and the desktop started in it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use plimsoll_tests::process::{self, Process};
use plimsoll_tests::{Scratch, sidecar};

use crate::panel::Panel;
use crate::screen::Screen;

/// The calls so far, each with an ID of its own.
static CALLS: AtomicUsize = AtomicUsize::new(0);

/// The time limit for everything that is waited for, on a busy machine too.
pub(crate) const SOON: Duration = Duration::from_secs(60);

/// The built desktop: `PLIMSOLL_DESKTOP`, or the one beside the tests. Without one a test reports that and passes, unless
/// everything must be tested.
pub(crate) fn desktop() -> Option<PathBuf> {
    let beside = || std::env::current_exe().ok()?.ancestors().nth(2).map(|dir| dir.join("plimsoll-desktop"));
    let built = std::env::var_os("PLIMSOLL_DESKTOP").map(PathBuf::from).or_else(beside);
    let found = built.filter(|path| path.is_file());
    if found.is_none() {
        skipped::without(
            "desktop",
            "no desktop was built; `cargo xtask test` builds one and names it in PLIMSOLL_DESKTOP",
        );
    }
    found
}

/// A child that ends with the test.
pub(crate) struct Kept(pub(crate) Child);

impl Drop for Kept {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a helper of the session that prints one line when it is ready.
fn helper(mut command: Command) -> (Kept, String) {
    let mut child = Kept(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
    let mut line = String::new();
    BufReader::new(child.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let line = line.trim().to_owned();
    assert!(!line.is_empty(), "{command:?} said nothing");
    (child, line)
}

/// The session. Dropping it ends its parts in this order.
pub(crate) struct Session {
    app: Option<Kept>,
    pub(crate) panel: Option<Panel>,
    _screen: Kept,
    _bus: Kept,
    binary: PathBuf,
    display: String,
    address: String,
    language: String,
    pub(crate) scratch: Scratch,
}

impl Session {
    /// A session with a panel that takes icons; `None` if no desktop was built.
    pub(crate) fn with_panel() -> Option<Self> {
        let mut session = Self::without_panel()?;
        session.add_panel();
        Some(session)
    }

    /// A session without one.
    pub(crate) fn without_panel() -> Option<Self> {
        let binary = desktop()?;
        let scratch = Scratch::new().unwrap();
        let mut bus = Command::new("dbus-daemon");
        bus.args(["--session", "--nofork", "--nopidfile", "--print-address=1"]);
        // Nothing of the real session may be started by this bus.
        bus.env("XDG_DATA_DIRS", &scratch.tmp).env("XDG_DATA_HOME", &scratch.tmp);
        let (bus, address) = helper(bus);
        let mut screen = Command::new("Xvfb");
        screen.args(["-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp", "-noreset"]);
        let (screen, number) = helper(screen);
        Some(Self {
            app: None,
            panel: None,
            _screen: screen,
            _bus: bus,
            binary,
            display: format!(":{number}"),
            address,
            language: "en_GB.UTF-8".to_owned(),
            scratch,
        })
    }

    /// From now on a panel takes icons.
    pub(crate) fn add_panel(&mut self) {
        self.panel = Some(Panel::new(&self.address));
    }

    /// From now on programs find no bus.
    pub(crate) fn lose_bus(&mut self) {
        self.address = format!("unix:path={}", self.scratch.tmp.join("no-bus").display());
    }

    pub(crate) fn panel(&self) -> &Panel {
        self.panel.as_ref().unwrap()
    }

    pub(crate) fn screen(&self) -> Screen {
        Screen::of(&self.display)
    }

    /// The desktop as a command in this session.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.program(&self.binary, arguments)
    }

    /// Any program in this session.
    pub(crate) fn program(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = self.scratch.command(program);
        command.env("DISPLAY", &self.display).env("DBUS_SESSION_BUS_ADDRESS", &self.address);
        command
            .env("NO_AT_BRIDGE", "1")
            .env("GTK_THEME", "Adwaita")
            .env("XDG_RUNTIME_DIR", &self.scratch.tmp);
        command.env("LANG", &self.language).env("TZ", "UTC").env("PLIMSOLL_LOG", "info");
        command.args(arguments);
        command
    }

    /// The driven desktop.
    pub(crate) fn binary(&self) -> &Path {
        &self.binary
    }

    /// The language of programs started from now on.
    pub(crate) fn speak(&mut self, language: &str) {
        language.clone_into(&mut self.language);
    }

    /// Uses a binary at another path from now on.
    pub(crate) fn use_binary(&mut self, binary: &Path) {
        binary.clone_into(&mut self.binary);
    }

    /// Uses a binary of this session's own from now on, in a folder as a package would make it, and returns the folder.
    pub(crate) fn install(&mut self) -> PathBuf {
        let folder = self.scratch.tmp.join("installed");
        std::fs::create_dir_all(&folder).unwrap();
        let binary = folder.join("plimsoll-desktop");
        std::fs::hard_link(&self.binary, &binary)
            .or_else(|_| std::fs::copy(&self.binary, &binary).map(drop))
            .unwrap();
        self.binary = binary;
        folder
    }

    /// Starts the desktop and leaves it running.
    pub(crate) fn start(&mut self, arguments: &[&str]) {
        let mut command = self.command(arguments);
        let log = std::fs::File::create(self.notice_file()).unwrap();
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        self.app = Some(Kept(command.spawn().unwrap()));
    }

    /// Runs the desktop to its end.
    pub(crate) fn run(&self, mut command: Command) -> Output {
        command.stdin(Stdio::null()).output().unwrap()
    }

    pub(crate) fn notice_file(&self) -> PathBuf {
        self.scratch.tmp.join("desktop.stderr")
    }

    /// What the running desktop wrote to standard error and to its log.
    pub(crate) fn message(&self) -> String {
        let log = self.home().join("logs/desktop.log");
        [self.notice_file(), log]
            .iter()
            .map(|path| std::fs::read_to_string(path).unwrap_or_default())
            .collect()
    }

    pub(crate) fn pid(&self) -> u32 {
        self.app.as_ref().unwrap().0.id()
    }

    /// The exit code of the desktop, if it has ended.
    pub(crate) fn ended(&mut self) -> Option<i32> {
        let status = self.app.as_mut().unwrap().0.try_wait().unwrap()?;
        Some(status.code().unwrap_or(-1))
    }

    /// The processes of pages in windows.
    pub(crate) fn web_processes(&self) -> Vec<Process> {
        self.started("WebKitWebProcess")
    }

    /// Every process that the web view has started: for pages, and for loading.
    pub(crate) fn web_helpers(&self) -> Vec<Process> {
        self.started("WebKit")
    }

    /// The processes with this among their words that the desktop has started, directly or not.
    pub(crate) fn started(&self, name: &str) -> Vec<Process> {
        let all = process::processes();
        let ours = |process: &Process| {
            // The table isn't read at one moment: where a number was given to another process meanwhile, parents may form a
            // circle.
            let parents = std::iter::successors(Some(process.parent), |parent| {
                all.iter().find(|other| other.pid == *parent).map(|other| other.parent)
            });
            parents.take(all.len()).take_while(|parent| *parent > 1).any(|parent| parent == self.pid())
        };
        let found = all.iter().filter(|one| !one.zombie && one.words.contains(name) && ours(one));
        found.cloned().collect()
    }

    /// The Plimsoll folder.
    pub(crate) fn home(&self) -> PathBuf {
        self.scratch.home.join(".plimsoll")
    }

    /// The hook's answer before `shred` runs, which the user's own rules forbid.
    pub(crate) fn hook_refuses(&self) -> bool {
        let claude = self.scratch.home.join(".claude");
        std::fs::create_dir_all(&claude).unwrap();
        std::fs::write(claude.join("settings.json"), r#"{"permissions":{"deny":["Bash(shred:*)"]}}"#)
            .unwrap();
        // Two hooks that note the same call are one event.
        let call = || format!("t{}", CALLS.fetch_add(1, Ordering::Relaxed));
        let payload = || {
            serde_json::json!({"session_id": "s-1", "hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_use_id": call(), "transcript_path": claude.join("x.jsonl"), "permission_mode": "default",
            "cwd": self.scratch.project, "tool_input": {"command": "shred -u notes.txt"}})
        };
        let once = || {
            let mut hook = self.scratch.command(sidecar());
            hook.args(["hook", "claude-code", "PreToolUse"]);
            let mut child = hook.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
            std::io::Write::write_all(&mut child.stdin.take().unwrap(), payload().to_string().as_bytes())
                .unwrap();
            let output = child.wait_with_output().unwrap();
            String::from_utf8_lossy(&output.stdout).contains("deny")
        };
        // On a busy machine a hook may run out of time and then says nothing, by design.
        (0..10).any(|_| once())
    }
}

/// Waits until this is true.
#[track_caller]
pub(crate) fn soon(what: &str, holds: impl FnMut() -> bool) {
    assert!(process::time_until(SOON, holds).is_some(), "this did not come: {what}");
}
