//! Splits a word into a model's tokens.

use std::collections::HashMap;

use super::Token;
use super::definition::{Merges, Model, Vocab};

/// Maximum length of a word, in characters.
const MAX_WORD_CHARS: usize = 100;
/// The cost of a character without a token, on top of the worst token's.
const UNKNOWN_COST: f64 = 10.0;

/// The tokens, by the algorithm that splits words.
#[derive(Debug)]
pub(super) enum SubwordModel {
    /// WordPiece: the longest token first; tokens inside a word have a prefix.
    WordPiece { ids: HashMap<String, usize>, inside: String, unknown: Option<usize> },
    /// Unigram: the most likely tokens.
    Unigram { ids: HashMap<String, (usize, f64)>, unknown: Option<usize>, worst: f64, longest: usize },
    /// BPE: characters merged in pairs, the earliest pair of the list first.
    Bpe { ids: HashMap<String, usize>, ranks: HashMap<(usize, usize), (usize, usize)> },
}

impl SubwordModel {
    /// Reads the model of a file.
    ///
    /// # Errors
    /// A description of the problem.
    pub(super) fn read(about: Model) -> Result<Self, String> {
        match about.kind.as_deref().unwrap_or("WordPiece") {
            "WordPiece" => {
                let ids = ids(about.vocab)?;
                let unknown = about.unk_token.and_then(|word| ids.get(&word).copied());
                let inside = about.continuing_subword_prefix.unwrap_or_else(|| "##".to_owned());
                Ok(Self::WordPiece { ids, inside, unknown })
            }
            "Unigram" => unigram(about.vocab, about.unk_id),
            "BPE" => merged(ids(about.vocab)?, about.merges),
            other => Err(format!("its model {other} isn't supported; WordPiece, Unigram and BPE are")),
        }
    }

    /// The largest id plus one.
    pub(super) fn len(&self) -> usize {
        let largest = match self {
            Self::WordPiece { ids, .. } | Self::Bpe { ids, .. } => ids.values().copied().max(),
            Self::Unigram { ids, .. } => ids.values().map(|(id, _)| *id).max(),
        };
        largest.map_or(0, |largest| largest + 1)
    }

    /// Appends a word's tokens; returns whether they cover the whole word.
    pub(super) fn of(&self, word: &str, out: &mut Vec<Token>) -> bool {
        if word.chars().nth(MAX_WORD_CHARS).is_some() {
            return false;
        }
        let token = |id| Token { id, whole: false };
        match self {
            Self::WordPiece { ids, inside, unknown } => {
                let from = out.len();
                let mut rest = word;
                while !rest.is_empty() {
                    let found = rest.char_indices().map(|(at, c)| at + c.len_utf8()).rev().find_map(|end| {
                        let piece = &rest[..end];
                        let id = if rest.len() == word.len() {
                            ids.get(piece).copied()
                        } else {
                            ids.get(&format!("{inside}{piece}")).copied()
                        };
                        id.map(|id| (id, end))
                    });
                    let Some((id, end)) = found.filter(|(id, _)| Some(*id) != *unknown) else {
                        out.truncate(from);
                        return false;
                    };
                    out.push(token(id));
                    rest = &rest[end..];
                }
                true
            }
            Self::Unigram { ids, unknown, worst, longest } => {
                let pieces = most_likely_path(word, ids, *worst - UNKNOWN_COST, *longest);
                let known = |id: &Option<usize>| id.is_some() && *id != *unknown;
                let complete = pieces.iter().all(known);
                out.extend(pieces.into_iter().filter(known).flatten().map(token));
                complete
            }
            Self::Bpe { ids, ranks } => {
                let mut all: Vec<usize> = Vec::new();
                let mut complete = true;
                for c in word.chars() {
                    let mut sign = [0; 4];
                    let sign: &str = c.encode_utf8(&mut sign);
                    match ids.get(sign) {
                        Some(id) => all.push(*id),
                        None => {
                            complete = false;
                            all.extend(sign.bytes().filter_map(|byte| ids.get(&format!("<0x{byte:02X}>"))));
                        }
                    }
                }
                while let Some((at, (_, new))) = all
                    .windows(2)
                    .enumerate()
                    .filter_map(|(at, pair)| ranks.get(&(pair[0], pair[1])).map(|rank| (at, *rank)))
                    .min_by_key(|(at, (rank, _))| (*rank, *at))
                {
                    all[at] = new;
                    all.remove(at + 1);
                }
                out.extend(all.into_iter().map(token));
                complete
            }
        }
    }
}

fn ids(vocab: Option<Vocab>) -> Result<HashMap<String, usize>, String> {
    match vocab {
        Some(Vocab::Numbers(ids)) if !ids.is_empty() => Ok(ids),
        _ => Err("its vocab is missing".into()),
    }
}

fn unigram(vocab: Option<Vocab>, unknown: Option<usize>) -> Result<SubwordModel, String> {
    let Some(Vocab::Scores(all)) = vocab.filter(|all| !matches!(all, Vocab::Scores(all) if all.is_empty()))
    else {
        return Err("its vocab is missing".into());
    };
    let mut ids = HashMap::new();
    let (mut worst, mut longest) = (0.0_f64, 1);
    for (id, (word, score)) in all.into_iter().enumerate() {
        worst = worst.min(score);
        longest = longest.max(word.chars().count());
        ids.insert(word, (id, score));
    }
    // No longer token fits into a word that is split.
    Ok(SubwordModel::Unigram { ids, unknown, worst, longest: longest.min(MAX_WORD_CHARS) })
}

fn merged(ids: HashMap<String, usize>, merges: Option<Merges>) -> Result<SubwordModel, String> {
    let mut ranks = HashMap::new();
    let Merges(merges) = merges.ok_or("its merges are missing")?;
    for (rank, (a, b)) in merges.iter().enumerate() {
        let merge = || Some(((*ids.get(a)?, *ids.get(b)?), (rank, *ids.get(&format!("{a}{b}"))?)));
        let (pair, to) =
            merge().ok_or_else(|| format!("its merges name a piece at {rank} that isn't there"))?;
        ranks.entry(pair).or_insert(to);
    }
    Ok(SubwordModel::Bpe { ids, ranks })
}

/// The ids on the most likely path through a word, `None` for a character without a token.
fn most_likely_path(
    word: &str,
    ids: &HashMap<String, (usize, f64)>,
    unknown: f64,
    longest: usize,
) -> Vec<Option<usize>> {
    let ends: Vec<usize> = word.char_indices().map(|(at, _)| at).chain([word.len()]).collect();
    // For each position: the best score, the previous position, the token between.
    let mut best: Vec<(f64, usize, Option<usize>)> = vec![(f64::NEG_INFINITY, 0, None); ends.len()];
    best[0].0 = 0.0;
    for to in 1..ends.len() {
        for from in to.saturating_sub(longest)..to {
            let (score, id) = match ids.get(&word[ends[from]..ends[to]]) {
                Some((id, score)) => (*score, Some(*id)),
                None if to - from == 1 => (unknown, None),
                None => continue,
            };
            if best[from].0 + score > best[to].0 {
                best[to] = (best[from].0 + score, from, id);
            }
        }
    }
    let mut out = Vec::new();
    let mut at = ends.len() - 1;
    while at > 0 {
        out.push(best[at].2);
        at = best[at].1;
    }
    out.reverse();
    out
}
