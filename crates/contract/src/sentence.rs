//! Sentences that the program says to a person. Terminals and models are given the English text; beside it go a key
//! and the values, by which the window finds the same sentence in the person's own language.
//!
//! Crates declare theirs with [`sentences!`](crate::sentences), one function each. That macro is the only way to make a
//! sentence with a key, so the list it leaves behind is complete; `crates/commands/tests/sentences.rs` holds it against
//! the window's catalogues. What nobody can list (the words of an operating system, of a parser) has no key and is
//! shown as the English that it is.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Display, Path, PathBuf};

use serde::{Deserialize, Serialize};

/// One sentence, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Sentence {
    /// In English, complete.
    text: String,
    /// Its name in the catalogues; `None` for words that are not ours.
    key: Option<String>,
    /// What its `{placeholders}` stand for.
    params: BTreeMap<String, Param>,
}

/// What a placeholder stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Param {
    /// A name, path or number, the same in every language.
    Plain(String),
    /// Words in turn.
    Words(Sentence),
    /// A size or a time, written as the language writes it.
    Amount(crate::Amount),
}

/// A sentence as it was declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Template {
    /// Its name in the catalogues.
    pub key: &'static str,
    /// With its placeholders.
    pub english: &'static str,
    /// The names of the placeholders.
    pub params: &'static [&'static str],
}

impl Sentence {
    /// A declared sentence, filled in; for [`sentences!`](crate::sentences).
    #[doc(hidden)]
    pub fn declared<const N: usize>(key: &str, text: String, params: [(&str, Param); N]) -> Self {
        let params = params.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Self { text, key: Some(key.to_owned()), params }
    }

    /// In English.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its name in the catalogues.
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// What a placeholder stands for.
    pub fn param(&self, name: &str) -> Option<&Param> {
        self.params.get(name)
    }

    /// Several in one, in the order given; `None` of none.
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

/// Words that are not ours.
impl From<String> for Sentence {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

/// Words that are not ours.
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

/// Declares the sentences of a crate: for each a function that fills it in, and `ALL`, the list of them. A placeholder
/// that is misspelt or forgotten does not compile.
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

/// What joins sentences.
pub mod joined {
    sentences! { "joined";
        finding(what, remedy) = "{what}. {remedy}";
        also(first, second) = "{first}; {second}";
        about(thing, what) = "{thing}: {what}";
    }
}
