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

/// Adds the names of what a list requires between quotes: `"flask[async]>=2"`. Returns whether the list ends in this text.
pub(super) fn add_quoted(text: &str, out: &mut Vec<String>) -> bool {
    for line in text.lines() {
        let (quoted, ends) = quoted(line);
        quoted.into_iter().for_each(|one| add(required(one), out));
        if ends {
            return true;
        }
    }
    false
}

/// The texts between quotes on a line of a list, and whether the list ends on it. A comment doesn't belong to it, and a table names
/// something else: `{ include-group = "tests" }` is another list of the same file.
fn quoted(line: &str) -> (Vec<&str>, bool) {
    let (mut out, mut in_table, mut rest) = (Vec::new(), false, line);
    while let Some(at) = rest.find(['"', '\'', '#', '{', '}', ']']) {
        let (mark, behind) = (rest.as_bytes()[at], &rest[at + 1..]);
        rest = behind;
        match mark {
            b'#' => break,
            b'{' => in_table = true,
            b'}' => in_table = false,
            b']' => return (out, true),
            quote => {
                let Some((text, after)) = behind.split_once(char::from(quote)) else { break };
                if !in_table {
                    out.push(text);
                }
                rest = after;
            }
        }
    }
    (out, false)
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

    #[test]
    fn comments_and_tables_of_a_list_name_no_package() {
        let list =
            "\"celery[redis]>=5\", # it's \"old\"\n  'flask', { include-group = \"tests\" },\n] + [\"rest\"]";
        let mut out = Vec::new();
        assert!(add_quoted(list, &mut out));
        assert_eq!(out, ["celery", "flask"]);
        assert!(!add_quoted("\"rich\", # ]", &mut out));
    }
}
