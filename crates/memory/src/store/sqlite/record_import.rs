//! Applies records from other computers to the tables that are read: prompts, entities, relations, links. A record
//! that can't be parsed or refers to something unknown is kept and changes nothing.

use rusqlite::{Connection, OptionalExtension};
use serde_json::{Value, json};

use super::entities::{absorb, add_name, entity_row, relate, set_validity};
use super::erase::plan_erasure;
use super::prompts::insert;
use super::records::of_key;
use super::write::write_link;
use super::{SqliteStore, records};
use crate::domain::{Domain, LinkKind, Record, RecordKind, record_scope};
use crate::graph::{EntityBody, EntityKind, FoundEntity, RelationBody, RelationKind, folded};
use crate::prompts::{Kind, PromptBody, Saved, is_name as is_prompt_name};
use crate::store::Result;

impl SqliteStore {
    pub(super) fn apply_records(&mut self, records: &[Record]) -> Result<u64> {
        let (applied, removed) = home::write(&mut self.db, |db| {
            let (mut new, mut removed): (Vec<&Record>, bool) = (Vec::new(), false);
            for record in records {
                let known = records::find_by_key(db, record)?;
                if known.as_ref().is_none_or(|known| record.wins_over(known)) {
                    records::write(db, record, false)?;
                    new.push(record);
                    removed |= record.body.is_none() && known.is_some_and(|known| known.body.is_some());
                }
            }
            // Creations before deletions: an entity that another one was merged into takes over its names first.
            new.sort_by_key(|record| (record.kind, record.body.is_none()));
            for record in &new {
                // Only the winner of several with one key.
                if records::find_by_key(db, record)?.as_ref() == Some(*record) {
                    removed |= apply(db, record)?;
                }
            }
            // A memory that others deleted is deleted here as well.
            if removed {
                plan_erasure(db)?;
            }
            Ok((new.len() as u64, removed))
        })?;
        if removed {
            self.erase_leftovers();
        }
        Ok(applied)
    }
}

/// Applies a record; returns whether that removed an entity or a relation. A prompt has a record of each version, so that
/// tells.
fn apply(db: &Connection, record: &Record) -> rusqlite::Result<bool> {
    match record.kind {
        RecordKind::Prompt => prompt(db, record).map(|()| false),
        RecordKind::Entity => entity(db, record),
        RecordKind::Relation => relation(db, record),
        RecordKind::Link => link(db, record).map(|()| false),
    }
}

fn body<T: serde::de::DeserializeOwned>(record: &Record) -> Option<T> {
    let read = record.body.as_deref().map(serde_json::from_str);
    match read? {
        Ok(body) => Some(body),
        Err(error) => {
            log::warn!("a {} of the team can't be read: {error}", record.kind.as_str());
            None
        }
    }
}

/// Rewrites all versions of a record's prompt, numbered in the order in which they were saved.
fn prompt(db: &Connection, record: &Record) -> rusqlite::Result<()> {
    let mut parts = record.key.split('/');
    let (Some(kind), Some(name)) =
        (parts.next().and_then(Kind::from_name), parts.next().filter(|n| is_prompt_name(n)))
    else {
        log::warn!("a prompt of the team has no name that can be used");
        return Ok(());
    };
    let domain = if record.place.is_empty() { Domain::Org } else { Domain::Project };
    let beginning = format!("{}/{name}/", kind.as_str());
    let mut versions: Vec<(i64, String, PromptBody)> = Vec::new();
    let mut read = db.prepare_cached(
        "SELECT key, body, at_ms FROM records WHERE place = ?1 AND what = 'prompt' AND key >= ?2 AND key < ?2 || '~' AND body IS NOT NULL",
    )?;
    let mut found = read.query((&record.place, &beginning))?;
    while let Some(r) = found.next()? {
        let one = Record { key: r.get(0)?, body: r.get(1)?, at_ms: r.get(2)?, ..record.clone() };
        if let Some(body) = body::<PromptBody>(&one) {
            versions.push((body.created_ms, one.key, body));
        }
    }
    versions.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    db.prepare_cached("DELETE FROM prompts WHERE kind = ?1 AND domain = ?2 AND project = ?3 AND name = ?4")?
        .execute((kind.as_str(), domain.as_str(), &record.place, name))?;
    for (version, (created_ms, _, body)) in (1..).zip(versions) {
        let saved = Saved {
            kind,
            domain,
            name: name.to_owned(),
            version,
            description: body.description,
            content: body.content,
            variables: body.variables,
            tags: body.tags,
            format: body.format,
            created_ms,
        };
        insert(db, &record.place, &saved)?;
    }
    Ok(())
}

fn row_of(db: &Connection, place: &str, id: &str) -> rusqlite::Result<Option<i64>> {
    db.prepare_cached("SELECT row FROM entities WHERE project = ?1 AND id = ?2")?
        .query_row((place, id), |r| r.get(0))
        .optional()
}

fn entity(db: &Connection, record: &Record) -> rusqlite::Result<bool> {
    let (place, id) = (record.place.as_str(), record.key.as_str());
    let Some(given) = body::<EntityBody>(record) else {
        if record.body.is_some() {
            return Ok(false);
        }
        let gone =
            db.prepare_cached("DELETE FROM entities WHERE project = ?1 AND id = ?2")?.execute((place, id))?;
        return Ok(gone > 0);
    };
    let row = match row_of(db, place, id)? {
        Some(row) => row,
        None => {
            db.prepare_cached(
                "INSERT INTO entities(id, project, kind, name, aliases, properties, confidence, created_ms)
                 VALUES(?1, ?2, ?3, ?4, '[]', '{}', 1, ?5)",
            )?
            .execute((id, place, given.kind.as_str(), &given.name, record.at_ms))?;
            db.last_insert_rowid()
        }
    };
    for name in given.aliases.iter().chain([&given.name]).map(|name| folded(name)) {
        let others: Option<(i64, String)> = db
            .prepare_cached(
                "SELECT e.row, e.id FROM names n JOIN entities e ON e.row = n.entity
                 WHERE n.name = ?1 AND n.project = ?2 AND e.row <> ?3",
            )?
            .query_row((&name, place, row), |r| Ok((r.get(0)?, r.get(1)?)))
            .optional()?;
        if let Some((other, other_id)) = others {
            // A manually created entity keeps its names; one found by rules is now known to be this one.
            let by_hand = of_key(db, place, RecordKind::Entity, &other_id)?;
            if by_hand.is_none_or(|record| record.body.is_none()) {
                absorb(db, row, other, place)?;
            }
        }
        add_name(db, row, place, &name)?;
    }
    db.prepare_cached(
        "UPDATE entities SET kind = ?2, name = ?3, aliases = ?4, properties = ?5, confidence = 1 WHERE row = ?1",
    )?
    .execute((
        row,
        given.kind.as_str(),
        &given.name,
        json!(given.aliases).to_string(),
        Value::Object(given.properties).to_string(),
    ))
    .map(|_| false)
}

fn relation(db: &Connection, record: &Record) -> rusqlite::Result<bool> {
    let parts: Vec<&str> = record.key.split('/').collect();
    let [from, to, kind] = parts.as_slice() else { return Ok(false) };
    let Ok(kind) = RelationKind::parse(kind) else { return Ok(false) };
    let place = record.place.as_str();
    let Some(given) = body::<RelationBody>(record) else {
        if record.body.is_none()
            && let (Some(source), Some(target)) = (row_of(db, place, from)?, row_of(db, place, to)?)
        {
            let gone = db
                .prepare_cached("DELETE FROM relations WHERE source = ?1 AND target = ?2 AND kind = ?3")?
                .execute((source, target, kind.as_str()))?;
            return Ok(gone > 0);
        }
        return Ok(false);
    };
    // An entity that was removed later isn't created again, unless another entity has its name now.
    for (id, name) in [(from, &given.from.name), (to, &given.to.name)] {
        let removed = of_key(db, place, RecordKind::Entity, id)?
            .is_some_and(|known| known.body.is_none() && known.at_ms >= record.at_ms);
        if removed && row_of(db, place, id)?.is_none() && !is_name(db, place, name)? {
            return Ok(false);
        }
    }
    let end = |id: &str, name: &str, kind: EntityKind| -> rusqlite::Result<i64> {
        match row_of(db, place, id)? {
            Some(row) => Ok(row),
            // Mentioned only by another computer's memories.
            None => entity_row(
                db,
                place,
                &FoundEntity { name: name.to_owned(), kind, confidence: 0.9 },
                record.at_ms,
            ),
        }
    };
    let source = end(from, &given.from.name, given.from.kind)?;
    let target = end(to, &given.to.name, given.to.kind)?;
    if source == target {
        return Ok(false);
    }
    let properties = Value::Object(given.properties).to_string();
    let confidence = given.confidence.clamp(0.0, 1.0);
    relate(db, source, target, kind.as_str(), confidence, &properties, record.at_ms)?;
    let valid = (given.since_ms, given.until_ms);
    set_validity(db, source, target, kind.as_str(), valid).map(|()| false)
}

/// Whether an entity has this name.
fn is_name(db: &Connection, place: &str, name: &str) -> rusqlite::Result<bool> {
    db.prepare_cached("SELECT EXISTS (SELECT 1 FROM names WHERE name = ?1 AND project = ?2)")?
        .query_row((folded(name), place), |r| r.get(0))
}

/// The memory itself carries whether a link put it out of use.
fn link(db: &Connection, record: &Record) -> rusqlite::Result<()> {
    let parts: Vec<&str> = record.key.split('/').collect();
    let ([from, to, kind], Some(_)) = (parts.as_slice(), &record.body) else { return Ok(()) };
    let Some(kind) = LinkKind::from_name(kind) else { return Ok(()) };
    let (source, target) = (super::rows::by_id(db, from)?, super::rows::by_id(db, to)?);
    if let (Some((source, memory)), Some((target, _))) = (source, target)
        && source != target
        && record_scope(&memory) == Some(record.place.as_str())
    {
        write_link(db, source, target, kind, record.at_ms)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::*;
    use crate::query::{ProjectKeys, Scope};
    use crate::store::{Checked, NewEntity, NewRelation, Secrets, Store as _};

    const PROJECT: &str = "example.org/acme/shop";

    fn store(dir: &tempfile::TempDir, name: &str) -> SqliteStore {
        SqliteStore::open(&dir.path().join(name)).unwrap()
    }

    fn entity_ids(store: &SqliteStore) -> Vec<String> {
        entity_ids_in(store, &Scope::Project(PROJECT.into()))
    }

    fn entity_ids_in(store: &SqliteStore, scope: &Scope) -> Vec<String> {
        let graph = store.graph(scope).unwrap();
        let mut all: Vec<String> = graph.entities.into_iter().map(|one| one.id).collect();
        all.sort();
        all
    }

    fn records(store: &SqliteStore) -> Vec<Record> {
        [RecordKind::Entity, RecordKind::Relation]
            .into_iter()
            .flat_map(|kind| store.records(PROJECT, kind).unwrap())
            .collect()
    }

    /// Two entities that are related, in a project that others share.
    fn related(store: &mut SqliteStore) {
        let scope = Scope::Project(PROJECT.into());
        for name in ["Heron", "Egret"] {
            let new = NewEntity {
                name: name.into(),
                kind: EntityKind::Concept,
                aliases: Vec::new(),
                properties: Map::new(),
            };
            store.create_entity(&scope, &Checked::new(new, Secrets::Redact).unwrap(), 1).unwrap();
        }
        let new = NewRelation {
            from: "entity_heron".into(),
            to: "entity_egret".into(),
            kind: RelationKind::Uses,
            confidence: 1.0,
            properties: Checked::new(Map::new(), Secrets::Redact).unwrap(),
            since_ms: None,
            until_ms: None,
        };
        store.relate_all(&scope, &[new], 2).unwrap();
    }

    /// A computer that was never told of the entity is told of its relations, in which it's named.
    #[test]
    fn a_removed_entity_is_not_made_again_by_its_relations() {
        let dir = tempfile::tempdir().unwrap();
        let mut here = store(&dir, "here.db");
        related(&mut here);
        let before = records(&here);
        here.delete_entity(&Scope::Project(PROJECT.into()), "entity_egret", 3).unwrap();
        let mut fresh = store(&dir, "fresh.db");
        fresh.put_records(&records(&here)).unwrap();
        assert_eq!(entity_ids(&fresh), ["entity_heron"]);
        // An earlier version tells of the entity alone.
        let mut told: Vec<Record> =
            records(&here).into_iter().filter(|one| one.kind == RecordKind::Entity).collect();
        told.extend(before.into_iter().filter(|one| one.kind == RecordKind::Relation));
        let mut other = store(&dir, "other.db");
        other.put_records(&told).unwrap();
        assert_eq!(entity_ids(&other), ["entity_heron"]);
        // An entity that is created again later exists again, with its relations from then on.
        related(&mut here);
        fresh.put_records(&records(&here)).unwrap();
        assert_eq!(entity_ids(&fresh), ["entity_egret", "entity_heron"]);
    }

    /// A relation under an earlier key is removed there as well: others may still have that key.
    #[test]
    fn a_relation_is_removed_under_each_key() {
        let dir = tempfile::tempdir().unwrap();
        let mut here = store(&dir, "here.db");
        related(&mut here);
        let scope = Scope::Project(ProjectKeys::new("example.org/acme/harbour", vec![PROJECT.into()]));
        let id = here.graph(&scope).unwrap().relations.remove(0).id;
        assert!(here.delete_relation(&scope, &id, 3).unwrap());
        let left = here.records(PROJECT, RecordKind::Relation).unwrap();
        assert_eq!(left.iter().map(|one| one.body.is_none()).collect::<Vec<_>>(), [true]);
    }

    /// An entity of a key from before that was merged is gone under that key as well, and the one that has its names is there.
    #[test]
    fn a_merged_entity_is_gone_under_each_key() {
        let dir = tempfile::tempdir().unwrap();
        let mut here = store(&dir, "here.db");
        related(&mut here);
        let scope = Scope::Project(ProjectKeys::new("example.org/acme/harbour", vec![PROJECT.into()]));
        for name in ["Bittern", "Egret"] {
            let new = NewEntity {
                name: name.into(),
                kind: EntityKind::Concept,
                aliases: Vec::new(),
                properties: Map::new(),
            };
            here.create_entity(&scope, &Checked::new(new, Secrets::Redact).unwrap(), 3).unwrap();
        }
        let name = Checked::new("Bittern".to_owned(), Secrets::Redact).unwrap();
        here.merge_entities(&scope, &["entity_bittern".into(), "entity_egret".into()], &name, 4).unwrap();
        assert_eq!(entity_ids_in(&here, &scope), ["entity_bittern", "entity_heron"]);
        for key in ["example.org/acme/harbour", PROJECT] {
            let egret = here.records(key, RecordKind::Entity).unwrap();
            let egret = egret.iter().find(|one| one.key == "entity_egret").unwrap();
            assert_eq!(egret.body, None, "{key}");
        }
        // A colleague who has the key from before only.
        let mut theirs = store(&dir, "theirs.db");
        related(&mut theirs);
        theirs.put_records(&records(&here)).unwrap();
        assert_eq!(entity_ids(&theirs), ["entity_bittern", "entity_heron"]);
    }

    /// A relation of an entity that another one was merged into is that one's.
    #[test]
    fn a_merged_entitys_relations_are_the_others() {
        let dir = tempfile::tempdir().unwrap();
        let mut here = store(&dir, "here.db");
        related(&mut here);
        let scope = Scope::Project(PROJECT.into());
        let new = NewEntity {
            name: "Bittern".into(),
            kind: EntityKind::Concept,
            aliases: Vec::new(),
            properties: Map::new(),
        };
        here.create_entity(&scope, &Checked::new(new, Secrets::Redact).unwrap(), 3).unwrap();
        let name = Checked::new("Bittern".to_owned(), Secrets::Redact).unwrap();
        here.merge_entities(&scope, &["entity_bittern".into(), "entity_egret".into()], &name, 4).unwrap();
        let mut fresh = store(&dir, "fresh.db");
        fresh.put_records(&records(&here)).unwrap();
        assert_eq!(entity_ids(&fresh), ["entity_bittern", "entity_heron"]);
        let graph = fresh.graph(&scope).unwrap();
        let ends: Vec<(&str, &str)> =
            graph.relations.iter().map(|one| (one.from.as_str(), one.to.as_str())).collect();
        assert_eq!(ends, [("entity_heron", "entity_bittern")]);
    }
}
