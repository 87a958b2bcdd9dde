//! Indexes pages: fresh ones aren't requested, stale ones are requested conditionally, and each of several pages has its own
//! result. `fetch` does the fetching.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::OptionalExtension;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::body::{Converted, convert};
use super::error::FetchError;
use super::fetch::{Body, FetchRequest, fetch};
use super::policy::NetPolicy;
use crate::error::Result;
use crate::ingest::{Extra, Indexed, NewSource, SourceKind, WebStamp};
use crate::store::Store;

/// How much of an indexed page is shown.
const PREVIEW_BYTES: usize = 600;

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
    /// The server said that it hasn't changed.
    Revalidated,
    /// It was fetched.
    Fetched,
}

/// A page that is now in the knowledge base, or a file that was saved.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct UrlIndexed {
    /// Its label.
    pub label: String,
    /// Its final address.
    pub url: String,
    /// The page's own title.
    pub title: Option<String>,
    /// The indexing result; `None` for a saved file.
    pub indexed: Option<Indexed>,
    /// Where the text came from.
    pub cache: Cache,
    /// Its age, in milliseconds.
    pub age_ms: i64,
    /// Bytes received over the network.
    pub fetched_bytes: u64,
    /// The start of the text.
    pub preview: String,
    /// The file and its content type, if it wasn't text.
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
    pub outcome: std::result::Result<UrlIndexed, FetchError>,
}

/// The stored copy.
#[derive(Debug, Clone)]
struct Held {
    indexed: Indexed,
    etag: Option<String>,
    last_modified: Option<String>,
    fetched_ms: i64,
}

/// The network's result for one page.
struct Brought {
    url: String,
    converted: Option<Converted>,
    etag: Option<String>,
    last_modified: Option<String>,
    bytes: u64,
    notes: Vec<String>,
}

/// Indexes several pages at once. Every page has its own result, in the order requested; a failure doesn't affect the
/// others.
///
/// # Errors
/// Only if the database can't be read at the start. A page's own errors are in its result.
pub async fn index_urls(
    store: &mut Store,
    requests: &[UrlRequest],
    options: &UrlOptions,
) -> Result<Vec<UrlResult>> {
    let mut held = Vec::with_capacity(requests.len());
    for request in requests {
        // As they are stored: an address may contain a token.
        held.push(store.held(&text::redact(label_of(request)), &text::redact(&request.url))?);
    }
    let mut results: Vec<Option<UrlResult>> = requests.iter().map(|_| None).collect();
    let permits = Arc::new(Semaphore::new(options.concurrency.clamp(1, 16)));
    let mut running = JoinSet::new();
    for (i, request) in requests.iter().enumerate() {
        let copy = held[i].clone();
        if let Some(copy) =
            copy.as_ref().filter(|c| !options.force && options.now_ms - c.fetched_ms < options.ttl_ms)
        {
            let outcome = store.held_result(request, copy, Cache::Fresh, options.now_ms);
            results[i] = Some(UrlResult { url: request.url.clone(), outcome });
            continue;
        }
        let (permits, options, url) = (Arc::clone(&permits), options.clone(), request.url.clone());
        running.spawn(async move {
            // The semaphore is never closed, so this only waits for a free slot.
            let _permit = permits.acquire_owned().await.ok();
            (i, bring(url, copy.filter(|_| !options.force), options).await)
        });
    }
    while let Some(done) = running.join_next().await {
        let Ok((i, brought)) = done else { continue };
        let outcome = brought.and_then(|b| store.keep(&requests[i], held[i].as_ref(), b, options));
        results[i] = Some(UrlResult { url: requests[i].url.clone(), outcome });
    }
    store.forget_old_pages(options.max_pages_bytes, options.now_ms)?;
    forget_old_files(&options.downloads_dir, options.max_saved_bytes);
    let lost = |url: &str| UrlResult {
        url: url.to_owned(),
        outcome: Err(FetchError::Unreadable {
            url: url.to_owned(),
            reason: "reading it failed unexpectedly".into(),
        }),
    };
    Ok(results.into_iter().zip(requests).map(|(r, q)| r.unwrap_or_else(|| lost(&q.url))).collect())
}

fn label_of(request: &UrlRequest) -> &str {
    request.label.as_deref().unwrap_or(request.url.trim())
}

async fn bring(
    url: String,
    held: Option<Held>,
    options: UrlOptions,
) -> std::result::Result<Brought, FetchError> {
    let request = FetchRequest {
        etag: held.as_ref().and_then(|h| h.etag.as_deref()),
        last_modified: held.as_ref().and_then(|h| h.last_modified.as_deref()),
        timeout: options.timeout,
        max_bytes: options.max_bytes,
        ..FetchRequest::new(&url, &options.policy)
    };
    let fetched = fetch(&request).await?;
    let mut brought = Brought {
        url: fetched.url,
        converted: None,
        etag: fetched.etag,
        last_modified: fetched.last_modified,
        bytes: 0,
        notes: fetched.notes,
    };
    if let Body::Content(body) = fetched.body {
        brought.bytes = body.len() as u64;
        // Conversion can take a while and must not delay the other pages.
        let (at, kind, dir) = (brought.url.clone(), fetched.content_type, options.downloads_dir.clone());
        let work = tokio::task::spawn_blocking(move || convert(&at, kind.as_deref(), body, &dir));
        let failed =
            |_| FetchError::Unreadable { url: brought.url.clone(), reason: "reading it failed".into() };
        brought.converted = Some(work.await.map_err(failed)??);
    }
    Ok(brought)
}

/// Removes the oldest saved files until the rest fits.
fn forget_old_files(dir: &Path, max: u64) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    let mut files: Vec<_> = entries
        .flatten()
        .filter_map(|entry| {
            let meta = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
            Some((meta.modified().ok()?, meta.len(), entry.path()))
        })
        .collect();
    files.sort();
    let mut total: u64 = files.iter().map(|(_, size, _)| size).sum();
    // The newest is the one just requested.
    for (_, size, path) in files.iter().take(files.len().saturating_sub(1)) {
        if total <= max {
            return;
        }
        match std::fs::remove_file(path) {
            Ok(()) => total -= size,
            Err(error) => log::info!("{} could not be removed: {error}", path.display()),
        }
    }
}

impl Store {
    /// Removes the pages fetched longest ago until the rest fits; the ones just fetched stay.
    fn forget_old_pages(&mut self, max: u64, now_ms: i64) -> Result<()> {
        let old: Vec<i64> = self.read(|db| {
            let mut read = db.prepare_cached(
                "SELECT id FROM (
                   SELECT id, fetched_ms, sum(bytes) OVER (ORDER BY fetched_ms DESC, id DESC) AS together FROM sources
                   WHERE kind = 'url' AND fetched_ms IS NOT NULL)
                 WHERE together > ?1 AND fetched_ms < ?2",
            )?;
            let rows = read.query_map((i64::try_from(max).unwrap_or(i64::MAX), now_ms), |row| row.get(0))?;
            rows.collect()
        })?;
        self.remove_sources(&old)?;
        Ok(())
    }

    /// The copy of `url` under `label`, if that is what the label has.
    fn held(&self, label: &str, url: &str) -> Result<Option<Held>> {
        self.read(|db| {
            db.prepare_cached(
                "SELECT id, chunks, code_chunks, bytes, etag, last_modified, fetched_ms FROM sources
                 WHERE label = ?1 AND kind = 'url' AND origin = ?2 AND fetched_ms IS NOT NULL",
            )?
            .query_row([label, url], |r| {
                Ok(Held {
                    indexed: Indexed {
                        source_id: r.get(0)?,
                        chunks: r.get(1)?,
                        code_chunks: r.get(2)?,
                        bytes: r.get(3)?,
                        replaced: false,
                        unchanged: true,
                    },
                    etag: r.get(4)?,
                    last_modified: r.get(5)?,
                    fetched_ms: r.get(6)?,
                })
            })
            .optional()
        })
    }

    fn held_result(
        &self,
        request: &UrlRequest,
        held: &Held,
        cache: Cache,
        now_ms: i64,
    ) -> std::result::Result<UrlIndexed, FetchError> {
        let first: Result<Option<String>> = self.read(|db| {
            db.query_row(
                "SELECT text FROM chunks WHERE source = ?1 ORDER BY id LIMIT 1",
                [held.indexed.source_id],
                |r| r.get(0),
            )
            .optional()
        });
        let first = first.map_err(|error| not_stored(&request.url, &error))?.unwrap_or_default();
        Ok(UrlIndexed {
            label: label_of(request).to_owned(),
            url: request.url.clone(),
            title: None,
            indexed: Some(held.indexed.clone()),
            cache,
            age_ms: (now_ms - held.fetched_ms).max(0),
            fetched_bytes: 0,
            preview: crate::cut(&first, PREVIEW_BYTES).to_owned(),
            saved: None,
            notes: Vec::new(),
        })
    }

    fn keep(
        &mut self,
        request: &UrlRequest,
        held: Option<&Held>,
        brought: Brought,
        options: &UrlOptions,
    ) -> std::result::Result<UrlIndexed, FetchError> {
        let label = label_of(request).to_owned();
        let (title, text, format) = match brought.converted {
            None => {
                let Some(held) = held else {
                    let reason = "the server says it has not changed, but there is no copy".to_owned();
                    return Err(FetchError::Unreadable { url: request.url.clone(), reason });
                };
                let renewed = home::write(&mut self.db, |tx| {
                    tx.execute(
                        "UPDATE sources SET fetched_ms = ?2, etag = coalesce(?3, etag) WHERE id = ?1",
                        (held.indexed.source_id, options.now_ms, &brought.etag),
                    )
                });
                renewed.map_err(|error| not_stored(&request.url, &error))?;
                let fresh = Held { fetched_ms: options.now_ms, ..held.clone() };
                return self.held_result(request, &fresh, Cache::Revalidated, options.now_ms);
            }
            Some(Converted::Saved { path, bytes, content_type }) => {
                return Ok(UrlIndexed {
                    label,
                    url: brought.url,
                    title: None,
                    indexed: None,
                    cache: Cache::Fetched,
                    age_ms: 0,
                    fetched_bytes: bytes,
                    preview: String::new(),
                    saved: Some((path, content_type)),
                    notes: brought.notes,
                });
            }
            Some(Converted::Text { title, text, format }) => (title, text, format),
        };
        let text = text::redact(&text);
        let new = NewSource {
            label: &label,
            kind: SourceKind::Url,
            origin: Some(&request.url),
            session: options.session.as_deref(),
            agent: options.agent.as_deref(),
            content: &text,
            format: Some(format),
            now_ms: options.now_ms,
        };
        let web = WebStamp {
            etag: brought.etag.as_deref(),
            last_modified: brought.last_modified.as_deref(),
            fetched_ms: options.now_ms,
        };
        let indexed = self
            .index_with(new, Extra { web: Some(web), ..Extra::default() })
            .map_err(|error| not_stored(&request.url, &error))?;
        let mut notes = brought.notes;
        if indexed.chunks == 0 {
            notes.push("the page has no text (it may be made by scripts)".to_owned());
        }
        Ok(UrlIndexed {
            label,
            url: brought.url,
            title,
            indexed: Some(indexed),
            cache: Cache::Fetched,
            age_ms: 0,
            fetched_bytes: brought.bytes,
            preview: crate::cut(&text, PREVIEW_BYTES).to_owned(),
            saved: None,
            notes,
        })
    }
}

fn not_stored(url: &str, error: &dyn std::error::Error) -> FetchError {
    FetchError::NotStored { url: url.to_owned(), reason: error.to_string() }
}
