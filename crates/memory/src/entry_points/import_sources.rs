//! Imports what is on this computer already: finds sources, counts what is new, and imports as proposals. Serves the
//! window's wizard, `plimsoll setup` and `plimsoll memory sources`.

use std::path::Path;

use contract::Error;
use home::{Project, Settings};
use serde_json::{Value, json};
use system::{CallContext, DataImport, Host, ImportReport, ImportSource, ReplyFuture};

use super::reply_text::ReplyFormat;
use super::run_action;
use crate::actions::{ActionContext, Failure, Import, SourceKind, find_import_sources, import};
use crate::store::Actor;

/// The entry points' functions.
pub(crate) const DATA_IMPORT: DataImport = DataImport { sources: find_new, run: take };

/// The user's action context in this project, or outside any.
fn context(host: &dyn Host, folder: Option<&Path>) -> ActionContext {
    let project = folder.and_then(|folder| Project::at(folder).ok());
    let database = crate::paths::database(host.home());
    let mut context =
        ActionContext::in_project(&database, project.as_ref(), Actor::local_user(host.now_ms()));
    // The current settings, read from the file: a window stays open for days.
    let settings = Settings::load(host.home()).unwrap_or_else(|_| host.settings().clone());
    context.secrets = run_action::secrets(&settings);
    context
}

fn import_args(source: &ImportSource, dry_run: bool) -> Import {
    Import { path: source.path.clone(), pending: true, dry_run, ..Import::default() }
}

/// The sources that contain something new.
fn find_new(host: &dyn Host) -> Vec<ImportSource> {
    let mut out = Vec::new();
    for spot in find_import_sources(host.env(), &system::folders(host)) {
        let kind = spot.kind;
        let mut source = ImportSource {
            kind: spot.kind.as_str().to_owned(),
            path: spot.path,
            folder: spot.folder,
            ..ImportSource::default()
        };
        match import(&context(host, source.folder.as_deref()), &import_args(&source, true)) {
            Ok(found) => {
                source.new = found["imported"].as_u64().unwrap_or_default();
                let samples = found["samples"].as_array().into_iter().flatten();
                source.samples = samples.filter_map(Value::as_str).map(str::to_owned).collect();
            }
            // A repository that git can't read isn't a source.
            Err(_) if kind == SourceKind::Commits => {}
            Err(failure) => source.problem = Some(failure.into_sentence()),
        }
        if source.new > 0 || source.problem.is_some() {
            out.push(source);
        }
    }
    out
}

/// Imports one of them for review.
fn take(host: &dyn Host, source: &ImportSource) -> Result<ImportReport, Error> {
    // Only a listed source: the caller passes a path.
    let known = find_import_sources(host.env(), &system::folders(host));
    if !known.iter().any(|spot| spot.path == source.path && spot.folder == source.folder) {
        return Err(Error::invalid(format!("{} is no longer there", source.path.display())));
    }
    import_for_review(host, source)
}

/// Proposes what the last commits of the project say, unless nothing may be proposed unasked.
pub(crate) fn learn(host: &dyn Host) -> Result<ImportReport, Error> {
    let on = host.settings().own("memory.automatic").and_then(Value::as_bool).unwrap_or(true);
    let root = host.project().root;
    let path = root.join(".git");
    if !on || !host.has_project() || !path.exists() {
        return Ok(ImportReport::default());
    }
    import_for_review(host, &ImportSource { path, folder: Some(root), ..ImportSource::default() })
}

fn import_for_review(host: &dyn Host, source: &ImportSource) -> Result<ImportReport, Error> {
    let done = import(&context(host, source.folder.as_deref()), &import_args(source, false))
        .map_err(Failure::into_worded)?;
    let count = |name: &str| done[name].as_u64().unwrap_or_default();
    let problems = done["problems"].as_array().into_iter().flatten();
    Ok(ImportReport {
        waiting: count("imported"),
        known: count("duplicates"),
        redacted: count("redacted"),
        refused: count("refused_secrets"),
        problems: problems.filter_map(Value::as_str).map(str::to_owned).collect(),
    })
}

/// The list for `plimsoll memory sources`.
pub(super) fn run(at: CallContext) -> ReplyFuture {
    let host = at.host.clone();
    run_action::run(at, ReplyFormat::Json, move |_| {
        let all: Vec<Value> = find_new(&*host)
            .iter()
            .map(|source| {
                let mut one = json!({
                    "kind": source.kind, "path": source.path.display().to_string(), "new": source.new,
                    "samples": source.samples,
                });
                if let Some(folder) = &source.folder {
                    one["project"] = folder.display().to_string().into();
                }
                if let Some(problem) = &source.problem {
                    one["problem"] = problem.to_string().into();
                }
                one
            })
            .collect();
        Ok(json!({"sources": all}))
    })
}
