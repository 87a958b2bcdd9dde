//! The whole project, as one question sees it: what was read and inferred is shared by all names that the question looks for. Finds
//! a name's uses in all files that may have them.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::rc::Rc;

use super::given_names::GivenNames;
use super::heads::{self, Heads};
use super::infer::{DefinitionLookup, Go, ProjectType, Rust, Source};
use super::resolution::FileContext;
use super::targets::{Target, definitions, files_with, owner_of, similar, split, targets};
use super::types::Types;
use super::{Definition, References, Use, textual_uses, uses_in};
use crate::analyse::MAX_INDEXED_BYTES;
use crate::error::Result;
use crate::grammar::Kind;
use crate::role::Role as FileRole;
use crate::search::{File, Reader};
use crate::store::Store;
use crate::walk::MAX_FILE_BYTES;

/// More definitions of one name aren't told apart from one that is asked for with its type.
const MAX_NAMESAKES: usize = 400;

/// The whole project, as resolving needs it to answer one question.
pub(super) struct Project<'a> {
    pub(super) store: &'a Store,
    pub(super) reader: &'a Reader,
    pub(super) root: &'a Path,
    pub(super) types: &'a Types<'a>,
    pub(super) facts: &'a DefinitionLookup<'a>,
    pub(super) go: &'a Go<'a>,
    pub(super) rust: &'a Rust<'a>,
}

/// The definitions of one name, with what is known about them all.
pub(super) struct Asked {
    targets: Vec<Target>,
    /// The type that each belongs to, in languages whose types are followed.
    owners: Vec<Option<ProjectType>>,
    given: GivenNames,
}

impl Project<'_> {
    pub(super) fn asked(&self, definitions: &[(usize, Definition)], name: &str) -> Asked {
        let targets = targets(self.store, self.reader, definitions, name);
        let owner = |target| owner_of(self.go, self.rust, self.reader, target);
        let owners = targets.iter().map(owner).collect();
        let given = GivenNames::of(self.facts, self.reader, &targets, name);
        Asked { targets, owners, given }
    }

    /// Finds the definitions and uses of `name`; with `heads`, of the uses only those in the heads of types, for which few files
    /// are parsed.
    pub(super) fn references(&self, name: &str, heads: Option<&Heads>) -> Result<References> {
        let (store, reader) = (self.store, self.reader);
        let (around, name) = split(name);
        let definitions = definitions(store, reader, &around, name)?;
        let mut out = References::default();
        if definitions.is_empty() {
            out.similar = similar(store, name)?;
        }
        self.facts.begin();
        // Others of the name take part, so that what means one of them isn't told as a use of this one.
        let (all, places) = with_namesakes(store, reader, &around, name, &definitions)?;
        let asked = self.asked(&all, name);
        out.definitions = definitions.into_iter().map(|(_, d)| d).collect();
        let macros = asked.targets.iter().any(|t| t.kind == Kind::Macro);
        let renaming = asked.given.importers(reader, name);
        let mut files: BTreeSet<usize> = files_with(store, reader, name)?.into_iter().collect();
        files.extend(&renaming);
        let undefined = asked.targets.is_empty();
        if undefined {
            // That no file has the word is reported only if it's true: the index doesn't have all words of these files.
            let partly =
                |file: &File| file.role.is(FileRole::MINIFIED) || file.size > MAX_INDEXED_BYTES as u64;
            files.extend((0..reader.files().len()).filter(|i| partly(&reader.files()[*i])));
        }
        let naming = heads.map(|heads| heads.naming(name));
        for file in files {
            let known = &reader.files()[file];
            let path = &known.path;
            let Ok(bytes) = home::read_regular(&self.root.join(path), MAX_FILE_BYTES) else {
                out.unread.push(path.clone());
                continue;
            };
            let text = String::from_utf8_lossy(&bytes);
            if !text.contains(name) && !renaming.contains(&file) {
                continue;
            }
            let in_head = |naming: &HashSet<usize>| {
                naming.contains(&file)
                    || renaming.contains(&file)
                    || heads::may_be_unseen(&known.language, &text, name)
            };
            if !naming.as_ref().is_none_or(in_head) {
                continue;
            }
            let minified = known.role.is(FileRole::MINIFIED);
            let parsed = if minified { None } else { self.parsed(file, &text, macros) };
            let Some(source) = parsed else {
                out.uses.extend(textual_uses(path, &text, name).filter(|_| heads.is_none()));
                continue;
            };
            let mut found = self.uses(&source, &asked, &text, name, heads.is_some());
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

    /// A file with its tree, as it was read before for the same question if that was the same text.
    fn parsed(&self, file: usize, text: &str, macros: bool) -> Option<Rc<Source>> {
        let cached = self.facts.cached(file).filter(|source| !macros && source.text == text);
        cached.or_else(|| {
            let source = Rc::new(Source::read(self.store, self.reader, file, text, macros)?);
            self.facts.keep(&source);
            Some(source)
        })
    }

    /// The uses of `name` in a file with this text; with `heads`, only those in the heads of types.
    pub(super) fn uses(
        &self,
        source: &Source,
        asked: &Asked,
        text: &str,
        name: &str,
        heads: bool,
    ) -> Vec<Use> {
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
        uses_in(&around, &self.reader.files()[source.file].path, text, name, heads)
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
