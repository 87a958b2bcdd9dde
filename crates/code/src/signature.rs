//! A definition's signature on one line, and whether it is exported.

use tree_sitter::Node;

use crate::parse::slice;

const MAX_SIGNATURE_BYTES: usize = 240;

/// From the beginning to the body, on one line.
pub(crate) fn signature(whole: Node<'_>, node: Node<'_>, text: &str) -> String {
    let start = whole.start_byte().min(node.start_byte());
    let value = node.child_by_field_name("value").and_then(|value| value.child_by_field_name("body"));
    let body = node.child_by_field_name("body").or(value).map_or(node.end_byte(), |body| body.start_byte());
    let head = text.get(start..body.max(start)).unwrap_or_default();
    let mut out = String::new();
    for word in head.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
        if out.len() > MAX_SIGNATURE_BYTES {
            let mut at = MAX_SIGNATURE_BYTES;
            while !out.is_char_boundary(at) {
                at -= 1;
            }
            out.truncate(at);
            out.push('…');
            break;
        }
    }
    out.trim_end_matches(['{', ' ', ':', '=']).to_owned()
}

/// Whether other files can use the definition, by its language's rules.
pub(crate) fn exported(signature: &str, name: &str, whole: Node<'_>, language: &str, text: &str) -> bool {
    let head: Vec<&str> = signature.split_whitespace().take(6).collect();
    match language {
        "typescript" | "tsx" | "javascript" | "svelte" | "vue" => {
            whole.kind() == "export_statement" || slice(whole, text).starts_with("exports.")
        }
        "rust" => {
            head.first().is_some_and(|word| word.starts_with("pub")) || head.first() == Some(&"macro_rules!")
        }
        "go" => name.chars().next().is_some_and(char::is_uppercase),
        "python" | "ruby" => !name.starts_with('_'),
        "java" | "csharp" => head.contains(&"public") || head.contains(&"protected"),
        "kotlin" | "swift" | "scala" | "php" => !head.contains(&"private") && !head.contains(&"fileprivate"),
        "c" | "cpp" => !head.contains(&"static"),
        _ => true,
    }
}
