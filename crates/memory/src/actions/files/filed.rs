//! What a shared file says, and the memories that were read from such files.

use std::collections::BTreeMap;
use std::path::Path;

use super::file_ids::FileIds;
use super::front_matter::split_front_matter;
use super::shared_files::read_file;
use super::stated_end::end_in_words;
use crate::actions::shared_folder::FOLDER;
use crate::domain::{Domain, Namespace, Trust, moment};
use crate::query::{Clause, Field, Filter, Glob, Scope, Selection, Statuses};
use crate::store::{Draft, NewMemory, Secrets};

/// Who changes what a file changes.
pub(super) const REPOSITORY: &str = "repository";
/// Maximum number of files read.
pub(super) const MAX_FILES: usize = 5_000;

/// The files by their source, each with what it says or why it can't be read.
pub(super) type Files = BTreeMap<String, Result<Filed, String>>;

/// The memories imported from the files of a project, whatever their status.
pub(super) fn imported_from_files(scope: Scope, now_ms: i64) -> Selection {
    let clauses = vec![
        Clause::Trust(vec![Trust::Repository]),
        Clause::Domain(vec![Domain::Project]),
        Clause::Text(Field::Source, vec![Glob::new(&format!("{FOLDER}/*"))]),
    ];
    Selection { scope, filter: Filter { clauses, statuses: Statuses::all() }, now_ms }
}

/// Whether a merge left both sides in a text: all of its marks, in their order. One of them may be what a memory is about.
fn has_both_sides(text: &str) -> bool {
    let mut lines = text.lines();
    lines.any(|line| line.starts_with("<<<<<<< "))
        && lines.any(|line| line == "=======")
        && lines.any(|line| line.starts_with(">>>>>>> "))
}

/// What a file says.
pub(super) struct Filed {
    pub(super) text: String,
    pub(super) ids: FileIds,
    pub(super) namespace: Namespace,
    pub(super) created_ms: Option<i64>,
    pub(super) expires_ms: Option<i64>,
    pub(super) new: NewMemory,
}

pub(super) fn parse_file(
    project: Option<&str>,
    now_ms: i64,
    secrets: Secrets,
    path: &Path,
    source: &str,
) -> Result<Filed, String> {
    let text = read_file(path)?;
    if has_both_sides(&text) {
        return Err("a merge left both sides in it; its text from before still counts".into());
    }
    let (front, body) = split_front_matter(&text);
    let namespace = front.one("namespace").ok_or("it has no namespace in its front matter")?;
    let namespace = Namespace::parse(namespace).map_err(|unknown| format!("its {unknown}"))?;
    let mut draft = Draft {
        project: project.map(str::to_owned),
        source: Some(source.to_owned()),
        file: front.one("file").map(str::to_owned),
        author: front.one("author").map(str::to_owned),
        tags: front.all("tags"),
        trust: Trust::Repository,
        ..Draft::new(body.trim_end(), namespace, Domain::Project)
    };
    draft.client = Some(REPOSITORY.into());
    let expires_ms = front
        .one("expires")
        .map(|at| end_in_words(at, now_ms).map_err(|why| format!("its expires: {why}")))
        .transpose()?
        .flatten();
    // A file whose end is past isn't imported.
    draft.ttl_ms = expires_ms.map(|at| at.saturating_sub(now_ms).max(1));
    let new = draft.check(secrets).map_err(|error| error.to_string())?;
    let ids = FileIds::in_front_matter(&front);
    let created_ms = front.one("created").and_then(|at| moment(at, now_ms).ok());
    Ok(Filed { ids, namespace, created_ms, expires_ms, new, text })
}
