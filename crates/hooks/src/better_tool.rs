//! Finds the tool that does better than a call that is about to run.

use agents::{ToolCall, ToolKind};

use crate::outcome::Route;
use crate::routing::host_of;
use crate::situation::Situation;
use crate::{routing, texts};

/// The advice to give; `None` if Plimsoll's tools couldn't do it either.
pub(crate) fn find(call: &ToolCall, situation: &Situation) -> Option<(String, Route)> {
    match &call.kind {
        ToolKind::Shell { command } => {
            if let Some(download) = routing::download(command) {
                // What `index` may not fetch, `execute` still can.
                let fetched = |url: &&str| routing::may_fetch(host_of(url), &situation.settings.network);
                let url = download.url.as_deref();
                if url.is_some() && url.filter(fetched).is_none() {
                    return None;
                }
                return Some((texts::download(&situation.tools, url), Route::Download));
            }
            if routing::inline_http(command) {
                return Some((texts::inline_http(&situation.tools), Route::InlineHttp));
            }
            let file = routing::dump(command)?;
            let size = (situation.file_size)(&situation.cwd.join(&file))
                .filter(|size| *size > routing::DUMP_BYTES)?;
            Some((texts::dump(&situation.tools, &file, size), Route::Dump))
        }
        ToolKind::Fetch { url }
            if !routing::is_local(host_of(url))
                && routing::may_fetch(host_of(url), &situation.settings.network) =>
        {
            Some((texts::fetch(&situation.tools, url), Route::Fetch))
        }
        ToolKind::Read { path, partial: false } if routing::is_log_like(path) => {
            let size = (situation.file_size)(&situation.cwd.join(path))
                .filter(|size| *size > routing::DUMP_BYTES)?;
            Some((texts::dump(&situation.tools, &path.to_string_lossy(), size), Route::Dump))
        }
        _ => None,
    }
}
