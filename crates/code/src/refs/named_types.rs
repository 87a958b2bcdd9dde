//! Resolves members that are named through a type, also where that inherits them: `Cart.open()`, and tells types that are called
//! alike from each other. Doesn't know values.

use super::Confidence::Resolved;
use super::Target;
use super::occurrences::Occurrence;
use super::receivers::is_constant;
use super::resolution::{FileContext, MAX_BASES, Verdict};
use super::syntactic_types::field_type;
use super::text_matches::whole_words;
use crate::grammar::Kind;
use crate::imports::{DEFAULT, WHOLE};
use crate::language::{family as family_of, is_jvm};
use crate::packages::{ends_in_package, package_of};
use crate::resolve::folder;
use crate::symbols::Outline;

impl FileContext<'_> {
    /// What a member means behind a receiver that is the name of a type: one that the file defines, or the only one of the project
    /// that is called so, if the file sees that. Elsewhere the type may be somebody else's.
    pub(super) fn on_named_type(&self, outline: &Outline, receiver: &str) -> Option<Verdict> {
        if !matches!(self.language(), "csharp" | "java" | "kotlin" | "scala" | "swift") {
            return None;
        }
        // A property of C# may be called like its type.
        let is_value = self.language() == "csharp"
            && !receiver.split('.').all(|part| part.starts_with(char::is_uppercase));
        let is_path = !is_value && receiver.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
        let of = receiver.rsplit('.').next().filter(|of| is_path && of.starts_with(char::is_uppercase))?;
        let files = self.reader.files();
        let family = family_of(self.language());
        let mut types = self.facts.types_called(of);
        types.retain(|(file, _)| family_of(&files[*file].language) == family);
        let (_, around) = types.first()?;
        let is_alone = types.iter().all(|(_, other)| other == around);
        let is_seen = || match self.language() {
            "csharp" => self.namespaces_seen(&outline.imports).contains(around),
            // A file of Swift names no others.
            "swift" => true,
            _ => types.iter().any(|(file, _)| {
                let package = package_of(folder(&files[*file].path));
                self.reaches(*file) || package == package_of(self.folder())
            }),
        };
        let is_own = types.iter().any(|(file, _)| *file == self.file);
        let is_on_path = types.iter().any(|(file, around)| self.may_be_in(*file, around, receiver));
        let is_meant = is_own || is_alone && is_seen();
        if !is_meant || !is_on_path {
            return None;
        }
        let verdict = self.resolve_on_type(of);
        (verdict.0 == Resolved && !verdict.1.is_empty()).then_some(verdict)
    }

    /// Whether a path in front of a member may mean the type that it belongs to: `Other.Builder` isn't the `Builder` in `Cart`.
    pub(super) fn is_on_path(&self, t: &Target, receiver: &str) -> bool {
        let of = receiver.rsplit(['.', ':', '>']).next().unwrap_or(receiver);
        !self.is_inline(t) && self.may_be_in(t.file, around(&t.container, of), receiver)
    }

    /// Whether a field belongs to what is written in TypeScript for a member of a type: no name means that, although the member's is in
    /// front of the field's (`interface Shop { cart: { total: number } }`).
    fn is_inline(&self, t: &Target) -> bool {
        let outermost = t.container.split_once('.').map(|(first, _)| first);
        t.kind == Kind::Field
            && family_of(self.language()) == "typescript"
            && outermost.is_some_and(|of| self.facts.is_type(of))
    }

    /// A receiver with the path in front: of `foo::Builder::create` in C++, only `Builder` is right before the name.
    pub(super) fn full_path(&self, o: &Occurrence, receiver: &str) -> String {
        let root = self.source.tree.root_node();
        let mut at = root.descendant_for_byte_range(o.at, o.at + 1);
        let mut start = None;
        while let Some(scope) = at.and_then(|at| at.parent()).filter(|of| of.kind() == "qualified_identifier")
        {
            start = Some(scope.start_byte());
            at = Some(scope);
        }
        let path =
            start.and_then(|start| self.source.text.get(start..o.at)).map(|path| path.trim_end_matches(':'));
        path.unwrap_or(receiver).to_owned()
    }

    /// Whether a type called `of` may be the one that a receiver names; one that nothing here defines may be.
    pub(super) fn has_type_on_path(&self, of: &str, receiver: &str) -> bool {
        let types = self.facts.types_called(of);
        types.is_empty() || types.iter().any(|(file, around)| self.may_be_in(*file, around, receiver))
    }

    /// Whether a path may mean a type that is in `around`, by what the path has in front of the type's name.
    fn may_be_in(&self, file: usize, around: &str, receiver: &str) -> bool {
        let language = self.language();
        let family = family_of(language);
        if !matches!(family, "c" | "csharp" | "java" | "python" | "swift" | "typescript") {
            return true;
        }
        let mark = if family == "c" { ':' } else { '.' };
        let is_path = receiver.chars().all(|c| c.is_alphanumeric() || c == '_' || c == mark);
        let parts: Vec<&str> = receiver.split(mark).filter(|part| !part.is_empty()).collect();
        let (Some((&of, before)), true) = (parts.split_last(), is_path) else { return true };
        let Some(&outer) = before.last() else { return true };
        if family != "c" && !outer.starts_with(char::is_uppercase) {
            // `com.other.Cart.open()`
            let target = &self.reader.files()[file];
            let is_full = before.len() > 1 && !before.iter().any(|part| part.starts_with(char::is_uppercase));
            let is_package = language == "java" && target.language == "java" && is_full && around.is_empty();
            return !is_package || ends_in_package(folder(&target.path), before);
        }
        let imports = self.source.outline.imports.iter();
        let mut bound = imports.flat_map(|import| import.bound.iter().map(move |bound| (import.line, bound)));
        let brought =
            bound.find(|(_, (here, _))| here == outer).map(|(line, (_, there))| (line, there.as_str()));
        let is_whole = |there: &str| there == WHOLE || there == DEFAULT;
        let outer = brought.map(|(_, there)| there).filter(|there| !is_whole(there)).unwrap_or(outer);
        let is_outer = |part: &str| part == outer || self.types.is_a(outer, part, MAX_BASES);
        if around.split(['.', ':']).any(|part| !part.is_empty() && is_outer(part)) {
            return true;
        }
        match family {
            // A macro may begin a namespace, and a file may have another name for one.
            "c" => around.is_empty() || self.source.text.contains(&format!("namespace {outer} =")),
            // A property may be called like its type.
            "csharp" => {
                let values = self.types.value_signatures(of);
                values.iter().any(|(_, signature)| field_type(signature, of).as_deref() == Some(of))
            }
            // In front of a type may be its module.
            "swift" => around.is_empty(),
            "java" => false,
            // What an import brings from elsewhere has nothing of the project.
            _ => brought.map_or(around.is_empty(), |(line, there)| {
                (around.is_empty() || is_whole(there)) && !self.imported_on(line).is_empty()
            }),
        }
    }

    /// What a member of the type `there` means where an import brings that type as `here`, or where a file of TypeScript declares it:
    /// not what other types have that are called `there`, too.
    pub(super) fn without_namesakes(
        &self,
        outline: &Outline,
        here: &str,
        there: &str,
        (confidence, mut of): Verdict,
    ) -> Verdict {
        let mut imports = outline.imports.iter();
        let is_called_so = |i: &usize| self.targets[*i].owner == there;
        let Some(import) = imports.find(|import| import.bound.iter().any(|(name, _)| name == here)) else {
            if family_of(self.language()) == "typescript"
                && outline.symbols.iter().any(|s| s.kind.is_type() && s.name == there)
            {
                of.retain(|i| {
                    let t = &self.targets[*i];
                    t.owner != there || t.file == self.file || self.script.is_for_others(t.file, t.line)
                });
            } else {
                self.leave_nested_out(outline, there, &mut of);
            }
            return (confidence, of);
        };
        let is_by_file = matches!(family_of(self.language()), "python" | "typescript");
        let from = is_by_file.then(|| self.reexporting_files(&self.imported_on(import.line)));
        // `import shop.Till.Cart` brings no `Cart` that is in nothing.
        let in_path = |i: &usize| {
            let container = &self.targets[*i].container;
            ends_with_path(&import.target, container).then_some(container.len())
        };
        let longest = of.iter().filter(|&i| is_called_so(i)).filter_map(in_path).max();
        let is_meant = |i: &usize| match &from {
            Some(from) => from.contains(&self.targets[*i].file),
            // `import shop.Cart` isn't the `Cart` in `Till`, unless that extends the other.
            None => {
                in_path(i) == longest
                    || self.is_of_namesake(*i, there)
                    || self.may_be_named_through(outline, *i, there)
            }
        };
        let is_told = is_by_file || is_jvm(self.language());
        if is_told && (is_by_file || longest.is_some()) && of.iter().any(|i| is_called_so(i) && is_meant(i)) {
            of.retain(|i| !is_called_so(i) || is_meant(i));
        }
        (confidence, of)
    }

    /// Leaves the members of types out that are in others and called `name`, where a type that is in no other is called so: in Java and
    /// Kotlin, one in another is named through that, in its file, or by an import of all that's in the other.
    fn leave_nested_out(&self, outline: &Outline, name: &str, of: &mut Vec<usize>) {
        let is_outermost = |i: &usize| self.targets[*i].container == name;
        if !matches!(self.language(), "java" | "kotlin") || !of.iter().any(is_outermost) {
            return;
        }
        let brings = |outer: &str| {
            let mut whole =
                outline.imports.iter().filter(|one| one.bound.iter().any(|(here, _)| here == WHOLE));
            whole.any(|one| ends_with_path(one.target.trim_end_matches(['*', '.']), outer))
        };
        of.retain(|i| {
            let t = &self.targets[*i];
            let outer = t.container.strip_suffix(name).and_then(|outer| outer.strip_suffix('.'));
            t.file == self.file
                || outer.is_none_or(brings)
                || self.is_of_namesake(*i, name)
                || self.may_be_named_through(outline, *i, name)
        });
    }

    /// Whether a file may mean the type `name` that is in another one: it writes `Till.Cart` somewhere, or has a type that inherits what is
    /// in `Till`.
    fn may_be_named_through(&self, outline: &Outline, target: usize, name: &str) -> bool {
        let container = &self.targets[target].container;
        let outer = container.strip_suffix(name).and_then(|outer| outer.strip_suffix('.'));
        let Some(outer) = outer.and_then(|outer| outer.rsplit('.').next()) else { return false };
        let is_written = || whole_words(&self.source.text, &format!("{outer}.{name}")).next().is_some();
        let mut types = outline.symbols.iter().filter(|s| s.kind.is_type() && s.name != outer);
        is_written() || types.any(|s| self.types.is_a(&s.name, outer, MAX_BASES))
    }

    /// Whether the type `name` that a target belongs to has a base that is called so, too.
    fn is_of_namesake(&self, target: usize, name: &str) -> bool {
        let t = &self.targets[target];
        let bases = self.types.bases_in_file(name, &self.reader.files()[t.file].path);
        t.owner == name && bases.iter().any(|base| self.types.is_a(base, name, MAX_BASES))
    }

    /// Whether a receiver is written as a type that no target belongs to: `Other\Utils` of PHP, where a class is named without an
    /// import, or `Other::Rules` of Ruby, where another namespace has a `Rules`, too, or nothing here is called so.
    pub(super) fn is_of_another(&self, receiver: &str) -> bool {
        let is_path = |mark: char| receiver.chars().all(|c| c.is_alphanumeric() || c == '_' || c == mark);
        let is_defined = |part: &str| self.types.is_defined(part);
        match self.language() {
            "php" if is_path('\\') => {
                let class = receiver.rsplit('\\').next().unwrap_or(receiver);
                let related = |t: &Target| {
                    !t.owner.is_empty()
                        && (self.types.is_a(class, &t.owner, MAX_BASES)
                            || self.types.is_a(&t.owner, class, MAX_BASES))
                };
                !matches!(class, "self" | "static" | "parent") && !self.targets.iter().any(related)
            }
            // A class of elsewhere: `File.identical?`.
            "ruby" if is_path(':') && is_constant(receiver) && !receiver.split("::").any(is_defined) => true,
            "ruby" if is_path(':') && receiver.contains("::") => {
                let path = receiver.trim_start_matches("::").replace("::", ".");
                let last = path.rsplit('.').next().unwrap_or(&path);
                let inner = format!(".{path}");
                let mut same = self.targets.iter().filter(|t| t.owner == last).peekable();
                let fits = |t: &Target| {
                    let container = t.container.replace("::", ".");
                    container == path || container.ends_with(&inner)
                };
                same.peek().is_some() && !same.any(fits)
            }
            _ => false,
        }
    }
}

/// What is around the type `of` in what contains a member: `shop` of `shop.Cart.Mode` for `Cart`.
fn around<'c>(container: &'c str, of: &str) -> &'c str {
    let mut rest = container;
    while !rest.is_empty() {
        let (before, last) = rest.rsplit_once(['.', ':']).unwrap_or(("", rest));
        if last == of {
            return before;
        }
        rest = before;
    }
    ""
}

/// Whether a path is, or ends with, another one: `shop.Till.Cart` ends with `Till.Cart`.
fn ends_with_path(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}
