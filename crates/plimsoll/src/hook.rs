//! The hook face: one payload from standard input, one verdict on standard output.
//!
//! An agent waits for this process on every tool call. So the answer is printed before anything is
//! recorded, everything has a deadline, and whatever goes wrong ends in the agent's "go on": no message, no
//! failure, no half answer.
//!
//! The work is done on the first thread, whose memory costs nothing to set up; a second one only watches the
//! time. Whoever turns the [`Turn`] first speaks, so that never two answers are printed.

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

/// How long deciding and recording may take once the payload is there.
const DEADLINE: Duration = Duration::from_millis(150);

/// How long the agent may take to hand its payload over.
const PATIENCE: Duration = Duration::from_secs(10);

/// Largest payload that is looked at, in bytes; what is larger is read and passed.
const MAX_PAYLOAD: usize = 64 * 1024 * 1024;

/// The watching thread calls nothing deep.
const WATCH_STACK: usize = 64 * 1024;

/// The payload is being read.
const READING: u16 = 0;
/// It is there; the deadline runs.
const DECIDING: u16 = 1;
/// Somebody is printing an answer. Printing is never cut short.
const SPEAKING: u16 = 2;
/// The answer is out; the exit code is added to this.
const RECORDING: u16 = 256;

/// What stage the hook is in.
#[derive(Default)]
struct Turn(AtomicU16);

impl Turn {
    /// Claims the right to print; only one caller ever gets it.
    fn claim(&self) -> bool {
        let claim =
            |from| self.0.compare_exchange(from, SPEAKING, Ordering::AcqRel, Ordering::Acquire).is_ok();
        claim(DECIDING) || claim(READING)
    }
}

/// Handles one event. `arguments` are those after `hook`: agent and event, both optional.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    std::panic::set_hook(Box::new(|_| {}));
    let agent = arguments.first().and_then(|id| agents::by_id(id));
    let event = arguments.get(1).map(String::as_str);
    let fallback = Arc::new(agent.map_or_else(HookOutput::silent, |agent| agent.fail_open(event)));
    let turn = Arc::new(Turn::default());
    let watch = {
        let (turn, fallback) = (Arc::clone(&turn), Arc::clone(&fallback));
        std::thread::Builder::new().stack_size(WATCH_STACK).spawn(move || watch(&turn, &fallback))
    };
    // Without anybody to watch the time, going on at once is the only answer that is surely in time.
    let Ok(watch) = watch else { return ExitCode::from(print(&fallback)) };
    let read = std::panic::catch_unwind(read).ok().flatten();
    if turn.0.compare_exchange(READING, DECIDING, Ordering::AcqRel, Ordering::Acquire).is_ok() {
        watch.thread().unpark();
    }
    let started = Instant::now();
    let decided = std::panic::catch_unwind(AssertUnwindSafe(|| {
        read.and_then(|payload| decide(agent, event, &payload))
    }));
    let decided = decided.ok().flatten();
    let elapsed = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    if !turn.claim() {
        // The time is up and the watching thread is printing "go on"; it ends the process when it is done.
        loop {
            std::thread::park();
        }
    }
    let code = print(decided.as_ref().map_or(&fallback, |(_, handled)| &handled.output));
    turn.0.store(RECORDING + u16::from(code), Ordering::Release);
    // The agent has our answer but waits for our end, so recording gets what is left of the time.
    if let Some((home, handled)) = decided {
        let _ = std::panic::catch_unwind(AssertUnwindSafe(|| {
            hooks::record(&home, service::SYSTEMS, Clock::system(), &handled, elapsed)
        }));
    }
    std::process::exit(i32::from(code))
}

/// Ends the process when its time is up, with "go on" when nothing else was said until then.
fn watch(turn: &Turn, fallback: &HookOutput) {
    let mut since = Instant::now();
    let mut deciding = false;
    loop {
        // Parking may end early for no reason.
        let limit = if deciding { DEADLINE } else { PATIENCE };
        let left = limit.saturating_sub(since.elapsed());
        if !left.is_zero() {
            std::thread::park_timeout(left);
            if !deciding && turn.0.load(Ordering::Acquire) != READING {
                deciding = true;
                since = Instant::now();
            }
            continue;
        }
        if turn.claim() {
            std::process::exit(i32::from(print(fallback)));
        }
        if let Some(code) = turn.0.load(Ordering::Acquire).checked_sub(RECORDING) {
            std::process::exit(i32::from(code));
        }
        // Somebody reads the answer slowly.
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn decide(
    agent: Option<&'static dyn Agent>,
    event: Option<&str>,
    payload: &[u8],
) -> Option<(Home, hooks::Handled)> {
    let env = Env::capture().ok()?;
    let home = Home::resolve(&env).ok()?;
    let agent = agent.or_else(|| hooks::sender(payload, event, &env))?;
    let context =
        Context { home: &home, env: &env, clock: Clock::system(), agent, systems: service::SYSTEMS };
    let handled = hooks::handle(payload, event, &context);
    Some((home, handled))
}

/// The payload; `None` when it is too large or cannot be read. It ends where its value does: some agents leave their end
/// of the pipe open, and nobody waits for what does not come.
fn read() -> Option<Vec<u8>> {
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
    // An agent that cannot finish writing would see a broken pipe, and some take that for a failed hook.
    let _ = std::io::copy(&mut stdin, &mut std::io::sink());
    None
}

/// Prints the whole answer in one write and returns the exit code.
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
