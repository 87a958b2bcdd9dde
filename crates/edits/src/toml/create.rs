//! Adds what is missing at a path: a table, a line in one, or a member of an inline table.

use crate::Refusal;
use crate::edit::dotted;
use crate::outcome::EditOutcome;
use crate::receipt::Trace;
use crate::splice::{Splice, after_line, apply_splices, indent_of, with_paragraph};
use crate::values::AllowedDifference;
use serde_json::Value;
use toml_edit::{Item, Value as Node};

use super::read::{Kind, item_at, key, keys, kind_of, to_toml};
use super::{Job, verify};

impl Job<'_> {
    /// Adds what is missing at `path`.
    pub(super) fn create(&self, path: &[String], value: &Value) -> Result<EditOutcome, Refusal> {
        let mut trace = Trace::default();
        let Some((name, parent)) = path.split_last() else {
            return Err(Refusal::Unsupported { reason: "an edit without a path can't be made".to_owned() });
        };
        let missing = (1..=parent.len())
            .filter(|depth| item_at(self.document.as_table(), &parent[..*depth]).is_none())
            .map(|depth| parent[..depth].to_vec());
        trace.created_parents.extend(missing);
        let inline = (1..=parent.len()).rev().find_map(|depth| {
            match item_at(self.document.as_table(), &parent[..depth]) {
                Some(Item::Value(Node::InlineTable(table))) => Some((depth, table)),
                _ => None,
            }
        });
        let next = if let Some((depth, table)) = inline {
            let mut nested = value.clone();
            for key in path[depth + 1..].iter().rev() {
                nested = Value::Object([(key.clone(), nested)].into_iter().collect());
            }
            let container = self.inline_container(table)?;
            let item = format!("{} = {}", key(&path[depth]), to_toml(&nested)?);
            self.insert_item(&container, &item)
        } else if let Value::Object(map) = value {
            let mut lines = vec![format!("[{}]", keys(path))];
            for (name, value) in map {
                lines.push(format!("{} = {}", key(name), to_toml(value)?));
            }
            with_paragraph(self.text, &lines.join(self.eol()), self.eol())
        } else {
            self.add_pair(parent, name, value)?
        };
        verify(self.text, &next, path, &AllowedDifference::Value, Some(value))?;
        Ok(EditOutcome { text: next, trace, had_ours: false })
    }

    /// Adds a `name = value` line to the table at `parent`.
    fn add_pair(&self, parent: &[String], name: &str, value: &Value) -> Result<String, Refusal> {
        let line = format!("{} = {}", key(name), to_toml(value)?);
        let eol = self.eol();
        let header = self.statements.iter().position(|s| s.kind == Kind::Header && s.path == parent);
        if header.is_none() && !parent.is_empty() {
            if let Some(item @ Item::Table(table)) = item_at(self.document.as_table(), parent)
                && table.is_dotted()
            {
                return Err(Refusal::Unsupported {
                    reason: format!(
                        "{} is {} made of dotted keys; add the line by hand",
                        dotted(parent),
                        kind_of(item)
                    ),
                });
            }
            let block = format!("[{}]{eol}{line}", keys(parent));
            return Ok(with_paragraph(self.text, &block, eol));
        }
        // After that table's last own pair, or after its header, or at the top for the root table.
        let first = header.map_or(0, |index| index + 1);
        let pairs = self.statements[first..].iter().take_while(|s| matches!(s.kind, Kind::Pair(_)));
        let anchor = pairs.last().or_else(|| header.and_then(|index| self.statements.get(index)));
        let Some(anchor) = anchor else {
            return Ok(format!("{line}{eol}{}", self.text));
        };
        let at = after_line(self.text, anchor.end);
        let indent = indent_of(self.text, anchor.start + indent_of(self.text, anchor.end).len());
        let insertion = if self.text[..at].ends_with('\n') {
            format!("{indent}{line}{eol}")
        } else {
            format!("{eol}{indent}{line}")
        };
        Ok(apply_splices(self.text, vec![Splice::insert(at, insertion)]))
    }
}
