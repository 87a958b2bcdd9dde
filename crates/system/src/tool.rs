//! What agents can call.

use contract::{Error, ErrorCode};
use serde_json::{Map, Value};

use crate::{Arguments, At, System, Work};

/// A tool.
#[derive(Debug, Clone, Copy)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// Title, description, schema of the arguments and annotations, as the protocol writes them. Written by hand, because
    /// every byte is paid for in each session and several hosts choke on what generators emit.
    pub written: &'static str,
    /// Arguments that are left out where another tool is not offered, with that tool.
    pub needs: &'static [(&'static str, &'static str)],
    /// Reads a call's arguments. What is wrong with them is said before anything is done.
    pub read: fn(&mut Arguments) -> Result<Job, Error>,
    /// Whether older products have the same name behind their prefix.
    pub prefixed: bool,
    /// Whether it writes its own row in the ledger; otherwise whoever calls it does.
    pub books: bool,
}

/// A call that was understood.
pub type Job = Box<dyn FnOnce(At) -> Work + Send>;

/// A name of an older product, described by the tool that does the same.
#[derive(Debug, Clone, Copy)]
pub struct Older {
    /// The name.
    pub name: &'static str,
    /// The tool.
    pub tool: &'static str,
    /// What it does.
    pub description: &'static str,
    /// Arguments that it has of the tool's; all when empty.
    pub arguments: &'static [&'static str],
    /// Those of them that must be given.
    pub required: &'static [&'static str],
    /// Whether it only reads, although the tool does more.
    pub reads: bool,
}

impl System {
    /// The tool of this name and the name without its prefix; also by a name of an older product.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<(&'static Tool, &'static str)> {
        let plain = match self.prefix {
            "" => name,
            prefix => name.strip_prefix(prefix).unwrap_or(name),
        };
        let (tools, older) = (self.tools, self.older);
        let of = |name: &str| tools.iter().find(|tool| tool.name == name);
        of(plain).map(|tool| (tool, tool.name)).or_else(|| {
            let older = older.iter().find(|older| older.name == plain)?;
            Some((of(older.tool)?, older.name))
        })
    }
}

/// The tool of this name among those of `systems`, with its call read.
///
/// # Errors
/// When there is none, or the arguments are not understood; the message names what there is.
pub fn named(
    systems: &[&'static System],
    name: &str,
    arguments: Map<String, Value>,
) -> Result<(&'static Tool, Job), Error> {
    let Some((tool, plain)) = systems.iter().find_map(|system| system.tool(name)) else {
        let all: Vec<&str> = systems.iter().flat_map(|system| system.tools).map(|tool| tool.name).collect();
        return Err(Error::new(
            ErrorCode::UnknownTool,
            format!("there is no tool {name:?}; the tools are {}", all.join(", ")),
        ));
    };
    let mut arguments = Arguments::new(plain, arguments);
    let job = (tool.read)(&mut arguments)?;
    arguments.finish()?;
    Ok((tool, job))
}
