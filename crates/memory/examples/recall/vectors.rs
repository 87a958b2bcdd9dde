//! Recall by meaning beside recall by words, where `--vectors FOLDER` names a model (model2vec layout). The model is never in the
//! repository.

use plimsoll_memory::embedding::Embedder;
use plimsoll_memory::recall::{Mode, RecallRequest};
use plimsoll_memory::store::{QueryVector, SqliteStore};

/// The ways that are compared, by name.
pub(crate) const MODES: [(&str, Mode); 3] =
    [("ours", Mode::Text), ("hybrid", Mode::Hybrid), ("vector", Mode::Vector)];

/// Makes the vectors of everything that is stored.
pub(crate) fn fill(store: &mut SqliteStore, embedder: &Embedder) {
    let model = embedder.model().unwrap();
    loop {
        let missing = store.without_vector(&model, i64::MAX, 256).unwrap();
        if missing.is_empty() {
            return;
        }
        let texts: Vec<&str> = missing.iter().map(|one| one.content.as_str()).collect();
        let vectors = embedder.vectors(&texts).unwrap();
        store.keep_vectors(&model, &missing.into_iter().zip(vectors).collect::<Vec<_>>()).unwrap();
    }
}

/// The same question in a way.
pub(crate) fn by(mode: Mode, asked: RecallRequest, embedder: Option<&Embedder>) -> RecallRequest {
    let question = asked.query.clone().unwrap_or_default();
    let meaning =
        embedder.filter(|_| mode != Mode::Text).and_then(|one| one.question_vector(&question).unwrap());
    RecallRequest { mode, meaning, ..asked }
}

/// The same where the model knows none of the words, for how long it takes.
pub(crate) fn always(mode: Mode, asked: RecallRequest, embedder: Option<&Embedder>) -> RecallRequest {
    let question = asked.query.clone().unwrap_or_default();
    let meaning = embedder.filter(|_| mode != Mode::Text).map(|one| QueryVector {
        model: one.model().unwrap(),
        vector: one.vectors(&[&question]).unwrap().remove(0),
    });
    RecallRequest { mode, meaning, ..asked }
}
