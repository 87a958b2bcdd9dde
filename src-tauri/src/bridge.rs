//! The page's only entry point: a command by name with its arguments, passed to the router, and its reply. Doesn't
//! know any command; the list is `commands::COMMANDS`.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use commands::Router;
use serde_json::Value;
use tauri::State;

/// The commands that run.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// Counts a command while it runs.
struct Running;

impl Running {
    fn start() -> Self {
        RUNNING.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Whether a command runs. One goes on after its window was closed.
#[cfg(target_os = "linux")]
pub(crate) fn running() -> bool {
    RUNNING.load(Ordering::SeqCst) > 0
}

/// Runs a command for the page.
#[tauri::command]
pub(crate) async fn call(
    router: State<'_, Arc<Router>>,
    name: String,
    args: Option<Value>,
) -> Result<Value, contract::Error> {
    let _running = Running::start();
    let router = Arc::clone(&router);
    router.call(&name, args.unwrap_or_else(|| Value::Object(serde_json::Map::new()))).await
}
