//! Web pages: fetched when asked for, and only then; turned into text; kept in the knowledge base with what is
//! needed to ask for them again cheaply.
//!
//! - [`fetch`] talks to the network: one page, under a [`NetPolicy`].
//! - [`convert`] turns a body into text or a saved file; it knows no network.
//! - [`index_urls`] does both for several pages at once and writes the result into a store.
//!
//! Nothing here runs by itself, retries later or asks any third party for anything.

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
