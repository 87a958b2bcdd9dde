//! Types that are evident from what is around an expression: an instance variable of Ruby that its class only sets to values of one type,
//! and a type's parameter that its head bounds. Pure.

use std::ops::Range;

use super::given_types::{Returned, expression_type};
use super::syntactic_types::type_name;
use super::text_matches::whole_words;
use crate::grammar::Kind;
use crate::symbols::Symbol;

/// No more places of a variable are looked at.
const MAX_PLACES: usize = 400;
/// A longer list of a type's parameters isn't read.
const MAX_LISTED: usize = 500;

/// The innermost class or module around a place.
pub(super) fn class_around(at: usize, symbols: &[Symbol]) -> Option<&Symbol> {
    let is_around = |s: &&Symbol| s.start <= at && at < s.end && (s.kind.is_type() || s.kind == Kind::Module);
    symbols.iter().filter(is_around).max_by_key(|s| s.start)
}

/// The type of an instance variable of Ruby in a class: what that sets it to everywhere. `nil` says nothing.
pub(super) fn instance_variable(
    name: &str,
    class: &Symbol,
    text: &str,
    symbols: &[Symbol],
    returned: Returned<'_>,
) -> Option<String> {
    let body = text.get(class.start..class.end)?;
    // A class in the class has variables of its own.
    let is_inner = |s: &&Symbol| s.kind.is_type() && class.start < s.start && s.end <= class.end;
    let inner: Vec<Range<usize>> = symbols.iter().filter(is_inner).map(|s| s.start..s.end).collect();
    let is_own = |place: &usize| !inner.iter().any(|other| other.contains(&(class.start + place)));
    if others_set(body, name.trim_start_matches('@')) {
        return None;
    }
    let mut found: Option<String> = None;
    // `@@cart` is another one.
    let places = whole_words(body, name).filter(|place| !body[..*place].ends_with('@')).filter(is_own);
    for place in places.take(MAX_PLACES) {
        let (before, after) = (&body[..place], body[place + name.len()..].trim_start_matches(' '));
        let set = after.strip_prefix('=').filter(|value| !value.starts_with(['=', '~', '>']));
        let Some(value) = after.strip_prefix("||=").or(set).map(str::trim_start) else {
            if is_changed(after) || is_in_list(before, after) || is_set_by_word(before) {
                return None;
            }
            continue;
        };
        // `@till, @cart = till, cart`: the first value is that of the first variable.
        if before.trim_end_matches([' ', '*']).ends_with(',') {
            return None;
        }
        let of_nil = value.strip_prefix("nil").map(|rest| rest.chars().next());
        if of_nil.is_some_and(|next| next.is_none_or(|c| !c.is_alphanumeric() && c != '_')) {
            continue;
        }
        let of = expression_type(value, returned)?;
        // `Cart.new rescue Till.new`
        let has_other = value.lines().next().is_some_and(|line| line.contains(" rescue "));
        if has_other || found.as_ref().is_some_and(|known| *known != of) {
            return None;
        }
        found = Some(of);
    }
    found
}

/// Whether a class lets others set a variable, to whatever they like: `attr_accessor :till, :cart`.
fn others_set(body: &str, name: &str) -> bool {
    let words = ["attr_accessor", "attr_writer"].into_iter();
    let mut writers = words.flat_map(|word| whole_words(body, word).map(move |at| at + word.len()));
    writers.any(|from| lists(&body[from..], name))
}

/// Whether the list that a text begins with has a name. It goes on behind a line that a comma or a bracket ends.
fn lists(text: &str, name: &str) -> bool {
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default();
        if whole_words(line, name).next().is_some() {
            return true;
        }
        if !line.trim_end().ends_with([',', '(']) {
            return false;
        }
    }
    false
}

/// Whether a variable is one of several that are set together: `@cart, @till = all`, `name, (@cart, @till) = all`.
fn is_in_list(before: &str, after: &str) -> bool {
    let is_set = |rest: &str| rest.strip_prefix('=').is_some_and(|value| !value.starts_with(['=', '~', '>']));
    let behind = after.trim_start_matches([')', ' ']);
    if after.starts_with(')') && is_set(behind) {
        return true;
    }
    let is_first = || before.rsplit('\n').next().is_some_and(|line| line.trim().is_empty());
    let of_list =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '$' | '.' | ',' | ' ' | '*' | '(' | ')');
    behind.starts_with(',') && (is_first() || is_set(behind.trim_start_matches(of_list)))
}

/// Whether a word before a variable sets it: `instance_variable_set(:@cart, all)`, `for @cart in all`, `rescue Error => @cart`.
fn is_set_by_word(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default().trim_end();
    let is_rescue = || line.ends_with("=>") && whole_words(line, "rescue").next().is_some();
    let is_loop =
        || line.strip_suffix("for").is_some_and(|rest| rest.is_empty() || rest.ends_with([' ', ';']));
    let is_given = || line.trim_end_matches([' ', '(', ':', '"', '\'']).ends_with("instance_variable_set");
    is_rescue() || is_loop() || is_given()
}

/// Whether a text begins with an operator that sets what is before: `+= 1` and `&&= other`, but not `<= 1`.
fn is_changed(after: &str) -> bool {
    let rest = after.trim_start_matches(['+', '-', '*', '/', '%', '&', '|', '^', '<', '>']);
    let sign = &after[..after.len() - rest.len()];
    !matches!(sign, "" | "<" | ">") && rest.starts_with('=')
}

/// A type, or what bounds it if it's the parameter of a type or a function around a place: `<T extends Cart>`, `<T: Cart>`. One without a
/// bound says nothing.
pub(super) fn bounded(of: String, at: usize, symbols: &[Symbol]) -> Option<String> {
    let number = of.strip_prefix(|c: char| c.is_ascii_uppercase());
    if number.is_none_or(|number| number.len() > 1 || !number.chars().all(|c| c.is_ascii_digit())) {
        return Some(of);
    }
    let name = of.clone();
    let around = symbols.iter().filter(|s| s.start <= at && at < s.end);
    let mut places = around.flat_map(|s| whole_words(&s.signature, &name).map(move |place| (s, place)));
    let found = places.find(|(s, place)| is_listed(&s.signature[..*place]));
    let Some((s, place)) = found else { return Some(of) };
    let rest = s.signature[place + of.len()..].trim_start();
    let bound = ["extends ", "<:", ":"].iter().find_map(|mark| rest.strip_prefix(mark));
    bound.and_then(type_name)
}

/// Whether what follows is listed in brackets for types: `<`, and `<K, ` with what bounds that.
fn is_listed(before: &str) -> bool {
    let before = before.trim_end();
    if before.ends_with(['<', '[']) {
        return true;
    }
    let mut depth = 0i32;
    let open = before.char_indices().rev().take(MAX_LISTED).find(|(_, c)| {
        depth += i32::from(matches!(c, '>' | ']' | ')')) - i32::from(matches!(c, '<' | '[' | '('));
        depth < 0
    });
    before.ends_with(',') && open.is_some_and(|(_, c)| c != '(')
}

#[cfg(test)]
mod tests {
    use super::{is_changed, is_in_list, is_listed, is_set_by_word, others_set};

    #[test]
    fn operators_that_set_are_told_from_those_that_compare() {
        for after in ["+= 1", "&&= x", "||= x", "<<= 1", "**= 2", "-= 1"] {
            assert!(is_changed(after), "{after}");
        }
        for after in ["= 1", "== 1", "<= 1", ">= 1", "<=> x", "=~ x", "!= 1", "&.pay", "<< x", ".pay", ""] {
            assert!(!is_changed(after), "{after}");
        }
    }

    #[test]
    fn several_variables_may_be_set_together() {
        for (text, expected) in [
            ("@cart, @till = all", true),
            ("@cart,\n@till = all", true),
            ("x; @cart, till.one = all", true),
            ("a, (@cart, b) = all", true),
            ("a, (b, @cart) = all", true),
            ("(@cart), *b = all", true),
            ("pay(@cart, till)", false),
            ("pay(@cart, till) == all", false),
            ("pay(@cart, \"a=b\")", false),
            ("pay(@cart, till => 1)", false),
            ("[1, @cart]", false),
            ("pay(@cart) == all", false),
        ] {
            let (before, after) = text.split_once("@cart").unwrap();
            assert_eq!(is_in_list(before, after), expected, "{text}");
        }
    }

    #[test]
    fn words_that_set_a_variable_are_known() {
        for before in ["for ", "x\nrescue Error => ", "instance_variable_set(:", "a.instance_variable_set \""]
        {
            assert!(is_set_by_word(before), "{before}");
        }
        for before in
            ["pay(", "{ cart: ", "{ cart => ", "before ", "tag for: ", "rescue Error\n{ cart => ", ""]
        {
            assert!(!is_set_by_word(before), "{before}");
        }
    }

    #[test]
    fn a_class_names_what_others_may_set() {
        for body in [
            "attr_accessor :cart",
            "private attr_writer :till, :cart",
            "attr_accessor(:cart)",
            "attr_accessor :till, # its own\n  :cart",
            "attr_writer(\n  :cart\n)",
            "attr_reader :cart\nattr_writer :cart",
        ] {
            assert!(others_set(body, "cart"), "{body}");
        }
        for body in
            ["attr_reader :cart", "attr_accessor :till\ncart", "attr_accessor :carts", "cart = attr_accessor"]
        {
            assert!(!others_set(body, "cart"), "{body}");
        }
    }

    #[test]
    fn the_parameters_of_a_type_are_listed_in_its_brackets() {
        for before in
            ["class Use<", "<K, ", "<K extends Map<A, B>, ", "def use[K, ", "<K extends Comparable<"]
        {
            assert!(is_listed(before), "{before}");
        }
        for before in ["void use(", "<K> void use(K one, ", "<K> ", "@At(\"a\", ", ""] {
            assert!(!is_listed(before), "{before}");
        }
    }
}
