//! Output of searches (`grep`, `rg`, `git grep`, `ag`, `ack`): matches with file and line, with a file only, with a
//! line only, under headings, with lines around them; names of files and counts. Owns telling these forms apart.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::Value;

use super::listing;
use crate::counted::counted;
use crate::data::search::{File, Found, Hit};

/// Up to this number, matches are easier to read unchanged.
const FEW: usize = 5;

/// A search's output in at most about `room` bytes.
pub(crate) fn search(text: &str, room: usize) -> Option<String> {
    if let Some((lines, total)) = of_json(text) {
        return Some(format!("{}{total}", search(&lines, room.checked_sub(total.len())?)?));
    }
    if let Some(counts) = counts(text) {
        return Some(counts);
    }
    let found = with_places(text, 80)
        .or_else(|| headed(text))
        .or_else(|| path_prefixed(text))
        .or_else(|| numbered(text));
    match found {
        Some(found) => (found.matches() >= FEW).then(|| found.render(room)),
        None => listing::paths(text, room),
    }
}

/// The lines `path:12:text` from the objects of `rg --json`, and its own totals.
fn of_json(text: &str) -> Option<(String, String)> {
    if !text.starts_with("{\"type\":\"") {
        return None;
    }
    let (mut lines, mut total) = (String::new(), String::new());
    for line in text.lines().filter(|line| !line.is_empty()) {
        let told: Value = serde_json::from_str(line).ok()?;
        let data = &told["data"];
        let text = |key: &str| data[key]["text"].as_str();
        match told["type"].as_str()? {
            kind @ ("match" | "context") => {
                let (path, number) = (text("path")?, data["line_number"].as_u64()?);
                let sign = if kind == "match" { ':' } else { '-' };
                for (number, shown) in (number..).zip(text("lines")?.lines()) {
                    let _ = writeln!(lines, "{path}{sign}{number}{sign}{shown}");
                }
            }
            "summary" => {
                // A missing total isn't zero.
                let count = |key: &str, words: &str| Some(counted(data["stats"][key].as_u64()?, words));
                let (matches, files) = (count("matches", "matches")?, count("searches_with_match", "files")?);
                total = format!("{matches} in {files}, {}\n", count("matched_lines", "lines")?);
            }
            "begin" | "end" => {}
            _ => return None,
        }
    }
    (!lines.is_empty()).then_some((lines, total))
}

/// The same for an unknown output: nearly all lines must name file and line.
pub(crate) fn summary(text: &str, room: usize) -> Option<String> {
    let found = with_places(text, 95)?;
    // A linter's finding has the same form, with a severity after the place.
    let hits = || found.files.iter().flat_map(|file| &file.hits);
    if hits().filter(|hit| is_finding(hit.rest)).count() * 4 > hits().count() {
        return None;
    }
    // A time within a statement has the form of a number behind a name.
    let named = |file: &&File<'_>| is_path(file.name) || !file.name.contains(char::is_whitespace);
    let of_files: usize = found.files.iter().filter(named).map(|file| file.hits.len()).sum();
    if of_files * 100 < hits().count() * 95 {
        return None;
    }
    (found.matches() >= FEW).then(|| found.render(room))
}

/// Whether what is after `path:12` is a column and a severity.
fn is_finding(rest: &str) -> bool {
    let printed = rest
        .trim_start_matches([':', ' '])
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .trim_start_matches([':', ' ']);
    ["error", "warning", "note", "fatal", "info", "hint", "E", "W", "C", "R"].iter().any(|severity| {
        printed.get(..severity.len()).is_some_and(|head| {
            head.eq_ignore_ascii_case(severity) && (severity.len() > 1 || head == *severity)
        }) && printed[severity.len()..].starts_with(|c: char| {
            if severity.len() > 1 { !c.is_alphanumeric() && c != '_' } else { c.is_ascii_digit() }
        })
    })
}

/// Puts hits to their files.
#[derive(Default)]
struct Files<'t> {
    found: Found<'t>,
    known: HashMap<&'t str, usize>,
    apart: bool,
}

impl<'t> Files<'t> {
    fn add(&mut self, name: &'t str, number: Option<&'t str>, rest: &'t str, context: bool) {
        let files = &mut self.found.files;
        let at = *self.known.entry(name).or_insert_with(|| {
            files.push(File { name, hits: Vec::new() });
            files.len() - 1
        });
        let apart = std::mem::take(&mut self.apart);
        if let Some(file) = files.get_mut(at) {
            file.hits.push(Hit { number, rest, context, apart });
        }
    }
}

/// `path:12:text`, `path-12-text`, in `share` per cent of the lines.
fn with_places(text: &str, share: usize) -> Option<Found<'_>> {
    let mut files = Files::default();
    let (mut places, mut lines) = (0, 0);
    for line in text.lines().filter(|line| !line.is_empty()) {
        if line == "--" {
            files.apart = true;
            continue;
        }
        lines += 1;
        match split(line) {
            Some((name, number, rest)) => {
                places += 1;
                files.add(name, Some(number), rest, rest.starts_with('-'));
            }
            None => files.found.notes.push(line),
        }
    }
    (places > 0 && places * 100 >= lines * share).then_some(files.found)
}

/// Names by themselves with `12:text` below them.
fn headed(text: &str) -> Option<Found<'_>> {
    let mut files = Files::default();
    let mut name = None;
    let (mut places, mut lines, mut names) = (0, 0, 0);
    let mut after_blank = true;
    for line in text.lines() {
        if line.is_empty() {
            after_blank = true;
            continue;
        }
        lines += 1;
        let blank = std::mem::take(&mut after_blank);
        match (name, number(line)) {
            _ if line == "--" => {
                files.apart = true;
                lines -= 1;
            }
            (Some(name), Some((number, rest))) => {
                places += 1;
                files.add(name, Some(number), rest, rest.starts_with('-'));
            }
            _ if blank && is_path(line) => {
                names += 1;
                name = Some(line);
            }
            _ => files.found.notes.push(line),
        }
    }
    (names > 0 && places >= names && (places + names) * 10 >= lines * 9).then_some(files.found)
}

/// `path:text`, where nearly all lines begin with a path.
fn path_prefixed(text: &str) -> Option<Found<'_>> {
    let mut files = Files::default();
    let (mut places, mut lines) = (0, 0);
    for line in text.lines().filter(|line| !line.is_empty()) {
        lines += 1;
        let from =
            usize::from(line.as_bytes().get(1) == Some(&b':') && line.as_bytes().get(2) == Some(&b'\\')) * 2;
        let colon = line.get(from..).and_then(|rest| rest.find(':')).map(|at| at + from);
        match colon.map(|at| line.split_at(at)).filter(|(name, _)| is_path(name)) {
            Some((name, rest)) => {
                places += 1;
                files.add(name, None, rest, false);
            }
            None => files.found.notes.push(line),
        }
    }
    (places > 0 && places * 10 >= lines * 9).then_some(files.found)
}

/// `12:text` of one file.
fn numbered(text: &str) -> Option<Found<'_>> {
    let mut files = Files::default();
    let (mut places, mut lines) = (0, 0);
    let mut last = 0_u64;
    for line in text.lines().filter(|line| !line.is_empty()) {
        if line == "--" {
            files.apart = true;
            continue;
        }
        lines += 1;
        let Some((number, rest)) = number(line) else {
            files.found.notes.push(line);
            continue;
        };
        // Numbers of lines only grow.
        let at = number.parse::<u64>().ok().filter(|at| *at > last)?;
        last = at;
        places += 1;
        files.add("", Some(number), rest, rest.starts_with('-'));
    }
    (places > 0 && places * 20 >= lines * 19).then_some(files.found)
}

/// `path:3` for each file: those without a match are counted.
fn counts(text: &str) -> Option<String> {
    let mut out = String::new();
    let (mut files, mut none, mut sum) = (0_usize, 0_usize, 0_u64);
    for line in text.lines().filter(|line| !line.is_empty()) {
        let (name, count) = line.rsplit_once(':')?;
        let count: u64 = count.parse().ok()?;
        if !is_path(name) {
            return None;
        }
        files += 1;
        sum += count;
        if count == 0 {
            none += 1;
            continue;
        }
        out.push_str(line);
        out.push('\n');
    }
    (none > 2 && files > 5)
        .then(|| format!("{sum} in {} of {files} files; the other {none} have 0\n{out}", files - none))
}

fn number(line: &str) -> Option<(&str, &str)> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..)?;
    (digits > 0 && rest.starts_with([':', '-'])).then(|| line.split_at(digits))
}

/// A name of a file, as far as can be told: no blanks around signs of code, a dot or a slash in it.
fn is_path(name: &str) -> bool {
    !name.is_empty()
        && name.len() < 300
        && name.contains(['/', '.', '\\'])
        && !name.contains(['(', ')', '{', '}', ';', '"', '\'', '<', '>', '=', ','])
        && !name.starts_with([' ', '\t', '-'])
        && name.split(' ').count() < 4
        && !name.ends_with('.')
        && !is_number(name)
}

/// `path:12:text` as path, line, and the rest with its separator (`:` for a match, `-` for context).
fn split(line: &str) -> Option<(&str, &str, &str)> {
    let from =
        if line.as_bytes().get(1) == Some(&b':') && line.as_bytes().get(2) == Some(&b'\\') { 2 } else { 0 };
    // A match is looked for first: names have hyphens and figures, too.
    place(line, from, b':').or_else(|| place(line, from, b'-'))
}

fn place(line: &str, from: usize, mark: u8) -> Option<(&str, &str, &str)> {
    let bytes = line.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        if bytes[at] == mark {
            let digits = bytes[at + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
            let end = at + 1 + digits;
            if digits > 0 && bytes.get(end) == Some(&bytes[at]) && at > from {
                let (name, number, rest) = (line.get(..at)?, line.get(at + 1..end)?, line.get(end..)?);
                let time = if mark == b':' { is_time_of_day } else { is_date };
                if is_number(name) || time(name, number, rest) {
                    return None;
                }
                return Some((name, number, rest));
            }
        }
        // A match whose path has a colon is not worth guessing.
        if bytes[at] == b':' {
            return None;
        }
        at += 1;
    }
    None
}

/// Digits, and those of an address: the text before a peer's port isn't a file's name.
fn is_number(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// Whether `2026-03-04T08`, `08` and `:32+0000 …` are a date with its time and the text after it.
fn is_time_of_day(name: &str, minute: &str, rest: &str) -> bool {
    let two = |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some((before, hour)) = name.len().checked_sub(2).and_then(|at| name.split_at_checked(at)) else {
        return false;
    };
    let second = rest.get(1..3).is_some_and(two) && !rest[3..].starts_with(|c: char| c.is_ascii_digit());
    // After other letters the figures are part of a name.
    let apart = match before.strip_suffix('T') {
        Some(date) => date.ends_with(|c: char| c.is_ascii_digit()),
        None => before.is_empty() || before.ends_with(['[', '(', '"', '\'', ' ']),
    };
    two(hour) && two(minute) && second && apart
}

/// Whether `[2026`, `03` and `-04T08:08:32] …` are a date and the text after it.
fn is_date(name: &str, month: &str, rest: &str) -> bool {
    let digits =
        |text: &str, count: usize| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    let year = name.len().checked_sub(4).and_then(|at| name.get(at..));
    year.is_some_and(|year| digits(year, 4))
        && digits(month, 2)
        && rest.get(1..3).is_some_and(|day| digits(day, 2))
}

#[cfg(test)]
mod tests {
    use super::{of_json, path_prefixed, split, summary};

    #[test]
    fn a_time_and_a_peer_are_not_places() {
        for line in [
            "2026-03-04T08:08:32+0000 devbox nginx[12]: reloaded",
            "[2026-03-04T08:08:32.120Z] INFO reloaded",
            "08:08:32 reloaded",
            "[08:08:32] reloaded",
            "2026-03-04 08:08:32 reloaded",
            "worker 2026-03-04 reloaded",
            "10.0.3.77:8443: GET /health 200",
        ] {
            assert_eq!(split(line), None, "{line}");
        }
        for (line, name, number) in [
            ("src/a.rs:12:32: x", "src/a.rs", "12"),
            ("docs/part08:12:34 x", "docs/part08", "12"),
            ("log/2026-03-04:12:34 x", "log/2026-03-04", "12"),
            ("src/T08:12:34 x", "src/T08", "12"),
            ("v1.2/notes.md:12:x", "v1.2/notes.md", "12"),
        ] {
            let found = split(line).map(|(name, number, _)| (name, number));
            assert_eq!(found, Some((name, number)), "{line}");
        }
        let log: String = (0..60)
            .map(|n| format!("2026-03-04T08:08:{n:02}+0000 devbox nginx[12]: GET /v1/{n}\n"))
            .collect();
        assert_eq!(summary(&log, 2_000), None);
        assert!(path_prefixed("10.0.3.77:8443 GET /health 200\n10.0.3.78:8443 GET /health 200\n").is_none());
        assert!(path_prefixed("src/a.rs:let a = 3;\nsrc/b.rs:let b = 3;\n").is_some());
    }

    #[test]
    fn matches_in_objects_become_lines_with_places() {
        let text = concat!(
            "{\"type\":\"begin\",\"data\":{\"path\":{\"text\":\"a.rs\"}}}\n",
            "{\"type\":\"context\",\"data\":{\"path\":{\"text\":\"a.rs\"},\"lines\":{\"text\":\"fn a() {\\n\"},\"line_number\":2}}\n",
            "{\"type\":\"match\",\"data\":{\"path\":{\"text\":\"a.rs\"},\"lines\":{\"text\":\"    throw();\\n\"},\"line_number\":3,\"submatches\":[]}}\n",
            "{\"type\":\"end\",\"data\":{\"path\":{\"text\":\"a.rs\"}}}\n",
            "{\"type\":\"summary\",\"data\":{\"stats\":{\"matches\":1,\"matched_lines\":1,\"searches_with_match\":1}}}\n",
        );
        let (lines, total) = of_json(text).unwrap();
        assert_eq!(lines, "a.rs-2-fn a() {\na.rs:3:    throw();\n");
        assert_eq!(total, "1 match in 1 file, 1 line\n");
        for text in [
            "",
            "{\"type\":\"other\"}\n",
            "{\"type\":\"match\"\n",
            "a.rs:3:x\n",
            "{\"type\":\"summary\",\"data\":{\"stats\":{\"files\":7}}}\n",
        ] {
            assert_eq!(of_json(text), None, "{text}");
        }
    }
}
