//! The rules of a filter: how one is written, and all of them compiled. Owns which rule a line begins; what a rule does with its
//! lines is in `lines`.

use serde::Deserialize;
use text::{Pattern, Patterns};

use crate::filter_error::{FilterError, wrong};

/// A rule as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RuleFile {
    #[serde(default)]
    pub(crate) lines: Vec<String>,
    #[serde(default)]
    pub(crate) from: Option<String>,
    #[serde(default)]
    until: Option<String>,
    #[serde(default)]
    through: bool,
    #[serde(default)]
    repeats: bool,
    #[serde(default)]
    heading: bool,
    #[serde(default)]
    front: Option<String>,
    #[serde(rename = "do")]
    pub(crate) act: Act,
    #[serde(rename = "as", default)]
    label: Option<String>,
    #[serde(default)]
    first: Option<usize>,
    #[serde(default)]
    last: Option<usize>,
    #[serde(default)]
    pub(crate) with: Option<String>,
}

/// A rule's action on its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Act {
    Drop,
    Keep,
    Fold,
    Replace,
}

/// Which lines a rule is about; what begins it is in [`Rules::begin`].
#[derive(Debug)]
pub(crate) enum Which {
    /// Single lines; the patterns again, in their order, for a rule that replaces.
    Lines(Vec<Pattern>),
    /// From such a line on until another.
    Block {
        until: Option<Pattern>,
        through: bool,
        /// Only what was printed before belongs to the block.
        repeats: bool,
        /// The line that begins the block stays.
        heading: bool,
        /// An optional prefix of a repeated line that was absent when it was printed before.
        front: Option<String>,
    },
}

/// A compiled rule.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) which: Which,
    pub(crate) act: Act,
    pub(crate) label: Option<String>,
    pub(crate) first: usize,
    pub(crate) last: usize,
    pub(crate) with: String,
}

/// The rules of a filter, compiled. All patterns that begin a rule are looked for in one pass over a line.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    begin: Patterns,
    /// The rule that each of these patterns belongs to, in their order, and which of the rule's it is.
    owner: Vec<(usize, usize)>,
    pub(crate) all: Vec<Rule>,
}

impl Rules {
    /// The first rule that a line begins, and with which of its patterns.
    pub(crate) fn first(&self, line: &str) -> Option<(usize, usize)> {
        self.owner.get(self.begin.first(line)?).copied()
    }

    /// The rules of `file`, which is only named in errors.
    pub(crate) fn compile(rules: &[RuleFile], file: &str) -> Result<Rules, FilterError> {
        let (mut patterns, mut owner, mut all) = (Vec::new(), Vec::new(), Vec::new());
        let named = |pattern: &String, error| wrong(file, std::slice::from_ref(pattern), error);
        let compile = |pattern: &String| Pattern::new(pattern).map_err(|error| named(pattern, error));
        let for_groups =
            |pattern: &String| Pattern::for_groups(pattern).map_err(|error| named(pattern, error));
        for (at, rule) in rules.iter().enumerate() {
            for (nth, pattern) in rule.from.iter().chain(&rule.lines).enumerate() {
                patterns.push(pattern.clone());
                owner.push((at, nth));
            }
            let which = match &rule.from {
                Some(_) => Which::Block {
                    until: rule.until.as_ref().map(compile).transpose()?,
                    through: rule.through,
                    repeats: rule.repeats,
                    heading: rule.heading,
                    front: rule.front.clone(),
                },
                None if rule.act == Act::Replace => {
                    Which::Lines(rule.lines.iter().map(for_groups).collect::<Result<_, _>>()?)
                }
                None => Which::Lines(Vec::new()),
            };
            all.push(Rule {
                which,
                act: rule.act,
                label: rule.label.clone(),
                first: rule.first.unwrap_or(1),
                last: rule.last.unwrap_or(0),
                with: rule.with.clone().unwrap_or_default(),
            });
        }
        let begin = Patterns::new(&patterns).map_err(|error| wrong(file, &patterns, error))?;
        Ok(Rules { begin, owner, all })
    }
}
