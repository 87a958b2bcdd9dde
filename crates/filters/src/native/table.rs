//! Tables made for eyes: the width of columns and their rules go, every cell stays.

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

/// Runs of blanks between cells become two, around `|` one; indentation stays.
fn squeeze(line: &str, out: &mut String) {
    let body = line.trim_start_matches(' ');
    let indent = line.len() - body.len();
    out.push_str(&" ".repeat(indent.min(2)));
    let mut blanks = 0;
    for c in body.trim_end().chars() {
        if c == ' ' {
            blanks += 1;
            continue;
        }
        let around_bar = matches!(c, '|' | '│') || out.ends_with(['|', '│']);
        out.push_str(&" ".repeat(blanks.min(if around_bar { 1 } else { 2 })));
        blanks = 0;
        out.push(c);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn columns_lose_their_width() {
        let text = " id |   name    \n----+-----------\n  1 | a b       \n(1 row)\n";
        assert_eq!(super::table(text).unwrap(), " id | name\n  1 | a b\n(1 row)\n");
        assert_eq!(
            super::table("NAME      READY   STATUS\nweb       1/1     Running\n").unwrap(),
            "NAME  READY  STATUS\nweb  1/1  Running\n"
        );
    }
}
