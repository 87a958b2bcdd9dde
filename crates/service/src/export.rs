//! Exports the ledger to other programs, row by row, so that a large ledger needs no memory.
//!
//! Owns the two formats. In CSV, text that a spreadsheet would take for a formula gets a leading apostrophe; numbers
//! don't, or negative ones would become text.

use std::fmt::Write as _;
use std::io::Write;

use contract::Error;
use serde_json::json;
use sessions::{Class, RecordedCall};

use crate::{Service, failure};

/// Rows read at a time.
const BATCH: u32 = 1_000;

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values (RFC 4180) with a header line.
    Csv,
    /// A JSON array with one object per row.
    Json,
}

const CSV_HEADER: &str = "id,at_ms,agent,session,project,tool,filter,raw_bytes,returned_bytes,saved_bytes,class,ok,\
overhead_bytes,elapsed_us,tokens_raw,tokens_returned,tokenizer";

/// Why an export stopped.
#[derive(Debug)]
pub enum ExportError {
    /// The ledger can't be read.
    Unreadable(Error),
    /// The output can't be written.
    Unwritable(std::io::Error),
}

impl From<std::io::Error> for ExportError {
    fn from(error: std::io::Error) -> Self {
        Self::Unwritable(error)
    }
}

impl Service {
    /// Writes every ledger row from `since_ms` (milliseconds since 1970) on to `out` in the order of recording, and
    /// returns their number.
    ///
    /// # Errors
    /// If the ledger can't be read or `out` can't be written; what was written before stays.
    pub fn export(&self, format: Format, since_ms: i64, out: &mut dyn Write) -> Result<u64, ExportError> {
        let unreadable =
            |error: sessions::SessionsError| ExportError::Unreadable(failure::from_storage(&error));
        let sessions = self.read_record().map_err(unreadable)?;
        out.write_all(match format {
            Format::Csv => CSV_HEADER.as_bytes(),
            Format::Json => b"[",
        })?;
        let (mut last, mut count) = (0, 0);
        while let Some(sessions) = &sessions {
            let rows = sessions.calls_after(last, since_ms, BATCH).map_err(unreadable)?;
            let Some(end) = rows.last() else { break };
            last = end.id;
            for call in &rows {
                let text = match format {
                    Format::Csv => csv(call),
                    Format::Json => format!("{}\n{}", if count > 0 { "," } else { "" }, object(call)),
                };
                out.write_all(text.as_bytes())?;
                count += 1;
            }
        }
        out.write_all(match format {
            Format::Csv => b"\r\n",
            Format::Json => b"\n]\n",
        })?;
        out.flush()?;
        Ok(count)
    }
}

fn class(class: Class) -> &'static str {
    match class {
        Class::None => "none",
        Class::Measured => "measured",
        Class::Estimated => "estimated",
    }
}

fn object(call: &RecordedCall) -> serde_json::Value {
    let row = &call.row;
    json!({
        "id": call.id, "at_ms": row.at_ms, "agent": row.agent, "session": row.session, "project": row.project,
        "tool": row.tool, "filter": row.filter, "raw_bytes": row.raw_bytes, "returned_bytes": row.returned_bytes,
        "saved_bytes": call.saved_bytes, "class": class(row.class), "ok": row.ok,
        "overhead_bytes": row.overhead_bytes, "elapsed_us": row.elapsed_us, "tokens_raw": row.tokens_raw,
        "tokens_returned": row.tokens_returned, "tokenizer": row.tokenizer,
    })
}

/// One row, preceded by the line end of the previous one.
fn csv(call: &RecordedCall) -> String {
    let row = &call.row;
    let mut line = format!("\r\n{},{}", call.id, row.at_ms);
    for text in [&row.agent, &row.session, &row.project, &row.tool, &row.filter] {
        line.push(',');
        line.push_str(&cell(text));
    }
    let _ = write!(
        line,
        ",{},{},{},{},{},{},{},{},{},{}",
        row.raw_bytes,
        row.returned_bytes,
        call.saved_bytes,
        class(row.class),
        row.ok,
        row.overhead_bytes,
        row.elapsed_us,
        row.tokens_raw,
        row.tokens_returned,
        cell(&row.tokenizer)
    );
    line
}

/// A text cell. Text that begins like a formula (even after a tab or line end, which some programs drop) gets an
/// apostrophe; text with a separator, a quote, a line end or outer spaces is quoted.
fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    let quoted = text.contains([',', '"', '\r', '\n', '\t']) || text.trim() != text;
    if quoted { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use home::{Clock, Env};
    use sessions::LedgerRow;

    use super::*;

    fn row(tool: &str, at_ms: i64) -> LedgerRow {
        LedgerRow {
            session: "s".into(),
            agent: "codex".into(),
            project: "/w/a \"b\", c".into(),
            tool: tool.into(),
            raw_bytes: 10,
            returned_bytes: 90,
            class: Class::Measured,
            ok: true,
            at_ms,
            ..LedgerRow::default()
        }
    }

    fn exported(service: &Service, format: Format, since_ms: i64) -> (u64, String) {
        let mut out = Vec::new();
        let count = service.export(format, since_ms, &mut out).unwrap();
        (count, String::from_utf8(out).unwrap())
    }

    #[test]
    fn cells_are_quoted_and_no_formula_is_left() {
        for (text, wanted) in [
            ("plain", "plain"),
            ("", ""),
            ("a,b", "\"a,b\""),
            ("say \"x\"", "\"say \"\"x\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            (" outer", "\" outer\""),
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@sum", "'@sum"),
            ("\t=1", "\"'\t=1\""),
            ("=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\""),
            ("'already", "'already"),
            ("ü=1", "ü=1"),
        ] {
            assert_eq!(cell(text), wanted, "{text:?}");
        }
    }

    #[test]
    fn rows_are_given_whole_and_from_the_moment_asked_for() {
        let dir = tempfile::tempdir().unwrap();
        let service = Service::new(Env::for_test(dir.path()), Clock::fixed(0)).unwrap();
        assert_eq!(exported(&service, Format::Json, 0), (0, "[\n]\n".to_owned()));
        assert_eq!(exported(&service, Format::Csv, 0), (0, format!("{CSV_HEADER}\r\n")));
        let mut sessions = service.open_record().unwrap();
        sessions.ledger(&row("early", 5)).unwrap();
        sessions.ledger(&LedgerRow { filter: "git-log".into(), ..row("=cmd|' /C calc'!A0", 7) }).unwrap();
        let (count, text) = exported(&service, Format::Csv, 6);
        assert_eq!(count, 1);
        assert_eq!(
            text,
            format!(
                "{CSV_HEADER}\r\n2,7,codex,s,\"/w/a \"\"b\"\", c\",'=cmd|' /C calc'!A0,git-log,10,90,-80,measured,true,0,0,3,23,plimsoll-4b\r\n"
            )
        );
        let (count, text) = exported(&service, Format::Json, 0);
        let rows: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!((count, rows.as_array().unwrap().len()), (2, 2));
        assert_eq!((&rows[0]["tool"], &rows[1]["saved_bytes"]), (&json!("early"), &json!(-80)));
    }

    #[test]
    fn more_rows_than_are_read_at_a_time_come_once_each() {
        let dir = tempfile::tempdir().unwrap();
        let service = Service::new(Env::for_test(dir.path()), Clock::fixed(0)).unwrap();
        let many = i64::from(BATCH) + 5;
        let notes: Vec<sessions::Note> = (0..many).map(|i| sessions::Note::Call(row("x", i))).collect();
        sessions::append_notes(service.home(), &notes).unwrap();
        let (count, text) = exported(&service, Format::Csv, 0);
        assert_eq!(count, many.unsigned_abs());
        let numbers: Vec<&str> = text.lines().skip(1).filter_map(|line| line.split(',').nth(1)).collect();
        assert_eq!(numbers, (0..many).map(|i| i.to_string()).collect::<Vec<_>>());
    }
}
