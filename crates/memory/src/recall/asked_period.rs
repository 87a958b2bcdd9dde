//! Questions about nothing but a time counted from now: "what was decided last week?" No memory says so in its own words, so
//! those captured then are listed.

use super::{Components, Hit, HitPage, RecallRequest, paged, terms};
use crate::domain::{DAY_MS, Namespace};
use crate::query::Clause;
use crate::store::{Page, Result, Store};

/// The user's days that a time is about, counted back from today, which is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Days {
    first: i64,
    last: i64,
}

const fn days(first: i64, last: i64) -> Days {
    Days { first, last }
}

/// Words for a time counted from now. Those of weeks and months begin early, because nobody counts them exactly. A phrase comes
/// before one that is its part.
const PERIODS: &[(&str, Days)] = &[
    ("today", days(0, 0)),
    ("the day before yesterday", days(2, 2)),
    ("yesterday", days(1, 1)),
    ("last night", days(1, 0)),
    ("this week", days(7, 0)),
    ("the past week", days(7, 0)),
    ("last week", days(14, 1)),
    ("recently", days(14, 0)),
    ("lately", days(14, 0)),
    ("this month", days(31, 0)),
    ("the past month", days(31, 0)),
    ("last month", days(62, 1)),
    ("heute", days(0, 0)),
    ("vorgestern", days(2, 2)),
    ("gestern", days(1, 1)),
    ("diese woche", days(7, 0)),
    ("in dieser woche", days(7, 0)),
    ("letzte woche", days(14, 1)),
    ("in der letzten woche", days(14, 1)),
    ("kürzlich", days(14, 0)),
    ("neulich", days(14, 0)),
    ("diesen monat", days(31, 0)),
    ("letzten monat", days(62, 1)),
    ("cette semaine", days(7, 0)),
    ("la semaine dernière", days(14, 1)),
    ("ce mois ci", days(31, 0)),
    ("le mois dernier", days(62, 1)),
];
/// Words for the numbers from 1 on.
const NUMBERS: &[&[&str]] = &[
    &["a", "one", "ein", "einem", "einer"],
    &["two", "zwei"],
    &["three", "drei"],
    &["four", "vier"],
    &["five", "fünf"],
    &["six", "sechs"],
];
/// Words with which a time goes on until now.
const UNTIL_NOW: &[&str] = &["since", "seit", "depuis"];
/// Words of such a question that have no subject, and what they ask for if not for everything.
const ASKING: &[(&str, Option<Namespace>)] = &[
    ("decide", Some(Namespace::Decisions)),
    ("decided", Some(Namespace::Decisions)),
    ("decision", Some(Namespace::Decisions)),
    ("decisions", Some(Namespace::Decisions)),
    ("agree", Some(Namespace::Decisions)),
    ("agreed", Some(Namespace::Decisions)),
    ("settle", Some(Namespace::Decisions)),
    ("settled", Some(Namespace::Decisions)),
    ("choose", Some(Namespace::Decisions)),
    ("chose", Some(Namespace::Decisions)),
    ("learn", Some(Namespace::Learnings)),
    ("learned", Some(Namespace::Learnings)),
    ("learnt", Some(Namespace::Learnings)),
    ("lessons", Some(Namespace::Learnings)),
    ("happen", None),
    ("happened", None),
    ("change", None),
    ("changed", None),
    ("changes", None),
    ("done", None),
    ("new", None),
    ("news", None),
    ("captured", None),
    ("remembered", None),
    ("memories", None),
    ("noted", None),
    ("added", None),
    ("entscheidung", Some(Namespace::Decisions)),
    ("entscheidungen", Some(Namespace::Decisions)),
    ("entschieden", Some(Namespace::Decisions)),
    ("beschlossen", Some(Namespace::Decisions)),
    ("vereinbart", Some(Namespace::Decisions)),
    ("festgelegt", Some(Namespace::Decisions)),
    ("gelernt", Some(Namespace::Learnings)),
    ("passiert", None),
    ("gemacht", None),
    ("geändert", None),
    ("neu", None),
    ("neues", None),
    ("gemerkt", None),
    ("notiert", None),
    ("décidé", Some(Namespace::Decisions)),
    ("appris", Some(Namespace::Learnings)),
];
/// Words between these.
const JOINING: &[&str] = &[
    "since",
    "all",
    "everything",
    "make",
    "made",
    "take",
    "taken",
    "seit",
    "alles",
    "alle",
    "getroffen",
    "depuis",
    "tout",
];
/// The score of each: they were captured then, and nothing says that one of them is meant.
const SCORE: f64 = 0.5;

/// What a question asks for that names a time and no subject.
struct Asked {
    days: Days,
    namespace: Option<Namespace>,
}

/// The memories captured in the time that a question is about, newest first; `None` if it has another subject, or if there are
/// none.
pub(super) fn memories_of_period(
    store: &dyn Store,
    request: &RecallRequest,
    question: &str,
) -> Result<Option<HitPage>> {
    let Some(asked) = parse(question).filter(|_| SCORE >= request.min_score) else { return Ok(None) };
    let begins = |days_ago: i64| midnight(request.selection.now_ms, request.utc_offset_min, days_ago);
    let from = Some(begins(asked.days.first));
    let until = (asked.days.last > 0).then(|| begins(asked.days.last - 1));
    let mut selection = request.selection.clone();
    selection.filter.clauses.push(Clause::Captured { from, until });
    let all = selection.clone();
    selection.filter.clauses.extend(asked.namespace.map(|namespace| Clause::Namespace(vec![namespace])));
    let page = Page { offset: request.offset, limit: request.limit };
    let mut listed = store.list(&selection, page)?;
    // What was decided may be kept as something else.
    if listed.total == 0 && asked.namespace.is_some() {
        listed = store.list(&all, page)?;
    }
    if listed.total == 0 {
        return Ok(None);
    }
    let components = Components { weight: 1.0, ..Components::default() };
    let hit = |memory| Hit { memory, score: Some(SCORE), components: Some(components) };
    Ok(Some(paged(listed.memories.into_iter().map(hit).collect(), listed.total, request)))
}

/// When the user's day began that is so many days before today's.
fn midnight(now_ms: i64, utc_offset_min: i32, days_ago: i64) -> i64 {
    let offset_ms = i64::from(utc_offset_min) * 60_000;
    let today = now_ms.saturating_add(offset_ms).div_euclid(DAY_MS);
    (today - days_ago).saturating_mul(DAY_MS).saturating_sub(offset_ms)
}

fn parse(question: &str) -> Option<Asked> {
    // A quoted word is one of a text.
    if question.contains('"') {
        return None;
    }
    // `ce mois-ci`
    let words: Vec<String> = question
        .split(|c: char| c.is_whitespace() || c == '-')
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
        .collect();
    let (rest, mut days) = named_period(&words).or_else(|| counted_period(&words))?;
    if words.iter().any(|word| UNTIL_NOW.contains(&word.as_str())) {
        days.last = 0;
    }
    let known =
        |word: &str| ASKING.iter().find(|(asking, _)| *asking == word).map(|(_, namespace)| *namespace);
    // What somebody did is everything that was captured; what something does or should be done isn't.
    let did = words.iter().any(|word| word == "did") && rest.trim_end().ends_with(" do");
    let (mut asks, mut namespace) = (did, None);
    for word in terms::parse(&rest, true).terms.into_iter().map(|term| term.part.text) {
        match known(&word) {
            Some(of) => {
                asks = true;
                namespace = namespace.or(of);
            }
            None if terms::is_filler(&word) || JOINING.contains(&word.as_str()) => {}
            None => return None,
        }
    }
    asks.then_some(Asked { days, namespace })
}

/// The time that is named in a question, and the question without it.
fn named_period(words: &[String]) -> Option<(String, Days)> {
    let text = format!(" {} ", words.join(" "));
    PERIODS.iter().find_map(|(period, days)| {
        let (before, after) = text.split_once(&format!(" {period} "))?;
        Some((format!("{before} {after}"), *days))
    })
}

/// The same of one that is counted: `3 days ago`, `vor zwei Wochen`.
fn counted_period(words: &[String]) -> Option<(String, Days)> {
    words.windows(3).enumerate().find_map(|(at, three)| {
        let found = match [three[0].as_str(), three[1].as_str(), three[2].as_str()] {
            [number, unit, "ago"] | ["vor", number, unit] => days_ago(number, unit)?,
            _ => return None,
        };
        let rest = [&words[..at], &words[at + 3..]].concat();
        Some((rest.join(" "), found))
    })
}

fn days_ago(number: &str, unit: &str) -> Option<Days> {
    let named = || (1..).zip(NUMBERS).find(|(_, names)| names.contains(&number)).map(|(number, _)| number);
    let number: i64 =
        number.parse::<i64>().ok().filter(|number| (1..=1_000).contains(number)).or_else(named)?;
    match unit {
        "day" | "days" | "tag" | "tagen" => Some(days(number, number)),
        "week" | "weeks" | "woche" | "wochen" => Some(days(7 * number + 3, 7 * number - 3)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Domain;
    use crate::query::{Filter, Scope, Selection};
    use crate::recall::recall;
    use crate::store::{Actor, Draft, Secrets, SqliteStore};

    const NOW: i64 = 100 * DAY_MS;

    #[test]
    fn a_question_about_a_time_alone_lists_what_was_captured_then() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
        for (content, namespace, days) in [
            ("Terraform runs in the pipeline", Namespace::Decisions, 5),
            ("Cache keys carry the tenant", Namespace::Learnings, 3),
            ("Jenkins builds the images", Namespace::Decisions, 60),
        ] {
            let draft = Draft::new(content, namespace, Domain::User);
            let who = Actor::local_user(NOW - days * DAY_MS);
            store.capture(&draft.check(Secrets::Redact).unwrap(), &who).unwrap();
        }
        let ask = |question: &str, unasked: bool| -> Vec<String> {
            let selection = Selection { scope: Scope::Everywhere, filter: Filter::default(), now_ms: NOW };
            let query = Some(question.to_owned());
            let request = RecallRequest { query, selection, limit: 5, unasked, ..RecallRequest::default() };
            let hits = recall(&store, &request).unwrap().hits.into_iter();
            hits.map(|hit| hit.memory.content.split(' ').next().unwrap_or_default().to_owned()).collect()
        };
        for (question, expected) in [
            ("what did we decide last week?", vec!["Terraform"]),
            ("was haben wir letzte Woche entschieden", vec!["Terraform"]),
            ("what happened this week?", vec!["Cache", "Terraform"]),
            ("decisions from last month", vec!["Terraform", "Jenkins"]),
            ("what did we learn yesterday", vec![]),
            ("what did we decide about Jenkins last week", vec!["Jenkins"]),
            ("last week", vec![]),
        ] {
            assert_eq!(ask(question, false), expected, "{question}");
        }
        assert_eq!(ask("what did we decide last week?", true), [""; 0]);
    }

    /// A day is the user's own, from midnight to midnight.
    #[test]
    fn yesterday_is_neither_today_nor_the_day_before() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
        for hours in [1_i64, 9, 20, 33, 40, 60] {
            let draft = Draft::new(format!("Buoy {hours} is lit"), Namespace::Decisions, Domain::User);
            let who = Actor::local_user(NOW - hours * 3_600_000);
            store.capture(&draft.check(Secrets::Redact).unwrap(), &who).unwrap();
        }
        let ask = |question: &str, hour: i64, utc_offset_min: i32| -> Vec<String> {
            let now_ms = NOW + hour * 3_600_000;
            let selection = Selection { scope: Scope::Everywhere, filter: Filter::default(), now_ms };
            let query = Some(question.to_owned());
            let request =
                RecallRequest { query, selection, limit: 9, utc_offset_min, ..RecallRequest::default() };
            let hits = recall(&store, &request).unwrap().hits.into_iter();
            hits.filter_map(|hit| hit.memory.content.split(' ').nth(1).map(str::to_owned)).collect()
        };
        for (question, hour, utc_offset_min, expected) in [
            // NOW is a midnight of UTC.
            ("what happened yesterday", 10, 0, vec!["1", "9", "20"]),
            ("was haben wir gestern entschieden", 10, 0, vec!["1", "9", "20"]),
            ("what happened the day before yesterday", 10, 0, vec!["33", "40"]),
            ("what happened 3 days ago", 10, 0, vec!["60"]),
            ("what happened today", -1, 0, vec!["1", "9", "20"]),
            // The day began two hours earlier to the east, and hasn't yet to the west.
            ("what happened today", 10, 120, vec!["1"]),
            ("what happened yesterday", 10, 120, vec!["9", "20"]),
            ("what happened yesterday", 2, -600, vec!["20", "33"]),
        ] {
            let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
            assert_eq!(ask(question, hour, utc_offset_min), expected, "{question} {hour} {utc_offset_min}");
        }
    }

    #[test]
    fn a_question_with_a_subject_is_about_that() {
        for question in [
            "what changed in the parser yesterday",
            "yesterday",
            "decide \"last week\"",
            "what changed",
            "what changed 0 days ago",
            "what changed 3 releases ago",
            "what do we know of today",
            "what does it do today",
            "what should we do today?",
            "",
        ] {
            assert!(parse(question).is_none(), "{question}");
        }
        let found = parse("What's new since last week?").unwrap();
        assert_eq!((found.days, found.namespace), (days(14, 0), None));
        for (question, expected) in [
            ("what did we settle the day before yesterday", days(2, 2)),
            ("which decisions did we make 3 days ago?", days(3, 3)),
            ("what happened two weeks ago", days(17, 11)),
            ("was haben wir vor einer Woche beschlossen?", days(10, 4)),
            ("what did we do last week?", days(14, 1)),
            ("was haben wir vorgestern gemacht", days(2, 2)),
        ] {
            assert_eq!(parse(question).map(|asked| asked.days), Some(expected), "{question}");
        }
        let found = parse("décidé ce mois-ci ?").unwrap();
        assert_eq!((found.days, found.namespace), (days(31, 0), Some(Namespace::Decisions)));
    }
}
