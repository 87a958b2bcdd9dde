//! What only the desktop itself can do: dialogs, folders, autostart, the screen that somebody asked for.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What this window runs in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct HostView {
    /// `desktop`, or `browser` in tests.
    pub kind: String,
    /// `linux`, `macos` or `windows`.
    pub system: String,
    /// Whether there is a tray.
    pub tray: bool,
    /// Whether Plimsoll starts with the computer; `None` where that cannot be set.
    pub autostart: Option<bool>,
    /// The person's language, as the system says it (`de-AT`).
    pub locale: String,
    /// The home folder, so that paths can be shown with `~`.
    pub user_home: PathBuf,
    /// Updates come with the system's packages.
    pub packaged: bool,
    /// What went wrong at the last start, if Plimsoll crashed: the crash file.
    pub crash: Option<PathBuf>,
    /// The screens of the systems that are on, in the order of the navigation.
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
        /// The name that is proposed.
        name: String,
    },
}

/// What was chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Picked {
    /// The path; `None` when the dialog was left.
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
    /// The Plimsoll folder.
    Home,
}

/// What to show outside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "what")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Target {
    /// A folder of Plimsoll's.
    Folder {
        /// Which.
        place: Place,
    },
    /// The file behind a source, in the program that the person edits such files with.
    Source {
        /// The project's key.
        project: String,
        /// The source's number.
        source: i64,
    },
    /// A web page, in the person's browser; `http` and `https` only.
    Address {
        /// The address.
        url: String,
    },
}

/// A picture to be written where the person chose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SavePicture {
    /// The file that was named in the dialog.
    pub path: PathBuf,
    /// Its bytes: a PNG.
    pub bytes: Vec<u8>,
}

/// What went wrong in the page, for the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PageFault {
    /// The screen it was at; what was searched for is left out.
    pub screen: String,
    /// The error and where it came from.
    pub text: String,
}

/// Starting with the computer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Toggle {
    /// On or off.
    pub on: bool,
}

/// Whether Plimsoll starts with the computer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Autostart {
    /// As the system has it now.
    pub on: Option<bool>,
}

/// A screen that the tray or a link asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Screen {
    /// `home`, `agents`, `knowledge?q=…`, `settings/doctor`, `purge?project=…` …; `None` when nobody asked.
    pub path: Option<String>,
    /// It came from a link on a page or in a mail: shown in full and confirmed before it is opened.
    pub from_link: bool,
}
