//! Locations in a parsed text: where a path leads, and the objects and arrays that items go into.

use crate::Refusal;
use crate::container::{CommentSyntax, Container};
use crate::edit::dotted;
use jsonc_parser::ast::{Array, Object, Value as Node};
use jsonc_parser::common::Ranged;
use serde_json::Value;

use super::parse::kind;

/// Where a path leads.
pub(super) enum Location<'n, 't> {
    Found {
        parent: &'n Object<'t>,
        index: usize,
        value: &'n Node<'t>,
    },
    /// `parent` lacks the key at `depth`; `None`: the document is blank.
    Missing {
        parent: Option<&'n Object<'t>>,
        depth: usize,
    },
}

pub(super) fn locate<'n, 't>(
    root: Option<&'n Node<'t>>,
    path: &[String],
) -> Result<Location<'n, 't>, Refusal> {
    let Some(mut node) = root else { return Ok(Location::Missing { parent: None, depth: 0 }) };
    for (depth, key) in path.iter().enumerate() {
        let Some(object) = node.as_object() else {
            return Err(wrong_type(&path[..depth], "an object", kind(node)));
        };
        // Agents use the last of several members with one name.
        let Some(index) = object.properties.iter().rposition(|member| member.name.as_str() == key) else {
            return Ok(Location::Missing { parent: Some(object), depth });
        };
        let value = &object.properties[index].value;
        if depth + 1 == path.len() {
            return Ok(Location::Found { parent: object, index, value });
        }
        node = value;
    }
    Err(Refusal::Unsupported { reason: "an edit without a path can't be made".to_owned() })
}

pub(super) fn wrong_type(path: &[String], expected: &str, found: &str) -> Refusal {
    Refusal::WrongType { at: dotted(path), expected: expected.to_owned(), found: found.to_owned() }
}

pub(super) fn object_container<'t>(text: &'t str, object: &Object<'_>) -> Container<'t> {
    Container {
        text,
        open: object.range.start + 1,
        close: object.range.end - 1,
        items: object.properties.iter().map(|member| member.range.start..member.range.end).collect(),
        comments: CommentSyntax::Slashes,
    }
}

pub(super) fn array_container<'t>(text: &'t str, array: &Array<'_>) -> Container<'t> {
    Container {
        text,
        open: array.range.start + 1,
        close: array.range.end - 1,
        items: array.elements.iter().map(|element| element.start()..element.end()).collect(),
        comments: CommentSyntax::Slashes,
    }
}

pub(super) fn to_value(node: &Node<'_>) -> Value {
    node.clone().into()
}
