//! OpenCode's storage before it had a database: `storage/message/<session>/<message>.json` and
//! `storage/part/<message>/<part>.json`. Walks the files with one in memory at a time.

use std::collections::VecDeque;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::Value;
use transcripts::{Counts, LINE_BYTES, Record, Store, TranscriptError, entries, modified_ms, object, only};

use super::transcript;

/// The records in a storage folder.
pub(super) struct Files {
    parts: PathBuf,
    sessions: std::vec::IntoIter<PathBuf>,
    messages: std::vec::IntoIter<PathBuf>,
    since: i64,
    newest: i64,
    queue: VecDeque<Record>,
    counts: Counts,
}

impl Files {
    /// Opens the messages written at or after `since` (milliseconds since 1970).
    pub(super) fn open(storage: &Path, since: i64) -> Self {
        Self {
            parts: storage.join("part"),
            sessions: entries(&storage.join("message")).into_iter(),
            messages: Vec::new().into_iter(),
            since,
            newest: since,
            queue: VecDeque::new(),
            counts: Counts::default(),
        }
    }

    fn read(&mut self, path: &Path) -> Option<Value> {
        let file = home::open_regular(path).ok()?;
        self.counts.lines += 1;
        let mut bytes = Vec::new();
        let bound = LINE_BYTES as u64;
        file.take(bound + 1).read_to_end(&mut bytes).ok()?;
        if bytes.len() > LINE_BYTES {
            self.counts.too_long += 1;
            return None;
        }
        let value = object(bytes.trim_ascii());
        self.counts.unreadable += u64::from(value.is_none());
        value
    }

    fn message(&mut self, path: &Path) {
        let at_ms = fs::metadata(path).as_ref().map(modified_ms).unwrap_or(0);
        if at_ms < self.since {
            return;
        }
        self.newest = self.newest.max(at_ms);
        let Some(data) = self.read(path) else { return };
        let stem = |path: &Path| path.file_stem().map(|name| name.to_string_lossy().into_owned());
        let message = stem(path).unwrap_or_default();
        let session = path.parent().and_then(stem).unwrap_or_default();
        let place = transcript::Place { session: &session, message: &message, at_ms };
        let (mut tools, mut found) = (Vec::new(), Vec::new());
        for path in entries(&self.parts.join(&message)) {
            let Some(data) = self.read(&path) else { continue };
            tools.push(transcript::tool(&data));
            transcript::part(&place, &stem(&path).unwrap_or_default(), &data, &mut found);
        }
        transcript::message(&place, &data, only(tools), &mut found);
        self.queue.extend(found);
    }
}

impl Store for Files {
    fn finish(self: Box<Self>) -> (i64, Counts, Option<TranscriptError>) {
        (self.newest, self.counts, None)
    }
}

impl Iterator for Files {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        loop {
            if let Some(record) = self.queue.pop_front() {
                return Some(record);
            }
            if let Some(path) = self.messages.next() {
                self.message(&path);
            } else {
                self.messages = entries(&self.sessions.next()?).into_iter();
            }
        }
    }
}
