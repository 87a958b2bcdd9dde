//! An output whose two parts, standard output and standard error, were printed to different places. Owns shortening
//! each part alone by what both together show about the tool.

use std::borrow::Cow;
use std::sync::Arc;

use shell::line;

use crate::block_repeats::fold_repeats;
use crate::by_rules::by_rules;
use crate::command::{runs_other_tools, unwrapped};
use crate::definition::Filter;
use crate::inner::inner;
use crate::normal::normalise;
use crate::recognised::by_filters;
use crate::set::FilterSet;
use crate::shorten::CEILING;
use crate::shortened::{GENERIC, Shortened};
use crate::worth::{ADDRESS, WORTH_BYTES};

/// Shortens an output whose two parts were printed to different places, or leaves it alone (`None`): the shape is
/// searched in both together, and each is shortened alone by the same rules. Filters with rules do that; if none
/// applies, repeated text is shown once.
#[must_use]
pub fn shorten_parts(
    set: &FilterSet,
    command: &str,
    _exit: Option<i32>,
    out: &str,
    err: &str,
) -> Option<(Shortened, Shortened)> {
    if text::is_own_output(out) || text::is_own_output(err) {
        return None;
    }
    let command = &*inner(command);
    let line = line::parse(command);
    let simple = line.commands.first().filter(|_| !line.odd && line.commands.len() == 1)?;
    let argv = simple.argv();
    let (out_text, err_text) = (normalise(out), normalise(err));
    let candidates = set.candidates(unwrapped(&argv));
    let own = candidates
        .iter()
        .filter(|filter| filter.native.is_none())
        .find(|filter| filter.knows(&out_text) || filter.knows(&err_text));
    let shorten_one = |text: &str, recognised: &[Arc<Filter>]| {
        let own = own.map(|filter| by_rules(filter, text, CEILING));
        by_filters(recognised, own.clone(), text, CEILING).or(own)
    };
    let any_tool = candidates.is_empty() || runs_other_tools(unwrapped(&argv));
    let recognised = match any_tool && !set.prints_data(command) {
        // A tool may be recognised by what it prints to the other place.
        true => set.recognised_in(&format!("{out_text}\n{err_text}"), &[unwrapped(&argv).to_vec()]),
        false => Vec::new(),
    };
    let as_it_is = |text: Cow<str>| Shortened { text: text.into_owned(), ..Shortened::default() };
    let any_command = !set.is_off(GENERIC) && !set.prints_data(command);
    let folded = |text: &str| {
        let (text, count) = fold_repeats(text).filter(|_| any_command)?;
        let left_out = vec![("repeated lines".to_owned(), count)];
        Some(Shortened { text, filter: GENERIC.into(), left_out })
    };
    let shorten_one = |text: &str| shorten_one(text, &recognised).or_else(|| folded(text));
    let (out_short, err_short) = match (shorten_one(&out_text), shorten_one(&err_text)) {
        (None, None) => return None,
        (Some(out), Some(err)) => (out, err),
        (Some(out), None) => (out, as_it_is(err_text)),
        (None, Some(err)) => (Shortened { filter: err.filter.clone(), ..as_it_is(out_text) }, err),
    };
    let mut left_out = out_short.left_out.clone();
    left_out.extend(err_short.left_out.iter().cloned());
    let out_short = Shortened { left_out, ..out_short };
    let whole = out_short.with_address(None).len() + err_short.text.len() + ADDRESS;
    let before = out.len() + err.len();
    (whole + WORTH_BYTES.max(before / 10) <= before).then_some((out_short, err_short))
}
