//! The actions of the tool `memory`: each reads its arguments and returns the work.

use std::sync::Arc;

use contract::Error;
use serde_json::Value;
use system::{Arguments, CallContext, ParsedCall, ReplyFuture};

use super::super::conventions;
use super::super::reply_text::ReplyFormat;
use super::super::run_action::{job, run};
use super::{
    beginning_at, for_good, id, is_dry_run, namespace, no_namespace, non_blank, share_of_one, shows_first,
    size, tags, with_note,
};
use crate::actions::{
    self, Capture, Consolidate, DeleteAll, Enrich, Gc, Import, RecallArgs, Update, Writes, previewed,
};
use crate::domain::quoted_beginning;

/// Remembers a text.
pub(super) fn capture(args: &mut Arguments) -> Result<ParsedCall, Error> {
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
    Ok(job(ReplyFormat::Json, move |context| {
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
    }))
}

/// Finds or lists memories.
pub(super) fn recall(args: &mut Arguments) -> Result<ParsedCall, Error> {
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
        limit: args.limit()?,
        offset: size(args, "offset")?,
        min_score: share_of_one(args, "min_score")?,
        user_id: non_blank(args, "user_id")?,
        agent_id: non_blank(args, "agent_id")?,
        ages: ages || kind_given,
    };
    Ok(job(ReplyFormat::Pages, move |context| {
        actions::refresh_shared(context);
        // Memories of the code name files, which may have been renamed a moment ago.
        if given.ages
            && let Err(failure) = actions::follow_renames_once(context)
        {
            log::info!("what was renamed is followed later: {}", failure.message);
        }
        actions::recall_memories(context, &given).map(|page| beginning_at(page, given.offset))
    }))
}

/// One memory, from a place in its text on.
pub(super) fn get(args: &mut Arguments) -> Result<ParsedCall, Error> {
    let (id, offset) = (id(args)?, size(args, "offset")?.unwrap_or(0));
    Ok(job(ReplyFormat::Pages, move |context| {
        let mut whole = actions::get(context, &id)?;
        let Some(content) = whole["content"].as_str() else { return Ok(whole) };
        let from = content.floor_char_boundary(offset);
        let rest = content[from..].to_owned();
        whole["content"] = rest.into();
        Ok(beginning_at(whole, Some(from)))
    }))
}

/// Changes a memory.
pub(super) fn update(args: &mut Arguments) -> Result<ParsedCall, Error> {
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
    Ok(job(ReplyFormat::Json, move |context| {
        previewed(context, dry_run, Writes::SharedFiles, |context| actions::update(context, &id, &given))
    }))
}

/// Deletes a memory.
pub(super) fn delete(args: &mut Arguments) -> Result<ParsedCall, Error> {
    let (id, hard) = (id(args)?, args.boolean("hard")?.unwrap_or(false));
    let dry_run = is_dry_run(args)?;
    Ok(job(ReplyFormat::Json, move |context| {
        previewed(context, dry_run, Writes::SharedFiles, |context| actions::delete(context, &id, hard))
            .map(|out| for_good(context, hard, out))
    }))
}

/// Deletes what a filter selects.
pub(super) fn delete_all(args: &mut Arguments) -> Result<ParsedCall, Error> {
    let given = DeleteAll {
        filter: args.string("filter")?,
        user_id: args.string("user_id")?,
        hard: args.boolean("hard")?.unwrap_or(false),
        confirmed: args.boolean("dry_run")? == Some(false),
    };
    Ok(job(ReplyFormat::Json, move |context| {
        actions::delete_all(context, &given).map(|out| for_good(context, given.hard, out))
    }))
}

/// Brings a deleted memory back.
pub(super) fn restore(args: &mut Arguments) -> Result<ParsedCall, Error> {
    let (id, dry_run) = (id(args)?, is_dry_run(args)?);
    Ok(job(ReplyFormat::Json, move |context| {
        previewed(context, dry_run, Writes::Database, |context| actions::restore(context, &id))
    }))
}

/// The changes of a memory.
pub(super) fn history(args: &mut Arguments) -> Result<ParsedCall, Error> {
    let id = id(args)?;
    let (limit, offset) = (args.limit()?, size(args, "offset")?);
    Ok(job(ReplyFormat::Pages, move |context| {
        actions::history(context, &id, (limit, offset)).map(|page| beginning_at(page, offset))
    }))
}

/// Removes what is old, of merged branches, or damaged.
pub(super) fn gc(args: &mut Arguments) -> Result<ParsedCall, Error> {
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
    Ok(Box::new(move |at: CallContext| -> ReplyFuture {
        let host = at.host.clone();
        run(at, ReplyFormat::Json, move |context| {
            actions::gc(context, &Gc { folders: system::folders(&*host), ..given })
                .map(|out| for_good(context, purge, with_note(out, note)))
        })
    }))
}

/// Merges memories that say the same.
pub(super) fn consolidate(args: &mut Arguments) -> Result<ParsedCall, Error> {
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
    Ok(job(ReplyFormat::Json, move |context| match one {
        Some(_) => actions::consolidate(context, &given).map(|out| with_note(out, note)),
        None => actions::preview_everywhere(context, &given)
            .map(|out| with_note(out, Some("nothing was changed; name a namespace to have it done"))),
    }))
}

/// Adds tags, structure or context to a memory.
pub(super) fn enrich(args: &mut Arguments) -> Result<ParsedCall, Error> {
    let id = id(args)?;
    let given = Enrich {
        tags: args.boolean("enrich_tags")?.unwrap_or(true),
        structure: args.boolean("enrich_structure")?.unwrap_or(true),
        context: args.boolean("add_context")?.unwrap_or(false),
        dry_run: args.boolean("dry_run")?.unwrap_or(false),
    };
    Ok(job(ReplyFormat::Json, move |context| actions::enrich(context, &id, &given)))
}

/// Makes the index again.
pub(super) fn reindex(args: &mut Arguments) -> Result<ParsedCall, Error> {
    let (path, dry_run) = (args.path("repo_path")?, is_dry_run(args)?);
    Ok(job(ReplyFormat::Json, move |context| {
        // One database contains every project; a path that can't be meant is a mistake all the same.
        let whole = path.map(|path| context.root.as_ref().map_or(path.clone(), |root| root.join(path)));
        if let Some(path) = whole.filter(|path| !path.is_dir()) {
            return Err(actions::Failure::invalid(format!(
                "repo_path {} isn't a folder; leave it out, one index has every project",
                quoted_beginning(&path.to_string_lossy())
            )));
        }
        previewed(context, dry_run, Writes::Database, actions::reindex)
    }))
}

/// Does nothing: in the specification, one of two stores is brought up to date with the other.
pub(super) fn sync(args: &mut Arguments) -> Result<ParsedCall, Error> {
    args.choice("direction", &[("push", ()), ("fetch", ()), ("full", ())])?;
    Ok(job(ReplyFormat::Json, |_| {
        Ok(serde_json::json!({
            "message": "sync is deprecated: SQLite is the authoritative storage; share puts a memory into the repository.",
            "status": "deprecated",
        }))
    }))
}

/// What waits for review.
pub(super) fn review(args: &mut Arguments) -> Result<ParsedCall, Error> {
    let (limit, offset) = (args.limit()?, size(args, "offset")?);
    Ok(job(ReplyFormat::Pages, move |context| {
        actions::review(context, limit, offset).map(|page| beginning_at(page, offset))
    }))
}

/// Keeps what waits for review.
pub(super) fn keep(args: &mut Arguments) -> Result<ParsedCall, Error> {
    let (id, dry_run) = (id(args)?, is_dry_run(args)?);
    Ok(job(ReplyFormat::Json, move |context| {
        previewed(context, dry_run, Writes::of_new(context), |context| {
            actions::decide_review(context, &id, true)
        })
    }))
}

/// Drops what waits for review.
pub(super) fn discard(args: &mut Arguments) -> Result<ParsedCall, Error> {
    let (id, dry_run) = (id(args)?, is_dry_run(args)?);
    Ok(job(ReplyFormat::Json, move |context| {
        previewed(context, dry_run, Writes::Database, |context| actions::decide_review(context, &id, false))
    }))
}

/// Writes a memory into the project's repository.
pub(super) fn share(args: &mut Arguments) -> Result<ParsedCall, Error> {
    let (id, dry_run) = (id(args)?, is_dry_run(args)?);
    Ok(job(ReplyFormat::Json, move |context| {
        previewed(context, dry_run, Writes::SharedFiles, |context| actions::share(context, &id))
    }))
}

/// Removes a memory from the project's repository.
pub(super) fn unshare(args: &mut Arguments) -> Result<ParsedCall, Error> {
    let (id, dry_run) = (id(args)?, is_dry_run(args)?);
    Ok(job(ReplyFormat::Json, move |context| {
        previewed(context, dry_run, Writes::SharedFiles, |context| actions::unshare(context, &id))
    }))
}

/// Memories as a file.
pub(super) fn export(args: &mut Arguments) -> Result<ParsedCall, Error> {
    let (filter, format) =
        (args.string("filter")?.unwrap_or_default(), args.string("format")?.unwrap_or_default());
    let whole = ReplyFormat::Document {
        key: "content",
        count: "count",
        too_long: "Name fewer in filter, or have the file written in a terminal: `plimsoll memory export FILTER --format json > memories.json`.",
    };
    Ok(job(whole, move |context| actions::export(context, &filter, &format)))
}

/// Reads memories from a file or folder.
pub(super) fn import(args: &mut Arguments) -> Result<ParsedCall, Error> {
    let given = Import {
        path: args.path("path")?.ok_or_else(|| args.missing("path"))?,
        namespace: non_blank(args, "namespace")?,
        domain: non_blank(args, "domain")?,
        pending: args.boolean("pending")?.unwrap_or(false),
        dry_run: args.boolean("dry_run")?.unwrap_or(false),
        readable: None,
    };
    Ok(Box::new(move |at: CallContext| -> ReplyFuture {
        Box::pin(async move {
            // What an agent can't read with its own tools, it can't read this way either.
            let readable = Arc::clone(&at.host).readable(at.call.clone()).await?;
            let given = Import { readable: Some(readable), ..given };
            run(at, ReplyFormat::Json, move |context| actions::import(context, &given)).await
        })
    }))
}
