//! Removes the elements that a page doesn't show: those with `hidden`, or that the page's styles hide. Such text is written for
//! programs, not for readers. Reads tags and attributes and closes them as a browser would; builds no tree.
//!
//! Visible text stays, even under `aria-hidden`, and so does what a click reveals (`details`).

use super::entities::unescape;
use super::guard::{Tag, VOID, next_tag};
use super::style::{Colour, HidingSelectors, colour, declarations, hides, without_comments};

/// How many open elements are remembered; deeper pages are flattened anyway.
const MAX_OPEN: usize = 600;

/// An open element.
struct Open<'a> {
    name: &'a str,
    hidden: bool,
    background: Option<Colour>,
}

/// `html` without what it hides. `styles` are the page's own, see [`HidingSelectors`].
pub(super) fn without_hidden(html: &str, styles: &HidingSelectors) -> String {
    let mut out = String::with_capacity(html.len());
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut hidden = 0_usize;
    let mut at = 0;
    while let Some(tag) = next_tag(html, at) {
        if hidden == 0 {
            out.push_str(&html[at.min(tag.start)..tag.start]);
        }
        at = tag.end;
        let source = &html[tag.start..tag.end];
        if tag.name.is_empty() {
            continue;
        }
        if tag.closing {
            if let Some(found) = open.iter().rposition(|element| tag.is(&[element.name])) {
                let was = hidden;
                hidden -= open[found..].iter().filter(|element| element.hidden).count();
                let own = open[found].hidden;
                open.truncate(found);
                if hidden == 0 && !(own && was > 0) {
                    out.push_str(source);
                }
            } else if hidden == 0 {
                out.push_str(source);
            }
            continue;
        }
        while let Some(element) = open.last()
            && closes(tag.name, element.name)
        {
            hidden -= usize::from(element.hidden);
            open.pop();
        }
        let look = Look::of(&tag, source, styles);
        let background = look.background.or_else(|| open.last().and_then(|element| element.background));
        let same = look.colour.is_some() && look.colour == background;
        let is_hidden = look.hidden || same;
        let void = tag.is(VOID) || source.ends_with("/>") && tag.is(&["path", "use"]);
        if !void && open.len() < MAX_OPEN {
            hidden += usize::from(is_hidden);
            open.push(Open { name: tag.name, hidden: is_hidden, background });
        }
        if hidden == 0 && !(void && is_hidden) {
            out.push_str(source);
        }
    }
    if hidden == 0 {
        out.push_str(&html[at.min(html.len())..]);
    }
    out
}

/// Whether the start of `next` ends an open `element` whose end tag is optional.
fn closes(next: &str, element: &str) -> bool {
    let is = |name: &str, names: &[&str]| names.iter().any(|n| name.eq_ignore_ascii_case(n));
    const BLOCKS: &[&str] = &[
        "address",
        "article",
        "aside",
        "blockquote",
        "div",
        "dl",
        "fieldset",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "ul",
        "figure",
        "details",
    ];
    is(element, &["p"]) && is(next, BLOCKS)
        || is(element, &["li"]) && is(next, &["li"])
        || is(element, &["dt", "dd"]) && is(next, &["dt", "dd"])
        || is(element, &["td", "th"]) && is(next, &["td", "th", "tr", "tbody", "tfoot", "thead"])
        || is(element, &["tr"]) && is(next, &["tr", "tbody", "tfoot", "thead"])
        || is(element, &["option"]) && is(next, &["option", "optgroup"])
}

/// What a start tag says about its element's look.
#[derive(Default)]
struct Look {
    hidden: bool,
    colour: Option<Colour>,
    background: Option<Colour>,
}

impl Look {
    fn of(tag: &Tag<'_>, source: &str, styles: &HidingSelectors) -> Self {
        let mut look = Self::default();
        for (name, value) in attributes(&source[1 + tag.name.len()..]) {
            match name.to_ascii_lowercase().as_str() {
                "hidden" => look.hidden = true,
                "style" => look.style(&unescape(value)),
                "color" => look.colour = colour(value),
                "bgcolor" => look.background = colour(value),
                "class" => {
                    look.hidden |=
                        value.split_ascii_whitespace().any(|class| styles.contains(&format!(".{class}")));
                }
                "id" => look.hidden |= styles.contains(&format!("#{value}")),
                "type" if tag.is(&["input"]) => look.hidden |= value.eq_ignore_ascii_case("hidden"),
                _ => {}
            }
        }
        look
    }

    fn style(&mut self, style: &str) {
        let style = without_comments(style).to_ascii_lowercase();
        let declarations = declarations(&style);
        self.hidden |= hides(&declarations);
        for (name, value) in declarations {
            match name {
                "color" | "-webkit-text-fill-color" => self.colour = colour(value).or(self.colour),
                "background-color" | "background" => self.background = colour(value).or(self.background),
                _ => {}
            }
        }
    }
}

/// Each attribute's name and value; the value of one without is empty.
fn attributes(mut rest: &str) -> Vec<(&str, &str)> {
    let mut out = Vec::new();
    rest = rest.trim_end_matches('>').trim_end_matches('/');
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        if rest.is_empty() || out.len() > 60 {
            return out;
        }
        let end = rest
            .char_indices()
            .skip(1)
            .find(|(_, c)| c.is_ascii_whitespace() || matches!(c, '=' | '/'))
            .map_or(rest.len(), |(at, _)| at);
        let Some((name, after)) = rest.split_at_checked(end) else { return out };
        rest = after.trim_start();
        let Some(after) = rest.strip_prefix('=') else {
            out.push((name, ""));
            continue;
        };
        rest = after.trim_start();
        let (value, after) = match rest.chars().next() {
            Some(quote @ ('"' | '\'')) => rest[1..].split_once(quote).unwrap_or((&rest[1..], "")),
            _ => rest.split_at(rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len())),
        };
        out.push((name, value));
        rest = after;
    }
}
