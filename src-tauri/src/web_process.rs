//! Handles the end of the page's own process, caused by a bug in the web view or by too little memory. The page is
//! reloaded at the same screen; if it ends again at once, the window closes with a message instead of retrying
//! forever. Only the page is lost.

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
                let app = ours.app_handle();
                crate::texts::tell(app, "Plimsoll", crate::texts::texts(app).get("tray.page.ended"));
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

/// Ends the web view's helper processes once no window is open, which frees their memory. The loading helper would
/// otherwise run as long as the program; the next window starts a new one.
#[cfg(target_os = "linux")]
pub(crate) fn end_helpers(still_closed: impl Fn() -> bool) {
    use std::time::Duration;

    // The page's own process ends shortly after its window.
    const CHECKS: u32 = 20;
    for _ in 0..CHECKS {
        std::thread::sleep(Duration::from_millis(250));
        let left = helpers();
        if left.is_empty() {
            break;
        }
        for pid in left {
            if !still_closed() {
                return;
            }
            if let Err(error) = rustix::process::kill_process(pid, rustix::process::Signal::TERM) {
                log::info!("a helper of the web view stays: {error}");
            }
        }
    }
}

/// The web view's helpers that this process started.
#[cfg(target_os = "linux")]
fn helpers() -> Vec<rustix::process::Pid> {
    let us = std::process::id();
    let of = |entry: std::fs::DirEntry| {
        let pid = entry.file_name().to_str()?.parse::<i32>().ok()?;
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        is_helper(&stat, us).then(|| rustix::process::Pid::from_raw(pid)).flatten()
    };
    std::fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(of).collect()
}

/// Whether a line of `/proc/<pid>/stat` is that of a web view's helper whose parent is `us` and that is alive.
#[cfg(target_os = "linux")]
fn is_helper(stat: &str, us: u32) -> bool {
    let named = |(name, rest): (&str, &str)| {
        let mut rest = rest.split_whitespace();
        let (state, parent) = (rest.next(), rest.next().and_then(|parent| parent.parse::<u32>().ok()));
        name.contains("(WebKit") && state != Some("Z") && parent == Some(us)
    };
    // A name may contain anything, so it ends at the last bracket.
    stat.rsplit_once(')').is_some_and(named)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::is_helper;

    #[test]
    fn only_running_helpers_of_the_app_are_ended() {
        assert!(is_helper("812 (WebKitNetworkPr) S 800 800 1 0 -1", 800));
        assert!(is_helper("813 (WebKit ) (x) R 800 800 1", 800));
        for not in [
            "812 (WebKitNetworkPr) S 801 800 1 0 -1",
            "812 (WebKitNetworkPr) Z 800 800 1 0 -1",
            "812 (plimsoll) S 800 800 1 0 -1",
            "",
            "812 (WebKit",
        ] {
            assert!(!is_helper(not, 800), "{not}");
        }
    }
}
