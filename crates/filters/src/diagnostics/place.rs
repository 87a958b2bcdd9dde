//! Where a finding is: a file with a line, and often a column. Owns distinguishing a path from other words before a
//! colon.

use std::borrow::Cow;

/// A path, the place in it, and the text after it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Place<'t> {
    pub(crate) file: &'t str,
    /// `3:9`, or `3` where no column is given.
    pub(crate) at: Cow<'t, str>,
    pub(crate) rest: &'t str,
    /// The separator between the place and the rest: `:`, `-`, a blank, or nothing at the end of the line.
    pub(crate) sign: char,
}

/// Longest path that is taken for one.
const LONGEST: usize = 400;
/// Files without an extension that tools check.
const NAMED: &[&str] = &[
    "Makefile",
    "GNUmakefile",
    "makefile",
    "Dockerfile",
    "Containerfile",
    "Jenkinsfile",
    "Vagrantfile",
    "Rakefile",
    "Gemfile",
    "Podfile",
    "Fastfile",
    "Brewfile",
    "Justfile",
    "justfile",
    "BUILD",
    "WORKSPACE",
    "<stdin>",
    "stdin",
];

/// The place that `text` begins with.
pub(crate) fn place(text: &str) -> Option<Place<'_>> {
    let text = text.strip_prefix("file://").unwrap_or(text);
    if let Some(found) = in_words(text) {
        return Some(found);
    }
    let head = &text.as_bytes()[..text.len().min(LONGEST)];
    for at in memchr::memchr2_iter(b':', b'(', head) {
        let is_square = head[at] == b':' && head.get(at + 1) == Some(&b'[');
        let figures = at + 1 + usize::from(is_square);
        if !head.get(figures).is_some_and(u8::is_ascii_digit) || !text.is_char_boundary(at) {
            continue;
        }
        let (file, rest) = (&text[..at], &text[at + 1..]);
        if !is_path(file) {
            // A text without a path before its first figure has none later, except after a drive or a port in a name.
            if head[at] == b':' && file.len() > 2 && !file.contains(['/', '\\', '.', '(']) {
                return None;
            }
            continue;
        }
        let found = match head[at] {
            b':' if is_square => in_square_brackets(file, &rest[1..]),
            b':' => after_colon(file, rest),
            _ => in_brackets(file, rest),
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// `3:9: rest`, `3 rest`, `3:9 - rest`, `3:9-4:2: rest`.
fn after_colon<'t>(file: &'t str, rest: &'t str) -> Option<Place<'t>> {
    let bytes = rest.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = digits(0);
    // Column, and the end of a range.
    for _ in 0..3 {
        let joined = matches!(bytes.get(end), Some(b':' | b'-' | b'.'));
        let more = if joined { digits(end + 1) } else { 0 };
        if more == 0 {
            break;
        }
        end += 1 + more;
    }
    let (at, rest) = rest.split_at(end);
    let at = Cow::Borrowed(at);
    match rest.as_bytes().first() {
        None => Some(Place { file, at, rest, sign: '\n' }),
        Some(b':') => {
            let rest = &rest[1..];
            // A name with a scope (`a.rs:3::f`) isn't a place.
            (!rest.starts_with(':')).then(|| Place { file, at, rest: rest.trim_start(), sign: ':' })
        }
        Some(b' ') => {
            let rest = rest.trim_start();
            match rest.strip_prefix("- ").or_else(|| rest.strip_prefix("– ")) {
                Some(rest) => Some(Place { file, at, rest: rest.trim_start(), sign: '-' }),
                None => Some(Place { file, at, rest, sign: ' ' }),
            }
        }
        Some(_) => None,
    }
}

/// `3,9): rest`, `3): rest`.
fn in_brackets<'t>(file: &'t str, rest: &'t str) -> Option<Place<'t>> {
    let close = rest[..rest.floor_char_boundary(40)].find(')')?;
    let (at, after) = (&rest[..close], &rest[close + 1..]);
    if !at.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'-')) {
        return None;
    }
    let rest = after.trim_start().strip_prefix(':')?.trim_start();
    let at = if at.contains(',') { Cow::Owned(at.replace(',', ":")) } else { Cow::Borrowed(at) };
    Some(Place { file, at, rest, sign: ':' })
}

/// `3,9] rest`, as Maven writes it behind a colon.
fn in_square_brackets<'t>(file: &'t str, rest: &'t str) -> Option<Place<'t>> {
    let (at, after) = rest.split_once(']')?;
    let (line, column) = at.split_once(',')?;
    let is_figure = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let rest = after.strip_prefix(' ')?.trim_start();
    let at = Cow::Owned(format!("{line}:{column}"));
    (is_figure(line) && is_figure(column)).then_some(Place { file, at, rest, sign: ':' })
}

/// `src/a.js: line 3, col 9, rest`, as JSHint and shells write it.
fn in_words(text: &str) -> Option<Place<'_>> {
    let head = &text[..text.floor_char_boundary(LONGEST)];
    let (file, _) = head.split_once(": line ").filter(|(file, _)| is_path(file))?;
    let rest = &text[file.len() + ": line ".len()..];
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let line = digits(rest);
    let after = &rest[line..];
    let (at, rest) = match after.strip_prefix(", col ") {
        Some(column) if digits(column) > 0 => {
            let end = digits(column);
            (Cow::Owned(format!("{}:{}", &rest[..line], &column[..end])), &column[end..])
        }
        _ => (Cow::Borrowed(&rest[..line]), after),
    };
    let rest = rest.strip_prefix([',', ':'])?.trim_start();
    (line > 0).then_some(Place { file, at, rest, sign: ':' })
}

/// The line of `3:9`.
pub(super) fn line_of(at: &str) -> &str {
    match at.bytes().take_while(u8::is_ascii_digit).count() {
        0 => at,
        end => &at[..end],
    }
}

/// Whether `name` can only be a file's.
pub(super) fn is_path(name: &str) -> bool {
    if name.is_empty() || name.len() > LONGEST || name.starts_with([' ', '\t', '"', '\'', '(', '[', '`', '{'])
    {
        return false;
    }
    if NAMED.contains(&name) {
        return true;
    }
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let folder = last.len() < name.len();
    if name.contains("://") || name.contains(['\t', '"', '`', '|', '*', '?', ';', '=', '<', '>']) {
        return false;
    }
    // A name with blanks is a path only where folders and an extension say so.
    let blank = name.contains(' ');
    if blank && (!folder || name.contains(": ") || name.starts_with("at ")) {
        return false;
    }
    let extended = match last.rsplit_once('.') {
        Some((stem, extension)) => {
            let extension = extension.as_bytes();
            let named = extension.first().is_some_and(u8::is_ascii_alphabetic)
                && extension.len() <= 10
                && extension.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
            named && (!stem.is_empty() || extension.len() > 1)
        }
        None => false,
    };
    extended || !blank && (folder && !last.is_empty() || NAMED.contains(&last))
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn places_are_distinguished_from_other_colons() {
        for (line, file, at, rest) in [
            ("src/a.js:3:9: x", "src/a.js", "3:9", "x"),
            ("src/a.ts(3,9): error TS1: x", "src/a.ts", "3:9", "error TS1: x"),
            ("C:\\shop\\A.cs(3,9): warning", "C:\\shop\\A.cs", "3:9", "warning"),
            ("C:\\shop\\a.c:3:9: warning", "C:\\shop\\a.c", "3:9", "warning"),
            ("a.ts:3:9 - error TS1: x", "a.ts", "3:9", "error TS1: x"),
            ("README.md:12 MD013/x Line", "README.md", "12", "MD013/x Line"),
            ("src/my shop/a.py:3: error: x", "src/my shop/a.py", "3", "error: x"),
            ("Dockerfile:3 DL3008 x", "Dockerfile", "3", "DL3008 x"),
            ("src/[id]/page.tsx:1:2: x", "src/[id]/page.tsx", "1:2", "x"),
            ("pages/(shop)/a.tsx(1,2): error TS1: x", "pages/(shop)/a.tsx", "1:2", "error TS1: x"),
            ("a.go:1:2-3:4: x", "a.go", "1:2-3:4", "x"),
            ("file:///home/ana/A.kt:1:2 x", "/home/ana/A.kt", "1:2", "x"),
            ("src/a.js: line 3, col 9, Missing x", "src/a.js", "3:9", "Missing x"),
            (
                "/srv/shop/A.java:[20,21] cannot find symbol",
                "/srv/shop/A.java",
                "20:21",
                "cannot find symbol",
            ),
            ("deploy.sh: line 3: foo: command not found", "deploy.sh", "3", "foo: command not found"),
        ] {
            let found = place(line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!((found.file, &*found.at, found.rest), (file, at, rest), "{line}");
        }
        for line in [
            "12:30:45 error: x",
            "http://localhost:3000: refused",
            "took: 3",
            "error at 3:9",
            "std::fmt(1)",
            "version 1.2:3",
            "localhost:8080: refused",
            "a.rs:3::f",
            "src/a.rs:[3] x",
            "src/a.rs:[3,x] y",
            "",
            ":3:9: x",
        ] {
            assert_eq!(place(line).filter(|place| place.sign != '\n'), None, "{line}");
        }
    }
}
