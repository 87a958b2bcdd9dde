//! Finds the declared types of members that are named through their container (`Cart.shared`, `Cart.make()`) or a value
//! (`request.url`), and tells what comes from outside of the project. Reads the file and the index alone.

use super::given_types::NEW;
use super::occurrences::Occurrence;
use super::resolution::{FileContext, MAX_BASES};
use super::syntactic_types::{field_type, type_of};
use crate::imports::WHOLE;
use crate::language::is_script;
use crate::symbols::Outline;

/// A receiver of this length may be cut.
const MAX_RECEIVER: usize = 160;
/// A longer path of fields isn't followed.
const MAX_PARTS: usize = 6;
/// Words in an expression that aren't names.
const LITERALS: &[&str] = &["await", "false", "null", "true", "undefined"];

impl FileContext<'_> {
    /// The type of a receiver that names a value of a type: `Cart.shared`, `shop.Cart.shared`.
    pub(super) fn type_of_static(&self, receiver: &str) -> Option<String> {
        if !matches!(self.language(), "csharp" | "java" | "kotlin" | "scala" | "swift") {
            return None;
        }
        let (owner, field) = receiver.rsplit_once('.')?;
        let owner = owner.rsplit('.').next().filter(|owner| owner.starts_with(char::is_uppercase))?;
        let all = self.types.value_signatures(field);
        let own = all.iter().filter(|(container, _)| container.rsplit('.').next() == Some(owner));
        let mut types = own.filter_map(|(_, signature)| field_type(signature, field));
        let of = types.next()?;
        types.all(|other| other == of).then_some(of)
    }

    /// The type of a receiver that is a field of a value whose type is evident: `request.url`, `this.request.url`.
    pub(super) fn type_of_fields(&self, o: &Occurrence, outline: &Outline, receiver: &str) -> Option<String> {
        // There a field is named without what it's a field of.
        let bare = matches!(self.language(), "csharp" | "java" | "kotlin" | "scala" | "swift");
        if !bare && !is_script(self.language()) {
            return None;
        }
        let is_path =
            receiver.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '?' | '!' | '#'));
        let parts: Vec<&str> = receiver.split('.').map(|part| part.trim_end_matches(['?', '!'])).collect();
        let of_own = matches!(parts.first(), Some(&("this" | "self")));
        let known = if of_own { 2 } else { 1 };
        let is_value = receiver.starts_with(|c: char| c.is_lowercase() || c == '_');
        if !is_path || !is_value || !(known + 1..=MAX_PARTS).contains(&parts.len()) {
            return None;
        }
        if self.is_of_hidden_variable(o, receiver) {
            return None;
        }
        let returned = |called: &str| self.returned(called);
        let (text, symbols) = (&self.source.text, &outline.symbols);
        let base = type_of(&parts[..known].join("."), o.at, text, symbols, o.inside, &returned, bare);
        parts[known..].iter().try_fold(base?, |of, field| self.type_of_field(&of, field))
    }

    /// The type of a field of a type or its bases, where all that are called so say the same.
    fn type_of_field(&self, of: &str, field: &str) -> Option<String> {
        let all = self.types.field_signatures(field);
        let is_own = |container: &str| {
            container.rsplit('.').next().is_some_and(|own| self.types.is_a(of, own, MAX_BASES))
        };
        let own = all.iter().filter(|(container, _)| is_own(container));
        let mut types = own.filter_map(|(_, signature)| field_type(signature, field));
        let found = types.next()?;
        types.all(|other| other == found).then_some(found)
    }

    /// The declared return type of a function that is called like this: `make`, `Cart.make`, `shop.make`. A type's
    /// member is its own or inherited, and a foreign one isn't the project's.
    pub(super) fn returned(&self, called: &str) -> Option<String> {
        if called == NEW {
            return matches!(self.language(), "csharp" | "java").then(String::new);
        }
        let (before, name) = called.rsplit_once(['.', ':']).unwrap_or(("", called));
        let first = before.split(['.', ':']).next().filter(|first| !first.is_empty());
        if self.is_foreign(first.unwrap_or(name)) {
            return None;
        }
        let receiver = before.rsplit(['.', ':']).find(|part| !part.is_empty()).unwrap_or_default();
        let of_type = receiver.starts_with(char::is_uppercase);
        // A name imported under an alias has its original name where it's defined.
        let own = of_type.then(|| self.facts.exported_as(self.source, receiver)).flatten();
        let receiver = own.as_deref().unwrap_or(receiver);
        // There a method is never called by its name alone.
        let needs_receiver = matches!(
            self.language(),
            "typescript" | "tsx" | "javascript" | "svelte" | "vue" | "python" | "php" | "go" | "rust"
        );
        let before = matches!(self.language(), "c" | "cpp" | "csharp" | "java");
        let fits = |container: &str| {
            let last = container.rsplit('.').next().unwrap_or_default();
            match receiver {
                "" => container.is_empty() || !needs_receiver,
                _ if of_type => self.types.is_a(receiver, last, MAX_BASES),
                // What such a receiver is may be a foreign type's.
                _ => !before,
            }
        };
        self.types.returned(name, &fits, before)
    }

    /// Whether a receiver is a path in a module from outside of the project: `os.path` where `os` is imported.
    pub(super) fn is_in_foreign_module(&self, receiver: &str) -> bool {
        let is_path = receiver.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
        let Some((first, _)) =
            receiver.split_once('.').filter(|_| is_path && imports_exactly(self.language()))
        else {
            return false;
        };
        let mut imports = self.source.outline.imports.iter();
        imports.any(|import| {
            import.bound.iter().any(|(here, there)| here == first && there == WHOLE)
                && self.imported_on(import.line).is_empty()
        })
    }

    /// Whether a receiver is what a function from outside of the project gives, to which nothing of the project was given:
    /// `createHash("md5")`. What is given a value may give it back, and a text may name what is given: `inject("cart")`.
    pub(super) fn is_made_outside(&self, receiver: &str) -> bool {
        let is_script = is_script(self.language());
        if !is_script || !receiver.contains('(') || receiver.chars().count() >= MAX_RECEIVER {
            return false;
        }
        let lower = receiver.to_lowercase();
        let names = |owner: &str| !owner.is_empty() && lower.contains(&owner.to_lowercase());
        let Some(values) = values_in(receiver).filter(|_| !self.targets.iter().any(|t| names(&t.owner)))
        else {
            return false;
        };
        let mut values = values.into_iter().filter(|name| !LITERALS.contains(name)).peekable();
        values.peek().is_some() && values.all(|name| self.is_of_package(name))
    }

    /// Whether a name is imported from a package. `~/cart` is a file of the project although it isn't found.
    fn is_of_package(&self, name: &str) -> bool {
        let mut imports = self.source.outline.imports.iter();
        imports.any(|import| {
            let is_package =
                !import.target.starts_with(['.', '/', '~', '#', '$']) && !import.target.starts_with("@/");
            is_package
                && import.bound.iter().any(|(here, _)| here == name)
                && self.imported_on(import.line).is_empty()
        })
    }

    /// Whether an import says that a name comes from outside of the project.
    fn is_foreign(&self, name: &str) -> bool {
        let mut imports = self.source.outline.imports.iter();
        imports.any(|import| {
            import.bound.iter().any(|(here, _)| here == name)
                && self.imported_on(import.line).is_empty()
                && (imports_exactly(self.language()) || !self.types.is_defined(name))
        })
    }
}

/// Whether all that comes from another file of a project is imported from that file.
fn imports_exactly(language: &str) -> bool {
    matches!(language, "typescript" | "tsx" | "javascript" | "svelte" | "vue" | "python")
}

/// The names in an expression that are values, and not its properties, keys and texts; `None` if a text may contain values.
fn values_in(expression: &str) -> Option<Vec<&str>> {
    let (mut out, mut rest, mut before) = (Vec::new(), expression, ' ');
    while let Some(c) = rest.chars().next() {
        if matches!(c, '"' | '\'' | '`') {
            let (text, behind) = rest[1..].split_once(c)?;
            if c == '`' && text.contains("${") {
                return None;
            }
            (rest, before) = (behind, c);
            continue;
        }
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).unwrap_or(rest.len());
        let (name, behind) = rest.split_at(end.max(c.len_utf8()));
        rest = behind;
        if end == 0 {
            // What is behind `...` is a value, not a property.
            if c == '.'
                && let Some(spread) = rest.strip_prefix("..")
            {
                (rest, before) = (spread, ' ');
                continue;
            }
            before = if c.is_whitespace() { before } else { c };
            continue;
        }
        let is_key = matches!(before, '{' | ',') && behind.trim_start().starts_with(':');
        if before != '.' && !is_key && !name.starts_with(char::is_numeric) {
            out.push(name);
        }
        before = 'a';
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::values_in;

    #[test]
    fn an_expressions_values_are_neither_its_properties_nor_its_texts() {
        for (expression, expected) in [
            ("request(app)", Some("request app")),
            ("createHash('md5', \"b c\")", Some("createHash")),
            ("z\n  .object({ a: 1, b: { c: y.d } })", Some("z y")),
            ("a.b(c ? d : e)", Some("a c d e")),
            ("f(`x`)", Some("f")),
            ("merge(...carts, {...b.c})", Some("merge carts b")),
            ("f(`${x}`)", None),
            ("f('it\\'s')", None),
            ("größe(ß)", Some("größe ß")),
        ] {
            assert_eq!(values_in(expression).map(|all| all.join(" ")).as_deref(), expected, "{expression}");
        }
    }
}
