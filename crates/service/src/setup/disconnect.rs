//! Plans disconnections: removes Plimsoll's entries from every file, including places that earlier versions used and
//! folders that an agent was moved from.

use std::path::{Path, PathBuf};

use agents::{Agent, Parts, Role, Scope};
use contract::Error;
use edits::{Change, Edit, EntryState, FilePlan};

use super::connect::plan_file;
use super::file_groups::{self, FileGroup, all_files, detect_or_assume, real, removal_of};
use super::moved_files::moved_files;
use super::plan::{AgentPlan, Plan};
use super::{Computer, connections, store};
use crate::{Service, messages};

/// Plans to disconnect these agents (all if none is named). Also works for an agent that has been uninstalled,
/// because its files may still exist.
///
/// # Errors
/// If an ID is unknown.
pub fn plan_disconnect(
    service: &Service,
    computer: &Computer,
    ids: &[String],
    scope: &Scope,
) -> Result<Plan, Error> {
    let disconnecting = super::agents_by_name(ids)?;
    let store = store(service);
    let mut planned = Vec::new();
    for agent in &disconnecting {
        let found = detect_or_assume(&computer.machine(), *agent);
        let mut notes = Vec::new();
        let mut files = Vec::new();
        let usual = all_files(service, computer, *agent, &found, scope);
        let moved = match scope {
            Scope::User => moved_files(service, computer, *agent, &usual, &disconnecting),
            Scope::Project(_) => Vec::new(),
        };
        for mut group in usual {
            let others = shared_with(service, computer, &group, *agent, &disconnecting, scope);
            if let Some((other, theirs)) = others.first() {
                notes.push(messages::stays_for(&group.path, *other));
                files.extend(rewritten_for(theirs, &group));
                group.edits.retain(|edit| !others.iter().any(|(_, there)| there.has_place(edit)));
                if group.edits.is_empty() {
                    continue;
                }
            }
            let mut plan = removal_of(&group, &store);
            if !plan.remains.is_empty() {
                group.places_of_others = places_of_others(service, computer, &group, *agent, scope);
                plan.remains.retain(|place| !group.places_of_others.contains(place));
            }
            files.push((group, plan));
        }
        let moved = moved.into_iter().map(|group| {
            let plan = removal_of(&group, &store);
            (group, plan)
        });
        files.extend(moved.filter(|(_, plan)| plan.change != Change::Unchanged || !plan.remains.is_empty()));
        planned.push(AgentPlan { agent: *agent, found, files, notes });
    }
    assign_shared_files(&mut planned);
    Ok(Plan::new(service, planned, true, scope))
}

/// What makes a shared entry that stays the other agent's, if it's still as the leaving one wrote it: it names that agent, and
/// the text of a block names tools as that agent shows them. `None` where nothing has to change.
fn rewritten_for(theirs: &FileGroup, leaving: &FileGroup) -> Option<(FileGroup, FilePlan)> {
    let is_as_left = |edit: &Edit| {
        let same: Vec<&Edit> = leaving.edits.iter().filter(|left| left.place() == edit.place()).collect();
        let states = edits::entry_states(&leaving.path, leaving.format, &same);
        states.iter().any(|here| matches!(here, EntryState::Ours | EntryState::OursWithExtras))
    };
    let is_rewritten = |edit: &&Edit| match edit {
        Edit::Set { value, .. } => !value.is_null() && is_as_left(edit),
        Edit::Block { .. } => is_as_left(edit),
        _ => false,
    };
    let edits = theirs.edits.iter().filter(is_rewritten).cloned().collect();
    let group = FileGroup { edits, ..theirs.clone() };
    if !group.entry_states().contains(&EntryState::Differs) {
        return None;
    }
    let plan = plan_file(&group);
    (plan.change == Change::Modify).then_some((group, plan))
}

/// Removes a file with shared entries from the plans of agents that nobody connected, which are those without an entry of
/// their own. If none has one, the first agent keeps it. Two agents may have an entry each in the same file: these are their
/// own.
fn assign_shared_files(planned: &mut [AgentPlan]) {
    let changed: Vec<Vec<(PathBuf, FileGroup)>> = planned
        .iter()
        .map(|one| {
            let changed = one.files.iter().filter(|(_, plan)| plan.change != Change::Unchanged);
            changed.map(|(group, plan)| (plan.target.clone(), group.clone())).collect()
        })
        .collect();
    let has = |index: usize, target: &Path, group: &FileGroup| {
        changed[index].iter().any(|(path, there)| path.as_path() == target && group.is_covered_by(there))
    };
    let others = |index: usize, target: &Path, group: &FileGroup| {
        (0..changed.len()).any(|other| other != index && has(other, target, group))
    };
    let connected: Vec<bool> = (0..changed.len())
        .map(|index| changed[index].iter().any(|(target, group)| !others(index, target, group)))
        .collect();
    for (index, one) in planned.iter_mut().enumerate().filter(|(index, _)| !connected[*index]) {
        one.files.retain(|(group, plan)| {
            let has = |other: usize| has(other, &plan.target, group);
            let owner = (0..changed.len())
                .find(|other| connected[*other] && has(*other))
                .or_else(|| (0..changed.len()).find(|other| has(*other)));
            plan.change == Change::Unchanged || owner == Some(index)
        });
    }
}

/// Whether two agents have an entry at the same place of the same file, by whatever name: `CLAUDE.md` may be a link to
/// `AGENTS.md`. Two agents may also have one each, such as their own blocks in a project's `AGENTS.md`: then each goes with
/// its agent.
fn share_an_entry(one: &FileGroup, other: &FileGroup) -> bool {
    one.has_place_of(other) && is_same_file(one, other)
}

/// Whether two names open one file: `~/.kiro/settings/mcp.json` may be a link of either kind to `~/.claude.json`.
fn is_same_file(one: &FileGroup, other: &FileGroup) -> bool {
    let (one, other) = (&one.path, &other.path);
    one == other || real(one) == real(other) || edits::are_hard_links(one, other)
}

/// The places where other agents have their entries in the file, which may be theirs by a link: VS Code has its servers elsewhere in
/// a file than Cursor. Only entries that are there count: at a place where both would write, something else may hide an entry of the
/// agent that leaves.
fn places_of_others(
    service: &Service,
    computer: &Computer,
    group: &FileGroup,
    agent: &dyn Agent,
    scope: &Scope,
) -> Vec<String> {
    let writes = |edit: &&Edit| !matches!(edit, Edit::Set { value, .. } if value.is_null());
    let mut places = Vec::new();
    for other in agents::all().iter().filter(|other| other.id() != agent.id()) {
        let found = detect_or_assume(&computer.machine_without_programs(), *other);
        let files = all_files(service, computer, *other, &found, scope);
        for file in files.iter().filter(|file| is_same_file(file, group)) {
            places.extend(file.entries_there().into_iter().filter(writes).map(Edit::place));
        }
    }
    places
}

/// The other agents that stay connected and need an entry of this file: their names, and what they have there.
fn shared_with(
    service: &Service,
    computer: &Computer,
    group: &FileGroup,
    agent: &dyn Agent,
    disconnecting: &[&'static dyn Agent],
    scope: &Scope,
) -> Vec<(&'static str, FileGroup)> {
    agents::all()
        .iter()
        .filter(|other| other.id() != agent.id() && !disconnecting.iter().any(|gone| gone.id() == other.id()))
        .filter_map(|other| {
            // Unnamed agents' programs aren't started: their files show whether they are connected.
            let found = detect_or_assume(&computer.machine_without_programs(), *other);
            let parts = Parts { mcp: true, hooks: true, instructions: true, credentials: None };
            let files = file_groups::files(service, computer.env(), *other, &found, scope, parts);
            if !files.iter().any(|file| share_an_entry(group, file)) {
                return None;
            }
            // The other agent is connected if the file with its server entry says so or, if that is this very file, or one
            // where the entry may be a third agent's, if it was connected in this scope.
            let is_recorded = || connections::is_recorded(service, other.id(), scope);
            let may_be_a_thirds = |file: &FileGroup| {
                file_groups::shared(service, computer.env(), *other, scope).contains(&real(&file.path))
            };
            let in_project = *scope != Scope::User && group.has(Role::Mcp);
            let is_here = files.iter().any(|file| file.has(Role::Mcp) && is_same_file(file, group));
            let ours = |here: &EntryState| {
                matches!(here, EntryState::Ours | EntryState::OursWithExtras | EntryState::Differs)
            };
            let is_connected = (in_project || is_here) && is_recorded()
                || files
                    .iter()
                    .filter(|file| file.has(Role::Mcp) && !is_same_file(file, group))
                    .filter(|file| file.entry_states().iter().any(ours))
                    .any(|file| is_recorded() || !may_be_a_thirds(file));
            if !is_connected {
                return None;
            }
            let all = all_files(service, computer, *other, &found, scope);
            all.into_iter().find(|file| share_an_entry(group, file)).map(|file| (other.name(), file))
        })
        .collect()
}

#[cfg(all(test, unix))]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]
mod tests {
    use agents::Parts;
    use home::{Clock, Env};

    use super::super::{Request, apply, plan_connect};
    use super::*;

    /// An agent's program that records each start and reports its version.
    fn program(dir: &Path, name: &str, says: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        let path = dir.join("bin").join(name);
        std::fs::create_dir_all(dir.join("bin")).unwrap();
        let asked = dir.join("asked");
        std::fs::write(&path, format!("#!/bin/sh\necho {name} >> '{}'\necho '{says}'\n", asked.display()))
            .unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn an_entry_goes_with_its_agent_though_another_has_one_in_the_same_file() {
        let dir = tempfile::tempdir().unwrap();
        program(dir.path(), "codex", "codex-cli 0.169.0");
        program(dir.path(), "opencode", "1.18.33");
        let project = dir.path().join("shop");
        std::fs::create_dir_all(project.join(".git")).unwrap();
        let path = format!("{}:/usr/bin:/bin", dir.path().join("bin").display());
        let env = Env::for_test(dir.path()).with("PATH", &path).with("SHELL", "/bin/sh");
        let service = Service::new(env, Clock::fixed(5)).unwrap();
        let scope = Scope::Project(project.clone());
        let parts = Parts { mcp: true, hooks: true, instructions: true, credentials: None };
        let agents = vec!["codex".to_owned(), "opencode".to_owned()];
        let request = Request { agents: agents.clone(), scope: scope.clone(), parts };
        let plan = plan_connect(&service, &Computer::for_named_agents(&service), &request).unwrap();
        let binary = dir.path().join("bin/codex");
        apply(&service, &plan, &binary, |_| {}).unwrap();
        let blocks = || {
            let text = std::fs::read_to_string(project.join("AGENTS.md")).unwrap_or_default();
            text.matches("plimsoll:begin").count()
        };
        assert_eq!(blocks(), 2);
        for (agent, left) in agents.iter().zip([1, 0]) {
            let agent = std::slice::from_ref(agent);
            let plan =
                plan_disconnect(&service, &Computer::for_named_agents(&service), agent, &scope).unwrap();
            apply(&service, &plan, &binary, |_| {}).unwrap();
            assert_eq!(blocks(), left, "{agent:?}");
        }
        assert!(!project.join("AGENTS.md").exists(), "Plimsoll created it, and nothing is left in it");
    }

    #[test]
    fn a_plan_for_one_agent_asks_no_other_agents_program() {
        let dir = tempfile::tempdir().unwrap();
        program(dir.path(), "codex", "codex-cli 0.169.0");
        program(dir.path(), "opencode", "1.18.33");
        std::fs::create_dir_all(dir.path().join(".codex")).unwrap();
        let path = format!("{}:/usr/bin:/bin", dir.path().join("bin").display());
        let env = Env::for_test(dir.path()).with("PATH", &path).with("SHELL", "/bin/sh");
        let service = Service::new(env, Clock::fixed(5)).unwrap();
        let codex = vec!["codex".to_owned()];
        let parts = Parts { mcp: true, hooks: true, instructions: false, credentials: None };
        let request = Request { agents: codex.clone(), scope: Scope::User, parts };
        let plan = plan_connect(&service, &Computer::for_named_agents(&service), &request).unwrap();
        let binary = dir.path().join("bin/codex");
        apply(&service, &plan, &binary, |_| {}).unwrap();

        let _ = std::fs::remove_file(dir.path().join("asked"));
        let plan =
            plan_disconnect(&service, &Computer::for_named_agents(&service), &codex, &Scope::User).unwrap();
        assert!(!plan.is_empty(), "there was something to disconnect");
        let asked = std::fs::read_to_string(dir.path().join("asked")).unwrap_or_default();
        assert!(!asked.contains("opencode"), "asked: {asked}");
    }
}
