//! The parts of a parsed text, and which names in a loop are of its items.

/// A part of a parsed text: plain text, a placeholder, a loop over a list.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    Text(String),
    Value(String),
    Each(String, Vec<Piece>),
}

/// The item's field that a name in a loop refers to: `memory.content` in a loop over `memories`.
pub(super) fn of_item<'a>(name: &'a str, list: &str) -> Option<&'a str> {
    let (item, field) = name.split_once('.')?;
    let one = list.strip_suffix("ies").map(|stem| format!("{stem}y"));
    let one = one.or_else(|| list.strip_suffix('s').map(str::to_owned));
    (item == "this" || one.as_deref() == Some(item)).then_some(field)
}
