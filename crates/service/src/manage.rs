//! `manage`: statistics, health, upgrade, purge.

use contract::{Error, ErrorCode, Manage, ManageAction, PurgeScope, Reply};
use knowledge::{PurgeScope as Scope, Purged};
use serde_json::json;

use crate::{Call, Service, doctor, output, search, upgrade};

impl Service {
    /// Looks after Plimsoll itself.
    ///
    /// # Errors
    /// When a destructive action comes without `confirm`, or cannot be carried out.
    pub async fn manage(&self, call: &Call, request: Manage) -> Result<Reply, Error> {
        let started = std::time::Instant::now();
        let result = match request.action {
            ManageAction::Stats => self.stats(request.days).await,
            ManageAction::Doctor => doctor::report(self).await,
            ManageAction::Upgrade => upgrade::run(self, request.confirm).await,
            ManageAction::Purge => self.purge(call, request).await,
        };
        self.account(call, "manage", started, result).await
    }

    async fn purge(&self, call: &Call, request: Manage) -> Result<Reply, Error> {
        let scope = match request.scope.unwrap_or(PurgeScope::Project) {
            PurgeScope::Source(name) => Scope::Source(search::source_name(&name).to_owned()),
            PurgeScope::Session(None) => Scope::Session(call.session.clone()),
            PurgeScope::Session(Some(id)) => Scope::Session(id),
            PurgeScope::Project => Scope::All,
            PurgeScope::Everything => return self.purge_everything(call, request.confirm, request.now).await,
        };
        if !request.confirm {
            let of = scope.clone();
            let found = self.with_existing_knowledge(move |store| store.purge_preview(&of)).await?;
            let found = found.ok_or_else(|| nothing(&scope))?;
            return Err(Error::new(
                ErrorCode::ConfirmationNeeded,
                format!(
                    "purging {scope} would remove {}; ask the person, then call again with confirm true",
                    amount(&found)
                ),
            ));
        }
        let trash = (!request.now).then(|| self.home().trash_dir());
        let (of, now_ms) = (scope.clone(), self.now_ms());
        let purged =
            self.with_existing_knowledge(move |store| store.purge(&of, trash.as_deref(), now_ms)).await?;
        let purged = purged.ok_or_else(|| nothing(&scope))?;
        let days = self.settings().retention.trash_days;
        let text = match &purged.trash {
            Some(path) => format!("Moved {} to {}, kept for {days} days.", amount(&purged), path.display()),
            None => format!("Deleted {}.", amount(&purged)),
        };
        Ok(Reply::plain(text).with_data(json!(purged)))
    }

    /// Only a person may empty every project's knowledge base.
    async fn purge_everything(&self, call: &Call, confirm: bool, now: bool) -> Result<Reply, Error> {
        if call.agent.is_some() || call.session != Call::of_person().session {
            return Err(Error::new(
                ErrorCode::Denied,
                "purging every project is for the person: `plimsoll purge --everything` in a terminal; scope project removes this project's",
            ));
        }
        if !confirm {
            return Err(Error::new(
                ErrorCode::ConfirmationNeeded,
                "this removes the stored text of every project; confirm it to go on",
            ));
        }
        // The one that is open is closed first, so that each is opened by itself.
        self.knowledge.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        let (projects, trash, now_ms) = (self.home().projects_dir(), self.home().trash_dir(), self.now_ms());
        let done = tokio::task::spawn_blocking(move || {
            let mut all = Purged::default();
            for folder in std::fs::read_dir(projects).into_iter().flatten().flatten() {
                let path = folder.path().join("knowledge.db");
                if !path.exists() {
                    continue;
                }
                let mut store = knowledge::Store::open(&path)?;
                match store.purge(&Scope::All, (!now).then_some(trash.as_path()), now_ms) {
                    Ok(purged) => {
                        all.sources += purged.sources;
                        all.chunks += purged.chunks;
                        all.bytes += purged.bytes;
                        all.trash = purged.trash.or(all.trash);
                    }
                    Err(knowledge::KnowledgeError::NothingToPurge(_)) => {}
                    Err(error) => return Err(error),
                }
            }
            Ok(all)
        });
        let all = done
            .await
            .map_err(|error| crate::failure::of_thread(&error))?
            .map_err(|error| crate::failure::of_knowledge(&error))?;
        let where_to = if now { "Deleted" } else { "Moved to the trash:" };
        Ok(Reply::plain(format!("{where_to} {} of every project.", amount(&all))).with_data(json!(all)))
    }
}

fn nothing(scope: &Scope) -> Error {
    Error::new(ErrorCode::NotFound, format!("nothing is stored under {scope}, so there is nothing to purge"))
}

fn amount(purged: &Purged) -> String {
    let plural = if purged.sources == 1 { "" } else { "s" };
    format!(
        "{} source{plural} with {} sections ({})",
        purged.sources,
        purged.chunks,
        output::size(purged.bytes)
    )
}
