//! The pieces that a model has numbers for, and how a word is taken apart into them.

use std::collections::HashMap;

use super::Token;
use super::file::{Merges, Model, Vocab};

/// A longer word is nobody's.
const MOST_SIGNS: usize = 100;
/// What a sign without a piece costs, beside the worst piece.
const UNKNOWN: f64 = 10.0;

/// The pieces, by the way that words are taken apart.
#[derive(Debug)]
pub(super) enum Pieces {
    /// The longest piece first; what goes on inside a word has a sign before it.
    Word { ids: HashMap<String, usize>, inside: String, unknown: Option<usize> },
    /// The likeliest pieces.
    Likely { ids: HashMap<String, (usize, f64)>, unknown: Option<usize>, worst: f64, longest: usize },
    /// Signs that are merged by pairs, the earliest pair of the list first.
    Merged { ids: HashMap<String, usize>, ranks: HashMap<(usize, usize), (usize, usize)> },
}

impl Pieces {
    /// Reads the model of a file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn read(about: Model) -> Result<Self, String> {
        match about.kind.as_deref().unwrap_or("WordPiece") {
            "WordPiece" => {
                let ids = ids(about.vocab)?;
                let unknown = about.unk_token.and_then(|word| ids.get(&word).copied());
                let inside = about.continuing_subword_prefix.unwrap_or_else(|| "##".to_owned());
                Ok(Self::Word { ids, inside, unknown })
            }
            "Unigram" => unigram(about.vocab, about.unk_id),
            "BPE" => merged(ids(about.vocab)?, about.merges),
            other => Err(format!("its model {other} isn't supported; WordPiece, Unigram and BPE are")),
        }
    }

    /// One more than the largest number.
    pub(super) fn len(&self) -> usize {
        let largest = match self {
            Self::Word { ids, .. } | Self::Merged { ids, .. } => ids.values().copied().max(),
            Self::Likely { ids, .. } => ids.values().map(|(id, _)| *id).max(),
        };
        largest.map_or(0, |largest| largest + 1)
    }

    /// Adds the pieces of a word that have numbers; whether nothing of the word was left out.
    pub(super) fn of(&self, word: &str, out: &mut Vec<Token>) -> bool {
        if word.chars().nth(MOST_SIGNS).is_some() {
            return false;
        }
        let token = |id| Token { id, whole: false };
        match self {
            Self::Word { ids, inside, unknown } => {
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
            Self::Likely { ids, unknown, worst, longest } => {
                let pieces = likeliest(word, ids, *worst - UNKNOWN, *longest);
                let known = |id: &Option<usize>| id.is_some() && *id != *unknown;
                let complete = pieces.iter().all(known);
                out.extend(pieces.into_iter().filter(known).flatten().map(token));
                complete
            }
            Self::Merged { ids, ranks } => {
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

fn unigram(vocab: Option<Vocab>, unknown: Option<usize>) -> Result<Pieces, String> {
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
    // No longer piece fits into a word that is taken apart.
    Ok(Pieces::Likely { ids, unknown, worst, longest: longest.min(MOST_SIGNS) })
}

fn merged(ids: HashMap<String, usize>, merges: Option<Merges>) -> Result<Pieces, String> {
    let mut ranks = HashMap::new();
    let Merges(merges) = merges.ok_or("its merges are missing")?;
    for (rank, (a, b)) in merges.iter().enumerate() {
        let merge = || Some(((*ids.get(a)?, *ids.get(b)?), (rank, *ids.get(&format!("{a}{b}"))?)));
        let (pair, to) =
            merge().ok_or_else(|| format!("its merges name a piece at {rank} that isn't there"))?;
        ranks.entry(pair).or_insert(to);
    }
    Ok(Pieces::Merged { ids, ranks })
}

/// The numbers of the likeliest way through a word, `None` for a sign without a piece.
fn likeliest(
    word: &str,
    ids: &HashMap<String, (usize, f64)>,
    unknown: f64,
    longest: usize,
) -> Vec<Option<usize>> {
    let ends: Vec<usize> = word.char_indices().map(|(at, _)| at).chain([word.len()]).collect();
    // The best score up to each sign, from where, by which piece.
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
