//! Resolves what a name at a place refers to, most certain rule first: bound in its file, imported, reached through a receiver
//! of known type or module, or none of these.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::given_names::GivenNames;
use super::infer::{Declared, DefinitionLookup, Go, ProjectType, Rust, Script, Source};
use super::keys::is_initialized;
use super::occurrences::{Occurrence, Role};
use super::scopes::Bindings;
use super::syntax_nodes::in_package_name;
use super::types::Types;
use super::{Confidence, Target};
use crate::grammar::Kind;
use crate::imports::{DEFAULT, Import, WHOLE};
use crate::language::is_jvm;
use crate::search::Reader;
use crate::symbols::Outline;

use Confidence::{InScope, Resolved, Textual};

/// How many files may pass a name on before it arrives.
pub(super) const MAX_PASSES: u32 = 8;
/// How far up a type's bases are followed.
pub(super) const MAX_BASES: u32 = 6;

pub(super) type Verdict = (Confidence, Vec<usize>);

/// One file among all others.
pub(super) struct FileContext<'a> {
    pub(super) reader: &'a Reader,
    pub(super) file: usize,
    pub(super) targets: &'a [Target],
    /// The names by which files give them out.
    pub(super) given: &'a GivenNames,
    pub(super) types: &'a Types<'a>,
    pub(super) facts: &'a DefinitionLookup<'a>,
    /// Type inference for statically typed languages.
    pub(super) go: &'a Go<'a>,
    pub(super) rust: &'a Rust<'a>,
    pub(super) script: &'a Script<'a>,
    /// The type that each target belongs to, if known.
    pub(super) owners: &'a [Option<ProjectType>],
    /// These types, each once.
    pub(super) owning: &'a [ProjectType],
    /// The file with its tree.
    pub(super) source: &'a Source,
    /// The files reachable from this one, computed on first use.
    pub(super) reached: OnceCell<HashSet<usize>>,
    /// What a member of a type means, by the type's name.
    pub(super) on_types: RefCell<HashMap<String, Verdict>>,
    /// What a member means by the place where it's declared.
    pub(super) on_members: RefCell<HashMap<Declared, Vec<usize>>>,
    /// The namespaces of C++ that the file uses, and the types that it declares without a body.
    pub(super) named_by_lines: OnceCell<(HashSet<String>, HashSet<String>)>,
    /// What binds a name in the file, by the name.
    pub(super) bound: RefCell<HashMap<String, Rc<Bindings>>>,
}

impl FileContext<'_> {
    /// What `name`, spelt `spelt`, refers to at this occurrence.
    pub(super) fn resolve(&self, o: &Occurrence, outline: &Outline, spelt: &str, name: &str) -> Verdict {
        if o.role == Role::Text || self.targets.is_empty() {
            return (Textual, Vec::new());
        }
        if o.key {
            let root = self.source.tree.root_node();
            let node = root.descendant_for_byte_range(o.at, o.at + spelt.len());
            return if self.language() == "cpp" && node.is_some_and(is_initialized) {
                self.resolve_initializer(o, outline, spelt, name)
            } else if let Some(verdict) = node.and_then(|node| self.resolve_script(node)) {
                verdict
            } else {
                self.resolve_key(o, spelt)
            };
        }
        if o.role == Role::Import {
            // `use Shop\Cart\Cart;` names the class once.
            let behind = self.source.text.get(o.at + spelt.len()..).unwrap_or_default();
            if self.language() == "php" && behind.starts_with('\\') {
                return (Textual, Vec::new());
            }
            return self.resolve_import(o, outline, name);
        }
        let root = self.source.tree.root_node();
        let node = root.descendant_for_byte_range(o.at, o.at + spelt.len());
        if o.role == Role::Reference && node.is_some_and(in_package_name) {
            return (Textual, Vec::new());
        }
        let own = self.inherited_by_unnamed_type(o, outline, spelt).or_else(|| self.in_component(o, spelt));
        let meant = own.or_else(|| self.on_full_name(o, spelt)).unwrap_or_else(|| match &o.receiver {
            None => self.resolve_bare_name(o, outline, spelt, name),
            Some(receiver) => self
                .resolve_by_type(o, spelt)
                .unwrap_or_else(|| self.resolve_with_receiver(o, outline, receiver)),
        });
        let (confidence, mut of) = self.in_lambdas(o, outline, spelt, meant);
        if o.prefix {
            let holds = |kind: Kind| kind.is_type() || kind == Kind::Module;
            of.retain(|i| holds(self.targets[*i].kind));
        }
        // A type and a value of one name live side by side; a class and an enumeration are both.
        let both = |kind: Kind| matches!(kind, Kind::Class | Kind::Enum | Kind::Module);
        if o.type_place || o.value_place {
            of.retain(|i| {
                let kind = self.targets[*i].kind;
                let is_variant = o.type_place && kind == Kind::Variant;
                both(kind) || is_variant || kind.is_type() == o.type_place
            });
        }
        self.retain_meant(&mut of, o, spelt);
        self.retain_of_object(&mut of, o, outline, spelt);
        if of.is_empty() { (Textual, of) } else { (confidence, of) }
    }

    /// What targets are called in this file that comes with another name than their own, where it's imported or passed on.
    pub(super) fn renamed<'o>(&self, outline: &'o Outline, name: &str) -> Vec<(&'o str, Option<Vec<usize>>)> {
        let imports = outline.imports.iter().flat_map(|import| {
            import.bound.iter().map(move |(here, there)| (import.line, here.as_str(), there.as_str()))
        });
        let passed = outline.exports.iter().filter(|one| one.from);
        let passed = passed.map(|one| (one.line, one.given.as_str(), one.own.as_str()));
        let mut out: Vec<(&str, Option<Vec<usize>>)> = Vec::new();
        for (line, here, there) in imports.chain(passed) {
            if here == name || there == name || matches!(here, WHOLE | DEFAULT) {
                continue;
            }
            let of = self.given.targets(&self.imported_on(line), there);
            if !of.is_empty() && !out.iter().any(|(known, _)| *known == here) {
                out.push((here, Some(of)));
            }
        }
        out
    }

    /// The targets that a component's script defines or imports as `spelt`.
    pub(super) fn in_script(&self, spelt: &str) -> Vec<usize> {
        let mut of = self.targets_where(|t| t.file == self.file && t.is_free());
        for import in &self.source.outline.imports {
            if import.bound.iter().any(|(here, _)| here == spelt) {
                of.extend(self.targets_through_reexports(&self.imported_on(import.line)));
            }
        }
        of.sort_unstable();
        of.dedup();
        of
    }

    /// The targets that belong to such a type.
    pub(super) fn owned_by(&self, fits: impl Fn(&ProjectType) -> bool) -> Vec<usize> {
        let owners = self.owners.iter().enumerate();
        owners.filter(|(_, own)| own.as_ref().is_some_and(&fits)).map(|(i, _)| i).collect()
    }

    /// The targets that fit, of those that this file's language can use: a class of Python has nothing of its namesake in TypeScript.
    pub(super) fn targets_where(&self, fits: impl Fn(&Target) -> bool) -> Vec<usize> {
        let all = self.targets.iter().enumerate();
        all.filter(|(_, t)| fits(t) && self.is_of_family(t)).map(|(i, _)| i).collect()
    }

    /// The targets that this file has on these lines. They are in the order of their places.
    fn defined_on(&self, lines: &[u32]) -> Vec<usize> {
        let mut of = BTreeSet::new();
        for place in lines.iter().map(|line| (self.file, *line)) {
            let first = self.targets.partition_point(|t| (t.file, t.line) < place);
            let here = self.targets[first..].iter().take_while(|t| (t.file, t.line) == place);
            of.extend(first..first + here.count());
        }
        of.into_iter().collect()
    }

    /// The folder of this file.
    pub(super) fn folder(&self) -> &str {
        self.reader.files()[self.file].path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    pub(super) fn language(&self) -> &str {
        &self.reader.files()[self.file].language
    }

    /// A name in an import: what the imported file has or passes on.
    fn resolve_import(&self, o: &Occurrence, outline: &Outline, name: &str) -> Verdict {
        // The class whose member an import takes is named, too.
        let in_path = |i: &&Import| {
            !strict_members(self.language()) && i.target.rsplit('.').skip(1).any(|part| part == name)
        };
        let named = |i: &&Import| {
            i.names.iter().any(|n| n == name)
                || i.bound.iter().any(|(here, there)| there == name || here == name)
                || in_path(i)
        };
        // An import may take several lines and is identified by its first.
        let here = outline.imports.iter().filter(|i| i.line <= o.line && named(i)).map(|i| i.line).max();
        let Some(line) = here else { return (Textual, Vec::new()) };
        let direct = self.imported_on(line);
        let mut bound = outline.imports.iter().filter(|i| i.line == line).flat_map(|i| &i.bound);
        // `import Name from`, where `Name` is an alias of another name.
        let there = bound.find(|(here, there)| here == name && there != name).map(|(_, there)| there);
        if let Some(there) = there {
            let of = self.given.targets(&direct, there);
            if !of.is_empty() {
                return (Resolved, of);
            }
        }
        let mut of = self.targets_through_reexports(&direct);
        if of.is_empty() {
            // `use crate::Mode::Fast`
            let from = self.reexporting_files(&self.imported_on(line));
            let imports = outline.imports.iter().filter(|i| i.line == line && named(i));
            of = self.imported_variants(&imports.collect::<Vec<_>>(), &from);
        }
        if of.is_empty() {
            // `use super::Part` in a module in the file's own text.
            let mut imports = outline.imports.iter().filter(|i| i.line == line);
            if imports.any(|i| i.target.strip_prefix("self::") == Some(name)) {
                of = self.targets_where(|t| t.file == self.file && t.is_free());
            }
        }
        if of.is_empty() {
            let imports = outline.imports.iter().filter(|i| i.line == line).filter(named);
            of = imports.flat_map(|import| self.imported_from_package(import)).collect();
        }
        if of.is_empty() { (Textual, of) } else { (Resolved, of) }
    }

    /// A name without anything before it.
    pub(super) fn resolve_bare_name(
        &self,
        o: &Occurrence,
        outline: &Outline,
        spelt: &str,
        name: &str,
    ) -> Verdict {
        let language = self.language();
        // What is called in Java isn't a field of that name.
        let may_be_called = |i: &usize| {
            let t = &self.targets[*i];
            (language != "java" || o.role != Role::Call || self.is_callable(*i))
                && self.may_be_bare(t)
                && (!o.prefix || t.kind.is_type() || t.kind == Kind::Module)
        };
        // A member of what a function of Kotlin extends comes before those of the type around and what is seen without it.
        let extended = self.in_extended(o, outline);
        if !o.bound.is_empty() {
            let of = self.defined_on(&o.bound);
            let is_inner =
                extended.is_empty() || of.iter().any(|i| !self.facts.is_type(&self.targets[*i].owner));
            if of.is_empty() || is_inner && of.iter().any(may_be_called) {
                return if of.is_empty() { (Textual, of) } else { (Resolved, of) };
            }
        }
        if !extended.is_empty() {
            return (Resolved, extended);
        }
        let variants = self.used_variants(o, outline, spelt, name);
        if !variants.is_empty() {
            return (Resolved, variants);
        }
        let mut imported = false;
        let mut of = BTreeSet::new();
        for import in &outline.imports {
            for (_, there) in import.bound.iter().filter(|(here, _)| here == spelt) {
                imported = true;
                let direct = self.imported_on(import.line);
                let given = self.given.targets(&direct, there);
                if there == name {
                    let found = self.targets_through_reexports(&direct);
                    let lost = found.is_empty();
                    of.extend(if lost { self.imported_from_package(import) } else { found });
                } else if !given.is_empty() {
                    of.extend(given);
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
            let direct = self.imported_on(import.line);
            of.extend(self.targets_through_reexports(&direct));
            // `import static a.B.*`
            let of_type =
                import.target.trim_end_matches(['*', '_', '.']).rsplit('.').next().unwrap_or_default();
            if !strict_members(language) {
                of.extend(self.targets_where(|t| t.owner == of_type && direct.contains(&t.file)));
            }
        }
        let folder = self.folder();
        let same_package = matches!(language, "go" | "csharp" | "swift" | "php");
        let strict =
            matches!(language, "typescript" | "tsx" | "javascript" | "svelte" | "vue" | "python" | "rust");
        let owner = o
            .inside
            .and_then(|i| outline.symbols.get(i))
            .map(|s| {
                if s.kind.is_type() { s.name.as_str() } else { s.container.rsplit('.').next().unwrap_or("") }
            })
            .unwrap_or("");
        let rules: [Vec<usize>; 7] = [
            of.into_iter().collect(),
            if strict || language == "go" {
                Vec::new()
            } else {
                // A member of PHP is never named without what it belongs to.
                let is_own = |t: &Target| language != "php" && t.owner == owner && !self.is_apart(t, spelt);
                self.targets_where(|t| t.file == self.file && (t.is_free() || is_own(t)))
            },
            if same_package { self.targets_where(|t| t.folder == folder && t.is_free()) } else { Vec::new() },
            self.in_packages(&outline.imports),
            if language == "ruby" { self.in_nesting(o, outline, spelt) } else { Vec::new() },
            if matches!(language, "c" | "cpp" | "ruby" | "php" | "shell") {
                self.targets_where(|t| t.is_free() && self.reaches(t.file))
            } else {
                Vec::new()
            },
            // A macro is visible in the whole crate.
            if language == "rust" { self.targets_where(|t| t.kind == Kind::Macro) } else { Vec::new() },
        ];
        let rules = rules.map(|of| of.into_iter().filter(may_be_called).collect::<Vec<usize>>());
        if let Some(of) = rules.into_iter().find(|of| !of.is_empty()) {
            return (Resolved, of);
        }
        let declared = self.declared_ahead(spelt);
        if !declared.is_empty() {
            return (Resolved, declared);
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
        if language != "php" && !owner.is_empty() {
            let inherited = self.inherited_by(owner);
            if !inherited.is_empty() {
                return (Resolved, inherited);
            }
        }
        // The own type may have it, too, from a base that isn't known.
        let inherited = self.inherited_around(o, outline);
        if !inherited.is_empty() {
            return (InScope, inherited);
        }
        let root = self.source.tree.root_node();
        let node = root.descendant_for_byte_range(o.at, o.at + spelt.len());
        if let Some(verdict) = node.and_then(|node| self.in_switch(o, outline, node)) {
            return verdict;
        }
        // Swift imports no files, and the folders of a module may be called anything.
        let near = self.targets_where(|t| t.is_free() && (self.is_near(t) || language == "swift"));
        let is_method = language == "ruby" && !spelt.starts_with(char::is_uppercase);
        if near.is_empty() && is_method && !owner.is_empty() {
            // A module names what the types have that take it in, and a class what its subclasses do.
            return self.resolve_on_type(owner);
        }
        if near.is_empty() { (Textual, near) } else { (InScope, near) }
    }

    pub(super) fn is_near(&self, t: &Target) -> bool {
        let speaks_go = |language: &str| language == "go";
        let package = || {
            speaks_go(self.language())
                && speaks_go(&self.reader.files()[t.file].language)
                && t.folder == self.folder()
        };
        t.file == self.file || package() || self.reaches(t.file)
    }

    /// The module name of this file.
    pub(super) fn stem(&self, file: usize) -> &str {
        let path = &self.reader.files()[file].path;
        let mut parts = path.rsplit('/');
        let stem = parts.next().unwrap_or(path).split('.').next().unwrap_or("");
        if matches!(stem, "mod" | "index" | "__init__") { parts.next().unwrap_or(stem) } else { stem }
    }
}

/// Whether all names of a type can't be imported together.
fn strict_members(language: &str) -> bool {
    !is_jvm(language)
}
