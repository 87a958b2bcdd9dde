//! Full outputs of commands that ran elsewhere, kept like tasks because the agent saw only a part.

use std::io::Write as _;
use std::path::Path;

use super::{TaskInfo, TaskState, Tasks, files, label_of};
use crate::{Language, ProcessMark, SandboxError};

/// A full output that is kept because the agent saw only a part.
#[derive(Debug, Clone, Copy)]
pub struct KeptOutput<'a> {
    /// The command line.
    pub label: &'a str,
    /// Its working folder.
    pub cwd: &'a Path,
    /// The agent's session, if known.
    pub session: Option<&'a str>,
    /// Its exit code, if known.
    pub exit: Option<i32>,
    /// Its output, without secrets.
    pub text: &'a [u8],
    /// The time, in milliseconds since 1970.
    pub now_ms: i64,
}

/// Records an output while it is printed. If this process dies, what was written stays.
#[derive(Debug)]
pub struct OutputRecorder {
    folder: files::Folder,
    info: TaskInfo,
    file: std::fs::File,
}

impl OutputRecorder {
    /// Its id.
    pub fn id(&self) -> &str {
        &self.info.id
    }

    /// Removes the record.
    pub fn discard(self) {
        self.folder.discard();
    }

    /// The recorded size, in bytes.
    pub fn bytes(&self) -> u64 {
        self.folder.output_bytes()
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// If the disk refuses the write.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), SandboxError> {
        self.file.write_all(bytes).map_err(SandboxError::io("writing", &self.folder.output()))
    }

    /// Records the end, with the exit code if known.
    ///
    /// # Errors
    /// If that can't be written.
    pub fn finish(mut self, exit: Option<i32>, now_ms: i64) -> Result<(), SandboxError> {
        self.info.state = exit.map_or(TaskState::Ended, TaskState::Exited);
        self.info.ended_ms = Some(now_ms);
        self.info.output_bytes = self.folder.output_bytes();
        self.folder.write(&self.info)
    }
}

impl Tasks {
    /// Keeps an output under an id of its own, readable like a task's.
    ///
    /// # Errors
    /// If it can't be written; then nothing remains.
    pub fn keep(&self, kept: &KeptOutput<'_>) -> Result<String, SandboxError> {
        let keeper = self.record_output(kept)?;
        let id = keeper.id().to_owned();
        let folder = keeper.folder.clone();
        keeper.finish(kept.exit, kept.now_ms).inspect_err(|_| folder.discard())?;
        Ok(id)
    }

    /// Begins to record an output that is still being printed.
    ///
    /// # Errors
    /// If its files can't be written.
    pub fn record_output(&self, kept: &KeptOutput<'_>) -> Result<OutputRecorder, SandboxError> {
        let folder = files::create(&self.dir)?;
        let info = TaskInfo {
            id: folder.id().to_owned(),
            state: TaskState::Running,
            label: label_of(kept.label),
            language: Language::Shell,
            cwd: kept.cwd.to_path_buf(),
            session: kept.session.map(str::to_owned),
            owner: ProcessMark::current(),
            leader: None,
            started_ms: kept.now_ms,
            ended_ms: None,
            output_bytes: 0,
            kept: true,
        };
        let opened = folder
            .create_output()
            .and_then(|mut file| file.write_all(kept.text).map(|()| file))
            .map_err(SandboxError::io("writing", &folder.output()))
            .and_then(|file| folder.write(&info).map(|()| file));
        match opened {
            Ok(file) => Ok(OutputRecorder { folder, info, file }),
            Err(error) => {
                folder.discard();
                Err(error)
            }
        }
    }

    /// Records what the agent saw of a kept output, so that both can be compared later. The caller has removed the text's
    /// secrets.
    ///
    /// # Errors
    /// [`SandboxError::NoTask`], or it can't be written.
    pub fn record_shown_text(&self, id: &str, text: &str) -> Result<(), SandboxError> {
        let folder = files::open(&self.dir, id)?;
        folder.write_visible(text).map_err(SandboxError::io("writing", &folder.visible_path()))
    }

    /// What the agent saw of a kept output, up to `max_bytes`; `None` if that wasn't recorded.
    ///
    /// # Errors
    /// [`SandboxError::NoTask`], or the file can't be read.
    pub fn shown_text(&self, id: &str, max_bytes: u64) -> Result<Option<String>, SandboxError> {
        let path = files::open(&self.dir, id)?.visible_path();
        let file = match std::fs::File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(SandboxError::io("reading", &path)(error)),
        };
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::Read::take(file, max_bytes), &mut bytes)
            .map_err(SandboxError::io("reading", &path))?;
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }
}
