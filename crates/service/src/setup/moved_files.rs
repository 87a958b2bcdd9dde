//! Finds the files with an agent's entries that nothing points to now: a variable moved the agent's folder then and isn't
//! set here, or a profile is no longer listed. Only receipts tell where they are. Doesn't plan anything.

use std::path::{Path, PathBuf};

use agents::{Agent, Installation, Scope};
use edits::{Edit, Entry, FileReceipt};
use serde_json::Value;

use super::file_groups::{FileGroup, all_files, detect_or_assume, real};
use super::{Computer, connections, store};
use crate::Service;

/// Files outside of projects with the entries of `agent`, whose usual files are `groups`. Without those that agents other
/// than `leaving` share. Empty if the record can't be read, because it tells which files are a project's.
pub(super) fn moved_files(
    service: &Service,
    computer: &Computer,
    agent: &dyn Agent,
    groups: &[FileGroup],
    leaving: &[&'static dyn Agent],
) -> Vec<FileGroup> {
    let is_connected = |agent: &dyn Agent| connections::is_recorded(service, agent.id(), &Scope::User);
    let usual: Vec<PathBuf> = groups.iter().map(|group| real(&group.path)).collect();
    let mut moved: Vec<FileReceipt> = store(service).receipts();
    moved.retain(|receipt| {
        receipt.path.exists()
            && !usual.contains(&real(&receipt.path))
            && groups.iter().any(|group| is_of(receipt, group))
    });
    if moved.is_empty() || !is_connected(agent) {
        return Vec::new();
    }
    let of_projects = project_files(service, computer);
    let stays = |other: &&&'static dyn Agent| {
        other.id() != agent.id()
            && leaving.iter().all(|gone| gone.id() != other.id())
            && is_connected(**other)
    };
    let shared: Vec<FileGroup> = agents::all()
        .iter()
        .filter(stays)
        .flat_map(|other| files_of(service, computer, *other, &Scope::User))
        .collect();
    moved.retain(|receipt| {
        !of_projects.contains(&real(&receipt.path)) && !shared.iter().any(|group| is_of(receipt, group))
    });
    let in_place = |receipt: FileReceipt| {
        let group = groups.iter().find(|group| is_of(&receipt, group))?;
        let here = files_beside(service, computer, agent, &receipt.path);
        let here = here.into_iter().find(|file| file.path == receipt.path && is_of(&receipt, file));
        Some(here.unwrap_or_else(|| FileGroup { path: receipt.path, ..group.clone() }))
    };
    moved.into_iter().filter_map(in_place).collect()
}

/// The agent's files as they are where the folder of this one is the agent's: some edits depend on what's in the file
/// beside it, such as Codex's approvals of the hooks there.
fn files_beside(service: &Service, computer: &Computer, agent: &dyn Agent, file: &Path) -> Vec<FileGroup> {
    let Some(folder) = file.parent() else { return Vec::new() };
    let usual = detect_or_assume(&computer.machine_without_programs(), agent);
    let there = Installation { config_dir: folder.to_owned(), more_dirs: Vec::new(), ..usual };
    all_files(service, computer, agent, &there, &Scope::User)
}

fn files_of(service: &Service, computer: &Computer, agent: &dyn Agent, scope: &Scope) -> Vec<FileGroup> {
    let found = detect_or_assume(&computer.machine_without_programs(), agent);
    all_files(service, computer, agent, &found, scope)
}

/// The files of every agent in the projects with a connection.
fn project_files(service: &Service, computer: &Computer) -> Vec<PathBuf> {
    let mut scopes: Vec<Scope> = Vec::new();
    for connection in connections(service) {
        if connection.scope != Scope::User && !scopes.contains(&connection.scope) {
            scopes.push(connection.scope);
        }
    }
    let files = scopes.iter().flat_map(|scope| {
        agents::all().iter().flat_map(move |agent| files_of(service, computer, *agent, scope))
    });
    files.map(|file| real(&file.path)).collect()
}

/// Whether one of this file's edits wrote an entry of the receipt.
fn is_of(receipt: &FileReceipt, group: &FileGroup) -> bool {
    // Plimsoll's own files have one name for each agent, and another text with each version.
    let same_name = receipt.path.file_name() == group.path.file_name();
    let is_written_by = |entry: &Entry, edit: &Edit| match edit {
        Edit::Whole { .. } => same_name && entry.path.is_empty(),
        edit => wrote(edit, entry),
    };
    receipt.entries.iter().any(|entry| group.edits.iter().any(|edit| is_written_by(entry, edit)))
}

fn wrote(edit: &Edit, entry: &Entry) -> bool {
    match edit {
        // Agents' servers differ in their arguments; the launcher may have been elsewhere.
        Edit::Set { path, value, ours, .. } => {
            *path == entry.path && ours.is(&entry.value) && arguments(value) == arguments(&entry.value)
        }
        Edit::Put { path, ours, .. } => *path == entry.path && ours.is(&entry.value),
        Edit::Block { id, text, .. } => {
            entry.path == std::slice::from_ref(id) && entry.value.as_str() == Some(text.as_str())
        }
        Edit::Whole { .. } | Edit::SetIfAbsent { .. } | Edit::RenameOnRemoval { .. } => false,
    }
}

/// The words after the launcher: an entry's `args`, or what follows in its list `command`.
fn arguments(entry: &Value) -> Option<&[Value]> {
    let beside = entry.get("args").and_then(Value::as_array).map(Vec::as_slice);
    beside.or_else(|| entry.get("command")?.as_array()?.get(1..))
}
