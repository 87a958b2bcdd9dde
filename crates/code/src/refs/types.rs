//! Reads base types and return types from the signatures in the index, once for each name, and, from bodies, the
//! modules and traits that a type of Ruby or PHP mixes in.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::given_types::is_type;
use super::heritage::mixed_in;
use super::infer::DefinitionLookup;
use super::syntactic_types::type_name;
use super::text_matches::{opening_bracket, whole_words};
use crate::store::Store;
use crate::words;

/// Keywords before the name of a type that has bases.
const TYPE_WORDS: &[&str] =
    &["class", "interface", "struct", "trait", "object", "protocol", "enum", "extension", "record", "actor"];

/// No more definitions of one name are read.
const MAX_READ: usize = 50;

/// Containers and signatures of definitions.
pub(super) type Signatures = Vec<(String, String)>;

/// The bases of types, by their names.
type Above = HashMap<String, Rc<HashSet<String>>>;

/// Answers from the index, remembered while one name is looked for.
pub(super) struct Types<'a> {
    store: &'a Store,
    facts: &'a DefinitionLookup<'a>,
    bases: RefCell<HashMap<String, Vec<String>>>,
    /// By how far up, and by name.
    above: RefCell<HashMap<u32, Above>>,
    /// By name and file.
    bases_in_files: RefCell<HashMap<(String, String), Vec<String>>>,
    /// By name and which kinds: a name of thousands takes a while.
    signatures: RefCell<HashMap<(String, &'static str), Signatures>>,
}

impl<'a> Types<'a> {
    pub(super) fn new(store: &'a Store, facts: &'a DefinitionLookup<'a>) -> Types<'a> {
        Types {
            store,
            facts,
            bases: RefCell::default(),
            above: RefCell::default(),
            bases_in_files: RefCell::default(),
            signatures: RefCell::default(),
        }
    }

    /// The bases of `name`, as its definitions name them, with its mixins.
    pub(super) fn bases(&self, name: &str) -> Vec<String> {
        if let Some(found) = self.bases.borrow().get(name) {
            return found.clone();
        }
        let mut out: Vec<String> =
            self.signatures(name).iter().flat_map(|(_, signature)| bases_in(signature, name)).collect();
        for (source, line) in self.facts.that_mix_in(name) {
            out.extend(
                source.named_on(line, name).map(|node| mixed_in(node, &source.text)).unwrap_or_default(),
            );
        }
        // In the order in which they are named, which is the one in which Python asks them.
        let mut known = HashSet::new();
        out.retain(|base| known.insert(base.clone()));
        self.bases.borrow_mut().insert(name.to_owned(), out.clone());
        out
    }

    /// Whether `name` is `base` or a subtype.
    pub(super) fn is_a(&self, name: &str, base: &str, depth: u32) -> bool {
        name == base || self.bases_above(name, depth).contains(base)
    }

    /// The bases of `name`, this far up. Each type on the way is visited once, however many subtypes it has.
    fn bases_above(&self, name: &str, depth: u32) -> Rc<HashSet<String>> {
        if let Some(found) = self.above.borrow().get(&depth).and_then(|of| of.get(name)) {
            return Rc::clone(found);
        }
        let mut level = vec![name.to_owned()];
        let mut known: HashSet<String> = HashSet::from([name.to_owned()]);
        for _ in 0..depth {
            level = self.bases_of_all(&level, &mut known);
            if level.is_empty() {
                break;
            }
        }
        let known = Rc::new(known);
        self.above.borrow_mut().entry(depth).or_default().insert(name.to_owned(), Rc::clone(&known));
        known
    }

    /// The bases of these types, without those already known; they are then known, too.
    pub(super) fn bases_of_all(&self, level: &[String], known: &mut HashSet<String>) -> Vec<String> {
        let above = level.iter().flat_map(|one| self.bases(one));
        above.filter(|base| known.insert(base.clone())).collect()
    }

    /// Whether the type `name` that this file defines is `base` or a subtype: a namesake may be one instead.
    pub(super) fn is_a_of_file(&self, name: &str, path: &str, base: &str, depth: u32) -> bool {
        let of_file = || self.bases_in_file(name, path);
        name == base || (depth > 0 && of_file().iter().any(|b| self.is_a(b, base, depth - 1)))
    }

    /// The bases of the type `name` in this file; if the file has none, those of all types of that name.
    pub(super) fn bases_in_file(&self, name: &str, path: &str) -> Vec<String> {
        let key = (name.to_owned(), path.to_owned());
        if let Some(found) = self.bases_in_files.borrow().get(&key) {
            return found.clone();
        }
        let mut folded = String::new();
        words::whole(name, &mut folded);
        let read = self.store.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT s.signature FROM symbols s JOIN files f ON f.id = s.file
                 WHERE s.folded = ?1 AND s.name = ?2 AND f.path = ?3 AND s.kind NOT IN ('field', 'variant', 'method')",
            )?;
            let rows = statement.query_map([folded.as_str(), name, path], |r| r.get::<_, String>(0))?;
            rows.collect::<rusqlite::Result<Vec<String>>>()
        });
        let own = read.unwrap_or_default();
        let out: Vec<String> = if own.is_empty() {
            self.bases(name)
        } else {
            own.iter().flat_map(|signature| bases_in(signature, name)).collect()
        };
        self.bases_in_files.borrow_mut().insert(key, out.clone());
        out
    }

    /// Whether anything of the project is called so.
    pub(super) fn is_defined(&self, name: &str) -> bool {
        !self.signatures(name).is_empty()
    }

    /// The type that the functions called `name` return in containers that fit, where all say the same; with `before`, it may be in
    /// front of the name.
    pub(super) fn returned(&self, name: &str, fits: &dyn Fn(&str) -> bool, before: bool) -> Option<String> {
        let mut all: Vec<Option<String>> = self
            .signatures(name)
            .iter()
            .filter(|(container, _)| fits(container))
            .map(|(container, signature)| {
                let in_front = || self.type_before(signature, name).filter(|_| before);
                let returned = returned_in(signature).or_else(in_front)?;
                let own = matches!(returned.as_str(), "Self" | "this");
                Some(if own { container.rsplit('.').next()?.to_owned() } else { returned })
            })
            .collect();
        all.dedup();
        if all.len() == 1 { all.pop().flatten() } else { None }
    }

    /// The type in front of a method's name. What is written like a type's parameter is one unless the project has such a type.
    fn type_before(&self, signature: &str, name: &str) -> Option<String> {
        let of = returned_before(signature, name)?;
        let rest = of.strip_prefix('T').unwrap_or_default();
        (!rest.starts_with(char::is_uppercase) || self.facts.is_type(&of)).then_some(of)
    }

    /// Container and signature of each definition of `name` other than fields and variants.
    pub(super) fn signatures(&self, name: &str) -> Signatures {
        self.read(name, "s.kind NOT IN ('field', 'variant')")
    }

    /// Container and signature of each field called `name`.
    pub(super) fn field_signatures(&self, name: &str) -> Signatures {
        self.read(name, "s.kind = 'field'")
    }

    /// Container and signature of each value, constant or function called `name`: what says of which type it is. The head of a type
    /// says what that is made from.
    pub(super) fn value_signatures(&self, name: &str) -> Signatures {
        self.read(name, "s.kind IN ('field', 'constant', 'variable', 'function', 'method')")
    }

    /// Whether an enumeration called `of` has a value called `name`.
    pub(super) fn has_variant(&self, of: &str, name: &str) -> bool {
        let all = self.read(name, "s.kind = 'variant'");
        // Not all are read of a name of more.
        all.len() >= MAX_READ || all.iter().any(|(container, _)| container.rsplit('.').next() == Some(of))
    }

    /// An unreadable signature has no result.
    fn read(&self, name: &str, kinds: &'static str) -> Signatures {
        let key = (name.to_owned(), kinds);
        if let Some(found) = self.signatures.borrow().get(&key) {
            return found.clone();
        }
        let mut folded = String::new();
        words::whole(name, &mut folded);
        let read = self.store.read(|db| {
            let mut statement = db.prepare_cached(&format!(
                "SELECT s.container, s.signature FROM symbols s JOIN files f ON f.id = s.file
                 WHERE s.folded = ?1 AND s.name = ?2 AND {kinds} ORDER BY f.path, s.line, s.id LIMIT {MAX_READ}"
            ))?;
            let rows = statement.query_map([folded.as_str(), name], |r| Ok((r.get(0)?, r.get(1)?)))?;
            rows.collect::<rusqlite::Result<Signatures>>()
        });
        let read = read.unwrap_or_default();
        self.signatures.borrow_mut().insert(key, read.clone());
        read
    }
}

/// `class A(B, C)`, `class A extends B implements C`, `class A : B`, `class A < B`.
pub(super) fn bases_in(signature: &str, name: &str) -> Vec<String> {
    // `@Of(A.class) class A` has its name behind the word for what it is.
    let is_head = |at: &usize| {
        let mut words = signature[..*at].split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| TYPE_WORDS.contains(&word))
    };
    let Some(at) = whole_words(signature, name).find(is_head) else { return Vec::new() };
    let rest = without_generics(&signature[at + name.len()..]);
    // `class A private constructor(x: Int) : B(x)`
    let rest = rest.split_once("constructor").map_or(rest.as_str(), |(_, arguments)| arguments).trim_start();
    let (inner, rest) = match rest.strip_prefix('(') {
        Some(_) => bracketed(rest),
        None => ("", rest),
    };
    let rest = rest.trim_start().trim_start_matches("final").trim_start();
    let rest = [" where ", " permits "].iter().fold(rest, |rest, end| rest.split(end).next().unwrap_or(rest));
    let (list, in_brackets) =
        if let Some((_, after)) = rest.split_once("extends ").or_else(|| rest.split_once("implements ")) {
            (after.replace("implements", ",").replace("extends", ",").replace(" with ", ","), false)
        } else if let Some(after) = rest.strip_prefix([':', '<']) {
            (after.to_owned(), false)
        } else {
            (inner.to_owned(), true)
        };
    let list = without_brackets(&list);
    let named = list.split([',', '&', '+']).filter(|part| !part.contains('='));
    named
        .filter_map(|part| {
            let mut word = part.trim();
            for before in ["public ", "private ", "protected ", "virtual "].repeat(2) {
                word = word.trim_start_matches(before);
            }
            // The bases of Python are in brackets; `x: Int` and `int x` of others are arguments there.
            if in_brackets && word.contains([':', ' ']) {
                return None;
            }
            let word: String = word
                .chars()
                .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | ':' | '\\'))
                .collect();
            word.rsplit(['.', ':', '\\']).next().filter(|w| !w.is_empty()).map(str::to_owned)
        })
        .collect()
}

/// The text between the first bracket and its counterpart, and the text after it.
fn bracketed(text: &str) -> (&str, &str) {
    let mut depth = 0i32;
    for (at, c) in text.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 {
            return (&text[1..at], &text[at + 1..]);
        }
    }
    (text.get(1..).unwrap_or_default(), "")
}

/// A text without what is in brackets: the arguments of a base's constructor.
fn without_brackets(text: &str) -> String {
    let mut depth = 0i32;
    let kept = text.chars().filter(|c| {
        depth += i32::from(*c == '(');
        let keeps = depth == 0;
        depth -= i32::from(*c == ')');
        keeps
    });
    kept.collect()
}

/// A text without what is between `<` and `>`, `[` and `]`.
fn without_generics(text: &str) -> String {
    let mut depth = 0i32;
    let mut out = String::with_capacity(text.len());
    // `class A < B` of Ruby has a blank there.
    let opens = !text.trim_start().starts_with("< ");
    for c in text.chars() {
        match c {
            '<' | '[' if opens => depth += 1,
            '>' | ']' if depth > 0 => depth -= 1,
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

/// The type after `->`, after `):`, or after the last bracket of a function of Go.
fn returned_in(signature: &str) -> Option<String> {
    if let Some((_, after)) = signature.rsplit_once("->") {
        let after = after.trim();
        let after =
            ["Result<", "io::Result<", "Self::"].iter().fold(after, |a, p| a.strip_prefix(p).unwrap_or(a));
        return type_name(after);
    }
    if let Some((_, after)) = signature.rsplit_once("):") {
        let after = after.trim();
        let word = after.trim_start_matches('?').split(|c: char| !c.is_alphanumeric()).next();
        // `this` of TypeScript, `self` and `static` of PHP
        let own = matches!(word, Some("this" | "self" | "static"));
        return if own { Some("this".to_owned()) } else { type_name(after) };
    }
    if signature.starts_with("func ") {
        let (_, after) = signature.rsplit_once(") ")?;
        return type_name(after.trim_start_matches('('));
    }
    None
}

/// The type in front of the name of a method of Java, C# or C++: `public Cart make(int number)`.
fn returned_before(signature: &str, name: &str) -> Option<String> {
    let is_called = |at: &usize| signature[at + name.len()..].trim_start().starts_with(['(', '<']);
    let at = whole_words(signature, name).find(is_called)?;
    let before = signature[..at].trim_end();
    if before.len() == at {
        return None;
    }
    let before = before.trim_end_matches('?');
    let before = if before.ends_with('>') { &before[..opening_bracket(before)?] } else { before };
    let word = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    let path = before[..before.len() - word.len()]
        .trim_end_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.'));
    // `@Inject Cart(` is a constructor.
    (is_type(word) && !path.ends_with('@')).then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_give_base_types() {
        for (signature, name, expected) in [
            ("class A(B, m.C, metaclass=M)", "A", "B C"),
            ("export class A<T> extends B<T, U> implements C, D", "A", "B C D"),
            ("interface A extends B", "A", "B"),
            ("class A : B, C", "A", "B C"),
            ("class A < B", "A", "B"),
            ("class A", "A", ""),
            ("class A(val x: Int, y: B)", "A", ""),
            ("class A(val x: Int) : B(x, 1), C", "A", "B C"),
            ("open class A protected constructor(x: Int) : B(x)", "A", "B"),
            ("class A(x: Int) extends B(x) with C", "A", "B C"),
            ("record A(int a, String b) implements B", "A", "B"),
            ("class A final : public virtual B, protected ns::C", "A", "B C"),
            ("class A extends \\N\\B", "A", "B"),
            ("extension A: B & C", "A", "B C"),
            ("actor A: B", "A", "B"),
            ("@AScoped(B.class) public class A extends C", "A", "C"),
            ("def A(b)", "A", ""),
        ] {
            assert_eq!(bases_in(signature, name).join(" "), expected, "{signature}");
        }
    }

    #[test]
    fn a_type_may_be_in_front_of_the_name() {
        for (signature, expected) in [
            ("public Cart make(int number)", Some("Cart")),
            ("@Nullable Cart make()", Some("Cart")),
            ("public static <T> Cart<T, List<T>> make(T of)", Some("Cart")),
            ("internal static shop.Cart? make<T>(T of)", Some("Cart")),
            ("public Cart[] make()", None),
            ("public int make()", None),
            ("public void make(Cart make)", None),
            ("@Inject make()", None),
            ("@a.Inject make()", None),
            ("Cart.make()", None),
            ("> make()", None),
            ("public T make()", None),
        ] {
            assert_eq!(returned_before(signature, "make").as_deref(), expected, "{signature}");
        }
    }

    #[test]
    fn signatures_give_return_types() {
        for (signature, expected) in [
            ("pub fn open(path: &Path) -> Result<Store>", Some("Store")),
            ("def get(self) -> \"Client\"", Some("Client")),
            ("function f(a: A): Promise<Bee>", Some("Bee")),
            ("public static function f(int $a): ?self", Some("this")),
            ("f(): this", Some("this")),
            ("f(): thisAndThat", None),
            ("func New(a int) *Engine", Some("Engine")),
            ("def f(a)", None),
            ("fn f() -> u8", None),
        ] {
            assert_eq!(returned_in(signature).as_deref(), expected, "{signature}");
        }
    }
}
