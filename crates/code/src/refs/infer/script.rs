//! Infers types in TypeScript and JavaScript, so that a property is told from another type's property of the same name: in
//! `cart.lines`, in `{ lines: 1 }` and `{ lines }` where a cart is expected, and in `const { lines } = cart`.

mod annotations;
mod bindings;
mod calls;
mod context;
mod expressions;
mod members;
mod names;
mod narrowing;
mod patterns;
mod standard;
mod ty;

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use tree_sitter::Node;

use super::Depth;
use super::lookup::{DefinitionLookup, Source};
use members::Found;
use ty::{Place, Ty};

/// So many expressions and types are read for one name; after that nothing more is known.
const MAX_STEPS: u32 = 400_000;

/// Where a member is declared that a name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::refs) struct Declared {
    pub(in crate::refs) file: usize,
    pub(in crate::refs) line: u32,
    /// The class or interface that it's asked of: what is made from that may have another one.
    pub(in crate::refs) asked_of: Option<String>,
}

/// The meaning of a member's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::refs) enum Meant {
    /// These members: several if a value may be one of several types.
    Members(Vec<Declared>),
    /// None of the project's.
    Nothing,
    /// Not enough is known.
    Unknown,
}

/// A name in a block, and whether a type is meant.
type Declaration = (Place, String, bool);

/// Answers about types, remembered while one question is answered.
pub(in crate::refs) struct Script<'a> {
    facts: &'a DefinitionLookup<'a>,
    depth: Depth,
    steps: Cell<u32>,
    /// Something wasn't followed because that went too deep.
    cut: Cell<bool>,
    values: RefCell<HashMap<Place, Ty>>,
    results: RefCell<HashMap<Place, Ty>>,
    /// Expressions whose expected types are being looked for.
    expecting: RefCell<HashSet<Place>>,
    declared: RefCell<HashMap<Declaration, Rc<[Place]>>>,
}

impl<'a> Script<'a> {
    pub(in crate::refs) fn new(facts: &'a DefinitionLookup<'a>) -> Script<'a> {
        Script {
            facts,
            depth: Depth::default(),
            steps: Cell::new(0),
            cut: Cell::new(false),
            values: RefCell::default(),
            results: RefCell::default(),
            expecting: RefCell::default(),
            declared: RefCell::default(),
        }
    }

    /// Starts the search for a new name, which may take as many steps.
    pub(in crate::refs) fn begin(&self) {
        self.steps.set(0);
    }

    /// What the name of a member at `node` means: after a dot, as a key of a literal or in a pattern. A name that stands for a value
    /// as well (`{ lines }`) is asked for as a member here.
    pub(in crate::refs) fn member_target(&self, s: &Source, node: Node<'_>) -> Meant {
        let name = s.text_of(node);
        let Some(around) = node.parent() else { return Meant::Unknown };
        let mut open = false;
        let of = match around.kind() {
            "member_expression" | "nested_identifier" => around.child_by_field_name("object").map(|object| {
                let known = self.receiver(s, object);
                open = known.open;
                known.ty
            }),
            "object" => Some(self.literal_type(s, around)),
            "pair" => around.parent().map(|literal| self.literal_type(s, literal)),
            "method_definition" => {
                around.parent().filter(|of| of.kind() == "object").map(|of| self.literal_type(s, of))
            }
            // `Shop['cart']`, `shop['cart']`
            "string" => self.indexed_with(s, around),
            "object_pattern" => Some(self.matched(s, around)),
            "object_assignment_pattern" | "pair_pattern" => around.parent().map(|of| self.matched(s, of)),
            "jsx_attribute" => around.parent().map(|element| self.attributes(s, element)),
            _ => None,
        };
        let Some(of) = of else { return Meant::Unknown };
        let of_super = around.child_by_field_name("object").is_some_and(|object| object.kind() == "super");
        let (mut places, mut unknown) = (Vec::new(), false);
        for part in of.parts() {
            match self.members(part, name) {
                Found::Members(found) => {
                    let asked_of = if of_super { None } else { self.type_name(part) };
                    for member in &found {
                        match self.declared_member(member, name) {
                            Some((file, line)) => {
                                places.push(Declared { file, line, asked_of: asked_of.clone() });
                            }
                            // It's declared by another name.
                            None => unknown = true,
                        }
                    }
                }
                Found::None => {}
                Found::Unknown => unknown = true,
            }
        }
        places.dedup();
        match places.len() {
            0 if unknown => Meant::Unknown,
            0 => Meant::Nothing,
            1 => Meant::Members(places),
            _ if open && matches!(of, Ty::Union(_)) => Meant::Unknown,
            _ => Meant::Members(places),
        }
    }

    /// The type that is expected of an object's literal: of several, those that fit its values.
    fn literal_type(&self, s: &Source, literal: Node<'_>) -> Ty {
        self.discriminated(s, literal, self.expected(s, literal))
    }

    /// The type whose member a text in brackets names.
    fn indexed_with(&self, s: &Source, text: Node<'_>) -> Option<Ty> {
        let around = text.parent()?;
        match around.kind() {
            "subscript_expression" => {
                let object = around.child_by_field_name("object")?;
                (around.child_by_field_name("index") == Some(text)).then(|| self.value(s, object))
            }
            "literal_type" => {
                let of = around.parent().filter(|of| of.kind() == "lookup_type")?;
                let first = children(of).into_iter().next().filter(|first| *first != around)?;
                Some(self.written(s, first))
            }
            _ => None,
        }
    }

    /// The name of the class or interface that a type is.
    fn type_name(&self, of: &Ty) -> Option<String> {
        let constraint;
        let of = match of {
            Ty::Parameter(parameter) => {
                constraint = self.constraint(*parameter);
                &constraint
            }
            other => other,
        };
        let Ty::Instance(places, _) = of else { return None };
        self.with_node(*places.first()?, None, |s, node| {
            node.child_by_field_name("name").map(|name| s.text_of(name).to_owned())
        })
    }

    /// Runs `work` for a node unless that goes too deep or took too long.
    fn limited(&self, work: impl FnOnce() -> Ty) -> Ty {
        self.steps.set(self.steps.get() + 1);
        if self.depth.0.get() >= super::MAX_DEPTH || self.steps.get() > MAX_STEPS {
            self.cut.set(true);
            return Ty::Unknown;
        }
        self.depth.limited(Ty::Unknown, work)
    }

    /// What `work` gives for a place, once. What is asked for again on the way isn't known there.
    fn once(&self, kept: &RefCell<HashMap<Place, Ty>>, place: Place, work: impl FnOnce() -> Ty) -> Ty {
        if let Some(known) = kept.borrow().get(&place) {
            return known.clone();
        }
        kept.borrow_mut().insert(place, Ty::Unknown);
        let before = self.cut.replace(false);
        let ty = self.limited(work);
        if self.cut.get() {
            // Asked from elsewhere, it may be known.
            kept.borrow_mut().remove(&place);
        } else {
            kept.borrow_mut().insert(place, ty.clone());
        }
        self.cut.set(before || self.cut.get());
        ty
    }

    /// Runs `work` with the node at a place.
    fn with_node<T>(&self, place: Place, otherwise: T, work: impl FnOnce(&Source, Node<'_>) -> T) -> T {
        let Some(source) = self.facts.source(place.file) else { return otherwise };
        match place.node(&source) {
            Some(node) => work(&source, node),
            None => otherwise,
        }
    }
}

/// The children of a node that have names in the grammar, without comments.
fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| child.kind() != "comment").collect()
}

/// The type in an annotation, a constraint or a default, which are nodes with one child.
fn only_child(node: Node<'_>) -> Option<Node<'_>> {
    children(node).into_iter().next()
}

/// Whether a node has a word of the language in front: `static`, `async`, `get`.
fn has_word(node: Node<'_>, word: &str) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|child| child.kind() == word)
}

/// Whether a node is a function, or declares one.
fn is_function(kind: &str) -> bool {
    matches!(
        kind,
        "arrow_function"
            | "function_expression"
            | "function_declaration"
            | "function_signature"
            | "generator_function"
            | "generator_function_declaration"
            | "method_definition"
            | "method_signature"
            | "abstract_method_signature"
            | "function_type"
            | "constructor_type"
            | "call_signature"
            | "construct_signature"
    )
}
