//! A process that a system starts beside the server: this program again, with a word that the system owns.

use std::process::ExitCode;

use crate::System;

/// A process of a system's own.
#[derive(Debug, Clone, Copy)]
pub struct Worker {
    /// The word that starts it, behind the program's name. Not a verb: nobody types it.
    pub word: &'static str,
    /// Runs with the words behind that one.
    pub run: fn(&[String]) -> ExitCode,
}

/// The worker that a command line's first word starts, whether its system is on or off: who starts one has decided that.
#[must_use]
pub fn find_worker(systems: &[&'static System], word: &str) -> Option<Worker> {
    systems.iter().filter_map(|system| system.worker).find(|worker| worker.word == word)
}
