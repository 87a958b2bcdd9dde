//! The home screen and the tray: status, the figures of a period, and the change counters.

use std::path::PathBuf;

use contract::desktop::{
    AgentCounts, GroupRow, Overview, Period, Problem, Pulse, Remedy, StatsQuery, StatsView, Sums, TimeBucket,
    TimeRow,
};
use contract::{AgentState, Check, Error, Fault, LowerError};
use home::Settings;
use sessions::{Class, Group, LedgerFilter, Page, heartbeats};

use super::sums::sums;
use super::{Desktop, attention, history};
use crate::setup::{self, Computer};
use crate::status::server;
use crate::{doctor, failure, stats as told};

const MINUTE_MS: i64 = 60_000;

impl Desktop {
    /// The status. `period` is today in your time zone.
    pub fn overview(&self, period: Period) -> Overview {
        let (service, now) = (&self.service, self.service.now_ms());
        let paused_now = service.moment();
        let mut problems = Vec::new();
        let settings = Settings::load(service.home()).unwrap_or_else(|error| {
            problems.push(Problem { text: error.message(), remedy: Remedy::Doctor });
            Settings::default()
        });
        problems.extend(attention::unwritable(service.home()));
        let today = self
            .stats(StatsQuery { period, bucket: TimeBucket::Day })
            .map(|stats| stats.sums)
            .unwrap_or_else(|error| {
                let broken = matches!(error.fault, Some(Fault::Damaged));
                let remedy = if broken { Remedy::StartFresh } else { Remedy::Doctor };
                problems.push(Problem { text: error.message, remedy });
                Sums::default()
            });
        let mut agents = AgentCounts::default();
        let computer = Computer::new(service, false);
        let mut wired = false;
        for surveyed in setup::survey(service, &computer) {
            let report = surveyed.report;
            agents.found += usize::from(surveyed.found.is_some());
            wired |= attention::names_launcher(&report);
            agents.connected +=
                usize::from(matches!(report.state, AgentState::Connected | AgentState::NeedsYou));
            agents.attention.extend(attention::of(report, computer.has_full_survey()));
        }
        agents.needs_you = agents.attention.iter().map(|agent| agent.name.clone()).collect();
        problems.extend(attention::launcher(service, wired));
        let (mut sources, mut chunks) = (0, 0);
        for project in self.projects() {
            sources += project.sources;
            chunks += project.chunks;
            problems
                .extend(project.problem.map(|error| Problem { text: error.message, remedy: Remedy::Doctor }));
        }
        let mut beats = heartbeats::all(service.home(), now);
        beats.sort_by_key(|beat| std::cmp::Reverse(beat.started_ms));
        Overview {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            home: home::as_text(service.home().root()).into_owned(),
            first_run: agents.connected == 0 && !settings.desktop.setup_done,
            agents,
            hooks_off: !settings.hooks.enabled,
            paused_until_ms: settings.hooks.paused_until(paused_now),
            paused_projects: settings
                .hooks
                .paused_at(paused_now)
                .map(|paused| paused.folder.clone())
                .collect(),
            project: beats
                .iter()
                .map(|beat| &beat.project)
                .find(|root| *root != service.home().root())
                .map(|root| home::as_text(root).into_owned()),
            servers: beats.into_iter().map(server).collect(),
            sources,
            chunks,
            memory: system::enabled(service.systems(), &settings)
                .find_map(|system| system.today)
                .map(|figures| figures(service.home(), period.since_ms, now)),
            today,
            problems,
        }
    }

    /// The figure in the tray's label: one read-only query for about a day. Looks at no agent and opens no knowledge
    /// base, because a session writes a call every few seconds.
    ///
    /// # Errors
    /// If `plimsoll.db` exists and can't be read.
    pub fn kept_since(&self, since_ms: i64) -> Result<Sums, Error> {
        let storage = |error: sessions::SessionsError| failure::from_storage(&error);
        let Some(record) = self.service.read_record().map_err(storage)? else { return Ok(Sums::default()) };
        record.total(since_ms).map(|total| sums(&total)).map_err(storage)
    }

    /// The figures of a period; zeros if nothing was ever recorded.
    ///
    /// # Errors
    /// If `plimsoll.db` exists and can't be read.
    pub fn stats(&self, query: StatsQuery) -> Result<StatsView, Error> {
        let opened = self.service.read_record().map_err(|error| failure::from_storage(&error))?;
        let Some(sessions) = opened else { return Ok(StatsView::default()) };
        let (since, offset) = (query.period.since_ms, i64::from(query.period.utc_offset_min) * MINUTE_MS);
        let read = || {
            let stats = sessions.stats(since)?;
            let last = LedgerFilter {
                class: Some(Class::Measured),
                since_ms: Some(since),
                ..LedgerFilter::default()
            };
            // Only the last few, because not every call keeps something out.
            let last = sessions.calls(&last, Page { offset: 0, limit: 20 })?;
            let last = last.items.into_iter().find(|call| call.saved_bytes > 0);
            let over_time = match query.bucket {
                TimeBucket::Hour => sessions.hours(since, offset)?,
                TimeBucket::Day => sessions.days(since, offset)?,
            };
            Ok((stats, over_time, last))
        };
        let (stats, over_time, last) =
            read().map_err(|error: sessions::SessionsError| failure::from_storage(&error))?;
        let settings = Settings::load(self.service.home()).unwrap_or_default();
        Ok(StatsView {
            sums: sums(&stats.totals),
            by_filter: groups(stats.by_filter),
            tokens: told::tokens(&stats.by_tokenizer),
            worth: told::worth(stats.totals.net_bytes, &settings.prices),
            by_agent: groups(stats.by_agent),
            by_tool: groups(stats.by_tool),
            by_project: groups(stats.by_project),
            over_time: over_time
                .iter()
                .map(|step| TimeRow { start_ms: step.start_ms, sums: sums(&step.totals) })
                .collect(),
            sessions: stats.sessions,
            events: stats.events,
            hook_us: stats.event_us,
            last: last.map(history::call),
        })
    }

    /// From local midnight until now. The caller's own calendar says when that was; by the offset of now alone it's wrong on the
    /// days when the clocks change.
    pub fn today(&self, here: Period) -> Period {
        if here.since_ms > 0 {
            return here;
        }
        Period { since_ms: told::midnight(self.service.now_ms(), 0, |_| here.utc_offset_min), ..here }
    }

    /// A number that changes when the ledger, the settings or a knowledge base is written. Costs a few `stat` calls,
    /// and two more per project.
    pub fn pulse(&self) -> Pulse {
        let [record, rest] = self.pulses();
        Pulse { stamp: record ^ rest.rotate_left(16) }
    }

    /// The same as two numbers: of the record, and of everything else.
    pub fn pulses(&self) -> [u32; 2] {
        let home = self.service.home();
        let log = home.main_db().with_extension("db-wal");
        let record = vec![home.main_db(), log, sessions::pending_path(home)];
        let mut paths = vec![home.settings_path(), home.run_dir(), home.projects_dir()];
        for database in self.service.systems().iter().flat_map(|system| (system.databases)(home)) {
            paths.push(database.path.with_extension("db-wal"));
            paths.push(database.path.with_extension("given"));
            paths.push(database.path);
        }
        for project in std::fs::read_dir(home.projects_dir()).into_iter().flatten().flatten() {
            paths.extend(["knowledge.db", "knowledge.db-wal"].map(|name| project.path().join(name)));
        }
        [stamp(&record), stamp(&paths)]
    }

    /// All of doctor's checks, including programs asked for their version.
    ///
    /// # Errors
    /// Only if a worker thread panics.
    pub async fn doctor(&self) -> Result<Vec<Check>, Error> {
        let with_current_settings = std::sync::Arc::new(self.with_current_settings()?);
        let computer = Computer::new(&with_current_settings, true);
        doctor::checks(&with_current_settings, &computer).await
    }
}

/// A number that changes when one of these files is written.
fn stamp(paths: &[PathBuf]) -> u32 {
    let mut hash = blake3::Hasher::new();
    for path in paths {
        let seen = std::fs::metadata(path).ok();
        let changed = seen.as_ref().and_then(|seen| seen.modified().ok());
        let since = changed.and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok()).unwrap_or_default();
        hash.update(&since.as_nanos().to_le_bytes());
        hash.update(&seen.map_or(0, |seen| seen.len()).to_le_bytes());
    }
    let [a, b, c, d, ..] = *hash.finalize().as_bytes();
    u32::from_le_bytes([a, b, c, d])
}

fn groups(groups: Vec<Group>) -> Vec<GroupRow> {
    groups.into_iter().map(|group| GroupRow { sums: sums(&group.totals), name: group.name }).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use home::{Clock, Env};
    use sessions::LedgerRow;

    use super::*;
    use crate::Service;

    #[test]
    fn the_trays_label_is_the_overviews_figure_whatever_else_cannot_be_read() {
        let dir = tempfile::tempdir().expect("a folder");
        let service =
            Service::new(Env::for_test(dir.path()), Clock::fixed(1_772_304_300_000)).expect("a service");
        service.home().ensure().expect("a home");
        let desktop = Desktop::new(Arc::new(service));
        let today = desktop.today(Period::default());
        assert_eq!(today, Period { since_ms: 1_772_236_800_000, utc_offset_min: 0 });
        let named = Period { since_ms: 1_772_233_200_000, utc_offset_min: 0 };
        assert_eq!(desktop.today(named), named, "the caller's calendar knows better");
        assert_eq!(desktop.kept_since(today.since_ms).expect("zeros"), Sums::default());

        let mut record = desktop.service.open_record().expect("a record");
        let row = LedgerRow {
            tool: "execute".into(),
            raw_bytes: 900,
            returned_bytes: 100,
            class: Class::Measured,
            ok: true,
            at_ms: desktop.service.now_ms(),
            ..LedgerRow::default()
        };
        let pulses = desktop.pulses();
        record.ledger(&row).expect("written");
        drop(record);
        // A file that isn't a knowledge base fails a look at everything.
        let folder = desktop.service.home().projects_dir().join("shop-1");
        std::fs::create_dir_all(&folder).expect("a folder");
        assert_ne!(desktop.pulses()[0], pulses[0], "the record changed");
        std::fs::write(folder.join("knowledge.db"), "no database").expect("written");
        assert_ne!(desktop.pulses()[1], pulses[1], "a knowledge base changed");

        let kept = desktop.kept_since(today.since_ms).expect("a figure");
        assert_eq!((kept.calls, kept.measured_bytes), (1, 800));
        assert_eq!(desktop.overview(today).today, kept);
    }
}
