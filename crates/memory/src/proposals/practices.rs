//! What users tell of how they work without a word that asks to remember it: who owns what, how things are named, which
//! tool is used, what solved a problem. As with other facts, each needs a second sign beside its subject, and what is about
//! the moment, a fault, or a detail of the screen isn't one.

use crate::domain::Namespace;
use crate::session::extract;

use super::clauses::{after, has, is_done, reports_fault, without_kinds};
use super::corrections;
use super::fact_limits::MOMENTS;
use super::fact_subjects::{CODE_AND_SCREEN, PROJECT, SPEAKERS, WORLD};
use super::facts;
use super::fault_signs::{DEMANDS, FAULTS, KNOWN_SUBJECTS};
use super::limits::{HERE, WRITING};
use super::practice_signs::{
    AFFIXES, ALONE, ASKING, BARRED, BLAMING, CONTACTS, CONVENTIONS, ENSURING, EVER, FORMS, FROM_NOW_ON,
    INVENTED, JOINING, LANGUAGES, MEANS, NO_GO, OWNING, POINTING, PREPOSITIONS, PROJECT_VERBS, REPLACING,
    REPORTING, RESERVED, ROLES, SEEN_THERE, SOLVED, STARTING, TEXTS, THEN, TOOLS, USING,
};
use super::versions;

/// Minimum number of words of a statement.
const MIN_WORDS: usize = 3;
/// Maximum number of words of a subject.
const MAX_SUBJECT: usize = 3;
/// Maximum number of words of a request for a language.
const MAX_OF_LANGUAGE: usize = 6;

/// The namespace of a sentence that tells how the users work; `None` for any other.
pub(super) fn namespace(plain: &str) -> Option<Namespace> {
    if facts::asks_to_look(plain) || has(plain, MOMENTS) {
        return None;
    }
    if tells_solution(plain) {
        return Some(Namespace::Learnings);
    }
    if has(&without_kinds(plain), FAULTS) || has(plain, CODE_AND_SCREEN) || has(plain, INVENTED) {
        return None;
    }
    let any = |fits: &dyn Fn(&str) -> bool| clauses(plain).any(fits);
    if any(&names_owner) || versions::names_limit(plain) || names_successor(plain) {
        return Some(Namespace::Context);
    }
    // `imports start with @, resolve them` is a task, and so is `file names end in _old, rename all of them`.
    let is_task = || facts::is_task_of(plain) || facts::ends_in_order(plain);
    let of_kind = || names_form(plain) || names_language(plain) || prefers_kind(plain) || maps_each(plain);
    let of_all = || is_for_all(plain) || is_by_project(plain) || bars_kind(plain) || is_without(plain);
    let is_rule = any(&is_no_go)
        || names_tool(plain)
        || corrects_way(plain)
        || is_barred(plain)
        || is_ensured(plain)
        || !is_task() && (of_kind() || of_all());
    is_rule.then_some(Namespace::Patterns)
}

/// Whether a sentence ends with words by which it applies from now on: `answer in short sentences from now on`. What is
/// observed or what the speaker will do doesn't.
pub(super) fn applies_from_now(plain: &str) -> bool {
    const OWN_PLANS: [&str; 9] =
        ["i'll ", "i will ", "i'm ", "i am ", "i have ", "you are ", "you're ", "ich werde ", "ich bin "];
    const OBSERVED: [&str; 12] =
        ["it", "that", "this", "he", "she", "they", "there", "es", "das", "er", "sie", "what"];
    let text = facts::without_leads(plain).trim_end_matches(['.', '!', ' ']);
    let Some(before) = FROM_NOW_ON.iter().find_map(|end| text.strip_suffix(end)?.strip_suffix(' ')) else {
        return false;
    };
    let before = before.trim_end_matches([',', ' ']);
    let first = before.split([' ', '\'']).next().unwrap_or_default();
    before.split_whitespace().count() >= MIN_WORDS
        && !OBSERVED.contains(&first)
        && !OWN_PLANS.iter().any(|plan| before.starts_with(plan))
        && !reports_fault(before)
        && (!KNOWN_SUBJECTS.contains(&first) || has(before, DEMANDS))
        && !has(before, FAULTS)
        && !has(before, MOMENTS)
}

/// The clauses of a sentence without the words that only lead to them.
fn clauses(plain: &str) -> impl Iterator<Item = &str> {
    let all = plain.split([',', ';', ':', '—', '–']);
    all.map(|clause| facts::without_leads(clause).trim_end_matches(['.', '!']))
}

/// Whether a clause is about what is in front of the speaker, or about the speaker.
fn is_personal(clause: &str) -> bool {
    facts::is_here(clause) || has(clause, SPEAKERS)
}

/// The first word, without the marks around it.
fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default().trim_matches(|c: char| !c.is_alphanumeric())
}

/// `Marta owns the ledger package`, `Ansprechpartner für SAP ist Frau Özdemir`: who decides about what.
fn names_owner(clause: &str) -> bool {
    let is_name = |who: &str| {
        let letters = who.chars().all(|c| c.is_alphabetic() || c == '-');
        letters && who.chars().count() > 1 && !POINTING.contains(&who)
    };
    let owns = || {
        OWNING.iter().any(|verb| {
            extract::find_words(clause, verb).is_some_and(|at| {
                let (who, rest) = clause.split_at(at);
                let what = rest.get(verb.len()..).unwrap_or_default();
                let article = ["the", "das", "die", "den", "der"].contains(&first_word(what));
                let is_part = !article || has(what, WORLD) || has(what, PROJECT);
                // `Parser is responsible for splitting lines` tells what code does.
                let is_area = !first_word(what).ends_with("ing") && is_part;
                is_name(who.trim()) && (is_area || !BLAMING.contains(verb))
            })
        })
    };
    let is_contact = || {
        let rest = CONTACTS.iter().find_map(|words| clause.strip_prefix(words));
        let parts = rest.and_then(|rest| rest.split_once(" ist ").or_else(|| rest.split_once(" is ")));
        parts.is_some_and(|(what, who)| !what.trim().is_empty() && !who.trim().is_empty())
    };
    !is_personal(clause) && (owns() || is_contact())
}

/// `tag keys are lowercase`, `branches start with SHIP-`: how all of a kind are named. What names begin or end with is no
/// word: `lines end with semicolons` describes a text.
fn names_form(plain: &str) -> bool {
    // What is behind a colon may be quoted.
    plain.split([',', ';', '—', '–']).map(facts::without_leads).any(|clause| {
        // `our branches start with SHOP-`
        let clause = ["our ", "unsere "].iter().find_map(|own| clause.strip_prefix(own)).unwrap_or(clause);
        let fits = |form: &str, is_affix: bool| {
            extract::find_words(clause, form).is_some_and(|at| {
                let (kind, rest) = clause.split_at(at);
                let kind: Vec<&str> = kind.split_whitespace().collect();
                let how = rest.get(form.len()..).unwrap_or_default().trim_end_matches(['.', '!']);
                let how = how.split_whitespace().next().unwrap_or_default();
                let of_ticket =
                    rest.contains(" the ") && has(rest, &["ticket", "issue", "number", "prefix", "id"]);
                let is_part = how.contains(|c: char| !c.is_alphanumeric()) || of_ticket;
                let is_kind = kind.len() < MAX_SUBJECT && kind.last().is_some_and(|last| last.ends_with('s'));
                let is_manner = POINTING.contains(&how) || how.ends_with("ly");
                is_kind && facts::names_kind(&kind) && if is_affix { is_part } else { !is_manner }
            })
        };
        let is_named = FORMS.iter().any(|form| fits(form, false)) && !has(clause, SEEN_THERE)
            || AFFIXES.iter().any(|form| fits(form, true));
        is_named && !is_personal(clause)
    })
}

/// `singletons are a no-go`, whoever says it.
fn is_no_go(clause: &str) -> bool {
    NO_GO.iter().any(|words| {
        extract::find_words(clause, words).is_some_and(|at| {
            let kind: Vec<&str> = clause.get(..at).unwrap_or_default().split_whitespace().collect();
            let is_kind = (1..=MAX_SUBJECT).contains(&kind.len()) && facts::names_kind(&kind);
            is_kind && !facts::is_here(clause) && !has(clause, &["i", "but", "her", "him", "ich", "aber"])
        })
    })
}

/// `sidekiq is being replaced by solid_queue, new jobs should be ActiveJob only`: what comes, and what follows for new things.
/// Alone it's also what is under way: `the package is being replaced by npm, wait`.
fn names_successor(plain: &str) -> bool {
    let text = facts::without_leads(plain);
    let (main, rest) = text.split_once([',', ';']).unwrap_or_default();
    has(main, &["is being replaced by", "are being replaced by", "wird ersetzt durch", "wird abgelöst von"])
        && has(rest, THEN)
        && !is_personal(text)
}

/// `no, use pnpm`, `we use uv`: a tool's name is a whole choice.
fn names_tool(plain: &str) -> bool {
    let text = plain.trim_end_matches(['.', '!']);
    let denied = corrections::without_denial(text);
    let rest = denied.unwrap_or(text);
    let of_all = ["we ", "wir ", "usamos "].iter().any(|who| rest.starts_with(who));
    let Some(rest) = USING.iter().find_map(|verb| rest.strip_prefix(verb)) else { return false };
    let mut words = rest.split([' ', ',']).filter(|word| !word.is_empty());
    let is_tool = words.next().is_some_and(|tool| TOOLS.contains(&tool));
    let others: Vec<&str> = words.collect();
    // `use npm instead` may mean the next command.
    let replaces =
        others.iter().any(|word| REPLACING.contains(word)) && others.iter().any(|word| TOOLS.contains(word));
    is_tool
        && (denied.is_some() || of_all || replaces)
        && others
            .iter()
            .all(|word| TOOLS.contains(word) || REPLACING.contains(word) || JOINING.contains(word))
}

/// `no, not Lombok, we write getters ourselves`: what isn't done, and what is.
fn corrects_way(plain: &str) -> bool {
    let Some(rest) = corrections::without_denial(plain) else { return false };
    let rejected =
        ["not ", "nicht ", "kein ", "keine ", "keinen ", "pas "].iter().find_map(|no| rest.strip_prefix(no));
    let Some(rejected) = rejected.filter(|rejected| !POINTING.contains(&first_word(rejected))) else {
        return false;
    };
    let tells_way = |we: &&str| {
        rejected.split_once(*we).is_some_and(|(_, way)| {
            way.split_whitespace().count() > 1 && (is_done(way) || way.starts_with("use "))
        })
    };
    [", we ", "; we ", ", wir ", "; wir ", ", on "].iter().any(tells_way)
        && !is_personal(plain)
        && !has(plain, HERE)
}

/// `commit messages please in English`, `write logs always in English`, not about one text: `title please in English`.
fn names_language(plain: &str) -> bool {
    let text = plain.trim_end_matches(['.', '!']);
    let words: Vec<&str> = text.split_whitespace().collect();
    let of_kind = || {
        let is_text = facts::names_kind(&words) || words.first().is_some_and(|first| TEXTS.contains(first));
        is_text && has(text, ASKING) && !has(text, WRITING)
    };
    LANGUAGES.iter().any(|language| text.ends_with(*language))
        && words.len() <= MAX_OF_LANGUAGE
        && (has(text, EVER) || of_kind())
        && !has(text, POINTING)
        && !is_personal(text)
}

/// `I prefer tabs`, `I like small PRs`: a kind of things; what is liked as it is is small talk (`I like cats`).
fn prefers_kind(plain: &str) -> bool {
    let text = plain.trim_end_matches(['.', '!']);
    let likes = ["i prefer", "i like"].into_iter().find(|words| extract::begins_clause(text, words));
    let rest = likes.map_or("", |words| after(text, words));
    let words: Vec<&str> = rest.split_whitespace().collect();
    words.len() < MAX_SUBJECT
        && (words.len() > 1 || likes == Some("i prefer"))
        && words.first().is_some_and(|first| !POINTING.contains(first))
        && ends_with_kind(&words)
        && !facts::is_here(text)
}

/// `use anyhow in the binary and thiserror in the library`: which tool is for what.
fn maps_each(plain: &str) -> bool {
    let names_place = |part: &str| {
        let words: Vec<&str> = part.split_whitespace().collect();
        words.len() > 2 && ["in", "for"].contains(&words[1]) && !POINTING.contains(&words[0])
    };
    let parts = plain.strip_prefix("use ").and_then(|rest| rest.split_once(" and "));
    parts.is_some_and(|(one, other)| names_place(one) && names_place(other)) && !is_personal(plain)
}

/// `we're not allowed to put addresses into the marts`, `we can't use LINQ in hot paths, it allocates`.
fn is_barred(plain: &str) -> bool {
    BARRED.iter().any(|words| {
        let rest = if extract::begins_clause(plain, words) { after(plain, words) } else { "" };
        let explained = !words.ends_with(" use") || rest.contains(", ") || has(rest, &["because", "since"]);
        rest.split_whitespace().count() >= MIN_WORDS
            && !POINTING.contains(&first_word(rest))
            && explained
            && !is_personal(facts::main_clause(plain))
    })
}

/// Whether words end with the name of a kind of things.
fn ends_with_kind(words: &[&str]) -> bool {
    words.last().is_some_and(|last| last.len() > 2 && last.ends_with('s') && !last.ends_with("ss"))
}

/// `only Jan has access to production`, `bei uns macht Anna alle Reviews`: what counts for everybody or always.
fn is_for_all(plain: &str) -> bool {
    let main = facts::main_clause(plain);
    let alone = clauses(plain).any(|clause| {
        let rest = ["only ", "nur "].iter().find_map(|only| clause.strip_prefix(only)).unwrap_or_default();
        let of_some = |verb: &&str| {
            extract::find_words(rest, verb).is_some_and(|at| {
                let who = rest.get(..at).unwrap_or_default().split_whitespace().count();
                // `only Lena has access to the sheet` is about one thing at hand.
                let what = rest.get(at + verb.len()..).unwrap_or_default();
                let is_of_project = has(what, WORLD) || has(what, PROJECT) || has(what, RESERVED);
                (1..=MAX_SUBJECT).contains(&who) && is_of_project
            })
        };
        !facts::is_here(clause) && ALONE.iter().any(of_some)
    });
    let usual = || {
        ["bei uns ", "chez nous "].iter().any(|here| main.starts_with(here))
            && has(
                main,
                &[
                    "alle", "jede", "jeder", "jedes", "immer", "nur", "kein", "keine", "nie", "toujours",
                    "jamais",
                ],
            )
            // How everything is, is seen: `bei uns sind alle krank`.
            && !has(main, &["nicht", "nichts", "das", "es", "pas", "sind", "ist", "sont", "est"])
            && !has(main, SPEAKERS)
    };
    alone || !facts::is_here(main) && usual()
}

/// `this repo uses conventional commits`, `we follow the Google style guide`, `we deploy from the release branch, not from
/// main`, `Lena is our DBA`: how it's done in the project.
fn is_by_project(plain: &str) -> bool {
    let denied = facts::without_leads(plain).replacen(" doesn't use ", " uses ", 1);
    let text = denied.as_str();
    let uses = PROJECT.iter().any(|name| {
        let rest = ["this ", "our "].iter().find_map(|of| text.strip_prefix(of)?.strip_prefix(name));
        rest.is_some_and(|rest| {
            let mut words = rest.split_whitespace();
            let verb = words.next().unwrap_or_default();
            let what = words.next().unwrap_or_default();
            let names = what.starts_with(char::is_alphabetic) && !POINTING.contains(&what) && what != "too";
            PROJECT_VERBS.contains(&verb) && names && !has(rest, REPORTING)
        })
    });
    let (who, what) = text.split_once(" follow ").unwrap_or_default();
    let who = [" in this repo", " in this project", " here"]
        .iter()
        .find_map(|end| who.strip_suffix(end))
        .unwrap_or(who);
    let kind: Vec<&str> = who.split_whitespace().collect();
    let of_kind = kind.len() < MAX_SUBJECT && facts::names_kind(&kind);
    let follows = (who == "we" || of_kind)
        && has(what, CONVENTIONS)
        && !is_personal(facts::main_clause(what))
        && !has(who, SPEAKERS);
    let contrasts = || {
        let rest = text.strip_prefix("we ").or_else(|| text.strip_prefix("wir ")).unwrap_or_default();
        let differs = has(rest, &[", not", ", nicht", ", never", ", nie"]);
        is_done(rest)
            && differs
            && !STARTING.contains(&first_word(rest))
            && has(facts::main_clause(rest), WORLD)
    };
    let (somebody, role) = text.split_once(" is our ").unwrap_or_default();
    let main = facts::main_clause(text);
    let is_name = !somebody.is_empty() && !somebody.contains(' ') && !POINTING.contains(&somebody);
    // `Friday is our demo`
    let has_role = is_name && has(facts::main_clause(role), ROLES);
    uses && !has(text, SPEAKERS)
        || follows
        || !is_personal(text) && contrasts()
        || has_role && !is_personal(main)
}

/// `make sure you never log tokens`.
fn is_ensured(plain: &str) -> bool {
    ENSURING.iter().any(|words| {
        let rest = plain.strip_prefix(words).unwrap_or_default();
        // `make sure you always show the total` is a task.
        rest.split_whitespace().count() > 1 && !facts::is_here(rest) && !WRITING.contains(&first_word(rest))
    })
}

/// `don't use emojis in commit messages`, `no emojis in commit messages`: neither the kind nor its place is one that is at hand.
fn bars_kind(plain: &str) -> bool {
    const ORDERS: [&str; 10] = [
        "don't use ",
        "do not use ",
        "avoid ",
        "don't write ",
        "don't put ",
        "don't mix ",
        "stop using ",
        "stop adding ",
        "stop writing ",
        "stop putting ",
    ];
    let text = facts::without_leads(plain).trim_end_matches(['.', '!']);
    let text = ["please ", "bitte "].iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text);
    let ordered = ORDERS.iter().find_map(|order| text.strip_prefix(order));
    let is_denied = plain.starts_with("no ");
    let rest = ordered.or_else(|| is_denied.then_some(text)).unwrap_or_default();
    // `to the commit messages` are all of them, `to the header` is one; `no failures in the tests`, `no entries in prod` report.
    let is_of_all = ordered.is_some() && rest.ends_with('s');
    let rest = &if is_of_all { rest.replacen(" the ", " ", 1) } else { rest.to_owned() };
    let words: Vec<&str> = rest.split_whitespace().collect();
    let place = words.iter().take(MAX_SUBJECT + 1).position(|word| PREPOSITIONS.contains(word));
    (!is_denied || ends_with_kind(&words))
        && place.is_some_and(|at| ends_with_kind(&words[..at]) && at + 1 < words.len())
        && !has(rest, POINTING)
        && !is_personal(rest)
}

/// `integration tests run against a real database, no mocks`: what isn't wanted, where others report what isn't there (`requests
/// arrive at the server, no logs`).
fn is_without(plain: &str) -> bool {
    let text = plain.trim_end_matches(['.', '!']);
    let (main, last) = text.rsplit_once(", no ").unwrap_or_default();
    let words: Vec<&str> = main.split_whitespace().collect();
    words.len() > MIN_WORDS && facts::names_kind(&words) && MEANS.contains(&last) && !is_personal(text)
}

/// `the job fails on Windows due to line ends; eol=lf solved it`: a problem that comes back and what solved it.
fn tells_solution(plain: &str) -> bool {
    let text = plain.trim_end_matches(['.', '!']);
    let Some(before) = SOLVED.iter().find_map(|words| text.strip_suffix(words)) else { return false };
    let Some((problem, solution)) = before.rsplit_once([',', ';', ':', '—', '–']) else { return false };
    let solution = facts::without_leads(solution);
    problem.split_whitespace().count() > MIN_WORDS
        && !has(problem, &["was", "were", "war", "waren"])
        && !solution.is_empty()
        && !POINTING.contains(&first_word(solution))
        && !is_personal(problem)
        && !is_personal(solution)
}
