//! Words of a language's grammar that are other words in English (`die`, `war`, `on`, `sur`): in a question of that language they
//! say as little as `the` does, and in an English one they may be its subject. What no English question has is in `terms`. It also
//! takes off what French writes together with a word: `l'accès`, `garde-t-on`.

use std::borrow::Cow;

use super::german_forms;

/// German.
const GERMAN: &str = "die war den man bis an am um in so also da daß ob beim denn etwa mal wem wen wessen welchem welchen deren \
    dessen diesem diesen dieser dieses dies es hat hatte waren wäre sein seine seinem seinen seiner ihre ihren ihrem unserem \
    jemand etwas viel viele wieviel sollen sollte müssen können könnte konnte dürfen darf lassen lässt was nun seit zu des jetzt \
    eigentlich denn vor unter weil sowie damit dabei dafür davon dazu darauf daran";
/// French.
const FRENCH: &str = "à en de du la un au ce se sa son ses sur par pour on il y ou ne sans leur leurs mon ma mes ton ta tes nos vos \
    votre était être a ont été fait doit peut faut puis dois lors donc afin plus déjà toujours encore quels quelles lequel \
    laquelle tu si mais aussi avons avez avait combien";
/// Words by two of which a question is French, one of them at least from the second table: Spanish has the others as well.
const IN_FRENCH: &str = "le la de en un est que";
const ONLY_FRENCH: &str = "les une des où sont qui quoi quel quelle quels quelles pourquoi quand avec dans pas nous vous elle ils \
    cette ces aux notre du au à et combien";
/// What French puts before a vowel, without the apostrophe.
const ELIDED: &str = "d l qu n s j c m t jusqu lorsqu puisqu";
/// What it puts behind a verb.
const INVERTED: &[&str] =
    &["-t-on", "-t-il", "-t-elle", "-t-ils", "-on", "-il", "-elle", "-ils", "-elles", "-je", "-tu", "-nous"];
/// The fewest bytes of the verb: `add-on` has none.
const MIN_VERB: usize = 4;
/// The number of a question's words that tell its language.
const MAX_WORDS: usize = 100;

/// The words that say nothing in a question of its language; none in an English one.
pub(super) fn function_words(question: &str) -> FunctionWords {
    if german_forms::is_german(question) {
        FunctionWords(GERMAN)
    } else if is_french(question) {
        FunctionWords(FRENCH)
    } else {
        FunctionWords("")
    }
}

/// A language's words.
pub(super) struct FunctionWords(&'static str);

impl FunctionWords {
    pub(super) fn has(&self, word: &str) -> bool {
        // `UN` is a name, though `un` isn't.
        let is_acronym = word.chars().nth(1).is_some() && word.chars().all(char::is_uppercase);
        !self.0.is_empty() && !is_acronym && has(self.0, &word.to_lowercase())
    }
}

/// A French question without what is written together with its words; any other as it is.
pub(super) fn without_elisions(question: &str) -> Cow<'_, str> {
    if !question.contains(['\'', '’', '-']) || !is_french(question) {
        return Cow::Borrowed(question);
    }
    let words: Vec<&str> =
        question.split_whitespace().map(|word| without_pronoun(behind_elision(word))).collect();
    Cow::Owned(words.join(" "))
}

fn is_french(question: &str) -> bool {
    let (mut found, mut is_sure): (Vec<String>, bool) = (Vec::new(), false);
    for token in question.split_whitespace().take(MAX_WORDS) {
        let is_elided = behind_elision(token).len() < token.len();
        let word = token.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let is_sure_word = is_elided || has(ONLY_FRENCH, &word);
        if (is_sure_word || has(IN_FRENCH, &word)) && !found.contains(&word) {
            is_sure |= is_sure_word;
            found.push(word);
        }
    }
    is_sure && found.len() > 1
}

/// The word without what is elided before it: `l'accès` is `accès`.
fn behind_elision(word: &str) -> &str {
    let Some((before, behind)) = word.split_once(['\'', '’']) else { return word };
    let begins =
        behind.starts_with(char::is_alphabetic) && behind.chars().nth(1).is_some_and(char::is_alphabetic);
    if begins && has(ELIDED, &before.to_lowercase()) { behind } else { word }
}

/// The word without the pronoun behind it and what follows that: `garde-t-on ?` is `garde`.
fn without_pronoun(word: &str) -> &str {
    // A quotation mark has its pair elsewhere.
    let bare = word.trim_end_matches(['?', '!', '.', ',', ';', ':']);
    INVERTED
        .iter()
        .find_map(|end| bare.strip_suffix(end))
        .filter(|verb| verb.len() >= MIN_VERB)
        .unwrap_or(word)
}

fn has(table: &str, word: &str) -> bool {
    table.split_ascii_whitespace().any(|one| one == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_has_the_function_words_of_its_language_only() {
        for (question, word, expected) in [
            ("was war die Ursache für den Ausfall", "war", true),
            ("was war die Ursache für den Ausfall", "Ursache", false),
            ("wann ist die Testumgebung aus?", "die", true),
            ("does the worker die in war mode", "die", false),
            ("à partir de quel montant", "de", true),
            ("quelle est la durée d'un segment", "la", true),
            ("pourquoi la file d'attente se bloque", "se", true),
            ("dónde están los pagos de la cola", "la", false),
            ("put the de locale on la", "de", false),
            ("a question on the sur module", "sur", false),
            ("qui sont les membres de l'UN", "UN", false),
            ("", "die", false),
        ] {
            assert_eq!(function_words(question).has(word), expected, "{word} in {question}");
        }
    }

    #[test]
    fn french_words_come_apart_and_others_stay() {
        for (question, expected) in [
            (
                "combien de temps garde-t-on les journaux d'accès ?",
                "combien de temps garde les journaux accès ?",
            ),
            ("pourquoi l’application plantait-elle ?", "pourquoi application plantait ?"),
            ("où sont les rendez-vous et l'add-on", "où sont les rendez-vous et add-on"),
            ("don't touch l10n, it's d'Artagnan's", "don't touch l10n, it's d'Artagnan's"),
            ("the opt-in of o'clock", "the opt-in of o'clock"),
            ("pourquoi \"l'accès garde-t-on\" est là", "pourquoi \"l'accès garde-t-on\" est là"),
        ] {
            assert_eq!(without_elisions(question), expected);
        }
    }
}
