//! Calls a model's endpoint from the settings: one request, one JSON answer, with limits on time and size in both
//! directions, a circuit breaker, and the key, which is never revealed. Used by `meaning` and `model`, never by a
//! hook.

mod breaker;
mod error;
mod keyring;
mod keys;
mod place;
mod post;
mod provider;

pub use error::WireError;
pub(crate) use keys::key_of;
pub use keys::{Kept, KeyError, Keys};
pub use place::Place;
pub(crate) use post::{Limits, post};
pub use provider::Provider;
