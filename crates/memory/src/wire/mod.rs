//! Calls a model's endpoint from the settings: one request, one JSON answer, with limits on time and size in both
//! directions, a circuit breaker, and the key, which is never revealed. Used by `embedding` and `model`, never by a
//! hook.

mod breaker;
mod endpoint;
mod error;
mod keyring;
mod keys;
mod provider;
mod request;

pub use endpoint::Endpoint;
pub use error::WireError;
pub use keys::{KeyError, KeyLocation, Keys};
pub use provider::Provider;
pub(crate) use request::{Limits, post};
