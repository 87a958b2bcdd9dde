//! `search`, `index`, `sources` and `purge`: the knowledge base of a project.

use std::io::Read as _;
use std::path::PathBuf;
use std::sync::Arc;

use contract::desktop::PurgeWhat;
use contract::{
    ErrorCode, Index as Wanted, Input, Manage, ManageAction, Order, PurgeScope, Reply, System, WebPage,
};
use service::{Call, Progress};

use super::Desk;
use super::args::{Index, Kind, Purge, Search, Sources};
use super::screen::{Ended, Exit, Stop};

/// Text from standard input may be this long, in bytes.
const MAX_INPUT: u64 = 64 * 1024 * 1024;

pub(super) fn print_reply(desk: &Desk, reply: &Reply, json: bool) -> Result<Exit, Stop> {
    if json {
        desk.screen.json(&reply.data)?;
    } else {
        desk.screen.line(reply.text.trim_end())?;
    }
    Ok(if reply.failed { Exit::Failed } else { Exit::Done })
}

/// `plimsoll search`
pub(super) fn search(desk: &Desk, args: Search) -> Ended {
    desk.choose_project(args.project.as_deref())?;
    let mut wanted = contract::Search::of(args.queries);
    wanted.source = args.source;
    wanted.kind = args.kind.map(|kind| match kind {
        Kind::Code => contract::Kind::Code,
        Kind::Prose => contract::Kind::Prose,
    });
    wanted.limit = args.limit.clamp(1, 50);
    wanted.offset = args.offset;
    if args.newest {
        wanted.order = Order::Time;
    }
    if args.sessions {
        wanted.systems = vec![System::Knowledge, System::Sessions];
    }
    let reply = desk.wait(desk.service.search(&Call::of_person(), wanted))?;
    let exit = print_reply(desk, &reply, args.json)?;
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
    let found =
        reply.data.get("knowledge").is_some_and(hits) || reply.data.get("sessions").is_some_and(recorded);
    Ok(if exit == Exit::Done && !found { Exit::Nothing } else { exit })
}

/// `plimsoll index`
pub(super) fn index(desk: &Desk, args: &Index) -> Ended {
    desk.choose_project(args.project.as_deref())?;
    let mut inputs = Vec::new();
    let mut pages = Vec::new();
    for what in &args.what {
        if what == "-" {
            let mut text = String::new();
            std::io::stdin()
                .lock()
                .take(MAX_INPUT)
                .read_to_string(&mut text)
                .map_err(|error| Stop::failed(format!("standard input cannot be read as text: {error}")))?;
            inputs.push(Input::Content(text));
        } else if what.starts_with("http://") || what.starts_with("https://") {
            pages.push(WebPage { url: what.clone(), source: None });
        } else {
            inputs.push(Input::Path(desk.service.env().cwd().join(PathBuf::from(what))));
        }
    }
    if !pages.is_empty() {
        inputs.push(Input::Web(pages));
    }
    if args.source.is_some() && args.what.len() > 1 {
        return Err(Stop::Said(
            Exit::Usage,
            "--source names one thing; index the others by themselves".into(),
        ));
    }
    if args.dry_run {
        for input in &inputs {
            desk.screen.line(format!("would index {}", described(desk, input)))?;
        }
        return Ok(Exit::Done);
    }
    let mut data = Vec::new();
    let mut worst = Exit::Done;
    for input in inputs {
        let mut wanted = Wanted::of(input);
        wanted.source.clone_from(&args.source);
        wanted.include.clone_from(&args.include);
        wanted.exclude.clone_from(&args.exclude);
        wanted.force = args.force;
        let reply = {
            let shown = Arc::new(desk.screen.progress("Indexing …"));
            let mut call = Call::of_person();
            call.progress = Progress::new(move |_, _, words| shown.say(words));
            desk.wait(desk.service.index(&call, wanted))?
        };
        if reply.failed {
            worst = Exit::Failed;
        }
        if args.json {
            data.push(reply.data);
        } else {
            desk.screen.line(reply.text.trim_end())?;
        }
    }
    if args.json {
        desk.screen.json(&data)?;
    }
    Ok(worst)
}

fn described(desk: &Desk, input: &Input) -> String {
    match input {
        Input::Content(text) => format!("{} bytes of standard input", text.len()),
        Input::Path(path) => {
            let kind = if path.is_dir() {
                "the folder"
            } else if path.exists() {
                "the file"
            } else {
                "nothing: there is no"
            };
            format!("{kind} {}", desk.shown(path))
        }
        Input::Web(pages) => {
            let urls: Vec<_> = pages.iter().map(|page| page.url.as_str()).collect();
            urls.join(", ")
        }
    }
}

/// `plimsoll sources`
pub(super) fn sources(desk: &Desk, args: &Sources) -> Ended {
    desk.choose_project(args.project.as_deref())?;
    let reply = desk.wait(desk.service.list_sources(args.offset, args.limit.clamp(1, 1000)))?;
    let empty = reply.data.get("total").and_then(serde_json::Value::as_u64) == Some(0);
    let exit = print_reply(desk, &reply, args.json)?;
    Ok(if empty { Exit::Nothing } else { exit })
}

pub(super) fn manage(action: ManageAction, scope: Option<PurgeScope>) -> Manage {
    Manage { action, scope, confirm: false, now: false, days: None }
}

/// `plimsoll purge`
pub(super) fn purge(desk: &Desk, args: &Purge) -> Ended {
    desk.choose_project(args.project.as_deref())?;
    let scope = if let Some(source) = &args.source {
        PurgeScope::Source(source.clone())
    } else if let Some(session) = &args.session {
        PurgeScope::Session(Some(session.clone()))
    } else if args.everything {
        PurgeScope::Everything
    } else if args.project.is_some() {
        PurgeScope::Project
    } else {
        let how = "say what to purge: --source NAME, --session ID, --project, or --everything";
        return Err(Stop::Said(Exit::Usage, how.into()));
    };
    if args.keep_records {
        return purge_text(desk, args);
    }
    let mut request = Manage { now: args.now, ..manage(ManageAction::Purge, Some(scope)) };
    let asked = desk.outcome(desk.service.manage(&Call::of_person(), request.clone()))?;
    let preview = match asked {
        Err(error) if error.code == ErrorCode::ConfirmationNeeded => {
            // What follows the semicolon is meant for a model.
            error.message.text().split(';').next().unwrap_or_default().to_owned()
        }
        Err(error) => return Err(error.into()),
        Ok(reply) => return print_reply(desk, &reply, args.json),
    };
    if args.dry_run {
        desk.screen.line(format!("{preview}. Nothing was removed (--dry-run)."))?;
        return Ok(Exit::Done);
    }
    if !args.yes {
        if !desk.screen.can_ask() {
            return Err(Stop::Said(Exit::NeedsYou, format!("{preview}; add --yes to do it without asking")));
        }
        desk.screen.line(format!("{preview}."))?;
        let sure = if args.everything {
            desk.screen.ask("Type everything to go on: ")?.as_deref() == Some("everything")
        } else {
            desk.screen.confirm("Remove it?", false)?
        };
        if !sure {
            desk.screen.line("Nothing was removed.")?;
            return Ok(Exit::NeedsYou);
        }
    }
    request.confirm = true;
    let reply = {
        let _working = desk.screen.progress("Removing …");
        desk.wait(desk.service.manage(&Call::of_person(), request))?
    };
    print_reply(desk, &reply, args.json)
}

/// `plimsoll purge --keep-records`: stored text alone, as the window purges it where nothing else was ticked.
fn purge_text(desk: &Desk, args: &Purge) -> Ended {
    let desktop = service::desktop::Desktop::new(desk.service.clone());
    let project = desk.service.home().project(&desk.service.project());
    let project = project.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let scope = match &args.session {
        Some(session) => PurgeWhat::Session { project, session: session.clone() },
        None if args.everything => PurgeWhat::Everything,
        None => PurgeWhat::Project { project },
    };
    let found = desktop.purge_preview(&scope)?;
    let lost = format!("{} sources with {} sections", found.sources, found.chunks);
    if args.dry_run {
        desk.screen.line(format!("this would remove {lost}. Nothing was removed (--dry-run)."))?;
        return Ok(Exit::Done);
    }
    if !args.yes {
        if !desk.screen.can_ask() {
            return Err(Stop::Said(
                Exit::NeedsYou,
                format!("this would remove {lost}; add --yes to do it without asking"),
            ));
        }
        if !desk.screen.confirm(&format!("Remove {lost}?"), false)? {
            desk.screen.line("Nothing was removed.")?;
            return Ok(Exit::NeedsYou);
        }
    }
    let typed = if args.everything { "everything".to_owned() } else { String::new() };
    let removed = desktop.purge(&contract::desktop::Purge { scope, now: args.now, typed, forget: false })?;
    if args.json {
        desk.screen.json(&removed)?;
    } else {
        desk.screen.line(format!("Removed {} sources with {} sections.", removed.sources, removed.chunks))?;
        for one in &removed.trash {
            desk.screen.line(format!("  {}", desk.shown(&one.trash)))?;
        }
    }
    Ok(Exit::Done)
}
