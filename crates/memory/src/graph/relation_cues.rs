//! The relations that a sentence states: the words between two entities determine their relation.

use std::ops::Range;

use super::entity::{EntityKind, RelationKind};
use super::extracted::{Extracted, FoundRelation};

/// The words between two entities and the relation they state. Longer phrases match first.
const CUES: &[(&str, RelationKind, f64)] = &[
    ("works at", RelationKind::WorksAt, 0.9),
    ("works for", RelationKind::WorksAt, 0.9),
    ("joined", RelationKind::WorksAt, 0.8),
    ("part of", RelationKind::PartOf, 0.85),
    ("belongs to", RelationKind::PartOf, 0.85),
    ("instead of", RelationKind::Supersedes, 0.75),
    ("rather than", RelationKind::Supersedes, 0.75),
    ("replaces", RelationKind::Supersedes, 0.85),
    ("replaced", RelationKind::Supersedes, 0.8),
    ("supersedes", RelationKind::Supersedes, 0.9),
    ("conflicts with", RelationKind::ConflictsWith, 0.9),
    ("incompatible with", RelationKind::ConflictsWith, 0.85),
    ("clashes with", RelationKind::ConflictsWith, 0.85),
    ("implements", RelationKind::Implements, 0.85),
    ("implemented", RelationKind::Implements, 0.8),
    ("to build", RelationKind::Created, 0.75),
    ("created", RelationKind::Created, 0.85),
    ("built", RelationKind::Created, 0.8),
    ("builds", RelationKind::Created, 0.8),
    ("wrote", RelationKind::Created, 0.85),
    ("designed", RelationKind::Created, 0.8),
    ("depends on", RelationKind::Uses, 0.85),
    ("relies on", RelationKind::Uses, 0.85),
    ("runs on", RelationKind::Uses, 0.85),
    ("powered by", RelationKind::Uses, 0.85),
    ("talks to", RelationKind::Uses, 0.7),
    ("uses", RelationKind::Uses, 0.9),
    ("use", RelationKind::Uses, 0.8),
    ("using", RelationKind::Uses, 0.8),
    ("used", RelationKind::Uses, 0.75),
    ("needs", RelationKind::Uses, 0.7),
    ("with", RelationKind::Uses, 0.6),
];

/// Adds the relations that a sentence states between its entities, whose positions are in `spans`.
pub(super) fn relate(sentence: &str, spans: &[(Range<usize>, usize)], out: &mut Extracted) {
    let Some((_, subject)) = spans.first() else { return };
    let mut again: Option<(RelationKind, f64, bool)> = None;
    for pair in spans.windows(2) {
        let ((before, a), (after, b)) = (&pair[0], &pair[1]);
        let between = format!(" {} ", sentence[before.end..after.start].trim().to_lowercase());
        let kind_of = |at: usize| out.entities[at].kind;
        let joined = matches!(between.trim().trim_matches(','), "" | "and" | "or" | "und" | "," | "plus");
        let (from, kind, confidence, back) = if joined {
            // A list continues with the relation of its first item.
            let Some((kind, confidence, back)) = again else { continue };
            (*subject, kind, confidence, back)
        } else if kind_of(*a) == EntityKind::Person
            && kind_of(*b) == EntityKind::Organization
            && matches!(between.trim(), "from" | "of" | "at")
        {
            (*a, RelationKind::WorksAt, 0.85, false)
        } else if let Some((cue, kind, confidence)) =
            CUES.iter().find(|(cue, ..)| between.contains(&format!(" {cue} ")))
        {
            let back = between.contains(&format!("{cue} by "))
                || between.contains(" by ") && between.contains("ed by ");
            let back = back && *kind != RelationKind::Uses || *cue == "used" && between.contains("used by");
            // A verb relates to the sentence's subject; other words relate to the entity just before.
            let from = if *cue == "instead of" || *cue == "rather than" { *a } else { *subject };
            again = Some((*kind, *confidence, back));
            (from, *kind, *confidence, back)
        } else if kind_of(*b) == EntityKind::File && between.contains(" in ") {
            (*subject, RelationKind::MentionedIn, 0.7, false)
        } else {
            again = None;
            (*a, RelationKind::RelatesTo, 0.5, false)
        };
        let (from, to) = if back { (*b, from) } else { (from, *b) };
        if from == to {
            continue;
        }
        let known =
            out.relations.iter_mut().find(|known| (known.from, known.to, known.kind) == (from, to, kind));
        match known {
            Some(known) => known.confidence = known.confidence.max(confidence),
            None => out.relations.push(FoundRelation { from, to, kind, confidence }),
        }
    }
}
