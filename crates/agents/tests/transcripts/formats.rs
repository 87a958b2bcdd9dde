//! Each format, file by file: the records in `fixtures/lines/<format>/<case>`. Captured sessions are in `home.rs`; these are the
//! older, newer and damaged ones.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use plimsoll_agents::transcript_formats;
use proptest::prelude::*;
use transcripts::{Format, Record, Records, Totals};

fn lines() -> PathBuf {
    super::fixtures().join("lines")
}

fn by_name(name: &str) -> &'static Format {
    transcript_formats().into_iter().find(|format| format.name == name).unwrap()
}

/// One line per record, then the sums and the counts.
fn summary(format: &'static Format, bytes: &[u8]) -> String {
    let mut records = Records::new(format, "the-file", bytes);
    let mut totals = Totals::new(jiff::tz::TimeZone::UTC);
    let mut out = String::new();
    for record in &mut records {
        match record {
            Record::ToolOutput(shown) => {
                let (tool, command, exit) = (&shown.tool, &shown.command, shown.exit);
                let (session, text, at) = (&shown.session, &shown.text, shown.at_ms);
                writeln!(out, "shown {session} {at} {tool:?} {command:?} {exit:?}: {text:?}").unwrap();
            }
            Record::Usage(usage) => totals.add(&usage),
        }
    }
    for (row, spent) in totals.rows() {
        let (session, model, tool, day) = (&row.session, &row.model, row.tool.as_deref(), &row.day);
        let t = spent.tokens;
        let tokens =
            format!("in {} out {} read {} written {}", t.input, t.output, t.cache_read, t.cache_write);
        writeln!(out, "spent {session} {model:?} {tool:?} {day}: {} x {tokens}", spent.responses).unwrap();
    }
    let counts = records.counts();
    writeln!(out, "{} lines, {} too long, {} unreadable", counts.lines, counts.too_long, counts.unreadable)
        .unwrap();
    out
}

fn cases() -> Vec<(&'static Format, PathBuf)> {
    let mut cases = Vec::new();
    for format in transcript_formats() {
        let dir = lines().join(format.name);
        cases.extend(fs::read_dir(&dir).unwrap().flatten().map(|entry| (format, entry.path())));
    }
    cases.sort_by(|a, b| a.1.cmp(&b.1));
    cases
}

#[test]
fn every_case_is_read_as_recorded() {
    let mut all = String::new();
    for (format, path) in cases() {
        let name = path.strip_prefix(lines()).unwrap().to_string_lossy().replace('\\', "/");
        writeln!(all, "## {name}\n{}", summary(format, &fs::read(&path).unwrap())).unwrap();
    }
    insta::assert_snapshot!("every_case", all);
}

/// A truncated transcript has the same records as far as it goes: none differs, and none is invented.
#[test]
fn a_cut_transcript_has_the_same_records_as_far_as_it_goes() {
    for (format, path) in cases() {
        let bytes = fs::read(&path).unwrap();
        let whole: Vec<Record> = Records::new(format, "f", bytes.as_slice()).collect();
        for cut in (0..bytes.len()).step_by(7) {
            let part: Vec<Record> = Records::new(format, "f", &bytes[..cut]).collect();
            assert_eq!(part, whole[..part.len()], "{} cut at {cut}", path.display());
        }
    }
}

/// With any byte of a file replaced by an invalid one, nothing panics.
#[test]
fn invalid_utf8_anywhere_is_read_without_panic() {
    for (format, path) in cases() {
        let bytes = fs::read(&path).unwrap();
        for at in (0..bytes.len()).step_by(11) {
            let mut bytes = bytes.clone();
            bytes[at] = 0xff;
            let _ = summary(format, &bytes);
        }
    }
}

#[test]
fn a_line_over_the_bound_is_passed_over() {
    let line = |id: &str, filling: usize| {
        let text = "x".repeat(filling);
        format!(
            "{{\"type\":\"assistant\",\"sessionId\":\"s\",\"message\":{{\"id\":\"{id}\",\"content\":[{{\"type\":\"text\",\"text\":\"{text}\"}}],\"usage\":{{\"output_tokens\":1}}}}}}\n"
        )
    };
    let bytes = [line("a", 10), line("b", transcripts::LINE_BYTES), line("c", 10)].concat();
    let mut records = Records::new(by_name("claude-code"), "f", bytes.as_bytes());
    assert_eq!(records.by_ref().count(), 2);
    assert_eq!((records.counts().lines, records.counts().too_long), (3, 1));
}

/// Pieces of the formats' lines, so that random input isn't only blanks.
fn any_line() -> impl Strategy<Value = Vec<u8>> {
    let seeds: Vec<Vec<u8>> = cases()
        .into_iter()
        .flat_map(|(_, path)| {
            fs::read(path).unwrap().split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>()
        })
        .collect();
    let cut = (proptest::sample::select(seeds), any::<u16>(), any::<u16>(), any::<u8>()).prop_map(
        |(mut line, from, at, byte)| {
            if !line.is_empty() {
                let at = usize::from(at) % line.len();
                line[at] = byte;
                line.drain(..usize::from(from) % line.len() / 4);
            }
            line
        },
    );
    prop_oneof![cut, proptest::collection::vec(any::<u8>(), 0..80)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_lines_are_read_without_panic(parts in proptest::collection::vec(any_line(), 0..12)) {
        let bytes = parts.join(&b'\n');
        for format in transcript_formats() {
            let _ = summary(format, &bytes);
        }
    }

    /// The law of counting once: a file read twice, or copied into another, costs the same.
    #[test]
    fn copies_cost_nothing(case in proptest::sample::select(cases()), times in 1_usize..4) {
        let bytes = fs::read(&case.1).unwrap();
        let sum = |times: usize| {
            let mut totals = Totals::new(jiff::tz::TimeZone::UTC);
            for _ in 0..times {
                for record in Records::new(case.0, "f", bytes.as_slice()) {
                    if let Record::Usage(usage) = record {
                        totals.add(&usage);
                    }
                }
            }
            totals.rows()
        };
        prop_assert_eq!(sum(times), sum(1));
    }
}
