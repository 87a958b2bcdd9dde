//! The projects that have a knowledge base. A project's key is its folder name below `projects/`, so that it can be
//! read and purged after the project itself is gone.

use std::path::{Path, PathBuf};

use contract::desktop::ProjectView;
use contract::{Error, ErrorCode};
use home::Project;
use knowledge::Store;
use sessions::SessionFilter;

use super::Desktop;
use crate::project_root::{self, NO_PROJECT};
use crate::{Service, failure, messages};

impl Desktop {
    /// Every project with a knowledge base, most recently used first.
    pub fn projects(&self) -> Vec<ProjectView> {
        let home = self.service.home();
        let mut known = None;
        let mut projects: Vec<ProjectView> = std::fs::read_dir(home.projects_dir())
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| entry.path().join("knowledge.db").exists())
            .map(|entry| {
                let key = entry.file_name().to_string_lossy().into_owned();
                let root = self.root_of(&key, &mut known);
                view(key, root, &entry.path().join("knowledge.db"))
            })
            .collect();
        projects.sort_by(|a, b| b.last_ms.cmp(&a.last_ms).then_with(|| a.key.cmp(&b.key)));
        projects
    }

    pub(super) fn root_of(&self, key: &str, known: &mut Option<Vec<Project>>) -> Option<PathBuf> {
        if key == NO_PROJECT {
            return None;
        }
        let home = self.service.home();
        if let Some(root) = project_root::recorded(home, key) {
            return Some(root);
        }
        // Older versions wrote no such file, but sessions record the folders that they worked in.
        let known = known.get_or_insert_with(|| recorded(&self.service));
        known.iter().find(|project| home.project(project).ends_with(key)).map(|project| project.root.clone())
    }

    /// A project's knowledge base.
    ///
    /// # Errors
    /// If the key isn't valid. Keys come from a front end and are never paths.
    pub(super) fn knowledge_db_of(&self, key: &str) -> Result<PathBuf, Error> {
        let plain = is_key(key);
        let path = self.service.home().projects_dir().join(key).join("knowledge.db");
        if plain && path.exists() {
            return Ok(path);
        }
        Err(Error::new(ErrorCode::NotFound, messages::no_such_project(format!("{key:?}"))))
    }

    /// A service that works in this project. An empty key means "outside every project".
    ///
    /// # Errors
    /// If the project's folder is gone or was never recorded.
    pub(super) fn in_project(&self, key: &str) -> Result<Service, Error> {
        let service = self.with_current_settings()?;
        if key.is_empty() || key == NO_PROJECT {
            service.set_project(&[]);
            return Ok(service);
        }
        self.knowledge_db_of(key)?;
        let root = self
            .root_of(key, &mut None)
            .filter(|root| root.is_dir())
            .ok_or_else(|| Error::new(ErrorCode::NotFound, messages::project_folder_gone(key)))?;
        service.set_project(&[root]);
        Ok(service)
    }
}

/// Whether this can be a project key: a folder name, never a path.
pub(super) fn is_key(key: &str) -> bool {
    !key.is_empty()
        && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        && !key.starts_with('.')
}

fn view(key: String, root: Option<PathBuf>, path: &Path) -> ProjectView {
    let name = match &root {
        Some(root) => {
            root.file_name().map_or_else(|| key.clone(), |name| name.to_string_lossy().into_owned())
        }
        None => key.rsplit_once('-').map_or_else(|| key.clone(), |(name, _)| name.to_owned()),
    };
    let exists = root.as_ref().is_some_and(|root| root.is_dir());
    let read = || -> knowledge::Result<Option<(knowledge::Stats, i64)>> {
        let Some(store) = Store::open_read_only(path)? else { return Ok(None) };
        Ok(Some((store.stats()?, store.last_stored_ms()?)))
    };
    let (stats, last_ms, problem) = match read() {
        Ok(Some((stats, last_ms))) => (stats, last_ms, None),
        Ok(None) => (knowledge::Stats::default(), 0, None),
        Err(error) => (knowledge::Stats::default(), 0, Some(failure::from_knowledge(&error))),
    };
    ProjectView {
        root,
        name,
        key,
        exists,
        sources: stats.sources,
        chunks: stats.chunks,
        text_bytes: stats.text_bytes,
        database_bytes: stats.database_bytes,
        last_ms,
        problem,
    }
}

/// The projects that sessions worked in.
fn recorded(service: &Service) -> Vec<Project> {
    let read = || -> Result<Vec<String>, sessions::SessionsError> {
        let Some(sessions) = service.read_record()? else { return Ok(Vec::new()) };
        let page = sessions::Page { offset: 0, limit: 1_000 };
        let found = sessions.sessions(&SessionFilter::default(), page)?;
        Ok(found.items.into_iter().map(|session| session.project).collect())
    };
    let mut roots = read().unwrap_or_default();
    roots.sort();
    roots.dedup();
    roots.iter().filter_map(|root| Project::at(Path::new(root)).ok()).collect()
}
