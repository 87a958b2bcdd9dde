//! Infers types in TypeScript and JavaScript, so that a property is told from another type's property of the same name: in
//! `cart.lines`, in `{ lines: 1 }` and `{ lines }` where a cart is expected, and in `const { lines } = cart`.

mod additions;
mod aliases;
mod annotations;
mod bindings;
mod bodies;
mod calls;
mod conditionals;
mod conditions;
mod context;
mod documented;
mod expressions;
mod guards;
mod libraries;
mod made;
mod members;
mod memo;
mod names;
mod narrowing;
mod patterns;
mod scopes;
mod standard;
mod ty;
mod values;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use tree_sitter::Node;

use super::lookup::{DefinitionLookup, Source};
use aliases::Aliases;
use bodies::Body;
use conditions::{Assigned, WaysOut};
use documented::Typedefs;
use members::Found;
use memo::Memo;
use names::Name;
use scopes::Scope;
use ty::{Place, Ty};

/// Where a member is declared that a name means.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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
    /// Some of these: a condition says more that isn't understood.
    Possible(Vec<Declared>),
    /// No member of these classes and interfaces, nor of anything else in the project.
    Nothing(Vec<String>),
    /// Not enough is known.
    Unknown,
}

/// Answers about types, remembered while one question is answered.
pub(in crate::refs) struct Script<'a> {
    facts: &'a DefinitionLookup<'a>,
    memo: Memo,
    /// What a block declares.
    scopes: RefCell<HashMap<Place, Rc<Scope>>>,
    /// What a file imports under a name, by whether a type is meant, and what it exports under one.
    imports: RefCell<HashMap<(usize, String, bool), Name>>,
    exports: RefCell<HashMap<(usize, String, bool), Name>>,
    /// What a body or an object has itself.
    bodies: RefCell<HashMap<Place, Rc<Body>>>,
    /// The conditions in a block that leave it.
    ways_out: RefCell<HashMap<Place, Rc<WaysOut>>>,
    /// Where a file sets variables and members.
    assigned: RefCell<HashMap<usize, Rc<Assigned>>>,
    /// The constants of a file that may be conditions.
    aliases: RefCell<HashMap<usize, Rc<Aliases>>>,
    /// What comments in a file call types.
    typedefs: RefCell<HashMap<usize, Rc<Typedefs>>>,
    /// Whether the member on a line of a file may be one of a type of another file.
    for_others: RefCell<HashMap<(usize, u32), bool>>,
}

impl<'a> Script<'a> {
    pub(in crate::refs) fn new(facts: &'a DefinitionLookup<'a>) -> Script<'a> {
        Script {
            facts,
            memo: Memo::default(),
            scopes: RefCell::default(),
            imports: RefCell::default(),
            exports: RefCell::default(),
            bodies: RefCell::default(),
            ways_out: RefCell::default(),
            assigned: RefCell::default(),
            aliases: RefCell::default(),
            typedefs: RefCell::default(),
            for_others: RefCell::default(),
        }
    }

    /// What the name of a member at `node` means: after a dot, as a key of a literal or in a pattern. A name that stands for a value
    /// as well (`{ lines }`) is asked for as a member here.
    pub(in crate::refs) fn member_target(&self, s: &Source, node: Node<'_>) -> Meant {
        let meant = self.meant(s, node);
        self.end();
        meant
    }

    /// Where the file declares the variable that is named at `node`; `None` if it doesn't.
    pub(in crate::refs) fn declared_from(&self, s: &Source, node: Node<'_>) -> Option<usize> {
        let at = self.declared_at(s, node);
        self.end();
        (at > 0).then_some(at)
    }

    fn meant(&self, s: &Source, node: Node<'_>) -> Meant {
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
            0 => Meant::Nothing(of.parts().iter().filter_map(|part| self.type_name(part)).collect()),
            1 => Meant::Members(places),
            _ if open && matches!(of, Ty::Union(_)) && are_several(&places) => Meant::Possible(places),
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
        // Not `T` of `T extends Omit<T, 'lines'>`, which goes round.
        let of = match of {
            Ty::Part(of, ..) => &**of,
            of => of,
        };
        let Ty::Instance(places, _) = of else { return None };
        self.with_node(*places.first()?, None, |s, node| {
            node.child_by_field_name("name").map(|name| s.text_of(name).to_owned())
        })
    }

    /// A file with its tree. No more may be read for one name than so much; for the next one it may be.
    fn source(&self, file: usize) -> Option<Rc<Source>> {
        let source = self.facts.source(file);
        if source.is_none() {
            self.memo.reaches_limit();
        }
        source
    }

    /// Runs `work` with the node at a place.
    fn with_node<T>(&self, place: Place, otherwise: T, work: impl FnOnce(&Source, Node<'_>) -> T) -> T {
        let Some(source) = self.source(place.file) else { return otherwise };
        match place.node(&source) {
            Some(node) => work(&source, node),
            None => otherwise,
        }
    }
}

/// Whether members are declared at several places.
fn are_several(members: &[Declared]) -> bool {
    let place = |one: &Declared| (one.file, one.line);
    members.iter().any(|one| members.first().map(place) != Some(place(one)))
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

/// What `!` says of an expression that it isn't null. The grammar takes `a && b!` for `(a && b)!`.
fn not_null(node: Node<'_>) -> Option<Node<'_>> {
    let mut inner = only_child(node)?;
    loop {
        inner = match inner.kind() {
            "binary_expression" => inner.child_by_field_name("right")?,
            "unary_expression" => inner.child_by_field_name("argument")?,
            _ => return Some(inner),
        };
    }
}

/// What a call calls, and whether that is waited for. The grammar takes `await load<Cart>()` for `(await load)<Cart>()`.
fn called(call: Node<'_>) -> Option<(Node<'_>, bool)> {
    let function = call.child_by_field_name("function")?;
    match function.kind() {
        "await_expression" => Some((only_child(function)?, true)),
        _ => Some((function, false)),
    }
}

/// The only expression that a function gives back, if it does nothing else.
fn given_back(function: Node<'_>) -> Option<Node<'_>> {
    let mut body = function.child_by_field_name("body")?;
    if body.kind() == "statement_block" {
        let statements = children(body);
        let [only] = statements.as_slice() else { return None };
        body = only_child(*only).filter(|_| only.kind() == "return_statement")?;
    }
    while body.kind() == "parenthesized_expression" {
        body = only_child(body)?;
    }
    Some(body)
}

/// A function's parameters without `this`, which is only a type.
fn parameters<'t>(list: Node<'t>) -> Vec<Node<'t>> {
    let is_this = |one: &Node<'t>| one.child_by_field_name("pattern").is_some_and(|of| of.kind() == "this");
    children(list).into_iter().filter(|one| !is_this(one)).collect()
}

/// Whether a parameter takes all that is left: `...lines`.
fn is_rest(parameter: Node<'_>) -> bool {
    parameter.child_by_field_name("pattern").unwrap_or(parameter).kind() == "rest_pattern"
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
