//! Finds the type of a Go variable at its nearest preceding declaration.

use tree_sitter::Node;

use super::super::super::syntax_nodes::ancestors;
use super::super::Ty;
use super::super::lookup::Source;
use super::{Go, basic};

impl Go<'_> {
    /// The type of the local variable `name` at `node`; `None` without such a variable.
    pub(super) fn local(&self, s: &Source, node: Node<'_>, name: &str) -> Option<Ty> {
        let mut case = None;
        let mut at = node;
        for around in ancestors(s.tree.root_node(), node).into_iter().rev() {
            let field = |name: &str| around.child_by_field_name(name);
            let inside = |field: Option<Node<'_>>| field.is_some_and(|field| field.id() == at.id());
            let found = match around.kind() {
                "statement_list" => self.preceding_declaration(s, around, at, name),
                "for_statement" => {
                    let head = around.named_child(0).filter(|head| head.id() != at.id());
                    head.and_then(|head| match head.kind() {
                        "range_clause" => self.range_type(s, head, name),
                        "for_clause" => self.statement(s, head.child_by_field_name("initializer")?, name),
                        _ => None,
                    })
                }
                "if_statement" | "expression_switch_statement" => {
                    let head = field("initializer").filter(|_| !inside(field("initializer")));
                    head.and_then(|head| self.statement(s, head, name))
                }
                "type_case" => {
                    case = Some(around);
                    None
                }
                "type_switch_statement" => {
                    let alias = field("alias").filter(|alias| s.text_of(*alias).trim() == name);
                    let head = || field("initializer").and_then(|head| self.statement(s, head, name));
                    match (alias, field("value")) {
                        (Some(_), Some(value)) if !inside(field("value")) => {
                            Some(self.type_switch_type(s, case, value))
                        }
                        _ if inside(field("initializer")) => None,
                        _ => head(),
                    }
                }
                "communication_case" => {
                    let head = field("communication").filter(|_| !inside(field("communication")));
                    head.filter(|head| head.kind() == "receive_statement")
                        .and_then(|head| self.assigned_type(s, head, name))
                }
                "function_declaration" | "method_declaration" | "func_literal" => {
                    let lists = ["parameters", "receiver", "result"].into_iter().filter_map(field);
                    lists
                        .filter(|list| list.kind() == "parameter_list")
                        .find_map(|list| self.parameter(s, list, name))
                }
                _ => None,
            };
            if found.is_some() {
                return found;
            }
            at = around;
        }
        None
    }

    /// Whether `name` is a type parameter of a function or type around `node`.
    pub(super) fn type_parameter(&self, s: &Source, node: Node<'_>, name: &str) -> bool {
        for around in ancestors(s.tree.root_node(), node).into_iter().rev() {
            if let Some(list) = around.child_by_field_name("type_parameters") {
                let mut cursor = list.walk();
                let named = list.named_children(&mut cursor).any(|declaration| {
                    let mut cursor = declaration.walk();
                    declaration.children_by_field_name("name", &mut cursor).any(|n| s.text_of(n) == name)
                });
                if named {
                    return true;
                }
            }
        }
        false
    }

    /// The nearest declaration among the statements of a list in front of `at`.
    fn preceding_declaration(&self, s: &Source, list: Node<'_>, at: Node<'_>, name: &str) -> Option<Ty> {
        let names = |node: Node<'_>, out: &mut Vec<String>| declared_names(s, node, out);
        let mut place = at.start_byte();
        while let Some(node) = s.parts.last_before(list, name, place, &names) {
            if let Some(found) = self.statement(s, node, name) {
                return Some(found);
            }
            place = node.start_byte();
        }
        None
    }

    fn statement(&self, s: &Source, node: Node<'_>, name: &str) -> Option<Ty> {
        match node.kind() {
            "short_var_declaration" => self.assigned_type(s, node, name),
            "labeled_statement" => self.statement(s, node.named_child(1)?, name),
            "var_declaration" | "const_declaration" | "var_spec_list" => {
                let mut cursor = node.walk();
                let inner: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
                inner.into_iter().find_map(|inner| self.statement(s, inner, name))
            }
            "var_spec" | "const_spec" => {
                let mut cursor = node.walk();
                let named =
                    node.children_by_field_name("name", &mut cursor).find(|n| s.text_of(*n) == name)?;
                self.declared_type(s, node, named)
            }
            _ => None,
        }
    }

    /// The type that `var name T = value` gives the name.
    pub(super) fn declared_type(&self, s: &Source, spec: Node<'_>, named: Node<'_>) -> Option<Ty> {
        if let Some(of) = spec.child_by_field_name("type") {
            return Some(self.ty(s, of));
        }
        let mut cursor = spec.walk();
        let names = spec.children_by_field_name("name", &mut cursor).filter(Node::is_named);
        let place = names.into_iter().position(|node| node.id() == named.id())?;
        let Some(values) = spec.child_by_field_name("value") else { return Some(basic()) };
        Some(self.nth(s, values, place))
    }

    /// The type that `a, b := …` gives the name.
    fn assigned_type(&self, s: &Source, node: Node<'_>, name: &str) -> Option<Ty> {
        let place = place_in(s, node.child_by_field_name("left")?, name)?;
        Some(self.nth(s, node.child_by_field_name("right")?, place))
    }

    /// The value in a place of a list, or of the one that gives several.
    fn nth(&self, s: &Source, values: Node<'_>, place: usize) -> Ty {
        let list = values.kind() == "expression_list";
        let count = if list { values.named_child_count() } else { 1 };
        let at = |i: usize| {
            if list { u32::try_from(i).ok().and_then(|i| values.named_child(i)) } else { Some(values) }
        };
        if count > 1 {
            return at(place).map_or(Ty::Unknown, |value| self.of(s, value));
        }
        let Some(value) = at(0) else { return Ty::Unknown };
        match self.of(s, value) {
            Ty::Tuple(of) => of.get(place).cloned().unwrap_or(Ty::Unknown),
            // The second of `v, ok := m[k]` says whether there is one; that of a foreign call is foreign.
            one if place == 0 => one,
            Ty::Foreign(_) => Ty::Foreign("?".to_owned()),
            _ => basic(),
        }
    }

    fn range_type(&self, s: &Source, clause: Node<'_>, name: &str) -> Option<Ty> {
        let place = place_in(s, clause.child_by_field_name("left")?, name)?;
        let over = self.of(s, clause.child_by_field_name("right")?);
        Some(match (self.underlying(&over), place) {
            (Ty::List(_), 0) => basic(),
            (Ty::List(of), 1) | (Ty::Channel(of), 0) | (Ty::Map(of, _), 0) | (Ty::Map(_, of), 1) => *of,
            (Ty::Foreign(_), _) => Ty::Foreign("?".to_owned()),
            _ => Ty::Unknown,
        })
    }

    /// The variable of a switch over types, in one of its cases.
    fn type_switch_type(&self, s: &Source, case: Option<Node<'_>>, value: Node<'_>) -> Ty {
        let types: Vec<Node<'_>> = case.map_or(Vec::new(), |case| {
            let mut cursor = case.walk();
            case.children_by_field_name("type", &mut cursor).filter(Node::is_named).collect()
        });
        match types.as_slice() {
            [of] => self.ty(s, *of),
            _ => self.of(s, value),
        }
    }

    fn parameter(&self, s: &Source, list: Node<'_>, name: &str) -> Option<Ty> {
        let mut cursor = list.walk();
        for declaration in list.named_children(&mut cursor) {
            let mut inner = declaration.walk();
            if declaration.children_by_field_name("name", &mut inner).any(|n| s.text_of(n) == name) {
                let of = self.ty(s, declaration.child_by_field_name("type")?);
                let many = declaration.kind() == "variadic_parameter_declaration";
                return Some(if many { Ty::List(Box::new(of)) } else { of });
            }
        }
        None
    }
}

/// Adds the names that a statement declares.
fn declared_names(s: &Source, node: Node<'_>, out: &mut Vec<String>) {
    let mut cursor = node.walk();
    match node.kind() {
        "short_var_declaration" => match node.child_by_field_name("left") {
            Some(list) if list.kind() == "expression_list" => {
                let mut cursor = list.walk();
                out.extend(list.named_children(&mut cursor).map(|name| s.text_of(name).to_owned()));
            }
            Some(name) => out.push(s.text_of(name).to_owned()),
            None => {}
        },
        "labeled_statement" => {
            if let Some(inner) = node.named_child(1) {
                declared_names(s, inner, out);
            }
        }
        "var_declaration" | "const_declaration" | "var_spec_list" => {
            for inner in node.named_children(&mut cursor) {
                declared_names(s, inner, out);
            }
        }
        "var_spec" | "const_spec" => {
            let names = node.children_by_field_name("name", &mut cursor);
            out.extend(names.map(|name| s.text_of(name).to_owned()));
        }
        _ => {}
    }
}

/// The position of a name in a list of names.
fn place_in(s: &Source, list: Node<'_>, name: &str) -> Option<usize> {
    if list.kind() != "expression_list" {
        return (s.text_of(list) == name).then_some(0);
    }
    let mut cursor = list.walk();
    list.named_children(&mut cursor).position(|node| s.text_of(node) == name)
}
