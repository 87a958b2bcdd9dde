//! A language server, asked over its standard input: starts it, waits until it has read the project, and asks where a
//! name is used. Implements only the needed part of the protocol; every wait has a limit.

use std::collections::HashSet;
use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

/// A place in a file: path relative to the project, line from 1, column in bytes from 1.
pub(super) type Position = (String, u64, u64);

/// One server at work on one project.
pub(super) struct Server {
    child: Child,
    input: ChildStdin,
    output: Receiver<Value>,
    root: PathBuf,
    language: String,
    next: u64,
    opened: HashSet<String>,
    /// Whether the server reports when it has read everything.
    ready: bool,
}

const START: Duration = Duration::from_secs(300);
const ANSWER: Duration = Duration::from_secs(60);

impl Server {
    /// Starts `command` in `root`; `says_ready`: whether it reports when it has read everything.
    pub(super) fn start(
        command: &mut Command,
        root: &Path,
        language: &str,
        says_ready: bool,
    ) -> Result<Server> {
        let root = root.canonicalize()?;
        let mut child = command
            .current_dir(&root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("starting {}", command.get_program().display()))?;
        let input = child.stdin.take().context("it has an input")?;
        let stdout = child.stdout.take().context("it has an output")?;
        let (send, output) = channel();
        std::thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            while let Some(message) = message(&mut stdout) {
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        let mut server = Server {
            child,
            input,
            output,
            root,
            language: language.to_owned(),
            next: 0,
            opened: HashSet::new(),
            ready: !says_ready,
        };
        let uri = server.uri("");
        server.request(
            "initialize",
            &json!({
                "processId": std::process::id(), "rootUri": uri,
                "workspaceFolders": [{"uri": uri, "name": "project"}],
                "initializationOptions": {"checkOnSave": false, "cachePriming": {"enable": false}, "cargo": {"features": "all"}},
                "capabilities": {
                    "workspace": {"configuration": true, "workspaceFolders": true},
                    "window": {"workDoneProgress": true},
                    "experimental": {"serverStatusNotification": true},
                },
            }),
            START,
        )?;
        server.send(&json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}))?;
        let settings = json!({"settings": {}});
        server.send(
            &json!({"jsonrpc": "2.0", "method": "workspace/didChangeConfiguration", "params": settings}),
        )?;
        let deadline = Instant::now() + START;
        while !server.ready {
            let left = deadline.saturating_duration_since(Instant::now());
            let message = server.receive(left).context("it did not say that it has read the project")?;
            server.handle_message(&message)?;
        }
        Ok(server)
    }

    /// The uses of the name at a place, without that place.
    pub(super) fn references(&mut self, at: &Position) -> Result<HashSet<Position>> {
        let (path, line, column) = at;
        let text = std::fs::read_to_string(self.root.join(path))?;
        let row = text.lines().nth(usize::try_from(*line)?.saturating_sub(1)).unwrap_or("");
        self.open(path, &text)?;
        let before = row.get(..usize::try_from(*column)?.saturating_sub(1)).unwrap_or("");
        let character = before.encode_utf16().count();
        let params = json!({
            "textDocument": {"uri": self.uri(path)},
            "position": {"line": line - 1, "character": character},
            "context": {"includeDeclaration": false},
        });
        let found = self.request("textDocument/references", &params, ANSWER)?;
        let mut out = HashSet::new();
        for place in found.as_array().into_iter().flatten() {
            let Some(path) = place.get("uri").and_then(Value::as_str).and_then(|uri| self.relative(uri))
            else {
                continue;
            };
            let number = |key: &str| place.pointer(&format!("/range/start/{key}")).and_then(Value::as_u64);
            let (Some(row), Some(character)) = (number("line"), number("character")) else { continue };
            let text = std::fs::read_to_string(self.root.join(&path)).unwrap_or_default();
            let line = text.lines().nth(usize::try_from(row)?).unwrap_or("");
            out.insert((path, row + 1, bytes(line, character) + 1));
        }
        out.remove(at);
        Ok(out)
    }

    /// Whether its process is over.
    pub(super) fn has_ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// Opens a file in the server, once.
    fn open(&mut self, path: &str, text: &str) -> Result<()> {
        if !self.opened.insert(path.to_owned()) {
            return Ok(());
        }
        let document =
            json!({"uri": self.uri(path), "languageId": self.language, "version": 1, "text": text});
        self.send(&json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}}))
    }

    fn uri(&self, path: &str) -> String {
        let whole = self.root.join(path);
        let mut out = String::from("file://");
        for byte in whole.to_string_lossy().trim_end_matches('/').bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                    out.push(char::from(byte));
                }
                byte => out.push_str(&format!("%{byte:02X}")),
            }
        }
        out
    }

    /// The path inside of the project that a URI names.
    fn relative(&self, uri: &str) -> Option<String> {
        let coded = uri.strip_prefix("file://")?.as_bytes();
        let mut plain = Vec::with_capacity(coded.len());
        let mut i = 0;
        while i < coded.len() {
            let hex = coded.get(i + 1..i + 3).and_then(|hex| std::str::from_utf8(hex).ok());
            match hex.filter(|_| coded[i] == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
                Some(byte) => {
                    plain.push(byte);
                    i += 3;
                }
                None => {
                    plain.push(coded[i]);
                    i += 1;
                }
            }
        }
        let plain = PathBuf::from(String::from_utf8(plain).ok()?);
        Some(plain.strip_prefix(&self.root).ok()?.to_string_lossy().into_owned())
    }

    fn request(&mut self, method: &str, params: &Value, limit: Duration) -> Result<Value> {
        let deadline = Instant::now() + limit;
        // A server that was still reading is asked again.
        loop {
            self.next += 1;
            let id = self.next;
            self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
            let answer = loop {
                let left = deadline.saturating_duration_since(Instant::now());
                let message = self.receive(left).with_context(|| format!("{method} was not answered"))?;
                if message.get("method").is_none() && message.get("id") == Some(&json!(id)) {
                    break message;
                }
                self.handle_message(&message)?;
            };
            let Some(error) = answer.get("error") else {
                return Ok(answer.get("result").cloned().unwrap_or(Value::Null));
            };
            const CONTENT_MODIFIED: i64 = -32801;
            if error.get("code").and_then(Value::as_i64) != Some(CONTENT_MODIFIED) {
                bail!("{method}: {error}");
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// Answers the server's requests, and notes that it is ready.
    fn handle_message(&mut self, message: &Value) -> Result<()> {
        let method = message.get("method").and_then(Value::as_str).unwrap_or("");
        if method == "experimental/serverStatus" {
            self.ready |= message.pointer("/params/quiescent") == Some(&Value::Bool(true));
        }
        // pyright has no such notification, but logs how many files it found.
        let logged = message.pointer("/params/message").and_then(Value::as_str).unwrap_or("");
        self.ready |= method == "window/logMessage" && logged.starts_with("Found ");
        if let Some(id) = message.get("id").filter(|_| !method.is_empty()) {
            let items = message.pointer("/params/items").and_then(Value::as_array);
            let result = items
                .filter(|_| method == "workspace/configuration")
                .map_or(Value::Null, |items| items.iter().map(|_| Value::Null).collect::<Vec<_>>().into());
            self.send(&json!({"jsonrpc": "2.0", "id": id, "result": result}))?;
        }
        Ok(())
    }

    fn receive(&self, limit: Duration) -> Result<Value> {
        match self.output.recv_timeout(limit) {
            Ok(message) => Ok(message),
            Err(RecvTimeoutError::Timeout) => bail!("it took longer than allowed"),
            Err(RecvTimeoutError::Disconnected) => bail!("the language server ended"),
        }
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len())?;
        Ok(self.input.flush()?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The next message, or nothing at the end.
fn message(input: &mut impl std::io::BufRead) -> Option<Value> {
    let mut length = 0usize;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).unwrap_or(Value::Null))
}

/// The bytes of the first `units` UTF-16 units of a line.
fn bytes(line: &str, units: u64) -> u64 {
    let mut left = units;
    let mut out = 0;
    for c in line.chars() {
        let width = c.len_utf16() as u64;
        if left < width {
            break;
        }
        left -= width;
        out += c.len_utf8() as u64;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_bytes() {
        assert_eq!(bytes("äö𝒳x", 4), 8);
        assert_eq!(bytes("abc", 9), 3);
    }

    #[test]
    fn messages_are_read_one_by_one() {
        let mut input: &[u8] = b"Content-Length: 2\r\n\r\n{}content-length: 4\r\nX: y\r\n\r\ntrue";
        assert_eq!(message(&mut input), Some(json!({})));
        assert_eq!(message(&mut input), Some(json!(true)));
        assert_eq!(message(&mut input), None);
    }
}
