//! A file's formatting (indentation, line ends, blanks), and values formatted like it.

use crate::splice::{dominant_line_end, indent_of, line_start};
use jsonc_parser::ast::Value as Node;
use serde_json::Value;

/// Short arrays of scalars stay on one line up to this many bytes.
const SHORT_ARRAY: usize = 60;

/// One file's formatting.
#[derive(Debug, Clone)]
pub(super) struct Style {
    pub(super) eol: &'static str,
    /// One step of indentation.
    pub(super) unit: String,
    /// Whether the document spans several lines, or has no content to judge by.
    pub(super) spread: bool,
    /// Between a colon and its value in one-line objects.
    pub(super) colon: &'static str,
    /// Between a comma and the next item on one line.
    pub(super) comma: &'static str,
    /// Inside the braces of a one-line object.
    pub(super) pad: &'static str,
}

impl Style {
    pub(super) fn of(text: &str, root: Option<&Node<'_>>) -> Style {
        let body = text.trim();
        let mut style = Style {
            eol: dominant_line_end(text),
            unit: "  ".to_owned(),
            spread: body.contains('\n') || super::is_blank(text),
            colon: " ",
            comma: " ",
            pad: "",
        };
        if let Some(unit) = root.and_then(|node| unit(text, node)) {
            style.unit = unit;
        }
        if let Some(Node::Object(object)) = root
            && let Some(first) = object.properties.first()
        {
            let value = node_start(&first.value);
            if text[..value].ends_with(':') {
                style.colon = "";
            }
            if text[..first.range.start].ends_with("{ ") {
                style.pad = " ";
            }
            style.comma = match object.properties.get(1) {
                Some(second) if text[..second.range.start].ends_with(',') => "",
                Some(_) => " ",
                None => style.colon,
            };
        }
        style
    }

    /// A value over several lines; `indent` is its first line's indentation.
    pub(super) fn lines(&self, value: &Value, indent: &str) -> String {
        let inner = format!("{indent}{}", self.unit);
        let wrap = |open: char, items: Vec<String>, close: char| {
            let glue = format!(",{}{inner}", self.eol);
            format!("{open}{eol}{inner}{}{eol}{indent}{close}", items.join(&glue), eol = self.eol)
        };
        match value {
            Value::Object(map) if !map.is_empty() => {
                let member = |(key, value): (&String, &Value)| {
                    format!("{}: {}", quote(key), self.lines(value, &inner))
                };
                wrap('{', map.iter().map(member).collect(), '}')
            }
            Value::Array(items) if !items.is_empty() => {
                if items.iter().all(|item| !item.is_object() && !item.is_array()) {
                    let short = items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                    if short.len() <= SHORT_ARRAY {
                        return format!("[{short}]");
                    }
                }
                wrap('[', items.iter().map(|item| self.lines(item, &inner)).collect(), ']')
            }
            other => other.to_string(),
        }
    }

    /// A value on one line, with the file's blanks.
    pub(super) fn inline(&self, value: &Value) -> String {
        let glue = format!(",{}", self.comma);
        match value {
            Value::Object(map) if !map.is_empty() => {
                let member = |(key, value): (&String, &Value)| self.inline_member(key, value);
                let members: Vec<String> = map.iter().map(member).collect();
                format!("{{{pad}{}{pad}}}", members.join(&glue), pad = self.pad)
            }
            Value::Array(items) => {
                format!("[{}]", items.iter().map(|v| self.inline(v)).collect::<Vec<_>>().join(&glue))
            }
            other => other.to_string(),
        }
    }

    /// A member on one line.
    pub(super) fn inline_member(&self, key: &str, value: &Value) -> String {
        format!("{}:{}{}", quote(key), self.colon, self.inline(value))
    }
}

/// A key as a JSON string.
pub(super) fn quote(key: &str) -> String {
    Value::String(key.to_owned()).to_string()
}

fn node_start(node: &Node<'_>) -> usize {
    use jsonc_parser::common::Ranged;
    node.start()
}

/// The indentation of the first nested item on its own line, minus its parent's.
fn unit(text: &str, node: &Node<'_>) -> Option<String> {
    let (start, items): (usize, Vec<(usize, &Node<'_>)>) = match node {
        Node::Object(object) => {
            (object.range.start, object.properties.iter().map(|p| (p.range.start, &p.value)).collect())
        }
        Node::Array(array) => {
            (array.range.start, array.elements.iter().map(|e| (node_start(e), e)).collect())
        }
        _ => return None,
    };
    let parent = indent_of(text, start);
    for (at, _) in items.iter().take(8) {
        let indent = indent_of(text, *at);
        let own = line_start(text, *at) + indent.len() == *at && line_start(text, *at) > start;
        if let Some(step) = indent.strip_prefix(parent)
            && own
            && !step.is_empty()
        {
            return Some(step.to_owned());
        }
    }
    items.iter().take(64).find_map(|(_, child)| unit(text, child))
}
