//! Tells whether a file declares a member for a type of other files: in `declare module './cart' { interface Cart {…} }`, in
//! `declare global {…}`, or in a file whose declarations are for all. A class in a module of its own is another class.

use super::super::lookup::Source;
use super::{Script, children};

impl Script<'_> {
    /// Whether the member that is declared on a line of a file may be one of a type of another file.
    pub(in crate::refs) fn is_for_others(&self, file: usize, line: u32) -> bool {
        if let Some(known) = self.for_others.borrow().get(&(file, line)) {
            return *known;
        }
        let source = self.source(file);
        self.end();
        let Some(source) = source else { return true };
        let found = is_for_others(&source, line);
        self.for_others.borrow_mut().insert((file, line), found);
        found
    }
}

fn is_for_others(s: &Source, line: u32) -> bool {
    // The last one of the line is inside of the type that is on it.
    let Some(symbol) = s.outline.symbols.iter().rfind(|symbol| symbol.line == line) else { return true };
    let root = s.tree.root_node();
    let mut at = root.descendant_for_byte_range(symbol.start, symbol.start);
    let mut in_type = false;
    while let Some(node) = at {
        match node.kind() {
            "module" | "internal_module" => return true,
            "ambient_declaration"
                if children(node).first().is_some_and(|of| of.kind() == "statement_block") =>
            {
                return true;
            }
            "class_body" | "interface_body" => in_type = true,
            _ => {}
        }
        at = node.parent();
    }
    // `Cart.total = …`
    let is_module = |kind: &str| matches!(kind, "import_statement" | "export_statement");
    !in_type || !children(root).iter().any(|one| is_module(one.kind()))
}
