//! Where agents keep instructions and memories, so that they can be imported. Owns the shape of the answer; each
//! agent's folder names its files ([`Agent::memory_sources`](crate::Agent::memory_sources)).

use std::path::PathBuf;

/// Files and folders that may exist.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemorySources {
    /// What people wrote for the agent.
    pub instructions: Vec<PathBuf>,
    /// What the agent wrote for itself.
    pub memories: Vec<PathBuf>,
    /// JSON files that list servers, some with the agent's projects as the keys of `projects`.
    pub settings: Vec<PathBuf>,
}
