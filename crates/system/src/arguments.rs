//! Parses a tool call's arguments tolerantly.
//!
//! Models send a JSON array inside a string, `"true"`, `"5"`, or one string where a list is expected: all of that is
//! accepted. Anything else is refused with an error that names the argument and the allowed ones. Doesn't know any
//! tool.

use std::path::PathBuf;

use contract::Error;
use serde_json::{Map, Value};

use crate::values::{asks_for_nothing, clamp, inner_json, is_text, shortened, whole};

/// The longest time limit, in milliseconds.
const MAX_TIMEOUT_MS: u64 = 3_600_000;

/// The arguments of one call. Each is taken once; what remains at the end is unknown.
#[derive(Debug)]
pub struct Arguments {
    tool: &'static str,
    values: Map<String, Value>,
    /// Every name that was queried, for the error about unknown ones.
    known: Vec<&'static str>,
    /// Arguments that are given and that only other actions use, each with its error message.
    unused: Vec<(&'static str, String)>,
}

impl Arguments {
    /// The arguments of a call of `tool`; `null` counts as absent, also where nothing reads it.
    #[must_use]
    pub fn new(tool: &'static str, mut values: Map<String, Value>) -> Self {
        values.retain(|_, value| !value.is_null());
        Self { tool, values, known: Vec::new(), unused: Vec::new() }
    }

    /// The name that the tool was called by, without an older product's prefix.
    #[must_use]
    pub fn tool(&self) -> &'static str {
        self.tool
    }

    /// Takes a value.
    pub fn take(&mut self, name: &'static str) -> Option<Value> {
        self.known.push(name);
        self.values.remove(name)
    }

    /// Whether there is a value of this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Takes everything that is left, for another tool that reads it itself.
    pub fn take_rest(&mut self) -> Map<String, Value> {
        std::mem::take(&mut self.values)
    }

    /// The error for a missing argument.
    #[must_use]
    pub fn missing(&self, name: &str) -> Error {
        Error::invalid(format!("{}: {name} is missing", self.tool))
    }

    /// The same once all others are read: one that was given under another name is told first, with the names there are.
    #[must_use]
    pub fn missing_or_misnamed(&self, name: &str) -> Error {
        self.check_rest().err().unwrap_or_else(|| self.missing(name))
    }

    /// The error for an argument of the wrong type.
    #[must_use]
    pub fn wrong(&self, name: &str, wanted: &str, got: &Value) -> Error {
        let shown = shortened(&got.to_string());
        Error::invalid(format!("{}: {name} must be {wanted}, not {shown}", self.tool))
    }

    /// A string argument.
    ///
    /// # Errors
    /// If it has another type.
    pub fn string(&mut self, name: &'static str) -> Result<Option<String>, Error> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(Value::Bool(flag)) => Ok(Some(flag.to_string())),
            // Code and content sometimes arrive as a list of lines,
            Some(Value::Array(lines)) if lines.iter().all(Value::is_string) && !lines.is_empty() => {
                Ok(Some(lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")))
            }
            // and content sometimes as JSON.
            Some(value) if name == "content" => Ok(Some(value.to_string())),
            Some(other) => Err(self.wrong(name, "a string", &other)),
        }
    }

    /// A text that's stored as it is: a string, a number or a list of lines. Other JSON was meant as something else.
    ///
    /// # Errors
    /// If it has another type.
    pub fn text(&mut self, name: &'static str) -> Result<Option<String>, Error> {
        let given = self.values.get(name).filter(|value| !is_text(value));
        match given.map(|value| self.wrong(name, "a string", value)) {
            Some(error) => Err(error),
            None => self.string(name),
        }
    }

    /// A required string argument.
    ///
    /// # Errors
    /// If it is missing or has another type.
    pub fn required(&mut self, name: &'static str) -> Result<String, Error> {
        self.string(name)?.ok_or_else(|| self.missing(name))
    }

    /// A path argument; accepts `file://`.
    ///
    /// # Errors
    /// If it has another type.
    pub fn path(&mut self, name: &'static str) -> Result<Option<PathBuf>, Error> {
        let text = self.string(name)?.filter(|text| !text.trim().is_empty());
        Ok(text.map(|text| PathBuf::from(text.strip_prefix("file://").unwrap_or(&text))))
    }

    /// A boolean argument. An empty text says neither, so that what looks first doesn't act because of it.
    ///
    /// # Errors
    /// If it has another type.
    pub fn boolean(&mut self, name: &'static str) -> Result<Option<bool>, Error> {
        let Some(value) = self.take(name) else { return Ok(None) };
        if value.as_str().is_some_and(|text| text.trim().is_empty()) {
            return Ok(None);
        }
        let known = match &value {
            Value::Bool(flag) => Some(*flag),
            Value::Number(number) if number.as_u64() == Some(1) => Some(true),
            Value::Number(number) if number.as_u64() == Some(0) => Some(false),
            Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
                "true" | "yes" | "on" | "1" => Some(true),
                "false" | "no" | "off" | "0" => Some(false),
                _ => None,
            },
            _ => None,
        };
        known.map(Some).ok_or_else(|| self.wrong(name, "true or false", &value))
    }

    /// A whole number from 0.
    ///
    /// # Errors
    /// If it has another type.
    pub fn unsigned(&mut self, name: &'static str) -> Result<Option<u64>, Error> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let known = match &value {
            Value::Number(number) => number.as_u64().or_else(|| number.as_f64().and_then(whole)),
            Value::String(text) => {
                let digits = text.trim().replace('_', "");
                digits.parse().ok().or_else(|| digits.parse::<f64>().ok().and_then(whole))
            }
            _ => None,
        };
        known.map(Some).ok_or_else(|| self.wrong(name, "a whole number of 0 or more", &value))
    }

    /// The maximum number of results. 0 is as good as none: models fill in what they don't mean.
    ///
    /// # Errors
    /// If it isn't a whole number.
    pub fn limit(&mut self) -> Result<Option<usize>, Error> {
        Ok(self.unsigned("limit")?.filter(|most| *most > 0).map(clamp))
    }

    /// `timeout_ms`, or `timeout` as older products call it, also in milliseconds.
    ///
    /// # Errors
    /// If it isn't a number, or not between 1 ms and an hour.
    pub fn timeout(&mut self) -> Result<Option<u64>, Error> {
        let given = self.unsigned("timeout_ms")?.or(self.unsigned("timeout")?);
        match given {
            Some(0) => Err(Error::invalid(format!("{}: timeout_ms must be at least 1", self.tool))),
            Some(ms) if ms > MAX_TIMEOUT_MS => Err(Error::invalid(format!(
                "{}: timeout_ms is {ms}; the longest is {MAX_TIMEOUT_MS} (1 hour), or use background",
                self.tool
            ))),
            other => Ok(other),
        }
    }

    /// The concurrency, from 1 to 8.
    ///
    /// # Errors
    /// If it has another type.
    pub fn concurrency(&mut self) -> Result<Option<usize>, Error> {
        Ok(self.unsigned("concurrency")?.map(|n| clamp(n).clamp(1, 8)))
    }

    /// A list argument; accepts a list in a string, or a single item.
    ///
    /// # Errors
    /// If it has another type.
    pub fn list(&mut self, name: &'static str) -> Result<Option<Vec<Value>>, Error> {
        Ok(match self.take(name) {
            None => None,
            Some(Value::Array(items)) => Some(items),
            Some(Value::String(text)) => Some(match inner_json(&text) {
                Some(Value::Array(items)) => items,
                _ if text.trim().is_empty() => Vec::new(),
                _ => vec![Value::String(text)],
            }),
            Some(object @ Value::Object(_)) => vec![object].into(),
            Some(other) => return Err(self.wrong(name, "a list", &other)),
        })
    }

    /// A list of strings; accepts a single number, too.
    ///
    /// # Errors
    /// If it has another type.
    pub fn strings(&mut self, name: &'static str) -> Result<Vec<String>, Error> {
        if let Some(Value::Number(number)) = self.values.get(name) {
            let text = number.to_string();
            self.take(name);
            return Ok(vec![text]);
        }
        let items = self.list(name)?.unwrap_or_default();
        items
            .into_iter()
            .map(|item| match item {
                Value::String(text) => Ok(text),
                Value::Number(number) => Ok(number.to_string()),
                other => Err(self.wrong(name, "a list of strings", &other)),
            })
            .collect()
    }

    /// One of these words.
    ///
    /// # Errors
    /// If it is something else.
    pub fn choice<T: Copy>(&mut self, name: &'static str, choices: &[(&str, T)]) -> Result<Option<T>, Error> {
        let Some(text) = self.string(name)? else { return Ok(None) };
        self.one_of(name, &text, choices).map(Some)
    }

    /// The same where one is needed.
    ///
    /// # Errors
    /// If it is missing or something else; the message has the words.
    pub fn required_choice<T: Copy>(
        &mut self,
        name: &'static str,
        choices: &[(&str, T)],
    ) -> Result<T, Error> {
        let chosen = self.choice(name, choices)?;
        chosen.ok_or_else(|| {
            Error::invalid(format!("{}: {name} is missing; allowed: {}", self.tool, words(choices)))
        })
    }

    /// Some of these words, as a list or separated by commas.
    ///
    /// # Errors
    /// If it is something else.
    pub fn choices<T: Copy>(&mut self, name: &'static str, choices: &[(&str, T)]) -> Result<Vec<T>, Error> {
        let given = self.strings(name)?;
        given
            .iter()
            .flat_map(|text| text.split(','))
            .filter(|text| !text.trim().is_empty())
            .map(|text| self.one_of(name, text, choices))
            .collect()
    }

    fn one_of<T: Copy>(&self, name: &str, text: &str, choices: &[(&str, T)]) -> Result<T, Error> {
        let wanted = text.trim().to_lowercase();
        choices.iter().find(|(known, _)| *known == wanted).map(|(_, value)| *value).ok_or_else(|| {
            Error::invalid(format!(
                "{}: {name} {:?} is unknown; allowed: {}",
                self.tool,
                shortened(text),
                words(choices)
            ))
        })
    }

    /// Looks for arguments that `action` doesn't use and others do, for a better error than that they're unknown: `uses` says
    /// which actions use an argument, `actions` what they're called. Those that ask for nothing are dropped: models fill in
    /// what they don't mean.
    pub fn explain_unused<A: Copy + PartialEq>(
        &mut self,
        action: A,
        uses: &[(&'static str, &[A])],
        actions: &[(&str, A)],
    ) {
        let asked = actions.iter().find(|(_, one)| *one == action).map_or("this", |(word, _)| *word);
        for (name, users) in uses {
            if users.contains(&action) {
                continue;
            }
            let Some(value) = self.values.get(*name) else { continue };
            if asks_for_nothing(value) {
                self.values.remove(*name);
                continue;
            }
            let (mut seen, mut others) = (Vec::new(), Vec::new());
            for (word, one) in actions {
                // An action may have several names.
                if users.contains(one) && !seen.contains(one) {
                    seen.push(*one);
                    others.push(*word);
                }
            }
            if !others.is_empty() {
                let verb = if others.len() == 1 { "does" } else { "do" };
                let message =
                    format!("{}: {asked} doesn't use {name}; {} {verb}", self.tool, others.join(", "));
                self.unused.push((*name, message));
            }
        }
    }

    /// The same for a tool that reads more arguments than each action uses.
    ///
    /// # Errors
    /// If one is given that the action doesn't use; the message names the actions that do.
    pub fn refuse_unused<A: Copy + PartialEq>(
        &mut self,
        action: A,
        uses: &[(&'static str, &[A])],
        actions: &[(&str, A)],
    ) -> Result<(), Error> {
        self.explain_unused(action, uses, actions);
        match self.unused.first() {
            Some((_, message)) => Err(Error::invalid(message.clone())),
            None => Ok(()),
        }
    }

    /// Checks that no unknown argument remains.
    ///
    /// # Errors
    /// If one does; the message names it.
    pub fn finish(self) -> Result<(), Error> {
        self.check_rest()
    }

    /// The same while others may still be read.
    ///
    /// # Errors
    /// If one remains; the message names it.
    pub fn check_rest(&self) -> Result<(), Error> {
        if self.values.is_empty() {
            return Ok(());
        }
        if let Some((_, message)) = self.unused.iter().find(|(name, _)| self.values.contains_key(*name)) {
            return Err(Error::invalid(message.clone()));
        }
        let unknown: Vec<String> = self.values.keys().map(|name| shortened(name)).take(8).collect();
        let arguments = if unknown.len() == 1 { "argument" } else { "arguments" };
        Err(Error::invalid(format!(
            "{}: unknown {arguments} {}; allowed: {}",
            self.tool,
            unknown.join(", "),
            self.known.join(", ")
        )))
    }
}

/// The words of a choice, for an error.
fn words<T>(choices: &[(&str, T)]) -> String {
    choices.iter().map(|(known, _)| *known).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_limit_of_0_is_as_good_as_none() {
        let limit = |value: Value| {
            let given = Map::from_iter([("limit".to_owned(), value)]);
            Arguments::new("memory", given).limit().ok()
        };
        for (value, expected) in
            [(json!(0), Some(None)), (json!("0"), Some(None)), (json!(7), Some(Some(7))), (json!(-1), None)]
        {
            assert_eq!(limit(value.clone()), expected, "{value}");
        }
    }
}
