//! Describes the project and its index: the index's state, and what the project is made of.

use code::{Parsed, Store};
use contract::Error;
use serde_json::{Map, Value, json};
use system::Readable;

use super::{ActionReply, caveat};
use crate::index::{Index, IndexLocation, failure, progress, worker_progress};

/// The number of dependencies that are named.
const NAMED: usize = 30;

/// How the index is. Starts nothing.
///
/// # Errors
/// When the index is there and cannot be read.
pub(crate) fn status(place: &IndexLocation, readable: Option<&Readable>) -> Result<ActionReply, Error> {
    let store = Store::open_read_only(&place.db).map_err(|error| failure(&error))?;
    let working = worker_progress(place);
    let mut data = json!({"status": "idle", "rootPath": place.root.to_string_lossy()});
    let mut lines = vec![format!("{}", place.root.display())];
    if let Some((done, total)) = working {
        data["status"] = "indexing".into();
        data["progress"] = progress(done, total);
        lines.push(format!("being indexed: {done} of {}", contract::count(total, "file")));
    }
    let Some(store) = store else {
        if working.is_none() {
            data["status"] = "unknown".into();
            data["note"] = "not indexed yet; the first search does it, or reindex".into();
            lines.push("not indexed yet: `plimsoll code reindex`, or the first search, does it".to_owned());
        }
        return Ok(ActionReply { data, lines });
    };
    let stats = store.stats().map_err(|error| failure(&error))?;
    let fact = |name: &str| store.fact(name).map_err(|error| failure(&error));
    if working.is_none() && fact("complete")?.as_deref() == Some("true") {
        data["status"] = "ready".into();
    }
    if let Some(looked) = fact("looked_ns")?.and_then(|ns| ns.parse::<i64>().ok()) {
        data["lastIndexed"] = (looked / 1_000_000).into();
    }
    data["stats"] = json!(stats);
    lines.push(format!(
        "{}, {}, {}, {}, {} among them",
        contract::count(stats.files, "file"),
        contract::count(stats.lines, "line"),
        contract::count(stats.chunks, "part"),
        contract::count(stats.symbols, "definition"),
        contract::count(stats.edges, "import")
    ));
    let languages = languages(&store)?;
    for (language, ways) in &languages {
        lines.push(format!("  {language}: {}", language_summary(ways)));
    }
    data["languages"] = languages
        .into_iter()
        .map(|(language, ways)| (language, Value::from(ways)))
        .collect::<Map<_, _>>()
        .into();
    if crate::index::git::is_sparse(&place.root) {
        data["sparse"] = true.into();
        lines.push("  a sparse checkout: what isn't checked out isn't in the index".to_owned());
    }
    if let Some(left) = fact("left_out")?.and_then(|text| serde_json::from_str::<Value>(&text).ok()) {
        let left = super::left_out::readable_part(left, place, readable);
        lines.extend(super::left_out::lines(&left));
        data["leftOut"] = left;
    }
    Ok(ActionReply { data, lines })
}

type Languages = Vec<(String, Map<String, Value>)>;

/// The number of files by language and by how they are indexed: a language without a grammar is reported as such.
fn languages(store: &Store) -> Result<Languages, Error> {
    let mut out = Languages::new();
    for (language, parsed, files) in store.languages().map_err(|error| failure(&error))? {
        let way = match parsed {
            Parsed::Whole | Parsed::WithErrors => "bySymbols",
            _ => "byLines",
        };
        let at = out.iter().position(|(name, _)| *name == language).unwrap_or_else(|| {
            out.push((language, Map::new()));
            out.len() - 1
        });
        let ways = &mut out[at].1;
        let sum = ways.get(way).and_then(Value::as_u64).unwrap_or(0) + files;
        ways.insert(way.into(), sum.into());
        if parsed != Parsed::Whole {
            let sum = ways.get(parsed.name()).and_then(Value::as_u64).unwrap_or(0) + files;
            ways.insert(parsed.name().into(), sum.into());
        }
    }
    Ok(out)
}

fn language_summary(ways: &Map<String, Value>) -> String {
    let count = |name: &str| ways.get(name).and_then(Value::as_u64).unwrap_or(0);
    let (symbols, lines) = (count("bySymbols"), count("byLines"));
    let mut out = match (symbols, lines) {
        (_, 0) => contract::count(symbols, "file"),
        (0, _) => format!("{}, by lines only", contract::count(lines, "file")),
        _ => format!("{}, {lines} more by lines only", contract::count(symbols, "file")),
    };
    let errors = count(Parsed::WithErrors.name());
    if errors > 0 {
        out.push_str(&format!(", {errors} with parse errors, whose definitions may be incomplete"));
    }
    out
}

/// A summary of the project.
///
/// # Errors
/// When the index cannot be read.
pub(crate) fn metadata(index: &Index<'_>) -> Result<ActionReply, Error> {
    let stats = index.store.stats().map_err(|error| failure(&error))?;
    let known = code::patterns::patterns(index.store, None).map_err(|error| failure(&error))?;
    let name =
        index.place.root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let languages: Vec<Value> = languages(index.store)?
        .into_iter()
        .map(|(language, ways)| {
            let files: u64 = ["bySymbols", "byLines"].iter().filter_map(|way| ways.get(*way)?.as_u64()).sum();
            json!({"name": language, "files": files})
        })
        .collect();
    let super::dependencies::Direct { packages, framework } = super::dependencies::direct(index);
    let ways: Vec<Value> = known
        .patterns
        .iter()
        .map(|one| json!({"category": one.category, "name": one.primary.name, "files": one.primary.files}))
        .collect();
    let drawn = super::structure::map(index, None, Some(8))?;
    let mut lines = caveat(&index.status.stamp());
    let (files, all) = (contract::count(stats.files, "file"), contract::count(stats.lines, "line"));
    lines.push(format!("{name}: {files}, {all}"));
    for one in &languages {
        lines.push(format!("  {} {}", one["files"], one["name"].as_str().unwrap_or_default()));
    }
    lines.extend(framework.map(|name| format!("  made with {name}")));
    if !packages.is_empty() {
        let named = packages[..packages.len().min(NAMED)].join(", ");
        let more = if packages.len() > NAMED { ", …" } else { "" };
        let count = contract::count(packages.len() as u64, "package");
        lines.push(format!("  needs {count}: {named}{more}"));
    }
    for one in &ways {
        lines.push(format!(
            "  {}: {}",
            one["category"].as_str().unwrap_or_default(),
            one["name"].as_str().unwrap_or_default()
        ));
    }
    let mut data = json!({
        "status": "success",
        "name": name,
        "languages": languages,
        "dependencies": packages.iter().take(NAMED).collect::<Vec<_>>(),
        "dependencyCount": packages.len(),
        "patterns": ways,
        "architecture": {"entryPoints": drawn.data["entryPoints"], "hubs": drawn.data["hubs"]},
        "projectStructure": drawn.data["folders"],
        "statistics": stats,
    });
    if let Some(name) = framework {
        data["framework"] = name.into();
    }
    Ok(ActionReply { data, lines })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_reports_how_its_files_were_parsed() {
        for (ways, expected) in [
            (json!({"bySymbols": 3}), "3 files"),
            (json!({"byLines": 2, "no_grammar": 2}), "2 files, by lines only"),
            (json!({"byLines": 1, "no_grammar": 1}), "1 file, by lines only"),
            (json!({"bySymbols": 1}), "1 file"),
            (
                json!({"bySymbols": 3, "byLines": 1, "with_errors": 2}),
                "3 files, 1 more by lines only, 2 with parse errors, whose definitions may be incomplete",
            ),
        ] {
            assert_eq!(language_summary(ways.as_object().unwrap()), expected);
        }
    }
}
