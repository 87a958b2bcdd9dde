//! A plan of Terraform or OpenTofu in its parts. Owns the form of a resource, from the line that says what happens to it to its
//! bracket.

use crate::guard::must_stay;
use crate::normal;

/// The words behind a resource's address.
const HAPPENS: [&str; 4] = [" will ", " must ", " has ", " is tainted"];

/// A line of the text, or a resource.
pub(super) enum Part<'t> {
    Line(&'t str),
    Resource(Resource<'t>),
}

pub(super) struct Resource<'t> {
    pub(super) address: &'t str,
    /// `will be created`, `must be replaced`.
    pub(super) happens: &'t str,
    /// The line with both, and the reasons below it.
    pub(super) head: Vec<&'t str>,
    pub(super) body: Vec<&'t str>,
}

impl Resource<'_> {
    /// Whose attributes say most: those that are replaced or changed, then what is new.
    pub(super) fn rank(&self) -> usize {
        match self.happens {
            what if what.contains("replaced") => 0,
            what if what.contains("updated") => 1,
            what if what.contains("created") => 2,
            _ => 3,
        }
    }

    /// The lines of its attributes that no rule may drop.
    pub(super) fn stays(&self) -> impl Iterator<Item = &str> {
        self.body.iter().copied().filter(|line| must_stay(line))
    }
}

/// The parts of a plan, in their order.
pub(super) fn parts(text: &str) -> Vec<Part<'_>> {
    let lines: Vec<&str> = normal::lines(text).collect();
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at).copied() {
        let Some((address, happens)) = headed(line) else {
            parts.push(Part::Line(line));
            at += 1;
            continue;
        };
        let reasons = lines[at + 1..].iter().take_while(|line| line.starts_with("  # (")).count();
        let from = at + 1 + reasons;
        let body = match lines.get(from) {
            Some(line) if opens(line) && line.ends_with("{}") => 1,
            Some(line) if opens(line) => body_length(&lines[from..]),
            _ => 0,
        };
        let (head, body) = (lines[at..from].to_vec(), lines[from..from + body].to_vec());
        at = from + body.len();
        parts.push(Part::Resource(Resource { address, happens, head, body }));
    }
    parts
}

/// How many lines a resource has from the one that opens it: up to its bracket, or without one, as in a cut plan, up to what can't
/// belong to it.
fn body_length(lines: &[&str]) -> usize {
    for (at, line) in lines.iter().enumerate().skip(1) {
        if *line == "    }" {
            return at + 1;
        }
        if !line.is_empty() && !line.starts_with(' ') || headed(line).is_some() {
            return at;
        }
    }
    lines.len()
}

/// The address and what happens in `  # aws_instance.web[0] will be created`.
pub(super) fn headed(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("  # ").filter(|rest| !rest.starts_with(['(', ' ']))?;
    // A key may have these words, too: `github_label.all["bug, will not fix"]`. Where a resource moves,
    // the last key is the new address's.
    let own = rest.split_once(" has moved to ").map_or(rest, |(own, _)| own);
    let key = own.rfind("\"]").unwrap_or(0);
    let at = HAPPENS.iter().filter_map(|words| rest[key..].find(words)).min()? + key;
    let (address, happens) = rest.split_at(at);
    address.contains('.').then_some((address, happens.trim_start()))
}

/// `  + resource "aws_instance" "web" {`
fn opens(line: &str) -> bool {
    let words = line.trim_start_matches([' ', '+', '-', '~', '/', '<', '=']);
    let named = ["resource \"", "data \"", "ephemeral \""].iter().any(|word| words.starts_with(word));
    named && (line.ends_with('{') || line.ends_with("{}"))
}

#[cfg(test)]
mod tests {
    use super::headed;

    #[test]
    fn what_happens_is_told_from_the_words_of_a_key() {
        for (line, address, happens) in [
            ("web[0] will be created", "web[0]", "will be created"),
            ("web is tainted, so must be replaced", "web", "is tainted, so must be replaced"),
            ("web (deposed object 1a2b) will be destroyed", "web (deposed object 1a2b)", "will be destroyed"),
            ("all[\"bug, will not fix\"] must be replaced", "all[\"bug, will not fix\"]", "must be replaced"),
            ("all[\"it has one\"].web has changed", "all[\"it has one\"].web", "has changed"),
            (
                "all[\"a\"] has moved to module.b.all[\"it will\"]",
                "all[\"a\"]",
                "has moved to module.b.all[\"it will\"]",
            ),
        ] {
            let line = format!("  # shop.{line}");
            assert_eq!(headed(&line), Some((format!("shop.{address}").as_str(), happens)), "{line}");
        }
        assert_eq!(headed("  # (because shop.web is not in configuration)"), None);
        assert_eq!(headed("  # shop.all[\"it has one\"]"), None);
    }
}
