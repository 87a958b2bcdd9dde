//! The tool `memory`: its arguments, under Plimsoll's names and the specification's.

use std::sync::Arc;

use contract::Error;
use serde_json::Value;
use system::{Arguments, CallContext, ParsedCall, ReplyFuture, clamp};

use super::conventions;
use super::memory_actions::{ACTIONS, Action, TOOLS, USES};
use super::reply_text::ReplyFormat;
use super::run_action::{job, run};
use crate::actions::{
    self, ActionContext, Capture, Consolidate, DeleteAll, Enrich, Gc, Import, RecallArgs, Update, Writes,
    previewed,
};
use crate::domain::{Namespace, quoted_beginning};

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
        None => args.choice("action", ACTIONS)?.ok_or_else(|| args.missing("action"))?,
    };
    args.explain_unused(action, USES, ACTIONS);
    let json = ReplyFormat::Json;
    Ok(match action {
        Action::Capture => {
            let mut all = tags(args)?.unwrap_or_default();
            let (content, namespace) = match conventions::parse_capture(args)? {
                Some((content, namespace, more)) => {
                    all.extend(more);
                    (content, namespace)
                }
                None => {
                    let content = args.text("content")?.ok_or_else(|| args.missing("content"))?;
                    (content, namespace(args)?)
                }
            };
            let given = Capture {
                content,
                namespace,
                domain: non_blank(args, "domain")?,
                tags: all,
                source: args.string("source")?,
                ttl: non_blank(args, "ttl")?,
                supersedes: args.strings("supersedes")?,
                conflicts: args.strings("conflicts")?,
                refines: args.strings("refines")?,
                author: args.string("author")?,
                trust: None,
            };
            let dry_run = is_dry_run(args)?;
            job(json, move |context| {
                previewed(context, dry_run, Writes::of_new(context), |context| {
                    let mut out = actions::capture(context, &given)?;
                    if dry_run && out.get("duplicate").is_none() {
                        // Nothing will have this id, which is in the file's name as well.
                        out["id"] = Value::Null;
                        out["urn"] = Value::Null;
                        if out.get("file").is_some() {
                            out["file"] = format!("{}/", actions::SHARED_FOLDER).into();
                        }
                    }
                    Ok(out)
                })
            })
        }
        Action::Recall => {
            let ages = args.tool() == "get_memory";
            let (kind, category) = conventions::parse_recall(args)?;
            let kind_given = kind.is_some();
            let namespace = non_blank(args, "namespace")?.or(kind);
            // Memories about the code have four kinds.
            let among = if ages && namespace.is_none() { conventions::namespaces() } else { Vec::new() };
            let filter = match (args.string("filter")?, category) {
                (Some(filter), Some(category)) => Some(format!("{filter} {category}")),
                (filter, category) => filter.or(category),
            };
            let given = RecallArgs {
                query: args.string("query")?,
                filter,
                namespace,
                among,
                entity: non_blank(args, "entity")?,
                mode: non_blank(args, "mode")?,
                detail: non_blank(args, "detail")?,
                limit: size(args, "limit")?,
                offset: size(args, "offset")?,
                min_score: share_of_one(args, "min_score")?,
                user_id: non_blank(args, "user_id")?,
                agent_id: non_blank(args, "agent_id")?,
                ages: ages || kind_given,
            };
            job(ReplyFormat::Pages, move |context| {
                actions::refresh_shared(context);
                actions::recall_memories(context, &given).map(|page| beginning_at(page, given.offset))
            })
        }
        Action::Get => {
            let (id, offset) = (id(args)?, size(args, "offset")?.unwrap_or(0));
            job(ReplyFormat::Pages, move |context| {
                let mut whole = actions::get(context, &id)?;
                let Some(content) = whole["content"].as_str() else { return Ok(whole) };
                let from = content.floor_char_boundary(offset);
                let rest = content[from..].to_owned();
                whole["content"] = rest.into();
                Ok(beginning_at(whole, Some(from)))
            })
        }
        Action::Update => {
            let id = id(args)?;
            let given = Update {
                content: args.text("content")?,
                tags: tags(args)?,
                namespace: non_blank(args, "namespace")?,
                source: args.string("source")?,
                ttl: non_blank(args, "ttl")?,
                version: args.unsigned("version")?.map(|version| u32::try_from(version).unwrap_or(u32::MAX)),
            };
            let dry_run = is_dry_run(args)?;
            job(json, move |context| {
                previewed(context, dry_run, Writes::SharedFiles, |context| {
                    actions::update(context, &id, &given)
                })
            })
        }
        Action::Delete => {
            let (id, hard) = (id(args)?, args.boolean("hard")?.unwrap_or(false));
            let dry_run = is_dry_run(args)?;
            job(json, move |context| {
                previewed(context, dry_run, Writes::SharedFiles, |context| {
                    actions::delete(context, &id, hard)
                })
                .map(|out| for_good(context, hard, out))
            })
        }
        Action::DeleteAll => {
            let given = DeleteAll {
                filter: args.string("filter")?,
                user_id: args.string("user_id")?,
                hard: args.boolean("hard")?.unwrap_or(false),
                confirmed: args.boolean("dry_run")? == Some(false),
            };
            job(json, move |context| {
                actions::delete_all(context, &given).map(|out| for_good(context, given.hard, out))
            })
        }
        Action::Restore => {
            let (id, dry_run) = (id(args)?, is_dry_run(args)?);
            job(json, move |context| {
                previewed(context, dry_run, Writes::Database, |context| actions::restore(context, &id))
            })
        }
        Action::History => {
            let id = id(args)?;
            let (limit, offset) = (size(args, "limit")?, size(args, "offset")?);
            job(ReplyFormat::Pages, move |context| {
                actions::history(context, &id, (limit, offset)).map(|page| beginning_at(page, offset))
            })
        }
        Action::Status => job(json, actions::status),
        Action::Namespaces => job(json, |_| Ok(actions::namespaces())),
        Action::Gc => {
            let (dry_run, note) = shows_first(args)?;
            let given = Gc {
                dry_run,
                branch: non_blank(args, "branch")?,
                purge: args.boolean("purge")?.unwrap_or(false),
                older_than: non_blank(args, "older_than")?,
                damaged_copies: args.boolean("damaged_copies")?.unwrap_or(false),
                folders: Vec::new(),
            };
            let purge = given.purge;
            Box::new(move |at| {
                let host = at.host.clone();
                run(at, json, move |context| {
                    actions::gc(context, &Gc { folders: system::folders(&*host), ..given })
                        .map(|out| for_good(context, purge, with_note(out, note)))
                })
            })
        }
        Action::Consolidate => {
            let (dry_run, note) = shows_first(args)?;
            // Without a namespace all are looked through, to be shown.
            let everywhere = dry_run && args.tool() == "memory";
            let one = non_blank(args, "namespace")?;
            if one.is_none() && !everywhere {
                return Err(no_namespace(args.tool()));
            }
            let given = Consolidate {
                namespace: one.clone().unwrap_or_default(),
                strategy: non_blank(args, "strategy")?,
                query: args.string("query")?,
                dry_run,
                similarity: share_of_one(args, "similarity")?,
            };
            job(json, move |context| match one {
                Some(_) => actions::consolidate(context, &given).map(|out| with_note(out, note)),
                None => actions::preview_everywhere(context, &given)
                    .map(|out| with_note(out, Some("nothing was changed; name a namespace to have it done"))),
            })
        }
        Action::Enrich => {
            let id = id(args)?;
            let given = Enrich {
                tags: args.boolean("enrich_tags")?.unwrap_or(true),
                structure: args.boolean("enrich_structure")?.unwrap_or(true),
                context: args.boolean("add_context")?.unwrap_or(false),
                dry_run: args.boolean("dry_run")?.unwrap_or(false),
            };
            job(json, move |context| actions::enrich(context, &id, &given))
        }
        Action::Reindex => {
            let (path, dry_run) = (args.path("repo_path")?, is_dry_run(args)?);
            job(json, move |context| {
                // One database contains every project; a path that can't be meant is a mistake all the same.
                let whole =
                    path.map(|path| context.root.as_ref().map_or(path.clone(), |root| root.join(path)));
                if let Some(path) = whole.filter(|path| !path.is_dir()) {
                    return Err(actions::Failure::invalid(format!(
                        "repo_path {} isn't a folder; leave it out, one index has every project",
                        quoted_beginning(&path.to_string_lossy())
                    )));
                }
                previewed(context, dry_run, Writes::Database, actions::reindex)
            })
        }
        Action::Sync => {
            args.choice("direction", &[("push", ()), ("fetch", ()), ("full", ())])?;
            job(json, |_| {
                Ok(serde_json::json!({
                    "message": "sync is deprecated: SQLite is the authoritative storage; share puts a memory into the repository.",
                    "status": "deprecated",
                }))
            })
        }
        Action::Review => {
            let (limit, offset) = (size(args, "limit")?, size(args, "offset")?);
            job(ReplyFormat::Pages, move |context| {
                actions::review(context, limit, offset).map(|page| beginning_at(page, offset))
            })
        }
        Action::Keep => {
            let (id, dry_run) = (id(args)?, is_dry_run(args)?);
            job(json, move |context| {
                previewed(context, dry_run, Writes::of_new(context), |context| {
                    actions::decide_review(context, &id, true)
                })
            })
        }
        Action::Drop => {
            let (id, dry_run) = (id(args)?, is_dry_run(args)?);
            job(json, move |context| {
                previewed(context, dry_run, Writes::Database, |context| {
                    actions::decide_review(context, &id, false)
                })
            })
        }
        Action::Share => {
            let (id, dry_run) = (id(args)?, is_dry_run(args)?);
            job(json, move |context| {
                previewed(context, dry_run, Writes::SharedFiles, |context| actions::share(context, &id))
            })
        }
        Action::Unshare => {
            let (id, dry_run) = (id(args)?, is_dry_run(args)?);
            job(json, move |context| {
                previewed(context, dry_run, Writes::SharedFiles, |context| actions::unshare(context, &id))
            })
        }
        Action::Export => {
            let (filter, format) =
                (args.string("filter")?.unwrap_or_default(), args.string("format")?.unwrap_or_default());
            let whole = ReplyFormat::Document {
                key: "content",
                count: "count",
                too_long: "Name fewer in filter, or have the file written in a terminal: `plimsoll memory export FILTER --format json > memories.json`.",
            };
            job(whole, move |context| actions::export(context, &filter, &format))
        }
        Action::Import => {
            let given = Import {
                path: args.path("path")?.ok_or_else(|| args.missing("path"))?,
                namespace: non_blank(args, "namespace")?,
                domain: non_blank(args, "domain")?,
                pending: args.boolean("pending")?.unwrap_or(false),
                dry_run: args.boolean("dry_run")?.unwrap_or(false),
                readable: None,
            };
            Box::new(move |at: CallContext| -> ReplyFuture {
                Box::pin(async move {
                    // What an agent can't read with its own tools, it can't read this way either.
                    let readable = Arc::clone(&at.host).readable(at.call.clone()).await?;
                    let given = Import { readable: Some(readable), ..given };
                    run(at, json, move |context| actions::import(context, &given)).await
                })
            })
        }
    })
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
    Error::invalid(format!("{tool}: namespace is missing; there are {}", Namespace::names()))
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
