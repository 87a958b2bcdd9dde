//! A request to stop a run early. Any future can be one, so callers with their own cancellation tokens need no adapter.

use std::fmt;
use std::future::{Future, pending};
use std::pin::Pin;

use tokio::sync::oneshot;

/// Resolves when the run should stop. Made from any future, or from a [`CancelHandle`].
pub struct Cancel(Pin<Box<dyn Future<Output = ()> + Send>>);

/// Cancels the run that received the other half. Dropping it cancels nothing.
#[derive(Debug)]
pub struct CancelHandle(oneshot::Sender<()>);

impl Cancel {
    /// Never asks to stop.
    pub fn never() -> Cancel {
        Cancel(Box::pin(pending()))
    }

    /// Asks to stop when `future` resolves, such as a token's `cancelled_owned()`.
    pub fn when(future: impl Future<Output = ()> + Send + 'static) -> Cancel {
        Cancel(Box::pin(future))
    }

    /// A handle and the request it fires.
    pub fn pair() -> (CancelHandle, Cancel) {
        let (sender, receiver) = oneshot::channel();
        let cancel = Cancel::when(async move {
            if receiver.await.is_err() {
                pending::<()>().await;
            }
        });
        (CancelHandle(sender), cancel)
    }

    /// Waits for the request.
    pub(crate) async fn requested(&mut self) {
        self.0.as_mut().await;
    }
}

impl CancelHandle {
    /// Asks the run to stop.
    pub fn cancel(self) {
        // The run may be over already; then no one is listening.
        let _ = self.0.send(());
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cancel")
    }
}
