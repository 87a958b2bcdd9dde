//! The paths of everything, in one place.

use std::path::{Path, PathBuf};

use contract::LowerError as _;

use crate::files::folder_problem;
use crate::{Env, HomeError, Os, io_error, messages, private_dir};

/// Plimsoll's folder (`~/.plimsoll`, or `PLIMSOLL_HOME`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    root: PathBuf,
}

/// The folder's default name. No other program has a folder of this name.
const USUAL_NAME: &str = ".plimsoll";
/// The record's file.
pub(crate) const MAIN_DB: &str = "plimsoll.db";

impl Home {
    /// The file that marks a folder as Plimsoll's own, so that its folders with common names (`downloads`, `trash`) may
    /// be deleted.
    pub const MARK: &str = ".plimsoll-home";

    /// Finds the folder without creating anything.
    ///
    /// # Errors
    /// None today; kept fallible because an unusable `PLIMSOLL_HOME` may be refused here.
    pub fn resolve(env: &Env) -> Result<Self, HomeError> {
        Ok(Self::at(env.path("PLIMSOLL_HOME").unwrap_or_else(|| env.home_dir().join(USUAL_NAME))))
    }

    /// The folder at a given path.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Creates the folder, private to the user. An existing public one is made private, unless it's somebody else's.
    ///
    /// # Errors
    /// [`HomeError::ForeignHome`] for a folder that contains other things but none of Plimsoll's files;
    /// [`HomeError::Unusable`] for one that can't be opened; [`HomeError::Io`] with the path.
    pub fn ensure(&self) -> Result<(), HomeError> {
        self.check_usable()?;
        self.check()?;
        let unmarked = !self.is_own();
        private_dir(&self.root).map_err(io_error(&self.root))?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&self.root).map_err(io_error(&self.root))?.permissions().mode();
            if mode & 0o077 != 0 {
                std::fs::set_permissions(&self.root, std::fs::Permissions::from_mode(0o700))
                    .map_err(io_error(&self.root))?;
            }
        }
        if unmarked && self.contents() == Contents::Own {
            // Where it can't be written, nothing is lost: the common names stay when Plimsoll goes.
            let _ = crate::open_to_append(&self.root.join(Self::MARK));
        }
        Ok(())
    }

    /// Whether [`ensure`](Self::ensure) would take the folder. Writes nothing: for those that may run before anything was
    /// ensured, such as hooks.
    ///
    /// # Errors
    /// [`HomeError::ForeignHome`] for a folder that has other things in it and none of Plimsoll's files.
    pub fn check(&self) -> Result<(), HomeError> {
        if !self.is_own() && self.contents() == Contents::Foreign {
            return Err(HomeError::ForeignHome(self.root.clone()));
        }
        Ok(())
    }

    /// Whether files can be looked up in the folder, or it isn't there yet. To whoever only asks whether a file exists, a file in
    /// the folder's place, a link to nowhere and a folder that can't be entered look like an empty folder.
    ///
    /// # Errors
    /// [`HomeError::Unusable`] with the reason.
    pub fn check_usable(&self) -> Result<(), HomeError> {
        use std::io::ErrorKind::NotFound;
        let reason = match std::fs::metadata(&self.root) {
            Ok(there) if !there.is_dir() => messages::not_a_folder(),
            // Only looking into it tells whether it can be entered.
            Ok(_) => match std::fs::symlink_metadata(self.root.join(Self::MARK)) {
                Err(error) if error.kind() != NotFound => error.message(),
                _ => return Ok(()),
            },
            Err(error) if error.kind() == NotFound && self.root.is_symlink() => messages::link_to_nowhere(),
            Err(error) if error.kind() == NotFound => return Ok(()),
            Err(error) => error.message(),
        };
        Err(HomeError::Unusable { path: self.root.clone(), reason })
    }

    /// The same, and whether the folders for locks and copies can be used, which each edit of an agent's file needs. Nothing else is
    /// refused without them: the copies may be on a disk that isn't there now.
    ///
    /// # Errors
    /// [`HomeError::Unusable`] with the reason.
    pub fn check_usable_for_edits(&self) -> Result<(), HomeError> {
        self.check_usable()?;
        for path in [self.locks_dir(), self.backups_dir()] {
            if let Some(reason) = folder_problem(&path) {
                return Err(HomeError::Unusable { path, reason });
            }
        }
        Ok(())
    }

    /// Whether everything in the folder is Plimsoll's, so that its folders with common names may be deleted.
    pub fn is_own(&self) -> bool {
        self.root.file_name().is_some_and(|name| name == USUAL_NAME) || self.root.join(Self::MARK).exists()
    }

    /// The contents of an unmarked folder.
    fn contents(&self) -> Contents {
        // A folder that can't be listed is used as it is, and never marked.
        let entries = match std::fs::read_dir(&self.root) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Contents::Own,
            Err(_) => return Contents::Shared,
        };
        let names: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        let installed = self.launcher().exists()
            || names.iter().any(|name| [MAIN_DB, "memory.db", "settings.toml"].contains(&name.as_str()));
        if names.iter().all(|name| self.is_surely_own(name, installed)) {
            Contents::Own
        } else if installed {
            Contents::Shared
        } else {
            Contents::Foreign
        }
    }

    /// Whether an entry is Plimsoll's. Common names are, beside an installation; without one, only those that are
    /// written before the folder is ensured.
    ///
    /// The list is closed: it's for folders of versions that left no mark. A later system's files are in a folder that
    /// has the mark, of which nothing is asked here; what an uninstall removes of them is `System::files`.
    fn is_surely_own(&self, name: &str, installed: bool) -> bool {
        let all = |of: &dyn Fn(&str) -> bool| {
            let entries = std::fs::read_dir(self.root.join(name)).into_iter().flatten().flatten();
            entries.map(|entry| entry.file_name()).all(|name| of(&name.to_string_lossy()))
        };
        match name {
            "locks" => all(&|name| name.ends_with(".lock")),
            "cache" => all(&|name| CACHED.contains(&name)),
            "run" => all(&is_run_file),
            "bin" => all(&|name| name == "versions" || name.trim_start_matches('.').starts_with("plimsoll")),
            "projects" => all(&is_project_key),
            "backups" | "downloads" | "filters" | "logs" | "tasks" | "trash" => installed || all(&|_| false),
            _ => [
                "plimsoll.",
                "memory.",
                "memory-org.",
                "model-keys.json",
                "model-keyring.json",
                "events.pending",
                "settings.toml",
                ".plimsoll-",
            ]
            .iter()
            .any(|own| name.starts_with(own)),
        }
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// `bin/`: the stable launcher and the versions behind it.
    pub fn bin_dir(&self) -> PathBuf {
        self.root.join("bin")
    }

    /// The stable launcher that agents' configs name.
    pub fn launcher(&self) -> PathBuf {
        self.bin_dir().join(binary_name(Os::current()))
    }

    /// `bin/versions/`: the real binaries, one folder per version.
    pub fn versions_dir(&self) -> PathBuf {
        self.bin_dir().join("versions")
    }

    /// `settings.toml`.
    pub fn settings_path(&self) -> PathBuf {
        self.root.join("settings.toml")
    }

    /// `plimsoll.db`: sessions, ledger, receipts.
    pub fn main_db(&self) -> PathBuf {
        self.root.join(MAIN_DB)
    }

    /// `backups/`: copies of edited config files.
    pub fn backups_dir(&self) -> PathBuf {
        self.root.join("backups")
    }

    /// `logs/`.
    pub fn logs_dir(&self) -> PathBuf {
        self.root.join("logs")
    }

    /// `trash/`: what purge removed.
    pub fn trash_dir(&self) -> PathBuf {
        self.root.join("trash")
    }

    /// `run/`: heartbeats of live servers. Hooks list it.
    pub fn run_dir(&self) -> PathBuf {
        self.root.join("run")
    }

    /// `run/told/`: notes on what sessions were told. There are several of each session, for weeks, so no hook lists them.
    pub fn session_notes_dir(&self) -> PathBuf {
        self.run_dir().join(TOLD)
    }

    /// The file of this name in `run/told/`; one that an earlier version left in `run/` is moved there.
    pub fn session_note_file(&self, name: &str) -> PathBuf {
        let (file, earlier) = (self.session_notes_dir().join(name), self.run_dir().join(name));
        if earlier.exists() && private_dir(&self.session_notes_dir()).is_ok() {
            // At worst a session is told something again.
            let _ = std::fs::rename(earlier, &file);
        }
        file
    }

    /// `locks/`.
    pub fn locks_dir(&self) -> PathBuf {
        self.root.join("locks")
    }

    /// `tasks/`: background tasks and spilled output.
    pub fn tasks_dir(&self) -> PathBuf {
        self.root.join("tasks")
    }

    /// `downloads/`: binary files that pages turned out to be.
    pub fn downloads_dir(&self) -> PathBuf {
        self.root.join("downloads")
    }

    /// `cache/`: data that can be recomputed (runtime versions, the login shell's PATH).
    pub fn cache_dir(&self) -> PathBuf {
        self.root.join("cache")
    }

    /// `filters/`: your own filters.
    pub fn filters_dir(&self) -> PathBuf {
        self.root.join("filters")
    }

    /// `projects/`.
    pub fn projects_dir(&self) -> PathBuf {
        self.root.join("projects")
    }
}

/// Whose an existing folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Contents {
    /// It's empty, or contains only Plimsoll's files.
    Own,
    /// Plimsoll is installed in it, beside other things.
    Shared,
    /// It has other things and no installation.
    Foreign,
}

/// The contents of `cache/`.
const CACHED: [&str; 7] =
    ["computer.json", "endpoint-failures.json", "grown", "outputs", "reads", "retention", "runtimes.json"];

/// Whether a folder below `projects/` is named like Plimsoll's: the project's name and its id.
fn is_project_key(name: &str) -> bool {
    name.rsplit_once('-')
        .is_some_and(|(_, id)| id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The folder in `run/` with what sessions were told.
const TOLD: &str = "told";

/// Whether a file in `run/` is named like Plimsoll's: a server's process id, or what a session was told and its hash.
fn is_run_file(name: &str) -> bool {
    let stem = name.trim_end_matches(".json").trim_end_matches(".lock");
    let is_process = !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_digit());
    is_process || is_project_key(stem) || name == TOLD
}

/// The sidecar's file name on a system.
pub fn binary_name(os: Os) -> &'static str {
    if os == Os::Windows { "plimsoll.exe" } else { "plimsoll" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_or_empty_folder_is_taken_and_one_with_other_things_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let empty = dir.path().join("empty");
        std::fs::create_dir(&empty).unwrap();
        for root in [empty, dir.path().join("deep/new"), dir.path().join(USUAL_NAME)] {
            let home = Home::at(&root);
            assert_eq!(home.is_own(), root.ends_with(USUAL_NAME));
            home.ensure().unwrap();
            assert!(home.is_own(), "{}", root.display());
            std::fs::write(root.join("note"), "").unwrap();
            home.ensure().unwrap();
        }
        for theirs in
            ["src/main.rs", "projects/mycode/a", "downloads/a", "logs/a", "backups/a", "trash/a", "run/a"]
        {
            let home = Home::at(dir.path().join("work"));
            let file = home.root().join(theirs);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, "").unwrap();
            let error = home.ensure().unwrap_err().to_string();
            assert!(error.contains("PLIMSOLL_HOME is ") && error.contains("work"), "{error}");
            assert!(matches!(home.check(), Err(HomeError::ForeignHome(_))));
            assert!(!home.is_own());
            // No lock is put there either.
            crate::lock(&home, "settings", std::time::Duration::ZERO).unwrap_err();
            assert!(!home.locks_dir().exists());
            std::fs::remove_dir_all(home.root()).unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_cant_be_opened_is_told_from_an_empty_one() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::write(at("file"), "").unwrap();
        symlink("nowhere/else", at("dangling")).unwrap();
        symlink("loop", at("loop")).unwrap();
        for (name, reason) in [
            ("file", "it isn't a folder"),
            ("dangling", "it's a link to a folder that doesn't exist"),
            ("loop", "symbolic links"),
            ("file/below", "ot a directory"),
        ] {
            let home = Home::at(at(name));
            for outcome in [home.check_usable(), home.ensure()] {
                let error = outcome.unwrap_err();
                assert!(matches!(error, HomeError::Unusable { .. }), "{name}: {error}");
                let told = error.to_string();
                assert!(told.contains(reason) && told.ends_with("Nothing was changed"), "{name}: {told}");
            }
        }
        std::fs::create_dir(at("real")).unwrap();
        symlink("real", at("link")).unwrap();
        for name in ["real", "link", "new", "deep/new"] {
            Home::at(at(name)).check_usable().unwrap();
        }
        assert!(!at("new").exists(), "looking makes nothing");
        for name in ["locks", "backups"] {
            std::fs::write(at("real").join(name), "").unwrap();
            let home = Home::at(at("link"));
            let told = home.check_usable_for_edits().unwrap_err().to_string();
            assert!(told.contains(&format!("{name} can't be used: it isn't a folder")), "{told}");
            home.check_usable().unwrap();
            std::fs::remove_file(at("real").join(name)).unwrap();
        }
    }

    #[test]
    fn an_installation_without_the_mark_is_taken_and_marked_only_if_all_is_its_own() {
        let dir = tempfile::tempdir().unwrap();
        for (name, others, own) in [
            ("moved", ["projects/shop-0123456789abcdef/knowledge.db", "trash/a.json"], true),
            ("work", ["projects/mycode/a", "trash/a.json"], false),
            ("code", ["src/main.rs", "trash/a.json"], false),
        ] {
            let home = Home::at(dir.path().join(name));
            let of_hooks = ["locks/settings.lock", "run/4711.lock", "run/told/code-told-0123456789abcdef"];
            for file in ["plimsoll.db", "memory-org.db"].into_iter().chain(of_hooks).chain(others) {
                let file = home.root().join(file);
                std::fs::create_dir_all(file.parent().unwrap()).unwrap();
                std::fs::write(&file, "").unwrap();
            }
            home.ensure().unwrap();
            assert_eq!(home.is_own(), own, "{name}");
        }
    }
}
