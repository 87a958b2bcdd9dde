//! The whole project, as one question sees it: what was read and inferred is shared by all names that the question looks for. Finds
//! a name's uses in all files that may have them.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::rc::Rc;

use super::by_lines;
use super::given_names::GivenNames;
use super::heads::{self, Heads};
use super::infer::{DefinitionLookup, Go, ProjectType, Rust, Script, Source};
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

/// More definitions of one name aren't told apart from one that is asked for with its type, nor listed for one use.
pub(super) const MAX_NAMESAKES: usize = 400;

/// More places that only have the word aren't listed: nobody reads them, and an answer has its limits.
const MAX_PLACES: usize = 100_000;
/// The number of files that are parsed together, and of their bytes: their trees take about ten times as much.
const TOGETHER: usize = 64;
const BYTES_TOGETHER: usize = 1 << 20;
/// The maximum number of threads: a worker isn't the only program that runs.
const THREADS: usize = 4;

/// A file that may use a name, with its text.
struct Candidate {
    file: usize,
    text: String,
}

/// Parses those of the candidates that are `open`, each with its place, by several threads.
fn parse_all(
    files: &[File],
    candidates: &[Candidate],
    open: &[usize],
    macros: bool,
) -> Vec<(usize, Option<Source>)> {
    let parse = |i: &usize| {
        let one = &candidates[*i];
        (*i, Source::parse(one.file, &files[one.file], &one.text, macros))
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(THREADS);
    if threads == 1 || open.len() < 2 {
        return open.iter().map(parse).collect();
    }
    std::thread::scope(|scope| {
        let parts = open.chunks(open.len().div_ceil(threads));
        let running: Vec<_> =
            parts.map(|part| scope.spawn(move || part.iter().map(parse).collect::<Vec<_>>())).collect();
        // What a thread couldn't read counts as read by no grammar.
        running.into_iter().flat_map(|one| one.join().unwrap_or_default()).collect()
    })
}

/// The whole project, as resolving needs it to answer one question.
pub(super) struct Project<'a> {
    pub(super) store: &'a Store,
    pub(super) reader: &'a Reader,
    pub(super) root: &'a Path,
    pub(super) types: &'a Types<'a>,
    pub(super) facts: &'a DefinitionLookup<'a>,
    pub(super) go: &'a Go<'a>,
    pub(super) rust: &'a Rust<'a>,
    pub(super) script: &'a Script<'a>,
}

/// The definitions of one name, with what is known about them all.
pub(super) struct Asked {
    targets: Vec<Target>,
    /// The type that each belongs to, in languages whose types are followed.
    owners: Vec<Option<ProjectType>>,
    /// These types, each once.
    owning: Vec<ProjectType>,
    given: GivenNames,
}

impl Project<'_> {
    pub(super) fn asked(&self, definitions: &[(usize, Definition)], name: &str) -> Asked {
        let targets = targets(self.store, self.reader, definitions, name);
        let owner = |target| owner_of(self.go, self.rust, self.reader, target);
        let owners: Vec<Option<ProjectType>> = targets.iter().map(owner).collect();
        let owning: BTreeSet<ProjectType> = owners.iter().flatten().cloned().collect();
        let owning = owning.into_iter().collect();
        let given = GivenNames::of(self.facts, self.reader, &targets, name);
        Asked { targets, owners, owning, given }
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
        self.script.begin();
        // Other definitions of the name take part, so that their uses aren't reported as uses of this one.
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
        let wanted = |file: usize, text: &str| {
            let renames = renaming.contains(&file);
            let in_head = |naming: &HashSet<usize>| {
                let language = &reader.files()[file].language;
                renames || naming.contains(&file) || heads::may_be_unseen(language, text, name)
            };
            (renames || text.contains(name)) && naming.as_ref().is_none_or(in_head)
        };
        let mut files = files.into_iter();
        loop {
            let candidates = self.candidates(&mut files, &mut out.unread, wanted);
            if candidates.is_empty() {
                break;
            }
            let sources = self.parsed(&candidates, macros);
            for (Candidate { file, text }, source) in candidates.iter().zip(sources) {
                let (path, language) = (&reader.files()[*file].path, &reader.files()[*file].language);
                let Some(source) = source else {
                    let told = if heads.is_none() {
                        by_lines::definitions(language, path, text, &around, name)
                    } else {
                        Vec::new()
                    };
                    let is_told = |one: &Use| {
                        told.iter().any(|(column, of)| (of.line, *column) == (one.line, one.column))
                    };
                    let uses = textual_uses(path, text, name).filter(|one| !is_told(one));
                    add_places(&mut out, uses.filter(|_| heads.is_none()));
                    out.by_lines.extend(told.into_iter().map(|(_, definition)| definition));
                    continue;
                };
                let mut found = self.uses(&source, &asked, text, name, heads.is_some());
                if undefined {
                    // Locals and members of other types have the word, too.
                    let known: BTreeSet<(u32, u32)> = found.iter().map(|u| (u.line, u.column)).collect();
                    let is_known = |one: &Use| known.contains(&(one.line, one.column));
                    add_places(&mut out, textual_uses(path, text, name).filter(|one| !is_known(one)));
                }
                found.retain_mut(|one| {
                    let decided = !one.of.is_empty();
                    let place = |of: &usize| places.binary_search(of).ok();
                    one.of = one.of.iter().filter_map(place).collect();
                    !decided || !one.of.is_empty()
                });
                out.uses.extend(found);
            }
        }
        if !out.by_lines.is_empty() {
            out.similar.clear();
        }
        out.uses.sort_by(|a, b| {
            (a.confidence, &a.path, a.line, a.column).cmp(&(b.confidence, &b.path, b.line, b.column))
        });
        Ok(out)
    }

    /// The next of these files that are wanted, as many as are parsed together.
    fn candidates(
        &self,
        files: &mut impl Iterator<Item = usize>,
        unread: &mut Vec<String>,
        wanted: impl Fn(usize, &str) -> bool,
    ) -> Vec<Candidate> {
        let mut out = Vec::new();
        let mut bytes = 0;
        while out.len() < TOGETHER && bytes < BYTES_TOGETHER {
            let Some(file) = files.next() else { break };
            let path = &self.reader.files()[file].path;
            let Ok(read) = home::read_regular(&self.root.join(path), MAX_FILE_BYTES) else {
                unread.push(path.clone());
                continue;
            };
            let text = String::from_utf8_lossy(&read).into_owned();
            if wanted(file, &text) {
                bytes += text.len();
                out.push(Candidate { file, text });
            }
        }
        out
    }

    /// These files with their trees: as they were read before for the same question if that was the same text. One that no grammar
    /// reads has none.
    fn parsed(&self, candidates: &[Candidate], macros: bool) -> Vec<Option<Rc<Source>>> {
        let files = self.reader.files();
        let cached =
            |one: &Candidate| self.facts.cached(one.file).filter(|source| !macros && source.text == one.text);
        let mut out: Vec<Option<Rc<Source>>> = candidates.iter().map(cached).collect();
        let is_open =
            |i: &usize| out[*i].is_none() && !files[candidates[*i].file].role.is(FileRole::MINIFIED);
        let open: Vec<usize> = (0..out.len()).filter(is_open).collect();
        for (i, source) in parse_all(files, candidates, &open, macros) {
            let Some(mut source) = source else { continue };
            source.lines = self.store.imported_on(files[source.file].id).unwrap_or_default();
            let source = Rc::new(source);
            self.facts.keep(&source);
            out[i] = Some(source);
        }
        out
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
            script: self.script,
            owners: &asked.owners,
            owning: &asked.owning,
            source,
            reached: OnceCell::new(),
            on_types: RefCell::default(),
            on_members: RefCell::default(),
            named_by_lines: OnceCell::new(),
            bound: RefCell::default(),
        };
        uses_in(&around, &self.reader.files()[source.file].path, text, name, heads)
    }
}

/// Adds places that have the word, as many as are listed.
fn add_places(out: &mut References, mut places: impl Iterator<Item = Use>) {
    let room = MAX_PLACES.saturating_sub(out.uses.len());
    out.uses.extend(places.by_ref().take(room));
    out.cut |= places.next().is_some();
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
    // In their order, which is that of the places among all.
    let is_all = all.len() == asked.len();
    let places = (0..all.len()).filter(|place| is_all || asked.contains(&all[*place])).collect();
    Ok((all, places))
}
