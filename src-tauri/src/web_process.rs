//! The page runs in a process of its own, which can end by itself: a defect of the web view, or too little
//! memory. The page is then loaded anew at the same screen; if that ends at once again, the window closes and
//! says so, rather than trying for ever. Nothing but the page is lost.

use tauri::{Runtime, WebviewWindow};

/// A page that ends twice within this time is not loaded a third time.
#[cfg(target_os = "linux")]
const AGAIN: std::time::Duration = std::time::Duration::from_secs(20);

/// Watches the page's process. macOS loads the page anew by itself, and Windows shows its own page.
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
            if last.replace(Some(Instant::now())).is_some_and(|last| last.elapsed() < AGAIN) {
                let app = ours.app_handle();
                crate::updates::tell(app, "Plimsoll", crate::tray::texts(app).get("tray.page.ended"));
                // Not from here: this is the view that is to go, in the midst of telling us.
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
