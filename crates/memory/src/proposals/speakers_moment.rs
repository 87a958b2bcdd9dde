//! What users remind an agent of that is their own state or deed, which nobody needs later: `I'm tired today`, `for the record, I
//! warned you`. Their habits and preferences are another matter.

use super::clauses::has;
use super::fact_limits::{MOMENTS, TODAY};
use super::task_bounds::REMINDING;

/// How a clause begins that is about the speaker.
const OF_SPEAKER: &[&str] = &["i ", "i'", "ich ", "je ", "j'"];
/// The same for what the speaker is or has, where `every` and `work` tell no habit: `I have every file open`.
const STATES: &[&str] = &[
    "i have ",
    "i've ",
    "i am ",
    "i'm ",
    "i got ",
    "ich habe ",
    "ich hab ",
    "ich bin ",
    "j'ai ",
    "je suis ",
];
/// The same where German has its verb, at a clause's end.
const STATES_AT_END: &[&str] = &[" habe", " hab", " bin"];
/// Words of habits and preferences.
const ALWAYS: &[&str] =
    &["prefer", "always", "never", "bevorzuge", "immer", "nie", "préfère", "toujours", "jamais"];
/// The same in what the speaker does.
const DONE_OFTEN: &[&str] = &[
    "like", "use", "work", "mag", "nutze", "arbeite", "every", "each", "jede", "jeden", "jedes", "aime",
    "utilise", "chaque",
];
/// Words of what's over soon.
const SOON: &[&str] = &[
    "in a minute",
    "in five minutes",
    "in ten minutes",
    "in an hour",
    "in fünf minuten",
    "in zehn minuten",
    "dans dix minutes",
    "dans une heure",
];

/// Whether what follows the `words` of a request is of the moment.
pub(super) fn is_of_speakers_moment(words: &str, rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', ':', ',']);
    if rest.starts_with("kurz ") || rest.starts_with("for a moment ") || has(rest, SOON) {
        return true;
    }
    let begins = |all: &[&str]| all.iter().any(|own| rest.starts_with(own));
    let is_state = || {
        let clause = rest.split([',', '.', '!', ';']).next().unwrap_or_default();
        begins(STATES) || rest.starts_with("ich ") && STATES_AT_END.iter().any(|end| clause.ends_with(end))
    };
    let prefers = || has(rest, ALWAYS) || has(rest, DONE_OFTEN) && !is_state();
    begins(OF_SPEAKER) && (has(rest, TODAY) || has(rest, MOMENTS) || REMINDING.contains(&words) && !prefers())
}
