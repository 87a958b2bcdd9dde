//! Finds a command by name, among a system's own or in the list, and runs it.

use std::sync::Arc;

use contract::{Error, ErrorCode};
use serde_json::Value;
use system::{Call, CallContext};

use crate::{Router, messages, table};

impl Router {
    /// Runs a command.
    ///
    /// # Errors
    /// If there is no such command, its arguments are invalid, or it fails; the message names the remedy.
    pub async fn call(self: &Arc<Self>, name: &str, args: Value) -> Result<Value, Error> {
        let service = self.desktop.service();
        let mut commands = service.systems_now().into_iter().flat_map(|system| system.commands);
        if let Some(command) = commands.find(|command| command.name == name) {
            let at = CallContext { host: Arc::clone(service) as _, call: Call::from_user() };
            return command.run(at, args).await;
        }
        table::dispatch(self, name, args)
            .await
            .unwrap_or_else(|| Err(Error::new(ErrorCode::UnknownTool, messages::no_such_command(name))))
    }
}
