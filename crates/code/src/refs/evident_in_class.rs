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

/// The type of an instance variable of Ruby at a place: what the class around sets it to everywhere. `nil` says nothing.
pub(super) fn instance_variable(
    name: &str,
    at: usize,
    text: &str,
    symbols: &[Symbol],
    returned: Returned<'_>,
) -> Option<String> {
    let is_around = |s: &&Symbol| s.start <= at && at < s.end && (s.kind.is_type() || s.kind == Kind::Module);
    let class = symbols.iter().filter(is_around).max_by_key(|s| s.start)?;
    let body = text.get(class.start..class.end)?;
    // A class in the class has variables of its own.
    let is_inner = |s: &&Symbol| s.kind.is_type() && class.start < s.start && s.end <= class.end;
    let inner: Vec<Range<usize>> = symbols.iter().filter(is_inner).map(|s| s.start..s.end).collect();
    let is_own = |place: &usize| !inner.iter().any(|other| other.contains(&(class.start + place)));
    // `attr_accessor :cart` lets others set it, to whatever they like.
    let lets_set = |line: &str| {
        let line = line.trim_start();
        ["attr_accessor", "attr_writer"].iter().any(|word| line.starts_with(word))
            && whole_words(line, name.trim_start_matches('@')).next().is_some()
    };
    if body.lines().any(lets_set) {
        return None;
    }
    let mut found: Option<String> = None;
    // `@@cart` is another one.
    let places = whole_words(body, name).filter(|place| !body[..*place].ends_with('@')).filter(is_own);
    for place in places.take(MAX_PLACES) {
        let after = body[place + name.len()..].trim_start_matches(' ');
        let set = after.strip_prefix('=').filter(|value| !value.starts_with(['=', '~', '>']));
        let Some(value) = after.strip_prefix("||=").or(set).map(str::trim_start) else {
            // `@cart, @till = all` at the beginning of a line, and `instance_variable_set(:@cart, all)`
            let is_first = || body[..place].rsplit('\n').next().is_some_and(|line| line.trim().is_empty());
            let is_set = || body[..place].trim_end_matches(':').ends_with("instance_variable_set(");
            if is_changed(after) || after.starts_with(',') && (is_first() || is_set()) {
                return None;
            }
            continue;
        };
        // `@till, @cart = till, cart`: the first value is that of the first variable.
        if body[..place].trim_end_matches([' ', '*']).ends_with(',') {
            return None;
        }
        let of_nil = value.strip_prefix("nil").map(|rest| rest.chars().next());
        if of_nil.is_some_and(|next| next.is_none_or(|c| !c.is_alphanumeric() && c != '_')) {
            continue;
        }
        let of = expression_type(value, returned)?;
        if found.as_ref().is_some_and(|known| *known != of) {
            return None;
        }
        found = Some(of);
    }
    found
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
    use super::{is_changed, is_listed};

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
