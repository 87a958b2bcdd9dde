//! Finds the macros that C and C++ write inside a declaration: between its type and its name, as in `DWORD WINAPI run(void *p);`, and
//! behind its parameters, as in `int size(void) SHOP_PURE;`. The grammars take the first for a name around the function's, and read no
//! function where there is the second. Pure.

use std::ops::Range;

use super::{
    BEGINNINGS, MAX_ARGUMENTS, MAX_WORDS, QUALIFIERS, SPECIFIERS, STATEMENTS, behind_brackets, behind_path,
    is_in_front, is_name, is_word_byte, next, word_end,
};

/// What may be between a function's parameters and a macro.
const BEHIND_PARAMETERS: &[&str] = &["const", "final", "noexcept", "override", "volatile"];

/// The macros inside declarations, with their arguments, in their order.
pub(crate) fn inside(text: &str) -> Vec<Range<usize>> {
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
        if !is_name(&text[start..end]) || is_in_directive(text, start) {
            continue;
        }
        let follows = found.last().is_some_and(|before| text[before.end..start].trim().is_empty());
        let before = text[..start].trim_end();
        if is_in_comment(before) {
            continue;
        }
        if (follows || is_behind_type(before, &text[before.len()..start])) && is_before_name(text, end)
            || is_before_pointer(before, bytes, end)
        {
            found.push(start..end);
        } else if (follows || is_behind_parameters(before))
            && let Some(last) = end_of_head(text, end)
        {
            found.push(start..last);
            at = last;
        }
    }
    found
}

/// Whether a place is on a line of the preprocessor.
fn is_in_directive(text: &str, at: usize) -> bool {
    last_line(&text[..at]).starts_with('#')
}

/// Whether a text ends with a line of a comment, or with one that has a comment at its end.
fn is_in_comment(before: &str) -> bool {
    let line = last_line(before);
    line.contains("//") || line.starts_with('*') || line.starts_with("/*")
}

/// The line that a text ends with, as far as it's read.
fn last_line(text: &str) -> &str {
    let near = &text[text.floor_char_boundary(text.len().saturating_sub(MAX_ARGUMENTS))..];
    near.rsplit('\n').next().unwrap_or_default().trim_start()
}

/// The word that a text ends with, which may be none.
fn last_word(text: &str) -> &str {
    text.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

/// Whether a text ends with what can be the end of a declaration's type; `gap` is what's between that and the macro.
fn is_behind_type(before: &str, gap: &str) -> bool {
    let word = last_word(before);
    if word.is_empty() {
        return before.ends_with(['*', '&', '>']) && !before.ends_with("->");
    }
    // A macro on a line of its own is in front of the next declaration.
    let is_alone = is_name(word) && gap.contains('\n');
    let is_other = [STATEMENTS, BEGINNINGS, QUALIFIERS, SPECIFIERS].iter().any(|list| list.contains(&word));
    !is_alone && !is_other && !word.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether the name of a function and its parameters come next, or more macros and then these.
fn is_before_name(text: &str, from: usize) -> bool {
    let bytes = text.as_bytes();
    let mut at = next(bytes, from);
    for _ in 0..MAX_WORDS {
        let end = word_end(bytes, at);
        let word = &text[at..end];
        let is_other = [STATEMENTS, BEGINNINGS, QUALIFIERS].iter().any(|list| list.contains(&word));
        if is_other || word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
            return false;
        }
        if !is_in_front(bytes, word, end) {
            let behind = behind_path(bytes, end);
            return behind.is_some_and(|behind| bytes.get(next(bytes, behind)) == Some(&b'('));
        }
        at = next(bytes, end);
    }
    false
}

/// Whether a macro is in the brackets of a pointer to a function: `int (SHOP_CALL *open)(int n)`.
fn is_before_pointer(before: &str, bytes: &[u8], from: usize) -> bool {
    let Some(outer) = before.strip_suffix('(') else { return false };
    let outer = outer.trim_end();
    // `open(SHOP_SIZE * n)(1)` calls what a function gives.
    let is_apart = outer.len() + 1 < before.len();
    let word = last_word(outer);
    let is_type = is_apart && !word.is_empty() && !STATEMENTS.contains(&word);
    let has_type = outer.ends_with(['*', '&', '>']) || is_type;
    let star = next(bytes, from);
    if !has_type || bytes.get(star) != Some(&b'*') {
        return false;
    }
    let name = next(bytes, star + 1);
    let close = next(bytes, word_end(bytes, name));
    bytes.get(close) == Some(&b')') && bytes.get(next(bytes, close + 1)) == Some(&b'(')
}

/// Whether a text ends with the parameters of a function that is declared there: a type and a name are before them.
fn is_behind_parameters(before: &str) -> bool {
    let mut before = before;
    while let Some(rest) = BEHIND_PARAMETERS.iter().find_map(|word| before.strip_suffix(word)) {
        before = rest.trim_end();
    }
    let Some(open) = before.ends_with(')').then(|| opening_bracket(before)).flatten() else { return false };
    let mut head = before[..open].trim_end();
    let name = last_word(head);
    // `FOR_EACH(cart, all) CHECK(cart);`, `if (open) CHECK(cart);`
    let is_other = name.is_empty() || is_name(name) || STATEMENTS.contains(&name);
    if is_other || name.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    head = head[..head.len() - name.len()].trim_end().trim_end_matches('~');
    while let Some(path) = head.strip_suffix("::") {
        head = path[..path.len() - last_word(path).len()].trim_end();
    }
    let word = last_word(head);
    if word.is_empty() {
        return head.ends_with(['*', '&', '>']) && !head.ends_with("->") && !head.ends_with("&&");
    }
    !STATEMENTS.contains(&word) && !is_in_directive(head, head.len())
}

/// Where the bracket opens that a text's last one closes.
fn opening_bracket(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    for at in (bytes.len().saturating_sub(MAX_ARGUMENTS)..bytes.len()).rev() {
        match bytes[at] {
            b')' => depth += 1,
            b'(' => depth = depth.saturating_sub(1),
            b';' | b'{' | b'}' => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Behind the arguments of a macro that the end of a function's head follows, or another such macro.
fn end_of_head(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let open = next(bytes, from);
    let last = if bytes.get(open) == Some(&b'(') { behind_brackets(bytes, open)? } else { from };
    let at = next(bytes, last);
    let is_macro = || is_name(&text[at..word_end(bytes, at)]);
    let ends = match bytes.get(at)? {
        b';' | b'{' | b'=' => true,
        byte => is_word_byte(*byte) && is_macro(),
    };
    ends.then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_macro_inside_a_declaration_is_found() {
        for (text, expected) in [
            ("HRESULT STDMETHODCALLTYPE open();", &["STDMETHODCALLTYPE"][..]),
            ("DWORD WINAPI run(void *p) {", &["WINAPI"]),
            ("static int CALLBACK compare(const void *a);", &["CALLBACK"]),
            ("Cart *SHOP_CALL open(int n);", &["SHOP_CALL"]),
            ("Cart *\nSHOP_CALL\nopen(int n)\n{", &["SHOP_CALL"]),
            ("std::vector<int> SHOP_CALL all();", &["SHOP_CALL"]),
            ("jint SHOP_A SHOP_B run(int n) {", &["SHOP_A", "SHOP_B"]),
            ("void SHOP_CALL Cart::open(int n) {", &["SHOP_CALL"]),
            ("int (SHOP_CALL *open)(int n);", &["SHOP_CALL"]),
            ("int size(void) SHOP_PURE;", &["SHOP_PURE"]),
            ("int log(const char *f, ...)\n  SHOP_PRINTF(1, 2);", &["SHOP_PRINTF(1, 2)"]),
            ("bool empty() const SHOP_NOEXCEPT { return n == 0; }", &["SHOP_NOEXCEPT"]),
            ("bool Cart::empty() const SHOP_NOEXCEPT\n{", &["SHOP_NOEXCEPT"]),
            ("virtual int size() SHOP_A SHOP_B(1) = 0;", &["SHOP_A", "SHOP_B(1)"]),
            ("Cart &at(size_t n) SHOP_PURE;", &["SHOP_PURE"]),
            // These are types, statements or calls.
            ("DWORD size(void);", &[]),
            ("static DWORD size(void);", &[]),
            ("struct CART open(int n);", &[]),
            ("SHOP_BEGIN\nCART open(int n);", &[]),
            ("return SHOP_A * b(c);", &[]),
            ("else SHOP_CHECK(open);", &[]),
            ("if (open(n)) SHOP_CHECK(n);", &[]),
            ("if (n) SHOP_STOP;", &[]),
            ("FOR_EACH(cart, all) SHOP_CHECK(cart);", &[]),
            ("  list_each(cart, all) SHOP_CHECK(cart);\n", &[]),
            (";\nlist_each(cart, all) SHOP_CHECK(cart);\n", &[]),
            ("n = (int) SHOP_SIZE;", &[]),
            ("int open(n) DWORD n; {", &[]),
            ("#define RUN int SHOP_CALL run(void)\n", &[]),
            ("f(SHOP_A *n)(1)", &[]),
            ("int n; // as open(n)\n  SHOP_CHECK(n);", &[]),
            (" * int open(n)\n SHOP_CHECK(n);", &[]),
            ("int size(void) SHOP_PURE", &[]),
            ("SHOP_PURE", &[]),
            ("(SHOP_PURE *", &[]),
            (") SHOP_PURE;", &[]),
            ("ä ÄÖÜ ö(ü) ÄÖÜ;", &[]),
        ] {
            let found: Vec<&str> = inside(text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_long_text_is_read_in_time() {
        let text = "int f() ABC ".repeat(50_000) + &"ABC ".repeat(100_000) + &") ABC".repeat(50_000);
        let start = std::time::Instant::now();
        let _ = inside(&text);
        assert!(start.elapsed() < std::time::Duration::from_secs(10), "{:?}", start.elapsed());
    }
}
