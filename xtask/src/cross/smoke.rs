//! The sidecar under wine, as its callers use it: the command line, the server over its pipes, a hook. What
//! cannot happen (a crash, a wrong answer, an end that does not come) is an error; figures go to the table.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::Line;
use super::wine::{Wine, windows_path};

pub(crate) fn all(wine: &Wine, exe: &Path, dir: &Path, table: &mut Vec<Line>) -> Result<()> {
    let _ = std::fs::remove_dir_all(dir);
    let place = SmokeFolder { wine, exe: exe.to_owned(), home: dir.join("home"), project: dir.join("work") };
    std::fs::create_dir_all(place.project.join(".git"))?;
    std::fs::create_dir_all(place.project.join(".claude"))?;
    std::fs::create_dir_all(&place.home)?;

    let version = place.command_line(&["--version"])?;
    ensure!(version.starts_with("plimsoll "), "--version printed {version:?}");
    table.push(Line::new("wine, --version", version.trim()));
    server(&place, table)?;
    hook(&place, table)?;
    connect(&place, table)
}

/// Where the sidecar runs.
struct SmokeFolder<'a> {
    wine: &'a Wine,
    exe: PathBuf,
    home: PathBuf,
    project: PathBuf,
}

impl SmokeFolder<'_> {
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.wine.command(&self.exe);
        command.args(arguments).current_dir(&self.project).env("PLIMSOLL_HOME", windows_path(&self.home));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn command_line(&self, arguments: &[&str]) -> Result<String> {
        let output = self.command(arguments).stdin(Stdio::null()).output()?;
        ensure!(
            output.status.success(),
            "`plimsoll {}` ended with {}: {}",
            arguments.join(" "),
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// A running server.
struct Server {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    last: u32,
}

impl Server {
    fn start(mut command: Command) -> Result<Self> {
        let mut child = command.stderr(Stdio::null()).spawn().context("starting the server")?;
        let stdin = child.stdin.take().context("stdin")?;
        let stdout = BufReader::new(child.stdout.take().context("stdout")?);
        Ok(Self { child, stdin, stdout, last: 0 })
    }

    fn send_line(&mut self, line: &str) -> Result<()> {
        writeln!(self.stdin, "{line}").context("the server reads no more")
    }

    /// The line with the answer to a request.
    fn request(&mut self, method: &str, params: &str) -> Result<String> {
        self.last += 1;
        let id = self.last;
        self.send_line(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#))?;
        loop {
            let mut line = String::new();
            ensure!(self.stdout.read_line(&mut line)? > 0, "the server ended instead of answering {method}");
            ensure!(line.starts_with('{'), "this is not the protocol: {line:?}");
            if line.contains(&format!("\"id\":{id}")) {
                return Ok(line);
            }
        }
    }

    /// Calls a tool; its answer contains `expected`.
    fn call(&mut self, tool: &str, arguments: &str, expected: &str) -> Result<()> {
        let reply = self.request("tools/call", &format!(r#"{{"name":"{tool}","arguments":{arguments}}}"#))?;
        ensure!(reply.contains(expected), "{tool} {arguments} did not answer {expected:?}: {reply}");
        Ok(())
    }
}

const HELLO: &str = r#"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"claude-code","version":"2.1.197"}}"#;

/// Tool, arguments, and what the answer must contain.
const CALLS: &[(&str, &str, &str)] = &[
    ("execute", r#"{"language":"javascript","code":"console.log(6 * 7, process.platform)"}"#, "42 win32"),
    (
        "execute",
        r#"{"language":"javascript","code":"console.error('lost'); process.exit(3)"}"#,
        "exit code 3",
    ),
    ("execute", r#"{"language":"typescript","code":"const deep: number = 3; console.log(deep * 2)"}"#, "6"),
    (
        "execute",
        r#"{"language":"javascript","path":"access.log","code":"console.log(FILE_CONTENT.split('\\n').length)"}"#,
        "4",
    ),
    (
        "execute",
        r#"{"language":"javascript","code":"console.log('begun'); setInterval(() => {}, 1000)","timeout_ms":10000}"#,
        "begun",
    ),
    (
        "execute",
        r#"{"language":"javascript","code":"for (let i = 0; i < 20000; i++) console.log(i === 7777 ? 'ERROR no such ship' : 'INFO tide ' + i)"}"#,
        "ERROR no such ship",
    ),
    (
        "index",
        r#"{"content":"Ballast\n\nA plimsoll line marks how deep a ship may lie.","source":"marks"}"#,
        "marks",
    ),
    ("search", r##"{"queries":["how deep may a ship lie"]}"##, "A plimsoll line marks"),
    ("manage", r#"{"action":"doctor"}"#, "a sentence was indexed and found"),
    ("index", r#"{"path":"docs","source":"docs"}"#, "docs"),
    ("search", r#"{"queries":["capstan"],"source":"docs"}"#, "The capstan raises the anchor"),
];

fn server(place: &SmokeFolder, table: &mut Vec<Line>) -> Result<()> {
    std::fs::write(place.project.join("access.log"), "200\r\n404\r\n200\r\n")?;
    std::fs::create_dir_all(place.project.join("docs/deck"))?;
    std::fs::write(
        place.project.join("docs/deck/gear.md"),
        "# Gear\r\n\r\nThe capstan raises the anchor.\r\n",
    )?;

    let mut server = Server::start(place.command(&["mcp", "--agent", "claude-code"]))?;
    let hello = server.request("initialize", HELLO)?;
    ensure!(hello.contains("serverInfo"), "no answer to initialize: {hello}");
    server.send_line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)?;
    let tools = server.request("tools/list", "{}")?;
    let listed = tools.matches("\"inputSchema\"").count();
    ensure!(listed == 7, "{listed} tools are listed: {tools}");
    table.push(Line::new(
        "wine, server",
        format!("handshake, {listed} tools in {} bytes", tools.trim().len()),
    ));
    for (tool, arguments, expected) in CALLS {
        server.call(tool, arguments, expected)?;
    }
    let Server { mut child, stdin, .. } = server;
    drop(stdin);
    let status = child.wait()?;
    ensure!(status.success(), "after its input had closed the server ended with {status}");
    table.push(Line::new("wine, tool calls", format!("{} answered, then a clean end", CALLS.len())));
    Ok(())
}

fn hook(place: &SmokeFolder, table: &mut Vec<Line>) -> Result<()> {
    std::fs::write(
        place.project.join(".claude/settings.json"),
        "{\"permissions\":{\"deny\":[\"Bash(capsize:*)\"]}}\r\n",
    )?;
    let cwd = windows_path(&place.project).replace('\\', "\\\\");
    let verdict = |command: &str| -> Result<String> {
        let payload = format!(
            r#"{{"session_id":"s1","transcript_path":"C:\\users\\ana\\.claude\\projects\\w\\s1.jsonl","cwd":"{cwd}","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"command":"{command}"}},"tool_use_id":"t1"}}"#
        );
        let mut child = place.command(&["hook", "claude-code", "PreToolUse"]).spawn()?;
        child.stdin.take().context("stdin")?.write_all(payload.as_bytes())?;
        let output = child.wait_with_output()?;
        ensure!(
            output.status.success() && output.stderr.is_empty(),
            "the hook ended with {}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let silent = verdict("echo hello")?;
    ensure!(silent.trim().is_empty(), "a harmless command was answered with {silent}");
    // The hook lets go after 150 ms, whatever the reason. On a busy machine it is asked again.
    let mut denied = String::new();
    for _ in 0..20 {
        denied = verdict("echo hello; capsize --now")?;
        if !denied.trim().is_empty() {
            break;
        }
    }
    ensure!(
        denied.contains(r#""permissionDecision":"deny""#) && denied.contains("Bash(capsize:*)"),
        "a forbidden command was answered with {denied:?}"
    );
    table.push(Line::new("wine, hook", "passes what is harmless, denies by the user's rule and names it"));
    Ok(())
}

/// A user's file with Windows' line ends.
const SETTINGS: &str = "{\r\n  \"theme\": \"dark\" \r\n}\r\n";

fn connect(place: &SmokeFolder, table: &mut Vec<Line>) -> Result<()> {
    let profile = place.wine.profile()?;
    let settings = profile.join(".claude/settings.json");
    std::fs::create_dir_all(profile.join(".claude"))?;
    std::fs::write(&settings, SETTINGS)?;
    let servers = profile.join(".claude.json");
    let _ = std::fs::remove_file(&servers);

    place.command_line(&["connect", "claude-code", "--yes"])?;
    let (hooks, entry) = (std::fs::read_to_string(&settings)?, std::fs::read_to_string(&servers)?);
    ensure!(hooks.contains("bin/plimsoll.exe hook claude-code"), "the hooks were not written: {hooks}");
    ensure!(entry.contains(r"\\bin\\plimsoll.exe"), "the server was not written: {entry}");
    ensure!(!hooks.replace("\r\n", "").contains('\n'), "the line ends became mixed: {hooks:?}");
    ensure!(place.home.join("bin/plimsoll.exe").is_file(), "there is no launcher");
    place.command_line(&["disconnect", "claude-code", "--yes"])?;
    ensure!(std::fs::read_to_string(&settings)? == SETTINGS, "disconnecting did not bring the settings back");
    ensure!(!servers.exists(), "disconnecting left {}", servers.display());
    std::fs::remove_file(settings)?;
    table.push(Line::new("wine, connect and disconnect", "Claude Code's files, back to the byte"));
    Ok(())
}
