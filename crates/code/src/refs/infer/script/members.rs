//! Finds the members of types: of classes and interfaces with what they inherit, of objects, modules, unions and intersections.

use std::rc::Rc;

use tree_sitter::Node;

use super::super::lookup::Source;
use super::memo::About;
use super::names::Name;
use super::ty::{Bound, Parameter, Place, Ty};
use super::{Script, children, has_word, only_child};

/// How far up a type's bases are followed.
const MAX_BASES: u32 = 12;
/// A member isn't looked for in more of what is spread out into an object.
const MAX_SPREAD: usize = 40;
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
        Found::all(&[place], bound)
    }

    /// These members; none if there are no places.
    fn all(places: &[Place], bound: &Bound) -> Found {
        match places {
            [] => Found::None,
            places => Found::Members(
                places.iter().map(|place| Member { place: *place, bound: Rc::clone(bound) }).collect(),
            ),
        }
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
            // A variable that begins as `null` is set to something else later.
            Ty::Unknown | Ty::Nothing => Found::Unknown,
            Ty::Record(_) | Ty::Callback(_) | Ty::Function(..) | Ty::Keyed(..) | Ty::Selected(..) => {
                Found::Unknown
            }
            Ty::Foreign | Ty::Text(_) | Ty::Array(_) | Ty::Tuple(_) | Ty::Promise(_) | Ty::Map(..) => {
                Found::None
            }
            Ty::Instance(places, arguments) => {
                Found::in_any(places.iter().map(|place| self.of_instance(*place, arguments, name, depth)))
            }
            Ty::Class(place) => self.of_class(*place, name, depth),
            Ty::Module(file) => match self.exported(*file, name, false) {
                Name::Declared(places) => {
                    let all = places.iter().map(|place| Found::one(*place, &Bound::default()));
                    Found::in_any(all)
                }
                Name::Outside => Found::None,
                _ => Found::Unknown,
            },
            Ty::Shape(place, bound) => self.of_shape(*place, bound, name, depth),
            Ty::Union(parts) | Ty::Intersection(parts) => Found::in_any(parts.iter().map(deeper)),
            Ty::Part(of, names, only) if names.iter().any(|one| one == name) == *only => deeper(of),
            Ty::Part(..) => Found::None,
            Ty::Parameter(parameter) => deeper(&self.constraint(*parameter)),
            Ty::Conditional(place, bound) => deeper(&self.settle(*place, bound)),
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
            Found::None | Found::Unknown => self.of_component(of, name).unwrap_or_else(|| self.indexed(of)),
        }
    }

    /// The type of the members that a type has whatever they're called: `[key: string]: Cart`.
    pub(super) fn indexed(&self, of: &Ty) -> Ty {
        let (place, bound) = match of {
            Ty::Record(of) => return (**of).clone(),
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
            let read = self.body(s, body);
            let mut open = read.open.iter().filter_map(|one| one.node(s));
            let signature = open.find(|one| one.kind() == "index_signature");
            let written = signature.and_then(|one| one.child_by_field_name("type"));
            written.map_or(Ty::Unknown, |of| self.written(s, of))
        });
        self.filled(&of, &bound)
    }

    fn type_of_member(&self, member: &Member) -> Ty {
        let ty = self.once(About::Value, member.place, || {
            self.with_node(member.place, Ty::Unknown, |s, node| self.declared_value(s, node))
        });
        self.filled(&ty, &member.bound)
    }

    /// Members of an instance of a class or an interface.
    fn of_instance(&self, place: Place, arguments: &[Ty], name: &str, depth: u32) -> Found {
        self.with_node(place, Found::Unknown, |s, node| {
            let Some(body) = node.child_by_field_name("body") else { return Found::Unknown };
            let bound = self.bind(s, node, arguments);
            let own = self.own(s, body, name, false);
            if !own.is_empty() {
                return Found::all(&own, &bound);
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
                    let arguments = clause.map(|clause| self.arguments_of(s, clause)).unwrap_or_default();
                    out.push(match self.value(s, value) {
                        Ty::Class(place) => self.instance_of(place, &arguments),
                        Ty::Foreign => Ty::Foreign,
                        _ if self.is_standard(s, value) => {
                            self.type_called(s, value, s.text_of(value), &arguments)
                        }
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
            let mut block = node.parent()?;
            while matches!(block.kind(), "export_statement" | "ambient_declaration") {
                block = block.parent()?;
            }
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
            let own = self.own(s, body, name, true);
            if !own.is_empty() {
                return Found::all(&own, &Bound::default());
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
            let own = Found::all(&self.own(s, node, name, false), bound);
            let open = || {
                let mut more = Vec::new();
                // Of two that are spread out, the second one's member is meant, unless it may be left out.
                let read = self.body(s, node);
                for place in read.open.iter().rev().take(MAX_SPREAD) {
                    let spread = place.node(s).filter(|part| part.kind() == "spread_element");
                    // Members that are only known when the program runs, or for any name.
                    let Some(spread) = spread else {
                        more.push(Found::Unknown);
                        continue;
                    };
                    let of = only_child(spread).map_or(Ty::Unknown, |of| self.value(s, of));
                    let found = self.members_to(&of, name, depth - 1);
                    let is_sure = self.is_always_there(s, spread, &of, &found);
                    more.push(found);
                    if is_sure {
                        break;
                    }
                }
                if read.open.len() > MAX_SPREAD {
                    more.push(Found::Unknown);
                }
                Found::in_any(more.into_iter())
            };
            own.or_else(open)
        })
    }

    /// Whether what is spread out into an object always has the members that were found.
    fn is_always_there(&self, s: &Source, spread: Node<'_>, of: &Ty, found: &Found) -> bool {
        let Found::Members(all) = found else { return false };
        let needed = |member: &Member| {
            self.with_node(member.place, false, |_, node| {
                node.kind() != "optional_parameter" && !has_word(node, "?")
            })
        };
        // `...(open && { total })`
        let is_plain = only_child(spread).is_some_and(|of| {
            matches!(of.kind(), "identifier" | "member_expression" | "call_expression" | "object")
                && !self.is_partial(s, of)
        });
        is_plain && !matches!(of, Ty::Union(_)) && all.iter().all(needed)
    }

    /// Whether a variable's type is written as one whose members may be left out: `Partial<Cart>`, also by another name.
    fn is_partial(&self, s: &Source, variable: Node<'_>) -> bool {
        let says = |s: &Source, node: Node<'_>| s.text_of(node).contains("Partial<");
        let declared =
            |s: &Source, name: Node<'_>, types: bool| match self.meaning(s, name, s.text_of(name), types) {
                Name::Declared(places) => places,
                _ => Rc::from([]),
            };
        if variable.kind() != "identifier" {
            return false;
        }
        declared(s, variable, false).iter().any(|place| {
            self.with_node(*place, false, |s, node| {
                let written = node.parent().and_then(|of| of.child_by_field_name("type"));
                let Some(written) = written else { return false };
                let alias = only_child(written).filter(|of| of.kind() == "type_identifier");
                let aliases = alias.map(|name| declared(s, name, true));
                says(s, written)
                    || aliases.is_some_and(|all| all.iter().any(|one| self.with_node(*one, false, says)))
            })
        })
    }

    /// The file and the line where a member's name is declared.
    pub(super) fn declared_member(&self, member: &Member, name: &str) -> Option<(usize, u32)> {
        self.with_node(member.place, None, |s, node| {
            let field = |field: &str| node.child_by_field_name(field);
            let named = match node.kind() {
                "required_parameter" | "optional_parameter" => field("pattern"),
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
