//! An embedding model in a local folder, in model2vec's layout: `model.safetensors` with one row of numbers per
//! token, `tokenizer.json`, and optionally `config.json`. A text's vector is the mean of its tokens' rows.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use serde_json::Value;

use super::error::{EmbeddingError, Result};
use super::safetensors::Table;
use super::tokenizer::{Token, Tokenizer};

/// Maximum size of a table, which stays in memory; small models are smaller.
const MAX_MODEL: u64 = 512 << 20;
const MAX_TOKENIZER: u64 = 32 << 20;
const MAX_CONFIG: u64 = 1 << 20;
/// Maximum number of tokens per text, as in model2vec.
const MAX_TOKENS: usize = 512;

/// A loaded model.
#[derive(Debug)]
pub(super) struct LocalModel {
    table: Table,
    tokenizer: Tokenizer,
    normalize: bool,
    id: String,
}

/// Size and time of the files when they were read.
type Stamp = Vec<Option<(u64, SystemTime)>>;

/// The one model that this process keeps in memory.
static LOADED: Mutex<Option<(PathBuf, Stamp, Arc<LocalModel>)>> = Mutex::new(None);

impl LocalModel {
    /// Loads the model of a folder, from memory if its files haven't changed.
    ///
    /// # Errors
    /// [`EmbeddingError::Folder`] with the file and the problem.
    pub(super) fn load(path: &Path) -> Result<Arc<Self>> {
        let files = ["model.safetensors", "tokenizer.json", "config.json"].map(|name| path.join(name));
        let stamp: Stamp = files
            .iter()
            .map(|file| {
                std::fs::metadata(file).ok().and_then(|meta| Some((meta.len(), meta.modified().ok()?)))
            })
            .collect();
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, _, folder)) = loaded.as_ref().filter(|(of, at, _)| of == path && *at == stamp) {
            return Ok(folder.clone());
        }
        *loaded = None;
        let [model, tokenizer, config] = &files;
        let folder = Arc::new(Self::read(model, tokenizer, config)?);
        *loaded = Some((path.to_owned(), stamp, folder.clone()));
        Ok(folder)
    }

    fn read(model: &Path, tokenizer: &Path, config: &Path) -> Result<Self> {
        let wrong = |path: &Path, reason: String| EmbeddingError::Folder { path: path.to_owned(), reason };
        let bytes = |path: &Path, most: u64| -> Result<Vec<u8>> {
            home::read_regular(path, most).map_err(|error| {
                let large = std::fs::metadata(path).is_ok_and(|meta| meta.len() > most);
                let more = format!("it is larger than {}", contract::Amount::bytes(most));
                wrong(path, if large { more } else { error.to_string() })
            })
        };
        let words = bytes(tokenizer, MAX_TOKENIZER)?;
        let numbers = bytes(model, MAX_MODEL)?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&numbers);
        hasher.update(&words);
        let read = Tokenizer::read(&words).map_err(|reason| wrong(tokenizer, reason))?;
        let table = Table::read(numbers).map_err(|reason| wrong(model, reason))?;
        if !table.fits(read.len()) {
            let reason =
                format!("it has fewer rows than {} has tokens ({})", tokenizer.display(), read.len());
            return Err(wrong(model, reason));
        }
        let normalize = match std::fs::metadata(config) {
            Err(_) => true,
            Ok(_) => {
                let config_bytes = bytes(config, MAX_CONFIG)?;
                hasher.update(&config_bytes);
                let about: Value = serde_json::from_slice(&config_bytes)
                    .map_err(|error| wrong(config, format!("it is not valid JSON: {error}")))?;
                about["normalize"].as_bool().unwrap_or(true)
            }
        };
        let id = format!("model2vec {}", &hasher.finalize().to_hex()[..16]);
        Ok(Self { table, tokenizer: read, normalize, id })
    }

    /// Identifies this model.
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// The length of a vector.
    pub(super) fn dimension(&self) -> usize {
        self.table.columns()
    }

    /// The vector of a text; all zero if the model knows none of its tokens.
    pub(super) fn vector(&self, text: &str) -> Vec<f32> {
        self.mean(&self.tokenizer.tokens(text, MAX_TOKENS))
    }

    /// Whether the model has the whole word as a token, not only its letters.
    pub(super) fn knows_word(&self, word: &str) -> bool {
        self.tokenizer.tokens(word, MAX_TOKENS).iter().any(|token| token.whole)
    }

    fn mean(&self, tokens: &[Token]) -> Vec<f32> {
        let mut sum = vec![0.0; self.dimension()];
        for token in tokens {
            self.table.add(token.id, &mut sum);
        }
        let count = tokens.len().max(1) as f32;
        sum.iter_mut().for_each(|one| *one /= count);
        if self.normalize { super::unit(sum) } else { sum }
    }
}
