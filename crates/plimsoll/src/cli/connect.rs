//! `connect` and `disconnect`: plan, show, ask, apply.

use ::agents::{Parts, Scope};
use clap::Args;
use contract::{AppliedReport, PlanReport};
use serde_json::json;
use service::setup::{self, Plan, Request};

use super::args::ScopeChoice;
use super::terminal::{CommandError, CommandResult, Exit};
use super::{Context, plan};

/// `connect`
#[derive(Debug, Clone, Args)]
pub(crate) struct Connect {
    /// Agents, e.g. claude-code codex; `plimsoll agents` lists them
    #[arg(value_parser = super::args::name, value_name = "AGENT")]
    pub(crate) agents: Vec<String>,
    /// Every agent that was found
    #[arg(long, conflicts_with = "agents")]
    pub(crate) all: bool,
    /// Where the entries go
    #[arg(long, value_enum, default_value = "user")]
    pub(crate) scope: ScopeChoice,
    /// Tools only, no automatic filtering
    #[arg(long)]
    pub(crate) no_hooks: bool,
    /// Also add a few lines to the agent's instruction file
    #[arg(long)]
    pub(crate) instructions: bool,
    #[arg(long, conflicts_with = "no_credentials", help = credentials_help())]
    pub(crate) credentials: bool,
    /// Stop passing them on
    #[arg(long)]
    pub(crate) no_credentials: bool,
    /// Print what to enter by hand; works for agents that aren't installed
    #[arg(long)]
    pub(crate) print: bool,
    /// Show the plan and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Apply without asking
    #[arg(long, short = 'y')]
    pub(crate) yes: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The help of `--credentials`, with the agents that it affects.
fn credentials_help() -> String {
    format!(
        "Let {} pass GH_TOKEN, AWS, npm, Google and Docker credentials on to what Plimsoll runs",
        ::agents::withholding_agents().join(" and ")
    )
}

/// `disconnect`
#[derive(Debug, Clone, Args)]
pub(crate) struct Disconnect {
    /// Agents, e.g. claude-code codex
    #[arg(value_parser = super::args::name, value_name = "AGENT")]
    pub(crate) agents: Vec<String>,
    /// Every agent
    #[arg(long, conflicts_with = "agents")]
    pub(crate) all: bool,
    /// Where the entries are
    #[arg(long, value_enum, default_value = "user")]
    pub(crate) scope: ScopeChoice,
    /// Show the plan and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Apply without asking
    #[arg(long, short = 'y')]
    pub(crate) yes: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `plimsoll connect`
pub(super) fn connect(context: &Context, mut args: Connect) -> CommandResult {
    require_names(&args.agents, args.all, "connect")?;
    let parts = Parts {
        mcp: true,
        hooks: !args.no_hooks,
        instructions: args.instructions,
        credentials: match (args.credentials, args.no_credentials) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        },
    };
    args.agents = setup::agent_ids(&args.agents)?;
    let scope = context.scope(args.scope)?;
    let computer = context.computer_for(&args.agents);
    if args.print {
        return print(context, &computer, &args, &scope, parts);
    }
    let planned = {
        let _looking = context.terminal.progress("Reading the agents' files …");
        setup::plan_connect(&context.service, &computer, &Request { agents: args.agents, scope, parts })?
    };
    if planned.ids().is_empty() {
        return Err(CommandError::Message(
            Exit::Nothing,
            "no agent was found on this computer; `plimsoll connect --print <agent>` shows what to enter by hand".into(),
        ));
    }
    review_and_apply(
        context,
        &planned,
        &Options { dry_run: args.dry_run, yes: args.yes, json: args.json, verb: "connect" },
    )
}

/// `plimsoll disconnect`
pub(super) fn disconnect(context: &Context, args: Disconnect) -> CommandResult {
    require_names(&args.agents, args.all, "disconnect")?;
    let agents = setup::agent_ids(&args.agents)?;
    let scope = context.scope(args.scope)?;
    let computer = context.computer_for(&agents);
    let planned = setup::plan_disconnect(&context.service, &computer, &agents, &scope)?;
    let planned = if args.all { planned.only_changes() } else { planned };
    // Without a word on them, "No agent is connected" would deny those that work in this project alone.
    let stay_in_project = match scope {
        Scope::User if context.service.has_project() => {
            let inside = Scope::Project(context.service.project().root);
            !setup::plan_disconnect(&context.service, &computer, &agents, &inside)?.is_empty()
        }
        _ => false,
    };
    let options = Options { dry_run: args.dry_run, yes: args.yes, json: args.json, verb: "disconnect" };
    let ended = review_and_apply(context, &planned, &options)?;
    if stay_in_project && !args.json {
        let which = if args.all { "--all".to_owned() } else { agents.join(" ") };
        context.terminal.line(format!(
            "Entries in this project stay; `plimsoll disconnect {which} --scope project` removes them."
        ))?;
    }
    Ok(ended)
}

fn require_names(agents: &[String], all: bool, verb: &str) -> Result<(), CommandError> {
    if !agents.is_empty() || all {
        return Ok(());
    }
    let known: Vec<_> = ::agents::all().iter().map(|agent| agent.id()).collect();
    Err(CommandError::Message(
        Exit::Usage,
        format!("name the agents to {verb}, or --all. Known agents: {}", known.join(", ")),
    ))
}

fn print(
    context: &Context,
    computer: &setup::Computer,
    args: &Connect,
    scope: &Scope,
    parts: Parts,
) -> CommandResult {
    let ids: Vec<String> = if args.all {
        ::agents::all().iter().map(|agent| agent.id().to_owned()).collect()
    } else {
        args.agents.clone()
    };
    let mut data = Vec::new();
    for id in &ids {
        for (path, text) in setup::print(&context.service, computer, id, scope, parts)? {
            if args.json {
                data.push(json!({"agent": id, "path": path.to_string_lossy(), "text": text}));
            } else {
                context.terminal.line(format!("# {}", context.tilde_path(&path)))?;
                context.terminal.line(format!("{}\n", text.trim_end()))?;
            }
        }
    }
    if args.json {
        context.terminal.json(&data)?;
    }
    Ok(Exit::Done)
}

struct Options {
    dry_run: bool,
    yes: bool,
    json: bool,
    verb: &'static str,
}

/// What `--json` prints: the plan, and what was applied.
#[derive(serde::Serialize)]
struct Outcome {
    plan: PlanReport,
    applied: Option<Vec<AppliedReport>>,
}

impl Outcome {
    /// A path that isn't UTF-8 can't be in JSON. It's printed with a replacement character, so that the result is
    /// reported in any case.
    fn new(plan: &PlanReport, applied: Option<&[AppliedReport]>) -> Self {
        let (mut plan, mut applied) = (plan.clone(), applied.map(<[_]>::to_vec));
        let planned = plan.agents.iter_mut().flat_map(|agent| &mut agent.files).map(|file| &mut file.path);
        let done =
            applied.iter_mut().flatten().flat_map(|one| one.written.iter_mut().chain(&mut one.unchanged));
        for path in planned.chain(done).chain([&mut plan.backups]) {
            *path = path.to_string_lossy().into_owned().into();
        }
        Self { plan, applied }
    }
}

fn review_and_apply(context: &Context, planned: &Plan, options: &Options) -> CommandResult {
    let terminal = &context.terminal;
    let report = planned.report();
    if options.dry_run {
        if options.json {
            terminal.json(&Outcome::new(&report, None))?;
        } else {
            plan::show(context, &report)?;
            terminal.line("Nothing was written (--dry-run).")?;
        }
        return Ok(Exit::Done);
    }
    let nothing = planned.is_empty() && !planned.has_refusals();
    if !options.yes && !nothing {
        if !options.json {
            plan::show(context, &report)?;
        }
        if options.json || !terminal.can_ask() {
            if options.json {
                terminal.json(&Outcome::new(&report, None))?;
            }
            return Err(CommandError::Message(
                Exit::NeedsYou,
                format!(
                    "nothing was written; `plimsoll {} … --yes` applies this without asking",
                    options.verb
                ),
            ));
        }
        if !terminal.confirm("Apply?", true)? {
            terminal.line("Nothing was written.")?;
            return Ok(Exit::NeedsYou);
        }
    }
    let applied = plan::apply(context, planned, options.json)?;
    if options.json {
        terminal.json(&Outcome::new(&report, Some(applied.as_slice())))?;
    } else if planned.is_removal() && applied.is_empty() {
        terminal.line("No agent is connected.")?;
    } else {
        plan::next_steps(context, &applied)?;
    }
    Ok(if applied.iter().any(|report| report.error.is_some()) { Exit::Failed } else { Exit::Done })
}
