//! Previews the next reindex without running it: which files it would read, which are gone, and what it skips.

use code::{Store, walk};
use contract::Error;
use serde_json::{Value, json};
use system::Readable;

use super::{ActionReply, left_out};
use crate::index::{IndexLocation, failure};

/// The default number of files that are named.
const NAMED: usize = 50;
/// The number of files that are named which were read before and found to be nothing for the index.
const NAMED_LEFT_OUT: usize = 8;

/// Lists what would be read.
///
/// # Errors
/// When the project or its index cannot be read.
pub(crate) fn preview_reindex(
    place: &IndexLocation,
    readable: &Readable,
    again: bool,
    limit: Option<usize>,
    offset: usize,
) -> Result<ActionReply, Error> {
    let found = walk(&place.root, &|_| false).map_err(|error| failure(&error))?;
    let store = Store::open_read_only(&place.db).map_err(|error| failure(&error))?;
    let mut known = match &store {
        Some(store) => store.file_records().map_err(|error| failure(&error))?,
        None => std::collections::BTreeMap::new(),
    };
    let watched = match &store {
        Some(store) => store.watched().map_err(|error| failure(&error))?,
        None => std::collections::BTreeMap::new(),
    };
    let (mut files, mut passed_over, mut unchanged) = (Vec::new(), Vec::new(), 0u64);
    let mut bytes = 0u64;
    for file in &found.files {
        let why = match known.remove(&file.path) {
            // It was read and found to be nothing for the index.
            None if watched.get(&file.path) == Some(&(file.size, file.mtime_ns)) => {
                passed_over.push(file.path.as_str());
                continue;
            }
            None => "new",
            Some(old) if old.size != file.size || old.mtime_ns != file.mtime_ns => "changed",
            Some(_) if again => "again",
            Some(_) => {
                unchanged += 1;
                continue;
            }
        };
        bytes += file.size;
        files.push((why, file.path.clone()));
    }
    files.extend(known.into_keys().map(|path| ("gone", path)));
    files.retain(|(_, path)| readable.allows(&place.file(path)));
    let count = |wanted: &str| files.iter().filter(|(why, _)| *why == wanted).count();
    let page: Vec<&(&str, String)> =
        files.iter().skip(offset).take(limit.unwrap_or(NAMED).clamp(1, 100_000)).collect();
    let changed = contract::count((count("changed") + count("again")) as u64, "changed file");
    let mut lines = vec![format!(
        "would read {} new and {changed} ({}), forget {}, leave {unchanged} as they are",
        count("new"),
        contract::Amount::bytes(bytes),
        count("gone")
    )];
    lines.extend(page.iter().map(|(why, path)| format!("  {why:<8}{path}")));
    let next = offset + page.len();
    if next < files.len() {
        lines.push(format!("  … {} more; --limit and --offset show them", files.len() - next));
    }
    let mut left = json!(found.left_out);
    if !passed_over.is_empty() {
        let first = &passed_over[..passed_over.len().min(NAMED_LEFT_OUT)];
        left["read_before"] = json!({"count": passed_over.len(), "first": first});
    }
    let left = left_out::readable_part(left, place, Some(readable));
    lines.extend(left_out::lines(&left));
    let mut data = json!({
        "status": "success",
        "dryRun": true,
        "new": count("new"),
        "changed": count("changed") + count("again"),
        "gone": count("gone"),
        "unchanged": unchanged,
        "bytes": bytes,
        "results": page.iter().map(|(why, path)| json!({"file": path, "why": why})).collect::<Vec<Value>>(),
        "leftOut": left,
    });
    if offset > 0 {
        data["offset"] = offset.into();
    }
    if next < files.len() {
        data["nextOffset"] = next.into();
    }
    Ok(ActionReply { data, lines })
}
