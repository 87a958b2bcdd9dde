//! What is remembered of the code: hands a call on to the specification's tools `remember` and `get_memory`, which the system with
//! the one store of memories has, and says in their words which file and definition is meant. Stores nothing itself.

use std::path::{Component, Path};
use std::sync::Arc;

use contract::{Error, ErrorCode};
use serde_json::{Map, Value};
use system::CallContext;

use super::caller_rules::readable;
use crate::actions::ActionReply;
use crate::index::IndexLocation;

/// The part of the project that a memory is about; neither is the whole project.
pub(super) struct About {
    /// A file, or a folder to look for memories in.
    pub(super) path: Option<String>,
    /// A definition.
    pub(super) symbol: Option<String>,
}

impl About {
    fn symbol(&self) -> Option<&str> {
        let symbol = self.symbol.as_deref()?.trim().trim_end_matches("()");
        (!symbol.is_empty()).then_some(symbol)
    }

    /// The project, and the path relative to it.
    fn place(&self, at: &CallContext) -> Result<Option<(IndexLocation, String)>, Error> {
        let Some(asked) = self.path.as_deref().filter(|path| !path.trim().is_empty()) else {
            return Ok(None);
        };
        let place = IndexLocation::of(at)?;
        let path = place.relative(asked);
        Ok(path.map(|path| (place, path)))
    }

    /// As the source of a memory: `src/app.ts#App.run`.
    fn source(&self, at: &CallContext) -> Result<Option<String>, Error> {
        let (place, path) = match (self.place(at)?, self.symbol()) {
            (Some(found), _) => found,
            (None, None) => return Ok(None),
            (None, Some(symbol)) => {
                return Err(Error::invalid(format!(
                    "codebase: remember needs path beside symbol: the file that defines {symbol}"
                )));
            }
        };
        let file = place.file(&path);
        let is_inside = Path::new(&path).components().all(|part| matches!(part, Component::Normal(_)));
        // What the caller may not read is as good as gone.
        if !is_inside || !file.is_file() || !readable(at)?.allows(&file) {
            return Err(Error::new(
                ErrorCode::NotFound,
                format!(
                    "codebase: {path} isn't a file of this project; name one relative to it, as in src/app.ts, or leave path out"
                ),
            ));
        }
        Ok(Some(self.symbol().map_or_else(|| path.clone(), |symbol| format!("{path}#{symbol}"))))
    }

    /// As a filter of memories.
    fn filter(&self, at: &CallContext) -> Result<String, Error> {
        let mut parts = Vec::new();
        if let Some((_, path)) = self.place(at)? {
            // A pattern can't be in quotes, so a name that needs them is a file's.
            let below = if is_word(&path) { format!(",{path}/*") } else { String::new() };
            parts.push(format!("path:{}{below}", quoted(&path)));
        }
        if let Some(symbol) = self.symbol() {
            if !is_word(symbol) {
                return Err(Error::invalid("codebase: symbol must be a name, as in run or App.run"));
            }
            parts.push(format!("source:*#{symbol},*#*.{symbol},*#*:{symbol}"));
        }
        Ok(parts.join(" "))
    }
}

/// Whether a filter takes a text as it is, as a word or as a part of a pattern.
fn is_word(text: &str) -> bool {
    !text.contains(|c: char| c.is_whitespace() || matches!(c, ',' | '"' | '*' | '?'))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Keeps a convention, a decision, a gotcha or a failure.
///
/// # Errors
/// When the file isn't there, when nothing can be remembered here, and those of the tool.
pub(super) fn remember(
    at: &CallContext,
    about: &About,
    mut given: Map<String, Value>,
) -> Result<ActionReply, Error> {
    if let Some(source) = about.source(at)? {
        if given.contains_key("source") {
            return Err(Error::invalid(
                "codebase: path and source both say what the memory is about; give one of them",
            ));
        }
        given.insert("source".into(), source.into());
    }
    call_memory(at, "remember", given)
}

/// Finds or lists them.
///
/// # Errors
/// When nothing can be remembered here, and those of the tool.
pub(super) fn recall(
    at: &CallContext,
    about: &About,
    mut given: Map<String, Value>,
) -> Result<ActionReply, Error> {
    let part = about.filter(at)?;
    let filter = match given.get("filter") {
        None => part,
        Some(Value::String(filter)) => format!("{filter} {part}"),
        // The tool that reads it says what's wrong with it.
        Some(_) => String::new(),
    };
    if !filter.trim().is_empty() {
        given.insert("filter".into(), filter.trim().into());
    }
    call_memory(at, "get_memory", given)
}

fn call_memory(
    at: &CallContext,
    tool: &'static str,
    given: Map<String, Value>,
) -> Result<ActionReply, Error> {
    let answer = Arc::clone(&at.host).call_tool(at.call.clone(), tool, given);
    let reply = tokio::runtime::Handle::current().block_on(answer)?;
    let mut data = reply.data;
    // This tool's name of where the next page begins.
    if let Some(next) = data.as_object_mut().and_then(|all| all.remove("next_offset")) {
        data["nextOffset"] = next;
    }
    Ok(ActionReply { lines: reply.text.lines().map(str::to_owned).collect(), data })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filter_words_contain_no_filter_syntax() {
        for (text, expected) in [
            ("src/app.ts", true),
            ("App.run", true),
            ("Vec::new", true),
            ("my file.ts", false),
            ("a,b", false),
            ("a\"b", false),
            ("src/[id]*.ts", false),
            ("why?.ts", false),
        ] {
            assert_eq!(is_word(text), expected, "{text}");
        }
        assert_eq!(quoted("a \"b\" \\c"), r#""a \"b\" \\c""#);
    }
}
