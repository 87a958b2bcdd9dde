//! A program's input, if the command's text contains it: `echo … |`, here-documents, `<(echo …)`, files that an earlier
//! command wrote.

use super::{Input, Walk};
use crate::shell::expand::{Field, Vars, fields};
use crate::shell::wrap::basename;
use ::shell::grammar::{Step, parse};

impl Input {
    /// The input texts, as far as they are known.
    pub(super) fn known_texts(&self) -> Vec<String> {
        let mut texts = self.texts.clone();
        texts.extend(echo_output(&self.words));
        texts
    }
}

impl Walk<'_> {
    /// Records which file `texts` were written to: `echo x > f; sh f`.
    pub(super) fn record_write(&mut self, target: &[Field], texts: &[String]) {
        for (field, text) in target.iter().flat_map(|field| texts.iter().map(move |text| (field, text))) {
            let wrote = (plain_name(&field.text).to_owned(), text.clone());
            if self.written.len() < 64 && text.len() < 64 * 1024 && !self.written.contains(&wrote) {
                self.written.push(wrote);
            }
        }
    }

    /// The texts that were written to the file `name`.
    pub(super) fn texts_written_to(&self, name: &str) -> Vec<String> {
        let name = plain_name(name);
        self.written.iter().filter(|(file, _)| file == name).map(|(_, text)| text.clone()).collect()
    }
}

fn plain_name(name: &str) -> &str {
    name.strip_prefix("./").unwrap_or(name)
}

/// The content of `<(echo …)`; `None` for any other word, an inner `None` if the content is unknown.
pub(super) fn process_substitution(word: &str) -> Option<Option<String>> {
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
    Some(echo_output(&words).or(heard))
}

/// The words that `$(echo …)` expands to, if it is a whole word.
pub(super) fn expand_known(field: Field) -> Vec<Field> {
    if !field.dynamic || !field.bare.is_empty() {
        return vec![field];
    }
    let quoted = field.text.strip_prefix('`').and_then(|text| text.strip_suffix('`'));
    let inner = quoted.or_else(|| field.text.strip_prefix("$(").and_then(|text| text.strip_suffix(')')));
    match inner.and_then(|inner| process_substitution(&format!("<({inner})"))).flatten() {
        Some(text) => text.split_whitespace().map(Field::plain).collect(),
        None => vec![field],
    }
}

/// The output of `echo` or `printf`, with the words both as written and with escapes processed.
pub(super) fn echo_output(words: &[Field]) -> Option<String> {
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
            if format.contains('%') { format_printf(format, &values) } else { format.to_owned() }
        }
        _ => return None,
    };
    Some(unescape(&text))
}

/// `format` with `%s` and the like replaced by `values`, repeatedly as printf does.
fn format_printf(format: &str, values: &[&str]) -> String {
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

/// `text` with its escapes processed, as `echo -e` and `printf` do.
fn unescape(text: &str) -> String {
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
