//! Finds the variants that imports name, and those of Rust that a bare name means: what a `use` in its sight brings in. Without one, a
//! variant of Rust is only named through its enumeration.

use std::collections::HashSet;

use super::occurrences::Occurrence;
use super::resolution::FileContext;
use crate::grammar::Kind;
use crate::imports::{Import, WHOLE};
use crate::symbols::Outline;

impl FileContext<'_> {
    /// The variants that `use Mode::Fast`, `use Mode::Fast as Quick` and `use Mode::*` bring to a place by the name `spelt`.
    pub(super) fn used_variants(
        &self,
        o: &Occurrence,
        outline: &Outline,
        spelt: &str,
        name: &str,
    ) -> Vec<usize> {
        let mut of = Vec::new();
        if self.language() != "rust" || o.prefix || !self.targets.iter().any(|t| t.kind == Kind::Variant) {
            return of;
        }
        for import in &outline.imports {
            let brings = |(here, there): &(String, String)| here == WHOLE || here == spelt && there == name;
            let Some((path, _)) = import.target.rsplit_once("::") else { continue };
            if !import.bound.iter().any(brings) || !is_seen(import, o, outline) {
                continue;
            }
            let owner = path.rsplit("::").next().unwrap_or(path);
            let from = self.reexporting_files(&self.imported_on(import.line));
            of.extend(self.targets_where(|t| {
                t.kind == Kind::Variant && t.owner == owner && (t.file == self.file || from.contains(&t.file))
            }));
        }
        of.sort_unstable();
        of.dedup();
        of
    }

    /// The variants that these imports name, in the files that they mean. In Rust they're those of the enumeration in the path.
    pub(super) fn imported_variants(&self, imports: &[&Import], from: &HashSet<usize>) -> Vec<usize> {
        let rust = self.language() == "rust";
        let names = |owner: &str| imports.iter().any(|i| i.target.rsplit("::").nth(1) == Some(owner));
        self.targets_where(|t| {
            let is_meant = from.contains(&t.file) || rust && t.file == self.file;
            t.kind == Kind::Variant && is_meant && (!rust || names(&t.owner))
        })
    }
}

/// Whether a `use` is seen at a place: one in a function is seen in that alone.
fn is_seen(import: &Import, o: &Occurrence, outline: &Outline) -> bool {
    let functions = outline.symbols.iter().filter(|s| matches!(s.kind, Kind::Function | Kind::Method));
    let around = functions.filter(|s| (s.start_line..=s.end_line).contains(&import.line));
    let inner = around.max_by_key(|s| s.start_line);
    inner.is_none_or(|s| (s.start_line..=s.end_line).contains(&o.line))
}
