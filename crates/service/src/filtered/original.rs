//! The whole output, kept in the tasks' folder, free of secrets. Nothing is written before it is known that something
//! will be left out.

use std::path::PathBuf;

use home::{Clock, Home};
use sandbox::Cleaner;
use sandbox::task::{Keeper, Kept, Tasks};

/// Where an output will be kept.
#[derive(Debug)]
pub(super) struct Original {
    tasks: Tasks,
    home: Home,
    label: String,
    cwd: PathBuf,
    session: Option<String>,
    clock: Clock,
    room: u64,
    keeper: Option<Keeper>,
    cleaner: Cleaner,
}

impl Original {
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
            cleaner: Cleaner::new(text::redact).in_batches(),
        }
    }

    /// Begins to keep; the address, if that is possible.
    pub(super) fn begin(&mut self) -> Option<String> {
        if self.keeper.is_none() {
            self.home.ensure().ok()?;
            let kept = Kept {
                label: &self.label,
                cwd: &self.cwd,
                session: self.session.as_deref(),
                exit: None,
                text: b"",
                now_ms: self.clock.now_ms(),
            };
            self.keeper = self.tasks.keeper(&kept).map_err(|error| log::info!("{error}")).ok();
        }
        self.keeper.as_ref().map(|keeper| format!("plimsoll://task/{}", keeper.id()))
    }

    /// Adds to what is kept; whether it could be.
    pub(super) fn add(&mut self, bytes: &[u8]) -> bool {
        let clean = self.cleaner.push(bytes);
        self.write(&clean)
    }

    fn write(&mut self, clean: &[u8]) -> bool {
        let Some(keeper) = self.keeper.as_mut() else { return false };
        let fits = usize::try_from(self.room).map_or(clean.len(), |room| room.min(clean.len()));
        self.room -= fits as u64;
        keeper.write(&clean[..fits]).map_err(|error| log::warn!("{error}")).is_ok()
    }

    /// Writes the rest and the exit code.
    pub(super) fn finish(mut self, code: i32) -> bool {
        let rest = self.cleaner.finish();
        let written = self.write(&rest);
        let now = self.clock.now_ms();
        self.keeper.is_some_and(|keeper| keeper.finish(Some(code), now).is_ok()) && written
    }
}
