//! Keeps a reply within its byte budget: cuts titles and labels, shortens snippets.

use super::{Hit, MAX_LABEL_BYTES, QueryReply};
use crate::budget::share_groups;

/// The longest snippet, whatever the budget.
const MAX_SNIPPET_BYTES: usize = 1_500;
/// The longest title in replies.
const MAX_TITLE_BYTES: usize = 160;

/// Writes the snippets so that the whole reply stays within `budget`.
pub(super) fn fit(replies: &mut [QueryReply], texts: &[Vec<String>], words: &[Vec<String>], budget: usize) {
    for reply in replies.iter_mut() {
        for hit in &mut reply.hits {
            // Both are printed inside one of Plimsoll's lines, but come from outside: a page's text, a file's name.
            hit.title = text::one_line(&hit.title).into_owned();
            hit.source = text::one_line(&hit.source).into_owned();
            shorten_to(&mut hit.title, MAX_TITLE_BYTES);
            shorten_to(&mut hit.source, MAX_LABEL_BYTES);
        }
    }
    // Heads first. If even they don't fit, titles and labels shrink, then the later hits are dropped; `total` still counts
    // those, and each query keeps its first.
    let heads = |replies: &[QueryReply]| replies.iter().map(QueryReply::bytes).sum::<usize>();
    for length in [80, 48, 24] {
        if heads(replies) <= budget {
            break;
        }
        for hit in replies.iter_mut().flat_map(|r| &mut r.hits) {
            shorten_to(&mut hit.title, length);
            shorten_to(&mut hit.source, length);
        }
    }
    while heads(replies) > budget {
        let Some(longest) = replies.iter_mut().filter(|r| r.hits.len() > 1).max_by_key(|r| r.hits.len())
        else {
            break;
        };
        longest.hits.pop();
    }
    let left = budget.saturating_sub(heads(replies));
    let wants: Vec<Vec<usize>> = replies
        .iter()
        .zip(texts)
        .map(|(reply, texts)| {
            let most = |hit: &Hit, text: &String| {
                if hit.code { text.len() } else { text.len().min(MAX_SNIPPET_BYTES) }
            };
            reply.hits.iter().zip(texts).map(|(hit, text)| most(hit, text)).collect()
        })
        .collect();
    let shares = share_groups(&wants, left);
    for (i, reply) in replies.iter_mut().enumerate() {
        for (j, hit) in reply.hits.iter_mut().enumerate() {
            let (text, share) = (&texts[i][j], shares[i][j]);
            hit.snippet =
                if text.len() <= share { text.clone() } else { text::snippet(text, &words[i], share) };
            if hit.snippet.len() > share {
                shorten_to(&mut hit.snippet, share);
            }
            hit.shortened = hit.snippet.len() < text.len();
        }
    }
}

fn shorten_to(text: &mut String, max_bytes: usize) {
    if text.len() > max_bytes {
        if max_bytes >= 8 {
            text.truncate(crate::cut(text, max_bytes - '…'.len_utf8()).len());
            text.push('…');
        } else {
            text.truncate(crate::cut(text, max_bytes).len());
        }
    }
}
