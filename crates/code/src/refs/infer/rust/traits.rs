//! Tells which Rust types implement which of the project's traits.

use super::super::{ProjectType, Ty};
use super::{Rust, standard};
use crate::grammar::Kind;

impl Rust<'_> {
    pub(super) fn is_trait(&self, own: &ProjectType) -> bool {
        let rows = self.facts.rows(&own.name);
        rows.iter().any(|row| row.file == own.file && row.line == own.line && row.kind == Kind::Interface)
    }

    /// Whether a type has what a trait asks for: one of the methods without a body, in an `impl`.
    pub(super) fn implements(&self, own: &ProjectType, trait_: &ProjectType, name: &str) -> bool {
        self.is_trait(trait_) && self.is_for(trait_, name, &Ty::ProjectType(own.clone()), true)
    }

    /// Whether a type makes the future itself that is waited for, which gives another type.
    pub(super) fn is_made_future(&self, own: &ProjectType) -> bool {
        self.facts.rows("into_future").iter().any(|row| {
            let container = row.container.rsplit(['.', ':']).next().unwrap_or_default();
            container == own.name && self.own(row.file, container).as_ref() == Some(own)
        })
    }

    /// Whether a trait is there for a type, or with `everything` for all types.
    pub(super) fn is_for(&self, trait_: &ProjectType, method: &str, of: &Ty, everything: bool) -> bool {
        let asked = self.with_definition(trait_, |s, node| {
            let body = node.child_by_field_name("body")?;
            let mut cursor = body.walk();
            let inner = body.named_children(&mut cursor).filter(|n| n.kind() == "function_signature_item");
            Some(
                inner
                    .filter_map(|n| Some(s.text_of(n.child_by_field_name("name")?).to_owned()))
                    .collect::<Vec<_>>(),
            )
        });
        let has = |name: &str| {
            self.facts.rows(name).iter().any(|row| {
                let container = row.container.rsplit(['.', ':']).next().unwrap_or_default();
                // `impl<T> Trait for T`
                let all = everything && container.len() == 1 && container != trait_.name;
                let same = match of {
                    Ty::ProjectType(own) => {
                        container == own.name && self.own(row.file, container).as_ref() == Some(own)
                    }
                    other => container == standard::name_of(other),
                };
                (same || all) && container != trait_.name
            })
        };
        match asked {
            Some(asked) if !asked.is_empty() => asked.iter().any(|name| has(name)),
            _ => has(method),
        }
    }
}
