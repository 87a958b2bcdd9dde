//! A client of the Language Server Protocol over a server's standard input and output. Every wait has a limit, and so has the
//! size of every message (`lsp_input`): the server is a foreign program.

use std::io::{BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use url::Url;

use super::kinds::{Ready, Server};
use super::lsp_input::{ENDED, keep_complaint, read_message, reason};

/// How many messages are queued before the server has to wait.
const QUEUE: usize = 256;
/// How many messages wait to be read by the server. One that reads none of them is stuck: whatever it's asked is late, and what
/// waits takes memory.
const UNREAD: usize = 64;
/// How long a server may take to make room for another message.
const READS: Duration = Duration::from_millis(500);
/// The error of a request during which a file changed; it is repeated.
const CONTENT_MODIFIED: i64 = -32_801;
/// The pause before such a request is repeated.
const RETRY_PAUSE: Duration = Duration::from_millis(150);

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LspError {
    /// It takes longer than allowed.
    Late,
    /// The server ended, or doesn't follow the protocol.
    Broken(String),
    /// The server answered with an error.
    Refused(String),
}

/// A running server.
pub(super) struct LspClient {
    child: Child,
    out: SyncSender<Vec<u8>>,
    /// It doesn't read what it's sent.
    is_stuck: bool,
    incoming: Receiver<Result<Value, String>>,
    /// What it printed on standard error, in one line.
    complaint: Arc<Mutex<Option<String>>>,
    next: u64,
    /// Whether it has read the project.
    pub(super) ready: bool,
    /// Why it could not, as it says: its answers would be empty.
    pub(super) trouble: Option<String>,
    readiness: Ready,
}

impl LspClient {
    /// Starts a server in a project and initializes it.
    pub(super) fn start(server: &Server, root: &Path, until: Instant) -> Result<Self, LspError> {
        let mut command = Command::new(&server.program);
        command
            .args(server.kind.words)
            .current_dir(root)
            // A question about a name must not download anything …
            .env("CARGO_NET_OFFLINE", "true")
            .env("RUSTUP_AUTO_INSTALL", "0")
            .env("GOPROXY", "off")
            .env("GOTOOLCHAIN", "local")
            .env("npm_config_offline", "true")
            // … nor run what a project's Cargo configuration names in place of the compiler.
            .env("RUSTC", "rustc")
            .env("RUSTC_WRAPPER", "")
            .env("RUSTC_WORKSPACE_WRAPPER", "")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .spawn()
            .map_err(|error| LspError::Broken(format!("{} can't be started: {error}", server.kind.name)))?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let complaint = Arc::new(Mutex::new(None));
        if let Some(stderr) = child.stderr.take() {
            let complaint = Arc::clone(&complaint);
            std::thread::spawn(move || keep_complaint(stderr, &complaint));
        }
        let (out, to_write) = sync_channel::<Vec<u8>>(UNREAD);
        // A server that reads nothing blocks this thread only.
        std::thread::spawn(move || {
            let Some(mut stdin) = stdin else { return };
            while let Ok(bytes) = to_write.recv() {
                if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        });
        let (received, incoming) = sync_channel(QUEUE);
        std::thread::spawn(move || {
            let Some(stdout) = stdout else { return };
            let mut stdout = BufReader::new(stdout);
            loop {
                let message = read_message(&mut stdout);
                let is_last = message.is_err();
                if received.send(message).is_err() || is_last {
                    return;
                }
            }
        });
        let mut lsp = Self {
            child,
            out,
            is_stuck: false,
            incoming,
            complaint,
            next: 0,
            trouble: None,
            ready: server.kind.ready == Ready::AtOnce,
            readiness: server.kind.ready,
        };
        let uri = uri(root);
        lsp.request(
            "initialize",
            &json!({
                "processId": std::process::id(),
                "rootUri": uri,
                "workspaceFolders": [{"uri": uri, "name": "project"}],
                "initializationOptions": server.kind.options(),
                "capabilities": {
                    "workspace": {"configuration": true, "workspaceFolders": true},
                    "window": {"workDoneProgress": true},
                    "experimental": {"serverStatusNotification": true},
                },
            }),
            until,
        )?;
        lsp.notify("initialized", &json!({}));
        lsp.notify("workspace/didChangeConfiguration", &json!({"settings": {}}));
        Ok(lsp)
    }

    /// Sends a request and waits for the result.
    pub(super) fn request(
        &mut self,
        method: &str,
        params: &Value,
        until: Instant,
    ) -> Result<Value, LspError> {
        loop {
            self.next += 1;
            let id = self.next;
            self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
            let answer = loop {
                let message = self.receive(until)?;
                if message.get("method").is_none() && message.get("id") == Some(&json!(id)) {
                    break message;
                }
                self.handle(&message);
            };
            let Some(error) = answer.get("error").filter(|error| !error.is_null()) else {
                return Ok(answer.get("result").cloned().unwrap_or(Value::Null));
            };
            if error.get("code").and_then(Value::as_i64) != Some(CONTENT_MODIFIED) {
                let message = error.get("message").and_then(Value::as_str).unwrap_or("without a reason");
                return Err(LspError::Refused(reason(message)));
            }
            if Instant::now() + RETRY_PAUSE >= until {
                return Err(LspError::Late);
            }
            std::thread::sleep(RETRY_PAUSE);
        }
    }

    /// Sends a notification.
    pub(super) fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Handles the messages that have arrived.
    pub(super) fn drain(&mut self) -> Result<(), LspError> {
        // A server that never stops sending is handled again later.
        for _ in 0..QUEUE {
            match self.incoming.try_recv() {
                Ok(Ok(message)) => self.handle(&message),
                Ok(Err(problem)) => return Err(self.broken(problem)),
                Err(std::sync::mpsc::TryRecvError::Empty) => return Ok(()),
                Err(std::sync::mpsc::TryRecvError::Disconnected) => {
                    return Err(self.broken(ENDED.to_owned()));
                }
            }
        }
        Ok(())
    }

    fn receive(&self, until: Instant) -> Result<Value, LspError> {
        if self.is_stuck {
            return Err(LspError::Broken("it reads nothing of what it's sent".to_owned()));
        }
        // A queued message would be taken although the time is over.
        if Instant::now() >= until {
            return Err(LspError::Late);
        }
        match self.incoming.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(Ok(message)) => Ok(message),
            Ok(Err(problem)) => Err(self.broken(problem)),
            Err(RecvTimeoutError::Timeout) => Err(LspError::Late),
            Err(RecvTimeoutError::Disconnected) => Err(self.broken(ENDED.to_owned())),
        }
    }

    /// The error, and of one that ended what it complained of.
    fn broken(&self, problem: String) -> LspError {
        if problem != ENDED {
            return LspError::Broken(problem);
        }
        // Its last words may come a moment after its end.
        for _ in 0..10 {
            let complaint = self.complaint.lock().ok().and_then(|complaint| complaint.clone());
            if let Some(complaint) = complaint {
                return LspError::Broken(format!("{ENDED}: {complaint}"));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        LspError::Broken(problem)
    }

    /// Answers the server's own requests (it gets no settings, edits nothing and shows nothing), and notices when it is ready.
    fn handle(&mut self, message: &Value) {
        let method = message.get("method").and_then(Value::as_str).unwrap_or_default();
        if method == "experimental/serverStatus" {
            let param = |name: &str| message["params"][name].as_str();
            let ails = param("health") == Some("error");
            self.trouble = ails.then(|| reason(param("message").unwrap_or("it has an error")));
        }
        self.ready |= match self.readiness {
            Ready::AtOnce => true,
            Ready::Status => {
                method == "experimental/serverStatus"
                    && message.pointer("/params/quiescent") == Some(&Value::Bool(true))
            }
            Ready::Found => {
                let text = message.pointer("/params/message").and_then(Value::as_str).unwrap_or_default();
                method == "window/logMessage"
                    && (text.starts_with("Found ") || text.starts_with("No source files"))
            }
        };
        let Some(id) = message.get("id").filter(|_| !method.is_empty()) else { return };
        let result = match method {
            "workspace/configuration" => {
                let items = message.pointer("/params/items").and_then(Value::as_array).map_or(0, Vec::len);
                Value::Array(vec![Value::Null; items.min(1_000)])
            }
            "workspace/applyEdit" => json!({"applied": false}),
            _ => Value::Null,
        };
        self.send(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        let mut bytes = format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes();
        let until = Instant::now() + READS;
        while !self.is_stuck {
            match self.out.try_send(bytes) {
                Err(TrySendError::Full(unsent)) => bytes = unsent,
                // That the server ended is noticed when the next message is read.
                Ok(()) | Err(TrySendError::Disconnected(_)) => return,
            }
            self.is_stuck = Instant::now() >= until;
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for LspClient {
    fn drop(&mut self) {
        crate::diagnose::end_all(&mut self.child);
    }
}

/// The URI of a file, whose path is absolute.
pub(super) fn uri(path: &Path) -> String {
    Url::from_file_path(path).map(String::from).unwrap_or_default()
}

/// The path, with `/`, of a file in the project `root` that a URI names; `None` for anything else.
pub(super) fn relative(root: &Path, uri: &str) -> Option<String> {
    let path = Url::parse(uri).ok()?.to_file_path().ok()?;
    let parts: Option<Vec<&str>> = path
        .strip_prefix(root)
        .ok()?
        .components()
        .map(|part| if let std::path::Component::Normal(part) = part { part.to_str() } else { None })
        .collect();
    Some(parts?.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_back_to_files_of_the_project_only() {
        let (root, base) =
            if cfg!(windows) { (r"C:\p\ä b", "file:///C:/p") } else { ("/p/ä b", "file:///p") };
        let root = Path::new(root);
        let there = uri(&root.join("src").join("x.rs"));
        assert_eq!(there, format!("{base}/%C3%A4%20b/src/x.rs"));
        assert_eq!(relative(root, &there).as_deref(), Some("src/x.rs"));
        assert_eq!(relative(root, &format!("{base}/other/x.rs")), None);
        assert_eq!(relative(root, &format!("{base}/%C3%A4%20b/../x.rs")), None);
        for foreign in [
            "untitled:x",
            "file:///é:x",
            "file://é:x",
            "file:",
            "é",
            "",
            "file:///%",
            "file:///%FF%FE",
            "//é",
        ] {
            assert_eq!(relative(root, foreign), None, "{foreign}");
        }
    }
}
