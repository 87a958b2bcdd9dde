//! Extracts statements from instruction files (`CLAUDE.md`, `AGENTS.md`, Cursor rules, Copilot instructions): each
//! list item and each paragraph is one, below its heading.

use super::front_matter::split_front_matter;
use crate::domain::Namespace;

/// Shorter statements say nothing on their own.
const MIN_STATEMENT: usize = 12;

/// The statements of an instruction file. Code and tables are left out: they explain rather than state.
pub(super) fn statements(text: &str) -> Vec<String> {
    let (_, body) = split_front_matter(text);
    let mut out: Vec<String> = Vec::new();
    let mut heading = String::new();
    let mut current = String::new();
    let mut fence = false;
    let flush = |current: &mut String, heading: &str, out: &mut Vec<String>| {
        let text = std::mem::take(current);
        let text = text.trim();
        if text.len() >= MIN_STATEMENT && text.chars().any(char::is_alphabetic) {
            out.push(if heading.is_empty() { text.to_owned() } else { format!("{heading}: {text}") });
        }
    };
    for line in body.lines() {
        let start = line.trim();
        if start.starts_with("```") || start.starts_with("~~~") {
            flush(&mut current, &heading, &mut out);
            fence = !fence;
            continue;
        }
        if fence || start.starts_with('|') || start.starts_with("<!--") {
            continue;
        }
        if let Some(name) = start.strip_prefix('#') {
            flush(&mut current, &heading, &mut out);
            name.trim_start_matches('#').trim().trim_end_matches(':').clone_into(&mut heading);
            continue;
        }
        let point = ["- ", "* ", "+ "]
            .iter()
            .find_map(|mark| start.strip_prefix(mark))
            .or_else(|| strip_number(start));
        match point {
            Some(point) => {
                flush(&mut current, &heading, &mut out);
                current.push_str(point);
            }
            None if start.is_empty() => flush(&mut current, &heading, &mut out),
            None => {
                if !current.is_empty() {
                    current.push(' ');
                }
                current.push_str(start);
            }
        }
    }
    flush(&mut current, &heading, &mut out);
    out
}

fn strip_number(line: &str) -> Option<&str> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    (1..=3).contains(&digits).then(|| line[digits..].strip_prefix(". ")).flatten()
}

/// The namespace of a statement, by its cue words; conventions without any.
pub(super) fn namespace(statement: &str) -> Namespace {
    let lower = statement.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).collect();
    let score = |cues: &[&str]| {
        cues.iter()
            .filter(|cue| {
                let cue = cue.to_lowercase();
                if cue.contains(' ') { lower.contains(&cue) } else { words.contains(&cue.as_str()) }
            })
            .count()
    };
    crate::domain::NAMESPACES
        .iter()
        .map(|(namespace, info)| (score(info.cues), *namespace))
        .max_by(|a, b| a.0.cmp(&b.0).then_with(|| b.1.cmp(&a.1)))
        .filter(|(score, _)| *score > 0)
        .map_or(Namespace::Patterns, |(_, namespace)| namespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_paragraphs_under_their_headings() {
        let text = "# Shop\n\nUse pnpm, never\nnpm.\n\n## Tests\n- Run `just test` before a commit\n- ok\n1. Mock the payment provider\n\n```sh\nrm -rf /\n```\n| a | b |\n";
        assert_eq!(
            statements(text),
            [
                "Shop: Use pnpm, never npm.",
                "Tests: Run `just test` before a commit",
                "Tests: Mock the payment provider"
            ]
        );
        assert_eq!(namespace("We decided on PostgreSQL"), Namespace::Decisions);
        assert_eq!(namespace("Keep functions short"), Namespace::Patterns);
    }
}
