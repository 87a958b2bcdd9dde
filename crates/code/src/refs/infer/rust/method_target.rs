//! Resolves a name after a dot or a path: a method, a trait's method, or nothing of the project.

use tree_sitter::Node;

use super::super::super::syntax_nodes::ancestors;
use super::super::lookup::Source;
use super::super::{Member, MethodTarget, ProjectType, Ty};
use super::{Rust, Value, standard};

impl Rust<'_> {
    /// What the name at `node`, after a dot or a path, refers to; `owners` are the types with something of that
    /// name.
    pub(in crate::refs) fn method_target(
        &self,
        s: &Source,
        node: Node<'_>,
        owners: &[ProjectType],
    ) -> MethodTarget {
        let name = s.text_of(node);
        let Some(parent) = node.parent() else { return MethodTarget::Unknown };
        let of = match parent.kind() {
            // A method is always called; without a call it's the field of that name.
            "field_expression" if !is_called(parent) => return self.field_target(s, parent, name),
            "field_expression" => parent.child_by_field_name("value").map(|value| self.of(s, value)),
            "scoped_identifier" | "scoped_type_identifier"
                if parent.child_by_field_name("name").is_some_and(|n| n.id() == node.id()) =>
            {
                if let Some(meant) = self.own_associated_type(s, parent, name, owners) {
                    return meant;
                }
                match parent.child_by_field_name("path").map(|path| (path, self.path(s, path))) {
                    Some((_, Value::Type(ty))) => Some(ty),
                    Some((path, _)) => match self.in_own_module(s, path, name) {
                        Some(row) => return MethodTarget::Definition(row.file, row.line),
                        None => None,
                    },
                    None => None,
                }
            }
            _ => None,
        };
        let Some(of) = of.filter(|of| *of != Ty::Unknown) else { return MethodTarget::Unknown };
        match self.member(&of, name) {
            // An inherent method comes before a trait's.
            Member::Method(of, _) if self.has_own_method(&of, name) => {
                MethodTarget::Method { of, related: Vec::new() }
            }
            Member::Method(of, _) => {
                let related =
                    owners.iter().filter(|trait_| **trait_ != of && self.implements(&of, trait_, name));
                let related = related.cloned().collect();
                MethodTarget::Method { of, related }
            }
            _ if self.has_variant(&of, name) => match of {
                Ty::ProjectType(of) => MethodTarget::Method { of, related: Vec::new() },
                _ => MethodTarget::Nothing,
            },
            Member::Unknown => MethodTarget::Unknown,
            Member::Foreign | Member::None => {
                // A trait of the project may be there for types of elsewhere. `impl<F> Parse for F` has bounds, and the standard
                // library's own methods come before it: `list.iter().map(…)`.
                let everything = standard::method(&of, name, || Ty::Unknown) == Ty::Unknown;
                let is_for = |o: &&ProjectType| self.is_trait(o) && self.is_for(o, name, &of, everything);
                let mut traits = owners.iter().filter(is_for);
                match traits.next() {
                    Some(first) => {
                        MethodTarget::Method { of: first.clone(), related: traits.cloned().collect() }
                    }
                    None if matches!(of, Ty::ProjectType(_)) && owners.iter().any(|o| self.is_trait(o)) => {
                        MethodTarget::Unknown
                    }
                    None => MethodTarget::Nothing,
                }
            }
            Member::Field(..) | Member::Part(..) => MethodTarget::Nothing,
        }
    }

    /// The type whose field a field expression names.
    fn field_target(&self, s: &Source, expression: Node<'_>, name: &str) -> MethodTarget {
        let Some(value) = expression.child_by_field_name("value") else { return MethodTarget::Nothing };
        let of = standard::deref_all(&self.of(s, value));
        let of = match &of {
            // A method may have the name of a field.
            Ty::ProjectType(own) if self.part(own, "", name).is_some() => own.clone(),
            _ => match self.member(&of, name) {
                Member::Field(Some(own), _) => own,
                Member::Unknown => return MethodTarget::Unknown,
                _ => return MethodTarget::Nothing,
            },
        };
        MethodTarget::Method { of, related: Vec::new() }
    }

    /// What `Self::Name` is where the `impl` around it says what `Name` is: the type of its trait, if that is the
    /// project's.
    fn own_associated_type(
        &self,
        s: &Source,
        path: Node<'_>,
        name: &str,
        owners: &[ProjectType],
    ) -> Option<MethodTarget> {
        let of = path.child_by_field_name("path")?;
        if s.text_of(of) != "Self" {
            return None;
        }
        let mut inner = ancestors(s.tree.root_node(), path).into_iter().rev();
        let implementation = inner.find(|node| node.kind() == "impl_item")?;
        let body = implementation.child_by_field_name("body")?;
        let mut cursor = body.walk();
        body.named_children(&mut cursor).find(|item| {
            item.kind() == "type_item"
                && item.child_by_field_name("name").is_some_and(|n| s.text_of(n) == name)
        })?;
        let trait_ = implementation.child_by_field_name("trait")?;
        Some(match self.ty(s, trait_) {
            Ty::ProjectType(own) if owners.contains(&own) => {
                MethodTarget::Method { of: own, related: Vec::new() }
            }
            _ => MethodTarget::Nothing,
        })
    }
}

/// Whether a field is called, so that it's a method.
fn is_called(field: Node<'_>) -> bool {
    let Some(parent) = field.parent() else { return false };
    let whole = if parent.kind() == "generic_function" { parent } else { field };
    whole.parent().is_some_and(|call| {
        call.kind() == "call_expression"
            && call.child_by_field_name("function").is_some_and(|function| function.id() == whole.id())
    })
}
