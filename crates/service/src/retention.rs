//! Once a day: what the settings say need not be kept any longer goes. Old events (their sums stay), outputs of
//! commands in every project, whole outputs in `cache/outputs` and `tasks`, the trash, signs of servers that are gone.
//!
//! Owns when and what; how each thing is forgotten is its room's affair. A step that fails is logged and the others
//! go on: nothing here is worth failing a session for.

use std::path::Path;
use std::time::{Duration, SystemTime};

use home::{Home, Retention};
use knowledge::Store;
use sandbox::task::Tasks;
use sessions::{Keep, Sessions, live};

use crate::Service;

const DAY_MS: i64 = 86_400_000;

/// Of one session at most so many events are kept.
const EVENTS_PER_SESSION: u32 = 20_000;

/// So many calls are kept as rows at most, about 100 MB; their sums stay for good.
const CALLS: u32 = 500_000;

/// What was removed.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Swept {
    /// Files in `cache/outputs`.
    pub(crate) files: usize,
    /// Files in the trash.
    pub(crate) trash: usize,
    /// Outputs of ended tasks, and outputs that were kept whole.
    pub(crate) tasks: usize,
    /// Events of sessions.
    pub(crate) events: usize,
    /// Outputs in knowledge bases.
    pub(crate) outputs: u64,
}

impl Service {
    /// Removes what need not be kept, when nobody has done so for a day. Takes a while; for a server that has
    /// settled down.
    pub async fn keep_house(&self) {
        let (home, retention, now_ms) =
            (self.home().clone(), self.settings().retention.clone(), self.now_ms());
        let swept = tokio::task::spawn_blocking(move || {
            let due = due(&home, now_ms);
            due.then(|| sweep(&home, &retention, now_ms))
        });
        if let Ok(Some(swept)) = swept.await {
            log::info!("retention: {swept:?}");
        }
    }
}

/// Whether the last time is a day ago; notes that it is now, so that of many servers one does it.
fn due(home: &Home, now_ms: i64) -> bool {
    let mark = home.cache_dir().join("retention");
    let last = std::fs::read_to_string(&mark).ok().and_then(|text| text.trim().parse::<i64>().ok());
    // A clock that was wrong must not stop it for ever.
    if last.is_some_and(|last| (last..last.saturating_add(DAY_MS)).contains(&now_ms)) {
        return false;
    }
    home::write_private(&mark, now_ms.to_string().as_bytes()).is_ok()
}

fn sweep(home: &Home, retention: &Retention, now_ms: i64) -> Swept {
    let before = |days: u32| now_ms.saturating_sub(i64::from(days).saturating_mul(DAY_MS));
    live::sweep(home);
    let mut swept = Swept {
        files: remove_old(&home.cache_dir().join("outputs"), before(retention.output_days)),
        trash: remove_old(&home.trash_dir(), before(retention.trash_days)),
        tasks: Tasks::new(home.tasks_dir()).forget(before(retention.output_days), u64::MAX),
        ..Swept::default()
    };
    remove_old(&home.cache_dir().join("reads"), before(retention.output_days));
    if sessions::anything(home) {
        let keep = Keep {
            since_ms: before(retention.session_days),
            events_per_session: EVENTS_PER_SESSION,
            calls: CALLS,
        };
        match Sessions::open(home).and_then(|mut sessions| sessions.forget(keep)) {
            Ok(removed) => swept.events = removed.events,
            Err(error) => log::warn!("old events stay for now: {error}"),
        }
    }
    for folder in std::fs::read_dir(home.projects_dir()).into_iter().flatten().flatten() {
        let path = folder.path().join("knowledge.db");
        if !path.exists() {
            continue;
        }
        let forgotten =
            Store::open(&path).and_then(|mut store| store.forget_outputs(before(retention.output_days)));
        match forgotten {
            Ok(outputs) => swept.outputs += outputs,
            Err(error) => log::warn!("old outputs stay for now: {error}"),
        }
    }
    crate::budget::enforce(home, retention.kept_bytes, now_ms);
    swept
}

/// Removes the files of a folder that were last written before a moment; how many. Folders in it stay.
fn remove_old(dir: &Path, before_ms: i64) -> usize {
    let Ok(before) = u64::try_from(before_ms) else { return 0 };
    let before = SystemTime::UNIX_EPOCH + Duration::from_millis(before);
    let old = |entry: &std::fs::DirEntry| {
        let meta = entry.metadata().ok().filter(std::fs::Metadata::is_file);
        meta.and_then(|meta| meta.modified().ok()).is_some_and(|written| written < before)
    };
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries.filter(|entry| old(entry) && std::fs::remove_file(entry.path()).is_ok()).count()
}

#[cfg(test)]
mod tests {
    use knowledge::{NewSource, SourceKind};

    use super::*;

    #[test]
    fn what_is_old_goes_and_what_is_young_stays() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("plimsoll"));
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
        let tasks = Tasks::new(home.tasks_dir());
        for days in [retention.output_days + 1, retention.output_days - 1] {
            let now_ms = now_ms - i64::from(days) * DAY_MS;
            let kept = sandbox::task::Kept {
                label: "x",
                cwd: Path::new("/"),
                session: None,
                exit: None,
                text: b"x",
                now_ms,
            };
            tasks.keep(&kept).unwrap();
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
        let swept = sweep(&home, &retention, now_ms);
        assert_eq!(swept, Swept { files: 1, trash: 1, tasks: 1, events: 0, outputs: 1 });
        assert!(
            home.cache_dir().join("outputs/young").exists() && home.trash_dir().join("a folder").exists()
        );
        let left = Store::open(&path).unwrap().sources(0, 10).unwrap().sources;
        let mut labels: Vec<String> = left.into_iter().map(|source| source.label).collect();
        labels.sort();
        assert_eq!(labels, ["old page", "young output"]);
        assert_eq!(sweep(&home, &retention, now_ms), Swept::default());
    }

    #[test]
    fn once_a_day() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        assert!(due(&home, 5 * DAY_MS));
        assert!(!due(&home, 6 * DAY_MS - 1));
        assert!(due(&home, 6 * DAY_MS));
        assert!(due(&home, DAY_MS), "the clock was wrong before");
    }
}
