//! Frees the resources of an idle server: memory after its last work, and disk space written outside calls (by
//! background tasks).

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use crate::Service;

/// How long without a call counts as idle.
const IDLE_AFTER: Duration = Duration::from_secs(10);

impl Service {
    /// Waits for work, then for idleness, then frees resources; forever.
    pub async fn free_when_idle(&self) {
        loop {
            self.call_finished.notified().await;
            while tokio::time::timeout(IDLE_AFTER, self.call_finished.notified()).await.is_ok() {}
            self.free_resources().await;
        }
    }

    async fn free_resources(&self) {
        let (knowledge, sessions) = (Arc::clone(&self.knowledge), Arc::clone(&self.sessions));
        let freed = tokio::task::spawn_blocking(move || {
            // Doesn't wait for a user of the database.
            if let Ok(open) = knowledge.try_lock()
                && let Some((_, store)) = open.as_ref()
            {
                store.release_memory();
            }
            if let Some(sessions) = sessions.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
                sessions.release_memory();
            }
            sandbox::memory::trim();
        });
        if let Err(error) = freed.await {
            log::info!("memory is given back later: {error}");
        }
    }
}
