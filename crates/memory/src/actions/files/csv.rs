//! Imports a table: Plimsoll's CSV export, or any table with a column `content`.

use std::path::Path;

use serde_json::{Map, Value};

use super::import::Reader;
use crate::actions::failure::Failure;

impl Reader<'_> {
    pub(super) fn csv(&mut self, path: &Path, text: &str) -> Result<(), Failure> {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut rows = rows(text.trim_start_matches('\u{feff}')).into_iter();
        let head: Vec<String> =
            rows.next().unwrap_or_default().iter().map(|cell| cell.trim().to_lowercase()).collect();
        if !head.iter().any(|cell| cell == "content") {
            return Err(Failure::unusable(format!("{} has no column \"content\"", path.display())));
        }
        for row in rows {
            let mut value = Map::new();
            for (key, cell) in head.iter().zip(&row).filter(|(_, cell)| !cell.is_empty()) {
                value.insert(key.clone(), cell_value(key, cell));
            }
            self.memory(&Value::Object(value), &name);
        }
        Ok(())
    }
}

fn cell_value(key: &str, cell: &str) -> Value {
    // The mark that keeps spreadsheet programs from running a cell isn't part of the text.
    let plain = cell
        .strip_prefix('\'')
        .filter(|rest| rest.starts_with(['=', '+', '-', '@', '\t', '\r']))
        .unwrap_or(cell);
    match key {
        "tags" => {
            let separator: &[char] = if plain.contains([',', ';']) { &[',', ';'] } else { &[' '] };
            plain.split(separator).map(str::trim).filter(|tag| !tag.is_empty()).collect()
        }
        "created_at" => plain.parse::<i64>().map_or_else(|_| plain.into(), Value::from),
        _ => plain.into(),
    }
}

/// The rows of a table, split into cells; a quoted cell may contain anything.
fn rows(text: &str) -> Vec<Vec<String>> {
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
    if !cell.is_empty() || !row.is_empty() {
        row.push(cell);
        rows.push(row);
    }
    rows.retain(|row| row.len() > 1 || row.first().is_some_and(|cell| !cell.is_empty()));
    rows
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_cell_in_quotes_may_contain_everything() {
        let rows = super::rows("content,tags\r\n\"a, \"\"b\"\"\nc\",x y\n\nlast,");
        assert_eq!(rows, [["content", "tags"], ["a, \"b\"\nc", "x y"], ["last", ""]]);
    }
}
