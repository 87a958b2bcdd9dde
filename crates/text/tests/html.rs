//! Pages as Markdown: fixtures as snapshots, and what must never come through.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use plimsoll_text::{Page, html_to_markdown};
use std::path::Path;

fn page(name: &str) -> Page {
    let path = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default())
        .join("tests/fixtures/html")
        .join(name);
    html_to_markdown(&std::fs::read_to_string(path).unwrap(), "https://docs.example.com/guide/start.html")
}

#[test]
fn an_article_page() {
    let page = page("article.html");
    insta::assert_snapshot!(format!("title: {:?}\n\n{}", page.title, page.markdown));
}

#[test]
fn a_reference_page_that_is_no_article() {
    let page = page("reference.html");
    insta::assert_snapshot!(format!("title: {:?}\n\n{}", page.title, page.markdown));
}

#[test]
fn what_runs_is_gone() {
    let page = page("hostile.html");
    insta::assert_snapshot!(format!("title: {:?}\n\n{}", page.title, page.markdown));
    let lower = page.markdown.to_lowercase();
    for word in ["run me](", "data](", "vb](", "<iframe", "evil.example", "svg text", "template text"] {
        assert!(!lower.contains(word), "{word} in\n{}", page.markdown);
    }
    // What the page shows as text stays text.
    assert!(lower.contains("\\<script>") && !lower.replace("\\<", "").contains("<script"));
}

#[test]
fn deep_nesting_is_flattened() {
    for html in [
        format!("{}deep text{}", "<div>".repeat(20_000), "</div>".repeat(20_000)),
        format!("{}deep text", "<b>".repeat(20_000)),
        format!("{}deep text", "<ul><li>".repeat(10_000)),
        format!("<table>{}deep text", "<tr><td><table>".repeat(8_000)),
        format!("<svg>{}deep text", "<g>".repeat(20_000)),
        format!("{}deep text", "<p><font size=1>".repeat(20_000)),
    ] {
        let page = html_to_markdown(&html, "");
        assert!(page.markdown.contains("deep text") || html.starts_with("<svg>"), "{:.80}", page.markdown);
    }
}

#[test]
fn large_and_odd_pages_end() {
    for html in [
        "<".repeat(1 << 18),
        "<!--".repeat(20_000),
        "<script>".repeat(10_000),
        "</".repeat(50_000),
        "<a href=\"".repeat(10_000),
        "&lt;script&gt;".repeat(20_000),
        "x".repeat(1 << 19),
        "`".repeat(20_000),
    ] {
        let page = html_to_markdown(&html, "not a url");
        assert!(page.markdown.len() <= html.len() * 5);
    }
}

#[test]
fn empty_pages() {
    assert_eq!(html_to_markdown("", ""), Page { title: None, markdown: String::new() });
    assert_eq!(html_to_markdown("plain words", "").markdown, "plain words");
}
