//! The filter commands: list the filters, explain one on an output, check their cases, switch one off, and trust a
//! project's own.

use std::path::Path;

use contract::{Error, ErrorCode, Sentence};
use filters::{FilterSet, Listed, check};
use home::{Settings, update_value};
use hooks::ProjectFilters;
use serde::Serialize;

use crate::{Service, discover, failure, messages};

/// What the filters do to a command.
#[derive(Debug, Clone, Serialize)]
pub struct FilterExplanation {
    /// The command line.
    pub command: String,
    /// The matching filters, in the order in which they are tried.
    pub filters: Vec<Listed>,
    /// Why nothing is shortened, if the command alone tells.
    pub why_not: Option<String>,
    /// The result for the given output.
    pub result: Option<FilterResult>,
}

/// The result for one output.
#[derive(Debug, Clone, Serialize)]
pub struct FilterResult {
    /// The filter; `None` if the output is unchanged.
    pub filter: Option<String>,
    /// Bytes before.
    pub before: usize,
    /// Bytes after.
    pub after: usize,
    /// The resulting text.
    pub text: String,
}

/// The result of checking filters.
#[derive(Debug, Clone, Default, Serialize)]
pub struct FilterCheck {
    /// Cases that were run.
    pub cases: usize,
    /// Failures: filter, case, and how.
    pub wrong: Vec<String>,
    /// Size of all cases before.
    pub before: usize,
    /// Size of all cases after.
    pub after: usize,
}

/// The error for a name that no filter has; a file that can't be used may have it.
fn unknown_filter(set: &FilterSet, name: &str) -> Error {
    let broken: Vec<String> = set.broken.iter().map(ToString::to_string).collect();
    let message = if broken.is_empty() {
        messages::no_such_filter(name)
    } else {
        messages::unread_filter(name, Sentence::from(broken.join("; ")))
    };
    Error::new(ErrorCode::NotFound, message)
}

impl Service {
    /// The filters of all layers for this project, as they apply now.
    pub fn filter_set(&self) -> FilterSet {
        // Read again: the settings may have changed since the start.
        let settings = Settings::load(self.home()).unwrap_or_default();
        hooks::filters_for(&settings, self.home(), &self.filter_project())
    }

    fn filter_project(&self) -> std::path::PathBuf {
        if self.has_project() { self.project().root } else { self.env().cwd().to_owned() }
    }

    /// Every filter of all layers by name, and the unreadable files with the reasons.
    pub fn filters(&self) -> (Vec<Listed>, Vec<String>) {
        let set = self.filter_set();
        let broken = set.broken.iter().map(ToString::to_string).collect();
        (set.list(), broken)
    }

    /// Why the project's own filters aren't used, if it has some.
    pub fn unused_project_filters(&self) -> Option<Sentence> {
        let folder = self.filter_project().join(filters::PROJECT_FOLDER);
        match self.own_filters() {
            ProjectFilters::Untrusted => Some(messages::filters_untrusted(&folder)),
            _ => self.changed_project_filters(),
        }
    }

    /// The same only where they were trusted and have changed since: whoever trusted them expects them to be used.
    pub(crate) fn changed_project_filters(&self) -> Option<Sentence> {
        let folder = self.filter_project().join(filters::PROJECT_FOLDER);
        (self.own_filters() == ProjectFilters::Changed).then(|| messages::filters_changed(&folder))
    }

    fn own_filters(&self) -> ProjectFilters {
        let settings = Settings::load(self.home()).unwrap_or_default();
        hooks::project_filters(&settings, &self.filter_project())
    }

    /// What the filters do to a command and, if given, to its output.
    pub fn explain_filter(
        &self,
        command: &str,
        exit: Option<i32>,
        output: Option<&str>,
    ) -> FilterExplanation {
        let set = self.filter_set();
        let line = shell::line::parse(command);
        let names = set.names_for(command);
        let listed = set.list();
        let found: Vec<Listed> = names
            .iter()
            .filter_map(|name| listed.iter().find(|listed| &listed.name == name).cloned())
            .collect();
        let settings = Settings::load(self.home()).unwrap_or_default();
        let project = self.filter_project();
        let why_not = if !settings.filters.enabled {
            Some("filters are off (`plimsoll settings set filters.enabled true`)".to_owned())
        } else if !hooks::filters_are_on(&settings, &project) {
            Some("filters are off in this project (filters.off_projects in settings.toml)".to_owned())
        } else if line.odd {
            Some("the command line has loops, here-documents or a substitution outside of arguments; such output is left to the generic filter".into())
        } else if found.is_empty() {
            let generic = "no filter knows this command; long output goes through the generic filter";
            let mut reasons = vec![generic.to_owned()];
            reasons.extend(self.unused_project_filters().map(|why| why.to_string()));
            // The filter that is missed may be in one of these files.
            reasons.extend(set.broken.iter().map(ToString::to_string));
            Some(reasons.join("; "))
        } else {
            None
        };
        let result = output.map(|output| match filters::shorten(&set, command, exit, output) {
            Some(done) => {
                let text = done.with_address(None);
                FilterResult { filter: Some(done.filter), before: output.len(), after: text.len(), text }
            }
            None => FilterResult {
                filter: None,
                before: output.len(),
                after: output.len(),
                text: output.to_owned(),
            },
        });
        FilterExplanation { command: command.to_owned(), filters: found, why_not, result }
    }

    /// Runs the cases of all filters, or of the named ones.
    ///
    /// # Errors
    /// If there is no filter of one of the names.
    pub fn check_filters(&self, names: &[String]) -> Result<FilterCheck, Error> {
        let set = self.filter_set();
        let listed = set.list();
        if let Some(unknown) = names.iter().find(|name| listed.iter().all(|known| known.name != **name)) {
            return Err(unknown_filter(&set, unknown));
        }
        let mut checked = FilterCheck::default();
        for outcomes in check::builtin(&set).into_iter().chain(check::own(&set)) {
            let outcomes = match outcomes {
                Ok(outcomes) => outcomes,
                Err(error) => {
                    checked.wrong.push(error.to_string());
                    continue;
                }
            };
            for outcome in
                outcomes.into_iter().filter(|done| names.is_empty() || names.contains(&done.filter))
            {
                // A filter that is switched off does nothing, as requested.
                if set.is_off(&outcome.filter) {
                    continue;
                }
                checked.cases += 1;
                checked.before += outcome.before;
                checked.after += outcome.after;
                for wrong in outcome.wrong {
                    checked.wrong.push(format!("{} / {}: {wrong}", outcome.filter, outcome.case));
                }
            }
        }
        checked.wrong.extend(set.broken.iter().map(ToString::to_string));
        Ok(checked)
    }

    /// Whether a filter of this name can be switched off or on.
    ///
    /// # Errors
    /// If there is no such filter or the settings can't be read.
    pub fn check_filter(&self, name: &str) -> Result<(), Error> {
        let set = self.filter_set();
        let known = [filters::GENERIC, hooks::UNCHANGED, hooks::CHANGED].contains(&name)
            || set.list().iter().any(|listed| listed.name == name);
        let settings = Settings::load(self.home()).map_err(|error| failure::from_storage(&error))?;
        if !known && !settings.filters.off.iter().any(|off| off == name) {
            return Err(unknown_filter(&set, name));
        }
        Ok(())
    }

    /// Switches a filter off or on.
    ///
    /// # Errors
    /// If there is no such filter or the settings can't be written; nothing has changed then.
    pub fn switch_filter(&self, name: &str, on: bool) -> Result<(), Error> {
        self.check_filter(name)?;
        self.home().ensure().map_err(|error| failure::from_storage(&error))?;
        let off = |now: &Settings| -> toml_edit::Array {
            let others = now.filters.off.iter().filter(|known| *known != name).map(String::as_str);
            others.chain((!on).then_some(name)).collect()
        };
        update_value(self.home(), &["filters", "off"], off).map_err(|error| failure::from_storage(&error))
    }

    /// The files of a project's own filters, to be read before trusting them.
    ///
    /// # Errors
    /// If the project has none.
    pub fn project_filters(&self, project: &Path) -> Result<Vec<(std::path::PathBuf, String)>, Error> {
        let folder = project.join(filters::PROJECT_FOLDER);
        let mut files: Vec<std::path::PathBuf> = std::fs::read_dir(&folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
            .collect();
        files.sort();
        if files.is_empty() {
            return Err(Error::new(ErrorCode::NotFound, messages::no_filters_in(&folder)));
        }
        let read = |path: std::path::PathBuf| {
            let text = home::read_regular_text(&path, 1024 * 1024)
                .unwrap_or_else(|error| format!("(cannot be read: {error})"));
            (path, text)
        };
        Ok(files.into_iter().map(read).collect())
    }

    /// The fingerprint of a project's own filters, if they can be trusted; none where `trust` is false. Changes nothing.
    ///
    /// # Errors
    /// If there is nothing to trust, a file can't be used, or the settings can't be read.
    pub fn check_trust(&self, project: &Path, trust: bool) -> Result<Option<String>, Error> {
        Settings::load(self.home()).map_err(|error| failure::from_storage(&error))?;
        if !trust {
            return Ok(None);
        }
        let folder = project.join(filters::PROJECT_FOLDER);
        let hash = filters::fingerprint(&folder)
            .ok_or_else(|| Error::new(ErrorCode::NotFound, messages::no_readable_filters_in(&folder)))?;
        if let Some(error) = FilterSet::load(None, Some(&folder), &[]).broken.first() {
            let reason = Sentence::from(error.to_string());
            return Err(Error::new(ErrorCode::Failed, messages::broken_filter(reason)));
        }
        Ok(Some(hash))
    }

    /// Trusts a project's own filters in their current form, or revokes that.
    ///
    /// # Errors
    /// If there is nothing to trust, a file can't be used, or the settings can't be written; nothing has changed then.
    pub fn trust_filters(&self, project: &Path, trust: bool) -> Result<(), Error> {
        let named = home::as_text(project);
        let new = self.check_trust(project, trust)?.map(|hash| (&*named, hash));
        let written = |(project, hash): (&Path, String)| {
            let mut entry = toml_edit::InlineTable::new();
            entry.insert("project", project.to_string_lossy().into_owned().into());
            entry.insert("hash", hash.into());
            toml_edit::Value::from(entry)
        };
        let list = |now: &Settings| -> toml_edit::Array {
            let others = now.filters.trusted.iter().filter(|known| known.project != *named);
            others
                .map(|known| (known.project.as_path(), known.hash.clone()))
                .chain(new)
                .map(written)
                .collect()
        };
        self.home().ensure().map_err(|error| failure::from_storage(&error))?;
        update_value(self.home(), &["filters", "trusted"], list)
            .map_err(|error| failure::from_storage(&error))
    }

    /// Estimates from the agents' own transcripts what the filters would have kept out of the last `days` days'
    /// sessions. Reads a lot and takes seconds.
    pub fn discover(&self, days: u32) -> discover::Discovered {
        let since_ms = crate::age::before(self.now_ms(), days);
        let set = self.filter_set();
        discover::discover(self.env(), self.home(), since_ms, &|command, exit, text| {
            filters::shorten(&set, command, exit, text)
                .map_or(text.len(), |done| done.with_address(Some(check::ADDRESS)).len())
        })
    }
}
