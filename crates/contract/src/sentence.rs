//! Messages to the user. Terminals and models get the English text; a key and the values go with it, from which the
//! window renders the same sentence in the user's language.
//!
//! Crates declare theirs with [`sentences!`](crate::sentences), one function each. The macro is the only way to make
//! a sentence with a key, so its list is complete; `crates/commands/tests/sentences.rs` compares it with the window's
//! catalogues. Text that can't be listed (from an operating system or a parser) has no key and is shown in English.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Display, Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A sentence, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Sentence {
    /// The complete English text.
    text: String,
    /// Its key in the catalogues; `None` for foreign text.
    key: Option<String>,
    /// The values of its `{placeholders}`.
    params: BTreeMap<String, Param>,
}

/// The value of a placeholder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Param {
    /// A name, path or number, the same in every language.
    Plain(String),
    /// A sentence of its own.
    Words(Sentence),
    /// A size or duration, written in the reader's language.
    Amount(crate::Amount),
}

/// A declared sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Template {
    /// Its key in the catalogues.
    pub key: &'static str,
    /// The English text with its placeholders.
    pub english: &'static str,
    /// The names of the placeholders.
    pub params: &'static [&'static str],
}

impl Sentence {
    /// Fills in a declared sentence; for [`sentences!`](crate::sentences).
    #[doc(hidden)]
    pub fn declared<const N: usize>(key: &str, text: String, params: [(&str, Param); N]) -> Self {
        let params = params.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Self { text, key: Some(key.to_owned()), params }
    }

    /// The English text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its key in the catalogues.
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// The value of a placeholder.
    pub fn param(&self, name: &str) -> Option<&Param> {
        self.params.get(name)
    }

    /// Whether this sentence or one within it has that key.
    pub fn says(&self, key: &str) -> bool {
        let within = |param: &Param| matches!(param, Param::Words(sentence) if sentence.says(key));
        self.key() == Some(key) || self.params.values().any(within)
    }

    /// Joins sentences in the given order; `None` if there are none.
    pub fn all(several: impl IntoIterator<Item = Self>) -> Option<Self> {
        several.into_iter().reduce(joined::also)
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for Param {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(text) => f.write_str(text),
            Self::Words(sentence) => sentence.fmt(f),
            Self::Amount(amount) => amount.fmt(f),
        }
    }
}

/// Foreign text.
impl From<String> for Sentence {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

/// Foreign text.
impl From<&str> for Sentence {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<crate::Amount> for Param {
    fn from(amount: crate::Amount) -> Self {
        Self::Amount(amount)
    }
}

impl From<Sentence> for Param {
    fn from(sentence: Sentence) -> Self {
        Self::Words(sentence)
    }
}

macro_rules! plain {
    ($($from:ty),*) => {$(impl From<$from> for Param {
        fn from(value: $from) -> Self {
            Self::Plain(value.to_string())
        }
    })*};
}
plain!(&str, String, &String, Display<'_>, u32, u64, usize);

impl From<&Path> for Param {
    fn from(path: &Path) -> Self {
        path.display().into()
    }
}

impl From<&PathBuf> for Param {
    fn from(path: &PathBuf) -> Self {
        path.display().into()
    }
}

/// Declares a crate's sentences: a function for each that fills it in, and `ALL`, their list. A misspelt or missing
/// placeholder doesn't compile.
///
/// ```
/// # extern crate plimsoll_contract as contract;
/// contract::sentences! { "example";
///     aground(ship, depth) = "{ship} ran aground at {depth} m";
/// }
/// assert_eq!(aground("Ada", 3u32).text(), "Ada ran aground at 3 m");
/// assert_eq!(aground("Ada", 3u32).key(), Some("messages.example.aground"));
/// ```
#[macro_export]
macro_rules! sentences {
    ($place:literal; $($name:ident($($param:ident),*) = $english:literal;)*) => {
        $(
            #[doc = concat!("The sentence `messages.", $place, ".", stringify!($name), "`.")]
            pub fn $name($($param: impl Into<$crate::Param>),*) -> $crate::Sentence {
                $(let $param: $crate::Param = $param.into();)*
                let text = ::std::format!($english $(, $param = $param)*);
                $crate::Sentence::declared(
                    concat!("messages.", $place, ".", stringify!($name)),
                    text,
                    [$((stringify!($param), $param)),*],
                )
            }
        )*
        /// Every sentence declared here.
        pub const ALL: &[$crate::Template] = &[$($crate::Template {
            key: concat!("messages.", $place, ".", stringify!($name)),
            english: $english,
            params: &[$(stringify!($param)),*],
        }),*];
    };
}

/// Sentences that join others.
pub mod joined {
    sentences! { "joined";
        finding(what, remedy) = "{what}. {remedy}";
        also(first, second) = "{first}; {second}";
        about(thing, what) = "{thing}: {what}";
    }
}
