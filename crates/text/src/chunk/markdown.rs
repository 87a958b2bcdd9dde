//! Chunks Markdown by headings and rules. Owns the heading path and which lines belong together; `pack` enforces the cap.

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::pack::{ATOM, BLOCK, Break, ITEM};
use super::{Chunk, ChunkKind, Unit, chunk_of, headline, pack, units};

/// A document with a longer line is machine-made; parsing its inline marks costs more than it gives.
const MAX_LINE: usize = 1 << 20;
/// Longer headings are shortened in the title.
const MAX_HEADING: usize = 120;
/// A longer heading path loses its middle.
const MAX_PATH: usize = 400;

/// The parser's findings, as byte offsets.
#[derive(Default)]
struct Outline {
    /// Where a section starts, and the heading that starts it (`None` for a rule).
    sections: Vec<(usize, Option<(usize, String)>)>,
    /// Code blocks and tables.
    atoms: Vec<Range<usize>>,
    /// Starts of blocks and list items, with the score of a break there.
    breaks: Vec<(usize, Break)>,
    /// Starts of code blocks.
    code: Vec<usize>,
}

pub(super) fn chunk(content: &str, base_title: &str, cap: usize) -> Vec<Chunk> {
    if longest_line(content) > MAX_LINE {
        return super::plain::chunk(content, base_title, cap);
    }
    let outline = outline(content);
    let mut units = units(content, cap);
    score(&mut units, content, &outline, cap);
    let mut path: Vec<(usize, String)> = Vec::new();
    let mut out = Vec::new();
    let mut from = 0;
    let mut sections = outline.sections.iter().peekable();
    let mut code = outline.code.iter().peekable();
    while from < units.len() {
        // Adjacent headings and rules start one section, titled by the last heading.
        let mut to = from;
        loop {
            while let Some((_, heading)) = sections.next_if(|(at, _)| *at < line_end(&units, to)) {
                if let Some((level, text)) = heading {
                    path.retain(|(l, _)| l < level);
                    path.push((*level, text.clone()));
                }
            }
            let next = sections.peek().map_or(usize::MAX, |(at, _)| *at);
            let body_from = to;
            to += units[to..].partition_point(|u| u.end <= next);
            let only_heads = units[body_from..to].iter().all(|u| u.blank || is_head(content, u, &outline));
            if to >= units.len() || !only_heads {
                break;
            }
        }
        let title = title(&path, base_title);
        for range in pack(&units[from..to], cap, cap, u8::MAX) {
            let part = &units[from..to][range];
            let end = part.last().map_or(0, |u| u.end);
            let start = part.first().map_or(0, |u| u.start);
            while code.next_if(|&&at| at < start).is_some() {}
            let has_code = code.peek().is_some_and(|&&at| at < end) || in_code(&outline, start);
            let kind = if has_code { ChunkKind::Code } else { ChunkKind::Prose };
            out.extend(chunk_of(content, part, kind, title.clone()));
        }
        from = to;
    }
    out
}

fn line_end(units: &[Unit], i: usize) -> usize {
    units.get(i).map_or(usize::MAX, |u| u.end)
}

/// Whether the unit is a heading's line or a rule.
fn is_head(content: &str, unit: &Unit, outline: &Outline) -> bool {
    let text = content[unit.start..unit.text_end].trim();
    let at_section = outline
        .sections
        .binary_search_by(|(at, _)| {
            if *at < unit.start {
                std::cmp::Ordering::Less
            } else if *at >= unit.end {
                std::cmp::Ordering::Greater
            } else {
                std::cmp::Ordering::Equal
            }
        })
        .is_ok();
    at_section || text.chars().all(|c| matches!(c, '=' | '-'))
}

/// Whether `at` is inside a code block that began in an earlier chunk.
fn in_code(outline: &Outline, at: usize) -> bool {
    let i = outline.atoms.partition_point(|a| a.end <= at);
    outline.atoms.get(i).is_some_and(|a| a.start < at && outline.code.binary_search(&a.start).is_ok())
}

fn title(path: &[(usize, String)], base_title: &str) -> String {
    let words: Vec<&str> = path.iter().map(|(_, t)| t.as_str()).filter(|t| !t.is_empty()).collect();
    if words.is_empty() {
        return base_title.to_owned();
    }
    let joined = words.join(" > ");
    match words.as_slice() {
        [first, .., last] if joined.len() > MAX_PATH => format!("{first} > … > {last}"),
        _ => joined,
    }
}

fn outline(content: &str) -> Outline {
    let options = Options::ENABLE_TABLES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut out = Outline::default();
    let mut depth = 0usize;
    let mut heading: Option<(usize, usize, String)> = None;
    for (event, range) in Parser::new_ext(content, options).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                match &tag {
                    Tag::Heading { level, .. } if depth == 0 && *level <= HeadingLevel::H4 => {
                        heading = Some((range.start, *level as usize, String::new()));
                    }
                    Tag::CodeBlock(_) => {
                        out.code.push(range.start);
                        out.atoms.push(range.clone());
                    }
                    Tag::Table(_) | Tag::MetadataBlock(_) => out.atoms.push(range.clone()),
                    Tag::Item => out.breaks.push((range.start, ITEM)),
                    _ => {}
                }
                if depth == 0 {
                    out.breaks.push((range.start, BLOCK));
                }
                depth += 1;
            }
            Event::End(end) => {
                depth = depth.saturating_sub(1);
                if matches!(end, TagEnd::Heading(_))
                    && let Some((at, level, text)) = heading.take()
                {
                    out.sections.push((at, Some((level, headline(&text, MAX_HEADING)))));
                }
            }
            Event::Rule if depth == 0 => out.sections.push((range.start, None)),
            Event::Text(t) | Event::Code(t) => {
                if let Some((_, _, text)) = &mut heading {
                    text.push_str(&t);
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some((_, _, text)) = &mut heading {
                    text.push(' ');
                }
            }
            _ => {}
        }
    }
    out.breaks.sort_by_key(|(at, _)| *at);
    out.atoms.sort_by_key(|a| a.start);
    out
}

/// Scores each line: starts of blocks and items above lines, insides of atoms last.
fn score(units: &mut [Unit], content: &str, outline: &Outline, cap: usize) {
    let mut i = 0;
    for &(at, score) in &outline.breaks {
        while i < units.len() && units[i].end <= at {
            i += 1;
        }
        if let Some(unit) = units.get_mut(i) {
            unit.score = unit.score.max(score);
        }
    }
    for atom in &outline.atoms {
        // Trailing blank lines aren't part of a chunk.
        if content[atom.clone()].trim_end().len() > cap {
            continue;
        }
        let from = units.partition_point(|u| u.end <= atom.start);
        for unit in units[from..].iter_mut().skip(1).take_while(|u| u.start < atom.end) {
            unit.score = ATOM;
        }
    }
}

fn longest_line(content: &str) -> usize {
    let mut start = 0;
    let mut longest = 0;
    for feed in memchr::memchr_iter(b'\n', content.as_bytes()).chain([content.len()]) {
        longest = longest.max(feed - start);
        start = feed + 1;
    }
    longest
}
