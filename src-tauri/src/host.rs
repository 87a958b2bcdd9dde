//! The desktop's features for the router: dialogs, folders, the browser, starting at login. Doesn't know the commands
//! that use them.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use commands::{Host, RequestedScreen};
use contract::desktop::PickWhat;
use tauri::{AppHandle, Manager, Runtime};
use tauri_plugin_autostart::ManagerExt;
use tauri_plugin_dialog::DialogExt;
use tauri_plugin_opener::OpenerExt;

use crate::shared::Shell;
use crate::{crash, sidecar, texts, updates, windows};

/// The desktop around the window.
pub(crate) struct Desktop<R: Runtime> {
    app: AppHandle<R>,
    /// Whether an update had replaced this program's file before this process started.
    #[cfg(target_os = "linux")]
    replaced: bool,
}

impl<R: Runtime> Desktop<R> {
    pub(crate) fn new(app: AppHandle<R>) -> Self {
        Self {
            app,
            #[cfg(target_os = "linux")]
            replaced: windows::apart::replaced(),
        }
    }
}

impl<R: Runtime> Host for Desktop<R> {
    fn kind(&self) -> &'static str {
        "desktop"
    }

    fn pick(&self, what: &PickWhat) -> Option<PathBuf> {
        let mut dialog = self.app.dialog().file();
        if let Some(window) = self.app.get_webview_window(windows::here::MAIN) {
            dialog = dialog.set_parent(&window);
        }
        let picked = match what {
            PickWhat::File => dialog.blocking_pick_file(),
            PickWhat::Folder => dialog.blocking_pick_folder(),
            PickWhat::Save { name } => dialog.set_file_name(name).blocking_save_file(),
        };
        picked.and_then(|path| path.into_path().ok())
    }

    fn open_folder(&self, path: &Path) -> Result<(), String> {
        self.app
            .opener()
            .open_path(path.display().to_string(), None::<&str>)
            .map_err(|error| error.to_string())
    }

    fn open_address(&self, url: &str) -> Result<(), String> {
        if !url.starts_with("https://") && !url.starts_with("http://") {
            return Err(format!("{url} isn't a web page"));
        }
        self.app.opener().open_url(url, None::<&str>).map_err(|error| error.to_string())
    }

    fn autostart(&self) -> Option<bool> {
        self.app.autolaunch().is_enabled().ok()
    }

    fn set_autostart(&self, on: bool) -> Result<(), String> {
        // The entry would name the file as it was called when this process started. An AppImage's names the image.
        #[cfg(target_os = "linux")]
        if on && self.replaced && std::env::var_os("APPIMAGE").is_none() {
            return Err(texts::texts(&self.app).get("tray.autostart.replaced").to_owned());
        }
        let autostart = self.app.autolaunch();
        if on { autostart.enable() } else { autostart.disable() }.map_err(|error| error.to_string())
    }

    fn tray(&self) -> bool {
        self.app.state::<Shell>().in_tray.load(Ordering::Relaxed)
    }

    fn packaged(&self) -> bool {
        updates::packaged()
    }

    fn sidecar(&self) -> Option<PathBuf> {
        sidecar::bundled()
    }

    fn wanted_screen(&self) -> Option<RequestedScreen> {
        self.app.state::<Shell>().screen_request.take()
    }

    fn crash(&self) -> Option<PathBuf> {
        crash::take(&self.app.state::<Shell>().service.home().logs_dir())
    }

    fn locale(&self) -> String {
        texts::system_locale()
    }

    fn log(&self, text: &str) {
        log::error!("{text}");
    }

    fn quit(&self) {
        // The tray ends too when the window's process tells it.
        #[cfg(target_os = "linux")]
        self.app.exit(windows::apart::QUIT);
        #[cfg(not(target_os = "linux"))]
        self.app.exit(0);
    }
}
