//! Embeddings: turns texts into vectors, with a model in a local folder or at an endpoint. Optional, off by default;
//! nothing is ever downloaded, and hooks never use it.
//!
//! Owns the settings `[memory.vectors]` and the conversion. Doesn't know where vectors are stored or how they rank.

mod error;
mod local_model;
mod remote;
mod safetensors;
mod tokenizer;

use std::path::{Path, PathBuf};

use home::{Home, Settings};
use serde_json::Value;

pub use error::{EmbeddingError, Result};

use local_model::LocalModel;
use remote::{Protocol, Remote};

use crate::store::QueryVector;
use crate::wire::{Endpoint, KeyLocation, Provider};

const FOLDER: &str = "memory.vectors.folder";
const URL: &str = "memory.vectors.url";
const MODEL: &str = "memory.vectors.model";

/// A source of vectors.
#[derive(Debug, Clone)]
pub struct Embedder(Source);

#[derive(Debug, Clone)]
enum Source {
    Folder(PathBuf),
    Remote(Box<Remote>),
}

/// The configured embedder; `None` if the settings name none. Loads no model and doesn't connect.
pub(crate) fn embedder(home: &Home, settings: &Settings) -> Option<Result<Embedder>> {
    let text = |key: &str| settings.own(key).and_then(Value::as_str).map_or("", str::trim);
    let provider = text("memory.vectors.provider");
    if matches!(provider, "" | "off") {
        return None;
    }
    Some(configured(home, provider, [FOLDER, URL, MODEL].map(text)))
}

fn configured(home: &Home, provider: &str, [path, url, name]: [&str; 3]) -> Result<Embedder> {
    let wrong = |key, reason: &str| Err(EmbeddingError::Setting { key, reason: reason.into() });
    let (protocol, provider) = match provider {
        "folder" => {
            if !Path::new(path).is_absolute() {
                return wrong(
                    FOLDER,
                    "write the whole path of a folder with model.safetensors and tokenizer.json",
                );
            }
            return Ok(Embedder(Source::Folder(path.into())));
        }
        "openai" => (Protocol::OpenAi, Provider::OpenAi),
        "ollama" => (Protocol::Ollama, Provider::Ollama),
        other => {
            return wrong(
                "memory.vectors.provider",
                &format!("\"{other}\" is unknown; allowed: off, folder, openai, ollama"),
            );
        }
    };
    if name.is_empty() {
        return wrong(MODEL, "write the model's name");
    }
    let url = if url.is_empty() { provider.url() } else { url };
    let place = Endpoint::new(provider, url, home)?;
    Ok(Embedder(Source::Remote(Box::new(Remote { protocol, place, name: name.to_owned() }))))
}

impl Embedder {
    /// The model in this folder.
    pub fn in_folder(path: &Path) -> Self {
        Self(Source::Folder(path.to_owned()))
    }

    /// Its name in a status.
    pub fn display_name(&self) -> String {
        match &self.0 {
            Source::Folder(path) => path.display().to_string(),
            Source::Remote(remote) => remote.id(),
        }
    }

    /// Whether it uses the network.
    pub fn is_remote(&self) -> bool {
        matches!(self.0, Source::Remote(_))
    }

    /// Identifies its model.
    ///
    /// # Errors
    /// If the folder is unusable. Doesn't call an endpoint.
    pub fn model(&self) -> Result<String> {
        match &self.0 {
            Source::Folder(path) => Ok(LocalModel::load(path)?.id().to_owned()),
            Source::Remote(remote) => Ok(remote.id()),
        }
    }

    /// The length of its vectors. Calls an endpoint.
    ///
    /// # Errors
    /// [`EmbeddingError`].
    pub fn dimension(&self) -> Result<usize> {
        match &self.0 {
            Source::Folder(path) => Ok(LocalModel::load(path)?.dimension()),
            Source::Remote(remote) => Ok(remote.vectors(&["dimension"])?.pop().map_or(0, |one| one.len())),
        }
    }

    /// Whether a required key is missing or unreadable.
    pub(crate) fn lacks_key(&self) -> bool {
        matches!(&self.0, Source::Remote(remote) if remote.place.lacks_key())
    }

    /// Where its key is stored, if it has one. Doesn't ask the keyring.
    pub(crate) fn key_location(&self) -> Option<KeyLocation> {
        match &self.0 {
            Source::Remote(remote) => remote.place.key_location().ok().flatten(),
            _ => None,
        }
    }

    /// An endpoint's state: whether there is a key, and whether the breaker is open. Doesn't call it.
    pub(crate) fn state(&self) -> Option<Value> {
        match &self.0 {
            Source::Folder(_) => None,
            Source::Remote(remote) => Some(remote.place.state()),
        }
    }

    /// The vectors of texts, in the same order.
    ///
    /// # Errors
    /// [`EmbeddingError`].
    pub fn vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        match &self.0 {
            Source::Folder(path) => {
                let folder = LocalModel::load(path)?;
                texts.iter().map(|text| finite(path, folder.vector(text))).collect()
            }
            Source::Remote(remote) => remote.vectors(texts),
        }
    }

    /// The vector of a question; `None` if the model knows none of its words.
    ///
    /// # Errors
    /// [`EmbeddingError`].
    pub fn question_vector(&self, question: &str) -> Result<Option<QueryVector>> {
        let words: Vec<String> =
            ranking::Query::parse(question).parts.into_iter().map(|part| part.text).collect();
        if words.is_empty() {
            return Ok(None);
        }
        if let Source::Folder(path) = &self.0 {
            let folder = LocalModel::load(path)?;
            let known = words.iter().filter(|word| folder.knows_word(word)).count();
            if known * 3 < words.len() {
                return Ok(None);
            }
        }
        let vector = self.vectors(&[question])?.pop().unwrap_or_default();
        let some = vector.iter().any(|one| *one != 0.0);
        Ok(if some { Some(QueryVector { model: self.model()?, vector: unit(vector) }) } else { None })
    }
}

fn finite(path: &Path, vector: Vec<f32>) -> Result<Vec<f32>> {
    if vector.iter().all(|one| one.is_finite()) {
        return Ok(unit(vector));
    }
    let reason = "it has rows that aren't numbers, so it is damaged".into();
    Err(EmbeddingError::Folder { path: path.join("model.safetensors"), reason })
}

/// The vector scaled to length 1; a zero vector stays zero.
fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|one| f64::from(*one) * f64::from(*one)).sum::<f64>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|one| *one = (f64::from(*one) / length) as f32);
    }
    vector
}
