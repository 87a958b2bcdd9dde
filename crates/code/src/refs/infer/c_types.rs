//! Reads the words of declarations of C and C++: which of the project's types they name, and what a value contains. Pure.

use crate::refs::text_matches::whole_words;

/// Words of a declaration that can't name one of the project's types.
const OTHER_WORDS: &[&str] = &[
    "const",
    "volatile",
    "static",
    "extern",
    "inline",
    "register",
    "restrict",
    "typedef",
    "struct",
    "union",
    "enum",
    "class",
    "typename",
    "mutable",
    "constexpr",
    "unsigned",
    "signed",
    "int",
    "char",
    "short",
    "long",
    "float",
    "double",
    "void",
    "bool",
    "auto",
    "virtual",
    "explicit",
    "friend",
    "thread_local",
];

/// How what a value contains or has many of is marked in front of its type, and the way to it.
pub(super) const TO_HELD: &str = "->";
pub(super) const TO_ELEMENT: &str = "[]";
/// Types of C++ that contain a value of another, and those that have many.
const HOLDERS: &[&str] =
    &["unique_ptr", "shared_ptr", "scoped_ptr", "intrusive_ptr", "scoped_refptr", "optional"];
const LISTS: &[&str] = &["vector", "array", "deque", "span"];

/// The type that `name` is declared as an alias of: `typedef struct cart cart_t`, `using cart_t = cart`.
pub(super) fn aliased_type(signature: &str, name: &str) -> Option<String> {
    if let Some((_, of)) = signature.strip_prefix("using ").and_then(|rest| rest.split_once('=')) {
        return type_in(of);
    }
    let of = signature.strip_prefix("typedef ")?;
    let of = of.split(['{', '*', '(']).next().unwrap_or(of).trim_end_matches([' ', ';']);
    // Without a bracket or a star between them, the name comes right after the type.
    let before = of.strip_suffix(name).filter(|before| before.ends_with(' '));
    type_in(before.unwrap_or(of))
}

/// The type before a name in its declaration.
pub(super) fn head_type(signature: &str, name: &str) -> Option<String> {
    let at = whole_words(signature, name).next()?;
    // `int Cart::total()` gives no `Cart`.
    let mut before = signature[..at].trim_end();
    while let Some(path) = before.strip_suffix("::") {
        before = path.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
        if before.len() == path.len() {
            return None;
        }
    }
    // `template <typename T> Cart make()`
    let before = if before.starts_with("template") { before.rsplit('>').next()? } else { before };
    type_in(before)
}

/// The name of the project's type in the words of a declaration. One that a value contains, or has many of, is marked.
pub(super) fn type_in(words: &str) -> Option<String> {
    let outer = words.split(['{', '<', ',']).next().unwrap_or(words);
    let name = outer
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .rfind(|word| !word.is_empty() && !OTHER_WORDS.contains(word))?;
    let mark = match name {
        name if HOLDERS.contains(&name) => TO_HELD,
        name if LISTS.contains(&name) => TO_ELEMENT,
        _ => return Some(name.to_owned()),
    };
    let inner = words[outer.len()..].strip_prefix('<')?.split(['>', ',']).next()?;
    // What is contained in something that is itself contained isn't followed.
    type_in(inner).filter(|of| !is_marked(of)).map(|of| format!("{mark}{of}"))
}

fn is_marked(name: &str) -> bool {
    name.starts_with(TO_HELD) || name.starts_with(TO_ELEMENT)
}

/// The type that `->`, `[]` or `.` gets from a value of the type `name`: a pointer or an array is what it points to.
pub(super) fn reached(name: String, by: &str) -> Option<String> {
    match name.strip_prefix(by) {
        Some(inner) => Some(inner.to_owned()),
        None => (!is_marked(&name)).then_some(name),
    }
}

#[cfg(test)]
mod tests {
    use super::{aliased_type, head_type, reached, type_in};

    #[test]
    fn a_holder_gives_what_it_holds_only_where_that_is_asked() {
        for (words, by, expected) in [
            ("std::unique_ptr<Cart>", "->", Some("Cart")),
            ("std::unique_ptr<Cart>", ".", None),
            ("const std::shared_ptr<shop::Cart> &", "->", Some("Cart")),
            ("std::vector<Cart *>", "[]", Some("Cart")),
            ("std::vector<Cart>", "->", None),
            ("std::array<Cart, 3>", "[]", Some("Cart")),
            ("std::vector<std::unique_ptr<Cart>>", "[]", None),
            ("std::unique_ptr<int>", "->", None),
            ("unique_ptr", "->", None),
            ("Cart *", "->", Some("Cart")),
            ("Cart *", "[]", Some("Cart")),
            ("Cart<Line>", ".", Some("Cart")),
        ] {
            let found = type_in(words).and_then(|name| reached(name, by));
            assert_eq!(found.as_deref(), expected, "{words} {by}");
        }
    }

    #[test]
    fn a_head_gives_the_type_before_the_whole_name() {
        for (signature, expected) in [
            ("Cart& open(int number)", Some("Cart")),
            ("Cart& Shop::open(int number)", Some("Cart")),
            ("Cart n::Shop::open()", Some("Cart")),
            ("bool Shop::open()", None),
            ("T Shop<T>::open()", None),
            ("template <typename T> Cart open(T of)", Some("Cart")),
            ("open()", None),
        ] {
            assert_eq!(head_type(signature, "open").as_deref(), expected, "{signature}");
        }
    }

    #[test]
    fn an_alias_gives_its_type() {
        for (signature, expected) in [
            ("typedef struct cart it;", Some("cart")),
            ("typedef struct cart { int total; } it", Some("cart")),
            ("typedef const struct cart *it", Some("cart")),
            ("typedef cart it", Some("cart")),
            ("typedef struct it it", Some("it")),
            ("typedef struct { int total; } it", None),
            ("typedef int (*it)(struct cart *)", None),
            ("using it = shop::cart", Some("cart")),
            ("struct it", None),
        ] {
            assert_eq!(aliased_type(signature, "it").as_deref(), expected, "{signature}");
        }
    }
}
