//! Steps with progress: what runs, how long it took, what to do when it failed.

use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, Result, bail};

/// Prints a line for the developer.
#[expect(clippy::print_stdout, reason = "this is a command line tool")]
pub(crate) fn say(text: &str) {
    println!("{text}");
}

/// Collects steps and continues after a failed one, so that one run reports everything.
pub(crate) struct Steps {
    started: Instant,
    failed: Vec<String>,
    done: Vec<(String, f32, bool)>,
}

impl Steps {
    pub(crate) fn new() -> Self {
        Self { started: Instant::now(), failed: Vec::new(), done: Vec::new() }
    }

    /// Runs one step.
    pub(crate) fn step(&mut self, name: &str, action: impl FnOnce() -> Result<()>) {
        say(&format!("\n── {name}"));
        let started = Instant::now();
        let result = action();
        let seconds = started.elapsed().as_secs_f32();
        match &result {
            Ok(()) => say(&format!("   ok, {seconds:.1} s")),
            Err(error) => {
                say(&format!("   FAILED after {seconds:.1} s: {error:#}"));
                self.failed.push(name.to_owned());
            }
        }
        self.done.push((name.to_owned(), seconds, result.is_ok()));
    }

    /// The summary; an error when a step failed.
    pub(crate) fn finish(self) -> Result<()> {
        say("\n── summary");
        for (name, seconds, ok) in &self.done {
            say(&format!("   {} {seconds:7.1} s  {name}", if *ok { "ok    " } else { "FAILED" }));
        }
        say(&format!("   {:.0} s in all", self.started.elapsed().as_secs_f32()));
        if self.failed.is_empty() {
            return Ok(());
        }
        bail!("failed: {}", self.failed.join(", "))
    }
}

/// Runs a command with its output shown; an error names it.
pub(crate) fn go(command: &mut Command) -> Result<()> {
    let shown = format!(
        "{} {}",
        command.get_program().display(),
        command.get_args().map(|a| a.to_string_lossy()).collect::<Vec<_>>().join(" ")
    );
    let status = command.status().with_context(|| format!("starting `{shown}`"))?;
    if !status.success() {
        bail!("`{shown}` ended with {status}");
    }
    Ok(())
}

/// Runs the main job and ends as it does: the job itself has printed what was wrong.
///
/// # Errors
/// Only if it can't be started.
pub(crate) fn hand_over(command: &mut Command) -> Result<ExitCode> {
    let status =
        command.status().with_context(|| format!("starting `{}`", command.get_program().display()))?;
    // Without a code a signal ended it.
    Ok(status.code().map_or(ExitCode::FAILURE, |code| ExitCode::from(u8::try_from(code).unwrap_or(1))))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_main_jobs_exit_code_is_the_commands_own() -> Result<()> {
        for (script, code) in [("exit 0", 0), ("exit 3", 3), ("exit 255", 255), ("kill -9 $$", 1)] {
            let ended = hand_over(Command::new("/bin/sh").args(["-c", script]))?;
            // An exit code can't be compared, only printed.
            assert_eq!(format!("{ended:?}"), format!("{:?}", ExitCode::from(code)), "{script}");
        }
        assert!(hand_over(&mut Command::new("/no/such/program")).is_err());
        Ok(())
    }
}
