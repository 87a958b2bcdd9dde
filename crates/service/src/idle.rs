//! Frees the memory of an idle server: what its start needed, and what its last work needed.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use crate::Service;

/// How long without an answer counts as idle.
const IDLE_AFTER: Duration = Duration::from_secs(10);

/// How long after the start of a server an agent has asked for what it asks for at once.
const STARTED_AFTER: Duration = Duration::from_secs(1);

impl Service {
    /// Frees what the start needed, then waits for work, then for idleness, then frees resources; forever.
    pub async fn free_when_idle(&self) {
        tokio::time::sleep(STARTED_AFTER).await;
        self.free_resources().await;
        loop {
            self.answered.notified().await;
            while tokio::time::timeout(IDLE_AFTER, self.answered.notified()).await.is_ok() {}
            self.free_resources().await;
        }
    }

    /// Says that something other than a tool's call was answered, which needed memory.
    pub fn has_answered(&self) {
        self.answered.notify_one();
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
            sandbox::memory::give_back();
        });
        if let Err(error) = freed.await {
            log::info!("memory is given back later: {error}");
        }
    }
}
