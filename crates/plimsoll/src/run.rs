//! `plimsoll run [--agent ID] [--session ID] [--output-of LINE] -- <command>`: the command's output, shortened; its exit
//! code is ours. With `--output-of` the command stands at the end of a pipe and hands on what another one printed.
//!
//! Reads its few options by itself: an agent waits for this at every command, and the command's own words must come
//! through as they are, Unicode or not.

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use home::{Clock, Env};
use service::filtered::{Request, run as run_filtered};

const USAGE: &str = "usage: plimsoll run -- <command> [arguments]
Runs the command as it would run without `plimsoll run`, with the same exit code, and shows what matters of its
output. What is left out is kept; the last line says where. `plimsoll filters list` shows what is known.";

pub(crate) fn run() -> ExitCode {
    let request = match request(std::env::args_os().skip(2)) {
        Ok(request) => request,
        Err(code) => return code,
    };
    let Ok(env) = Env::capture() else {
        eprintln!("plimsoll run: the environment cannot be read");
        return ExitCode::from(2);
    };
    if request.argv.is_empty() {
        service::filtered::go_on(&env, request.agent);
        return ExitCode::SUCCESS;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let Ok(runtime) = runtime else {
        eprintln!("plimsoll run: the system gives no room to run in");
        return ExitCode::from(2);
    };
    let exit = runtime.block_on(run_filtered(&env, Clock::system(), request));
    // A grandchild may still hold the output open; nobody waits for it.
    runtime.shutdown_background();
    #[cfg(unix)]
    if let Some(signal) = exit.signal {
        // Whoever waits for us sees what it would see of the command itself.
        service::filtered::terminate_by_signal(signal);
    }
    std::process::exit(exit.code)
}

fn request(words: impl Iterator<Item = OsString>) -> Result<Request, ExitCode> {
    let mut words = words.peekable();
    let mut request = Request::default();
    let mut going_on = false;
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("--") => break,
            Some("--agent") => {
                let id = words.next();
                request.agent = id.and_then(|id| agents::by_id(id.to_str()?)).map(agents::Agent::id);
            }
            // We start this ourselves; see `service::filtered::go_on`.
            Some("--go-on") => going_on = true,
            Some("--session") => {
                request.session = words.next().map(|session| session.to_string_lossy().into_owned());
            }
            Some("--output-of") => {
                let line = words.next().map(|line| line.to_string_lossy().into_owned());
                request.output_of = line.map(|line| service::filtered::words_of(&line)).unwrap_or_default();
            }
            Some("--help" | "-h") => {
                // A reader that went away is no failure.
                let _ = writeln!(std::io::stdout(), "{USAGE}");
                return Err(ExitCode::SUCCESS);
            }
            Some(option) if option.starts_with('-') => {
                eprintln!("plimsoll run: unknown option {option}\n{USAGE}");
                return Err(ExitCode::from(2));
            }
            _ => {
                request.argv.push(word);
                break;
            }
        }
    }
    request.argv.extend(words);
    if going_on {
        request.argv.clear();
        return Ok(request);
    }
    if request.argv.is_empty() {
        eprintln!("{USAGE}");
        return Err(ExitCode::from(2));
    }
    Ok(request)
}
