//! How much of a long output an agent shows its model: everything up to a size, and beyond that a preview or a part. Owns the
//! arithmetic; each agent's file has its own figures, measured on the versions named there.
//!
//! Where versions differ, or a figure depends on something unknown (a model, the length of a path), the table has the
//! minimum: a replacement is then never longer than what the model would have seen.

use std::borrow::Cow;

use crate::event::{Output, ToolCall, ToolKind};

/// What produced an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputKind {
    /// A shell command.
    Shell {
        /// Whether it exited with another code than 0.
        failed: bool,
    },
    /// An MCP tool, or another tool that returns text.
    Tool,
}

impl OutputKind {
    /// What produced this call's output.
    #[must_use]
    pub fn of(call: &ToolCall, output: &Output) -> Self {
        match call.kind {
            ToolKind::Shell { .. } => Self::Shell { failed: output.failed },
            _ => Self::Tool,
        }
    }
}

/// A size in the agent's own unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputSize {
    /// Bytes of UTF-8.
    Bytes(usize),
    /// UTF-16 units, JavaScript's characters.
    Chars(usize),
}

/// What the model sees of an output above the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truncation {
    /// The first characters.
    Start {
        /// Characters at most.
        chars: usize,
        /// Whether it cuts after a line that ends in the second half of the preview.
        at_line: bool,
    },
    /// Whole lines from the start; a longer line is dropped entirely.
    Lines {
        /// Bytes at most.
        bytes: usize,
        /// Lines at most.
        lines: usize,
    },
    /// The end.
    End {
        /// Bytes at most.
        bytes: usize,
        /// Lines at most.
        lines: usize,
    },
    /// Both ends, together this size.
    BothEnds(OutputSize),
}

/// How much of an output an agent shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputLimits {
    /// An output up to this size is shown in full,
    pub limit: OutputSize,
    /// if it also has at most this many lines.
    pub max_lines: usize,
    /// What is shown of a longer one.
    pub truncation: Truncation,
    /// The least bytes of the agent's own notice beside it: where the full output is, how much was cut.
    pub notice_bytes: usize,
}

impl OutputLimits {
    /// Everything up to `size`; beyond that both ends, together the same size.
    #[must_use]
    pub const fn both_ends(size: OutputSize) -> Self {
        Self { limit: size, max_lines: usize::MAX, truncation: Truncation::BothEnds(size), notice_bytes: 0 }
    }

    /// For unmeasured agents: the least that a measured agent without a file shows.
    pub const UNMEASURED: OutputLimits = OutputLimits::both_ends(OutputSize::Bytes(10_000));

    /// Whether the model sees all of `text`.
    #[must_use]
    pub fn shows_all(&self, text: &str) -> bool {
        fits(text, self.limit) && (self.max_lines == usize::MAX || text.lines().count() <= self.max_lines)
    }

    /// The least bytes that the model sees of `text`.
    #[must_use]
    pub fn visible_bytes(&self, text: &str) -> usize {
        if self.shows_all(text) {
            return text.len();
        }
        let part = match self.truncation {
            Truncation::BothEnds(OutputSize::Bytes(bytes)) => bytes,
            // At least a byte each.
            Truncation::BothEnds(OutputSize::Chars(chars)) => chars,
            Truncation::Start { .. } | Truncation::Lines { .. } | Truncation::End { .. } => {
                self.visible_part(text).len()
            }
        };
        (part + self.notice_bytes).min(text.len())
    }

    /// What the model sees of `text`, without the agent's notice.
    #[must_use]
    pub fn visible_part<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.shows_all(text) {
            return Cow::Borrowed(text);
        }
        Cow::Borrowed(match self.truncation {
            Truncation::Start { chars, at_line } => {
                let start = &text[..text.len() - skip_units(text, chars).len()];
                match start.rfind('\n') {
                    Some(end) if at_line && end > start.len() / 2 => &start[..end],
                    _ => start,
                }
            }
            Truncation::Lines { bytes, lines } => {
                &text[..leading_sum(text.split_inclusive('\n').map(str::len), bytes, lines)]
            }
            Truncation::End { bytes, lines } => {
                let whole = leading_sum(text.split_inclusive('\n').rev().map(str::len), bytes, lines);
                // A single long line shows its end.
                let end = if whole == 0 { bytes.min(text.len()) } else { whole };
                &text[text.ceil_char_boundary(text.len() - end)..]
            }
            Truncation::BothEnds(OutputSize::Bytes(bytes)) => {
                let head = &text[..text.floor_char_boundary(bytes / 2)];
                let tail = &text[text.ceil_char_boundary(text.len() - bytes / 2)..];
                return Cow::Owned(format!("{head}\n{tail}"));
            }
            Truncation::BothEnds(OutputSize::Chars(chars)) => {
                let head = &text[..text.len() - skip_units(text, chars / 2).len()];
                let units: usize = text.chars().map(char::len_utf16).sum();
                let tail = skip_units(text, units - chars / 2);
                return Cow::Owned(format!("{head}\n{tail}"));
            }
        })
    }

    /// The same for an output of which only the size is known, assuming ordinary lines.
    #[must_use]
    pub fn visible_bytes_of(&self, bytes: u64) -> u64 {
        let (OutputSize::Bytes(whole) | OutputSize::Chars(whole)) = self.limit;
        if bytes <= whole as u64 {
            return bytes;
        }
        let part = match self.truncation {
            Truncation::Start { chars, .. } => chars,
            Truncation::Lines { bytes, .. } | Truncation::End { bytes, .. } => bytes,
            Truncation::BothEnds(OutputSize::Bytes(size) | OutputSize::Chars(size)) => size,
        };
        bytes.min((part + self.notice_bytes) as u64)
    }

    /// The size up to which a replacement is itself shown in full, in bytes.
    #[must_use]
    pub fn full_bytes(&self) -> usize {
        // A text of n bytes has at most n characters.
        let (OutputSize::Bytes(whole) | OutputSize::Chars(whole)) = self.limit;
        whole
    }
}

fn fits(text: &str, size: OutputSize) -> bool {
    match size {
        OutputSize::Bytes(bytes) => text.len() <= bytes,
        OutputSize::Chars(chars) => text.len() <= chars || skip_units(text, chars).is_empty(),
    }
}

/// The text after the first `units` UTF-16 units.
fn skip_units(text: &str, units: usize) -> &str {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += c.len_utf16();
        if used > units {
            return &text[at..];
        }
    }
    ""
}

/// The sum of the leading sizes that fit.
fn leading_sum(sizes: impl Iterator<Item = usize>, bytes: usize, lines: usize) -> usize {
    let mut used = 0;
    for size in sizes.take(lines) {
        if used + size > bytes {
            break;
        }
        used += size;
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(count: usize) -> String {
        (0..count).map(|n| format!("{n:06} {}\n", "abcdefgh ".repeat(8))).collect()
    }

    /// The figures measured on the entries, without the notice's path.
    #[test]
    fn the_tables_say_what_was_measured() {
        let of = |id: &str| crate::by_id(id).unwrap();
        let (ok, failed) = (OutputKind::Shell { failed: false }, OutputKind::Shell { failed: true });
        let text = lines(1_000);
        let wide: String = "漢字かな ".repeat(4_000);
        for (agent, kind, text, size, at_least, at_most) in [
            ("claude-code", ok, &text, 30_000, 30_000, 30_000),
            ("claude-code", ok, &text, 30_100, 2_100, 2_272),
            ("claude-code", ok, &wide, 31_000, 4_864, 5_404),
            ("claude-code", failed, &text, 9_000, 9_000, 9_000),
            ("claude-code", failed, &text, 60_000, 10_000, 10_040),
            ("claude-code", OutputKind::Tool, &text, 49_900, 49_900, 49_900),
            ("claude-code", OutputKind::Tool, &text, 50_100, 2_100, 2_276),
            ("codex", ok, &text, 9_900, 9_900, 9_900),
            ("codex", failed, &text, 12_000, 10_000, 10_211),
            ("gemini-cli", ok, &text, 39_000, 39_000, 39_000),
            ("gemini-cli", ok, &text, 60_000, 39_000, 40_292),
            ("opencode", ok, &text, 51_000, 51_000, 51_000),
            ("opencode", ok, &text, 60_000, 51_000, 51_347),
            ("opencode", OutputKind::Tool, &wide, 60_000, 0, 367),
            ("copilot-cli", ok, &text, 20_400, 20_400, 20_400),
            ("copilot-cli", ok, &text, 20_481, 700, 880),
            ("copilot-cli", OutputKind::Tool, &text, 31_000, 700, 867),
        ] {
            let text = &text[..text.floor_char_boundary(size)];
            let shown = of(agent).output_limits(kind).visible_bytes(text);
            assert!(
                (at_least..=at_most).contains(&shown) || shown == text.len() && shown.abs_diff(size) < 4,
                "{agent} {kind:?} {size}: {shown}"
            );
        }
        let short: String = (0..60_000).map(|n| format!("{n}\n")).collect();
        let shown = of("opencode").output_limits(ok).visible_bytes(&short[..20_000]);
        assert!((9_000..=10_144).contains(&shown), "{shown}");
    }

    #[test]
    fn no_agent_shows_more_than_the_output() {
        for agent in crate::all() {
            for kind in
                [OutputKind::Shell { failed: false }, OutputKind::Shell { failed: true }, OutputKind::Tool]
            {
                let limits = agent.output_limits(kind);
                for text in ["", "\n", "é", &lines(3_000), &"x".repeat(200_000), &"漢".repeat(30_000)] {
                    assert!(limits.visible_bytes(text) <= text.len(), "{} {kind:?}", agent.id());
                    let part = limits.visible_part(text);
                    assert!(part.len() <= text.len() + 1, "{} {kind:?}", agent.id());
                    assert!(
                        part.len() + limits.notice_bytes + 8 >= limits.visible_bytes(text),
                        "{} {kind:?}",
                        agent.id()
                    );
                    assert!(limits.visible_bytes_of(text.len() as u64) <= text.len() as u64);
                }
            }
        }
    }
}
