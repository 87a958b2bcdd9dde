//! Who holds a language server: what `plimsoll code-worker serve` does. A process of its own, of low priority and with a limit
//! of memory, one for each kind and project; it answers what lies in the post until nobody asked for a while.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use code::Store;
use home::{Env, Home, Project, Settings};
use serde_json::{Value, json};

use super::SETTING;
use super::kinds::{self, Server};
use super::post::{self, Question, Spot, Told};
use super::wire::{self, Silence, Wire};
use crate::index::{Place, work};

/// What a server may take, in megabytes.
const MEMORY_MB: u64 = 4_096;
/// So long it may take to start.
const START: Duration = Duration::from_secs(120);
/// When nobody asked for so long, it ends.
const IDLE: Duration = Duration::from_secs(300);
/// So often is looked for a question while there are some …
const PAUSE: Duration = Duration::from_millis(15);
/// … and when there have been none for a while.
const LONG_PAUSE: Duration = Duration::from_millis(150);
const BUSY: Duration = Duration::from_secs(10);
/// So often is looked whether it's still wanted.
const LOOK: Duration = Duration::from_secs(2);
/// Larger files aren't opened.
const MAX_FILE: u64 = 4 * 1024 * 1024;
/// No more uses of one name are told.
const MAX_USES: usize = 5_000;

/// Holds the server that `words` name: kind and program.
///
/// # Errors
/// When the project isn't there, or the server can't be held.
pub(crate) fn run(folder: &str, words: &[String]) -> Result<Value, String> {
    work::lower();
    work::bounded_to(MEMORY_MB);
    let env = Env::capture().map_err(|error| error.to_string())?;
    let home = Home::resolve(&env).map_err(|error| error.to_string())?;
    let project = Project::at(folder.as_ref()).map_err(|error| error.to_string())?;
    let [kind, program] = words else {
        return Err("usage: plimsoll code-worker serve FOLDER KIND PROGRAM".into());
    };
    let kind = kinds::named(kind).ok_or_else(|| format!("there is no kind of server {kind}"))?;
    let place = Place::new(&home, &project);
    // Whoever holds it already answers.
    let Ok(_alone) = home::lock(&home, &format!("server-{}-{}", kind.name, project.id), Duration::ZERO)
    else {
        return Ok(json!({"status": "held"}));
    };
    let server = Server { kind, program: program.into() };
    let is_on = || {
        let set = Settings::load(&place.home).ok();
        place.root.is_dir() && set.and_then(|set| set.own(SETTING)?.as_bool()) == Some(true)
    };
    let problem = held(&place, &server, IDLE, &is_on);
    if let Some(problem) = &problem {
        let folder = post::folder(&place, kind);
        while let Some((asked, _)) = post::next(&folder) {
            post::tell(&asked, &Told::Failed(problem.clone()));
        }
        remember(&folder, problem, post::now_ms()).map_err(|error| error.to_string())?;
    }
    Ok(json!({"status": "ended", "problem": problem}))
}

/// Says why a server failed, beside the questions.
const FAILED: &str = "failed.json";
/// One that failed isn't started again for so long.
const REST_MS: u64 = 60_000;

/// Notes that a server failed.
pub(super) fn remember(folder: &Path, problem: &str, at_ms: u64) -> std::io::Result<()> {
    let failed = json!({"at_ms": at_ms, "problem": problem});
    home::write_private(&folder.join(FAILED), failed.to_string().as_bytes())
}

/// Why a server isn't to be started again yet.
pub(super) fn failed(folder: &Path) -> Option<String> {
    let bytes = home::read_regular(&folder.join(FAILED), 64 * 1024).ok()?;
    let value: Value = serde_json::from_slice(&bytes).ok()?;
    let at = value["at_ms"].as_u64()?;
    let age = post::now_ms().checked_sub(at)?;
    (age < REST_MS).then(|| value["problem"].as_str().unwrap_or_default().to_owned())
}

/// Starts the server and answers until nobody asks any more, or it's no longer wanted; why it ended before.
pub(super) fn held(
    place: &Place,
    server: &Server,
    idle: Duration,
    is_on: &dyn Fn() -> bool,
) -> Option<String> {
    let folder = post::folder(place, server.kind);
    let mut known = Files::read(place);
    let mut wire = match Wire::start(server, &place.root, Instant::now() + START) {
        Ok(wire) => wire,
        Err(silence) => return Some(reason(&silence)),
    };
    let mut last = Instant::now();
    let mut looked = Instant::now();
    loop {
        if looked.elapsed() > LOOK {
            looked = Instant::now();
            if !is_on() {
                return None;
            }
        }
        if let Err(silence) = wire.listen() {
            return Some(reason(&silence));
        }
        let Some((asked, question)) = post::next(&folder) else {
            if last.elapsed() > idle {
                return None;
            }
            std::thread::sleep(if last.elapsed() < BUSY { PAUSE } else { LONG_PAUSE });
            continue;
        };
        last = Instant::now();
        if !wire.ready {
            post::tell(&asked, &Told::Reading);
            continue;
        }
        known.tell_changes(place, &mut wire);
        match answered(place, &mut wire, &question) {
            Ok(uses) => post::tell(&asked, &Told::Answered(uses)),
            Err(Silence::Late) => post::tell(&asked, &Told::Late),
            Err(Silence::Refused(why)) => post::tell(&asked, &Told::Failed(why)),
            Err(silence @ Silence::Broken(_)) => {
                let why = reason(&silence);
                post::tell(&asked, &Told::Failed(why.clone()));
                return Some(why);
            }
        }
    }
}

fn reason(silence: &Silence) -> String {
    match silence {
        Silence::Late => format!("it takes more than {} s to start", START.as_secs()),
        Silence::Broken(why) | Silence::Refused(why) => why.clone(),
    }
}

/// Where each place's name is used.
fn answered(place: &Place, wire: &mut Wire, question: &Question) -> Result<Vec<Vec<Spot>>, Silence> {
    let left = (question.asked_ms + question.wait_ms).saturating_sub(post::now_ms());
    let until = Instant::now() + Duration::from_millis(left);
    let mut out = Vec::new();
    for (path, line, column) in &question.places {
        let text = home::read_regular_text(&place.file(path), MAX_FILE).unwrap_or_default();
        let row = line.checked_sub(1).and_then(|line| text.lines().nth(line as usize)).unwrap_or_default();
        let before = row.get(..(*column as usize).saturating_sub(1)).unwrap_or_default();
        let uri = wire::uri(&place.file(path));
        wire.tell(
            "textDocument/didOpen",
            &json!({"textDocument": {"uri": uri, "languageId": question.language, "version": 1, "text": text}}),
        );
        let found = wire.ask(
            "textDocument/references",
            &json!({
                "textDocument": {"uri": uri},
                "position": {"line": line.saturating_sub(1), "character": before.encode_utf16().count()},
                "context": {"includeDeclaration": false},
            }),
            until,
        );
        // What's on the disk counts again.
        wire.tell("textDocument/didClose", &json!({"textDocument": {"uri": uri}}));
        out.push(spots(&place.root, &found?));
    }
    Ok(out)
}

/// The places that a server names, in files of the project.
fn spots(root: &Path, found: &Value) -> Vec<Spot> {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut out = Vec::new();
    for one in found.as_array().into_iter().flatten().take(MAX_USES) {
        let Some(path) = one["uri"].as_str().and_then(|uri| wire::relative(root, uri)) else { continue };
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

/// The files that the index knows, so that the server is told what changed: it watches nothing by itself.
struct Files(BTreeMap<String, (u64, i64)>);

impl Files {
    fn read(place: &Place) -> Self {
        let known = Store::open_read_only(&place.db).ok().flatten().and_then(|store| store.known().ok());
        let files = known.into_iter().flatten();
        Self(files.map(|(path, known)| (path, (known.size, known.mtime_ns))).collect())
    }

    /// Whoever asks has brought the index up to date before.
    fn tell_changes(&mut self, place: &Place, wire: &mut Wire) {
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
                .map(|(path, what)| json!({"uri": wire::uri(&place.file(path)), "type": what}))
                .collect();
            wire.tell("workspace/didChangeWatchedFiles", &json!({"changes": changes}));
        }
        *self = now;
    }
}
