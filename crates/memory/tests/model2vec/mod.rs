//! A tiny model in a folder, in the layout of model2vec: each word has a number of its own, and words of one group are near.

#![allow(dead_code, reason = "each test uses some of it")]

use std::path::Path;

use serde_json::{Map, json};

/// Words that mean about the same.
pub(crate) const GROUPS: [&[&str]; 4] = [
    &["database", "postgresql", "storage", "tables", "persistence"],
    &["deploy", "release", "rollout", "ship", "production"],
    &["cat", "dog", "animal", "pet", "hamster"],
    &["token", "login", "password", "session", "credential"],
];

/// A vector of a text by the groups of its words, as an endpoint would give it.
pub(crate) fn by_groups(text: &str) -> Vec<f32> {
    let text = text.to_lowercase();
    let has = |group: &&[&str]| group.iter().filter(|word| text.contains(**word)).count() as f32;
    let mut out: Vec<f32> = GROUPS.iter().map(has).collect();
    out.push(0.1);
    out
}

/// The bytes of a table.
pub(crate) fn safetensors(rows: &[Vec<f32>]) -> Vec<u8> {
    let numbers: Vec<u8> = rows.iter().flatten().flat_map(|one| one.to_le_bytes()).collect();
    let header = json!({"embeddings": {
        "dtype": "F32", "shape": [rows.len(), rows[0].len()], "data_offsets": [0, numbers.len()],
    }})
    .to_string();
    let mut out = (header.len() as u64).to_le_bytes().to_vec();
    out.extend(header.as_bytes());
    out.extend(numbers);
    out
}

/// The text of a tokenizer that knows whole words.
pub(crate) fn tokenizer() -> String {
    let words = GROUPS.iter().flat_map(|group| group.iter());
    let mut vocab = Map::from_iter([("[UNK]".to_owned(), json!(0))]);
    vocab.extend(words.zip(1..).map(|(word, number)| ((*word).to_owned(), json!(number))));
    json!({
        "normalizer": {"type": "BertNormalizer", "lowercase": true},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "vocab": vocab},
    })
    .to_string()
}

/// Writes the model with `columns` numbers for each word.
pub(crate) fn write(folder: &Path, columns: usize) {
    std::fs::create_dir_all(folder).unwrap();
    let mut rows = vec![vec![0.0; columns]];
    for (group, words) in GROUPS.iter().enumerate() {
        for (word, _) in words.iter().enumerate() {
            let mut row = vec![0.0; columns];
            row[group] = 1.0;
            row[4 + word % (columns - 4)] = 0.3;
            rows.push(row);
        }
    }
    std::fs::write(folder.join("model.safetensors"), safetensors(&rows)).unwrap();
    std::fs::write(folder.join("tokenizer.json"), tokenizer()).unwrap();
}
