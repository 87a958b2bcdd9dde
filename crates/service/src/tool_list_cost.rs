//! Books the cost of the tool list in the right sessions. A list is in the conversation at every turn, and turns are
//! counted under the session ID that hooks report. A server often gets another ID or none, because it starts before
//! the session and outlives it when the agent starts a new one after `/clear`. So this file looks for the sessions
//! that hooks saw in the server's project. If several servers work there and its own session can't be identified, the
//! ID that the server was given is used.

use std::collections::HashSet;
use std::sync::PoisonError;

use sessions::{ActiveSession, LedgerRow, TOOL_LIST, heartbeats};

use crate::Service;
use crate::tool_list::ToolList;

/// How much earlier than its server a session's last use may be, in milliseconds: agents start both at once.
const START_TOLERANCE_MS: i64 = 60_000;

impl Service {
    /// Records the size of the tool list. It is written with the next row or when the session ends, so that a server
    /// without calls opens no database.
    pub fn set_tool_list(&self, agent: Option<&str>, session: &str, bytes: u64) {
        let (agent, session) = (agent.map(str::to_owned), session.to_owned());
        *self.tool_list.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(ToolList { agent, session, bytes, booked: HashSet::new() });
    }

    /// The caller's session ID as its hooks report it, if it differs from the one that the server was given (`told`);
    /// `None` if that is unknown.
    pub async fn live_session(&self, agent: &str, told: Option<&str>) -> Option<String> {
        let found = self.active_sessions(agent).await;
        let newest = found.first()?;
        // With other servers here, the newest session may be theirs.
        let sure = told.is_none() && found.len() == 1 || !self.has_other_server(agent);
        sure.then(|| newest.session.clone())
    }

    /// The sessions of this agent and project in use since this process started.
    async fn active_sessions(&self, agent: &str) -> Vec<ActiveSession> {
        if !self.has_project() {
            return Vec::new();
        }
        let (agent, root) = (agent.to_owned(), self.project().root);
        let since_ms = self.started_ms.saturating_sub(START_TOLERANCE_MS);
        let found = self
            .with_sessions(false, move |sessions| sessions.active_sessions(&agent, &root, since_ms))
            .await;
        found
            .inspect_err(|error| log::info!("no session is known: {error}"))
            .ok()
            .flatten()
            .unwrap_or_default()
    }

    fn has_other_server(&self, agent: &str) -> bool {
        let (us, root) = (std::process::id(), self.project().root);
        heartbeats::all(self.home(), self.now_ms())
            .iter()
            .any(|beat| beat.pid != us && beat.agent == agent && beat.project == root)
    }

    /// The tool-list rows for those sessions of `rows` that have none yet.
    pub(crate) fn tool_list_rows(&self, rows: &[LedgerRow]) -> Vec<LedgerRow> {
        let sessions = rows.iter().map(|row| row.session.clone());
        self.new_rows(sessions)
    }

    /// Books the list of a server without calls when it ends: in the sessions that it served, or under the session ID
    /// that it was given.
    pub(crate) async fn book_tool_list_at_end(&self) {
        let (agent, told, none_booked) = {
            let list = self.tool_list.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(list) = list.as_ref() else { return };
            (list.agent.clone().unwrap_or_default(), list.session.clone(), list.booked.is_empty())
        };
        let found = self.active_sessions(&agent).await;
        let shared = self.has_other_server(&agent);
        let ours =
            |one: &ActiveSession| !one.has_list && (!shared || found.len() == 1 || one.session == told);
        let mut served: Vec<String> =
            found.iter().filter(|one| ours(one)).map(|one| one.session.clone()).collect();
        if served.is_empty() && none_booked {
            served.push(told);
        }
        let rows = self.new_rows(served.into_iter());
        // Each session has its row already.
        self.write_rows(rows).await;
    }

    fn new_rows(&self, sessions: impl Iterator<Item = String>) -> Vec<LedgerRow> {
        let mut list = self.tool_list.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(list) = list.as_mut().filter(|list| list.bytes > 0) else { return Vec::new() };
        let new: Vec<String> = sessions.filter(|session| list.booked.insert(session.clone())).collect();
        let row = |session: &String| LedgerRow {
            tool: TOOL_LIST.into(),
            overhead_bytes: list.bytes,
            ..self.empty_row(list.agent.as_deref(), session)
        };
        new.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use contract::Search;
    use home::{Clock, Env};
    use sessions::{LedgerFilter, NewEvent, Note, Page};

    use super::*;
    use crate::Call;

    const NOW: i64 = 1_772_304_300_000;

    fn service(dir: &std::path::Path) -> Service {
        std::fs::create_dir_all(dir.join("shop/.git")).unwrap();
        let service = Service::new(Env::for_test(dir), Clock::fixed(NOW)).unwrap();
        service.set_project(&[dir.join("shop")]);
        service
    }

    /// A prompt as hooks record it.
    fn prompt(service: &Service, session: &str, at_ms: i64) {
        let event = NewEvent {
            session: session.into(),
            agent: "gemini-cli".into(),
            project: service.project().root.display().to_string(),
            kind: "prompt".into(),
            decision: "pass".into(),
            at_ms,
            ..NewEvent::default()
        };
        sessions::append_notes(service.home(), &[Note::Event(event)]).unwrap();
    }

    fn cost(service: &Service, session: &str) -> u64 {
        let filter = LedgerFilter {
            session: Some(session.into()),
            tool: Some(TOOL_LIST.into()),
            ..LedgerFilter::default()
        };
        let sessions = service.open_record().unwrap();
        let rows = sessions.calls(&filter, Page { offset: 0, limit: 99 }).unwrap().items;
        rows.iter().map(|call| call.row.overhead_bytes).sum()
    }

    fn block_on<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
    }

    #[test]
    fn the_list_costs_at_every_turn_of_the_session_that_hooks_name() {
        let dir = tempfile::tempdir().unwrap();
        let service = service(dir.path());
        service.set_tool_list(Some("gemini-cli"), "gemini-cli-7-1", 1_000);
        prompt(&service, "of before", NOW - 2 * START_TOLERANCE_MS);
        prompt(&service, "a", NOW);
        prompt(&service, "a", NOW + 1);
        block_on(async {
            let live = service.live_session("gemini-cli", None).await;
            assert_eq!(live.as_deref(), Some("a"));
            let call =
                Call { agent: agents::by_id("gemini-cli"), session: live.unwrap(), ..Call::from_user() };
            service.search(&call, Search::of(vec!["x".into()])).await.unwrap();
            prompt(&service, "a", NOW + 2);
            // After /clear there are no more calls.
            prompt(&service, "b", NOW + 3);
            prompt(&service, "b", NOW + 4);
            service.end_session().await;
        });
        assert_eq!((cost(&service, "a"), cost(&service, "b")), (3_000, 2_000));
        assert_eq!((cost(&service, "gemini-cli-7-1"), cost(&service, "of before")), (0, 0));
    }

    #[test]
    fn beside_another_server_the_reported_size_is_used() {
        let dir = tempfile::tempdir().unwrap();
        let service = service(dir.path());
        service.home().ensure().unwrap();
        let other = heartbeats::Heartbeat {
            pid: std::process::id() + 1,
            agent: "gemini-cli".into(),
            session: None,
            project: service.project().root,
            started_ms: NOW,
            touched_ms: NOW,
        };
        heartbeats::write(service.home(), &other).unwrap();
        service.set_tool_list(Some("gemini-cli"), "told", 1_000);
        prompt(&service, "a", NOW);
        prompt(&service, "b", NOW);
        block_on(async {
            assert_eq!(service.live_session("gemini-cli", None).await, None);
            service.end_session().await;
        });
        assert_eq!((cost(&service, "a"), cost(&service, "b"), cost(&service, "told")), (0, 0, 1_000));
        heartbeats::remove(service.home(), other.pid);
    }
}
