//! The window: made when it is asked for, gone with its web process when it is closed. Does not know
//! what the page shows.

use std::sync::{Arc, Mutex, PoisonError};

use commands::{Router, Wanted};
use tauri::utils::config::Color;
use tauri::webview::PageLoadEvent;
use tauri::{AppHandle, Emitter, Manager, Runtime, Theme, WebviewUrl, WebviewWindow, WebviewWindowBuilder};

use crate::shared::Shell;
use crate::web_process;

/// The one window; it holds the wizard at the first run.
pub(crate) const MAIN: &str = "main";

/// Size of the window at the first start, and the smallest, in logical pixels.
const SIZE: (f64, f64) = (1180.0, 760.0);
const SMALLEST: (f64, f64) = (720.0, 520.0);

/// The page's background in its two themes (`--bg` in `ui/src/styles/tokens.css`).
const LIGHT: (u8, u8, u8) = (248, 250, 252);
const DARK: (u8, u8, u8) = (15, 21, 25);

/// One window is made at a time, so that two clicks make one.
static MAKING: Mutex<()> = Mutex::new(());

/// The page is told of another screen by this event. It then asks for it (`wanted_screen`), because only the
/// answer says whether a link asked.
const NAVIGATE: &str = "navigate";

/// The page is told by this event that a number may have changed.
const CHANGED: &str = "changed";

/// Shows the window, at this screen if one is wanted. From any thread.
pub(crate) fn open<R: Runtime>(app: &AppHandle<R>, wanted: Option<Wanted>) {
    let app = app.clone();
    // Making a window waits for the main thread, which may be the one that calls.
    std::thread::spawn(move || {
        if let Err(error) = open_now(&app, wanted) {
            log::error!("the window could not be opened: {error}");
        }
    });
}

fn open_now<R: Runtime>(app: &AppHandle<R>, wanted: Option<Wanted>) -> tauri::Result<()> {
    if let Some(wanted) = &wanted {
        let by = if wanted.from_link { ", which a link asked for" } else { "" };
        // What is searched for is nobody's business.
        let screen = wanted.path.split('?').next().unwrap_or_default();
        log::info!("the window opens at {screen}{by}");
    }
    let shell = app.state::<Shell>();
    let _making = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
    let listening = {
        let mut inner = shell.asked.inner();
        inner.opened = true;
        if wanted.is_some() {
            inner.wanted = wanted;
        }
        inner.listening
    };
    #[cfg(target_os = "macos")]
    app.set_activation_policy(tauri::ActivationPolicy::Regular)?;
    if let Some(window) = app.get_webview_window(MAIN) {
        show(&window)?;
        let path = shell.asked.inner().wanted.as_ref().map(|wanted| wanted.path.clone());
        if let Some(path) = path.filter(|_| listening) {
            window.emit(NAVIGATE, path)?;
        }
        return Ok(());
    }
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
        // Where nothing can be kept, the page keeps nothing and still opens.
        .incognito(!writable(app))
        .on_navigation(|url| {
            // The page is ours and stays ours; addresses of others open in the browser.
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
    // What is seen until the page has drawn itself: the same as its own background.
    let (red, green, blue) = if dark { DARK } else { LIGHT };
    window.set_background_color(Some(Color(red, green, blue, 255)))?;
    web_process::watch(&window)
}

/// Whether the web view has a place for its data.
fn writable<R: Runtime>(app: &AppHandle<R>) -> bool {
    app.path().app_local_data_dir().is_ok_and(|dir| std::fs::create_dir_all(&dir).is_ok() && probe(&dir))
}

/// Whether a file can be made in a folder.
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

/// The window is gone.
pub(crate) fn closed<R: Runtime>(app: &AppHandle<R>) {
    let shell = app.state::<Shell>();
    shell.asked.inner().listening = false;
    let resting = app.clone();
    // It waits for a question that is under way.
    std::thread::spawn(move || resting.state::<Arc<Router>>().desktop().rest());
    // What was done in the window may have changed what the tray says.
    shell.poke.now();
    #[cfg(target_os = "linux")]
    {
        let app = app.clone();
        std::thread::spawn(move || {
            web_process::leave_nothing(|| {
                let _making = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
                app.get_webview_window(MAIN).is_none()
            });
        });
    }
    #[cfg(target_os = "macos")]
    if shell.in_tray.load(std::sync::atomic::Ordering::Relaxed) {
        let _ = app.set_activation_policy(tauri::ActivationPolicy::Accessory);
    }
}

/// Whether no window was made since the start.
pub(crate) fn never_opened<R: Runtime>(app: &AppHandle<R>) -> bool {
    !app.state::<Shell>().asked.inner().opened
}

/// Tells an open window that a number may have changed.
pub(crate) fn changed<R: Runtime>(app: &AppHandle<R>) {
    if let Some(window) = app.get_webview_window(MAIN)
        && let Err(error) = window.emit(CHANGED, ())
    {
        log::warn!("the window could not be told of a change: {error}");
    }
}
