//! Types that are evident from what is around an expression: an instance variable of Ruby that its class only sets to values of one type,
//! and a type's parameter that its head bounds. Pure.

use super::given_types::{Returned, expression_type};
use super::syntactic_types::type_name;
use super::text_matches::whole_words;
use crate::grammar::Kind;
use crate::symbols::Symbol;

/// No more places of a variable are looked at.
const MAX_PLACES: usize = 400;

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
    let mut found: Option<String> = None;
    // `@@cart` is another one.
    let places = whole_words(body, name).filter(|place| !body[..*place].ends_with('@'));
    for place in places.take(MAX_PLACES) {
        let after = body[place + name.len()..].trim_start_matches(' ');
        let set = after.strip_prefix('=').filter(|value| !value.starts_with(['=', '~', '>']));
        let Some(value) = after.strip_prefix("||=").or(set).map(str::trim_start) else {
            // `@cart += 1`, and `@cart, @till = all` at the beginning of a line
            let is_changed = after.get(1..2) == Some("=") && !after.starts_with(['=', '!', '<', '>']);
            let is_first = || body[..place].rsplit('\n').next().is_some_and(|line| line.trim().is_empty());
            if is_changed || after.starts_with(',') && is_first() {
                return None;
            }
            continue;
        };
        if value.starts_with("nil") {
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
    let found = places.find(|(s, place)| s.signature[..*place].trim_end().ends_with(['<', '[']));
    let Some((s, place)) = found else { return Some(of) };
    let rest = s.signature[place + of.len()..].trim_start();
    let bound = ["extends ", "<:", ":"].iter().find_map(|mark| rest.strip_prefix(mark));
    bound.and_then(type_name)
}
