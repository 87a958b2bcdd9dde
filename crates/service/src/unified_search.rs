//! `search` across several systems: one ranked reply in which every hit names its system. Each system ranks its own
//! hits; this file merges them by one score, because scores of different systems aren't comparable.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use contract::{Error, ErrorCode, Order, Reply, Search, System};
use ranking::{Candidate, Query, Ranker};
use serde_json::{Value, json};
use system::{Addresses, CallContext, SearchPart};

use crate::search::{MAX_BUDGET, QUERY_BYTES, budget_of, cut, why_nothing};
use crate::{Call, Service};

/// How many hits of each system are ranked together at least: more could change the order of the first ones.
const POOL: usize = 20;
/// How many hits of each system can be paged through.
const MOST_HITS: usize = 1_000;
/// Passages are shown up to this many bytes.
const PASSAGE_BYTES: usize = 1_200;

/// The most bytes of stored passages that are looked at for one query.
const MOST_PASSAGES_BYTES: usize = 4 * 1024 * 1024;

/// One hit.
struct UnifiedHit {
    from: &'static str,
    place: String,
    text: String,
    at_ms: i64,
    code: bool,
    /// Its rank within its own system, from 0.
    rank: usize,
}

impl Service {
    /// Searches the requested systems; hits outside stored text and sessions are merged into one ranked reply.
    ///
    /// # Errors
    /// If a requested system is switched off or can't be read.
    pub async fn unified_search(self: &Arc<Self>, call: &Call, request: Search) -> Result<Reply, Error> {
        if let Some(address) = request.source.as_deref().map(str::trim)
            && let Some(open) = self.system_of_address(address)
        {
            let started = Instant::now();
            let result = self.search_at(call, open, address, &request).await;
            return self.book(call, "search", started, result).await;
        }
        let beyond = |system: &System| !matches!(system, System::Knowledge | System::Sessions);
        if !request.systems.iter().any(beyond) {
            return self.search(call, request).await;
        }
        let started = Instant::now();
        let result = self.search_all(call, &request).await;
        self.book(call, "search", started, result).await
    }

    /// The parts of the text at a system's own address that have the words of the queries.
    async fn search_at(
        self: &Arc<Self>,
        call: &Call,
        open: Addresses,
        address: &str,
        request: &Search,
    ) -> Result<Reply, Error> {
        let whole = self.open_address(call, open, address).await?;
        let words: Vec<String> =
            request.queries.iter().flat_map(|query| Query::parse(query).words()).collect();
        let shown = text::snippet(&whole, &words, budget_of(request));
        let data = json!({"address": address, "text": shown});
        Ok(Reply::plain(format!("[{}]\n{}", text::one_line(address), shown.trim_end())).with_data(data))
    }

    async fn search_all(self: &Arc<Self>, call: &Call, request: &Search) -> Result<Reply, Error> {
        let everything = request.systems.contains(&System::Everything);
        let wants = |system: System| everything || request.systems.contains(&system);
        let finds: Vec<SearchPart> = self.systems_on().filter_map(|system| system.search).collect();
        for wanted in request.systems.iter().copied().filter(|wanted| wanted.is_own()) {
            if finds.iter().any(|find| find.what == wanted) {
                continue;
            }
            let mut elsewhere = self.systems_on().filter_map(|system| system.searched_elsewhere);
            let why = match elsewhere.find(|(what, _)| *what == wanted) {
                Some((_, how)) => how.to_owned(),
                None => format!(
                    "{} is switched off or not part of this version; search in all, or leave it out",
                    wanted.name()
                ),
            };
            return Err(Error::new(ErrorCode::NotAvailable, why));
        }
        let share = budget_of(request) / request.queries.len().max(1);
        let mut text = String::new();
        let mut data = Vec::new();
        for query in &request.queries {
            // The first pages are cut from the same list; one more hit than shown tells whether there are any.
            let limit = request.offset.saturating_add(request.limit).saturating_add(1).clamp(POOL, MOST_HITS);
            let one = Search { queries: vec![query.clone()], limit, offset: 0, ..request.clone() };
            let mut found = Vec::new();
            if wants(System::Knowledge) {
                found.extend(self.knowledge_passages(call, &one).await?);
            }
            if wants(System::Sessions) {
                found.extend(self.session_passages(&one).await?);
            }
            for find in finds.iter().filter(|find| wants(find.what)) {
                found.extend(self.system_passages(call, *find, query, limit).await?);
            }
            let found = rank_hits(query, found, request.order);
            if request.queries.len() > 1 {
                let _ = writeln!(text, "# {}", text::one_line(cut(query, QUERY_BYTES)));
            }
            let shown = write_page(&mut text, query, &found, request, share);
            data.push(json!({"query": query, "total": found.len(), "hits": shown}));
        }
        Ok(Reply::plain(text.trim_end()).with_data(json!({ "together": data })))
    }

    async fn system_passages(
        self: &Arc<Self>,
        call: &Call,
        find: SearchPart,
        query: &str,
        limit: usize,
    ) -> Result<Vec<UnifiedHit>, Error> {
        let (host, call): (Arc<dyn system::Host>, Call) = (Arc::clone(self) as _, call.clone());
        let query = query.to_owned();
        let work = move || (find.search)(&CallContext { host, call }, &query, limit);
        let done = tokio::task::spawn_blocking(work).await;
        let passages = done.map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))??;
        let found = |(rank, passage): (usize, system::Passage)| UnifiedHit {
            from: find.what.name(),
            place: passage.place,
            text: passage.text,
            at_ms: passage.at_ms,
            code: passage.code,
            rank,
        };
        Ok(passages.into_iter().enumerate().map(found).collect())
    }

    async fn knowledge_passages(&self, call: &Call, request: &Search) -> Result<Vec<UnifiedHit>, Error> {
        // Every hit may be shown, so none is shortened for the sake of the others.
        let room = MAX_BUDGET.max(request.limit.saturating_mul(2 * PASSAGE_BYTES)).min(MOST_PASSAGES_BYTES);
        let hits = self.find(call, request, room).await?;
        let hits = hits.into_iter().flat_map(|found| found.per_query).flat_map(|reply| reply.hits);
        Ok(hits
            .enumerate()
            .map(|(rank, hit)| UnifiedHit {
                from: System::Knowledge.name(),
                place: crate::search::place(&hit),
                text: hit.snippet.trim_end().to_owned(),
                at_ms: hit.indexed_ms,
                code: hit.code,
                rank,
            })
            .collect())
    }

    async fn session_passages(&self, request: &Search) -> Result<Vec<UnifiedHit>, Error> {
        let entries = self.session_hits(request).await?;
        Ok(entries
            .into_iter()
            .enumerate()
            .map(|(rank, (place, text, at_ms))| UnifiedHit {
                from: System::Sessions.name(),
                place,
                text,
                at_ms,
                code: false,
                rank,
            })
            .collect())
    }
}

/// Orders hits by one score: the rank within their system, how many words of the query they contain, and how close
/// together those are.
fn rank_hits(query: &str, mut found: Vec<UnifiedHit>, order: Order) -> Vec<UnifiedHit> {
    if order == Order::Time {
        found.sort_by_key(|one| std::cmp::Reverse(one.at_ms));
        return found;
    }
    let ranker = Ranker::new(&Query::parse(query));
    let score = |one: &UnifiedHit| {
        let base = 1.0 / (1.0 + one.rank as f64 / 2.0);
        ranker.score(&Candidate { base, title: "", text: &one.text, code: one.code })
    };
    let mut scored: Vec<(f64, UnifiedHit)> = found.into_iter().map(|one| (score(&one), one)).collect();
    scored.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    scored.into_iter().map(|(_, one)| one).collect()
}

/// Writes the requested page within its budget and returns the written hits as data.
fn write_page(
    text: &mut String,
    query: &str,
    found: &[UnifiedHit],
    request: &Search,
    room: usize,
) -> Vec<Value> {
    let page: Vec<&UnifiedHit> = found.iter().skip(request.offset).take(request.limit).collect();
    if page.is_empty() {
        let past = if request.offset > 0 { " (offset is past the last one)" } else { why_nothing(query) };
        let _ = writeln!(text, "Nothing found for {:?}.{past}", cut(query, QUERY_BYTES));
        return Vec::new();
    }
    let begun = text.len();
    let mut shown = Vec::new();
    for one in &page {
        let end = one.text.floor_char_boundary(PASSAGE_BYTES);
        let more = if end < one.text.len() { "…" } else { "" };
        let passage = format!("[{}: {}]\n{}{more}\n", one.from, text::one_line(&one.place), &one.text[..end]);
        if !shown.is_empty() && text.len() - begun + passage.len() > room {
            break;
        }
        text.push_str(&passage);
        shown.push(json!({"from": one.from, "place": one.place, "text": one.text, "at_ms": one.at_ms}));
    }
    let next = request.offset + shown.len();
    if next < found.len() {
        // Each system was asked for some hits only, so how many there are isn't known.
        let _ = writeln!(text, "(more: offset {next})");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(from: &'static str, rank: usize, text: &str, at_ms: i64) -> UnifiedHit {
        UnifiedHit { from, place: "p".into(), text: text.into(), at_ms, code: false, rank }
    }

    #[test]
    fn one_score_orders_the_hits_of_all_systems() {
        let all = || {
            vec![
                found("knowledge", 0, "A page about harbours in general", 3),
                found("knowledge", 1, "Winch grease is ordered in spring, and more", 2),
                found("memory", 0, "We decided: winch grease comes from the north depot", 1),
                found("sessions", 0, "asked about grease", 4),
            ]
        };
        let froms = |order| -> Vec<&str> {
            rank_hits("winch grease depot", all(), order).iter().map(|one| one.from).collect()
        };
        assert_eq!(froms(Order::Relevance)[0], "memory");
        assert_eq!(froms(Order::Relevance)[3], "knowledge");
        assert_eq!(froms(Order::Time), ["sessions", "knowledge", "knowledge", "memory"]);
    }

    #[test]
    fn a_page_is_bounded_and_says_where_the_next_begins() {
        let all: Vec<UnifiedHit> = (0..9).map(|n| found("memory", n, &"word ".repeat(400), 0)).collect();
        let request = Search { limit: 5, ..Search::of(vec!["word".into()]) };
        let mut text = String::new();
        let shown = write_page(&mut text, "word", &all, &request, 3_000);
        assert!(text.len() <= 3_100 && text.contains("[memory: p]") && text.contains("…"), "{}", text.len());
        assert!(text.contains(&format!("(more: offset {})", shown.len())), "{text}");
        let past = Search { offset: 9, ..request.clone() };
        assert!(write_page(&mut text, "word", &all, &past, 3_000).is_empty());
        assert!(text.ends_with("(offset is past the last one)\n"), "{text}");
        assert!(write_page(&mut text, "word", &[], &request, 3_000).is_empty());
    }

    #[test]
    fn what_is_searched_elsewhere_says_where_and_what_is_off_says_so() {
        use home::{Clock, Env, Home};
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        for (settings, expected) in
            [("", "code is switched off"), ("[codebase]\nenabled = true\n", "with the tool codebase")]
        {
            let dir = tempfile::tempdir().unwrap();
            let env = Env::for_test(dir.path());
            let home = Home::resolve(&env).unwrap();
            home.ensure().unwrap();
            std::fs::write(home.settings_path(), settings).unwrap();
            let service = Arc::new(Service::new(env, Clock::fixed(1)).unwrap());
            let request = Search { systems: vec![System::Code], ..Search::of(vec!["winch".into()]) };
            let error = runtime.block_on(service.unified_search(&Call::from_user(), request)).err().unwrap();
            assert!(error.to_string().contains(expected), "{error}");
        }
    }

    /// Page after page, every hit comes once, and each page but the last says that there are more.
    #[test]
    fn pages_over_everything_neither_repeat_nor_lose_a_hit() {
        use home::{Clock, Env};
        let dir = tempfile::tempdir().unwrap();
        let service =
            Arc::new(Service::new(Env::for_test(dir.path()), Clock::fixed(1_772_304_300_000)).unwrap());
        let call = Call::from_user();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            for n in 0..8 {
                let content = format!("The winch number {n} {}\n", "of the fore deck ".repeat(20 + n));
                let mut index = contract::Index::of(contract::Input::Content(content));
                index.source = Some(format!("deck-{n}"));
                service.index(&call, index).await.unwrap();
            }
            let mut seen = Vec::new();
            for offset in [0, 3, 6] {
                let systems = vec![System::Everything];
                let request = Search { offset, systems, ..Search::of(vec!["winch".into()]) };
                let reply = service.unified_search(&call, request).await.unwrap();
                let more = reply.text.contains(&format!("(more: offset {})", offset + 3));
                assert_eq!(more, offset < 6, "{}", reply.text);
                seen.extend(
                    reply.text.lines().filter(|line| line.starts_with("[knowledge: ")).map(str::to_owned),
                );
            }
            assert_eq!(seen.len(), 8, "{seen:?}");
            seen.sort();
            seen.dedup();
            assert_eq!(seen.len(), 8, "{seen:?}");
            let past = Search {
                offset: usize::MAX,
                systems: vec![System::Everything],
                ..Search::of(vec!["winch".into()])
            };
            let reply = service.unified_search(&call, past).await.unwrap();
            assert!(reply.text.contains("offset is past the last one"), "{}", reply.text);
        });
    }
}
