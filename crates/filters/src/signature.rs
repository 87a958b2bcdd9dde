//! Recognises a tool by a line that only it prints, whatever started it: `make test`, `just check` or `./ci.sh` may run
//! any test runner. A filter lists such lines as `signature`; `^` in front ties one to a line's beginning.

use std::sync::OnceLock;

use text::WordList;

use crate::builtin;

/// Searches all signatures of some filters in one pass.
#[derive(Debug)]
pub(crate) struct Signatures {
    search: WordList<String>,
    /// For each pattern, the number of its filter, and whether it must begin a line.
    owners: Vec<(usize, bool)>,
}

impl Signatures {
    /// The signatures of filters, in their order; `None` where there are none.
    pub(crate) fn new<'a>(of: impl Iterator<Item = Vec<&'a str>>) -> Option<Self> {
        let (mut patterns, mut owners) = (Vec::new(), Vec::new());
        for (filter, signatures) in of.enumerate() {
            for signature in signatures {
                let at_start = signature.strip_prefix('^');
                patterns.push(at_start.unwrap_or(signature).to_owned());
                owners.push((filter, at_start.is_some()));
            }
        }
        (!patterns.is_empty()).then(|| Self { search: WordList::new(patterns, false), owners })
    }

    /// The numbers of the filters with a signature in `text`, in the order in which they first appear.
    pub(crate) fn found_in(&self, text: &str) -> Vec<usize> {
        let bytes = text.as_bytes();
        let mut found = Vec::new();
        self.search.each(text, |pattern, at| {
            let Some((filter, at_start)) = self.owners.get(pattern).copied() else { return };
            let begins_line = at.start == 0 || bytes.get(at.start - 1) == Some(&b'\n');
            if (begins_line || !at_start) && !found.contains(&filter) {
                found.push(filter);
            }
        });
        found
    }
}

/// The built-in filters, as numbers in their list, whose signatures `text` contains.
pub(crate) fn builtin_in(text: &str) -> Vec<usize> {
    static BUILTIN: OnceLock<Option<Signatures>> = OnceLock::new();
    let search = BUILTIN
        .get_or_init(|| Signatures::new(builtin::all().iter().map(|builtin| builtin.signature.to_vec())));
    search.as_ref().map_or_else(Vec::new, |search| search.found_in(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_found_where_it_may_be() {
        let of = [vec!["^ok  \t"], vec!["tests passed"], vec!["^vite v", "passed"]];
        let search = Signatures::new(of.into_iter()).unwrap();
        for (text, wanted) in [
            ("", vec![]),
            ("ok  \ta 0.1s", vec![0]),
            ("x ok  \ta", vec![]),
            ("12 tests passed\nok  \ta", vec![1, 2, 0]),
            ("é\nvite v7", vec![2]),
        ] {
            assert_eq!(search.found_in(text), wanted, "{text:?}");
        }
    }

    /// Tools whose output has that of another in it, or is printed by the same one in another form.
    const RELATED: &[(&str, &[&str])] = &[
        ("apt-simulation", &["apt"]),
        ("cargo-clippy", &["cargo-build"]),
        ("cargo-nextest", &["cargo-build"]),
        ("cargo-run", &["cargo-build"]),
        ("cargo-test", &["cargo-build"]),
        ("docker-build", &["apt", "pip-install", "tsc"]),
        ("dotnet-test", &["dotnet-build"]),
        ("esbuild", &["node-crash"]),
        ("jest-default", &["jest"]),
        ("make", &["gcc"]),
        ("mix-test", &["mix-compile"]),
        ("next-build", &["tsc"]),
        ("ninja", &["gcc"]),
        ("node-test", &["node-crash"]),
        ("package-tree", &["npm-install"]),
        ("pytest", &["coverage-report", "python-crash"]),
        ("pytest-xdist", &["pytest"]),
        ("rspec-documentation", &["rspec"]),
        ("rspec-tree", &["rspec"]),
        ("tap", &["node-crash"]),
        ("tox", &["pytest"]),
        ("unittest", &["python-crash"]),
        ("vite", &["node-crash"]),
        ("vitest", &["node-crash"]),
    ];

    #[test]
    fn no_tool_is_mistaken_for_another() {
        let set = crate::FilterSet::builtin();
        for packed in builtin::cases().unwrap() {
            let filter = crate::Filter::parse_whole(&packed.whole, &packed.file).unwrap();
            let related = RELATED.iter().find(|(name, _)| *name == filter.name).map_or(&[][..], |(_, of)| of);
            for case in &filter.cases {
                let file = case.input_file.as_ref();
                let capture = file.and_then(|file| packed.captures.iter().find(|(name, _)| name == file));
                let input = case.input.as_ref().or(capture.map(|(_, text)| text));
                for other in set.recognised(&crate::normalise(input.map_or("", String::as_str))) {
                    assert!(
                        other.name == filter.name || related.contains(&other.name.as_str()),
                        "{} is taken for {} in its case {:?}",
                        filter.name,
                        other.name,
                        case.name
                    );
                }
            }
        }
    }
}
