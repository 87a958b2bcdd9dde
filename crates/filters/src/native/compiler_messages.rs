//! Messages of Cargo and rustc in JSON, one on each line (`cargo check --message-format=json`): as the compiler words them for a
//! terminal, or in one line each where not all fit. Owns which of the other records a reader needs.

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
    Message(String),
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
    let (mut whole, mut brief) = (String::new(), String::new());
    let mut seen: HashSet<String> = HashSet::new();
    let (mut again, mut dependencies) = (0_usize, 0_usize);
    for line in text.lines() {
        let record = if is_record(line) { record(line)? } else { Record::Line(line.to_owned()) };
        match record {
            Record::Message(message) if seen.contains(&message) => again += 1,
            Record::Message(message) => {
                let _ = writeln!(whole, "{message}");
                let _ = writeln!(brief, "{}", in_one_line(&message));
                seen.insert(message);
            }
            Record::Line(line) => {
                let _ = writeln!(whole, "{line}");
                let _ = writeln!(brief, "{line}");
            }
            Record::Dependency => dependencies += 1,
        }
    }
    let mut counts = String::new();
    if again > 0 {
        let _ = writeln!(counts, "… {} printed again for another target", counted(again, "messages"));
    }
    if dependencies > 0 {
        let _ = writeln!(counts, "… {} of libraries and build scripts", counted(dependencies, "records"));
    }
    let out = if whole.len() + counts.len() <= room { whole } else { brief };
    Some(out + &counts).filter(|out| out.len() < text.len())
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
    Some(Record::Message(normalise(text(fields, "rendered")?).trim_end().to_owned()))
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
