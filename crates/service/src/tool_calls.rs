//! Which tools can be called, and calls from one system's tool to another's. Doesn't run a client's calls: those have
//! their own row in the ledger.

use std::sync::Arc;

use contract::{Error, ErrorCode, Reply};
use serde_json::{Map, Value};
use system::{Call, CallContext, Host, System};

use crate::Service;

impl Service {
    /// Whether a system has a tool of this name, by its own name or an older one, switched on or off.
    pub fn has_tool(&self, name: &str) -> bool {
        self.systems().iter().any(|system| system.tool(name).is_some())
    }

    /// The systems that are on and whose toolset is listed.
    pub fn callable_systems(&self) -> Vec<&'static System> {
        let mcp = &self.settings().mcp;
        self.systems_on().filter(|system| mcp.lists(system.id)).collect()
    }

    /// Why an existing tool can't be called.
    pub fn disabled_reason(&self, tool: &str) -> Option<String> {
        let system = self.systems().iter().find(|system| system.tool(tool).is_some())?;
        let (id, settings) = (system.id, self.settings());
        if !settings.mcp.lists(id) {
            return Some(format!(
                "the toolset {id} is switched off; turn it on with toolsets = [\"{id}\"] under [mcp] in settings.toml"
            ));
        }
        let switch = system.switch.filter(|_| !system.is_on(settings))?;
        let (table, key) = switch.key.split_once('.')?;
        Some(format!("{id} is switched off; turn it on with {key} = true under [{table}] in settings.toml"))
    }

    /// Runs a tool within the call of another one, and is part of that call's row in the ledger.
    ///
    /// # Errors
    /// If no tool has this name or it's switched off, and the tool's own errors.
    pub(crate) async fn run_inner_tool(
        self: Arc<Self>,
        call: Call,
        name: &str,
        arguments: Map<String, Value>,
    ) -> Result<Reply, Error> {
        if let Some(why) = self.disabled_reason(name) {
            return Err(Error::new(ErrorCode::UnknownTool, why));
        }
        let (_, job) = system::find_tool(&self.callable_systems(), name, arguments)?;
        let host: Arc<dyn Host> = self;
        job(CallContext { host, call }).await
    }
}
