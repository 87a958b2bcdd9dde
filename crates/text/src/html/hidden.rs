//! Removes what a page doesn't show: elements with `hidden`, or that the page's styles hide, and invisible characters. Such text
//! is written for programs, not for readers. Reads tags and attributes and closes them as a browser would; builds no tree.
//!
//! Visible text stays, even under `aria-hidden`, and so does what a click reveals (`details`).

use std::collections::HashSet;

use super::entities::unescape;
use super::guard::{Tag, VOID, next_tag};

/// How many open elements are remembered; deeper pages are flattened anyway.
const MAX_OPEN: usize = 600;

/// An open element.
struct Open<'a> {
    name: &'a str,
    hidden: bool,
    background: Option<Colour>,
}

/// `html` without what it hides. `styles` are the page's own, see [`hiding_selectors`].
pub(super) fn without_hidden(html: &str, styles: &Selectors) -> String {
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

#[derive(Clone, Copy, PartialEq)]
struct Colour(u8, u8, u8);

/// What a start tag says about its element's look.
#[derive(Default)]
struct Look {
    hidden: bool,
    colour: Option<Colour>,
    background: Option<Colour>,
}

impl Look {
    fn of(tag: &Tag<'_>, source: &str, styles: &Selectors) -> Self {
        let mut look = Self::default();
        for (name, value) in attributes(&source[1 + tag.name.len()..]) {
            match name.to_ascii_lowercase().as_str() {
                "hidden" => look.hidden = true,
                "style" => look.style(&unescape(value)),
                "color" => look.colour = colour(value),
                "bgcolor" => look.background = colour(value),
                "class" => {
                    look.hidden |=
                        value.split_ascii_whitespace().any(|class| styles.0.contains(&format!(".{class}")));
                }
                "id" => look.hidden |= styles.0.contains(&format!("#{value}")),
                "type" if tag.is(&["input"]) => look.hidden |= value.eq_ignore_ascii_case("hidden"),
                _ => {}
            }
        }
        look
    }

    fn style(&mut self, style: &str) {
        let style = without_comments(style).to_ascii_lowercase();
        let declarations: Vec<(&str, &str)> = style
            .split(';')
            .filter_map(|declaration| declaration.split_once(':'))
            .map(|(name, value)| (name.trim(), value.trim().trim_end_matches("!important").trim()))
            .collect();
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

/// Whether a style's declarations hide an element.
fn hides(declarations: &[(&str, &str)]) -> bool {
    let value =
        |wanted: &str| declarations.iter().rev().find(|(name, _)| *name == wanted).map(|(_, value)| *value);
    let is = |name: &str, values: &[&str]| value(name).is_some_and(|value| values.contains(&value));
    let none = |name: &str| value(name).and_then(number).is_some_and(|n| n.abs() < 0.05);
    let tiny = |name: &str| value(name).and_then(pixels).is_some_and(|n| (0.0..=1.0).contains(&n));
    let far = |name: &str| value(name).and_then(pixels).is_some_and(|n| n <= -400.0 || n >= 9_000.0);
    let clipped =
        is("overflow", &["hidden", "clip"]) || is("overflow-x", &["hidden"]) || is("overflow-y", &["hidden"]);
    let placed = is("position", &["absolute", "fixed", "relative"]);
    let moved = value("transform").or_else(|| value("scale")).is_some_and(|transform| {
        let inside = |name: &str| {
            transform
                .find(name)
                .map(|at| transform[at + name.len()..].split([')', ',']).next().unwrap_or_default())
        };
        inside("scale(").and_then(number).is_some_and(|n| n.abs() < 0.05)
            || ["translate(", "translatex(", "translatey(", "translate3d("]
                .iter()
                .filter_map(|name| inside(name).and_then(pixels))
                .any(|n| n.abs() >= 400.0)
    });
    let cut = value("clip").is_some_and(|clip| {
        clip.starts_with("rect(")
            && clip.split(|c: char| !c.is_ascii_digit()).all(|n| matches!(n, "" | "0" | "1"))
    }) || value("clip-path").is_some_and(|clip| {
        let first = clip.split('(').nth(1).and_then(number);
        clip.starts_with("inset(") && first.is_some_and(|n| n >= 50.0)
            || clip.starts_with("circle(") && first.is_some_and(|n| n < 0.05)
    });
    is("display", &["none"])
        || is("visibility", &["hidden", "collapse"])
        || is("content-visibility", &["hidden"])
        || none("opacity")
        || none("zoom")
        || tiny("font-size")
        || value("font")
            .is_some_and(|font| font.starts_with("0/") || font.starts_with("0px") || font.starts_with("0 "))
        || clipped && ["width", "height", "max-width", "max-height"].into_iter().any(tiny)
        || placed && ["left", "top", "right", "bottom", "inset", "inset-inline-start"].into_iter().any(far)
        || ["text-indent", "margin-left", "margin-top"].into_iter().any(far)
        || is("color", &["transparent"])
        || is("-webkit-text-fill-color", &["transparent"])
            && value("background-clip").is_none()
            && value("-webkit-background-clip").is_none()
        || value("color").is_some_and(see_through)
        || value("filter")
            .is_some_and(|filter| filter.contains("opacity(0)") || filter.contains("opacity(0%)"))
        || moved
        || cut
}

fn number(value: &str) -> Option<f32> {
    let end = value
        .find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | '-' | '+' | 'e'))
        .unwrap_or(value.len());
    value[..end].trim_end_matches('e').parse().ok()
}

/// A length in pixels, approximately.
fn pixels(value: &str) -> Option<f32> {
    let n = number(value)?;
    let unit = value.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+'));
    Some(match unit.split([' ', ')', ',']).next().unwrap_or_default() {
        "" if n == 0.0 => 0.0,
        "" | "px" | "pt" => n,
        "em" | "rem" | "ex" | "ch" => n * 16.0,
        "vw" | "vh" | "%" | "vmin" | "vmax" => n * 10.0,
        "in" => n * 96.0,
        "cm" => n * 38.0,
        "mm" => n * 3.8,
        _ => return None,
    })
}

fn colour(value: &str) -> Option<Colour> {
    let value = value.trim().to_ascii_lowercase();
    if let Some(hex) = value.strip_prefix('#') {
        let part = |from: usize, length: usize| {
            let digits = hex.get(from..from + length)?;
            u8::from_str_radix(&if length == 1 { digits.repeat(2) } else { digits.to_owned() }, 16).ok()
        };
        let end = hex.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(hex.len());
        return match end {
            3 | 4 => Some(Colour(part(0, 1)?, part(1, 1)?, part(2, 1)?)),
            6 | 8 => Some(Colour(part(0, 2)?, part(2, 2)?, part(4, 2)?)),
            _ => None,
        };
    }
    if let Some(inside) = value.strip_prefix("rgb(").or_else(|| value.strip_prefix("rgba(")) {
        let mut parts = inside
            .split([',', ' ', '/', ')'])
            .filter(|part| !part.is_empty())
            .map(|part| part.parse::<u8>().ok());
        return Some(Colour(parts.next()??, parts.next()??, parts.next()??));
    }
    Some(match value.split([' ', '!']).next().unwrap_or_default() {
        "white" => Colour(255, 255, 255),
        "black" => Colour(0, 0, 0),
        "red" => Colour(255, 0, 0),
        "green" => Colour(0, 128, 0),
        "blue" => Colour(0, 0, 255),
        "yellow" => Colour(255, 255, 0),
        "gray" | "grey" => Colour(128, 128, 128),
        "silver" => Colour(192, 192, 192),
        "navy" => Colour(0, 0, 128),
        _ => return None,
    })
}

fn see_through(colour: &str) -> bool {
    let inside = colour
        .strip_prefix("rgba(")
        .or_else(|| colour.strip_prefix("hsla("))
        .or_else(|| colour.strip_prefix("rgb("));
    inside.is_some_and(|inside| {
        let parts: Vec<&str> =
            inside.trim_end_matches(')').split([',', ' ', '/']).filter(|part| !part.is_empty()).collect();
        parts.len() == 4 && parts[3].trim_end_matches('%').parse::<f32>().is_ok_and(|n| n.abs() < 0.05)
    }) || colour.len() == 9 && colour.starts_with('#') && colour.ends_with("00")
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

/// The classes and ids that the page's own style hides.
pub(super) struct Selectors(HashSet<String>);

/// Reads a page's `style` elements: selectors of one class or id, outside of media queries, that hide.
pub(super) fn hiding_selectors(html: &str) -> Selectors {
    let mut found = HashSet::new();
    let mut at = 0;
    let bytes = html.as_bytes();
    while let Some(tag) = next_tag(html, at) {
        at = tag.end;
        if !tag.is(&["style"]) || tag.closing {
            continue;
        }
        let Some(end) = memchr::memmem::find(&bytes[at..], b"</").map(|n| at + n) else { break };
        rules(&html[at..end], &mut found);
        at = end;
    }
    Selectors(found)
}

fn rules(css: &str, found: &mut HashSet<String>) {
    const MOST: usize = 5_000;
    let css = without_comments(css);
    let mut rest = css.as_str();
    while let Some(open) = rest.find('{') {
        let head = rest[..open].rsplit(['}', ';']).next().unwrap_or_default().trim();
        rest = &rest[open + 1..];
        if head.starts_with('@') {
            // Conditional rules (print, small screens) hide nothing here.
            let mut depth = 1_usize;
            let end = rest.find(|c: char| {
                depth = match c {
                    '{' => depth + 1,
                    '}' => depth - 1,
                    _ => depth,
                };
                depth == 0
            });
            rest = end.map_or("", |end| &rest[end + 1..]);
            continue;
        }
        let Some(close) = rest.find('}') else { return };
        let lower = rest[..close].to_ascii_lowercase();
        let declarations: Vec<(&str, &str)> = lower
            .split(';')
            .filter_map(|declaration| declaration.split_once(':'))
            .map(|(name, value)| (name.trim(), value.trim().trim_end_matches("!important").trim()))
            .collect();
        if hides(&declarations) {
            for selector in head.split(',').map(str::trim) {
                let plain = selector.len() > 1
                    && selector.starts_with(['.', '#'])
                    && selector[1..].bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
                if plain && found.len() < MOST {
                    found.insert(selector.to_owned());
                }
            }
        }
        rest = &rest[close + 1..];
    }
}

fn without_comments(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some((before, after)) = rest.split_once("/*") {
        out.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
}

/// `text` without invisible characters that programs read: tags, fillers, invisible joiners, direction marks. Joiners between
/// letters that need them stay.
pub(super) fn visible(text: &str) -> String {
    let unseen = |c: char| {
        matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180e}'
            | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
    };
    let joins = |c: char| matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}');
    if !text.contains(|c| unseen(c) || joins(c)) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut last = ' ';
    for c in text.chars() {
        if unseen(c)
            || joins(c)
                && (last.is_ascii() && !matches!(last, '0'..='9' | '#' | '*')
                    || joins(last) && c != '\u{200d}')
        {
            continue;
        }
        out.push(c);
        last = c;
    }
    out
}
