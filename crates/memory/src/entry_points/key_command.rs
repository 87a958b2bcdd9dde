//! `plimsoll memory key …`: the model providers' keys, on the command line only and not for agents. A key comes from
//! standard input, never from an argument, which other programs could see; no reply contains it.

use std::io::{IsTerminal, Read};

use contract::Error;
use serde_json::{Map, Value, json};
use system::{CallContext, ReplyFuture, VerbArguments};

use super::reply_text::ReplyFormat;
use super::run_action;
use crate::actions::Failure;
use crate::wire::{KeyError, KeyLocation, Keys, Provider};

/// Maximum input size.
const MAX_INPUT: u64 = 8 << 10;

/// A request about keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyRequest {
    Set(Provider),
    Remove(Provider),
    List,
}

/// The request about keys; `None` for another action.
pub(super) fn parse(typed: &VerbArguments) -> Result<Option<KeyRequest>, Error> {
    let words: Vec<&str> = typed.texts("ACTION").collect();
    let (Some(&"key"), rest) = (words.first(), words.get(1..).unwrap_or_default()) else { return Ok(None) };
    let wrong = |why: &str| {
        let names: Vec<&str> = Provider::ALL.iter().map(|one| one.as_str()).collect();
        // An unknown provider isn't repeated in the error: it could be the key.
        Error::invalid(format!(
            "{why}write plimsoll memory key set|remove PROVIDER, or key list; PROVIDER is {}",
            names.join(", ")
        ))
    };
    let provider = |name: &str| Provider::from_name(name).ok_or_else(|| wrong("that isn't a provider; "));
    Ok(Some(match rest {
        ["set", name] => KeyRequest::Set(provider(name)?),
        ["remove", name] => KeyRequest::Remove(provider(name)?),
        ["list"] | [] => KeyRequest::List,
        ["set", _, ..] => {
            return Err(wrong("a key comes from standard input, so that no other program sees it; "));
        }
        _ => return Err(wrong("")),
    }))
}

/// Runs the request.
pub(super) fn run(at: CallContext, asked: KeyRequest) -> ReplyFuture {
    let (home, env) = (at.host.home().clone(), at.host.env().clone());
    run_action::run(at, ReplyFormat::Json, move |_| {
        let keys = Keys::of(&home);
        let failed = |error: KeyError| Failure::unusable(error.to_string());
        Ok(match asked {
            KeyRequest::Set(provider) => {
                let input = std::io::stdin();
                if input.is_terminal() {
                    return Err(Failure::invalid(format!(
                        "a key isn't typed where it can be read; write plimsoll memory key set {} < FILE, or put a command that prints it before |",
                        provider.as_str()
                    )));
                }
                let mut text = String::new();
                input.lock().take(MAX_INPUT).read_to_string(&mut text).map_err(|_| {
                    Failure::unusable("standard input can't be read as text; nothing was kept")
                })?;
                home.ensure().map_err(|error| Failure::unusable(error.to_string()))?;
                let kept = keys.set_in(&env, provider, &text).map_err(failed)?;
                let mut out = json!({"provider": provider.as_str(), "key": "set"});
                match &kept {
                    KeyLocation::Keyring => out["kept_in"] = kept.display_name().into(),
                    KeyLocation::File(why) => {
                        let why = why.as_deref().map(|why| format!("; no keyring was used: {why}"));
                        out["kept_in"] = json!(keys.path());
                        out["note"] = format!("{}{}", kept.display_name(), why.unwrap_or_default()).into();
                    }
                }
                out
            }
            KeyRequest::Remove(provider) => {
                let had = keys.forget(provider).map_err(failed)?;
                json!({"provider": provider.as_str(), "key": if had { "removed" } else { "none was there" }})
            }
            KeyRequest::List => {
                let kept = keys.key_locations().map_err(failed)?;
                let places: Map<String, Value> =
                    kept.iter().map(|(name, kept)| (name.clone(), kept.display_name().into())).collect();
                json!({"keys": kept.keys().collect::<Vec<_>>(), "kept_in": places})
            }
        })
    })
}
