//! Puts ends behind members of Kotlin and TypeScript that their grammars don't see: a semicolon in place of a blank, so that lines and
//! byte offsets don't change. Pure.

/// How a member of Kotlin begins behind another one on its line.
const MEMBERS: &[&str] =
    &["fun ", "val ", "var ", "override ", "private fun ", "private val ", "private var "];

/// The text with a semicolon in place of the blank between a property or a function and a bracket or the next member behind it on its
/// line, as in `object Shop { val open = true }` and `class Shop { fun open() {} fun shut() {} }`: the grammar doesn't see where such
/// a member ends. `None` without any.
pub(crate) fn with_ended_declarations(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut found = false;
    for line in text.split_inclusive('\n') {
        let (head, rest) = line.split_at(declaration_at(line).unwrap_or(line.len()));
        out.push_str(head);
        let mut before = None;
        for (at, c) in rest.char_indices() {
            let behind = &rest[at + c.len_utf8()..];
            let is_last =
                behind.starts_with('}') && before.is_some_and(|before| !matches!(before, '{' | ';'));
            let begins_next = || MEMBERS.iter().any(|member| behind.starts_with(member));
            let ends = c == ' ' && (is_last || before == Some('}') && begins_next());
            found |= ends;
            out.push(if ends { ';' } else { c });
            if c != ' ' {
                before = Some(c);
            }
        }
    }
    found.then_some(out)
}

/// The text with a semicolon in place of the blank before each line that begins with type parameters, where the line of code before
/// it can end a member: without semicolons, the grammar reads `(a: A): B` and a `<T>(b: T): C` below it as one. `None` without any.
pub(crate) fn with_ended_members(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let (mut found, mut before) = (false, "");
    for line in text.split_inclusive('\n') {
        let code = line.trim();
        let indent = line.len() - line.trim_start().len();
        let takes_types = code
            .strip_prefix('<')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic() || c == '_'));
        // After one of these a line goes on: `{`, `,`, `=>`, `|`.
        let is_ended = !before.ends_with("=>")
            && before.ends_with(|c: char| {
                is_word_part(c) || matches!(c, ')' | ']' | '}' | '>' | '"' | '\'' | '`')
            });
        if takes_types && is_ended && line[..indent].ends_with([' ', '\t']) {
            found = true;
            out.push_str(&line[..indent - 1]);
            out.push(';');
            out.push_str(&line[indent..]);
        } else {
            out.push_str(line);
        }
        if !code.is_empty() && !["//", "/*", "*"].iter().any(|mark| code.starts_with(mark)) {
            before = code.split(" //").next().unwrap_or(code).trim_end();
        }
    }
    found.then_some(out)
}

/// Where the first property of a line begins, or the first function in a body that its line opens.
fn declaration_at(line: &str) -> Option<usize> {
    let begins = |word: &'static str| {
        let places = line.match_indices(word).map(|(at, _)| at);
        places.filter(move |at| !line[..*at].ends_with(is_word_part))
    };
    // A line may have a hundred thousand of them: what's before each is counted once.
    let (mut opened, mut closed, mut from) = (0usize, 0usize, 0);
    let is_member = |at: &usize| {
        let before = &line[from..*at];
        opened += before.matches('{').count();
        closed += before.matches('}').count();
        from = *at;
        opened > closed
    };
    [begins("val ").next(), begins("var ").next(), begins("fun ").find(is_member)].into_iter().flatten().min()
}

fn is_word_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_many_functions_is_read_in_time() {
        let line = "fun ".repeat(200_000);
        let start = std::time::Instant::now();
        assert_eq!(declaration_at(&line), None);
        assert_eq!(declaration_at(&format!("{line}{{ fun ")), Some(line.len() + 2));
        assert!(start.elapsed() < std::time::Duration::from_secs(5), "{:?}", start.elapsed());
    }

    #[test]
    fn a_property_ends_before_a_bracket_on_its_line() {
        for (text, expected) in [
            ("object A { val x = 1 }\n", Some("object A { val x = 1;}\n")),
            ("interface A { var x: List<Int> }", Some("interface A { var x: List<Int>;}")),
            (
                "class A { companion object { val x = lazy { 1 } } }",
                Some("class A { companion object { val x = lazy { 1;};};}"),
            ),
            ("class A { fun b() {} }\n", Some("class A { fun b() {};}\n")),
            ("interface A { fun b(): C }", Some("interface A { fun b(): C;}")),
            ("class A { fun b() {} fun c() {} }", Some("class A { fun b() {};fun c() {};}")),
            ("class A { val b by c { ö } private set }", Some("class A { val b by c { ö;} private set;}")),
            ("fun interval () { go() }", None),
            ("class A(val x: Int) { }", None),
            ("val x = f {}\n}\n", None),
        ] {
            let out = with_ended_declarations(text);
            assert_eq!(out.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_member_ends_before_type_parameters_on_the_next_line() {
        for (text, expected) in [
            (
                "interface A {\n    (a: B): C<D>\n    // next\n\n    <T>(b: T): T\n}",
                Some("interface A {\n    (a: B): C<D>\n    // next\n\n   ;<T>(b: T): T\n}"),
            ),
            (
                "interface A {\n\t<T>(a: T): T // one\n\t<U>(a: U): U\n}",
                Some("interface A {\n\t<T>(a: T): T // one\n;<U>(a: U): U\n}"),
            ),
            ("interface A {\n  <T>(a: T): T;\n  <U>(a: U): U;\n}", None),
            ("f = a =>\n  <T>(b: T) => b\ng(\n  <T>(c: T) => c,\n  <U>(d: U) => d\n)", None),
            ("type A =\n  | B\n  | C\nif (a\n  < b) {}", None),
            ("f(a)\n<T>(b)", None),
        ] {
            assert_eq!(with_ended_members(text).as_deref(), expected, "{text}");
        }
    }
}
