//! Tokenises code and queries alike. An identifier yields itself (`useEffect` → `useeffect`) and its parts (`use`, `effect`),
//! each stemmed, so that *routing*, *router* and *routes* are one word. Pure.

use text::split_identifier;

/// Longer runs are data (base64, hashes), not names.
const MAX_RUN_BYTES: usize = 80;

/// Calls `found` with each word of `text`: the stems of all parts of its identifiers, and whole identifiers of
/// more than one part in lower case. `scratch` saves an allocation for each word.
pub(crate) fn words(text: &str, scratch: &mut String, mut found: impl FnMut(&str)) {
    for run in text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')) {
        if run.len() > MAX_RUN_BYTES || run.len() < 2 {
            continue;
        }
        run_words(run, scratch, &mut found);
    }
}

fn run_words(run: &str, scratch: &mut String, found: &mut impl FnMut(&str)) {
    let bytes = run.as_bytes();
    if bytes[0].is_ascii_digit() {
        if is_status(bytes) || is_numbered_name(bytes) {
            whole(run, scratch);
            found(scratch);
        }
        return;
    }
    let simple = bytes.iter().all(u8::is_ascii_lowercase);
    if simple {
        found(stem(run));
        return;
    }
    let mut parts = 0usize;
    for piece in run.split(['_', '$']).filter(|piece| !piece.is_empty()) {
        for part in split_identifier(piece) {
            // `utf8`, `v2` and `i18n` are names as a whole; their digits alone say nothing.
            let digits = part.as_bytes()[0].is_ascii_digit();
            parts += usize::from(digits || part.len() > 1);
            if digits || part.len() < 2 {
                continue;
            }
            lower(part, scratch);
            found(stem(scratch));
        }
    }
    if parts > 1 || bytes.iter().any(u8::is_ascii_digit) {
        whole(run, scratch);
        found(scratch);
    }
}

/// `404`: an HTTP status; other numbers aren't worth a word.
fn is_status(run: &[u8]) -> bool {
    run.len() == 3 && matches!(run[0], b'1'..=b'5') && run.iter().all(u8::is_ascii_digit)
}

/// `2fa`, `7zip`: a name that begins with a number, and not a number with its unit or type, nor a part of a hash.
fn is_numbered_name(run: &[u8]) -> bool {
    const UNITS: &[&[u8]] = &[
        b"bit", b"bits", b"byte", b"bytes", b"cm", b"deg", b"em", b"fr", b"gb", b"hz", b"kb", b"khz", b"ll",
        b"lu", b"mb", b"mhz", b"min", b"mm", b"ms", b"nd", b"ns", b"pt", b"px", b"rd", b"rem", b"sec", b"st",
        b"th", b"ul", b"ull", b"us", b"usize", b"isize", b"vh", b"vw",
    ];
    let digits = run.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if run[0] == b'0' || digits > 2 || !(2..=12).contains(&(run.len() - digits)) {
        return false;
    }
    let name = run[digits..].to_ascii_lowercase();
    let is_hash = run.len() > 3 && name.iter().all(u8::is_ascii_hexdigit);
    name.iter().all(u8::is_ascii_lowercase) && !is_hash && !UNITS.contains(&name.as_slice())
}

/// The single word for a whole identifier of several parts, however it is spelt: `read_file`,
/// `readFile` and `ReadFile` are the same.
pub(crate) fn whole(identifier: &str, out: &mut String) {
    out.clear();
    for c in identifier.chars().filter(|c| c.is_alphanumeric()) {
        out.extend(c.to_lowercase());
    }
}

fn lower(word: &str, out: &mut String) {
    out.clear();
    if word.is_ascii() {
        out.push_str(word);
        out.make_ascii_lowercase();
    } else {
        out.extend(word.chars().flat_map(char::to_lowercase));
    }
}

/// Endings, longest first, with what must be left of the word.
const ENDINGS: &[(&str, usize)] = &[
    ("ments", 4),
    ("ables", 4),
    ("ings", 3),
    ("ment", 4),
    ("able", 4),
    ("ible", 4),
    ("ions", 4),
    ("ing", 3),
    ("ers", 4),
    ("ors", 4),
    ("ies", 4),
    ("ion", 4),
    ("es", 4),
    ("ed", 3),
    ("er", 3),
    ("or", 4),
    ("ly", 4),
    ("s", 3),
    ("e", 3),
    ("y", 4),
];

/// A crude stem: words of one family mostly end up the same, and words of two families mostly don't.
pub(crate) fn stem(word: &str) -> &str {
    if !word.is_ascii() {
        return word;
    }
    let mut out = word;
    for (ending, left) in ENDINGS {
        if let Some(short) = word.strip_suffix(ending)
            && short.len() >= *left
            && !(*ending == "s" && short.ends_with(['s', 'u', 'i']))
        {
            out = short;
            break;
        }
    }
    if out.len() >= 7 && out.ends_with("at") {
        out = &out[..out.len() - 2];
    }
    let bytes = out.as_bytes();
    if out.len() < word.len() && out.len() >= 4 && bytes[out.len() - 1] == bytes[out.len() - 2] {
        let last = bytes[out.len() - 1];
        if !matches!(last, b's' | b'l' | b'z') {
            out = &out[..out.len() - 1];
        }
    }
    out
}

/// Words of questions that say nothing about code.
pub(crate) const STOP_WORDS: &[&str] = &[
    "a",
    "about",
    "across",
    "all",
    "also",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "be",
    "between",
    "both",
    "but",
    "by",
    "can",
    "code",
    "could",
    "declared",
    "defined",
    "do",
    "does",
    "during",
    "each",
    "exactly",
    "find",
    "for",
    "from",
    "get",
    "gets",
    "happen",
    "happens",
    "has",
    "have",
    "how",
    "i",
    "if",
    "implementation",
    "implemented",
    "implements",
    "in",
    "into",
    "is",
    "it",
    "its",
    "like",
    "locate",
    "located",
    "logic",
    "my",
    "of",
    "on",
    "or",
    "our",
    "over",
    "per",
    "please",
    "responsible",
    "should",
    "show",
    "so",
    "such",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "this",
    "through",
    "to",
    "under",
    "up",
    "used",
    "uses",
    "using",
    "via",
    "was",
    "we",
    "what",
    "when",
    "where",
    "whether",
    "which",
    "while",
    "why",
    "will",
    "with",
    "within",
    "work",
    "works",
    "would",
    "you",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_share_a_stem() {
        for family in [
            &["route", "router", "routes", "routing", "routed"][..],
            &["handle", "handler", "handlers", "handling"],
            &["validate", "validation", "validator", "validating"],
            &["serialize", "serializer", "serialization"],
            &["parse", "parser", "parsing"],
            &["map", "mapping", "maps", "mapper"],
            &["format", "formatter", "formatting", "formats"],
            &["configure", "configuration"],
        ] {
            let stems: Vec<&str> = family.iter().map(|w| stem(w)).collect();
            assert!(stems.iter().all(|s| *s == stems[0]), "{family:?} → {stems:?}");
        }
        assert_eq!(stem("process"), stem("processing"));
        assert_ne!(stem("status"), "statu");
    }

    #[test]
    fn identifiers_are_indexed_whole_and_in_parts() {
        let mut found = Vec::new();
        words("fn readFile_now(x2, HTTPServer) 12 _ $", &mut String::new(), |w| found.push(w.to_owned()));
        assert_eq!(found, ["fn", "read", "fil", "now", "readfilenow", "x2", "http", "serv", "httpserver"]);
    }

    #[test]
    fn names_with_digits_are_words() {
        for (name, expected) in [
            ("utf8", "utf utf8"),
            ("v2", "v2"),
            ("parse_utf8", "pars utf parseutf8"),
            ("i32", "i32"),
            ("i18n", "i18n"),
            ("I18n", "i18n"),
            ("k8s", "k8s"),
            ("setup_i18n", "setup setupi18n"),
            ("2x", ""),
            ("2fa", "2fa"),
            ("2FA", "2fa"),
            ("7zip", "7zip"),
            ("404", "404"),
            ("999", ""),
            ("2024", ""),
            ("16px", ""),
            ("1usize", ""),
            ("0xff", ""),
            ("0b11", ""),
            ("1e10", ""),
            ("12ab", ""),
            ("3f2a", ""),
        ] {
            let mut found = Vec::new();
            words(name, &mut String::new(), |w| found.push(w.to_owned()));
            assert_eq!(found.join(" "), expected, "{name}");
        }
    }
}
