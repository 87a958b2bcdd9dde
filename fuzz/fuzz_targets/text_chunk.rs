//! Chunks of any text in any format: slices in order under the cap, with only white space between them; snippets and
//! cuts keep their budgets.
#![no_main]

use libfuzzer_sys::fuzz_target;
use text::Format;

fuzz_target!(|data: (u8, u16, &str)| {
    let (format, cap, content) = data;
    let format = match format % 6 {
        0 => Format::Markdown,
        1 => Format::Plain,
        2 => Format::Json,
        3 => Format::Source("rust"),
        4 => text::format_of("label", content),
        _ => text::format_of("name.json", content),
    };
    let cap = usize::from(cap % 600);
    let source = content.strip_prefix('\u{feff}').unwrap_or(content);
    let mut at = 0;
    for chunk in text::chunk(content, &format, "base", cap) {
        assert!(chunk.text.len() <= cap.max(4), "over the cap");
        let found = at + source[at..].find(&chunk.text).expect("a slice, in order");
        assert!(source[at..found].trim().is_empty(), "lost text");
        assert!(chunk.start_line >= 1 && chunk.start_line <= chunk.end_line);
        at = found + chunk.text.len();
    }
    assert!(source[at..].trim().is_empty(), "lost the end");
    let terms = text::query_terms(&content[..content.floor_char_boundary(40)]);
    assert!(text::snippet(content, &terms, cap).len() <= cap.max(content.len().min(cap)));
    assert!(text::cut_middle(content, cap, 60).len() <= cap);
    let _ = text::identifiers(content);
});
