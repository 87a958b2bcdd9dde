//! Finds implementations of a definition: the types whose heads name a type, those that have all methods of a Go
//! interface, and the methods that override a method. Their subtypes are followed, up to a limit.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet, VecDeque};
use std::path::Path;
use std::rc::Rc;

use super::heads::Heads;
use super::infer::{DefinitionLookup, Go, ProjectType, Rust, Script};
use super::overriding::{Overriding, is_private, language};
use super::targets::{definitions, similar, split};
use super::types::Types;
use super::{Confidence, Definition, Project, References};
use crate::error::Result;
use crate::grammar::Kind;
use crate::language::family as family_of;
use crate::search::Reader;
use crate::store::Store;

/// The most types whose subtypes are looked for.
const MAX_TYPES: usize = 60;

/// One subtype or override of another definition.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Implementation {
    /// The type or method.
    pub definition: Definition,
    /// Its name.
    pub name: String,
    /// The name of its base.
    pub of: String,
    /// The base is itself a subtype of the requested definition.
    pub transitive: bool,
    /// How sure it is.
    pub confidence: Confidence,
}

/// The subtypes or overrides of a definition.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Implementations {
    /// The requested definitions.
    pub definitions: Vec<Definition>,
    /// Their subtypes or overrides: direct ones first, then the surest, then by place.
    pub implementations: Vec<Implementation>,
    /// Files with the word that could not be read.
    pub unread: Vec<String>,
    /// There are more subtypes than were followed.
    pub cut: bool,
    /// If nothing is defined by this name: similar names. Never used instead.
    pub similar: Vec<String>,
}

/// Finds the subtypes of the type `name`, and the methods that override the method `name`.
///
/// # Errors
/// When the database cannot be read.
pub fn implementations(store: &Store, reader: &Reader, root: &Path, name: &str) -> Result<Implementations> {
    let (around, name) = split(name);
    let asked = definitions(store, reader, &around, name)?;
    let mut out = Implementations::default();
    if asked.is_empty() {
        out.similar = similar(store, name)?;
        return Ok(out);
    }
    // One for all types that are followed: a file that was read for one isn't read again for the next.
    let facts = DefinitionLookup::new(store, reader, root);
    let types = Types::new(store, &facts);
    let (go, rust, script) = (Go::new(&facts), Rust::new(&facts), Script::new(&facts));
    let project =
        Project { store, reader, root, types: &types, facts: &facts, go: &go, rust: &rust, script: &script };
    let found = Found { project: &project, heads: Heads::read(store, reader)?, known: RefCell::default() };
    let mut all = Vec::new();
    let types: Vec<&(usize, Definition)> = asked.iter().filter(|(_, d)| is_base(d.kind)).collect();
    if !types.is_empty() {
        all.extend(found.made_from(name, &types, &mut out)?);
    }
    let methods: Vec<&(usize, Definition)> = asked
        .iter()
        .filter(|(_, d)| d.kind == Kind::Method && !d.container.is_empty())
        .filter(|(file, d)| !is_private(language(reader, *file), d, name))
        .collect();
    let all_own = if methods.is_empty() { Vec::new() } else { definitions(store, reader, &[], name)? };
    let rules = Overriding { name, all: &all_own, reader, facts: &facts, types: project.types };
    let mut owners: HashSet<&str> = HashSet::new();
    for (file, method) in &methods {
        let of = method.container.rsplit('.').next().unwrap_or_default();
        if of.is_empty() || !owners.insert(of) {
            continue;
        }
        let spoken_there = family_of(language(reader, *file));
        let rows = definitions(store, reader, &[], of)?;
        let spoken = |file: usize| family_of(language(reader, file)) == spoken_there;
        let types: Vec<&(usize, Definition)> =
            rows.iter().filter(|(file, d)| is_base(d.kind) && spoken(*file)).collect();
        let below = found.made_from(of, &types, &mut out)?;
        for (file, own) in all_own.iter().filter(|(file, _)| spoken(*file)) {
            let own_type = own.container.rsplit('.').next().unwrap_or_default();
            let Some(by) = below.iter().find(|one| one.name == own_type) else { continue };
            let is_other = !asked.iter().any(|(_, d)| d == own) || by.name != method.container;
            if is_other && rules.can_override(of, own_type, *file, own) {
                let of = format!("{}.{name}", by.of);
                all.push(Implementation {
                    definition: own.clone(),
                    name: name.to_owned(),
                    of,
                    transitive: by.transitive,
                    confidence: by.confidence,
                });
            }
        }
    }
    let place = |one: &Implementation| (one.definition.path.clone(), one.definition.line);
    all.sort_by_key(|one| (one.transitive, one.confidence, place(one)));
    let mut seen = HashSet::new();
    all.retain(|one| seen.insert(place(one)));
    out.implementations = all;
    out.definitions = asked.into_iter().map(|(_, definition)| definition).collect();
    Ok(out)
}

/// Types mix in modules of Ruby.
fn is_base(kind: Kind) -> bool {
    kind.is_type() || kind == Kind::Module
}

/// An object of Scala or Kotlin: it has no subtypes, though a type beside it may have its name.
fn is_object(d: &Definition) -> bool {
    let words = d.signature.split(|c: char| c.is_whitespace() || matches!(c, '(' | '{' | ':'));
    words
        .take_while(|word| !matches!(*word, "class" | "trait" | "interface" | "enum"))
        .any(|word| word == "object")
        && d.kind == Kind::Class
}

/// A type's name, its file and definition, and how sure its base is.
type Derived = (String, (usize, Definition), Confidence);

struct Found<'p, 'a> {
    project: &'p Project<'a>,
    heads: Heads,
    /// What names each type in a head, for types that are arrived at in several ways.
    known: RefCell<HashMap<String, Rc<References>>>,
}

impl Found<'_, '_> {
    /// The subtypes of these definitions of `name`, with their own subtypes.
    fn made_from(
        &self,
        name: &str,
        of: &[&(usize, Definition)],
        out: &mut Implementations,
    ) -> Result<Vec<Implementation>> {
        let mut all: Vec<Implementation> = Vec::new();
        let first: Vec<(usize, Definition)> = of.iter().map(|one| (*one).clone()).collect();
        let mut seen: HashSet<(String, u32)> = first.iter().map(|(_, d)| (d.path.clone(), d.line)).collect();
        let mut open = VecDeque::from([(name.to_owned(), first, false, Confidence::Resolved)]);
        let mut asked = 0;
        while let Some((name, of, transitive, sure)) = open.pop_front() {
            asked += 1;
            if asked > MAX_TYPES {
                out.cut = true;
                break;
            }
            for (derived, definition, confidence) in self.directly(&name, &of, out)? {
                if !seen.insert((definition.1.path.clone(), definition.1.line)) {
                    continue;
                }
                let confidence = confidence.max(sure);
                if !is_object(&definition.1) {
                    open.push_back((derived.clone(), vec![definition.clone()], true, confidence));
                }
                all.push(Implementation {
                    definition: definition.1,
                    name: derived,
                    of: name.clone(),
                    transitive,
                    confidence,
                });
            }
        }
        Ok(all)
    }

    /// The types whose own heads name one of these definitions.
    fn directly(
        &self,
        name: &str,
        of: &[(usize, Definition)],
        out: &mut Implementations,
    ) -> Result<Vec<Derived>> {
        let mut all = self.of_go(name, of);
        let found = self.in_heads(name)?;
        out.unread.extend(found.unread.iter().cloned());
        out.unread.sort();
        out.unread.dedup();
        // What names a type in its head may be resolved to its constructor, which is inside the type.
        let meant = |i: &usize| {
            let told = &found.definitions[*i];
            if is_object(told) {
                return false;
            }
            let made = |d: &Definition| {
                told.kind == Kind::Method && told.path == d.path && (d.line..=d.end_line).contains(&told.line)
            };
            of.iter().any(|(_, d)| d == told || made(d))
        };
        for one in &found.uses {
            let Some(derived) = &one.base_of else { continue };
            // If it's unknown which is meant, it may be this one only if there is no other.
            let fits = if one.of.is_empty() {
                found.definitions.iter().filter(|d| is_base(d.kind)).count() <= of.len()
            } else {
                one.of.iter().any(meant)
            };
            if !fits {
                continue;
            }
            for row in self.type_at(derived, &one.path, one.line)? {
                all.push((derived.clone(), row, one.confidence));
            }
        }
        Ok(all)
    }

    /// The uses of a name in the heads of types.
    fn in_heads(&self, name: &str) -> Result<Rc<References>> {
        if let Some(found) = self.known.borrow().get(name) {
            return Ok(Rc::clone(found));
        }
        let found = Rc::new(self.project.references(name, Some(&self.heads))?);
        self.known.borrow_mut().insert(name.to_owned(), Rc::clone(&found));
        Ok(found)
    }

    /// The type of that name around a line; else, as its head may be elsewhere, that of the file, or one in its language.
    fn type_at(&self, name: &str, path: &str, line: u32) -> Result<Vec<(usize, Definition)>> {
        let mut rows = definitions(self.project.store, self.project.reader, &[], name)?;
        let files = self.project.reader.files();
        let own = files.binary_search_by(|file| file.path.as_str().cmp(path)).ok();
        let spoken = |file: usize| family_of(&files[file].language);
        rows.retain(|(file, d)| is_base(d.kind) && own.is_none_or(|own| spoken(own) == spoken(*file)));
        let around = |d: &Definition| d.path == path && (d.line..=d.end_line).contains(&line);
        if let Some(row) = rows.iter().find(|(_, d)| around(d)) {
            return Ok(vec![row.clone()]);
        }
        if let Some(row) = self.qualified_at(name, path, line)? {
            return Ok(vec![row]);
        }
        if let Some(row) = rows.iter().find(|(_, d)| d.path == path) {
            return Ok(vec![row.clone()]);
        }
        rows.truncate(1);
        Ok(rows)
    }

    /// The type around a line that is written there with what is around it: Swift's `extension Media.Tape`.
    fn qualified_at(&self, name: &str, path: &str, line: u32) -> Result<Option<(usize, Definition)>> {
        let Project { store, reader, .. } = self.project;
        let ending = format!(".{name}");
        let names: Vec<String> = store.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT s.name FROM symbols s JOIN files f ON f.id = s.file
                 WHERE f.path = ?1 AND s.line <= ?2 AND s.end_line >= ?2 ORDER BY s.line DESC",
            )?;
            statement.query_map((path, line), |row| row.get::<_, String>(0))?.collect()
        })?;
        let Some(whole) = names.into_iter().find(|one| one.ends_with(&ending)) else { return Ok(None) };
        let rows = definitions(store, reader, &[], &whole)?;
        let around = |d: &Definition| d.path == path && (d.line..=d.end_line).contains(&line);
        Ok(rows.into_iter().find(|(_, d)| is_base(d.kind) && around(d)))
    }

    /// The types of Go that have all the methods of an interface.
    fn of_go(&self, name: &str, of: &[(usize, Definition)]) -> Vec<Derived> {
        let Project { store, reader, go, .. } = self.project;
        let mut out = Vec::new();
        for (file, interface) in of {
            if interface.kind != Kind::Interface || reader.files()[*file].language != "go" {
                continue;
            }
            let interface = ProjectType { name: name.to_owned(), file: *file, line: interface.line };
            for own in go.implementers(&interface) {
                let rows = definitions(store, reader, &[], &own.name).unwrap_or_default();
                let row = rows.into_iter().find(|(file, d)| (*file, d.line) == (own.file, own.line));
                out.extend(row.map(|row| (own.name, row, Confidence::Resolved)));
            }
        }
        out
    }
}
