//! Finds the members of Rust types: methods, fields, variants and associated types.

use tree_sitter::Node;

use super::super::super::syntax_nodes::ancestors;
use super::super::lookup::{Row, Source};
use super::super::{Member, ProjectType, Ty};
use super::{Rust, own_result, standard};
use crate::grammar::Kind;

impl Rust<'_> {
    /// The member `name` of a value of this type, or of the type itself.
    pub(super) fn member(&self, ty: &Ty, name: &str) -> Member {
        self.depth.limited(Member::Unknown, || match ty {
            Ty::ProjectType(own) => self.own_member(own, ty, name),
            Ty::Unknown => Member::Unknown,
            Ty::Holder(holder, of) if standard::is_pointer(holder) => match of.first() {
                Some(of) if !matches!(name, "clone" | "borrow" | "borrow_mut" | "new") => {
                    self.member(of, name)
                }
                _ => Member::Foreign,
            },
            Ty::Tuple(of) => match name.parse::<usize>() {
                Ok(at) => of.get(at).cloned().map_or(Member::Unknown, |ty| Member::Field(None, ty)),
                Err(_) => Member::Foreign,
            },
            _ => Member::Foreign,
        })
    }

    fn own_member(&self, own: &ProjectType, of: &Ty, name: &str) -> Member {
        let rows = self.facts.rows(name);
        let belongs = |row: &&Row| {
            let container = row.container.rsplit(['.', ':']).next().unwrap_or_default();
            !row.kind.is_type()
                && container == own.name
                && self.own(row.file, container).as_ref() == Some(own)
        };
        if let Some(row) = rows.iter().find(belongs) {
            return Member::Method(own.clone(), self.result(row, name));
        }
        let field =
            self.with_definition(own, |s, node| match (node.kind(), node.child_by_field_name("body")) {
                ("struct_item" | "union_item", Some(body)) => self.field_of(s, body, name),
                _ => None,
            });
        if let Some(ty) = field {
            return Member::Field(Some(own.clone()), ty);
        }
        // Without it in a trait that the type fulfils, it may be behind a pointer that the type is.
        let trait_ = rows.iter().find_map(|row| {
            let container = row.container.rsplit(['.', ':']).next().unwrap_or_default();
            let trait_ = self.own(row.file, container).filter(|trait_| self.is_trait(trait_))?;
            self.implements(own, &trait_, name).then(|| (trait_.clone(), self.result(row, name)))
        });
        if let Some((trait_, result)) = trait_ {
            let result = own_result(result, &trait_, of);
            return Member::Method(trait_, result);
        }
        match self.associated(&Ty::ProjectType(own.clone()), "Target") {
            Some(target) if target != *of => self.member(&target, name),
            _ if self.is_trait(own) => Member::Unknown,
            _ => Member::None,
        }
    }

    /// Whether a type has an inherent method, outside of any trait.
    pub(super) fn has_own_method(&self, own: &ProjectType, name: &str) -> bool {
        self.facts.rows(name).iter().any(|row| {
            let container = row.container.rsplit(['.', ':']).next().unwrap_or_default();
            let belongs = row.kind == Kind::Method
                && container == own.name
                && self.own(row.file, container).as_ref() == Some(own);
            belongs
                && self.facts.source(row.file).is_some_and(|s| {
                    let path = s.named_on(row.line, name).map(|node| ancestors(s.tree.root_node(), node));
                    let mut inner = path.unwrap_or_default().into_iter().rev();
                    inner
                        .find(|node| node.kind() == "impl_item")
                        .is_some_and(|node| node.child_by_field_name("trait").is_none())
                })
        })
    }

    /// Whether a type is an enumeration with this variant.
    pub(super) fn has_variant(&self, of: &Ty, name: &str) -> bool {
        let Ty::ProjectType(own) = of else { return false };
        let found = self.with_definition(own, |s, node| {
            let body = node.child_by_field_name("body").filter(|_| node.kind() == "enum_item")?;
            part_called(s, body, name).map(|_| ())
        });
        found.is_some()
    }

    /// The result type of the function in a row.
    fn result(&self, row: &Row, name: &str) -> Ty {
        match self.declared_type(row, name) {
            Ty::Function(result) => *result,
            other => other,
        }
    }

    /// The type that a type's `impl` calls `name`.
    pub(super) fn associated(&self, of: &Ty, name: &str) -> Option<Ty> {
        let Ty::ProjectType(own) = of else { return None };
        let rows = self.facts.rows(name);
        let row = rows.iter().find(|row| {
            let container = row.container.rsplit(['.', ':']).next().unwrap_or_default();
            row.kind == Kind::Type
                && container == own.name
                && self.own(row.file, container).as_ref() == Some(own)
        })?;
        let s = self.facts.source(row.file)?;
        let node = s.named_on(row.line, name)?.parent()?;
        Some(self.ty(&s, node.child_by_field_name("type")?))
    }

    fn field_of(&self, s: &Source, body: Node<'_>, name: &str) -> Option<Ty> {
        if body.kind() == "ordered_field_declaration_list" {
            let mut cursor = body.walk();
            let at: usize = name.parse().ok()?;
            let of = body.children_by_field_name("type", &mut cursor).nth(at)?;
            return Some(self.ty(s, of));
        }
        let field = part_called(s, body, name)?;
        Some(self.ty(s, field.child_by_field_name("type")?))
    }

    /// The type of a field of a variant, or of a struct, by its place or its name.
    pub(super) fn part(&self, own: &ProjectType, variant: &str, field: &str) -> Option<Ty> {
        self.depth.limited(None, || {
            self.with_definition(own, |s, node| {
                let body = node.child_by_field_name("body")?;
                if node.kind() != "enum_item" {
                    return self.field_of(s, body, field);
                }
                let variant = part_called(s, body, variant)?;
                self.field_of(s, variant.child_by_field_name("body")?, field)
            })
        })
    }
}

/// The field or variant of this name in the body of a type. A variant without a body is its name alone.
fn part_called<'s>(s: &'s Source, body: Node<'s>, name: &str) -> Option<Node<'s>> {
    s.parts.first(body, name, &|part: Node<'s>, out: &mut Vec<String>| {
        out.extend(part.child_by_field_name("name").map(|name| s.text_of(name).to_owned()));
    })
}
