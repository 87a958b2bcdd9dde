//! A system's addresses: what can be read at them.

use contract::Error;

use crate::CallContext;

/// A system's addresses.
#[derive(Debug, Clone, Copy)]
pub struct Addresses {
    /// What they begin with.
    pub prefix: &'static str,
    /// What comes after that, as a template of MCP; empty if there is only this one address.
    pub template: &'static str,
    /// The name of what is there.
    pub name: &'static str,
    /// A short description.
    pub title: &'static str,
    /// The whole text at an address, as far as the caller may see it.
    pub read: fn(&CallContext, &str) -> Result<String, Error>,
}
