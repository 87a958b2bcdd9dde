//! Shows the health of files and folders: what the index can defend, and how often commits of the last year touched them.

use std::collections::{BTreeMap, HashMap, HashSet};

use code::health::{FileHealth, health as of};
use contract::Error;
use serde_json::{Map, Value, json};

use super::structure::kept;
use super::{ActionReply, caveat};
use crate::index::{Index, failure, git};

/// The number of a file's names that are shown.
const NAMES: usize = 5;
/// The law of the hint, as it's told beside it.
const HINT: &str = "unmentioned is a hint: exported definitions whose name occurs in no other file; a framework, a macro or another project may use them";

/// Lists files with something to look at, and the sums of each folder.
///
/// # Errors
/// When no file is in the folder, or the index cannot be read.
pub(crate) fn health(
    index: &Index<'_>,
    folder: Option<&str>,
    limit: Option<usize>,
    offset: usize,
) -> Result<ActionReply, Error> {
    let folder = index.scope(folder)?;
    let all = of(index.store, index.reader, |file| kept(index, folder.as_deref(), file))
        .map_err(|error| failure(&error))?;
    let history = git::touched(&index.place.root).map(|paths| {
        let mut counts: HashMap<String, u64> = HashMap::new();
        paths.into_iter().for_each(|path| *counts.entry(path).or_default() += 1);
        counts
    });
    Ok(page_reply(&all, history.as_ref(), limit, offset, &index.status.stamp()))
}

fn page_reply(
    all: &[FileHealth],
    history: Option<&HashMap<String, u64>>,
    limit: Option<usize>,
    offset: usize,
    stamp: &Value,
) -> ActionReply {
    let commits = |path: &str| history.map(|counts| counts.get(path).copied().unwrap_or(0));
    let ailing: Vec<&FileHealth> = all.iter().filter(|one| one.signs() > 0).collect();
    let mut packages = HashSet::new();
    let page: Vec<Value> = ailing
        .iter()
        .skip(offset)
        .take(limit.unwrap_or(12).clamp(1, 500))
        .map(|one| entry(one, commits(&one.path), &mut packages))
        .collect();
    let mut folders: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for one in all {
        let folder = folder(&one.path);
        let sums = folders.entry(folder).or_default();
        let mut add = |key: &str, number: u64| {
            let sum = sums.get(key).and_then(Value::as_u64).unwrap_or(0) + number;
            if sum > 0 {
                sums.insert(key.to_owned(), sum.into());
            }
        };
        add("files", 1);
        add("lines", u64::from(one.lines));
        add("long", u64::from(one.long));
        add("parseErrors", u64::from(one.parse_errors));
        add("inCircle", u64::from(one.in_circle));
        add("unmentioned", one.unmentioned.len() as u64);
        add("commits", commits(&one.path).unwrap_or(0));
    }
    let signs = |sums: &Map<String, Value>| -> u64 {
        let counted = ["long", "parseErrors", "inCircle", "unmentioned"];
        counted.iter().filter_map(|key| sums.get(*key)?.as_u64()).sum()
    };
    let mut folders: Vec<(&str, Map<String, Value>)> = folders.into_iter().collect();
    folders.sort_by_key(|(path, sums)| (std::cmp::Reverse(signs(sums)), *path));
    let folders: Vec<Value> = folders
        .into_iter()
        .take(12)
        .map(|(path, sums)| {
            let mut out = Map::from_iter([("path".to_owned(), path.into())]);
            out.extend(sums);
            out.into()
        })
        .collect();
    let mut data = json!({
        "status": "success",
        "files": all.len(),
        "count": ailing.len(),
        "hint": HINT,
        "folders": folders,
    });
    if offset > 0 {
        data["offset"] = offset.into();
    }
    if offset + page.len() < ailing.len() {
        data["nextOffset"] = (offset + page.len()).into();
    }
    let mut lines = caveat(stamp);
    let files = contract::count(all.len() as u64, "file");
    lines.push(match ailing.len() {
        0 => format!("nothing to look at in {files}"),
        1 => format!("1 of {files} has something to look at"),
        several => format!("{several} of {files} have something to look at"),
    });
    lines.extend(page.iter().map(line));
    if page.iter().any(|one| one["unmentioned"].is_array()) {
        lines.push(format!("({HINT})"));
    }
    if let Some(next) = data["nextOffset"].as_u64() {
        lines.push(format!("… {next} of {}; --offset {next} shows more", ailing.len()));
    }
    data["results"] = page.into();
    if stamp["reason"].is_string() || stamp["problem"].is_string() {
        data["index"] = stamp.clone();
    }
    ActionReply { data, lines }
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or(".", |(folder, _)| folder)
}

/// One file. Each file of a package of Go is imported with all others, which is told once; `packages` are those of which it was.
fn entry<'a>(one: &'a FileHealth, commits: Option<u64>, packages: &mut HashSet<&'a str>) -> Value {
    let mut out = json!({"file": one.path, "lines": one.lines});
    for (key, is) in [("long", one.long), ("parseErrors", one.parse_errors), ("inCircle", one.in_circle)] {
        if is {
            out[key] = true.into();
        }
    }
    let is_in_package = one.path.ends_with(".go") && one.dependants.is_some_and(|number| number > 0);
    let dependants = if is_in_package { "packageDependants" } else { "dependants" };
    let is_told = is_in_package && !packages.insert(folder(&one.path));
    for (key, number) in [(dependants, one.dependants.filter(|_| !is_told)), ("tests", one.tests)] {
        if let Some(number) = number {
            out[key] = number.into();
        }
    }
    if let Some(commits) = commits {
        out["commits"] = commits.into();
    }
    if !one.unmentioned.is_empty() {
        let names: Vec<Value> =
            one.unmentioned.iter().take(NAMES).map(|d| json!({"name": d.name, "line": d.line})).collect();
        out["unmentioned"] = names.into();
        out["unmentionedCount"] = one.unmentioned.len().into();
    }
    out
}

fn line(one: &Value) -> String {
    let mut parts = vec![contract::count(one["lines"].as_u64().unwrap_or(0), "line")];
    for (key, text) in [("long", "long"), ("parseErrors", "parse errors"), ("inCircle", "in an import cycle")]
    {
        if one[key] == true {
            parts.push(text.to_owned());
        }
    }
    for (key, single, text) in [
        ("dependants", "file imports it", "files import it"),
        ("packageDependants", "file imports its package", "files import its package"),
        ("tests", "test", "tests"),
        ("commits", "commit in a year", "commits in a year"),
    ] {
        if let Some(number) = one[key].as_u64() {
            parts.push(format!("{number} {}", if number == 1 { single } else { text }));
        }
    }
    if let Some(names) = one["unmentioned"].as_array() {
        let names: Vec<&str> = names.iter().filter_map(|one| one["name"].as_str()).collect();
        let more = one["unmentionedCount"].as_u64().unwrap_or(0) > names.len() as u64;
        let more = if more { " …" } else { "" };
        parts.push(format!("in no other file: {}{more}", names.join(", ")));
    }
    format!("{}  {}", one["file"].as_str().unwrap_or_default(), parts.join(", "))
}

#[cfg(test)]
mod tests {
    use code::health::Unmentioned;

    use super::*;

    #[test]
    fn files_with_something_to_look_at_are_listed_and_folders_are_their_sums() {
        let file = |path: &str, lines: u32| FileHealth {
            path: path.to_owned(),
            lines,
            long: lines > 1_000,
            parse_errors: false,
            in_circle: false,
            dependants: Some(2),
            tests: Some(0),
            unmentioned: Vec::new(),
        };
        let lost = (0..7).map(|i| Unmentioned { name: format!("f{i}"), line: i }).collect();
        let all = [
            FileHealth { unmentioned: lost, ..file("a/x.ts", 1_200) },
            FileHealth { dependants: None, tests: None, parse_errors: true, ..file("b/y.cs", 3) },
            file("b/z.ts", 9),
        ];
        let commits = HashMap::from([("a/x.ts".to_owned(), 4)]);
        let reply = page_reply(&all, Some(&commits), None, 0, &Value::Null);
        assert_eq!(
            reply.lines[..3],
            [
                "2 of 3 files have something to look at",
                "a/x.ts  1200 lines, long, 2 files import it, 0 tests, 4 commits in a year, in no other file: f0, f1, f2, f3, f4 …",
                "b/y.cs  3 lines, parse errors, 0 commits in a year",
            ]
        );
        assert_eq!(reply.data["folders"][0]["unmentioned"], 7);
        assert_eq!(reply.data["folders"][1], json!({"path": "b", "files": 2, "lines": 12, "parseErrors": 1}));
        let second = page_reply(&all, None, Some(1), 1, &Value::Null);
        assert!(second.data["results"][0]["file"] == "b/y.cs" && second.data["nextOffset"].is_null());
        assert!(second.data["results"][0]["commits"].is_null(), "without git nothing is said of commits");
        let single = [FileHealth { dependants: Some(1), tests: Some(1), ..file("c.ts", 1_200) }];
        let commits = HashMap::from([("c.ts".to_owned(), 1)]);
        let reply = page_reply(&single, Some(&commits), None, 0, &Value::Null);
        assert_eq!(reply.lines[0], "1 of 1 file has something to look at");
        assert_eq!(
            page_reply(&all[2..], None, None, 0, &Value::Null).lines,
            ["nothing to look at in 1 file"]
        );
        assert_eq!(reply.lines[1], "c.ts  1200 lines, long, 1 file imports it, 1 test, 1 commit in a year");
        // With one file of a package of Go all others are imported.
        let go = |path: &str, dependants: usize| FileHealth {
            dependants: Some(dependants),
            tests: None,
            ..file(path, 1_200)
        };
        let package = [go("http/a.go", 45), go("http/b.go", 45), go("http/b_test.go", 0), go("log/c.go", 1)];
        let reply = page_reply(&package, None, None, 0, &Value::Null);
        assert_eq!(
            reply.lines[1..],
            [
                "http/a.go  1200 lines, long, 45 files import its package",
                "http/b.go  1200 lines, long",
                "http/b_test.go  1200 lines, long, 0 files import it",
                "log/c.go  1200 lines, long, 1 file imports its package",
            ]
        );
    }
}
