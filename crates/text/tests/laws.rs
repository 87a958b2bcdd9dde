//! The laws of chunking, shortening and cleaning, on generated input.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use plimsoll_text as text;
use proptest::prelude::*;
use text::{Chunk, Format, chunk, chunk_lines, cut_middle, html_to_markdown, redact, snippet};

fn formats() -> impl Strategy<Value = Format> {
    prop_oneof![Just(Format::Markdown), Just(Format::Plain), Just(Format::Json), Just(Format::Source("rust"))]
}

/// Realistic documents: headings, fences, tables, lists, long lines, CJK, CRLF, blank lines.
fn document() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        4 => "[a-z ,.]{0,60}",
        2 => "#{1,6} [A-Z][a-z]{0,12}",
        2 => Just("```rust".to_owned()),
        2 => Just("```".to_owned()),
        1 => Just("---".to_owned()),
        1 => Just("===".to_owned()),
        1 => Just("| a | b |\n|---|---|\n| 1 | 2 |".to_owned()),
        1 => "[-*] [a-z ]{0,20}",
        1 => "  [-*] ```[a-z]{0,3}",
        1 => "> [a-z ]{0,20}",
        1 => "[一-龥。，]{0,90}",
        1 => "[a-z]{0,300}",
        1 => "\\PC{0,40}",
        3 => Just(String::new()),
        1 => Just("   ".to_owned()),
        1 => "    [a-z(){};]{0,20}",
    ];
    let end = prop_oneof![5 => Just("\n"), 1 => Just("\r\n")];
    prop::collection::vec((line, end), 0..60)
        .prop_map(|lines| lines.into_iter().map(|(l, e)| l + e).collect::<String>())
}

fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<i32>().prop_map(Into::into),
        "\\PC{0,80}".prop_map(Into::into),
        "[a-z ]{0,200}".prop_map(Into::into),
    ];
    let value = leaf.prop_recursive(5, 80, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Into::into),
            prop::collection::vec(("[a-z]{1,8}", inner), 0..8)
                .prop_map(|m| serde_json::Value::Object(m.into_iter().collect())),
        ]
    });
    (value, any::<bool>()).prop_map(|(v, pretty)| {
        if pretty { serde_json::to_string_pretty(&v).unwrap() } else { v.to_string() }
    })
}

/// Chunks are slices in order, with only white space between them.
fn check_law(content: &str, chunks: &[Chunk], cap: usize) -> Result<(), TestCaseError> {
    let mut at = 0;
    let mut line = 0;
    for c in chunks {
        prop_assert!(c.text.len() <= cap, "{} bytes under a cap of {cap}", c.text.len());
        prop_assert!(!c.text.is_empty());
        let found = content[at..].find(&c.text).map(|i| at + i);
        let Some(found) = found else {
            return Err(TestCaseError::fail(format!("not in order: {:?}", c.text)));
        };
        prop_assert!(content[at..found].trim().is_empty(), "lost {:?}", &content[at..found]);
        prop_assert!(c.start_line >= 1 && c.start_line <= c.end_line && c.start_line >= line);
        // The first line that is not blank is where the chunk says it is.
        let first = content.split_inclusive('\n').nth(c.start_line as usize - 1).unwrap_or("");
        let head = c.text.lines().next().unwrap_or("");
        prop_assert!(first.contains(head.trim_end()), "line {} is {first:?}, not {head:?}", c.start_line);
        line = c.end_line;
        at = found + c.text.len();
    }
    prop_assert!(content[at..].trim().is_empty(), "lost {:?}", &content[at..]);
    Ok(())
}

/// Every fence that fits the cap together with what is before it on its first line is in one chunk: chunks are whole lines,
/// and a fence may begin behind the mark of a list's item.
fn check_fences(content: &str, chunks: &[Chunk], cap: usize) -> Result<(), TestCaseError> {
    use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};
    let options = Options::ENABLE_TABLES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    for (event, range) in Parser::new_ext(content, options).into_offset_iter() {
        if !matches!(event, Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_)) | Tag::Table(_))) {
            continue;
        }
        let atom = content[range.clone()].trim_end();
        let before = range.start - content[..range.start].rfind('\n').map_or(0, |feed| feed + 1);
        // A chunk's size counts the blanks at the end of its last line.
        let blanks = content[range][atom.len()..].lines().next().map_or(0, str::len);
        if before + atom.len() + blanks < cap && !atom.trim().is_empty() {
            prop_assert!(chunks.iter().any(|c| c.text.contains(atom)), "split: {atom:?}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn chunks_reproduce_the_source(content in document(), format in formats(), cap in 4usize..600) {
        let chunks = chunk(&content, &format, "base", cap);
        check_law(&content, &chunks, cap)?;
        if format == Format::Markdown {
            check_fences(&content, &chunks, cap)?;
        }
    }

    #[test]
    fn chunks_of_json_reproduce_the_source(content in json(), cap in 4usize..400) {
        check_law(&content, &chunk(&content, &Format::Json, "base", cap), cap)?;
    }

    #[test]
    fn chunks_of_any_text_reproduce_it(content in "(?s).{0,400}", format in formats(), cap in 0usize..64) {
        let chunks = chunk(&content, &format, "", cap);
        let plain = content.strip_prefix('\u{feff}').unwrap_or(&content);
        check_law(plain, &chunks, cap.max(4))?;
    }

    #[test]
    fn chunks_by_lines_reproduce_the_source(content in document(), lines in 0usize..9, cap in 4usize..600) {
        let chunks = chunk_lines(&content, "log", lines, cap);
        check_law(&content, &chunks, cap)?;
        for c in &chunks {
            prop_assert!(c.text.lines().filter(|l| !l.trim().is_empty()).count() <= lines.max(1));
        }
    }

    #[test]
    fn snippets_keep_their_budget(content in document(), terms in prop::collection::vec("\\PC{0,8}", 0..4), max in 0usize..300) {
        let snippet = snippet(&content, &terms, max);
        prop_assert!(snippet.len() <= max);
        if content.len() <= max { prop_assert_eq!(snippet, content); }
    }

    #[test]
    fn cut_text_is_head_and_tail(content in document(), max in 100usize..500) {
        let cut = cut_middle(&content, max, 60);
        prop_assert!(cut.len() <= max);
        if content.len() > max {
            let (head, tail) = cut.split_once("… [").unwrap();
            prop_assert!(content.starts_with(head.trim_end_matches('\n')));
            let (_, tail) = tail.split_once("] …\n").unwrap();
            prop_assert!(content.ends_with(tail));
        }
    }

    #[test]
    fn extracts_keep_their_budget_and_count(content in document(), max in 0usize..3000, context in 0usize..4) {
        let extract = text::failures::extract(&content, context, max);
        prop_assert!(extract.text.len() <= max, "{} > {max}", extract.text.len());
        prop_assert!(extract.shown <= extract.failures);
        prop_assert_eq!(extract.bytes, content.len());
        prop_assert_eq!(extract, text::failures::extract(&content, context, max));
    }

    #[test]
    fn a_failure_among_anything_is_found(before in document(), after in document()) {
        let content = format!("{before}\nERROR: needle 4711 broke\n{after}");
        let extract = text::failures::extract(&content, 2, 20_000);
        prop_assert!(extract.text.contains("ERROR: needle 4711 broke"), "{}", extract.text);
    }

    #[test]
    fn redacting_twice_is_redacting_once(content in "(?s)(password|token|api_key|secret|=|:|\"|'| |\n|[a-zA-Z0-9]{1,20}|sk-|://|@|-----BEGIN PRIVATE KEY-----|.){0,40}") {
        let once = redact(&content).into_owned();
        prop_assert_eq!(redact(&once).into_owned(), once.clone());
    }

    #[test]
    fn pages_hold_no_html(body in "(<(script|div|p|b|a href=\"javascript:x\"|pre|code|table|tr|td|li|ul|img src=x|h1|svg|blockquote)>|</(div|p|pre|code|table|ul|a|script|svg)>|&lt;script&gt;|&lt;|`|\\*|\\[|\\]\\(|<!--|-->|[a-z ]{1,9}|\n|    ){0,40}") {
        let page = html_to_markdown(&body, "https://example.com/a/b");
        check_safe(&page.markdown)?;
    }
}

/// As a renderer reads it, the page contains no HTML and no address that runs.
fn check_safe(markdown: &str) -> Result<(), TestCaseError> {
    use pulldown_cmark::{Event, Options, Parser, Tag};
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Html(h) | Event::InlineHtml(h) => {
                return Err(TestCaseError::fail(format!("{h:?} in {markdown:?}")));
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                let lower = dest_url.trim().to_lowercase();
                prop_assert!(
                    !["javascript:", "data:", "vbscript:"].iter().any(|s| lower.starts_with(s)),
                    "{lower} in {markdown:?}"
                );
            }
            _ => {}
        }
    }
    Ok(())
}
