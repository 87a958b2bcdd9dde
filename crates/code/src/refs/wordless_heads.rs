//! Recognises lines that define something without a word for it, in languages without a grammar: `Future<void> load() async {` of
//! Dart, a value among Terraform's `locals`. Pure.

/// Statements that look like the head of a function: `return total(x) {`.
const STATEMENTS: &[&str] = &[
    "assert", "await", "case", "do", "else", "for", "if", "in", "is", "new", "not", "return", "switch",
    "throw", "when", "while", "yield",
];
/// Types of Dart that begin with a small letter.
const SMALL_TYPES: &[&str] = &["void", "int", "double", "bool", "num", "dynamic"];
/// A block of Terraform that begins further above isn't found.
const MAX_BLOCK_LINES: usize = 300;

/// Whether a line is the head of a function, given the words before its name and what is behind that.
pub(super) fn is_typed_head(language: &str, parts: &[&str], after: &str) -> bool {
    let is_type = |one: &&str| {
        one.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && one.chars().all(|c| c.is_alphanumeric() || "_<>?,.[]*".contains(c))
            && !STATEMENTS.contains(one)
    };
    let Some((last, others)) = parts.split_last() else { return false };
    if !matches!(language, "dart" | "d" | "glsl" | "groovy") || !parts.iter().all(is_type) {
        return false;
    }
    let has_body = after.starts_with('(') && (after.ends_with('{') || after.contains("=>"));
    has_body || language == "dart" && is_head_of_dart(last, others, after)
}

/// `Future<Response> post(Uri url,`, `T first<T>(List<T> all) {`, `int get length =>`, given the last of the words before the name.
fn is_head_of_dart(last: &str, others: &[&str], after: &str) -> bool {
    if last == "get" {
        return [" =>", " {", " async", " sync", ";"].iter().any(|begin| after.starts_with(begin));
    }
    let name = last.trim_end_matches('?').rsplit('.').next().unwrap_or_default();
    let is_type = name.starts_with(|c: char| c.is_uppercase() || c == '_')
        || name.ends_with('>')
        || SMALL_TYPES.contains(&name);
    let takes = after.starts_with('(') || after.starts_with('<') && after.contains(">(");
    // A parameter that is a function has its brackets closed: `void action(K key),`.
    let is_open = after.matches('(').count() > after.matches(')').count();
    let ends = after.ends_with(['{', ';']) || after.contains("=>") || after.ends_with([',', '(']) && is_open;
    is_type && takes && ends && !others.contains(&"const")
}

/// Whether a line of Terraform is a value of `locals`, given the text above it, and what is before and behind its name.
pub(super) fn is_value_of_locals(language: &str, above: &str, before: &str, after: &str) -> bool {
    let is_value =
        || after.trim_start().strip_prefix('=').is_some_and(|value| !value.starts_with(['=', '>']));
    let block = || {
        let mut lines = above.lines().rev().take(MAX_BLOCK_LINES);
        lines.find(|line| line.starts_with(|c: char| c.is_alphabetic()))
    };
    language == "terraform"
        && before == "  "
        && is_value()
        && block().is_some_and(|line| line.starts_with("locals"))
}
