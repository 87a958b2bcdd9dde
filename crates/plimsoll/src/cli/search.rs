//! `search`: searches what's indexed in a project, and its recorded sessions.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use contract::{Order, System};
use service::Call;

use super::Context;
use super::terminal::{CommandResult, Exit};

/// `search`
#[derive(Debug, Clone, Args)]
pub(crate) struct Search {
    /// What to look for; each argument gets its own answer
    #[arg(required = true, value_name = "QUERY")]
    pub(crate) queries: Vec<String>,
    /// Only this source, or those whose names begin like this
    #[arg(value_parser = super::args::name, long, short)]
    pub(crate) source: Option<String>,
    /// Only passages with code, or only without
    #[arg(long, value_enum)]
    pub(crate) kind: Option<Kind>,
    /// Passages per query
    #[arg(long, short = 'n', default_value_t = 3)]
    pub(crate) limit: usize,
    /// Passages to skip, for paging
    #[arg(long, default_value_t = 0)]
    pub(crate) offset: usize,
    /// Newest first instead of best first
    #[arg(long)]
    pub(crate) newest: bool,
    /// Search in recorded sessions too
    #[arg(long)]
    pub(crate) sessions: bool,
    /// The project's folder, instead of the working folder's
    #[arg(long, value_name = "FOLDER")]
    pub(crate) project: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which passages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// With code
    Code,
    /// Without code
    Prose,
}

/// `plimsoll search`
pub(super) fn search(context: &Context, args: Search) -> CommandResult {
    context.choose_project(args.project.as_deref())?;
    let mut request = contract::Search::of(args.queries);
    request.source = args.source.map(|source| context.source_name(&source));
    request.kind = args.kind.map(|kind| match kind {
        Kind::Code => contract::Kind::Code,
        Kind::Prose => contract::Kind::Prose,
    });
    request.limit = args.limit.clamp(1, 50);
    request.offset = args.offset;
    if args.newest {
        request.order = Order::Time;
    }
    if args.sessions {
        request.systems = vec![System::Knowledge, System::Sessions];
    }
    let reply = context.wait(context.service.unified_search(&Call::from_user(), request))?;
    let exit = context.print_reply(&reply, args.json)?;
    // Nothing stored is null; nothing found is a list of empty lists.
    let hits = |value: &serde_json::Value| {
        value.get("per_query").and_then(|queries| queries.as_array()).is_some_and(|queries| {
            queries.iter().any(|query| {
                query.get("hits").and_then(|hits| hits.as_array()).is_some_and(|hits| !hits.is_empty())
            })
        })
    };
    let some = |query: &serde_json::Value, key: &str| {
        query.get(key).and_then(|found| found.as_array()).is_some_and(|found| !found.is_empty())
    };
    let recorded = |queries: &serde_json::Value| {
        queries
            .as_array()
            .is_some_and(|queries| queries.iter().any(|query| some(query, "facts") || some(query, "events")))
    };
    // A memory at its address is there or an error.
    let found = reply.data.get("knowledge").is_some_and(hits)
        || reply.data.get("sessions").is_some_and(recorded)
        || reply.data.get("address").is_some();
    if exit != Exit::Done || found {
        return Ok(exit);
    }
    // Where nothing is stored at all, the reply names the next step.
    if !args.json && reply.data.get("knowledge").is_some_and(|found| !found.is_null()) {
        let also = if args.sessions { "" } else { "; --sessions looks in recorded sessions, too" };
        context.terminal.line(format!("`plimsoll sources` lists what was searched{also}."))?;
    }
    Ok(Exit::Nothing)
}
