//! Resolves the values of an enumeration that Java names alone: `case NUMBER:`. Doesn't know of which type the value is that decides.

use tree_sitter::Node;

use super::Confidence::{InScope, Resolved};
use super::resolution::{FileContext, Verdict};
use crate::grammar::Kind;
use crate::parse::slice;

/// The labels of no more branches are read.
const MAX_LABELS: usize = 200;

impl FileContext<'_> {
    /// What a label of a `switch` of Java means: a value of the enumeration that has all labels of that, if only one has.
    pub(super) fn in_switch(&self, node: Node<'_>) -> Option<Verdict> {
        let label = node.parent().filter(|of| self.language() == "java" && of.kind() == "switch_label")?;
        let mut of = self.targets_where(|t| t.kind == Kind::Variant && self.is_of_family(t));
        let branches = label.parent().filter(|_| !of.is_empty()).and_then(|branch| branch.parent())?;
        let mut labels: Vec<&str> = Vec::new();
        let mut cursor = branches.walk();
        for branch in branches.named_children(&mut cursor).take(MAX_LABELS) {
            let mut cursor = branch.walk();
            for label in branch.named_children(&mut cursor).filter(|one| one.kind() == "switch_label") {
                let mut cursor = label.walk();
                let names = label.named_children(&mut cursor).filter(|name| name.kind() == "identifier");
                labels.extend(names.map(|name| slice(name, &self.source.text)));
            }
        }
        of.retain(|i| {
            let owner = self.targets[*i].owner.as_str();
            labels.iter().all(|label| self.types.has_variant(owner, label))
        });
        let first = of.first().map(|i| self.targets[*i].owner.as_str())?;
        let is_one = of.iter().all(|i| self.targets[*i].owner == first);
        Some((if is_one && labels.len() > 1 { Resolved } else { InScope }, of))
    }
}
