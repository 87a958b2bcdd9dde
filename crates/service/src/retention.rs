//! Once a day, removes what exceeds the retention settings: old events (their totals stay), trash, heartbeats of dead
//! servers, and what each system reports.

use home::{Home, Retention};
use sessions::{Keep, Sessions, heartbeats};
use system::{Removed, System};

use crate::Service;
use crate::age::{DAY_MS, before, remove_old};

/// How many events of a session are kept.
const EVENTS_PER_SESSION: u32 = 20_000;

/// How many calls are kept as rows, about 100 MB; their totals stay forever.
const CALLS: u32 = 500_000;

/// How much was removed.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct RetentionCounts {
    /// Files in the trash.
    pub(crate) trash: usize,
    /// Session events.
    pub(crate) events: usize,
    /// What systems removed.
    pub(crate) of_systems: Vec<Removed>,
}

impl Service {
    /// Removes expired data if nobody has done so for a day. Takes a while; call it from an idle server.
    pub async fn run_daily_retention(&self) {
        let (home, retention, now_ms) =
            (self.home().clone(), self.settings().retention.clone(), self.now_ms());
        let systems = self.systems();
        let swept = tokio::task::spawn_blocking(move || {
            let due = home.ensure().is_ok() && claim_daily_run(&home, now_ms);
            due.then(|| sweep(&home, systems, &retention, now_ms))
        });
        if let Ok(Some(swept)) = swept.await {
            log::info!("retention: {swept:?}");
        }
    }
}

/// Whether the last run was a day ago. Records a new run, so that only one of many servers does it.
fn claim_daily_run(home: &Home, now_ms: i64) -> bool {
    let mark = home.cache_dir().join("retention");
    let last = std::fs::read_to_string(&mark).ok().and_then(|text| text.trim().parse::<i64>().ok());
    // A clock that was wrong once must not block it forever.
    if last.is_some_and(|last| (last..last.saturating_add(DAY_MS)).contains(&now_ms)) {
        return false;
    }
    home::write_private(&mark, now_ms.to_string().as_bytes()).is_ok()
}

fn sweep(home: &Home, systems: &[&'static System], retention: &Retention, now_ms: i64) -> RetentionCounts {
    heartbeats::sweep(home);
    // `settings set` takes no less than a day, but a file that was edited may have 0, which would delete everything.
    let retention = &Retention {
        session_days: retention.session_days.max(1),
        output_days: retention.output_days.max(1),
        ..retention.clone()
    };
    let trash_before = before(now_ms, retention.trash_days);
    let mut swept = RetentionCounts {
        trash: if home.is_own() { remove_old(&home.trash_dir(), trash_before) } else { 0 },
        of_systems: systems.iter().flat_map(|system| (system.retain)(home, retention, now_ms)).collect(),
        ..RetentionCounts::default()
    };
    if sessions::has_records(home) {
        let keep = Keep {
            since_ms: before(now_ms, retention.session_days),
            events_per_session: EVENTS_PER_SESSION,
            calls: CALLS,
        };
        let opened = Sessions::open(home, &system::guests(systems));
        match opened.and_then(|mut sessions| sessions.forget(keep)) {
            Ok(removed) => swept.events = removed.events,
            Err(error) => log::warn!("old events stay for now: {error}"),
        }
    }
    crate::disk_budget::enforce(home, retention.kept_bytes, now_ms);
    swept
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::{Duration, SystemTime};

    use knowledge::{NewSource, SourceKind, Store};
    use sandbox::task::{KeptOutput, Tasks};

    use super::*;
    use crate::SYSTEMS;

    #[test]
    fn only_what_is_older_than_the_limit_goes() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("plimsoll"));
        home.ensure().unwrap();
        let retention = Retention::default();
        let now_ms =
            i64::try_from(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis())
                .unwrap();
        for (folder, days) in [
            (home.cache_dir().join("outputs"), retention.output_days),
            (home.trash_dir(), retention.trash_days),
        ] {
            std::fs::create_dir_all(folder.join("a folder")).unwrap();
            for (name, age) in [("old", days + 1), ("young", days - 1)] {
                let file = std::fs::File::create(folder.join(name)).unwrap();
                file.set_modified(SystemTime::now() - Duration::from_secs(u64::from(age) * 86_400)).unwrap();
            }
        }
        for days in [retention.output_days + 1, retention.output_days - 1] {
            keep_output(&home, now_ms - i64::from(days) * DAY_MS);
        }
        let path = home.projects_dir().join("shop-1/knowledge.db");
        let mut store = Store::open(&path).unwrap();
        for (label, kind, days) in [
            ("old output", SourceKind::Output, retention.output_days + 1),
            ("young output", SourceKind::Output, retention.output_days - 1),
            ("old page", SourceKind::Url, retention.output_days + 1),
        ] {
            let at = now_ms - i64::from(days) * DAY_MS;
            let (origin, session, agent, format) = (None, None, None, None);
            store
                .index_text(NewSource {
                    label,
                    kind,
                    origin,
                    session,
                    agent,
                    content: "words",
                    format,
                    now_ms: at,
                })
                .unwrap();
        }
        drop(store);
        let swept = sweep(&home, SYSTEMS, &retention, now_ms);
        let removed: Vec<(&str, u64)> =
            swept.of_systems.iter().map(|removed| (removed.what, removed.number)).collect();
        assert_eq!(removed, [("files", 1), ("tasks", 1), ("outputs", 1), ("memories", 0)]);
        assert_eq!((swept.trash, swept.events), (1, 0));
        assert!(
            home.cache_dir().join("outputs/young").exists() && home.trash_dir().join("a folder").exists()
        );
        let left = Store::open(&path).unwrap().sources(0, 10).unwrap().sources;
        let mut labels: Vec<String> = left.into_iter().map(|source| source.label).collect();
        labels.sort();
        assert_eq!(labels, ["old page", "young output"]);
        let again = sweep(&home, SYSTEMS, &retention, now_ms);
        assert!(again.trash == 0 && again.of_systems.iter().all(|removed| removed.number == 0));
    }

    fn keep_output(home: &Home, now_ms: i64) {
        let (cwd, session, exit) = (Path::new("/"), None, None);
        let kept = KeptOutput { label: "x", cwd, session, exit, text: b"x", now_ms };
        Tasks::new(home.tasks_dir()).keep(&kept).unwrap();
    }

    fn trash(home: &Home, days: u64) -> std::path::PathBuf {
        let path = home.trash_dir().join("theirs");
        std::fs::create_dir_all(home.trash_dir()).unwrap();
        let file = std::fs::File::create(&path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(days * 86_400)).unwrap();
        path
    }

    #[test]
    fn a_folder_that_has_other_things_keeps_them() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("work"));
        let theirs = trash(&home, 1_000);
        let error = home.ensure().unwrap_err().to_string();
        assert!(error.contains("PLIMSOLL_HOME") && error.contains("work"), "{error}");
        let now_ms = home::Clock::system().now_ms();
        assert_eq!(sweep(&home, SYSTEMS, &Retention::default(), now_ms).trash, 0);
        assert!(theirs.exists());
    }

    #[test]
    fn zero_days_count_as_one() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("plimsoll"));
        home.ensure().unwrap();
        let now_ms = home::Clock::system().now_ms();
        keep_output(&home, now_ms - 1_000);
        let retention = Retention { session_days: 0, output_days: 0, ..Retention::default() };
        let swept = sweep(&home, SYSTEMS, &retention, now_ms);
        assert!(swept.of_systems.iter().all(|removed| removed.number == 0), "{swept:?}");
        assert_eq!(Tasks::new(home.tasks_dir()).list().len(), 1);
    }

    #[test]
    fn the_daily_run_is_claimed_once_a_day() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        assert!(claim_daily_run(&home, 5 * DAY_MS));
        assert!(!claim_daily_run(&home, 6 * DAY_MS - 1));
        assert!(claim_daily_run(&home, 6 * DAY_MS));
        assert!(claim_daily_run(&home, DAY_MS), "the clock was wrong before");
    }
}
