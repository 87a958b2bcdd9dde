//! Unrequested hints from the current index: better places after a search with no hits or too many (`search_results`), a large
//! file's definitions (`outline`), users of an edited definition (`usages`; `touched` finds the definition, `same_code` passes over
//! edits of comments and layout), importers of a removed or moved file (`gone`), copies of existing code (`duplicates`), the project's
//! overview (`session_start`), and new checker results (`new_diagnostics`). Short, once a session for each subject (`session_notes`),
//! and only when certain. `search_calls` (with `search_options`), `edits` and `removals` parse the tool calls.
//!
//! A hook runs this while an agent waits: it reads single rows of one database and the files it names. It loads no grammar, starts
//! nothing, and on any failure gives no hint.

mod duplicates;
mod edits;
mod gone;
mod new_diagnostics;
mod outline;
mod removals;
mod same_code;
mod search_calls;
mod search_options;
mod search_results;
mod session_notes;
mod session_start;
mod touched;
mod usages;

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use agents::{EventKind, ToolCall, ToolKind};
use code::Store;
use home::{Project, git_root};
use serde_json::Value;
use system::{ModelContext, PendingEvent, Readable};

pub(crate) use session_notes::forget_old;

use crate::reply_cap::BYTES_PER_TOKEN;

/// 150 tokens.
const MAX_BYTES: usize = 150 * BYTES_PER_TOKEN;
/// The time limit: on a busy computer there is no hint, because the hook's other output must meet its deadline.
const PATIENCE: Duration = Duration::from_millis(if cfg!(test) { 10_000 } else { 40 });
/// Larger files are not looked into.
const MAX_FILE: u64 = 1024 * 1024;
/// In a larger index, hints that need all its files are left out: they take longer than a hook may, and a hook that
/// exceeds its time says nothing at all.
const MOST_PARTS: u64 = 60_000;
/// The number of files that a hint names.
const LOOKED_INTO: usize = 8;

/// The hint for the agent's model at an event.
pub(crate) fn tell(at: &PendingEvent<'_>) -> Option<ModelContext> {
    if at.settings.own("codebase.automatic").and_then(Value::as_bool) == Some(false) {
        return None;
    }
    match &at.event.kind {
        EventKind::SessionStart { source } => {
            if matches!(source.as_deref(), Some("clear" | "compact")) {
                session_notes::forget(at);
            }
            if new_diagnostics::is_on(at) && !at.event.subagent {
                new_diagnostics::begins(at);
            }
            let fresh = !matches!(source.as_deref(), Some("resume" | "fork" | "compact"));
            (fresh && !at.event.subagent).then(|| session_start::tell(&Near::open(at)?)).flatten()
        }
        EventKind::PreCompact | EventKind::PostCompact => {
            session_notes::forget(at);
            None
        }
        EventKind::PostTool | EventKind::PostToolFailure => {
            let tool = at.event.tool.as_ref()?;
            let told = after(at, tool);
            if !new_diagnostics::is_on(at) {
                return told;
            }
            let failed = at.event.kind != EventKind::PostTool;
            let edits = if failed { Vec::new() } else { edits::edits(tool) };
            if !edits.is_empty() {
                new_diagnostics::edited(at, &edits);
            }
            told.or_else(|| new_diagnostics::tell(at))
        }
        EventKind::PreTool => before(at, at.event.tool.as_ref()?),
        _ => None,
    }
}

/// If models patch files from their shell, no hint can follow.
fn before(at: &PendingEvent<'_>, tool: &ToolCall) -> Option<ModelContext> {
    let patches_from_shell = || agents::by_id(at.event.agent).is_some_and(agents::Agent::patches_from_shell);
    if !matches!(tool.kind, ToolKind::Shell { .. }) || !patches_from_shell() {
        return None;
    }
    let edits = edits::edits(tool);
    if edits.is_empty() {
        return None;
    }
    let near = Near::open(at)?;
    usages::tell(&near, &edits, edits::Moment::Before)
}

fn after(at: &PendingEvent<'_>, tool: &ToolCall) -> Option<ModelContext> {
    let failed = at.event.kind != EventKind::PostTool || tool.output.as_ref().is_some_and(|out| out.failed);
    let edits = match &tool.kind {
        _ if failed => Vec::new(),
        ToolKind::Shell { command } => Some(edits::edits(tool))
            .filter(|all| !all.is_empty())
            .unwrap_or_else(|| removals::removals(command, at.event.cwd.as_deref())),
        _ => edits::edits(tool),
    };
    match &tool.kind {
        _ if !edits.is_empty() => {
            let near = Near::open(at)?;
            usages::tell(&near, &edits, edits::Moment::After).or_else(|| duplicates::tell(&near, &edits))
        }
        ToolKind::Grep | ToolKind::Shell { .. } => {
            // A command in the background has printed nothing yet, which isn't the same as no hits.
            if agents::by_id(at.event.agent).is_some_and(|agent| !agent.has_ended(tool)) {
                return None;
            }
            let asked = search_calls::parse_search_call(tool, failed)?;
            search_results::tell(&Near::open(at)?, &asked)
        }
        ToolKind::Read { path, partial: false } if !failed => outline::tell(&Near::open(at)?, path),
        _ => None,
    }
}

/// The indexed project of an event: its folder, or the work tree that an agent was started in a folder of, as a server has it.
fn indexed_project(at: &PendingEvent<'_>) -> Option<Project> {
    let is_indexed = |project: &Project| at.home.project(project).join("code.db").is_file();
    let own = Project::at(at.project).ok()?;
    if is_indexed(&own) {
        return Some(own);
    }
    Project::at(&git_root(&own.root)?).ok().filter(is_indexed)
}

/// The project's index and what may be shown from it.
pub(super) struct Near<'a> {
    at: &'a PendingEvent<'a>,
    store: Store,
    root: PathBuf,
    readable: OnceCell<Readable>,
    began: Instant,
}

impl<'a> Near<'a> {
    fn open(at: &'a PendingEvent<'a>) -> Option<Self> {
        let began = Instant::now();
        let project = indexed_project(at)?;
        let store = Store::open_read_only(&at.home.project(&project).join("code.db")).ok()??;
        Some(Self { at, store, root: project.root, readable: OnceCell::new(), began })
    }

    /// A path of an event within the project, as the index has it.
    fn relative(&self, path: &Path) -> Option<String> {
        let whole = self.at.event.cwd.as_ref().map_or_else(|| self.root.join(path), |cwd| cwd.join(path));
        let real = dunce::canonicalize(&whole).ok();
        // The folder of a file that was just removed may be gone, too.
        let in_folder = |up: &Path| Some(dunce::canonicalize(up).ok()?.join(whole.strip_prefix(up).ok()?));
        let real = real.or_else(|| whole.ancestors().skip(1).find_map(in_folder))?;
        let inside = real.strip_prefix(&self.root).ok()?;
        let parts: Option<Vec<&str>> = inside.components().map(|part| part.as_os_str().to_str()).collect();
        Some(parts?.join("/"))
    }

    /// Whether this file of the project may be named: the agent's rules let it be read, and its name is one line.
    fn shows(&self, path: &str) -> bool {
        let readable = self.readable.get_or_init(|| self.at.readable.ask());
        !path.contains(char::is_control) && readable.allows(&self.root.join(path))
    }

    /// The text of a file of the project.
    fn text(&self, path: &str) -> Option<String> {
        let bytes = home::read_regular(&self.root.join(path), MAX_FILE).ok()?;
        Some(plain_lines(&String::from_utf8_lossy(&bytes)))
    }

    /// The model's name for the tool `codebase`.
    fn tool(&self) -> String {
        let prefix = self.at.search.strip_suffix("search").unwrap_or_default();
        format!("{prefix}codebase")
    }

    /// Whether a hook has no time to read all files of this index.
    fn is_large(&self) -> Option<bool> {
        self.store.has_more_chunks_than(MOST_PARTS).ok()
    }

    /// Whether there is time to look further.
    fn in_time(&self) -> bool {
        self.began.elapsed() < PATIENCE
    }

    /// Whether this hint is new to the session, and still in time.
    fn first_time(&self, what: &str) -> bool {
        self.in_time() && session_notes::first_time(self.at, what)
    }
}

/// A text without a byte order mark and with the line ends of Unix: agents write both, whatever the file has.
fn plain_lines(text: &str) -> String {
    text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n")
}

/// Text from files or from the model as one short line without backticks.
fn plain(text: &str, most: usize) -> String {
    let text: String =
        text.chars().map(|c| if c.is_control() || c == '`' { ' ' } else { c }).take(most + 1).collect();
    if text.chars().count() > most { text.chars().take(most).chain(['…']).collect() } else { text }
}

/// The lines that fit behind a first one, if at least one does.
fn fitting(first: &str, lines: &[String], last: &str) -> Option<String> {
    let mut out = first.to_owned();
    let mut any = false;
    for line in lines {
        if out.len() + 1 + line.len() + last.len() > MAX_BYTES {
            break;
        }
        out.push('\n');
        out.push_str(line);
        any = true;
    }
    out.push_str(last);
    any.then_some(out)
}

#[cfg(test)]
mod tests;
