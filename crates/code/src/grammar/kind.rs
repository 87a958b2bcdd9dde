//! The kinds of definitions, whatever the language.

/// What a definition is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A function that belongs to nothing.
    Function,
    /// A function of a type.
    Method,
    /// A class, object or actor.
    Class,
    /// A struct, record or union.
    Struct,
    /// An interface, trait or protocol.
    Interface,
    /// An enumeration.
    Enum,
    /// A type alias.
    Type,
    /// A named value that doesn't change.
    Constant,
    /// A named value of a module.
    Variable,
    /// A value of a type.
    Field,
    /// A value of an enumeration.
    Variant,
    /// A module or namespace.
    Module,
    /// A macro.
    Macro,
}

impl Kind {
    /// As it is written in replies.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Function => "function",
            Kind::Method => "method",
            Kind::Class => "class",
            Kind::Struct => "struct",
            Kind::Interface => "interface",
            Kind::Enum => "enum",
            Kind::Type => "type",
            Kind::Constant => "constant",
            Kind::Variable => "variable",
            Kind::Field => "field",
            Kind::Variant => "variant",
            Kind::Module => "module",
            Kind::Macro => "macro",
        }
    }

    /// The kind that [`Kind::name`] names.
    pub fn from_name(name: &str) -> Option<Kind> {
        use Kind::{
            Class, Constant, Enum, Field, Function, Interface, Macro, Method, Module, Struct, Type, Variable,
            Variant,
        };
        [
            Function, Method, Class, Struct, Interface, Enum, Type, Constant, Variable, Field, Variant,
            Module, Macro,
        ]
        .into_iter()
        .find(|kind| kind.name() == name)
    }

    /// Whether other definitions may belong to it.
    pub fn is_type(self) -> bool {
        matches!(self, Kind::Class | Kind::Struct | Kind::Interface | Kind::Enum | Kind::Type)
    }

    /// Whether it's a part of a type that isn't read without it.
    pub fn is_part(self) -> bool {
        matches!(self, Kind::Field | Kind::Variant)
    }
}
