//! Resolves a bare Kotlin name in lambdas with a receiver: in `cart.apply { total() }` the cart is searched before
//! the code around the lambda.

use std::ops::RangeInclusive;

use tree_sitter::Node;

use super::Confidence::{InScope, Resolved};
use super::occurrences::Occurrence;
use super::resolution::{FileContext, Verdict};
use super::syntactic_types::type_of;
use super::syntax_nodes::ancestors;
use crate::parse::slice;
use crate::symbols::Outline;

/// Kotlin functions whose lambda has the constructed value as its receiver.
const BUILDERS: &[&str] = &["buildString", "buildList", "buildSet", "buildMap"];

/// A lambda with a receiver.
struct Lambda<'t> {
    /// Its receiver, if that is named.
    given: Option<Node<'t>>,
    lines: RangeInclusive<u32>,
}

impl FileContext<'_> {
    /// What a name means, given its meaning without the lambdas around it.
    pub(super) fn in_lambdas(
        &self,
        o: &Occurrence,
        outline: &Outline,
        spelt: &str,
        meant: Verdict,
    ) -> Verdict {
        let (confidence, mut of) = meant;
        if self.language() != "kotlin" || o.receiver.is_some() {
            return (confidence, of);
        }
        let (root, text) = (self.source.tree.root_node(), &self.source.text);
        let node = root.descendant_for_byte_range(o.at, o.at + spelt.len());
        let returned = |called: &str| self.returned(called);
        for lambda in node.map(|node| receiver_lambdas(root, node, text)).unwrap_or_default() {
            // Definitions in the lambda itself come first.
            let is_inside = |i: &usize| {
                let target = &self.targets[*i];
                target.file == self.file && lambda.lines.contains(&target.line)
            };
            if !of.is_empty() && of.iter().all(is_inside) {
                break;
            }
            let given = lambda.given.map(|given| slice(given, text));
            let given =
                given.and_then(|it| type_of(it, o.at, text, &outline.symbols, o.inside, &returned, true));
            match given.filter(|given| self.facts.is_type(given)) {
                Some(given) => {
                    let (sure, found) = self.resolve_on_type(&given);
                    if sure == Resolved && !found.is_empty() {
                        return (sure, found);
                    }
                }
                // The lambda's receiver may also have a member of that name.
                None if confidence == Resolved => {
                    let members = self.targets_where(|t| !t.is_free() && self.is_near(t));
                    let is_member = |i: &usize| !self.targets[*i].is_free();
                    if members.is_empty() && !of.iter().any(is_member) {
                        break;
                    }
                    of.extend(members);
                    of.sort_unstable();
                    of.dedup();
                    return (InScope, of);
                }
                None => {}
            }
        }
        (confidence, of)
    }
}

/// The lambdas with a receiver around a name, the innermost first.
fn receiver_lambdas<'t>(root: Node<'t>, node: Node<'t>, text: &str) -> Vec<Lambda<'t>> {
    let path = ancestors(root, node);
    let inner = path.windows(2).rev().map(|pair| (pair[0], pair[1]));
    let inner = inner.take_while(|(_, node)| !matches!(node.kind(), "function_declaration" | "class_body"));
    let lambdas = inner.filter(|(_, node)| node.kind() == "annotated_lambda");
    let line = |row: usize| u32::try_from(row + 1).unwrap_or(u32::MAX);
    lambdas
        .filter_map(|(call, lambda)| {
            let given = lambda_argument(call, text)?;
            let lines = line(lambda.start_position().row)..=line(lambda.end_position().row);
            Some(Lambda { given, lines })
        })
        .collect()
}

/// The receiver of a call's lambda, if it has one: in `c.apply {}` and `with(c) {}` that is `c`, which isn't named in
/// `buildList {}`.
fn lambda_argument<'t>(call: Node<'t>, text: &str) -> Option<Option<Node<'t>>> {
    let called = call.named_child(0)?;
    let name = |of: Node<'_>| slice(of, text).rsplit(['.', '?']).next().unwrap_or_default().trim().to_owned();
    match called.kind() {
        "navigation_expression" => {
            matches!(name(called).as_str(), "apply" | "run").then(|| called.named_child(0))
        }
        "call_expression" => {
            let function = called.named_child(0)?;
            match name(function).as_str() {
                "with" => Some(called.named_child(1).and_then(argument)),
                builder => BUILDERS.contains(&builder).then_some(None),
            }
        }
        "identifier" => BUILDERS.contains(&slice(called, text)).then_some(None),
        _ => None,
    }
}

/// The first argument of a call.
fn argument(arguments: Node<'_>) -> Option<Node<'_>> {
    arguments.named_child(0)?.named_child(0)
}
