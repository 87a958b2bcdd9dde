//! Keys of model providers: in one file of `~/.plimsoll` that only you can read (0600). Never in the settings, never shown.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use home::Home;

use super::provider::Provider;

/// A longer key is none.
const MOST: usize = 1_000;
/// A longer file isn't ours.
const MOST_FILE: u64 = 64 << 10;

/// Why a key can't be kept, found or forgotten.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// It is no key.
    #[error("that isn't a key: {0}; nothing was kept")]
    NoKey(&'static str),
    /// The file can't be used.
    #[error(
        "{path} can't be used: {reason}; `plimsoll memory key remove PROVIDER` and `key set PROVIDER` make it again"
    )]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

/// The keys of one computer.
#[derive(Clone)]
pub struct Keys(PathBuf);

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Keys({})", self.0.display())
    }
}

/// Where a provider's key is.
pub(crate) fn key_of(home: &Home, _: Provider) -> Keys {
    Keys::of(home)
}

impl Keys {
    /// Those of this home.
    pub fn of(home: &Home) -> Self {
        Self(home.root().join("model-keys.json"))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// A provider's key.
    ///
    /// # Errors
    /// When the file is there and can't be read.
    pub(super) fn get(&self, provider: Provider) -> Result<Option<String>, KeyError> {
        Ok(self.all()?.remove(provider.as_str()))
    }

    /// The providers that have one.
    ///
    /// # Errors
    /// When the file is there and can't be read.
    pub fn names(&self) -> Result<Vec<String>, KeyError> {
        Ok(self.all()?.into_keys().collect())
    }

    /// Keeps a key in place of the one before.
    ///
    /// # Errors
    /// When it is no key, or the file can't be written.
    pub fn set(&self, provider: Provider, key: &str) -> Result<(), KeyError> {
        let key = key.trim();
        if key.is_empty() {
            return Err(KeyError::NoKey("it is empty"));
        }
        if key.len() > MOST || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(KeyError::NoKey("it is too long, or has blanks or signs that no key has"));
        }
        let mut all = self.all()?;
        all.insert(provider.as_str().to_owned(), key.to_owned());
        self.write(&all)
    }

    /// Forgets a key; whether there was one. A file that can't be read is forgotten whole.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn forget(&self, provider: Provider) -> Result<bool, KeyError> {
        let Ok(mut all) = self.all() else {
            return std::fs::remove_file(&self.0).map(|()| true).map_err(|error| self.wrong(error));
        };
        let had = all.remove(provider.as_str()).is_some();
        match had {
            true if all.is_empty() => std::fs::remove_file(&self.0).map_err(|error| self.wrong(error))?,
            true => self.write(&all)?,
            false => {}
        }
        Ok(had)
    }

    fn all(&self) -> Result<BTreeMap<String, String>, KeyError> {
        match home::read_regular_text(&self.0, MOST_FILE) {
            // What the parser says could quote a part of a key.
            Ok(text) => serde_json::from_str(&text).map_err(|_| self.wrong("it is not as Plimsoll wrote it")),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(BTreeMap::new()),
            Err(error) => Err(self.wrong(error)),
        }
    }

    fn write(&self, all: &BTreeMap<String, String>) -> Result<(), KeyError> {
        let text = serde_json::to_string(all).map_err(|error| self.wrong(error))?;
        home::write_private(&self.0, text.as_bytes()).map_err(|error| self.wrong(error))
    }

    fn wrong(&self, reason: impl ToString) -> KeyError {
        KeyError::File { path: self.0.clone(), reason: reason.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_kept_for_you_alone_and_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("plimsoll"));
        std::fs::create_dir_all(home.root()).unwrap();
        let keys = Keys::of(&home);
        assert!(!keys.forget(Provider::Anthropic).unwrap());
        keys.set(Provider::Anthropic, " key-one\n").unwrap();
        keys.set(Provider::OpenAi, "key-two").unwrap();
        assert_eq!(keys.get(Provider::Anthropic).unwrap().unwrap(), "key-one");
        assert_eq!(keys.names().unwrap(), ["anthropic", "openai"]);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(keys.path()).unwrap().permissions().mode() & 0o777, 0o600);
        }
        assert!(!format!("{keys:?}").contains("key-one"));
        for bad in ["", " \n", "two words", "ключ"] {
            assert!(matches!(keys.set(Provider::OpenAi, bad), Err(KeyError::NoKey(_))), "{bad:?}");
        }
        std::fs::write(keys.path(), "{\"openai\": \"key-two\"").unwrap();
        let error = keys.get(Provider::OpenAi).unwrap_err().to_string();
        assert!(error.contains("model-keys.json") && !error.contains("key-two"), "{error}");
        assert!(keys.forget(Provider::OpenAi).unwrap() && !keys.path().exists());
    }
}
