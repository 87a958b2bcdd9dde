//! Packs lines into ranges under a byte cap. Owns the cap: every chunking method uses this, so none can exceed it. Knows no
//! format; formats only score the breaks before lines.

use unicode_segmentation::GraphemeCursor;

/// The quality of a break before a unit. Higher is better.
pub(super) type Break = u8;
/// Never, unless a single atom (code fence, table) exceeds the cap.
pub(super) const ATOM: Break = 0;
/// Between any two lines.
pub(super) const LINE: Break = 1;
/// Between items of a list, after a blank line inside a block of code.
pub(super) const ITEM: Break = 2;
/// Between paragraphs and other blocks.
pub(super) const BLOCK: Break = 3;

/// A line, or a piece of a line that exceeds the cap.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    /// Byte offset of the first byte.
    pub(super) start: usize,
    /// Byte offset after the last byte, line feed included.
    pub(super) end: usize,
    /// Byte offset after the last byte without the line end.
    pub(super) text_end: usize,
    /// Line number from 1.
    pub(super) line: u32,
    /// Whether the line is only white space.
    pub(super) blank: bool,
    /// The quality of a break before this unit.
    pub(super) score: Break,
}

/// The lines of `content`; a line over `cap` bytes is split at sentences, then words, then characters. All breaks are
/// [`LINE`].
pub(super) fn units(content: &str, cap: usize) -> Vec<Unit> {
    let mut out = Vec::with_capacity(content.len() / 32 + 1);
    let mut start = 0;
    let mut line: u32 = 0;
    while start < content.len() {
        line = line.saturating_add(1);
        let end =
            memchr::memchr(b'\n', &content.as_bytes()[start..]).map_or(content.len(), |n| start + n + 1);
        let raw = &content[start..end];
        let text = raw.strip_suffix('\n').map_or(raw, |l| l.strip_suffix('\r').unwrap_or(l));
        let blank = text.trim().is_empty();
        let mut at = start;
        let text_end = start + text.len();
        if !blank {
            while text_end - at > cap {
                let cut = at + piece(&content[at..text_end], cap);
                out.push(Unit { start: at, end: cut, text_end: cut, line, blank, score: LINE });
                at = cut;
            }
        }
        out.push(Unit { start: at, end, text_end, line, blank, score: LINE });
        start = end;
    }
    out
}

/// Length of the first piece of `text`, which is longer than `cap`: at least one character, at most `cap` bytes.
fn piece(text: &str, cap: usize) -> usize {
    let limit = text.floor_char_boundary(cap);
    let window = &text[..limit];
    // A sentence or word that ends very early would leave a nearly empty chunk.
    let enough = limit / 4;
    let sentence = window.char_indices().rev().take_while(|(i, _)| *i > enough).find_map(|(i, c)| {
        let after = i + c.len_utf8();
        let ends = match c {
            '。' | '！' | '？' | '；' | '\u{2028}' | '\u{2029}' => true,
            '.' | '!' | '?' | ';' => text[after..].starts_with(char::is_whitespace),
            _ => false,
        };
        ends.then_some(after)
    });
    if let Some(cut) = sentence {
        return cut;
    }
    if let Some((i, c)) = window.char_indices().rev().find(|(_, c)| c.is_whitespace() || *c == ',')
        && i > enough
    {
        return i + c.len_utf8();
    }
    grapheme_floor(text, limit).unwrap_or(limit)
}

/// The last grapheme boundary at or before `limit`; `None` if that is the start.
fn grapheme_floor(text: &str, limit: usize) -> Option<usize> {
    // A longer cluster is pathological and may be cut at any character.
    let from = text.floor_char_boundary(limit.saturating_sub(128));
    let to = text.ceil_char_boundary((limit + 32).min(text.len()));
    let slice = &text[from..to];
    let mut cursor = GraphemeCursor::new(limit - from, slice.len(), true);
    if cursor.is_boundary(slice, 0) == Ok(true) {
        return Some(limit);
    }
    let boundary = cursor.prev_boundary(slice, 0);
    boundary.ok().flatten().map(|b| b + from).filter(|&b| b > from)
}

/// Packs `units` into consecutive ranges of at most `cap` bytes (trailing line ends not counted).
///
/// A range is closed at the last break of at least `good` that keeps it within `target`; where one block exceeds
/// `target`, at the first such break within `cap`; where there is none, at the best break in the second half of the
/// cap, then anywhere, [`ATOM`] last of all. Each range covers at least one unit.
pub(super) fn pack(units: &[Unit], target: usize, cap: usize, good: Break) -> Vec<std::ops::Range<usize>> {
    let mut out = Vec::new();
    let mut from = 0;
    while from < units.len() {
        if units[from].blank {
            from += 1;
            continue;
        }
        let to = range_end(units, from, target.min(cap), cap, good);
        out.push(from..to);
        from = to;
    }
    out
}

fn range_end(units: &[Unit], from: usize, target: usize, cap: usize, good: Break) -> usize {
    let start = units[from].start;
    // The range may end before unit `i`; its size is that of everything up to the last line that is not blank.
    let mut size = units[from].text_end - start;
    let mut best_good: Option<usize> = None;
    let mut best_half: Option<(Break, usize)> = None;
    let mut best_any: Option<usize> = None;
    for (i, unit) in units.iter().enumerate().skip(from + 1) {
        if !unit.blank {
            if unit.score >= good {
                if size <= target {
                    best_good = Some(i);
                } else {
                    return best_good.unwrap_or(i);
                }
            }
            if unit.score > ATOM {
                best_any = Some(i);
                if size * 2 >= cap && best_half.is_none_or(|(score, _)| unit.score >= score) {
                    best_half = Some((unit.score, i));
                }
            }
            size = unit.text_end - start;
            if size > cap {
                return best_good.or(best_half.map(|(_, i)| i)).or(best_any).unwrap_or(i);
            }
        }
    }
    match best_good {
        // What is left exceeds the target although it fits the cap: close at the good break before it.
        Some(i) if size > target => i,
        _ => units.len(),
    }
}
