//! What a run leaves as earlier runs stored it: files that its include patterns don't name, also below a hidden folder that an
//! earlier pattern named. Owns telling them from what is gone, excluded or forbidden.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::Path;

use globset::GlobSet;

use super::walk::{MAX_NOT_INCLUDED, Walk, WalkOptions, globs};
use crate::error::Result;
use crate::refresh::may_be_another_file;

pub(super) struct Untouched<'w, 'o> {
    /// This and the others are as the store has paths, whose texts are all that can be compared.
    root: Cow<'w, Path>,
    options: &'w WalkOptions<'o>,
    exclude: Option<GlobSet>,
    not_included: HashSet<Cow<'w, Path>>,
    hidden: HashSet<Cow<'w, Path>>,
}

impl<'w, 'o> Untouched<'w, 'o> {
    /// # Errors
    /// If an exclude pattern doesn't parse.
    pub(super) fn of(root: &'w Path, options: &'w WalkOptions<'o>, found: &'w Walk) -> Result<Self> {
        Ok(Self {
            root: home::as_text(root),
            options,
            exclude: globs(&options.exclude)?,
            not_included: found.not_included.iter().map(|path| home::as_text(path)).collect(),
            hidden: found.hidden.iter().map(|path| home::as_text(path)).collect(),
        })
    }

    /// Whether all of them are listed.
    pub(super) fn is_complete(&self) -> bool {
        self.not_included.len() < MAX_NOT_INCLUDED && self.hidden.len() < MAX_NOT_INCLUDED
    }

    /// Whether a stored file is one of them.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.not_included.contains(path) || self.is_hidden(path)
    }

    /// The walk doesn't look below hidden entries, so the rules are asked for each part of the path here.
    fn is_hidden(&self, path: &Path) -> bool {
        let root: &Path = &self.root;
        let below = |part: &&Path| part.starts_with(root) && *part != root;
        let excluded = |part: &Path| {
            let relative = part.strip_prefix(root).unwrap_or(part);
            self.exclude.as_ref().is_some_and(|globs| globs.is_match(relative))
        };
        let is_there =
            || may_be_another_file(path) || std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file());
        path.ancestors().take_while(below).any(|part| self.hidden.contains(part))
            && is_there()
            && !path
                .ancestors()
                .take_while(below)
                .any(|part| excluded(part) || (self.options.deny_read)(part))
    }
}
