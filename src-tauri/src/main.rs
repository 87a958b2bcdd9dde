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
    // Also ends in success: starting programs at login on a computer without a screen must not fail.
    if let Err(reason) = display::check() {
        return no_window(&reason);
    }
    // Before the toolkit: a start that only passes its arguments on doesn't need it.
    #[cfg(target_os = "linux")]
    let only = match instance::claim(&arguments) {
        Ok(instance::Start::First(only)) => only,
        Ok(instance::Start::HandedOver) => return ExitCode::SUCCESS,
        Err(error) => return fail(&error),
    };
    #[cfg(not(target_os = "linux"))]
    let only = ();
    if let Err(reason) = display::start() {
        return no_window(&reason);
    }
    let env = match home::Env::capture() {
        Ok(env) => env,
        Err(error) => return fail(&error.to_string()),
    };
    let service = match service::Service::new(env, home::Clock::system()) {
        Ok(service) => std::sync::Arc::new(service),
        Err(error) => return fail(error.message.text()),
    };
    crash::watch(service.home());
    let in_tray = arguments.iter().any(|word| word == shell::TRAY);
    match shell::run(service, in_tray, only) {
        Ok(code) => ExitCode::from(u8::try_from(code).unwrap_or(1)),
        Err(error) => fail(&format!("the window's toolkit could not start ({error})")),
    }
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
