//! Large JSON: records of one kind become a table of values under one line of keys, values that all share are shown
//! once, and a longer list becomes a summary of its columns, with the rows that differ from the rest. Long texts are
//! cut. Numbers are shown with the figures that they were written with.

mod columns;

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use self::columns::{cells, columns};
use super::http_head::http_head;
use super::numbers::{as_written, keep_numbers};
use super::script_output::{amid_lines, is_report, report_below};
use super::{json_findings, json_tests};
use crate::clip::{clip_at, mark};
use crate::data::rows::{KEY, Table};
use crate::data::within;

/// JSON up to this size, in bytes, is left alone.
const SMALL: usize = 2_000;
/// Values up to this size are on one line, in bytes.
const ONE_LINE: usize = 100;
/// Records from which on their keys are named once.
const RECORDS: usize = 3;
/// Longest text value when something must be cut, in bytes.
const LONG_TEXT: usize = 400;
/// The minimum room for a value, in bytes.
const LEAST: usize = 120;
/// Fields of an object that are rows where not all fit, and the longest value in such a row, in bytes.
const MANY: usize = 100;
const CELL: usize = 80;
/// How deep a value may nest before it is written on one line.
const MAX_DEPTH: usize = 24;
/// JSON in about `room` bytes, as far as lists and long texts can be shortened.
pub(crate) fn json(text: &str, room: usize) -> Option<String> {
    if text.len() <= SMALL {
        return None;
    }
    // Status and headers of a server's answer, as `curl -i` prints them.
    if let Some((head, body)) = http_head(text) {
        return json(body, room.saturating_sub(head.len())).map(|body| format!("{head}{body}"));
    }
    if let Some((above, body, below)) = report_below(text).or_else(|| amid_lines(text)) {
        let around = above.len() + below.len();
        if around > room / 2 {
            return None;
        }
        if !is_report(above, body) {
            // Findings one a line, below what their tool says on its other stream.
            let kept = keep_numbers(body.trim())?;
            let records = kept.lines().map(serde_json::from_str).collect::<Result<Vec<Value>, _>>().ok()?;
            let short = json_findings::summary(&records, |_, _| String::new(), room - around)?;
            return Some(format!("{above}{short}{below}")).filter(|short| short.len() < text.len());
        }
        return json(body, room - around).map(|body| format!("{above}{}\n{below}", body.trim_end()));
    }
    let trimmed = text.trim();
    if !trimmed.starts_with(['{', '[']) {
        return None;
    }
    let kept = keep_numbers(trimmed)?;
    let (one, records) = match serde_json::from_str::<Value>(&kept) {
        Ok(value) => (Some(value), Vec::new()),
        // One value per line, as many tools stream it.
        Err(_) => (None, kept.lines().map(serde_json::from_str).collect::<Result<Vec<Value>, _>>().ok()?),
    };
    let values = one.as_ref().map_or(records.as_slice(), std::slice::from_ref);
    let sign = if trimmed.contains("\": ") { ": " } else { ":" };
    let rest = |value: &Value, room: usize| {
        let mut out = String::new();
        write(&mut out, value, At { depth: 0, sign }, room);
        out
    };
    let findings = || json_findings::summary(values, rest, room);
    let report = one.as_ref().and_then(|report| json_tests::summary(report, room)).or_else(findings);
    if let Some(short) = report.filter(|short| short.len() <= room && short.len() < text.len()) {
        return Some(short);
    }
    Some(within(room, |room| {
        let mut out = String::with_capacity(text.len() / 2);
        match &one {
            Some(value) => write(&mut out, value, At { depth: 0, sign }, room),
            None => list(&mut out, &records, At { depth: 0, sign }, room),
        }
        out.push('\n');
        out
    }))
}

/// How deep a value is nested, and the output's separator between a key and its value.
#[derive(Clone, Copy)]
struct At {
    depth: usize,
    sign: &'static str,
}

impl At {
    fn below(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }
}

fn write(out: &mut String, value: &Value, at: At, room: usize) {
    let long = at.depth < MAX_DEPTH && compact(value).len() > ONE_LINE;
    match value {
        Value::Array(items) if long && items.len() > 1 => list(out, items, at, room),
        Value::Object(fields) if long && !fields.is_empty() => object(out, fields, at, room),
        _ => out.push_str(&clipped(value)),
    }
}

fn object(out: &mut String, fields: &Map<String, Value>, at: At, room: usize) {
    // Records by name are records.
    let values: Vec<&Value> = fields.values().collect();
    if let Some((names, flat)) = columns(&values, 8) {
        let _ = write!(out, "{{{}}} by key:", fields.len());
        let mut all = vec![KEY.to_owned()];
        all.extend(names.iter().cloned());
        let rows = fields.iter().map(|(key, value)| {
            let mut row = vec![quoted_key(key)];
            row.extend(cells(value, &names, flat));
            row
        });
        return table(out, all, rows.collect(), At { sign: "", ..at }, room);
    }
    // So many fields of different kinds, such as a lock file's packages, are rows where their beginnings don't fit.
    let begun = |(key, value): (&String, &Value)| key.len() + 4 + compact(value).len().min(LEAST);
    if fields.len() > MANY && fields.iter().map(begun).sum::<usize>() > room {
        let _ = write!(out, "{{{}}} by key:", fields.len());
        let rows =
            fields.iter().map(|(key, value)| vec![quoted_key(key), Cow::Owned(brief(value))]).collect();
        return table(out, vec![KEY.to_owned(), "value".to_owned()], rows, At { sign: "", ..at }, room);
    }
    let shares = shares(&values, room.saturating_sub(fields.keys().map(|key| key.len() + 4).sum()));
    out.push('{');
    for ((key, value), share) in fields.iter().zip(shares) {
        let _ = write!(out, "\n{}{}: ", indent(at.depth + 1), quoted_key(key));
        write(out, value, at.below(), share);
    }
    let _ = write!(out, "\n{}}}", indent(at.depth));
}

/// How much of `room` each value has: short ones get all they need, long ones share the rest equally.
fn shares(values: &[&Value], room: usize) -> Vec<usize> {
    let sizes: Vec<usize> = values.iter().map(|value| compact(value).len()).collect();
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|at| sizes[*at]);
    let mut shares = vec![0; sizes.len()];
    let mut left = room;
    for (nth, at) in order.iter().enumerate() {
        let share = left / (sizes.len() - nth);
        // Laid out it may take a little more.
        shares[*at] = share.max(LEAST);
        left -= share.min(sizes[*at]);
    }
    shares
}

fn list(out: &mut String, items: &[Value], at: At, room: usize) {
    let _ = write!(out, "[{}]", items.len());
    let values: Vec<&Value> = items.iter().collect();
    if let Some((names, flat)) = columns(&values, RECORDS) {
        let rows = items.iter().map(|item| cells(item, &names, flat)).collect();
        return table(out, names, rows, at, room);
    }
    if items.len() > 8 && items.iter().all(|item| !item.is_array() && !item.is_object()) {
        let whole: usize = items.iter().map(|item| clipped(item).len() + 1).sum();
        if whole <= 1_000 {
            let row: Vec<String> = items.iter().map(clipped).collect();
            let _ = write!(out, ": {}", row.join(","));
            return;
        }
        let rows = items.iter().map(|item| vec![Cow::Owned(clipped(item))]).collect();
        return table(out, vec!["value".to_owned()], rows, At { sign: "", ..at }, room);
    }
    out.push(':');
    let rows: Vec<String> = items
        .iter()
        .map(|item| {
            let mut row = String::new();
            write(&mut row, item, at.below(), room / 4);
            row
        })
        .collect();
    let whole: usize = rows.iter().map(String::len).sum();
    if whole <= room.min(6_000) || rows.len() < 8 {
        rows.iter().for_each(|row| {
            let _ = write!(out, "\n{}{row}", indent(at.depth + 1));
        });
        return;
    }
    let table = Table {
        rows: rows.iter().map(|row| vec![Cow::Borrowed(row.as_str())]).collect(),
        ..Table::default()
    };
    out.push('\n');
    out.push_str(table.render(room).trim_end());
}

fn table(out: &mut String, names: Vec<String>, rows: Vec<Vec<Cow<'_, str>>>, at: At, room: usize) {
    // Names of nested fields aren't the record's own, and one that needs escapes isn't plain.
    let plain = |name: &String| !name.contains(['.', '"', '\\']) && !name.contains(char::is_control);
    let record = Some(at.sign).filter(|sign| !sign.is_empty() && names.iter().all(plain));
    let names = names.into_iter().map(Cow::Owned).collect();
    let table = Table { names, rows, record, ..Table::default() };
    for line in table.render(room).lines() {
        let _ = write!(out, "\n{}{line}", indent(at.depth + 1));
    }
}

fn compact(value: &Value) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// The value on one line, its long texts cut.
fn clipped(value: &Value) -> String {
    if let Some(number) = as_written(value) {
        return number.to_owned();
    }
    match value {
        Value::String(text) => match clip_at(text, LONG_TEXT) {
            Some(cut) => compact(&Value::String(text[..cut].to_owned())) + &mark(text, cut),
            None => compact(value),
        },
        Value::Array(items) => {
            format!("[{}]", items.iter().map(clipped).collect::<Vec<_>>().join(","))
        }
        Value::Object(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(key, value)| format!("{}:{}", quoted_key(key), clipped(value))).collect();
            format!("{{{}}}", fields.join(","))
        }
        _ => compact(value),
    }
}

/// The beginning of a value in a row.
fn brief(value: &Value) -> String {
    let text = clipped(value);
    let end = text.floor_char_boundary(CELL);
    if end < text.len() { format!("{}…", &text[..end]) } else { text }
}

/// A key as it's shown: in quotes where nothing or more than a key would be read.
fn quoted_key(key: &str) -> Cow<'_, str> {
    if key.is_empty() || key.contains(": ") || key.contains(char::is_control) {
        return Cow::Owned(compact(&Value::String(key.to_owned())));
    }
    Cow::Borrowed(key)
}

fn indent(depth: usize) -> String {
    " ".repeat(depth.min(MAX_DEPTH))
}

#[cfg(test)]
mod tests {
    use super::json;
    use serde_json::json as value;

    #[test]
    fn records_become_a_table_and_the_odd_one_stays() {
        let items: Vec<_> = (0..500)
            .map(|n| value!({"id": n, "name": format!("order {n}"), "error": if n == 333 { "card refused" } else { "" }}))
            .collect();
        let short = json(&serde_json::to_string_pretty(&items).unwrap(), 24_000).unwrap();
        assert!(short.starts_with("[500]\n 500 rows, 3 columns\n"), "{short}");
        assert!(short.contains("id,name,error\n 0,\"order 0\",\"\"\n"), "{short}");
        assert!(
            short.contains("{\"id\": 333, \"name\": \"order 333\", \"error\": \"card refused\"}")
                && short.contains("… "),
            "{short}"
        );
        assert!(short.len() < 4_000, "{short}");
    }

    #[test]
    fn an_answers_head_stays_above_its_records() {
        let records: Vec<String> = (0..900)
            .map(|n| format!("{{\"id\": {n}, \"state\": \"{}\"}}", if n == 77 { "held" } else { "sent" }))
            .collect();
        let head = "HTTP/1.1 301 Moved\nlocation: /v2\n\nHTTP/1.1 200 OK\ncontent-type: application/json\n\n";
        let short = json(&format!("{head}[{}]", records.join(", ")), 3_000).unwrap();
        assert!(short.starts_with(head), "{short}");
        assert!(short.contains("{\"id\": 77, \"state\": \"held\"}"), "{short}");
    }

    #[test]
    fn numbers_stay_as_they_were_written() {
        let record = r#"{"id": 1000000000000000000001, "price": 1.10, "rate": 1E-7, "far": [1e400, -0], "n": 17, "of": "1.10"}"#;
        let rows = vec![record; 60];
        for text in [format!("[{}]", rows.join(",\n")), rows.join("\n")] {
            let short = json(&text, 24_000).unwrap();
            assert!(
                short.contains(
                    "id=1000000000000000000001, price=1.10, rate=1E-7, far=[1e400,-0], n=17, of=\"1.10\""
                ),
                "{short}"
            );
        }
        let field = format!(r#"{{"price": 1.10, "name": "{}"}}"#, "x".repeat(2_000));
        assert!(json(&field, 24_000).unwrap().contains("price: 1.10\n"));
    }

    #[test]
    fn a_few_long_records_keep_all_names_at_any_budget() {
        let record = |n: usize| {
            let mut fields = serde_json::Map::new();
            fields.insert("name".into(), format!("part-{n}").into());
            for field in 0..30 {
                fields.insert(
                    format!("field{field}"),
                    format!("{n} of {field} {}", "and so on ".repeat(12)).into(),
                );
            }
            fields.insert("status".into(), if n == 17 { "broken" } else { "good" }.into());
            serde_json::Value::Object(fields)
        };
        let items: Vec<_> = (0..24).map(record).collect();
        let text = value!({"version": 1, "packages": items, "members": (0..24).map(|n| format!("path+file:///srv/parts/part-{n}#0.1.0")).collect::<Vec<_>>(), "root": "/srv/parts"}).to_string();
        let short = json(&text, 2_050).unwrap();
        assert!(short.len() <= 2_050 && short.len() > 1_000, "{}: {short}", short.len());
        for n in 0..24 {
            assert!(
                short.contains(&format!("part-{n},")) || short.contains(&format!("part-{n}\"")),
                "{n}: {short}"
            );
        }
        assert!(short.contains("broken") && short.contains("root: \"/srv/parts\""), "{short}");
    }

    #[test]
    fn keys_that_are_values_are_not_columns() {
        let country = |n: usize| {
            let mut names = serde_json::Map::new();
            (0..3).for_each(|at| {
                names.insert(
                    format!("l{}", n * 3 + at),
                    value!({"official": format!("name {n}"), "common": format!("{n}")}),
                );
            });
            value!({"name": {"common": format!("land {n}"), "native": names}, "code": format!("c{n}"), "area": n * 100, "landlocked": n.is_multiple_of(3)})
        };
        let items: Vec<_> = (0..200).map(country).collect();
        let short = json(&serde_json::to_string_pretty(&items).unwrap(), 2_050).unwrap();
        assert!(short.len() <= 2_050, "{}", short.len());
        for key in ["name.common", "name.native", "code", "area", "landlocked"] {
            assert!(short.contains(key), "{key}: {short}");
        }
        assert!(short.contains("200 rows, 5 columns"), "{short}");
    }

    #[test]
    fn a_key_that_would_not_be_seen_is_quoted() {
        let mut packages = serde_json::Map::new();
        packages.insert(String::new(), "1.2.0".into());
        packages.insert("a: b\nc".into(), "1.3.0".into());
        packages.insert("inner".into(), value!({"": 1, "x": 2}));
        (0..200).for_each(|n| {
            packages.insert(format!("node_modules/part-{n}"), format!("1.0.{n}").into());
        });
        let short = json(&serde_json::to_string_pretty(&packages).unwrap(), 24_000).unwrap();
        for line in ["\n \"\": \"1.2.0\"\n", "\n \"a: b\\nc\": \"1.3.0\"\n", "\n inner: {\"\":1,x:2}\n"] {
            assert!(short.contains(line), "{line}: {short}");
        }
        assert!(short.contains("\n node_modules/part-7: \"1.0.7\"\n"), "{short}");
    }

    #[test]
    fn many_fields_of_different_kinds_are_rows_where_they_do_not_fit() {
        let mut packages = serde_json::Map::new();
        for n in 0..1_300 {
            let mut package = serde_json::Map::new();
            package.insert("version".into(), format!("1.0.{n}").into());
            package.insert(format!("of{}", n % 60), vec![n; 30].into());
            package.insert(format!("with{}", n % 70), "and so on ".repeat(20).into());
            packages.insert(format!("node_modules/part-{n}"), package.into());
        }
        let text = value!({"name": "shop", "packages": packages}).to_string();
        let short = json(&text, 2_050).unwrap();
        assert!(short.len() <= 2_050 && short.contains("packages: {1300} by key:\n"), "{short}");
        assert!(short.contains("1300 rows, 2 columns\n"), "{short}");
    }

    #[test]
    fn short_lists_are_rows_of_one_line() {
        let rows: Vec<String> = (0..400).map(|n| format!("[{},\"loans\",{n},\"out\"]", n % 7)).collect();
        let short = json(&rows.join("\n"), 24_000).unwrap();
        assert!(short.contains("\n[0,\"loans\",0,\"out\"]\n[1,\"loans\",1,\"out\"]\n"), "{short}");
    }

    #[test]
    fn small_and_broken_ones_are_left_alone() {
        assert_eq!(json("{\"a\":1}", 24_000), None);
        assert_eq!(json(&format!("[{}", "1,".repeat(4_000)), 24_000), None);
        assert_eq!(json(&"[".repeat(100_000), 24_000), None);
    }
}
