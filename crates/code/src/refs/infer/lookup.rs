//! Gives type inference its input: definitions by name from the index, and the syntax trees of their files, of which it caches a
//! limited number.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

use tree_sitter::{Node, Tree};

use super::super::text_matches::whole_words;
use super::parts::Parts;
use super::rust_macros;
use crate::component_script;
use crate::global_usings::GlobalUsings;
use crate::grammar::Kind;
use crate::language;
use crate::parse;
use crate::resolve::Resolver;
use crate::search::{File, Reader};
use crate::second_parse;
use crate::store::Store;
use crate::symbols::{self, Outline};
use crate::walk::MAX_FILE_BYTES;
use crate::words;

/// The maximum size of cached texts; their trees take about ten times as much.
const MAX_HELD_BYTES: usize = 2 << 20;
/// The number of bytes that are read for one question; after that nothing more is known.
const MAX_READ_BYTES: usize = 24 << 20;
/// The most definitions of one name that are looked at.
const MAX_ROWS: u32 = 200;
/// A type that is written in more parts than these is read no further.
const MAX_PARTS: usize = 20;

/// One file with its tree.
pub(in crate::refs) struct Source {
    pub(in crate::refs) file: usize,
    pub(in crate::refs) text: String,
    pub(in crate::refs) tree: Tree,
    pub(in crate::refs) outline: Outline,
    /// Lines that import, with the number of the file that each imports.
    pub(in crate::refs) lines: Vec<(u32, i64)>,
    /// Which parts of its nodes declare a name.
    pub(super) parts: Parts,
    /// Where its lines begin.
    starts: OnceCell<Vec<usize>>,
}

impl Source {
    /// Parses a file's text, or only the script of a component; `None` if no grammar reads it.
    ///
    /// Arguments of Rust macros are read as expressions, which they usually are, unless the `macros` are asked for.
    pub(in crate::refs) fn read(
        store: &Store,
        reader: &Reader,
        file: usize,
        text: &str,
        macros: bool,
    ) -> Option<Source> {
        let known = reader.files().get(file)?;
        let mut source = Source::parse(file, known, text, macros)?;
        source.lines = store.imported_on(known.id).unwrap_or_default();
        Some(source)
    }

    /// The same without the lines that import, which only the index knows.
    pub(in crate::refs) fn parse(file: usize, known: &File, text: &str, macros: bool) -> Option<Source> {
        if known.fatal {
            return None;
        }
        let grammar = language::by_name(&known.language).and_then(language::Language::grammar)?;
        let text = component_script::of(&known.language, text).unwrap_or_else(|| text.to_owned());
        let mut tree = second_parse::parse(grammar, &known.language, &text, parse::MAX_STEPS).ok()?;
        if known.language == "rust"
            && !macros
            && let Some(mut opened) = rust_macros::unwrap_macros(&tree, &text)
        {
            let parsed = |text: &str| parse::parse(grammar, text, parse::MAX_STEPS).ok();
            let reads = |text: &str| parsed(text).is_some_and(|tree| !tree.root_node().has_error());
            let mut of_opened = parsed(&opened.text);
            if of_opened.as_ref().is_none_or(|tree| tree.root_node().has_error()) {
                opened.close_non_expressions(&text, reads);
                of_opened = parsed(&opened.text);
            }
            tree = of_opened.unwrap_or(tree);
        }
        let outline = symbols::outline(grammar, &known.language, &tree, &text, &known.path);
        let (parts, starts) = (Parts::default(), OnceCell::new());
        Some(Source { file, text, tree, outline, lines: Vec::new(), parts, starts })
    }

    /// The node of `name` on a line.
    pub(in crate::refs) fn named_on(&self, line: u32, name: &str) -> Option<Node<'_>> {
        let starts = self.starts.get_or_init(|| {
            let after = self.text.match_indices('\n').map(|(at, _)| at + 1);
            std::iter::once(0).chain(after).collect()
        });
        let start = *starts.get((line as usize).saturating_sub(1))?;
        let row = self.text[start..].lines().next()?;
        let root = self.tree.root_node();
        whole_words(row, name).find_map(|at| {
            let (from, to) = (start + at, start + at + name.len());
            root.descendant_for_byte_range(from, to).filter(|node| node.byte_range() == (from..to))
        })
    }

    /// The text of a node.
    pub(super) fn text_of(&self, node: Node<'_>) -> &str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }
}

/// A definition, as the index has it.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) file: usize,
    pub(super) line: u32,
    pub(super) kind: Kind,
    pub(super) container: String,
}

/// Answers from the index and the files, remembered while one name is looked for.
pub(in crate::refs) struct DefinitionLookup<'a> {
    store: &'a Store,
    pub(super) reader: &'a Reader,
    root: &'a Path,
    rows: RefCell<HashMap<String, Rc<Vec<Row>>>>,
    sources: RefCell<HashMap<usize, Option<Rc<Source>>>>,
    held: Cell<usize>,
    read: Cell<usize>,
    modules: OnceCell<Resolver>,
    usings: OnceCell<GlobalUsings>,
    namespaces: RefCell<HashMap<usize, Rc<[String]>>>,
}

impl<'a> DefinitionLookup<'a> {
    pub(in crate::refs) fn new(store: &'a Store, reader: &'a Reader, root: &'a Path) -> DefinitionLookup<'a> {
        DefinitionLookup {
            store,
            reader,
            root,
            rows: RefCell::default(),
            sources: RefCell::default(),
            held: Cell::new(0),
            read: Cell::new(0),
            modules: OnceCell::new(),
            usings: OnceCell::new(),
            namespaces: RefCell::default(),
        }
    }

    /// The namespaces of C# that files use for their whole projects.
    pub(in crate::refs) fn global_usings(&self) -> &GlobalUsings {
        self.usings.get_or_init(|| self.store.read(GlobalUsings::read).unwrap_or_default())
    }

    /// The namespaces that a file of PHP declares.
    pub(in crate::refs) fn namespaces(&self, file: usize) -> Rc<[String]> {
        if let Some(found) = self.namespaces.borrow().get(&file) {
            return Rc::clone(found);
        }
        let read = |id: i64| {
            self.store.read(|db| {
                let mut statement =
                    db.prepare_cached("SELECT name FROM symbols WHERE file = ?1 AND kind = 'module'")?;
                let names = statement.query_map([id], |row| row.get(0))?;
                names.collect::<rusqlite::Result<Vec<String>>>()
            })
        };
        let known = self.reader.files().get(file);
        let found: Rc<[String]> = known.and_then(|known| read(known.id).ok()).unwrap_or_default().into();
        self.namespaces.borrow_mut().insert(file, Rc::clone(&found));
        found
    }

    /// The definitions of `name` other than fields and variants, which are read from their types.
    pub(super) fn rows(&self, name: &str) -> Rc<Vec<Row>> {
        if let Some(found) = self.rows.borrow().get(name) {
            return Rc::clone(found);
        }
        let mut folded = String::new();
        words::whole(name, &mut folded);
        let read = self.store.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT s.file, s.line, s.kind, s.container FROM symbols s JOIN files f ON f.id = s.file
                 WHERE s.folded = ?1 AND s.name = ?2 AND s.kind NOT IN ('field', 'variant')
                 ORDER BY f.path, s.line, s.id LIMIT ?3",
            )?;
            let mut rows = statement.query(rusqlite::params![folded, name, MAX_ROWS])?;
            let mut out = Vec::new();
            while let Some(row) = rows.next()? {
                let Some(file) = self.reader.place(row.get(0)?) else { continue };
                let kind = Kind::from_name(row.get_ref(2)?.as_str().unwrap_or_default());
                let kind = kind.unwrap_or(Kind::Constant);
                out.push(Row { file, line: row.get(1)?, kind, container: row.get(3)? });
            }
            Ok(out)
        });
        let rows = Rc::new(read.unwrap_or_default());
        self.rows.borrow_mut().insert(name.to_owned(), Rc::clone(&rows));
        rows
    }

    /// Whether a type of the project is called so.
    pub(in crate::refs) fn is_type(&self, name: &str) -> bool {
        self.rows(name).iter().any(|row| row.kind.is_type())
    }

    /// Whether a type of the project is another name: `type Row = Line | Note`.
    pub(in crate::refs) fn is_alias(&self, name: &str) -> bool {
        self.rows(name).iter().any(|row| row.kind == Kind::Type)
    }

    /// The files and containers of the types called `name`.
    pub(in crate::refs) fn types_called(&self, name: &str) -> Vec<(usize, String)> {
        let rows = self.rows(name);
        rows.iter().filter(|row| row.kind.is_type()).map(|row| (row.file, row.container.clone())).collect()
    }

    /// The files and lines of the types and modules called `name`, in languages whose bodies name what they mix in.
    pub(in crate::refs) fn that_mix_in(&self, name: &str) -> Vec<(Rc<Source>, u32)> {
        let rows = self.rows(name);
        let takes = |row: &&Row| {
            let language = self.reader.files().get(row.file).map_or("", |file| file.language.as_str());
            matches!(language, "ruby" | "php") && (row.kind.is_type() || row.kind == Kind::Module)
        };
        rows.iter()
            .filter(takes)
            .take(MAX_PARTS)
            .filter_map(|row| Some((self.source(row.file)?, row.line)))
            .collect()
    }

    /// A file with its tree, unless its grammar gives up on it or enough was read.
    pub(in crate::refs) fn source(&self, file: usize) -> Option<Rc<Source>> {
        if let Some(found) = self.sources.borrow().get(&file) {
            return found.clone();
        }
        let found = (self.read.get() < MAX_READ_BYTES).then(|| self.read_source(file)).flatten().map(Rc::new);
        self.read.set(self.read.get() + found.as_ref().map_or(0, |source| source.text.len()));
        self.hold(file, found.clone());
        found
    }

    fn read_source(&self, file: usize) -> Option<Source> {
        let known = self.reader.files().get(file)?;
        let bytes = home::read_regular(&self.root.join(&known.path), MAX_FILE_BYTES).ok()?;
        Source::read(self.store, self.reader, file, &String::from_utf8_lossy(&bytes), false)
    }

    /// Starts a search for a new name, with its own read budget.
    pub(in crate::refs) fn begin(&self) {
        self.read.set(0);
        self.sources.borrow_mut().retain(|_, source| source.is_some());
    }

    /// A file with its tree, if it was read and is remembered.
    pub(in crate::refs) fn cached(&self, file: usize) -> Option<Rc<Source>> {
        self.sources.borrow().get(&file).cloned().flatten()
    }

    /// Remembers a file that was read for another reason.
    pub(in crate::refs) fn keep(&self, source: &Rc<Source>) {
        self.hold(source.file, Some(Rc::clone(source)));
    }

    fn hold(&self, file: usize, source: Option<Rc<Source>>) {
        let bytes = source.as_ref().map_or(0, |source| source.text.len());
        let mut sources = self.sources.borrow_mut();
        if self.held.get() + bytes > MAX_HELD_BYTES {
            sources.clear();
            self.held.set(0);
        }
        self.held.set(self.held.get() + bytes);
        sources.insert(file, source);
    }

    /// The folder a file is in.
    pub(super) fn folder(&self, file: usize) -> &'a str {
        let path = self.reader.files().get(file).map_or("", |file| file.path.as_str());
        path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// The name of what a file imports where it's defined, if the imported file exports it by another name.
    pub(in crate::refs) fn exported_as(&self, source: &Source, here: &str) -> Option<String> {
        let imports = source.outline.imports.iter();
        let bound = imports.flat_map(|import| import.bound.iter().map(move |bound| (import.line, bound)));
        for (line, (_, there)) in bound.filter(|(_, (called, _))| called == here) {
            for file in self.imported(source, line) {
                let given = self.source(file)?;
                let mut exports = given.outline.exports.iter();
                if let Some(own) = exports.find(|one| one.given == *there && !one.from) {
                    return Some(own.own.clone());
                }
            }
        }
        None
    }

    /// The files that a line of a file imports.
    pub(in crate::refs) fn imported(&self, source: &Source, line: u32) -> Vec<usize> {
        let on = source.lines.iter().filter(|(at, _)| *at == line);
        on.filter_map(|(_, id)| self.reader.place(*id)).collect()
    }

    /// The file of the module that a path of Rust names in a file: `crate`, `super::inner`.
    pub(super) fn module_file(&self, from: usize, path: &str) -> Option<usize> {
        let modules = self.modules.get_or_init(|| {
            let files = self.reader.files().iter();
            Resolver::new(files.map(|file| (file.path.as_str(), file.language.as_str())), &|_| None)
        });
        let mut found = Vec::new();
        modules.resolve(from, path, &[], &mut found);
        found.first().copied()
    }
}
