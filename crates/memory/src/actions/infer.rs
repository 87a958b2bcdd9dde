//! Infers relations between entities from the memories that mention them: by rules, and by a model where one is
//! configured. Stores them only on request.

use std::collections::{BTreeSet, HashMap};

use ranking::Query;
use serde_json::{Map, Value, json};

use super::context::ActionContext;
use super::entities::{RelationArgs, fraction};
use super::failure::Failure;
use super::graph::{find, load_graph};
use crate::domain::{Memory, Trust};
use crate::graph::{Entity, Graph, RelationKind, extract, folded};
use crate::model::{InferredRelation, MentioningText};
use crate::query::Selection;
use crate::store::{Checked, Effort, NewRelation, Store, Term};

/// Maximum number of entities between which relations are inferred at once.
const MAX_ENTITIES: usize = 30;
/// Maximum number of memories per entity that are considered, the newest.
const MAX_MENTIONING: usize = 500;
/// Maximum number of an entity's names that are searched for.
const MAX_NAMES: usize = 6;

/// A memory, and the indices of the entities that it mentions.
struct MentioningMemory {
    memory: Memory,
    mentions: Vec<usize>,
}

/// A relation; its ends are indices into the list of entities.
struct FoundRelation {
    from: usize,
    to: usize,
    kind: RelationKind,
    confidence: f64,
    /// The ids of the memories that a model read it from; `None` if rules found it.
    memories: Option<Vec<String>>,
}

impl FoundRelation {
    fn is_same(&self, other: &Self) -> bool {
        (self.from, self.to, self.kind) == (other.from, other.to, other.kind)
    }

    fn connects(&self, a: usize, b: usize) -> bool {
        (self.from, self.to) == (a, b) || (self.from, self.to) == (b, a)
    }
}

/// Infers relations between entities.
///
/// # Errors
/// [`Failure`].
pub fn infer_relations(context: &ActionContext, given: &RelationArgs) -> super::Reply {
    let least = fraction("min_confidence", given.min_confidence, 0.7)?;
    let graph = load_graph(context)?;
    let entities = find_entities(context, &graph, &given.entity_ids)?;
    let memories = mentioning_memories(context, &entities)?;
    let mut found = infer_by_rules(&entities, &memories);
    let (mut method, mut model) = ("rules", None);
    match infer_by_model(context, &entities, &memories) {
        None => {}
        Some(Ok(more)) => {
            found = merge(found, more, least);
            method = "rules and model";
        }
        Some(Err(why)) => model = Some(why),
    }
    found.retain(|one| one.confidence >= least);
    let stored = given.store && !given.dry_run;
    if stored {
        store_relations(context, &graph, &entities, &found)?;
    }
    let relations: Vec<Value> = found
        .iter()
        .map(|one| {
            let mut out = json!({
                "from_entity": entities[one.from].id, "to_entity": entities[one.to].id,
                "relationship_type": one.kind, "confidence": one.confidence,
            });
            if let Some(memories) = &one.memories {
                out["by"] = "model".into();
                out["memories"] = memories.clone().into();
            }
            out
        })
        .collect();
    let mut out = json!({"relationships": relations, "stored": stored, "method": method});
    if let Some(why) = model {
        out["model"] = why.into();
    }
    Ok(out)
}

fn find_entities<'a>(
    context: &ActionContext,
    graph: &'a Graph,
    names: &[String],
) -> Result<Vec<&'a Entity>, Failure> {
    let mut entities = Vec::new();
    for name in names {
        let one = find(context, graph, name)?;
        if !entities.contains(&one) {
            entities.push(one);
        }
    }
    if entities.len() < 2 || entities.len() > MAX_ENTITIES {
        let (typed, given) = ("different names", "different entities in entity_ids");
        return Err(Failure::invalid(format!(
            "infer needs 2 to {MAX_ENTITIES} {}",
            context.in_words_of_caller(typed, given)
        )));
    }
    Ok(entities)
}

/// The active memories that mention any of the entities, each once: those that rules linked to it, and those that
/// contain one of its names, which rules may not recognise as a name.
fn mentioning_memories(
    context: &ActionContext,
    entities: &[&Entity],
) -> Result<Vec<MentioningMemory>, Failure> {
    let Some(store) = context.reader()? else { return Ok(Vec::new()) };
    let scope = context.scope();
    let selection = context.in_use();
    let mut all: Vec<MentioningMemory> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (at, one) in entities.iter().enumerate() {
        let mut mentioning = Vec::new();
        for id in store.ids_mentioning(&scope, &[one.id.clone(), one.name.clone()], MAX_MENTIONING)? {
            mentioning.extend(store.get(&id)?.filter(|memory| selection.accepts(memory)));
        }
        mentioning.extend(memories_naming(&store, &selection, one)?);
        for memory in mentioning {
            let place = *places.entry(memory.id.clone()).or_insert_with(|| {
                all.push(MentioningMemory { memory, mentions: Vec::new() });
                all.len() - 1
            });
            if all[place].mentions.last() != Some(&at) {
                all[place].mentions.push(at);
            }
        }
    }
    Ok(all)
}

/// The selected memories that contain a name of the entity, newest first.
fn memories_naming(
    store: &dyn Store,
    selection: &Selection,
    entity: &Entity,
) -> Result<Vec<Memory>, Failure> {
    let names = std::iter::once(&entity.name).chain(&entity.aliases).take(MAX_NAMES);
    let names: Vec<String> = names.map(|name| folded(name)).collect();
    let quoted = |name: &String| Query::parse(&format!("\"{}\"", name.replace(['"', '“', '”'], " "))).parts;
    let terms: Vec<Term> =
        names.iter().flat_map(quoted).map(|part| Term { part, forms: Vec::new() }).collect();
    let mut keys = BTreeSet::new();
    // Each name on its own: of several that many memories have, a search finds those with all of them.
    for term in &terms {
        let found = store.matches(selection, std::slice::from_ref(term), Effort::Usual)?.all;
        let own = found.iter().filter(|found| found.own.iter().any(|fit| *fit > 0.0));
        keys.extend(own.map(|found| found.key));
    }
    let keys: Vec<i64> = keys.into_iter().rev().collect();
    let found = store.read(&keys)?.into_iter().map(|(_, memory)| memory);
    // The index also matches tags, paths and other forms of a word.
    Ok(found.filter(|memory| names.iter().any(|name| contains_name(&memory.content, name))).collect())
}

/// Whether a text contains this folded name as whole words.
fn contains_name(text: &str, name: &str) -> bool {
    let text = folded(text);
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            !is_word(text[..at].chars().next_back()) && !is_word(text[at + name.len()..].chars().next())
        })
}

/// The relations that sentences state; between two entities that are only mentioned together, `RelatesTo`.
fn infer_by_rules(entities: &[&Entity], memories: &[MentioningMemory]) -> Vec<FoundRelation> {
    let mut found: Vec<FoundRelation> = Vec::new();
    let mut shared: HashMap<(usize, usize), u32> = HashMap::new();
    for one in memories.iter().filter(|one| one.mentions.len() > 1) {
        for (at, a) in one.mentions.iter().enumerate() {
            for b in &one.mentions[at + 1..] {
                *shared.entry((*a, *b)).or_default() += 1;
            }
        }
        let text = extract(&one.memory.content);
        let named = |at: usize| {
            let name = folded(&text.entities[at].name);
            one.mentions.iter().copied().find(|entity| folded(&entities[*entity].name) == name)
        };
        for stated in text.relations.iter().filter(|stated| stated.kind != RelationKind::RelatesTo) {
            let (Some(from), Some(to)) = (named(stated.from), named(stated.to)) else { continue };
            let (kind, confidence) = (stated.kind, stated.confidence);
            let relation = FoundRelation { from, to, kind, confidence, memories: None };
            match found.iter_mut().find(|known| known.is_same(&relation)) {
                Some(known) => known.confidence = known.confidence.max(confidence),
                None if from != to => found.push(relation),
                None => {}
            }
        }
    }
    for ((from, to), count) in shared {
        if !found.iter().any(|known| known.connects(from, to)) {
            // One shared mention may be chance; four aren't.
            let confidence = (0.5 + 0.1 * f64::from(count)).min(0.9);
            let kind = RelationKind::RelatesTo;
            found.push(FoundRelation { from, to, kind, confidence, memories: None });
        }
    }
    found.sort_by_key(|one| (one.from.min(one.to), one.from.max(one.to)));
    found
}

/// The relations that a model reads from the memories; those that mention most of the entities go first. Untrusted
/// memories aren't sent.
fn infer_by_model(
    context: &ActionContext,
    entities: &[&Entity],
    memories: &[MentioningMemory],
) -> Option<Result<Vec<FoundRelation>, String>> {
    let mut trusted: Vec<&MentioningMemory> =
        memories.iter().filter(|one| one.memory.trust != Trust::Untrusted).collect();
    trusted.sort_by_key(|one| std::cmp::Reverse((one.mentions.len(), one.memory.created_ms)));
    let texts: Vec<MentioningText<'_>> = trusted
        .iter()
        .map(|one| MentioningText { text: &one.memory.content, mentions: &one.mentions })
        .collect();
    let answer = super::models::relations(context, entities, &texts)?;
    let found = |one: InferredRelation| FoundRelation {
        from: one.from,
        to: one.to,
        kind: one.kind,
        confidence: one.confidence,
        memories: Some(one.texts.iter().map(|at| trusted[*at].memory.id.clone()).collect()),
    };
    Some(answer.map(|all| all.into_iter().map(found).collect()))
}

/// The rules' relations and the model's. A relation that rules found keeps their confidence; a confident specific
/// relation replaces a `RelatesTo` between the same entities.
fn merge(mut found: Vec<FoundRelation>, more: Vec<FoundRelation>, least: f64) -> Vec<FoundRelation> {
    for one in more {
        if found.iter().any(|known| known.is_same(&one)) {
            continue;
        }
        if one.kind != RelationKind::RelatesTo && one.confidence >= least {
            found.retain(|known| known.kind != RelationKind::RelatesTo || !known.connects(one.from, one.to));
        }
        found.push(one);
    }
    found
}

fn store_relations(
    context: &ActionContext,
    graph: &Graph,
    entities: &[&Entity],
    found: &[FoundRelation],
) -> Result<(), Failure> {
    let mut new = Vec::new();
    for one in found {
        let (from, to) = (entities[one.from].id.as_str(), entities[one.to].id.as_str());
        let mut properties = Map::new();
        let by_model = one.memories.is_some();
        // Nothing that is inferred revives what has ended, and a model doesn't change what somebody wrote either.
        let stays = |known: &crate::graph::Relation| {
            (&*known.from, &*known.to, known.kind) == (from, to, one.kind)
                && (by_model || known.until_ms.is_some())
        };
        if graph.relations.iter().any(stays) {
            continue;
        }
        if by_model {
            properties.insert("by".into(), "model".into());
        }
        let properties = Checked::new(properties, context.secrets)?;
        let (from, to) = (from.to_owned(), to.to_owned());
        let (kind, confidence) = (one.kind, one.confidence);
        new.push(NewRelation { from, to, kind, confidence, properties, since_ms: None, until_ms: None });
    }
    context.writer()?.relate_all(&context.scope(), &new, context.who.at_ms)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{contains_name, memories_naming};
    use crate::domain::{Domain, Namespace};
    use crate::graph::{Entity, EntityKind};
    use crate::query::{Filter, Scope, Selection};
    use crate::store::{Actor, Draft, Secrets, SqliteStore};

    /// More than a hook looks at, which tells only what is sure.
    #[test]
    fn each_name_finds_what_it_is_in() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
        let of = |text: String| {
            let draft = Draft::new(text, Namespace::Decisions, Domain::User);
            (draft.check(Secrets::Redact).unwrap(), Actor::local_user(1))
        };
        let mut all: Vec<_> = (0..130).map(|n| of(format!("Marlin starts in {n} steps"))).collect();
        all.extend((0..130).map(|n| of(format!("the rower has {n} oars"))));
        all.push(of("neither of them".into()));
        store.capture_all(&all).unwrap();
        let entity = Entity {
            id: "entity_marlin".into(),
            name: "Marlin".into(),
            kind: EntityKind::Technology,
            aliases: vec!["the rower".into()],
            properties: serde_json::Map::new(),
            confidence: 1.0,
            mentions: 0,
        };
        let selection = Selection { scope: Scope::Outside, filter: Filter::default(), now_ms: 2 };
        let found = memories_naming(&store, &selection, &entity).unwrap();
        assert_eq!(found.len(), 260);
        let ends = [0, 129, 130, 259].map(|at| found[at].content.as_str());
        assert_eq!(
            ends,
            [
                "the rower has 129 oars",
                "the rower has 0 oars",
                "Marlin starts in 129 steps",
                "Marlin starts in 0 steps"
            ]
        );
    }

    #[test]
    fn a_name_counts_only_as_whole_words() {
        for (text, name, expected) in [
            ("Marlin starts slowly", "marlin", true),
            ("(the  Data\nLake)", "data lake", true),
            ("marlins swim; marlin-db too", "marlin", true),
            ("marlins swim", "marlin", false),
            ("the marlin2 host", "marlin", false),
            ("C++ and C#", "c++", true),
            ("anything", "", false),
        ] {
            assert_eq!(contains_name(text, name), expected, "{text:?} {name:?}");
        }
    }
}
