//! Which files are Plimsoll's own, for an uninstall: below its folder, and what the desktop leaves elsewhere. Only names them.

use std::path::{Path, PathBuf};

use home::{Env, Home, Os};

use crate::{Service, setup};

/// The desktop's identifier, as in `src-tauri/tauri.conf.json`.
const IDENTIFIER: &str = "dev.plimsoll.desktop";

/// Plimsoll's files below its folder: the data, then the program.
pub(crate) fn own_files(service: &Service, keep_data: bool) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let home = service.home();
    let mut data = Vec::new();
    let kept_copies = setup::copies_without_log(service);
    // The folder may have been moved to one that contains other things; there, files with generic names stay.
    if home.is_own() && !service.env().home_dir().starts_with(home.root()) {
        data.extend([
            home.run_dir(),
            home.tasks_dir(),
            home.cache_dir(),
            home.downloads_dir(),
            home.logs_dir(),
            home.trash_dir(),
            home.locks_dir(),
        ]);
        data.extend(copies(&home.backups_dir(), &kept_copies));
        if !keep_data {
            data.extend([home.projects_dir(), home.filters_dir(), home.settings_path()]);
        }
    }
    // Those of a system that is off as well: memories, and the keys of a model's provider.
    let of_systems: Vec<&str> = service.systems().iter().flat_map(|system| system.files).copied().collect();
    data.extend(own_files_in(home.root(), |name| {
        // The databases with their logs and copies; temporary files of a killed process.
        let valuable = name.starts_with("plimsoll.db")
            || of_systems.iter().any(|file| name.starts_with(file))
            || name == "events.pending"
            || name == "settings.toml.before-import"
            // Copies that stay are nobody else's: without the mark, the next installation would refuse the folder.
            || (name == Home::MARK && kept_copies.is_empty());
        (valuable && !keep_data) || (name.starts_with(".plimsoll-") && name != Home::MARK)
    }));
    data.extend(desktop_files(service.env()));
    data.retain(|path| path.symlink_metadata().is_ok());
    let launcher = home.launcher();
    let mut program = own_files_in(&home.bin_dir(), |name| {
        name.starts_with("plimsoll.old-") || name.starts_with(".plimsoll-")
    });
    // A `bin/versions` without a launcher beside it isn't Plimsoll's.
    if home.is_own() || launcher.symlink_metadata().is_ok() {
        program.push(home.versions_dir());
    }
    program.push(launcher);
    program.retain(|path| path.symlink_metadata().is_ok());
    (data, program)
}

/// The copies of agents' files, except for the folders that are `kept`.
fn copies(backups: &Path, kept: &[PathBuf]) -> Vec<PathBuf> {
    if kept.is_empty() {
        return vec![backups.to_owned()];
    }
    let entries = std::fs::read_dir(backups).into_iter().flatten().flatten();
    let mut others: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    others.retain(|path| !kept.contains(path));
    others.sort();
    others
}

/// What the desktop leaves outside the folder: its login entry, and the web view's folders, which are named after the
/// program's identifier.
fn desktop_files(env: &Env) -> Vec<PathBuf> {
    let below =
        |variable: &str, usual: &str| env.path(variable).unwrap_or_else(|| env.home_dir().join(usual));
    let (start, folders) = match env.os() {
        Os::Linux => (
            below("XDG_CONFIG_HOME", ".config").join("autostart/Plimsoll.desktop"),
            vec![below("XDG_DATA_HOME", ".local/share"), below("XDG_CACHE_HOME", ".cache")],
        ),
        Os::Mac => (
            env.home_dir().join("Library/LaunchAgents/Plimsoll.plist"),
            ["Application Support", "Caches", "WebKit"]
                .map(|name| env.home_dir().join("Library").join(name))
                .to_vec(),
        ),
        // The installer removes these.
        Os::Windows => return Vec::new(),
    };
    let mut found: Vec<PathBuf> = folders.into_iter().map(|folder| folder.join(IDENTIFIER)).collect();
    // Both variables may name one folder.
    found.dedup();
    // A foreign file of that name would start another program.
    if std::fs::read_to_string(&start).is_ok_and(|text| text.contains("plimsoll-desktop")) {
        found.push(start);
    }
    found
}

/// The files in a folder whose names are Plimsoll's.
fn own_files_in(folder: &Path, own_files: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<_> = entries
        .filter(|entry| own_files(&entry.file_name().to_string_lossy()))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}
