//! Converts HTML to Markdown for pages that are read and searched. Owns which parts of a page count and how they are written;
//! fetches nothing. The result contains no raw HTML and no address that a program could run.

mod convert;
mod entities;
mod escape_html;
mod guard;
mod hidden;
mod invisible;
mod plain_text;
mod style;

pub use invisible::without_invisible;

/// The stack of a converting thread: the converter recurses once per nesting level.
const STACK: usize = 64 * 1024 * 1024;

/// A web page as Markdown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The page's own title, on one line.
    pub title: Option<String>,
    /// Its content.
    pub markdown: String,
}

/// The content of the page `html` as Markdown. `url`, the page's address, makes relative links absolute; an empty or broken one
/// leaves them as they are.
///
/// Articles are reduced to the article; other pages keep their whole body without navigation and the like. Pages nested too
/// deeply to parse safely become plain text. What the page hides from its readers is left out.
#[must_use]
pub fn html_to_markdown(html: &str, url: &str) -> Page {
    let styles = style::hiding_selectors(html);
    let clean = hidden::without_hidden(&guard::clean(html), &styles);
    let title = guard::title(&clean).map(|title| without_invisible(&title));
    let markdown = if guard::nests_too_deeply(&clean) { None } else { convert_on_big_stack(&clean, url) };
    let markdown = markdown.unwrap_or_else(|| plain_text::text(&clean));
    Page { title, markdown: escape_html::without_raw_html(without_invisible(&markdown)) }
}

/// `None` if the converter gave up or panicked: foreign input must never crash the process.
fn convert_on_big_stack(html: &str, url: &str) -> Option<String> {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .name("html".to_owned())
            .stack_size(STACK)
            .spawn_scoped(scope, || convert::to_markdown(html, url))
            .ok()?
            .join()
            .ok()
            .flatten()
    })
}
