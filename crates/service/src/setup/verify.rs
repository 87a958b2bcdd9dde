//! Verifies a connection: starts the server as the agent does (same command line, almost empty environment),
//! initializes it, lists its tools and makes one call; then sends the hook command one event.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use agents::{Agent, EventKind, HookInput, Role, Sample, Verdict};
use contract::{FileState, Sentence, VerifyReport, joined};
use edits::{Edit, EntryState};
use serde_json::{Value, json};

use super::Computer;
use super::file_groups::FileGroup;
use super::survey::find_connection;
use crate::{Service, messages};

/// The session ID under which the verification is recorded.
const VERIFY_SESSION: &str = "plimsoll-verify";

/// How long an answer may take; beyond this the agent would hang.
const ANSWER_LIMIT: Duration = Duration::from_secs(10);

/// How often a hook that prints nothing is run: on a busy computer one runs out of time and steps aside, by design.
const HOOK_ATTEMPTS: u32 = 3;

/// Variables that even the most restrictive agent passes on.
const PASSED_VARIABLES: [&str; 10] = [
    "HOME",
    "PATH",
    "USER",
    "LOGNAME",
    "LANG",
    "TMPDIR",
    "PLIMSOLL_HOME",
    "SYSTEMROOT",
    "USERPROFILE",
    "TEMP",
];

/// Starts what the agent's files name and reports the answers.
pub fn verify(service: &Service, computer: &Computer, agent: &'static dyn Agent) -> VerifyReport {
    let mut report = VerifyReport {
        id: agent.id().to_owned(),
        name: agent.name().to_owned(),
        initialize_ms: None,
        tools: 0,
        call_ms: None,
        hook_ms: None,
        error: None,
    };
    let found =
        agent.detect(&computer.machine()).unwrap_or_else(|| agent.assumed_installation(computer.env()));
    let files = find_connection(service, computer, agent, &found).1.groups;
    // If an entry is unchanged, the file says what the plan would write.
    let ours = |file: &&FileGroup| {
        file.entry_states().iter().any(|here| matches!(here, EntryState::Ours | EntryState::OursWithExtras))
    };
    let outcome = match files.iter().filter(|file| file.has(Role::Mcp)).find(ours) {
        Some(file) => match file.edits.iter().find_map(command_of) {
            Some(server) => check_server(&server, computer, &mut report),
            None => Err(messages::no_command()),
        },
        None => Err(unreadable_file(&files).unwrap_or_else(|| messages::not_connected(agent.id()))),
    };
    let hooks =
        files.iter().filter(|file| file.has(Role::Hooks) || file.has(Role::Plugin)).any(|file| ours(&file));
    let outcome = outcome.and_then(|()| {
        if hooks {
            report.hook_ms = Some(check_hook(service, computer, agent)?);
        }
        Ok(())
    });
    report.error = outcome.err();
    remove_from_record(service, agent);
    report
}

/// What is wrong with the file that would name the server, if it can't be read: then the file doesn't tell whether the
/// agent is connected, and connecting it isn't the way out.
fn unreadable_file(files: &[FileGroup]) -> Option<Sentence> {
    files.iter().filter(|file| file.has(Role::Mcp)).find_map(|file| {
        let reason = file.entry_states().into_iter().find_map(|here| match here {
            EntryState::Unreadable(reason) => Some(reason),
            _ => None,
        })?;
        Some(joined::about(&file.path, joined::about(FileState::Unreadable.message(), reason)))
    })
}

/// Removes the verification from the record: it wasn't part of any conversation.
fn remove_from_record(service: &Service, agent: &dyn Agent) {
    if !sessions::has_records(service.home()) {
        return;
    }
    let payload = agent.session_start(VERIFY_SESSION, service.env().home_dir()).payload;
    let forgotten = service.open_record().and_then(|mut sessions| {
        for session in [VERIFY_SESSION, payload_session(&payload)] {
            sessions.forget_session(agent.id(), session)?;
        }
        Ok(())
    });
    if let Err(error) = forgotten {
        log::info!("the trial stays in the record: {error}");
    }
}

/// A command line with its environment.
struct CommandLine {
    program: PathBuf,
    args: Vec<String>,
    env: Vec<(String, String)>,
}

/// The command line of a server entry, in either of the agents' forms: a string with `args`, or an array.
fn command_of(edit: &Edit) -> Option<CommandLine> {
    let Edit::Set { value, .. } = edit else { return None };
    let strings = |value: &Value| -> Vec<String> {
        value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let (program, args) = match value.get("command")? {
        Value::String(program) => (program.clone(), value.get("args").map(strings).unwrap_or_default()),
        list => {
            let mut words = strings(list).into_iter();
            (words.next()?, words.collect())
        }
    };
    let env = value.get("env").or_else(|| value.get("environment")).and_then(Value::as_object);
    let env = env
        .into_iter()
        .flatten()
        .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
        .collect();
    Some(CommandLine { program: PathBuf::from(program), args, env })
}

fn bare_command(program: &Path, computer: &Computer) -> Command {
    let mut command = Command::new(program);
    command.env_clear().current_dir(computer.env().home_dir());
    for name in PASSED_VARIABLES {
        if let Some(value) = computer.env().var(name) {
            command.env(name, value);
        }
    }
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt;
        const CREATE_NO_WINDOW: u32 = 0x0800_0000;
        command.creation_flags(CREATE_NO_WINDOW);
    }
    command
}

fn check_server(line: &CommandLine, computer: &Computer, report: &mut VerifyReport) -> Result<(), Sentence> {
    let started = Instant::now();
    let mut child = bare_command(&line.program, computer)
        .args(&line.args)
        // A recognisable session, so that it can be removed from the record.
        .env("CLAUDE_SESSION_ID", VERIFY_SESSION)
        .envs(line.env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| messages::not_started(&line.program, os_error(&error)))?;
    let outcome = handshake(&mut child, started, report);
    // Closing stdin ends the server; one that stays is killed.
    drop(child.stdin.take());
    let ended = Instant::now();
    while child.try_wait().is_ok_and(|status| status.is_none()) {
        if ended.elapsed() > Duration::from_secs(2) {
            let _ = child.kill();
            let _ = child.wait();
            return outcome.and(Err(messages::does_not_end()));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    outcome
}

fn handshake(child: &mut Child, started: Instant, report: &mut VerifyReport) -> Result<(), Sentence> {
    let lines = lines_of(child)?;
    let mut ask = |id: u32, method: &str, params: Value| -> Result<Value, Sentence> {
        let stdin = child.stdin.as_mut().ok_or("the server has no input")?;
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        writeln!(stdin, "{message}")
            .and_then(|()| stdin.flush())
            .map_err(|error| messages::went_away(os_error(&error)))?;
        answer(&lines, id, method)
    };
    ask(
        1,
        "initialize",
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "plimsoll-verify", "version": env!("CARGO_PKG_VERSION")}}),
    )?;
    report.initialize_ms = Some(ms(started));
    let tools = ask(2, "tools/list", json!({}))?;
    report.tools = tools.get("tools").and_then(Value::as_array).map_or(0, Vec::len);
    if report.tools == 0 {
        return Err(messages::no_tools());
    }
    let before = Instant::now();
    let reply = ask(3, "tools/call", json!({"name": "search", "arguments": {"queries": ["plimsoll"]}}))?;
    if reply.get("isError").and_then(Value::as_bool) == Some(true) {
        let text = reply.pointer("/content/0/text").and_then(Value::as_str).unwrap_or("no text");
        return Err(messages::search_failed(Sentence::from(text)));
    }
    report.call_ms = Some(ms(before));
    Ok(())
}

fn lines_of(child: &mut Child) -> Result<Receiver<String>, Sentence> {
    let stdout = child.stdout.take().ok_or("the server has no output")?;
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    Ok(receiver)
}

fn answer(lines: &Receiver<String>, id: u32, method: &str) -> Result<Value, Sentence> {
    let deadline = Instant::now() + ANSWER_LIMIT;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let line =
            lines.recv_timeout(left).map_err(|_| messages::no_answer(method, ANSWER_LIMIT.as_secs()))?;
        let message: Value =
            serde_json::from_str(&line).map_err(|_| messages::not_the_protocol(Sentence::from(line)))?;
        if message.get("id").and_then(Value::as_u64) == Some(u64::from(id)) {
            if let Some(error) = message.get("error") {
                return Err(messages::answered_with_error(method, Sentence::from(error.to_string())));
            }
            return Ok(message.get("result").cloned().unwrap_or(Value::Null));
        }
    }
}

/// Sends one event to the hook command, as the agent's hook runner does.
fn check_hook(service: &Service, computer: &Computer, agent: &dyn Agent) -> Result<f64, Sentence> {
    for _ in 0..HOOK_ATTEMPTS {
        if let Some(elapsed) = run_hook(service, computer, agent)? {
            return Ok(elapsed);
        }
    }
    Err(messages::hook_silent())
}

/// How long the hook took, in milliseconds; `None` if it printed nothing where it should.
fn run_hook(service: &Service, computer: &Computer, agent: &dyn Agent) -> Result<Option<f64>, Sentence> {
    let launcher = service.home().launcher();
    let Sample { event, payload } = agent.session_start(VERIFY_SESSION, computer.env().home_dir());
    let before = Instant::now();
    let mut child = bare_command(&launcher, computer)
        .args(["hook", agent.id()])
        .args(event)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| messages::not_started(&launcher, os_error(&error)))?;
    if let Some(mut stdin) = child.stdin.take() {
        let _ = stdin.write_all(payload.to_string().as_bytes());
    }
    // The hook has its own deadline, far below any agent's.
    let output = child.wait_with_output().map_err(|error| messages::hook_unread(os_error(&error)))?;
    let elapsed = ms(before);
    if !output.status.success() {
        return Err(messages::hook_ended(Sentence::from(output.status.to_string())));
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    let printed = printed.trim();
    if printed.starts_with('{') && serde_json::from_str::<Value>(printed).is_err() {
        return Err(messages::half_an_answer());
    }
    if printed.is_empty() && expects_output(service, computer, agent, event, &payload) {
        return Ok(None);
    }
    Ok(Some(elapsed))
}

/// Whether the hook prints something at a session start for this agent and these settings.
fn expects_output(
    service: &Service,
    computer: &Computer,
    agent: &dyn Agent,
    event: Option<&str>,
    payload: &Value,
) -> bool {
    let hooks = &service.settings().hooks;
    let home = computer.env().home_dir();
    let paused = !hooks.enabled || !hooks.session_start || hooks.paused_in(home, service.moment());
    let input = HookInput { payload, event, env: computer.env() };
    !paused
        && agent.parse_event(&input).is_some_and(|event| {
            let verdict = Verdict::Context { text: "a word".to_owned() };
            matches!(event.kind, EventKind::SessionStart { .. })
                && !agent.render_verdict(&event, &verdict).stdout.is_empty()
        })
}

/// The session ID in a payload, by any of its names.
fn payload_session(payload: &Value) -> &str {
    let names = ["session_id", "sessionId", "session", "conversationId"];
    names.iter().find_map(|name| payload.get(name)?.as_str()).unwrap_or(VERIFY_SESSION)
}

/// The operating system's message.
fn os_error(error: &std::io::Error) -> Sentence {
    error.to_string().into()
}

fn ms(since: Instant) -> f64 {
    (since.elapsed().as_secs_f64() * 10_000.0).round() / 10.0
}
