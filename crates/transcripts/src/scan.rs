//! All transcripts on a computer in one pass, each output once. Owns the order of sources and each source's errors. Knows no
//! format.

use serde::Serialize;

use crate::TranscriptError;
use crate::reader::Reader;
use crate::record::{Record, ToolOutput};
use crate::records::Counts;
use crate::source::Source;
use crate::totals::{SeenKeys, Totals};

/// An agent's part of a pass.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Survey {
    /// Files, databases and folders that were read.
    pub sources: u64,
    /// Sources that couldn't be read, or not to their end.
    pub failed: u64,
    /// Lines, rows and files in them.
    pub counts: Counts,
}

/// The records of all transcripts since a time. An output that several transcripts contain comes once; tokens come as they
/// are recorded, for [`Totals`] to sum up.
pub struct Scan {
    sources: std::vec::IntoIter<Source>,
    open: Option<(&'static str, Reader)>,
    since_ms: i64,
    seen: SeenKeys,
    surveys: Vec<(&'static str, Survey)>,
    errors: Vec<TranscriptError>,
}

/// How many errors are kept; the surveys count all of them.
const ERRORS: usize = 20;

impl Scan {
    /// What these sources recorded at or after `since_ms`, milliseconds since 1970. Records without a time count if their
    /// file was written since then.
    pub fn of(sources: Vec<Source>, since_ms: i64) -> Self {
        let (seen, surveys, errors) = (SeenKeys::default(), Vec::new(), Vec::new());
        Self { sources: sources.into_iter(), open: None, since_ms, seen, surveys, errors }
    }

    /// The surveys so far, by the agent's id, in the order of the sources.
    pub fn surveys(&self) -> &[(&'static str, Survey)] {
        &self.surveys
    }

    /// The first errors so far.
    pub fn errors(&self) -> &[TranscriptError] {
        &self.errors
    }

    /// Only the outputs.
    pub fn outputs(&mut self) -> impl Iterator<Item = ToolOutput> {
        self.filter_map(|record| match record {
            Record::ToolOutput(shown) => Some(shown),
            Record::Usage(_) => None,
        })
    }

    /// Adds every token to the sums.
    pub fn sum_up(&mut self, totals: &mut Totals) {
        for record in self {
            if let Record::Usage(usage) = record {
                totals.add(&usage);
            }
        }
    }

    fn survey(&mut self, agent: &'static str) -> &mut Survey {
        let known = self.surveys.iter().position(|(known, _)| *known == agent);
        let at = known.unwrap_or_else(|| {
            self.surveys.push((agent, Survey::default()));
            self.surveys.len() - 1
        });
        &mut self.surveys[at].1
    }

    fn failed(&mut self, agent: &'static str, error: TranscriptError) {
        self.survey(agent).failed += 1;
        if self.errors.len() < ERRORS {
            self.errors.push(error);
        }
    }

    fn wanted(&mut self, record: &Record) -> bool {
        let at = record.at_ms();
        if at != 0 && at < self.since_ms {
            return false;
        }
        match record {
            Record::ToolOutput(shown) => self.seen.first(shown.key),
            Record::Usage(_) => true,
        }
    }
}

impl Iterator for Scan {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        loop {
            if let Some((_, reader)) = &mut self.open {
                if let Some(record) = reader.next() {
                    if self.wanted(&record) {
                        return Some(record);
                    }
                    continue;
                }
                if let Some((agent, reader)) = self.open.take() {
                    let ended = reader.finish();
                    self.survey(agent).counts.add(ended.counts);
                    if let Some(error) = ended.error {
                        self.failed(agent, error);
                    }
                }
            }
            let source = self.sources.next()?;
            self.survey(source.agent).sources += 1;
            match Reader::open(&source, None) {
                Ok(reader) => self.open = Some((source.agent, reader)),
                Err(error) => self.failed(source.agent, error),
            }
        }
    }
}
