//! Values assigned to names that sound secret. Owns where such a name and its value are; [`judgement`](super::judgement) says
//! which values are worth hiding.

use std::sync::LazyLock;

use super::judgement::{Context, is_secret};
use super::name_words::WORDS;
use super::names::{name_end, name_start, value_after};
use super::random::looks_random;
use super::value::How;
use super::{Secret, columns};
use crate::WordList;

static FINDER: LazyLock<WordList> = LazyLock::new(|| WordList::new(WORDS.iter().copied(), true));

/// Adds the values in `text` that are assigned to secret-sounding names.
pub(super) fn find(text: &str, out: &mut Vec<Secret>) {
    let mut done = 0;
    let mut table_end = 0;
    for word in FINDER.longest(text) {
        if word.start < done {
            continue;
        }
        let start = name_start(text, word.start);
        let end = name_end(text, word.end);
        if start >= table_end
            && let Some(end) = columns::below(text, start, end, out)
        {
            table_end = end;
        }
        let longer = longer_name(text, end);
        let Some(value) = value_after(text, start, longer) else { continue };
        let name = &text[start..longer];
        let before = &text[text.floor_char_boundary(start.saturating_sub(512))..start];
        if name.len() > 80 || before.ends_with("://") {
            // Right after `://` is a URL's user, whose password has a rule of its own.
            continue;
        }
        let context = Context::new(text[word].to_ascii_lowercase(), name, before, &value);
        let shown = &text[value.range.clone()];
        // What a longer name says may be about the secret: `TOKEN_URL`, `PASSWORD_MIN_LENGTH`.
        let tells = longer == end
            || matches!(value.how, How::Sign(..))
                && shown.len() >= 16
                && looks_random(shown)
                && !shown.contains(['.', '/', ':']);
        if tells && is_secret(shown, &context, &text[value.range.end..]) {
            done = value.range.end;
            let kind = if context.is_password() { "password" } else { "secret" };
            out.push(Secret { range: value.range, kind });
        }
    }
}

/// The end of an environment variable's name that goes on after its word: `API_TOKEN_GITHUB`, `API_KEYS`.
fn longer_name(text: &str, end: usize) -> usize {
    let rest = text[end..].bytes();
    let more =
        rest.take(40).take_while(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_').count();
    let goes_on = text[..end].ends_with(|c: char| c.is_ascii_uppercase())
        && (text[end..].starts_with('_') || text[end..].starts_with('S'));
    if goes_on && text[end + more..].starts_with(['=', ':', ' ', '"', '\'']) { end + more } else { end }
}
