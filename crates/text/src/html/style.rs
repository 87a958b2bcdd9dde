//! Reads CSS as far as it hides text: declarations, colours, lengths, and the page's own selectors.

use std::collections::HashSet;

use super::guard::next_tag;

#[derive(Clone, Copy, PartialEq)]
pub(super) struct Colour(u8, u8, u8);

/// A style's declarations as names and values, without `!important`.
pub(super) fn declarations(style: &str) -> Vec<(&str, &str)> {
    style
        .split(';')
        .filter_map(|declaration| declaration.split_once(':'))
        .map(|(name, value)| (name.trim(), value.trim().trim_end_matches("!important").trim()))
        .collect()
}

/// Whether a style's declarations hide an element.
pub(super) fn hides(declarations: &[(&str, &str)]) -> bool {
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

pub(super) fn colour(value: &str) -> Option<Colour> {
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

/// The classes and ids that the page's own style hides.
pub(super) struct HidingSelectors(HashSet<String>);

impl HidingSelectors {
    /// Whether `selector` (`.class` or `#id`) hides its elements.
    pub(super) fn contains(&self, selector: &str) -> bool {
        self.0.contains(selector)
    }
}

/// Reads a page's `style` elements: selectors of one class or id, outside of media queries, that hide.
pub(super) fn hiding_selectors(html: &str) -> HidingSelectors {
    let mut found = HashSet::new();
    let mut at = 0;
    let bytes = html.as_bytes();
    while let Some(tag) = next_tag(html, at) {
        at = tag.end;
        if !tag.is(&["style"]) || tag.closing {
            continue;
        }
        let Some(end) = memchr::memmem::find(&bytes[at..], b"</").map(|n| at + n) else { break };
        collect_hiding(&html[at..end], &mut found);
        at = end;
    }
    HidingSelectors(found)
}

fn collect_hiding(css: &str, found: &mut HashSet<String>) {
    const MAX_SELECTORS: usize = 5_000;
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
        if hides(&declarations(&lower)) {
            for selector in head.split(',').map(str::trim) {
                let plain = selector.len() > 1
                    && selector.starts_with(['.', '#'])
                    && selector[1..].bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
                if plain && found.len() < MAX_SELECTORS {
                    found.insert(selector.to_owned());
                }
            }
        }
        rest = &rest[close + 1..];
    }
}

pub(super) fn without_comments(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some((before, after)) = rest.split_once("/*") {
        out.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
}
