//! Tokens summed up per agent, session, model, tool and day, each response once. Owns the rules by which two records are the
//! same response. Knows neither formats nor files.
//!
//! A response is recorded once per block of its answer, and again in every copy of its session: records with the same key
//! are one response, and the larger counts apply. A subagent's record may repeat its parent's response under another
//! request: two records with the same alias are one response if either is in a subagent's record.
//!
//! Memory is bounded: in very long histories, only the latest responses are recognised when they repeat.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::record::{Key, Tokens, Usage, UsageScope};

/// How many keys are remembered at least, and half of how many at most.
const REMEMBERED: usize = 100_000;

/// The key of a sum.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Row {
    /// The agent's id.
    pub agent: &'static str,
    /// Its session.
    pub session: String,
    /// The model; empty if unknown.
    pub model: String,
    /// The only tool that the responses called; `None` if they called none or several, or if it is unknown.
    pub tool: Option<String>,
    /// The day as `2026-11-22` in the user's time zone; empty if unknown.
    pub day: String,
}

/// A sum.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenSum {
    /// The tokens.
    pub tokens: Tokens,
    /// The model's responses; a session with only a total counts as one.
    pub responses: u64,
}

impl TokenSum {
    /// Adds another sum.
    pub fn add(&mut self, other: Self) {
        self.tokens = self.tokens.plus(&other.tokens);
        self.responses += other.responses;
    }
}

/// The latest keys and their values, in two generations: the older one is dropped when the newer one is full.
#[derive(Debug)]
struct Latest<V> {
    newer: HashMap<Key, V>,
    older: HashMap<Key, V>,
    limit: usize,
}

impl<V> Latest<V> {
    fn new(limit: usize) -> Self {
        Self { newer: HashMap::new(), older: HashMap::new(), limit }
    }

    fn get(&self, key: Key) -> Option<&V> {
        self.newer.get(&key).or_else(|| self.older.get(&key))
    }

    fn set(&mut self, key: Key, value: V) {
        if self.newer.len() >= self.limit && !self.newer.contains_key(&key) {
            self.older = std::mem::take(&mut self.newer);
        }
        self.newer.insert(key, value);
    }
}

/// Keys that have come before, the latest 100,000 at least.
#[derive(Debug)]
pub struct SeenKeys(Latest<()>);

impl Default for SeenKeys {
    fn default() -> Self {
        Self(Latest::new(REMEMBERED))
    }
}

impl SeenKeys {
    /// Whether the key comes for the first time.
    pub fn first(&mut self, key: Key) -> bool {
        let first = self.0.get(key).is_none();
        self.0.set(key, ());
        first
    }
}

#[derive(Debug, Clone)]
struct CountedResponse {
    row: Arc<Row>,
    tokens: Tokens,
    /// Whether its records name more than one kind of tool.
    several: bool,
}

/// The sums.
#[derive(Debug)]
pub struct Totals {
    zone: TimeZone,
    rows: BTreeMap<Arc<Row>, TokenSum>,
    counted: Latest<CountedResponse>,
    /// For each alias its key, and whether a subagent's record named it.
    aliases: Latest<(Key, bool)>,
    /// For each key that an alias redirected, its target. A later record may give the alias to another response, and the
    /// same key must map to the same sum when its file is read again.
    led: Latest<Key>,
    /// Sessions with only a total.
    sessions: BTreeMap<Key, (Row, Tokens)>,
    by_response: HashSet<(&'static str, String)>,
}

impl Totals {
    /// No sums yet; `zone` decides when a day begins.
    pub fn new(zone: TimeZone) -> Self {
        Self::remembering(zone, REMEMBERED)
    }

    fn remembering(zone: TimeZone, limit: usize) -> Self {
        Self {
            zone,
            rows: BTreeMap::new(),
            counted: Latest::new(limit),
            aliases: Latest::new(limit),
            led: Latest::new(limit),
            sessions: BTreeMap::new(),
            by_response: HashSet::new(),
        }
    }

    /// Adds a record, or its increase over an earlier one of the same response.
    pub fn add(&mut self, usage: &Usage) {
        let row = Row {
            agent: usage.agent,
            session: usage.session.clone(),
            model: usage.model.clone(),
            tool: usage.tool.clone(),
            day: self.day(usage.at_ms),
        };
        if usage.scope == UsageScope::Session {
            let known = self.sessions.get(&usage.key).map(|(_, tokens)| *tokens).unwrap_or_default();
            self.sessions.insert(usage.key, (row, known.max(&usage.tokens)));
            return;
        }
        let session = (usage.agent, usage.session.clone());
        if !self.by_response.contains(&session) {
            self.by_response.insert(session);
        }
        let key = self.response(usage);
        let Some(before) = self.counted.get(key).cloned() else {
            let row = self.count(row, TokenSum { tokens: usage.tokens, responses: 1 });
            self.counted.set(key, CountedResponse { row, tokens: usage.tokens, several: false });
            return;
        };
        // Session, model and day stay the first record's. Each record may name a tool, until two names differ.
        let tokens = before.tokens.max(&usage.tokens);
        let (known, named) = (&before.row.tool, &usage.tool);
        let several = before.several || known.is_some() && named.is_some() && known != named;
        let tool = if several { None } else { known.as_ref().or(named.as_ref()) };
        if tool == known.as_ref() {
            let more = TokenSum { tokens: tokens.minus(&before.tokens), responses: 0 };
            self.rows.entry(Arc::clone(&before.row)).or_default().add(more);
            self.counted.set(key, CountedResponse { row: before.row, tokens, several });
        } else {
            let row = Row { tool: tool.cloned(), ..(*before.row).clone() };
            self.take_back(&before);
            let row = self.count(row, TokenSum { tokens, responses: 1 });
            self.counted.set(key, CountedResponse { row, tokens, several });
        }
    }

    /// The key under which this response is counted.
    fn response(&mut self, usage: &Usage) -> Key {
        if let Some(&key) = self.led.get(usage.key) {
            return key;
        }
        let Some(alias) = usage.alias else { return usage.key };
        if self.counted.get(usage.key).is_some() {
            return usage.key;
        }
        match self.aliases.get(alias) {
            Some(&(key, sidechain)) if sidechain || usage.sidechain => {
                self.led.set(usage.key, key);
                key
            }
            _ => {
                self.aliases.set(alias, (usage.key, usage.sidechain));
                usage.key
            }
        }
    }

    fn count(&mut self, row: Row, spent: TokenSum) -> Arc<Row> {
        // One copy of each row, however many responses use it.
        let known = self.rows.get_key_value(&row).map(|(known, _)| Arc::clone(known));
        let row = known.unwrap_or_else(|| Arc::new(row));
        self.rows.entry(Arc::clone(&row)).or_default().add(spent);
        row
    }

    fn take_back(&mut self, counted: &CountedResponse) {
        let Some(spent) = self.rows.get_mut(&counted.row) else { return };
        spent.tokens = spent.tokens.minus(&counted.tokens);
        spent.responses = spent.responses.saturating_sub(1);
        if spent.responses == 0 {
            self.rows.remove(&counted.row);
        }
    }

    fn day(&self, at_ms: i64) -> String {
        if at_ms == 0 {
            return String::new();
        }
        let at = Timestamp::from_millisecond(at_ms).ok();
        at.map(|at| at.to_zoned(self.zone.clone()).date().to_string()).unwrap_or_default()
    }

    /// The sums, sorted.
    pub fn rows(&self) -> Vec<(Row, TokenSum)> {
        let mut rows: BTreeMap<Row, TokenSum> =
            self.rows.iter().map(|(row, spent)| ((**row).clone(), *spent)).collect();
        for (row, tokens) in self.sessions.values() {
            if !self.by_response.contains(&(row.agent, row.session.clone())) {
                rows.entry(row.clone()).or_default().add(TokenSum { tokens: *tokens, responses: 1 });
            }
        }
        rows.into_iter().collect()
    }

    /// The sums grouped by `name`.
    pub fn by<K: Ord>(&self, name: impl Fn(&Row) -> K) -> BTreeMap<K, TokenSum> {
        let mut sums: BTreeMap<K, TokenSum> = BTreeMap::new();
        for (row, spent) in self.rows() {
            sums.entry(name(&row)).or_default().add(spent);
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn usage(key: u64, alias: Option<u64>, sidechain: bool, output: u64) -> Usage {
        Usage {
            agent: "claude-code",
            session: "s".into(),
            model: "m".into(),
            tool: None,
            at_ms: 1_795_327_983_757,
            tokens: Tokens { input: 10, output, cache_read: 1, cache_write: 2 },
            key: Key(key),
            alias: alias.map(Key),
            sidechain,
            scope: UsageScope::Response,
        }
    }

    fn sum(usages: &[Usage]) -> (u64, u64) {
        let mut totals = Totals::new(TimeZone::UTC);
        usages.iter().for_each(|usage| totals.add(usage));
        let all = totals.by(|_| ()).remove(&()).unwrap_or_default();
        (all.responses, all.tokens.output)
    }

    #[test]
    fn a_response_that_grows_is_one() {
        assert_eq!(
            sum(&[usage(1, None, false, 1), usage(1, None, false, 44), usage(1, None, false, 44)]),
            (1, 44)
        );
    }

    #[test]
    fn a_subagents_copy_is_not_a_second_response_in_either_order() {
        let (main, copy) = (usage(1, Some(9), false, 5), usage(2, Some(9), true, 5));
        assert_eq!(sum(&[main.clone(), copy.clone(), copy.clone()]), (1, 5));
        assert_eq!(sum(&[copy.clone(), main.clone(), copy.clone()]), (1, 5));
        // Without a subagent, two requests are two responses.
        assert_eq!(sum(&[main, usage(2, Some(9), false, 5)]), (2, 10));
        // A subagent's own responses count.
        assert_eq!(sum(&[usage(1, Some(9), false, 5), usage(2, Some(8), true, 5)]), (2, 10));
    }

    #[test]
    fn a_tool_that_comes_later_moves_the_response() {
        let mut totals = Totals::new(TimeZone::UTC);
        let mut later = usage(1, None, false, 7);
        later.tool = Some("Bash".into());
        totals.add(&usage(1, None, false, 3));
        totals.add(&later);
        let rows = totals.rows();
        assert_eq!(rows.len(), 1);
        assert_eq!(
            (rows[0].0.tool.as_deref(), rows[0].1.tokens.output, rows[0].1.responses),
            (Some("Bash"), 7, 1)
        );
        assert_eq!(rows[0].0.day, "2026-11-22");
    }

    #[test]
    fn several_tools_are_not_attributed_to_one() {
        let mut totals = Totals::new(TimeZone::UTC);
        for tool in [None, Some("Bash"), Some("Read"), Some("Bash"), None] {
            totals.add(&Usage { tool: tool.map(str::to_owned), ..usage(1, None, false, 7) });
        }
        let rows = totals.rows();
        assert_eq!((rows.len(), &rows[0].0.tool, rows[0].1.responses), (1, &None, 1));
    }

    #[test]
    fn a_day_begins_at_local_midnight() {
        let mut totals = Totals::new(TimeZone::fixed(jiff::tz::offset(-7)));
        totals.add(&usage(1, None, false, 1));
        assert_eq!(totals.rows()[0].0.day, "2026-11-21");
    }

    #[test]
    fn whole_sessions_count_only_where_nothing_else_does() {
        let mut whole = usage(5, None, false, 100);
        whole.scope = UsageScope::Session;
        let mut longer = whole.clone();
        longer.tokens.output = 150;
        assert_eq!(sum(&[whole.clone(), longer.clone()]), (1, 150));
        assert_eq!(sum(&[whole, usage(1, None, false, 4), longer]), (1, 4));
    }

    #[test]
    fn memory_is_bounded() {
        let mut totals = Totals::remembering(TimeZone::UTC, 10);
        (0..1000).for_each(|key| totals.add(&usage(key, Some(key), false, 1)));
        assert!(totals.counted.newer.len() + totals.counted.older.len() <= 20);
        assert!(totals.aliases.newer.len() + totals.aliases.older.len() <= 20);
        (0..1000).for_each(|key| totals.add(&usage(2000 + key, Some(999), true, 1)));
        assert!(totals.led.newer.len() + totals.led.older.len() <= 20);
        assert_eq!(totals.rows()[0].1.responses, 1000);
    }

    proptest! {
        /// Copies and repetitions in any order change nothing.
        #[test]
        fn any_repetition_is_counted_once(events in proptest::collection::vec((0_u64..8, 0_u64..50), 1..60)) {
            let mut most: BTreeMap<u64, u64> = BTreeMap::new();
            for (key, output) in &events {
                let known = most.entry(*key).or_default();
                *known = (*known).max(*output);
            }
            let usages: Vec<Usage> = events.iter().map(|(key, output)| usage(*key, Some(*key), false, *output)).collect();
            prop_assert_eq!(sum(&usages), (most.len() as u64, most.values().sum::<u64>()));
            let twice: Vec<Usage> = usages.iter().chain(&usages).cloned().collect();
            prop_assert_eq!(sum(&twice), sum(&usages));
        }

        /// Reading a history again adds nothing, however its records share keys and aliases.
        #[test]
        fn reading_again_adds_nothing(
            events in proptest::collection::vec((0_u64..5, proptest::option::of(0_u64..3), any::<bool>(), 0_u64..50), 1..30)
        ) {
            let usages: Vec<Usage> =
                events.iter().map(|(key, alias, sidechain, output)| usage(*key, *alias, *sidechain, *output)).collect();
            let twice: Vec<Usage> = usages.iter().chain(&usages).cloned().collect();
            prop_assert_eq!(sum(&twice), sum(&usages));
        }
    }
}
