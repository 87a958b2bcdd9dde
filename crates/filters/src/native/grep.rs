//! Matches with their file and line (`grep -rn`, `rg -n`, `git grep -n`): each file is named once, above its matches.

use std::fmt::Write as _;

pub(crate) fn grep(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut file = "";
    let (mut matches, mut lines) = (0_usize, 0_usize);
    for line in text.lines() {
        if line.is_empty() {
            continue;
        }
        if line == "--" {
            out.push_str("--\n");
            continue;
        }
        lines += 1;
        match split(line) {
            Some((name, number, rest)) => {
                matches += 1;
                if name != file {
                    file = name;
                    let _ = writeln!(out, "{name}");
                }
                let _ = writeln!(out, "  {number}{rest}");
            }
            None => {
                file = "";
                let _ = writeln!(out, "{line}");
            }
        }
    }
    // A few matches are easier to read as they came.
    (matches >= 5 && matches * 10 >= lines * 8).then_some(out)
}

/// `path:12:text` as path, line, and the rest with its separator (`:` for a match, `-` for context).
fn split(line: &str) -> Option<(&str, &str, &str)> {
    let from =
        if line.as_bytes().get(1) == Some(&b':') && line.as_bytes().get(2) == Some(&b'\\') { 2 } else { 0 };
    // A match is looked for first: names have hyphens and figures, too.
    place(line, from, b':').or_else(|| place(line, from, b'-'))
}

fn place(line: &str, from: usize, mark: u8) -> Option<(&str, &str, &str)> {
    let bytes = line.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        if bytes[at] == mark {
            let digits = bytes[at + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
            let end = at + 1 + digits;
            if digits > 0 && bytes.get(end) == Some(&bytes[at]) && at > from {
                return Some((line.get(..at)?, line.get(at + 1..end)?, line.get(end..)?));
            }
        }
        // A match whose path has a colon is not worth guessing.
        if bytes[at] == b':' {
            return None;
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    #[test]
    fn each_file_is_named_once() {
        let text =
            "src/a.rs:1:one\nsrc/a.rs:22:two: x\nsrc/b-1.rs:3:three\nsrc/b-1.rs:4:four\nsrc/b-1.rs:5:five\n";
        assert_eq!(
            super::grep(text).unwrap(),
            "src/a.rs\n  1:one\n  22:two: x\nsrc/b-1.rs\n  3:three\n  4:four\n  5:five\n"
        );
        assert_eq!(super::grep("src/a.rs:1:one\n"), None);
        assert_eq!(super::grep("no\nmatches\nhere\nat\nall\n"), None);
    }
}
