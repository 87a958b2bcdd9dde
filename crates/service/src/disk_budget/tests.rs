//! The disk budget over real folders: what is removed, what stays, and two processes at once.

use knowledge::{NewSource, SourceKind};
use sandbox::ProcessMark;
use sandbox::task::KeptOutput;

use super::*;

const MB: u64 = 1 << 20;

struct Place {
    _dir: tempfile::TempDir,
    home: Home,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("plimsoll"));
        home.ensure().unwrap();
        Self { _dir: dir, home }
    }

    fn database(&self) -> PathBuf {
        self.home.projects_dir().join("shop-1/knowledge.db")
    }

    fn keep(&self, at_ms: i64, bytes: u64, session: Option<&str>) -> String {
        let text = vec![b'x'; usize::try_from(bytes).unwrap()];
        let kept = KeptOutput {
            label: "x",
            cwd: Path::new("/"),
            session,
            exit: Some(0),
            text: &text,
            now_ms: at_ms,
        };
        Tasks::new(self.home.tasks_dir()).keep(&kept).unwrap()
    }

    fn index(&self, label: &str, kind: SourceKind, at_ms: i64) {
        let content: String = (0..20_000).map(|n| format!("{label} line {n} word{}\n", n * 7919)).collect();
        let (origin, session, agent, format) = (None, None, None, None);
        let source =
            NewSource { label, kind, origin, session, agent, content: &content, format, now_ms: at_ms };
        Store::open(&self.database()).unwrap().index_text(source).unwrap();
    }

    fn cache(&self, name: &str, bytes: u64, age: Duration) {
        let path = self.home.cache_dir().join("outputs").join(name);
        home::write_private(&path, &vec![b'x'; usize::try_from(bytes).unwrap()]).unwrap();
        let file = std::fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(SystemTime::now() - age).unwrap();
    }

    fn tasks(&self) -> Vec<String> {
        Tasks::new(self.home.tasks_dir()).list().into_iter().map(|task| task.id).collect()
    }
}

#[test]
fn the_oldest_goes_until_all_fits() {
    let place = Place::new();
    let tasks: Vec<String> = (0..10).map(|n| place.keep(1_000 + n, MB, None)).collect();
    place.cache("ancient", MB, Duration::from_secs(10 * 365 * 86_400));
    assert_eq!((usage(&place.home).tasks, usage(&place.home).cache), (10 * MB, MB));
    assert_eq!(enforce(&place.home, 12 * MB, 5_000), 0);
    // 8 MB less an eighth are 7.
    assert_eq!(enforce(&place.home, 8 * MB, 5_000), 4);
    let mut left = place.tasks();
    left.reverse();
    // The cached file is older than 1970.
    assert_eq!(left, tasks[4..]);
    assert_eq!(enforce(&place.home, 8 * MB, 5_000), 0);
}

#[test]
fn the_newest_and_what_runs_stay_however_little_room_there_is() {
    let place = Place::new();
    let tasks: Vec<String> = (0..6).map(|n| place.keep(1_000 + n, MB, None)).collect();
    // A task of this process, which is alive.
    let running =
        KeptOutput { label: "x", cwd: Path::new("/"), session: None, exit: None, text: b"x", now_ms: 1 };
    let keeper = Tasks::new(place.home.tasks_dir()).record_output(&running).unwrap();
    assert!(ProcessMark::current().is_alive());
    place.cache("being written", MB, Duration::ZERO);
    assert_eq!(enforce(&place.home, 1, 5_000), 2);
    let left: HashSet<String> = place.tasks().into_iter().collect();
    assert!(left.contains(keeper.id()) && tasks[2..].iter().all(|id| left.contains(id)), "{left:?}");
    assert!(place.home.cache_dir().join("outputs/being written").exists());
}

#[cfg(unix)]
#[test]
fn a_file_that_a_run_still_writes_stays_and_others_go_soon() {
    let place = Place::new();
    for n in 0..8 {
        place.cache(&format!("burst {n}"), MB, Duration::from_secs(6 + n));
    }
    place.cache("slow run", MB, Duration::from_secs(600));
    let written = std::fs::File::open(place.home.cache_dir().join("outputs/slow run")).unwrap();
    written.try_lock().unwrap();
    assert_eq!(enforce(&place.home, MB, 5_000), 4);
    assert!(place.home.cache_dir().join("outputs/slow run").exists());
    drop(written);
    assert_eq!(enforce(&place.home, MB, 5_000), 1);
    assert!(!place.home.cache_dir().join("outputs/slow run").exists());
}

#[test]
fn indexed_sources_neither_count_nor_go() {
    let place = Place::new();
    for (n, kind) in [SourceKind::Text, SourceKind::Url, SourceKind::File].into_iter().enumerate() {
        place.index(&format!("mine {n}"), kind, 1);
    }
    assert_eq!(usage(&place.home).all(), 0);
    for n in 0..9 {
        place.index(&format!("output {n}"), SourceKind::Output, 100 + n);
    }
    let before = (usage(&place.home), place.database().metadata().unwrap().len());
    assert!(before.0.outputs > 6 * MB, "{before:?}");
    assert_eq!(enforce(&place.home, MB, 5_000), 5);
    let after = (usage(&place.home), place.database().metadata().unwrap().len());
    assert!(after.1 < before.1 * 8 / 10, "{before:?} {after:?}");
    let left = Store::open(&place.database()).unwrap().sources(0, 20).unwrap().sources;
    let mut labels: Vec<String> = left.into_iter().map(|source| source.label).collect();
    labels.sort();
    assert_eq!(labels, ["mine 0", "mine 1", "mine 2", "output 5", "output 6", "output 7", "output 8"]);
}

#[test]
fn two_at_once_remove_no_more_than_one() {
    let place = Place::new();
    let tasks: Vec<String> = (0..40).map(|n| place.keep(1_000 + n, MB / 4, None)).collect();
    let removed: usize = std::thread::scope(|scope| {
        let both: Vec<_> = (0..4).map(|_| scope.spawn(|| enforce(&place.home, 8 * MB, 5_000))).collect();
        both.into_iter().map(|one| one.join().unwrap()).sum()
    });
    // There are 10 MB, and 7 may stay.
    assert_eq!(removed, 12);
    assert_eq!(place.tasks().len(), 28);
    assert!(tasks[12..].iter().all(|id| place.tasks().contains(id)));
}

#[test]
fn ended_sessions_go_before_running_ones() {
    let place = Place::new();
    let now_ms = i64::try_from(SystemTime::UNIX_EPOCH.elapsed().unwrap().as_millis()).unwrap();
    let beat = heartbeats::Heartbeat {
        pid: std::process::id(),
        agent: "claude-code".into(),
        session: Some("living".into()),
        project: "/".into(),
        started_ms: now_ms,
        touched_ms: now_ms,
    };
    heartbeats::write(&place.home, &beat).unwrap();
    let living: Vec<String> = (0..5).map(|n| place.keep(1_000 + n, MB, Some("living"))).collect();
    for n in 0..8 {
        place.keep(2_000 + n, MB, Some("over"));
    }
    place.keep(3_000, MB, None);
    assert_eq!(enforce(&place.home, 13 * MB, now_ms), 3);
    assert!(living.iter().all(|id| place.tasks().contains(id)));
    heartbeats::remove(&place.home, std::process::id());
}

#[test]
fn the_limit_is_checked_after_every_sixteenth_of_growth() {
    let place = Place::new();
    assert!(!is_due(&place.home, 16 * MB));
    home::add_growth(&place.home, MB);
    assert!(is_due(&place.home, 16 * MB));
    enforce(&place.home, 16 * MB, 1);
    assert!(!is_due(&place.home, 16 * MB));
}
