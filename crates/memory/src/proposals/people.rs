//! Who does what in a project: `Tomás is the tech lead of the mobile app`, `für die Firmware ist Tobias zuständig`, `ask Paul
//! before changing anything in the billing module`.

use super::facts;
use super::practice_signs::{POINTING, ROLES};
use super::standing_signs::NO_ROLE;

/// Maximum number of words of what somebody is responsible for.
const MAX_SUBJECT: usize = 4;

/// Whether words may be a person's name: `Lea Brandt`, and not `sick today`.
pub(super) fn is_person(what: &str) -> bool {
    let words: Vec<&str> = what.split_whitespace().collect();
    let is_part = |word: &&str| word.chars().all(|c| c.is_alphabetic() || c == '-' || c == '.');
    (1..=3).contains(&words.len())
        && words.iter().all(is_part)
        && words.iter().all(|word| !NO_ROLE.contains(word) && !POINTING.contains(word))
}

/// `Tomás is the tech lead of the mobile app`, `für die Firmware ist Tobias zuständig`.
pub(super) fn has_role(text: &str) -> bool {
    let leads = text.split_once(" is the ").is_some_and(|(who, role)| {
        let is_role = ROLES.iter().any(|name| {
            let rest = role.strip_prefix(name).unwrap_or_default();
            rest.starts_with(" of ") || rest.starts_with(" for ")
        });
        who.split_whitespace().count() <= 2 && is_person(who) && is_role
    });
    let competent = || {
        let ends = [" zuständig", " verantwortlich", " ansprechpartner", " ansprechpartnerin"];
        let rest = ends.iter().find_map(|end| facts::main_clause(text).strip_suffix(end))?;
        let (what, who) = rest.strip_prefix("für ")?.split_once(" ist ")?;
        Some((1..=MAX_SUBJECT).contains(&what.split_whitespace().count()) && is_person(who))
    };
    leads || competent() == Some(true)
}

/// `ask Paul before changing anything in the billing module`.
pub(super) fn names_asked(text: &str) -> bool {
    let asked = text.strip_prefix("ask ").and_then(|rest| {
        let ends = [" before ", " for anything ", " about anything ", " for everything "];
        ends.iter().find_map(|words| rest.split_once(words))
    });
    asked.is_some_and(|(who, what)| {
        is_person(who)
            && !["me", "us", "again", "first", "user", "users"].contains(&who)
            && !who.starts_with("for ")
            && what.split_whitespace().count() >= 2
            && !facts::is_here(what)
    })
}
