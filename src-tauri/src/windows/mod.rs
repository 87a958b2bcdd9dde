//! The window, wherever it is. On Linux it is a process of its own ([`apart`]), because the web view keeps most of its
//! memory until its process ends; on Windows and macOS, where that memory is in other processes anyway, it is in this one
//! ([`here`]).

#[cfg(target_os = "linux")]
pub(crate) mod apart;
pub(crate) mod here;

use commands::RequestedScreen;
use tauri::{AppHandle, Manager, Runtime};

use crate::shared::Shell;

/// Shows the window, at the requested screen if there is one. From any thread.
pub(crate) fn open<R: Runtime>(app: &AppHandle<R>, wanted: Option<RequestedScreen>) {
    #[cfg(target_os = "linux")]
    if let Some(apart) = &app.state::<Shell>().apart {
        apart.open(wanted);
    }
    #[cfg(not(target_os = "linux"))]
    here::open(app, wanted);
}

/// Tells an open window that a number may have changed.
pub(crate) fn changed<R: Runtime>(app: &AppHandle<R>) {
    #[cfg(target_os = "linux")]
    if let Some(apart) = &app.state::<Shell>().apart {
        apart.changed();
    }
    #[cfg(not(target_os = "linux"))]
    here::changed(app);
}

/// Tells an open window whether the tray shows the icon now.
pub(crate) fn tray_shows<R: Runtime>(app: &AppHandle<R>, shown: bool) {
    let shell = app.state::<Shell>();
    shell.in_tray.store(shown, std::sync::atomic::Ordering::Relaxed);
    #[cfg(target_os = "linux")]
    if let Some(apart) = &shell.apart {
        apart.tray_shows(shown);
    }
}
