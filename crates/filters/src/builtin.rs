//! The filters that come with the program, as `build.rs` packed them.

/// One built-in filter, not parsed yet.
pub(crate) struct Builtin {
    pub(crate) name: &'static str,
    /// Its file below `builtin/`.
    pub(crate) file: &'static str,
    /// Program and subcommand words that it answers to.
    pub(crate) commands: &'static [&'static [&'static str]],
    /// Whether a parser of a shape does the work, not rules.
    pub(crate) native: bool,
    /// Whether its cases rest on documentation.
    pub(crate) documented: bool,
    /// The file without its cases.
    pub(crate) rules: &'static str,
    /// The file as it is.
    pub(crate) whole: &'static str,
    /// Files that its cases name, with what is in them.
    pub(crate) captures: &'static [(&'static str, &'static [u8])],
}

mod packed {
    use super::Builtin;
    include!(concat!(env!("OUT_DIR"), "/builtin.rs"));
    pub(super) fn all() -> &'static [Builtin] {
        BUILTIN
    }
}

/// All of them, by file name.
pub(crate) fn all() -> &'static [Builtin] {
    packed::all()
}
