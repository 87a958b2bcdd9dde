//! What binds a sentence to the task at hand though it has the words of a rule: it belongs to an order for a text, to one
//! place, or to the moment; or the next sentence orders or questions what it says.

use crate::session::extract::{self, Sentence};

use super::clauses::{IN_WHOLE_PROJECT, has};
use super::fact_subjects::{CODE_AND_SCREEN, PROJECT};
use super::facts;
use super::fault_signs::DEMANDS;
use super::limits::{LASTING, MEMORIES, WRITING};
use super::orders_once::ONCE;
use super::screen_wishes::EVER;
use super::signs::PARTS_MADE;

/// Maximum number of words of an order about the sentence before it.
const MAX_ORDER: usize = 6;
/// Verbs of an order about what the rest of the sentence says, besides those of a text to write.
const EXPLAINING: &[&str] = &[
    "explain",
    "describe",
    "verify",
    "summarize",
    "summarise",
    "tell",
    "mention",
    "imply",
    "illustrate",
    "think",
    "consider",
    "figure",
    "erkläre",
    "beschreibe",
    "erwähne",
    "explique",
    "explica",
];
/// What begins the part that an order is about.
const CONJUNCTIONS: &[&str] = &[
    "to ensure",
    "to make sure",
    "so that",
    "that",
    "why",
    "who",
    "which",
    "whether",
    "how",
    "where",
    "dass",
    "warum",
    "wieso",
    "ob",
    "wie",
    "que",
    "pourquoi",
    "por qué",
];
/// How a sentence begins that is about one place.
const PLACES: &[&str] = &[
    "in this ",
    "in that ",
    "in these ",
    "for this ",
    "for these ",
    "on this ",
    "in diesem ",
    "in dieser ",
    "für dieses ",
    "für diesen ",
    "für diese ",
    "dans cette ",
    "pour cette ",
    "en esta ",
];
/// Places that are as lasting as the project.
const LASTING_PLACES: &[&str] = &[
    "projekt",
    "team",
    "repo",
    "codebase",
    "code",
    "company",
    "firma",
    "lab",
    "labor",
    "book",
    "buch",
    "novel",
    "roman",
    "series",
    "paper",
    "thesis",
    "workspace",
    "monorepo",
    "organisation",
    "organization",
    "group",
    "office",
];
/// Until when something is done only.
const FOR_NOW: &[&str] = &[
    "for now",
    "for the moment",
    "for the time being",
    "just this once",
    "this time",
    "until i",
    "until noon",
    "until later",
    "till i",
    "a minute ago",
    "a moment ago",
    "minutes ago",
    "just now",
    "vorerst",
    "fürs erste",
    "erst mal",
    "erstmal",
    "diesmal",
    "bis ich",
    "pour l'instant",
    "por ahora",
];
/// Verbs of an order about the sentence before it.
const CARRYING_OUT: &[&str] = &[
    "implement",
    "fix",
    "add",
    "do",
    "make",
    "address",
    "apply",
    "enforce",
    "handle",
    "solve",
    "build",
    "write",
    "code",
    "change",
    "remove",
    "delete",
    "automate",
    "optimise",
    "optimize",
    "pick",
    "choose",
    "unify",
    "setz",
    "setze",
    "mach",
    "bau",
    "baue",
    "behebe",
    "entferne",
    "lösche",
    "ergänze",
    "implementiere",
];
/// Phrases that remind of something for the task, where `remember that` asks to keep it.
pub(super) const REMINDING: &[&str] = &[
    "for the record",
    "keep in mind that",
    "don't forget that",
    "denk dran, dass",
    "denk daran, dass",
    "vergiss nicht, dass",
    "n'oublie pas que",
    "ten en cuenta que",
];
/// What points at the sentence before.
const BACK: &[&str] = &["it", "that", "this", "they", "them", "das", "es", "dies", "ça", "eso"];

/// Whether a rule's words are only what an order is about: `write a poem about somebody who never sleeps`.
pub(super) fn is_order_about(plain: &str) -> bool {
    const LEADS: [&str; 11] =
        ["please", "bitte", "now", "then", "also", "and", "ok", "okay", "so", "dann", "jetzt"];
    let verb = plain
        .split(|c: char| c.is_whitespace() || c == ',')
        .find(|word| !word.is_empty() && !LEADS.contains(word))
        .unwrap_or_default();
    let orders = WRITING.contains(&verb) && verb != "put" || EXPLAINING.contains(&verb);
    let about = || CONJUNCTIONS.iter().filter_map(|word| extract::find_words(plain, word)).min();
    orders
        && !has(plain, MEMORIES)
        && about()
            .and_then(|at| plain.get(..at))
            .is_some_and(|order| !has(order, EVER) && !has(order, LASTING))
}

/// Whether a sentence is about one place: `in this function, always use the index`.
pub(super) fn is_of_place(plain: &str) -> bool {
    // `in the settings page, always save on blur`
    let on_screen = ["in the ", "on the ", "im ", "in der ", "auf der "]
        .iter()
        .find_map(|words| plain.strip_prefix(words))
        .and_then(|rest| rest.split_once(',')?.0.split_whitespace().next_back())
        .is_some_and(|part| CODE_AND_SCREEN.contains(&part) || PARTS_MADE.contains(&part));
    on_screen && !has(plain, LASTING)
        || PLACES.iter().find_map(|words| plain.strip_prefix(words)).is_some_and(|rest| {
            let place = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            !PROJECT.contains(&place) && !LASTING_PLACES.contains(&place) && !has(plain, LASTING)
        })
}

/// Whether what is to be never or always so is one thing at hand: `it should be visible and never cover the cart`.
pub(super) fn is_wish_for_it(plain: &str) -> bool {
    const ARTICLES_BARRED: [&str; 5] =
        [", never the ", ", nie der ", ", nie die ", ", nie das ", ", nie den "];
    const WISHES: [&str; 10] = [
        "it should ",
        "it must ",
        "it has to ",
        "they should ",
        "they must ",
        "this should ",
        "es soll",
        "das soll",
        "es muss ",
        "il faut que ",
    ];
    // `only the header should be sticky, never the sidebar`, and not `only the lead should merge, never the author`
    let bars_one =
        || has(plain, CODE_AND_SCREEN) && ARTICLES_BARRED.iter().any(|words| plain.contains(words));
    WISHES.iter().any(|words| plain.starts_with(words))
        || has(plain, &["should", "soll", "sollte", "sollen"]) && bars_one()
}

/// Whether what applies from now on is how one part at hand is: `the button should be green`, `soll der Knopf grün sein`.
pub(super) fn is_of_part(rest: &str) -> bool {
    // German has the verb before its subject there.
    const VERBS: [&str; 11] = [
        "ist ",
        "soll ",
        "sollte ",
        "muss ",
        "wird ",
        "bleibt ",
        "darf ",
        "hat ",
        "kommt ",
        "erscheint ",
        "fehlt ",
    ];
    const ARTICLES: [&str; 11] =
        ["the ", "this ", "der ", "die ", "das ", "le ", "la ", "les ", "el ", "los ", "las "];
    let rest = rest.trim_start_matches([' ', ',', ':']);
    let rest = VERBS.iter().find_map(|verb| rest.strip_prefix(verb)).unwrap_or(rest);
    let named = ARTICLES.iter().find_map(|word| rest.strip_prefix(word));
    let noun = named.and_then(|rest| rest.split_whitespace().next()).unwrap_or_default();
    let of_all =
        has(rest, EVER) || has(rest, LASTING) || has(rest, &["every", "each", "all", "alle", "jede"]);
    CODE_AND_SCREEN.contains(&noun) && !of_all
}

/// Whether what was decided is told by pointing at it, or is an order: `to drop it`, `: delete the branch`.
pub(super) fn is_decided_at_hand(rest: &str) -> bool {
    let main = facts::main_clause(rest).trim_end_matches(['.', '!', ' ']);
    let last = main.split_whitespace().next_back().unwrap_or_default();
    let orders = rest.strip_prefix(':').is_some_and(facts::orders_work);
    let deed = facts::main_clause(rest.trim_start_matches([',', ' ']));
    let points = has(main, &["this", "these"]) || is_done_to_known(deed);
    // `to drop this feature, so remove the code`, `on the design, now implement it`
    let is_known =
        || ["the ", "on the "].iter().any(|words| deed.starts_with(words)) || has(deed, CODE_AND_SCREEN);
    let is_carried_out = || rest.rsplit_once(", ").is_some_and(|(_, end)| carries_out(end));
    let is_ordered = || points && facts::ends_in_order(rest) || (points || is_known()) && is_carried_out();
    let is_of_it =
        [" that this ", " that it ", " this is ", " it is "].iter().any(|words| rest.starts_with(words));
    // `dass du zuerst die Tests schreibst`
    let is_next_step = [" that you ", ", dass du "].iter().any(|words| rest.starts_with(words))
        && has(rest, &["first", "now", "zuerst", "erst", "jetzt"])
        && !has(rest, EVER);
    orders || is_of_it || is_next_step || ["it", "this", "that", "them"].contains(&last) || is_ordered()
}

/// Whether a decision is what is done once to something that everybody knows: `to drop the column`, `das Modul zu löschen`. What is
/// chosen has a name.
fn is_done_to_known(main: &str) -> bool {
    const KNOWN: [&str; 5] = ["the", "der", "die", "das", "den"];
    const AT_END: [&str; 5] = ["löschen", "entfernen", "ersetzen", "umbenennen", "verschieben"];
    let words: Vec<&str> = main.split_whitespace().collect();
    words.windows(2).any(|pair| (ONCE.contains(&pair[0]) || pair[0] == "drop") && KNOWN.contains(&pair[1]))
        || words.last().is_some_and(|last| AT_END.contains(last)) && has(main, &KNOWN)
}

/// Whether a clause orders what is said before it: `now implement it`, `mach das bitte`.
fn carries_out(clause: &str) -> bool {
    let leads = ["please", "bitte", "now", "so"];
    let first = clause.split_whitespace().find(|word| !leads.contains(word)).unwrap_or_default();
    CARRYING_OUT.contains(&first)
        && clause.split_whitespace().count() <= MAX_ORDER
        && (has(clause, BACK) || ["pick", "choose"].contains(&first))
        && !has(clause, LASTING)
}

/// Whether a sentence wishes for something, where others report what somebody did.
pub(super) fn wishes(plain: &str) -> bool {
    const ASKING: [&str; 12] = [
        "don't",
        "do not",
        "never",
        "please",
        "bitte",
        "ask",
        "i want you",
        "i'd like you",
        "kein",
        "keine",
        "nie",
        "niemals",
    ];
    ASKING.iter().any(|words| extract::begins_clause(plain, words))
}

/// Whether a sentence is for the moment only.
pub(super) fn is_for_now(plain: &str) -> bool {
    has(plain, FOR_NOW)
}

/// Whether what follows `from now on` tells how something is (`it's downhill`) or what the speaker will do, not how it must be.
pub(super) fn is_observed(rest: &str) -> bool {
    // `teste ich selbst`, and not `möchte ich kurze Antworten`
    const WISHING: [&str; 8] =
        ["möchte", "will", "mag", "bevorzuge", "brauche", "wünsche", "erwarte", "hätte"];
    let rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    let first = rest.split([' ', '\'']).next().unwrap_or_default();
    let plans = ["i'll ", "i will ", "ich werde "].iter().any(|own| rest.starts_with(own));
    let plans = plans || rest.split(' ').nth(1) == Some("ich") && !WISHING.contains(&first);
    // `in Zukunft liegende Termine`
    let describes = ["liegende", "liegenden", "fällige", "fälligen"].contains(&first);
    plans || describes || ["it", "that", "this", "there", "es", "das"].contains(&first) && !has(rest, DEMANDS)
}

/// Whether what somebody is reminded of is how one part at hand is, as in `keep in mind that the list can be empty`, or how far the
/// work is (`merk dir den Stand`).
pub(super) fn is_reminder_at_hand(words: &str, rest: &str) -> bool {
    let is_bookmark = ["merk dir", "merke dir"].contains(&words) && rest.starts_with(" den stand");
    is_bookmark || REMINDING.contains(&words) && is_of_part(rest)
}

/// What is always or never so in the whole project, without the order that follows: `prices are always gross in this project, so
/// change the sum`. `None` for any other sentence.
pub(super) fn without_order(plain: &str) -> Option<&str> {
    const ORDERING: [&str; 6] = [", so ", ", please ", ", bitte ", ", also ", ", then ", ", dann "];
    let at = ORDERING.iter().filter_map(|words| plain.find(words)).min()?;
    let main = &plain[..at];
    let is_rule =
        has(main, IN_WHOLE_PROJECT) && has(main, &["always", "never", "immer", "nie", "toujours", "jamais"]);
    (is_rule && facts::ends_in_order(plain)).then_some(main)
}

/// Whether the next sentence orders or questions what one says, so that it's a task or a doubt: `… Implement this.`, `… Is that
/// still right?`
pub(super) fn is_taken_up(next: &Sentence) -> bool {
    let plain = extract::plain(&next.text);
    // `find out where`
    let looks_for = || facts::asks_to_look(&plain) && has(&plain, &["where", "why", "wo", "warum", "woher"]);
    let questions = || has(&plain, BACK) && !has(&plain, &["you", "we", "i", "du", "wir", "ich"]);
    if next.asks { questions() } else { carries_out(&plain) || looks_for() }
}
