//! The handler: protocol requests in, requests to `service` out, bounded text back.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use agents::{Agent, Offer, OutputKind, OutputLimits};
use contract::{Error, ErrorCode, Reply};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, DiscoverResult,
    GetPromptRequestParams, GetPromptResponse, Implementation, InitializeRequestParams, InitializeResult,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ProgressToken, PromptsCapability, ProtocolVersion,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{NotificationContext, Peer, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::json;
use service::{Call, Cancelled, Progress, Service};
use system::System;
use tokio::sync::watch;

use super::sampling::sampling;
use super::{host, tools, values};

/// How often the sign of life is renewed; hooks take it for stale after 90 s.
const BEAT: Duration = Duration::from_secs(30);
/// How long the first call waits for the client to name its folders.
const ROOTS_WAIT: Duration = Duration::from_millis(700);
/// Resources on one page.
const PAGE: usize = 50;

/// The prompts that a client was told of last.
type Known = Mutex<Vec<system::Prompt>>;

/// One session with one client.
pub(crate) struct Server {
    service: Arc<Service>,
    named: Option<&'static dyn Agent>,
    shared: Arc<Shared>,
    listed: OnceLock<Vec<Tool>>,
}

/// What calls, the heartbeat and the end of the process share.
struct Shared {
    /// What the client calls itself, once known.
    client: Mutex<Option<String>>,
    /// The session's id where neither environment nor call names one.
    session: OnceLock<String>,
    /// Folders the client named; `None` until it answered.
    roots: watch::Sender<Roots>,
    beating: AtomicBool,
    overhead_noted: AtomicBool,
    /// The prompts that the client was told of last.
    prompts: Known,
    running: watch::Sender<usize>,
    stop: watch::Sender<bool>,
}

/// The state of the question for the client's folders.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Roots {
    NotAsked,
    Asked,
    Answered(Vec<String>),
}

/// Ends what is running, from outside the handler.
#[derive(Clone)]
pub(crate) struct Stopper(Arc<Shared>);

impl Stopper {
    /// Cancels every call; their children die.
    pub(crate) fn stop(&self) {
        self.0.stop.send_replace(true);
    }

    /// Waits until no call is running.
    pub(crate) async fn idle(&self) {
        let mut running = self.0.running.subscribe();
        let _ = running.wait_for(|running| *running == 0).await;
    }
}

/// Counts a call as running while it lives.
struct Running(Arc<Shared>);

impl Running {
    fn count(shared: &Arc<Shared>) -> Self {
        shared.running.send_modify(|running| *running += 1);
        Self(Arc::clone(shared))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.running.send_modify(|running| *running = running.saturating_sub(1));
    }
}

impl Server {
    pub(crate) fn new(service: Arc<Service>, named: Option<&'static dyn Agent>) -> Self {
        let shared = Shared {
            client: Mutex::new(None),
            session: OnceLock::new(),
            roots: watch::Sender::new(Roots::NotAsked),
            beating: AtomicBool::new(false),
            overhead_noted: AtomicBool::new(false),
            prompts: Known::default(),
            running: watch::Sender::new(0),
            stop: watch::Sender::new(false),
        };
        Self { service, named, shared: Arc::new(shared), listed: OnceLock::new() }
    }

    pub(crate) fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.shared))
    }

    /// Takes note of who is calling; from the handshake, or in the newer era from each request.
    fn meet(&self, client: Option<&str>) {
        let Some(client) = client else { return };
        if let Ok(mut known) = self.shared.client.lock()
            && known.as_deref() != Some(client)
        {
            *known = Some(client.to_owned());
        }
    }

    pub(super) fn agent(&self) -> Option<&'static dyn Agent> {
        let client = self.shared.client.lock().ok().and_then(|client| client.clone());
        host::agent(client.as_deref(), self.named)
    }

    pub(super) fn session(&self) -> String {
        self.shared
            .session
            .get_or_init(|| {
                host::session(self.service.env()).unwrap_or_else(|| {
                    let agent = self.agent().map_or("agent", Agent::id);
                    format!("{agent}-{}-{}", std::process::id(), self.service.now_ms())
                })
            })
            .clone()
    }

    /// The session of a call: the one that it names, else the one that hooks see here now, else the server's.
    async fn session_of(&self, meta: &serde_json::Map<String, serde_json::Value>) -> String {
        if let Some(named) = host::session_of_call(meta) {
            return named;
        }
        let told = host::session(self.service.env());
        let live = match self.agent() {
            Some(agent) => self.service.live_session(agent.id(), told.as_deref()).await,
            None => None,
        };
        live.unwrap_or_else(|| self.session())
    }

    /// Asks an old-era client for its folders, in the background; the answer is there when the first call
    /// needs it.
    fn ask_for_roots(&self, peer: &Peer<RoleServer>) {
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
            service.set_project(&host::project_candidates(&roots, service.env()));
            shared.roots.send_replace(Roots::Answered(roots));
        });
    }

    /// Makes sure that the project is known before a call that needs it.
    pub(super) async fn project_known(&self) {
        let mut roots = self.shared.roots.subscribe();
        if *roots.borrow_and_update() == Roots::Asked {
            let answered = roots.wait_for(|roots| matches!(roots, Roots::Answered(_)));
            let _ = tokio::time::timeout(ROOTS_WAIT, answered).await;
        }
        if !self.service.project_set() {
            self.service.set_project(&host::project_candidates(&[], self.service.env()));
        }
    }

    /// Starts the sign of life, once.
    fn start_beating(&self) {
        if self.shared.beating.swap(true, Ordering::Relaxed) {
            return;
        }
        if !self.service.project_set() {
            self.service.set_project(&host::project_candidates(&[], self.service.env()));
        }
        let (service, agent) = (Arc::clone(&self.service), self.agent());
        // Hooks know the session only by the name that the agent gave it.
        let session = host::session(self.service.env());
        tokio::spawn(async move {
            let mut ticks = tokio::time::interval(BEAT);
            loop {
                ticks.tick().await;
                service.beat(agent.map(Agent::id), session.as_deref());
            }
        });
    }

    /// Resolves when the process is about to end.
    async fn stopping(&self) {
        let mut stop = self.shared.stop.subscribe();
        let _ = stop.wait_for(|stop| *stop).await;
    }

    pub(crate) fn tools(&self) -> &[Tool] {
        self.listed.get_or_init(|| {
            if self.is_duplicate() {
                // The agent is connected too: its own entry lists the tools.
                return Vec::new();
            }
            let (offer, full) = (self.offer(), self.service.settings().mcp.surface == "full");
            tools::list(&self.systems(), |tool| offer.lists(tool), full)
        })
    }

    /// The systems whose tools can be called.
    pub(super) fn systems(&self) -> Vec<&'static System> {
        let mcp = &self.service.settings().mcp;
        self.service.systems_on().filter(|system| mcp.lists(system.id)).collect()
    }

    /// The prompts that the client was told of last.
    pub(super) fn prompts_told(&self) -> &Known {
        &self.shared.prompts
    }

    /// The process, as systems see it.
    pub(super) fn host(&self) -> Arc<dyn system::Host> {
        Arc::clone(&self.service) as _
    }

    /// Why a tool cannot be called although there is one of that name.
    fn is_off(&self, tool: &str) -> Option<String> {
        let system = self.service.systems().iter().find(|system| system.tool(tool).is_some())?;
        let (id, settings) = (system.id, self.service.settings());
        if !settings.mcp.lists(id) {
            return Some(format!(
                "the toolset {id} is switched off; turn it on with toolsets = [\"{id}\"] under [mcp] in settings.toml"
            ));
        }
        let switch = system.switch.filter(|_| !system.is_on(settings))?;
        let (table, key) = switch.key.split_once('.')?;
        Some(format!("{id} is switched off; turn it on with {key} = true under [{table}] in settings.toml"))
    }

    /// What is offered to whoever is on the other end.
    pub(super) fn offer(&self) -> Offer {
        self.agent().map_or(Offer::UNCOUNTED, Agent::offer).with_setting(&self.service.settings().mcp.tools)
    }

    /// How much of a list whoever is on the other end can show its model whole.
    fn page_bytes(&self) -> usize {
        self.agent()
            .map_or(OutputLimits::UNMEASURED, |agent| agent.output_limits(OutputKind::Tool))
            .full_bytes()
    }

    /// Whether a plugin started us beside an entry of the agent's own.
    fn is_duplicate(&self) -> bool {
        let root = self.service.env().cwd();
        self.agent().is_some_and(|agent| {
            agents::plugin::is_duplicate(agent, self.service.env(), Some(root), agents::Role::Mcp)
        })
    }

    async fn answer(
        &self,
        params: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<Reply, Error> {
        if let Some(why) = self.is_off(&params.name) {
            return Err(Error::new(ErrorCode::UnknownTool, why));
        }
        let (tool, job) = system::named(&self.systems(), &params.name, params.arguments.unwrap_or_default())?;
        self.project_known().await;
        let (cancel, cancelled) = Cancelled::pair();
        let call = Call {
            agent: self.agent(),
            session: self.session_of(&context.meta).await,
            cancelled,
            progress: progress(context),
            sampling: sampling(&context.peer),
        };
        let service = Arc::clone(&self.service);
        let counted = Running::count(&self.shared);
        // A task of its own, so that a defect in one call is an error of that call and not a request that is
        // never answered.
        let mut work = tokio::spawn(async move {
            let _counted = counted;
            service.carry_out(call, tool, job).await
        });
        let finished = tokio::select! {
            finished = &mut work => Some(finished),
            () = context.ct.cancelled() => None,
            () = self.stopping() => None,
        };
        let finished = match finished {
            Some(finished) => finished,
            None => {
                cancel.cancel();
                work.await
            }
        };
        finished.unwrap_or_else(|defect| {
            log::error!("a call ended in a defect: {defect}");
            Err(Error::new(
                ErrorCode::Internal,
                "a defect in Plimsoll ended this call; nothing was stored by it",
            ))
        })
    }
}

/// The folders a client names; none when it does not answer.
#[expect(deprecated, reason = "old-era clients have no other way to say where they work")]
async fn roots_of(peer: &Peer<RoleServer>) -> Vec<String> {
    match tokio::time::timeout(Duration::from_secs(10), peer.list_roots()).await {
        Ok(Ok(answer)) => answer.roots.into_iter().map(|root| root.uri).collect(),
        _ => Vec::new(),
    }
}

/// Sends progress when the client asked for it.
fn progress(context: &RequestContext<RoleServer>) -> Progress {
    let Some(token) = context.meta.get_progress_token() else { return Progress::none() };
    let peer = context.peer.clone();
    let sent = AtomicUsize::new(0);
    Progress::new(move |done, total, message: &str| {
        // Progress must grow; a step that stands still counts as a small one.
        let step = sent.fetch_add(1, Ordering::Relaxed);
        report(&peer, token.clone(), done.unwrap_or(step as f64), total, message);
    })
}

fn report(peer: &Peer<RoleServer>, token: ProgressToken, done: f64, total: Option<f64>, message: &str) {
    let mut param = ProgressNotificationParam::new(token, done).with_message(message);
    param.total = total;
    let peer = peer.clone();
    tokio::spawn(async move {
        if let Err(error) = peer.notify_progress(param).await {
            log::debug!("progress was not sent: {error}");
        }
    });
}

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
        // What is declared depends on who asks.
        self.meet(Some(&request.client_info.name));
        context.peer.set_peer_info(request.clone());
        self.negotiate_initialize(&request)
    }

    async fn discover(&self, context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        self.meet(context.client_info().map(|client| client.name).as_deref());
        let mut info = self.get_info();
        // Without a session nobody listens: whoever wants the prompts lists them again.
        if let Some(prompts) = &mut info.capabilities.prompts {
            prompts.list_changed = None;
        }
        Ok(DiscoverResult::from_server_info(self.supported_protocol_versions().into_owned(), info))
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        if let Some(info) = context.peer.peer_info() {
            self.meet(Some(&info.client_info.name));
        }
        self.ask_for_roots(&context.peer);
        self.start_beating();
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        self.ask_for_roots(&context.peer);
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.meet(context.client_info().map(|client| client.name).as_deref());
        self.start_beating();
        let tools = self.tools();
        if !self.shared.overhead_noted.swap(true, Ordering::Relaxed) {
            let bytes = serde_json::to_vec(tools).map_or(0, |json| json.len() as u64);
            self.service.note_overhead(self.agent().map(Agent::id), &self.session(), bytes);
        }
        Ok(ListToolsResult::with_all_items(tools.to_vec()))
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.meet(context.client_info().map(|client| client.name).as_deref());
        self.start_beating();
        let prompts_may_change = self
            .systems()
            .iter()
            .any(|system| system.prompts.is_some() && system.tool(&params.name).is_some());
        let (text, failed) = match self.answer(params, &context).await {
            Ok(reply) => (reply.text, reply.failed),
            Err(error) => (error.to_string(), true),
        };
        if prompts_may_change {
            self.tell_of_prompts(&context.peer).await;
        }
        let takes_apart = self.agent().is_some_and(Agent::parses_json_results);
        let text = if takes_apart { values::kept_together(text) } else { text };
        let content = vec![ContentBlock::text(text)];
        let result = if failed { CallToolResult::error(content) } else { CallToolResult::success(content) };
        Ok(result.into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(self.listed_prompts().await))
    }

    async fn get_prompt(
        &self,
        params: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        Ok(self.filled(params).await?.into())
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
        self.project_known().await;
        // Some clients give a server up that answers a list with an error, tools and all.
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
        Ok(ListResourceTemplatesResult::with_all_items(vec![
            template("plimsoll://source/{id}", "source", "A stored text or output"),
            template("plimsoll://task/{id}", "task", "The output of a background task"),
        ]))
    }

    async fn read_resource(
        &self,
        params: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.project_known().await;
        let text = self.service.read_resource(&params.uri).await.map_err(|error| {
            let mut error = protocol_error(error);
            // The protocol wants the address back in the error.
            error.data = Some(json!({"uri": params.uri}));
            error
        })?;
        Ok(ReadResourceResult::new(vec![ResourceContents::text(text, params.uri)]).into())
    }
}

fn protocol_error(error: Error) -> ErrorData {
    match error.code {
        ErrorCode::NotFound => ErrorData::resource_not_found(error.message.to_string(), None),
        ErrorCode::InvalidArgument => ErrorData::invalid_params(error.message.to_string(), None),
        _ => ErrorData::internal_error(error.message.to_string(), None),
    }
}
