//! Web pages: fetched on request only, converted to text, and stored with what a cheap later request needs.
//!
//! - [`fetch`] uses the network: one page, under a [`NetPolicy`].
//! - [`convert`] turns a body into text or a saved file, without the network.
//! - [`index_urls`] does both for several pages at once and writes the result to a store.
//!
//! Nothing here runs on its own, retries later or contacts a third party.

mod body;
mod error;
mod fetch;
mod indexing;
mod policy;

pub use body::{Converted, convert};
pub use error::FetchError;
pub use fetch::{Body, FetchRequest, Fetched, fetch};
pub use indexing::{Cache, UrlIndexed, UrlOptions, UrlRequest, UrlResult, index_urls};
pub use policy::{HostRules, NetPolicy, Proxies};
