//! The sessions and activity screens: recorded events and calls, page by page.

use contract::desktop::{
    Activity, ActivityQuery, Calls, CallsQuery, EventRow, LedgerCall, ModelTokens, OutputText, ReadOutput,
    SessionFact, SessionQuery, SessionRef, SessionRow, SessionView, SessionsPage, SessionsQuery,
};
use contract::{Error, ErrorCode};
use memory::{FactQueries as _, RecordedFact};
use sessions::{
    Class, EventFilter, LedgerFilter, Page, RecordedCall, RecordedEvent, SessionFilter, SessionSummary,
    Sessions, SessionsError,
};

use super::Desktop;
use super::sums::sums;
use crate::{failure, messages};

/// A session's first recorded event may come a little later than its transcript's.
const LATE_MS: i64 = 600_000;

impl Desktop {
    fn with_record<T: Default>(
        &self,
        work: impl FnOnce(&Sessions) -> Result<T, SessionsError>,
    ) -> Result<T, Error> {
        let opened = self.service.read_record().map_err(|error| failure::from_storage(&error))?;
        match opened {
            Some(sessions) => work(&sessions).map_err(|error| failure::from_storage(&error)),
            None => Ok(T::default()),
        }
    }

    /// The sessions, most recently active first.
    ///
    /// # Errors
    /// If `plimsoll.db` can't be read.
    pub fn sessions(&self, query: SessionsQuery) -> Result<SessionsPage, Error> {
        let page = Page { offset: query.offset, limit: query.limit };
        let filter = SessionFilter { agent: query.agent, project: query.project, ..SessionFilter::default() };
        self.with_record(|sessions| {
            let found = sessions.sessions(&filter, page)?;
            let rows = found.items.into_iter().map(|summary| session(sessions, summary));
            Ok(SessionsPage { rows: rows.collect::<Result<_, _>>()?, total: found.total })
        })
    }

    /// The sessions of this ID: several agents may have one.
    ///
    /// # Errors
    /// If `plimsoll.db` can't be read.
    pub fn sessions_called(&self, id: &str, agent: Option<String>) -> Result<Vec<SessionRow>, Error> {
        let filter = SessionFilter { agent, session: Some(id.to_owned()), ..SessionFilter::default() };
        self.with_record(|sessions| {
            let found = sessions.sessions(&filter, Page::default())?;
            found.items.into_iter().map(|summary| session(sessions, summary)).collect()
        })
    }

    /// One session in full.
    ///
    /// # Errors
    /// If it isn't recorded, or `plimsoll.db` can't be read.
    pub fn session(&self, query: &SessionQuery) -> Result<SessionView, Error> {
        let (agent, name) = (Some(query.agent.clone()), Some(query.session.clone()));
        let found = self.with_record(|sessions| {
            let filter =
                SessionFilter { agent: agent.clone(), session: name.clone(), ..SessionFilter::default() };
            let Some(summary) = sessions.sessions(&filter, Page { offset: 0, limit: 1 })?.items.pop() else {
                return Ok(None);
            };
            let events =
                EventFilter { agent: agent.clone(), session: name.clone(), ..EventFilter::default() };
            let events = sessions.events(&events, Page { offset: query.offset, limit: query.limit })?;
            let calls = LedgerFilter { agent, session: name, ..LedgerFilter::default() };
            let calls = sessions.calls(&calls, Page { offset: 0, limit: 200 })?;
            let facts = sessions.facts_of(&query.agent, &query.session)?;
            // The resume note as the agent's model would get it now.
            let search = agents::by_id(&query.agent)
                .map_or_else(|| "search".to_owned(), |agent| agent.tool_name("search"));
            let note = memory::resume(&facts, &search, self.service.now_ms());
            Ok(Some(SessionView {
                session: session(sessions, summary)?,
                events: events.items.into_iter().map(event).collect(),
                events_total: events.total,
                calls: calls.items.into_iter().map(call).collect(),
                resume_note: (!note.is_empty()).then_some(note),
                facts: facts.into_iter().map(fact).collect(),
            }))
        })?;
        found.ok_or_else(|| {
            Error::new(ErrorCode::NotFound, messages::no_such_session(&query.session, &query.agent))
        })
    }

    /// The tokens that a session used per model, highest first; empty if the agent records none. May read a long
    /// transcript.
    ///
    /// # Errors
    /// If `plimsoll.db` can't be read.
    pub fn session_tokens(&self, of: &SessionRef) -> Result<Vec<ModelTokens>, Error> {
        let filter = SessionFilter {
            agent: Some(of.agent.clone()),
            session: Some(of.session.clone()),
            ..SessionFilter::default()
        };
        let started_ms = self.with_record(|sessions| {
            let found = sessions.sessions(&filter, Page { offset: 0, limit: 1 })?;
            Ok(found.items.first().map_or(0, |summary| summary.started_ms))
        })?;
        let since_ms = started_ms.saturating_sub(LATE_MS);
        let used = agents::model_usage(self.service.env(), &of.agent, &of.session, since_ms);
        let row = |used: transcripts::ModelUsage| ModelTokens {
            model: used.model,
            input: used.tokens.input,
            output: used.tokens.output,
            cache_read: used.tokens.cache_read,
            cache_write: used.tokens.cache_write,
            responses: used.responses,
        };
        Ok(used.into_iter().map(row).collect())
    }

    /// Deletes a session: its events, facts, calls and kept outputs.
    ///
    /// # Errors
    /// If `plimsoll.db` can't be written.
    pub fn delete_session(&self, request: &SessionRef) -> Result<(), Error> {
        let home = self.service.home();
        if sessions::has_records(home) {
            self.service
                .open_record()
                .and_then(|mut sessions| sessions.forget_session(&request.agent, &request.session))
                .map_err(|error| failure::from_storage(&error))?;
        }
        crate::context::outputs::forget_outputs(home, &request.session);
        Ok(())
    }

    /// Hook verdicts, latest first.
    ///
    /// # Errors
    /// If `plimsoll.db` can't be read.
    pub fn activity(&self, query: ActivityQuery) -> Result<Activity, Error> {
        let page = Page { offset: query.offset, limit: query.limit };
        let filter = EventFilter {
            agent: query.agent,
            project: query.project,
            decision: query.decision,
            by_call: query.by_call,
            mattered: query.mattered,
            contains: query.contains,
            since_ms: query.since_ms,
            ..EventFilter::default()
        };
        self.with_record(|sessions| {
            let found = sessions.events(&filter, page)?;
            Ok(Activity { rows: found.items.into_iter().map(event).collect(), total: found.total })
        })
    }

    /// Calls, latest first.
    ///
    /// # Errors
    /// If `plimsoll.db` can't be read.
    pub fn calls(&self, query: CallsQuery) -> Result<Calls, Error> {
        let page = Page { offset: query.offset, limit: query.limit };
        let filter = LedgerFilter {
            agent: query.agent,
            tool: query.tool,
            filter: query.filter,
            project: query.project,
            since_ms: query.since_ms,
            ..LedgerFilter::default()
        };
        self.with_record(|sessions| {
            let found = sessions.calls(&filter, page)?;
            Ok(Calls { rows: found.items.into_iter().map(call).collect(), total: found.total })
        })
    }

    /// A piece of a kept output.
    ///
    /// # Errors
    /// If it isn't kept, has expired, or can't be read.
    pub fn read_output(&self, request: &ReadOutput) -> Result<OutputText, Error> {
        self.service.read_output(&request.address, request.offset)
    }
}

fn session(sessions: &Sessions, summary: SessionSummary) -> Result<SessionRow, SessionsError> {
    let open_errors = sessions.open_errors(&summary.agent, &summary.session)?;
    Ok(SessionRow {
        sums: sums(&summary.totals),
        session: summary.session,
        agent: summary.agent,
        project: summary.project,
        started_ms: summary.started_ms,
        last_ms: summary.last_ms,
        events: summary.events,
        denied: summary.denied,
        title: summary.title,
        errors: summary.errors,
        open_errors,
        compactions: summary.compactions,
        ended: summary.ended,
    })
}

fn fact(recorded: RecordedFact) -> SessionFact {
    let fact = recorded.fact;
    SessionFact {
        category: fact.category.name().to_owned(),
        holds: fact.state.is_current(),
        text: fact.text,
        detail: fact.detail,
        subject: fact.subject,
        times: recorded.times,
        at_ms: recorded.at_ms,
    }
}

fn event(recorded: RecordedEvent) -> EventRow {
    let event = recorded.event;
    EventRow {
        id: recorded.id,
        at_ms: event.at_ms,
        agent: event.agent,
        session: event.session,
        project: event.project,
        kind: event.kind,
        tool: event.tool,
        summary: event.summary,
        decision: event.decision,
        rule: event.rule,
        bytes_before: event.bytes_before,
        bytes_after: event.bytes_after,
        full_output: event.full_output,
        elapsed_us: event.elapsed_us,
    }
}

pub(super) fn call(recorded: RecordedCall) -> LedgerCall {
    let row = recorded.row;
    LedgerCall {
        id: recorded.id,
        at_ms: row.at_ms,
        agent: row.agent,
        session: row.session,
        project: row.project,
        tool: row.tool,
        filter: row.filter,
        raw_bytes: row.raw_bytes,
        returned_bytes: row.returned_bytes,
        class: match row.class {
            Class::None => "none",
            Class::Measured => "measured",
            Class::Estimated => "estimated",
        }
        .to_owned(),
        ok: row.ok,
        overhead_bytes: row.overhead_bytes,
        saved_bytes: recorded.saved_bytes,
        tokens_raw: row.tokens_raw,
        tokens_returned: row.tokens_returned,
        tokenizer: row.tokenizer,
        elapsed_us: row.elapsed_us,
    }
}
