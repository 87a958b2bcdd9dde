//! Measures indexing and search times on a large project: all repositories of the set, several times over.

use std::path::Path;
use std::time::Instant;

use plimsoll_code::search::{Reader, Refreshed, Request, search};
use plimsoll_code::{Options, Store, freshness, update, update_only};
use serde_json::{Value, json};

use crate::learn::Set;

const CHUNKS: u64 = 100_000;

pub(crate) fn measure(repos: &[std::path::PathBuf], scratch: &Path, sets: &[Set]) -> Value {
    let root = scratch.join("large");
    let mut store = Store::open(&scratch.join("large.db")).unwrap();
    let options = || Options { now_ns: i64::MAX, ..Options::default() };
    let mut cold = json!(null);
    let mut copies = 0;
    while store.stats().unwrap().chunks < CHUNKS && copies < 40 {
        let before = store.stats().unwrap();
        for repo in repos {
            copy(repo, &root.join(format!("copy{copies}")).join(repo.file_name().unwrap()));
        }
        copies += 1;
        let (began, cpu) = (Instant::now(), cpu_seconds());
        update(&mut store, &root, &options()).unwrap();
        let cpu = cpu_seconds() - cpu;
        let (took, after) = (began.elapsed().as_secs_f64(), store.stats().unwrap());
        if copies == 1 {
            let files = (after.files - before.files) as f64;
            cold = json!({"files": files, "lines": after.lines, "seconds": round(took), "cpu_seconds": round(cpu), "seconds_per_1000_files": round(took * 1000.0 / files)});
        }
    }
    let stats = store.stats().unwrap();
    let changed = first_file(&store);
    let (mut changes, mut seen, mut read) = (Vec::new(), Vec::new(), Vec::new());
    // The writer is another process.
    let asked = Store::open_read_only(store.path()).unwrap().unwrap();
    let mut reader = Reader::open(&asked).unwrap();
    let cpu_before = cpu_seconds();
    for n in 0..12 {
        let mut text = std::fs::read_to_string(root.join(&changed)).unwrap();
        text.push_str(&format!("\n// change {n}\n"));
        std::fs::write(root.join(&changed), text).unwrap();
        // As a query does it: find what changed, update the index, refresh the reader.
        let began = Instant::now();
        let found = freshness::changes(&reader, &root);
        seen.push(began.elapsed().as_secs_f64() * 1e3);
        assert_eq!(found.changed, [changed.as_str()]);
        update_only(&mut store, &root, &found.changed, &options()).unwrap();
        read.push(began.elapsed().as_secs_f64() * 1e3);
        assert_eq!(reader.refresh(&asked).unwrap(), Refreshed::Files(1));
        changes.push(began.elapsed().as_secs_f64() * 1e3);
    }
    let change_cpu = (cpu_seconds() - cpu_before) * 1e3 / changes.len() as f64;
    let mut all = Vec::new();
    for n in 0..5 {
        let mut text = std::fs::read_to_string(root.join(&changed)).unwrap();
        text.push_str(&format!("\n// once more {n}\n"));
        std::fs::write(root.join(&changed), text).unwrap();
        let began = Instant::now();
        update(&mut store, &root, &options()).unwrap();
        all.push(began.elapsed().as_secs_f64() * 1e3);
    }
    let began = Instant::now();
    let reader = Reader::open(&store).unwrap();
    let opened = began.elapsed().as_secs_f64() * 1e3;
    let mut times = Vec::new();
    let cpu_before = cpu_seconds();
    for _ in 0..3 {
        for q in sets.iter().flat_map(|s| &s.questions) {
            let request = Request { query: q.query.clone(), limit: 5, ..Request::default() };
            let began = Instant::now();
            let _ = search(&store, &reader, &request);
            times.push(began.elapsed().as_secs_f64() * 1e3);
        }
    }
    let query_cpu = (cpu_seconds() - cpu_before) * 1e3 / times.len() as f64;
    json!({
        "cold": cold,
        "chunks": stats.chunks, "files": stats.files, "lines": stats.lines, "database_mb": round(stats.database_bytes as f64 / 1e6),
        "changed_file_ms": {"median": at(&mut changes, 0.5), "worst": at(&mut changes, 1.0), "cpu_mean": round(change_cpu), "until_seen": at(&mut seen, 0.5), "until_read": at(&mut read, 0.5), "by_a_walk": at(&mut all, 0.5)},
        "open_reader_ms": round(opened),
        "query_ms": {"median": at(&mut times, 0.5), "p95": at(&mut times, 0.95), "worst": at(&mut times, 1.0), "cpu_mean": round(query_cpu)},
        "memory_mb": memory(),
    })
}

/// A file of ordinary size, the same in each run.
fn first_file(store: &Store) -> String {
    let reader = Reader::open(store).unwrap();
    let ordinary = |f: &&plimsoll_code::search::File| (300..3000).contains(&f.lines) && f.importers > 0;
    reader.files().iter().find(ordinary).unwrap_or(&reader.files()[0]).path.clone()
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let kind = entry.file_type().unwrap();
        let target = to.join(entry.file_name());
        if kind.is_dir() && entry.file_name() != ".git" {
            copy(&entry.path(), &target);
        } else if kind.is_file() {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn at(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let i = ((values.len() as f64 - 1.0) * share).round() as usize;
    round(values.get(i).copied().unwrap_or(f64::NAN))
}

fn round(x: f64) -> f64 {
    (x * 100.0).round() / 100.0
}

/// This process's memory now and at its peak, where the system reports it.
fn memory() -> Value {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let field = |name: &str| {
        let line = status.lines().find(|l| l.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse::<f64>().ok().map(|kb| (kb / 1024.0).round())
    };
    json!({"now": field("VmRSS"), "most": field("VmHWM")})
}

/// The CPU time of all threads of this process, where the system reports it: a measure that other load doesn't
/// change.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<f64> =
        stat.rsplit(')').next().unwrap_or("").split_whitespace().map(|f| f.parse().unwrap_or(0.0)).collect();
    (fields.get(11).unwrap_or(&0.0) + fields.get(12).unwrap_or(&0.0)) / 100.0
}
