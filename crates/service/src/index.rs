//! `index`: adds text, files, folders and pages to the knowledge base and answers in one line.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use contract::{Amount, Error, ErrorCode, Index, Input, Measure, Reply, WebPage, count};
use knowledge::folder::{self, Origin, WalkOptions};
use knowledge::web::{self, Cache, HostRules, NetPolicy, UrlOptions, UrlRequest, UrlResult};
use knowledge::{IndexResult, KnowledgeError, NewSource, SourceKind, Store};
use rules::Decision;
use serde_json::json;

use crate::permission::Action;
use crate::{Call, Service, failure, messages};

/// Size limit of inline text and single files, in bytes.
const MAX_TEXT: usize = 64 * 1024 * 1024;
/// How many bytes of fetched text a reply shows, shared among the pages.
const PREVIEW: usize = 1_200;

impl Service {
    /// Adds content to the knowledge base.
    ///
    /// # Errors
    /// If it may not be read, doesn't exist, is too large, or can't be stored.
    pub async fn index(&self, call: &Call, request: Index) -> Result<Reply, Error> {
        let started = Instant::now();
        if request.source.as_ref().is_some_and(|source| source.trim().is_empty()) {
            return Err(Error::invalid("index: source is empty; give it a name, or leave it out"));
        }
        let result = match request.input.clone() {
            Input::Path(path) if path.to_string_lossy().trim().is_empty() => {
                Err(Error::invalid("index: path is empty; name a file or a folder"))
            }
            Input::Content(content) => self.index_content(call, request, content).await,
            Input::Path(path) => {
                // A file or folder has one name.
                let path = home::one_path(&self.resolve_path(&path));
                match self.permit(call, vec![Action::Read { path: path.clone() }]).await {
                    Ok(()) if path.is_dir() => self.index_folder(call, request, path).await,
                    Ok(()) => self.index_file(call, request, path).await,
                    Err(error) => Err(error),
                }
            }
            Input::Web(pages) => self.index_pages(call, request, pages).await,
        };
        self.book(call, "index", started, result).await
    }

    async fn index_content(&self, call: &Call, request: Index, content: String) -> Result<Reply, Error> {
        if content.trim().is_empty() {
            return Err(Error::invalid("index: content is empty"));
        }
        check_size("content", content.len() as u64)?;
        let (session, agent, now_ms) = (call.session.clone(), call.agent_id(), self.now_ms());
        let given = request.source;
        let (label, indexed) = self
            .with_knowledge(move |store| {
                let content = text::redact(&content);
                let label = match given {
                    Some(label) => label,
                    None => store.label_of_text(&label_of(&content), &content)?,
                };
                let indexed = store.index_text(NewSource {
                    label: &label,
                    kind: SourceKind::Text,
                    origin: None,
                    session: Some(&session),
                    agent,
                    content: &content,
                    format: None,
                    now_ms,
                })?;
                Ok((label, indexed))
            })
            .await?;
        // The text is in the conversation already: nothing is kept out.
        Ok(Reply::plain(summary(&label, &indexed)).with_data(json!({"source": label, "indexed": indexed})))
    }

    async fn index_file(&self, call: &Call, request: Index, path: PathBuf) -> Result<Reply, Error> {
        // A name that was mistyped makes no knowledge base.
        if let Err(error) = std::fs::metadata(&path) {
            return Err(failure::from_knowledge(&KnowledgeError::Io { path, error }));
        }
        let shown = path.display().to_string();
        let label = request.source.unwrap_or_else(|| shown.clone());
        let (named, session, agent, now_ms) =
            (label.clone(), call.session.clone(), call.agent_id(), self.now_ms());
        let indexed = self
            .with_knowledge(move |store| {
                let origin =
                    Origin { label: Some(&named), session: Some(&session), agent, now_ms, force: false };
                folder::index_file(store, &path, MAX_TEXT as u64, &origin)
            })
            .await?;
        let mut reply = Reply::plain(summary(&label, &indexed));
        reply.raw_bytes = indexed.bytes;
        // Whether the agent would have read all of the file is unknown.
        reply.measure = Measure::Estimated;
        Ok(reply.with_data(json!({"source": label, "indexed": indexed})))
    }

    /// Refuses a folder that nobody means as a whole: looking through it would take hours.
    ///
    /// # Errors
    /// If all of the user's files, or all of a disk's, are below it.
    pub fn check_extent(&self, folder: &Path) -> Result<(), Error> {
        if home::has_everything_below(folder, self.env()) {
            return Err(Error::new(ErrorCode::InvalidArgument, messages::too_much_below(folder)));
        }
        Ok(())
    }

    async fn index_folder(&self, call: &Call, request: Index, path: PathBuf) -> Result<Reply, Error> {
        // A depth is an end, too.
        if request.max_depth.is_none() {
            self.check_extent(&path)?;
        }
        self.refuse_hidden_rules(call).await?;
        let rules = self.rules(call).await?;
        let (root, home) = (self.project().root, self.env().home_dir().to_owned());
        let (session, agent, now_ms) = (call.session.clone(), call.agent_id(), self.now_ms());
        let (cancelled, progress) = (call.cancelled.clone(), call.progress.clone());
        let told = self.runtime_handle();
        let report = self
            .with_own_knowledge(move |store| {
                let denied = |path: &Path| rules.hides(path, &root, &home);
                let mut options =
                    WalkOptions { deny_read: &denied, include: request.include, ..WalkOptions::default() };
                options.exclude = request.exclude;
                if let Some(depth) = request.max_depth {
                    options.exclude.push(format!("{}*", "*/".repeat(depth.clamp(1, 64))));
                }
                if let Some(files) = request.max_files {
                    options.max_files = files;
                }
                let origin = Origin {
                    label: request.source.as_deref(),
                    session: Some(&session),
                    agent,
                    now_ms,
                    force: request.force,
                };
                let mut last = 0;
                folder::index(store, &path, &options, &origin, &mut |at| {
                    if progress.is_wanted() && (at.done >= last + 25 || at.done == at.total) {
                        last = at.done;
                        let _inside = told.enter();
                        progress.report(Some(at.done as f64), Some(at.total as f64), "indexing files");
                    }
                    !cancelled.is_set()
                })
            })
            .await?;
        let mut text = format!(
            "Indexed {:?}: {} ({} new, {} changed, {} unchanged, {} gone), {} written.",
            report.label,
            count(report.files, "file"),
            report.added,
            report.changed,
            report.unchanged,
            report.removed,
            count(report.chunks, "chunk")
        );
        let skipped = &report.skipped;
        let counts = [
            ("ignored", skipped.ignored),
            ("hidden", skipped.hidden),
            ("binary", skipped.binary),
            ("too large", skipped.huge),
            ("filtered by the patterns", skipped.filtered),
            ("kept back by permission rules", skipped.denied),
            ("symbolic links", skipped.symlink),
            ("unreadable", skipped.unreadable),
            ("over the limit of files", skipped.over_limit),
        ];
        let told: Vec<String> = counts
            .iter()
            .filter(|(_, number)| *number > 0)
            .map(|(why, number)| format!("{number} {why}"))
            .collect();
        if !told.is_empty() {
            text.push_str(&format!(" Left out: {}.", told.join(", ")));
        }
        if report.kept > 0 {
            let stay = if report.kept == 1 { "stays" } else { "stay" };
            text.push_str(&format!(
                " {} from earlier runs, which these patterns don't name, {stay}; exclude removes such files.",
                count(report.kept, "file")
            ));
        }
        if report.stopped {
            text.push_str(" Stopped before the end; index it again to continue.");
        }
        Ok(Reply::plain(text).with_data(json!(report)))
    }

    async fn index_pages(&self, call: &Call, request: Index, pages: Vec<WebPage>) -> Result<Reply, Error> {
        let settings = self.settings();
        if !settings.network.enabled {
            return Err(Error::new(
                ErrorCode::Denied,
                "fetching is switched off: enabled is false under [network] in settings.toml",
            ));
        }
        self.refuse_hidden_rules(call).await?;
        let rules = self.rules(call).await?;
        let mut options = UrlOptions::new(self.home().downloads_dir(), self.now_ms());
        options.policy = NetPolicy {
            allow_loopback: settings.network.loopback,
            allow_private: settings.network.private_addresses,
            allow_other_hosts: settings.network.cross_host_redirects,
            extra_certificates: self.env().path("SSL_CERT_FILE"),
            host_rules: Some(HostRules(Arc::new(move |host| match rules.fetch(host) {
                Decision::Deny(hit) => Some(format!("denied: {hit}")),
                Decision::Ask(hit) => {
                    Some(format!("{hit}: the user wants to be asked; use your own fetch tool"))
                }
                Decision::NoRule | Decision::Allow(_) | Decision::Unknown(_) => None,
            }))),
            ..NetPolicy::default()
        };
        let hours = i64::try_from(settings.network.cache_hours).unwrap_or(i64::MAX / 3_600_000);
        options.ttl_ms = request
            .ttl_ms
            .map_or(hours.saturating_mul(3_600_000), |ms| i64::try_from(ms).unwrap_or(i64::MAX));
        options.force = request.force;
        options.concurrency = request.concurrency;
        options.session = Some(call.session.clone());
        options.agent = call.agent_id().map(str::to_owned);
        let wanted: Vec<UrlRequest> =
            pages.into_iter().map(|page| UrlRequest { url: page.url, label: page.source }).collect();
        let (home, path) = (self.home().clone(), self.home().knowledge_db(&self.project()));
        let handle = self.runtime_handle();
        let cancelled = call.cancelled.clone();
        // Its own connection: a page can take half a minute, and nobody else should wait for it.
        let fetched = tokio::task::spawn_blocking(move || {
            home.ensure().map_err(|error| failure::from_storage(&error))?;
            let mut store = Store::open(&path).map_err(|error| failure::from_knowledge(&error))?;
            handle.block_on(async {
                tokio::select! {
                    fetched = web::index_urls(&mut store, &wanted, &options) => {
                        fetched.map_err(|error| failure::from_knowledge(&error))
                    }
                    () = cancelled.requested() => {
                        Err(Error::new(ErrorCode::Cancelled, "the request was cancelled"))
                    }
                }
            })
        });
        let results = fetched.await.map_err(|error| failure::from_thread(&error))??;
        Ok(pages_reply(&results, call.is_from_user()))
    }

    fn runtime_handle(&self) -> tokio::runtime::Handle {
        tokio::runtime::Handle::current()
    }
}

/// Each page with its own result; the reply is a failure only if every page failed. The code of an error is for models.
fn pages_reply(results: &[UrlResult], for_user: bool) -> Reply {
    let preview = PREVIEW / results.len().max(1);
    let (mut text, mut raw, mut good) = (String::new(), 0, 0);
    let mut data = Vec::new();
    for result in results {
        match &result.outcome {
            Ok(page) => {
                good += 1;
                raw += page.indexed.as_ref().map_or(0, |indexed| indexed.bytes);
                match (&page.indexed, &page.saved) {
                    (Some(indexed), _) => text.push_str(&summary(&page.label, indexed)),
                    (None, Some((path, kind))) => {
                        text.push_str(&format!(
                            "{}: {kind}, no text; saved as {}.",
                            text::one_line(&page.label),
                            path.display()
                        ));
                    }
                    (None, None) => text.push_str(&format!("{}: no text.", text::one_line(&page.label))),
                }
                if page.cache == Cache::Fresh {
                    text.push_str(&format!(
                        " From the copy of {} min ago; force fetches it again.",
                        page.age_ms / 60_000
                    ));
                }
                for note in &page.notes {
                    text.push_str(&format!(" {}.", text::one_line(note)));
                }
                text.push('\n');
                let shown = text::cut_middle(page.preview.trim(), preview, 100);
                if !shown.is_empty() {
                    text.push_str(&format!("{}\n", shown.trim_end()));
                }
                data.push(json!(page));
            }
            Err(error) => {
                let told = page_problem(&result.url, error);
                text.push_str(&if for_user { told } else { format!("error {}: {told}", error_code(error)) });
                text.push('\n');
                data.push(json!({"url": text::redact(&result.url), "error": error.to_string()}));
            }
        }
    }
    let mut reply = Reply::plain(text.trim_end()).with_data(json!(data));
    reply.failed = good == 0;
    reply.raw_bytes = raw;
    reply.measure = Measure::Estimated;
    reply
}

/// One page's error. Most name the page or its host themselves; a password in the address is never repeated.
fn page_problem(url: &str, error: &web::FetchError) -> String {
    let told = text::one_line(&error.to_string()).into_owned();
    let url = &*text::one_line(url);
    let names_it = matches!(error, web::FetchError::BadUrl { .. } | web::FetchError::Credentials { .. });
    if names_it || told.contains(url) {
        return told;
    }
    let url = &url[..url.floor_char_boundary(300)];
    format!("{url}: {told}")
}

/// Whether another argument would help, or the page and the network are at fault.
fn error_code(error: &web::FetchError) -> ErrorCode {
    match error {
        web::FetchError::BadUrl { .. } | web::FetchError::Credentials { .. } => ErrorCode::InvalidArgument,
        web::FetchError::Forbidden { .. } | web::FetchError::Denied { .. } => ErrorCode::Denied,
        _ => ErrorCode::Network,
    }
}

fn check_size(what: &str, bytes: u64) -> Result<(), Error> {
    if bytes > MAX_TEXT as u64 {
        let limit = Amount::bytes(MAX_TEXT as u64);
        return Err(Error::invalid(format!(
            "{what} has {}, more than the {limit} that one source may have; process it with execute and path",
            Amount::bytes(bytes)
        )));
    }
    Ok(())
}

/// The label of text that came without one: its first line with words.
fn label_of(content: &str) -> String {
    let line = content
        .lines()
        .map(|line| line.trim_start_matches(['#', ' ', '-', '*']))
        .find(|line| !line.trim().is_empty());
    let label: String = line.unwrap_or("text").trim().chars().take(60).collect();
    format!("text:{label}")
}

/// The reply in one line.
pub(crate) fn summary(label: &str, indexed: &IndexResult) -> String {
    let code =
        if indexed.code_chunks > 0 { format!(" ({} with code)", indexed.code_chunks) } else { String::new() };
    let how = match (indexed.unchanged, indexed.replaced) {
        (true, _) => "Unchanged",
        (false, true) => "Replaced",
        (false, false) => "Indexed",
    };
    format!("{how} {label:?}: {}{code}, {}.", count(indexed.chunks, "chunk"), Amount::bytes(indexed.bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pages_error_names_it_once_and_repeats_no_password() {
        let told = |url: &str, error: web::FetchError| {
            let results = [UrlResult { url: url.to_owned(), outcome: Err(error) }];
            let (of_model, of_user) = (pages_reply(&results, false), pages_reply(&results, true));
            assert!(of_model.failed && of_user.failed);
            let (_, plain) = of_model.text.split_once(": ").unwrap();
            assert_eq!(plain, of_user.text, "whoever reads a terminal needs no code");
            of_model.text
        };
        let url = "https://x.org/a".to_owned();
        let slow = web::FetchError::TimedOut { url: url.clone(), seconds: 30 };
        assert_eq!(told(&url, slow), "error network: https://x.org/a took longer than 30 s");
        let lost = web::FetchError::NotFound { host: "x.org".into(), reason: "no address".into() };
        assert!(told(&url, lost).starts_with("error network: https://x.org/a: x.org couldn't be found"));
        let named = web::FetchError::Credentials { host: "x.org".into() };
        let named = told("https://dana:hunter2@x.org/a", named);
        assert!(named.starts_with("error invalid_argument: ") && !named.contains("hunter2"), "{named}");
        let rule = web::FetchError::Denied { host: "x.org".into(), rule: "WebFetch(domain:x.org)".into() };
        assert!(told(&url, rule).starts_with("error denied: "));
    }
}
