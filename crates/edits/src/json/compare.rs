//! Proves that two JSON texts differ in one place only.
//!
//! Compares syntax trees, not values: numbers by their digits, members in their order with duplicates, so that not even a
//! reordering or a rounded integer passes. Comments and blanks aren't part of a tree; editing by splices keeps them.

use crate::edit::EntryMatcher;
use jsonc_parser::ast::{ObjectProp, Value};

/// What may differ at the end of the path.
pub(super) enum AllowedDifference<'o> {
    /// Anything there.
    Value,
    /// Plimsoll's elements of the array there.
    Elements(&'o EntryMatcher),
    /// Plimsoll's elements of any array there or below.
    Nested(&'o EntryMatcher),
}

/// Whether the trees are equal except for what `free` allows at `path`. A missing container equals an empty one along the
/// path, because parents are created and cleaned up.
pub(super) fn equal_except(
    before: Option<&Value<'_>>,
    after: Option<&Value<'_>>,
    path: &[String],
    free: &AllowedDifference<'_>,
) -> bool {
    let Some((key, rest)) = path.split_first() else {
        return match free {
            AllowedDifference::Value => true,
            AllowedDifference::Elements(ours) => match (foreign(before, ours), foreign(after, ours)) {
                (Some(a), Some(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
                _ => false,
            },
            AllowedDifference::Nested(ours) => match (before, after) {
                (Some(a), Some(b)) => equal_except_elements(a, b, &|element| is(ours, element)),
                _ => false,
            },
        };
    };
    let (Some(a), Some(b)) = (members(before), members(after)) else { return false };
    let (found_a, others_a) = split(a, key);
    let (found_b, others_b) = split(b, key);
    // Another member of that name is in effect once the last one is gone.
    let is_removed = rest.is_empty()
        && matches!(free, AllowedDifference::Value)
        && others_a.len() == b.len()
        && others_a.iter().zip(b).all(|(a, b)| same_member(a, b));
    is_removed
        || others_a.len() == others_b.len()
            && others_a.iter().zip(others_b).all(|(a, b)| same_member(a, b))
            && equal_except(found_a.map(|p| &p.value), found_b.map(|p| &p.value), rest, free)
}

/// Whether two whole trees are equal; an empty document equals an empty object.
pub(super) fn equal(a: Option<&Value<'_>>, b: Option<&Value<'_>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => same(a, b),
        (None, None) => true,
        (Some(Value::Object(object)), None) | (None, Some(Value::Object(object))) => {
            object.properties.is_empty()
        }
        _ => false,
    }
}

fn members<'n, 't>(node: Option<&'n Value<'t>>) -> Option<&'n [ObjectProp<'t>]> {
    match node {
        None => Some(&[]),
        Some(Value::Object(object)) => Some(&object.properties),
        Some(_) => None,
    }
}

fn foreign<'n, 't>(node: Option<&'n Value<'t>>, ours: &EntryMatcher) -> Option<Vec<&'n Value<'t>>> {
    match node {
        None => Some(Vec::new()),
        Some(Value::Array(array)) => {
            Some(array.elements.iter().filter(|element| !is(ours, element)).collect())
        }
        Some(_) => None,
    }
}

type Split<'n, 't> = (Option<&'n ObjectProp<'t>>, Vec<&'n ObjectProp<'t>>);

/// The effective (last) member of that name, and all the others.
fn split<'n, 't>(members: &'n [ObjectProp<'t>], key: &str) -> Split<'n, 't> {
    let found = members.iter().rposition(|member| member.name.as_str() == key);
    let others = members.iter().enumerate().filter(|(i, _)| Some(*i) != found).map(|(_, m)| m).collect();
    (found.and_then(|index| members.get(index)), others)
}

fn is(ours: &EntryMatcher, element: &Value<'_>) -> bool {
    ours.is(&element.clone().into())
}

fn same_member(a: &ObjectProp<'_>, b: &ObjectProp<'_>) -> bool {
    a.name.as_str() == b.name.as_str() && same(&a.value, &b.value)
}

fn same(a: &Value<'_>, b: &Value<'_>) -> bool {
    equal_except_elements(a, b, &|_| false)
}

/// Whether the two are equal once the elements that `skip` names are left out of every array.
fn equal_except_elements(a: &Value<'_>, b: &Value<'_>, skip: &dyn Fn(&Value<'_>) -> bool) -> bool {
    match (a, b) {
        (Value::StringLit(a), Value::StringLit(b)) => a.value == b.value,
        (Value::NumberLit(a), Value::NumberLit(b)) => a.value == b.value,
        (Value::BooleanLit(a), Value::BooleanLit(b)) => a.value == b.value,
        (Value::NullKeyword(_), Value::NullKeyword(_)) => true,
        (Value::Array(a), Value::Array(b)) => {
            let mut left = a.elements.iter().filter(|element| !skip(element));
            let mut right = b.elements.iter().filter(|element| !skip(element));
            loop {
                match (left.next(), right.next()) {
                    (None, None) => return true,
                    (Some(a), Some(b)) if equal_except_elements(a, b, skip) => {}
                    _ => return false,
                }
            }
        }
        (Value::Object(a), Value::Object(b)) => {
            a.properties.len() == b.properties.len()
                && a.properties.iter().zip(&b.properties).all(|(a, b)| {
                    a.name.as_str() == b.name.as_str() && equal_except_elements(&a.value, &b.value, skip)
                })
        }
        _ => false,
    }
}
