//! At the start of a session in an indexed project, says that the code is indexed and summarises it in a few lines, unless it's
//! too large for that.

use system::ModelContext;

use super::{Near, plain};
use crate::reply_cap::BYTES_PER_TOKEN;

/// 300 tokens.
const MAX_BYTES: usize = 300 * BYTES_PER_TOKEN;
/// The number of entries of each kind.
const MOST: usize = 8;
/// A smaller project is seen at once.
const FEW_FILES: u64 = 12;

pub(super) fn tell(near: &Near<'_>) -> Option<ModelContext> {
    if !near.store.is_complete().ok()? {
        return None;
    }
    let text = if near.is_large()? { introduction(near, "") } else { summary(near)? };
    near.first_time("start").then_some(ModelContext {
        text,
        reason: "map of the project",
        ledger_name: "map",
    })
}

/// Says that there is an index, and what it's for.
fn introduction(near: &Near<'_>, figures: &str) -> String {
    let tool = near.tool();
    format!(
        "Plimsoll has an index of this project's code{figures}. {tool} answers from it: search finds places by meaning and name, \
         references who uses a name, card what a change reaches, map the whole."
    )
}

/// The same with a summary of the project; `None` for one that's small enough to see at once.
fn summary(near: &Near<'_>) -> Option<String> {
    let seen = near.store.overview(MOST).ok()?;
    if seen.files < FEW_FILES || seen.folders.is_empty() {
        return None;
    }
    let (files, definitions) =
        (contract::count(seen.files, "file"), contract::count(seen.definitions, "definition"));
    let mut text = introduction(near, &format!(": {files}, {definitions}"));
    let languages = seen.languages.iter().map(|(name, files)| format!("{} {files}", plain(name, 20)));
    add(&mut text, "Languages (files): ", languages);
    // The index still has the files of a folder that was removed since.
    let is_there = |path: &String| near.shows(path) && near.root.join(path).exists();
    let folders = seen.folders.iter().filter(|(path, _)| is_there(path));
    add(&mut text, "Folders (files): ", folders.map(|(path, files)| format!("{} {files}", plain(path, 60))));
    let hubs = seen.hubs.iter().filter(|(path, _)| is_there(path));
    add(&mut text, "Imported most: ", hubs.map(|(path, n)| format!("{} {n}", plain(path, 80))));
    Some(text)
}

/// A line with as many of a list as fit.
fn add(text: &mut String, title: &str, list: impl Iterator<Item = String>) {
    let mut line = format!("\n{title}");
    let empty = line.len();
    for one in list {
        let comma = if line.len() > empty { ", " } else { "" };
        if text.len() + line.len() + comma.len() + one.len() > MAX_BYTES {
            break;
        }
        line.push_str(comma);
        line.push_str(&one);
    }
    if line.len() > empty {
        text.push_str(&line);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_map_is_no_larger_than_its_cap(
            first in "\\PC{0,200}",
            lists in prop::collection::vec(prop::collection::vec("\\PC{0,120}", 0..30), 0..4),
        ) {
            let mut text = first;
            for list in lists {
                let before = text.clone();
                add(&mut text, "Folders (files): ", list.into_iter());
                prop_assert!(text.starts_with(&before));
                prop_assert!(text.len() <= MAX_BYTES, "{} bytes", text.len());
            }
        }
    }
}
