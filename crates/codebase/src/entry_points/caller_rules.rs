//! What the caller may read. On a thread that may wait.

use std::sync::Arc;

use contract::Error;
use system::{CallContext, Readable};

/// The caller's read rules.
///
/// # Errors
/// When they can't be seen.
pub(super) fn readable(at: &CallContext) -> Result<Readable, Error> {
    tokio::runtime::Handle::current().block_on(Arc::clone(&at.host).readable(at.call.clone()))
}
