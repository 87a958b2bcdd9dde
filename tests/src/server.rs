//! A session with `plimsoll mcp` over its standard input and output, as an agent has one. Owns the framing and the handshake; knows
//! nothing of the tools' answers.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::scratch::{Scratch, sidecar};

/// A tool call's result.
#[derive(Debug, Clone)]
pub struct ToolReply {
    /// The text that the model would see.
    pub text: String,
    /// Whether the tool reports an error.
    pub failed: bool,
}

/// A running server. Dropping it kills it and waits for it.
#[derive(Debug)]
pub struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Option<BufReader<ChildStdout>>,
    next: u64,
}

impl Server {
    /// Starts one in this scratch home's project and does the handshake.
    ///
    /// # Errors
    /// If it doesn't start or doesn't answer.
    pub fn start(scratch: &Scratch) -> Result<Self> {
        let mut command = scratch.command(sidecar());
        command.arg("mcp");
        Self::of(command)
    }

    /// Starts the command, which must become a server on its own standard input and output.
    ///
    /// # Errors
    /// If it doesn't start or doesn't answer.
    pub fn of(mut command: Command) -> Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().with_context(|| format!("starting {command:?}"))?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().map(BufReader::new);
        let mut server = Self { child, stdin, stdout, next: 1 };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "scripted", "version": "1"}});
        server.ask("initialize", hello)?;
        server.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(server)
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a request without waiting for its answer; returns its id.
    ///
    /// # Errors
    /// If the server no longer reads.
    pub fn send(&mut self, method: &str, params: Value) -> Result<u64> {
        let id = self.next;
        self.next += 1;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        Ok(id)
    }

    /// Sends a notification.
    ///
    /// # Errors
    /// If the server no longer reads.
    pub fn notify(&mut self, method: &str, params: Value) -> Result<()> {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    /// Sends a tool call without waiting for its answer; returns its id.
    ///
    /// # Errors
    /// If the server no longer reads.
    pub fn send_call(&mut self, tool: &str, arguments: Value) -> Result<u64> {
        self.send("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// The next answer (notifications and the server's own requests are skipped); `None` if the server has closed its
    /// output.
    ///
    /// # Errors
    /// If anything but protocol arrives.
    pub fn next_answer(&mut self) -> Result<Option<Value>> {
        let stdout = self.stdout.as_mut().context("the output was given away")?;
        next_answer(stdout)
    }

    /// Sends a request and waits for its result.
    ///
    /// # Errors
    /// If the server ends or answers with a protocol error.
    pub fn ask(&mut self, method: &str, params: Value) -> Result<Value> {
        let id = self.send(method, params)?;
        loop {
            let answer = self.next_answer()?.with_context(|| format!("the server ended during {method}"))?;
            if answer["id"] == id {
                if let Some(error) = answer.get("error") {
                    bail!("{method}: {error}");
                }
                return Ok(answer["result"].clone());
            }
        }
    }

    /// Calls a tool and waits for its result.
    ///
    /// # Errors
    /// If the server ends or answers with a protocol error; a tool's error isn't an error here.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Result<ToolReply> {
        let result = self.ask("tools/call", json!({"name": tool, "arguments": arguments}))?;
        Ok(printed(&result))
    }

    /// Takes the output, to be read with [`next_answer`].
    pub fn take_output(&mut self) -> Option<BufReader<ChildStdout>> {
        self.stdout.take()
    }

    /// Closes its input, as an agent does when it ends.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// `kill -9`, and waits until it is gone.
    ///
    /// # Errors
    /// If it can't be waited for.
    pub fn kill(&mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// How long it takes to end from now on; `None` if it is still running after `limit`.
    ///
    /// # Errors
    /// If it can't be waited for.
    pub fn ended_within(&mut self, limit: Duration) -> Result<Option<Duration>> {
        let since = Instant::now();
        while since.elapsed() < limit {
            if self.child.try_wait()?.is_some() {
                return Ok(Some(since.elapsed()));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(None)
    }

    fn write(&mut self, message: &Value) -> Result<()> {
        let stdin = self.stdin.as_mut().context("the input was closed")?;
        // One write: a line must not be torn when the server is killed in between.
        stdin.write_all(format!("{message}\n").as_bytes())?;
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}

/// The next answer in a server's output; `None` at its end. A line cut off by a kill counts as the end.
///
/// # Errors
/// If anything but protocol arrives.
pub fn next_answer(stdout: &mut impl BufRead) -> Result<Option<Value>> {
    loop {
        let mut line = String::new();
        if stdout.read_line(&mut line)? == 0 || !line.ends_with('\n') {
            return Ok(None);
        }
        let message: Value = serde_json::from_str(&line)
            .with_context(|| format!("not protocol on standard output: {line}"))?;
        if message.get("method").is_none() {
            return Ok(Some(message));
        }
    }
}

/// The words of a tool's result.
pub fn printed(result: &Value) -> ToolReply {
    let parts = result["content"].as_array().into_iter().flatten();
    ToolReply {
        text: parts.filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n"),
        failed: result["isError"] == true,
    }
}
