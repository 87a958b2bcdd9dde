//! The whole output, kept in the tasks' folder, free of secrets. Nothing is written before it is known that something
//! will be left out.

use std::path::PathBuf;

use home::{Clock, Home};
use sandbox::task::{Keeper, Kept, Tasks};

/// Written in pieces of about this size, in bytes, each of whole lines.
const PIECE: usize = 256 * 1024;
/// A key that has begun is waited for this long, in bytes, before a piece is written.
const KEY: usize = 16 * 1024;

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
    waiting: Vec<u8>,
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
            waiting: Vec::new(),
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
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() < PIECE {
            return true;
        }
        let end = memchr_end(&self.waiting);
        self.write(end)
    }

    fn write(&mut self, end: usize) -> bool {
        let rest = self.waiting.split_off(end);
        let piece = std::mem::replace(&mut self.waiting, rest);
        let Some(keeper) = self.keeper.as_mut() else { return false };
        let text = String::from_utf8_lossy(&piece);
        let clean = text::redact(&text);
        let fits = usize::try_from(self.room).map_or(clean.len(), |room| room.min(clean.len()));
        self.room -= fits as u64;
        let fits = clean.floor_char_boundary(fits);
        keeper.write(&clean.as_bytes()[..fits]).map_err(|error| log::warn!("{error}")).is_ok()
    }

    /// Writes the rest and the exit code.
    pub(super) fn finish(mut self, code: i32) -> bool {
        let written = self.write(self.waiting.len());
        let now = self.clock.now_ms();
        self.keeper.is_some_and(|keeper| keeper.finish(Some(code), now).is_ok()) && written
    }
}

/// The end of the last whole line, or of the line before a key that has begun and not ended.
fn memchr_end(bytes: &[u8]) -> usize {
    let line_end = |bytes: &[u8]| bytes.iter().rposition(|byte| *byte == b'\n').map(|at| at + 1);
    let end = line_end(bytes).unwrap_or(bytes.len());
    let tail = end.saturating_sub(KEY);
    let begins = b"-----BEGIN ";
    let last = bytes[tail..end].windows(begins.len()).rposition(|window| window == begins);
    match last {
        Some(at) if !bytes[tail + at..end].windows(9).any(|window| window == b"-----END ") => {
            line_end(&bytes[..tail + at]).filter(|at| *at > 0).unwrap_or(end)
        }
        _ => end,
    }
}
