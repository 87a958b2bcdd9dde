//! Runs a language server for all sessions of a project: what `plimsoll code-worker serve` does. A process of its own, of low
//! priority and with limited memory, one for each kind and project; it answers the requests in the mailbox until it has been
//! idle for a while.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use code::Store;
use home::Settings;
use serde_json::{Value, json};

use super::SETTING;
use super::kinds::{self, Server};
use super::lsp::{self, LspClient, LspError};
use super::mailbox::{self, Location, Reply, Request};
use crate::index::{IndexLocation, worker_process};

/// How much memory a server may use, in megabytes.
const MEMORY_MB: u64 = 4_000;
/// How long it may take to start.
const START: Duration = Duration::from_secs(120);
/// How long it stays without a request.
const IDLE: Duration = Duration::from_secs(300);
/// How often requests are looked for …
const PAUSE: Duration = Duration::from_millis(15);
/// … and how often once there was none for `BUSY`.
const LONG_PAUSE: Duration = Duration::from_millis(150);
const BUSY: Duration = Duration::from_secs(10);
/// How often it is checked whether the setting is still on.
const CHECK_SETTING: Duration = Duration::from_secs(2);
/// The largest file that is opened, in bytes.
const MAX_FILE: u64 = 4 * 1024 * 1024;
/// How many uses of a definition are reported.
const MAX_USES: usize = 5_000;

/// Runs the server that `words` name: kind and program.
///
/// # Errors
/// If the project doesn't exist, or `words` are wrong.
pub(crate) fn run(folder: &str, words: &[String]) -> Result<Value, String> {
    let place = worker_process::place_for_programs(folder, MEMORY_MB)?;
    let [kind, program] = words else {
        return Err("usage: plimsoll code-worker serve FOLDER KIND PROGRAM".into());
    };
    let kind = kinds::by_name(kind).ok_or_else(|| format!("there is no kind of server {kind}"))?;
    // Another process that holds the lock answers.
    let lock = format!("server-{}-{}", kind.name, place.id);
    let Ok(_alone) = home::lock(&place.home, &lock, Duration::ZERO) else {
        return Ok(json!({"status": "held"}));
    };
    let server = Server { kind, program: program.into() };
    let is_on = || {
        let set = Settings::load(&place.home).ok();
        place.root.is_dir() && set.and_then(|set| set.own(SETTING)?.as_bool()) == Some(true)
    };
    let problem = serve(&place, &server, IDLE, &is_on);
    if let Some(problem) = &problem {
        let folder = mailbox::folder(&place, kind);
        while let Some((request, _)) = mailbox::next(&folder) {
            mailbox::reply(&request, &Reply::Failed(problem.clone()));
        }
        record_failure(&folder, problem, mailbox::now_ms()).map_err(|error| error.to_string())?;
    }
    Ok(json!({"status": "ended", "problem": problem}))
}

/// The file beside the requests that says why a server failed.
const FAILED: &str = "failed.json";
/// How long a server that failed isn't started again, in milliseconds.
const REST_MS: u64 = 60_000;

/// Records that a server failed.
pub(super) fn record_failure(folder: &Path, problem: &str, at_ms: u64) -> std::io::Result<()> {
    let failed = json!({"at_ms": at_ms, "problem": problem});
    home::write_private(&folder.join(FAILED), failed.to_string().as_bytes())
}

/// Why a server isn't started again yet.
pub(super) fn recent_failure(folder: &Path) -> Option<String> {
    let bytes = home::read_regular(&folder.join(FAILED), 64 * 1024).ok()?;
    let value: Value = serde_json::from_slice(&bytes).ok()?;
    let at = value["at_ms"].as_u64()?;
    let age = mailbox::now_ms().checked_sub(at)?;
    (age < REST_MS).then(|| value["problem"].as_str().unwrap_or_default().to_owned())
}

/// Starts the server and answers requests until it has been idle for `idle` or `is_on` says no. Returns why it ended before
/// that.
pub(super) fn serve(
    place: &IndexLocation,
    server: &Server,
    idle: Duration,
    is_on: &dyn Fn() -> bool,
) -> Option<String> {
    let folder = mailbox::folder(place, server.kind);
    let mut known = Files::read(place);
    let mut lsp = match LspClient::start(server, &place.root, Instant::now() + START) {
        Ok(lsp) => lsp,
        Err(error) => return Some(reason(&error)),
    };
    let mut last = Instant::now();
    let mut checked = Instant::now();
    loop {
        if checked.elapsed() > CHECK_SETTING {
            checked = Instant::now();
            if !is_on() {
                return None;
            }
        }
        if let Err(error) = lsp.drain() {
            return Some(reason(&error));
        }
        let Some((request_file, request)) = mailbox::next(&folder) else {
            if last.elapsed() > idle {
                return None;
            }
            std::thread::sleep(if last.elapsed() < BUSY { PAUSE } else { LONG_PAUSE });
            continue;
        };
        last = Instant::now();
        if !lsp.ready {
            mailbox::reply(&request_file, &Reply::Reading);
            continue;
        }
        known.notify_changes(place, &mut lsp);
        if let Some(trouble) = &lsp.trouble {
            mailbox::reply(&request_file, &Reply::Failed(trouble.clone()));
            continue;
        }
        match references(place, &mut lsp, &request) {
            Ok(uses) => mailbox::reply(&request_file, &Reply::Answered(uses)),
            Err(LspError::Late) => mailbox::reply(&request_file, &Reply::Late),
            Err(LspError::Refused(why)) => mailbox::reply(&request_file, &Reply::Failed(why)),
            Err(error @ LspError::Broken(_)) => {
                let why = reason(&error);
                mailbox::reply(&request_file, &Reply::Failed(why.clone()));
                return Some(why);
            }
        }
    }
}

fn reason(error: &LspError) -> String {
    match error {
        LspError::Late => format!("it takes more than {} s to start", START.as_secs()),
        LspError::Broken(why) | LspError::Refused(why) => why.clone(),
    }
}

/// Where the definition at each location is used.
fn references(
    place: &IndexLocation,
    lsp: &mut LspClient,
    request: &Request,
) -> Result<Vec<Vec<Location>>, LspError> {
    let left = (request.asked_ms.saturating_add(request.wait_ms)).saturating_sub(mailbox::now_ms());
    let until = Instant::now() + Duration::from_millis(left);
    let mut out = Vec::new();
    for definition in &request.definitions {
        let (path, line, column) = &definition.location;
        let text = home::read_regular_text(&place.file(path), MAX_FILE).unwrap_or_default();
        let row = line.checked_sub(1).and_then(|line| text.lines().nth(line as usize)).unwrap_or_default();
        let before = row.get(..(*column as usize).saturating_sub(1)).unwrap_or_default();
        let uri = lsp::uri(&place.file(path));
        lsp.notify(
            "textDocument/didOpen",
            &json!({"textDocument": {"uri": uri, "languageId": definition.language, "version": 1, "text": text}}),
        );
        let found = lsp.request(
            "textDocument/references",
            &json!({
                "textDocument": {"uri": uri},
                "position": {"line": line.saturating_sub(1), "character": before.encode_utf16().count()},
                "context": {"includeDeclaration": false},
            }),
            until,
        );
        // From now on the file on disk is the current one.
        lsp.notify("textDocument/didClose", &json!({"textDocument": {"uri": uri}}));
        out.push(locations(&place.root, &found?));
    }
    Ok(out)
}

/// The locations in files of the project that a server returned.
fn locations(root: &Path, found: &Value) -> Vec<Location> {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut out = Vec::new();
    for one in found.as_array().into_iter().flatten().take(MAX_USES) {
        let Some(path) = one["uri"].as_str().and_then(|uri| lsp::relative(root, uri)) else { continue };
        let (Some(row), Some(character)) =
            (one["range"]["start"]["line"].as_u64(), one["range"]["start"]["character"].as_u64())
        else {
            continue;
        };
        let text = texts
            .entry(path.clone())
            .or_insert_with(|| home::read_regular_text(&root.join(&path), MAX_FILE).unwrap_or_default());
        let Some(line) = usize::try_from(row).ok().and_then(|row| text.lines().nth(row)) else { continue };
        let (Ok(row), Ok(column)) = (u32::try_from(row + 1), u32::try_from(bytes(line, character) + 1))
        else {
            continue;
        };
        out.push((path, row, column));
    }
    out.sort();
    out.dedup();
    out
}

/// The bytes of the first `units` UTF-16 units of a line.
fn bytes(line: &str, units: u64) -> usize {
    let mut left = units;
    let mut out = 0;
    for c in line.chars() {
        let width = c.len_utf16() as u64;
        if left < width {
            break;
        }
        left -= width;
        out += c.len_utf8();
    }
    out
}

/// The files of the index, to notify the server of changes: it watches none itself.
struct Files(BTreeMap<String, (u64, i64)>);

impl Files {
    fn read(place: &IndexLocation) -> Self {
        let known =
            Store::open_read_only(&place.db).ok().flatten().and_then(|store| store.file_records().ok());
        let files = known.into_iter().flatten();
        Self(files.map(|(path, known)| (path, (known.size, known.mtime_ns))).collect())
    }

    /// Notifies the server of what changed since. The sender of a request has updated the index before.
    fn notify_changes(&mut self, place: &IndexLocation, lsp: &mut LspClient) {
        const CREATED: u8 = 1;
        const CHANGED: u8 = 2;
        const DELETED: u8 = 3;
        let now = Self::read(place);
        let mut changes = Vec::new();
        for (path, stamp) in &now.0 {
            match self.0.get(path) {
                None => changes.push((path, CREATED)),
                Some(before) if before != stamp => changes.push((path, CHANGED)),
                Some(_) => {}
            }
        }
        changes.extend(self.0.keys().filter(|path| !now.0.contains_key(*path)).map(|path| (path, DELETED)));
        if !changes.is_empty() {
            let changes: Vec<Value> = changes
                .into_iter()
                .map(|(path, what)| json!({"uri": lsp::uri(&place.file(path)), "type": what}))
                .collect();
            lsp.notify("workspace/didChangeWatchedFiles", &json!({"changes": changes}));
        }
        *self = now;
    }
}
