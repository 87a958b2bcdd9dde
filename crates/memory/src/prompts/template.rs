//! Parses texts with placeholders: `{{name}}`, `{{#each memories}}…{{memory.content}}…{{/each}}`. Code fences and `\{{`
//! are plain text. `fill` puts in the values.

use contract::{LowerError, Sentence};
use serde_json::{Map, Value};

use super::Kind;
use super::fill::{Output, filled};
use super::messages;
use super::piece::{Piece, of_item};

/// Reserved prefixes for automatic values.
const RESERVED: &[&str] = &["subcog_", "plimsoll_", "system_", "__"];
/// Values that every template has. In a prompt they are placeholders like any other: nothing else would fill them.
pub const AUTOMATIC: &[&str] = &["memories", "total_count", "namespace_counts", "statistics"];

fn is_automatic(kind: Kind, name: &str) -> bool {
    kind == Kind::Template && AUTOMATIC.contains(&name)
}

/// A syntax error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateError {
    /// The line, from 1.
    pub line: usize,
    /// The problem.
    pub reason: Sentence,
}

impl LowerError for TemplateError {
    fn message(&self) -> Sentence {
        messages::template_line(self.line, self.reason.clone())
    }
}

impl std::fmt::Display for TemplateError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for TemplateError {}

/// A parsed text.
#[derive(Debug, Clone, PartialEq)]
pub struct Template(Vec<Piece>);

impl Template {
    /// Parses a text.
    ///
    /// # Errors
    /// [`TemplateError`] with the line of the error.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let mut reader = Reader { line: 1, text: String::new(), open: vec![(String::new(), Vec::new(), 1)] };
        let mut fence: Option<&str> = None;
        for line in text.split_inclusive('\n') {
            let start = line.trim_start();
            // No backtick follows the marks that open a block.
            // Code within a line (```x```) opens no block.
            let opens = |mark: &&str| *mark == "~~~" || !start.trim_start_matches('`').contains('`');
            let begins = |mark: &&str| start.starts_with(*mark) && (fence.is_some() || opens(mark));
            let mark = ["```", "~~~"].into_iter().find(begins);
            match (fence, mark) {
                (None, Some(mark)) => fence = Some(mark),
                (Some(open), Some(mark)) if open == mark => {
                    fence = None;
                    reader.text.push_str(line);
                    reader.line += 1;
                    continue;
                }
                _ => {}
            }
            if fence.is_some() {
                reader.text.push_str(line);
            } else {
                reader.line(line)?;
            }
            reader.line += 1;
        }
        reader.end()
    }

    /// The names of its placeholders without duplicates and automatic values.
    pub fn names(&self, kind: Kind) -> Vec<String> {
        fn walk(kind: Kind, pieces: &[Piece], inside: &[&str], out: &mut Vec<String>) {
            for piece in pieces {
                match piece {
                    Piece::Text(_) => {}
                    Piece::Value(name) => {
                        let own = inside.iter().any(|list| name == "this" || of_item(name, list).is_some());
                        if !own && !is_automatic(kind, name) && !out.contains(name) {
                            out.push(name.clone());
                        }
                    }
                    Piece::Each(list, pieces) => {
                        if !is_automatic(kind, list) && !out.contains(list) {
                            out.push(list.clone());
                        }
                        walk(kind, pieces, &[inside, &[list]].concat(), out);
                    }
                }
            }
        }
        let mut out = Vec::new();
        walk(kind, &self.0, &[], &mut out);
        out
    }

    /// The names of the lists in its loops, without automatic ones.
    pub fn lists(&self, kind: Kind) -> Vec<String> {
        fn walk(kind: Kind, pieces: &[Piece], out: &mut Vec<String>) {
            for piece in pieces {
                if let Piece::Each(list, pieces) = piece {
                    if !is_automatic(kind, list) && !out.contains(list) {
                        out.push(list.clone());
                    }
                    walk(kind, pieces, out);
                }
            }
        }
        let mut out = Vec::new();
        walk(kind, &self.0, &mut out);
        out
    }

    /// A value for each placeholder: the given one, else the placeholder itself.
    pub fn with_open_places(&self, kind: Kind, given: &Map<String, Value>) -> Map<String, Value> {
        let lists = self.lists(kind);
        let place = |name: &String| Value::from(format!("{{{{{name}}}}}"));
        let open = |name: &String| if lists.contains(name) { vec![place(name)].into() } else { place(name) };
        let value = |name: String| (name.clone(), given.get(&name).cloned().unwrap_or_else(|| open(&name)));
        self.names(kind).into_iter().map(value).collect()
    }

    /// The text with these values; a placeholder without one becomes empty.
    ///
    /// # Errors
    /// If it's larger than anybody reads: loops within loops multiply what is in them.
    pub fn fill(&self, values: &Map<String, Value>, output: Output) -> Result<String, Sentence> {
        filled(&self.0, values, output)
    }
}

struct Reader {
    line: usize,
    text: String,
    /// Open loops: the list, the pieces so far, the starting line.
    open: Vec<(String, Vec<Piece>, usize)>,
}

impl Reader {
    fn wrong<T>(&self, reason: Sentence) -> Result<T, TemplateError> {
        Err(TemplateError { line: self.line, reason })
    }

    fn push(&mut self, piece: Piece) {
        let text = std::mem::take(&mut self.text);
        if let Some((_, pieces, _)) = self.open.last_mut() {
            if !text.is_empty() {
                pieces.push(Piece::Text(text));
            }
            pieces.push(piece);
        }
    }

    fn line(&mut self, line: &str) -> Result<(), TemplateError> {
        if let Some(inner) = alone_on_line(line) {
            return self.place(inner);
        }
        let mut rest = line;
        while let Some(at) = rest.find("{{") {
            if rest[..at].ends_with('\\') {
                self.text.push_str(&rest[..at - 1]);
                self.text.push_str("{{");
                rest = &rest[at + 2..];
                continue;
            }
            // `\{\{` is plain text as well.
            self.text.push_str(&rest[..at].replace("\\{\\{", "{{").replace("\\}\\}", "}}"));
            let inner = &rest[at + 2..];
            let Some(end) = inner.find("}}") else {
                return self.wrong(messages::template_open_place("{{", "\\{{"));
            };
            self.place(inner[..end].trim())?;
            rest = &inner[end + 2..];
        }
        self.text.push_str(&rest.replace("\\{\\{", "{{").replace("\\}\\}", "}}"));
        Ok(())
    }

    fn place(&mut self, inner: &str) -> Result<(), TemplateError> {
        if let Some(list) = inner.strip_prefix("#each") {
            let list = list.trim();
            if !is_name(list) {
                return self.wrong(messages::template_unnamed_list(
                    format!("#each {list}").trim_end(),
                    "{{#each memories}}",
                ));
            }
            if self.open.len() > 4 {
                return self.wrong(messages::template_too_deep());
            }
            // The text before the loop belongs outside it.
            self.push(Piece::Text(String::new()));
            self.open.push((list.to_owned(), Vec::new(), self.line));
            return Ok(());
        }
        if inner == "/each" {
            self.push(Piece::Text(String::new()));
            if self.open.len() < 2 {
                return self.wrong(messages::template_closes_nothing("{{/each}}"));
            }
            if let Some((list, pieces, _)) = self.open.pop() {
                self.push(Piece::Each(list, pieces));
            }
            return Ok(());
        }
        let looping = self.open.len() > 1;
        let plain =
            inner.split('.').all(is_name) && (looping || !inner.contains('.')) || looping && inner == "this";
        if !plain {
            return self.wrong(messages::template_no_place(format!("{{{{{inner}}}}}")));
        }
        if RESERVED.iter().any(|reserved| inner.starts_with(reserved)) {
            return self.wrong(messages::template_reserved(format!("{inner:?}"), RESERVED.join(", ")));
        }
        self.push(Piece::Value(inner.to_owned()));
        Ok(())
    }

    fn end(mut self) -> Result<Template, TemplateError> {
        self.push(Piece::Text(String::new()));
        if self.open.len() > 1 {
            let line = self.open.last().map_or(1, |(_, _, line)| *line);
            return Err(TemplateError {
                line,
                reason: messages::template_open_loop("{{#each}}", "{{/each}}"),
            });
        }
        let mut pieces = self.open.pop().map(|(_, pieces, _)| pieces).unwrap_or_default();
        tidy(&mut pieces);
        Ok(Template(pieces))
    }
}

fn tidy(pieces: &mut Vec<Piece>) {
    pieces.retain(|piece| *piece != Piece::Text(String::new()));
    for piece in pieces {
        if let Piece::Each(_, inner) = piece {
            tidy(inner);
        }
    }
}

/// The beginning or the end of a loop that is alone on its line: it adds no line to the text, as in Handlebars.
fn alone_on_line(line: &str) -> Option<&str> {
    let inner = line.trim().strip_prefix("{{")?.strip_suffix("}}")?.trim();
    let is_loop = inner == "/each" || inner.strip_prefix("#each").is_some_and(|list| list.starts_with(' '));
    (is_loop && !inner.contains("{{") && !inner.contains("}}")).then_some(inner)
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn filled(text: &str, values: Value) -> String {
        Template::parse(text).unwrap().fill(values.as_object().unwrap(), Output::Plain).unwrap()
    }

    #[test]
    fn places_are_filled_once_and_code_and_escapes_are_text() {
        for (text, expected) in [
            ("Review {{file}} for {{ kind }}.", "Review a{{kind}}b for 7."),
            ("\\{{file}} \\{\\{file\\}\\} {{none}}|", "{{file}} {{file}} |"),
            ("```\n{{file}}\n```\n{{kind}}", "```\n{{file}}\n```\n7"),
            ("~~~\n```\n{{file}}\n~~~\n{{kind}}", "~~~\n```\n{{file}}\n~~~\n7"),
            ("```a``` is code\n{{kind}}", "```a``` is code\n7"),
            ("日本 {{kind}} 🦀", "日本 7 🦀"),
            ("{{tags}}", "a, b"),
            ("", ""),
        ] {
            assert_eq!(
                filled(text, json!({"file": "a{{kind}}b", "kind": 7, "tags": ["a", "b"]})),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn loops_go_over_memories() {
        let text = "# {{title}}\n\n{{#each memories}}\n- **{{memory.namespace}}**: {{memory.content}}{{title}}\n{{/each}}";
        let values =
            json!({"title": "T", "memories": [{"namespace": "apis", "content": "one"}, {"content": "two"}]});
        assert_eq!(filled(text, values), "# T\n\n- **apis**: oneT\n- ****: twoT\n");
        let indented = "a\n  {{#each items}}\r\n  * {{this}}\n\t{{/each}}  \nz";
        assert_eq!(filled(indented, json!({"items": [1, 2]})), "a\n  * 1\n  * 2\nz");
        assert_eq!(filled(indented, json!({})), "a\nz");
        // Beside something else its line stays.
        assert_eq!(filled("{{#each items}}\n{{this}}{{/each}}\n.", json!({"items": [1, 2]})), "12\n.");
        assert_eq!(filled("{{#each items}} -\n{{/each}}", json!({"items": [1]})), " -\n");
        assert_eq!(Template::parse(text).unwrap().names(Kind::Template), ["title"]);
        assert_eq!(filled("{{#each items}}<{{this}}>{{/each}}", json!({"items": [1, "x"]})), "<1><x>");
        assert_eq!(filled("a{{#each items}}b{{/each}}", json!({})), "a");
        let nested = "{{#each memories}}{{#each items}}{{memory.namespace}}:{{this}} {{/each}}{{/each}}";
        assert_eq!(Template::parse(nested).unwrap().names(Kind::Template), ["items"]);
        assert_eq!(filled(nested, json!({"memories": [{"namespace": "x"}], "items": [1, 2]})), "x:1 x:2 ");
        let text = "{{title}}: {{#each items}}<{{this}}>{{/each}}{{#each memories}}{{/each}}";
        let template = Template::parse(text).unwrap();
        assert_eq!(template.lists(Kind::Template), ["items"]);
        assert_eq!(template.lists(Kind::Prompt), ["items", "memories"]);
        assert_eq!(template.names(Kind::Prompt), ["title", "items", "memories"]);
        let values = template.with_open_places(Kind::Template, json!({"title": "T"}).as_object().unwrap());
        assert_eq!(template.fill(&values, Output::Plain).unwrap(), "T: <{{items}}>");
    }

    #[test]
    fn unreadable_lines_are_named() {
        for (text, line, word) in [
            ("a\n{{1x}}", 2, "1x"),
            ("{{}}", 1, "a place"),
            ("{{a-b}}", 1, "a-b"),
            ("x {{open", 1, "never closed"),
            ("\n{{#each memories}}\n", 2, "{{/each}}"),
            ("{{/each}}", 1, "closes nothing"),
            ("{{#each}}{{/each}}", 1, "list"),
            ("{{system_prompt}}", 1, "reserved"),
            ("{{memory.content}}", 1, "a place"),
        ] {
            let error = Template::parse(text).unwrap_err();
            assert!(error.line == line && error.to_string().contains(word), "{text}: {error}");
        }
    }
}
