//! What only a desktop can do, as the router sees it. Knows no toolkit.

use std::path::{Path, PathBuf};

use contract::desktop::PickWhat;

/// A screen that somebody asked for from outside the window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Its path: `knowledge?q=effect`.
    pub path: String,
    /// A link on a page or in a mail asked, not the person at the tray.
    pub from_link: bool,
}

/// The desktop around the window. Every method may block; none is called on the window's own thread.
pub trait Host: Send + Sync {
    /// `desktop`, or `browser` in tests.
    fn kind(&self) -> &'static str;
    /// Asks the person for a path; `None` when they leave the dialog.
    fn pick(&self, what: &PickWhat) -> Option<PathBuf>;
    /// Shows a folder in the system's file manager.
    ///
    /// # Errors
    /// In words.
    fn open_folder(&self, path: &Path) -> Result<(), String>;
    /// Opens a page in the person's browser. Only called with `http` and `https` addresses.
    ///
    /// # Errors
    /// In words.
    fn open_address(&self, url: &str) -> Result<(), String>;
    /// Whether Plimsoll starts with the computer; `None` where that cannot be set.
    fn autostart(&self) -> Option<bool>;
    /// Switches that.
    ///
    /// # Errors
    /// In words.
    fn set_autostart(&self, on: bool) -> Result<(), String>;
    /// Whether a tray shows the icon.
    fn tray(&self) -> bool;
    /// Whether updates come with the system's packages.
    fn packaged(&self) -> bool;
    /// The sidecar that came with this program, to be put behind the launcher.
    fn sidecar(&self) -> Option<PathBuf>;
    /// The screen that was asked for from outside, told once.
    fn wanted_screen(&self) -> Option<Wanted>;
    /// What the last run wrote when it crashed, told once.
    fn crash(&self) -> Option<PathBuf>;
    /// The person's language as the system says it: `de-AT`.
    fn locale(&self) -> String;
    /// Writes an error into the program's log.
    fn log(&self, text: &str);
    /// Ends the program; agents keep their sidecars.
    fn quit(&self);
}
