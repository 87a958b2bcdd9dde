//! Tools that are recognised by what they print, whatever started them: their filters shorten an output one after the
//! other, on top of the result of the command's own filter. Owns the order of rules and steps among several tools.

use std::sync::Arc;

use crate::by_rules::{added, by_rules_among_others, by_steps_alone};
use crate::definition::Filter;
use crate::set::FilterSet;
use crate::shortened::Shortened;

/// The result of the filters of all tools that are recognised in what the program `calls` printed, on top of the result
/// of the command's own filter; `None` if there is no other filter.
pub(crate) fn by_signature(
    set: &FilterSet,
    calls: &[Vec<String>],
    own: Option<&Shortened>,
    text: &str,
    room: usize,
) -> Option<Shortened> {
    by_filters(&set.recognised_in(text, calls), own.cloned(), text, room)
}

/// The same by the filters of the tools that were recognised.
pub(crate) fn by_filters(
    recognised: &[Arc<Filter>],
    own: Option<Shortened>,
    text: &str,
    room: usize,
) -> Option<Shortened> {
    let own_name = own.as_ref().map(|own| own.filter.clone());
    let mut done = own;
    let mut changed = false;
    // Steps on a whole text come after all rules, whose blocks end at lines that a step may leave out.
    for by_steps in [false, true] {
        for filter in recognised.iter().filter(|filter| own_name.as_ref() != Some(&filter.name)) {
            let before = done.as_ref().map_or(text, |done| done.text.as_str());
            let next = match by_steps {
                false => by_rules_among_others(filter, before),
                true => by_steps_alone(filter, before, room),
            };
            if next.text.len() >= before.len() {
                continue;
            }
            changed = true;
            done = Some(match done {
                Some(done) => {
                    Shortened { text: next.text, left_out: added(done.left_out, &next.left_out), ..done }
                }
                None => next,
            });
        }
    }
    done.filter(|_| changed)
}

/// The rest of an output that a recognised tool's filter has shortened before, with both counts, in that filter's name.
pub(crate) fn with_counts_of(rest: Shortened, part: &Shortened) -> Shortened {
    let left_out = added(part.left_out.clone(), &rest.left_out);
    Shortened { text: rest.text, filter: part.filter.clone(), left_out }
}
