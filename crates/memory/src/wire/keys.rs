//! The model providers' keys: in a Linux desktop's keyring if one answers, else in one file of `~/.plimsoll` that
//! only you can read (0600). Never in the settings, never shown.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use home::{Env, Home};

use super::keyring::Keyring;
use super::provider::Provider;

/// Maximum length of a key.
const MAX_KEY: usize = 1_000;
/// Plimsoll writes no larger files.
const MAX_FILE: u64 = 64 << 10;

/// Why a key can't be stored, found or removed.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// It isn't a key.
    #[error("that isn't a key: {0}; nothing was kept")]
    NoKey(&'static str),
    /// The file is unusable.
    #[error(
        "{path} can't be used: {reason}; `plimsoll memory key remove PROVIDER` and `key set PROVIDER` make it again"
    )]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The keyring has the key but doesn't return it.
    #[error(
        "the key of {provider} is in the system's keyring, which can't be used: {reason}; unlock it, or `plimsoll memory key set {provider}` keeps another"
    )]
    Keyring {
        /// The key's provider.
        provider: String,
        /// Why.
        reason: String,
    },
}

/// Where a key is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyLocation {
    /// In the system's keyring.
    Keyring,
    /// In the file, and why not in the keyring if that was tried.
    File(Option<String>),
}

impl KeyLocation {
    /// Its display name.
    pub fn display_name(&self) -> &'static str {
        match self {
            Self::Keyring => "the system's keyring",
            Self::File(_) => "a file that only you can read (0600); it isn't encrypted",
        }
    }
}

/// The keys of one home. The file contains those that aren't in a keyring; a list beside it names the others.
#[derive(Clone)]
pub struct Keys {
    file: PathBuf,
    keyring: Keyring,
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Keys({})", self.file.display())
    }
}

impl Keys {
    /// The keys of this home.
    pub fn of(home: &Home) -> Self {
        Self { file: home.root().join("model-keys.json"), keyring: Keyring::of(home.root()) }
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.file
    }

    /// The list of providers whose keys are in the keyring. Contains no secrets.
    fn list(&self) -> PathBuf {
        self.file.with_file_name("model-keyring.json")
    }

    /// A provider's key.
    ///
    /// # Errors
    /// If the file can't be read, or if the keyring doesn't return a key that it has.
    pub(super) fn get(&self, provider: Provider) -> Result<Option<String>, KeyError> {
        let name = provider.as_str();
        if let Some(key) = self.all()?.remove(name) {
            return Ok(Some(key));
        }
        if !self.in_keyring().iter().any(|one| one == name) {
            return Ok(None);
        }
        let wrong = |reason| KeyError::Keyring { provider: name.to_owned(), reason };
        match self.keyring.get(name) {
            Ok(Some(key)) => Ok(Some(key)),
            Ok(None) => Err(wrong("it is no longer there".into())),
            Err(reason) => Err(wrong(reason)),
        }
    }

    /// The providers that have a key, with where it is stored. Doesn't ask the keyring.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn key_locations(&self) -> Result<BTreeMap<String, KeyLocation>, KeyError> {
        let mut out: BTreeMap<String, KeyLocation> =
            self.in_keyring().into_iter().map(|name| (name, KeyLocation::Keyring)).collect();
        out.extend(self.all()?.into_keys().map(|name| (name, KeyLocation::File(None))));
        Ok(out)
    }

    /// Stores a key, replacing the old one: in the desktop session's keyring if one answers, else in the file.
    ///
    /// # Errors
    /// If it isn't a key, or the file can't be written.
    pub fn set_in(&self, env: &Env, provider: Provider, key: &str) -> Result<KeyLocation, KeyError> {
        let key = Self::checked(key)?;
        let name = provider.as_str();
        let why = match Keyring::unavailable_reason(env) {
            Some(why) => why,
            None => match self.keyring.set(name, key) {
                Ok(()) => {
                    self.note(name, true)?;
                    self.forget_in_file(provider)?;
                    return Ok(KeyLocation::Keyring);
                }
                Err(why) => why,
            },
        };
        self.set(provider, key)?;
        Ok(KeyLocation::File(Some(why)))
    }

    /// Stores a key in the file, replacing the old one.
    ///
    /// # Errors
    /// If it isn't a key, or the file can't be written.
    pub fn set(&self, provider: Provider, key: &str) -> Result<(), KeyError> {
        let key = Self::checked(key)?;
        let mut all = self.all()?;
        all.insert(provider.as_str().to_owned(), key.to_owned());
        self.write(&all)
    }

    fn checked(key: &str) -> Result<&str, KeyError> {
        let key = key.trim();
        if key.is_empty() {
            return Err(KeyError::NoKey("it is empty"));
        }
        if key.len() > MAX_KEY || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(KeyError::NoKey("it is too long, or has blanks or signs that no key has"));
        }
        Ok(key)
    }

    /// Removes a key wherever it is; returns whether there was one. An unreadable file is removed entirely.
    ///
    /// # Errors
    /// If the file can't be written, or the keyring that has the key doesn't answer.
    pub fn forget(&self, provider: Provider) -> Result<bool, KeyError> {
        let name = provider.as_str();
        let had = self.forget_in_file(provider)?;
        if !self.in_keyring().iter().any(|one| one == name) {
            return Ok(had);
        }
        let wrong = |reason| KeyError::Keyring { provider: name.to_owned(), reason };
        self.keyring.forget(name).map_err(wrong)?;
        self.note(name, false)?;
        Ok(true)
    }

    /// Removes every key that the list says is in the keyring; the errors of those that stay. Asks nothing if there are
    /// none.
    pub(crate) fn forget_in_keyring(&self) -> Vec<KeyError> {
        let mut left = Vec::new();
        for provider in self.in_keyring() {
            match self.keyring.forget(&provider) {
                Err(reason) => left.push(KeyError::Keyring { provider, reason }),
                // The list has no secrets and is deleted next; until then it says what is left.
                Ok(()) => {
                    if let Err(error) = self.note(&provider, false) {
                        log::warn!("{error}");
                    }
                }
            }
        }
        left
    }

    fn forget_in_file(&self, provider: Provider) -> Result<bool, KeyError> {
        let Ok(mut all) = self.all() else {
            return std::fs::remove_file(&self.file).map(|()| true).map_err(|error| self.wrong(error));
        };
        let had = all.remove(provider.as_str()).is_some();
        match had {
            true if all.is_empty() => std::fs::remove_file(&self.file).map_err(|error| self.wrong(error))?,
            true => self.write(&all)?,
            false => {}
        }
        Ok(had)
    }

    /// The providers whose keys are in the keyring. An unreadable list counts as empty: the keyring keeps its keys.
    pub(crate) fn in_keyring(&self) -> Vec<String> {
        let text = home::read_regular_text(&self.list(), MAX_FILE).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    fn note(&self, name: &str, there: bool) -> Result<(), KeyError> {
        let mut all = self.in_keyring();
        all.retain(|one| one != name);
        if there {
            all.push(name.to_owned());
        }
        let text = serde_json::to_string(&all).map_err(|error| self.wrong(error))?;
        home::write_private(&self.list(), text.as_bytes()).map_err(|error| self.wrong(error))
    }

    fn all(&self) -> Result<BTreeMap<String, String>, KeyError> {
        match home::read_regular_text(&self.file, MAX_FILE) {
            // The parser's message could quote a part of a key.
            Ok(text) => serde_json::from_str(&text).map_err(|_| self.wrong("it is not as Plimsoll wrote it")),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(BTreeMap::new()),
            Err(error) => Err(self.wrong(error)),
        }
    }

    fn write(&self, all: &BTreeMap<String, String>) -> Result<(), KeyError> {
        let text = serde_json::to_string(all).map_err(|error| self.wrong(error))?;
        home::write_private(&self.file, text.as_bytes()).map_err(|error| self.wrong(error))
    }

    fn wrong(&self, reason: impl ToString) -> KeyError {
        KeyError::File { path: self.file.clone(), reason: reason.to_string() }
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
        let kept = keys.key_locations().unwrap();
        assert_eq!(kept.keys().collect::<Vec<_>>(), ["anthropic", "openai"]);
        assert!(kept.values().all(|one| *one == KeyLocation::File(None)));
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
        // Without a desktop session the file gets the key, with the reason.
        let env = Env::for_test(dir.path());
        let kept = keys.set_in(&env, Provider::OpenAi, "key-three").unwrap();
        assert!(matches!(&kept, KeyLocation::File(Some(_))), "{kept:?}");
        assert_eq!(keys.get(Provider::OpenAi).unwrap().unwrap(), "key-three");
        // A key that is listed for the keyring but not returned is an error, not a missing key.
        std::fs::write(keys.list(), "[\"anthropic\"]").unwrap();
        if std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_none() {
            let error = keys.get(Provider::Anthropic).unwrap_err().to_string();
            assert!(error.contains("keyring") && error.contains("key set anthropic"), "{error}");
        }
        assert_eq!(keys.key_locations().unwrap()["anthropic"], KeyLocation::Keyring);
    }
}
