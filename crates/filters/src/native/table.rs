//! Tables made for eyes: the width of columns and their rules are dropped, every cell stays.

use std::borrow::Cow;

pub(crate) fn table(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let rule = !line.is_empty()
            && line.chars().all(|c| {
                matches!(
                    c,
                    '-' | '+'
                        | '|'
                        | '='
                        | ' '
                        | '─'
                        | '┼'
                        | '│'
                        | '├'
                        | '┤'
                        | '┌'
                        | '┐'
                        | '└'
                        | '┘'
                        | '┬'
                        | '┴'
                        | '━'
                )
            });
        if rule && line.chars().any(|c| matches!(c, '-' | '=' | '─' | '━')) {
            continue;
        }
        squeeze(line, &mut out);
        out.push('\n');
    }
    Some(out)
}

/// Runs of blanks between cells become two, and one where no cell has a blank in it or bars divide them; indentation stays. To a
/// tokenizer two cost as much as twenty, and one nothing.
fn squeeze(line: &str, out: &mut String) {
    let body = line.trim_start_matches(' ');
    let indent = line.len() - body.len();
    out.push_str(&" ".repeat(indent.min(2)));
    let body = body.trim_end();
    let gap = if body.split_ascii_whitespace().count() > 2 && !has_single(body) { 1 } else { 2 };
    let mut blanks = 0;
    for c in body.chars() {
        if c == ' ' {
            blanks += 1;
            continue;
        }
        let around_bar = matches!(c, '|' | '│') || out.ends_with(['|', '│']);
        out.push_str(&" ".repeat(blanks.min(if around_bar { 1 } else { gap })));
        blanks = 0;
        out.push(c);
    }
}

/// Whether a blank has no other beside it.
fn has_single(line: &str) -> bool {
    let bytes = line.as_bytes();
    bytes.windows(3).any(|three| three[1] == b' ' && three[0] != b' ' && three[2] != b' ')
}

/// A row's cells in one line: a blank between, and two where a cell has one in it or is empty.
pub(super) fn joined<'t>(cells: &[Cow<'t, str>]) -> Cow<'t, str> {
    let plain = cells.iter().all(|cell| !cell.is_empty() && !cell.contains(' '));
    let joint = if plain { " " } else { "  " };
    in_one(cells, joint)
}

/// A row's cells in one line with the same between all.
pub(super) fn in_one<'t>(cells: &[Cow<'t, str>], joint: &str) -> Cow<'t, str> {
    Cow::Owned(cells.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(joint).trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn columns_lose_their_width() {
        let text = " id |   name    \n----+-----------\n  1 | a b       \n(1 row)\n";
        assert_eq!(super::table(text).unwrap(), " id | name\n  1 | a b\n(1 row)\n");
        assert_eq!(
            super::table("NAME      READY   STATUS\nweb       1/1     Running\n").unwrap(),
            "NAME READY STATUS\nweb 1/1 Running\n"
        );
    }
}
