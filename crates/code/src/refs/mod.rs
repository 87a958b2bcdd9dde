//! Finds the uses of a definition, at three confidences: *resolved* (scopes, imports and evident types agree), *in scope by
//! name* (it can be meant, and no other candidate is known), *textual* (the word occurs). An undefined name is reported as such
//! and never replaced by a similar one; definitions of the same name are told apart.

mod accessors;
mod bases;
mod binders;
mod by_lines;
mod callees;
mod callers;
mod cpp;
mod definition_around;
mod definition_words;
mod documentation;
mod evident_in_class;
mod extensions;
mod given_names;
mod given_types;
mod heads;
mod heritage;
mod implementations;
mod infer;
mod keys;
mod labels;
mod lambdas;
mod literal_fields;
mod markup;
mod named_in_literals;
mod named_types;
mod objects;
mod occurrences;
mod overriding;
mod packages;
mod php_namespaces;
mod project;
mod prototypes;
mod reach;
mod receivers;
mod resolution;
mod scopes;
mod script_members;
mod seen_from;
mod shadowed;
mod statics;
mod syntactic_types;
mod syntax_nodes;
mod targets;
mod text_matches;
mod types;
mod variants;
mod wordless_heads;
mod written;

use std::collections::BTreeSet;
use std::path::Path;

pub use callees::{Callee, Callees, callees};
pub use callers::{Caller, Callers, callers};
pub use implementations::{Implementation, Implementations, implementations};
use infer::{DefinitionLookup, Go, Rust, Script, Source};
pub use occurrences::{Occurrence, Role, occurrences};
use project::{MAX_NAMESAKES, Project};
use resolution::FileContext;
use targets::{Target, definitions, files_with, split};
use text_matches::{Lines, whole_words};
use types::Types;

use crate::error::Result;
use crate::grammar::Kind;
use crate::language;
use crate::search::Reader;
use crate::store::Store;
use crate::symbols::Symbol;

/// How sure it is that a use is of the definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Scopes, imports and evident types agree.
    Resolved,
    /// It can be meant there.
    InScope,
    /// The word occurs there.
    Textual,
}

/// One definition of the name.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Definition {
    /// The file.
    pub path: String,
    /// The line of its name.
    pub line: u32,
    /// Its last line.
    pub end_line: u32,
    /// Its kind.
    pub kind: Kind,
    /// Its container.
    pub container: String,
    /// Its signature.
    pub signature: String,
}

/// One use of the name.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Use {
    /// The file.
    pub path: String,
    /// The line.
    pub line: u32,
    /// The column in bytes, from 1.
    pub column: u32,
    /// Its role there.
    pub role: Role,
    /// How sure it is.
    pub confidence: Confidence,
    /// The definitions that may be meant, by place in the list of definitions.
    pub of: Vec<usize>,
    /// The definition around it.
    pub inside: Option<String>,
    /// The line's text.
    pub text: String,
    /// The type whose head names it as a base.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_of: Option<String>,
}

/// The definitions and uses of a name.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct References {
    /// Its definitions.
    pub definitions: Vec<Definition>,
    /// Those in languages without a grammar, by how their lines begin.
    pub by_lines: Vec<Definition>,
    /// Its uses: the most certain first, then by place.
    pub uses: Vec<Use>,
    /// Files with the word that could not be read.
    pub unread: Vec<String>,
    /// If nothing is defined by this name: similar names. Never used instead.
    pub similar: Vec<String>,
    /// More places have the word than are listed.
    pub cut: bool,
}

/// Finds the definitions and uses of `name`; `Type.name` and `Type::name` mean the one of that type.
///
/// # Errors
/// When the database cannot be read.
pub fn references(store: &Store, reader: &Reader, root: &Path, name: &str) -> Result<References> {
    let facts = DefinitionLookup::new(store, reader, root);
    let types = Types::new(store, &facts);
    let (go, rust, script) = (Go::new(&facts), Rust::new(&facts), Script::new(&facts));
    Project { store, reader, root, types: &types, facts: &facts, go: &go, rust: &rust, script: &script }
        .references(name, None)
}

/// The definitions of `name`, or of the `name` in `Type.name`, without reading a file.
///
/// # Errors
/// When the database cannot be read.
pub fn definitions_named(store: &Store, reader: &Reader, name: &str) -> Result<Vec<Definition>> {
    let (around, name) = split(name);
    Ok(definitions(store, reader, &around, name)?.into_iter().map(|(_, definition)| definition).collect())
}

/// Whether it's known of a language without a grammar how its lines begin that define something.
pub fn is_read_by_lines(language: &str) -> bool {
    by_lines::reads(language)
}

/// The line on which a text of a language without a grammar defines `name`, by how its lines begin.
pub fn line_that_defines(language: &str, path: &str, text: &str, name: &str) -> Option<u32> {
    let (around, name) = split(name);
    by_lines::definitions(language, path, text, &around, name).first().map(|(_, one)| one.line)
}

/// The files that have the words of `name`.
///
/// # Errors
/// When the database cannot be read.
pub fn files_that_mention(store: &Store, reader: &Reader, name: &str) -> Result<BTreeSet<String>> {
    let files = files_with(store, reader, name)?;
    Ok(files.into_iter().map(|file| reader.files()[file].path.clone()).collect())
}

/// Each place of a name in a text that no grammar reads.
fn textual_uses<'a>(path: &'a str, text: &'a str, name: &'a str) -> impl Iterator<Item = Use> + 'a {
    let lines = Lines::of(text);
    whole_words(text, name).map(move |at| {
        let (line, column) = lines.place(at);
        Use {
            path: path.to_owned(),
            line,
            column,
            role: Role::Text,
            confidence: Confidence::Textual,
            of: Vec::new(),
            inside: None,
            text: lines.text(line),
            base_of: None,
        }
    })
}

fn uses_in(around: &FileContext<'_>, path: &str, text: &str, name: &str, heads: bool) -> Vec<Use> {
    let language = &around.reader.files()[around.file].language;
    let Some(grammar) = language::by_name(language).and_then(language::Language::grammar) else {
        return textual_uses(path, text, name).filter(|_| !heads).collect();
    };
    let Source { text: source, tree, outline, .. } = around.source;
    let returned = |called: &str| around.returned(called);
    // A name imported under an alias is used by the alias.
    let imports = outline.imports.iter().flat_map(|i| &i.bound);
    let aliases: BTreeSet<&str> = imports
        .filter(|(here, there)| there == name && here != name)
        .map(|(here, _)| here.as_str())
        .collect();
    let spellings = std::iter::once(name).chain(aliases).map(|spelt| (spelt, None));
    let spellings: Vec<(&str, Option<Vec<usize>>)> = spellings.chain(around.renamed(outline, name)).collect();
    // `const x = require(…)` is bound to the import, which is followed.
    let imports_on = |line: u32| outline.imports.iter().any(|import| import.line == line);
    let lines = Lines::of(text);
    let mut out = Vec::new();
    for (spelt, given) in &spellings {
        let alias = *spelt != name;
        if !heads && matches!(language.as_str(), "svelte" | "vue") {
            out.extend(uses_in_markup(around, path, text, spelt, given.as_deref()));
        }
        for o in occurrences(grammar, language, tree, source, &outline.symbols, spelt, &returned) {
            // An alias only means what was imported, and it has no receiver.
            let other = alias
                && (o.receiver.is_some()
                    || o.key
                    || o.bound.iter().any(|line| given.is_none() || !imports_on(*line))
                    || o.role == Role::Text
                    || o.role == Role::Import && given.is_none());
            // `Cart { total }` of Rust and `{ total }` of TypeScript name the field beside the variable.
            let fields =
                if o.shorthand && !alias { around.fields_of_shorthand(&o, spelt) } else { Vec::new() };
            if (o.role == Role::Definition || o.local || other) && fields.is_empty() {
                continue;
            }
            let may_be_base = o.role != Role::Text && !o.prefix;
            let node = || tree.root_node().descendant_for_byte_range(o.at, o.at + spelt.len());
            let base_of = may_be_base.then(node).flatten();
            let base_of = base_of.and_then(|node| heritage::made_from(node, language, source));
            if heads && base_of.is_none() {
                continue;
            }
            let (confidence, mut of) = match given {
                Some(of) => (Confidence::Resolved, of.clone()),
                None if fields.is_empty() => around.resolve(&o, outline, spelt, name),
                None => around.with_fields(&o, outline, name, fields),
            };
            if alias && of.is_empty() {
                continue;
            }
            of.truncate(MAX_NAMESAKES);
            out.push(Use {
                path: path.to_owned(),
                line: o.line,
                column: o.column,
                role: o.role,
                confidence,
                of,
                inside: o.inside.and_then(|i| outline.symbols.get(i)).map(Symbol::path),
                text: lines.text(o.line),
                base_of,
            });
        }
    }
    out
}

/// The uses in the markup of a component: code there may use what its script defines or imports.
fn uses_in_markup(
    around: &FileContext<'_>,
    path: &str,
    text: &str,
    spelt: &str,
    given: Option<&[usize]>,
) -> Vec<Use> {
    let of = given.map_or_else(|| around.in_script(spelt), <[usize]>::to_vec);
    let places = markup::places(text, &around.source.text, spelt);
    let lines = Lines::of(text);
    places
        .filter(|(_, code)| *code || given.is_none())
        .map(|(at, code)| {
            let (line, column) = lines.place(at);
            let meant = code && !of.is_empty();
            Use {
                path: path.to_owned(),
                line,
                column,
                role: if code { Role::Reference } else { Role::Text },
                confidence: if meant { Confidence::InScope } else { Confidence::Textual },
                of: if meant { of.clone() } else { Vec::new() },
                inside: None,
                text: lines.text(line),
                base_of: None,
            }
        })
        .collect()
}
