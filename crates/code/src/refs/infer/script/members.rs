//! Finds the members of types: of classes and interfaces with what they inherit, of objects, modules, unions and intersections.

use std::rc::Rc;

use tree_sitter::Node;

use super::super::lookup::Source;
use super::names::Name;
use super::ty::{Bound, Parameter, Place, Ty};
use super::{Script, children, has_word, only_child};

/// How far up a type's bases are followed.
const MAX_BASES: u32 = 12;
/// How many members a value may have of one name: those of the types that it may be.
const MAX_FOUND: usize = 40;

/// One member.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Member {
    /// What declares it.
    pub(super) place: Place,
    /// What the parameters of the type are bound to.
    pub(super) bound: Bound,
}

/// The members of a name.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Found {
    Members(Vec<Member>),
    None,
    Unknown,
}

impl Found {
    fn one(place: Place, bound: &Bound) -> Found {
        Found::Members(vec![Member { place, bound: Rc::clone(bound) }])
    }

    /// What is found in any of them; nothing is only sure if nothing is unknown.
    fn in_any(all: impl Iterator<Item = Found>) -> Found {
        let (mut members, mut unknown) = (Vec::new(), false);
        for found in all {
            match found {
                Found::Members(more) => {
                    for one in more {
                        if members.len() < MAX_FOUND && !members.contains(&one) {
                            members.push(one);
                        }
                    }
                }
                Found::None => {}
                Found::Unknown => unknown = true,
            }
        }
        if !members.is_empty() {
            Found::Members(members)
        } else if unknown {
            Found::Unknown
        } else {
            Found::None
        }
    }

    /// What `other` gives, if nothing is found yet.
    fn or_else(self, other: impl FnOnce() -> Found) -> Found {
        match self {
            Found::Members(_) => self,
            Found::None => other(),
            Found::Unknown => match other() {
                Found::None => Found::Unknown,
                found => found,
            },
        }
    }
}

impl Script<'_> {
    /// The members of a type that are called `name`.
    pub(super) fn members(&self, of: &Ty, name: &str) -> Found {
        self.members_to(of, name, MAX_BASES)
    }

    fn members_to(&self, of: &Ty, name: &str, depth: u32) -> Found {
        if depth == 0 {
            return Found::Unknown;
        }
        let deeper = |of: &Ty| self.members_to(of, name, depth - 1);
        match of {
            Ty::Unknown => Found::Unknown,
            Ty::Record(_) | Ty::Callback(_) | Ty::Function(..) => Found::Unknown,
            Ty::Nothing | Ty::Foreign | Ty::Array(_) | Ty::Tuple(_) | Ty::Promise(_) | Ty::Map(..) => {
                Found::None
            }
            Ty::Instance(places, arguments) => {
                Found::in_any(places.iter().map(|place| self.of_instance(*place, arguments, name, depth)))
            }
            Ty::Class(place) => self.of_class(*place, name, depth),
            Ty::Module(file) => match self.exported(*file, name, false, 8) {
                Name::Declared(places) => {
                    let all = places.iter().map(|place| Found::one(*place, &Bound::default()));
                    Found::in_any(all)
                }
                Name::Outside => Found::None,
                _ => Found::Unknown,
            },
            Ty::Shape(place, bound) => self.of_shape(*place, bound, name, depth),
            Ty::Union(parts) | Ty::Intersection(parts) => Found::in_any(parts.iter().map(deeper)),
            Ty::Parameter(parameter) => deeper(&self.constraint(*parameter)),
            Ty::Member(inner, member) => {
                let bound = match &**inner {
                    Ty::Parameter(parameter) => self.constraint(*parameter),
                    other => other.clone(),
                };
                match bound {
                    Ty::Parameter(_) | Ty::Member(..) => Found::Unknown,
                    known => deeper(&self.member_type(&known, member)),
                }
            }
        }
    }

    /// The type of a member.
    pub(super) fn member_type(&self, of: &Ty, name: &str) -> Ty {
        if let Ty::Union(parts) = of {
            return Ty::one_of(parts.iter().map(|part| self.limited(|| self.member_type(part, name))));
        }
        if let Ty::Record(of) = of {
            return (**of).clone();
        }
        match self.members(of, name) {
            Found::Members(found) => {
                let types = found.iter().map(|member| {
                    let own = self.type_of_member(member);
                    self.filled(&own, &[(Parameter::This, of.clone())])
                });
                match of {
                    Ty::Intersection(_) => Ty::all_of(types),
                    _ => Ty::one_of(types),
                }
            }
            Found::None if matches!(of, Ty::Foreign) => Ty::Unknown,
            Found::None => self.indexed(of),
            Found::Unknown => Ty::Unknown,
        }
    }

    /// The type of the members that a type has whatever they're called: `[key: string]: Cart`.
    pub(super) fn indexed(&self, of: &Ty) -> Ty {
        let (place, bound) = match of {
            Ty::Shape(place, bound) => (*place, Rc::clone(bound)),
            Ty::Instance(places, arguments) if places.len() == 1 => {
                let bound =
                    self.with_node(places[0], Bound::default(), |s, node| self.bind(s, node, arguments));
                (places[0], bound)
            }
            _ => return Ty::Unknown,
        };
        let of = self.with_node(place, Ty::Unknown, |s, node| {
            let body = node.child_by_field_name("body").unwrap_or(node);
            let signature = children(body).into_iter().find(|one| one.kind() == "index_signature");
            let written = signature.and_then(|one| one.child_by_field_name("type"));
            written.map_or(Ty::Unknown, |of| self.written(s, of))
        });
        self.filled(&of, &bound)
    }

    fn type_of_member(&self, member: &Member) -> Ty {
        let ty = self.once(&self.values, member.place, || {
            self.with_node(member.place, Ty::Unknown, |s, node| self.declared_value(s, node))
        });
        self.filled(&ty, &member.bound)
    }

    /// Members of an instance of a class or an interface.
    fn of_instance(&self, place: Place, arguments: &[Ty], name: &str, depth: u32) -> Found {
        self.with_node(place, Found::Unknown, |s, node| {
            let Some(body) = node.child_by_field_name("body") else { return Found::Unknown };
            let bound = self.bind(s, node, arguments);
            if let Some(own) = in_body(s, body, name, false) {
                return Found::one(Place::of(s, own), &bound);
            }
            Found::in_any(self.bases(s, node).into_iter().map(|base| {
                let base = self.filled(&base, &bound);
                self.members_to(&base, name, depth - 1)
            }))
        })
    }

    /// The types that a class or an interface is made from.
    pub(super) fn bases(&self, s: &Source, node: Node<'_>) -> Vec<Ty> {
        let mut out = Vec::new();
        for part in children(node) {
            match part.kind() {
                "extends_type_clause" => {
                    out.extend(children(part).into_iter().map(|base| self.written(s, base)));
                }
                "class_heritage" => {
                    let clause = children(part).into_iter().find(|one| one.kind() == "extends_clause");
                    // In JavaScript the base itself is there.
                    let value = match clause {
                        Some(clause) => clause.child_by_field_name("value"),
                        None => only_child(part).filter(|base| base.kind() != "implements_clause"),
                    };
                    let Some(value) = value else { continue };
                    out.push(match self.value(s, value) {
                        Ty::Class(place) => {
                            let arguments = clause.map(|clause| self.arguments_of(s, clause));
                            self.instance_of(place, &arguments.unwrap_or_default())
                        }
                        Ty::Foreign => Ty::Foreign,
                        _ => Ty::Unknown,
                    });
                }
                _ => {}
            }
        }
        out
    }

    /// An instance of a class, with what interfaces of its name add to it.
    pub(super) fn instance_of(&self, place: Place, arguments: &[Ty]) -> Ty {
        let places = self.with_node(place, None, |s, node| {
            let name = node.child_by_field_name("name")?;
            let around = node.parent().filter(|around| around.kind() != "export_statement");
            let block = around.or_else(|| node.parent()?.parent())?;
            let all = self.declared_in(s, block, s.text_of(name), true);
            all.contains(&place).then_some(all)
        });
        Ty::Instance(places.unwrap_or_else(|| [place].into()), arguments.into())
    }

    /// Members of a class itself, an enumeration or a namespace.
    fn of_class(&self, place: Place, name: &str, depth: u32) -> Found {
        self.with_node(place, Found::Unknown, |s, node| {
            let Some(body) = node.child_by_field_name("body") else { return Found::Unknown };
            if body.kind() == "statement_block" {
                let places = self.declared_in(s, body, name, false);
                return Found::in_any(places.iter().map(|place| Found::one(*place, &Bound::default())));
            }
            if let Some(own) = in_body(s, body, name, true) {
                return Found::one(Place::of(s, own), &Bound::default());
            }
            if node.kind() == "enum_declaration" {
                return Found::None;
            }
            let clause = children(node).into_iter().find(|part| part.kind() == "class_heritage");
            let base = clause.and_then(|part| {
                let inner = only_child(part)?;
                if inner.kind() == "extends_clause" {
                    inner.child_by_field_name("value")
                } else {
                    Some(inner)
                }
            });
            let inherited = base.map(|base| self.members_to(&self.value(s, base), name, depth - 1));
            // A class is a function, too.
            inherited.unwrap_or(Found::Unknown)
        })
    }

    /// Members of an object, as its literal or its type lists them.
    fn of_shape(&self, place: Place, bound: &Bound, name: &str, depth: u32) -> Found {
        self.with_node(place, Found::Unknown, |s, node| {
            let own = in_body(s, node, name, false).map(|own| Found::one(Place::of(s, own), bound));
            let open = || {
                let mut more = Vec::new();
                for part in children(node) {
                    match part.kind() {
                        "spread_element" => {
                            let of = only_child(part).map_or(Ty::Unknown, |of| self.value(s, of));
                            more.push(self.members_to(&of, name, depth - 1));
                        }
                        // Members that are only known when the program runs, or for any name.
                        "index_signature" | "call_signature" | "construct_signature" => {
                            more.push(Found::Unknown);
                        }
                        "pair" if key(s, part).is_none() => more.push(Found::Unknown),
                        _ => {}
                    }
                }
                Found::in_any(more.into_iter())
            };
            own.unwrap_or(Found::None).or_else(open)
        })
    }

    /// The file and the line where a member's name is declared.
    pub(super) fn declared_member(&self, member: &Member, name: &str) -> Option<(usize, u32)> {
        self.with_node(member.place, None, |s, node| {
            let field = |field: &str| node.child_by_field_name(field);
            let named = match node.kind() {
                "required_parameter" => field("pattern"),
                "pair" => field("key"),
                "assignment_expression" => {
                    field("left").and_then(|left| left.child_by_field_name("property"))
                }
                _ => field("name").or_else(|| field("property")),
            };
            let named = named.unwrap_or(node);
            let line = u32::try_from(named.start_position().row + 1).ok()?;
            (s.text_of(named).trim_matches(['"', '\'']) == name).then_some((s.file, line))
        })
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

/// The node that declares a member in a body or an object; of a class itself if `of_class`.
fn in_body<'t>(s: &Source, body: Node<'t>, name: &str, of_class: bool) -> Option<Node<'t>> {
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
    // A getter says what it gives, a setter doesn't.
    let typed = named.iter().find(|part| !has_word(***part, "set")).or(named.first());
    if let Some(found) = typed {
        return Some(**found);
    }
    if of_class || body.kind() != "class_body" {
        return None;
    }
    let constructor = parts.iter().find(|part| key(s, **part) == Some("constructor"))?;
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
    children(body).into_iter().find_map(|statement| {
        let set = only_child(statement).filter(|inner| inner.kind() == "assignment_expression")?;
        let left = set.child_by_field_name("left")?;
        let of = left.child_by_field_name("object").filter(|of| of.kind() == "this")?;
        let property = left.child_by_field_name("property")?;
        (s.text_of(of) == "this" && s.text_of(property) == name).then_some(set)
    })
}
