//! What a manifest needs: the packages by name, each once. Owns what a package's name is in a list; doesn't know the manifests.

/// What a manifest says about packages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// The name of its own package.
    pub own: Option<String>,
    /// The packages that it needs, each once, by the names that they have themselves.
    pub packages: Vec<String>,
}

/// The most packages that are taken from one manifest. Each is compared with those before it, and others write manifests.
const MAX_PACKAGES: usize = 5_000;

/// Adds a name of a package once; a comment or the rest of a list isn't one.
pub(super) fn add(name: &str, out: &mut Vec<String>) {
    let name = name.trim().trim_matches(['"', '\'']);
    let is_name = name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '@')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.@/~:".contains(&b));
    if is_name && out.len() < MAX_PACKAGES && !out.iter().any(|known| known == name) {
        out.push(name.to_owned());
    }
}

/// The names of what is required between quotes: `"flask[async]>=2"`.
pub(super) fn add_quoted(line: &str, out: &mut Vec<String>) {
    line.split(['"', '\'']).skip(1).step_by(2).for_each(|one| add(required(one), out));
}

/// The name before the version and all else.
pub(super) fn required(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')));
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_of_any_length_has_a_bounded_number_of_packages() {
        let mut out = Vec::new();
        for number in 0..MAX_PACKAGES + 10 {
            add(&format!("a{number}"), &mut out);
            add("a0", &mut out);
        }
        assert_eq!((out.len(), out[0].as_str()), (MAX_PACKAGES, "a0"));
    }
}
