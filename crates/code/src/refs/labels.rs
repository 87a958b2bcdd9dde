//! Resolves the values of an enumeration that Java names alone: `case NUMBER:`, by the type of the value that decides, else by the
//! other labels.

use tree_sitter::Node;

use super::Confidence::{InScope, Resolved};
use super::evident_in_class::bounded;
use super::occurrences::Occurrence;
use super::resolution::{FileContext, Verdict};
use super::syntactic_types::type_of;
use crate::grammar::Kind;
use crate::parse::slice;
use crate::symbols::Outline;

/// The labels of no more branches are read.
const MAX_LABELS: usize = 200;

impl FileContext<'_> {
    /// What a label of a `switch` of Java means: a value of the type of what decides, or where that isn't evident of the enumeration
    /// that has all labels, if only one has.
    pub(super) fn in_switch(&self, o: &Occurrence, outline: &Outline, node: Node<'_>) -> Option<Verdict> {
        let label = node.parent().filter(|of| self.language() == "java" && of.kind() == "switch_label")?;
        let mut of = self.targets_where(|t| t.kind == Kind::Variant);
        let branches = label.parent().filter(|_| !of.is_empty()).and_then(|branch| branch.parent())?;
        if let Some(decides) = self.type_of_switch(o, outline, branches) {
            // Of another type, the label is another's value or a constant.
            of.retain(|i| self.targets[*i].owner == decides);
            return (!of.is_empty()).then_some((Resolved, of));
        }
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

    /// The type of the value that decides in the `switch` around some branches, if it's evident.
    fn type_of_switch(&self, o: &Occurrence, outline: &Outline, branches: Node<'_>) -> Option<String> {
        let around = branches.parent()?;
        let value = slice(around.child_by_field_name("condition")?, &self.source.text);
        let value = value.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(value).trim();
        let (at, symbols) = (around.start_byte(), &outline.symbols);
        let returned = |called: &str| self.returned(called);
        bounded(type_of(value, at, &self.source.text, symbols, o.inside, &returned, true)?, at, symbols)
    }
}
