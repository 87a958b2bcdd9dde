//! Findings by file and message. Owns which messages are the same except for their names and figures.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::finding::Finding;
use super::place::place;
use super::project::Projects;

/// The longest message in which names become gaps, in bytes; a longer one is compared as a whole.
const LONGEST: usize = 4_096;
/// Stands for a name in a message.
const GAP: char = '\u{1}';

/// Findings by file, in order of appearance.
#[derive(Clone)]
pub(super) struct List<'t> {
    pub(super) files: Vec<File<'t>>,
    pub(super) kinds: Vec<Kind<'t>>,
    /// The one level that all have, if there is one.
    pub(super) level: Option<&'t str>,
}

/// What was found in one file.
#[derive(Clone)]
pub(super) struct File<'t> {
    pub(super) name: &'t str,
    pub(super) findings: Vec<Entry<'t>>,
}

/// A finding in its file.
#[derive(Clone)]
pub(super) struct Entry<'t> {
    pub(super) kind: usize,
    pub(super) at: &'t str,
    /// The message's names and figures, in order.
    pub(super) names: Vec<String>,
    /// The message with the lines that belong to it.
    pub(super) message: String,
}

/// Findings of one rule whose messages differ only in names and figures.
#[derive(Clone)]
pub(super) struct Kind<'t> {
    pub(super) level: &'t str,
    pub(super) rule: &'t str,
    /// The message, with `…` for the differences.
    pub(super) template: String,
    /// The first message as it was.
    pub(super) sample: String,
    pub(super) count: usize,
    /// Whether all messages are equal.
    pub(super) constant: bool,
    /// The name under which it is listed, unique.
    pub(super) label: String,
}

impl Kind<'_> {
    /// Its messages' text, with `…` for the differences.
    pub(super) fn message(&self) -> &str {
        if self.constant { &self.sample } else { &self.template }
    }
}

impl<'t> List<'t> {
    /// The same with the names of files relative to their common folder.
    pub(super) fn below(&self, folder: &str) -> List<'t> {
        let mut list = self.clone();
        for file in &mut list.files {
            let name: &'t str = file.name;
            file.name = name.strip_prefix(folder).unwrap_or(name);
        }
        list
    }

    pub(super) fn new(findings: &'t [Finding<'t>]) -> Self {
        let mut files: Vec<File<'t>> = Vec::new();
        let mut file_at: HashMap<&str, usize> = HashMap::new();
        let mut kinds: Vec<Kind<'t>> = Vec::new();
        let mut kind_at: HashMap<(&str, &str, String), usize> = HashMap::new();
        let projects = Projects::new(findings);
        for finding in findings {
            let mut message = projects.without(finding.file, finding.message).to_owned();
            for line in finding.more.iter().chain(&finding.beside) {
                message.push('\n');
                message.push_str(without_own_place(finding, line));
            }
            let (template, names) = template(&message);
            let kind =
                *kind_at.entry((finding.severity, finding.rule, template.clone())).or_insert_with(|| {
                    kinds.push(Kind {
                        level: finding.severity,
                        rule: finding.rule,
                        template,
                        sample: message.clone(),
                        count: 0,
                        constant: true,
                        label: String::new(),
                    });
                    kinds.len() - 1
                });
            kinds[kind].count += finding.times;
            kinds[kind].constant &= kinds[kind].sample == message;
            let file = *file_at.entry(finding.file).or_insert_with(|| {
                files.push(File { name: finding.file, findings: Vec::new() });
                files.len() - 1
            });
            for _ in 1..finding.times {
                let (names, message) = (names.clone(), message.clone());
                files[file].findings.push(Entry { kind, at: &finding.at, names, message });
            }
            files[file].findings.push(Entry { kind, at: &finding.at, names, message });
        }
        inline_common_names(&mut kinds, &mut files);
        label(&mut kinds);
        let first = findings.first().map(|finding| finding.severity);
        let level = first.filter(|first| findings.iter().all(|finding| finding.severity == *first));
        Self { files, kinds, level }
    }
}

/// A line that belongs to `finding`, without the place at its beginning where that repeats the finding's and adds nothing: its
/// number in front of its source, its file and place in front of a note.
fn without_own_place<'l>(finding: &Finding<'_>, line: &'l str) -> &'l str {
    let number = finding.at.split(':').next().unwrap_or_default();
    if let Some(source) = line.strip_prefix(number).filter(|rest| rest.starts_with(' ')) {
        return source;
    }
    let behind_file = line.strip_prefix(finding.file).and_then(|rest| rest.strip_prefix(':'));
    behind_file.and_then(|rest| rest.strip_prefix(&*finding.at)?.strip_prefix(": ")).unwrap_or(line)
}

/// A name that is the same in all messages of a kind is part of their text.
fn inline_common_names(kinds: &mut [Kind<'_>], files: &mut [File<'_>]) {
    let mut firsts: Vec<Option<Vec<(String, bool)>>> = vec![None; kinds.len()];
    for entry in files.iter().flat_map(|file| &file.findings) {
        match &mut firsts[entry.kind] {
            Some(first) => {
                for ((name, equal), other) in first.iter_mut().zip(&entry.names) {
                    *equal &= name == other;
                }
            }
            first => *first = Some(entry.names.iter().map(|name| (name.clone(), true)).collect()),
        }
    }
    for (kind, first) in kinds.iter_mut().zip(&firsts) {
        let Some(first) = first else { continue };
        let mut names = first.iter();
        let mut out = String::with_capacity(kind.template.len());
        for c in kind.template.chars() {
            match (c == GAP).then(|| names.next()).flatten() {
                Some((name, true)) => out.push_str(name),
                Some((_, false)) => out.push('…'),
                None => out.push(c),
            }
        }
        kind.template = out;
    }
    for entry in files.iter_mut().flat_map(|file| &mut file.findings) {
        if let Some(first) = firsts.get(entry.kind).and_then(Option::as_ref) {
            let mut equal = first.iter().map(|(_, equal)| *equal);
            entry.names.retain(|_| !equal.next().unwrap_or(false));
        }
    }
}

/// Gives each kind a unique name: its rule, numbered if a rule has several messages.
fn label(kinds: &mut [Kind<'_>]) {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for kind in kinds {
        let nth = seen.entry(kind.rule.to_owned()).or_default();
        *nth += 1;
        kind.label = match (kind.rule, *nth) {
            ("", nth) => format!("#{nth}"),
            (rule, 1) => rule.to_owned(),
            (rule, nth) => format!("{rule}#{nth}"),
        };
    }
}

/// A message with [`GAP`] for its quoted names, its places and its figures, and these.
///
/// A tool's own `…` isn't a gap, so another character replaces it until names that never differ are put back.
fn template(message: &str) -> (String, Vec<String>) {
    if message.len() > LONGEST {
        return (message.to_owned(), Vec::new());
    }
    let mut out = String::with_capacity(message.len());
    let mut names = Vec::new();
    let mut rest = message;
    let mut before = None;
    while let Some(c) = rest.chars().next() {
        let word_before = before.is_some_and(|c: char| c.is_alphanumeric() || c == '_');
        let quoted = match c {
            _ if before.is_none_or(|c: char| c.is_whitespace()) && place_length(rest).is_some() => {
                place_length(rest)
            }
            '\'' | '"' | '`' if !word_before => quoted(rest, c),
            '‘' => rest.find('’').map(|end| end + '’'.len_utf8()),
            '“' => rest.find('”').map(|end| end + '”'.len_utf8()),
            c if c.is_ascii_digit() && !word_before => {
                let end = rest.bytes().take_while(u8::is_ascii_digit).count();
                let joined = rest[end..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
                (!joined).then_some(end)
            }
            _ => None,
        };
        let length = match quoted {
            Some(length) => {
                names.push(rest[..length].to_owned());
                out.push(GAP);
                length
            }
            None => {
                out.push(c);
                c.len_utf8()
            }
        };
        before = rest[..length].chars().next_back();
        rest = &rest[length..];
    }
    (out, names)
}

/// The length of the place that `text` begins with.
fn place_length(text: &str) -> Option<usize> {
    let word = text.split(char::is_whitespace).next()?.trim_end_matches([':', ',', '.', ';']);
    if !word.contains(':') || !word.ends_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    place(word).filter(|place| place.sign == '\n').map(|_| word.len())
}

/// The length of the name in quotes that `text` begins with, on this line.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let line = text.find('\n').map_or(text, |end| &text[..end]);
    let mut from = 1;
    loop {
        let end = from + line.get(from..)?.find(quote)? + 1;
        if !line[end..].starts_with(|c: char| c.is_alphanumeric()) {
            return (end > 1).then_some(end);
        }
        from = end;
    }
}

/// `3:9, 8:2 ×2, 11:4`.
pub(super) fn places<'p>(row: &mut String, all: impl Iterator<Item = &'p str>) {
    let mut all = all.peekable();
    let mut first = true;
    while let Some(place) = all.next() {
        let mut times = 1;
        while all.next_if_eq(&place).is_some() {
            times += 1;
        }
        if !std::mem::take(&mut first) {
            row.push_str(", ");
        }
        row.push_str(place);
        if times > 1 {
            let _ = write!(row, " ×{times}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::by_file_and_rule;
    use super::template;

    /// mypy prints a finding's notes as lines of their own, with its file and line in front of each.
    #[test]
    fn a_note_does_not_repeat_the_place_of_its_finding() {
        let text = include_str!("../../tests/fixtures/findings/mypy-notes.txt");
        let short = by_file_and_rule(text, 24_000).unwrap();
        for fact in [
            "note: Perhaps you meant \"typing.Callable\" instead of \"callable\"?\n",
            "[valid-type] 92, 165, 170, 175, 211",
            "\n    note: Hint: \"python3 -m pip install types-PyYAML\"\n",
            // This one is of another line than the finding above it.
            "\n    datasette/utils/multipart.py:101: note: By default the bodies of untyped functions",
        ] {
            assert!(short.contains(fact), "{fact}: {short}");
        }
        for repeated in ["table.py:92", "app.py:1902", "__init__.py:26"] {
            assert!(!short.contains(repeated), "{repeated}: {short}");
        }
    }

    #[test]
    fn names_and_figures_are_distinguished_from_words() {
        for (message, form, names) in [
            ("'foo' is not defined", "… is not defined", vec!["'foo'"]),
            ("Line too long (112/100)", "Line too long (…/…)", vec!["112", "100"]),
            ("doesn't fit `x1`", "doesn't fit …", vec!["`x1`"]),
            ("ES2022 isn't set", "ES2022 isn't set", vec![]),
            ("Expected '===' and saw '=='.", "Expected … and saw ….", vec!["'==='", "'=='"]),
            ("type 'it's' is", "type … is", vec!["'it's'"]),
            ("'open", "'open", vec![]),
        ] {
            let (short, short_names) = template(message);
            let short = (short.replace('\u{1}', "…"), short_names);
            assert_eq!(short, (form.to_owned(), names.into_iter().map(str::to_owned).collect::<Vec<_>>()));
        }
    }
}
