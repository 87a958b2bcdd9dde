//! `manage`: statistics, doctor, upgrade and purge.

use std::sync::Arc;

use contract::{Amount, Error, ErrorCode, Manage, ManageAction, PurgeScope, Reply, count};
use knowledge::{KnowledgeError, PurgeResult, PurgeScope as Scope};
use serde_json::json;
use system::{DataScope, System};

use crate::desktop::{empty_trash, purges_in};
use crate::purge::{self, Forgotten};
use crate::{Call, Service, doctor, search, upgrade};

impl Service {
    /// Carries out a management action.
    ///
    /// # Errors
    /// If a destructive action comes without `confirm`, or can't be carried out.
    pub async fn manage(self: &Arc<Self>, call: &Call, request: Manage) -> Result<Reply, Error> {
        let started = std::time::Instant::now();
        let result = match request.action {
            ManageAction::Stats => self.stats(request.days).await,
            ManageAction::Doctor => doctor::report(self).await,
            ManageAction::Upgrade => upgrade::run(self, request.confirm).await,
            ManageAction::Purge => self.purge(call, request).await,
        };
        self.book(call, "manage", started, result).await
    }

    async fn purge(&self, call: &Call, request: Manage) -> Result<Reply, Error> {
        let wanted = request.scope.unwrap_or(PurgeScope::Project);
        if !request.confirm && wanted != PurgeScope::Everything {
            let would = self.preview_purge(call, wanted, request.now).await?.text;
            return Err(Error::new(
                ErrorCode::ConfirmationNeeded,
                format!("{would}; ask the user, then call again with confirm true"),
            ));
        }
        let Some((scope, memory)) = self.purged(call, wanted) else {
            return self.purge_everything(call, request.confirm, request.now).await;
        };
        let trash = (!request.now).then(|| self.home().trash_dir());
        let (of, now_ms) = (scope.clone(), self.now_ms());
        let purged = self
            .with_existing_knowledge(move |store| none_if_empty(store.purge(&of, trash.as_deref(), now_ms)))
            .await?
            .flatten();
        let forgotten = self.memory(memory, purge::forget).await?;
        if purged.is_none() && forgotten.is_nothing() {
            return Err(nothing_in(&scope));
        }
        let days = count(u64::from(self.settings().retention.trash_days), "day");
        let mut text = purged.as_ref().map_or_else(String::new, |purged| match &purged.trash {
            Some(path) => format!("Moved {} to {}, kept for {days}.", amount(purged), path.display()),
            None => format!("Deleted {}.", amount(purged)),
        });
        text.push_str(&deleted_note(&forgotten));
        let mut data = json!(purged.unwrap_or_default());
        data["forgotten"] = json!(forgotten);
        Ok(Reply::plain(text.trim_start()).with_data(data))
    }

    /// What purging this would remove and delete, in words without an end and as data. Changes nothing.
    ///
    /// # Errors
    /// If nothing is stored there, or what is can't be read.
    pub async fn preview_purge(&self, call: &Call, scope: PurgeScope, now: bool) -> Result<Reply, Error> {
        let Some((scope, memory)) = self.purged(call, scope) else {
            let known = self.memory(Some(DataScope::All), purge::preview).await?;
            let mut also = if known.is_nothing() { String::new() } else { format!(", and {known} for good") };
            let in_trash = if now { purges_in(&self.home().trash_dir()).len() as u64 } else { 0 };
            if in_trash > 0 {
                also.push_str(&format!(", and {} in the trash", count(in_trash, "earlier purge")));
            }
            let data = json!({ "forgotten": known, "trash_deleted": in_trash });
            let text = format!("this removes the stored text of every project{also}");
            return Ok(Reply::plain(text).with_data(data));
        };
        let of = scope.clone();
        let found = self
            .with_existing_knowledge(move |store| none_if_empty(store.purge_preview(&of)))
            .await?
            .flatten();
        let known = self.memory(memory, purge::preview).await?;
        let would = preview_text(found.as_ref(), &known).ok_or_else(|| nothing_in(&scope))?;
        let mut data = json!(found.unwrap_or_default());
        data["forgotten"] = json!(known);
        Ok(Reply::plain(format!("purging {scope} would {would}")).with_data(data))
    }

    /// The scope as the knowledge base and the other stores know it; `None` for every project.
    fn purged(&self, call: &Call, scope: PurgeScope) -> Option<(Scope, Option<DataScope>)> {
        let (scope, memory) = match scope {
            PurgeScope::Source(name) => (Scope::Source(search::source_name(&name).to_owned()), None),
            PurgeScope::Session(id) => {
                let id = id.unwrap_or_else(|| call.session.clone());
                (Scope::Session(id.clone()), Some(DataScope::Session(id)))
            }
            PurgeScope::Project => (Scope::All, Some(DataScope::Project(self.project().root))),
            PurgeScope::Everything => return None,
        };
        // Outside a project there is a shared knowledge base and no folder.
        let memory = memory.filter(|memory| self.has_project() || !matches!(memory, DataScope::Project(_)));
        Some((scope, memory))
    }

    /// Reports what else is stored in this scope, or deletes it, on its own thread.
    async fn memory(
        &self,
        which: Option<DataScope>,
        work: fn(&home::Home, &[&'static System], &DataScope) -> Result<Forgotten, Error>,
    ) -> Result<Forgotten, Error> {
        let Some(which) = which else { return Ok(Forgotten::default()) };
        let (home, systems) = (self.home().clone(), self.systems());
        tokio::task::spawn_blocking(move || work(&home, systems, &which))
            .await
            .map_err(|error| crate::failure::from_thread(&error))?
    }

    /// Purges every project's knowledge base, which only a user may do.
    async fn purge_everything(&self, call: &Call, confirm: bool, now: bool) -> Result<Reply, Error> {
        if call.agent.is_some() || call.session != Call::from_user().session {
            return Err(Error::new(
                ErrorCode::Denied,
                "only the user can purge every project, with `plimsoll purge --everything` in a terminal; scope project removes this project's",
            ));
        }
        if !confirm {
            let would = self.preview_purge(call, PurgeScope::Everything, now).await?.text;
            return Err(Error::new(ErrorCode::ConfirmationNeeded, format!("{would}; confirm it to go on")));
        }
        // Closes the open one first, so that each is opened on its own.
        self.knowledge.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        let (projects, trash, now_ms) = (self.home().projects_dir(), self.home().trash_dir(), self.now_ms());
        let done = tokio::task::spawn_blocking(move || {
            let (mut all, mut failed) = (PurgeResult::default(), None);
            for folder in std::fs::read_dir(projects).into_iter().flatten().flatten() {
                let path = folder.path().join("knowledge.db");
                if !path.exists() {
                    continue;
                }
                let purged = knowledge::Store::open(&path).and_then(|mut store| {
                    store.purge(&Scope::All, (!now).then_some(trash.as_path()), now_ms)
                });
                match purged {
                    Ok(purged) => {
                        all.sources += purged.sources;
                        all.chunks += purged.chunks;
                        all.bytes += purged.bytes;
                        all.trash = purged.trash.or(all.trash);
                    }
                    Err(KnowledgeError::NothingToPurge(_)) => {}
                    // A knowledge base that can't be opened doesn't keep the others from being purged.
                    Err(error) => failed = failed.or(Some(error)),
                }
            }
            (all, failed)
        });
        let (all, failed) = done.await.map_err(|error| crate::failure::from_thread(&error))?;
        // Deleting everything includes the trash of earlier purges.
        let emptied = if now { empty_trash(self.home()) } else { Ok(0) };
        let emptied_note = match &emptied {
            Ok(number) if *number > 0 => {
                format!(" Deleted {} from the trash.", count(*number, "earlier purge"))
            }
            _ => String::new(),
        };
        let forgotten = self.memory(Some(DataScope::All), purge::forget).await?;
        let where_to = if now { "Deleted" } else { "Moved to the trash:" };
        if let Some(error) = failed {
            let error = crate::failure::from_knowledge(&error);
            let done = format!("{where_to} {}.{}{emptied_note}", amount(&all), deleted_note(&forgotten));
            return Err(Error::new(error.code, format!("{done} The rest is still there: {}", error.message)));
        }
        let emptied = emptied?;
        let note = deleted_note(&forgotten);
        let text = format!("{where_to} {} of every project.{note}{emptied_note}", amount(&all));
        let mut data = json!(all);
        data["trash_deleted"] = json!(emptied);
        data["forgotten"] = json!(forgotten);
        Ok(Reply::plain(text).with_data(data))
    }
}

/// An empty knowledge base isn't an error as long as something else is stored.
fn none_if_empty(found: knowledge::Result<PurgeResult>) -> knowledge::Result<Option<PurgeResult>> {
    match found {
        Err(KnowledgeError::NothingToPurge(_)) => Ok(None),
        other => other.map(Some),
    }
}

/// What a purge would do; `None` if there is nothing to do.
fn preview_text(found: Option<&PurgeResult>, forgotten: &Forgotten) -> Option<String> {
    let remove = found.map(|found| format!("remove {}", amount(found)));
    let forget = (!forgotten.is_nothing()).then(|| format!("delete {forgotten} for good"));
    match (remove, forget) {
        (Some(remove), Some(forget)) => Some(format!("{remove}, and {forget}")),
        (one, other) => one.or(other),
    }
}

/// The end of a reply: what was deleted besides stored text.
fn deleted_note(forgotten: &Forgotten) -> String {
    if forgotten.is_nothing() {
        return String::new();
    }
    format!(" Deleted for good: {forgotten}. They no longer count in the figures.")
}

fn nothing_in(scope: &Scope) -> Error {
    Error::new(ErrorCode::NotFound, format!("nothing is stored under {scope}, so there is nothing to purge"))
}

fn amount(purged: &PurgeResult) -> String {
    format!(
        "{} with {} ({})",
        count(purged.sources, "source"),
        count(purged.chunks, "chunk"),
        Amount::bytes(purged.bytes)
    )
}

#[cfg(test)]
mod tests {
    use home::{Clock, Env};
    use sandbox::task::{KeptOutput, Tasks};

    use super::*;

    #[test]
    fn a_purge_names_and_removes_memories() {
        let dir = tempfile::tempdir().unwrap();
        let shop = dir.path().join("shop");
        std::fs::create_dir_all(shop.join(".git")).unwrap();
        let service = Arc::new(Service::new(Env::for_test(dir.path()), Clock::fixed(5)).unwrap());
        service.set_project(&[shop]);
        service.home().ensure().unwrap();
        let keep = || {
            let cwd = service.project().root;
            let (label, session, exit) = ("make", Some("s"), None);
            let kept = KeptOutput { label, cwd: &cwd, session, exit, text: b"twelve bytes", now_ms: 5 };
            Tasks::new(service.home().tasks_dir()).keep(&kept).unwrap();
        };
        let purge = |scope: PurgeScope, confirm: bool| {
            let (action, scope, now, days) = (ManageAction::Purge, Some(scope), false, None);
            let (call, request) = (Call::from_user(), Manage { action, scope, confirm, now, days });
            let done = service.manage(&call, request);
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(done).map_or_else(|error| error.to_string(), |reply| reply.text)
        };
        let nothing = "error not_found: nothing is stored under this project, so there is nothing to purge";
        assert_eq!(purge(PurgeScope::Project, false), nothing);
        for (scope, named) in [
            (PurgeScope::Project, "purging this project would delete 1 kept output (12 B) for good"),
            (
                PurgeScope::Session(Some("s".into())),
                "purging the session \"s\" would delete 1 kept output (12 B) for good",
            ),
        ] {
            keep();
            assert_eq!(
                purge(scope.clone(), false),
                format!(
                    "error confirmation_needed: {named}; ask the user, then call again with confirm true"
                )
            );
            let printed = "Deleted for good: 1 kept output (12 B). They no longer count in the figures.";
            assert_eq!(purge(scope.clone(), true), printed);
            assert!(purge(scope, true).starts_with("error not_found"));
        }
        keep();
        let asked = purge(PurgeScope::Everything, false);
        assert!(asked.contains("of every project, and 1 kept output (12 B) for good; confirm"), "{asked}");
        assert!(purge(PurgeScope::Everything, true).contains("Deleted for good: 1 kept output (12 B)."));
        assert!(Tasks::new(service.home().tasks_dir()).list().is_empty());
    }

    #[test]
    fn everything_now_is_what_earlier_purges_left_too() {
        let dir = tempfile::tempdir().unwrap();
        let service = Arc::new(Service::new(Env::for_test(dir.path()), Clock::fixed(5)).unwrap());
        service.home().ensure().unwrap();
        let store = service.home().projects_dir().join("a-0000000000000001").join("knowledge.db");
        let fill = || {
            let source = knowledge::NewSource {
                label: "notes",
                kind: knowledge::SourceKind::Text,
                origin: None,
                session: None,
                agent: None,
                content: "words",
                format: None,
                now_ms: 5,
            };
            knowledge::Store::open(&store).unwrap().index_text(source).unwrap();
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let purge = |confirm: bool, now: bool| {
            let scope = Some(PurgeScope::Everything);
            let request = Manage { action: ManageAction::Purge, scope, confirm, now, days: None };
            match runtime.block_on(service.manage(&Call::from_user(), request)) {
                Ok(reply) => reply.text,
                Err(error) => error.to_string(),
            }
        };
        let in_trash = || purges_in(&service.home().trash_dir()).len();
        fill();
        purge(true, false);
        fill();
        purge(true, false);
        assert_eq!(in_trash(), 2, "what isn't deleted now can be restored");
        fill();
        assert!(!purge(false, false).contains("earlier purge"));
        let asked = purge(false, true);
        assert!(asked.contains(", and 2 earlier purges in the trash; confirm"), "{asked}");
        let done = purge(true, true);
        assert!(done.ends_with("Deleted 2 earlier purges from the trash."), "{done}");
        assert_eq!(in_trash(), 0);
        // Deleted items are reported although others couldn't be deleted.
        fill();
        purge(true, false);
        fill();
        let closed = service.home().projects_dir().join("b-0000000000000002").join("knowledge.db");
        std::fs::create_dir_all(closed).unwrap();
        let done = purge(true, true);
        assert!(done.contains("Deleted 1 earlier purge from the trash. The rest is still there"), "{done}");
        assert_eq!(in_trash(), 0);
    }

    #[test]
    fn a_knowledge_base_that_cannot_be_opened_keeps_nobody_elses_text() {
        let dir = tempfile::tempdir().unwrap();
        let service = Arc::new(Service::new(Env::for_test(dir.path()), Clock::fixed(5)).unwrap());
        let desktop = crate::desktop::Desktop::new(Arc::clone(&service));
        service.home().ensure().unwrap();
        let store = |key: &str| service.home().projects_dir().join(key).join("knowledge.db");
        let keys = ["a-0000000000000001", "b-0000000000000002", "c-0000000000000003"];
        let tasks = Tasks::new(service.home().tasks_dir());
        let fill = || {
            for key in [keys[0], keys[2]] {
                let mut store = knowledge::Store::open(&store(key)).unwrap();
                let source = knowledge::NewSource {
                    label: "notes",
                    kind: knowledge::SourceKind::Text,
                    origin: None,
                    session: None,
                    agent: None,
                    content: "words",
                    format: None,
                    now_ms: 5,
                };
                store.index_text(source).unwrap();
            }
            let kept =
                KeptOutput { label: "x", cwd: dir.path(), session: None, exit: None, text: b"x", now_ms: 5 };
            tasks.keep(&kept).unwrap();
        };
        let left = || {
            let sources = |key: &str| knowledge::Store::open(&store(key)).unwrap().stats().unwrap().sources;
            (sources(keys[0]), sources(keys[2]), tasks.list().len())
        };
        // No database can be opened where a folder is.
        std::fs::create_dir_all(store(keys[1])).unwrap();
        fill();
        assert_eq!(left(), (1, 1, 1));
        let request = Manage {
            action: ManageAction::Purge,
            scope: Some(PurgeScope::Everything),
            confirm: true,
            now: false,
            days: None,
        };
        let call = Call::from_user();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let error = runtime.block_on(service.manage(&call, request)).unwrap_err().to_string();
        assert!(error.contains("2 sources") && error.contains(keys[1]), "{error}");
        assert_eq!(left(), (0, 0, 0));
        fill();
        let purge = contract::desktop::Purge {
            scope: contract::desktop::PurgeWhat::Everything,
            now: false,
            typed: "everything".into(),
            forget: true,
        };
        assert!(desktop.purge(&purge).unwrap_err().to_string().contains(keys[1]));
        assert_eq!(left(), (0, 0, 0));
    }
}
