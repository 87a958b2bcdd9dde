//! Tells whether the receiver before a dot is a variable that is called like an import or a field: in `def pay(cart): cart.total()`,
//! `cart` isn't the module that the file imports. Doesn't know what else a variable may be.

use std::rc::Rc;

use tree_sitter::Node;

use super::binders::binds;
use super::occurrences::Occurrence;
use super::resolution::FileContext;
use super::scopes::Bindings;
use super::syntactic_types::type_of;
use super::syntax_nodes::{ancestors, is_name};
use super::text_matches::whole_words;
use crate::grammar::Kind;
use crate::language::is_script;
use crate::symbols::{Outline, Symbol};

/// No more places of a variable are looked at.
const MAX_PLACES: usize = 400;
/// No name is so deep below the import that brings it.
const MAX_UP: usize = 6;

impl FileContext<'_> {
    /// Whether a scope within the file binds the name that is the receiver at an occurrence, and no import does there.
    pub(super) fn is_shadowed(&self, o: &Occurrence, outline: &Outline, receiver: &str) -> bool {
        let language = self.language();
        let is_scoped = matches!(language, "typescript" | "tsx" | "javascript" | "svelte" | "vue" | "python");
        let Some(node) = self.receiver_at(o, receiver).filter(|_| is_scoped) else { return false };
        let imports = outline.imports.iter();
        let imports = imports.filter(|import| import.bound.iter().any(|(here, _)| here == receiver));
        let imported: Vec<u32> = imports.map(|import| import.line).collect();
        // `try: import cart` and `except ImportError: cart = None` in one function
        let around = o.inside.and_then(|i| outline.symbols.get(i));
        let has_import = |line: &u32| around.is_some_and(|s| (s.start_line..=s.end_line).contains(line));
        if imported.iter().any(has_import) {
            return false;
        }
        self.bindings_of(receiver, &imported).is_inner(self.source.tree.root_node(), node, language)
    }

    /// Whether the type of a receiver is that of a field that a variable here hides: with `Cart cart;` in its class, nothing is known of
    /// `cart` behind `var cart = open();`.
    pub(super) fn is_of_hidden_field(&self, o: &Occurrence, outline: &Outline, receiver: &str) -> bool {
        let language = self.language();
        let is_bare = matches!(language, "csharp" | "java" | "kotlin" | "scala" | "swift");
        let around = o.inside.and_then(|i| outline.symbols.get(i)).filter(|_| is_bare);
        let Some(around) = around else { return false };
        let declares = |s: &Symbol| match s.kind {
            Kind::Field => s.name == receiver && s.container == around.container,
            // `class Shop(val cart: Cart)`
            kind => {
                let is_around = kind.is_type() && s.start <= o.at && o.at < s.end;
                is_around && whole_words(&s.signature, receiver).next().is_some()
            }
        };
        if !outline.symbols.iter().any(declares) {
            return false;
        }
        let Some(node) = self.receiver_at(o, receiver) else { return false };
        if !self.bindings_of(receiver, &[]).is_local(self.source.tree.root_node(), node, language) {
            return false;
        }
        let own = self.source.text.get(around.start..around.end);
        let (Some(text), Some(at)) = (own, o.at.checked_sub(around.start)) else { return false };
        let returned = |called: &str| self.returned(called);
        !copies(text, receiver, language) && type_of(receiver, at, text, &[], None, &returned, true).is_none()
    }

    /// Whether a receiver of TypeScript begins with a variable whose type isn't evident from its declaration on, so that a known type is
    /// that of an outer one that it hides: with `const cart: Cart` around, nothing is known of `cart` in `(cart) => cart.total`.
    pub(super) fn is_of_hidden_variable(&self, o: &Occurrence, receiver: &str) -> bool {
        let language = self.language();
        let is_script = is_script(language);
        let first = receiver.split(['.', '?', '!']).next().unwrap_or(receiver);
        let start = self.receiver_start(o, receiver).filter(|_| is_script);
        let node = start.and_then(|start| self.name_at(start, start + first.len()));
        let from = node.and_then(|node| self.script.declared_from(self.source, node));
        let own = from.and_then(|from| self.source.text.get(from..o.at));
        let returned = |called: &str| self.returned(called);
        own.is_some_and(|text| type_of(first, text.len(), text, &[], None, &returned, false).is_none())
    }

    /// The receiver before the dot at an occurrence, if it's a name alone.
    fn receiver_at(&self, o: &Occurrence, receiver: &str) -> Option<Node<'_>> {
        let start = self.receiver_start(o, receiver)?;
        self.name_at(start, start + receiver.len())
    }

    /// Where the receiver before the dot at an occurrence begins.
    fn receiver_start(&self, o: &Occurrence, receiver: &str) -> Option<usize> {
        let before = self.source.text.get(..o.at)?.trim_end().strip_suffix('.')?;
        let before = before.trim_end_matches(['?', '!']).trim_end();
        Some(before.strip_suffix(receiver)?.len())
    }

    /// The name between two places, if there is one.
    fn name_at(&self, start: usize, end: usize) -> Option<Node<'_>> {
        let node = self.source.tree.root_node().descendant_for_byte_range(start, end);
        node.filter(|node| is_name(*node))
    }

    /// What binds a name in this file but the imports on these lines.
    fn bindings_of(&self, name: &str, imported: &[u32]) -> Rc<Bindings> {
        if let Some(known) = self.bound.borrow().get(name) {
            return Rc::clone(known);
        }
        let root = self.source.tree.root_node();
        let mut out = Bindings::default();
        for at in whole_words(&self.source.text, name).take(MAX_PLACES) {
            let range = at..at + name.len();
            let node = root.descendant_for_byte_range(range.start, range.end);
            let Some(node) = node.filter(|n| n.byte_range() == range && is_name(*n) && binds(*n)) else {
                continue;
            };
            // `const { cart } = require('./cart');` in a function is an import.
            let is_import = |one: &Node<'_>| {
                let line = |row: usize| u32::try_from(row + 1).unwrap_or(u32::MAX);
                let (first, last) = (line(one.start_position().row), line(one.end_position().row));
                let declares = one.kind() == "variable_declarator";
                imported.iter().any(|on| first == *on || declares && (first..=last).contains(on))
            };
            let path = ancestors(root, node);
            if !path.get(1..).unwrap_or_default().iter().rev().take(MAX_UP).any(is_import) {
                out.add(root, node, None, self.language());
            }
        }
        let out = Rc::new(out);
        self.bound.borrow_mut().insert(name.to_owned(), Rc::clone(&out));
        out
    }
}

/// Whether a text gives a variable the field of its name: `var cart = this.cart;`, `val cart = cart ?: return`, `if let cart {`,
/// `cart?.let { cart -> … }`.
fn copies(text: &str, name: &str, language: &str) -> bool {
    whole_words(text, name).take(MAX_PLACES).any(|at| {
        let (before, after) = (text[..at].trim_end(), text[at + name.len()..].trim_start());
        let value = after.strip_prefix('=').map(str::trim_start).unwrap_or_default();
        let own =
            ["this.", "self.", "self?."].iter().find_map(|own| value.strip_prefix(own)).unwrap_or(value);
        let is_more = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '(' | '[');
        let is_other = |rest: &str| {
            rest.starts_with(is_more)
                || ["?.", " as ", " as?", " as!"].iter().any(|more| rest.starts_with(more))
        };
        let is_copy = own.strip_prefix(name).is_some_and(|rest| !is_other(rest));
        let is_unwrapped = language == "swift"
            && (before.ends_with("let") || before.ends_with("var"))
            && (after.starts_with(['{', ',']) || after.starts_with("else"));
        is_copy || is_unwrapped || is_given(after, name)
    })
}

/// Whether what is behind a value gives it to a lambda of Kotlin by this name: `?.let { cart -> … }`.
fn is_given(after: &str, name: &str) -> bool {
    let called = after.trim_start_matches(['?', '!']).strip_prefix('.');
    let given = called.and_then(|rest| rest.strip_prefix("let").or_else(|| rest.strip_prefix("also")));
    let lambda = given.and_then(|rest| rest.trim_start().strip_prefix('{'));
    let parameter = lambda.and_then(|inner| inner.trim_start().strip_prefix(name));
    parameter.is_some_and(|rest| rest.trim_start().starts_with("->"))
}

#[cfg(test)]
mod tests {
    use super::copies;

    #[test]
    fn a_copy_of_a_field_has_its_type() {
        for (text, expected) in [
            ("var cart = this.cart;", true),
            ("let cart = self.cart", true),
            ("val cart = cart ?: return", true),
            ("val cart = cart!!", true),
            ("if let cart { }", true),
            ("guard let cart else { return }", true),
            ("if let cart = cart, open { }", true),
            ("guard let cart = self?.cart else { return }", true),
            ("cart?.let { cart -> pay(cart) }", true),
            ("this.cart.also { cart -> pay(cart) }", true),
            ("till?.let { cart -> pay(cart) }", false),
            ("cart?.let { till -> pay(till) }", false),
            ("if let cart = cart as? Till { }", false),
            ("var cart = this.carts;", false),
            ("var cart = cart.copy();", false),
            ("val cart = cart?.copy()", false),
            ("var cart = open();", false),
            ("for cart in all { cart.pay() }", false),
            ("run { cart, x in x }", false),
        ] {
            assert_eq!(copies(text, "cart", "swift"), expected, "{text}");
        }
        assert!(!copies("var cart, other = open();", "cart", "csharp"));
    }
}
