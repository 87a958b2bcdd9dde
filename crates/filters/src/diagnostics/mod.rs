//! Lists of diagnostics: the findings of linters, type checkers and compilers, grouped by file and rule. Every file
//! is named and every `line:column` is kept as long as it fits; what doesn't fit is counted per file. Owns the shapes
//! in which tools print a finding (`parse`), the list in memory (`list`) and its layout under a byte budget
//! (`render`).

mod annotation;
mod by_folder;
mod cc;
mod complete;
mod completeness;
mod finding;
mod forms;
mod headed;
mod issue;
mod lettered;
mod list;
mod logged;
mod marked;
mod messages;
mod numbered;
mod parse;
mod phpstan;
mod place;
mod pointed;
mod project;
mod render;
mod rustc;
mod scala;
mod source_frames;
mod sums;
mod undefined;
mod worded;

use finding::{Finding, Piece};
use list::List;

use crate::counted::counted;

pub(crate) use cc::{c_frames, may_begin};
pub(crate) use completeness::Completeness;
pub(crate) use lettered::letter;
pub(crate) use parse::{is_list, is_styled};
pub(crate) use place::place;
pub(crate) use project::unnumbered;
pub(crate) use rustc::rust_frames;
pub(crate) use source_frames::{may_begin_source_frame, source_frames};
pub(crate) use undefined::{begins_undefined, undefined, undefined_symbol};

/// A list up to this size, in bytes, is easier to read as the tool printed it.
const SMALL: usize = 2_000;
/// Fewer findings than this are easier to read as the tool printed them.
const FEW: usize = 6;

/// A list keeps the message of every place up to this size, in bytes.
const LONG: usize = 5_000;
/// Room for the rules' messages if those of single places are dropped, in bytes.
const RULE_TEXTS: usize = 3_500;

/// Room for the mark that counts lines of explanation, in bytes.
const DETAILS: usize = 48;

/// `text` with its lists of findings grouped, in about `room` bytes; `None` when it has no such list or grouping makes
/// nothing shorter.
pub(crate) fn by_file_and_rule(text: &str, room: usize) -> Option<String> {
    if text.len() <= SMALL.min(room) {
        return None;
    }
    list_of_any_length(text, room)
}

/// The same of a text that may be shorter.
pub(crate) fn list_of_any_length(text: &str, room: usize) -> Option<String> {
    let pieces = parse::pieces(text);
    let all: usize = pieces.iter().map(Piece::findings).sum();
    if all < FEW {
        return None;
    }
    let mut out = String::with_capacity(text.len() / 2);
    for piece in &pieces {
        match piece {
            Piece::Findings(findings, lines) if findings.len() >= FEW => {
                let list = List::new(findings);
                let whole = render::whole(&list);
                if whole.len() < lines.iter().map(|line| line.len() + 1).sum() {
                    out.push_str(&whole);
                } else {
                    push_lines(&mut out, lines);
                }
            }
            Piece::Findings(_, lines) | Piece::Text(lines) => push_lines(&mut out, lines),
        }
    }
    // In a long list of single lines the reader looks for places, and can read names there. What else a message says
    // isn't there: it's left out only where the agent would leave out more.
    if out.len() > LONG && pieces.iter().all(Piece::has_lines_only) {
        let short = if text.len() <= room { by_place(&pieces) } else { by_rule(&pieces) };
        out = short.filter(|short| short.len() * 4 <= out.len() * 3).unwrap_or(out);
    }
    if out.len() > room {
        let listed: usize = pieces.iter().map(Piece::bytes).sum();
        // A few findings in a long text aren't a list: lines are chosen there.
        if listed * 2 < text.len() {
            return (out.len() < text.len()).then_some(out);
        }
        out = crate::data::within(room, |room| within(&pieces, room));
    }
    (out.len() < text.len()).then_some(out)
}

/// A finding that wasn't a line: a record of a report.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) file: String,
    /// `3:9`, or `3`.
    pub(crate) at: String,
    /// Empty where the report doesn't say.
    pub(crate) severity: String,
    /// Empty where the tool has none.
    pub(crate) rule: String,
    /// Its first line is followed by its explanation.
    pub(crate) message: String,
}

/// Whether `text` has a finding with a severity or a rule.
pub(crate) fn has_findings(text: &str) -> bool {
    let is_styled = |finding: &Finding<'_>| !finding.severity.is_empty() || !finding.rule.is_empty();
    parse::pieces(text)
        .iter()
        .any(|piece| matches!(piece, Piece::Findings(findings, _) if findings.iter().any(is_styled)))
}

/// Whether `word` is a severity.
pub(crate) fn is_level(word: &str) -> bool {
    messages::LEVELS.iter().any(|level| word.eq_ignore_ascii_case(level))
}

/// These findings grouped, in about `room` bytes.
pub(crate) fn listed(found: &[Found], room: usize) -> String {
    let findings: Vec<Finding<'_>> = found
        .iter()
        .map(|one| {
            let mut lines = one.message.trim().lines();
            Finding {
                file: &one.file,
                at: one.at.as_str().into(),
                severity: &one.severity,
                rule: &one.rule,
                message: lines.next().unwrap_or_default().trim(),
                times: 1,
                more: lines.collect(),
                beside: Vec::new(),
            }
        })
        .collect();
    let whole = render::whole(&List::new(&findings));
    if whole.len() <= LONG.min(room) {
        return whole;
    }
    let has_lines_only = findings.iter().all(|one| one.more.is_empty());
    let by_rule = || render::by_rule(&List::new(&findings), RULE_TEXTS.min(room / 2));
    if has_lines_only
        && let Some(short) =
            by_rule().filter(|short| short.len() * 4 <= whole.len() * 3 && short.len() <= room)
    {
        return short;
    }
    if whole.len() <= room {
        return whole;
    }
    crate::data::within(room, |room| within(&[Piece::Findings(findings.clone(), Vec::new())], room))
}

/// All findings, and the other lines: those before the first finding and those after it.
fn parted<'p>(pieces: &'p [Piece<'_>]) -> (Vec<Finding<'p>>, String, String) {
    let findings = pieces
        .iter()
        .filter_map(|piece| match piece {
            Piece::Findings(findings, _) => Some(findings.iter().cloned()),
            Piece::Text(_) => None,
        })
        .flatten()
        .collect();
    let first = pieces.iter().position(|piece| piece.findings() > 0).unwrap_or(0);
    let texts = |pieces: &[Piece<'_>]| {
        let mut out = String::new();
        for piece in pieces {
            if let Piece::Text(lines) = piece {
                push_lines(&mut out, lines);
            }
        }
        out.trim_matches('\n').to_owned()
    };
    (findings, texts(&pieces[..first]), texts(&pieces[first..]))
}

/// Every place with its message, without the names that can be read there, and the other lines around them.
fn by_place(pieces: &[Piece<'_>]) -> Option<String> {
    let (findings, before, after) = parted(pieces);
    let list = complete::without_names_at_places(&List::new(&findings))?;
    Some(joined([before, list, after]))
}

/// Every place with its rule, each rule's message once, and the other lines around them.
fn by_rule(pieces: &[Piece<'_>]) -> Option<String> {
    let (findings, before, after) = parted(pieces);
    let list = render::by_rule(&List::new(&findings), RULE_TEXTS)?;
    Some(joined([before, list, after]))
}

/// Everything in one list and the other lines around it, in `room` bytes.
fn within(pieces: &[Piece<'_>], room: usize) -> String {
    let (findings, before, after) = parted(pieces);
    // Source around findings is dropped first, the lines around the list next. Tools print their own total last.
    let bare: Vec<Finding<'_>> = findings.iter().map(Finding::without_source).collect();
    let complete = render::whole(&List::new(&bare)).len();
    let others = room.saturating_sub(complete).max(room / 4);
    let before_room = (others / 3).min(before.len());
    let after = crate::cap::ends_of(&after, others - before_room);
    let before = crate::cap::ends_of(&before, others.saturating_sub(after.len()));
    let left = room.saturating_sub(before.len() + after.len() + 4);
    let source: usize = findings.iter().map(Finding::source).sum();
    // A message without the lines that explain it says more than a place without its message. A finding's other
    // places aren't explanation, as long as they fit.
    let details: usize = bare.iter().map(|finding| finding.more.len()).sum();
    let shortened = |cut: Vec<Finding<'_>>| {
        let kept: usize = cut.iter().map(|finding| finding.more.len()).sum();
        let list = render::complete_within(&List::new(&cut), left.saturating_sub(DETAILS))?;
        Some((list, details.saturating_sub(kept)))
    };
    let short = (complete > left && details > 0)
        .then(|| {
            shortened(bare.iter().map(Finding::with_places_only).collect())
                .or_else(|| shortened(bare.iter().map(Finding::without_details).collect()))
        })
        .flatten();
    let mut list = match short {
        Some((list, 0)) => list,
        Some((list, gone)) => format!("{list}… {} of explanation not shown\n", counted(gone, "lines")),
        None => render::within(&List::new(&bare), left),
    };
    if source > 0 {
        // A suggested change is worth more than the source it's about.
        let changes = if findings.iter().any(Finding::suggests) { "and of suggested changes " } else { "" };
        let are = if source == 1 { "is" } else { "are" };
        let lines = counted(source, "lines");
        list.insert_str(0, &format!("{lines} of source {changes}{are} left out\n"));
    }
    joined([before, list, after])
}

/// The non-empty parts, below each other.
fn joined(parts: [String; 3]) -> String {
    let mut out = String::new();
    for part in parts {
        let part = part.trim_end_matches('\n');
        if !part.is_empty() {
            out.push_str(part);
            out.push('\n');
        }
    }
    out
}

fn push_lines(out: &mut String, lines: &[&str]) {
    for line in lines {
        out.push_str(line);
        out.push('\n');
    }
}

#[cfg(test)]
mod tests;
