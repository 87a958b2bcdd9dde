//! Tells whether the receiver before a dot is a variable that is called like an import: in `def pay(cart): cart.total()`, `cart` isn't
//! the module that the file imports. Doesn't know the variable's type.

use std::rc::Rc;

use tree_sitter::Node;

use super::occurrences::Occurrence;
use super::resolution::FileContext;
use super::scopes::Bindings;
use super::syntax_nodes::{ancestors, binds, is_name};
use super::text_matches::whole_words;
use crate::symbols::Outline;

/// No more places of a variable are looked at.
const MAX_PLACES: usize = 400;
/// No name is so deep below the import that brings it.
const MAX_UP: usize = 6;

impl FileContext<'_> {
    /// Whether a scope within the file binds the name that is the receiver at an occurrence, and no import does there.
    pub(super) fn is_shadowed(&self, o: &Occurrence, outline: &Outline, receiver: &str) -> bool {
        let language = self.language();
        let is_scoped = matches!(language, "typescript" | "tsx" | "javascript" | "svelte" | "vue" | "python");
        let before = self.source.text.get(..o.at).unwrap_or_default().trim_end();
        let before = before.strip_suffix('.').map(|before| before.trim_end_matches(['?', '!']).trim_end());
        let Some(before) = before.filter(|before| is_scoped && before.ends_with(receiver)) else {
            return false;
        };
        let imports = outline.imports.iter();
        let imports = imports.filter(|import| import.bound.iter().any(|(here, _)| here == receiver));
        let imported: Vec<u32> = imports.map(|import| import.line).collect();
        // `try: import cart` and `except ImportError: cart = None` in one function
        let around = o.inside.and_then(|i| outline.symbols.get(i));
        let has_import = |line: &u32| around.is_some_and(|s| (s.start_line..=s.end_line).contains(line));
        if imported.iter().any(has_import) {
            return false;
        }
        let root = self.source.tree.root_node();
        let node = root.descendant_for_byte_range(before.len() - receiver.len(), before.len());
        node.filter(|node| is_name(*node))
            .is_some_and(|node| self.bindings_of(receiver, &imported).is_inner(root, node, language))
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
