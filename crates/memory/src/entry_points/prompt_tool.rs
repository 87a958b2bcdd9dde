//! The tool `prompt`, also under the specification's names: prompts, templates and `prompt_*`.

use contract::Error;
use serde_json::Value;
use system::{Arguments, ParsedCall, clamp};

use super::graph_tool::object;
use super::memory_tool::{beginning_at, non_blank};
use super::reply_text::ReplyFormat;
use super::run_action::job;
use crate::actions::{self, PromptArgs, Writes, previewed};
use crate::prompts::{Kind, Variable};

#[derive(Clone, Copy, PartialEq)]
enum Action {
    Save,
    List,
    Get,
    Run,
    Render,
    Delete,
}

const ACTIONS: &[(&str, Action)] = &[
    ("save", Action::Save),
    ("list", Action::List),
    ("get", Action::Get),
    ("run", Action::Run),
    ("render", Action::Render),
    ("delete", Action::Delete),
];

/// Which actions use an argument; all use `name` and `domain`.
const USES: &[(&str, &[Action])] = &[
    ("name_pattern", &[Action::List]),
    ("content", &[Action::Save]),
    ("description", &[Action::Save]),
    ("variables_def", &[Action::Save]),
    ("tags", &[Action::Save, Action::List]),
    ("variables", &[Action::Save, Action::Run, Action::Render]),
    ("limit", &[Action::List, Action::Render]),
    ("offset", &[Action::List]),
    ("version", &[Action::Get, Action::Run, Action::Render]),
    ("query", &[Action::Render]),
    ("filter", &[Action::Render]),
    ("format", &[Action::Save, Action::Render]),
    ("output_format", &[Action::Save, Action::Render]),
    ("dry_run", &[Action::Save, Action::Delete]),
];

/// Parses a call.
pub(super) fn read(args: &mut Arguments) -> Result<ParsedCall, Error> {
    let named = args.tool().strip_prefix("prompt_");
    let named = named.and_then(|name| ACTIONS.iter().find(|(known, _)| *known == name));
    let action = match named {
        Some((_, action)) => *action,
        None => args.required_choice("action", ACTIONS)?,
    };
    let kind = match args.tool() {
        "templates" => Kind::Template,
        "prompt" => {
            let given = args.choice("kind", &[("prompt", Kind::Prompt), ("template", Kind::Template)])?;
            given.unwrap_or(if matches!(action, Action::Render) { Kind::Template } else { Kind::Prompt })
        }
        _ => Kind::Prompt,
    };
    args.refuse_unused(action, USES, ACTIONS)?;
    let pattern = args.string("name_pattern")?;
    let name = args.string("name")?;
    if name.is_none() && !matches!(action, Action::List) {
        return Err(args.missing("name"));
    }
    let mut described = Vec::new();
    for one in args.list("variables_def")?.unwrap_or_default() {
        let read = serde_json::from_value::<Variable>(one.clone());
        described.push(read.map_err(|_| {
            args.wrong("variables_def", "a list of {name, description, default, required}", &one)
        })?);
    }
    let variables = object(args, "variables")?;
    // A text to save has no values yet: what `variables` tells about its placeholders defines them.
    if matches!(action, Action::Save) {
        for (name, one) in &variables {
            if described.iter().all(|known: &Variable| known.name != *name) {
                described.push(definition(args, name, one)?);
            }
        }
    }
    let given = PromptArgs {
        name: name.or(pattern).unwrap_or_default(),
        content: args.text("content")?,
        description: args.string("description")?,
        domain: non_blank(args, "domain")?,
        tags: args.strings("tags")?,
        variables_def: described,
        variables,
        limit: args.limit()?,
        offset: args.unsigned("offset")?.map(clamp),
        version: args.unsigned("version")?.map(|version| u32::try_from(version).unwrap_or(u32::MAX)),
        query: args.string("query")?,
        filter: args.string("filter")?,
        format: any_format(args)?,
    };
    let dry_run = args.boolean("dry_run")?.unwrap_or(false);
    Ok(match action {
        Action::Save => job(ReplyFormat::Json, move |context| {
            previewed(context, dry_run, Writes::Database, |context| {
                actions::save_prompt(context, kind, &given)
            })
        }),
        Action::List => job(ReplyFormat::Pages, move |context| {
            actions::list_prompts(context, kind, &given).map(|page| beginning_at(page, given.offset))
        }),
        Action::Get => job(ReplyFormat::Json, move |context| actions::get_prompt(context, kind, &given)),
        Action::Delete => job(ReplyFormat::Json, move |context| {
            previewed(context, dry_run, Writes::Database, |context| {
                actions::delete_prompt(context, kind, &given)
            })
        }),
        Action::Run => job(ReplyFormat::Text("content"), move |context| actions::run_prompt(context, &given)),
        Action::Render => {
            job(ReplyFormat::Text("content"), move |context| actions::render_template(context, &given))
        }
    })
}

/// A placeholder's definition under its name: an object, or its default alone.
fn definition(args: &Arguments, name: &str, given: &Value) -> Result<Variable, Error> {
    let wrong = || {
        args.wrong("variables", "an object of {description, default, required} for each placeholder", given)
    };
    let default = match given {
        Value::Object(fields) => {
            let mut fields = fields.clone();
            fields.insert("name".into(), name.into());
            if let Some(default) = fields.get_mut("default").filter(|one| one.is_number() || one.is_boolean())
            {
                *default = default.to_string().into();
            }
            return serde_json::from_value(Value::Object(fields)).map_err(|_| wrong());
        }
        Value::Array(_) => return Err(wrong()),
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(given.to_string()),
    };
    Ok(Variable { name: name.to_owned(), required: true, default, ..Variable::default() })
}

fn any_format(args: &mut Arguments) -> Result<Option<String>, Error> {
    let given = non_blank(args, "format")?;
    Ok(given.or(non_blank(args, "output_format")?))
}
