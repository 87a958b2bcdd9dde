//! Graph traversal: neighbourhoods and shortest paths. Pure: works on a loaded graph.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};

use super::entity::{Entity, Relation, RelationKind};

/// The entities and relations in a scope.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Graph {
    /// The entities, each id once.
    pub entities: Vec<Entity>,
    /// The relations between them.
    pub relations: Vec<Relation>,
    /// How many entities there are besides, too many to be read.
    pub left_out: u64,
}

/// An entity reached by a traversal.
#[derive(Debug, Clone, PartialEq)]
pub struct Step<'a> {
    /// The entity.
    pub entity: &'a Entity,
    /// Its distance from the start.
    pub depth: usize,
    /// The relation that led to it; `None` for the start.
    pub by: Option<&'a Relation>,
}

impl Graph {
    /// The entity with this id.
    pub fn entity(&self, id: &str) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.id == id)
    }

    fn around(&self) -> HashMap<&str, Vec<(&str, &Relation)>> {
        let mut out: HashMap<&str, Vec<(&str, &Relation)>> = HashMap::new();
        for relation in &self.relations {
            out.entry(&relation.from).or_default().push((&relation.to, relation));
            out.entry(&relation.to).or_default().push((&relation.from, relation));
        }
        out
    }

    /// Everything within `depth` relations of `start`, nearest first, `start` included. Relations count in both
    /// directions; `kinds` limits them, empty means all.
    pub fn within(&self, start: &str, depth: usize, kinds: &[RelationKind]) -> Vec<Step<'_>> {
        let Some(first) = self.entity(start) else { return Vec::new() };
        let around = self.around();
        let mut seen: HashSet<&str> = HashSet::from([first.id.as_str()]);
        let mut out = vec![Step { entity: first, depth: 0, by: None }];
        let mut at = 0;
        while at < out.len() {
            let (here, gone) = (out[at].entity.id.as_str(), out[at].depth);
            at += 1;
            if gone == depth {
                continue;
            }
            for (next, by) in around.get(here).into_iter().flatten() {
                if (kinds.is_empty() || kinds.contains(&by.kind))
                    && seen.insert(next)
                    && let Some(entity) = self.entity(next)
                {
                    out.push(Step { entity, depth: gone + 1, by: Some(by) });
                }
            }
        }
        out
    }

    /// The shortest path of at most `hops` relations, from the start entity on; `None` without one.
    pub fn path(&self, from: &str, to: &str, hops: usize) -> Option<Vec<Step<'_>>> {
        let around = self.around();
        let first = self.entity(from)?;
        let mut came: HashMap<&str, Option<(&str, &Relation)>> = HashMap::from([(first.id.as_str(), None)]);
        let mut queue = VecDeque::from([(first.id.as_str(), 0)]);
        while let Some((here, gone)) = queue.pop_front() {
            if here == to {
                break;
            }
            if gone == hops {
                continue;
            }
            for (next, by) in around.get(here).into_iter().flatten() {
                if let Entry::Vacant(place) = came.entry(next) {
                    place.insert(Some((here, by)));
                    queue.push_back((next, gone + 1));
                }
            }
        }
        let mut back = Vec::new();
        let mut here = came.get_key_value(to).map(|(id, _)| *id);
        while let Some(id) = here {
            let before = came[id];
            back.push((id, before.map(|(_, by)| by)));
            here = before.map(|(before, _)| before);
        }
        if back.is_empty() {
            return None;
        }
        back.reverse();
        let steps: Option<Vec<_>> = back
            .into_iter()
            .enumerate()
            .map(|(depth, (id, by))| Some(Step { entity: self.entity(id)?, depth, by }))
            .collect();
        steps
    }

    /// The subgraph of these entities.
    #[must_use]
    pub fn only(&self, keep: impl Fn(&Entity) -> bool) -> Self {
        let entities: Vec<Entity> = self.entities.iter().filter(|entity| keep(entity)).cloned().collect();
        let ids: HashSet<&str> = entities.iter().map(|entity| entity.id.as_str()).collect();
        let relations = self
            .relations
            .iter()
            .filter(|relation| ids.contains(relation.from.as_str()) && ids.contains(relation.to.as_str()))
            .cloned()
            .collect();
        Self { relations, entities, left_out: self.left_out }
    }
}
