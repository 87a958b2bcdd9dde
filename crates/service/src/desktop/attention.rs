//! Problems to point out without being asked: agents that don't work as they should, a folder that can't be written,
//! a missing launcher. Reads files and changes nothing.

use std::path::Path;

use contract::desktop::{Attention, Problem, Remedy};
use contract::{AgentReport, AgentState, FileState, Sentence};
use home::Home;

use crate::{Service, doctor, messages, setup};

/// An agent's problem, if it has one. A partial connection counts only once versions are known (`sure`), because they
/// decide which entries belong there.
pub(super) fn of(report: AgentReport, sure: bool) -> Option<Attention> {
    let what = match report.state {
        AgentState::NeedsYou => report.needs.into_iter().next(),
        AgentState::Unreadable => report.files.into_iter().find_map(|file| {
            let reason = file.reason?;
            Some(contract::joined::about(&file.path, reason))
        }),
        AgentState::Partly if sure => {
            Some(report.needs.into_iter().next().unwrap_or_else(|| messages::half_connected(&report.name)))
        }
        _ => return None,
    };
    Some(Attention { id: report.id, name: report.name, state: report.state, what })
}

/// Whether an agent's files name the launcher. In those of one that can't be read, what can be read decides: nothing says
/// that it was ever connected.
pub(super) fn names_launcher(report: &AgentReport) -> bool {
    match report.state {
        AgentState::NotInstalled | AgentState::NotConnected => false,
        AgentState::Unreadable => report
            .files
            .iter()
            .any(|file| matches!(file.state, FileState::Ours | FileState::Outdated | FileState::Partly)),
        _ => true,
    }
}

/// Reports a launcher that is missing, or can't be started, although agents name it.
pub(super) fn launcher(service: &Service, wired: bool) -> Option<Problem> {
    let path = service.home().launcher();
    if !wired || home::launcher::can_start(&path) {
        return None;
    }
    let name = setup::tilde_path(&path, service.env());
    let text = match std::fs::canonicalize(&path) {
        Ok(_) => doctor::messages::launcher_not_startable(name),
        Err(_) => doctor::messages::launcher_missing(name),
    };
    Some(Problem { text, remedy: Remedy::Agents })
}

/// Reports that Plimsoll's folder can't be written or created. Writes nothing itself.
pub(super) fn unwritable(home: &Home) -> Option<Problem> {
    let reason = write_error(home.root())?;
    Some(Problem { text: messages::unwritable(home.root(), reason), remedy: Remedy::Folder })
}

/// Why this folder, or its parent while it doesn't exist, can't be written.
fn write_error(folder: &Path) -> Option<Sentence> {
    let there = folder.ancestors().find(|folder| folder.symlink_metadata().is_ok())?;
    if !there.is_dir() {
        return Some(messages::no_folder(there));
    }
    #[cfg(unix)]
    if let Err(error) = rustix::fs::access(there, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK)
    {
        return Some(Sentence::from(std::io::Error::from(error).to_string()));
    }
    None
}

#[cfg(test)]
mod tests {
    use contract::FileReport;

    use super::*;

    fn report(state: AgentState) -> AgentReport {
        AgentReport {
            id: "codex".into(),
            name: "Codex".into(),
            state,
            project: None,
            version: None,
            products: Vec::new(),
            found: Vec::new(),
            gains: [true; 3],
            works: [false; 3],
            files: Vec::new(),
            needs: Vec::new(),
            warnings: Vec::new(),
        }
    }

    #[test]
    fn only_states_that_do_not_work_are_reported() {
        for (state, sure, told) in [
            (AgentState::Connected, true, false),
            (AgentState::NotConnected, true, false),
            (AgentState::NotInstalled, true, false),
            (AgentState::NeedsYou, false, true),
            (AgentState::Unreadable, false, true),
            (AgentState::Partly, true, true),
            (AgentState::Partly, false, false),
        ] {
            assert_eq!(of(report(state), sure).is_some(), told, "{state:?} {sure}");
        }
    }

    #[test]
    fn an_agent_that_cannot_be_read_names_the_launcher_only_where_an_entry_is_seen() {
        let file = |state| FileReport { path: "/f".into(), roles: Vec::new(), state, reason: None };
        let unreadable = |states: &[FileState]| AgentReport {
            files: states.iter().copied().map(file).collect(),
            ..report(AgentState::Unreadable)
        };
        assert!(!names_launcher(&unreadable(&[FileState::Unreadable, FileState::Absent])));
        assert!(names_launcher(&unreadable(&[FileState::Unreadable, FileState::Ours])));
        for (state, named) in [
            (AgentState::Connected, true),
            (AgentState::Partly, true),
            (AgentState::NeedsYou, true),
            (AgentState::NotConnected, false),
            (AgentState::NotInstalled, false),
        ] {
            assert_eq!(names_launcher(&report(state)), named, "{state:?}");
        }
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_reported_before_any_write() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("deep/plimsoll"));
        assert_eq!(unwritable(&home), None);
        assert!(!dir.path().join("deep").exists(), "looking makes nothing");
        std::fs::write(dir.path().join("deep"), "a file").unwrap();
        let told = unwritable(&home).unwrap();
        assert_eq!(told.remedy, Remedy::Folder);
        assert!(told.text.text().contains("deep"), "{:?}", told.text);
    }
}
