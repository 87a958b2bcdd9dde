//! Finds what declares a member in the body of a class, an interface or an enumeration, in an object and in the type of one. A body is
//! read once, since thousands of names may be asked for in one.

use std::collections::HashMap;
use std::rc::Rc;

use tree_sitter::Node;

use super::super::lookup::Source;
use super::ty::Place;
use super::{Script, children, has_word, is_function, only_child};

/// A member that methods make has no more values.
const MAX_SETS: usize = 40;

/// What a body or an object has.
#[derive(Debug, Default)]
pub(super) struct Body {
    /// What declares each member: all heads of a method, what gets and what sets it, else one.
    members: HashMap<String, Rc<[Place]>>,
    /// The same of a class itself.
    of_class: HashMap<String, Rc<[Place]>>,
    /// What may have members of any name: what is spread out, signatures, and names that are only known when the program runs.
    pub(super) open: Vec<Place>,
}

/// The places that declare a member, each with whether it's a function.
type Found = HashMap<String, Vec<(Place, bool)>>;

impl Script<'_> {
    /// The members that a body or an object has itself; of a class itself if `of_class`.
    pub(super) fn own(&self, s: &Source, body: Node<'_>, name: &str, of_class: bool) -> Rc<[Place]> {
        let read = self.body(s, body);
        let of = if of_class && body.kind() == "class_body" { &read.of_class } else { &read.members };
        of.get(name).cloned().unwrap_or_default()
    }

    /// What a body or an object has.
    pub(super) fn body(&self, s: &Source, body: Node<'_>) -> Rc<Body> {
        let place = Place::of(s, body);
        if let Some(known) = self.bodies.borrow().get(&place) {
            return Rc::clone(known);
        }
        let is_javascript =
            self.facts.reader.files().get(s.file).is_some_and(|file| file.language == "javascript");
        let read = Rc::new(Body::read(s, body, is_javascript));
        self.bodies.borrow_mut().insert(place, Rc::clone(&read));
        read
    }
}

impl Body {
    fn read(s: &Source, body: Node<'_>, is_javascript: bool) -> Body {
        let is_class = body.kind() == "class_body";
        let parts = children(body);
        let (mut members, mut of_class, mut open) = (Found::new(), Found::new(), Vec::new());
        for part in &parts {
            if is_open(s, *part) {
                open.push(Place::of(s, *part));
            }
            let Some(name) = key(s, *part).filter(|_| is_member(part.kind())) else { continue };
            let to = if is_class && has_word(*part, "static") { &mut of_class } else { &mut members };
            let one = (Place::of(s, *part), is_function(part.kind()));
            to.entry(name.to_owned()).or_default().push(one);
        }
        let (mut members, of_class) = (heads(members), heads(of_class));
        if is_class {
            for (name, places) in made(s, body, &parts, is_javascript) {
                members.entry(name).or_insert_with(|| places.into());
            }
        }
        Body { members, of_class, open }
    }
}

/// Of what declares a member, all heads of a function, or else the first one.
fn heads(found: Found) -> HashMap<String, Rc<[Place]>> {
    let heads = |all: Vec<(Place, bool)>| -> Rc<[Place]> {
        match all.first() {
            Some((_, true)) => all.iter().filter(|(_, is_head)| *is_head).map(|(place, _)| *place).collect(),
            Some((first, false)) => [*first].into(),
            None => [].into(),
        }
    };
    found.into_iter().map(|(name, all)| (name, heads(all))).collect()
}

/// Whether a part of a body or an object declares a member.
fn is_member(kind: &str) -> bool {
    matches!(
        kind,
        "public_field_definition"
            | "field_definition"
            | "method_definition"
            | "method_signature"
            | "abstract_method_signature"
            | "property_signature"
            | "pair"
            | "shorthand_property_identifier"
            | "enum_assignment"
            | "property_identifier"
    )
}

/// Whether a part of a body or an object may have members of any name.
fn is_open(s: &Source, part: Node<'_>) -> bool {
    match part.kind() {
        "spread_element" | "index_signature" | "call_signature" | "construct_signature" => true,
        "pair" => key(s, part).is_none(),
        _ => false,
    }
}

/// The name of a part of a literal or a type: `lines: 1`, `'lines': 1`.
fn key<'s>(s: &'s Source, part: Node<'_>) -> Option<&'s str> {
    let named = match part.kind() {
        "pair" => part.child_by_field_name("key")?,
        "shorthand_property_identifier" | "property_identifier" => part,
        "field_definition" => part.child_by_field_name("property")?,
        _ => part.child_by_field_name("name")?,
    };
    match named.kind() {
        "computed_property_name" => None,
        _ => Some(s.text_of(named).trim_matches(['"', '\''])),
    }
}

/// The members that a class's functions make: its constructor, or in JavaScript any method.
fn made(s: &Source, body: Node<'_>, parts: &[Node<'_>], is_javascript: bool) -> HashMap<String, Vec<Place>> {
    let mut out = HashMap::<String, Vec<Place>>::new();
    for constructor in parts.iter().filter(|part| key(s, **part) == Some("constructor")) {
        for (name, place) in from_constructor(s, *constructor) {
            out.entry(name).or_insert_with(|| vec![place]);
        }
    }
    // In JavaScript, any method may make a member, or set one that the class inherits.
    let class = body.parent().map(children).unwrap_or_default();
    let inherits = class.iter().any(|part| part.kind() == "class_heritage");
    if !is_javascript || inherits {
        return out;
    }
    let mut sets = HashMap::<String, Vec<Place>>::new();
    let methods = parts.iter().filter(|one| one.kind() == "method_definition" && !has_word(**one, "static"));
    for body in methods.filter_map(|one| one.child_by_field_name("body")) {
        for (name, place) in set_within(s, body) {
            let all = sets.entry(name).or_default();
            if all.len() < MAX_SETS {
                all.push(place);
            }
        }
    }
    for (name, places) in sets {
        out.entry(name).or_insert(places);
    }
    out
}

/// The members that a constructor makes: of its parameters (`constructor(private lines: Line[])`), and where its statements set them.
fn from_constructor(s: &Source, constructor: Node<'_>) -> Vec<(String, Place)> {
    let listed = constructor.child_by_field_name("parameters").map(children).unwrap_or_default();
    let property = |one: Node<'_>| {
        let says = |child: &Node<'_>| matches!(child.kind(), "accessibility_modifier" | "readonly");
        let mut cursor = one.walk();
        let is_property = one.children(&mut cursor).any(|child| says(&child));
        let pattern = one.child_by_field_name("pattern").filter(|_| is_property)?;
        Some((s.text_of(pattern).to_owned(), Place::of(s, one)))
    };
    let mut out: Vec<(String, Place)> = listed.into_iter().filter_map(property).collect();
    let statements = constructor.child_by_field_name("body").map(children).unwrap_or_default();
    for set in statements.into_iter().filter_map(only_child) {
        out.extend(set_by(s, set).map(|name| (name.to_owned(), Place::of(s, set))));
    }
    out
}

/// Each `this.name = …` in a method but in the functions and classes that have a `this` of their own: which of them ran last isn't known.
fn set_within(s: &Source, body: Node<'_>) -> Vec<(String, Place)> {
    let (mut open, mut found) = (vec![body], Vec::new());
    while let Some(node) = open.pop() {
        found.extend(set_by(s, node).map(|name| (name.to_owned(), Place::of(s, node))));
        let has_own_this = is_function(node.kind()) && node.kind() != "arrow_function";
        if !has_own_this && node.kind() != "class_body" {
            open.extend(children(node).into_iter().rev());
        }
    }
    found
}

/// The name that an expression sets: `this.name = …`.
fn set_by<'s>(s: &'s Source, set: Node<'_>) -> Option<&'s str> {
    let left = set.child_by_field_name("left").filter(|_| set.kind() == "assignment_expression")?;
    let is_own = left.child_by_field_name("object").is_some_and(|of| of.kind() == "this");
    left.child_by_field_name("property").filter(|_| is_own).map(|property| s.text_of(property))
}
