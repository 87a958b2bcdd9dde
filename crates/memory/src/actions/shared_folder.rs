//! The folder of a repository's shared memories: where it is, which files are in it, and which of them a caller may be given.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use system::Readable;

use crate::domain::{Memory, Trust};
use crate::query::{Clause, Field, Glob};
use crate::store::MAX_CONTENT_BYTES;

/// The folder of shared memories, below the project's folder.
pub(crate) const FOLDER: &str = ".plimsoll/memories";
/// With more files that are hidden one by one, the whole folder counts as hidden: a condition can't name any number.
const MAX_HIDDEN: usize = 200;
/// Maximum number of files in which an id is looked for.
const MAX_LOOKED_AT: usize = 5_000;

/// Whether a memory was read from a repository's file.
pub(crate) fn is_from_file(memory: &Memory) -> bool {
    let from = |source: &String| source.strip_prefix(FOLDER).is_some_and(|rest| rest.starts_with('/'));
    memory.trust == Trust::Repository && memory.source.as_ref().is_some_and(from)
}

/// The part of a path below the project's folder that is a symbolic link.
pub(in crate::actions) fn linked_part<'p>(root: &Path, path: &'p Path) -> Option<&'p Path> {
    path.ancestors().take_while(|part| *part != root).find(|part| part.is_symlink())
}

/// The Markdown files of a project's folder of shared memories, found among its first `most` entries, in order. A folder
/// that is a link isn't the repository's: it could be anywhere on the computer.
pub(in crate::actions) fn list_files(root: &Path, most: usize) -> Vec<PathBuf> {
    let folder = root.join(FOLDER);
    if linked_part(root, &folder).is_some() {
        return Vec::new();
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().take(most).flatten();
    let mut all: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .collect();
    all.sort();
    all
}

/// The sources of the files whose id begins like this: as whoever wrote them has it, and not as this computer does.
pub(in crate::actions) fn sources_with_id(root: &Path, id: &str) -> Vec<String> {
    let has_id = |path: &PathBuf| {
        let text = home::read_regular_text(path, MAX_CONTENT_BYTES as u64 + 10_000).unwrap_or_default();
        let front = text.lines().skip(1).take_while(|line| line.trim_end() != "---");
        let mut ids = front.filter_map(|line| line.strip_prefix("id:"));
        ids.next().is_some_and(|filed| {
            let filed = filed.trim().trim_matches(['"', '\'']);
            filed.get(..id.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(id))
        })
    };
    list_files(root, MAX_LOOKED_AT).iter().filter(|path| has_id(path)).map(|path| source_of(path)).collect()
}

/// Which of a project's shared memories the caller's own rules let it read. They also apply to memories in the store
/// that were read from such a file, possibly by somebody else.
#[derive(Debug, Clone)]
pub struct SharedRules {
    root: PathBuf,
    readable: Readable,
    /// Found once per call, because each file must be examined.
    clause: Arc<OnceLock<Option<Clause>>>,
    /// Whether the store has what the folder has: then the sources in use are the files that there are.
    is_current: Arc<AtomicBool>,
}

impl SharedRules {
    /// The rules of a caller in the project in this folder.
    pub fn new(root: &Path, readable: Readable) -> Self {
        Self { root: root.to_owned(), readable, clause: Arc::default(), is_current: Arc::default() }
    }

    /// Records that the folder was read into the store for this call.
    pub(crate) fn set_current(&self) {
        self.is_current.store(true, Ordering::Relaxed);
    }

    /// Whether the folder was read into the store for this call.
    pub(crate) fn is_current(&self) -> bool {
        self.is_current.load(Ordering::Relaxed)
    }

    /// Whether the file with this source may be read.
    pub(crate) fn allows(&self, source: &str) -> bool {
        self.readable.allows(&self.root.join(source))
    }

    /// Whether a memory may be given to the caller.
    pub(crate) fn allows_memory(&self, memory: &Memory) -> bool {
        !is_from_file(memory) || memory.source.as_deref().is_some_and(|source| self.allows(source))
    }

    /// The condition that leaves out the whole folder, if the rules hide it.
    pub(crate) fn whole_folder_clause(&self) -> Option<Clause> {
        let is_hidden = !self.allows(&format!("{FOLDER}/any.md"));
        is_hidden.then(without_folder)
    }

    /// The condition that leaves out what the rules hide of the files that there are; `None` if they hide nothing.
    pub(crate) fn clause(&self) -> Option<Clause> {
        self.clause.get_or_init(|| self.clause_with(Vec::new())).clone()
    }

    /// The same with these sources, whose files may be gone, as on another branch.
    pub(crate) fn clause_with(&self, known: Vec<String>) -> Option<Clause> {
        if let Some(whole) = self.whole_folder_clause() {
            return Some(whole);
        }
        let files = list_files(&self.root, usize::MAX);
        let sources: BTreeSet<String> = files.iter().map(|path| source_of(path)).chain(known).collect();
        let hidden: Vec<Glob> = sources
            .iter()
            .filter(|source| !self.allows(source))
            .map(|source| Glob::literal(source))
            .collect();
        match hidden.len() {
            0 => None,
            1..=MAX_HIDDEN => Some(without(hidden)),
            _ => Some(without_folder()),
        }
    }
}

/// The condition that leaves out everything that was read from the folder.
pub(crate) fn without_folder() -> Clause {
    without(vec![Glob::new(&format!("{FOLDER}/*"))])
}

fn without(sources: Vec<Glob>) -> Clause {
    Clause::Not(Box::new(Clause::Text(Field::Source, sources)))
}

/// The source of the memory in a file.
pub(crate) fn source_of(path: &Path) -> String {
    format!("{FOLDER}/{}", path.file_name().unwrap_or_default().to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_listed_as_far_as_is_asked() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join(FOLDER);
        std::fs::create_dir_all(&folder).unwrap();
        for n in 0..20 {
            std::fs::write(folder.join(format!("decisions-{n:02}.md")), "x").unwrap();
            std::fs::write(folder.join(format!("{n:02}.txt")), "x").unwrap();
        }
        let all = list_files(dir.path(), 100);
        assert_eq!(all.len(), 20);
        assert!(all.is_sorted());
        for most in [0, 1, 7] {
            let some = list_files(dir.path(), most);
            assert!(some.len() <= most && some.iter().all(|path| all.contains(path)), "{some:?}");
        }
        assert!(list_files(&dir.path().join("none"), 100).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_is_a_link_is_not_the_repositorys() {
        for part in [".plimsoll", FOLDER] {
            let (dir, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
            let folder =
                elsewhere.path().join(FOLDER.strip_prefix(part).unwrap_or_default().trim_start_matches('/'));
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("decisions-a.md"), "x").unwrap();
            let link = dir.path().join(part);
            std::fs::create_dir_all(link.parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(elsewhere.path(), &link).unwrap();
            assert!(dir.path().join(FOLDER).join("decisions-a.md").exists(), "{part}");
            assert_eq!(list_files(dir.path(), 100), Vec::<PathBuf>::new(), "{part}");
        }
    }

    #[test]
    fn rules_hide_the_folder_or_some_of_its_files() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join(FOLDER);
        std::fs::create_dir_all(&folder).unwrap();
        for n in 0..300 {
            std::fs::write(folder.join(format!("decisions-{n:03}.md")), "x").unwrap();
        }
        let hiding = |word: &'static str| {
            let readable =
                Readable::new(move |path| word.is_empty() || !path.to_string_lossy().contains(word));
            SharedRules::new(dir.path(), readable)
        };
        let gone = || vec![source_of(Path::new("gone-9.md"))];
        let not = |all: Vec<Glob>| Some(Clause::Not(Box::new(Clause::Text(Field::Source, all))));
        let whole = || not(vec![Glob::new(".plimsoll/memories/*")]);
        assert_eq!((hiding("").clause(), hiding("").clause_with(gone())), (None, None));
        let one = hiding("decisions-017").clause();
        assert_eq!(one, not(vec![Glob::literal(".plimsoll/memories/decisions-017.md")]));
        assert_eq!(hiding("gone-9").clause(), None, "it isn't there");
        let one = hiding("gone-9").clause_with(gone());
        assert_eq!(one, not(vec![Glob::literal(".plimsoll/memories/gone-9.md")]));
        assert_eq!(hiding(".plimsoll").clause(), whole());
        assert_eq!(hiding("decisions-").clause(), whole(), "too many to name");
    }
}
