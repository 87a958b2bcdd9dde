//! Plain facts: what a sentence states about the project's world without a word that asks to remember it. "The orders
//! table is partitioned by month on purpose", "legal requires a sign-off", "we pin the provider because …".
//!
//! A subject alone isn't enough, because faults are reported about the same things. A second sign must show that it
//! lasts: a reason, a rhythm, a contrast, a state. Whatever is about a fault, the moment, the speaker, or a detail of
//! code or of the screen isn't one.

use crate::domain::Namespace;
use crate::session::extract;

use super::clauses::{after_a_period, has, is_done, names_rule, reason};
use super::fact_limits::{
    DEMANDS, FORBIDDEN, FORBIDDING, INQUIRIES, INSTRUCTING, LABELS, LEADS, MOMENTS, NEVER, SLIPS, TODAY,
};
use super::fact_signs::{
    CONSEQUENCES, CONTRASTS, EXPLAINED, HABITS, HABITS_OF_PRACTICE, INTENDED, OUR_WAY, PERMANENT,
    PERMANENT_OF_KINDS, REASONED, STATES, WHY_WE,
};
use super::fact_subjects::{CODE_AND_SCREEN, DETERMINERS, PARTIES, PROJECT, SPEAKERS, WORLD};
use super::fault_signs::FAULTS;
use super::limits::{HERE, LASTING, WRITING};
use super::order_signs::WORKING;
use super::practice_signs::PREPOSITIONS;
use super::seen_states;

/// Minimum number of words of a fact.
const MIN_WORDS: usize = 5;
/// Minimum number of words behind a label.
const MIN_WORDS_LABELLED: usize = 4;
/// Maximum number of words of a label.
const MAX_LABEL: usize = 8;
/// The subject is among this many first words.
const SUBJECT: usize = 5;

/// The namespace of a sentence that states a fact; `None` for any other.
pub(super) fn stated(plain: &str) -> Option<Namespace> {
    // `this service` is the project.
    let text = without_leads(plain);
    let names = PROJECT.iter().filter(|_| text.contains("this "));
    let plain = names
        .fold(text.to_owned(), |text, name| text.replace(&format!("this {name}"), &format!("our {name}")));
    let plain = plain.as_str();
    labelled(plain).or_else(|| {
        let impersonal = of_anybody(plain);
        let plain = impersonal.as_str();
        // `danach kommen nur noch Fixes rein` lasts.
        let is_of_moment = has(&plain.replace("nur noch", "nur"), MOMENTS);
        let is_fault = has(plain, FAULTS) && !tells_cause(plain);
        let about_moment = has(plain, SPEAKERS) || asks_to_look(plain) || is_of_moment || is_fault;
        let is_short = plain.split_whitespace().count() < MIN_WORDS;
        let is_whole = || is_permanent(plain) || is_banned_kind(plain) || is_practice(plain);
        if about_moment || is_task_of(plain) || ends_in_order(plain) || is_short && !is_whole() {
            return None;
        }
        if is_explained(plain) {
            Some(Namespace::Learnings)
        } else if is_forbidden(plain) || is_required_of_all(plain) {
            Some(Namespace::Patterns)
        } else if is_practice(plain) {
            Some(Namespace::Decisions)
        } else {
            let is_fact =
                is_demanded(plain) || is_of_world(plain) || is_permanent(plain) || has_consequence(plain);
            is_fact.then_some(Namespace::Context)
        }
    })
}

/// Whoever does it is meant by the `you` of a consequence: `…, so after a deploy you have to restart the workers`.
fn of_anybody(plain: &str) -> String {
    const WHENEVER: [&str; 5] = ["after ", "before ", "when ", "whenever ", "for "];
    let Some((before, rest)) = plain.split_once(", so ") else { return plain.to_owned() };
    if is_here(rest) || !WHENEVER.iter().any(|words| rest.starts_with(words)) {
        return plain.to_owned();
    }
    format!(
        "{before}, so {}",
        rest.replacen(" you have to ", " one has to ", 1).replacen(" you must ", " one must ", 1)
    )
}

/// `force pushes are forbidden`: a kind of things, or what is quoted, in few words.
fn is_banned_kind(plain: &str) -> bool {
    let words: Vec<&str> = plain.split_whitespace().collect();
    is_forbidden(plain) && (plain.starts_with(['"', '`', '\'']) || names_kind(&words))
}

/// `gotcha: …`, `one thing to keep in mind: …`.
fn labelled(plain: &str) -> Option<Namespace> {
    let (label, rest) = plain.split_once(": ")?;
    let words = rest.split_whitespace().count();
    if label.split_whitespace().count() > MAX_LABEL || words < MIN_WORDS_LABELLED {
        return None;
    }
    let named = |words: &str| label.starts_with(words) || extract::contains_words(label, words);
    // `docs here: …`, `commits bei uns: …`, `for this repo: …`
    let names_project = || {
        label.contains("for our ") && PROJECT.iter().any(|name| label.ends_with(&format!("for our {name}")))
    };
    let of_project = label.split_whitespace().count() <= 4
        && (["here", "bei uns", "hier"].iter().any(|end| label.ends_with(&format!(" {end}")))
            || names_project())
        && !has(plain, FAULTS)
        && !orders_work(rest);
    let listed = LABELS.iter().find(|(words, _)| named(words)).map(|(_, namespace)| *namespace);
    let namespace = listed.or(of_project.then_some(Namespace::Patterns))?;
    let main = main_clause(rest);
    // A correction at one place in a text isn't a rule.
    let of_place = ["correction", "korrektur"].contains(&label)
        && (has(main, CODE_AND_SCREEN) || has(main, &["should", "sollte"]));
    // `I know: the layout is ugly` only agrees.
    let only_agrees = has(label, &["i know"]) && !has(rest, REASONED);
    let is_slip = namespace == Namespace::Learnings && (has(rest, SLIPS) || only_agrees);
    let fits = !is_here(main) && !has(main, SPEAKERS) && !has(plain, TODAY) && !of_place && !is_slip;
    fits.then_some(namespace)
}

/// `write a Dockerfile that builds the API`: what is for the project is the task.
pub(super) fn orders_work(rest: &str) -> bool {
    let verb = rest.split_whitespace().find(|word| !["please", "bitte"].contains(word)).unwrap_or_default();
    // `start with /login`, and not how all of a kind do: `start with a verb`.
    let begun = ["start with ", "begin with ", "fang mit ", "beginne mit "];
    let begins = begun.iter().find_map(|words| rest.strip_prefix(words)).is_some_and(|what| {
        let first = what.split_whitespace().next().unwrap_or_default();
        !["the", "a", "an", "der", "dem", "den", "ein", "einem", "einer"].contains(&first)
    });
    (WRITING.contains(&verb) || WORKING.contains(&verb) || begins) && !has(rest, LASTING)
}

/// `tabs are forbidden in YAML, so convert the file`: what is so is why something is to be done, once.
pub(super) fn ends_in_order(plain: &str) -> bool {
    const LEADING: [&str; 5] = ["so ", "then ", "and ", "also ", "dann "];
    const EVER: [&str; 9] = ["whenever", "when", "if", "before", "after", "every", "each", "wenn", "sobald"];
    let clauses = plain.split(" - ").flat_map(|part| part.split([',', ';', '—', '–']));
    clauses.skip(1).map(str::trim).filter(|clause| !has(clause, &EVER)).any(|clause| {
        orders_work(LEADING.iter().find_map(|word| clause.strip_prefix(word)).unwrap_or(clause))
    })
}

/// `the workaround for … is …`, `the reason for … was …`.
fn is_explained(plain: &str) -> bool {
    EXPLAINED.iter().any(|words| {
        plain.strip_prefix(words).is_some_and(|rest| {
            [" is ", " was ", " ist ", " war "].iter().any(|verb| {
                rest.split_once(verb).is_some_and(|(subject, what)| {
                    !subject.trim().is_empty() && !is_here(subject) && what.split_whitespace().count() >= 3
                })
            })
        })
    })
}

/// `the reason for the crash was …`: what was found out of a fault, where `is still unclear` reports it.
fn tells_cause(plain: &str) -> bool {
    const PAST: [&str; 5] = [" turned out to be ", " was ", " were ", " war ", " waren "];
    const UNCLEAR: [&str; 6] = ["unclear", "unknown", "never found", "not found", "unklar", "unbekannt"];
    EXPLAINED.iter().filter_map(|words| plain.strip_prefix(words)).any(|rest| {
        PAST.iter().filter_map(|verb| rest.split_once(verb)).any(|(subject, what)| {
            let is_whole = !subject.trim().is_empty() && what.split_whitespace().count() >= 3;
            is_whole && !has(what, FAULTS) && !has(what, &UNCLEAR)
        })
    })
}

/// `GPL dependencies are not allowed`, `the import must never run by day, it blocks …`.
fn is_forbidden(plain: &str) -> bool {
    let subject = |words: &str| {
        let at = extract::find_words(plain, words)?;
        let subject = plain.get(..at)?.trim();
        let points = ["", "that", "das", "es"].contains(&subject) || is_here(subject);
        let names = !points && !has(subject, CODE_AND_SCREEN);
        names.then_some(subject)
    };
    // `…, but it was accepted twice` reports a fault.
    let is_report = has(plain, &[", but it", ", but they", ", aber es", ", aber sie"]);
    // `the level should be easy, so the gaps must never be wider` is a wish, and `…, yet we do it` a report.
    if plain.contains(", yet ") || has(main_clause(plain), &["should", "soll", "sollte", "sollen"]) {
        return false;
    }
    let banned = !is_report && FORBIDDEN.iter().any(|words| subject(words).is_some());
    // What must not be is a requirement of the task as well, unless it says why or of what.
    let barred = FORBIDDING.iter().filter_map(|words| subject(words)).any(|subject| {
        let main = main_clause(plain);
        !is_here(main) && (main.len() < plain.len() || has(subject, WORLD))
    });
    banned || barred
}

/// `we pin the provider to 5.31 because …`: what is done, and why.
fn is_practice(plain: &str) -> bool {
    ["we", "wir"].iter().filter(|we| extract::begins_clause(plain, we)).any(|we| {
        let rest =
            extract::find_words(plain, we).and_then(|at| plain.get(at + we.len()..)).unwrap_or_default();
        let says_why = || {
            let at = REASONED.iter().filter_map(|words| extract::find_words(rest, words)).min();
            let at = at
                .or_else(|| rest.find(", so "))
                .or_else(|| reason(plain, we).filter(|_| has(rest, CONTRASTS)));
            let again = HABITS_OF_PRACTICE.iter().filter_map(|words| extract::find_words(rest, words)).min();
            let again = again.or_else(|| after_a_period(rest));
            at.or(again).is_some_and(|at| !is_here(rest.get(..at).unwrap_or_default()))
        };
        // `wir loggen keine Kundendaten`
        let never = *we == "wir" && rest.split_whitespace().skip(1).take(3).any(|word| NEVER.contains(&word));
        is_done(rest) && !has(plain, CODE_AND_SCREEN) && (never || says_why())
    })
}

/// `builds must be reproducible`: what all of a kind must be.
fn is_required_of_all(plain: &str) -> bool {
    if OUR_WAY.iter().any(|words| extract::contains_words(plain, words)) && !is_here(main_clause(plain)) {
        return true;
    }
    let words: Vec<&str> = plain.split_whitespace().collect();
    let is_must = |pair: &[&str]| match pair {
        ["have", next] => *next == "to",
        ["must", next] => *next != "have",
        [word, _] => ["may", "need", "müssen", "dürfen"].contains(word),
        _ => false,
    };
    let must = words.windows(2).take(SUBJECT + 1).position(is_must);
    let all = must.is_some_and(|at| {
        at > 0 && names_kind(&words[..at]) && (at == 1 || has(&words[..at].join(" "), WORLD))
    });
    // What is so in the whole project: `money is always a decimal in this project`.
    let lasting = has(plain, LASTING)
        && has(plain, &["always", "never", "must", "has to", "have to", "only", "immer", "nie", "nur"]);
    let of_somebody = words.first().is_none_or(|first| {
        let pronoun = first.split('\'').next().unwrap_or_default();
        INSTRUCTING.contains(first)
            || ["they", "he", "she", "it", "that", "there", "these"].contains(&pronoun)
    });
    // `passwords must be at least 12 characters long` is a part of what is made.
    let is_validation = has(plain, &["characters", "character", "zeichen"]);
    (all && !is_validation || lasting && !of_somebody)
        && !is_here(main_clause(plain))
        && !has(plain, CODE_AND_SCREEN)
        && names_rule(plain)
}

/// Whether a sentence begins with a kind of things, without an article.
pub(super) fn names_kind(words: &[&str]) -> bool {
    let is_kind = |word: &&str| {
        (word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && **word != *"users")
            || ["prs", "mrs"].contains(word)
    };
    words.first().is_some_and(|first| !DETERMINERS.contains(first)) && words.iter().take(2).any(is_kind)
}

/// `single sign-on goes through Keycloak`, `production runs on ARM`: where something is.
fn is_permanent(plain: &str) -> bool {
    let main = main_clause(plain);
    let first = main.split_whitespace().next().unwrap_or_default();
    let of_kinds = PERMANENT_OF_KINDS.iter().filter(|_| !DETERMINERS.contains(&first));
    PERMANENT.iter().chain(of_kinds).any(|verb| {
        extract::find_words(main, verb).is_some_and(|at| {
            let (subject, rest) = main.split_at(at);
            (1..=4).contains(&subject.split_whitespace().count()) && rest.split_whitespace().count() > 2
        })
    }) && !is_here(main)
        && !has(main, CODE_AND_SCREEN)
}

/// `the customer has Node 18, so nothing newer than ES2022`: what follows for everybody.
fn has_consequence(plain: &str) -> bool {
    let words: Vec<&str> = plain.split_whitespace().collect();
    let for_all = || {
        names_kind(&words)
            || has(words.iter().take(SUBJECT).copied().collect::<Vec<_>>().join(" ").as_str(), WORLD)
    };
    let must = |at: &usize| {
        // `must have been` guesses.
        !has(plain, &["must have", "must've"])
            && has(plain.get(*at..).unwrap_or_default(), &["must", "has to", "have to", "muss", "müssen"])
    };
    let so = plain.find(", so ").filter(must).filter(|_| for_all());
    let why = WHY_WE.iter().filter_map(|words| {
        let at = extract::find_words(plain, words)?;
        is_done(plain.get(at + words.len()..)?).then_some(at)
    });
    CONSEQUENCES.iter().filter_map(|words| extract::find_words(plain, words)).chain(so).chain(why).any(|at| {
        let before = plain.get(..at).unwrap_or_default();
        before.split_whitespace().count() > 3 && !is_here(before) && !has(before, CODE_AND_SCREEN)
    })
}

/// Whether a clause points at what is in front of the speaker. An ordinal (`the first 16 KB`) doesn't.
pub(super) fn is_here(clause: &str) -> bool {
    const ORDINALS: [&str; 7] = ["first", "second", "other", "one", "next", "option", "step"];
    HERE.iter().any(|word| !ORDINALS.contains(word) && extract::contains_words(clause, word))
}

/// Whether it asks to look at something: `which is why we …` explains.
pub(super) fn asks_to_look(plain: &str) -> bool {
    // `fix/` names branches.
    let others = ["which is why", "that's why", "that is why", "fix/"];
    if others.iter().any(|words| plain.contains(words)) {
        return has(&others.iter().fold(plain.to_owned(), |text, words| text.replace(words, "")), INQUIRIES);
    }
    has(plain, INQUIRIES)
}

/// Whether a sentence ends in an order about what it says: `…, open it`. An order begins with its verb, not with who or
/// what does something (`…, compliance insists on it`), or where (`…, in this codebase`). Whom to ask is no task.
pub(super) fn is_task_of(plain: &str) -> bool {
    const STATING: [&str; 10] = ["it", "they", "we", "one", "that", "es", "sie", "wir", "on", "das"];
    plain.rsplit_once(", ").is_some_and(|(_, last)| {
        let words = last.split_whitespace().count();
        let first = last.split([' ', '\'']).next().unwrap_or_default();
        words <= 4
            && !(DETERMINERS.contains(&first) || PARTIES.contains(&first) || STATING.contains(&first))
            && !PREPOSITIONS.contains(&first)
            && (has(last, &["it", "them", "this", "that", "one", "es"])
                || !["ask", "frag", "frage"].contains(&first) && has(last, &["him", "her", "ihm", "ihr"]))
            && !has(last, &["is", "was", "ist"])
    })
}

/// `legal requires …`, `…, the mobile team accepts nothing else`.
fn is_demanded(plain: &str) -> bool {
    let clauses = plain.split([',', ';', ':', '—', '–']).map(str::trim);
    clauses.into_iter().any(|clause| {
        let clause = without_leads(clause);
        DEMANDS.iter().any(|demand| {
            extract::find_words(clause, demand).is_some_and(|at| {
                let party = clause.get(..at).unwrap_or_default().trim();
                // `…, the tax office checks that` points back; `the audit checks that the door is closed` tells what is done.
                let is_whole =
                    !demand.ends_with(" that") || clause.trim_end_matches(['.', '!']).ends_with(*demand);
                is_whole && (1..=4).contains(&party.split_whitespace().count()) && has(party, PARTIES)
            })
        })
    }) && !is_here(main_clause(plain))
        && !has(plain, CODE_AND_SCREEN)
}

/// A thing of the project's world with what lasts about it.
fn is_of_world(plain: &str) -> bool {
    let main = main_clause(plain);
    let words: Vec<&str> = main.split_whitespace().take(SUBJECT).collect();
    let Some(first) = words.first() else { return false };
    // `release-branch`, `staging-datenbank`
    let is_thing = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.rsplit('-').next().is_some_and(|last| WORLD.contains(&last))
    };
    let begins = DETERMINERS.contains(first) || is_thing(first) || PARTIES.contains(first);
    // A reason alone explains a fault as well: `the table is empty because …`.
    let lasts = has(plain, INTENDED) || has(plain, HABITS) || has(main, STATES) || has(plain, CONTRASTS);
    begins
        && words.iter().any(|word| is_thing(word))
        && lasts
        // `backups run at night but the last one is missing`, `the job runs at night and takes too long`
        && !has(plain, &["but the last", "but it", "and takes too", "aber es", "aber sie", "und dauert zu"])
        // `prod shows old pages after every deploy`
        && !has(main, &["shows", "show", "throws", "throw", "zeigt", "zeigen", "wirft", "werfen"])
        && !seen_states::tells_seen(plain)
        && !is_here(main)
        && !has(main, CODE_AND_SCREEN)
        && names_rule(plain)
}

/// The text up to what explains it.
pub(super) fn main_clause(plain: &str) -> &str {
    let ends = [", ", "; ", " - ", " — ", " – ", " because ", " since ", " so ", " weil ", " otherwise "];
    ends.iter().filter_map(|mark| plain.find(mark)).min().map_or(plain, |at| &plain[..at])
}

/// The text without the words that only introduce it: `btw`, `ok so`.
pub(super) fn without_leads(plain: &str) -> &str {
    let mut rest = plain.trim();
    while let Some(next) = LEADS.iter().find_map(|lead| {
        rest.strip_prefix(lead)
            .filter(|next| next.starts_with([' ', ',', ';', ':']))
            .map(|next| next.trim_start_matches([' ', ',', ';', ':']))
    }) {
        rest = next;
    }
    rest
}
