//! Infers an expression's type in statically typed languages, from its file's syntax tree and the definitions it names anywhere
//! in the project. A type that can't be derived is unknown; nothing is guessed.

mod c;
mod c_types;
mod go;
mod lookup;
mod parts;
mod rust;
mod rust_macros;
mod script;

use std::cell::Cell;

pub(super) use c::CSource;
pub(super) use go::Go;
pub(super) use lookup::{DefinitionLookup, Source};
pub(super) use rust::Rust;
pub(super) use script::{Declared, Meant, Script};

/// What is known about a type. Pointers and references are what they point to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ty {
    /// The project defines it.
    ProjectType(ProjectType),
    /// It is from elsewhere, by the name that it is known by.
    Foreign(String),
    /// A foreign type with type arguments: `Option<T>`, `Arc<T>`.
    Holder(String, Vec<Ty>),
    /// A list or an array of this.
    List(Box<Ty>),
    /// A channel of this.
    Channel(Box<Ty>),
    /// A map from this to that.
    Map(Box<Ty>, Box<Ty>),
    /// A function that gives this.
    Function(Box<Ty>),
    /// Several values.
    Tuple(Vec<Ty>),
    /// Fields without a type's name.
    Record(Vec<RecordField>),
    /// Nothing is known.
    Unknown,
}

/// A field of a type without a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RecordField {
    pub(super) name: String,
    /// The file and the line that declare it.
    pub(super) place: (usize, u32),
    /// Its members are the struct's, too.
    pub(super) embedded: bool,
    pub(super) ty: Ty,
}

/// A type that the project defines: two are the same when they are defined at the same place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ProjectType {
    pub(super) name: String,
    pub(super) file: usize,
    pub(super) line: u32,
}

/// The meaning of a name after a dot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Member {
    /// A field: whose it is, if that type has a name, and its type.
    Field(Option<ProjectType>, Ty),
    /// A field of a type without a name: the file and the line that declare it, and its type.
    Part((usize, u32), Ty),
    /// A method of that type, giving this.
    Method(ProjectType, Ty),
    /// Something foreign: the embedded type isn't the project's.
    Foreign,
    /// There is no member with this name.
    None,
    /// Not enough is known.
    Unknown,
}

/// The target of a name, where types determine it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MethodTarget {
    /// A member of this type; `related` are the types whose method of that name may be meant as well.
    Method { of: ProjectType, related: Vec<ProjectType> },
    /// A method of any of these types, through an interface from elsewhere that they may fulfil.
    Possible(Vec<ProjectType>),
    /// The definition in this file on this line.
    Definition(usize, u32),
    /// A package-level definition, by its folder.
    InPackage(String),
    /// None of the project's definitions.
    Nothing,
    /// Not enough is known.
    Unknown,
}

/// Types are followed no deeper: through fields, calls, variables and files.
const MAX_DEPTH: u32 = 24;

/// How many questions for a type are being answered, one inside the other.
#[derive(Debug, Default)]
struct Depth(Cell<u32>);

impl Depth {
    /// Runs `work` unless it went too deep already.
    fn limited<T>(&self, otherwise: T, work: impl FnOnce() -> T) -> T {
        if self.0.get() >= MAX_DEPTH {
            return otherwise;
        }
        self.0.set(self.0.get() + 1);
        let out = work();
        self.0.set(self.0.get() - 1);
        out
    }
}
