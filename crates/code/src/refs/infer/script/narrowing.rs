//! What a value surely is at a place, by the conditions that the place is behind: `if (x instanceof Cart)`, `x.kind === 'cart'`,
//! `case 'cart':`, `'lines' in x`, and a way out before it. Which of several objects a literal is, by the values that it lists.

use tree_sitter::Node;

use super::super::super::syntax_nodes::ancestors;
use super::super::super::text_matches::whole_words;
use super::super::lookup::Source;
use super::members::{Found, Member};
use super::ty::Ty;
use super::{Script, children, is_function, only_child};

/// No more conditions around a place are read.
const MAX_CONDITIONS: usize = 12;
/// Conditions are read no deeper.
const MAX_INNER: u32 = 12;
/// Values that count as false.
const FALSY: &[&str] = &["false", "null", "undefined", "", "0"];

/// A condition that code is behind.
enum Condition<'t> {
    /// It is true, or false.
    Is(Node<'t>, bool),
    /// What is switched over is one of these.
    OneOf(Node<'t>, Vec<Node<'t>>),
}

/// What is known about a value at a place.
pub(super) struct Known {
    pub(super) ty: Ty,
    /// A condition may say more that isn't understood.
    pub(super) open: bool,
}

impl Script<'_> {
    /// The type `ty` of the value at a node, with what the conditions around say.
    pub(super) fn known_here<'t>(&self, s: &'t Source, node: Node<'t>, ty: Ty) -> Known {
        let text = s.text_of(node);
        let mut known = Known { ty, open: false };
        // The outermost condition comes first.
        for condition in conditions(s, node, text).into_iter().rev() {
            match condition {
                Condition::Is(condition, truth) => {
                    self.suppose(s, condition, text, truth, &mut known, MAX_INNER);
                }
                Condition::OneOf(asked, values) => {
                    let of = asked.child_by_field_name("object").filter(|of| s.text_of(*of) == text);
                    let property = asked.child_by_field_name("property").filter(|_| of.is_some());
                    match property {
                        Some(property) => {
                            let name = s.text_of(property);
                            let values: Vec<&str> =
                                values.iter().map(|value| plain(s.text_of(*value))).collect();
                            retain(&mut known, |part| {
                                values.iter().any(|value| self.may_be(part, name, value))
                            });
                        }
                        None => known.open = true,
                    }
                }
            }
        }
        known
    }

    /// Leaves of what a value may be what it can be where a condition is true, or false.
    fn suppose(
        &self,
        s: &Source,
        condition: Node<'_>,
        text: &str,
        truth: bool,
        known: &mut Known,
        depth: u32,
    ) {
        let field = |name: &str| condition.child_by_field_name(name);
        let is_asked = |node: Option<Node<'_>>| node.is_some_and(|node| s.text_of(node) == text);
        if depth == 0 {
            known.open = true;
            return;
        }
        if whole_words(s.text_of(condition), text).next().is_none() || is_asked(Some(condition)) {
            return;
        }
        let operator = field("operator").map_or("", |of| s.text_of(of));
        match condition.kind() {
            "parenthesized_expression" | "non_null_expression" => match only_child(condition) {
                Some(inner) => self.suppose(s, inner, text, truth, known, depth - 1),
                None => known.open = true,
            },
            "unary_expression" if operator == "!" => match field("argument") {
                Some(inner) => self.suppose(s, inner, text, !truth, known, depth - 1),
                None => known.open = true,
            },
            "binary_expression" if operator == if truth { "&&" } else { "||" } => {
                for side in [field("left"), field("right")].into_iter().flatten() {
                    self.suppose(s, side, text, truth, known, depth - 1);
                }
            }
            "binary_expression" if operator == "instanceof" && is_asked(field("left")) => {
                let class = field("right").map_or(Ty::Unknown, |class| self.value(s, class));
                let of = match class {
                    Ty::Class(place) => self.instance_of(place, &[]),
                    Ty::Foreign => Ty::Foreign,
                    _ => Ty::Unknown,
                };
                if truth {
                    known.ty = of;
                } else {
                    retain(known, |part| *part != of);
                }
            }
            "binary_expression" if operator == "in" && is_asked(field("right")) => {
                let name = field("left").map_or("", |name| plain(s.text_of(name)));
                let has = |part: &Ty| self.members(part, name);
                retain(known, |part| match has(part) {
                    Found::Members(_) => truth,
                    Found::None => !truth,
                    Found::Unknown => true,
                });
            }
            "binary_expression" if matches!(operator, "===" | "==" | "!==" | "!=") => {
                let equal = operator.starts_with('=') == truth;
                self.suppose_equal(s, [field("left"), field("right")], text, equal, known);
            }
            "member_expression" if is_asked(field("object")) => {
                let name = field("property").map_or("", |name| s.text_of(name));
                retain(known, |part| self.may_count_as(part, name, truth));
            }
            // What is asked of a part of the value says nothing about itself.
            "member_expression" | "call_expression" if !is_guard(s, condition, text) => {}
            "call_expression" => match self.guarded(s, condition, text) {
                Some(of) if truth => known.ty = of,
                Some(of) => retain(known, |part| *part != of),
                None => known.open = true,
            },
            _ => known.open = true,
        }
    }

    /// `x.kind === 'cart'`, `typeof x === 'string'`
    fn suppose_equal(
        &self,
        s: &Source,
        [left, right]: [Option<Node<'_>>; 2],
        text: &str,
        equal: bool,
        known: &mut Known,
    ) {
        let (Some(left), Some(right)) = (left, right) else { return };
        let value = plain(s.text_of(right));
        let of = left.child_by_field_name("object").filter(|of| s.text_of(*of) == text);
        if let (Some(_), Some(property)) = (of, left.child_by_field_name("property")) {
            let name = s.text_of(property);
            if is_value(right) {
                retain(known, |part| {
                    if equal { self.may_be(part, name, value) } else { !self.must_be(part, name, value) }
                });
            } else {
                known.open = true;
            }
            return;
        }
        if left.kind() == "unary_expression" {
            let asked = left.child_by_field_name("argument").is_some_and(|of| s.text_of(of) == text);
            let basic = matches!(value, "string" | "number" | "boolean" | "bigint" | "symbol" | "undefined");
            if asked && basic && equal {
                known.ty = Ty::Foreign;
            }
            return;
        }
        // Compared with `null`, a value stays what it may be otherwise.
        known.open |= s.text_of(left) == text && is_value(right) && !matches!(value, "null" | "undefined");
    }

    /// What a function says of its argument that it tells the type of: `x is Cart`.
    fn guarded(&self, s: &Source, call: Node<'_>, text: &str) -> Option<Ty> {
        let Ty::Function(place, _) = self.value(s, call.child_by_field_name("function")?) else {
            return None;
        };
        let first = children(call.child_by_field_name("arguments")?).into_iter().next()?;
        let is_asked = s.text_of(first) == text;
        self.with_node(place, None, |s, node| {
            let result = node.child_by_field_name("return_type")?;
            let told = only_child(result).filter(|told| told.kind() == "type_predicate");
            let of = told.filter(|_| is_asked).and_then(|told| told.child_by_field_name("type"));
            of.map(|of| self.written(s, of))
        })
    }

    /// Those of the types that an object's literal may be of, by the values that it lists.
    pub(super) fn discriminated(&self, s: &Source, literal: Node<'_>, of: Ty) -> Ty {
        if !matches!(of, Ty::Union(_)) || literal.kind() != "object" {
            return of;
        }
        let mut known = Known { ty: of, open: false };
        for pair in children(literal).into_iter().filter(|one| one.kind() == "pair") {
            let (Some(key), Some(value)) =
                (pair.child_by_field_name("key"), pair.child_by_field_name("value"))
            else {
                continue;
            };
            if is_value(value) && key.kind() != "computed_property_name" {
                let (name, value) = (plain(s.text_of(key)), plain(s.text_of(value)));
                retain(&mut known, |part| self.may_be(part, name, value));
            }
        }
        known.ty
    }

    /// Whether a member of a type may have this value.
    fn may_be(&self, part: &Ty, name: &str, value: &str) -> bool {
        match self.members(part, name) {
            Found::Members(found) => found
                .iter()
                .any(|member| self.literals(member).is_none_or(|all| all.iter().any(|one| one == value))),
            Found::None => matches!(part, Ty::Foreign),
            Found::Unknown => true,
        }
    }

    /// Whether a member of a type has no other value.
    fn must_be(&self, part: &Ty, name: &str, value: &str) -> bool {
        match self.members(part, name) {
            Found::Members(found) => found
                .iter()
                .all(|member| self.literals(member).is_some_and(|all| all.iter().all(|one| one == value))),
            _ => false,
        }
    }

    /// Whether a member of a type may count as true, or as false.
    fn may_count_as(&self, part: &Ty, name: &str, truth: bool) -> bool {
        match self.members(part, name) {
            Found::Members(found) => found.iter().any(|member| {
                let all = self.literals(member);
                all.is_none_or(|all| all.iter().any(|one| FALSY.contains(&one.as_str()) != truth))
            }),
            Found::None => !truth || matches!(part, Ty::Foreign),
            Found::Unknown => true,
        }
    }

    /// The values that a member may have, if its type lists them.
    fn literals(&self, member: &Member) -> Option<Vec<String>> {
        self.with_node(member.place, None, |s, node| {
            let written = node.child_by_field_name("type").and_then(only_child);
            let Some(written) = written else {
                let value = node.child_by_field_name("value").filter(|value| is_value(*value));
                return value.map(|value| vec![plain(s.text_of(value)).to_owned()]);
            };
            let (mut open, mut out) = (vec![written], Vec::new());
            while let Some(one) = open.pop() {
                match one.kind() {
                    "union_type" | "parenthesized_type" => open.extend(children(one)),
                    "literal_type" | "nested_type_identifier" => out.push(plain(s.text_of(one)).to_owned()),
                    _ => return None,
                }
            }
            Some(out)
        })
    }
}

/// Keeps those of a value's types that fit, if any does.
fn retain(known: &mut Known, fits: impl Fn(&Ty) -> bool) {
    let kept: Vec<Ty> = known.ty.parts().iter().filter(|part| fits(part)).cloned().collect();
    if !kept.is_empty() {
        known.ty = Ty::one_of(kept);
    }
}

/// A value without its quotes.
fn plain(text: &str) -> &str {
    text.trim_matches(['"', '\'', '`'])
}

/// Whether an expression is a value by itself: a text, a number, `true`, `Kind.Cart`.
fn is_value(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "string"
            | "number"
            | "true"
            | "false"
            | "null"
            | "undefined"
            | "member_expression"
            | "template_string"
    )
}

/// Whether a call is given the value itself.
fn is_guard(s: &Source, call: Node<'_>, text: &str) -> bool {
    let given = call.child_by_field_name("arguments").map(children).unwrap_or_default();
    given.iter().any(|one| s.text_of(*one) == text)
}

/// The conditions that a place is behind and that name the value, from the innermost one on.
fn conditions<'t>(s: &'t Source, node: Node<'t>, text: &'t str) -> Vec<Condition<'t>> {
    let names = |of: &Node<'t>| whole_words(s.text_of(*of), text).next().is_some();
    let mut out: Vec<Condition<'t>> = Vec::new();
    let mut at = node;
    for around in ancestors(s.tree.root_node(), node).into_iter().rev() {
        let field = |name: &str| around.child_by_field_name(name);
        let inside = |name: &str| field(name) == Some(at);
        let operator = || field("operator").map_or("", |of| s.text_of(of));
        let is = |condition: Option<Node<'t>>, truth: bool| {
            condition.filter(&names).map(|condition| Condition::Is(condition, truth))
        };
        match around.kind() {
            "if_statement" | "ternary_expression" | "while_statement" => {
                if inside("consequence") || inside("body") {
                    out.extend(is(field("condition"), true));
                } else if inside("alternative") {
                    out.extend(is(field("condition"), false));
                }
            }
            "binary_expression" if inside("right") => match operator() {
                "&&" => out.extend(is(field("left"), true)),
                "||" => out.extend(is(field("left"), false)),
                _ => {}
            },
            "switch_case" if !inside("value") => out.extend(cases(around, names)),
            _ => {}
        }
        if matches!(around.kind(), "statement_block" | "program" | "switch_case" | "switch_default") {
            let before = children(around).into_iter().take_while(|one| *one != at);
            let ways_out = before.filter(|one| one.kind() == "if_statement" && leaves(*one));
            let ways_out: Vec<Node<'t>> = ways_out.collect();
            for one in ways_out.into_iter().rev() {
                out.extend(is(one.child_by_field_name("condition"), false));
            }
        }
        if out.len() >= MAX_CONDITIONS || is_function(around.kind()) && around.kind() != "arrow_function" {
            break;
        }
        at = around;
    }
    out
}

/// The values of a case, with those of the cases before it that do the same.
fn cases<'t>(case: Node<'t>, names: impl Fn(&Node<'t>) -> bool) -> Option<Condition<'t>> {
    let switch = case.parent()?.parent()?;
    let mut asked = switch.child_by_field_name("value").filter(names)?;
    while asked.kind() == "parenthesized_expression" {
        asked = only_child(asked)?;
    }
    let mut values = vec![case.child_by_field_name("value")?];
    let mut before = case.prev_named_sibling();
    while let Some(one) = before.filter(|one| one.kind() == "switch_case" && children(*one).len() == 1) {
        values.extend(one.child_by_field_name("value"));
        before = one.prev_named_sibling();
    }
    Some(Condition::OneOf(asked, values))
}

/// Whether nothing behind an `if` runs where its condition is true.
fn leaves(statement: Node<'_>) -> bool {
    if statement.child_by_field_name("alternative").is_some() {
        return false;
    }
    let then = statement.child_by_field_name("consequence");
    let last = then.and_then(|then| match then.kind() {
        "statement_block" => children(then).into_iter().last(),
        _ => Some(then),
    });
    last.is_some_and(|last| {
        matches!(
            last.kind(),
            "return_statement" | "throw_statement" | "continue_statement" | "break_statement"
        )
    })
}
