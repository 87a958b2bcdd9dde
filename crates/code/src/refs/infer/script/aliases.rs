//! Conditions that have a name: `const isCart = one.kind === 'cart'`. Where such a constant is true, so is what it's set to.

use std::collections::HashMap;
use std::rc::Rc;

use tree_sitter::Node;

use super::super::super::text_matches::whole_words;
use super::super::lookup::Source;
use super::names::Name;
use super::ty::Place;
use super::{Script, children};

/// Conditions are looked through no deeper.
const MAX_INNER: u32 = 6;

/// The constants of a file that may be conditions by their names: where each is named, and what it's set to.
pub(super) type Aliases = HashMap<String, Vec<(Place, Place)>>;

impl Script<'_> {
    /// Whether a condition is, or has as a part, a constant that is set to a condition which names a value.
    pub(super) fn has_alias(&self, s: &Source, condition: Node<'_>, text: &str) -> bool {
        !self.aliases(s).is_empty() && self.has_alias_to(s, condition, text, MAX_INNER)
    }

    fn has_alias_to(&self, s: &Source, condition: Node<'_>, text: &str, depth: u32) -> bool {
        match condition.kind() {
            "identifier" => self.aliased(s, condition, text).is_some(),
            "parenthesized_expression" | "unary_expression" | "binary_expression" if depth > 0 => {
                children(condition).into_iter().any(|part| self.has_alias_to(s, part, text, depth - 1))
            }
            _ => false,
        }
    }

    /// What a constant is set to that a condition names, if that asks about a variable which is never set to anything else.
    pub(super) fn aliased<'t>(&self, s: &'t Source, name: Node<'t>, text: &str) -> Option<Node<'t>> {
        let all = self.aliases(s);
        let known = all.get(s.text_of(name))?;
        let variable = self.meaning(s, name, text, false);
        if text.contains('.') || self.is_ever_set(s, name, text, &variable) {
            return None;
        }
        let Name::Declared(declared) = self.meaning(s, name, s.text_of(name), false) else { return None };
        let [declared] = &*declared else { return None };
        let (_, value) = known.iter().find(|(own, _)| own == declared)?;
        let value = value.node(s)?;
        let is_meant = whole_words(s.text_of(value), text).next().is_some()
            && self.meaning(s, value, text, false) == variable;
        // What isn't a guard says nothing.
        let is_told = value.kind() != "call_expression" || self.guarded(s, value, text).is_some();
        (is_meant && is_told).then_some(value)
    }

    /// The constants of a file that may be conditions.
    pub(super) fn aliases(&self, s: &Source) -> Rc<Aliases> {
        if let Some(known) = self.aliases.borrow().get(&s.file) {
            return Rc::clone(known);
        }
        let found = Rc::new(aliases_in(s));
        self.aliases.borrow_mut().insert(s.file, Rc::clone(&found));
        found
    }
}

fn aliases_in(s: &Source) -> Aliases {
    let mut out = Aliases::new();
    let mut cursor = s.tree.walk();
    loop {
        let node = cursor.node();
        let alias = (node.kind() == "variable_declarator").then(|| alias(s, node)).flatten();
        if let Some((name, value)) = alias {
            let places = (Place::of(s, name), Place::of(s, value));
            out.entry(s.text_of(name).to_owned()).or_default().push(places);
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return out;
            }
        }
    }
}

/// The name and the value of a constant that may be a condition.
fn alias<'t>(s: &Source, declarator: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
    let field = |name: &str| declarator.child_by_field_name(name);
    let kind = declarator.parent()?.child_by_field_name("kind")?;
    let name = field("name").filter(|name| name.kind() == "identifier" && s.text_of(kind) == "const")?;
    let value = field("value").filter(|_| field("type").is_none())?;
    let is_condition = matches!(
        value.kind(),
        "binary_expression" | "unary_expression" | "call_expression" | "parenthesized_expression"
    );
    is_condition.then_some((name, value))
}
