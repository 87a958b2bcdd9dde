//! Parses the arguments of a tool call into a request. Accepts a bare command in place of `{label, command}` and the
//! spellings of older products; doesn't know what a request does.

use contract::{
    Batch, Command, Error, Execute, Index, Input, Kind, Manage, ManageAction, Order, PurgeScope, Search,
    System, Task, TaskAction, WebPage,
};
use serde_json::{Value, json};
use system::{Arguments, clamp, inner_json};

/// One of the six tool requests.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Request {
    Execute(Execute),
    Batch(Batch),
    Index(Index),
    Search(Search),
    Task(Task),
    Manage(Manage),
}

impl Request {
    /// Parses a call.
    pub(crate) fn read(args: &mut Arguments) -> Result<Self, Error> {
        Ok(match args.tool() {
            name @ ("execute" | "execute_file") => Self::Execute(execute(args, name == "execute_file")?),
            "batch" | "batch_execute" => Self::Batch(batch(args)?),
            name @ ("index" | "fetch_and_index") => Self::Index(index(args, name == "fetch_and_index")?),
            "search" => Self::Search(search(args)?),
            "task" => Self::Task(task(args)?),
            name => Self::Manage(manage(args, name)?),
        })
    }
}

fn execute(args: &mut Arguments, needs_path: bool) -> Result<Execute, Error> {
    let (language, code) = (args.string("language")?, args.string("code")?);
    let mut request = Execute {
        language: String::new(),
        code: String::new(),
        path: args.path("path")?,
        intent: args.string("intent")?.filter(|intent| !intent.trim().is_empty()),
        timeout_ms: args.timeout()?,
        background: args.boolean("background")?.unwrap_or(false),
        cwd: args.path("cwd")?,
    };
    request.language = language.ok_or_else(|| args.missing_or_misnamed("language"))?;
    request.code = code.ok_or_else(|| args.missing_or_misnamed("code"))?;
    if needs_path && request.path.is_none() {
        return Err(args.missing("path"));
    }
    Ok(request)
}

fn batch(args: &mut Arguments) -> Result<Batch, Error> {
    let listed = args.list("commands")?;
    let mut queries = args.strings("queries")?;
    queries.retain(|query| !query.trim().is_empty());
    let mut request = Batch {
        commands: Vec::new(),
        queries,
        concurrency: args.concurrency()?.unwrap_or(1),
        timeout_ms: args.timeout()?,
        cwd: args.path("cwd")?,
        search_everything: args
            .choice("query_scope", &[("batch", false), ("global", true)])?
            .unwrap_or(false),
    };
    let listed = listed.ok_or_else(|| args.missing_or_misnamed("commands"))?.into_iter().enumerate();
    request.commands =
        listed.map(|(index, item)| command(args.tool(), index, item)).collect::<Result<_, _>>()?;
    if request.commands.is_empty() {
        return Err(Error::invalid(format!("{}: commands is empty; give at least one command", args.tool())));
    }
    if request.commands.len() > 64 {
        let many = request.commands.len();
        return Err(Error::invalid(format!("{}: {many} commands; give at most 64", args.tool())));
    }
    Ok(request)
}

/// Accepts `{label, command}`, `{command}`, either as JSON in a string, or a bare command.
fn command(tool: &str, index: usize, item: Value) -> Result<Command, Error> {
    let bad = || {
        Error::invalid(format!(
            "{tool}: commands[{index}] is neither a command line nor an object with label and command"
        ))
    };
    let item = match item {
        Value::String(text) => match inner_json(&text) {
            Some(Value::Object(object)) => Value::Object(object),
            _ => json!({"command": text}),
        },
        other => other,
    };
    let Value::Object(mut object) = item else { return Err(bad()) };
    let Some(Value::String(command)) = object.remove("command") else { return Err(bad()) };
    if command.trim().is_empty() {
        return Err(Error::invalid(format!("{tool}: commands[{index}] is empty; give a command line")));
    }
    let label = match object.remove("label") {
        Some(Value::String(label)) if !label.trim().is_empty() => label,
        None | Some(Value::Null | Value::String(_)) => label_of(&command),
        Some(_) => return Err(bad()),
    };
    if let Some(unknown) = object.keys().next() {
        return Err(Error::invalid(format!(
            "{tool}: commands[{index}] has an unknown key {unknown:?}; allowed: label, command"
        )));
    }
    // It heads the command's output in the reply.
    Ok(Command { label: text::one_line(&label).into_owned(), command })
}

/// The label of a command that came without one: its beginning.
fn label_of(command: &str) -> String {
    let line = command.lines().next().unwrap_or_default().trim();
    text::one_line(line).chars().take(60).collect()
}

fn index(args: &mut Arguments, only_web: bool) -> Result<Index, Error> {
    let source = args.string("source")?.filter(|source| !source.trim().is_empty());
    let mut pages = Vec::new();
    if let Some(url) = args.string("url")? {
        pages.push(WebPage { url, source: source.clone() });
    }
    let listed = args.strings("urls")?;
    let single = pages.is_empty() && listed.len() == 1;
    pages.extend(listed.into_iter().map(|url| {
        // One name for several pages: each has it before its address, so that a search within it finds them all.
        let named =
            |source: &String| if single { source.clone() } else { format!("{source} {}", url.trim()) };
        WebPage { source: source.as_ref().map(named), url }
    }));
    for item in args.list("requests")?.unwrap_or_default() {
        pages.push(page(args.tool(), item)?);
    }
    let (content, path) = if only_web { (None, None) } else { (args.string("content")?, args.path("path")?) };
    let given = usize::from(content.is_some()) + usize::from(path.is_some()) + usize::from(!pages.is_empty());
    let input = match (content, path) {
        _ if given != 1 => {
            let allowed = if only_web { "url, urls, requests" } else { "content, path, url, urls" };
            return Err(Error::invalid(format!(
                "{}: give exactly one of {allowed} (got {given})",
                args.tool()
            )));
        }
        (Some(content), _) => Input::Content(content),
        (_, Some(path)) => Input::Path(path),
        _ => Input::Web(pages),
    };
    let mut request = Index::of(input);
    request.source = source;
    request.include = args.strings("include")?;
    for extension in args.strings("extensions")? {
        request.include.push(format!("**/*.{}", extension.trim_start_matches(['*', '.'])));
    }
    request.exclude = args.strings("exclude")?;
    request.force = args.boolean("force")?.unwrap_or(false);
    request.concurrency = args.concurrency()?.unwrap_or(4);
    request.ttl_ms = args.unsigned("ttl_ms")?.or(args.unsigned("ttl")?);
    request.max_files = args.unsigned("maxFiles")?.map(clamp);
    request.max_depth = args.unsigned("maxDepth")?.map(clamp);
    // Accepted for users who come from other products. Ignore files always count and links are never followed, so the
    // opposite value of either is refused rather than silently ignored.
    if args.boolean("respectGitignore")? == Some(false) {
        return Err(Error::invalid(
            "index: ignore files are always respected; name the ignored files with path",
        ));
    }
    if args.boolean("followSymlinks")? == Some(true) {
        return Err(Error::invalid("index: symbolic links are never followed; name the target with path"));
    }
    Ok(request)
}

fn page(tool: &str, item: Value) -> Result<WebPage, Error> {
    let item = match item {
        Value::String(text) => match inner_json(&text) {
            Some(Value::Object(object)) => Value::Object(object),
            _ => return Ok(WebPage { url: text, source: None }),
        },
        other => other,
    };
    let url = item.get("url").and_then(Value::as_str);
    let source = item.get("source").and_then(Value::as_str);
    url.map(|url| WebPage { url: url.to_owned(), source: source.map(str::to_owned) }).ok_or_else(|| {
        Error::invalid(format!("{tool}: each of requests is an address or an object with url and source"))
    })
}

fn search(args: &mut Arguments) -> Result<Search, Error> {
    let mut queries = args.strings("queries")?;
    queries.extend(args.strings("query")?);
    queries.retain(|query| !query.trim().is_empty());
    if queries.len() > 32 {
        return Err(Error::invalid(format!("search: {} queries; give at most 32", queries.len())));
    }
    let mut request = Search::of(queries);
    let systems = System::ALL.map(|system| (system.name(), system));
    request.systems = args.choices("in", &systems)?;
    request.source = args.string("source")?.filter(|source| !source.trim().is_empty());
    let kinds = [("code", Kind::Code), ("prose", Kind::Prose)];
    request.kind = args.choice("kind", &kinds)?.or(args.choice("contentType", &kinds)?);
    request.limit = args.limit()?.unwrap_or(3).clamp(1, 50);
    request.offset = args.unsigned("offset")?.map_or(0, clamp);
    let orders = [("relevance", Order::Relevance), ("time", Order::Time), ("timeline", Order::Time)];
    request.order = args.choice("sort", &orders)?.unwrap_or_default();
    if request.queries.is_empty() {
        return Err(args.missing_or_misnamed("queries"));
    }
    Ok(request)
}

fn task(args: &mut Arguments) -> Result<Task, Error> {
    let actions = [("list", TaskAction::List), ("output", TaskAction::Output), ("stop", TaskAction::Stop)];
    let action = args.choice("action", &actions)?.unwrap_or_default();
    let id = args.string("id")?.map(|id| id.trim_start_matches("plimsoll://task/").to_owned());
    if let Some(source) = id.as_deref().filter(|id| id.starts_with("plimsoll://source/")) {
        return Err(Error::invalid(format!(
            "task: {source} is a stored text, not a task; search takes it as source, with words as queries"
        )));
    }
    let tail = args.unsigned("tail")?.map(clamp);
    if id.is_none() && action != TaskAction::List {
        return Err(args.missing_or_misnamed("id"));
    }
    Ok(Task { action, id, tail })
}

fn manage(args: &mut Arguments, name: &str) -> Result<Manage, Error> {
    let actions = [
        ("stats", ManageAction::Stats),
        ("doctor", ManageAction::Doctor),
        ("upgrade", ManageAction::Upgrade),
        ("purge", ManageAction::Purge),
    ];
    let action = match actions.iter().find(|(action, _)| *action == name) {
        Some((_, action)) => *action,
        None => args.required_choice("action", &actions)?,
    };
    let session = args.string("sessionId")?;
    let scope = match (args.string("scope")?, session) {
        (None, None) => None,
        (None, Some(session)) => Some(PurgeScope::Session(Some(session))),
        (Some(scope), session) => Some(purge_scope(&scope, session)?),
    };
    Ok(Manage {
        action,
        scope,
        confirm: args.boolean("confirm")?.unwrap_or(false),
        now: args.boolean("now")?.unwrap_or(false),
        days: args.unsigned("days")?.map(|days| u32::try_from(days).unwrap_or(u32::MAX)),
    })
}

fn purge_scope(scope: &str, session: Option<String>) -> Result<PurgeScope, Error> {
    let scope = scope.trim();
    if session.is_some() && scope != "session" {
        return Err(Error::invalid(format!(
            "purge: sessionId goes with the scope session, not with {scope:?}"
        )));
    }
    match scope.split_once(':') {
        _ if scope.starts_with("plimsoll://source/") => Ok(PurgeScope::Source(scope.to_owned())),
        Some(("source", label)) if !label.trim().is_empty() => {
            Ok(PurgeScope::Source(label.trim().to_owned()))
        }
        Some(("session", id)) if !id.trim().is_empty() => Ok(PurgeScope::Session(Some(id.trim().to_owned()))),
        _ => match scope {
            "session" => Ok(PurgeScope::Session(session)),
            "project" => Ok(PurgeScope::Project),
            "everything" | "all" => Ok(PurgeScope::Everything),
            _ => Err(Error::invalid(format!(
                "manage: scope {scope:?} is unknown; allowed: source:<label>, session, session:<id>, project, everything"
            ))),
        },
    }
}

#[cfg(test)]
#[path = "arguments_tests.rs"]
mod tests;
