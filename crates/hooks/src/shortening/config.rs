//! The prerequisites of shortening: a project's filters, and the launcher that a rewritten command starts.

use std::path::Path;

use filters::FilterSet;
use home::{Env, Home, Os, Settings};

/// What shortening needs.
#[derive(Debug, Default)]
pub struct Shortening {
    /// The filters of all layers.
    pub filters: FilterSet,
    /// The launcher's path as a shell word.
    pub launcher: String,
    /// Whether the launcher exists and can be started. If a plugin runs Plimsoll from elsewhere, or somebody has
    /// moved it, a rewritten command would fail instead of running.
    pub can_launch: bool,
    /// The folders in which programs are searched.
    pub path: Option<std::ffi::OsString>,
}

impl Shortening {
    /// The configuration for this project; `None` if shortening is off there.
    pub(crate) fn of(settings: &Settings, home: &Home, env: &Env, project: &Path) -> Option<Shortening> {
        if !filters_are_on(settings, project) {
            return None;
        }
        Some(Shortening {
            filters: filters_for(settings, home, project),
            launcher: shell_word(&home.launcher(), env),
            can_launch: home::launcher::can_start(&home.launcher()),
            path: env.path_var(),
        })
    }

    /// Whether `program` can be started outside the agent's shell, and isn't one of its functions or aliases.
    pub(crate) fn is_program(&self, program: &str) -> bool {
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

/// A project's filters of all layers: built-in, the user's, and the project's own if the user trusts them in their
/// current form.
#[must_use]
pub fn filters_for(settings: &Settings, home: &Home, project: &Path) -> FilterSet {
    let own = project.join(filters::PROJECT_FOLDER);
    let named = home::as_text(project);
    let trusted = settings.filters.trusted.iter().any(|trusted| {
        trusted.project == *named && filters::fingerprint(&own).is_some_and(|hash| hash == trusted.hash)
    });
    FilterSet::load(Some(&home.filters_dir()), trusted.then_some(own.as_path()), &settings.filters.off)
}

/// Whether outputs are shortened in this project.
#[must_use]
pub fn filters_are_on(settings: &Settings, project: &Path) -> bool {
    let named = home::as_text(project);
    let filters = &settings.filters;
    filters.enabled && !filters.off_projects.iter().any(|off| named.starts_with(off))
}

/// Whether a project's own filters are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProjectFilters {
    /// It has none.
    None,
    /// They are as the user trusted them, and used.
    Trusted,
    /// They aren't as the user trusted them.
    Changed,
    /// The user never trusted them.
    Untrusted,
}

/// Whether this project's own filters are used, and why not. Reads them, so no hook asks.
#[must_use]
pub fn project_filters(settings: &Settings, project: &Path) -> ProjectFilters {
    let Some(hash) = filters::fingerprint(&project.join(filters::PROJECT_FOLDER)) else {
        return ProjectFilters::None;
    };
    let named = home::as_text(project);
    let mut trusted = settings.filters.trusted.iter().filter(|trusted| trusted.project == *named).peekable();
    if trusted.peek().is_none() {
        ProjectFilters::Untrusted
    } else if trusted.any(|trusted| trusted.hash == hash) {
        ProjectFilters::Trusted
    } else {
        ProjectFilters::Changed
    }
}

/// A path as a word of a POSIX shell; Git Bash on Windows needs forward slashes.
fn shell_word(path: &Path, env: &Env) -> String {
    let mut text = path.to_string_lossy().into_owned();
    if env.os() == Os::Windows {
        text = text.replace('\\', "/");
    }
    shell::quote(&text)
}
