//! Finds the uses of a definition, at three confidences: *resolved* (scopes, imports and evident types agree), *in scope by
//! name* (it can be meant, and no other candidate is known), *textual* (the word occurs). An undefined name is reported as such
//! and never replaced by a similar one; definitions of the same name are told apart.

mod infer;
mod keys;
mod occurrences;
mod receivers;
mod resolution;
mod scopes;
mod syntactic_types;
mod syntax_nodes;
mod text_matches;
mod types;

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::rc::Rc;

use infer::{DefinitionLookup, Go, ProjectType, Rust, Source};
pub use occurrences::{Occurrence, Role, occurrences};
use resolution::FileContext;
use text_matches::line_text;
use types::Types;

use crate::analyse;
use crate::error::Result;
use crate::grammar::Kind;
use crate::language;
use crate::search::Reader;
use crate::store::Store;
use crate::symbols::{Outline, Symbol};
use crate::walk::MAX_FILE_BYTES;
use crate::words;

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

/// A definition with what is needed to decide.
struct Target {
    file: usize,
    line: u32,
    kind: Kind,
    folder: String,
    stem: String,
    container: String,
    owner: String,
    /// A variant in C is a name of its file.
    unscoped: bool,
}

impl Target {
    /// It belongs to no type, or is visible without it.
    fn is_free(&self) -> bool {
        self.container.is_empty() || self.unscoped
    }
}

/// Finds the definitions and uses of `name`; `Type.name` and `Type::name` mean the one of that type.
///
/// # Errors
/// When the database cannot be read.
pub fn references(store: &Store, reader: &Reader, root: &Path, name: &str) -> Result<References> {
    let (owner, name) = split(name);
    let definitions = definitions(store, reader, owner, name)?;
    let mut out = References::default();
    if definitions.is_empty() {
        out.similar = similar(store, name)?;
    }
    let language = |file: usize| reader.files()[file].language.as_str();
    let targets: Vec<Target> =
        definitions.iter().map(|(file, d)| target(*file, d, language(*file))).collect();
    out.definitions = definitions.into_iter().map(|(_, d)| d).collect();
    let types = Types::new(store);
    let facts = DefinitionLookup::new(store, reader, root);
    let go = Go::new(&facts);
    let rust = Rust::new(&facts);
    let owners: Vec<Option<ProjectType>> = targets.iter().map(|t| owner_of(&go, &rust, reader, t)).collect();
    let macros = targets.iter().any(|t| t.kind == Kind::Macro);
    for file in files_with(store, reader, name)? {
        let path = &reader.files()[file].path;
        let Ok(bytes) = home::read_regular(&root.join(path), MAX_FILE_BYTES) else {
            out.unread.push(path.clone());
            continue;
        };
        let text = String::from_utf8_lossy(&bytes);
        if !text.contains(name) {
            continue;
        }
        let Some(source) = Source::read(store, reader, file, &text, macros) else {
            out.uses.extend(textual_uses(path, &text, name));
            continue;
        };
        let source = Rc::new(source);
        facts.keep(&source);
        let around = FileContext {
            reader,
            file,
            targets: &targets,
            types: &types,
            go: &go,
            rust: &rust,
            owners: &owners,
            source: &source,
            reached: OnceCell::new(),
        };
        out.uses.extend(uses_in(&around, path, &text, name));
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
    let (owner, name) = split(name);
    Ok(definitions(store, reader, owner, name)?.into_iter().map(|(_, definition)| definition).collect())
}

/// `Type.name` as type and name.
fn split(name: &str) -> (Option<&str>, &str) {
    let name = name.trim().trim_end_matches("()");
    let cut = |sep: &str| name.rsplit_once(sep).filter(|(owner, name)| !owner.is_empty() && !name.is_empty());
    match cut("::").or_else(|| cut("#")).or_else(|| cut(".")) {
        Some((owner, name)) => (owner.rsplit(['.', ':']).next(), name),
        None => (None, name),
    }
}

fn definitions(
    store: &Store,
    reader: &Reader,
    owner: Option<&str>,
    name: &str,
) -> Result<Vec<(usize, Definition)>> {
    let mut folded = String::new();
    words::whole(name, &mut folded);
    store.read(|db| {
        let mut statement = db.prepare_cached(
            "SELECT s.file, s.line, s.end_line, s.kind, s.container, s.signature FROM symbols s JOIN files f ON f.id = s.file
             WHERE s.folded = ?1 AND s.name = ?2 ORDER BY f.path, s.line",
        )?;
        let mut rows = statement.query([&folded, name])?;
        let mut out = Vec::new();
        while let Some(row) = rows.next()? {
            let Some(file) = reader.place(row.get(0)?) else { continue };
            let container: String = row.get(4)?;
            if owner.is_some_and(|owner| container.rsplit('.').next() != Some(owner)) {
                continue;
            }
            let kind = Kind::from_name(row.get_ref(3)?.as_str().unwrap_or_default()).unwrap_or(Kind::Constant);
            let path = reader.files()[file].path.clone();
            out.push((file, Definition { path, line: row.get(1)?, end_line: row.get(2)?, kind, container, signature: row.get(5)? }));
        }
        Ok(out)
    })
}

fn similar(store: &Store, name: &str) -> Result<Vec<String>> {
    let mut folded = String::new();
    words::whole(name, &mut folded);
    store.read(|db| {
        let mut statement =
            db.prepare_cached("SELECT DISTINCT name FROM symbols WHERE folded = ?1 ORDER BY name LIMIT 5")?;
        statement.query_map([&folded], |r| r.get(0))?.collect()
    })
}

fn target(file: usize, d: &Definition, language: &str) -> Target {
    let (folder, name) = d.path.rsplit_once('/').unwrap_or(("", &d.path));
    let mut stem = name.split('.').next().unwrap_or(name);
    if matches!(stem, "mod" | "lib" | "index" | "__init__" | "main") {
        stem = folder.rsplit('/').next().unwrap_or(stem);
    }
    Target {
        file,
        line: d.line,
        kind: d.kind,
        folder: folder.to_owned(),
        stem: stem.to_owned(),
        container: d.container.clone(),
        owner: d.container.rsplit('.').next().unwrap_or("").to_owned(),
        unscoped: d.kind == Kind::Variant && matches!(language, "c" | "cpp"),
    }
}

/// The files that have the words of `name`.
fn files_with(store: &Store, reader: &Reader, name: &str) -> Result<Vec<usize>> {
    let mut wanted: Vec<String> = Vec::new();
    let mut scratch = String::new();
    words::words(name, &mut scratch, |word| wanted.push(word.to_owned()));
    // The whole identifier, if it has parts, is the rarest word.
    let Some(word) = wanted.pop() else { return Ok((0..reader.files().len()).collect()) };
    let files: HashSet<usize> = reader.files_with(store, &word)?;
    let mut out: Vec<usize> = files.into_iter().collect();
    out.sort_unstable();
    Ok(out)
}

/// The type that a definition belongs to, in languages whose types are followed.
fn owner_of(go: &Go<'_>, rust: &Rust<'_>, reader: &Reader, target: &Target) -> Option<ProjectType> {
    if target.is_free() {
        return None;
    }
    match reader.files()[target.file].language.as_str() {
        "go" => go.owner(target.file, &target.owner),
        "rust" => rust.owner(target.file, &target.owner),
        _ => None,
    }
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
    let mut out = Vec::new();
    for spelt in std::iter::once(name).chain(aliases) {
        let alias = spelt != name;
        for o in occurrences(grammar, language, tree, source, &outline.symbols, spelt, &returned) {
            // As an alias it is only what was imported, and there it has no receiver.
            let other = alias
                && (o.receiver.is_some()
                    || o.key
                    || !o.bound.is_empty()
                    || matches!(o.role, Role::Text | Role::Import));
            if o.role == Role::Definition || o.local || other {
                continue;
            }
            let (confidence, of) = around.resolve(&o, outline, spelt, name);
            if alias && of.is_empty() {
                continue;
            }
            out.push(Use {
                path: path.to_owned(),
                line: o.line,
                column: o.column,
                role: o.role,
                confidence,
                of,
                inside: o.inside.and_then(|i| outline.symbols.get(i)).map(Symbol::path),
                text: line_text(text, o.line),
            });
        }
    }
    out
}

/// The functions and methods that call a definition, with the places, from its references.
pub fn callers(references: &References) -> Vec<(String, String, u32, Confidence)> {
    let mut out: Vec<(String, String, u32, Confidence)> = references
        .uses
        .iter()
        .filter(|u| u.role == Role::Call && u.confidence != Confidence::Textual)
        .map(|u| (u.path.clone(), u.inside.clone().unwrap_or_default(), u.line, u.confidence))
        .collect();
    out.sort();
    out
}

/// A file's current definitions and imports; `None` if its language has no grammar or it can't be read.
pub fn outline_of(root: &Path, path: &str) -> Option<Outline> {
    let bytes = home::read_regular(&root.join(path), MAX_FILE_BYTES).ok()?;
    let analysis = analyse::analyse(path, &bytes);
    (!analysis.outline.symbols.is_empty()).then_some(analysis.outline)
}
