//! The tools of a system.

use contract::{Error, ErrorCode};
use serde_json::{Map, Value};

use crate::values::shortened;
use crate::{Arguments, CallContext, ReplyFuture, System};

/// A tool.
#[derive(Debug, Clone, Copy)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// Title, description, input schema and annotations in the protocol's JSON. Written by hand, because every byte
    /// is paid for in each session, and several hosts choke on generated schemas.
    pub definition: &'static str,
    /// Arguments to omit if another tool isn't offered, each with that tool.
    pub needs: &'static [(&'static str, &'static str)],
    /// Parses a call's arguments. Reports errors before anything runs.
    pub read: fn(&mut Arguments) -> Result<ParsedCall, Error>,
    /// Whether older products have the same name with their prefix.
    pub has_legacy_name: bool,
    /// Whether it writes its own ledger row; otherwise the caller does.
    pub writes_ledger: bool,
}

/// A parsed call.
pub type ParsedCall = Box<dyn FnOnce(CallContext) -> ReplyFuture + Send>;

/// A tool name of an older product, described by the tool that replaces it.
#[derive(Debug, Clone, Copy)]
pub struct LegacyTool {
    /// The name. If it's the tool's own, it's listed with the older product's prefix only.
    pub name: &'static str,
    /// The tool.
    pub tool: &'static str,
    /// Its description.
    pub description: &'static str,
    /// Which of the tool's arguments it has; all if empty.
    pub arguments: &'static [&'static str],
    /// Arguments that the tool accepts without listing them, as the `properties` of a schema in the protocol's JSON;
    /// none if empty. They replace the tool's of the same name. Only a listing with the older names includes them, so nobody
    /// else pays for their tokens.
    pub unlisted: &'static str,
    /// The required ones.
    pub required: &'static [&'static str],
    /// Its actions, if they aren't the tool's.
    pub actions: &'static [&'static str],
    /// Whether it is read-only, although the tool isn't.
    pub reads: bool,
}

impl System {
    /// The tool of this name (or an older product's name) and the name without its prefix.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<(&'static Tool, &'static str)> {
        let plain = match self.legacy_prefix {
            "" => name,
            prefix => name.strip_prefix(prefix).unwrap_or(name),
        };
        let (tools, older) = (self.tools, self.legacy_tools);
        let of = |name: &str| tools.iter().find(|tool| tool.name == name);
        of(plain).map(|tool| (tool, tool.name)).or_else(|| {
            let older = older.iter().find(|older| older.name == plain)?;
            Some((of(older.tool)?, older.name))
        })
    }
}

/// Finds a tool among those of `systems` and parses its call.
///
/// # Errors
/// If there is no such tool (the message lists them) or the arguments are invalid.
pub fn find_tool(
    systems: &[&'static System],
    name: &str,
    arguments: Map<String, Value>,
) -> Result<(&'static Tool, ParsedCall), Error> {
    let Some((tool, plain)) = systems.iter().find_map(|system| system.tool(name)) else {
        let all: Vec<&str> = systems.iter().flat_map(|system| system.tools).map(|tool| tool.name).collect();
        return Err(Error::new(
            ErrorCode::UnknownTool,
            format!("there is no tool {:?}; the tools are {}", shortened(name), all.join(", ")),
        ));
    };
    let mut arguments = Arguments::new(plain, arguments);
    let job = (tool.read)(&mut arguments)?;
    arguments.finish()?;
    Ok((tool, job))
}
