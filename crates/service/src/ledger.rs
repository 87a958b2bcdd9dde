//! One row per call: what it would have cost the conversation, what it did cost, and how that is known. Also
//! the sign of life, and what happens when a session ends. Nothing here may fail a call: a ledger that cannot
//! be written is logged.

use std::path::PathBuf;
use std::sync::PoisonError;
use std::time::Instant;

use contract::{Error, Measure, Reply};
use sessions::live::{self, Beat};
use sessions::{Class, LedgerRow, Sessions};

use crate::{Call, Service, failure};

impl Service {
    /// Writes the row of a call and passes its result on.
    pub(crate) async fn account(
        &self,
        call: &Call,
        tool: &'static str,
        started: Instant,
        result: Result<Reply, Error>,
    ) -> Result<Reply, Error> {
        let result = result.map(|reply| self.within_view(call, tool, reply));
        let (raw_bytes, returned, class) = match &result {
            Ok(reply) => (reply.raw_bytes, reply.text.len(), class_of(reply.measure)),
            Err(error) => (0, error.to_string().len(), Class::None),
        };
        // The time that a program of the agent's took is not ours.
        let theirs =
            result.as_ref().ok().and_then(|reply| reply.data["elapsed_ms"].as_u64()).unwrap_or_default();
        let elapsed = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
        let filter = result.as_ref().ok().and_then(|reply| reply.data["filter"].as_str()).unwrap_or_default();
        let returned_bytes = returned as u64;
        let row = LedgerRow {
            tool: tool.into(),
            raw_bytes,
            returned_bytes,
            class,
            ok: result.is_ok(),
            // A reply that stands for nothing else (our own words, stored text that is brought back) is only
            // there because of us.
            overhead_bytes: if class == Class::None { returned_bytes } else { 0 },
            elapsed_us: elapsed.saturating_sub(theirs.saturating_mul(1000)),
            filter: filter.to_owned(),
            ..self.empty_row(call.agent_id(), &call.session)
        };
        // A person at the command line has no conversation to keep anything out of.
        if call.agent.is_some() || call.session != Call::of_person().session {
            self.write_rows(vec![row]).await;
        }
        self.worked.notify_one();
        result
    }

    pub(crate) fn empty_row(&self, agent: Option<&str>, session: &str) -> LedgerRow {
        LedgerRow {
            at_ms: self.now_ms(),
            agent: agent.unwrap_or_default().to_owned(),
            session: session.to_owned(),
            project: self.project().root.display().to_string(),
            ok: true,
            ..LedgerRow::default()
        }
    }

    pub(crate) async fn write_rows(&self, mut rows: Vec<LedgerRow>) {
        rows.extend(self.lists_for(&rows));
        if rows.is_empty() {
            return;
        }
        let written = self.with_sessions(true, move |sessions| sessions.ledger_many(&rows)).await;
        if let Err(error) = written {
            log::warn!("the ledger could not be written: {error}");
        }
    }

    /// Works on `plimsoll.db` on a thread of its own; `None` when there is none and none is to be made.
    pub(crate) async fn with_sessions<T: Send + 'static>(
        &self,
        make: bool,
        work: impl FnOnce(&mut Sessions) -> Result<T, sessions::SessionsError> + Send + 'static,
    ) -> Result<Option<T>, Error> {
        let (home, guests) = (self.home().clone(), system::guests(self.systems()));
        let shared = std::sync::Arc::clone(&self.sessions);
        let done = tokio::task::spawn_blocking(move || {
            let mut open = shared.lock().unwrap_or_else(PoisonError::into_inner);
            if open.is_none() {
                if !make && !sessions::anything(&home) {
                    return Ok(None);
                }
                home.ensure().map_err(|error| failure::of_storage(&error))?;
                *open = Some(Sessions::open(&home, &guests).map_err(|error| failure::of_storage(&error))?);
            }
            match open.as_mut() {
                Some(sessions) => work(sessions).map(Some).map_err(|error| failure::of_storage(&error)),
                None => Ok(None),
            }
        });
        done.await.map_err(|error| failure::of_thread(&error))?
    }

    /// Gives a sign of life, so that hooks know that the tools can be reached. `session` only when the agent
    /// named it.
    pub fn beat(&self, agent: Option<&str>, session: Option<&str>) {
        let beat = Beat {
            pid: std::process::id(),
            agent: agent.unwrap_or_default().to_owned(),
            session: session.map(str::to_owned),
            project: if self.has_project() { self.project().root } else { PathBuf::new() },
            started_ms: self.started_ms,
            touched_ms: self.now_ms(),
        };
        let written = self.home().ensure().map_err(|error| error.to_string());
        if let Err(error) =
            written.and_then(|()| live::write(self.home(), &beat).map_err(|error| error.to_string()))
        {
            log::warn!("can't record that this server is alive: {error}");
        }
    }

    /// Ends what belongs to this session: its tasks, its sign of life, its databases.
    pub async fn end_session(&self) {
        live::remove(self.home(), std::process::id());
        self.stop_own_tasks();
        self.book_lists_of_silent_sessions().await;
        let (knowledge, sessions) =
            (std::sync::Arc::clone(&self.knowledge), std::sync::Arc::clone(&self.sessions));
        // Dropping a database closes it properly, with a checkpoint.
        let closed = tokio::task::spawn_blocking(move || {
            knowledge.lock().unwrap_or_else(PoisonError::into_inner).take();
            sessions.lock().unwrap_or_else(PoisonError::into_inner).take();
        });
        let _ = closed.await;
    }
}

fn class_of(measure: Measure) -> Class {
    match measure {
        Measure::None => Class::None,
        Measure::Measured => Class::Measured,
        Measure::Estimated => Class::Estimated,
    }
}

/// A time for people and models: `5 min ago`.
pub(crate) fn ago(now_ms: i64, then_ms: i64) -> String {
    let seconds = now_ms.saturating_sub(then_ms).max(0) / 1000;
    match seconds {
        0..60 => "now".into(),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600..86_400 => format!("{} h ago", seconds / 3_600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}
