//! What a program is given to read, where the text of the command says it: `echo … |`, here-documents, `<(echo …)`, files
//! that were written a moment ago.

use super::{Input, Walk};
use crate::shell::expand::{Field, Vars, fields};
use crate::shell::wrap::basename;
use ::shell::grammar::{Step, parse};

impl Input {
    /// The texts that come in, where they are known.
    pub(super) fn message(&self) -> Vec<String> {
        let mut texts = self.texts.clone();
        texts.extend(printed(&self.words));
        texts
    }
}

impl Walk<'_> {
    /// Remembers what `texts` were written to: `echo x > f; sh f`.
    pub(super) fn wrote(&mut self, target: &[Field], texts: &[String]) {
        for (field, text) in target.iter().flat_map(|field| texts.iter().map(move |text| (field, text))) {
            let wrote = (plain_name(&field.text).to_owned(), text.clone());
            if self.written.len() < 64 && text.len() < 64 * 1024 && !self.written.contains(&wrote) {
                self.written.push(wrote);
            }
        }
    }

    /// The texts that were written to the file `name`.
    pub(super) fn written_to(&self, name: &str) -> Vec<String> {
        let name = plain_name(name);
        self.written.iter().filter(|(file, _)| file == name).map(|(_, text)| text.clone()).collect()
    }
}

fn plain_name(name: &str) -> &str {
    name.strip_prefix("./").unwrap_or(name)
}

/// What `<(echo …)` hands over; `None` if the word is no such thing, an inner `None` if it cannot be known.
pub(super) fn substituted(word: &str) -> Option<Option<String>> {
    let inner = word.strip_prefix("<(")?.strip_suffix(')').unwrap_or(word);
    let script = parse(inner);
    let mut runs = script.steps.iter().filter_map(|step| match step {
        Step::Run(simple) => Some(simple),
        _ => None,
    });
    let (Some(simple), None) = (runs.next(), runs.next()) else { return Some(None) };
    let mut budget = 1 << 16;
    let words: Vec<Field> =
        simple.words.iter().flat_map(|w| fields(w, &Vars::default(), &mut budget)).collect();
    let heard = simple.heredocs.first().and_then(|slot| script.bodies.get(*slot)).cloned();
    Some(printed(&words).or(heard))
}

/// The words that `$(echo …)` becomes, where it is a whole word.
pub(super) fn known(field: Field) -> Vec<Field> {
    if !field.dynamic || !field.bare.is_empty() {
        return vec![field];
    }
    let quoted = field.text.strip_prefix('`').and_then(|text| text.strip_suffix('`'));
    let inner = quoted.or_else(|| field.text.strip_prefix("$(").and_then(|text| text.strip_suffix(')')));
    match inner.and_then(|inner| substituted(&format!("<({inner})"))).flatten() {
        Some(text) => text.split_whitespace().map(Field::plain).collect(),
        None => vec![field],
    }
}

/// What `echo` or `printf` prints, with the words both as they stand and with their escapes read.
pub(super) fn printed(words: &[Field]) -> Option<String> {
    let (first, rest) = words.split_first()?;
    if rest.iter().any(|f| f.dynamic && f.bare.is_empty()) {
        return None;
    }
    let mut shown = rest.iter().map(|f| f.text.as_str()).skip_while(|t| t.starts_with('-') && t.len() < 5);
    let text = match basename(&first.text) {
        "echo" => shown.collect::<Vec<_>>().join(" "),
        "printf" => {
            let format = shown.next()?;
            let values: Vec<&str> = shown.collect();
            if format.contains('%') { filled(format, &values) } else { format.to_owned() }
        }
        _ => return None,
    };
    Some(unescaped(&text))
}

/// `format` with its `%s` and their like replaced by `values`, again and again as printf does.
fn filled(format: &str, values: &[&str]) -> String {
    let mut out = String::new();
    let mut left = values.iter();
    loop {
        let mut chars = format.chars();
        while let Some(c) = chars.next() {
            match c {
                '%' => match chars.by_ref().find(|c| c.is_ascii_alphabetic() || *c == '%') {
                    Some('%') | None => out.push('%'),
                    Some(_) => out.push_str(left.next().unwrap_or(&"")),
                },
                c => out.push(c),
            }
        }
        if left.as_slice().is_empty() || left.len() == values.len() || out.len() > 64 * 1024 {
            return out;
        }
    }
}

/// `text` with its escapes read, as `echo -e` and `printf` do.
fn unescaped(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let script = parse(&format!("$'{}'", text.replace('\'', "\\'")));
    let word = script.steps.iter().find_map(|step| match step {
        Step::Run(simple) => simple.words.first(),
        _ => None,
    });
    let mut budget = 0;
    let read = word.map(|word| fields(word, &Vars::default(), &mut budget)).unwrap_or_default();
    read.first().map_or_else(|| text.to_owned(), |field| field.text.replace('\0', "\n"))
}
