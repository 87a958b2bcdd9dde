//! The state shared by everything in this program: the operations, the requested screen, and the tray's wake-up
//! signal.

use std::sync::atomic::AtomicBool;
#[cfg(target_os = "linux")]
use std::sync::atomic::AtomicI32;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use commands::RequestedScreen;
use service::Service;

/// The shared state.
pub(crate) struct Shell {
    /// The operations.
    pub(crate) service: Arc<Service>,
    /// The screen requested from outside.
    pub(crate) screen_request: ScreenRequest,
    /// The window's own process; `None` in that process.
    #[cfg(target_os = "linux")]
    pub(crate) apart: Option<crate::windows::apart::Apart>,
    /// The exit code of the window's process once its window is closed.
    #[cfg(target_os = "linux")]
    pub(crate) exit_code: AtomicI32,
    /// Whether a tray shows the icon.
    pub(crate) in_tray: AtomicBool,
    /// Wakes the tray's watcher.
    pub(crate) wake_up: WakeUp,
}

/// The screen requested from outside.
#[derive(Default)]
pub(crate) struct ScreenRequest(Mutex<Inner>);

#[derive(Default)]
pub(crate) struct Inner {
    /// The screen.
    pub(crate) wanted: Option<RequestedScreen>,
    /// Whether the page in the window has asked once, so that it listens.
    pub(crate) listening: bool,
    /// Whether a window was ever opened.
    #[cfg(not(target_os = "linux"))]
    pub(crate) opened: bool,
}

impl ScreenRequest {
    /// Locks the inner state.
    pub(crate) fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The requested screen, returned once.
    pub(crate) fn take(&self) -> Option<RequestedScreen> {
        let mut inner = self.inner();
        inner.listening = true;
        inner.wanted.take()
    }
}

/// Wakes the tray's watcher.
pub(crate) struct WakeUp(Sender<()>);

impl WakeUp {
    /// Wakes it now.
    pub(crate) fn now(&self) {
        // Without a watcher there is nothing to update.
        let _ = self.0.send(());
    }
}

/// A wake-up signal and its receiver.
pub(crate) fn wake_up() -> (WakeUp, Receiver<()>) {
    let (sender, receiver) = channel();
    (WakeUp(sender), receiver)
}
