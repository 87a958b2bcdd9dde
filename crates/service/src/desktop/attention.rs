//! What a person should know of without looking for it: agents that do not work as they should, a folder that cannot be
//! written, a program that entries name and that is gone. Pure but for looking at files; says nothing by itself.

use std::path::Path;

use contract::desktop::{Attention, Problem, Remedy};
use contract::{AgentReport, AgentState, Sentence};
use home::Home;

use crate::{Service, doctor, messages, wiring};

/// What is wrong with an agent, if anything is. Half of the entries being there only counts once versions are known
/// (`sure`): they say which entries belong there.
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

/// That the launcher is gone although agents name it.
pub(super) fn launcher(service: &Service, wired: bool) -> Option<Problem> {
    let path = service.home().launcher();
    (wired && std::fs::canonicalize(&path).is_err()).then(|| Problem {
        text: doctor::messages::launcher_missing(wiring::shown(&path, service.env())),
        remedy: Remedy::Agents,
    })
}

/// That nothing can be written into our folder, or that it cannot be made. Looks and writes nothing.
pub(super) fn unwritable(home: &Home) -> Option<Problem> {
    let reason = refused(home.root())?;
    Some(Problem { text: messages::unwritable(home.root(), reason), remedy: Remedy::Folder })
}

/// Why nothing can be written to this folder or, while it does not exist, beside it.
fn refused(folder: &Path) -> Option<Sentence> {
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
    fn every_state_that_does_not_work_is_told_and_no_other() {
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
    fn a_folder_that_cannot_be_made_is_told_before_anything_is_written() {
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
