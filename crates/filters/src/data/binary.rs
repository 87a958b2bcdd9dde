//! Bytes that aren't text: shown by what kind of file they are, how many, and the words in them. Owns nothing else.

use std::fmt::Write as _;

/// An output isn't text if more of its characters than one in so many aren't.
const SHARE: usize = 20;
/// Shortest run of letters and signs that is worth showing, and what all may take, in bytes.
const RUN: usize = 8;
const RUNS: usize = 600;

/// What the bytes of kinds of files begin with, as far as that survives being read as text.
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

/// A description of `text` when it isn't text; `None` for text.
pub fn description(text: &str) -> Option<String> {
    // Texts of any language have none of these characters.
    let strange = |c: &char| matches!(c, '\u{fffd}' | '\0'..='\u{8}' | '\u{e}'..='\u{1a}' | '\u{1c}'..='\u{1f}' | '\u{7f}');
    let head: Vec<char> = text.chars().take(8_192).collect();
    let found = head.iter().filter(|c| strange(c)).count();
    if head.len() < 200 || found * SHARE < head.len() {
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
