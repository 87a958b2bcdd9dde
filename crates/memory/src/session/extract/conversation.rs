//! Lines of a chat that was pasted: `Alice: we never store local time`, `Bob: agreed`. What its speakers say isn't the user's own,
//! though no mark of quotation is around it.

use std::collections::HashMap;

/// Maximum number of words of a speaker's name.
const MAX_NAME: usize = 3;
/// Maximum length of one, in characters.
const MAX_NAME_CHARS: usize = 30;
/// What comes before a colon and names nobody: it announces what the user says.
const ANNOUNCING: &[&str] = &[
    "note",
    "important",
    "rule",
    "decision",
    "convention",
    "reminder",
    "fact",
    "context",
    "background",
    "goal",
    "task",
    "problem",
    "example",
    "remember",
    "warning",
    "careful",
    "gotcha",
    "caveat",
    "always",
    "never",
    "also",
    "please",
    "first",
    "second",
    "then",
    "finally",
    "hinweis",
    "wichtig",
    "regel",
    "entscheidung",
    "konvention",
    "merke",
    "achtung",
    "ziel",
    "aufgabe",
    "beispiel",
    "kontext",
    "hintergrund",
    "außerdem",
    "bitte",
    "immer",
    "nie",
];
/// How somebody begins who answers.
const ANSWERING: &[&str] = &[
    "yes", "yeah", "yep", "yup", "ok", "okay", "sure", "agreed", "deal", "thanks", "thx", "exactly", "lol",
    "hm", "hmm", "ja", "genau", "passt", "stimmt", "klar", "danke", "oui",
];
/// The same where nothing of the same clause follows: `no mocks` is a rule.
const ANSWERING_ALONE: &[&str] =
    &["no", "nope", "right", "true", "fine", "good", "great", "done", "cool", "nein", "gut", "non"];

/// Words of the user's about a chat beside it: `who is right?`
const ABOUT_TALK: &[&str] = &[
    "who",
    "whose",
    "chat",
    "conversation",
    "discussion",
    "transcript",
    "wer",
    "unterhaltung",
    "gespräch",
    "diskussion",
];

/// Which lines are a pasted chat's: several speakers take turns, one answers another, or the user says that it's one.
pub(super) fn are_spoken(lines: &[&str]) -> Vec<bool> {
    let turns: Vec<Option<(&str, &str)>> = lines.iter().map(|line| speaker_and_words(line)).collect();
    let mut times: HashMap<&str, usize> = HashMap::new();
    for (who, _) in turns.iter().flatten() {
        *times.entry(*who).or_default() += 1;
    }
    let is_raised = |who: &str| who.starts_with(char::is_uppercase);
    let speakers = times.iter().filter(|(who, times)| is_raised(who) || **times > 1).count();
    // A list of settings has each of its names once.
    let is_talk = speakers > 1
        && (times.iter().any(|(who, times)| is_raised(who) && *times > 1)
            || turns.iter().flatten().any(|(_, what)| what.ends_with('?'))
            || turns.iter().flatten().skip(1).any(|(_, what)| answers(what))
            || lines.iter().zip(&turns).any(|(line, turn)| turn.is_none() && is_about_talk(line)));
    let speaks = |who: &str| {
        if is_raised(who) { is_talk } else { speakers > 1 && times.get(who).is_some_and(|times| *times > 1) }
    };
    turns.iter().map(|turn| turn.is_some_and(|(who, _)| speaks(who))).collect()
}

/// Who says what, if a line begins as a chat's does: `**Tom Schmidt:** …`, `@alice: …`, `Petra (PM): …`.
fn speaker_and_words(line: &str) -> Option<(&str, &str)> {
    let marks = |c: char| matches!(c, '*' | '@' | '-' | '_' | ' ' | '•');
    let (who, what) = line.trim().split_once(':')?;
    let what = what.trim_start_matches('*');
    let who = who.trim_matches(marks);
    // `Petra (PM)`
    let name = who.split_once(" (").filter(|(_, rest)| rest.ends_with(')')).map_or(who, |(name, _)| name);
    let is_word = |word: &str| {
        word.starts_with(char::is_alphabetic)
            && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '.' | '\'' | '_'))
    };
    let words = name.split_whitespace().count();
    let fits = (1..=MAX_NAME).contains(&words)
        && name.chars().count() <= MAX_NAME_CHARS
        && name.split_whitespace().all(is_word)
        && (words == 1 || name.split_whitespace().all(|word| word.starts_with(char::is_uppercase)));
    let announces = || {
        let name = name.to_lowercase();
        name.split_whitespace().any(|word| ANNOUNCING.contains(&word))
    };
    (fits && what.starts_with(char::is_whitespace) && !what.trim().is_empty() && !announces())
        .then(|| (name, what.trim()))
}

fn is_about_talk(line: &str) -> bool {
    let mut words = line.split(|c: char| !c.is_alphanumeric());
    words.any(|word| ABOUT_TALK.contains(&word.to_lowercase().as_str()))
}

fn answers(what: &str) -> bool {
    let rest = what.trim_start_matches(char::is_alphabetic);
    let first = what[..what.len() - rest.len()].to_lowercase();
    let ends = rest.is_empty() || rest.starts_with([',', '.', '!', ';']);
    ANSWERING.contains(&first.as_str()) || ends && ANSWERING_ALONE.contains(&first.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speakers_who_take_turns_or_answer_are_told_from_labels() {
        for (text, expected) in [
            ("Alice: we should always use UTC\nBob: yes and never local time\nAlice: deal", "xxx"),
            ("Alice: we always use UTC\nBob: agreed\n\nbuild that please", "xx.."),
            ("Max: hast du das Ticket gesehen?\nLena: wir nehmen immer den ersten Treffer", "xx"),
            ("**Tom Schmidt:** never on Fridays\n**Ana (PM):** ok", "xx"),
            ("alice: never on Fridays\nbob: why\nalice: it hurts\nbob: ok", "xxxx"),
            ("Alice: we chose Go\nBob: we never use Go\n\nwho is right?", "xx.."),
            // Labels of the user's own.
            ("Tests: always with pytest\nCommits: never in German", ".."),
            ("Tests: with pytest\nDatabase: no mocks", ".."),
            ("Note: prices are net\nImportant: never round\nNote: yes, really", "..."),
            ("Backend: Rust\nFrontend: Svelte", ".."),
            ("Error: it fails\nhow do I fix it?", ".."),
            ("From now on: tabs", "."),
            ("Ärger:\nÜber: ", ".."),
            ("", ""),
        ] {
            let lines: Vec<&str> = text.lines().collect();
            let marks: String =
                are_spoken(&lines).into_iter().map(|is_spoken| if is_spoken { 'x' } else { '.' }).collect();
            assert_eq!(marks, expected, "{text}");
        }
    }
}
