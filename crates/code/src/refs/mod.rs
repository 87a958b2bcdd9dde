//! Finds the uses of a definition, at three confidences: *resolved* (scopes, imports and evident types agree), *in scope by
//! name* (it can be meant, and no other candidate is known), *textual* (the word occurs). An undefined name is reported as such
//! and never replaced by a similar one; definitions of the same name are told apart.

mod callees;
mod callers;
mod given_names;
mod heritage;
mod implementations;
mod infer;
mod keys;
mod markup;
mod occurrences;
mod packages;
mod reach;
mod receivers;
mod resolution;
mod scopes;
mod syntactic_types;
mod syntax_nodes;
mod targets;
mod text_matches;
mod types;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;

pub use callees::{Callee, Callees, callees};
pub use callers::{Caller, Callers, callers};
use given_names::GivenNames;
pub use implementations::{Implementation, Implementations, implementations};
use infer::{DefinitionLookup, Go, ProjectType, Rust, Source};
pub use occurrences::{Occurrence, Role, occurrences};
use resolution::FileContext;
use targets::{Target, definitions, files_with, owner_of, similar, split, targets};
use text_matches::line_text;
use types::Types;

use crate::analyse::{self, MAX_INDEXED_BYTES};
use crate::error::Result;
use crate::grammar::Kind;
use crate::language;
use crate::role::Role as FileRole;
use crate::search::{File, Reader};
use crate::store::Store;
use crate::symbols::{Outline, Symbol};
use crate::walk::MAX_FILE_BYTES;

/// More definitions of one name aren't told apart from one that is asked for with its type.
const MAX_NAMESAKES: usize = 400;

/// How sure it is that a use is of the definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Scopes, imports and evident types say so.
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
    /// The type whose head names it as what that type is made from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_of: Option<String>,
}

/// The definitions and uses of a name.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct References {
    /// Its definitions.
    pub definitions: Vec<Definition>,
    /// Its uses: the most certain first, then by place.
    pub uses: Vec<Use>,
    /// Files with the word that could not be read.
    pub unread: Vec<String>,
    /// If nothing is defined by this name: similar names. Never used instead.
    pub similar: Vec<String>,
}

/// The whole project, as resolving needs it to answer one question.
struct Project<'a> {
    store: &'a Store,
    reader: &'a Reader,
    types: &'a Types<'a>,
    facts: &'a DefinitionLookup<'a>,
    go: &'a Go<'a>,
    rust: &'a Rust<'a>,
}

/// The definitions of one name, with what is known about them all.
struct Asked {
    targets: Vec<Target>,
    /// The type that each belongs to, in languages whose types are followed.
    owners: Vec<Option<ProjectType>>,
    given: GivenNames,
}

impl Project<'_> {
    fn asked(&self, definitions: &[(usize, Definition)], name: &str) -> Asked {
        let targets = targets(self.store, self.reader, definitions, name);
        let owner = |target| owner_of(self.go, self.rust, self.reader, target);
        let owners = targets.iter().map(owner).collect();
        let given = GivenNames::of(self.facts, self.reader, &targets, name);
        Asked { targets, owners, given }
    }

    /// The uses of `name` in a file with this text.
    fn uses(&self, source: &Source, asked: &Asked, text: &str, name: &str) -> Vec<Use> {
        let around = FileContext {
            reader: self.reader,
            file: source.file,
            targets: &asked.targets,
            given: &asked.given,
            types: self.types,
            facts: self.facts,
            go: self.go,
            rust: self.rust,
            owners: &asked.owners,
            source,
            reached: OnceCell::new(),
        };
        uses_in(&around, &self.reader.files()[source.file].path, text, name)
    }
}

/// Definitions, each with its file's number, and the places of those among them that were asked for.
type Namesakes = (Vec<(usize, Definition)>, Vec<usize>);

/// All definitions of `name` if only those `around` something are asked for, with the places of these among them.
fn with_namesakes(
    store: &Store,
    reader: &Reader,
    around: &[&str],
    name: &str,
    asked: &[(usize, Definition)],
) -> Result<Namesakes> {
    let mut all = if around.is_empty() || asked.is_empty() {
        asked.to_vec()
    } else {
        definitions(store, reader, &[], name)?
    };
    if all.len() > MAX_NAMESAKES {
        all = asked.to_vec();
    }
    let places = (0..all.len()).filter(|place| asked.contains(&all[*place])).collect();
    Ok((all, places))
}

/// Finds the definitions and uses of `name`; `Type.name` and `Type::name` mean the one of that type.
///
/// # Errors
/// When the database cannot be read.
pub fn references(store: &Store, reader: &Reader, root: &Path, name: &str) -> Result<References> {
    let (around, name) = split(name);
    let definitions = definitions(store, reader, &around, name)?;
    let mut out = References::default();
    if definitions.is_empty() {
        out.similar = similar(store, name)?;
    }
    let facts = DefinitionLookup::new(store, reader, root);
    let types = Types::new(store, &facts);
    let go = Go::new(&facts);
    let rust = Rust::new(&facts);
    let project = Project { store, reader, types: &types, facts: &facts, go: &go, rust: &rust };
    // Others of the name take part, so that what means one of them isn't told as a use of this one.
    let (all, places) = with_namesakes(store, reader, &around, name, &definitions)?;
    let asked = project.asked(&all, name);
    out.definitions = definitions.into_iter().map(|(_, d)| d).collect();
    let macros = asked.targets.iter().any(|t| t.kind == Kind::Macro);
    let renaming = asked.given.importers(reader, name);
    let mut files: BTreeSet<usize> = files_with(store, reader, name)?.into_iter().collect();
    files.extend(&renaming);
    let undefined = asked.targets.is_empty();
    if undefined {
        // That no file has the word is reported only if it's true: the index doesn't have all words of these files.
        let partly = |file: &File| file.role.is(FileRole::MINIFIED) || file.size > MAX_INDEXED_BYTES as u64;
        files.extend((0..reader.files().len()).filter(|i| partly(&reader.files()[*i])));
    }
    for file in files {
        let path = &reader.files()[file].path;
        let Ok(bytes) = home::read_regular(&root.join(path), MAX_FILE_BYTES) else {
            out.unread.push(path.clone());
            continue;
        };
        let text = String::from_utf8_lossy(&bytes);
        if !text.contains(name) && !renaming.contains(&file) {
            continue;
        }
        let minified = reader.files()[file].role.is(FileRole::MINIFIED);
        let parsed = (!minified).then(|| Source::read(store, reader, file, &text, macros)).flatten();
        let Some(source) = parsed else {
            out.uses.extend(textual_uses(path, &text, name));
            continue;
        };
        let source = Rc::new(source);
        facts.keep(&source);
        let mut found = project.uses(&source, &asked, &text, name);
        // Locals and members of other types have the word, too.
        let known: BTreeSet<(u32, u32)> = found.iter().map(|u| (u.line, u.column)).collect();
        let others = textual_uses(path, &text, name).filter(|u| !known.contains(&(u.line, u.column)));
        out.uses.extend(others.filter(|_| undefined));
        found.retain_mut(|one| {
            let decided = !one.of.is_empty();
            one.of = one.of.iter().filter_map(|of| places.iter().position(|place| place == of)).collect();
            !decided || !one.of.is_empty()
        });
        out.uses.extend(found);
    }
    out.uses.sort_by(|a, b| {
        (a.confidence, &a.path, a.line, a.column).cmp(&(b.confidence, &b.path, b.line, b.column))
    });
    Ok(out)
}

/// The definitions of `name`, or of the `name` in `Type.name`, without reading a file.
///
/// # Errors
/// When the database cannot be read.
pub fn definitions_named(store: &Store, reader: &Reader, name: &str) -> Result<Vec<Definition>> {
    let (around, name) = split(name);
    Ok(definitions(store, reader, &around, name)?.into_iter().map(|(_, definition)| definition).collect())
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
    text_matches::plain(text, name).map(|(line, column)| Use {
        path: path.to_owned(),
        line,
        column,
        role: Role::Text,
        confidence: Confidence::Textual,
        of: Vec::new(),
        inside: None,
        text: line_text(text, line),
        base_of: None,
    })
}

fn uses_in(around: &FileContext<'_>, path: &str, text: &str, name: &str) -> Vec<Use> {
    let language = &around.reader.files()[around.file].language;
    let Some(grammar) = language::named(language).and_then(language::Language::grammar) else {
        return textual_uses(path, text, name).collect();
    };
    let Source { text: source, tree, outline, .. } = around.source;
    let returned = |function: &str| around.types.returned(function);
    // What is imported under another name is used by that.
    let imports = outline.imports.iter().flat_map(|i| &i.bound);
    let aliases: BTreeSet<&str> = imports
        .filter(|(here, there)| there == name && here != name)
        .map(|(here, _)| here.as_str())
        .collect();
    let spellings = std::iter::once(name).chain(aliases).map(|spelt| (spelt, None));
    let spellings: Vec<(&str, Option<Vec<usize>>)> = spellings.chain(around.renamed(outline, name)).collect();
    // `const x = require(…)` is bound to the import, which is followed.
    let imports_on = |line: u32| outline.imports.iter().any(|import| import.line == line);
    let mut out = Vec::new();
    for (spelt, given) in &spellings {
        let alias = *spelt != name;
        if matches!(language.as_str(), "svelte" | "vue") {
            out.extend(uses_in_markup(around, path, text, spelt, given.as_deref()));
        }
        for o in occurrences(grammar, language, tree, source, &outline.symbols, spelt, &returned) {
            // As an alias it is only what was imported, and there it has no receiver.
            let other = alias
                && (o.receiver.is_some()
                    || o.key
                    || o.bound.iter().any(|line| given.is_none() || !imports_on(*line))
                    || o.role == Role::Text
                    || o.role == Role::Import && given.is_none());
            if o.role == Role::Definition || o.local || other {
                continue;
            }
            let (confidence, of) = match given {
                Some(of) => (Confidence::Resolved, of.clone()),
                None => around.resolve(&o, outline, spelt, name),
            };
            if alias && of.is_empty() {
                continue;
            }
            let node = tree.root_node().descendant_for_byte_range(o.at, o.at + spelt.len());
            let base_of = node.filter(|_| o.role != Role::Text && !o.prefix);
            out.push(Use {
                path: path.to_owned(),
                line: o.line,
                column: o.column,
                role: o.role,
                confidence,
                of,
                inside: o.inside.and_then(|i| outline.symbols.get(i)).map(Symbol::path),
                text: line_text(text, o.line),
                base_of: base_of.and_then(|node| heritage::made_from(node, language, source)),
            });
        }
    }
    out
}

/// The uses in the markup of a component: what it runs there may be what its script defines or imports.
fn uses_in_markup(
    around: &FileContext<'_>,
    path: &str,
    text: &str,
    spelt: &str,
    given: Option<&[usize]>,
) -> Vec<Use> {
    let of = given.map_or_else(|| around.in_script(spelt), <[usize]>::to_vec);
    let places = markup::places(text, &around.source.text, spelt);
    places
        .filter(|(_, code)| *code || given.is_none())
        .map(|(at, code)| {
            let (line, column) = text_matches::place(text, at);
            let meant = code && !of.is_empty();
            Use {
                path: path.to_owned(),
                line,
                column,
                role: if code { Role::Reference } else { Role::Text },
                confidence: if meant { Confidence::InScope } else { Confidence::Textual },
                of: if meant { of.clone() } else { Vec::new() },
                inside: None,
                text: line_text(text, line),
                base_of: None,
            }
        })
        .collect()
}

/// A file's current definitions and imports; `None` if its language has no grammar or it can't be read.
pub fn outline_of(root: &Path, path: &str) -> Option<Outline> {
    let bytes = home::read_regular(&root.join(path), MAX_FILE_BYTES).ok()?;
    let analysis = analyse::analyse(path, &bytes);
    (!analysis.outline.symbols.is_empty()).then_some(analysis.outline)
}
