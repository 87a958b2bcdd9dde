//! Finds the languages that a project only uses for its tools: their choices aren't the product's.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::Result;
use crate::language::{by_name, family};
use crate::role::{self, Role};
use crate::store::Store;

/// Folders of tools besides those that make a role. In the product's own languages such a folder may belong to the product.
const FOLDERS: &[&str] =
    &["script", "tool", "support", "hack", "maint", "devtools", "dev-tools", "build-aux", ".github", ".ci"];

/// Whether a file is in a folder of tools.
pub(super) fn is_tool(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    let named = |folder: &str| FOLDERS.iter().any(|name| folder.eq_ignore_ascii_case(name));
    role::of(path, None, "").is(Role::TOOLING) || folders.split('/').any(named)
}

/// The languages, by their families, of which as many files or more are in folders of tools as elsewhere, where the product has more
/// files of another language than that.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn languages(store: &Store) -> Result<BTreeSet<String>> {
    let aside = [Role::TEST, Role::EXAMPLE, Role::VENDORED, Role::GENERATED, Role::DOCS];
    let aside = aside.into_iter().fold(0, |all, role| all | role.0);
    let counts = store.read(|db| {
        let mut statement = db.prepare_cached(
            "SELECT path, language FROM files WHERE language IS NOT NULL AND role & ?1 = 0",
        )?;
        let mut rows = statement.query([aside])?;
        let mut out: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let language: String = row.get(1)?;
            let (tools, product) = out.entry(language).or_default();
            let tool = is_tool(row.get_ref(0)?.as_str().unwrap_or_default());
            *tools += u64::from(tool);
            *product += u64::from(!tool);
        }
        Ok(out)
    })?;
    let mut families: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for (language, (tools, product)) in &counts {
        if by_name(language).is_some_and(|known| known.grammar().is_some()) {
            let all = families.entry(family(language)).or_default();
            *all = (all.0 + tools, all.1 + product);
        }
    }
    let most = families.values().map(|(_, product)| *product).max().unwrap_or(0);
    let only_tools = families.iter().filter(|(_, (tools, product))| tools >= product && *tools < most);
    Ok(only_tools.map(|(language, _)| (*language).to_owned()).collect())
}
