//! Which shared files replace which. A file names the ids of what its memory replaced, and a file that another one in the
//! same working tree replaces counts as gone: per branch, so that nothing must be undone when one is switched.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::file_ids::{FileIds, ids_of_several, replaced_by_each};
use super::filed::{Files, MAX_FILES, REPOSITORY, imported_from_files};
use super::front_matter::split_front_matter;
use super::shared_files::read_file;
use crate::actions::context::ActionContext;
use crate::actions::failure::Failure;
use crate::actions::replaced::is_replaced;
use crate::actions::shared_folder::is_from_file;
use crate::domain::{Domain, LinkKind, Memory, Status, Trust};
use crate::store::{Actor, ChangeKind, Page, SqliteStore, Store};

/// How many changes of a memory are looked at.
const MAX_STEPS: usize = 100;

/// What the files of a working tree replace.
pub(super) struct Replacements {
    /// The sources of the files that are replaced.
    pub(super) files: BTreeSet<String>,
    /// The ids that a file replaces, by its source.
    by: BTreeMap<String, Vec<String>>,
    /// The ids that several files have.
    of_several: BTreeSet<String>,
}

impl Replacements {
    /// Whether the file of a memory replaces this id.
    fn names(&self, memory: &Memory, id: &str) -> bool {
        let ids = memory.source.as_ref().and_then(|source| self.by.get(source));
        ids.is_some_and(|ids| ids.iter().any(|one| one == id))
    }

    /// Whether no two files have this id. Of several, all but one are copies with texts of their own, and none takes the place of the
    /// memory with that id.
    pub(super) fn is_of_one_file(&self, id: &str) -> bool {
        !self.of_several.contains(id)
    }
}

/// What these files replace, also those that can't be taken in or that the caller may not read: what is in use depends on
/// neither.
pub(super) fn replacements(root: Option<&Path>, files: &Files) -> Replacements {
    let read = |source: &str| -> Option<FileIds> {
        let text = read_file(&root?.join(source)).ok()?;
        Some(FileIds::in_front_matter(&split_front_matter(&text).0))
    };
    let all_ids: Vec<FileIds> = files
        .iter()
        .enumerate()
        .map(|(number, (source, filed))| match filed {
            Ok(filed) => filed.ids.clone(),
            Err(_) if number < MAX_FILES => read(source).unwrap_or_default(),
            Err(_) => FileIds::default(),
        })
        .collect();
    let by_each = replaced_by_each(&all_ids);
    let replaced: BTreeSet<String> = {
        let ids: BTreeSet<&str> = by_each.iter().flatten().map(String::as_str).collect();
        let is_replaced = |one: &FileIds| one.id.as_deref().is_some_and(|id| ids.contains(id));
        // One that can't be read stays as it is.
        let readable = files.iter().zip(&all_ids).filter(|((_, filed), _)| filed.is_ok());
        readable.filter(|(_, one)| is_replaced(one)).map(|((source, _), _)| source.clone()).collect()
    };
    let by = files.keys().cloned().zip(by_each).filter(|(_, ids)| !ids.is_empty()).collect();
    Replacements { files: replaced, by, of_several: ids_of_several(&all_ids) }
}

/// Whether a memory is one of this project's own, not read from a file. A file's id counts only there: a fork, or somebody
/// else's repository, tells nothing about other projects and about the user.
pub(super) fn is_own_here(context: &ActionContext, memory: &Memory) -> bool {
    let is_here = |key: &str| context.keys().is_some_and(|keys| keys.contains(key));
    !is_from_file(memory)
        && memory.domain == Domain::Project
        && memory.project.as_deref().is_some_and(is_here)
}

/// The user's own memories give way to the files that replace them. Returns how many did.
pub(super) fn replace_own(
    context: &ActionContext,
    store: &mut SqliteStore,
    replacements: &Replacements,
) -> Result<usize, Failure> {
    if replacements.by.is_empty() {
        return Ok(0);
    }
    let who = Actor { client: Some(REPOSITORY.into()), ..context.who.clone() };
    let imported = imported_from_files(context.scope(), context.who.at_ms);
    let mut changed = 0;
    for new in store.list(&imported, Page { offset: 0, limit: usize::MAX / 4 })?.memories {
        let replaced = new.source.as_ref().and_then(|source| replacements.by.get(source));
        for id in replaced.into_iter().flatten().filter(|_| new.status == Status::Active) {
            let own = store.get(id)?.filter(|own| {
                own.status == Status::Active && own.trust != Trust::Repository && is_own_here(context, own)
            });
            if let Some(own) = own {
                store.link(&new.id, &own.id, LinkKind::Supersedes, &who)?;
                changed += 1;
            }
        }
    }
    Ok(changed)
}

/// The user's own memories that a file's memory replaced count again when the file is gone, whatever became of its memory meanwhile, and
/// when it no longer names them: who wrote something has it on every branch, and no file takes it away for good.
pub(super) fn restore_own(
    store: &mut SqliteStore,
    theirs: &Memory,
    files: &Files,
    replacements: &Replacements,
    who: &Actor,
) -> Result<(), Failure> {
    let file = theirs.source.as_ref().and_then(|source| files.get(source));
    // What the user deleted has replaced the own one as long as its file is there, like any memory that was deleted.
    let may_give_back = match theirs.status {
        Status::Active => true,
        Status::Tombstoned => file.is_none(),
        _ => false,
    };
    if !may_give_back {
        return Ok(());
    }
    let still_replaces = |own: &str| match file {
        None => false,
        Some(Ok(filed)) => {
            let has_its_id = filed.ids.id.as_deref() == Some(own);
            has_its_id && replacements.is_of_one_file(own) || replacements.names(theirs, own)
        }
        // One that can't be read stays as it is.
        Some(Err(_)) => true,
    };
    // A memory whose file is there is in use.
    let but = file.map(|_| theirs.id.as_str());
    for link in store.links(&theirs.id)? {
        if link.kind != LinkKind::Supersedes || link.from != theirs.id || still_replaces(&link.to) {
            continue;
        }
        let own = store.get(&link.to)?;
        let own = own.filter(|own| own.status == Status::Superseded && !is_from_file(own));
        if let Some(own) = own
            // What the user merged or replaced isn't given back as long as the file is there.
            && (file.is_none() || was_replaced_by_file(store, &own.id)?)
            && !is_replaced(&*store, &own.id, but)?
        {
            store.set_status(&own.id, Status::Active, who)?;
        }
    }
    Ok(())
}

/// Whether it was a file that replaced a memory, and not the user.
fn was_replaced_by_file(store: &SqliteStore, id: &str) -> Result<bool, Failure> {
    let history = store.history(id, MAX_STEPS)?;
    let replaced = history.into_iter().find(|step| step.what == ChangeKind::Superseded);
    Ok(replaced.is_some_and(|step| step.who.client.as_deref() == Some(REPOSITORY)))
}
