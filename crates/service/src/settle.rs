//! A server that has nothing to do any more gives back what its last work took: memory, and room on the disk that was
//! written without a call (by background tasks).

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use crate::Service;

/// Nothing has been asked for so long.
const QUIET: Duration = Duration::from_secs(10);

impl Service {
    /// Waits for work, then for quiet, then gives back; for ever.
    pub async fn settle(&self) {
        loop {
            self.worked.notified().await;
            while tokio::time::timeout(QUIET, self.worked.notified()).await.is_ok() {}
            self.give_back().await;
        }
    }

    async fn give_back(&self) {
        let (knowledge, sessions) = (Arc::clone(&self.knowledge), Arc::clone(&self.sessions));
        let given = tokio::task::spawn_blocking(move || {
            // Whoever works with one just now is not waited for.
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
        if let Err(error) = given.await {
            log::info!("memory is given back later: {error}");
        }
    }
}
