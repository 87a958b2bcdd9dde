//! What is always or never so, as German tells it: a rule for a kind of things (`Beträge werden immer in Cent gespeichert`), or
//! what is seen of something (`die Liste ist immer leer`). English has `is always` for the latter, and it isn't heard at all.

use super::clauses::{after, has};
use super::fact_subjects::WORLD;

/// The verbs whose `immer` and `nie` are heard.
const VERBS: &[&str] = &["ist", "wird", "sind", "werden"];
/// Those of them that are about one thing.
const OF_ONE: &[&str] = &["ist", "wird"];
/// What is before something that is known.
const KNOWN: &[&str] = &["der", "die", "das"];
/// How something is seen to be.
const STATES: &[&str] = &[
    "leer",
    "weg",
    "voll",
    "sichtbar",
    "unsichtbar",
    "erreichbar",
    "verfügbar",
    "grün",
    "gleich",
    "anders",
    "offen",
    "tot",
    "alt",
    "veraltet",
    "unten",
    "oben",
    "links",
    "rechts",
    "da",
];
/// What something is seen to do, or is seen not to.
const DEEDS: &[&str] = &[
    "angezeigt",
    "dargestellt",
    "geladen",
    "gerendert",
    "aufgerufen",
    "ausgeblendet",
    "eingeblendet",
    "verschickt",
    "gesendet",
    "versendet",
    "aktualisiert",
    "ausgeloggt",
    "abgeschnitten",
    "gefunden",
    "ausgeführt",
    "geschlossen",
    "geöffnet",
    "ausgelöst",
    "getriggert",
    "übernommen",
    "abgebrochen",
    "verzerrt",
];
/// What is so against what somebody expects.
const AGAINST: &[&str] = &["obwohl", "trotzdem", "egal", "soll aber", "sollte aber"];
/// The shortest name that a longer one ends with: `hauptbranch`.
const MIN_OF_COMPOUND: usize = 4;

/// Whether what a sign of a rule says, such as `ist immer`, is only seen.
pub(super) fn is_seen(plain: &str, sign: &str) -> bool {
    let verb = sign.split(' ').next().unwrap_or_default();
    if !VERBS.contains(&verb) || sign.split(' ').count() != 2 {
        return false;
    }
    let before = plain.split_once(sign).map_or("", |(before, _)| before);
    let subject: Vec<&str> =
        before.rsplit([',', ';', ':']).next().unwrap_or_default().split_whitespace().collect();
    let rest = after(plain, sign);
    let rest = rest.split([',', ';', '.', '!']).next().unwrap_or_default();
    let words: Vec<&str> = rest.split_whitespace().collect();
    let last = words.last().copied().unwrap_or_default();
    // `ist immer zu setzen`, `ist immer anzugeben`, and not `ist immer zu hoch`
    let is_duty = last.ends_with("en") && (words.contains(&"zu") || last.contains("zu"));
    let noun = subject.last().copied().unwrap_or_default();
    let is_of_world = WORLD
        .iter()
        .any(|name| noun == *name || name.chars().count() >= MIN_OF_COMPOUND && noun.ends_with(name));
    let is_known = subject.first().is_some_and(|first| KNOWN.contains(first));
    // `wird immer langsamer`
    let grows = verb.starts_with('w') && words.len() == 1 && last.ends_with("er");
    let is_seen_at_once =
        STATES.contains(&last) || (is_known || OF_ONE.contains(&verb)) && DEEDS.contains(&last) || grows;
    let is_of_one = OF_ONE.contains(&verb) && is_known && !is_of_world;
    !is_duty && (is_seen_at_once || is_of_one || has(plain, AGAINST))
}

/// The same of whatever a sentence says with one of these verbs.
pub(super) fn tells_seen(plain: &str) -> bool {
    let signs = VERBS.iter().flat_map(|verb| ["immer", "nie"].map(|ever| format!("{verb} {ever}")));
    signs.filter(|sign| has(plain, &[sign.as_str()])).any(|sign| is_seen(plain, &sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen_of_a_thing_is_told_from_a_rule_for_all_of_a_kind() {
        for (text, sign) in [
            ("die liste ist immer leer nach dem login", "ist immer"),
            ("der wert ist immer 0", "ist immer"),
            ("die summe ist immer um einen cent zu hoch", "ist immer"),
            ("der server ist nie erreichbar", "ist nie"),
            ("der build wird immer langsamer", "wird immer"),
            ("die tests sind immer grün, obwohl der code kaputt ist", "sind immer"),
            ("die bilder werden immer verzerrt angezeigt", "werden immer"),
        ] {
            assert!(is_seen(text, sign), "{text}");
        }
        for (text, sign) in [
            ("beträge werden immer in cent gespeichert", "werden immer"),
            ("die ids sind immer uuids", "sind immer"),
            ("die staging-datenbank wird immer sonntags geleert", "wird immer"),
            ("der hauptbranch ist immer main", "ist immer"),
            ("das feld ist immer anzugeben", "ist immer"),
            ("wir immer", "wir immer"),
            ("grundsätzlich", "grundsätzlich"),
        ] {
            assert!(!is_seen(text, sign), "{text}");
        }
    }
}
