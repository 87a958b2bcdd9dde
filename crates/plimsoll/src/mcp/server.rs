//! One session with one client: who the client is, what it is offered, and the heartbeat. Doesn't know the protocol's
//! requests ([`handler`](super::handler)) or how a call runs ([`calls`](super::calls)).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use agents::{Agent, Offer, OutputKind, OutputLimits};
use rmcp::model::Tool;
use service::Service;
use system::System;
use tokio::sync::watch;

use super::{client, tools};

/// How often the heartbeat is written; hooks take one for stale after 90 s.
const HEARTBEAT: Duration = Duration::from_secs(30);

/// A list of prompts as the client knows it.
pub(super) type KnownPrompts = Mutex<Vec<system::Prompt>>;

/// One session with one client.
pub(crate) struct Server {
    pub(super) service: Arc<Service>,
    /// The agent that the command line names.
    named: Option<&'static dyn Agent>,
    pub(super) shared: Arc<Shared>,
    tools: OnceLock<Vec<Tool>>,
}

/// The state shared by calls, background tasks and the end of the process.
pub(super) struct Shared {
    /// The name that the client gives itself, once known.
    client: Mutex<Option<String>>,
    /// The session ID, if neither the environment nor a call names one.
    session: OnceLock<String>,
    pub(super) roots: watch::Sender<Roots>,
    heartbeat_started: AtomicBool,
    pub(super) tool_list_recorded: AtomicBool,
    /// The prompts that the client knows.
    prompts: KnownPrompts,
    /// The number of running calls.
    pub(super) running: watch::Sender<usize>,
    pub(super) stop: watch::Sender<bool>,
}

/// The folders that the client names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Roots {
    NotAsked,
    Asked,
    Answered(Vec<String>),
}

impl Server {
    pub(crate) fn new(service: Arc<Service>, named: Option<&'static dyn Agent>) -> Self {
        let shared = Shared {
            client: Mutex::new(None),
            session: OnceLock::new(),
            roots: watch::Sender::new(Roots::NotAsked),
            heartbeat_started: AtomicBool::new(false),
            tool_list_recorded: AtomicBool::new(false),
            prompts: KnownPrompts::default(),
            running: watch::Sender::new(0),
            stop: watch::Sender::new(false),
        };
        Self { service, named, shared: Arc::new(shared), tools: OnceLock::new() }
    }

    /// Records the client's name, from the handshake or, in the newer era, from each request.
    pub(super) fn set_client(&self, name: Option<&str>) {
        let Some(name) = name else { return };
        if let Ok(mut client) = self.shared.client.lock()
            && client.as_deref() != Some(name)
        {
            *client = Some(name.to_owned());
        }
    }

    pub(super) fn agent(&self) -> Option<&'static dyn Agent> {
        let name = self.shared.client.lock().ok().and_then(|name| name.clone());
        client::agent(name.as_deref(), self.named)
    }

    pub(super) fn session(&self) -> String {
        self.shared
            .session
            .get_or_init(|| {
                client::session(self.service.env()).unwrap_or_else(|| {
                    let agent = self.agent().map_or("agent", Agent::id);
                    format!("{agent}-{}-{}", std::process::id(), self.service.now_ms())
                })
            })
            .clone()
    }

    /// Chooses the project without the client's folders, unless one is chosen.
    pub(super) fn choose_default_project(&self) {
        if !self.service.project_set() {
            self.service.set_project(&client::project_candidates(&[], self.service.env()));
        }
    }

    /// Starts the heartbeat, once.
    pub(super) fn start_heartbeat(&self) {
        if self.shared.heartbeat_started.swap(true, Ordering::Relaxed) {
            return;
        }
        self.choose_default_project();
        let (service, agent) = (Arc::clone(&self.service), self.agent());
        // Hooks know the session only by the ID that the agent gave it.
        let session = client::session(self.service.env());
        tokio::spawn(async move {
            let mut ticks = tokio::time::interval(HEARTBEAT);
            loop {
                ticks.tick().await;
                service.write_heartbeat(agent.map(Agent::id), session.as_deref());
            }
        });
    }

    pub(crate) fn tools(&self) -> &[Tool] {
        self.tools.get_or_init(|| {
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
        self.service.callable_systems()
    }

    /// The prompts that the client knows.
    pub(super) fn known_prompts(&self) -> &KnownPrompts {
        &self.shared.prompts
    }

    /// The process, as systems see it.
    pub(super) fn host(&self) -> Arc<dyn system::Host> {
        Arc::clone(&self.service) as _
    }

    /// What this client is offered.
    pub(super) fn offer(&self) -> Offer {
        self.agent().map_or(Offer::UNCOUNTED, Agent::offer).with_setting(&self.service.settings().mcp.tools)
    }

    /// The size of a list that the client shows its model in full, in bytes.
    pub(super) fn page_bytes(&self) -> usize {
        self.agent()
            .map_or(OutputLimits::UNMEASURED, |agent| agent.output_limits(OutputKind::Tool))
            .full_bytes()
    }

    /// Whether a plugin started this server although the agent has its own entry.
    fn is_duplicate(&self) -> bool {
        let root = self.service.env().cwd();
        self.agent().is_some_and(|agent| {
            agents::plugin::is_duplicate(agent, self.service.env(), Some(root), agents::Role::Mcp)
        })
    }
}
