//! Adoption trends: each technology's share of what commits added in its category and language, recently and before. Stored
//! in the index by month with the commit up to which the history was read; trends are computed on every query.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{OptionalExtension as _, params};

use super::git_log::{Added, Month};
use super::pattern_table::{Key, WAYS, Way};
use crate::error::Result;
use crate::store::Store;
use crate::write;

/// The number of months of history.
pub const MONTHS: i64 = 24;
/// The number of months that count as recent.
const LATELY: i64 = 6;
/// The number of months in one point of a curve.
const QUARTER: i64 = 3;
/// With fewer new uses in its category, recently or before, no trend is reported.
const ENOUGH: u64 = 8;
/// A technology rises or declines if its share changed by this.
const STEP: f64 = 0.1;

/// The direction of a technology's adoption.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum Trend {
    /// A larger share of new code uses it than before.
    Rising,
    /// About as much.
    Stable,
    /// Less.
    Declining,
}

impl Trend {
    /// As it is written in replies.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rising => "Rising",
            Self::Stable => "Stable",
            Self::Declining => "Declining",
        }
    }
}

/// What commits added of one technology.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Growth {
    /// `None` if its category has too little new code.
    pub trend: Option<Trend>,
    /// Uses that the last six months added.
    pub lately: u64,
    /// Uses that the eighteen months before them added.
    pub before: u64,
    /// Its share of each quarter's additions to its category, oldest first; `None` where nothing was added.
    pub curve: Vec<Option<f64>>,
}

/// The adoption history of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    added: BTreeMap<(Month, Key), u64>,
    /// The month of the newest commit, at which everything ends.
    newest: Option<Month>,
    /// Months before this one were not read completely.
    from: Option<Month>,
}

impl History {
    /// A project's history: its commits' additions, the newest month, and the first month that was read completely.
    pub fn of(added: Added, newest: Month, from: Month) -> History {
        History { added, newest: Some(newest), from: Some(from) }
    }

    /// The growth of a technology; `None` without any history.
    pub fn growth(&self, way: Key) -> Option<Growth> {
        let (newest, from) = (self.newest?, self.from?);
        let within = |start: i64, end: i64| {
            let (mut own, mut all) = (0, 0);
            for ((month, one), count) in &self.added {
                let same = (one.0, one.1) == (way.0, way.1);
                if same && *month >= from && (start..end).contains(&(newest.0 - month.0)) {
                    all += count;
                    own += if *one == way { *count } else { 0 };
                }
            }
            (own, all)
        };
        let part = |(own, all): (u64, u64)| own as f64 / all.max(1) as f64;
        let (lately, before) = (within(0, LATELY), within(LATELY, MONTHS));
        let trend = (lately.1 >= ENOUGH && before.1 >= ENOUGH).then(|| match part(lately) - part(before) {
            more if more >= STEP => Trend::Rising,
            less if less <= -STEP => Trend::Declining,
            _ => Trend::Stable,
        });
        let quarters = (0..MONTHS / QUARTER).rev();
        let curve = quarters.map(|at| within(at * QUARTER, (at + 1) * QUARTER));
        let curve = curve.map(|sums| (sums.1 > 0).then(|| (part(sums) * 100.0).round() / 100.0));
        Some(Growth { trend, lately: lately.0, before: before.0, curve: curve.collect() })
    }

    /// Whether a technology is being left: it declines, and another of its category and language is chosen more often
    /// lately. One that is still chosen most only got a companion, and a test framework isn't left for a library that
    /// its tests also use.
    pub fn is_left(&self, way: Key) -> bool {
        let Some(growth) = self.growth(way).filter(|growth| growth.trend == Some(Trend::Declining)) else {
            return false;
        };
        let replaces = |key: Key| WAYS.iter().filter(|one| one.key() == key).all(|one| one.is_rival);
        let rival = |other: &Key| (other.0, other.1) == (way.0, way.1) && replaces(*other) == replaces(way);
        let others: BTreeSet<Key> = self.added.keys().map(|(_, other)| *other).filter(rival).collect();
        others.into_iter().filter_map(|other| self.growth(other)).any(|other| other.lately > growth.lately)
    }

    /// The trend of each technology with enough data.
    pub fn trends(&self) -> BTreeMap<Key, Trend> {
        let ways: BTreeSet<Key> = self.added.keys().map(|(_, way)| *way).collect();
        ways.into_iter().filter_map(|way| Some((way, self.growth(way)?.trend?))).collect()
    }
}

/// Identifies the pattern table that the history was read with: with another one it must be read again.
fn table_fingerprint() -> String {
    let mut hash = blake3::Hasher::new();
    for way in WAYS {
        hash.update(format!("{way:?}").as_bytes());
    }
    hash.finalize().to_hex()[..16].to_owned()
}

impl Store {
    /// The commit up to which the history was read; `None` if it must be read from the start.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn history_head(&self) -> Result<Option<String>> {
        let same = self.fact("history_ways")?.is_some_and(|known| known == table_fingerprint());
        Ok(self.fact("history_head")?.filter(|_| same))
    }

    /// Stores what commits added up to `head`, whose month is `newest`: in place of the earlier data if `from` is the
    /// month from which all were read, otherwise in addition to it.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn put_history(
        &mut self,
        added: &Added,
        head: &str,
        newest: Month,
        from: Option<Month>,
    ) -> Result<()> {
        home::write(&mut self.db, |tx| {
            if let Some(from) = from {
                tx.execute("DELETE FROM adoption", [])?;
                write::put_fact(tx, "history_from", &from.0.to_string())?;
            }
            let mut put = tx.prepare_cached(
                "INSERT INTO adoption(month, category, language, way, added) VALUES(?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT(month, category, language, way) DO UPDATE SET added = added + excluded.added",
            )?;
            for ((month, (category, language, way)), count) in added {
                let count = i64::try_from(*count).unwrap_or(i64::MAX);
                put.execute(params![month.0, category, language, way, count])?;
            }
            write::put_fact(tx, "history_newest", &newest.0.to_string())?;
            write::put_fact(tx, "history_ways", &table_fingerprint())?;
            write::put_fact(tx, "history_head", head)
        })?;
        Ok(())
    }

    /// The project's history; empty until it has been read.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn history(&self) -> Result<History> {
        if self.history_head()?.is_none() {
            return Ok(History::default());
        }
        self.read(|db| {
            let month = |name: &str| -> rusqlite::Result<Option<Month>> {
                let told: Option<String> = db
                    .prepare_cached("SELECT value FROM facts WHERE name = ?1")?
                    .query_row([name], |r| r.get(0))
                    .optional()?;
                Ok(told.and_then(|told| told.parse().ok()).map(Month))
            };
            let mut statement =
                db.prepare_cached("SELECT category, language, way, month, added FROM adoption")?;
            let mut rows = statement.query([])?;
            let mut added = Added::new();
            while let Some(row) = rows.next()? {
                let name = |at: usize| row.get_ref(at).and_then(|value| Ok(value.as_str()?));
                let known = (name(0)?, name(1)?, name(2)?);
                if let Some(key) = WAYS.iter().map(Way::key).find(|key| *key == known) {
                    added.insert((Month(row.get(3)?), key), row.get::<_, i64>(4)?.unsigned_abs());
                }
            }
            Ok(History { added, newest: month("history_newest")?, from: month("history_from")? })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Month = Month(2026 * 12 + 10);

    const LOG: Key = ("logging", "rust", "log");
    const TRACING: Key = ("logging", "rust", "tracing");

    fn history(rows: &[(i64, Key, u64)]) -> History {
        let added = rows.iter().map(|(ago, way, count)| ((Month(NOW.0 - ago), *way), *count));
        History::of(added.collect(), NOW, Month(NOW.0 - MONTHS + 1))
    }

    #[test]
    fn the_newest_choices_decide() {
        let turned = history(&[(20, LOG, 30), (8, LOG, 10), (8, TRACING, 2), (3, LOG, 2), (1, TRACING, 12)]);
        let growth = turned.growth(TRACING).unwrap();
        assert_eq!((growth.trend, growth.lately, growth.before), (Some(Trend::Rising), 12, 2));
        assert_eq!(growth.curve, [None, Some(0.0), None, None, None, Some(0.17), Some(0.0), Some(1.0)]);
        assert_eq!(turned.growth(LOG).unwrap().trend, Some(Trend::Declining));
        let expected = [(LOG, Trend::Declining), (TRACING, Trend::Rising)];
        assert_eq!(turned.trends(), BTreeMap::from(expected));
    }

    #[test]
    fn a_pattern_declines_where_another_is_chosen_more() {
        for (log, tracing, expected) in [(12, 30, true), (30, 12, false), (12, 12, false)] {
            let both = history(&[(8, LOG, 60), (8, TRACING, 1), (3, LOG, log), (1, TRACING, tracing)]);
            assert_eq!(both.growth(LOG).unwrap().trend, Some(Trend::Declining));
            assert_eq!(both.is_left(LOG), expected, "{log} {tracing}");
            assert!(!both.is_left(TRACING));
        }
        let (pytest, hypothesis) = (("testing", "python", "pytest"), ("testing", "python", "Hypothesis"));
        let beside = history(&[(8, pytest, 60), (8, hypothesis, 1), (3, pytest, 12), (1, hypothesis, 30)]);
        assert_eq!(beside.growth(pytest).unwrap().trend, Some(Trend::Declining));
        assert!(!beside.is_left(pytest), "Hypothesis is used in tests of pytest");
    }

    #[test]
    fn few_commits_give_no_trend_and_a_single_pattern_is_stable() {
        let few = history(&[(20, LOG, 30), (1, TRACING, 7)]);
        assert_eq!(few.growth(TRACING).unwrap().trend, None);
        let one = history(&[(20, LOG, 30), (1, LOG, 8)]);
        assert_eq!(one.growth(LOG).unwrap().trend, Some(Trend::Stable));
        // Languages are separate: growth in one doesn't mean leaving a technology in another.
        let other = history(&[(20, LOG, 30), (1, LOG, 8), (1, ("logging", "typescript", "Pino"), 90)]);
        assert_eq!(other.growth(LOG).unwrap().trend, Some(Trend::Stable));
        // Additions outside the window or in an incomplete month don't count.
        let old = history(&[(30, LOG, 30), (1, TRACING, 9)]);
        assert_eq!(old.growth(TRACING).unwrap().before, 0);
        let cut = History { from: Some(Month(NOW.0 - 7)), ..history(&[(20, LOG, 30), (1, LOG, 8)]) };
        assert_eq!(cut.growth(LOG).unwrap().trend, None);
        assert_eq!(History::default().growth(LOG), None);
    }
}
