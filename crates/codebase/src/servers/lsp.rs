//! Speaking with a language server over its standard input and output. Every wait has an end, and nothing that it says can be
//! larger than a limit: a server is a stranger's program.

use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::kinds::{Ready, Server};

/// A message that is longer is nobody's.
const MAX_MESSAGE: usize = 16 * 1024 * 1024;
const MAX_HEADER: u64 = 8 * 1024;
/// So many messages wait to be looked at; then the server waits.
const WAITING: usize = 256;
/// What's being read while it's asked is asked again.
const CONTENT_MODIFIED: i64 = -32_801;
const AGAIN: Duration = Duration::from_millis(150);

/// Why there's no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Silence {
    /// It takes longer than allowed.
    Late,
    /// It ended, or says what isn't of the protocol.
    Broken(String),
    /// It answers with an error.
    Refused(String),
}

/// A server at work.
pub(super) struct Wire {
    child: Child,
    out: Sender<Vec<u8>>,
    incoming: Receiver<Result<Value, String>>,
    next: u64,
    /// It has read the project.
    pub(super) ready: bool,
    when: Ready,
}

impl Wire {
    /// Starts a server in a project and says hello.
    pub(super) fn start(server: &Server, root: &Path, until: Instant) -> Result<Self, Silence> {
        let mut command = Command::new(&server.program);
        command
            .args(server.kind.words)
            .current_dir(root)
            // Nothing may be fetched because a name was asked for …
            .env("CARGO_NET_OFFLINE", "true")
            .env("RUSTUP_AUTO_INSTALL", "0")
            .env("GOPROXY", "off")
            .env("GOTOOLCHAIN", "local")
            .env("npm_config_offline", "true")
            // … and what a project's Cargo configuration names isn't run in place of the compiler.
            .env("RUSTC", "rustc")
            .env("RUSTC_WRAPPER", "")
            .env("RUSTC_WORKSPACE_WRAPPER", "")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .spawn()
            .map_err(|error| Silence::Broken(format!("{} can't be started: {error}", server.kind.name)))?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (out, to_write) = channel::<Vec<u8>>();
        // A server that reads nothing holds this thread and nobody else.
        std::thread::spawn(move || {
            let Some(mut stdin) = stdin else { return };
            while let Ok(bytes) = to_write.recv() {
                if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        });
        let (said, incoming) = sync_channel(WAITING);
        std::thread::spawn(move || {
            let Some(stdout) = stdout else { return };
            let mut stdout = BufReader::new(stdout);
            loop {
                let message = message(&mut stdout);
                let is_last = message.is_err();
                if said.send(message).is_err() || is_last {
                    return;
                }
            }
        });
        let mut wire = Self {
            child,
            out,
            incoming,
            next: 0,
            ready: server.kind.ready == Ready::AtOnce,
            when: server.kind.ready,
        };
        let uri = uri(root);
        wire.ask(
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
        wire.tell("initialized", &json!({}));
        wire.tell("workspace/didChangeConfiguration", &json!({"settings": {}}));
        Ok(wire)
    }

    /// Asks and waits for the answer.
    pub(super) fn ask(&mut self, method: &str, params: &Value, until: Instant) -> Result<Value, Silence> {
        loop {
            self.next += 1;
            let id = self.next;
            self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
            let answer = loop {
                let message = self.receive(until)?;
                if message.get("method").is_none() && message.get("id") == Some(&json!(id)) {
                    break message;
                }
                self.attend(&message);
            };
            let Some(error) = answer.get("error").filter(|error| !error.is_null()) else {
                return Ok(answer.get("result").cloned().unwrap_or(Value::Null));
            };
            if error.get("code").and_then(Value::as_i64) != Some(CONTENT_MODIFIED) {
                let said = error.get("message").and_then(Value::as_str).unwrap_or("without a reason");
                return Err(Silence::Refused(said.chars().take(200).collect()));
            }
            if Instant::now() + AGAIN >= until {
                return Err(Silence::Late);
            }
            std::thread::sleep(AGAIN);
        }
    }

    /// Says something that wants no answer.
    pub(super) fn tell(&mut self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Looks at what it said meanwhile.
    pub(super) fn listen(&mut self) -> Result<(), Silence> {
        // One that never stops talking is listened to again later.
        for _ in 0..WAITING {
            match self.incoming.try_recv() {
                Ok(Ok(message)) => self.attend(&message),
                Ok(Err(problem)) => return Err(Silence::Broken(problem)),
                Err(std::sync::mpsc::TryRecvError::Empty) => return Ok(()),
                Err(std::sync::mpsc::TryRecvError::Disconnected) => {
                    return Err(Silence::Broken("it ended".to_owned()));
                }
            }
        }
        Ok(())
    }

    fn receive(&self, until: Instant) -> Result<Value, Silence> {
        // What waits to be read would be read whatever the time.
        if Instant::now() >= until {
            return Err(Silence::Late);
        }
        match self.incoming.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(Ok(message)) => Ok(message),
            Ok(Err(problem)) => Err(Silence::Broken(problem)),
            Err(RecvTimeoutError::Timeout) => Err(Silence::Late),
            Err(RecvTimeoutError::Disconnected) => Err(Silence::Broken("it ended".to_owned())),
        }
    }

    /// Answers what it asks: it gets no settings, edits nothing and shows nothing. Notes that it's ready.
    fn attend(&mut self, message: &Value) {
        let method = message.get("method").and_then(Value::as_str).unwrap_or_default();
        self.ready |= match self.when {
            Ready::AtOnce => true,
            Ready::Status => {
                method == "experimental/serverStatus"
                    && message.pointer("/params/quiescent") == Some(&Value::Bool(true))
            }
            Ready::Found => {
                let said = message.pointer("/params/message").and_then(Value::as_str).unwrap_or_default();
                method == "window/logMessage"
                    && (said.starts_with("Found ") || said.starts_with("No source files"))
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

    fn send(&self, message: &Value) {
        let body = message.to_string();
        // One that ended is found out when it's listened to.
        let _ = self.out.send(format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes());
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        crate::diagnose::end_all(&mut self.child);
    }
}

/// The next message; an error is the last that is heard.
fn message(input: &mut impl BufRead) -> Result<Value, String> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        let read = input
            .by_ref()
            .take(MAX_HEADER)
            .read_until(b'\n', &mut line)
            .map_err(|error| error.to_string())?;
        if read == 0 {
            return Err("it ended".to_owned());
        }
        if !line.ends_with(b"\n") {
            return Err("it says what isn't of the protocol".to_owned());
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        let Some((name, value)) = line.split_once(':') else {
            return Err("it says what isn't of the protocol".to_owned());
        };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let length = length.ok_or("it sends a message without a length")?;
    if length > MAX_MESSAGE {
        return Err(format!("it sends a message of {length} bytes"));
    }
    let mut body = Vec::new();
    let read =
        input.by_ref().take(length as u64).read_to_end(&mut body).map_err(|error| error.to_string())?;
    if read < length {
        return Err("it ended".to_owned());
    }
    serde_json::from_slice(&body).map_err(|error| format!("it sends what isn't JSON: {error}"))
}

/// The address of a file.
pub(super) fn uri(path: &Path) -> String {
    let mut out = String::from("file://");
    let text = path.to_string_lossy().replace('\\', "/");
    if !text.starts_with('/') {
        out.push('/');
    }
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(byte));
            }
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// The file of a project that an address names, with `/`.
pub(super) fn relative(root: &Path, uri: &str) -> Option<String> {
    let coded = uri.strip_prefix("file://")?.as_bytes();
    let mut plain = Vec::with_capacity(coded.len());
    let mut at = 0;
    while at < coded.len() {
        let hex = coded.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.filter(|_| coded[at] == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                plain.push(byte);
                at += 3;
            }
            None => {
                plain.push(coded[at]);
                at += 1;
            }
        }
    }
    let plain = String::from_utf8(plain).ok()?;
    // `/C:/…` is a path of Windows.
    let plain = if plain.as_bytes().get(2) == Some(&b':') { &plain[1..] } else { &plain };
    let inside = Path::new(plain).strip_prefix(root).ok()?;
    let parts: Option<Vec<&str>> = inside
        .components()
        .map(|part| if let std::path::Component::Normal(part) = part { part.to_str() } else { None })
        .collect();
    Some(parts?.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_one_by_one_and_what_is_none_is_an_error() {
        let mut input: &[u8] = b"Content-Length: 2\r\n\r\n{}content-length: 4\r\nX: y\r\n\r\ntrue";
        assert_eq!(message(&mut input), Ok(json!({})));
        assert_eq!(message(&mut input), Ok(json!(true)));
        assert_eq!(message(&mut input), Err("it ended".to_owned()));
        for wrong in [
            &b"hello\n"[..],
            b"Content-Length: 99999999999\r\n\r\n",
            b"Content-Length: x\r\n\r\n{}",
            b"Content-Length: 9\r\n\r\n{}",
            b"Content-Length: 2\r\n\r\nno",
            b"\r\n",
        ] {
            assert!(message(&mut &*wrong).is_err(), "{}", String::from_utf8_lossy(wrong));
        }
        let long = vec![b'x'; 100_000];
        assert!(message(&mut long.as_slice()).is_err(), "a header without an end");
    }

    #[test]
    fn addresses_lead_back_to_files_of_the_project_only() {
        let root = Path::new("/p/ä b");
        let there = uri(&root.join("src/x.rs"));
        assert_eq!(there, "file:///p/%C3%A4%20b/src/x.rs");
        assert_eq!(relative(root, &there).as_deref(), Some("src/x.rs"));
        assert_eq!(relative(root, "file:///p/other/x.rs"), None);
        assert_eq!(relative(root, "file:///p/%C3%A4%20b/../x.rs"), None);
        assert_eq!(relative(root, "untitled:x"), None);
    }
}
