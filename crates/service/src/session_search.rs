//! Searches recorded sessions: facts, then events, within the reply's budget. Answers every query; shortens entries
//! that don't fit, and counts the ones left out.

use contract::{Error, Search};
use memory::{FactFilter, FactQueries as _, RecordedFact};
use serde_json::{Value, json};
use sessions::{EventFilter, Page, RecordedEvent};

use crate::Service;
use crate::ledger::ago;

/// Size limits of an entry in bytes; the first that makes a query's answers fit is used.
const ENTRY_WIDTHS: [usize; 4] = [600, 300, 150, 80];
/// How much of a query is repeated, in bytes.
const QUERY_BYTES: usize = 80;
/// Reserve for the note on what was left out, in bytes.
const LEFT_OUT_RESERVE: usize = 200;

impl Service {
    /// Recorded facts and events about the queries, newest first, in about `budget` bytes.
    pub(crate) async fn search_sessions(
        &self,
        request: &Search,
        budget: usize,
    ) -> Result<(String, Value), Error> {
        let found = self.query_sessions(request).await?;
        let mut text = String::from("# sessions\n");
        let Some(found) = found else {
            text.push_str("Nothing was recorded yet.\n");
            return Ok((text, json!([])));
        };
        let now = self.now_ms();
        for (number, (query, facts, events)) in found.iter().enumerate() {
            // What one query doesn't use is available to the next.
            let share = budget.saturating_sub(text.len()) / (found.len() - number);
            text.push_str(&answer(query, &entries(&facts.items, &events.items, now), share));
        }
        let data = found
            .iter()
            .map(|(query, facts, events)| json!({"query": query, "facts": facts.items, "events": events.items}))
            .collect();
        Ok((text, data))
    }

    /// The same as single passages, for a search across systems: origin, text and time.
    pub(crate) async fn session_hits(&self, request: &Search) -> Result<Vec<(String, String, i64)>, Error> {
        let Some(found) = self.query_sessions(request).await? else { return Ok(Vec::new()) };
        let now = self.now_ms();
        Ok(found
            .iter()
            .flat_map(|(_, facts, events)| entries(&facts.items, &events.items, now))
            .map(|entry| {
                let detail =
                    if entry.detail.is_empty() { String::new() } else { format!(" ({})", entry.detail) };
                (entry.origin, one_line(&format!("{}{detail}", entry.text), ENTRY_WIDTHS[0]), entry.at_ms)
            })
            .collect())
    }

    async fn query_sessions(&self, request: &Search) -> Result<Option<Vec<QueryMatches>>, Error> {
        let page = Page { offset: request.offset as u64, limit: request.limit as u64 };
        let project = self.has_project().then(|| self.project().root.display().to_string());
        let queries = request.queries.clone();
        self.with_sessions(false, move |sessions| {
            queries
                .iter()
                .map(|query| {
                    let (project, contains) = (project.clone(), Some(query.clone()));
                    let facts = FactFilter {
                        project: project.clone(),
                        contains: contains.clone(),
                        ..FactFilter::default()
                    };
                    let events = EventFilter { project, contains, ..EventFilter::default() };
                    Ok((query.clone(), sessions.facts(&facts, page)?, sessions.events(&events, page)?))
                })
                .collect::<Result<Vec<_>, _>>()
        })
        .await
    }
}

/// A query with the facts and events about it.
type QueryMatches = (String, sessions::Paged<RecordedFact>, sessions::Paged<RecordedEvent>);

/// One recorded fact or event.
struct Entry<'a> {
    origin: String,
    at_ms: i64,
    text: &'a str,
    detail: &'a str,
}

impl Entry<'_> {
    fn line(&self, width: usize) -> String {
        let detail = if self.detail.is_empty() {
            String::new()
        } else {
            format!(" ({})", one_line(self.detail, width))
        };
        format!("[{}] {}{detail}\n", text::one_line(&self.origin), one_line(self.text, width))
    }
}

/// Merges facts and events, leaving out repetitions of the same text.
fn entries<'a>(facts: &'a [RecordedFact], events: &'a [RecordedEvent], now: i64) -> Vec<Entry<'a>> {
    let mut entries: Vec<Entry<'a>> = Vec::new();
    for recorded in facts {
        let fact = &recorded.fact;
        if entries.iter().any(|entry| entry.text == fact.text) {
            continue;
        }
        let over = if fact.state.is_current() { "" } else { ", over" };
        let origin =
            format!("{}, {}, {}{over}", ago(now, recorded.at_ms), recorded.agent, fact.category.name());
        entries.push(Entry { origin, at_ms: recorded.at_ms, text: &fact.text, detail: &fact.detail });
    }
    let remembered = entries.len();
    for event in events.iter().map(|event| &event.event) {
        let told = entries.iter().take(remembered);
        if told.into_iter().any(|fact| fact.text.starts_with(event.summary.trim_end())) {
            continue;
        }
        let tool = event.tool.as_deref().unwrap_or(&event.kind);
        let origin = format!("{}, {}, {tool}", ago(now, event.at_ms), event.agent);
        entries.push(Entry { origin, at_ms: event.at_ms, text: &event.summary, detail: "" });
    }
    entries
}

/// The answer to one query in about `share` bytes: full entries if they fit, else shorter ones, else the first few.
fn answer(query: &str, entries: &[Entry<'_>], share: usize) -> String {
    let query = one_line(query, QUERY_BYTES);
    if entries.is_empty() {
        return format!("Nothing found for {query:?}.\n");
    }
    let mut text = String::new();
    for width in ENTRY_WIDTHS {
        text = entries.iter().map(|entry| entry.line(width)).collect();
        if text.len() <= share {
            return text;
        }
    }
    // Too much even at the smallest width.
    let mut shown = 0;
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if shown > 0 && end + line.len() + LEFT_OUT_RESERVE > share {
            break;
        }
        end += line.len();
        shown += 1;
    }
    text.truncate(end);
    if shown < entries.len() {
        let more = entries.len() - shown;
        text.push_str(&format!("({more} more about {query:?} left out; ask for fewer at a time)\n"));
    }
    text
}

/// A recorded text on one line of at most `width` bytes.
fn one_line(text: &str, width: usize) -> String {
    let text = text::one_line(text);
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = line.join(" ");
    if line.len() <= width {
        return line;
    }
    let end = line.floor_char_boundary(width);
    format!("{}…", line.get(..end).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use home::{Clock, Env};
    use sessions::NewEvent;

    use super::*;
    use crate::Call;

    const NOW: i64 = 1_772_304_300_000;

    #[test]
    fn however_much_was_recorded_the_reply_is_bounded_and_answers_every_query() {
        let dir = tempfile::tempdir().unwrap();
        let service = Service::new(Env::for_test(dir.path()), Clock::fixed(NOW)).unwrap();
        let mut sessions = service.open_record().unwrap();
        for n in 0..60 {
            let event = NewEvent {
                session: "s".into(),
                agent: "codex".into(),
                kind: "pre-tool".into(),
                tool: Some("Bash".into()),
                summary: format!("run {n} common word{} {}", n % 4, "and so on ".repeat(40)),
                decision: "pass".into(),
                at_ms: NOW - n,
                ..NewEvent::default()
            };
            sessions.record(&event).unwrap();
        }
        drop(sessions);
        let found = |queries: Vec<String>, limit| {
            let systems = vec![contract::System::Sessions];
            let request = Search { limit, systems, ..Search::of(queries) };
            let user = Call::from_user();
            let done = service.search(&user, request);
            tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap()
                .block_on(done)
                .unwrap()
                .text
        };
        let many: Vec<String> = (0..32).map(|n| format!("word{}", n % 5)).collect();
        let text = found(many, 50);
        assert!(text.len() <= 30_000, "{} bytes", text.len());
        assert_eq!(text.matches("Nothing found for \"word4\".").count(), 6);
        assert_eq!(text.matches("run 0 common word0").count(), 7, "{text}");
        assert!(text.contains("more about \"word0\" left out; ask for fewer at a time"), "{text}");
        // A few entries are shown at full length.
        let few = found(vec!["word1".into()], 2);
        assert!(few.lines().count() == 3 && few.len() > 800, "{few}");
    }
}
