//! Chunks of whole documents, as snapshots: titles, kinds, lines and text.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use plimsoll_text as text;
use std::path::Path;
use text::{Chunk, ChunkKind, Format, chunk, format_of};

fn fixture(name: &str) -> String {
    std::fs::read_to_string(
        Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default())
            .join("tests/fixtures/documents")
            .join(name),
    )
    .unwrap()
}

fn show(chunks: &[Chunk]) -> String {
    chunks
        .iter()
        .map(|c| {
            format!(
                "=== {} | {:?} | {}–{} | {} B\n{}\n",
                c.title,
                c.kind,
                c.start_line,
                c.end_line,
                c.text.len(),
                c.text
            )
        })
        .collect()
}

#[test]
fn documents_are_cut_as_recorded() {
    for (name, cap) in [
        ("guide.md", 400),
        ("notes.txt", 300),
        ("server.log", 4096),
        ("people.json", 220),
        ("minified.json", 120),
        ("source.rs", 300),
    ] {
        let content = fixture(name);
        let format = format_of(name, &content);
        insta::assert_snapshot!(name, format!("{format:?}\n{}", show(&chunk(&content, &format, name, cap))));
    }
}

#[test]
fn a_fence_over_the_cap_is_cut_at_lines() {
    let code: String = (0..100).map(|i| format!("let value_{i} = {i};\n")).collect();
    let content = format!("# Title\n\ntext\n\n```rust\n{code}```\n\nafter\n");
    let chunks = chunk(&content, &Format::Markdown, "", 500);
    assert!(chunks.iter().all(|c| c.text.len() <= 500 && c.title == "Title"));
    assert!(chunks.iter().filter(|c| c.text.contains("value_")).all(|c| c.kind == ChunkKind::Code));
    assert!(
        chunks
            .iter()
            .flat_map(|c| c.text.lines())
            .filter(|l| l.starts_with("let "))
            .all(|l| l.ends_with(';'))
    );
}

#[test]
fn blank_lines_after_a_fence_do_not_make_it_too_long() {
    // Open to the end of the document, the fence takes the blank lines with it.
    let content = "a line before the code\n```\n    a}(}a}a\n   \n";
    let chunks = chunk(content, &Format::Markdown, "base", 19);
    assert!(chunks.iter().any(|chunk| chunk.text == "```\n    a}(}a}a"), "{chunks:?}");
}

#[test]
fn sentences_then_words_then_characters() {
    let content = "One two three. Four five six. Seven eight nine. Ten eleven twelve.";
    let texts = |cap| chunk(content, &Format::Plain, "", cap).into_iter().map(|c| c.text).collect::<Vec<_>>();
    assert_eq!(texts(40), ["One two three. Four five six.", " Seven eight nine. Ten eleven twelve."]);
    assert_eq!(
        texts(12),
        ["One two ", "three.", " Four five ", "six. Seven ", "eight nine.", " Ten eleven ", "twelve."]
    );
    let cjk = "这是第一句。这是第二句，比较长一些。第三句。";
    for piece in chunk(cjk, &Format::Plain, "", 30) {
        assert!(piece.text.len() <= 30);
    }
    let family = "👨‍👩‍👧‍👦".repeat(10);
    for piece in chunk(&family, &Format::Plain, "", 60) {
        assert!(piece.text.starts_with('👨') && piece.text.ends_with('👦'), "{:?}", piece.text);
    }
}

#[test]
fn a_line_of_megabytes_in_every_format() {
    let line = "word, another word 中文 ".repeat(60_000);
    for format in [Format::Markdown, Format::Plain, Format::Json, Format::Source("rust")] {
        let chunks = chunk(&line, &format, "big", 4096);
        assert!(chunks.len() < 5000);
        assert_eq!(chunks.iter().map(|c| c.text.len()).sum::<usize>(), line.trim_end_matches('\n').len());
    }
    let json = format!("[{}1]", "{\"a\":[1,2,{\"b\":null}]},".repeat(30_000));
    assert!(chunk(&json, &Format::Json, "big", 4096).iter().all(|c| c.text.len() <= 4096));
}

#[test]
fn pathological_input_ends() {
    for content in [
        "[".repeat(60_000),
        ">".repeat(20_000),
        "> ".repeat(20_000),
        "- ".repeat(20_000),
        "*a ".repeat(20_000),
        "`".repeat(60_000),
        "# \n".repeat(20_000),
        "|\n".repeat(20_000),
        "| a |\n|---|\n".repeat(20_000),
        "```\n".repeat(10_001),
        format!("{}{}", "[".repeat(20_000), "]".repeat(20_000)),
        format!("{}1{}", "{\"a\":".repeat(20_000), "}".repeat(20_000)),
    ] {
        for format in [Format::Markdown, Format::Json] {
            assert!(chunk(&content, &format, "", 1000).iter().all(|c| c.text.len() <= 1000));
        }
    }
}

#[test]
fn formats_by_name_and_content() {
    for (name, content, format) in [
        ("README.md", "", Format::Markdown),
        ("docs/a.MDX", "", Format::Markdown),
        ("src/main.rs", "", Format::Source("rust")),
        ("Dockerfile", "", Format::Source("dockerfile")),
        ("https://x.test/a.json?b=c", "{}", Format::Json),
        ("tsconfig.json", "{ // comment\n}", Format::Source("json")),
        ("app.log", "# not markdown", Format::Plain),
        ("events.jsonl", "{}\n{}", Format::Plain),
        ("label", "{\"a\": 1}", Format::Json),
        ("label", "# Title\n\ntext", Format::Markdown),
        ("label", "text\n\n```js\nx\n```\n", Format::Markdown),
        ("label", "#!/usr/bin/env python3\nprint(1)", Format::Source("python")),
        ("label", "just words", Format::Plain),
        ("", "", Format::Plain),
    ] {
        assert_eq!(format_of(name, content), format, "{name} {content}");
    }
}
