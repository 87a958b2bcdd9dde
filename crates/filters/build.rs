//! Puts the built-in filters into the program: an index of the commands each one applies to, so that a hook looks one
//! up without parsing anything; the rules; and, separately, the cases, which only `plimsoll filters test` reads. The
//! cases are compressed, because they would otherwise be a tenth of the program.

#![expect(clippy::expect_used, reason = "a build that cannot go on should stop and say why")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rerun-if-changed=builtin");
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("builtin");
    let target = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it"));
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let mut out = String::from("pub(super) static BUILTIN: &[Builtin] = &[\n");
    let mut cases = Vec::new();
    for file in &files {
        println!("cargo:rerun-if-changed={}", file.display());
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        let mut doc: toml_edit::DocumentMut =
            text.parse().unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let name = doc["name"].as_str().unwrap_or_else(|| panic!("{}: no name", file.display())).to_owned();
        let commands: Vec<Vec<String>> = doc["commands"]
            .as_array()
            .unwrap_or_else(|| panic!("{}: no commands", file.display()))
            .iter()
            .map(|c| c.as_str().unwrap_or_default().split_whitespace().map(str::to_owned).collect())
            .collect();
        // A filter that leaves its outputs to the generic filter has no rules for streaming either.
        let native = doc.contains_key("native") || doc.contains_key("generic");
        // `Native::prints_data` and `Filter::is_report`; a test compares them.
        let text_of = |key: &str| doc.get(key).and_then(|v| v.as_str());
        let report = text_of("prints").is_none_or(|prints| prints == "report")
            && text_of("native")
                .is_none_or(|native| ["log", "git-status", "apt-simulation"].contains(&native));
        let fails = doc.get("fails").and_then(toml_edit::Item::as_bool).unwrap_or_default();
        let documented =
            doc.get("source").and_then(|v| v.as_str()).is_some_and(|s| s.starts_with("documented"));
        let signature: Vec<&str> = doc
            .get("signature")
            .and_then(|v| v.as_array())
            .map(|array| array.iter().filter_map(|v| v.as_str()).collect())
            .unwrap_or_default();
        let signature = format!("{signature:?}");
        doc.remove("case");
        let relative = file.strip_prefix(&root).unwrap_or(file).to_string_lossy().replace('\\', "/");
        let _ = writeln!(
            out,
            "Builtin {{ name: {name:?}, file: {relative:?}, commands: &[{}], native: {native}, fails: {fails}, report: {report}, documented: {documented}, signature: &{signature}, rules: {:?} }},",
            commands.iter().map(|words| format!("&{words:?}")).collect::<Vec<_>>().join(", "),
            doc.to_string(),
        );
        let captures = captures(&text, file);
        put(&mut cases, relative.as_bytes());
        put(&mut cases, text.as_bytes());
        put(&mut cases, captures.len().to_string().as_bytes());
        for (name, bytes) in &captures {
            put(&mut cases, name.as_bytes());
            put(&mut cases, bytes);
        }
    }
    out.push_str("];\n");
    std::fs::write(target.join("builtin.rs"), out).expect("the output folder is writable");
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(&cases).expect("memory is written to");
    let packed = packed.finish().expect("memory is written to");
    std::fs::write(target.join("cases.zlib"), packed).expect("the output folder is writable");
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    println!("cargo:rerun-if-changed={}", dir.display());
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() && !path.ends_with("cases") {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "toml") {
            files.push(path);
        }
    }
}

/// Adds a part: its length and its content. `src/builtin.rs` reads them in the same order.
fn put(parts: &mut Vec<u8>, part: &[u8]) {
    let length = u32::try_from(part.len()).expect("no case has gigabytes");
    parts.extend(length.to_le_bytes());
    parts.extend(part);
}

/// The files that the cases of a filter name, as pairs of name and content.
fn captures(text: &str, file: &Path) -> Vec<(String, Vec<u8>)> {
    let doc: toml_edit::DocumentMut = text.parse().unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let Some(cases) = doc.get("case").and_then(|c| c.as_array_of_tables()) else { return Vec::new() };
    let mut out: Vec<(String, Vec<u8>)> = Vec::new();
    for case in cases {
        for key in ["input_file", "output_file"] {
            let Some(name) = case.get(key).and_then(|v| v.as_str()) else { continue };
            let path = file.parent().unwrap_or(Path::new(".")).join(name);
            println!("cargo:rerun-if-changed={}", path.display());
            if out.iter().any(|(known, _)| known == name) {
                continue;
            }
            if let Ok(bytes) = std::fs::read(&path) {
                out.push((name.to_owned(), bytes));
            }
        }
    }
    out
}
