//! Texts that others wrote and the user only hands over: a mail, a chat, a draft to be worked on. Their "from now on" and
//! "we decided" are nobody's request, whether or not marks of quotation are around them.

use std::borrow::Cow;

use crate::session::extract::{self, Sentence};

use super::clauses::has;
use super::fact_limits::{HANDED_OVER, TEXT_WORK};

/// Maximum number of words of what introduces a text.
const MAX_INTRODUCTION: usize = 10;
/// Maximum number of words before a colon that name who speaks.
const MAX_SPEAKER: usize = 4;
/// Minimum number of words between quotation marks that are somebody's sentence; fewer are a name.
const MIN_QUOTED: usize = 4;
/// The same in characters where words have no spaces between them.
const MIN_QUOTED_UNSPACED: usize = 10;
/// What comes before the name of who says something, before a colon.
const ACCORDING: &[&str] = &["according to ", "laut ", "selon ", "según ", "segundo "];
/// How a letter begins.
const SALUTATIONS: &[&str] = &[
    "dear all",
    "dear team",
    "dear colleague",
    "dear customer",
    "dear client",
    "dear user",
    "dear parent",
    "dear student",
    "dear sir",
    "dear madam",
    "dear mr",
    "dear mrs",
    "dear ms",
    "dear everyone",
    "hi all,",
    "hi everyone",
    "hi team",
    "hello all,",
    "hello everyone",
    "hello team",
    "hallo zusammen",
    "hallo alle",
    "liebe kolleg",
    "liebes team",
    "liebe alle",
    "liebe kund",
    "liebe eltern",
    "liebe nutzer",
    "sehr geehrte",
    "chers collègues",
    "chère cliente",
    "cher client",
    "bonjour à tous",
    "estimado",
    "estimada",
    "hola a todos",
];
/// The first lines of a mail that is pasted whole.
const SUBJECTS: &[&str] = &["subject: ", "betreff: ", "objet : ", "asunto: "];
/// The same where an address follows.
const ADDRESSED: &[&str] = &["from: ", "to: ", "cc: ", "von: ", "an: ", "de : ", "de: "];
/// Who speaks in a pasted conversation, before a colon.
const SPEAKERS: &[&str] = &[
    "user",
    "assistant",
    "system",
    "human",
    "ai",
    "bot",
    "chatbot",
    "agent",
    "q",
    "a",
    "question",
    "answer",
    "interviewer",
    "candidate",
    "frage",
    "antwort",
];
/// What was sent by somebody, before ` from `.
const SENT: &[&str] = &[
    "slack",
    "teams",
    "mail",
    "email",
    "e-mail",
    "message",
    "comment",
    "reply",
    "review",
    "chat",
    "quote",
    "ticket",
    "sms",
    "nachricht",
    "kommentar",
    "antwort",
];
/// Marks of a task in a file, before a colon.
const FILED: &[&str] = &["todo", "fixme", "xxx", "hack"];
/// How an introduction begins.
const INTRODUCING: &[&str] = &[
    "here", "here's", "this", "the", "my", "their", "his", "her", "a", "an", "from", "meeting", "attached",
    "hier", "das", "der", "die", "mein", "meine", "aus",
];
/// Kinds of texts.
const TEXTS: &[&str] = &[
    "readme",
    "abstract",
    "mail",
    "email",
    "letter",
    "text",
    "article",
    "policy",
    "post",
    "tweet",
    "draft",
    "chapter",
    "paragraph",
    "transcript",
    "chat",
    "notes",
    "minutes",
    "doc",
    "docs",
    "handbook",
    "manual",
    "checklist",
    "documentation",
    "guide",
    "wiki",
    "ticket",
    "faq",
    "job ad",
    "story",
    "poem",
    "essay",
    "speech",
    "announcement",
    "newsletter",
    "terms",
    "cv",
    "blog",
    "flyer",
    "brief",
    "artikel",
    "entwurf",
    "protokoll",
    "rede",
    "absatz",
    "doku",
    "vertrag",
];
/// Words before a quotation that make it the user's own, or the name of something.
const OWN: &[&str] = &[
    "remember",
    "merk",
    "merke",
    "rule",
    "regel",
    "note",
    "convention",
    "konvention",
    "decision",
    "name",
    "term",
    "policy",
    "important",
    "wichtig",
    "fyi",
    "memory",
    "i",
    "we",
    "ich",
    "wir",
];

/// Whether a text begins with this sentence that isn't the user's: nothing behind it is.
pub(super) fn begins_text(sentence: &Sentence) -> bool {
    let plain = extract::plain(&sentence.text);
    is_letter(&plain) || is_worked_on(&plain)
}

/// Whether a sentence hands over a text that somebody wrote, with a question or for work on it: `can you check the following
/// policy?`, `here's the README of the library:`. What comes then is the user's only where it says so.
pub(super) fn hands_over(sentence: &Sentence) -> bool {
    let plain = extract::plain(&sentence.text);
    has(&plain, HANDED_OVER) && (sentence.asks || has(&plain, TEXT_WORK)) || introduces(&plain)
}

/// Whether a sentence is what somebody else said, or a task that is filed: `Slack from Tom: …`, `User: …`, `TODO: …`,
/// `Bot: "In this repository, …"`.
pub(super) fn is_of_others(plain: &str) -> bool {
    let Some((label, rest)) = plain.split_once(": ") else { return false };
    let label = label.trim_start_matches(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = label.split_whitespace().collect();
    let first = words.first().copied().unwrap_or_default();
    let is_sent = words.len() <= MAX_SPEAKER
        && SENT.contains(&first)
        && ["from", "by", "von"].iter().any(|word| words.contains(word));
    let quoted = rest.trim_start().strip_prefix(['"', '“', '„', '«']).and_then(|rest| {
        let end = rest.find(['"', '”', '“', '»'])?;
        rest.get(..end)
    });
    let is_quoted = quoted.is_some_and(|quoted| quoted.split_whitespace().count() >= MIN_QUOTED)
        && words.len() <= MAX_SPEAKER
        && !has(label, OWN);
    let is_reported = ACCORDING.iter().any(|begin| label.starts_with(begin))
        && words.len() <= MAX_INTRODUCTION
        && !has(label, OWN);
    SPEAKERS.contains(&label) || FILED.contains(&label) || is_sent || is_quoted || is_reported
}

/// A sentence without the whole sentences that it quotes, unless it says that they are its speaker's: of `change the text to "always
/// free, never any ads"` the order is left.
pub(super) fn without_quotations(plain: &str) -> Cow<'_, str> {
    let mut own = Cow::Borrowed(plain);
    for (at, quotation) in extract::quotations(plain).into_iter().rev() {
        let is_unspaced = quotation.starts_with(['「', '『']);
        let is_sentence = quotation.split_whitespace().count() >= MIN_QUOTED
            || is_unspaced && quotation.chars().count() >= MIN_QUOTED_UNSPACED;
        if is_sentence && !has(plain.get(..at).unwrap_or_default(), OWN) {
            own.to_mut().replace_range(at..at + quotation.len(), "");
        }
    }
    own
}

fn is_letter(plain: &str) -> bool {
    let begins = |all: &[&str]| all.iter().any(|words| plain.starts_with(words));
    begins(SALUTATIONS) || begins(SUBJECTS) || begins(ADDRESSED) && plain.contains('@')
}

/// `summarize this text: …`, `make this sound better: …`: what is behind the colon is to be worked on.
fn is_worked_on(plain: &str) -> bool {
    let Some(order) = introduction(plain) else { return false };
    let leads = ["please", "bitte", "can", "could", "you", "now", "and", "then", "kannst", "du"];
    let verb = order.split_whitespace().find(|word| !leads.contains(word)).unwrap_or_default();
    TEXT_WORK.contains(&verb) || order.starts_with("make this ") || order.starts_with("make it sound ")
}

/// `here's the README of the library:`, `here's my cover letter.`
fn introduces(plain: &str) -> bool {
    let shown = ["here's ", "here is ", "hier ist "].iter().any(|words| plain.starts_with(words))
        && plain.split_whitespace().count() <= MAX_INTRODUCTION;
    let Some(label) = introduction(plain).or_else(|| shown.then_some(plain)) else { return false };
    let first = label.split_whitespace().next().unwrap_or_default();
    INTRODUCING.contains(&first) && has(label, TEXTS)
}

/// The words before the first colon that ends a word.
fn introduction(plain: &str) -> Option<&str> {
    let label = plain.split_once(": ").map(|(label, _)| label).or_else(|| plain.strip_suffix(':'))?;
    (label.split_whitespace().count() <= MAX_INTRODUCTION).then_some(label)
}
