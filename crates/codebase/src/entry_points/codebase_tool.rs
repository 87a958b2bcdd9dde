//! The tool `codebase`: parses its arguments, by their own names and by the specification's, and runs the action.

use std::sync::Arc;

use contract::{Error, ErrorCode, Reply};
use serde_json::Value;
use system::{Arguments, CallContext, ParsedCall, Remembered, Subject, clamp};

use super::caller_rules::readable;
use super::code_memories::{self, About};
use super::codebase_actions::{ACTIONS, Action, USES};
use crate::actions::{self, ActionReply, Direction, Intent, Mode, SearchRequest, Uses};
use crate::index::{self, Index, IndexLocation, Outcome, Task};
use crate::messages;
use crate::reply_cap;
use crate::servers;

const INTENTS: &[(&str, Intent)] = &[
    ("explore", Intent::Explore),
    ("edit", Intent::Edit),
    ("refactor", Intent::Refactor),
    ("migrate", Intent::Migrate),
];
const DIRECTIONS: &[(&str, Direction)] = &[
    ("uses", Direction::Uses),
    ("callers", Direction::Related("callers")),
    ("callees", Direction::Related("callees")),
    ("implementations", Direction::Related("implementations")),
];
const MODES: &[(&str, Mode)] = &[("compact", Mode::Compact), ("full", Mode::Full)];

/// Runs a parsed call.
type ActionFn = Box<dyn FnOnce(&CallContext) -> Result<ActionReply, Error> + Send>;

/// A parsed call; the caller renders its result.
pub(super) struct ActionRequest {
    work: ActionFn,
    tokens: usize,
}

impl ActionRequest {
    /// The most tokens that the answer may have.
    pub(super) fn tokens(&self) -> usize {
        self.tokens
    }
}

/// Reads a call of the tool.
pub(super) fn read(args: &mut Arguments) -> Result<ParsedCall, Error> {
    let asked = parse_request(args)?;
    Ok(Box::new(move |at| {
        Box::pin(async move {
            let tokens = asked.tokens;
            let (data, text) = reply_cap::fit_to_cap(run_action(at, asked).await?.data, tokens);
            Ok(Reply::plain(text).with_data(data))
        })
    }))
}

/// Carries a call out on a thread that may wait for the disk.
pub(super) async fn run_action(at: CallContext, asked: ActionRequest) -> Result<ActionReply, Error> {
    let done = tokio::task::spawn_blocking(move || (asked.work)(&at)).await;
    done.map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))?
}

/// Parses the arguments.
pub(super) fn parse_request(args: &mut Arguments) -> Result<ActionRequest, Error> {
    let action = match ACTIONS.iter().find(|(name, _)| *name == args.tool()) {
        Some((_, action)) => {
            // The list of older names shows it, so it may come along.
            args.take("action");
            *action
        }
        None => args.required_choice("action", ACTIONS)?,
    };
    args.explain_unused(action, USES, ACTIONS);
    let tokens = reply_cap::cap_or_default(args.unsigned("max_tokens")?);
    // The project is the one that the agent works in; older callers name it all the same.
    let named = args.string("project")?;
    let work: ActionFn = match action {
        Action::Search | Action::Card => {
            let find = find(args, action)?;
            Box::new(move |at| {
                on_index(at, |index| match action {
                    Action::Card => actions::decide(index, &find, &remembered(at)),
                    _ => actions::search(index, &find, &remembered(at)),
                })
            })
        }
        Action::References => {
            let uses = Uses {
                symbol: match (args.string("symbol")?, args.string("query")?) {
                    (Some(symbol), _) | (None, Some(symbol)) => symbol,
                    (None, None) => return Err(args.missing("symbol")),
                },
                direction: args.choice("direction", DIRECTIONS)?.unwrap_or_default(),
                limit: args.limit()?,
                offset: args.unsigned("offset")?.map_or(0, clamp),
            };
            Box::new(move |at| match uses.direction {
                Direction::Uses => {
                    let servers = servers::available(at, &IndexLocation::of(at)?);
                    on_index(at, |index| actions::references(index, &uses, &servers))
                }
                Direction::Related(direction) => {
                    on_index(at, |index| actions::relations(index, &uses, direction))
                }
            })
        }
        Action::Map => {
            let (folder, limit) = (folder(args)?, args.limit()?);
            Box::new(move |at| on_index(at, |index| actions::map(index, folder.as_deref(), limit)))
        }
        Action::Cycles => {
            let (folder, limit) = (folder(args)?, args.limit()?);
            let offset = args.unsigned("offset")?.map_or(0, clamp);
            Box::new(move |at| on_index(at, |index| actions::cycles(index, folder.as_deref(), limit, offset)))
        }
        Action::Health => {
            let (folder, limit) = (folder(args)?, args.limit()?);
            let offset = args.unsigned("offset")?.map_or(0, clamp);
            Box::new(move |at| on_index(at, |index| actions::health(index, folder.as_deref(), limit, offset)))
        }
        Action::Patterns => {
            let category = match args.string("category")? {
                Some(category) => Some(category),
                None => args.string("query")?,
            };
            Box::new(move |at| {
                let mut reply = on_index(at, |index| actions::patterns(index, category.as_deref()))?;
                let topics = match category.as_deref() {
                    None | Some("all") => code::patterns::CATEGORIES.to_vec(),
                    Some(category) => vec![category],
                };
                actions::add_memories(&mut reply, &topics, &remembered(at));
                Ok(reply)
            })
        }
        Action::Style => {
            let query = match (args.string("query")?, args.string("category")?) {
                (Some(query), _) | (None, Some(query)) => Some(query),
                (None, None) => None,
            };
            let offset = args.unsigned("offset")?.map_or(0, clamp);
            Box::new(move |at| on_index(at, |index| actions::style(index, query.as_deref(), offset)))
        }
        Action::Metadata => Box::new(|at| on_index(at, actions::metadata)),
        Action::Status => Box::new(|at| actions::status(&IndexLocation::of(at)?, readable(at).ok().as_ref())),
        Action::Reindex => {
            args.string("reason")?;
            let only_changed = match args.boolean("incrementalOnly")? {
                Some(flag) => Some(flag),
                None => args.boolean("incremental")?,
            };
            let again = only_changed == Some(false);
            let dry = match args.boolean("dryRun")? {
                Some(flag) => flag,
                None => args.boolean("dry_run")?.unwrap_or(false),
            };
            let (limit, offset) = (args.limit()?, args.unsigned("offset")?.map_or(0, clamp));
            Box::new(move |at| {
                if dry {
                    return actions::preview_reindex(
                        &IndexLocation::of(at)?,
                        &readable(at)?,
                        again,
                        limit,
                        offset,
                    );
                }
                reindex(at, again)
            })
        }
        Action::Review => {
            let base = match args.string("base")? {
                Some(base) => Some(base),
                None => args.string("query")?,
            };
            Box::new(move |at| on_index(at, |index| actions::review(index, base.as_deref())))
        }
        Action::Diagnostics => {
            let (path, limit) = (folder(args)?, args.limit()?);
            let offset = args.unsigned("offset")?.map_or(0, clamp);
            Box::new(move |at| {
                actions::diagnostics(
                    at,
                    &IndexLocation::of(at)?,
                    &readable(at)?,
                    path.as_deref(),
                    limit,
                    offset,
                )
            })
        }
        Action::Remember | Action::Recall => {
            args.refuse_unused(action, USES, ACTIONS)?;
            let about = About { path: folder(args)?, symbol: args.string("symbol")? };
            let given = args.take_rest();
            Box::new(move |at| match action {
                Action::Recall => code_memories::recall(at, &about, given),
                _ => code_memories::remember(at, &about, given),
            })
        }
    };
    let work: ActionFn = match named {
        None => work,
        Some(named) => Box::new(move |at| {
            IndexLocation::check_named(at, &named)?;
            work(at)
        }),
    };
    Ok(ActionRequest { work, tokens })
}

/// The argument that says what a search is for.
fn named_by(action: Action) -> &'static str {
    if action == Action::Card { "symbol" } else { "query" }
}

fn find(args: &mut Arguments, action: Action) -> Result<SearchRequest, Error> {
    let mut find = SearchRequest {
        query: match (args.string("query")?, args.string("symbol")?) {
            (Some(query), _) | (None, Some(query)) => query,
            (None, None) => return Err(args.missing(named_by(action))),
        },
        intent: args.choice("intent", INTENTS)?.unwrap_or_default(),
        mode: match args.choice("mode", MODES)? {
            Some(mode) => mode,
            // Each result of the specification's tool has its relationships and hints.
            None if args.tool() == "search_codebase" => Mode::Full,
            None => Mode::default(),
        },
        limit: args.limit()?,
        offset: args.unsigned("offset")?.map_or(0, clamp),
        snippets: match args.boolean("includeSnippets")? {
            Some(flag) => flag,
            None => args.boolean("include_snippets")?.unwrap_or(false),
        },
        language: match args.string("language")? {
            Some(language) => Some(language),
            None => args.string("lang")?,
        },
        folder: folder(args)?,
        frameworks: Vec::new(),
        words: Vec::new(),
    };
    find.frameworks.extend(args.string("framework")?);
    for name in ["layer", "componentType"] {
        find.words.extend(args.string(name)?);
    }
    find.words.extend(args.strings("tags")?);
    if let Some(filters) = args.take("filters") {
        apply_filters(args, &filters, &mut find)?;
    }
    if action == Action::Card && find.query.trim().is_empty() {
        return Err(args.missing(named_by(action)));
    }
    Ok(find)
}

/// The specification's `filters`: an object, or one in a string.
fn apply_filters(args: &Arguments, filters: &Value, find: &mut SearchRequest) -> Result<(), Error> {
    let inner = filters.as_str().and_then(system::inner_json);
    let object = inner.as_ref().unwrap_or(filters).as_object();
    let object = object.ok_or_else(|| args.wrong("filters", "an object", filters))?;
    for (name, value) in object {
        let texts: Vec<String> = match value {
            Value::String(text) => vec![text.clone()],
            Value::Array(all) if all.iter().all(Value::is_string) => {
                all.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect()
            }
            Value::Null => Vec::new(),
            other => {
                return Err(args.wrong(&format!("filters.{name}"), "a string or a list of strings", other));
            }
        };
        match name.as_str() {
            "language" => find.language = texts.into_iter().next(),
            "path" | "folder" => find.folder = texts.into_iter().next(),
            "framework" => find.frameworks.extend(texts),
            "layer" | "componentType" | "tags" => find.words.extend(texts),
            _ => {
                return Err(Error::invalid(format!(
                    "filters: {name} is unknown; allowed: language, path, framework, layer, componentType, tags"
                )));
            }
        }
    }
    Ok(())
}

fn folder(args: &mut Arguments) -> Result<Option<String>, Error> {
    Ok(match args.string("path")? {
        Some(path) => Some(path),
        None => args.string("scope")?,
    })
}

/// Answers from the index of the asker's project.
pub(super) fn on_index(
    at: &CallContext,
    answer: impl Fn(&Index<'_>) -> Result<ActionReply, Error>,
) -> Result<ActionReply, Error> {
    let place = IndexLocation::of(at)?;
    index::ask(&place, &readable(at)?, &at.call, answer)
}

/// Asks the other systems what they remember of a subject.
fn remembered(at: &CallContext) -> impl Fn(&Subject) -> Vec<Remembered> + '_ {
    |subject| Arc::clone(&at.host).remembered(&at.call, subject, actions::SHOWN_MEMORIES)
}

/// Has the worker read what changed, or everything.
fn reindex(at: &CallContext, again: bool) -> Result<ActionReply, Error> {
    let place = IndexLocation::of(at)?;
    let task = if again { Task::Again } else { Task::Update };
    let patience = std::time::Duration::from_secs(if at.call.agent.is_some() { 2 } else { 3_600 });
    match index::run_with_progress(&place, task, patience, &at.call) {
        Outcome::Answer(report) => {
            let mut data = (*report).clone();
            let count = |key: &str| data[key].as_u64().unwrap_or(0);
            let lines = vec![format!(
                "{} new, {} changed, {} gone, {} as they were; {} ms",
                count("added"),
                count("changed"),
                count("removed"),
                count("unchanged"),
                count("took_ms")
            )];
            if let Some(left) = data.as_object_mut().and_then(|all| all.remove("left_out")) {
                data["leftOut"] = actions::readable_left_out(left, &place, readable(at).ok().as_ref());
            }
            data["status"] = "ready".into();
            let mut lines = lines;
            let learned = Arc::clone(&at.host).learn();
            if learned > 0 {
                data["memoriesProposed"] = learned.into();
                lines.push(format!("{learned} from the last commits for memory; they wait for your review"));
            }
            Ok(ActionReply { data, lines })
        }
        Outcome::Failed(problem) => {
            Err(Error::new(ErrorCode::Storage, messages::cannot_be_made(place.root.display(), problem)))
        }
        Outcome::Working => {
            let mut data = serde_json::json!({"status": "started"});
            if let Some((done, total)) = index::worker_progress(&place) {
                data["progress"] = index::progress(done, total);
            }
            Ok(ActionReply {
                data,
                lines: vec!["started; `plimsoll code status` says how far it is".to_owned()],
            })
        }
    }
}
