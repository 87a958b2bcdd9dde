//! A definition's signature on one line, and whether it is exported.

use tree_sitter::Node;

use crate::parse::slice;

const MAX_SIGNATURE_BYTES: usize = 240;

/// A definition's body, in grammars that have no field for it, and the functions that a property has in braces.
const BODIES: &[&str] = &[
    "class_body",
    "enum_class_body",
    "function_body",
    "getter",
    "setter",
    "computed_property",
    "willset_didset_block",
];

/// From the beginning to the body, on one line and without comments.
pub(crate) fn signature(whole: Node<'_>, node: Node<'_>, text: &str) -> String {
    let start = whole.start_byte().min(node.start_byte());
    let value = node.child_by_field_name("value").and_then(|value| value.child_by_field_name("body"));
    let body = node.child_by_field_name("body").or(value);
    let mut end = body.map_or(node.end_byte(), |body| body.start_byte());
    let mut from = start;
    let mut parts: Vec<&str> = Vec::new();
    let mut cursor = node.walk();
    for child in
        node.children(&mut cursor).take_while(|child| body.is_none_or(|body| child.id() != body.id()))
    {
        if body.is_none() && is_body(child, text) {
            end = child.start_byte();
            break;
        }
        if child.kind().ends_with("comment") {
            parts.push(text.get(from..child.start_byte()).unwrap_or_default());
            from = child.end_byte();
        }
    }
    parts.push(text.get(from..end).unwrap_or_default());
    let mut out = String::new();
    for word in parts.into_iter().flat_map(str::split_whitespace) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
        if out.len() > MAX_SIGNATURE_BYTES {
            out.truncate(out.floor_char_boundary(MAX_SIGNATURE_BYTES));
            out.push('…');
            break;
        }
    }
    out.trim_end_matches(['{', ' ', ':', '=']).to_owned()
}

/// Whether a part of a definition is what it does. `{ get; set; }` of C# says what may be done with a property.
fn is_body(part: Node<'_>, text: &str) -> bool {
    let does = || slice(part, text).get(1..).is_some_and(|inner| inner.contains('{') || inner.contains("=>"));
    BODIES.contains(&part.kind()) || part.kind() == "accessor_list" && does()
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

#[cfg(test)]
mod tests {
    use crate::analyse::analyse;

    #[test]
    fn a_signature_ends_where_the_body_begins() {
        for (path, text, expected) in [
            (
                "a.kt",
                "class A(val x: Int) : B(x), C {\n    private val y = 1\n}\n",
                "class A(val x: Int) : B(x), C",
            ),
            ("a.kt", "interface A {\n    fun b(): Int\n}\n", "interface A"),
            ("a.kt", "enum class A { B, C }\n", "enum class A"),
            ("a.kt", "object A : B {\n    val c = 1\n}\n", "object A : B"),
            ("a.kt", "fun a(x: Int): String {\n    return \"\"\n}\n", "fun a(x: Int): String"),
            ("a.kt", "fun a() = b()\n", "fun a()"),
            ("a.kt", "val a: Int\n    get() = 1\n", "val a: Int"),
            ("a.kt", "val a = B()\n", "val a = B()"),
            ("a.swift", "var a: Int {\n    return 1\n}\n", "var a: Int"),
            ("a.rb", "module A\n  # says what is in it\n  # on two lines\n  B = 1\nend\n", "module A"),
            ("a.ts", "function a(x: number): number {\n  return x\n}\n", "function a(x: number): number"),
        ] {
            let analysis = analyse(path, text.as_bytes());
            let first = analysis.outline.symbols.first().map(|symbol| symbol.signature.as_str());
            assert_eq!(first, Some(expected), "{text}");
        }
    }

    #[test]
    fn a_private_member_does_not_make_its_container_private() {
        let text = "class A {\n    private val b = 1\n}\n\nprivate class C\n";
        let analysis = analyse("a.kt", text.as_bytes());
        let exported = |name: &str| analysis.outline.symbols.iter().any(|s| s.name == name && s.exported);
        assert!(exported("A") && !exported("b") && !exported("C"));
    }
}
