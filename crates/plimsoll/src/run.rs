//! `plimsoll run [--agent ID] [--session ID] [--output-of LINE] -- <command>`: runs a command and prints its
//! shortened output; the exit code is the command's. With `--output-of`, the command is the end of a pipe and passes
//! on what another one printed.
//!
//! Parses its few options itself: an agent waits for this at every command, and the command's own words must be
//! passed on unchanged, Unicode or not.

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use home::{Clock, Env};
use service::filtered_run::{Request, run as run_filtered};

pub(crate) fn run() -> ExitCode {
    let request = match request(std::env::args_os().skip(2)) {
        Ok(request) => request,
        Err(code) => return code,
    };
    let Ok(env) = Env::capture() else {
        return run_as_it_is(&request.argv);
    };
    if request.argv.is_empty() {
        service::filtered_run::supervise_leftovers(&env, request.agent);
        return ExitCode::SUCCESS;
    }
    let Some(runtime) = runtime() else {
        return run_as_it_is(&request.argv);
    };
    let argv = request.argv.clone();
    let exit = runtime.block_on(run_filtered(&env, Clock::system(), request));
    // A grandchild may still have the output open; nothing waits for it.
    runtime.shutdown_background();
    let Some(exit) = exit else { return run_as_it_is(&argv) };
    #[cfg(unix)]
    if let Some(signal) = exit.signal {
        // The parent sees the same signal as from the command itself.
        service::filtered_run::terminate_by_signal(signal);
    }
    std::process::exit(exit.code)
}

/// The runtime; `None` if there is no room for it. Where few files may be open, building it fails or panics, depending on which of
/// its own is one too many.
fn runtime() -> Option<tokio::runtime::Runtime> {
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let built =
        std::panic::catch_unwind(|| tokio::runtime::Builder::new_current_thread().enable_all().build());
    std::panic::set_hook(told);
    built.ok()?.ok()
}

/// Runs the command as if `plimsoll run` weren't there, where Plimsoll itself can't work: with a home folder that isn't an
/// absolute path, or without room for its own part. 127 and 126 like a shell if the command can't be started.
fn run_as_it_is(argv: &[OsString]) -> ExitCode {
    let Some((program, arguments)) = argv.split_first() else { return ExitCode::SUCCESS };
    let mut command = std::process::Command::new(program);
    command.args(arguments);
    // On Unix this process becomes the command, so that signals and its end are its own.
    #[cfg(unix)]
    let error = std::os::unix::process::CommandExt::exec(&mut command);
    #[cfg(not(unix))]
    let error = match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    };
    let missing = error.kind() == std::io::ErrorKind::NotFound;
    let why = if missing { "command not found".to_owned() } else { error.to_string() };
    eprintln!("{}: {why}", program.to_string_lossy());
    ExitCode::from(if missing { 127 } else { 126 })
}

fn request(words: impl Iterator<Item = OsString>) -> Result<Request, ExitCode> {
    let mut words = words.peekable();
    let mut request = Request::default();
    let mut is_supervisor = false;
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("--") => break,
            Some("--agent") => {
                let id = words.next();
                request.agent = id.and_then(|id| agents::by_id(id.to_str()?)).map(agents::Agent::id);
            }
            // Plimsoll passes this itself; see `service::filtered_run::supervise_leftovers`.
            Some("--go-on") => is_supervisor = true,
            Some("--session") => {
                request.session = words.next().map(|session| session.to_string_lossy().into_owned());
            }
            Some("--output-of") => {
                let line = words.next().map(|line| line.to_string_lossy().into_owned());
                request.output_of =
                    line.map(|line| service::filtered_run::words_of(&line)).unwrap_or_default();
            }
            Some(option) if option.starts_with('-') => {
                return Err(not_understood(&format!("there is no option `{option}` here")));
            }
            _ => {
                request.argv.push(word);
                break;
            }
        }
    }
    request.argv.extend(words);
    if is_supervisor {
        request.argv.clear();
        return Ok(request);
    }
    if request.argv.is_empty() {
        return Err(not_understood("COMMAND is missing"));
    }
    Ok(request)
}

/// Says what is wrong with the command line, as the parser of the other commands does.
fn not_understood(what: &str) -> ExitCode {
    let what = text::one_line(what);
    // A closed pipe isn't a failure.
    let _ = writeln!(std::io::stderr(), "plimsoll: {what}; `plimsoll run --help` shows what there is");
    ExitCode::from(2)
}
