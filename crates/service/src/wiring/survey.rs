//! What is installed and how it stands, computed from the files at this moment and never from memory.

use agents::{Agent, Finding, Installation, Level, Parts, Role, Scope, Trust};
use contract::{AgentReport, AgentState, FileReport, FileState, FoundAt, Sentence, joined};
use edits::Presence;

use super::file_groups::{self, Grouped};
use super::{Computer, record, role_word, store};
use crate::Service;

/// One agent with what was found of it.
pub struct Surveyed {
    /// The agent.
    pub agent: &'static dyn Agent,
    /// What was found; `None` when it is not installed.
    pub found: Option<Installation>,
    /// For the front end.
    pub report: AgentReport,
}

/// Looks at every agent, at all of them at once: most of the time goes into programs that tell their version.
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
    computer.remember(service, &surveyed);
    surveyed
}

/// Looks at one agent.
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
        .map(|seen| FoundAt { how: seen.how.clone(), path: seen.path.clone() })
        .collect();

    let (scope, looked) = standing(service, computer, agent, &found);
    report.project = match &scope {
        Scope::User => None,
        Scope::Project(root) => Some(root.clone()),
    };
    report.state = looked.state;
    report.files = looked.reports(service);
    if looked.declined_hooks {
        report.gains = [gains.tools, false, false];
    }
    let Looked { groups: files, presences, .. } = &looked;
    if report.state == AgentState::NotConnected && record::is_known(service, agent.id(), &Scope::User) {
        // It was connected, nobody disconnected it, and nothing of it is there.
        for (file, _) in report.files.iter_mut().zip(files).filter(|(_, group)| group.has(Role::Mcp)) {
            file.state = FileState::Removed;
        }
    }
    if report.state != AgentState::NotConnected {
        for finding in
            agent.findings(&machine, &found, service.has_project().then(|| service.project().root).as_deref())
        {
            let text = in_words(&finding);
            match finding.level {
                Level::NeedsYou => report.needs.push(text),
                Level::Note | Level::Broken => report.warnings.push(text),
            }
        }
        if presences.iter().any(is_ours) && files.iter().any(|file| file.has(Role::Hooks)) {
            match agent.trust(&machine, &found, &service.home().launcher()) {
                Trust::NotNeeded | Trust::Trusted => {}
                Trust::Untrusted(text) => report.needs.push(text),
                Trust::Unknown(text) => match computer.remembered_needs(&report) {
                    known if known.is_empty() => report.warnings.push(text),
                    known => report.needs.extend(known),
                },
            }
        }
    } else {
        let findings = agent.findings(&machine, &found, None);
        report.warnings.extend(findings.iter().map(in_words));
    }
    report.works = works(service, &report, files);
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

/// What of `gains` works at this moment: its entries are there as they should be, the program behind them is too, and nothing is
/// left for the person to approve.
fn works(service: &Service, report: &AgentReport, files: &[Grouped]) -> [bool; 3] {
    if matches!(report.state, AgentState::NotConnected | AgentState::Unreadable)
        || !service.home().launcher().exists()
    {
        return [false; 3];
    }
    let whole = |roles: &[Role]| {
        let mut of = files.iter().filter(|file| roles.iter().any(|role| file.has(*role))).peekable();
        of.peek().is_some() && of.all(|file| file.presences().iter().all(is_ours))
    };
    let hooks = whole(&[Role::Hooks, Role::Plugin]) && report.needs.is_empty();
    let [tools, filtering, notes] = report.gains;
    [tools && whole(&[Role::Mcp]), filtering && hooks, notes && hooks]
}

/// The files of an agent in one scope.
pub(super) struct Looked {
    pub(super) groups: Vec<Grouped>,
    /// Of everything but the instructions, which are an option.
    presences: Vec<Presence>,
    state: AgentState,
    /// The tools are there and no hook is: the person wanted it so.
    declined_hooks: bool,
}

impl Looked {
    fn reports(&self, service: &Service) -> Vec<FileReport> {
        let report = |file: &Grouped| {
            let here = file.presences();
            FileReport {
                path: file.path.clone(),
                roles: file.roles.iter().copied().map(role_word).collect(),
                state: file_state(service, file, &here),
                reason: unreadable(&here).cloned(),
            }
        };
        self.groups.iter().map(report).collect()
    }
}

/// Where the agent is connected, and how: in the user's own configuration, else in a project that is remembered for it.
pub(super) fn standing(
    service: &Service,
    computer: &Computer,
    agent: &'static dyn Agent,
    found: &Installation,
) -> (Scope, Looked) {
    let own = look(service, computer, agent, found, &Scope::User);
    if own.state != AgentState::NotConnected {
        return (Scope::User, own);
    }
    record::connections(service)
        .into_iter()
        .filter(|connection| connection.agent == agent.id() && connection.scope != Scope::User)
        .map(|connection| {
            let looked = look(service, computer, agent, found, &connection.scope);
            (connection.scope, looked)
        })
        .find(|(_, looked)| looked.state != AgentState::NotConnected)
        .unwrap_or((Scope::User, own))
}

fn look(
    service: &Service,
    computer: &Computer,
    agent: &'static dyn Agent,
    found: &Installation,
    scope: &Scope,
) -> Looked {
    let of = |parts| file_groups::files(service, computer.env(), agent, found, scope, parts);
    let ours = |parts| of(parts).iter().flat_map(Grouped::presences).any(|here| is_ours(&here));
    let tools = of(Parts { mcp: true, hooks: false, instructions: false, credentials: None });
    // Hooks that we wrote and that are gone were taken out; where the tools are in the same file, that cannot be told.
    let taken_out =
        |file: &Grouped| wrote(service, file) && tools.iter().all(|other| other.path != file.path);
    let only = Parts { mcp: false, hooks: false, instructions: false, credentials: None };
    let hooks = Parts { hooks: true, ..only };
    let declined_hooks = !of(hooks).is_empty()
        && ours(Parts { mcp: true, ..only })
        && of(hooks).iter().all(|file| {
            let nothing = |here| matches!(here, Presence::Absent | Presence::Foreign);
            file.presences().into_iter().all(nothing) && !taken_out(file)
        });
    let groups = of(Parts { mcp: true, hooks: !declined_hooks, instructions: true, credentials: None });
    let needed = groups.iter().filter(|file| file.roles != [Role::Instructions]);
    let presences: Vec<Presence> = needed.clone().flat_map(Grouped::presences).collect();
    // Entries in a file that another agent reads as well may be that one's: by themselves they make no connection.
    let shared = file_groups::shared(service, computer.env(), agent, scope);
    let own: Vec<Presence> =
        needed.filter(|file| !shared.contains(&file.path)).flat_map(Grouped::presences).collect();
    if !own.is_empty() && state(&own) == AgentState::NotConnected && unreadable(&presences).is_none() {
        return Looked { state: AgentState::NotConnected, groups, presences, declined_hooks };
    }
    Looked { state: state(&presences), groups, presences, declined_hooks }
}

/// What was found, then what to do.
fn in_words(finding: &Finding) -> Sentence {
    joined::finding(finding.what.clone(), finding.remedy.clone())
}

fn is_ours(presence: &Presence) -> bool {
    matches!(presence, Presence::Ours | Presence::OursWithExtras)
}

fn state(presences: &[Presence]) -> AgentState {
    if unreadable(presences).is_some() {
        AgentState::Unreadable
    } else if presences.iter().all(|presence| matches!(presence, Presence::Absent | Presence::Foreign)) {
        AgentState::NotConnected
    } else if presences.iter().all(is_ours) {
        AgentState::Connected
    } else {
        AgentState::Partly
    }
}

fn unreadable(presences: &[Presence]) -> Option<&Sentence> {
    presences.iter().find_map(|presence| match presence {
        Presence::Unreadable(reason) => Some(reason),
        _ => None,
    })
}

fn file_state(service: &Service, file: &Grouped, presences: &[Presence]) -> FileState {
    if unreadable(presences).is_some() {
        return FileState::Unreadable;
    }
    if presences.contains(&Presence::Foreign) {
        return FileState::Foreign;
    }
    if presences.iter().all(|presence| *presence == Presence::Absent) {
        // We wrote it once and it is gone: the person's wish, which is respected.
        return if wrote(service, file) { FileState::Removed } else { FileState::Absent };
    }
    if presences.iter().all(is_ours) {
        return FileState::Ours;
    }
    if presences.contains(&Presence::Absent) { FileState::Partly } else { FileState::Outdated }
}

/// Whether entries of ours are the last thing that we wrote into the file.
fn wrote(service: &Service, file: &Grouped) -> bool {
    store(service).receipt(&file.path).is_some_and(|receipt| !receipt.removal && receipt.hash_after.is_some())
}
