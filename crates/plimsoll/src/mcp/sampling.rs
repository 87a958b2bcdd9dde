//! Lets systems ask the agent's own model, through a sampling request to a client that supports it.

#![expect(deprecated, reason = "clients of the older era have no other way to lend their model")]

use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    CreateMessageRequestParams, ProtocolVersion, Role, SamplingMessage, SamplingMessageContentBlock,
};
use rmcp::service::Peer;
use system::Sampling;

/// The client may ask its user first; no call should wait longer than this.
const SAMPLING_WAIT: Duration = Duration::from_secs(60);

/// The agent's own model, if its client supports sampling. Only the protocol's older era has it.
pub(super) fn sampling(peer: &Peer<RoleServer>) -> Sampling {
    let offers = peer.peer_info().is_some_and(|info| {
        info.capabilities.sampling.is_some() && info.protocol_version < ProtocolVersion::V_2026_07_28
    });
    if !offers {
        return Sampling::none();
    }
    let peer = peer.clone();
    Sampling::new(move |question| {
        let peer = peer.clone();
        Box::pin(async move {
            let message = SamplingMessage::new(Role::User, SamplingMessageContentBlock::text(question.text));
            let params = CreateMessageRequestParams::new(vec![message], question.max_tokens)
                .with_system_prompt(question.system);
            match tokio::time::timeout(SAMPLING_WAIT, peer.create_message(params)).await {
                Ok(Ok(answer)) => {
                    let texts = answer.message.content.iter().filter_map(|block| block.as_text());
                    Ok(texts.map(|text| text.text.as_str()).collect())
                }
                Ok(Err(error)) => Err(error.to_string()),
                Err(_) => Err(format!("nothing within {} s", SAMPLING_WAIT.as_secs())),
            }
        })
    })
}
