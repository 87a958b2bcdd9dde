//! Merges what language servers know into the index's results. Owns which servers may be asked, which names they are asked
//! about, and the shared time limit.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use system::CallContext;

use super::kinds::{self, Server};
use super::mailbox::{self, Definition, Location, Reply, Request};
use super::{SETTING, host};
use crate::index::{Index, IndexLocation};

/// How long an agent waits for all servers together, and a user at a terminal.
const AGENT: Duration = Duration::from_secs(2);
const USER_WAITS: Duration = Duration::from_secs(20);
/// How many definitions of a name are asked about.
const MAX_DEFINITIONS: usize = 20;
/// The largest file that is read to find a column or a preview, in bytes.
const MAX_FILE: u64 = 4 * 1024 * 1024;

/// The servers that may be asked, and those that may not with the reason.
#[derive(Debug, Clone, Default)]
pub(crate) struct AvailableServers {
    pub(super) servers: Vec<Server>,
    pub(super) refused: Vec<(&'static str, String)>,
}

/// The servers that may be asked: none unless the user has switched it on, and none whose command the caller's rules deny or
/// want to be asked about.
pub(crate) fn available(at: &CallContext, place: &IndexLocation) -> AvailableServers {
    let mut out = AvailableServers::default();
    if at.host.settings().own(SETTING).and_then(Value::as_bool) != Some(true) {
        return out;
    }
    let env = at.host.env();
    for server in kinds::find(&place.root, env.path_var().as_ref(), env.os()) {
        let permission =
            std::sync::Arc::clone(&at.host).may_run(at.call.clone(), server.line(), place.root.clone());
        match tokio::runtime::Handle::current().block_on(permission) {
            Ok(_) => out.servers.push(server),
            Err(error) => out.refused.push((server.kind.name, error.message.to_string())),
        }
    }
    out
}

/// Asks about uses that the index can't resolve, and merges the replies into `results`.
pub(crate) fn resolve(index: &Index<'_>, available: &AvailableServers, name: &str, results: &mut Value) {
    let wait = index.place.waits.unwrap_or(if index.call.is_from_user() { USER_WAITS } else { AGENT });
    // For all servers together: they're asked one after another.
    let until = Instant::now() + wait;
    let mut statuses = Vec::new();
    for server in &available.servers {
        let Some((definitions, numbers)) = request_for(index, server, name, results) else {
            continue;
        };
        let left = until.saturating_duration_since(Instant::now());
        let reply = if left.is_zero() { Reply::Late } else { ask(index, server, definitions, left) };
        let status = match &reply {
            Reply::Answered(uses) => {
                for (number, uses) in numbers.iter().zip(uses) {
                    for location in uses.iter().filter(|location| is_visible(index, &location.0)) {
                        add_use(index, results, *number, location, server.kind.name);
                    }
                }
                json!({"server": server.kind.name, "status": "answered"})
            }
            Reply::Reading => json!({"server": server.kind.name, "status": "reading"}),
            Reply::Late => json!({"server": server.kind.name, "status": "late"}),
            Reply::Failed(why) => json!({"server": server.kind.name, "status": "failed", "reason": why}),
        };
        statuses.push(status);
    }
    let speaks = |name: &str| {
        let kind = kinds::by_name(name);
        let definitions = results["definitions"].as_array().into_iter().flatten();
        definitions.into_iter().any(|one| kind.is_some_and(|kind| language_of(index, kind, one).is_some()))
    };
    let refused: Vec<Value> = available
        .refused
        .iter()
        .filter(|(name, _)| speaks(name))
        .map(|(name, why)| json!({"server": name, "status": "refused", "reason": why}))
        .collect();
    statuses.extend(refused);
    if statuses.is_empty() {
        return;
    }
    results["servers"] = statuses.into();
    if let Some(uses) = results["uses"].as_array_mut() {
        let rank = |one: &Value| match one["confidence"].as_str() {
            Some("resolved") => 0,
            Some("in_scope") => 1,
            _ => 2,
        };
        uses.sort_by_key(|one| {
            (
                rank(one),
                one["path"].as_str().unwrap_or_default().to_owned(),
                one["line"].as_u64(),
                one["column"].as_u64(),
            )
        });
    }
}

/// Whether a file is in the index, which has none that a link leads out of the project to, and the caller may read it.
fn is_visible(index: &Index<'_>, path: &str) -> bool {
    index.file(path).is_some() && index.shows(path)
}

fn language_of(index: &Index<'_>, kind: &kinds::Kind, definition: &Value) -> Option<&'static str> {
    let path = definition["path"].as_str().filter(|path| is_visible(index, path))?;
    kind.speaks(&index.file(path)?.language)
}

/// The definitions that a server is asked about, with their numbers in `results`; `None` if the index is sure of every use
/// that the server could know.
fn request_for(
    index: &Index<'_>,
    server: &Server,
    name: &str,
    results: &Value,
) -> Option<(Vec<Definition>, Vec<usize>)> {
    let uses = results["uses"].as_array()?;
    let unsure = uses.iter().any(|one| {
        let file = one["path"].as_str().and_then(|path| index.file(path));
        let spoken = file.is_some_and(|file| server.kind.speaks(&file.language).is_some());
        spoken && one["confidence"] != "resolved" && one["role"] != "text"
    });
    if !unsure {
        return None;
    }
    let (mut definitions, mut numbers) = (Vec::new(), Vec::new());
    for (number, definition) in results["definitions"].as_array()?.iter().enumerate().take(MAX_DEFINITIONS) {
        let Some(language) = language_of(index, server.kind, definition) else { continue };
        let (Some(path), Some(line)) = (definition["path"].as_str(), definition["line"].as_u64()) else {
            continue;
        };
        let (Some(column), Ok(line)) = (column(&index.place.file(path), line, name), u32::try_from(line))
        else {
            continue;
        };
        let location = (path.to_owned(), line, column);
        definitions.push(Definition { language: language.to_owned(), location });
        numbers.push(number);
    }
    (!definitions.is_empty()).then_some((definitions, numbers))
}

/// The column in bytes, from 1, where a name is in a line as a whole word.
fn column(path: &Path, line: u64, name: &str) -> Option<u32> {
    let text = home::read_regular_text(path, MAX_FILE).ok()?;
    let row = text.lines().nth(usize::try_from(line).ok()?.checked_sub(1)?)?;
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let at = row.match_indices(name).map(|(at, _)| at).find(|at| {
        !row[..*at].chars().next_back().is_some_and(part)
            && !row[at + name.len()..].chars().next().is_some_and(part)
    })?;
    u32::try_from(at + 1).ok().filter(|_| !name.is_empty())
}

fn ask(index: &Index<'_>, server: &Server, definitions: Vec<Definition>, wait: Duration) -> Reply {
    let folder = mailbox::folder(index.place, server.kind);
    if let Some(why) = host::recent_failure(&folder) {
        return Reply::Failed(why);
    }
    if let Err(problem) = start_host(index.place, server) {
        return Reply::Failed(problem);
    }
    let request = Request {
        asked_ms: mailbox::now_ms(),
        wait_ms: u64::try_from(wait.as_millis()).unwrap_or(u64::MAX),
        definitions,
    };
    mailbox::send(&folder, &request, || index.call.cancelled.is_set())
}

/// Starts a host for the server; it ends at once if another one runs.
fn start_host(place: &IndexLocation, server: &Server) -> Result<(), String> {
    let program = crate::index::program_path(place)?;
    let mut command = Command::new(program);
    command
        .arg("code-worker")
        .arg("serve")
        .arg(crate::index::folder_word(place))
        .arg(server.kind.name)
        .arg(&server.program)
        .env("PLIMSOLL_HOME", place.home.root())
        .current_dir(&place.root)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    crate::index::detach(&mut command);
    let mut child =
        command.spawn().map_err(|error| format!("the language server's host can't be started: {error}"))?;
    // It outlives this process; until then its end has to be waited for.
    std::thread::spawn(move || child.wait());
    Ok(())
}

/// Adds a use of the definition `number` to the uses in `results`.
fn add_use(index: &Index<'_>, results: &mut Value, number: usize, location: &Location, source: &str) {
    let (path, line, column) = location;
    let is = |one: &Value| one["path"] == path.as_str() && one["line"] == *line;
    if results["definitions"].as_array().is_some_and(|all| all.iter().any(is)) {
        return;
    }
    let Some(uses) = results["uses"].as_array_mut() else { return };
    if let Some(known) = uses.iter_mut().find(|one| is(one) && one["column"] == *column) {
        let mut of: Vec<u64> = match known["confidence"] == "resolved" {
            true => known["of"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect(),
            false => Vec::new(),
        };
        of.push(number as u64);
        of.sort_unstable();
        of.dedup();
        if known["confidence"] != "resolved" {
            known["confidence"] = "resolved".into();
            known["source"] = source.into();
        }
        known["of"] = of.into();
        return;
    }
    let text = home::read_regular_text(&index.place.file(path), MAX_FILE).unwrap_or_default();
    let row = text.lines().nth((*line as usize).saturating_sub(1)).unwrap_or_default().trim();
    uses.push(json!({
        "path": path, "line": line, "column": column, "role": "reference", "confidence": "resolved", "of": [number],
        "inside": null, "text": row.chars().take(200).collect::<String>(), "source": source,
    }));
}
