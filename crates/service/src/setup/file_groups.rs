//! Groups an agent's files by path: several roles may share one file, which is then edited once.

use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use agents::{Agent, ConfigFile, EntryContext, Installation, Machine, Parts, Role, Scope};
use contract::Sentence;
use edits::{Change, Edit, EntryState, FilePlan, Format, Refusal, Store};
use home::Env;

use super::Computer;
use crate::Service;

/// How much of a file is looked through at once, in bytes.
const PIECE: u64 = 1024 * 1024;

/// One file with all of an agent's edits.
#[derive(Debug, Clone)]
pub(super) struct FileGroup {
    pub(super) path: PathBuf,
    pub(super) format: Format,
    pub(super) roles: Vec<Role>,
    pub(super) edits: Vec<Edit>,
    /// Where other agents have entries in this file: what is there isn't left over by this one.
    pub(super) places_of_others: Vec<String>,
}

impl FileGroup {
    /// The state of each edit that writes an entry.
    pub(super) fn entry_states(&self) -> Vec<EntryState> {
        edits::entry_states(&self.path, self.format, &self.entries().collect::<Vec<_>>())
    }

    /// The edits that write an entry.
    fn entries(&self) -> impl Iterator<Item = &Edit> {
        self.edits.iter().filter(|edit| !matches!(edit, Edit::SetIfAbsent { .. }))
    }

    pub(super) fn has(&self, role: Role) -> bool {
        self.roles.contains(&role)
    }

    /// Whether the other's edits have one at the same place as one of these. Two agents may also have an entry each in one
    /// file, such as their own blocks in a project's `AGENTS.md`.
    pub(super) fn has_place_of(&self, other: &FileGroup) -> bool {
        self.edits.iter().any(|edit| other.has_place(edit))
    }

    /// Whether one of these edits is at the same place as this one. A list may have an element of each agent: there it has to
    /// be the same agent's, such as the hooks that two agents share.
    pub(super) fn has_place(&self, edit: &Edit) -> bool {
        let is_same_agents = |there: &Edit| match (there, edit) {
            (Edit::Put { ours, .. }, Edit::Put { value, .. }) => ours.is(value),
            _ => true,
        };
        self.edits.iter().any(|there| there.place() == edit.place() && is_same_agents(there))
    }

    /// Whether the other's edits have one at a place of these, and at each where the file has an entry now: two agents' files
    /// may be one by a link, with hooks in it that only one of them has.
    pub(super) fn is_covered_by(&self, other: &FileGroup) -> bool {
        self.has_place_of(other) && self.entries_there().into_iter().all(|edit| other.has_place(edit))
    }

    /// The edits whose entry the file has now.
    pub(super) fn entries_there(&self) -> Vec<&Edit> {
        let entries: Vec<&Edit> = self.entries().collect();
        let states = edits::entry_states(&self.path, self.format, &entries);
        let there = entries.into_iter().zip(states).filter(|(_, entry_state)| is_there(entry_state));
        there.map(|(edit, _)| edit).collect()
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
    let mut variants = variants(service, env, agent, found, scope, parts);
    let best = best_variant(&variants);
    variants.swap_remove(best)
}

/// The files that any version of the agent may have an entry in, each once.
pub(super) fn files_of_any_version(
    service: &Service,
    env: &Env,
    agent: &dyn Agent,
    found: &Installation,
    scope: &Scope,
    parts: Parts,
) -> Vec<FileGroup> {
    let mut variants = variants(service, env, agent, found, scope, parts);
    let best = best_variant(&variants);
    let mut files = variants.swap_remove(best);
    for file in variants.into_iter().flatten() {
        if files.iter().all(|known| known.path != file.path) {
            files.push(file);
        }
    }
    files
}

/// The files by version; the usual ones first.
fn variants(
    service: &Service,
    env: &Env,
    agent: &dyn Agent,
    found: &Installation,
    scope: &Scope,
    parts: Parts,
) -> Vec<Vec<FileGroup>> {
    let launcher = service.home().launcher();
    let of = |found: &Installation| {
        group(agent.files(&EntryContext { launcher: &launcher, scope, installation: found, parts, env }))
    };
    std::iter::once(of(found)).chain(agent.with_possible_versions(found).iter().map(of)).collect()
}

/// The first of equally good variants.
fn best_variant(variants: &[Vec<FileGroup>]) -> usize {
    if variants.len() < 2 {
        return 0;
    }
    let seen = entries_seen(variants);
    let mut there: Vec<(&Path, String)> = Vec::new();
    for entry in seen.iter().flatten().filter(|entry| is_there(&entry.entry_state)) {
        if !there.iter().any(|(path, place)| (*path, place) == (entry.path, &entry.place)) {
            there.push((entry.path, entry.place.clone()));
        }
    }
    (0..seen.len()).min_by_key(|index| count_changes(&seen[*index], &there)).unwrap_or_default()
}

/// One entry of a variant, and the value in its place.
struct EntrySeen<'f> {
    path: &'f Path,
    place: String,
    hook: bool,
    entry_state: EntryState,
}

/// What each variant finds. A file is read once, however many variants have entries in it.
fn entries_seen(variants: &[Vec<FileGroup>]) -> Vec<Vec<EntrySeen<'_>>> {
    let mut files: Vec<(&Path, Format)> = Vec::new();
    for file in variants.iter().flatten() {
        if !files.contains(&(file.path.as_path(), file.format)) {
            files.push((file.path.as_path(), file.format));
        }
    }
    let mut seen: Vec<Vec<EntrySeen<'_>>> = variants.iter().map(|_| Vec::new()).collect();
    for (path, format) in files {
        let mut places = Vec::new();
        let mut entries = Vec::new();
        for (of_variant, groups) in variants.iter().enumerate() {
            let same = groups.iter().filter(|file| file.path == path && file.format == format);
            for edit in same.flat_map(FileGroup::entries) {
                places.push(of_variant);
                entries.push(edit);
            }
        }
        let states = edits::entry_states(path, format, &entries);
        for ((of_variant, edit), entry_state) in places.into_iter().zip(&entries).zip(states) {
            let hook = matches!(edit, Edit::Put { .. });
            if let Some(found) = seen.get_mut(of_variant) {
                found.push(EntrySeen { path, place: edit.place(), hook, entry_state });
            }
        }
    }
    seen
}

fn is_there(entry_state: &EntryState) -> bool {
    matches!(entry_state, EntryState::Ours | EntryState::OursWithExtras | EntryState::Differs)
}

/// How many entries would change or stay behind; how many of them the variant doesn't have, so that nothing would bring them up to
/// date; and how many hooks would be added to existing ones.
fn count_changes(seen: &[EntrySeen<'_>], there: &[(&Path, String)]) -> (usize, usize, usize) {
    let (mut changed, mut missing, mut hooks) = (0, 0, 0);
    for entry in seen {
        match entry.entry_state {
            EntryState::Differs => (changed, hooks) = (changed + 1, hooks + usize::from(entry.hook)),
            EntryState::Ours | EntryState::OursWithExtras => hooks += usize::from(entry.hook),
            EntryState::Absent => missing += usize::from(entry.hook),
            EntryState::Foreign | EntryState::Unreadable(_) => {}
        }
    }
    let has = |(path, place): &&(&Path, String)| {
        seen.iter().any(|entry| (entry.path, &entry.place) == (*path, place))
    };
    let left = there.len() - there.iter().filter(has).count();
    // Without an existing hook, hooks are being connected for the first time.
    (changed + left, left, if hooks == 0 { 0 } else { missing })
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

/// The name that a file has without links.
pub(super) fn real(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The paths that other agents use too, without links.
pub(super) fn shared(service: &Service, env: &Env, agent: &dyn Agent, scope: &Scope) -> Vec<PathBuf> {
    let parts = Parts { mcp: true, hooks: true, instructions: true, credentials: None };
    agents::all()
        .iter()
        .filter(|other| other.id() != agent.id())
        .flat_map(|other| files(service, env, *other, &other.assumed_installation(env), scope, parts))
        .map(|file| real(&file.path))
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
                places_of_others: Vec::new(),
            }),
        }
    }
    grouped
}

/// What removes Plimsoll's entries from a file.
pub(super) fn removal_of(group: &FileGroup, store: &Store) -> FilePlan {
    let receipt = store.receipt_for_removal(&group.path);
    let mut plan = edits::plan_removal(&group.path, group.format, &group.edits, receipt.as_ref());
    if cannot_have_an_entry(&plan) {
        (plan.change, plan.refusal) = (Change::Unchanged, None);
    }
    plan
}

/// Whether a file that can't be edited has no entry all the same: every entry has Plimsoll's name, and this file doesn't.
fn cannot_have_an_entry(plan: &FilePlan) -> bool {
    match &plan.refusal {
        Some(Refusal::NotAFile { .. }) => true,
        Some(Refusal::Syntax { .. } | Refusal::NotUtf8 { .. }) => {
            !names_plimsoll(plan.before.as_deref().unwrap_or_default())
        }
        // The plan hasn't read it. A file that is too large to be edited may have an entry from when it was smaller.
        Some(Refusal::NotUtf8Path | Refusal::TooLarge { .. }) => match file_names_plimsoll(&plan.path) {
            Ok(is_named) => !is_named,
            Err(error) => error.kind() == ErrorKind::NotFound,
        },
        _ => false,
    }
}

/// Whether a file of any size contains Plimsoll's name.
fn file_names_plimsoll(path: &Path) -> std::io::Result<bool> {
    // The name may be on both sides of a piece's end, in two or four bytes a letter.
    const OVERLAP: usize = agents::SERVER_KEY.len() * 4;
    let mut file = home::open_regular(path)?;
    let mut text = Vec::new();
    loop {
        text.drain(..text.len().saturating_sub(OVERLAP));
        if file.by_ref().take(PIECE).read_to_end(&mut text)? == 0 {
            return Ok(false);
        }
        if names_plimsoll(&text) {
            return Ok(true);
        }
    }
}

/// Whether a text contains Plimsoll's name in an encoding that keeps ASCII letters.
fn names_plimsoll(bytes: &[u8]) -> bool {
    // In UTF-16 there is a zero after each letter.
    let letters = bytes.iter().filter(|byte| **byte != 0);
    let text: Vec<u8> = letters.map(u8::to_ascii_lowercase).collect();
    String::from_utf8_lossy(&text).contains(agents::SERVER_KEY)
}

/// That entries of Plimsoll's are left, and where.
pub(super) fn entries_left(places: &[String]) -> Option<Sentence> {
    (!places.is_empty()).then(|| edits::messages::left(places.join(", ")))
}

pub(super) fn detect_or_assume(machine: &Machine<'_>, agent: &dyn Agent) -> Installation {
    agent.detect(machine).unwrap_or_else(|| agent.assumed_installation(machine.env))
}

/// Every file that may contain entries, including those of earlier versions.
pub(super) fn all_files(
    service: &Service,
    computer: &Computer,
    agent: &dyn Agent,
    found: &Installation,
    scope: &Scope,
) -> Vec<FileGroup> {
    let parts = Parts { mcp: true, hooks: true, instructions: true, credentials: None };
    let mut files = files_of_any_version(service, computer.env(), agent, found, scope, parts);
    for old in former_files(service, computer.env(), agent, found, scope) {
        match files.iter_mut().find(|file| file.path == old.path) {
            Some(file) => file.edits.extend(old.edits),
            None => files.push(old),
        }
    }
    files
}
