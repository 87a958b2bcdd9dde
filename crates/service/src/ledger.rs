//! Writes one ledger row per call: what it would have cost the conversation, what it did cost, and how that is known.
//! Also the server's heartbeat and the end of a session. Nothing here may fail a call: write errors are logged.

use std::path::PathBuf;
use std::sync::PoisonError;
use std::time::Instant;

use contract::{Error, Measure, Reply};
use sessions::heartbeats::{self, Heartbeat};
use sessions::{Class, LedgerRow, Sessions};

use crate::{Call, Service, failure};

impl Service {
    /// Writes a call's row and returns its result.
    pub(crate) async fn book(
        &self,
        call: &Call,
        tool: &'static str,
        started: Instant,
        result: Result<Reply, Error>,
    ) -> Result<Reply, Error> {
        let result = result.map(|reply| self.fit_to_host(call, tool, reply)).map_err(failure::brief);
        let (raw_bytes, returned, class) = match &result {
            Ok(reply) => (reply.raw_bytes, reply.text.len(), class_of(reply.measure)),
            Err(error) => (0, error.to_string().len(), Class::None),
        };
        // The running time of the agent's program isn't Plimsoll's.
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
            // A reply that replaces no other output (Plimsoll's own words, retrieved text) is pure overhead.
            overhead_bytes: if class == Class::None { returned_bytes } else { 0 },
            elapsed_us: elapsed.saturating_sub(theirs.saturating_mul(1000)),
            filter: filter.to_owned(),
            ..self.empty_row(call.agent_id(), &call.session)
        };
        // At the command line there is no conversation to keep anything out of.
        if call.agent.is_some() || call.session != Call::from_user().session {
            self.write_rows(vec![row]).await;
        }
        self.answered.notify_one();
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
        rows.extend(self.tool_list_rows(&rows));
        if rows.is_empty() {
            return;
        }
        let written = self.with_sessions(true, move |sessions| sessions.ledger_many(&rows)).await;
        if let Err(error) = written {
            log::warn!("the ledger could not be written: {error}");
        }
    }

    /// Runs `work` on `plimsoll.db` on its own thread; `None` if there is no database and `make` is false.
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
                if !make && !sessions::has_records(&home) {
                    return Ok(None);
                }
                match home.ensure() {
                    // A read-only caller writes nothing into it.
                    Err(home::HomeError::Io { .. }) if !make => {}
                    ensured => ensured.map_err(|error| failure::from_storage(&error))?,
                }
                match Sessions::open(&home, &guests) {
                    Ok(opened) => *open = Some(opened),
                    Err(error) if !make && error.is_unwritable() => {
                        let worked = Sessions::open_read_only(&home, &guests)
                            .and_then(|found| found.map(|mut found| work(&mut found)).transpose());
                        return worked.map_err(|_| failure::from_storage(&error));
                    }
                    Err(error) => return Err(failure::from_storage(&error)),
                }
            }
            match open.as_mut() {
                Some(sessions) => work(sessions).map(Some).map_err(|error| failure::from_storage(&error)),
                None => Ok(None),
            }
        });
        done.await.map_err(|error| failure::from_thread(&error))?
    }

    /// Writes the heartbeat from which hooks know that the tools are reachable. `session` only if the agent named it.
    pub fn write_heartbeat(&self, agent: Option<&str>, session: Option<&str>) {
        let beat = Heartbeat {
            pid: std::process::id(),
            agent: agent.unwrap_or_default().to_owned(),
            session: session.map(str::to_owned),
            project: if self.has_project() { self.project().root } else { PathBuf::new() },
            started_ms: self.started_ms,
            touched_ms: self.now_ms(),
        };
        let written = self.home().ensure().map_err(|error| error.to_string());
        if let Err(error) =
            written.and_then(|()| heartbeats::write(self.home(), &beat).map_err(|error| error.to_string()))
        {
            log::warn!("can't record that this server is alive: {error}");
        }
    }

    /// Ends a session: stops its tasks, removes its heartbeat, closes its databases.
    pub async fn end_session(&self) {
        heartbeats::remove(self.home(), std::process::id());
        self.stop_own_tasks();
        self.book_tool_list_at_end().await;
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

/// A relative time for people and models: `5 min ago`.
pub(crate) fn ago(now_ms: i64, then_ms: i64) -> String {
    let seconds = now_ms.saturating_sub(then_ms).max(0) / 1000;
    match seconds {
        0..60 => "now".into(),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600..86_400 => format!("{} h ago", seconds / 3_600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}
