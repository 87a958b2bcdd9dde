//! What must be so, with what happens otherwise, and what nobody lets the speakers do: facts about the project, where a wish alone
//! is a task.

use crate::session::extract;

use super::clauses::has;
use super::fact_subjects::CODE_AND_SCREEN;
use super::limits::{HERE, TASK_SUBJECTS};
use super::practice_signs::POINTING;
use super::signs::{MUSTS, OR_ELSE};

/// Maximum number of words of what the speakers may not do something to.
const MAX_BARRED: usize = 3;

/// What must be and what happens otherwise: `textures have to be square because the console's build breaks`.
pub(super) fn has_to_be(plain: &str) -> bool {
    MUSTS.iter().any(|must| {
        extract::find_words(plain, must).is_some_and(|at| {
            let (before, rest) = plain.split_at(at);
            let speaks = ["i", "you", "we", "ich", "du", "wir"]
                .contains(&before.trim_end().rsplit(' ').next().unwrap_or_default());
            let explained = has(rest, OR_ELSE) || has(rest, &["like in the rest", "like everywhere"]);
            // What code or a screen must do is a task, and so is what must be before the speaker leaves.
            let subject = before.replace("user-facing", "");
            let is_task =
                has(before, CODE_AND_SCREEN) || has(&subject, TASK_SUBJECTS) || has(plain, &["i", "ich"]);
            !before.trim().is_empty() && !speaks && explained && !is_task && !has(before, HERE)
        })
    })
}

/// `Erweiterungen dürfen wir auf dem Hosting nicht installieren`: English has `we're not allowed to` for it.
pub(super) fn is_barred_to_us(text: &str) -> bool {
    let (what, rest) = text.split_once(" dürfen wir ").unwrap_or_default();
    let words: Vec<&str> = what.split_whitespace().collect();
    (1..=MAX_BARRED).contains(&words.len())
        && words.first().is_some_and(|first| !POINTING.contains(first))
        && has(rest, &["nicht", "nie", "nur"])
        && rest.split_whitespace().count() > 2
        && !has(rest, HERE)
}
