//! `plimsoll memory key …`: the model providers' keys, on the command line only and not for agents. A key comes from
//! standard input, never from an argument, which other programs could see; no reply contains it.

use std::io::{IsTerminal, Read};

use contract::Error;
use serde_json::{Map, Value, json};
use system::{At, Typed, Work};

use super::run_action::{self, Show};
use crate::actions::Failure;
use crate::wire::{KeyError, KeyLocation, Keys, Provider};

/// Maximum input size.
const MOST: u64 = 8 << 10;

/// A request about keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    Set(Provider),
    Remove(Provider),
    List,
}

/// The request about keys; `None` for another action.
pub(super) fn asked(typed: &Typed) -> Result<Option<Asked>, Error> {
    let words: Vec<&str> = typed.texts("ACTION").collect();
    let (Some(&"key"), rest) = (words.first(), words.get(1..).unwrap_or_default()) else { return Ok(None) };
    let wrong = |why: &str| {
        let names: Vec<&str> = Provider::ALL.iter().map(|one| one.as_str()).collect();
        // What was typed instead of a provider isn't repeated: it could be the key.
        Error::invalid(format!(
            "{why}write plimsoll memory key set|remove PROVIDER, or key list; PROVIDER is {}",
            names.join(", ")
        ))
    };
    let provider = |name: &str| Provider::named(name).ok_or_else(|| wrong("that isn't a provider; "));
    Ok(Some(match rest {
        ["set", name] => Asked::Set(provider(name)?),
        ["remove", name] => Asked::Remove(provider(name)?),
        ["list"] | [] => Asked::List,
        ["set", _, ..] => {
            return Err(wrong("a key comes from standard input, so that no other program sees it; "));
        }
        _ => return Err(wrong("")),
    }))
}

/// Runs the request.
pub(super) fn work(at: At, asked: Asked) -> Work {
    let (home, env) = (at.host.home().clone(), at.host.env().clone());
    run_action::work(at, Show::Json, move |_| {
        let keys = Keys::of(&home);
        let failed = |error: KeyError| Failure::unusable(error.to_string());
        Ok(match asked {
            Asked::Set(provider) => {
                let input = std::io::stdin();
                if input.is_terminal() {
                    return Err(Failure::invalid(format!(
                        "a key isn't typed where it can be read; write plimsoll memory key set {} < FILE, or put a command that prints it before |",
                        provider.as_str()
                    )));
                }
                let mut text = String::new();
                input.lock().take(MOST).read_to_string(&mut text).map_err(|_| {
                    Failure::unusable("standard input can't be read as text; nothing was kept")
                })?;
                home.ensure().map_err(|error| Failure::unusable(error.to_string()))?;
                let kept = keys.set_in(&env, provider, &text).map_err(failed)?;
                let mut out = json!({"provider": provider.as_str(), "key": "set"});
                match &kept {
                    KeyLocation::Keyring => out["kept_in"] = kept.shown().into(),
                    KeyLocation::File(why) => {
                        let why = why.as_deref().map(|why| format!("; no keyring was used: {why}"));
                        out["kept_in"] = json!(keys.path());
                        out["note"] = format!("{}{}", kept.shown(), why.unwrap_or_default()).into();
                    }
                }
                out
            }
            Asked::Remove(provider) => {
                let had = keys.forget(provider).map_err(failed)?;
                json!({"provider": provider.as_str(), "key": if had { "removed" } else { "none was there" }})
            }
            Asked::List => {
                let kept = keys.kept().map_err(failed)?;
                let places: Map<String, Value> =
                    kept.iter().map(|(name, kept)| (name.clone(), kept.shown().into())).collect();
                json!({"keys": kept.keys().collect::<Vec<_>>(), "kept_in": places})
            }
        })
    })
}
