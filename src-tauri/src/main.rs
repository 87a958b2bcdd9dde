//! The desktop: a tray, and a window while one is open.
//!
//! Decides before any toolkit starts whether a window is possible at all, then hands over to [`shell`]. Owns nothing
//! else. Everything the window can do, `plimsoll` on a command line can do too.
#![cfg_attr(all(windows, not(debug_assertions)), windows_subsystem = "windows")]

mod bridge;
mod crash;
mod deep_link;
mod display;
mod host;
#[cfg(target_os = "linux")]
mod instance;
mod logging;
mod shared;
mod shell;
mod sidecar;
mod texts;
mod tray;
mod updates;
mod web_process;
mod windows;

use std::io::Write as _;
use std::process::ExitCode;

const HELP: &str = "\
plimsoll-desktop [--tray] [plimsoll://…]

  --tray      start without a window, as at login
  --version   say the version

Everything it does can be done on a command line as well: see `plimsoll help`.
";

fn main() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    if let Some(word) = arguments.first() {
        match word.as_str() {
            "--version" | "-V" => return say(concat!("plimsoll-desktop ", env!("CARGO_PKG_VERSION"), "\n")),
            "--help" | "-h" => return say(HELP),
            _ => {}
        }
    }
    #[cfg(target_os = "linux")]
    if arguments.first().is_some_and(|word| word == windows::apart::WINDOW) {
        return window();
    }
    // Also ends in success: starting programs at login on a computer without a screen must not fail.
    if let Err(reason) = display::check() {
        return no_window(&reason);
    }
    match tray(&arguments) {
        Ok(code) => code,
        Err(reason) => fail(&reason),
    }
}

/// The program as a user starts it, on Linux: the tray. The window is another process.
#[cfg(target_os = "linux")]
fn tray(arguments: &[String]) -> Result<ExitCode, String> {
    service::prepare_memory();
    // Before the toolkit: a start that only passes its arguments on doesn't need it.
    let only = match instance::claim(arguments)? {
        instance::Start::First(only) => only,
        instance::Start::HandedOver => return Ok(ExitCode::SUCCESS),
    };
    // The window's process starts its toolkit while this one starts its own. A link opens its screen later.
    let (apart, ends) =
        windows::apart::Apart::new(shell::opens_window(arguments)).map_err(|error| error.to_string())?;
    if let Err(reason) = display::start() {
        return Ok(no_window(&reason));
    }
    start(shell::Role::Tray(shell::Tray { only, apart, ends }))
}

/// The window's process.
#[cfg(target_os = "linux")]
fn window() -> ExitCode {
    let tray = match windows::apart::connection() {
        Ok(tray) => tray,
        Err(error) => return fail(&format!("only the tray starts a window with --window ({error})")),
    };
    // The tray's process says why there is no window.
    if display::check().and_then(|()| display::start()).is_err() {
        return ExitCode::FAILURE;
    }
    match start(shell::Role::Window(tray)) {
        Ok(code) => code,
        Err(reason) => fail(&reason),
    }
}

/// The program on Windows and macOS: the tray and the window.
#[cfg(not(target_os = "linux"))]
fn tray(arguments: &[String]) -> Result<ExitCode, String> {
    if let Err(reason) = display::start() {
        return Ok(no_window(&reason));
    }
    start(shell::Role { silent: arguments.iter().any(|word| word == shell::TRAY) })
}

/// Runs until the user quits.
fn start(role: shell::Role) -> Result<ExitCode, String> {
    let env = home::Env::capture().map_err(|error| error.to_string())?;
    let service = service::Service::new(env, home::Clock::system());
    let service = service.map_err(|error| error.message.text().to_owned())?;
    crash::watch(service.home());
    let code = shell::run(std::sync::Arc::new(service), role);
    let code = code.map_err(|error| format!("the window's toolkit could not start ({error})"))?;
    Ok(ExitCode::from(u8::try_from(code).unwrap_or(1)))
}

fn no_window(reason: &str) -> ExitCode {
    say(&format!(
        "plimsoll-desktop: {reason}, so there is no window to show.\n\
         `plimsoll setup` connects your agents in this terminal, `plimsoll status` shows how things are,\n\
         and `plimsoll help` lists the rest.\n"
    ))
}

fn say(text: &str) -> ExitCode {
    let _ = std::io::stdout().write_all(text.as_bytes());
    ExitCode::SUCCESS
}

fn fail(reason: &str) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "plimsoll-desktop: {reason}");
    ExitCode::FAILURE
}
