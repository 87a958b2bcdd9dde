//! Tokenises text as `tokenizer.json` specifies: WordPiece, Unigram, and BPE whose tokens begin with `▁`, the kinds
//! that model2vec folders use. Any other kind is refused by name.

mod definition;
mod normalizer;
mod subwords;

use normalizer::Normalizer;
use subwords::SubwordModel;

/// A token of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    /// Its row in the table.
    pub(super) id: usize,
    /// Whether it is a whole word rather than a part.
    pub(super) whole: bool,
}

/// A tokenizer, as `tokenizer.json` specifies it.
#[derive(Debug)]
pub(super) struct Tokenizer {
    normal: Normalizer,
    pieces: SubwordModel,
}

impl Tokenizer {
    /// Parses the file's bytes.
    ///
    /// # Errors
    /// The problem, or the unsupported part.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let (model, before) = definition::read(bytes)?;
        let normal = Normalizer::read(&before.normalizer, &before.pre_tokenizer)?;
        Ok(Self { pieces: SubwordModel::read(model)?, normal })
    }

    /// The number of tokens: the largest id plus one.
    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// The first `most` tokens of a text. Words without any token are left out.
    pub(super) fn tokens(&self, text: &str, most: usize) -> Vec<Token> {
        let mut out = Vec::new();
        for word in self.normal.words(text) {
            if out.len() >= most {
                break;
            }
            let from = out.len();
            let complete = self.pieces.of(&word, &mut out);
            let letters = word.chars().filter(|c| c.is_alphanumeric()).count();
            let known = complete
                && out.len() == from + 1
                && (letters >= 3 || word.chars().any(ranking::words::is_cjk));
            if let (true, Some(token)) = (known, out.last_mut()) {
                token.whole = true;
            }
        }
        out.truncate(most);
        out
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn ids(about: &Value, text: &str) -> Vec<(usize, bool)> {
        let tokenizer = Tokenizer::read(about.to_string().as_bytes()).unwrap();
        tokenizer.tokens(text, 100).iter().map(|token| (token.id, token.whole)).collect()
    }

    #[test]
    fn word_pieces() {
        let about = json!({
            "normalizer": {"type": "BertNormalizer", "lowercase": true, "handle_chinese_chars": true},
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                "vocab": {"[UNK]": 0, "cafe": 1, "data": 2, "##base": 3, "!": 4, "数": 5, "[CLS]": 6}},
        });
        assert_eq!(
            ids(&about, "Café DATABASE! 数 zebra [CLS]"),
            [(1, true), (2, false), (3, false), (4, false), (5, true)]
        );
    }

    #[test]
    fn the_most_likely_pieces_are_chosen() {
        let about = json!({
            "normalizer": {"type": "NFKC"},
            "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"},
            "model": {"type": "Unigram", "unk_id": 0,
                "vocab": [["<unk>", 0.0], ["▁data", -2.0], ["base", -2.0], ["▁da", -1.5], ["tabase", -3.5], ["▁", -3.0], ["▁ok", -1.0]]},
        });
        assert_eq!(ids(&about, "database ok"), [(1, false), (2, false), (6, false)]);
        assert_eq!(ids(&about, "ﬁ data"), [(5, false), (1, true)]);
    }

    #[test]
    fn merged_pairs() {
        let about = json!({
            "normalizer": {"type": "Sequence", "normalizers": [
                {"type": "Prepend", "prepend": "▁"},
                {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
            "pre_tokenizer": null,
            "model": {"type": "BPE", "unk_token": "<unk>", "byte_fallback": true,
                "vocab": {"<unk>": 0, "▁": 1, "t": 2, "h": 3, "e": 4, "▁t": 5, "he": 6, "▁the": 7, "<0xE2>": 8},
                "merges": ["▁ t", ["h", "e"], "▁t he"]},
        });
        assert_eq!(ids(&about, "the he"), [(7, true), (1, false), (6, false)]);
    }

    #[test]
    fn unsupported_tokenizers_are_named() {
        let good = json!({"type": "WordPiece", "vocab": {"a": 0}});
        for (about, word) in [
            (json!({"model": {"type": "WordLevel", "vocab": {"a": 0}}}), "WordLevel"),
            (json!({"model": {"type": "WordPiece"}}), "vocab"),
            (json!({"model": {"type": "WordPiece", "vocab": {"a": -1}}}), "vocab"),
            (json!({"model": {"type": "WordPiece", "vocab": {"a": 4_000_000_000_u64}}}), "vocab"),
            (json!({"model": good, "pre_tokenizer": {"type": "ByteLevel"}}), "ByteLevel"),
            (
                json!({"model": good, "normalizer": {"type": "Replace", "pattern": {"Regex": "a"}, "content": ""}}),
                "Replace",
            ),
            (json!({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": ["a b"]}}), "merges"),
        ] {
            let error = Tokenizer::read(about.to_string().as_bytes()).unwrap_err();
            assert!(error.contains(word), "{error}");
        }
        assert!(Tokenizer::read(b"{").is_err());
    }
}
