//! Converts a page's HTML to Markdown through a parsed tree: readability first, the whole body if that finds too little. Owns the
//! handlers for each element and the link addresses.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use dom_smoothie::{Config, Readability};
use htmd::element_handler::{HandlerResult, Handlers};
use htmd::options::{BulletListMarker, HrStyle, Options};
use htmd::{Element, HtmlToMarkdown, Node};
use url::Url;

use super::guard::MAX_DEPTH;

/// Elements that belong to the site, not to the content.
const FURNITURE: &[&str] = &[
    "script", "style", "nav", "header", "footer", "aside", "noscript", "form", "svg", "button", "iframe",
    "object", "embed", "canvas", "template", "dialog", "input", "select", "textarea", "title", "audio",
    "video", "source", "map",
];
/// An article's minimum share of the body's text, in percent; below it, the page isn't an article.
const MIN_ARTICLE_SHARE: usize = 40;
/// A shorter article, in bytes of Markdown, isn't trusted if the body has more.
const MIN_ARTICLE: usize = 400;

/// `None` if the tree is too deep to walk safely.
pub(super) fn to_markdown(html: &str, url: &str) -> Option<String> {
    let base = Url::parse(url).ok();
    let converter = converter(base.clone(), true);
    let body = convert(&converter, html)?;
    let Some(article) = article(html, url) else { return Some(body) };
    // Readability's result has no site elements left; a `header` in it is the article's own.
    let article = convert(&converter_for_article(base), &article)?;
    let believed = article.len() >= MIN_ARTICLE
        && article.len() * 100 >= body.len() * MIN_ARTICLE_SHARE
        && fences(&article) >= fences(&body);
    Some(if believed || body.trim().is_empty() { with_heading(article, &body) } else { body })
}

/// `article` under the page's main heading, which readability removes.
fn with_heading(article: String, body: &str) -> String {
    let heading = |text: &str| text.lines().find(|l| l.starts_with("# ")).map(str::to_owned);
    match (heading(&article), heading(body)) {
        (None, Some(heading)) => format!("{heading}\n\n{article}"),
        _ => article,
    }
}

/// Number of fence lines: an article that lost code is not an article.
fn fences(markdown: &str) -> usize {
    markdown.lines().filter(|l| l.trim_start().starts_with("```")).count()
}

fn convert(converter: &HtmlToMarkdown, html: &str) -> Option<String> {
    let tree = converter.html_to_tree(html).ok()?;
    if depth_exceeds(&tree, MAX_DEPTH * 2) {
        return None;
    }
    Some(tidy(&converter.tree_to_markdown(&tree)))
}

/// Without recursion, because the tree is untrusted.
fn depth_exceeds(root: &std::rc::Rc<Node>, max: usize) -> bool {
    let mut level = vec![root.clone()];
    for _ in 0..=max {
        let next: Vec<_> = level.iter().flat_map(|n| n.children.borrow().clone()).collect();
        if next.is_empty() {
            return false;
        }
        level = next;
    }
    true
}

/// Readability's article, as HTML.
fn article(html: &str, url: &str) -> Option<String> {
    let config = Config { keep_classes: true, ..Config::default() };
    let url = (!url.is_empty() && Url::parse(url).is_ok()).then_some(url);
    let mut reader = Readability::new(html, url, Some(config)).ok()?;
    if !reader.is_probably_readable() {
        return None;
    }
    Some(reader.parse().ok()?.content.to_string())
}

fn converter_for_article(base: Option<Url>) -> HtmlToMarkdown {
    converter(base, false)
}

fn converter(base: Option<Url>, whole_page: bool) -> HtmlToMarkdown {
    let options = Options {
        hr_style: HrStyle::Dashes,
        bullet_list_marker: BulletListMarker::Dash,
        ul_bullet_spacing: 1,
        ol_number_spacing: 1,
        preformatted_code: true,
        ..Options::default()
    };
    let state = Arc::new(State::default());
    let base = Arc::new(base);
    let skipped: Vec<&str> = FURNITURE
        .iter()
        .copied()
        .filter(|t| whole_page || !matches!(*t, "header" | "footer" | "aside"))
        .collect();
    let [pre, in_anchor, in_code, in_break, in_wrapper] = std::array::from_fn(|_| state.clone());
    let image_base = base.clone();
    HtmlToMarkdown::builder()
        .options(options)
        .scripting_enabled(true)
        .skip_tags(skipped)
        .add_handler(vec!["pre"], move |h: &dyn Handlers, e: Element| Some(fenced(h, &e, &pre)))
        .add_handler(vec!["code", "samp", "kbd", "tt"], move |h: &dyn Handlers, e: Element| {
            if in_code.in_pre() {
                in_code.note_language(&e);
                return Some(h.walk_children(e.node));
            }
            Some(inline_code(&h.walk_children(e.node).content))
        })
        .add_handler(
            vec!["br"],
            move |h: &dyn Handlers, e: Element| {
                if in_break.in_pre() { Some("\n".into()) } else { h.fallback(e) }
            },
        )
        .add_handler(vec!["div", "figure"], move |h: &dyn Handlers, e: Element| {
            let Some(language) = attribute(&e, "class").and_then(|c| language_in(&c)) else {
                return h.fallback(e);
            };
            in_wrapper.wrappers().push(language);
            let result = h.fallback(e);
            in_wrapper.wrappers().pop();
            result
        })
        .add_handler(vec!["a"], move |h: &dyn Handlers, e: Element| {
            let content = h.walk_children(e.node);
            if in_anchor.in_pre() {
                return Some(content);
            }
            Some(link(&e, &content.content, base.as_ref().as_ref()))
        })
        .add_handler(vec!["img"], move |_: &dyn Handlers, e: Element| {
            Some(image(&e, image_base.as_ref().as_ref()))
        })
        .build()
}

fn attribute(element: &Element, name: &str) -> Option<String> {
    element.attrs.iter().find(|a| &*a.name.local == name).map(|a| a.value.to_string())
}

/// State that the handlers of one conversion share.
#[derive(Default)]
struct State {
    /// How many `pre` are open.
    pre: AtomicUsize,
    /// The language named by an element inside the open `pre`.
    language: Mutex<Option<String>>,
    /// The languages that the enclosing open elements name, innermost last.
    wrappers: Mutex<Vec<String>>,
}

impl State {
    fn in_pre(&self) -> bool {
        self.pre.load(Ordering::Relaxed) > 0
    }

    fn note_language(&self, element: &Element) {
        let mut language = self.language.lock().unwrap_or_else(PoisonError::into_inner);
        if language.is_none() {
            *language = language_of(element);
        }
    }

    fn wrappers(&self) -> std::sync::MutexGuard<'_, Vec<String>> {
        self.wrappers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take_language(&self) -> Option<String> {
        self.language.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A fenced block with its language, and every tag inside flattened to its text.
fn fenced(handlers: &dyn Handlers, element: &Element, state: &State) -> HandlerResult {
    if state.in_pre() {
        return handlers.walk_children(element.node);
    }
    state.take_language();
    state.pre.fetch_add(1, Ordering::Relaxed);
    let content = handlers.walk_children(element.node).content;
    state.pre.fetch_sub(1, Ordering::Relaxed);
    let code = content.trim_matches('\n');
    if code.trim().is_empty() {
        return "".into();
    }
    let inside = state.take_language();
    let language =
        language_of(element).or(inside).or_else(|| state.wrappers().last().cloned()).unwrap_or_default();
    let ticks = "`".repeat(3.max(longest_run(code, '`') + 1));
    format!("\n\n{ticks}{language}\n{code}\n{ticks}\n\n").into()
}

/// The language in an element's own attributes.
fn language_of(element: &Element) -> Option<String> {
    ["data-lang", "data-language"]
        .into_iter()
        .find_map(|name| attribute(element, name))
        .and_then(|named| plain_language(&named))
        .or_else(|| attribute(element, "class").and_then(|classes| language_in(&classes)))
}

fn language_in(classes: &str) -> Option<String> {
    let prefixed = classes.split_whitespace().find_map(|c| {
        ["language-", "lang-", "highlight-source-", "highlight-", "brush:"]
            .iter()
            .find_map(|p| c.strip_prefix(p))
    });
    prefixed.and_then(plain_language)
}

fn plain_language(name: &str) -> Option<String> {
    let name: String = name
        .trim()
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '-' | '_' | '.'))
        .collect();
    (!name.is_empty() && name.len() <= 24).then(|| name.to_ascii_lowercase())
}

fn longest_run(text: &str, symbol: char) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == symbol { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

fn inline_code(content: &str) -> HandlerResult {
    let code = content.split_whitespace().collect::<Vec<_>>().join(" ");
    if code.is_empty() {
        return "".into();
    }
    let ticks = "`".repeat(longest_run(&code, '`') + 1);
    let pad = if code.starts_with('`') || code.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{code}{pad}{ticks}").into()
}

/// `[text](address)`; only the text if the address leads nowhere or could run; nothing without a text.
fn link(element: &Element, content: &str, base: Option<&Url>) -> HandlerResult {
    let text = content.trim();
    if text.chars().all(|c| c.is_whitespace() || matches!(c, '¶' | '#' | '§' | '🔗')) {
        // Empty links, and the anchors beside documentation headings.
        return if content.starts_with(char::is_whitespace) { " ".into() } else { "".into() };
    }
    let Some(address) = attribute(element, "href").and_then(|href| address(&href, base)) else {
        return content.into();
    };
    if text.contains("\n\n") || text.starts_with('#') || text.starts_with("```") {
        // A link around whole blocks: the blocks matter more than the link.
        return content.into();
    }
    let lead = if content.starts_with(char::is_whitespace) { " " } else { "" };
    let trail = if content.ends_with(char::is_whitespace) { " " } else { "" };
    let text = text.replace('\n', " ");
    format!("{lead}[{text}]({address}){trail}").into()
}

fn image(element: &Element, base: Option<&Url>) -> HandlerResult {
    let alt = attribute(element, "alt").unwrap_or_default();
    let alt =
        alt.split_whitespace().collect::<Vec<_>>().join(" ").replace(['[', ']', '<', '>', '`', '!'], "");
    if alt.is_empty() {
        return "".into();
    }
    let source = attribute(element, "src").and_then(|src| address(&src, base));
    match source {
        Some(source) if source.starts_with("http") => format!("![{alt}]({source})").into(),
        _ => alt.into(),
    }
}

/// An absolute address that is safe to show, or `None`. Drops fragments of the same page.
fn address(href: &str, base: Option<&Url>) -> Option<String> {
    let href: String = href.trim().chars().filter(|c| !c.is_control()).collect();
    if href.is_empty() || href.starts_with('#') {
        return None;
    }
    let resolved = match (Url::parse(&href), base) {
        (Ok(url), _) => url,
        (Err(_), Some(base)) => base.join(&href).ok()?,
        (Err(_), None) => {
            // Without a base, a relative link stays relative, unless it could be taken for a scheme.
            let harmless =
                !href.contains([':', '<', '>', '"', '`', '\\']) && !href.contains(char::is_whitespace);
            return harmless.then(|| href.replace('(', "%28").replace(')', "%29"));
        }
    };
    if !matches!(resolved.scheme(), "http" | "https" | "mailto" | "ftp") {
        return None;
    }
    let text = resolved.as_str();
    Some(
        text.replace('(', "%28")
            .replace(')', "%29")
            .replace('<', "%3C")
            .replace('>', "%3E")
            .replace(' ', "%20")
            .replace('`', "%60")
            .replace('\\', "%5C"),
    )
}

/// Whether a line that begins with `ticks` backticks closes the fence opened by `open`.
fn closes_fence(line: &str, ticks: usize, open: usize) -> bool {
    ticks >= open && line.trim_start().trim_start_matches('`').trim().is_empty()
}

/// At most one blank line in a row and no trailing spaces, outside code.
fn tidy(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut blank = 0;
    let mut fence: Option<usize> = None;
    for line in markdown.lines() {
        let ticks = line.trim_start().bytes().take_while(|b| *b == b'`').count();
        match fence {
            Some(open) if closes_fence(line, ticks, open) => fence = None,
            None if ticks >= 3 => fence = Some(ticks),
            _ => {}
        }
        let kept = if fence.is_some() { line } else { line.trim_end() };
        blank = if kept.is_empty() && fence.is_none() { blank + 1 } else { 0 };
        if blank <= 1 {
            out.push_str(kept);
            out.push('\n');
        }
    }
    out.trim_matches('\n').to_owned()
}
