//! Resolves what a name at a place refers to, most certain rule first: bound in its file, imported, reached through a receiver
//! of known type or module, or none of these.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};

use super::infer::{Go, MethodTarget, ProjectType, Rust, Source};
use super::occurrences::{Occurrence, Role};
use super::types::Types;
use super::{Confidence, Target};
use crate::grammar::Kind;
use crate::imports::{DEFAULT, Import, WHOLE};
use crate::search::Reader;
use crate::symbols::Outline;

use Confidence::{InScope, Resolved, Textual};

/// How many files may pass a name on before it arrives.
const MAX_PASSES: u32 = 8;
/// How far up a type's bases are followed.
const MAX_BASES: u32 = 6;

type Verdict = (Confidence, Vec<usize>);

/// One file among all others.
pub(super) struct FileContext<'a> {
    pub(super) reader: &'a Reader,
    pub(super) file: usize,
    pub(super) targets: &'a [Target],
    pub(super) types: &'a Types<'a>,
    /// Type inference for statically typed languages.
    pub(super) go: &'a Go<'a>,
    pub(super) rust: &'a Rust<'a>,
    /// The type that each target belongs to, if known.
    pub(super) owners: &'a [Option<ProjectType>],
    /// The file with its tree.
    pub(super) source: &'a Source,
    /// The files reachable from this one, computed on first use.
    pub(super) reached: OnceCell<HashSet<usize>>,
}

impl FileContext<'_> {
    /// What `name`, spelt `spelt`, refers to at this occurrence.
    pub(super) fn resolve(&self, o: &Occurrence, outline: &Outline, spelt: &str, name: &str) -> Verdict {
        if o.role == Role::Text || self.targets.is_empty() || o.key {
            return (Textual, Vec::new());
        }
        if o.role == Role::Import {
            return self.resolve_import(o, outline, name);
        }
        let (confidence, mut of) = match &o.receiver {
            None => self.resolve_bare_name(o, outline, spelt, name),
            Some(receiver) => self
                .resolve_by_type(o, spelt)
                .unwrap_or_else(|| self.resolve_with_receiver(o, outline, receiver)),
        };
        if o.prefix {
            let holds = |kind: Kind| kind.is_type() || kind == Kind::Module;
            of.retain(|i| holds(self.targets[*i].kind));
        }
        // A type and a value of one name live side by side; a class and an enumeration are both.
        let both = |kind: Kind| matches!(kind, Kind::Class | Kind::Enum | Kind::Module);
        if o.type_place || o.value_place {
            of.retain(|i| {
                let kind = self.targets[*i].kind;
                both(kind) || kind.is_type() == o.type_place
            });
        }
        if self.language() == "rust" {
            let rest = self.source.text.get(o.at + spelt.len()..).unwrap_or_default().trim_start();
            of.retain(|i| is_written_as(self.targets[*i].kind, rest, o.receiver.is_some()));
        }
        if of.is_empty() { (Textual, of) } else { (confidence, of) }
    }

    /// What a name after a dot refers to, by type inference.
    fn resolve_by_type(&self, o: &Occurrence, spelt: &str) -> Option<Verdict> {
        let root = self.source.tree.root_node();
        let node = root.descendant_for_byte_range(o.at, o.at + spelt.len())?;
        let owners: Vec<ProjectType> =
            self.owners.iter().flatten().cloned().collect::<BTreeSet<_>>().into_iter().collect();
        let meant = match self.language() {
            "go" => self.go.method_target(self.source, node, &owners),
            "rust" => self.rust.method_target(self.source, node, &owners),
            _ => return None,
        };
        let of = match meant {
            MethodTarget::Method { of, related } => self.owned_by(|own| *own == of || related.contains(own)),
            MethodTarget::Possible(owners) => {
                let of = self.owned_by(|own| owners.contains(own));
                return Some(if of.is_empty() { (Textual, of) } else { (InScope, of) });
            }
            MethodTarget::Definition(file, line) => self.targets_where(|t| (t.file, t.line) == (file, line)),
            MethodTarget::InPackage(folder) => self.targets_where(|t| t.is_free() && t.folder == folder),
            MethodTarget::Nothing => Vec::new(),
            MethodTarget::Unknown if self.language() == "rust" => return None,
            MethodTarget::Unknown => {
                let near = self.targets_where(|t| !t.is_free() && self.is_near(t));
                return Some(if near.is_empty() { (Textual, near) } else { (InScope, near) });
            }
        };
        Some(if of.is_empty() { (Textual, of) } else { (Resolved, of) })
    }

    /// The free targets that are in these files, else in those that they pass on, the nearest alone.
    fn targets_through_reexports(&self, from: &[usize]) -> Vec<usize> {
        let files = self.reader.files();
        let mut known: HashSet<usize> = from.iter().copied().collect();
        let mut level: Vec<usize> = from.to_vec();
        for _ in 0..=MAX_PASSES {
            let of = self.targets_where(|t| t.is_free() && level.contains(&t.file));
            if !of.is_empty() || level.is_empty() {
                return of;
            }
            level = level
                .iter()
                .flat_map(|f| &files[*f].passes_on)
                .map(|f| *f as usize)
                .filter(|f| known.insert(*f))
                .collect();
        }
        Vec::new()
    }

    /// The targets that belong to such a type.
    fn owned_by(&self, fits: impl Fn(&ProjectType) -> bool) -> Vec<usize> {
        let owners = self.owners.iter().enumerate();
        owners.filter(|(_, own)| own.as_ref().is_some_and(&fits)).map(|(i, _)| i).collect()
    }

    fn targets_where(&self, fits: impl Fn(&Target) -> bool) -> Vec<usize> {
        self.targets.iter().enumerate().filter(|(_, t)| fits(t)).map(|(i, _)| i).collect()
    }

    /// The folder of this file.
    fn folder(&self) -> &str {
        self.reader.files()[self.file].path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    fn language(&self) -> &str {
        &self.reader.files()[self.file].language
    }

    /// A name in an import: what the imported file has or passes on.
    fn resolve_import(&self, o: &Occurrence, outline: &Outline, name: &str) -> Verdict {
        let named =
            |i: &&Import| i.names.iter().any(|n| n == name) || i.bound.iter().any(|(_, there)| there == name);
        // An import may take several lines and is identified by its first.
        let here = outline.imports.iter().filter(|i| i.line <= o.line && named(i)).map(|i| i.line).max();
        let Some(line) = here else { return (Textual, Vec::new()) };
        let of = self.targets_through_reexports(&self.imported_on(line));
        if of.is_empty() { (Textual, of) } else { (Resolved, of) }
    }

    /// A name without anything before it.
    fn resolve_bare_name(&self, o: &Occurrence, outline: &Outline, spelt: &str, name: &str) -> Verdict {
        if !o.bound.is_empty() {
            let of = self.targets_where(|t| t.file == self.file && o.bound.contains(&t.line));
            return if of.is_empty() { (Textual, of) } else { (Resolved, of) };
        }
        let language = self.language();
        let mut imported = false;
        let mut of = BTreeSet::new();
        for import in &outline.imports {
            for (_, there) in import.bound.iter().filter(|(here, _)| here == spelt) {
                imported = true;
                let direct = self.imported_on(import.line);
                if there == name {
                    of.extend(self.targets_through_reexports(&direct));
                } else if there == DEFAULT {
                    of.extend(self.targets_where(|t| t.is_free() && direct.contains(&t.file)));
                }
            }
        }
        if imported {
            let of: Vec<usize> = of.into_iter().collect();
            return if of.is_empty() { (Textual, of) } else { (Resolved, of) };
        }
        for import in outline.imports.iter().filter(|i| i.bound.iter().any(|(here, _)| here == WHOLE)) {
            of.extend(self.targets_through_reexports(&self.imported_on(import.line)));
        }
        let folder = self.folder();
        let same_package = matches!(language, "go" | "java" | "kotlin" | "csharp" | "scala" | "swift");
        let strict =
            matches!(language, "typescript" | "tsx" | "javascript" | "svelte" | "vue" | "python" | "rust");
        let owner = o
            .inside
            .and_then(|i| outline.symbols.get(i))
            .map(|s| {
                if s.kind.is_type() { s.name.as_str() } else { s.container.rsplit('.').next().unwrap_or("") }
            })
            .unwrap_or("");
        let rules = [
            of.into_iter().collect(),
            if strict || language == "go" {
                Vec::new()
            } else {
                self.targets_where(|t| t.file == self.file && (t.is_free() || t.owner == owner))
            },
            if same_package { self.targets_where(|t| t.folder == folder && t.is_free()) } else { Vec::new() },
            if matches!(language, "c" | "cpp" | "ruby" | "php" | "shell") {
                self.targets_where(|t| t.is_free() && self.reaches(t.file))
            } else {
                Vec::new()
            },
            // A macro is visible in the whole crate.
            if language == "rust" { self.targets_where(|t| t.kind == Kind::Macro) } else { Vec::new() },
        ];
        if let Some(of) = rules.into_iter().find(|of| !of.is_empty()) {
            return (Resolved, of);
        }
        if language == "rust"
            && let Some((file, line)) = self.rust.visible(self.file, spelt)
        {
            let of = self.targets_where(|t| (t.file, t.line) == (file, line));
            return if of.is_empty() { (Textual, of) } else { (Resolved, of) };
        }
        if strict || language == "go" {
            return (Textual, Vec::new());
        }
        let inherited = self.targets_where(|t| {
            !t.is_free() && !owner.is_empty() && self.types.is_a(owner, &t.owner, MAX_BASES)
        });
        if !inherited.is_empty() {
            return (Resolved, inherited);
        }
        let near = self.targets_where(|t| t.is_free() && self.is_near(t));
        if near.is_empty() { (Textual, near) } else { (InScope, near) }
    }

    /// A name after a receiver.
    fn resolve_with_receiver(&self, o: &Occurrence, outline: &Outline, receiver: &str) -> Verdict {
        let receiver = receiver.trim_end_matches(['!', '?']);
        let last = receiver.rsplit(['.', ':', '>']).next().unwrap_or(receiver);
        let mut foreign = false;
        for import in &outline.imports {
            for (here, there) in &import.bound {
                if here != receiver {
                    continue;
                }
                let direct = self.imported_on(import.line);
                let module = |i: &usize| self.stem(*i) == there.as_str();
                let of = if there == WHOLE {
                    self.targets_through_reexports(&direct)
                } else {
                    self.targets_through_reexports(&direct.iter().copied().filter(module).collect::<Vec<_>>())
                };
                if !of.is_empty() {
                    return (Resolved, of);
                }
                // A name without a definition denotes a module: `export * as name`.
                if there != WHOLE && there != DEFAULT && !self.types.is_defined(there) {
                    let of = self.targets_through_reexports(&direct);
                    if !of.is_empty() {
                        return (Resolved, of);
                    }
                }
                if there != WHOLE && there != DEFAULT {
                    let verdict = self.resolve_on_type(there);
                    if !verdict.1.is_empty() {
                        return verdict;
                    }
                }
                foreign |= direct.is_empty();
            }
        }
        if foreign {
            return (Textual, Vec::new());
        }
        if let Some(of) = &o.receiver_type {
            let there = outline.imports.iter().flat_map(|i| &i.bound).find(|(here, _)| here == of);
            let of = there
                .map(|(_, there)| there)
                .filter(|there| *there != WHOLE && *there != DEFAULT)
                .unwrap_or(of);
            return self.resolve_on_type(of);
        }
        if matches!(receiver, "super" | "super()" | "base" | "parent") {
            let inside = o.inside.and_then(|i| outline.symbols.get(i));
            let owner = inside.map_or("", |s| s.container.rsplit('.').next().unwrap_or(""));
            for base in self.types.bases(owner) {
                let verdict = self.resolve_on_type(&base);
                if verdict.0 == Resolved {
                    return verdict;
                }
            }
        }
        let own = self.targets_where(|t| !t.owner.is_empty() && t.owner == last && self.is_near(t));
        if !own.is_empty() {
            return (Resolved, own);
        }
        // `module.name`, `package.Name`, `crate::module::name`
        let inner = ["crate::", "super::", "self::"].iter().any(|p| receiver.starts_with(p));
        let by_name =
            !matches!(self.language(), "typescript" | "tsx" | "javascript" | "svelte" | "vue" | "python");
        let module = self.targets_where(|t| {
            let package = t.folder.rsplit('/').next().unwrap_or("");
            t.is_free() && (t.stem == last || package == last) && (inner || self.reaches(t.file))
        });
        if by_name && !module.is_empty() {
            return (Resolved, module);
        }
        if inner && matches!(receiver, "crate" | "self" | "super") {
            return (Textual, Vec::new());
        }
        let near = self.targets_where(|t| !t.is_free() && self.is_near(t));
        if !near.is_empty() {
            return (InScope, near);
        }
        // The only one of its name, called as what it is.
        if self.targets.len() == 1 && !self.targets[0].is_free() && o.role == Role::Call {
            return (InScope, vec![0]);
        }
        (Textual, Vec::new())
    }

    /// A member of the type `of`, and what overrides it or is overridden by it: a call of the one may be of the others.
    fn resolve_on_type(&self, of: &str) -> Verdict {
        let (confidence, mut found) = self.resolve_member(of);
        if confidence == Resolved && self.language() != "python" {
            let related =
                |a: &str, b: &str| self.types.is_a(a, b, MAX_BASES) || self.types.is_a(b, a, MAX_BASES);
            loop {
                let more = self.targets_where(|t| {
                    !t.owner.is_empty() && found.iter().any(|i| related(&self.targets[*i].owner, &t.owner))
                });
                if more.len() <= found.len() {
                    break;
                }
                found = more;
            }
        }
        (confidence, found)
    }

    /// A member of the type `of`: its own, one of what it is made from, or a stranger's.
    fn resolve_member(&self, of: &str) -> Verdict {
        let own = self.targets_where(|t| t.owner == of);
        if !own.is_empty() {
            let near: Vec<usize> = own.iter().copied().filter(|i| self.is_near(&self.targets[*i])).collect();
            return (Resolved, if near.is_empty() { own } else { near });
        }
        let mut level = self.types.bases(of);
        for _ in 0..MAX_BASES {
            let above = self.targets_where(|t| !t.owner.is_empty() && level.contains(&t.owner));
            if !above.is_empty() {
                return (Resolved, above);
            }
            level = level.iter().flat_map(|base| self.types.bases(base)).collect();
        }
        let below = self.targets_where(|t| !t.owner.is_empty() && self.types.is_a(&t.owner, of, MAX_BASES));
        if below.is_empty() { (Textual, below) } else { (InScope, below) }
    }

    fn is_near(&self, t: &Target) -> bool {
        let package = || self.language() == "go" && t.folder == self.folder();
        t.file == self.file || package() || self.reaches(t.file)
    }

    fn imported_on(&self, line: u32) -> Vec<usize> {
        self.source
            .lines
            .iter()
            .filter(|(at, _)| *at == line)
            .filter_map(|(_, id)| self.reader.place(*id))
            .collect()
    }

    /// The module name of this file.
    fn stem(&self, file: usize) -> &str {
        let path = &self.reader.files()[file].path;
        let mut parts = path.rsplit('/');
        let stem = parts.next().unwrap_or(path).split('.').next().unwrap_or("");
        if matches!(stem, "mod" | "index" | "__init__") { parts.next().unwrap_or(stem) } else { stem }
    }

    /// These files and those whose names they pass on.
    fn reexporting_files(&self, from: &[usize]) -> HashSet<usize> {
        let files = self.reader.files();
        let mut out: HashSet<usize> = from.iter().copied().collect();
        let mut edge: Vec<usize> = from.to_vec();
        for _ in 0..MAX_PASSES {
            let next: Vec<usize> = edge
                .iter()
                .flat_map(|f| &files[*f].passes_on)
                .map(|f| *f as usize)
                .filter(|f| out.insert(*f))
                .collect();
            if next.is_empty() {
                break;
            }
            edge = next;
        }
        out
    }

    /// Whether this file imports that one, directly or through files that pass on what they import.
    fn reaches(&self, to: usize) -> bool {
        let reached = self.reached.get_or_init(|| {
            let direct: Vec<usize> =
                self.reader.files()[self.file].imports.iter().map(|f| *f as usize).collect();
            self.reexporting_files(&direct)
        });
        reached.contains(&to)
    }
}

/// Whether a name of Rust that `rest` follows may be of this kind: a macro has its mark, a module is part of a path, and a
/// method has a receiver.
fn is_written_as(kind: Kind, rest: &str, receiver: bool) -> bool {
    let of_macro = rest.starts_with('!') && !rest.starts_with("!=");
    match kind {
        Kind::Macro => of_macro,
        Kind::Module => rest.starts_with("::"),
        Kind::Method => receiver && !of_macro,
        _ => !of_macro,
    }
}
