//! `activity`: lists what hooks did, and why.

use clap::Args;
use contract::desktop::ActivityQuery;
use service::desktop::Desktop;

use super::sessions::{agent_id, subject};
use super::terminal::{CommandResult, Exit};
use super::{Context, pages};

/// `activity`
#[derive(Debug, Clone, Args)]
pub(crate) struct Activity {
    /// Only this agent's, e.g. codex
    #[arg(value_parser = super::args::name, long)]
    pub(crate) agent: Option<String>,
    /// Only with this decision
    #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(hooks::DECISIONS))]
    pub(crate) decision: Option<String>,
    /// Only with all of these words
    #[arg(long, value_name = "WORDS")]
    pub(crate) contains: Option<String>,
    /// How many
    #[arg(long, short = 'n', default_value_t = 20)]
    pub(crate) limit: u64,
    /// How many to skip, for paging
    #[arg(long, default_value_t = 0)]
    pub(crate) offset: u64,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `plimsoll activity`
pub(super) fn activity(context: &Context, args: &Activity) -> CommandResult {
    let page = Desktop::new(context.service.clone()).activity(ActivityQuery {
        agent: agent_id(args.agent.as_ref())?,
        project: None,
        decision: args.decision.clone(),
        by_call: false,
        mattered: false,
        contains: args.contains.clone(),
        since_ms: None,
        offset: args.offset,
        limit: args.limit.max(1),
    })?;
    if args.json {
        context.terminal.json(&page)?;
    }
    for row in page.rows.iter().filter(|_| !args.json) {
        let rule = row.rule.as_ref().map_or_else(String::new, |rule| format!(" ({rule})"));
        let ms = row.elapsed_us / 1_000;
        let about = format!("{} · {}", row.agent, subject(&row.kind, &row.summary));
        let about = text::one_line(&about);
        context.terminal.line(format!("{}{rule}  {about}  {ms} ms", row.decision))?;
    }
    if page.rows.is_empty() && !args.json {
        let any = args.agent.is_none() && args.decision.is_none() && args.contains.is_none();
        context.terminal.line(match (page.total, any) {
            (0, true) => {
                "Nothing is recorded yet; what hooks decide appears here once a connected agent works."
                    .to_owned()
            }
            (0, false) => "Nothing recorded matches; try fewer words or another agent.".to_owned(),
            (total, _) => pages::past_the_end(total, "event"),
        })?;
    }
    let more = pages::next_page_line(args.offset, page.rows.len(), page.total).filter(|_| !args.json);
    if let Some(more) = more {
        context.terminal.line(more)?;
    }
    Ok(if page.rows.is_empty() { Exit::Nothing } else { Exit::Done })
}
