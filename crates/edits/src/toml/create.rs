//! Adding what is missing at a path: a table, a line in one, or a member of an inline table.

use crate::Refusal;
use crate::prove::Free;
use crate::receipt::Trace;
use crate::splice::{Splice, indent_of, line_close, spliced, with_paragraph};
use crate::step::Step;
use crate::vocabulary::dotted;
use serde_json::Value;
use toml_edit::{Item, Value as Node};

use super::read::{Kind, item_at, key, keys, kind_of, written};
use super::{Job, prove};

impl Job<'_> {
    /// Adds what is missing at `path`.
    pub(super) fn create(&self, path: &[String], value: &Value) -> Result<Step, Refusal> {
        let mut trace = Trace::default();
        let Some((name, parent)) = path.split_last() else {
            return Err(Refusal::Unsupported { reason: "an edit without a path cannot be made".to_owned() });
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
            let item = format!("{} = {}", key(&path[depth]), written(&nested)?);
            self.inserted(&container, &item)
        } else if let Value::Object(map) = value {
            let mut lines = vec![format!("[{}]", keys(path))];
            for (name, value) in map {
                lines.push(format!("{} = {}", key(name), written(value)?));
            }
            with_paragraph(self.text, &lines.join(self.eol()), self.eol())
        } else {
            self.pair_added(parent, name, value)?
        };
        prove(self.text, &next, path, &Free::Value, Some(value))?;
        Ok(Step { text: next, trace, had_ours: false })
    }

    /// A new `name = value` line in the table at `parent`.
    fn pair_added(&self, parent: &[String], name: &str, value: &Value) -> Result<String, Refusal> {
        let line = format!("{} = {}", key(name), written(value)?);
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
        // Behind the last own pair of that table, or behind its header, or at the top for the root table.
        let first = header.map_or(0, |index| index + 1);
        let pairs = self.statements[first..].iter().take_while(|s| matches!(s.kind, Kind::Pair(_)));
        let anchor = pairs.last().or_else(|| header.and_then(|index| self.statements.get(index)));
        let Some(anchor) = anchor else {
            return Ok(format!("{line}{eol}{}", self.text));
        };
        let at = line_close(self.text, anchor.end);
        let indent = indent_of(self.text, anchor.start + indent_of(self.text, anchor.end).len());
        let insertion = if self.text[..at].ends_with('\n') {
            format!("{indent}{line}{eol}")
        } else {
            format!("{eol}{indent}{line}")
        };
        Ok(spliced(self.text, vec![Splice::insert(at, insertion)]))
    }
}
