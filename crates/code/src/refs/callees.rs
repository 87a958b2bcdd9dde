//! Finds what the body of a definition calls: each name with the definitions it means, as the references of that name are
//! resolved. What the project doesn't define is listed by name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;

use super::infer::{DefinitionLookup, Go, Rust, Script, Source};
use super::syntax_nodes::{is_called, is_name};
use super::targets::{definitions, similar, split};
use super::types::Types;
use super::{Confidence, Definition, Project};
use crate::error::Result;
use crate::imports::{DEFAULT, WHOLE};
use crate::parse::slice;
use crate::search::Reader;
use crate::store::Store;

/// The most names of one definition that are resolved.
const MAX_NAMES: usize = 300;

/// One name that is called.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Callee {
    /// As it's written there.
    pub name: String,
    /// The file of the call.
    pub path: String,
    /// The line of its first call.
    pub line: u32,
    /// The column of that call in bytes, from 1.
    pub column: u32,
    /// How often it's called there.
    pub calls: usize,
    /// How sure it is that the definitions are meant.
    pub confidence: Confidence,
    /// What it means; empty if the project has such a name but nothing shows that it's meant.
    pub definitions: Vec<Definition>,
}

/// What a definition calls.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Callees {
    /// The requested definitions.
    pub definitions: Vec<Definition>,
    /// What they call of the project: the surest first, then by place.
    pub callees: Vec<Callee>,
    /// What else they call: names that the project doesn't define.
    pub foreign: Vec<String>,
    /// Files of the definitions that could not be parsed.
    pub unread: Vec<String>,
    /// If nothing is defined by this name: similar names. Never used instead.
    pub similar: Vec<String>,
}

/// The places of the calls of one name: line and column.
type Places = BTreeSet<(u32, u32)>;

/// Finds what the definitions of `name` call.
///
/// # Errors
/// When the database cannot be read.
pub fn callees(store: &Store, reader: &Reader, root: &Path, name: &str) -> Result<Callees> {
    let (around, name) = split(name);
    let asked = definitions(store, reader, &around, name)?;
    let mut out = Callees::default();
    if asked.is_empty() {
        out.similar = similar(store, name)?;
    }
    let facts = DefinitionLookup::new(store, reader, root);
    let types = Types::new(store, &facts);
    let (go, rust, script) = (Go::new(&facts), Rust::new(&facts), Script::new(&facts));
    let project =
        Project { store, reader, root, types: &types, facts: &facts, go: &go, rust: &rust, script: &script };
    let mut foreign: BTreeSet<String> = BTreeSet::new();
    let mut files: BTreeMap<usize, Vec<&Definition>> = BTreeMap::new();
    for (file, definition) in &asked {
        files.entry(*file).or_default().push(definition);
    }
    for (file, asked) in files {
        let Some(source) = facts.source(file) else {
            out.unread.push(reader.files()[file].path.clone());
            continue;
        };
        for (called, places) in called(&source, &asked) {
            let meant = imported_name(&facts, &source, &called);
            let known = definitions(store, reader, &[], &meant)?;
            let one = project.asked(&known, &meant);
            // A call of a local isn't a use, and neither is a definition's own name.
            let uses = project.uses(&source, &one, &source.text, &meant, false);
            let uses = uses.into_iter().filter(|one| places.contains(&(one.line, one.column)));
            if known.is_empty() {
                foreign.extend(uses.map(|_| called.clone()));
                continue;
            }
            let mut found: BTreeMap<(Confidence, Vec<usize>), Places> = BTreeMap::new();
            for one in uses {
                found.entry((one.confidence, one.of)).or_default().insert((one.line, one.column));
            }
            for ((confidence, of), places) in found {
                let (line, column) = places.first().copied().unwrap_or_default();
                out.callees.push(Callee {
                    name: called.clone(),
                    path: reader.files()[file].path.clone(),
                    line,
                    column,
                    calls: places.len(),
                    confidence,
                    definitions: of.iter().map(|i| known[*i].1.clone()).collect(),
                });
            }
        }
    }
    out.definitions = asked.into_iter().map(|(_, definition)| definition).collect();
    out.foreign = foreign.into_iter().collect();
    out.callees.sort_by(|a, b| {
        (a.confidence, &a.path, a.line, a.column).cmp(&(b.confidence, &b.path, b.line, b.column))
    });
    Ok(out)
}

/// The names that are called inside these definitions, with the places.
fn called(source: &Rc<Source>, asked: &[&Definition]) -> BTreeMap<String, Places> {
    let spans: Vec<(usize, usize)> = source
        .outline
        .symbols
        .iter()
        .filter(|s| asked.iter().any(|d| d.line == s.line && d.kind == s.kind && d.container == s.container))
        .map(|s| (s.start, s.end))
        .collect();
    let mut out: BTreeMap<String, Places> = BTreeMap::new();
    let mut open = vec![source.tree.root_node()];
    while let Some(node) = open.pop() {
        let meets = |(start, end): &(usize, usize)| node.start_byte() < *end && *start < node.end_byte();
        if !spans.iter().any(meets) {
            continue;
        }
        if node.child_count() > 0 {
            let mut cursor = node.walk();
            open.extend(node.children(&mut cursor));
            continue;
        }
        let name = slice(node, &source.text);
        let place = node.start_position();
        let line = u32::try_from(place.row + 1).unwrap_or(u32::MAX);
        if is_name(node) && is_called(node, &source.text) {
            let column = u32::try_from(place.column + 1).unwrap_or(u32::MAX);
            if out.len() < MAX_NAMES || out.contains_key(name) {
                out.entry(name.to_owned()).or_default().insert((line, column));
            }
        }
    }
    out
}

/// A name's original name in its own module.
fn imported_name(facts: &DefinitionLookup<'_>, source: &Source, name: &str) -> String {
    if let Some(own) = facts.exported_as(source, name) {
        return own;
    }
    let mut bound = source.outline.imports.iter().flat_map(|import| &import.bound);
    let there = bound.find(|(here, _)| here == name).map(|(_, there)| there.as_str());
    there.filter(|there| *there != WHOLE && *there != DEFAULT).unwrap_or(name).to_owned()
}
