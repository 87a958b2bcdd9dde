//! Splits a question into search terms.

use ranking::{Part, Query, STOP_WORDS};

use super::function_words::{function_words, without_elisions};
use super::{english_spellings, german_forms, irregular_forms, related_words, short_forms, unspaced};
use crate::domain::other_spellings;
use crate::graph::other_names;
use crate::store::Term;

/// Filler words of questions. They count only if the question has no others.
const FILLERS: &[&str] = &[
    "like", "kind", "type", "sort", "many", "much", "some", "any", "get", "got", "thing", "things", "stuff",
    "said", "say", "tell", "told", "think", "know", "really", "about", "after", "again", "also", "been",
    "before", "being", "during", "from", "he", "her", "him", "his", "if", "into", "may", "might", "must",
    "no", "not", "off", "one", "other", "out", "over", "own", "please", "shall", "she", "than", "them",
    "then", "up", "use", "used", "using", "very", "when", "where", "while", "whom", "whose", "am", "for",
    "s", "t", "d", "ll", "re", "ve", "m", "us", "go", "going", "ever", "yet", "still", "just", "there",
    "ago", "above", "because", "below", "both", "cannot", "each", "few", "further", "here", "let", "more",
    "nor", "ought", "such", "through", "too", "likely", "probably", "perhaps", "maybe", "actually",
    // Contractions as they are typed in haste.
    "dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "wont", "cant", "shouldnt", "havent", "whats",
    "thats", "anymore",
];

/// The same in German, French and Spanish, but for those that are words or names in English questions about software
/// (`die`, `war`, `es`, `pour`).
const FILLERS_ELSEWHERE: &[&str] = &[
    "der", "das", "dem", "ein", "eine", "einen", "einem", "einer", "wie", "wer", "wo", "wann", "warum",
    "wieso", "wird", "werden", "wurde", "wurden", "ist", "sind", "habe", "haben", "ich", "du", "er", "sie",
    "wir", "ihr", "mir", "mich", "uns", "nicht", "kein", "keine", "und", "oder", "aber", "mit", "von", "vom",
    "zum", "zur", "für", "auf", "im", "ins", "aus", "nach", "bei", "über", "durch", "ohne", "als", "auch",
    "noch", "nur", "schon", "sehr", "mehr", "dass", "wenn", "dann", "doch", "hier", "dort", "welche",
    "welcher", "welches", "gibt", "muss", "kann", "soll", "bitte", "unser", "unsere", "unserer", "unseren",
    "le", "les", "une", "des", "et", "où", "est", "sont", "qui", "que", "quoi", "quel", "quelle", "comment",
    "pourquoi", "quand", "avec", "dans", "pas", "nous", "vous", "je", "elle", "ils", "cette", "ces", "aux",
    "notre", "el", "los", "las", "una", "del", "qué", "quién", "cómo", "cuándo", "dónde", "por", "para",
    "con", "sin", "nuestro", "nuestra", "um",
];

/// Words that ask for a measure: how often, how long, most of all. They order the matches, but no memory is about them.
const MEASURES: &[&str] = &["often", "long", "most"];

/// The same of words that say when something was, counted from the question: of what was decided yesterday no memory says
/// so. What nobody asked has them as words like all others, because a memory from another day isn't surely about it.
const FROM_NOW: &[&str] = &[
    "today",
    "tonight",
    "yesterday",
    "recently",
    "lately",
    "currently",
    "heute",
    "gestern",
    "kürzlich",
    "neulich",
    "aktuell",
    "derzeit",
];

/// The same of what is asked for by its number: a memory says `Go 1.24`, and not that this is a version. Only where somebody asked.
const NUMBERED: &[&str] = &["version", "versions"];

/// The number of terms that a question has at most when its runs without spaces are taken apart.
const MAX_TERMS: usize = 24;

/// Other names of languages that are more often the endings of files.
const FILE_ENDINGS: &[&str] = &["py", "js", "ts", "rb", "rs", "cs", "kt", "pl", "sh", "md", "yml", "tf"];

/// The length of words that may be written together.
const MIN_OF_COMPOUND: usize = 3;

/// The number of words in which they are looked for; the terms are from a question's beginning.
const MAX_WORDS: usize = 1_000;

/// Verbs and what follows them in a word of both.
const PHRASAL: &[(&str, &[&str])] = &[
    ("log", &["in", "on", "off", "out"]),
    ("sign", &["in", "on", "out"]),
    ("roll", &["out"]),
    ("fail", &["over"]),
];
/// What such a verb has behind it in its other forms.
const VERB_ENDINGS: &[&str] = &["", "s", "ed", "ing", "ged", "ging"];

/// What a contraction ends with. Without it, `don't` and `who've` are the filler words that they begin with.
const CONTRACTED: &[&str] = &["n't", "'s", "'re", "'ve", "'ll", "'d", "'m"];

/// Whether a word tells nothing about a question's subject.
pub(super) fn is_filler(word: &str) -> bool {
    // `MIT`, `EST` and `DES` are names, though `mit`, `est` and `des` aren't.
    let is_acronym = word.chars().nth(1).is_some() && word.chars().all(char::is_uppercase);
    let word = word.to_lowercase().replace('’', "'");
    let says_nothing = |word: &str| {
        let elsewhere = !is_acronym && FILLERS_ELSEWHERE.contains(&word);
        elsewhere || FILLERS.contains(&word) || STOP_WORDS.contains(&word)
    };
    let full = CONTRACTED.iter().find_map(|end| word.strip_suffix(end));
    // `can't` and `won't` keep less of their words than `n't` leaves.
    says_nothing(&word) || full.is_some_and(|full| says_nothing(full) || matches!(full, "ca" | "wo" | "sha"))
}

/// The same, or only asks for a measure.
pub(crate) fn says_nothing(word: &str) -> bool {
    is_filler(word) || MEASURES.contains(&word)
}

/// A parsed question.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Question {
    /// The terms.
    pub(super) terms: Vec<Term>,
    /// For each term whether the question is about it; the others only order what matches.
    pub(super) is_subject: Vec<bool>,
    /// Whether it asks for a time.
    pub(super) when: bool,
    /// Whether it asks for a version.
    pub(super) version: bool,
}

impl Question {
    /// Takes apart what is written without spaces, but for names that are known by others as well.
    pub(super) fn split_unspaced(&mut self) {
        self.take_apart(unspaced::words, unspaced::without_particle);
        self.truncate(MAX_TERMS);
    }

    /// The same where only what is surely a word counts.
    pub(super) fn split_into_whole_words(&mut self) {
        self.take_apart(unspaced::whole_words, |_| None);
    }

    fn take_apart(&mut self, words: fn(&Part) -> Vec<Part>, other_form: fn(&str) -> Option<String>) {
        let whole: Vec<(Term, bool)> = self.terms.drain(..).zip(self.is_subject.drain(..)).collect();
        for (term, is_subject) in whole {
            if !term.forms.is_empty() {
                self.terms.push(term);
                self.is_subject.push(is_subject);
                continue;
            }
            for part in words(&term.part) {
                if self.terms.iter().any(|known| known.part == part) {
                    continue;
                }
                let form = if part.quoted { None } else { other_form(&part.text) };
                self.terms.push(Term { part, forms: form.into_iter().collect() });
                self.is_subject.push(is_subject);
            }
        }
    }

    /// Keeps so many of its terms at most.
    pub(super) fn truncate(&mut self, most: usize) {
        self.terms.truncate(most);
        self.is_subject.truncate(most);
        if !self.is_subject.contains(&true) {
            self.is_subject.fill(true);
        }
    }
}

/// The terms of a question; none if it has no letter or digit. What nobody asked, a hook's prompt or the words around code,
/// gets a word's tenses and spellings, but no other word that may mean the same.
pub(super) fn parse(question: &str, unasked: bool) -> Question {
    let is_asked = !unasked;
    let when = question.split_whitespace().next().is_some_and(|first| first.eq_ignore_ascii_case("when"))
        || question.to_lowercase().contains("what date")
        || question.to_lowercase().contains("what time");
    // `Caroline's` is Caroline; as one word it would be searched as a phrase with an `s`.
    let plain = question.replace("'s ", " ").replace("’s ", " ").replace("'s?", "?").replace("’s?", "?");
    let functions = function_words(&plain);
    let plain = without_elisions(&plain).into_owned();
    let mut parts = Query::parse(&plain).parts;
    // Within a sentence, `Go` with a capital letter is the language.
    let is_go = |part: &Part| is_asked && part.text == "Go" && !plain.trim_start().starts_with("Go");
    let fills = |word: &str| is_filler(word) || functions.has(word);
    let says = |part: &Part| part.quoted || is_go(part) || !fills(&part.text);
    if parts.iter().any(says) {
        parts.retain(says);
    }
    let mut seen: Vec<String> = Vec::new();
    parts.retain(|part| {
        let text = part.text.to_lowercase();
        let new = !seen.contains(&text);
        seen.push(text);
        new
    });
    let measures = |part: &Part| {
        let word = part.text.to_lowercase();
        let measures_asked = || FROM_NOW.contains(&word.as_str()) || NUMBERED.contains(&word.as_str());
        !part.quoted && (MEASURES.contains(&word.as_str()) || is_asked && measures_asked())
    };
    let only_measures = parts.iter().all(measures);
    let version = is_asked && parts.iter().any(|part| NUMBERED.contains(&part.text.to_lowercase().as_str()));
    let is_subject = parts.iter().map(|part| only_measures || !measures(part)).collect();
    let is_german = german_forms::is_german(&plain);
    let mut terms: Vec<Term> = parts
        .into_iter()
        .map(|part| {
            let mut forms = Vec::new();
            if !part.quoted {
                let word = part.text.to_lowercase();
                forms = irregular_forms::other_forms(&word);
                forms.extend(english_spellings::other_english(&word));
                if is_asked {
                    for other in related_words::other_words(&word) {
                        if !forms.contains(&other) {
                            forms.push(other);
                        }
                    }
                    forms.extend(short_forms::other_lengths(&word));
                }
                if is_german && is_asked {
                    forms.extend(german_forms::other_endings(&word));
                } else if is_german && !plain.trim_start().starts_with(&part.text) {
                    forms.extend(german_forms::other_number(&part.text));
                }
                // `tools/gen.py` doesn't speak of Python.
                let is_ending = |name: &String| !is_asked && FILE_ENDINGS.contains(&name.as_str());
                forms.extend(other_names(&part.text).into_iter().filter(|name| !is_ending(name)));
                forms.extend(other_spellings(&part.text));
            }
            Term { part, forms }
        })
        .collect();
    if is_asked {
        add_compounds(&mut terms, &plain);
        add_phrasal_verbs(&mut terms, &plain);
    }
    Question { terms, is_subject, when, version }
}

/// Adds to two words in a row what they are when written together: `time zone` is also `timezone`.
fn add_compounds(terms: &mut [Term], question: &str) {
    let words: Vec<String> = question.split_whitespace().take(MAX_WORDS).map(str::to_lowercase).collect();
    let is_plain = |term: &Term| {
        let text = &term.part.text;
        !term.part.quoted && text.len() >= MIN_OF_COMPOUND && text.chars().all(|c| c.is_ascii_alphabetic())
    };
    for at in 1..terms.len() {
        let (before, after) = (&terms[at - 1], &terms[at]);
        let pair = [before.part.text.to_lowercase(), after.part.text.to_lowercase()];
        let ends = |word: &str| word.trim_end_matches(|c: char| !c.is_alphanumeric()) == pair[1];
        let in_a_row = words.windows(2).any(|two| two[0] == pair[0] && ends(&two[1]));
        if in_a_row && is_plain(before) && is_plain(after) {
            for term in &mut terms[at - 1..=at] {
                term.forms.push(pair.concat());
            }
        }
    }
}

/// Adds to a verb what it is together with the little word behind it, which says nothing alone: `log in` is also `login`, and the
/// other way round.
fn add_phrasal_verbs(terms: &mut [Term], question: &str) {
    let words: Vec<String> = question
        .split_whitespace()
        .take(MAX_WORDS)
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
        .collect();
    for term in terms.iter_mut().filter(|term| !term.part.quoted) {
        let word = term.part.text.to_lowercase();
        for (verb, behind) in PHRASAL {
            let is_verb = word.strip_prefix(*verb).is_some_and(|ending| VERB_ENDINGS.contains(&ending));
            for little in *behind {
                let together = format!("{verb}{little}");
                if is_verb && words.windows(2).any(|two| two[0] == word && two[1] == *little) {
                    term.forms.push(together);
                } else if word == together {
                    term.forms.push(format!("{verb} {little}"));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verb_and_its_little_word_are_also_one_word() {
        let forms = |question: &str, unasked: bool| -> Vec<String> {
            parse(question, unasked).terms.into_iter().flat_map(|term| term.forms).collect()
        };
        for (question, expected) in [
            ("how do people log in?", "login"),
            ("who is logged out at night", "logout"),
            ("signing in on the kiosk", "signin"),
            ("where is the login", "log in"),
        ] {
            assert!(forms(question, false).iter().any(|form| form == expected), "{question}");
            assert!(!forms(question, true).iter().any(|form| form == expected), "{question}");
        }
        for question in
            ["where do logs go in here", "in the log", "log the ward in", "catalog in", "\"log in\""]
        {
            assert!(!forms(question, false).iter().any(|form| form == "login"), "{question}");
        }
    }

    #[test]
    fn two_words_in_a_row_are_also_one() {
        let compounds = |question: &str| -> Vec<String> {
            let all = parse(question, false).terms.into_iter().flat_map(|term| term.forms);
            all.filter(|form| form.len() > 7).collect()
        };
        assert_eq!(compounds("which Time zone?"), ["timezone", "timezone"]);
        assert_eq!(compounds("our road trip report"), ["roadtrip", "roadtrip", "tripreport", "tripreport"]);
        for question in ["zone of the time", "time, zone", "\"time zone\"", "zone_a time", "zone", ""] {
            assert_eq!(compounds(question), [""; 0], "{question}");
        }
    }

    #[test]
    fn unasked_recalls_add_no_synonyms() {
        let forms = |question: &str, unasked: bool| -> Vec<String> {
            parse(question, unasked).terms.into_iter().flat_map(|term| term.forms).collect()
        };
        for question in ["kid", "extension", "app", "time zone", "wo liegt das Zertifikat"] {
            assert!(!forms(question, false).is_empty(), "{question}");
            assert_eq!(forms(question, true), [""; 0], "{question}");
        }
        for (question, form) in [
            ("override", "overrode"),
            ("colour", "color"),
            ("Straße", "strasse"),
            ("wo liegt die Tabelle", "tabellen"),
        ] {
            assert!(forms(question, true).iter().any(|one| one == form), "{question}");
        }
        let asked = parse("what changed in the parser yesterday", true);
        assert_eq!(asked.is_subject, [true; 3]);
    }

    #[test]
    fn questions_become_terms() {
        for (question, expected, when) in [
            ("When did Caroline's sister go hiking?", vec!["Caroline", "sister", "hiking"], true),
            ("what kind of database do we use", vec!["database"], false),
            ("\"kind of\" thing", vec!["kind of"], false),
            ("use", vec!["use"], false),
            ("why don't we deploy on Fridays, and who’ll?", vec!["deploy", "Fridays"], false),
            ("How often can't the queue be emptied", vec!["(often)", "queue", "emptied"], false),
            ("how often", vec!["often"], false),
            ("why dont we use JWT anymore", vec!["JWT"], false),
            ("what changed in the parser yesterday", vec!["changed", "parser", "(yesterday)"], false),
            ("Was gilt derzeit für Releases?", vec!["gilt", "(derzeit)", "Releases"], false),
            ("yesterday", vec!["yesterday"], false),
            ("which Go version are we on", vec!["Go", "(version)"], false),
            ("Go on with the version", vec!["version"], false),
            ("which database would we likely use, actually?", vec!["database"], false),
            ("the \"most\" and how long", vec!["most", "(long)"], false),
            ("isn't won't haven't", vec!["isn't", "won't", "haven't"], false),
            ("parseConfig src/main.rs", vec!["parseConfig", "src/main.rs"], false),
            ("Rust rust RUST", vec!["Rust"], false),
            ("Wie wird das Wetter?", vec!["Wetter"], false),
            ("où est le cache et pourquoi", vec!["cache"], false),
            (
                "combien de temps garde-t-on les journaux d'accès ?",
                vec!["temps", "garde", "journaux", "accès"],
                false,
            ),
            ("was war die Ursache für den Ausfall", vec!["Ursache", "Ausfall"], false),
            ("dónde están los pagos de la cola", vec!["están", "pagos", "de", "la", "cola"], false),
            ("does the worker die in war mode", vec!["worker", "die", "war", "mode"], false),
            ("MIT licence", vec!["MIT", "licence"], false),
            ("mit dem Cache", vec!["Cache"], false),
            ("?!", vec![], false),
        ] {
            let asked = parse(question, false);
            let texts = asked.terms.iter().zip(&asked.is_subject).map(|(term, is_subject)| {
                let text = &term.part.text;
                if *is_subject { text.clone() } else { format!("({text})") }
            });
            let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
            assert_eq!((texts.collect::<Vec<_>>(), asked.when), (expected, when), "{question}");
        }
    }
}
