//! The `hook` entry point: one payload from standard input, one verdict on standard output.
//!
//! An agent waits for this process on every tool call. So the answer is printed before anything is recorded,
//! everything has a deadline, and any failure means that the agent continues: no message, no error, no partial
//! answer.
//!
//! The main thread does the work, because its memory is set up already; a second thread only watches the time.
//! Whoever advances the [`Stage`] first prints, so that there is never more than one answer.

use std::io::{BufRead, ErrorKind, Write};
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

use agents::{Agent, HookOutput};
use home::{Clock, Env, Home};
use hooks::Context;
use text::json::ValueEnd;

/// Time limit for deciding and recording after the payload has arrived.
const DEADLINE: Duration = Duration::from_millis(150);

/// How much longer the process may live to record what happened, once the agent has its answer. Commands fail on busy
/// computers above all, and a record without them would be a false one.
const RECORD_LIMIT: Duration = Duration::from_millis(100);

/// Time limit for receiving the payload. Less than the agents' own limit for a hook: some of them deny the call if they have
/// to end it.
const PAYLOAD_LIMIT: Duration = Duration::from_millis(agents::HOOK_TIMEOUT_S * 800);

/// Size limit of a payload, in bytes; a larger one is read and ignored.
const MAX_PAYLOAD: usize = 64 * 1024 * 1024;

/// The watching thread makes no deep calls.
const WATCH_STACK: usize = 64 * 1024;

/// The payload is being read.
const READING: u16 = 0;
/// The payload has arrived; the deadline runs.
const DECIDING: u16 = 1;
/// A thread is printing the answer. Printing is never interrupted.
const PRINTING: u16 = 2;
/// The answer is printed; the exit code is added to this.
const RECORDING: u16 = 256;

/// Added when a hook that was too slow to answer has recorded its event.
const RECORDED: u16 = 1 << 15;

/// The stage that the hook is in.
#[derive(Default)]
struct Stage(AtomicU16);

impl Stage {
    /// Claims the right to print; only one caller ever gets it.
    fn claim_printing(&self) -> bool {
        let claim_printing =
            |from| self.0.compare_exchange(from, PRINTING, Ordering::AcqRel, Ordering::Acquire).is_ok();
        claim_printing(DECIDING) || claim_printing(READING)
    }
}

/// Handles one event. `arguments` are those after `hook`: agent and event, both optional.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    std::panic::set_hook(Box::new(|_| {}));
    let agent = arguments.first().and_then(|id| agents::by_id(id));
    let event = arguments.get(1).map(String::as_str);
    let fallback = Arc::new(agent.map_or_else(HookOutput::silent, |agent| agent.fail_open(event)));
    let stage = Arc::new(Stage::default());
    let watch = {
        let (stage, fallback) = (Arc::clone(&stage), Arc::clone(&fallback));
        std::thread::Builder::new().stack_size(WATCH_STACK).spawn(move || watch(&stage, &fallback))
    };
    // Without a watching thread, continuing at once is the only answer that is surely in time.
    let Ok(watch) = watch else { return ExitCode::from(print(&fallback)) };
    let read = std::panic::catch_unwind(read_payload).ok().flatten();
    if stage.0.compare_exchange(READING, DECIDING, Ordering::AcqRel, Ordering::Acquire).is_ok() {
        watch.thread().unpark();
    }
    let started = Instant::now();
    let decided = std::panic::catch_unwind(AssertUnwindSafe(|| {
        read.and_then(|payload| decide(agent, event, &payload))
    }));
    let decided = decided.ok().flatten();
    let elapsed = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    if !stage.claim_printing() {
        // Time is up and the watching thread is printing the fallback; it ends the process afterwards.
        if let Some((home, result)) = decided {
            record(&home, &result.without_answer(), elapsed);
        }
        stage.0.fetch_or(RECORDED, Ordering::AcqRel);
        loop {
            std::thread::park();
        }
    }
    let code = print(decided.as_ref().map_or(&fallback, |(_, result)| &result.output));
    stage.0.store(RECORDING + u16::from(code), Ordering::Release);
    // The agent has the answer but waits for the process to end, so recording gets the remaining time.
    if let Some((home, result)) = decided {
        record(&home, &result, elapsed);
    }
    std::process::exit(i32::from(code))
}

fn record(home: &Home, result: &hooks::HookResult, elapsed: u64) {
    let _ = std::panic::catch_unwind(AssertUnwindSafe(|| {
        hooks::record(home, service::SYSTEMS, Clock::system(), result, elapsed)
    }));
}

/// Ends the process when its time is up, with the fallback if nothing has been printed, and the event recorded if that
/// takes no longer than [`RECORD_LIMIT`].
fn watch(stage: &Stage, fallback: &HookOutput) {
    let mut since = Instant::now();
    let mut deciding = false;
    loop {
        // Parking may end early for no reason.
        let limit = if deciding { DEADLINE } else { PAYLOAD_LIMIT };
        let left = limit.saturating_sub(since.elapsed());
        if !left.is_zero() {
            std::thread::park_timeout(left);
            if !deciding && stage.0.load(Ordering::Acquire) != READING {
                deciding = true;
                since = Instant::now();
            }
            continue;
        }
        if stage.claim_printing() {
            let code = print(fallback);
            let printed = Instant::now();
            // Without a payload there is nothing to record.
            while deciding
                && printed.elapsed() < RECORD_LIMIT
                && stage.0.load(Ordering::Acquire) & RECORDED == 0
            {
                std::thread::sleep(Duration::from_millis(1));
            }
            std::process::exit(i32::from(code));
        }
        if let Some(code) = (stage.0.load(Ordering::Acquire) & !RECORDED).checked_sub(RECORDING) {
            // The other thread ends the process as soon as it has recorded.
            std::thread::sleep(RECORD_LIMIT);
            std::process::exit(i32::from(code));
        }
        // The reader is slow.
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn decide(
    agent: Option<&'static dyn Agent>,
    event: Option<&str>,
    payload: &[u8],
) -> Option<(Home, hooks::HookResult)> {
    let env = Env::capture().ok()?;
    let home = Home::resolve(&env).ok()?;
    // Nothing may be written in somebody else's folder, so nothing can be decided either.
    home.check().ok()?;
    let agent = agent.or_else(|| hooks::find_agent(payload, event, &env))?;
    let context =
        Context { home: &home, env: &env, clock: Clock::system(), agent, systems: service::SYSTEMS };
    let result = hooks::handle(payload, event, &context);
    Some((home, result))
}

/// Reads the payload; `None` if it is too large or can't be read. Stops at the end of the JSON value, because some
/// agents leave their end of the pipe open.
fn read_payload() -> Option<Vec<u8>> {
    let mut payload = Vec::new();
    let mut ending = ValueEnd::default();
    let mut stdin = std::io::stdin().lock();
    loop {
        let piece = match stdin.fill_buf() {
            Ok(piece) => piece,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => return None,
        };
        if piece.is_empty() {
            return Some(payload);
        }
        if payload.len() + piece.len() > MAX_PAYLOAD {
            break;
        }
        let (taken, end) = (piece.len(), ending.feed(piece));
        payload.extend_from_slice(&piece[..end.unwrap_or(taken)]);
        stdin.consume(taken);
        if end.is_some() {
            return Some(payload);
        }
    }
    // An agent that can't finish writing gets a broken pipe, and some take that for a failed hook.
    let _ = std::io::copy(&mut stdin, &mut std::io::sink());
    None
}

/// Prints the answer in a single write and returns the exit code.
fn print(output: &HookOutput) -> u8 {
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
    output.exit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_run_ends_before_an_agent_ends_it() {
        let longest = PAYLOAD_LIMIT + DEADLINE + RECORD_LIMIT;
        let limit = Duration::from_secs(agents::HOOK_TIMEOUT_S);
        assert!(longest + Duration::from_secs(1) < limit, "{longest:?} of {limit:?}");
    }
}
