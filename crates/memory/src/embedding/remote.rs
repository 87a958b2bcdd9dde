//! Vectors from an endpoint: OpenAI's `/v1/embeddings` and Ollama's `/api/embed`. Redacts secrets before sending.

use std::time::Duration;

use serde_json::{Value, json};

use super::error::{EmbeddingError, Result};
use crate::wire::{Endpoint, Limits, post};

/// A recall waits no longer than this.
const LIMITS: Limits = Limits {
    connect: Duration::from_secs(2),
    total: Duration::from_secs(10),
    sent: 4 << 20,
    answer: 32 << 20,
};
/// Maximum length of a sent text.
const MAX_TEXT: usize = 8_000;
/// Maximum length of a vector.
const MAX_DIMENSION: usize = 8_192;

/// The endpoint's protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Protocol {
    OpenAi,
    Ollama,
}

/// An endpoint.
#[derive(Debug, Clone)]
pub(super) struct Remote {
    pub(super) protocol: Protocol,
    pub(super) place: Endpoint,
    pub(super) name: String,
}

impl Remote {
    /// Identifies this model.
    pub(super) fn id(&self) -> String {
        format!("{} {}", self.place.display_name(), self.name)
    }

    /// The vectors of texts, in the same order.
    ///
    /// # Errors
    /// If the endpoint can't be reached or its answer has no vectors.
    pub(super) fn vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let texts: Vec<String> = texts
            .iter()
            .map(|text| {
                // Redact before cutting, so that no half of a secret remains.
                let mut text = text::redact(text).into_owned();
                text.truncate(text.floor_char_boundary(MAX_TEXT));
                text
            })
            .collect();
        let (path, body) = match self.protocol {
            Protocol::OpenAi => {
                ("embeddings", json!({"model": self.name, "input": texts, "encoding_format": "float"}))
            }
            Protocol::Ollama => ("api/embed", json!({"model": self.name, "input": texts})),
        };
        let answer = post(&self.place, path, &body, &LIMITS)?;
        self.read(&answer, texts.len()).map_err(|reason| EmbeddingError::Answer {
            place: self.place.display_name().to_owned(),
            reason: reason.into(),
        })
    }

    fn read(&self, answer: &Value, wanted: usize) -> Result<Vec<Vec<f32>>, &'static str> {
        let mut all: Vec<(usize, &Value)> = match self.protocol {
            Protocol::Ollama => answer["embeddings"].as_array().map(|all| all.iter().enumerate().collect()),
            Protocol::OpenAi => answer["data"].as_array().map(|all| {
                let place = |at: usize, one: &Value| one["index"].as_u64().map_or(at, |index| index as usize);
                all.iter().enumerate().map(|(at, one)| (place(at, one), &one["embedding"])).collect()
            }),
        }
        .ok_or("there is no list of vectors in it")?;
        all.sort_by_key(|(at, _)| *at);
        if all.len() != wanted || all.iter().enumerate().any(|(at, (index, _))| at != *index) {
            return Err("it has not one vector for each text");
        }
        let read = |numbers: &Value| -> Option<Vec<f32>> {
            let numbers = numbers.as_array().filter(|all| (1..=MAX_DIMENSION).contains(&all.len()))?;
            let numbers: Option<Vec<f32>> =
                numbers.iter().map(|one| one.as_f64().map(|one| one as f32)).collect();
            numbers.filter(|all| all.iter().all(|one| one.is_finite()))
        };
        let vectors: Option<Vec<Vec<f32>>> = all.iter().map(|(_, numbers)| read(numbers)).collect();
        let vectors = vectors.ok_or("one of its vectors isn't a list of numbers")?;
        if vectors.iter().any(|one| one.len() != vectors[0].len()) {
            return Err("its vectors differ in length");
        }
        Ok(vectors.into_iter().map(super::unit).collect())
    }
}
