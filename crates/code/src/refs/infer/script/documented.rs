//! Types that JavaScript writes in comments: `@type {Cart}`, `@param {Line[]} lines`, `@returns {Promise<Cart>}`, and the names that
//! `@typedef` gives to others. Where one isn't understood, nothing is known.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use tree_sitter::Node;

use super::super::super::text_matches::whole_words;
use super::super::lookup::Source;
use super::Script;
use super::memo::About;
use super::names::Name;
use super::ty::{Place, Ty};

/// A comment isn't looked for in front of more nodes, one around the other.
const MAX_AROUND: usize = 6;
/// Types in others are read no deeper.
const MAX_INNER: u32 = 8;
/// A longer comment isn't read: it would be for each parameter that it describes.
const MAX_COMMENT: usize = 20_000;
/// Types of the language itself that are made of others.
const STANDARD: &[&str] = &[
    "Array",
    "ReadonlyArray",
    "Set",
    "ReadonlySet",
    "Map",
    "ReadonlyMap",
    "WeakMap",
    "Promise",
    "Iterable",
    "AsyncIterable",
    "Generator",
    "AsyncGenerator",
    "Record",
    "Partial",
    "Required",
    "Readonly",
    "NonNullable",
];

/// Where `@typedef` writes what it calls types in a file; nowhere, if it calls different ones the same.
pub(super) type Typedefs = HashMap<String, Option<Place>>;

impl Script<'_> {
    /// The type that a comment in front of a variable or a field gives it.
    pub(super) fn documented(&self, s: &Source, node: Node<'_>) -> Option<Ty> {
        self.documented_as(s, node, "type", |_| true)
    }

    /// The type that the comment in front of a function gives a parameter.
    pub(super) fn documented_parameter(&self, s: &Source, function: Node<'_>, name: &str) -> Option<Ty> {
        self.documented_as(s, function, "param", |after| called(after) == name)
    }

    /// What a function gives, as the comment in front says.
    pub(super) fn documented_result(&self, s: &Source, function: Node<'_>) -> Option<Ty> {
        let says = |tag: &str| self.documented_as(s, function, tag, |_| true);
        says("returns").or_else(|| says("return"))
    }

    /// The type that a comment right in front of a value in brackets gives it: `/** @type {Cart} */ (made)`.
    pub(super) fn cast(&self, s: &Source, node: Node<'_>) -> Option<Ty> {
        if !self.is_javascript(s) {
            return None;
        }
        // In `/** … */ (made).lines` the comment is in front of the whole expression.
        let mut at = node;
        for _ in 0..MAX_AROUND {
            let around = at.parent().filter(|of| of.start_byte() == node.start_byte());
            match (at.prev_sibling(), around) {
                (None, Some(around)) => at = around,
                _ => break,
            }
        }
        let comment = at.prev_sibling().filter(|before| before.kind() == "comment")?;
        self.documented_in(s, node, s.text_of(comment), "type", |_| true)
    }

    fn documented_as(
        &self,
        s: &Source,
        node: Node<'_>,
        tag: &str,
        fits: impl Fn(&str) -> bool,
    ) -> Option<Ty> {
        if !self.is_javascript(s) {
            return None;
        }
        let comment = comment_before(s, node)?;
        self.documented_in(s, node, comment, tag, fits)
    }

    fn documented_in(
        &self,
        s: &Source,
        node: Node<'_>,
        comment: &str,
        tag: &str,
        fits: impl Fn(&str) -> bool,
    ) -> Option<Ty> {
        if !comment.starts_with("/**") || comment.len() > MAX_COMMENT {
            return None;
        }
        let (place, _) = tagged(comment, tag).into_iter().find(|(_, after)| fits(after))?;
        let written = &comment[place];
        // The comment doesn't tell what a parameter of its own is bound to.
        let is_open =
            own_parameters(comment).into_iter().any(|name| whole_words(written, name).next().is_some());
        if is_open { None } else { Some(self.in_comment(s, node, written, MAX_INNER)) }
    }

    fn is_javascript(&self, s: &Source) -> bool {
        self.facts.reader.files().get(s.file).is_some_and(|file| file.language == "javascript")
    }

    /// The type that a comment writes, as it's seen from a node.
    fn in_comment(&self, s: &Source, node: Node<'_>, written: &str, depth: u32) -> Ty {
        if depth == 0 || written.contains("=>") {
            return Ty::Unknown;
        }
        let inner = |of: &str| self.in_comment(s, node, of, depth - 1);
        let parts = split(written, '|');
        if parts.len() > 1 {
            let all: Vec<Ty> = parts.into_iter().map(inner).collect();
            return if all.contains(&Ty::Unknown) { Ty::Unknown } else { Ty::one_of(all) };
        }
        let written = written.trim().trim_start_matches(['?', '!']).trim_end_matches('=');
        if let Some(of) = written.strip_prefix("...").or_else(|| written.strip_suffix("[]")) {
            return Ty::array(inner(of));
        }
        if let Some(of) = written.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            return inner(of);
        }
        let (name, arguments): (&str, Vec<Ty>) = match written.split_once('<') {
            Some((name, rest)) => match rest.strip_suffix('>') {
                Some(list) => (name.trim_end_matches('.'), split(list, ',').into_iter().map(inner).collect()),
                None => return Ty::Unknown,
            },
            None => (written, Vec::new()),
        };
        match name {
            "string" | "number" | "boolean" | "bigint" | "symbol" => return Ty::Foreign,
            "null" | "undefined" | "void" | "never" => return Ty::Nothing,
            "Object" | "object" => {
                // `Object<string, Cart>`
                return arguments.get(1).map_or(Ty::Unknown, |of| Ty::Record(Rc::new(of.clone())));
            }
            _ => {}
        }
        if let Some(rest) = name.strip_prefix("import(") {
            return self.imported_in_comment(s, rest, &arguments);
        }
        if !is_identifier(name) {
            return Ty::Unknown;
        }
        match self.meaning(s, node, name, true) {
            Name::Undeclared => match self.defined_in_comment(s, name) {
                Some(of) => of,
                None if STANDARD.contains(&name) => self.type_called(s, node, name, &arguments),
                None => Ty::Unknown,
            },
            found => self.type_named(name, &found, &arguments),
        }
    }

    /// `'./cart').Cart` behind `import(`.
    fn imported_in_comment(&self, s: &Source, rest: &str, arguments: &[Ty]) -> Ty {
        let Some((path, name)) = rest.split_once(").") else { return Ty::Unknown };
        let file = self.facts.module_file(s.file, path.trim().trim_matches(['"', '\'']));
        let Some(file) = file.filter(|_| is_identifier(name)) else { return Ty::Unknown };
        match self.exported(file, name, true) {
            Name::Undeclared => {
                // What a comment there calls so.
                let Some(there) = self.source(file) else { return Ty::Unknown };
                self.defined_in_comment(&there, name).unwrap_or(Ty::Unknown)
            }
            found => self.type_named(name, &found, arguments),
        }
    }

    /// What `@typedef` calls by a name in a file. It's found out once: such types may name each other, and themselves.
    fn defined_in_comment(&self, s: &Source, name: &str) -> Option<Ty> {
        let place = *self.typedefs(s).get(name)?;
        let defined = |place: Place| {
            let written = s.text.get(place.start()..place.end()).unwrap_or_default();
            self.once(About::Alias, place, || self.in_comment(s, s.tree.root_node(), written, MAX_INNER))
        };
        Some(place.map_or(Ty::Unknown, defined))
    }

    /// What `@typedef` calls types in a file of JavaScript.
    fn typedefs(&self, s: &Source) -> Rc<Typedefs> {
        if let Some(known) = self.typedefs.borrow().get(&s.file) {
            return Rc::clone(known);
        }
        let found = Rc::new(if self.is_javascript(s) { typedefs_in(s) } else { Typedefs::new() });
        self.typedefs.borrow_mut().insert(s.file, Rc::clone(&found));
        found
    }
}

/// The comment in front of a node, or of the statement that it's the value of.
fn comment_before<'s>(s: &'s Source, node: Node<'_>) -> Option<&'s str> {
    let mut at = node;
    for _ in 0..MAX_AROUND {
        match at.prev_sibling() {
            Some(before) if before.kind() == "comment" => return Some(s.text_of(before)),
            // The second one of several.
            Some(before) if before.kind() == "," => return None,
            _ => {}
        }
        at = at.parent().filter(|around| {
            matches!(
                around.kind(),
                "export_statement"
                    | "lexical_declaration"
                    | "variable_declaration"
                    | "variable_declarator"
                    | "assignment_expression"
                    | "expression_statement"
                    | "field_definition"
                    | "pair"
            )
        })?;
    }
    None
}

fn typedefs_in(s: &Source) -> Typedefs {
    let mut found = Typedefs::new();
    for (written, after) in tagged(&s.text, "typedef") {
        let place = Place::in_text(s, written.start, written.end);
        let same = |known: &Place| s.text[known.start()..known.end()] == s.text[written.clone()];
        found
            .entry(called(after).to_owned())
            .and_modify(|known| *known = known.filter(same))
            .or_insert(Some(place));
    }
    found
}

/// Where the types behind a tag are in a comment, each with what follows it: `@param {Cart} cart`. No part of the text is read twice.
fn tagged<'c>(comment: &'c str, tag: &str) -> Vec<(Range<usize>, &'c str)> {
    let (mut found, mut from) = (Vec::new(), 0);
    while let Some(at) = comment[from..].find('@').map(|at| from + at) {
        from = at + 1;
        // An `an@address` isn't a tag, nor is what is quoted.
        let is_first = comment[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || c == '*');
        let behind = comment[from..].strip_prefix(tag).filter(|_| is_first);
        let Some(rest) = behind.and_then(|rest| rest.trim_start().strip_prefix('{')) else { continue };
        let start = comment.len() - rest.len();
        let length = written_length(rest);
        from = start + length;
        if comment[from..].starts_with('}') {
            found.push((start..from, comment[from + 1..].trim_start()));
        }
    }
    found
}

/// How long a type in a comment is: up to the bracket that closes it, or to the end of the comment.
fn written_length(rest: &str) -> usize {
    let (mut depth, mut before) = (1_usize, ' ');
    for (at, c) in rest.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return at,
            '}' => depth -= 1,
            '/' if before == '*' => return at,
            _ => {}
        }
        before = c;
    }
    rest.len()
}

/// The names that `@template` gives to types which are only known where something is used: `@template {Cart} T`, `@template T, U`.
fn own_parameters(comment: &str) -> Vec<&str> {
    let lines = comment.split("@template").skip(1).map(|behind| {
        let line = behind.lines().next().unwrap_or_default().trim_start();
        let bound = line.strip_prefix('{').and_then(|rest| rest.split_once('}'));
        bound.map_or(line, |(_, names)| names)
    });
    let names = lines.flat_map(|line| line.split([',', ' ', '*', '[', '=', '\t']));
    names.filter(|name| is_identifier(name)).collect()
}

/// The name that follows a type: `cart`, or `cart` of `[cart=null]`; of a part of a parameter the whole path, `cart.lines`.
fn called(after: &str) -> &str {
    let after = after.trim_start_matches('[');
    after.split(|c: char| !is_of_name(c) && !matches!(c, '.' | '[')).next().unwrap_or(after)
}

/// The parts of a written type between marks that are in no brackets.
fn split(written: &str, mark: char) -> Vec<&str> {
    let mut depth = 0_i32;
    let parts = written.split(|c: char| {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            _ => {}
        }
        c == mark && depth == 0
    });
    parts.collect()
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

fn is_identifier(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_of_name)
}
