//! Extracts statements from instruction files (`CLAUDE.md`, `AGENTS.md`, Cursor rules, Copilot instructions): each list
//! item, each paragraph and each line that was written as one is a statement, below its heading and its lead-in.

use super::front_matter::split_front_matter;
use crate::domain::Namespace;

/// Shorter statements say nothing on their own.
const MIN_STATEMENT: usize = 12;
/// Where an item of a list begins with an indent of this many spaces it belongs to the one before; a tab counts as four.
const MIN_INDENT: usize = 2;

/// Words of headings that name only the file or what kind of text it is.
const TITLE_WORDS: &[&str] = &[
    "agents",
    "agent",
    "claude",
    "gemini",
    "cursor",
    "copilot",
    "windsurf",
    "codex",
    "ai",
    "llm",
    "assistant",
    "assistants",
    "github",
    "md",
    "mdc",
    "coding",
    "instructions",
    "instruction",
    "custom",
    "guidelines",
    "guideline",
    "guidance",
    "guide",
    "rules",
    "rule",
    "repository",
    "repo",
    "project",
    "codebase",
    "readme",
    "notes",
    "overview",
    "general",
    "introduction",
    "about",
    "memory",
    "important",
    "for",
    "the",
    "of",
    "and",
    "to",
    "this",
    "in",
    "with",
    "working",
    "anweisungen",
    "regeln",
    "richtlinien",
    "allgemein",
    "allgemeines",
    "hinweise",
    "für",
    "und",
    "projekt",
    "überblick",
];

/// Words by which a sentence only points somewhere else.
const POINTING: &[&str] = &[
    "see ",
    "see also ",
    "also see ",
    "refer to ",
    "please see ",
    "please refer to ",
    "cf. ",
    "siehe ",
    "siehe auch ",
    "vgl. ",
];

/// The statements of an instruction file. Code and tables are left out: they explain rather than state.
pub(super) fn statements(text: &str) -> Vec<String> {
    let (_, body) = split_front_matter(text);
    let mut reader = Reader::default();
    let mut fence: Option<String> = None;
    let mut comment = false;
    for line in body.lines() {
        let start = line.trim();
        if let Some(open) = &fence {
            if start.starts_with(open.as_str()) && start.chars().all(|c| open.starts_with(c)) {
                fence = None;
            }
            continue;
        }
        if comment || start.starts_with("<!--") {
            comment = !start.contains("-->");
            continue;
        }
        if let Some(mark) = ['`', '~'].into_iter().find(|mark| start.starts_with(&mark.to_string().repeat(3)))
        {
            reader.flush();
            fence = Some(start.chars().take_while(|c| c == &mark).collect());
            continue;
        }
        reader.line(line);
    }
    reader.flush();
    reader.out
}

/// The part read so far.
#[derive(Default)]
struct Reader {
    out: Vec<String>,
    heading: String,
    /// The paragraph that ends in a colon, for the list after it.
    lead: String,
    /// The items of the list that is open, with their indents.
    items: Vec<(usize, String)>,
    /// The lines of the paragraph or item that is open.
    lines: Vec<String>,
    /// Whether that is an item.
    in_item: bool,
    after_blank: bool,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let after_blank = std::mem::take(&mut self.after_blank);
        let indent =
            line.chars().take_while(|c| c.is_whitespace()).map(|c| if c == '\t' { 4 } else { 1 }).sum();
        let start = line.trim().trim_start_matches(['>', ' ']);
        if start.is_empty() {
            self.after_blank = true;
            return self.flush();
        }
        if is_rule(start) {
            // Under a line of text it makes that a heading.
            if let [only] = self.lines.as_slice()
                && !self.in_item
                && !start.starts_with('*')
            {
                let name = only.clone();
                self.lines.clear();
                self.open(&name);
            }
            return self.flush();
        }
        if start.starts_with('|') || start.starts_with("[!") || is_tag(start) {
            return self.flush();
        }
        let bold = start.strip_prefix("**").and_then(|rest| rest.trim_end_matches(':').strip_suffix("**"));
        if let Some(name) = start.strip_prefix('#').map(|name| name.trim_matches('#')) {
            return self.open(name);
        }
        if let Some(name) =
            bold.filter(|name| !name.contains("**") && self.lines.is_empty() && indent < MIN_INDENT)
        {
            return self.open(name.trim_end_matches(':'));
        }
        let item = ["- ", "* ", "+ ", "• "]
            .iter()
            .find_map(|mark| start.strip_prefix(mark))
            .or_else(|| strip_number(start));
        if let Some(item) = item {
            self.flush();
            self.items.retain(|(of, _)| of + MIN_INDENT <= indent);
            self.items.push((indent, String::new()));
            self.in_item = true;
            let item =
                ["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| item.strip_prefix(mark)).unwrap_or(item);
            self.lines.push(item.to_owned());
            return;
        }
        if after_blank && indent < MIN_INDENT {
            self.items.clear();
            self.lead.clear();
        } else if after_blank && indent >= 4 && self.items.is_empty() {
            // Code.
            return;
        }
        self.lines.push(start.to_owned());
    }

    /// Begins a section.
    fn open(&mut self, name: &str) {
        self.flush();
        self.lead.clear();
        self.items.clear();
        name.trim().trim_end_matches(':').clone_into(&mut self.heading);
        if names_only_the_file(&self.heading) {
            self.heading.clear();
        }
    }

    /// Ends the paragraph or item.
    fn flush(&mut self) {
        let lines = std::mem::take(&mut self.lines);
        let in_item = std::mem::take(&mut self.in_item);
        if lines.is_empty() {
            return;
        }
        for text in if in_item { vec![lines.join(" ")] } else { written_apart(&lines) } {
            let text = text.trim();
            let leads = text.ends_with(':');
            if in_item {
                let mut before: Vec<&str> = vec![&self.heading, &self.lead];
                let parents = self.items.len().saturating_sub(1);
                before.extend(self.items[..parents].iter().map(|(_, item)| item.as_str()));
                if !leads {
                    let statement = under(&before, text);
                    self.state(text, statement);
                }
                if let Some((_, item)) = self.items.last_mut() {
                    text.clone_into(item);
                }
            } else if leads {
                text.clone_into(&mut self.lead);
            } else {
                self.lead.clear();
                let statement = under(&[&self.heading], text);
                self.state(text, statement);
            }
        }
    }

    fn state(&mut self, own: &str, statement: String) {
        if own.len() >= MIN_STATEMENT && own.chars().any(char::is_alphabetic) && !only_points(own) {
            self.out.push(statement);
        }
    }
}

/// A text below what it belongs to.
fn under(before: &[&str], text: &str) -> String {
    let before = before.iter().map(|one| one.trim_end_matches([':', '.'])).filter(|one| !one.is_empty());
    before.chain([text]).collect::<Vec<_>>().join(": ")
}

/// The statements of a paragraph: each line where they were written as lines, else the whole paragraph. A line
/// continues if the next one's first word didn't fit on it, or if the next one starts in lower case.
fn written_apart(lines: &[String]) -> Vec<String> {
    let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or_default();
    let mut out: Vec<String> = Vec::new();
    let mut last = "";
    for line in lines {
        let first = line.split_whitespace().next().unwrap_or_default().chars().count();
        let begins = line.starts_with('@')
            || line.chars().find(|c| c.is_alphanumeric()).is_none_or(|c| !c.is_lowercase());
        let had_room = last.chars().count() + 1 + first <= width;
        let ended = last.ends_with(['.', '!', '?', ';', ':', '。']);
        match out.last_mut() {
            Some(open) if !(begins && (had_room || ended)) => {
                open.push(' ');
                open.push_str(line);
            }
            _ => out.push(line.clone()),
        }
        last = line;
    }
    out
}

/// Whether a heading names the file or its kind and no subject.
fn names_only_the_file(heading: &str) -> bool {
    let words = heading.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).all(|word| TITLE_WORDS.contains(&word.as_str()))
}

/// Whether a statement only says where to read more.
fn only_points(text: &str) -> bool {
    let text = text.trim_matches(['*', '_', '(', ')', ' ']);
    let lower = text.to_lowercase();
    let is_import = text.split_whitespace().count() == 1 && text.starts_with('@');
    let names_file = |word: &str| {
        let word = word.trim_matches(['`', '(', ')', ',', '.', '"', '[', ']', '*']);
        word.len() > 1 && word.starts_with('@') || word.contains("](") || word.contains("://") || {
            let ending = word.rsplit_once('.').map_or("", |(_, ending)| ending);
            (1..=4).contains(&ending.len()) && ending.chars().all(char::is_alphanumeric)
        }
    };
    let points = POINTING.iter().any(|words| lower.starts_with(words));
    is_import || points && text.split_whitespace().any(names_file) && !lower.contains(". ")
}

/// A line of hyphens, equals signs or the like.
fn is_rule(line: &str) -> bool {
    ['-', '=', '*', '_'].iter().any(|mark| line.len() >= 3 && line.chars().all(|c| c == *mark || c == ' '))
}

/// A line that is one tag of markup.
fn is_tag(line: &str) -> bool {
    line.starts_with('<') && line.ends_with('>') && line.matches('<').count() == 1
}

fn strip_number(line: &str) -> Option<&str> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = (1..=3).contains(&digits).then(|| &line[digits..])?;
    rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "))
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

    /// Every file under `tests/instructions` with what is stated in it.
    #[test]
    fn the_files_as_people_write_them() {
        let folder =
            std::path::Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("tests/instructions");
        let mut seen = 0;
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "expected") {
                continue;
            }
            let expected = std::fs::read_to_string(path.with_extension("expected")).unwrap();
            let found = statements(&std::fs::read_to_string(&path).unwrap());
            assert_eq!(found, expected.lines().collect::<Vec<_>>(), "{}", path.display());
            seen += 1;
        }
        assert!(seen >= 3, "{seen}");
    }
}
