//! `stats`: what was kept out of conversations and what that cost; the rows behind it, for people and programs.

use std::io::BufWriter;

use contract::{Manage, ManageAction};
use service::{Call, Format, Stopped};

use super::Desk;
use super::args::{Export, Stats};
use super::knowledge::{manage, print_reply};
use super::screen::{Ended, Exit, Stop};

/// `plimsoll stats`
pub(super) fn stats(desk: &Desk, args: &Stats) -> Ended {
    let now_ms = desk.service.now_ms();
    if let Some(format) = args.export {
        return export(desk, format, args.since.as_deref());
    }
    if args.calls {
        let since = args.days.map(|days| now_ms.saturating_sub(i64::from(days) * 86_400_000));
        return super::history::calls(desk, since, args.json);
    }
    let request = manage(ManageAction::Stats, None);
    let reply = desk.wait(desk.service.manage(&Call::of_person(), Manage { days: args.days, ..request }))?;
    print_reply(desk, &reply, args.json)
}

/// Straight to standard output, row by row: a ledger may be larger than the memory.
fn export(desk: &Desk, format: Export, since: Option<&str>) -> Ended {
    let since_ms = match since {
        None => i64::MIN,
        Some(text) => crate::zone::moment(text, desk.service.now_ms()).ok_or_else(|| {
            let how =
                format!("--since {text} isn't a time; use a date (2026-01-31), days (7d) or hours (24h)");
            Stop::Said(Exit::Usage, how)
        })?,
    };
    let format = match format {
        Export::Csv => Format::Csv,
        Export::Json => Format::Json,
    };
    let mut out = BufWriter::new(desk.screen.writer());
    match desk.service.export(format, since_ms, &mut out) {
        Ok(0) => Ok(Exit::Nothing),
        Ok(_) => Ok(Exit::Done),
        Err(Stopped::Unreadable(error)) => Err(error.into()),
        Err(Stopped::Unwritable(error)) => Err(error.into()),
    }
}
