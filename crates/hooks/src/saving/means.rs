//! What shortening rests on: the filters of a project, and the launcher that a rewritten command starts.

use std::path::Path;

use filters::FilterSet;
use home::{Env, Home, Os, Settings};

/// What shortening rests on.
#[derive(Debug, Default)]
pub struct Saving {
    /// The filters of all layers.
    pub filters: FilterSet,
    /// The stable launcher as a word of a shell.
    pub launcher: String,
    /// It is there and can be started: where a plugin runs us from elsewhere, or somebody has moved it, a command that
    /// names it would fail instead of running.
    pub launches: bool,
    /// The folders in which programs are looked for.
    pub path: Option<std::ffi::OsString>,
}

impl Saving {
    /// For this project, or nothing when shortening is off there.
    pub(crate) fn of(settings: &Settings, home: &Home, env: &Env, project: &Path) -> Option<Saving> {
        let filters = &settings.filters;
        if !filters.enabled || filters.off_projects.iter().any(|off| project.starts_with(off)) {
            return None;
        }
        Some(Saving {
            filters: filters_for(settings, home, project),
            launcher: word(&home.launcher(), env),
            launches: is_program(&home.launcher()),
            path: env.path_var(),
        })
    }

    /// Whether `program` is one that can be started from outside the agent's shell, and no function or alias of it.
    pub(crate) fn runs(&self, program: &str) -> bool {
        if program.contains(['/', '\\']) {
            return true;
        }
        let endings: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ".bat"] } else { &[""] };
        self.path.as_deref().is_some_and(|path| {
            std::env::split_paths(path)
                .any(|dir| endings.iter().any(|ending| dir.join(format!("{program}{ending}")).is_file()))
        })
    }
}

fn is_program(path: &Path) -> bool {
    let Ok(file) = std::fs::metadata(path) else { return false };
    #[cfg(unix)]
    let may_run = std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let may_run = true;
    file.is_file() && may_run
}

/// The filters of all layers for a project: built in, the person's, and the project's own if the person trusts them as
/// they are.
#[must_use]
pub fn filters_for(settings: &Settings, home: &Home, project: &Path) -> FilterSet {
    let own = project.join(filters::PROJECT_FOLDER);
    let trusted = settings.filters.trusted.iter().any(|trusted| {
        trusted.project == project && filters::fingerprint(&own).is_some_and(|hash| hash == trusted.hash)
    });
    FilterSet::load(
        Some(&home.root().join("filters")),
        trusted.then_some(own.as_path()),
        &settings.filters.off,
    )
}

/// A path as a word of a POSIX shell; Git Bash on Windows wants forward slashes.
fn word(path: &Path, env: &Env) -> String {
    let mut text = path.to_string_lossy().into_owned();
    if env.os() == Os::Windows {
        text = text.replace('\\', "/");
    }
    shell::quote(&text)
}
