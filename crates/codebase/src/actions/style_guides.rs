//! What a project's documents say about writing code: finds the documents by their names, and gives their sections.

use contract::Error;
use serde_json::{Value, json};

use super::ActionReply;
use crate::index::Index;

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
    "DEVELOPMENT",
    "DEVELOPING",
    "DEVELOPER_GUIDE",
    "AGENTS",
    "CLAUDE",
    "GEMINI",
    "COPILOT_INSTRUCTIONS",
];
/// How documents end: a `style.css` says nothing about code.
const DOCUMENTS: &[&str] = &["", "md", "mdx", "markdown", "rst", "txt", ASCIIDOC];
const ASCIIDOC: &str = "adoc";
/// Where such documents are, beside the project's own folder: `docs`, `dev/docs`, `docs/developers`.
const FOLDERS: &[&str] = &[
    ".github",
    "contributing",
    "dev",
    "developer",
    "developers",
    "development",
    "doc",
    "docs",
    "documentation",
];
/// The number of words of a section, and of sections of a file.
const SECTION_WORDS: usize = 500;
const SECTIONS: usize = 3;
const MAX_GUIDE: u64 = 1024 * 1024;

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
        for (heading, body) in sections_of(&text, is_asciidoc(path)) {
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
    let in_folder = |part: &str| FOLDERS.iter().any(|known| part.eq_ignore_ascii_case(known));
    (folder.is_empty() || folder.split('/').all(in_folder))
        && DOCUMENTS.iter().any(|known| ending.eq_ignore_ascii_case(known))
        && GUIDES.iter().any(|guide| stem.eq_ignore_ascii_case(guide))
}

fn is_asciidoc(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case(ASCIIDOC))
}

fn guides_of(index: &Index<'_>) -> Vec<String> {
    let files = index.reader.files().iter().map(|file| file.path.clone());
    files.filter(|path| is_guide(path) && index.shows(path)).collect()
}

/// The sections of a document: their headings begin with a mark, as in Markdown and AsciiDoc, or are underlined, as in
/// reStructuredText. In AsciiDoc such a line is around an example.
fn sections_of(text: &str, asciidoc: bool) -> Vec<(String, String)> {
    let (fences, marks): (&[&str], &[&str]) =
        if asciidoc { (&["----", "....", "```"], &["== ", "= "]) } else { (&["```", "~~~"], &["## ", "# "]) };
    let mut out: Vec<(String, String)> = Vec::new();
    let mut fenced = false;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let fence = fences.iter().any(|fence| line.trim_start().starts_with(*fence));
        fenced ^= fence;
        let marked = marks.iter().find_map(|mark| line.strip_prefix(*mark));
        let underlined = || {
            let below = lines.peek().filter(|below| !asciidoc && is_underline(line, below));
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
            |text: &str| sections_of(text, false).into_iter().map(|(heading, _)| heading).collect::<Vec<_>>();
        assert_eq!(
            headings("# How\nuse tabs\n```sh\n# install\nmake\n```\n## Tests\nrun them\n"),
            ["How", "Tests"]
        );
        assert_eq!(
            headings("Style guide\n===========\n\nUse tabs.\n\nTests\n-----\nRun them.\n"),
            ["Style guide", "Tests"]
        );
        assert_eq!(headings("a | b\n--- | ---\n1 | 2\n\ntext\n\n---\nmore\n"), [""; 0]);
        let text =
            "= How\n:toc:\n\n== Tests\nRun them:\n[source,sh]\n----\n== no\nmake\n----\n\n=== More\nmore\n";
        let found: Vec<String> = sections_of(text, true).into_iter().map(|(heading, _)| heading).collect();
        assert_eq!(found, ["How", "Tests"]);
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
            "CONTRIBUTING.adoc",
            "dev/docs/development.md",
            "docs/developers/Coding-Style.md",
            "documentation/DEVELOPING",
        ] {
            assert!(is_guide(guide), "{guide}");
        }
        for other in [
            "style.css",
            "docs/styles.md",
            "src/style.md",
            "architecture.ts",
            "README.md",
            "docs/api/style.md",
            "src/development.py",
        ] {
            assert!(!is_guide(other), "{other}");
        }
    }
}
