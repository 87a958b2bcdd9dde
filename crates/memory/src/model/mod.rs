//! An optional language model: the calling agent's own, or one at an endpoint. Off by default; hooks never use it.
//!
//! Owns the settings `[memory.model]` and the request. `tasks` and `relations` own the prompts and the validation: an
//! answer is untrusted data, checked and bounded like any other input.

mod error;
mod relations;
mod remote;
mod tasks;

use home::{Home, Settings};
use serde_json::{Value, json};
use system::{Sampling, SamplingRequest};

pub use error::{ModelError, Result};
pub(crate) use relations::{InferredRelation, MentioningText, relations};
pub(crate) use tasks::{entities, summary, tags};

use crate::wire::{Endpoint, KeyLocation, Provider};
use remote::Remote;

const PROVIDER: &str = "memory.model.provider";
const URL: &str = "memory.model.url";
const NAME: &str = "memory.model.name";

/// Maximum length of an answer, in tokens.
const MAX_TOKENS: u32 = 1_500;

/// A language model.
#[derive(Debug, Clone)]
pub struct Model(Source);

#[derive(Debug, Clone)]
enum Source {
    /// The calling agent's model.
    Agent,
    Remote(Box<Remote>),
}

/// The configured model; `None` if the settings name none. Doesn't connect.
pub(crate) fn model(home: &Home, settings: &Settings) -> Option<Result<Model>> {
    let text = |key: &str| settings.own(key).and_then(Value::as_str).map_or("", str::trim);
    match text(PROVIDER) {
        "" | "off" => None,
        "agent" => Some(Ok(Model(Source::Agent))),
        provider => Some(configured(home, provider, text(URL), text(NAME))),
    }
}

fn configured(home: &Home, provider: &str, url: &str, name: &str) -> Result<Model> {
    let wrong = |key, reason: String| Err(ModelError::Setting { key, reason });
    let Some(provider) = Provider::from_name(provider) else {
        let names: Vec<&str> = Provider::ALL.iter().map(|one| one.as_str()).collect();
        return wrong(
            PROVIDER,
            format!("{provider:?} is unknown; allowed: off, agent, {}", names.join(", ")),
        );
    };
    if name.is_empty() {
        return wrong(NAME, "write the model's name".into());
    }
    let place = Endpoint::new(provider, if url.is_empty() { provider.url() } else { url }, home)?;
    Ok(Model(Source::Remote(Box::new(Remote { place, provider, name: name.to_owned() }))))
}

impl Model {
    /// Its name in a status.
    pub(crate) fn display_name(&self) -> String {
        match &self.0 {
            Source::Agent => "agent".into(),
            Source::Remote(remote) => format!("{} {}", remote.provider.as_str(), remote.name),
        }
    }

    /// Its state for a status. Doesn't call it.
    pub(crate) fn state(&self, sampling: &Sampling) -> Value {
        match &self.0 {
            Source::Agent => json!({"provider": "agent", "offered": sampling.is_offered()}),
            Source::Remote(remote) => {
                let mut out = remote.place.state();
                out["provider"] = remote.provider.as_str().into();
                out["model"] = remote.name.clone().into();
                out
            }
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

    /// Asks the model about `about`, from which the caller has redacted secrets. Blocks; don't call it on a thread
    /// with other work.
    fn ask(&self, sampling: &Sampling, system: &str, about: &Value) -> Result<String> {
        // As JSON, so that no text can end the data.
        let text = about.to_string();
        match &self.0 {
            Source::Agent => {
                let question = SamplingRequest { system: system.to_owned(), text, max_tokens: MAX_TOKENS };
                let asked = sampling.ask(question).ok_or(ModelError::NotOffered)?;
                let handle = tokio::runtime::Handle::try_current()
                    .map_err(|error| ModelError::Agent(error.to_string()))?;
                handle.block_on(asked).map_err(ModelError::Agent)
            }
            Source::Remote(remote) => remote.ask(system, &text, MAX_TOKENS),
        }
    }
}
