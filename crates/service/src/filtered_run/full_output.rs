//! Keeps the full output in the tasks' folder, without secrets. Writes nothing until something will be left out.

use std::path::PathBuf;

use home::{Clock, Home};
use sandbox::StreamRedactor;
use sandbox::task::{KeptOutput, OutputRecorder, Tasks};

/// The file that an output will be kept in.
#[derive(Debug)]
pub(super) struct FullOutput {
    tasks: Tasks,
    home: Home,
    label: String,
    cwd: PathBuf,
    session: Option<String>,
    clock: Clock,
    room: u64,
    keeper: Option<OutputRecorder>,
    cleaner: StreamRedactor,
    /// Whether everything so far is in the file.
    complete: bool,
}

/// How much of an output is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// All bytes.
    Whole,
    /// The first bytes only.
    Beginning(u64),
}

impl FullOutput {
    pub(super) fn new(
        home: &Home,
        argv: &[String],
        cwd: &std::path::Path,
        session: Option<&str>,
        clock: Clock,
        room: u64,
    ) -> Self {
        Self {
            tasks: Tasks::new(home.tasks_dir()),
            home: home.clone(),
            label: text::redact(&argv.join(" ")).into_owned(),
            cwd: cwd.to_owned(),
            session: session.map(str::to_owned),
            clock,
            room,
            keeper: None,
            cleaner: StreamRedactor::new(crate::output::REDACT).in_batches(),
            complete: true,
        }
    }

    /// Starts the file and returns its address, if possible.
    pub(super) fn begin(&mut self) -> Option<String> {
        if self.keeper.is_none() {
            self.home.ensure().ok()?;
            let kept = KeptOutput {
                label: &self.label,
                cwd: &self.cwd,
                session: self.session.as_deref(),
                exit: None,
                text: b"",
                now_ms: self.clock.now_ms(),
            };
            self.keeper = self.tasks.record_output(&kept).map_err(|error| log::info!("{error}")).ok();
        }
        self.keeper.as_ref().map(|keeper| format!("plimsoll://task/{}", keeper.id()))
    }

    /// Appends bytes and returns whether everything so far was kept.
    pub(super) fn add(&mut self, bytes: &[u8]) -> bool {
        // Once the file is incomplete, later bytes aren't kept and need no scan for secrets.
        if self.complete {
            let clean = self.cleaner.push(bytes);
            self.write(&clean);
        }
        self.complete
    }

    fn write(&mut self, clean: &[u8]) {
        let Some(keeper) = self.keeper.as_mut() else {
            self.complete = false;
            return;
        };
        let fits = usize::try_from(self.room).map_or(clean.len(), |room| room.min(clean.len()));
        self.room -= fits as u64;
        let written = keeper.write(&clean[..fits]).map_err(|error| log::warn!("{error}")).is_ok();
        self.complete &= written && fits == clean.len();
    }

    /// Deletes the file, because everything was shown.
    pub(super) fn discard(self) {
        if let Some(keeper) = self.keeper {
            keeper.discard();
        }
    }

    /// Writes the rest and the exit code, and returns how much is kept; `None` if nothing readable is.
    pub(super) fn finish(mut self, code: i32) -> Option<Extent> {
        if self.complete {
            let rest = self.cleaner.finish();
            self.write(&rest);
        }
        let now = self.clock.now_ms();
        let keeper = self.keeper?;
        let bytes = keeper.bytes();
        keeper.finish(Some(code), now).map_err(|error| log::warn!("{error}")).ok()?;
        Some(if self.complete { Extent::Whole } else { Extent::Beginning(bytes) }).filter(|_| bytes > 0)
    }
}
