//! Saved prompts and templates: every version is kept, the newest applies. What a project saved under several keys, such as
//! before and after its remote was renamed, is one history.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension, Row};
use serde_json::Value;

use super::SqliteStore;
use super::entities::{own_project, visible_projects};
use super::erase::plan_erasure;
use super::records::note;
use crate::domain::{Domain, RecordKind, is_shared_project};
use crate::prompts::{Kind, PromptBody, Saved};
use crate::query::Scope;
use crate::store::{Checked, Result};

const COLUMNS: &str =
    "kind, domain, name, version, description, content, variables, tags, format, created_ms";

impl SqliteStore {
    /// Saves a text; returns its version. Saving an unchanged text adds no version.
    ///
    /// # Errors
    /// If the database fails.
    pub fn save_prompt(&mut self, scope: &Scope, new: &Checked<Saved>) -> Result<u32> {
        let new = new.get();
        let project = place(new.domain, scope).to_owned();
        Ok(home::write(&mut self.db, |db| {
            let all = history(db, scope, (new.kind, new.name.as_str()), new.domain)?;
            if let Some(newest) = all.last()
                && let Some(known) = read(db, newest)?
            {
                let same = Saved { version: known.version, created_ms: known.created_ms, ..new.clone() };
                // Others who share the current key don't have what was saved under an earlier one.
                if same == known && (newest.project == project || !is_shared(new.domain, &project)) {
                    return Ok(known.version);
                }
            }
            let under_this_key = all.iter().filter(|one| one.project == project);
            let version = under_this_key.map(|one| one.stored).max().unwrap_or(0) + 1;
            // Versions are in the order of time, so whatever the clock says, this one came after the others.
            let latest = all.last().map_or(i64::MIN, |one| one.at_ms.saturating_add(1));
            let saved = Saved { version, created_ms: new.created_ms.max(latest), ..new.clone() };
            insert(db, &project, &saved)?;
            note_record(db, &project, (&record_key(&saved), &saved), saved.created_ms)?;
            Ok(all.last().map_or(0, |one| one.number) + 1)
        })?)
    }

    /// Every version of a text, newest first.
    ///
    /// # Errors
    /// If the database fails.
    pub fn prompt_versions(
        &self,
        scope: &Scope,
        (kind, name): (Kind, &str),
        domain: Domain,
    ) -> Result<Vec<Saved>> {
        self.look(|db| {
            let all = history(db, scope, (kind, name), domain)?;
            all.iter().rev().filter_map(|one| read(db, one).transpose()).collect()
        })
    }

    /// Restores deleted versions, under the keys that others had them by; returns `false` and changes nothing if the name is
    /// taken.
    ///
    /// # Errors
    /// If the database fails.
    pub fn restore_prompt(&mut self, scope: &Scope, versions: &[Checked<Saved>], at_ms: i64) -> Result<bool> {
        Ok(home::write(&mut self.db, |db| {
            for one in versions.iter().map(Checked::get) {
                if !history(db, scope, (one.kind, one.name.as_str()), one.domain)?.is_empty() {
                    return Ok(false);
                }
            }
            for one in versions.iter().map(Checked::get) {
                let (project, key) = deleted_under(db, scope, one)?
                    .unwrap_or_else(|| (place(one.domain, scope).to_owned(), record_key(one)));
                insert(db, &project, one)?;
                note_record(db, &project, (&key, one), at_ms)?;
            }
            Ok(true)
        })?)
    }

    /// The newest version of each text in scope, by name, once for all keys of a project; the project's before the user's
    /// before the organisation's.
    ///
    /// # Errors
    /// If the database fails.
    pub fn prompts(&self, scope: &Scope, kind: Kind) -> Result<Vec<Saved>> {
        self.look(|db| {
            let (everywhere, seen) = visible_projects(scope);
            let under_each_key = db
                .prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM prompts p WHERE kind = ?1
                        AND (?2 OR domain <> 'project' OR project IN (SELECT value FROM json_each(?3)))
                        AND version = (SELECT max(version) FROM prompts o WHERE o.kind = p.kind AND o.domain = p.domain
                                          AND o.project = p.project AND o.name = p.name)
                     ORDER BY name, CASE domain WHEN 'project' THEN 0 WHEN 'user' THEN 1 ELSE 2 END, project <> ?4, row"
                ))?
                .query_map((kind.as_str(), everywhere, seen, own_project(scope)), saved)?
                .collect::<rusqlite::Result<Vec<Saved>>>()?;
            let mut all: Vec<Saved> = Vec::new();
            for one in under_each_key {
                let is_known = !everywhere
                    && all.last().is_some_and(|last| last.domain == one.domain && last.name == one.name);
                if is_known {
                    let versions = history(db, scope, (kind, one.name.as_str()), one.domain)?;
                    let newest = versions.last().map(|newest| read(db, newest)).transpose()?.flatten();
                    if let (Some(last), Some(newest)) = (all.last_mut(), newest) {
                        *last = newest;
                    }
                } else {
                    all.push(one);
                }
            }
            Ok(all)
        })
    }

    /// A saved text: the newest version, or this one.
    ///
    /// # Errors
    /// If the database fails.
    pub fn prompt(
        &self,
        scope: &Scope,
        (kind, name): (Kind, &str),
        domain: Option<Domain>,
        version: Option<u32>,
    ) -> Result<Option<Saved>> {
        self.look(|db| {
            let domains = [Domain::Project, Domain::User, Domain::Org];
            for domain in domains.into_iter().filter(|one| domain.is_none_or(|wanted| wanted == *one)) {
                let all = history(db, scope, (kind, name), domain)?;
                let found = match version {
                    Some(number) => all.iter().find(|one| one.number == number),
                    None => all.last(),
                };
                if let Some(found) = found
                    && let Some(saved) = read(db, found)?
                {
                    return Ok(Some(saved));
                }
            }
            Ok(None)
        })
    }

    /// Deletes a text with all its versions; returns whether it existed.
    ///
    /// # Errors
    /// If the database fails.
    pub fn delete_prompt(
        &mut self,
        scope: &Scope,
        (kind, name): (Kind, &str),
        domain: Domain,
        at_ms: i64,
    ) -> Result<bool> {
        let gone = home::write(&mut self.db, |db| {
            let versions = history(db, scope, (kind, name), domain)?;
            let projects: BTreeSet<String> = versions.into_iter().map(|one| one.project).collect();
            let mut gone = 0;
            for project in &projects {
                if is_shared(domain, project) {
                    for key in keys(db, project, kind, name)? {
                        note(db, (project.as_str(), RecordKind::Prompt), &key, None, at_ms)?;
                    }
                }
                gone += db.execute(
                    "DELETE FROM prompts WHERE kind = ?1 AND domain = ?2 AND project = ?3 AND name = ?4",
                    (kind.as_str(), domain.as_str(), project, name),
                )?;
            }
            if gone > 0 {
                plan_erasure(db)?;
            }
            Ok(gone)
        })? > 0;
        if gone {
            self.erase_leftovers();
        }
        Ok(gone)
    }
}

/// Whether other computers can have texts of this domain and project.
fn is_shared(domain: Domain, project: &str) -> bool {
    match domain {
        Domain::Project => is_shared_project(project),
        Domain::User => false,
        Domain::Org => true,
    }
}

/// The key of a version's record.
fn record_key(saved: &Saved) -> String {
    format!("{}/{}/{}/{}", saved.kind.as_str(), saved.name, saved.created_ms, saved.version)
}

/// Records a version for other computers, under the key of a record.
fn note_record(
    db: &Connection,
    project: &str,
    (key, saved): (&str, &Saved),
    at_ms: i64,
) -> rusqlite::Result<()> {
    if !is_shared(saved.domain, project) {
        return Ok(());
    }
    let body = serde_json::to_value(PromptBody::from(saved)).ok();
    note(db, (project, RecordKind::Prompt), key, body, at_ms)
}

/// The keys of a text's recorded versions.
fn keys(db: &Connection, project: &str, kind: Kind, name: &str) -> rusqlite::Result<Vec<String>> {
    db.prepare_cached(
        "SELECT key FROM records WHERE place = ?1 AND what = 'prompt' AND key >= ?2 AND key < ?2 || '~' AND body IS NOT NULL",
    )?
    .query_map((project, format!("{}/{name}/", kind.as_str())), |r| r.get(0))?
    .collect()
}

/// The project's key under which others were told that a version is deleted, and the key of that record; the current key
/// if that is one.
fn deleted_under(db: &Connection, scope: &Scope, one: &Saved) -> rusqlite::Result<Option<(String, String)>> {
    if one.domain != Domain::Project {
        return Ok(None);
    }
    let (_, seen) = visible_projects(scope);
    let beginning = format!("{}/{}/{}/", one.kind.as_str(), one.name, one.created_ms);
    db.prepare_cached(
        "SELECT place, key FROM records
         WHERE place IN (SELECT value FROM json_each(?1)) AND place <> '' AND what = 'prompt'
            AND key >= ?2 AND key < ?2 || '~' AND body IS NULL
         ORDER BY place <> ?3, place, key LIMIT 1",
    )?
    .query_row((seen, beginning, own_project(scope)), |r| Ok((r.get(0)?, r.get(1)?)))
    .optional()
}

pub(super) fn insert(db: &Connection, project: &str, new: &Saved) -> rusqlite::Result<()> {
    let list = |value: serde_json::Result<Value>| value.unwrap_or(Value::Array(Vec::new())).to_string();
    db.execute(
        "INSERT INTO prompts(kind, domain, project, name, version, description, content, variables, tags, format, created_ms)
         VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        rusqlite::params![
            new.kind.as_str(),
            new.domain.as_str(),
            project,
            new.name,
            new.version,
            new.description,
            new.content,
            list(serde_json::to_value(&new.variables)),
            list(serde_json::to_value(&new.tags)),
            new.format,
            new.created_ms,
        ],
    )
    .map(|_| ())
}

/// Only the project's own texts belong to it.
fn place(domain: Domain, scope: &Scope) -> &str {
    if domain == Domain::Project { own_project(scope) } else { "" }
}

/// A version of a text, without the text.
struct Version {
    row: i64,
    /// The key of the project that saved it.
    project: String,
    /// Its number under that key.
    stored: u32,
    /// Its number in the text's history.
    number: u32,
    /// When it was saved; never before the versions under its key that it follows.
    at_ms: i64,
}

/// Every version of a text, oldest first, under whichever of the project's keys it was saved. Under one key their order is
/// that of their numbers, whatever the clock says.
fn history(
    db: &Connection,
    scope: &Scope,
    (kind, name): (Kind, &str),
    domain: Domain,
) -> rusqlite::Result<Vec<Version>> {
    let (here, (_, seen)) = (place(domain, scope), visible_projects(scope));
    let mut all: Vec<Version> = db
        .prepare_cached(
            "SELECT row, project, version, max(created_ms) OVER (PARTITION BY project ORDER BY version) AS at
             FROM prompts WHERE kind = ?1 AND name = ?2 AND domain = ?3
                AND (domain <> 'project' OR project <> '' AND project IN (SELECT value FROM json_each(?4)))
             ORDER BY at, project = ?5, project, version",
        )?
        .query_map((kind.as_str(), name, domain.as_str(), seen, here), |r| {
            Ok(Version { row: r.get(0)?, project: r.get(1)?, stored: r.get(2)?, number: 0, at_ms: r.get(3)? })
        })?
        .collect::<rusqlite::Result<_>>()?;
    for (number, version) in (1..).zip(&mut all) {
        version.number = number;
    }
    Ok(all)
}

/// A version with its text; `None` if it was deleted meanwhile.
fn read(db: &Connection, version: &Version) -> rusqlite::Result<Option<Saved>> {
    let found = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM prompts WHERE row = ?1"))?
        .query_row([version.row], saved)
        .optional()?;
    Ok(found.map(|found| Saved { version: version.number, ..found }))
}

fn saved(r: &Row<'_>) -> rusqlite::Result<Saved> {
    Ok(Saved {
        kind: if r.get_ref(0)?.as_str()? == "template" { Kind::Template } else { Kind::Prompt },
        domain: Domain::from_name(r.get_ref(1)?.as_str()?).unwrap_or(Domain::Project),
        name: r.get(2)?,
        version: r.get(3)?,
        description: r.get(4)?,
        content: r.get(5)?,
        variables: serde_json::from_str(r.get_ref(6)?.as_str()?).unwrap_or_default(),
        tags: serde_json::from_str(r.get_ref(7)?.as_str()?).unwrap_or_default(),
        format: r.get(8)?,
        created_ms: r.get(9)?,
    })
}
