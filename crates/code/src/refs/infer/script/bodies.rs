//! Finds what declares a member in the body of a class, an interface or an enumeration, in an object and in the type of one.

use std::rc::Rc;

use tree_sitter::Node;

use super::super::lookup::Source;
use super::ty::Place;
use super::{Script, children, has_word, is_function, only_child};

/// A member that methods make has no more values.
const MAX_SETS: usize = 40;

impl Script<'_> {
    /// The members that a body or an object has itself; of a class itself if `of_class`.
    pub(super) fn own(&self, s: &Source, body: Node<'_>, name: &str, of_class: bool) -> Rc<[Place]> {
        let key = (Place::of(s, body), name.to_owned(), of_class);
        if let Some(known) = self.own.borrow().get(&key) {
            return Rc::clone(known);
        }
        let is_javascript =
            self.facts.reader.files().get(s.file).is_some_and(|file| file.language == "javascript");
        let found = in_body(s, body, name, of_class, is_javascript).into_iter().map(|one| Place::of(s, one));
        let found: Rc<[Place]> = found.collect();
        self.own.borrow_mut().insert(key, Rc::clone(&found));
        found
    }
}

/// The name of a part of a literal or a type: `lines: 1`, `'lines': 1`.
pub(super) fn key<'s>(s: &'s Source, part: Node<'_>) -> Option<&'s str> {
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

/// The nodes that declare a member in a body or an object: all heads of a method, what gets and what sets it, else one.
fn in_body<'t>(s: &Source, body: Node<'t>, name: &str, of_class: bool, is_javascript: bool) -> Vec<Node<'t>> {
    let parts = children(body);
    let of_instance = |part: &Node<'t>| body.kind() != "class_body" || has_word(*part, "static") == of_class;
    let is_member = |part: &&Node<'t>| {
        matches!(
            part.kind(),
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
    };
    let named: Vec<&Node<'t>> = parts
        .iter()
        .filter(is_member)
        .filter(|part| of_instance(part) && key(s, **part) == Some(name))
        .collect();
    if let Some(first) = named.first() {
        let is_head = |part: &Node<'t>| is_function(part.kind());
        return if is_head(first) {
            named.into_iter().copied().filter(is_head).collect()
        } else {
            vec![**first]
        };
    }
    if of_class || body.kind() != "class_body" {
        return Vec::new();
    }
    let is_constructor = |part: &&Node<'t>| key(s, **part) == Some("constructor");
    let made = parts.iter().filter(is_constructor).find_map(|one| from_constructor(s, *one, name));
    // In JavaScript, any method may make a member, or set one that the class inherits.
    let class = body.parent().map(children).unwrap_or_default();
    let inherits = class.iter().any(|part| part.kind() == "class_heritage");
    if made.is_some() || !is_javascript || inherits {
        return made.into_iter().collect();
    }
    let methods = parts.iter().filter(|one| of_instance(one) && one.kind() == "method_definition");
    let bodies = methods.filter_map(|one| one.child_by_field_name("body"));
    bodies.flat_map(|body| set_within(s, body, name)).take(MAX_SETS).collect()
}

/// The member that a constructor makes: of a parameter (`constructor(private lines: Line[])`), or where it's set.
fn from_constructor<'t>(s: &Source, constructor: Node<'t>, name: &str) -> Option<Node<'t>> {
    let listed = constructor.child_by_field_name("parameters").map(children).unwrap_or_default();
    let is_property = |one: &Node<'t>| {
        let says = |child: &Node<'_>| matches!(child.kind(), "accessibility_modifier" | "readonly");
        let mut cursor = one.walk();
        one.children(&mut cursor).any(|child| says(&child))
            && one.child_by_field_name("pattern").is_some_and(|pattern| s.text_of(pattern) == name)
    };
    listed.into_iter().find(is_property).or_else(|| set_in(s, constructor.child_by_field_name("body")?, name))
}

/// `this.name = …` among the statements of a constructor.
fn set_in<'t>(s: &Source, body: Node<'t>, name: &str) -> Option<Node<'t>> {
    children(body).into_iter().filter_map(only_child).find(|set| sets(s, *set, name))
}

/// Each `this.name = …` in a method but in the functions and classes that have a `this` of their own: which of them ran last isn't known.
fn set_within<'t>(s: &Source, body: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let (mut open, mut found) = (vec![body], Vec::new());
    while let Some(node) = open.pop() {
        if sets(s, node, name) {
            found.push(node);
        }
        let has_own_this = is_function(node.kind()) && node.kind() != "arrow_function";
        if !has_own_this && node.kind() != "class_body" {
            open.extend(children(node).into_iter().rev());
        }
    }
    found
}

/// Whether an expression is `this.name = …`.
fn sets(s: &Source, set: Node<'_>, name: &str) -> bool {
    let left = set.child_by_field_name("left").filter(|_| set.kind() == "assignment_expression");
    let is_own = |left: Node<'_>| {
        left.child_by_field_name("object").is_some_and(|of| of.kind() == "this")
            && left.child_by_field_name("property").is_some_and(|property| s.text_of(property) == name)
    };
    left.is_some_and(is_own)
}
