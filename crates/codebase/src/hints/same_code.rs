//! Whether two versions of a file have the same code: they differ only in comments, docstrings, blank lines and layout. Pure; a
//! scan by quotes and comment marks that errs towards different code.

/// How a language marks comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Marks {
    /// `//` and `/* */`.
    slashes: bool,
    /// `#`.
    hash: bool,
    /// The indentation says what belongs together, and strings in three quotes may be documentation.
    indented: bool,
    /// A single quote also begins a lifetime.
    lifetimes: bool,
}

fn marks(language: &str) -> Option<Marks> {
    let none = Marks { slashes: false, hash: false, indented: false, lifetimes: false };
    match language {
        "typescript" | "tsx" | "javascript" | "java" | "kotlin" | "c" | "cpp" | "csharp" | "go" | "swift"
        | "scala" => Some(Marks { slashes: true, ..none }),
        "rust" => Some(Marks { slashes: true, lifetimes: true, ..none }),
        "php" => Some(Marks { slashes: true, hash: true, ..none }),
        "ruby" => Some(Marks { hash: true, ..none }),
        "python" => Some(Marks { hash: true, indented: true, ..none }),
        _ => None,
    }
}

/// Whether both texts have the same code; no for a language whose comments aren't known.
pub(super) fn is_same_code(language: &str, before: &str, now: &str) -> bool {
    marks(language).is_some_and(|marks| code(marks, before) == code(marks, now))
}

/// The code without comments and layout. Words stay apart, strings stay whole.
fn code(marks: Marks, text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // Blank space since the last code, and whether a line ended in it.
    let (mut gap, mut line_began) = (false, true);
    while let Some(c) = rest.chars().next() {
        if c == '\n' {
            (gap, line_began) = (true, true);
            rest = &rest[1..];
            if marks.indented {
                let indent = rest.len() - rest.trim_start_matches([' ', '\t']).len();
                let line = rest.lines().next().unwrap_or_default().trim_start();
                if !line.is_empty() && !line.starts_with('#') {
                    out.push('\n');
                    out.push_str(&rest[..indent]);
                }
                rest = &rest[indent..];
            }
            continue;
        }
        if c.is_whitespace() {
            gap = true;
            rest = &rest[c.len_utf8()..];
            continue;
        }
        if let Some(length) = comment(marks, rest) {
            gap = true;
            rest = &rest[length..];
            continue;
        }
        let length = string(marks, rest).unwrap_or(c.len_utf8());
        let is_docstring = marks.indented
            && line_began
            && length >= 6
            && (rest.starts_with("\"\"\"") || rest.starts_with("'''"))
            && matches!(out.trim_end().chars().next_back(), None | Some(':'));
        if is_docstring {
            // Something has to be in the body of a function.
            out.push_str("\"\"\"");
        } else {
            let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
            if gap && is_word(c) && out.chars().next_back().is_some_and(is_word) {
                out.push(' ');
            }
            out.push_str(&rest[..length]);
        }
        (gap, line_began) = (false, false);
        rest = &rest[length..];
    }
    out
}

/// The length of the comment at the beginning of `rest`.
fn comment(marks: Marks, rest: &str) -> Option<usize> {
    let line = || rest.find('\n').unwrap_or(rest.len());
    if marks.slashes && rest.starts_with("/*") {
        return Some(rest[2..].find("*/").map_or(rest.len(), |end| end + 4));
    }
    // `#[…]` is an attribute of PHP.
    let is_line = marks.slashes && rest.starts_with("//")
        || marks.hash && rest.starts_with('#') && (marks.indented || !rest.starts_with("#["));
    is_line.then(line)
}

/// The length of the string at the beginning of `rest`.
fn string(marks: Marks, rest: &str) -> Option<usize> {
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
    if marks.indented && (rest.starts_with("\"\"\"") || rest.starts_with("'''")) {
        return Some(rest[3..].find(&rest[..3]).map_or(rest.len(), |end| end + 6));
    }
    if marks.lifetimes && quote == '\'' {
        // `'a'` and `'\n'` are characters, `'a` is a lifetime.
        let mut next = rest[1..].char_indices();
        let (_, first) = next.next()?;
        let end = next.next().filter(|(_, c)| *c == '\'').map(|(at, _)| at + 2);
        return if first == '\\' { rest[2..].find('\'').map(|end| end + 3) } else { end };
    }
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            // What isn't closed on its line isn't a string.
            '\n' if quote != '`' => return Some(at),
            c if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    Some(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_layout_are_no_code_and_everything_else_is() {
        for (language, before, now, same) in [
            ("typescript", "f(a); // one\n", "f( a );\n\n/* two\n */\n", true),
            ("typescript", "f(\"// a\")", "f(\"// b\")", false),
            ("typescript", "return x", "returnx", false),
            ("typescript", "f('a  b')", "f('a b')", false),
            ("typescript", "if (a) {\nb()\n}", "if (a) {\n    b()\n}", true),
            ("typescript", "a\n// off: b\n", "a\nb\n", false),
            ("go", "x := `a // b`", "x := `a // c`", false),
            ("rust", "fn f<'a>(x: &'a str) {} // a's\n", "fn f<'a>(x: &'a str) {} // b's\n", true),
            ("rust", "let q = '\"'; // one\nf(1)", "let q = '\"'; // two\nf(1)", true),
            ("rust", "let q = '\\'' ; g()", "let q = '\\'' ; h()", false),
            (
                "python",
                "def f():\n    \"\"\"One.\"\"\"\n    return 1\n",
                "def f():\n    \"\"\"Two.\n\n    More.\n    \"\"\"\n    return 1\n",
                true,
            ),
            (
                "python",
                "def f():\n    run(\n        \"\"\"One.\"\"\")\n",
                "def f():\n    run(\n        \"\"\"Two.\"\"\")\n",
                false,
            ),
            ("python", "for a in b:\n    c()\n    d()\n", "for a in b:\n    c()\nd()\n", false),
            ("python", "a = 1  # one\n\n\nb = 2\n", "a = 1\n# two\nb = 2\n", true),
            ("python", "a = '#1'\n", "a = '#2'\n", false),
            ("ruby", "a # one\n", "a # two\n", true),
            ("php", "a(); # one\n", "a(); // two\n", true),
            ("php", "#[A]\n", "#[B]\n", false),
            ("haskell", "a -- one", "a -- two", false),
            ("c", "#define A 1\n", "#define A 2\n", false),
        ] {
            assert_eq!(is_same_code(language, before, now), same, "{language}: {before:?} {now:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_scanned_to_its_end(text in "[a-z\"'`/*#\\\\\n\t ä€]{0,200}") {
            for language in ["rust", "python", "typescript", "php", "ruby"] {
                proptest::prop_assert!(is_same_code(language, &text, &text));
            }
        }
    }
}
