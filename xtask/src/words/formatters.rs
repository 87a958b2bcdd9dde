//! Finds a second formatter of sizes or counts: `contract::Amount` and `contract::count` are the only ones, so that the same
//! size reads the same everywhere. Owns how one is recognised in the code; knows nothing of words.

use anyhow::Result;
use regex::Regex;

use super::texts;

/// Where the one formatter is.
const HOME: &str = "crates/contract/src/amount.rs";

/// A line for each formatter outside of its home, in these files with their texts.
pub(super) fn find(sources: &[(String, String)]) -> Result<Vec<String>> {
    let size = Regex::new(r"\}\s?([KMGT]?B|[KMGT]iB)\b")?;
    let plural = Regex::new(r#"\{\s*""\s*\}\s*else\s*\{\s*"s"\s*\}|\{\s*"s"\s*\}\s*else\s*\{\s*""\s*\}"#)?;
    let mut found = Vec::new();
    for (place, source) in sources.iter().filter(|(place, _)| place != HOME) {
        if plural.is_match(source) {
            found.push(format!("{place}: writes a count; use contract::count"));
        }
        texts::literals(texts::tokens(source, place)?, &mut |words| {
            if size.is_match(words) {
                found.push(format!("{place}: {words}: writes a size; use contract::Amount"));
            }
        });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::{HOME, find};

    #[test]
    fn a_second_formatter_is_found_where_it_ships() {
        let source = r#"
            fn size(n: u64) -> String { format!("{} KB and {n:.1} MiB", n / 1000) }
            fn lines(n: u64) -> String { format!("{n} line{}", if n == 1 { "" } else { "s" }) }
            const LIMIT: &str = "at most 100 KB";
            #[cfg(test)]
            mod tests { const LOG: &str = "{n} MB"; }
        "#;
        let found = find(&[("crates/one/src/lib.rs".into(), source.into()), (HOME.into(), source.into())]);
        let found = found.expect("Rust");
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("crates/one/src/lib.rs: writes a count"), "{found:?}");
        assert!(found[1].contains("KB and") && found[1].ends_with("use contract::Amount"), "{found:?}");
    }
}
