//! Recognises an agent's search and its number of hits from a tool call and its output: the agent's own search tool, or `rg`, `grep`,
//! `git grep`, `ag` and `ack` in a shell. Anything unclear isn't a search. Pure.

use std::path::PathBuf;

use agents::{Output, ToolCall, ToolKind};
use serde_json::Value;
use shell::base;

use super::search_options::{CONTEXT, FILES, OTHER_WAY, Short, WITH_VALUE, short};

/// More hits than this are too many to look at.
pub(super) const MANY: u64 = 100;

/// A search with no hits or too many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SearchCall {
    /// The pattern as it was written.
    pub(super) pattern: String,
    /// The searched path.
    pub(super) path: Option<PathBuf>,
    /// How many hits there were: none, or more than [`MANY`].
    pub(super) hits: u64,
}

/// Search tools, by the names that agents give them; others of the kind list files.
const TOOLS: &[&str] =
    &["grep", "rg", "grep_search", "search_file_content", "grep_files", "codesearch", "ripgrep"];
/// The same in a shell.
const PROGRAMS: &[&str] = &["rg", "grep", "egrep", "ag", "ack"];
/// Arguments that ask a search tool for lines around each hit.
const CONTEXT_KEYS: &[&str] = &["-A", "-B", "-C", "context", "before", "after"];
/// Phrases that tools and agents print for no result.
const NOTHING: &[&str] = &[
    "no matches",
    "no match",
    "no files found",
    "no results",
    "no files with matches",
    "(no output)",
    "<no output>",
    "(bash completed with no output)",
    "(no content)",
    "no output",
    "(empty)",
];

/// The search that a call was, if it found nothing or too much. `failed` says that the call counts as failed, as one without
/// hits does for some.
pub(super) fn parse_search_call(tool: &ToolCall, failed: bool) -> Option<SearchCall> {
    let output = tool.output.as_ref()?;
    let (pattern, path, context, hits) = match &tool.kind {
        ToolKind::Shell { command } => {
            let asked = parse_shell_search(command)?;
            (asked.pattern, asked.path, asked.context, shell_hits(output, failed)?)
        }
        ToolKind::Grep if TOOLS.iter().any(|name| tool.name.eq_ignore_ascii_case(name)) => {
            let text = |keys: &[&str]| keys.iter().find_map(|key| tool.input.get(*key)?.as_str());
            let pattern = text(&["pattern", "query", "regex"])?.to_owned();
            // A search in documents is for prose.
            let glob = text(&["glob", "include", "include_pattern", "type"]).unwrap_or_default();
            if failed || is_prose(glob) {
                return None;
            }
            let path = text(&["path", "dir_path", "directory"]).map(PathBuf::from);
            let context = CONTEXT_KEYS.iter().any(|key| {
                let value = tool.input.get(*key).unwrap_or(&Value::Null);
                !matches!(value.as_str(), Some("" | "0"))
                    && !matches!(value, Value::Null)
                    && value.as_u64() != Some(0)
            });
            (pattern, path, context, tool_hits(output)?)
        }
        _ => return None,
    };
    // With context lines, the number of hits can't be told.
    (hits == 0 || hits > MANY && !context).then_some(SearchCall { pattern, path, hits })
}

fn is_prose(glob: &str) -> bool {
    let ending = glob.rsplit('.').next().unwrap_or_default().trim_end_matches('}');
    ["md", "txt", "json", "lock", "toml", "yaml", "yml", "xml", "csv", "log", "rst"].contains(&ending)
}

/// A search as it was typed.
struct ShellSearch {
    pattern: String,
    path: Option<PathBuf>,
    /// It also prints lines that aren't hits.
    context: bool,
}

/// A shell search: a single command, perhaps after a `cd`, with its full output.
fn parse_shell_search(line: &str) -> Option<ShellSearch> {
    let parsed = shell::line::parse(line);
    // Shell expansions are unknown; `end$` is a pattern.
    let put_in = |(at, _): (usize, &str)| {
        line[at + 1..].starts_with(|c: char| c == '(' || c == '{' || c.is_alphabetic())
    };
    if parsed.odd || line.match_indices('$').any(put_in) {
        return None;
    }
    let (folder, simple) = match parsed.commands.as_slice() {
        [only] => (None, only),
        [cd, then] => match cd.argv().as_slice() {
            [program, folder] if program == "cd" => (Some(PathBuf::from(folder)), then),
            _ => return None,
        },
        _ => return None,
    };
    if simple.piped_in || simple.piped_out || simple.to_file || simple.background {
        return None;
    }
    let mut argv = simple.argv();
    // Plimsoll may have put its own prefix before it.
    if argv.get(1).map(String::as_str) == Some("run")
        && let Some(at) = argv.iter().position(|word| word == "--")
    {
        argv.drain(..=at);
    }
    let program = base(argv.first()?).to_owned();
    let rest = match program.as_str() {
        "git" if argv.get(1).map(String::as_str) == Some("grep") => &argv[2..],
        program if PROGRAMS.contains(&program) => &argv[1..],
        _ => return None,
    };
    let (mut pattern, mut places, mut context) = (None::<String>, Vec::new(), false);
    let (mut words, mut options) = (rest.iter(), true);
    while let Some(word) = words.next() {
        if options && word == "--" {
            options = false;
        } else if options && word.starts_with("--") {
            let (name, value) =
                word.split_once('=').map_or((word.as_str(), None), |(name, value)| (name, Some(value)));
            if OTHER_WAY.contains(&name) {
                return None;
            }
            context |= CONTEXT.contains(&name);
            if name == "--regexp" {
                pattern = Some(value.map_or_else(|| words.next().cloned(), |value| Some(value.to_owned()))?);
            } else if WITH_VALUE.contains(&name) {
                let value = value.or_else(|| words.next().map(String::as_str))?;
                if FILES.contains(&name) && is_prose(value) {
                    return None;
                }
            }
        } else if options
            && word.len() > 1
            && let Some(letters) = word.strip_prefix('-')
        {
            for (at, letter) in letters.char_indices() {
                let kind = short(&program, letter);
                // Its value is the rest of the word, or the next one.
                let rest = &letters[at + letter.len_utf8()..];
                let mut value =
                    || if rest.is_empty() { words.next().map(String::as_str) } else { Some(rest) };
                match kind {
                    Short::Plain => continue,
                    Short::Around => {
                        context = true;
                        continue;
                    }
                    Short::OtherWay => return None,
                    Short::Pattern => pattern = Some(value()?.to_owned()),
                    Short::Files if is_prose(value()?) => return None,
                    Short::Files => {}
                    Short::Value => drop(value()?),
                    Short::Context => {
                        context = true;
                        value()?;
                    }
                }
                break;
            }
        } else if pattern.is_none() {
            pattern = Some(word.clone());
        } else {
            places.push(PathBuf::from(word));
        }
    }
    let place = match places.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        _ => return None,
    };
    let place = match (folder, place) {
        (Some(folder), Some(place)) => Some(folder.join(place)),
        (folder, place) => folder.or(place),
    };
    Some(ShellSearch { pattern: pattern?, path: place, context })
}

/// The number of hits in a shell's output; `None` for an error or if it is unclear.
fn shell_hits(output: &Output, failed: bool) -> Option<u64> {
    if output.exit.is_some_and(|code| code > 1) {
        return None;
    }
    let text = output.text.trim();
    // Without hits these programs end with 1, and some agents say so in front.
    let text = text.strip_prefix("Exit code 1").map_or(text, str::trim);
    let hits = reported_hits(text)?;
    (hits == 0 || !failed).then_some(hits)
}

fn tool_hits(output: &Output) -> Option<u64> {
    // An error's text isn't a list of hits, and not every agent's place for it is known.
    if output.raw.get("error").is_some_and(|error| !error.is_null()) {
        return None;
    }
    let number = |key: &str| output.raw.get(key).and_then(Value::as_u64);
    let counts = match output.raw.get("mode").and_then(Value::as_str) {
        Some("files_with_matches") => number("numFiles"),
        Some("count") => number("numMatches"),
        Some("content") => number("numLines"),
        _ => None,
    };
    counts.or_else(|| reported_hits(output.text.trim()))
}

/// How many hits a text lists.
fn reported_hits(text: &str) -> Option<u64> {
    let lower = text.get(..text.floor_char_boundary(64))?.to_lowercase();
    if lower.is_empty() || NOTHING.iter().any(|nothing| lower.starts_with(nothing)) {
        return Some(0);
    }
    if let Some(rest) = lower.strip_prefix("found ")
        && let Some(number) = rest.split_whitespace().next().and_then(|word| word.parse().ok())
    {
        return Some(number);
    }
    // Truncated output had more lines than it shows; how many is unknown.
    let lines = text.lines().filter(|line| !line.trim().is_empty() && *line != "--").count() as u64;
    (!text::is_own_output(text) || lines > MANY).then_some(lines)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(kind: ToolKind, name: &str, input: Value, text: &str, raw: Value, exit: Option<i32>) -> ToolCall {
        let output = Output { text: text.into(), raw, failed: false, exit, full_in: None };
        ToolCall { name: name.into(), kind, input, output: Some(output), id: None }
    }

    fn shell(command: &str, text: &str, exit: Option<i32>) -> Option<(String, Option<String>, u64)> {
        let kind = ToolKind::Shell { command: command.into() };
        let call = call(kind, "Bash", json!({"command": command}), text, Value::Null, exit);
        parse_search_call(&call, exit == Some(1))
            .map(|one| (one.pattern, one.path.map(|path| path.to_string_lossy().into_owned()), one.hits))
    }

    #[test]
    fn searches_in_a_shell_are_understood_and_everything_else_is_none() {
        let none = |pattern: &str, path: Option<&str>| Some((pattern.to_owned(), path.map(str::to_owned), 0));
        for (command, expected) in [
            ("rg parseConfig", none("parseConfig", None)),
            ("rg -n --type rust 'fn parse' src", none("fn parse", Some("src"))),
            ("grep -rn parseConfig src/", none("parseConfig", Some("src/"))),
            ("grep -r -e parseConfig .", none("parseConfig", Some("."))),
            ("git grep -n parseConfig", none("parseConfig", None)),
            ("cd src && rg parseConfig app", none("parseConfig", Some("src/app"))),
            ("/h/plimsoll run --agent codex --session s -- rg parseConfig", none("parseConfig", None)),
            ("rg -v parseConfig", None),
            ("rg -c parseConfig", None),
            ("rg parseConfig | wc -l", None),
            ("rg parseConfig > out", None),
            ("rg -g '*.md' parseConfig", None),
            ("grep -rn --include=*.md parseConfig .", None),
            ("rg -tmd parseConfig", None),
            ("ag -g parseConfig", None),
            ("grep -n -E zzz -r src/config", none("zzz", Some("src/config"))),
            ("rg -E utf-16 zzz src", none("zzz", Some("src"))),
            ("grep -rnA 3 parseConfig src", none("parseConfig", Some("src"))),
            ("grep -rne parseConfig src", none("parseConfig", Some("src"))),
            ("git grep -nE 'parse(Config|Args)'", none("parse(Config|Args)", None)),
            ("rg parseConfig a b", None),
            ("ls src", None),
            ("rg $(cat words)", None),
            ("cargo test && rg parseConfig", None),
        ] {
            assert_eq!(shell(command, "", Some(1)), expected, "{command}");
        }
    }

    #[test]
    fn only_no_hits_and_too_many_hits_count() {
        let lines = |count: usize| "src/a.rs:1:parse\n".repeat(count);
        for (text, exit, hits) in [
            ("", Some(1), Some(0)),
            ("", None, Some(0)),
            ("Exit code 1", Some(1), Some(0)),
            ("(no output)", None, Some(0)),
            ("rg: src: No such file", Some(2), None),
            ("", Some(2), None),
            (lines(1).as_str(), Some(0), None),
            (lines(100).as_str(), Some(0), None),
            (lines(101).as_str(), Some(0), Some(101)),
        ] {
            assert_eq!(shell("rg parse", text, exit).map(|one| one.2), hits, "{text:.40} {exit:?}");
        }
    }

    #[test]
    fn lines_around_a_hit_are_not_hits() {
        let lines = "src/a.rs-1-x\n".repeat(120);
        for command in [
            "grep -rn -A 30 parse src",
            "grep -rnC5 parse src",
            "grep -rn -3 parse .",
            "rg --context=4 parse",
            "git grep -W parse",
        ] {
            assert_eq!(shell(command, &lines, Some(0)), None, "{command}");
            assert!(shell(command, "", Some(1)).is_some(), "{command}");
        }
        let raw = json!({"mode": "content", "numLines": 240});
        let of = |input: Value| {
            parse_search_call(&call(ToolKind::Grep, "Grep", input, "", raw.clone(), None), false)
        };
        assert_eq!(of(json!({"pattern": "parse", "-C": 5})), None);
        assert_eq!(of(json!({"pattern": "parse", "-A": 0})).map(|one| one.hits), Some(240));
    }

    #[test]
    fn answers_of_search_tools_are_counted_as_each_agent_gives_them() {
        let claude = |mode: &str, key: &str, count: u64| json!({"mode": mode, key: count, "filenames": []});
        for (name, raw, text, hits) in [
            ("Grep", claude("files_with_matches", "numFiles", 0), "", Some(0)),
            ("Grep", claude("files_with_matches", "numFiles", 3), "", None),
            ("Grep", claude("content", "numLines", 240), "", Some(240)),
            ("Glob", claude("files_with_matches", "numFiles", 0), "", None),
            ("grep_search", Value::Null, "No matches found for pattern \"x\" in path \".\".", Some(0)),
            ("grep", Value::Null, "Found 140 matches\na.rs:\n  Line 1: x", Some(140)),
            ("grep", Value::Null, "No files found", Some(0)),
            ("grep", Value::Null, "a.rs:1:x", None),
        ] {
            let call = call(ToolKind::Grep, name, json!({"pattern": "parseConfig"}), text, raw, None);
            assert_eq!(parse_search_call(&call, false).map(|one| one.hits), hits, "{name} {text}");
        }
        let prose = json!({"pattern": "parseConfig", "glob": "*.md"});
        assert_eq!(
            parse_search_call(
                &call(ToolKind::Grep, "Grep", prose, "No matches found", Value::Null, None),
                false
            ),
            None
        );
    }
}
