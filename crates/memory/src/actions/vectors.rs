//! Vectors beside memories, where an embedder is set up: made when something is captured and when the index is built again, told in
//! the status, and used for a question. Whatever goes wrong with them is told, and never keeps a memory from being stored or found.

use serde_json::{Value, json};

use super::desk::Desk;
use super::failure::Failure;
use crate::meaning::{Embedder, MeaningError};
use crate::recall::Mode;
use crate::store::{Meaning, SqliteStore};

/// So many are made beside a capture: those that hooks left are caught up with in passing.
const IN_PASSING: usize = 32;
/// So many are asked for at once.
const BATCH: usize = 32;

/// By what is looked for, and what the question means; the reason where its meaning can't be had.
pub(super) fn asked(
    desk: &Desk,
    mode: Option<&str>,
    query: Option<&str>,
) -> Result<(Mode, Option<Meaning>, Option<String>), Failure> {
    let mode = match mode.map(str::to_ascii_lowercase).as_deref() {
        None | Some("text") => Mode::Text,
        Some("hybrid") => Mode::Hybrid,
        Some("vector") => Mode::Vector,
        Some(other) => {
            return Err(Failure::invalid(format!(
                "mode \"{other}\" is unknown; allowed: hybrid, text, vector"
            )));
        }
    };
    let embedder = match (&desk.embedder, mode) {
        (None, Mode::Vector) => {
            return Err(Failure::needs_model(
                "mode \"vector\" needs an embedding model, and none is set; use hybrid or text, or set memory.embedder.kind",
            ));
        }
        // Without a model hybrid is by words, and `status` says so.
        (None, _) | (_, Mode::Text) => return Ok((Mode::Text, None, None)),
        (Some(embedder), _) => embedder,
    };
    let Some(query) = query else { return Ok((mode, None, None)) };
    match embedder.as_ref().map_err(Clone::clone).and_then(|embedder| embedder.question(query)) {
        Ok(meaning) => Ok((mode, meaning, None)),
        Err(error) => Ok((Mode::Text, None, Some(format!("not used, words alone were looked for: {error}")))),
    }
}

/// Makes the vectors that are missing, after something was written; the reason where that failed.
pub(super) fn keep_up(desk: &Desk, store: &mut SqliteStore) -> Option<String> {
    let embedder = desk.embedder.as_ref()?;
    let done = embedder.as_ref().map_err(|error| error.to_string());
    let done = done.and_then(|embedder| make(store, embedder, IN_PASSING).map_err(|failure| failure.message));
    done.err().map(|why| format!("not made: {why}; `plimsoll memory reindex` makes what is missing"))
}

/// Makes all vectors that are missing and lets go of those of other models.
pub(super) fn remake(desk: &Desk, store: &mut SqliteStore) -> Option<Value> {
    let embedder = desk.embedder.as_ref()?;
    let made = embedder.as_ref().map_err(|error| Failure::from(error.clone())).and_then(|embedder| {
        let made = make(store, embedder, usize::MAX)?;
        store.only_vectors_of(&embedder.model()?)?;
        Ok(made)
    });
    Some(match made {
        Ok(made) => json!({"made": made}),
        Err(failure) => json!({"problem": failure.message}),
    })
}

fn make(store: &mut SqliteStore, embedder: &Embedder, most: usize) -> Result<u64, Failure> {
    let model = embedder.model()?;
    let mut made = 0;
    while made < most {
        let missing = store.without_vector(&model, BATCH.min(most - made))?;
        if missing.is_empty() {
            break;
        }
        let texts: Vec<&str> = missing.iter().map(|one| one.content.as_str()).collect();
        let vectors = embedder.vectors(&texts)?;
        made += missing.len();
        let all: Vec<_> = missing.into_iter().zip(vectors).collect();
        store.keep_vectors(&model, &all)?;
    }
    Ok(made as u64)
}

/// What `status` says of vectors: the kind of index, and what there is of it. No endpoint is asked.
pub(super) fn status(desk: &Desk, store: Option<&SqliteStore>) -> Result<(Value, Option<Value>), Failure> {
    let embedder = match &desk.embedder {
        None => return Ok(("none".into(), None)),
        Some(Err(error)) => return Ok(("none".into(), Some(json!({"problem": error.to_string()})))),
        Some(Ok(embedder)) => embedder,
    };
    let mut out = json!({"embedder": embedder.shown()});
    match embedder.model() {
        Err(error) => {
            out["problem"] = error.to_string().into();
            Ok(("none".into(), Some(out)))
        }
        Ok(model) => {
            let count = store.map(|store| store.count_vectors(&model)).transpose()?.unwrap_or_default();
            out["made"] = count.made.into();
            out["of"] = count.of.into();
            if count.made < count.of {
                let other = if count.others > 0 { "the model is another one than before; " } else { "" };
                out["problem"] = format!(
                    "{other}{} have no vector; `plimsoll memory reindex` makes them",
                    count.of - count.made
                )
                .into();
            }
            Ok((if count.made > 0 { "sqlite" } else { "none" }.into(), Some(out)))
        }
    }
}

impl From<MeaningError> for Failure {
    fn from(error: MeaningError) -> Self {
        Self::needs_model(error.to_string())
    }
}
