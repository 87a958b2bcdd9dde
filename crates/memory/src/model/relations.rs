//! Inferring relations with a language model: the prompt and the validation of its answer. An accepted relation joins
//! two of the given entities, is of a known kind, and names texts that mention both.

use serde_json::{Value, json};
use system::Sampling;

use super::Model;
use super::error::Result;
use super::tasks::{CONFIDENCE, DATA, MAX_RELATIONS, MAX_TEXT, read, redacted_beginning};
use crate::graph::{Entity, RelationKind, folded};

/// Maximum number of texts in a prompt.
const MAX_TEXTS: usize = 24;
/// Maximum length of each.
const MAX_EACH: usize = 2_000;
/// Maximum number of an entity's aliases in a prompt.
const MAX_ALIASES: usize = 5;
/// Maximum confidence: that of a sentence that states a relation in plain words.
const MAX_CONFIDENCE: f64 = 0.9;

/// A text, and the indices of the entities that it mentions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MentioningText<'a> {
    pub(crate) text: &'a str,
    pub(crate) mentions: &'a [usize],
}

/// A relation that a model read from texts; entities and texts are indices.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct InferredRelation {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) kind: RelationKind,
    pub(crate) confidence: f64,
    pub(crate) texts: Vec<usize>,
}

#[derive(serde::Deserialize)]
struct Answer {
    relationships: Vec<AnsweredRelation>,
}

#[derive(serde::Deserialize)]
struct AnsweredRelation {
    from: String,
    to: String,
    #[serde(rename = "type")]
    kind: String,
    confidence: Option<f64>,
    #[serde(default)]
    texts: Vec<String>,
}

/// The relations between entities that the texts state. As many texts as fit are sent, from the first on.
///
/// # Errors
/// [`ModelError`](super::ModelError).
pub(crate) fn relations(
    model: &Model,
    sampling: &Sampling,
    between: &[&Entity],
    texts: &[MentioningText<'_>],
) -> Result<Vec<InferredRelation>> {
    let kinds: Vec<&str> = RelationKind::ALL.iter().map(|(_, word)| *word).collect();
    let system = format!(
        "{DATA}{{\"relationships\": [{{\"from\": \"e1\", \"to\": \"e2\", \"type\": \"…\", \"confidence\": 0.8, \"texts\": [\"t1\"]}}]}}. \
         Name only relationships between the given entities that the texts state or clearly imply; `from` and `to` are ids of entities, \
         `texts` the ids of the texts that say so, `confidence` is between 0 and 1. Types: {}. Without any, the list is empty.",
        kinds.join(", "),
    );
    let (about, count) = prompt_data(between, texts);
    let answer: Answer = read(&model.ask(sampling, &system, &about)?)?;
    Ok(validate(answer, between, &texts[..count]))
}

/// The prompt's data, and the number of texts in it. Ids are numbered per prompt, so that no name passes for an id.
fn prompt_data(between: &[&Entity], texts: &[MentioningText<'_>]) -> (Value, usize) {
    let entities: Vec<Value> = between
        .iter()
        .enumerate()
        .map(|(at, one)| {
            let aliases: Vec<_> = one.aliases.iter().take(MAX_ALIASES).map(|name| text::redact(name)).collect();
            json!({"id": format!("e{}", at + 1), "name": text::redact(&one.name), "type": one.kind, "also": aliases})
        })
        .collect();
    let (mut left, mut all) = (MAX_TEXT, Vec::new());
    for one in texts.iter().take(MAX_TEXTS) {
        let text = redacted_beginning(one.text, MAX_EACH);
        if text.len() > left {
            break;
        }
        left -= text.len();
        all.push(json!({"id": format!("t{}", all.len() + 1), "text": text}));
    }
    let count = all.len();
    (json!({"entities": entities, "texts": all}), count)
}

/// The acceptable relations of an answer.
fn validate(answer: Answer, between: &[&Entity], texts: &[MentioningText<'_>]) -> Vec<InferredRelation> {
    // Small models give a name in place of an id.
    let entity = |word: &str| {
        index_of_id(word, 'e', between.len())
            .or_else(|| between.iter().position(|one| folded(&one.name) == folded(word)))
    };
    let mut out: Vec<InferredRelation> = Vec::new();
    for one in answer.relationships {
        let (Some(from), Some(to)) = (entity(&one.from), entity(&one.to)) else { continue };
        let Ok(kind) = RelationKind::parse(&one.kind) else { continue };
        let confidence = one.confidence.unwrap_or(CONFIDENCE);
        let mut named: Vec<usize> =
            one.texts.iter().filter_map(|word| index_of_id(word, 't', texts.len())).collect();
        named.sort_unstable();
        named.dedup();
        let mentioned = |entity: usize| named.iter().any(|at| texts[*at].mentions.contains(&entity));
        let known = out.iter().any(|known| (known.from, known.to, known.kind) == (from, to, kind));
        let fits = from != to && (0.0..=1.0).contains(&confidence) && mentioned(from) && mentioned(to);
        if fits && !known && out.len() < MAX_RELATIONS {
            let confidence = confidence.min(MAX_CONFIDENCE);
            out.push(InferredRelation { from, to, kind, confidence, texts: named });
        }
    }
    out
}

/// The index that an id of the prompt stands for.
fn index_of_id(word: &str, letter: char, count: usize) -> Option<usize> {
    let number: usize = word.trim().strip_prefix(letter)?.parse().ok()?;
    (1..=count).contains(&number).then(|| number - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{EntityKind, entity_id};
    use proptest::prelude::*;

    fn entity(name: &str) -> Entity {
        Entity {
            id: entity_id(name),
            name: name.into(),
            kind: EntityKind::Concept,
            aliases: Vec::new(),
            properties: serde_json::Map::new(),
            confidence: 1.0,
            mentions: 1,
        }
    }

    proptest! {
        /// Whatever a model answers, an accepted relation joins two of the entities, and the texts it names mention both.
        #[test]
        fn only_relations_between_mentioned_entities_are_accepted(
            answered in proptest::collection::vec(
                ("(e[0-4]|[A-D]|nobody)", "(e[0-4]|[A-D]|)", "(Uses|works_at|Devours)", proptest::option::of(-0.5f64..1.5), proptest::collection::vec("t[0-4]|x", 0..3)),
                0..20,
            ),
            mentions in proptest::collection::vec(proptest::collection::vec(0usize..3, 0..3), 0..4),
        ) {
            let all = [entity("A"), entity("B"), entity("C")];
            let between: Vec<&Entity> = all.iter().collect();
            let texts: Vec<MentioningText<'_>> = mentions.iter().map(|mentions| MentioningText { text: "x", mentions }).collect();
            let relationships = answered
                .into_iter()
                .map(|(from, to, kind, confidence, texts)| AnsweredRelation { from, to, kind, confidence, texts })
                .collect();
            let found = validate(Answer { relationships }, &between, &texts);
            for (at, one) in found.iter().enumerate() {
                prop_assert!(one.from != one.to && one.from.max(one.to) < between.len());
                prop_assert!((0.0..=MAX_CONFIDENCE).contains(&one.confidence));
                for end in [one.from, one.to] {
                    prop_assert!(one.texts.iter().any(|text| texts[*text].mentions.contains(&end)));
                }
                let same = |other: &InferredRelation| (other.from, other.to, other.kind) == (one.from, one.to, one.kind);
                prop_assert!(!found[..at].iter().any(same));
            }
        }
    }

    #[test]
    fn the_prompt_is_bounded_and_has_no_secret() {
        let secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
        let (one, two) = (entity(secret), entity("Marlin"));
        let long = format!("{secret} {}", "word ".repeat(2_000));
        let texts = [MentioningText { text: &long, mentions: &[0, 1] }; 40];
        let (data, count) = prompt_data(&[&one, &two], &texts);
        let sent = data.to_string();
        assert!((2..MAX_TEXTS).contains(&count) && sent.len() < MAX_TEXT + 1_000, "{count} {}", sent.len());
        assert!(!sent.contains("ghp_") && sent.contains("Marlin"));
        assert_eq!(data["texts"].as_array().map(Vec::len), Some(count));
    }
}
