//! The ledger's totals are those of its rows, whatever is recorded, deleted or imported.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use home::Home;
use plimsoll_sessions::{
    Class, Day, ESTIMATE, Group, Keep, LedgerFilter, LedgerRow, NOTE, NewEvent, Note, Page, RecordScope,
    Sessions, Stats, TOOL_LIST, Totals, append_notes,
};
use proptest::prelude::*;

const QUARTER: i64 = 900_000;
const HOUR: i64 = 4 * QUARTER;
const DAY: i64 = 24 * HOUR;
const NOW: i64 = 20_000 * DAY + 5_000;

fn scratch() -> (tempfile::TempDir, Home, Sessions) {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path().join("plimsoll"));
    let sessions = Sessions::open(&home, &[]).unwrap();
    (dir, home, sessions)
}

/// A call as it is read back: with its tokens.
fn any_row() -> impl Strategy<Value = LedgerRow> {
    let who = (0..3usize, 0..3usize, 0..3usize, 0..4usize, 0..4usize, 0..3usize);
    let what = (0..3usize, any::<bool>(), 0..1u64 << 40, 0..1u64 << 40, 0..1u64 << 20, 0..1u64 << 20);
    // Clustered around a few times, so that quarter-hours, days and 32 days are shared and boundaries are hit.
    let when = prop_oneof![
        (-40..40i64).prop_map(|days| NOW + days * DAY),
        (-200..200i64, -2..2i64).prop_map(|(quarters, more)| 20_000 * DAY + quarters * QUARTER + more),
        (0..700i64).prop_map(|days| 20_000 * DAY - days * DAY - 1),
    ];
    (who, what, when).prop_map(|(who, what, at_ms)| {
        let (session, agent, project, tool, filter, tokenizer) = who;
        let (class, ok, raw_bytes, returned_bytes, overhead_bytes, elapsed_us) = what;
        let tokenizer = ["", "o200k_base", "plimsoll-4b"][tokenizer];
        let tokens = |bytes: u64| if tokenizer.is_empty() { 0 } else { bytes / 3 };
        LedgerRow {
            session: format!("s{session}"),
            call: String::new(),
            agent: ["codex", "kiro", ""][agent].into(),
            project: ["/w/shop", "/w/ü", ""][project].into(),
            tool: ["execute", "Bash", NOTE, "search"][tool].into(),
            filter: ["", "", "git-log", "cargo-test"][filter].into(),
            class: [Class::None, Class::Measured, Class::Estimated][class],
            tokens_raw: tokens(raw_bytes),
            tokens_returned: tokens(returned_bytes),
            tokenizer: tokenizer.into(),
            ok,
            raw_bytes,
            returned_bytes,
            overhead_bytes,
            elapsed_us,
            at_ms,
        }
    })
}

fn recorded(sessions: &Sessions) -> Vec<LedgerRow> {
    sessions.calls_after(0, i64::MIN, u32::MAX).unwrap().into_iter().map(|call| call.row).collect()
}

fn by(rows: &[LedgerRow], name: impl Fn(&LedgerRow) -> &str) -> BTreeMap<String, Totals> {
    let mut groups: BTreeMap<String, Vec<&LedgerRow>> = BTreeMap::new();
    for row in rows {
        groups.entry(name(row).to_owned()).or_default().push(row);
    }
    groups.into_iter().map(|(name, rows)| (name, Totals::of(rows))).collect()
}

fn by_group(groups: &[Group]) -> BTreeMap<String, Totals> {
    groups.iter().map(|group| (group.name.clone(), group.totals)).collect()
}

fn steps(rows: &[LedgerRow], offset: i64, step: i64) -> Vec<Day> {
    let mut steps: BTreeMap<i64, Vec<&LedgerRow>> = BTreeMap::new();
    for row in rows {
        steps.entry((row.at_ms + offset).div_euclid(step) * step - offset).or_default().push(row);
    }
    steps.into_iter().map(|(start_ms, rows)| Day { start_ms, totals: Totals::of(rows) }).collect()
}

/// Checks that all figures since `since` match `rows`.
fn agree(sessions: &Sessions, rows: &[LedgerRow], since: i64, offset: i64) -> Result<(), TestCaseError> {
    let stats: Stats = sessions.stats(since).unwrap();
    let first = since.max(0) / QUARTER * QUARTER;
    let rows: Vec<LedgerRow> = rows.iter().filter(|row| row.at_ms >= first).cloned().collect();
    prop_assert_eq!(stats.totals, Totals::of(&rows));
    prop_assert_eq!(sessions.total(since).unwrap(), stats.totals);
    prop_assert_eq!(by_group(&stats.by_agent), by(&rows, |row| &row.agent));
    prop_assert_eq!(by_group(&stats.by_tool), by(&rows, |row| &row.tool));
    prop_assert_eq!(by_group(&stats.by_project), by(&rows, |row| &row.project));
    prop_assert_eq!(by_group(&stats.by_tokenizer), by(&rows, |row| &row.tokenizer));
    let mut filters = by(&rows, |row| &row.filter);
    filters.remove("");
    prop_assert_eq!(by_group(&stats.by_filter), filters);
    prop_assert_eq!(sessions.days(since, offset).unwrap(), steps(&rows, offset, DAY));
    prop_assert_eq!(sessions.hours(since, offset).unwrap(), steps(&rows, offset, HOUR));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sums_are_those_of_the_rows_also_when_rows_are_gone(
        rows in proptest::collection::vec(any_row(), 1..40),
        since in prop_oneof![Just(0), Just(i64::MIN), (19_300 * 96..20_050 * 96i64).prop_map(|q| q * QUARTER)],
        offset in -56..=56i64,
        age in 0..800i64,
        most in 0..30u32,
    ) {
        let (_dir, _home, mut sessions) = scratch();
        // Some in one transaction, some on their own.
        let (many, single) = rows.split_at(rows.len() / 2);
        sessions.ledger_many(many).unwrap();
        for row in single {
            sessions.ledger(row).unwrap();
        }
        let whole = recorded(&sessions);
        prop_assert_eq!(whole.len(), rows.len());
        let offset = offset * QUARTER;
        agree(&sessions, &whole, since, offset)?;
        // Rows expire by age and by number without affecting any total.
        let keep = Keep { since_ms: NOW - age * DAY, calls: most, ..Keep::default() };
        let gone = sessions.forget(keep).unwrap().calls;
        let left = recorded(&sessions);
        prop_assert_eq!(left.len() + gone, whole.len());
        prop_assert!(left.len() <= most as usize && left.iter().all(|row| row.at_ms >= keep.since_ms));
        agree(&sessions, &whole, since, offset)?;
        // What the user deletes is subtracted, as far as its rows still exist.
        sessions.forget_session("codex", "s1").unwrap();
        let is_forgotten = |row: &&LedgerRow| row.agent == "codex" && row.session == "s1";
        let mut rest = whole;
        for forgotten in left.iter().filter(is_forgotten) {
            let at = rest.iter().position(|row| row == forgotten).unwrap();
            rest.remove(at);
        }
        agree(&sessions, &rest, since, offset)?;
        // So is what is purged; purging everything also removes the totals of expired rows.
        let kept = recorded(&sessions);
        sessions.forget_records(&RecordScope::Session("s2".into())).unwrap();
        for gone in kept.iter().filter(|row| row.session == "s2") {
            let at = rest.iter().position(|row| row == gone).unwrap();
            rest.remove(at);
        }
        agree(&sessions, &rest, since, offset)?;
        sessions.forget_records(&RecordScope::All).unwrap();
        prop_assert!(recorded(&sessions).is_empty());
        agree(&sessions, &[], since, offset)?;
    }

    #[test]
    fn a_database_of_an_earlier_version_keeps_its_sums(
        rows in proptest::collection::vec(any_row(), 0..30),
        days in proptest::collection::btree_map((0..60i64, 0..3usize, 0..3usize), (1..9i64, 0..9i64, -999..9_999i64, -99..999i64, 0..99i64), 0..12),
        since_day in 19_940..20_010i64,
        more in any_row(),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("plimsoll"));
        home.ensure().unwrap();
        let old = rusqlite::Connection::open(home.main_db()).unwrap();
        old.execute_batch(include_str!("fixtures/schema-2.sql")).unwrap();
        for row in &rows {
            old.execute(
                "INSERT INTO ledger (session, agent, project, tool, raw_bytes, returned_bytes, class, ok,
                   overhead_bytes, elapsed_us, at_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
                rusqlite::params![row.session, row.agent, row.project, row.tool,
                    i64::try_from(row.raw_bytes).unwrap(), i64::try_from(row.returned_bytes).unwrap(),
                    match row.class { Class::None => 0, Class::Measured => 1, Class::Estimated => 2 }, row.ok,
                    i64::try_from(row.overhead_bytes).unwrap(), i64::try_from(row.elapsed_us).unwrap(), row.at_ms],
            ).unwrap();
        }
        let mut gone = Totals::default();
        let since = since_day * DAY;
        for ((day, agent, tool), (calls, failed, measured, estimated, overhead)) in &days {
            let day_ms = (20_000 - day) * DAY;
            old.execute(
                "INSERT INTO ledger_days (day_ms, agent, project, tool, calls, failed, raw_bytes, returned_bytes,
                   measured_bytes, estimated_bytes, overhead_bytes, elapsed_us)
                 VALUES (?1, ?2, '/w/shop', ?3, ?4, ?5, 7, 3, ?6, ?7, ?8, 2)",
                rusqlite::params![day_ms, ["codex", "kiro", ""][*agent], ["execute", "Bash", "search"][*tool],
                    calls, failed, measured, estimated, overhead],
            ).unwrap();
            if day_ms >= since {
                gone.calls += u64::try_from(*calls).unwrap();
                gone.failed += u64::try_from(*failed).unwrap();
                gone.raw_bytes += 7;
                gone.returned_bytes += 3;
                gone.measured_bytes += measured;
                gone.estimated_bytes += estimated;
                gone.overhead_bytes += u64::try_from(*overhead).unwrap();
                gone.elapsed_us += 2;
                gone.estimated_tokens += measured / 4;
            }
        }
        old.execute("INSERT INTO events (session, agent, project, kind, summary, decision, elapsed_us, at_ms)
            VALUES ('s', 'codex', '', 'pre_tool', 'x', 'deny', 9, ?1)", [NOW]).unwrap();
        drop(old);
        let mut sessions = Sessions::open(&home, &[]).unwrap();
        let stats = sessions.stats(0).unwrap();
        prop_assert_eq!((stats.decisions, stats.event_us), (vec![("deny".to_owned(), 1)], 9));
        sessions.ledger(&more).unwrap();
        let now = recorded(&sessions);
        prop_assert_eq!(now.len(), rows.len() + 1);
        prop_assert!(now.iter().take(rows.len()).all(|row| row.tokenizer == ESTIMATE));
        for period in [0, since] {
            let printed = sessions.stats(period).unwrap();
            let mut wanted = Totals::of(now.iter().filter(|row| row.at_ms >= period));
            if period == since {
                plus(&mut wanted, &gone);
                prop_assert_eq!(printed.totals, wanted);
            }
            for groups in [&printed.by_agent, &printed.by_tool, &printed.by_project, &printed.by_tokenizer] {
                let mut parts = Totals::default();
                groups.iter().for_each(|group| plus(&mut parts, &group.totals));
                prop_assert_eq!(parts, printed.totals);
            }
            let mut parts = Totals::default();
            sessions.days(period, 0).unwrap().iter().for_each(|day| plus(&mut parts, &day.totals));
            prop_assert_eq!(parts, printed.totals);
        }
    }
}

fn plus(all: &mut Totals, more: &Totals) {
    all.calls += more.calls;
    all.failed += more.failed;
    all.raw_bytes += more.raw_bytes;
    all.returned_bytes += more.returned_bytes;
    all.measured_bytes += more.measured_bytes;
    all.estimated_bytes += more.estimated_bytes;
    all.overhead_bytes += more.overhead_bytes;
    all.net_bytes += more.measured_bytes - i64::try_from(more.overhead_bytes).unwrap();
    all.elapsed_us += more.elapsed_us;
    all.measured_tokens += more.measured_tokens;
    all.estimated_tokens += more.estimated_tokens;
}

fn row(tool: &str) -> LedgerRow {
    LedgerRow {
        session: "s".into(),
        agent: "codex".into(),
        project: "/w/shop".into(),
        tool: tool.into(),
        ok: true,
        at_ms: NOW,
        ..LedgerRow::default()
    }
}

fn prompt(session: &str, at_ms: i64) -> NewEvent {
    NewEvent {
        session: session.into(),
        agent: "codex".into(),
        kind: "prompt".into(),
        summary: "go on".into(),
        decision: "pass".into(),
        at_ms,
        ..NewEvent::default()
    }
}

#[test]
fn tokens_are_counted_or_estimated_and_never_added_up() {
    let (_dir, _home, mut sessions) = scratch();
    let saved = LedgerRow { raw_bytes: 4_001, returned_bytes: 400, class: Class::Measured, ..row("execute") };
    sessions.ledger(&saved).unwrap();
    let counted = LedgerRow {
        tokens_raw: 900,
        tokens_returned: 100,
        tokenizer: "o200k_base".into(),
        filter: "git-log".into(),
        ..saved.clone()
    };
    sessions.ledger(&counted).unwrap();
    // Estimated bytes give no tokens at all, nor do failed calls.
    sessions.ledger(&LedgerRow { class: Class::Estimated, ..counted.clone() }).unwrap();
    sessions.ledger(&LedgerRow { ok: false, ..counted }).unwrap();
    let stats = sessions.stats(0).unwrap();
    assert_eq!((stats.totals.measured_tokens, stats.totals.estimated_tokens), (800, 901));
    let names: Vec<&str> = stats.by_tokenizer.iter().map(|group| group.name.as_str()).collect();
    assert_eq!(names, ["o200k_base", ESTIMATE]);
    assert_eq!(
        (stats.by_filter[0].totals.raw_bytes, stats.by_filter[0].totals.returned_bytes),
        (12_003, 1_200)
    );
    let filter = LedgerFilter { filter: Some("git-log".into()), ..LedgerFilter::default() };
    assert_eq!(sessions.calls(&filter, Page::default()).unwrap().total, 3);
}

#[test]
fn the_tool_list_costs_once_a_turn_whenever_it_becomes_known() {
    for before in [0, 1, 3] {
        let (_dir, _home, mut sessions) = scratch();
        for turn in 0..before {
            sessions.record(&prompt("s", NOW + turn)).unwrap();
        }
        sessions.ledger(&LedgerRow { overhead_bytes: 1_900, ..row(TOOL_LIST) }).unwrap();
        for turn in before..5 {
            sessions.record(&prompt("s", NOW + turn)).unwrap();
        }
        let stats = sessions.stats(0).unwrap();
        assert_eq!((stats.totals.overhead_bytes, stats.totals.calls), (5 * 1_900, 0), "{before}");
        assert_eq!(stats.totals.net_bytes, -5 * 1_900);
        assert_eq!(stats.totals, Totals::of(&recorded(&sessions)), "every figure opens to its rows");
    }
}

#[test]
fn where_turns_are_not_known_the_tool_list_costs_once() {
    let (_dir, _home, mut sessions) = scratch();
    sessions.record(&prompt("other", NOW)).unwrap();
    sessions.ledger(&LedgerRow { overhead_bytes: 1_900, ..row(TOOL_LIST) }).unwrap();
    sessions.record(&prompt("other", NOW)).unwrap();
    for _ in 0..3 {
        sessions.record(&prompt("", NOW)).unwrap();
        sessions.ledger(&LedgerRow { session: String::new(), overhead_bytes: 10, ..row(TOOL_LIST) }).unwrap();
    }
    // A server that restarted in the same session sent its list again.
    sessions.ledger(&LedgerRow { overhead_bytes: 2_000, ..row(TOOL_LIST) }).unwrap();
    assert_eq!(sessions.stats(0).unwrap().totals.overhead_bytes, 1_900 + 30 + 2_000);
}

#[test]
fn a_line_from_an_earlier_hook_version_is_still_read() {
    let (_dir, home, sessions) = scratch();
    let old = r#"{"call":{"session":"s","agent":"codex","project":"/w","tool":"hook","raw_bytes":0,"returned_bytes":9,
        "class":"none","ok":true,"overhead_bytes":9,"elapsed_us":5,"at_ms":7}}"#
        .replace('\n', "");
    std::fs::write(home.root().join("events.pending"), format!("\n1-1 {old}\n")).unwrap();
    append_notes(&home, &[Note::Call(LedgerRow { filter: "git-log".into(), raw_bytes: 8, ..row("Bash") })])
        .unwrap();
    let rows = recorded(&sessions);
    assert_eq!(
        (rows[0].tokens_returned, rows[0].tokenizer.as_str(), rows[0].filter.as_str()),
        (3, ESTIMATE, "")
    );
    assert_eq!((rows[1].tokens_raw, rows[1].filter.as_str()), (2, "git-log"));
    let totals = sessions.stats(0).unwrap().totals;
    assert_eq!((totals.calls, totals.overhead_bytes), (1, 9));
}

#[test]
fn calls_are_walked_through_in_the_order_of_recording() {
    let (_dir, _home, mut sessions) = scratch();
    for i in 0..25 {
        sessions.ledger(&LedgerRow { at_ms: NOW - i, ..row("execute") }).unwrap();
    }
    let (mut after, mut seen) = (0, Vec::new());
    loop {
        let next = sessions.calls_after(after, NOW - 19, 7).unwrap();
        let Some(last) = next.last() else { break };
        after = last.id;
        seen.extend(next.iter().map(|call| NOW - call.row.at_ms));
    }
    assert_eq!(seen, (0..20).collect::<Vec<_>>());
}
