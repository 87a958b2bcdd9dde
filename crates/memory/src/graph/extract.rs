//! Extracts entities and relations from a text by rules. Uncertain matches get a low confidence; nothing is guessed.

use std::ops::Range;

use super::entity::{EntityKind, folded};
use super::extracted::{Extracted, FoundEntity};
use super::relation_cues::relate;
use super::technologies::technology;

/// The rest of a longer text is ignored.
const MAX_BYTES: usize = 20_000;
/// Maximum number of entities: a text with more isn't about something.
const MAX_ENTITIES: usize = 60;
/// Maximum length of a name.
pub const MAX_NAME_BYTES: usize = 200;

/// Extracts entities and relations from a text.
pub fn extract(text: &str) -> Extracted {
    let text = &text[..text.floor_char_boundary(MAX_BYTES)];
    let mut out = Extracted::default();
    for sentence in sentences(text) {
        let mut spans: Vec<(Range<usize>, usize)> = Vec::new();
        for (span, found) in entities(sentence) {
            let at = place(&mut out, found);
            if let Some(at) = at {
                spans.push((span, at));
            }
        }
        relate(sentence, &spans, &mut out);
    }
    out
}

/// The entity's index in the list; a new one is added. What is too long is data, such as an encoded picture.
fn place(out: &mut Extracted, found: FoundEntity) -> Option<usize> {
    if found.name.len() > MAX_NAME_BYTES {
        return None;
    }
    let key = folded(&found.name);
    if let Some(at) = out.entities.iter().position(|known| folded(&known.name) == key) {
        let known = &mut out.entities[at];
        if found.confidence > known.confidence {
            *known = found;
        }
        return Some(at);
    }
    (out.entities.len() < MAX_ENTITIES).then(|| {
        out.entities.push(found);
        out.entities.len() - 1
    })
}

/// The sentences of a text. A dot ends one only before white space, so that `src/main.rs` stays whole.
fn sentences(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let ends = match c {
            '\n' | '。' | '！' | '？' => true,
            '.' | '!' | '?' | ';' => chars.peek().is_none_or(|(_, next)| next.is_whitespace()),
            _ => false,
        };
        if ends {
            out.push(&text[start..at]);
            start = at + c.len_utf8();
        }
    }
    out.push(&text[start..]);
    out.retain(|sentence| !sentence.trim().is_empty());
    out
}

/// A word of a sentence with its position, without surrounding punctuation.
struct Word<'a> {
    text: &'a str,
    span: Range<usize>,
    /// Whether a comma, a bracket or the like follows, which ends a name.
    ends: bool,
}

fn words(sentence: &str) -> Vec<Word<'_>> {
    let mut out = Vec::new();
    for piece in sentence.split_whitespace() {
        let begin = piece.as_ptr() as usize - sentence.as_ptr() as usize;
        let inner = piece
            .trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '#' | '+' | '@' | '/' | '.' | '_'));
        let inner = inner
            .trim_end_matches(['.', '/'])
            .strip_suffix("'s")
            .unwrap_or(inner.trim_end_matches(['.', '/']));
        if inner.is_empty() {
            continue;
        }
        let from = begin + (inner.as_ptr() as usize - piece.as_ptr() as usize);
        let span = from..from + inner.len();
        let ends =
            sentence[span.end..begin + piece.len()].chars().any(|c| matches!(c, ',' | ')' | ':' | '"' | '`'));
        out.push(Word { text: inner, span, ends });
    }
    out
}

/// Words that mark the name before them as an organisation.
const OF_ORGANIZATIONS: &[&str] =
    &["Inc", "Corp", "Ltd", "LLC", "GmbH", "AG", "Labs", "University", "Foundation", "Institute", "Company"];
/// Words that mark the name before them as a technology.
const OF_TECHNOLOGIES: &[&str] =
    &["API", "SDK", "CLI", "Framework", "Library", "Server", "Database", "Protocol", "Engine"];
/// Words that follow a person's name at the beginning of a sentence.
const AFTER_PERSONS: &[&str] = &[
    "from",
    "works",
    "worked",
    "said",
    "says",
    "wrote",
    "writes",
    "built",
    "builds",
    "uses",
    "used",
    "created",
    "creates",
    "owns",
    "prefers",
    "decided",
    "chose",
    "joined",
    "maintains",
    "leads",
    "reviewed",
    "reviews",
    "wants",
    "asked",
    "suggested",
    "fixed",
    "implemented",
    "implements",
    "designed",
];
/// Words before a person's name.
const BEFORE_PERSONS: &[&str] = &["by", "ask", "asked", "told", "with", "from", "and"];

fn entities(sentence: &str) -> Vec<(Range<usize>, FoundEntity)> {
    let words = words(sentence);
    let mut out: Vec<(Range<usize>, FoundEntity)> = Vec::new();
    let mut i = 0;
    while i < words.len() {
        let found = file(&words, i)
            .or_else(|| technical(&words, i))
            .or_else(|| handle(&words, i))
            .or_else(|| capitalised_name(sentence, &words, i, out.last()));
        match found {
            Some((count, found)) => {
                out.push((words[i].span.start..words[i + count - 1].span.end, found));
                i += count;
            }
            None => i += 1,
        }
    }
    out
}

type Some1 = Option<(usize, FoundEntity)>;

fn found(count: usize, name: &str, kind: EntityKind, confidence: f64) -> Some1 {
    Some((count, FoundEntity { name: name.to_owned(), kind, confidence }))
}

/// A path, or a name with a file extension.
fn file(words: &[Word<'_>], i: usize) -> Some1 {
    let text = words[i].text;
    if text.contains("://") || text.starts_with(['@', '/']) && !text[1..].contains('/') {
        return None;
    }
    let name = text.rsplit('/').next()?;
    let (stem, ending) = name.rsplit_once('.')?;
    let plain =
        |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'));
    let known = ENDINGS.contains(&ending);
    let is = plain(text) && !stem.is_empty() && known && technology(text).is_none();
    if is { found(1, text, EntityKind::File, 0.9) } else { None }
}

/// Common file extensions.
const ENDINGS: &[&str] = &[
    "rs", "py", "js", "ts", "tsx", "jsx", "go", "java", "kt", "rb", "php", "c", "h", "cpp", "hpp", "cs",
    "swift", "md", "toml", "yaml", "yml", "json", "sql", "sh", "html", "css", "svelte", "vue", "txt", "lock",
    "proto", "xml", "ini", "cfg", "conf", "env", "tf", "ex",
];

fn technical(words: &[Word<'_>], i: usize) -> Some1 {
    for count in [3, 2, 1] {
        let Some(some) = words.get(i..i + count) else { continue };
        if some[..count - 1].iter().any(|word| word.ends) {
            continue;
        }
        let name = some.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
        if let Some(written) = technology(&name) {
            // Two lower-case letters sometimes mean something else.
            let sure = if name.len() <= 2 && name == name.to_lowercase() { 0.7 } else { 0.9 };
            return found(count, written, EntityKind::Technology, sure);
        }
    }
    None
}

fn handle(words: &[Word<'_>], i: usize) -> Some1 {
    let name = words[i].text.strip_prefix('@')?;
    let plain = name.len() > 1 && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if plain { found(1, name, EntityKind::Person, 0.7) } else { None }
}

/// A name recognised by its capitals and its context.
fn capitalised_name(
    sentence: &str,
    words: &[Word<'_>],
    i: usize,
    before: Option<&(Range<usize>, FoundEntity)>,
) -> Some1 {
    if !capital(words[i].text) || i == 0 && OPENING.contains(&words[i].text.to_lowercase().as_str()) {
        return None;
    }
    let mut count = 1;
    while count < 4
        && !words[i + count - 1].ends
        && words.get(i + count).is_some_and(|word| capital(word.text))
    {
        count += 1;
    }
    let name = words[i..i + count].iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
    let last = words[i + count - 1].text;
    let small = |at: Option<&Word<'_>>| at.map(|word| word.text.to_lowercase()).unwrap_or_default();
    let next = small(words.get(i + count).filter(|_| !words[i + count - 1].ends));
    let previous = small(i.checked_sub(1).and_then(|at| words.get(at)));
    if count > 1 && OF_ORGANIZATIONS.contains(&last) {
        return found(count, &name, EntityKind::Organization, 0.85);
    }
    if count > 1 && OF_TECHNOLOGIES.contains(&last) {
        return found(count, &name, EntityKind::Technology, 0.75);
    }
    // `Alice from Anthropic`, `Bob works at Acme`.
    let person_before = before.is_some_and(|(span, one)| {
        let between = sentence[span.end..words[i].span.start].trim().to_lowercase();
        one.kind == EntityKind::Person
            && matches!(between.as_str(), "from" | "of" | "at" | "works at" | "works for" | "joined")
    });
    if person_before
        || matches!(previous.as_str(), "at")
            && small(i.checked_sub(2).and_then(|at| words.get(at))).starts_with("work")
    {
        return found(count, &name, EntityKind::Organization, 0.8);
    }
    let letters = name.chars().all(|c| c.is_alphabetic() || c == ' ' || c == '-');
    let shouted = name.chars().filter(|c| c.is_alphabetic()).all(char::is_uppercase);
    if letters && !shouted && count <= 2 && !camel(&name) {
        if AFTER_PERSONS.contains(&next.as_str()) && !EVERYDAY.contains(&name.to_lowercase().as_str()) {
            return found(count, &name, EntityKind::Person, 0.8);
        }
        if i > 0
            && BEFORE_PERSONS.contains(&previous.as_str())
            && before.is_some_and(|(_, one)| one.kind == EntityKind::Person)
        {
            return found(count, &name, EntityKind::Person, 0.7);
        }
    }
    // Inside a sentence a capital marks a name; at the beginning only an unusual one does.
    if camel(words[i].text) && count == 1 && !shouted {
        return found(1, &name, EntityKind::Concept, 0.65);
    }
    if i > 0 && count > 1 {
        return found(count, &name, EntityKind::Concept, 0.6);
    }
    None
}

/// Words that begin sentences but not names.
const OPENING: &[&str] = &[
    "the", "a", "an", "our", "my", "their", "his", "her", "its", "this", "that", "these", "those", "every",
    "each", "all", "no", "both", "use", "using", "see", "ask", "as", "in", "on", "at", "for", "from", "with",
    "and", "but", "so", "to", "by", "if", "when", "while", "because", "since", "after", "before", "until",
    "run", "keep", "let", "put", "set", "add", "make", "move", "call", "check",
];
/// Words that begin sentences and aren't names.
const EVERYDAY: &[&str] = &[
    "it",
    "he",
    "she",
    "they",
    "we",
    "i",
    "you",
    "this",
    "that",
    "everything",
    "everybody",
    "everyone",
    "nobody",
    "who",
    "what",
    "which",
    "there",
    "code",
    "backend",
    "frontend",
    "server",
    "client",
    "team",
    "service",
    "app",
    "api",
    "ci",
    "config",
    "data",
    "user",
    "users",
    "admin",
    "test",
    "tests",
    "deploy",
    "build",
    "release",
    "always",
    "never",
    "the",
];

fn capital(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
}

/// A capital inside a word: `PgBouncer`, `parseConfig`.
fn camel(word: &str) -> bool {
    let mut before = ' ';
    for c in word.chars() {
        if c.is_uppercase() && before.is_lowercase() {
            return true;
        }
        before = c;
    }
    false
}
