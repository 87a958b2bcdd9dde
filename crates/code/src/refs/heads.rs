//! Finds the files that may have a type whose head names another, by the signatures in the index: only those are
//! parsed for it. Doesn't read heads.

use std::collections::HashSet;

use super::text_matches::whole_words;
use crate::error::Result;
use crate::search::Reader;
use crate::store::Store;

/// Languages whose types have their whole heads in their signatures. Elsewhere `impl B for A` or `include B` are apart from them.
const IN_SIGNATURES: &[&str] =
    &["csharp", "java", "javascript", "kotlin", "python", "scala", "swift", "tsx", "typescript"];
/// The end of a signature that was cut.
const CUT: char = '…';

/// The heads of all types, each with its file.
pub(super) struct Heads {
    signatures: Vec<(usize, String)>,
}

impl Heads {
    /// Reads them once for a question about many types.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) fn read(store: &Store, reader: &Reader) -> Result<Heads> {
        let rows: Vec<(i64, String)> = store.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT file, signature FROM symbols
                 WHERE kind IN ('class', 'struct', 'interface', 'enum', 'type', 'module')",
            )?;
            statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })?;
        let signatures = rows.into_iter().filter_map(|(file, text)| Some((reader.place(file)?, text)));
        Ok(Heads { signatures: signatures.collect() })
    }

    /// The files with a head that has `name`, or whose end isn't known.
    pub(super) fn naming(&self, name: &str) -> HashSet<usize> {
        let names = |text: &str| text.ends_with(CUT) || whole_words(text, name).next().is_some();
        self.signatures.iter().filter(|(_, text)| names(text)).map(|(file, _)| *file).collect()
    }
}

/// Whether a text may have a head with `name` that no signature shows: of a language with heads apart, under another name,
/// or of a companion, which is a part of its type.
pub(super) fn may_be_unseen(language: &str, text: &str, name: &str) -> bool {
    if !IN_SIGNATURES.contains(&language) {
        return true;
    }
    if language == "kotlin" && text.contains("companion object") {
        return true;
    }
    whole_words(text, name).any(|at| {
        let after = text[at + name.len()..].trim_start();
        let renamed = ["as ", "=>", ":"].iter().any(|mark| after.starts_with(mark));
        let line = text[..at].rsplit('\n').next().unwrap_or_default().trim_start();
        renamed || language == "csharp" && line.contains("using ") && line.contains('=')
    })
}

#[cfg(test)]
mod tests {
    use super::may_be_unseen;

    #[test]
    fn a_base_may_be_hidden_only_where_no_signature_shows_it() {
        for (language, text, expected) in [
            ("rust", "impl B for A {}", true),
            ("ruby", "include B", true),
            ("java", "class A { B b = new B(); }", false),
            ("kotlin", "fun a(b: Int) { B() }", false),
            ("kotlin", "class A { companion object : B }", true),
            ("typescript", "import { B as C } from './b'", true),
            ("typescript", "import { B } from './b'\nnew B()", false),
            ("csharp", "using C = X.B;\nclass A : C {}", true),
            ("csharp", "var c = new B();", false),
            ("scala", "import x.{B => C}", true),
            ("python", "from b import B as C", true),
        ] {
            assert_eq!(may_be_unseen(language, text, "B"), expected, "{text}");
        }
    }
}
