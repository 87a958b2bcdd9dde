//! `connect` and `disconnect`: plan, show, ask, apply.

use ::agents::{Parts, Scope};
use serde_json::json;
use service::wiring::{self, Plan, Request};

use super::args::{Connect, Disconnect};
use super::screen::{Ended, Exit, Stop};
use super::{Desk, plan};

/// `plimsoll connect`
pub(super) fn connect(desk: &Desk, mut args: Connect) -> Ended {
    need_names(&args.agents, args.all, "connect")?;
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
    args.agents = wiring::ids(&args.agents)?;
    let scope = desk.scope(args.scope)?;
    let computer = desk.computer_for(&args.agents);
    if args.print {
        return print(desk, &computer, &args, &scope, parts);
    }
    let planned = {
        let _looking = desk.screen.progress("Reading the agents' files …");
        wiring::plan_connect(&desk.service, &computer, &Request { agents: args.agents, scope, parts })?
    };
    if planned.ids().is_empty() {
        return Err(Stop::Said(
            Exit::Nothing,
            "no agent was found on this computer; `plimsoll connect --print <agent>` shows what to enter by hand".into(),
        ));
    }
    carry_out(desk, &planned, &How { dry_run: args.dry_run, yes: args.yes, json: args.json, verb: "connect" })
}

/// `plimsoll disconnect`
pub(super) fn disconnect(desk: &Desk, args: Disconnect) -> Ended {
    need_names(&args.agents, args.all, "disconnect")?;
    let agents = wiring::ids(&args.agents)?;
    let scope = desk.scope(args.scope)?;
    let computer = desk.computer_for(&agents);
    let planned = wiring::plan_disconnect(&desk.service, &computer, &agents, &scope)?;
    let planned = if args.all { planned.only_changes() } else { planned };
    carry_out(
        desk,
        &planned,
        &How { dry_run: args.dry_run, yes: args.yes, json: args.json, verb: "disconnect" },
    )
}

fn need_names(agents: &[String], all: bool, verb: &str) -> Result<(), Stop> {
    if !agents.is_empty() || all {
        return Ok(());
    }
    let known: Vec<_> = ::agents::all().iter().map(|agent| agent.id()).collect();
    Err(Stop::Said(
        Exit::Usage,
        format!("name the agents to {verb}, or --all. Known agents: {}", known.join(", ")),
    ))
}

fn print(desk: &Desk, computer: &wiring::Computer, args: &Connect, scope: &Scope, parts: Parts) -> Ended {
    let ids: Vec<String> = if args.all {
        ::agents::all().iter().map(|agent| agent.id().to_owned()).collect()
    } else {
        args.agents.clone()
    };
    let mut data = Vec::new();
    for id in &ids {
        for (path, text) in wiring::print(&desk.service, computer, id, scope, parts)? {
            if args.json {
                data.push(json!({"agent": id, "path": path, "text": text}));
            } else {
                desk.screen.line(format!("# {}", desk.shown(&path)))?;
                desk.screen.line(format!("{}\n", text.trim_end()))?;
            }
        }
    }
    if args.json {
        desk.screen.json(&data)?;
    }
    Ok(Exit::Done)
}

struct How {
    dry_run: bool,
    yes: bool,
    json: bool,
    verb: &'static str,
}

fn carry_out(desk: &Desk, planned: &Plan, how: &How) -> Ended {
    let screen = &desk.screen;
    let report = planned.report();
    if how.dry_run {
        if how.json {
            screen.json(&json!({"plan": report, "applied": null}))?;
        } else {
            plan::show(desk, &report)?;
            screen.line("Nothing was written (--dry-run).")?;
        }
        return Ok(Exit::Done);
    }
    let nothing = planned.is_empty() && !planned.has_refusals();
    if !how.yes && !nothing {
        if !how.json {
            plan::show(desk, &report)?;
        }
        if how.json || !screen.can_ask() {
            if how.json {
                screen.json(&json!({"plan": report, "applied": null}))?;
            }
            return Err(Stop::Said(
                Exit::NeedsYou,
                format!("nothing was written; `plimsoll {} … --yes` applies this without asking", how.verb),
            ));
        }
        if !screen.confirm("Apply?", true)? {
            screen.line("Nothing was written.")?;
            return Ok(Exit::NeedsYou);
        }
    }
    let applied = plan::apply(desk, planned, how.json)?;
    if how.json {
        screen.json(&json!({"plan": report, "applied": applied}))?;
    } else if planned.is_removal() && applied.is_empty() {
        screen.line("No agent is connected.")?;
    } else {
        plan::next_steps(desk, &applied)?;
    }
    Ok(if applied.iter().any(|report| report.error.is_some()) { Exit::Failed } else { Exit::Done })
}
