//! Whether a sentence asks to be remembered, and as what.
//!
//! Words count at the beginning of a clause, where they are an instruction. What isn't stated in so many words needs
//! two signs (a choice and its reason, an order and words by which it outlives its task), and nothing may bind it to
//! the task at hand or call it a thought.

use crate::domain::Namespace;
use crate::session::extract::{self, Sentence};

use super::choice_signs::{CHANGED, CHOSEN};
use super::choices::{agreed, gives_both, uses_none};
use super::clauses::{
    after, clause, ends_in_report, has, is_continued, is_for_soon, is_of_this, names_line, names_project,
    names_rule, outlasts, quotes_text, reason, reports_fault, words_after,
};
use super::consequences::has_to_be;
use super::corrections;
use super::fact_limits::{SLIPS, TODAY};
use super::fact_subjects::CODE_AND_SCREEN;
use super::facts;
use super::fault_signs::{FAULTS, WORKS_NOW};
use super::limits::{HERE, NO_RULE, SINCE_MOMENT, TENTATIVE};
use super::orders_once;
use super::others_texts;
use super::phrases::{
    ASKED, ASKED_ANYWHERE, ASKED_AT_END, ASKED_UNSPACED, ASKS_UNSPACED, CORRECTED, LASTING_UNSPACED, MARKS,
    NODS, POLITE,
};
use super::plain_secrets::{may_tell_secret, tells_secret};
use super::pointing;
use super::practices;
use super::profile;
use super::screen_wishes;
use super::seen_states;
use super::signs::{
    ALL, ASKED_FIRST, FOUND_HERE, FOUND_OUT, HOLDS, MUSTS, NO_KIND, OBSERVING, OR_ELSE, ORDERS, PARTS_MADE,
    RULES,
};
use super::speakers_moment::is_of_speakers_moment;
use super::standing;
use super::task_bounds;
use super::ways;

/// Minimum number of words that must follow a correction or a rule.
const MIN_WORDS: usize = 3;
/// The same after a choice, its reason included.
const MIN_WORDS_OF_CHOICE: usize = 4;
/// Minimum number of characters that must follow a request in a script without spaces.
const MIN_CHARACTERS: usize = 4;

/// Words of what was found out about the speaker's own things.
const OF_ONES_OWN: &[&str] = &["my", "mine", "mein", "meine", "meinem", "meiner"];

/// Words of thanks, for what works now.
const THANKS: &[&str] = &["thanks", "thank you", "thx", "danke", "merci", "gracias"];

/// How plainly a sentence asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plainness {
    /// Explicitly.
    Said,
    /// By its form; many of them in one prompt are a document.
    Meant,
}

/// The namespace of a sentence that asks to be remembered; `None` for any other.
pub(super) fn about(sentence: &Sentence) -> Option<(Namespace, Plainness)> {
    let plain = corrections::with_plain_denial(extract::plain(&sentence.text));
    let plain = match (sentence.asks, statement_in(&plain)) {
        (false, _) => plain.as_str(),
        (true, Some(statement)) => statement,
        (true, None) => return None,
    };
    if is_unfit(plain) {
        return None;
    }
    let own = others_texts::without_quotations(plain);
    let plain: &str = &own;
    let lasts = || {
        let applies = practices::applies_from_now(plain) && !task_bounds::is_order_about(plain);
        applies.then_some(Namespace::Patterns)
    };
    let explicit = asked(plain).or_else(lasts).or_else(|| pointing::namespace_at_end(plain));
    let found = explicit.map(|namespace| (namespace, Plainness::Said)).or_else(|| {
        let is_bound = task_bounds::is_order_about(plain)
            || task_bounds::is_of_place(plain)
            || task_bounds::is_for_now(plain)
            || has(plain, THANKS);
        if sentence.asks || is_bound {
            return None;
        }
        // What is so everywhere outlives the order that follows it.
        let plain = task_bounds::without_order(plain).unwrap_or(plain);
        let namespace = meant(plain)
            .or_else(|| facts::stated(plain))
            .or_else(|| practices::namespace(plain))
            .or_else(|| standing::namespace(plain))
            .or_else(|| profile::namespace(plain))
            .or_else(|| ways::namespace(plain))?;
        Some((namespace, Plainness::Meant))
    });
    let may_be_soon = |(namespace, plainness): &(Namespace, Plainness)| {
        *namespace != Namespace::Decisions && *plainness == Plainness::Said
    };
    found.filter(|about| may_be_soon(about) || !is_for_soon(plain))
}

/// Whether nothing in a sentence may be kept, whatever else it says: a secret, a thought, somebody else's words.
fn is_unfit(plain: &str) -> bool {
    tells_secret(plain)
        || may_tell_secret(plain)
        || is_thought(plain)
        || quotes_text(plain)
        || others_texts::is_of_others(plain)
        || names_line(plain)
        || plain.ends_with("か。")
        || plain.ends_with('か')
}

/// Whether a sentence considers something. What is asked for may be about a thought (`from now on never ask whether I would like
/// to proceed`), and what is agreed on may have one for its reason (`…, because a split would cost a quarter`).
fn is_thought(plain: &str) -> bool {
    const BECAUSE: [&str; 5] = [" because ", " since ", " otherwise ", " weil ", " sonst "];
    let text = facts::without_leads(plain);
    let asked = ASKED.iter().find_map(|(words, namespace)| {
        let rest = text.strip_prefix(words)?;
        Some(if *namespace == Namespace::Decisions {
            BECAUSE.iter().filter_map(|words| rest.find(words)).min().unwrap_or(rest.len())
        } else {
            // `from now on we could use tabs` only suggests.
            rest.match_indices(' ').nth(MIN_WORDS).map_or(rest.len(), |(at, _)| at)
        })
        .map(|end| &text[..words.len() + end])
    });
    has(asked.unwrap_or(plain), TENTATIVE)
}

/// The namespace of a sentence that the next one asks to be remembered: `Prices are net. Remember that.`
pub(super) fn namespace_of_previous(sentence: &Sentence, next: &Sentence) -> Option<Namespace> {
    let plain = extract::plain(&sentence.text);
    let is_task = facts::orders_work(&plain) || facts::asks_to_look(&plain) || of_speaker(&plain);
    let fits = !sentence.asks && !next.asks && !is_unfit(&plain) && !is_task;
    let words = plain.split_whitespace().count();
    pointing::points_back(&extract::plain(&next.text)).filter(|_| fits && words >= MIN_WORDS)
}

/// The statement in a question that asks for a nod or is a request: what it says is meant.
fn statement_in(plain: &str) -> Option<&str> {
    let nod = NODS.iter().find_map(|nod| plain.strip_suffix(nod));
    nod.or_else(|| {
        let rest = POLITE.iter().find_map(|words| plain.strip_prefix(words))?;
        Some(rest.trim_start().trim_end_matches('?'))
    })
    // What remains may itself be a question: `is it true that from now on …, right?`
    .filter(|rest| asked_at_start(rest))
}

/// Whether a text begins with a request to remember.
fn asked_at_start(plain: &str) -> bool {
    let rest = ["please ", "bitte ", "and ", "so "]
        .iter()
        .find_map(|word| plain.strip_prefix(word))
        .unwrap_or(plain);
    ASKED.iter().any(|(words, _)| rest.starts_with(words))
}

/// What is asked explicitly.
fn asked(plain: &str) -> Option<Namespace> {
    let follows = |words: &str, least: usize| words_after(plain, words) >= least;
    let begins = |words: &str| extract::begins_clause(plain, words);
    // What was chosen may be a single word: `we settled on Redis`.
    let is_complete =
        |words: &str| follows(words, 2) || ends_in_choice(words) && names_one(after(plain, words));
    // `turns out I was wrong` is about the speaker.
    let concerns_all = |words: &str, namespace: Namespace| match namespace {
        Namespace::Learnings => {
            let rest = after(plain, words);
            // `we had that before lunch`
            let is_moment =
                words.starts_with("we had") && !rest.trim_start().starts_with([':', ',', ';', '-']);
            let is_past = is_verdict(rest) || is_moment || has(rest, WORKS_NOW) || has(rest, SLIPS);
            !of_speaker(rest) && !is_past && !has(rest, OF_ONES_OWN)
        }
        Namespace::Patterns => {
            let rest = after(plain, words);
            let is_at_hand = task_bounds::is_observed(rest) || task_bounds::is_of_part(rest);
            // `going forward with the wizard`
            let is_step =
                words == "going forward" && (rest.starts_with(" with ") || rest.starts_with(" but "));
            !reports_fault(rest) && !is_at_hand && !is_step && !task_bounds::is_for_now(plain)
        }
        Namespace::Decisions => {
            !task_bounds::is_for_now(plain) && !task_bounds::is_decided_at_hand(after(plain, words))
        }
        Namespace::Context => {
            let rest = after(plain, words);
            !task_bounds::is_reminder_at_hand(words, rest) && !is_of_speakers_moment(words, rest)
        }
        _ => true,
    };
    let found = ASKED
        .iter()
        .find(|(words, namespace)| begins(words) && is_complete(words) && concerns_all(words, *namespace));
    let anywhere = || ASKED_ANYWHERE.iter().find(|(words, _)| plain.contains(words));
    let at_end = || ASKED_AT_END.iter().find(|(words, _)| ends_clause(plain, words));
    let unspaced = || ASKED_UNSPACED.iter().find(|(words, _)| begins_unspaced(plain, words));
    let corrected = || {
        let corrects = |words: &str| begins(words) && follows(words, MIN_WORDS);
        CORRECTED
            .iter()
            .find(|(words, _)| corrects(words))
            .filter(|(words, namespace)| !corrections::is_at_hand(plain, words, *namespace))
    };
    let reported = || agreed(plain).then_some(&("", Namespace::Decisions));
    let states_fact = || corrections::states_fact(plain).then_some(&("", Namespace::Learnings));
    found
        .or_else(anywhere)
        .or_else(at_end)
        .or_else(unspaced)
        .or_else(corrected)
        .or_else(reported)
        .or_else(states_fact)
        .map(|(_, namespace)| *namespace)
}

/// Whether a phrase ends where the name of what was chosen follows.
fn ends_in_choice(words: &str) -> bool {
    [" on", " for"].iter().any(|end| words.ends_with(end))
}

/// Whether what follows is a name and points at nothing.
fn names_one(rest: &str) -> bool {
    let word = rest.trim_matches(|c: char| !c.is_alphanumeric());
    !word.is_empty()
        && !["it", "that", "this", "them", "these", "those", "something", "nothing"].contains(&word)
}

/// Whether these words begin a clause where words have no spaces between them, and something follows that isn't asked.
fn begins_unspaced(plain: &str, words: &str) -> bool {
    let Some((before, rest)) = plain.split_once(words) else { return false };
    let follows = rest.chars().filter(|c| c.is_alphanumeric()).count() >= MIN_CHARACTERS;
    let begins = before.is_empty() || before.ends_with(['，', ',', '：', '；', '、', ' ']);
    let is_task = words.contains('忘') && !LASTING_UNSPACED.iter().any(|lasting| rest.contains(lasting));
    begins && follows && !is_task && !ASKS_UNSPACED.iter().any(|asks| plain.contains(asks))
}

/// Whether a Korean clause ends with these words, politely or not: `기억해 줘요.`, but not `기억해 줘야 해`.
fn ends_clause(plain: &str, words: &str) -> bool {
    let Some((_, rest)) = plain.split_once(words) else { return false };
    let rest = rest.strip_prefix('요').unwrap_or(rest).trim_start();
    !rest.starts_with(|c: char| c.is_alphanumeric() || "\"'”’」".contains(c))
}

/// By its form.
fn meant(plain: &str) -> Option<Namespace> {
    let plain =
        plain.strip_prefix("remember ").map_or(plain, |rest| rest.strip_prefix("to ").unwrap_or(rest));
    let any = |all: &[&str], fits: &dyn Fn(&str) -> bool| {
        all.iter().any(|words| extract::begins_clause(plain, words) && fits(words))
    };
    let is_bound = |words: &str| {
        let clause = clause(plain, words);
        // `we use pnpm here, not npm` means the project; `we use a regex here` and `use a grid here` a place in it.
        let of_all = ["we", "wir", "on ", "nous", "i "].iter().any(|who| words.starts_with(who));
        let of_project = of_all && (reason(plain, words).is_some() || uses_none(words, after(plain, words)));
        // `it` may be what the clause before is about.
        let begins = plain.find(words).unwrap_or_default();
        let after_clause =
            plain.get(..begins).is_some_and(|before| before.split_whitespace().count() >= MIN_WORDS);
        let bound = |word: &&&str| match **word {
            "here" | "hier" | "ici" => !of_project,
            "it" | "them" => !after_clause,
            _ => true,
        };
        !outlasts(plain) && HERE.iter().filter(bound).any(|word| extract::contains_words(clause, word))
    };
    // A reason comes after the choice, and may point at what it likes: `we'll use a queue so that this is quick`.
    let chosen = |words: &str| {
        let rest = after(plain, words);
        // Without a verb of choice both are needed: what isn't chosen, and why.
        if words == "let's" && !(has(rest, &["instead of", "rather than"]) && has(rest, OR_ELSE)) {
            return false;
        }
        words_after(plain, words) >= MIN_WORDS_OF_CHOICE
            && !is_continued(rest)
            && reason(plain, words).is_some_and(|at| {
                let choice = rest.get(..at).unwrap_or_default();
                !has(choice, HERE) && !has(choice, TODAY)
            })
    };
    let marked = |words: &str| {
        // `note that the third parameter is optional` explains code.
        let is_of_code = words == "note that" && has(plain, CODE_AND_SCREEN);
        words_after(plain, words) >= MIN_WORDS
            && !after(plain, words).split(", ").any(of_speaker)
            && !has(plain, &["still", "gerade", "bei mir", "on my machine", "chez moi"])
            && !is_bound(words)
            && !is_of_code
    };
    // `we replaced X yesterday and now the build fails` reports a fault, `from the old one to the new one` names nothing.
    let changed = |words: &str| {
        words_after(plain, words) >= MIN_WORDS
            && !has(plain, &["and now", "und jetzt", "the new one"])
            && !ends_in_report(plain)
    };
    if any(CHANGED, &changed) || any(CHOSEN, &chosen) {
        return Some(Namespace::Decisions);
    }
    if any(MARKS, &marked) {
        return Some(Namespace::Context);
    }
    // `it only works with sudo` doesn't say what.
    let is_unnamed =
        || ["it ", "only ", "es "].iter().any(|word| facts::without_leads(plain).starts_with(word));
    let found_out =
        |words: &&&str| !has(clause(plain, words), FOUND_HERE) && !has(plain, TODAY) && !is_unnamed();
    if FOUND_OUT.iter().filter(|words| extract::contains_words(plain, words)).any(|words| found_out(&words))
        || has_to_be(plain)
    {
        return Some(Namespace::Learnings);
    }
    // What an order begins isn't a fault: `…; always filter on deleted_at IS NULL`.
    let orders = ["never ", "always "].iter().any(|word| {
        plain.starts_with(word) || ["; ", ": "].iter().any(|mark| after(plain, mark).starts_with(word))
    });
    let is_wish = task_bounds::is_wish_for_it(plain)
        || screen_wishes::is_wish_for_screen(plain)
        || screen_wishes::is_on_use(plain);
    // `we don't want to use that format ever` is one.
    let is_none = has(plain, NO_RULE) && !(has(plain, &["we don't want to"]) && outlasts(plain));
    if is_none || has(plain, FAULTS) && !orders || is_wish || !names_rule(plain) {
        return None;
    }
    let words = plain.split_whitespace().count();
    let is_rule = |sign: &str| {
        let enough = words_after(plain, sign) >= MIN_WORDS || words > MIN_WORDS && plain.find(sign) > Some(0);
        // `we use two date libraries, remove one` says why something is to be done.
        let is_why = ["we use", "wir nutzen", "wir verwenden", "wir benutzen", "on utilise"].contains(&sign)
            && (facts::is_task_of(plain) || facts::ends_in_order(plain));
        enough && !is_bound(sign) && !is_why && !orders_once::is_joined_to_order(plain, sign)
    };
    let ever = has(plain, &["always", "never"]) && !is_of_this(plain);
    let outlives = outlasts(plain) || names_project(plain) || ever;
    // `no warnings are shown any more` is a report, and `no, always the left one` an answer.
    let is_gone = |sign: &str| {
        let reports = || has(plain, &["any more", "anymore"]) && has(plain, &["is", "are"]);
        let answers = || [", always ", ", never "].iter().any(|ever| after(plain, sign).starts_with(ever));
        sign == "no" && (answers() || reports())
    };
    let lasts = |sign: &str| outlives && !orders_once::is_done_once(plain, sign);
    let is_lasting = |sign: &str| is_rule(sign) && (lasts(sign) || gives_both(plain, sign)) && !is_gone(sign);
    // `ask before you continue` is about the task.
    let is_whole = || words > MIN_WORDS_OF_CHOICE && !facts::is_here(plain);
    let asks_first = || has(plain, ASKED_FIRST) && is_whole() && task_bounds::wishes(plain);
    let applies = |sign: &&str| {
        !is_bound(sign) && !seen_states::is_seen(plain, sign) && !orders_once::is_joined_to_order(plain, sign)
    };
    let holds = HOLDS.iter().filter(|sign| extract::contains_words(plain, sign)).any(applies) || asks_first();
    let of_all = ALL.iter().any(|sign| plain.strip_prefix(sign).is_some_and(|rest| rest.starts_with(' ')))
        && words > MIN_WORDS_OF_CHOICE
        && !NO_KIND.iter().any(|start| plain.starts_with(start))
        && !has(plain, HERE)
        && !plain.split_whitespace().nth(1).is_some_and(|kind| PARTS_MADE.contains(&kind))
        && !facts::ends_in_order(plain)
        && !facts::is_task_of(plain)
        && !has(plain, &["should", "soll", "sollen"])
        // Since when something is so is seen as well.
        && (!has(plain, SINCE_MOMENT) || has(plain, MUSTS))
        // What all of them are is seen, what all of them need is known.
        && (!has(plain, OBSERVING) || has(plain, MUSTS));
    (holds || of_all || any(RULES, &is_rule) || any(ORDERS, &is_lasting)).then_some(Namespace::Patterns)
}

/// Whether what follows is about the speaker.
fn of_speaker(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', ':', ',']);
    ["i ", "i'", "ich ", "je ", "j'"].iter().any(|own| rest.starts_with(own))
}

/// `it turned out fine, thanks`.
fn is_verdict(rest: &str) -> bool {
    let ends = |rest: &str| rest.is_empty() || rest.starts_with([',', '.', '!', ';']);
    ["fine", "well", "great", "good", "nice", "ok", "okay", "alright", "gut"]
        .iter()
        .any(|verdict| rest.trim_start().strip_prefix(verdict).is_some_and(ends))
}
