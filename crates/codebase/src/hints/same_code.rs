//! Whether two versions of a file have the same code: they differ only in comments, docstrings, blank lines and layout. Pure; a
//! scan by quotes and comment marks. Where it can't tell what is a text, a pattern or a comment, the code counts as another.

/// How a language marks comments and writes texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Marks {
    /// `//` and `/* */`.
    slashes: bool,
    /// `/* /* */ */` is one comment.
    nested: bool,
    /// `#`.
    hash: bool,
    /// The indentation says what belongs together, and strings in three quotes may be documentation.
    indented: bool,
    /// A single quote also begins a lifetime, and `r#"…"#` is a string.
    lifetimes: bool,
    /// Strings in three double quotes.
    triple: bool,
    /// Any string may continue over several lines.
    long: bool,
    /// A backslash in backticks has no special meaning.
    raw_backticks: bool,
    /// `/…/` is a pattern.
    patterns: bool,
    /// Texts begin at `<<NAME` and go on to a line with that name.
    heredocs: bool,
    /// What begins a computed part of a string: two signs, the last bracket of which is closed at its end.
    computed: &'static str,
    /// What begins something that isn't read here.
    unread: &'static [&'static str],
}

const NONE: Marks = Marks {
    slashes: false,
    nested: false,
    hash: false,
    indented: false,
    lifetimes: false,
    triple: false,
    long: false,
    raw_backticks: false,
    patterns: false,
    heredocs: false,
    computed: "",
    unread: &[],
};

/// A word before a pattern; behind any other, a slash divides.
const BEFORE_PATTERN: &[&str] = &[
    "return",
    "typeof",
    "case",
    "in",
    "of",
    "do",
    "else",
    "void",
    "delete",
    "throw",
    "new",
    "instanceof",
    "await",
    "yield",
];

/// Patterns, which may also be divisions, literals with brackets of their own, and what isn't code at all.
const UNREAD_OF_RUBY: &[&str] = &[
    "/", "=begin", "__END__", "?\"", "?'", "?#", "%w", "%W", "%i", "%I", "%q", "%Q", "%r", "%s", "%x", "%(",
    "%[", "%{", "%<", "%|",
];

fn marks(language: &str) -> Option<Marks> {
    let slashes = Marks { slashes: true, ..NONE };
    Some(match language {
        "typescript" | "tsx" | "javascript" => Marks { patterns: true, computed: "${", ..slashes },
        "c" | "cpp" => slashes,
        "java" | "csharp" => Marks { triple: true, ..slashes },
        "go" => Marks { raw_backticks: true, ..slashes },
        "kotlin" | "scala" => Marks { nested: true, triple: true, computed: "${", ..slashes },
        "swift" => Marks { nested: true, triple: true, patterns: true, computed: "\\(", ..slashes },
        "rust" => Marks { nested: true, lifetimes: true, long: true, ..slashes },
        "php" => Marks { hash: true, long: true, heredocs: true, computed: "{$", unread: &["?>"], ..slashes },
        "ruby" => {
            Marks { hash: true, long: true, heredocs: true, computed: "#{", unread: UNREAD_OF_RUBY, ..NONE }
        }
        "python" => Marks { hash: true, indented: true, ..NONE },
        _ => return None,
    })
}

/// Whether both texts certainly have the same code; no for a language whose comments aren't known.
pub(super) fn is_same_code(language: &str, before: &str, now: &str) -> bool {
    let Some(marks) = marks(language) else { return false };
    let before = code(marks, before);
    before.is_some() && before == code(marks, now)
}

/// The next piece of a text.
enum Part {
    /// A comment of so many bytes.
    Comment(usize),
    /// So many bytes of code that stay together: a string, a pattern, one sign.
    Code(usize),
}

/// The code without comments and layout; none if it's uncertain what is code. Words stay apart, strings stay whole.
fn code(marks: Marks, text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // Blank space since the last code, and whether a line ended in it.
    let (mut gap, mut line_began) = (false, true);
    // How many brackets are open.
    let mut open = 0_usize;
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
        let length = match part(marks, &out, gap, rest)? {
            Part::Comment(length) => {
                gap = true;
                rest = &rest[length..];
                continue;
            }
            Part::Code(length) => length,
        };
        match c {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open = open.saturating_sub(1),
            _ => {}
        }
        // In brackets it's a value.
        let is_docstring = marks.indented
            && open == 0
            && line_began
            && length >= 6
            && (rest.starts_with("\"\"\"") || rest.starts_with("'''"))
            && matches!(out.trim_end().chars().next_back(), None | Some(':'));
        if is_docstring {
            // A function's body can't be empty.
            out.push_str("\"\"\"");
        } else {
            if gap && is_word(c) && out.chars().next_back().is_some_and(is_word) {
                out.push(' ');
            }
            out.push_str(&rest[..length]);
        }
        (gap, line_began) = (false, false);
        rest = &rest[length..];
    }
    Some(out)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// What `rest` begins with, behind the code `before` and maybe a gap; nothing if that isn't certain.
fn part(marks: Marks, before: &str, gap: bool, rest: &str) -> Option<Part> {
    let c = rest.chars().next()?;
    let last = before.chars().next_back();
    // `#[…]` is an attribute of PHP.
    let is_hash = marks.hash && c == '#' && (marks.indented || !rest.starts_with("#["));
    if is_hash || marks.slashes && (rest.starts_with("//") || rest.starts_with("/*")) {
        // An address in what isn't marked as a text: `<p>http://…</p>`.
        let is_address = !gap && last == Some(':') && rest.starts_with("//");
        return if is_address { None } else { comment(marks, rest).map(Part::Comment) };
    }
    let begins_heredoc = |rest: &str| rest.starts_with(|c: char| c.is_alphabetic() || "<~-\"'".contains(c));
    if marks.unread.iter().any(|mark| rest.starts_with(mark))
        || marks.heredocs && rest.strip_prefix("<<").is_some_and(begins_heredoc)
    {
        return None;
    }
    let length = match c {
        '"' | '\'' | '`' => string(marks, if gap { "" } else { before }, c, rest)?,
        '/' if marks.patterns => match last {
            // `</p>` and `<p />`
            Some('<') if !gap => 1,
            _ if rest.starts_with("/>") => 1,
            Some(')' | ']') => 1,
            Some('}') => return None,
            Some(last) if is_word(last) && !BEFORE_PATTERN.contains(&last_word(before)) => 1,
            _ => pattern(rest)?,
        },
        _ => c.len_utf8(),
    };
    Some(Part::Code(length))
}

fn last_word(text: &str) -> &str {
    text.rsplit(|c: char| !is_word(c)).next().unwrap_or_default()
}

/// The length of the comment at the beginning of `rest`.
fn comment(marks: Marks, rest: &str) -> Option<usize> {
    if !marks.slashes || !rest.starts_with("/*") {
        let line = rest.split('\n').next().unwrap_or_default();
        // `?>` of PHP ends a comment, too.
        return (!marks.hash || !line.contains("?>")).then_some(line.len());
    }
    let length = rest[2..].find("*/")? + 4;
    (!marks.nested || !rest[2..length - 2].contains("/*")).then_some(length)
}

/// The length of the string at the beginning of `rest`, directly behind `before`.
fn string(marks: Marks, before: &str, quote: char, rest: &str) -> Option<usize> {
    let three = if quote == '"' { "\"\"\"" } else { "'''" };
    if (marks.indented || marks.triple && quote == '"') && rest.starts_with(three) {
        let length = rest[3..].find(three)? + 6;
        // Of the three quotes the first may belong to the text.
        return (!rest[3..length - 3].ends_with('\\')).then_some(length);
    }
    if marks.lifetimes && quote == '\'' {
        return Some(character(rest));
    }
    if marks.lifetimes {
        let start = before.trim_end_matches('#');
        if start.ends_with('r') {
            let close = format!("\"{}", "#".repeat(before.len() - start.len()));
            return Some(rest[1..].find(close.as_str())? + 1 + close.len());
        }
    } else if before.ends_with(['R', '@', '#']) || before.ends_with("@$") {
        // Strings with rules of their own: `R"(…)"` of C++, `@"…"` of C#, `#"…"#` of Swift.
        return None;
    }
    if quote == '\'' && before.ends_with(|c: char| c.is_ascii_digit()) {
        // `1'000` of C++.
        return Some(1);
    }
    let computed = if quote == '\'' { "" } else { marks.computed };
    let mut depth = 0_usize;
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            _ if depth == 0 && !computed.is_empty() && rest[at..].starts_with(computed) => {
                depth = 1;
                chars.next();
            }
            // In a computed part it begins another string.
            _ if c == quote => return (depth == 0).then_some(at + 1),
            '{' | '(' if depth > 0 => depth += 1,
            '}' | ')' if depth > 0 => depth -= 1,
            '\\' if !(marks.raw_backticks && quote == '`') => {
                chars.next();
            }
            '\n' if quote != '`' && !marks.long => return None,
            _ => {}
        }
    }
    None
}

/// The length of the character of Rust at the beginning of `rest`, or of the quote alone: `'a'` and `'\n'` are characters, `'a` is
/// a lifetime.
fn character(rest: &str) -> usize {
    let mut next = rest.char_indices().skip(1);
    let end = if next.next().is_some_and(|(_, c)| c == '\\') {
        // What is behind the backslash may be a quote.
        next.next();
        next.find(|(_, c)| matches!(c, '\'' | '\n'))
    } else {
        next.next()
    };
    end.filter(|(_, c)| *c == '\'').map_or(1, |(at, _)| at + 1)
}

/// The length of the pattern at the beginning of `rest`.
fn pattern(rest: &str) -> Option<usize> {
    let mut in_class = false;
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '\n' => return None,
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_but_comments_and_layout_is_code() {
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
            ("cpp", "n = 1'000; // it's one\n", "n = 1'000; // it's two\n", true),
            ("go", "p := `C:\\`; f() // one", "p := `C:\\`; f() // two", true),
            ("typescript", "a / b / c; // one", "a / b / c; // two", true),
            ("typescript", "p.replace(/\\/*$/, ''); // one", "p.replace(/\\/*$/, ''); // two", true),
            ("tsx", "<p class='a' /> // one", "<p class='a' /> // two", true),
            ("rust", "let p = r\"C:\\\"; // one", "let p = r\"C:\\\"; // two", true),
            ("rust", "let q = ['\\'','\"']; // one", "let q = ['\\'','\"']; // two", true),
        ] {
            assert_eq!(is_same_code(language, before, now), same, "{language}: {before:?} {now:?}");
        }
    }

    /// The two have different code, where a scan by quotes and marks alone would see a difference in comments or layout
    /// only.
    #[test]
    fn patterns_and_long_strings_are_not_comments() {
        for (language, before, change) in [
            ("typescript", "p.replace(/\\/*$/, ''); one()", ("one", "two")),
            ("typescript", "if (/^https?:\\/\\//.test(u)) one()", ("one", "two")),
            ("javascript", "const quotes = /[\"/*]/; one();", ("one", "two")),
            ("typescript", "f(`${a ? `//one` : b}`)", ("one", "two")),
            ("tsx", "<p>http://one</p>", ("one", "two")),
            ("go", "p := `C:\\`; f(\"//one\")", ("one", "two")),
            ("rust", "r#\"{\"url\": \"http://one\"}\"#", ("one", "two")),
            ("rust", "f(\"a\n  // one\")", ("one", "two")),
            ("rust", "f(\"a\n  b\")", ("  b", " b")),
            ("rust", "/* a /* b */ one /* c */ */", ("one", "two")),
            ("php", "echo 'a\n// one';", ("one", "two")),
            ("php", "f(<<<A\n// one\nA);", ("one", "two")),
            ("php", "// a ?> it's // one", ("one", "two")),
            ("java", "f(\"\"\"\n// one\n\"\"\")", ("one", "two")),
            ("kotlin", "f(\"\"\"\n  one\"\"\")", ("  one", " one")),
            ("csharp", "f(@\"C:\\\", \"//one\")", ("one", "two")),
            ("swift", "f(#\"a\" //one\"#)", ("one", "two")),
            ("cpp", "f(R\"(\" //one)\")", ("one", "two")),
            ("ruby", "f(<<~A)\n  # one\nA\n", ("one", "two")),
            ("ruby", "a =~ /#one/", ("one", "two")),
            ("ruby", "f(\"#{a ? \"# one\" : b}\")", ("one", "two")),
            ("python", "x = {\n    'a':\n    \"\"\"one\"\"\",\n}\n", ("one", "two")),
        ] {
            let now = before.replace(change.0, change.1);
            assert_ne!(before, now);
            assert!(!is_same_code(language, before, &now), "{language}: {before:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn added_code_after_any_text_counts_as_changed(text in "[a-z\"'`/*#\\\\\n\t ä€$(){}<%:]{0,200}") {
            for language in ["rust", "python", "typescript", "php", "ruby", "swift", "go", "c", "kotlin"] {
                proptest::prop_assert!(!is_same_code(language, &text, &format!("{text}\nx9")), "{language}");
            }
        }
    }
}
