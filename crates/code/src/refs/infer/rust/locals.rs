//! Finds the types of Rust variables: parameters, `let`, and pattern bindings.

use tree_sitter::Node;

use super::super::super::syntax_nodes::ancestors;
use super::super::super::text_matches::whole_words;
use super::super::Ty;
use super::super::lookup::Source;
use super::{Rust, Value, standard};

impl Rust<'_> {
    /// The type of the local variable `name` at `node`; `None` without such a variable.
    pub(super) fn local(&self, s: &Source, node: Node<'_>, name: &str) -> Option<Ty> {
        let mut at = node;
        for around in ancestors(s.tree.root_node(), node).into_iter().rev() {
            let field = |name: &str| around.child_by_field_name(name);
            let inside = |name: &str| field(name).is_some_and(|field| field.id() == at.id());
            let found = match around.kind() {
                "block" => self.preceding_binding(s, around, at, name),
                "match_arm" => {
                    let matched = around.parent().and_then(|block| block.parent());
                    let value = matched.and_then(|matched| matched.child_by_field_name("value"));
                    field("pattern").and_then(|pattern| {
                        let pattern = pattern
                            .named_child(0)
                            .filter(|_| pattern.kind() == "match_pattern")
                            .unwrap_or(pattern);
                        self.bind(s, pattern, name, &|| value.map_or(Ty::Unknown, |value| self.of(s, value)))
                    })
                }
                "if_expression" | "while_expression" if !inside("condition") && !inside("alternative") => {
                    field("condition").and_then(|condition| self.condition(s, condition, name))
                }
                "let_chain" => {
                    let mut earlier = at.prev_named_sibling();
                    let mut found = None;
                    while let Some(node) = earlier.filter(|_| found.is_none()) {
                        found = self.condition(s, node, name);
                        earlier = node.prev_named_sibling();
                    }
                    found
                }
                "for_expression" if inside("body") => field("pattern").and_then(|pattern| {
                    self.bind(s, pattern, name, &|| {
                        standard::element(&field("value").map_or(Ty::Unknown, |value| self.of(s, value)))
                    })
                }),
                "closure_expression" if inside("body") => {
                    field("parameters").and_then(|list| self.closure_parameter(s, around, list, name))
                }
                "function_item" => field("parameters").and_then(|list| self.parameter(s, list, name)),
                _ => None,
            };
            if found.is_some() {
                return found;
            }
            if around.kind() == "function_item" {
                return None;
            }
            at = around;
        }
        None
    }

    /// The nearest `let` of a block in front of `at`.
    fn preceding_binding(&self, s: &Source, block: Node<'_>, at: Node<'_>, name: &str) -> Option<Ty> {
        // All words of a pattern, of which it may bind some.
        let names = |node: Node<'_>, out: &mut Vec<String>| {
            let pattern = node.child_by_field_name("pattern").filter(|_| node.kind() == "let_declaration");
            let words = pattern.map_or("", |pattern| s.text_of(pattern));
            let words = words.split(|c: char| !c.is_alphanumeric() && c != '_');
            out.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
        };
        let word = name.strip_prefix("r#").unwrap_or(name);
        let mut place = at.start_byte();
        while let Some(node) = s.parts.last_before(block, word, place, &names) {
            let of = || match (node.child_by_field_name("type"), node.child_by_field_name("value")) {
                (Some(of), value) => match (self.ty(s, of), value) {
                    (Ty::Unknown, Some(value)) => self.of(s, value),
                    (ty, _) => ty,
                },
                (None, Some(value)) => self.of(s, value),
                (None, None) => Ty::Unknown,
            };
            let pattern = node.child_by_field_name("pattern");
            if let Some(found) = pattern.and_then(|pattern| self.bind(s, pattern, name, &of)) {
                return Some(found);
            }
            place = node.start_byte();
        }
        None
    }

    /// The type that `if let` and `while let` give the name.
    fn condition(&self, s: &Source, node: Node<'_>, name: &str) -> Option<Ty> {
        match node.kind() {
            "let_condition" => {
                let value = node.child_by_field_name("value")?;
                self.bind(s, node.child_by_field_name("pattern")?, name, &|| self.of(s, value))
            }
            "let_chain" => {
                let mut cursor = node.walk();
                let inner: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
                inner.into_iter().rev().find_map(|node| self.condition(s, node, name))
            }
            _ => None,
        }
    }

    fn parameter(&self, s: &Source, list: Node<'_>, name: &str) -> Option<Ty> {
        let mut cursor = list.walk();
        let all: Vec<Node<'_>> =
            list.named_children(&mut cursor).filter(|n| n.kind() == "parameter").collect();
        all.into_iter().find_map(|parameter| {
            let of = || parameter.child_by_field_name("type").map_or(Ty::Unknown, |of| self.ty(s, of));
            self.bind(s, parameter.child_by_field_name("pattern")?, name, &of)
        })
    }

    /// A closure's parameter, by the method it is passed to.
    fn closure_parameter(&self, s: &Source, closure: Node<'_>, list: Node<'_>, name: &str) -> Option<Ty> {
        let mut cursor = list.walk();
        let all: Vec<Node<'_>> =
            list.children(&mut cursor).filter(|n| n.is_named() || n.kind() == "_").collect();
        all.iter().enumerate().find_map(|(place, parameter)| {
            if parameter.kind() == "parameter" {
                let of = || parameter.child_by_field_name("type").map_or(Ty::Unknown, |of| self.ty(s, of));
                return self.bind(s, parameter.child_by_field_name("pattern")?, name, &of);
            }
            self.bind(s, *parameter, name, &|| {
                self.closure_argument_type(s, closure, place).unwrap_or(Ty::Unknown)
            })
        })
    }

    /// The type of the argument that a method passes to its closure.
    fn closure_argument_type(&self, s: &Source, closure: Node<'_>, place: usize) -> Option<Ty> {
        let call = closure.parent()?.parent().filter(|call| call.kind() == "call_expression")?;
        let function = call.child_by_field_name("function").filter(|f| f.kind() == "field_expression")?;
        let of = self.of(s, function.child_by_field_name("value")?);
        let method = s.text_of(function.child_by_field_name("field")?);
        Some(standard::closure_argument_type(&of, method, place))
    }

    /// What a pattern gives the name, of a value of the type that `of` tells; nothing where it does not bind it.
    fn bind(&self, s: &Source, pattern: Node<'_>, name: &str, of: &dyn Fn() -> Ty) -> Option<Ty> {
        let text = s.text_of(pattern);
        whole_words(text, name).next()?;
        let inner = || {
            let mut cursor = pattern.walk();
            // An unnamed element (`_`) counts for the position.
            let part = |n: &Node<'_>| (n.is_named() && n.kind() != "mutable_specifier") || n.kind() == "_";
            pattern.children(&mut cursor).filter(part).collect::<Vec<_>>()
        };
        match pattern.kind() {
            "identifier" | "shorthand_field_identifier" => (text == name).then(of),
            "mut_pattern" | "ref_pattern" | "reference_pattern" => self.bind(s, inner().pop()?, name, of),
            "captured_pattern" => {
                let parts = inner();
                if s.text_of(*parts.first()?) == name {
                    Some(of())
                } else {
                    self.bind(s, *parts.get(1)?, name, of)
                }
            }
            "or_pattern" | "slice_pattern" => inner().into_iter().find_map(|part| {
                let of = || if pattern.kind() == "slice_pattern" { standard::element(&of()) } else { of() };
                self.bind(s, part, name, &of)
            }),
            "tuple_pattern" => inner().into_iter().enumerate().find_map(|(place, part)| {
                let of = || match of() {
                    Ty::Tuple(all) => all.get(place).cloned().unwrap_or(Ty::Unknown),
                    _ => Ty::Unknown,
                };
                self.bind(s, part, name, &of)
            }),
            "tuple_struct_pattern" => {
                let of_type = pattern.child_by_field_name("type")?;
                let parts = inner().into_iter().filter(|part| part.id() != of_type.id());
                parts.enumerate().find_map(|(place, part)| {
                    self.bind(s, part, name, &|| self.pattern_field_type(s, of_type, &place.to_string(), of))
                })
            }
            "struct_pattern" => {
                let of_type = pattern.child_by_field_name("type")?;
                inner().into_iter().filter(|part| part.kind() == "field_pattern").find_map(|field| {
                    let named = field.child_by_field_name("name")?;
                    let of = || self.pattern_field_type(s, of_type, s.text_of(named), of);
                    match field.child_by_field_name("pattern") {
                        Some(part) => self.bind(s, part, name, &of),
                        None => self.bind(s, named, name, &of),
                    }
                })
            }
            _ => None,
        }
    }

    /// The content of a variant or a struct, by the field's name or place.
    fn pattern_field_type(&self, s: &Source, of_type: Node<'_>, field: &str, of: &dyn Fn() -> Ty) -> Ty {
        let name = s.text_of(of_type).rsplit("::").next().unwrap_or_default();
        if let "Some" | "Ok" | "Err" = name {
            return match (of(), name) {
                (Ty::Holder(_, all), "Err") => all.get(1).cloned().unwrap_or(Ty::Unknown),
                (Ty::Holder(_, all), _) => all.into_iter().next().unwrap_or(Ty::Unknown),
                _ => Ty::Unknown,
            };
        }
        let own = match self.value(s, of_type) {
            Value::Of(Ty::Function(of)) => *of,
            Value::Type(ty) => ty,
            _ => standard::deref_all(&of()),
        };
        match own {
            Ty::ProjectType(own) => self.part(&own, name, field).unwrap_or(Ty::Unknown),
            _ => Ty::Unknown,
        }
    }
}
