//! The tool `memory`: its arguments, under Plimsoll's names and the specification's.

mod jobs;

use contract::Error;
use serde_json::Value;
use system::{Arguments, ParsedCall, clamp};

use super::memory_actions::{ACTIONS, Action, TOOLS, USES};
use super::reply_text::ReplyFormat;
use super::run_action::job;
use crate::actions::{self, ActionContext};
use crate::domain::Namespace;

/// The id under any of its names.
fn id(args: &mut Arguments) -> Result<String, Error> {
    let given = [non_blank(args, "id")?, non_blank(args, "memory_id")?, non_blank(args, "urn")?];
    given.into_iter().flatten().next().ok_or_else(|| args.missing("id"))
}

fn size(args: &mut Arguments, name: &'static str) -> Result<Option<usize>, Error> {
    Ok(args.unsigned(name)?.map(clamp))
}

fn share_of_one(args: &mut Arguments, name: &'static str) -> Result<Option<f64>, Error> {
    let Some(text) = non_blank(args, name)? else { return Ok(None) };
    text.trim().parse().map(Some).map_err(|_| args.wrong(name, "a number between 0 and 1", &text.into()))
}

/// A text that isn't needed; an empty one is as good as none, because models fill in what they don't mean.
pub(super) fn non_blank(args: &mut Arguments, name: &'static str) -> Result<Option<String>, Error> {
    Ok(args.string(name)?.filter(|text| !text.trim().is_empty()))
}

/// Parses a call.
pub(super) fn read(args: &mut Arguments) -> Result<ParsedCall, Error> {
    let action = match ACTIONS.iter().chain(TOOLS).find(|(name, _)| *name == args.tool()) {
        Some((_, action)) => {
            // The older tools' definitions list it, so it may be present.
            args.take("action");
            *action
        }
        None => args.required_choice("action", ACTIONS)?,
    };
    args.explain_unused(action, USES, ACTIONS);
    match action {
        Action::Capture => jobs::capture(args),
        Action::Recall => jobs::recall(args),
        Action::Get => jobs::get(args),
        Action::Update => jobs::update(args),
        Action::Delete => jobs::delete(args),
        Action::DeleteAll => jobs::delete_all(args),
        Action::Restore => jobs::restore(args),
        Action::History => jobs::history(args),
        Action::Status => Ok(job(ReplyFormat::Json, actions::status)),
        Action::Namespaces => Ok(job(ReplyFormat::Json, |_| Ok(actions::namespaces()))),
        Action::Gc => jobs::gc(args),
        Action::Consolidate => jobs::consolidate(args),
        Action::Enrich => jobs::enrich(args),
        Action::Reindex => jobs::reindex(args),
        Action::Sync => jobs::sync(args),
        Action::Review => jobs::review(args),
        Action::Keep => jobs::keep(args),
        Action::Drop => jobs::discard(args),
        Action::Share => jobs::share(args),
        Action::Unshare => jobs::unshare(args),
        Action::Export => jobs::export(args),
        Action::Import => jobs::import(args),
    }
}

/// A reply that says where it begins, unless that is the beginning.
pub(super) fn beginning_at(mut page: Value, offset: Option<usize>) -> Value {
    if let Some(offset) = offset.filter(|offset| *offset > 0) {
        page["offset"] = offset.into();
    }
    page
}

/// The reply to a removal; one for good tells where else the texts may be.
fn for_good(context: &ActionContext, is_for_good: bool, out: Value) -> Value {
    if is_for_good { actions::with_damaged_copies(context, out) } else { out }
}

/// Whether only to show what would be done.
fn is_dry_run(args: &mut Arguments) -> Result<bool, Error> {
    Ok(args.boolean("dry_run")?.unwrap_or(false))
}

/// The same for an action on many memories. Under Plimsoll's own name it shows them first, with a note on how to go on; under
/// the specification's it acts unless asked not to, as that says.
fn shows_first(args: &mut Arguments) -> Result<(bool, Option<&'static str>), Error> {
    let given = args.boolean("dry_run")?;
    let first = given.is_none() && args.tool() == "memory";
    Ok((given.unwrap_or(first), first.then_some("nothing was changed; dry_run false does it")))
}

fn with_note(mut out: Value, note: Option<&str>) -> Value {
    match (note, out.get("note").and_then(Value::as_str).map(str::to_owned)) {
        (Some(note), Some(there)) => out["note"] = format!("{there}; {note}").into(),
        (Some(note), None) => out["note"] = note.into(),
        (None, _) => {}
    }
    out
}

/// The required namespace; the error lists all of them.
fn namespace(args: &mut Arguments) -> Result<String, Error> {
    args.string("namespace")?.ok_or_else(|| no_namespace(args.tool()))
}

fn no_namespace(tool: &str) -> Error {
    Error::invalid(format!("{tool}: namespace is missing; allowed: {}", Namespace::names()))
}

/// Tags as a list or separated by commas.
fn tags(args: &mut Arguments) -> Result<Option<Vec<String>>, Error> {
    let Some(given) = args.take("tags") else { return Ok(None) };
    let all = match given {
        Value::String(text) => match system::inner_json(&text) {
            Some(Value::Array(all)) => all,
            _ => text.split(',').map(|tag| tag.trim().into()).collect(),
        },
        Value::Array(all) => all,
        other => return Err(args.wrong("tags", "a list of strings", &other)),
    };
    all.iter()
        .map(|tag| {
            tag.as_str().map(str::to_owned).ok_or_else(|| args.wrong("tags", "a list of strings", tag))
        })
        .collect::<Result<_, _>>()
        .map(Some)
}
