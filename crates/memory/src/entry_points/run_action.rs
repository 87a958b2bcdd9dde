//! Runs an action and turns its result into a bounded reply.

use std::sync::atomic::Ordering;
use std::time::Duration;

use contract::{Error, ErrorCode, Reply};
use home::Project;
use serde_json::Value;
use system::{At, Job, Work};

use crate::actions::ActionContext;
use crate::store::{Actor, Secrets};

/// How long the command line waits for a change to reach the organisation's server; the change is stored locally in
/// any case.
const SEND_TIME_LIMIT: Duration = Duration::from_millis(700);

/// Maximum size of a reply.
const MAX_BYTES: usize = 24_000;

/// The name of a client that isn't a known agent.
const UNKNOWN_AGENT: &str = "agent";

/// The caller's action context.
pub(super) fn context(at: &At) -> ActionContext {
    let project = at.host.has_project().then(|| at.host.project());
    context_in(at, project.as_ref())
}

/// The same in another project than the process's own, or in none.
pub(super) fn context_in(at: &At, project: Option<&Project>) -> ActionContext {
    let host = &at.host;
    let person = at.call.is_of_person();
    let who = Actor {
        at_ms: host.now_ms(),
        client: (!person).then(|| at.call.agent_id().unwrap_or(UNKNOWN_AGENT).to_owned()),
        session: (!person).then(|| at.call.session.clone()),
    };
    let mut context = ActionContext::in_project(&crate::paths::database(host.home()), project, who);
    context.secrets = secrets(host.settings());
    context.org_server = crate::org::server(host.settings());
    context.embedder = crate::embedding::embedder(host.home(), host.settings());
    context.model = crate::model::model(host.home(), host.settings());
    context.sampling = at.call.sampling.clone();
    context
}

/// How the settings handle secrets.
pub(super) fn secrets(settings: &home::Settings) -> Secrets {
    match settings.own("memory.secrets").and_then(Value::as_str) {
        Some("refuse") => Secrets::Refuse,
        _ => Secrets::default(),
    }
}

/// How a reply becomes text.
#[derive(Clone, Copy)]
pub(super) enum ReplyFormat {
    /// As JSON, as the specification defines it.
    Json,
    /// Only the text under this key, to be used as it is.
    Text(&'static str),
}

/// Runs an action on a thread that may wait for the disk.
pub(super) fn run(
    at: At,
    format: ReplyFormat,
    action: impl FnOnce(&ActionContext) -> crate::actions::Reply + Send + 'static,
) -> Work {
    Box::pin(async move {
        let context = context(&at);
        let person = at.call.is_of_person();
        let done = tokio::task::spawn_blocking(move || {
            let done = action(&context);
            if context.wrote.load(Ordering::Relaxed)
                && let Some(link) = context.org_connection()
            {
                // A command line ends with its reply; a server exchanges later.
                let patience = if person { SEND_TIME_LIMIT } else { Duration::ZERO };
                link.exchange(context.project.as_deref(), patience);
            }
            done
        })
        .await;
        let data = done.map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))??;
        Ok(reply(data, format, person))
    })
}

/// The job that runs an action.
pub(super) fn job(
    format: ReplyFormat,
    action: impl FnOnce(&ActionContext) -> crate::actions::Reply + Send + 'static,
) -> Job {
    Box::new(move |at| run(at, format, action))
}

fn reply(data: Value, format: ReplyFormat, person: bool) -> Reply {
    let text = match format {
        ReplyFormat::Text(key) if data[key].is_string() => {
            let text = data[key].as_str().unwrap_or_default();
            let end = text.floor_char_boundary(MAX_BYTES);
            let rest = text.len() - end;
            let more = if rest > 0 { format!("\n… {rest} bytes more") } else { String::new() };
            format!("{}{more}", &text[..end])
        }
        _ if person => super::terminal_text::render(&data),
        _ => bound_reply(data.clone()).to_string(),
    };
    Reply::plain(text).with_data(data)
}

/// Bounds a reply: shortens a list and names the next page's offset, or cuts a long text.
fn bound_reply(mut data: Value) -> Value {
    let lists =
        ["results", "pending", "entities", "relationships", "history", "candidate_merges", "neighbors"];
    if data.to_string().len() <= MAX_BYTES {
        return data;
    }
    if let Some(content) = data["content"].as_str() {
        let end = content.floor_char_boundary(MAX_BYTES * 3 / 4);
        let (shown, bytes) = (content[..end].to_owned(), content.len());
        data["content"] = shown.into();
        data["content_bytes"] = bytes.into();
        data["next_offset"] = end.into();
    }
    for list in lists {
        while data.to_string().len() > MAX_BYTES {
            let Some(all) = data[list].as_array_mut().filter(|all| all.len() > 1) else { break };
            all.truncate(all.len() * 3 / 4);
            let shown = all.len();
            let from = data["offset"].as_u64().unwrap_or(0);
            data["next_offset"] = (from + shown as u64).into();
        }
        // A single item may be too long by itself.
        if let Some(all) = data[list].as_array_mut() {
            for one in all {
                if let Some(content) = one["content"].as_str().filter(|content| content.len() > MAX_BYTES / 2)
                {
                    let shown = format!(
                        "{}… (get shows the rest)",
                        &content[..content.floor_char_boundary(MAX_BYTES / 2)]
                    );
                    one["content"] = shown.into();
                }
            }
        }
    }
    data
}
