//! Builds a review packet as Markdown: what a diff changes, who uses that elsewhere, which tests name it and what to check.

use std::collections::BTreeSet;

use code::language::{self, Language};
use contract::{Error, ErrorCode};
use serde_json::Value;

use super::{ActionReply, caveat};
use crate::index::{Index, Outcome, Task, run};
use crate::messages;

/// The number of changed definitions that are shown.
const SYMBOLS: usize = 80;

/// Builds the packet of all changes since `base`, or since the branch diverged from its base.
///
/// # Errors
/// Without a git repository or such a commit, or when it takes too long.
pub(crate) fn review(index: &Index<'_>, base: Option<&str>) -> Result<ActionReply, Error> {
    let base = base.map(str::trim).filter(|base| !base.is_empty());
    if base.is_some_and(|base| base.starts_with('-')) {
        return Err(Error::invalid("review: base is a branch, a tag or a commit"));
    }
    let task = Task::Review(base.map(str::to_owned));
    let found = match run(index.place, task, index.patience(), &index.call.cancelled) {
        Outcome::Answer(found) => found,
        Outcome::Failed(problem) => {
            return Err(Error::new(ErrorCode::Failed, messages::review_failed(problem)));
        }
        Outcome::Working => {
            return Err(Error::new(ErrorCode::Timeout, messages::review_long()));
        }
    };
    let mut data = (*found).clone();
    data["status"] = "success".into();
    // Files that the caller may not read aren't named.
    let shows =
        |one: &Value, key: &str| one[key].as_str().is_none_or(|path| path.is_empty() || index.shows(path));
    for (list, key) in [("files", "path"), ("symbols", "file"), ("risks", "file")] {
        if let Some(all) = data[list].as_array_mut() {
            all.retain(|one| shows(one, key));
        }
    }
    for file in data["files"].as_array_mut().into_iter().flatten() {
        if !shows(file, "from")
            && let Some(file) = file.as_object_mut()
        {
            file.remove("from");
        }
    }
    for symbol in data["symbols"].as_array_mut().into_iter().flatten() {
        for list in ["callers", "reached"] {
            if let Some(all) = symbol.get_mut(list).and_then(Value::as_array_mut) {
                all.retain(|one| shows(one, "file"));
            }
        }
        if let Some(tests) = symbol.get_mut("tests").and_then(Value::as_array_mut) {
            tests.retain(|one| one.as_str().is_some_and(|path| index.shows(path)));
        }
    }
    // What a file begins with tells Objective-C from MATLAB, and names the program of a script.
    let language_of = |path: &str| match index.file(path) {
        Some(file) => language::by_name(&file.language),
        None => language::of(path, ""),
    };
    let unread = languages_without_grammar(&data, &language_of);
    if !unread.is_empty() {
        data["definitionsNotRead"] = unread.into_iter().collect::<Vec<_>>().into();
    }
    let stamp = index.status.stamp();
    if !index.status.is_fresh() {
        data["index"] = stamp.clone();
    }
    let mut lines = caveat(&stamp);
    lines.extend(markdown(&data));
    Ok(ActionReply { data, lines })
}

/// The languages of changed programs in which no definitions are read.
fn languages_without_grammar(
    data: &Value,
    language_of: &dyn Fn(&str) -> Option<&'static Language>,
) -> BTreeSet<&'static str> {
    let files = list(&data["files"]).filter_map(|one| language_of(one["path"].as_str()?));
    files.filter(|one| one.is_program() && one.grammar().is_none()).map(|one| one.name).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Formats a name or path as code, even if it contains backticks.
fn code(value: &Value) -> String {
    let text = text(value);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn markdown(data: &Value) -> Vec<String> {
    let sum = |key: &str| list(&data["files"]).filter_map(|one| one[key].as_u64()).sum::<u64>();
    let count = data["files"].as_array().map_or(0, Vec::len);
    let mut out = vec![format!("# Changes since {}", code(&data["base"])), String::new()];
    if count == 0 {
        out.push("Nothing changed.".to_owned());
        return out;
    }
    let (files, added) = (contract::count(count as u64, "file"), contract::count(sum("added"), "line"));
    out.push(format!("{files}, {added} added, {} removed.", sum("removed")));
    out.extend([String::new(), "## Look at".to_owned(), String::new()]);
    let before = out.len();
    for one in list(&data["risks"]) {
        let place =
            if text(&one["file"]).is_empty() { String::new() } else { format!(" ({})", code(&one["file"])) };
        out.push(format!("- **{}**: {}{place}", text(&one["level"]), text(&one["what"])));
    }
    if out.len() == before {
        out.push("- none found".to_owned());
    }
    out.extend([String::new(), "## Changed definitions".to_owned(), String::new()]);
    let before = out.len();
    let symbols = data["symbols"].as_array().map_or(0, Vec::len);
    for one in list(&data["symbols"]).take(SYMBOLS) {
        symbol(one, &mut out);
    }
    if symbols > SYMBOLS {
        out.push(format!("- … {} more", symbols - SYMBOLS));
    }
    if out.len() == before {
        out.push("- none that the index knows".to_owned());
    }
    // Otherwise what isn't known would be taken for nothing.
    let unknown = list(&data["symbols"]).filter(|one| one["usesKnown"] == false).count();
    if unknown > 0 {
        out.push(String::new());
        out.push(match unknown {
            1 => "The uses of 1 more definition weren't looked for.".to_owned(),
            many => format!("The uses of {many} more definitions weren't looked for."),
        });
    }
    let unread: Vec<String> = list(&data["definitionsNotRead"]).map(text).collect();
    if !unread.is_empty() {
        out.extend([String::new(), format!("Definitions in {} aren't read.", unread.join(", "))]);
    }
    out.extend([String::new(), "## Files".to_owned(), String::new()]);
    for one in list(&data["files"]) {
        let (added, removed) = (&one["added"], &one["removed"]);
        let from =
            if one["from"].is_string() { format!(" from {}", code(&one["from"])) } else { String::new() };
        out.push(format!("- {} {}{from} (+{added} −{removed})", text(&one["change"]), code(&one["path"])));
    }
    match data["notLookedInto"].as_u64().unwrap_or(0) {
        0 => {}
        1 => out.extend([String::new(), "1 file wasn't looked into for its definitions.".to_owned()]),
        many => {
            out.extend([String::new(), format!("{many} files weren't looked into for their definitions.")]);
        }
    }
    out
}

fn symbol(one: &Value, out: &mut Vec<String>) {
    let owner = text(&one["in"]);
    let name = text(&one["name"]);
    let name = if owner.is_empty() { name } else { format!("{owner}.{name}") };
    let change = text(&one["change"]);
    let change = if change == "signature" { "takes or gives something else" } else { change.as_str() };
    let place = format!("{}:{}", text(&one["file"]), one["line"]);
    out.push(format!("- {} {} in {}: {change}", text(&one["kind"]), code(&name.into()), code(&place.into())));
    let mut callers: Vec<String> = Vec::new();
    for caller in list(&one["callers"]) {
        let place = code(&format!("{}:{}", text(&caller["file"]), caller["line"]).into());
        if !callers.contains(&place) {
            callers.push(place);
        }
    }
    if !callers.is_empty() {
        let more = one["moreCallers"].as_u64().map(|more| format!(" and {more} more")).unwrap_or_default();
        out.push(format!("  - used outside the diff: {}{more}", callers.join(", ")));
    }
    let place = |one: &Value| {
        let line = one["line"].as_u64().map(|line| format!(":{line}")).unwrap_or_default();
        code(&format!("{}{line}", text(&one["file"])).into())
    };
    let reached: Vec<String> = list(&one["reached"]).map(place).collect();
    if !reached.is_empty() {
        let more = one["moreReached"].as_u64().map(|more| format!(" and {more} more")).unwrap_or_default();
        out.push(format!("  - its users are imported in: {}{more}", reached.join(", ")));
    }
    let tests: Vec<String> = list(&one["tests"]).map(code).collect();
    if !tests.is_empty() {
        out.push(format!("  - tests: {}", tests.join(", ")));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn any_name_stays_inside_its_code_span() {
        for (name, expected) in [("a", "`a`"), ("a`b", "``a`b``"), ("`a`", "`` `a` ``"), ("a\nb", "`a b`")] {
            assert_eq!(code(&name.into()), expected);
        }
    }

    #[test]
    fn a_review_packet_names_changes_and_places_to_check() {
        let data = json!({
            "base": "main",
            "files": [{"path": "a.rs", "change": "changed", "added": 2, "removed": 1}],
            "symbols": [{"name": "f", "in": "S", "kind": "method", "file": "a.rs", "line": 3, "change": "signature",
                "callers": [{"file": "b.rs", "line": 7}], "moreCallers": 2, "tests": ["tests/a.rs"],
                "reached": [{"file": "c.rs", "line": 2, "hop": 2}, {"file": "d.rs", "hop": 2}], "moreReached": 1}],
            "risks": [{"level": "high", "what": "`f` takes or gives something else", "file": "a.rs"}],
        });
        assert_eq!(
            markdown(&data).join("\n"),
            "# Changes since `main`\n\n1 file, 2 lines added, 1 removed.\n\n## Look at\n\n- **high**: `f` takes or gives something else (`a.rs`)\n\n## Changed definitions\n\n- method `S.f` in `a.rs:3`: takes or gives something else\n  - used outside the diff: `b.rs:7` and 2 more\n  - its users are imported in: `c.rs:2`, `d.rs` and 1 more\n  - tests: `tests/a.rs`\n\n## Files\n\n- changed `a.rs` (+2 −1)"
        );
        let mut one = data.clone();
        one["files"][0]["added"] = 1.into();
        assert!(markdown(&one).join("\n").contains("\n\n1 file, 1 line added, 1 removed.\n"));
        let mut cut = data.clone();
        cut["symbols"][0]["usesKnown"] = false.into();
        cut["notLookedInto"] = 21.into();
        let printed = markdown(&cut).join("\n");
        assert!(
            printed.contains("\n\nThe uses of 1 more definition weren't looked for.\n\n## Files\n"),
            "{printed}"
        );
        assert!(printed.ends_with("\n\n21 files weren't looked into for their definitions."), "{printed}");
        let mut lua = data.clone();
        lua["files"][0]["path"] = "a.lua".into();
        let unread = |one: &Value| languages_without_grammar(one, &|path| language::of(path, ""));
        lua["definitionsNotRead"] = unread(&lua).into_iter().collect::<Vec<_>>().into();
        let printed = markdown(&lua).join("\n");
        assert!(printed.contains("\n\nDefinitions in lua aren't read.\n\n## Files\n"), "{printed}");
        assert!(unread(&data).is_empty());
        // The index knows what the file begins with.
        let objc = languages_without_grammar(&lua, &|_| language::by_name("objc"));
        assert_eq!(objc.into_iter().collect::<Vec<_>>(), ["objc"]);
        assert!(markdown(&json!({"base": "HEAD", "files": []})).contains(&"Nothing changed.".to_owned()));
    }
}
