//! What a caller asks of indexing pages, and what it gets back.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Serialize as _, Serializer};

use super::error::FetchError;
use super::policy::NetPolicy;
use crate::ingest::IndexResult;

/// The size limit of one knowledge base's pages together, in bytes of text; beyond, the pages fetched longest ago are
/// removed. They can be fetched again.
const MAX_PAGES_BYTES: u64 = 128 * 1024 * 1024;
/// The size limit of saved files that aren't text, together.
const MAX_SAVED_BYTES: u64 = 512 * 1024 * 1024;

/// A page to index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlRequest {
    /// Its address.
    pub url: String,
    /// The label; the address if missing.
    pub label: Option<String>,
}

/// How pages are indexed.
#[derive(Debug, Clone)]
pub struct UrlOptions {
    /// What may be contacted.
    pub policy: NetPolicy,
    /// How long a page counts as fresh, in milliseconds.
    pub ttl_ms: i64,
    /// Request again, whatever is stored.
    pub force: bool,
    /// The limit per page.
    pub timeout: Duration,
    /// The limit of a body.
    pub max_bytes: u64,
    /// How many pages at a time.
    pub concurrency: usize,
    /// The pages' size limit together.
    pub max_pages_bytes: u64,
    /// The saved files' size limit together.
    pub max_saved_bytes: u64,
    /// The folder for files that aren't text.
    pub downloads_dir: PathBuf,
    /// The session that indexes.
    pub session: Option<String>,
    /// Its agent.
    pub agent: Option<String>,
    /// The time now, in milliseconds since 1970.
    pub now_ms: i64,
}

impl UrlOptions {
    /// The default limits: fresh for a day, 30 s, 50 MB, four at a time.
    pub fn new(downloads_dir: PathBuf, now_ms: i64) -> Self {
        UrlOptions {
            policy: NetPolicy::default(),
            ttl_ms: 24 * 60 * 60 * 1000,
            force: false,
            timeout: Duration::from_secs(30),
            max_bytes: 50 * 1024 * 1024,
            concurrency: 4,
            max_pages_bytes: MAX_PAGES_BYTES,
            max_saved_bytes: MAX_SAVED_BYTES,
            downloads_dir,
            session: None,
            agent: None,
            now_ms,
        }
    }
}

/// Where the text came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cache {
    /// The stored copy was fresh; no request was made.
    Fresh,
    /// The server answered that the page hasn't changed.
    Revalidated,
    /// It was fetched.
    Fetched,
}

/// A page that is now in the knowledge base, or a file that was saved.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct UrlIndexResult {
    /// Its label.
    pub label: String,
    /// Its final address.
    pub url: String,
    /// The page's own title.
    pub title: Option<String>,
    /// The indexing result; `None` for a saved file.
    pub indexed: Option<IndexResult>,
    /// Where the text came from.
    pub cache: Cache,
    /// Its age, in milliseconds.
    pub age_ms: i64,
    /// Bytes received over the network.
    pub fetched_bytes: u64,
    /// The start of the text.
    pub preview: String,
    /// The file and its content type, if it wasn't text.
    #[serde(serialize_with = "shown_path")]
    pub saved: Option<(PathBuf, String)>,
    /// Notes for the reader.
    pub notes: Vec<String>,
}

/// One page's result.
#[derive(Debug)]
pub struct UrlResult {
    /// The requested address.
    pub url: String,
    /// The outcome.
    pub outcome: Result<UrlIndexResult, FetchError>,
}

/// A name that isn't UTF-8 can't be in JSON, but the saved file must be reported all the same.
fn shown_path<S: Serializer>(saved: &Option<(PathBuf, String)>, to: S) -> Result<S::Ok, S::Error> {
    saved.as_ref().map(|(path, kind)| (path.to_string_lossy(), kind)).serialize(to)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::ffi::OsStrExt as _;

    use super::*;

    #[test]
    fn a_saved_file_whose_name_isnt_utf8_is_told() {
        let path = std::ffi::OsStr::from_bytes(b"/ke\xffel/a.png").into();
        let page = UrlIndexResult {
            label: "a".into(),
            url: "https://x.org/a.png".into(),
            title: None,
            indexed: None,
            cache: Cache::Fetched,
            age_ms: 0,
            fetched_bytes: 4,
            preview: String::new(),
            saved: Some((path, "image/png".into())),
            notes: Vec::new(),
        };
        assert_eq!(serde_json::json!(page)["saved"], serde_json::json!(["/ke\u{fffd}el/a.png", "image/png"]));
    }
}
