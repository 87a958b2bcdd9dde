//! A model at an endpoint, in the protocols of Anthropic, OpenAI (also LM Studio's and many others') and Ollama.

use std::time::Duration;

use serde_json::json;

use super::error::{ModelError, Result};
use crate::wire::{Endpoint, Limits, Provider, post};

/// The caller waits; these are the limits.
const LIMITS: Limits = Limits {
    connect: Duration::from_secs(3),
    total: Duration::from_secs(45),
    sent: 256 << 10,
    answer: 256 << 10,
};

/// An endpoint and its model.
#[derive(Debug, Clone)]
pub(super) struct Remote {
    pub(super) place: Endpoint,
    pub(super) provider: Provider,
    pub(super) name: String,
}

impl Remote {
    /// The text of an answer.
    ///
    /// # Errors
    /// If the endpoint can't be reached or the answer has no text.
    pub(super) fn ask(&self, system: &str, text: &str, max_tokens: u32) -> Result<String> {
        let user = json!({"role": "user", "content": text});
        let both = json!([{"role": "system", "content": system}, user.clone()]);
        let (path, body) = match self.provider {
            Provider::Anthropic => (
                "messages",
                json!({"model": self.name, "max_tokens": max_tokens, "system": system, "messages": [user]}),
            ),
            Provider::OpenAi | Provider::LmStudio => {
                // OpenAI's own endpoint requires the new name; most compatible ones know only the old one.
                let limit =
                    if self.place.is_providers_own() { "max_completion_tokens" } else { "max_tokens" };
                let mut body = json!({"model": self.name, "messages": both, "stream": false});
                body[limit] = max_tokens.into();
                ("chat/completions", body)
            }
            Provider::Ollama => (
                "api/chat",
                json!({"model": self.name, "messages": both, "stream": false, "options": {"num_predict": max_tokens}}),
            ),
        };
        let answer = post(&self.place, path, &body, &LIMITS)?;
        let text = match self.provider {
            Provider::Anthropic => answer["content"].as_array().map(|blocks| {
                let texts = blocks.iter().filter(|one| one["type"] == "text");
                texts.filter_map(|one| one["text"].as_str()).collect::<String>()
            }),
            Provider::OpenAi | Provider::LmStudio => {
                answer["choices"][0]["message"]["content"].as_str().map(str::to_owned)
            }
            Provider::Ollama => answer["message"]["content"].as_str().map(str::to_owned),
        };
        text.filter(|text: &String| !text.trim().is_empty())
            .ok_or(ModelError::Answer("there is no text in it"))
    }
}
