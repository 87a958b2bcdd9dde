//! Messages of Cargo and rustc in JSON, one on each line (`cargo check --message-format=json`): as the compiler words them for a
//! terminal. Where not all fit, those that aren't errors are in one line each, and only then errors are. Owns which of the other
//! records a reader needs.

use std::collections::HashSet;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::counted::counted;
use crate::normal::normalise;

/// Messages up to this size, in bytes, are left alone.
const SMALL: usize = 2_000;
/// How the first record begins.
const BEGINS: [&str; 2] = ["{\"reason\":\"", "{\"$message_type\":\""];
/// Kinds of targets that other crates are built from.
const LIBRARIES: [&str; 4] = ["lib", "rlib", "proc-macro", "custom-build"];

/// What a line says.
enum Record {
    Error(String),
    /// A warning or a note.
    Other(String),
    Line(String),
    /// A library or a build script, of which there's one for each dependency.
    Dependency,
}

/// The messages in `text`, and the lines between them; `None` if any record is of another kind.
pub(super) fn summary(text: &str, room: usize) -> Option<String> {
    let first = text.lines().find(|line| is_record(line))?;
    if text.len() <= SMALL || !BEGINS.iter().any(|begin| first.starts_with(begin)) {
        return None;
    }
    let mut records: Vec<Record> = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    let (mut again, mut dependencies) = (0_usize, 0_usize);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        // The last one may be cut, as by a time limit.
        let is_cut = lines.peek().is_none() && !line.ends_with('}');
        let record = if is_record(line) && !is_cut { record(line)? } else { Record::Line(line.to_owned()) };
        match &record {
            Record::Error(message) | Record::Other(message) if !seen.insert(message.clone()) => again += 1,
            Record::Dependency => dependencies += 1,
            _ => records.push(record),
        }
    }
    let mut counts = String::new();
    if again > 0 {
        let _ = writeln!(counts, "… {} printed again for another target", counted(again, "messages"));
    }
    if dependencies > 0 {
        let _ = writeln!(counts, "… {} of libraries and build scripts", counted(dependencies, "records"));
    }
    let rest = room.saturating_sub(counts.len());
    let out = Some(written(&records, str::to_owned, str::to_owned)).filter(|whole| whole.len() <= rest);
    let out = out.or_else(|| errors_first(&records, str::to_owned, rest));
    let out = out.or_else(|| errors_first(&records, in_one_line, rest));
    let out = out.unwrap_or_else(|| written(&records, in_one_line, in_one_line));
    Some(out + &counts).filter(|out| out.len() < text.len())
}

/// How a message is written.
type Form = fn(&str) -> String;

fn written(records: &[Record], error: Form, other: Form) -> String {
    let mut out = String::new();
    for record in records {
        let _ = match record {
            Record::Error(message) => writeln!(out, "{}", error(message)),
            Record::Other(message) => writeln!(out, "{}", other(message)),
            Record::Line(line) => writeln!(out, "{line}"),
            Record::Dependency => Ok(()),
        };
    }
    out
}

/// All errors and lines, and in one line each as many of the other messages as there is room for.
fn errors_first(records: &[Record], error: Form, room: usize) -> Option<String> {
    let is_other = |record: &Record| matches!(record, Record::Other(_));
    let others = records.iter().filter(|record| is_other(record)).count();
    let mark = |left: usize| format!("… {} not shown, none of them an error\n", counted(left, "messages"));
    let needed: usize = records
        .iter()
        .filter(|record| !is_other(record))
        .map(|record| written(std::slice::from_ref(record), error, in_one_line).len())
        .sum();
    let mut rest = room.checked_sub(needed + mark(others).len())?;
    let (mut out, mut left) = (String::new(), 0);
    for record in records {
        let shown = written(std::slice::from_ref(record), error, in_one_line);
        if is_other(record) {
            if left > 0 || shown.len() > rest {
                left += 1;
                continue;
            }
            rest -= shown.len();
        }
        out.push_str(&shown);
    }
    if left > 0 {
        out.push_str(&mark(left));
    }
    Some(out)
}

fn is_record(line: &str) -> bool {
    line.starts_with('{')
}

fn record(line: &str) -> Option<Record> {
    let value: Value = serde_json::from_str(line).ok()?;
    let fields = value.as_object()?;
    match text(fields, "reason").or_else(|| text(fields, "$message_type"))? {
        "compiler-message" => message(fields.get("message")?.as_object()?),
        "diagnostic" => message(fields),
        "compiler-artifact" => artifact(fields),
        "build-script-executed" => Some(Record::Dependency),
        "build-finished" | "artifact" => Some(Record::Line(line.to_owned())),
        _ => None,
    }
}

fn text<'v>(fields: &'v Map<String, Value>, key: &str) -> Option<&'v str> {
    fields.get(key)?.as_str()
}

fn message(fields: &Map<String, Value>) -> Option<Record> {
    let message = normalise(text(fields, "rendered")?).trim_end().to_owned();
    let is_error = text(fields, "level").is_some_and(|level| level.starts_with("error"));
    Some(if is_error { Record::Error(message) } else { Record::Other(message) })
}

/// The files of a target, as of a program or a shared library, which are what such an output is often asked for.
fn artifact(fields: &Map<String, Value>) -> Option<Record> {
    let target = fields.get("target")?.as_object()?;
    let kinds: Vec<&str> = target.get("kind")?.as_array()?.iter().filter_map(Value::as_str).collect();
    let (kind, name) = (kinds.join(", "), text(target, "name")?);
    if let Some(executable) = text(fields, "executable") {
        return Some(Record::Line(format!("{kind} {name}: {executable}")));
    }
    if kinds.iter().all(|kind| LIBRARIES.contains(kind)) {
        return Some(Record::Dependency);
    }
    let files: Vec<&str> = fields.get("filenames")?.as_array()?.iter().filter_map(Value::as_str).collect();
    Some(Record::Line(format!("{kind} {name}: {}", files.join(", "))))
}

/// A message's first line behind its place: `src/lib.rs:1:5: warning: unused import: …`.
fn in_one_line(message: &str) -> String {
    let first = message.lines().next().unwrap_or_default();
    match message.lines().find_map(|line| line.trim_start().strip_prefix("--> ")) {
        Some(place) => format!("{place}: {first}"),
        None => first.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::summary;

    fn artifact(kind: &str, name: &str, executable: Option<&str>) -> String {
        let target = json!({"kind": [kind], "name": name, "src_path": format!("/srv/{name}/src/lib.rs")});
        let files = [format!("/srv/shop/target/debug/deps/lib{name}.so")];
        let fields = json!({"target": target, "filenames": files, "executable": executable, "fresh": true});
        of("compiler-artifact", &fields)
    }

    fn warning(n: usize) -> String {
        let rendered = format!(
            "warning: unused variable: `tax{n}`\n --> src/cart.rs:{n}:9\n  |\n{n} |     let tax{n} = 7;\n  |         ^^^^ help: prefix it with an underscore\n\n"
        );
        let message = json!({"rendered": rendered, "level": "warning", "spans": [{"file_name": "src/cart.rs", "line_start": n}]});
        of("compiler-message", &json!({"message": message}))
    }

    /// A record as Cargo writes it, with its reason first.
    fn of(reason: &str, fields: &serde_json::Value) -> String {
        format!("{{\"reason\":\"{reason}\",{}\n", &fields.to_string()[1..])
    }

    #[test]
    fn messages_are_read_and_dependencies_counted() {
        let dependencies: String = (0..90).map(|n| artifact("lib", &format!("part{n}"), None)).collect();
        let text = format!(
            "   Compiling shop v1.0.0 (/srv/shop)\n{dependencies}{}{}{}{}{}{}    Finished `dev` profile\n",
            warning(7),
            warning(8),
            warning(7),
            artifact("cdylib", "shop", None),
            artifact("bin", "serve", Some("/srv/shop/target/debug/serve")),
            of("build-finished", &json!({"success": true})),
        );
        let rendered = |n: usize| {
            format!(
                "warning: unused variable: `tax{n}`\n --> src/cart.rs:{n}:9\n  |\n{n} |     let tax{n} = 7;\n  |         ^^^^ help: prefix it with an underscore\n"
            )
        };
        let around = |messages: &str| {
            format!(
                "   Compiling shop v1.0.0 (/srv/shop)\n{messages}cdylib shop: /srv/shop/target/debug/deps/libshop.so\nbin serve: /srv/shop/target/debug/serve\n{{\"reason\":\"build-finished\",\"success\":true}}\n    Finished `dev` profile\n… 1 message printed again for another target\n… 90 records of libraries and build scripts\n"
            )
        };
        assert_eq!(summary(&text, 24_000).unwrap(), around(&(rendered(7) + &rendered(8))));
        let brief = "src/cart.rs:7:9: warning: unused variable: `tax7`\nsrc/cart.rs:8:9: warning: unused variable: `tax8`\n";
        assert_eq!(summary(&text, 500).unwrap(), around(brief));
        let cut = text + "{\"reason\":\"compiler-mess";
        assert_eq!(summary(&cut, 24_000).unwrap().matches("warning: unused variable").count(), 2);
    }

    /// What was expected and found is in an error's other lines.
    #[test]
    fn an_error_is_whole_as_long_as_all_fit_and_is_never_left_out_for_a_warning() {
        let error = |n: usize| {
            let rendered = format!(
                "error[E0308]: mismatched types\n --> src/pay.rs:{n}:5\n  |\n{n} |     total\n  |     ^^^^^ expected `u32`, found `String`\n\n"
            );
            (of("compiler-message", &json!({"message": {"rendered": rendered, "level": "error"}})), rendered)
        };
        let warnings: String = (10..99).map(warning).collect();
        let ((first, whole), (second, other)) = (error(7), error(8));
        let text = format!("{warnings}{first}{second}{}", warning(99));
        let (whole, other) = (whole.trim_end(), other.trim_end());
        let short = summary(&text, 9_000).unwrap();
        assert!(short.contains(whole) && short.contains(other) && !short.contains("not shown"), "{short}");
        assert!(short.contains("src/cart.rs:99:9: warning: unused variable: `tax99`\n"), "{short}");
        let short = summary(&text, 1_500).unwrap();
        assert!(short.len() <= 1_500 && short.contains(whole) && short.contains(other), "{short}");
        assert!(short.starts_with("src/cart.rs:10:9: warning: unused variable: `tax10`\n"), "{short}");
        assert!(short.ends_with(" messages not shown, none of them an error\n"), "{short}");
        let short = summary(&text, 250).unwrap();
        let places = "src/pay.rs:7:5: error[E0308]: mismatched types\nsrc/pay.rs:8:5: error[E0308]: mismatched types\n";
        assert!(short.len() <= 250 && short.contains(places), "{short}");
    }

    #[test]
    fn other_records_are_left_alone() {
        let text = (0..90).map(warning).collect::<String>();
        assert!(summary(&text, 24_000).is_some());
        assert_eq!(summary(&(text + "{\"reason\":\"timing-info\"}\n"), 24_000), None);
        assert_eq!(summary(&"{\"level\":\"info\",\"reason\":\"paid\"}\n".repeat(90), 24_000), None);
        assert_eq!(summary("plain\n", 24_000), None);
    }
}
