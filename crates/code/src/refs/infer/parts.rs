//! Remembers which parts of a node declare a name: the statements of a block, the fields of a struct, the variants of an enumeration.
//! A name may be asked for thousands of times in a node with thousands of parts. Doesn't know what they declare it as.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

use tree_sitter::Node;

/// The places of the parts that declare each name, in their order.
type ByName = HashMap<String, Vec<Range<usize>>>;

/// The parts of the nodes of one tree that were asked about, by where each node is.
#[derive(Debug, Default)]
pub(super) struct Parts {
    nodes: RefCell<HashMap<Range<usize>, ByName>>,
}

impl Parts {
    /// The last part of a node in front of a place that may declare `name`; `names` adds those that a part may declare.
    pub(super) fn last_before<'t>(
        &self,
        of: Node<'t>,
        name: &str,
        place: usize,
        names: &dyn Fn(Node<'t>, &mut Vec<String>),
    ) -> Option<Node<'t>> {
        let found = self.find(of, name, names, |parts| {
            parts[..parts.partition_point(|part| part.start < place)].last().cloned()
        })?;
        of.descendant_for_byte_range(found.start, found.end)
    }

    /// The first part of a node that may declare `name`.
    pub(super) fn first<'t>(
        &self,
        of: Node<'t>,
        name: &str,
        names: &dyn Fn(Node<'t>, &mut Vec<String>),
    ) -> Option<Node<'t>> {
        let found = self.find(of, name, names, |parts| parts.first().cloned())?;
        of.descendant_for_byte_range(found.start, found.end)
    }

    fn find<'t>(
        &self,
        of: Node<'t>,
        name: &str,
        names: &dyn Fn(Node<'t>, &mut Vec<String>),
        choose: impl Fn(&[Range<usize>]) -> Option<Range<usize>>,
    ) -> Option<Range<usize>> {
        let mut nodes = self.nodes.borrow_mut();
        let parts = nodes.entry(of.byte_range()).or_insert_with(|| by_name(of, names));
        parts.get(name).and_then(|parts| choose(parts))
    }
}

fn by_name<'t>(of: Node<'t>, names: &dyn Fn(Node<'t>, &mut Vec<String>)) -> ByName {
    let mut out = ByName::new();
    let mut declared = Vec::new();
    let mut cursor = of.walk();
    for part in of.named_children(&mut cursor) {
        names(part, &mut declared);
        for name in declared.drain(..) {
            let parts = out.entry(name).or_default();
            // A part may have a name twice: `Line { total: total }`.
            if parts.last() != Some(&part.byte_range()) {
                parts.push(part.byte_range());
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::{language, parse};

    /// However often a block is asked, each of its statements is looked at once.
    #[test]
    fn a_statement_is_looked_at_once_however_many_names_are_asked_for() {
        let count = 2_000;
        let statements: String = (0..count).map(|i| format!("let a{i} = {i}; let b = a{i};\n")).collect();
        let text = format!("fn f() {{\n{statements}}}\n");
        let grammar = language::by_name("rust").and_then(language::Language::grammar).unwrap();
        let tree = parse::parse(grammar, &text, parse::MAX_STEPS).unwrap();
        let function = tree.root_node().named_child(0).unwrap();
        let block = function.child_by_field_name("body").unwrap();
        let looked = Cell::new(0);
        let names = |part: Node<'_>, out: &mut Vec<String>| {
            looked.set(looked.get() + 1);
            let pattern = part.child_by_field_name("pattern");
            out.extend(pattern.map(|pattern| text[pattern.byte_range()].to_owned()));
        };
        let parts = Parts::default();
        for i in 0..count {
            let value = format!("= a{i};");
            let at = text.find(&value).unwrap();
            let found = parts.last_before(block, &format!("a{i}"), at, &names).unwrap();
            assert_eq!(&text[found.byte_range()], format!("let a{i} = {i};"));
            // Of several, the nearest in front.
            let earlier = parts.last_before(block, "b", at, &names).map(|node| node.start_byte());
            assert_eq!(earlier, text[..at].rfind("let b"));
        }
        assert!(parts.last_before(block, "c", text.len(), &names).is_none());
        assert_eq!(parts.first(block, "b", &names).map(|node| node.start_byte()), text.find("let b"));
        assert_eq!(looked.get(), 2 * count);
    }
}
