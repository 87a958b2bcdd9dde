//! The graph of entities in a scope, and manual changes to it.

use std::collections::{BTreeSet, HashMap, HashSet};

use rusqlite::Connection;
use serde_json::{Map, Value};

use super::SqliteStore;
use super::entities::{
    absorb, add_name, entity_row, find_mentions, own_project, relate, set_validity, visible_projects,
};
use super::erase::plan_erasure;
use super::graph_load::{
    COLUMNS, entity, load_graph, named_only_by_hidden, relation_id, told_only_by_hidden,
};
use super::records::{note, of_key};
use crate::domain::{RecordKind, composed, is_shared_project};
use crate::graph::{
    End, Entity, EntityBody, FoundEntity, Graph, RelationBody, RelationKind, folded, possible_names,
};
use crate::query::{Clause, Scope};
use crate::store::{Checked, NewEntity, NewRelation, Result, Store};

/// The project whose entities a scope changes; empty outside any.
fn place(scope: &Scope) -> &str {
    own_project(scope)
}

impl SqliteStore {
    /// The entities and relations visible from `scope`. A project's entity hides everybody's with the same id.
    ///
    /// # Errors
    /// If the database fails.
    pub fn graph(&self, scope: &Scope) -> Result<Graph> {
        self.look(|db| load_graph(db, scope).map(|(graph, _)| graph))
    }

    /// The ids of the entities in the graph of a scope that are named by nothing but memories which a condition leaves out.
    ///
    /// # Errors
    /// If the database fails.
    pub fn named_only_by_hidden(&self, scope: &Scope, condition: &Clause) -> Result<HashSet<String>> {
        self.look(|db| named_only_by_hidden(db, scope, condition))
    }

    /// The ids of the relations whose ends nothing names together but memories which a condition leaves out.
    ///
    /// # Errors
    /// If the database fails.
    pub fn told_only_by_hidden(&self, scope: &Scope, condition: &Clause) -> Result<HashSet<String>> {
        self.look(|db| told_only_by_hidden(db, scope, condition))
    }

    /// Creates an entity, or extends the one with this name.
    ///
    /// # Errors
    /// If the database fails.
    pub fn create_entity(&mut self, scope: &Scope, new: &Checked<NewEntity>, at_ms: i64) -> Result<String> {
        let new = new.get();
        let project = place(scope).to_owned();
        Ok(home::write(&mut self.db, |db| {
            let found = FoundEntity { name: new.name.clone(), kind: new.kind, confidence: 1.0 };
            let row = entity_row(db, &project, &found, at_ms)?;
            let (id, mut entity) = db
                .prepare_cached(&format!("SELECT {COLUMNS} FROM entities e WHERE e.row = ?1"))?
                .query_row([row], |r| Ok((r.get::<_, String>(1)?, entity(r)?)))?;
            for alias in &new.aliases {
                if !entity.aliases.contains(alias) && folded(alias) != folded(&entity.name) {
                    entity.aliases.push(alias.clone());
                }
                add_name(db, row, &project, &folded(alias))?;
            }
            entity.properties.extend(new.properties.clone());
            db.execute(
                "UPDATE entities SET kind = ?2, aliases = ?3, properties = ?4, confidence = 1 WHERE row = ?1",
                (
                    row,
                    new.kind.as_str(),
                    Value::from(entity.aliases).to_string(),
                    Value::Object(entity.properties).to_string(),
                ),
            )?;
            find_mentions(db, row)?;
            note_record(db, &project, row, at_ms)?;
            Ok(id)
        })?)
    }

    /// Stores the entities and relations of a text, as for a memory.
    ///
    /// # Errors
    /// If the database fails.
    pub fn keep_extracted(
        &mut self,
        scope: &Scope,
        found: &crate::graph::Extracted,
        at_ms: i64,
    ) -> Result<()> {
        let project = place(scope).to_owned();
        Ok(home::write(&mut self.db, |db| {
            let rows: rusqlite::Result<Vec<i64>> =
                found.entities.iter().map(|entity| entity_row(db, &project, entity, at_ms)).collect();
            let rows = rows?;
            for relation in &found.relations {
                let (source, target) = (rows[relation.from], rows[relation.to]);
                if source != target {
                    relate(db, source, target, relation.kind.as_str(), relation.confidence, "{}", at_ms)?;
                }
            }
            Ok(())
        })?)
    }

    /// Removes an entity with its names and relations; returns the number of relations.
    ///
    /// # Errors
    /// If the database fails.
    pub fn delete_entity(&mut self, scope: &Scope, id: &str, at_ms: i64) -> Result<usize> {
        let (project, (_, seen)) = (place(scope), visible_projects(scope));
        let earlier = if let Scope::Project(keys) = scope { keys.earlier() } else { Vec::new() };
        let gone = home::write(&mut self.db, |db| {
            if is_shared_project(project) {
                note(db, (project, RecordKind::Entity), id, None, at_ms)?;
                forget_relations(db, project, id, at_ms)?;
            }
            for key in earlier.iter().filter(|key| is_shared_project(key)) {
                if of_key(db, key, RecordKind::Entity, id)?.is_some() {
                    note(db, (key, RecordKind::Entity), id, None, at_ms)?;
                }
                forget_relations(db, key, id, at_ms)?;
            }
            let gone = db.execute(
                "DELETE FROM entities WHERE id = ?1 AND project IN (SELECT value FROM json_each(?2))",
                (id, seen),
            )?;
            if gone > 0 {
                plan_erasure(db)?;
            }
            Ok(gone)
        })?;
        if gone > 0 {
            self.erase_leftovers();
        }
        Ok(gone)
    }

    /// Merges entities into the first one, with the names, mentions and relations of all.
    ///
    /// # Errors
    /// If the database fails.
    pub fn merge_entities(
        &mut self,
        scope: &Scope,
        ids: &[String],
        name: &Checked<String>,
        at_ms: i64,
    ) -> Result<()> {
        let (scope, name) = (scope.clone(), name.get());
        Ok(home::write(&mut self.db, |db| {
            let (graph, rows) = load_graph(db, &scope)?;
            let of: Vec<(i64, &Entity)> =
                ids.iter().filter_map(|id| Some((*rows.get(id)?, graph.entity(id)?))).collect();
            let Some(((first, kept), rest)) = of.split_first() else { return Ok(()) };
            let project: String =
                db.query_row("SELECT project FROM entities WHERE row = ?1", [first], |r| r.get(0))?;
            let mut aliases = kept.aliases.clone();
            let mut properties = Map::new();
            for (_, entity) in &of {
                for other in entity.aliases.iter().chain([&entity.name]) {
                    if folded(other) != folded(name) && !aliases.contains(other) {
                        aliases.push(other.clone());
                    }
                }
                properties.extend(entity.properties.clone());
            }
            // Others may still have any of the project's keys.
            let mut keys = BTreeSet::from([project.clone()]);
            if let Scope::Project(known) = &scope {
                keys.extend(known.all().map(str::to_owned));
            }
            let mut told = BTreeSet::from([project.as_str()]);
            for (row, entity) in rest {
                for key in &keys {
                    let known = of_key(db, key, RecordKind::Entity, &entity.id)?;
                    if known.is_some_and(|known| known.body.is_some()) {
                        note(db, (key, RecordKind::Entity), &entity.id, None, at_ms)?;
                        told.insert(key);
                    }
                }
                absorb(db, *first, *row, &project)?;
                // The same entity under another key of the project would be there again.
                for other in rows_of(db, &keys, &entity.id)? {
                    absorb(db, *first, other, &project)?;
                }
            }
            add_name(db, *first, &project, &folded(name))?;
            db.execute(
                "UPDATE entities SET name = ?2, aliases = ?3, properties = ?4, confidence = 1 WHERE row = ?1",
                (first, name, Value::from(aliases).to_string(), Value::Object(properties).to_string()),
            )?;
            // Whoever is told that an entity is gone is told which one has its names now.
            told.into_iter().try_for_each(|key| note_record(db, key, *first, at_ms))
        })?)
    }

    /// Relates entities, all or none, or raises a known relation's confidence. Returns their ids, `None` where an end isn't
    /// visible. The graph is read once, however many there are.
    ///
    /// # Errors
    /// If the database fails.
    pub fn relate_all(
        &mut self,
        scope: &Scope,
        all: &[NewRelation],
        at_ms: i64,
    ) -> Result<Vec<Option<String>>> {
        let (scope, project) = (scope.clone(), place(scope).to_owned());
        Ok(home::write(&mut self.db, |db| {
            let (graph, rows) = load_graph(db, &scope)?;
            let entities: HashMap<&str, &Entity> =
                graph.entities.iter().map(|entity| (entity.id.as_str(), entity)).collect();
            let mut out = Vec::with_capacity(all.len());
            for NewRelation { from, to, kind, confidence, properties, since_ms, until_ms } in all {
                let (since_ms, until_ms) = (*since_ms, *until_ms);
                let (Some(source), Some(target)) = (rows.get(from), rows.get(to)) else {
                    out.push(None);
                    continue;
                };
                if let (Some(a), Some(b)) = (entities.get(from.as_str()), entities.get(to.as_str()))
                    && is_shared_project(&project)
                {
                    let end = |of: &Entity| End { name: of.name.clone(), kind: of.kind };
                    let (from, to, properties) = (end(a), end(b), properties.get().clone());
                    let confidence = *confidence;
                    let body = RelationBody { from, to, confidence, properties, since_ms, until_ms };
                    let key = relation_key(&a.id, &b.id, *kind);
                    let body = serde_json::to_value(body).ok();
                    note(db, (&project, RecordKind::Relation), &key, body, at_ms)?;
                }
                let properties = Value::Object(properties.get().clone()).to_string();
                relate(db, *source, *target, kind.as_str(), *confidence, &properties, at_ms)?;
                set_validity(db, *source, *target, kind.as_str(), (since_ms, until_ms))?;
                let row: i64 = db
                    .prepare_cached(
                        "SELECT row FROM relations WHERE source = ?1 AND target = ?2 AND kind = ?3",
                    )?
                    .query_row((source, target, kind.as_str()), |r| r.get(0))?;
                out.push(Some(relation_id(row)));
            }
            Ok(out)
        })?)
    }

    /// Removes a relation; returns whether it existed.
    ///
    /// # Errors
    /// If the database fails.
    pub fn delete_relation(&mut self, scope: &Scope, id: &str, at_ms: i64) -> Result<bool> {
        let (scope, id) = (scope.clone(), id.to_owned());
        let gone = home::write(&mut self.db, |db| {
            let (graph, _) = load_graph(db, &scope)?;
            let Some(one) = graph.relations.iter().find(|one| one.id == id) else { return Ok(false) };
            let Some(row) = row_of(&one.id) else { return Ok(false) };
            let key = relation_key(&one.from, &one.to, one.kind);
            if is_shared_project(place(&scope)) {
                note(db, (place(&scope), RecordKind::Relation), &key, None, at_ms)?;
            }
            let earlier = if let Scope::Project(keys) = &scope { keys.earlier() } else { Vec::new() };
            for project in earlier.iter().filter(|project| is_shared_project(project)) {
                if of_key(db, project, RecordKind::Relation, &key)?.is_some() {
                    note(db, (project, RecordKind::Relation), &key, None, at_ms)?;
                }
            }
            plan_erasure(db)?;
            Ok(db.execute("DELETE FROM relations WHERE row = ?1", [row])? > 0)
        })?;
        if gone {
            self.erase_leftovers();
        }
        Ok(gone)
    }

    /// The clause for memories that mention one of these: the newest `limit` local ones, and all names of the
    /// entities.
    ///
    /// # Errors
    /// If the database fails.
    pub fn mention_clause(&self, scope: &Scope, names: &[String], limit: usize) -> Result<Clause> {
        let ids = self.ids_mentioning(scope, names, limit)?;
        let mut all = possible_names(names);
        self.look(|db| {
            let (everywhere, seen) = visible_projects(scope);
            let mut read = db.prepare_cached(
                "SELECT o.name FROM names o WHERE o.entity IN
                    (SELECT n.entity FROM names n WHERE n.name = ?1 AND (?3 OR n.project IN (SELECT value FROM json_each(?4)))
                     UNION SELECT e.row FROM entities e WHERE e.id IN (?2, ?5) AND (?3 OR e.project IN (SELECT value FROM json_each(?4)))) LIMIT 64",
            )?;
            for name in names {
                // An id is as an earlier version made it, which composed nothing.
                let ids = (composed(name).to_lowercase(), name.to_lowercase());
                for other in read.query_map((folded(name), ids.0, everywhere, &seen, ids.1), |r| r.get(0))? {
                    all.push(other?);
                }
            }
            Ok(())
        })?;
        all.sort_unstable();
        all.dedup();
        Ok(Clause::Mentions { ids, names: all })
    }

    /// See [`Store::ids_mentioning`].
    pub(super) fn mentioning(&self, scope: &Scope, names: &[String], limit: usize) -> Result<Vec<String>> {
        self.look(|db| {
            let (everywhere, seen) = visible_projects(scope);
            let mut out: Vec<String> = Vec::new();
            let mut read = db.prepare_cached(
                "SELECT m.id FROM names n JOIN mentions t ON t.entity = n.entity JOIN memories m ON m.row = t.memory
                 WHERE n.name = ?1 AND (?2 OR n.project IN (SELECT value FROM json_each(?3))) ORDER BY m.row DESC LIMIT ?4",
            )?;
            let mut by_id = db.prepare_cached(
                "SELECT m.id FROM entities e JOIN mentions t ON t.entity = e.row JOIN memories m ON m.row = t.memory
                 WHERE e.id = ?1 AND (?2 OR e.project IN (SELECT value FROM json_each(?3))) ORDER BY m.row DESC LIMIT ?4",
            )?;
            for name in names {
                let lower = composed(name).to_lowercase();
                let plain = lower.strip_prefix("entity_").map(|rest| rest.replace('_', " "));
                let plain = plain.unwrap_or_else(|| folded(name));
                for (key, is_id) in [(plain, false), (lower, true), (name.to_lowercase(), true)] {
                    let statement = if is_id { &mut by_id } else { &mut read };
                    for id in statement.query_map((key, everywhere, &seen, limit), |r| r.get(0))? {
                        let id: String = id?;
                        if !out.contains(&id) {
                            out.push(id);
                        }
                    }
                }
            }
            Ok(out)
        })
    }
}

/// Records that an entity's relations are gone with it: whoever has only these would make the entity again.
fn forget_relations(db: &Connection, project: &str, id: &str, at_ms: i64) -> rusqlite::Result<()> {
    let keys: Vec<String> = db
        .prepare_cached(
            "SELECT key FROM records WHERE place = ?1 AND what = ?2 AND body IS NOT NULL
                AND instr('/' || key, '/' || ?3 || '/') > 0",
        )?
        .query_map((project, RecordKind::Relation.as_str(), id), |r| r.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    keys.iter().try_for_each(|key| note(db, (project, RecordKind::Relation), key, None, at_ms))
}

/// The rows of the entities with an id under any of these keys of a project.
fn rows_of(db: &Connection, keys: &BTreeSet<String>, id: &str) -> rusqlite::Result<Vec<i64>> {
    db.prepare_cached(
        "SELECT row FROM entities WHERE id = ?1 AND project IN (SELECT value FROM json_each(?2)) ORDER BY row",
    )?
    .query_map((id, serde_json::json!(keys).to_string()), |r| r.get(0))?
    .collect()
}

/// Records a manually created or changed entity for other computers.
fn note_record(db: &Connection, project: &str, row: i64, at_ms: i64) -> rusqlite::Result<()> {
    if !is_shared_project(project) {
        return Ok(());
    }
    let one = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM entities e WHERE e.row = ?1"))?
        .query_row([row], entity)?;
    let body =
        EntityBody { name: one.name, kind: one.kind, aliases: one.aliases, properties: one.properties };
    note(db, (project, RecordKind::Entity), &one.id, serde_json::to_value(body).ok(), at_ms)
}

fn relation_key(from: &str, to: &str, kind: RelationKind) -> String {
    format!("{from}/{to}/{}", kind.as_str())
}

fn row_of(id: &str) -> Option<i64> {
    id.strip_prefix("relationship_")?.parse().ok()
}
