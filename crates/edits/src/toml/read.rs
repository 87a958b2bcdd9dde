//! Reads TOML with `toml_edit`: a file's statements with their byte ranges, the value tree for comparisons, and values
//! formatted as TOML. The library never prints the file, because that would turn CRLF into LF.

use crate::Refusal;
use crate::splice::{line_start, position};
use serde_json::{Map, Value};
use std::ops::Range;
use toml_edit::{Document, InlineTable, Item, Table, Value as Node};

/// A header line or a `key = value`, in file order.
#[derive(Debug, Clone)]
pub(super) struct Statement {
    /// The full path, table included.
    pub(super) path: Vec<String>,
    pub(super) kind: Kind,
    /// Start of the line it begins on.
    pub(super) start: usize,
    /// After its last character; a comment may follow on the same line.
    pub(super) end: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// `[a.b]`
    Header,
    /// `[[a.b]]`
    ArrayHeader,
    /// `a.b = value`, with the range of the value.
    Pair(Range<usize>),
}

pub(super) fn parse(text: &str) -> Result<Document<&str>, Refusal> {
    Document::parse(text).map_err(|error| {
        let (line, column) = position(text, error.span().map_or(0, |span| span.start));
        Refusal::Syntax { line, column, reason: error.message().replace('\n', " ") }
    })
}

pub(super) fn statements(text: &str, document: &Document<&str>) -> Vec<Statement> {
    let mut out = Vec::new();
    collect(text, document.as_table(), &mut Vec::new(), &mut out);
    out.sort_by_key(|statement| statement.start);
    out
}

fn collect(text: &str, table: &Table, path: &mut Vec<String>, out: &mut Vec<Statement>) {
    for (name, item) in table {
        path.push(name.to_owned());
        match item {
            Item::None => {}
            Item::Value(value) => {
                let key = table.key(name).and_then(toml_edit::Key::span);
                if let (Some(key), Some(range)) = (key, value.span()) {
                    let start = line_start(text, key.start);
                    out.push(Statement {
                        path: path.clone(),
                        kind: Kind::Pair(range.clone()),
                        start,
                        end: range.end,
                    });
                } else {
                    // Dotted keys inside an inline value have no statement of their own.
                }
            }
            Item::Table(child) => {
                if !child.is_implicit()
                    && !child.is_dotted()
                    && let Some(range) = child.span()
                {
                    let start = line_start(text, range.start);
                    let kind = Kind::Header;
                    out.push(Statement { path: path.clone(), kind, start, end: range.end });
                }
                collect(text, child, path, out);
            }
            Item::ArrayOfTables(tables) => {
                for (index, child) in tables.iter().enumerate() {
                    // A name that no key can collide with in a comparison of whole paths.
                    path.push(format!("\u{0}{index}"));
                    if let Some(range) = child.span() {
                        let start = line_start(text, range.start);
                        let kind = Kind::ArrayHeader;
                        out.push(Statement { path: path.clone(), kind, start, end: range.end });
                    }
                    collect(text, child, path, out);
                    path.pop();
                }
            }
        }
        path.pop();
    }
}

/// The item at a path, through tables of every kind.
pub(super) fn item_at<'d>(root: &'d Table, path: &[String]) -> Option<&'d Item> {
    let (first, rest) = path.split_first()?;
    let mut item = root.get(first)?;
    for key in rest {
        item = item.get(key.as_str())?;
    }
    Some(item)
}

/// The name of an item's type with its article.
pub(super) fn kind_of(item: &Item) -> &'static str {
    match item {
        Item::None => "nothing",
        Item::Table(_) | Item::Value(Node::InlineTable(_)) => "a table",
        Item::ArrayOfTables(_) => "an array of tables",
        Item::Value(Node::Array(_)) => "an array",
        Item::Value(Node::String(_)) => "a string",
        Item::Value(Node::Integer(_) | Node::Float(_)) => "a number",
        Item::Value(Node::Boolean(_)) => "a boolean",
        Item::Value(Node::Datetime(_)) => "a date",
    }
}

/// The value tree. Floats and dates keep their spelling as text under a key of their own, so that a comparison sees every
/// change.
pub(super) fn tree(item: &Item) -> Value {
    match item {
        Item::None => Value::Null,
        Item::Value(value) => value_tree(value),
        Item::Table(table) => table_tree(table),
        Item::ArrayOfTables(tables) => Value::Array(tables.iter().map(table_tree).collect()),
    }
}

pub(super) fn table_tree(table: &Table) -> Value {
    Value::Object(table.iter().map(|(key, item)| (key.to_owned(), tree(item))).collect())
}

fn value_tree(value: &Node) -> Value {
    let spelled = |kind: &str, text: String| {
        let mut map = Map::new();
        map.insert(format!("\u{0}{kind}"), Value::String(text.trim().to_owned()));
        Value::Object(map)
    };
    match value {
        Node::String(text) => Value::String(text.value().clone()),
        Node::Integer(number) => Value::from(*number.value()),
        Node::Boolean(flag) => Value::Bool(*flag.value()),
        Node::Float(number) => serde_json::Number::from_f64(*number.value())
            .map_or_else(|| spelled("float", number.value().to_string()), Value::Number),
        Node::Datetime(date) => spelled("date", date.value().to_string()),
        Node::Array(array) => Value::Array(array.iter().map(value_tree).collect()),
        Node::InlineTable(table) => {
            Value::Object(table.iter().map(|(key, value)| (key.to_owned(), value_tree(value))).collect())
        }
    }
}

/// The ranges of an inline table's members, in order; `None` if dotted keys hide them.
pub(super) fn inline_items(table: &InlineTable) -> Option<Vec<(String, Range<usize>)>> {
    let mut items = Vec::new();
    for (key, value) in table {
        let start = table.key(key)?.span()?.start;
        items.push((key.to_owned(), start..value.span()?.end));
    }
    items.sort_by_key(|(_, range)| range.start);
    Some(items)
}

/// A key as TOML writes it.
pub(super) fn key(name: &str) -> String {
    toml_edit::Key::new(name).display_repr().into_owned()
}

/// A dotted key.
pub(super) fn keys(path: &[String]) -> String {
    path.iter().map(|name| key(name)).collect::<Vec<_>>().join(".")
}

/// A value on one line. TOML has no null.
pub(super) fn to_toml(value: &Value) -> Result<String, Refusal> {
    Ok(match value {
        Value::Null => {
            return Err(Refusal::Unsupported { reason: "TOML has no null value".to_owned() });
        }
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => match number.as_i64() {
            Some(integer) => integer.to_string(),
            None if number.is_f64() => Node::from(number.as_f64().unwrap_or_default()).to_string(),
            None => {
                return Err(Refusal::Unsupported {
                    reason: format!("TOML can't represent the number {number}"),
                });
            }
        },
        Value::String(text) => Node::from(text.as_str()).to_string(),
        Value::Array(items) => {
            let items = items.iter().map(to_toml).collect::<Result<Vec<_>, _>>()?;
            format!("[{}]", items.join(", "))
        }
        Value::Object(map) if map.is_empty() => "{}".to_owned(),
        Value::Object(map) => {
            let pair = |(name, value): (&String, &Value)| Ok(format!("{} = {}", key(name), to_toml(value)?));
            format!("{{ {} }}", map.iter().map(pair).collect::<Result<Vec<_>, Refusal>>()?.join(", "))
        }
    })
}
