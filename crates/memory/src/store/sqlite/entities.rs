//! Keeps entities up to date as memories are captured, changed and deleted: which memory mentions which entity, and
//! under which names.

use rusqlite::{Connection, OptionalExtension};

use crate::domain::{Domain, Memory, Status};
use crate::graph::{
    EntityKind, FoundEntity, RelationKind, SURE_ENTITY, entity_id, extract, folded, phrases_in,
};
use crate::query::Scope;

/// Relations below this confidence aren't stored automatically.
const SURE_RELATION: f64 = 0.7;
/// Maximum number of memories linked with one name when an entity is made.
const MAX_FOUND: u32 = 2_000;
/// Maximum number of memories, the newest, that are read to see whether one states a relation.
const MAX_READ: u32 = 200;

/// Stores the entities that a memory currently mentions: none while it waits for review or is deleted, because the graph
/// is everybody's.
pub(super) fn mention(db: &Connection, row: i64, at_ms: i64) -> rusqlite::Result<()> {
    unmention(db, row)?;
    let Some((content, project)) = public_text_and_project(db, row)? else { return Ok(()) };
    let found = extract(&content);
    let mut rows = vec![None; found.entities.len()];
    for (at, entity) in
        found.entities.iter().enumerate().filter(|(_, entity)| entity.confidence >= SURE_ENTITY)
    {
        let entity = entity_row(db, &project, entity, at_ms)?;
        db.prepare_cached("INSERT OR IGNORE INTO mentions(entity, memory) VALUES(?1, ?2)")?
            .execute((entity, row))?;
        rows[at] = Some(entity);
    }
    for relation in found.relations.iter().filter(|relation| relation.confidence >= SURE_RELATION) {
        if let (Some(source), Some(target)) = (rows[relation.from], rows[relation.to])
            && source != target
        {
            relate(db, source, target, relation.kind.as_str(), relation.confidence, "{}", at_ms)?;
        }
    }
    mention_known(db, row)
}

/// Links a memory with the entities that somebody made by hand and that its text names: no rule may recognise them.
pub(super) fn mention_known(db: &Connection, row: i64) -> rusqlite::Result<()> {
    let any: bool = db
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM entities WHERE confidence >= 1)")?
        .query_row([], |r| r.get(0))?;
    if !any {
        return Ok(());
    }
    let Some((content, project)) = public_text_and_project(db, row)? else { return Ok(()) };
    let mut link = db.prepare_cached(
        "INSERT OR IGNORE INTO mentions(entity, memory)
         SELECT n.entity, ?3 FROM names n JOIN entities e ON e.row = n.entity
         WHERE n.name = ?1 AND n.project IN ('', ?2) AND e.confidence >= 1",
    )?;
    for name in phrases_in(&content) {
        link.execute((name, &project, row))?;
    }
    Ok(())
}

/// Links an entity that somebody made by hand with the memories that name it already.
pub(super) fn find_mentions(db: &Connection, entity: i64) -> rusqlite::Result<()> {
    let names: Vec<(String, String)> = db
        .prepare_cached("SELECT name, project FROM names WHERE entity = ?1")?
        .query_map([entity], |r| Ok((r.get(0)?, r.get(1)?)))?
        .collect::<Result<_, _>>()?;
    for (name, project) in names {
        let expression = format!("content : {}", ranking::quote(&name));
        let rows: Vec<i64> = db
            .prepare_cached(
                "SELECT m.row FROM memory_index i JOIN memories m ON m.row = i.rowid
                 WHERE memory_index MATCH ?1 AND (?2 = '' OR m.domain = 'project' AND m.project = ?2)
                 ORDER BY m.row DESC LIMIT ?3",
            )?
            .query_map((expression, project, MAX_FOUND), |r| r.get(0))?
            .collect::<Result<_, _>>()?;
        // The index compares stems.
        rows.into_iter().try_for_each(|row| mention_known(db, row))?;
    }
    Ok(())
}

/// A memory's text and the project of its entities; `None` while it waits for review or is deleted.
fn public_text_and_project(db: &Connection, row: i64) -> rusqlite::Result<Option<(String, String)>> {
    db.prepare_cached(
        "SELECT content, CASE WHEN domain = 'project' THEN coalesce(project, '') ELSE '' END FROM memories
         WHERE row = ?1 AND status NOT IN ('pending', 'tombstoned')",
    )?
    .query_row([row], |r| Ok((r.get(0)?, r.get(1)?)))
    .optional()
}

/// Takes back what a memory stated until now: its mentions, and relations that no other memory states.
pub(super) fn retract(db: &Connection, row: i64, memory: &Memory) -> rusqlite::Result<()> {
    unmention(db, row)?;
    forget_unstated(db, memory)
}

/// Removes the relations that a memory stated and that no memory states now, unless somebody made them by hand.
pub(super) fn forget_unstated(db: &Connection, memory: &Memory) -> rusqlite::Result<()> {
    if matches!(memory.status, Status::Pending | Status::Tombstoned) {
        return Ok(());
    }
    let project = memory.project.as_deref().filter(|_| memory.domain == Domain::Project).unwrap_or_default();
    for relation in stated(db, project, &memory.content)? {
        let (source, target, kind) = relation;
        let mut read = db.prepare_cached(
            "SELECT m.content FROM mentions a JOIN mentions b ON b.memory = a.memory JOIN memories m ON m.row = a.memory
             WHERE a.entity = ?1 AND b.entity = ?2 ORDER BY m.row DESC LIMIT ?3",
        )?;
        let mut found = read.query((source, target, MAX_READ))?;
        let mut is_stated = false;
        while let Some(r) = found.next()?.filter(|_| !is_stated) {
            is_stated = stated(db, project, r.get_ref(0)?.as_str()?)?.contains(&relation);
        }
        if !is_stated {
            db.prepare_cached(
                "DELETE FROM relations WHERE source = ?1 AND target = ?2 AND kind = ?3 AND confidence < 1",
            )?
            .execute((source, target, kind.as_str()))?;
        }
    }
    Ok(())
}

/// The relations between known entities that a text states.
fn stated(db: &Connection, project: &str, content: &str) -> rusqlite::Result<Vec<(i64, i64, RelationKind)>> {
    let found = extract(content);
    let row_of = |entity: &FoundEntity| {
        db.prepare_cached("SELECT entity FROM names WHERE name = ?1 AND project = ?2")?
            .query_row((folded(&entity.name), project), |r| r.get::<_, i64>(0))
            .optional()
    };
    let mut out = Vec::new();
    for relation in found.relations.iter().filter(|relation| relation.confidence >= SURE_RELATION) {
        let ends = (row_of(&found.entities[relation.from])?, row_of(&found.entities[relation.to])?);
        if let (Some(source), Some(target)) = ends {
            out.push((source, target, relation.kind));
        }
    }
    Ok(out)
}

/// Removes a memory's mentions, and entities that only it mentioned and nobody created by hand.
pub(super) fn unmention(db: &Connection, row: i64) -> rusqlite::Result<()> {
    let entities: Vec<i64> = db
        .prepare_cached("SELECT entity FROM mentions WHERE memory = ?1")?
        .query_map([row], |r| r.get(0))?
        .collect::<Result<_, _>>()?;
    if entities.is_empty() {
        return Ok(());
    }
    db.prepare_cached("DELETE FROM mentions WHERE memory = ?1")?.execute([row])?;
    for entity in entities {
        db.prepare_cached(
            "DELETE FROM entities WHERE row = ?1 AND confidence < 1
                AND NOT EXISTS (SELECT 1 FROM mentions WHERE entity = ?1)",
        )?
        .execute([entity])?;
    }
    Ok(())
}

/// The row of the entity with this name, created if new.
pub(super) fn entity_row(
    db: &Connection,
    project: &str,
    found: &FoundEntity,
    at_ms: i64,
) -> rusqlite::Result<i64> {
    let name = folded(&found.name);
    let by_name: Option<i64> = db
        .prepare_cached("SELECT entity FROM names WHERE name = ?1 AND project = ?2")?
        .query_row((&name, project), |r| r.get(0))
        .optional()?;
    if let Some(row) = by_name {
        return Ok(row);
    }
    let id = entity_id(&found.name);
    let by_id: Option<i64> = db
        .prepare_cached("SELECT row FROM entities WHERE project = ?1 AND id = ?2")?
        .query_row((project, &id), |r| r.get(0))
        .optional()?;
    if let Some(row) = by_id {
        return Ok(row);
    }
    db.prepare_cached(
        "INSERT INTO entities(id, project, kind, name, aliases, properties, confidence, created_ms)
         VALUES(?1, ?2, ?3, ?4, '[]', '{}', ?5, ?6)",
    )?
    .execute((&id, project, found.kind.as_str(), &found.name, found.confidence.min(0.99), at_ms))?;
    let row = db.last_insert_rowid();
    add_name(db, row, project, &name)?;
    if found.kind == EntityKind::Technology {
        for other in crate::graph::other_names(&found.name) {
            add_name(db, row, project, &other)?;
        }
    }
    Ok(row)
}

/// Gives an entity a name; a name that another entity has stays with that one.
pub(super) fn add_name(db: &Connection, row: i64, project: &str, name: &str) -> rusqlite::Result<()> {
    db.prepare_cached("INSERT OR IGNORE INTO names(entity, project, name) VALUES(?1, ?2, ?3)")?
        .execute((row, project, name))?;
    Ok(())
}

/// Moves the mentions, relations and names of an entity to another one and removes it. Of a relation that both had, what somebody
/// stated by hand stays.
pub(super) fn absorb(db: &Connection, first: i64, other: i64, project: &str) -> rusqlite::Result<()> {
    db.execute("UPDATE OR IGNORE mentions SET entity = ?1 WHERE entity = ?2", (first, other))?;
    for (end, far) in [("source", "target"), ("target", "source")] {
        db.execute(
            &format!("UPDATE OR IGNORE relations SET {end} = ?1 WHERE {end} = ?2 AND {far} <> ?1"),
            (first, other),
        )?;
        db.execute(
            &format!(
                "UPDATE relations AS kept SET confidence = max(kept.confidence, gone.confidence),
                    properties = CASE WHEN kept.properties = '{{}}' THEN gone.properties ELSE kept.properties END,
                    until_ms = CASE WHEN gone.until_ms IS NULL THEN NULL ELSE kept.until_ms END
                 FROM relations AS gone WHERE kept.{end} = ?1 AND gone.{end} = ?2
                    AND gone.{far} = kept.{far} AND gone.kind = kept.kind"
            ),
            (first, other),
        )?;
    }
    let names: Vec<String> = db
        .prepare_cached("SELECT name FROM names WHERE entity = ?1")?
        .query_map([other], |r| r.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    db.execute("DELETE FROM entities WHERE row = ?1", [other])?;
    names.iter().try_for_each(|name| add_name(db, first, project, name))
}

/// Stores a relation, or raises a known one's confidence. One that has ended stays so: a text that names it may be an old one.
pub(super) fn relate(
    db: &Connection,
    source: i64,
    target: i64,
    kind: &str,
    confidence: f64,
    properties: &str,
    at_ms: i64,
) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO relations(source, target, kind, properties, confidence, since_ms) VALUES(?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT(source, target, kind) DO UPDATE SET confidence = max(confidence, excluded.confidence),
            properties = CASE WHEN excluded.properties = '{}' THEN properties ELSE excluded.properties END",
    )?
    .execute((source, target, kind, properties, confidence, at_ms))?;
    Ok(())
}

/// Sets until when a relation was so, and since when if that was stated. One that is stated without an end is so again.
pub(super) fn set_validity(
    db: &Connection,
    source: i64,
    target: i64,
    kind: &str,
    (since_ms, until_ms): (Option<i64>, Option<i64>),
) -> rusqlite::Result<()> {
    db.prepare_cached(
        "UPDATE relations SET since_ms = coalesce(?4, since_ms), until_ms = ?5
         WHERE source = ?1 AND target = ?2 AND kind = ?3",
    )?
    .execute((source, target, kind, since_ms, until_ms))?;
    Ok(())
}

/// Maximum number of an entity's other names.
const MAX_ALIASES: usize = 8;

/// The aliases of the entity with this name.
pub(super) fn aliases_of(db: &Connection, scope: &Scope, word: &str) -> rusqlite::Result<Vec<String>> {
    let is_visible = |project: &str| match scope {
        Scope::Everywhere => true,
        Scope::Outside => project.is_empty(),
        Scope::Project(keys) => project.is_empty() || keys.all().any(|key| key == project),
    };
    // Each word of a prompt asks this while an agent waits, and a list of projects takes longer to prepare than to compare.
    let mut select = db.prepare_cached(
        "SELECT n.project, o.name FROM names n JOIN names o ON o.entity = n.entity
         WHERE n.name = ?1 AND o.name <> n.name",
    )?;
    let mut rows = select.query([folded(word)])?;
    let mut out: Vec<String> = Vec::new();
    while let Some(row) = rows.next()? {
        if !is_visible(row.get_ref(0)?.as_str()?) {
            continue;
        }
        let name: String = row.get(1)?;
        if !out.contains(&name) {
            out.push(name);
        }
        if out.len() == MAX_ALIASES {
            break;
        }
    }
    Ok(out)
}

/// Whether all projects' entities are visible, and otherwise whose: a JSON list of keys, with the empty one for what is
/// everybody's.
pub(super) fn visible_projects(scope: &Scope) -> (bool, String) {
    let mut seen = vec![""];
    if let Scope::Project(keys) = scope {
        seen.extend(keys.all());
    }
    (*scope == Scope::Everywhere, serde_json::json!(seen).to_string())
}

/// The key under which a scope stores what is new; empty outside any project.
pub(super) fn own_project(scope: &Scope) -> &str {
    match scope {
        Scope::Project(keys) => keys.here(),
        Scope::Everywhere | Scope::Outside => "",
    }
}
