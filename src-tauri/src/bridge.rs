//! The page's only entry point: a command by name with its arguments, passed to the router, and its reply. Doesn't
//! know any command; the list is `commands::COMMANDS`.

use std::sync::Arc;

use commands::Router;
use serde_json::Value;
use tauri::State;

/// Runs a command for the page.
#[tauri::command]
pub(crate) async fn call(
    router: State<'_, Arc<Router>>,
    name: String,
    args: Option<Value>,
) -> Result<Value, contract::Error> {
    let router = Arc::clone(&router);
    router.call(&name, args.unwrap_or_else(|| Value::Object(serde_json::Map::new()))).await
}
