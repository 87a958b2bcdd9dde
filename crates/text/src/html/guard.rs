//! Checks HTML before any parser sees it. Owns what is dropped unread, the depth limit and the page's title. Knows only tags and
//! builds no tree.

/// Elements whose content is never page text.
const DROPPED: &[&str] = &[
    "script", "style", "svg", "template", "iframe", "object", "noscript", "canvas", "noembed", "noframes",
    "applet",
];
/// Elements without an end tag.
pub(super) const VOID: &[&str] = &[
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen",
    "link", "meta", "param", "source", "track", "wbr",
];
/// Elements whose end tag is optional; without foreign content they can't nest in themselves.
const SELF_CLOSING: &[&str] = &[
    "p", "li", "dt", "dd", "tr", "td", "th", "tbody", "thead", "tfoot", "option", "optgroup", "colgroup",
    "rt", "rp",
];
/// The deepest nesting that is parsed. Real pages stay below a hundred.
pub(super) const MAX_DEPTH: usize = 512;

/// One tag in the source.
pub(super) struct Tag<'a> {
    /// Offset of `<`.
    pub(super) start: usize,
    /// Offset after `>`.
    pub(super) end: usize,
    /// Name as written; empty for comments and declarations.
    pub(super) name: &'a str,
    /// `</…>`.
    pub(super) closing: bool,
}

impl Tag<'_> {
    pub(super) fn is(&self, names: &[&str]) -> bool {
        names.iter().any(|n| self.name.eq_ignore_ascii_case(n))
    }
}

/// The next tag, comment or declaration at or after `from`.
pub(super) fn next_tag(html: &str, from: usize) -> Option<Tag<'_>> {
    let bytes = html.as_bytes();
    let mut i = from;
    loop {
        let start = i + memchr::memchr(b'<', bytes.get(i..)?)?;
        match bytes.get(start + 1) {
            Some(b'!' | b'?') => {
                let end = declaration_end(html, start);
                return Some(Tag { start, end, name: "", closing: false });
            }
            Some(b'/') if bytes.get(start + 2).is_some_and(u8::is_ascii_alphabetic) => {
                return Some(tag_at(html, start, start + 2, true));
            }
            Some(b) if b.is_ascii_alphabetic() => return Some(tag_at(html, start, start + 1, false)),
            _ => i = start + 1,
        }
    }
}

fn declaration_end(html: &str, start: usize) -> usize {
    let rest = &html[start..];
    if rest.starts_with("<!--") {
        if rest.starts_with("<!-->") || rest.starts_with("<!--->") {
            return start + rest.find('>').map_or(rest.len(), |i| i + 1);
        }
        let ends = memchr::memmem::find(&rest.as_bytes()[4..], b"-->").map(|i| i + 7);
        return start + ends.unwrap_or(rest.len());
    }
    start + memchr::memchr(b'>', rest.as_bytes()).map_or(rest.len(), |i| i + 1)
}

fn tag_at(html: &str, start: usize, name_at: usize, closing: bool) -> Tag<'_> {
    let bytes = html.as_bytes();
    let name_end = bytes[name_at..]
        .iter()
        .position(|b| b.is_ascii_whitespace() || matches!(b, b'/' | b'>'))
        .map_or(bytes.len(), |n| name_at + n);
    let mut i = name_end;
    let mut after_equals = false;
    while i < bytes.len() {
        match bytes[i] {
            b'>' => return Tag { start, end: i + 1, name: &html[name_at..name_end], closing },
            quote @ (b'"' | b'\'') if after_equals => {
                match memchr::memchr(quote, &bytes[i + 1..]) {
                    Some(n) => i += n + 1,
                    None => break,
                }
                after_equals = false;
            }
            b'=' => after_equals = true,
            b if !b.is_ascii_whitespace() => after_equals = false,
            _ => {}
        }
        i += 1;
    }
    Tag { start, end: bytes.len(), name: &html[name_at..name_end], closing }
}

/// `html` without comments and without elements that have no text for readers. An element that is never closed loses only
/// its tag.
pub(super) fn clean(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut copied = 0;
    let mut at = 0;
    // Names that were searched to the end in vain aren't searched again.
    let mut unclosed: Vec<&str> = Vec::new();
    while let Some(tag) = next_tag(html, at) {
        at = tag.end;
        let comment = tag.name.is_empty();
        let dropped = DROPPED.iter().find(|n| tag.name.eq_ignore_ascii_case(n));
        let foreign = tag.is(&["math", "plaintext", "xmp", "listing"]);
        if !comment && dropped.is_none() && !foreign {
            continue;
        }
        out.push_str(&html[copied..tag.start]);
        if let Some(name) = dropped
            && !tag.closing
            && !unclosed.contains(name)
        {
            match element_end(html, tag.end, name) {
                Some(end) => at = end,
                None => unclosed.push(name),
            }
        }
        copied = at;
    }
    out.push_str(&html[copied.min(html.len())..]);
    out
}

/// The end of the element `name` whose start tag ends at `from`, counting nested ones.
fn element_end(html: &str, from: usize, name: &str) -> Option<usize> {
    let raw_text = !matches!(name, "svg" | "template" | "object" | "applet" | "canvas");
    let mut depth = 1usize;
    let mut at = from;
    if raw_text {
        // Inside a script everything but its end tag is text, even quotes and comments.
        let bytes = html.as_bytes();
        loop {
            let start = at + memchr::memmem::find(&bytes[at..], b"</")?;
            let name_end = start + 2 + name.len();
            let found = bytes.get(start + 2..name_end)?.eq_ignore_ascii_case(name.as_bytes());
            if found
                && bytes.get(name_end).is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b'>' | b'/'))
            {
                return Some(
                    memchr::memchr(b'>', &bytes[name_end..]).map_or(html.len(), |n| name_end + n + 1),
                );
            }
            at = start + 2;
        }
    }
    while let Some(tag) = next_tag(html, at) {
        at = tag.end;
        if tag.is(&[name]) {
            let self_closed = html[tag.start..tag.end].ends_with("/>") && name == "svg";
            if tag.closing {
                depth -= 1;
            } else if !self_closed {
                depth += 1;
            }
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// Whether the tags of `html` could nest deeper than [`MAX_DEPTH`]. An upper estimate: end tags count only against start tags
/// of the same name.
pub(super) fn nests_too_deeply(html: &str) -> bool {
    let mut open: std::collections::HashMap<String, usize> = std::collections::HashMap::new();
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(tag) = next_tag(html, at) {
        at = tag.end;
        if tag.name.is_empty() || tag.is(VOID) || tag.is(SELF_CLOSING) {
            continue;
        }
        let count = open.entry(tag.name.to_ascii_lowercase()).or_default();
        if !tag.closing {
            *count += 1;
            depth += 1;
        } else if *count > 0 {
            *count -= 1;
            depth -= 1;
        }
        if depth > MAX_DEPTH {
            return true;
        }
    }
    false
}

/// The first `<title>` of a page after [`clean`], on one line.
pub(super) fn title(html: &str) -> Option<String> {
    let mut at = 0;
    while let Some(tag) = next_tag(html, at) {
        at = tag.end;
        if tag.is(&["body"]) && !tag.closing {
            return None;
        }
        if tag.is(&["title"]) && !tag.closing {
            let end = next_tag_named(html, tag.end, "title").unwrap_or(html.len().min(tag.end + 1024));
            let raw = &html[tag.end..html.floor_char_boundary(end.max(tag.end))];
            let text = super::entities::unescape(raw);
            let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let line = line.chars().filter(|c| !c.is_control()).take(300).collect::<String>();
            return (!line.is_empty()).then_some(line);
        }
    }
    None
}

fn next_tag_named(html: &str, from: usize, name: &str) -> Option<usize> {
    let mut at = from;
    while let Some(tag) = next_tag(html, at) {
        at = tag.end;
        if tag.closing && tag.is(&[name]) {
            return Some(tag.start);
        }
    }
    None
}
