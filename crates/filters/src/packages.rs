//! Added or removed packages, a line each: their names stay, joined in one line.

use crate::Left;

/// The words that such lines begin with.
const WORDS: [&str; 2] = ["Removing", "Adding"];
/// Fewer lines stay as they are.
const FEW: usize = 4;

/// The text with these lines joined where the first of each kind was.
pub(crate) fn joined(text: &str) -> Option<Left> {
    let mut out = text.to_owned();
    for word in WORDS {
        let names: Vec<&str> = out.lines().filter_map(|line| plain(line, word)).collect();
        if names.len() < FEW {
            continue;
        }
        let line = format!("{word} {}: {}\n", names.len(), names.join(", "));
        let mut joined = String::with_capacity(out.len());
        let mut printed = false;
        for one in out.lines() {
            if plain(one, word).is_none() {
                joined.push_str(one);
                joined.push('\n');
            } else if !printed {
                joined.push_str(&line);
                printed = true;
            }
        }
        out = joined;
    }
    (out.len() < text.len()).then(|| (out, Vec::new()))
}

/// Whether a line may be one of them.
pub(crate) fn may_begin(line: &str) -> bool {
    WORDS.iter().any(|word| plain(line, word).is_some())
}

/// `    Removing defmt v1.1.0`, with no note after it except the compiler that it requires.
fn plain<'t>(line: &'t str, word: &str) -> Option<&'t str> {
    let name = line.trim_start().strip_prefix(word)?.strip_prefix(' ')?;
    let mut words = name.splitn(3, ' ');
    let version = words.nth(1).is_some_and(|version| version.starts_with('v'));
    (version && words.next().is_none_or(|note| note.starts_with("(requires "))).then_some(name)
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_beside_each_other_and_notes_keep_their_line() {
        let text = "    Locking 7 packages\n    Removing a v1.0.0\n    Adding n v2.0.0 (available: v3.0.0)\n    Removing b v1.0.0\n    Removing c v0.1.0\n    Removing d-e v0.1.0+x\n    Adding one v1.0.0\n";
        let (out, left_out) = super::joined(text).unwrap();
        assert_eq!(
            out,
            "    Locking 7 packages\nRemoving 4: a v1.0.0, b v1.0.0, c v0.1.0, d-e v0.1.0+x\n    Adding n v2.0.0 (available: v3.0.0)\n    Adding one v1.0.0\n"
        );
        assert!(left_out.is_empty());
    }
}
