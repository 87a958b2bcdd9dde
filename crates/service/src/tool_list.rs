//! What the list of our tools costs, booked in the sessions that it is in. A list is in the conversation at every turn, and
//! turns are counted under the name that the agent's hooks give a session. A server is often told another name or
//! none: it is started before the session, and outlives it when the agent goes on with another after `/clear`. So it looks
//! among the sessions that hooks saw in its project. Where several servers work there, and it cannot know which session is its
//! own, it keeps to the name that it was told.

use std::collections::HashSet;
use std::sync::PoisonError;

use sessions::{LedgerRow, Prompted, TOOL_LIST, live};

use crate::Service;
use crate::listed::ToolList;

/// How much earlier than its server a session may have been used last, in milliseconds: agents start both at once.
const AT_ONCE_MS: i64 = 60_000;

impl Service {
    /// Notes what we put into the conversation on our own account: the tool list. Written with the next row,
    /// or when the session ends, so that a server that is only started opens no database.
    pub fn note_overhead(&self, agent: Option<&str>, session: &str, bytes: u64) {
        let (agent, session) = (agent.map(str::to_owned), session.to_owned());
        *self.tool_list.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(ToolList { agent, session, bytes, booked: HashSet::new() });
    }

    /// The session that the asker is in, as its hooks name it, when it is another than the server was told (`told`);
    /// `None` when that cannot be known.
    pub async fn live_session(&self, agent: &str, told: Option<&str>) -> Option<String> {
        let found = self.prompted(agent).await;
        let newest = found.first()?;
        // Where other servers work, the newest may be theirs.
        let sure = told.is_none() && found.len() == 1 || !self.others_work_here(agent);
        sure.then(|| newest.session.clone())
    }

    /// The sessions of this agent and project that were in use since this process started.
    async fn prompted(&self, agent: &str) -> Vec<Prompted> {
        if !self.has_project() {
            return Vec::new();
        }
        let (agent, root) = (agent.to_owned(), self.project().root);
        let since_ms = self.started_ms.saturating_sub(AT_ONCE_MS);
        let found =
            self.with_sessions(false, move |sessions| sessions.prompted(&agent, &root, since_ms)).await;
        found
            .inspect_err(|error| log::info!("no session is known: {error}"))
            .ok()
            .flatten()
            .unwrap_or_default()
    }

    fn others_work_here(&self, agent: &str) -> bool {
        let (us, root) = (std::process::id(), self.project().root);
        live::all(self.home(), self.now_ms())
            .iter()
            .any(|beat| beat.pid != us && beat.agent == agent && beat.project == root)
    }

    /// The rows of the list for the sessions of `rows` that have none yet.
    pub(crate) fn lists_for(&self, rows: &[LedgerRow]) -> Vec<LedgerRow> {
        let sessions = rows.iter().map(|row| row.session.clone());
        self.book(sessions)
    }

    /// Books the list where nobody asked us anything, when the server ends: in the sessions that it served, or in the one
    /// that it was told.
    pub(crate) async fn book_lists_of_silent_sessions(&self) {
        let (agent, told, nothing_yet) = {
            let list = self.tool_list.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(list) = list.as_ref() else { return };
            (list.agent.clone().unwrap_or_default(), list.session.clone(), list.booked.is_empty())
        };
        let found = self.prompted(&agent).await;
        let shared = self.others_work_here(&agent);
        let ours = |one: &Prompted| !one.has_list && (!shared || found.len() == 1 || one.session == told);
        let mut served: Vec<String> =
            found.iter().filter(|one| ours(one)).map(|one| one.session.clone()).collect();
        if served.is_empty() && nothing_yet {
            served.push(told);
        }
        let rows = self.book(served.into_iter());
        // Each has its row already.
        self.write_rows(rows).await;
    }

    fn book(&self, sessions: impl Iterator<Item = String>) -> Vec<LedgerRow> {
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

    /// A prompt, as hooks leave it.
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
        sessions::note(service.home(), &[Note::Event(event)]).unwrap();
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
        service.note_overhead(Some("gemini-cli"), "gemini-cli-7-1", 1_000);
        prompt(&service, "of before", NOW - 2 * AT_ONCE_MS);
        prompt(&service, "a", NOW);
        prompt(&service, "a", NOW + 1);
        block_on(async {
            let live = service.live_session("gemini-cli", None).await;
            assert_eq!(live.as_deref(), Some("a"));
            let call =
                Call { agent: agents::by_id("gemini-cli"), session: live.unwrap(), ..Call::of_person() };
            service.search(&call, Search::of(vec!["x".into()])).await.unwrap();
            prompt(&service, "a", NOW + 2);
            // After /clear nobody asks us anything any more.
            prompt(&service, "b", NOW + 3);
            prompt(&service, "b", NOW + 4);
            service.end_session().await;
        });
        assert_eq!((cost(&service, "a"), cost(&service, "b")), (3_000, 2_000));
        assert_eq!((cost(&service, "gemini-cli-7-1"), cost(&service, "of before")), (0, 0));
    }

    #[test]
    fn beside_another_server_it_keeps_to_what_it_was_told() {
        let dir = tempfile::tempdir().unwrap();
        let service = service(dir.path());
        service.home().ensure().unwrap();
        let other = live::Beat {
            pid: std::process::id() + 1,
            agent: "gemini-cli".into(),
            session: None,
            project: service.project().root,
            started_ms: NOW,
            touched_ms: NOW,
        };
        live::write(service.home(), &other).unwrap();
        service.note_overhead(Some("gemini-cli"), "told", 1_000);
        prompt(&service, "a", NOW);
        prompt(&service, "b", NOW);
        block_on(async {
            assert_eq!(service.live_session("gemini-cli", None).await, None);
            service.end_session().await;
        });
        assert_eq!((cost(&service, "a"), cost(&service, "b"), cost(&service, "told")), (0, 0, 1_000));
        live::remove(service.home(), other.pid);
    }
}
