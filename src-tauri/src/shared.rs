//! What everything in this program shares: the operations, the screen that was asked for from outside, the tray's bell.

use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use commands::Wanted;
use service::Service;

/// What everything in this program shares.
pub(crate) struct Shell {
    /// The operations.
    pub(crate) service: Arc<Service>,
    /// The screen that was asked for from outside.
    pub(crate) asked: Asked,
    /// Whether a tray shows the icon.
    pub(crate) in_tray: AtomicBool,
    /// Wakes the tray's watcher.
    pub(crate) poke: Poke,
}

/// The screen that was asked for from outside.
#[derive(Default)]
pub(crate) struct Asked(Mutex<Inner>);

#[derive(Default)]
pub(crate) struct Inner {
    /// The screen.
    pub(crate) wanted: Option<Wanted>,
    /// The page in the window has asked once, so it listens.
    pub(crate) listening: bool,
    /// A window was made at some time.
    pub(crate) opened: bool,
}

impl Asked {
    /// All of it.
    pub(crate) fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was asked for, told once.
    pub(crate) fn take(&self) -> Option<Wanted> {
        let mut inner = self.inner();
        inner.listening = true;
        inner.wanted.take()
    }
}

/// Wakes the tray's watcher.
pub(crate) struct Poke(Sender<()>);

impl Poke {
    /// Look now.
    pub(crate) fn now(&self) {
        // Without a watcher there is nothing to bring up to date.
        let _ = self.0.send(());
    }
}

/// A way to wake the watcher, and its other end.
pub(crate) fn poke() -> (Poke, Receiver<()>) {
    let (sender, receiver) = channel();
    (Poke(sender), receiver)
}
