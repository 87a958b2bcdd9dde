//! Finds the installed agents and computes their state from the files, never from memory.

use agents::{Agent, Finding, Installation, Level, Parts, Role, Scope, Trust};
use contract::{AgentReport, AgentState, FileReport, FileState, FoundAt, Sentence, joined};
use edits::{Edit, EntryState, Refusal};

use super::file_groups::{self, FileGroup, real, removal_of};
use super::moved_files::moved_files;
use super::{Computer, connections, role_name, store};
use crate::{Service, messages};

/// One agent with its survey.
pub struct Surveyed {
    /// The agent.
    pub agent: &'static dyn Agent,
    /// The installation; `None` if there is none.
    pub found: Option<Installation>,
    /// The report for the front end.
    pub report: AgentReport,
}

/// Surveys every agent in parallel: most of the time is spent in programs that report their version.
pub fn survey(service: &Service, computer: &Computer) -> Vec<Surveyed> {
    let surveyed: Vec<Surveyed> = std::thread::scope(|scope| {
        let looking: Vec<_> = agents::all()
            .iter()
            .map(|agent| (*agent, scope.spawn(move || survey_one(service, computer, *agent))))
            .collect();
        looking
            .into_iter()
            .map(|(agent, looked)| looked.join().unwrap_or_else(|_| survey_one(service, computer, agent)))
            .collect()
    });
    computer.cache_survey(service, &surveyed);
    surveyed
}

/// Surveys one agent.
pub fn survey_one(service: &Service, computer: &Computer, agent: &'static dyn Agent) -> Surveyed {
    let machine = computer.machine();
    let mut report = AgentReport {
        id: agent.id().to_owned(),
        name: agent.name().to_owned(),
        state: AgentState::NotInstalled,
        project: None,
        version: None,
        products: Vec::new(),
        found: Vec::new(),
        gains: [false; 3],
        works: [false; 3],
        files: Vec::new(),
        needs: Vec::new(),
        warnings: Vec::new(),
    };
    let Some(found) = agent.detect(&machine) else { return Surveyed { agent, found: None, report } };
    let gains = agent.capabilities(&found);
    report.version.clone_from(&found.version);
    report.products.clone_from(&found.products);
    report.gains = [gains.tools, gains.filtering, gains.notes];
    report.found = found
        .evidence
        .iter()
        .map(|seen| FoundAt { how: seen.how.clone(), path: home::as_text(&seen.path).into_owned() })
        .collect();

    let (scope, looked) = find_connection(service, computer, agent, &found);
    report.project = match &scope {
        Scope::User => None,
        Scope::Project(root) => Some(home::as_text(root).into_owned()),
    };
    report.state = looked.state;
    report.files = looked.reports(service);
    if looked.declined_hooks {
        report.gains = [gains.tools, false, false];
    }
    let ScopeState { groups: files, entry_states, .. } = &looked;
    if report.state == AgentState::NotConnected
        && connections::is_recorded(service, agent.id(), &Scope::User)
        && moved_files(service, computer, agent, files, &[]).is_empty()
    {
        // It was connected and not disconnected, but its entries are gone.
        for (file, _) in report.files.iter_mut().zip(files).filter(|(_, group)| group.has(Role::Mcp)) {
            file.state = FileState::Removed;
        }
    }
    if report.state != AgentState::NotConnected {
        for finding in
            agent.findings(&machine, &found, service.has_project().then(|| service.project().root).as_deref())
        {
            let text = finding_text(&finding);
            match finding.level {
                Level::NeedsYou => report.needs.push(text),
                Level::Note | Level::Broken => report.warnings.push(text),
            }
        }
        if entry_states.iter().any(is_ours) && files.iter().any(|file| file.has(Role::Hooks)) {
            match agent.trust(&machine, &found, &service.home().launcher()) {
                Trust::NotNeeded | Trust::Trusted => {}
                Trust::Untrusted(text) => report.needs.push(text),
                Trust::Unknown(text) => match computer.cached_needs(&report) {
                    known if known.is_empty() => report.warnings.push(text),
                    known => report.needs.extend(known),
                },
            }
        }
    } else {
        let findings = agent.findings(&machine, &found, None);
        report.warnings.extend(findings.iter().map(finding_text));
    }
    report.needs.extend(edited_files(service, agent, files));
    report.works = working_gains(service, &report, files);
    let project = service.has_project().then(|| service.project().root);
    if let Some(place) = agent.plugin(&found, project.as_deref()) {
        let what = match report.state {
            AgentState::NotConnected => agents::messages::plugin_is_on(agent.name(), &place),
            _ => agents::messages::plugin_too(agent.name(), &place),
        };
        let remedy = agents::messages::one_way_is_enough(agent.plugin_removal());
        report.warnings.push(joined::finding(what, remedy));
    }
    if report.state == AgentState::Connected && !report.needs.is_empty() {
        report.state = AgentState::NeedsYou;
    }
    Surveyed { agent, found: Some(found), report }
}

/// Plimsoll's own files that somebody has edited. They work as they are, connected or not, and no version of Plimsoll
/// replaces them unasked.
fn edited_files(service: &Service, agent: &dyn Agent, files: &[FileGroup]) -> Vec<Sentence> {
    let store = store(service);
    let is_edited = |file: &&FileGroup| removal_of(file, &store).refusal == Some(Refusal::Edited);
    files
        .iter()
        .filter(|file| file.edits.iter().any(|edit| matches!(edit, Edit::Whole { .. })))
        .filter(is_edited)
        .map(|file| messages::file_edited(&file.path, agent.id()))
        .collect()
}

/// Which of the `gains` work now: the entries are up to date, the launcher exists, and nothing waits for the user's
/// approval.
fn working_gains(service: &Service, report: &AgentReport, files: &[FileGroup]) -> [bool; 3] {
    if matches!(report.state, AgentState::NotConnected | AgentState::Unreadable)
        || !service.home().launcher().exists()
    {
        return [false; 3];
    }
    let are_ours = |roles: &[Role]| {
        let mut of = files.iter().filter(|file| roles.iter().any(|role| file.has(*role))).peekable();
        of.peek().is_some() && of.all(|file| file.entry_states().iter().all(is_ours))
    };
    let hooks = are_ours(&[Role::Hooks, Role::Plugin]) && report.needs.is_empty();
    let [tools, filtering, notes] = report.gains;
    [tools && are_ours(&[Role::Mcp]), filtering && hooks, notes && hooks]
}

/// An agent's files in one scope.
pub(super) struct ScopeState {
    pub(super) groups: Vec<FileGroup>,
    /// Without the instructions, which are optional.
    entry_states: Vec<EntryState>,
    state: AgentState,
    /// The tools are connected without any hook, as the user chose.
    declined_hooks: bool,
}

impl ScopeState {
    fn reports(&self, service: &Service) -> Vec<FileReport> {
        let report = |file: &FileGroup| {
            let here = file.entry_states();
            FileReport {
                path: home::as_text(&file.path).into_owned(),
                roles: file.roles.iter().copied().map(role_name).collect(),
                state: file_state(service, file, &here),
                reason: unreadable(&here).cloned(),
            }
        };
        self.groups.iter().map(report).collect()
    }
}

/// Where the agent is connected, and how: the user's configuration, or else a project with a recorded connection.
pub(super) fn find_connection(
    service: &Service,
    computer: &Computer,
    agent: &'static dyn Agent,
    found: &Installation,
) -> (Scope, ScopeState) {
    let own = scope_state(service, computer, agent, found, &Scope::User);
    if own.state != AgentState::NotConnected {
        return (Scope::User, own);
    }
    connections(service)
        .into_iter()
        .filter(|connection| connection.agent == agent.id() && connection.scope != Scope::User)
        .map(|connection| {
            let state = scope_state(service, computer, agent, found, &connection.scope);
            (connection.scope, state)
        })
        .find(|(_, state)| state.state != AgentState::NotConnected)
        .unwrap_or((Scope::User, own))
}

fn scope_state(
    service: &Service,
    computer: &Computer,
    agent: &'static dyn Agent,
    found: &Installation,
    scope: &Scope,
) -> ScopeState {
    let files = |parts| file_groups::files(service, computer.env(), agent, found, scope, parts);
    let ours = |parts| files(parts).iter().flat_map(FileGroup::entry_states).any(|here| is_ours(&here));
    let tools = files(Parts { mcp: true, hooks: false, instructions: false, credentials: None });
    // Hooks in their own file that Plimsoll wrote and that are gone were removed by the user; in the tools' file,
    // that can't be told.
    let was_removed =
        |file: &FileGroup| is_written(service, file) && tools.iter().all(|other| other.path != file.path);
    let only = Parts { mcp: false, hooks: false, instructions: false, credentials: None };
    let hooks = Parts { hooks: true, ..only };
    let declined_hooks = !files(hooks).is_empty()
        && ours(Parts { mcp: true, ..only })
        && files(hooks).iter().all(|file| {
            let nothing = |here| matches!(here, EntryState::Absent | EntryState::Foreign);
            file.entry_states().into_iter().all(nothing) && !was_removed(file)
        });
    let groups = files(Parts { mcp: true, hooks: !declined_hooks, instructions: true, credentials: None });
    let needed = groups.iter().filter(|file| file.roles != [Role::Instructions]);
    let entry_states: Vec<EntryState> = needed.clone().flat_map(FileGroup::entry_states).collect();
    // Entries in a shared file may be another agent's: alone they don't make a connection.
    let shared = file_groups::shared(service, computer.env(), agent, scope);
    let own: Vec<EntryState> =
        needed.filter(|file| !shared.contains(&real(&file.path))).flat_map(FileGroup::entry_states).collect();
    if !own.is_empty() && state(&own) == AgentState::NotConnected && unreadable(&entry_states).is_none() {
        return ScopeState { state: AgentState::NotConnected, groups, entry_states, declined_hooks };
    }
    ScopeState { state: state(&entry_states), groups, entry_states, declined_hooks }
}

/// The finding, then its remedy.
fn finding_text(finding: &Finding) -> Sentence {
    joined::finding(finding.what.clone(), finding.remedy.clone())
}

fn is_ours(entry_state: &EntryState) -> bool {
    matches!(entry_state, EntryState::Ours | EntryState::OursWithExtras)
}

fn state(entry_states: &[EntryState]) -> AgentState {
    if unreadable(entry_states).is_some() {
        AgentState::Unreadable
    } else if entry_states
        .iter()
        .all(|entry_state| matches!(entry_state, EntryState::Absent | EntryState::Foreign))
    {
        AgentState::NotConnected
    } else if entry_states.iter().all(is_ours) {
        AgentState::Connected
    } else {
        AgentState::Partly
    }
}

fn unreadable(entry_states: &[EntryState]) -> Option<&Sentence> {
    entry_states.iter().find_map(|entry_state| match entry_state {
        EntryState::Unreadable(reason) => Some(reason),
        _ => None,
    })
}

fn file_state(service: &Service, file: &FileGroup, entry_states: &[EntryState]) -> FileState {
    if unreadable(entry_states).is_some() {
        return FileState::Unreadable;
    }
    if entry_states.contains(&EntryState::Foreign) {
        return FileState::Foreign;
    }
    if entry_states.iter().all(|entry_state| *entry_state == EntryState::Absent) {
        // Plimsoll wrote it and it is gone: the user removed it, and that is respected.
        return if is_written(service, file) { FileState::Removed } else { FileState::Absent };
    }
    if entry_states.iter().all(is_ours) {
        return FileState::Ours;
    }
    if entry_states.contains(&EntryState::Absent) { FileState::Partly } else { FileState::Outdated }
}

/// Whether the last thing Plimsoll did in the file was to write its entries.
fn is_written(service: &Service, file: &FileGroup) -> bool {
    store(service).receipt(&file.path).is_some_and(|receipt| !receipt.removal && receipt.hash_after.is_some())
}
