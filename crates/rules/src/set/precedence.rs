//! Which rule wins among those that match, and what an unreadable layer means.

use std::path::Path;

use super::RuleSet;
use super::verdict::{Answer, hit};
use crate::domain;
use crate::paths::{FileRef, PathPattern};
use crate::rule::{Decision, Effect, Hit, Precedence, Rule, Target};

impl RuleSet {
    /// The decision if a layer can't be read.
    pub(super) fn broken_layer_decision(&self) -> Option<Decision> {
        let layer = self.broken.first()?;
        let path = layer.path.display();
        Some(Decision::Deny(Hit {
            rule: String::new(),
            source: layer.path.display().to_string(),
            what: format!(
                "settings file {path} doesn't parse: {}. What it forbids is unknown, so nothing is run; \
                 repair or remove the file",
                layer.reason.trim_end_matches('.')
            ),
        }))
    }

    /// The winning rule among those about `targets` whose `answer` is yes.
    pub(super) fn winning_rule(
        &self,
        targets: &[Target],
        answer: impl Fn(&Rule) -> Answer,
        what: &str,
    ) -> Option<(Effect, Hit)> {
        // A rule that can't be parsed is assumed to match, with the same precedence.
        let mut best: Option<(&Rule, bool)> = None;
        for rule in self.rules.iter().filter(|r| r.target == Target::Any || targets.contains(&r.target)) {
            let understood = match answer(rule) {
                Answer::Yes => true,
                Answer::Unknown if rule.effect != Effect::Allow => false,
                Answer::No | Answer::Unknown => continue,
            };
            let better = match self.precedence {
                Precedence::LastMatch => true,
                Precedence::Strictest => best.is_none_or(|(b, _)| rule.effect < b.effect),
            };
            if better {
                best = Some((rule, understood));
            }
        }
        best.map(|(rule, understood)| {
            if understood {
                return (rule.effect, hit(rule, what));
            }
            let what = format!("rule {} can't be understood, so it counts as a match", rule.text);
            (rule.effect, Hit { rule: String::new(), source: rule.source.clone(), what })
        })
    }

    pub(super) fn host_answer(rule: &Rule, host: &str) -> Answer {
        if rule.target == Target::Any {
            return Answer::Yes;
        }
        match domain::matches(rule, host) {
            Ok(true) => Answer::Yes,
            Ok(false) => Answer::No,
            Err(_) => Answer::Unknown,
        }
    }

    pub(super) fn file_answer(&self, rule: &Rule, file: &FileRef, cwd: &Path, home: &Path) -> Answer {
        if rule.target == Target::Any {
            return Answer::Yes;
        }
        match self.path_pattern(rule, cwd, home) {
            PathPattern::Unreadable => Answer::Unknown,
            pattern if pattern.matches(file, rule.effect) => Answer::Yes,
            _ => Answer::No,
        }
    }
}
