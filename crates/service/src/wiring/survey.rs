//! What is installed and how it stands, computed from the files at this moment and never from memory.

use agents::{Agent, Finding, Found, Level, Parts, Role, Scope, Trust};
use contract::{AgentReport, AgentState, FileReport, FileState, FoundAt, Sentence, joined};
use edits::Presence;

use super::grouped::{self, Grouped};
use super::{Computer, record, role_word, store};
use crate::Service;

/// One agent with what was found of it.
pub struct Surveyed {
    /// The agent.
    pub agent: &'static dyn Agent,
    /// What was found; `None` when it is not installed.
    pub found: Option<Found>,
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
    computer.remember(service, surveyed.iter().filter_map(|one| one.found.as_ref()));
    surveyed
}

/// Looks at one agent.
pub fn survey_one(service: &Service, computer: &Computer, agent: &'static dyn Agent) -> Surveyed {
    let machine = computer.machine();
    let mut report = AgentReport {
        id: agent.id().to_owned(),
        name: agent.name().to_owned(),
        state: AgentState::NotInstalled,
        version: None,
        products: Vec::new(),
        found: Vec::new(),
        gains: [false; 3],
        files: Vec::new(),
        needs: Vec::new(),
        warnings: Vec::new(),
    };
    let Some(found) = agent.detect(&machine) else { return Surveyed { agent, found: None, report } };
    let gains = agent.gains(&found);
    report.version.clone_from(&found.version);
    report.products.clone_from(&found.products);
    report.gains = [gains.tools, gains.filtering, gains.notes];
    report.found = found
        .evidence
        .iter()
        .map(|seen| FoundAt { how: seen.how.clone(), path: seen.path.clone() })
        .collect();

    let parts = Parts { mcp: true, hooks: true, instructions: true };
    let files = grouped::files(service, computer.env(), agent, &found, &Scope::User, parts);
    let mut presences = Vec::new();
    for file in &files {
        let here = file.presences();
        report.files.push(FileReport {
            path: file.path.clone(),
            roles: file.roles.iter().copied().map(role_word).collect(),
            state: file_state(service, file, &here),
            reason: unreadable(&here).cloned(),
        });
        // The instruction block is an option; its absence says nothing.
        if file.roles != [Role::Instructions] {
            presences.extend(here);
        }
    }
    report.state = state(&presences);
    if report.state == AgentState::NotConnected && record::is_known(service, agent.id(), &Scope::User) {
        // It was connected, nobody disconnected it, and nothing of it is there.
        for (file, _) in report.files.iter_mut().zip(&files).filter(|(_, group)| group.has(Role::Mcp)) {
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
                Trust::Unknown(text) => report.warnings.push(text),
            }
        }
    } else {
        let findings = agent.findings(&machine, &found, None);
        report.warnings.extend(findings.iter().map(in_words));
    }
    if report.state == AgentState::Connected && !report.needs.is_empty() {
        report.state = AgentState::NeedsYou;
    }
    Surveyed { agent, found: Some(found), report }
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
        let removed = store(service)
            .receipt(&file.path)
            .is_some_and(|receipt| !receipt.removal && receipt.hash_after.is_some());
        return if removed { FileState::Removed } else { FileState::Absent };
    }
    if presences.iter().all(is_ours) {
        return FileState::Ours;
    }
    if presences.contains(&Presence::Absent) { FileState::Partly } else { FileState::Outdated }
}
