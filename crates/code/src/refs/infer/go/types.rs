//! Reads Go types as written: their members, and the methods that an interface requires.

use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

use tree_sitter::Node;

use super::super::lookup::{Row, Source};
use super::super::{Member, ProjectType, RecordField, Ty};
use super::{Fields, Go, Value};

/// An interface that embeds more has unknown requirements.
const MAX_EMBEDDED: usize = 200;
/// The types of the language itself.
const BASIC: &[&str] = &[
    "bool",
    "string",
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintptr",
    "byte",
    "rune",
    "float32",
    "float64",
    "complex64",
    "complex128",
    "error",
    "any",
    "comparable",
];
/// Interfaces of the standard library that types of a project often fulfil, with their methods.
const STANDARD: &[(&str, &[&str])] = &[
    ("error", &["Error"]),
    ("fmt.Stringer", &["String"]),
    ("io.Reader", &["Read"]),
    ("io.Writer", &["Write"]),
    ("io.Closer", &["Close"]),
    ("io.ReadCloser", &["Read", "Close"]),
    ("io.WriteCloser", &["Write", "Close"]),
    ("io.ReadWriter", &["Read", "Write"]),
    ("net/http.Handler", &["ServeHTTP"]),
    ("net/http.ResponseWriter", &["Header", "Write", "WriteHeader"]),
    ("net/http.Flusher", &["Flush"]),
    ("net/http.Hijacker", &["Hijack"]),
    ("sort.Interface", &["Len", "Less", "Swap"]),
    ("context.Context", &["Deadline", "Done", "Err", "Value"]),
];

/// Whether this type of elsewhere is an interface that asks for this method.
pub(super) fn is_method_of(foreign: &str, name: &str) -> bool {
    STANDARD.iter().any(|(interface, methods)| *interface == foreign && methods.contains(&name))
}

fn is_standard(foreign: &str) -> bool {
    STANDARD.iter().any(|(interface, _)| *interface == foreign)
}

pub(super) fn is_basic(name: &str) -> bool {
    BASIC.contains(&name)
}

impl Go<'_> {
    /// A type as it is written.
    pub(super) fn ty(&self, s: &Source, node: Node<'_>) -> Ty {
        self.depth.limited(Ty::Unknown, || self.written_type(s, node))
    }

    fn written_type(&self, s: &Source, node: Node<'_>) -> Ty {
        let field = |name: &str| node.child_by_field_name(name).map_or(Ty::Unknown, |of| self.ty(s, of));
        match node.kind() {
            "type_identifier" | "identifier" => match self.identifier_value(s, node) {
                Value::Type(ty) => ty,
                _ => Ty::Unknown,
            },
            "pointer_type" | "parenthesized_type" | "type_elem" => {
                node.named_child(0).map_or(Ty::Unknown, |of| self.ty(s, of))
            }
            "qualified_type" => {
                let (Some(package), Some(name)) =
                    (node.child_by_field_name("package"), node.child_by_field_name("name"))
                else {
                    return Ty::Unknown;
                };
                match self.package(s, s.text_of(package)) {
                    Some(Value::Package(folder)) => match self.in_package(&folder, s.text_of(name)) {
                        Value::Type(ty) => ty,
                        _ => Ty::Unknown,
                    },
                    Some(Value::ForeignPackage(path)) => Ty::Foreign(format!("{path}.{}", s.text_of(name))),
                    _ => Ty::Unknown,
                }
            }
            "generic_type" => field("type"),
            "slice_type" | "array_type" | "implicit_length_array_type" => {
                Ty::List(Box::new(field("element")))
            }
            "map_type" => Ty::Map(Box::new(field("key")), Box::new(field("value"))),
            "channel_type" => Ty::Channel(Box::new(field("value"))),
            "function_type" => Ty::Function(Box::new(self.result(s, node))),
            "struct_type" => {
                let field = |(name, of, line): (Option<&str>, Node<'_>, u32)| RecordField {
                    name: name.unwrap_or_else(|| last_name(s.text_of(of))).to_owned(),
                    place: (s.file, line),
                    embedded: name.is_none(),
                    ty: self.ty(s, of),
                };
                Ty::Record(fields(s, node).into_iter().map(field).collect())
            }
            // Nothing is known about its content.
            "interface_type" if node.named_child_count() == 0 => Ty::Foreign("any".to_owned()),
            _ => Ty::Unknown,
        }
    }

    /// The result type of a function node.
    pub(super) fn result(&self, s: &Source, function: Node<'_>) -> Ty {
        let Some(result) = function.child_by_field_name("result") else { return Ty::Tuple(Vec::new()) };
        if result.kind() != "parameter_list" {
            return self.ty(s, result);
        }
        let mut out = Vec::new();
        let mut cursor = result.walk();
        for declaration in result.named_children(&mut cursor) {
            let Some(of) = declaration.child_by_field_name("type") else { continue };
            let mut inner = declaration.walk();
            let names = declaration.children_by_field_name("name", &mut inner).filter(Node::is_named).count();
            let of = self.ty(s, of);
            out.extend(std::iter::repeat_n(of, names.max(1)));
        }
        if out.len() == 1 { out.remove(0) } else { Ty::Tuple(out) }
    }

    /// The fields of a struct, which are found once: thousands of names may be asked for in one.
    fn fields_of(&self, s: &Source, node: Node<'_>) -> Rc<Fields> {
        let key = (s.file, node.start_byte());
        if let Some(known) = self.fields.borrow().get(&key) {
            return Rc::clone(known);
        }
        let mut found = Fields::default();
        for (name, of, _) in fields(s, node) {
            let written = of.byte_range();
            let name = name.unwrap_or_else(|| {
                found.embedded.push(written.clone());
                last_name(s.text_of(of))
            });
            found.named.entry(name.to_owned()).or_insert(written);
        }
        let found = Rc::new(found);
        self.fields.borrow_mut().insert(key, Rc::clone(&found));
        found
    }

    /// A type's structure: the definition of a named one, the others unchanged.
    pub(super) fn underlying(&self, ty: &Ty) -> Ty {
        let Ty::ProjectType(own) = ty else { return ty.clone() };
        let found = self.depth.limited(None, || {
            self.with_definition(own, |s, node| Some(self.ty(s, node.child_by_field_name("type")?)))
        });
        match found {
            Some(Ty::ProjectType(next)) if next == *own => Ty::Unknown,
            Some(next @ Ty::ProjectType(_)) => self.depth.limited(Ty::Unknown, || self.underlying(&next)),
            Some(next) => next,
            None => Ty::Unknown,
        }
    }

    /// The member `name` of a value of this type.
    pub(super) fn member(&self, ty: &Ty, name: &str) -> Member {
        self.depth.limited(Member::Unknown, || match ty {
            Ty::ProjectType(own) => self.own_member(own, name),
            Ty::Record(fields) => self.record_member(fields, name),
            Ty::Unknown => Member::Unknown,
            // All methods of these are known.
            Ty::Foreign(of) if is_standard(of) && !is_method_of(of, name) => Member::None,
            Ty::Foreign(_) | Ty::Holder(..) => Member::Foreign,
            Ty::Tuple(_) | Ty::List(_) | Ty::Channel(_) | Ty::Map(..) | Ty::Function(_) => Member::None,
        })
    }

    /// How many values a method of a type takes and gives, as far as that can be read.
    pub(super) fn value_counts(&self, own: &ProjectType, name: &str) -> Option<(usize, usize)> {
        let rows = self.facts.rows(name);
        let row = rows.iter().find(|row| self.is_method_row(row, own))?;
        let s = self.facts.source(row.file)?;
        let function = s.named_on(row.line, name)?.parent()?;
        if !matches!(function.kind(), "method_declaration" | "method_elem") {
            return None;
        }
        let given = function.child_by_field_name("result");
        let given =
            given.map_or(0, |given| if given.kind() == "parameter_list" { count_values(given) } else { 1 });
        Some((function.child_by_field_name("parameters").map_or(0, count_values), given))
    }

    fn is_method_row(&self, row: &Row, own: &ProjectType) -> bool {
        row.container == own.name
            && !row.kind.is_type()
            && self.facts.folder(row.file) == self.facts.folder(own.file)
    }

    /// A member is searched once in each type, however many embed it; a type that embeds itself doesn't get it from
    /// there.
    fn own_member(&self, own: &ProjectType, name: &str) -> Member {
        let key = (own.clone(), name.to_owned());
        if let Some(found) = self.members.borrow().get(&key) {
            return found.clone();
        }
        self.members.borrow_mut().insert(key.clone(), Member::None);
        let found = self.find_member(own, name);
        self.members.borrow_mut().insert(key, found.clone());
        found
    }

    fn find_member(&self, own: &ProjectType, name: &str) -> Member {
        let rows = self.facts.rows(name);
        let method = rows.iter().find(|row| self.is_method_row(row, own));
        if let Some(row) = method {
            let result = self.facts.source(row.file).and_then(|s| {
                let function = s.named_on(row.line, name)?.parent()?;
                Some(self.result(&s, function))
            });
            return Member::Method(own.clone(), result.unwrap_or(Ty::Unknown));
        }
        let found = self.with_definition(own, |s, node| {
            let of = node.child_by_field_name("type")?;
            match of.kind() {
                "struct_type" => {
                    let fields = self.fields_of(s, of);
                    let root = s.tree.root_node();
                    let ty = |written: &Range<usize>| {
                        let node = root.descendant_for_byte_range(written.start, written.end);
                        node.map_or(Ty::Unknown, |node| self.ty(s, node))
                    };
                    if let Some(written) = fields.named.get(name) {
                        return Some(Member::Field(Some(own.clone()), ty(written)));
                    }
                    Some(self.promoted_member(fields.embedded.iter().map(ty), name))
                }
                "interface_type" => {
                    let mut cursor = of.walk();
                    let inner: Vec<Node<'_>> = of.named_children(&mut cursor).collect();
                    let embedded = inner.into_iter().filter(|node| node.kind() == "type_elem");
                    Some(self.promoted_member(embedded.map(|node| self.ty(s, node)), name))
                }
                // A type made from another one has its fields, and none of its methods.
                _ => Some(match self.underlying(&Ty::ProjectType(own.clone())) {
                    Ty::Record(fields) => self.record_member(&fields, name),
                    Ty::Unknown => Member::Unknown,
                    _ => Member::None,
                }),
            }
        });
        found.unwrap_or(Member::Unknown)
    }

    /// The member of a struct without a name.
    fn record_member(&self, fields: &[RecordField], name: &str) -> Member {
        match fields.iter().find(|field| field.name == name) {
            Some(field) => Member::Part(field.place, field.ty.clone()),
            None => {
                let embedded = fields.iter().filter(|field| field.embedded);
                self.promoted_member(embedded.map(|field| field.ty.clone()), name)
            }
        }
    }

    /// The member promoted from embedded types, the project's own first.
    fn promoted_member(&self, embedded: impl Iterator<Item = Ty>, name: &str) -> Member {
        let mut out = Member::None;
        for ty in embedded {
            match self.member(&ty, name) {
                found @ (Member::Field(..) | Member::Part(..) | Member::Method(..)) => return found,
                Member::Unknown => out = Member::Unknown,
                Member::Foreign if out == Member::None => out = Member::Foreign,
                Member::Foreign | Member::None => {}
            }
        }
        out
    }

    /// The methods that an interface asks for, with those of embedded interfaces; `None` if the type isn't an
    /// interface.
    pub(super) fn interface(&self, own: &ProjectType) -> Option<Vec<String>> {
        let mut out = Vec::new();
        let mut known: HashSet<ProjectType> = HashSet::from([own.clone()]);
        let mut open = vec![own.clone()];
        while let Some(one) = open.pop() {
            if known.len() > MAX_EMBEDDED {
                return None;
            }
            let embedded = self.with_definition(&one, |s, node| self.asked_methods(s, node, &mut out))?;
            open.extend(embedded.into_iter().filter(|one| known.insert(one.clone())));
        }
        Some(out)
    }

    /// Adds the methods that a definition asks for itself, and gives the interfaces of the project that it embeds.
    fn asked_methods(&self, s: &Source, node: Node<'_>, out: &mut Vec<String>) -> Option<Vec<ProjectType>> {
        let of = node.child_by_field_name("type").filter(|of| of.kind() == "interface_type")?;
        let mut embedded = Vec::new();
        let mut cursor = of.walk();
        for inner in of.named_children(&mut cursor) {
            match inner.kind() {
                "method_elem" => out.push(s.text_of(inner.child_by_field_name("name")?).to_owned()),
                "type_elem" => match self.ty(s, inner) {
                    Ty::ProjectType(one) => embedded.push(one),
                    // The requirements of foreign interfaces are unknown and assumed to be met.
                    Ty::Foreign(name) => {
                        let known = STANDARD.iter().find(|(interface, _)| *interface == name);
                        let known = known.map_or(&[][..], |(_, methods)| *methods);
                        out.extend(known.iter().map(|name| (*name).to_owned()));
                    }
                    _ => return None,
                },
                _ => {}
            }
        }
        Some(embedded)
    }
}

/// The fields of a struct: their names, without one if it's embedded, their types, and the lines of their names.
fn fields<'s, 't>(s: &'s Source, node: Node<'t>) -> Vec<(Option<&'s str>, Node<'t>, u32)> {
    let mut out = Vec::new();
    let mut cursor = node.walk();
    let lists: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
    for list in lists.into_iter().filter(|list| list.kind() == "field_declaration_list") {
        let mut cursor = list.walk();
        for field in list.named_children(&mut cursor).filter(|n| n.kind() == "field_declaration") {
            let Some(of) = field.child_by_field_name("type") else { continue };
            let mut inner = field.walk();
            let names = field.children_by_field_name("name", &mut inner).filter(Node::is_named);
            let line = |node: Node<'_>| u32::try_from(node.start_position().row + 1).unwrap_or(u32::MAX);
            let names: Vec<(&str, u32)> = names.map(|name| (s.text_of(name), line(name))).collect();
            if names.is_empty() {
                out.push((None, of, line(of)));
            }
            out.extend(names.into_iter().map(|(name, line)| (Some(name), of, line)));
        }
    }
    out
}

/// How many values a list of parameters or results has: `(a, b int, c string)` has three.
fn count_values(list: Node<'_>) -> usize {
    let mut cursor = list.walk();
    let mut count = 0;
    for one in list.named_children(&mut cursor).filter(|one| one.child_by_field_name("type").is_some()) {
        let mut inner = one.walk();
        let names = one.children_by_field_name("name", &mut inner).filter(Node::is_named).count();
        count += names.max(1);
    }
    count
}

/// `*pkg.Name[T]` is called `Name`.
fn last_name(written: &str) -> &str {
    let written = written.split('[').next().unwrap_or(written);
    written.rsplit(['.', '*', ' ']).next().unwrap_or(written)
}
