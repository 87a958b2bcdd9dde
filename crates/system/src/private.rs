//! An event without its private spans and secrets, before anything of it is cut: half a secret is not recognised. Where a
//! span begins and ends is `sessions`', and what a secret is `text`'s.

use std::borrow::Cow;

use agents::{Event, EventKind, ToolKind};
use serde_json::Value;

/// Without private spans and secrets; borrows where there are none.
fn strip(text: &str) -> Cow<'_, str> {
    match sessions::without_private(text) {
        Cow::Borrowed(text) => text::redact(text),
        Cow::Owned(text) => Cow::Owned(text::redact(&text).into_owned()),
    }
}

/// The event as it may be written down. Borrows when nothing in it is private or secret.
pub fn writable(event: &Event) -> Cow<'_, Event> {
    if !is_touched(event) {
        return Cow::Borrowed(event);
    }
    let mut event = event.clone();
    if let Some(prompt) = &mut event.prompt {
        *prompt = strip(prompt).into_owned();
    }
    if let Some(text) = written(&mut event.kind) {
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
        clear(&mut call.input);
        if let Some(output) = &mut call.output {
            output.text = strip(&output.text).into_owned();
            clear(&mut output.raw);
        }
    }
    Cow::Owned(event)
}

/// What a model wrote, for events that carry it.
fn written(kind: &mut EventKind) -> Option<&mut String> {
    match kind {
        EventKind::SubagentStop { report: text } | EventKind::Answer { text } => text.as_mut(),
        _ => None,
    }
}

fn is_touched(event: &Event) -> bool {
    let text = |text: &str| matches!(strip(text), Cow::Owned(_));
    let call = event.tool.as_ref();
    // What the kind says is part of the input.
    event.prompt.as_deref().is_some_and(text)
        || written(&mut event.kind.clone()).is_some_and(|written| text(written))
        || call.is_some_and(|call| {
            holds(&call.input, &text)
                || call.output.as_ref().is_some_and(|output| text(&output.text) || holds(&output.raw, &text))
        })
}

fn holds(value: &Value, text: &impl Fn(&str) -> bool) -> bool {
    match value {
        Value::String(string) => text(string),
        Value::Array(values) => values.iter().any(|value| holds(value, text)),
        Value::Object(fields) => fields.iter().any(|(name, value)| text(name) || holds(value, text)),
        _ => false,
    }
}

fn clear(value: &mut Value) {
    match value {
        Value::String(string) => *string = strip(string).into_owned(),
        Value::Array(values) => values.iter_mut().for_each(clear),
        Value::Object(fields) => {
            *fields = std::mem::take(fields)
                .into_iter()
                .map(|(name, mut value)| {
                    clear(&mut value);
                    (strip(&name).into_owned(), value)
                })
                .collect();
        }
        _ => {}
    }
}
