//! Excerpts of a text around what was searched. Owns the choice of windows under a byte budget; does not know where the
//! text came from or how it was ranked.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};

use crate::identifiers::split_identifier;

/// Comes between two windows that aren't neighbours.
const GAP: &str = "…\n";
/// Lines longer than this are cut into pieces, so that a window can be small.
const MAX_PIECE: usize = 240;

/// A line, a piece of a long line, or a whole code block.
struct Piece {
    range: Range<usize>,
    score: f64,
}

/// Parts of `text` that contain `terms`, at most `max_bytes` in all, in source order, with `…` where something is left
/// out. A fenced code block that has a match and fits is kept whole. Without a match, the beginning of the text.
///
/// Terms match without case at the beginning of a word, and with their usual English endings taken off, as a
/// stemming index does.
#[must_use]
pub fn snippet(text: &str, terms: &[String], max_bytes: usize) -> String {
    if text.len() <= max_bytes {
        return text.to_owned();
    }
    let mut pieces = pieces(text, max_bytes);
    score(text, &mut pieces, terms);
    if pieces.iter().all(|p| p.score <= 0.0) {
        return head(text, max_bytes);
    }
    let chosen = choose(&pieces, max_bytes);
    if chosen.iter().all(|c| !c) {
        // Not even the best piece fits.
        return head(text, max_bytes);
    }
    render(text, &pieces, &chosen)
}

fn head(text: &str, max_bytes: usize) -> String {
    let window = &text[..text.floor_char_boundary(max_bytes.saturating_sub(GAP.len()))];
    let cut = memchr::memrchr(b'\n', window.as_bytes()).map_or(window, |feed| &window[..=feed]);
    let cut = if cut.len() * 3 < window.len() { window } else { cut };
    if max_bytes < GAP.len() {
        return String::new();
    }
    let glue = if cut.ends_with('\n') || cut.is_empty() { "" } else { " " };
    let out = format!("{cut}{glue}…");
    if out.len() <= max_bytes { out } else { cut.to_owned() }
}

fn pieces(text: &str, max_bytes: usize) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    let mut fence: Option<(usize, &str)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at += line.len();
        let trimmed = line.trim();
        let marker = ["```", "~~~"].into_iter().find(|m| trimmed.starts_with(m));
        match (&fence, marker) {
            (None, Some(marker)) => fence = Some((out.len(), marker)),
            (Some((first, open)), Some(marker))
                if *open == marker && trimmed.trim_start_matches(['`', '~']).is_empty() =>
            {
                let first = *first;
                fence = None;
                let start = out.get(first).map_or(range.start, |p| p.range.start);
                if range.end - start <= max_bytes {
                    out.truncate(first);
                    out.push(Piece { range: start..range.end, score: 0.0 });
                    continue;
                }
            }
            _ => {}
        }
        let mut from = range.start;
        while range.end - from > MAX_PIECE {
            let window = &text[from..text.floor_char_boundary(from + MAX_PIECE)];
            let cut = window.rfind(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '。' | '，'));
            let len = cut
                .filter(|c| *c > MAX_PIECE / 4)
                .map_or(window.len(), |c| c + window[c..].chars().next().map_or(1, char::len_utf8));
            out.push(Piece { range: from..from + len, score: 0.0 });
            from += len;
        }
        if from < range.end {
            out.push(Piece { range: from..range.end, score: 0.0 });
        }
    }
    out
}

/// The forms of a term that count as a match: its light stem, and the words of an identifier.
fn patterns(terms: &[String]) -> (Vec<String>, Vec<usize>) {
    let mut patterns = Vec::new();
    let mut owners = Vec::new();
    for (owner, term) in terms.iter().enumerate() {
        let lower = term.to_lowercase();
        let mut forms = vec![stem(&lower).to_owned()];
        let words: Vec<String> = split_identifier(term).iter().map(|w| w.to_lowercase()).collect();
        if words.len() > 1 {
            forms.extend(words.iter().filter(|w| w.chars().count() > 2).map(|w| stem(w).to_owned()));
        }
        for form in forms {
            if !form.is_empty() {
                patterns.push(form);
                owners.push(owner);
            }
        }
    }
    (patterns, owners)
}

/// `word` without a common English ending; never shorter than four characters.
fn stem(word: &str) -> &str {
    if !word.is_ascii() {
        return word;
    }
    for ending in
        ["ations", "ation", "ings", "ing", "ions", "ion", "ies", "ers", "ed", "er", "es", "ly", "s", "e", "y"]
    {
        if let Some(stem) = word.strip_suffix(ending)
            && stem.len() >= 4
        {
            return stem;
        }
    }
    word
}

fn score(text: &str, pieces: &mut [Piece], terms: &[String]) {
    let (patterns, owners) = patterns(terms);
    let Some(finder) = build(&patterns) else { return };
    let mut hits: Vec<Vec<usize>> = vec![Vec::new(); pieces.len()];
    let mut pieces_with = vec![0usize; terms.len()];
    for (piece, hits) in pieces.iter().zip(&mut hits) {
        let slice = &text[piece.range.clone()];
        for found in finder.find_overlapping_iter(slice) {
            let owner = owners[found.pattern().as_usize()];
            if !hits.contains(&owner) && begins_word(slice, found.start()) {
                hits.push(owner);
                pieces_with[owner] += 1;
            }
        }
    }
    let total = pieces.len();
    for (piece, hits) in pieces.iter_mut().zip(&hits) {
        // A rare term says more than a common one; several terms in one place say most.
        let rarity: f64 = hits.iter().map(|&o| ln_ratio(total, pieces_with[o])).sum();
        piece.score = rarity * (1.0 + 0.5 * small(hits.len().saturating_sub(1)));
    }
}

fn build(patterns: &[String]) -> Option<AhoCorasick> {
    if patterns.is_empty() {
        return None;
    }
    AhoCorasickBuilder::new()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::Standard)
        .build(patterns)
        .ok()
}

fn ln_ratio(total: usize, with: usize) -> f64 {
    (1.0 + small(total) / small(with.max(1))).ln()
}

fn small(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap_or(u32::MAX))
}

/// A match counts at the start of a word, at a hump of camelCase, and anywhere in scripts without spaces.
fn begins_word(text: &str, at: usize) -> bool {
    let (Some(before), Some(first)) = (text[..at].chars().next_back(), text[at..].chars().next()) else {
        return true;
    };
    !before.is_alphanumeric() || !first.is_ascii() || first.is_uppercase() || before.is_numeric()
}

fn choose(pieces: &[Piece], max_bytes: usize) -> Vec<bool> {
    let mut chosen = vec![false; pieces.len()];
    let mut room = max_bytes;
    let mut order: Vec<usize> = (0..pieces.len()).filter(|&i| pieces[i].score > 0.0).collect();
    order.sort_by(|&a, &b| pieces[b].score.total_cmp(&pieces[a].score).then(a.cmp(&b)));
    // A gap may be needed before and after each window; a joined neighbour gives one back, which is left as slack.
    let cost = |i: usize| pieces[i].range.len() + 2 * GAP.len() + 1;
    for &i in &order {
        // Two thirds go to matches, so that they can be read in their surroundings.
        if cost(i) <= room && (room > max_bytes / 3 || chosen.iter().all(|c| !c)) {
            chosen[i] = true;
            room -= cost(i);
        }
    }
    let reach: Vec<usize> = (0..pieces.len()).filter(|&i| chosen[i]).collect();
    for step in 1..=6 {
        let mut grown = false;
        for &i in &reach {
            for (next, towards) in
                [(i.checked_sub(step), i.wrapping_sub(step - 1)), (i.checked_add(step), i + step - 1)]
            {
                // A window grows only from its edge; a gap inside it would cost room that is not counted.
                let Some(next) = next.filter(|n| *n < pieces.len() && chosen[towards]) else { continue };
                if !chosen[next] && pieces[next].range.len() < room {
                    chosen[next] = true;
                    room -= pieces[next].range.len() + 1;
                    grown = true;
                }
            }
        }
        if !grown {
            break;
        }
    }
    chosen
}

fn render(text: &str, pieces: &[Piece], chosen: &[bool]) -> String {
    let mut out = String::new();
    let mut gap = false;
    for (piece, &chosen) in pieces.iter().zip(chosen) {
        if !chosen {
            gap = true;
            continue;
        }
        if gap {
            if !out.is_empty() && !out.ends_with('\n') {
                out.push('\n');
            }
            out.push_str(GAP);
            gap = false;
        }
        out.push_str(&text[piece.range.clone()]);
    }
    if gap {
        if !out.ends_with('\n') {
            out.push('\n');
        }
        out.push('…');
    }
    out
}
