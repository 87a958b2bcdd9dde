//! Measures indexing and searching and prints one JSON object: milliseconds and the ratio of database to text, each beside
//! its goal. Run with `cargo run --release -p plimsoll-knowledge --example bench`; with `--check` it fails if a goal is
//! missed.
#![expect(clippy::print_stdout, reason = "its output is its purpose")]
#![expect(clippy::expect_used, reason = "a measurement that cannot run has nothing to report")]

use std::time::Instant;

use plimsoll_knowledge::{NewSource, SearchRequest, SourceKind, Store};

#[path = "../tests/it/common.rs"]
#[expect(dead_code, reason = "only the generator of documents is used here")]
mod common;

const QUERIES: &[&str] = &[
    "retry backoff",
    "error",
    "the value returns",
    "quorum lease election",
    "bloom_filter",
    "snapshotIsolation",
    "\"cache index\"",
    "transaction isolation checkpoint vacuum",
    "compactoin",
    "zebra unicorn cache",
    "ombston",
];

/// How many runs each measurement averages: the system's processor clock is coarse.
const ROUNDS: u32 = 25;

fn index(store: &mut Store, label: &str, content: &str) {
    let new = NewSource {
        label,
        kind: SourceKind::Text,
        origin: None,
        session: None,
        agent: None,
        content,
        format: None,
        now_ms: 1,
    };
    store.index_text(new).expect("index");
}

/// This thread's processor time in milliseconds. Where the system tells it (Linux), time spent waiting for the processor
/// doesn't count; elsewhere it is the elapsed time.
fn worked_ms(start: Instant) -> f64 {
    let cpu = std::fs::read_to_string("/proc/thread-self/schedstat");
    let nanos = cpu.ok().and_then(|s| s.split(' ').next().and_then(|n| n.parse::<f64>().ok()));
    nanos.map_or(start.elapsed().as_secs_f64() * 1e3, |n| n / 1e6)
}

/// The median and maximum over all queries, in milliseconds.
fn search_times(store: &Store) -> (f64, f64, Vec<serde_json::Value>) {
    let start = Instant::now();
    let mut medians = Vec::new();
    let mut rows = Vec::new();
    for query in QUERIES {
        let request = SearchRequest { queries: vec![(*query).to_owned()], ..SearchRequest::default() };
        let reply = store.search(&request).expect("search");
        let before = worked_ms(start);
        for _ in 0..ROUNDS {
            store.search(&request).expect("search");
        }
        let ms = (worked_ms(start) - before) / f64::from(ROUNDS);
        medians.push(ms);
        let found = &reply.per_query[0];
        rows.push(serde_json::json!({ "query": query, "ms": round(ms), "total": found.total, "corrected": found.corrected }));
    }
    medians.sort_by(f64::total_cmp);
    (medians[medians.len() / 2], medians[medians.len() - 1], rows)
}

fn round(ms: f64) -> f64 {
    (ms * 100.0).round() / 100.0
}

fn fill(store: &mut Store, chunks: u64, seed: u64) -> usize {
    let mut bytes = 0;
    let mut n = 0;
    while store.stats().expect("stats").chunks < chunks {
        n += 1;
        let text = common::markdown(400_000, seed + n);
        bytes += text.len();
        index(store, &format!("doc {seed} {n}"), &text);
    }
    bytes
}

fn main() {
    let start = Instant::now();
    let dir = tempfile::tempdir().expect("temp dir");
    let mut index_ms = 0.0;
    for n in 0..ROUNDS {
        let mut store = Store::open(&dir.path().join(format!("index{n}.db"))).expect("open");
        let text = common::markdown(237_000, 100 + u64::from(n));
        let before = worked_ms(start);
        index(&mut store, "doc", &text);
        index_ms += (worked_ms(start) - before) / f64::from(ROUNDS);
    }

    let mut store = Store::open(&dir.path().join("search.db")).expect("open");
    let small_bytes = fill(&mut store, 5_000, 1_000);
    let small = search_times(&store);
    let big_bytes = small_bytes + fill(&mut store, 100_000, 2_000);
    let big = search_times(&store);
    let stats = store.stats().expect("stats");
    let ratio = stats.database_bytes as f64 / big_bytes as f64;

    let report = serde_json::json!({
        "index_237k_ms": round(index_ms), "index_237k_goal_ms": 30,
        "search_5k_median_ms": round(small.0), "search_5k_worst_ms": round(small.1), "search_5k_goal_ms": 3,
        "search_100k_median_ms": round(big.0), "search_100k_worst_ms": round(big.1), "search_100k_goal_ms": 15,
        "database_ratio": round(ratio), "database_ratio_goal": 3,
        "chunks": stats.chunks, "text_bytes": big_bytes,
        "queries_5k": small.2, "queries_100k": big.2,
    });
    println!("{report:#}");
    let missed = index_ms > 30.0 || small.0 > 3.0 || big.0 > 15.0 || ratio > 3.0;
    if missed && std::env::args().any(|a| a == "--check") {
        std::process::exit(1);
    }
}
