//! Handles the end of the page's own process, caused by a bug in the web view or by too little memory. The page is
//! reloaded at the same screen; if it ends again at once, the window closes instead of retrying forever. Its process then
//! ends as failed, and the tray's process tells the user. Only the page is lost.

use tauri::{Runtime, WebviewWindow};

/// A page that ends twice within this time isn't loaded a third time.
#[cfg(target_os = "linux")]
const RETRY_WITHIN: std::time::Duration = std::time::Duration::from_secs(20);

/// Watches the page's process. macOS reloads the page on its own, and Windows shows its own page.
#[cfg(target_os = "linux")]
pub(crate) fn watch<R: Runtime>(window: &WebviewWindow<R>) -> tauri::Result<()> {
    use std::cell::Cell;
    use std::time::Instant;

    use tauri::Manager;
    use webkit2gtk::WebViewExt;

    let ours = window.clone();
    window.with_webview(move |view| {
        let last = Cell::new(None::<Instant>);
        view.inner().connect_web_process_terminated(move |view, reason| {
            log::error!("the page's process ended: {reason:?}");
            if last.replace(Some(Instant::now())).is_some_and(|last| last.elapsed() < RETRY_WITHIN) {
                let shell = ours.state::<crate::shared::Shell>();
                shell.exit_code.store(crate::windows::apart::FAILED, std::sync::atomic::Ordering::Relaxed);
                // Not from here: this is the callback of the view that is about to close.
                let ours = ours.clone();
                std::thread::spawn(move || {
                    if let Err(error) = ours.destroy() {
                        log::error!("the window could not be closed: {error}");
                    }
                });
            } else {
                view.reload();
            }
        });
    })
}

#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "on Linux it can fail")]
pub(crate) fn watch<R: Runtime>(_window: &WebviewWindow<R>) -> tauri::Result<()> {
    Ok(())
}
