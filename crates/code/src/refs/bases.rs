//! Resolves members that a type takes from its bases: `super.run()`, `super<Base>.run()` in Kotlin,
//! `Base.super.run()` in Java, what an anonymous class inherits, and the order in which a Python class searches several. Doesn't know
//! how other receivers are resolved.

use std::collections::HashSet;

use tree_sitter::Node;

use super::Confidence::{InScope, Resolved, Textual};
use super::Target;
use super::occurrences::{Occurrence, Role};
use super::resolution::{FileContext, MAX_BASES, Verdict};
use super::syntactic_types::own_type;
use super::syntax_nodes::ancestors;
use super::types::bases_in;
use crate::grammar::Kind;
use crate::language::is_jvm;
use crate::parse::slice;
use crate::symbols::{Outline, Symbol};

/// Types with more bases than these are searched level by level.
const MAX_ORDERED: usize = 200;

/// A name is looked for in no more types without a name that are inside of each other.
const MAX_UNNAMED: usize = 4;

/// The types in which a receiver's member is searched.
#[derive(Debug, PartialEq, Eq)]
enum Asked<'r> {
    /// The bases of the enclosing type.
    Bases,
    /// The bases of this type.
    BasesOf(&'r str),
    /// This type.
    Type(&'r str),
}

impl FileContext<'_> {
    /// What a name after `super` and its like means; `None` for any other receiver.
    pub(super) fn resolve_on_base(
        &self,
        o: &Occurrence,
        outline: &Outline,
        receiver: &str,
    ) -> Option<Verdict> {
        let asked = base_keyword(receiver, self.language())?;
        // `foo::Builder` isn't a `Builder` of something else.
        let path = || self.full_path(o, receiver);
        let is_foreign = |of: &str| self.language() == "cpp" && !self.has_type_on_path(of, &path());
        if matches!(&asked, Asked::Type(of) if is_foreign(of)) {
            return None;
        }
        let owner = type_around(o, outline);
        let root = self.source.tree.root_node();
        let node = root.descendant_for_byte_range(o.at, o.at + 1);
        let unnamed =
            node.and_then(|node| unnamed_type(root, node, &self.source.text)).map(|(_, bases)| bases);
        let is_python = self.language() == "python";
        let bases_of = |of: &str| {
            let order = is_python.then(|| self.in_order(of)).flatten();
            order.unwrap_or_else(|| self.types.bases(of))
        };
        let bases = match asked {
            Asked::Bases => unnamed.unwrap_or_else(|| bases_of(owner)),
            Asked::BasesOf(of) => bases_of(of),
            // Java's `Outer.super.run()` searches the bases of an enclosing class.
            Asked::Type(of) if of != owner && !self.types.is_a(owner, of, MAX_BASES) => bases_of(of),
            Asked::Type(of) => vec![of.to_owned()],
        };
        for base in &bases {
            // An override is never meant.
            let verdict =
                if is_python { (Resolved, self.own_members(base)) } else { self.resolve_member(base) };
            if verdict.0 == Resolved && !verdict.1.is_empty() {
                return Some(verdict);
            }
        }
        // The next type may be a sibling, or the result of a function.
        let is_made = |base: &String| self.types.is_defined(base) && !self.facts.is_type(base);
        if !matches!(self.language(), "python" | "scala") && !bases.iter().any(is_made) {
            return Some((Textual, Vec::new()));
        }
        let near = self.targets_where(|t| !t.is_free() && t.owner != owner && self.is_near(t));
        Some(if near.is_empty() { (Textual, near) } else { (InScope, near) })
    }

    /// What a type without a name takes from its bases: `pay()` in `new Base() { void a() { pay(); } }`. `None` where it has that name
    /// itself, and where no base has it.
    pub(super) fn inherited_by_unnamed_type(
        &self,
        o: &Occurrence,
        outline: &Outline,
        spelt: &str,
    ) -> Option<Verdict> {
        let receiver = o.receiver.as_deref();
        let asks_itself = match self.language() {
            "java" | "kotlin" | "scala" => receiver.is_none_or(|receiver| receiver == "this"),
            "php" => receiver == Some("$this"),
            _ => false,
        };
        if !asks_itself || self.targets.iter().all(Target::is_free) {
            return None;
        }
        let root = self.source.tree.root_node();
        let mut at = root.descendant_for_byte_range(o.at, o.at + spelt.len())?;
        for depth in 0..MAX_UNNAMED {
            let (body, bases) = unnamed_type(root, at, &self.source.text)?;
            let rows = body.start_position().row + 1..=body.end_position().row + 1;
            let is_inside = |line: u32| rows.contains(&(line as usize));
            // What is around the type has the name only where neither the type nor a base has.
            if o.bound.iter().any(|line| is_inside(*line))
                || self.targets.iter().any(|t| t.file == self.file && is_inside(t.line))
            {
                return None;
            }
            if let Some((confidence, of)) = self.taken_from(o, outline, &bases) {
                // Somebody else's base, of the type inside, may have it.
                return Some((if depth == 0 { confidence } else { InScope }, of));
            }
            if receiver.is_some() {
                return None;
            }
            at = body;
        }
        None
    }

    /// What a name means that a type takes from one of these bases.
    fn taken_from(&self, o: &Occurrence, outline: &Outline, bases: &[String]) -> Option<Verdict> {
        bases.iter().find_map(|base| {
            let mut imports =
                outline.imports.iter().filter(|one| one.bound.iter().any(|(here, _)| here == base));
            let imported = imports.next().map(|import| self.imported_on(import.line));
            // The base is somebody else's, and its namesake here is another type.
            if imported.as_ref().is_some_and(Vec::is_empty) {
                return None;
            }
            let (confidence, mut of) = self.resolve_member(base);
            of.retain(|i| self.language() != "java" || o.role != Role::Call || self.is_callable(*i));
            if confidence != Resolved || of.is_empty() {
                return None;
            }
            let is_sure = imported.is_some() || of.iter().any(|i| self.is_near(&self.targets[*i]));
            Some((if is_sure { Resolved } else { InScope }, of))
        })
    }

    /// The members that a type has, its own and those of its bases.
    pub(super) fn inherited_by(&self, of: &str) -> Vec<usize> {
        self.targets_where(|t| !t.is_free() && self.types.is_a(of, &t.owner, MAX_BASES))
    }

    /// The same of the types around a place from the innermost one on: in Java, Kotlin and Scala, an inner type names what those around
    /// it have, as in `new Runnable() { public void run() { pay(); } }`.
    pub(super) fn inherited_around(&self, o: &Occurrence, outline: &Outline) -> Vec<usize> {
        let inside = o.inside.and_then(|i| outline.symbols.get(i));
        let Some(inside) = inside.filter(|_| is_jvm(self.language())) else {
            return Vec::new();
        };
        let own = inside.kind.is_type().then_some(inside.name.as_str());
        let around = own.into_iter().chain(inside.container.rsplit('.'));
        let mut types = around.filter(|of| self.facts.is_type(of)).peekable();
        while let Some(of) = types.next() {
            let inherited = self.inherited_by(of);
            if !inherited.is_empty() {
                return inherited;
            }
            if types.peek().is_none() || !is_inner(of, outline, self.language()) {
                break;
            }
        }
        Vec::new()
    }

    /// The bases of a Python class, in the order in which they are searched: from left to right, each before its own
    /// bases, and a shared base after all its subclasses.
    pub(super) fn in_order(&self, of: &str) -> Option<Vec<String>> {
        let mut all: Vec<String> = Vec::new();
        let mut open: Vec<(String, u32)> = vec![(of.to_owned(), 0)];
        while let Some((one, depth)) = open.pop() {
            if all.len() > MAX_ORDERED {
                return None;
            }
            if depth < MAX_BASES {
                open.extend(self.types.bases(&one).into_iter().rev().map(|base| (base, depth + 1)));
            }
            all.push(one);
        }
        let mut known: HashSet<&str> = HashSet::from([of]);
        let mut out: Vec<String> =
            all.iter().rev().filter(|one| known.insert(one.as_str())).cloned().collect();
        out.reverse();
        Some(out)
    }
}

/// Whether a type in another one has what that has: Kotlin marks those that do (`inner`), Java those that don't (`static`).
fn is_inner(name: &str, outline: &Outline, language: &str) -> bool {
    let says = |of: &Symbol, word: &str| of.signature.split_whitespace().any(|one| one == word);
    let found = outline.symbols.iter().find(|s| s.kind.is_type() && s.name == name);
    found.is_none_or(|of| match language {
        "kotlin" => says(of, "inner"),
        "java" => of.kind == Kind::Class && !says(of, "static"),
        _ => true,
    })
}

/// The type around a place; a method in one line isn't a place that a name of its own is in.
pub(super) fn type_around<'s>(o: &Occurrence, outline: &'s Outline) -> &'s str {
    own_type(&outline.symbols, o.inside).unwrap_or("")
}

/// The types in which a receiver's member is searched, if it's one of the keywords for a base.
fn base_keyword<'r>(receiver: &'r str, language: &str) -> Option<Asked<'r>> {
    match language {
        "csharp" => (receiver == "base").then_some(Asked::Bases),
        "php" => (receiver == "parent").then_some(Asked::Bases),
        "python" => {
            let arguments = receiver.strip_prefix("super(")?.strip_suffix(')')?;
            // `super(Child, self)`
            let of = arguments.split(',').next().unwrap_or_default().trim();
            let of = of.rsplit('.').next().unwrap_or(of);
            Some(if matches!(of, "" | "__class__") { Asked::Bases } else { Asked::BasesOf(of) })
        }
        "typescript" | "tsx" | "javascript" | "svelte" | "vue" | "swift" => {
            (receiver == "super").then_some(Asked::Bases)
        }
        "java" | "kotlin" | "scala" if receiver == "super" => Some(Asked::Bases),
        "java" => Some(Asked::Type(last_name(receiver.strip_suffix(".super")?))),
        "scala" => {
            let of = receiver.strip_prefix("super[")?.strip_suffix(']')?;
            Some(Asked::Type(last_name(of)))
        }
        "kotlin" => {
            let rest = receiver.strip_prefix("super")?;
            match rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
                Some((of, _)) => Some(Asked::Type(last_name(of))),
                None => Some(Asked::BasesOf(rest.strip_prefix('@')?)),
            }
        }
        _ => None,
    }
}

fn last_name(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path).trim()
}

/// The body of the anonymous class around a place and its bases; `None` if the enclosing class has a name.
fn unnamed_type<'t>(root: Node<'t>, node: Node<'t>, text: &str) -> Option<(Node<'t>, Vec<String>)> {
    let path = ancestors(root, node);
    let is_body = |one: &Node<'_>| matches!(one.kind(), "class_body" | "declaration_list" | "template_body");
    let body = path.iter().rposition(is_body)?;
    let of = body.checked_sub(1).and_then(|at| path.get(at))?;
    let head = |from: usize| text.get(from..path[body].start_byte()).unwrap_or_default();
    let bases = match of.kind() {
        // `new Base() { … }`
        "object_creation_expression" => {
            let base = of.child_by_field_name("type").map(|base| slice(base, text))?;
            let base = base.split('<').next().unwrap_or(base);
            Some(vec![last_name(base).to_owned()])
        }
        // `new Base("a") with Other { … }` of Scala
        "instance_expression" => {
            let head = head(of.start_byte()).trim_start().strip_prefix("new")?;
            Some(bases_in(&format!("class It extends {}", head.trim_start()), "It"))
        }
        // `object : Base(), Other { … }`
        "object_literal" => {
            let head = head(of.start_byte()).trim_start().strip_prefix("object")?;
            Some(bases_in(&format!("object It {}", head.trim_start()), "It"))
        }
        "anonymous_class" => {
            let head = head(of.start_byte());
            let at = head.find("extends ").or_else(|| head.find("implements "));
            Some(at.map_or(Vec::new(), |at| bases_in(&format!("class It {}", &head[at..]), "It")))
        }
        // `class extends Base { … }` as an expression
        "class" => {
            let mut cursor = of.walk();
            let heritage = of.named_children(&mut cursor).find(|one| one.kind() == "class_heritage");
            let heritage = heritage.map_or("", |one| slice(one, text));
            Some(bases_in(&format!("class It {heritage}"), "It"))
        }
        _ => None,
    };
    bases.map(|bases| (path[body], bases))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_a_base_type_belong_to_their_language() {
        for (receiver, language, expected) in [
            ("super", "typescript", Some(Asked::Bases)),
            ("super()", "python", Some(Asked::Bases)),
            ("super(Child, self)", "python", Some(Asked::BasesOf("Child"))),
            ("super<Base>", "kotlin", Some(Asked::Type("Base"))),
            ("super@Outer", "kotlin", Some(Asked::BasesOf("Outer"))),
            ("n.Base.super", "java", Some(Asked::Type("Base"))),
            ("super[Base]", "scala", Some(Asked::Type("Base"))),
            ("base", "csharp", Some(Asked::Bases)),
            ("parent", "php", Some(Asked::Bases)),
            // Elsewhere these are variables.
            ("base", "python", None),
            ("parent", "typescript", None),
            ("superb", "kotlin", None),
            ("super", "rust", None),
        ] {
            assert_eq!(base_keyword(receiver, language), expected, "{receiver} of {language}");
        }
    }
}
