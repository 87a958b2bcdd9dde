//! Which definitions an edit touched, by the replaced text, the file's text and the definitions in the index. Pure.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use code::{Kind, Span};

use super::edits::{FileEdit, MOST_PIECES};

/// Shorter names are everywhere.
const SHORT: usize = 3;
/// The number of places of a replacement that are looked at.
const MOST_PLACES: usize = 24;

/// Lines, with their numbers from 1 and in order, that begin a definition.
type Beginnings<'t> = Rc<[(usize, &'t str)]>;

/// The definitions that an edit touched, by the file's current text.
pub(super) fn touched<'s>(spans: &'s [Span], edited: &FileEdit, text: &str) -> Vec<&'s Span> {
    let named = |span: &&Span| span.kind != Kind::Module && span.name.len() >= SHORT;
    let names: HashSet<&str> = spans.iter().map(|span| span.name.as_str()).collect();
    if let Some(whole) = &edited.whole {
        if whole.trim_end() != text.trim_end() {
            return Vec::new();
        }
        // Only the index has the earlier text: take definitions whose head has disappeared or continues differently.
        let lines = Lines::of(whole, &names);
        let begins = beginnings(&lines, spans);
        let all = spans.iter().zip(&begins).filter(|(span, _)| named(span));
        let other = all.filter(|&(span, begins)| {
            if begins.is_empty() {
                // A head of nothing but the name is recognised on some lines only.
                return head(&span.signature, &span.name).is_some_and(|known| !known.is_empty())
                    || !lines.has(span);
            }
            !begins.iter().any(|(_, line)| agrees(line, span))
        });
        return other.map(|(span, _)| span).collect();
    }
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, span) in spans.iter().enumerate() {
        by_name.entry(span.name.as_str()).or_default().push(at);
    }
    let lines = Lines::of(text, &names);
    let begins = beginnings(&lines, spans);
    let now: Vec<Option<usize>> =
        spans.iter().zip(&begins).map(|(span, begins)| nearest(begins, span.line as usize)).collect();
    let mut out: Vec<&Span> = Vec::new();
    for (old, new) in edited.pieces.iter().take(MOST_PIECES) {
        let known = out.len();
        if new.is_empty() {
            let before = Lines::of(old, &names);
            let gone = |span: &&Span| before.defining(span).next().is_some();
            out.extend(mentioned(spans, &by_name, &before).into_iter().filter(named).filter(gone));
            continue;
        }
        let places = places(text, old, new);
        // Text that occurs several times doesn't tell where it was inserted, but the index knows which heads were there.
        let is_certain = places.len() == 1;
        for place in &places {
            let (before, now) = (Lines::of(&place.old, &names), Lines::of(&place.new, &names));
            let kept = |line: &str| place.old.lines().any(|before| before == line);
            let gone = |span: &&Span| {
                before.defining(span).any(|(_, line)| is_certain || agrees(line, span))
                    && !now.defining(span).any(|(_, line)| kept(line))
            };
            out.extend(mentioned(spans, &by_name, &before).into_iter().filter(named).filter(gone));
        }
        let [place] = places.as_slice() else { continue };
        // The lines that differ.
        let (old, new) = (place.old.as_str(), place.new.as_str());
        let same = old.lines().zip(new.lines()).take_while(|(old, new)| old == new).count();
        let behind = |list: &str| list.lines().count().saturating_sub(same);
        let tail = old.lines().rev().zip(new.lines().rev()).take_while(|(old, new)| old == new).count();
        let tail = tail.min(behind(old)).min(behind(new));
        let first = place.line + same;
        let last = first + behind(new).saturating_sub(tail).max(1) - 1;
        let grown = new.lines().count().saturating_sub(old.lines().count());
        // The innermost definition around the edit.
        let around = spans.iter().zip(&now).filter(|(span, _)| named(span)).filter_map(|(span, now)| {
            let now = (*now)?;
            let end = now + (span.end_line.saturating_sub(span.line)) as usize + grown;
            (now <= first && last <= end).then_some((now, span))
        });
        let inner = around.max_by_key(|(now, _)| *now).map(|(_, span)| span);
        // What is in a type was edited, and not the type.
        let has = |of: &Span, one: &Span| of.line < one.line && one.line <= of.end_line;
        let is_around = |of: &&Span| of.kind.is_type() && out[known..].iter().any(|one| has(of, one));
        let inner = inner.filter(|of| !is_around(of));
        out.extend(inner);
    }
    let mut seen = HashSet::new();
    out.retain(|span| seen.insert((span.line, &span.name)));
    out
}

/// Where a replacement may have happened, in whole lines.
struct Place {
    /// The first of the lines, from 1.
    line: usize,
    /// The old lines.
    old: String,
    /// The new lines.
    new: String,
}

/// The places in `text` where `new` may have come for `old`.
fn places(text: &str, old: &str, new: &str) -> Vec<Place> {
    let whole = |at: usize| {
        let (start, behind) = (text[..at].rfind('\n').map_or(0, |end| end + 1), at + new.len());
        let end = text[behind..].find('\n').map_or(text.len(), |end| behind + end);
        let (before, after) = (&text[start..at], &text[behind..end]);
        Place {
            line: text[..start].matches('\n').count() + 1,
            old: format!("{before}{old}{after}"),
            new: format!("{before}{new}{after}"),
        }
    };
    text.match_indices(new).take(MOST_PLACES).map(|(at, _)| whole(at)).collect()
}

/// The file as it was before an edit, if every piece tells where it is.
pub(super) fn earlier(edited: &FileEdit, text: &str) -> Option<String> {
    if edited.pieces.len() > MOST_PIECES {
        return None;
    }
    let mut out = text.to_owned();
    for (old, new) in edited.pieces.iter().rev() {
        let mut all = out.match_indices(new.as_str()).map(|(at, _)| at);
        let at = all.next().filter(|_| !new.is_empty())?;
        if all.next().is_some() {
            return None;
        }
        out.replace_range(at..at + new.len(), old);
    }
    (!edited.pieces.is_empty()).then_some(out)
}

/// A text's lines by the definition names on them: a large file has many of both.
struct Lines<'t> {
    by_name: HashMap<&'t str, Vec<(usize, &'t str)>>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str, names: &HashSet<&str>) -> Self {
        let mut by_name: HashMap<&str, Vec<(usize, &str)>> = HashMap::new();
        for (at, line) in text.lines().enumerate() {
            let words = line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
            for word in words.filter(|word| names.contains(word)) {
                by_name.entry(word).or_default().push((at + 1, line));
            }
        }
        Self { by_name }
    }

    /// The lines, from 1, that begin this definition.
    fn defining(&self, span: &Span) -> impl Iterator<Item = (usize, &'t str)> {
        let all = self.by_name.get(span.name.as_str()).into_iter().flatten().copied();
        all.filter(|(_, line)| defines(line, span))
    }

    /// Whether a definition's name occurs at all.
    fn has(&self, span: &Span) -> bool {
        self.by_name.contains_key(span.name.as_str())
    }
}

/// The definitions whose names are in these lines, in their order.
fn mentioned<'s>(spans: &'s [Span], by_name: &HashMap<&str, Vec<usize>>, lines: &Lines<'_>) -> Vec<&'s Span> {
    let found = lines.by_name.keys().filter_map(|name| by_name.get(*name));
    let mut all: Vec<usize> = found.flatten().copied().collect();
    all.sort_unstable();
    all.into_iter().map(|at| &spans[at]).collect()
}

/// The lines that begin each of these definitions. Many of one name, as the methods of many types, have the same words before it and
/// share a list.
fn beginnings<'t>(lines: &Lines<'t>, spans: &[Span]) -> Vec<Beginnings<'t>> {
    let mut known: HashMap<(&str, Option<String>, Option<bool>), Beginnings<'t>> = HashMap::new();
    let mut out = Vec::with_capacity(spans.len());
    for span in spans {
        let is_set = is_value(span).then(|| is_set(&span.signature, &span.name));
        let key = (span.name.as_str(), head(&span.signature, &span.name), is_set);
        out.push(Rc::clone(known.entry(key).or_insert_with(|| lines.defining(span).collect())));
    }
    out
}

/// The line on which a definition is now that was on line `before`; the lines are in order.
fn nearest(begins: &[(usize, &str)], before: usize) -> Option<usize> {
    let behind = begins.partition_point(|(at, _)| *at < before);
    let near = &begins[behind.saturating_sub(1)..begins.len().min(behind + 1)];
    near.iter().map(|(at, _)| *at).min_by_key(|at| at.abs_diff(before))
}

/// Whether a line begins this definition: up to the name it says what the definition's head says.
pub(super) fn defines(line: &str, span: &Span) -> bool {
    let (Some(here), Some(known)) = (head(line, &span.name), head(&span.signature, &span.name)) else {
        return false;
    };
    if known.is_empty() {
        // A constant of Python has nothing before its name, and neither has a JavaScript method; a call has no body after it.
        return here.is_empty()
            && if is_value(span) {
                is_set(&span.signature, &span.name)
                    && is_set(line, &span.name)
                    && !line.starts_with(char::is_whitespace)
            } else {
                line.trim_end().ends_with(['{', ':'])
            };
    }
    here.ends_with(&known) || known.ends_with(&here) && !here.trim().is_empty()
}

fn is_value(span: &Span) -> bool {
    matches!(span.kind, Kind::Constant | Kind::Variable)
}

/// Whether a text gives a name its value or its type.
fn is_set(text: &str, name: &str) -> bool {
    let rest = word_at(text, name).map_or("", |at| &text[at + name.len()..]).trim_start();
    rest.starts_with(['=', ':']) && !rest.starts_with("==")
}

/// The text before a name, with single spaces.
fn head(text: &str, name: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let joined = words.join(" ");
    word_at(&joined, name).map(|at| joined[..at].to_owned())
}

/// Whether a line continues after the name like the definition's head, as far as both go.
fn agrees(line: &str, span: &Span) -> bool {
    let behind = |text: &str| {
        let rest = &text[word_at(text, &span.name)? + span.name.len()..];
        // A signature has no comments.
        let rest =
            ["//", "/*", " #"].iter().fold(rest, |rest, mark| rest.split(*mark).next().unwrap_or(rest));
        Some(rest.chars().filter(|c| !c.is_whitespace()).collect::<String>())
    };
    // A long signature is cut.
    let known = behind(span.signature.trim_end_matches('…'));
    let (Some(here), Some(known)) = (behind(line), known) else { return false };
    here.starts_with(&known) || known.starts_with(here.trim_end_matches(['{', ':', '=']))
}

/// The position of a whole word.
pub(super) fn word_at(text: &str, word: &str) -> Option<usize> {
    words_at(text, word).next()
}

/// All positions of a whole word.
pub(super) fn words_at(text: &str, word: &str) -> impl Iterator<Item = usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let length = word.len();
    text.match_indices(word).map(|(at, _)| at).filter(move |at| {
        !text[..*at].chars().next_back().is_some_and(is_word)
            && !text[at + length..].chars().next().is_some_and(is_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(name: &str, signature: &str, line: u32, end_line: u32) -> Span {
        Span {
            name: name.into(),
            kind: Kind::Function,
            container: String::new(),
            line,
            start_line: line,
            end_line,
            signature: signature.into(),
        }
    }

    #[test]
    fn a_definition_is_known_by_its_head() {
        let rust = span("total", "pub fn total(cart: &Cart) -> u32", 1, 3);
        for (line, expected) in [
            ("pub fn total(cart: &Cart) -> u32 {", true),
            ("    pub fn total(cart: &Cart, tax: u32) -> u32 {", true),
            ("fn total(cart: &Cart) {", true),
            ("    let x = total(cart);", false),
            ("pub fn totals() {", false),
            ("// pub fn was total", false),
        ] {
            assert_eq!(defines(line, &rust), expected, "{line}");
        }
        let method = span("total", "total(cart)", 1, 3);
        assert!(defines("  total(cart) {", &method) && !defines("  total(cart);", &method));
    }

    #[test]
    fn the_innermost_definition_around_an_edit_is_touched() {
        let spans = [span("alpha", "fn alpha()", 1, 3), span("beta", "fn beta(x: u32)", 5, 7)];
        let text = "fn alpha() {\n    1\n}\n\nfn beta(x: u32) {\n    2\n    3\n}\n";
        let names = |pieces: &[(&str, &str)]| {
            let pieces = pieces.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
            let edited = FileEdit { path: "a.rs".into(), pieces, ..FileEdit::default() };
            touched(&spans, &edited, text).iter().map(|span| span.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(&[("    2\n", "    2\n    3\n")]), ["beta"]);
        assert_eq!(names(&[("    0\n", "    1\n")]), ["alpha"]);
        assert_eq!(names(&[("fn beta() {\n", "fn beta(x: u32) {\n")]), ["beta"]);
        assert_eq!(names(&[("x\n", "not there")]), [""; 0]);
        // It may have been put into either of them.
        assert_eq!(names(&[("    9\n}\n", "\n}\n")]), [""; 0]);
        let whole =
            FileEdit { path: "a.rs".into(), whole: Some("fn alpha() {}\n".into()), ..FileEdit::default() };
        let gone = touched(&spans, &whole, "fn alpha() {}\n");
        assert_eq!(gone.iter().map(|span| span.name.as_str()).collect::<Vec<_>>(), ["beta"]);
    }

    #[test]
    fn a_partly_changed_head_is_touched_even_if_its_new_text_repeats() {
        let spans = [span("alpha", "fn alpha(a: u32, b: u32)", 1, 3), span("beta", "fn beta(a: u32)", 5, 7)];
        let names = |text: &str, old: &str, new: &str| {
            let pieces = vec![(old.to_owned(), new.to_owned())];
            let edited = FileEdit { path: "a.rs".into(), pieces, ..FileEdit::default() };
            touched(&spans, &edited, text).iter().map(|span| span.name.clone()).collect::<Vec<_>>()
        };
        let rest = "\n\nfn beta(a: u32) {\n    2\n}\n";
        let text = format!("fn alpha(a: u32) {{\n    1\n}}{rest}");
        assert_eq!(names(&text, "(a: u32, b: u32)", "(a: u32)"), ["alpha"], "beta has it too, and had it");
        let text = format!("fn omega(a: u32, b: u32) {{\n    1\n}}{rest}");
        assert_eq!(names(&text, "alpha(a: ", "omega(a: "), ["alpha"], "a name that is gone");
        let text = "fn omega(a: u32, b: u32) {\n    1\n}\n\nfn beta(a: u32) {\n    omega(1, 2)\n}\n";
        assert_eq!(names(text, "alpha", "omega"), ["alpha"], "replaced everywhere");
    }

    #[test]
    fn overwriting_a_file_touches_only_changed_heads() {
        let named = |kind, name: &str, signature: &str| Span { kind, ..span(name, signature, 1, 1) };
        let spans = [
            span("total", "def total(a, b)", 1, 3),
            named(Kind::Constant, "LIMIT", "LIMIT = 3"),
            named(Kind::Variant, "Fast", "Fast"),
            named(Kind::Method, "send", "send(mail: Mail): void"),
        ];
        let text =
            "def total(a, b):\n    pass\n\nLIMIT = 3\n  Fast,\n  send(\n    mail: Mail,\n  ): void {\n  }\n";
        let names = |text: &str| {
            let edited = FileEdit { path: "a".into(), whole: Some(text.to_owned()), ..FileEdit::default() };
            touched(&spans, &edited, text).iter().map(|span| span.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(text), [""; 0], "heads that are as they were, on one line or several");
        for (old, new, expected) in [
            ("(a, b)", "(a)", "total"),
            ("def total", "def other", "total"),
            ("LIMIT = 3", "LIMIT = 4", "LIMIT"),
            ("  Fast,\n", "", "Fast"),
        ] {
            assert_eq!(names(&text.replace(old, new)), [expected], "{new}");
        }
    }

    #[test]
    fn a_large_file_of_many_definitions_takes_no_time() {
        let text: String = (0..4_000).map(|n| format!("fn part_{n}(x: u32) {{\n    x + {n}\n}}\n")).collect();
        let spans: Vec<Span> = (0..4_000u32)
            .map(|n| span(&format!("part_{n}"), &format!("fn part_{n}(x: u32)"), 3 * n + 1, 3 * n + 3))
            .collect();
        let pieces = vec![("    x + 0\n".to_owned(), "    x + 3999\n".to_owned())];
        let edited = FileEdit { path: "a.rs".into(), pieces, ..FileEdit::default() };
        let began = std::time::Instant::now();
        assert_eq!(touched(&spans, &edited, &text)[0].name, "part_3999");
        // One name was replaced everywhere, and the agent reports each place.
        let new = text.replace("x: u32", "y: u32");
        let pieces = text.lines().zip(new.lines()).filter(|(old, new)| old != new);
        let pieces = pieces.map(|(old, new)| (old.to_owned(), new.to_owned())).collect();
        let edited = FileEdit { path: "a.rs".into(), pieces, ..FileEdit::default() };
        assert_eq!(touched(&spans, &edited, &new).len(), MOST_PIECES);
        assert!(began.elapsed() < std::time::Duration::from_secs(3), "{:?}", began.elapsed());
    }

    #[test]
    fn many_definitions_of_one_name_take_no_time() {
        let count = 3_000_u32;
        let text: String = (0..count)
            .map(|n| format!("impl Part{n} {{\n    fn draw(&self) {{\n        draw(draw({n}))\n    }}\n}}\n"))
            .collect();
        let spans: Vec<Span> =
            (0..count).map(|n| span("draw", "fn draw(&self)", 5 * n + 2, 5 * n + 4)).collect();
        let began = std::time::Instant::now();
        let pieces = vec![("draw(draw(0, 7))".to_owned(), "draw(draw(7))".to_owned())];
        let edited = FileEdit { path: "a.rs".into(), pieces, ..FileEdit::default() };
        let found = touched(&spans, &edited, &text);
        assert_eq!(found.iter().map(|span| span.line).collect::<Vec<_>>(), [37]);
        let edited = FileEdit { path: "a.rs".into(), whole: Some(text.clone()), ..FileEdit::default() };
        assert!(touched(&spans, &edited, &text).is_empty());
        assert!(began.elapsed() < std::time::Duration::from_secs(3), "{:?}", began.elapsed());
    }
}
