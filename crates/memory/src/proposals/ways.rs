//! How a project does things, told without a word that asks to remember it: `all our tables are singular`, `errors in this repo are
//! wrapped with …`, `ici on utilise vitest et pas jest`, `うちでは生のSQLを書きます`. Each way has a beginning and a second sign that
//! it lasts: a contrast, a place, a reason. Owns these forms as data; what is a fault, the moment or a task isn't one.

use crate::domain::Namespace;
use crate::session::extract;

use super::clauses::has;
use super::fact_limits::MOMENTS;
use super::fact_subjects::{DETERMINERS, SPEAKERS};
use super::facts;
use super::fault_signs::{FAILS, FAULTS};
use super::people;
use super::practice_signs::{INVENTED, POINTING, PREPOSITIONS};
use super::way_signs::{
    ALLOWING, BELONG, BREAKING, FAULTS_ELSEWHERE, HERE_IN_PROJECT, INSTEAD, JAPANESE, JAPANESE_ENDS,
    JAPANESE_FAULTS, KEPT_SO, MADE, NOBODY, OF_KINDS, ONLY_THERE, PARTIES, PURPOSES, RULED_OUT, SETTLED,
    TREATED, USED, WAYS, WITH_US, Way,
};

use Namespace::{Context, Decisions, Learnings, Patterns};

/// Minimum number of characters of a Japanese sentence.
const MIN_JAPANESE: usize = 12;
/// Minimum number of words that tell how something is liked.
const MIN_LIKED: usize = 3;
/// Minimum number of words of a sentence with what won't change.
const MIN_SETTLED: usize = 7;
/// Maximum number of words of a subject.
const MAX_SUBJECT: usize = 3;

/// The namespace of a sentence that tells how the project does something; `None` for any other.
pub(super) fn namespace(plain: &str) -> Option<Namespace> {
    let text = facts::without_leads(plain).trim_end_matches(['.', '!', ' ', '。']);
    if is_japanese_way(text) {
        return Some(Patterns);
    }
    // A fault explains itself as well, but not what is ours in all versions.
    if names_breaking_version(text) {
        return Some(Learnings);
    }
    let is_moment = has(text, MOMENTS) || has(text, INVENTED) || facts::asks_to_look(text);
    if is_moment || facts::is_here(facts::main_clause(text)) && !names_place(text) {
        return None;
    }
    let main = facts::main_clause(text);
    let is_so = |rest: &str| {
        let how = facts::main_clause(rest);
        rest.split_whitespace().count() > 2 && !is_fault(how) && !has(how, SPEAKERS)
    };
    if of_kind(text, OF_KINDS).is_some_and(is_so) {
        return Some(Patterns);
    }
    let is_task = facts::is_task_of(text) || facts::ends_in_order(text);
    if is_task || is_fault(main) {
        return None;
    }
    let fits = |way: &&Way| {
        let rest = match way.begins {
            [] => Some(text),
            begins => begins.iter().find_map(|begin| text.strip_prefix(begin)),
        };
        rest.is_some_and(|rest| {
            // The sign may be right behind the beginning.
            let padded = format!(" {rest}");
            rest.split_whitespace().count() >= way.least
                && (way.has.is_empty() || way.has.iter().any(|sign| padded.contains(sign)))
        })
    };
    if let Some(used) = USED.iter().find(fits).or_else(|| USED.iter().find(|way| is_for_purpose(text, way))) {
        return Some(used.namespace);
    }
    if is_fault(text) {
        return None;
    }
    let settled = || is_settled(text).then_some(Decisions);
    WAYS.iter().find(fits).map(|way| way.namespace).or_else(settled).or_else(|| {
        let is_made =
            of_kind(text, MADE).is_some_and(|rest| RULED_OUT.iter().any(|sign| rest.contains(sign)));
        // `our design tokens come from Figma, don't hardcode colours`
        let is_ours_made = || {
            let rest = text.strip_prefix("our ").and_then(|our| of_kind(our, MADE));
            rest.is_some_and(|rest| RULED_OUT.iter().any(|sign| rest.contains(sign)))
        };
        // `invoices are never deleted, only cancelled`
        let is_treated = || {
            let is_done = |rest: &&str| first_word(rest).trim_end_matches(',').ends_with("ed");
            let rest = of_kind(text, TREATED).filter(is_done);
            rest.is_some_and(|rest| INSTEAD.iter().any(|sign| rest.contains(sign)))
        };
        let belongs = || {
            let new = text.strip_prefix("new ").filter(|new| !new.starts_with("the "));
            new.and_then(|new| of_kind(new, BELONG)).is_some_and(|rest| first_word(rest).contains('/'))
        };
        let is_liked = || {
            let (what, how) = text.strip_prefix("i like ")?.split_once(": ")?;
            let words: Vec<&str> = what.split_whitespace().collect();
            let limits = ["no", "one", "never", "always", "at most"];
            let is_told = how.split_whitespace().count() >= MIN_LIKED && has(how, &limits);
            (words.len() <= MAX_SUBJECT && facts::names_kind(&words) && is_told).then_some(())
        };
        // `our docs follow Diátaxis`, and not `our types follow from the schema`
        let follows = || {
            let rest = text.strip_prefix("our ").and_then(|our| of_kind(our, &[" follow ", " follows "]));
            rest.map(first_word).is_some_and(|what| {
                !what.is_empty() && !DETERMINERS.contains(&what) && !PREPOSITIONS.contains(&what)
            })
        };
        // `keep functions under 40 lines`
        let is_kept = || {
            let rest = text.strip_prefix("keep ").unwrap_or_default();
            let words: Vec<&str> = rest.split_whitespace().collect();
            facts::names_kind(&words)
                && KEPT_SO.iter().any(|sign| rest.contains(sign))
                && !has(rest, POINTING)
        };
        let of_kinds = is_made || is_ours_made() || is_treated() || is_kept();
        if of_kinds || belongs() || is_liked().is_some() || follows() || is_with_us(text) {
            Some(Patterns)
        } else {
            (is_only_there(text) || is_limited(text) || goes_to_somebody(text)).then_some(Context)
        }
    })
}

/// Whether a sentence is about the whole project by words that point at something elsewhere: `errors in this repo are …`.
fn names_place(text: &str) -> bool {
    OF_KINDS.iter().chain(HERE_IN_PROJECT).any(|words| text.contains(words))
        || [
            "en este proyecto ",
            "en este repo ",
            "dans ce projet ",
            "dans ce dépôt ",
            "ici ",
            "aquí ",
            "aqui ",
        ]
        .iter()
        .any(|place| text.starts_with(place))
}

fn is_fault(text: &str) -> bool {
    has(text, FAULTS) || has(text, FAILS) || has(text, FAULTS_ELSEWHERE)
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// `we're on the compatibility renderer and that's not going to change`, and not `that won't change the result`.
fn is_settled(text: &str) -> bool {
    const ENDS: [&str; 8] = [",", ";", ":", " - ", " – ", " — ", " because ", " since "];
    let ends = |rest: &str| rest.is_empty() || ENDS.iter().any(|end| rest.starts_with(end));
    text.split_whitespace().count() >= MIN_SETTLED
        && SETTLED.iter().any(|words| text.split_once(words).is_some_and(|(_, rest)| ends(rest)))
}

/// `para los tests usamos Vitest, no Jest`.
fn is_for_purpose(text: &str, way: &Way) -> bool {
    PURPOSES.iter().any(|purpose| text.starts_with(purpose))
        && way.begins.iter().any(|begin| {
            text.split_once(begin).is_some_and(|(purpose, rest)| {
                purpose.ends_with(' ')
                    && (2..=MAX_SUBJECT + 1).contains(&purpose.split_whitespace().count())
                    && rest.split_whitespace().count() >= way.least
                    && way.has.iter().any(|sign| rest.contains(sign))
            })
        })
}

/// What is behind one of these words, if the name of a kind of things is before it.
fn of_kind<'a>(text: &'a str, words: &[&str]) -> Option<&'a str> {
    words.iter().find_map(|words| {
        let (kind, rest) = text.split_once(words)?;
        let kind: Vec<&str> = kind.split_whitespace().collect();
        ((1..=MAX_SUBJECT).contains(&kind.len()) && facts::names_kind(&kind)).then_some(rest)
    })
}

/// `nginx 1.27 breaks our mTLS setup: it refuses the old intermediates`.
fn names_breaking_version(text: &str) -> bool {
    BREAKING.iter().any(|words| {
        let Some((subject, rest)) = text.split_once(words) else { return false };
        let names: Vec<&str> = subject.split_whitespace().collect();
        let is_version = |word: &&str| word.contains('.') && word.contains(|c: char| c.is_ascii_digit());
        (2..=MAX_SUBJECT).contains(&names.len())
            && names.last().is_some_and(is_version)
            && !DETERMINERS.contains(&names[0])
            && (rest.contains(": ") || rest.contains(" because "))
    })
}

/// `the oracle tests only run in the nightly job, nobody has the client locally`.
fn is_only_there(text: &str) -> bool {
    ONLY_THERE.iter().any(|words| {
        text.split_once(words).is_some_and(|(subject, rest)| {
            let words = subject.split_whitespace().count();
            (2..=MAX_SUBJECT + 1).contains(&words)
                && !has(rest, SPEAKERS)
                && NOBODY.iter().any(|sign| rest.contains(sign))
        })
    })
}

/// `Tom is on leave until March, reviews for the ledger go to Ines`.
fn goes_to_somebody(text: &str) -> bool {
    let asked = ["reviews for ", "reviews of ", "questions about ", "approvals for ", "approvals of "];
    text.split([',', ';']).map(str::trim).any(|clause| {
        let who = clause.split_once(" go to ").map_or("", |(_, who)| who);
        asked.iter().any(|words| clause.starts_with(words)) && people::is_person(who)
    })
}

/// `Fachbegriffe bleiben bei uns deutsch`.
fn is_with_us(text: &str) -> bool {
    WITH_US.iter().any(|words| {
        text.split_once(words).is_some_and(|(kind, how)| {
            let words = kind.split_whitespace().count();
            (1..=2).contains(&words)
                && !DETERMINERS.contains(&first_word(kind))
                && !has(how, &["nicht", "noch"])
        })
    })
}

/// `die Schnittstelle erlaubt pro Schlüssel nur eine Verbindung`, `the vendor's API allows only ten requests a minute`.
fn is_limited(text: &str) -> bool {
    ALLOWING.iter().any(|words| {
        text.split_once(words).is_some_and(|(who, what)| {
            let is_party = who.split_whitespace().count() <= MAX_SUBJECT + 2 && has(who, PARTIES);
            let only = ["nur ", "only ", "at most ", "höchstens "];
            is_party && only.iter().any(|word| extract::contains_words(what, word.trim_end()))
        })
    })
}

/// `うちではORMを使わず、生のSQLを書きます`.
fn is_japanese_way(text: &str) -> bool {
    // `テストは必ずpytestで書きます`, and not `必ず表示されます`
    let is_strict = text.contains("は必ず") && !text.ends_with("されます");
    (is_strict || JAPANESE.iter().any(|place| text.starts_with(place)))
        && JAPANESE_ENDS.iter().any(|end| text.ends_with(end))
        && text.chars().count() >= MIN_JAPANESE
        && !JAPANESE_FAULTS.iter().any(|fault| text.contains(fault))
}
