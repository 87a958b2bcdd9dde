//! Tables and arrays in brackets.

use crate::Refusal;
use crate::container::{CommentSyntax, Container, Placement};
use crate::splice::apply_splices;
use toml_edit::Value as Node;

use super::Job;
use super::read::inline_items;

impl Job<'_> {
    pub(super) fn inline_container(&self, table: &toml_edit::InlineTable) -> Result<Container<'_>, Refusal> {
        let hidden = || Refusal::Unsupported {
            reason: "the entry is in an inline table with dotted keys; edit it by hand".to_owned(),
        };
        let range = table.span().ok_or_else(hidden)?;
        let items = inline_items(table).ok_or_else(hidden)?;
        Ok(Container {
            text: self.text,
            open: range.start + 1,
            close: range.end - 1,
            items: items.into_iter().map(|(_, range)| range).collect(),
            comments: CommentSyntax::Hash,
        })
    }

    pub(super) fn array_container(&self, array: &toml_edit::Array) -> Container<'_> {
        let range = array.span().unwrap_or_default();
        Container {
            text: self.text,
            open: range.start + 1,
            close: range.end.saturating_sub(1),
            items: array.iter().filter_map(Node::span).collect(),
            comments: CommentSyntax::Hash,
        }
    }

    pub(super) fn insert_item(&self, container: &Container<'_>, item: &str) -> String {
        let room = container.placement("  ", false);
        let item = if container.items.is_empty() && room == Placement::Inline && item.contains(" = ") {
            format!(" {item} ")
        } else {
            item.to_owned()
        };
        let (splices, _) = container.insert_last(&room, &item, self.eol(), " ");
        apply_splices(self.text, splices)
    }
}
