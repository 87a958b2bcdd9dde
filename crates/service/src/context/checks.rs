//! The doctor's checks of the context system: stored outputs, full-text search, and the language runtimes.

use std::path::{Path, PathBuf};

use contract::{Amount, Check, Health, Param, Sentence};
use home::{Home, Settings};
use knowledge::{NewSource, SearchRequest, SourceKind, Store};
use system::{Database, Host};

use crate::doctor::messages;
use crate::project_root::{self, NO_PROJECT};

fn line(health: Health, name: Sentence, detail: Sentence) -> Check {
    Check { health, name, detail }
}

/// Runs every check.
pub(super) fn check(host: &dyn Host) -> Vec<Check> {
    let home = host.home();
    let budget = Settings::load(home).unwrap_or_default().retention.kept_bytes;
    let mut checks: Vec<Check> = disk_usage_check(home, budget).into_iter().collect();
    checks.push(full_text());
    let path = host.env().vars().find(|(name, _)| name.eq_ignore_ascii_case("PATH")).map(|(_, value)| value);
    // A check creates nothing: without Plimsoll's folder, or in somebody else's, it must not write a cache.
    let cache =
        (home.root().exists() && home.check().is_ok()).then(|| home.cache_dir().join("runtimes.json"));
    let runtimes = sandbox::Runtimes::new(path, cache).with_home(host.env().home_dir());
    checks.extend(runtimes.report().into_iter().map(runtime_check));
    checks
}

/// Each project's knowledge base.
pub(super) fn databases(home: &Home) -> Vec<Database> {
    let mut found: Vec<(PathBuf, String, Option<PathBuf>)> = std::fs::read_dir(home.projects_dir())
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| {
            let key = entry.file_name().to_string_lossy().into_owned();
            let root = project_root::recorded(home, &key);
            (entry.path(), key, root)
        })
        .collect();
    found.sort();
    let roots: Vec<&Path> = found.iter().filter_map(|(_, _, root)| root.as_deref()).collect();
    let base = |(folder, key, root): &(PathBuf, String, Option<PathBuf>)| Database {
        name: knowledge_name(key, root.as_deref(), &roots),
        path: folder.join("knowledge.db"),
        newest: knowledge::NEWEST,
    };
    found.iter().map(base).collect()
}

/// A knowledge base by its project's own name, or its path where another project has the same name; by its key where nobody
/// recorded the folder. `roots` are the folders of all projects.
fn knowledge_name(key: &str, root: Option<&Path>, roots: &[&Path]) -> Sentence {
    if key == NO_PROJECT {
        return messages::knowledge_outside();
    }
    let Some(root) = root else { return messages::knowledge_of(key) };
    let alike = roots.iter().filter(|other| other.file_name() == root.file_name()).count();
    let path = root.to_string_lossy();
    let name = match root.file_name() {
        Some(name) if alike == 1 => name.to_string_lossy(),
        _ => path,
    };
    messages::knowledge_of(text::one_line(&name).into_owned())
}

/// The disk usage of stored outputs against its budget.
fn disk_usage_check(home: &Home, budget: u64) -> Option<Check> {
    if !home.root().exists() {
        return None;
    }
    let usage = crate::disk_budget::usage(home);
    // The budget is exceeded a little between two enforcements.
    let health = if usage.all() > budget + budget / 8 { Health::Warn } else { Health::Ok };
    let detail = messages::kept_within(
        Amount::bytes(usage.all()),
        Amount::bytes(budget),
        Amount::bytes(usage.outputs),
        Amount::bytes(usage.tasks),
        Amount::bytes(usage.cache),
    );
    Some(line(health, messages::kept(), detail))
}

fn runtime_check(runtime: sandbox::RuntimeInfo) -> Check {
    let name = runtime.language.name();
    match (runtime.program, runtime.install) {
        (Some(program), _) => {
            let version = runtime.version.map_or_else(|| messages::version_unknown().into(), Param::from);
            line(Health::Ok, messages::plain(name), messages::runtime_is(version, &program))
        }
        (None, install) => {
            // Languages that agents use all the time.
            let wanted = matches!(name, "shell" | "python" | "javascript");
            let health = if wanted { Health::Warn } else { Health::Ok };
            let how = Sentence::from(install.unwrap_or_default());
            line(health, messages::plain(name), messages::runtime_missing(how))
        }
    }
}

/// Indexes a sentence in a temporary folder and finds it again.
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
        Ok(true) => line(Health::Ok, messages::full_text(), messages::text_found()),
        Ok(false) => line(Health::Fail, messages::full_text(), messages::text_not_found()),
        Err(error) => {
            line(Health::Fail, messages::full_text(), messages::text_not_tried(Sentence::from(error)))
        }
    }
}
