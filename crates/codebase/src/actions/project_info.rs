//! Describes the project and its index: the index's state, what the project is made of, and what its documents say about writing
//! code.

use code::{Parsed, Store};
use contract::Error;
use serde_json::{Map, Value, json};
use system::Readable;

use super::{ActionReply, caveat};
use crate::index::{Index, IndexLocation, failure, progress, worker_progress};

/// Documents that say how code is written here.
const GUIDES: &[&str] = &[
    "STYLE_GUIDE",
    "STYLEGUIDE",
    "STYLE",
    "CODE_STYLE",
    "CODING_STYLE",
    "CODING_STANDARDS",
    "CODING_GUIDELINES",
    "CODING_CONVENTIONS",
    "CONVENTIONS",
    "ARCHITECTURE",
    "CONTRIBUTING",
    "HACKING",
    "AGENTS",
    "CLAUDE",
    "GEMINI",
    "COPILOT_INSTRUCTIONS",
];
/// How documents end: a `style.css` says nothing about code.
const DOCUMENTS: &[&str] = &["", "md", "mdx", "markdown", "rst", "txt"];
/// The number of words of a section, and of sections of a file.
const SECTION_WORDS: usize = 500;
const SECTIONS: usize = 3;
const MAX_GUIDE: u64 = 1024 * 1024;
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

/// The sections about writing code in the project's documents that contain any word of the question.
///
/// # Errors
/// Never so far; a document that cannot be read is left out.
pub(crate) fn style(index: &Index<'_>, query: Option<&str>, offset: usize) -> Result<ActionReply, Error> {
    let words: Vec<String> = query.unwrap_or_default().split_whitespace().map(str::to_lowercase).collect();
    let (mut guides, mut lines) = (Vec::new(), Vec::new());
    let documents = guides_of(index);
    for path in &documents {
        let Ok(text) = home::read_regular_text(&index.place.file(path), MAX_GUIDE) else { continue };
        let mut sections = Vec::new();
        for (heading, body) in sections_of(&text) {
            let lower = format!("{heading}\n{body}").to_lowercase();
            if words.is_empty() || words.iter().any(|word| lower.contains(word)) {
                let count = body.split_whitespace().count();
                let end = nth_word_end(&body, SECTION_WORDS);
                sections.push(
                    json!({"heading": heading, "content": &body[..end], "truncated": count > SECTION_WORDS}),
                );
            }
            if sections.len() == SECTIONS {
                break;
            }
        }
        if !sections.is_empty() {
            guides.push(json!({"file": path, "sections": sections}));
        }
    }
    let mut data = json!({"status": "success", "count": guides.len()});
    if guides.is_empty() {
        let hint = match query.filter(|_| !documents.is_empty()) {
            Some(query) => format!("no section of {} has a word of {query:?}", documents.join(", ")),
            None if documents.is_empty() => {
                "no document of this project says how code is written here".to_owned()
            }
            None => format!("{} has no section with a heading", documents.join(", ")),
        };
        data["hint"] = hint.clone().into();
        lines.push(hint);
    }
    if offset > 0 {
        data["offset"] = offset.into();
    }
    lines.extend(guides.iter().skip(offset).flat_map(|guide| guide_lines(guide, query.is_some())));
    data["results"] = guides.into_iter().skip(offset).collect();
    Ok(ActionReply { data, lines })
}

/// A document's sections at a terminal: all of what was asked for, and otherwise what there is to ask for.
fn guide_lines(guide: &Value, whole: bool) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut out = Vec::new();
    for section in guide["sections"].as_array().into_iter().flatten() {
        out.push(format!("{} – {}", text(&guide["file"]), text(&section["heading"])));
        if whole {
            out.extend(
                text(&section["content"])
                    .trim()
                    .lines()
                    .map(|line| format!("  {line}").trim_end().to_owned()),
            );
            out.extend((section["truncated"] == true).then(|| "  …".to_owned()));
        }
    }
    out
}

fn is_guide(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next().unwrap_or(name).replace('-', "_");
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    matches!(folder, "" | "docs" | ".github")
        && DOCUMENTS.iter().any(|known| ending.eq_ignore_ascii_case(known))
        && GUIDES.iter().any(|guide| stem.eq_ignore_ascii_case(guide))
}

fn guides_of(index: &Index<'_>) -> Vec<String> {
    let files = index.reader.files().iter().map(|file| file.path.clone());
    files.filter(|path| is_guide(path) && index.shows(path)).collect()
}

/// The sections of a document: their headings begin with a mark, as in Markdown, or are underlined, as in reStructuredText.
fn sections_of(text: &str) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    let mut fenced = false;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        fenced ^= fence;
        let marked = line.strip_prefix("## ").or_else(|| line.strip_prefix("# "));
        let underlined = || {
            let below = lines.peek().filter(|below| is_underline(line, below));
            below.map(|_| line)
        };
        // A comment in an example isn't a heading.
        let heading = if fenced || fence { None } else { marked.or_else(underlined) };
        if let Some(heading) = heading {
            if marked.is_none() {
                lines.next();
            }
            out.push((heading.trim().to_owned(), String::new()));
        } else if let Some((_, body)) = out.last_mut() {
            body.push_str(line);
            body.push('\n');
        }
    }
    out.retain(|(_, body)| !body.trim().is_empty());
    out
}

/// Whether a line is the underline of a heading: one mark repeated, as long as the heading at least.
fn is_underline(heading: &str, line: &str) -> bool {
    let (heading, line) = (heading.trim(), line.trim_end());
    let first = line.chars().next().filter(|c| matches!(c, '=' | '-' | '~' | '^' | '*' | '#'));
    let is_text = heading.chars().any(char::is_alphanumeric);
    is_text
        && first.is_some_and(|first| line.chars().all(|c| c == first))
        && line.len() >= heading.chars().count().max(3)
}

/// The end of the word with this number.
fn nth_word_end(text: &str, number: usize) -> usize {
    let start = text.as_ptr() as usize;
    text.split_whitespace().take(number).last().map_or(0, |word| word.as_ptr() as usize - start + word.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_printed_whole_where_words_asked_for_them() {
        let section = json!({"heading": "Names", "content": "Short.\n\nAnd plain.\n", "truncated": true});
        let guide = json!({"file": "STYLE.md", "sections": [section]});
        assert_eq!(guide_lines(&guide, false), ["STYLE.md – Names"]);
        assert_eq!(guide_lines(&guide, true), ["STYLE.md – Names", "  Short.", "", "  And plain.", "  …"]);
    }

    #[test]
    fn headings_are_marked_or_underlined_and_not_in_examples() {
        let headings =
            |text: &str| sections_of(text).into_iter().map(|(heading, _)| heading).collect::<Vec<_>>();
        assert_eq!(
            headings("# How\nuse tabs\n```sh\n# install\nmake\n```\n## Tests\nrun them\n"),
            ["How", "Tests"]
        );
        assert_eq!(
            headings("Style guide\n===========\n\nUse tabs.\n\nTests\n-----\nRun them.\n"),
            ["Style guide", "Tests"]
        );
        assert_eq!(headings("a | b\n--- | ---\n1 | 2\n\ntext\n\n---\nmore\n"), [""; 0]);
    }

    #[test]
    fn what_says_how_code_is_written_is_known_by_its_name() {
        for guide in [
            "CONTRIBUTING.md",
            "contributing.rst",
            "STYLE.md",
            "docs/style.md",
            "docs/code-style.md",
            "CLAUDE.local.md",
            ".github/copilot-instructions.md",
            "HACKING",
        ] {
            assert!(is_guide(guide), "{guide}");
        }
        for other in ["style.css", "docs/styles.md", "src/style.md", "architecture.ts", "README.md"] {
            assert!(!is_guide(other), "{other}");
        }
    }

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
