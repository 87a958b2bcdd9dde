//! Plain text: paragraphs for prose, a number of lines for logs. Owns the guess which of the two it is.

use super::pack::{BLOCK, LINE};
use super::{Chunk, ChunkKind, Unit, chunk_of, headline, pack, units};

/// Paragraphs are packed together up to this many bytes.
const PROSE_TARGET: usize = 1600;
/// Lines in one chunk of a log.
const LOG_LINES: usize = 20;
/// Lines looked at to tell a log from prose.
const SAMPLE: usize = 200;

pub(super) fn chunk(content: &str, base_title: &str, cap: usize) -> Vec<Chunk> {
    let mut units = units(content, cap);
    if looks_like_log(content, &units) {
        return lines(content, units, base_title, LOG_LINES, cap);
    }
    let mut after_blank = false;
    for unit in &mut units {
        if after_blank && !unit.blank {
            unit.score = BLOCK;
        }
        after_blank = unit.blank;
    }
    let ranges = pack(&units, PROSE_TARGET.min(cap), cap, BLOCK);
    let alone = ranges.len() == 1;
    ranges
        .into_iter()
        .filter_map(|range| {
            let part = &units[range];
            let first = part.iter().find(|u| !u.blank)?;
            let title = if alone {
                base_title.to_owned()
            } else {
                titled(base_title, &headline(&content[first.start..first.text_end], 60))
            };
            chunk_of(content, part, ChunkKind::Prose, title)
        })
        .collect()
}

pub(super) fn by_lines(content: &str, base_title: &str, per_chunk: usize, cap: usize) -> Vec<Chunk> {
    lines(content, units(content, cap), base_title, per_chunk, cap)
}

fn lines(content: &str, units: Vec<Unit>, base_title: &str, per_chunk: usize, cap: usize) -> Vec<Chunk> {
    let units: Vec<Unit> = units.into_iter().filter(|u| !u.blank).collect();
    let mut out = Vec::new();
    for group in units.chunks(per_chunk) {
        for range in pack(group, cap, cap, u8::MAX) {
            let part = &group[range];
            let (Some(first), Some(last)) = (part.first(), part.last()) else { continue };
            let title = if first.line == last.line {
                titled(base_title, &format!("line {}", first.line))
            } else {
                titled(base_title, &format!("lines {}–{}", first.line, last.line))
            };
            out.extend(chunk_of(content, part, ChunkKind::Prose, title));
        }
    }
    if let [only] = out.as_mut_slice() {
        base_title.clone_into(&mut only.title);
    }
    out
}

/// `base: part`, or whichever of the two there is.
pub(super) fn titled(base: &str, part: &str) -> String {
    match (base.is_empty(), part.is_empty()) {
        (true, _) => part.to_owned(),
        (_, true) => base.to_owned(),
        _ => format!("{base}: {part}"),
    }
}

/// Lines without blank lines between them, or lines that begin with a time or a level, are records, not paragraphs.
fn looks_like_log(content: &str, units: &[Unit]) -> bool {
    let mut lines = 0usize;
    let mut records = 0usize;
    let mut blanks = 0usize;
    for unit in units.iter().filter(|u| u.score == LINE).take(SAMPLE) {
        if unit.blank {
            blanks += 1;
        } else {
            lines += 1;
            records += usize::from(starts_like_a_record(&content[unit.start..unit.text_end]));
        }
    }
    lines >= 10 && (records * 2 >= lines || blanks * 25 < lines)
}

fn starts_like_a_record(line: &str) -> bool {
    const LEVELS: &[&str] = &[
        "TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "ERROR", "FATAL", "trace", "debug", "info", "warn",
        "error",
    ];
    let head = line.trim_start().trim_start_matches(['[', '(', '<', '{', '"']);
    let digits = head.bytes().take_while(u8::is_ascii_digit).count();
    let after = head.as_bytes().get(digits).copied().unwrap_or(b' ');
    let time = (digits == 4 && after == b'-') || (digits == 2 && after == b':') || digits >= 10;
    time || LEVELS.iter().any(|level| head.starts_with(level))
}
