//! Puts the built-in filters into the program: an index of what each answers to, so that a hook looks one up
//! without parsing anything, the rules, and apart from them the cases, which only `plimsoll filters test` reads.

#![expect(clippy::expect_used, reason = "a build that cannot go on should stop and say why")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rerun-if-changed=builtin");
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("builtin");
    let target = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it"));
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let mut out = String::from("pub(super) static BUILTIN: &[Builtin] = &[\n");
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
        let native = doc.contains_key("native");
        let documented =
            doc.get("source").and_then(|v| v.as_str()).is_some_and(|s| s.starts_with("documented"));
        doc.remove("case");
        let relative = file.strip_prefix(&root).unwrap_or(file).to_string_lossy().replace('\\', "/");
        // Copies: a file that changes or goes while the compiler reads would break the build half way.
        let copy = |name: &str, bytes: &[u8]| -> String {
            let copy = target.join(format!("{}-{name}", relative.replace('/', "-")).replace("cases/", ""));
            std::fs::write(&copy, bytes).unwrap_or_else(|e| panic!("{}: {e}", copy.display()));
            copy.display().to_string()
        };
        let _ = writeln!(
            out,
            "Builtin {{ name: {name:?}, file: {relative:?}, commands: &[{}], native: {native}, documented: {documented}, rules: {:?}, whole: include_str!({:?}), captures: &[{}] }},",
            commands.iter().map(|words| format!("&{words:?}")).collect::<Vec<_>>().join(", "),
            doc.to_string(),
            copy("filter", text.as_bytes()),
            captures(&text, file, &copy)
        );
    }
    out.push_str("];\n");
    std::fs::write(target.join("builtin.rs"), out).expect("the output folder is writable");
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

/// The files that the cases of a filter name, as pairs of name and content.
fn captures(text: &str, file: &Path, copy: &dyn Fn(&str, &[u8]) -> String) -> String {
    let doc: toml_edit::DocumentMut = text.parse().unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let Some(cases) = doc.get("case").and_then(|c| c.as_array_of_tables()) else { return String::new() };
    let mut out = String::new();
    for case in cases {
        for key in ["input_file", "output_file"] {
            let Some(name) = case.get(key).and_then(|v| v.as_str()) else { continue };
            let path = file.parent().unwrap_or(Path::new(".")).join(name);
            println!("cargo:rerun-if-changed={}", path.display());
            if let Ok(bytes) = std::fs::read(&path) {
                let _ = write!(out, "({name:?}, include_bytes!({:?})), ", copy(name, &bytes));
            }
        }
    }
    out
}
