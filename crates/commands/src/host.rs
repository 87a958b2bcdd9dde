//! The desktop's features as the router sees them. Doesn't know any toolkit.

use std::path::{Path, PathBuf};

use contract::desktop::PickWhat;
use serde::{Deserialize, Serialize};

/// A screen requested from outside the window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestedScreen {
    /// Its path: `knowledge?q=effect`.
    pub path: String,
    /// Whether a link on a page or in a mail requested it, rather than the tray.
    pub from_link: bool,
}

/// The desktop around the window. Every method may block; none is called on the window's own thread.
pub trait Host: Send + Sync {
    /// `desktop`, or `browser` in tests.
    fn kind(&self) -> &'static str;
    /// Asks the user for a path; `None` if they cancel the dialog.
    fn pick(&self, what: &PickWhat) -> Option<PathBuf>;
    /// Shows a folder in the system's file manager.
    ///
    /// # Errors
    /// If it fails, with the reason.
    fn open_folder(&self, path: &Path) -> Result<(), String>;
    /// Opens a page in the user's browser. Only called with `http` and `https` addresses.
    ///
    /// # Errors
    /// If it fails, with the reason.
    fn open_address(&self, url: &str) -> Result<(), String>;
    /// Whether Plimsoll starts at login; `None` if that can't be set.
    fn autostart(&self) -> Option<bool>;
    /// Sets whether Plimsoll starts at login.
    ///
    /// # Errors
    /// If it fails, with the reason.
    fn set_autostart(&self, on: bool) -> Result<(), String>;
    /// Whether a tray shows the icon.
    fn tray(&self) -> bool;
    /// Whether updates come with the system's packages.
    fn packaged(&self) -> bool;
    /// The sidecar that came with this program, to be installed behind the launcher.
    fn sidecar(&self) -> Option<PathBuf>;
    /// The screen requested from outside, returned once.
    fn wanted_screen(&self) -> Option<RequestedScreen>;
    /// The crash file of the last run, returned once.
    fn crash(&self) -> Option<PathBuf>;
    /// The user's locale: `de-AT`.
    fn locale(&self) -> String;
    /// Writes an error to the program's log.
    fn log(&self, text: &str);
    /// Ends the program; agents keep their sidecars.
    fn quit(&self);
}
