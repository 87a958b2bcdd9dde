//! Memories as a table: writes Plimsoll's CSV export, and reads it or any table with a column `content`.

use std::path::Path;

use contract::joined;
use serde_json::{Map, Value};

use super::exported::Exported;
use super::import::Reader;
use crate::actions::failure::Failure;
use crate::domain::iso;
use crate::store::messages;

impl Reader<'_> {
    pub(super) fn csv(&mut self, path: &Path, text: &str) -> Result<(), Failure> {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let (rows, is_cut) = rows(text.trim_start_matches('\u{feff}'));
        let mut rows = rows.into_iter();
        let head: Vec<String> =
            rows.next().unwrap_or_default().iter().map(|cell| cell.trim().to_lowercase()).collect();
        if !head.iter().any(|cell| cell == "content") {
            return Err(Failure::translated(-32608, joined::about(path, messages::no_content_column())));
        }
        for row in rows {
            let mut value = Map::new();
            for (key, cell) in head.iter().zip(&row).filter(|(_, cell)| !cell.is_empty()) {
                value.insert(key.clone(), cell_value(key, cell));
            }
            self.memory(&Value::Object(value), &name);
        }
        if is_cut {
            self.out
                .problems
                .push(format!("{name}: a quote is never closed, so what follows it was left out"));
        }
        Ok(())
    }
}

/// The columns of an export.
const COLUMNS: &str = "id,namespace,domain,status,trust,created_at,expires_at,tags,project,branch,file,source,author,links,content";

/// Writes memories as a table.
pub(super) fn table(memories: &[Exported]) -> String {
    let mut out = format!("{COLUMNS}\n");
    for one in memories {
        let memory = &one.memory;
        let optional = |value: &Option<String>| value.clone().unwrap_or_default();
        let cells = [
            memory.id.clone(),
            memory.namespace.as_str().into(),
            memory.domain.as_str().into(),
            memory.status.as_str().into(),
            memory.trust.as_str().into(),
            iso(memory.created_ms),
            memory.expires_ms.map(iso).unwrap_or_default(),
            tags_cell(&memory.tags),
            optional(&memory.project),
            optional(&memory.branch),
            optional(&memory.file),
            optional(&memory.source),
            optional(&memory.author),
            one.link_words().join(","),
            memory.content.clone(),
        ];
        let cells: Vec<String> = cells.iter().map(|text| cell(text)).collect();
        out.push_str(&cells.join(","));
        out.push('\n');
    }
    out
}

/// Tags with commas between. One that could be read as several gets a comma after it.
fn tags_cell(tags: &[String]) -> String {
    match tags {
        [one] if one.contains([' ', ';']) => format!("{one},"),
        all => all.join(","),
    }
}

/// Whether a spreadsheet program would run a cell, or the cell begins like one that is kept from it.
fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '\t', '\r'])
}

/// A cell. Spreadsheet programs run cells that begin like a formula, so those get a mark in front.
fn cell(text: &str) -> String {
    let formula = is_formula(text);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n', '\r']) || formula {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

fn cell_value(key: &str, cell: &str) -> Value {
    // The mark that keeps spreadsheet programs from running a cell isn't part of the text.
    let plain = cell.strip_prefix('\'').filter(|rest| is_formula(rest)).unwrap_or(cell);
    match key {
        "tags" | "links" => {
            let separator = if plain.contains(',') || key == "links" {
                ','
            } else if plain.contains(';') {
                ';'
            } else {
                ' '
            };
            plain.split(separator).map(str::trim).filter(|one| !one.is_empty()).collect()
        }
        "created_at" | "expires_at" | "ttl_seconds" => {
            plain.parse::<i64>().map_or_else(|_| plain.into(), Value::from)
        }
        _ => plain.into(),
    }
}

/// The rows of a table, split into cells; a quoted cell may contain anything. Also whether the last row is cut off within
/// quotes, which is then left out.
fn rows(text: &str) -> (Vec<Vec<String>>, bool) {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' if quoted || cell.is_empty() => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\r' if !quoted && chars.peek() == Some(&'\n') => {}
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            other => cell.push(other),
        }
    }
    if !quoted && (!cell.is_empty() || !row.is_empty()) {
        row.push(cell);
        rows.push(row);
    }
    rows.retain(|row| row.len() > 1 || row.first().is_some_and(|cell| !cell.is_empty()));
    (rows, quoted)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_cell_in_quotes_may_contain_everything() {
        let (rows, is_cut) = super::rows("content,tags\r\n\"a, \"\"b\"\"\nc\",x y\n\nlast,");
        assert_eq!(rows, [["content", "tags"], ["a, \"b\"\nc", "x y"], ["last", ""]]);
        assert!(!is_cut);
    }

    #[test]
    fn a_row_that_is_cut_off_within_quotes_is_no_row() {
        for (text, rows, cut) in [
            ("content\na\n\"b, and", vec!["content", "a"], true),
            ("content\na\n\"b\nc\n", vec!["content", "a"], true),
            ("content\na\n\"b\"\"", vec!["content", "a"], true),
            ("content\na\n\"b\"", vec!["content", "a", "b"], false),
        ] {
            let (found, is_cut) = super::rows(text);
            assert_eq!(found.concat(), rows, "{text}");
            assert_eq!(is_cut, cut, "{text}");
        }
    }
}
