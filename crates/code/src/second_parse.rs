//! Parses a text again without what a grammar stumbles over, and takes the better tree: directives of a preprocessor that cut
//! through definitions, macros inside declarations of C and C++, annotations of Kotlin on lines of their own, ends of Kotlin's and
//! TypeScript's members that the grammar doesn't see. What is left out becomes spaces and an end takes a space's place, so that lines
//! and byte offsets don't change. Macros in the heads of C++'s classes and in front of declarations are left out before: with them,
//! the grammar understands something else.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use crate::declaration_macros;
use crate::ended_members::{with_ended_declarations, with_ended_members};
use crate::grammar::Grammar;
use crate::parse::{self, Parsed};

/// Parses `text`; the error says why there is no tree.
///
/// # Errors
/// As [`parse::parse`].
pub(crate) fn parse(
    grammar: &'static Grammar,
    language: &str,
    text: &str,
    max_steps: u64,
) -> Result<Tree, Parsed> {
    let cleared = matches!(language, "c" | "cpp").then(|| without_macros(text)).flatten();
    let text = cleared.as_deref().unwrap_or(text);
    let tree = parse::parse(grammar, text, max_steps)?;
    let mut best = (faults(language, tree.root_node()), tree);
    if best.0 == 0 {
        return Ok(best.1);
    }
    let simpler: Vec<String> = match language {
        "c" | "cpp" => {
            let plain = without_directives(text, language);
            let both = plain.as_deref().and_then(without_inner_macros);
            let only = without_inner_macros(text);
            plain.into_iter().chain(only).chain(both).collect()
        }
        "csharp" | "swift" => without_directives(text, language).into_iter().collect(),
        "kotlin" => {
            let ended = with_ended_declarations(text);
            let both = without_annotations(ended.as_deref().unwrap_or(text));
            ended.into_iter().chain(both).collect()
        }
        "typescript" | "tsx" | "svelte" | "vue" => with_ended_members(text).into_iter().collect(),
        _ => Vec::new(),
    };
    for simpler in simpler {
        if best.0 > 0
            && let Ok(tree) = parse::parse(grammar, &simpler, max_steps)
        {
            let count = faults(language, tree.root_node());
            if count < best.0 {
                best = (count, tree);
            }
        }
    }
    Ok(best.1)
}

/// How many places of a tree the grammar didn't understand.
fn faults(language: &str, root: Node<'_>) -> usize {
    let mut cursor = root.walk();
    let mut count = 0;
    // A file of Kotlin has no expressions at its top: there they're declarations that were misread.
    if language == "kotlin" {
        count += root.named_children(&mut cursor).filter(|node| node.kind().ends_with("_expression")).count();
    }
    if !root.has_error() {
        return count;
    }
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        count += usize::from(node.is_error() || node.is_missing());
        if node.has_error() {
            let mut cursor = node.walk();
            open.extend(node.children(&mut cursor));
        }
    }
    count
}

/// A condition of a preprocessor that is open.
struct Condition {
    /// One of its branches was kept.
    kept: bool,
    /// The branch that's being read is kept.
    keeps: bool,
}

/// The text with the lines of conditions blanked, and of each condition the branches behind the first; `None` without any.
fn without_directives(text: &str, language: &str) -> Option<String> {
    let mut open: Vec<Condition> = Vec::new();
    let mut out = String::with_capacity(text.len());
    let (mut found, mut continued) = (false, false);
    for line in text.split_inclusive('\n') {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        let word = directive.map(|rest| rest.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or(""));
        let mut blank = continued || open.iter().any(|condition| !condition.keeps);
        if let Some(word) = word {
            let never = directive.is_some_and(|rest| {
                matches!(rest[word.len()..].trim(), "0" | "false" | "(0)") && word == "if"
            });
            let known = match word {
                "if" | "ifdef" | "ifndef" => {
                    open.push(Condition { kept: !never, keeps: !never });
                    true
                }
                "elif" | "elseif" | "else" | "elifdef" | "elifndef" => {
                    if let Some(last) = open.last_mut() {
                        last.keeps = !last.kept;
                        last.kept = true;
                    }
                    true
                }
                "endif" => {
                    open.pop();
                    true
                }
                // C and C++ define and include by others.
                _ => language == "csharp",
            };
            found |= known;
            blank |= known;
            continued = known && line.trim_end().ends_with('\\');
        } else {
            continued = continued && line.trim_end().ends_with('\\');
        }
        if blank { push_blank(&mut out, line) } else { out.push_str(line) }
    }
    found.then_some(out)
}

/// The text without the macros in front of declarations and in the heads of types; `None` without any.
fn without_macros(text: &str) -> Option<String> {
    let heads = without_head_macros(text);
    let text = heads.as_deref().unwrap_or(text);
    let found = declaration_macros::in_front(text);
    if found.is_empty() { heads } else { without(text, &found) }
}

/// The text without the macros inside declarations; `None` without any.
fn without_inner_macros(text: &str) -> Option<String> {
    let found = declaration_macros::inside(text);
    if found.is_empty() { None } else { without(text, &found) }
}

/// The text with these parts blanked, which are in their order.
fn without(text: &str, parts: &[Range<usize>]) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for part in parts {
        out.push_str(text.get(from..part.start)?);
        push_blank(&mut out, text.get(part.clone())?);
        from = part.end;
    }
    out.push_str(&text[from..]);
    Some(out)
}

/// The text without the macros between the word for a type and its name: with `class SHOP_API Cart : public Base {`, the grammar
/// takes the class for a function or a variable. `None` without any.
fn without_head_macros(text: &str) -> Option<String> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for word in ["class", "struct", "union"] {
        let heads = text.match_indices(word).filter(|(at, _)| !text[..*at].ends_with(is_word_part));
        found.extend(heads.filter_map(|(at, _)| macro_behind(text, at + word.len())));
    }
    if found.is_empty() {
        return None;
    }
    found.sort_unstable_by_key(|range| range.start);
    without(text, &found)
}

fn is_word_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The macro behind the word for a type, with its arguments, if a type's name and what opens its bases or its body follow.
fn macro_behind(text: &str, from: usize) -> Option<Range<usize>> {
    let next = |at: usize| text.len() - text[at..].trim_start().len();
    let end_of = |at: usize| text[at..].find(|c: char| !is_word_part(c)).map_or(text.len(), |len| at + len);
    let start = next(from);
    let mut end = end_of(start);
    let is_capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let word = &text[start..end];
    if start == from
        || word.len() < 3
        || !word.starts_with(char::is_uppercase)
        || !word.chars().all(is_capital)
    {
        return None;
    }
    // `SHOP_EXPORT(cart)`
    if let Some(arguments) = text[end..].strip_prefix('(') {
        let length = arguments.find(['(', ')', '\n']).filter(|at| arguments[*at..].starts_with(')'))?;
        end += length + 2;
    }
    let name = next(end);
    let behind = end_of(name);
    // `class CART final {` has no macro.
    if name == end || name == behind || &text[name..behind] == "final" {
        return None;
    }
    let rest = text[behind..].trim_start();
    let is_final = rest.strip_prefix("final").filter(|rest| !rest.starts_with(is_word_part));
    let rest = is_final.map_or(rest, str::trim_start);
    // `struct CART one{};` is a value.
    let is_body = rest.strip_prefix('{').is_some_and(|body| {
        !body.trim_start().starts_with(|c: char| c == '}' || c == '.' || c.is_ascii_digit())
    });
    let has_bases = rest.starts_with(':') && !rest.starts_with("::");
    (is_body || has_bases).then_some(start..end)
}

/// The text with the lines blanked that have nothing but annotations; `None` without any.
fn without_annotations(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut found = false;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let named = trimmed.strip_prefix('@').filter(|rest| rest.starts_with(|c: char| c.is_alphabetic()));
        let alone = named.is_some_and(|rest| {
            let name = rest.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':'));
            name.is_empty() || name.starts_with('(') && name.ends_with(')')
        });
        found |= alone;
        if alone { push_blank(&mut out, line) } else { out.push_str(line) }
    }
    found.then_some(out)
}

/// Spaces for each byte but the line's end.
fn push_blank(out: &mut String, line: &str) {
    out.extend(line.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_macro_in_the_head_of_a_type_is_left_out() {
        for (text, expected) in [
            ("class SHOP_API Cart : public Base {", Some("class          Cart : public Base {")),
            (
                "struct SHOP_EXPORT(a) Cart final\n{ int x; };",
                Some("struct                Cart final\n{ int x; };"),
            ),
            ("enum class SHOP_API Mode : int { A };", Some("enum class          Mode : int { A };")),
            ("class CART final : Base {", None),
            ("class CART : Base {", None),
            ("class Cart Other {", None),
            ("struct CART one{};", None),
            ("struct CART one { 0 };", None),
            ("struct CART *make(void) {", None),
            ("struct CART one = { 0 };", None),
            ("subclass SHOP_API Cart {", None),
            ("class SHOP_API Cart;", None),
            ("class SHOP_API(", None),
            ("class ÄÖÜ Ä", None),
        ] {
            assert_eq!(without_head_macros(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn the_first_branch_of_each_condition_stays() {
        for (text, expected) in [
            ("a\n#if X\nb\n#else\nc\n#endif\nd\n", "a b d"),
            ("#if 0\nb\n#elif Y\nc\n#else\nd\n#endif\n", "c"),
            ("#if X\n#if Y\na\n#else\nb\n#endif\nc\n#else\n#if Z\nd\n#endif\n#endif\ne", "a c e"),
            ("# ifdef X \\\n  more\na\n#endif", "a"),
            ("#else\na\n#endif\n#endif\nb", "a b"),
            ("#if ä\nü\n#else\nö\n#endif\n", "ü"),
        ] {
            let out = without_directives(text, "c").unwrap();
            assert_eq!(out.split_whitespace().collect::<Vec<_>>().join(" "), expected, "{text}");
            assert_eq!((out.len(), out.lines().count()), (text.len(), text.lines().count()), "{text}");
        }
        assert_eq!(without_directives("#include <x>\n", "c"), None);
        assert_eq!(
            without_annotations("@A(b = 1)\nclass C @X constructor()\n").unwrap().trim(),
            "class C @X constructor()"
        );
        assert_eq!(without_annotations("val a = 1\n"), None);
    }
}
