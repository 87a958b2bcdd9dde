//! Names for what JavaScript and TypeScript export as the default without a name, and for components that are a file:
//! they're named after their file, as importers mostly name them. Pure.

use tree_sitter::Node;

use crate::define::Symbol;
use crate::grammar::Kind;
use crate::signature::signature;

/// Whether a file of this language is a component.
pub(crate) fn is_component(language: &str) -> bool {
    matches!(language, "svelte" | "vue")
}

/// The name of a file's default: that of the file, or of its folder for an `index`. `None` if that can't be a name.
pub(crate) fn of_file(path: &str) -> Option<&str> {
    let mut parts = path.rsplit('/');
    let (stem, _) = parts.next()?.rsplit_once('.')?;
    let name = if stem == "index" { parts.next()? } else { stem };
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let begins = name.chars().next().is_some_and(|c| !c.is_numeric());
    (begins && name.chars().all(is_word)).then_some(name)
}

/// What `export default` exports without a name, still to be named: a function, a class, the result of a call.
pub(crate) fn of_export(statement: Node<'_>, text: &str) -> Option<Symbol> {
    let mut cursor = statement.walk();
    statement.children(&mut cursor).find(|child| child.kind() == "default")?;
    let value = ["declaration", "value"].iter().find_map(|field| statement.child_by_field_name(field))?;
    let kind = match value.kind() {
        "class" | "class_declaration" => Kind::Class,
        "arrow_function"
        | "function_expression"
        | "function_declaration"
        | "generator_function"
        | "generator_function_declaration"
        | "call_expression" => Kind::Function,
        _ => return None,
    };
    if value.child_by_field_name("name").is_some() {
        return None;
    }
    let line = |row: usize| u32::try_from(row + 1).unwrap_or(u32::MAX);
    let first = line(statement.start_position().row);
    Some(Symbol {
        name: String::new(),
        kind,
        container: String::new(),
        start_line: first,
        end_line: line(statement.end_position().row),
        line: first,
        start: statement.start_byte(),
        end: statement.end_byte(),
        signature: signature(statement, value, text),
        exported: true,
    })
}

/// A component, which is its whole file; only its first line is reported as its place.
pub(crate) fn component(name: &str) -> Symbol {
    Symbol {
        name: name.to_owned(),
        kind: Kind::Class,
        container: String::new(),
        start_line: 1,
        end_line: 1,
        line: 1,
        start: 0,
        end: 0,
        signature: format!("component {name}"),
        exported: true,
    }
}

#[cfg(test)]
mod tests {
    use super::of_file;

    #[test]
    fn files_name_their_defaults() {
        for (path, expected) in [
            ("src/Button.tsx", Some("Button")),
            ("src/Button/index.tsx", Some("Button")),
            ("index.ts", None),
            ("vite.config.ts", None),
            ("src/my-page.vue", None),
            ("src/404.svelte", None),
        ] {
            assert_eq!(of_file(path), expected, "{path}");
        }
    }
}
