//! Logs to standard error, because standard output belongs to the protocol. `PLIMSOLL_LOG` sets the level (`off`,
//! `error`, `warn`, `info`, `debug`, `trace`); the default is `warn`.

use std::io::Write;

use log::{LevelFilter, Log, Metadata, Record};

struct Stderr;

impl Log for Stderr {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= log::max_level()
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            // Agents store this in their own log files, and people read it in terminals.
            let line = format!("plimsoll {}: {}", record.level(), record.args());
            // A closed standard error isn't a reason to fail.
            let _ = writeln!(std::io::stderr(), "{}", text::for_terminal(&text::redact(&line)));
        }
    }

    fn flush(&self) {}
}

/// Starts logging; later calls change nothing.
pub(crate) fn start() {
    let level =
        std::env::var("PLIMSOLL_LOG").ok().and_then(|level| level.parse().ok()).unwrap_or(LevelFilter::Warn);
    if log::set_logger(&Stderr).is_ok() {
        log::set_max_level(level);
    }
}
