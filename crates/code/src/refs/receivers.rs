//! Resolves a name after a receiver: by the receiver's inferred type, by what it is imported as, or by the types that have a
//! member of that name.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};

use super::Target;
use super::bases::type_around;
use super::infer::{CSource, MethodTarget, ProjectType};
use super::occurrences::{Occurrence, Role};
use super::resolution::{FileContext, MAX_BASES, Verdict};
use super::text_matches::whole_words;
use super::written::is_literal;
use crate::imports::{DEFAULT, WHOLE};
use crate::language::family as family_of;
use crate::symbols::{Outline, Symbol};

use super::Confidence::{InScope, Resolved, Textual};

/// More definitions of one name aren't compared with each other.
const MAX_FAMILY: usize = 40;

impl FileContext<'_> {
    /// What a name after a dot refers to, by type inference.
    pub(super) fn resolve_by_type(&self, o: &Occurrence, spelt: &str) -> Option<Verdict> {
        let root = self.source.tree.root_node();
        let node = root.descendant_for_byte_range(o.at, o.at + spelt.len())?;
        let meant = match self.language() {
            "go" => self.go.method_target(self.source, node, self.owning),
            "rust" => self.rust.method_target(self.source, node, self.owning),
            _ => return self.resolve_script(node),
        };
        let of = match meant {
            MethodTarget::Method { of, related } => self.owned_by(|own| *own == of || related.contains(own)),
            MethodTarget::Possible(owners) => {
                let owners: BTreeSet<&ProjectType> = owners.iter().collect();
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

    /// A name after a receiver.
    pub(super) fn resolve_with_receiver(&self, o: &Occurrence, outline: &Outline, receiver: &str) -> Verdict {
        let receiver = receiver.trim_end_matches(['!', '?']);
        if is_literal(receiver, self.language()) && self.targets.iter().all(|t| t.owner != "prototype") {
            return (Textual, Vec::new());
        }
        if let Some(verdict) = self.on_prototype(receiver) {
            return verdict;
        }
        let around = o.inside.and_then(|i| outline.symbols.get(i));
        let is_value = || {
            let names = |s: &Symbol| {
                let mut places = whole_words(&s.signature, receiver);
                places.any(|at| !s.signature[at + receiver.len()..].starts_with('.'))
            };
            o.receiver_type.is_some() || around.is_some_and(names)
        };
        let mut foreign = false;
        let shadowed = OnceCell::new();
        for import in &outline.imports {
            for (here, there) in &import.bound {
                if here != receiver {
                    // `import urllib.parse` of Python brings `urllib`, too, unless a value here is called so.
                    let begins = self.language() == "python"
                        && here.strip_prefix(receiver).is_some_and(|rest| rest.starts_with('.'));
                    foreign |= begins && !is_value() && self.imported_on(import.line).is_empty();
                    continue;
                }
                // A variable here is called like what is imported.
                if *shadowed.get_or_init(|| self.is_shadowed(o, outline, receiver)) {
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
                if let Some(own) = self.facts.exported_as(self.source, receiver) {
                    let verdict = self.resolve_on_type(&own);
                    if !verdict.1.is_empty() {
                        return verdict;
                    }
                }
                // What a module of Python doesn't have isn't a method of that name either. `from cart import cart` may be a value.
                let is_module = self.language() == "python"
                    && (there == WHOLE
                        || !import.target.ends_with(there.as_str()) && direct.iter().any(module));
                foreign |= direct.is_empty() || is_module;
            }
        }
        if foreign || self.is_in_foreign_module(receiver) {
            return (Textual, Vec::new());
        }
        // Kotlin knows more of a value of any type where it was asked what that is: `if (x is Cart) x.total()`.
        let is_any = |of: &&String| self.language() == "kotlin" && of.as_str() == "Any";
        let is_its_own = |of: &&String| {
            !is_any(of)
                && !self.points_elsewhere(o, of, receiver)
                && !self.is_of_hidden_field(o, outline, receiver)
                && !self.is_of_hidden_variable(o, receiver)
        };
        if let Some(here) = o.receiver_type.as_ref().filter(is_its_own) {
            let there = outline.imports.iter().flat_map(|i| &i.bound).find(|(name, _)| name == here);
            let of = there
                .map(|(_, there)| there)
                .filter(|there| *there != WHOLE && *there != DEFAULT)
                .unwrap_or(here);
            let own = self.facts.exported_as(self.source, of);
            let own = own.as_deref().unwrap_or(of);
            let verdict = self.without_namesakes(outline, here, own, self.resolve_on_type(own));
            if !verdict.1.is_empty() {
                return verdict;
            }
            // What an alias of TypeScript is may take more than is followed.
            let is_foreign = outline.imports.iter().any(|import| {
                import.bound.iter().any(|(name, _)| name == here) && self.imported_on(import.line).is_empty()
            });
            if family_of(self.language()) != "typescript" || is_foreign || !self.facts.is_alias(own) {
                return self.extension(o, outline, Some(own)).unwrap_or(verdict);
            }
        }
        if self.is_made_outside(receiver) {
            return (Textual, Vec::new());
        }
        let of_fields = || self.type_of_fields(o, outline, receiver);
        let of_static = self.type_of_static(receiver).or_else(of_fields).map(|of| self.resolve_on_type(&of));
        if let Some(verdict) = of_static.filter(|(_, of)| !of.is_empty()) {
            return verdict;
        }
        let real = self.unaliased(o, outline, receiver);
        let receiver = real.as_deref().unwrap_or(receiver);
        let last = receiver.rsplit(['.', ':', '>']).next().unwrap_or(receiver);
        if self.is_of_another(receiver) {
            return (Textual, Vec::new());
        }
        if let Some((_, of)) = self.extension(o, outline, None) {
            return self.beside_members(of, last);
        }
        if matches!(self.language(), "c" | "cpp") {
            let root = self.source.tree.root_node();
            let node = root.descendant_for_byte_range(o.at, o.at + 1);
            let owner = type_around(o, outline);
            let source = CSource { types: self.types, text: &self.source.text, root, owner };
            let named = node.map(|node| source.receiver_types(node)).unwrap_or_default();
            if let Some(found) =
                named.iter().map(|of| self.resolve_on_type(of)).find(|found| !found.1.is_empty())
            {
                return found;
            }
            if named.iter().any(|of| self.types.is_defined(of)) {
                return (Textual, Vec::new());
            }
        }
        if let Some(verdict) = self.resolve_on_base(o, outline, receiver) {
            return verdict;
        }
        let path = self.full_path(o, receiver);
        let own = |t: &Target| t.is_named_through(last) && self.is_near(t) && self.is_on_path(t, &path);
        // A variable here is called like an imported type.
        let is_type = shadowed.get() != Some(&true);
        let own = if is_type { self.targets_where(own) } else { Vec::new() };
        if !own.is_empty() {
            return (Resolved, own);
        }
        if let Some(verdict) = self.on_named_type(outline, receiver) {
            return verdict;
        }
        // A constant of Ruby is seen without an import; elsewhere the type may be somebody else's.
        let named = self.targets_where(|t| !t.owner.is_empty() && t.owner == last);
        if last.starts_with(char::is_uppercase) && !named.is_empty() {
            match self.language() {
                "ruby" => return (Resolved, named),
                "csharp" | "java" | "kotlin" | "scala" | "swift" | "php" => return (InScope, named),
                _ => {}
            }
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
        let in_package = self.in_package_named(receiver);
        if !in_package.is_empty() {
            return (Resolved, in_package);
        }
        if inner && matches!(receiver, "crate" | "self" | "super") {
            return (Textual, Vec::new());
        }
        let near = self.targets_where(|t| !t.is_free() && self.is_near(t));
        if !near.is_empty() {
            return (InScope, near);
        }
        // The only one of its name, called as what it is.
        let only = if self.targets.len() == 1 { self.targets_where(|t| !t.is_free()) } else { Vec::new() };
        if !only.is_empty() && o.role == Role::Call {
            return (InScope, only);
        }
        if o.role == Role::Call && self.are_one_family() {
            return (InScope, self.targets_where(|_| true));
        }
        (Textual, Vec::new())
    }

    /// The namespace that a path of Ruby is another name of: with `Rules = Shop::Rules` in `Other`, `Other::Rules` is `Shop::Rules`.
    fn unaliased(&self, o: &Occurrence, outline: &Outline, receiver: &str) -> Option<String> {
        if self.language() != "ruby" || !is_constant(receiver) {
            return None;
        }
        let inside = o.inside.and_then(|i| outline.symbols.get(i)).map(Symbol::path);
        let (mut real, mut inside) = (None::<String>, inside.unwrap_or_default());
        for _ in 0..MAX_BASES {
            let path = real.as_deref().unwrap_or(receiver).trim_start_matches("::").to_owned();
            let Some((next, container)) = self.follow_alias(&path, &inside.replace("::", ".")) else { break };
            (real, inside) = (Some(next), container);
        }
        real
    }

    /// A path that is named in `inside` with its first part that is another name replaced, if the only definition called so there
    /// says what for, and what that definition is in.
    fn follow_alias(&self, path: &str, inside: &str) -> Option<(String, String)> {
        let parts: Vec<&str> = path.split("::").collect();
        (1..=parts.len()).find_map(|count| {
            let (name, around) = parts[..count].split_last()?;
            let (around, inner) = (around.join("."), format!(".{}", around.join(".")));
            // A name alone is seen in what it's defined in; the same name elsewhere is of a library.
            let is_around = |container: &str| {
                let below = inside.strip_prefix(container);
                container.is_empty() || below.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            let is_there = |container: &str| {
                let container = container.replace("::", ".");
                match around.as_str() {
                    "" => is_around(&container),
                    around => container == around || container.ends_with(&inner),
                }
            };
            let all = self.types.signatures(name);
            let mut there = all.iter().filter(|(container, _)| is_there(container));
            let (Some((container, signature)), None) = (there.next(), there.next()) else { return None };
            let value = signature.strip_prefix(*name)?.trim_start().strip_prefix('=')?.trim();
            let rest = parts[count..].iter().copied();
            let real = || std::iter::once(value).chain(rest).collect::<Vec<_>>().join("::");
            is_constant(value).then(|| (real(), container.clone()))
        })
    }

    /// Whether all targets are one method and its overrides, where types are declared but not followed through
    /// chains.
    fn are_one_family(&self) -> bool {
        let followed = matches!(self.language(), "csharp" | "java" | "kotlin" | "scala" | "swift" | "php");
        if !followed
            || self.targets.len() > MAX_FAMILY
            || self.targets.iter().any(|t| t.is_free() || !self.is_of_family(t))
        {
            return false;
        }
        let related = |a: &str, b: &str| self.types.is_a(a, b, MAX_BASES) || self.types.is_a(b, a, MAX_BASES);
        let mut owners: BTreeSet<&str> = self.targets.iter().map(|t| t.owner.as_str()).collect();
        let mut open: Vec<&str> = owners.pop_first().into_iter().collect();
        while let Some(one) = open.pop() {
            let (near, rest) = owners.into_iter().partition(|other| related(one, other));
            let near: BTreeSet<&str> = near;
            open.extend(near);
            owners = rest;
        }
        owners.is_empty()
    }

    /// A member of the type `of`, and the methods that override it or that it overrides: a call may mean any of them.
    /// A sibling type's method isn't one of them.
    pub(super) fn resolve_on_type(&self, of: &str) -> Verdict {
        if let Some(known) = self.on_types.borrow().get(of) {
            return known.clone();
        }
        let (confidence, mut found) = self.resolve_member(of);
        if confidence == Resolved && self.language() != "python" {
            found = self.with_overrides(&found, of);
        }
        self.on_types.borrow_mut().insert(of.to_owned(), (confidence, found.clone()));
        (confidence, found)
    }

    /// These members of the type `of`, and those that override them or that they override.
    pub(super) fn with_overrides(&self, own: &[usize], of: &str) -> Vec<usize> {
        // Parts of one type may be in several files; elsewhere another type with the same name is another type.
        let in_parts = matches!(self.language(), "c" | "cpp" | "ruby" | "csharp" | "swift" | "scala");
        self.targets_where(|t| {
            let overrides = (in_parts || t.owner != of) && self.is_made_from(t, of);
            let is_overridden =
                |own: &Target| (in_parts || own.owner != t.owner) && self.is_made_from(own, &t.owner);
            let is_own = || own.iter().any(|i| std::ptr::eq(&self.targets[*i], t));
            !t.owner.is_empty() && (overrides || own.iter().any(|i| is_overridden(&self.targets[*i])))
                || is_own()
        })
    }

    /// Whether the type that a target belongs to is `base` or a subtype. If a type is complete in one file, a
    /// namesake in another file doesn't give its bases.
    fn is_made_from(&self, t: &Target, base: &str) -> bool {
        let files = self.reader.files();
        match files[t.file].language.as_str() {
            "java" | "kotlin" | "typescript" | "tsx" => {
                self.types.is_a_of_file(&t.owner, &files[t.file].path, base, MAX_BASES)
            }
            _ => self.types.is_a(&t.owner, base, MAX_BASES),
        }
    }

    /// The members of the type `of` itself: those of the nearest type of that name.
    pub(super) fn own_members(&self, of: &str) -> Vec<usize> {
        let own = self.targets_where(|t| t.owner == of);
        let near: Vec<usize> = own.iter().copied().filter(|i| self.is_near(&self.targets[*i])).collect();
        if near.is_empty() { own } else { near }
    }

    /// A member of the type `of`: its own, an inherited one, or a foreign one.
    pub(super) fn resolve_member(&self, of: &str) -> Verdict {
        let own = self.own_members(of);
        if !own.is_empty() {
            return (Resolved, own);
        }
        if self.language() == "python"
            && let Some(order) = self.in_order(of)
        {
            let mut above = order.iter().map(|base| self.own_members(base));
            if let Some(above) = above.find(|above| !above.is_empty()) {
                return (Resolved, above);
            }
        }
        let mut level = self.types.bases(of);
        let mut known: HashSet<String> = level.iter().cloned().collect();
        for _ in 0..MAX_BASES {
            let above = self.targets_where(|t| !t.owner.is_empty() && level.contains(&t.owner));
            if !above.is_empty() {
                return (Resolved, above);
            }
            level = self.types.bases_of_all(&level, &mut known);
        }
        let below = self.targets_where(|t| !t.owner.is_empty() && self.types.is_a(&t.owner, of, MAX_BASES));
        if below.is_empty() { (Textual, below) } else { (InScope, below) }
    }
}

/// Whether a text of Ruby is a constant or a path of them.
pub(super) fn is_constant(text: &str) -> bool {
    text.trim_start_matches(':').starts_with(char::is_uppercase)
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':'))
}
