//! The names that the code declares, as texts: functions, types, modules, bindings and files, taken apart into words. Owns
//! what counts as a declaration; does not know which words are banned.

use anyhow::Result;
use regex::Regex;

/// The names that each of these files declares, with their places: `fn what is kept`, `struct open index`,
/// `file open index`.
pub(super) fn declared_names(files: &[(String, String)]) -> Result<Vec<(String, String)>> {
    let rust = Regex::new(
        r"^\s*(?:pub(?:\([\w\s:]+\))? )?(?:async )?(?:const )?(?:unsafe )?(fn|struct|enum|trait|mod|type|const|static|let)(?: mut)? ([A-Za-z]\w*)",
    )?;
    let script = Regex::new(r"^\s*(?:export )?(?:async )?(function|class|const|let) ([A-Za-z]\w*)")?;
    let mut out = Vec::new();
    for (place, source) in files {
        let stem = place.rsplit('/').next().unwrap_or_default().split('.').next().unwrap_or_default();
        let mut add = |place: String, kind: &str, name: &str| {
            out.push((place, format!("{kind} {}", words(name))));
        };
        add(place.clone(), "file", stem);
        let pattern = if place.ends_with(".rs") { &rust } else { &script };
        for (index, line) in source.lines().enumerate() {
            if let Some(found) = pattern.captures(line) {
                add(format!("{place}:{}", index + 1), &found[1], &found[2]);
            }
        }
    }
    Ok(out)
}

/// `what_is_kept`, `OpenIndex` and `MAX_ROWS` as words in lower case.
fn words(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 8);
    let mut lower = false;
    for letter in name.chars() {
        if letter == '_' || letter == '-' || letter.is_ascii_uppercase() && lower {
            out.push(' ');
        }
        if letter != '_' && letter != '-' {
            out.push(letter.to_ascii_lowercase());
        }
        lower = letter.is_ascii_lowercase() || letter.is_ascii_digit();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{declared_names, words};

    #[test]
    fn names_are_split_into_words() {
        for (name, expected) in [
            ("what_is_kept", "what is kept"),
            ("OpenIndex", "open index"),
            ("MAX_ROWS", "max rows"),
            ("a1B", "a1 b"),
        ] {
            assert_eq!(words(name), expected);
        }
    }

    #[test]
    fn name_declarations_are_found_in_both_languages() {
        let rust = "pub(super) async fn first_one() {\n    let mut second = 2;\n    // let third = 3;\n}\npub struct FourthOne;\n";
        let script = "export function fifthOne() {\n  const sixth = 6;\n}\n";
        let files =
            [("a/one.rs".to_owned(), rust.to_owned()), ("ui/two.svelte.ts".to_owned(), script.to_owned())];
        let found = declared_names(&files).expect("the patterns are valid");
        let found: Vec<String> = found.iter().map(|(place, words)| format!("{place} {words}")).collect();
        assert_eq!(
            found,
            [
                "a/one.rs file one",
                "a/one.rs:1 fn first one",
                "a/one.rs:2 let second",
                "a/one.rs:5 struct fourth one",
                "ui/two.svelte.ts file two",
                "ui/two.svelte.ts:1 function fifth one",
                "ui/two.svelte.ts:2 const sixth",
            ]
        );
    }
}
