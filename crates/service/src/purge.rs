//! What a purge deletes besides the knowledge base: recorded sessions, what each system reports (kept outputs, cached
//! texts), and with everything the copies of damaged databases. It is deleted permanently; only stored text goes to the trash.
//! Totals stay.

use std::collections::BTreeMap;
use std::path::PathBuf;

use contract::{Amount, Error, ErrorCode, count};
use home::Home;
use serde::Serialize;
use sessions::{Guest, RecordCounts, RecordScope, Sessions};
use system::{DataScope, PurgedData, System};

use crate::failure;

/// What is or would be deleted, by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Forgotten(Vec<PurgedData>);

impl Forgotten {
    pub(crate) fn is_nothing(&self) -> bool {
        self.0.iter().all(|gone| gone.number == 0)
    }

    /// The same for the window: what is recorded about sessions as one number, each other kind by its name.
    pub(crate) fn by_kind(&self, guests: &[&'static Guest]) -> contract::desktop::Forgotten {
        let mut all = contract::desktop::Forgotten::default();
        for gone in self.0.iter().filter(|gone| gone.number > 0) {
            let recorded = ["events", "calls"].contains(&gone.what)
                || guests.iter().any(|guest| guest.table == gone.what);
            match gone.what {
                _ if recorded => all.records += gone.number,
                "outputs" => all.outputs += gone.number,
                "files" => all.files += gone.number,
                other => *all.others.entry(other.to_owned()).or_default() += gone.number,
            }
        }
        all
    }
}

impl std::fmt::Display for Forgotten {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let printed = |gone: &PurgedData| {
            let size =
                gone.bytes.map(|(_, bytes)| format!(" ({})", Amount::bytes(bytes))).unwrap_or_default();
            format!("{}{size}", count(gone.number, gone.one))
        };
        let parts: Vec<String> = self.0.iter().filter(|gone| gone.number > 0).map(printed).collect();
        match parts.split_last() {
            None => write!(f, "nothing"),
            Some((only, [])) => write!(f, "{only}"),
            Some((last, before)) => write!(f, "{} and {last}", before.join(", ")),
        }
    }
}

impl Serialize for Forgotten {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(
            self.0.iter().flat_map(|gone| [Some((gone.what, gone.number)), gone.bytes]).flatten(),
        )
    }
}

/// What [`forget`] would remove.
pub(crate) fn preview(
    home: &Home,
    systems: &[&'static System],
    which: &DataScope,
) -> Result<Forgotten, Error> {
    let guests = system::guests(systems);
    let recorded =
        match Sessions::open_read_only(home, &guests).map_err(|error| failure::from_storage(&error))? {
            Some(sessions) => {
                sessions.count_records(&records(which)).map_err(|error| failure::from_storage(&error))?
            }
            None => RecordCounts::default(),
        };
    let mut found = record_deletions(&recorded, &guests);
    for forget in systems.iter().filter_map(|system| system.purge) {
        found.extend((forget.preview)(home, which)?);
    }
    found.push(damaged_files(&damaged_copies(home, systems, which)));
    Ok(Forgotten(found))
}

/// Deletes it permanently.
pub(crate) fn forget(
    home: &Home,
    systems: &[&'static System],
    which: &DataScope,
) -> Result<Forgotten, Error> {
    let guests = system::guests(systems);
    let mut copies = damaged_copies(home, systems, which);
    let recorded = if sessions::has_records(home) {
        let removed = Sessions::open(home, &guests).and_then(|mut open| open.forget_records(&records(which)));
        removed.map_err(|error| failure::from_storage(&error))?
    } else {
        RecordCounts::default()
    };
    let mut gone = record_deletions(&recorded, &guests);
    for forget in systems.iter().filter_map(|system| system.purge) {
        gone.extend((forget.delete)(home, which)?);
    }
    // Opening a damaged one has made a copy just now.
    copies.extend(damaged_copies(home, systems, which));
    gone.push(damaged_files(&copies));
    let mut failed = None;
    for copy in copies.keys().filter(|copy| copy.exists()) {
        if let Err(error) = home::remove_damaged_copy(copy) {
            failed = failed.or(Some(home::file_problem(copy.as_path(), &error)));
        }
    }
    failed.map_or(Ok(Forgotten(gone)), |problem| Err(Error::new(ErrorCode::Storage, problem)))
}

/// The copies that were kept of databases that were found damaged, each with its size: with everything all of them. What is one
/// project's can't be taken out of one.
fn damaged_copies(home: &Home, systems: &[&'static System], which: &DataScope) -> BTreeMap<PathBuf, u64> {
    if *which != DataScope::All {
        return BTreeMap::new();
    }
    let of_systems = systems.iter().flat_map(|system| (system.databases)(home));
    let databases = std::iter::once(home.main_db()).chain(of_systems.map(|database| database.path));
    let with_size = |copy: PathBuf| {
        let size = std::fs::metadata(&copy).map_or(0, |meta| meta.len());
        (copy, size)
    };
    databases.flat_map(|path| home::damaged_copies(&path)).map(with_size).collect()
}

fn damaged_files(copies: &BTreeMap<PathBuf, u64>) -> PurgedData {
    PurgedData {
        what: "damaged_copies",
        one: "damaged file",
        number: copies.len() as u64,
        bytes: Some(("damaged_copies_bytes", copies.values().sum())),
    }
}

/// Deletions from the sessions' record: events, systems' tables, calls.
fn record_deletions(recorded: &RecordCounts, guests: &[&'static Guest]) -> Vec<PurgedData> {
    let of = |what, one, number| PurgedData { what, one, number, bytes: None };
    let rows = |table: &str| {
        recorded.guests.iter().filter(|guest| guest.table == table).map(|guest| guest.rows).sum()
    };
    let mut gone = vec![of("events", "recorded event", recorded.events)];
    gone.extend(guests.iter().map(|guest| of(guest.table, guest.one, rows(guest.table))));
    gone.push(of("calls", "recorded call", recorded.calls));
    gone
}

fn records(which: &DataScope) -> RecordScope {
    match which {
        DataScope::All => RecordScope::All,
        DataScope::Project(root) => RecordScope::Project(root.display().to_string()),
        DataScope::Session(session) => RecordScope::Session(session.clone()),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use sandbox::task::{KeptOutput, Tasks};
    use sessions::NewEvent;

    use super::*;
    use crate::SYSTEMS;

    fn keep(home: &Home, cwd: &Path, session: &str) {
        let (label, session, exit) = ("make", Some(session), None);
        let kept = KeptOutput { label, cwd, session, exit, text: b"twelve bytes", now_ms: 5 };
        Tasks::new(home.tasks_dir()).keep(&kept).unwrap();
        let event = NewEvent {
            session: session.unwrap_or_default().into(),
            agent: "codex".into(),
            project: cwd.display().to_string(),
            kind: "prompt".into(),
            ..NewEvent::default()
        };
        Sessions::open(home, &system::guests(SYSTEMS)).unwrap().record(&event).unwrap();
    }

    #[test]
    fn the_window_gets_each_kind_by_its_name() {
        let of = |what, number| PurgedData { what, one: "thing", number, bytes: None };
        let guests = system::guests(SYSTEMS);
        let mut gone = vec![of("events", 5), of("calls", 2), of("outputs", 3), of("files", 4)];
        gone.extend([of("memories", 7), of("things", 1), of("nothings", 0)]);
        gone.extend(guests.iter().map(|guest| of(guest.table, 1)));
        let told = Forgotten(gone).by_kind(&guests);
        assert_eq!((told.records, told.outputs, told.files), (7 + guests.len() as u64, 3, 4));
        let others = BTreeMap::from([("memories".to_owned(), 7), ("things".to_owned(), 1)]);
        assert_eq!(told.others, others);
    }

    #[test]
    fn a_purge_removes_what_it_named_before() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("plimsoll"));
        home.ensure().unwrap();
        let (shop, other) = (dir.path().join("shop"), dir.path().join("shopping"));
        keep(&home, &shop, "a");
        keep(&home, &shop.join("api"), "b");
        keep(&home, &other, "b");
        keep(&home, &other, "c");
        for file in ["cache/reads/x.json", "cache/outputs/out-1.log", "downloads/host/page.bin"] {
            let path = home.root().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "text").unwrap();
        }
        std::fs::write(home.cache_dir().join("runtimes.json"), "{}").unwrap();
        for (which, printed) in [
            (DataScope::Session("a".into()), "1 recorded event and 1 kept output (12 B)"),
            (DataScope::Project(shop), "1 recorded event and 1 kept output (12 B)"),
            (
                DataScope::All,
                "2 recorded events, 2 kept outputs (24 B) and 3 cached or downloaded files (12 B)",
            ),
        ] {
            let named = preview(&home, SYSTEMS, &which).unwrap();
            assert_eq!(named.to_string(), printed);
            assert_eq!(forget(&home, SYSTEMS, &which).unwrap(), named);
            assert!(preview(&home, SYSTEMS, &which).unwrap().is_nothing());
        }
        assert!(home.cache_dir().join("runtimes.json").exists());
    }

    /// What is purged may still be in a copy that was kept of a damaged file, whichever database that was.
    #[test]
    fn a_purge_of_everything_deletes_the_copies_of_damaged_databases() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("plimsoll"));
        home.ensure().unwrap();
        let project = home.projects_dir().join("shop-1");
        std::fs::create_dir_all(&project).unwrap();
        let databases = [home.main_db(), home.root().join("memory.db"), project.join("knowledge.db")];
        let copies = databases.map(|database| {
            let mut name = database.into_os_string();
            name.push(".damaged-1700000000000");
            PathBuf::from(name)
        });
        for copy in &copies {
            std::fs::write(copy, "walrus").unwrap();
        }
        for (which, printed) in [
            (DataScope::Session("a".into()), "nothing"),
            (DataScope::Project(dir.path().to_owned()), "nothing"),
            (DataScope::All, "3 damaged files (18 B)"),
        ] {
            let named = preview(&home, SYSTEMS, &which).unwrap();
            assert_eq!(named.to_string(), printed);
            assert!(copies.iter().all(|copy| copy.exists()), "{which:?}");
            assert_eq!(forget(&home, SYSTEMS, &which).unwrap(), named);
            assert!(copies.iter().all(|copy| copy.exists() == (which != DataScope::All)), "{which:?}");
        }
    }
}
