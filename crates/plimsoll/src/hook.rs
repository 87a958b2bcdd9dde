//! The hook face: one payload from standard input, one verdict on standard output.
//!
//! An agent waits for this process on every tool call. So the answer is printed before anything is
//! recorded, everything has a deadline, and whatever goes wrong ends in the agent's "go on": no message, no
//! failure, no half answer.

use std::io::{Read, Write};
use std::process::ExitCode;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use agents::{Agent, HookOutput};
use home::{Clock, Env, Home};
use hooks::Context;

/// How long deciding may take once the payload is there.
const DEADLINE: Duration = Duration::from_millis(150);

/// How long the agent may take to hand its payload over.
const PATIENCE: Duration = Duration::from_secs(10);

/// Largest payload that is looked at, in bytes; what is larger is read and passed.
const MAX_PAYLOAD: u64 = 64 * 1024 * 1024;

enum Progress {
    /// The payload is there; the deadline runs from now.
    Read,
    /// The answer.
    Answer(HookOutput),
    /// The event was recorded.
    Recorded,
}

/// Handles one event. `arguments` are those after `hook`: agent and event, both optional.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let agent = arguments.first().and_then(|id| agents::by_id(id));
    let event = arguments.get(1).cloned();
    let fallback = agent.map_or_else(HookOutput::silent, |agent| agent.pass(event.as_deref()));
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        // A panic ends this thread and closes the channel, which the other side takes for "go on".
        work(agent, event.as_deref(), &sender);
    });
    let mut limit = PATIENCE;
    let mut since = Instant::now();
    loop {
        match receiver.recv_timeout(limit.saturating_sub(since.elapsed())) {
            Ok(Progress::Read) => {
                limit = DEADLINE;
                since = Instant::now();
            }
            Ok(Progress::Answer(output)) => {
                let code = print(&output);
                // Recording gets what is left of the deadline; the agent reads our answer meanwhile, but
                // it waits for our end.
                let left = DEADLINE.saturating_sub(since.elapsed());
                while let Ok(progress) = receiver.recv_timeout(left) {
                    if matches!(progress, Progress::Recorded) {
                        break;
                    }
                }
                std::process::exit(code);
            }
            Ok(Progress::Recorded) => {}
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                std::process::exit(print(&fallback))
            }
        }
    }
}

fn work(agent: Option<&'static dyn Agent>, event: Option<&str>, progress: &Sender<Progress>) {
    std::panic::set_hook(Box::new(|_| {}));
    let payload = read();
    let _ = progress.send(Progress::Read);
    let started = Instant::now();
    let Some(payload) = payload else { return };
    let Ok(env) = Env::capture() else { return };
    let Ok(home) = Home::resolve(&env) else { return };
    let Some(agent) = agent.or_else(|| hooks::sender(&payload, event, &env)) else { return };
    let context = Context { home: &home, env: &env, clock: Clock::system(), agent };
    let handled = hooks::handle(&payload, event, &context);
    let elapsed = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    let _ = progress.send(Progress::Answer(handled.output));
    if let Some((event, decided)) = handled.record {
        let _ = hooks::record(&home, context.clock, &event, &decided, elapsed);
    }
    let _ = progress.send(Progress::Recorded);
}

/// The payload; `None` when it is too large or cannot be read.
fn read() -> Option<Vec<u8>> {
    let mut payload = Vec::new();
    let mut stdin = std::io::stdin().lock();
    stdin.by_ref().take(MAX_PAYLOAD).read_to_end(&mut payload).ok()?;
    // An agent that cannot finish writing would see a broken pipe, and some take that for a failed hook.
    let rest = std::io::copy(&mut stdin, &mut std::io::sink()).ok()?;
    (rest == 0).then_some(payload)
}

/// Prints the whole answer in one write and returns the exit code.
fn print(output: &HookOutput) -> i32 {
    let mut bytes = output.stdout.clone().into_bytes();
    if !bytes.is_empty() {
        bytes.push(b'\n');
        let mut stdout = std::io::stdout().lock();
        let _ = stdout.write_all(&bytes).and_then(|()| stdout.flush());
    }
    if !output.stderr.is_empty() {
        let mut stderr = std::io::stderr().lock();
        let _ = writeln!(stderr, "{}", output.stderr);
    }
    i32::from(output.exit)
}
