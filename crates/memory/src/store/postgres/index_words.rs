//! Splits texts and terms into words for the index. PostgreSQL's own parser takes paths and addresses as one word
//! where the local store takes each part, so it gets the words already split.

use ranking::words::{is_cjk, pairs, parts};
use serde_json::{Value, json};

use crate::domain::{composed, other_spellings};
use crate::store::Term;

/// Maximum size of an indexed text: an index entry is limited to 1 MB.
const POSTED_BYTES: usize = 200_000;
/// Longer words can't be indexed, and nobody searches for them.
const WORD_BYTES: usize = 200;

/// The indexed words of a text, without the parts of identifiers.
pub(super) fn plain(text: &str) -> String {
    let text = &text[..text.floor_char_boundary(POSTED_BYTES)];
    let mut out = String::with_capacity(text.len());
    for word in cut(&composed(text)) {
        out.push_str(&word);
        out.push(' ');
    }
    out
}

/// The parts of identifiers, pairs of characters in scripts without spaces, and other spellings.
pub(super) fn hidden(text: &str) -> String {
    let text = &text[..text.floor_char_boundary(POSTED_BYTES)];
    plain(&parts(&composed(text))) + &plain(&other_spellings(text).join(" "))
}

fn cut(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty() && word.len() <= WORD_BYTES)
        .map(str::to_lowercase)
}

fn row(text: &str) -> String {
    cut(&composed(text)).collect::<Vec<_>>().join(" ")
}

/// A term as the function `plimsoll.rated` takes it: every spelling as a row of words, and the word itself for fuzzy
/// matching.
pub(super) fn asked(term: &Term) -> Value {
    let part = &term.part;
    let mut spellings: Vec<String> = Vec::new();
    if part.text.chars().all(is_cjk) {
        if part.text.chars().nth(1).is_none() {
            spellings.push(format!("{}*", part.text));
        } else {
            spellings.push(pairs(&part.text).collect::<Vec<_>>().join(" "));
        }
    } else {
        spellings.push(row(&part.text));
        if !part.quoted && part.words.len() > 1 {
            spellings.push(row(&part.words.join(" ")));
            spellings.push(row(&part.words.concat()));
        }
    }
    spellings.extend(term.forms.iter().map(|form| row(form)));
    spellings.retain(|spelling| !spelling.is_empty());
    spellings.dedup();
    let near = (!part.quoted && part.words.len() == 1).then(|| part.text.to_lowercase());
    json!({"spellings": spellings, "near": near})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_alike_in_texts_and_questions() {
        assert_eq!(plain("Use src/main.rs, e.g. foo_bar@x.org!"), "use src main rs e g foo bar x org ");
        let term = |text: &str| {
            let part = ranking::Query::parse(text).parts.remove(0);
            asked(&Term { part, forms: vec!["went".into()] })["spellings"].to_string()
        };
        assert_eq!(term("go"), r#"["go","went"]"#);
        assert_eq!(term("parseConfig"), r#"["parseconfig","parse config","parseconfig","went"]"#);
        assert_eq!(term("数据库"), r#"["数据 据库","went"]"#);
        assert_eq!(term("字"), r#"["字*","went"]"#);
        assert_eq!(plain(&"é".repeat(300)), "");
        assert_eq!(hidden("Straße parseConfig"), "parse config strasse ");
    }
}
