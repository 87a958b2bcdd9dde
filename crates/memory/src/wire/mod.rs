//! Asking a model's endpoint that you named in the settings: one request, one JSON answer, with limits on time and size both ways,
//! a breaker, and the key, which comes out nowhere. Used by `meaning` and `model`; never by a hook.

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
