//! The file for one run's full output when it exceeds memory's limit. Created only when needed; without secrets and readable
//! by its owner only. Whoever chose the folder decides when to remove it.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

use crate::stream_redactor::{Redact, StreamRedactor};

/// A file that is created by the first write. A failed write ends it: the run continues without.
#[derive(Debug)]
pub(crate) struct Spill {
    dir: PathBuf,
    state: State,
    cleaner: StreamRedactor,
}

#[derive(Debug)]
enum State {
    Unused,
    Open(File, PathBuf),
    Failed,
}

impl Spill {
    pub(crate) fn in_dir(dir: impl Into<PathBuf>, redact: Redact) -> Spill {
        Spill { dir: dir.into(), state: State::Unused, cleaner: StreamRedactor::new(redact).in_batches() }
    }

    pub(crate) fn is_open(&self) -> bool {
        !matches!(self.state, State::Unused)
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        if !matches!(self.state, State::Failed) {
            let clean = self.cleaner.push(bytes);
            self.keep(&clean);
        }
    }

    fn keep(&mut self, clean: &[u8]) {
        if let Err(error) = self.try_write(clean) {
            log::warn!("the whole output cannot be kept in {}: {error}", self.dir.display());
            if let State::Open(_, path) = &self.state {
                // Half an output in a file for a full one would mislead.
                let _ = std::fs::remove_file(path);
            }
            self.state = State::Failed;
        }
    }

    fn try_write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if matches!(self.state, State::Unused) {
            create_private_dir(&self.dir)?;
            let named = tempfile::Builder::new()
                .prefix("out-")
                .suffix(".log")
                .rand_bytes(10)
                .tempfile_in(&self.dir)?;
            let (file, path) = named.keep().map_err(|e| e.error)?;
            // Lets cleanup see that the run is still going. Elsewhere a lock would keep readers away.
            #[cfg(unix)]
            let _ = file.try_lock();
            self.state = State::Open(file, path);
        }
        match &mut self.state {
            State::Open(file, _) => file.write_all(bytes),
            State::Unused | State::Failed => Ok(()),
        }
    }

    /// The file, if there is one and it is complete.
    pub(crate) fn finish(&mut self) -> Option<PathBuf> {
        if self.is_open() {
            let rest = self.cleaner.finish();
            self.keep(&rest);
        }
        match std::mem::replace(&mut self.state, State::Failed) {
            State::Open(_, path) => Some(path),
            State::Unused | State::Failed => None,
        }
    }
}

/// Creates a folder and its parents, for the user only where the system supports that.
pub(crate) fn create_private_dir(dir: &std::path::Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(dir)
}
