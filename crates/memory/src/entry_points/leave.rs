//! What an uninstall removes outside Plimsoll's folder: keys of models' providers in the desktop's keyring.

use contract::Sentence;
use home::Home;

use crate::wire::Keys;

/// Removes the keys; which of them stay, and why.
pub(crate) fn leave(home: &Home) -> Vec<Sentence> {
    let left = Keys::of(home).forget_in_keyring();
    left.into_iter().map(|error| Sentence::from(error.to_string())).collect()
}
