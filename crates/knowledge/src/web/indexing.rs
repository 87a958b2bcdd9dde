//! Indexes pages: fresh ones aren't requested, stale ones are requested conditionally, and each of several pages has its own
//! result. `fetch` does the fetching.

use std::path::Path;
use std::sync::Arc;

use rusqlite::OptionalExtension;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::body::{Conversion, convert};
use super::error::FetchError;
use super::fetch::{Body, FetchRequest, fetch};
use super::request::{Cache, UrlIndexResult, UrlOptions, UrlRequest, UrlResult};
use crate::error::Result;
use crate::ingest::{IndexResult, NewSource, SourceMetadata, WebStamp};
use crate::source_kind::SourceKind;
use crate::store::Store;

/// How much of an indexed page is shown.
const PREVIEW_BYTES: usize = 600;

/// The stored copy.
#[derive(Debug, Clone)]
struct StoredPage {
    indexed: IndexResult,
    etag: Option<String>,
    last_modified: Option<String>,
    fetched_ms: i64,
}

/// The network's result for one page.
struct PageFetch {
    url: String,
    converted: Option<Conversion>,
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
        held.push(store.stored_page(&text::redact(label_of(request)), &text::redact(&request.url))?);
    }
    let mut results: Vec<Option<UrlResult>> = requests.iter().map(|_| None).collect();
    let permits = Arc::new(Semaphore::new(options.concurrency.clamp(1, 16)));
    let mut running = JoinSet::new();
    for (i, request) in requests.iter().enumerate() {
        let copy = held[i].clone();
        if let Some(copy) =
            copy.as_ref().filter(|c| !options.force && is_fresh(c.fetched_ms, options.ttl_ms, options.now_ms))
        {
            let outcome = store.stored_page_result(request, copy, Cache::Fresh, options.now_ms);
            results[i] = Some(UrlResult { url: request.url.clone(), outcome });
            continue;
        }
        let (permits, options, url) = (Arc::clone(&permits), options.clone(), request.url.clone());
        running.spawn(async move {
            // The semaphore is never closed, so this only waits for a free slot.
            let _permit = permits.acquire_owned().await.ok();
            (i, fetch_page(url, copy.filter(|_| !options.force), options).await)
        });
    }
    while let Some(done) = running.join_next().await {
        let Ok((i, brought)) = done else { continue };
        let outcome = brought.and_then(|b| store.keep(&requests[i], held[i].as_ref(), b, options));
        results[i] = Some(UrlResult { url: requests[i].url.clone(), outcome });
    }
    store.prune_pages(options.max_pages_bytes, options.now_ms)?;
    prune_saved_files(&options.downloads_dir, options.max_saved_bytes);
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

async fn fetch_page(
    url: String,
    held: Option<StoredPage>,
    options: UrlOptions,
) -> std::result::Result<PageFetch, FetchError> {
    let request = FetchRequest {
        etag: held.as_ref().and_then(|h| h.etag.as_deref()),
        last_modified: held.as_ref().and_then(|h| h.last_modified.as_deref()),
        timeout: options.timeout,
        max_bytes: options.max_bytes,
        ..FetchRequest::new(&url, &options.policy)
    };
    let fetched = fetch(&request).await?;
    let mut brought = PageFetch {
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
fn prune_saved_files(dir: &Path, max: u64) {
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
    fn prune_pages(&mut self, max: u64, now_ms: i64) -> Result<()> {
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
    fn stored_page(&self, label: &str, url: &str) -> Result<Option<StoredPage>> {
        self.read(|db| {
            db.prepare_cached(
                "SELECT id, chunks, code_chunks, bytes, etag, last_modified, fetched_ms FROM sources
                 WHERE label = ?1 AND kind = 'url' AND origin = ?2 AND fetched_ms IS NOT NULL",
            )?
            .query_row([label, url], |r| {
                Ok(StoredPage {
                    indexed: IndexResult {
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

    fn stored_page_result(
        &self,
        request: &UrlRequest,
        held: &StoredPage,
        cache: Cache,
        now_ms: i64,
    ) -> std::result::Result<UrlIndexResult, FetchError> {
        let first: Result<Option<String>> = self.read(|db| {
            db.query_row(
                "SELECT text FROM chunks WHERE source = ?1 ORDER BY id LIMIT 1",
                [held.indexed.source_id],
                |r| r.get(0),
            )
            .optional()
        });
        let first = first.map_err(|error| not_stored(&request.url, &error))?.unwrap_or_default();
        Ok(UrlIndexResult {
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
        held: Option<&StoredPage>,
        brought: PageFetch,
        options: &UrlOptions,
    ) -> std::result::Result<UrlIndexResult, FetchError> {
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
                let fresh = StoredPage { fetched_ms: options.now_ms, ..held.clone() };
                return self.stored_page_result(request, &fresh, Cache::Revalidated, options.now_ms);
            }
            Some(Conversion::Saved { path, bytes, content_type }) => {
                return Ok(UrlIndexResult {
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
            Some(Conversion::Text { title, text, format }) => (title, text, format),
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
            .index_with(new, SourceMetadata { web: Some(web), ..SourceMetadata::default() })
            .map_err(|error| not_stored(&request.url, &error))?;
        let mut notes = brought.notes;
        if indexed.chunks == 0 {
            notes.push("the page has no text (it may be made by scripts)".to_owned());
        }
        Ok(UrlIndexResult {
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

/// Whether a page needn't be fetched again. The age of one fetched in the future, before the clock was set back, is
/// unknown, so it is fetched again.
fn is_fresh(fetched_ms: i64, ttl_ms: i64, now_ms: i64) -> bool {
    (0..ttl_ms).contains(&now_ms.saturating_sub(fetched_ms))
}

fn not_stored(url: &str, error: &dyn std::error::Error) -> FetchError {
    FetchError::NotStored { url: url.to_owned(), reason: error.to_string() }
}
