//! Which words of a question name something: an identifier, a version, a product. Two texts seldom share one by chance,
//! as they do an abbreviation like CSV.

use super::german_forms;
use crate::graph::other_names;

/// The length of a name that is looked for in a text, in bytes.
const MIN_NAME: usize = 3;

/// Whether a word of the question is a name.
pub(super) fn is_name(word: &str, question: &str) -> bool {
    let inner = |c: char| matches!(c, '_' | '.' | '/' | ':' | '-');
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let joined = word.trim_matches(inner).contains(['_', '.', '/', ':']);
    let raised = word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    digits > 0 && (letters > 0 || joined)
        || joined && letters > 1
        || raised && letters > 1
        || !other_names(word).is_empty()
        || is_proper(word, question)
}

/// Whether a word is an identifier or a path: one thing of a project's, which two texts never share by chance. The name of a
/// file alone isn't, because every project has a `package.json`.
pub(crate) fn is_identifier(word: &str, question: &str) -> bool {
    // A part of a question has lost its leading slash.
    let rooted = word.contains('/') && question.contains(&format!(" /{word}"));
    let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '/');
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let inner = word.trim_matches('/');
    // `parseConfig`, but neither `TypeScript` nor `macOS`: those are in every project.
    let hump = word.find(char::is_uppercase).unwrap_or_default();
    let camel = hump > 1
        && word.chars().all(char::is_alphanumeric)
        && word[hump..].chars().nth(1).is_some_and(char::is_lowercase);
    letters > 2 && (inner.contains('_') || inner.contains("::") || rooted || is_path(word) || camel)
}

/// A path has a root, a file's ending or several steps; `and/or` has none.
fn is_path(word: &str) -> bool {
    let steps = word.split('/').filter(|step| !step.is_empty()).count();
    steps > 1 && (word.starts_with('/') || word.contains('.') || steps > 2)
}

/// The words that a text has as names: with a capital letter within the word, or within a sentence. German writes every noun so, and
/// of a German text only the former count.
pub(crate) fn names_in(text: &str) -> Vec<&str> {
    let is_german = german_forms::has_german(text);
    let (mut names, mut begins) = (Vec::new(), true);
    for token in text.split_whitespace() {
        for word in token.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() >= MIN_NAME) {
            let is_proper = !begins && !is_german && word.starts_with(char::is_uppercase);
            if is_proper || word.chars().skip(1).any(char::is_uppercase) {
                names.push(word);
            }
            begins = false;
        }
        begins |= token.ends_with(['.', '!', '?', ':']);
    }
    names
}

/// Whether a word is written with a capital letter within a sentence, in a question in which few are. German writes
/// every noun so.
fn is_proper(word: &str, question: &str) -> bool {
    let capital = |word: &str| {
        let mut letters = word.trim_start_matches(|c: char| !c.is_alphanumeric()).chars();
        letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase)
    };
    let mut words = 0;
    let (mut raised, mut is_raised, mut begins) = (0, false, true);
    for one in question.split_whitespace() {
        words += 1;
        if capital(one) && !begins {
            raised += 1;
            is_raised |= one.trim_matches(|c: char| !c.is_alphanumeric()).starts_with(word);
        }
        begins = one.ends_with(['.', '!', '?', ':']);
    }
    is_raised && raised * 4 <= words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_is_one_thing_of_a_project() {
        for name in
            ["parse_config", "HARBOUR_REGION", "/v1/voyages", "src/tides.rs", "parseConfig", "tide::Table"]
        {
            assert!(is_identifier(name, ""), "{name}");
        }
        for word in [
            "package.json",
            "README",
            "0.12",
            "H7",
            "and/or",
            "Triton",
            "sign-in",
            "/",
            "_",
            "TypeScript",
            "iPhone",
            "macOS",
        ] {
            assert!(!is_identifier(word, ""), "{word}");
        }
        assert!(is_identifier("users/me", "what does GET /users/me return"));
    }

    #[test]
    fn a_text_has_names_within_its_sentences() {
        for (text, expected) in [
            ("CI moved from Jenkins to GitLab CI", vec!["Jenkins", "GitLab"]),
            ("GraphQL is out. Releases go out on Fridays", vec!["GraphQL", "Fridays"]),
            ("Replacing it with NATS: No", vec!["NATS"]),
            ("Der Drucker im Lager druckt über CUPS", vec!["CUPS"]),
            ("Commit messages begin with the ticket", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(names_in(text), expected, "{text}");
        }
    }

    #[test]
    fn identifiers_versions_and_products_are_names() {
        let question = "why does parse_config of Triton 0.12 need H7, parseConfig, LTO, kubectl and revenue? See src/a.rs now";
        for name in ["parse_config", "Triton", "0.12", "H7", "parseConfig", "kubectl", "src/a.rs"] {
            assert!(is_name(name, question), "{name}");
        }
        for word in ["why", "revenue", "need", "See", "LTO", "12", "x"] {
            assert!(!is_name(word, question), "{word}");
        }
        assert!(!is_name("Sitzung", "Warum bricht die Sitzung im Browser auf dem Rechner ab?"));
    }
}
