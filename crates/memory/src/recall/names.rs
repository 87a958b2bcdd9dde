//! Which words of a question name something: an identifier, a version, a product. Two texts seldom share one by chance,
//! as they do an abbreviation like CSV.

use super::german_forms;
use super::moments::is_time;
use crate::graph::other_names;

/// The length of a name that is looked for in a text, in bytes.
const MIN_NAME: usize = 3;

/// What is measured in, in lower case.
const UNITS: &[&str] = &[
    "b", "kb", "mb", "gb", "tb", "kib", "mib", "gib", "ko", "mo", "bit", "bits", "kbit", "mbit", "kbit/s",
    "mbit/s", "byte", "bytes", "ms", "s", "sec", "min", "h", "second", "seconds", "minute", "minutes",
    "hour", "hours", "day", "days", "week", "weeks", "month", "months", "year", "years", "sekunde",
    "sekunden", "minuten", "stunde", "stunden", "tag", "tage", "tagen", "woche", "wochen", "monat", "monate",
    "monaten", "jahr", "jahre", "jahren", "seconde", "secondes", "heure", "heures", "jour", "jours",
    "semaine", "semaines", "mois", "an", "ans", "percent", "prozent", "pourcent", "euro", "euros", "dollar",
    "dollars", "px", "pixel", "pixels", "dpi", "fps", "hz", "khz", "mhz", "ghz", "v", "mv", "ma", "mah", "w",
    "kw", "mm", "cm", "m", "km", "g", "kg", "m/s", "km/h",
];

/// Whether a lower-cased word is a unit. Two texts share `512 KB` by chance.
pub(super) fn is_unit(word: &str) -> bool {
    UNITS.contains(&word)
}

/// Whether a lower-cased word is a number with its unit: `512kb`, and not a network (`5g`) or a model (`70b`).
pub(super) fn is_quantity(word: &str) -> bool {
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    unit.len() < word.len() && is_unit(unit) && !["g", "b"].contains(&unit)
}

/// Whether a word of the question is a name.
pub(super) fn is_name(word: &str, question: &str) -> bool {
    if is_quantity(&word.to_lowercase()) {
        return false;
    }
    let inner = |c: char| matches!(c, '_' | '.' | '/' | ':' | '-');
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let digits = word.chars().filter(char::is_ascii_digit).count();
    // `km/h` and `I/O` name nothing.
    let steps = word.trim_matches(inner);
    let has_step = steps.contains('/') && steps.split('/').any(|step| step.chars().count() > 2);
    let joined = has_step || steps.contains(['_', '.', ':']);
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

/// Whether a text has a number behind this name, which is in small letters: `React 18`, `go1.24`.
pub(crate) fn has_version_of(text: &str, name: &str) -> bool {
    let text = text.to_lowercase();
    text.match_indices(name).any(|(at, _)| {
        let is_begun = text[..at].ends_with(char::is_alphanumeric);
        let rest = text[at + name.len()..].trim_start().trim_start_matches(['(', ':', ' ']);
        let rest = rest.strip_prefix("version").unwrap_or(rest).trim_start();
        !is_begun && rest.strip_prefix('v').unwrap_or(rest).starts_with(|c: char| c.is_ascii_digit())
    })
}

/// What a German noun has before it, and a name hardly ever.
const BEFORE_NOUNS: &[&str] = &[
    "der", "die", "das", "dem", "den", "des", "ein", "eine", "einen", "einem", "einer", "eines", "im", "am",
    "zum", "zur", "beim", "vom", "ins", "jede", "jeder", "jeden", "jedem", "jedes", "alle", "allen", "viele",
    "mein", "meine", "meinen", "dein", "deine", "unser", "unsere", "unserem", "unseren", "unserer", "diese",
    "diesem", "diesen", "dieser", "dieses", "welche", "welchem", "welchen", "welcher", "welches",
];
/// How German nouns end that were made of other words.
const NOUN_ENDINGS: &[&str] =
    &["ung", "ungen", "heit", "heiten", "keit", "keiten", "schaft", "schaften", "tion", "tionen", "tät"];

/// The words with a capital letter within a text's sentences, without the marks around them, each with whether it's a German
/// noun: German writes every noun so, and most have an article.
fn raised_words(text: &str) -> Vec<(&str, bool)> {
    let is_german = german_forms::has_german(text);
    // Between the two there may be one word: `der alte Scanner`.
    let (mut raised, mut begins, mut since_article) = (Vec::new(), true, 2);
    for token in text.split_whitespace() {
        let word = token.trim_matches(|c: char| !c.is_alphanumeric());
        let is_raised = word.starts_with(char::is_uppercase);
        if is_raised && !begins {
            let is_noun = since_article < 2 || NOUN_ENDINGS.iter().any(|end| word.ends_with(end));
            raised.push((word, is_german && is_noun));
        }
        begins = token.ends_with(['.', '!', '?', ':']);
        let is_article = BEFORE_NOUNS.contains(&token.to_lowercase().as_str());
        since_article = if is_article { 0 } else { since_article + if is_raised { 2 } else { 1 } };
    }
    raised
}

/// Whether a lower-cased word is a name in a text: with a capital letter within the word, or within a sentence if it's no
/// German noun.
pub(crate) fn is_named_in(word: &str, text: &str) -> bool {
    let has_inner = |one: &str| one.chars().skip(1).any(char::is_uppercase);
    let words = text.split_whitespace().map(|token| token.trim_matches(|c: char| !c.is_alphanumeric()));
    raised_words(text).into_iter().any(|(one, is_noun)| !is_noun && one.to_lowercase() == word)
        || words.filter(|one| has_inner(one)).any(|one| one.to_lowercase() == word)
}

/// Whether a word is written with a capital letter within a sentence, in a question in which few are.
fn is_proper(word: &str, question: &str) -> bool {
    let is_capital = |word: &str| word.chars().nth(1).is_some_and(char::is_lowercase);
    let mut raised = raised_words(question);
    raised.retain(|(one, _)| is_capital(one));
    let is_raised = raised.iter().any(|(one, is_noun)| !is_noun && one.starts_with(word));
    // A day or a month is in every project's calendar.
    is_raised && !is_time(word) && raised.len() * 4 <= question.split_whitespace().count()
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
    fn a_version_is_a_number_behind_its_name() {
        for (text, name, expected) in [
            ("The portal is written in React 18", "react", true),
            ("Go1.24 everywhere", "go", true),
            ("Node v22.1", "node", true),
            ("Postgres (v16), and React: version 18", "postgres", true),
            ("Postgres (v16), and React: version 18", "react", true),
            ("Go, with Django 5 for the admin", "go", false),
            ("React came in 18", "react", false),
            ("React", "react", false),
        ] {
            assert_eq!(has_version_of(text, name), expected, "{text}");
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
        for (word, question, expected) in [
            ("Webhook", "wie schreibe ich einen Webhook in PHP", false),
            ("Scanner", "was schickt der alte Scanner nach dem Lesen an uns zurück", false),
            ("Jenkins", "warum sind wir eigentlich von Jenkins weggegangen", true),
            ("Scanner", "does the Scanner send a tab", true),
        ] {
            assert_eq!(is_name(word, question), expected, "{question}");
        }
        for (word, text, expected) in [
            ("server", "Doch lieber den neuen Server bei Hetzner", false),
            ("hetzner", "Doch lieber den neuen Server bei Hetzner", true),
            ("anmeldung", "wir haben nur Anmeldung per Mail", false),
            ("kafka", "doch kein Kafka, wir bleiben bei NATS", true),
            ("nats", "doch kein Kafka, wir bleiben bei NATS", true),
            ("server", "scrap the Server", true),
            ("scrap", "Scrap it", false),
        ] {
            assert_eq!(is_named_in(word, text), expected, "{word}: {text}");
        }
        for word in ["m/s", "I/O", "n/a", "512KB", "3.5GB", "240px", "Wednesday", "March"] {
            assert!(!is_name(word, "does it leave every second Wednesday of March, at 240px"), "{word}");
        }
        for (word, expected) in
            [("512kb", true), ("1.5s", true), ("kb", false), ("h7", false), ("0.12", false), ("5g", false)]
        {
            assert_eq!(is_quantity(word), expected, "{word}");
        }
        assert!(!is_name("Sitzung", "Warum bricht die Sitzung im Browser auf dem Rechner ab?"));
    }
}
