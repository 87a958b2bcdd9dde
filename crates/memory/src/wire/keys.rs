//! Keys of model providers: in the keyring of a Linux desktop where one answers, else in one file of `~/.plimsoll` that only you can
//! read (0600). Never in the settings, never shown.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use home::{Env, Home};

use super::keyring::Keyring;
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
    /// The keyring has it and gives it to nobody.
    #[error(
        "the key of {provider} is in the system's keyring, which can't be used: {reason}; unlock it, or `plimsoll memory key set {provider}` keeps another"
    )]
    Keyring {
        /// Whose key.
        provider: String,
        /// Why.
        reason: String,
    },
}

/// Where a key is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    /// In the system's keyring.
    Keyring,
    /// In the file, and why not in the keyring where that was tried.
    File(Option<String>),
}

impl Kept {
    /// As people read it.
    pub fn shown(&self) -> &'static str {
        match self {
            Self::Keyring => "the system's keyring",
            Self::File(_) => "a file that only you can read (0600); it isn't encrypted",
        }
    }
}

/// The keys of one computer. The file has those that are in no keyring; beside it stands which are in one.
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

/// Where a provider's key is.
pub(crate) fn key_of(home: &Home, _: Provider) -> Keys {
    Keys::of(home)
}

impl Keys {
    /// Those of this home.
    pub fn of(home: &Home) -> Self {
        Self { file: home.root().join("model-keys.json"), keyring: Keyring::of(home.root()) }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.file
    }

    /// Which providers' keys are in the keyring. No secret is in it.
    fn list(&self) -> PathBuf {
        self.file.with_file_name("model-keyring.json")
    }

    /// A provider's key.
    ///
    /// # Errors
    /// When the file is there and can't be read, or the keyring that has it gives it to nobody now.
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

    /// The providers that have one, with where it is. No keyring is asked.
    ///
    /// # Errors
    /// When the file is there and can't be read.
    pub fn kept(&self) -> Result<BTreeMap<String, Kept>, KeyError> {
        let mut out: BTreeMap<String, Kept> =
            self.in_keyring().into_iter().map(|name| (name, Kept::Keyring)).collect();
        out.extend(self.all()?.into_keys().map(|name| (name, Kept::File(None))));
        Ok(out)
    }

    /// Keeps a key in place of the one before: in the keyring of the session where one answers, else in the file.
    ///
    /// # Errors
    /// When it is no key, or the file can't be written.
    pub fn set_in(&self, env: &Env, provider: Provider, key: &str) -> Result<Kept, KeyError> {
        let key = Self::checked(key)?;
        let name = provider.as_str();
        let why = match Keyring::missing(env) {
            Some(why) => why,
            None => match self.keyring.set(name, key) {
                Ok(()) => {
                    self.note(name, true)?;
                    self.forget_in_file(provider)?;
                    return Ok(Kept::Keyring);
                }
                Err(why) => why,
            },
        };
        self.set(provider, key)?;
        Ok(Kept::File(Some(why)))
    }

    /// Keeps a key in the file, in place of the one before.
    ///
    /// # Errors
    /// When it is no key, or the file can't be written.
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
        if key.len() > MOST || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(KeyError::NoKey("it is too long, or has blanks or signs that no key has"));
        }
        Ok(key)
    }

    /// Forgets a key wherever it is; whether there was one. A file that can't be read is forgotten whole.
    ///
    /// # Errors
    /// When the file can't be written, or the keyring that has it does not answer.
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

    /// A list that can't be read names none: the keyring keeps what it has.
    fn in_keyring(&self) -> Vec<String> {
        let text = home::read_regular_text(&self.list(), MOST_FILE).unwrap_or_default();
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
        match home::read_regular_text(&self.file, MOST_FILE) {
            // What the parser says could quote a part of a key.
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
        let kept = keys.kept().unwrap();
        assert_eq!(kept.keys().collect::<Vec<_>>(), ["anthropic", "openai"]);
        assert!(kept.values().all(|one| *one == Kept::File(None)));
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
        // Where no desktop session runs, the file has it, and it is said why.
        let env = Env::for_test(dir.path());
        let kept = keys.set_in(&env, Provider::OpenAi, "key-three").unwrap();
        assert!(matches!(&kept, Kept::File(Some(_))), "{kept:?}");
        assert_eq!(keys.get(Provider::OpenAi).unwrap().unwrap(), "key-three");
        // A key that a keyring is said to have and that it does not give is an error and no missing key.
        std::fs::write(keys.list(), "[\"anthropic\"]").unwrap();
        if std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_none() {
            let error = keys.get(Provider::Anthropic).unwrap_err().to_string();
            assert!(error.contains("keyring") && error.contains("key set anthropic"), "{error}");
        }
        assert_eq!(keys.kept().unwrap()["anthropic"], Kept::Keyring);
    }
}
