//! How long a search and a capture take among many memories of made-up work: words with the frequencies of a language,
//! in several projects and sessions. All but the last thousand are captured together, which takes minutes for a
//! million; one by one it takes hours.

use std::time::Instant;

use plimsoll_memory::domain::{Domain, Namespace};
use plimsoll_memory::embedding::Embedder;
use plimsoll_memory::query::{Filter, Scope, Selection};
use plimsoll_memory::recall::{Mode, RecallRequest, recall};
use plimsoll_memory::store::{Actor, Draft, NewMemory, Secrets, SqliteStore, Store};
use serde_json::{Value, json};

/// The number of memories by default.
pub(crate) const USUAL: u64 = 10_000;
/// The number that are captured one by one, and measured.
const MEASURED: u64 = 1_000;
/// The number that are captured together.
const TOGETHER: u64 = 5_000;
const QUESTIONS: u64 = 300;
const NOW: i64 = 1_800_000_000_000;

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    /// A word of 8,000, some far more frequent than others.
    fn word(&mut self) -> String {
        let one = self.below(8_000) + 1;
        let two = self.below(one) + 1;
        let mut number = self.below(two) * 7_919 + 17;
        let mut word = String::new();
        for _ in 0..3 {
            word.push(char::from(b"bdfgklmnprstvz"[(number % 14) as usize]));
            number /= 14;
            word.push(char::from(b"aeiou"[(number % 5) as usize]));
            number /= 5;
        }
        word
    }

    fn words(&mut self, count: u64) -> String {
        (0..count).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }
}

/// The next memory.
fn draft(dice: &mut Dice, n: u64) -> NewMemory {
    let words = 10 + dice.below(40);
    let draft = Draft {
        // Nine in ten belong to the project that is searched.
        project: Some(if dice.below(10) > 0 { "bench/large".into() } else { "bench/small".into() }),
        session: Some(format!("s{}", n / 25)),
        tags: vec![dice.word()],
        ..Draft::new(dice.words(words), Namespace::Context, Domain::Project)
    };
    draft.check(Secrets::Redact).unwrap()
}

pub(crate) fn measure(memories: u64, embedder: Option<&Embedder>) -> Value {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("memory.db");
    let mut store = SqliteStore::open(&path).unwrap();
    let mut dice = Dice(7);
    let (who, began) = (Actor::local_user(NOW), Instant::now());
    let last = memories.saturating_sub(MEASURED);
    for first in (0..last).step_by(usize::try_from(TOGETHER).unwrap()) {
        let all: Vec<_> =
            (first..last.min(first + TOGETHER)).map(|n| (draft(&mut dice, n), who.clone())).collect();
        store.capture_all(&all).unwrap();
        if first % 100_000 == 0 && first > 0 {
            eprintln!("{first} memories after {} s", began.elapsed().as_secs());
        }
    }
    let filled = began.elapsed().as_secs_f64();
    let mut captures = Vec::new();
    for n in last..memories {
        let checked = draft(&mut dice, n);
        let began = Instant::now();
        store.capture(&checked, &who).unwrap();
        captures.push(began.elapsed().as_secs_f64() * 1_000.0);
    }
    if let Some(embedder) = embedder {
        super::vectors::fill(&mut store, embedder);
    }
    let (mut searches, mut by_both) = (Vec::new(), Vec::new());
    for n in 0..QUESTIONS {
        let words = 2 + dice.below(5);
        let filter = if n % 3 == 0 { "since:7d" } else { "" };
        let asked = RecallRequest {
            query: Some(dice.words(words)),
            selection: Selection {
                scope: Scope::Project("bench/large".into()),
                filter: Filter::parse(filter, NOW + 1).unwrap(),
                now_ms: NOW + 1,
            },
            limit: 10,
            ..RecallRequest::default()
        };
        let once = |mode| {
            let began = Instant::now();
            recall(&store, &super::vectors::always(mode, asked.clone(), embedder)).unwrap();
            began.elapsed().as_secs_f64() * 1_000.0
        };
        // The quickest of three: what else the computer does meanwhile is not measured.
        let quickest = |mode| (0..3).map(|_| once(mode)).fold(f64::INFINITY, f64::min);
        searches.push(quickest(Mode::Text));
        if embedder.is_some() {
            by_both.push(quickest(Mode::Hybrid));
        }
    }
    let bytes = std::fs::metadata(&path).map_or(0, |meta| meta.len());
    let mut out = json!({
        "memories": memories,
        "filled_s": filled.round(),
        "mb": bytes / 1_000_000,
        "search_p50_ms": percentile(&searches, 50),
        "search_p95_ms": percentile(&searches, 95),
        "capture_p50_ms": percentile(&captures, 50),
        "capture_p95_ms": percentile(&captures, 95),
    });
    if embedder.is_some() {
        out["hybrid_p95_ms"] = percentile(&by_both, 95).into();
    }
    out
}

pub(crate) fn percentile(all: &[f64], percent: usize) -> f64 {
    let mut sorted = all.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
    (sorted.get(at).copied().unwrap_or(f64::NAN) * 100.0).round() / 100.0
}
