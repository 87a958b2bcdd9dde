//! A small MCP client: a temporary home, a temporary project, one server.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long an answer may take before the test fails; generous, because it never measures anything.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A separate computer: home folder and project.
pub(crate) struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a scratch folder");
        for name in ["home", "work/ship"] {
            std::fs::create_dir_all(folder.path().join(name)).expect("scratch folders");
        }
        Self { folder }
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.folder.path().join("work/ship")
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.home().join(".plimsoll")
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(&path, text).expect("a file");
        path
    }

    /// `plimsoll mcp` as an agent would start it, with almost no environment.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plimsoll"));
        command.arg("mcp").args(arguments).env_clear().current_dir(self.project());
        command.env("HOME", self.home()).env("PATH", std::env::var_os("PATH").unwrap_or_default());
        // The server needs no coverage variables, but Windows needs these two to start.
        for name in ["SystemRoot", "TEMP"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command
    }

    pub(crate) fn server(&self) -> Client {
        Client::start(self.command(&["--agent", "claude-code"]))
    }

    /// An initialized server.
    pub(crate) fn session(&self) -> Client {
        let mut client = self.server();
        client.handshake("2025-06-18");
        client
    }
}

/// The client of a running server.
pub(crate) struct Client {
    pub(crate) child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    next: i64,
    /// Notifications that arrived in between.
    pub(crate) heard: Vec<Value>,
}

impl Client {
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let stdout = child.stdout.take().expect("stdout");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { stdin: child.stdin.take(), child, lines, next: 0, heard: Vec::new() }
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        writeln!(stdin, "{message}").expect("the server reads");
        stdin.flush().expect("the server reads");
    }

    /// Sends these bytes and a line end, whatever they are.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        stdin.write_all(bytes).and_then(|()| stdin.write_all(b"\n")).expect("the server reads");
        stdin.flush().expect("the server reads");
    }

    /// The next message; every line must be one.
    pub(crate) fn receive(&mut self) -> Value {
        self.receive_within(PATIENCE).expect("an answer")
    }

    pub(crate) fn receive_within(&mut self, patience: Duration) -> Option<Value> {
        match self.lines.recv_timeout(patience) {
            Ok(line) => {
                let message: Value = serde_json::from_str(&line).unwrap_or_else(|error| {
                    panic!("something other than protocol on stdout: {line:?}: {error}")
                });
                assert_eq!(message["jsonrpc"], "2.0", "{line}");
                Some(message)
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    /// The next line, which may be an array of messages.
    pub(crate) fn receive_any(&mut self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("an answer");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line:?}: {error}"))
    }

    /// Sends a request and returns its ID.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        let id = self.next;
        let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method});
        if !params.is_null() {
            message["params"] = params;
        }
        self.send(&message);
        id
    }

    /// Whether this notification came before an answer; asking removes it.
    pub(crate) fn was_told(&mut self, method: &str) -> bool {
        let before = self.heard.len();
        self.heard.retain(|message| message["method"] != method);
        self.heard.len() < before
    }

    /// The answer to a request, whatever comes before it.
    pub(crate) fn answer(&mut self, id: i64) -> Value {
        loop {
            let message = self.receive();
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.heard.push(message);
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.answer(id)
    }

    pub(crate) fn handshake(&mut self, version: &str) -> Value {
        self.handshake_as("claude-code", version)
    }

    /// The handshake of another client.
    pub(crate) fn handshake_as(&mut self, name: &str, version: &str) -> Value {
        let answer = self.request(
            "initialize",
            json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": name, "version": "2"}}),
        );
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        answer
    }

    /// Calls a tool; returns the text and whether it is an error.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> (String, bool) {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        outcome(&answer)
    }

    /// The output of a successful `execute`. Its last line says so.
    pub(crate) fn printed(&mut self, arguments: Value) -> String {
        let text = self.good("execute", arguments);
        let printed = text.strip_suffix("\nexit code 0").unwrap_or_else(|| panic!("how did it end? {text}"));
        printed.to_owned()
    }

    /// Calls a tool that must succeed.
    pub(crate) fn good(&mut self, tool: &str, arguments: Value) -> String {
        let (text, failed) = self.call(tool, arguments);
        assert!(!failed, "{tool}: {text}");
        text
    }

    /// Calls a tool that must fail.
    pub(crate) fn bad(&mut self, tool: &str, arguments: Value) -> String {
        let (text, failed) = self.call(tool, arguments);
        assert!(failed && text.starts_with("error "), "{tool}: {text}");
        text
    }

    /// Closes the input.
    pub(crate) fn hang_up(&mut self) {
        self.stdin = None;
    }

    /// Waits for the end of the process.
    pub(crate) fn ended(&mut self) -> std::process::ExitStatus {
        until("the server ends", || self.child.try_wait().expect("a child"))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The single text of a tool's result, and whether it is an error.
pub(crate) fn outcome(answer: &Value) -> (String, bool) {
    let result = answer.get("result").unwrap_or_else(|| panic!("a result: {answer}"));
    assert!(result.get("structuredContent").is_none(), "text only: {answer}");
    let content = result["content"].as_array().expect("content");
    assert_eq!(content.len(), 1, "{answer}");
    let text = content[0]["text"].as_str().expect("text").to_owned();
    (text, result["isError"].as_bool().unwrap_or(false))
}

/// Polls until there is something to see.
pub(crate) fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(seen) = look() {
            return seen;
        }
        assert!(started.elapsed() < PATIENCE, "{what}: not within {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a process with this ID is running (a zombie isn't).
pub(crate) fn is_running(pid: u32) -> bool {
    let Ok(stat) = std::fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat")) else {
        return false;
    };
    let state = stat.rsplit(')').next().unwrap_or_default().trim_start().chars().next();
    state.is_some_and(|state| state != 'Z' && state != 'X')
}
