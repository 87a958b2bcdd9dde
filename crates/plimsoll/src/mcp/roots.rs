//! Finds the project that a session works in: asks the client for its folders, and waits for the answer when a call
//! needs it.

use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::ProtocolVersion;
use rmcp::service::Peer;

use super::client;
use super::server::{Roots, Server};

/// How long the first call waits for the client to name its folders.
const ROOTS_WAIT: Duration = Duration::from_millis(700);

impl Server {
    /// Asks an old-era client for its folders in the background; a call that needs the answer waits for it.
    pub(super) fn ask_for_roots(&self, peer: &Peer<RoleServer>) {
        let offers = peer.peer_info().is_some_and(|info| {
            info.capabilities.roots.is_some() && info.protocol_version < ProtocolVersion::V_2026_07_28
        });
        if !offers {
            return;
        }
        self.shared.roots.send_replace(Roots::Asked);
        let (peer, shared, service) = (peer.clone(), Arc::clone(&self.shared), Arc::clone(&self.service));
        tokio::spawn(async move {
            let roots = roots_of(&peer).await;
            service.set_project(&client::project_candidates(&roots, service.env()));
            shared.roots.send_replace(Roots::Answered(roots));
        });
    }

    /// Ensures that a project is chosen before a call that needs it.
    pub(super) async fn ensure_project(&self) {
        let mut roots = self.shared.roots.subscribe();
        if *roots.borrow_and_update() == Roots::Asked {
            let answered = roots.wait_for(|roots| matches!(roots, Roots::Answered(_)));
            let _ = tokio::time::timeout(ROOTS_WAIT, answered).await;
        }
        self.choose_default_project();
    }
}

/// The client's folders; empty if it doesn't answer.
#[expect(deprecated, reason = "old-era clients have no other way to say where they work")]
async fn roots_of(peer: &Peer<RoleServer>) -> Vec<String> {
    match tokio::time::timeout(Duration::from_secs(10), peer.list_roots()).await {
        Ok(Ok(answer)) => answer.roots.into_iter().map(|root| root.uri).collect(),
        _ => Vec::new(),
    }
}
