//! Reads a tool call's arguments forgivingly and turns them into a request.
//!
//! Models send a JSON array inside a string, `"true"`, `"5"`, one string where a list is due, a bare command
//! where `{label, command}` is due: all of that is understood. What is not understood is refused with an
//! error that names the argument and the allowed ones. Knows the spellings of older products; does not know
//! what any request does.

use std::path::PathBuf;

use contract::{
    Batch, Command, Error, ErrorCode, Execute, Index, Input, Kind, Manage, ManageAction, Order, PurgeScope,
    Search, System, Task, TaskAction, WebPage,
};
use serde_json::{Map, Value};

/// One of the six operations.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Request {
    Execute(Execute),
    Batch(Batch),
    Index(Index),
    Search(Search),
    Task(Task),
    Manage(Manage),
}

/// Every plain tool name that is understood. Each is also understood with the prefix `ctx_`.
pub(crate) const NAMES: [&str; 13] = [
    "execute",
    "batch",
    "index",
    "search",
    "task",
    "manage",
    "execute_file",
    "batch_execute",
    "fetch_and_index",
    "stats",
    "doctor",
    "upgrade",
    "purge",
];

/// The longest time limit in milliseconds.
const MAX_TIMEOUT_MS: u64 = 3_600_000;

impl Request {
    /// Reads the call of `name` with `arguments`.
    pub(crate) fn read(name: &str, arguments: Map<String, Value>) -> Result<Self, Error> {
        let plain = plain_name(name).ok_or_else(|| {
            Error::new(
                ErrorCode::UnknownTool,
                format!(
                    "there is no tool {name:?}; the tools are execute, batch, index, search, task, manage"
                ),
            )
        })?;
        let mut args = Arguments::new(plain, arguments);
        let request = match plain {
            "execute" | "execute_file" => Self::Execute(execute(&mut args, plain == "execute_file")?),
            "batch" | "batch_execute" => Self::Batch(batch(&mut args)?),
            "index" | "fetch_and_index" => Self::Index(index(&mut args, plain == "fetch_and_index")?),
            "search" => Self::Search(search(&mut args)?),
            "task" => Self::Task(task(&mut args)?),
            _ => Self::Manage(manage(&mut args, plain)?),
        };
        args.finish()?;
        Ok(request)
    }
}

/// The name without `ctx_`, when it is one of ours.
pub(crate) fn plain_name(name: &str) -> Option<&'static str> {
    let plain = name.strip_prefix("ctx_").unwrap_or(name);
    NAMES.iter().copied().find(|known| *known == plain)
}

fn execute(args: &mut Arguments, needs_path: bool) -> Result<Execute, Error> {
    let request = Execute {
        language: args.required("language")?,
        code: args.required("code")?,
        path: args.path("path")?,
        intent: args.string("intent")?.filter(|intent| !intent.trim().is_empty()),
        timeout_ms: args.timeout()?,
        background: args.boolean("background")?.unwrap_or(false),
        cwd: args.path("cwd")?,
    };
    if needs_path && request.path.is_none() {
        return Err(args.missing("path"));
    }
    Ok(request)
}

fn batch(args: &mut Arguments) -> Result<Batch, Error> {
    let commands = args
        .list("commands")?
        .ok_or_else(|| args.missing("commands"))?
        .into_iter()
        .enumerate()
        .map(|(index, item)| command(args.tool, index, item))
        .collect::<Result<Vec<_>, _>>()?;
    if commands.is_empty() {
        return Err(Error::invalid(format!("{}: commands is empty; give at least one command", args.tool)));
    }
    if commands.len() > 64 {
        return Err(Error::invalid(format!("{}: {} commands; give at most 64", args.tool, commands.len())));
    }
    Ok(Batch {
        commands,
        queries: args.strings("queries")?,
        concurrency: args.concurrency()?.unwrap_or(1),
        timeout_ms: args.timeout()?,
        cwd: args.path("cwd")?,
        search_everything: args
            .choice("query_scope", &[("batch", false), ("global", true)])?
            .unwrap_or(false),
    })
}

/// `{label, command}`, only `{command}`, the same as JSON in a string, or the bare command.
fn command(tool: &str, index: usize, item: Value) -> Result<Command, Error> {
    let bad = || {
        Error::invalid(format!(
            "{tool}: commands[{index}] is neither a command line nor an object with label and command"
        ))
    };
    let item = match item {
        Value::String(text) => match inner_json(&text) {
            Some(Value::Object(object)) => Value::Object(object),
            _ => return Ok(Command { label: label_of(&text), command: text }),
        },
        other => other,
    };
    let Value::Object(mut object) = item else { return Err(bad()) };
    let Some(Value::String(command)) = object.remove("command") else { return Err(bad()) };
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
    Ok(Command { label, command })
}

/// The start of a command, for a command that came without a label.
fn label_of(command: &str) -> String {
    let line = command.lines().next().unwrap_or_default().trim();
    line.chars().take(60).collect()
}

fn index(args: &mut Arguments, only_web: bool) -> Result<Index, Error> {
    let source = args.string("source")?.filter(|source| !source.trim().is_empty());
    let mut pages = Vec::new();
    if let Some(url) = args.string("url")? {
        pages.push(WebPage { url, source: source.clone() });
    }
    let listed = args.strings("urls")?;
    let single = pages.is_empty() && listed.len() == 1;
    pages.extend(
        listed.into_iter().map(|url| WebPage { url, source: if single { source.clone() } else { None } }),
    );
    for item in args.list("requests")?.unwrap_or_default() {
        pages.push(page(args.tool, item)?);
    }
    let (content, path) = if only_web { (None, None) } else { (args.string("content")?, args.path("path")?) };
    let given = usize::from(content.is_some()) + usize::from(path.is_some()) + usize::from(!pages.is_empty());
    let input = match (content, path) {
        _ if given != 1 => {
            let allowed = if only_web { "url, urls, requests" } else { "content, path, url, urls" };
            return Err(Error::invalid(format!(
                "{}: give exactly one of {allowed} (got {given})",
                args.tool
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
    // Accepted for people who come from other products; ignore files always count and links are never
    // followed, so the other value of each is refused rather than silently not honoured.
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
    if queries.is_empty() {
        return Err(args.missing("queries"));
    }
    if queries.len() > 32 {
        return Err(Error::invalid(format!("search: {} queries; give at most 32", queries.len())));
    }
    let mut request = Search::of(queries);
    let systems = [
        ("knowledge", System::Knowledge),
        ("sessions", System::Sessions),
        ("memory", System::Memory),
        ("code", System::Code),
    ];
    request.systems = args.choices("in", &systems)?;
    request.source = args.string("source")?.filter(|source| !source.trim().is_empty());
    let kinds = [("code", Kind::Code), ("prose", Kind::Prose)];
    request.kind = args.choice("kind", &kinds)?.or(args.choice("contentType", &kinds)?);
    request.limit = args.unsigned("limit")?.map_or(3, clamp).clamp(1, 50);
    request.offset = args.unsigned("offset")?.map_or(0, clamp);
    let orders = [("relevance", Order::Relevance), ("time", Order::Time), ("timeline", Order::Time)];
    request.order = args.choice("sort", &orders)?.unwrap_or_default();
    Ok(request)
}

fn task(args: &mut Arguments) -> Result<Task, Error> {
    let actions = [("list", TaskAction::List), ("output", TaskAction::Output), ("stop", TaskAction::Stop)];
    let action = args.choice("action", &actions)?.unwrap_or_default();
    let id = args.string("id")?.map(|id| id.trim_start_matches("plimsoll://task/").to_owned());
    if id.is_none() && action != TaskAction::List {
        return Err(args.missing("id"));
    }
    Ok(Task { action, id, tail: args.unsigned("tail")?.map(clamp) })
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
        None => args.choice("action", &actions)?.ok_or_else(|| args.missing("action"))?,
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

fn clamp(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// JSON inside a string, when it is an array or an object.
fn inner_json(text: &str) -> Option<Value> {
    let text = text.trim();
    (text.starts_with('[') && text.ends_with(']') || text.starts_with('{') && text.ends_with('}'))
        .then(|| serde_json::from_str(text).ok())
        .flatten()
}

/// The arguments of one call. Each is taken once; what is left at the end is unknown.
struct Arguments {
    tool: &'static str,
    values: Map<String, Value>,
    /// Every name that was asked for, for the error about unknown ones.
    known: Vec<&'static str>,
}

impl Arguments {
    fn new(tool: &'static str, values: Map<String, Value>) -> Self {
        Self { tool, values, known: Vec::new() }
    }

    /// Takes a value; `null` counts as absent.
    fn take(&mut self, name: &'static str) -> Option<Value> {
        self.known.push(name);
        self.values.remove(name).filter(|value| !value.is_null())
    }

    fn missing(&self, name: &str) -> Error {
        Error::invalid(format!("{}: {name} is missing", self.tool))
    }

    fn wrong(&self, name: &str, wanted: &str, got: &Value) -> Error {
        let mut shown: String = got.to_string().chars().take(80).collect();
        if shown.len() < got.to_string().len() {
            shown.push('…');
        }
        Error::invalid(format!("{}: {name} must be {wanted}, not {shown}", self.tool))
    }

    fn string(&mut self, name: &'static str) -> Result<Option<String>, Error> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(Value::Bool(flag)) => Ok(Some(flag.to_string())),
            // Code and content sometimes arrive as a list of lines.
            Some(Value::Array(lines)) if lines.iter().all(Value::is_string) && !lines.is_empty() => {
                Ok(Some(lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")))
            }
            // And content sometimes as the JSON itself.
            Some(value) if name == "content" => Ok(Some(value.to_string())),
            Some(other) => Err(self.wrong(name, "a string", &other)),
        }
    }

    fn required(&mut self, name: &'static str) -> Result<String, Error> {
        self.string(name)?.ok_or_else(|| self.missing(name))
    }

    fn path(&mut self, name: &'static str) -> Result<Option<PathBuf>, Error> {
        let text = self.string(name)?.filter(|text| !text.trim().is_empty());
        Ok(text.map(|text| PathBuf::from(text.strip_prefix("file://").unwrap_or(&text))))
    }

    fn boolean(&mut self, name: &'static str) -> Result<Option<bool>, Error> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let known = match &value {
            Value::Bool(flag) => Some(*flag),
            Value::Number(number) if number.as_u64() == Some(1) => Some(true),
            Value::Number(number) if number.as_u64() == Some(0) => Some(false),
            Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
                "true" | "yes" | "on" | "1" => Some(true),
                "false" | "no" | "off" | "0" | "" => Some(false),
                _ => None,
            },
            _ => None,
        };
        known.map(Some).ok_or_else(|| self.wrong(name, "true or false", &value))
    }

    fn unsigned(&mut self, name: &'static str) -> Result<Option<u64>, Error> {
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

    /// `timeout_ms`, or `timeout` as older products call it, also in milliseconds.
    fn timeout(&mut self) -> Result<Option<u64>, Error> {
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

    fn concurrency(&mut self) -> Result<Option<usize>, Error> {
        Ok(self.unsigned("concurrency")?.map(|n| clamp(n).clamp(1, 8)))
    }

    /// A list, a list in a string, or one thing where a list is due.
    fn list(&mut self, name: &'static str) -> Result<Option<Vec<Value>>, Error> {
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

    fn strings(&mut self, name: &'static str) -> Result<Vec<String>, Error> {
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

    fn choice<T: Copy>(&mut self, name: &'static str, choices: &[(&str, T)]) -> Result<Option<T>, Error> {
        let Some(text) = self.string(name)? else { return Ok(None) };
        self.one_of(name, &text, choices).map(Some)
    }

    fn choices<T: Copy>(&mut self, name: &'static str, choices: &[(&str, T)]) -> Result<Vec<T>, Error> {
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
            let allowed: Vec<&str> = choices.iter().map(|(known, _)| *known).collect();
            Error::invalid(format!(
                "{}: {name} {text:?} is unknown; allowed: {}",
                self.tool,
                allowed.join(", ")
            ))
        })
    }

    fn finish(self) -> Result<(), Error> {
        if self.values.is_empty() {
            return Ok(());
        }
        let unknown: Vec<&str> = self.values.keys().map(String::as_str).take(8).collect();
        Err(Error::invalid(format!(
            "{}: unknown argument{} {}; allowed: {}",
            self.tool,
            if unknown.len() == 1 { "" } else { "s" },
            unknown.join(", "),
            self.known.join(", ")
        )))
    }
}

/// A float that is a whole number; models write `5.0`.
fn whole(number: f64) -> Option<u64> {
    // 2^53: beyond it a float no longer tells neighbouring whole numbers apart.
    (number >= 0.0 && number.fract() == 0.0 && number <= 9_007_199_254_740_992.0).then_some(number as u64)
}

#[cfg(test)]
#[path = "arguments_tests.rs"]
mod tests;
