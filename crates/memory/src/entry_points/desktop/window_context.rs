//! The context of the window's requests: any known project, all of them or none, always as the user.

use std::sync::Arc;

use contract::{Error, LowerError as _};
use home::{Project, Settings};
use system::Host;

use super::types::MemoryGiven;
use crate::actions::{ActionContext, Failure};
use crate::auto_recall::deliveries_since;
use crate::domain::{Memory, is_shared_project, project_key};
use crate::entry_points::run_action::secrets;
use crate::store::{Actor, SqliteStore, Store as _, StoreError, messages};
use crate::work_tree::{WorkTree, keys_in};

/// Stands for every project.
const EVERYWHERE: &str = "*";
/// Maximum number of deliveries shown for a memory.
const MAX_DELIVERIES: usize = 20;

/// The process, with the user as the caller.
pub(super) struct WindowContext {
    host: Arc<dyn Host>,
}

impl WindowContext {
    pub(super) fn new(host: Arc<dyn Host>) -> Self {
        Self { host }
    }

    pub(super) fn host(&self) -> &dyn Host {
        &*self.host
    }

    /// The current settings, read from the file: a window stays open for days.
    pub(super) fn settings(&self) -> Settings {
        Settings::load(self.host.home()).unwrap_or_else(|_| self.host.settings().clone())
    }

    pub(super) fn now_ms(&self) -> i64 {
        self.host.now_ms()
    }

    /// The action context for this project, for all or for none.
    pub(super) fn context(&self, project: &str) -> ActionContext {
        let settings = self.settings();
        let database = crate::paths::database(self.host.home());
        let key = Some(project.to_owned()).filter(|key| !key.is_empty() && key != EVERYWHERE);
        // A local key is a path, and what it had before is told by the folder there.
        let tree = key.as_deref().filter(|key| !is_shared_project(key)).and_then(|key| {
            let folder = self.folders().into_iter().find(|folder| project_key(folder) == key)?;
            WorkTree::of(&folder)
        });
        let keys = key.as_deref().map(|key| keys_in(&database, key, tree.as_ref()));
        ActionContext {
            database,
            root: None,
            project: key,
            earlier: keys.map_or(Vec::new(), |keys| keys.earlier()),
            tree: None,
            branch: None,
            everywhere: project == EVERYWHERE,
            who: Actor::local_user(self.now_ms()),
            utc_offset_min: self.host.utc_offset_min(self.now_ms()),
            shared_rules: None,
            secrets: secrets(&settings),
            shares: crate::entry_points::shared_namespaces::configured(&settings),
            org_server: crate::org::server(&settings),
            embedder: crate::embedding::embedder(self.host.home(), &settings),
            model: crate::model::model(self.host.home(), &settings),
            sampling: system::Sampling::none(),
            wrote: Arc::default(),
        }
    }

    /// The same with the project's folder and branch, if the folder is known.
    pub(super) fn context_in_folder(&self, project: &str) -> ActionContext {
        let context = self.context(project);
        let Some(key) = context.project.as_deref() else { return context };
        let folders = self.folders();
        let of = |keys: &[String]| folders.iter().find(|folder| keys.contains(&project_key(folder))).cloned();
        // Memories under an earlier key belong to the folder that has a new key now.
        let Some(folder) = of(&[key.to_owned()]).or_else(|| of(&context.earlier)) else {
            return context;
        };
        ActionContext {
            utc_offset_min: context.utc_offset_min,
            secrets: context.secrets,
            shares: context.shares,
            org_server: context.org_server,
            embedder: context.embedder,
            model: context.model,
            ..ActionContext::in_project(&context.database, Some(&folder), context.who)
        }
    }

    /// The context for changing a memory: its own project's.
    pub(super) fn context_of(&self, memory: &Memory) -> ActionContext {
        self.context_in_folder(memory.project.as_deref().unwrap_or_default())
    }

    /// The store, and the memory with this id.
    pub(super) fn find(&self, id: &str) -> Result<(SqliteStore, Memory), Error> {
        let missing = || store_error(StoreError::NotFound(id.to_owned()));
        let store = self.context(EVERYWHERE).reader().map_err(action_error)?.ok_or_else(missing)?;
        let memory = store.get(id).map_err(store_error)?.ok_or_else(missing)?;
        Ok((store, memory))
    }

    /// When agents were given this memory unasked, latest first, and how often in total.
    pub(super) fn deliveries(&self, id: &str) -> (Vec<MemoryGiven>, u64) {
        let mut times = Vec::new();
        for line in deliveries_since(self.host.home(), 0) {
            if let Some((_, bytes)) = line.memories.iter().find(|(known, _)| known == id) {
                times.push(MemoryGiven {
                    at_ms: line.at_ms,
                    because: match &line.asked {
                        Some(_) if line.at_tool => "tool",
                        Some(_) => "prompt",
                        None => "start",
                    }
                    .to_owned(),
                    bytes: *bytes,
                    agent: line.agent,
                    session: line.session,
                    asked: line.asked,
                });
            }
        }
        let all = times.len() as u64;
        times.truncate(MAX_DELIVERIES);
        (times, all)
    }

    /// The folders in which agents worked, if they still exist, latest first.
    pub(super) fn folders(&self) -> Vec<Project> {
        system::folders(&*self.host)
    }
}

/// A project's display name from its key: the end of the remote, or the folder's name.
pub(super) fn display_name(key: &str) -> String {
    match key.strip_prefix("local/") {
        Some(local) => local.rsplit_once('-').map_or(local, |(name, _)| name).to_owned(),
        None => key.rsplit('/').next().unwrap_or(key).to_owned(),
    }
}

/// A store's error with a translatable message.
pub(super) fn store_error(error: StoreError) -> Error {
    let printed = error.message();
    Error { message: printed, ..Error::from(Failure::from(error)) }
}

/// An action's error without the number that only programs need.
pub(super) fn action_error(failure: Failure) -> Error {
    failure.into_worded()
}

/// The project has no folder on this computer.
pub(super) fn no_folder(project: &str) -> Error {
    Error::invalid(messages::no_folder(display_name(project)))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_project_is_called_by_the_end_of_its_remote_or_by_its_folder() {
        for (key, name) in [
            ("github.com/acme/shop-web", "shop-web"),
            ("local/shop-0123456789abcdef", "shop"),
            ("local/shop-web-0123456789abcdef", "shop-web"),
            ("shop", "shop"),
        ] {
            assert_eq!(super::display_name(key), name);
        }
    }
}
