//! Endings of German words, because the index's stemmer only knows English ones: `Zertifikat` and `Zertifikate`, `speichern`
//! and `speichert`.

/// Words of German sentences that are rare in others.
const GERMAN: &[&str] = &[
    "der", "die", "das", "dem", "den", "ein", "eine", "einen", "einem", "einer", "wie", "wer", "wo", "wann",
    "warum", "wieso", "wird", "werden", "wurde", "ist", "sind", "ich", "wir", "nicht", "kein", "keine",
    "und", "oder", "mit", "von", "zum", "zur", "für", "auf", "im", "welche", "welcher", "welches", "gibt",
    "muss", "soll", "bei", "uns", "unsere", "kann", "sich", "nach", "auch", "noch", "nur", "aber", "haben",
    "beim", "vom", "wieder", "dann", "dass", "wenn", "viele", "ohne", "wurden",
];
/// Those that English prompts have as well, also as `I'm` without its apostrophe; all of them count as one.
const IN_ENGLISH: &[&str] = &["die", "im"];
/// Those that an English text may have.
const IN_ENGLISH_TEXTS: &[&str] = &["die", "im", "den", "wo", "von"];

/// Endings that are taken away, the longest first, and those that are tried instead.
const ENDINGS: &[&str] = &["en", "er", "em", "es", "e", "n", "s", "t"];
/// The number of letters before an ending.
const MIN_STEM: usize = 5;
/// Longer words are encodings.
const MAX_LETTERS: usize = 40;

/// Whether a question is German: it has two of these words. One alone may be a name or a word of another language.
pub(super) fn is_german(question: &str) -> bool {
    let mut first: Option<&str> = None;
    for word in question.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase) {
        let Some(found) = GERMAN.iter().copied().find(|known| *known == word) else { continue };
        let found = if IN_ENGLISH.contains(&found) { IN_ENGLISH[0] } else { found };
        if first.is_some_and(|first| first != found) {
            return true;
        }
        first = Some(found);
    }
    false
}

/// Whether a text has a German word or letter. Less than a question needs, which may be of two words.
pub(super) fn has_german(text: &str) -> bool {
    let is_german_word = |word: &str| {
        // `MIT` is a licence.
        let is_acronym = word.chars().nth(1).is_some() && word.chars().all(char::is_uppercase);
        let word = word.to_lowercase();
        !is_acronym && !IN_ENGLISH_TEXTS.contains(&word.as_str()) && GERMAN.contains(&word.as_str())
    };
    text.contains(['ä', 'ö', 'ü', 'ß', 'Ä', 'Ö', 'Ü'])
        || text.split(|c: char| !c.is_alphanumeric()).any(is_german_word)
}

/// A lower-cased word without its ending, if enough is left.
pub(super) fn stem(word: &str) -> &str {
    let is_stem = |stem: &&str| stem.chars().count() >= MIN_STEM;
    ENDINGS.iter().find_map(|ending| word.strip_suffix(ending).filter(is_stem)).unwrap_or(word)
}

/// Whether this is nothing, or an ending of a word.
pub(super) fn is_ending(rest: &str) -> bool {
    rest.is_empty() || ENDINGS.contains(&rest)
}

/// A lower-cased German word with each other ending. Most of them are words that nobody writes.
pub(super) fn other_endings(word: &str) -> Vec<String> {
    let letters = word.chars().count();
    if !(MIN_STEM..=MAX_LETTERS).contains(&letters) || !word.chars().all(char::is_alphabetic) {
        return Vec::new();
    }
    let is_stem = |stem: &&str| stem.chars().count() >= MIN_STEM;
    let found = ENDINGS.iter().find_map(|ending| Some((*ending, word.strip_suffix(ending).filter(is_stem)?)));
    // `speichert` has an ending, `Zertifikat` none; `Artikelnummer` only looks as if it had one.
    let stems = match found {
        Some(("t" | "er", stem)) => vec![stem, word],
        Some((_, stem)) => vec![stem],
        None => vec![word],
    };
    let endings = || std::iter::once("").chain(ENDINGS.iter().copied());
    let all = stems.into_iter().flat_map(|stem| endings().map(move |ending| format!("{stem}{ending}")));
    all.filter(|other| other != word).collect()
}

/// How German nouns end whose plural has `en` behind that.
const WITH_EN: &[&str] = &["ung", "heit", "keit", "schaft", "ion", "tät"];

/// The plural of a German noun, or of a plural its singular, lower-cased, where its ending shows which that is: `Tabelle` and
/// `Tabellen`, `Buchung` and `Buchungen`. Of other nouns it may be any of a dozen words. `None` for a word in small letters, which
/// may be a verb.
pub(super) fn other_number(noun: &str) -> Option<String> {
    if !noun.starts_with(char::is_uppercase) || !noun.chars().skip(1).all(char::is_lowercase) {
        return None;
    }
    let word = noun.to_lowercase();
    let takes_en = |stem: &str| WITH_EN.iter().any(|end| stem.ends_with(end));
    let stem = word.strip_suffix("en").filter(|stem| takes_en(stem));
    let other = match stem {
        Some(stem) => stem.to_owned(),
        None if takes_en(&word) => format!("{word}en"),
        None if word.ends_with('e') => format!("{word}n"),
        None => word.strip_suffix('n').filter(|stem| stem.ends_with('e'))?.to_owned(),
    };
    (word.chars().count().min(other.chars().count()) >= MIN_STEM).then_some(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_german_word_is_searched_with_each_ending() {
        for (one, other) in [
            ("zertifikat", "zertifikate"),
            ("zertifikate", "zertifikat"),
            ("datenbank", "datenbanken"),
            ("datenbanken", "datenbank"),
            ("speichern", "speichert"),
            ("speichert", "speichern"),
            ("häfen", "häfens"),
            ("server", "servern"),
            ("artikelnummer", "artikelnummern"),
            ("benutzer", "benutzern"),
            ("kinder", "kindern"),
        ] {
            assert!(other_endings(one).iter().any(|form| form == other), "{one}: {:?}", other_endings(one));
        }
        for word in ["test", "v2", "max_size", ""] {
            assert!(other_endings(word).is_empty(), "{word}");
        }
    }

    #[test]
    fn a_noun_has_the_plural_that_its_ending_shows() {
        for (one, other) in [
            ("Tabelle", Some("tabellen")),
            ("Tabellen", Some("tabelle")),
            ("Buchung", Some("buchungen")),
            ("Buchungen", Some("buchung")),
            ("Migration", Some("migrationen")),
            ("speichern", None),
            ("Speicher", None),
            ("Zertifikat", None),
            ("URLe", None),
            ("Idee", None),
            ("", None),
        ] {
            assert_eq!(other_number(one).as_deref(), other, "{one}");
        }
    }

    #[test]
    fn a_question_is_german_by_two_of_its_words() {
        for question in [
            "Wo liegen die Zertifikate?",
            "wie heißt der Branch",
            "Was ist mit Redis",
            "die Rechte im Depot, wer hat sie",
        ] {
            assert!(is_german(question), "{question}");
        }
        for question in [
            "where do the certificates live",
            "did the worker die when it was slow",
            "why do workers die when their connections die",
            "im not sure why the workers die",
            "dónde están",
            "",
            "Zertifikate",
        ] {
            assert!(!is_german(question), "{question}");
        }
    }
}
