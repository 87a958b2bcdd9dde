//! Access to the project's knowledge base on its own thread, so that the protocol never waits for the disk.

use std::path::Path;
use std::sync::{Arc, PoisonError};

use contract::Error;
use knowledge::{KnowledgeError, Store};

use crate::{Service, failure};

impl Service {
    /// Runs `work` on the knowledge base, creating it if there is none.
    pub(crate) async fn with_knowledge<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Store) -> knowledge::Result<T> + Send + 'static,
    ) -> Result<T, Error> {
        self.knowledge_base(true, work).await.and_then(|done| {
            done.ok_or_else(|| Error::new(contract::ErrorCode::Storage, crate::messages::not_made()))
        })
    }

    /// Runs `work` on the knowledge base if there is one.
    pub(crate) async fn with_existing_knowledge<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Store) -> knowledge::Result<T> + Send + 'static,
    ) -> Result<Option<T>, Error> {
        self.knowledge_base(false, work).await
    }

    /// Runs long `work` on a connection of its own, so that searches needn't wait for its end; one such work at a time.
    pub(crate) async fn with_own_knowledge<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Store) -> knowledge::Result<T> + Send + 'static,
    ) -> Result<T, Error> {
        let path = self.home().knowledge_db(&self.project());
        // Creates it and notes its project.
        self.with_knowledge(|_| Ok(())).await?;
        let (shared, indexing) = (Arc::clone(&self.knowledge), Arc::clone(&self.indexing));
        let done = tokio::task::spawn_blocking(move || {
            let _alone = indexing.lock().unwrap_or_else(PoisonError::into_inner);
            let worked = Store::open(&path).and_then(|mut store| work(&mut store));
            if worked.as_ref().is_err_and(KnowledgeError::is_damage) {
                // Salvaging needs the file exclusively, so close it.
                home::mark_damaged(&path);
                *shared.lock().unwrap_or_else(PoisonError::into_inner) = None;
            }
            worked.map_err(|error| failure::from_knowledge(&error))
        });
        done.await.map_err(|error| failure::from_thread(&error))?
    }

    async fn knowledge_base<T: Send + 'static>(
        &self,
        make: bool,
        work: impl FnOnce(&mut Store) -> knowledge::Result<T> + Send + 'static,
    ) -> Result<Option<T>, Error> {
        let (home, project) = (self.home().clone(), self.project());
        let path = home.knowledge_db(&project);
        let shared = Arc::clone(&self.knowledge);
        let done = tokio::task::spawn_blocking(move || {
            let mut open = shared.lock().unwrap_or_else(PoisonError::into_inner);
            if open.as_ref().is_none_or(|(opened, _)| *opened != path) {
                if !make && !path.exists() {
                    return Ok(None);
                }
                match home.ensure() {
                    // A read-only caller writes nothing into it.
                    Err(home::HomeError::Io { .. }) if !make => {}
                    ensured => ensured.map_err(|error| failure::from_storage(&error))?,
                }
                let store = match Store::open(&path) {
                    Ok(store) => store,
                    Err(error) if !make && error.is_unwritable() => return read_only(&path, &error, work),
                    Err(error) => return Err(failure::from_knowledge(&error)),
                };
                if project.root != home.root() {
                    crate::project_root::remember(&home, &project);
                }
                *open = Some((path, store));
            }
            let Some((path, store)) = open.as_mut() else { return Ok(None) };
            let worked = work(store);
            if worked.as_ref().is_err_and(KnowledgeError::is_damage) {
                // Salvaging needs the file exclusively, so close it.
                home::mark_damaged(path);
                *open = None;
            }
            worked.map(Some).map_err(|error| failure::from_knowledge(&error))
        });
        done.await.map_err(|error| failure::from_thread(&error))?
    }
}

/// Runs `work` where nothing can be written, as on a full disk: what only reads succeeds, and what would write fails with
/// `unwritable`, which names the way out.
fn read_only<T>(
    path: &Path,
    unwritable: &KnowledgeError,
    work: impl FnOnce(&mut Store) -> knowledge::Result<T>,
) -> Result<Option<T>, Error> {
    let worked =
        Store::open_read_only(path).and_then(|store| store.map(|mut store| work(&mut store)).transpose());
    worked.map_err(|error| match error {
        KnowledgeError::Db(_) | KnowledgeError::Sqlite { .. } | KnowledgeError::Io { .. } => {
            failure::from_knowledge(unwritable)
        }
        error => failure::from_knowledge(&error),
    })
}
