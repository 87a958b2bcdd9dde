//! Puts the ledger into words: measured bytes first, estimates beside them, Plimsoll's overhead deducted.
//!
//! Owns the periods and the sentence about money, which appears only if the settings have prices. Doesn't know rows:
//! totals come from `sessions`.

mod groups;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use contract::desktop::{TokensRow, WorthRow};
use contract::{Amount, Error, Reply, count, signed_bytes, with_commas};
use serde_json::{Value, json};
use sessions::{Group, Stats, Totals};

use crate::Service;
use crate::age::DAY_MS;

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 3_600_000;

/// The start of the user's day `days_ago` days before that of `now_ms`, in milliseconds since 1970. `utc_offset_min` gives the
/// offset at a time: where the clocks have changed since, midnight had another one than now.
pub(crate) fn midnight(now_ms: i64, days_ago: i64, utc_offset_min: impl Fn(i64) -> i32) -> i64 {
    let offset = |at_ms: i64| i64::from(utc_offset_min(at_ms)) * MINUTE_MS;
    let here = now_ms.saturating_add(offset(now_ms));
    let day = (here.div_euclid(DAY_MS) - days_ago).saturating_mul(DAY_MS);
    let near = day.saturating_sub(offset(now_ms));
    // An hour earlier: clocks that are put back to midnight show it twice, and the day begins with the first.
    day.saturating_sub(offset(near.saturating_sub(HOUR_MS)))
}

impl Service {
    /// What was kept out of conversations: today, in the last seven days, and in all; or in the last `days` days.
    ///
    /// # Errors
    /// If `plimsoll.db` or the knowledge base can't be read.
    pub(crate) async fn stats(&self, days: Option<u32>) -> Result<Reply, Error> {
        let begun = |days_ago| midnight(self.now_ms(), days_ago, |at_ms| self.utc_offset_min(at_ms));
        let periods: Vec<(String, i64)> = match days {
            Some(days) => {
                vec![(count(u64::from(days), "day"), self.now_ms().saturating_sub(i64::from(days) * DAY_MS))]
            }
            None => vec![("today".into(), begun(0)), ("7 days".into(), begun(6)), ("all".into(), 0)],
        };
        let told = self
            .with_sessions(false, move |sessions| {
                periods.into_iter().map(|(name, since)| Ok((name, sessions.stats(since)?))).collect::<Result<
                    Vec<_>,
                    sessions::SessionsError,
                >>(
                )
            })
            .await?
            .unwrap_or_default();
        let stored = self.with_existing_knowledge(|store| store.stats()).await?.unwrap_or_default();
        let prices = &self.settings().prices;
        let mut text = words(&told, prices);
        if let Some((_, stats)) = told.last() {
            text += &request_overhead(stats, &self.settings().mcp.tools);
        }
        let _ = writeln!(
            text,
            "Stored for this project: {}, {}, {} of text, {} on disk.",
            count(stored.sources, "source"),
            count(stored.chunks, "chunk"),
            Amount::bytes(stored.text_bytes),
            Amount::bytes(stored.database_bytes)
        );
        let whole = told.last().map(|(_, stats)| stats.clone()).unwrap_or_default();
        let mut data = json!({"stats": whole, "periods": periods_data(&told), "stored": stored});
        let worth = worth(whole.totals.net_bytes, prices);
        if !worth.is_empty() {
            data["worth"] = json!(worth);
        }
        Ok(Reply::plain(text.trim_end()).with_data(data))
    }
}

fn periods_data(told: &[(String, Stats)]) -> Value {
    told.iter().map(|(name, stats)| json!({"name": name, "stats": stats})).collect()
}

/// The periods in a few lines; the last one (the longest) with its details.
fn words(told: &[(String, Stats)], prices: &BTreeMap<String, f64>) -> String {
    let mut text = String::from("Kept out of the conversation, counted:\n");
    for (name, stats) in told {
        let Totals { measured_bytes, overhead_bytes, net_bytes, calls, failed, .. } = stats.totals;
        let failed = if failed > 0 { format!(", {failed} failed and saved nothing") } else { String::new() };
        let _ = writeln!(
            text,
            "  {name}: {}, own cost {}, net {} ({}{failed}; {} active)",
            signed_bytes(measured_bytes),
            Amount::bytes(overhead_bytes),
            signed_bytes(net_bytes),
            count(calls, "call"),
            count(stats.sessions, "session"),
        );
    }
    let Some((name, stats)) = told.last() else {
        return "Kept out of the conversation, counted: nothing; no call was recorded yet.\n".into();
    };
    if told.iter().any(|(_, stats)| stats.totals.estimated_bytes != 0) {
        let parts: Vec<String> = told
            .iter()
            .map(|(name, stats)| format!("{name} {}", signed_bytes(stats.totals.estimated_bytes)))
            .collect();
        let _ = writeln!(
            text,
            "Also, by estimate (text indexed instead of read), never added: {}.",
            parts.join(", ")
        );
    }
    for row in tokens(&stats.by_tokenizer) {
        let how = if row.measured { "counted" } else { "an estimate" };
        let sign = if row.tokens < 0 { "-" } else { "" };
        let tokens = with_commas(row.tokens.unsigned_abs());
        let _ = writeln!(
            text,
            "In tokens ({name}), own cost not deducted: {sign}{tokens} by {}, {how}.",
            row.name
        );
    }
    let groups = [
        ("agent", &stats.by_agent),
        ("project", &stats.by_project),
        ("tool", &stats.by_tool),
        ("filter", &stats.by_filter),
    ];
    for (what, groups) in groups {
        let parts = groups::in_words(what, groups, &stats.totals);
        if !parts.is_empty() {
            let _ = writeln!(text, "By {what} ({name}): {}.", parts.join(", "));
        }
    }
    let worth = worth(stats.totals.net_bytes, prices);
    if !worth.is_empty() {
        let parts: Vec<String> =
            worth.iter().map(|row| format!("{} {:.2}", row.family, row.amount)).collect();
        let _ = writeln!(
            text,
            "The net ({name}) at your prices, with estimated tokens, if one model family had read everything: {}.",
            parts.join(", ")
        );
    }
    text
}

/// What each request carries because of Plimsoll, per agent, and why: the table or setting that decides it.
fn request_overhead(stats: &Stats, setting: &str) -> String {
    let mut text = String::new();
    for agent in
        stats.by_agent.iter().filter_map(|group| agents::by_id(&group.name)).take(groups::NAMED_GROUPS)
    {
        let offer = agent.offer().with_setting(setting);
        let tools = match offer.tools.len() {
            all if all == agents::offer::TOOLS.len() => format!("all {all} tools"),
            _ => offer.tools.join(", "),
        };
        let _ = write!(text, "Offered to {} (mcp.tools = {setting}): {tools}", agent.name());
        if let Some(counted) = offer.measured {
            let _ = write!(
                text,
                "; with the words around them {} bytes in each request, counted on {}",
                with_commas(counted.bytes),
                counted.version
            );
        }
        if let Some(without) = offer.measured.and_then(|cost| cost.left_out) {
            let _ = write!(text, "; not offered: {without}");
        }
        text.push_str(".\n");
    }
    text
}

/// The tokens per tokenizer, which are never added up.
pub(crate) fn tokens(by_tokenizer: &[Group]) -> Vec<TokensRow> {
    let row = |name: &str, measured: bool, tokens: i64| TokensRow { name: name.to_owned(), measured, tokens };
    by_tokenizer
        .iter()
        .flat_map(|group| {
            let totals = &group.totals;
            [row(&group.name, true, totals.measured_tokens), row(&group.name, false, totals.estimated_tokens)]
        })
        .filter(|row| row.tokens != 0)
        .collect()
}

/// What `net_bytes` are worth at the user's own prices; empty without any. Invalid prices are skipped.
pub(crate) fn worth(net_bytes: i64, prices: &BTreeMap<String, f64>) -> Vec<WorthRow> {
    let bytes = usize::try_from(net_bytes.unsigned_abs()).unwrap_or(usize::MAX);
    #[expect(clippy::cast_precision_loss, reason = "an amount of money is told to two places")]
    let millions = text::tokens_estimate(bytes) as f64 / 1e6 * if net_bytes < 0 { -1.0 } else { 1.0 };
    prices
        .iter()
        .filter(|(_, price)| price.is_finite() && **price > 0.0)
        .map(|(family, price)| WorthRow {
            family: family.clone(),
            per_million: *price,
            amount: millions * price,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use home::{Clock, Env};
    use sessions::{Class, LedgerRow};

    use super::*;

    /// 2026-03-01 00:30 in Kathmandu, which is 5:45 ahead.
    const NOW: i64 = 1_772_304_300_000;

    #[test]
    fn a_day_begins_at_its_midnight_also_where_the_clocks_have_changed_since() {
        // Like Berlin: back at 3 o'clock on day 100, forward at 2 o'clock on day 110.
        let changes = [100, 110].map(|day| day * DAY_MS + HOUR_MS);
        let berlin = |at_ms: i64| if (changes[0]..changes[1]).contains(&at_ms) { 60 } else { 120 };
        let ahead = |day: i64| if (101..=110).contains(&day) { HOUR_MS } else { 2 * HOUR_MS };
        let begins = |day: i64| day * DAY_MS - ahead(day);
        for day in 95..120 {
            let mut now = begins(day);
            while now < begins(day + 1) {
                assert_eq!(midnight(now, 0, berlin), begins(day), "day {day}");
                assert_eq!(midnight(now, 6, berlin), begins(day - 6), "six days before day {day}");
                now += 30 * MINUTE_MS;
            }
        }
        // Like Havana: at 1 o'clock it's midnight again.
        let havana = |at_ms: i64| if at_ms < 100 * DAY_MS + 5 * HOUR_MS { -240 } else { -300 };
        assert_eq!(midnight(100 * DAY_MS + 20 * HOUR_MS, 0, havana), 100 * DAY_MS + 4 * HOUR_MS);
    }

    fn row(tool: &str, at_ms: i64) -> LedgerRow {
        LedgerRow {
            session: "s".into(),
            agent: "codex".into(),
            project: "/w/shop".into(),
            tool: tool.into(),
            ok: true,
            at_ms,
            ..LedgerRow::default()
        }
    }

    fn service(dir: &std::path::Path) -> Service {
        Service::new(Env::for_test(dir), Clock::fixed(NOW)).unwrap().with_time_zone(|_| 345)
    }

    fn printed(service: &Service, days: Option<u32>) -> Reply {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap()
            .block_on(service.stats(days))
            .unwrap()
    }

    #[test]
    fn today_begins_at_local_midnight_and_no_estimate_is_added() {
        let dir = tempfile::tempdir().unwrap();
        let service = service(dir.path());
        let mut sessions = service.open_record().unwrap();
        let saved = |at_ms: i64, raw: u64| LedgerRow {
            raw_bytes: raw,
            returned_bytes: 1_000,
            class: Class::Measured,
            filter: "git-log".into(),
            ..row("Bash", at_ms)
        };
        let half_an_hour = 30 * MINUTE_MS;
        sessions.ledger(&saved(NOW - half_an_hour, 21_480)).unwrap();
        // Just before midnight, seven days ago at midnight, and just before that.
        sessions.ledger(&saved(NOW - half_an_hour - 1, 41_960)).unwrap();
        sessions.ledger(&saved(NOW - half_an_hour - 6 * DAY_MS, 11_240)).unwrap();
        sessions.ledger(&saved(NOW - half_an_hour - 6 * DAY_MS - 1, 6_120)).unwrap();
        sessions
            .ledger(&LedgerRow { class: Class::Estimated, raw_bytes: 10_240, ..row("index", NOW) })
            .unwrap();
        sessions.ledger(&LedgerRow { ok: false, overhead_bytes: 512, ..row("execute", NOW) }).unwrap();
        sessions.ledger(&LedgerRow { overhead_bytes: 2_048, ..row("tool list", NOW) }).unwrap();
        drop(sessions);
        let reply = printed(&service, None);
        insta::assert_snapshot!(reply.text, @"
        Kept out of the conversation, counted:
          today: 20.5 KB, own cost 2.56 KB, net 17.9 KB (3 calls, 1 failed and saved nothing; 1 session active)
          7 days: 71.7 KB, own cost 2.56 KB, net 69.1 KB (5 calls, 1 failed and saved nothing; 1 session active)
          all: 76.8 KB, own cost 2.56 KB, net 74.2 KB (6 calls, 1 failed and saved nothing; 1 session active)
        Also, by estimate (text indexed instead of read), never added: today 10.2 KB, 7 days 10.2 KB, all 10.2 KB.
        In tokens (all), own cost not deducted: 19,200 by plimsoll-4b, an estimate.
        By agent (all): codex 74.2 KB (6 calls).
        By project (all): /w/shop 74.2 KB (6 calls).
        By tool (all): Bash 76.8 KB (4 calls), index 0 B (1 call), execute -512 B (1 call), the list of tools and hooks -2.05 KB.
        By filter (all): git-log 80.8 KB → 4 KB (4 calls).
        Offered to Codex (mcp.tools = auto): execute, batch, index, search, memory; with the words around them 4,938 bytes in each request, counted on 0.169.0; not offered: task and manage (830 bytes), beside the three tools that Codex adds for any server (1,871).
        Stored for this project: 0 sources, 0 chunks, 0 B of text, 0 B on disk.
        ");
        let names: Vec<&Value> =
            reply.data["periods"].as_array().unwrap().iter().map(|period| &period["name"]).collect();
        assert_eq!(names, ["today", "7 days", "all"]);
        assert!(reply.data.get("worth").is_none());
        assert!(printed(&service, Some(1)).text.contains("  1 day: "));
    }

    #[test]
    fn costs_are_shown_only_at_the_users_own_prices() {
        let dir = tempfile::tempdir().unwrap();
        let before = service(dir.path());
        let mut sessions = before.open_record().unwrap();
        let cost = LedgerRow { overhead_bytes: 8_000_000, ..row("tool list", NOW) };
        sessions.ledger(&cost).unwrap();
        drop(sessions);
        assert!(!printed(&before, None).text.contains("prices"));
        let table = "[prices]\nopus = 15\nsonnet = 3.0\nbroken = -1\nworse = nan\n";
        std::fs::write(before.home().settings_path(), table).unwrap();
        let reply = printed(&service(dir.path()), None);
        let line = reply.text.lines().find(|line| line.contains("prices")).unwrap();
        assert!(line.ends_with("read everything: opus -30.00, sonnet -6.00."), "{line}");
        assert_eq!(reply.data["worth"][0]["amount"], json!(-30.0));
    }

    #[test]
    fn nothing_recorded_is_reported_and_makes_no_file() {
        let dir = tempfile::tempdir().unwrap();
        let service = service(dir.path());
        assert!(printed(&service, None).text.starts_with("Kept out of the conversation, counted: nothing;"));
        assert!(!service.home().root().exists());
    }
    #[test]
    fn the_window_shows_each_filter_before_and_after_and_opens_its_calls() {
        use contract::desktop::{CallsQuery, Period, StatsQuery};

        let dir = tempfile::tempdir().unwrap();
        let service = service(dir.path());
        std::fs::create_dir_all(service.home().root()).unwrap();
        std::fs::write(service.home().settings_path(), "[prices]\nopus = 10\n").unwrap();
        let mut sessions = service.open_record().unwrap();
        let (raw_bytes, returned_bytes) = (40_000, 4_000);
        let filtered = LedgerRow {
            raw_bytes,
            returned_bytes,
            class: Class::Measured,
            filter: "git-log".into(),
            ..row("Bash", NOW)
        };
        sessions.ledger(&filtered).unwrap();
        sessions.ledger(&LedgerRow { filter: String::new(), ..filtered }).unwrap();
        drop(sessions);
        let desktop = crate::desktop::Desktop::new(std::sync::Arc::new(service));
        let period = Period { since_ms: 0, utc_offset_min: 345 };
        let view = desktop.stats(StatsQuery { period, ..StatsQuery::default() }).unwrap();
        let [filter] = view.by_filter.as_slice() else { panic!("{:?}", view.by_filter) };
        assert_eq!((filter.name.as_str(), filter.sums.calls), ("git-log", 1));
        assert_eq!((filter.sums.raw_bytes, filter.sums.returned_bytes), (raw_bytes, returned_bytes));
        let tokens = TokensRow { name: "plimsoll-4b".into(), measured: false, tokens: 18_000 };
        assert_eq!(view.tokens, [tokens]);
        assert_eq!((view.worth.len(), view.worth[0].amount), (1, 0.18));
        let query = CallsQuery { filter: Some("git-log".into()), limit: 10, ..CallsQuery::default() };
        let calls = desktop.calls(query).unwrap();
        assert_eq!(
            (calls.total, calls.rows[0].filter.as_str(), calls.rows[0].tokens_raw),
            (1, "git-log", 10_000)
        );
    }
}
