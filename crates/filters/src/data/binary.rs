//! Describes bytes that aren't text: the kind of file, the size, and the words in them. Owns nothing else.

use std::fmt::Write as _;

/// An output isn't text if more of its characters than one in so many aren't.
const SHARE: usize = 20;
/// Shortest run of printable characters that is worth showing, and the room for all of them, in bytes.
const RUN: usize = 8;
const RUNS: usize = 600;

/// The first bytes of kinds of files, as far as they survive being read as text.
const KINDS: &[(&str, &str)] = &[
    ("\u{fffd}PNG", "a PNG image"),
    ("GIF8", "a GIF image"),
    ("PK\u{3}\u{4}", "a ZIP archive (or a format made of one: jar, docx, xlsx)"),
    ("%PDF-", "a PDF document"),
    ("\u{7f}ELF", "an ELF program or library"),
    ("MZ", "a Windows program or library"),
    ("SQLite format 3", "an SQLite database"),
    ("\0asm", "a WebAssembly module"),
    ("RIFF", "a RIFF file (WAV, WebP or AVI)"),
    ("OggS", "an Ogg file"),
    ("wOFF", "a WOFF font"),
    ("wOF2", "a WOFF2 font"),
    ("BZh", "a bzip2 archive"),
    ("7z", "a 7z archive"),
    ("Rar!", "a RAR archive"),
    ("!<arch>", "an ar archive"),
    ("ID3", "an MP3 file"),
    ("\u{1f}\u{fffd}\u{8}", "gzip data"),
    ("(\u{fffd}/\u{fffd}", "Zstandard data"),
    ("\u{fffd}7zXZ", "xz data"),
    ("\u{fffd}\u{fffd}\u{fffd}", "a JPEG image or other bytes"),
];

/// How many lines of a drawn table are checked, how many of them for a rule, and the bytes these may take.
const ROWS: usize = 40;
const TOP: usize = 3;
const BEGINNING: usize = 64 * 1024;

/// A description of `text` when it isn't text; `None` for text.
pub fn description(text: &str) -> Option<String> {
    // Texts of any language have none of these characters.
    let strange = |c: &char| matches!(c, '\u{fffd}' | '\0'..='\u{8}' | '\u{e}'..='\u{1a}' | '\u{1c}'..='\u{1f}' | '\u{7f}');
    let head: Vec<char> = text.chars().take(8_192).collect();
    let found = head.iter().filter(|c| strange(c)).count();
    if head.len() < 200 || found * SHARE < head.len() || is_table(text) {
        return None;
    }
    let kind = KINDS
        .iter()
        .find(|(begin, _)| text.starts_with(begin))
        .map_or("of no kind that is known here", |(_, kind)| kind);
    // Each byte that isn't text was read as one character.
    let bytes: usize = text.chars().map(|c| if c == '\u{fffd}' { 1 } else { c.len_utf8() }).sum();
    let mut out = format!("binary data, {kind}: about {bytes} bytes, not shown\n");
    let mut words = String::new();
    let mut count = 0;
    for run in text.split(|c: char| c != ' ' && !c.is_ascii_graphic()) {
        let run = run.trim();
        if run.len() < RUN || run.bytes().filter(u8::is_ascii_alphabetic).count() * 2 < run.len() {
            continue;
        }
        count += 1;
        if words.len() + run.len() < RUNS {
            let _ = writeln!(words, "  {run}");
        }
    }
    if count > 0 {
        let _ = write!(out, "text in it, {} of {count} pieces:\n{words}", words.lines().count());
    }
    Some(out)
}

/// Whether `text` is a table as clients of databases draw it: whatever bytes its cells have, its lines are text.
fn is_table(text: &str) -> bool {
    let begun = &text[..text.floor_char_boundary(BEGINNING)];
    let lines = || begun.lines().filter(|line| !line.trim().is_empty()).take(ROWS);
    let is_rule = |line: &str| {
        line.chars().filter(|c| matches!(c, '-' | '─' | '━')).count() > 2
            && line.chars().all(|c| matches!(c, '-' | '+' | '|' | ' ' | '\u{2500}'..='\u{257f}'))
    };
    let drawn = lines().filter(|line| line.contains(['|', '│', '┃']) || is_rule(line)).count();
    lines().take(TOP).any(is_rule) && drawn * 4 > lines().count() * 3
}

#[cfg(test)]
mod tests {
    use super::description;
    use crate::{FilterSet, shorten_within};

    #[test]
    fn a_table_with_bytes_in_its_cells_is_a_table() {
        let rule = "+------+----------+------+\n";
        let rows: String =
            (0..900).map(|n| format!("| {n:4} | cust{:<4} | \0\0\0\u{1} |\n", n % 37)).collect();
        let table =
            format!("{rule}| id   | name     | bits |\n{rule}{rows}{rule}900 rows in set (0.00 sec)\n");
        assert_eq!(description(&table), None);
        let done = shorten_within(
            &FilterSet::builtin(),
            "mysql -t -e 'select * from flags'",
            Some(0),
            &table,
            6_000,
        );
        let shown = done.unwrap().text;
        for fact in ["900 rows, 3 columns", "name: 37 different values", "899", "900 rows in set"] {
            assert!(shown.contains(fact), "{fact}: {shown}");
        }
    }

    #[test]
    fn other_bytes_are_described() {
        let image = format!("\u{fffd}PNG\r\n{}", "ab|cd\0\u{1}\u{fffd}\n".repeat(90));
        assert!(description(&image).is_some_and(|text| text.contains("a PNG image")));
        assert_eq!(description(&"| plain | text |\n".repeat(90)), None);
    }
}
