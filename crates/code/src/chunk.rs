//! Splits a text into chunks of whole lines. With a syntax tree: at definitions, with large ones split into their
//! parts, small neighbours merged, and comments kept with the code they describe. Without one: at empty lines. Every
//! line is in exactly one chunk.

use tree_sitter::{Node, Tree};

/// A chunk is not larger than this, if its lines are not.
pub(crate) const MAX_BYTES: usize = 1_500;
/// Definitions of this size get a chunk of their own.
const OWN_BYTES: usize = 350;
/// A large node is taken apart no deeper than this.
const MAX_DEPTH: usize = 40;

/// Lines `first..=last`, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    /// The first line.
    pub first: usize,
    /// The last line.
    pub last: usize,
}

/// Where each line begins; one more for the end.
#[derive(Debug)]
pub(crate) struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    /// Finds the lines of `text`.
    pub(crate) fn of(text: &str) -> Lines {
        let mut starts = vec![0];
        starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1));
        if starts.last() != Some(&text.len()) {
            starts.push(text.len());
        }
        Lines { starts }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The bytes of a span.
    pub(crate) fn bytes(&self, span: Span) -> std::ops::Range<usize> {
        let end = self.starts.len() - 1;
        self.starts[span.first.min(end)]..self.starts[(span.last + 1).min(end)]
    }

    fn size(&self, span: Span) -> usize {
        self.bytes(span).len()
    }
}

struct Unit {
    span: Span,
    /// It describes the lines that follow.
    leads: bool,
    /// A definition that is large enough for a chunk of its own.
    own: bool,
}

/// The chunks of a text that was parsed.
pub(crate) fn by_tree(tree: &Tree, lines: &Lines) -> Vec<Span> {
    let count = lines.count();
    if count == 0 {
        return Vec::new();
    }
    let mut units = Vec::new();
    let mut next = 0;
    take_apart(tree.root_node(), lines, 0, &mut next, &mut units);
    if next < count {
        units.push(Unit { span: Span { first: next, last: count - 1 }, leads: false, own: false });
    }
    let mut out: Vec<Span> = Vec::new();
    let mut current: Option<(Span, bool)> = None;
    let mut lead: Option<usize> = None;
    let last_unit = units.len().saturating_sub(1);
    for (i, unit) in units.iter().enumerate() {
        if unit.leads && i != last_unit {
            lead = lead.or(Some(unit.span.first));
            continue;
        }
        let whole = Span { first: lead.take().unwrap_or(unit.span.first), last: unit.span.last };
        match current {
            Some((span, own)) => {
                let joined = Span { first: span.first, last: whole.last };
                if lines.size(joined) <= MAX_BYTES && !(own || unit.own) {
                    current = Some((joined, false));
                } else {
                    out.push(span);
                    current = Some((whole, unit.own));
                }
            }
            None => current = Some((whole, unit.own)),
        }
    }
    out.extend(current.map(|(span, _)| span));
    out.iter().flat_map(|span| windows(*span, lines)).collect()
}

fn take_apart(node: Node<'_>, lines: &Lines, depth: usize, next: &mut usize, out: &mut Vec<Unit>) {
    let mut cursor = node.walk();
    if !cursor.goto_first_child() {
        return;
    }
    loop {
        let child = cursor.node();
        let last = last_row(child).min(lines.count() - 1);
        if last >= *next && child.end_byte() > child.start_byte() {
            let span = Span { first: *next, last };
            let size = lines.size(span);
            if size > MAX_BYTES && child.child_count() > 0 && depth < MAX_DEPTH {
                take_apart(child, lines, depth + 1, next, out);
                if last >= *next {
                    let rest = Span { first: *next, last };
                    out.push(Unit { span: rest, leads: false, own: false });
                    *next = last + 1;
                }
            } else {
                let kind = child.kind();
                let leads = kind.contains("comment")
                    || matches!(kind, "attribute_item" | "inner_attribute_item" | "decorator" | "annotation");
                let own = size >= OWN_BYTES
                    && child.is_named()
                    && !leads
                    && child.child_count() > 1
                    && span.last > span.first + 2;
                out.push(Unit { span, leads, own });
                *next = last + 1;
            }
        }
        if !cursor.goto_next_sibling() {
            return;
        }
    }
}

fn last_row(node: Node<'_>) -> usize {
    let end = node.end_position();
    if end.column == 0 && end.row > node.start_position().row { end.row - 1 } else { end.row }
}

/// The chunks of a text without a tree: at empty lines where possible.
pub(crate) fn by_lines(text: &str, lines: &Lines) -> Vec<Span> {
    if lines.count() == 0 {
        return Vec::new();
    }
    let mut out = Vec::new();
    let mut first = 0;
    let mut blank: Option<usize> = None;
    for line in 0..lines.count() {
        let span = Span { first, last: line };
        if line > first && lines.size(span) > MAX_BYTES {
            // The last empty line in the second half, else here.
            let cut = blank.filter(|b| *b > first && lines.size(Span { first, last: *b }) > MAX_BYTES / 3);
            let last = cut.unwrap_or(line - 1);
            out.push(Span { first, last });
            first = last + 1;
            blank = None;
        }
        let here = lines.bytes(Span { first: line, last: line });
        if text.get(here).is_some_and(|t| t.trim().is_empty()) {
            blank = Some(line);
        }
    }
    out.push(Span { first, last: lines.count() - 1 });
    out
}

/// A span that is too large, in parts.
fn windows(span: Span, lines: &Lines) -> Vec<Span> {
    if lines.size(span) <= MAX_BYTES * 5 / 4 {
        return vec![span];
    }
    let mut out = Vec::new();
    let mut first = span.first;
    for line in span.first..=span.last {
        if line > first && lines.size(Span { first, last: line }) > MAX_BYTES {
            out.push(Span { first, last: line - 1 });
            first = line;
        }
    }
    out.push(Span { first, last: span.last });
    share_end(&mut out, lines);
    out
}

/// Shares the lines of the last two parts evenly if little is left for the last one: a definition's single head line
/// after a long comment is of little use alone, and so is the comment without it.
fn share_end(parts: &mut [Span], lines: &Lines) {
    let [.., before, last] = parts else { return };
    if lines.size(*last) >= MAX_BYTES / 3 {
        return;
    }
    let both = Span { first: before.first, last: last.last };
    let is_half = |line: &usize| lines.size(Span { first: both.first, last: *line }) * 2 >= lines.size(both);
    if let Some(cut) = (both.first..both.last).find(is_half) {
        (before.last, last.first) = (cut, cut + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<(usize, usize)> {
        let lines = Lines::of(text);
        let all = windows(Span { first: 0, last: lines.count() - 1 }, &lines);
        let mut next = 0;
        for one in &all {
            assert_eq!(one.first, next, "every line is in one part");
            next = one.last + 1;
        }
        assert_eq!(next, lines.count());
        all.iter().map(|one| (one.last + 1 - one.first, lines.size(*one))).collect()
    }

    #[test]
    fn splitting_a_large_definition_leaves_no_tiny_part() {
        for width in [10, 40, 79] {
            let line = format!("{}\n", "x".repeat(width - 1));
            for count in 1..400 {
                let text = line.repeat(count);
                let sizes = parts(&text);
                let fits = |size: usize| (MAX_BYTES / 3..=MAX_BYTES).contains(&size);
                assert!(
                    sizes.len() == 1 || sizes.iter().all(|(_, size)| fits(*size)),
                    "{count} lines of {width}: {sizes:?}"
                );
            }
        }
        // The head behind a comment that fills two parts by itself.
        let comment = format!("// {}\n", "word ".repeat(14)).repeat(2 * MAX_BYTES / 74);
        let sizes = parts(&format!("{comment}class Shelf {{\n"));
        assert!(sizes.last().unwrap().0 > 5, "{sizes:?}");
        // A line is never cut, however long.
        let long = "y".repeat(2 * MAX_BYTES);
        assert_eq!(parts(&format!("{long}\nz\n")), [(1, long.len() + 1), (1, 2)]);
    }
}
