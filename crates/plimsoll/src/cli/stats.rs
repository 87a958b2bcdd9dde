//! `stats`: what was kept out of conversations and what that cost, and the calls behind it.

use std::io::BufWriter;

use clap::{Args, ValueEnum};
use contract::desktop::{CallsQuery, LedgerCall};
use contract::{Amount, Manage, ManageAction, signed_bytes};
use service::desktop::Desktop;
use service::{Call, ExportError, Format};

use super::Context;
use super::terminal::{CommandError, CommandResult, Exit, unwritten};

/// How many calls are listed.
const LISTED_CALLS: u64 = 100;

/// `stats`
#[derive(Debug, Clone, Args)]
pub(crate) struct Stats {
    /// Only this many days back
    #[arg(long, value_parser = super::args::days)]
    pub(crate) days: Option<u32>,
    /// The latest 100 calls
    #[arg(long)]
    pub(crate) calls: bool,
    /// Write every call of the ledger to standard output
    #[arg(long, value_name = "FORMAT", conflicts_with_all = ["days", "calls", "json"])]
    pub(crate) export: Option<Export>,
    /// With --export: only calls since then (2026-01-31, 7d, 24h)
    #[arg(long, value_name = "WHEN", requires = "export")]
    pub(crate) since: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Forms of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Export {
    /// Comma separated values
    Csv,
    /// A JSON array
    Json,
}

/// `plimsoll stats`
pub(super) fn stats(context: &Context, args: &Stats) -> CommandResult {
    let now_ms = context.service.now_ms();
    if let Some(format) = args.export {
        return export(context, format, args.since.as_deref());
    }
    if args.calls {
        let since = args.days.map(|days| now_ms.saturating_sub(i64::from(days) * 86_400_000));
        return calls(context, since, args.json);
    }
    let request =
        Manage { action: ManageAction::Stats, scope: None, confirm: false, now: false, days: args.days };
    let reply = context.wait(context.service.manage(&Call::from_user(), request))?;
    context.print_reply(&reply, args.json)
}

/// Writes to standard output row by row, because a ledger may not fit in memory.
fn export(context: &Context, format: Export, since: Option<&str>) -> CommandResult {
    let since_ms = match since {
        None => i64::MIN,
        Some(text) => crate::time_zone::parse_time(text, context.service.now_ms()).ok_or_else(|| {
            let how =
                format!("--since {text} isn't a time; use a date (2026-01-31), days (7d) or hours (24h)");
            CommandError::Message(Exit::Usage, how)
        })?,
    };
    let format = match format {
        Export::Csv => Format::Csv,
        Export::Json => Format::Json,
    };
    let mut out = BufWriter::new(context.terminal.writer());
    match context.service.export(format, since_ms, &mut out) {
        Ok(0) => Ok(Exit::Nothing),
        Ok(_) => Ok(Exit::Done),
        Err(ExportError::Unreadable(error)) => Err(error.into()),
        Err(ExportError::Unwritable(error)) => Err(unwritten(error)),
    }
}

/// What a call kept out, and what it cost. Text that replaces nothing kept nothing out: it's only a cost.
fn outcome(row: &LedgerCall) -> String {
    let known = if row.ok { row.class.as_str() } else { "failed" };
    let cost = (row.overhead_bytes > 0).then(|| format!("own cost {}", Amount::bytes(row.overhead_bytes)));
    let kept = (row.raw_bytes > 0 || row.saved_bytes != 0).then(|| {
        format!(
            "{} of {} returned, {} kept out ({known})",
            Amount::bytes(row.returned_bytes),
            Amount::bytes(row.raw_bytes),
            signed_bytes(row.saved_bytes)
        )
    });
    let failed = (!row.ok && kept.is_none()).then(|| "failed".to_owned());
    let parts: Vec<String> = [kept, failed, cost].into_iter().flatten().collect();
    if parts.is_empty() { "nothing kept out".to_owned() } else { parts.join(", ") }
}

/// `plimsoll stats --calls`
pub(super) fn calls(context: &Context, since_ms: Option<i64>, json: bool) -> CommandResult {
    let query = CallsQuery { since_ms, limit: LISTED_CALLS, ..CallsQuery::default() };
    let page = Desktop::new(context.service.clone()).calls(query)?;
    if json {
        context.terminal.json(&page)?;
    }
    for row in page.rows.iter().filter(|_| !json) {
        context.terminal.line(format!("{}  {}  {}", row.agent, row.tool, outcome(row)))?;
    }
    if page.rows.is_empty() && !json {
        context.terminal.line(if since_ms.is_some() {
            "No call is recorded in these days; leave out --days to see earlier ones."
        } else {
            "No call is recorded yet; the first appears when a connected agent works."
        })?;
    }
    let rest = page.total.saturating_sub(page.rows.len() as u64);
    if rest > 0 && !json {
        context.terminal.line(format!("({rest} more; `plimsoll stats --export csv` writes every call)"))?;
    }
    Ok(if page.rows.is_empty() { Exit::Nothing } else { Exit::Done })
}
