//! Finds the macros that C and C++ write in front of a declaration: `SHOP_API std::string name() const;`. The grammars take such
//! a macro for the type, and then a function for a member of another one, or see no declaration at all. Pure.

use std::ops::Range;

mod inside;

pub(crate) use inside::inside;

/// What begins a declaration, so that a word in capitals before it isn't a type.
const BEGINNINGS: &[&str] = &[
    "class",
    "consteval",
    "constexpr",
    "enum",
    "explicit",
    "friend",
    "namespace",
    "private",
    "protected",
    "public",
    "struct",
    "template",
    "typedef",
    "union",
    "using",
    "virtual",
];
/// What a macro may be behind on its line.
const SPECIFIERS: &[&str] =
    &["consteval", "constexpr", "explicit", "extern", "friend", "inline", "static", "template", "virtual"];
/// What belongs to a type, on either of its sides, and isn't one.
const QUALIFIERS: &[&str] =
    &["const", "extern", "inline", "mutable", "register", "static", "typename", "volatile"];
/// What begins a statement or joins values.
const STATEMENTS: &[&str] = &[
    "and",
    "break",
    "case",
    "catch",
    "co_await",
    "co_return",
    "co_yield",
    "continue",
    "default",
    "delete",
    "do",
    "else",
    "for",
    "goto",
    "if",
    "new",
    "not",
    "or",
    "return",
    "sizeof",
    "switch",
    "throw",
    "try",
    "while",
    "xor",
];
/// The longest arguments of a macro or a type that are looked through, and the most that's read of a line, in bytes.
const MAX_ARGUMENTS: usize = 400;
/// The most words that are read behind a macro.
const MAX_WORDS: usize = 40;

/// The macros in front of declarations, with their arguments, in their order.
pub(crate) fn in_front(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let end = word_end(bytes, at);
        if end == at {
            at += 1;
            continue;
        }
        let start = at;
        at = end;
        if !is_name(&text[start..end]) {
            continue;
        }
        let has_arguments = bytes.get(end) == Some(&b'(');
        let last = if has_arguments { closing_bracket(bytes, end) } else { Some(end) };
        let Some(last) = last else { continue };
        let follows = found.last().is_some_and(|before| text[before.end..start].trim().is_empty());
        if (follows || begins_declaration(text, start)) && is_declaration(text, last, has_arguments) {
            found.push(start..last);
            at = last;
        }
    }
    found
}

/// Whether a name can be such a macro's: in capitals.
pub(crate) fn is_name(name: &str) -> bool {
    name.len() > 2
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.bytes().any(|byte| byte.is_ascii_uppercase())
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Where the arguments begin that a word is among, if they may be such a macro's.
pub(crate) fn arguments_around(text: &str, at: usize) -> Option<usize> {
    let near = text.get(text.floor_char_boundary(at.saturating_sub(MAX_ARGUMENTS))..at)?;
    let line = near.rsplit('\n').next()?;
    let open = line.rfind(['(', ')']).filter(|open| line[*open..].starts_with('('))?;
    let name = line[..open].rsplit(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    is_name(name).then_some(at - (line.len() - open))
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// Where the word ends that begins at a place; there, if none does.
fn word_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|byte| !is_word_byte(*byte)).map_or(bytes.len(), |length| at + length)
}

/// Where the next character is that isn't a blank.
fn next(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|byte| !byte.is_ascii_whitespace()).map_or(bytes.len(), |length| at + length)
}

/// Behind the bracket that closes a macro's arguments, which are on one line and have no brackets of their own.
fn closing_bracket(bytes: &[u8], open: usize) -> Option<usize> {
    let inner = &bytes[open + 1..bytes.len().min(open + MAX_ARGUMENTS)];
    let at = inner.iter().position(|byte| matches!(byte, b'(' | b')' | b'\n'))?;
    (inner[at] == b')').then_some(open + at + 2)
}

/// Behind the `>` that closes a type's arguments.
fn closing_angle(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in bytes[open..bytes.len().min(open + MAX_ARGUMENTS)].iter().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(open + at + 1);
                }
            }
            b';' | b'{' | b'}' => return None,
            _ => {}
        }
    }
    None
}

/// Whether a declaration can begin at a place, judging by its line: nothing is before it, or what ends another one, or a specifier.
fn begins_declaration(text: &str, at: usize) -> bool {
    let near = &text[text.floor_char_boundary(at.saturating_sub(MAX_ARGUMENTS))..at];
    let before = near.rsplit('\n').next().unwrap_or_default().trim();
    if ["#", "//", "*", "/*"].iter().any(|mark| before.starts_with(mark)) {
        return false;
    }
    let last = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    before.is_empty() || before.ends_with([';', '{', '}', '>', ']']) || SPECIFIERS.contains(&last)
}

/// Whether a whole declaration begins behind a macro: with a type of its own, or with what no type can be in front of.
fn is_declaration(text: &str, from: usize, on_its_line: bool) -> bool {
    let bytes = text.as_bytes();
    let (mut at, mut names, mut path) = (from, 0usize, from..from);
    if on_its_line && text[at..next(bytes, at)].contains('\n') {
        return false;
    }
    for _ in 0..MAX_WORDS {
        at = next(bytes, at);
        let rest = &bytes[at..];
        if names > 0 && rest.first().is_some_and(|byte| matches!(byte, b'*' | b'&')) {
            at += 1;
            continue;
        }
        if rest.starts_with(b"[[") {
            let inner = &bytes[at..bytes.len().min(at + MAX_ARGUMENTS)];
            let Some(length) = inner.windows(2).position(|two| two == b"]]") else { return false };
            at += length + 2;
            continue;
        }
        let end = word_end(bytes, at);
        let word = &text[at..end];
        if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
            let ends = rest.first().is_some_and(|byte| matches!(byte, b'(' | b';' | b'=' | b'{' | b'['));
            let is_named = names > 1 && ends && !rest.starts_with(b"==");
            return is_named
                || names == 1 && (is_constructor(text, path, at) || is_name_in_brackets(bytes, at));
        }
        if STATEMENTS.contains(&word) {
            return false;
        }
        if BEGINNINGS.contains(&word) {
            return true;
        }
        if word == "operator" {
            return names > 0;
        }
        // `extern "C" {`
        if word == "extern" && bytes.get(next(bytes, end)) == Some(&b'"') {
            return true;
        }
        at = end;
        if matches!(word, "unsigned" | "signed") {
            names = names.max(1);
        } else if !QUALIFIERS.contains(&word) && !is_of_compiler(word) && !is_in_front(bytes, word, end) {
            names += 1;
            let Some(behind) = behind_path(bytes, end) else { return false };
            path = end - word.len()..behind;
            at = behind;
        }
    }
    false
}

/// Whether what's called `path` and takes what begins at a place is a constructor or its counterpart, which have no type: `Cart::Cart(`,
/// or members that are set behind the brackets.
fn is_constructor(text: &str, path: Range<usize>, at: usize) -> bool {
    let bytes = text.as_bytes();
    if bytes.get(at) != Some(&b'(') {
        return false;
    }
    let mut parts = text[path].rsplit("::").map(|part| part.trim().trim_start_matches('~'));
    let own = parts.next().unwrap_or_default();
    let around = parts.next().map(|part| part.split('<').next().unwrap_or(part).trim());
    let sets_members = || {
        let colon = next(bytes, behind_brackets(bytes, at)?);
        (bytes.get(colon) == Some(&b':') && bytes.get(colon + 1) != Some(&b':')).then_some(colon)
    };
    around == Some(own) || sets_members().is_some()
}

/// Whether a function's name comes next in brackets, which keep a macro of that name from being meant: `(open) (int n)`; or that of a
/// pointer to one: `(*open)(int n)`.
fn is_name_in_brackets(bytes: &[u8], at: usize) -> bool {
    if bytes.get(at) != Some(&b'(') {
        return false;
    }
    let mut name = next(bytes, at + 1);
    while bytes.get(name) == Some(&b'*') {
        name = next(bytes, name + 1);
    }
    let end = word_end(bytes, name);
    let close = next(bytes, end);
    end > name && bytes.get(close) == Some(&b')') && bytes.get(next(bytes, close + 1)) == Some(&b'(')
}

/// Behind the bracket that closes the one at a place.
fn behind_brackets(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in bytes[open..bytes.len().min(open + MAX_ARGUMENTS)].iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b';' | b'{' | b'}' => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(open + at + 1);
        }
    }
    None
}

/// Whether a word is one that compilers add to what belongs to a type: `__stdcall`, `__restrict`. Those with a width are types:
/// `__int64`, `__u8`.
fn is_of_compiler(word: &str) -> bool {
    word.starts_with("__") && !word.contains(|c: char| c.is_ascii_digit())
}

/// Whether a word may be another macro, since a word follows it.
fn is_in_front(bytes: &[u8], word: &str, end: usize) -> bool {
    is_name(word) && bytes.get(next(bytes, end)).is_some_and(|byte| is_word_byte(*byte))
}

/// Behind a name's own arguments and the names that it's followed by: `<int>::iterator`. `None` where they don't end.
fn behind_path(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        if bytes.get(at) == Some(&b'<') {
            at = closing_angle(bytes, at)?;
        }
        let colons = next(bytes, at);
        if !bytes[colons..].starts_with(b"::") {
            return Some(at);
        }
        let name = colons + 2 + usize::from(bytes.get(colons + 2) == Some(&b'~'));
        let end = word_end(bytes, name);
        if end == name {
            return None;
        }
        // `Cart::operator==`: what follows isn't looked at.
        at = if &bytes[name..end] == b"operator" { operator_end(bytes, end) } else { end };
    }
}

/// Where the parameters of an operator begin.
fn operator_end(bytes: &[u8], at: usize) -> usize {
    let called = usize::from(bytes[at..].starts_with(b"()")) * 2;
    let rest = &bytes[at + called..bytes.len().min(at + MAX_ARGUMENTS)];
    rest.iter().position(|byte| *byte == b'(').map_or(at, |length| at + called + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_macro_in_front_of_a_declaration_is_found() {
        for (text, expected) in [
            ("SHOP_API std::string name() const;", &["SHOP_API"][..]),
            ("class A {\n  SHOP_PURE bool empty() const { return n == 0; }", &["SHOP_PURE"]),
            ("SHOP_PURE SHOP_INLINE std::size_t Cart::count() const {", &["SHOP_PURE", "SHOP_INLINE"]),
            ("template <typename T> SHOP_PURE T as() const {", &["SHOP_PURE"]),
            ("static LOCAL const char *name(void);", &["LOCAL"]),
            ("SHOP_OLD(\"use b\") Cart *a();", &["SHOP_OLD(\"use b\")"]),
            ("SHOP_BEGIN\nnamespace shop {", &["SHOP_BEGIN"]),
            ("Q_OBJECT\n\npublic:", &["Q_OBJECT"]),
            ("SHOP_API std::map<std::string, std::vector<int>> all;", &["SHOP_API"]),
            ("SHOP_API bool Cart::operator==(const Cart &other) const;", &["SHOP_API"]),
            ("SHOP_API Cart &operator=(Cart &&) = delete;", &["SHOP_API"]),
            ("SHOP_API explicit operator bool() const;", &["SHOP_API"]),
            ("SHOP_API unsigned int size();", &["SHOP_API"]),
            ("SHOP_API Cart::Cart(int n) {}", &["SHOP_API"]),
            ("SHOP_API Cart<T>::~Cart() {}", &["SHOP_API"]),
            ("SHOP_API Cart(int n) : n_(n()) {}", &["SHOP_API"]),
            ("SHOP_API size_t\n  size(void)\n{", &["SHOP_API"]),
            ("SHOP_API int (size) (void);", &["SHOP_API"]),
            ("SHOP_API const void *(*hook)(int n);", &["SHOP_API"]),
            ("SHOP_API static int count;", &["SHOP_API"]),
            ("SHOP_API inline bool is_open() {", &["SHOP_API"]),
            ("SHOP_API extern \"C\" {", &["SHOP_API"]),
            ("SHOP_API __int64 size(void);", &["SHOP_API"]),
            ("SHOP_API int __cdecl size(void);", &["SHOP_API"]),
            // These are types, values or calls.
            ("FILE *open(const char *name);", &[]),
            ("DWORD size(void);", &[]),
            ("DWORD const size = 1;", &[]),
            ("static DWORD __stdcall run(void *p) {", &[]),
            ("BOOL __cdecl is_open(int n);", &[]),
            ("VOID inline tidy(int n) {", &[]),
            ("UINT static count;", &[]),
            ("STATUS\nopen(int n)\n{", &[]),
            ("Cart::Cart(int n) : n(n) {}", &[]),
            ("SHOP_API(Cart *) open(void);", &[]),
            ("SHOP_API Cart(int n);", &[]),
            ("SHOP_API Cart((n));", &[]),
            ("SHOP_API Cart(n)", &[]),
            ("SHOP_API Cart(*", &[]),
            ("FOR_EACH(a, b) return c;", &[]),
            ("SHOP_PROPERTY(a)\nint b;", &[]),
            ("#define SHOP_API extern int\n", &[]),
            ("// SHOP_API int a();", &[]),
            ("  case SHOP_A: return b;", &[]),
            ("return SHOP_A and b or c;", &[]),
            ("SHOP_API", &[]),
            ("SHOP_API std::vector<int", &[]),
            ("SHOP_API a::", &[]),
            ("SHOP_API [[x", &[]),
            ("ÄÖÜ ä ö(ü)", &[]),
        ] {
            let found: Vec<&str> = in_front(text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_long_text_is_read_in_time() {
        let text =
            "SHOP_API A<".repeat(100_000) + &"SHOP_API ".repeat(100_000) + &"\nSHOP_API".repeat(100_000);
        let start = std::time::Instant::now();
        assert!(in_front(&text).is_empty());
        assert!(start.elapsed() < std::time::Duration::from_secs(10), "{:?}", start.elapsed());
    }
}
