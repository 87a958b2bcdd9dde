//! Shared by the tests of this crate: a store in a temporary folder, and documents that look like real ones.

use plimsoll_knowledge::{IndexResult, NewSource, SearchReply, SearchRequest, SourceKind, Store};

pub(crate) struct Temp {
    pub(crate) dir: tempfile::TempDir,
    pub(crate) store: Store,
}

pub(crate) fn temp() -> Temp {
    let dir = tempfile::tempdir().expect("temp dir");
    let store = Store::open(&dir.path().join("knowledge.db")).expect("open");
    Temp { dir, store }
}

impl Temp {
    pub(crate) fn add(&mut self, label: &str, content: &str) -> IndexResult {
        add(&mut self.store, label, content)
    }
    pub(crate) fn find(&self, query: &str) -> plimsoll_knowledge::QueryReply {
        find(&self.store, query)
    }
}

pub(crate) fn source<'a>(label: &'a str, content: &'a str) -> NewSource<'a> {
    NewSource {
        label,
        kind: SourceKind::Text,
        origin: None,
        session: None,
        agent: None,
        content,
        format: None,
        now_ms: 1_000,
    }
}

pub(crate) fn add(store: &mut Store, label: &str, content: &str) -> IndexResult {
    store.index_text(source(label, content)).expect("index")
}

pub(crate) fn request(queries: &[&str]) -> SearchRequest {
    SearchRequest { queries: queries.iter().map(|q| (*q).to_owned()).collect(), ..SearchRequest::default() }
}

pub(crate) fn search(store: &Store, request: &SearchRequest) -> SearchReply {
    store.search(request).expect("search")
}

pub(crate) fn find(store: &Store, query: &str) -> plimsoll_knowledge::QueryReply {
    search(store, &request(&[query])).per_query.remove(0)
}

/// A small pseudo-random generator, the same in every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}

/// How many different words the generated documents have, besides the frequent ones.
const RARE_WORDS: usize = 40_000;

/// The word of a rank; rank 0 is the most frequent. Ranks beyond the list become invented words.
fn word_of(rank: usize) -> String {
    const FREQUENT: &[&str] = &[
        "the",
        "of",
        "to",
        "a",
        "and",
        "is",
        "in",
        "value",
        "for",
        "returns",
        "this",
        "that",
        "with",
        "be",
        "error",
        "if",
        "are",
        "from",
        "when",
        "type",
        "not",
        "by",
        "an",
        "it",
        "index",
        "cache",
        "request",
        "function",
        "connection",
        "buffer",
        "thread",
        "iterator",
        "timeout",
        "stream",
        "token",
        "parser",
        "schema",
        "migration",
        "queue",
        "worker",
        "retry",
        "backoff",
        "latency",
        "snapshot",
        "transaction",
        "isolation",
        "checkpoint",
        "vacuum",
        "replica",
        "cluster",
        "leader",
        "election",
        "quorum",
        "lease",
        "heartbeat",
        "shard",
        "partition",
        "compaction",
        "bloom",
        "filter",
        "segment",
        "merge",
        "tombstone",
        "cursor",
    ];
    const SYLLABLES: &[&str] = &[
        "ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va", "we",
        "xi", "yo", "zu",
    ];
    if let Some(word) = FREQUENT.get(rank) {
        return (*word).to_owned();
    }
    let mut word = String::new();
    let mut rest = rank * 7 + 3;
    for _ in 0..5 {
        word.push_str(SYLLABLES[rest % SYLLABLES.len()]);
        rest /= SYLLABLES.len();
    }
    word
}

/// A rank by Zipf's law: each tenfold of ranks is as likely as the next, as in real text.
fn rank(dice: &mut Dice) -> usize {
    let exponent = dice.below(1_000_000) as f64 / 1e6;
    (RARE_WORDS as f64).powf(exponent) as usize - 1
}

/// Markdown documentation of about `bytes` bytes with headings, prose, lists, tables and code. Words follow real text's skewed
/// distribution; every section has a unique name.
pub(crate) fn markdown(bytes: usize, seed: u64) -> String {
    let mut dice = Dice(seed);
    let mut out = String::from("# Reference\n\n");
    let word = |dice: &mut Dice| {
        let root = word_of(rank(dice));
        match dice.below(16) {
            0 => format!("{root}s"),
            1 => format!("{root}_{}", word_of(rank(dice))),
            _ => root,
        }
    };
    let mut section = 0;
    while out.len() < bytes {
        section += 1;
        let name = format!("{} {}", word(&mut dice), word(&mut dice));
        out.push_str(&format!("## Section {section}: {name}\n\n"));
        for _ in 0..1 + dice.below(3) {
            for _ in 0..30 + dice.below(50) {
                out.push_str(&word(&mut dice));
                out.push(if dice.below(12) == 0 { ',' } else { ' ' });
            }
            out.push_str(".\n\n");
        }
        match dice.below(3) {
            0 => {
                let (f, g) = (word(&mut dice), word(&mut dice));
                out.push_str(&format!("```rust\nfn {f}_{section}(input: &str) -> Result<usize, Error> {{\n    let {g} = input.parse()?;\n    Ok({g})\n}}\n```\n\n"));
            }
            1 => out.push_str(&format!(
                "- {}\n- {}\n- {}\n\n",
                word(&mut dice),
                word(&mut dice),
                word(&mut dice)
            )),
            _ => out.push_str(&format!(
                "| name | meaning |\n|---|---|\n| `{}` | {} |\n\n",
                word(&mut dice),
                word(&mut dice)
            )),
        }
    }
    out
}
