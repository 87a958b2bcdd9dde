//! Resolves members of TypeScript and JavaScript by their types: behind a dot, as keys of literals and in patterns; and what a
//! component of Vue asks itself for.

use tree_sitter::Node;

use super::Confidence::{InScope, Resolved, Textual};
use super::infer::{Declared, Meant};
use super::occurrences::{Occurrence, Role};
use super::resolution::{FileContext, Verdict};
use super::syntax_nodes::ancestors;
use super::targets::Target;
use crate::grammar::Kind;
use crate::language::is_script;
use crate::parse::slice;
use crate::symbols::Outline;

impl FileContext<'_> {
    /// What the name of a member means; `None` if its type isn't known.
    pub(super) fn resolve_script(&self, node: Node<'_>) -> Option<Verdict> {
        if !is_script(self.language()) {
            return None;
        }
        let (confidence, all) = match self.script.member_target(self.source, node) {
            Meant::Unknown => return None,
            // Another file may add to a type: `declare module './cart' { interface Cart {…} }`, `Cart.prototype.total = …`.
            Meant::Nothing(types)
                if self.targets.iter().any(|t| types.iter().any(|of| self.adds_to(t, of))) =>
            {
                return None;
            }
            Meant::Nothing(_) => return Some((Textual, Vec::new())),
            Meant::Members(all) => (Resolved, all),
            Meant::Possible(all) => (InScope, all),
        };
        let mut of: Vec<usize> = all.iter().flat_map(|one| self.declared(one)).collect();
        of.sort_unstable();
        of.dedup();
        Some(if of.is_empty() { (Textual, of) } else { (confidence, of) })
    }

    /// Whether a definition may be a member that is added to a type of this name, not one of another type that is called so.
    fn adds_to(&self, t: &Target, of: &str) -> bool {
        t.container.strip_suffix(".prototype").is_some_and(|own| own == of)
            || t.owner == of && self.script.is_for_others(t.file, t.line)
    }

    /// What `this.name` means in the options of a component of Vue: one of its own methods or computed values. What is among those
    /// it watches has the name of a value and isn't it.
    pub(super) fn in_component(&self, o: &Occurrence, spelt: &str) -> Option<Verdict> {
        if self.language() != "vue" || o.receiver.as_deref() != Some("this") {
            return None;
        }
        let root = self.source.tree.root_node();
        let node = root.descendant_for_byte_range(o.at, o.at + spelt.len())?;
        if !is_of_options(&ancestors(root, node)) {
            return None;
        }
        let text = &self.source.text;
        let is_options = |around: &Node<'_>| {
            let key = around.child_by_field_name("key").filter(|_| around.kind() == "pair");
            key.is_some_and(|key| matches!(slice(key, text), "methods" | "computed"))
        };
        let is_own = |line: u32| {
            let mut named = self.source.outline.symbols.iter().filter(|s| s.line == line && s.name == spelt);
            named.any(|s| {
                let begins = root.descendant_for_byte_range(s.start, s.start + 1);
                begins.is_some_and(|leaf| ancestors(root, leaf).iter().any(is_options))
            })
        };
        let of = self.targets_where(|t| t.file == self.file && t.kind == Kind::Method && is_own(t.line));
        (!of.is_empty()).then_some((Resolved, of))
    }

    /// The targets that are declared there, and those that override them or that they override.
    fn declared(&self, member: &Declared) -> Vec<usize> {
        if let Some(known) = self.on_members.borrow().get(member) {
            return known.clone();
        }
        let mut of = self.targets_where(|t| (t.file, t.line) == (member.file, member.line));
        if let Some(asked_of) = member.asked_of.as_ref().filter(|_| !of.is_empty()) {
            of = self.with_overrides(&of, asked_of);
        }
        self.on_members.borrow_mut().insert(member.clone(), of.clone());
        of
    }

    /// The fields that a name means that stands for a variable as well: `{ lines }`.
    pub(super) fn fields_of_shorthand(&self, o: &Occurrence, spelt: &str) -> Vec<usize> {
        let root = self.source.tree.root_node();
        let node = root.descendant_for_byte_range(o.at, o.at + spelt.len());
        if self.language() == "rust" {
            return self.fields_of_literal(o, spelt);
        }
        match node.and_then(|node| self.resolve_script(node)) {
            Some((Resolved, of)) => of,
            _ => Vec::new(),
        }
    }

    /// What such a name means: these fields, and the value that it stands for.
    pub(super) fn with_fields(
        &self,
        o: &Occurrence,
        outline: &Outline,
        name: &str,
        mut of: Vec<usize>,
    ) -> Verdict {
        if !o.local && o.role != Role::Definition {
            let (confidence, value) = self.resolve(o, outline, name, name);
            if confidence != InScope {
                of.extend(value);
            }
        }
        of.sort_unstable();
        of.dedup();
        (Resolved, of)
    }
}

/// Whether `this` behind a path of nodes is what a literal's own functions are called on, as Vue calls those of a component's options:
/// `pay() { this.go(); }`, `pay: debounce(function () { … })`. A function inside of another one has a `this` of its own.
fn is_of_options(path: &[Node<'_>]) -> bool {
    let is_function = |of: &Node<'_>| of.kind().contains("function") || of.kind() == "method_definition";
    let Some(first) = path.iter().position(is_function) else { return false };
    let has_own_this = |of: &Node<'_>| is_function(of) && of.kind() != "arrow_function";
    path.iter().rposition(has_own_this) == Some(first)
        && matches!(path[first].kind(), "method_definition" | "function_expression" | "generator_function")
        && path[..first].iter().any(|around| around.kind() == "object")
        && !path.iter().any(|around| around.kind() == "class_body")
}
