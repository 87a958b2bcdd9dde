//! A system's addresses: what can be read at them.

use contract::Error;

use crate::CallContext;

/// A system's addresses.
#[derive(Debug, Clone, Copy)]
pub struct Addresses {
    /// What they begin with.
    pub prefix: &'static str,
    /// The rest of the address as an MCP template; empty if there is only this one address.
    pub template: &'static str,
    /// The beginning of an older product's addresses, which are read as well; empty if there was none.
    pub older_prefix: &'static str,
    /// The name of the resource.
    pub name: &'static str,
    /// A short description.
    pub title: &'static str,
    /// The whole text at an address, as far as the caller may see it.
    pub read: fn(&CallContext, &str) -> Result<String, Error>,
}

impl Addresses {
    /// Whether an address is one of these.
    #[must_use]
    pub fn has(&self, address: &str) -> bool {
        let is_older = !self.older_prefix.is_empty() && address.starts_with(self.older_prefix);
        is_older || address.starts_with(self.prefix)
    }
}
