//! How an agent's files have changed since Plimsoll first wrote to them, from the backups and the files.

use std::path::Path;

use contract::Error;
use contract::desktop::FileChange;

use super::Desktop;
use crate::setup::{self, Computer};

impl Desktop {
    /// Each of the agent's files with the changes by Plimsoll and by others since before Plimsoll's first write.
    ///
    /// # Errors
    /// When the agent is unknown.
    pub fn agent_changes(&self, id: &str) -> Result<Vec<FileChange>, Error> {
        let agent = setup::agents_by_name(&[id.to_owned()])?;
        let computer = Computer::new(&self.service, false);
        let files =
            agent.first().map(|agent| setup::survey_one(&self.service, &computer, *agent).report.files);
        Ok(files.unwrap_or_default().into_iter().map(|file| self.file_change(&file.path)).collect())
    }

    fn file_change(&self, path: &Path) -> FileChange {
        let mut change = FileChange {
            path: path.to_owned(),
            backup: None,
            written_ms: None,
            changed_since: false,
            added: 0,
            removed: 0,
            diff: String::new(),
            problem: None,
        };
        let Some(receipt) = setup::receipt(&self.service, path) else { return change };
        change.written_ms = Some(receipt.at_ms);
        change.backup = setup::original_content(&self.service, path).unwrap_or(receipt.original).backup;
        let before = match &change.backup {
            None => Ok(Vec::new()),
            Some(backup) => std::fs::read(backup).map_err(|error| format!("{}: {error}", backup.display())),
        };
        let now = match home::read_regular(path, setup::MAX_FILE) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("{}: {error}", path.display())),
        };
        match (before, now) {
            (Ok(before), Ok(now)) => {
                let hash = now.as_ref().map(|bytes| blake3::hash(bytes).to_hex().to_string());
                change.changed_since = hash != receipt.hash_after;
                let compared = edits::compare(&path.display().to_string(), &before, &now.unwrap_or_default());
                (change.diff, change.added, change.removed) = compared;
            }
            (Err(problem), _) | (_, Err(problem)) => change.problem = Some(problem),
        }
        change
    }
}
