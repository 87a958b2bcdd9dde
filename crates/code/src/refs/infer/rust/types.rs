//! Reads Rust types as written, and resolves names across files.

use tree_sitter::Node;

use super::super::super::syntax_nodes::ancestors;
use super::super::lookup::{Row, Source};
use super::super::{ProjectType, Ty};
use super::{MAX_PASSES, Rust, standard};
use crate::grammar::Kind;

impl Rust<'_> {
    /// A type as it is written.
    pub(super) fn ty(&self, s: &Source, node: Node<'_>) -> Ty {
        self.depth.limited(Ty::Unknown, || self.written_type(s, node))
    }

    fn written_type(&self, s: &Source, node: Node<'_>) -> Ty {
        let field = |name: &str| node.child_by_field_name(name).map_or(Ty::Unknown, |of| self.ty(s, of));
        match node.kind() {
            "type_identifier" | "identifier" => self.named_type(s, node, s.text_of(node)),
            "primitive_type" => Ty::Foreign(s.text_of(node).to_owned()),
            "reference_type" | "pointer_type" => field("type"),
            "bracketed_type" | "bounded_type" | "trait_bounds" => {
                node.named_child(0).map_or(Ty::Unknown, |of| self.ty(s, of))
            }
            "dynamic_type" | "abstract_type" => field("trait"),
            "array_type" => Ty::List(Box::new(field("element"))),
            "tuple_type" => {
                let mut cursor = node.walk();
                let inner: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
                Ty::Tuple(inner.into_iter().map(|of| self.ty(s, of)).collect())
            }
            "unit_type" => Ty::Tuple(Vec::new()),
            "function_type" => Ty::Function(Box::new(field("return_type"))),
            "generic_type" | "generic_type_with_turbofish" => {
                let base = node.child_by_field_name("type");
                let name = base.map_or("", |base| s.text_of(base)).rsplit("::").next().unwrap_or_default();
                let (mut arguments, mut bound) = (Vec::new(), Vec::new());
                if let Some(list) = node.child_by_field_name("type_arguments") {
                    let mut cursor = list.walk();
                    for of in list.named_children(&mut cursor) {
                        match of.kind() {
                            "lifetime" => {}
                            "type_binding" => bound.extend(of.child_by_field_name("type")),
                            _ => arguments.push(of),
                        }
                    }
                }
                if let Some(base) = base.filter(|_| name != "Result")
                    && let own @ Ty::ProjectType(_) = self.ty(s, base)
                {
                    return own;
                }
                // `Iterator<Item = T>`, `Future<Output = T>`
                let all = if arguments.is_empty() { bound } else { arguments };
                standard::generic(name, all.into_iter().map(|of| self.ty(s, of)).collect())
            }
            "scoped_type_identifier" => match self.path(s, node) {
                super::Value::Type(ty) => ty,
                super::Value::Of(Ty::Function(of)) => *of,
                _ => Ty::Unknown,
            },
            _ => Ty::Unknown,
        }
    }

    /// The type that is called `name` at a place.
    pub(super) fn named_type(&self, s: &Source, node: Node<'_>, name: &str) -> Ty {
        if name == "Self" {
            return self.enclosing_type(s, node).map_or(Ty::Unknown, Ty::ProjectType);
        }
        if let Some(bound) = self.parameter_bound(s, node, name) {
            return bound;
        }
        let row = self.visible_definition(s.file, name, &|row| row.kind.is_type());
        row.map_or_else(|| standard::generic(name, Vec::new()), |row| self.alias(&row, name))
    }

    /// The type that a definition defines; for an alias, its target.
    pub(super) fn alias(&self, row: &Row, name: &str) -> Ty {
        let own = ProjectType { name: name.to_owned(), file: row.file, line: row.line };
        let of = (row.kind == Kind::Type).then(|| {
            self.depth.limited(None, || {
                let s = self.facts.source(row.file)?;
                let node = s.named_on(row.line, name)?.parent()?;
                Some(self.ty(&s, node.child_by_field_name("type")?))
            })
        });
        match of.flatten() {
            Some(Ty::Unknown) | None => Ty::ProjectType(own),
            Some(of) => of,
        }
    }

    /// The type of the project that a file means by a name.
    pub(super) fn own(&self, file: usize, name: &str) -> Option<ProjectType> {
        let key = (file, name.to_owned());
        if let Some(found) = self.named.borrow().get(&key) {
            return found.clone();
        }
        let row = self.visible_definition(file, name, &|row| row.kind.is_type());
        let found = row.and_then(|row| match self.alias(&row, name) {
            Ty::ProjectType(own) => Some(own),
            _ => None,
        });
        self.named.borrow_mut().insert(key, found.clone());
        found
    }

    /// The definition that a file means by a name: its own, or one that it imports.
    pub(super) fn visible_definition(
        &self,
        file: usize,
        name: &str,
        fits: &dyn Fn(&Row) -> bool,
    ) -> Option<Row> {
        let rows = self.facts.rows(name);
        let is_meant = |row: &&Row| fits(row) && !self.is_inside_type(row);
        if let Some(row) = rows.iter().find(|row| row.file == file && is_meant(row)) {
            return Some(row.clone());
        }
        let s = self.facts.source(file)?;
        for import in &s.outline.imports {
            let there = import.bound.iter().find(|(here, _)| here == name || here == "*");
            let Some((here, there)) = there else { continue };
            let all = here == "*";
            let there = if all { name } else { there.as_str() };
            let from = self.facts.imported(&s, import.line);
            let rows = self.facts.rows(there);
            if let Some(row) = self.find_through_reexports(&from, |at| {
                rows.iter().find(|row| row.file == at && is_meant(row)).cloned()
            }) {
                return Some(row);
            }
            // `use super::*` brings what the module around imports for itself, too.
            if all && import.target.starts_with("super") {
                let around = from.iter().filter(|at| **at != file);
                let found = around
                    .filter_map(|at| self.depth.limited(None, || self.visible_definition(*at, there, fits)))
                    .next();
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// The first match in these files, otherwise in the files that they re-export.
    fn find_through_reexports<T>(&self, from: &[usize], find: impl Fn(usize) -> Option<T>) -> Option<T> {
        let mut level = from.to_vec();
        let mut known = level.clone();
        for _ in 0..MAX_PASSES {
            if let Some(found) = level.iter().find_map(|file| find(*file)) {
                return Some(found);
            }
            let next = level.iter().flat_map(|file| &self.facts.reader.files()[*file].passes_on);
            let next: Vec<usize> =
                next.map(|file| *file as usize).filter(|file| !known.contains(file)).collect();
            known.extend(&next);
            level = next;
        }
        None
    }

    /// Whether a definition belongs to a type and not to a module.
    fn is_inside_type(&self, row: &Row) -> bool {
        row.kind == Kind::Method
            || row.container.rsplit('.').next().is_some_and(|last| last.starts_with(char::is_uppercase))
    }

    /// The definition of `module::name`, if the module is a file of the project.
    pub(super) fn in_module(&self, s: &Source, path: Node<'_>, name: &str) -> Option<Row> {
        if let Some(row) = self.in_own_module(s, path, name) {
            return Some(row);
        }
        let text = s.text_of(path);
        if matches!(text.split("::").next(), Some("std" | "core" | "alloc")) {
            return None;
        }
        let last = text.rsplit("::").next().unwrap_or(text);
        let rows = self.facts.rows(name);
        let imports = s.outline.imports.iter();
        let files: Vec<usize> = imports
            .filter(|i| i.bound.iter().any(|(here, _)| here == last))
            .flat_map(|i| self.facts.imported(s, i.line))
            .collect();
        let imported = self.find_through_reexports(&files, |at| {
            rows.iter().find(|row| row.file == at && !self.is_inside_type(row)).cloned()
        });
        let stem = |row: &&Row| {
            let path = self.facts.reader.files()[row.file].path.trim_end_matches("/mod.rs");
            path.rsplit('/').next().unwrap_or(path).trim_end_matches(".rs") == last
                && !self.is_inside_type(row)
        };
        imported.or_else(|| rows.iter().find(stem).cloned())
    }

    /// The definition of `module::name` where the path begins at the crate, the module itself or the one around it.
    pub(super) fn in_own_module(&self, s: &Source, path: Node<'_>, name: &str) -> Option<Row> {
        let text = s.text_of(path);
        let first = text.split("::").next().unwrap_or(text);
        let inline = || ancestors(s.tree.root_node(), path).iter().any(|n| n.kind() == "mod_item");
        let file = match first {
            "crate" => self.facts.module_file(s.file, text)?,
            // A module in the file's text has the file around it.
            "super" | "self" if inline() => s.file,
            "self" if text == "self" => s.file,
            "super" | "self" => self.facts.module_file(s.file, text)?,
            _ => return None,
        };
        self.depth.limited(None, || self.visible_definition(file, name, &|_| true))
    }

    /// The type or trait whose `impl` or body a place is in.
    pub(super) fn enclosing_type(&self, s: &Source, node: Node<'_>) -> Option<ProjectType> {
        let mut at = node;
        for parent in ancestors(s.tree.root_node(), node).into_iter().rev() {
            let named = match parent.kind() {
                "impl_item" => parent.child_by_field_name("type"),
                "trait_item" | "struct_item" | "enum_item" => parent.child_by_field_name("name"),
                _ => None,
            };
            if let Some(named) = named.filter(|named| named.id() != at.id()) {
                return match self.ty(s, named) {
                    Ty::ProjectType(own) => Some(own),
                    _ => None,
                };
            }
            at = parent;
        }
        None
    }

    /// Where a function, a type or an `impl` around the place takes a type called `name`: the trait it must have.
    fn parameter_bound(&self, s: &Source, node: Node<'_>, name: &str) -> Option<Ty> {
        let mut at = node;
        let mut takes = None;
        for parent in ancestors(s.tree.root_node(), node).into_iter().rev() {
            if let Some(list) =
                parent.child_by_field_name("type_parameters").filter(|list| list.id() != at.id())
            {
                let mut cursor = list.walk();
                let parameter = list.named_children(&mut cursor).find(|parameter| {
                    parameter.child_by_field_name("name").is_some_and(|n| s.text_of(n) == name)
                });
                if let Some(parameter) = parameter {
                    takes = Some(parent);
                    if let Some(bounds) = parameter.child_by_field_name("bounds") {
                        return Some(self.bound(s, bounds));
                    }
                    break;
                }
            }
            at = parent;
        }
        let takes = takes?;
        let mut cursor = takes.walk();
        let clause = takes.named_children(&mut cursor).find(|child| child.kind() == "where_clause");
        let Some(clause) = clause else { return Some(Ty::Unknown) };
        let mut cursor = clause.walk();
        let bounds = clause.named_children(&mut cursor).find_map(|predicate| {
            let left = predicate.child_by_field_name("left")?;
            (s.text_of(left) == name).then(|| predicate.child_by_field_name("bounds")).flatten()
        });
        Some(bounds.map_or(Ty::Unknown, |bounds| self.bound(s, bounds)))
    }

    /// The first of several bounds that is of the project, else what the first says.
    fn bound(&self, s: &Source, bounds: Node<'_>) -> Ty {
        let mut cursor = bounds.walk();
        let inner: Vec<Node<'_>> =
            bounds.named_children(&mut cursor).filter(|n| n.kind() != "lifetime").collect();
        let all: Vec<Ty> = inner.into_iter().map(|of| self.ty(s, of)).collect();
        let own = all.iter().find(|ty| matches!(ty, Ty::ProjectType(_))).cloned();
        let known = all.into_iter().find(|ty| matches!(ty, Ty::Function(_) | Ty::List(_)));
        own.or(known).unwrap_or(Ty::Unknown)
    }

    pub(super) fn with_definition<T>(
        &self,
        own: &ProjectType,
        work: impl FnOnce(&Source, Node<'_>) -> Option<T>,
    ) -> Option<T> {
        let s = self.facts.source(own.file)?;
        let node = s.named_on(own.line, &own.name)?.parent()?;
        work(&s, node)
    }
}
