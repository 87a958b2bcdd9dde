//! The decision, pure: an event and the facts in, a verdict and its reason out.

use std::borrow::Cow;
use std::path::Path;

use agents::{Event, EventKind, ToolCall, ToolKind, Verdict};
use rules::Decision;

use crate::facts::Facts;
use crate::routing::host_of;
use crate::{routing, texts};

/// A verdict with what is to be written down about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Decided {
    /// The answer.
    pub verdict: Verdict,
    /// Which rule or route led to it, for Activity: `paused`, `rule Bash(rm:*)`, `route:download`.
    pub because: Option<String>,
    /// The kind of a nudge. It is given at most once per session; the caller replaces the verdict by
    /// [`Verdict::Pass`] when this session had it already.
    pub once: Option<Cow<'static, str>>,
    /// What a replaced output stands for, for the ledger.
    pub saved: Option<Saved>,
}

/// An output that was shortened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// The filter.
    pub filter: String,
    /// What the model would have seen of it without us, in bytes.
    pub raw_bytes: u64,
    /// Where the whole is kept: `plimsoll://task/…`.
    pub full_output: Option<String>,
}

impl Decided {
    pub(crate) fn pass() -> Self {
        Self { verdict: Verdict::Pass, because: None, once: None, saved: None }
    }

    fn because(verdict: Verdict, because: impl Into<String>) -> Self {
        Self { verdict, because: Some(because.into()), once: None, saved: None }
    }
}

/// Above this size, in bytes, the reading of any file earns the nudge.
const LARGE_READ_BYTES: u64 = 50_000;

/// Decides. Order: paused → the user's deny and ask rules → routing → nudge.
pub fn decide(event: &Event, facts: &Facts) -> Decided {
    if facts.paused() {
        return Decided::because(Verdict::Pass, "paused");
    }
    match &event.kind {
        EventKind::SessionStart { source } if facts.settings.hooks.session_start && !event.subagent => {
            Decided {
                verdict: Verdict::Context { text: texts::session_start(&facts.tools) },
                because: Some("session start".into()),
                // A host that does not say why a session starts may say it at every turn.
                once: source.is_none().then_some("session-start".into()),
                saved: None,
            }
        }
        EventKind::PreTool => match &event.tool {
            Some(call) => before_tool(event, call, facts),
            None => Decided::pass(),
        },
        _ => Decided::pass(),
    }
}

fn before_tool(event: &Event, call: &ToolCall, facts: &Facts) -> Decided {
    let (cwd, home) = (facts.cwd.as_path(), facts.home_dir.as_path());
    let ruled = match &call.kind {
        ToolKind::Shell { command } => facts.ruled(call, command),
        ToolKind::Read { path, .. } => facts.rules.read(path, cwd, home),
        ToolKind::Fetch { url } => facts.rules.fetch(host_of(url)),
        _ => Decision::NoRule,
    };
    match ruled {
        Decision::Deny(hit) => {
            let reason = texts::denied(&hit.rule, &hit.source, &hit.what);
            return Decided::because(Verdict::Deny { reason }, format!("rule {}", hit.rule));
        }
        // The agent asks by its own engine for what it sees; only a part hidden inside another command
        // needs our voice.
        Decision::Ask(hit) => {
            if let ToolKind::Shell { command } = &call.kind
                && !command.trim_start().starts_with(hit.what.trim_start())
            {
                let reason = texts::ask(&hit.rule, &hit.source, &hit.what);
                if !facts.can_ask {
                    let reason = texts::nobody_to_ask(&reason);
                    return Decided::because(Verdict::Deny { reason }, format!("rule {}", hit.rule));
                }
                return Decided::because(Verdict::Ask { reason }, format!("rule {}", hit.rule));
            }
            return Decided::pass();
        }
        // What cannot be told from the text the agent judges by its own engine.
        Decision::NoRule | Decision::Allow(_) | Decision::Unknown(_) => {}
    }
    if facts.server.is_none() {
        return Decided::pass();
    }
    let Some((text, route)) = route(call, facts) else { return nudge(event, call, facts) };
    if event.subagent || facts.may_be_subagent {
        // A subagent may not have our tools: it is told, never stopped.
        return Decided {
            verdict: Verdict::Context { text: texts::advice(&text, false) },
            because: Some(route.into()),
            once: Some("subagent".into()),
            saved: None,
        };
    }
    // Who tries again what we advised against has tried our way, or wants it so.
    let once = call.input.to_string();
    let once = format!("{route}:{}", &blake3::hash(once.as_bytes()).to_hex()[..16]);
    // A call that is turned away looks like a malfunction to some models, so it goes on wherever advice reaches the model
    // all the same.
    let verdict = if facts.advises {
        Verdict::Context { text: texts::advice(&text, false) }
    } else {
        Verdict::Deny { reason: texts::advice(&text, true) }
    };
    Decided { once: Some(once.into()), ..Decided::because(verdict, route) }
}

fn route(call: &ToolCall, facts: &Facts) -> Option<(String, &'static str)> {
    match &call.kind {
        ToolKind::Shell { command } => {
            if let Some(download) = routing::download(command) {
                // What `index` may not fetch, `execute` still can.
                let fetched = |url: &&str| routing::fetches(host_of(url), &facts.settings.network);
                let url = download.url.as_deref();
                if url.is_some() && url.filter(fetched).is_none() {
                    return None;
                }
                return Some((texts::download(&facts.tools, url), "route:download"));
            }
            if routing::inline_http(command) {
                return Some((texts::inline_http(&facts.tools), "route:inline-http"));
            }
            let file = routing::dump(command)?;
            let size =
                (facts.file_size)(&facts.cwd.join(&file)).filter(|size| *size > routing::DUMP_BYTES)?;
            Some((texts::dump(&facts.tools, &file, size), "route:dump"))
        }
        ToolKind::Fetch { url }
            if !routing::is_near(host_of(url)) && routing::fetches(host_of(url), &facts.settings.network) =>
        {
            Some((texts::fetch(&facts.tools, url), "route:fetch"))
        }
        ToolKind::Read { path, partial: false } if routing::is_log_like(path) => {
            let size = (facts.file_size)(&facts.cwd.join(path)).filter(|size| *size > routing::DUMP_BYTES)?;
            Some((texts::dump(&facts.tools, &path.to_string_lossy(), size), "route:dump"))
        }
        _ => None,
    }
}

fn nudge(event: &Event, call: &ToolCall, facts: &Facts) -> Decided {
    let (text, kind) = match &call.kind {
        ToolKind::Shell { command } if !routing::is_small(command) && routing::is_noisy(command) => {
            (texts::noisy(&facts.tools), "noisy")
        }
        ToolKind::Read { path, partial: false } => match large(path, facts) {
            Some(size) => (texts::large_read(&facts.tools, size), "large-read"),
            None => return Decided::pass(),
        },
        _ => return Decided::pass(),
    };
    if event.subagent || facts.may_be_subagent {
        return Decided::pass();
    }
    Decided {
        verdict: Verdict::Context { text },
        because: Some(format!("nudge:{kind}")),
        once: Some(kind.into()),
        saved: None,
    }
}

fn large(path: &Path, facts: &Facts) -> Option<u64> {
    (facts.file_size)(&facts.cwd.join(path)).filter(|size| *size > LARGE_READ_BYTES)
}
