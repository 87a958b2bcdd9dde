//! Any page becomes Markdown that a renderer finds neither HTML nor a running address in.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pulldown_cmark::{Event, Options, Parser, Tag};

fuzz_target!(|html: &str| {
    let page = text::html_to_markdown(html, "https://example.com/a/b?c");
    for event in Parser::new_ext(&page.markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Html(found) | Event::InlineHtml(found) => panic!("HTML: {found:?}"),
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                let address = dest_url.trim().to_lowercase();
                assert!(!["javascript:", "data:", "vbscript:"].iter().any(|s| address.starts_with(s)), "{address}");
            }
            _ => {}
        }
    }
});
