//! Removes private spans and secrets from an event, before anything is cut, because half a secret isn't recognised.
//! `sessions` knows private spans, `text` knows secrets.

use std::borrow::Cow;

use agents::{Event, EventKind, ToolKind};
use serde_json::Value;

/// Removes private spans and secrets; borrows if there are none.
fn strip(text: &str) -> Cow<'_, str> {
    match sessions::without_private(text) {
        Cow::Borrowed(text) => text::redact(text),
        Cow::Owned(text) => Cow::Owned(text::redact(&text).into_owned()),
    }
}

/// The same for a prompt, in which a password may be a plain word.
fn strip_typed(text: &str) -> Cow<'_, str> {
    match sessions::without_private(text) {
        Cow::Borrowed(text) => text::redact_typed(text),
        Cow::Owned(text) => Cow::Owned(text::redact_typed(&text).into_owned()),
    }
}

/// The event in a form that may be recorded. Borrows if nothing in it is private or secret.
pub fn without_secrets(event: &Event) -> Cow<'_, Event> {
    if !has_secrets(event) {
        return Cow::Borrowed(event);
    }
    let mut event = event.clone();
    if let Some(prompt) = &mut event.prompt {
        *prompt = strip_typed(prompt).into_owned();
    }
    if let Some(text) = model_text(&mut event.kind) {
        *text = strip(text).into_owned();
    }
    if let Some(call) = &mut event.tool {
        match &mut call.kind {
            ToolKind::Shell { command: text } | ToolKind::Fetch { url: text } => {
                *text = strip(text).into_owned();
            }
            ToolKind::Read { path, .. } | ToolKind::Edit { path } => {
                *path = strip(&path.to_string_lossy()).into_owned().into();
            }
            _ => {}
        }
        redact(&mut call.input);
        if let Some(output) = &mut call.output {
            output.text = strip(&output.text).into_owned();
            redact(&mut output.raw);
        }
    }
    Cow::Owned(event)
}

/// The model's text in events that carry it.
fn model_text(kind: &mut EventKind) -> Option<&mut String> {
    match kind {
        EventKind::SubagentStop { report: text } | EventKind::Answer { text } => text.as_mut(),
        _ => None,
    }
}

fn has_secrets(event: &Event) -> bool {
    let text = |text: &str| matches!(strip(text), Cow::Owned(_));
    let call = event.tool.as_ref();
    let output = call.and_then(|call| call.output.as_ref()).map(|output| output.text.as_str());
    // The raw output usually repeats the text.
    let raw_text = |part: &str| Some(part) != output && text(part);
    // The tool kind's texts are part of the input.
    event.prompt.as_deref().is_some_and(|prompt| matches!(strip_typed(prompt), Cow::Owned(_)))
        || model_text(&mut event.kind.clone()).is_some_and(|model_text| text(model_text))
        || call.is_some_and(|call| {
            contains(&call.input, &text)
                || call
                    .output
                    .as_ref()
                    .is_some_and(|output| text(&output.text) || contains(&output.raw, &raw_text))
        })
}

fn contains(value: &Value, text: &impl Fn(&str) -> bool) -> bool {
    match value {
        Value::String(string) => text(string),
        Value::Array(values) => values.iter().any(|value| contains(value, text)),
        Value::Object(fields) => fields.iter().any(|(name, value)| text(name) || contains(value, text)),
        _ => false,
    }
}

fn redact(value: &mut Value) {
    match value {
        Value::String(string) => *string = strip(string).into_owned(),
        Value::Array(values) => values.iter_mut().for_each(redact),
        Value::Object(fields) => {
            *fields = std::mem::take(fields)
                .into_iter()
                .map(|(name, mut value)| {
                    redact(&mut value);
                    (strip(&name).into_owned(), value)
                })
                .collect();
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(kind: EventKind, prompt: Option<&str>) -> Event {
        Event {
            agent: "codex",
            raw_name: String::new(),
            kind,
            session: None,
            cwd: None,
            project: None,
            tool: None,
            prompt: prompt.map(str::to_owned),
            subagent: false,
            transcript: None,
            model: None,
            permission_mode: None,
        }
    }

    /// What an agent reports is about passwords in general, as a program's output is.
    #[test]
    fn a_password_of_plain_words_is_in_no_prompt_that_is_recorded() {
        let told = "my password for the test box is hunter, log in";
        let asked = event(EventKind::Prompt, Some(told));
        let clean = without_secrets(&asked);
        assert_eq!(clean.prompt, Some(told.replace("hunter", text::TYPED_PASSWORD)));
        let answered = event(EventKind::Answer { text: Some(told.to_owned()) }, Some("log in, please"));
        assert_eq!(*without_secrets(&answered), answered);
    }
}
