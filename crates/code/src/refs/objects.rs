//! Tells members of a type from those of its values, in languages where both may be called alike: `def self.total` of Ruby and `static
//! func total` of Swift are asked with `Cart.total`, `def total` and `func total` with a cart. A name alone means what the object has that
//! the code around it belongs to.

use tree_sitter::Node;

use super::bases::type_around;
use super::occurrences::Occurrence;
use super::receivers::is_constant;
use super::resolution::FileContext;
use super::syntax_nodes::ancestors;
use super::text_matches::whole_words;
use crate::grammar::Kind;
use crate::symbols::Outline;

/// What is asked for a method, or what has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Object {
    Class,
    Instance,
}

impl FileContext<'_> {
    /// Keeps the methods that the object has which is asked: a class or one of its instances. Where a name alone only meant one of an
    /// instance, it means that of the class.
    pub(super) fn retain_of_object(
        &self,
        of: &mut Vec<usize>,
        o: &Occurrence,
        outline: &Outline,
        spelt: &str,
    ) {
        match self.language() {
            "ruby" if !of.is_empty() => {}
            "swift" if of.len() > 1 => return self.retain_static(of, o, spelt),
            _ => return,
        }
        let root = self.source.tree.root_node();
        let node = root.descendant_for_byte_range(o.at, o.at + spelt.len());
        let Some(node) = node.filter(|node| node.kind() == "identifier") else { return };
        let Some(asked) = asked_object(root, node, o) else { return };
        of.retain(|i| self.may_be_of(*i, asked, spelt));
        if of.is_empty() && asked == Object::Class && o.receiver.is_none() {
            let own = type_around(o, outline);
            *of = self.targets_where(|t| !own.is_empty() && t.owner == own && t.kind == Kind::Method);
            of.retain(|i| self.object_of(*i, spelt) == Some(Object::Class));
        }
    }

    /// Keeps the static members of Swift where a type is asked, and the others where a value is, if there are any.
    fn retain_static(&self, of: &mut Vec<usize>, o: &Occurrence, spelt: &str) {
        let root = self.source.tree.root_node();
        let node = root.descendant_for_byte_range(o.at, o.at + spelt.len());
        let asked = match o.receiver.as_deref() {
            None | Some("self") => node.and_then(|node| swift_object_around(root, node, &self.source.text)),
            Some("Self" | "type(of: self)") => Some(Object::Class),
            Some(path) => {
                let last = path.rsplit('.').next().unwrap_or(path);
                let is_type = last.starts_with(char::is_uppercase) && self.facts.is_type(last);
                let of_value = o.receiver_type.as_ref().map(|_| Object::Instance);
                if is_type { Some(Object::Class) } else { of_value }
            }
        };
        let Some(asked) = asked else { return };
        let has = |i: &usize| {
            let t = &self.targets[*i];
            let other = if t.file == self.file { None } else { Some(self.facts.source(t.file)?) };
            let source = other.as_deref().unwrap_or(self.source);
            let node = source.named_on(t.line, spelt)?;
            let path = ancestors(source.tree.root_node(), node);
            let declares = |one: &&Node<'_>| declares_member(one.kind());
            path.iter().rev().find(declares).map(|one| swift_object(*one, &source.text))
        };
        let fits: Vec<usize> = of.iter().copied().filter(|i| has(i).is_none_or(|has| has == asked)).collect();
        if !fits.is_empty() {
            *of = fits;
        }
    }

    /// Whether a target may be a method of such an object. A module's methods are those of what takes it in: an instance, or a class
    /// that extends itself by it.
    fn may_be_of(&self, target: usize, asked: Object, name: &str) -> bool {
        let has = self.object_of(target, name);
        match asked {
            Object::Instance => has != Some(Object::Class),
            Object::Class => {
                has != Some(Object::Instance) || !self.facts.is_type(&self.targets[target].owner)
            }
        }
    }

    /// What has a method; `None` where it may be both.
    fn object_of(&self, target: usize, name: &str) -> Option<Object> {
        let t = &self.targets[target];
        if t.kind != Kind::Method {
            return None;
        }
        let other = if t.file == self.file { None } else { Some(self.facts.source(t.file)?) };
        let source = other.as_deref().unwrap_or(self.source);
        let node = source.named_on(t.line, name)?;
        let path = ancestors(source.tree.root_node(), node);
        for around in path.iter().rev() {
            match around.kind() {
                "singleton_method" | "singleton_class" => return Some(Object::Class),
                "class" => return Some(Object::Instance),
                "module" => {
                    let body = source.text.get(around.byte_range()).unwrap_or_default();
                    let is_both =
                        |words: &str| body.contains(words) && whole_words(body, words).next().is_some();
                    let both = is_both("module_function") || is_both("extend self");
                    return if both { None } else { Some(Object::Instance) };
                }
                _ => {}
            }
        }
        None
    }
}

/// Which object is asked at a place; `None` where that isn't evident.
fn asked_object(root: Node<'_>, node: Node<'_>, o: &Occurrence) -> Option<Object> {
    match o.receiver.as_deref() {
        None | Some("self") => object_around(root, node),
        Some("self.class") => Some(Object::Class),
        // A class is called so; a constant in capitals may be any value.
        Some(path) if is_constant(path) => {
            let last = path.rsplit(':').next().unwrap_or(path);
            last.contains(char::is_lowercase).then_some(Object::Class)
        }
        Some(_) => o.receiver_type.as_ref().map(|_| Object::Instance),
    }
}

/// Whether a node of Swift declares what a type or its values have.
fn declares_member(kind: &str) -> bool {
    matches!(
        kind,
        "function_declaration"
            | "protocol_function_declaration"
            | "property_declaration"
            | "protocol_property_declaration"
    )
}

/// Whether a declaration of Swift is of a type or of its values.
fn swift_object(declaration: Node<'_>, text: &str) -> Object {
    let mut cursor = declaration.walk();
    let words = declaration.named_children(&mut cursor).find(|part| part.kind() == "modifiers");
    let words = words.and_then(|part| text.get(part.byte_range())).unwrap_or_default();
    let is_static = words.split_whitespace().any(|word| matches!(word, "static" | "class"));
    if is_static { Object::Class } else { Object::Instance }
}

/// The object that the code at a place of Swift belongs to: the outermost member around it says so. The value of a property that isn't
/// static has neither.
fn swift_object_around(root: Node<'_>, node: Node<'_>, text: &str) -> Option<Object> {
    let path = ancestors(root, node);
    let mut found = None;
    let mut is_computed = false;
    for around in path.iter().rev() {
        match around.kind() {
            "class_body" | "enum_class_body" | "protocol_body" => return found,
            "computed_property" | "willset_didset_block" => is_computed = true,
            "init_declaration" | "deinit_declaration" | "subscript_declaration" => {
                found = Some(Object::Instance);
            }
            "property_declaration" if !is_computed => {
                found = Some(swift_object(*around, text)).filter(|of| *of == Object::Class).or(found);
            }
            kind if declares_member(kind) => found = Some(swift_object(*around, text)),
            _ => {}
        }
    }
    None
}

/// The object that the code at a place belongs to. A block in the body of a class may be run for any object.
fn object_around(root: Node<'_>, node: Node<'_>) -> Option<Object> {
    let path = ancestors(root, node);
    let (mut is_in_block, mut is_in_method) = (false, false);
    for around in path.iter().rev() {
        match around.kind() {
            "alias" | "undef" => return None,
            "singleton_method" => return Some(Object::Class),
            "method" => is_in_method = true,
            "singleton_class" => return is_in_method.then_some(Object::Class),
            "class" | "module" if is_in_method => return Some(Object::Instance),
            "class" if !is_in_block => return Some(Object::Class),
            "class" | "module" => return None,
            "block" | "do_block" | "lambda" => is_in_block |= !is_in_method,
            _ => {}
        }
    }
    None
}
