//! What texts mean, as vectors: from a model in a folder of yours or from an endpoint that you name. Optional, off by default, and
//! nothing is ever downloaded. Hooks never come here.
//!
//! Owns the settings `[memory.vectors]` and the way from a text to numbers. Does not know where they are kept or how they rank.

mod error;
mod folder;
mod remote;
mod safetensors;
mod tokens;

use std::path::{Path, PathBuf};

use home::{Home, Settings};
use serde_json::Value;

pub use error::{MeaningError, Result};

use folder::Folder;
use remote::{Remote, Speaks};

use crate::store::Meaning;
use crate::wire::{Kept, Place, Provider, key_of};

const FOLDER: &str = "memory.vectors.folder";
const URL: &str = "memory.vectors.url";
const MODEL: &str = "memory.vectors.model";

/// Where vectors come from.
#[derive(Debug, Clone)]
pub struct Embedder(Source);

#[derive(Debug, Clone)]
enum Source {
    Folder(PathBuf),
    Remote(Remote),
}

/// What the settings say; `None` where they name no embedder. Reads no model and opens no connection.
pub(crate) fn embedder(home: &Home, settings: &Settings) -> Option<Result<Embedder>> {
    let text = |key: &str| settings.own(key).and_then(Value::as_str).map_or("", str::trim);
    let provider = text("memory.vectors.provider");
    if matches!(provider, "" | "off") {
        return None;
    }
    Some(configured(home, provider, [FOLDER, URL, MODEL].map(text)))
}

fn configured(home: &Home, provider: &str, [path, url, name]: [&str; 3]) -> Result<Embedder> {
    let wrong = |key, reason: &str| Err(MeaningError::Setting { key, reason: reason.into() });
    let (speaks, provider) = match provider {
        "folder" => {
            if !Path::new(path).is_absolute() {
                return wrong(
                    FOLDER,
                    "write the whole path of a folder with model.safetensors and tokenizer.json",
                );
            }
            return Ok(Embedder(Source::Folder(path.into())));
        }
        "openai" => (Speaks::OpenAi, Provider::OpenAi),
        "ollama" => (Speaks::Ollama, Provider::Ollama),
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
    let place = Place::new(provider, url, key_of(home, provider))?;
    Ok(Embedder(Source::Remote(Remote { speaks, place, name: name.to_owned() })))
}

impl Embedder {
    /// A model in this folder.
    pub fn in_folder(path: &Path) -> Self {
        Self(Source::Folder(path.to_owned()))
    }

    /// What it's called in a status.
    pub fn shown(&self) -> String {
        match &self.0 {
            Source::Folder(path) => path.display().to_string(),
            Source::Remote(remote) => remote.id(),
        }
    }

    /// Whether asking it is a network connection.
    pub fn is_remote(&self) -> bool {
        matches!(self.0, Source::Remote(_))
    }

    /// What tells its model from every other.
    ///
    /// # Errors
    /// When the folder can't be used. An endpoint isn't asked.
    pub fn model(&self) -> Result<String> {
        match &self.0 {
            Source::Folder(path) => Ok(Folder::load(path)?.id().to_owned()),
            Source::Remote(remote) => Ok(remote.id()),
        }
    }

    /// How many numbers its vectors have. An endpoint is asked.
    ///
    /// # Errors
    /// [`MeaningError`].
    pub fn dimension(&self) -> Result<usize> {
        match &self.0 {
            Source::Folder(path) => Ok(Folder::load(path)?.dimension()),
            Source::Remote(remote) => Ok(remote.vectors(&["dimension"])?.pop().map_or(0, |one| one.len())),
        }
    }

    /// Whether a key that it needs is missing or can't be read.
    pub(crate) fn lacks_key(&self) -> bool {
        matches!(&self.0, Source::Remote(remote) if remote.place.lacks_key())
    }

    /// Where its key is, if it has one. No keyring is asked.
    pub(crate) fn kept(&self) -> Option<Kept> {
        match &self.0 {
            Source::Remote(remote) => remote.place.kept().ok().flatten(),
            _ => None,
        }
    }

    /// Of an endpoint: whether there is a key, and whether it is left alone. It isn't asked.
    pub(crate) fn state(&self) -> Option<Value> {
        match &self.0 {
            Source::Folder(_) => None,
            Source::Remote(remote) => Some(remote.place.state()),
        }
    }

    /// The vectors of texts, in their order.
    ///
    /// # Errors
    /// [`MeaningError`].
    pub fn vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        match &self.0 {
            Source::Folder(path) => {
                let folder = Folder::load(path)?;
                texts.iter().map(|text| finite(path, folder.vector(text))).collect()
            }
            Source::Remote(remote) => remote.vectors(texts),
        }
    }

    /// What a question means; `None` for one whose words the model doesn't know.
    ///
    /// # Errors
    /// [`MeaningError`].
    pub fn question(&self, question: &str) -> Result<Option<Meaning>> {
        let words: Vec<String> =
            ranking::Query::parse(question).parts.into_iter().map(|part| part.text).collect();
        if words.is_empty() {
            return Ok(None);
        }
        if let Source::Folder(path) = &self.0 {
            let folder = Folder::load(path)?;
            let known = words.iter().filter(|word| folder.knows(word)).count();
            if known * 3 < words.len() {
                return Ok(None);
            }
        }
        let vector = self.vectors(&[question])?.pop().unwrap_or_default();
        let some = vector.iter().any(|one| *one != 0.0);
        Ok(if some { Some(Meaning { model: self.model()?, vector: unit(vector) }) } else { None })
    }
}

fn finite(path: &Path, vector: Vec<f32>) -> Result<Vec<f32>> {
    if vector.iter().all(|one| one.is_finite()) {
        return Ok(unit(vector));
    }
    let reason = "it has rows that aren't numbers, so it is damaged".into();
    Err(MeaningError::Folder { path: path.join("model.safetensors"), reason })
}

/// The same direction at length 1; nothing stays nothing.
fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|one| f64::from(*one) * f64::from(*one)).sum::<f64>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|one| *one = (f64::from(*one) / length) as f32);
    }
    vector
}
