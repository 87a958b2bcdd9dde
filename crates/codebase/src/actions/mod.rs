//! The queries on a project's code. A reply is data in the specification's shapes and lines for a terminal. Nothing is shown that
//! the caller may not read.

mod conventions;
mod decision_card;
mod definition_lines;
mod dependencies;
mod diagnostics;
mod health;
mod left_out;
mod memories;
mod namesakes;
mod project_info;
mod quoted;
mod references;
mod reindex_preview;
mod relations;
mod retrieval;
mod review;
mod search;
mod structure;
mod style_guides;

pub(crate) use decision_card::{decide, gather_evidence};
pub(crate) use diagnostics::diagnostics;
pub(crate) use health::health;
pub(crate) use left_out::readable_part as readable_left_out;
pub(crate) use memories::{SHOWN as SHOWN_MEMORIES, add as add_memories};
pub(crate) use project_info::{metadata, status};
pub(crate) use references::{Direction, Uses, references};
pub(crate) use reindex_preview::preview_reindex;
pub(crate) use relations::relations;
pub(crate) use retrieval::{Intent, Mode, SearchRequest, SearchResults, retrieve};
pub(crate) use review::review;
pub(crate) use search::{defines, neighbours, search};
#[cfg(test)]
pub(crate) use structure::categories;
pub(crate) use structure::{cycles, map, patterns};
pub(crate) use style_guides::style;

use serde_json::Value;

/// A reply: data, and lines for a terminal.
#[derive(Debug)]
pub(crate) struct ActionReply {
    pub(crate) data: Value,
    pub(crate) lines: Vec<String>,
}

/// Numbers of answers are shown with two decimals.
fn round(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

/// A name in lower case without what joins its parts: how names are compared.
fn folded(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The terminal's lines about an incomplete index.
fn caveat(stamp: &Value) -> Vec<String> {
    let mut out = Vec::new();
    if let Some(reason) = stamp["reason"].as_str() {
        let far = stamp["progress"]["percentage"].as_u64();
        out.push(far.map_or_else(|| format!("({reason})"), |far| format!("({reason}; {far} % done)")));
    }
    if let Some(problem) = stamp["problem"].as_str() {
        out.push(format!("(the worker failed: {problem})"));
    }
    out
}
