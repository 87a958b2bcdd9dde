//! The trash screen: what purges moved there, restoring it into its project, and emptying it.

use std::path::{Path, PathBuf};

use contract::desktop::{Removed, Restore, TrashRow};
use contract::{Error, ErrorCode, LowerError};
use home::Home;

use super::Desktop;
use crate::age::DAY_MS;
use crate::{failure, messages};

impl Desktop {
    /// Every purge that can still be undone, latest first.
    pub fn trash(&self) -> Vec<TrashRow> {
        let dir = self.service.home().trash_dir();
        let mut known = None;
        let mut rows: Vec<TrashRow> = purges_in(&dir)
            .into_iter()
            .map(|path| {
                let contents = knowledge::read_trash(&path);
                let folder = contents.as_ref().ok().and_then(|found| found.folder.clone());
                let root = folder.as_deref().and_then(|key| self.root_of(key, &mut known));
                let at_ms = purged_ms(&path).unwrap_or_default();
                let (holds, problem) = match contents {
                    Ok(found) => (found.holds, None),
                    Err(error) => (knowledge::PurgeResult::default(), Some(error.message())),
                };
                TrashRow {
                    trash: home::as_text(&path).into_owned(),
                    name: project_name(folder.as_deref(), root.as_deref()),
                    project: folder,
                    at_ms,
                    until_ms: at_ms.saturating_add(i64::from(self.trash_days()).saturating_mul(DAY_MS)),
                    sources: holds.sources,
                    chunks: holds.chunks,
                    bytes: holds.bytes,
                    labels: holds.labels,
                    problem,
                }
            })
            .collect();
        rows.sort_by(|a, b| b.at_ms.cmp(&a.at_ms).then_with(|| b.trash.cmp(&a.trash)));
        rows
    }

    /// Restores from the trash, into the named project or else the one it came from.
    ///
    /// # Errors
    /// If a purge didn't write the file into the trash folder, or if it doesn't record its project and none is named.
    pub fn restore(&self, request: &Restore) -> Result<Removed, Error> {
        let (file, mut project) = self.to_restore(request)?;
        if request.project.is_empty() {
            project = self.library_or_new(project)?;
        }
        let restored = self.with_store_mut(&project, |store| store.restore(&file))?;
        Ok(self.removed(&project, restored))
    }

    /// Whether this can be restored. Changes nothing.
    ///
    /// # Errors
    /// The same as [`Desktop::restore`], as far as they are known before.
    pub fn check_restore(&self, request: &Restore) -> Result<(), Error> {
        self.to_restore(request).map(|_| ())
    }

    /// The file in the trash, and the key of the project that it goes into.
    fn to_restore(&self, request: &Restore) -> Result<(PathBuf, String), Error> {
        let trash = self.service.home().trash_dir();
        // Its own name is plain; the folder's may have come back as JSON has it.
        let file = trash.join(request.trash.file_name().unwrap_or_default());
        if home::as_text(&file) != home::as_text(&request.trash) || !file.is_file() {
            return Err(Error::new(ErrorCode::NotFound, messages::not_in_trash(&request.trash, &trash)));
        }
        let contents = knowledge::read_trash(&file);
        let contents = contents.map_err(|error| failure::from_knowledge(&error))?;
        if !request.project.is_empty() {
            return Ok((file, request.project.clone()));
        }
        let unknown = || Error::new(ErrorCode::InvalidArgument, messages::origin_unknown(&request.trash));
        let project = contents.folder.ok_or_else(unknown)?;
        Ok((file, project))
    }

    /// The key of a project whose knowledge base may be gone; restoring creates it again.
    fn library_or_new(&self, key: String) -> Result<String, Error> {
        if !super::projects::is_key(&key) {
            return Err(Error::new(ErrorCode::NotFound, messages::no_such_project(format!("{key:?}"))));
        }
        let path = self.service.home().projects_dir().join(&key).join("knowledge.db");
        if !path.exists() {
            let made = knowledge::Store::open(&path).map_err(|error| failure::from_knowledge(&error))?;
            drop(made);
        }
        Ok(key)
    }
}

/// The files that purges left in the trash; whatever else is there isn't Plimsoll's.
pub(crate) fn purges_in(trash: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(trash).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| purged_ms(path).is_some()).collect()
}

/// Deletes what earlier purges left in the trash and returns their number.
///
/// # Errors
/// If one can't be deleted; the others are gone all the same.
pub(crate) fn empty_trash(home: &Home) -> Result<u64, Error> {
    let (mut deleted, mut failed) = (0, None);
    for path in purges_in(&home.trash_dir()) {
        match std::fs::remove_file(&path) {
            Ok(()) => deleted += 1,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => failed = failed.or(Some(failure::from_file(&path, &error))),
        }
    }
    failed.map_or(Ok(deleted), Err)
}

/// When a file was moved to the trash, from its name; `None` if a purge didn't write it.
fn purged_ms(path: &Path) -> Option<i64> {
    let name = path.file_name()?.to_str()?.strip_prefix("knowledge-")?.strip_suffix(".db")?;
    name.split('-').next()?.parse().ok()
}

fn project_name(folder: Option<&str>, root: Option<&Path>) -> String {
    let of_root = root.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let of_key = || folder.map(|key| key.rsplit_once('-').map_or(key, |(name, _)| name).to_owned());
    of_root.or_else(of_key).unwrap_or_default()
}

/// The file that the user named, either as `purge` printed it or by its bare file name.
pub fn trash_file(trash: &Path, cwd: &Path, file: &Path) -> PathBuf {
    if file.components().count() == 1 { trash.join(file) } else { cwd.join(file) }
}

#[cfg(test)]
mod tests {
    use contract::desktop::{DeleteSource, PurgeWhat};
    use home::{Clock, Env};
    use knowledge::{NewSource, SourceKind, Store};

    use super::*;
    use crate::Service;

    #[test]
    fn a_purge_comes_back_into_the_project_it_was_taken_from() {
        let dir = tempfile::tempdir().unwrap();
        let service = Service::new(Env::for_test(dir.path()), Clock::fixed(5)).unwrap();
        let home = service.home().clone();
        let desktop = Desktop::new(std::sync::Arc::new(service));
        let keys = ["shop-0000000000000001", "api-0000000000000002"];
        let store = |key: &str| home.projects_dir().join(key).join("knowledge.db");
        for key in keys {
            let (label, content) = (format!("{key} notes"), format!("# {key}\n\nwords of {key}"));
            let source = NewSource {
                label: &label,
                kind: SourceKind::Text,
                origin: None,
                session: None,
                agent: None,
                content: &content,
                format: None,
                now_ms: 5,
            };
            Store::open(&store(key)).unwrap().index_text(source).unwrap();
        }
        let purge = contract::desktop::Purge {
            scope: PurgeWhat::Everything,
            now: false,
            typed: "everything".into(),
            forget: false,
        };
        assert_eq!(desktop.purge(&purge).unwrap().sources, 2);
        let rows = desktop.trash();
        assert_eq!(rows.len(), 2);
        // One knowledge base is gone entirely by now.
        std::fs::remove_dir_all(store(keys[0]).parent().unwrap()).unwrap();
        for row in rows {
            let key = row.project.clone().unwrap();
            assert_eq!((row.sources, row.labels), (1, vec![format!("{key} notes")]));
            let back = desktop.restore(&Restore { project: String::new(), trash: row.trash }).unwrap();
            assert_eq!(back.sources, 1);
            let there = Store::open(&store(&key)).unwrap().source_by_id(1).unwrap();
            assert_eq!(there.label, format!("{key} notes"));
        }
        assert!(desktop.trash().is_empty());
        let one = DeleteSource { project: keys[1].into(), source: 1 };
        let removed = desktop.delete_source(&one).unwrap();
        assert_eq!(removed.trash[0].project, keys[1]);
        // Everything, now: what an earlier purge left, too, and nothing that isn't a purge's.
        let mine = home.trash_dir().join("notes.txt");
        std::fs::write(&mine, "mine").unwrap();
        assert_eq!(desktop.trash().len(), 1);
        let now = contract::desktop::Purge { now: true, ..purge };
        assert_eq!(desktop.purge(&now).unwrap().sources, 1);
        assert!(desktop.trash().is_empty() && mine.exists());
    }
}
