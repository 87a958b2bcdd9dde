//! Web pages: fetched on request only, converted to text, and stored with what a cheap later request needs.
//!
//! - [`fetch`] uses the network: one page, under a [`NetPolicy`].
//! - [`convert`] turns a body into text or a saved file, without the network.
//! - [`index_urls`] does both for several pages at once and writes the result to a store.
//!
//! Nothing here runs on its own, retries later or contacts a third party.

mod addresses;
mod body;
mod error;
mod fetch;
mod indexing;
mod policy;
mod request;

pub use body::{Conversion, convert};
pub use error::FetchError;
pub use fetch::{Body, FetchRequest, FetchedPage, fetch};
pub use indexing::index_urls;
pub use policy::{HostRules, NetPolicy, Proxies};
pub use request::{Cache, UrlIndexResult, UrlOptions, UrlRequest, UrlResult};
