//! Compares the definitions of a file before and after a change.

use std::collections::{HashMap, HashSet};

use super::{Change, FileChange, SymbolChange};
use crate::analyse::analyse;
use crate::grammar::Kind;
use crate::symbols::Symbol;

/// The definitions that a file's change touches: those whose own lines are other than they were, and those that came or went
/// with some of their lines. What only has another container's name, or can't be read behind an error, is neither new nor gone.
pub fn changed_definitions(file: &FileChange, before: Option<&str>, now: Option<&str>) -> Vec<SymbolChange> {
    let symbols = |text: Option<&str>| {
        text.map(|text| analyse(&file.path, text.as_bytes()).outline.symbols).unwrap_or_default()
    };
    let (old, new) = (symbols(before), symbols(now));
    let (old_lines, new_lines) = (lines_of(before), lines_of(now));
    let (gone, came) = (written_lines(&file.before, before), written_lines(&file.now, now));
    let mut out: Vec<SymbolChange> = Vec::new();
    let mut add = |symbol: &Symbol, change| {
        out.push(SymbolChange {
            name: symbol.name.clone(),
            container: symbol.container.clone(),
            kind: symbol.kind,
            file: file.path.clone(),
            line: symbol.line,
            change,
            exported: symbol.exported,
        });
    };
    for (symbol, twin) in new.iter().zip(twins(&old, &new)) {
        // Lines that only went are the old one's.
        let touched = own_lines_touched(symbol, &new, &came)
            || twin.is_some_and(|twin| own_lines_touched(twin, &old, &gone));
        // Other line ends, or another place in the file, change nothing in it.
        let is_same = twin.is_some_and(|twin| {
            let (was, is) = (text_of(&old_lines, twin), text_of(&new_lines, symbol));
            was.is_some() && was == is
        });
        match twin {
            // A type on one line has none of its own beside those of what is in it.
            None if any_line_touched(symbol, &came) => add(symbol, Change::Added),
            Some(_) if is_same => {}
            Some(twin) if touched && head(twin) == head(symbol) => add(symbol, Change::Changed),
            Some(_) if touched => add(symbol, Change::Signature),
            _ => {}
        }
    }
    let there: HashSet<_> = new.iter().map(key).collect();
    for symbol in old.iter().filter(|symbol| !there.contains(&key(symbol)) && any_line_touched(symbol, &gone))
    {
        add(symbol, Change::Removed);
    }
    out
}

/// The lines of a text, without their ends.
fn lines_of(text: Option<&str>) -> Vec<&str> {
    text.map(|text| text.lines().collect()).unwrap_or_default()
}

/// A definition's lines.
fn text_of<'t>(lines: &'t [&'t str], symbol: &Symbol) -> Option<&'t [&'t str]> {
    lines.get((symbol.start_line as usize).checked_sub(1)?..symbol.end_line as usize)
}

/// How the value of a constant or variable begins that is a function as a whole.
const FUNCTIONS: &[&str] =
    &["async function", "func(", "function ", "function(", "function*", "lambda ", "lambda:"];

/// What a definition says of how it's used. The value of a constant or variable isn't part of that, `LIMIT: u32` of
/// `LIMIT: u32 = 10`, but what a function takes that is one.
fn head(symbol: &Symbol) -> &str {
    let text = symbol.signature.as_str();
    if !matches!(symbol.kind, Kind::Constant | Kind::Variable | Kind::Field | Kind::Variant) {
        return text;
    }
    let is_set = |at: &usize| {
        let (before, behind) = (&text[..*at], &text[at + 1..]);
        // `@Column(name = "x") String a = b`
        let is_inside = before.matches(['(', '[', '{']).count() > before.matches([')', ']', '}']).count();
        !is_inside && !behind.starts_with(['=', '>']) && !before.ends_with(['=', '!', '<', '>'])
    };
    let Some(end) = text.match_indices('=').map(|(at, _)| at).find(is_set) else {
        // `int Total => a + b` of C#, and not a type: `total: (a: A) => B`, `val total: A => B`.
        let body = text.find("=>").filter(|at| !text[..*at].contains(':'));
        return body.map_or(text, |at| text[..at].trim_end());
    };
    let value = text[end + 1..].trim_start();
    if FUNCTIONS.iter().any(|begin| value.starts_with(begin)) {
        return text;
    }
    match arrow(value) {
        Some(arrow) => text[..text.len() - value.len() + arrow].trim_end(),
        None => text[..end].trim_end().trim_end_matches(':'),
    }
}

/// Where the body of a function begins that a value is, or is made of by another one: `(b: B) => b`, `memo((b: B) => b)`. What a
/// list's method is given isn't that of the value: `all.filter((b) => b.open)`.
fn arrow(value: &str) -> Option<usize> {
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
    let called = value.strip_prefix("async ").map_or(value, str::trim_start);
    let path = &called[..called.find(|c: char| !is_path(c)).unwrap_or(called.len())];
    let behind = called[path.len()..].trim_start();
    let is_own = path.is_empty() || behind.starts_with("=>");
    let makes =
        || path.split_once('.').is_none_or(|(of, _)| of.starts_with(|c: char| c.is_uppercase() || c == '_'));
    let function = match behind.find('(') {
        _ if is_own => called,
        Some(open) if makes() && (open == 0 || behind.starts_with('<')) => behind[open + 1..].trim_start(),
        _ => return None,
    };
    if !function.starts_with(|c: char| c.is_alphabetic() || matches!(c, '(' | '<' | '_' | '$')) {
        return None;
    }
    let mut depth = 0usize;
    for (at, c) in function.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth > 0 => depth -= 1,
            // One further in is that of a parameter's type.
            '=' if depth == 0 && function[at..].starts_with("=>") => {
                return Some(value.len() - function.len() + at);
            }
            ')' | ']' | '}' | ',' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

fn key(symbol: &Symbol) -> (&str, &str) {
    (&symbol.container, &symbol.name)
}

/// What each of the new definitions was before. Of several with one name, the one with the same head is the same; the rest go
/// together in their order.
fn twins<'o>(old: &'o [Symbol], new: &[Symbol]) -> Vec<Option<&'o Symbol>> {
    let mut left: HashMap<_, Vec<&Symbol>> = HashMap::new();
    old.iter().for_each(|symbol| left.entry(key(symbol)).or_default().push(symbol));
    let mut out = vec![None; new.len()];
    for same_head in [true, false] {
        for (at, symbol) in new.iter().enumerate() {
            if out[at].is_none()
                && let Some(all) = left.get_mut(&key(symbol))
                && let Some(place) =
                    all.iter().position(|one| !same_head || one.signature == symbol.signature)
            {
                out[at] = Some(all.remove(place));
            }
        }
    }
    out
}

/// These lines in order, without the blank ones: one that comes or goes with its neighbour changes nothing.
fn written_lines(ranges: &[(u32, u32)], text: Option<&str>) -> Vec<u32> {
    let Some(text) = text.filter(|_| !ranges.is_empty()) else { return Vec::new() };
    let lines: Vec<&str> = text.lines().collect();
    let written = |line: &u32| {
        let line = lines.get((*line as usize).saturating_sub(1));
        line.is_some_and(|line| !line.trim().is_empty())
    };
    let last = u32::try_from(lines.len()).unwrap_or(u32::MAX);
    let lines = ranges.iter().flat_map(|(first, end)| *first..=(*end).min(last));
    let mut out: Vec<u32> = lines.filter(written).collect();
    out.sort_unstable();
    out
}

/// Those of these lines, which are in order, that are a definition's.
fn lines_in<'l>(symbol: &Symbol, lines: &'l [u32]) -> &'l [u32] {
    let first = lines.partition_point(|line| *line < symbol.start_line);
    let touched = &lines[first..];
    &touched[..touched.partition_point(|line| *line <= symbol.end_line)]
}

/// Whether any of these lines is a definition's, or that of one in it.
fn any_line_touched(symbol: &Symbol, lines: &[u32]) -> bool {
    !lines_in(symbol, lines).is_empty()
}

/// Whether any of these lines is a definition's own, and not only that of a definition in it.
fn own_lines_touched(symbol: &Symbol, all: &[Symbol], lines: &[u32]) -> bool {
    let touched = lines_in(symbol, lines);
    if touched.is_empty() {
        return false;
    }
    let path = symbol.path();
    let inner: Vec<&Symbol> = all
        .iter()
        .filter(|one| {
            one.start_line >= symbol.start_line && one.end_line <= symbol.end_line && one.container == path
        })
        .collect();
    // A module is touched by what is in it only.
    let module = symbol.kind == Kind::Module && !inner.is_empty();
    !module
        && touched.iter().any(|line| !inner.iter().any(|one| (one.start_line..=one.end_line).contains(line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_classified_by_their_change() {
        let before = "pub fn kept() {\n    1;\n}\n\npub fn head(a: u32) {}\n\npub fn gone() {}\n\npub struct S;\n\nimpl S {\n    pub fn inner(&self) {\n        1;\n    }\n}\n";
        let now = "pub fn kept() {\n    2;\n}\n\npub fn head(a: u64) {}\n\npub fn fresh() {}\n\npub struct S;\n\nimpl S {\n    pub fn inner(&self) {\n        2;\n    }\n}\n";
        let file = FileChange {
            path: "a.rs".into(),
            now: vec![(2, 2), (5, 5), (7, 7), (13, 13)],
            before: vec![(2, 2), (5, 5), (7, 7), (13, 13)],
            ..FileChange::default()
        };
        let seen: Vec<(String, Change)> = changed_definitions(&file, Some(before), Some(now))
            .into_iter()
            .map(|one| (one.name, one.change))
            .collect();
        let expected = [
            ("kept", Change::Changed),
            ("head", Change::Signature),
            ("fresh", Change::Added),
            ("inner", Change::Changed),
            ("gone", Change::Removed),
        ];
        assert_eq!(seen, expected.map(|(name, change)| (name.to_owned(), change)));
    }

    fn seen(file: &FileChange, before: &str, now: &str) -> Vec<String> {
        let all = changed_definitions(file, Some(before), Some(now));
        all.iter().map(|one| format!("{} {:?}", one.name, one.change)).collect()
    }

    #[test]
    fn a_removed_definition_changes_only_its_container() {
        let file = |path: &str, before: (u32, u32)| FileChange {
            path: path.into(),
            before: vec![before],
            ..FileChange::default()
        };
        let three = "def a():\n    return 1\n\ndef b():\n    x = 2\n    return 2\n\ndef c():\n    return 3\n";
        for (gone, expected) in [
            ("def a():\n    return 1\n\n", "a Removed"),
            ("\ndef c():\n    return 3\n", "c Removed"),
            ("    x = 2\n", "b Changed"),
        ] {
            let at = three.find(gone).unwrap();
            let first = u32::try_from(three[..at].lines().count()).unwrap() + 1;
            let last = first + u32::try_from(gone.lines().count()).unwrap() - 1;
            let now = three.replace(gone, "");
            assert_eq!(seen(&file("a.py", (first, last)), three, &now), [expected], "{gone}");
        }
        let class = "export class C {\n  kept() {}\n\n  gone() {}\n}\n";
        let now = class.replace("\n  gone() {}\n", "");
        assert_eq!(seen(&file("c.ts", (3, 4)), class, &now), ["gone Removed"]);
    }

    #[test]
    fn another_definition_with_the_same_name_is_new() {
        let before = "class C {\n  void f(int a) {}\n  void g(int a) {}\n}\n";
        let now = "class C {\n  void f(int a) {}\n  void f(String a) {}\n  void g(long a) {}\n}\n";
        let file = FileChange {
            path: "C.java".into(),
            now: vec![(3, 4)],
            before: vec![(3, 3)],
            ..FileChange::default()
        };
        assert_eq!(seen(&file, before, now), ["f Added", "g Signature"]);
    }

    #[test]
    fn another_value_is_not_another_head() {
        for (path, before, now, expected) in [
            ("a.rb", "VERSION = \"1.0\"\n", "VERSION = \"1.1\"\n", "VERSION Changed"),
            ("a.rs", "pub const A: u32 = 1;\n", "pub const A: u32 = 2;\n", "A Changed"),
            ("a.rs", "pub const A: u32 = 1;\n", "pub const A: u64 = 1;\n", "A Signature"),
            ("a.ts", "export const a: number = 1;\n", "export const a: number = 2;\n", "a Changed"),
            (
                "a.ts",
                "export const a: (b: B) => C = d;\n",
                "export const a: (b: B) => E = d;\n",
                "a Signature",
            ),
            ("a.py", "def a(b=1): pass\n", "def a(b=2): pass\n", "a Signature"),
            ("a.ts", "declare const a: (b: B) => C;\n", "declare const a: (b: B) => D;\n", "a Signature"),
            (
                "a.ts",
                "export const a = memo((b: B) => b);\n",
                "export const a = memo((b: C) => b);\n",
                "a Signature",
            ),
            (
                "a.ts",
                "export const a = memo((b: B) => b);\n",
                "export const a = memo((b: B) => c);\n",
                "a Changed",
            ),
            ("a.ts", "export const a = { b: () => 1 };\n", "export const a = { c: () => 1 };\n", "a Changed"),
            ("a.ts", "const a = b.filter((c) => c.d);\n", "const a = b.filter((e) => e.d);\n", "a Changed"),
            ("a.ts", "const a = b.get('/c', (d) => e);\n", "const a = b.get('/f', (d) => e);\n", "a Changed"),
            ("a.ts", "const a = b`${(c) => c.d}`;\n", "const a = b`e${(c) => c.d}`;\n", "a Changed"),
            ("a.ts", "const a = B.c<D>((e: E) => e);\n", "const a = B.c<D>((e: F) => e);\n", "a Signature"),
            (
                "a.php",
                "<?php const A = array('b' => 1);\n",
                "<?php const A = array('c' => 1);\n",
                "A Changed",
            ),
            ("a.py", "a = lambda b: b\n", "a = lambda b, c: b\n", "a Signature"),
            ("a.py", "a: B[C(d=1), E] = 2\n", "a: B[C(d=1), F] = 2\n", "a Signature"),
        ] {
            let (path, line) = (path.to_owned(), vec![(1, 1)]);
            let file = FileChange { path, now: line.clone(), before: line, ..FileChange::default() };
            assert_eq!(seen(&file, before, now), [expected], "{now}");
        }
    }

    #[test]
    fn another_body_of_a_property_is_not_another_head() {
        let line = vec![(2, 2)];
        let file =
            FileChange { path: "A.cs".into(), now: line.clone(), before: line, ..FileChange::default() };
        for (now, expected) in [("int B => 2;", "B Changed"), ("long B => 1;", "B Signature")] {
            let of = |line: &str| format!("class A {{\n  {line}\n}}\n");
            assert_eq!(seen(&file, &of("int B => 1;"), &of(now)), [expected]);
        }
    }

    #[test]
    fn a_definition_that_kept_its_lines_is_neither_new_nor_removed() {
        let class = "export class Basket {\n  items = [];\n  add(item) {\n    this.items.push(item);\n  }\n}\n\nexport function rest() {\n  return 1;\n}\n";
        let one_line = |path: &str, line: u32| FileChange {
            path: path.into(),
            now: vec![(line, line)],
            before: vec![(line, line)],
            ..FileChange::default()
        };
        let now = class.replace("Basket", "Trolley");
        assert_eq!(seen(&one_line("c.ts", 1), class, &now), ["Trolley Added", "Basket Removed"]);
        // Behind an error nothing is read, and nothing went.
        let now = class.replace("push(item);", "push(item {{{");
        assert!(!seen(&one_line("c.ts", 4), class, &now).iter().any(|one| one.contains("rest")));
        let gone = FileChange { path: "c.ts".into(), before: vec![(8, 10)], ..FileChange::default() };
        assert_eq!(seen(&gone, class, &class[..class.find("export function").unwrap()]), ["rest Removed"]);
    }

    #[test]
    fn a_one_line_type_is_added_and_removed_with_its_line() {
        for (path, line, expected) in [
            ("a.ts", "export interface Item { price: number; }\n", ["Item", "price"]),
            ("a.ts", "export class Item { price() {} }\n", ["Item", "price"]),
            ("a.rs", "pub struct Item { pub price: u32 }\n", ["Item", "price"]),
            ("a.rs", "pub enum Item { Price }\n", ["Item", "Price"]),
        ] {
            let file = FileChange { path: path.into(), now: vec![(1, 1)], ..FileChange::default() };
            assert_eq!(seen(&file, "", line), expected.map(|name| format!("{name} Added")), "{line}");
            let file = FileChange { path: path.into(), before: vec![(1, 1)], ..FileChange::default() };
            assert_eq!(seen(&file, line, ""), expected.map(|name| format!("{name} Removed")), "{line}");
        }
    }

    #[test]
    fn line_endings_and_moves_change_no_definition() {
        let text = "fn one() {\n    1;\n}\n\nfn two() {\n    2;\n}\n";
        let all = |now: &str| {
            let path = "a.rs".to_owned();
            let file = FileChange { path, now: vec![(1, 7)], before: vec![(1, 7)], ..FileChange::default() };
            seen(&file, text, now)
        };
        assert_eq!(all(&text.replace('\n', "\r\n")), [""; 0]);
        assert_eq!(all("fn two() {\n    2;\n}\n\nfn one() {\n    1;\n}\n"), [""; 0]);
        assert_eq!(all(&text.replace("2;", "3;").replace('\n', "\r\n")), ["two Changed"]);
    }
}
