//! Previews the next reindex without running it: which files it would read, which are gone, and what it skips.

use code::{Store, Walk, walk};
use contract::Error;
use serde_json::{Value, json};
use system::Readable;

use super::ActionReply;
use crate::index::{IndexLocation, failure};

/// The default number of files that are named.
const NAMED: usize = 50;

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
    let (mut files, mut unchanged) = (Vec::new(), 0u64);
    let mut bytes = 0u64;
    for file in &found.files {
        let why = match known.remove(&file.path) {
            // It was read and found to be nothing for the index.
            None if watched.get(&file.path) == Some(&(file.size, file.mtime_ns)) => continue,
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
    lines.extend(left(&found));
    let mut data = json!({
        "status": "success",
        "dryRun": true,
        "new": count("new"),
        "changed": count("changed") + count("again"),
        "gone": count("gone"),
        "unchanged": unchanged,
        "bytes": bytes,
        "results": page.iter().map(|(why, path)| json!({"file": path, "why": why})).collect::<Vec<Value>>(),
        "leftOut": found.left_out,
    });
    if offset > 0 {
        data["offset"] = offset.into();
    }
    if next < files.len() {
        data["nextOffset"] = next.into();
    }
    Ok(ActionReply { data, lines })
}

fn left(found: &Walk) -> Vec<String> {
    let name = |why: &code::SkipReason| {
        serde_json::to_value(why).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
    };
    let line = |(why, left): (&code::SkipReason, &code::Skipped)| {
        format!("  left out, {}: {} ({})", name(why), left.count, left.first.join(", "))
    };
    found.left_out.iter().map(line).collect()
}
