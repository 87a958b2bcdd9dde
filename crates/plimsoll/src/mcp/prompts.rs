//! Saved prompts as MCP prompts: listing them, filling one in, and notifying the client of changes. Each system has
//! its own prompts.

use contract::{Error, ErrorCode};
use rmcp::model::{
    GetPromptRequestParams, GetPromptResult, Prompt, PromptArgument, PromptMessage, ProtocolVersion, Role,
};
use rmcp::service::Peer;
use rmcp::{ErrorData, RoleServer};
use service::Call;
use system::CallContext;

use super::server::Server;

impl Server {
    /// All prompts, for a client's request.
    pub(super) async fn list_prompts_of_systems(&self) -> Vec<Prompt> {
        let prompts = self.prompts().await;
        let listed = prompts.iter().map(to_protocol).collect();
        if let Ok(mut known) = self.known_prompts().lock() {
            *known = prompts;
        }
        listed
    }

    /// One prompt, filled in.
    pub(super) async fn fill_prompt(
        &self,
        params: GetPromptRequestParams,
    ) -> Result<GetPromptResult, ErrorData> {
        let Some(prompts) = self.prompts_of(&params.name).await else {
            let unknown = format!("there is no prompt {:?}; the tool prompt saves one", params.name);
            let error = service::brief(Error::new(ErrorCode::NotFound, unknown));
            return Err(ErrorData::invalid_params(error.message.to_string(), None));
        };
        let (at, name) = (self.at(self.session()), params.name);
        let values = params.arguments.unwrap_or_default();
        let filled = tokio::task::spawn_blocking(move || (prompts.fill)(&at, &name, values)).await;
        let filled = filled
            .map_err(|defect| ErrorData::internal_error(defect.to_string(), None))?
            .map_err(|error| ErrorData::invalid_params(service::brief(error).message.to_string(), None))?;
        let mut result = GetPromptResult::new(vec![PromptMessage::new_text(Role::User, filled.text)]);
        result.description = filled.description;
        Ok(result)
    }

    /// The system with the prompt of this name.
    async fn prompts_of(&self, name: &str) -> Option<system::Prompts> {
        self.ensure_project().await;
        let all: Vec<_> = self.systems().iter().filter_map(|system| system.prompts).collect();
        let (at, name) = (self.at(self.session()), name.to_owned());
        let has = move |prompts: &system::Prompts| {
            (prompts.list)(&at).is_ok_and(|listed| listed.iter().any(|one| one.name == name))
        };
        tokio::task::spawn_blocking(move || all.into_iter().find(has)).await.ok().flatten()
    }

    /// The saved prompts of all systems. Skips a system that can't be read, because some clients give up on a server
    /// for an error.
    async fn prompts(&self) -> Vec<system::Prompt> {
        self.ensure_project().await;
        let lists: Vec<_> = self.systems().iter().filter_map(|system| system.prompts).collect();
        let at = self.at(self.session());
        let read = move || {
            let of = |prompts: &system::Prompts| {
                let listed = (prompts.list)(&at);
                listed.inspect_err(|error| log::warn!("no prompts: {error}")).unwrap_or_default()
            };
            lists.iter().flat_map(of).collect::<Vec<_>>()
        };
        tokio::task::spawn_blocking(read).await.unwrap_or_default()
    }

    fn at(&self, session: String) -> CallContext {
        CallContext { host: self.host(), call: Call { agent: self.agent(), session, ..Call::from_user() } }
    }

    /// Notifies the client if the saved prompts have changed since it last listed them.
    pub(super) async fn notify_prompts(&self, peer: &Peer<RoleServer>) {
        let listens =
            peer.peer_info().is_some_and(|info| info.protocol_version < ProtocolVersion::V_2026_07_28);
        if !self.offer().prompts || !listens {
            return;
        }
        let now = self.prompts().await;
        let changed = self.known_prompts().lock().is_ok_and(|mut known| {
            let changed = *known != now;
            *known = now;
            changed
        });
        if changed && let Err(error) = peer.notify_prompt_list_changed().await {
            log::debug!("the client was not told of its prompts: {error}");
        }
    }
}

/// Converts a saved prompt to the protocol's type.
fn to_protocol(prompt: &system::Prompt) -> Prompt {
    let argument = |place: &system::Placeholder| {
        let mut argument = PromptArgument::new(place.name.clone()).with_required(place.required);
        argument.description.clone_from(&place.description);
        argument
    };
    let arguments: Vec<PromptArgument> = prompt.placeholders.iter().map(argument).collect();
    let arguments = (!arguments.is_empty()).then_some(arguments);
    Prompt::new(prompt.name.clone(), prompt.description.clone(), arguments)
}
