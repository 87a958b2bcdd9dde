//! Orders candidates by what bm25 can't see: a chunk moves up if its title has the words, if the words are close together,
//! or if it contains the query literally. Pure; works on text in memory.

use crate::query::Query;

/// A candidate before ranking.
#[derive(Debug, Clone)]
pub struct Candidate<'a> {
    /// Relevance from the index, 0 to 1, best 1.
    pub base: f64,
    /// The heading path, or empty.
    pub title: &'a str,
    /// The whole text.
    pub text: &'a str,
    /// Whether the text is code.
    pub code: bool,
}

/// A query prepared for rating many candidates.
pub struct Ranker {
    stems: Vec<String>,
    /// The whole query as a phrase, if it is more than one word or an identifier.
    phrase: Option<String>,
}

impl Ranker {
    /// Prepares `query`.
    pub fn new(query: &Query) -> Ranker {
        let words = query.words();
        let row: Vec<String> = query.parts.iter().map(|p| p.text.to_lowercase()).collect();
        let row = row.join(" ");
        let phrase = (row.len() > 3 && words.len() > 1).then_some(row);
        Ranker { stems: words.iter().map(|w| stem(w).to_owned()).collect(), phrase }
    }

    /// The final score of a candidate; larger is better.
    pub fn score(&self, candidate: &Candidate<'_>) -> f64 {
        if self.stems.is_empty() {
            return candidate.base;
        }
        let title = lowered(candidate.title);
        let text = lowered(candidate.text);
        let n = self.stems.len() as f64;
        let share = |text: &str| self.stems.iter().filter(|s| text.contains(s.as_str())).count() as f64 / n;

        // The heading path's last step names the chunk; the steps before it name its surroundings.
        let own = title.rsplit(" > ").next().unwrap_or(&title);
        let title_weight = if candidate.code { 0.35 } else { 0.25 };

        let positions: Vec<Vec<usize>> = self.stems.iter().map(|s| places(&text, s)).collect();
        let present = positions.iter().filter(|p| !p.is_empty()).count() as f64 / n;
        let near = match span(&positions) {
            Some(bytes) if self.stems.len() > 1 => 1.0 / (1.0 + bytes as f64 / 120.0),
            _ => 0.0,
        };
        let phrase = match &self.phrase {
            Some(phrase) if own.contains(phrase.as_str()) => 0.6,
            Some(phrase) if text.contains(phrase.as_str()) => 0.3,
            _ => 0.0,
        };
        candidate.base + title_weight * (share(&title) + share(own)) + 0.5 * present + 0.4 * near + phrase
    }
}

/// Lower-cases a text. Most text is ASCII, which is ten times as fast.
fn lowered(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.to_lowercase() }
}

/// A crude stem, good enough to find a word in a text; the index has the real one.
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

/// How many positions of a word are checked.
const MAX_PLACES: usize = 64;

fn places(text: &str, word: &str) -> Vec<usize> {
    text.match_indices(word).take(MAX_PLACES).map(|(i, _)| i).collect()
}

/// The shortest stretch, in bytes, with one position of every word that occurs at all.
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
            // A missing word makes the match looser than any stretch.
            return best.map(|b| b + 200 * (positions.len() - lists.len()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rated(title: &str, text: &str, query: &str) -> f64 {
        Ranker::new(&Query::parse(query)).score(&Candidate { base: 0.5, title, text, code: false })
    }

    #[test]
    fn title_proximity_and_exact_phrase_each_rank_a_chunk_higher() {
        let far = format!("retry {} policy", "x ".repeat(400));
        assert!(rated("Retry policy", "text", "retry policy") > rated("Other", "text", "retry policy"));
        assert!(rated("t", "a retry of the policy", "retry policy") > rated("t", &far, "retry policy"));
        assert!(
            rated("t", "the retry policy", "retry policy") > rated("t", "policy for retry", "retry policy")
        );
    }

    #[test]
    fn the_shortest_span_is_found() {
        assert_eq!(span(&[vec![0, 50], vec![60], vec![55, 500]]), Some(10));
        assert_eq!(span(&[vec![1], vec![]]), None);
        assert_eq!(span(&[vec![1], vec![5], vec![]]), Some(204));
    }
}
