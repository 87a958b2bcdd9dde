//! Orders that are done once, and what is joined to them: they have the words of a rule and end with the task at hand.

use crate::session::extract;

use super::clauses::{after, has};
use super::facts;
use super::limits::LASTING;
use super::screen_wishes::{ARTICLES, EVER};

/// How much of a project an order is done to, which says nothing of how often.
const EXTENTS: &[&str] = &[
    "everywhere",
    "anywhere",
    "for all",
    "in all",
    "to all",
    "all over the codebase",
    "überall",
    "für alle",
    "in allen",
];
/// The same where it's named, and what was done by the speaker.
const PLACES_OF_WORK: &[&str] = &[
    "in this repo",
    "in this repository",
    "in this project",
    "in this codebase",
    "in this code base",
    "in this app",
    "in diesem repo",
    "in diesem projekt",
    "by hand",
];
/// Verbs of work that is done once.
pub(super) const ONCE: &[&str] = &[
    "rename",
    "replace",
    "convert",
    "change",
    "remove",
    "delete",
    "fix",
    "migrate",
    "move",
    "refactor",
    "clean",
    "translate",
    "hide",
    "regenerate",
    "redo",
    "ersetze",
    "entferne",
    "lösche",
    "ändere",
    "behebe",
    "benenne",
    "verschiebe",
];
/// The same of work that may have an exception, where no rule begins with them. Elsewhere some are nouns.
const ONCE_TO_MANY: &[&str] =
    &["copy", "export", "sort", "filter", "group", "send", "kopiere", "exportiere", "sortiere", "sende"];
/// What is before one thing, or some, that are known.
const KNOWN: &[&str] = &["the", "those", "these", "der", "die", "das", "den", "diejenigen"];
/// Verbs of what is done once to one thing.
const ONCE_TO_ONE: &[&str] = &["write", "run", "put", "add", "schreib", "schreibe"];

/// Whether an order of the task at hand goes on with a rule's word: `group by month and always keep the latest row`, `add logs so we
/// always know who calls`. Whoever says who does it, or for what it's so, means a rule.
pub(super) fn is_joined_to_order(plain: &str, sign: &str) -> bool {
    const JOINING: [&str; 8] = [" and ", " but ", " then ", " und ", " aber ", " dann ", " et ", " y "];
    const PURPOSES: [&str; 4] = [" so ", "so that ", "damit ", "sodass "];
    const STATING: [&str; 12] =
        ["we", "wir", "our", "all", "every", "each", "alle", "jede", "i", "please", "bitte", "on"];
    let first = plain.split([' ', ',']).next().unwrap_or_default();
    plain.find(sign).and_then(|at| plain.get(..at)).is_some_and(|before| {
        let ends = |marks: &[&str]| marks.iter().any(|mark| before.ends_with(mark));
        // `wait 5s, 10s and 20s and never more` goes on, `fix the test, and never sleep` doesn't.
        // What has its article is at hand: `paginate it, and always keep the filter`, `export everything, but never the notes`.
        let is_at_hand = || {
            let mut words = after(plain, sign).split_whitespace();
            words.next().is_some_and(|what| KNOWN.contains(&what))
                || words.next().is_some_and(|what| ARTICLES.contains(&what) || what == "it")
        };
        // `the libraries are old, bump them all but never …`
        let last = before.rsplit([',', ';', ':']).next().unwrap_or_default().trim_start();
        let orders = || {
            facts::orders_work(plain)
                || facts::orders_work(last) && has(last, &["it", "them", "all", "es", "sie", "alle"])
                || ONCE.contains(&first)
                || ONCE_TO_MANY.contains(&first)
        };
        let is_one = !before.contains([',', ';', ':'])
            || orders()
                && !before.contains([';', ':'])
                && (!ends(&[", and ", ", but ", ", und ", ", aber "]) || is_at_hand());
        let joins = ends(&JOINING) && is_one && !STATING.contains(&first);
        (joins || ends(&PURPOSES) && facts::orders_work(plain)) && !is_often(plain)
    })
}

/// Whether a sentence has words by which it outlives its task, and not only those for how much of a project it's done to.
fn is_often(plain: &str) -> bool {
    let counts = |words: &&&str| !EXTENTS.contains(*words) && !PLACES_OF_WORK.contains(*words);
    LASTING.iter().filter(counts).any(|words| extract::contains_words(plain, words))
}

/// Whether an order is done once, to however much: `please rename it in all files`, `run the tests for all packages`, `I changed
/// it by hand, please read it again`.
pub(super) fn is_done_once(plain: &str, sign: &str) -> bool {
    let (before, rest) = plain.split_once(sign).unwrap_or_default();
    let leads = ["please", "bitte"].contains(&sign);
    // `the form must never be sent twice, please add a guard`
    if leads && has(before, EVER) && !has(rest, EVER) && facts::orders_work(rest) {
        return true;
    }
    let lasts = || has(plain, EVER) || has(plain, &["for all future", "in all future"]);
    if lasts() || is_often(plain) {
        return false;
    }
    let mut words = rest.split_whitespace();
    let verb = if leads { words.next().unwrap_or_default() } else { sign };
    let is_one = words.next().is_some_and(|what| ARTICLES.contains(&what));
    let to_one = ONCE_TO_ONE.contains(&verb) && is_one && !has(plain, PLACES_OF_WORK);
    let tells_deed =
        || ["i ", "i've ", "ich "].iter().any(|own| plain.starts_with(own)) && !has(rest, LASTING);
    ONCE.contains(&verb) || to_one || leads && tells_deed()
}
