//! Figures of an organisation's server, a real one that is filled for it: `org [ROWS]` prints one JSON object. How long searches,
//! captures and the exchange take, and what tables and indexes take on the disk.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a program for developers")]

use std::time::{Duration, Instant};

use plimsoll_memory::domain::{Domain, Namespace};
use plimsoll_memory::query::{Filter, Scope, Selection};
use plimsoll_memory::recall::{RecallRequest, recall};
use plimsoll_memory::store::{Actor, Draft, PgStore, Role, Secrets, Server, Store};
use postgres::{Postgres, SUPERUSER};
use serde_json::{Value, json};

const ROWS: u64 = 20_000;
const PROJECTS: u64 = 100;
const SEARCHES: u64 = 200;
const CAPTURES: u64 = 200;
const NOW: i64 = 1_800_000_000_000;
const WITHIN: Duration = Duration::from_secs(600);

/// Some words far more frequent than others, of 20,000.
const WORD: &str = "'w' || translate(to_hex(17 + 7919 * floor(20000 * random() * random() * random())::bigint), '0123456789abcdef', 'bdfgklmnprstvzae')";

fn main() {
    let rows = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(ROWS);
    let report =
        Postgres::with("shared_buffers=1GB maintenance_work_mem=512MB max_wal_size=2GB work_mem=32MB")
            .map_or_else(
                || json!({"no_server": "PostgreSQL is not installed"}),
                |server| measure(&server, rows),
            );
    println!("{report}");
}

fn store(server: &Postgres, user: &str) -> PgStore {
    PgStore::open(&Server::parse(&server.url(user, "bench")).unwrap(), WITHIN).unwrap()
}

fn measure(server: &Postgres, rows: u64) -> Value {
    server.make("bench", &["ana", "bo"]);
    let owner = Server::parse(&server.url(SUPERUSER, "bench")).unwrap();
    let (mut owner, _) = PgStore::init(&owner, WITHIN).unwrap();
    owner.grant("ana", "*", Role::Writer).unwrap();
    owner.grant("bo", "bench/p7", Role::Writer).unwrap();
    let began = Instant::now();
    fill(server, rows);
    let filled = began.elapsed();
    let mut report = json!({"rows": rows, "filled_s": filled.as_secs()});
    for (who, key) in [("ana", "everywhere"), ("bo", "one_project")] {
        let found = searches(server, &store(server, who));
        report[format!("search_{key}_p50_ms")] = percentile(&found, 50);
        report[format!("search_{key}_p95_ms")] = percentile(&found, 95);
    }
    let captured = captures(&mut store(server, "bo"));
    report["capture_p50_ms"] = percentile(&captured, 50);
    report["capture_p95_ms"] = percentile(&captured, 95);
    let there = store(server, "bo");
    let began = Instant::now();
    let newest = there.newest("bench/p7", 2_000).unwrap().len();
    report["first_look_ms"] = rounded(began.elapsed().as_secs_f64() * 1e3);
    report["first_look_memories"] = newest.into();
    let from = there.now().unwrap();
    let began = Instant::now();
    let _ = there.since("bench/p7", from).unwrap();
    report["nothing_new_ms"] = rounded(began.elapsed().as_secs_f64() * 1e3);
    let sizes = server.sql(
        "bench",
        "SELECT c.relname || '=' || pg_table_size(c.oid) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = 'plimsoll' AND c.relname LIKE 'memories%' AND c.relkind IN ('r', 'i') ORDER BY 1",
    );
    for line in sizes.lines() {
        if let Some((name, bytes)) = line.split_once('=') {
            report["bytes"][name] = bytes.parse::<u64>().unwrap_or(0).into();
        }
    }
    report
}

/// Fills the tables as fast as the server can: the indexes of words are made afterwards, as after a restored backup.
fn fill(server: &Postgres, rows: u64) {
    let indexes = server.sql(
        "bench",
        "SELECT indexdef || ';' FROM pg_indexes WHERE schemaname = 'plimsoll' AND indexdef LIKE '%USING gin%'",
    );
    let _ = server
        .sql("bench", "DROP INDEX plimsoll.memories_own, plimsoll.memories_around, plimsoll.memories_near");
    let sql = format!(
        "CREATE UNLOGGED TABLE made AS SELECT n, (SELECT string_agg({WORD}, ' ') FROM generate_series(1, 10 + (n * 7919 % 40)::int)) AS text
             FROM generate_series(1::bigint, {rows}) AS n;
         INSERT INTO plimsoll.memories (id, place, namespace, domain, status, project, created_ms, thread, session, trust, version,
             updated_ms, hash, tags, content, own, around)
         SELECT left(md5(n::text), 20), 'bench/p' || n / 25 % {PROJECTS}, 'context', 'project', 'active', 'bench/p' || n / 25 % {PROJECTS},
             {NOW} - ({rows} - n) * 1000, n / 25, 's' || n / 25, 'agent', 1, {NOW} - ({rows} - n) * 1000, decode(md5(text), 'hex'),
             ARRAY[split_part(text, ' ', 1)], text,
             setweight(to_tsvector('plimsoll.words', text), 'A') || setweight(to_tsvector('plimsoll.words', split_part(text, ' ', 1)), 'B'),
             setweight(to_tsvector('plimsoll.words', coalesce(lag(text) OVER near, '')), 'B')
                 || setweight(to_tsvector('plimsoll.words', coalesce(lead(text) OVER near, '')), 'C')
                 || setweight(to_tsvector('plimsoll.words', coalesce(lag(text, 2) OVER near, '') || ' ' || coalesce(lead(text, 2) OVER near, '')), 'D')
         FROM made WINDOW near AS (PARTITION BY n / 25 ORDER BY n);
         {indexes}
         DROP TABLE made; ANALYZE plimsoll.memories"
    );
    let _ = server.sql("bench", &sql);
}

fn searches(server: &Postgres, store: &PgStore) -> Vec<f64> {
    let words = server.sql(
        "bench",
        &format!(
            "SELECT (SELECT string_agg({WORD}, ' ') FROM generate_series(1, 2 + (n % 4)::int)) FROM generate_series(1, {SEARCHES}) AS n"
        ),
    );
    let ask = |query: &str| {
        let asked = RecallRequest {
            query: Some(query.to_owned()),
            selection: Selection {
                scope: Scope::Project("bench/p7".into()),
                filter: Filter::default(),
                now_ms: NOW + 1,
            },
            limit: 10,
            ..RecallRequest::default()
        };
        let began = Instant::now();
        recall(store, &asked).unwrap();
        began.elapsed().as_secs_f64() * 1e3
    };
    // The cache state of a server in use.
    for query in words.lines().take(20) {
        ask(query);
    }
    words.lines().map(ask).collect()
}

fn captures(store: &mut PgStore) -> Vec<f64> {
    (0..CAPTURES)
        .map(|n| {
            let draft = Draft {
                project: Some("bench/p7".into()),
                session: Some(format!("new{}", n / 25)),
                ..Draft::new(
                    format!(
                        "Decision {n}: the {n}th service owns what it numbers, and nobody else writes there"
                    ),
                    Namespace::Decisions,
                    Domain::Project,
                )
            };
            let checked = draft.check(Secrets::Redact).unwrap();
            let began = Instant::now();
            store.capture(&checked, &Actor::local_user(NOW)).unwrap();
            began.elapsed().as_secs_f64() * 1e3
        })
        .collect()
}

fn percentile(all: &[f64], percent: usize) -> Value {
    let mut sorted = all.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
    rounded(sorted.get(at).copied().unwrap_or(0.0))
}

fn rounded(ms: f64) -> Value {
    ((ms * 10.0).round() / 10.0).into()
}
