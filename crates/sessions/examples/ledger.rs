//! Measures the ledger and prints one JSON object: `cargo xtask bench ledger` runs it.
//!
//! Arguments: an empty folder to work in, and the number of calls (10,000,000). The calls are grouped in sessions:
//! one agent in one project for a while, with a few tools and filters, over two years.

use std::path::PathBuf;
use std::time::Instant;

use home::Home;
use plimsoll_sessions::{Class, Keep, LedgerRow, Sessions};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const DAY_MS: u64 = 86_400_000;
/// The last day with calls, in days since 1970.
const LAST_DAY: u64 = 20_500;
const DAYS: u64 = 730;
const CALLS_PER_SESSION: u64 = 250;
const AT_ONCE: usize = 100_000;

const AGENTS: [&str; 6] = ["claude-code", "codex", "cursor", "gemini-cli", "copilot-cli", "opencode"];
const TOOLS: [&str; 8] = ["Bash", "Bash", "Bash", "execute", "search", "batch", "index", "WebFetch"];

/// Numbers that are the same in every run (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end.max(1)
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        usize::try_from(self.below(choices.len() as u64))
            .ok()
            .and_then(|at| choices.get(at))
            .copied()
            .unwrap_or("")
    }
}

/// The calls of session number `n` of `sessions`.
fn session(n: u64, sessions: u64, calls: u64, dice: &mut Dice, rows: &mut Vec<LedgerRow>) {
    let start = (LAST_DAY - DAYS) * DAY_MS + n * DAYS * DAY_MS / sessions;
    let (agent, project) = (dice.of(&AGENTS), format!("/home/dana/projects/service-{:02}", dice.below(20)));
    for call in 0..calls {
        let tool = dice.of(&TOOLS);
        let raw = 200 + dice.below(60_000);
        let class = match tool {
            "search" => Class::None,
            "index" => Class::Estimated,
            _ => Class::Measured,
        };
        rows.push(LedgerRow {
            session: format!("{n:08x}-5b1e-4c8e-9d0f-2f6d1c0a7e44"),
            agent: agent.into(),
            project: project.clone(),
            tool: tool.into(),
            filter: if tool == "Bash" { format!("filter-{:02}", dice.below(12)) } else { String::new() },
            raw_bytes: raw,
            returned_bytes: raw / 20,
            class,
            ok: dice.below(40) > 0,
            overhead_bytes: if class == Class::None { raw / 20 } else { 0 },
            elapsed_us: 500 + dice.below(9_000),
            // About 45 minutes.
            at_ms: i64::try_from(start + call * 11_000).unwrap_or(i64::MAX),
            ..LedgerRow::default()
        });
    }
}

/// The median of nine runs, in milliseconds.
fn median_ms<T>(mut work: impl FnMut() -> Result<T>) -> Result<f64> {
    let mut times = Vec::new();
    for _ in 0..9 {
        let started = Instant::now();
        std::hint::black_box(work()?);
        times.push(started.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().ok_or_else(|| "there are nine".into())
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("usage: ledger FOLDER [CALLS]")?);
    let wanted: u64 = arguments.next().map_or(Ok(10_000_000), |text| text.parse())?;
    let home = Home::at(&folder);
    home.ensure()?;
    let mut sessions = Sessions::open(&home, &[])?;
    let (mut dice, mut rows, count) =
        (Dice(7), Vec::with_capacity(AT_ONCE), wanted.div_ceil(CALLS_PER_SESSION));
    let filling = Instant::now();
    for n in 0..count {
        let calls = CALLS_PER_SESSION.min(wanted - n * CALLS_PER_SESSION);
        session(n, count, calls, &mut dice, &mut rows);
        if rows.len() + 250 > AT_ONCE || n + 1 == count {
            sessions.ledger_many(&rows)?;
            rows.clear();
        }
    }
    let filling_us = filling.elapsed().as_secs_f64() * 1e6 / wanted as f64;
    drop(sessions);
    let bytes = std::fs::metadata(home.main_db())?.len();

    let mut sessions = Sessions::open(&home, &[])?;
    let end = i64::try_from(LAST_DAY * DAY_MS)?;
    let day = i64::try_from(DAY_MS)?;
    // A user in India: midnight is at half past an hour of UTC.
    let offset = 5 * 3_600_000 + 1_800_000;
    let all = median_ms(|| Ok(sessions.stats(0)?))?;
    let today = median_ms(|| Ok(sessions.stats(end - day - offset)?))?;
    let week = median_ms(|| Ok(sessions.stats(end - 7 * day - offset)?))?;
    let odd = median_ms(|| Ok(sessions.stats(end - 395 * day - 7 * 3_600_000)?))?;
    let days_30 = median_ms(|| Ok(sessions.days(end - 30 * day - offset, offset)?))?;
    let days_all = median_ms(|| Ok(sessions.days(0, 0)?))?;
    let days_odd = median_ms(|| Ok(sessions.days(0, offset)?))?;

    let plain = rusqlite::Connection::open(home.main_db())?;
    let sum = Instant::now();
    let (counted, kept_out): (i64, f64) = plain.query_row(
        "SELECT count(*), total(CASE WHEN ok AND class = 1 THEN raw_bytes - returned_bytes ELSE 0 END) FROM ledger",
        [],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let sum_ms = sum.elapsed().as_secs_f64() * 1e3;
    let sums_rows: i64 = plain.query_row("SELECT count(*) FROM ledger_sums", [], |row| row.get(0))?;
    drop(plain);
    let totals = sessions.stats(0)?.totals;
    let agree =
        totals.calls == counted.unsigned_abs() && (totals.measured_bytes as f64 - kept_out).abs() < 1.0;

    // One call on its own, as a server writes it, including the transaction.
    let mut one = Vec::new();
    session(count, count, CALLS_PER_SESSION, &mut dice, &mut one);
    let inserting = Instant::now();
    for row in &one {
        sessions.ledger(row)?;
    }
    let insert_us = inserting.elapsed().as_secs_f64() * 1e6 / one.len() as f64;

    // The same row without its totals, as the baseline.
    let plain = rusqlite::Connection::open(home.main_db())?;
    plain.pragma_update(None, "synchronous", "NORMAL")?;
    let copying = Instant::now();
    for _ in &one {
        plain.execute(
            "INSERT INTO ledger SELECT NULL, session, agent, project, tool, raw_bytes, returned_bytes,
            class, ok, overhead_bytes, elapsed_us, at_ms, filter, tokens_raw, tokens_returned, tokenizer
            FROM ledger WHERE id = 1",
            [],
        )?;
    }
    let plain_insert_us = copying.elapsed().as_secs_f64() * 1e6 / one.len() as f64;
    drop(plain);

    // Retention: what a user keeps at most. The totals stay unchanged.
    let before = sessions.stats(0)?;
    let forgetting = Instant::now();
    sessions.forget(Keep { calls: 500_000, ..Keep::default() })?;
    let forget_s = forgetting.elapsed().as_secs_f64();
    let same = sessions.stats(0)? == before;
    let after = median_ms(|| Ok(sessions.stats(0)?))?;
    drop(sessions);
    let plain = rusqlite::Connection::open(home.main_db())?;
    plain.execute_batch("VACUUM")?;
    drop(plain);
    let kept_bytes = std::fs::metadata(home.main_db())?.len();

    let report = serde_json::json!({
        "calls": wanted, "fill_us_per_row": filling_us, "insert_us": insert_us,
        "plain_insert_us": plain_insert_us, "bytes": bytes,
        "all_ms": all, "today_ms": today, "week_ms": week, "thirteen_months_ms": odd, "days_30_ms": days_30,
        "days_all_ms": days_all, "days_odd_ms": days_odd, "plain_sum_ms": sum_ms, "sums_rows": sums_rows, "agree": agree,
        "forget_s": forget_s, "same_after_forgetting": same, "all_after_ms": after, "kept_bytes": kept_bytes,
    });
    #[expect(clippy::print_stdout, reason = "its one result")]
    {
        println!("{report}");
    }
    Ok(())
}
