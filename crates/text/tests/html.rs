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
fn a_reference_page_that_is_not_an_article() {
    let page = page("reference.html");
    insta::assert_snapshot!(format!("title: {:?}\n\n{}", page.title, page.markdown));
}

#[test]
fn scripts_are_removed() {
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
fn a_page_without_markup_is_its_text() {
    assert_eq!(html_to_markdown("", ""), Page { title: None, markdown: String::new() });
    assert_eq!(html_to_markdown("plain words", "").markdown, "plain words");
}

/// Text that the page hides from the reader is left out, and visible text stays.
#[test]
fn what_a_page_hides_is_left_out() {
    let cases = std::fs::read_to_string(
        Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default())
            .join("tests/fixtures/html/hidden.txt"),
    )
    .unwrap();
    let mut wrong = Vec::new();
    for case in cases.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        for around in ["{}", "<main><h1>Guide</h1><p>Before all.</p>{}<p>After all.</p></main>"] {
            let html = format!("<!doctype html><html><body>{}</body></html>", around.replace("{}", case));
            let text = html_to_markdown(&html, "").markdown;
            let missing =
                case.contains("SEEN") && text.matches("SEEN").count() != case.matches("SEEN").count();
            let ended = around.len() > 2 && !text.contains("After all.");
            if text.contains("UNSEEN") || missing && !case.contains("UNSEEN") || ended {
                wrong.push(format!("{html}\n  → {text:?}"));
            }
            let seen = |text: &str| text.replace("UNSEEN", "").matches("SEEN").count();
            if seen(&text) != seen(case) {
                wrong.push(format!("{html}\n  ⇒ {text:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn characters_that_nobody_sees_are_left_out() {
    let tags: String = "ignore".chars().map(|c| char::from_u32(0xe0000 + u32::from(c)).unwrap()).collect();
    let html = format!(
        "<title>T{tags}</title><p>pay{tags}load ze\u{200b}ro wi\u{2060}dth \u{202e}back\u{202c} naïve 👩\u{200d}👩 ❤\u{fe0f} می\u{200c}خواهم</p>"
    );
    let page = html_to_markdown(&html, "");
    assert_eq!(page.title.as_deref(), Some("T"));
    assert_eq!(page.markdown, "payload zero width back naïve 👩\u{200d}👩 ❤\u{fe0f} می\u{200c}خواهم");
}
