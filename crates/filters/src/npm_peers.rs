//! npm's warnings about peer dependencies that it overrides. npm prints a block of a dozen lines for each, mostly the
//! chains through which packages were required; here each becomes one line: resolved, found, asked for, in conflict.
//! Owns the form of those blocks; an error of the same kind ends the command and stays as it is.

use crate::Left;
use crate::normal;

const WARN: [&str; 2] = ["npm warn", "npm WARN"];
const OVERRIDING: &str = "ERESOLVE overriding peer dependency";

/// What one block says.
#[derive(Default)]
struct Block<'t> {
    resolving: &'t str,
    found: &'t str,
    asked: Vec<&'t str>,
    conflicting: &'t str,
    /// Lines of chains that are left out.
    chains: usize,
}

/// Whether a block begins with this line.
pub(crate) fn begins(line: &str) -> bool {
    warning_text(line).is_some_and(|text| text.trim() == OVERRIDING)
}

/// The text of one of npm's lines after the warning prefix.
fn warning_text(line: &str) -> Option<&str> {
    let rest = WARN.iter().find_map(|warn| line.strip_prefix(warn))?;
    if rest.is_empty() { Some("") } else { rest.strip_prefix(' ') }
}

/// The text with each block as a line, equal ones once.
pub(crate) fn lines(text: &str) -> Option<Left> {
    let mut out = String::with_capacity(text.len());
    let mut lines = normal::lines(text).peekable();
    let mut chains = 0;
    let mut printed_before: Vec<(String, usize)> = Vec::new();
    while let Some(line) = lines.next() {
        if !begins(line) {
            flush(&mut printed_before, &mut out);
            out.extend([line, "\n"]);
            continue;
        }
        let mut block = Block::default();
        let mut wants_peer = false;
        while let Some(next) = lines.peek().copied() {
            let Some(text) = warning_text(next) else { break };
            if begins(next) || !block.takes(text, &mut wants_peer) {
                break;
            }
            lines.next();
        }
        chains += block.chains;
        let line = block.line();
        match printed_before.iter_mut().find(|(other, _)| *other == line) {
            Some((_, times)) => *times += 1,
            None => printed_before.push((line, 1)),
        }
    }
    flush(&mut printed_before, &mut out);
    (chains > 0).then(|| (out, vec![("lines of who asks for what", chains)]))
}

/// Writes blocks that followed each other, equal ones once with their count.
fn flush(blocks: &mut Vec<(String, usize)>, out: &mut String) {
    for (line, times) in blocks.drain(..) {
        out.push_str(&line);
        if times > 1 {
            out.push_str(&format!("  [×{times}]"));
        }
        out.push('\n');
    }
}

impl<'t> Block<'t> {
    /// Reads a line of the block; whether it is one.
    fn takes(&mut self, text: &'t str, wants_peer: &mut bool) -> bool {
        let trimmed = text.trim();
        if let Some(name) = trimmed.strip_prefix("While resolving: ") {
            self.resolving = name;
        } else if let Some(name) = trimmed.strip_prefix("Found: ") {
            self.found = name;
        } else if let Some(name) = trimmed.strip_prefix("Conflicting peer dependency: ") {
            self.conflicting = name;
        } else if trimmed == "Could not resolve dependency:" {
            *wants_peer = true;
        } else if std::mem::take(wants_peer) && !text.starts_with(' ') && trimmed.contains(" from ") {
            self.asked.push(trimmed);
        } else if trimmed.is_empty() || is_chain(text) {
            self.chains += usize::from(!trimmed.is_empty());
        } else {
            return false;
        }
        true
    }

    fn line(&self) -> String {
        let mut out = format!("{} {OVERRIDING}", WARN[0]);
        let mut joint = ": ";
        let asked = self.asked.join(", ");
        for (what, name) in [
            ("While resolving: ", self.resolving),
            ("Found: ", self.found),
            ("Could not resolve dependency: ", asked.as_str()),
            ("Conflicting peer dependency: ", self.conflicting),
        ] {
            if !name.is_empty() {
                out.extend([joint, what, name]);
                joint = "; ";
            }
        }
        out
    }
}

/// `node_modules/x`, `  peer x@"^1" from y@2`, `  22 more (…)`: how a package was required.
fn is_chain(text: &str) -> bool {
    let trimmed = text.trim_start();
    let inside = trimmed.len() < text.len();
    let more =
        trimmed.split_once(" more (").is_some_and(|(count, _)| count.bytes().all(|b| b.is_ascii_digit()));
    trimmed.starts_with("node_modules/") || inside && (trimmed.contains(" from ") || more)
}

#[cfg(test)]
mod tests {
    use super::lines;

    const BLOCK: &str = "npm warn ERESOLVE overriding peer dependency\nnpm warn While resolving: shop@1.4.0\nnpm warn Found: eslint@8.57.1\nnpm warn node_modules/eslint\nnpm warn   peer eslint@\"^8.0.0\" from parser@7.29.13\nnpm warn   node_modules/parser\nnpm warn   22 more (@x/utils, ...)\nnpm warn\nnpm warn Could not resolve dependency:\nnpm warn peer eslint@\"^8.56.0\" from plugin@7.18.0\nnpm warn node_modules/plugin\nnpm warn   dev plugin@\"^7.3.1\" from the root project\n";

    #[test]
    fn each_conflict_is_a_line_and_equal_ones_are_one() {
        let other = BLOCK.replace("plugin@7.18.0", "plugin@8.0.0");
        let text = format!(
            "{BLOCK}{BLOCK}{other}npm warn deprecated uuid@3.4.0: Please upgrade\n\nadded 84 packages in 27s\n"
        );
        let (short, left_out) = lines(&text).unwrap();
        assert_eq!(
            short,
            "npm warn ERESOLVE overriding peer dependency: While resolving: shop@1.4.0; Found: eslint@8.57.1; Could not resolve dependency: peer eslint@\"^8.56.0\" from plugin@7.18.0  [×2]\n\
             npm warn ERESOLVE overriding peer dependency: While resolving: shop@1.4.0; Found: eslint@8.57.1; Could not resolve dependency: peer eslint@\"^8.56.0\" from plugin@8.0.0\n\
             npm warn deprecated uuid@3.4.0: Please upgrade\n\nadded 84 packages in 27s\n"
        );
        assert_eq!(left_out, [("lines of who asks for what", 18)]);
    }

    #[test]
    fn errors_and_other_text_stay() {
        let error = BLOCK
            .replace("npm warn", "npm error")
            .replace("overriding peer dependency", "unable to resolve dependency tree");
        assert_eq!(lines(&error), None);
        assert_eq!(lines("npm warn ERESOLVE overriding peer dependency\nadded 1 package\n"), None);
    }
}
