//! Groups an agent's files by path: several roles may share one file, which is then edited once.

use std::path::PathBuf;

use agents::{Agent, ConfigFile, EntryContext, Installation, Parts, Role, Scope};
use edits::{Edit, Format, Presence};
use home::Env;

use crate::Service;

/// One file with all of an agent's edits.
#[derive(Debug, Clone)]
pub(super) struct FileGroup {
    pub(super) path: PathBuf,
    pub(super) format: Format,
    pub(super) roles: Vec<Role>,
    pub(super) edits: Vec<Edit>,
}

impl FileGroup {
    /// The state of each edit that writes an entry.
    pub(super) fn presences(&self) -> Vec<Presence> {
        self.edits
            .iter()
            .filter(|edit| !matches!(edit, Edit::SetIfAbsent { .. }))
            .map(|edit| edits::presence(&self.path, self.format, edit))
            .collect()
    }

    pub(super) fn has(&self, role: Role) -> bool {
        self.roles.contains(&role)
    }
}

/// The files that connect an agent. If its version is unknown, the variant that fits its existing entries best is
/// used, so that a failed version check changes nothing.
pub(super) fn files(
    service: &Service,
    env: &Env,
    agent: &dyn Agent,
    found: &Installation,
    scope: &Scope,
    parts: Parts,
) -> Vec<FileGroup> {
    let launcher = service.home().launcher();
    let of = |found: &Installation| {
        group(agent.files(&EntryContext { launcher: &launcher, scope, installation: found, parts, env }))
    };
    let usual = of(found);
    let others: Vec<_> = agent.with_possible_versions(found).iter().map(of).collect();
    // The first of equally good variants, starting with the usual one.
    std::iter::once(usual.clone()).chain(others).min_by_key(|files| count_changes(files)).unwrap_or(usual)
}

/// How many entries would change, and how many hooks would be added to existing ones.
fn count_changes(files: &[FileGroup]) -> (usize, usize) {
    let (mut other, mut missing, mut hooks) = (0, 0, 0);
    for file in files {
        for edit in &file.edits {
            let hook = matches!(edit, Edit::Put { .. });
            if matches!(edit, Edit::SetIfAbsent { .. }) {
                continue;
            }
            match edits::presence(&file.path, file.format, edit) {
                Presence::Differs => (other, hooks) = (other + 1, hooks + usize::from(hook)),
                Presence::Ours | Presence::OursWithExtras => hooks += usize::from(hook),
                Presence::Absent => missing += usize::from(hook),
                Presence::Foreign | Presence::Unreadable(_) => {}
            }
        }
    }
    // Without an existing hook, hooks are being connected for the first time.
    (other, if hooks == 0 { 0 } else { missing })
}

pub(super) fn former_files(
    service: &Service,
    env: &Env,
    agent: &dyn Agent,
    found: &Installation,
    scope: &Scope,
) -> Vec<FileGroup> {
    let launcher = service.home().launcher();
    let parts = Parts { mcp: true, hooks: true, instructions: true, credentials: None };
    group(agent.former_files(&EntryContext { launcher: &launcher, scope, installation: found, parts, env }))
}

/// The paths that other agents use too.
pub(super) fn shared(service: &Service, env: &Env, agent: &dyn Agent, scope: &Scope) -> Vec<PathBuf> {
    let parts = Parts { mcp: true, hooks: true, instructions: true, credentials: None };
    agents::all()
        .iter()
        .filter(|other| other.id() != agent.id())
        .flat_map(|other| files(service, env, *other, &other.assumed_installation(env), scope, parts))
        .map(|file| file.path)
        .collect()
}

fn group(files: Vec<ConfigFile>) -> Vec<FileGroup> {
    let mut grouped: Vec<FileGroup> = Vec::new();
    for file in files {
        match grouped.iter_mut().find(|known| known.path == file.path) {
            Some(known) => {
                known.edits.extend(file.edits);
                if !known.roles.contains(&file.role) {
                    known.roles.push(file.role);
                }
            }
            None => grouped.push(FileGroup {
                path: file.path,
                format: file.format,
                roles: vec![file.role],
                edits: file.edits,
            }),
        }
    }
    grouped
}
