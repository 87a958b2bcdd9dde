//! Single rules' answers, and the strictest of them as a decision.

use crate::rule::{Decision, Effect, Hit, Rule};

/// The longest piece of a command that a reply repeats, in characters.
const MAX_EXCERPT: usize = 200;

/// A rule's answer about one thing.
pub(super) enum Answer {
    No,
    Yes,
    /// The rule can't be parsed, so what it forbids is unknown.
    Unknown,
}

/// The strictest answer so far.
#[derive(Default)]
pub(super) struct Verdict {
    pub(super) deny: Option<Hit>,
    pub(super) ask: Option<Hit>,
    pub(super) unknown: Option<Hit>,
    pub(super) allow: Option<Hit>,
    /// Something was found that no rule allows.
    pub(super) unmatched: bool,
}

impl Verdict {
    pub(super) fn add(&mut self, found: Option<(Effect, Hit)>) {
        match found {
            Some((Effect::Deny, hit)) => self.deny = self.deny.take().or(Some(hit)),
            Some((Effect::Ask, hit)) => self.ask = self.ask.take().or(Some(hit)),
            Some((Effect::Allow, hit)) => self.allow = Some(hit),
            None => self.unmatched = true,
        }
    }

    pub(super) fn decision(self) -> Decision {
        match (self.deny, self.ask, self.unknown, self.allow) {
            (Some(hit), ..) => Decision::Deny(hit),
            (None, Some(hit), ..) => Decision::Ask(hit),
            (None, None, Some(hit), _) => Decision::Unknown(hit),
            (None, None, None, Some(hit)) if !self.unmatched => Decision::Allow(hit),
            _ => Decision::NoRule,
        }
    }
}

fn shorten(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(MAX_EXCERPT) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or("")),
        None => text.to_owned(),
    }
}

pub(super) fn hit(rule: &Rule, what: &str) -> Hit {
    Hit { rule: rule.text.clone(), source: rule.source.clone(), what: shorten(what) }
}
