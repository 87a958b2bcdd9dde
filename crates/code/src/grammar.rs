//! The table of grammars: for each language its parser and which nodes define a symbol, contain others, import or comment.
//! `symbols` and `chunk` walk the trees.

mod kind;

use tree_sitter_language::LanguageFn;

pub use kind::Kind;

/// Where a definition's name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Name {
    /// In this field.
    Field(&'static str),
    /// In each of these fields; in `declarator` inside others, as in C.
    Fields(&'static str),
    /// The first child of this kind of node.
    Child(&'static str),
    /// The node is the name, if its parent is this kind of node.
    ItselfIn(&'static str),
    /// Each argument of a call that makes accessors, as in Ruby.
    Accessors,
}

/// A node that defines something.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Definition {
    pub(crate) node: &'static str,
    pub(crate) kind: Kind,
    pub(crate) name: Name,
    /// Only outside functions: inside it's a local.
    pub(crate) outer_only: bool,
}

/// A language's parser and what its nodes mean.
pub struct Grammar {
    pub(crate) parser: LanguageFn,
    pub(crate) definitions: &'static [Definition],
    /// Nodes that give their contents a container's name without defining it here: Rust's `impl`.
    pub(crate) containers: &'static [(&'static str, &'static str)],
    pub(crate) imports: &'static [&'static str],
}

impl std::fmt::Debug for Grammar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Grammar").field("definitions", &self.definitions).finish_non_exhaustive()
    }
}

const DECLARATORS: Name = Name::Fields("declarator");

const fn field(node: &'static str, kind: Kind) -> Definition {
    Definition { node, kind, name: Name::Field("name"), outer_only: false }
}

const fn outer(node: &'static str, kind: Kind, name: Name) -> Definition {
    Definition { node, kind, name, outer_only: true }
}

const fn with(node: &'static str, kind: Kind, name: Name) -> Definition {
    Definition { node, kind, name, outer_only: false }
}

const JS_DEFINITIONS: &[Definition] = &[
    field("function_declaration", Kind::Function),
    field("generator_function_declaration", Kind::Function),
    field("function_signature", Kind::Function),
    field("class_declaration", Kind::Class),
    field("abstract_class_declaration", Kind::Class),
    field("method_definition", Kind::Method),
    field("method_signature", Kind::Method),
    field("abstract_method_signature", Kind::Method),
    field("interface_declaration", Kind::Interface),
    field("type_alias_declaration", Kind::Type),
    field("enum_declaration", Kind::Enum),
    field("internal_module", Kind::Module),
    outer("variable_declarator", Kind::Constant, Name::Field("name")),
    with("public_field_definition", Kind::Variable, Name::Field("name")),
    with("field_definition", Kind::Variable, Name::Field("property")),
    outer("property_signature", Kind::Field, Name::Field("name")),
    with("required_parameter", Kind::Field, Name::Field("pattern")),
    field("enum_assignment", Kind::Variant),
    with("property_identifier", Kind::Variant, Name::ItselfIn("enum_body")),
    // `exports.render = function …`, `app.use = function …`
    outer("assignment_expression", Kind::Function, Name::Field("left")),
];

const C_DEFINITIONS: &[Definition] = &[
    with("function_definition", Kind::Function, DECLARATORS),
    outer("declaration", Kind::Function, DECLARATORS),
    field("struct_specifier", Kind::Struct),
    field("union_specifier", Kind::Struct),
    field("enum_specifier", Kind::Enum),
    with("type_definition", Kind::Type, DECLARATORS),
    field("preproc_def", Kind::Macro),
    field("preproc_function_def", Kind::Macro),
    field("class_specifier", Kind::Class),
    field("namespace_definition", Kind::Module),
    field("alias_declaration", Kind::Type),
    field("concept_definition", Kind::Type),
    field("enumerator", Kind::Variant),
    outer("field_declaration", Kind::Method, DECLARATORS),
];

macro_rules! grammar {
    ($name:ident, $parser:expr, $definitions:expr, $containers:expr, $imports:expr) => {
        static $name: Grammar = Grammar {
            parser: $parser,
            definitions: $definitions,
            containers: $containers,
            imports: $imports,
        };
    };
}

const JS_IMPORTS: &[&str] = &["import_statement", "export_statement", "call_expression"];

grammar!(TYPESCRIPT, tree_sitter_typescript::LANGUAGE_TYPESCRIPT, JS_DEFINITIONS, &[], JS_IMPORTS);
grammar!(TSX, tree_sitter_typescript::LANGUAGE_TSX, JS_DEFINITIONS, &[], JS_IMPORTS);
grammar!(JAVASCRIPT, tree_sitter_javascript::LANGUAGE, JS_DEFINITIONS, &[], JS_IMPORTS);
grammar!(
    PYTHON,
    tree_sitter_python::LANGUAGE,
    &[
        field("function_definition", Kind::Function),
        field("class_definition", Kind::Class),
        outer("assignment", Kind::Variable, Name::Field("left")),
        outer("type_alias_statement", Kind::Type, Name::Field("left")),
    ],
    &[],
    &["import_statement", "import_from_statement"]
);
grammar!(
    JAVA,
    tree_sitter_java::LANGUAGE,
    &[
        field("class_declaration", Kind::Class),
        field("interface_declaration", Kind::Interface),
        field("annotation_type_declaration", Kind::Interface),
        field("enum_declaration", Kind::Enum),
        field("record_declaration", Kind::Struct),
        field("method_declaration", Kind::Method),
        field("constructor_declaration", Kind::Method),
        outer("field_declaration", Kind::Variable, DECLARATORS),
        field("enum_constant", Kind::Variant),
        field("formal_parameter", Kind::Field),
    ],
    &[],
    &["import_declaration"]
);
grammar!(
    KOTLIN,
    tree_sitter_kotlin_ng::LANGUAGE,
    &[
        field("class_declaration", Kind::Class),
        field("object_declaration", Kind::Class),
        field("function_declaration", Kind::Function),
        outer("property_declaration", Kind::Variable, Name::Child("variable_declaration")),
        with("class_parameter", Kind::Variable, Name::Child("identifier")),
        with("enum_entry", Kind::Variant, Name::Child("identifier")),
        with("type_alias", Kind::Type, Name::Field("type")),
    ],
    &[],
    &["import"]
);
grammar!(C, tree_sitter_c::LANGUAGE, C_DEFINITIONS, &[], &["preproc_include"]);
grammar!(CPP, tree_sitter_cpp::LANGUAGE, C_DEFINITIONS, &[], &["preproc_include"]);
grammar!(
    CSHARP,
    tree_sitter_c_sharp::LANGUAGE,
    &[
        field("class_declaration", Kind::Class),
        field("struct_declaration", Kind::Struct),
        field("record_declaration", Kind::Struct),
        field("interface_declaration", Kind::Interface),
        field("enum_declaration", Kind::Enum),
        field("delegate_declaration", Kind::Type),
        field("method_declaration", Kind::Method),
        field("constructor_declaration", Kind::Method),
        field("property_declaration", Kind::Field),
        outer("variable_declarator", Kind::Variable, Name::Field("name")),
        field("enum_member_declaration", Kind::Variant),
        field("parameter", Kind::Field),
        field("namespace_declaration", Kind::Module),
        field("file_scoped_namespace_declaration", Kind::Module),
        field("local_function_statement", Kind::Function),
    ],
    &[],
    &["using_directive"]
);
grammar!(
    GO,
    tree_sitter_go::LANGUAGE,
    &[
        field("function_declaration", Kind::Function),
        field("method_declaration", Kind::Method),
        field("type_spec", Kind::Type),
        field("type_alias", Kind::Type),
        outer("const_spec", Kind::Constant, Name::Fields("name")),
        outer("var_spec", Kind::Variable, Name::Fields("name")),
        outer("field_declaration", Kind::Field, Name::Fields("name")),
        outer("method_elem", Kind::Method, Name::Field("name")),
    ],
    &[],
    &["import_spec"]
);
grammar!(
    RUST,
    tree_sitter_rust::LANGUAGE,
    &[
        field("function_item", Kind::Function),
        field("function_signature_item", Kind::Function),
        field("struct_item", Kind::Struct),
        field("union_item", Kind::Struct),
        field("enum_item", Kind::Enum),
        field("trait_item", Kind::Interface),
        field("type_item", Kind::Type),
        field("associated_type", Kind::Type),
        field("mod_item", Kind::Module),
        field("macro_definition", Kind::Macro),
        outer("const_item", Kind::Constant, Name::Field("name")),
        outer("static_item", Kind::Constant, Name::Field("name")),
        field("field_declaration", Kind::Field),
        field("enum_variant", Kind::Variant),
    ],
    &[("impl_item", "type")],
    &["use_declaration", "mod_item", "extern_crate_declaration"]
);
grammar!(
    PHP,
    tree_sitter_php::LANGUAGE_PHP,
    &[
        field("function_definition", Kind::Function),
        field("class_declaration", Kind::Class),
        field("interface_declaration", Kind::Interface),
        field("trait_declaration", Kind::Class),
        field("enum_declaration", Kind::Enum),
        field("method_declaration", Kind::Method),
        field("namespace_definition", Kind::Module),
        outer("const_element", Kind::Constant, Name::Child("name")),
        outer("property_element", Kind::Field, Name::Field("name")),
        with("property_promotion_parameter", Kind::Field, Name::Field("name")),
        field("enum_case", Kind::Variant),
    ],
    &[],
    &[
        "namespace_use_clause",
        "include_expression",
        "include_once_expression",
        "require_expression",
        "require_once_expression"
    ]
);
grammar!(
    RUBY,
    tree_sitter_ruby::LANGUAGE,
    &[
        field("class", Kind::Class),
        field("module", Kind::Module),
        field("method", Kind::Method),
        field("singleton_method", Kind::Method),
        outer("assignment", Kind::Constant, Name::Field("left")),
        outer("call", Kind::Method, Name::Accessors),
    ],
    &[],
    &["call"]
);
grammar!(
    SWIFT,
    tree_sitter_swift::LANGUAGE,
    &[
        field("class_declaration", Kind::Class),
        field("protocol_declaration", Kind::Interface),
        field("function_declaration", Kind::Function),
        field("protocol_function_declaration", Kind::Method),
        field("typealias_declaration", Kind::Type),
        outer("property_declaration", Kind::Variable, Name::Field("name")),
        outer("protocol_property_declaration", Kind::Field, Name::Field("name")),
        with("enum_entry", Kind::Variant, Name::Fields("name")),
    ],
    &[],
    &["import_declaration"]
);
grammar!(
    SCALA,
    tree_sitter_scala::LANGUAGE,
    &[
        field("class_definition", Kind::Class),
        field("object_definition", Kind::Class),
        field("trait_definition", Kind::Interface),
        field("enum_definition", Kind::Enum),
        field("function_definition", Kind::Function),
        field("function_declaration", Kind::Function),
        field("type_definition", Kind::Type),
        outer("val_definition", Kind::Variable, Name::Field("pattern")),
        outer("var_definition", Kind::Variable, Name::Field("pattern")),
        with("class_parameter", Kind::Field, Name::Field("name")),
        field("simple_enum_case", Kind::Variant),
        field("full_enum_case", Kind::Variant),
        field("package_object", Kind::Module),
    ],
    &[],
    &["import_declaration"]
);
grammar!(
    SHELL,
    tree_sitter_bash::LANGUAGE,
    &[
        field("function_definition", Kind::Function),
        outer("variable_assignment", Kind::Variable, Name::Field("name")),
    ],
    &[],
    &["command"]
);

/// The grammar of a language, by its name in the table of languages.
pub(crate) fn of(language: &str) -> Option<&'static Grammar> {
    Some(match language {
        // The script blocks of Svelte and Vue are read as TypeScript; see `script`.
        "typescript" | "svelte" | "vue" => &TYPESCRIPT,
        "tsx" => &TSX,
        "javascript" => &JAVASCRIPT,
        "python" => &PYTHON,
        "java" => &JAVA,
        "kotlin" => &KOTLIN,
        "c" => &C,
        "cpp" => &CPP,
        "csharp" => &CSHARP,
        "go" => &GO,
        "rust" => &RUST,
        "php" => &PHP,
        "ruby" => &RUBY,
        "swift" => &SWIFT,
        "scala" => &SCALA,
        "shell" => &SHELL,
        _ => return None,
    })
}
