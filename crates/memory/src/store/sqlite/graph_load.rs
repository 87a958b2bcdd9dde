//! Reads the graph that a scope sees: its entities and relations, in an order that doesn't change by reading.

use std::collections::{HashMap, HashSet};

use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

use super::condition::Condition;
use super::entities::visible_projects;
use crate::graph::{Entity, EntityKind, Graph, Relation, RelationKind};
use crate::query::{Clause, Filter, Scope, Selection, Statuses};

/// Maximum number of entities loaded.
const MAX_LOADED: u32 = 20_000;

/// An entity's columns. The memories that are counted are those in use: what was replaced keeps its entities and is listed nowhere.
pub(super) const COLUMNS: &str = "e.row, e.id, e.kind, e.name, e.aliases, e.properties, e.confidence,
    (SELECT count(*) FROM mentions t JOIN memories m ON m.row = t.memory
     WHERE t.entity = e.row AND m.status = 'active')";

/// An entity of a row of [`COLUMNS`].
pub(super) fn entity(r: &Row<'_>) -> rusqlite::Result<Entity> {
    Ok(Entity {
        id: r.get(1)?,
        kind: EntityKind::parse(r.get_ref(2)?.as_str()?).unwrap_or(EntityKind::Concept),
        name: r.get(3)?,
        aliases: serde_json::from_str(r.get_ref(4)?.as_str()?).unwrap_or_default(),
        properties: serde_json::from_str(r.get_ref(5)?.as_str()?).unwrap_or_default(),
        confidence: r.get(6)?,
        mentions: r.get(7)?,
    })
}

/// The graph that a scope sees, and the row of each entity.
pub(super) fn load_graph(db: &Connection, scope: &Scope) -> rusqlite::Result<(Graph, HashMap<String, i64>)> {
    load_most(db, scope, MAX_LOADED)
}

/// The same with at most so many entities.
fn load_most(db: &Connection, scope: &Scope, most: u32) -> rusqlite::Result<(Graph, HashMap<String, i64>)> {
    let (everywhere, seen) = visible_projects(scope);
    let mut out = Graph::default();
    let mut rows: HashMap<String, i64> = HashMap::new();
    let mut id_of: HashMap<i64, String> = HashMap::new();
    let mut read = db.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM entities e WHERE ?1 OR e.project IN (SELECT value FROM json_each(?2)) ORDER BY e.project DESC, e.row LIMIT ?3"
    ))?;
    let mut found = read.query((everywhere, &seen, most))?;
    while let Some(r) = found.next()? {
        let (row, one): (i64, Entity) = (r.get(0)?, entity(r)?);
        id_of.insert(row, one.id.clone());
        // Only if there is one: a list of thousands isn't searched for each of them.
        let twice = rows.contains_key(&one.id);
        if let Some(known) = out.entities.iter_mut().filter(|_| twice).find(|known| known.id == one.id) {
            known.mentions += one.mentions;
        } else {
            rows.insert(one.id.clone(), row);
            out.entities.push(one);
        }
    }
    if id_of.len() >= most as usize {
        let all: u64 = db
            .prepare_cached(
                "SELECT count(*) FROM entities e WHERE ?1 OR e.project IN (SELECT value FROM json_each(?2))",
            )?
            .query_row((everywhere, &seen), |r| r.get(0))?;
        out.left_out = all.saturating_sub(id_of.len() as u64);
    }
    let mut printed: HashSet<(String, String, RelationKind)> = HashSet::new();
    let mut read = db.prepare_cached(&relations_sql(everywhere))?;
    let mut found = read.query(params_from_iter((!everywhere).then_some(&seen)))?;
    while let Some(r) = found.next()? {
        let (Some(from), Some(to)) = (id_of.get(&r.get(1)?), id_of.get(&r.get(2)?)) else { continue };
        let kind = RelationKind::parse(r.get_ref(3)?.as_str()?).unwrap_or(RelationKind::RelatesTo);
        if from != to && printed.insert((from.clone(), to.clone(), kind)) {
            out.relations.push(Relation {
                id: relation_id(r.get(0)?),
                from: from.clone(),
                to: to.clone(),
                kind,
                properties: serde_json::from_str(r.get_ref(4)?.as_str()?).unwrap_or_default(),
                confidence: r.get(5)?,
                since_ms: r.get(6)?,
                until_ms: r.get(7)?,
            });
        }
    }
    Ok((out, rows))
}

/// Asks for the relations, of the entities of these projects alone unless they're asked for everywhere.
fn relations_sql(everywhere: bool) -> String {
    let of_projects = "WHERE source IN
        (SELECT e.row FROM entities e WHERE e.project IN (SELECT value FROM json_each(?1)))";
    format!(
        "SELECT row, source, target, kind, properties, confidence, since_ms, until_ms FROM relations {} ORDER BY row",
        if everywhere { "" } else { of_projects }
    )
}

/// The ids of the entities that are named by nothing but memories which a condition leaves out. What somebody made by hand isn't
/// among them.
pub(super) fn named_only_by_hidden(
    db: &Connection,
    scope: &Scope,
    condition: &Clause,
) -> rusqlite::Result<HashSet<String>> {
    let (everywhere, seen) = visible_projects(scope);
    let memories = |clause: Clause| {
        let filter = Filter { clauses: vec![clause], statuses: Statuses::all() };
        Condition::of(&Selection { scope: scope.clone(), filter, now_ms: 0 })
    };
    let hidden = memories(Clause::Not(Box::new(condition.clone())));
    let open = memories(condition.clone());
    let named_by = |these: &Condition| {
        format!(
            "EXISTS (SELECT 1 FROM mentions t JOIN memories m ON m.row = t.memory WHERE t.entity = e.row AND {})",
            these.sql
        )
    };
    // Everybody's entity may have the id of the project's.
    let sql = format!(
        "SELECT id FROM (SELECT e.id AS id, e.confidence < 1 AND {} AND NOT {} AS is_hidden FROM entities e
            WHERE ? OR e.project IN (SELECT value FROM json_each(?)))
         GROUP BY id HAVING min(is_hidden) = 1",
        named_by(&hidden),
        named_by(&open)
    );
    let place = [Value::Integer(i64::from(everywhere)), Value::Text(seen)];
    let values = hidden.values.into_iter().chain(open.values).chain(place);
    db.prepare(&sql)?.query_map(params_from_iter(values), |r| r.get(0))?.collect()
}

/// The ids of the relations whose ends no memory names together but those that a condition leaves out. A relation comes from one
/// sentence, and what somebody made by hand isn't among them.
pub(super) fn told_only_by_hidden(
    db: &Connection,
    scope: &Scope,
    condition: &Clause,
) -> rusqlite::Result<HashSet<String>> {
    let (everywhere, seen) = visible_projects(scope);
    let [hidden, open] = [Clause::Not(Box::new(condition.clone())), condition.clone()].map(|clause| {
        let filter = Filter { clauses: vec![clause], statuses: Statuses::all() };
        Condition::of(&Selection { scope: scope.clone(), filter, now_ms: 0 })
    });
    let told_by = |these: &Condition| {
        format!(
            "EXISTS (SELECT 1 FROM mentions s JOIN mentions t ON t.memory = s.memory AND t.entity = r.target
                JOIN memories m ON m.row = s.memory WHERE s.entity = r.source AND {})",
            these.sql
        )
    };
    let sql = format!(
        "SELECT r.row FROM relations r JOIN entities e ON e.row = r.source
         WHERE (? OR e.project IN (SELECT value FROM json_each(?))) AND r.confidence < 1 AND {} AND NOT {}",
        told_by(&hidden),
        told_by(&open)
    );
    let place = [Value::Integer(i64::from(everywhere)), Value::Text(seen)];
    let values = place.into_iter().chain(hidden.values).chain(open.values);
    db.prepare(&sql)?.query_map(params_from_iter(values), |r| Ok(relation_id(r.get(0)?)))?.collect()
}

/// The id of a relation in a row.
pub(super) fn relation_id(row: i64) -> String {
    format!("relationship_{row}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Extracted, FoundEntity, FoundRelation};
    use crate::store::SqliteStore;

    #[test]
    fn what_other_projects_have_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
        for (project, name) in [("github.com/acme/a", "Heron"), ("github.com/acme/b", "Otter")] {
            let scope = Scope::Project(project.into());
            let named = |name: String| FoundEntity { name, kind: EntityKind::Concept, confidence: 0.9 };
            let entities = vec![named(format!("{name} one")), named(format!("{name} two"))];
            let relation = FoundRelation { from: 0, kind: RelationKind::Uses, to: 1, confidence: 0.9 };
            let found = Extracted { entities, relations: vec![relation] };
            store.keep_extracted(&scope, &found, 1).unwrap();
        }
        let of = |scope: &Scope| store.graph(scope).unwrap().relations.len();
        assert_eq!((of(&Scope::Project("github.com/acme/a".into())), of(&Scope::Everywhere)), (1, 2));
        for (everywhere, expected) in [(false, "SEARCH relations"), (true, "SCAN relations")] {
            let plan: Vec<String> = store
                .look(|db| {
                    let mut plan =
                        db.prepare(&format!("EXPLAIN QUERY PLAN {}", relations_sql(everywhere)))?;
                    let given = (!everywhere).then_some("[]");
                    plan.query_map(params_from_iter(given), |r| r.get(3))?.collect()
                })
                .unwrap();
            assert!(plan.iter().any(|step| step.starts_with(expected)), "{plan:?}");
        }
    }

    #[test]
    fn files_beyond_the_limit_are_counted() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
        let named =
            |n: usize| FoundEntity { name: format!("Heron {n}"), kind: EntityKind::Concept, confidence: 0.9 };
        let found = Extracted { entities: (0..5).map(named).collect(), relations: Vec::new() };
        store.keep_extracted(&Scope::Outside, &found, 1).unwrap();
        for (most, loaded, left_out) in [(3, 3, 2), (4, 4, 1), (5, 5, 0), (6, 5, 0)] {
            let (graph, rows) = store.look(|db| load_most(db, &Scope::Outside, most)).unwrap();
            assert_eq!(
                (graph.entities.len(), rows.len(), graph.left_out),
                (loaded, loaded, left_out),
                "{most}"
            );
        }
    }
}
