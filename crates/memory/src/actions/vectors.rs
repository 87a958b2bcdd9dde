//! Vectors of memories, where `[memory.vectors]` names a model: created after a capture and by a reindex, used for
//! questions, counted in the status. Their failures are reported, and never keep a memory from being stored or found.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::context::ActionContext;
use super::failure::Failure;
use crate::domain::UnknownName;
use crate::embedding::{Embedder, EmbeddingError};
use crate::recall::Mode;
use crate::store::{MissingVector, QueryVector, SqliteStore};

/// Maximum number of vectors created after a capture: it catches up on what hooks captured.
const MAX_AFTER_CAPTURE: usize = 32;
/// Number of texts per request to the model.
const BATCH: usize = 32;
/// How long an agent waits for a reindex; the next reindex creates the rest.
const AGENT_TIME_LIMIT: Duration = Duration::from_secs(30);

/// How to search: the mode, the question's vector, and the reason if the search falls back to words.
#[derive(Debug, Default)]
pub(super) struct SearchPlan {
    pub(super) mode: Mode,
    pub(super) meaning: Option<QueryVector>,
    pub(super) note: Option<String>,
}

/// Plans a search.
///
/// # Errors
/// For an unknown mode, and for `vector` if no vector can be made.
pub(super) fn plan_search(
    context: &ActionContext,
    mode: Option<&str>,
    query: Option<&str>,
) -> Result<SearchPlan, Failure> {
    let mode = match mode.map(str::to_ascii_lowercase).as_deref() {
        None | Some("text") => return Ok(SearchPlan::default()),
        Some("hybrid") => Mode::Hybrid,
        Some("vector") => Mode::Vector,
        Some(other) => {
            return Err(Failure::invalid(format!(
                "mode \"{}\" is unknown; allowed: hybrid, text, vector",
                UnknownName::shortened(other)
            )));
        }
    };
    let meaning = match (&context.embedder, query) {
        // Hybrid falls back to words; `status` reports the missing vectors.
        (None, _) if mode == Mode::Hybrid => return Ok(SearchPlan::default()),
        (None, _) => Err(
            "no embedding model is set up; `plimsoll settings set memory.vectors.provider` takes folder, openai or ollama"
                .to_owned(),
        ),
        (Some(_), None) => return Ok(SearchPlan { mode, ..SearchPlan::default() }),
        (Some(Err(error)), _) => Err(error.to_string()),
        (Some(Ok(embedder)), Some(query)) => embedder.question_vector(query).map_err(|error| error.to_string()),
    };
    match (meaning, mode) {
        (Ok(meaning), _) => Ok(SearchPlan { mode, meaning, note: None }),
        (Err(why), Mode::Vector) => Err(Failure::needs_model(format!(
            "mode \"vector\" needs an embedding model: {why}; mode text needs none"
        ))),
        (Err(why), _) => Ok(SearchPlan {
            note: Some(format!("not used, words alone were looked for: {why}")),
            ..SearchPlan::default()
        }),
    }
}

/// A note if some memories have no vector yet.
///
/// # Errors
/// If the database fails.
pub(super) fn missing_note(store: &SqliteStore, meaning: &QueryVector) -> Result<Option<String>, Failure> {
    let count = store.count_vectors(&meaning.model, Some(meaning.vector.len()))?;
    Ok((count.made < count.of)
        .then(|| format!("{} of {} memories have none; {REINDEX}", count.of - count.made, count.of)))
}

const REINDEX: &str = "`plimsoll memory reindex` makes them";

/// Creates missing vectors after a write; returns the reason if that fails. An agent doesn't wait for an endpoint: a
/// thread of the server calls it, one at a time.
pub(super) fn create_missing(context: &ActionContext, store: &mut SqliteStore) -> Option<String> {
    let embedder = match context.embedder.as_ref()? {
        Ok(embedder) => embedder,
        Err(error) => return Some(failure_note(&error.to_string())),
    };
    if !embedder.is_remote() || context.who.client.is_none() {
        return create(store, embedder, MAX_AFTER_CAPTURE, None)
            .err()
            .map(|failure| failure_note(&failure.message));
    }
    let turn = BackgroundSlot::take()?;
    let (database, embedder) = (context.database.clone(), embedder.clone());
    let started = std::thread::Builder::new().name("vectors".into()).spawn(move || {
        let done = SqliteStore::open(&database)
            .map_err(Failure::from)
            .and_then(|mut store| create(&mut store, &embedder, MAX_AFTER_CAPTURE, None));
        if let Err(failure) = done {
            log::warn!("vectors of memories weren't made: {}", failure.message);
        }
        drop(turn);
    });
    started.err().map(|error| failure_note(&error.to_string()))
}

static UNDER_WAY: AtomicBool = AtomicBool::new(false);

/// The one slot for the background thread, freed however the thread ends.
struct BackgroundSlot;

impl BackgroundSlot {
    fn take() -> Option<Self> {
        (!UNDER_WAY.swap(true, Ordering::AcqRel)).then_some(Self)
    }
}

impl Drop for BackgroundSlot {
    fn drop(&mut self) {
        UNDER_WAY.store(false, Ordering::Release);
    }
}

fn failure_note(why: &str) -> String {
    format!("not made: {why}; {REINDEX}")
}

/// Creates all missing vectors and removes those of other models.
pub(super) fn rebuild_all(context: &ActionContext, store: &mut SqliteStore) -> Option<Value> {
    let embedder = context.embedder.as_ref()?;
    let until = context.who.client.is_some().then(|| Instant::now() + AGENT_TIME_LIMIT);
    let made = embedder.as_ref().map_err(|error| Failure::from(error.clone())).and_then(|embedder| {
        let (model, dimension) = (embedder.model()?, embedder.dimension()?);
        store.drop_other_lengths(&model, dimension)?;
        let made = create(store, embedder, usize::MAX, until)?;
        store.only_vectors_of(&model)?;
        Ok((made, store.count_vectors(&model, Some(dimension))?))
    });
    Some(match made {
        Ok((made, count)) if count.made < count.of => {
            json!({"made": made, "missing": count.of - count.made, "problem": "some have none: the time was over, or the model refused their texts; reindex tries again"})
        }
        Ok((made, _)) => json!({"made": made}),
        Err(failure) => json!({"problem": failure.message}),
    })
}

fn create(
    store: &mut SqliteStore,
    embedder: &Embedder,
    most: usize,
    until: Option<Instant>,
) -> Result<u64, Failure> {
    let model = embedder.model()?;
    let (mut made, mut seen, mut below) = (0, 0, i64::MAX);
    while seen < most && until.is_none_or(|until| Instant::now() < until) {
        let missing = store.without_vector(&model, below, BATCH.min(most - seen))?;
        let Some(last) = missing.last() else { break };
        below = last.key;
        seen += missing.len();
        let all = vectors(embedder, missing)?;
        made += all.len() as u64;
        store.keep_vectors(&model, &all)?;
    }
    Ok(made)
}

/// The vectors of texts. A text that the endpoint refuses is left out and doesn't delay the others.
fn vectors(
    embedder: &Embedder,
    of: Vec<MissingVector>,
) -> Result<Vec<(MissingVector, Vec<f32>)>, EmbeddingError> {
    let texts: Vec<&str> = of.iter().map(|one| one.content.as_str()).collect();
    match embedder.vectors(&texts) {
        Ok(vectors) => Ok(of.into_iter().zip(vectors).collect()),
        Err(error) if error.is_text_error() && of.len() > 1 => {
            let mut out = Vec::new();
            for one in of {
                match embedder.vectors(&[&one.content]) {
                    Ok(mut vectors) => out.extend(vectors.pop().map(|vector| (one, vector))),
                    Err(error) if error.is_text_error() => {}
                    Err(error) => return Err(error),
                }
            }
            if out.is_empty() { Err(error) } else { Ok(out) }
        }
        Err(error) => Err(error),
    }
}

/// The vectors' part in `status`: the kind of index and its size. Calls no endpoint.
pub(super) fn status(
    context: &ActionContext,
    store: Option<&SqliteStore>,
) -> Result<(Value, Option<Value>), Failure> {
    let embedder = match &context.embedder {
        None => return Ok(("none".into(), None)),
        Some(Err(error)) => return Ok(("none".into(), Some(json!({"problem": error.to_string()})))),
        Some(Ok(embedder)) => embedder,
    };
    let mut out = json!({"model": embedder.display_name()});
    if let Some(wire) = embedder.state() {
        out["wire"] = wire;
    }
    match embedder.model() {
        Err(error) => {
            out["problem"] = error.to_string().into();
            Ok(("none".into(), Some(out)))
        }
        Ok(model) => {
            let count = store.map(|store| store.count_vectors(&model, None)).transpose()?.unwrap_or_default();
            out["made"] = count.made.into();
            out["of"] = count.of.into();
            if count.made < count.of {
                let other = if count.others > 0 { "the model is another one than before; " } else { "" };
                out["problem"] = format!("{other}{} have no vector; {REINDEX}", count.of - count.made).into();
            }
            Ok((if count.made > 0 { "sqlite" } else { "none" }.into(), Some(out)))
        }
    }
}

impl From<EmbeddingError> for Failure {
    fn from(error: EmbeddingError) -> Self {
        Self::needs_model(error.to_string())
    }
}
