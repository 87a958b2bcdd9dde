//! The window in this process: created on request, gone with its web process when it is closed. Doesn't know what the
//! page shows.

use std::sync::{Mutex, PoisonError};

use commands::RequestedScreen;
use tauri::utils::config::Color;
use tauri::webview::PageLoadEvent;
use tauri::{AppHandle, Emitter, Manager, Runtime, Theme, WebviewUrl, WebviewWindow, WebviewWindowBuilder};

use crate::shared::Shell;
use crate::web_process;

/// The only window; it contains the setup wizard on the first run.
pub(crate) const MAIN: &str = "main";

/// The size of the window on the first start, and the smallest, in logical pixels.
const SIZE: (f64, f64) = (1180.0, 760.0);
const SMALLEST: (f64, f64) = (720.0, 520.0);

/// The page's background in its two themes (`--bg` in `ui/src/styles/tokens.css`).
const LIGHT: (u8, u8, u8) = (248, 250, 252);
const DARK: (u8, u8, u8) = (15, 21, 25);

/// Only one window is created at a time, so that two clicks create one.
static MAKING: Mutex<()> = Mutex::new(());

/// The event that tells the page about another screen. The page then asks for it (`wanted_screen`), because only that
/// reply tells whether a link requested it.
const NAVIGATE: &str = "navigate";

/// The event that tells the page that a number may have changed.
const CHANGED: &str = "changed";

/// Shows the window, at the requested screen if there is one. From any thread.
#[cfg(not(target_os = "linux"))]
pub(super) fn open<R: Runtime>(app: &AppHandle<R>, wanted: Option<RequestedScreen>) {
    let app = app.clone();
    // Creating a window waits for the main thread, which may be the caller.
    std::thread::spawn(move || {
        if let Err(error) = open_now(&app, wanted) {
            log::error!("the window could not be opened: {error}");
        }
    });
}

fn open_now<R: Runtime>(app: &AppHandle<R>, wanted: Option<RequestedScreen>) -> tauri::Result<()> {
    if let Some(wanted) = &wanted {
        let by = if wanted.from_link { ", which a link asked for" } else { "" };
        // Search terms are private.
        let screen = wanted.path.split('?').next().unwrap_or_default();
        log::info!("the window opens at {screen}{by}");
    }
    let shell = app.state::<Shell>();
    let _making = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
    let listening = {
        let mut inner = shell.screen_request.inner();
        #[cfg(not(target_os = "linux"))]
        {
            inner.opened = true;
        }
        if wanted.is_some() {
            inner.wanted = wanted;
        }
        inner.listening
    };
    #[cfg(target_os = "macos")]
    app.set_activation_policy(tauri::ActivationPolicy::Regular)?;
    if let Some(window) = app.get_webview_window(MAIN) {
        show(&window)?;
        let path = shell.screen_request.inner().wanted.as_ref().map(|wanted| wanted.path.clone());
        if let Some(path) = path.filter(|_| listening) {
            window.emit(NAVIGATE, path)?;
        }
        return Ok(());
    }
    #[cfg(target_os = "linux")]
    shell.exit_code.store(0, std::sync::atomic::Ordering::Relaxed);
    let home = shell.service.home();
    let wanted_theme = home::Settings::load(home).unwrap_or_default().desktop.theme;
    let theme = match wanted_theme.as_str() {
        "dark" => Some(Theme::Dark),
        "light" => Some(Theme::Light),
        _ => None,
    };
    let window = WebviewWindowBuilder::new(app, MAIN, WebviewUrl::App("index.html".into()))
        .title("Plimsoll")
        .inner_size(SIZE.0, SIZE.1)
        .min_inner_size(SMALLEST.0, SMALLEST.1)
        // Shown when there is something to see, so that it never flashes.
        .visible(false)
        .theme(theme)
        // If nothing can be stored, the page stores nothing and still opens.
        .incognito(!writable(app))
        .on_navigation(|url| {
            // The page stays Plimsoll's own; other URLs open in the browser.
            matches!(url.scheme(), "tauri") || url.host_str() == Some("tauri.localhost")
        })
        .on_page_load(|window, page| {
            if page.event() == PageLoadEvent::Finished
                && let Err(error) = show(&window)
            {
                log::warn!("the window could not be shown: {error}");
            }
        })
        .build()?;
    let dark = theme.or_else(|| window.theme().ok()) == Some(Theme::Dark);
    // Visible until the page has drawn itself: the same as its own background.
    let (red, green, blue) = if dark { DARK } else { LIGHT };
    window.set_background_color(Some(Color(red, green, blue, 255)))?;
    web_process::watch(&window)
}

/// Whether the web view has a writable folder for its data.
fn writable<R: Runtime>(app: &AppHandle<R>) -> bool {
    app.path().app_local_data_dir().is_ok_and(|dir| std::fs::create_dir_all(&dir).is_ok() && probe(&dir))
}

/// Whether a file can be created in a folder.
fn probe(dir: &std::path::Path) -> bool {
    let path = dir.join(".probe");
    let made = std::fs::write(&path, b"").is_ok();
    let _ = std::fs::remove_file(path);
    made
}

fn show<R: Runtime>(window: &WebviewWindow<R>) -> tauri::Result<()> {
    window.show()?;
    window.unminimize()?;
    window.set_focus()
}

/// Does what the tray asks, and ends with it.
#[cfg(target_os = "linux")]
pub(crate) fn serve<R: Runtime>(app: &AppHandle<R>, tray: &std::os::unix::net::UnixStream) {
    use super::apart::{FAILED, Request};

    super::apart::serve(tray, |request| match request {
        Request::Open(wanted) => {
            if let Err(error) = open_now(app, wanted) {
                log::error!("the window could not be opened: {error}");
                // A process without a window would stay where nobody sees it.
                if app.get_webview_window(MAIN).is_none() {
                    app.exit(FAILED);
                }
            }
        }
        Request::Changed => changed(app),
        Request::Tray(shown) => {
            app.state::<Shell>().in_tray.store(shown, std::sync::atomic::Ordering::Relaxed);
        }
    });
    app.exit(0);
}

/// Handles the closing of the window.
pub(crate) fn closed<R: Runtime>(app: &AppHandle<R>) {
    let shell = app.state::<Shell>();
    shell.screen_request.inner().listening = false;
    #[cfg(not(target_os = "linux"))]
    {
        let resting = app.clone();
        // It waits for a running query.
        std::thread::spawn(move || {
            resting.state::<std::sync::Arc<commands::Router>>().desktop().close_idle()
        });
        // Actions in the window may affect the tray.
        shell.wake_up.now();
    }
    #[cfg(target_os = "macos")]
    if shell.in_tray.load(std::sync::atomic::Ordering::Relaxed) {
        let _ = app.set_activation_policy(tauri::ActivationPolicy::Accessory);
    }
}

/// Ends this process once every command has ended, unless the window is open again by then: closing a window doesn't stop
/// what was started in it. No window is created meanwhile, so that a request is either handled or left to the next process.
#[cfg(target_os = "linux")]
pub(crate) fn end_when_idle<R: Runtime>(app: &AppHandle<R>) {
    let app = app.clone();
    std::thread::spawn(move || {
        while crate::bridge::running() {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        let _making = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
        // Another window may have been opened, used and closed since, which has a wait of its own.
        if app.get_webview_window(MAIN).is_none() && !crate::bridge::running() {
            app.exit(app.state::<Shell>().exit_code.load(std::sync::atomic::Ordering::Relaxed));
            // No window is created from here on; the tray starts another process for it.
            loop {
                std::thread::park();
            }
        }
    });
}

/// Whether no window was created since the start.
#[cfg(not(target_os = "linux"))]
pub(crate) fn never_opened<R: Runtime>(app: &AppHandle<R>) -> bool {
    !app.state::<Shell>().screen_request.inner().opened
}

/// Tells an open window that a number may have changed.
pub(super) fn changed<R: Runtime>(app: &AppHandle<R>) {
    if let Some(window) = app.get_webview_window(MAIN)
        && let Err(error) = window.emit(CHANGED, ())
    {
        log::warn!("the window could not be told of a change: {error}");
    }
}
