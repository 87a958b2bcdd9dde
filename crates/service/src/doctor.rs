//! Whether everything works, as lines of `[OK]`, `[WARN]` and `[FAIL]`.

use std::fmt::Write as _;

use contract::{Error, Reply};
use home::Settings;
use knowledge::{NewSource, SearchRequest, SourceKind, Store};
use serde::Serialize;
use serde_json::json;

use crate::{Service, failure, output};

/// How a check came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It works.
    Ok,
    /// It works less well than it could.
    Warn,
    /// It does not work.
    Fail,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// How it came out.
    pub outcome: Outcome,
    /// What was checked.
    pub name: String,
    /// What was found, and what to do about it.
    pub detail: String,
}

impl Check {
    /// A check that came out so.
    pub fn new(outcome: Outcome, name: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { outcome, name: name.into(), detail: detail.into() }
    }
}

/// Checks everything.
///
/// # Errors
/// Only when a worker thread breaks: a check that fails is a line of the report.
pub async fn report(service: &Service) -> Result<Reply, Error> {
    let checks = checks(service).await?;
    let mut text = String::new();
    for check in &checks {
        let mark = match check.outcome {
            Outcome::Ok => "[OK]",
            Outcome::Warn => "[WARN]",
            Outcome::Fail => "[FAIL]",
        };
        let _ = writeln!(text, "{mark} {}: {}", check.name, check.detail);
    }
    let mut reply = Reply::plain(text.trim_end()).with_data(json!(checks));
    reply.failed = checks.iter().any(|check| check.outcome == Outcome::Fail);
    Ok(reply)
}

/// The checks of storage, search and runtimes.
///
/// # Errors
/// Only when a worker thread breaks.
pub async fn checks(service: &Service) -> Result<Vec<Check>, Error> {
    let mut checks = vec![Check::new(Outcome::Ok, "version", env!("CARGO_PKG_VERSION"))];
    checks.push(match Settings::load(service.home()) {
        Ok(_) => Check::new(Outcome::Ok, "settings", "read"),
        Err(error) => Check::new(Outcome::Warn, "settings", format!("{error}")),
    });
    let project = service.project();
    checks.push(if service.has_project() {
        Check::new(Outcome::Ok, "project", project.root.display().to_string())
    } else {
        Check::new(
            Outcome::Warn,
            "project",
            "none: the folders given are the home folder, the root or an application's; start the agent in a project folder",
        )
    });
    let (home, runtimes) = (service.home().clone(), service.runtimes());
    let rest = tokio::task::spawn_blocking(move || {
        let mut checks = vec![storage(&home), full_text()];
        for runtime in runtimes.report() {
            let name = runtime.language.name();
            checks.push(match (runtime.program, runtime.install) {
                (Some(program), _) => {
                    let version = runtime.version.unwrap_or_else(|| "version unknown".into());
                    Check::new(Outcome::Ok, name, format!("{version} ({})", program.display()))
                }
                (None, install) => Check::new(
                    if matches!(name, "shell" | "python" | "javascript") { Outcome::Warn } else { Outcome::Ok },
                    name,
                    format!("not installed; {}", install.unwrap_or_default()),
                ),
            });
        }
        checks
    });
    checks.extend(rest.await.map_err(|error| failure::of_thread(&error))?);
    if let Some(stats) = service.with_existing_knowledge(|store| Ok((store.stats()?, store.index_is_sound()?))).await? {
        let (stats, sound) = stats;
        let detail = format!("{} sources, {} sections, {}", stats.sources, stats.chunks, output::size(stats.database_bytes));
        checks.push(if sound {
            Check::new(Outcome::Ok, "knowledge base", detail)
        } else {
            Check::new(Outcome::Warn, "knowledge base", format!("{detail}; index and texts disagree and will be repaired at the next start"))
        });
    }
    Ok(checks)
}

fn storage(home: &home::Home) -> Check {
    let tried = home
        .ensure()
        .map_err(|error| error.to_string())
        .and_then(|()| {
            let probe = home.root().join(".probe");
            home::write_private(&probe, b"probe").and_then(|()| std::fs::remove_file(probe)).map_err(|error| error.to_string())
        });
    match tried {
        Ok(()) => Check::new(Outcome::Ok, "storage", home.root().display().to_string()),
        Err(error) => Check::new(Outcome::Fail, "storage", error),
    }
}

/// Indexes a sentence in a folder of its own and finds it again.
fn full_text() -> Check {
    let tried = || -> Result<bool, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut store = Store::open(&folder.path().join("probe.db")).map_err(|error| error.to_string())?;
        let source = NewSource {
            label: "probe",
            kind: SourceKind::Text,
            origin: None,
            session: None,
            agent: None,
            content: "The load line is painted on both sides of the hull.",
            format: None,
            now_ms: 0,
        };
        store.index_text(source).map_err(|error| error.to_string())?;
        let request = SearchRequest { queries: vec!["painting hulls".into()], ..SearchRequest::default() };
        let found = store.search(&request).map_err(|error| error.to_string())?;
        Ok(found.per_query.iter().any(|reply| !reply.hits.is_empty()))
    };
    match tried() {
        Ok(true) => Check::new(Outcome::Ok, "full-text search", "indexed and found"),
        Ok(false) => Check::new(Outcome::Fail, "full-text search", "what was indexed was not found"),
        Err(error) => Check::new(Outcome::Fail, "full-text search", error),
    }
}
