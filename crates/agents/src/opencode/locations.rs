//! The locations of OpenCode's records: a database, or several where other channels' builds have their own, and the storage
//! folder of earlier versions. Also names the file whose time tells the last change.

use std::fs;
use std::path::PathBuf;

use home::Env;
use transcripts::{Kind, Source, entries, modified_ms};

use super::ID;
use super::database::Rows;
use super::file_storage::Files;

/// The transcripts on this computer.
pub(super) fn sources(env: &Env) -> Vec<Source> {
    let mut found = Vec::new();
    let data = env.path("XDG_DATA_HOME").unwrap_or_else(|| env.home_dir().join(".local").join("share"));
    let data = data.join("opencode");
    let is_database = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with("opencode") && name.ends_with(".db"))
    };
    let mut databases: Vec<PathBuf> = entries(&data).into_iter().filter(is_database).collect();
    // A relative name starts at the data folder.
    databases.extend(env.var("OPENCODE_DB").map(|named| data.join(named)));
    for path in databases {
        let Ok(metadata) = fs::metadata(&path) else { continue };
        // While OpenCode runs, only the log changes.
        let mut log = path.clone().into_os_string();
        log.push("-wal");
        let logged = fs::metadata(log).as_ref().map(modified_ms).unwrap_or(0);
        let modified_ms = modified_ms(&metadata).max(logged);
        let kind = Kind::Store(|path, since| Ok(Box::new(Rows::open(path, since)?)));
        found.push(Source { agent: ID, path, modified_ms, kind });
    }
    let storage = data.join("storage");
    let sessions = entries(&storage.join("message"));
    let newest =
        sessions.iter().filter_map(|path| fs::metadata(path).ok()).map(|data| modified_ms(&data)).max();
    if let Some(modified_ms) = newest {
        let kind = Kind::Store(|path, since| Ok(Box::new(Files::open(path, since))));
        found.push(Source { agent: ID, path: storage, modified_ms, kind });
    }
    found
}
