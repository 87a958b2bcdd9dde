//! Inserts a last item into a bracketed list in a text, or removes one: a JSON object or array, a TOML inline table or
//! array.
//!
//! An insertion only inserts bytes, unless the list is blank, and a removal is its exact inverse, so that inserting and
//! removing leaves the same bytes even if other parts of the file changed meanwhile. Knows brackets, commas, comments and
//! lines, not what an item means.

use crate::splice::{Splice, blanks_after, blanks_before, indent_of, line_end_before, line_start};
use std::ops::Range;

/// The comment syntax around the items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommentSyntax {
    /// `// …` and `/* … */`
    Slashes,
    /// `# …`
    Hash,
}

/// A bracketed list as parsed.
pub(crate) struct Container<'t> {
    pub(crate) text: &'t str,
    /// After the opening bracket.
    pub(crate) open: usize,
    /// At the closing bracket.
    pub(crate) close: usize,
    /// Members (key and value) or elements, in order.
    pub(crate) items: Vec<Range<usize>>,
    pub(crate) comments: CommentSyntax,
}

/// Where a new item goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Placement {
    /// On a line of its own, with this indentation.
    Lines(String),
    /// On the same line as the others.
    Inline,
}

/// The text between two items, or between an item and a bracket.
struct Gap {
    comma: Option<usize>,
    /// After the last comma or comment.
    content_end: usize,
    has_comment: bool,
    ends_in_line_comment: bool,
}

impl Container<'_> {
    fn gap(&self, range: Range<usize>) -> Gap {
        let bytes = self.text.as_bytes();
        let mut gap =
            Gap { comma: None, content_end: range.start, has_comment: false, ends_in_line_comment: false };
        let mut at = range.start;
        while at < range.end {
            let note_end = self.comment_end(at, range.end);
            match bytes[at] {
                b',' => {
                    gap.comma = Some(at);
                    gap.content_end = at + 1;
                    gap.ends_in_line_comment = false;
                    at += 1;
                }
                _ if note_end.is_some() => {
                    let (end, line) = note_end.unwrap_or((at + 1, false));
                    gap.has_comment = true;
                    gap.content_end = end;
                    gap.ends_in_line_comment = line;
                    at = end;
                }
                _ => at += 1,
            }
        }
        gap
    }

    /// The end of the comment at `at`, and whether it runs to the end of its line.
    fn comment_end(&self, at: usize, limit: usize) -> Option<(usize, bool)> {
        let rest = &self.text.as_bytes()[at..limit];
        let line = || rest.iter().position(|b| matches!(b, b'\n' | b'\r')).map_or(limit, |n| at + n);
        match self.comments {
            CommentSyntax::Hash if rest.starts_with(b"#") => Some((line(), true)),
            CommentSyntax::Slashes if rest.starts_with(b"//") => Some((line(), true)),
            CommentSyntax::Slashes if rest.starts_with(b"/*") => {
                let close = rest.windows(2).skip(2).position(|pair| pair == b"*/");
                Some((close.map_or(limit, |n| at + n + 4), false))
            }
            _ => None,
        }
    }

    fn interior(&self) -> &str {
        &self.text[self.open..self.close]
    }

    /// Whether the item at `start` is the first on its line, inside this container.
    fn own_line(&self, start: usize) -> bool {
        let line = line_start(self.text, start);
        line > self.open && blanks_before(self.text, start) == line
    }

    /// Where a new last item goes. `unit` is one step of indentation; `spread` says whether a blank list is spread over
    /// lines.
    pub(crate) fn placement(&self, unit: &str, spread: bool) -> Placement {
        let below = || Placement::Lines(format!("{}{unit}", indent_of(self.text, self.open)));
        match self.items.last() {
            Some(last) if self.own_line(last.start) => {
                Placement::Lines(indent_of(self.text, last.start).to_owned())
            }
            Some(last) if self.gap(last.end..self.close).ends_in_line_comment => below(),
            Some(_) => Placement::Inline,
            None => {
                let gap = self.gap(self.open..self.close);
                let lines = if gap.has_comment { self.interior().contains('\n') } else { spread };
                if lines { below() } else { Placement::Inline }
            }
        }
    }

    /// The splices that append `item`. The second part is the white space that was replaced, if the list was blank but not
    /// empty.
    pub(crate) fn insert_last(
        &self,
        room: &Placement,
        item: &str,
        eol: &str,
        blank: &str,
    ) -> (Vec<Splice>, Option<String>) {
        let lead = match room {
            Placement::Lines(indent) => format!("{eol}{indent}"),
            Placement::Inline => blank.to_owned(),
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
        if gap.has_comment {
            return (vec![Splice::insert(gap.content_end, format!("{lead}{item}"))], None);
        }
        let tail = match room {
            Placement::Lines(_) => format!("{eol}{}", indent_of(self.text, self.open)),
            Placement::Inline => String::new(),
        };
        let lead = if *room == Placement::Inline { "" } else { lead.as_str() };
        let was = (!self.interior().is_empty()).then(|| self.interior().to_owned());
        (vec![Splice::replace(self.open..self.close, format!("{lead}{item}{tail}"))], was)
    }

    /// The splices that remove item `index`; `interior` is the white space that a list left blank gets.
    pub(crate) fn remove(&self, index: usize, interior: &str) -> Vec<Splice> {
        let Some(item) = self.items.get(index).cloned() else { return Vec::new() };
        let previous_end = index.checked_sub(1).and_then(|i| self.items.get(i)).map(|range| range.end);
        let before = self.gap(previous_end.unwrap_or(self.open)..item.start);
        let next = self.items.get(index + 1).map_or(self.close, |range| range.start);
        let after = self.gap(item.end..next);
        if self.items.len() == 1 && !before.has_comment && !after.has_comment {
            return vec![Splice::replace(self.open..self.close, interior)];
        }
        let end = after.comma.map_or(item.end, |comma| comma + 1);
        let mut splices = Vec::new();
        if after.comma.is_some_and(|comma| comma > item.end) && after.has_comment {
            // A comment may be between the item and its comma: cut around it.
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
                Some(_) if rest == self.close && !before.ends_in_line_comment => above..end,
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
