//! Putting candidates in order: what bm25 cannot see. A chunk whose title has the words, whose words stand
//! close together, or that holds the query word for word, moves up. Works on text in memory and is pure.

use crate::query::Query;

/// What is known of a candidate before it is ranked.
#[derive(Debug, Clone)]
pub(crate) struct Candidate<'a> {
    /// Relevance from the index, 0 to 1, best 1.
    pub(crate) base: f64,
    pub(crate) title: &'a str,
    pub(crate) text: &'a str,
    pub(crate) code: bool,
}

/// The final score of a candidate; larger is better.
pub(crate) fn score(candidate: &Candidate<'_>, query: &Query) -> f64 {
    let words = query.words();
    if words.is_empty() {
        return candidate.base;
    }
    let stems: Vec<&str> = words.iter().map(|w| stem(w)).collect();
    let title = candidate.title.to_lowercase();
    let text = candidate.text.to_lowercase();
    let n = stems.len() as f64;

    let in_title = stems.iter().filter(|s| title.contains(**s)).count() as f64 / n;
    // The last step of the heading path names the chunk itself; the steps before it name its surroundings.
    let own = title.rsplit(" > ").next().unwrap_or(&title);
    let in_own = stems.iter().filter(|s| own.contains(**s)).count() as f64 / n;
    let title_weight = if candidate.code { 0.35 } else { 0.25 };

    let positions: Vec<Vec<usize>> = stems.iter().map(|s| places(&text, s)).collect();
    let present = positions.iter().filter(|p| !p.is_empty()).count() as f64 / n;
    let near = match span(&positions) {
        Some(bytes) if stems.len() > 1 => 1.0 / (1.0 + bytes as f64 / 120.0),
        _ => 0.0,
    };

    let phrase = exact(query).map_or(0.0, |p| {
        if own.contains(&p) {
            0.6
        } else if text.contains(&p) {
            0.3
        } else {
            0.0
        }
    });
    candidate.base + title_weight * (in_title + in_own) + 0.5 * present + 0.4 * near + phrase
}

/// The whole query in a row, when it is more than one word or an identifier.
fn exact(query: &Query) -> Option<String> {
    let all: Vec<String> = query.parts.iter().map(|p| p.text.to_lowercase()).collect();
    let joined = all.join(" ");
    (joined.len() > 3 && query.words().len() > 1).then_some(joined)
}

/// A crude stem, good enough to see a word in a text: the index itself has the real one.
fn stem(word: &str) -> &str {
    for ending in ["ations", "ation", "ings", "ing", "ies", "es", "ed", "s", "e"] {
        if let Some(short) = word.strip_suffix(ending)
            && short.len() >= 4
        {
            return short;
        }
    }
    word
}

/// At most this many places of a word are looked at.
const MAX_PLACES: usize = 64;

fn places(text: &str, word: &str) -> Vec<usize> {
    text.match_indices(word).take(MAX_PLACES).map(|(i, _)| i).collect()
}

/// The shortest stretch, in bytes, that holds one place of every word that occurs at all.
fn span(positions: &[Vec<usize>]) -> Option<usize> {
    let lists: Vec<&Vec<usize>> = positions.iter().filter(|p| !p.is_empty()).collect();
    if lists.len() < 2 {
        return None;
    }
    let mut at = vec![0usize; lists.len()];
    let mut best: Option<usize> = None;
    loop {
        let mut low = (usize::MAX, 0);
        let mut high = 0;
        for (i, list) in lists.iter().enumerate() {
            let p = list[at[i]];
            if p < low.0 {
                low = (p, i);
            }
            high = high.max(p);
        }
        let width = high - low.0;
        best = Some(best.map_or(width, |b| b.min(width)));
        at[low.1] += 1;
        if at[low.1] == lists[low.1].len() {
            // A word that is missing altogether makes the match looser than any stretch says.
            return best.map(|b| b + 200 * (positions.len() - lists.len()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rated(title: &str, text: &str, query: &str) -> f64 {
        score(&Candidate { base: 0.5, title, text, code: false }, &Query::parse(query))
    }

    #[test]
    fn title_nearness_and_exact_phrase_each_move_a_chunk_up() {
        let far = format!("retry {} policy", "x ".repeat(400));
        assert!(rated("Retry policy", "text", "retry policy") > rated("Other", "text", "retry policy"));
        assert!(rated("t", "a retry of the policy", "retry policy") > rated("t", &far, "retry policy"));
        assert!(
            rated("t", "the retry policy", "retry policy") > rated("t", "policy for retry", "retry policy")
        );
    }

    #[test]
    fn the_shortest_stretch_is_found() {
        assert_eq!(span(&[vec![0, 50], vec![60], vec![55, 500]]), Some(10));
        assert_eq!(span(&[vec![1], vec![]]), None);
        assert_eq!(span(&[vec![1], vec![5], vec![]]), Some(204));
    }
}
