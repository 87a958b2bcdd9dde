//! Marked blocks in plain text: Plimsoll's lines between two marker lines, with everything else untouched.

use crate::Refusal;
use crate::edit::Comment;
use crate::outcome::EditOutcome;
use crate::outcome::EntryState;
use crate::receipt::Trace;
use crate::splice::{
    Splice, after_line, apply_splices, dominant_line_end, with_paragraph, without_paragraph,
};
use std::ops::Range;

/// The opening line of block `id`.
pub fn begin_marker(id: &str, comment: Comment) -> String {
    marker("begin", id, comment)
}

/// The closing line of block `id`.
pub fn end_marker(id: &str, comment: Comment) -> String {
    marker("end", id, comment)
}

fn marker(word: &str, id: &str, comment: Comment) -> String {
    match comment {
        Comment::Html => format!("<!-- plimsoll:{word} {id} -->"),
        Comment::Hash => format!("# plimsoll:{word} {id}"),
    }
}

/// The lines of block `id`, with markers and the last line end. Anything but no marker or one proper pair is refused: a
/// guess could remove the user's text. Markers that Markdown quotes are the user's.
fn find(text: &str, id: &str, comment: Comment) -> Result<Option<Range<usize>>, Refusal> {
    let (begin, end) = (begin_marker(id, comment), end_marker(id, comment));
    let quoted = if comment == Comment::Html { fenced(text) } else { Vec::new() };
    let (mut open, mut found) = (None, None);
    let mut at = 0;
    let mut line = 0;
    while at < text.len() {
        line += 1;
        let close = after_line(text, at);
        let content = text[at..close].trim();
        let next = quoted.partition_point(|quoted| quoted.end <= at);
        if quoted.get(next).is_some_and(|quoted| quoted.contains(&at)) {
            at = close;
            continue;
        }
        let broken = Refusal::BrokenMarkers { id: id.to_owned(), line };
        if content == begin {
            if open.is_some() || found.is_some() {
                return Err(broken);
            }
            open = Some((at, line));
        } else if content == end {
            let Some((start, _)) = open.take() else { return Err(broken) };
            found = Some(start..close);
        }
        at = close;
    }
    match open {
        Some((_, line)) => Err(Refusal::BrokenMarkers { id: id.to_owned(), line }),
        None => Ok(found),
    }
}

/// The lines of block `id` by its markers, or, where Markdown quotes these, word for word as a paragraph with `body`: a fence that was
/// open above Plimsoll's block may have been closed below it. A fence with nothing but the block is the user's, who shows what it looks
/// like.
fn find_written(text: &str, id: &str, body: &str, comment: Comment) -> Result<Option<Range<usize>>, Refusal> {
    let found = find(text, id, comment)?;
    if found.is_some() || comment != Comment::Html {
        return Ok(found);
    }
    let fences = fenced(text);
    Ok(["\n", "\r\n"].into_iter().find_map(|eol| {
        let paragraph = format!("{eol}{eol}{}{eol}", written(id, body, comment, eol));
        text.match_indices(&paragraph)
            .map(|(at, _)| at + 2 * eol.len()..at + paragraph.len())
            .find(|block| !is_shown_alone(text, &fences, block))
    }))
}

/// Whether one of these fences has nothing but this block in it.
fn is_shown_alone(text: &str, fences: &[Range<usize>], block: &Range<usize>) -> bool {
    let around = |fence: &&Range<usize>| fence.start <= block.start && block.end <= fence.end;
    fences.iter().find(around).is_some_and(|fence| {
        // Its first and its last line are the fence itself.
        let above = text[fence.start..block.start].lines().skip(1);
        let below = text[block.end..fence.end].lines().rev().skip(1);
        above.chain(below).all(|line| line.trim().is_empty())
    })
}

/// The code that Markdown shows as it is, between two fences of at least three backticks or tildes. One that nobody closes is
/// none: to the end of the file everything would be quoted, Plimsoll's own block as well.
fn fenced(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut open: Option<(usize, char, usize)> = None;
    let mut at = 0;
    while at < text.len() {
        let close = after_line(text, at);
        let line = text[at..close].trim_end();
        let bare = line.trim_start_matches(' ');
        let sign =
            bare.chars().next().filter(|sign| matches!(sign, '`' | '~') && line.len() - bare.len() < 4);
        if let Some(sign) = sign {
            let length = bare.len() - bare.trim_start_matches(sign).len();
            let has_more = bare.len() > length;
            match open {
                Some((from, of, least)) if of == sign && length >= least && !has_more => {
                    ranges.push(from..close);
                    open = None;
                }
                None if length >= 3 && !(sign == '`' && bare[length..].contains('`')) => {
                    open = Some((at, sign, length));
                }
                _ => {}
            }
        }
        at = close;
    }
    ranges
}

fn written(id: &str, body: &str, comment: Comment, eol: &str) -> String {
    let mut lines = vec![begin_marker(id, comment)];
    lines.extend(body.lines().map(str::to_owned));
    lines.push(end_marker(id, comment));
    lines.join(eol)
}

pub(crate) fn apply_edit(text: &str, id: &str, body: &str, comment: Comment) -> Result<EditOutcome, Refusal> {
    if find(body, id, comment) != Ok(None) {
        return Err(Refusal::Unsupported {
            reason: format!("the text of block `{id}` contains its own markers"),
        });
    }
    let block = written(id, body, comment, dominant_line_end(text));
    let Some(range) = find_written(text, id, body, comment)? else {
        let text = with_paragraph(text, &block, dominant_line_end(text));
        return Ok(EditOutcome { text, trace: Trace::default(), had_ours: false });
    };
    if text[range.clone()].lines().eq(block.lines()) {
        return Ok(EditOutcome::unchanged(text));
    }
    let old = &text[range.clone()];
    let tail = &old[old.trim_end_matches(['\r', '\n']).len()..];
    let text = apply_splices(text, vec![Splice::replace(range, format!("{block}{tail}"))]);
    Ok(EditOutcome { text, trace: Trace::default(), had_ours: true })
}

pub(crate) fn remove_edit(text: &str, id: &str, body: &str, comment: Comment) -> Result<String, Refusal> {
    Ok(match find_written(text, id, body, comment)? {
        None => text.to_owned(),
        Some(range) => apply_splices(text, vec![Splice::delete(without_paragraph(text, range))]),
    })
}

pub(crate) fn entry_state(text: &str, id: &str, body: &str, comment: Comment) -> Result<EntryState, Refusal> {
    Ok(match find_written(text, id, body, comment)? {
        None => EntryState::Absent,
        Some(range) if text[range.clone()].lines().eq(written(id, body, comment, "\n").lines()) => {
            EntryState::Ours
        }
        Some(_) => EntryState::Differs,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HTML: Comment = Comment::Html;

    #[test]
    fn markers_in_a_code_fence_are_the_users() {
        let block = written("guide", "Ours.", HTML, "\n");
        for (open, close) in [("```", "```"), ("```md", "````"), ("~~~", "~~~"), ("  ```text", "  ```")] {
            let quoted = format!("# How\n\n{open}\n{block}\n{close}\n\nMine.\n");
            assert_eq!(find(&quoted, "guide", HTML), Ok(None), "{quoted}");
            let added = apply_edit(&quoted, "guide", "New.", HTML).unwrap().text;
            assert!(added.starts_with(&quoted) && added.contains("New."), "{added}");
            assert_eq!(remove_edit(&added, "guide", "New.", HTML).unwrap(), quoted);
            assert_eq!(entry_state(&quoted, "guide", "Ours.", HTML), Ok(EntryState::Absent), "{quoted}");
        }
        // Word for word, with the empty lines of a paragraph.
        for eol in ["\n", "\r\n"] {
            let block = written("guide", "Ours.", HTML, eol);
            let quoted = format!("# How{eol}{eol}```md{eol}{eol}{block}{eol}{eol}```{eol}");
            assert_eq!(entry_state(&quoted, "guide", "Ours.", HTML), Ok(EntryState::Absent), "{quoted}");
            assert_eq!(remove_edit(&quoted, "guide", "Ours.", HTML).unwrap(), quoted);
            let added = apply_edit(&quoted, "guide", "Ours.", HTML).unwrap().text;
            assert!(added.len() > quoted.len() && added.starts_with(&quoted), "{added}");
            assert_eq!(remove_edit(&added, "guide", "Ours.", HTML).unwrap(), quoted);
        }
        // What isn't a pair of fences quotes nothing.
        for (before, after) in
            [("```\n", ""), ("```\ncode\n```\n", ""), ("", "```\n"), ("``\n", "``\n"), ("~~~\n", "```\n")]
        {
            let text = format!("{before}{block}\n{after}");
            let range = before.len()..before.len() + block.len() + 1;
            assert_eq!(find(&text, "guide", HTML), Ok(Some(range)), "{text}");
        }
    }

    #[test]
    fn a_fence_that_is_closed_below_a_block_leaves_it_plimsolls() {
        for eol in ["\n", "\r\n"] {
            let (open, close) = (format!("# How{eol}{eol}```sh{eol}make{eol}"), format!("```{eol}"));
            let text = apply_edit(&open, "guide", "Ours.", HTML).unwrap().text + &close;
            assert_eq!(find(&text, "guide", HTML), Ok(None), "Markdown quotes it: {text}");
            assert_eq!(entry_state(&text, "guide", "Ours.", HTML), Ok(EntryState::Ours), "{text}");
            assert_eq!(apply_edit(&text, "guide", "Ours.", HTML).unwrap().text, text);
            assert_eq!(remove_edit(&text, "guide", "Ours.", HTML).unwrap(), open.clone() + &close);
            // A text with code of its own ends the fence that is open above it.
            let body = format!("Ours.{eol}```{eol}make{eol}```");
            let text = apply_edit(&open, "guide", &body, HTML).unwrap().text + &close;
            assert_eq!(remove_edit(&text, "guide", &body, HTML).unwrap(), open.clone() + &close);
            // The same below a fence that shows the block alone.
            let block = written("guide", "Ours.", HTML, eol);
            let open = format!("```md{eol}{eol}{block}{eol}{eol}```{eol}{eol}{open}");
            let text = apply_edit(&open, "guide", "Ours.", HTML).unwrap().text + &close;
            assert_eq!(apply_edit(&text, "guide", "Ours.", HTML).unwrap().text, text);
            assert_eq!(remove_edit(&text, "guide", "Ours.", HTML).unwrap(), open + &close);
        }
    }
}
