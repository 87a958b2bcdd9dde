//! What only the desktop can do: dialogs, folders, starting at login, and opening a requested screen.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The window's surroundings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct HostView {
    /// `desktop`, or `browser` in tests.
    pub kind: String,
    /// `linux`, `macos` or `windows`.
    pub system: String,
    /// Whether there is a tray.
    pub tray: bool,
    /// Whether Plimsoll starts at login; `None` if that can't be set.
    pub autostart: Option<bool>,
    /// The user's locale (`de-AT`).
    pub locale: String,
    /// The home folder, so that paths can be shown with `~`.
    pub user_home: PathBuf,
    /// Whether updates come with the system's packages.
    pub packaged: bool,
    /// The crash file of the last run, if Plimsoll crashed.
    pub crash: Option<PathBuf>,
    /// The screens of the enabled systems, in the order of the navigation.
    pub screens: Vec<String>,
}

/// A dialog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "what")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum PickWhat {
    /// An existing file.
    File,
    /// An existing folder.
    Folder,
    /// A file to write.
    Save {
        /// The suggested name.
        name: String,
    },
}

/// The chosen path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Picked {
    /// The path; `None` if the dialog was cancelled.
    pub path: Option<PathBuf>,
}

/// A folder that the desktop can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Place {
    /// Logs.
    Logs,
    /// Backups of edited files.
    Backups,
    /// Plimsoll's folder.
    Home,
}

/// What to open outside the window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "what")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Target {
    /// One of Plimsoll's folders.
    Folder {
        /// Which one.
        place: Place,
    },
    /// The file behind a source, in the user's default program.
    Source {
        /// The project's key.
        project: String,
        /// The source's number.
        source: i64,
    },
    /// A web page in the user's browser; `http` and `https` only.
    Address {
        /// The address.
        url: String,
    },
}

/// A picture to write to the chosen file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SavePicture {
    /// The file from the dialog.
    pub path: PathBuf,
    /// The PNG's bytes.
    pub bytes: Vec<u8>,
}

/// An error in the page, for the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PageFault {
    /// The current screen, without search terms.
    pub screen: String,
    /// The error and its origin.
    pub text: String,
}

/// Starting at login.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Toggle {
    /// On or off.
    pub on: bool,
}

/// Whether Plimsoll starts at login.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Autostart {
    /// The system's current setting.
    pub on: Option<bool>,
}

/// A screen that the tray or a link requested.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Screen {
    /// `home`, `agents`, `knowledge?q=…`, `settings/doctor`, `purge?project=…` …; `None` without a request.
    pub path: Option<String>,
    /// Whether it came from a link on a page or in a mail: shown in full and confirmed before it is opened.
    pub from_link: bool,
}
