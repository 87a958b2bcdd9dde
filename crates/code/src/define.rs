//! Decides what one node of a tree defines: its names, kinds, container and lines. Doesn't walk the tree; `symbols`
//! does.

use tree_sitter::Node;

use crate::define_names::{MAX_NAMES, accessors, declared_name, destructured, is_upper_case, made_by_macro};
use crate::grammar::{Definition, Kind, Name};
use crate::parse::slice;
use crate::signature::{exported, signature};

/// Names longer than this are data.
const MAX_NAME_BYTES: usize = 160;

/// One definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// Its own name.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// The names around it, outermost first, joined by `.`; empty at the top of a file.
    pub container: String,
    /// First line, from 1, with what belongs to it in front (`export`, `pub`).
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// The line of its name.
    pub line: u32,
    /// Its start in the text.
    pub start: usize,
    /// Its end in the text.
    pub end: usize,
    /// Its signature, on one line.
    pub signature: String,
    /// Whether other files can see it, as far as its own declaration shows.
    pub exported: bool,
}

impl Symbol {
    /// The container and the name.
    pub fn path(&self) -> String {
        if self.container.is_empty() {
            self.name.clone()
        } else {
            format!("{}.{}", self.container, self.name)
        }
    }
}

/// A named node around the current one.
pub(crate) struct Open {
    /// How deep it is in the tree.
    pub(crate) depth: u32,
    /// Its name, which may be empty.
    pub(crate) name: String,
    /// What's inside is local.
    pub(crate) function: bool,
    /// Functions inside are methods, values are fields.
    pub(crate) type_like: bool,
}

impl Open {
    /// How `symbol`, which `node` defines, contains the nodes inside it; `None` if they don't belong to it.
    pub(crate) fn of(
        symbol: &Symbol,
        node: Node<'_>,
        text: &str,
        language: &str,
        depth: u32,
    ) -> Option<Open> {
        let declares = matches!(node.kind(), "declaration" | "field_declaration" | "type_definition");
        let in_c = declares && matches!(language, "c" | "cpp");
        // `struct point { int x; } origin;`: the field belongs to the struct, and to `origin` only if the struct has no name.
        let nameless = || {
            let of = node.child_by_field_name("type");
            of.is_some_and(|of| {
                of.child_by_field_name("body").is_some() && of.child_by_field_name("name").is_none()
            })
        };
        if in_c && !nameless() {
            return None;
        }
        // `namespace a::b` encloses its contents with both names.
        let path =
            node.child_by_field_name("name").filter(|_| language == "cpp").map(|name| slice(name, text));
        let path = path.filter(|path| path.contains("::") && path.ends_with(symbol.name.as_str()));
        Some(Open {
            depth,
            name: path
                .map_or_else(|| symbol.name.clone(), |path| path.trim_start_matches(':').replace("::", ".")),
            function: matches!(symbol.kind, Kind::Function | Kind::Method),
            type_like: in_c
                || symbol.kind.is_type()
                || symbol.kind == Kind::Variant
                || (language == "ruby" && symbol.kind == Kind::Module),
        })
    }
}

/// The definitions that `node` makes, in order.
pub(crate) fn defined(
    d: &Definition,
    language: &str,
    node: Node<'_>,
    text: &str,
    open: &[Open],
) -> Vec<Symbol> {
    let mut cursor = node.walk();
    let names: Vec<Node<'_>> = match d.name {
        Name::ItselfIn(parent) => {
            let inside = node.parent().is_some_and(|around| around.kind() == parent);
            if inside { vec![node] } else { Vec::new() }
        }
        Name::Field(field) => match node.child_by_field_name(field) {
            Some(pattern) if d.node == "variable_declarator" && pattern.kind().ends_with("_pattern") => {
                destructured(node, pattern, text)
            }
            name => name.into_iter().collect(),
        },
        Name::Fields(field) => {
            let names = node.children_by_field_name(field, &mut cursor);
            names.filter(Node::is_named).take(MAX_NAMES).collect()
        }
        Name::Child(of) => {
            let child = node.named_children(&mut cursor).find(|child| child.kind() == of);
            child.into_iter().collect()
        }
        Name::Accessors => accessors(node, text),
    };
    names.into_iter().filter_map(|name| define(d, language, node, name, text, open)).collect()
}

fn define(
    d: &Definition,
    language: &str,
    node: Node<'_>,
    mut name_node: Node<'_>,
    text: &str,
    open: &[Open],
) -> Option<Symbol> {
    let mut kind = d.kind;
    // A constructor's argument that declares a field belongs to the type.
    let open = match (d.node, open) {
        ("property_promotion_parameter" | "required_parameter", [outer @ .., constructor])
            if constructor.function =>
        {
            outer
        }
        _ => open,
    };
    let mut container: Vec<&str> = open.iter().map(|o| o.name.as_str()).filter(|n| !n.is_empty()).collect();
    if d.name == Name::Fields("declarator") {
        let function;
        (name_node, function) = declared_name(name_node)?;
        if !function && matches!(kind, Kind::Function | Kind::Method) {
            kind = Kind::Variable;
        }
    }
    let mut name = slice(name_node, text);
    let holder;
    if (language, d.node) == ("cpp", "function_definition")
        && !open.last().is_some_and(|o| o.type_like)
        && let Some((around, made)) = made_by_macro(node, text)
    {
        container.extend(around.map(|around| slice(around, text)));
        return Some(finish(node, slice(made, text), made, kind, &container, language, text));
    }
    match (language, d.node) {
        ("javascript" | "typescript" | "tsx" | "svelte" | "vue", "variable_declarator") => {
            if !matches!(name_node.kind(), "identifier" | "shorthand_property_identifier_pattern") {
                return None;
            }
            let fixed = || node.parent().is_some_and(|parent| slice(parent, text).starts_with("const"));
            let whole = name_node.parent().is_some_and(|parent| parent.id() == node.id());
            let value = value_kind(node.child_by_field_name("value").filter(|_| whole));
            kind = value.unwrap_or_else(|| if fixed() { Kind::Constant } else { Kind::Variable });
        }
        ("csharp", "variable_declarator") => {
            let holder = node.parent()?.parent()?;
            if !matches!(holder.kind(), "field_declaration" | "event_field_declaration") {
                return None;
            }
        }
        (_, "assignment_expression") => {
            if name_node.kind() != "member_expression" {
                return None;
            }
            name = slice(name_node.child_by_field_name("property")?, text);
            holder = plain(slice(name_node.child_by_field_name("object")?, text));
            let right = node.child_by_field_name("right");
            let made = || {
                let exported = matches!(holder.as_str(), "exports" | "module.exports");
                (exported && right.is_some_and(|right| is_made(right, text))).then_some(Kind::Constant)
            };
            kind = value_kind(right).or_else(made)?;
            // `module.exports = class Shop {…}`
            let own = node.child_by_field_name("right").and_then(|right| right.child_by_field_name("name"));
            if let Some(own) = own.filter(|_| name == "exports" && holder == "module") {
                return Some(finish(node, slice(own, text), own, kind, &container, language, text));
            }
            if !matches!(holder.as_str(), "exports" | "module.exports" | "this" | "module")
                && holder.len() < 40
            {
                container.push(&holder);
            }
            return Some(finish(node, name, name_node, kind, &container, language, text));
        }
        ("python", "assignment") if name_node.kind() != "identifier" => return None,
        ("ruby", "assignment") if name_node.kind() != "constant" => return None,
        ("rust", "mod_item") if node.child_by_field_name("body").is_none() => return None,
        ("go", "type_spec") => {
            kind = match node.child_by_field_name("type").map(|t| t.kind()) {
                Some("struct_type") => Kind::Struct,
                Some("interface_type") => Kind::Interface,
                _ => Kind::Type,
            };
        }
        ("go", "method_declaration") => {
            let receiver = node.child_by_field_name("receiver")?;
            // `(p *Pair[K, V])`
            let named = slice(receiver, text).split('[').next().unwrap_or("").trim_matches(['(', ')', ' ']);
            holder = plain(named.rsplit(' ').next().unwrap_or(""));
            container.push(&holder);
            return Some(finish(node, name, name_node, kind, &container, language, text));
        }
        ("c" | "cpp", "struct_specifier" | "union_specifier" | "enum_specifier" | "class_specifier") => {
            node.child_by_field_name("body")?;
        }
        ("kotlin", "class_declaration") | ("swift", "class_declaration") => {
            let head: String = slice(node, text).chars().take(200).collect();
            let before = head.split(name).next().unwrap_or("");
            kind = match before.split_whitespace().next_back() {
                Some("interface") => Kind::Interface,
                Some("struct") => Kind::Struct,
                Some("enum") => Kind::Enum,
                _ if before.contains("enum") => Kind::Enum,
                _ => Kind::Class,
            };
        }
        ("typescript" | "tsx" | "svelte" | "vue", "required_parameter") => {
            let mut cursor = node.walk();
            node.children(&mut cursor)
                .find(|child| matches!(child.kind(), "accessibility_modifier" | "readonly"))?;
        }
        ("java", "formal_parameter") | ("csharp", "parameter") => {
            node.parent()?.parent().filter(|holder| holder.kind() == "record_declaration")?;
        }
        ("kotlin", "class_parameter") => {
            // Without `val` or `var` it's an argument of the constructor.
            let mut cursor = node.walk();
            node.children(&mut cursor).find(|child| matches!(child.kind(), "val" | "var"))?;
        }
        ("kotlin", "property_declaration") => {
            let mut cursor = name_node.walk();
            let of = name_node.named_children(&mut cursor).find(|child| child.kind() == "identifier")?;
            (name_node, name) = (of, slice(of, text));
        }
        ("php", "property_element" | "property_promotion_parameter") => name = name.trim_start_matches('$'),
        ("ruby", "call") => name = name.trim_start_matches(':'),
        _ => {}
    }
    if language == "cpp"
        && let Some((scope, last)) = name.rsplit_once("::")
    {
        container.extend(scope.split("::").filter(|part| !part.is_empty()));
        name = last;
        kind = if kind == Kind::Function { Kind::Method } else { kind };
    }
    let in_type = open.last().is_some_and(|o| o.type_like);
    kind = match kind {
        Kind::Function if in_type => Kind::Method,
        Kind::Variable if is_upper_case(name) => Kind::Constant,
        Kind::Variable if in_type => Kind::Field,
        kind => kind,
    };
    Some(finish(node, name, name_node, kind, &container, language, text)).filter(|s| is_name(&s.name))
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= MAX_NAME_BYTES && !name.contains(char::is_whitespace)
}

/// The kind of a variable with this value.
fn value_kind(value: Option<Node<'_>>) -> Option<Kind> {
    match value?.kind() {
        "arrow_function" | "function_expression" | "generator_function" | "function" => Some(Kind::Function),
        "class" => Some(Kind::Class),
        _ => None,
    }
}

/// Whether what a file of CommonJS gives out is made there, and isn't another name for something, nothing, or what another file has.
fn is_made(value: Node<'_>, text: &str) -> bool {
    let named = ["identifier", "member_expression", "assignment_expression", "undefined", "null"];
    let nothing = value.kind() == "unary_expression" && slice(value, text).starts_with("void");
    !named.contains(&value.kind()) && !nothing && !slice(value, text).contains("require(")
}

fn finish(
    node: Node<'_>,
    name: &str,
    name_node: Node<'_>,
    kind: Kind,
    container: &[&str],
    language: &str,
    text: &str,
) -> Symbol {
    let mut whole = node;
    // The words before it belong to it: `export`, `const`, decorators.
    for _ in 0..3 {
        match whole.parent() {
            Some(parent)
                if matches!(
                    parent.kind(),
                    "export_statement"
                        | "lexical_declaration"
                        | "variable_declaration"
                        | "decorated_definition"
                        | "ambient_declaration"
                        | "expression_statement"
                        | "template_declaration"
                        | "type_declaration"
                ) =>
            {
                whole = parent;
            }
            _ => break,
        }
    }
    let signature = signature(whole, node, text);
    Symbol {
        exported: exported(&signature, name, whole, language, text),
        name: name.trim_matches(['"', '\'', '`']).to_owned(),
        kind,
        container: container.join("."),
        start_line: row(whole.start_position().row),
        end_line: row(whole.end_position().row),
        line: row(name_node.start_position().row),
        start: whole.start_byte(),
        end: whole.end_byte(),
        signature,
    }
}

fn row(row: usize) -> u32 {
    u32::try_from(row + 1).unwrap_or(u32::MAX)
}

/// A type's or receiver's name without decoration: `&mut Vec<T>` → `Vec`.
pub(crate) fn plain(text: &str) -> String {
    let text = text.trim().trim_start_matches(['*', '&']);
    // `&'a mut T`
    let text = text.strip_prefix('\'').and_then(|rest| rest.split_once(' ')).map_or(text, |(_, rest)| rest);
    let text = text.trim_start().trim_start_matches("mut ").trim_start_matches("dyn ");
    let end = text.find(['<', '[', '(', ' ', '\n']).unwrap_or(text.len());
    if end > MAX_NAME_BYTES { String::new() } else { text[..end].to_owned() }
}
