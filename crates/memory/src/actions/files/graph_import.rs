//! The entities and relations of an import, which are stored beside its memories.

use std::collections::{HashMap, HashSet};

use crate::actions::context::ActionContext;
use crate::actions::failure::Failure;
use crate::actions::graph::load_graph;
use crate::graph::{RelationKind, entity_id};
use crate::store::{Checked, NewEntity, NewRelation, StoreError};

/// A relation by the names of its ends, with its kind in the source's words.
pub(super) struct StatedRelation {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) word: String,
}

/// The entities and relations to store.
#[derive(Default)]
pub(super) struct GraphImport {
    pub(super) entities: Vec<Checked<NewEntity>>,
    pub(super) relations: Vec<StatedRelation>,
}

impl GraphImport {
    /// Takes those whose texts may be stored; returns the others' names, without secrets, and why they may not.
    pub(super) fn check(
        &mut self,
        context: &ActionContext,
        entities: Vec<NewEntity>,
        relations: Vec<StatedRelation>,
    ) -> Vec<(String, StoreError)> {
        let mut refused = Vec::new();
        let mut refuse = |name: &str, error| refused.push((text::redact(name).into_owned(), error));
        for entity in entities {
            let name = entity.name.clone();
            match Checked::new(entity, context.secrets) {
                Ok(checked) => self.entities.push(checked),
                Err(error) => refuse(&name, error),
            }
        }
        for one in relations {
            let clean = |name: &str| {
                Checked::new(name.to_owned(), context.secrets).map(|checked| checked.get().clone())
            };
            match (clean(&one.from), clean(&one.to), clean(&one.word)) {
                (Ok(from), Ok(to), Ok(word)) => self.relations.push(StatedRelation { from, to, word }),
                // The entity at that end has stated it already.
                (_, _, Err(error)) => refuse(&one.word, error),
                _ => {}
            }
        }
        refused
    }

    /// Whether there is nothing to store.
    pub(super) fn is_empty(&self) -> bool {
        self.entities.is_empty() && self.relations.is_empty()
    }

    /// The number of relations that would be stored: both ends are in the import or in the graph.
    pub(super) fn storable(&self, context: &ActionContext) -> Result<usize, Failure> {
        if self.relations.is_empty() {
            return Ok(0);
        }
        let mut ids: HashSet<String> =
            load_graph(context)?.entities.into_iter().map(|entity| entity.id).collect();
        ids.extend(self.entities.iter().map(|entity| entity_id(&entity.get().name)));
        let is_there = |name: &str| ids.contains(&entity_id(name));
        Ok(self.relations.iter().filter(|one| is_there(&one.from) && is_there(&one.to)).count())
    }

    /// Stores them; returns the number of relations whose ends both exist.
    pub(super) fn keep(&self, context: &ActionContext) -> Result<usize, Failure> {
        if self.is_empty() {
            return Ok(0);
        }
        // A file that was written before something ended doesn't know of its end.
        let known = load_graph(context)?.relations.into_iter();
        let ended: HashMap<(String, String, RelationKind), i64> =
            known.filter_map(|one| Some(((one.from, one.to, one.kind), one.until_ms?))).collect();
        let mut store = context.writer()?;
        for entity in &self.entities {
            store.create_entity(&context.scope(), entity, context.who.at_ms)?;
        }
        let mut relations = Vec::new();
        for printed in &self.relations {
            let (from, to) = (entity_id(&printed.from), entity_id(&printed.to));
            let kind = RelationKind::parse(&printed.word).unwrap_or(RelationKind::RelatesTo);
            let mut properties = serde_json::Map::new();
            // A kind outside the nine is kept in the source's words.
            if !kind.as_str().eq_ignore_ascii_case(&printed.word.replace(['_', '-', ' '], "")) {
                properties.insert("as".into(), printed.word.clone().into());
            }
            let properties = Checked::new(properties, context.secrets)?;
            let until_ms = ended.get(&(from.clone(), to.clone(), kind)).copied();
            let since_ms = None;
            relations.push(NewRelation { from, to, kind, confidence: 1.0, properties, since_ms, until_ms });
        }
        let kept = store.relate_all(&context.scope(), &relations, context.who.at_ms)?;
        Ok(kept.into_iter().flatten().count())
    }
}
