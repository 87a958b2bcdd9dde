//! Reads which packages a manifest names as what its project needs. Parses leniently, because only names are needed. Pure.

use super::manifests::renamed_dependencies;

/// The crates in a `Cargo.toml`, by the names that they have themselves, of all kinds of dependency sections.
pub(super) fn of_cargo(toml: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut listed = false;
    for line in toml.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            listed = header.ends_with("dependencies");
            let (table, name) = header.rsplit_once('.').unwrap_or(("", header));
            if table.ends_with("dependencies") {
                add(name, &mut out);
            }
        } else if listed && let Some((name, _)) = line.split_once('=') {
            // `serde.workspace = true`
            add(name.split('.').next().unwrap_or(name), &mut out);
        }
    }
    for (alias, package) in renamed_dependencies(toml) {
        out.retain(|name| *name != alias);
        add(&package, &mut out);
    }
    out
}

/// Adds a name of a package once; a comment or the rest of a list isn't one.
fn add(name: &str, out: &mut Vec<String>) {
    let name = name.trim().trim_matches(['"', '\'']);
    let is_name =
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.@/".contains(&b));
    if is_name && !out.iter().any(|known| known == name) {
        out.push(name.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_names_what_a_project_needs() {
        let toml = "[package]\nname = \"shop\"\n\n[dependencies]\n# old = \"1\"\nserde.workspace = true\n\
                    tokio = { version = \"1\", features = [\n    \"full\",\n] }\nnet = { package = \"my-net\" }\n\
                    [target.'cfg(unix)'.dependencies.rustix]\nversion = \"1\"\n[dev-dependencies]\nserde = \"1\"\n\
                    [features]\nfast = []\n";
        assert_eq!(of_cargo(toml), ["serde", "tokio", "rustix", "my-net"]);
    }
}
