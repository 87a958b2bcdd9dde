//! Inserting a last item into, and removing an item from, a bracketed list in a text: a JSON object or array,
//! a TOML inline table or array.
//!
//! An insertion is one or two pure insertions of bytes wherever the list is not blank, and a removal is the
//! exact inverse, so that going in and out leaves the same bytes even when other parts of the file changed
//! meanwhile. Knows brackets, commas, comments and lines; not what an item means.

use crate::splice::{Splice, blanks_after, blanks_before, indent_of, line_end_before, line_start};
use std::ops::Range;

/// How comments look in the text around the items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notes {
    /// `// …` and `/* … */`
    Slashes,
    /// `# …`
    Hash,
}

/// A bracketed list as the parser found it.
pub(crate) struct Container<'t> {
    pub(crate) text: &'t str,
    /// Just behind the opening bracket.
    pub(crate) open: usize,
    /// At the closing bracket.
    pub(crate) close: usize,
    /// Members (key and value) or elements, in order.
    pub(crate) items: Vec<Range<usize>>,
    pub(crate) notes: Notes,
}

/// Where a new item would stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Room {
    /// On a line of its own, indented like this.
    Lines(String),
    /// Beside the others.
    Inline,
}

/// What lies between two items, or between an item and a bracket.
struct Gap {
    comma: Option<usize>,
    /// Behind the last comma or comment.
    content_end: usize,
    has_note: bool,
    ends_in_line_note: bool,
}

impl Container<'_> {
    fn gap(&self, range: Range<usize>) -> Gap {
        let bytes = self.text.as_bytes();
        let mut gap =
            Gap { comma: None, content_end: range.start, has_note: false, ends_in_line_note: false };
        let mut at = range.start;
        while at < range.end {
            let note_end = self.note_end(at, range.end);
            match bytes[at] {
                b',' => {
                    gap.comma = Some(at);
                    gap.content_end = at + 1;
                    gap.ends_in_line_note = false;
                    at += 1;
                }
                _ if note_end.is_some() => {
                    let (end, line) = note_end.unwrap_or((at + 1, false));
                    gap.has_note = true;
                    gap.content_end = end;
                    gap.ends_in_line_note = line;
                    at = end;
                }
                _ => at += 1,
            }
        }
        gap
    }

    /// The end of the comment that begins at `at`, and whether it runs to the end of its line.
    fn note_end(&self, at: usize, limit: usize) -> Option<(usize, bool)> {
        let rest = &self.text.as_bytes()[at..limit];
        let line = || rest.iter().position(|b| matches!(b, b'\n' | b'\r')).map_or(limit, |n| at + n);
        match self.notes {
            Notes::Hash if rest.starts_with(b"#") => Some((line(), true)),
            Notes::Slashes if rest.starts_with(b"//") => Some((line(), true)),
            Notes::Slashes if rest.starts_with(b"/*") => {
                let close = rest.windows(2).skip(2).position(|pair| pair == b"*/");
                Some((close.map_or(limit, |n| at + n + 4), false))
            }
            _ => None,
        }
    }

    fn interior(&self) -> &str {
        &self.text[self.open..self.close]
    }

    /// Whether the item at `start` is the first thing on its line, inside this container.
    fn own_line(&self, start: usize) -> bool {
        let line = line_start(self.text, start);
        line > self.open && blanks_before(self.text, start) == line
    }

    /// Where a new last item would stand. `unit` is one step of indentation; `spread` says whether a blank
    /// list is to be spread over lines.
    pub(crate) fn room(&self, unit: &str, spread: bool) -> Room {
        let below = || Room::Lines(format!("{}{unit}", indent_of(self.text, self.open)));
        match self.items.last() {
            Some(last) if self.own_line(last.start) => {
                Room::Lines(indent_of(self.text, last.start).to_owned())
            }
            Some(last) if self.gap(last.end..self.close).ends_in_line_note => below(),
            Some(_) => Room::Inline,
            None => {
                let gap = self.gap(self.open..self.close);
                let lines = if gap.has_note { self.interior().contains('\n') } else { spread };
                if lines { below() } else { Room::Inline }
            }
        }
    }

    /// The splices that add `item` as the last one. The second part is the white space that was replaced,
    /// if the list was blank but not empty.
    pub(crate) fn insert_last(
        &self,
        room: &Room,
        item: &str,
        eol: &str,
        blank: &str,
    ) -> (Vec<Splice>, Option<String>) {
        let lead = match room {
            Room::Lines(indent) => format!("{eol}{indent}"),
            Room::Inline => blank.to_owned(),
        };
        if let Some(last) = self.items.last() {
            let gap = self.gap(last.end..self.close);
            let splices = match gap.comma {
                Some(_) => vec![Splice::insert(gap.content_end, format!("{lead}{item},"))],
                None if gap.content_end == last.end => {
                    vec![Splice::insert(last.end, format!(",{lead}{item}"))]
                }
                None => vec![
                    Splice::insert(last.end, ","),
                    Splice::insert(gap.content_end, format!("{lead}{item}")),
                ],
            };
            return (splices, None);
        }
        let gap = self.gap(self.open..self.close);
        if gap.has_note {
            return (vec![Splice::insert(gap.content_end, format!("{lead}{item}"))], None);
        }
        let tail = match room {
            Room::Lines(_) => format!("{eol}{}", indent_of(self.text, self.open)),
            Room::Inline => String::new(),
        };
        let lead = if *room == Room::Inline { "" } else { lead.as_str() };
        let was = (!self.interior().is_empty()).then(|| self.interior().to_owned());
        (vec![Splice::replace(self.open..self.close, format!("{lead}{item}{tail}"))], was)
    }

    /// The splices that remove item `index`; `interior` is the white space to leave in a list that becomes blank.
    pub(crate) fn remove(&self, index: usize, interior: &str) -> Vec<Splice> {
        let Some(item) = self.items.get(index).cloned() else { return Vec::new() };
        let previous_end = index.checked_sub(1).and_then(|i| self.items.get(i)).map(|range| range.end);
        let before = self.gap(previous_end.unwrap_or(self.open)..item.start);
        let next = self.items.get(index + 1).map_or(self.close, |range| range.start);
        let after = self.gap(item.end..next);
        if self.items.len() == 1 && !before.has_note && !after.has_note {
            return vec![Splice::replace(self.open..self.close, interior)];
        }
        let end = after.comma.map_or(item.end, |comma| comma + 1);
        let mut splices = Vec::new();
        if after.comma.is_some_and(|comma| comma > item.end) && after.has_note {
            // A comment may stand between the item and its comma: cut around it.
            splices.push(Splice::delete(end - 1..end));
            splices.extend(self.cut(&item, item.end, &before, index));
        } else {
            splices.extend(self.cut(&item, end, &before, index));
        }
        if after.comma.is_none()
            && let Some(comma) = before.comma
        {
            splices.push(Splice::delete(comma..comma + 1));
        }
        splices
    }

    /// Cuts `item.start..end` with the white space that came with the item.
    fn cut(&self, item: &Range<usize>, end: usize, before: &Gap, index: usize) -> Option<Splice> {
        let rest = blanks_after(self.text, end);
        let rest_byte = self.text.as_bytes().get(rest).copied();
        let start = if self.own_line(item.start) {
            let line = line_start(self.text, item.start);
            let above = line_end_before(self.text, line).unwrap_or(line);
            match rest_byte {
                Some(b'\n' | b'\r') | None => above..end,
                Some(_) if rest == self.close && !before.ends_in_line_note => above..end,
                // Something follows on the same line and keeps the line.
                Some(_) => item.start..rest,
            }
        } else if index == 0 && end > item.end {
            item.start..if matches!(rest_byte, Some(b'\n' | b'\r')) { end } else { rest }
        } else {
            blanks_before(self.text, item.start)..end
        };
        Some(Splice::delete(start))
    }
}
