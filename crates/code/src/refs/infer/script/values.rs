//! The values that members may have, as their types list them: by these, one of several types is told from the others.

use tree_sitter::Node;

use super::super::lookup::Source;
use super::members::{Found, Member};
use super::ty::Ty;
use super::{Script, children, has_word, only_child};

/// Values that count as false.
const FALSY: &[&str] = &["false", "null", "undefined", "", "0"];

impl Script<'_> {
    /// Whether a member of a type may have this value.
    pub(super) fn may_be(&self, part: &Ty, name: &str, value: &str) -> bool {
        if let Ty::Intersection(all) = part {
            let is_without = |one: &Ty| matches!(self.members(one, name), Found::None);
            return all.iter().any(|one| self.may_be(one, name, value))
                && all.iter().all(|one| is_without(one) || self.may_be(one, name, value));
        }
        let may_be_one = |all: Vec<String>| all.iter().any(|one| is_same(one, value) != Some(false));
        match self.members(part, name) {
            Found::Members(found) => found.iter().any(|member| self.literals(member).is_none_or(may_be_one)),
            Found::None => matches!(part, Ty::Foreign),
            Found::Unknown => true,
        }
    }

    /// Whether a member of a type has no other value.
    pub(super) fn must_be(&self, part: &Ty, name: &str, value: &str) -> bool {
        if let Ty::Intersection(all) = part {
            return all.iter().any(|one| self.must_be(one, name, value));
        }
        match self.members(part, name) {
            Found::Members(found) => found
                .iter()
                .all(|member| self.literals(member).is_some_and(|all| all.iter().all(|one| one == value))),
            _ => false,
        }
    }

    /// Whether a member of a type may count as true, or as false.
    pub(super) fn may_count_as(&self, part: &Ty, name: &str, truth: bool) -> bool {
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
    pub(super) fn literals(&self, member: &Member) -> Option<Vec<String>> {
        self.with_node(member.place, None, |s, node| {
            let written = node.child_by_field_name("type").and_then(only_child);
            let Some(written) = written else {
                let value = node.child_by_field_name("value").filter(|value| is_value(s, *value));
                return value.map(|value| vec![plain(s.text_of(value)).to_owned()]);
            };
            let (mut open, mut out) = (vec![written], Vec::new());
            // `kind?: 'cart'`
            if has_word(node, "?") {
                out.push("undefined".to_owned());
            }
            while let Some(one) = open.pop() {
                match one.kind() {
                    "union_type" | "parenthesized_type" => open.extend(children(one)),
                    "literal_type" | "nested_type_identifier" => out.push(plain(s.text_of(one)).to_owned()),
                    // `typeof Kind.Cart`
                    "type_query" => {
                        let path = s.text_of(only_child(one)?);
                        constant(path)?;
                        out.push(path.to_owned());
                    }
                    _ => return None,
                }
            }
            Some(out)
        })
    }
}

/// Whether two values are the same one; `None` if how they're written doesn't say: `Kind.Cart` may be `'cart'`, and the `Kind.Cart` of
/// another file.
fn is_same(one: &str, other: &str) -> Option<bool> {
    if one == other {
        return Some(true);
    }
    match (constant(one), constant(other)) {
        (None, None) => Some(false),
        (Some(one), Some(other)) if one != other => Some(false),
        _ => None,
    }
}

/// The last part of a path that names a constant: `Kind.Cart`, not `cart.kind`.
fn constant(path: &str) -> Option<&str> {
    let (around, last) = path.rsplit_once('.')?;
    around.rsplit('.').next()?.starts_with(char::is_uppercase).then_some(last)
}

/// A value without its quotes.
pub(super) fn plain(text: &str) -> &str {
    text.trim_matches(['"', '\'', '`'])
}

/// Whether an expression is a value by itself: a text, a number, `true`, `Kind.Cart`.
pub(super) fn is_value(s: &Source, node: Node<'_>) -> bool {
    match node.kind() {
        "member_expression" => constant(s.text_of(node)).is_some(),
        kind => {
            matches!(kind, "string" | "number" | "true" | "false" | "null" | "undefined" | "template_string")
        }
    }
}
