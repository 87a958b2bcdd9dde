//! A language model, where you set one up: the agent's own, or one behind an endpoint. Optional, off by default; hooks never come
//! here.
//!
//! Owns the settings `[memory.model]` and the way from a question to a text. What is asked, and what of an answer is believed, is in
//! `work`: an answer is data, checked and bounded like every other foreign input.

mod error;
mod remote;
mod work;

use home::{Home, Settings};
use serde_json::{Value, json};
use system::{Question, Sampling};

pub use error::{ModelError, Result};
pub(crate) use work::{entities, summary, tags};

use crate::wire::{Kept, Place, Provider, key_of};
use remote::Remote;

const PROVIDER: &str = "memory.model.provider";
const URL: &str = "memory.model.url";
const NAME: &str = "memory.model.name";

/// No answer is longer, in the model's tokens.
const MAX_TOKENS: u32 = 1_500;

/// A model.
#[derive(Debug, Clone)]
pub struct Model(Source);

#[derive(Debug, Clone)]
enum Source {
    /// The one of the agent that asks.
    Agent,
    Remote(Remote),
}

/// What the settings say; `None` where they name no model. Opens no connection.
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
    let Some(provider) = Provider::named(provider) else {
        let names: Vec<&str> = Provider::ALL.iter().map(|one| one.as_str()).collect();
        return wrong(
            PROVIDER,
            format!("{provider:?} is unknown; allowed: off, agent, {}", names.join(", ")),
        );
    };
    if name.is_empty() {
        return wrong(NAME, "write the model's name".into());
    }
    let place =
        Place::new(provider, if url.is_empty() { provider.url() } else { url }, key_of(home, provider))?;
    Ok(Model(Source::Remote(Remote { place, provider, name: name.to_owned() })))
}

impl Model {
    /// What it's called in a status.
    pub(crate) fn shown(&self) -> String {
        match &self.0 {
            Source::Agent => "agent".into(),
            Source::Remote(remote) => format!("{} {}", remote.provider.as_str(), remote.name),
        }
    }

    /// What a status says of it without asking it.
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

    /// The model's answer to a question about `about`, from which whoever asks has taken secrets out. Waits; not to be called where
    /// something else runs on the same thread.
    fn ask(&self, sampling: &Sampling, system: &str, about: &Value) -> Result<String> {
        // As JSON, so that nothing in it can end it.
        let text = about.to_string();
        match &self.0 {
            Source::Agent => {
                let question = Question { system: system.to_owned(), text, max_tokens: MAX_TOKENS };
                let asked = sampling.ask(question).ok_or(ModelError::NotOffered)?;
                let handle = tokio::runtime::Handle::try_current()
                    .map_err(|error| ModelError::Agent(error.to_string()))?;
                handle.block_on(asked).map_err(ModelError::Agent)
            }
            Source::Remote(remote) => remote.ask(system, &text, MAX_TOKENS),
        }
    }
}
