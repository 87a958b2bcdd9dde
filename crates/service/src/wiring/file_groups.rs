//! The files of an agent, joined by path: several roles may live in one file, which is then edited once.

use std::path::PathBuf;

use agents::{Agent, ConfigFile, EntryContext, Installation, Parts, Role, Scope};
use edits::{Edit, Format, Presence};
use home::Env;

use crate::Service;

/// One file with everything that an agent wants in it.
#[derive(Debug, Clone)]
pub(super) struct Grouped {
    pub(super) path: PathBuf,
    pub(super) format: Format,
    pub(super) roles: Vec<Role>,
    pub(super) edits: Vec<Edit>,
}

impl Grouped {
    /// How our entries stand in it, one presence per edit that marks us.
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

/// The files that connect an agent. Of one whose version is not known, those that fit the entries which it has: a version
/// that cannot be told changes nothing.
pub(super) fn files(
    service: &Service,
    env: &Env,
    agent: &dyn Agent,
    found: &Installation,
    scope: &Scope,
    parts: Parts,
) -> Vec<Grouped> {
    let launcher = service.home().launcher();
    let of = |found: &Installation| {
        group(agent.files(&EntryContext { launcher: &launcher, scope, installation: found, parts, env }))
    };
    let usual = of(found);
    let others: Vec<_> = agent.with_possible_versions(found).iter().map(of).collect();
    // The first of those that fit equally well; the usual one, where none fits better.
    std::iter::once(usual.clone()).chain(others).min_by_key(|files| changed(files)).unwrap_or(usual)
}

/// How many entries of ours would be changed, and how many hooks added to those that are there.
fn changed(files: &[Grouped]) -> (usize, usize) {
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
    // Without a hook of ours, hooks are being connected for the first time.
    (other, if hooks == 0 { 0 } else { missing })
}

pub(super) fn former(
    service: &Service,
    env: &Env,
    agent: &dyn Agent,
    found: &Installation,
    scope: &Scope,
) -> Vec<Grouped> {
    let launcher = service.home().launcher();
    let parts = Parts { mcp: true, hooks: true, instructions: true, credentials: None };
    group(agent.former_files(&EntryContext { launcher: &launcher, scope, installation: found, parts, env }))
}

/// The files that other agents read as well.
pub(super) fn shared(service: &Service, env: &Env, agent: &dyn Agent, scope: &Scope) -> Vec<PathBuf> {
    let parts = Parts { mcp: true, hooks: true, instructions: true, credentials: None };
    agents::all()
        .iter()
        .filter(|other| other.id() != agent.id())
        .flat_map(|other| files(service, env, *other, &other.assumed_installation(env), scope, parts))
        .map(|file| file.path)
        .collect()
}

fn group(files: Vec<ConfigFile>) -> Vec<Grouped> {
    let mut grouped: Vec<Grouped> = Vec::new();
    for file in files {
        match grouped.iter_mut().find(|known| known.path == file.path) {
            Some(known) => {
                known.edits.extend(file.edits);
                if !known.roles.contains(&file.role) {
                    known.roles.push(file.role);
                }
            }
            None => grouped.push(Grouped {
                path: file.path,
                format: file.format,
                roles: vec![file.role],
                edits: file.edits,
            }),
        }
    }
    grouped
}
