//! The format of a filter: its TOML, read and checked. Owns names and defaults; compiles no rule, which `rules` does,
//! and applies none.

use std::sync::OnceLock;

use serde::Deserialize;
use text::Patterns;

use crate::after::After;
use crate::filter_error::{FilterError, wrong};
use crate::native::Native;
use crate::rules::{Act, RuleFile, Rules};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    #[serde(default)]
    about: String,
    commands: Vec<String>,
    #[serde(default)]
    not_with: Vec<String>,
    #[serde(default)]
    combined_flags: bool,
    #[serde(default)]
    expect: Vec<String>,
    #[serde(default)]
    signature: Vec<String>,
    #[serde(default)]
    source: String,
    #[serde(default)]
    rule: Vec<RuleFile>,
    #[serde(default)]
    max_lines: Option<usize>,
    #[serde(default)]
    native: Option<Native>,
    #[serde(default)]
    fails: bool,
    #[serde(default)]
    prints: Prints,
    #[serde(default)]
    generic: bool,
    #[serde(default)]
    findings: bool,
    #[serde(default)]
    after: Vec<After>,
    #[serde(default)]
    case: Vec<Case>,
}

/// The kind of an output's lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Prints {
    /// A tool's report about its work: words of failure in it mean a failure.
    #[default]
    Report,
    /// Requested data: rows, matches, texts, whatever words they contain.
    Data,
    /// Any program's output: the filter is found by the output, and says nothing about the command.
    Anything,
}

/// A piece of real output with the filter's result for it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What it shows.
    pub name: String,
    /// The command line that printed it.
    pub command: String,
    /// Its exit code; absent if the agent doesn't report it.
    #[serde(default)]
    pub exit: Option<i32>,
    /// What it printed.
    #[serde(default)]
    pub input: Option<String>,
    /// The same in a file beside the filter.
    #[serde(default)]
    pub input_file: Option<String>,
    /// What the filter leaves.
    #[serde(default)]
    pub output: Option<String>,
    /// The same in a file beside the filter.
    #[serde(default)]
    pub output_file: Option<String>,
    /// Facts that must be left.
    #[serde(default)]
    pub keep: Vec<String>,
    /// Whether the filter must leave it alone.
    #[serde(default)]
    pub unchanged: bool,
}

/// A filter, ready for use.
#[derive(Debug)]
pub struct Filter {
    /// Its name, unique over all layers; a later layer replaces an earlier one's filter of the same name.
    pub name: String,
    /// A sentence about what is dropped and what stays.
    pub about: String,
    /// Program and subcommand words that it applies to, as written.
    pub commands: Vec<String>,
    /// The source of its cases.
    pub source: String,
    /// Its cases.
    pub cases: Vec<Case>,
    pub(crate) not_with: Vec<String>,
    /// Whether its tool takes several flags of one letter behind one dash, as in `-hTa`.
    combined_flags: bool,
    pub(crate) expect: Patterns,
    /// Text that only its tool prints; `^` in front ties one to a line's beginning.
    pub signature: Vec<String>,
    source_rules: Vec<RuleFile>,
    rules: OnceLock<Rules>,
    pub(crate) max_lines: Option<usize>,
    pub(crate) native: Option<Native>,
    data: bool,
    anything: bool,
    /// Whether its commands end with an error whenever they have something to say, as `diff` does.
    pub(crate) fails: bool,
    /// Whether it leaves what its commands print to the generic filter, and only says that they print reports.
    pub(crate) generic: bool,
    /// Whether it prints a list of findings, which is grouped by file and rule.
    pub(crate) findings: bool,
    /// The steps on the text that its rules leave, in this order.
    pub(crate) after: Vec<After>,
}

impl Filter {
    /// Reads a filter from the text of `file`, which is only named in errors.
    ///
    /// # Errors
    /// [`FilterError`], naming the file and what is wrong in it.
    pub fn parse(text: &str, file: &str) -> Result<Filter, FilterError> {
        let invalid = |reason: String| FilterError::Invalid { file: file.to_owned(), reason };
        let read: File = toml_edit::de::from_str(text).map_err(|error: toml_edit::de::Error| {
            invalid(home::toml_problem(text, error.span(), error.message()))
        })?;
        let expect = Patterns::new(&read.expect).map_err(|error| wrong(file, &read.expect, error))?;
        if read.name.trim().is_empty() || read.commands.iter().all(|command| command.trim().is_empty()) {
            return Err(invalid("a filter needs `name` and at least one of `commands`".into()));
        }
        let does = read.native.is_some() || !read.rule.is_empty() || read.max_lines.is_some();
        let does = does || read.findings || !read.after.is_empty();
        if !does && !read.generic {
            return Err(invalid(
                "a filter needs `[[rule]]`, `native`, `findings`, `after`, `max_lines` or `generic`".into(),
            ));
        }
        if read.generic && (does || !read.expect.is_empty() || !read.signature.is_empty()) {
            return Err(invalid("a filter with `generic` only names commands".into()));
        }
        let short = |signature: &String| {
            let text = signature.strip_prefix('^').unwrap_or(signature);
            text.len() < 4 || text.trim().is_empty()
        };
        if read.signature.iter().any(short) {
            return Err(invalid(
                "a signature needs at least four characters that only this tool prints".into(),
            ));
        }
        for rule in &read.rule {
            if rule.from.is_some() != rule.lines.is_empty() {
                return Err(invalid("a rule has either `lines` or `from`".into()));
            }
            if rule.act == Act::Replace && rule.with.is_none() {
                return Err(invalid("a rule with `do = \"replace\"` needs `with`".into()));
            }
        }
        Ok(Filter {
            expect,
            signature: read.signature,
            name: read.name,
            about: read.about,
            commands: read.commands,
            source: read.source,
            cases: read.case,
            not_with: read.not_with,
            combined_flags: read.combined_flags,
            source_rules: read.rule,
            rules: OnceLock::new(),
            max_lines: read.max_lines,
            native: read.native,
            data: read.prints == Prints::Data || read.native.is_some_and(Native::prints_data),
            anything: read.prints == Prints::Anything,
            fails: read.fails,
            generic: read.generic,
            findings: read.findings,
            after: read.after,
        })
    }

    /// Reads a filter and compiles its rules too, which [`Filter::parse`] leaves until they are needed: of the filters
    /// that a command could have, one is used.
    ///
    /// # Errors
    /// [`FilterError`], naming the file and what is wrong in it.
    pub fn parse_whole(text: &str, file: &str) -> Result<Filter, FilterError> {
        let filter = Self::parse(text, file)?;
        let rules = Rules::compile(&filter.source_rules, file)?;
        let _ = filter.rules.set(rules);
        Ok(filter)
    }

    /// The rules. Those of a filter whose patterns do not compile do nothing; [`Filter::parse_whole`] says so.
    pub(crate) fn rules(&self) -> &Rules {
        self.rules.get_or_init(|| Rules::compile(&self.source_rules, &self.name).unwrap_or_default())
    }

    /// Whether its commands print data: rows, matches, texts that were asked for. Words of failure in them have no
    /// effect.
    #[must_use]
    pub fn prints_data(&self) -> bool {
        self.data
    }

    /// Whether its commands print reports about their work, which makes a command noisy.
    #[must_use]
    pub fn is_report(&self) -> bool {
        !self.data && !self.anything
    }

    /// Whether it's about output that any program may print, and not about the rest.
    pub(crate) fn prints_anything(&self) -> bool {
        self.anything
    }

    /// How much of the text no later step changes, in bytes: everything before the first line that a step applies to.
    pub(crate) fn unchanging_bytes(&self, text: &str) -> usize {
        if self.findings {
            return 0;
        }
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            if self.after.iter().any(|after| after.is_about(line.trim_end())) {
                return at;
            }
            at += line.len();
        }
        at
    }

    /// Whether its cases rest on documentation and weren't captured from the tool.
    pub(crate) fn is_documented(&self) -> bool {
        self.source.starts_with("documented")
    }

    /// Whether places in its commands' output may be findings.
    pub(crate) fn may_list(&self) -> bool {
        !self.data && self.native.is_none()
    }

    /// Whether the filter stands aside because of an argument that changes the output's form.
    pub(crate) fn steps_aside(&self, words: &[String]) -> bool {
        words.iter().any(|word| {
            self.not_with.iter().any(|not| {
                word.strip_prefix(not.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
                    || self.combined_flags && combines(word, not)
            })
        })
    }

    /// Whether a normalised output has the shape that the filter expects.
    pub(crate) fn knows(&self, text: &str) -> bool {
        self.expect.is_empty() || text.lines().any(|line| self.expects(line))
    }

    pub(crate) fn expects(&self, line: &str) -> bool {
        // Patterns are about a line's beginning; no tool prints lines of megabytes.
        let head = &line[..line.floor_char_boundary(4096)];
        self.expect.first(head).is_some()
    }
}

/// Whether a word is several flags of one letter and `flag` is one of them, as `-a` is in `-hTa`. A value behind its flag is
/// taken for flags too: at worst the filter stands aside.
fn combines(word: &str, flag: &str) -> bool {
    let letters = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let Some(flag) = flag.strip_prefix('-').filter(|flag| flag.len() == 1 && letters(flag)) else {
        return false;
    };
    word.strip_prefix('-').is_some_and(|word| letters(word) && word.contains(flag))
}

#[cfg(test)]
mod tests {
    use super::Filter;

    #[test]
    fn a_flag_counts_among_others_where_the_tool_combines_them() {
        let filter = |combined: &str| {
            let text = format!(
                "name = \"df\"\ncommands = [\"df\"]\nnot_with = [\"-a\", \"--all\"]\nmax_lines = 40\n{combined}\n"
            );
            Filter::parse(&text, "df.toml").unwrap()
        };
        let aside = |filter: &Filter, word: &str| filter.steps_aside(&["df".to_owned(), word.to_owned()]);
        let combined = filter("combined_flags = true");
        for (word, expected) in [
            ("-a", true),
            ("--all", true),
            ("-ha", true),
            ("-aT", true),
            ("-hTa", true),
            ("-hT", false),
            ("--local", false),
            ("data", false),
            ("-/a", false),
            ("-", false),
        ] {
            assert_eq!(aside(&combined, word), expected, "{word}");
        }
        // Others have long options behind one dash.
        let apart = filter("");
        assert!(aside(&apart, "-a") && !aside(&apart, "-ha") && !aside(&apart, "-race"));
    }
}
