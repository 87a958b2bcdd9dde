//! Finds the conditions that a place is behind: of an `if` around it, of a case, and those with a way out before it. One says nothing about
//! a value that is set after it, nor about another variable of the same name.

use std::collections::HashMap;
use std::rc::Rc;

use tree_sitter::Node;

use super::super::super::syntax_nodes::ancestors;
use super::super::super::text_matches::whole_words;
use super::super::lookup::Source;
use super::names::Name;
use super::ty::Place;
use super::{Script, children, is_function, not_null, only_child};
use crate::define_names::bound_names;

/// A function that asserts something has one of these words in its name.
const ASSERTING: &[&str] = &["assert", "invariant"];
/// What is called is known by no longer a text.
const MAX_CALLED: usize = 80;

/// No more conditions around a place are read.
const MAX_CONDITIONS: usize = 12;
/// Nor are more ways out looked at that are before it in one block.
const MAX_WAYS_OUT: usize = 200;
/// A value isn't looked for as a part of more others.
const MAX_PARTS: usize = 12;

/// A condition that code is behind.
pub(super) enum Condition<'t> {
    /// It is true, or false.
    Is(Node<'t>, bool),
    /// What is switched over is one of these, or none of these.
    OneOf(Node<'t>, Vec<Node<'t>>, bool),
    /// The value was set after other conditions.
    Set,
}

/// Where variables and members are set, by how they're written there; each list in the order of the text.
pub(super) type Assigned = HashMap<String, Vec<usize>>;

/// Conditions in the order of the text, with what they are behind their statements.
pub(super) type WaysOut = [(Place, bool)];

impl Script<'_> {
    /// The conditions that a place is behind and that name the value at a node, from the innermost one on.
    pub(super) fn conditions<'t>(&self, s: &'t Source, node: Node<'t>) -> Vec<Condition<'t>> {
        let text = s.text_of(node);
        let is_named = |of: &str| whole_words(of, text).next().is_some();
        let aliases = self.aliases(s);
        let asks = |(_, value): &(Place, Place)| s.text.get(value.start()..value.end()).is_some_and(is_named);
        let may_be_alias = |of: &str| {
            let mut words = of.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$'));
            of.len() <= MAX_CALLED
                && !aliases.is_empty()
                && words.any(|word| aliases.get(word).is_some_and(|all| all.iter().any(asks)))
        };
        let names = |of: &Node<'t>| {
            is_named(s.text_of(*of)) || may_be_alias(s.text_of(*of)) && self.has_alias(s, *of, text)
        };
        let mut out: Vec<(Condition<'t>, usize)> = Vec::new();
        let mut at = node;
        // In a loop, what is behind a place is before it as well.
        let mut until = node.start_byte();
        for around in ancestors(s.tree.root_node(), node).into_iter().rev() {
            let field = |name: &str| around.child_by_field_name(name);
            let inside = |name: &str| field(name) == Some(at);
            let is = |condition: Option<Node<'t>>, truth: bool, until: usize| {
                let named = condition.filter(&names);
                named.map(|condition| (Condition::Is(condition, truth), until))
            };
            match around.kind() {
                "if_statement" | "ternary_expression" | "while_statement" | "for_statement" => {
                    if inside("consequence") || inside("body") {
                        out.extend(is(field("condition"), true, until));
                    } else if inside("alternative") {
                        out.extend(is(field("condition"), false, until));
                    }
                }
                "binary_expression" if inside("right") => {
                    match field("operator").map_or("", |of| s.text_of(of)) {
                        "&&" => out.extend(is(field("left"), true, until)),
                        "||" => out.extend(is(field("left"), false, until)),
                        _ => {}
                    }
                }
                "switch_case" | "switch_default" if !inside("value") => {
                    out.extend(cases(around, names).map(|condition| (condition, until)));
                }
                _ => {}
            }
            if matches!(around.kind(), "statement_block" | "program" | "switch_case" | "switch_default") {
                let all = self.ways_out(s, around);
                let before = all.partition_point(|(condition, _)| condition.start() < at.start_byte());
                for (condition, truth) in all[..before].iter().rev().take(MAX_WAYS_OUT) {
                    let text = s.text.get(condition.start()..condition.end()).unwrap_or_default();
                    if is_named(text) || may_be_alias(text) {
                        out.extend(is(condition.node(s), *truth, until));
                    }
                }
            }
            if out.len() >= MAX_CONDITIONS || is_function(around.kind()) && around.kind() != "arrow_function"
            {
                break;
            }
            if is_loop(around.kind()) {
                until = around.end_byte();
            } else if around.kind() == "arrow_function" {
                until = usize::MAX;
            }
            at = around;
        }
        if out.is_empty() {
            return Vec::new();
        }
        let since = self.declared_at(s, node);
        let last = end_of_scope(s, node, since);
        let assigned = self.assigned(s);
        let mut meant = Vec::new();
        for (condition, until) in out {
            let Some((_, to)) = condition.place().filter(|(from, _)| *from >= since) else { break };
            if is_set(&assigned, text, to, until.min(last)) {
                meant.push(Condition::Set);
                break;
            }
            meant.push(condition);
        }
        meant
    }

    /// Where the variable is declared that a value is, or is a part of. What is before that says nothing about it.
    pub(super) fn declared_at(&self, s: &Source, node: Node<'_>) -> usize {
        let mut at = node;
        for _ in 0..MAX_PARTS {
            let inner = match at.kind() {
                "non_null_expression" => not_null(at),
                "parenthesized_expression" => only_child(at),
                _ => at.child_by_field_name("object"),
            };
            let Some(inner) = inner else { break };
            at = inner;
        }
        if !matches!(at.kind(), "identifier" | "shorthand_property_identifier") {
            return 0;
        }
        start_of(s, &self.meaning(s, at, s.text_of(at), false))
    }

    /// Whether a variable that is seen at a node is set to something else anywhere that it's seen.
    pub(super) fn is_ever_set(&self, s: &Source, node: Node<'_>, text: &str, variable: &Name) -> bool {
        let assigned = self.assigned(s);
        let declared = start_of(s, variable);
        assigned.contains_key(text) && is_set(&assigned, text, declared, end_of_scope(s, node, declared))
    }

    /// Whether the variable at a node may have another value than the one that it's declared with. In a loop, and in a function that runs
    /// later, what is behind a place in the text comes before it as well.
    pub(super) fn is_set_since(&self, s: &Source, node: Node<'_>, declared: Place) -> bool {
        let mut until = node.start_byte();
        for around in ancestors(s.tree.root_node(), node).into_iter().rev() {
            if is_function(around.kind()) {
                let is_inner = !has(around, declared.start());
                until = if is_inner { end_of_scope(s, node, declared.start()) } else { until };
                break;
            }
            if is_loop(around.kind()) {
                until = around.end_byte();
            }
        }
        // What is constant can't be set: what has its name is another one.
        let declaration = declared.node(s).and_then(|name| name.parent()?.parent());
        let kind = declaration.and_then(|of| of.child_by_field_name("kind"));
        if kind.is_some_and(|kind| s.text_of(kind) == "const") {
            until = node.start_byte();
        }
        is_set(&self.assigned(s), s.text_of(node), declared.end(), until)
    }

    /// The conditions of a block's statements that leave it or assert something, with what they are where its rest runs.
    fn ways_out(&self, s: &Source, block: Node<'_>) -> Rc<WaysOut> {
        let place = Place::of(s, block);
        if let Some(known) = self.ways_out.borrow().get(&place) {
            return Rc::clone(known);
        }
        let conditions = children(block).into_iter().filter_map(|one| match one.kind() {
            "if_statement" => {
                let truth = truth_behind(one)?;
                Some((Place::of(s, one.child_by_field_name("condition")?), truth))
            }
            // `assert(x instanceof Cart);`
            "expression_statement" => {
                let call = only_child(one).filter(|call| may_assert(s, *call))?;
                Some((Place::of(s, call), true))
            }
            _ => None,
        });
        let found: Rc<WaysOut> = conditions.collect();
        self.ways_out.borrow_mut().insert(place, Rc::clone(&found));
        found
    }

    /// Where a file sets variables and members.
    pub(super) fn assigned(&self, s: &Source) -> Rc<Assigned> {
        if let Some(known) = self.assigned.borrow().get(&s.file) {
            return Rc::clone(known);
        }
        let found = Rc::new(assigned_in(s));
        self.assigned.borrow_mut().insert(s.file, Rc::clone(&found));
        found
    }
}

impl Condition<'_> {
    /// Where it begins and ends.
    fn place(&self) -> Option<(usize, usize)> {
        match self {
            Condition::Is(node, _) | Condition::OneOf(node, ..) => Some((node.start_byte(), node.end_byte())),
            Condition::Set => None,
        }
    }
}

fn is_loop(kind: &str) -> bool {
    matches!(kind, "while_statement" | "do_statement" | "for_statement" | "for_in_statement")
}

/// Whether a place is in a node.
fn has(node: Node<'_>, at: usize) -> bool {
    node.byte_range().contains(&at)
}

/// Where a file declares what a name means; 0 if it doesn't.
fn start_of(s: &Source, meant: &Name) -> usize {
    let Name::Declared(places) = meant else { return 0 };
    places.iter().filter(|place| place.file == s.file).map(Place::start).min().unwrap_or(0)
}

/// Where the innermost function around a node ends that has the declaration of a variable; without one, the text's end.
fn end_of_scope(s: &Source, node: Node<'_>, declared: usize) -> usize {
    let mut around = ancestors(s.tree.root_node(), node).into_iter().rev();
    let own = around.find(|one| declared > 0 && is_function(one.kind()) && has(*one, declared));
    own.map_or(usize::MAX, |one| one.end_byte())
}

fn assigned_in(s: &Source) -> Assigned {
    let mut out = Assigned::new();
    let mut cursor = s.tree.walk();
    loop {
        let node = cursor.node();
        // What is on the right is read before it's set.
        let set = match node.kind() {
            "assignment_expression" | "augmented_assignment_expression" => node.child_by_field_name("left"),
            "for_in_statement" if node.child_by_field_name("kind").is_none() => {
                node.child_by_field_name("left")
            }
            _ => None,
        };
        let names = match set {
            Some(set) if matches!(set.kind(), "object_pattern" | "array_pattern") => bound_names(set),
            set => set.into_iter().collect(),
        };
        let end = if node.kind() == "for_in_statement" { set.unwrap_or(node) } else { node };
        let at = end.end_byte();
        for name in names {
            out.entry(s.text_of(name).to_owned()).or_default().push(at);
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                out.values_mut().for_each(|all| all.sort_unstable());
                return out;
            }
        }
    }
}

/// Whether a value, or what it's a part of, is set in a part of the text.
fn is_set(assigned: &Assigned, text: &str, from: usize, to: usize) -> bool {
    let wholes =
        text.match_indices('.').take(MAX_PARTS).map(|(at, _)| text[..at].trim_end_matches(['?', '!']));
    wholes.chain([text]).any(|whole| {
        assigned.get(whole).is_some_and(|all| {
            let first = all.partition_point(|at| *at < from);
            all.get(first).is_some_and(|at| *at <= to)
        })
    })
}

/// The values of a case, with those of the cases before it that go on to it; of `default`, those of all others.
fn cases<'t>(case: Node<'t>, names: impl Fn(&Node<'t>) -> bool) -> Option<Condition<'t>> {
    let body = case.parent()?;
    let mut asked = body.parent()?.child_by_field_name("value")?;
    let value = |one: Node<'t>| one.child_by_field_name("value");
    if is_true(asked) {
        // `switch (true) { case x.kind === 'cart': … }`
        let goes_on = previous(case).is_some_and(goes_on);
        let own = value(case).filter(|_| !goes_on);
        let is_asked = || children(body).into_iter().filter_map(value).any(|one| names(&one));
        return match own {
            Some(own) => names(&own).then_some(Condition::Is(own, true)),
            None => is_asked().then(|| Condition::OneOf(asked, Vec::new(), false)),
        };
    }
    if !names(&asked) {
        return None;
    }
    while asked.kind() == "parenthesized_expression" {
        asked = only_child(asked)?;
    }
    let mut before = previous(case);
    if case.kind() == "switch_default" {
        // What goes on to it may have any of their values.
        let goes_on = before.is_some_and(goes_on);
        let values = children(body).into_iter().filter_map(value).collect();
        return (!goes_on).then_some(Condition::OneOf(asked, values, false));
    }
    let mut values = vec![value(case)?];
    while let Some(one) = before.filter(|one| goes_on(*one)) {
        values.push(value(one)?);
        before = previous(one);
    }
    Some(Condition::OneOf(asked, values, true))
}

/// The case before a case, whatever is remarked between them.
fn previous(case: Node<'_>) -> Option<Node<'_>> {
    let mut before = case.prev_named_sibling()?;
    while before.kind() == "comment" {
        before = before.prev_named_sibling()?;
    }
    Some(before)
}

/// Whether a value in brackets is `true`.
fn is_true(value: Node<'_>) -> bool {
    value.kind() == "parenthesized_expression"
        && only_child(value).is_some_and(|inner| inner.kind() == "true")
}

/// Whether what is behind a case runs after it as well.
fn goes_on(case: Node<'_>) -> bool {
    let is_case = matches!(case.kind(), "switch_case" | "switch_default");
    let last = children(case).into_iter().last();
    // A case without statements has its value only.
    is_case && last.is_none_or(|last| case.child_by_field_name("value") == Some(last) || !leaves(last))
}

/// What the condition of an `if` was where the code behind it runs, if one of its branches leaves.
fn truth_behind(statement: Node<'_>) -> Option<bool> {
    if statement.child_by_field_name("consequence").is_some_and(leaves) {
        return Some(false);
    }
    let other = statement.child_by_field_name("alternative").and_then(only_child);
    other.is_some_and(leaves).then_some(true)
}

/// Whether a statement ends with a way out.
fn leaves(statement: Node<'_>) -> bool {
    let last = match statement.kind() {
        "statement_block" => children(statement).into_iter().last(),
        _ => Some(statement),
    };
    last.is_some_and(|last| {
        matches!(
            last.kind(),
            "return_statement" | "throw_statement" | "continue_statement" | "break_statement"
        )
    })
}

/// Whether an expression calls what may assert something, by its name.
fn may_assert(s: &Source, call: Node<'_>) -> bool {
    let function = call.child_by_field_name("function").filter(|_| call.kind() == "call_expression");
    let called = function.map_or("", |of| s.text_of(of));
    called.len() <= MAX_CALLED && {
        let called = called.to_ascii_lowercase();
        ASSERTING.iter().any(|word| called.contains(*word))
    }
}
