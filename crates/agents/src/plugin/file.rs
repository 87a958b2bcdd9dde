//! One file of a plugin, before anything writes it.

/// A file of a plugin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginFile {
    /// Its path below `plugin/`, with `/`.
    pub path: String,
    /// Its text.
    pub text: String,
}
