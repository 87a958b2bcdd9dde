//! Implements the protocol's handler: each request becomes an operation of [`Server`] or `service`, and the result a
//! response.

use std::sync::atomic::Ordering;

use agents::Agent;
use contract::{Error, ErrorCode};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, DiscoverResult,
    GetPromptRequestParams, GetPromptResponse, Implementation, InitializeRequestParams, InitializeResult,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, PromptsCapability, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, Resource, ResourceContents, ResourceTemplate, ServerCapabilities, ServerConfig,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::json;
use service::Call;

use super::server::Server;
use super::{json_text, tools};

/// How many resources are on one page.
const PAGE: usize = 50;

/// How much of an unknown URI is repeated, in bytes.
const LONGEST_URI: usize = 4_000;

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let offer = self.offer();
        let mut capabilities = ServerCapabilities::builder().enable_tools().build();
        let changes = self.systems().iter().any(|system| system.prompts.is_some());
        capabilities.prompts = offer.prompts.then(|| {
            let mut prompts = PromptsCapability::default();
            prompts.list_changed = changes.then_some(true);
            prompts
        });
        capabilities.resources = offer.resources.then(Default::default);
        let experimental = self.agent().map_or(&[][..], |agent| agent.experimental_capabilities());
        capabilities.experimental = (!experimental.is_empty())
            .then(|| experimental.iter().map(|name| ((*name).to_owned(), Default::default())).collect());
        ServerConfig::new(capabilities)
            .with_server_info(
                Implementation::new("plimsoll", env!("CARGO_PKG_VERSION")).with_title("plimsoll"),
            )
            .with_instructions(tools::instructions(&self.systems()))
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        // The declared capabilities depend on the client.
        self.set_client(Some(&request.client_info.name));
        context.peer.set_peer_info(request.clone());
        self.negotiate_initialize(&request)
    }

    async fn discover(&self, context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        self.set_client(context.client_info().map(|client| client.name).as_deref());
        let mut info = self.get_info();
        // Without a session nobody gets notifications; clients list the prompts again.
        if let Some(prompts) = &mut info.capabilities.prompts {
            prompts.list_changed = None;
        }
        Ok(DiscoverResult::from_server_info(self.supported_protocol_versions().into_owned(), info))
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        if let Some(info) = context.peer.peer_info() {
            self.set_client(Some(&info.client_info.name));
        }
        self.ask_for_roots(&context.peer);
        self.start_heartbeat();
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        self.ask_for_roots(&context.peer);
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.set_client(context.client_info().map(|client| client.name).as_deref());
        self.start_heartbeat();
        let tools = self.tools();
        if !self.shared.tool_list_recorded.swap(true, Ordering::Relaxed) {
            let bytes = serde_json::to_vec(tools).map_or(0, |json| json.len() as u64);
            self.service.set_tool_list(self.agent().map(Agent::id), &self.session(), bytes);
        }
        self.service.has_answered();
        Ok(ListToolsResult::with_all_items(tools.to_vec()))
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.set_client(context.client_info().map(|client| client.name).as_deref());
        self.start_heartbeat();
        if let Some(error) = self.unknown_tool(&params.name) {
            return Err(error);
        }
        let prompts_may_change = self
            .systems()
            .iter()
            .any(|system| system.prompts.is_some() && system.tool(&params.name).is_some());
        let (text, failed) = match self.run_call(params, &context).await {
            Ok(reply) => (reply.text, reply.failed),
            // Not each error was booked, and so made brief: some are about the arguments.
            Err(error) => (service::brief(error).to_string(), true),
        };
        if prompts_may_change {
            self.notify_prompts(&context.peer).await;
        }
        let takes_apart = self.agent().is_some_and(Agent::parses_json_results);
        let text = if takes_apart { json_text::guard_json(text) } else { text };
        let content = vec![ContentBlock::text(text)];
        let result = if failed { CallToolResult::error(content) } else { CallToolResult::success(content) };
        Ok(result.into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(self.list_prompts_of_systems().await))
    }

    async fn get_prompt(
        &self,
        params: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        Ok(self.fill_prompt(params).await?.into())
    }

    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let offset = match page.and_then(|page| page.cursor) {
            None => 0,
            Some(cursor) => cursor.parse().map_err(|_| {
                ErrorData::invalid_params(format!("{cursor:?} isn't a cursor of this list"), None)
            })?,
        };
        self.ensure_project().await;
        // Some clients give up on a server, tools included, if a list fails.
        let listed = self.service.resources(offset, PAGE, self.page_bytes()).await.unwrap_or_else(|error| {
            log::warn!("the list of addresses is empty: {}", error.message);
            service::Listed { items: Vec::new(), next: None }
        });
        let resources = listed
            .items
            .into_iter()
            .map(|item| {
                let mut resource = Resource::new(item.uri, item.name);
                resource.description = item.description;
                resource.mime_type = Some("text/plain".into());
                resource.size = item.bytes;
                resource
            })
            .collect();
        let mut result = ListResourcesResult::with_all_items(resources);
        result.next_cursor = listed.next.map(|next| next.to_string());
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let template = |uri: &str, name: &str, title: &str| {
            ResourceTemplate::new(uri, name).with_title(title).with_mime_type("text/plain")
        };
        let mut all = vec![
            template("plimsoll://source/{id}", "source", "A stored text or output"),
            template("plimsoll://task/{id}", "task", "The output of a background task"),
        ];
        let addresses = self.systems().into_iter().filter_map(|system| system.addresses);
        // One that is complete is listed as a resource.
        for open in addresses.filter(|open| !open.template.is_empty()) {
            all.push(template(&format!("{}{}", open.prefix, open.template), open.name, open.title));
        }
        Ok(ListResourceTemplatesResult::with_all_items(all))
    }

    async fn read_resource(
        &self,
        params: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.ensure_project().await;
        let call = Call {
            agent: self.agent(),
            session: self.call_session(&context.meta).await,
            ..Call::from_user()
        };
        let text = self.service.read_resource(&call, &params.uri).await.map_err(|error| {
            let mut error = protocol_error(error);
            // The protocol requires the URI in the error. No resource has a longer one.
            let uri = &params.uri[..params.uri.floor_char_boundary(LONGEST_URI)];
            error.data = Some(json!({"uri": uri}));
            error
        })?;
        Ok(ReadResourceResult::new(vec![ResourceContents::text(text, params.uri)]).into())
    }
}

fn protocol_error(error: Error) -> ErrorData {
    let error = service::brief(error);
    match error.code {
        ErrorCode::NotFound => ErrorData::resource_not_found(error.message.to_string(), None),
        ErrorCode::InvalidArgument => ErrorData::invalid_params(error.message.to_string(), None),
        _ => ErrorData::internal_error(error.message.to_string(), None),
    }
}
