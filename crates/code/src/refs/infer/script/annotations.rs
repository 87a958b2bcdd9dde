//! Reads written types: `Cart`, `Cart[]`, `Promise<Cart | null>`, `typeof cart`, `Shop['cart']`.

use std::rc::Rc;

use tree_sitter::Node;

use super::super::lookup::Source;
use super::memo::About;
use super::names::Name;
use super::ty::{Bound, MAX_UNION, Parameter, Place, Ty, joined};
use super::{Script, children, only_child};

/// A type isn't read with more arguments.
const MAX_PARTS: usize = 60;
/// Types are filled in no deeper.
const MAX_FILLED: u32 = 8;

impl Script<'_> {
    /// The type that a node writes.
    pub(super) fn written(&self, s: &Source, node: Node<'_>) -> Ty {
        self.limited(|| self.written_type(s, node))
    }

    fn written_type(&self, s: &Source, node: Node<'_>) -> Ty {
        let inner = || only_child(node).map_or(Ty::Unknown, |inner| self.written(s, inner));
        let parts = || children(node).into_iter().take(MAX_PARTS).map(|part| self.written(s, part));
        match node.kind() {
            "type_annotation"
            | "constraint"
            | "default_type"
            | "parenthesized_type"
            | "readonly_type"
            | "optional_type"
            | "adding_type_annotation"
            | "omitting_type_annotation"
            | "opting_type_annotation" => inner(),
            "predefined_type" => match s.text_of(node) {
                "any" | "unknown" | "object" => Ty::Unknown,
                "void" | "never" => Ty::Nothing,
                _ => Ty::Foreign,
            },
            "literal_type" => match only_child(node).map(|literal| literal.kind()) {
                Some("null" | "undefined") => Ty::Nothing,
                _ => Ty::Foreign,
            },
            "template_literal_type" | "index_type_query" | "type_predicate" | "asserts" => Ty::Foreign,
            "type_predicate_annotation" | "asserts_annotation" => Ty::Foreign,
            "this_type" => Ty::Parameter(Parameter::This),
            "type_identifier" | "identifier" => self.type_called(s, node, s.text_of(node), &[]),
            "nested_type_identifier" => self.type_in_module(s, node, &[]),
            "generic_type" => self.generic(s, node),
            "union_type" | "intersection_type" => self.combined(s, node),
            "array_type" => Ty::array(inner()),
            "tuple_type" => Ty::Tuple(parts().collect()),
            "rest_type" => self.bounded(inner()).element(),
            "required_parameter" | "optional_parameter" => {
                node.child_by_field_name("type").map_or(Ty::Unknown, |of| self.written(s, of))
            }
            "object_type" => match copied(s, node) {
                Some(of) => self.written(s, of),
                None => Ty::Shape(Place::of(s, node), Bound::default()),
            },
            "function_type" => Ty::Function(Place::of(s, node), Bound::default()),
            "type_query" => only_child(node).map_or(Ty::Unknown, |value| self.value(s, value)),
            "lookup_type" => self.looked_up(s, node),
            "conditional_type" => self.decided(Place::of(s, node), &Bound::default()),
            "infer_type" => Ty::Parameter(Parameter::Declared(s.file, node.start_byte())),
            _ => Ty::Unknown,
        }
    }

    /// `A | B | C` and `A & B & C`
    fn combined(&self, s: &Source, node: Node<'_>) -> Ty {
        let parts = parts_of(node);
        // A part that is left out would be one that a value can't be of.
        if parts.len() > MAX_UNION {
            return Ty::Unknown;
        }
        let parts = parts.into_iter().map(|part| self.written(s, part));
        if node.kind() == "union_type" { Ty::one_of(parts) } else { Ty::all_of(parts) }
    }

    /// `Shop['cart']`, `Cart[number]`
    fn looked_up(&self, s: &Source, node: Node<'_>) -> Ty {
        let parts = children(node);
        let [of, key] = parts.as_slice() else { return Ty::Unknown };
        let of = self.written(s, *of);
        let literal =
            only_child(*key).filter(|inner| key.kind() == "literal_type" && inner.kind() == "string");
        match literal {
            Some(literal) => {
                let name = s.text_of(literal).trim_matches(['"', '\'']);
                self.lookup(of, name)
            }
            None if s.text_of(*key) == "number" => self.bounded(of).element(),
            None if only_child(*key).is_some_and(|index| index.kind() == "number") => {
                let place = s.text_of(*key).parse::<usize>().unwrap_or(usize::MAX);
                match self.bounded(of) {
                    Ty::Tuple(parts) => parts.get(place).cloned().unwrap_or(Ty::Unknown),
                    list => list.element(),
                }
            }
            None => match (of, self.written(s, *key)) {
                (Ty::Record(of), _) => (*of).clone(),
                (of, key @ Ty::Parameter(_)) => Ty::Keyed(Rc::new(of), Rc::new(key)),
                _ => Ty::Unknown,
            },
        }
    }

    /// The type of a member of a type; of one that isn't known yet, it's looked for once that is.
    pub(super) fn lookup(&self, of: Ty, name: &str) -> Ty {
        match of {
            Ty::Parameter(_) | Ty::Member(..) => Ty::Member(Rc::new(of), name.into()),
            of => self.member_type(&of, name),
        }
    }

    /// A type with arguments.
    fn generic(&self, s: &Source, node: Node<'_>) -> Ty {
        let Some(name) = node.child_by_field_name("name") else { return Ty::Unknown };
        let arguments = self.arguments_of(s, node);
        if let Some(of) = self.library_type(s, name, &arguments) {
            return of;
        }
        match name.kind() {
            "nested_type_identifier" => self.type_in_module(s, name, &arguments),
            _ => match (s.text_of(name), self.meaning(s, name, s.text_of(name), true)) {
                (called @ ("Omit" | "Pick"), Name::Undeclared) => part(s, node, called == "Pick", arguments),
                (called, found) => self.type_named(called, &found, &arguments),
            },
        }
    }

    /// The types in the brackets `<…>` of a node.
    pub(super) fn arguments_of(&self, s: &Source, node: Node<'_>) -> Vec<Ty> {
        let list = node
            .child_by_field_name("type_arguments")
            .or_else(|| children(node).into_iter().find(|child| child.kind() == "type_arguments"));
        let arguments = list.map(children).unwrap_or_default();
        let argument = |one: Node<'_>| match only_child(one) {
            // `Of<'cart'>`
            Some(text) if one.kind() == "literal_type" && text.kind() == "string" => {
                Ty::Text(s.text_of(text).trim_matches(['"', '\'']).into())
            }
            _ => self.written(s, one),
        };
        arguments.into_iter().take(MAX_PARTS).map(argument).collect()
    }

    /// `shop.Cart`, where `shop` is a module or a namespace.
    fn type_in_module(&self, s: &Source, node: Node<'_>, arguments: &[Ty]) -> Ty {
        let (Some(module), Some(name)) =
            (node.child_by_field_name("module"), node.child_by_field_name("name"))
        else {
            return Ty::Unknown;
        };
        let name = s.text_of(name);
        match self.value(s, module) {
            Ty::Module(file) => self.type_named(name, &self.exported(file, name, true), arguments),
            Ty::Class(place) => self.with_node(place, Ty::Unknown, |s, of| {
                let Some(body) = of.child_by_field_name("body") else { return Ty::Unknown };
                let places = self.declared_in(s, body, name, true);
                if places.is_empty() {
                    return Ty::Unknown;
                }
                self.type_named(name, &Name::Declared(places), arguments)
            }),
            Ty::Foreign => Ty::Foreign,
            _ => Ty::Unknown,
        }
    }

    /// The type called `name` at a node.
    pub(super) fn type_called(&self, s: &Source, node: Node<'_>, name: &str, arguments: &[Ty]) -> Ty {
        self.type_named(name, &self.meaning(s, node, name, true), arguments)
    }

    pub(super) fn type_named(&self, name: &str, found: &Name, arguments: &[Ty]) -> Ty {
        match found {
            Name::Declared(places) => self.declared_type(places, arguments),
            Name::Parameter(parameter) => Ty::Parameter(*parameter),
            Name::Module(_) => Ty::Unknown,
            Name::Outside => Ty::Foreign,
            Name::Undeclared => self.standard_type(name, arguments),
        }
    }

    /// The type that these nodes declare.
    fn declared_type(&self, places: &Rc<[Place]>, arguments: &[Ty]) -> Ty {
        let alias = places.first().and_then(|place| {
            let expanded = self.with_node(*place, None, |s, node| {
                let value =
                    node.child_by_field_name("value").filter(|_| node.kind() == "type_alias_declaration");
                value.map(|value| {
                    let of = || self.written_type(s, value);
                    (self.once(About::Alias, Place::of(s, value), of), self.bind(s, node, arguments))
                })
            });
            expanded.map(|(ty, bound)| self.filled(&ty, &bound))
        });
        if let Some(of) = alias {
            return of;
        }
        let is_enum =
            |place: &Place| self.with_node(*place, false, |_, node| node.kind() == "enum_declaration");
        if places.iter().all(is_enum) {
            Ty::Foreign
        } else {
            Ty::Instance(Rc::clone(places), arguments.into())
        }
    }

    /// What a declaration's type parameters are bound to: the arguments, or else their defaults.
    pub(super) fn bind(&self, s: &Source, declaration: Node<'_>, arguments: &[Ty]) -> Bound {
        let Some(list) = declaration.child_by_field_name("type_parameters") else { return Bound::default() };
        let mut out: Vec<(Parameter, Ty)> = Vec::new();
        for (i, one) in children(list).into_iter().take(MAX_PARTS).enumerate() {
            let parameter = Parameter::Declared(s.file, one.start_byte());
            let given = arguments.get(i).cloned();
            let otherwise = || {
                let default = one.child_by_field_name("value")?;
                Some(self.filled(&self.written(s, default), &out))
            };
            if let Some(ty) = given.or_else(otherwise) {
                out.push((parameter, ty));
            }
        }
        out.into()
    }

    /// What bounds a parameter: `extends Cart`.
    pub(super) fn constraint(&self, parameter: Parameter) -> Ty {
        let Parameter::Declared(file, start) = parameter else { return Ty::Unknown };
        let Some(s) = self.source(file) else { return Ty::Unknown };
        let mut at = s.tree.root_node().descendant_for_byte_range(start, start);
        while let Some(node) = at.filter(|node| node.kind() != "type_parameter") {
            at = node.parent().filter(|around| around.start_byte() == start);
        }
        let bound = at.and_then(|node| node.child_by_field_name("constraint"));
        bound.map_or(Ty::Unknown, |bound| self.written(&s, bound))
    }

    /// What is surely known of a type: of a parameter, what bounds it, and of a list's class, the list.
    pub(super) fn bounded(&self, of: Ty) -> Ty {
        match of {
            Ty::Parameter(parameter) => self.constraint(parameter),
            Ty::Conditional(place, bound) => self.settle(place, &bound),
            Ty::Instance(..) => self.standard_part(&of).unwrap_or(of),
            Ty::Union(parts) => Ty::one_of(parts.iter().map(|part| match part {
                Ty::Parameter(parameter) => self.constraint(*parameter),
                other => other.clone(),
            })),
            other => other,
        }
    }

    /// A type with its parameters replaced by what they're bound to.
    pub(super) fn filled(&self, ty: &Ty, bound: &[(Parameter, Ty)]) -> Ty {
        if bound.is_empty() { ty.clone() } else { self.filled_to(ty, bound, MAX_FILLED) }
    }

    fn filled_to(&self, ty: &Ty, bound: &[(Parameter, Ty)], depth: u32) -> Ty {
        if depth == 0 {
            return ty.clone();
        }
        let fill = |ty: &Ty| self.filled_to(ty, bound, depth - 1);
        let all = |list: &[Ty]| list.iter().map(fill).collect::<Vec<Ty>>();
        // What a value is that something is asked of has no `this` in it; filled again, a chain of members would take a power of its length.
        let is_this = |of: &Parameter| *of == Parameter::This;
        let only_this = bound.iter().all(|(parameter, _)| is_this(parameter));
        let inner = |own: &Bound| -> Bound {
            let own = own.iter().map(|(parameter, ty)| {
                (*parameter, if only_this && is_this(parameter) { ty.clone() } else { fill(ty) })
            });
            joined(own.collect(), bound)
        };
        match ty {
            Ty::Parameter(parameter) => bound
                .iter()
                .find(|(known, _)| known == parameter)
                .map_or_else(|| ty.clone(), |(_, of)| of.clone()),
            Ty::Member(of, name) => self.limited(|| self.lookup(fill(of), name)),
            Ty::Keyed(of, key) => match fill(key) {
                Ty::Text(name) => self.limited(|| self.lookup(fill(of), &name)),
                key => Ty::Keyed(Rc::new(fill(of)), Rc::new(key)),
            },
            Ty::Instance(places, arguments) => Ty::Instance(Rc::clone(places), all(arguments).into()),
            Ty::Shape(place, own) => Ty::Shape(*place, inner(own)),
            Ty::Conditional(place, own) => self.decided(*place, &inner(own)),
            Ty::Selected(all, by, only) => self.limited(|| self.selected(&fill(all), &fill(by), *only)),
            Ty::Function(place, own) => Ty::Function(*place, inner(own)),
            Ty::Callback(parameters) => Ty::Callback(all(parameters).into()),
            Ty::Array(of) => Ty::array(fill(of)),
            Ty::Tuple(parts) => Ty::Tuple(all(parts).into()),
            Ty::Promise(of) => Ty::promise(fill(of)),
            Ty::Map(key, value) => Ty::Map(Rc::new(fill(key)), Rc::new(fill(value))),
            Ty::Record(of) => Ty::Record(Rc::new(fill(of))),
            Ty::Part(of, names, only) => Ty::Part(Rc::new(fill(of)), Rc::clone(names), *only),
            Ty::Union(parts) => Ty::one_of(all(parts)),
            Ty::Intersection(parts) => Ty::all_of(all(parts)),
            Ty::Unknown | Ty::Nothing | Ty::Foreign | Ty::Text(_) | Ty::Class(_) | Ty::Module(_) => {
                ty.clone()
            }
        }
    }

    /// A type that nothing in sight declares: one of the language's own.
    fn standard_type(&self, name: &str, arguments: &[Ty]) -> Ty {
        let argument = |i: usize| arguments.get(i).cloned().unwrap_or(Ty::Unknown);
        match name {
            "Array"
            | "ReadonlyArray"
            | "Iterable"
            | "AsyncIterable"
            | "IterableIterator"
            | "AsyncIterableIterator"
            | "Iterator"
            | "AsyncIterator"
            | "Generator"
            | "AsyncGenerator"
            | "Set"
            | "ReadonlySet"
            | "ArrayLike"
            | "WeakSet" => Ty::array(argument(0)),
            "Promise" | "PromiseLike" => Ty::promise(argument(0)),
            "Awaited" => argument(0).awaited(),
            "Map" | "ReadonlyMap" | "WeakMap" => Ty::Map(Rc::new(argument(0)), Rc::new(argument(1))),
            "Record" => Ty::Record(Rc::new(argument(1))),
            "Partial" | "Required" | "Readonly" | "NonNullable" | "ThisType" | "NoInfer" => argument(0),
            "Extract" => self.selected(&argument(0), &argument(1), true),
            "Exclude" => self.selected(&argument(0), &argument(1), false),
            "ReturnType" => match argument(0) {
                Ty::Function(place, bound) => self.result_of(place, &bound),
                _ => Ty::Unknown,
            },
            "InstanceType" => match argument(0) {
                Ty::Class(place) => Ty::Instance([place].into(), [].into()),
                _ => Ty::Unknown,
            },
            "Parameters" => match argument(0) {
                Ty::Function(place, bound) => {
                    self.all_parameters(place, &bound).map_or(Ty::Unknown, Ty::Tuple)
                }
                _ => Ty::Unknown,
            },
            "ConstructorParameters" | "Function" | "Object" => Ty::Unknown,
            // A file without imports and exports may declare it for all.
            _ if self.facts.is_type(name) => Ty::Unknown,
            _ => Ty::Foreign,
        }
    }
}

/// The type whose members, each of its own type, are those of a mapped one: `T` in `{ readonly [K in keyof T]?: T[K] }`.
fn copied<'t>(s: &Source, node: Node<'t>) -> Option<Node<'t>> {
    let all = children(node);
    let [signature] = all.as_slice() else { return None };
    let clause = children(*signature).into_iter().find(|one| one.kind() == "mapped_type_clause")?;
    let keys = clause.child_by_field_name("type").filter(|keys| keys.kind() == "index_type_query")?;
    let (of, name) = (only_child(keys)?, clause.child_by_field_name("name")?);
    let written = signature.child_by_field_name("type").and_then(only_child)?;
    // `T[K] | undefined`
    let is_nothing = |part: &Node<'t>| matches!(s.text_of(*part), "undefined" | "null");
    let of_key: Vec<Node<'t>> = parts_of(written).into_iter().filter(|part| !is_nothing(part)).collect();
    let [written] = of_key.as_slice() else { return None };
    let parts = children(*written);
    let [same, key] = parts.as_slice() else { return None };
    let is_own = written.kind() == "lookup_type"
        && clause.child_by_field_name("alias").is_none()
        && s.text_of(*same) == s.text_of(of)
        && s.text_of(*key) == s.text_of(name);
    is_own.then_some(of)
}

/// The parts of a union or an intersection, whose first part is such a type again if there are more than two.
fn parts_of(node: Node<'_>) -> Vec<Node<'_>> {
    let (mut open, mut parts) = (vec![node], Vec::new());
    while let Some(one) = open.pop() {
        if one.kind() == node.kind() && matches!(one.kind(), "union_type" | "intersection_type") {
            open.extend(children(one).into_iter().rev());
        } else {
            parts.push(one);
        }
    }
    parts
}

/// `Pick<Cart, 'lines' | 'total'>` or `Omit` of the same; if the names aren't written there, all of the type.
fn part(s: &Source, node: Node<'_>, only: bool, arguments: Vec<Ty>) -> Ty {
    let list = children(node).into_iter().find(|child| child.kind() == "type_arguments");
    let names = list.and_then(|list| children(list).into_iter().nth(1)).map(parts_of).unwrap_or_default();
    let of = arguments.into_iter().next().unwrap_or(Ty::Unknown);
    if names.is_empty() || names.iter().any(|one| one.kind() != "literal_type") {
        return of;
    }
    let names = names.iter().map(|one| s.text_of(*one).trim_matches(['"', '\'']).to_owned());
    Ty::Part(Rc::new(of), names.collect(), only)
}
