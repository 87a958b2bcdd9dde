//! How a project is, as users tell it in plain words: what is ours and what it's called (`our backend is written in Elixir`, `we
//! call it workspace, never project`), what is used for a purpose (`for plots we use Altair, not matplotlib`), which version is
//! needed, and what is to be done whenever something is (`whenever you touch the schema, …`).
//!
//! As with other facts, each needs a second sign beside its subject: a contrast, a version, a day, words for the whole project.

use crate::domain::Namespace;
use crate::session::extract;

use super::calendar_signs::{EACH_DAY, MONTHS, RECURRING, WEEKDAYS};
use super::choices;
use super::clauses::{has, is_done, without_kinds};
use super::consequences;
use super::corrections;
use super::fact_limits::MOMENTS;
use super::fact_subjects::{CODE_AND_SCREEN, DETERMINERS, PROJECT, SPEAKERS, WORLD};
use super::facts;
use super::fault_signs::FAULTS;
use super::limits::{LASTING, TASK_SUBJECTS};
use super::occasions;
use super::people;
use super::practice_signs::{INVENTED, LANGUAGES, POINTING, PREPOSITIONS, ROLES};
use super::screen_wishes;
use super::signs::PARTS_MADE;
use super::standing_signs::{
    BARRED_DEEDS, CALLED, CALLED_UPON, CONTRASTS, DUTIES, KEPT, KEPT_OFTEN, KINDS_OF_LIMIT, NEVER_OF_KINDS,
    ONLY_DOUBT, OUR_DEEDS, OUR_VERBS, OURS, PARTITIVES, PLACES_OF_ALL, PURPOSES, TERMS, WE_USE, WRITTEN_IN,
};
use super::versions;

/// Maximum number of words of a subject or purpose.
const MAX_SUBJECT: usize = 4;
/// What comes before a reason or a consequence.
const EXPLAINING: &[&str] =
    &[" otherwise ", ", or ", " sonst ", " because ", " weil ", ", ci fails", ", the build fails"];

/// The namespace of a sentence that tells how a project is; `None` for any other.
pub(super) fn namespace(plain: &str) -> Option<Namespace> {
    let text = facts::without_leads(plain).trim_end_matches(['.', '!', ' ']);
    if occasions::names_occasion(text) {
        return Some(Namespace::Patterns);
    }
    // What happens otherwise is no report.
    let end = EXPLAINING.iter().filter_map(|words| text.find(words)).min().unwrap_or(text.len());
    let is_report = has(&without_kinds(&text[..end]), FAULTS)
        || has(text, MOMENTS)
        || has(text, ONLY_DOUBT)
        || has(text, INVENTED);
    if is_report || facts::asks_to_look(text) {
        return None;
    }
    if choices::repeats_deed(text) {
        return Some(Namespace::Patterns);
    }
    if facts::is_task_of(text) || facts::ends_in_order(text) {
        return None;
    }
    if people::names_asked(text) {
        return Some(Namespace::Context);
    }
    if has(text, SPEAKERS) || has(text, CODE_AND_SCREEN) {
        return None;
    }
    if is_term(text) || is_ours(text) || versions::names_version(text) || people::has_role(text) {
        return Some(Namespace::Context);
    }
    let (rest, of_all) = without_place(text);
    let is_rule = is_for_purpose(text)
        || occasions::is_always_for_purpose(text)
        || of_all && is_way(rest)
        || is_kept(rest, of_all)
        || names_written_language(text)
        || is_never_of_kind(text)
        || is_ours_never(text)
        || is_duty_of_new(text)
        || is_ordered_by_infinitive(text)
        || is_french_ban(text)
        || consequences::is_barred_to_us(text)
        || is_always_ours(text);
    is_rule.then_some(Namespace::Patterns)
}

/// A sentence without the words for the whole project that it begins with, and whether it has such.
fn without_place(text: &str) -> (&str, bool) {
    let rest = PLACES_OF_ALL.iter().find_map(|words| text.strip_prefix(words));
    let named = || {
        let rest = ["in this ", "in our ", "in the "].iter().find_map(|words| text.strip_prefix(words))?;
        PROJECT.iter().find_map(|name| rest.strip_prefix(name)?.strip_prefix([',', ' ']))
    };
    rest.or_else(named).map_or((text, false), |rest| (rest.trim_start_matches([',', ' ']), true))
}

/// `we use pnpm`, `verwenden wir Tabs`, `errors are always returned`, behind words for the whole project.
fn is_way(rest: &str) -> bool {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let [first, second, ..] = words.as_slice() else { return false };
    let we_do = ["we", "wir", "on"].contains(first)
        && (is_done(second) || ["use", "keep", "don't", "never", "always", "utilise"].contains(second));
    let do_we = *second == "wir" && first.ends_with("en");
    // `in diesem Projekt sind alle Kommentare auf Deutsch`
    let are_all = *first == "sind" && *second == "alle" && has(rest, &["auf", "in", "mit", "unter", "aus"]);
    let of_kind = || {
        let all = ["all", "alle", "every", "each"].contains(first);
        // `in this repo all money is stored as integers`
        let is_verb = |word: &&str| {
            ["are", "sind", "have", "must", "go", "live"].contains(word)
                || all && ["is", "ist", "muss"].contains(word)
        };
        let subject = words.iter().position(is_verb).and_then(|at| words.get(..at)).unwrap_or_default();
        (1..=MAX_SUBJECT).contains(&subject.len()) && (all || facts::names_kind(subject))
    };
    // `as a rule, one PR per ticket`, `the rule is: no network calls in tests`
    let how_many = ["one", "no", "only", "max", "ein", "eine", "kein", "keine", "nur", "pro"].contains(first);
    words.len() > 3 && !facts::is_here(rest) && (we_do || do_we || are_all || how_many || of_kind())
}

/// `for plots we use Altair, not matplotlib`, `statt Lodash verwenden wir native Methoden`.
fn is_for_purpose(text: &str) -> bool {
    PURPOSES.iter().filter_map(|words| text.strip_prefix(words)).any(|rest| {
        WE_USE.iter().any(|verb| {
            let Some((purpose, what)) = rest.split_once(verb) else { return false };
            let words: Vec<&str> = purpose.split_whitespace().collect();
            let first = words.first().copied().unwrap_or_default();
            let of_kind = words.len() <= 2 && !POINTING.contains(&first) && !DETERMINERS.contains(&first);
            let named = what.split_whitespace().next().unwrap_or_default();
            let is_name = named.starts_with(char::is_alphabetic) && !POINTING.contains(&named)
                || named.starts_with('`');
            (1..=MAX_SUBJECT).contains(&words.len())
                && !facts::is_here(rest)
                && is_name
                && (of_kind || has(what, CONTRASTS))
        })
    })
}

/// `we call it workspace, never project`, `bei uns heißen Kunden Mitglieder`, `the default branch is called trunk here`.
fn is_term(text: &str) -> bool {
    let defined = TERMS.iter().any(|words| {
        text.strip_prefix(words).is_some_and(|rest| {
            let first = rest.split_whitespace().next().unwrap_or_default();
            let is_of_us = words.starts_with("we ") || words.starts_with("wir ");
            // `we call them after the commit, not before`
            let names = !is_of_us || has(rest, CONTRASTS) && !CALLED_UPON.contains(&first);
            rest.split_whitespace().count() >= 2 && names
        })
    });
    let means = || {
        let subject = ["the term ", "the word ", "der begriff ", "das wort "]
            .iter()
            .find_map(|words| text.strip_prefix(words));
        let meaning = [" means ", " bedeutet ", " heißt ", " meint "];
        let of_us = text.starts_with("in our ") || OURS.iter().any(|words| text.ends_with(words));
        meaning.iter().any(|verb| text.contains(verb)) && (subject.is_some() || of_us)
    };
    let called = || {
        CALLED.iter().any(|verb| {
            extract::find_words(text, verb).is_some_and(|at| {
                let (subject, rest) = text.split_at(at);
                let name = rest.get(verb.len()..).unwrap_or_default();
                let first = name.split_whitespace().next().unwrap_or_default();
                let of_us = subject.starts_with("our ")
                    || subject.starts_with("unser")
                    || OURS.iter().any(|words| text.ends_with(words) || has(text, &[words.trim()]));
                // `the staging server is called otter`, and not `the API is called asynchronously`
                let called = name.split([',', ';']).next().unwrap_or_default();
                let of_world = has(subject, WORLD)
                    && (1..=2).contains(&called.split_whitespace().count())
                    && !first.ends_with("ly");
                let begin = subject.split_whitespace().next().unwrap_or_default();
                (1..=MAX_SUBJECT + 1).contains(&subject.split_whitespace().count())
                    && (of_us || of_world)
                    && (!POINTING.contains(&begin) || DETERMINERS.contains(&begin) && begin != "das")
                    && !first.is_empty()
                    && !CALLED_UPON.contains(&first)
            })
        })
    };
    defined || means() || called()
}

/// `our release day is Tuesday`, `our API returns amounts in cents, not in euros`, `our backend is written in Elixir`.
fn is_ours(text: &str) -> bool {
    let ours = ["our ", "unser ", "unsere ", "notre ", "nuestra "];
    let own = ours.iter().find_map(|word| text.strip_prefix(word));
    // `the project uses Gradle, not Maven`, `the mobile team uses Riverpod`
    let named = || {
        let rest = text.strip_prefix("the ")?;
        let (subject, what) = rest.split_once(" uses ")?;
        let of_team = subject.ends_with(" team") && !has(what, PARTITIVES);
        (of_team || PROJECT.contains(&subject) && has(what, CONTRASTS)).then_some(())
    };
    let Some(rest) = own else { return named().is_some() && !facts::is_here(text) };
    let verb = OUR_VERBS.iter().filter_map(|verb| Some((extract::find_words(rest, verb)?, *verb))).min();
    let Some((at, verb)) = verb else { return false };
    let (subject, what) = rest.split_at(at);
    let what = what.get(verb.len()..).unwrap_or_default().trim_start();
    let words = subject.split_whitespace().count();
    // `our lunch is on Tuesday` is one day, `our release day is Tuesday` is each of them.
    let is_each = || subject.trim_end().ends_with("day") || subject.trim_end().ends_with("tag");
    let begins = ["starts", "start", "begins", "ends", "end", "beginnt", "endet"].contains(&verb);
    let is_dated = || {
        has(what, EACH_DAY)
            || has(what, RECURRING)
            || has(what, WEEKDAYS) && is_each()
            || has(what, MONTHS) && begins
    };
    let is_limit = || has(subject, KINDS_OF_LIMIT) && what.contains(|c: char| c.is_ascii_digit());
    // `our coding style is Allman braces`
    let is_style = || has(subject, &["style", "stack", "stil"]) && what.split_whitespace().count() > 1;
    let is_named = || has(subject, ROLES) && people::is_person(what) || is_style();
    let is_made = || WRITTEN_IN.iter().any(|words| what.starts_with(words));
    let contrasts = || has(what, CONTRASTS);
    (1..=MAX_SUBJECT + 2).contains(&words)
        && !facts::is_here(text)
        && (is_dated() || is_limit() || is_named() || is_made() || contrasts())
}

/// `secrets are kept in Vault, not in .env files`, `money is always stored as integer cents`, `feature flags are managed in …`.
fn is_kept(rest: &str, of_all: bool) -> bool {
    let fits = |verb: &str, is_sure: bool| {
        extract::find_words(rest, verb).is_some_and(|at| {
            let (subject, what) = rest.split_at(at);
            let what = what.get(verb.len()..).unwrap_or_default();
            // `migrations are written by hand here`
            let what = what.strip_prefix(" here").unwrap_or(what);
            let words: Vec<&str> = subject.split_whitespace().collect();
            let first = words.first().copied().unwrap_or_default();
            let is_kind = facts::names_kind(&words)
                || words.len() == 1 && !POINTING.contains(&first) && is_sure && verb.contains(' ');
            let lasts = is_sure || of_all || has(what, CONTRASTS) || has(rest, LASTING);
            (1..=MAX_SUBJECT).contains(&words.len())
                && is_kind
                && lasts
                && (is_sure || what.split_whitespace().count() >= 2)
                && !what.trim().is_empty()
                && !facts::is_here(what)
        })
    };
    // `timestamps in the log files are local time, not UTC`
    let of_world = || {
        let (subject, what) = rest.split_once(" are ").unwrap_or_default();
        let first = subject.split_whitespace().next().unwrap_or_default();
        WORLD.contains(&first)
            && first.ends_with('s')
            && subject.split_whitespace().count() <= MAX_SUBJECT + 1
            && has(what, &[", not", ", never"])
            && !is_done_to(what)
            && !facts::is_here(what)
    };
    // `textures are always square, otherwise the build for the console fails`
    let for_reason = || {
        let (subject, what) = rest.split_once(" are always ").unwrap_or_default();
        let words: Vec<&str> = subject.split_whitespace().collect();
        (1..=MAX_SUBJECT).contains(&words.len())
            && facts::names_kind(&words)
            && has(what, &["otherwise", "or else"])
            && !facts::is_here(facts::main_clause(what))
    };
    of_world()
        || for_reason()
        || KEPT.iter().any(|verb| fits(verb, false))
        || KEPT_OFTEN.iter().any(|verb| fits(verb, true))
}

/// Whether words tell what is done to things: `compared with ==`.
fn is_done_to(what: &str) -> bool {
    let first = what.split_whitespace().next().unwrap_or_default();
    ["ed", "ing", "en"].iter().any(|end| first.ends_with(end))
}

/// `wir schreiben Bezeichner auf Englisch, nicht auf Deutsch`, `comments are written in English`.
fn names_written_language(text: &str) -> bool {
    let text = corrections::without_denial(text).unwrap_or(text);
    let main = facts::main_clause(text);
    let is_habit = text.starts_with("wir schreiben ")
        || text.starts_with("we write ")
        || main.contains(" schreiben wir ")
        || main.contains(" are written ");
    let ends = LANGUAGES.iter().any(|language| main.ends_with(language));
    is_habit && ends && !facts::is_here(main) && !has(main, &["the", "der", "das"])
}

/// `error messages must never contain stack traces`, `generierte Dateien dürfen nie von Hand geändert werden`.
fn is_never_of_kind(text: &str) -> bool {
    NEVER_OF_KINDS.iter().any(|must| {
        extract::find_words(text, must).is_some_and(|at| {
            let (subject, rest) = text.split_at(at);
            let deed = rest.get(must.len()..).unwrap_or_default();
            let words: Vec<&str> = subject.split_whitespace().collect();
            let first = words.first().copied().unwrap_or_default();
            // A German plural has no ending of its own.
            let is_german = must.starts_with("dürfen") || must.starts_with("darf");
            let is_kind = facts::names_kind(&words) || is_german && !POINTING.contains(&first);
            // What must not be is a wish for the task as well, unless it's of code: what it may contain or call.
            let is_deed = must.ends_with("never") || must.contains(" nie") || has(deed, BARRED_DEEDS);
            (1..=MAX_SUBJECT + 1).contains(&words.len())
                && is_kind
                && is_deed
                && !DETERMINERS.contains(&first)
                && !words.iter().take(2).any(|word| PARTS_MADE.contains(word))
                && !facts::is_here(text)
                && !has(deed, &["again", "twice", "zweimal"])
        })
    })
}

/// `new components must have a story`, `PRs need two approvals`.
fn is_duty_of_new(text: &str) -> bool {
    let rest = ["new ", "neue ", "all new ", "alle neuen "].iter().find_map(|word| text.strip_prefix(word));
    let of_new = rest.is_some_and(|rest| {
        DUTIES.iter().any(|must| {
            rest.split_once(must).is_some_and(|(kind, what)| {
                let kind = kind.trim();
                let is_kind = kind.split_whitespace().count() <= 2 && kind.ends_with(['s', 'n', 'e']);
                is_kind && !TASK_SUBJECTS.contains(&kind) && !PARTS_MADE.contains(&kind) && is_whole(what)
            })
        })
    });
    let reviewed = || {
        let what = ["prs need ", "pull requests need ", "merge requests need ", "mrs need "]
            .iter()
            .find_map(|words| text.strip_prefix(words));
        what.is_some_and(is_whole)
    };
    (of_new || reviewed()) && !facts::is_here(facts::main_clause(text))
}

/// Whether words name what is needed, not what is still to be done: `two approvals`, and not `rebasing`.
fn is_whole(what: &str) -> bool {
    let first = what.split_whitespace().next().unwrap_or_default();
    what.split_whitespace().count() >= 2 && !first.ends_with("ing")
}

/// `Zeitangaben immer in UTC speichern`: an order by a verb's basic form, without who is to do it.
fn is_ordered_by_infinitive(text: &str) -> bool {
    const FINITE: [&str; 14] = [
        "ist", "sind", "wird", "werden", "muss", "müssen", "hat", "haben", "soll", "sollen", "kann",
        "können", "war", "wollen",
    ];
    let words: Vec<&str> = text.split_whitespace().collect();
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return false };
    words.len() > 3
        && !text.contains([',', ':', ';'])
        && words.iter().skip(1).take(2).any(|word| ["immer", "nie", "niemals"].contains(word))
        && (last.ends_with("en") || last.ends_with("ern") || last.ends_with("eln"))
        && !POINTING.contains(first)
        && !PREPOSITIONS.contains(first)
        && !words.iter().any(|word| FINITE.contains(word))
        && !screen_wishes::is_showing_of_one(text)
        && !facts::is_here(text)
}

/// `wir schreiben Tests immer mit pytest`
fn is_always_ours(text: &str) -> bool {
    let rest = text.strip_prefix("wir ").unwrap_or_default();
    is_done(rest)
        && rest.split_whitespace().count() >= MAX_SUBJECT
        && has(rest, &["immer", "nie", "niemals", "nur noch"])
        && !has(rest, &["immer noch", "immer wieder", "immer mehr"])
        && !facts::is_here(text)
}

/// `ne modifie jamais les fichiers générés`
fn is_french_ban(text: &str) -> bool {
    let rest = text.strip_prefix("ne ").or_else(|| text.strip_prefix("n'")).unwrap_or_default();
    let mut words = rest.split_whitespace();
    words.nth(1) == Some("jamais") && words.count() >= 2 && !facts::is_here(text)
}

/// `our error messages never contain stack traces`
fn is_ours_never(text: &str) -> bool {
    let rest = text.strip_prefix("our ").unwrap_or_default();
    [" never ", " always "].iter().filter_map(|ever| rest.split_once(ever)).any(|(subject, what)| {
        let words = subject.split_whitespace().count();
        let verb = what.split_whitespace().next().unwrap_or_default();
        (1..=MAX_SUBJECT).contains(&words)
            && subject.ends_with('s')
            && OUR_DEEDS.contains(&verb)
            && what.split_whitespace().count() >= 2
            && !facts::is_here(text)
    })
}
