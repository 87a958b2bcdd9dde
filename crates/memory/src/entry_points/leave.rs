//! What an uninstall removes outside Plimsoll's folder: keys of models' providers in the desktop's keyring.

use contract::Sentence;
use home::Home;

use crate::store::messages;
use crate::wire::Keys;

/// The keys that are there, as far as the list of them says. The keyring isn't asked: it could want its password typed.
pub(crate) fn elsewhere(home: &Home) -> Vec<Sentence> {
    Keys::of(home).in_keyring().into_iter().map(messages::key_in_keyring).collect()
}

/// Removes the keys; which of them stay, and why.
pub(crate) fn leave(home: &Home) -> Vec<Sentence> {
    let left = Keys::of(home).forget_in_keyring();
    left.into_iter().map(|error| Sentence::from(error.to_string())).collect()
}
